// SPDX-License-Identifier: GPL-2.0
/*
 * Memory is short: because of a cgroup's limit, reclaim by others, swap that goes away,
 * or no memory at all.  Processes that survive have all their bytes, and all memory and
 * all charges come back.
 */

#include "superpage_reserve.h"

#define MB	(1024 * 1024UL)

/* --- memory with contents -------------------------------------------------------------- */

/* Write each 64th word of a page, so that pages in zram take little memory. */
#define STEP	64

static struct {
	char *base;
	size_t pages;
	uint64_t *seed;			/* of each page; 0 stands for zeroes */
} m;

static uint64_t generation;

static char *addr_of(size_t page)
{
	return m.base + page * page_size;
}

static void memory_make(size_t bytes)
{
	m.pages = bytes / page_size;
	m.seed = sp_map_shared(m.pages * sizeof(*m.seed));
	m.base = sp_map(bytes, MB);
}

static void fill(size_t first, size_t n, size_t stride)
{
	uint64_t *w;
	size_t i;

	for (; n > 0; n -= n < stride ? n : stride, first += stride) {
		m.seed[first] = ++generation << 32 | 1;
		w = (uint64_t *)addr_of(first);
		memset(w, 0, page_size);
		for (i = 0; i < page_size / 8; i += STEP)
			w[i] = m.seed[first] + i;
	}
}

static void check(const char *when, size_t first, size_t n)
{
	const uint64_t *w;
	uint64_t want;
	size_t i;

	for (; n; n--, first++) {
		w = (const uint64_t *)addr_of(first);
		for (i = 0; i < page_size / 8; i++) {
			want = i % STEP || !m.seed[first] ? 0 : m.seed[first] + i;
			if (!sp_expect(READ_ONCE(w[i]) == want,
				       "%s: page %zu has %#lx in word %zu, not %#lx", when, first,
				       (unsigned long)w[i], i, (unsigned long)want))
				break;
		}
	}
}

/* Make a child that has its own copy of the shadow. */
static pid_t fork_child(void)
{
	size_t bytes = m.pages * sizeof(*m.seed);
	uint64_t *copy = NULL;
	pid_t pid;

	if (bytes) {
		copy = sp_map_shared(bytes);
		memcpy(copy, m.seed, bytes);
	}
	fflush(stdout);
	pid = sp_fork();
	if (!pid)
		m.seed = copy;
	else if (bytes)
		munmap(copy, bytes);
	return pid;
}

static long swapped_kb(void)
{
	return sp_field("/proc/self/status", "VmSwap:");
}

/* Do all kinds of things to memory of which a part is always in swap. */
static void use_memory(size_t bytes)
{
	size_t part;
	pid_t pid;

	memory_make(bytes);
	part = m.pages / 4;
	fill(0, m.pages, 1);
	sp_expect(swapped_kb() > 0, "nothing was swapped out");
	check("filled", 0, m.pages);
	fill(0, m.pages, 3);
	check("every third page written to", 0, m.pages);

	madvise(addr_of(part / 2), part * page_size, MADV_DONTNEED);
	memset(m.seed + part / 2, 0, part * sizeof(*m.seed));
	check("a part given back", 0, 2 * part);
	sp_expect(!mprotect(m.base, 2 * part * page_size, PROT_READ), "mprotect: %s",
		  strerror(errno));
	check("read-only", 0, 2 * part);
	sp_expect(!mprotect(m.base, 2 * part * page_size, PROT_READ | PROT_WRITE), "mprotect: %s",
		  strerror(errno));

	pid = fork_child();
	if (!pid) {
		check("child", 0, m.pages);
		fill(part, 2 * part, 2);
		check("child has written", 0, m.pages);
		sp_child_exit();
	}
	fill(2 * part, part, 2);
	sp_wait(pid);
	check("parent", 0, m.pages);
}

/* --- swap on zram, or on RAM disks ------------------------------------------------------- */

static unsigned int ram_disks;
static bool others_swap;		/* there was swap before; the tests use it, and it stays */

