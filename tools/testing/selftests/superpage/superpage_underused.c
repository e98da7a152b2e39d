// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel gives back pages of zeroes in superpages when memory is short, or when somebody
 * writes to split_huge_pages: only these, never a page that somebody else has or uses, and
 * never one to which a thread is writing.
 *
 * Tests of pressure fill all memory, and want a machine with little of it.
 */
#include <pthread.h>
#include <sys/uio.h>
#include <time.h>

#include "superpage.h"

#define MB		(1024 * 1024UL)
#define HUGE		MB		/* hpage_pmd_size */
#define THP		"/sys/kernel/mm/transparent_hugepage/"
#define KNOB		THP "shrink_underused"
#define MAX_NONE	THP "khugepaged/max_ptes_none"
#define SPLIT		"/sys/kernel/debug/split_huge_pages"

/* With more memory a test cannot fill all of it. */
#define MEMORY_KB	(320 << 10)

static unsigned int rounds = 60;
static unsigned long max_none;		/* max_ptes_none before the tests */
static bool little;			/* memory is so small that a test can fill it */

static unsigned int huge_pages(void)
{
	return HUGE / page_size;
}

/* Return the orders of superpages of up to @size bytes. */
static unsigned long orders_to(size_t size)
{
	unsigned long bitmap = 0;
	unsigned int i;

	for (i = 0; i < sp_orders; i++)
		if (page_size << sp_order[i] <= size)
			bitmap |= 1UL << sp_order[i];
	return bitmap;
}

/* Map memory that is one VMA, whatever is beside it. */
static char *map_alone(size_t len, size_t align)
{
	char *p = sp_map_prot(len + 2 * align, align, PROT_NONE, 0) + align;

	sp_need(!mprotect(p, len, PROT_READ | PROT_WRITE), "mprotect");
	return p;
}

/* Make superpages of @size, full of zeroes. */
static char *make_superpages(size_t len, size_t size)
{
	size_t i;
	char *p;

	sp_permit(orders_to(size));
	p = map_alone(len, size);
	madvise(p, len, MADV_HUGEPAGE);
	for (i = 0; i < len; i += page_size)
		READ_ONCE(p[i]);
	sp_expect(sp_in_superpages(p, len, size) == len, "only %zu of %zu kB are in superpages",
		  sp_in_superpages(p, len, size) >> 10, len >> 10);
	return p;
}

static uint64_t zero_page;		/* frame of the zero page */

/* Return how many bytes of a range have frames of their own. */
static size_t resident(char *p, size_t len)
{
	size_t sum = 0, n, i;
	uint64_t frame[256];

	for (; len; len -= n * page_size, p += n * page_size) {
		n = len / page_size < ARRAY_SIZE(frame) ? len / page_size : ARRAY_SIZE(frame);
		sp_read_frames(p, n, page_size, frame);
		for (i = 0; i < n; i++)
			sum += frame[i] && frame[i] != zero_page ? page_size : 0;
	}
	return sum;
}

/* Return the frame of the zero page, which memory has that was only read. */
static uint64_t find_zero_page(void)
{
	char *p = sp_map(page_size, page_size);
	uint64_t frame;

	madvise(p, page_size, MADV_NOHUGEPAGE);
	READ_ONCE(*p);
	frame = sp_frame_of(p);
	munmap(p, page_size);
	return frame;
}

static void expect_resident(char *p, size_t len, size_t want, const char *when)
{
	size_t is = resident(p, len);

	sp_expect(is == want, "%s: %zu kB are there, not %zu kB", when, is >> 10, want >> 10);
}

static long split_event(void)
{
	return sp_field("/proc/vmstat", "thp_underused_split_page ");
}

static int split_as(const char *format, pid_t pid, void *p, size_t len, unsigned int order)
{
	char text[200];

	snprintf(text, sizeof(text), format, pid, (unsigned long)p, (unsigned long)p + len, order);
	return sp_write(SPLIT, text);
}

/* Have superpages of a range split; the kernel gives back pages of zeroes if @order is 0. */
static void split(void *p, size_t len, unsigned int order)
{
	int ret = split_as(order ? "%d,0x%lx,0x%lx,%d" : "%d,0x%lx,0x%lx", getpid(), p, len,
			   order);

	sp_expect(!ret, "split_huge_pages: %s", strerror(-ret));
}

static void set_number(const char *path, unsigned long n)
{
	int ret = sp_write_number(path, n);

	sp_expect(!ret, "%s = %lu: %s", path, n, strerror(-ret));
}

#define RT_RUNTIME	"/proc/sys/kernel/sched_rt_runtime_us"
#define BOOST		"/proc/sys/vm/watermark_boost_factor"

static unsigned long rt_runtime, boost;		/* as they were */

static void restore(void)
{
	if (getpid() != sp_main_pid)
		return;
	sp_write(KNOB, "1");
	sp_write_number(MAX_NONE, max_none);
	sp_write_number(RT_RUNTIME, rt_runtime);
	sp_write_number(BOOST, boost);
}

/* --- files -------------------------------------------------------------------------- */

static void test_knob(void)
{
	static const char * const bad[] = { "2", "-1", "x", "always", "\n" };
	unsigned int i, n;

	for (n = 0; n < 2; n++) {
		set_number(KNOB, n);
		sp_expect(sp_get(KNOB) == n, "%u was not stored", n);
		for (i = 0; i < ARRAY_SIZE(bad); i++) {
			sp_expect(sp_write(KNOB, bad[i]) == -EINVAL, "\"%s\" was taken", bad[i]);
			sp_expect(sp_get(KNOB) == n, "\"%s\" has changed it", bad[i]);
		}
	}
	sp_expect(!sp_write(KNOB, "off") && !sp_get(KNOB) && !sp_write(KNOB, "Y") && sp_get(KNOB),
		  "a word was not taken");
	sp_expect(split_event() >= 0, "no thp_underused_split_page");
	sp_result("shrink_underused, values and wrong values");
}

