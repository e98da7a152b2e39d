// SPDX-License-Identifier: GPL-2.0
/*
 * What processes have used comes back when they end, at whatever moment that is:
 * memory, page tables, superpages, and what memory cgroups have charged.
 */
#include <getopt.h>
#include <sched.h>
#include <time.h>
#include <sys/mount.h>

#include "superpage.h"

#define MB	(1024 * 1024UL)

static unsigned int rounds = 40;
static uint64_t rng = 1;

static uint64_t random_below(uint64_t n)
{
	rng ^= rng >> 12;
	rng ^= rng << 25;
	rng ^= rng >> 27;
	return ((rng * 0x2545f4914f6cdd1dUL) >> 16) % n;
}

struct usage {
	long used_kb;			/* neither free nor a cache */
	long anon_kb, tables_kb, vmpte_kb;
};

static struct usage usage_now(void)
{
	struct usage u;

	/* Counts are kept for each CPU and summed up now and then; do that now. */
	sp_write("/proc/sys/vm/stat_refresh", "1");
	u.used_kb = sp_meminfo_kb("MemTotal:") - sp_meminfo_kb("MemFree:") -
		    sp_meminfo_kb("Cached:") - sp_meminfo_kb("Buffers:") -
		    sp_meminfo_kb("Slab:");
	u.anon_kb = sp_meminfo_kb("AnonPages:");
	u.tables_kb = sp_meminfo_kb("PageTables:");
	u.vmpte_kb = sp_field("/proc/self/status", "VmPTE:");
	return u;
}

/*
 * @slack_kb is what may be in the lists of free pages of each CPU, in parts of
 * slabs and the like; on a machine that does other work it is of no use to look.
 */
static void check_usage(struct usage before, long slack_kb)
{
	struct usage now;
	int patience;

	/* Others may take a moment to put down what they hold. */
	for (patience = 100; patience; patience--) {
		now = usage_now();
		if (now.used_kb <= before.used_kb + slack_kb &&
		    now.tables_kb <= before.tables_kb + 64)
			break;
		usleep(10000);
	}
	if (!sp_kernel)
		return;
	ksft_print_msg("used %+ld kB, anonymous %+ld kB, page tables %+ld kB\n",
		       now.used_kb - before.used_kb, now.anon_kb - before.anon_kb,
		       now.tables_kb - before.tables_kb);
	sp_expect(now.used_kb <= before.used_kb + slack_kb, "%ld kB more are used",
		  now.used_kb - before.used_kb);
	sp_expect(now.anon_kb <= before.anon_kb + 128, "%ld kB more are anonymous",
		  now.anon_kb - before.anon_kb);
	sp_expect(now.tables_kb <= before.tables_kb + (long)(8 * page_size >> 10),
		  "%ld kB more are page tables", now.tables_kb - before.tables_kb);
	sp_expect(now.vmpte_kb <= before.vmpte_kb + (long)(page_size >> 10),
		  "this process has %ld kB more of page tables", now.vmpte_kb - before.vmpte_kb);
	sp_check_accounts("in the end");
}

static void touch(char *p, size_t len)
{
	size_t i;

	for (i = 0; i < len; i += page_size)
		WRITE_ONCE(p[i], 1);
}

/* All kinds of things until somebody kills us. */
static void work(uint64_t seed)
{
	size_t len = 8 * MB, a, n;
	char *p;

	rng = seed * SP_PATTERN + 1;
	for (;;) {
		p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (p == MAP_FAILED)
			_exit(3);
		touch(p, len / 2);
		a = random_below(len / page_size / 2) * page_size;
		n = (1 + random_below(16)) * page_size;
		switch (random_below(6)) {
		case 0:
			madvise(p + a, n, MADV_DONTNEED);
			break;
		case 1:
			mprotect(p + a, n, PROT_READ);
			break;
		case 2:
			munmap(p + a, n);
			break;
		case 3:
			mremap(p + a, n, n * 2, MREMAP_MAYMOVE);
			break;
		case 4:
			madvise(p + a, n, MADV_PAGEOUT);
			break;
		default:
			if (fork() == 0) {
				touch(p, len / 4);
				_exit(0);
			}
			while (waitpid(-1, NULL, WNOHANG) > 0)
				;
		}
		if (random_below(2))
			munmap(p, len);
		if (sp_meminfo_kb("MemFree:") < 128 << 10)
			_exit(0);
	}
}

