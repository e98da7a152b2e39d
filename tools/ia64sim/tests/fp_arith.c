// SPDX-License-Identifier: GPL-2.0
/*
 * All of fparith.c but multiply-add: approximations and their tables, compare,
 * minimum and maximum, classes, conversions to integers and memory formats.
 * Against MPFR, host arithmetic and the manual's tables.
 *
 * usage: fp_arith [cases]
 */
#include <math.h>

#include "fp/fptables.h"
#include "fp_mpfr.h"

static const struct format extended = { "extended", PC_SF, 0x0c, 64, -16382, 16383 };
static const struct format registers = { "register", PC_SF, 0x0e, 64, -65534, 65535 };
static const struct format singles = { "single", PC_S, 0x0c, 24, -126, 127 };

/* The tables, exactly: r is x rounded to nearest when |2r - 2x| <= 1. */
static void test_tables(void)
{
	static const u16 recip_start[] = { 0x3fc, 0x3f4, 0x3ec, 0x3e4, 0x3dd, 0x3d5 };
	static const u16 sqrt_start[] = { 0x1a5, 0x1a0, 0x19a, 0x195, 0x18f, 0x18a };
	unsigned long before = failed;

	begin("approximation tables");
	for (int i = 0; i < 256; i++) {
		/* 1024 * 2 / (1 + (i + 1/2) / 256) = 2^20 / (512 + 2i + 1) */
		s64 r = recip_table[i] + 1024, m = 513 + 2 * i;

		if (check(2 * r * m - (2 << 20) <= m && (2 << 20) - 2 * r * m <= m))
			printf("\nrecip_table[%d] = %x\n", i, recip_table[i]);
	}
	for (int i = 0; i < 256; i++) {
		/* 1024 * 2 / sqrt(1 + (i + 1/2) / 128), of twice that for odd powers of 2 */
		s64 r = recip_sqrt_table[i] + 1024, m = 256 + 2 * (i & 127) + 1;
		s64 x = 4LL * 2048 * 2048 * 256;

		if (i < 128)
			m *= 2;
		if (check((2 * r - 1) * (2 * r - 1) * m <= x && x <= (2 * r + 1) * (2 * r + 1) * m))
			printf("\nrecip_sqrt_table[%d] = %x\n", i, recip_sqrt_table[i]);
	}
	/* As printed in the manual. */
	for (int i = 0; i < 6; i++)
		check(recip_table[i] == recip_start[i] && recip_sqrt_table[i] == sqrt_start[i]);
	check(recip_table[255] == 0x001 && recip_sqrt_table[127] == 0x001);
	check(recip_sqrt_table[128] == 0x3fc && recip_sqrt_table[255] == 0x1aa);
	end(before);
}

/* The value of a register with an exponent that the host's format can hold. */
static long double value(struct fpreg r)
{
	long double x = ldexpl((long double)r.sig, (int)(r.se & 0x1ffff) - 0xffff - 63);

	return r.se >> 17 & 1 ? -x : x;
}

static void test_accuracy(unsigned long cases)
{
	unsigned long before = failed;
	struct fp_control ctl = control(&extended, 0, false, 0);
	long double worst = 0, worst_root = 0;

	begin("error of the approximations");
	for (unsigned long n = 0; n < cases; n++) {
		struct fpreg a = make(corner_sig(), one_in(2), 0xffff + below(2000) - 1000), r;
		struct fp_outcome out;
		long double error;
		bool p;

		r = fp_rcpa(make(1ULL << 63, false, 0xffff), a, &ctl, &p, &out);
		error = fabsl(value(r) * value(a) - 1);
		worst = error > worst ? error : worst;
		if (check(p && out.flags == 0 && error < exp2l(-8.886L)))
			printf("\nfrcpa %s = %s\n", show(a), show(r));
		a.se &= 0x1ffff;
		r = fp_rsqrta(a, &ctl, &p, &out);
		error = fabsl(value(r) * sqrtl(value(a)) - 1);
		worst_root = error > worst_root ? error : worst_root;
		if (check(p && out.flags == 0 && error < exp2l(-8.831L)))
			printf("\nfrsqrta %s = %s\n", show(a), show(r));
	}
	/* The manual's bounds are tight. */
	if (cases >= 100000)
		check(worst > exp2l(-8.9L) && worst_root > exp2l(-8.85L));
	end(before);
}

