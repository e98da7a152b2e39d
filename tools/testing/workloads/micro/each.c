// SPDX-License-Identifier: GPL-2.0
/*
 * each MIB - read one word of every page of a populated mapping, and time each of these loads, as
 * figures 4.2 and 4.3 of the thesis do
 *
 * What the miss of a page has to read depends on its address.  An entry of the long format has 32
 * bytes, so that four pages have their entries in one line of the cache.  The parts are:
 *
 *	each.table	pages that are the first of a leaf page table
 *	each.line.K	all other pages that have the K-th entry of a line, from 1 to 4
 *	each.hit	a word that has just been read: this is what the timing itself takes
 *	each.at.K	a single load, of the K-th of 64 successive pages in the middle
 *
 * For each MiB, two points tell the mean and the longest of its loads.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "micro.h"

enum { IN_LINE = 4, EXTRACT = 64 };

struct sum {
	uint64_t ops, cycles;
};

static void add(struct sum *sum, uint64_t taken)
{
	sum->ops++;
	sum->cycles += taken;
}

/*
 * Cycles until a word is loaded.  An instruction that uses the word waits for it.  cycles() would
 * load more words.  "measure" may look before, in or after the time of the load.
 */
static uint64_t time_load(const volatile uint64_t *p, uint64_t *sum)
{
	uint64_t looked = *looks, before = ticks(), word = *p, taken;

#ifdef __ia64__
	__asm__ volatile ("add %0 = 0, %0" : "+r"(word) : : "memory");
#endif
	taken = ticks() - before;
	looked = *looks - looked;
	*sum += word;
	return taken < looked ? taken : taken - looked;
}

static void print_points(uint64_t mib, const uint32_t *taken, uint64_t n)
{
	uint64_t sum = 0, most = 0;

	for (uint64_t i = 0; i < n; i++) {
		sum += taken[i];
		if (taken[i] > most)
			most = taken[i];
	}
	fprintf(stderr, "point mean x=%llu y=%llu\npoint longest x=%llu y=%llu\n",
		(unsigned long long)mib, (unsigned long long)((sum + n / 2) / n),
		(unsigned long long)mib, (unsigned long long)most);
}

int main(int argc, char **argv)
{
	uint64_t mib = number(argc == 2 ? argv[1] : NULL, 16, 65536, "MIB"), i, sum = 0;
	uint64_t size = mib * MIB, page = sysconf(_SC_PAGESIZE), n = size / page, leaf = page / 8;
	struct sum table = { 0 }, line[IN_LINE] = { 0 }, hit = { 0 };
	uint32_t *taken = allocate(n * sizeof(*taken));
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char name[40];

	if (p == MAP_FAILED)
		die("mmap");
	memset(taken, 0, n * sizeof(*taken));
	if (mlock(p, size))
		die("mlock");
	if (find_looks())
		die(MEASURE_LOOKS);
	for (i = 0; i < n; i++)
		taken[i] = time_load((uint64_t *)(p + i * page), &sum);
	for (i = 0; i < 1000; i++)
		add(&hit, time_load((uint64_t *)(p + (n - 1) * page), &sum));

	for (i = 0; i < n; i++) {
		uint64_t number = (uintptr_t)p / page + i;

		add(number % leaf ? &line[number % IN_LINE] : &table, taken[i]);
	}
	if (table.ops)
		print_part("each.table", table.ops, table.cycles);
	for (i = 0; i < IN_LINE; i++) {
		snprintf(name, sizeof(name), "each.line.%u", (unsigned int)i + 1);
		print_part(name, line[i].ops, line[i].cycles);
	}
	print_part("each.hit", hit.ops, hit.cycles);
	for (i = 0; i < mib; i++)
		print_points(i, &taken[n / mib * i], n / mib);
	/* Begin with a page that has the first entry of a line. */
	for (i = n / 2; ((uintptr_t)p / page + i) % EXTRACT; i--)
		;
	for (uint64_t k = 0; k < EXTRACT; k++) {
		snprintf(name, sizeof(name), "each.at.%u", (unsigned int)k);
		print_part(name, 1, taken[i + k]);
	}
	printf("each %llu MiB: %s\n", (unsigned long long)mib, sum ? "wrong" : "right");
	return !!sum;
}