static bool zram_on(void)
{
	return others_swap || sp_swap_on(64 * MB);
}

static void zram_off(void)
{
	if (!others_swap)
		sp_swap_off();
}

static void brd_off(void)
{
	char path[32];

	while (ram_disks) {
		snprintf(path, sizeof(path), "/dev/ram%u", --ram_disks);
		sp_expect(!swapoff(path), "swapoff %s: %s", path, strerror(errno));
	}
}

/* RAM disks keep the memory that they have taken, so let them take all of it now. */
static void brd_write(const char *path, size_t bytes)
{
	static char zeroes[65536];
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	while (bytes >= sizeof(zeroes) && write(fd, zeroes, sizeof(zeroes)) > 0)
		bytes -= sizeof(zeroes);
	fsync(fd);
	close(fd);
}

/* RAM disks are small, so use as many as it takes. */
static bool brd_on(void)
{
	size_t total = 0, bytes;
	char path[64];

	if (others_swap)
		return false;
	while (total < 40 * MB && ram_disks < 16) {
		snprintf(path, sizeof(path), "/sys/block/ram%u/size", ram_disks);
		bytes = sp_get(path) * 512;
		snprintf(path, sizeof(path), "/dev/ram%u", ram_disks);
		if (bytes)
			brd_write(path, bytes);
		if (!bytes || !sp_swap_device_on(path, bytes))
			break;
		ram_disks++;
		total += bytes;
	}
	if (total < 40 * MB)
		brd_off();
	return ram_disks;
}

static const struct swap {
	const char *name;
	bool (*on)(void);
	void (*off)(void);
} swaps[] = {
	{ "zram", zram_on, zram_off },
	{ "RAM disks", brd_on, brd_off },
};

/* --- memory cgroups --------------------------------------------------------------------------- */

static char group[128];			/* the directory of this test's group, or empty */
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

/* Expect that nothing remains charged when all processes of the group have gone. */
static void check_uncharged(void)
{
	int patience = 200;
	long bytes;

	/* Drain the processors' stocks of charges. */
	sp_expect(!sp_write(group_file(v2 ? "memory.high" : "memory.force_empty"), "0"),
		  "the stock of charges cannot be drained");
	if (v2)
		sp_write(group_file("memory.high"), "max");
	while ((bytes = group_usage()) > (long)MB && patience--)
		usleep(10000);
	sp_expect(bytes <= (long)MB, "%ld kB are still charged", bytes >> 10);
}

/* --- the tests --------------------------------------------------------------------------- */

static void skip(const char *why, const char *name)
{
	ksft_test_result_skip("%s: %s\n", name, why);
}

static void group_limit(size_t bytes, bool swap)
{
	sp_expect(!sp_write_number(group_file(v2 ? "memory.max" : "memory.limit_in_bytes"),
				   bytes), "cannot set the limit");
	if (v2)
		sp_expect(!sp_write(group_file("memory.swap.max"), swap ? "max" : "0"),
			  "cannot set memory.swap.max");
	else
		sp_expect(!sp_write(group_file("memory.swappiness"), swap ? "60" : "0"),
			  "cannot set memory.swappiness");
}

static void group_enter(void)
{
	sp_need(!sp_write(group_file("cgroup.procs"), "0"), "cannot enter the cgroup");
}

/* Run a child in the group that uses @bytes, and return its status. */
static int group_run(size_t bytes)
{
	int status = -1;
	pid_t pid = fork_child();

	if (!pid) {
		group_enter();
		memory_make(bytes);
		fill(0, m.pages, 1);
		check("filled", 0, m.pages);
		sp_child_exit();
	}
	waitpid(pid, &status, 0);
	return status;
}

/* Have the kernel take what it takes once for a cgroup, on each processor, and keeps. */
static void warm_up(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN), i;
	pid_t pid;

	group_limit(16 * MB, false);
	for (i = 0; i < n; i++) {
		pid = fork_child();
		if (!pid) {
			sp_run_on(i);
			group_run(32 * MB);
			sp_child_exit();
		}
		sp_wait(pid);
	}
	check_uncharged();
	sleep(3);	/* until the OOM reaper has let go of them */
}

