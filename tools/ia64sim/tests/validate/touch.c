// SPDX-License-Identifier: GPL-2.0
/*
 * touch - for validate.py --kernel: the thesis's two extremes, PASSES times.
 *
 * SPARSE: a byte of each of 512 pages of 16 KiB at a stride of 32 MiB + 16 KiB is written, as
 * in its figure 4.1.  Otherwise a byte of each page of 1 GiB of locked memory is read.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 16384, AREAS = 512, GIB = 1 << 30 };

static char *map(void *where, size_t size)
{
	char *p = mmap(where, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || (where && p != where)) {
		perror("touch: mmap");
		exit(1);
	}
	return p;
}

int main(void)
{
#ifdef SPARSE
	static char *area[AREAS];

	for (size_t i = 0; i < AREAS; i++)
		area[i] = map((void *)((i + 1) * ((32UL << 20) + PAGE)), PAGE);
	for (unsigned int n = 0; n < PASSES; n++)
		for (unsigned int i = 0; i < AREAS; i++)
			*(volatile char *)area[i] = 'a';
#else
	volatile const char *p = map(NULL, GIB);
	unsigned int sum = 0;

	if (mlock((const void *)p, GIB)) {
		perror("touch: mlock");
		return 1;
	}
	for (unsigned int n = 0; n < PASSES; n++)
		for (size_t at = 0; at < GIB; at += PAGE)
			sum += p[at];
	if (sum)
		return 1;
#endif
	return 0;
}
