// SPDX-License-Identifier: GPL-2.0
/*
 * When a part of a superpage changes, the largest sizes without that part remain, and the
 * kernel copies, or makes dirty, no more than the smallest superpage.  It makes the superpage
 * whole again, and the work for both stays bounded.
 *
 * A model says which sizes there should be, page by page; smaps says which there are.
 */
#include <getopt.h>
#include <sys/uio.h>

#include "superpage.h"

#define UNIT	2			/* order of what a write copies or makes dirty */
#define AT_ONCE	6			/* log2 of how much is made whole for what has changed */
#define ALONE	8			/* units of which a child copies a single page */

static char *base;
static unsigned int top;		/* order of the superpage that a test begins with */
static size_t pages;
static uint8_t *model;			/* for each page, the order of its superpage */
static uint64_t generation;

static char *addr_of(size_t page)
{
	return base + page * page_size;
}

static size_t unit_pages(void)
{
	return sp_all_orders() & 1UL << UNIT ? 1UL << UNIT : 1;
}

/* --- the model ------------------------------------------------------------------------ */

/* Return the next smaller order, or 0. */
static unsigned int order_below(unsigned int order)
{
	unsigned int i, below = 0;

	for (i = 0; i < sp_orders && sp_order[i] < order; i++)
		below = sp_order[i];
	return below;
}

/* Make the superpage that has @bound within it into smaller ones, down to some that end there. */
static void model_cut(size_t bound)
{
	unsigned int order, part;
	size_t first;

	if (!bound || bound >= pages)
		return;
	while ((order = model[bound]) && bound & ((1UL << order) - 1)) {
		first = bound >> order << order;
		part = order_below(order);
		memset(model + first, part, 1UL << order);
	}
}

static void model_range(size_t first, size_t n)
{
	model_cut(first);
	model_cut(first + n);
	if (n == 1)
		model[first] = 0;
}

/* Promote around a page to @limit at most, as the kernel does if all PTEs agree. */
static void model_climb(size_t page, unsigned int limit)
{
	unsigned int i, order, best = model[page];
	size_t first, p;

	for (i = 0; i < sp_orders; i++) {
		order = sp_order[i];
		if (order <= best)
			continue;
		if (order > limit || order > top)
			break;
		first = page >> order << order;
		for (p = first; p < first + (1UL << order); p++)
			if (model[p] != best && p >> best != page >> best)
				goto out;
		best = order;
	}
out:
	first = page >> best << best;
	memset(model + first, best, 1UL << best);
}

static void model_again(size_t first, size_t n)
{
	unsigned int limit = AT_ONCE;

	while (n >> (limit - AT_ONCE + 1))
		limit++;
	if (first)
		model_climb(first, limit);
	if (first + n < pages)
		model_climb(first + n - 1, limit);
}

/*
 * Return how many PTEs demotion and promotion have written since boot.  Some may be those of
 * other memory where frames happen to be in a row: SLACK allows for these.
 */
#define SLACK	64

static long pte_writes(void)
{
	struct sp_count count[SP_MAX_ORDERS];
	unsigned int i;
	long sum = 0;

	sp_counts(count);
	for (i = 0; i < sp_orders; i++)
		sum += (count[i].demoted + count[i].promoted) << sp_order[i];
	return sum;
}

/* --- the region ------------------------------------------------------------------------- */

/* Return the sum of a field of smaps over all mappings in the region, in bytes. */
static long region_field(const char *field)
{
	return sp_range_field(field, base, pages * page_size);
}

/*
 * Return how many superpages of an order the region has.  The program may have others, of
 * base pages that happen to have frames in a row.
 */
static long superpages(unsigned int order)
{
	size_t bytes = page_size << order;
	char name[32];

	snprintf(name, sizeof(name), "Superpages%zukB:", bytes >> 10);
	return region_field(name) / (long)bytes;
}

static long superpage_pages(void)
{
	return region_field("Superpages:") / (long)page_size;
}

