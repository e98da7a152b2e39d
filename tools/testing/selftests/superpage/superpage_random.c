// SPDX-License-Identifier: GPL-2.0
/*
 * Thousands of random operations on a window of memory.  A shadow records what every
 * page contains, and which accesses it permits.  Exactly those accesses must fault that
 * it does not permit, and a page must never show anything but what was written to it.
 *
 * A run depends only on its seed, as far as the kernel permits.
 */
#include <getopt.h>
#include <sys/uio.h>

#include "superpage_reserve.h"

#define MAX_PAGES	4096
#define CHILDREN	3

enum { UNMAPPED, NONE, RO, RW };

static const int prot_flags[] = {
	[NONE] = PROT_NONE, [RO] = PROT_READ, [RW] = PROT_READ | PROT_WRITE,
};

struct shadow {
	uint64_t seed;			/* contents; 0 is zero */
	uint8_t prot;
	bool maybe_zero;		/* after MADV_FREE */
};

static struct shadow *shadow;
static char *window;
static size_t pages = 512;
static uint64_t generation, seed;
static unsigned long op_nr;
static bool verbose;
static int self_mem;			/* /proc/self/mem */

/* Children that sleep, and keep the pages that they had when they were made. */
static struct child {
	pid_t pid;
	int wake;			/* the writing end of a pipe */
} children[CHILDREN];

static char *addr_of(size_t page)
{
	return window + page * page_size;
}

static bool page_has(const char *p, uint64_t want, size_t step)
{
	const uint64_t *w = (const uint64_t *)p;
	size_t i;

	for (i = 0; i < page_size / 8; i += step)
		if (READ_ONCE(w[i]) != (want ? want + i * SP_PATTERN : 0))
			return false;
	return true;
}

/* Is the page what the shadow says?  Checks all words now and then, otherwise a few. */
static bool check_page(size_t page)
{
	size_t step = sp_random_below(16) ? page_size / 8 / 8 - 1 : 1;
	struct shadow *s = &shadow[page];
	char *p = addr_of(page);
	uint64_t word;

	if (s->prot < RO)
		return sp_expect(!sp_load(p, &word), "op %lu: page %zu can be read", op_nr, page);
	if (!sp_expect(sp_load(p, &word), "op %lu: page %zu cannot be read", op_nr, page))
		return false;
	return sp_expect(page_has(p, s->seed, step) || (s->maybe_zero && page_has(p, 0, step)),
			 "op %lu: page %zu begins with %#lx, not %#lx", op_nr, page,
			 (unsigned long)word, (unsigned long)s->seed);
}

static void check_range(size_t first, size_t n)
{
	while (n--)
		if (!check_page(first++))
			return;
}

static void new_contents(size_t page)
{
	shadow[page].seed = ++generation << 24 | 1;
	shadow[page].maybe_zero = false;
}

/* Write to a page, or find that it cannot be written to. */
static void write_page(size_t page)
{
	uint64_t word = 0;

	if (shadow[page].prot == RW) {
		new_contents(page);
		if (!sp_expect(sp_store(addr_of(page), 1), "op %lu: page %zu cannot be written to",
			       op_nr, page))
			return;
		sp_fill(addr_of(page), page_size, shadow[page].seed);
		return;
	}
	if (shadow[page].prot == RO)
		sp_load(addr_of(page), &word);
	sp_expect(!sp_store(addr_of(page), word), "op %lu: page %zu can be written to", op_nr,
		  page);
}

/* --- operations ------------------------------------------------------------------------- */

/* Choose a range that is likely, but not certain, to begin and end where superpages do. */
static void random_range(size_t *first, size_t *n)
{
	unsigned int order = sp_random_below(9);
	size_t unit = 1UL << (sp_random_below(2) ? order : 0);

	do {
		*first = sp_random_below(pages) / unit * unit;
		*n = (1UL << order) * (1 + sp_random_below(2)) / unit * unit;
	} while (!*n || *first + *n > pages);
}

/* Shorten a range to the part that is mapped from its beginning on; false if none is. */
static bool mapped_part(size_t first, size_t *n)
{
	size_t i;

	for (i = 0; i < *n && shadow[first + i].prot != UNMAPPED; i++)
		;
	*n = i;
	return i;
}