/* Exponent after normalization, unbiased. */
static long exponent(struct fpreg r)
{
	long e = r.se & 0x1ffff;

	return (e ? e : 0xc001) - 0xffff - __builtin_clzll(r.sig);
}

static bool is_zero(struct fpreg r)
{
	return r.sig == 0 && (r.se & 0x1ffff) != 0x1ffff && !is_natval(r);
}

/* frcpa outside of the approximation, SDM volume 3 and figure 5-11; false when
 * the approximation is due.
 */
static bool expect_quotient(struct fpreg a, struct fpreg b, const struct format *f,
			    const struct format *limits, unsigned int rc, bool ftz, u8 enabled,
			    struct expected *x)
{
	bool sign = (a.se ^ b.se) >> 17 & 1, unnormal = is_unnormal(a) || is_unnormal(b);
	mpfr_t va, vb, vr;
	int t;

	*x = (struct expected){ 0 };
	if (is_natval(a) || is_natval(b)) {
		x->r = make(0, false, 0x1fffe);
		return true;
	}
	if (is_unsupported(a) || is_unsupported(b)) {
		*x = invalid_operation(enabled);
		return true;
	}
	if (is_nan(a) || is_nan(b)) {
		x->flags = is_signaling(a) || is_signaling(b) ? FP_V : 0;
		x->fault = x->flags & enabled;
		x->r = quieted(is_nan(a) ? a : b);
		return true;
	}
	if ((is_inf(a) && is_inf(b)) || (is_zero(a) && is_zero(b))) {
		*x = invalid_operation(enabled);
		return true;
	}
	if (is_zero(b) && !is_inf(a)) {
		x->flags = FP_Z;
		x->fault = enabled & FP_Z;
		x->r = make(1ULL << 63, sign, 0x1ffff);
		return true;
	}
	x->flags = unnormal ? FP_D : 0;
	x->fault = x->flags & enabled;
	if (x->fault)
		return true;
	if (is_inf(a) || is_inf(b) || is_zero(a)) {
		x->r = is_inf(a) ? make(1ULL << 63, sign, 0x1ffff) : make(0, sign, 0);
		return true;
	}
	if (exponent(b) > limits->emin - 1 && exponent(b) < limits->emax - 2 &&
	    exponent(a) - exponent(b) < limits->emax &&
	    exponent(a) - exponent(b) > limits->emin + 1 &&
	    exponent(a) > limits->emin + limits->precision - 1)
		return false;
	mpfr_inits2(64, va, vb, (mpfr_ptr)0);
	mpfr_init2(vr, f->precision);
	to_mpfr(va, a);
	to_mpfr(vb, b);
	t = mpfr_div(vr, va, vb, modes[rc]);
	*x = expect_rounded(vr, t, x->flags, f, rc, ftz, enabled);
	mpfr_clears(va, vb, vr, (mpfr_ptr)0);
	return true;
}

static struct fpreg expect_recip(struct fpreg b)
{
	int shift = __builtin_clzll(b.sig);
	u64 m = b.sig << shift;

	return make(1ULL << 63 | (u64)recip_table[m << 1 >> 56] << 53, b.se >> 17 & 1,
		    0xffff - 1 - exponent(b));
}

/* Registers at the far ends of the range. */
static struct fpreg extreme_register(void)
{
	struct fpreg r = corner_register(3);

	if (one_in(2) && (r.se & 0x1ffff) != 0x1ffff)
		r.se = (r.se & 0x20000) | (one_in(2) ? below(70) : 0x1fffe - below(70));
	if (one_in(4) && (r.se & 0x1ffff) != 0x1ffff)
		r.sig >>= below(64);
	return r;
}

static void test_rcpa(unsigned long cases)
{
	unsigned long before = failed;

	begin("frcpa");
	for (unsigned long n = 0; n < cases; n++) {
		struct fpreg a = extreme_register(), b = extreme_register(), r;
		const struct format *f = one_in(2) ? &extended : &registers;
		unsigned int rc = below(4);
		bool ftz = one_in(8), p, done;
		u8 enabled = one_in(4) ? below(64) : 0;
		struct fp_control ctl = control(f, rc, ftz, enabled);
		struct fp_outcome out;
		struct expected x;

		r = fp_rcpa(a, b, &ctl, &p, &out);
		done = expect_quotient(a, b, f, &registers, rc, ftz, enabled, &x);
		if (!done)
			x.r = expect_recip(b);
		if (check(p == !done && as_expected(r, &out, &x))) {
			printf("\n%s / %s enabled %02x: pred %d\n", show(a), show(b), enabled, p);
			show_both(r, &out, &x);
		}
	}
	end(before);
}

