// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel frees pages of the page table while other processors use them.  No handler, and no
 * walker, may then take what the new owner of such a page has written there for PTEs.  Here the
 * new owner is a pipe, full of words that could be PTEs of a page that nobody else has mapped.
 *
 * In the first test other processors set the dirty bits of PTEs.  Where the virtual page table is
 * not mapped, as always with vhpt=none, their handlers find a PTE by its physical address.  A
 * purge does not wait for them.  A handler that is late would set the dirty bit in the owner's
 * data, and insert it.  Few handlers are late at the right moment.  "ia64sim -strict turns" makes
 * them so.
 *
 * In the second test other processors read a range while it is unmapped.  With vhpt=short the
 * walker and the handlers read PTEs in the virtual page table.  A miss puts a page of that into
 * the TLB even if the PTE has gone, and there it stays until munmap() purges it at the end.  So
 * the kernel must not free the pages of the page table before that.  With long and none the
 * handlers read all levels by physical address, and read them again after the insertion.
 */
#include <getopt.h>
#include <pthread.h>
#include <sched.h>
#include <linux/futex.h>

#include "superpage.h"

#define MAX_THREADS	16
#define PAGES		32UL	/* the TLB has room for them, and munmap() is quick */
#define PACKETS		4	/* packets of a pipe, each of which gets its own page */
#define GUARD		0x600dUL

/* A PTE that allows users to write: asm/pgtable.h. */
#define PTE_P		0x1UL
#define PTE_A		0x20UL
#define PTE_D		0x40UL
#define PTE_PL_3	0x180UL
#define PTE_AR_RW	0x400UL
#define PTE_ED		0x10000000000000UL

/*
 * The second test.  There are more tables than a processor keeps free pages for itself, so other
 * processors soon get the first ones.  The threads read only as many as the TLB can hold the VHPT
 * pages of.
 */
#define TABLES		384UL
#define SEEN_TABLES	64UL
#define SEEN_PACKETS	64	/* of the pipe */
#define LOOKS		8	/* a thread writes a packet for every so many looks */
#define SEEN_ROUNDS	100	/* one round for so many of the first test */

/* The larger this is, the fewer free pages a processor keeps for itself. */
#define PCP_FRACTION	"/proc/sys/vm/percpu_pagelist_high_fraction"

static unsigned int rounds = 1000;
static unsigned int threads;		/* besides this one */
static char *area;			/* the only mapping in its pages of the page table */
static char *alias;			/* the same memory at another address */
static uint64_t *guard;
static uint64_t fake[PAGES];
static int memory;

/*
 * What the other threads have to do.  Writers read at 2 * round, and write at 2 * round + 1.
 * Readers read from 2 * round until 2 * round + 1.
 */
static uint64_t step;
static unsigned int done;		/* how many threads have done that */
static bool stop;
static int reader_pipe[MAX_THREADS][2];

static uint64_t *word_of(char *base, size_t page)
{
	return (uint64_t *)(base + page * page_size);
}

static bool wait_for_step(uint64_t n)
{
	while (sp_acquire(&step) != n)
		if (READ_ONCE(stop))
			return false;
	return true;
}

static void wait_for_threads(void)
{
	while (sp_acquire(&done) != threads)
		;
	WRITE_ONCE(done, 0);
}

static void *writer(void *arg)
{
	uint64_t round;
	size_t i;

	sp_run_on((uintptr_t)arg);
	for (round = 1; wait_for_step(2 * round); round++) {
		/* Get translations that are not dirty. */
		for (i = 0; i < PAGES; i++)
			READ_ONCE(*word_of(area, i));
		__atomic_fetch_add(&done, 1, __ATOMIC_RELEASE);
		if (!wait_for_step(2 * round + 1))
			break;
		/* The main thread unmaps the range meanwhile. */
		for (i = 0; i < PAGES && sp_store(word_of(area, i), round); i++)
			;
		__atomic_fetch_add(&done, 1, __ATOMIC_RELEASE);
	}
	return NULL;
}

