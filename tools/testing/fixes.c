// SPDX-License-Identifier: GPL-2.0
/*
 * fixes TEST... - show bugs of Linux on ia64 that the fixes of the series mend
 *
 * Each test is an ordinary program's use of memory, without superpages.  It says what the
 * kernel did wrong, or that it was right.  The exit status is the number of bugs seen,
 * and 125 where a test could not be made.
 */

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef MAP_HUGETLB
#define MAP_HUGETLB	0x40000
#endif

#define need(ok, what) do {						\
	if (!(ok)) {							\
		fprintf(stderr, "fixes: %s: %s\n", what, strerror(errno));	\
		exit(125);						\
	}								\
} while (0)

static size_t page;

static void run_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	need(!sched_setaffinity(0, sizeof(set), &set), "no such processor");
}

static void *map(size_t len, int flags)
{
	void *p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags,
		       -1, 0);

	need(p != MAP_FAILED, "mmap");
	return p;
}

/* --- "ia64: purge the translation of the per-CPU area that was left" ----------------- */

static sigjmp_buf segv;

static void on_segv(int sig)
{
	siglongjmp(segv, sig);
}

static bool can_write(volatile char *p)
{
	if (sigsetjmp(segv, 1))
		return false;
	*p = 2;
	return true;
}

/* flush_tlb_range() of more than a terabyte is flush_tlb_all(). */
static const char *flush(void)
{
	size_t len = 2UL << 40;
	char *p = map(len, MAP_NORESERVE);
	bool written;

	run_on(0);
	signal(SIGSEGV, on_segv);
	p[0] = 1;
	p[len - page] = 1;
	need(!mprotect(p, len, PROT_READ), "mprotect");
	written = can_write(p);
	munmap(p, len);
	return written ? "memory can be written to after mprotect(PROT_READ)" : NULL;
}

/* --- "ia64: do not change the context number of an mm that others use" --------------- */

#define WRITERS	3
#define PAGES	64
#define FORKS	100

static volatile uint64_t *words;
static atomic_bool end;

/*
 * Write to all pages.  The first processor of these switches from this process to another
 * and back all the time; those that are forgotten are the others, which never do.
 */
static void *writer(void *arg)
{
	uintptr_t me = (uintptr_t)arg;
	uint64_t n = 0;
	size_t i;

	run_on(1 + me);
	while (!end) {
		n++;
		for (i = 0; i < PAGES; i++) {
			words[i * page / 8 + me] = n;
			if (!me)
				sched_yield();
		}
	}
	return NULL;
}

/* What a child has does not change. */
static int child(void)
{
	static uint64_t was[PAGES][WRITERS];
	int i, w, again;

	for (again = 0; again < 3; again++) {
		for (i = 0; i < PAGES; i++) {
			for (w = 0; w < WRITERS; w++) {
				uint64_t now = words[i * page / 8 + w];

				if (again && now != was[i][w])
					return 1;
				was[i][w] = now;
			}
		}
		usleep(200);
	}
	return 0;
}

static const char *threads(void)
{
	pthread_t thread[WRITERS];
	int i, status = 0;
	pid_t pid, other;

	run_on(0);
	words = map(PAGES * page, 0);
	memset((void *)words, 0, PAGES * page);
	other = fork();
	need(other >= 0, "fork");
	if (!other) {
		run_on(1);
		for (;;)
			sched_yield();
	}
	for (i = 0; i < WRITERS; i++)
		need(!pthread_create(&thread[i], NULL, writer, (void *)(uintptr_t)i), "thread");
	for (i = 0; i < FORKS && !status; i++) {
		pid = fork();
		need(pid >= 0, "fork");
		if (!pid)
			_exit(child());
		need(waitpid(pid, &status, 0) == pid, "waitpid");
	}
	end = true;
	for (i = 0; i < WRITERS; i++)
		pthread_join(thread[i], NULL);
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
	return status ? "a thread has written to memory of a child that was forked before" : NULL;
}

/* --- "ia64: flush the TLB when a page of hugetlbfs gets another frame" --------------- */

static volatile uint64_t *huge;
static _Atomic uint64_t turn, seen;
static atomic_bool stale;

static void *reader(void *arg)
{
	uint64_t t = 0;

	run_on(1);
	while (t < 20) {
		(void)*huge;
		if (turn == t) {
			sched_yield();
			continue;
		}
		t = turn;
		if (*huge != t)
			stale = true;
		seen = t;
	}
	return arg;
}

