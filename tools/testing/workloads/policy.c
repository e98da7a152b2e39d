// SPDX-License-Identifier: GPL-2.0
/*
 * policy - print how much memory and how many page faults and superpages programs get for what
 * they do
 *
 * Prints a line for each kind of access.  A child of its own makes each of them, so that none
 * finds what another has left.  The longest access is in ticks of the interval time counter,
 * which counts instructions in the simulator.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define KB	1024UL
#define MB	(1024 * KB)

static size_t page;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static char *map(size_t len, int flags)
{
	/* Align the mapping to its size, wherever the kernel would put it. */
	char *p = mmap(NULL, 2 * len, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		       -1, 0);

	if (p == MAP_FAILED)
		die("mmap");
	p = (char *)(((uintptr_t)p + len - 1) & -len);
	if (mmap(p, len, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | flags, -1, 0) == MAP_FAILED)
		die("mmap");
	return p;
}

/* The number behind @name in a file, or -1. */
static long number(const char *path, const char *name)
{
	size_t len = strlen(name);
	long n = -1;
	char line[200];
	FILE *f = fopen(path, "r");

	if (!f)
		die(path);
	while (n < 0 && fgets(line, sizeof(line), f))
		if (!strncmp(line, name, len))
			n = atol(line + len);
	fclose(f);
	return n;
}

/* The sum of a field of smaps over [p, p + len), in KiB. */
static long smaps(const char *p, size_t len, const char *name)
{
	size_t length = strlen(name);
	unsigned long start, end;
	char line[400];
	bool in = false;
	long sum = 0;
	FILE *f = fopen("/proc/self/smaps", "r");

	if (!f)
		die("smaps");
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx ", &start, &end) == 2)
			in = start < (uintptr_t)p + len && end > (uintptr_t)p;
		else if (in && !strncmp(line, name, length))
			sum += atol(line + length);
	}
	fclose(f);
	return sum;
}

static long superpages(const char *p, size_t len)
{
	return smaps(p, len, "Superpages:");
}

/* The size of the largest superpage in [p, p + len), in KiB. */
static long largest(const char *p, size_t len)
{
	char name[40];

	for (long kb = 16 * MB; kb; kb /= 4) {
		snprintf(name, sizeof(name), "Superpages%ldkB:", kb);
		if (smaps(p, len, name))
			return kb;
	}
	return 0;
}

static long faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_minflt;
}

static uint64_t ticks(void)
{
#ifdef __ia64__
	uint64_t now;

	asm volatile("mov %0=ar.itc" : "=r" (now));
	return now;
#else
	return 0;
#endif
}

static uint64_t longest;

static void touch(volatile char *p)
{
	uint64_t before = ticks();

	*p = 1;
	before = ticks() - before;
	if (before > longest)
		longest = before;
}

static void one_byte(void)
{
	char *p = map(2048 * MB, 0);

	touch(p + 1000 * MB);
	printf("resident_kb=%ld longest=%lu\n", smaps(p, 2048 * MB, "Rss:"),
	       (unsigned long)longest);
}

static void each_mib(void)
{
	char *p = map(1024 * MB, 0);

	for (size_t i = 0; i < 1024 * MB; i += MB)
		touch(p + i);
	printf("resident_kb=%ld longest=%lu\n", smaps(p, 1024 * MB, "Rss:"),
	       (unsigned long)longest);
}

static void front_to_back(void)
{
	char *p = map(1024 * MB, 0);
	long before = faults();

	for (size_t i = 0; i < 1024 * MB; i += page)
		touch(p + i);
	before = faults() - before;
	printf("faults=%ld largest_kb=%ld superpages_kb=%ld longest=%lu\n", before,
	       largest(p, 1024 * MB), superpages(p, 1024 * MB), (unsigned long)longest);
}

static char *populated(size_t len)
{
	char *p = map(len, MAP_POPULATE);

	for (size_t i = 0; i < len; i += page)
		p[i] = 1;
	return p;
}

static void protect_one(void)
{
	size_t len = 256 * MB;
	char *p = populated(len);
	long had = superpages(p, len), one;

	if (mprotect(p + 100 * MB, page, PROT_READ))
		die("mprotect");
	one = superpages(p, len);
	if (mprotect(p + 100 * MB, page, PROT_READ | PROT_WRITE))
		die("mprotect");
	printf("superpages_kb=%ld one_changed=%ld changed_back=%ld\n", had, one,
	       superpages(p, len));
}

static void look_at_age(void)
{
	size_t len = 256 * MB;
	char *p = populated(len);
	long had = superpages(p, len), looked;
	int fd = open("/proc/self/clear_refs", O_WRONLY);

	if (fd < 0 || write(fd, "1", 1) != 1)
		die("clear_refs");
	looked = superpages(p, len);
	for (size_t i = 0; i < len; i += MB)
		*(volatile char *)(p + i);
	printf("superpages_kb=%ld looked=%ld referenced_kb=%ld\n", had, looked,
	       smaps(p, len, "Referenced:"));
}