/* frsqrta; false when the approximation is due. */
static bool expect_root(struct fpreg a, const struct format *f, unsigned int rc, bool ftz,
			u8 enabled, struct expected *x)
{
	bool sign = a.se >> 17 & 1;
	mpfr_t va, vr;
	int t;

	*x = (struct expected){ 0 };
	if (is_natval(a)) {
		x->r = a;
		return true;
	}
	if (is_nan(a)) {
		x->flags = is_signaling(a) ? FP_V : 0;
		x->fault = x->flags & enabled;
		x->r = quieted(a);
		return true;
	}
	if (is_unsupported(a) || (sign && !is_zero(a))) {
		*x = invalid_operation(enabled);
		return true;
	}
	x->flags = is_unnormal(a) ? FP_D : 0;
	x->fault = x->flags & enabled;
	if (x->fault)
		return true;
	if (is_inf(a) || is_zero(a)) {
		x->r = is_inf(a) ? a : make(0, sign, 0);
		return true;
	}
	if (exponent(a) > registers.emin + 63)
		return false;
	mpfr_init2(va, 64);
	mpfr_init2(vr, f->precision);
	to_mpfr(va, a);
	t = mpfr_sqrt(vr, va, modes[rc]);
	*x = expect_rounded(vr, t, x->flags, f, rc, ftz, enabled);
	mpfr_clears(va, vr, (mpfr_ptr)0);
	return true;
}

static struct fpreg expect_recip_root(struct fpreg a)
{
	u64 m = a.sig << __builtin_clzll(a.sig);
	long e = exponent(a);
	/* The manual indexes by the lowest bit of the biased exponent. */
	unsigned int index = (e % 2 == 0 ? 128 : 0) | (m << 1 >> 57);
	long half = e >= 0 ? e / 2 : -((1 - e) / 2);

	return make(1ULL << 63 | (u64)recip_sqrt_table[index] << 53, false, 0xffff - 1 - half);
}

static void test_rsqrta(unsigned long cases)
{
	unsigned long before = failed;

	begin("frsqrta");
	for (unsigned long n = 0; n < cases; n++) {
		struct fpreg a = extreme_register(), r;
		const struct format *f = one_in(2) ? &extended : &registers;
		unsigned int rc = below(4);
		bool ftz = one_in(8), p, done;
		u8 enabled = one_in(4) ? below(64) : 0;
		struct fp_control ctl = control(f, rc, ftz, enabled);
		struct fp_outcome out;
		struct expected x;

		if (!one_in(4))
			a.se &= 0x1ffff;
		r = fp_rsqrta(a, &ctl, &p, &out);
		done = expect_root(a, f, rc, ftz, enabled, &x);
		if (!done)
			x.r = expect_recip_root(a);
		if (check(p == !done && as_expected(r, &out, &x))) {
			printf("\nroot of %s enabled %02x: pred %d\n", show(a), enabled, p);
			show_both(r, &out, &x);
		}
	}
	end(before);
}

/* A register's value as a single, by host arithmetic; no NaNs or denormals. */
static u32 single_bits(struct fpreg r)
{
	float x = (float)value(r);
	u32 bits;

	memcpy(&bits, &x, 4);
	return bits;
}