/* Use almost all of the limit: the last superpages do not fit, but base pages do. */
static void test_within_limit(void)
{
	struct sp_usage before;
	size_t max = 32 * MB;
	int i, status;

	group_limit(max, false);
	before = sp_usage_now();
	for (i = 0; i < 4; i++) {
		status = group_run(max - 2 * MB);
		sp_expect(!status, "the child ended with status %#x", status);
		check_uncharged();
	}
	sp_check_usage(before);
	sp_result("a cgroup's limit is not exceeded");
}

static void test_beyond_limit(void)
{
	struct sp_usage before = sp_usage_now();
	size_t max = 32 * MB;
	int i, status;

	group_limit(max, false);
	for (i = 0; i < 4; i++) {
		status = group_run(max * 2);
		sp_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL,
			  "the child ended with status %#x", status);
		check_uncharged();
	}
	sp_check_usage(before);
	sp_result("a cgroup's limit is exceeded");
}

/* The OOM killer kills one of three processes, and nothing happens to the others. */
static void test_oom_kill(void)
{
	struct sp_usage before = sp_usage_now();
	int full[2], killed[2], status = -1, i;
	pid_t pid[2], greedy;
	char c;

	group_limit(32 * MB, false);
	sp_need(!pipe(full) && !pipe(killed), "no pipe");
	for (i = 0; i < 2; i++) {
		pid[i] = fork_child();
		if (pid[i])
			continue;
		close(killed[1]);
		group_enter();
		memory_make(8 * MB);
		fill(0, m.pages / 4 * 3, 1);
		sp_expect(write(full[1], "", 1) == 1, "no word to the parent");
		sp_expect(read(killed[0], &c, 1) == 0, "a word from the parent");
		check("survived", 0, m.pages);
		fill(m.pages / 2, m.pages / 2, 1);
		check("and written to", 0, m.pages);
		sp_child_exit();
	}
	for (i = 0; i < 2; i++)
		sp_expect(read(full[0], &c, 1) == 1, "no word from a child");
	greedy = fork_child();
	if (!greedy) {
		sp_write("/proc/self/oom_score_adj", "1000");
		group_enter();
		memory_make(64 * MB);
		fill(0, m.pages, 1);
		sp_child_exit();
	}
	waitpid(greedy, &status, 0);
	sp_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL,
		  "who took too much ended with status %#x", status);
	close(killed[1]);
	for (i = 0; i < 2; i++)
		sp_wait(pid[i]);
	close(killed[0]);
	close(full[0]);
	close(full[1]);
	check_uncharged();
	sp_check_usage(before);
	sp_result("the OOM killer takes one of three");
}

/* --- frames set aside ---------------------------------------------------------------------- */

#define ASIDE	(16 * MB)		/* size of a mapping for which frames are set aside */
#define ASIDES	3

static size_t aside;			/* most bytes that are set aside in one piece of it */

/* Map memory and touch one page, so that the kernel sets frames aside. */
static char *make_aside(uint64_t tag)
{
	char *p = map_apart(ASIDE);

	WRITE_ONCE(*(uint64_t *)p, tag);
	return p;
}

/* Use all of it, and expect that the touched page has not changed. */
static void use_aside(char *p, uint64_t tag)
{
	uint64_t want = tag, word;
	size_t i;

	for (i = 0; i < ASIDE; i += page_size, want = 0) {
		word = READ_ONCE(*(uint64_t *)(p + i));
		sp_expect(word == want, "page %zu has %#lx, not %#lx", i / page_size,
			  (unsigned long)word, (unsigned long)want);
		WRITE_ONCE(*(uint64_t *)(p + i), tag + i);
	}
	for (i = 0; i < ASIDE; i += page_size)
		sp_expect(READ_ONCE(*(uint64_t *)(p + i)) == tag + i, "page %zu differs",
			  i / page_size);
}

/* What the processes that are going to be killed have seen. */
static struct seen {
	bool ready, end;
	long first, least, last;	/* how much was set aside, in kB */
} *seen;

