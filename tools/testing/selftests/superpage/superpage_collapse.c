// SPDX-License-Identifier: GPL-2.0
/*
 * MADV_COLLAPSE makes superpages of pages wherever their frames are, and no byte changes.
 * When it cannot, its errors are those that programs expect.
 */
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "superpage_writers.h"

#define MB		(1024 * 1024UL)
#define HUGE		MB		/* hpage_pmd_size */
#define BIG		(16 * MB)
#define KSM		"/sys/kernel/mm/ksm/"

#ifndef SYS_pidfd_open
#define SYS_pidfd_open	(1024 + 410)
#endif
#ifndef SYS_process_madvise
#define SYS_process_madvise (1024 + 416)
#endif

static unsigned int rounds = 40;

/* Repeat MADV_COLLAPSE until it says something other than "try again"; 0 or -errno. */
static int collapse(void *p, size_t len)
{
	int ret, tries;

	for (tries = 0; tries < 20; tries++) {
		ret = madvise(p, len, MADV_COLLAPSE) ? -errno : 0;
		if (ret != -EAGAIN)
			break;
		usleep(20000);
	}
	return ret;
}

/* Map base pages with a pattern. */
static char *base_pages(size_t len, uint64_t seed)
{
	char *p;

	sp_permit(0);
	p = sp_map(len, BIG);
	sp_fill(p, len, seed);
	sp_expect(!sp_in_superpages(p, len, 0), "superpages, though they are off");
	return p;
}

static void expect_huge(char *p, size_t len, size_t least)
{
	size_t is = sp_in_superpages(p, len, least);

	sp_expect(is == len, "%zu of %zu kB are in superpages of %zu kB", is >> 10, len >> 10,
		  least >> 10);
}

static void must_collapse(char *p, size_t len, size_t least)
{
	int ret = collapse(p, len);

	sp_expect(!ret, "%s", strerror(-ret));
	expect_huge(p, len, least);
}

/* --- what it makes ------------------------------------------------------------------ */

static void test_base_pages(void)
{
	size_t len = 4 * MB;
	char *p = base_pages(len, 1);
	int ret = collapse(p, len);

	sp_expect(!ret, "%s", strerror(-ret));
	expect_huge(p, len, HUGE);
	sp_expect_bytes(p, len, 1, "collapsed");
	sp_fill(p, len, 2);
	sp_expect_bytes(p, len, 2, "written to");
	ret = collapse(p, len);
	sp_expect(!ret, "again: %s", strerror(-ret));
	munmap(p, len);
	sp_result("base pages become superpages of 1 MiB, though superpages are off");
}

static void test_largest(void)
{
	size_t len = BIG;
	char *p = base_pages(len, 3);

	sp_permit(sp_all_orders());
	must_collapse(p, len, BIG);
	sp_permit(0);
	sp_expect_bytes(p, len, 3, "collapsed");
	munmap(p, len);
	sp_result("and of 16 MiB, where these are permitted");
}

static void test_holes(void)
{
	size_t len = 2 * HUGE, i;
	char *p;

	sp_permit(0);
	p = sp_map(len, BIG);
	for (i = 0; i < len; i += 3 * page_size)
		WRITE_ONCE(*(uint64_t *)(p + i), i + 1);
	/* The zero page counts as no page. */
	READ_ONCE(*(uint64_t *)(p + page_size));
	must_collapse(p, len, HUGE);
	for (i = 0; i < len; i += 8)
		sp_expect(READ_ONCE(*(uint64_t *)(p + i)) == (i % (3 * page_size) ? 0 : i + 1),
			  "the word at %zu is wrong", i);
	munmap(p, len);
	sp_result("holes are filled with zeroes");
}

static void test_fork(void)
{
	size_t len = 2 * HUGE, i;
	char *p = base_pages(len, 4);
	int go[2];
	pid_t pid;
	char c;

	sp_need(!pipe(go), "no pipe");
	pid = sp_fork();
	if (!pid) {
		close(go[1]);
		sp_expect(read(go[0], &c, 1) == 0, "the parent says something");
		sp_expect_bytes(p, len, 4, "in the child");
		sp_child_exit();
	}
	for (i = 0; i < len; i += 5 * page_size)
		sp_fill(p + i, 8, 5);
	must_collapse(p, len, HUGE);
	sp_fill(p, len, 6);
	close(go[1]);
	close(go[0]);
	sp_expect(sp_wait(pid), "the child failed");
	sp_expect_bytes(p, len, 6, "in the parent");
	munmap(p, len);
	sp_result("pages that a child shares are copied");
}