/* Expect that smaps says what the model says. */
static void check_sizes(const char *when)
{
	unsigned int i;
	size_t p;
	long want, is;

	for (i = 0; i < sp_orders; i++) {
		want = 0;
		for (p = 0; p < pages; p += 1UL << sp_order[i])
			want += model[p] == sp_order[i];
		is = superpages(sp_order[i]);
		sp_expect(is == want, "%s: %ld superpages of order %u, not %ld", when, is,
			  sp_order[i], want);
	}
}

static void write_page(size_t page)
{
	uint64_t *w = (uint64_t *)addr_of(page);

	WRITE_ONCE(w[0], generation + page);
	WRITE_ONCE(w[page_size / 8 - 1], ~(generation + page));
}

static void write_all(void)
{
	size_t p;

	generation += pages;
	for (p = 0; p < pages; p++)
		write_page(p);
}

/* Expect the contents of @n pages.  @may_be_zero: MADV_FREE was called for them. */
static void check_contents(const char *when, size_t first, size_t n, bool may_be_zero)
{
	size_t p;

	for (p = first; p < first + n; p++) {
		uint64_t *w = (uint64_t *)addr_of(p), a = READ_ONCE(w[0]);
		uint64_t b = READ_ONCE(w[page_size / 8 - 1]);

		sp_expect((a == generation + p && b == ~a) || (may_be_zero && !a && !b),
			  "%s: page %zu has %#lx and %#lx, not %#lx", when, p, (unsigned long)a,
			  (unsigned long)b, (unsigned long)generation + p);
	}
}

static void write_all_and_check(const char *when)
{
	write_all();
	check_sizes(when);
	check_contents(when, 0, pages, false);
}

/* Write to a page, or check it, with values that are larger by @newer than those of the others. */
static void write_newer(size_t page, uint64_t newer)
{
	generation += newer;
	write_page(page);
	generation -= newer;
}

static void check_newer(const char *when, size_t page, uint64_t newer)
{
	generation += newer;
	check_contents(when, page, 1, false);
	generation -= newer;
}

/* Make one superpage, and write to all of its pages. */
static void region_make(void)
{
	base = sp_map(pages * page_size, pages * page_size);
	sp_permit(sp_all_orders() & ((2UL << top) - 1));
	write_all();
	memset(model, top, pages);
	check_sizes("at the beginning");
}

static void region_free(void)
{
	munmap(base, pages * page_size);
	sp_permit(0);
}

static void protect(size_t first, size_t n, int prot)
{
	sp_expect(!mprotect(addr_of(first), n * page_size, prot), "mprotect: %s",
		  strerror(errno));
}

static void advise(size_t first, size_t n, int advice)
{
	sp_expect(!madvise(addr_of(first), n * page_size, advice), "madvise %d: %s", advice,
		  strerror(errno));
}

/* --- one page changes, and changes back --------------------------------------------------- */

static void test_protect_page(void)
{
	size_t some[] = { 0, 1, pages / 2 - 1, pages / 2, pages - 1, 0, 0, 0, 0, 0 }, i;

	region_make();
	for (i = 0; i < ARRAY_SIZE(some); i++) {
		size_t page = i < 5 ? some[i] : sp_random_below(pages);

		protect(page, 1, PROT_READ);
		model_range(page, 1);
		check_sizes("one page read-only");
		protect(page, 1, PROT_READ | PROT_WRITE);
		model_again(page, 1);
		check_sizes("and writable again");
	}
	check_contents("in the end", 0, pages, false);
	write_all_and_check("written to");
	region_free();
	sp_result("order %u: mprotect of one page, and back", top);
}

static void test_protect_range(void)
{
	size_t first, n, i;

	for (i = 0; i < 8; i++) {
		region_make();
		first = sp_random_below(pages);
		n = 1 + sp_random_below(pages - first);
		protect(first, n, i % 2 ? PROT_NONE : PROT_READ);
		model_range(first, n);
		check_sizes("a range protected");
		protect(first, n, PROT_READ | PROT_WRITE);
		model_again(first, n);
		check_sizes("and writable again");
		write_all();
		check_contents("in the end", 0, pages, false);
		region_free();
	}
	sp_result("order %u: mprotect of a range, and back", top);
}

