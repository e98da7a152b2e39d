// SPDX-License-Identifier: GPL-2.0
/*
 * Compaction makes blocks of 1 MiB out of what lies between superpages of 1 MiB, and leaves
 * these alone, whoever asks for it; no byte changes.
 */
#include <pthread.h>

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

#define PIPES		400
#define PIPES_LEN	(24 * MB)
#define WOKE		"compact_daemon_wake "

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

/*
 * Pages that cannot be moved, of pipes, take page blocks from pages that can.  The page
 * allocator then has kcompactd restore whole page blocks, which are larger than 1 MiB.
 */
static void test_blocks(void)
{
	const char *name = "kcompactd leaves superpages of 1 MiB for page blocks";
	size_t before = sp_in_superpages(held, held_len, MB), after;
	long woke = sp_field("/proc/vmstat", WOKE);
	int pipes[PIPES][2], n, i;
	size_t written = 0;
	char page[page_size];

	memset(page, 0, sizeof(page));
	for (n = 0; n < PIPES && written < PIPES_LEN; n++) {
		sp_need(!pipe2(pipes[n], O_NONBLOCK), "no pipe");
		while (write(pipes[n][1], page, page_size) > 0)
			written += page_size;
	}
	for (i = 0; i < 50 && sp_field("/proc/vmstat", WOKE) == woke; i++)
		usleep(100000);
	usleep(500000);
	after = sp_in_superpages(held, held_len, MB);
	while (n--) {
		close(pipes[n][0]);
		close(pipes[n][1]);
	}
	sp_expect(after == before, "of %zu kB in superpages %zu are left", before >> 10,
		  after >> 10);
	check_held("page blocks restored");
	woke = sp_field("/proc/vmstat", WOKE) - woke;
	ksft_print_msg("kcompactd woke %ld times\n", woke);
	if (!woke && after == before)
		ksft_test_result_skip("%s: it did not wake\n", name);
	else
		sp_result("%s", name);
}

static bool busy_end;

/* Split the last MiB, which has base pages, off the mapping, and merge it again. */
static void *busy(void *arg)
{
	size_t *n = arg;

	for (; !sp_acquire(&busy_end); ++*n) {
		mprotect(held + held_len - MB, MB, PROT_READ);
		mprotect(held + held_len - MB, MB, PROT_READ | PROT_WRITE);
	}
	return NULL;
}

/*
 * While a mapping is split or merged, compaction cannot lock the anon_vma to find out which
 * pages are parts of superpages.
 */
static void test_all(bool while_busy)
{
	size_t before = sp_in_superpages(held, held_len, MB), after, n = 0;
	pthread_t thread;

	sp_expect(before >= held_len / 4, "only %zu of %zu kB are in superpages", before >> 10,
		  held_len >> 10);
	if (while_busy)
		sp_need(!pthread_create(&thread, NULL, busy, &n), "no thread");
	sp_expect(!sp_write("/proc/sys/vm/compact_memory", "1"), "compact_memory");
	if (while_busy) {
		sp_release(&busy_end, true);
		pthread_join(thread, NULL);
		ksft_print_msg("the mapping changed %zu times\n", n);
		sp_expect(n, "the mapping did not change");
	}
	after = sp_in_superpages(held, held_len, MB);
	sp_expect(after == before, "of %zu kB in superpages %zu are left", before >> 10,
		  after >> 10);
	check_held("compacted");
	sp_result("compaction of all memory leaves superpages of 1 MiB%s",
		  while_busy ? " while their mapping changes" : "");
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
	ksft_set_plan(4);
	hold();
	test_demand();
	test_blocks();
	test_all(false);
	test_all(true);
	ksft_finished();
}
