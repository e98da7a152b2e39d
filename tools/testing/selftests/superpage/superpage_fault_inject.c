// SPDX-License-Identifier: GPL-2.0
/*
 * Every allocation of the kernel fails once.  The test repeats an operation, each time
 * in a new process, and lets its first, second, ... allocation fail, until a run has
 * fewer allocations.  Each time the operation either succeeds or reports what Linux
 * reports when memory is short, no byte is wrong, and when all processes have ended
 * nothing is left behind.
 *
 * In the end the test lists these allocations, by the functions that asked for them.
 */
#include <getopt.h>
#include <sys/uio.h>

#include "superpage.h"

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ	22
#define MADV_POPULATE_WRITE	23
#endif

#define MOST_FAILURES	2000

/* Two superpages of an order in a process of their own, in leaf tables of their own. */
static struct {
	char *base;
	unsigned int order;
	size_t per_superpage, pages;
	bool large;			/* too large to look at every byte */
	uint64_t *seed;			/* contents of each page */
} r;

/* How a process ends. */
enum { FAILED_WRONGLY = 1, INJECTED, NOT_REACHED, NO_MEMORY };

static uint64_t generation;
static unsigned long nth;		/* the allocation that fails, from 1 on */
static bool injected;			/* the run has reached that allocation */
static int fail_nth, kmsg;
static const char *op_name;
static bool spans_leaves;		/* a superpage of several leaf tables was used */

/* --- who asked for memory -------------------------------------------------------------- */

#define SITES		512
#define FRAMES		5

struct site {
	char frames[FRAMES * 40];
	unsigned long count;
};

/* Shared with the children. */
static struct site *site;

/* Is it a function that only passes requests on, or one of the fault injection? */
static bool is_allocator(const char *name)
{
	static const char * const prefix[] = {
		"dump_stack", "show_stack", "fail_dump", "should_fail", "__should_fail",
		"kmem_cache_", "__kmem_cache_", "slab_", "__slab_", "___slab_", "__kmalloc",
		"kmalloc", "kvmalloc", "krealloc", "__alloc_pages", "alloc_pages", "__folio_alloc",
		"folio_alloc", "vma_alloc_folio", "__get_free_pages", "get_zeroed_page",
		"pte_alloc_one", "prepare_alloc", "__do_kmalloc", "kzalloc", "kmemdup",
		"mempool_", "radix_tree_node_alloc",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(prefix); i++)
		if (!strncmp(name, prefix[i], strlen(prefix[i])))
			return true;
	return false;
}

static void add_site(const char *frames)
{
	struct site *s;

	for (s = site; s < site + SITES - 1 && s->count; s++)
		if (!strcmp(s->frames, frames))
			break;
	if (!s->count)
		strcpy(s->frames, frames);
	s->count++;
}

/* Read the next record of the kernel's log; false at its end. */
static bool next_record(int fd, char *record, size_t size)
{
	ssize_t len;

	/* Lost records could have had complaints. */
	while ((len = read(fd, record, size - 1)) < 0 && errno == EPIPE)
		sp_expect(false, "the log is too short for what one operation prints");
	record[len > 0 ? len : 0] = '\0';
	return len > 0;
}

/* Expect no complaints in the kernel's log, except for the injected failures. */
static void check_log(int fd, unsigned long n)
{
	static const char * const bad[] = {
		"BUG:", "BUG ", "WARNING:", "Bad page", "Bad rss", "Oops",
	};
	char record[1024];
	size_t i;

	while (next_record(fd, record, sizeof(record)))
		for (i = 0; i < ARRAY_SIZE(bad); i++)
			sp_expect(!strstr(record, bad[i]), "allocation %lu: %s", n, record);
}

/* Record the stack that the kernel has printed where the allocation failed. */
static void record_site(bool fell_back)
{
	char record[1024], frames[FRAMES * 40] = "", *name, *end;
	unsigned int n = 0;

	while (next_record(kmsg, record, sizeof(record))) {
		name = strstr(record, ">] ");
		end = name ? strchr(name, '+') : NULL;
		if (!end || end - name > 40 || n == FRAMES)
			continue;
		name += 3;
		*end = '\0';
		if (is_allocator(name))
			continue;
		if (n++)
			strcat(frames, " < ");
		strncat(frames, name, 36);
	}
	/* The kernel prints no stack for a request with __GFP_NOWARN. */
	if (!frames[0] && fell_back)
		strcpy(frames, "superpage_alloc");
	else if (!frames[0])
		snprintf(frames, sizeof(frames), "(__GFP_NOWARN, %s)", op_name);
	add_site(frames);
}