/* mlock() and advice split a VMA but leave its pages alone. */
static void test_split(void)
{
	size_t page = pages / 2 + 1;

	region_make();
	sp_expect(!mlock(addr_of(page), page_size), "mlock: %s", strerror(errno));
	model_range(page, 1);
	check_sizes("one page locked");
	sp_expect(!munlock(addr_of(page), page_size), "munlock: %s", strerror(errno));
	model_again(page, 1);
	check_sizes("and unlocked");
	page += 64;
	if (page < pages) {
		advise(page, 1, MADV_DONTFORK);
		model_range(page, 1);
		check_sizes("one page not to be forked");
		advise(page, 1, MADV_DOFORK);
		model_again(page, 1);
		check_sizes("and to be forked");
	}
	check_contents("in the end", 0, pages, false);
	region_free();
	sp_result("order %u: one page locked, or not to be forked", top);
}

/*
 * Changing the protection of one page back and forth must not write to all PTEs of a large
 * superpage each time.
 */
static void test_to_and_fro(void)
{
	long rounds = 200, before, writes, bound;
	long i;

	region_make();
	before = pte_writes();
	for (i = 0; i < rounds; i++) {
		size_t page = i % 4 ? pages / 3 : sp_random_below(pages);

		protect(page, 1, PROT_READ);
		protect(page, 1, PROT_READ | PROT_WRITE);
	}
	writes = pte_writes() - before;
	/* Each PTE once for each size on the way down; 64 for each change, down and up. */
	bound = (long)pages * sp_orders + rounds * 2 * 2 * 64;
	ksft_print_msg("%ld PTEs written in %ld rounds\n", writes, rounds);
	sp_expect(writes <= bound, "%ld PTEs were written, more than %ld", writes, bound);
	sp_expect(superpage_pages() == (long)pages, "%ld pages of %zu are in superpages",
		  superpage_pages(), pages);
	check_contents("in the end", 0, pages, false);
	region_free();
	sp_result("order %u: one page protected to and fro", top);
}

/* --- a part goes ---------------------------------------------------------------------------- */

static void test_part_goes(void)
{
	static const char * const name[] = { "DONTNEED", "munmap", "PAGEOUT" };
	size_t first, n, i, p;
	bool swap = sp_have_swap();
	unsigned int gone = 0;

	for (i = 0; i < 3 * 4; i++) {
		if (i % 3 == 2 && !swap)
			continue;
		region_make();
		first = i < 6 ? sp_random_below(pages) : 0;
		n = i % 2 ? 1 : 1 + sp_random_below(pages - first);
		if (i % 3 == 0)
			advise(first, n, MADV_DONTNEED);
		else if (i % 3 == 1)
			munmap(addr_of(first), n * page_size);
		else
			advise(first, n = 1, MADV_PAGEOUT);
		gone += i % 3 == 2 && superpage_pages() < (long)pages;
		model_range(first, n);
		for (p = first; p < first + n; p++)
			model[p] = 0;
		/* Reclaim may leave a page alone. */
		if (i % 3 != 2 || superpage_pages() < (long)pages)
			check_sizes(name[i % 3]);
		check_contents(name[i % 3], 0, first, false);
		check_contents(name[i % 3], first + n, pages - first - n, false);
		if (i % 3 == 2)
			check_contents("swapped in", first, n, false);
		region_free();
	}
	sp_expect(gone || !swap, "MADV_PAGEOUT has never taken a page");
	sp_result("order %u: a part of it goes", top);
}

/* --- all of it ------------------------------------------------------------------------------ */