/* Take memory until the OOM killer comes, and record how much is set aside meanwhile. */
static void be_greedy(size_t bytes)
{
	char *p = NULL;
	size_t i;
	long kb;

	for (i = 0; i < bytes; i += page_size) {
		/* Use several mappings: the kernel could refuse one that has all. */
		if (i % (16 * MB) == 0)
			p = map_apart(16 * MB);
		WRITE_ONCE(*(uint64_t *)(p + i % (16 * MB)), i);
		if (i % (2 * MB))
			continue;
		kb = reserved_kb();
		if (!i)
			seen->first = kb;
		if (!i || kb < seen->least)
			seen->least = kb;
		seen->last = kb;
	}
}

/*
 * A cgroup is at its limit, and the OOM killer kills one of its processes while frames are set
 * aside for that.  These are charged to nobody, so giving them back would help nobody in
 * the cgroup, and even less would giving back those of others.
 */
static void test_oom_aside(void)
{
	long before, theirs, kills, kb;
	struct sp_usage usage;
	int go[2], ready[2], status = -1, i;
	pid_t other, greedy;
	char *p[ASIDES], c;

	usage = sp_usage_now();
	before = reserved_kb();
	seen = sp_map_shared(sizeof(*seen));
	sp_growing();
	group_limit(64 * MB, false);
	sp_need(!pipe(go) && !pipe(ready), "no pipe");
	other = fork_child();
	if (!other) {
		close(go[1]);
		for (i = 0; i < ASIDES; i++)
			p[i] = make_aside(i + 1);
		sp_expect(write(ready[1], "", 1) == 1, "no word to the parent");
		sp_expect(read(go[0], &c, 1) == 0, "a word from the parent");
		/* Split the mapping, so that smaps shows its first reservation alone. */
		if (aside < ASIDE)
			sp_need(!madvise(p[0] + aside, ASIDE - aside, MADV_DONTDUMP), "madvise");
		for (i = 0; i < ASIDES; i++)
			use_aside(p[i], i + 1);
		/* Nobody took a frame of that reservation away, so it is one superpage. */
		sp_expect(sp_in_superpages(p[0], aside, aside) == aside,
			  "%zu of %zu kB are in superpages of this size",
			  sp_in_superpages(p[0], aside, aside) >> 10, aside >> 10);
		sp_child_exit();
	}
	sp_expect(read(ready[0], &c, 1) == 1, "no word from the child");
	theirs = reserved_kb();
	sp_expect(theirs - before >= (long)(aside >> 10) / 4 * 3, "%ld kB are set aside",
		  theirs - before);
	kills = event_count("oom_kill");
	greedy = fork_child();
	if (!greedy) {
		sp_write("/proc/self/oom_score_adj", "1000");
		group_enter();
		for (i = 0; i < ASIDES; i++)
			make_aside(i + 1);
		be_greedy(128 * MB);
		sp_child_exit();
	}
	waitpid(greedy, &status, 0);
	sp_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL,
		  "who took too much ended with status %#x", status);
	sp_expect(event_count("oom_kill") == kills + 1, "%ld processes were killed",
		  event_count("oom_kill") - kills);
	ksft_print_msg("%ld kB set aside, then %ld kB, at least %ld kB, at last %ld kB\n",
		       theirs - before, seen->first - before, seen->least - before,
		       seen->last - before);
	sp_expect(seen->last > theirs, "it had nothing set aside when it was killed");
	sp_expect(seen->least >= theirs, "%ld kB of the other's were given back",
		  theirs - seen->least);
	/* The frames of the killed process came back, those of the other did not. */
	expect_reserved(theirs, "killed");
	kb = reserved_kb();
	sp_expect(kb == theirs, "%ld kB are set aside for the other, not %ld kB", kb - before,
		  theirs - before);
	close(go[1]);
	sp_wait(other);
	close(go[0]);
	close(ready[0]);
	close(ready[1]);
	expect_reserved(before, "in the end");
	munmap(seen, sizeof(*seen));
	check_uncharged();
	sp_check_usage(usage);
	sp_write(SP_EAGER, "1");
	sp_result("a cgroup's OOM kill with frames set aside");
}

