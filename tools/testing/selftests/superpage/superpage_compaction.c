// SPDX-License-Identifier: GPL-2.0
/*
 * Compaction makes blocks of 1 MiB out of what lies between superpages of 1 MiB, and leaves
 * these alone; no byte changes.
 */
#include "superpage.h"

#ifndef MADV_HUGEPAGE
#define MADV_HUGEPAGE	14
#endif

#define MB	(1024 * 1024UL)
#define THP	"/sys/kernel/mm/transparent_hugepage/"
#define DEFRAG	THP "defrag"
#define MADE	THP "hugepages-1024kB/stats/anon_fault_alloc"

/* After failures the kernel does without compaction once, twice, 4 times ... 64 times. */
#define PUT_OFF	512

static char *held;
static size_t held_len;

static uint64_t *word(size_t offset)
{
	return (uint64_t *)(held + offset);
}

/*
 * Is there a page at this offset?  Superpages have all, the blocks between them half of them,
 * without a pattern: in a hurry compaction looks for free pages in steps.
 */
static bool is_held(size_t offset)
{
	return offset / MB % 2 == 0 || (uint32_t)(offset / page_size) * 2654435761U >> 31;
}

/*
 * Take nearly all memory: a superpage of 1 MiB, 1 MiB of base pages, and so on.  Then give
 * half of the base pages back.
 */
static void hold(void)
{
	size_t free, i, k;

	sp_write("/proc/sys/vm/drop_caches", "3");
	free = (size_t)sp_meminfo_kb("MemFree:") << 10;
	held_len = (free - free / 8) & -(2 * MB);
	held = sp_map(held_len, MB);
	madvise(held, held_len, MADV_DONTDUMP);	/* no other mapping is merged with it */
	for (i = 0; i < held_len; i += MB) {
		sp_permit(i / MB % 2 ? 0 : MB / page_size);
		for (k = 0; k < MB; k += page_size)
			*word(i + k) = i + k + 1;
	}
	for (i = MB; i < held_len; i += 2 * MB)
		for (k = 0; k < MB; k += page_size)
			if (!is_held(i + k))
				madvise(held + i + k, page_size, MADV_DONTNEED);
}

static void check_held(const char *when)
{
	size_t i;

	for (i = 0; i < held_len; i += page_size)
		if (is_held(i) &&
		    !sp_expect(*word(i) == i + 1, "%s: %lx at %zx", when,
			       (unsigned long)*word(i), i))
			return;
}

/* Page faults that compact memory for as much as a quarter of what is free in pieces. */
static void test_demand(void)
{
	size_t before = sp_in_superpages(held, held_len, MB), after, i;
	long n = held_len / 16 / MB, first, made;
	char *p;

	sp_permit(MB / page_size);
	sp_write(DEFRAG, "never");
	do {
		made = sp_get(MADE);
		p = sp_map(MB, MB);
		*p = 1;
	} while ((long)sp_get(MADE) > made);

	sp_write(DEFRAG, "madvise");
	p = sp_map((n + PUT_OFF) * MB, MB);
	madvise(p, (n + PUT_OFF) * MB, MADV_HUGEPAGE);
	first = sp_get(MADE);
	for (i = 0; i < n + PUT_OFF && (long)sp_get(MADE) < first + n; i++)
		p[i * MB] = 1;
	made = sp_get(MADE) - first;
	after = sp_in_superpages(held, held_len, MB);
	ksft_print_msg("%ld of %ld blocks of 1 MiB were made in %zu page faults\n", made, n, i);
	sp_expect(made >= n * 3 / 4, "only %ld of %ld blocks were made", made, n);
	sp_expect(after == before, "of %zu kB in superpages %zu are left", before >> 10,
		  after >> 10);
	check_held("compacted on demand");
	sp_result("compaction for blocks of 1 MiB leaves superpages of 1 MiB");
}

static void test_all(void)
{
	size_t before = sp_in_superpages(held, held_len, MB), after;

	sp_expect(before >= held_len / 4, "only %zu of %zu kB are in superpages", before >> 10,
		  held_len >> 10);
	sp_expect(!sp_write("/proc/sys/vm/compact_memory", "1"), "compact_memory");
	after = sp_in_superpages(held, held_len, MB);
	sp_expect(after == before, "of %zu kB in superpages %zu are left", before >> 10,
		  after >> 10);
	check_held("compacted");
	sp_result("compaction of all memory leaves superpages of 1 MiB");
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		fprintf(stderr, "%s takes no arguments\n", argv[0]);
		exit(2);
	}
	sp_init(argv);
	if (!sp_tunable || !(sp_all_orders() & MB / page_size) || access(DEFRAG, W_OK))
		ksft_exit_skip("no superpages of 1 MiB that we may tune\n");
	ksft_set_plan(2);
	hold();
	test_demand();
	test_all();
	ksft_finished();
}
