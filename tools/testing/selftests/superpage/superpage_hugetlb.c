// SPDX-License-Identifier: GPL-2.0
/*
 * Huge pages of hugetlbfs have PTEs, page sizes and a region of their own, but share the
 * TLB.  When copy on write gives one another frame, all threads of the process have to
 * see that at once.  The old frame belongs to somebody else by then.
 */
#include <getopt.h>
#include <pthread.h>

#include "superpage.h"

#ifndef MAP_HUGETLB
#define MAP_HUGETLB	0x40000
#endif

#define NR	"/proc/sys/vm/nr_hugepages"

static unsigned long rounds = 50;
static unsigned long before;		/* number of huge pages at the beginning */
static uint64_t *word;			/* in a huge page */
static uint64_t turn, seen;

/* A thread that has the translation in its TLB all the time. */
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
			/* Keep the page shared until the parent has its own copy. */
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

/*
 * Have the kernel free a leaf table of huge pages.  A processor that still has it in the TLB, as
 * a page of the virtual page table, would read whatever is there next: here leaf tables of base
 * pages, whose first PTE is where that of the huge page was.  The kernel scales addresses of huge
 * pages while it frees their tables.  So the range that it purges is not where the walker has
 * looked, except near the beginning of the region.
 */
static void test_table(size_t size)
{
	enum { TABLES = 8, NEXT = 128 };
	size_t entries = page_size / 8, span = entries * page_size, i, n;
	/* There are three levels of page tables, and the first has entries for eight regions. */
	size_t limit = entries / 8 * entries * span;
	char *huge[TABLES], *p;
	uint64_t value;
	void *at;

	p = sp_map_prot(NEXT * span, span, PROT_READ | PROT_WRITE, MAP_NORESERVE);
	madvise(p, NEXT * span, MADV_NOHUGEPAGE);
	for (i = 0; i < TABLES && ((i + 1) * entries + 1) * size < limit; i++) {
		huge[i] = (char *)(4UL << 61) + (i + 1) * entries * size;
		at = mmap(huge[i], size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS |
			  MAP_HUGETLB | MAP_NORESERVE | MAP_FIXED, -1, 0);
		sp_need(at == huge[i], "mmap at %p", huge[i]);
		/* The first access makes the table, the second reads it; no huge page is needed. */
		sp_load(huge[i], &value);
		sp_load(huge[i], &value);
	}
	n = i;
	/* With 4 KiB pages the region ends before the second table of 256 MiB pages. */
	if (!n) {
		munmap(p, NEXT * span);
		ksft_test_result_skip("no room for a table of huge pages of %zu kB\n", size >> 10);
		return;
	}
	ksft_print_msg("%zu tables\n", n);
	for (i = 0; i < n; i++)
		munmap(huge[i], size);
	/* Make new tables, whose PTEs map the zero page; no TLB has translations of these. */
	for (i = 0; i < NEXT; i++)
		sp_expect(!madvise(p + i * span, page_size, MADV_POPULATE_READ), "madvise: %s",
			  strerror(errno));
	for (i = 0; i < n; i++)
		if (sp_load(huge[i], &value))
			sp_expect(false, "%#lx is read at %p, where nothing is mapped",
				  (unsigned long)value, huge[i]);
	munmap(p, NEXT * span);
	sp_result("the table of a huge page is freed");
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
	sp_catch_faults();
	ksft_set_plan(2);
	test_table(size << 10);
	/* One huge page each for the parent, the child and the copy. */
	if (sp_write_number(NR, before + 3) || sp_get(NR) < before + 3)
		ksft_test_result_skip("no three huge pages of %ld kB\n", size);
	else
		test_cow(size << 10);
	ksft_finished();
}
