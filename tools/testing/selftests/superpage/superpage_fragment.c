// SPDX-License-Identifier: GPL-2.0
/*
 * Where memory has no contiguous frames, page faults try smaller and smaller orders, down
 * to base pages.  So do MADV_COLLAPSE and khugepaged, which leave base pages where they
 * are.
 */
#include <getopt.h>
#include <sys/uio.h>

#include "superpage.h"

#define MB	(1024 * 1024UL)

static char *held;			/* most of all memory */
static size_t held_bytes;
static size_t limit = 2048 * MB;

static size_t free_bytes(void)
{
	return (size_t)sp_meminfo_kb("MemFree:") << 10;
}

/* Take all memory except @rest, as base pages, and give back every second page. */
static void fragment(size_t rest)
{
	size_t i;

	held_bytes = (free_bytes() - rest) & -(2 * page_size);
	held = sp_map(held_bytes, page_size);
	for (i = 0; i < held_bytes; i += page_size)
		*(size_t *)(held + i) = i + 1;
	for (i = 0; i < held_bytes; i += 2 * page_size)
		madvise(held + i, page_size, MADV_DONTNEED);
}

/* Expect that nothing has changed the held memory. */
static void check_held(void)
{
	size_t i;

	for (i = page_size; i < held_bytes; i += 2 * page_size)
		if (!sp_expect(*(size_t *)(held + i) == i + 1,
			       "page %zu of the held memory differs", i / page_size))
			return;
}

/*
 * Page faults use up the rest of contiguous memory before the holes.  So touch more than
 * that rest: all of the holes except what the kernel needs.
 */
static void test_fallback(size_t rest)
{
	struct sp_count before[SP_MAX_ORDERS], now;
	size_t len = rest + held_bytes / 4, i;
	unsigned int k;
	char *p;

	sp_counts(before);
	p = sp_map(len, 1 << 20);
	sp_permit(sp_all_orders());
	for (i = 0; i < len; i += page_size) {
		sp_expect(!*(size_t *)(p + i), "page %zu is not zero", i / page_size);
		*(size_t *)(p + i) = ~i;
	}
	for (i = 0; i < len; i += page_size)
		sp_expect(*(size_t *)(p + i) == ~i, "page %zu differs", i / page_size);
	check_held();
	sp_result("%zu MB of fragmented memory", len / MB);

	if (!sp_tunable) {
		ksft_test_result_skip("nothing is counted\n");
		ksft_test_result_skip("nothing is counted\n");
	} else {
		for (k = 0; k < sp_orders; k++) {
			now = sp_count(sp_order[k]);
			if (now.fallback > before[k].fallback || now.alloc > before[k].alloc)
				ksft_print_msg("order %u: %ld superpages, %ld fallbacks\n",
					       sp_order[k], now.alloc - before[k].alloc,
					       now.fallback - before[k].fallback);
			if (page_size << sp_order[k] <= 1 * MB)
				sp_expect(now.fallback > before[k].fallback,
					  "order %u has not fallen back", sp_order[k]);
		}
		sp_result("the orders fall back");

		/*
		 * A fallback is for a whole superpage, not for each of its pages: the
		 * next page fault there must not try that order again.
		 */
		now = sp_count(sp_order[0]);
		sp_expect(now.fallback - before[0].fallback <=
			  (long)(len / (page_size << sp_order[0])) + 1,
			  "order %u has fallen back %ld times in %zu superpages", sp_order[0],
			  now.fallback - before[0].fallback, len / (page_size << sp_order[0]));
		sp_result("each superpage falls back once");
	}
	sp_permit(0);
	munmap(p, len);
}

/* When there are contiguous frames again, page faults use them. */
static void test_recovery(void)
{
	size_t len = 8 * MB, i;
	struct sp_count before, after;
	char *p;

	munmap(held, held_bytes);
	sp_write("/proc/sys/vm/compact_memory", "1");
	before = sp_count_all();
	p = sp_map(len, len);
	sp_permit(sp_all_orders());
	for (i = 0; i < len; i += page_size)
		*(size_t *)(p + i) = i;
	sp_permit(0);
	after = sp_count_all();
	if (sp_tunable)
		sp_expect(after.alloc > before.alloc, "no superpage was used");
	munmap(p, len);
	sp_check_accounts("in the end");
	sp_result("memory is free again");
}

