// SPDX-License-Identifier: GPL-2.0
/*
 * Division and square root as programs do them: an approximation by frcpa or
 * frsqrta, then iterations with status field 1 (widest exponents, no traps), the
 * last step in status field 0.  The sequences are the architecture's published
 * ones, as compilers use them; their proofs assume exactly the tables and the
 * roundings of the manual.  Results and flags are the host's own: SSE for single
 * and double, x87 for double-extended.
 *
 * usage: fp_divide [cases]
 */
#include <math.h>
#include <x86intrin.h>

#include "fp_test.h"

/* sf1: widest range exponent, 64 bits, traps disabled; sf0: 64 bits, rc. */
#define FPSR_SF1	((u64)(0x40 | 0x0c | 0x02) << 19)
#define FPSR_SF0(rc)	((u64)(0x0c | (rc) << 4) << 6)

static u64 fpsr;
static u8 flags0;	/* raised in sf0 */

static struct fpreg ma(unsigned int sf, unsigned int pc, struct fpreg a, struct fpreg b,
		       struct fpreg c, unsigned int op)
{
	struct fp_control ctl = fp_resolve(fpsr, sf, pc);
	struct fp_outcome out;
	struct fpreg r = fp_ma(a, b, c, op, &ctl, &out);

	if (sf == 0)
		flags0 |= out.flags;
	return r;
}

#define ZERO		make(0, false, 0)
#define ONE		make(1ULL << 63, false, 0xffff)
#define HALF		make(1ULL << 63, false, 0xfffe)

static struct fpreg fma_(struct fpreg a, struct fpreg b, struct fpreg c)
{
	return ma(1, PC_SF, a, b, c, 0);
}

static struct fpreg fnma(struct fpreg a, struct fpreg b, struct fpreg c)
{
	return ma(1, PC_SF, a, b, c, MA_NEGATE_PRODUCT);
}

static struct fpreg mul_(unsigned int pc, struct fpreg a, struct fpreg b)
{
	return ma(1, pc, a, b, ZERO, MA_NO_ADDEND);
}

static struct fpreg fmpy(struct fpreg a, struct fpreg b)
{
	return mul_(PC_SF, a, b);
}

static struct fpreg rcpa(unsigned int sf, struct fpreg a, struct fpreg b, bool *p)
{
	struct fp_control ctl = fp_resolve(fpsr, sf, PC_SF);
	struct fp_outcome out;
	struct fpreg r = fp_rcpa(a, b, &ctl, p, &out);

	if (sf == 0)
		flags0 |= out.flags;
	return r;
}

static struct fpreg rsqrta(struct fpreg a, bool *p)
{
	struct fp_control ctl = fp_resolve(fpsr, 0, PC_SF);
	struct fp_outcome out;
	struct fpreg r = fp_rsqrta(a, &ctl, p, &out);

	flags0 |= out.flags;
	return r;
}

static struct fpreg divide_single(struct fpreg a, struct fpreg b)
{
	struct fpreg y, e, y1, y2, q, r;
	bool p;

	y = rcpa(0, a, b, &p);
	if (!p)
		return y;
	e = fnma(b, y, ONE);
	y1 = fma_(y, e, y);
	y2 = fma_(y1, e, y);
	q = mul_(PC_S, a, y2);
	r = fnma(q, b, a);
	return ma(0, PC_S, r, y2, q, 0);
}

static struct fpreg divide_double(struct fpreg a, struct fpreg b)
{
	struct fpreg y, e, y1, e1, y2, e2, y3, q, r;
	bool p;

	y = rcpa(0, a, b, &p);
	if (!p)
		return y;
	e = fnma(b, y, ONE);
	y1 = fma_(y, e, y);
	e1 = fmpy(e, e);
	y2 = fma_(y1, e1, y1);
	e2 = fmpy(e1, e1);
	y3 = fma_(y2, e2, y2);
	q = mul_(PC_D, a, y3);
	r = fnma(b, q, a);
	return ma(0, PC_D, r, y3, q, 0);
}

