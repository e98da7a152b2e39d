// SPDX-License-Identifier: GPL-2.0
/*
 * Huge pages of hugetlbfs have PTEs, page sizes and a region of their own, and the
 * same TLB.  When one gets another frame by copy on write, all threads of the
 * process have to see that at once, and what its old frame is full of by then is
 * another's.
 */
#include <getopt.h>
#include <pthread.h>

#include "superpage.h"

#ifndef MAP_HUGETLB
#define MAP_HUGETLB	0x40000
#endif

#define NR	"/proc/sys/vm/nr_hugepages"

static unsigned long rounds = 50;
static unsigned long before;		/* huge pages that there were */
static uint64_t *word;			/* in a huge page */
static uint64_t turn, seen;

/* Has the translation in its TLB all the time. */
static void *reader(void *arg)
{
	uint64_t t = 0, now;

	sp_run_on(1);
	while (t < rounds) {
		READ_ONCE(*word);
		now = sp_acquire(&turn);
		if (now == t) {
			sched_yield();
			continue;
		}
		t = now;
		sp_expect(READ_ONCE(*word) == t, "round %lu: a thread sees %#lx", (unsigned long)t,
			  (unsigned long)*word);
		sp_release(&seen, t);
	}
	return arg;
}

static void test_cow(size_t size)
{
	pthread_t thread;
	uint64_t t;
	pid_t pid;

	word = mmap(NULL, size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
	sp_need(word != MAP_FAILED, "no huge page");
	*word = 0;
	sp_run_on(0);
	sp_need(!pthread_create(&thread, NULL, reader, NULL), "cannot create a thread");
	for (t = 1; t <= rounds; t++) {
		int leave[2];
		char c;

		sp_need(!pipe(leave), "no pipe");
		pid = sp_fork();
		if (!pid) {
			/* Keeps the page shared until the parent has its own. */
			close(leave[1]);
			if (read(leave[0], &c, 1))
				sp_failures++;
			sp_expect(READ_ONCE(*word) == t - 1, "round %lu: the child sees %#lx",
				  (unsigned long)t, (unsigned long)*word);
			WRITE_ONCE(*word, ~0UL);
			sp_expect(READ_ONCE(*word) == ~0UL, "round %lu: the child's own is lost",
				  (unsigned long)t);
			sp_child_exit();
		}
		close(leave[0]);
		WRITE_ONCE(*word, t);
		sp_expect(READ_ONCE(*word) == t, "round %lu: what was written is not there",
			  (unsigned long)t);
		sp_release(&turn, t);
		while (sp_acquire(&seen) != t)
			sched_yield();
		close(leave[1]);
		sp_wait(pid);
	}
	pthread_join(thread, NULL);
	munmap(word, size);
	sp_result("copy on write of a page of %zu kB", size >> 10);
}

static void give_back(void)
{
	if (getpid() == sp_main_pid)
		sp_write_number(NR, before);
}

int main(int argc, char **argv)
{
	long size = sp_meminfo_kb("Hugepagesize:");
	int opt;

	sp_init(argv);
	while ((opt = getopt(argc, argv, "n:")) != -1) {
		if (opt != 'n')
			ksft_exit_fail_msg("superpage_hugetlb [-n rounds]\n");
		rounds = sp_number(optarg, 1, LONG_MAX);
	}
	if (optind < argc)
		ksft_exit_fail_msg("'%s': superpage_hugetlb [-n rounds]\n", argv[optind]);
	if (size <= 0)
		ksft_exit_skip("no hugetlbfs\n");
	before = sp_get(NR);
	atexit(give_back);
	/* One of the parent, one of the child, and one of whoever copies. */
	if (sp_write_number(NR, before + 3) || sp_get(NR) < before + 3)
		ksft_exit_skip("no three huge pages of %ld kB\n", size);
	ksft_set_plan(1);
	test_cow(size << 10);
	ksft_finished();
}