static void op_mmap(size_t first, size_t n)
{
	static const uint8_t likely[] = { RW, RW, RW, RW, RO, NONE };
	int prot = likely[sp_random_below(ARRAY_SIZE(likely))];
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;

	if (!sp_random_below(8))
		flags |= MAP_POPULATE;
	if (!sp_random_below(16))
		flags |= MAP_NORESERVE;
	sp_expect(mmap(addr_of(first), n * page_size, prot_flags[prot], flags, -1, 0) ==
		  addr_of(first), "op %lu: mmap: %s", op_nr, strerror(errno));
	for (; n--; first++)
		shadow[first] = (struct shadow){ .prot = prot };
}

static void unmap(size_t first, size_t n)
{
	sp_expect(!munmap(addr_of(first), n * page_size), "op %lu: munmap: %s", op_nr,
		  strerror(errno));
	for (; n--; first++)
		shadow[first] = (struct shadow){ .prot = UNMAPPED };
}

static void op_munmap(size_t first, size_t n)
{
	if (sp_random_below(2))
		unmap(first, n);
}

static void op_mprotect(size_t first, size_t n)
{
	static const uint8_t likely[] = { RW, RW, RW, RO, RO, NONE };
	int prot = likely[sp_random_below(ARRAY_SIZE(likely))];
	bool exec = prot >= RO && !sp_random_below(8);

	if (!mapped_part(first, &n))
		return;
	sp_expect(!mprotect(addr_of(first), n * page_size,
			    prot_flags[prot] | (exec ? PROT_EXEC : 0)),
		  "op %lu: mprotect: %s", op_nr, strerror(errno));
	for (; n--; first++)
		shadow[first].prot = prot;
}

static void op_mremap(size_t first, size_t n)
{
	size_t from = first, to, i;

	/* Move it to where superpages can be superpages again, or anywhere. */
	if (!mapped_part(from, &n))
		return;
	to = sp_random_below(pages);
	if (sp_random_below(3))
		to = to / 64 * 64 + from % 64;
	if (to + n > pages || (to < from + n && from < to + n))
		return;
	/* Unmap the target in any case: mremap() fails for more than one VMA. */
	unmap(to, n);
	if (mremap(addr_of(from), n * page_size, n * page_size, MREMAP_MAYMOVE | MREMAP_FIXED,
		   addr_of(to)) == MAP_FAILED) {
		sp_expect(errno == EFAULT, "op %lu: mremap: %s", op_nr, strerror(errno));
		return;
	}
	for (i = 0; i < n; i++) {
		shadow[to + i] = shadow[from + i];
		shadow[from + i] = (struct shadow){ .prot = UNMAPPED };
	}
}

/* Let a range that ends at a hole grow into the hole, or let a mapping shrink. */
static void op_mremap_resize(size_t first, size_t n)
{
	size_t mapped = n, more = 0;

	if (!mapped_part(first, &mapped))
		return;
	if (sp_random_below(2)) {
		n = mapped / 2;
		if (n && mremap(addr_of(first), mapped * page_size, n * page_size, 0) !=
		    MAP_FAILED)
			for (; n < mapped; n++)
				shadow[first + n] = (struct shadow){ .prot = UNMAPPED };
		return;
	}
	while (first + mapped + more < pages && more < n &&
	       shadow[first + mapped + more].prot == UNMAPPED)
		more++;
	if (!more || mremap(addr_of(first), mapped * page_size, (mapped + more) * page_size, 0) ==
	    MAP_FAILED)
		return;
	for (; more; more--, mapped++)
		shadow[first + mapped] =
			(struct shadow){ .prot = shadow[first + mapped - 1].prot };
}