/* Operations on a whole superpage do not take it apart step by step. */
static void test_whole(void)
{
	char *to;
	long before;
	pid_t pid;

	region_make();
	before = pte_writes();
	protect(0, pages, PROT_READ);
	protect(0, pages, PROT_READ | PROT_WRITE);
	advise(0, pages, MADV_COLD);
	pid = sp_fork();
	if (!pid)
		_exit(0);
	sp_wait(pid);
	write_all();
	check_sizes("protected, cold, forked and written to");
	advise(0, pages, MADV_FREE);
	check_sizes("lazily freed");
	/* fork() made a superpage in the child, and its exit took that apart. */
	sp_expect(pte_writes() - before <= 2 * (long)pages + SLACK,
		  "%ld PTEs were written by what leaves it whole", pte_writes() - before);
	region_free();

	region_make();
	to = sp_map_prot(pages * page_size, pages * page_size, PROT_NONE, 0);
	before = pte_writes();
	sp_expect(mremap(base, pages * page_size, pages * page_size, MREMAP_MAYMOVE | MREMAP_FIXED,
			 to) == to, "mremap: %s", strerror(errno));
	base = to;
	check_sizes("moved");
	check_contents("moved", 0, pages, false);
	sp_expect(pte_writes() - before <= 2 * (long)pages + SLACK,
		  "%ld PTEs were written by mremap", pte_writes() - before);
	before = pte_writes();
	region_free();
	sp_expect(pte_writes() - before <= (long)pages + SLACK, "%ld PTEs were written by munmap",
		  pte_writes() - before);
	sp_result("order %u: operations on all of it", top);
}

/* --- write after fork ------------------------------------------------------------------------ */

/* The @n pages around @page have been copied; @own pages of the region are the process's own. */
static void copied(const char *who, size_t page, size_t n, size_t own)
{
	long private = region_field("Private_Dirty:") + region_field("Private_Clean:");

	sp_expect(private == (long)(own * page_size), "%s: %ld bytes are its own, not %zu",
		  who, private, own * page_size);
	model_range(page - page % n, n);
	check_sizes(who);
}

/*
 * fork() two processes that take turns.  hear() fails when the other one has died, since each
 * process has only its own ends of the pipes.
 */
static int to_other, from_other;

static pid_t fork_other(void)
{
	int up[2], down[2];
	pid_t pid;

	sp_need(!pipe(up) && !pipe(down), "no pipe");
	pid = sp_fork();
	to_other = pid ? down[1] : up[1];
	from_other = pid ? up[0] : down[0];
	close(pid ? up[1] : down[1]);
	close(pid ? down[0] : up[0]);
	return pid;
}

static void tell(void)
{
	sp_expect(write(to_other, "", 1) == 1, "cannot tell the other process");
}

static void hear(void)
{
	char c;

	sp_expect(read(from_other, &c, 1) == 1, "no word from the other process");
}

static void wait_for_other(pid_t pid)
{
	sp_wait(pid);
	close(to_other);
	close(from_other);
}

static void test_fork(void)
{
	size_t page = pages / 3, unit = unit_pages(), p;
	pid_t pid;

	region_make();
	pid = fork_other();
	if (!pid) {
		hear();
		check_contents("child", 0, pages, false);
		/* Pages that the parent has copied are now the child's alone. */
		write_newer(page, pages);
		copied("child", page, unit, unit);
		for (p = 0; p < pages; p++)
			if (p != page)
				check_contents("child that has written", p, 1, false);
		tell();
		hear();
		sp_child_exit();
	}
	write_newer(page, 2 * pages);
	copied("parent", page, unit, unit);
	for (p = 0; p < pages; p++)
		if (p != page)
			check_contents("parent that has written", p, 1, false);
	tell();
	hear();
	check_newer("parent", page, 2 * pages);
	tell();
	wait_for_other(pid);

	/* Nothing is shared any longer: each superpage becomes writable as a whole. */
	generation += 2 * pages;
	write_all_and_check("the child has gone");
	sp_expect(region_field("Rss:") == (long)(pages * page_size), "%ld bytes are resident",
		  region_field("Rss:"));
	region_free();
	sp_result("order %u: a write while a child lives", top);
}

