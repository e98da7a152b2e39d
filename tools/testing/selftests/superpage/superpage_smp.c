// SPDX-License-Identifier: GPL-2.0
/*
 * Several threads use and change superpages at the same time, and the tests hunt for
 * stale translations: on no processor may a mapping reach a page that was taken away
 * from it and has a new owner.
 */
#include <getopt.h>
#include <pthread.h>
#include <sched.h>

#include "superpage.h"

#define MIN_THREADS	4
#define MAX_THREADS	16
#define TLB_PAGES	160
#define OWN		0x0b0b0b0b00000000UL	/* what the hunted mapping has */
#define POISON		0xdeadbeefdeadbeefUL	/* what the new owners of its pages have */
#define HUNTED		64UL			/* words of a page that the hunt writes and reads */

static unsigned int threads = 4;
static unsigned int rounds = 100;
static unsigned int order;
static unsigned long permit;		/* bitmap of the orders to permit */
static size_t pages;			/* number of pages of the tested superpage */
static char *area;
static char *others;			/* pages that nobody changes */
static pthread_barrier_t barrier;
static bool stop;
static char *addr_of(size_t page)
{
	return area + page * page_size;
}

/* Run @f in @n threads, with the number of the thread. */
static void run_threads(unsigned int n, void *(*f)(void *))
{
	pthread_t thread[MAX_THREADS];
	unsigned int i;

	pthread_barrier_init(&barrier, NULL, n);
	WRITE_ONCE(stop, false);
	for (i = 0; i < n; i++)
		sp_need(!pthread_create(&thread[i], NULL, f, (void *)(uintptr_t)i),
			"cannot create thread %u", i);
	for (i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
	pthread_barrier_destroy(&barrier);
}

/* --- many first touches of one superpage --------------------------------------------------- */

/* Each thread writes its own word of each page, in its own order. */
static void *touch_thread(void *arg)
{
	unsigned int me = (uintptr_t)arg, i;
	size_t p, n = 4 * pages;

	for (i = 0; i < rounds / 10 + 1; i++) {
		pthread_barrier_wait(&barrier);
		for (p = 0; p < n; p++) {
			uint64_t *w = (uint64_t *)addr_of((p * 5 + me * (n / threads)) % n);

			sp_expect(w[threads + me] == 0, "page %zu was not zero", p);
			w[me] = i << 8 | (me + 1);
		}
		pthread_barrier_wait(&barrier);
		for (p = me; p < n; p += threads) {
			uint64_t *w = (uint64_t *)addr_of(p);
			unsigned int t;

			for (t = 0; t < threads; t++)
				sp_expect(w[t] == (i << 8 | (t + 1)),
					  "page %zu has lost the word of thread %u", p, t);
		}
		pthread_barrier_wait(&barrier);
		if (!me)
			madvise(area, n * page_size, MADV_DONTNEED);
	}
	return NULL;
}

static void test_touch(void)
{
	area = sp_map(4 * pages * page_size, 4 * pages * page_size);
	sp_permit(sp_all_orders() & ((2UL << order) - 1));
	run_threads(threads, touch_thread);
	sp_permit(0);
	munmap(area, 4 * pages * page_size);
	sp_result("order %u: %u threads touch the same superpages", order, threads);
}

/* --- everybody changes a part of every superpage ------------------------------------------- */

/* Page p belongs to thread p % threads: nobody else changes what is in it. */
struct own {
	uint64_t seed;
	enum { UNMAPPED, NONE, RO, RW } prot;
};

static struct own *own;
static uint64_t chaos_seed;

static void chaos_check(size_t page)
{
	struct own *o = &own[page];
	char *p = addr_of(page);
	uint64_t word;
	long at;

	if (o->prot < RO) {
		sp_expect(!sp_load(p, &word), "page %zu can be read", page);
		return;
	}
	if (!sp_expect(sp_load(p, &word), "page %zu cannot be read", page))
		return;
	at = sp_differs(p, 256, o->seed);
	if (at < 0)
		at = sp_differs(p + page_size - 256, 256, o->seed ? ~o->seed : 0);
	sp_expect(at < 0, "page %zu begins with %#lx, not %#lx", page, (unsigned long)word,
		  (unsigned long)o->seed);
	if (o->prot == RO)
		sp_expect(!sp_store(p, word), "page %zu can be written to", page);
}

static void chaos_write(size_t page, uint64_t value)
{
	struct own *o = &own[page];

	if (o->prot != RW)
		return;
	o->seed = value;
	if (!sp_expect(sp_store(addr_of(page), value), "page %zu cannot be written to", page))
		return;
	sp_fill(addr_of(page), 256, value);
	sp_fill(addr_of(page) + page_size - 256, 256, ~value);
}

static void *chaos_thread(void *arg)
{
	static const int flags[] = {
		[NONE] = PROT_NONE, [RO] = PROT_READ, [RW] = PROT_READ | PROT_WRITE,
	};
	static const int advices[] = { MADV_PAGEOUT, MADV_COLD, MADV_POPULATE_WRITE };
	unsigned int me = (uintptr_t)arg, i;
	size_t n = 4 * pages, page, p;
	uint64_t value;
	pid_t pid;

	sp_rng = chaos_seed + me * SP_PATTERN;
	value = (uint64_t)(me + 1) << 56 | 1;
	pthread_barrier_wait(&barrier);
	for (i = 0; i < rounds * 4 && !sp_failures; i++) {
		struct own *o;
		int prot;

		page = sp_random_below(n / threads) * threads + me;
		o = &own[page];
		chaos_check(page);
		switch (sp_random_below(12)) {
		case 0 ... 3:
			chaos_write(page, value += 256);
			break;
		case 4:
		case 5:
			prot = NONE + sp_random_below(3);
			if (o->prot == UNMAPPED)
				break;
			sp_expect(!mprotect(addr_of(page), page_size, flags[prot]),
				  "mprotect: %s", strerror(errno));
			o->prot = prot;
			break;
		case 6:
			if (o->prot == UNMAPPED)
				break;
			sp_expect(!madvise(addr_of(page), page_size, MADV_DONTNEED),
				  "madvise: %s", strerror(errno));
			o->seed = 0;
			break;
		case 7:
			/* A hole stays one: no thread makes mappings at any address. */
			munmap(addr_of(page), page_size);
			o->prot = UNMAPPED;
			break;
		case 8:
		case 9:
			sp_expect(mmap(addr_of(page), page_size, flags[RW],
				       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
				  addr_of(page), "mmap: %s", strerror(errno));
			o->prot = RW;
			o->seed = 0;
			break;
		case 10:
			/* This changes no contents, so the pages may be those of any thread. */
			p = sp_random_below(n);
			madvise(addr_of(p), sp_random_below(n - p) * page_size,
				advices[sp_random_below(ARRAY_SIZE(advices))]);
			break;
		case 11:
			if (sp_random_below(8))
				break;
			/* The child has only this thread, whose pages nobody changes meanwhile. */
			pid = fork();
			if (!pid) {
				sp_failures = 0;
				for (p = me; p < n; p += threads) {
					chaos_check(p);
					chaos_write(p, value += 256);
					chaos_check(p);
				}
				sp_child_exit();
			}
			if (sp_expect(pid > 0, "fork: %s", strerror(errno)))
				sp_wait(pid);
			break;
		}
		chaos_check(page);
	}
	for (page = me; page < n; page += threads)
		chaos_check(page);
	return NULL;
}

static void test_chaos(uint64_t seed)
{
	size_t bytes = 4 * pages * page_size, i;

	own = sp_map_plain(4 * pages * sizeof(*own));
	area = sp_map(bytes, bytes);
	chaos_seed = seed;
	sp_permit(sp_all_orders());
	for (i = 0; i < 4 * pages; i++)
		own[i].prot = RW;
	run_threads(threads, chaos_thread);
	sp_permit(0);
	munmap(area, bytes);
	munmap(own, 4 * pages * sizeof(*own));
	sp_check_accounts("in the end");
	sp_result("order %u: %u threads change the same superpages, seed %lu", order, threads,
		  (unsigned long)seed);
}

/* --- stale translations --------------------------------------------------------------------- */

/*
 * Return the @n-th of the words that the hunt uses, counted through all pages from @p on.  It
 * uses only a few of each page: a translation is right or wrong for a whole page.
 */
static uint64_t *hunted_word(char *p, size_t n)
{
	return (uint64_t *)(p + n * (page_size / HUNTED));
}

/*
 * Threads go on writing to and reading all pages of a superpage, whatever happens to
 * the pages; accesses may fault.  They must see what they wrote, or zeroes, but never
 * the poison of a new owner.
 */
static uint64_t look(size_t page)
{
	uint64_t word = 0;
	uint64_t *p = hunted_word(addr_of(page), sp_random_below(HUNTED));

	if (sp_load(p, &word))
		sp_expect(!word || (word & ~0xffffffffUL) == OWN,
			  "page %zu shows %#lx, which is another's", page, (unsigned long)word);
	return word;
}

/*
 * Read more pages than a TLB has entries.  Then the translation of the next access is not
 * there, and comes from the page tables, or from what the processor takes for them.
 */
static void fill_tlb(void)
{
	size_t i;

	for (i = 0; i < TLB_PAGES; i++)
		READ_ONCE(others[i * page_size]);
}

static void hammer(unsigned int me)
{
	uint64_t n = 0;

	sp_rng = (me + 1) * SP_PATTERN;
	while (!READ_ONCE(stop) && !sp_failures) {
		size_t page = sp_random_below(pages);

		if (n++ & 1)
			look(page);
		else
			sp_store(hunted_word(addr_of(page), sp_random_below(HUNTED)),
				 OWN | (n & 0xffffffff));
		if (!(n % 64))
			fill_tlb();
		if (!(n % 256))
			sched_yield();
	}
}

/* Map all of the hunted mapping again, with new frames. */
static void map_anew(void)
{
	size_t i;

	mmap(area, pages * page_size, PROT_READ | PROT_WRITE,
	     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	for (i = 0; i < pages; i++)
		WRITE_ONCE(*(uint64_t *)addr_of(i), OWN);
	sched_yield();
}

/* How the pages are taken away, and how they come back. */
enum take { TAKE_DONTNEED, TAKE_MUNMAP, TAKE_MAP_OVER, TAKE_MREMAP, TAKE_PAGEOUT, TAKES };

static const char * const take_name[] = {
	"madvise DONTNEED", "munmap", "map over", "mremap", "madvise PAGEOUT",
};

static enum take take;

/* The first thread changes what all others write to, until it is done. */
static void *change_or_hammer(void *arg, void (*change)(void))
{
	unsigned int me = (uintptr_t)arg;

	pthread_barrier_wait(&barrier);
	if (me) {
		hammer(me);
	} else {
		change();
		WRITE_ONCE(stop, true);
	}
	return NULL;
}

/* The first thread takes pages away and gives them to others. */
static void take_and_reuse(void)
{
	int prot = PROT_READ | PROT_WRITE, flags = MAP_PRIVATE | MAP_ANONYMOUS;
	size_t first, n, i, k;
	unsigned int round;
	char *a, *other;

	sp_rng = 4711;
	/* First fill the holes in which the kernel could place the new owner. */
	map_anew();
	other = sp_map_prot(pages * page_size, page_size, PROT_NONE, 0);
	for (round = 0; round < rounds && !sp_failures; round++) {
		map_anew();
		first = sp_random_below(pages);
		n = 1 + sp_random_below(pages - first);
		a = addr_of(first);
		switch (take) {
		case TAKE_DONTNEED:
			madvise(a, n * page_size, MADV_DONTNEED);
			break;
		case TAKE_MUNMAP:
			munmap(a, n * page_size);
			break;
		case TAKE_MAP_OVER:
			mmap(a, n * page_size, PROT_READ, flags | MAP_FIXED, -1, 0);
			break;
		case TAKE_MREMAP:
			/* The new owner is another address, where this thread overwrites all. */
			mremap(a, n * page_size, n * page_size, MREMAP_MAYMOVE | MREMAP_FIXED,
			       other);
			break;
		default:
			madvise(a, n * page_size, MADV_PAGEOUT);
			break;
		}

		/* The new owner gets base pages, because of MAP_NORESERVE in eager mode. */
		if (take != TAKE_MREMAP)
			mmap(other, n * page_size, prot,
			     flags | MAP_FIXED | MAP_POPULATE | MAP_NORESERVE, -1, 0);
		for (i = 0; i < n * HUNTED; i++)
			WRITE_ONCE(*hunted_word(other, i), POISON);
		for (k = 0; k < 3; k++) {
			for (i = 0; i < n * HUNTED && !sp_failures; i++)
				sp_expect(READ_ONCE(*hunted_word(other, i)) == POISON,
					  "round %u: page %zu of the new owner shows %#lx",
					  round, i / HUNTED,
					  (unsigned long)*hunted_word(other, i));
			sched_yield();
		}
		/* Now give the frames back, so that others may get them. */
		mmap(other, pages * page_size, PROT_NONE, flags | MAP_FIXED, -1, 0);
	}
	munmap(other, pages * page_size);
}

static void *hunt_thread(void *arg)
{
	return change_or_hammer(arg, take_and_reuse);
}

/* The same while all processors except the first go offline and come back, one by one. */
static void *plug_thread(void *arg)
{
	unsigned int me = (uintptr_t)arg, cpus = sysconf(_SC_NPROCESSORS_CONF), cpu;
	time_t end = time(NULL) + 60;
	static unsigned int *turns;
	static bool *leave;
	pid_t pid;

	pthread_barrier_wait(&barrier);
	if (me) {
		hammer(me);
		return NULL;
	}
	turns = sp_map_shared(page_size);
	leave = (bool *)(turns + 1);
	pid = sp_fork();
	for (cpu = 1; !pid && !READ_ONCE(*leave); cpu = cpu % (cpus - 1) + 1) {
		if (!sp_can_go_offline(cpu))
			continue;
		sp_set_online(cpu, false);
		usleep(1000);
		sp_set_online(cpu, true);
		WRITE_ONCE(*turns, *turns + 1);
	}
	if (!pid)
		sp_child_exit();
	/* Taking a processor offline takes longer than all rounds. */
	do {
		take_and_reuse();
	} while (READ_ONCE(*turns) < cpus && !sp_failures && time(NULL) < end);
	sp_expect(READ_ONCE(*turns) >= cpus, "processors have gone and come back %u times only",
		  READ_ONCE(*turns));
	WRITE_ONCE(stop, true);
	WRITE_ONCE(*leave, true);
	sp_wait(pid);
	munmap(turns, page_size);
	return NULL;
}

/*
 * Change one page after the other, so that superpages of all sizes come and go around it,
 * while the other threads use translations of all sizes.  A translation that outlives its
 * superpage shows the old page.
 */
static void change_single_pages(void)
{
	int prot = PROT_READ | PROT_WRITE, flags = MAP_PRIVATE | MAP_ANONYMOUS;
	char *a, *other = sp_map_prot(page_size, page_size, PROT_NONE, 0);
	size_t i;
	uint64_t seen[64];
	unsigned int round, k;
	bool moved;
	pid_t pid;

	sp_rng = 815;
	for (round = 0; round < rounds * 8 && !sp_failures; round++) {
		if (!(round % 8))
			map_anew();
		a = addr_of(sp_random_below(pages));
		moved = false;
		switch (sp_random_below(5)) {
		case 0:
			madvise(a, page_size, MADV_DONTNEED);
			break;
		case 1:
			madvise(a, page_size, MADV_PAGEOUT);
			break;
		case 2:
			/* The new owner of the frame is another address. */
			mremap(a, page_size, page_size, MREMAP_MAYMOVE | MREMAP_FIXED, other);
			mmap(a, page_size, prot, flags | MAP_FIXED, -1, 0);
			moved = true;
			break;
		case 3:
			/* Make the page read-only for a moment, in which it must not change. */
			mprotect(a, page_size, PROT_READ);
			memcpy(seen, a, sizeof(seen));
			sched_yield();
			sp_expect(!memcmp(seen, a, sizeof(seen)),
				  "round %u: page %zu has changed while it was read-only", round,
				  (a - area) / page_size);
			mprotect(a, page_size, prot);
			continue;
		default:
			/* The other threads must no longer write to frames that the child keeps. */
			pid = fork();
			if (!pid) {
				sp_failures = 0;
				memcpy(seen, a, sizeof(seen));
				for (k = 0; k < 5; k++) {
					sched_yield();
					sp_expect(!memcmp(seen, a, sizeof(seen)),
						  "round %u: page %zu of the child has changed",
						  round, (a - area) / page_size);
				}
				sp_child_exit();
			}
			WRITE_ONCE(*(uint64_t *)a, OWN);
			sp_wait(pid);
			continue;
		}
		/* The new owner gets a base page, perhaps with the same frame. */
		if (!moved)
			mmap(other, page_size, prot,
			     flags | MAP_FIXED | MAP_POPULATE | MAP_NORESERVE, -1, 0);
		for (i = 0; i < HUNTED; i++)
			WRITE_ONCE(*hunted_word(other, i), POISON);
		for (k = 0; k < 2; k++) {
			sched_yield();
			for (i = 0; i < HUNTED && !sp_failures; i++)
				sp_expect(READ_ONCE(*hunted_word(other, i)) == POISON,
					  "round %u: the new owner sees %#lx", round,
					  (unsigned long)*hunted_word(other, i));
		}
		mmap(other, page_size, PROT_NONE, flags | MAP_FIXED, -1, 0);
	}
	munmap(other, page_size);
}

static void *single_thread(void *arg)
{
	return change_or_hammer(arg, change_single_pages);
}

/* When mprotect() returns, a page is read-only for all processors. */
static void *protect_thread(void *arg)
{
	unsigned int me = (uintptr_t)arg, round;
	size_t i, first, n, at;

	pthread_barrier_wait(&barrier);
	if (me) {
		hammer(me);
		return NULL;
	}
	sp_rng = 42;
	for (round = 0; round < rounds && !sp_failures; round++) {
		uint64_t seen[64];
		int k;

		map_anew();
		first = sp_random_below(4) ? sp_random_below(pages) : 0;
		n = sp_random_below(4) ? 1 + sp_random_below(pages - first) : pages - first;
		mprotect(addr_of(first), n * page_size, PROT_READ);
		at = sp_random_below(page_size / 8 - 64) * 8;
		i = first + sp_random_below(n);
		memcpy(seen, addr_of(i) + at, sizeof(seen));
		for (k = 0; k < 20; k++) {
			sp_expect(!memcmp(seen, addr_of(i) + at, sizeof(seen)),
				  "round %u: page %zu has changed while it was read-only", round,
				  i);
			sched_yield();
		}
	}
	WRITE_ONCE(stop, true);
	return NULL;
}

/* A child has what there was at the time of fork(). */
static void *fork_thread(void *arg)
{
	unsigned int me = (uintptr_t)arg, round;
	size_t i;

	pthread_barrier_wait(&barrier);
	if (me) {
		hammer(me);
		return NULL;
	}
	for (round = 0; round < rounds / 4 + 1 && !sp_failures; round++) {
		pid_t pid;

		map_anew();
		pid = fork();
		if (!pid) {
			static char copy[64 * 256];
			size_t stride = pages > 64 ? pages / 64 : 1, k;

			sp_failures = 0;
			for (i = 0; i < pages; i += stride)
				memcpy(copy + i / stride % 64 * 256, addr_of(i), 256);
			for (k = 0; k < 10; k++) {
				for (i = 0; i < pages && i / stride < 64; i += stride)
					sp_expect(!memcmp(copy + i / stride * 256, addr_of(i), 256),
						  "round %u: page %zu of the child has changed",
						  round, i);
				sched_yield();
			}
			sp_child_exit();
		}
		sp_wait(pid);
	}
	WRITE_ONCE(stop, true);
	return NULL;
}

/*
 * Threads go on reading while one makes their pages old.  A translation that says that a
 * page was not accessed raises a fault, and the fault handler must purge it.
 */
static void *cold_thread(void *arg)
{
	static unsigned long reads[MAX_THREADS];
	unsigned int me = (uintptr_t)arg, round, t;
	size_t first;

	sp_rng = (me + 1) * SP_PATTERN;
	if (!me)
		memset(reads, 0, sizeof(reads));
	pthread_barrier_wait(&barrier);
	while (me && !READ_ONCE(stop)) {
		look(sp_random_below(pages));
		WRITE_ONCE(reads[me], reads[me] + 1);
	}
	for (round = 0; !me && round < rounds * 4 && !sp_failures; round++) {
		if (!(round % 16))
			map_anew();
		first = sp_random_below(4) ? 0 : sp_random_below(pages);
		madvise(addr_of(first), (pages - first) * page_size, MADV_COLD);
		if (round % 16 != 15)
			continue;
		for (t = 1; t < threads; t++) {
			unsigned long seen = READ_ONCE(reads[t]);
			time_t end = time(NULL) + 60;

			while (READ_ONCE(reads[t]) == seen && time(NULL) < end)
				sched_yield();
			sp_expect(READ_ONCE(reads[t]) != seen,
				  "round %u: thread %u reads no more", round, t);
		}
	}
	if (!me)
		WRITE_ONCE(stop, true);
	return NULL;
}

static void test_hunt(void *(*f)(void *), const char *what)
{
	size_t bytes = pages * page_size;
	struct sp_count before = sp_count_all(), after;

	area = sp_map(bytes, bytes);
	sp_permit(permit);
	run_threads(threads, f);
	sp_permit(0);
	munmap(area, bytes);
	after = sp_count_all();
	if (sp_tunable) {
		sp_expect(after.alloc - before.alloc >= rounds / 8,
			  "only %ld superpages were used", after.alloc - before.alloc);
		sp_check_accounts("in the end");
	}
	sp_result("order %u%s: stale translations after %s", order,
		  permit & (permit - 1) ? " and below" : "", what);
}

int main(int argc, char **argv)
{
	unsigned int chosen[2], orders = 0, i;
	uint64_t seed = 1;
	int opt;

	threads = sysconf(_SC_NPROCESSORS_ONLN);
	if (threads < MIN_THREADS)
		threads = MIN_THREADS;
	if (threads > MAX_THREADS)
		threads = MAX_THREADS;
	while ((opt = getopt(argc, argv, "t:n:o:s:")) != -1) {
		switch (opt) {
		case 't':
			threads = sp_number(optarg, MIN_THREADS, MAX_THREADS);
			break;
		case 'n':
			rounds = sp_number(optarg, 1, INT_MAX);
			break;
		case 'o':
			chosen[0] = sp_number(optarg, 2, 63);
			orders = 1;
			break;
		case 's':
			seed = sp_number(optarg, 0, LONG_MAX);
			break;
		default:
			fprintf(stderr,
				"superpage_smp [-t THREADS] [-n ROUNDS] [-o ORDER] [-s SEED]\n");
			return 2;
		}
	}
	sp_init(argv);
	others = sp_map_plain(TLB_PAGES * page_size);
	sp_catch_faults();
	sp_swap_on(64 << 20);
	sp_default_orders();
	for (i = 0; !orders && i < sp_orders; i++)
		if (sp_order[i] >= 2) {
			chosen[0] = sp_order[i];
			chosen[1] = sp_order[i + 1 < sp_orders ? i + 1 : i];
			orders = 2;
		}

	ksft_set_plan(orders * (6 + TAKES) + 3 + TAKES);
	for (i = 0; i < orders; i++) {
		order = chosen[i];
		permit = 1UL << order;
		pages = 1UL << order;
		test_touch();
		test_chaos(seed);
		for (take = 0; take < TAKES; take++)
			test_hunt(hunt_thread, take_name[take]);
		test_hunt(protect_thread, "mprotect");
		test_hunt(fork_thread, "fork");
		test_hunt(cold_thread, "madvise COLD");
		take = TAKE_MUNMAP;
		if (sp_can_go_offline(1))
			test_hunt(plug_thread, "munmap, while processors go and come");
		else
			ksft_test_result_skip("order %u: no processor can go offline\n", order);
	}

	/* Test a superpage that becomes smaller ones, of every possible size. */
	for (i = 0; i < sp_orders && (sp_order[i] <= 8 || sp_order[i] <= chosen[0]); i++)
		order = sp_order[i];
	permit = sp_all_orders() & ((2UL << order) - 1);
	pages = 1UL << order;
	test_hunt(single_thread, "changes of single pages");
	for (take = 0; take < TAKES; take++)
		test_hunt(hunt_thread, take_name[take]);
	test_hunt(protect_thread, "mprotect");
	test_hunt(fork_thread, "fork");
	ksft_finished();
}
