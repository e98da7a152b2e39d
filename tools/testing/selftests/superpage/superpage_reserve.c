// SPDX-License-Identifier: GPL-2.0
/*
 * Frames that are set aside: they come back when their addresses are unmapped, the kernel
 * gives them to whoever needs memory, and none is lost or used twice, whatever happens
 * between the steps of a page fault.
 *
 * With CONFIG_SUPERPAGE_DEBUG the kernel takes the frames away at a step that the test
 * chooses, and checks its accounts.  Without it, the test checks what a program can see.
 */
#include <getopt.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "superpage_reserve.h"

#define MB		(1024 * 1024UL)
#define UNIT		(4 * page_size)

static size_t large = 16 * MB;		/* a size that the kernel sets aside in one piece */
static unsigned int rounds = 12;

#define BOOST		"/proc/sys/vm/watermark_boost_factor"
#define SCALE		"/proc/sys/vm/watermark_scale_factor"
#define FAULT_MAX	"/proc/sys/vm/superpage_fault_max"

static unsigned long old_boost, old_scale, old_fault_max;

/* Undo what a test that fails may leave behind. */
static void restore(void)
{
	if (getpid() != sp_main_pid)
		return;
	sp_write_number(BOOST, old_boost);
	sp_write_number(SCALE, old_scale);
	sp_write_number(FAULT_MAX, old_fault_max);
	if (have_debug)
		sp_write(debug_file("step"), "0");
}

static long us_since(const struct timespec *from)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - from->tv_sec) * 1000000 + (now.tv_nsec - from->tv_nsec) / 1000;
}

static void touch(char *p)
{
	sp_expect(!READ_ONCE(*(uint64_t *)p), "fresh memory is not zero");
	WRITE_ONCE(*(uint64_t *)p, (uintptr_t)p);
}

static void expect_touched(char *p)
{
	sp_expect(READ_ONCE(*(uint64_t *)p) == (uintptr_t)p, "what was written is not there");
}

/* --- operations on addresses ---------------------------------------------------------------- */

/*
 * Make a mapping with one touched page, so that frames for almost all of it are set aside.  In
 * a child there may be fewer, since a mapping next to an inherited one is merged with it.
 */
static char *make(size_t len, long *kb)
{
	long before = reserved_kb(), least = getpid() == sp_main_pid ? len >> 11 : 1;
	char *p = sp_map(len, len);

	sp_permit(sp_all_orders());
	touch(p + len / 2);
	*kb = reserved_kb() - before;
	sp_expect(*kb >= least, "%ld kB were set aside for %zu kB", *kb, len >> 10);
	return p;
}

static void test_shown(void)
{
	long before = reserved_kb(), free_kb = sp_meminfo_kb("MemFree:"), kb, zones = 0;
	long available = sp_meminfo_kb("MemAvailable:");
	static char zoneinfo[1 << 16];
	long dirty = event_count("nr_dirty_threshold");
	size_t len = large;
	char *p, *line;

	p = make(len, &kb);
	sp_expect(sp_meminfo_kb("MemFree:") <= free_kb - kb + 2048, "it is still free");
	sp_expect(sp_meminfo_kb("MemAvailable:") >= available - 2048,
		  "%ld kB less are available", available - sp_meminfo_kb("MemAvailable:"));
	/* Otherwise the kernel would throttle writers. */
	sp_expect(event_count("nr_dirty_threshold") >= dirty - 64,
		  "%ld pages less may be dirty", dirty - event_count("nr_dirty_threshold"));
	sp_slurp("/proc/zoneinfo", zoneinfo, sizeof(zoneinfo));
	for (line = zoneinfo; (line = strstr(line, "nr_superpage_reserved")); line++)
		zones += strtol(line + strlen("nr_superpage_reserved"), NULL, 10);
	sp_expect(zones * (long)(page_size >> 10) == reserved_kb(),
		  "%ld kB in /proc/zoneinfo, %ld kB in /proc/meminfo",
		  zones * (long)page_size >> 10, reserved_kb());
	munmap(p, len);
	expect_reserved(before, "unmapped");
	sp_permit(0);
	sp_result("what is set aside is shown and available");
}

static void test_ops(void)
{
	size_t len = large, i;
	long before, kb, left;
	char *p, *q;
	pid_t pid;

	/* Unmapping a part gives back its frames, and keeps those of the rest. */
	before = reserved_kb();
	p = make(len, &kb);
	munmap(p, len / 4);
	left = reserved_kb() - before;
	sp_expect(left <= kb - (long)(len >> 12) + 64 && left > 0, "%ld of %ld kB are left", left,
		  kb);
	expect_touched(p + len / 2);
	/* Another mapping at these addresses gets other frames. */
	sp_need(map_at(p, len / 4) == p, "mmap");
	for (i = 0; i < len; i += 2 * page_size)
		if (i != len / 2)
			touch(p + i);
	expect_touched(p + len / 2);
	munmap(p, len);
	expect_reserved(before, "munmap");

	p = make(len, &kb);
	sp_need(map_at(p, len) == p, "mmap over it");
	expect_reserved(before, "mapped over");
	munmap(p, len);

	p = make(len, &kb);
	q = mremap(p, len, 2 * len, MREMAP_MAYMOVE | MREMAP_FIXED, sp_map(2 * len, len));
	sp_need(q != MAP_FAILED, "mremap");
	sp_expect(READ_ONCE(*(uint64_t *)(q + len / 2)) == (uintptr_t)(p + len / 2),
		  "what was moved is not there");
	/* The reservation moves together with the page. */
	left = reserved_kb() - before;
	sp_expect(left >= kb - 256, "after mremap() %ld of %ld kB are set aside", left, kb);
	check_books("mremap");
	for (i = 0; i < 2 * len; i += UNIT)
		if (i != len / 2)
			touch(q + i);
	sp_expect(sp_in_superpages(q, len, len / 4) >= len / 4 * 3,
		  "%zu kB in superpages of a quarter", sp_in_superpages(q, len, len / 4) >> 10);
	munmap(q, 2 * len);
	expect_reserved(before, "mremap");

	/* It does not move to where it is not aligned, nor in part. */
	p = make(len, &kb);
	q = sp_map(2 * len, len);
	sp_need(mremap(p, len, len, MREMAP_MAYMOVE | MREMAP_FIXED, q + UNIT) == q + UNIT, "mremap");
	expect_reserved(before, "mremap by less than its size");
	munmap(q, 2 * len);
	p = make(len, &kb);
	q = sp_map(len, len);
	sp_need(mremap(p + len / 2, len / 2, len / 2, MREMAP_MAYMOVE | MREMAP_FIXED, q + len / 2) ==
		q + len / 2, "mremap");
	touch(p);
	munmap(p, len);
	munmap(q, len);
	expect_reserved(before, "mremap of a part");

	p = make(len, &kb);
	if (!syscall(SYS_mbind, p, len, 2, &(unsigned long){ 1 }, 8, 0)) {
		expect_reserved(before, "mbind");
		for (i = 0; i < len; i += UNIT)
			if (i != len / 2)
				touch(p + i);
		expect_touched(p + len / 2);
	}
	munmap(p, len);
	expect_reserved(before, "mbind, unmapped");

	/* After fork() the frames stay the parent's, who goes on with them. */
	p = make(len, &kb);
	pid = sp_fork();
	if (!pid) {
		expect_touched(p + len / 2);
		for (i = 0; i < len; i += UNIT)
			if (i != len / 2)
				touch(p + i);
		check_books("child");
		sp_child_exit();
	}
	sp_wait(pid);
	sp_expect(reserved_kb() - before >= kb - 256, "the child has taken %ld kB",
		  kb - (reserved_kb() - before));
	for (i = 0; i < len; i += UNIT)
		if (i != len / 2)
			touch(p + i);
	munmap(p, len);
	expect_reserved(before, "fork");

	/* A process that ends gives all frames back. */
	pid = sp_fork();
	if (!pid) {
		make(len, &kb);
		sp_child_exit();
	}
	sp_wait(pid);
	expect_reserved(before, "exit");
	pid = sp_fork();
	if (!pid) {
		make(len, &kb);
		for (;;)
			pause();
	}
	usleep(50000);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	expect_reserved(before, "killed");
	sp_permit(0);
	sp_result("what unmaps gives back");
}

/* Frames that a reservation has lost do not come back to it. */
static void test_dontneed(void)
{
	size_t len = 4 * MB, i;
	long before = reserved_kb(), kb;
	char *p = make(len, &kb);

	for (i = 0; i < len; i += page_size)
		WRITE_ONCE(*(uint64_t *)(p + i), i);
	madvise(p + MB, MB, MADV_DONTNEED);
	for (i = MB; i < 2 * MB; i += page_size)
		touch(p + i);
	for (i = 0; i < len; i += page_size)
		sp_expect(READ_ONCE(*(uint64_t *)(p + i)) ==
			  (i >= MB && i < 2 * MB ? (uintptr_t)(p + i) : i), "page %zu differs",
			  i / page_size);
	munmap(p, len);
	expect_reserved(before, "unmapped");
	sp_permit(0);
	sp_result("MADV_DONTNEED");
}

