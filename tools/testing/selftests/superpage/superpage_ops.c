// SPDX-License-Identifier: GPL-2.0
/*
 * Every operation of the VM on every part of a superpage: afterwards the pages that
 * it concerns are right, byte by byte, and the others are as they were.  Where the
 * statistics have an exact meaning, the test checks them, too.
 */
#include <getopt.h>
#include <poll.h>
#include <pthread.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/uio.h>

#include "superpage.h"

/* What a page should be like. */
struct shadow {
	uint64_t seed;			/* its contents; 0 is zero */
	bool maybe_zero;		/* after MADV_FREE */
	enum { UNMAPPED, NONE, RO, RW } prot;
};

/*
 * A region of superpages of one order: four, with a boundary of leaf tables between
 * the second and the third; or two large ones that span leaf tables.
 */
static struct {
	char *base;
	unsigned int order;
	size_t pages, per_superpage, superpages;
	size_t step;			/* the test writes and checks each @step-th word */
	bool counted;			/* all superpages are there: statistics are exact */
	struct shadow *page;
} r;

static uint64_t generation;

static size_t word_step(size_t page)
{
	size_t block = r.per_superpage / 4 ? : 1;
	size_t at = page % block;

	/* Check all words of the pages where operations begin and end. */
	return at <= 1 || at >= block - 1 ? 1 : r.step;
}

static char *addr_of(size_t page)
{
	return r.base + page * page_size;
}

static void write_page(char *p, size_t page, uint64_t seed)
{
	size_t i, step = word_step(page);

	for (i = 0; i < page_size / 8; i += step)
		((uint64_t *)p)[i] = seed ? seed + i * SP_PATTERN : 0;
}

/* Return the offset at which a page is not what it should be; -1 if it is right. */
static long page_differs(const char *p, size_t page, uint64_t seed)
{
	size_t i, step = word_step(page);

	for (i = 0; i < page_size / 8; i += step)
		if (READ_ONCE(((const uint64_t *)p)[i]) != (seed ? seed + i * SP_PATTERN : 0))
			return i * 8;
	return -1;
}

static bool page_has(const char *p, size_t page, uint64_t seed)
{
	return page_differs(p, page, seed) < 0;
}

/* Write new contents to pages, which no page had before. */
static void write_range(size_t first, size_t n)
{
	for (; n; n--, first++) {
		r.page[first].seed = ++generation << 32 | 1;
		r.page[first].maybe_zero = false;
		if (sp_expect(sp_store(addr_of(first), 0), "page %zu cannot be written to", first))
			write_page(addr_of(first), first, r.page[first].seed);
	}
}

static void set_shadow(size_t first, size_t n, int prot, bool zero)
{
	for (; n; n--, first++) {
		r.page[first].prot = prot;
		if (zero)
			r.page[first].seed = 0;
	}
}

static const char * const prot_name[] = { "unmapped", "inaccessible", "read-only", "writable" };

/* Check that @p, which is @page or a copy of it, is what the shadow says. */
static void check_page(const char *when, char *p, size_t page)
{
	struct shadow *s = &r.page[page];
	uint64_t word = 0;
	bool looked = word_step(page) == 1;
	long at;

	if (s->prot >= RO) {
		if (!sp_expect(sp_load(p, &word), "%s: page %zu cannot be read, but is %s", when,
			       page, prot_name[s->prot]))
			return;
		at = page_differs(p, page, s->seed);
		if (at >= 0 && s->maybe_zero)
			at = page_differs(p, page, 0);
		sp_expect(at < 0, "%s: page %zu (%s) has %#lx at %ld, not %#lx", when, page,
			  prot_name[s->prot], at < 0 ? 0 : *(unsigned long *)(p + at), at,
			  s->seed ? (unsigned long)(s->seed + at / 8 * SP_PATTERN) : 0);
	} else if (looked) {
		sp_expect(!sp_load(p, &word), "%s: page %zu can be read, but is %s", when, page,
			  prot_name[s->prot]);
	}
	if (s->prot != RW && looked)
		sp_expect(!sp_store(p, word), "%s: page %zu can be written to, but is %s", when,
			  page, prot_name[s->prot]);
}

static void check_all(const char *when)
{
	size_t i;

	for (i = 0; i < r.pages; i++)
		check_page(when, addr_of(i), i);
}

/* Expect that the region has @want superpages now. */
static void check_mapped(const char *when, struct sp_count before, long want)
{
	struct sp_count now = sp_count(r.order);

	if (r.counted)
		sp_expect(now.mapped - before.mapped == want - (long)r.superpages,
			  "%s: %ld superpages are left of %zu, not %ld", when,
			  now.mapped - before.mapped + (long)r.superpages, r.superpages, want);
}