/* A block that has lost some of its frames gets just these back, as long as they are free. */
static void test_home(bool free)
{
	size_t len = HUGE, i, stayed = 0, pages = len / page_size;
	uint64_t first;
	char *p, *q;

	q = base_pages(len, 7);
	sp_permit(sp_all_orders());
	p = sp_map(len, BIG);
	sp_fill(p, len, 8);
	sp_permit(0);
	expect_huge(p, len, HUGE);
	first = sp_frame_of(p);
	sp_expect(first, "pagemap shows no frame");
	for (i = page_size; i < len; i += 16 * page_size)
		madvise(p + i, page_size, MADV_DONTNEED);
	if (!free) {
		/* Another mapping takes these frames, and the block gets other pages instead. */
		madvise(q, len, MADV_DONTNEED);
		sp_fill(q, len, 7);
		for (i = page_size; i < len; i += 16 * page_size)
			WRITE_ONCE(p[i], 1);
	}
	must_collapse(p, len, HUGE);
	for (i = page_size; i < len; i += 16 * page_size)
		sp_refill(p, i, page_size, 8);
	sp_expect_bytes(p, len, 8, "collapsed");
	sp_expect_bytes(q, len, 7, "beside it");
	for (i = 0; i < pages; i++)
		stayed += sp_frame_of(p + i * page_size) == first + i;
	ksft_print_msg("%zu of %zu pages have the frames of old\n", stayed, pages);
	if (free)
		sp_expect(stayed == pages, "pages have moved");
	munmap(p, len);
	munmap(q, len);
	sp_result("a block with holes whose frames %s", free ? "are free" : "may be taken");
}

/*
 * A part of a block has lost its frames to another mapping, and the kernel sets new frames
 * aside for it.  Then the old frames are free again, so collapse moves this part back to
 * them, and the rest of the block stays.
 */
static void test_elsewhere(void)
{
	size_t len = 4 * HUGE, elsewhere = 0;
	unsigned int i;
	uint64_t first;
	char *p, *q, *u;

	sp_growing();
	for (i = 0; i < 10; i++) {
		sp_permit(sp_all_orders());
		p = sp_map(len, BIG);
		sp_fill(p, len, 20);
		sp_permit(0);
		first = sp_frame_of(p);
		if (sp_in_superpages(p, len, len) != len) {
			munmap(p, len);
			continue;
		}
		q = sp_map(HUGE, HUGE);
		madvise(p, HUGE, MADV_DONTNEED);
		sp_fill(q, HUGE, 21);
		sp_permit(sp_all_orders());
		WRITE_ONCE(*p, 1);
		elsewhere += sp_frame_of(p) != first;
		munmap(q, HUGE);
		must_collapse(p, len, len);
		sp_permit(0);
		/* Another mapping takes all frames that are free now. */
		u = sp_map(2 * HUGE, HUGE);
		sp_fill(u, 2 * HUGE, 22);
		sp_refill(p, 0, HUGE, 20);
		sp_expect_bytes(u, 2 * HUGE, 22, "another mapping");
		sp_expect_bytes(p, len, 20, "collapsed");
		munmap(u, 2 * HUGE);
		munmap(p, len);
	}
	sp_write(SP_EAGER, "1");
	sp_check_accounts("with frames elsewhere");
	sp_expect(elsewhere, "there were no frames elsewhere");
	ksft_print_msg("%zu of %u blocks had frames elsewhere\n", elsewhere, i);
	sp_result("a part of a block for which other frames are set aside");
}

static void test_swap(void)
{
	size_t len = 2 * HUGE;
	cpu_set_t all;
	long before;
	char *p;
	int ret;

	if (!sp_swap_on(64 * MB)) {
		ksft_test_result_skip("no swap\n");
		return;
	}
	/* Stay here, or another processor's batch for the LRU lists may hold a page. */
	sched_getaffinity(0, sizeof(all), &all);
	sp_run_on(0);
	p = base_pages(len, 8);
	before = sp_field("/proc/self/status", "VmSwap:");
	madvise(p, len, MADV_PAGEOUT);
	sp_expect(sp_field("/proc/self/status", "VmSwap:") > before, "nothing is in swap");
	ret = madvise(p, len, MADV_COLLAPSE) ? errno : 0;
	sp_expect(!ret, "at once: %s", strerror(ret));
	expect_huge(p, len, HUGE);
	sched_setaffinity(0, sizeof(all), &all);
	sp_expect_bytes(p, len, 8, "swapped in");
	munmap(p, len);

	/* With PROT_NONE, collapse cannot read the pages from swap, and does not say EAGAIN. */
	p = base_pages(len, 9);
	madvise(p, len, MADV_PAGEOUT);
	sp_expect(sp_field("/proc/self/status", "VmSwap:") > before, "nothing is in swap");
	sp_expect(!mprotect(p, len, PROT_NONE), "mprotect: %s", strerror(errno));
	ret = collapse(p, len);
	sp_expect(ret == -EINVAL, "without rights: %s", strerror(-ret));
	sp_expect(!mprotect(p, len, PROT_READ | PROT_WRITE), "mprotect: %s", strerror(errno));
	sp_expect_bytes(p, len, 9, "with rights again");
	munmap(p, len);
	sp_result("pages that are in swap");
}