static void test_input(void)
{
	static const struct {
		const char *text;
		int ret;
	} inputs[] = {
		{ "x", -EINVAL }, { "\n", -EINVAL }, { "2", -EINVAL }, { "1,0x0", -EINVAL },
		{ "3,0,1", -EINVAL }, { ",0x0,0x1000", -EINVAL },
		{ "4194305,0x0,0x10000", -ESRCH }, { "-1,0x0,0x10000", -ESRCH },
		{ "2,0x0,0x10000", -EINVAL },	/* a thread of the kernel */
		{ "/proc/self/exe", -EINVAL }, { "/proc/self/exe,0,1", -EINVAL },
		{ "/no/such/file,0x0,0x1", -EINVAL }, { "/proc/self/exe,0x0,0x10", 0 },
		{ "/proc/self/exe,0x0,0x10,2", 0 },
	};
	unsigned int i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(inputs); i++) {
		ret = sp_write(SPLIT, inputs[i].text);
		sp_expect(ret == inputs[i].ret, "\"%s\": %s, not %s", inputs[i].text,
			  strerror(-ret), strerror(-inputs[i].ret));
	}
	sp_result("split_huge_pages, wrong input");
}

/* --- what is given back ------------------------------------------------------------- */

/* Return which word of a page has the contents, if any; it differs between pages. */
static size_t some_word(size_t page)
{
	size_t words = page_size / 8;
	const size_t word[] = { 0, 1, words / 2, words - 1, page % words };

	return word[page % ARRAY_SIZE(word)];
}

static uint64_t *page_word(char *p, size_t page)
{
	return (uint64_t *)(p + page * page_size) + some_word(page);
}

/* Does the page have contents? */
static bool has_contents(size_t page)
{
	return page * 7 % 10 < 4;
}

static void expect_contents(char *p, size_t pages, const char *when)
{
	uint64_t *w, want;
	size_t i, k;

	for (i = 0; i < pages; i++) {
		w = (uint64_t *)(p + i * page_size);
		for (k = 0; k < page_size / 8; k++) {
			want = has_contents(i) && k == some_word(i) ? i + 1 : 0;
			if (!sp_expect(READ_ONCE(w[k]) == want, "%s: page %zu, word %zu is %lx",
				       when, i, k, (unsigned long)w[k]))
				break;
		}
	}
}

static void test_exact(void)
{
	size_t size, len, pages, i, kept;
	struct sp_count count;
	long anon;
	char *p;

	/* With little memory there may be no larger block in one piece. */
	for (size = HUGE / 4; size <= (little ? 4 : 16) * HUGE; size *= 4) {
		len = size < 4 * HUGE ? 4 * HUGE : size;
		pages = len / page_size;
		p = make_superpages(len, size);
		for (i = 0, kept = 0; i < pages; i++) {
			if (!has_contents(i))
				continue;
			*page_word(p, i) = i + 1;
			kept++;
		}
		expect_resident(p, len, len, "before");
		anon = sp_field("/proc/self/status", "RssAnon:");
		split(p, len, 0);
		anon -= sp_field("/proc/self/status", "RssAnon:");
		expect_resident(p, len, kept * page_size, "then");
		sp_expect(anon == (long)((pages - kept) * page_size >> 10),
			  "RssAnon went down by %ld kB", anon);
		/* Reading maps no page. */
		expect_contents(p, pages, "then");
		expect_resident(p, len, kept * page_size, "after reading");
		/* Smaller superpages may be left. */
		sp_expect(!sp_in_superpages(p, len, size), "there are superpages");
		/* Each write maps one page. */
		for (i = 0; i < pages; i += 3)
			*page_word(p, i) = has_contents(i) ? i + 1 : 0;
		for (i = 0; i < pages; i += 3)
			kept += !has_contents(i);
		expect_resident(p, len, kept * page_size, "after writing");
		expect_contents(p, pages, "after writing");
		munmap(p, len);
	}
	count = sp_count_all();
	sp_expect(!count.mapped, "%ld superpages are left", count.mapped);
}

/* The kernel gives back superpages full of zeroes, and nothing of those without zeroes. */
static void test_all_or_nothing(void)
{
	size_t len = 2 * HUGE, i;
	char *p = make_superpages(len, HUGE), *q = make_superpages(len, HUGE);

	for (i = 0; i < len / page_size; i++)
		WRITE_ONCE(q[i * page_size], 1);
	split(p, len, 0);
	split(q, len, 0);
	expect_resident(p, len, 0, "zeroes");
	expect_resident(q, len, len, "no zeroes");
	for (i = 0; i < len / page_size; i++)
		sp_expect(p[i * page_size] == 0 && q[i * page_size] == 1,
			  "page %zu has changed", i);
	/* Split a part only. */
	munmap(p, len);
	p = make_superpages(len, HUGE);
	split(p + HUGE, page_size, 0);
	expect_resident(p, len, HUGE, "half of it");
	munmap(p, len);
	munmap(q, len);
	/* Split those of all processes. */
	p = make_superpages(len, HUGE);
	sp_expect(!sp_write(SPLIT, "1\n"), "split_huge_pages: 1");
	expect_resident(p, len, 0, "1");
	munmap(p, len);
}

