// SPDX-License-Identifier: GPL-2.0
/*
 * Compaction makes free blocks of 1 MiB out of the memory between superpages of 1 MiB, and
 * leaves the superpages alone, whoever asks for the blocks.  No byte changes.
 */
#include <pthread.h>
#include <sys/resource.h>

#include "superpage.h"

#ifndef MADV_HUGEPAGE
#define MADV_HUGEPAGE	14
#endif

#define MB	(1024 * 1024UL)
#define THP	"/sys/kernel/mm/transparent_hugepage/"
#define DEFRAG	THP "defrag"
#define MADE	THP "hugepages-1024kB/stats/anon_fault_alloc"

/* After failures the kernel skips compaction once, twice, 4 times ... 64 times. */
#define PUT_OFF	512

#define PIPES		2000
#define THREADS		3000U
#define SPARE		(8 * MB)	/* more than the error of MemFree */
#define WORK		"compact_daemon_migrate_scanned "

static char *held;
static size_t held_len;

static uint64_t *word(size_t offset)
{
	return (uint64_t *)(held + offset);
}

/*
 * Is there a page at this offset?  Superpages have all pages.  The blocks between them have half
 * of theirs, at random: compaction that is in a hurry looks for free pages in steps, and would
 * miss those of a regular pattern.
 */
static bool is_held(size_t offset)
{
	return offset / MB % 2 == 0 || (uint32_t)(offset / page_size) * 2654435761U >> 31;
}

/*
 * Take nearly all memory: a superpage of 1 MiB, 1 MiB of base pages, and so on.  Then give
 * half of the base pages back.
 */
static void hold(void)
{
	size_t free, i, k;

	sp_write("/proc/sys/vm/drop_caches", "3");
	free = (size_t)sp_meminfo_kb("MemFree:") << 10;
	held_len = (free - free / 8) & -(2 * MB);
	held = sp_map(held_len, MB);
	madvise(held, held_len, MADV_DONTDUMP);	/* no other mapping is merged with it */
	for (i = 0; i < held_len; i += MB) {
		sp_permit(i / MB % 2 ? 0 : MB / page_size);
		for (k = 0; k < MB; k += page_size)
			*word(i + k) = i + k + 1;
	}
	for (i = MB; i < held_len; i += 2 * MB)
		for (k = 0; k < MB; k += page_size)
			if (!is_held(i + k))
				madvise(held + i + k, page_size, MADV_DONTNEED);
}

static void check_held(const char *when)
{
	size_t i;

	for (i = 0; i < held_len; i += page_size)
		if (is_held(i) &&
		    !sp_expect(*word(i) == i + 1, "%s: %lx at %zx", when,
			       (unsigned long)*word(i), i))
			return;
}

/* Page faults compact memory for up to a quarter of what is free in pieces. */
static void test_demand(void)
{
	size_t before = sp_in_superpages(held, held_len, MB), after, i;
	long n = held_len / 16 / MB, first, made;
	char *p;

	sp_permit(MB / page_size);
	sp_write(DEFRAG, "never");
	do {
		made = sp_get(MADE);
		p = sp_map(MB, MB);
		*p = 1;
	} while ((long)sp_get(MADE) > made);

	sp_write(DEFRAG, "madvise");
	p = sp_map((n + PUT_OFF) * MB, MB);
	madvise(p, (n + PUT_OFF) * MB, MADV_HUGEPAGE);
	first = sp_get(MADE);
	for (i = 0; i < n + PUT_OFF && (long)sp_get(MADE) < first + n; i++)
		p[i * MB] = 1;
	made = sp_get(MADE) - first;
	after = sp_in_superpages(held, held_len, MB);
	ksft_print_msg("%ld of %ld blocks of 1 MiB were made in %zu page faults\n", made, n, i);
	sp_expect(made >= n * 3 / 4, "only %ld of %ld blocks were made", made, n);
	sp_expect(after == before, "of %zu kB in superpages %zu are left", before >> 10,
		  after >> 10);
	check_held("compacted on demand");
	sp_result("compaction for blocks of 1 MiB leaves superpages of 1 MiB");
}

/*
 * Unmovable pages, of pipes, take pageblocks from movable pages.  The page allocator then has
 * kcompactd restore whole pageblocks, which are larger than 1 MiB.
 */
