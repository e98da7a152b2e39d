// SPDX-License-Identifier: GPL-2.0
/*
 * What programs get without asking: how much memory a touch takes, how many page faults
 * a walk takes, and how large the superpages become.  The bounds for each pattern are
 * those of Documentation/admin-guide/mm/superpage.rst.
 */
#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "superpage.h"

#define MB		(1024 * 1024UL)
#define UNIT		(4 * page_size)		/* what a page fault maps if it knows nothing */

#define FAULT_MAX	"/proc/sys/vm/superpage_fault_max"
#define AUTO_MIN	"/proc/sys/vm/superpage_auto_min"
#define SIZE_FILE	"/sys/kernel/mm/transparent_hugepage/hugepages-%zukB/stats/%s"

static size_t fault_max;		/* the most that a page fault maps */
static unsigned long old_max, old_auto;	/* FAULT_MAX and AUTO_MIN; 0 if there are none */

/* --- counting ------------------------------------------------------------------------------ */

static size_t resident(void *p, size_t len)
{
	return sp_range_field("Rss:", p, len);
}

static long faults(void)
{
	struct rusage ru;

	getrusage(RUSAGE_SELF, &ru);
	return ru.ru_minflt;
}

/* Read the interval time counter, which counts instructions in the simulator. */
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

static void touch(char *p)
{
	uint64_t began = ticks(), first = READ_ONCE(*(uint64_t *)p), took;

	WRITE_ONCE(*(uint64_t *)p, (uintptr_t)p);
	took = ticks() - began;
	if (took > longest)
		longest = took;
	sp_expect(!first, "fresh memory is not zero");
}

/* Print how much each size has, in a line. */
static void print_sizes(void *p, size_t len)
{
	char text[300] = "";
	size_t i, n = 0, size, in;

	for (i = 0; i < sp_orders; i++) {
		size = page_size << sp_order[i];
		in = sp_in_superpages(p, len, size) - sp_in_superpages(p, len, size + 1);
		if (in)
			n += snprintf(text + n, sizeof(text) - n, ", %zu kB of %zu", in >> 10,
				      size >> 10);
	}
	ksft_print_msg("superpages%s\n", n ? text + 1 : ": none");
}

static bool enough_memory(size_t bytes)
{
	return (size_t)sp_meminfo_kb("MemFree:") << 10 > bytes;
}

/* --- patterns ------------------------------------------------------------------------------ */

/* Functions like this return the @i-th of @n pages to touch, out of @pages. */
static size_t at_stride(size_t i, size_t n, size_t pages, unsigned int stride)
{
	(void)n;
	(void)pages;
	return i * stride;
}

static size_t at_back(size_t i, size_t n, size_t pages, unsigned int stride)
{
	(void)n;
	(void)stride;
	return pages - 1 - i;
}

static size_t at_streams(size_t i, size_t n, size_t pages, unsigned int stride)
{
	(void)n;
	(void)stride;
	return i / 2 + i % 2 * (pages / 2);
}

static size_t at_random(size_t i, size_t n, size_t pages, unsigned int stride)
{
	(void)i;
	(void)n;
	(void)stride;
	return sp_random_below(pages);
}

/*
 * A pattern touches a part of the pages.  Apart from one unit, the resident memory is at most
 * @worst times as large as the touched memory at any moment, and @end times in the end.
 */
static const struct pattern {
	const char *name;
	size_t (*at)(size_t i, size_t n, size_t pages, unsigned int stride);
	unsigned int stride;
	double part, worst, end;
} patterns[] = {
	{ "front to back", at_stride, 1, 1, 2, 1 },
	{ "back to front", at_back, 1, 1, 2, 1 },
	{ "two streams", at_streams, 1, 1, 2.5, 1 },
	{ "every second page", at_stride, 2, 1. / 2, 4, 2 },
	{ "every third page", at_stride, 3, 1. / 3, 6, 3 },
	{ "every fourth page", at_stride, 4, 1. / 4, 8, 4 },
	{ "every fifth page", at_stride, 5, 1. / 5, 10, 5 },
	{ "every sixth page", at_stride, 6, 1. / 6, 4, 4 },
	{ "every eighth page", at_stride, 8, 1. / 8, 4, 4 },
	{ "each 64th page", at_stride, 64, 1. / 64, 4, 4 },
	{ "1 percent at random", at_random, 1, .01, 4, 4 },
	{ "10 percent at random", at_random, 1, .1, 4, 4 },
	{ "50 percent at random", at_random, 1, .5, 4, 2.6 },
};

