// SPDX-License-Identifier: GPL-2.0
/*
 * matrix row|col TO - transpose square matrices of 64-bit numbers, of 250 rows, then of twice as
 * many, and so on up to TO rows, as section 6.2.1 of the thesis does.  The matrix is read by rows
 * or by columns.  With such numbers a column is spread over all sets of the caches; with powers
 * of two it would fall into a few of them.
 */
#include "micro.h"

#define USAGE	"row|col TO"

enum { FROM = 250 };

static void by_rows(uint64_t *to, const uint64_t *from, uint64_t dim)
{
	for (uint64_t i = 0; i < dim; i++)
		for (uint64_t k = 0; k < dim; k++)
			to[k * dim + i] = from[i * dim + k];
}

static void by_columns(uint64_t *to, const uint64_t *from, uint64_t dim)
{
	for (uint64_t k = 0; k < dim; k++)
		for (uint64_t i = 0; i < dim; i++)
			to[k * dim + i] = from[i * dim + k];
}

static uint64_t transpose(int by_row, const char *order, uint64_t dim)
{
	uint64_t n = dim * dim, wrong = 0, i, k;
	uint64_t *from = allocate(n * sizeof(*from)), *to = allocate(n * sizeof(*to));
	char name[40];

	for (i = 0; i < n; i++) {
		from[i] = i;
		to[i] = n;
	}
	snprintf(name, sizeof(name), "%s.%llu", order, (unsigned long long)dim);
	begin_region();
	(by_row ? by_rows : by_columns)(to, from, dim);
	end(name, n);
	for (k = 0; k < dim; k++)
		for (i = 0; i < dim; i++)
			wrong += to[k * dim + i] != i * dim + k;
	printf("matrix %s %llu: %llu are wrong\n", order, (unsigned long long)dim,
	       (unsigned long long)wrong);
	free(from);
	free(to);
	return wrong;
}

int main(int argc, char **argv)
{
	const char *order = argc == 3 ? argv[1] : "";
	int by_row = !strcmp(order, "row");
	uint64_t to, dim, wrong = 0;

	if (!by_row && strcmp(order, "col")) {
		fputs("use: matrix " USAGE "\n", stderr);
		return 2;
	}
	to = number(argv[2], FROM, 65536, USAGE);
	for (dim = FROM; dim <= to; dim *= 2)
		wrong += transpose(by_row, order, dim);
	return !!wrong;
}