static void test_blocks(void)
{
	size_t before = sp_in_superpages(held, held_len, MB), after;
	long work = sp_field("/proc/vmstat", WORK);
	long most = sp_meminfo_kb("MemFree:") / 2, written = 0;
	struct rlimit limit = { 2 * PIPES + 64, 2 * PIPES + 64 };
	char page[page_size];
	int pipes[PIPES][2];
	int n, i;

	sp_need(!setrlimit(RLIMIT_NOFILE, &limit), "setrlimit");
	memset(page, 0, sizeof(page));
	for (n = 0; n < PIPES && written < most && sp_field("/proc/vmstat", WORK) == work; n++) {
		sp_need(!pipe2(pipes[n], O_NONBLOCK), "no pipe");
		while (write(pipes[n][1], page, page_size) > 0)
			written += page_size >> 10;
	}
	for (i = 0; i < 50 && sp_field("/proc/vmstat", WORK) == work; i++)
		usleep(100000);
	usleep(500000);
	after = sp_in_superpages(held, held_len, MB);
	while (n--) {
		close(pipes[n][0]);
		close(pipes[n][1]);
	}
	sp_expect(after == before, "of %zu kB in superpages %zu are left", before >> 10,
		  after >> 10);
	check_held("page blocks restored");
	work = sp_field("/proc/vmstat", WORK) - work;
	ksft_print_msg("kcompactd has looked at %ld pages\n", work);
	sp_expect(work, "kcompactd was not woken");
	sp_result("kcompactd leaves superpages of 1 MiB for page blocks");
}

static bool busy_end;

/* Split the last MiB, which has base pages, off the mapping, and merge it, in a loop. */
static void *busy(void *arg)
{
	size_t *n = arg;

	for (; !sp_acquire(&busy_end); WRITE_ONCE(*n, *n + 1)) {
		mprotect(held + held_len - MB, MB, PROT_READ);
		mprotect(held + held_len - MB, MB, PROT_READ | PROT_WRITE);
	}
	return NULL;
}

/*
 * While a mapping is split or merged, compaction cannot lock the anon_vma to find out which
 * pages are parts of superpages.
 */
static void test_all(bool while_busy)
{
	size_t before = sp_in_superpages(held, held_len, MB), after, n = 0;
	pthread_t thread;

	sp_expect(before >= held_len / 4, "only %zu of %zu kB are in superpages", before >> 10,
		  held_len >> 10);
	if (while_busy) {
		sp_need(!pthread_create(&thread, NULL, busy, &n), "no thread");
		while (!READ_ONCE(n))
			sched_yield();
	}
	sp_expect(!sp_write("/proc/sys/vm/compact_memory", "1"), "compact_memory");
	if (while_busy) {
		sp_release(&busy_end, true);
		pthread_join(thread, NULL);
		ksft_print_msg("the mapping changed %zu times\n", n);
	}
	after = sp_in_superpages(held, held_len, MB);
	sp_expect(after == before, "of %zu kB in superpages %zu are left", before >> 10,
		  after >> 10);
	check_held("compacted");
	sp_result("compaction of all memory leaves superpages of 1 MiB%s",
		  while_busy ? " while their mapping changes" : "");
}

static bool threads_end;

static void *sleeper(void *arg)
{
	while (!sp_acquire(&threads_end))
		usleep(100000);
	return arg;
}

/*
 * Return how many bytes are in pageblocks that are kept for atomic requests of high order.  The
 * page allocator refuses that many to others, even if pages of these blocks are in use.
 */
static long high_atomic(void)
{
	const char *path = "/proc/pagetypeinfo";
	char buf[8192], *blocks;
	long n;

	blocks = sp_slurp(path, buf, sizeof(buf)) ? strstr(buf, "Number of blocks type") : NULL;
	blocks = blocks ? strchr(blocks, '\n') : NULL;
	if (!blocks || sscanf(blocks, " Node %*d, zone %*s %*d %*d %*d %ld", &n) != 1)
		return 0;
	return n * sp_field(path, "Pages per block:") * page_size;
}

/* Return the free memory above the high watermark, in bytes. */
static long above_high(void)
{
	long above = (sp_meminfo_kb("MemFree:") << 10) -
		     sp_field("/proc/zoneinfo", "        high ") * (long)page_size;

	/* Subtract it only where it matters: high_atomic() takes long. */
	return above < 64 * (long)MB ? above - high_atomic() : above;
}

/*
 * Give back every second superpage in the upper half of memory, and return how many bytes that
 * is.  Unmovable base pages take their place.  Compaction moves pages to higher addresses only,
 * so it has to find room there.
 */
static size_t make_room(void)
{
	size_t n = held_len / MB, freed = 0, seen = 0, i;
	uint64_t *frame = sp_map(2 * n * sizeof(*frame), page_size), *sorted = frame + n;

	sp_read_frames(held, n, MB, frame);
	memcpy(sorted, frame, n * sizeof(*frame));
	qsort(sorted, n, sizeof(*sorted), sp_compare);
	for (i = 0; i < n; i++)
		if (frame[i] > sorted[n / 2] && ++seen % 2 == 0) {
			madvise(held + i * MB, MB, MADV_DONTNEED);
			freed += MB;
		}
	munmap(frame, 2 * n * sizeof(*frame));
	return freed;
}

/*
 * Give every second frame back, so that no two free ones are in a row.  These are the even ones:
 * compaction that has found no free page for a while looks only at every 32nd frame.
 */