/*
 * A page is at home, but in the swap cache, because a child still has it in swap.  It cannot
 * become this process's own before the child reads it, so collapse has to use new frames.
 */
static void test_swap_shared(void)
{
	size_t len = HUGE, at = 3 * page_size;
	int fds[2], go[2], ret;
	struct iovec vec;
	char *p, c;
	uint64_t frame, word;
	cpu_set_t all;
	pid_t pid;

	if (!sp_swap_on(64 * MB)) {
		ksft_test_result_skip("no swap\n");
		return;
	}
	sp_need(!sched_getaffinity(0, sizeof(all), &all) && !pipe(fds) && !pipe(go), "no pipe");
	sp_run_on(0);
	sp_permit(sp_all_orders());
	p = sp_map(len, BIG);
	sp_fill(p, len, 31);
	sp_permit(0);
	expect_huge(p, len, HUGE);
	frame = sp_frame_of(p + at);
	/* The pipe's reference keeps the page in the swap cache. */
	vec = (struct iovec){ p + at, page_size };
	sp_expect(vmsplice(fds[1], &vec, 1, 0) == (ssize_t)page_size, "vmsplice: %s",
		  strerror(errno));
	madvise(p + at, page_size, MADV_PAGEOUT);
	sp_expect(!sp_frame_of(p + at), "the page is mapped still");
	/* The child has this page only. */
	madvise(p, len, MADV_DONTFORK);
	madvise(p + at, page_size, MADV_DOFORK);
	pid = sp_fork();
	if (!pid) {
		close(fds[0]);
		close(fds[1]);
		close(go[1]);
		sp_expect(!read(go[0], &c, 1), "the parent says something");
		sp_expect_bytes(p + at, page_size, 31 + at / 8 * SP_PATTERN, "in the child");
		sp_child_exit();
	}
	madvise(p, len, MADV_DOFORK);
	close(fds[0]);
	close(fds[1]);
	sp_expect(sp_load(p + at, &word) && sp_frame_of(p + at) == frame, "it has another frame");
	ret = collapse(p, len);
	sp_expect(!ret, "%s", strerror(-ret));
	expect_huge(p, len, HUGE);
	sp_expect_bytes(p, len, 31, "collapsed");
	sp_fill(p, len, 32);
	close(go[1]);
	close(go[0]);
	sp_expect(sp_wait(pid), "the child failed");
	sp_expect_bytes(p, len, 32, "in the parent");
	sched_setaffinity(0, sizeof(all), &all);
	munmap(p, len);
	sp_result("a page that a child has in swap");
}

/* Collapse in the middle of a mapping of base pages, some of which are write-protected. */
static void test_protection(void)
{
	size_t len = 4 * HUGE;
	char *p = base_pages(len, 9);
	uint64_t word;
	int ret;

	sp_expect(!mprotect(p + HUGE, HUGE, PROT_READ), "mprotect: %s", strerror(errno));
	ret = collapse(p, len);
	sp_expect(!ret, "%s", strerror(-ret));
	expect_huge(p + HUGE, HUGE, HUGE);
	sp_expect_bytes(p, len, 9, "collapsed");
	sp_expect(sp_load(p + HUGE, &word), "cannot read");
	sp_expect(!sp_store(p + HUGE + page_size, 1), "what is read-only was written to");
	sp_expect(!mprotect(p, len, PROT_NONE), "mprotect: %s", strerror(errno));
	sp_expect(!sp_load(p, &word), "what has no rights was read");
	ret = collapse(p, len);
	sp_expect(!ret, "without rights: %s", strerror(-ret));
	sp_expect(!sp_load(p, &word), "what has no rights was read");
	sp_expect(!mprotect(p, len, PROT_READ | PROT_WRITE), "mprotect: %s", strerror(errno));
	sp_expect_bytes(p, len, 9, "with rights again");
	munmap(p, len);
	sp_result("protections stay what they are");
}