/*
 * Check what a child sees that has written to the first page of each of @units units, values
 * larger by @newer.
 */
static void check_child(const char *when, size_t units, uint64_t newer)
{
	size_t unit = unit_pages(), p;

	for (p = 0; p < pages; p++)
		check_newer(when, p, p % unit || p >= units * unit ? 0 : newer);
}

/* A child copies base pages at first, as it may not live long. */
static void test_fork_child(void)
{
	size_t unit = unit_pages(), i, page;
	pid_t pid;

	if (pages < (ALONE + 1) * unit) {
		ksft_test_result_skip("order %u: too small for a child's first writes\n", top);
		return;
	}
	region_make();
	pid = fork_other();
	if (!pid) {
		for (i = 0; i <= ALONE; i++) {
			page = i * unit;
			write_newer(page, pages);
			if (i < ALONE)
				copied("child's first writes", page, 1, i + 1);
			else
				copied("child's next write", page, unit, ALONE + unit);
		}
		check_child("child", ALONE + 1, pages);
		tell();
		hear();
		check_child("child after the parent's writes", ALONE + 1, pages);
		sp_child_exit();
	}
	hear();
	check_contents("parent", 0, pages, false);
	/* The page that the child has copied is the parent's own, and the others are shared. */
	write_newer(1, 2 * pages);
	copied("parent beside the child's page", 1, unit, ALONE + 2 * unit - 1);
	write_newer(unit, 2 * pages);
	copied("parent on the child's page", unit, 1, ALONE + 2 * unit - 1);
	check_newer("parent that has written", 1, 2 * pages);
	check_newer("parent that has written", unit, 2 * pages);
	for (page = 0; page < pages; page++)
		if (page != 1 && page != unit)
			check_contents("parent that has not written", page, 1, false);
	tell();
	wait_for_other(pid);
	/* The parent has kept the frames of this unit, and may write to all of them now. */
	if (unit > 1)
		model_climb(unit, UNIT);
	else
		memset(model, top, pages);
	write_all_and_check("the child has gone");
	region_free();
	sp_result("order %u: a child's first writes", top);
}

/* A child that forks is a parent, too, and copies whole units from then on. */
static void test_fork_twice(void)
{
	size_t unit = unit_pages();
	pid_t pid, grandchild;

	if (pages < 2 * unit) {
		ksft_test_result_skip("order %u: too small for two units\n", top);
		return;
	}
	region_make();
	pid = sp_fork();
	if (!pid) {
		grandchild = fork_other();
		if (!grandchild) {
			write_newer(0, pages);
			copied("grandchild", 0, 1, 1);
			tell();
			hear();
			check_child("grandchild", 1, pages);
			sp_child_exit();
		}
		hear();
		write_newer(unit, 2 * pages);
		check_newer("child with a child", unit, 2 * pages);
		copied("child with a child", unit, unit, unit);
		check_contents("child with a child", 0, unit, false);
		tell();
		wait_for_other(grandchild);
		sp_child_exit();
	}
	sp_wait(pid);
	check_contents("parent", 0, pages, false);
	write_all_and_check("the child has gone");
	region_free();
	sp_result("order %u: a child that forks", top);
}

/* A write does not copy a neighbouring page to which somebody holds a reference. */
static void test_fork_held(void)
{
	size_t page = pages / 3 / unit_pages() * unit_pages(), held = page + 1;
	struct iovec vec = { .iov_base = addr_of(held), .iov_len = page_size };
	uint64_t was[2], is[2];
	int fd[2];
	pid_t pid;

	region_make();
	sp_need(!pipe(fd), "no pipe");
	sp_need(vmsplice(fd[1], &vec, 1, 0) == (ssize_t)page_size, "vmsplice");
	sp_read_frames(addr_of(page), 2, page_size, was);
	pid = fork_other();
	if (!pid) {
		hear();
		sp_child_exit();
	}
	write_page(page);
	sp_read_frames(addr_of(page), 2, page_size, is);
	sp_expect(is[0] != was[0], "the page that was written to is still shared");
	sp_expect(is[1] == was[1], "a page that somebody holds was copied");
	check_contents("parent", 0, pages, false);
	tell();
	wait_for_other(pid);
	close(fd[0]);
	close(fd[1]);
	region_free();
	sp_result("order %u: a write while a child lives, and somebody holds the next page", top);
}

