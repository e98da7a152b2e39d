// SPDX-License-Identifier: GPL-2.0
/*
 * walk MIB - read one word of every page of a populated mapping, as section 4.3.2 of the thesis
 * does
 */
#include "micro.h"

int main(int argc, char **argv)
{
	uint64_t mib = number(argc == 2 ? argv[1] : NULL, 1, 65536, "MIB"), wrong = 0;
	uint64_t size = mib * MIB, page = sysconf(_SC_PAGESIZE), step = page / sizeof(uint64_t), i;
	volatile uint64_t *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		die("mmap");
	if (mlock((void *)p, size))
		die("mlock");
	begin_region();
	for (i = 0; i < size / sizeof(*p); i += step)
		(void)p[i];
	end("walk", size / page);
	/* Each page has memory of its own. */
	for (i = 0; i < size / sizeof(*p); i += step)
		p[i] = i;
	for (i = 0; i < size / sizeof(*p); i += step)
		wrong += p[i] != i;
	printf("walk %llu MiB: %s\n", (unsigned long long)mib, wrong ? "wrong" : "right");
	return !!wrong;
}
