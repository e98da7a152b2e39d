// SPDX-License-Identifier: GPL-2.0
/*
 * khugepaged begins with the blocks that miss the TLB: of several ranges that are alike, it
 * first makes superpages of the one that a program reads again and again.  This needs
 * vhpt=long, which counts misses, and tables that are too small for that range.
 */
#include "superpage.h"

#define MB		(1024 * 1024UL)
#define HUGE		MB		/* hpage_pmd_size */
#define RANGES		8
#define HOT		5		/* not the first, nor the last */
#define THREAD		"/sys/kernel/mm/transparent_hugepage/khugepaged/"
#define SLEEP		THREAD "scan_sleep_millisecs"

static char *range[RANGES];
static size_t len, size;			/* of a range, and of the superpages to be made */

/* Return how many bytes the hash table of a processor has; 0 without one. */
static size_t table_size(void)
{
	char buf[4096], *at;

	if (!sp_slurp("/proc/vhpt", buf, sizeof(buf)))
		return 0;
	at = strstr(buf, "\nsize:");
	return at ? strtoul(at + 6, NULL, 10) << 10 : 0;
}

static void map_ranges(void)
{
	int i;

	for (i = 0; i < RANGES; i++) {
		range[i] = sp_map(len, 4 * HUGE);
		/* Otherwise they are one mapping, with one entry in smaps. */
		madvise(range[i], len, i % 2 ? MADV_DONTDUMP : MADV_DODUMP);
		*(size_t *)range[i] = i;
	}
}

/* Make base pages; those of one range do not follow each other in memory. */
static void fill(void)
{
	size_t at;
	int i;

	for (at = 0; at < len; at += page_size)
		for (i = 0; i < RANGES; i++)
			*(size_t *)(range[i] + at) = at + i;
}

static size_t whole(int i)
{
	return sp_in_superpages(range[i], len, size);
}

/* Read one range at random, until it is whole or @seconds have passed. */
static void read_hot(int hot, unsigned int seconds)
{
	time_t end = time(NULL) + seconds;
	unsigned int i;

	while (time(NULL) < end && whole(hot) < len) {
		for (i = 0; i < 20000; i++)
			READ_ONCE(range[hot][sp_random_below(len / page_size) * page_size]);
		usleep(100000);
	}
}

/* @bytes: the only size that is permitted; @children: how many children to make, which wait */
static void test_hot(size_t bytes, int children)
{
	size_t hot, others = 0, at;
	int i, fds[2];
	char c;

	sp_permit(0);
	size = bytes;
	map_ranges();
	/* rmap finds the VMAs of the children, which do not map the pages that follow. */
	sp_need(!pipe(fds), "no pipe");
	for (i = 0; i < children; i++) {
		if (!sp_fork()) {
			close(fds[1]);
			_exit(read(fds[0], &c, 1));
		}
	}
	close(fds[0]);
	fill();
	/* Let khugepaged collapse a block or two each time, so that all takes minutes. */
	at = size > HUGE ? size : HUGE;
	sp_write_number(THREAD "pages_to_scan", 2 * at / page_size * (page_size / 128 + 40));
	sp_write_number(SLEEP, 300);
	sp_permit(size / page_size);
	read_hot(HOT, 60);
	hot = whole(HOT);
	for (i = 0; i < RANGES; i++) {
		ksft_print_msg("range %d%s: %zu of %zu MiB\n", i, i == HOT ? ", which is read" : "",
			       whole(i) / MB, len / MB);
		if (i != HOT)
			others += whole(i);
	}
	sp_expect(hot >= len * 3 / 4, "of the range that is read only %zu kB", hot >> 10);
	sp_expect(hot * (RANGES - 1) >= 2 * others, "others were made as much");
	for (i = 0; i < RANGES; i++)
		for (at = 0; at < len; at += page_size)
			sp_expect(*(size_t *)(range[i] + at) == at + i, "range %d, %zx", i, at);
	for (i = 0; i < RANGES; i++)
		munmap(range[i], len);
	close(fds[1]);
	for (i = 0; i < children; i++)
		wait(NULL);
	sp_result("what misses comes first, in superpages of %zu kB%s", size >> 10,
		  children ? ", beside children" : "");
}

/*
 * Noted misses of a process that ends do not keep its mm.  If they kept the mm of a process
 * with "force", khugepaged would go on running, too, though nothing is permitted.
 */
static void test_forgotten(void)
{
	bool runs = false;
	int status, i;
	pid_t pid;

	sp_permit(0);
	size = HUGE;
	sp_expect(sp_khugepaged_is(false), "khugepaged runs, though nothing is permitted");
	sp_write_number(SLEEP, 300);
	pid = sp_fork();
	if (!pid) {
		map_ranges();
		fill();
		sp_need(!sp_write("/proc/self/superpage", "mode always\norders 0\nforce 1\n"),
			"force");
		read_hot(HOT, 600);
		_exit(0);
	}
	/* Wait until khugepaged runs, and the child has filled its memory. */
	for (i = 0; i < 12 && !runs; i++)
		runs = sp_khugepaged_is(true);
	sp_expect(runs, "khugepaged does not run");
	sleep(3);
	/* After this khugepaged looks at nothing any more. */
	sp_write_number(SLEEP, 1000000);
	sleep(1);
	sp_need(!kill(pid, SIGKILL) && waitpid(pid, &status, 0) == pid, "the child");
	sp_expect(sp_khugepaged_is(false), "khugepaged runs for a process that has ended");
	sp_result("a process that has ended is forgotten");
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		fprintf(stderr, "%s takes no arguments\n", argv[0]);
		exit(2);
	}
	sp_init(argv);
	if (!sp_tunable || !(sp_all_orders() & HUGE / page_size) || access(SLEEP, W_OK))
		ksft_exit_skip("no khugepaged that we may tune\n");
	/* An entry has 32 bytes. */
	len = (table_size() / 32 * page_size * 2 + 4 * HUGE - 1) & -(4 * HUGE);
	if (!len || len > 64 * MB)
		ksft_exit_skip("no vhpt=long with a small vhpt_size=\n");
	ksft_set_plan(5);
	test_hot(HUGE, 0);
	/* With more children than the table of misses has entries. */
	test_hot(HUGE, 100);
	/* With sizes smaller and larger than the blocks for which misses are counted. */
	test_hot(4 * page_size, 0);
	test_hot(4 * HUGE, 0);
	test_forgotten();
	ksft_finished();
}
