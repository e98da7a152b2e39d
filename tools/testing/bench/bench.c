// SPDX-License-Identifier: GPL-2.0
/*
 * bench [-r] WHAT [ARGUMENT...] - do WHAT and print a line for each part of it that counts:
 *
 *	region NAME ops=N faults=N cycles=N [NAME=N...]
 *
 * operations, page faults of this process, cycles of ar.itc.  With -r such a part is also a
 * region of the simulator's -stats, in the same order.  What is done with several ARGUMENTs
 * has them in its NAME.
 *
 *	walk MIB		read one word of every page of a populated mapping
 *	matrix DIM row|col	transpose a matrix of DIM x DIM longs
 *	sparse LOOPS		write to 512 new pages, no two of them in one leaf page table
 *	contend PROCESSES	so many share 10 pages, and look at them in turn
 *	fork N			fork, exec, exit and wait
 *	mmap N			mmap and munmap of 16 pages
 *	touch N			the same, with a write to each page in between
 *	fault N			first write to a page
 *	reserve N		mmap 1 TiB that will hardly be used, touch a page, munmap
 *	big MIB			what one does with a large mapping
 *	threads N		fork and exit, while three threads use 64 MiB of the memory
 *	purge PROCESSORS	mprotect of a page, and of 1 MiB, while a thread on each of the
 *				others uses these
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define PORT_REGION	0x502
#define MIB		(1UL << 20)
#define TIB		(1UL << 40)

static int port = -1;
static unsigned long page_size;
static unsigned long faults_before, cycles_before;
static unsigned long n_faults, n_cycles;

static void die(const char *what)
{
	fprintf(stderr, "bench: %s: %s\n", what, strerror(errno));
	exit(1);
}

static unsigned long faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_minflt + usage.ru_majflt;
}

static unsigned long cycles(void)
{
	unsigned long now;

	__asm__ volatile ("mov %0 = ar.itc" : "=r"(now) : : "memory");
	return now;
}

static void mark(char value)
{
	if (port >= 0 && pwrite(port, &value, 1, PORT_REGION) != 1)
		die("/dev/port");
}

static void begin(void)
{
	faults_before = faults();
	mark(1);
	cycles_before = cycles();
}

static void stop(void)
{
	n_cycles = cycles() - cycles_before;
	mark(0);
	n_faults = faults() - faults_before;
}

/* @more: text for the end of the line, or NULL */
static void report(const char *name, unsigned long ops, const char *more)
{
	printf("region %s ops=%lu faults=%lu cycles=%lu%s%s\n", name, ops, n_faults, n_cycles,
	       more ? " " : "", more ? more : "");
	fflush(stdout);
}

static void end(const char *name, unsigned long ops, const char *more)
{
	stop();
	report(name, ops, more);
}

/* The number behind @name in a file of /proc, 0 if there is none. */
static unsigned long proc_number(const char *file, const char *name)
{
	FILE *f = fopen(file, "r");
	unsigned long number = 0;
	char line[256];

	if (!f)
		die(file);
	while (fgets(line, sizeof(line), f)) {
		if (!strncmp(line, name, strlen(name))) {
			number = strtoul(line + strlen(name), NULL, 10);
			break;
		}
	}
	fclose(f);
	return number;
}

static volatile char *map(unsigned long size, int flags)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags,
		       -1, 0);

	if (p == MAP_FAILED)
		die("mmap");
	return p;
}

static void unmap(volatile char *p, unsigned long size)
{
	if (munmap((void *)p, size))
		die("munmap");
}

static void touch(volatile char *p, unsigned long size)
{
	for (unsigned long i = 0; i < size; i += page_size)
		p[i] = 1;
}

static void walk(unsigned long mib)
{
	unsigned long size = mib * MIB;
	volatile char *p = map(size, 0);

	if (mlock((void *)p, size))
		die("mlock");
	begin();
	for (unsigned long i = 0; i < size; i += page_size)
		(void)p[i];
	end("walk", size / page_size, NULL);
	unmap(p, size);
}