/* Return how often a request failed with both names in its stack. */
static unsigned long site_reached(const char *a, const char *b)
{
	unsigned long sum = 0;
	struct site *s;

	for (s = site; s->count; s++)
		if (strstr(s->frames, a) && strstr(s->frames, b))
			sum += s->count;
	return sum;
}

/* --- making it fail ---------------------------------------------------------------------- */

static long fallbacks;

static long fallbacks_now(void)
{
	struct sp_count count[SP_MAX_ORDERS];
	unsigned int i;
	long sum = 0;

	sp_counts(count);
	for (i = 0; i < sp_orders; i++)
		sum += count[i].fallback;
	return sum;
}

/* From here on the kernel counts allocations, and lets the @nth one fail. */
static void arm(void)
{
	char text[32];
	int len = snprintf(text, sizeof(text), "%lu", nth);

	fallbacks = fallbacks_now();
	lseek(kmsg, 0, SEEK_END);
	sp_need(pwrite(fail_nth, text, len, 0) == len, "cannot set fail-nth");
}

/* End what arm() has begun; keeps errno. */
static void disarm(void)
{
	char text[32] = "";
	int error = errno;

	sp_need(pread(fail_nth, text, sizeof(text) - 1, 0) > 0, "cannot read fail-nth");
	sp_need(pwrite(fail_nth, "0", 1, 0) == 1, "cannot reset fail-nth");
	injected = !strtoul(text, NULL, 10);
	if (injected)
		record_site(fallbacks_now() > fallbacks);
	errno = error;
}

/* --- the region -------------------------------------------------------------------------- */

static char *addr_of(size_t page)
{
	return r.base + page * page_size;
}

/* Return how much the test writes and reads at each end of a page: all of it, or less. */
static size_t part_size(void)
{
	return r.large ? 64 : page_size;
}

static void write_range(size_t first, size_t n)
{
	size_t part = part_size();

	for (; n; n--, first++) {
		r.seed[first] = ++generation << 32 | 1;
		if (!sp_expect(sp_store(addr_of(first), 0), "page %zu cannot be written to",
			       first))
			continue;
		sp_fill(addr_of(first), part, r.seed[first]);
		sp_fill(addr_of(first + 1) - part, part, r.seed[first]);
	}
}

static void now_zero(size_t first, size_t n)
{
	memset(r.seed + first, 0, n * sizeof(*r.seed));
}

static void check_range(const char *when, char *at, size_t first, size_t n)
{
	size_t part = part_size();
	uint64_t word;
	long differs;

	for (; n; n--, first++, at += page_size) {
		if (!sp_expect(sp_load(at, &word), "%s: page %zu cannot be read", when, first))
			continue;
		differs = sp_differs(at, part, r.seed[first]);
		if (differs < 0)
			differs = sp_differs(at + page_size - part, part, r.seed[first]);
		sp_expect(differs < 0, "%s: page %zu differs at %ld", when, first, differs);
	}
}

static void check_all(const char *when)
{
	check_range(when, r.base, 0, r.pages);
}

/* Expect that an operation succeeds, or fails for lack of memory and nothing else. */
static bool done(const char *what, bool ok)
{
	sp_expect(ok || (injected && errno == ENOMEM), "%s: %s", what, strerror(errno));
	return ok;
}

/* Reserve addresses where nothing else is, so that the kernel makes page tables and anon_vma. */
static char *reserve(size_t len, size_t align)
{
	char *p = sp_map_prot(len + 2 * align, align, PROT_NONE, 0);

	return p + align;
}

static size_t region_align(void)
{
	size_t size = page_size << r.order;

	return size < sp_leaf_span() ? sp_leaf_span() : size;
}

/* There is no large superpage when memory is small or has been used for a while. */
static void no_superpage(const char *why)
{
	if (r.large && !sp_failures)
		_exit(NO_MEMORY);
	sp_expect(false, "%s", why);
}

static void region_fresh(void)
{
	size_t len = r.pages * page_size;

	r.base = reserve(len, region_align());
	sp_need(mmap(r.base, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
		     -1, 0) == r.base, "cannot map the region");
}

static void region_make(void)
{
	size_t len = r.pages * page_size;

	region_fresh();
	write_range(0, r.pages);
	if (sp_in_superpages(r.base, len, len / 2) != len)
		no_superpage("there are no two superpages");
}