static void test_approximate_single(unsigned long cases)
{
	unsigned long before = failed;

	begin("fprcpa and fprsqrta");
	for (unsigned long n = 0; n < cases; n++) {
		u32 a = corner_single(), b = corner_single(), r, want;
		struct fpreg ra = fp_from_single(a), rb = fp_from_single(b);
		u8 enabled = one_in(4) ? below(64) : 0;
		struct fp_control ctl = control(&singles, below(4), false, enabled);
		struct fp_outcome out;
		struct expected x;
		bool p, done;

		r = fp_rcpa_single(a, b, &ctl, &p, &out);
		done = expect_quotient(ra, rb, &singles, &singles, 0, false, enabled, &x);
		if (done && x.r.sig << 1 == 0 && (x.flags & (FP_V | FP_Z) || is_inf(ra) ||
						 is_zero(ra) || is_inf(rb))) {
			want = (x.r.se >> 17) << 31 | (x.r.sig ? 0x7f800000 : 0);
		} else if (done && (is_nan(ra) || is_nan(rb) || x.flags & FP_V)) {
			want = is_nan(ra) ? a | 0x400000 : is_nan(rb) ? b | 0x400000 : 0xffc00000;
		} else {
			/* Not IEEE's quotient, when a limit is in the way. */
			x.flags &= FP_D;
			x.trap = 0;
			want = exponent(rb) <= -127 ? (b & 0x80000000) | 0x7f800000 :
			       exponent(rb) >= 125 ? b & 0x80000000 : single_bits(expect_recip(rb));
		}
		if (check(p == !done && out.fault == x.fault && !out.trap &&
			  (out.fault || (r == want && out.flags == x.flags))))
			printf("\nfprcpa %08x / %08x: got %08x %02x pred %d, want %08x %02x %d\n",
			       a, b, r, out.flags, p, want, x.flags, !done);

		r = fp_rsqrta_single(a, &ctl, &p, &out);
		done = expect_root(ra, &singles, 0, false, enabled, &x);
		if (is_nan(ra))
			want = a | 0x400000;
		else if (x.flags & FP_V)
			want = 0xffc00000;
		else if (is_zero(ra))
			want = (a & 0x80000000) | 0x7f800000;
		else if (is_inf(ra))
			want = 0;
		else
			want = single_bits(expect_recip_root(ra));
		done = done || exponent(ra) <= -103;
		if (check(p == !done && out.fault == x.fault && !out.trap &&
			  (out.fault || (r == want && out.flags == x.flags))))
			printf("\nfprsqrta %08x: got %08x %02x pred %d, want %08x %02x %d\n", a, r,
			       out.flags, p, want, x.flags, !done);
	}
	end(before);
}

/* Two registers of the same or nearly the same value, in other clothes. */
static void alike(struct fpreg *a, struct fpreg *b)
{
	int shift;

	*b = *a;
	if ((a->se & 0x1ffff) == 0x1ffff || a->sig == 0)
		return;
	shift = below(4);
	if ((s32)(a->se & 0x1ffff) + shift < 0x1fffe && a->se & 0x1ffff) {
		b->sig >>= shift;
		b->se += shift;
	}
	if (one_in(2))
		b->sig += below(3) - 1;
	if (one_in(8))
		b->se ^= 0x20000;
}

static void test_compare(unsigned long cases)
{
	unsigned long before = failed;
	mpfr_t va, vb;

	mpfr_inits2(64, va, vb, (mpfr_ptr)0);
	begin("fcmp, fmin, fmax, famin, famax");
	for (unsigned long n = 0; n < cases; n++) {
		struct fpreg a = corner_register(3), b = corner_register(3), r, want;
		u8 enabled = one_in(4) ? below(64) : 0, flags, fault;
		bool unordered, bad, order, result;
		struct fp_outcome out;
		int c = 0, c_abs = 0;

		if (one_in(2))
			alike(&a, &b);
		bad = is_signaling(a) || is_signaling(b) || is_unsupported(a) || is_unsupported(b);
		unordered = bad || is_nan(a) || is_nan(b);
		if (!unordered) {
			is_inf(a) ? mpfr_set_inf(va, a.se >> 17 ? -1 : 1) : to_mpfr(va, a);
			is_inf(b) ? mpfr_set_inf(vb, b.se >> 17 ? -1 : 1) : to_mpfr(vb, b);
			c = mpfr_cmp(va, vb);
			c_abs = mpfr_cmpabs(va, vb);
		}
		for (unsigned int rel = 0; rel < 8 && !is_natval(a) && !is_natval(b); rel++) {
			bool quiet = rel % 4 == FREL_EQ || rel % 4 == FREL_UNORD;

			flags = bad || (unordered && !quiet) ? FP_V :
				!unordered && (is_unnormal(a) || is_unnormal(b)) ? FP_D : 0;
			fault = flags & enabled;
			order = rel % 4 == FREL_EQ ? c == 0 : rel % 4 == FREL_LT ? c < 0 : c <= 0;
			want.sig = rel % 4 == FREL_UNORD ? unordered : !unordered && order;
			if (rel & FREL_NOT)
				want.sig = !want.sig;
			result = fp_compare(a, b, rel, enabled, &out);
			if (check(out.fault == fault && !out.trap &&
				  (fault || (result == want.sig && out.flags == flags))))
				printf("\n%s rel %u %s: got %d %02x, want %d %02x\n", show(a), rel,
				       show(b), result, out.flags, (int)want.sig, flags);
		}
		for (unsigned int x = 0; x < 4; x++) {
			int order = x & MINMAX_ABS ? c_abs : c;

			flags = unordered ? FP_V : is_unnormal(a) || is_unnormal(b) ? FP_D : 0;
			want = !unordered && (x & MINMAX_MAX ? order > 0 : order < 0) ? a : b;
			if (is_natval(a) || is_natval(b)) {
				want = make(0, false, 0x1fffe);
				flags = 0;
			}
			fault = flags & enabled;
			r = fp_minmax(a, b, x, enabled, &out);
			if (check(out.fault == fault && !out.trap &&
				  (fault || (r.sig == want.sig && r.se == want.se &&
					     out.flags == flags))))
				printf("\n%s minmax %u %s: got %s %02x, want %s %02x\n", show(a), x,
				       show(b), show(r), out.flags, show(want), flags);
		}
	}
	mpfr_clears(va, vb, (mpfr_ptr)0);
	end(before);
}