static void fork_and_write(void)
{
	size_t len = 256 * MB;
	char *p = populated(len);
	long had = superpages(p, len), one;
	pid_t child = fork();

	if (!child)
		for (;;)
			pause();
	p[100 * MB] = 2;
	one = superpages(p, len);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	p[101 * MB] = 2;
	printf("superpages_kb=%ld one_written=%ld child_gone=%ld\n", had, one,
	       superpages(p, len));
}

static void free_and_write(void)
{
	size_t len = 64 * MB;
	char *p = populated(len);

	if (madvise(p, len, MADV_FREE))
		die("MADV_FREE");
	p[10 * MB] = 2;
	printf("dirty_kb=%ld\n", (long)(len / KB) - smaps(p, len, "LazyFree:"));
}

static void heap(void)
{
	size_t len = 64 * MB, step = 16 * KB < page ? page : 16 * KB;
	char *p = sbrk(0);

	for (size_t i = 0; i < len; i += step) {
		if (sbrk(step) == (void *)-1)
			die("sbrk");
		for (size_t j = 0; j < step; j += page)
			touch(p + i + j);
	}
	printf("of_kb=%lu superpages_kb=%ld\n", len / KB, superpages(p, len));
}

static void *allocate(void *arg)
{
	char **range = arg, *p;

	for (size_t i = 0; i < 32 * MB / 1000; i++) {
		p = malloc(1000);
		if (!p)
			die("malloc");
		memset(p, 1, 1000);
		if (!i)
			range[0] = p;
		range[1] = p;
	}
	return NULL;
}

static void thread(void)
{
	pthread_t thread;
	char *range[2];

	if (pthread_create(&thread, NULL, allocate, range))
		die("pthread_create");
	pthread_join(thread, NULL);
	printf("of_kb=%lu superpages_kb=%ld\n", (range[1] - range[0]) / KB,
	       superpages(range[0], range[1] - range[0]));
}

static void many_mappings(void)
{
	unsigned int i, vmas = 0;
	char line[400];
	FILE *f;

	for (i = 0; i < 70000; i++)
		if (mmap(NULL, 80 * KB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			 -1, 0) == MAP_FAILED)
			break;
	f = fopen("/proc/self/maps", "r");
	while (f && fgets(line, sizeof(line), f))
		vmas++;
	printf("mappings=%u vmas=%u\n", i, vmas);
}

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		die(path);
	close(fd);
}

static void group_of(const char *which, const char *limit)
{
	char path[80];

	mkdir("/tmp/group", 0755);
	mount("none", "/tmp/group", "cgroup2", 0, NULL);
	put("/tmp/group/cgroup.subtree_control", "+memory");
	mkdir("/tmp/group/policy", 0755);
	snprintf(path, sizeof(path), "/tmp/group/policy/%s", which);
	put(path, limit);
	put("/tmp/group/policy/cgroup.procs", "0");
}

static void above(const char *which)
{
	char *p = map(1024 * MB, 0);
	long peak;

	group_of(which, "8M");
	touch(p + 500 * MB);
	peak = number("/tmp/group/policy/memory.peak", "");
	printf("peak_kb=%ld longest=%lu\n", peak / (long)KB, (unsigned long)longest);
}

static void memory_high(void)
{
	above("memory.high");
}

static void memory_max(void)
{
	above("memory.max");
}

static const struct {
	const char *name;
	void (*run)(void);
} row[] = {
	{ "one_byte_of_2_GiB", one_byte },
	{ "a_byte_of_each_MiB_of_1_GiB", each_mib },
	{ "1_GiB_front_to_back", front_to_back },
	{ "mprotect_of_a_page_of_256_MiB", protect_one },
	{ "clear_refs_of_256_MiB", look_at_age },
	{ "write_after_fork_to_256_MiB", fork_and_write },
	{ "write_after_MADV_FREE_of_64_MiB", free_and_write },
	{ "heap_by_steps_of_16_KiB", heap },
	{ "malloc_in_a_thread", thread },
	{ "70000_mappings_of_80_KiB", many_mappings },
	{ "touch_with_memory.high_of_8_MiB", memory_high },
	{ "touch_with_memory.max_of_8_MiB", memory_max },
};

int main(void)
{
	int status, failed = 0;

	page = sysconf(_SC_PAGESIZE);
	setlinebuf(stdout);
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		pid_t child = fork();

		if (child < 0)
			die("fork");
		if (!child) {
			printf("%s ", row[i].name);
			row[i].run();
			exit(0);
		}
		waitpid(child, &status, 0);
		rmdir("/tmp/group/policy");
		if (status) {
			printf("failed: status %#x\n", status);
			failed = 1;
		}
	}
	return failed;
}