static void check_demoted(const char *when, struct sp_count before, long want)
{
	struct sp_count now = sp_count(r.order);
	long demoted = now.demoted - before.demoted, others = before.others - now.others;

	/* If other processes have fewer superpages, they may have had some demoted. */
	if (r.counted)
		sp_expect(demoted >= want && demoted <= want + (others > 0 ? others : 0),
			  "%s: %ld superpages were demoted, not %ld", when, demoted, want);
}

/* Return how many superpages are only partly in a range; wholly(): completely. */
static long partly(size_t first, size_t n)
{
	size_t end = first + n, s, count = 0;

	for (s = 0; s < r.pages; s += r.per_superpage)
		if (first < s + r.per_superpage && end > s &&
		    (first > s || end < s + r.per_superpage))
			count++;
	return count;
}

static long wholly(size_t first, size_t n)
{
	size_t end = first + n, s, count = 0;

	for (s = 0; s < r.pages; s += r.per_superpage)
		if (first <= s && end >= s + r.per_superpage)
			count++;
	return count;
}

/* Return how many superpages are whole again once the range is like its neighbours again. */
static long again(size_t first, size_t n)
{
	return r.per_superpage <= 64 * n ? partly(first, n) : 0;
}

static void region_free(void)
{
	sp_permit(0);
	munmap(r.base, r.pages * page_size);
	munmap(r.page, r.pages * sizeof(*r.page));
}

static bool region_make(unsigned int order)
{
	size_t size = page_size << order, align = sp_leaf_span(), i;
	struct sp_count before, after;
	bool large = size > align;

	r.order = order;
	r.per_superpage = 1UL << order;
	r.superpages = large ? 2 : 4;
	r.pages = r.superpages << order;
	r.step = size > 512 << 10 ? page_size / 8 / 16 : 1;

	if ((size_t)sp_meminfo_kb("MemAvailable:") / 3 < r.pages * page_size >> 10)
		return false;

	/* Place four superpages so that the boundary is in the middle. */
	if (large) {
		r.base = sp_map(r.pages * page_size, size);
	} else {
		char *p = sp_map(2 * align, align);

		r.base = p + align - 2 * size;
		if (r.base > p)
			munmap(p, r.base - p);
		if (size * 2 < align)
			munmap(r.base + 4 * size, align - 2 * size);
	}
	r.page = sp_map_plain(r.pages * sizeof(*r.page));

	/* Compact memory, or there may be no large superpages after some use. */
	if (large)
		sp_write("/proc/sys/vm/compact_memory", "1");
	before = sp_count(order);
	sp_permit(1UL << order);
	set_shadow(0, r.pages, RW, true);
	for (i = 0; i < r.superpages; i++)
		READ_ONCE(*addr_of(i * r.per_superpage));
	write_range(0, r.pages);
	after = sp_count(order);
	r.counted = sp_tunable && after.mapped - before.mapped == (long)r.superpages;
	if (sp_tunable && !large)
		sp_expect(r.counted, "%ld superpages of order %u were mapped, not %zu",
			  after.mapped - before.mapped, order, r.superpages);
	if (!large || !sp_tunable || r.counted)
		return true;
	region_free();
	return false;
}

/* --- the operations ------------------------------------------------------------------ */

static void protect(size_t first, size_t n, int prot)
{
	static const int flags[] = {
		[NONE] = PROT_NONE, [RO] = PROT_READ, [RW] = PROT_READ | PROT_WRITE,
	};

	sp_expect(!mprotect(addr_of(first), n * page_size, flags[prot]), "mprotect: %s",
		  strerror(errno));
	set_shadow(first, n, prot, false);
}

static void advise(size_t first, size_t n, int advice, const char *name)
{
	sp_expect(!madvise(addr_of(first), n * page_size, advice), "madvise %s: %s", name,
		  strerror(errno));
}

static void there_and_back(size_t first, size_t n, int prot, const char *what)
{
	struct sp_count before = sp_count(r.order);

	protect(first, n, prot);
	check_all(what);
	protect(first, n, RW);
	check_all("access again");
	write_range(first, n);
	check_demoted("there and back", before, partly(first, n));
	check_mapped("there and back", before,
		     r.superpages - partly(first, n) + again(first, n));
}

static void op_mprotect_none(size_t first, size_t n)
{
	there_and_back(first, n, NONE, "no access");
}

static void op_mprotect_ro(size_t first, size_t n)
{
	there_and_back(first, n, RO, "read-only");
}

/* Make all of the region read-only, and only the range writable again. */
static void op_mprotect_hole(size_t first, size_t n)
{
	protect(0, r.pages, RO);
	protect(first, n, RW);
	write_range(first, n);
	check_all("a writable part");
	protect(0, r.pages, NONE);
	protect(first, n, RO);
	check_all("a readable part");
	protect(0, r.pages, RW);
}