/* fclass's bits, SDM volume 3. */
static void test_class(unsigned long cases)
{
	unsigned long before = failed;

	begin("fclass");
	for (unsigned long n = 0; n < cases; n++) {
		struct fpreg a = corner_register(2);
		unsigned int mask = below(512);
		bool sign = a.se >> 17 & 1, want;

		if (is_natval(a))
			want = mask >> 8 & 1;
		else if (is_nan(a))
			want = mask >> (is_signaling(a) ? 6 : 7) & 1;
		else if (is_unsupported(a))
			want = false;
		else
			want = mask >> sign & 1 && mask >> (is_inf(a) ? 5 : is_plain_zero(a) ? 2 :
							    is_unnormal(a) ? 3 : 4) & 1;
		if (check(fp_class(a, mask) == want))
			printf("\n%s class %03x: want %d\n", show(a), mask, want);
	}
	end(before);
}

static void test_to_integer(unsigned long cases)
{
	unsigned long before = failed;
	mpfr_t v, r;

	mpfr_init2(v, 64);
	mpfr_init2(r, 64);
	begin("fcvt.fx and fpcvt.fx, signed, unsigned, trunc");
	for (unsigned long n = 0; n < cases; n++) {
		struct fpreg a = corner_register(6);
		unsigned int x = below(4), rc = below(4), width = one_in(2) ? 32 : 64, got_rc;
		u8 enabled = one_in(4) ? below(64) : 0, flags = 0, fault, trap = 0;
		struct fp_control ctl = control(&extended, rc, false, enabled);
		u64 got, want = 1ULL << (width - 1);
		struct fp_outcome out;
		bool fpa = false;
		int t;

		if (one_in(2) && a.sig >> 63)
			a.se = (a.se & 0x20000) | (0xffff + below(70) - 3);
		if (one_in(8)) {	/* at the limits, with a fraction */
			a = fp_from_integer(one_in(2) ? (1ULL << (width - 1)) - below(3) : below(8));
			a.sig += below(3) - 1;
			a.se |= one_in(2) ? 0x20000 : 0;
		}
		if (is_natval(a)) {
			n--;
			continue;
		}
		got_rc = x & FCVT_TRUNC ? 3 : rc;
		if (is_nan(a) || is_inf(a) || is_unsupported(a)) {
			flags = FP_V;
		} else {
			to_mpfr(v, a);
			t = mpfr_rint(r, v, modes[got_rc]);
			fpa = mpfr_sgn(v) > 0 ? t > 0 : t < 0;
			if (x & FCVT_U)
				flags = mpfr_sgn(r) < 0 ||
					mpfr_cmp_ui_2exp(r, 1, width) >= 0 ? FP_V : 0;
			else
				flags = mpfr_cmp_si_2exp(r, -1, width - 1) < 0 ||
					mpfr_cmp_ui_2exp(r, 1, width - 1) >= 0 ? FP_V : 0;
			if (!flags) {
				flags = (is_unnormal(a) ? FP_D : 0) | (t ? FP_I : 0);
				trap = flags & enabled & FP_I;
				want = x & FCVT_U ? mpfr_get_ui(r, MPFR_RNDZ) :
						    (u64)mpfr_get_si(r, MPFR_RNDZ);
				if (width == 32)
					want &= 0xffffffff;
			}
		}
		fault = flags & enabled & (FP_V | FP_D);
		got = fp_to_integer(a, x, width, &ctl, &out);
		if (check(out.fault == fault &&
			  (fault || (got == want && out.flags == flags && out.trap == trap &&
				     (!trap || out.fpa == fpa)))))
			printf("\n%s to integer x %u rc %u width %u: got %llx %02x, want %llx %02x\n",
			       show(a), x, rc, width, (unsigned long long)got, out.flags,
			       (unsigned long long)want, flags);
	}
	mpfr_clears(v, r, (mpfr_ptr)0);
	end(before);
}