static void test_pattern(const struct pattern *pattern)
{
	size_t len = enough_memory(2048 * MB) ? 1024 * MB : 128 * MB;
	size_t pages = len / page_size, n = pages * pattern->part, i, page;
	size_t touched = 0, rss, worst_at = 0, step;
	size_t large = len >= 1024 * MB ? 256 * MB : 16 * MB;
	long streams = pattern->at == at_streams ? 2 : 1;
	double worst = 0, factor;
	uint8_t *seen = sp_map_plain(pages);
	long walk = 0, began;
	char *p;

	if (large > sp_most_aside())
		large = sp_most_aside();
	if (!enough_memory(2 * len)) {
		ksft_test_result_skip("%s: not enough memory\n", pattern->name);
		munmap(seen, pages);
		return;
	}
	p = sp_map(len, len);
	sp_permit(sp_all_orders());
	sp_rng = 1;
	longest = 0;
	began = faults();
	step = n / 8;
	for (i = 0; i < n; i++) {
		page = pattern->at(i, n, pages, pattern->stride);
		if (!seen[page]) {
			seen[page] = 1;
			touched += page_size;
			touch(p + page * page_size);
		}
		/* resident() takes long, and the beginning is the most interesting. */
		if (i > 64 && i % step)
			continue;
		/* resident() has page faults of its own, on stack, heap and code. */
		walk += faults() - began;
		rss = resident(p, len);
		began = faults();
		factor = (double)(rss > UNIT ? rss - UNIT : 0) / touched;
		if (factor > worst) {
			worst = factor;
			worst_at = touched;
		}
	}
	walk += faults() - began;
	sp_permit(0);
	rss = resident(p, len);
	ksft_print_msg("%s of %zu MB: %zu kB touched, %.2f times resident, %.2f at worst\n",
		       pattern->name, len / MB, touched >> 10, (double)rss / touched, worst);
	ksft_print_msg("%ld page faults, %lu ticks at most\n", walk, (unsigned long)longest);
	print_sizes(p, len);
	if (sp_kernel) {
		sp_expect(worst <= pattern->worst, "%.2f times resident after %zu kB", worst,
			  worst_at >> 10);
		sp_expect(rss <= pattern->end * touched + UNIT, "%.2f times resident in the end",
			  (double)rss / touched);
		/* About 3 page faults for each smaller size, then one for each fault_max. */
		if (pattern->end == 1)
			sp_expect(walk <= (long)(len / fault_max) + streams * 16,
				  "%ld page faults", walk);
		if (pattern->at == at_stride && pattern->stride == 1)
			sp_expect(sp_in_superpages(p, len, large) >= len / 10 * 9,
				  "%zu kB in the largest superpages",
				  sp_in_superpages(p, len, large) >> 10);
	}
	for (i = 0; i < pages; i++)
		if (seen[i] && READ_ONCE(*(uint64_t *)(p + i * page_size)) !=
		    (uintptr_t)(p + i * page_size))
			sp_expect(false, "page %zu differs", i);
	munmap(p, len);
	munmap(seen, pages);
	sp_result("%s", pattern->name);
}

/* --- one touch, and touches far apart ------------------------------------------------------ */

static void test_one_byte(void)
{
	size_t len = 2048 * MB;
	char *p = sp_map_prot(len, MB, PROT_READ | PROT_WRITE, MAP_NORESERVE);
	int write;

	sp_permit(sp_all_orders());
	for (write = 0; write < 2; write++) {
		char *at = p + len / 4 * (1 + write) + 5 * page_size;

		if (write)
			WRITE_ONCE(*at, 1);
		else
			sp_expect(!READ_ONCE(*at), "it is not zero");
		sp_expect(resident(p, len) <= (1 + write) * UNIT, "%zu kB are resident after a %s",
			  resident(p, len) >> 10, write ? "write" : "read");
	}
	sp_permit(0);
	munmap(p, len);
	sp_result("one byte of 2 GiB");
}