static void op_munmap(size_t first, size_t n)
{
	struct sp_count before = sp_count(r.order);

	sp_expect(!munmap(addr_of(first), n * page_size), "munmap: %s", strerror(errno));
	set_shadow(first, n, UNMAPPED, true);
	check_all("unmapped");
	check_mapped("unmapped", before, r.superpages - partly(first, n) - wholly(first, n));

	sp_need(mmap(addr_of(first), n * page_size, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == addr_of(first),
		"cannot map again");
	set_shadow(first, n, RW, true);
	check_all("mapped again");
	write_range(first, n);
}

static void op_mmap_over(size_t first, size_t n)
{
	sp_need(mmap(addr_of(first), n * page_size, PROT_READ,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == addr_of(first),
		"cannot map over");
	set_shadow(first, n, RO, true);
	check_all("mapped over");
	protect(first, n, RW);
	write_range(first, n);
}

/* Move a range to @to, and look at it there. */
static void move(size_t first, size_t n, char *from, char *to, const char *when)
{
	size_t i;

	sp_expect(mremap(from, n * page_size, n * page_size, MREMAP_MAYMOVE | MREMAP_FIXED, to) ==
		  to, "mremap: %s", strerror(errno));
	for (i = 0; i < n; i++)
		check_page(when, to + i * page_size, first + i);
}

/* Move a range there and back; @offset pages from where superpages could be. */
static void move_by(size_t first, size_t n, size_t offset)
{
	size_t size = page_size << r.order;
	size_t at = first % r.per_superpage + offset;
	char *to = sp_map_prot(size * 4, size, PROT_NONE, 0);
	char *there = to + at * page_size;
	size_t i;

	move(first, n, addr_of(first), there, "at the new place");
	for (i = 0; i < n; i++)
		write_page(there + i * page_size, first + i, r.page[first + i].seed);
	set_shadow(first, n, UNMAPPED, false);
	check_all("left behind");
	set_shadow(first, n, RW, false);
	move(first, n, there, addr_of(first), "back again");
	check_all("back again");
	munmap(to, size * 4);
}

static void op_mremap_move(size_t first, size_t n)
{
	struct sp_count before = sp_count(r.order);

	move_by(first, n, 0);
	check_mapped("there and back", before,
		     r.superpages - partly(first, n) + again(first, n));
	write_range(first, n);
}

static void op_mremap_unaligned(size_t first, size_t n)
{
	move_by(first, n, 1);
	write_range(first, n);
}

/* Shrink the mapping to the beginning of the range, and let it grow again. */
static void op_mremap_shrink(size_t first, size_t n)
{
	size_t keep = first ? first : n;
	size_t rest = r.pages - keep;

	sp_expect(mremap(r.base, r.pages * page_size, keep * page_size, 0) == r.base,
		  "shrink: %s", strerror(errno));
	set_shadow(keep, rest, UNMAPPED, true);
	check_all("shrunk");
	sp_expect(mremap(r.base, keep * page_size, r.pages * page_size, 0) == r.base,
		  "grow: %s", strerror(errno));
	set_shadow(keep, rest, RW, true);
	check_all("grown");
	write_range(0, r.pages);
}

/* Let the range grow, so that mremap() has to move it. */
static void op_mremap_grow(size_t first, size_t n)
{
	char *to = mremap(addr_of(first), n * page_size, 2 * n * page_size, MREMAP_MAYMOVE);
	size_t i;

	if (!sp_expect(to != MAP_FAILED, "mremap: %s", strerror(errno)))
		return;
	if (first + n < r.pages)
		sp_expect(to != addr_of(first), "grew over its neighbour");
	for (i = 0; i < n; i++) {
		check_page("grown", to + i * page_size, first + i);
		sp_expect(page_has(to + (n + i) * page_size, 0, 0), "page %zu is not zero", i);
	}
	if (to == addr_of(first)) {
		munmap(to + n * page_size, n * page_size);
		return;
	}
	set_shadow(first, n, UNMAPPED, true);
	check_all("left behind");
	munmap(to, 2 * n * page_size);
	sp_need(mmap(addr_of(first), n * page_size, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == addr_of(first),
		"cannot map again");
	set_shadow(first, n, RW, true);
}

static void op_dontneed(size_t first, size_t n)
{
	struct sp_count before = sp_count(r.order);

	advise(first, n, MADV_DONTNEED, "DONTNEED");
	set_shadow(first, n, RW, true);
	check_mapped("not needed", before, r.superpages - partly(first, n) - wholly(first, n));
	check_all("not needed");
	write_range(first, n);
}

static void op_free(size_t first, size_t n)
{
	struct sp_count before = sp_count(r.order);
	size_t i;

	advise(first, n, MADV_FREE, "FREE");
	check_mapped("freed", before, r.superpages - partly(first, n));
	for (i = first; i < first + n; i++)
		r.page[i].maybe_zero = true;
	check_all("freed");
	write_range(first, n / 2 ? : 1);
	check_all("half of it written to");
	advise(first, n, MADV_PAGEOUT, "PAGEOUT");
	check_all("reclaimed");
	write_range(first, n);
}

static void op_cold(size_t first, size_t n)
{
	struct sp_count before = sp_count(r.order);

	advise(first, n, MADV_COLD, "COLD");
	check_mapped("cold", before, r.superpages);
	check_all("cold");
	write_range(first, n);
}

static void op_pageout(size_t first, size_t n)
{
	/* Reclaim may leave a few alone, in another processor's batch for the LRU lists. */
	const size_t few = 32;

	advise(first, n, MADV_PAGEOUT, "PAGEOUT");
	sp_expect(n < few || sp_field("/proc/self/status", "VmSwap:") > 0, "nothing is in swap");
	check_all("swapped in by reading");
	advise(first, n, MADV_PAGEOUT, "PAGEOUT");
	write_range(first, n);
	advise(first, n, MADV_PAGEOUT, "PAGEOUT");
	protect(first, n, RO);
	check_all("swapped in, read-only");
	protect(first, n, RW);
}

static void op_mlock(size_t first, size_t n)
{
	struct sp_count before = sp_count(r.order);

	sp_expect(!mlock(addr_of(first), n * page_size), "mlock: %s", strerror(errno));
	check_all("locked");
	write_range(first, n);
	sp_expect(!munlock(addr_of(first), n * page_size), "munlock: %s", strerror(errno));
	check_all("unlocked");
	check_demoted("there and back", before, partly(first, n));
	check_mapped("there and back", before,
		     r.superpages - partly(first, n) + again(first, n));
}

/* The child and a grandchild write; nobody sees another's writes. */
static void op_fork_child_writes(size_t first, size_t n)
{
	pid_t pid, pid2;

	pid = sp_fork();
	if (!pid) {
		check_all("child");
		write_range(first, n);
		check_all("child has written");
		pid2 = sp_fork();
		if (!pid2) {
			write_range(first + n / 2, n - n / 2);
			check_all("grandchild has written");
			sp_child_exit();
		}
		sp_wait(pid2);
		check_all("child, in the end");
		sp_child_exit();
	}
	sp_wait(pid);
	check_all("parent");
	write_range(first, n);
}

static void op_fork_parent_writes(size_t first, size_t n)
{
	int fd[2];
	char c = 0;
	pid_t pid;

	sp_need(!pipe(fd), "no pipe");
	pid = sp_fork();
	if (!pid) {
		sp_expect(read(fd[0], &c, 1) == 1, "no word from the parent");
		check_all("child, before which the parent has written");
		write_range(first, n);
		check_all("child has written");
		sp_child_exit();
	}
	write_range(first, n);
	check_all("parent has written");
	sp_expect(write(fd[1], &c, 1) == 1, "no word to the child");
	sp_wait(pid);
	close(fd[0]);
	close(fd[1]);
	check_all("the child has gone");
	write_range(first, n);
}

/* The child only exits, so nothing is shared any longer, and all superpages stay. */
static void op_fork_exit(size_t first, size_t n)
{
	struct sp_count before = sp_count(r.order);
	int fd[2];
	char c = 0;
	pid_t pid;

	sp_need(!pipe(fd), "no pipe");
	pid = sp_fork();
	if (!pid) {
		sp_expect(read(fd[0], &c, 1) == 1, "no word from the parent");
		sp_child_exit();
	}
	if (r.counted) {
		long child = sp_mapped_by(pid, r.order);

		sp_expect(child == before.mapped, "the child has %ld superpages, not %ld", child,
			  before.mapped);
	}
	sp_expect(write(fd[1], &c, 1) == 1, "no word to the child");
	sp_wait(pid);
	close(fd[0]);
	close(fd[1]);
	write_range(first, n);
	check_mapped("the parent has written", before, r.superpages);
}

/* Make children that do not have the range, or have zeroes there. */
static void op_fork_advice(size_t first, size_t n)
{
	pid_t pid;

	advise(first, n, MADV_DONTFORK, "DONTFORK");
	pid = sp_fork();
	if (!pid) {
		set_shadow(first, n, UNMAPPED, true);
		check_all("not forked");
		sp_child_exit();
	}
	sp_wait(pid);
	advise(first, n, MADV_DOFORK, "DOFORK");
	advise(first, n, MADV_WIPEONFORK, "WIPEONFORK");
	pid = sp_fork();
	if (!pid) {
		set_shadow(first, n, RW, true);
		check_all("wiped");
		write_range(first, n);
		sp_child_exit();
	}
	sp_wait(pid);
	advise(first, n, MADV_KEEPONFORK, "KEEPONFORK");
	check_all("parent");
	write_range(first, n);
}

/*
 * Write to the memory of a stopped child, which it shares with this process, and which is
 * read-only: ptrace and /proc/PID/mem can do that.
 */
static void op_other_process(size_t first, size_t n)
{
	struct iovec local, remote;
	uint64_t word;
	char path[64];
	int status, fd;
	char *page;
	size_t i;
	pid_t pid;

	pid = sp_fork();
	if (!pid) {
		protect(first, n, RO);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		/* Use the same seeds as the parent. */
		for (i = first; i < first + n; i++)
			r.page[i].seed = ++generation << 32 | 1;
		check_all("written to by the parent");
		protect(first, n, RW);
		write_range(first, n);
		check_all("child has written");
		sp_child_exit();
	}
	waitpid(pid, &status, 0);
	sp_expect(WIFSTOPPED(status), "the child has status %#x", status);
	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	fd = open(path, O_RDWR);
	sp_expect(fd >= 0, "cannot open %s", path);
	page = sp_map_plain(page_size);
	for (i = 0; i < n; i++) {
		uint64_t seed = (generation + i + 1) << 32 | 1;
		off_t at = (uintptr_t)addr_of(first + i);
		size_t k;

		/* Unlike the others, process_vm_writev() obeys the page's protection. */
		memset(page, 0, page_size);
		write_page(page, first + i, seed);
		local.iov_base = page;
		remote.iov_base = addr_of(first + i);
		local.iov_len = page_size;
		remote.iov_len = page_size;
		sp_expect(process_vm_writev(pid, &local, 1, &remote, 1, 0) < 0,
			  "process_vm_writev() has written to a read-only page");
		sp_expect(pwrite(fd, page, page_size, at) == (ssize_t)page_size,
			  "cannot write to %s: %s", path, strerror(errno));
		k = page_size / 2;
		memcpy(&word, page + k, 8);
		sp_expect(!ptrace(PTRACE_POKEDATA, pid, addr_of(first + i) + k, word),
			  "cannot poke: %s", strerror(errno));
		sp_expect(process_vm_readv(pid, &local, 1, &remote, 1, 0) == (ssize_t)page_size,
			  "cannot read from the child: %s", strerror(errno));
		sp_expect(page_has(page, first + i, seed), "page %zu of the child differs", i);
	}
	close(fd);
	munmap(page, page_size);
	check_all("parent");
	ptrace(PTRACE_DETACH, pid, NULL, NULL);
	sp_wait(pid);
	check_all("parent, in the end");
	write_range(first, n);
}

/* Write to pages that this process shares with a child, in the child's memory. */
static void op_process_vm_writev(size_t first, size_t n)
{
	struct iovec local, remote;
	char *page, c = 0;
	int fd[2];
	size_t i;
	pid_t pid;

	sp_need(!pipe(fd), "no pipe");
	page = sp_map_plain(page_size);
	pid = sp_fork();
	if (!pid) {
		sp_expect(read(fd[0], &c, 1) == 1, "no word from the parent");
		for (i = first; i < first + n; i++)
			r.page[i].seed = ++generation << 32 | 1;
		check_all("written to by the parent");
		sp_child_exit();
	}
	for (i = 0; i < n; i++) {
		memset(page, 0, page_size);
		write_page(page, first + i, (generation + i + 1) << 32 | 1);
		local.iov_base = page;
		remote.iov_base = addr_of(first + i);
		local.iov_len = page_size;
		remote.iov_len = page_size;
		sp_expect(process_vm_writev(pid, &local, 1, &remote, 1, 0) == (ssize_t)page_size,
			  "process_vm_writev: %s", strerror(errno));
	}
	check_all("parent");
	sp_expect(write(fd[1], &c, 1) == 1, "no word to the child");
	sp_wait(pid);
	close(fd[0]);
	close(fd[1]);
	munmap(page, page_size);
	check_all("parent, in the end");
	write_range(first, n);
}

/* The kernel holds references to memory while its process goes on. */
static void op_pinned(size_t first, size_t n)
{
	struct iovec iov = { addr_of(first), page_size };
	char *copy = sp_map_plain(page_size);
	int fd[2];
	pid_t pid;

	sp_need(!pipe(fd), "no pipe");
	sp_expect(vmsplice(fd[1], &iov, 1, 0) == (ssize_t)page_size, "vmsplice: %s",
		  strerror(errno));
	pid = sp_fork();
	if (!pid) {
		write_range(first, n);
		check_all("child");
		sp_child_exit();
	}
	sp_wait(pid);
	sp_expect(read(fd[0], copy, page_size) == (ssize_t)page_size, "read: %s",
		  strerror(errno));
	sp_expect(page_has(copy, first, r.page[first].seed), "the pipe has something else");
	check_all("parent");
	write_range(first, n);
	close(fd[0]);
	close(fd[1]);
	munmap(copy, page_size);
}

/* From here on operations age or move all pages; the range does not matter. */
static void op_clear_refs(size_t first, size_t n)
{
	struct sp_count before = sp_count(r.order);

	sp_expect(!sp_write("/proc/self/clear_refs", "1"), "clear_refs: %s", strerror(errno));
	check_mapped("references cleared", before, r.superpages);
	check_all("references cleared");
	write_range(first, n);
	sp_expect(!sp_write("/proc/self/clear_refs", "2"), "clear_refs: %s", strerror(errno));
	write_range(first, n);
}

static bool can_compact(void)
{
	return !access("/proc/sys/vm/compact_memory", W_OK);
}

static void op_compact(size_t first, size_t n)
{
	sp_expect(!sp_write("/proc/sys/vm/compact_memory", "1"), "compact_memory");
	check_all("compacted");
	write_range(first, n);
}

static bool can_mbind(void)
{
	return !syscall(SYS_mbind, NULL, 0UL, 0, NULL, 0UL, 0);
}

static void op_mbind(size_t first, size_t n)
{
	unsigned long node = 1;

	/* MPOL_BIND, MPOL_MF_MOVE; and MPOL_DEFAULT */
	sp_expect(!syscall(SYS_mbind, addr_of(first), n * page_size, 2, &node, 8, 2),
		  "mbind: %s", strerror(errno));
	check_all("bound to a node");
	write_range(first, n);
	sp_expect(!syscall(SYS_mbind, addr_of(first), n * page_size, 0, NULL, 0, 0),
		  "mbind: %s", strerror(errno));
	write_range(first, n);
}

/* --- userfaultfd ------------------------------------------------------------------------- */

struct uffd {
	int fd, stop;
	size_t first, n;
	unsigned int faults;
	char *source;			/* the pages to be copied */
};

/* Fill pages with what they should have, and each fourth one with zeroes. */
static void *uffd_serve(void *arg)
{
	struct uffd *u = arg;

	for (;;) {
		struct pollfd p[] = { { .fd = u->fd, .events = POLLIN },
				      { .fd = u->stop, .events = POLLIN } };
		struct uffd_msg msg;
		size_t page;

		poll(p, 2, -1);
		if (p[1].revents)
			return NULL;
		if (read(u->fd, &msg, sizeof(msg)) != sizeof(msg) ||
		    msg.event != UFFD_EVENT_PAGEFAULT)
			continue;
		page = ((char *)(uintptr_t)msg.arg.pagefault.address - r.base) / page_size;
		u->faults++;
		sp_expect(page >= u->first && page < u->first + u->n,
			  "a fault at page %zu, for which nobody asked", page);
		if (page % 4) {
			struct uffdio_copy copy = {
				.dst = (uintptr_t)addr_of(page), .len = page_size,
				.src = (uintptr_t)u->source + (page - u->first) * page_size,
			};

			sp_expect(!ioctl(u->fd, UFFDIO_COPY, &copy), "UFFDIO_COPY: %s",
				  strerror(errno));
		} else {
			struct uffdio_zeropage zero = {
				.range = { (uintptr_t)addr_of(page), page_size },
			};

			sp_expect(!ioctl(u->fd, UFFDIO_ZEROPAGE, &zero), "UFFDIO_ZEROPAGE: %s",
				  strerror(errno));
		}
	}
}

static void op_userfaultfd(size_t first, size_t n)
{
	struct uffdio_register reg = {
		.range = { (uintptr_t)addr_of(first), n * page_size },
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};
	struct uffd u = { .first = first, .n = n };
	pthread_t thread;
	int stop[2];
	size_t i;

	sp_need(!pipe(stop), "no pipe");
	u.stop = stop[0];
	u.fd = sp_userfaultfd();
	u.source = mmap(NULL, n * page_size, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	sp_need(u.source != MAP_FAILED, "no memory to copy from");
	sp_need(!pthread_create(&thread, NULL, uffd_serve, &u), "no thread");

	sp_expect(!ioctl(u.fd, UFFDIO_REGISTER, &reg), "UFFDIO_REGISTER: %s", strerror(errno));
	check_all("registered");
	write_range(first, n);
	sp_expect(u.faults == 0, "%u faults on pages that are there", u.faults);

	advise(first, n, MADV_DONTNEED, "DONTNEED");
	for (i = first; i < first + n; i++) {
		r.page[i].seed = i % 4 ? ++generation << 32 | 1 : 0;
		write_page(u.source + (i - first) * page_size, i, r.page[i].seed);
	}
	check_all("missing pages");
	sp_expect(u.faults == n, "%u faults for %zu pages", u.faults, n);
	write_range(first, n);
	check_all("written to");
	sp_expect(!ioctl(u.fd, UFFDIO_UNREGISTER, &reg.range), "UFFDIO_UNREGISTER: %s",
		  strerror(errno));
	write_range(first, n);

	sp_expect(write(stop[1], "", 1) == 1, "cannot stop the thread");
	pthread_join(thread, NULL);
	close(u.fd);
	close(stop[0]);
	close(stop[1]);
	munmap(u.source, n * page_size);
}

/* --- KSM ----------------------------------------------------------------------------------- */

#define KSM "/sys/kernel/mm/ksm/"

static bool can_ksm(void)
{
	return !access(KSM "run", W_OK) && !sp_get(KSM "run");
}

static void op_ksm(size_t first, size_t n)
{
	unsigned long sleep_ms = sp_get(KSM "sleep_millisecs");
	unsigned long scan = sp_get(KSM "pages_to_scan");
	unsigned long scans, patience;
	size_t i;

	for (i = first; i < first + n; i++) {
		r.page[i].seed = 0x5a5a5a5a00000001UL;
		memset(addr_of(i), 0, page_size);
		write_page(addr_of(i), 0, r.page[i].seed);
	}
	/* Make all pages alike, including the words that the test does not check. */
	for (i = first; i < first + n; i++)
		memcpy(addr_of(i), addr_of(first), page_size);

	advise(first, n, MADV_MERGEABLE, "MERGEABLE");
	sp_write_number(KSM "sleep_millisecs", 1);
	sp_write_number(KSM "pages_to_scan", 1000);
	scans = sp_get(KSM "full_scans");
	sp_write(KSM "run", "1");
	for (patience = 3000; patience && sp_get(KSM "full_scans") < scans + 3; patience--)
		usleep(1000);
	sp_expect(patience, "KSM has not scanned");
	if (n > 1)
		sp_expect(sp_get(KSM "pages_sharing"), "KSM has merged nothing");
	check_all("merged");
	write_range(first, n / 2);
	check_all("half of it written to");
	sp_expect(!sp_write(KSM "run", "2"), "cannot unmerge");
	check_all("unmerged");
	write_range(first, n);
	sp_write(KSM "run", "0");
	sp_write_number(KSM "sleep_millisecs", sleep_ms);
	sp_write_number(KSM "pages_to_scan", scan);
	advise(first, n, MADV_UNMERGEABLE, "UNMERGEABLE");
}

/* --- code ---------------------------------------------------------------------------------- */

/* Functions of one bundle or so, which run wherever they are copied to. */
static long code_add(long a, long b)
{
	return a + b;
}

static long code_sub(long a, long b)
{
	return a - b;
}

#define CODE_BYTES 64

static void put_code(char *to, long (*f)(long, long))
{
	/* Keep the compiler from knowing the function. */
	asm("" : "+r"(f));
#ifdef __ia64__
	/* A function pointer points to a descriptor. */
	memcpy(to, *(void **)f, CODE_BYTES);
#else
	memcpy(to, (void *)f, CODE_BYTES);
#endif
	__builtin___clear_cache(to, to + CODE_BYTES);
}

static long call_code(char *at, long a, long b)
{
#ifdef __ia64__
	void *descriptor[2] = { at, NULL };
	void *f = descriptor;

	asm volatile("" : "+r"(f) : : "memory");
	return ((long (*)(long, long))f)(a, b);
#else
	return ((long (*)(long, long))at)(a, b);
#endif
}

/* Fetch instructions from superpages and from parts of them. */
static void op_exec(size_t first, size_t n)
{
	int prot = PROT_READ | PROT_EXEC;
	size_t i;

	for (i = first; i < first + n; i++)
		put_code(addr_of(i) + page_size / 2, code_add);
	sp_expect(!mprotect(addr_of(first), n * page_size, prot), "mprotect: %s",
		  strerror(errno));
	/* With its lock held, the kernel must not flush the caches for more than 1 MiB. */
	sp_expect(!sp_in_superpages(addr_of(first), n * page_size, (1 << 20) + 1),
		  "more than 1 MiB became executable at once");
	for (i = first; i < first + n; i++)
		sp_expect(call_code(addr_of(i) + page_size / 2, 44, 2) == 46,
			  "page %zu has not added", i);
	protect(first, n, RW);
	for (i = first; i < first + n; i += 2)
		put_code(addr_of(i) + page_size / 2, code_sub);
	sp_expect(!mprotect(addr_of(first), n * page_size, prot | PROT_WRITE), "mprotect: %s",
		  strerror(errno));
	for (i = first; i < first + n; i++)
		sp_expect(call_code(addr_of(i) + page_size / 2, 44, 2) ==
			  ((i - first) % 2 ? 46 : 42), "page %zu has not computed", i);
	protect(first, n, RW);
	write_range(first, n);
}

/* --- running them --------------------------------------------------------------------------- */

static const struct {
	const char *name;
	void (*run)(size_t first, size_t n);
	bool (*possible)(void);
	bool everywhere;		/* the range matters little, so a few parts will do */
} ops[] = {
	{ "mprotect to none and back", op_mprotect_none },
	{ "mprotect to read-only and back", op_mprotect_ro },
	{ "mprotect of all but a part", op_mprotect_hole },
	{ "munmap and map again", op_munmap },
	{ "map over", op_mmap_over },
	{ "mremap there and back", op_mremap_move },
	{ "mremap to an unaligned place", op_mremap_unaligned },
	{ "mremap to less and to more", op_mremap_shrink },
	{ "mremap to more elsewhere", op_mremap_grow },
	{ "madvise DONTNEED", op_dontneed },
	{ "madvise FREE", op_free },
	{ "madvise COLD", op_cold },
	{ "madvise PAGEOUT", op_pageout, sp_have_swap },
	{ "mlock", op_mlock },
	{ "fork, the child writes", op_fork_child_writes },
	{ "fork, the parent writes", op_fork_parent_writes },
	{ "fork, the child exits", op_fork_exit },
	{ "fork, not all of it", op_fork_advice },
	{ "ptrace and /proc/PID/mem", op_other_process },
	{ "process_vm_writev", op_process_vm_writev },
	{ "vmsplice and fork", op_pinned },
	{ "clear_refs", op_clear_refs, NULL, true },
	{ "compaction", op_compact, can_compact, true },
	{ "mbind", op_mbind, can_mbind },
	{ "userfaultfd", op_userfaultfd, sp_can_userfaultfd },
	{ "KSM", op_ksm, can_ksm, true },
	{ "instructions", op_exec },
};

/* Ranges as quarters of superpages, counted from the second of four. */
static const struct {
	const char *name;
	int begin, quarters;
	bool one_page;
} parts[] = {
	{ "a whole superpage", 0, 4 },
	{ "the head", 0, 1 },
	{ "the middle", 1, 2 },
	{ "one page in the middle", 2, 1, true },
	{ "the tail", 3, 1 },
	{ "halves of two", 2, 4 },
	{ "two superpages", 0, 8 },
};

static void run_part(size_t op, size_t part)
{
	struct sp_count before = sp_count(r.order), after;
	unsigned int failures = sp_failures;
	size_t quarter = r.per_superpage / 4;
	size_t first = (r.superpages > 2 ? r.per_superpage : 0) + parts[part].begin * quarter;
	size_t n = parts[part].one_page ? 1 : parts[part].quarters * quarter;

	ops[op].run(first, n);
	check_all("in the end");
	region_free();
	after = sp_count(r.order);
	if (r.counted)
		sp_expect(after.mapped == before.mapped - (long)r.superpages,
			  "%ld superpages were left behind",
			  after.mapped - before.mapped + (long)r.superpages);
	if (failures != sp_failures)
		ksft_print_msg("that was with %s\n", parts[part].name);
}

static void run_op(size_t op, unsigned int order, int only_part)
{
	const char *why = NULL;
	size_t i;

	if (ops[op].possible && !ops[op].possible()) {
		ksft_test_result_skip("order %u: %s is not possible here\n", order,
				      ops[op].name);
		return;
	}
	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		if (only_part >= 0 ? i != (size_t)only_part : ops[op].everywhere && i > 2)
			continue;
		/* Large superpages are slow, so one part that spans leaf tables will do. */
		if (only_part < 0 && page_size << order > sp_leaf_span() && i != 5)
			continue;
		if (!region_make(order)) {
			why = "memory";
			break;
		}
		run_part(op, i);
	}
	sp_check_accounts(ops[op].name);
	if (why && !sp_failures)
		ksft_test_result_skip("order %u: no %s for %s\n", order, why, ops[op].name);
	else
		sp_result("order %u: %s", order, ops[op].name);
}

int main(int argc, char **argv)
{
	int opt, only_part = -1, count = 0;
	unsigned int i;
	size_t op;

	while ((opt = getopt(argc, argv, SP_CHOICE "p:")) != -1) {
		if (opt == 'p') {
			only_part = sp_number(optarg, 0, ARRAY_SIZE(parts) - 1);
		} else if (!sp_choose(opt)) {
			fprintf(stderr, "superpage_ops [-o ORDER]... [-t OPERATION] [-p PART]\n"
				SP_CHOICE_HELP
				"  -p PART	only this part of a superpage, 0 to %zu\n",
				ARRAY_SIZE(parts) - 1);
			return 2;
		}
	}
	for (op = 0; op < ARRAY_SIZE(ops); op++)
		count += !!strstr(ops[op].name, sp_only);
	sp_must_choose(count);
	sp_init(argv);
	sp_catch_faults();
	sp_swap_on(64 << 20);
	ksft_print_msg("%s\n", sp_have_swap() ? "there is swap" : "no swap");

	sp_default_orders();
	sp_choose_orders(2);
	ksft_set_plan(count * sp_choices);
	for (i = 0; i < sp_choices; i++)
		for (op = 0; op < ARRAY_SIZE(ops); op++)
			if (strstr(ops[op].name, sp_only))
				run_op(op, sp_chosen[i], only_part);
	ksft_finished();
}
