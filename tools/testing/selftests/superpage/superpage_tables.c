// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel frees a page of the page table while other processors set the dirty bits of its
 * PTEs.
 *
 * Where the virtual page table is not mapped, as always with vhpt=none, their handlers find a
 * PTE by its physical address.  A purge does not wait for them.  When a handler is late, the page
 * of the page table must not have a new owner yet: the handler would take the owner's data for a
 * PTE, set the dirty bit in it, and insert it.  Here the new owner is a pipe, full of words that
 * could be PTEs of a page that nobody writes to.
 *
 * Few handlers are late at the right moment.  "ia64sim -strict turns" makes them so.
 */
#include <getopt.h>
#include <pthread.h>
#include <sched.h>

#include "superpage.h"

#define MAX_THREADS	16
#define PAGES		32UL	/* the TLB has room for them, and munmap() is quick */
#define PACKETS		4	/* packets of a pipe, each of which gets its own page */
#define GUARD		0x600dUL

/* A PTE that allows users to write, and is not dirty: asm/pgtable.h. */
#define PTE_P		0x1UL
#define PTE_A		0x20UL
#define PTE_PL_3	0x180UL
#define PTE_AR_RW	0x400UL
#define PTE_ED		0x10000000000000UL

static unsigned int rounds = 1000;
static unsigned int writers;
static char *area;			/* the only mapping in its page of the page table */
static char *alias;			/* the same memory at another address */
static uint64_t *guard;
static uint64_t fake[PAGES];
static int memory;

/* What the writers have to do: at 2 * round they read, at 2 * round + 1 they write. */
static uint64_t step;
static unsigned int done;		/* how many writers have done that */
static bool stop;

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

static void wait_for_writers(void)
{
	while (sp_acquire(&done) != writers)
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

static void test_round(unsigned int round)
{
	size_t first = sp_random_below(PAGES);
	unsigned int packet;
	int fd[2];

	/* Use a new pipe, since an old one would keep a page for itself. */
	sp_need(!pipe2(fd, O_DIRECT | O_CLOEXEC), "pipe2");
	sp_need(mmap(area, (PAGES + 1) * page_size, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_FIXED | MAP_POPULATE, memory, 0) == area, "mmap");
	sp_release(&step, 2UL * round);
	wait_for_writers();
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
	wait_for_writers();
	sp_need(packet == PACKETS, "write");
	look(fd[0], round);
	close(fd[0]);
	close(fd[1]);
}

/*
 * Find a range that has a page of the page table for itself.  It is in the middle of the range of
 * the next level's page: if a pipe gets that page, too, it writes nothing in the middle.
 */
static void find_area(void)
{
	size_t entries = page_size / 8, span = entries * page_size;

	area = (char *)(1UL << 61) + entries / 2 * span;
	sp_need(mmap(area - span, 3 * span, PROT_NONE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) ==
		area - span, "cannot map at %p", area - span);
	munmap(area, span);
}

int main(int argc, char **argv)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	pthread_t thread[MAX_THREADS];
	unsigned int i;
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
	writers = cpus - 1 < MAX_THREADS ? cpus - 1 : MAX_THREADS;

	memory = memfd_create("superpage_tables", MFD_CLOEXEC);
	sp_need(memory >= 0 && !ftruncate(memory, (PAGES + 1) * page_size), "memfd_create");
	alias = mmap(NULL, (PAGES + 1) * page_size, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_POPULATE, memory, 0);
	sp_need(alias != MAP_FAILED, "mmap");
	for (k = 0; k <= PAGES; k++)
		WRITE_ONCE(*word_of(alias, k), 0);
	guard = sp_map_plain(page_size);
	sp_need(!mlock(guard, page_size), "mlock");
	WRITE_ONCE(*guard, GUARD);
	for (k = 0; k < PAGES; k++)
		fake[k] = PTE_P | PTE_A | PTE_PL_3 | PTE_AR_RW | PTE_ED |
			  sp_frame_of(guard) * page_size;
	find_area();

	ksft_set_plan(1);
	for (i = 0; i < writers; i++)
		sp_need(!pthread_create(&thread[i], NULL, writer, (void *)(uintptr_t)(i + 1)),
			"cannot create thread %u", i);
	for (i = 1; i <= rounds && !sp_failures; i++)
		test_round(i);
	WRITE_ONCE(stop, true);
	for (i = 0; i < writers; i++)
		pthread_join(thread[i], NULL);
	sp_result("%u writers set dirty bits in page tables that are freed", writers);
	ksft_finished();
}