static void op_madvise(size_t first, size_t n)
{
	static const int advice[] = {
		MADV_DONTNEED, MADV_DONTNEED, MADV_FREE, MADV_COLD, MADV_PAGEOUT, MADV_PAGEOUT,
		MADV_WILLNEED, MADV_HUGEPAGE, MADV_NOHUGEPAGE,
	};
	int a = advice[sp_random_below(ARRAY_SIZE(advice))];
	size_t i;

	if (!mapped_part(first, &n))
		return;
	/* A kernel without THP does not know this advice. */
	if (madvise(addr_of(first), n * page_size, a)) {
		sp_expect(errno == EINVAL && (a == MADV_HUGEPAGE || a == MADV_NOHUGEPAGE),
			  "op %lu: madvise %d: %s", op_nr, a, strerror(errno));
		return;
	}
	for (i = first; i < first + n; i++) {
		if (a == MADV_DONTNEED) {
			shadow[i].seed = 0;
			shadow[i].maybe_zero = false;
		} else if (a == MADV_FREE) {
			shadow[i].maybe_zero = true;
		}
	}
}

static void op_write(size_t first, size_t n)
{
	size_t stride = 1 + sp_random_below(3);

	for (; n--; first++)
		if (!(first % stride))
			write_page(first);
}

static void op_read(size_t first, size_t n)
{
	check_range(first, n);
}

/* Write to read-only pages by way of /proc/self/mem, which copies shared ones. */
static void op_force(size_t first, size_t n)
{
	static uint64_t page[8192];
	ssize_t ret;

	for (; n--; first += 5) {
		if (first >= pages || self_mem < 0 || page_size > sizeof(page))
			return;
		if (shadow[first].prot == UNMAPPED)
			continue;
		new_contents(first);
		sp_fill(page, page_size, shadow[first].seed);
		ret = pwrite(self_mem, page, page_size, (uintptr_t)addr_of(first));
		sp_expect(ret == (ssize_t)page_size, "op %lu: page %zu cannot be forced: %s",
			  op_nr, first, strerror(errno));
	}
}

static void child_work(size_t first, size_t n)
{
	check_range(0, pages);
	op_write(first, n);
	op_mprotect(first, n);
	check_range(first, n);
	op_madvise(first, n);
	op_write(first, n / 2 + 1);
	check_range(0, pages);
}

/* The child checks all its pages, and writes; the parent must not see that. */
static void op_fork(size_t first, size_t n)
{
	pid_t pid;

	pid = sp_fork();
	if (!pid) {
		child_work(first, n);
		sp_child_exit();
	}
	if (sp_random_below(2))
		op_write(first, n);
	sp_wait(pid);
	check_range(first, n);
}

/* Make a child that sleeps for a while, so that pages stay shared. */
static void op_fork_sleep(size_t first, size_t n)
{
	struct child *c = &children[sp_random_below(CHILDREN)];
	int fd[2], i;
	char byte;

	if (c->pid) {
		close(c->wake);
		sp_wait(c->pid);
		c->pid = 0;
		return;
	}
	sp_need(!pipe2(fd, O_CLOEXEC), "no pipe");
	c->pid = sp_fork();
	if (!c->pid) {
		close(fd[1]);
		for (i = 0; i < CHILDREN; i++)
			if (children[i].pid)
				close(children[i].wake);
		while (read(fd[0], &byte, 1) < 0 && errno == EINTR)
			;
		child_work(first, n);
		sp_child_exit();
	}
	close(fd[0]);
	c->wake = fd[1];
}

static void end_children(void)
{
	int i;

	for (i = 0; i < CHILDREN; i++) {
		if (!children[i].pid)
			continue;
		close(children[i].wake);
		sp_wait(children[i].pid);
		children[i].pid = 0;
	}
}

static void op_tune(size_t first, size_t n)
{
	unsigned long all = sp_all_orders();
	unsigned int last = sp_orders ? sp_order[sp_orders - 1] : 0;

	(void)first;
	(void)n;
	if (!sp_tunable)
		return;
	sp_permit(sp_random_below(4) ? all & sp_random_below(1UL << (last + 1)) : all);
	sp_write(SP_EAGER, sp_random_below(2) ? "1" : "0");
	sp_expect(!sp_write_number(SP_ALIGN, sp_random_below(3) ?
				   page_size << sp_random_below(last + 1) : 0),
		  "op %lu: cannot set %s", op_nr, SP_ALIGN);
}

