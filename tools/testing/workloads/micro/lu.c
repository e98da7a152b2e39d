// SPDX-License-Identifier: GPL-2.0
/*
 * lu SIDE ITERATIONS - symmetric successive over-relaxation on a cube of SIDE^3 points with five
 * unknowns each, as in the NAS benchmark of that name.  An iteration sweeps from the first point
 * to the last and back.  It uses the new values of the three neighbours that it has passed.
 */
#include "micro.h"

enum { UNKNOWNS = 5 };

static const double coupling[UNKNOWNS][UNKNOWNS] = {
	{ 0.30, 0.02, 0.01, 0.03, 0.01 },
	{ 0.01, 0.28, 0.03, 0.01, 0.02 },
	{ 0.02, 0.01, 0.31, 0.02, 0.01 },
	{ 0.03, 0.02, 0.01, 0.29, 0.02 },
	{ 0.01, 0.03, 0.02, 0.01, 0.30 },
};

static uint64_t side;
static double (*u)[UNKNOWNS], (*right)[UNKNOWNS];

/* Compute the point @at anew, from its neighbours in the three directions. */
static void relax(uint64_t at, long direction)
{
	const double omega = 1.2;
	long steps[] = { 1, side, side * side };
	double sum[UNKNOWNS];

	for (int m = 0; m < UNKNOWNS; m++)
		sum[m] = right[at][m];
	for (int s = 0; s < 3; s++)
		for (int m = 0; m < UNKNOWNS; m++)
			for (int k = 0; k < UNKNOWNS; k++)
				sum[m] += coupling[m][k] * (u[at - direction * steps[s]][k] +
							    0.5 * u[at + direction * steps[s]][k]);
	for (int m = 0; m < UNKNOWNS; m++)
		u[at][m] += omega * (sum[m] / (2 + 0.1 * m) - u[at][m]);
}

int main(int argc, char **argv)
{
	uint64_t iterations, n, x, y, z, i;
	double sum = 0;

	side = number(argc == 3 ? argv[1] : NULL, 4, 2048, "SIDE ITERATIONS");
	iterations = number(argv[2], 1, 10000, "SIDE ITERATIONS");
	u = calloc(side * side * side, sizeof(*u));
	right = calloc(side * side * side, sizeof(*right));
	if (!u || !right)
		die("calloc");
	for (i = 0; i < side * side * side; i++)
		for (int m = 0; m < UNKNOWNS; m++)
			right[i][m] = (i + m) % 11 / 11.0;
	begin();
	for (n = 0; n < iterations; n++) {
		/* The points on the sides stay 0. */
		for (z = 1; z < side - 1; z++)
			for (y = 1; y < side - 1; y++)
				for (x = 1; x < side - 1; x++)
					relax((z * side + y) * side + x, 1);
		for (z = side - 2; z; z--)
			for (y = side - 2; y; y--)
				for (x = side - 2; x; x--)
					relax((z * side + y) * side + x, -1);
	}
	end("iterations", iterations);
	for (i = 0; i < side * side * side; i++)
		for (int m = 0; m < UNKNOWNS; m++)
			sum += u[i][m] * (1 + m);
	printf("lu %llu^3, %llu iterations: %.13e\n", (unsigned long long)side,
	       (unsigned long long)iterations, sum);
	free(u);
	free(right);
	return 0;
}