/*
 * No memory is left at all.  The kernel first gives back frames that are set aside, but two
 * processes have it set frames aside all the time, before, while and after it kills a process.
 */
static void test_global_oom(void)
{
	size_t bytes = ((size_t)sp_meminfo_kb("MemTotal:") << 10) * 2;
	struct sp_usage usage = sp_usage_now();
	long before = reserved_kb(), kills;
	int ready[2], status = -1, i;
	pid_t keeper, busy[2], greedy;
	char *p[ASIDES], c;

	seen = sp_map_shared(sizeof(*seen));
	sp_growing();
	sp_need(!pipe(ready), "no pipe");
	kills = event_count("oom_kill");
	keeper = fork_child();
	if (!keeper) {
		sp_write("/proc/self/oom_score_adj", "-1000");
		for (i = 0; i < ASIDES; i++)
			p[i] = make_aside(i + 1);
		sp_expect(write(ready[1], "", 1) == 1, "no word to the parent");
		while (!sp_acquire(&seen->end))
			usleep(10000);
		for (i = 0; i < ASIDES; i++)
			use_aside(p[i], i + 1);
		sp_child_exit();
	}
	sp_expect(read(ready[0], &c, 1) == 1, "no word from the child");
	for (i = 0; i < 2; i++) {
		busy[i] = fork_child();
		if (busy[i])
			continue;
		sp_write("/proc/self/oom_score_adj", "500");
		while (!sp_acquire(&seen->end)) {
			p[0] = make_aside(i + 1);
			usleep(1000);
			sp_expect(READ_ONCE(*(uint64_t *)p[0]) == (uint64_t)i + 1, "it differs");
			unmap_apart(p[0], ASIDE);
		}
		sp_child_exit();
	}
	greedy = fork_child();
	if (!greedy) {
		sp_write("/proc/self/oom_score_adj", "1000");
		for (i = 0; i < ASIDES; i++)
			make_aside(i + 1);
		be_greedy(bytes);
		sp_child_exit();
	}
	waitpid(greedy, &status, 0);
	sp_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL,
		  "who took all memory ended with status %#x", status);
	sp_expect(event_count("oom_kill") > kills, "it was not the OOM killer");
	ksft_print_msg("%ld kB were set aside, at least %ld kB, at last %ld kB; %ld killed\n",
		       seen->first - before, seen->least - before, seen->last - before,
		       event_count("oom_kill") - kills);
	sp_expect(seen->first - before >= (long)(aside >> 10) / 4 * 3, "%ld kB were set aside",
		  seen->first - before);
	sp_expect(seen->least < seen->first, "nothing was given back");
	sp_release(&seen->end, true);
	sp_wait(keeper);
	/* The OOM killer may kill these, too: it does not mind how little they have. */
	for (i = 0; i < 2; i++) {
		waitpid(busy[i], &status, 0);
		sp_expect(!status || (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL),
			  "who was busy ended with status %#x", status);
	}
	close(ready[0]);
	close(ready[1]);
	expect_reserved(before, "in the end");
	munmap(seen, sizeof(*seen));
	sp_check_usage(usage);
	sp_write(SP_EAGER, "1");
	sp_result("no memory is left");
}

/* Expect that all swap is free again. */
static void check_swap_free(long before_kb)
{
	/* Each CPU keeps 64 slots to allocate from, and 64 slots to free. */
	long kept_kb = sysconf(_SC_NPROCESSORS_CONF) * 2 * 64 * page_size >> 10;
	int patience = 100;
	long used_kb;

	do {
		used_kb = before_kb - sp_meminfo_kb("SwapFree:");
	} while (used_kb > kept_kb && patience-- && !usleep(10000));
	sp_expect(used_kb <= kept_kb, "%ld kB of swap are not given back", used_kb);
}