/* --- pieces of one size ------------------------------------------------------------ */

#define UNEVICTABLE	"/proc/sys/vm/compact_unevictable_allowed"
#define PIECE		(MB / 4)
#define LEFT		(64 * MB)

static unsigned long unevictable, alloc_sleep;

static void restore_knobs(void)
{
	sp_write_number(UNEVICTABLE, unevictable);
	sp_write_number(SP_ALLOC_SLEEP, alloc_sleep);
}

/* Is the MiB at @p in one piece of memory? */
static bool in_one_piece(const char *p)
{
	size_t pages = MB / page_size, i;
	uint64_t frame[MB >> 12];

	sp_read_frames(p, pages, page_size, frame);
	for (i = 1; i < pages && frame[i] == frame[0] + i; i++)
		;
	return frame[0] && frame[0] % pages == 0 && i == pages;
}

/*
 * Take each MiB that is free in one piece, for good, for the addresses from @p up to @stop.
 * Returns the address after the last.  All of memory may be in such pieces: leave some, or
 * the OOM killer comes.  Compaction takes the larger part of a pageblock of 16 MiB for itself
 * while it moves pages.
 */
static char *take_mibs(char *p, char *stop)
{
	for (; p < stop; p += MB) {
		if (free_bytes() < LEFT)
			break;
		*p = 1;
		sp_need(!mlock(p, MB), "mlock");
		if (in_one_piece(p))
			continue;
		munlock(p, MB);
		madvise(p, MB, MADV_DONTNEED);
		break;
	}
	return p;
}