static void on_alarm(int sig)
{
	static const char text[] = "hugetlb: BUG: a write does not end\n";

	(void)sig;
	_exit(write(1, text, sizeof(text) - 1) > 0);
}

static size_t huge_page_size(void)
{
	FILE *f = fopen("/proc/meminfo", "r");
	char line[80];
	size_t kb = 0;

	while (f && !kb && fgets(line, sizeof(line), f))
		sscanf(line, "Hugepagesize: %zu", &kb);
	if (f)
		fclose(f);
	need(kb, "Hugepagesize");
	return kb << 10;
}

static const char *hugetlb(void)
{
	FILE *f = fopen("/proc/sys/vm/nr_hugepages", "w");
	pthread_t thread;
	pid_t pid;

	need(f && fprintf(f, "4\n") > 0 && !fclose(f), "nr_hugepages");
	huge = map(huge_page_size(), MAP_HUGETLB);
	*huge = 0;
	run_on(0);
	signal(SIGALRM, on_alarm);
	need(!pthread_create(&thread, NULL, reader, NULL), "thread");
	for (uint64_t t = 1; t <= 20; t++) {
		pid = fork();
		need(pid >= 0, "fork");
		if (!pid) {
			pause();
			_exit(0);
		}
		ualarm(100000, 0);
		*huge = t;	/* gets a frame of its own: the child has the other one */
		ualarm(0, 0);
		turn = t;
		while (seen != t)
			sched_yield();
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	pthread_join(thread, NULL);
	return stale ? "a thread reads what was there before another has written" : NULL;
}

/* --- "ia64: free the initrd only where the kernel has memory" ------------------------ */

static size_t free_memory(void)
{
	struct sysinfo info;

	need(!sysinfo(&info), "sysinfo");
	return info.freeram * info.mem_unit;
}

/*
 * With 254 MiB of memory the last 14 MiB are not a whole granule, and the initrd is there.
 * A process that uses nearly all memory gets the pages that were the initrd's.  When it
 * gives them back, the kernel finds that it has no such memory.
 */
static const char *initrd(void)
{
	static char log[1 << 18];
	FILE *f = fopen("/proc/sys/vm/min_free_kbytes", "r");
	size_t len = free_memory(), min, i;
	char *p = map(len, 0);
	int n;

	need(f && fscanf(f, "%zu", &min) == 1 && !fclose(f), "min_free_kbytes");
	for (i = 0; i < len && free_memory() > 2 * min << 10; i += page)
		p[i] = 1;
	need(!munmap(p, len), "munmap");
	n = klogctl(3 /* SYSLOG_ACTION_READ_ALL */, log, sizeof(log) - 1);
	need(n > 0, "klogctl");
	log[n] = '\0';
	return strstr(log, "BUG: Bad page") ? "pages are freed that the kernel does not have" : NULL;
}

/* --- "ia64: do not map beyond what the page tables of a region reach" ----------------- */

/* Three levels of page tables, whose first has entries for eight regions. */
static const char *limit(void)
{
	size_t entries = page / 8, end = entries / 8 * entries * entries * page - page;
	char *hint = (char *)(1UL << 61) + end - (1 << 20), *p;
	int i;

	for (i = 0; i < 2; i++) {
		p = mmap(hint, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (p != MAP_FAILED && ((uintptr_t)p & ((1UL << 61) - 1)) + (1 << 20) > end)
			return "memory is mapped where the page tables of the region do not reach";
	}
	return NULL;
}

static const struct {
	const char *name;
	const char *(*run)(void);
} tests[] = {
	{ "flush", flush },
	{ "threads", threads },
	{ "hugetlb", hugetlb },
	{ "initrd", initrd },
	{ "limit", limit },
};

#define TESTS	(sizeof(tests) / sizeof(tests[0]))

int main(int argc, char **argv)
{
	int bugs = 0, i;
	size_t t;

	page = sysconf(_SC_PAGESIZE);
	for (i = 1; i < argc; i++) {
		const char *bug;

		for (t = 0; t < TESTS && strcmp(argv[i], tests[t].name); t++)
			;
		if (t == TESTS)
			break;
		bug = tests[t].run();
		printf("%s: %s%s\n", tests[t].name, bug ? "BUG: " : "right", bug ?: "");
		fflush(stdout);
		bugs += !!bug;
	}
	if (i == 1 || i < argc) {
		fprintf(stderr, "usage: fixes TEST...: flush, threads, hugetlb, initrd, limit\n");
		return 125;
	}
	return bugs;
}