static void kill_many(unsigned int n)
{
	pid_t pid[4];
	unsigned int i, k;

	for (i = 0; i < n; i++) {
		for (k = 0; k < ARRAY_SIZE(pid); k++) {
			pid[k] = sp_fork();
			if (!pid[k]) {
				/* With its children, which it will not wait for. */
				setpgid(0, 0);
				work(i * 16 + k + 1);
			}
			setpgid(pid[k], pid[k]);
		}
		usleep(500 + random_below(5000));
		for (k = 0; k < ARRAY_SIZE(pid); k++) {
			kill(-pid[k], SIGKILL);
			waitpid(pid[k], NULL, 0);
		}
	}
}

static void test_kill(void)
{
	struct usage before;

	sp_permit(sp_all_orders());
	kill_many(2);
	usleep(50000);
	before = usage_now();
	kill_many(rounds);
	check_usage(before, 12 << 10);
	sp_permit(0);
	sp_result("%u processes were killed", rounds * 4);
}

/* Page tables of a process that goes on: those of what was unmapped go away. */
static void test_tables(void)
{
	size_t span = sp_leaf_span(), len = 8 * MB;
	struct usage before = usage_now();
	unsigned int i;
	char *p;

	sp_permit(sp_all_orders());
	for (i = 0; i < 30; i++) {
		p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		sp_need(p != MAP_FAILED, "mmap");
		touch(p, i % 3 ? len : page_size);
		munmap(p, len);
	}
	/* Large, and almost nothing of it touched. */
	p = mmap(NULL, 1024 * span, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p != MAP_FAILED) {
		long kb = sp_field("/proc/self/status", "VmPTE:");

		sp_expect(kb <= before.vmpte_kb + (long)(16 * page_size >> 10),
			  "%ld kB of page tables for memory that nobody touched",
			  kb - before.vmpte_kb);
		munmap(p, 1024 * span);
	}
	sp_permit(0);
	check_usage(before, 8 << 10);
	sp_result("page tables");
}

/* --- memory cgroups --------------------------------------------------------------------------- */

static char group[128];			/* the folder of ours; empty if there is none */
static char mounted[64];
static bool v2;

static const char *group_file(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", group, name);
	return path;
}

static void group_make(void)
{
	char root[64] = "/tmp/superpage_cgroup.XXXXXX", path[128];

	if (getuid() || !mkdtemp(root))
		return;
	if (!mount("none", root, "cgroup2", 0, NULL)) {
		strcpy(mounted, root);
		snprintf(path, sizeof(path), "%s/cgroup.controllers", root);
		sp_slurp(path, group, sizeof(group));
		v2 = strstr(group, "memory");
		group[0] = '\0';
		snprintf(path, sizeof(path), "%s/cgroup.subtree_control", root);
		if (v2)
			v2 = !sp_write(path, "+memory");
		if (!v2) {
			umount(root);
			mounted[0] = '\0';
		}
	}
	if (!v2) {
		if (mount("none", root, "cgroup", 0, "memory")) {
			rmdir(root);
			return;
		}
		strcpy(mounted, root);
	}
	snprintf(path, sizeof(path), "%s/superpage%d", root, getpid());
	if (!mkdir(path, 0755))
		strcpy(group, path);
}