/* Leave only a quarter of each MiB free, and keep compaction from moving the rest. */
static char *make_pieces(size_t *len)
{
	char *p, *q, *end;

	unevictable = sp_get(UNEVICTABLE);
	alloc_sleep = sp_get(SP_ALLOC_SLEEP);
	atexit(restore_knobs);
	sp_need(!sp_write(UNEVICTABLE, "0"), "cannot write to %s", UNEVICTABLE);
	sp_write("/proc/sys/vm/compact_memory", "1");
	*len = free_bytes() & -MB;
	p = sp_map(*len, MB);
	sp_permit(MB / page_size);
	end = take_mibs(p, p + *len);
	for (q = p; q < end; q += MB)
		sp_need(mmap(q + PIECE, PIECE, PROT_NONE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == q + PIECE,
			"mmap");
	/* Take what the kernel has kept for emergencies, and no longer needs to keep. */
	take_mibs(end, p + *len);
	sp_permit(0);
	return p;
}

/* Touch base pages in an order that puts none at home; @len is a power of two. */
static char *base_pages(size_t len, uint64_t seed)
{
	char *p = sp_map(len, len);
	size_t i;

	for (i = 0; i < 3 * len; i += 3 * page_size)
		sp_refill(p, i % len, page_size, seed);
	sp_expect(!sp_in_superpages(p, len, 0), "there are superpages already");
	return p;
}

static void expect_pieces(char *p, size_t len, uint64_t seed)
{
	size_t in = sp_in_superpages(p, len, PIECE), large = sp_in_superpages(p, len, MB);

	ksft_print_msg("%zu kB in superpages of %zu kB, %zu kB in larger ones\n",
		       (in - large) >> 10, PIECE >> 10, large >> 10);
	/* To make room for a MiB, compaction may take superpages of these pieces apart. */
	sp_expect(in == len || len - in < large, "%zu of %zu kB are in superpages", in >> 10,
		  len >> 10);
	sp_expect(large < len, "memory is not in pieces");
	sp_expect_bytes(p, len, seed, "collapsed");
}

static void wait_for_pieces(char *p, size_t len, size_t piece, size_t wanted)
{
	int patience = 20;

	while (patience-- && sp_in_superpages(p, len, piece) < wanted)
		sleep(2);
}

static void test_pieces(void)
{
	size_t len = 8 * MB, all;
	char *taken = make_pieces(&all), *p, *q;
	struct iovec vec[8];
	int fds[2], ret, i;

	p = base_pages(len, 1);
	q = base_pages(len, 2);
	ret = madvise(p, len, MADV_COLLAPSE) ? errno : 0;
	sp_expect(ret == ENOMEM, "MADV_COLLAPSE: %s", strerror(ret));
	expect_pieces(p, len, 1);
	sp_result("MADV_COLLAPSE where memory is in pieces");

	/*
	 * Where a page cannot move now, khugepaged tries again soon, although it waits for a
	 * long time before it requests whole MiBs again.  The pages are in the last two MiB of
	 * the range, which it looks at in one turn.
	 */
	sp_need(!pipe(fds), "no pipe");
	for (i = 0; i < 8; i++)
		vec[i] = (struct iovec){ q + len - (i + 1) * PIECE, page_size };
	sp_need(vmsplice(fds[1], vec, 8, 0) == (ssize_t)(8 * page_size), "vmsplice");
	sp_write(SP_ALLOC_SLEEP, "600000");
	madvise(q, len, MADV_HUGEPAGE);
	sp_khugepaged_works();
	sp_write(SP_SLEEP, "100");
	sp_permit(sp_all_orders());
	wait_for_pieces(q, len, PIECE, len - 8 * PIECE);
	sp_expect(sp_in_superpages(q, len, PIECE) == len - 8 * PIECE,
		  "%zu kB are in superpages while pages are pinned",
		  sp_in_superpages(q, len, PIECE) >> 10);
	close(fds[0]);
	close(fds[1]);
	wait_for_pieces(q, len, PIECE, len);
	expect_pieces(q, len, 2);
	sp_result("khugepaged where memory is in pieces");

	/* khugepaged obeys a shorter alloc_sleep_millisecs even if it is already waiting. */
	munmap(p, len);
	munmap(taken, all);
	sp_write(SP_ALLOC_SLEEP, "100");
	wait_for_pieces(q, len, MB, len);
	sp_permit(0);
	sp_expect(sp_in_superpages(q, len, MB) == len, "%zu of %zu kB are in superpages of 1 MiB",
		  sp_in_superpages(q, len, MB) >> 10, len >> 10);
	sp_expect_bytes(q, len, 2, "collapsed again");
	sp_result("alloc_sleep_millisecs taken back");
	munmap(q, len);
	sp_check_accounts("in pieces");
}

/*
 * Each time that the kernel takes a small page out of a large block, it boosts the watermark
 * for a while, by up to a pageblock of 16 MiB.
 */
#define BOOST	"/proc/sys/vm/watermark_boost_factor"

static unsigned long boost;

static void restore_boost(void)
{
	sp_write_number(BOOST, boost);
}

int main(int argc, char **argv)
{
	size_t rest = 24 * MB, spare;
	int opt;

	while ((opt = getopt(argc, argv, "l:")) != -1) {
		switch (opt) {
		case 'l':
			limit = sp_number(optarg, 1, LONG_MAX / MB) * MB;
			break;
		default:
			fprintf(stderr, "superpage_fragment [-l MOST_MEMORY_IN_MB]\n");
			return 2;
		}
	}
	sp_init(argv);
	if (sp_tunable) {
		boost = sp_get(BOOST);
		atexit(restore_boost);
		sp_write_number(BOOST, 0);
	}
	spare = free_bytes();
	if (spare < 4 * rest)
		ksft_exit_skip("not enough memory\n");
	/* The test must use up all memory, or there will be contiguous frames. */
	if (spare > limit) {
		if (sp_tunable)
			ksft_exit_skip("too much memory; -l permits to use more\n");
		rest = spare - 256 * MB;
	}
	ksft_set_plan(7);
	fragment(rest);
	test_fallback(rest > 64 * MB ? 64 * MB : rest);
	test_recovery();
	if (sp_old_scan && !access(UNEVICTABLE, W_OK)) {
		test_pieces();
	} else {
		ksft_test_result_skip("nobody collapses here\n");
		ksft_test_result_skip("nobody collapses here\n");
		ksft_test_result_skip("nobody collapses here\n");
	}
	ksft_finished();
}