static void test_locked(void)
{
	size_t len = 2 * HUGE;
	char *p = base_pages(len, 10);
	long kb = sp_meminfo_kb("Mlocked:");

	sp_expect(!mlock(p, len), "mlock: %s", strerror(errno));
	must_collapse(p, len, HUGE);
	sp_expect_bytes(p, len, 10, "collapsed");
	munmap(p, len);
	sp_usage_now();
	sp_expect(sp_meminfo_kb("Mlocked:") <= kb, "%ld kB are still locked",
		  sp_meminfo_kb("Mlocked:") - kb);
	sp_result("pages that are locked");
}

/* --- errors ---------------------------------------------------------------------------- */

static void expect_error(void *p, size_t len, int want, const char *what)
{
	int ret = madvise(p, len, MADV_COLLAPSE) ? -errno : 0;

	sp_expect(ret == want, "%s: %s, not %s", what, ret ? strerror(-ret) : "no error",
		  want ? strerror(-want) : "none");
}

static void test_errors(void)
{
	size_t len = 4 * HUGE;
	char *p = base_pages(len, 11), *q;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	expect_error(p + 1, HUGE, -EINVAL, "not aligned to a page");
	expect_error(p, 0, 0, "nothing");
	expect_error(p + page_size, HUGE, 0, "no whole block");
	madvise(p, HUGE, MADV_NOHUGEPAGE);
	expect_error(p, HUGE, -EINVAL, "MADV_NOHUGEPAGE");
	madvise(p, len, MADV_HUGEPAGE);
	expect_error(p, HUGE, 0, "MADV_HUGEPAGE");
	madvise(p, HUGE, MADV_DONTNEED);
	expect_error(p, HUGE, -EINVAL, "no page at all");
	/* Collapse goes on after a block that fails. */
	expect_error(p, len, -EINVAL, "the first block is empty");
	expect_huge(p + HUGE, len - HUGE, HUGE);
	munmap(p + HUGE, HUGE);
	expect_error(p + HUGE, 2 * HUGE, -ENOMEM, "a hole in the range");
	munmap(p, len);
	q = mmap(NULL, HUGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	expect_error(q, HUGE, -EINVAL, "shared memory");
	munmap(q, HUGE);
	q = mmap(NULL, page_size, PROT_READ, MAP_PRIVATE, fd, 0);
	expect_error(q, page_size, -EINVAL, "a file");
	munmap(q, page_size);
	close(fd);
	sp_result("errors");
}

/*
 * A program is limited to sizes above 1 MiB, and has an empty block and one with a page.  It is
 * a child, which dies if the call does not return.
 */
static void test_limited(void)
{
	size_t len = 8 * HUGE, big = 4 * HUGE;
	unsigned int i;
	char text[32];
	pid_t pid;
	char *p;

	sp_permit(sp_all_orders());
	for (i = 0; i < sp_orders && page_size << sp_order[i] != big; i++)
		;
	sp_need(i < sp_orders, "there is no size of %zu kB", big >> 10);
	snprintf(text, sizeof(text), "orders %#lx\n", 1UL << sp_order[i]);
	pid = sp_fork();
	if (!pid) {
		alarm(20);
		sp_need(!sp_write("/proc/self/superpage", text), "cannot limit the orders");
		sp_permit(0);
		p = sp_map(len, BIG);
		sp_permit(sp_all_orders());
		expect_error(p, len, -EINVAL, "nothing is there");
		sp_permit(0);
		sp_fill(p + big, page_size, 23);
		sp_permit(sp_all_orders());
		expect_error(p, len, -EINVAL, "nothing is there in the first block");
		expect_huge(p + big, big, big);
		sp_expect_bytes(p + big, page_size, 23, "collapsed");
		sp_child_exit();
	}
	sp_expect(sp_wait(pid), "the process failed");
	sp_permit(0);
	sp_result("a program that is limited to larger sizes");
}

/* A pipe has a page: a reader of the pipe must see what the program writes to it later. */
static void test_pinned(void)
{
	size_t len = HUGE, at = 3 * page_size, n;
	struct iovec vec;
	char buf[1024], *p;
	int fds[2];

	sp_need(!pipe(fds), "no pipe");
	sp_permit(0);
	p = sp_map(len, BIG);
	/* Write backwards, or the page might be at home. */
	for (n = len; n; n -= page_size)
		sp_refill(p, n - page_size, page_size, 12);
	vec = (struct iovec){ p + at, page_size };
	sp_expect(vmsplice(fds[1], &vec, 1, 0) == (ssize_t)page_size, "vmsplice: %s",
		  strerror(errno));
	expect_error(p, len, -EAGAIN, "a page that a pipe has");
	sp_expect_bytes(p, len, 12, "not collapsed");
	sp_fill(p, len, 13);
	for (n = 0; n < page_size; n += sizeof(buf)) {
		sp_expect(read(fds[0], buf, sizeof(buf)) == sizeof(buf), "cannot read the pipe");
		sp_expect_bytes(buf, sizeof(buf), 13 + (at + n) / 8 * SP_PATTERN, "in the pipe");
	}
	must_collapse(p, len, HUGE);
	sp_expect_bytes(p, len, 13, "collapsed");
	close(fds[0]);
	close(fds[1]);
	munmap(p, len);
	sp_result("a page that somebody else uses");
}

/* Superpages that cannot become a larger one stay as they are. */
static void test_pinned_small(void)
{
	size_t small = HUGE / 4, i;
	struct iovec vec;
	unsigned int k;
	int fds[2];
	char *p;

	for (k = 0; k < sp_orders && page_size << sp_order[k] != small; k++)
		;
	sp_need(k < sp_orders, "there is no size of %zu kB", small >> 10);
	sp_need(!pipe(fds), "no pipe");
	sp_permit(0);
	p = sp_map(HUGE, HUGE);
	sp_permit(1UL << sp_order[k]);
	/* Write backwards, or the frames of one superpage could follow those of another. */
	for (i = HUGE; i; i -= small)
		sp_fill(p + i - small, small, i);
	sp_expect(sp_in_superpages(p, HUGE, small) == HUGE, "not in superpages of %zu kB",
		  small >> 10);
	vec = (struct iovec){ p + small + 3 * page_size, page_size };
	sp_expect(vmsplice(fds[1], &vec, 1, 0) == (ssize_t)page_size, "vmsplice: %s",
		  strerror(errno));
	vec.iov_base = p + 3 * small;
	sp_expect(vmsplice(fds[1], &vec, 1, 0) == (ssize_t)page_size, "vmsplice: %s",
		  strerror(errno));
	expect_error(p, HUGE, -EAGAIN, "pages that a pipe has");
	sp_expect(sp_in_superpages(p, HUGE, small) == HUGE,
		  "only %zu of %zu kB are in superpages still",
		  sp_in_superpages(p, HUGE, small) >> 10, HUGE >> 10);
	for (i = HUGE; i; i -= small)
		sp_expect_bytes(p + i - small, small, i, "not collapsed");
	close(fds[0]);
	close(fds[1]);
	must_collapse(p, HUGE, HUGE);
	for (i = HUGE; i; i -= small)
		sp_expect_bytes(p + i - small, small, i, "collapsed");
	sp_permit(0);
	munmap(p, HUGE);
	sp_result("superpages with a page that somebody else uses");
}

/* A block has pages at home that reclaim may throw away. */
static void test_lazyfree(void)
{
	char *p;

	sp_permit(sp_all_orders());
	p = sp_map(HUGE, BIG);
	sp_fill(p, HUGE, 24);
	sp_permit(0);
	expect_huge(p, HUGE, HUGE);
	madvise(p + page_size, 2 * page_size, MADV_FREE);
	must_collapse(p, HUGE, HUGE);
	sp_refill(p, page_size, 2 * page_size, 24);
	sp_expect_bytes(p, HUGE, 24, "collapsed");
	munmap(p, HUGE);
	sp_result("pages after MADV_FREE");
}

static void test_ksm(void)
{
	unsigned long scan = sp_get(KSM "pages_to_scan"), sleep_ms = sp_get(KSM "sleep_millisecs");
	size_t len = 2 * HUGE, i;
	char *p;
	int ret;

	if (sp_write(KSM "pages_to_scan", "10000") || sp_write(KSM "sleep_millisecs", "1")) {
		ksft_test_result_skip("no KSM\n");
		return;
	}
	sp_permit(0);
	p = sp_map(len, BIG);
	for (i = 0; i < len; i += page_size)
		sp_fill(p + i, page_size, 14);
	madvise(p, len, MADV_MERGEABLE);
	sp_write(KSM "run", "1");
	for (i = 0; i < 100 && (long)sp_get(KSM "pages_sharing") < 16; i++)
		usleep(100000);
	sp_expect(sp_get(KSM "pages_sharing") >= 16, "KSM has merged nothing");
	/* ksmd may be using a page, or merge again what collapse has copied. */
	for (i = 0; i < 20; i++) {
		ret = collapse(p, len);
		sp_expect(!ret || ret == -EAGAIN, "beside ksmd: %s", strerror(-ret));
	}
	sp_write(KSM "run", "0");
	ret = collapse(p, len);
	sp_expect(!ret, "%s", strerror(-ret));
	for (i = 0; i < len; i += page_size)
		sp_expect_bytes(p + i, page_size, 14, "collapsed");
	for (i = 0; i < len; i += page_size)
		sp_fill(p + i, page_size, i);
	for (i = 0; i < len; i += page_size)
		sp_expect_bytes(p + i, page_size, i, "written to");
	sp_write(KSM "run", "2");
	sp_write(KSM "run", "0");
	sp_write_number(KSM "pages_to_scan", scan);
	sp_write_number(KSM "sleep_millisecs", sleep_ms);
	munmap(p, len);
	sp_result("pages that KSM has merged");
}

/* Another process may ask for it by process_madvise(), too. */
static void test_process(void)
{
	size_t len = 2 * HUGE;
	char *p = base_pages(len, 15);
	struct iovec vec = { p, len };
	int go[2], fd;
	pid_t pid;
	long ret;
	char c;

	sp_need(!pipe(go), "no pipe");
	pid = sp_fork();
	if (!pid) {
		close(go[1]);
		sp_expect(read(go[0], &c, 1) == 0, "the parent says something");
		expect_huge(p, len, HUGE);
		sp_expect_bytes(p, len, 15, "in the child");
		sp_child_exit();
	}
	fd = syscall(SYS_pidfd_open, pid, 0);
	sp_expect(fd >= 0, "pidfd_open: %s", strerror(errno));
	ret = syscall(SYS_process_madvise, fd, &vec, 1, MADV_COLLAPSE, 0);
	sp_expect(ret == (long)len, "process_madvise: %ld, %s", ret, strerror(errno));
	close(fd);
	close(go[0]);
	close(go[1]);
	sp_expect(sp_wait(pid), "the child failed");
	sp_expect(!sp_in_superpages(p, len, 0), "the parent's memory was collapsed");
	munmap(p, len);
	sp_result("process_madvise()");
}

/* --- at the same time -------------------------------------------------------------------- */

static void test_race(bool big)
{
	unsigned long done = 0, again = 0, memory = 0;
	size_t size = big ? BIG : HUGE;
	unsigned int i;
	int ret;

	sp_permit(big ? sp_all_orders() : 0);
	sp_rng = 99;
	sp_writers_start(big ? BIG : 2 * HUGE, BIG);
	for (i = 0; i < rounds; i++) {
		sp_disturb(sp_random_below(SP_DISTURB_WAYS));
		ret = madvise(sp_shared, sp_shared_len, MADV_COLLAPSE) ? -errno : 0;
		done += !ret;
		again += ret == -EAGAIN;
		memory += ret == -ENOMEM;
		sp_expect(!ret || ret == -EAGAIN || ret == -ENOMEM, "%s", strerror(-ret));
	}
	sp_writers_stop();
	ksft_print_msg("%lu collapsed, %lu to be tried again, %lu without memory\n", done, again,
		       memory);
	sp_expect(done, "nothing was collapsed");
	sp_permit(0);
	sp_result("threads write to superpages of %zu kB that are being made", size >> 10);
}

/*
 * The memory of the process that is to be killed, and its number of pages; the page whose return
 * from swap kills it; and how many pages were not swapped out.
 */
static char *kill_map;
static long kill_at, kill_pages, kill_stayed;
/* How many pages had come back from swap by the time it was killed. */
static long *killed_with;

static long count_there(unsigned char *there)
{
	long i, n = 0;

	sp_need(!mincore(kill_map, kill_pages * page_size, there), "mincore");
	for (i = 0; i < kill_pages; i++)
		n += there[i] & 1;
	return n;
}

/* This may get a processor late, when pages after kill_at have come back, too. */
static void *killer(void *arg)
{
	unsigned char there[kill_pages];
	long n;

	do {
		n = count_there(there);
	} while (!(there[kill_at] & 1));
	WRITE_ONCE(*killed_with, n - kill_stayed);
	kill(getpid(), SIGKILL);
	return arg;
}

/*
 * A process that is killed while collapse reads its pages from swap ends at once, and does not
 * wait for the rest of them.  The end of this program checks that nothing is left behind.
 */
static void test_killed(void)
{
	const size_t len = 2 * HUGE;
	const long pages = len / page_size, most = pages / 8 < 16 ? pages / 8 : 16;
	unsigned char there[pages];
	bool smp = sysconf(_SC_NPROCESSORS_ONLN) > 1;
	long before, in, worst = 0;
	unsigned int i, amid = 0;
	pthread_t thread;
	int status;
	pid_t pid;
	char *p;

	if (!sp_swap_on(64 * MB)) {
		ksft_test_result_skip("no swap: who is killed\n");
		return;
	}
	sp_rng = 5;
	killed_with = sp_map_shared(page_size);
	kill_pages = pages;
	for (i = 0; i < rounds; i++) {
		kill_at = sp_random_below(pages);
		before = sp_field("/proc/vmstat", "pswpin ");
		pid = sp_fork();
		if (!pid) {
			alarm(60);
			p = base_pages(len, 25);
			madvise(p, len, MADV_PAGEOUT);
			kill_map = p;
			kill_stayed = count_there(there);
			sp_need(!pthread_create(&thread, NULL, killer, NULL), "no thread");
			collapse(p, len);
			pthread_join(thread, NULL);
		}
		waitpid(pid, &status, 0);
		sp_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL,
			  "it ended with status %#x", status);
		in = sp_field("/proc/vmstat", "pswpin ") - before;
		amid += in < pages * 3 / 4;
		if (in - *killed_with > worst)
			worst = in - *killed_with;
	}
	munmap(killed_with, page_size);
	ksft_print_msg("%u of %u were killed in it; at worst %ld pages were brought back then\n",
		       amid, i, worst);
	/* With one processor, the thread runs before the collapse or after it. */
	sp_expect(!smp || amid >= i / 4, "too few were killed in it");
	sp_expect(!smp || worst <= most, "%ld pages were brought back for who was killed", worst);
	sp_result("processes that are killed in it");
}

