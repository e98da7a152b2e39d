// SPDX-License-Identifier: GPL-2.0
/*
 * chase HOW FROM TO LOADS [STEP] - make LOADS loads from an array of FROM KiB, then from one twice
 * as large, and so on up to TO KiB.  HOW says where the loads go:
 *
 *	stride	to every STEP bytes, again and again
 *	random	to random addresses, which do not depend on what was loaded
 *	chained	to random addresses, each of which depends on the word loaded before
 *	pointer	along a ring of pointers in random order, with one pointer every STEP bytes
 *
 * By default STEP is 128 bytes, a cache line of an Itanium 2.
 */
#include "micro.h"

#define USAGE	"stride|random|chained|pointer FROM TO LOADS [STEP]"

static uint64_t stride(const uint64_t *a, uint64_t n, uint64_t loads, uint64_t step)
{
	uint64_t sum = 0, at = 0;

	while (loads--) {
		sum += a[at];
		at += step;
		if (at >= n)
			at -= n;
	}
	return sum;
}

static uint64_t random_loads(const uint64_t *a, uint64_t n, uint64_t loads)
{
	uint64_t sum = 0, i;

	for (i = 0; i < loads; i++)
		sum += a[i * 0x9e3779b97f4a7c15ULL >> 20 & (n - 1)];
	return sum;
}

static uint64_t chained(const uint64_t *a, uint64_t n, uint64_t loads)
{
	uint64_t next = 0, i;

	for (i = 0; i < loads; i++)
		next = a[(i + next) * 0x9e3779b97f4a7c15ULL >> 20 & (n - 1)];
	return next;
}

/* Make the ring, in a random order by Sattolo's algorithm.  The second word of each step holds the
 * number of the next step meanwhile.
 */
static void make_ring(uint64_t *a, uint64_t n, uint64_t step)
{
	uint64_t count = n / step, i, j, swap;

	for (i = 0; i < count; i++)
		a[i * step + 1] = i;
	for (i = count - 1; i; i--) {
		j = draw(i);
		swap = a[i * step + 1];
		a[i * step + 1] = a[j * step + 1];
		a[j * step + 1] = swap;
	}
	for (i = 0; i < count; i++)
		a[i * step] = (uintptr_t)(a + a[i * step + 1] * step);
}

static uint64_t pointer(const uint64_t *a, uint64_t loads)
{
	const uint64_t *p = a;

	while (loads--)
		p = (const uint64_t *)(uintptr_t)*p;
	return p - a;
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "stride", "random", "chained", "pointer" };
	uint64_t from, to, loads, step, kib, sum;
	const char *how = argc > 1 ? argv[1] : "";
	unsigned int which;

	for (which = 0; which < 4 && strcmp(how, names[which]); which++)
		;
	if (which == 4 || argc > 6) {
		fputs("use: chase " USAGE "\n", stderr);
		return 2;
	}
	from = number(argc > 2 ? argv[2] : NULL, 1, 1 << 26, USAGE);
	to = number(argc > 3 ? argv[3] : NULL, from, 1 << 26, USAGE);
	loads = number(argc > 4 ? argv[4] : NULL, 1, UINT32_MAX, USAGE);
	step = argc > 5 ? number(argv[5], 16, from * KIB / 2, USAGE) : 128;
	if (from & (from - 1) || step & (step - 1)) {
		fputs("use: chase " USAGE ": FROM and STEP must be powers of two\n", stderr);
		return 2;
	}
	step /= sizeof(uint64_t);
	for (kib = from; kib <= to; kib *= 2) {
		uint64_t n = kib * KIB / sizeof(uint64_t), *a = allocate(kib * KIB), i;
		char name[40];

		for (i = 0; i < n; i++)
			a[i] = i * i;
		if (which == 3)
			make_ring(a, n, step);
		snprintf(name, sizeof(name), "%s.%llu", how, (unsigned long long)kib);
		begin();
		sum = which == 0 ? stride(a, n, loads, step) : which == 1 ?
		      random_loads(a, n, loads) : which == 2 ? chained(a, n, loads) :
		      pointer(a, loads);
		end(name, loads);
		printf("chase %s %llu KiB: %016llx\n", how, (unsigned long long)kib,
		       (unsigned long long)sum);
		free(a);
	}
	return 0;
}