static struct fpreg divide_extended(struct fpreg a, struct fpreg b)
{
	struct fpreg y, e, q, e2, e1, y1, e3, y2, r, e4, q1, y3, r1;
	bool p;

	y = rcpa(0, a, b, &p);
	if (!p)
		return y;
	e = fnma(b, y, ONE);
	q = fmpy(a, y);
	e2 = fma_(e, e, e);
	e1 = fmpy(e, e);
	y1 = fma_(y, e2, y);
	e3 = fma_(e1, e1, e);
	y2 = fma_(y1, e3, y);
	r = fnma(b, q, a);
	e4 = fnma(b, y2, ONE);
	q1 = fma_(r, y2, q);
	y3 = fma_(y2, e4, y2);
	r1 = fnma(b, q1, a);
	return ma(0, PC_SF, r1, y3, q1, 0);
}

static struct fpreg root_single(struct fpreg b)
{
	struct fpreg y, g, e, s, f, y1, g1, h, d;
	bool p;

	y = rsqrta(b, &p);
	if (!p)
		return y;
	g = fmpy(b, y);
	e = fnma(g, y, ONE);
	s = fma_(make(3ULL << 62, false, 0xffff - 2), e, HALF);	/* 0.375 e + 0.5 */
	f = fmpy(y, e);
	y1 = fma_(f, s, y);
	g1 = mul_(PC_S, b, y1);
	h = fmpy(HALF, y1);
	d = fnma(g1, g1, b);
	return ma(0, PC_S, d, h, g1, 0);
}

static struct fpreg root_double(struct fpreg b)
{
	struct fpreg y, g, h, r, g1, h1, r1, g2, h2, d, g3, d1;
	bool p;

	y = rsqrta(b, &p);
	if (!p)
		return y;
	g = fmpy(b, y);
	h = fmpy(HALF, y);
	r = fnma(g, h, HALF);
	g1 = fma_(g, r, g);
	h1 = fma_(h, r, h);
	r1 = fnma(g1, h1, HALF);
	g2 = fma_(g1, r1, g1);
	h2 = fma_(h1, r1, h1);
	d = fnma(g2, g2, b);
	g3 = fma_(d, h2, g2);
	d1 = fnma(g3, g3, b);
	return ma(0, PC_D, d1, h2, g3, 0);
}

static struct fpreg root_extended(struct fpreg b)
{
	struct fpreg y, g, h, e, g1, h1, e1, g2, h2, d, e2, g3, h3, d1;
	bool p;

	y = rsqrta(b, &p);
	if (!p)
		return y;
	g = fmpy(b, y);
	h = fmpy(HALF, y);
	e = fnma(g, h, HALF);
	g1 = fma_(g, e, g);
	h1 = fma_(h, e, h);
	e1 = fnma(g1, h1, HALF);
	g2 = fma_(g1, e1, g1);
	h2 = fma_(h1, e1, h1);
	d = fnma(g2, g2, b);
	e2 = fnma(g2, h2, HALF);
	g3 = fma_(d, h2, g2);
	h3 = fma_(e2, h2, h2);
	d1 = fnma(g3, g3, b);
	return ma(0, PC_SF, d1, h3, g3, 0);
}

/* 64-bit integer division, as run-time libraries have it. */
static u64 divide_integers(u64 n, u64 m, bool is_signed)
{
	struct fp_control ctl = fp_resolve(fpsr, 1, PC_SF);
	struct fp_outcome out;
	struct fpreg a, b, y, q, e, q1, e1, q2, y1, y2, r;
	bool p;

	if (is_signed) {
		a = fp_from_integer(n);
		b = fp_from_integer(m);
	} else {
		a = fma_(make(n, false, 0x1003e), ONE, ZERO);
		b = fma_(make(m, false, 0x1003e), ONE, ZERO);
	}
	y = rcpa(1, a, b, &p);
	q = y;
	if (p) {
		q = fmpy(a, y);
		e = fnma(b, y, ONE);
		q1 = fma_(q, e, q);
		e1 = fmpy(e, e);
		q2 = fma_(q1, e1, q1);
		y1 = fma_(y, e, y);
		y2 = fma_(y1, e1, y1);
		r = fnma(b, q2, a);
		q = fma_(r, y2, q2);
	}
	return fp_to_integer(q, FCVT_TRUNC | (is_signed ? 0 : FCVT_U), 64, &ctl, &out);
}