/* --- nodes ---------------------------------------------------------------------------- */

#define MPOL_DEFAULT	0
#define MPOL_BIND	2
#define MPOL_INTERLEAVE	3

/* Let new pages of @p come from the nodes that @mode permits; existing pages stay. */
static void bind(char *p, size_t len, int mode, unsigned long nodes)
{
	sp_need(!syscall(SYS_mbind, p, len, mode, nodes ? &nodes : NULL, 64, 0), "mbind: %s",
		strerror(errno));
}

/* How many pages are on node 1? */
static size_t on_node_1(char *p, size_t len)
{
	size_t n = len / page_size, sum = 0, i;
	void *page[512];
	int node[512];

	sp_need(n <= ARRAY_SIZE(page), "too many pages");
	for (i = 0; i < n; i++)
		page[i] = p + i * page_size;
	sp_need(!syscall(SYS_move_pages, 0, n, page, NULL, node, 0), "move_pages");
	for (i = 0; i < n; i++)
		sum += node[i] == 1;
	return sum;
}

static void expect_stays(char *p, size_t before, const char *what)
{
	int ret = collapse(p, HUGE);

	sp_expect(ret == -EINVAL, "%s: %s", what, strerror(-ret));
	sp_expect(on_node_1(p, HUGE) == before, "%s: %zu pages were on node 1, %zu are", what,
		  before, on_node_1(p, HUGE));
	sp_expect_bytes(p, HUGE, 30, what);
}