/* Map three units between holes: too few for a reservation. */
static char *map_small(void)
{
	char *p = sp_map(5 * UNIT, 4 * UNIT);

	munmap(p, UNIT);
	munmap(p + 4 * UNIT, UNIT);
	return p + UNIT;
}

static void test_small(void)
{
	char *p;

	if (!old_auto) {
		ksft_test_result_skip("no vm.superpage_auto_min\n");
		return;
	}
	sp_need(!sp_write_number(AUTO_MIN, 4 * UNIT), "cannot set " AUTO_MIN);
	sp_permit(sp_all_orders());
	p = map_small();
	touch(p + UNIT);
	sp_expect(resident(p, 3 * UNIT) == page_size, "a touch maps %zu kB",
		  resident(p, 3 * UNIT) >> 10);
	touch(p + 2 * UNIT + page_size);
	sp_expect(resident(p, 3 * UNIT) == 2 * page_size, "two touches map %zu kB",
		  resident(p, 3 * UNIT) >> 10);
	/* Walk backwards. */
	touch(p + UNIT - page_size);
	sp_expect(resident(p, 3 * UNIT) == 2 * page_size + UNIT, "a walk maps %zu kB",
		  resident(p, 3 * UNIT) >> 10);
	sp_expect(!sp_in_superpages(p, 3 * UNIT, 0), "superpages");
	munmap(p, 3 * UNIT);

	/* Let units become superpages. */
	sp_need(!sp_write_number(AUTO_MIN, UNIT), "cannot set " AUTO_MIN);
	p = map_small();
	touch(p + UNIT);
	if (sp_kernel)
		sp_expect(sp_in_superpages(p, 3 * UNIT, UNIT) == UNIT, "no superpage");
	munmap(p, 3 * UNIT);
	sp_permit(0);
	sp_write_number(AUTO_MIN, old_auto);
	sp_result("a small mapping");
}

/* The most that one page fault maps is vm.superpage_fault_max. */
static void test_fault_max(void)
{
	size_t len = 64 * MB, i, rss, last = 0, largest = 0, max;
	size_t maxes[] = { page_size, UNIT, MB, 4 * MB };
	unsigned int k;
	char *p;

	if (!old_max) {
		ksft_test_result_skip("no vm.superpage_fault_max\n");
		return;
	}
	for (k = 0; k < ARRAY_SIZE(maxes); k++) {
		max = maxes[k];
		sp_need(!sp_write_number(FAULT_MAX, max), "cannot set " FAULT_MAX);
		p = sp_map(len, len);
		sp_permit(sp_all_orders());
		last = 0;
		largest = 0;
		for (i = 0; i < len / (k ? 1 : 8); i += page_size) {
			WRITE_ONCE(p[i], 1);
			if (i < last)
				continue;
			rss = resident(p, len);
			if (rss - last > largest)
				largest = rss - last;
			last = rss;
		}
		sp_expect(largest == max, "a page fault maps %zu kB, not %zu", largest >> 10,
			  max >> 10);
		sp_permit(0);
		munmap(p, len);
	}
	sp_write_number(FAULT_MAX, old_max);
	sp_result("the most that one page fault maps");
}

/* --- heaps --------------------------------------------------------------------------------- */

static void test_brk(void)
{
	size_t len = 64 * MB, i, in;
	char *start;

	sbrk(-(uintptr_t)sbrk(0) & (page_size - 1));
	start = sbrk(0);
	sp_permit(sp_all_orders());
	for (i = 0; i < len; i += page_size) {
		sp_need(sbrk(page_size) == start + i, "sbrk");
		touch(start + i);
	}
	for (i = 0; i < len; i += page_size)
		if (READ_ONCE(*(uint64_t *)(start + i)) != (uintptr_t)(start + i))
			sp_expect(false, "page %zu differs", i / page_size);
	in = sp_in_superpages(start, len, 0);
	ksft_print_msg("%zu kB of %zu in superpages, %zu kB in those of 1 MiB or more\n", in >> 10,
		       len >> 10, sp_in_superpages(start, len, MB) >> 10);
	if (sp_kernel)
		sp_expect(in >= 60 * MB, "%zu kB in superpages", in >> 10);
	sp_expect(resident(start, len) <= len + MB, "%zu kB are resident",
		  resident(start, len) >> 10);
	sbrk(-len);
	sp_permit(0);
	sp_result("a heap that grows by the page");
}