/* Copy units while another process forbids their size and permits it again. */
static void test_fork_tuned(void)
{
	char *stop = sp_map_shared(page_size);
	pid_t child, tuner;

	region_make();
	child = sp_fork();
	if (!child) {
		while (!READ_ONCE(*stop))
			usleep(1000);
		_exit(0);
	}
	tuner = sp_fork();
	if (!tuner) {
		if (sysconf(_SC_NPROCESSORS_ONLN) > 1)
			sp_run_on(1);
		while (!READ_ONCE(*stop)) {
			sp_permit(1UL << sp_order[0]);
			sp_permit(sp_all_orders());
		}
		_exit(0);
	}
	write_all();
	WRITE_ONCE(*stop, 1);
	sp_wait(child);
	sp_wait(tuner);
	check_contents("all written to", 0, pages, false);
	region_free();
	munmap(stop, page_size);
	sp_check_accounts("in the end");
	sp_result("order %u: writes while a child lives, and sizes are permitted or not", top);
}

/* --- MADV_FREE -------------------------------------------------------------------------------- */

static long dirty(void)
{
	return region_field("Private_Dirty:");
}

static void test_free(void)
{
	size_t page = pages / 3, unit = unit_pages();
	long bytes = pages * page_size;

	region_make();
	advise(0, pages, MADV_FREE);
	check_sizes("lazily freed");
	sp_expect(!dirty(), "%ld bytes are dirty", dirty());
	check_contents("lazily freed", 0, pages, true);
	write_page(page);
	sp_expect(dirty() == (long)(unit * page_size),
		  "%ld bytes are dirty after one was written, not %zu", dirty(), unit * page_size);
	model_range(page - page % unit, unit);
	check_sizes("one page written to");
	check_contents("one page written to", page, 1, false);
	write_all();
	sp_expect(dirty() == bytes, "%ld bytes are dirty of %ld", dirty(), bytes);
	sp_expect(superpage_pages() == (long)pages, "%ld pages of %zu are in superpages",
		  superpage_pages(), pages);
	check_contents("all written to", 0, pages, false);
	region_free();
	sp_result("order %u: MADV_FREE, and one byte written", top);
}

/* Pages outside the range stay dirty. */
static void test_free_part(void)
{
	size_t first = pages / 4 + 1, n = pages / 2 - 3;
	long bytes = pages * page_size;

	region_make();
	advise(first, n, MADV_FREE);
	model_range(first, n);
	check_sizes("a part lazily freed");
	sp_expect(dirty() == bytes - (long)(n * page_size), "%ld bytes are dirty, not %ld", dirty(),
		  bytes - (long)(n * page_size));
	check_contents("outside", 0, first, false);
	check_contents("outside", first + n, pages - first - n, false);
	write_all();
	check_contents("all written to", 0, pages, false);
	region_free();
	sp_result("order %u: MADV_FREE of a part", top);
}

/* The kernel does not promote pages that are clean and writable. */
static void test_free_clean(void)
{
	size_t page = pages / 3, unit = unit_pages();

	region_make();
	advise(0, pages, MADV_FREE);
	advise(page, 1, MADV_DONTFORK);
	model_range(page, 1);
	check_sizes("taken apart");
	advise(page, 1, MADV_DOFORK);
	check_sizes("writable and clean");
	write_page(page);
	sp_expect(dirty() <= (long)(unit * page_size), "%ld bytes are dirty", dirty());
	write_all();
	check_contents("all written to", 0, pages, false);
	region_free();
	sp_result("order %u: pages that are clean and writable", top);
}