/* Most pages are on node 0, where the policy does not permit the others. */
static void test_policy(void)
{
	size_t n = HUGE / page_size;
	cpu_set_t all;
	char *p;

	if (access("/sys/devices/system/node/node1", F_OK)) {
		ksft_test_result_skip("there is one node\n");
		return;
	}
	sp_need(!sched_getaffinity(0, sizeof(all), &all), "sched_getaffinity");
	sp_run_on(0);
	sp_permit(0);
	p = sp_map(HUGE, HUGE);
	sp_fill(p, HUGE, 30);
	madvise(p + HUGE / 4 * 3, HUGE / 4, MADV_DONTNEED);
	bind(p, HUGE, MPOL_BIND, 1UL << 1);
	sp_refill(p, HUGE / 4 * 3, HUGE / 4, 30);
	sp_expect(on_node_1(p, HUGE) == n / 4, "%zu of %zu pages are on node 1",
		  on_node_1(p, HUGE), n);
	expect_stays(p, n / 4, "bound to node 1");
	bind(p, HUGE, MPOL_INTERLEAVE, 3);
	expect_stays(p, n / 4, "interleaved");
	bind(p, HUGE, MPOL_DEFAULT, 0);
	must_collapse(p, HUGE, HUGE);
	sp_expect(!on_node_1(p, HUGE), "%zu pages are on node 1 still", on_node_1(p, HUGE));
	sp_expect_bytes(p, HUGE, 30, "collapsed");
	munmap(p, HUGE);
	sched_setaffinity(0, sizeof(all), &all);
	sp_result("memory policies");
}