static void test_from_integer(unsigned long cases)
{
	unsigned long before = failed;

	begin("fcvt.xf");
	for (unsigned long n = 0; n < cases; n++) {
		s64 i = corner64() >> below(64);
		struct fpreg r;

		if (one_in(2))
			i = -(u64)i;
		r = fp_from_integer(i);
		/* A long double holds every 64-bit integer. */
		if (check(i == 0 ? r.sig == 0 && r.se == 0 :
			  r.sig >> 63 && value(r) == (long double)i))
			printf("\n%lld: %s\n", (long long)i, show(r));
	}
	end(before);
}

/* SDM table 5-2: what a load makes of each kind of number. */
static void test_encodings(void)
{
	static const struct {
		u64 memory;
		u64 sig;
		u32 se;
	} single[] = {
		{ 0x00000000, 0, 0 }, { 0x80000000, 0, 0x20000 },
		{ 0x00000001, 1ULL << 40, 0xff81 }, { 0x807fffff, 0x7fffffULL << 40, 0x2ff81 },
		{ 0x00800000, 1ULL << 63, 0xff81 }, { 0x3f800000, 1ULL << 63, 0xffff },
		{ 0xff7fffff, 0xffffffULL << 40, 0x3007e }, { 0x7f800000, 1ULL << 63, 0x1ffff },
		{ 0x7f800001, 1ULL << 63 | 1ULL << 40, 0x1ffff },
		{ 0xffc00000, 3ULL << 62, 0x3ffff },
	}, dbl[] = {
		{ 0, 0, 0 }, { 1ULL << 63, 0, 0x20000 },
		{ 1, 1ULL << 11, 0xfc01 },
		{ 0x800fffffffffffff, 0xfffffffffffffULL << 11, 0x2fc01 },
		{ 0x0010000000000000, 1ULL << 63, 0xfc01 },
		{ 0x3ff0000000000000, 1ULL << 63, 0xffff },
		{ 0xffefffffffffffff, 0x1fffffffffffffULL << 11, 0x303fe },
		{ 0x7ff0000000000000, 1ULL << 63, 0x1ffff },
		{ 0x7ff0000000000001, 1ULL << 63 | 1ULL << 11, 0x1ffff },
		{ 0xfff8000000000000, 3ULL << 62, 0x3ffff },
	};
	static const struct {
		u64 sig;
		u16 memory;
		u32 se;
	} ext[] = {
		{ 0, 0, 0 }, { 0, 0x8000, 0x20000 }, { 1, 0, 0 }, { ~0ULL, 0x8000, 0x20000 },
		{ 1ULL << 63, 1, 0xc001 }, { 1ULL << 63, 0x3fff, 0xffff },
		{ ~0ULL, 0xfffe, 0x33ffe }, { 1ULL << 63, 0x7fff, 0x1ffff },
		{ 0, 0x7fff, 0x1ffff }, { 5, 0x1234, 0xd234 },
	};
	unsigned long before = failed;
	struct fpreg r;

	begin("memory formats, the manual's table");
	for (int i = 0; i < 10; i++) {
		r = fp_from_single(single[i].memory);
		if (check(r.sig == single[i].sig && r.se == single[i].se))
			printf("\nsingle %d: %s\n", i, show(r));
		r = fp_from_double(dbl[i].memory);
		if (check(r.sig == dbl[i].sig && r.se == dbl[i].se))
			printf("\ndouble %d: %s\n", i, show(r));
		r = fp_from_extended(ext[i].sig, ext[i].memory);
		if (check(r.sig == ext[i].sig && r.se == ext[i].se))
			printf("\nextended %d: %s\n", i, show(r));
		check(fp_to_extended(r) == ext[i].memory);
	}
	r = fp_from_exp(0x2ffff);
	check(r.sig == 1ULL << 63 && r.se == 0x2ffff && fp_to_exp(r) == 0x2ffff);
	r = fp_from_exp(~0ULL << 18 | 0x10001);
	check(r.se == 0x10001);
	r = fp_from_sig(12345);
	check(r.sig == 12345 && r.se == 0x1003e);
	/* Stores take bits as they are: a NaTVal looks like 0 ... */
	check(fp_to_single(make(0, false, 0x1fffe)) == 0);
	/* ... and an integer's exponent is cut when the integer bit is set. */
	check(fp_to_double(make(1ULL << 63, false, 0x1003e)) == 0x43e0000000000000);
	check(fp_to_double(make(1, false, 0x1003e)) == 0);
	check(fpsr_reserved(1ULL << 58) && fpsr_reserved(1ULL << 8) && fpsr_reserved(1ULL << 12) &&
	      !fpsr_reserved(0x9804c0270033f) && fpsr_reserved(0x9804c0270033f & ~(1ULL << 48)));
	end(before);
}