static void look(int fd, unsigned int round)
{
	uint64_t seen[PAGES];
	unsigned int packet;
	size_t i;

	for (packet = 0; packet < PACKETS; packet++) {
		sp_need(read(fd, seen, sizeof(seen)) == sizeof(seen), "read");
		for (i = 0; i < PAGES; i++)
			sp_expect(seen[i] == fake[i],
				  "round %u: word %zu of the pipe's page %u has become %#lx",
				  round, i, packet, (unsigned long)seen[i]);
	}
	sp_expect(READ_ONCE(*guard) == GUARD,
		  "round %u: %#lx was written through a range that is not mapped", round,
		  (unsigned long)*guard);
}

static void writers_round(unsigned int round)
{
	size_t first = sp_random_below(PAGES);
	unsigned int packet;
	int fd[2];

	/* Use a new pipe, since an old one would keep a page for itself. */
	sp_need(!pipe2(fd, O_DIRECT | O_CLOEXEC), "pipe2");
	sp_need(mmap(area, (PAGES + 1) * page_size, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_FIXED | MAP_POPULATE, memory, 0) == area, "mmap");
	sp_release(&step, 2UL * round);
	wait_for_threads();
	/* This purges the virtual page table, too, but not the translations of the others. */
	munmap(area + PAGES * page_size, page_size);
	sp_release(&step, 2UL * round + 1);
	/* Wait until the writers are at work. */
	while (READ_ONCE(*word_of(alias, first)) != round)
		;
	munmap(area, PAGES * page_size);
	/* A processor first allocates the page that it has freed last. */
	for (packet = 0; packet < PACKETS; packet++)
		if (write(fd[1], fake, sizeof(fake)) != sizeof(fake))
			break;
	wait_for_threads();
	sp_need(packet == PACKETS, "write");
	look(fd[0], round);
	close(fd[0]);
	close(fd[1]);
}

/*
 * Is anything mapped at @p?  The page fault of a load from where nothing is mapped would wait
 * for munmap(), since the stack might have to grow to there.  futex() does not wait.  It stores
 * what it has loaded.
 */
static bool is_there(uint64_t *p)
{
	static uint32_t other;

	if (!syscall(SYS_futex, &other, FUTEX_WAKE_OP | FUTEX_PRIVATE_FLAG, 0, 0, p,
		     FUTEX_OP(FUTEX_OP_OR, 0, FUTEX_OP_CMP_EQ, 0)))
		return true;
	sp_need(errno == EFAULT, "futex");
	return false;
}

/*
 * What munmap() has removed must not come back.  When nothing is mapped in the last table any
 * more, the kernel is about to free all of them: take pages from then on.
 */
static void look_at_range(unsigned int round, int fd)
{
	uint64_t *last = (uint64_t *)(area + (TABLES - 1) * sp_leaf_span()), *p, value;
	bool gone[SEEN_TABLES] = {}, freeing = false;
	unsigned int packets = 0, looks = 0;
	size_t i;

	while (sp_acquire(&step) == 2UL * round) {
		i = sp_random_below(SEEN_TABLES);
		p = (uint64_t *)(area + i * sp_leaf_span());
		if (!is_there(p))
			gone[i] = true;
		else if (gone[i])
			sp_expect(false, "round %u: table %zu: %#lx where nothing is", round, i,
				  sp_load(p, &value) ? (unsigned long)value : 0);
		if (!freeing) {
			freeing = !is_there(last);
		} else if (packets < SEEN_PACKETS && looks++ % LOOKS == 0) {
			sp_need(write(fd, fake, sizeof(fake)) == sizeof(fake), "write");
			packets++;
		}
	}
}

static void *reader(void *arg)
{
	uintptr_t n = (uintptr_t)arg;
	unsigned int round;

	sp_run_on(n);
	sp_rng = n + 1;
	for (round = 1; wait_for_step(2UL * round); round++) {
		__atomic_fetch_add(&done, 1, __ATOMIC_RELEASE);
		look_at_range(round, reader_pipe[n - 1][1]);
		__atomic_fetch_add(&done, 1, __ATOMIC_RELEASE);
	}
	return NULL;
}

