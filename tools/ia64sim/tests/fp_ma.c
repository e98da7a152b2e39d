// SPDX-License-Identifier: GPL-2.0
/*
 * Multiply-add against MPFR (all precisions, ranges, roundings, ftz, traps) and
 * against the host's own fma in float and double.  SDM volume 1, chapter 5.
 *
 * usage: fp_ma [cases]
 */
#include <fenv.h>
#include <math.h>
#include <x86intrin.h>

#include "fp_mpfr.h"

static mpfr_t va, vb, vc, result;

static int ma(mpfr_t r, unsigned int op, bool no_addend, mpfr_rnd_t rnd)
{
	int t;

	/* Signs are changed in the operands: rounding is not symmetric. */
	if (op & MA_NEGATE_PRODUCT)
		mpfr_neg(va, va, MPFR_RNDN);
	if (op & MA_SUBTRACT)
		mpfr_neg(vc, vc, MPFR_RNDN);
	t = no_addend ? mpfr_mul(r, va, vb, rnd) : mpfr_fma(r, va, vb, vc, rnd);
	if (op & MA_NEGATE_PRODUCT)
		mpfr_neg(va, va, MPFR_RNDN);
	if (op & MA_SUBTRACT)
		mpfr_neg(vc, vc, MPFR_RNDN);
	return t;
}

/* What the manual says, with MPFR for the numbers. */
static struct expected expect(struct fpreg a, struct fpreg b, struct fpreg c, unsigned int op,
			      const struct format *f, unsigned int rc, bool ftz, u8 enabled)
{
	struct expected x = { 0 };
	bool s = (a.se ^ b.se) >> 17 & 1, cs = c.se >> 17 & 1;
	bool no_addend = op & MA_NO_ADDEND;
	int t;

	if (no_addend)
		c = make(0, false, 0);
	if (is_natval(a) || is_natval(b) || is_natval(c)) {
		x.r = make(0, false, 0x1fffe);
		return x;
	}
	if (is_unsupported(a) || is_unsupported(b) || is_unsupported(c))
		return invalid_operation(enabled);
	if (is_nan(a) || is_nan(b) || is_nan(c)) {
		if (is_signaling(a) || is_signaling(b) || is_signaling(c)) {
			x.flags = FP_V;
			x.fault = enabled & FP_V;
		}
		x.r = quieted(is_nan(b) ? b : is_nan(c) ? c : a);
		return x;
	}
	s ^= op & 1;
	cs ^= op >> 1 & 1;
	if (is_inf(a) || is_inf(b)) {
		if (is_plain_zero(a) || is_plain_zero(b) || (is_inf(c) && s != cs))
			return invalid_operation(enabled);
	}
	if (is_unnormal(a) || is_unnormal(b) || is_unnormal(c)) {
		x.flags = FP_D;
		x.fault = enabled & FP_D;
		if (x.fault)
			return x;
	}
	if (is_inf(a) || is_inf(b) || is_inf(c)) {
		x.r = make(1ULL << 63, is_inf(c) ? cs : s, 0x1ffff);
		return x;
	}

	to_mpfr(va, a);
	to_mpfr(vb, b);
	to_mpfr(vc, c);
	mpfr_set_prec(result, f->precision);
	t = ma(result, op, no_addend, modes[rc]);
	return expect_rounded(result, t, x.flags, f, rc, ftz, enabled);
}

static s32 clamp_exp(s32 e)
{
	return e < 1 ? 1 : e > 0x1fffe ? 0x1fffe : e;
}

/* Operands that meet: c near -a*b, or at a rounding boundary of it; products at
 * the ends of the format's range.
 */
static void correlate(struct fpreg *a, struct fpreg *b, struct fpreg *c, const struct format *f)
{
	u128 p;
	s32 e;

	if (one_in(3)) {	/* product near a limit */
		s32 limit = one_in(2) ? f->emax : f->emin - (s32)below(f->precision + 3);

		e = limit + (s32)below(5) - 2 + 0xffff - ((s32)(a->se & 0x1ffff) - 0xffff);
		b->se = (b->se & 0x20000) | clamp_exp(e);
		if (one_in(2))
			return;
	}
	if (one_in(16)) {	/* 128 bits that cancel against one more: all of them count */
		a->sig = ~(u64)below(3);
		b->sig = ~(u64)below(3);
		c->sig = (1ULL << 63) + below(2);
		c->se = clamp_exp((a->se & 0x1ffff) + (b->se & 0x1ffff) - 0xffff + 2) |
			(~(a->se ^ b->se) & 0x20000);
		return;
	}
	p = (u128)a->sig * b->sig;
	e = (s32)(a->se & 0x1ffff) + (s32)(b->se & 0x1ffff) - 0xffff + 1;
	if (!(p >> 127)) {
		p <<= 1;
		e--;
	}
	switch (below(4)) {
	case 0:			/* cancels all but the lower bits */
		c->sig = p >> 64;
		if (one_in(2))
			c->sig += (s64)below(5) - 2;
		if (one_in(4))
			c->sig = c->sig >> 40 << 40;
		if (!(c->sig >> 63))
			c->sig = ~0ULL;
		c->se = clamp_exp(e) | (~(a->se ^ b->se) & 0x20000);
		break;
	case 1:			/* cancels, one exponent away */
		c->sig = one_in(2) ? 1ULL << 63 : corner_sig();
		c->se = clamp_exp(e + (s32)below(3) - 1) | (~(a->se ^ b->se) & 0x20000);
		break;
	case 2:			/* disturbs the rounding of the product */
		c->se = (c->se & 0x20000) |
			clamp_exp(e - f->precision - (s32)below(5) + 2 - (one_in(3) ? 64 : 0));
		break;
	default:		/* is disturbed by the product */
		c->se = (c->se & 0x20000) | clamp_exp(e + f->precision + (s32)below(5) - 2);
		if (one_in(4))
			c->se = (c->se & 0x20000) | clamp_exp(e + (s32)below(200) - 100);
	}
}

