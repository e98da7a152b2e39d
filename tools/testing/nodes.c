// SPDX-License-Identifier: GPL-2.0
/*
 * nodes [MIB] - in a guest with NUMA nodes: is memory where policies want it, and in
 * superpages nevertheless?  Each test touches MIB (8) MiB of anonymous memory and asks
 * which node every page is on.  tools/ia64sim/ia64sim.rst tells how to have nodes.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/mempolicy.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SCAN_SLEEP "/sys/kernel/mm/transparent_hugepage/khugepaged/scan_sleep_millisecs"

enum { MAX_NODES = 16 };

static unsigned int node_of[MAX_NODES], nodes;	/* those with memory */
static unsigned int tests, failed;
static unsigned long page_size, pages, count[MAX_NODES];

static void die(const char *what)
{
	printf("Bail out! %s: %s\n", what, strerror(errno));
	exit(1);
}

static void report(bool ok, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void report(bool ok, const char *format, ...)
{
	va_list args;

	failed += !ok;
	printf("%sok %u ", ok ? "" : "not ", ++tests);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf(" #");
	for (unsigned int i = 0; i < nodes; i++)
		printf(" %lu", count[node_of[i]]);
	printf("\n");
}

static void set_policy(int mode, unsigned long mask)
{
	if (syscall(SYS_set_mempolicy, mode, mask ? &mask : NULL, mask ? MAX_NODES + 1 : 0))
		die("set_mempolicy");
}

static void bind_range(void *p, unsigned long n, int mode, unsigned long mask, unsigned int flags)
{
	if (syscall(SYS_mbind, p, n * page_size, mode, &mask, MAX_NODES + 1, flags))
		die("mbind");
}

static char *map(void)
{
	char *p = mmap(NULL, pages * page_size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		die("mmap");
	return p;
}

static void touch(char *p)
{
	for (unsigned long i = 0; i < pages; i++)
		p[i * page_size] = i;
}

/* Count pages by node, of the n at p. */
static void locate(char *p, unsigned long n)
{
	void *address;
	int node;

	memset(count, 0, sizeof(count));
	for (unsigned long i = 0; i < n; i++) {
		address = p + i * page_size;
		if (syscall(SYS_move_pages, 0, 1UL, &address, NULL, &node, 0))
			die("move_pages");
		if (node < 0 || node >= MAX_NODES) {
			printf("# page %lu: %s\n", i, strerror(-node));
			continue;
		}
		count[node]++;
	}
}

/* As much of a mapping is in superpages as can be; of an interleaved one, nothing. */
static void check_superpages(const char *p, bool want)
{
	unsigned long start, end, kb, sum = 0, all = pages * page_size >> 10;
	char line[256];
	bool in = false;
	FILE *f;

	if (access("/proc/superpageinfo", F_OK))
		return;
	f = fopen("/proc/self/smaps", "r");
	if (!f)
		die("smaps");
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx ", &start, &end) == 2)
			in = start < (unsigned long)p + pages * page_size &&
			     end > (unsigned long)p;
		else if (in && sscanf(line, "Superpages: %lu", &kb) == 1)
			sum += kb;
	}
	fclose(f);
	report(want ? sum >= all / 8 * 7 : !sum, "%lu kB of %lu in superpages", sum, all);
}

static void check_contents(const char *p)
{
	unsigned long i = 0;

	while (i < pages && p[i * page_size] == (char)i)
		i++;
	report(i == pages, "contents");
}

static void unmap(char *p)
{
	munmap(p, pages * page_size);
}

/* Every node of a list as in "0-1,3" */
static unsigned int read_list(const char *path, cpu_set_t *set)
{
	unsigned int first, last, n = 0;
	FILE *f = fopen(path, "r");
	char c;

	if (!f)
		die(path);
	CPU_ZERO(set);
	while (fscanf(f, "%u", &first) == 1) {
		last = first;
		c = fgetc(f);
		if (c == '-' && fscanf(f, "%u", &last) == 1)
			c = fgetc(f);
		for (; first <= last; first++, n++)
			CPU_SET(first, set);
		if (c != ',')
			break;
	}
	fclose(f);
	return n;
}

/* Go on with the processors of a node; @was gets those before.  False if it has none. */
static bool run_on_node(unsigned int node, cpu_set_t *was)
{
	cpu_set_t cpus;
	char path[64];

	sched_getaffinity(0, sizeof(*was), was);
	snprintf(path, sizeof(path), "/sys/devices/system/node/node%u/cpulist", node);
	return read_list(path, &cpus) && !sched_setaffinity(0, sizeof(cpus), &cpus);
}

static void on_node(unsigned int node, unsigned int other)
{
	unsigned int ran = ~0U;
	cpu_set_t all;
	char *p;

	if (run_on_node(node, &all)) {
		p = map();
		touch(p);
		locate(p, pages);
		syscall(SYS_getcpu, NULL, &ran, NULL);
		report(ran == node && count[node] == pages, "local to processors of node %u",
		       node);
		unmap(p);
		sched_setaffinity(0, sizeof(all), &all);
	}

	set_policy(MPOL_BIND, 1UL << node);
	p = map();
	touch(p);
	locate(p, pages);
	report(count[node] == pages, "set_mempolicy to node %u", node);
	check_superpages(p, true);
	unmap(p);

	/* What has been set aside for the first page is of no use for the others. */
	p = map();
	p[0] = 0;
	set_policy(MPOL_BIND, 1UL << other);
	touch(p);
	locate(p, pages);
	report(count[other] >= pages - 4, "all but the first pages on node %u", other);
	set_policy(MPOL_BIND, 1UL << node);
	unmap(p);

	/* A mapping's policy comes before the task's, in the part that has one. */
	p = map();
	bind_range(p + pages / 2 * page_size, pages / 2, MPOL_BIND, 1UL << other, 0);
	touch(p);
	locate(p, pages / 2);
	report(count[node] == pages / 2, "beside mbind, node %u", node);
	locate(p + pages / 2 * page_size, pages / 2);
	report(count[other] == pages / 2, "mbind to node %u", other);
	check_superpages(p, true);

	bind_range(p, pages, MPOL_BIND, 1UL << other, MPOL_MF_MOVE);
	locate(p, pages);
	report(count[other] == pages, "moved to node %u", other);
	check_contents(p);
	unmap(p);
	set_policy(MPOL_DEFAULT, 0);
}

/* Free memory of a node, or what is set aside there, in KiB. */
static unsigned long free_on(unsigned int node, bool aside)
{
	unsigned long n, sum = 0;
	char line[256];
	unsigned int in = ~0U;
	FILE *f;

	f = fopen("/proc/zoneinfo", "r");
	if (!f)
		die("/proc/zoneinfo");
	while (fgets(line, sizeof(line), f)) {
		sscanf(line, "Node %u, zone", &in);
		if (in == node &&
		    sscanf(line, aside ? " nr_superpage_reserved %lu" : " nr_free_pages %lu",
			   &n) == 1)
			sum += n;
	}
	fclose(f);
	return sum * (page_size >> 10);
}

/*
 * Some pages here and there have most of a node set aside.  Who wants base pages of that
 * node is given them nevertheless, and not those of another.
 */
static void beside_what_is_aside(unsigned int node)
{
	unsigned long most = free_on(node, false) << 10, was = pages, i, aside;
	cpu_set_t all;
	char *p, *q;

	if (access("/proc/superpageinfo", F_OK) || !run_on_node(node, &all))
		return;
	p = mmap(NULL, most, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		die("mmap");
	/* An eighth of each MiB, or the next would get less. */
	for (i = 0; i < most; i += 1 << 19)
		p[i] = 1;
	aside = free_on(node, true);
	/* Three quarters of what there was, less than half of which is free now. */
	pages = most / 4 * 3 / page_size;
	q = map();
	if (madvise(q, pages * page_size, MADV_NOHUGEPAGE))
		die("MADV_NOHUGEPAGE");
	touch(q);
	locate(q, pages);
	report(aside > most / 2 >> 10, "%lu kB of %lu are set aside on node %u", aside,
	       most >> 10, node);
	report(count[node] >= pages / 100 * 99, "base pages of node %u", node);
	check_contents(q);
	unmap(q);
	munmap(p, most);
	pages = was;
	sched_setaffinity(0, sizeof(all), &all);
}

/* As many pages on each node as on others, or nearly so. */
static void check_even(char *p, const char *when)
{
	bool even = true;

	locate(p, pages);
	for (unsigned int i = 0; i < nodes; i++)
		even = even && count[node_of[i]] >= pages / nodes / 2;
	report(even, "interleaved, %s", when);
}

/* Let khugepaged do what it would do in some minutes. */
static void wait_for_khugepaged(void)
{
	FILE *f = fopen(SCAN_SLEEP, "r+");
	unsigned int was;

	if (!f)
		return;
	if (fscanf(f, "%u", &was) != 1)
		die(SCAN_SLEEP);
	rewind(f);
	fprintf(f, "100\n");
	fflush(f);
	sleep(5);
	rewind(f);
	fprintf(f, "%u\n", was);
	fclose(f);
}

int main(int argc, char **argv)
{
	unsigned long mask = 0;
	cpu_set_t memory;
	char *p;

	page_size = sysconf(_SC_PAGESIZE);
	pages = (argc > 1 ? strtoul(argv[1], NULL, 0) : 8) * ((1 << 20) / page_size);
	read_list("/sys/devices/system/node/has_memory", &memory);
	for (unsigned int i = 0; i < MAX_NODES; i++) {
		if (CPU_ISSET(i, &memory)) {
			node_of[nodes++] = i;
			mask |= 1UL << i;
		}
	}
	if (nodes < 2 || !pages) {
		printf("1..0 # SKIP %u nodes with memory\n", nodes);
		return 4;
	}
	for (unsigned int i = 0; i < nodes; i++)
		on_node(node_of[i], node_of[(i + 1) % nodes]);
	for (unsigned int i = 0; i < nodes; i++)
		beside_what_is_aside(node_of[i]);

	set_policy(MPOL_INTERLEAVE, mask);
	p = map();
	touch(p);
	check_even(p, "at once");
	check_superpages(p, false);
	wait_for_khugepaged();
	check_even(p, "later");
	check_superpages(p, false);
	check_contents(p);
	unmap(p);
	printf("1..%u\n", tests);
	return failed != 0;
}