static void readers_round(unsigned int round)
{
	size_t span = sp_leaf_span(), i;
	char *p;

	for (i = 0; i < threads; i++) {
		sp_need(!pipe2(reader_pipe[i], O_DIRECT | O_CLOEXEC), "pipe2");
		sp_need(fcntl(reader_pipe[i][1], F_SETPIPE_SZ, SEEN_PACKETS * page_size) > 0,
			"F_SETPIPE_SZ");
	}
	for (p = area; p < area + TABLES * span; p += span)
		sp_need(mmap(p, page_size, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_POPULATE, -1, 0) == p,
			"mmap");
	sp_release(&step, 2UL * round);
	wait_for_threads();
	munmap(area, TABLES * span);
	sp_release(&step, 2UL * round + 1);
	wait_for_threads();
	/* This processor gets the pages of the pipes, and makes page tables of them. */
	for (i = 0; i < threads; i++) {
		close(reader_pipe[i][0]);
		close(reader_pipe[i][1]);
	}
}

/*
 * Find a range that has @tables pages of the page table for itself.  It is in the middle of the
 * range of the next level's page: if a pipe gets that page, too, it writes nothing in the middle.
 */
static void find_area(size_t tables)
{
	size_t entries = page_size / 8, span = sp_leaf_span(), len = (tables + 2) * span;
	char *p = (char *)(1UL << 61) + (entries - tables) / 2 * span;

	sp_need(mmap(p - span, len, PROT_NONE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) ==
		p - span, "cannot map at %p", p - span);
	munmap(p, tables * span);
	area = p;
}

/* Run @n rounds with a thread on each of the other processors. */
static void with_threads(void *(*thread)(void *), void (*test_round)(unsigned int),
			 unsigned int n)
{
	pthread_t id[MAX_THREADS];
	unsigned int i;

	step = 0;
	done = 0;
	stop = false;
	for (i = 0; i < threads; i++)
		sp_need(!pthread_create(&id[i], NULL, thread, (void *)(uintptr_t)(i + 1)),
			"cannot create thread %u", i);
	for (i = 1; i <= n && !sp_failures; i++)
		test_round(i);
	WRITE_ONCE(stop, true);
	for (i = 0; i < threads; i++)
		pthread_join(id[i], NULL);
}

static void test_writers(void)
{
	size_t k;

	memory = memfd_create("superpage_tables", MFD_CLOEXEC);
	sp_need(memory >= 0 && !ftruncate(memory, (PAGES + 1) * page_size), "memfd_create");
	alias = mmap(NULL, (PAGES + 1) * page_size, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_POPULATE, memory, 0);
	sp_need(alias != MAP_FAILED, "mmap");
	for (k = 0; k <= PAGES; k++)
		WRITE_ONCE(*word_of(alias, k), 0);
	with_threads(writer, writers_round, rounds);
	sp_result("%u writers set dirty bits in page tables that are freed", threads);
}

static unsigned long old_fraction;

static void restore_fraction(void)
{
	sp_write_number(PCP_FRACTION, old_fraction);
}

static void test_readers(void)
{
	size_t span = sp_leaf_span(), i;

	old_fraction = sp_get(PCP_FRACTION);
	atexit(restore_fraction);
	sp_write_number(PCP_FRACTION, INT_MAX);
	munmap(area - span, 3 * span);
	WRITE_ONCE(*guard, GUARD);
	for (i = 0; i < PAGES; i++)
		fake[i] |= PTE_D;
	find_area(TABLES);
	with_threads(reader, readers_round, 1 + rounds / SEEN_ROUNDS);
	sp_result("%u readers look through page tables that are freed", threads);
}

int main(int argc, char **argv)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	size_t k;
	int opt;

	while ((opt = getopt(argc, argv, "n:")) != -1) {
		if (opt != 'n') {
			fprintf(stderr, "superpage_tables [-n ROUNDS]\n");
			return 2;
		}
		rounds = sp_number(optarg, 1, INT_MAX);
	}
	sp_init(argv);
	if (cpus < 2)
		ksft_exit_skip("there is one processor only\n");
	if (geteuid())
		ksft_exit_skip("only root sees page frames\n");
	sp_catch_faults();
	sp_run_on(0);
	threads = cpus - 1 < MAX_THREADS ? cpus - 1 : MAX_THREADS;

	guard = sp_map_plain(page_size);
	sp_need(!mlock(guard, page_size), "mlock");
	WRITE_ONCE(*guard, GUARD);
	for (k = 0; k < PAGES; k++)
		fake[k] = PTE_P | PTE_A | PTE_PL_3 | PTE_AR_RW | PTE_ED |
			  sp_frame_of(guard) * page_size;
	find_area(1);

	ksft_set_plan(2);
	test_writers();
	test_readers();
	ksft_finished();
}
