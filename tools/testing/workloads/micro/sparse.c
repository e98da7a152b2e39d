// SPDX-License-Identifier: GPL-2.0
/*
 * sparse LOOPS - write to 512 pages LOOPS times, as figure 4.1 of the thesis does.  No two of them
 * are in one leaf page table, nor in the same entry of one.  The parts are:
 *
 *	sparse.LOOPS	the first time, in which the pages are allocated
 *	again		all other times
 */
#include "micro.h"

enum { AREAS = 512 };

int main(int argc, char **argv)
{
	uint64_t loops = number(argc == 2 ? argv[1] : NULL, 2, UINT32_MAX, "LOOPS"), wrong = 0, n, i;
	uint64_t page = sysconf(_SC_PAGESIZE), leaf = page / 8 * page;
	volatile uint64_t *area[AREAS];
	char name[40];

	for (i = 0; i < AREAS; i++) {
		area[i] = mmap((void *)((leaf + page) * i), page, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (area[i] == MAP_FAILED)
			die("mmap");
	}
	snprintf(name, sizeof(name), "sparse.%llu", (unsigned long long)loops);
	begin();
	for (i = 0; i < AREAS; i++)
		*area[i] = i;
	end(name, AREAS);
	begin_region();
	for (n = 1; n < loops; n++)
		for (i = 0; i < AREAS; i++)
			*area[i] = i + n;
	end("again", (loops - 1) * AREAS);
	for (i = 0; i < AREAS; i++)
		wrong += *area[i] != i + loops - 1;
	printf("sparse %llu loops: %s\n", (unsigned long long)loops, wrong ? "wrong" : "right");
	return !!wrong;
}