static void test_format(const struct format *f, unsigned long cases)
{
	unsigned long before = failed;
	char title[64];

	snprintf(title, sizeof(title), "multiply-add, %s", f->name);
	begin(title);
	for (unsigned long n = 0; n < cases; n++) {
		struct fpreg a = corner_register(24), b = corner_register(24);
		struct fpreg c = corner_register(24), r;
		unsigned int op = below(3), rc = below(4);
		u8 enabled = one_in(4) ? below(64) : 0;
		bool ftz = one_in(8);
		struct fp_control ctl = control(f, rc, ftz, enabled);
		struct fp_outcome out;
		struct expected x;

		if (one_in(8))
			b = make(1ULL << 63, false, 0xffff);
		if (one_in(2) && a.sig >> 63 && b.sig >> 63)
			correlate(&a, &b, &c, f);
		if (one_in(8)) {
			op |= MA_NO_ADDEND;
			c = make(0, false, 0);
		}
		r = fp_ma(a, b, c, op, &ctl, &out);
		x = expect(a, b, c, op, f, rc, ftz, enabled);
		if (check(as_expected(r, &out, &x))) {
			printf("\n%s * %s + %s op %u rc %u ftz %d enabled %02x:\n", show(a), show(b),
			       show(c), op, rc, ftz, enabled);
			show_both(r, &out, &x);
		}
	}
	end(before);
}

/* The wrapped exponents of parallel results, SDM volume 1, 5.4.2: everything else about
 * them follows from the native comparison below and from single precision.
 */
static void test_wrapped(unsigned long cases)
{
	static const struct format *f = &formats[0];
	unsigned long before = failed;

	begin("multiply-add, parallel, trapping");
	for (unsigned long n = 0; n < cases; n++) {
		u32 a = corner64() >> 32, b = corner64() >> 32, c = corner64() >> 32, r, want;
		unsigned int op = below(3), rc = below(4);
		u8 enabled = (rnd() & 0x20) | FP_O | FP_U;
		struct fp_control ctl = fp_resolve_parallel((u64)rc << 10 | (~enabled & 0x3f), 0);
		struct fp_outcome out;
		struct expected x;

		if (one_in(2)) {
			int shift = one_in(2) ? 200 : 60;

			a = (a & 0x807fffff) | (u32)(shift - below(30)) << 23;
			b = (b & 0x807fffff) | (u32)(shift - below(30)) << 23;
		}
		r = fp_ma_single(a, b, c, op, &ctl, &out);
		x = expect(fp_from_single(a), fp_from_single(b), fp_from_single(c), op, f, rc,
			   false, enabled);
		want = (x.r.se >> 17) << 31 | (x.r.sig >> 40 & 0x7fffff);
		if ((x.r.se & 0x1ffff) == 0x1ffff)
			want |= 0x7f800000;
		else if (x.r.sig >> 63)
			want |= ((x.r.se & 0x1ffff) - 0xffff + 127) % 256 << 23;
		if (check(r == want && out.flags == x.flags && out.trap == x.trap &&
			  (!x.trap || out.fpa == x.fpa)))
			printf("\n%08x * %08x + %08x op %u rc %u: got %08x %02x, want %08x %02x\n",
			       a, b, c, op, rc, r, out.flags, want, x.flags);
	}
	end(before);
}

static u8 host_flags(unsigned int csr)
{
	/* MXCSR: invalid, denormal, zero divide, overflow, underflow, inexact. */
	return csr & 0x3f;
}

static float as_float(u32 bits)
{
	float x;

	memcpy(&x, &bits, 4);
	return x;
}

static double as_double(u64 bits)
{
	double x;

	memcpy(&x, &bits, 8);
	return x;
}