/* What the host says: result, and flags in our order, which is MXCSR's. */

static unsigned int host_flags;

static void host_begin(unsigned int rc)
{
	_mm_setcsr(0x1f80 | rc << 13);
}

static void host_end(void)
{
	host_flags = _mm_getcsr() & 0x3f;
	_mm_setcsr(0x1f80);
}

__attribute__((noinline)) static float host_div_single(float a, float b)
{
	return a / b;
}

__attribute__((noinline)) static double host_div_double(double a, double b)
{
	return a / b;
}

__attribute__((noinline)) static float host_root_single(float a)
{
	return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(a)));
}

__attribute__((noinline)) static double host_root_double(double a)
{
	return _mm_cvtsd_f64(_mm_sqrt_sd(_mm_set_sd(a), _mm_set_sd(a)));
}

static long double host_x87(long double a, long double b, bool root, unsigned int rc)
{
	unsigned short saved, cw = 0x37f | rc << 10, status;
	long double r;

	__asm__ volatile("fnstcw %0" : "=m"(saved));
	__asm__ volatile("fldcw %0" : : "m"(cw));
	if (root)
		__asm__ volatile("fnclex; fsqrt; fnstsw %1" : "=t"(r), "=a"(status) : "0"(a));
	else
		__asm__ volatile("fnclex; fdiv %%st(1), %%st; fnstsw %1"
				 : "=t"(r), "=a"(status) : "0"(a), "u"(b));
	__asm__ volatile("fnclex; fldcw %0" : : "m"(saved));
	host_flags = status & 0x3f;
	return r;
}

/* Bits of a number in an IEEE format with @frac fraction and @exp exponent bits. */
static u64 corner_number(unsigned int frac, unsigned int exp)
{
	u64 sign = (u64)one_in(2) << (frac + exp), f = corner64() >> (64 - frac);
	u32 top = (1U << exp) - 1, bias = top >> 1;

	switch (below(10)) {
	case 0:
		return sign | f;
	case 1:
		return sign | (u64)below(4) << frac | f;
	case 2:
		return sign | (u64)(top - below(4)) << frac | f;
	case 3:
		return sign | (u64)below(top + 1) << frac | f;
	case 4:
		return sign | (u64)bias << frac | f;
	case 5:
		return sign | (u64)below(top + 1) << frac;
	default:
		return sign | (u64)(bias + below(2 * frac) - frac) << frac | f;
	}
}

static long double corner_extended(void)
{
	u64 sig = corner_sig();
	u16 se = corner_number(1, 15) >> 1;
	long double x;

	if (one_in(16))
		sig = one_in(2) ? 1ULL << 63 : 3ULL << 62;
	if (!(se & 0x7fff))
		sig &= ~(1ULL << 63);
	memset(&x, 0, sizeof(x));
	memcpy(&x, &sig, 8);
	memcpy((char *)&x + 8, &se, 2);
	return x;
}

static void show_result(const char *what, u64 a, u64 b, unsigned int rc, u64 got, u64 want)
{
	printf("\n%s %llx %llx rc %u: got %llx %02x, want %llx %02x\n", what,
	       (unsigned long long)a, (unsigned long long)b, rc, (unsigned long long)got, flags0,
	       (unsigned long long)want, host_flags);
}

static void start(unsigned int rc)
{
	fpsr = FPSR_SF0(rc) | FPSR_SF1 | 0x3f;
	flags0 = 0;
}

