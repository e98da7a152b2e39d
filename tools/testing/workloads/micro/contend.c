// SPDX-License-Identifier: GPL-2.0
/*
 * contend PROCESSES - read one cache line of each of 10 pages by one process, then by two in turn,
 * and so on up to PROCESSES, as section 4.3.3 of the thesis does
 *
 * The processes share the pages.  After each time a process gives the processor to the next, lest a
 * time slice has misses in its beginning only: sched_yield() does, in SCHED_FIFO.
 */
#include <sched.h>
#include <sys/wait.h>

#include "micro.h"

enum { PAGES = 10, READS = 12800, MAX_PROCESSES = 512 };

static uint64_t page_size;
static volatile uint64_t *words;	/* the pages, and a page with the next two */
static uint64_t *ready, *done;

static void check(int bad, const char *what)
{
	if (bad)
		die(what);
}

/* Each page has its line in another set of the cache. */
static volatile uint64_t *word(int page)
{
	return words + (page * page_size + 128 * page) / sizeof(*words);
}

static void read_in_turn(uint64_t processes, int all_done)
{
	uint64_t sum = 0, times = READS / processes, n;

	__atomic_fetch_add(ready, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(ready, __ATOMIC_SEQ_CST) <= processes)
		sched_yield();
	for (n = 0; n < times; n++) {
		for (int page = 0; page < PAGES; page++)
			sum += *word(page);
		sched_yield();
	}
	check(__atomic_add_fetch(done, 1, __ATOMIC_SEQ_CST) == processes &&
	      write(all_done, "", 1) != 1, "write");
	if (sum != times * PAGES * (PAGES + 1) / 2) {
		fputs("contend: a process has read something else\n", stderr);
		exit(1);
	}
}

static void contend(uint64_t processes)
{
	int all_done[2], leave[2], status;
	pid_t pid[MAX_PROCESSES];
	char name[40], c;
	uint64_t i;

	check(pipe(all_done) || pipe(leave), "pipe");
	*ready = *done = 0;
	for (i = 0; i < processes; i++) {
		pid[i] = fork();
		check(pid[i] < 0, "fork");
		if (!pid[i]) {
			close(leave[1]);
			read_in_turn(processes, all_done[1]);
			/* An exit would take time that is measured. */
			_exit(read(leave[0], &c, 1));
		}
	}
	while (__atomic_load_n(ready, __ATOMIC_SEQ_CST) < processes)
		sched_yield();
	begin_region();
	__atomic_fetch_add(ready, 1, __ATOMIC_SEQ_CST);
	check(read(all_done[0], &c, 1) != 1, "read");
	snprintf(name, sizeof(name), "contend.%llu", (unsigned long long)processes);
	end(name, READS / processes * processes * PAGES);
	close(leave[1]);
	for (i = 0; i < processes; i++) {
		check(waitpid(pid[i], &status, 0) != pid[i], "waitpid");
		if (status)
			exit(1);
	}
	close(leave[0]);
	close(all_done[0]);
	close(all_done[1]);
}

int main(int argc, char **argv)
{
	const struct sched_param param = { .sched_priority = 1 };
	uint64_t most = number(argc == 2 ? argv[1] : NULL, 1, MAX_PROCESSES, "PROCESSES"), n;

	page_size = sysconf(_SC_PAGESIZE);
	words = mmap(NULL, (PAGES + 1) * page_size, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	check(words == MAP_FAILED, "mmap");
	ready = (uint64_t *)words + PAGES * page_size / sizeof(*words);
	done = ready + 1;
	for (int page = 0; page < PAGES; page++)
		*word(page) = page + 1;
	check(sched_setscheduler(0, SCHED_FIFO, &param), "sched_setscheduler");
	for (n = 1; n <= most; n *= 2)
		contend(n);
	printf("contend %llu processes: right\n", (unsigned long long)most);
	return 0;
}
