// SPDX-License-Identifier: GPL-2.0
/*
 * Tools find out how much memory has large pages: AnonHugePages, thp_*, anon_thp and rss_huge
 * count superpages of 1 MiB and more, return to their old values, and agree with smaps.  Page
 * faults do what "defrag" lets them do for a superpage.
 */
#include <dirent.h>
#include <pthread.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "superpage.h"

#ifndef MADV_HUGEPAGE
#define MADV_HUGEPAGE	14
#endif

#define MB		(1024 * 1024UL)
#define FAULT_MAX	"/proc/sys/vm/superpage_fault_max"
#define HUGE		MB		/* hpage_pmd_size */
#define THP		"/sys/kernel/mm/transparent_hugepage/"
#define DEFRAG		THP "defrag"
#define MADE		THP "hugepages-1024kB/stats/anon_fault_alloc"

static unsigned int rounds = 300;

/* --- counters -------------------------------------------------------------------------- */

/* Have the processors add their own counts to the totals. */
static void fold(void)
{
	sp_write("/proc/sys/vm/stat_refresh", "1");
}

/* Return the number in a line "name number" of /proc/vmstat; -1 if there is no such line. */
static long counter(const char *name)
{
	static __thread char buf[65536];
	char key[80], *at;

	if (!sp_slurp("/proc/vmstat", buf, sizeof(buf)))
		return -1;
	snprintf(key, sizeof(key), "\n%s ", name);
	at = strstr(buf, key);
	return at ? strtol(at + strlen(key), NULL, 10) : -1;
}

/* Return the number in a line "name number" of a file. */
static long field(const char *path, const char *name)
{
	char line[256];
	long value = -1;
	FILE *f = fopen(path, "r");

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, name, strlen(name)) && line[strlen(name)] == ' ')
			value = strtol(line + strlen(name), NULL, 10);
	if (f)
		fclose(f);
	return value;
}

/* Return AnonHugePages of all nodes, in bytes; -1 without nodes in sysfs. */
static long of_nodes(void)
{
	char path[300], line[256], *at;
	struct dirent *entry;
	long kb = -1;
	DIR *dir = opendir("/sys/devices/system/node");
	FILE *f;

	while (dir && (entry = readdir(dir))) {
		if (strncmp(entry->d_name, "node", 4))
			continue;
		snprintf(path, sizeof(path), "/sys/devices/system/node/%s/meminfo",
			 entry->d_name);
		f = fopen(path, "r");
		while (f && fgets(line, sizeof(line), f)) {
			at = strstr(line, "AnonHugePages:");
			if (at)
				kb = (kb < 0 ? 0 : kb) + strtol(at + 14, NULL, 10);
		}
		if (f)
			fclose(f);
	}
	if (dir)
		closedir(dir);
	return kb < 0 ? -1 : kb << 10;
}

/* struct seen - how many bytes have large pages, as several files say */
struct seen {
	long meminfo, vmstat, nodes, rollup;
};

static struct seen seen_now(void)
{
	struct seen s;

	fold();
	s.meminfo = sp_meminfo_kb("AnonHugePages:") << 10;
	s.vmstat = counter("nr_anon_transparent_hugepages") * (long)HUGE;
	s.nodes = of_nodes();
	s.rollup = sp_field("/proc/self/smaps_rollup", "AnonHugePages:") << 10;
	return s;
}

/* Expect that all files say the same: @huge bytes more than before. */
static void expect_seen(struct seen before, long huge, const char *when)
{
	struct seen s = seen_now();

	sp_expect(s.meminfo - before.meminfo == huge, "%s: meminfo has %ld kB more, not %ld", when,
		  (s.meminfo - before.meminfo) >> 10, huge >> 10);
	sp_expect(s.vmstat - before.vmstat == huge, "%s: vmstat has %ld kB more, not %ld", when,
		  (s.vmstat - before.vmstat) >> 10, huge >> 10);
	sp_expect(s.nodes - before.nodes == (s.nodes < 0 ? 0 : huge),
		  "%s: the nodes have %ld kB more, not %ld", when,
		  (s.nodes - before.nodes) >> 10, huge >> 10);
	sp_expect(s.rollup - before.rollup == huge, "%s: smaps_rollup has %ld kB more, not %ld",
		  when, (s.rollup - before.rollup) >> 10, huge >> 10);
}

