// SPDX-License-Identifier: GPL-2.0
/*
 * Processes give back memory, page tables and superpages when they end, at whatever
 * moment that is.
 */
#include <getopt.h>
#include <sched.h>
#include <time.h>

#include "superpage_reserve.h"

#define MB	(1024 * 1024UL)

static unsigned int rounds = 40;

static void touch(char *p, size_t len)
{
	size_t i;

	for (i = 0; i < len; i += page_size)
		WRITE_ONCE(p[i], 1);
}

/* Use memory in all kinds of ways until the parent kills this process. */
static void work(uint64_t seed)
{
	size_t len = 8 * MB, a, n;
	char *p;

	sp_rng = seed * SP_PATTERN + 1;
	for (;;) {
		p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (p == MAP_FAILED)
			_exit(3);
		touch(p, len / 2);
		a = sp_random_below(len / page_size / 2) * page_size;
		n = (1 + sp_random_below(16)) * page_size;
		switch (sp_random_below(6)) {
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
		if (sp_random_below(2))
			munmap(p, len);
		if (sp_meminfo_kb("MemFree:") < 128 << 10)
			_exit(0);
	}
}

/* Returns how often more than @aside kB were set aside when it killed processes. */
static unsigned int kill_many(unsigned int n, long aside)
{
	unsigned int i, k, held = 0;
	pid_t pid[4];

	for (i = 0; i < n; i++) {
		for (k = 0; k < ARRAY_SIZE(pid); k++) {
			pid[k] = sp_fork();
			if (!pid[k]) {
				/* The parent kills the group, with this process's children. */
				setpgid(0, 0);
				work(i * 16 + k + 1);
			}
			setpgid(pid[k], pid[k]);
		}
		usleep(500 + sp_random_below(5000));
		if (sp_tunable)
			held += reserved_kb() > aside;
		for (k = 0; k < ARRAY_SIZE(pid); k++) {
			kill(-pid[k], SIGKILL);
			waitpid(pid[k], NULL, 0);
		}
	}
	return held;
}

/* --- the kernel's objects ---------------------------------------------------------------- */

#define SLABS		"/sys/kernel/slab/"
#define MAX_CACHES	512
#define MOST_TIMES	10

static struct cache {
	char name[32];
	long objects;
	bool growing;	/* of those at the beginning */
} cache[3][MAX_CACHES];	/* at the beginning, half-way, now */

/* Count the objects of each cache that are in use. */
static size_t count_objects(struct cache *c)
{
	static char buf[65536];
	char path[PATH_MAX], *rest = buf, *line;
	struct dirent *entry;
	size_t n = 0;
	DIR *dir;

	sp_write("/proc/sys/vm/drop_caches", "2");
	usleep(100000);		/* until RCU has freed them */
	/* Shrink the caches: what each processor keeps at hand would count as used. */
	dir = opendir(SLABS);
	sp_need(dir, "no " SLABS);
	while ((entry = readdir(dir))) {
		if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), SLABS "%s/shrink", entry->d_name);
		sp_write(path, "1");
	}
	closedir(dir);
	sp_need(sp_slurp("/proc/slabinfo", buf, sizeof(buf)), "cannot read /proc/slabinfo");
	while (n < MAX_CACHES && (line = strsep(&rest, "\n")))
		if (sscanf(line, "%31s %ld", c[n].name, &c[n].objects) == 2)
			c[n++].growing = true;
	return n;
}

/*
 * Find a cache that has grown since @from, by half an object for each of the @killed processes,
 * and return its name, or NULL.  The objects may be lost.  Or they are in slabs that processors
 * allocate from, all of whose objects count as in use; but then their number does not go on
 * growing while more processes are killed.  So this gives up a cache that has not grown once.
 * A single slab may have more objects than there were processes: with pages of 64 KiB, 682
 * of 96 bytes.
 */
static const char *grown(const struct cache *from, size_t n, long killed)
{
	const char *name = NULL;
	size_t i;

	for (i = 0; i < n; i++) {
		long more = cache[2][i].objects - from[i].objects;
		long all = cache[2][i].objects - cache[0][i].objects;

		/* In the second half, consider only caches that grew as much in the first. */
		if (more < killed / 2 || (from != cache[0] && all < killed))
			cache[0][i].growing = false;
		if (!cache[0][i].growing)
			continue;
		ksft_print_msg("%s: %+ld objects after %ld processes\n", from[i].name, more,
			       killed);
		name = from[i].name;
	}
	return name;
}

/* --- the tests ---------------------------------------------------------------------------- */

