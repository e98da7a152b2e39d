// SPDX-License-Identifier: GPL-2.0
/*
 * cg ROWS NONZEROS ITERATIONS - solve equations by conjugate gradients, as the NAS benchmark of
 * that name does.  The matrix is sparse and symmetric, with a random pattern, so that a product
 * with a vector reads from all over the vector.
 */
#include "micro.h"

#define USAGE	"ROWS NONZEROS ITERATIONS"

static uint64_t rows;
static uint64_t *begins;	/* where each row begins in the two arrays below */
static uint32_t *column;
static double *value;

/*
 * For each entry above the diagonal there is one below it: row i has an entry in each column that
 * it draws, and one for each row that has drawn i.  The diagonal is larger than the sum of its row,
 * so that the matrix is positive definite.
 */
static void make_matrix(uint64_t nonzeros)
{
	uint64_t pairs = rows * nonzeros / 2, i, *fill;
	uint32_t *one = allocate(pairs * sizeof(*one)), *other = allocate(pairs * sizeof(*other));

	begins = calloc(rows + 1, sizeof(*begins));
	fill = calloc(rows, sizeof(*fill));
	column = allocate((2 * pairs + rows) * sizeof(*column));
	value = allocate((2 * pairs + rows) * sizeof(*value));
	if (!begins || !fill)
		die("calloc");
	for (i = 0; i < pairs; i++) {
		one[i] = i % rows;
		other[i] = draw(rows);
		begins[one[i] + 1]++;
		begins[other[i] + 1]++;
	}
	for (i = 0; i < rows; i++)
		begins[i + 1] += begins[i] + 1;
	for (i = 0; i < rows; i++) {
		column[begins[i]] = i;
		value[begins[i]] = begins[i + 1] - begins[i] + 1;
		fill[i] = begins[i] + 1;
	}
	for (i = 0; i < pairs; i++) {
		double v = -1.0 / (1 + i % 7);

		column[fill[one[i]]] = other[i];
		value[fill[one[i]]++] = v;
		column[fill[other[i]]] = one[i];
		value[fill[other[i]]++] = v;
	}
	free(one);
	free(other);
	free(fill);
}

static void multiply(double *to, const double *from)
{
	for (uint64_t i = 0; i < rows; i++) {
		double sum = 0;

		for (uint64_t k = begins[i]; k < begins[i + 1]; k++)
			sum += value[k] * from[column[k]];
		to[i] = sum;
	}
}

static double dot(const double *a, const double *b)
{
	double sum = 0;

	for (uint64_t i = 0; i < rows; i++)
		sum += a[i] * b[i];
	return sum;
}

int main(int argc, char **argv)
{
	uint64_t nonzeros, iterations, n, i;
	double *x, *r, *p, *q, rho, sum = 0;

	rows = number(argc == 4 ? argv[1] : NULL, 16, UINT32_MAX, USAGE);
	nonzeros = number(argv[2], 2, 1000, USAGE);
	iterations = number(argv[3], 1, 100000, USAGE);
	make_matrix(nonzeros);
	x = allocate(4 * rows * sizeof(*x));
	r = x + rows;
	p = r + rows;
	q = p + rows;
	for (i = 0; i < rows; i++) {
		x[i] = 0;
		r[i] = p[i] = 1 + i % 3;
	}
	begin();
	rho = dot(r, r);
	for (n = 0; n < iterations; n++) {
		double alpha, old = rho;

		multiply(q, p);
		alpha = rho / dot(p, q);
		for (i = 0; i < rows; i++) {
			x[i] += alpha * p[i];
			r[i] -= alpha * q[i];
		}
		rho = dot(r, r);
		for (i = 0; i < rows; i++)
			p[i] = r[i] + rho / old * p[i];
	}
	end("iterations", iterations);
	for (i = 0; i < rows; i++)
		sum += x[i] * (1 + i % 5);
	printf("cg %llu rows, %llu entries, %llu iterations: sum %.13e, residual %.6e\n",
	       (unsigned long long)rows, (unsigned long long)begins[rows],
	       (unsigned long long)iterations, sum, rho);
	free(x);
	free(begins);
	free(column);
	free(value);
	return 0;
}