/* Split to sizes other than base pages: pages of zeroes stay. */
static void test_orders(void)
{
	size_t len = 4 * HUGE, want;
	unsigned int i, order;
	char *p;

	for (order = 1; page_size << order <= len; order++) {
		p = make_superpages(len, len);
		split(p, len, order);
		/* They get the largest possible size up to the order. */
		for (i = 0, want = page_size; i < sp_orders; i++)
			if (sp_order[i] <= order)
				want = page_size << sp_order[i];
		if (want > page_size)
			sp_expect(sp_in_superpages(p, len, want) == len,
				  "order %u: %zu kB are in superpages of %zu kB", order,
				  sp_in_superpages(p, len, want) >> 10, want >> 10);
		sp_expect(!sp_in_superpages(p, len, want + 1), "order %u: there are larger ones",
			  order);
		expect_resident(p, len, len, "split into superpages");
		munmap(p, len);
	}
}

/* --- what is not given back ------------------------------------------------------------- */

static void test_locked(void)
{
	char *p = make_superpages(HUGE, HUGE);

	sp_need(!mlock(p, HUGE), "mlock");
	split(p, HUGE, 0);
	expect_resident(p, HUGE, HUGE, "mlock()");
	sp_expect(!sp_in_superpages(p, HUGE, 0), "it was not split");
	munmap(p, HUGE);
}

static void test_lazyfree(void)
{
	char *p = make_superpages(HUGE, HUGE);

	sp_need(!madvise(p, HUGE, MADV_FREE), "MADV_FREE");
	split(p, HUGE, 0);
	expect_resident(p, HUGE, HUGE, "MADV_FREE");
	munmap(p, HUGE);
}

static void test_shared(void)
{
	char *p = make_superpages(HUGE, HUGE);
	pid_t pid = sp_fork();

	if (!pid) {
		pause();
		_exit(0);
	}
	split(p, HUGE, 0);
	expect_resident(p, HUGE, HUGE, "fork()");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	munmap(p, HUGE);
}

/* As long as a pipe has a page, the page must stay mapped. */
static void test_pinned(void)
{
	size_t pinned = 8 * page_size, i;
	char *p = make_superpages(HUGE, HUGE), c;
	struct iovec v = { .iov_base = p + 3 * page_size, .iov_len = pinned };
	int fd[2];

	sp_need(!pipe(fd), "pipe");
	sp_need(vmsplice(fd[1], &v, 1, 0) == (ssize_t)pinned, "vmsplice");
	split(p, HUGE, 0);
	expect_resident(p, HUGE, pinned, "vmsplice()");
	for (i = 0; i < pinned; i += page_size)
		p[3 * page_size + i] = 7;
	for (i = 0; i < pinned; i++)
		sp_expect(read(fd[0], &c, 1) == 1 && c == (i % page_size ? 0 : 7),
			  "byte %zu of the pipe is %d", i, c);
	close(fd[0]);
	close(fd[1]);
	munmap(p, HUGE);
}

static void test_userfaultfd(void)
{
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	char *p = make_superpages(HUGE, HUGE);
	int fd = sp_userfaultfd();

	sp_need(fd >= 0, "userfaultfd");
	range.range.start = (uintptr_t)p;
	range.range.len = HUGE;
	sp_need(!ioctl(fd, UFFDIO_REGISTER, &range), "UFFDIO_REGISTER");
	split(p, HUGE, 0);
	expect_resident(p, HUGE, HUGE, "userfaultfd");
	close(fd);
	munmap(p, HUGE);
}

/* Pages keep their protection, even those that the kernel has given back. */
static void test_rights(void)
{
	char *p = make_superpages(2 * HUGE, HUGE);
	uint64_t value = 1;

	sp_need(!mprotect(p, HUGE, PROT_READ), "mprotect");
	sp_need(!mprotect(p + HUGE, HUGE, PROT_NONE), "mprotect");
	split(p, 2 * HUGE, 0);
	expect_resident(p, 2 * HUGE, 0, "PROT_READ, PROT_NONE");
	sp_expect(sp_load(p, &value) && !value, "cannot be read, or is not zero");
	sp_expect(!sp_store(p, 1), "can be written to");
	sp_expect(!sp_load(p + HUGE, &value), "can be read");
	sp_need(!mprotect(p, 2 * HUGE, PROT_READ | PROT_WRITE), "mprotect");
	sp_expect(sp_store(p, 1) && sp_store(p + HUGE, 2), "cannot be written to");
	sp_expect(sp_load(p, &value) && value == 1, "is %lx", (unsigned long)value);
	sp_expect(sp_load(p + HUGE, &value) && value == 2, "is %lx", (unsigned long)value);
	munmap(p, 2 * HUGE);
}

/* --- at the same time ------------------------------------------------------------------- */

#define FLIPPERS	3
#define PARTS		(FLIPPERS + 1)	/* the last part is the main thread's */

static struct {
	char *p;
	size_t pages;
	bool end;
	pthread_t thread[FLIPPERS];
	pthread_barrier_t begun;
	unsigned long zero_seen;
} flip;

/*
 * A thread that owns every PARTSth page.  It writes to them at random: something, or zeroes, so
 * that a page is zero half of the time, but may not be for long.
 */
