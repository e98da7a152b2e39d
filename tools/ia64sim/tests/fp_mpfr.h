/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the manual says about operands and results (SDM volume 1, 5.1 and 5.4),
 * written down once more, with MPFR for the numbers.
 */
#ifndef FP_MPFR_H
#define FP_MPFR_H

#include <mpfr.h>

#include "fp_test.h"

struct format {
	const char *name;
	unsigned int pc, controls;	/* of the instruction; pc and wre of the field */
	int precision, emin, emax;	/* unbiased */
};

static const struct format formats[] = {
	{ "single", PC_S, 0x0c, 24, -126, 127 },
	{ "single, wide", PC_S, 0x0e, 24, -65534, 65535 },
	{ "double", PC_D, 0x0c, 53, -1022, 1023 },
	{ "double, wide", PC_D, 0x0a, 53, -65534, 65535 },
	{ "extended, 24 bits", PC_SF, 0x00, 24, -16382, 16383 },
	{ "extended, 53 bits", PC_SF, 0x08, 53, -16382, 16383 },
	{ "extended", PC_SF, 0x0c, 64, -16382, 16383 },
	{ "register, 24 bits", PC_SF, 0x02, 24, -65534, 65535 },
	{ "register, 53 bits", PC_SF, 0x0a, 53, -65534, 65535 },
	{ "register", PC_SF, 0x0e, 64, -65534, 65535 },
};

static const mpfr_rnd_t modes[] = { MPFR_RNDN, MPFR_RNDD, MPFR_RNDU, MPFR_RNDZ };

/* The status field 2 with these controls, and the precision of the instruction. */
static inline struct fp_control control(const struct format *f, unsigned int rc, bool ftz,
					u8 enabled)
{
	return fp_resolve((u64)(f->controls | rc << 4 | ftz) << 32 | (~enabled & 0x3f), 2, f->pc);
}

static inline bool is_nan(struct fpreg r)
{
	return (r.se & 0x1ffff) == 0x1ffff && r.sig >> 63 && r.sig << 1;
}

static inline bool is_inf(struct fpreg r)
{
	return (r.se & 0x1ffff) == 0x1ffff && r.sig == 1ULL << 63;
}

static inline bool is_signaling(struct fpreg r)
{
	return is_nan(r) && !(r.sig >> 62 & 1);
}

static inline bool is_unsupported(struct fpreg r)
{
	return (r.se & 0x1ffff) == 0x1ffff && !(r.sig >> 63);
}

static inline bool is_natval(struct fpreg r)
{
	return r.se == 0x1fffe && r.sig == 0;
}

static inline bool is_plain_zero(struct fpreg r)
{
	return r.sig == 0 && (r.se & 0x1ffff) == 0;
}

static inline bool is_unnormal(struct fpreg r)
{
	u32 e = r.se & 0x1ffff;

	if (e == 0x1ffff || is_natval(r))
		return false;
	return e == 0 ? r.sig != 0 : !(r.sig >> 63);
}

static inline void to_mpfr(mpfr_t v, struct fpreg r)
{
	int sign = r.se >> 17 & 1 ? -1 : 1;
	long e = r.se & 0x1ffff;

	if (r.sig == 0) {
		mpfr_set_zero(v, sign);
		return;
	}
	if (e == 0)
		e = 0xc001;
	mpfr_set_ui_2exp(v, r.sig, e - 0xffff - 63, MPFR_RNDN);
	if (sign < 0)
		mpfr_neg(v, v, MPFR_RNDN);
}

/* A value of at most 64 bits as the register format has it, for exponents in
 * the 17-bit range; below emin unnormalized with that exponent.
 */
static inline struct fpreg from_mpfr(mpfr_t v, int emin)
{
	mpfr_t m;
	long e;
	u64 sig;
	bool sign = mpfr_signbit(v);

	if (mpfr_zero_p(v))
		return make(0, sign, 0);
	if (mpfr_inf_p(v))
		return make(1ULL << 63, sign, 0x1ffff);
	mpfr_init2(m, 64);
	mpfr_abs(m, v, MPFR_RNDN);
	e = mpfr_get_exp(m) - 1;
	if (e < emin)
		e = emin;
	mpfr_mul_2si(m, m, 63 - e, MPFR_RNDN);
	sig = mpfr_get_ui(m, MPFR_RNDZ);
	mpfr_clear(m);
	e += 0xffff;
	if (e == 0xc001 && emin == -16382 && !(sig >> 63))
		e = 0;
	return make(sig, sign, e & 0x1ffff);
}