/* --- no frame at two addresses ------------------------------------------------------------- */

/* Expect that no two pages share a frame.  @entry has frames, or 0; this changes it. */
static void expect_distinct(uint64_t *entry, size_t pages)
{
	size_t n = 0, i;

	for (i = 0; i < pages; i++)
		if (entry[i])
			entry[n++] = entry[i] << 24 | i;
	qsort(entry, n, sizeof(*entry), sp_compare);
	for (i = 1; i < n; i++)
		sp_expect(entry[i] >> 24 != entry[i - 1] >> 24,
			  "pages %lu and %lu of %zu have the frame %#lx",
			  (unsigned long)entry[i - 1] & 0xffffff,
			  (unsigned long)entry[i] & 0xffffff, pages,
			  (unsigned long)(entry[i] >> 24));
}

/* Read the frames of a range of this process; 0 where there is none, or the zero page. */
static void read_frames(char *p, size_t pages, uint64_t *frame)
{
	static uint64_t zero;
	char *plain;
	size_t i;

	if (!zero) {
		plain = mmap(NULL, page_size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		sp_need(plain != MAP_FAILED && !READ_ONCE(*plain), "cannot map a page");
		sp_read_frames(plain, 1, page_size, &zero);
		munmap(plain, page_size);
	}
	sp_read_frames(p, pages, page_size, frame);
	for (i = 0; i < pages; i++)
		if (frame[i] == zero)
			frame[i] = 0;
}

/* Expect that no two pages of a range of this process share a frame. */
static void check_frames(char *p, size_t len)
{
	size_t pages = len / page_size;
	uint64_t *frame = sp_map_shared(pages * sizeof(*frame));

	read_frames(p, pages, frame);
	expect_distinct(frame, pages);
	munmap(frame, pages * sizeof(*frame));
}

/* --- taken away at each step --------------------------------------------------------------- */

static const char * const steps[] = {
	"never", "order chosen", "charged", "tables made", "claimed", "zeroed", "in rmap",
	"mapped",
};

#define WINDOW_PAGES	2048

static uint64_t shadow[WINDOW_PAGES];
static bool mapped[WINDOW_PAGES];

static void window_check(char *w, size_t first, size_t n)
{
	for (; n; n--, first++)
		if (mapped[first])
			sp_expect(READ_ONCE(*(uint64_t *)(w + first * page_size)) == shadow[first],
				  "page %zu has %#lx, not %#lx", first,
				  (unsigned long)*(uint64_t *)(w + first * page_size),
				  (unsigned long)shadow[first]);
}

/* Everything that makes, uses and breaks reservations, in a window with a shadow. */
static void play(uint64_t seed, unsigned int count)
{
	size_t len = WINDOW_PAGES * page_size, first, n, i, to;
	char *w = sp_map_prot(len, len, PROT_NONE, MAP_NORESERVE);
	uint64_t generation = 0;
	pid_t pid;

	sp_rng = seed * SP_PATTERN + 1;
	munmap(w, len);
	memset(mapped, 0, sizeof(mapped));
	memset(shadow, 0, sizeof(shadow));
	while (count--) {
		first = sp_random_below(WINDOW_PAGES);
		n = 1 + sp_random_below(sp_random_below(4) ? 32 : WINDOW_PAGES);
		if (sp_random_below(2)) {
			first &= ~63UL;
			n = (n + 63) & ~63UL;
		}
		if (first + n > WINDOW_PAGES)
			n = WINDOW_PAGES - first;
		switch (sp_random_below(12)) {
		case 0:
			munmap(w + first * page_size, n * page_size);
			for (i = first; i < first + n; i++)
				mapped[i] = false;
			break;
		case 1:
		case 2:
			sp_need(map_at(w + first * page_size, n * page_size) ==
				w + first * page_size, "mmap");
			for (i = first; i < first + n; i++) {
				mapped[i] = true;
				shadow[i] = 0;
			}
			break;
		case 3:
			for (i = 0; i < n && mapped[first + i]; i++)
				shadow[first + i] = 0;
			if (i)
				madvise(w + first * page_size, i * page_size, MADV_DONTNEED);
			break;
		case 4:
			for (i = 0; i < n && mapped[first + i]; i++)
				;
			to = sp_random_below(WINDOW_PAGES / 64) * 64 + first % 64;
			if (!i || to + i > WINDOW_PAGES || (to < first + i && first < to + i))
				break;
			if (mremap(w + first * page_size, i * page_size, i * page_size,
				   MREMAP_MAYMOVE | MREMAP_FIXED,
				   w + to * page_size) == MAP_FAILED) {
				/* It is several mappings; the target may be gone. */
				munmap(w + to * page_size, i * page_size);
				while (i--)
					mapped[to + i] = false;
				break;
			}
			while (i--) {
				mapped[to + i] = true;
				shadow[to + i] = shadow[first + i];
				mapped[first + i] = false;
			}
			break;
		case 5:
			pid = sp_fork();
			if (!pid) {
				window_check(w, 0, WINDOW_PAGES);
				for (i = first; i < first + n; i++)
					if (mapped[i])
						WRITE_ONCE(*(uint64_t *)(w + i * page_size), ~0UL);
				sp_child_exit();
			}
			for (i = first; i < first + n; i += 3)
				if (mapped[i]) {
					shadow[i] = ++generation;
					WRITE_ONCE(*(uint64_t *)(w + i * page_size), shadow[i]);
				}
			sp_wait(pid);
			break;
		case 6:
			window_check(w, first, n);
			break;
		default:
			for (i = first; i < first + n; i += 1 + sp_random_below(9)) {
				if (!mapped[i])
					continue;
				window_check(w, i, 1);
				shadow[i] = ++generation;
				WRITE_ONCE(*(uint64_t *)(w + i * page_size), shadow[i]);
			}
		}
	}
	window_check(w, 0, WINDOW_PAGES);
	check_frames(w, len);
	munmap(w, len);
}

/* Return how often frames were taken out of reservations of any size. */
static long times_broken(void)
{
	char buf[4096], *at = buf, *line;
	long sum = 0, n;

	sp_need(sp_slurp(SP_INFO, buf, sizeof(buf)), "cannot read " SP_INFO);
	while ((line = strsep(&at, "\n"))) {
		/* The count follows order, size and seven other counts. */
		if (sscanf(line, "%*u %*u %*d %*d %*d %*d %*d %*d %*d %ld", &n) == 1)
			sum += n;
	}
	return sum;
}

static void test_steps(void)
{
	long before = reserved_kb(), broken;
	unsigned int step, i;

	for (step = 0; step < ARRAY_SIZE(steps); step++) {
		if (step && !have_debug)
			break;
		sp_permit(sp_all_orders());
		broken = times_broken();
		for (i = 0; i < rounds; i++) {
			if (have_debug)
				sp_write_number(debug_file("step"), i % 3 ? step : 0);
			play(step * 100 + i, 150);
		}
		if (have_debug)
			sp_write(debug_file("step"), "0");
		sp_permit(0);
		broken = times_broken() - broken;
		/* The first round for each step takes nothing away. */
		sp_expect(!step || rounds < 2 || broken, "%s: nothing was taken away", steps[step]);
		expect_reserved(before, steps[step]);
	}
	sp_check_accounts("in the end");
	if (have_debug)
		sp_result("frames are taken away at each step of a page fault");
	else
		ksft_test_result_skip("no " SP_DEBUG "\n");
}

/* --- several threads and a breaker --------------------------------------------------------- */

/* Twice as many as may have claims of one reservation under way. */
#define THREADS	8

static struct {
	char *p;
	size_t pages;
	sem_t come[THREADS];
	unsigned int go, ready, stop;
} shared;

static void touch_page(size_t i)
{
	uint64_t *at = (uint64_t *)(shared.p + i * page_size), word = READ_ONCE(*at);

	sp_expect(!word, "page %zu has %#lx before its first write", i, (unsigned long)word);
	WRITE_ONCE(*at, i + 1);
}

/* A thread that touches every eighth page; all threads begin at the same time. */
static void *toucher(void *arg)
{
	size_t me = (size_t)arg, i;

	sp_run_on(me);
	while (!sp_acquire(&shared.go))
		sched_yield();
	for (i = me; i < shared.pages; i += THREADS)
		touch_page(i);
	return NULL;
}

/* Or a thread that fills its own part; it has priority over those that have begun earlier. */
static void *filler(void *arg)
{
	size_t me = (size_t)arg, each = shared.pages / THREADS, i;
	struct sched_param param = { .sched_priority = me + 1 };

	sp_run_on(sysconf(_SC_NPROCESSORS_ONLN) - 1);
	sp_expect(!sched_setscheduler(0, SCHED_FIFO, &param), "sched_setscheduler");
	__atomic_fetch_add(&shared.ready, 1, __ATOMIC_ACQ_REL);
	while (sem_wait(&shared.come[me]))
		;
	for (i = me * each; i < (me + 1) * each; i++)
		touch_page(i);
	return NULL;
}

/*
 * Let the fillers begin one after the other, each while the one before is within a page fault.
 * With one processor each is done before the next.
 */
static void let_come(void)
{
	struct timespec from;
	unsigned int i;

	while (sp_acquire(&shared.ready) < THREADS)
		usleep(1000);
	usleep(10000);
	for (i = 0; i < THREADS; i++) {
		sem_post(&shared.come[i]);
		clock_gettime(CLOCK_MONOTONIC, &from);
		while (us_since(&from) < 100)
			;
	}
}

static void *breaker(void *arg)
{
	(void)arg;
	sp_run_on(0);
	while (!sp_acquire(&shared.stop)) {
		sp_write(debug_file("break"), "64");
		usleep(100);
	}
	return NULL;
}

static void run_threads(size_t len, void *(*run)(void *arg), bool with_breaker)
{
	pthread_t thread[THREADS], b;
	size_t i;

	shared.pages = len / page_size;
	shared.go = 0;
	shared.ready = 0;
	shared.stop = 0;
	shared.p = sp_map(len, len);
	/* Let each page fault of a filler map half of its part, so that it takes long. */
	if (run == filler)
		madvise(shared.p, len, MADV_HUGEPAGE);
	for (i = 0; i < THREADS; i++) {
		sem_init(&shared.come[i], 0, 0);
		sp_need(!pthread_create(&thread[i], NULL, run, (void *)i), "no thread");
	}
	if (with_breaker)
		sp_need(!pthread_create(&b, NULL, breaker, NULL), "no thread");
	sp_permit(sp_all_orders());
	sp_release(&shared.go, 1);
	if (run == filler)
		let_come();
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	sp_permit(0);
	sp_release(&shared.stop, 1);
	if (with_breaker)
		pthread_join(b, NULL);
	for (i = 0; i < shared.pages; i++)
		sp_expect(READ_ONCE(*(uint64_t *)(shared.p + i * page_size)) == i + 1,
			  "page %zu differs", i);
	check_frames(shared.p, len);
}

/* Return how many blocks of @size bytes are free, or parts of larger free blocks. */
static size_t free_blocks(size_t size)
{
	char buf[4096], *line, *at;
	size_t sum = 0, block;

	sp_need(sp_slurp("/proc/buddyinfo", buf, sizeof(buf)), "cannot read /proc/buddyinfo");
	for (line = buf; (line = strstr(line, "zone ")); ) {
		/* The name of the zone comes first, then a number for each order. */
		line += 5;
		strtok_r(line, " ", &at);
		for (block = page_size; *at && *at != '\n'; block *= 2) {
			size_t n = strtoul(at, &at, 10);

			if (block >= size)
				sum += n * block / size;
			at += strspn(at, " ");
		}
		line = at;
	}
	return sum;
}

static void test_threads(void)
{
	size_t much = sp_most_aside() < 64 * MB ? sp_most_aside() : 64 * MB, len;
	long before = reserved_kb();
	unsigned int i;

	sp_write("/proc/sys/vm/drop_caches", "3");
	for (i = 0; i < rounds / 2 + 1; i++) {
		/*
		 * Earlier tests, and each round, may have left no memory in so large a piece:
		 * processors keep some of the freed pages.
		 */
		sp_write("/proc/sys/vm/compact_memory", "1");
		while (much > large && free_blocks(much) < 2)
			much /= 4;
		sp_write_number(FAULT_MAX, much / THREADS / 2);
		len = i % 2 ? much : large;
		run_threads(len, i % 2 ? filler : toucher, false);
		/* Nobody broke the reservation, so each page has its home. */
		sp_expect(sp_in_superpages(shared.p, len, len) == len,
			  "%zu kB of %zu are in one superpage, %zu kB in others",
			  sp_in_superpages(shared.p, len, len) >> 10, len >> 10,
			  sp_in_superpages(shared.p, len, 0) >> 10);
		munmap(shared.p, len);
	}
	if (have_debug)
		for (i = 0; i < rounds; i++) {
			len = i % 2 ? much : large;
			run_threads(len, i % 2 ? filler : toucher, true);
			munmap(shared.p, len);
		}
	sp_write_number(FAULT_MAX, old_fault_max);
	expect_reserved(before, "threads");
	sp_result("%u threads%s", THREADS, have_debug ? " and a breaker" : "");
}

/* --- two threads that touch fresh memory at the same time ---------------------------------- */

#define MEETINGS	200

/* Touch the first page of each new mapping, or the last page, a little later each time. */
static void *meeter(void *arg)
{
	size_t me = (size_t)arg;
	unsigned int i, later;

	sp_run_on(me);
	for (i = 1; i <= MEETINGS; i++) {
		while (sp_acquire(&shared.go) < i)
			sched_yield();
		for (later = me * i * 10; later; later--)
			sp_acquire(&shared.go);
		touch_page(me * (shared.pages - 1));
		__atomic_fetch_add(&shared.ready, 1, __ATOMIC_ACQ_REL);
	}
	return NULL;
}

/* Both threads find no reservation and want to make one; both must use the same one. */
static void test_meet(void)
{
	size_t len = sp_most_aside() < MB ? sp_most_aside() : MB, i;
	long before = reserved_kb();
	unsigned int missed = 0;
	pthread_t thread[2];
	uint64_t frame[2];

	shared.pages = len / page_size;
	shared.go = 0;
	shared.ready = 0;
	for (i = 0; i < 2; i++)
		sp_need(!pthread_create(&thread[i], NULL, meeter, (void *)i), "no thread");
	for (i = 1; i <= MEETINGS; i++) {
		shared.p = sp_map(len, len);
		sp_permit(sp_all_orders());
		sp_release(&shared.go, i);
		while (sp_acquire(&shared.ready) < 2 * i)
			sched_yield();
		sp_permit(0);
		sp_read_frames(shared.p, 2, len - page_size, frame);
		missed += frame[1] - frame[0] != shared.pages - 1;
		munmap(shared.p, len);
	}
	for (i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	sp_expect(!missed, "in %u of %u mappings the threads have frames of different blocks",
		  missed, MEETINGS);
	expect_reserved(before, "unmapped");
	sp_result("two threads make one reservation");
}

#ifdef __ia64__
/* The C library has this function, but no header declares it. */
int __clone2(int (*fn)(void *arg), void *stack, size_t size, int flags, void *arg, ...);
#endif

/* One of two processes that share an mm is killed in a page fault; the other goes on. */
static int sharer(void *arg)
{
	size_t i;

	(void)arg;
	for (i = 0; i < shared.pages; i++)
		WRITE_ONCE(shared.p[i * page_size], 1);
	_exit(0);
}

static void test_killed(void)
{
	static uint64_t stack[8192][2];
	long before = reserved_kb();
	size_t len = 64 * MB, i;
	unsigned int k;
	pid_t pid;

	for (k = 0; k < rounds; k++) {
		shared.pages = len / page_size;
		shared.p = sp_map(len, len);
		sp_permit(sp_all_orders());
#ifdef __ia64__
		pid = __clone2(sharer, stack, sizeof(stack), CLONE_VM | SIGCHLD, NULL);
#else
		pid = clone(sharer, stack + 8192, CLONE_VM | SIGCHLD, NULL);
#endif
		sp_need(pid > 0, "clone");
		usleep(200 + 400 * k);
		kill(pid, SIGKILL);
		for (i = 0; i < shared.pages; i++) {
			char *at = shared.p + i * page_size;

			sp_expect(READ_ONCE(*at) <= 1 && !READ_ONCE(at[8]), "page %zu", i);
			WRITE_ONCE(at[8], 1);
		}
		waitpid(pid, NULL, 0);
		sp_permit(0);
		check_frames(shared.p, len);
		munmap(shared.p, len);
	}
	expect_reserved(before, "killed");
	sp_result("a thread is killed while another waits for it");
}

/*
 * A process is killed in read(), which then still takes page faults until its buffer is
 * there.  With mlock2(MLOCK_ONFAULT) the kernel sets nothing aside, so that nobody waits for
 * the frames of a page fault, and a signal may interrupt it.
 */
static void test_killed_reading(void)
{
	static const char * const eager[] = { "0", "1" };
	size_t len = 64 * MB, used;
	unsigned int k, patience;
	int fd, status;
	pid_t pid;
	char *p;

	for (k = 0; k < 2 * rounds; k++) {
		sp_write(SP_EAGER, eager[k % 2]);
		pid = sp_fork();
		if (!pid) {
			fd = open("/dev/zero", O_RDONLY);
			sp_permit(sp_all_orders());
			for (;;) {
				p = sp_map(len, len);
				if (k % 4 == 0)
					syscall(SYS_mlock2, p, len, 1);
				for (used = 0; used < len; used += MB)
					sp_expect(read(fd, p + used, MB) == (ssize_t)MB, "read");
				/* Report failures before the parent kills this process. */
				if (sp_failures)
					sp_child_exit();
				munmap(p, len);
			}
		}
		usleep(20000 + 700 * k);
		kill(pid, SIGKILL);
		for (patience = 1000; patience && !waitpid(pid, &status, WNOHANG); patience--)
			usleep(10000);
		sp_need(patience, "who was killed in read() does not end");
		sp_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL,
			  "who was to be killed in read() ended with status %#x", status);
	}
	sp_permit(0);
	sp_write(SP_EAGER, "0");
	sp_result("killed in read()");
}

/* A process that is killed while it populates memory ends soon, though each unit is small. */
static void test_killed_populating(void)
{
	size_t len = ((size_t)sp_meminfo_kb("MemFree:") << 8) & -MB;
	long n, more;
	int status;
	pid_t pid;

	sp_permit(1UL << 2);
	n = sp_count(2).alloc;
	pid = sp_fork();
	if (!pid) {
		mmap(NULL, len, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
		_exit(0);
	}
	while (sp_count(2).alloc < n + 32 && !kill(pid, 0))
		sched_yield();
	kill(pid, SIGKILL);
	n = sp_count(2).alloc;
	waitpid(pid, &status, 0);
	more = sp_count(2).alloc - n;
	sp_permit(0);
	sp_expect(WIFSIGNALED(status), "it ended with status %#x before", status);
	sp_expect(more < (long)(len / UNIT / 8), "it has populated %ld units more, of %zu", more,
		  len / UNIT);
	sp_result("who is killed while it populates memory");
}

/* --- several processes --------------------------------------------------------------------- */

/* Wait until @all processes are here.  @here is shared memory, and is used only once. */
static void meet(unsigned int *here, unsigned int all)
{
	__atomic_fetch_add(here, 1, __ATOMIC_ACQ_REL);
	while (sp_acquire(here) < all)
		sched_yield();
}

#define STORM	6			/* children at a time */

static struct storm {
	unsigned int written, checked;	/* for meet() */
	unsigned int killable;
	uint64_t frame[];		/* of the parent, and of each child */
} *storm;

/* The pages that the child writes to become its own; all others are as the parent had them. */
static void storm_child(unsigned int me, char *p, size_t len, size_t grown)
{
	size_t pages = len / page_size, i;
	uint64_t *frame = storm->frame + (me + 1) * pages;
	bool wrote[pages];

	sp_rng = me + 1;
	memset(wrote, 0, sizeof(wrote));
	for (i = 0; i < grown; i += 1 + sp_random_below(16)) {
		expect_touched(p + i * page_size);
		WRITE_ONCE(*(uint64_t *)(p + i * page_size), me);
		wrote[i] = true;
	}
	/* Touch addresses for which the parent has frames set aside. */
	for (i = grown; i < pages; i += 1 + sp_random_below(32)) {
		touch(p + i * page_size);
		WRITE_ONCE(*(uint64_t *)(p + i * page_size), me);
		wrote[i] = true;
	}
	read_frames(p, pages, frame);
	for (i = 0; i < pages; i++) {
		sp_expect(!wrote[i] || frame[i], "child %u has no page %zu", me, i);
		if (!wrote[i])
			frame[i] = 0;
	}
	meet(&storm->written, STORM + 1);
	/* Keep all frames until the parent has checked that they differ. */
	meet(&storm->checked, STORM + 1);
	for (i = 0; i < pages; i++)
		sp_expect(!wrote[i] || READ_ONCE(*(uint64_t *)(p + i * page_size)) == me,
			  "page %zu of child %u differs", i, me);
	if (sp_failures)
		sp_child_exit();
	if (me % 3 == 0) {
		if (!fork())
			_exit(0);
		wait(NULL);
		sp_child_exit();
	}
	if (me % 3 == 1) {
		execl("/proc/self/exe", "superpage_reserve", "-e", NULL);
		_exit(3);
	}
	/* The parent kills this one while it copies what it has inherited. */
	__atomic_fetch_add(&storm->killable, 1, __ATOMIC_ACQ_REL);
	for (;;)
		for (i = 0; i < pages; i++)
			WRITE_ONCE(*(uint64_t *)(p + i * page_size), me);
}

/* The parent goes on with the frames that are set aside for it while children come and go. */
static void test_fork_storm(void)
{
	size_t len = large, pages = len / page_size, grown, i;
	size_t bytes = sizeof(*storm) + (STORM + 1) * pages * sizeof(storm->frame[0]);
	long before = reserved_kb();
	unsigned int k, round, n = 0;
	struct sp_usage usage;
	pid_t pid[STORM];
	char *p;

	usage = sp_usage_now();
	for (round = 0; round < rounds / 4 + 1; round++) {
		storm = sp_map_shared(bytes);
		p = map_apart(len);
		sp_permit(sp_all_orders());
		for (grown = 0, k = 0; k < STORM; k++) {
			for (i = 0; i < 2 + pages / 64; i++, grown++)
				touch(p + grown * page_size);
			sp_expect(reserved_kb() > before, "nothing is set aside before fork %u", k);
			pid[k] = sp_fork();
			if (!pid[k])
				storm_child(k, p, len, grown);
		}
		for (i = 0; i < pages / 8; i++, grown++)
			touch(p + grown * page_size);
		meet(&storm->written, STORM + 1);
		read_frames(p, pages, storm->frame);
		sp_expect(storm->frame[0] && storm->frame[grown - 1],
			  "the frames are not to be seen");
		expect_distinct(storm->frame, (STORM + 1) * pages);
		check_books("all have written");
		meet(&storm->checked, STORM + 1);
		/* The children end at the same time as these page faults. */
		for (; grown < pages; grown++) {
			touch(p + grown * page_size);
			/* A child that has failed does not come here; it is waited for below. */
			if (grown != pages / 2)
				continue;
			for (n = 0; n < 100 && sp_acquire(&storm->killable) < STORM / 3; n++)
				usleep(10000);
			for (k = 2; k < STORM; k += 3)
				kill(pid[k], SIGKILL);
		}
		for (k = 0; k < STORM; k++) {
			if (k % 3 == 2)
				waitpid(pid[k], NULL, 0);
			else
				sp_wait(pid[k]);
		}
		sp_expect(n < 100, "a child has failed");
		for (i = 0; i < pages; i++)
			expect_touched(p + i * page_size);
		check_frames(p, len);
		sp_permit(0);
		unmap_apart(p, len);
		munmap(storm, bytes);
		expect_reserved(before, "fork storm");
	}
	sp_check_usage(usage);
	sp_result("a fork storm while frames are set aside");
}

static const struct {
	const char *name;
	bool killed;
} ways[] = {
	{ "exit", false }, { "exec", false }, { "kill", true }, { "fault", true },
};

#define HOLDERS	8

/* Processes end in several ways while frames are set aside for them; all frames come back. */
static void test_ends(void)
{
	long before = reserved_kb(), kb, least;
	unsigned int *ready, way, k, i;
	struct sp_usage usage;
	pid_t pid[HOLDERS];
	int status, go[2];
	size_t blocks, now;
	char *p, c;

	for (way = 0; way < ARRAY_SIZE(ways); way++) {
		usage = sp_usage_now();
		blocks = free_blocks(large / 4);
		ready = sp_map_shared(page_size);
		sp_need(!pipe(go), "no pipe");
		sp_permit(sp_all_orders());
		for (k = 0; k < HOLDERS; k++) {
			pid[k] = sp_fork();
			if (pid[k])
				continue;
			close(go[1]);
			for (i = 0; i < 3; i++) {
				p = map_apart(large);
				touch(p + large / 2);
			}
			__atomic_fetch_add(ready, 1, __ATOMIC_ACQ_REL);
			sp_expect(read(go[0], &c, 1) == 0, "a word from the parent");
			if (ways[way].killed) {
				if (!strcmp(ways[way].name, "fault")) {
					/* The test's handler would catch the fault. */
					signal(SIGSEGV, SIG_DFL);
					WRITE_ONCE(*(p - large), 1);
				}
				for (;;)
					pause();
			}
			if (!strcmp(ways[way].name, "exec"))
				execl("/proc/self/exe", "superpage_reserve", "-e", NULL);
			sp_child_exit();
		}
		for (i = 0; i < 1000 && sp_acquire(ready) < HOLDERS; i++)
			usleep(10000);
		sp_expect(i < 1000, "the children have not set anything aside");
		/* The first reservation is as large as its mapping; later ones may be smaller. */
		kb = reserved_kb() - before;
		least = HOLDERS * (long)(large >> 10) / 4 * 3;
		sp_expect(kb >= least, "%s: %ld kB are set aside, should be %ld kB", ways[way].name,
			  kb, least);
		check_books(ways[way].name);
		close(go[1]);
		for (k = 0; k < HOLDERS; k++) {
			if (!strcmp(ways[way].name, "kill"))
				kill(pid[k], SIGKILL);
			waitpid(pid[k], &status, 0);
			sp_expect(ways[way].killed ? WIFSIGNALED(status) :
				  WIFEXITED(status) && !WEXITSTATUS(status),
				  "%s: child %u ended with status %#x", ways[way].name, k, status);
		}
		close(go[0]);
		munmap(ready, page_size);
		sp_permit(0);
		expect_reserved(before, ways[way].name);
		sp_check_usage(usage);
		/*
		 * The frames come back in large pieces, except where pages are in use: those
		 * on processors' lists, and those that the kernel had for the processes.
		 */
		now = free_blocks(large / 4);
		ksft_print_msg("%s: %ld kB were set aside, %zu blocks were free, then %zu\n",
			       ways[way].name, kb, blocks, now);
		sp_expect(now + (kb << 10) / (large / 4) / 2 >= blocks,
			  "%s: what was set aside has come back in small pieces", ways[way].name);
	}
	sp_result("processes end with frames set aside");
}

/* --- fragmented memory -------------------------------------------------------------------- */

/* A process that has all memory, except for some in small pieces; and it has one large block. */
struct holder {
	pid_t pid;
	int ask, reply;			/* pipes to and from it */
	uint64_t frame;			/* the first frame of the block */
};

static unsigned int order_of(size_t size)
{
	unsigned int order;

	for (order = 0; page_size << order < size; order++)
		;
	return order;
}

/* Give back every second piece of frames, @loose bytes in all. */
static void loosen(char *p, size_t len, size_t loose, size_t piece)
{
	size_t pages = len / page_size, unit = piece / page_size, i, n;
	uint64_t *frame = sp_map_shared(pages * sizeof(*frame));

	read_frames(p, pages, frame);
	for (i = 0; i < pages && loose >= piece; i += n) {
		for (n = 1; i + n < pages && frame[i] &&
		     frame[i + n] / unit == frame[i] / unit; n++)
			;
		if (!frame[i] || frame[i] / unit % 2 || n < unit)
			continue;
		madvise(p + i * page_size, n * page_size, MADV_DONTNEED);
		loose -= n * page_size;
	}
	sp_expect(loose < piece, "%zu kB could not be made loose", loose >> 10);
	munmap(frame, pages * sizeof(*frame));
}

static void hold(int ask, int reply, size_t block, size_t loose, size_t piece)
{
	uint64_t frame;
	size_t len;
	char *b, *p, c;

	/*
	 * The block is the last quarter of a reservation.  So it has never been mapped, and
	 * comes back in one piece; single pages could stay on some processor's list.
	 */
	sp_permit(sp_all_orders());
	b = map_apart(4 * block);
	touch(b);
	sp_permit(0);
	read_frames(b, 1, &frame);
	frame += 3 * block / page_size;
	munmap(b, 3 * block);
	b += 3 * block;

	len = ((size_t)sp_meminfo_kb("MemFree:") << 10) - 24 * MB;
	p = sp_map(len & -page_size, page_size);
	sp_need(!madvise(p, len & -page_size, MADV_POPULATE_WRITE), "cannot take all memory");
	loosen(p, len & -page_size, loose, piece);
	/* Use up the large blocks that are left. */
	sp_write(SP_EAGER, "1");
	sp_permit(1UL << order_of(block));
	while (free_blocks(block)) {
		p = map_apart(block);
		touch(p);
		if (!sp_in_superpages(p, block, block))
			break;
	}
	sp_permit(0);
	sp_write(SP_EAGER, "0");
	if (sp_failures)
		sp_child_exit();
	sp_expect(write(reply, &frame, sizeof(frame)) == sizeof(frame), "write");
	if (read(ask, &c, 1) == 1) {
		munmap(b, block);
		sp_expect(write(reply, &frame, sizeof(frame)) == sizeof(frame), "write");
		sp_expect(read(ask, &c, 1) == 0, "a word from the parent");
	}
	sp_child_exit();
}

static bool heard(struct holder *h)
{
	return sp_expect(read(h->reply, &h->frame, sizeof(h->frame)) == sizeof(h->frame),
			 "who holds all memory has ended");
}

static struct holder hold_memory(size_t block, size_t loose, size_t piece)
{
	int ask[2], reply[2];
	struct holder h;

	sp_need(!pipe(ask) && !pipe(reply), "no pipe");
	h.pid = sp_fork();
	if (!h.pid) {
		close(ask[1]);
		close(reply[0]);
		hold(ask[0], reply[1], block, loose, piece);
	}
	close(ask[0]);
	close(reply[1]);
	h.ask = ask[1];
	h.reply = reply[0];
	heard(&h);
	return h;
}

static void holder_end(const struct holder *h)
{
	close(h->ask);
	sp_wait(h->pid);
	close(h->reply);
}

#define PIPES	1024

/*
 * Fill pipes, whose pages cannot be moved, until only @least bytes are free.  Returns how
 * often kswapd has run meanwhile.
 */
static long fill_pipes(int (*fd)[2], unsigned int *pipes, size_t least)
{
	static char page[65536];
	long runs = event_count("pageoutrun");

	while (*pipes < PIPES && (size_t)sp_meminfo_kb("MemFree:") << 10 > least) {
		sp_need(!pipe2(fd[*pipes], O_NONBLOCK), "no pipe");
		if (page_size < 16384)
			fcntl(fd[*pipes][1], F_SETPIPE_SZ, 256 << 10);
		while (write(fd[*pipes][1], page, page_size) == (ssize_t)page_size)
			;
		++*pipes;
	}
	usleep(200000);
	return event_count("pageoutrun") - runs;
}

static void empty_pipes(int (*fd)[2], unsigned int pipes)
{
	while (pipes--) {
		close(fd[pipes][0]);
		close(fd[pipes][1]);
	}
}

/*
 * When the kernel needs unmovable pages and has none, it takes them out of the largest free
 * block.  Let it take some while all free memory is in small pieces: once they are free again,
 * it takes the next ones from there.
 */
static void make_unmovable_pages(void)
{
	unsigned int pipes = 0;
	static int fd[PIPES][2];

	fill_pipes(fd, &pipes, ((size_t)sp_meminfo_kb("MemFree:") << 10) - 2 * MB);
	empty_pipes(fd, pipes);
}

static struct race {
	unsigned int ready, go, filled, checked;
	bool whole[2];
	size_t small[2];		/* how many bytes are in superpages of any size */
	uint64_t frame[];
} *race;

/* Fill memory, for which there may be a block in one piece. */
static void racer(unsigned int me, unsigned int first, size_t len)
{
	size_t pages = len / page_size, i;
	char *p = map_apart(len);

	sp_run_on(me);
	__atomic_fetch_add(&race->ready, 1, __ATOMIC_ACQ_REL);
	while (!sp_acquire(&race->go))
		sched_yield();
	/* Delay one of the two, by a different time in each round, so that either can win. */
	for (i = 0; me != first % 2 && i < first / 2 * 200; i++)
		READ_ONCE(race->go);
	for (i = 0; i < pages; i++)
		touch(p + i * page_size);
	for (i = 0; i < pages; i++)
		expect_touched(p + i * page_size);
	race->whole[me] = sp_in_superpages(p, len, len) == len;
	race->small[me] = sp_in_superpages(p, len, 0);
	read_frames(p, pages, race->frame + me * pages);
	sp_expect(race->frame[me * pages], "the frames are not to be seen");
	meet(&race->filled, 3);
	meet(&race->checked, 3);
	for (i = 0; i < pages; i++)
		expect_touched(p + i * page_size);
	sp_child_exit();
}

static void test_last_block(void)
{
	size_t len = large, pages, bytes, aside = sp_most_aside();
	unsigned int k, me, got, won[2] = {}, n = rounds / 3 + 1;
	long before = reserved_kb(), held;
	struct sp_usage usage;
	struct holder h;
	pid_t pid[2];

	/* Other tests leave memory in pieces, so this one must run alone. */
	if (!*sp_only) {
		ksft_test_result_skip("memory in one piece wants a machine of its own\n");
		return;
	}
	if (aside / 4 < len)
		len = aside / 4;
	pages = len / page_size;
	bytes = sizeof(*race) + 2 * pages * sizeof(race->frame[0]);
	usage = sp_usage_now();
	for (k = 0; k < n; k++) {
		race = sp_map_shared(bytes);
		/* The kernel sets a block aside only if it is at most a quarter of what is free. */
		h = hold_memory(len, 6 * len, UNIT);
		held = reserved_kb();
		sp_expect(held >= before + (long)(len >> 10), "the block is not held");
		make_unmovable_pages();
		for (me = 0; me < 2; me++) {
			pid[me] = sp_fork();
			if (!pid[me]) {
				close(h.ask);
				racer(me, k, len);
			}
		}
		while (sp_acquire(&race->ready) < 2)
			usleep(1000);
		/*
		 * A page that the kernel gives back can make a second block whole, now and later.
		 * Then each process gets a block, which is right.  So find out who got this one.
		 */
		sp_expect(free_blocks(len) <= 1, "there are other blocks");
		sp_expect(write(h.ask, "", 1) == 1 && heard(&h), "the block does not come");
		sp_expect(free_blocks(len) >= 1, "the block is not free");
		sp_permit(sp_all_orders());
		sp_release(&race->go, 1);
		meet(&race->filled, 3);
		sp_permit(0);
		for (got = 0, me = 0; me < 2; me++) {
			bool mine = race->whole[me] && race->frame[me * pages] == h.frame;

			got += mine;
			won[me] += mine;
			/* The loser has got smaller blocks. */
			sp_expect(race->small[me], "process %u has no superpages", me);
		}
		sp_expect(got == 1, "%u processes have got the block", got);
		expect_distinct(race->frame, 2 * pages);	/* sorts them */
		check_books("both have filled theirs");
		ksft_print_msg("%zu and %zu of %zu kB are in superpages\n", race->small[0] >> 10,
			       race->small[1] >> 10, len >> 10);
		meet(&race->checked, 3);
		for (me = 0; me < 2; me++)
			sp_wait(pid[me]);
		holder_end(&h);
		munmap(race, bytes);
		expect_reserved(before, "the last block");
	}
	ksft_print_msg("the first process has got it %u times, the other %u times\n", won[0],
		       won[1]);
	sp_check_usage(usage);
	sp_result("two processes compete for the last block");
}

/* --- memory is short ----------------------------------------------------------------------- */

/* Return the sum of a field over all zones. */
static long zones_sum(const char *field)
{
	static char buf[1 << 16];
	char *at = buf, *line, name[64];
	long sum = 0, n;

	sp_need(sp_slurp("/proc/zoneinfo", buf, sizeof(buf)), "cannot read /proc/zoneinfo");
	while ((line = strsep(&at, "\n"))) {
		if (sscanf(line, " %63s %ld", name, &n) == 2 && !strcmp(name, field))
			sum += n;
	}
	return sum;
}

static bool is_boosted(void)
{
	return zones_sum("boost");
}

/* End the boost of watermarks, for which kswapd reclaims, whatever is set aside. */
static void end_boost(void)
{
	int patience;

	sp_write_number(BOOST, 0);
	for (patience = 50; patience && is_boosted(); patience--)
		usleep(10000);
	/* An allocation that may not wake kswapd boosts the watermark, too. */
	sp_press_while(is_boosted, "a watermark is left boosted");
}

/*
 * Prepare for tests that expect no reclaim before frames are given back.  Without swap nothing
 * could be reclaimed, and the counters would not show who tries.
 */
static void watch_reclaim(void)
{
	end_boost();
	sp_expect(sp_swap_on(64 * MB), "no swap");
}

static void watched_reclaim(void)
{
	sp_write_number(BOOST, old_boost);
	sp_swap_off();
}

/* Make children that touch a few pages of much memory, until all that can be is set aside. */
static unsigned int set_all_aside(pid_t *pid, unsigned int max)
{
	long last, now = reserved_kb();
	unsigned int n = 0;
	int fd[2];
	char c;

	/* Make at least one child, since nothing may be set aside yet. */
	for (last = now - 1024; n < max && now > last + 256; now = reserved_kb()) {
		last = now;
		sp_need(!pipe(fd), "no pipe");
		pid[n] = sp_fork();
		if (!pid[n]) {
			char *p = sp_map(512 * MB, 128 * MB);
			unsigned int i;

			/* Touch pages far from each other. */
			for (i = 0; i < 4; i++)
				touch(p + i * 128 * MB);
			/* Report failures now, since the parent kills the children that wait. */
			if (sp_failures)
				sp_child_exit();
			sp_expect(write(fd[1], "", 1) == 1, "write");
			for (;;)
				pause();
		}
		close(fd[1]);
		sp_need(read(fd[0], &c, 1) == 1, "child %u failed", n);
		close(fd[0]);
		n++;
	}
	return n;
}

static void test_pressure(void)
{
	static const char * const none[] = {
		"pgscan_direct", "pgscan_kswapd", "pgsteal_direct", "pgsteal_kswapd", "pswpout",
		"oom_kill", "allocstall_normal", "allocstall_dma32",
	};
	long was[ARRAY_SIZE(none)], before = reserved_kb(), aside, least, is;
	pid_t pid[64], eater;
	unsigned int n, i;
	size_t len, k;
	char *p;

	watch_reclaim();
	sp_permit(sp_all_orders());
	n = set_all_aside(pid, ARRAY_SIZE(pid));
	aside = reserved_kb() - before;
	ksft_print_msg("%u processes have %ld kB set aside, %ld kB are free\n", n, aside,
		       sp_meminfo_kb("MemFree:"));
	least = sp_meminfo_kb("MemTotal:") / 4;
	if ((long)(ARRAY_SIZE(pid) * large >> 10) < least)
		least = ARRAY_SIZE(pid) * large >> 10;
	sp_expect(aside > least, "only %ld kB are set aside", aside);
	check_books("set aside");
	sp_permit(0);
	for (i = 0; i < ARRAY_SIZE(none); i++)
		was[i] = event_count(none[i]);

	/* Use all that is free, and most of what is set aside. */
	len = ((size_t)(sp_meminfo_kb("MemFree:") + aside / 4 * 3) << 10) & -page_size;
	eater = sp_fork();
	if (!eater) {
		p = sp_map(len, page_size);
		for (k = 0; k < len; k += page_size)
			touch(p + k);
		for (k = 0; k < len; k += page_size)
			expect_touched(p + k);
		for (i = 0; i < ARRAY_SIZE(none); i++) {
			is = event_count(none[i]);
			/* An allocstall may only wait for frames that are given back. */
			if (strncmp(none[i], "allocstall", 10))
				sp_expect(is == was[i], "%s has gone up by %ld", none[i],
					  is - was[i]);
		}
		sp_expect(reserved_kb() < before + aside, "nothing was given back");
		check_books("taken");
		sp_child_exit();
	}
	sp_wait(eater);
	for (i = 0; i < n; i++) {
		sp_expect(!kill(pid[i], 0), "process %u has gone", i);
		kill(pid[i], SIGKILL);
		waitpid(pid[i], NULL, 0);
	}
	watched_reclaim();
	expect_reserved(before, "in the end");
	sp_result("memory that is set aside goes first");
}

/* Return how many pages are set aside on a node; -1 if there is no such node. */
static long node_reserved(unsigned int node)
{
	static char buf[1 << 16];
	unsigned int at = UINT_MAX, next;
	char *line, *rest = buf;
	bool found = false;
	long sum = 0, n;

	sp_write("/proc/sys/vm/stat_refresh", "1");
	sp_need(sp_slurp("/proc/zoneinfo", buf, sizeof(buf)), "cannot read /proc/zoneinfo");
	while ((line = strsep(&rest, "\n"))) {
		if (sscanf(line, "Node %u, zone", &next) == 1) {
			at = next;
		} else if (at == node && sscanf(line, " nr_superpage_reserved %ld", &n) == 1) {
			found = true;
			sum += n;
		}
	}
	return found ? sum : -1;
}

/*
 * The kernel gives back only frames that help: those of the node from which the process may have
 * memory.  The same loop, over the zones of a zonelist, serves a request for a low zone; but no
 * process can make the kernel ask for ZONE_DMA32 on a machine without devices.
 */
static void test_nodes(void)
{
	long was[2], is[2], before = reserved_kb(), scanned;
	unsigned long mask = 1UL << 1;
	unsigned int n[2], node, i;
	pid_t pid[2][32], eater;
	cpu_set_t all;
	size_t k, len;
	char *p;

	if (node_reserved(1) < 0) {
		ksft_test_result_skip("there is one node\n");
		return;
	}
	sp_need(!sched_getaffinity(0, sizeof(all), &all), "sched_getaffinity");
	watch_reclaim();
	sp_permit(sp_all_orders());
	for (node = 0; node < 2; node++) {
		/* The first processor is on the first node, the last one on the last. */
		sp_run_on(node ? sysconf(_SC_NPROCESSORS_ONLN) - 1 : 0);
		n[node] = set_all_aside(pid[node], ARRAY_SIZE(pid[node]));
	}
	sched_setaffinity(0, sizeof(all), &all);
	sp_permit(0);
	for (node = 0; node < 2; node++) {
		was[node] = node_reserved(node);
		sp_expect(was[node] * page_size >= 64 * MB, "on node %u %ld pages are set aside",
			  node, was[node]);
	}
	scanned = event_count("pgscan_direct") + event_count("pgscan_kswapd");
	/* Use more than is free on both nodes. */
	len = ((size_t)sp_meminfo_kb("MemFree:") << 10) + 16 * MB;
	sp_expect(len < was[1] * page_size, "too much is free");
	eater = sp_fork();
	if (!eater) {
		p = sp_map(len & -page_size, page_size);
		/* MPOL_BIND */
		sp_need(!syscall(SYS_mbind, p, len & -page_size, 2, &mask, 64, 0), "mbind");
		for (k = 0; k + page_size <= len; k += page_size)
			touch(p + k);
		sp_child_exit();
	}
	sp_wait(eater);
	for (node = 0; node < 2; node++)
		is[node] = node_reserved(node);
	ksft_print_msg("on node 0 %ld pages are set aside, were %ld; on node 1 %ld, were %ld\n",
		       is[0], was[0], is[1], was[1]);
	sp_expect(is[0] == was[0], "node 0 has lost %ld pages", was[0] - is[0]);
	sp_expect(is[1] < was[1], "node 1 has lost nothing");
	scanned -= event_count("pgscan_direct") + event_count("pgscan_kswapd");
	sp_expect(!scanned, "%ld pages were scanned", -scanned);
	for (node = 0; node < 2; node++)
		for (i = 0; i < n[node]; i++) {
			kill(pid[node][i], SIGKILL);
			waitpid(pid[node][i], NULL, 0);
		}
	watched_reclaim();
	expect_reserved(before, "in the end");
	sp_result("what does not help is not given back");
}

/* Make a child that has all free memory except @left kB. */
static pid_t eat_free(long left)
{
	long len = (sp_meminfo_kb("MemFree:") - left) * 1024, i;
	int fd[2];
	pid_t pid;
	char c;

	sp_need(!pipe(fd), "no pipe");
	pid = sp_fork();
	if (!pid) {
		char *p = len > 0 ? sp_map(len & -page_size, page_size) : NULL;

		for (i = 0; i + (long)page_size <= len; i += page_size)
			touch(p + i);
		if (sp_failures)
			sp_child_exit();
		sp_expect(write(fd[1], "", 1) == 1, "write");
		for (;;)
			pause();
	}
	close(fd[1]);
	sp_need(read(fd[0], &c, 1) == 1, "the child failed");
	close(fd[0]);
	return pid;
}

/*
 * Allocations that cannot wait succeed while all memory is set aside.  The kernel allocates
 * queued signals with a value, for a process that blocks them, with GFP_ATOMIC; if that fails,
 * sigqueue() fails.
 */
static void who_cannot_wait(void)
{
	size_t signals = 0, bytes = 0, want;
	long before = reserved_kb(), aside, scanned[4], slab;
	static const char * const scan[] = {
		"pgscan_direct", "pgscan_kswapd", "pgsteal_direct", "pgsteal_kswapd",
	};
	struct rlimit many = { RLIM_INFINITY, RLIM_INFINITY };
	unsigned int n, i;
	pid_t pid[65];
	sigset_t set;

	watch_reclaim();
	sp_permit(sp_all_orders());
	n = set_all_aside(pid, ARRAY_SIZE(pid) - 1);
	sp_permit(0);
	/* Signals are small, so have another process use most of what is free. */
	pid[n++] = eat_free((reserved_kb() - before) / 4);
	aside = reserved_kb();
	for (i = 0; i < ARRAY_SIZE(scan); i++)
		scanned[i] = event_count(scan[i]);
	slab = sp_meminfo_kb("SUnreclaim:");
	/*
	 * Allocate more than is free, so that some of it has to come from frames that are set
	 * aside.  The processors' lists may have some MiB of free pages that MemFree does not
	 * count.
	 */
	want = ((size_t)sp_meminfo_kb("MemFree:") << 10) + 4 * MB;
	ksft_print_msg("%ld kB are set aside, %zu kB free\n", aside - before, (want >> 10) - 4096);
	sp_expect(want < (size_t)aside << 9, "too much is free");
	sp_need(!setrlimit(RLIMIT_SIGPENDING, &many), "setrlimit");
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	sigprocmask(SIG_BLOCK, &set, NULL);
	while (bytes < want || (bytes < want + 64 * MB && reserved_kb() == aside)) {
		for (i = 0; i < 4096; i++, signals++)
			if (!sp_expect(!sigqueue(getpid(), SIGRTMIN, (union sigval){}),
				       "signal %zu: %s", signals, strerror(errno)))
				break;
		if (i < 4096)
			break;
		bytes = (sp_meminfo_kb("SUnreclaim:") - slab) << 10;
		if (!sp_expect(signals < 1 << 24, "signals take only %zu kB", bytes >> 10))
			break;
	}
	sp_expect(reserved_kb() < aside, "nothing was given back");
	for (i = 0; i < ARRAY_SIZE(scan); i++)
		sp_expect(event_count(scan[i]) == scanned[i], "%s has gone up by %ld", scan[i],
			  event_count(scan[i]) - scanned[i]);
	ksft_print_msg("%zu signals in %zu kB, %ld kB were given back\n", signals, bytes >> 10,
		       aside - reserved_kb());
	/* This discards the pending signals. */
	signal(SIGRTMIN, SIG_IGN);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	for (i = 0; i < n; i++) {
		kill(pid[i], SIGKILL);
		waitpid(pid[i], NULL, 0);
	}
	watched_reclaim();
	expect_reserved(before, "in the end");
}

static void test_atomic(void)
{
	who_cannot_wait();
	sp_result("who cannot wait gets memory");
}

/* Have a child take more memory than there is, and be killed; there is no swap. */
static void take_all(void)
{
	long kills = event_count("oom_kill");
	pid_t greedy = sp_fork();
	size_t len, i;
	char *p;

	if (!greedy) {
		sp_write("/proc/self/oom_score_adj", "1000");
		len = (size_t)sp_meminfo_kb("MemTotal:") << 10 & -page_size;
		p = sp_map_prot(len, page_size, PROT_READ | PROT_WRITE, MAP_NORESERVE);
		for (i = 0; i < len; i += page_size)
			WRITE_ONCE(p[i], 1);
		sp_child_exit();
	}
	waitpid(greedy, NULL, 0);
	sp_expect(event_count("oom_kill") == kills + 1, "who took all memory was not killed");
}

/*
 * After kswapd has failed to reclaim again and again, the kernel no longer wakes it.  But it
 * has to wake kswapd while frames are set aside.
 */
static void test_hopeless(void)
{
	unsigned int i;

	/* Later tests need a kswapd that works, so this one must run alone. */
	if (!*sp_only) {
		ksft_test_result_skip("kswapd that reclaims nothing wants a machine of its own\n");
		return;
	}
	/* A kswapd that has given up does not take a boost back. */
	end_boost();
	/* The OOM killer may come before kswapd has tried often enough. */
	for (i = 0; i < 8 && !sp_kswapd_is_hopeless(); i++)
		take_all();
	if (!sp_kswapd_is_hopeless()) {
		sp_write_number(BOOST, old_boost);
		ksft_test_result_skip("kswapd has memory to reclaim\n");
		return;
	}
	who_cannot_wait();
	sp_expect(sp_kswapd_is_hopeless(), "kswapd has reclaimed something");
	sp_result("who cannot wait gets memory, and kswapd has given up");
}

/*
 * The kernel boosts a watermark when it has to take unmovable pages from a movable pageblock,
 * so that kswapd makes room.  kswapd must not give frames back for the boost.  Nor may it swap:
 * it does so if less memory is free than the boosted watermark, but not while as much as the
 * boost is set aside.
 */
static void test_boost(void)
{
	unsigned int pipes = 0;
	size_t len = sp_most_aside() / 4 < large ? sp_most_aside() / 4 : large;
	long before = reserved_kb(), aside, runs, boosted, swapped;
	static int fd[PIPES][2];
	struct rlimit files = { 2 * PIPES + 64, 2 * PIPES + 64 };
	struct holder h;
	size_t high;

	/* Other tests leave unmovable pageblocks for pipes, so this one must run alone. */
	if (!*sp_only) {
		ksft_test_result_skip("boosted watermarks want a machine of their own\n");
		return;
	}
	sp_need(!setrlimit(RLIMIT_NOFILE, &files), "setrlimit");
	/*
	 * Use pieces that are large enough for slabs: an allocation that misses such blocks wakes
	 * kswapd, which then gives frames back.
	 */
	h = hold_memory(len, 240 * MB, 16 * page_size);
	aside = reserved_kb();
	sp_expect(aside > before, "nothing is set aside");
	/* Without a boost kswapd has no reason to run. */
	sp_need(!sp_write(BOOST, "0"), "cannot write to " BOOST);
	/*
	 * The boost raises the min watermark, too, and an allocation that finds less free has to
	 * reclaim.  So make the distance from min to high larger than the boost.
	 */
	sp_need(!sp_write(SCALE, "600"), "cannot write to " SCALE);
	high = zones_sum("high") * page_size;
	sp_need(high > zones_sum("min") * page_size + 64 * MB, "the watermarks are too close");
	runs = fill_pipes(fd, &pipes, high + 96 * MB);
	sp_expect(sp_swap_on(64 * MB), "no swap");
	swapped = event_count("pswpout");
	/*
	 * Leave less free than the boosted watermark.  The kernel makes the boost a pageblock of
	 * 16 MiB, which is what is set aside.
	 */
	sp_write_number(BOOST, 8 * MB * 10000 / high);
	boosted = fill_pipes(fd, &pipes, high + 6 * MB);
	ksft_print_msg("kswapd has run %ld times, boosted %ld times, %ld kB are free\n", runs,
		       boosted, sp_meminfo_kb("MemFree:"));
	sp_expect((size_t)sp_meminfo_kb("MemFree:") << 10 > high, "memory is short");
	sp_expect(reserved_kb() == aside, "%ld kB were given back", aside - reserved_kb());
	swapped = event_count("pswpout") - swapped;
	sp_expect(!swapped || len < large, "%ld pages were swapped out", swapped);
	sp_write_number(BOOST, old_boost);
	sp_write_number(SCALE, old_scale);
	sp_swap_off();
	empty_pipes(fd, pipes);
	holder_end(&h);
	expect_reserved(before, "in the end");
	sp_expect(boosted > runs, "no watermark was boosted");
	sp_result("boosted watermarks");
}

/* The kernel first takes frames of the reservation that was used longest ago. */
static void test_oldest(void)
{
	size_t len = large;
	long kb, old;
	char *p, *q;

	if (!have_debug) {
		ksft_test_result_skip("no " SP_DEBUG "\n");
		return;
	}
	sp_write(debug_file("break"), "100000000");
	sp_permit(sp_all_orders());
	p = make(len, &kb);
	/* Use some of it, or the second reservation would be smaller. */
	for (old = 0; old < (long)len / 4; old += page_size)
		touch(p + old);
	usleep(200000);
	q = make(len, &kb);
	usleep(200000);
	old = reserved_kb();
	/* Using the first reservation makes it the youngest. */
	touch(p + len / 2 + UNIT);
	sp_write_number(debug_file("break"), 16);
	sp_expect(reserved_kb() <= old - (long)(15 * page_size >> 10), "%ld kB were given back",
		  old - reserved_kb());
	/* A reservation that has kept all frames becomes one superpage. */
	for (old = 0; old < (long)len; old += page_size)
		WRITE_ONCE(*(uint64_t *)(p + old), old);
	sp_expect(sp_in_superpages(p, len, len) == len, "the younger one has lost frames");
	munmap(p, len);
	old = reserved_kb();
	munmap(q, len);
	sp_expect(old - reserved_kb() <= kb - (long)(15 * page_size >> 10),
		  "the older one has %ld of %ld kB", old - reserved_kb(), kb);
	sp_permit(0);
	check_books("in the end");
	sp_result("the oldest goes first");
}

/* Return the time in us for giving back a reservation whose every second unit is in use. */
static long time_to_break(size_t len)
{
	char *p = sp_map(len, len);
	struct timespec from;
	long kb, us;
	size_t i;

	sp_write(debug_file("break"), "100000000");
	for (i = 0; i < len; i += 2 * UNIT)
		touch(p + i);
	kb = reserved_kb();
	clock_gettime(CLOCK_MONOTONIC, &from);
	sp_write(debug_file("break"), "100000000");
	us = us_since(&from);
	sp_expect(kb - reserved_kb() >= (long)(len / 4 >> 10), "%ld of %zu kB were given back",
		  kb - reserved_kb(), len / 2 >> 10);
	munmap(p, len);
	return us;
}

/*
 * Code that gives frames back holds the lock of the zone's list.  Four times as many pieces may
 * take four times as long, not sixteen times.
 */
static void test_pieces(void)
{
	size_t len = sp_most_aside() < 64 * MB ? sp_most_aside() : 64 * MB;
	long few, many;

	if (!have_debug || len < 512 * UNIT) {
		ksft_test_result_skip("no " SP_DEBUG ", or nothing large is set aside\n");
		return;
	}
	sp_permit(sp_all_orders());
	few = time_to_break(len / 4);
	many = time_to_break(len);
	sp_permit(0);
	ksft_print_msg("%ld us, %ld us\n", few, many);
	sp_expect(many < 8 * few, "%ld us for %zu MiB, %ld us for a quarter of it", many, len >> 20,
		  few);
	sp_result("many pieces");
}

/* One touch of a mapping with MAP_NORESERVE sets little aside; a walk gets more. */
static void test_sparse(void)
{
	long before = reserved_kb(), kb;
	size_t len = 64 * MB, i;
	char *p = sp_map_prot(len, len, PROT_READ | PROT_WRITE, MAP_NORESERVE);

	sp_permit(sp_all_orders());
	touch(p + len / 2);
	kb = reserved_kb() - before;
	sp_expect(kb > 0 && kb <= 1024, "%ld kB were set aside", kb);
	for (i = 0; i < len; i += page_size)
		WRITE_ONCE(*(uint64_t *)(p + i), i);
	sp_expect(sp_in_superpages(p, len, large) >= len / 4, "%zu kB are in large superpages",
		  sp_in_superpages(p, len, large) >> 10);
	sp_permit(0);
	munmap(p, len);
	expect_reserved(before, "unmapped");
	sp_result("MAP_NORESERVE");
}

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {
	{ "shown", test_shown },
	{ "ops", test_ops },
	{ "dontneed", test_dontneed },
	{ "steps", test_steps },
	{ "threads", test_threads },
	{ "meet", test_meet },
	{ "killed", test_killed },
	{ "killed reading", test_killed_reading },
	{ "killed populating", test_killed_populating },
	{ "fork storm", test_fork_storm },
	{ "ends", test_ends },
	{ "last block", test_last_block },
	{ "pressure", test_pressure },
	{ "nodes", test_nodes },
	{ "atomic", test_atomic },
	{ "hopeless", test_hopeless },
	{ "boost", test_boost },
	{ "oldest", test_oldest },
	{ "pieces", test_pieces },
	{ "sparse", test_sparse },
};

int main(int argc, char **argv)
{
	unsigned int chosen = 0, i;
	int opt;

	while ((opt = getopt(argc, argv, "en:t:")) != -1) {
		switch (opt) {
		case 'e':		/* what children exec() */
			return 0;
		case 'n':
			rounds = sp_number(optarg, 1, INT_MAX);
			break;
		case 't':
			sp_only = optarg;
			break;
		default:
			fprintf(stderr, "superpage_reserve [-n ROUNDS] [-t TEST]\n");
			return 2;
		}
	}
	for (i = 0; i < ARRAY_SIZE(tests); i++)
		chosen += !!strstr(tests[i].name, sp_only);
	sp_must_choose(chosen);
	sp_init(argv);
	if (!sp_kernel || !sp_tunable)
		ksft_exit_skip("no superpages that we may tune\n");
	sp_revive_kswapd();
	sp_growing();
	find_debug();
	old_boost = sp_get(BOOST);
	old_scale = sp_get(SCALE);
	old_fault_max = sp_get(FAULT_MAX);
	atexit(restore);
	if (sp_most_aside() < large)
		large = sp_most_aside();
	/* Touch all memory of this process, so that nothing will be set aside for it any more. */
	sp_permit(0);
	sp_need(!mlockall(MCL_CURRENT) && !munlockall(), "mlockall");
	ksft_print_msg("%s\n", have_debug ? "the kernel helps" : "no help from the kernel");
	ksft_set_plan(chosen);
	for (i = 0; i < ARRAY_SIZE(tests); i++)
		if (strstr(tests[i].name, sp_only))
			tests[i].run();
	ksft_finished();
}