static void set_host(unsigned int rc)
{
	static const unsigned int modes[] = { 0, 1, 2, 3 };	/* as ours */

	_mm_setcsr(0x1f80 | modes[rc] << 13);
}

__attribute__((noinline, target("fma"))) static float host_maf(float a, float b, float c)
{
	return _mm_cvtss_f32(_mm_fmadd_ss(_mm_set_ss(a), _mm_set_ss(b), _mm_set_ss(c)));
}

__attribute__((noinline, target("fma"))) static double host_ma(double a, double b, double c)
{
	return _mm_cvtsd_f64(_mm_fmadd_sd(_mm_set_sd(a), _mm_set_sd(b), _mm_set_sd(c)));
}

static u64 corner_double(void)
{
	u64 x = rnd();

	switch (below(8)) {
	case 0:
		return (x & 1ULL << 63) | corner64() >> 12 | (u64)below(3) << 52;
	case 1:
		return (x & 1ULL << 63) | (u64)(0x7fe - below(3)) << 52 | corner64() >> 12;
	case 2:
		return (x & 1ULL << 63) | (corner64() & ~0ULL >> 1);
	case 3:
		return x;
	default:
		return (x & 1ULL << 63) | (u64)(0x3ff + below(120) - 60) << 52 | corner64() >> 12;
	}
}

/* Every bit of result and flags but NaNs' payloads, which the host chooses otherwise. */
static void test_native_single(unsigned long cases)
{
	unsigned long before = failed;

	begin("multiply-add, singles of the host");
	for (unsigned long n = 0; n < cases; n++) {
		u32 a = corner_single(), b = corner_single(), c = corner_single(), r, want;
		unsigned int rc = below(4);
		struct fp_control ctl = fp_resolve_parallel((u64)rc << 10 | 0x3f, 0);
		struct fp_outcome out;
		float x;
		u8 flags;

		if (one_in(4)) {
			x = -(as_float(a) * as_float(b));
			memcpy(&c, &x, 4);
			c += below(3) - 1;
		}
		set_host(rc);
		x = host_maf(as_float(a), as_float(b), as_float(c));
		flags = host_flags(_mm_getcsr());
		_mm_setcsr(0x1f80);
		memcpy(&want, &x, 4);
		r = fp_ma_single(a, b, c, 0, &ctl, &out);
		if (check((isnan(x) ? (r & 0x7fc00000) == 0x7fc00000 : r == want) &&
			  out.flags == flags))
			printf("\n%08x * %08x + %08x rc %u: got %08x %02x, want %08x %02x\n", a, b,
			       c, rc, r, out.flags, want, flags);
	}
	end(before);
}

static void test_native_double(unsigned long cases)
{
	unsigned long before = failed;

	begin("multiply-add, doubles of the host");
	for (unsigned long n = 0; n < cases; n++) {
		u64 a = corner_double(), b = corner_double(), c = corner_double(), r, want;
		unsigned int rc = below(4);
		struct fp_control ctl = fp_resolve((u64)rc << 10 | 0x3f, 0, PC_D);
		struct fp_outcome out;
		double x;
		u8 flags;

		if (one_in(4)) {
			x = -(as_double(a) * as_double(b));
			memcpy(&c, &x, 8);
			c += below(3) - 1;
		}
		set_host(rc);
		x = host_ma(as_double(a), as_double(b), as_double(c));
		flags = host_flags(_mm_getcsr());
		_mm_setcsr(0x1f80);
		memcpy(&want, &x, 8);
		r = fp_to_double(fp_ma(fp_from_double(a), fp_from_double(b), fp_from_double(c), 0,
				       &ctl, &out));
		if (check((isnan(x) ? (r << 1 >> 52) == 0xfff : r == want) && out.flags == flags))
			printf("\n%016llx * %016llx + %016llx rc %u: got %016llx %02x, want %016llx %02x\n",
			       (unsigned long long)a, (unsigned long long)b, (unsigned long long)c,
			       rc, (unsigned long long)r, out.flags, (unsigned long long)want,
			       flags);
	}
	end(before);
}

int main(int argc, char **argv)
{
	unsigned long cases = argc > 1 ? strtoul(argv[1], NULL, 0) : 1000000;

	mpfr_set_emin(mpfr_get_emin_min());
	mpfr_set_emax(mpfr_get_emax_max());
	mpfr_inits2(64, va, vb, vc, result, (mpfr_ptr)0);

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		test_format(&formats[i], cases);
	test_wrapped(cases);
	if (__builtin_cpu_supports("fma")) {
		test_native_single(cases);
		test_native_double(cases);
	} else {
		printf("skipped: multiply-add of the host, which has none\n");
	}

	mpfr_clears(va, vb, vc, result, (mpfr_ptr)0);
	mpfr_free_cache();
	return finish();
}