static void *flipper(void *arg)
{
	size_t me = (uintptr_t)arg, own = flip.pages / PARTS, i, k;
	uint64_t *was, *w, n = 0;

	was = mmap(NULL, own * 8, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	sp_need(was != MAP_FAILED, "no memory");
	sp_rng = me + 1;
	pthread_barrier_wait(&flip.begun);
	while (!sp_acquire(&flip.end)) {
		i = sp_random_below(own);
		k = i * PARTS + me;
		w = page_word(flip.p, k);
		sp_expect(READ_ONCE(*w) == was[i], "thread %zu, page %zu: %lx, not %lx", me, k,
			  (unsigned long)READ_ONCE(*w), (unsigned long)was[i]);
		was[i] = was[i] ? 0 : ++n << 8 | me;
		WRITE_ONCE(*w, was[i]);
	}
	for (i = 0; i < own; i++) {
		w = page_word(flip.p, i * PARTS + me);
		sp_expect(READ_ONCE(*w) == was[i], "thread %zu, page %zu at the end: %lx, not %lx",
			  me, i * PARTS + me, (unsigned long)READ_ONCE(*w), (unsigned long)was[i]);
	}
	munmap(was, own * 8);
	return NULL;
}

static void flip_start(size_t len)
{
	unsigned int i;

	flip.p = make_superpages(len, HUGE);
	flip.pages = len / page_size;
	flip.end = false;
	pthread_barrier_init(&flip.begun, NULL, FLIPPERS + 1);
	for (i = 0; i < FLIPPERS; i++)
		sp_need(!pthread_create(&flip.thread[i], NULL, flipper, (void *)(uintptr_t)i),
			"no thread");
	/* Wait until all threads write, before memory gets short. */
	pthread_barrier_wait(&flip.begun);
	pthread_barrier_destroy(&flip.begun);
}

static void flip_stop(void)
{
	unsigned int i;

	sp_release(&flip.end, true);
	for (i = 0; i < FLIPPERS; i++)
		pthread_join(flip.thread[i], NULL);
	munmap(flip.p, flip.pages * page_size);
}

/* Change the same memory in some other way, which leaves the bytes of the threads. */
static void disturb(char *p, size_t len)
{
	size_t at = sp_random_below(len / page_size) * page_size, n = page_size, k;
	pid_t pid;

	n <<= sp_random_below(5);
	if (n > len - at)
		n = len - at;
	switch (sp_random_below(7)) {
	case 0:
		pid = sp_fork();
		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
		break;
	case 1:
		/* Always permit reading and writing, so that the other threads notice nothing. */
		mprotect(p + at, n, PROT_READ | PROT_WRITE | PROT_EXEC);
		mprotect(p + at, n, PROT_READ | PROT_WRITE);
		break;
	case 2:
		k = (at / page_size / PARTS * PARTS + PARTS - 1) * page_size;
		WRITE_ONCE(p[k], 1);
		sp_expect(READ_ONCE(p[k]) == 1, "what was just written is %d", p[k]);
		madvise(p + k, page_size, MADV_DONTNEED);
		sp_expect(READ_ONCE(p[k]) == 0, "after MADV_DONTNEED: %d", p[k]);
		break;
	case 3:
		madvise(p + at, n, MADV_PAGEOUT);
		break;
	case 4:
		mlock(p + at, n);
		munlock(p + at, n);
		break;
	case 5:
		madvise(p + at, n, MADV_DONTDUMP);
		madvise(p + at, n, MADV_DODUMP);
		break;
	}
}

/* A thread that makes superpages again while another one has them split. */
static void *collapser(void *arg)
{
	(void)arg;
	sp_rng = 99;
	while (!sp_acquire(&flip.end)) {
		madvise(flip.p, flip.pages * page_size, MADV_COLLAPSE);
		disturb(flip.p, flip.pages * page_size);
	}
	return NULL;
}

static void test_race(void)
{
	size_t len = 2 * HUGE, least = SIZE_MAX, now;
	pthread_t thread;
	unsigned int i;

	flip_start(len);
	sp_need(!pthread_create(&thread, NULL, collapser, NULL), "no thread");
	for (i = 0; i < rounds; i++) {
		split(flip.p, len, 0);
		now = resident(flip.p, len);
		if (now < least)
			least = now;
	}
	sp_release(&flip.end, true);
	pthread_join(thread, NULL);
	flip_stop();
	sp_expect(least < len, "nothing was given back");
	ksft_print_msg("at least %zu of %zu kB were left\n", least >> 10, len >> 10);
}

/* Processes die while the kernel splits their superpages. */
static void test_exit(void)
{
	unsigned int i;
	pid_t pid;
	char *p;

	for (i = 0; i < rounds / 4; i++) {
		p = make_superpages(2 * HUGE, HUGE);
		pid = sp_fork();
		if (!pid) {
			sp_permit(orders_to(HUGE));
			munmap(p, 2 * HUGE);
			p = make_superpages(4 * HUGE, HUGE);
			pause();
			_exit(0);
		}
		munmap(p, 2 * HUGE);
		usleep(sp_random_below(20000));
		if (sp_random_below(2))
			kill(pid, SIGKILL);
		split_as("%d,0x%lx,0x%lx", pid, NULL, 1UL << 60, 0);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
}

/* --- pressure ---------------------------------------------------------------------------- */

#define SPARSE	(48 * HUGE)

/* Return how many bytes are free or set aside. */
static size_t free_bytes(void)
{
	return (size_t)(sp_meminfo_kb("MemFree:") + sp_meminfo_kb(SP_RESERVED)) << 10;
}

/* Take all memory from one node from now on; from any if @node is negative. */
static void bind_to(int node)
{
	unsigned long mask = 1UL << (node < 0 ? 0 : node);

	/* MPOL_BIND, MPOL_DEFAULT */
	if (node >= 0)
		sp_need(!syscall(SYS_set_mempolicy, 2, &mask, 64), "set_mempolicy");
	else
		syscall(SYS_set_mempolicy, 0, NULL, 0);
}

/* Wait until the search rests no more, as it does after the last test's search in vain. */
static void let_search_rest(void)
{
	usleep(500 * 1000);
}

/*
 * Have a child use @len bytes, of one node or of any, which may be more than there is.  Returns
 * its status.  It must not share the memory that the kernel is to give back.
 */
static int press_node(size_t len, int node)
{
	int status = -1;
	size_t i;
	pid_t pid;
	char *p;

	let_search_rest();
	pid = sp_fork();
	if (!pid) {
		sp_write("/proc/self/oom_score_adj", "1000");
		bind_to(node);
		p = sp_map_prot(len, page_size, PROT_READ | PROT_WRITE, MAP_NORESERVE);
		madvise(p, len, MADV_NOHUGEPAGE);
		for (i = 0; i < len; i += page_size)
			WRITE_ONCE(*(uint64_t *)(p + i), i + 1);
		for (i = 0; i < len; i += page_size)
			sp_expect(*(uint64_t *)(p + i) == i + 1, "page %zu has changed",
				  i / page_size);
		sp_child_exit();
	}
	waitpid(pid, &status, 0);
	return status;
}

static int press(size_t len)
{
	return press_node(len, -1);
}

static bool killed(int status)
{
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

/* Make superpages in which one page has contents. */
static char *sparse_superpages(void)
{
	char *p = make_superpages(SPARSE, HUGE);
	size_t i;

	madvise(p, SPARSE, MADV_DONTFORK);
	for (i = 0; i < SPARSE; i += HUGE)
		WRITE_ONCE(p[i + HUGE / 2], 1);
	return p;
}

static void expect_sparse(char *p)
{
	size_t i;

	for (i = 0; i < SPARSE; i += page_size)
		sp_expect(READ_ONCE(p[i]) == (i % HUGE == HUGE / 2), "page %zu has changed",
			  i / page_size);
}

/*
 * Under pressure the kernel gives back pages of zeroes instead of swapping or killing.  A child
 * wants a third of them, and the kernel must stop when that is enough.
 */
static void test_pressure(void)
{
	long event = split_event(), swapped = sp_field("/proc/vmstat", "pswpout ");
	long kills = sp_field("/proc/vmstat", "oom_kill ");
	size_t is;
	int status;
	char *p;

	p = sparse_superpages();
	status = press(free_bytes() + SPARSE / 3);
	sp_expect(!status, "who wants memory ended with status %#x", status);
	is = resident(p, SPARSE);
	swapped = sp_field("/proc/vmstat", "pswpout ") - swapped;
	ksft_print_msg("%zu of %zu kB are left, %ld pages were swapped out\n", is >> 10,
		       SPARSE >> 10, swapped);
	sp_expect(is <= SPARSE - SPARSE / 4, "only %zu kB were given back", (SPARSE - is) >> 10);
	sp_expect(split_event() > event, "thp_underused_split_page says %ld",
		  split_event() - event);
	/* Allow a little: an allocation of a contiguous block, as for a stack, reclaims first. */
	sp_expect(swapped * (long)page_size <= (long)SPARSE / 16, "%ld pages were swapped out",
		  swapped);
	sp_expect(sp_field("/proc/vmstat", "oom_kill ") == kills, "somebody was killed");
	expect_sparse(p);
	munmap(p, SPARSE);
}

/*
 * Each search begins where the last one has stopped, a while ago.  At the end of memory it must
 * go on from the beginning.
 */
static void test_repeated(void)
{
	unsigned int i;

	for (i = 0; i < 8; i++) {
		usleep(1200 * 1000);
		test_pressure();
	}
}

/* The kernel gives nothing back when that is switched off, in either of two ways. */
static void test_off(void)
{
	long event = split_event();
	unsigned int way;
	int status;
	char *p;

	for (way = 0; way < 2; way++) {
		set_number(KNOB, way ? 1 : 0);
		set_number(MAX_NONE, way ? huge_pages() - 1 : max_none);
		p = sparse_superpages();
		status = press(free_bytes() + SPARSE / 3 + (sp_meminfo_kb("Cached:") << 10));
		sp_expect(killed(status), "it was not killed, but ended with %#x", status);
		expect_resident(p, SPARSE, SPARSE, way ? "max_ptes_none" : "shrink_underused");
		expect_sparse(p);
		munmap(p, SPARSE);
	}
	set_number(KNOB, 1);
	set_number(MAX_NONE, max_none);
	sp_expect(split_event() == event, "thp_underused_split_page says %ld",
		  split_event() - event);
}

/* Does page @i of superpage @k of test_limit() have contents? */
static bool is_used(unsigned int k, unsigned int i)
{
	switch (k) {
	case 0:		/* as many pages of zeroes as may be */
		return i >= max_none;
	case 1:		/* one more */
		return i >= max_none + 1;
	case 2:
		return i % 2;
	default:
		return !i;
	}
}

/* The kernel gives back pages of zeroes if there are more than khugepaged would fill. */
static void test_limit(void)
{
	unsigned int n = huge_pages(), k, i;
	size_t len = 4 * HUGE;
	char *filler, *p, *q;
	int status;

	sp_write("/proc/sys/vm/compact_memory", "1");
	/* A larger superpage has three empty parts, and one with too few pages of zeroes. */
	q = make_superpages(len, len);
	p = make_superpages(len, HUGE);
	filler = sparse_superpages();
	sp_permit(orders_to(4 * HUGE));
	madvise(p, len, MADV_DONTFORK);
	madvise(q, len, MADV_DONTFORK);
	for (i = 0; i < n; i++) {
		for (k = 0; k < 4; k++)
			if (is_used(k, i))
				WRITE_ONCE(p[k * HUGE + i * page_size], k + 1);
		if (i >= n / 4)
			WRITE_ONCE(q[3 * HUGE + i * page_size], 1);
	}
	/* Use all memory, so that the search leaves out nothing. */
	status = press(free_bytes() + 2 * SPARSE);
	sp_expect(killed(status), "it was not killed, but ended with %#x", status);
	expect_resident(p, HUGE, HUGE, "as many zeroes as may be");
	expect_resident(p + HUGE, HUGE, (n - max_none - 1) * page_size, "one more");
	expect_resident(p + 2 * HUGE, HUGE, HUGE, "each second page");
	expect_resident(p + 3 * HUGE, HUGE, page_size, "all but one");
	sp_expect(sp_in_superpages(p, len, HUGE) == 2 * HUGE,
		  "those are superpages no more, but %zu kB", sp_in_superpages(p, len, HUGE) >> 10);
	expect_resident(q, 3 * HUGE, 0, "parts of a large one");
	expect_resident(q + 3 * HUGE, HUGE, HUGE, "a part of which a quarter is zero");
	sp_expect(sp_in_superpages(q, len, HUGE) == HUGE, "that is a superpage no more");
	for (i = 0; i < n; i++)
		for (k = 0; k < 4; k++)
			sp_expect((unsigned int)p[k * HUGE + i * page_size] ==
				  (is_used(k, i) ? k + 1 : 0),
				  "superpage %u, page %u has changed", k, i);
	munmap(p, len);
	munmap(q, len);
	munmap(filler, SPARSE);
}

/* Touch one page of each unit, of which the fault handler maps all four. */
static void test_units(void)
{
	size_t unit = 4 * page_size, i, is;
	int status;
	char *p;

	sp_growing();
	sp_permit(sp_all_orders());
	p = map_alone(SPARSE, HUGE);
	madvise(p, SPARSE, MADV_DONTFORK);
	for (i = 0; i < SPARSE; i += 2 * unit)
		WRITE_ONCE(p[i], 1);
	is = resident(p, SPARSE);
	sp_expect(is >= SPARSE / 2, "only %zu kB are there", is >> 10);
	status = press(free_bytes() + SPARSE / 5);
	sp_expect(!status, "who wants memory ended with status %#x", status);
	is = resident(p, SPARSE);
	ksft_print_msg("%zu of %zu kB are left\n", is >> 10, SPARSE / 2 >> 10);
	sp_expect(is <= SPARSE / 3, "%zu kB are there still", is >> 10);
	for (i = 0; i < SPARSE; i += page_size)
		sp_expect(READ_ONCE(p[i]) == !(i % (2 * unit)), "page %zu has changed",
			  i / page_size);
	munmap(p, SPARSE);
	sp_write(SP_EAGER, "1");
}

/* Threads write meanwhile. */
static void test_pressure_race(void)
{
	char *p = sparse_superpages();
	int status;

	flip_start(8 * HUGE);
	madvise(flip.p, flip.pages * page_size, MADV_DONTFORK);
	status = press(free_bytes() + SPARSE / 3);
	sp_expect(!status, "who wants memory ended with status %#x", status);
	flip_stop();
	expect_sparse(p);
	munmap(p, SPARSE);
}

static struct {
	char *p;
	size_t len;
	pthread_t thread[4 + 8];
	unsigned int touching;
} crowd;

/* Touch one page of each four. */
static void *crowd_touch(void *arg)
{
	size_t part = crowd.len / 4, unit = 4 * page_size, i;
	char *p = crowd.p + (uintptr_t)arg * part;

	for (i = 0; i < part; i += unit)
		WRITE_ONCE(p[i], 1);
	__atomic_sub_fetch(&crowd.touching, 1, __ATOMIC_RELEASE);
	return NULL;
}

/* A thread that waits for mmap_lock, for writing, nearly all the time. */
static void *crowd_map(void *arg)
{
	while (sp_acquire(&crowd.touching))
		munmap(sp_map_prot(page_size, page_size, PROT_READ, 0), page_size);
	return arg;
}

/* A thread that waits for the lock of the anon_vma: it splits and merges the VMA. */
static void *crowd_split(void *arg)
{
	char *p = crowd.p + crowd.len + page_size;

	while (__atomic_load_n(&crowd.touching, __ATOMIC_ACQUIRE)) {
		sp_expect(!mprotect(p, page_size, PROT_READ), "mprotect");
		sp_expect(!mprotect(p, page_size, PROT_READ | PROT_WRITE), "mprotect");
	}
	return arg;
}

/*
 * Threads need more memory than there is, unless the kernel gives back pages of zeroes of their
 * own process, while other threads map and unmap memory.
 */
static void test_crowd(void)
{
	int status = -1;
	size_t i;
	pid_t pid;

	sp_growing();
	sp_permit(sp_all_orders());
	let_search_rest();
	crowd.len = 2 * free_bytes() & -(16 * HUGE);
	pid = sp_fork();
	if (!pid) {
		sp_write("/proc/self/oom_score_adj", "1000");
		crowd.p = sp_map_prot(crowd.len + HUGE, HUGE, PROT_READ | PROT_WRITE,
				      MAP_NORESERVE);
		WRITE_ONCE(crowd.p[crowd.len], 1);
		crowd.touching = 4;
		for (i = 0; i < ARRAY_SIZE(crowd.thread); i++)
			sp_need(!pthread_create(&crowd.thread[i], NULL,
						i < 4 ? crowd_touch :
						i < 10 ? crowd_map : crowd_split, (void *)(i % 4)),
				"no thread");
		for (i = 0; i < ARRAY_SIZE(crowd.thread); i++)
			pthread_join(crowd.thread[i], NULL);
		for (i = 0; i < crowd.len; i += page_size)
			sp_expect(READ_ONCE(crowd.p[i]) == !(i % (4 * page_size)),
				  "page %zu has changed", i / page_size);
		sp_child_exit();
	}
	waitpid(pid, &status, 0);
	sp_expect(!status, "who wants memory ended with status %#x", status);
	sp_write(SP_EAGER, "1");
}

/* --- who searches, and for how long ------------------------------------------------------ */

/* Make superpages of which a search reads each page to the end, in vain. */
static char *late_superpages(size_t len)
{
	char *p = make_superpages(len, HUGE);
	size_t i;

	madvise(p, len, MADV_DONTFORK);
	for (i = page_size; i <= len; i += page_size)
		WRITE_ONCE(p[i - 1], 1);
	return p;
}

static uint64_t now_ns(void)
{
	struct timespec t;

	sp_need(!clock_gettime(CLOCK_MONOTONIC, &t), "clock_gettime");
	return t.tv_sec * 1000000000UL + t.tv_nsec;
}

/* Keep other tasks from this processor, or share it with them again. */
static void real_time(bool on)
{
	struct sched_param param = { .sched_priority = on };

	sp_need(!sched_setscheduler(0, on ? SCHED_FIFO : SCHED_OTHER, &param),
		"sched_setscheduler");
}

/* Let kswapd run on the second processor only. */
static void kswapd_on_second(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(1, &set);
	sp_need(!sched_setaffinity(sp_thread_pid("kswapd0"), sizeof(set), &set),
		"sched_setaffinity of kswapd");
}

static void kswapd_anywhere(void)
{
	cpu_set_t set;

	sp_need(!sched_getaffinity(sp_main_pid, sizeof(set), &set), "sched_getaffinity");
	sched_setaffinity(sp_thread_pid("kswapd0"), sizeof(set), &set);
}

#define HOG_MS	3000

/* Make a process that takes the first processor from all others for a while when told to. */
static pid_t hog_make(int *tell)
{
	uint64_t end;
	int fd[2];
	pid_t pid;
	char c;

	sp_need(!pipe(fd), "no pipe");
	pid = sp_fork();
	if (!pid) {
		close(fd[1]);	/* so that it ends with its parent */
		sp_run_on(0);
		real_time(true);
		if (read(fd[0], &c, 1) == 1)
			for (end = now_ns() + HOG_MS * 1000000UL; now_ns() < end; )
				;
		_exit(0);
	}
	*tell = fd[1];
	return pid;
}

#define MIXED		(63 * HUGE)

/*
 * The task that searches gets no processor, as may happen when its cgroup has used up its share.
 * Others that need memory do not wait until it gets one.
 */
static void test_starved(void)
{
	uint64_t begin, took, longest = 0;
	size_t len = 16 * MB, more, i;
	pid_t hog, searcher;
	char *p, *q;
	long event;
	int tell;

	sp_need(!sp_write(RT_RUNTIME, "-1"), "cannot write to " RT_RUNTIME);
	p = late_superpages(MIXED);
	/*
	 * Let the search first find something, which counters show, but too little.  Then it goes
	 * on for some milliseconds.
	 */
	for (i = 0; i < MIXED; i += page_size)
		if (i / HUGE % 7 == 0 && i % HUGE)
			WRITE_ONCE(p[i + page_size - 1], 0);
	q = sp_map_prot(len, page_size, PROT_READ | PROT_WRITE, MAP_NORESERVE);
	madvise(q, len, MADV_NOHUGEPAGE);
	madvise(q, len, MADV_DONTFORK);
	kswapd_on_second();
	hog = hog_make(&tell);
	more = (free_bytes() + len) & -page_size;
	sp_run_on(0);
	event = split_event();
	searcher = sp_fork();
	if (!searcher) {
		q = sp_map_prot(more, page_size, PROT_READ | PROT_WRITE, MAP_NORESERVE);
		madvise(q, more, MADV_NOHUGEPAGE);
		for (;;)
			for (i = 0; i < more; i += page_size)
				WRITE_ONCE(q[i], 1);
	}
	/* Keep kswapd from searching for now. */
	sp_run_on(1);
	real_time(true);
	begin = now_ns();
	while (split_event() == event && now_ns() - begin < 5000000000UL)
		;
	sp_expect(split_event() > event, "nobody searches");
	sp_expect(write(tell, "", 1) == 1, "write");
	real_time(false);
	for (i = 0; i < len; i += page_size) {
		begin = now_ns();
		WRITE_ONCE(q[i], 1);
		took = now_ns() - begin;
		if (took > longest)
			longest = took;
	}
	kill(hog, SIGKILL);
	kill(searcher, SIGKILL);
	waitpid(hog, NULL, 0);
	waitpid(searcher, NULL, 0);
	sp_write_number(RT_RUNTIME, rt_runtime);
	kswapd_anywhere();
	ksft_print_msg("the longest page fault took %lu ms\n", (unsigned long)longest / 1000000);
	sp_expect(longest < HOG_MS / 4 * 1000000UL, "that is too long");
	munmap(p, MIXED);
	munmap(q, len);
}

/* --- nodes ------------------------------------------------------------------------------- */

#define LATE		(24 * HUGE)
#define LATE_ZEROES	(16 * HUGE)

static size_t node_free(unsigned int node)
{
	char path[80], field[40];

	snprintf(path, sizeof(path), "/sys/devices/system/node/node%u/meminfo", node);
	snprintf(field, sizeof(field), "Node %u MemFree:", node);
	return (size_t)sp_field(path, field) << 10;
}

/* Have a child use more than a node has, and expect that the OOM killer kills it. */
static void exhaust(unsigned int node)
{
	int status = press_node((node_free(node) + LATE) & -page_size, node);

	sp_expect(killed(status), "node %u: it was not killed, but ended with %#x", node, status);
}

/*
 * The search before a kill has found nothing on one node, and neither has the search of each
 * node.  Nevertheless a search finds pages of the other node that have become zero since then.
 */
static void test_nodes(void)
{
	char *late[2], *p;
	size_t len, i;
	int status;
	long kills;

	for (i = 0; i < 2; i++) {
		bind_to(i);
		late[i] = late_superpages(LATE);
	}
	/* Make these on the second node. */
	p = late_superpages(LATE_ZEROES);
	for (i = 0; i < LATE_ZEROES; i += page_size)
		WRITE_ONCE(p[i], 1);
	bind_to(-1);
	exhaust(1);
	exhaust(0);
	for (i = 0; i < LATE_ZEROES; i += page_size) {
		WRITE_ONCE(p[i], 0);
		WRITE_ONCE(p[i + page_size - 1], 0);
	}
	kills = sp_field("/proc/vmstat", "oom_kill ");
	len = (node_free(1) + LATE_ZEROES / 2) & -page_size;
	status = press_node(len, 1);
	sp_expect(!status, "who wants memory ended with status %#x", status);
	sp_expect(sp_field("/proc/vmstat", "oom_kill ") == kills, "somebody was killed");
	i = resident(p, LATE_ZEROES);
	ksft_print_msg("%zu of %zu kB are left\n", i >> 10, LATE_ZEROES >> 10);
	sp_expect(i < LATE_ZEROES, "nothing was given back");
	munmap(p, LATE_ZEROES);
	for (i = 0; i < 2; i++)
		munmap(late[i], LATE);
}

static const struct {
	const char *what;
	void (*test)(void);
	bool pressure, swap, own, nodes;
} tests[] = {
	{ "just what is zero", test_exact },
	{ "all, nothing, a part", test_all_or_nothing },
	{ "into superpages", test_orders },
	{ "mlock()", test_locked },
	{ "MADV_FREE", test_lazyfree },
	{ "shared after fork()", test_shared },
	{ "pinned", test_pinned },
	{ "userfaultfd", test_userfaultfd },
	{ "rights", test_rights },
	{ "threads write to what is given back", test_race },
	{ "processes that die meanwhile", test_exit },
	{ "pressure, before swap", test_pressure, true, true },
	{ "pressure, again and again", test_repeated, true, true },
	{ "pressure, how many zeroes it takes", test_limit, true },
	{ "pressure, base pages that were mapped ahead", test_units, true },
	{ "pressure, threads write meanwhile", test_pressure_race, true },
	{ "pressure, threads map and unmap meanwhile", test_crowd, true },
	{ "pressure, switched off", test_off, true },
	/* After a search in vain nobody searches for a while, so nothing may precede this. */
	{ "pressure, who searches gets no processor", test_starved, true, true, true },
	{ "pressure on one node after that on another", test_nodes, true, false, false, true },
};

int main(int argc, char **argv)
{
	struct sp_usage before;
	unsigned int i, count = 0;
	pid_t pid;
	int opt;

	while ((opt = getopt(argc, argv, "n:t:h")) != -1) {
		switch (opt) {
		case 'n':
			rounds = sp_number(optarg, 4, 1000000);
			break;
		case 't':
			sp_only = optarg;
			break;
		default:
			printf("usage: %s [-n ROUNDS] [-t TEST]\n", argv[0]);
			return opt == 'h' ? 0 : 1;
		}
	}
	sp_init(argv);
	sp_catch_faults();
	mount("none", "/sys/kernel/debug", "debugfs", 0, NULL);
	if (!sp_tunable || access(KNOB, F_OK))
		ksft_exit_skip("no " KNOB "\n");
	if (access(SPLIT, W_OK))
		ksft_exit_skip("no " SPLIT "\n");
	max_none = sp_get(MAX_NONE);
	rt_runtime = sp_get(RT_RUNTIME);
	boost = sp_get(BOOST);
	zero_page = find_zero_page();
	atexit(restore);
	/* With a boosted watermark the OOM killer comes while 16 MiB are still free. */
	sp_write(BOOST, "0");
	little = sp_meminfo_kb("MemTotal:") <= MEMORY_KB;
	for (i = 0; i < ARRAY_SIZE(tests); i++)
		count += !!strstr(tests[i].what, sp_only);
	sp_must_choose(count);
	sp_revive_kswapd();
	ksft_set_plan(2 + count + 1);
	test_knob();
	test_input();
	before = sp_usage_now();
	for (i = 0; i < ARRAY_SIZE(tests); i++) {
		if (!strstr(tests[i].what, sp_only))
			continue;
		if (tests[i].pressure && !little) {
			ksft_test_result_skip("%s: too much memory to be filled\n", tests[i].what);
			continue;
		}
		if (tests[i].own && !*sp_only) {
			ksft_test_result_skip("%s: wants a machine of its own\n", tests[i].what);
			continue;
		}
		if (tests[i].own && sysconf(_SC_NPROCESSORS_ONLN) == 1) {
			ksft_test_result_skip("%s: one processor\n", tests[i].what);
			continue;
		}
		if (tests[i].nodes && access("/sys/devices/system/node/node1", F_OK)) {
			ksft_test_result_skip("%s: there is one node\n", tests[i].what);
			continue;
		}
		fflush(stdout);
		/* Set up swap here, so that it goes away whatever happens to the child. */
		if (tests[i].swap)
			sp_expect(sp_swap_on(64 * MB), "no swap");
		pid = sp_fork();
		if (!pid) {
			tests[i].test();
			sp_permit(0);
			sp_child_exit();
		}
		sp_wait(pid);
		sp_permit(0);
		if (tests[i].swap)
			sp_swap_off();
		sp_result("%s", tests[i].what);
	}
	sp_check_usage(before);
	sp_result("nothing is left behind");
	ksft_finished();
}