static void test_reclaim(const struct swap *swap)
{
	struct sp_count count = sp_count_all(), now;
	long swap_kb = sp_meminfo_kb("SwapFree:");
	pid_t pid;

	group_limit(16 * MB, true);
	pid = fork_child();
	if (!pid) {
		group_enter();
		use_memory(32 * MB);
		sp_child_exit();
	}
	sp_wait(pid);
	check_uncharged();
	check_swap_free(swap_kb);
	now = sp_count_all();
	if (sp_tunable)
		sp_expect(now.alloc > count.alloc && now.demoted > count.demoted,
			  "%ld superpages were used, %ld demoted", now.alloc - count.alloc,
			  now.demoted - count.demoted);
	sp_result("%s: a process reclaims its own memory", swap->name);
}

/* Another process reclaims, while two processes that share superpages sleep. */
static void test_reclaim_others(const struct swap *swap)
{
	long swap_kb = sp_meminfo_kb("SwapFree:");
	int full[2], reclaimed[2], i;
	pid_t pid, pid2;
	char c;

	group_limit(64 * MB, true);
	if (access(group_file(v2 ? "memory.reclaim" : "memory.force_empty"), W_OK)) {
		skip("nobody can reclaim a cgroup's memory", swap->name);
		return;
	}
	sp_need(!pipe(full) && !pipe(reclaimed), "no pipe");
	pid = fork_child();
	if (!pid) {
		close(reclaimed[1]);
		group_enter();
		memory_make(24 * MB);
		fill(0, m.pages, 1);
		pid2 = fork_child();
		sp_expect(write(full[1], "", 1) == 1, "no word to the parent");
		sp_expect(read(reclaimed[0], &c, 1) == 0, "a word from the parent");
		check("reclaimed", 0, m.pages);
		fill(pid2 ? 0 : m.pages / 4, m.pages / 2, 1);
		check("and written to", 0, m.pages);
		if (pid2) {
			sp_wait(pid2);
			check("parent", 0, m.pages);
		}
		sp_child_exit();
	}
	for (i = 0; i < 2; i++)
		sp_expect(read(full[0], &c, 1) == 1, "no word from a child");
	/* Reclaim need not find all that this asks for. */
	sp_write(group_file(v2 ? "memory.reclaim" : "memory.force_empty"), "20M");
	sp_expect(sp_meminfo_kb("SwapFree:") <= swap_kb - (8 << 10),
		  "only %ld kB were swapped out", swap_kb - sp_meminfo_kb("SwapFree:"));
	close(reclaimed[1]);
	sp_wait(pid);
	close(reclaimed[0]);
	close(full[0]);
	close(full[1]);
	check_uncharged();
	check_swap_free(swap_kb);
	sp_result("%s: somebody else reclaims", swap->name);
}

/*
 * Swap goes away while it has pages that two processes share.  After that the usage of
 * memory is what it was @before something was swapped out.
 */
static void test_swap_off(const struct swap *swap, struct sp_usage before)
{
	int out[2], off[2];
	pid_t pid, pid2;
	char c;

	if (others_swap) {
		skip("swap that is not ours stays", swap->name);
		return;
	}
	sp_need(!pipe(out) && !pipe(off), "no pipe");
	pid = fork_child();
	if (!pid) {
		close(off[1]);
		memory_make(16 * MB);
		fill(0, m.pages, 1);
		/* Swap out whole superpages, and a part of one. */
		madvise(m.base, m.pages / 2 * page_size, MADV_PAGEOUT);
		madvise(addr_of(m.pages / 4 * 3 + 3), 77 * page_size, MADV_PAGEOUT);
		sp_expect(swapped_kb() >= 4 << 10, "only %ld kB were swapped out", swapped_kb());
		pid2 = fork_child();
		if (pid2)
			sp_expect(write(out[1], "", 1) == 1, "no word to the parent");
		sp_expect(read(off[0], &c, 1) == 0, "a word from the parent");
		check("swapped in", 0, m.pages);
		fill(pid2 ? 0 : m.pages / 4, m.pages / 2, 1);
		if (!pid2)
			sp_child_exit();
		sp_wait(pid2);
		check("parent", 0, m.pages);
		sp_child_exit();
	}
	sp_expect(read(out[0], &c, 1) == 1, "no word from the child");
	swap->off();
	sp_expect(!sp_have_swap(), "there is swap still");
	close(off[1]);
	sp_wait(pid);
	close(off[0]);
	close(out[0]);
	close(out[1]);
	sp_check_usage(before);
	sp_result("%s: swap goes away", swap->name);
}