/* Making a superpage writable again leaves it clean, except where the program writes. */
static void test_free_protected(void)
{
	size_t page = pages / 3, unit = unit_pages();
	int forked;
	pid_t pid;

	for (forked = 0; forked < 2; forked++) {
		region_make();
		advise(0, pages, MADV_FREE);
		if (forked) {
			pid = sp_fork();
			if (!pid)
				_exit(0);
			sp_wait(pid);
		} else {
			protect(0, pages, PROT_READ);
			protect(0, pages, PROT_READ | PROT_WRITE);
		}
		check_sizes("write-protected while it is clean");
		write_page(page);
		sp_expect(dirty() == (long)(unit * page_size),
			  "%ld bytes are dirty after one was written, not %zu", dirty(),
			  unit * page_size);
		model_range(page - page % unit, unit);
		check_sizes("one page written to");
		check_contents("one page written to", page, 1, false);
		write_all();
		sp_expect(superpage_pages() == (long)pages, "%ld pages of %zu are in superpages",
			  superpage_pages(), pages);
		check_contents("all written to", 0, pages, false);
		region_free();
	}
	sp_result("order %u: MADV_FREE, then mprotect or fork, and one byte written", top);
}

static const struct {
	const char *what;
	void (*test)(void);
} tests[] = {
	{ "mprotect of a page", test_protect_page },
	{ "mprotect of a range", test_protect_range },
	{ "mlock", test_split },
	{ "to and fro", test_to_and_fro },
	{ "a part goes", test_part_goes },
	{ "whole", test_whole },
	{ "fork", test_fork },
	{ "fork, child", test_fork_child },
	{ "fork, twice", test_fork_twice },
	{ "fork, held", test_fork_held },
	{ "fork, tuned", test_fork_tuned },
	{ "MADV_FREE", test_free },
	{ "MADV_FREE of a part", test_free_part },
	{ "MADV_FREE, clean", test_free_clean },
	{ "MADV_FREE, protected", test_free_protected },
};

int main(int argc, char **argv)
{
	unsigned int i, order = 0, chosen = 0;
	int opt;

	while ((opt = getopt(argc, argv, "o:s:t:")) != -1) {
		switch (opt) {
		case 'o':
			order = sp_number(optarg, 2, 63);
			break;
		case 's':
			sp_rng = sp_number(optarg, 1, LONG_MAX);
			break;
		case 't':
			sp_only = optarg;
			break;
		default:
			fprintf(stderr, "superpage_demote [-o ORDER] [-s SEED] [-t TEST]\n");
			return 2;
		}
	}
	for (i = 0; i < ARRAY_SIZE(tests); i++)
		chosen += !!strstr(tests[i].what, sp_only);
	sp_must_choose(chosen);
	sp_init(argv);
	if (!sp_tunable)
		ksft_exit_skip("superpages cannot be tuned here\n");
	sp_swap_on(64 << 20);
	/* Use superpages of 64 MiB, or as large as memory permits. */
	for (i = 0; i < sp_orders; i++)
		if (order ? sp_order[i] == order :
		    page_size << sp_order[i] <= 64 << 20 &&
		    page_size << sp_order[i] <= (size_t)sp_meminfo_kb("MemAvailable:") << 7)
			top = sp_order[i];
	if (!top)
		ksft_exit_skip("no memory for a superpage\n");
	pages = 1UL << top;
	model = sp_map_plain(pages);
	sp_write("/proc/sys/vm/compact_memory", "1");
	/* Stay on one processor: the kernel drains only its batch of pages for the LRU lists. */
	sp_run_on(0);

	ksft_set_plan(chosen);
	for (i = 0; i < ARRAY_SIZE(tests); i++)
		if (strstr(tests[i].what, sp_only))
			tests[i].test();
	ksft_finished();
}
