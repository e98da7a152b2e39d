// SPDX-License-Identifier: GPL-2.0
/*
 * There is less memory than one process uses, so kswapd takes its pages all the
 * time.  The process forks, and moves from one processor to another: kswapd goes on
 * with the region registers of the process that ran before it, as kernel threads
 * do, and has to purge what the process has now.
 *
 * A page that is used all the time stays in the TLB.  If one is taken away and its
 * translation is not, what is written to it is lost or somebody else's.
 */
#include <getopt.h>

#include "superpage.h"

#define MB	(1024 * 1024UL)
#define HOT	16		/* pages used all the time */
#define MOVE	8192		/* rounds from one fork to the next; the LRU lists turn around */

static unsigned long rounds = 50000;
static size_t limit = 512 * MB;

static void move_and_fork(unsigned int turn)
{
	pid_t pid;

	sp_run_on(turn);
	pid = sp_fork();
	if (!pid)
		_exit(0);
	sp_wait(pid);
}

/* Count one up in a word of a page that is its own, lest all are in one line of the cache. */
static uint64_t count_up(char *base, size_t page)
{
	uint64_t *word = (uint64_t *)(base + page * page_size) + page % 16 * 8;
	uint64_t old = READ_ONCE(*word);

	WRITE_ONCE(*word, old + 1);
	return old;
}

static void test_swap(size_t bytes, const char *what)
{
	size_t pages = bytes / page_size, cold, i;
	uint64_t *count = sp_map_plain(pages * sizeof(*count));
	char *base = sp_map(bytes, MB);
	long swapped = sp_field("/proc/vmstat", "pswpout ");
	unsigned long round;

	sp_expect(!mlock(count, pages * sizeof(*count)), "mlock: %s", strerror(errno));
	srandom(1);
	for (round = 0; round < rounds && !sp_failures; round++) {
		for (i = 0; i < HOT; i++)
			sp_expect(count_up(base, i) == round,
				  "round %lu: hot page %zu has lost a write", round, i);
		cold = HOT + random() % (pages - HOT);
		sp_expect(count_up(base, cold) == count[cold],
			  "round %lu: page %zu has lost a write", round, cold);
		count[cold]++;
		if (!(round % MOVE))
			move_and_fork(round / MOVE);
		if (!(round % 64))
			usleep(100);	/* kswapd's turn */
	}
	for (i = HOT; i < pages && !sp_failures; i++)
		sp_expect(count_up(base, i) == count[i], "page %zu has lost a write", i);
	swapped = sp_field("/proc/vmstat", "pswpout ") - swapped;
	sp_expect(swapped > (long)pages / 4, "only %ld pages were swapped out", swapped);
	munmap(base, bytes);
	munmap(count, pages * sizeof(*count));
	sp_result("%s", what);
}

int main(int argc, char **argv)
{
	size_t bytes;
	int opt;

	while ((opt = getopt(argc, argv, "n:l:")) != -1) {
		switch (opt) {
		case 'n':
			rounds = sp_number(optarg, 1, LONG_MAX);
			break;
		case 'l':
			limit = sp_number(optarg, 1, LONG_MAX / MB) * MB;
			break;
		default:
			fprintf(stderr, "superpage_swap [-n ROUNDS] [-l MIB_OF_MEMORY_AT_MOST]\n");
			return 2;
		}
	}
	sp_init(argv);
	sp_permit(0);
	bytes = sp_meminfo_kb("MemAvailable:") * 1024;
	if (bytes > limit)
		ksft_exit_skip("more than %zu MiB of memory are available\n", limit / MB);
	bytes += bytes / 2;
	if (!sp_swap_on(2 * bytes))
		ksft_exit_skip("no swap\n");

	ksft_set_plan(2);
	test_swap(bytes, "base pages");
	sp_permit(sp_all_orders());
	test_swap(bytes, "superpages");
	ksft_finished();
}