/* Compact with every second seed only: that is slow, and moves pages of others, too. */
static void op_compact(size_t first, size_t n)
{
	(void)first;
	(void)n;
	if (seed % 2)
		return;
	sp_write("/proc/sys/vm/compact_memory", "1");
}

/* --- taking away frames that are set aside ----------------------------------------------- */

#define MB		(1024 * 1024UL)
#define LEFT_FREE	(160 * MB)

static struct {
	pid_t pid;
	int ask, done;			/* pipes to and from it */
} taker;

static long taken_kb;			/* how much was taken of what was set aside, in all */

/*
 * A process that has most memory.  Whenever this test asks, it also takes all that is free,
 * and half of what is set aside, and gives that back again.
 */
static void take_memory(int ask, int done)
{
	size_t len = (size_t)sp_meminfo_kb("MemFree:") << 10, used;
	char *p, c;
	long aside;

	sp_write("/proc/self/oom_score_adj", "1000");
	if (len > LEFT_FREE) {
		p = sp_map((len - LEFT_FREE) & -page_size, page_size);
		sp_need(!madvise(p, (len - LEFT_FREE) & -page_size, MADV_POPULATE_WRITE),
			"cannot take memory");
	}
	p = sp_map(2 * LEFT_FREE, page_size);
	do {
		sp_expect(write(done, "", 1) == 1, "write");
		if (read(ask, &c, 1) != 1)
			break;
		aside = reserved_kb();
		for (used = 0; used < 2 * LEFT_FREE; used += page_size) {
			WRITE_ONCE(p[used], 1);
			if (used % MB == 0 && reserved_kb() <= aside / 2)
				break;
		}
		madvise(p, 2 * LEFT_FREE, MADV_DONTNEED);
	} while (!sp_failures);
	sp_child_exit();
}

/* Start that process while superpages are off, so that it has none. */
static void taker_begin(void)
{
	int ask[2], done[2];
	char c;

	sp_need(!pipe2(ask, O_CLOEXEC) && !pipe2(done, O_CLOEXEC), "no pipe");
	taker.pid = sp_fork();
	if (!taker.pid) {
		close(ask[1]);
		close(done[0]);
		take_memory(ask[0], done[1]);
	}
	close(ask[0]);
	close(done[1]);
	taker.ask = ask[1];
	taker.done = done[0];
	sp_need(read(taker.done, &c, 1) == 1, "nobody takes memory");
}

static void taker_end(void)
{
	if (!taker.pid)
		return;
	close(taker.ask);
	sp_wait(taker.pid);
	close(taker.done);
	taker.pid = 0;
}

/*
 * Take frames away.  With the kernel's help, take some, or from now on, until the next call,
 * all that there are at one step of each page fault.
 */
static void op_take(size_t first, size_t n)
{
	long was = sp_tunable ? reserved_kb() : 0;
	char c;

	(void)first;
	if (have_debug) {
		sp_write_number(debug_file("step"), sp_random_below(2) ? sp_random_below(8) : 0);
		sp_write_number(debug_file("break"), n * (1 + sp_random_below(16)));
	} else if (taker.pid && was > 0) {
		sp_expect(write(taker.ask, "", 1) == 1 && read(taker.done, &c, 1) == 1,
			  "op %lu: who takes memory has ended", op_nr);
	}
	if (sp_tunable && reserved_kb() < was)
		taken_kb += was - reserved_kb();
}

static const struct {
	const char *name;
	unsigned int weight;
	void (*run)(size_t first, size_t n);
} ops[] = {
	{ "mmap", 10, op_mmap },
	{ "munmap", 6, op_munmap },
	{ "mprotect", 14, op_mprotect },
	{ "mremap", 10, op_mremap },
	{ "mremap to another size", 4, op_mremap_resize },
	{ "madvise", 14, op_madvise },
	{ "write", 24, op_write },
	{ "read", 10, op_read },
	{ "force", 3, op_force },
	{ "fork", 1, op_fork },
	{ "fork and sleep", 2, op_fork_sleep },
	{ "tune", 3, op_tune },
	{ "compact", 1, op_compact },
	{ "take", 2, op_take },
};

