// SPDX-License-Identifier: GPL-2.0
/*
 * stream MIB ROUNDS - run the four kernels of the benchmark of that name, on three arrays of MIB
 * each.  The program reads or writes a byte in each operation.
 */
#include "micro.h"

int main(int argc, char **argv)
{
	uint64_t mib = number(argc == 3 ? argv[1] : NULL, 1, 65536, "MIB ROUNDS");
	uint64_t rounds = number(argv[2], 1, 1000, "MIB ROUNDS"), r, i, sum = 0;
	uint64_t n = mib * MIB / sizeof(double);
	double *a = allocate(mib * MIB), *b = allocate(mib * MIB), *c = allocate(mib * MIB);

	for (i = 0; i < n; i++) {
		a[i] = i % 1000;
		b[i] = c[i] = 0;
	}
	for (r = 0; r < rounds; r++) {
		begin();
		for (i = 0; i < n; i++)
			c[i] = a[i];
		end("copy", 16 * n);
		begin();
		for (i = 0; i < n; i++)
			b[i] = 0.25 * c[i];
		end("scale", 16 * n);
		begin();
		for (i = 0; i < n; i++)
			c[i] = a[i] + b[i];
		end("add", 24 * n);
		begin();
		for (i = 0; i < n; i++)
			a[i] = b[i] + 0.5 * c[i];
		end("triad", 24 * n);
	}
	for (i = 0; i < n; i++) {
		uint64_t bits;

		memcpy(&bits, &a[i], sizeof(bits));
		sum = mix(sum, bits ^ bits >> 32);
	}
	printf("stream %llu MiB, %llu rounds: %016llx\n", (unsigned long long)mib,
	       (unsigned long long)rounds, (unsigned long long)sum);
	free(a);
	free(b);
	free(c);
	return 0;
}