/* --- the operations ------------------------------------------------------------------------ */

/*
 * Access memory that nobody has touched.  If a page fault fails for lack of memory, the
 * access takes another one, so no access fails.
 */
static void op_touch_write(void)
{
	size_t len = page_size << r.order;
	char *at;
	bool ok;

	region_fresh();
	at = addr_of(r.per_superpage / 2);
	arm();
	ok = sp_store(at, 0x1234);
	disarm();
	sp_expect(ok, "the access has failed");
	sp_expect(sp_differs(r.base, at - r.base, 0) < 0, "what lies before is not zero");
	sp_expect(*(uint64_t *)at == 0x1234, "what was written is not there");
	sp_expect(sp_differs(at + 8, r.base + len - at - 8, 0) < 0, "what follows is not zero");
	if (injected || sp_in_superpages(r.base, len, len) == len)
		return;
	no_superpage("no superpage was used");
}

static void op_touch_read(void)
{
	uint64_t word = 1;
	bool ok;

	region_fresh();
	arm();
	ok = sp_load(addr_of(r.per_superpage / 2), &word);
	disarm();
	sp_expect(ok && !word, "the access has failed");
	check_all("read");
	write_range(0, r.pages);
	check_all("written to");
}

/* An access by the kernel itself can fail, at any page. */
static void op_touch_kernel(void)
{
	struct iovec local, remote;
	size_t n = r.pages;
	char *from;
	ssize_t ret;

	from = sp_map_shared(n * page_size);
	sp_fill(from, n * page_size, 1);
	region_fresh();
	local = (struct iovec){ from, n * page_size };
	remote = (struct iovec){ r.base, n * page_size };
	arm();
	ret = process_vm_writev(getpid(), &local, 1, &remote, 1, 0);
	disarm();
	sp_expect(ret == (ssize_t)(n * page_size) ||
		  (injected && (ret >= 0 || errno == EFAULT || errno == ENOMEM)),
		  "%zd bytes were written: %s", ret, strerror(errno));
	if (ret < 0)
		ret = 0;
	sp_expect(!(ret % page_size), "%zd bytes were written", ret);
	sp_expect(sp_differs(r.base, ret, 1) < 0, "what was written is not there");
	sp_expect(sp_differs(r.base + ret, n * page_size - ret, 0) < 0, "the rest is not zero");
}

/* Page faults that set frames aside, claim them, and make larger superpages of them. */
static void op_grow(void)
{
	size_t len = 2 << 20, i;
	char *p = reserve(len, len);

	sp_need(mmap(p, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
		     -1, 0) == p, "cannot map 2 MiB");
	sp_permit(sp_all_orders());
	sp_growing();
	arm();
	for (i = 0; i < len; i += page_size)
		if (!sp_store(p + i, i + 1))
			break;
	disarm();
	sp_write(SP_EAGER, "1");
	sp_permit(sp_all_orders() & ((2UL << r.order) - 1));
	sp_expect(i == len, "access %zu has failed", i / page_size);
	for (i = 0; i < len; i += page_size)
		sp_expect(*(uint64_t *)(p + i) == i + 1 &&
			  sp_differs(p + i + 8, page_size - 8, 0) < 0, "page %zu differs",
			  i / page_size);
	sp_expect(injected || sp_in_superpages(p, len, 1 << 20) == len,
		  "%zu kB have become superpages of 1 MiB",
		  sp_in_superpages(p, len, 1 << 20) >> 10);
}

static void op_populate(void)
{
	int ret;

	region_fresh();
	arm();
	ret = madvise(r.base, r.pages * page_size, MADV_POPULATE_WRITE);
	disarm();
	/* Kernels before 5.14 do not know it. */
	sp_expect(!ret || (injected && (errno == ENOMEM || errno == EFAULT)) || errno == EINVAL,
		  "POPULATE_WRITE: %s", strerror(errno));
	check_all("populated");
}