static void matrix(unsigned long dim, const char *order)
{
	long *a, *b;
	unsigned long i, j, bad = 0;

	begin();
	a = malloc(dim * dim * sizeof(*a));
	b = malloc(dim * dim * sizeof(*b));
	if (!a || !b)
		die("malloc");
	for (i = 0; i < dim * dim; i++)
		b[i] = i;
	if (!strcmp(order, "row")) {
		for (i = 0; i < dim; i++)
			for (j = 0; j < dim; j++)
				a[j * dim + i] = b[i * dim + j];
	} else {
		for (j = 0; j < dim; j++)
			for (i = 0; i < dim; i++)
				a[j * dim + i] = b[i * dim + j];
	}
	end(order, dim * dim, NULL);
	for (i = 0; i < dim; i += dim / 13 + 1)
		for (j = 0; j < dim; j += dim / 17 + 1)
			bad += a[j * dim + i] != (long)(i * dim + j);
	if (bad) {
		fprintf(stderr, "bench: %lu wrong elements\n", bad);
		exit(1);
	}
	free(a);
	free(b);
}

/* As in the thesis, figure 4.1.  A leaf page table of 16 KiB maps 32 MiB. */
static void sparse(unsigned long loops)
{
	enum { AREAS = 512 };
	volatile char *area[AREAS];
	unsigned long i, leaf = page_size / 8 * page_size;
	char name[40];

	snprintf(name, sizeof(name), "sparse.%lu", loops);
	for (i = 0; i < AREAS; i++) {
		area[i] = mmap((void *)(leaf * i + page_size * i), page_size,
			       PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (area[i] == MAP_FAILED)
			die("mmap");
	}
	begin();
	for (unsigned long n = 0; n < loops; n++) {
		for (i = 0; i < AREAS; i++)
			area[i][0] = 'a';
		if (n)
			continue;
		end(name, AREAS, NULL);
		begin();
	}
	end("again", (loops - 1) * AREAS, NULL);
}

static void wait_for(pid_t pid)
{
	int status;

	if (pid < 0)
		die("fork");
	if (waitpid(pid, &status, 0) != pid)
		die("waitpid");
	if (status) {
		fprintf(stderr, "bench: child's status %#x\n", status);
		exit(1);
	}
}

/* Entries of the hash tables filled, and those of them that held another page's. */
static void vhpt_counts(unsigned long *filled, unsigned long *replaced)
{
	FILE *f = fopen("/proc/vhpt", "r");
	unsigned long cpu, n[2];
	char line[256];

	*filled = *replaced = 0;
	if (!f)
		return;
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lu %lu %lu", &cpu, &n[0], &n[1]) == 3) {
			*filled += n[0];
			*replaced += n[1];
		}
	}
	fclose(f);
}

/*
 * As in the thesis, section 4.3.3: one cache line of each of 10 pages, by more and
 * more processes.  Each gives the processor to the next after that, lest a time
 * slice has misses in its beginning only: sched_yield() does, in SCHED_FIFO.
 */
static void contend(unsigned long processes)
{
	enum { PAGES = 10, ROUNDS = 12800 };
	const struct sched_param param = { .sched_priority = 1 };
	volatile char *p = mmap(NULL, (PAGES + 1) * page_size, PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	volatile unsigned long *ready, *done;
	unsigned long filled[2], replaced[2];
	int all_done[2], leave[2];
	pid_t pid[processes];
	char name[40], more[60];

	if (p == MAP_FAILED)
		die("mmap");
	if (pipe(all_done) || pipe(leave))
		die("pipe");
	if (sched_setscheduler(0, SCHED_FIFO, &param))
		die("sched_setscheduler");
	touch(p, (PAGES + 1) * page_size);
	ready = (volatile unsigned long *)(p + PAGES * page_size);
	done = ready + 1;
	*ready = *done = 0;
	for (unsigned long i = 0; i < processes; i++) {
		pid[i] = fork();
		if (pid[i] < 0)
			die("fork");
		if (pid[i])
			continue;
		close(leave[1]);
		__atomic_fetch_add(ready, 1, __ATOMIC_SEQ_CST);
		while (*ready <= processes)
			sched_yield();
		for (unsigned long n = 0; n < ROUNDS / processes; n++) {
			for (int k = 0; k < PAGES; k++)
				(void)p[k * page_size + 128 * k];
			sched_yield();
		}
		if (__atomic_add_fetch(done, 1, __ATOMIC_SEQ_CST) == processes &&
		    write(all_done[1], "", 1) != 1)
			die("write");
		_exit(read(leave[0], more, 1));
	}
	while (*ready < processes)
		sched_yield();
	vhpt_counts(&filled[0], &replaced[0]);
	begin();
	__atomic_fetch_add(ready, 1, __ATOMIC_SEQ_CST);
	if (read(all_done[0], more, 1) != 1)
		die("read");
	stop();
	vhpt_counts(&filled[1], &replaced[1]);
	snprintf(more, sizeof(more), "filled=%lu replaced=%lu", filled[1] - filled[0],
		 replaced[1] - replaced[0]);
	snprintf(name, sizeof(name), "contend.%lu", processes);
	report(name, ROUNDS / processes * processes * PAGES, more);
	close(leave[1]);
	for (unsigned long i = 0; i < processes; i++)
		wait_for(pid[i]);
	unmap(p, (PAGES + 1) * page_size);
}

static void fork_exec(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++) {
		pid_t pid = fork();

		if (!pid) {
			execl("/proc/self/exe", "bench", "exit", NULL);
			_exit(1);
		}
		wait_for(pid);
	}
}