static void make_holes(char *p, size_t len)
{
	size_t n = len / page_size, i;
	uint64_t *frame = sp_map(n * sizeof(*frame), page_size);

	sp_read_frames(p, n, page_size, frame);
	for (i = 0; i < n; i++)
		if (frame[i] % 2 == 0)
			sp_expect(!madvise(p + i * page_size, page_size, MADV_DONTNEED_LOCKED),
				  "no hole");
	munmap(frame, n * sizeof(*frame));
}

/*
 * All movable pages are in superpages of 1 MiB, and nearly all free pages are single ones
 * between unmovable pages, at higher addresses than many superpages.  The stacks of threads need
 * up to 8 pages in a row.
 */
static void need_stacks(void)
{
	size_t len = ((size_t)sp_meminfo_kb("MemFree:") << 10) & -MB, rest_len = 0, room;
	size_t before, after, missing = 0, n = 0, k;
	pthread_t threads[THREADS];
	pthread_attr_t attr;
	long made;
	char *rest;

	held = sp_map(len, MB);
	rest = sp_map(len, MB);
	sp_need(!mlock2(rest, len, MLOCK_ONFAULT), "mlock2");
	sp_permit(MB / page_size);
	/* Pages come and go, so a page fault may find no block, and the next one finds one. */
	for (held_len = 0; above_high() > (long)SPARE && missing < 16 && held_len < len;
	     held_len += MB) {
		made = sp_get(MADE);
		held[held_len] = 1;
		if ((long)sp_get(MADE) == made) {
			madvise(held + held_len, MB, MADV_DONTNEED);
			missing++;
			continue;
		}
		/* Write to each page: where memory is short, the kernel frees pages of zeroes. */
		for (k = 0; k < MB; k += page_size)
			*word(held_len + k) = held_len + k + 1;
		missing = 0;
	}
	sp_permit(0);
	/* Use up the smaller pieces. */
	for (; above_high() > (long)SPARE; rest_len += page_size)
		rest[rest_len] = 1;
	room = make_room();
	memset(rest + rest_len, 1, room);
	make_holes(rest + rest_len, room);
	before = sp_in_superpages(held, held_len, MB);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 256 * 1024);
	/*
	 * Start threads until one stack needs the memory of a superpage, but no more: compaction
	 * skips many free pages, and when it finds none any more, the OOM killer comes.
	 */
	while (n < THREADS && above_high() > (long)SPARE) {
		if (!sp_expect(!pthread_create(&threads[n], &attr, sleeper, NULL),
			       "no thread %zu", n))
			break;
		if (++n % 16 == 0 && sp_in_superpages(held, held_len, MB) < before)
			break;
	}
	after = sp_in_superpages(held, held_len, MB);
	ksft_print_msg("%zu threads; of %zu kB in superpages %zu are left\n", n, before >> 10,
		       after >> 10);
	sp_expect(after < before, "no superpage was needed");
	sp_release(&threads_end, true);
	while (n--)
		pthread_join(threads[n], NULL);
	/* Check the superpages that have not been given back. */
	for (k = 0; k < held_len; k += page_size)
		sp_expect(!*word(k & -MB) || *word(k) == k + 1, "%lx at %zx",
			  (unsigned long)*word(k), k);
}

static void test_last(void)
{
	const char *unevictable = "/proc/sys/vm/compact_unevictable_allowed";
	const char *boost = "/proc/sys/vm/watermark_boost_factor";
	const char *min_free = "/proc/sys/vm/min_free_kbytes";
	unsigned long boost_was = sp_get(boost), min_free_was = sp_get(min_free);
	pid_t pid;

	sp_write("/proc/sys/vm/drop_caches", "3");
	sp_expect(!sp_write(unevictable, "0"), "compact_unevictable_allowed");
	/* Let the test use nearly all memory: what it may not use would be in large blocks. */
	sp_expect(!sp_write(boost, "0"), "watermark_boost_factor");
	sp_expect(!sp_write(min_free, "2048"), "min_free_kbytes");
	pid = sp_fork();
	if (!pid) {
		need_stacks();
		sp_child_exit();
	}
	sp_wait(pid);
	sp_write(unevictable, "1");
	sp_write_number(boost, boost_was);
	sp_write_number(min_free, min_free_was);
	sp_result("a small block that nothing else can make is made of a superpage");
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		fprintf(stderr, "%s takes no arguments\n", argv[0]);
		exit(2);
	}
	sp_init(argv);
	if (!sp_tunable || !(sp_all_orders() & MB / page_size) || access(DEFRAG, W_OK))
		ksft_exit_skip("no superpages of 1 MiB that we may tune\n");
	/* With pages of 64 KiB a stack is a single page, so test_last() makes no sense. */
	ksft_set_plan(page_size < 64 * 1024 ? 5 : 4);
	/*
	 * This comes before the tests that give pageblocks to unmovable pages: compaction does
	 * not look for free pages there first.
	 */
	if (page_size < 64 * 1024)
		test_last();
	/* A kswapd that has given up does not wake kcompactd. */
	sp_revive_kswapd();
	hold();
	test_demand();
	test_blocks();
	test_all(false);
	test_all(true);
	ksft_finished();
}