/* mmap() sets marks where there are leaf tables. */
static void op_mmap(void)
{
	char *p;

	region_make();
	sp_need(!munmap(r.base, r.per_superpage * page_size), "munmap");
	now_zero(0, r.per_superpage);
	arm();
	p = mmap(r.base, r.per_superpage * page_size, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	disarm();
	if (!done("mmap", p == r.base)) {
		check_range("not mapped", addr_of(r.per_superpage), r.per_superpage,
			    r.per_superpage);
		return;
	}
	check_all("mapped");
	write_range(0, r.pages);
	check_all("written to");
}

static void op_brk(void)
{
	size_t len = 2 * (page_size << r.order);
	char *old = (char *)syscall(SYS_brk, 0), *new;

	arm();
	new = (char *)syscall(SYS_brk, old + len);
	disarm();
	if (!sp_expect(new == old + len || (injected && new == old), "brk"))
		return;
	if (new == old)
		return;
	sp_expect(sp_differs(old, len & -8, 0) < 0, "the heap has grown by what is not zero");
	syscall(SYS_brk, old);
}

static void protect(size_t first, size_t n)
{
	uint64_t word;
	size_t i;
	bool ok;

	region_make();
	arm();
	ok = !mprotect(addr_of(first), n * page_size, PROT_READ);
	disarm();
	done("mprotect", ok);
	check_all("protected");
	for (i = first; i < first + n; i++) {
		sp_load(addr_of(i), &word);
		sp_expect(sp_store(addr_of(i), word) == !ok, "page %zu is %s", i,
			  ok ? "writable" : "read-only");
	}
	write_range(0, first);
	write_range(first + n, r.pages - first - n);
	check_all("the rest written to");
}

static void op_mprotect_all(void)
{
	protect(0, r.pages);
}

static void op_mprotect_part(void)
{
	protect(r.per_superpage / 2, r.per_superpage);
}

static void op_mprotect_back(void)
{
	bool ok;

	region_make();
	sp_need(!mprotect(addr_of(r.per_superpage / 2), r.per_superpage * page_size, PROT_READ),
		"mprotect");
	arm();
	ok = !mprotect(r.base, r.pages * page_size, PROT_READ | PROT_WRITE);
	disarm();
	if (done("mprotect", ok))
		write_range(0, r.pages);
	check_all("writable again");
}

static void op_munmap_part(void)
{
	size_t first = r.per_superpage / 2, n = r.per_superpage, i;
	uint64_t word;
	bool ok;

	region_make();
	arm();
	ok = !munmap(addr_of(first), n * page_size);
	disarm();
	if (!done("munmap", ok)) {
		check_all("not unmapped");
		write_range(0, r.pages);
		check_all("not unmapped, written to");
		return;
	}
	for (i = first; i < first + n; i++)
		sp_expect(!sp_load(addr_of(i), &word), "page %zu can be read", i);
	write_range(0, first);
	check_range("head", r.base, 0, first);
	check_range("tail", addr_of(first + n), first + n, r.pages - first - n);
}

static void move(size_t first, size_t n, size_t offset)
{
	char *to, *p;

	region_make();
	to = reserve(2 * r.pages * page_size, region_align()) + offset * page_size;
	arm();
	p = mremap(addr_of(first), n * page_size, n * page_size, MREMAP_MAYMOVE | MREMAP_FIXED,
		   to);
	disarm();
	if (!done("mremap", p == to)) {
		check_all("not moved");
		write_range(0, r.pages);
		check_all("not moved, written to");
		return;
	}
	check_range("moved", to, first, n);
	check_range("not moved", r.base, 0, first);
	check_range("not moved", addr_of(first + n), first + n, r.pages - first - n);
	*(uint64_t *)to = 99;
	*(uint64_t *)(to + (n - 1) * page_size) = 99;
	sp_expect(*(uint64_t *)to == 99, "it is not what was written to it");
}

static void op_mremap_all(void)
{
	move(0, r.pages, 0);
}

static void op_mremap_part(void)
{
	move(r.per_superpage / 2, r.per_superpage, 1);
}

static void op_mremap_grow(void)
{
	size_t len = r.pages * page_size;
	char *p;

	region_make();
	arm();
	p = mremap(r.base, len, 3 * len, MREMAP_MAYMOVE);
	disarm();
	if (!done("mremap", p != MAP_FAILED)) {
		check_all("not grown");
		return;
	}
	check_range("grown", p, 0, r.pages);
	sp_expect(sp_differs(p + len, 2 * len, 0) < 0, "what is new is not zero");
}

/* Child and parent write; neither sees what the other has written. */
static void fork_and_write(void)
{
	pid_t pid;

	arm();
	pid = fork();
	if (!pid) {
		sp_failures = 0;
		check_all("child");
		write_range(r.per_superpage - 2, 4);
		check_all("child has written");
		sp_child_exit();
	}
	disarm();
	/* EAGAIN is what fork() says when it has no memory for a PID. */
	if (!sp_expect(pid > 0 || (injected && (errno == ENOMEM || errno == EAGAIN)), "fork: %s",
		       strerror(errno)))
		return;
	if (pid > 0)
		sp_wait(pid);
	check_all("parent");
	write_range(0, r.pages);
	check_all("parent has written");
}

static void op_fork(void)
{
	region_make();
	fork_and_write();
}

/* A write copies a page of a superpage that the process shares with a child. */
static void op_write_shared(void)
{
	size_t page = r.per_superpage / 2;
	int fd[2];
	pid_t pid;
	bool ok;
	char c;

	region_make();
	sp_need(!pipe(fd), "no pipe");
	pid = sp_fork();
	if (!pid) {
		close(fd[1]);
		sp_expect(read(fd[0], &c, 1) == 0, "a word from the parent");
		check_all("child");
		sp_child_exit();
	}
	close(fd[0]);
	arm();
	ok = sp_store(addr_of(page), 1);
	disarm();
	sp_expect(ok, "the access has failed");
	write_range(page, 1);
	check_all("written to");
	close(fd[1]);
	sp_wait(pid);
	check_all("the child has gone");
}

/* A write to a superpage that a child has shared, but no longer does. */
static void op_write_reused(void)
{
	pid_t pid;
	bool ok;

	region_make();
	pid = sp_fork();
	if (!pid)
		_exit(0);
	sp_wait(pid);
	arm();
	ok = sp_store(addr_of(1), 1);
	disarm();
	sp_expect(ok, "the access has failed");
	write_range(0, r.pages);
	check_all("written to");
}

static void advise(int advice, const char *name, size_t first, size_t n)
{
	bool ok;

	arm();
	ok = !madvise(addr_of(first), n * page_size, advice);
	disarm();
	/* For a temporary lack of memory Linux says EAGAIN. */
	sp_expect(ok || (injected && (errno == ENOMEM || errno == EAGAIN)), "madvise %s: %s",
		  name, strerror(errno));
	if (ok && advice == MADV_DONTNEED)
		now_zero(first, n);
	check_all(name);
	write_range(0, r.pages);
	check_all("written to");
}

static void op_dontneed(void)
{
	region_make();
	advise(MADV_DONTNEED, "DONTNEED", r.per_superpage / 2, r.per_superpage);
}

static void op_cold(void)
{
	region_make();
	advise(MADV_COLD, "COLD", r.per_superpage / 2, r.per_superpage);
}

static void op_dontfork(void)
{
	region_make();
	advise(MADV_DONTFORK, "DONTFORK", r.per_superpage / 2, r.per_superpage);
}

static void op_mergeable(void)
{
	region_make();
	advise(MADV_MERGEABLE, "MERGEABLE", r.per_superpage / 2, r.per_superpage);
}

static void op_pageout(void)
{
	region_make();
	advise(MADV_PAGEOUT, "PAGEOUT", 0, r.pages);
}

static bool swap_out(void)
{
	region_make();
	sp_expect(!madvise(r.base, r.pages * page_size, MADV_PAGEOUT), "PAGEOUT: %s",
		  strerror(errno));
	return sp_expect(sp_field("/proc/self/status", "VmSwap:") > 0, "nothing was swapped out");
}

static void op_swap_in(void)
{
	bool ok = true;
	uint64_t word;
	size_t i;

	if (!swap_out())
		return;
	arm();
	for (i = 0; i < r.pages; i++)
		ok &= sp_load(addr_of(i), &word);
	disarm();
	sp_expect(ok, "an access has failed");
	check_all("swapped in");
	write_range(0, r.pages);
	check_all("written to");
}

static void op_willneed(void)
{
	if (swap_out())
		advise(MADV_WILLNEED, "WILLNEED", 0, r.pages);
}

/* fork() counts one more user of each page in swap, which may need memory for the count. */
static void op_fork_swapped(void)
{
	if (swap_out())
		fork_and_write();
}

static void op_mlock(void)
{
	bool ok;

	region_make();
	arm();
	ok = !mlock(addr_of(r.per_superpage / 2), r.per_superpage * page_size);
	disarm();
	sp_expect(ok || (injected && (errno == ENOMEM || errno == EAGAIN)), "mlock: %s",
		  strerror(errno));
	check_all("locked");
	write_range(0, r.pages);
	check_all("written to");
}

static void op_userfaultfd(void)
{
	struct uffdio_register reg = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	int fd = sp_userfaultfd();
	bool ok;

	sp_need(fd >= 0, "no userfaultfd");
	region_make();
	reg.range.start = (uintptr_t)addr_of(r.per_superpage / 2);
	reg.range.len = r.per_superpage * page_size;
	arm();
	ok = !ioctl(fd, UFFDIO_REGISTER, &reg);
	disarm();
	done("UFFDIO_REGISTER", ok);
	check_all("registered");
	write_range(0, r.pages);
	close(fd);
	check_all("written to");
}

/* --- collapsing base pages, whatever the order ------------------------------------------------ */

#define BASE_PAGES	(2UL << 20)

static char *base_pages(void)
{
	char *p;

	sp_permit(0);
	p = reserve(BASE_PAGES, BASE_PAGES);
	sp_need(mmap(p, BASE_PAGES, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == p, "cannot map 2 MiB");
	sp_fill(p, BASE_PAGES, 1);
	sp_expect(!sp_in_superpages(p, BASE_PAGES, 0), "there are superpages already");
	return p;
}

/* Expect all of it in superpages of 1 MiB or more, unless collapse has said that it failed. */
static void check_collapsed(char *p, bool all)
{
	size_t in = sp_in_superpages(p, BASE_PAGES, 1 << 20);

	sp_expect(!all || in == BASE_PAGES, "%zu kB are in superpages of 1 MiB", in >> 10);
	sp_expect_bytes(p, BASE_PAGES, 1, "collapsed");
	sp_fill(p, BASE_PAGES, 2);
	sp_expect_bytes(p, BASE_PAGES, 2, "written to");
}

static void collapse(char *p)
{
	int error;

	arm();
	error = madvise(p, BASE_PAGES, MADV_COLLAPSE) ? errno : 0;
	disarm();
	sp_expect(!error || (injected && (error == ENOMEM || error == EAGAIN || error == EBUSY)),
		  "COLLAPSE: %s", strerror(error));
	check_collapsed(p, !error);
}

static void op_collapse(void)
{
	collapse(base_pages());
}

static void op_collapse_shared(void)
{
	char *p = base_pages();
	int go[2];
	pid_t pid;
	char c;

	sp_need(!pipe(go), "no pipe");
	pid = sp_fork();
	if (!pid) {
		close(go[1]);
		sp_expect(!read(go[0], &c, 1), "the parent says something");
		sp_expect_bytes(p, BASE_PAGES, 1, "in the child");
		sp_child_exit();
	}
	collapse(p);
	close(go[1]);
	close(go[0]);
	sp_expect(sp_wait(pid), "the child failed");
}

static void op_collapse_swapped(void)
{
	char *p = base_pages();

	/* Stay here, or another processor's batch for the LRU lists may hold pages. */
	sp_run_on(0);
	sp_expect(!madvise(p, BASE_PAGES, MADV_PAGEOUT), "PAGEOUT: %s", strerror(errno));
	sp_expect(sp_field("/proc/self/status", "VmSwap:") > 0, "nothing was swapped out");
	collapse(p);
}

/* An allocation of khugepaged fails.  It tries again, until all is in superpages. */
static void op_khugepaged(void)
{
	int own = fail_nth, patience = 200;
	char *p = base_pages(), path[64];
	pid_t pid;

	sp_khugepaged_works();
	sp_write(SP_SLEEP, "500");
	sp_permit(sp_all_orders());
	pid = sp_khugepaged_pid();
	snprintf(path, sizeof(path), "/proc/%d/fail-nth", pid);
	fail_nth = open(path, O_RDWR | O_CLOEXEC);
	sp_need(pid && fail_nth >= 0, "cannot open khugepaged's fail-nth");
	arm();
	while (sp_in_superpages(p, BASE_PAGES, 1 << 20) < BASE_PAGES && --patience)
		usleep(50000);
	disarm();
	close(fail_nth);
	fail_nth = own;
	sp_khugepaged_rests();
	check_collapsed(p, true);
}

/* --- running them ---------------------------------------------------------------------------- */

static const struct op {
	const char *name;
	void (*run)(void);
	bool (*possible)(void);
	bool large;			/* run it with large superpages, too */
} ops[] = {
	{ "write to fresh memory", op_touch_write, NULL, true },
	{ "read fresh memory", op_touch_read },
	{ "the kernel writes to fresh memory", op_touch_kernel },
	{ "superpages grow", op_grow },
	{ "madvise POPULATE_WRITE", op_populate },
	{ "mmap", op_mmap },
	{ "brk", op_brk },
	{ "mprotect of all", op_mprotect_all },
	{ "mprotect of a part", op_mprotect_part },
	{ "mprotect of a part and back", op_mprotect_back },
	{ "munmap of a part", op_munmap_part },
	{ "mremap of all", op_mremap_all },
	{ "mremap of a part", op_mremap_part },
	{ "mremap to more", op_mremap_grow },
	{ "fork", op_fork },
	{ "write to what a child has", op_write_shared },
	{ "write to what a child has had", op_write_reused },
	{ "madvise DONTNEED", op_dontneed },
	{ "madvise COLD", op_cold },
	{ "madvise DONTFORK", op_dontfork },
	{ "madvise MERGEABLE", op_mergeable },
	{ "madvise PAGEOUT", op_pageout, sp_have_swap },
	{ "swap in", op_swap_in, sp_have_swap },
	{ "madvise WILLNEED", op_willneed, sp_have_swap },
	{ "fork of what is swapped out", op_fork_swapped, sp_have_swap },
	{ "mlock", op_mlock },
	{ "userfaultfd", op_userfaultfd, sp_can_userfaultfd },
	{ "madvise COLLAPSE", op_collapse },
	{ "madvise COLLAPSE of what a child has", op_collapse_shared },
	{ "madvise COLLAPSE of what is swapped out", op_collapse_swapped, sp_have_swap },
	{ "khugepaged", op_khugepaged },
};

/* Run the operation in a process of its own. */
static int run_child(const struct op *op)
{
	int status = -1;
	pid_t pid;

	if (r.large)
		sp_write("/proc/sys/vm/compact_memory", "1");
	pid = sp_fork();
	if (!pid) {
		fail_nth = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
		kmsg = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		sp_need(fail_nth >= 0 && kmsg >= 0, "cannot open fail-nth or kmsg");
		op->run();
		_exit(sp_failures ? FAILED_WRONGLY : injected ? INJECTED : NOT_REACHED);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -status;
}

static void run_op(const struct op *op, unsigned int order)
{
	struct sp_usage before;
	int status = NO_MEMORY, log;

	if (op->possible && !op->possible()) {
		ksft_test_result_skip("order %u: %s is not possible here\n", order, op->name);
		return;
	}
	/* The operations map two of them, and there must be contiguous memory. */
	if (page_size << order > sp_meminfo_kb("MemTotal:") * 1024UL / 4) {
		ksft_test_result_skip("order %u: %s takes %zu MiB of memory\n", order, op->name,
				      (page_size << order) >> 18);
		return;
	}
	r.order = order;
	r.per_superpage = 1UL << order;
	r.pages = 2UL << order;
	r.large = page_size << order > 1 << 20;
	r.seed = sp_map_plain(r.pages * sizeof(*r.seed));
	op_name = op->name;
	log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	sp_need(log >= 0, "cannot open /dev/kmsg");
	lseek(log, 0, SEEK_END);
	/* The memory that lists and caches keep after a first run does not count. */
	sp_permit(sp_all_orders() & ((2UL << order) - 1));
	nth = MOST_FAILURES;
	run_child(op);
	before = sp_usage_now();
	for (nth = 1; nth < MOST_FAILURES; nth++) {
		status = run_child(op);
		check_log(log, nth);
		if (status == NOT_REACHED || status == NO_MEMORY)
			break;
		if (!sp_expect(status == INJECTED,
			       "%s: with allocation %lu failing it ended with status %#x", op->name,
			       nth, status))
			break;
	}
	sp_expect(nth < MOST_FAILURES, "%s: no run had fewer than %u allocations", op->name,
		  MOST_FAILURES);
	sp_permit(0);
	close(log);
	munmap(r.seed, r.pages * sizeof(*r.seed));
	sp_check_usage(before);
	if (status != NO_MEMORY && page_size << order > sp_leaf_span())
		spans_leaves = true;
	if (status == NO_MEMORY && !sp_failures)
		ksft_test_result_skip("order %u: %s: no contiguous memory after %lu allocations\n",
				      order, op->name, nth - 1);
	else
		sp_result("order %u: %s: %lu allocations failed", order, op->name, nth - 1);
}

/* Each request of the code of superpages must have failed. */
static void test_sites(void)
{
	struct site *s;

	for (s = site; s->count; s++)
		ksft_print_msg("%5lu %s\n", s->count, s->frames);
	sp_expect(s < site + SITES - 1, "there is no room for more");
	sp_expect(site_reached("superpage_alloc", ""), "frames have not been refused");
	sp_expect(site_reached("anon_vma_prepare", "superpage_fault"),
		  "an anon_vma has not been refused");
	sp_expect(!spans_leaves || site_reached("pte_alloc", "superpage_fault"),
		  "leaf tables have not been refused");
	/* A page fault does without a reservation, and counts no fallback. */
	sp_expect(site_reached("__GFP_NOWARN", "superpages grow") >= 2,
		  "a reservation has not been refused its frames and its memory");
	sp_expect(site_reached("superpage_collapse", "madvise"),
		  "MADV_COLLAPSE has been refused nothing");
	sp_expect(site_reached("superpage_collapse", "khugepaged"),
		  "khugepaged has been refused nothing");
	sp_result("allocations that failed");
}

/* --- the kernel's settings ------------------------------------------------------------------- */

#define DEBUG	"/sys/kernel/debug/"

static struct setting {
	const char *path, *value;
	char old[64];
} settings[] = {
	/* Let all kinds of allocations fail. */
	{ DEBUG "failslab/ignore-gfp-wait", "N" },
	{ DEBUG "failslab/cache-filter", "N" },
	{ DEBUG "fail_page_alloc/ignore-gfp-wait", "N" },
	{ DEBUG "fail_page_alloc/ignore-gfp-highmem", "N" },
	{ DEBUG "fail_page_alloc/min-order", "0" },
	/* Have each failure print a stack, into the log only. */
	{ DEBUG "failslab/verbose", "2" },
	{ DEBUG "failslab/verbose_ratelimit_interval_ms", "0" },
	{ DEBUG "fail_page_alloc/verbose", "2" },
	{ DEBUG "fail_page_alloc/verbose_ratelimit_interval_ms", "0" },
	/* Let khugepaged request frames again soon after a failure. */
	{ SP_ALLOC_SLEEP, "10" },
	{ "/proc/sys/kernel/printk", "1" },
};

static void restore_settings(void)
{
	size_t i;

	if (getpid() != sp_main_pid)
		return;
	for (i = 0; i < ARRAY_SIZE(settings); i++)
		if (settings[i].old[0])
			sp_write(settings[i].path, settings[i].old);
}

static void change_settings(void)
{
	struct setting *s;

	if (access("/proc/self/fail-nth", W_OK))
		ksft_exit_skip("no /proc/self/fail-nth: CONFIG_FAULT_INJECTION is not set\n");
	atexit(restore_settings);
	for (s = settings; s < settings + ARRAY_SIZE(settings); s++) {
		if (!sp_slurp(s->path, s->old, sizeof(s->old)))
			ksft_exit_skip("no %s\n", s->path);
		if (sp_write(s->path, s->value))
			ksft_exit_skip("cannot write to %s\n", s->path);
	}
}

int main(int argc, char **argv)
{
	bool all = false, small;
	size_t op, count;
	unsigned int i;
	int opt;

	while ((opt = getopt(argc, argv, SP_CHOICE "a")) != -1) {
		if (opt == 'a') {
			all = true;
		} else if (!sp_choose(opt)) {
			fprintf(stderr,
				"superpage_fault_inject [-a] [-o ORDER]... [-t OPERATION]\n"
				SP_CHOICE_HELP
				"  -a		all operations with large superpages, too: very slow\n");
			return 2;
		}
	}
	sp_init(argv);
	sp_catch_faults();
	change_settings();
	if (!sp_tunable)
		ksft_exit_skip("no superpages that we may tune\n");
	sp_swap_on(64 << 20);
	site = sp_map_shared(SITES * sizeof(*site));

	sp_choose_orders(1);
	sp_need(sp_choices, "no orders");

	/* test_sites() needs all operations to have run. */
	count = !sp_only[0];
	for (i = 0; i < sp_choices; i++) {
		small = all || page_size << sp_chosen[i] <= 1 << 20;
		for (op = 0; op < ARRAY_SIZE(ops); op++)
			count += (small || ops[op].large) && strstr(ops[op].name, sp_only);
	}
	sp_must_choose(count);
	ksft_set_plan(count);
	for (i = 0; i < sp_choices; i++) {
		small = all || page_size << sp_chosen[i] <= 1 << 20;
		for (op = 0; op < ARRAY_SIZE(ops); op++)
			if ((small || ops[op].large) && strstr(ops[op].name, sp_only))
				run_op(&ops[op], sp_chosen[i]);
	}
	if (!sp_only[0])
		test_sites();
	ksft_finished();
}