static void test_memory(unsigned long cases)
{
	unsigned long before = failed;

	begin("memory formats, against the host");
	for (unsigned long n = 0; n < cases; n++) {
		u32 s = corner_single();
		u64 d = corner64();
		struct fpreg r;
		float f;
		double g;
		long double e;
		u64 sig;
		u16 se;

		memcpy(&f, &s, 4);
		r = fp_from_single(s);
		if (check(fp_to_single(r) == s &&
			  ((r.se & 0x1ffff) == 0x1ffff ? !isfinite(f) : value(r) == f)))
			printf("\n%08x: %s\n", s, show(r));

		if (one_in(4))
			d = (d & 1ULL << 63) | d >> 12;
		memcpy(&g, &d, 8);
		r = fp_from_double(d);
		if (check(fp_to_double(r) == d &&
			  ((r.se & 0x1ffff) == 0x1ffff ? !isfinite(g) : value(r) == g)))
			printf("\n%016llx: %s\n", (unsigned long long)d, show(r));

		/* The host knows no unnormals. */
		se = rnd() & 0xffff;
		sig = se & 0x7fff ? corner_sig() : corner64() >> 1;
		memset(&e, 0, sizeof(e));
		memcpy(&e, &sig, 8);
		memcpy((char *)&e + 8, &se, 2);
		r = fp_from_extended(sig, se);
		if (!(r.se & 0x1ffff) && r.sig)
			r.se |= 0xc001;
		if (check((r.se & 0x1ffff) == 0x1ffff ? !isfinite(e) : value(r) == e))
			printf("\n%04x.%016llx: %s\n", se, (unsigned long long)sig, show(r));

		r = corner_register(2);
		if (check(fp_from_spill(r.sig, fp_to_exp(r) | rnd() << 18).se == r.se &&
			  fp_from_spill(r.sig, r.se).sig == r.sig))
			printf("\nspill %s\n", show(r));
	}
	end(before);
}

int main(int argc, char **argv)
{
	unsigned long cases = argc > 1 ? strtoul(argv[1], NULL, 0) : 1000000;

	mpfr_set_emin(mpfr_get_emin_min());
	mpfr_set_emax(mpfr_get_emax_max());
	test_tables();
	test_accuracy(cases);
	test_rcpa(cases);
	test_rsqrta(cases);
	test_approximate_single(cases);
	test_compare(cases);
	test_class(cases);
	test_to_integer(cases);
	test_from_integer(cases);
	test_encodings();
	test_memory(cases);
	mpfr_free_cache();
	return finish();
}