static void test_kill(const char *how)
{
	unsigned int i, killed = 0, held = 0;
	const char *name = NULL;
	struct sp_usage before;
	long aside = 0, lost;
	size_t n = 0;

	/* First let this process and the kernel take the memory that they keep. */
	memset(cache, 0, sizeof(cache));
	sp_permit(sp_all_orders());
	kill_many(rounds / 4 + 1, 0);
	if (sp_tunable) {
		n = count_objects(cache[0]);
		aside = reserved_kb();
	}
	before = sp_usage_now();
	for (i = 1; i <= 2 || (name && i <= MOST_TIMES); i++) {
		held += kill_many(rounds / 2, aside);
		killed += rounds / 2;
		if (!sp_tunable)
			continue;
		sp_expect(count_objects(cache[2]) == n, "there is another cache");
		/* The first half of the rounds tells little. */
		if (i > 1)
			name = grown(cache[0], n, killed * 4);
		if (i == MOST_TIMES / 2)
			memcpy(cache[1], cache[2], sizeof(cache[1]));
	}
	if (name)
		name = grown(cache[1], n, killed / 2 * 4);
	/*
	 * Slabs that are partly in use may have taken a few pages more; five were seen.  If the
	 * processes had lost these pages, as many processes would lose as many again.
	 */
	lost = sp_tunable ? sp_usage_now().lost - before.lost : 0;
	if (lost > SP_NOISE) {
		sp_expect(lost <= killed * 4 / 10, "%ld pages are lost", lost);
		before.lost += lost;
		held += kill_many(killed, aside);
		killed *= 2;
	}
	sp_check_usage(before);
	if (sp_tunable)
		sp_expect(n > 20, "there are only %zu caches", n);
	sp_expect(!name, "%s grows with each process", name);
	sp_permit(0);
	if (sp_tunable && !sp_get(SP_EAGER)) {
		ksft_print_msg("frames were set aside %u times of %u\n", held, killed);
		sp_expect(held > killed / 2, "%u times of %u", held, killed);
		expect_reserved(aside, "killed");
	}
	sp_result("%u processes were killed, %s", killed * 4, how);
}

/* munmap() frees the page tables of a process that goes on. */
static void test_tables(void)
{
	size_t span = sp_leaf_span(), len = 8 * MB;
	struct sp_usage before = sp_usage_now();
	unsigned int i;
	char *p;

	sp_permit(sp_all_orders());
	for (i = 0; i < 30; i++) {
		p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		sp_need(p != MAP_FAILED, "mmap");
		touch(p, i % 3 ? len : page_size);
		munmap(p, len);
	}
	/* Map much memory, and touch almost nothing of it. */
	p = mmap(NULL, 1024 * span, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p != MAP_FAILED) {
		long kb = sp_field("/proc/self/status", "VmPTE:");

		kb -= before.own_tables * (long)(page_size >> 10);
		sp_expect(kb <= (long)(16 * page_size >> 10),
			  "%ld kB of page tables for memory that nobody touched", kb);
		munmap(p, 1024 * span);
	}
	sp_permit(0);
	sp_check_usage(before);
	sp_result("page tables");
}

#define CHILDREN	32
#define TOUCHED		6

/*
 * One process after the other touches a little of a megabyte.  Each gets the frames of those
 * before it, which are still in a cache: the kernel frees a process's frames as a whole block.
 */
static void test_again(void)
{
	const size_t n = CHILDREN * TOUCHED;
	size_t i, distinct = 1;
	uint64_t *frame;
	pid_t pid;
	char *p;

	sp_permit(sp_all_orders());
	frame = mmap(NULL, n * sizeof(*frame), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		     -1, 0);
	sp_need(frame != MAP_FAILED, "mmap");
	for (i = 0; i < n; i += TOUCHED) {
		pid = sp_fork();
		if (!pid) {
			sp_run_on(0);
			p = mmap(NULL, 2 * MB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				 -1, 0);
			sp_need(p != MAP_FAILED, "mmap");
			p = (char *)(((uintptr_t)p + MB - 1) & ~(MB - 1));
			touch(p, TOUCHED * page_size);
			sp_read_frames(p, TOUCHED, page_size, frame + i);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
	qsort(frame, n, sizeof(*frame), sp_compare);
	sp_expect(frame[0], "a child has touched less");
	for (i = 1; i < n; i++)
		distinct += frame[i] != frame[i - 1];
	sp_expect(distinct <= n / 8, "%zu frames for %d pages", distinct, TOUCHED);
	munmap(frame, n * sizeof(*frame));
	sp_permit(0);
	sp_result("%d processes, one after the other: %zu frames for %d pages", CHILDREN,
		  distinct, TOUCHED);
}

int main(int argc, char **argv)
{
	int opt;

	while ((opt = getopt(argc, argv, "n:s:")) != -1) {
		switch (opt) {
		case 'n':
			rounds = sp_number(optarg, 4, INT_MAX);
			break;
		case 's':
			sp_rng = sp_number(optarg, 0, LONG_MAX) | 1;
			break;
		default:
			fprintf(stderr, "superpage_leak [-n ROUNDS] [-s SEED]\n");
			return 2;
		}
	}
	sp_init(argv);
	find_debug();
	ksft_set_plan(4);
	test_tables();
	test_kill("with superpages");
	sp_growing();
	test_again();
	test_kill("with frames set aside");
	ksft_finished();
}