static void map_unmap(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		unmap(map(16 * page_size, 0), 16 * page_size);
}

static void map_touch_unmap(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++) {
		volatile char *p = map(16 * page_size, 0);

		touch(p, 16 * page_size);
		unmap(p, 16 * page_size);
	}
}

/* The first round fills caches and lists of the kernel. */
static void repeat(const char *name, void (*what)(unsigned long n), unsigned long n,
		   const char *more)
{
	what(n);
	begin();
	what(n);
	end(name, n, more);
}

static void fault(unsigned long n)
{
	for (int round = 0; round < 2; round++) {
		volatile char *p = map(n * page_size, 0);

		if (round)
			begin();
		touch(p, n * page_size);
		if (round)
			end("fault", n, NULL);
		unmap(p, n * page_size);
	}
}

static void reserve_touch_unmap(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++) {
		volatile char *p = map(TIB, MAP_NORESERVE);

		p[TIB / 2 + 5 * page_size] = 1;
		unmap(p, TIB);
	}
}

static void reserve(unsigned long n)
{
	unsigned long before = proc_number("/proc/self/status", "VmPTE:");
	volatile char *p = map(TIB, MAP_NORESERVE);
	char more[40];

	p[TIB / 2 + 5 * page_size] = 1;
	snprintf(more, sizeof(more), "tables_kb=%lu",
		 proc_number("/proc/self/status", "VmPTE:") - before);
	unmap(p, TIB);
	repeat("reserve", reserve_touch_unmap, n, more);
}

static void protect(const char *name, volatile char *p, unsigned long size, int prot)
{
	begin();
	if (mprotect((void *)p, size, prot))
		die("mprotect");
	end(name, 1, NULL);
}

/* The region has all of it: fork, the child's exit, wait. */
static void fork_exit(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		wait_for(pid);
	}
}

static volatile char *shared;
static volatile int leave;

static void *use(void *arg)
{
	unsigned long i = (unsigned long)arg;

	while (!leave) {
		shared[i % (64 * MIB)]++;
		i += page_size + 128;
	}
	return NULL;
}

/* With others running in the address space, fork() flushes the TLBs of their processors. */
static void threads(unsigned long n)
{
	pthread_t thread[3];

	shared = map(64 * MIB, 0);
	touch(shared, 64 * MIB);
	for (unsigned long i = 0; i < 3; i++) {
		errno = pthread_create(&thread[i], NULL, use, (void *)(i * 16 * MIB));
		if (errno)
			die("pthread_create");
	}
	repeat("threads", fork_exit, n, NULL);
	leave = 1;
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	unmap(shared, 64 * MIB);
}

/* Read what mprotect() never makes inaccessible, until told to leave. */
static void *look(void *arg)
{
	(void)arg;
	while (!leave)
		for (unsigned long i = 0; i < MIB; i += page_size)
			(void)shared[i];
	return NULL;
}

static void run_on(unsigned long cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity");
}