/* Like glibc for a thread: reserve 64 MiB, and make a little more of it usable each time. */
static void test_arena(void)
{
	size_t len = 64 * MB, have = 0, in;
	char *p = sp_map_prot(len, len, PROT_NONE, MAP_NORESERVE);

	sp_permit(sp_all_orders());
	while (have < len) {
		size_t more = len - have < 132 << 10 ? len - have : (132 << 10) & -page_size;

		sp_need(!mprotect(p + have, more, PROT_READ | PROT_WRITE), "mprotect");
		for (; more; more -= page_size, have += page_size)
			touch(p + have);
	}
	in = sp_in_superpages(p, len, 0);
	ksft_print_msg("%zu kB of %zu in superpages, %zu kB in those of 1 MiB or more\n", in >> 10,
		       len >> 10, sp_in_superpages(p, len, MB) >> 10);
	if (sp_kernel)
		sp_expect(in >= len / 20 * 19, "%zu kB of %zu in superpages", in >> 10, len >> 10);
	sp_permit(0);
	munmap(p, len);
	sp_result("an arena that grows by mprotect()");
}

static void *allocate(void *arg)
{
	size_t n = 32 * MB / 1000, i;
	char **first = arg, *last = NULL;

	for (i = 0; i < n; i++) {
		char *p = malloc(1000);

		sp_need(p, "malloc");
		memset(p, 1, 1000);
		if (!i)
			first[0] = p;
		last = p;
	}
	first[1] = last;
	return NULL;
}

static void test_thread(void)
{
	pthread_t thread;
	char *range[2];
	size_t len, in;

	sp_permit(sp_all_orders());
	sp_need(!pthread_create(&thread, NULL, allocate, range), "no thread");
	pthread_join(thread, NULL);
	sp_permit(0);
	len = range[1] - range[0];
	in = sp_in_superpages(range[0], len, 0);
	ksft_print_msg("%zu kB of %zu in superpages\n", in >> 10, len >> 10);
	if (sp_kernel)
		sp_expect(in >= len / 20 * 19, "%zu kB of %zu in superpages", in >> 10, len >> 10);
	sp_result("malloc() in a thread");
}

/* --- all at once --------------------------------------------------------------------------- */

static void test_populate(void)
{
	size_t len = 16 * MB, size = page_size << sp_order[0];
	unsigned int i;
	char *p;

	for (i = 0; i < sp_orders; i++)
		if (page_size << sp_order[i] <= 4 * MB)
			size = page_size << sp_order[i];

	sp_permit(sp_all_orders());
	p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1,
		 0);
	sp_need(p != MAP_FAILED, "mmap");
	sp_expect(resident(p, len) == len, "%zu kB are resident", resident(p, len) >> 10);
	if (sp_kernel)
		sp_expect(sp_in_superpages(p, len, size) >= len / 2, "%zu kB in superpages",
			  sp_in_superpages(p, len, size) >> 10);
	munmap(p, len);

	/* mlock() a range of which one page has been touched. */
	p = sp_map(len, len);
	touch(p + len / 2);
	sp_expect(resident(p, len) <= UNIT, "%zu kB are resident", resident(p, len) >> 10);
	sp_expect(!mlock(p, len), "mlock: %s", strerror(errno));
	sp_expect(resident(p, len) == len, "%zu kB are resident", resident(p, len) >> 10);
	if (sp_kernel)
		sp_expect(sp_in_superpages(p, len, MB) >= len / 2, "%zu kB in superpages",
			  sp_in_superpages(p, len, MB) >> 10);
	munmap(p, len);

	/* With mlock2(MLOCK_ONFAULT), a page fault maps a unit at most. */
	p = sp_map(len, len);
	if (syscall(SYS_mlock2, p, len, 1) == 0) {
		for (i = 0; i < 16; i++)
			touch(p + i * UNIT);
		sp_expect(resident(p, len) <= 16 * UNIT, "%zu kB are resident",
			  resident(p, len) >> 10);
	}
	munmap(p, len);
	sp_permit(0);
	sp_result("MAP_POPULATE and mlock()");
}