static void run_seed(unsigned long count)
{
	struct sp_count before = sp_count_all(), after;
	unsigned int total = 0, pick, i;
	size_t first, n;

	for (i = 0; i < ARRAY_SIZE(ops); i++)
		total += ops[i].weight;
	sp_rng = seed * 0x9e3779b97f4a7c15UL + 1;
	generation = seed << 8;
	memset(shadow, 0, pages * sizeof(*shadow));
	unmap(0, pages);
	sp_permit(sp_all_orders());
	/* Let superpages grow, so that there are frames to take away. */
	sp_growing();

	for (op_nr = 0; op_nr < count && !sp_failures; op_nr++) {
		pick = sp_random_below(total);
		for (i = 0; pick >= ops[i].weight; i++)
			pick -= ops[i].weight;
		random_range(&first, &n);
		if (verbose)
			ksft_print_msg("op %lu: %s %zu + %zu\n", op_nr, ops[i].name, first, n);
		ops[i].run(first, n);
		if (op_nr % 64 == 63)
			check_range(0, pages);
	}
	check_range(0, pages);
	end_children();
	if (have_debug)
		sp_write(debug_file("step"), "0");
	unmap(0, pages);
	check_books("in the end");
	after = sp_count_all();
	if (sp_tunable) {
		sp_expect(after.alloc > before.alloc, "no superpage was used");
		ksft_print_msg("%ld superpages, %ld demoted, %ld promoted\n",
			       after.alloc - before.alloc, after.demoted - before.demoted,
			       after.promoted - before.promoted);
		sp_permit(0);
		sp_check_accounts("in the end");
	}
	sp_result("seed %lu: %lu operations", (unsigned long)seed, op_nr);
}

/* Stop the kernel from taking frames away at a step. */
static void end_steps(void)
{
	if (have_debug && getpid() == sp_main_pid)
		sp_write(debug_file("step"), "0");
}

int main(int argc, char **argv)
{
	unsigned long count = 1500, seeds = 4, i;
	size_t align;
	char *area;
	int opt;

	seed = 1;
	while ((opt = getopt(argc, argv, "s:S:n:p:v")) != -1) {
		switch (opt) {
		case 's':
			seed = sp_number(optarg, 0, LONG_MAX);
			break;
		case 'S':
			seeds = sp_number(optarg, 1, INT_MAX);
			break;
		case 'n':
			count = sp_number(optarg, 1, LONG_MAX);
			break;
		case 'p':
			pages = sp_number(optarg, 256, MAX_PAGES);
			break;
		case 'v':
			verbose = true;
			break;
		default:
			fprintf(stderr,
				"superpage_random [-s FIRST_SEED] [-S SEEDS] [-n OPERATIONS] [-p PAGES] [-v]\n");
			return 2;
		}
	}
	sp_init(argv);
	sp_catch_faults();
	sp_swap_on(64 << 20);
	self_mem = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
	shadow = sp_map_plain(MAX_PAGES * sizeof(*shadow));

	/*
	 * The window is in the middle of an area that nothing else uses: mappings of
	 * the C library must not get into the window's holes.  A boundary of leaf
	 * tables is within the window.
	 */
	align = sp_leaf_span();
	if (align < pages * page_size)
		align = pages * page_size;
	area = sp_map_prot(4 * align, align, PROT_NONE, MAP_NORESERVE);
	munmap(area, 4 * align);
	window = area + 2 * align - pages / 2 * page_size;

	find_debug();
	atexit(end_steps);
	if (sp_tunable && !have_debug)
		taker_begin();
	ksft_set_plan(seeds + 1);
	for (i = 0; i < seeds; i++, seed++)
		run_seed(count);
	taker_end();
	if (sp_tunable) {
		/* Otherwise the run has not tested this. */
		ksft_print_msg("%ld kB that were set aside were taken away\n", taken_kb);
		sp_expect(taken_kb > 0, "nothing was taken away");
		sp_result("frames that are set aside are taken away meanwhile");
	} else {
		ksft_test_result_skip("no superpages that we may tune\n");
	}
	ksft_finished();
}