#define MAX_SWAP	"/sys/kernel/mm/transparent_hugepage/khugepaged/max_ptes_swap"

static long group_event(const char *name)
{
	return sp_field(group_file("memory.events"), name);
}

/*
 * khugepaged reads the missing pages of a block from swap, but not for a cgroup that is near its
 * limit: no process in there has asked for memory, and the OOM killer could kill one.
 */
static void test_khugepaged(const struct swap *swap)
{
	static const char * const events[] = { "max ", "oom ", "oom_kill " };
	unsigned long was = sp_get(MAX_SWAP), alloc_sleep = sp_get(SP_ALLOC_SLEEP);
	long n = sysconf(_SC_NPROCESSORS_ONLN), count[ARRAY_SIZE(events)], usage;
	int out[2], done[2], patience, status;
	unsigned int order;
	size_t len, i;
	pid_t pid;
	char c;

	/*
	 * Swap out every second page.  That is more than the processors may have in their stocks
	 * of charges, 64 pages each.
	 */
	len = (2 * 64 * (n + 1) * page_size + MB - 1) & -MB;
	group_limit(2 * len + 16 * MB, true);
	sp_need(!pipe(out) && !pipe(done), "no pipe");
	sp_permit(0);
	pid = fork_child();
	if (!pid) {
		close(done[1]);
		group_enter();
		memory_make(len);
		fill(0, m.pages, 1);
		for (i = 1; i < m.pages; i += 2)
			madvise(addr_of(i), page_size, MADV_PAGEOUT);
		sp_expect(swapped_kb() == (long)(len >> 11), "%ld kB were swapped out",
			  swapped_kb());
		sp_expect(write(out[1], "", 1) == 1, "no word to the parent");
		sp_expect(read(done[0], &c, 1) == 0, "a word from the parent");
		check("whole", 0, m.pages);
		sp_child_exit();
	}
	sp_expect(read(out[0], &c, 1) == 1, "no word from the child");
	/* Now the group may have not one page more, and reclaim finds nothing in it. */
	sp_expect(!sp_write(group_file("memory.swap.max"), "0"), "cannot set memory.swap.max");
	usage = group_usage();
	sp_expect(!sp_write_number(group_file("memory.max"), usage), "cannot set memory.max");
	for (i = 0; i < ARRAY_SIZE(events); i++)
		count[i] = group_event(events[i]);
	sp_khugepaged_works();
	sp_write(SP_SLEEP, "100");
	/* How long khugepaged rests when there is no memory. */
	sp_write(SP_ALLOC_SLEEP, "100");
	sp_write_number(MAX_SWAP, MB / page_size - 1);
	sp_permit(sp_all_orders());
	sp_expect(sp_khugepaged_scans(2), "khugepaged has not been everywhere");
	for (i = 0; i < ARRAY_SIZE(events); i++)
		sp_expect(group_event(events[i]) == count[i], "%sin memory.events: %ld more",
			  events[i], group_event(events[i]) - count[i]);
	if (sp_expect(!waitpid(pid, &status, WNOHANG), "the child has ended")) {
		/* Without the limit khugepaged collapses the blocks. */
		sp_write(group_file("memory.max"), "max");
		sp_permit(0);
		sp_permit(sp_all_orders());
		for (order = 0; page_size << order < MB; order++)
			;
		for (patience = 100; patience; patience--) {
			if (sp_mapped_by(pid, order) == (long)(len / MB))
				break;
			usleep(100000);
		}
		sp_expect(patience, "of %zu MiB, %ld are superpages then", len / MB,
			  sp_mapped_by(pid, order));
		close(done[1]);
		sp_wait(pid);
	} else {
		close(done[1]);
	}
	close(done[0]);
	close(out[0]);
	close(out[1]);
	sp_write_number(MAX_SWAP, was);
	sp_write_number(SP_ALLOC_SLEEP, alloc_sleep);
	sp_khugepaged_works();
	sp_khugepaged_rests();
	check_uncharged();
	sp_result("%s: khugepaged does not charge a cgroup up to its limit", swap->name);
}