/* The node of pages in swap is not known before collapse has read them. */
static void test_policy_swap(void)
{
	cpu_set_t all;
	long before;
	char *p;

	if (access("/sys/devices/system/node/node1", F_OK) || !sp_swap_on(64 * MB)) {
		ksft_test_result_skip("there is one node, or no swap\n");
		return;
	}
	/* Stay here, or another processor's batch for the LRU lists may hold a page. */
	sp_need(!sched_getaffinity(0, sizeof(all), &all), "sched_getaffinity");
	sp_run_on(0);
	sp_permit(0);
	p = sp_map(HUGE, HUGE);
	bind(p, HUGE, MPOL_BIND, 1UL << 1);
	sp_fill(p, HUGE, 31);
	before = sp_field("/proc/self/status", "VmSwap:");
	madvise(p, HUGE, MADV_PAGEOUT);
	sp_expect(sp_field("/proc/self/status", "VmSwap:") == before + (long)(HUGE >> 10),
		  "not all of it is in swap");
	must_collapse(p, HUGE, HUGE);
	sp_expect(on_node_1(p, HUGE) == HUGE / page_size, "%zu pages are on node 1",
		  on_node_1(p, HUGE));
	sp_expect_bytes(p, HUGE, 31, "collapsed");
	munmap(p, HUGE);
	sched_setaffinity(0, sizeof(all), &all);
	sp_result("memory policies and swap");
}

