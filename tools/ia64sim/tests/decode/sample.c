// SPDX-License-Identifier: GPL-2.0
/*
 * Something to compile, for the comparison of disassemblers: loops that a compiler
 * pipelines, calls, floating point, atomic operations, bit fields.
 */
struct bits {
	unsigned int a : 5, b : 11, c : 16;
	long d : 40;
};

extern int external(int (*f)(int), long double *x);

static int even(int n)
{
	return (n & 1) == 0;
}

double dot(const double *a, const double *b, int n);
double dot(const double *a, const double *b, int n)
{
	double sum = 0;
	int i;

	for (i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum / n;
}

float root(float x);
float root(float x)
{
	return __builtin_sqrtf(x) - 1.0f / x;
}

long mixed(struct bits *p, unsigned char *s, long *counter, long n);
long mixed(struct bits *p, unsigned char *s, long *counter, long n)
{
	long double x = n;
	long i, sum = 0;

	p->b = p->a + 3;
	p->d = -n;
	for (i = 0; i < n; i++)
		if (s[i] >= '0' && s[i] <= '9')
			sum = sum * 10 + s[i] - '0';
		else
			sum ^= __builtin_popcountl(s[i] * n) << (i & 7);
	__sync_fetch_and_add(counter, 8);
	__sync_bool_compare_and_swap(counter, sum, n);
	switch (sum % 7) {
	case 0:
		return external(even, &x);
	case 1:
		return 0x123456789abcdef0;
	case 2:
		return n / 3;
	case 5:
		return (short)n;
	}
	return (long)x + p->d;
}