static void group_remove(void)
{
	int patience = 100;

	if (group[0]) {
		while (rmdir(group) && errno == EBUSY && patience--)
			usleep(10000);
		sp_expect(patience > 0, "the cgroup cannot be removed");
	}
	if (mounted[0]) {
		umount(mounted);
		rmdir(mounted);
	}
}

static long group_usage(void)
{
	return sp_get(group_file(v2 ? "memory.current" : "memory.usage_in_bytes"));
}

/* What remains charged when all processes of the group have gone. */
static void check_uncharged(void)
{
	int patience = 200;
	long bytes;

	/* Processors keep charges in stock until somebody is short of them. */
	sp_expect(!sp_write(group_file(v2 ? "memory.high" : "memory.force_empty"), "0"),
		  "the stock of charges cannot be drained");
	if (v2)
		sp_write(group_file("memory.high"), "max");
	while ((bytes = group_usage()) > (long)MB && patience--)
		usleep(10000);
	sp_expect(bytes <= (long)MB, "%ld kB are still charged", bytes >> 10);
}

/* A child in the group that touches @bytes; how did it end? */
static int group_run(size_t bytes)
{
	int status = -1;
	pid_t pid;
	char *p;

	fflush(stdout);
	pid = sp_fork();
	if (!pid) {
		if (sp_write(group_file("cgroup.procs"), "0"))
			_exit(4);
		p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (p == MAP_FAILED)
			_exit(5);
		touch(p, bytes);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	return status;
}

static void test_cgroup(void)
{
	static const char * const name[] = {
		"a cgroup's limit is not exceeded", "a cgroup's limit is exceeded",
		"a cgroup's limit, and swap",
	};
	struct usage before;
	size_t max = 32 * MB, i;
	int status;

	group_make();
	if (!group[0]) {
		for (i = 0; i < ARRAY_SIZE(name); i++)
			ksft_test_result_skip("%s: no memory controller\n", name[i]);
		group_remove();
		return;
	}
	ksft_print_msg("cgroup v%d\n", v2 ? 2 : 1);
	sp_write_number(group_file(v2 ? "memory.max" : "memory.limit_in_bytes"), max);
	if (v2)
		sp_write(group_file("memory.swap.max"), "0");
	else
		sp_write(group_file("memory.swappiness"), "0");
	sp_permit(sp_all_orders());

	/*
	 * Almost all of the limit: the last superpages do not fit, but their base
	 * pages do.
	 */
	before = usage_now();
	for (i = 0; i < 4; i++) {
		status = group_run(max - 2 * MB);
		sp_expect(!status, "the child ended with status %#x", status);
		check_uncharged();
	}
	check_usage(before, 8 << 10);
	sp_result("%s", name[0]);

	for (i = 0; i < 4; i++) {
		status = group_run(max * 2);
		sp_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL,
			  "the child ended with status %#x", status);
		check_uncharged();
	}
	check_usage(before, 8 << 10);
	sp_result("%s", name[1]);

	if (sp_swap_on(64 * MB)) {
		sp_write(group_file(v2 ? "memory.swap.max" : "memory.swappiness"),
			 v2 ? "max" : "60");
		status = group_run(max + 24 * MB);
		sp_expect(!status, "the child ended with status %#x", status);
		check_uncharged();
		group_remove();
		sp_result("%s", name[2]);
	} else {
		group_remove();
		ksft_test_result_skip("%s: no swap\n", name[2]);
	}
	sp_permit(0);
}

int main(int argc, char **argv)
{
	int opt;

	while ((opt = getopt(argc, argv, "n:s:")) != -1) {
		switch (opt) {
		case 'n':
			rounds = strtoul(optarg, NULL, 0);
			break;
		case 's':
			rng = strtoul(optarg, NULL, 0) | 1;
			break;
		default:
			fprintf(stderr, "superpage_leak [-n ROUNDS] [-s SEED]\n");
			return 2;
		}
	}
	sp_init(argv);
	ksft_set_plan(5);
	test_tables();
	test_kill();
	test_cgroup();
	ksft_finished();
}