static void test_eager(void)
{
	size_t len = 16 * MB;
	char *p;

	if (sp_write(SP_EAGER, "1")) {
		ksft_test_result_skip("no vm.superpage_eager\n");
		return;
	}
	sp_permit(sp_all_orders());
	p = sp_map(len, len);
	touch(p + len / 2);
	sp_expect(resident(p, len) == len, "%zu kB are resident", resident(p, len) >> 10);
	munmap(p, len);
	sp_permit(0);
	sp_write(SP_EAGER, "0");
	sp_result("vm.superpage_eager");
}

/* --- mappings side by side ----------------------------------------------------------------- */

static long count_maps(void)
{
	static char buf[1 << 16];
	int fd = open("/proc/self/maps", O_RDONLY);
	long lines = 0;
	ssize_t n, i;

	while ((n = read(fd, buf, sizeof(buf))) > 0)
		for (i = 0; i < n; i++)
			lines += buf[i] == '\n';
	close(fd);
	return lines;
}

static void test_many_mappings(void)
{
	unsigned int i, n = 70000;
	long before = count_maps();

	sp_permit(sp_all_orders());
	for (i = 0; i < n; i++)
		if (mmap(NULL, 5 * page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			 -1, 0) == MAP_FAILED)
			break;
	sp_expect(i == n, "only %u mappings: %s", i, strerror(errno));
	sp_expect(count_maps() - before < 16, "%ld areas", count_maps() - before);
	sp_permit(0);
	sp_result("%u small mappings", n);
}

/* --- memory cgroups ------------------------------------------------------------------------ */

static char group[128];

static const char *group_file(const char *name)
{
	static char path[160];

	snprintf(path, sizeof(path), "%s/%s", group, name);
	return path;
}

static bool group_make(void)
{
	char root[] = "/tmp/superpage_grow.XXXXXX", path[64];

	if (!mkdtemp(root) || mount("none", root, "cgroup2", 0, NULL))
		return false;
	snprintf(path, sizeof(path), "%s/cgroup.subtree_control", root);
	if (sp_write(path, "+memory"))
		return false;
	snprintf(group, sizeof(group), "%s/%d", root, getpid());
	return !mkdir(group, 0700);
}

static void group_remove(void)
{
	int patience;

	for (patience = 100; patience && rmdir(group); patience--)
		usleep(10000);
	*strrchr(group, '/') = '\0';
	umount(group);
	rmdir(group);
}

/* Return how often the limit of a group has prevented a superpage of any size. */
static unsigned long charge_fallbacks(void)
{
	unsigned long sum = 0;
	unsigned int i;
	char path[128];

	for (i = 0; i < sp_orders; i++) {
		snprintf(path, sizeof(path), SIZE_FILE, page_size << sp_order[i] >> 10,
			 "anon_fault_fallback_charge");
		sum += sp_get(path);
	}
	return sum;
}

/* Walk through more than the group may have: superpages stay below the limit. */
static void test_limit(const char *which, size_t limit, bool eager)
{
	long event = sp_field("/proc/vmstat", "thp_fault_fallback_charge ");
	unsigned long fallbacks = charge_fallbacks();
	size_t len = 64 * MB, i, most = 0, now;
	pid_t pid;
	char *p;

	sp_write(SP_EAGER, eager ? "1" : "0");
	pid = sp_fork();
	if (!pid) {
		sp_need(!sp_write_number(group_file(which), limit), "cannot set %s", which);
		sp_need(!sp_write(group_file("cgroup.procs"), "0"), "cannot enter the cgroup");
		p = sp_map(len, len);
		sp_permit(sp_all_orders());
		/* Stop before the limit: beyond it the kernel treats all pages alike. */
		for (i = 0; i < limit - 4 * MB; i += page_size) {
			touch(p + i);
			now = sp_get(group_file("memory.current"));
			if (now > most)
				most = now;
		}
		sp_permit(0);
		/* The kernel charges 64 pages for each processor ahead. */
		sp_expect(most <= limit + 64 * page_size, "%zu kB are charged, the limit is %zu kB",
			  most >> 10, limit >> 10);
		sp_expect(resident(p, len) <= limit, "%zu kB are resident", resident(p, len) >> 10);
		sp_child_exit();
	}
	sp_wait(pid);
	sp_growing();
	/* Growing superpages need no fallback: the kernel reserves only what it may charge. */
	if (eager) {
		sp_expect(charge_fallbacks() > fallbacks,
			  "no size counts that the limit was in the way");
		sp_expect(sp_field("/proc/vmstat", "thp_fault_fallback_charge ") > event,
			  "thp_fault_fallback_charge has not gone up");
	}
	sp_write(group_file(which), "max");
	sp_result("%s of %zu MB%s", which, limit / MB, eager ? ", eager" : "");
}