/* For either format of SSE: its type, a word for it, bits of fraction and exponent. */
#define TEST_FORMAT(format, host, word, frac, exp)			\
static void test_##format(unsigned long cases)				\
{									\
	const word quiet = MASK((exp) + 1) << ((frac) - 1);		\
	unsigned long before = failed;					\
									\
	begin("division and square root, " #format);			\
	for (unsigned long n = 0; n < cases; n++) {			\
		word a = corner_number(frac, exp), b = corner_number(frac, exp), got, want; \
		struct fpreg ra = fp_from_##format(a), rb = fp_from_##format(b); \
		unsigned int rc = below(4);				\
		bool root = one_in(3);					\
		host x, y, r;						\
									\
		memcpy(&x, &a, sizeof(x));				\
		memcpy(&y, &b, sizeof(y));				\
		start(rc);						\
		host_begin(rc);						\
		r = root ? host_root_##format(x) : host_div_##format(x, y); \
		host_end();						\
		memcpy(&want, &r, sizeof(want));			\
		got = fp_to_##format(root ? root_##format(ra) : divide_##format(ra, rb)); \
		if (check((isnan(r) ? (got & quiet) == quiet : got == want) && \
			  flags0 == host_flags))			\
			show_result(root ? "root" : "quotient", a, b, rc, got, want); \
	}								\
	end(before);							\
}

TEST_FORMAT(single, float, u32, 23, 8)
TEST_FORMAT(double, double, u64, 52, 11)

static struct fpreg load_extended(const long double *x)
{
	u64 sig;
	u16 se;

	memcpy(&sig, x, 8);
	memcpy(&se, (const char *)x + 8, 2);
	return fp_from_extended(sig, se);
}

static void test_extended(unsigned long cases)
{
	unsigned long before = failed;

	begin("division and square root, double-extended");
	for (unsigned long n = 0; n < cases; n++) {
		long double x = corner_extended(), y = corner_extended(), r;
		struct fpreg a = load_extended(&x), b = load_extended(&y), got, want;
		unsigned int rc = below(4);
		bool root = one_in(3);

		start(rc);
		r = host_x87(x, y, root, rc);
		want = load_extended(&r);
		got = root ? root_extended(a) : divide_extended(a, b);
		if (check((isnan(r) ? (got.se & 0x1ffff) == 0x1ffff && got.sig >> 62 == 3 :
			   got.sig == want.sig && got.se == want.se) && flags0 == host_flags))
			printf("\n%s %s %s rc %u: got %s %02x, want %s %02x\n",
			       root ? "root" : "quotient", show(a), show(b), rc, show(got), flags0,
			       show(want), host_flags);
	}
	end(before);
}

static void test_integers(unsigned long cases)
{
	unsigned long before = failed;

	begin("integer division");
	for (unsigned long n = 0; n < cases; n++) {
		u64 a = corner64() >> below(64), b = corner64() >> below(64), got, want;
		bool is_signed = one_in(2);

		if (one_in(4))		/* just below or at a multiple */
			a = a / (b | 1) * b - below(2);
		if (one_in(2)) {
			a = -a;
			b = is_signed ? -b : b;
		}
		if (b == 0 || (is_signed && a == 1ULL << 63 && b == ~0ULL))
			b = 3;
		start(0);
		got = divide_integers(a, b, is_signed);
		want = is_signed ? (u64)((s64)a / (s64)b) : a / b;
		if (check(got == want))
			printf("\n%llx / %llx %s: got %llx, want %llx\n", (unsigned long long)a,
			       (unsigned long long)b, is_signed ? "signed" : "unsigned",
			       (unsigned long long)got, (unsigned long long)want);
	}
	end(before);
}

int main(int argc, char **argv)
{
	unsigned long cases = argc > 1 ? strtoul(argv[1], NULL, 0) : 1000000;

	test_single(cases);
	test_double(cases);
	test_extended(cases);
	test_integers(cases);
	return finish();
}
