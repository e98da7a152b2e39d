// SPDX-License-Identifier: GPL-2.0
/*
 * sp SIDE ITERATIONS - make implicit steps of diffusion on a cube of SIDE^3 points with five
 * unknowns each, as the NAS benchmark of that name does.  A step solves scalar equations with five
 * diagonals along rows, then columns, then pillars.  Each unknown has an array of its own.
 */
#include "micro.h"

#define MAX_SIDE	2048

enum { UNKNOWNS = 5 };

/*
 * Solve the equations for @n unknowns, which are @step apart, by Gaussian elimination.  The matrix
 * has 6 in the diagonal, -1 beside it, and -0.5 beside that.
 */
static void solve(double *u, uint64_t n, uint64_t step)
{
	static double diagonal[MAX_SIDE], above[MAX_SIDE];
	const double far = -0.5;

	for (uint64_t i = 0; i < n; i++) {
		double below = -1;

		diagonal[i] = 6;
		above[i] = -1;
		if (i >= 2) {
			double factor = far / diagonal[i - 2];

			below -= factor * above[i - 2];
			diagonal[i] -= factor * far;
			u[i * step] -= factor * u[(i - 2) * step];
		}
		if (i >= 1) {
			double factor = below / diagonal[i - 1];

			diagonal[i] -= factor * above[i - 1];
			above[i] -= factor * far;
			u[i * step] -= factor * u[(i - 1) * step];
		}
	}
	for (uint64_t i = n; i--;) {
		double sum = u[i * step];

		if (i + 1 < n)
			sum -= above[i] * u[(i + 1) * step];
		if (i + 2 < n)
			sum -= far * u[(i + 2) * step];
		u[i * step] = sum / diagonal[i];
	}
}

int main(int argc, char **argv)
{
	uint64_t side = number(argc == 3 ? argv[1] : NULL, 4, MAX_SIDE, "SIDE ITERATIONS");
	uint64_t iterations = number(argv[2], 1, 10000, "SIDE ITERATIONS");
	uint64_t plane = side * side, points = plane * side, n, i, k;
	double *u[UNKNOWNS], sum = 0;

	for (int m = 0; m < UNKNOWNS; m++) {
		u[m] = allocate(points * sizeof(**u));
		for (i = 0; i < points; i++)
			u[m][i] = (i * (m + 3)) % 17 / 17.0;
	}
	begin();
	for (n = 0; n < iterations; n++)
		for (int m = 0; m < UNKNOWNS; m++) {
			for (i = 0; i < plane; i++)
				solve(u[m] + i * side, side, 1);
			for (i = 0; i < side; i++)
				for (k = 0; k < side; k++)
					solve(u[m] + i * plane + k, side, side);
			for (i = 0; i < plane; i++)
				solve(u[m] + i, side, plane);
			/* Without a source everything would become 0. */
			for (i = 0; i < points; i++)
				u[m][i] += 1 + 0.001 * u[(m + 1) % UNKNOWNS][i];
		}
	end("iterations", iterations);
	for (int m = 0; m < UNKNOWNS; m++) {
		for (i = 0; i < points; i++)
			sum += u[m][i] * (m + 1);
		free(u[m]);
	}
	printf("sp %llu^3, %llu iterations: %.13e\n", (unsigned long long)side,
	       (unsigned long long)iterations, sum);
	return 0;
}