static void test_home_free(void)
{
	test_home(true);
}

static void test_home_taken(void)
{
	test_home(false);
}

static void test_race_small(void)
{
	test_race(false);
}

static void test_race_big(void)
{
	test_race(true);
}

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {
	{ "base pages", test_base_pages },
	{ "largest", test_largest },
	{ "holes", test_holes },
	{ "fork", test_fork },
	{ "home free", test_home_free },
	{ "home taken", test_home_taken },
	{ "elsewhere", test_elsewhere },
	{ "swap", test_swap },
	{ "swap shared", test_swap_shared },
	{ "protection", test_protection },
	{ "locked", test_locked },
	{ "errors", test_errors },
	{ "limited", test_limited },
	{ "pinned", test_pinned },
	{ "pinned small", test_pinned_small },
	{ "lazyfree", test_lazyfree },
	{ "ksm", test_ksm },
	{ "process", test_process },
	{ "race", test_race_small },
	{ "race big", test_race_big },
	{ "killed", test_killed },
	{ "policy", test_policy },
	{ "policy swap", test_policy_swap },
};

int main(int argc, char **argv)
{
	struct sp_usage before;
	unsigned int pass, chosen = 0, i;
	int opt;

	while ((opt = getopt(argc, argv, "n:t:h")) != -1) {
		switch (opt) {
		case 'n':
			rounds = sp_number(optarg, 1, 1000000);
			break;
		case 't':
			sp_only = optarg;
			break;
		default:
			printf("usage: %s [-n ROUNDS] [-t TEST]\n", argv[0]);
			return opt == 'h' ? 0 : 1;
		}
	}
	for (i = 0; i < ARRAY_SIZE(tests); i++)
		chosen += !!strstr(tests[i].name, sp_only);
	sp_must_choose(chosen);
	sp_init(argv);
	sp_catch_faults();
	if (!sp_tunable || !sp_get("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size"))
		ksft_exit_skip("no superpages that can be tuned\n");
	ksft_set_plan(2 * chosen + 1);
	/* What the first pass leaves behind for good, such as a thread's stack, does not count. */
	for (pass = 0; pass < 2; pass++) {
		before = sp_usage_now();
		for (i = 0; i < ARRAY_SIZE(tests); i++)
			if (strstr(tests[i].name, sp_only))
				tests[i].run();
		sp_check_accounts("in the end");
	}
	sp_check_usage(before);
	sp_result("nothing is left behind");
	ksft_finished();
}