/*
 * MADV_COLLAPSE of a sparse range that is larger than the limit of the cgroup.  Superpages of
 * 1 MiB fit; larger ones would fill the cgroup with zeroes, up to its limit.
 */
static void test_collapse(void)
{
	size_t len = 256 * MB, step = 16 * MB, at;
	long before, after;
	pid_t pid;
	char *p;

	group_limit(64 * MB, false);
	sp_permit(0);
	pid = fork_child();
	if (!pid) {
		group_enter();
		p = sp_map(len, step);
		for (at = 0; at < len; at += step)
			*(size_t *)(p + at) = at;
		sp_permit(sp_all_orders());
		before = group_usage();
		for (at = 0; at < len; at += step)
			madvise(p + at, step, MADV_COLLAPSE);
		after = group_usage();
		ksft_print_msg("%ld MiB are charged, %ld before\n", after >> 20, before >> 20);
		sp_expect(after - before <= (long)(len / step * MB + 8 * MB),
			  "%ld MiB more are charged", (after - before) >> 20);
		sp_expect(sp_in_superpages(p, len, MB) >= len / step * MB,
			  "only %zu kB are in superpages", sp_in_superpages(p, len, MB) >> 10);
		for (at = 0; at < len; at += step)
			sp_expect(*(size_t *)(p + at) == at, "%zx has changed", at);
		sp_child_exit();
	}
	sp_expect(sp_wait(pid), "the process failed");
	check_uncharged();
	sp_permit(sp_all_orders());
	sp_result("MADV_COLLAPSE of a range that is larger than the limit");
}

int main(int argc, char **argv)
{
	const struct swap *swap;
	struct sp_usage before;
	size_t i;

	(void)argc;
	sp_init(argv);
	ksft_set_plan(6 + 4 * ARRAY_SIZE(swaps));
	find_debug();
	aside = sp_most_aside() < ASIDE ? sp_most_aside() : ASIDE;
	others_swap = sp_have_swap();
	group_make();
	if (group[0])
		ksft_print_msg("cgroup v%d\n", v2 ? 2 : 1);
	sp_permit(sp_all_orders());

	if (group[0]) {
		warm_up();
		test_within_limit();
		test_beyond_limit();
		test_oom_kill();
		if (sp_tunable) {
			test_oom_aside();
			test_collapse();
		} else {
			skip("no superpages that we may tune", "frames set aside");
			skip("no superpages that we may tune", "MADV_COLLAPSE");
		}
	} else {
		for (i = 0; i < 5; i++)
			skip("no memory controller", "a limit");
	}
	if (!sp_tunable)
		skip("no superpages that we may tune", "no memory is left");
	else if (others_swap)
		skip("there is swap", "no memory is left");
	else
		test_global_oom();
	for (swap = swaps; swap < swaps + ARRAY_SIZE(swaps); swap++) {
		if (!swap->on()) {
			for (i = 0; i < 4; i++)
				skip("no swap", swap->name);
			continue;
		}
		/* RAM disks have kept memory since they were first used. */
		swap->off();
		before = sp_usage_now();
		sp_expect(swap->on(), "%s: no swap any more", swap->name);
		if (group[0]) {
			test_reclaim(swap);
			test_reclaim_others(swap);
		} else {
			for (i = 0; i < 2; i++)
				skip("no memory controller", swap->name);
		}
		if (!group[0] || !v2)
			skip("no memory controller of version 2", swap->name);
		else if (!sp_tunable)
			skip("no superpages that we may tune", swap->name);
		else
			test_khugepaged(swap);
		test_swap_off(swap, before);
		swap->off();
	}
	sp_permit(0);
	group_remove();
	ksft_finished();
}