static bool possible(size_t size)
{
	return sp_all_orders() & size / page_size;
}

/* Permit some sizes, of which @sizes is the sum. */
static void permit_sizes(size_t sizes)
{
	sp_permit(sizes / page_size & sp_all_orders());
}

/* --- AnonHugePages --------------------------------------------------------------------- */

static void test_names(void)
{
	static const char * const names[] = {
		"nr_anon_transparent_hugepages", "nr_shmem_hugepages", "nr_shmem_pmdmapped",
		"nr_file_hugepages", "nr_file_pmdmapped", "thp_fault_alloc",
		"thp_fault_fallback", "thp_fault_fallback_charge", "thp_collapse_alloc",
		"thp_collapse_alloc_failed", "thp_file_alloc", "thp_file_fallback",
		"thp_file_fallback_charge", "thp_file_mapped", "thp_split_page",
		"thp_split_page_failed", "thp_deferred_split_page",
		"thp_underused_split_page", "thp_split_pmd",
		"thp_scan_exceed_none_pte", "thp_scan_exceed_swap_pte",
		"thp_scan_exceed_share_pte", "thp_zero_page_alloc",
		"thp_zero_page_alloc_failed", "thp_swpout", "thp_swpout_fallback",
	};
	static const char * const lines[] = {
		"AnonHugePages:", "ShmemHugePages:", "ShmemPmdMapped:", "FileHugePages:",
		"FilePmdMapped:",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		sp_expect(counter(names[i]) >= 0, "/proc/vmstat has no %s", names[i]);
	for (i = 0; i < ARRAY_SIZE(lines); i++)
		sp_expect(sp_meminfo_kb(lines[i]) >= 0, "/proc/meminfo has no %s", lines[i]);
	/* Programs take the page size of MAP_HUGETLB from this field. */
	sp_expect(sp_meminfo_kb("Hugepagesize:") != (long)(HUGE >> 10), "Hugepagesize is 1 MiB");
	sp_result("names");
}

static void test_sizes(void)
{
	struct seen before = seen_now();
	unsigned int i;
	size_t size;
	char *p;

	for (i = 0; i < sp_orders; i++) {
		size = page_size << sp_order[i];
		if (size > 64 * MB)
			break;
		sp_permit(1UL << sp_order[i]);
		p = sp_map(2 * size, size);
		p[0] = 1;
		p[size] = 1;
		sp_expect(sp_in_superpages(p, 2 * size, size) == 2 * size, "no superpages");
		expect_seen(before, size >= HUGE ? 2 * size : 0, "two superpages");
		munmap(p, size);
		expect_seen(before, size >= HUGE ? size : 0, "one is unmapped");
		munmap(p + size, size);
		expect_seen(before, 0, "both are unmapped");
	}
	sp_result("each size: what is smaller than 1 MiB does not count");
}

/* As superpages become smaller step by step, parts of 1 MiB and more still count. */
static void test_demotion(void)
{
	struct seen before = seen_now();
	long split = counter("thp_split_pmd");
	char *p;

	if (!possible(16 * MB) || !possible(MB)) {
		ksft_test_result_skip("no superpages of 1 and 16 MiB: parts\n");
		return;
	}
	sp_permit(sp_all_orders() & (32 * MB / page_size - 1));
	p = sp_map(16 * MB, 16 * MB);
	p[0] = 1;
	expect_seen(before, 16 * MB, "one of 16 MiB");
	sp_expect(!mprotect(p + 5 * MB, page_size, PROT_READ), "mprotect");
	expect_seen(before, 15 * MB, "a page is protected");
	sp_expect(counter("thp_split_pmd") == split + 1, "thp_split_pmd is %ld more",
		  counter("thp_split_pmd") - split);
	sp_expect(!mprotect(p + 5 * MB, page_size, PROT_READ | PROT_WRITE), "mprotect");
	p[5 * MB] = 1;
	sp_expect(!madvise(p, 16 * MB, MADV_COLLAPSE), "MADV_COLLAPSE: %s", strerror(errno));
	expect_seen(before, 16 * MB, "whole again");
	sp_expect(!madvise(p, MB + page_size, MADV_DONTNEED), "MADV_DONTNEED");
	expect_seen(before, 14 * MB, "1 MiB and a page are given back");
	munmap(p, 16 * MB);
	expect_seen(before, 0, "unmapped");
	sp_result("parts that are 1 MiB or more count when the whole is taken apart");
}

/* The events count what page faults make, at once or by growing, and what collapse makes. */
static void test_events(void)
{
	long fault, collapse;
	unsigned long max;
	size_t i;
	char *p;

	if (!possible(MB)) {
		ksft_test_result_skip("no superpages of 1 MiB: thp_fault_alloc\n");
		return;
	}
	permit_sizes(MB);
	fault = counter("thp_fault_alloc");
	collapse = counter("thp_collapse_alloc");
	p = sp_map(4 * MB, 4 * MB);
	p[0] = 1;
	p[3 * MB] = 1;
	sp_expect(counter("thp_fault_alloc") == fault + 2, "thp_fault_alloc is %ld more, not 2",
		  counter("thp_fault_alloc") - fault);
	munmap(p, 4 * MB);

	sp_growing();
	sp_permit(sp_all_orders() & (2 * MB / page_size - 1));
	p = sp_map(4 * MB, 4 * MB);
	for (i = 0; i < 4 * MB; i += page_size)
		p[i] = 1;
	sp_expect(sp_in_superpages(p, 4 * MB, MB) == 4 * MB, "it has not grown");
	sp_expect(counter("thp_fault_alloc") == fault + 6,
		  "thp_fault_alloc is %ld more after growth, not 6",
		  counter("thp_fault_alloc") - fault);
	munmap(p, 4 * MB);

	/* A page fault maps 4 MiB while that size is not permitted: four superpages of 1 MiB. */
	if (sp_all_orders() & 16 * MB / page_size) {
		max = sp_get(FAULT_MAX);
		sp_need(!sp_write_number(FAULT_MAX, 4 * MB), "cannot set " FAULT_MAX);
		sp_permit((sp_all_orders() & (2 * MB / page_size - 1)) | 16 * MB / page_size);
		p = sp_map(16 * MB, 16 * MB);
		for (i = 0; i < 16 * MB; i += page_size)
			p[i] = 1;
		sp_expect(counter("thp_fault_alloc") - fault - 6 ==
			  (long)(sp_in_superpages(p, 16 * MB, MB) / MB),
			  "thp_fault_alloc is %ld more, of %zu MiB",
			  counter("thp_fault_alloc") - fault - 6,
			  sp_in_superpages(p, 16 * MB, MB) / MB);
		munmap(p, 16 * MB);
		sp_write_number(FAULT_MAX, max);
		fault = counter("thp_fault_alloc") - 6;
	}
	sp_write_number(SP_EAGER, 1);

	sp_permit(0);
	p = sp_map(4 * MB, 4 * MB);
	sp_fill(p, 4 * MB, 1);
	permit_sizes(MB);
	sp_expect(counter("thp_collapse_alloc") == collapse, "thp_collapse_alloc has grown");
	sp_expect(!madvise(p, 3 * MB, MADV_COLLAPSE), "MADV_COLLAPSE: %s", strerror(errno));
	sp_expect(counter("thp_collapse_alloc") == collapse + 3,
		  "thp_collapse_alloc is %ld more, not 3",
		  counter("thp_collapse_alloc") - collapse);
	sp_expect(counter("thp_fault_alloc") == fault + 6, "thp_fault_alloc has grown");
	sp_expect(sp_differs(p, 4 * MB, 1) < 0, "the memory has changed");
	munmap(p, 4 * MB);
	sp_result("thp_fault_alloc and thp_collapse_alloc");
}

/* The kernel counts a child's superpages by themselves, whatever it and its parent do. */
static void test_fork(void)
{
	struct seen before = seen_now();
	long huge = before.meminfo;
	pid_t pid;
	char *p;

	if (!possible(MB)) {
		ksft_test_result_skip("no superpages of 1 MiB: fork()\n");
		return;
	}
	permit_sizes(MB);
	p = sp_map(8 * MB, 8 * MB);
	memset(p, 1, 8 * MB);
	pid = sp_fork();
	if (!pid) {
		fold();
		sp_expect(sp_meminfo_kb("AnonHugePages:") << 10 == huge + 16 * (long)MB,
			  "both have %ld kB", sp_meminfo_kb("AnonHugePages:") - (huge >> 10));
		p[0] = 2;
		munmap(p + 2 * MB, MB);
		p[3 * MB] = 2;
		sp_child_exit();
	}
	sp_wait(pid);
	expect_seen(before, 8 * MB, "the child has ended");
	pid = sp_fork();
	if (!pid) {
		sleep(1);
		sp_child_exit();
	}
	memset(p, 2, 8 * MB);
	munmap(p, 8 * MB);
	sp_wait(pid);
	expect_seen(before, 0, "all is over");
	sp_result("fork()");
}

/* --- memory cgroups -------------------------------------------------------------------- */

static char group_root[64];

static const char *group_file(const char *group, const char *name)
{
	static __thread char path[200];

	snprintf(path, sizeof(path), "%s/%s%s%s", group_root, group, *name ? "/" : "", name);
	return path;
}

/*
 * Mount memory cgroups of a version.  The other version keeps the controller until it is
 * unmounted and nothing is charged to its groups any more.
 */
static bool groups_begin(bool v2)
{
	int patience;

	strcpy(group_root, "/tmp/superpage_counters.XXXXXX");
	if (!mkdtemp(group_root))
		return false;
	for (patience = 50; patience; patience--) {
		if (!v2 && !mount("none", group_root, "cgroup", 0, "memory"))
			return true;
		if (v2 && !mount("none", group_root, "cgroup2", 0, NULL)) {
			if (!sp_write(group_file(".", "cgroup.subtree_control"), "+memory"))
				return true;
			umount(group_root);
			sp_write("/proc/sys/vm/drop_caches", "3");
			if (!mount("none", group_root, "cgroup", 0, "memory"))
				umount(group_root);
		}
		usleep(100000);
	}
	rmdir(group_root);
	return false;
}

static void groups_end(void)
{
	umount(group_root);
	rmdir(group_root);
}

/* Expect a value in a group's statistics, which the kernel adds up every other second. */
static void expect_group(const char *group, const char *name, long value, const char *when)
{
	int patience;

	for (patience = 60; patience; patience--) {
		if (field(group_file(group, "memory.stat"), name) == value)
			return;
		usleep(100000);
	}
	sp_expect(false, "%s: %s of %s is %ld, not %ld", when, name, group,
		  field(group_file(group, "memory.stat"), name), value);
}

static void remove_group(const char *group)
{
	int patience;

	for (patience = 100; patience && rmdir(group_file(group, "")); patience--)
		usleep(100000);
	sp_expect(patience, "the cgroup cannot be removed: %s", strerror(errno));
}

static void test_group(void)
{
	struct seen before = seen_now();
	long collapsed;
	pid_t pid;
	char *p;

	if (!possible(MB) || !groups_begin(true)) {
		ksft_test_result_skip("no memory cgroups: anon_thp\n");
		return;
	}
	sp_need(!mkdir(group_file("a", ""), 0755), "no cgroup");
	permit_sizes(MB);
	pid = sp_fork();
	if (!pid) {
		sp_need(!sp_write(group_file("a", "cgroup.procs"), "0"), "cannot enter it");
		p = sp_map(8 * MB, 8 * MB);
		memset(p, 1, 6 * MB);
		expect_group("a", "anon_thp", 6 * MB, "in superpages");
		sp_expect(field(group_file("a", "memory.stat"), "thp_fault_alloc") == 6,
			  "thp_fault_alloc is %ld",
			  field(group_file("a", "memory.stat"), "thp_fault_alloc"));
		mprotect(p, page_size, PROT_READ);
		expect_group("a", "anon_thp", 5 * MB, "one is taken apart");
		mprotect(p, page_size, PROT_READ | PROT_WRITE);
		p[0] = 1;
		collapsed = field(group_file("a", "memory.stat"), "thp_collapse_alloc");
		sp_expect(collapsed >= 0, "no thp_collapse_alloc");
		sp_expect(!madvise(p, MB, MADV_COLLAPSE), "MADV_COLLAPSE");
		expect_group("a", "anon_thp", 6 * MB, "whole again");
		sp_child_exit();
	}
	sp_wait(pid);
	expect_group("a", "anon_thp", 0, "the process has ended");
	remove_group("a");
	groups_end();
	expect_seen(before, 0, "the cgroup is gone");
	sp_result("anon_thp of a memory cgroup");
}

/*
 * Cgroup v1 can move the charges of a process to another group.  Pages that the process shares
 * with its child keep their charges, in the group where the child's superpages count.
 */
static void test_move(void)
{
	struct seen before = seen_now();
	pid_t pid, child;
	int ends[2];
	char *p, c;
	size_t at;

	if (!possible(MB) || !groups_begin(false)) {
		ksft_test_result_skip("no memory cgroups of version 1: rss_huge\n");
		return;
	}
	sp_need(!mkdir(group_file("a", ""), 0755) && !mkdir(group_file("b", ""), 0755) &&
		!pipe(ends), "no cgroups");
	sp_write(group_file("b", "memory.move_charge_at_immigrate"), "1");
	permit_sizes(MB);
	pid = sp_fork();
	if (!pid) {
		sp_need(!sp_write(group_file("a", "cgroup.procs"), "0"), "cannot enter it");
		p = sp_map(8 * MB, 8 * MB);
		memset(p, 1, 8 * MB);
		expect_group("a", "rss_huge", 8 * MB, "in superpages");
		sp_need(!sp_write(group_file("b", "cgroup.procs"), "0"), "cannot enter b");
		/* Other pages of the process may be shared with its parent. */
		sp_expect(field(group_file("b", "memory.stat"), "rss") >= 8 * (long)MB,
			  "no charge has moved");
		expect_group("a", "rss_huge", 0, "all has moved");
		expect_group("b", "rss_huge", 0, "moved in base pages");
		/* Read each page, which must not use an old translation of a superpage. */
		sp_need(!sp_write("/proc/self/clear_refs", "1"), "clear_refs");
		for (at = 0; at < 8 * MB; at += page_size)
			sp_expect(READ_ONCE(p[at]) == 1, "byte %zu differs", at);
		sp_expect(sp_range_field("Referenced:", p, 8 * MB) == 8 * MB,
			  "%zu kB are referenced", sp_range_field("Referenced:", p, 8 * MB) >> 10);
		sp_expect(!madvise(p, 8 * MB, MADV_COLLAPSE), "MADV_COLLAPSE");
		expect_group("b", "rss_huge", 8 * MB, "whole again");

		child = sp_fork();
		if (!child) {
			close(ends[1]);
			c = read(ends[0], &c, 1);
			munmap(p, 8 * MB);
			sp_child_exit();
		}
		close(ends[0]);
		sp_need(!sp_write(group_file("a", "cgroup.procs"), "0"), "cannot enter a");
		sp_write(group_file("a", "memory.move_charge_at_immigrate"), "1");
		sp_need(!sp_write(group_file("b", "cgroup.procs"), "0"), "cannot enter b");
		sp_need(!sp_write(group_file("a", "cgroup.procs"), "0"), "cannot enter a");
		expect_group("b", "rss_huge", 16 * MB, "shared pages do not move");
		close(ends[1]);
		sp_wait(child);
		expect_group("b", "rss_huge", 8 * MB, "the child has ended");
		munmap(p, 8 * MB);
		expect_group("a", "rss_huge", 0, "unmapped");
		expect_group("b", "rss_huge", 0, "unmapped");
		sp_child_exit();
	}
	close(ends[0]);
	close(ends[1]);
	sp_wait(pid);
	remove_group("a");
	remove_group("b");
	groups_end();
	expect_seen(before, 0, "the cgroups are gone");
	sp_result("rss_huge when the charges of a process move");
}

/* --- several threads -------------------------------------------------------------------- */

static bool race_ends;

static void *race_words(void *arg)
{
	while (!READ_ONCE(race_ends)) {
		sp_write(THP "enabled", "never");
		sp_write(DEFRAG, "always");
		sp_write(THP "enabled", "always");
		sp_write(DEFRAG, "never");
	}
	return NULL;
}

/* Change superpages in every way, from two threads: in the end all counts must be back. */
static void *race_changes(void *arg)
{
	char *p = arg, *q;
	unsigned int i;
	pid_t pid;

	sp_rng = (uintptr_t)arg;
	for (i = 0; i < rounds; i++) {
		q = p + sp_random_below(8) * MB + sp_random_below(16) * (MB / 16);
		switch (sp_random_below(7)) {
		case 0:
			mprotect(q, page_size, PROT_READ);
			mprotect(q, page_size, PROT_READ | PROT_WRITE);
			break;
		case 1:
			madvise(q, MB, MADV_DONTNEED);
			break;
		case 2:
			madvise(p, 8 * MB, MADV_COLLAPSE);
			break;
		case 3:
			pid = fork();
			if (!pid) {
				*q = 2;
				munmap(p, 4 * MB);
				_exit(0);
			}
			*q = 3;
			waitpid(pid, NULL, 0);
			break;
		case 4:
			madvise(q, MB, MADV_PAGEOUT);
			break;
		default:
			memset(q, 4, MB / 2);
		}
	}
	return NULL;
}

static void test_race(void)
{
	struct seen before = seen_now();
	pthread_t words, changes[2];
	char *p[2];
	int i;

	sp_permit(sp_all_orders() & (32 * MB / page_size - 1));
	for (i = 0; i < 2; i++)
		p[i] = sp_map(16 * MB, 16 * MB);
	race_ends = false;
	sp_need(!pthread_create(&words, NULL, race_words, NULL), "no thread");
	for (i = 0; i < 2; i++)
		sp_need(!pthread_create(&changes[i], NULL, race_changes, p[i]), "no thread");
	for (i = 0; i < 2; i++)
		pthread_join(changes[i], NULL);
	WRITE_ONCE(race_ends, true);
	pthread_join(words, NULL);
	sp_write(DEFRAG, "madvise");
	for (i = 0; i < 2; i++)
		munmap(p[i], 16 * MB);
	expect_seen(before, 0, "all is unmapped");
	sp_permit(0);
	sp_result("nothing is left when all is unmapped");
}

/* --- defrag ---------------------------------------------------------------------------- */

static const char * const defrag_words[] = {
	"always", "defer", "defer+madvise", "madvise", "never",
};

static const char * const shmem_words[] = {
	"always", "within_size", "advise", "never", "deny", "force",
};

/* A file with words accepts each of them, shows it in brackets, and accepts nothing else. */
static void try_words(const char *path, const char * const *names, unsigned int nr)
{
	static const char * const wrong[] = { "", "\n", "alway", "Always", "1", "[never]", "x y" };
	char text[100], buf[100], was[100];
	unsigned int i, k, n;

	sp_expect(sp_slurp(path, was, sizeof(was)), "no %s", path);
	for (i = 0; i < nr; i++) {
		for (n = k = 0; k < nr; k++)
			n += snprintf(text + n, sizeof(text) - n, k == i ? "%s[%s]" : "%s%s",
				      k ? " " : "", names[k]);
		strcpy(text + n, "\n");
		sp_expect(!sp_write(path, names[i]), "%s does not take %s", path, names[i]);
		sp_expect(sp_slurp(path, buf, sizeof(buf)) && !strcmp(buf, text),
			  "%s: \"%s\", not \"%s\"", path, buf, text);
		for (k = 1; k < ARRAY_SIZE(wrong); k++)
			sp_expect(sp_write(path, wrong[k]) == -EINVAL, "%s takes \"%s\"", path,
				  wrong[k]);
		sp_expect(sp_slurp(path, buf, sizeof(buf)) && !strcmp(buf, text),
			  "%s has changed to \"%s\"", path, buf);
	}
}

static void test_files(void)
{
	char buf[100];

	sp_expect(sp_slurp(DEFRAG, buf, sizeof(buf)) &&
		  !strcmp(buf, "always defer defer+madvise [madvise] never\n"),
		  "at boot defrag is \"%s\"", buf);
	sp_expect(sp_slurp(THP "shmem_enabled", buf, sizeof(buf)) &&
		  !strcmp(buf, "always within_size advise [never] deny force\n"),
		  "at boot shmem_enabled is \"%s\"", buf);
	try_words(DEFRAG, defrag_words, ARRAY_SIZE(defrag_words));
	sp_write(DEFRAG, "madvise");
	try_words(THP "shmem_enabled", shmem_words, ARRAY_SIZE(shmem_words));
	sp_write(THP "shmem_enabled", "never");
	sp_expect(!sp_get(THP "use_zero_page"), "use_zero_page is not 0");
	sp_expect(!sp_write(THP "use_zero_page", "0"), "use_zero_page does not take 0");
	sp_expect(sp_write(THP "use_zero_page", "1") == -EINVAL, "use_zero_page takes 1");
	sp_expect(sp_write(THP "use_zero_page", "x") == -EINVAL, "use_zero_page takes x");
	sp_result("defrag, shmem_enabled, use_zero_page");
}

/*
 * Take nearly all memory by the page, and give back one half or the other of each 128 KiB.
 * Then nothing is free in one piece of 1 MiB, and enough is free in smaller pieces.  The halves
 * are random: compaction that is in a hurry looks for free pages in steps.
 */
static void fragment(void)
{
	size_t half = 64 << 10, free = sp_meminfo_kb("MemFree:") << 10, len, i;
	char *p;

	sp_permit(0);
	sp_write("/proc/sys/vm/drop_caches", "3");
	len = (free - free / 8) & -HUGE;
	p = sp_map(len, HUGE);
	for (i = 0; i < len; i += page_size)
		p[i] = 1;
	for (i = 0; i < len; i += 2 * half)
		madvise(p + i + ((uint32_t)(i / half / 2) * 2654435761U >> 31) * half, half,
			MADV_DONTNEED);
}

/*
 * Touch @most MiB, or fewer if that makes @n superpages of 1 MiB; they stay.  Return how many
 * were made.
 */
static unsigned int touch(unsigned int n, unsigned int most, bool advice)
{
	long count = sp_get(MADE), made = 0;
	unsigned int i;
	char *p = sp_map(most * MB, MB);

	if (advice)
		madvise(p, most * MB, MADV_HUGEPAGE);
	for (i = 0; i < most && made < n; i++) {
		p[i * MB] = 1;
		made = sp_get(MADE) - count;
	}
	return made;
}

/* Use up the free pieces of 1 MiB. */
static void use_up(void)
{
	sp_write(DEFRAG, "never");
	while (touch(1, 1, false))
		;
}

/* Compaction skips blocks where it has failed until kswapd next goes to sleep; have it do so. */
static void forget_failures(void)
{
	sp_write(DEFRAG, "defer");
	touch(1, 8, true);
	usleep(200000);
	use_up();
}

/*
 * Return how many superpages, of 8, page faults get while @word is in "defrag".  If they are to
 * make room, they have three tries.  @stalls: how often the last try has reclaimed or compacted.
 */
static unsigned int touch_with(const char *word, bool makes, bool advice, long *stalls)
{
	unsigned int huge, tries = makes ? 3 : 1;

	do {
		sp_expect(!sp_write(DEFRAG, word), "defrag");
		*stalls = counter("allocstall_normal") + counter("compact_stall");
		/* After failures the kernel puts compaction off for up to 64 page faults. */
		huge = touch(8, makes ? 8 + 2 * 64 : 8, advice);
		*stalls = counter("allocstall_normal") + counter("compact_stall") - *stalls;
		if (huge == 8 || !--tries)
			return huge;
		forget_failures();
	} while (true);
}

static void test_defrag(void)
{
	/* Does a page fault make room, without advice and with it? */
	static const bool makes[][2] = {
		[0] = { true, true },		/* always */
		[1] = { false, false },		/* defer */
		[2] = { false, true },		/* defer+madvise */
		[3] = { false, true },		/* madvise */
		[4] = { false, false },		/* never */
	};
	unsigned int i, advice, huge;
	long stalls;

	if (!possible(MB) || page_size >= 65536) {
		ksft_test_result_skip("no 1 MiB of many pages: what defrag does\n");
		return;
	}
	/* Memory stays fragmented until the program ends. */
	fragment();
	permit_sizes(MB);
	use_up();
	for (i = ARRAY_SIZE(makes); i--;) {
		for (advice = 0; advice < 2; advice++) {
			huge = touch_with(defrag_words[i], makes[i][advice], advice, &stalls);
			ksft_print_msg("%s%s: %u of 8 MiB, %ld stalls\n", defrag_words[i],
				       advice ? ", with advice" : "", huge, stalls);
			if (makes[i][advice])
				sp_expect(huge == 8, "only %u", huge);
			else
				sp_expect(!stalls, "%ld stalls", stalls);
			/*
			 * Nothing has asked kcompactd for blocks yet.  Pages that the kernel
			 * gives back may have made a block or two.
			 */
			if (i == ARRAY_SIZE(makes) - 1)
				sp_expect(huge < 8, "8 were free");
		}
	}
	sp_write(DEFRAG, "madvise");
	sp_result("what defrag lets a page fault do");
}

int main(int argc, char **argv)
{
	int opt;

	while ((opt = getopt(argc, argv, "r:")) != -1) {
		if (opt != 'r')
			exit(2);
		rounds = sp_number(optarg, 1, 1000000);
	}
	sp_init(argv);
	if (!sp_tunable || sp_meminfo_kb("AnonHugePages:") < 0)
		ksft_exit_skip("no superpages that we may tune, or none that are counted\n");
	ksft_set_plan(10);
	test_names();
	test_files();
	test_sizes();
	test_demotion();
	test_events();
	test_fork();
	/* Version 1 comes first: after a group of version 2 it could not be mounted. */
	test_move();
	test_group();
	test_race();
	test_defrag();
	ksft_finished();
}