/* Often enough that a timer interrupt among them hardly shows. */
static void protect_both_ways(unsigned long size, unsigned long n, const char *what,
			      unsigned long processors)
{
	char name[40];

	begin();
	for (unsigned long i = 0; i < n; i++)
		if (mprotect((void *)shared, size, PROT_READ) ||
		    mprotect((void *)shared, size, PROT_READ | PROT_WRITE))
			die("mprotect");
	snprintf(name, sizeof(name), "%s.%lu", what, processors);
	end(name, 2 * n, NULL);
}

/*
 * Each of these mprotect() purges the TLBs of all processors.  The page is a base page, the MiB
 * a superpage where there are some; mappings of 1 MiB are aligned to it.
 */
static void purge(unsigned long processors)
{
	pthread_t thread[processors];

	for (int huge = 0; huge < 2; huge++) {
		shared = map(16 * MIB, 0);
		madvise((void *)shared, 16 * MIB, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
		touch(shared, 16 * MIB);
		leave = 0;
		for (unsigned long i = 1; i < processors; i++) {
			run_on(i);	/* inherited */
			errno = pthread_create(&thread[i], NULL, look, NULL);
			if (errno)
				die("pthread_create");
		}
		run_on(0);
		usleep(10000);
		if (huge)
			protect_both_ways(MIB, 50, "mib", processors);
		else
			protect_both_ways(page_size, 500, "page", processors);
		leave = 1;
		for (unsigned long i = 1; i < processors; i++)
			pthread_join(thread[i], NULL);
		unmap(shared, 16 * MIB);
	}
}

static void big(unsigned long mib)
{
	unsigned long size = mib * MIB;
	volatile char *p = map(size, 0);

	begin();
	touch(p, size);
	end("populate", 1, NULL);
	protect("mprotect_ro", p, size, PROT_READ);
	protect("mprotect_rw", p, size, PROT_READ | PROT_WRITE);
	begin();
	fork_exit(1);
	end("fork_big", 1, NULL);
	begin();
	touch(p, size);
	end("write_after_fork", 1, NULL);
	protect("mprotect_none", p, size, PROT_NONE);
	protect("mprotect_back", p, size, PROT_READ | PROT_WRITE);
	begin();
	unmap(p, size);
	end("munmap", 1, NULL);
}

static void usage(void)
{
	fprintf(stderr, "bench: use: bench [-r] walk MIB | matrix DIM row|col | sparse LOOPS | "
		"contend PROCESSES | fork N | mmap N | touch N | fault N | reserve N | big MIB |\n"
		"threads N | purge PROCESSORS\n");
	exit(2);
}

int main(int argc, char *argv[])
{
	const char *what;
	unsigned long n;
	char *rest;

	page_size = sysconf(_SC_PAGESIZE);
	if (argc > 1 && !strcmp(argv[1], "-r")) {
		port = open("/dev/port", O_RDWR | O_CLOEXEC);
		if (port < 0)
			die("/dev/port");
		argv++;
		argc--;
	}
	if (argc == 2 && !strcmp(argv[1], "exit"))
		return 0;
	if (argc < 3)
		usage();
	what = argv[1];
	n = strtoul(argv[2], &rest, 10);
	if (!n || *rest)
		usage();
	if (argc == 4 && !strcmp(what, "matrix") &&
	    (!strcmp(argv[3], "row") || !strcmp(argv[3], "col")))
		matrix(n, argv[3]);
	else if (argc != 3)
		usage();
	else if (!strcmp(what, "walk"))
		walk(n);
	else if (!strcmp(what, "sparse"))
		sparse(n);
	else if (!strcmp(what, "contend"))
		contend(n);
	else if (!strcmp(what, "fork"))
		repeat(what, fork_exec, n, NULL);
	else if (!strcmp(what, "mmap"))
		repeat(what, map_unmap, n, NULL);
	else if (!strcmp(what, "touch"))
		repeat(what, map_touch_unmap, n, NULL);
	else if (!strcmp(what, "fault"))
		fault(n);
	else if (!strcmp(what, "reserve"))
		reserve(n);
	else if (!strcmp(what, "big"))
		big(n);
	else if (!strcmp(what, "threads"))
		threads(n);
	else if (!strcmp(what, "purge"))
		purge(n);
	else
		usage();
	return 0;
}