struct expected {
	struct fpreg r;
	u8 flags, fault, trap;
	bool fpa;
};

static inline struct fpreg quieted(struct fpreg r)
{
	r.sig |= 1ULL << 62;
	return r;
}

static inline struct expected invalid_operation(u8 enabled)
{
	return (struct expected){
		.r = make(3ULL << 62, true, 0x1ffff), .flags = FP_V, .fault = enabled & FP_V,
	};
}

/**
 * expect_rounded() - a result, from what MPFR computed with unbounded exponent
 * @v: rounded to the format's precision, destroyed
 * @t: MPFR's ternary value of that
 * @flags: those that are set in any case
 */
static inline struct expected expect_rounded(mpfr_t v, int t, u8 flags, const struct format *f,
					     unsigned int rc, bool ftz, u8 enabled)
{
	struct expected x = { .flags = flags };
	long e;

	if (mpfr_zero_p(v)) {
		x.r = from_mpfr(v, f->emin);
		return x;
	}
	e = mpfr_get_exp(v) - 1;
	x.fpa = mpfr_sgn(v) > 0 ? t > 0 : t < 0;
	if (e > f->emax) {
		x.flags |= FP_O;
		if (enabled & FP_O) {
			x.flags |= t ? FP_I : 0;
			x.trap = FP_O | (t ? FP_I : 0);
			x.r = from_mpfr(v, -1000000);
			return x;
		}
		x.flags |= FP_I;
		x.trap = enabled & FP_I;
		/* MPFR decides about infinity, too. */
		mpfr_set_emax(f->emax + 1);
		mpfr_check_range(v, t, modes[rc]);
		mpfr_set_emax(mpfr_get_emax_max());
		x.fpa = mpfr_inf_p(v);
		x.r = from_mpfr(v, f->emin);
		return x;
	}
	if (e < f->emin) {
		if (enabled & FP_U) {
			x.flags |= FP_U | (t ? FP_I : 0);
			x.trap = FP_U | (t ? FP_I : 0);
			x.r = from_mpfr(v, -1000000);
			return x;
		}
		if (ftz) {
			x.flags |= FP_U | FP_I;
			x.trap = enabled & FP_I;
			x.fpa = false;
			x.r = make(0, mpfr_signbit(v), 0);
			return x;
		}
		mpfr_set_emin(f->emin - f->precision + 2);
		t = mpfr_check_range(v, t, modes[rc]);
		t = mpfr_subnormalize(v, t, modes[rc]);
		mpfr_set_emin(mpfr_get_emin_min());
		x.fpa = mpfr_signbit(v) ? t < 0 : t > 0;
		x.flags |= t ? FP_U | FP_I : 0;
		x.trap = t ? enabled & FP_I : 0;
		x.r = from_mpfr(v, f->emin);
		return x;
	}
	x.flags |= t ? FP_I : 0;
	x.trap = t ? enabled & FP_I : 0;
	x.r = from_mpfr(v, f->emin);
	return x;
}

static inline bool as_expected(struct fpreg r, const struct fp_outcome *out,
			       const struct expected *x)
{
	return out->fault == x->fault &&
	       (out->fault || (out->flags == x->flags && r.sig == x->r.sig && r.se == x->r.se &&
			       out->trap == x->trap && (!x->trap || out->fpa == x->fpa)));
}

static inline void show_both(struct fpreg r, const struct fp_outcome *out,
			     const struct expected *x)
{
	printf(" got  %s flags %02x fault %x trap %02x fpa %d\n"
	       " want %s flags %02x fault %x trap %02x fpa %d\n",
	       show(r), out->flags, out->fault, out->trap, out->fpa,
	       show(x->r), x->flags, x->fault, x->trap, x->fpa);
}

#endif