/* Populating uses superpages up to the group's limit, and base pages beyond it. */
static void test_limit_populate(size_t limit)
{
	size_t len = 16 * MB;
	pid_t pid = sp_fork();
	char *p;

	if (!pid) {
		sp_need(!sp_write_number(group_file("memory.high"), limit),
			"cannot set memory.high");
		sp_need(!sp_write(group_file("cgroup.procs"), "0"), "cannot enter the cgroup");
		sp_permit(sp_all_orders());
		p = mmap(NULL, len, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
		sp_need(p != MAP_FAILED, "mmap");
		sp_expect(resident(p, len) == len, "%zu kB are resident", resident(p, len) >> 10);
		/* There are no leaf tables yet; above the limit, populating uses base pages. */
		sp_write_number(group_file("memory.high"), MB);
		p = mmap(NULL, len, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		sp_need(p != MAP_FAILED, "mmap");
		sp_expect(!madvise(p, MB, MADV_POPULATE_WRITE), "MADV_POPULATE_WRITE: %s",
			  strerror(errno));
		sp_expect(resident(p, MB) == MB, "%zu kB are resident", resident(p, MB) >> 10);
		sp_permit(0);
		sp_child_exit();
	}
	sp_wait(pid);
	sp_write(group_file("memory.high"), "max");
	sp_result("MAP_POPULATE in a group with memory.high");
}

static void run_apart(void (*test)(void))
{
	pid_t pid = sp_fork();

	/* The child reports, because the parent cannot know what it has skipped. */
	if (!pid) {
		test();
		fflush(stdout);
		_exit(ksft_get_fail_cnt() ? 1 : 0);
	}
	sp_wait(pid);
	if (sp_failures)
		ksft_inc_fail_cnt();
	else
		ksft_inc_pass_cnt();
	sp_failures = 0;
}

static void restore(void)
{
	if (getpid() != sp_main_pid || !sp_tunable)
		return;
	sp_write_number(FAULT_MAX, old_max);
	sp_write_number(AUTO_MIN, old_auto);
}

int main(int argc, char **argv)
{
	unsigned int i;
	bool groups;

	(void)argc;
	sp_init(argv);
	sp_growing();
	old_max = sp_get(FAULT_MAX);
	old_auto = sp_get(AUTO_MIN);
	atexit(restore);
	fault_max = old_max ?: 16 * MB;
	if (fault_max > sp_most_aside())
		fault_max = sp_most_aside();
	groups = sp_tunable && group_make();
	ksft_set_plan(ARRAY_SIZE(patterns) + 9 + 5);
	for (i = 0; i < ARRAY_SIZE(patterns); i++)
		test_pattern(&patterns[i]);
	test_one_byte();
	test_small();
	test_fault_max();
	test_brk();
	test_arena();
	test_thread();
	test_populate();
	test_eager();
	run_apart(test_many_mappings);
	if (groups) {
		test_limit("memory.high", 24 * MB, false);
		test_limit("memory.max", 24 * MB, false);
		test_limit("memory.high", 24 * MB, true);
		test_limit("memory.max", 24 * MB, true);
		test_limit_populate(24 * MB);
		group_remove();
	} else {
		ksft_test_result_skip("no memory cgroups: memory.high\n");
		ksft_test_result_skip("no memory cgroups: memory.max\n");
		ksft_test_result_skip("no memory cgroups: memory.high, eager\n");
		ksft_test_result_skip("no memory cgroups: memory.max, eager\n");
		ksft_test_result_skip("no memory cgroups: MAP_POPULATE\n");
	}
	ksft_finished();
}
