// SPDX-License-Identifier: GPL-2.0
/*
 * Floating-point arithmetic: SDM volume 1 chapter 5.  fparith.h says what the
 * functions do.
 *
 * Results are made as 128 bits of significand and an unbounded exponent, with
 * whatever was lost below gathered in the lowest bit, and rounded once (fpfast.h).
 */
#include "fp/fparith.h"
#include "fp/fpfast.h"
#include "fp/fptables.h"

#define RANGE(range)	.emin = FP_EMIN_##range, .emax = FP_EMAX_##range,	\
			.span = FP_EMAX_##range - FP_EMIN_##range

/* Of pc, 1 is reserved and cannot come into the FPSR. */
const struct fp_format fp_formats[3][8] = {
	[PC_SF] = {
		{ RANGE(EXTENDED), .drop = 40 }, { RANGE(REGISTER), .drop = 40 },
		{ RANGE(EXTENDED), .drop = 0 }, { RANGE(REGISTER), .drop = 0 },
		{ RANGE(EXTENDED), .drop = 11 }, { RANGE(REGISTER), .drop = 11 },
		{ RANGE(EXTENDED), .drop = 0 }, { RANGE(REGISTER), .drop = 0 },
	},
	[PC_S] = {
		{ RANGE(SINGLE), .drop = 40 }, { RANGE(REGISTER), .drop = 40 },
		{ RANGE(SINGLE), .drop = 40 }, { RANGE(REGISTER), .drop = 40 },
		{ RANGE(SINGLE), .drop = 40 }, { RANGE(REGISTER), .drop = 40 },
		{ RANGE(SINGLE), .drop = 40 }, { RANGE(REGISTER), .drop = 40 },
	},
	[PC_D] = {
		{ RANGE(DOUBLE), .drop = 11 }, { RANGE(REGISTER), .drop = 11 },
		{ RANGE(DOUBLE), .drop = 11 }, { RANGE(REGISTER), .drop = 11 },
		{ RANGE(DOUBLE), .drop = 11 }, { RANGE(REGISTER), .drop = 11 },
		{ RANGE(DOUBLE), .drop = 11 }, { RANGE(REGISTER), .drop = 11 },
	},
};

enum class { FINITE, ZERO, INFINITE, QNAN, SNAN, UNSUPPORTED, NATVAL };

/**
 * struct operand - a register's value taken apart
 * @sig: normalized, when FINITE
 * @exp: biased, below 1 for the smallest unnormals
 * @unnormal: denormal, unnormal, or pseudo-zero
 */
struct operand {
	u64 sig;
	s32 exp;
	bool sign;
	bool unnormal;
	enum class class;
};

static const struct fpreg indefinite = {
	.sig = FP_INTEGER_BIT | FP_QUIET_BIT, .se = FP_SIGN | FP_EXP,
};

static struct fpreg zero(bool sign)
{
	return fpreg(0, sign ? FP_SIGN : 0);
}

static struct fpreg infinity(bool sign)
{
	return fpreg(FP_INTEGER_BIT, (sign ? FP_SIGN : 0) | FP_EXP);
}

/* SDM table 5-2 */
static struct operand take_apart(struct fpreg r)
{
	struct operand o = {
		.sig = r.sig, .exp = r.se & FP_EXP, .sign = r.se & FP_SIGN, .class = FINITE,
	};

	if (o.exp == FP_EXP) {
		if (!(o.sig & FP_INTEGER_BIT))
			o.class = UNSUPPORTED;
		else if (o.sig == FP_INTEGER_BIT)
			o.class = INFINITE;
		else
			o.class = o.sig & FP_QUIET_BIT ? QNAN : SNAN;
	} else if (o.sig == 0) {
		o.class = fp_is_natval(r) ? NATVAL : ZERO;
		o.unnormal = o.exp != 0;
	} else {
		if (o.exp == 0) {
			o.exp = FP_EMIN_EXTENDED;
			o.unnormal = true;
		}
		if (!(o.sig & FP_INTEGER_BIT)) {
			int shift = __builtin_clzll(o.sig);

			o.sig <<= shift;
			o.exp -= shift;
			o.unnormal = true;
		}
	}
	return o;
}

/* The exception flags, and faults when it is enabled. */
static bool fault(u8 exception, u8 enabled, struct fp_outcome *out)
{
	out->flags |= exception;
	out->fault = exception & enabled;
	return out->fault;
}

static struct fpreg invalid(u8 enabled, struct fp_outcome *out)
{
	fault(FP_V, enabled, out);
	return indefinite;
}

static u128 shift_right_sticky(u128 sig, u32 n)
{
	bool lost = shift_right(&sig, n);

	return sig | lost;
}

/*
 * A result outside the range of its format, SDM volume 1, 5.4.2 and 5.4.3, figure 5-12:
 * @sig, @exp, @inexact and @up are those of rounding with unbounded exponent.
 */
static struct fpreg
out_of_range(struct wide w, u64 sig, s32 exp, bool inexact, bool up,
	     const struct fp_control *ctl, struct fp_outcome *out)
{
	const struct fp_format *f = &ctl->format;
	u8 exception = exp > f->emax ? FP_O : FP_U;
	u32 sign = w.sign ? FP_SIGN : 0;
	u64 denormal;

	if (ctl->enabled & exception) {
		out->trap = exception | (inexact ? FP_I : 0);
		out->flags |= out->trap;
		out->fpa = up;
		return fpreg(sig, sign | (exp & FP_EXP));
	}

	if (exception == FP_O) {
		bool inf = ctl->round == ROUND_NEAREST ||
			   ctl->round == (w.sign ? ROUND_DOWN : ROUND_UP);

		out->flags |= FP_O | FP_I;
		out->trap = ctl->enabled & FP_I;
		out->fpa = inf;
		return inf ? infinity(w.sign) : fpreg(-(1ULL << f->drop), sign | f->emax);
	}

	if (ctl->ftz) {
		out->flags |= FP_U | FP_I;
		out->trap = ctl->enabled & FP_I;
		out->fpa = false;
		return zero(w.sign);
	}

	/* Denormalize what was not rounded yet; an exact result is no underflow. */
	denormal = round_sig(shift_right_sticky(w.sig, f->emin - w.exp), w.sign, f->drop,
			     ctl->round, &inexact, &up);
	if (inexact)
		out->flags |= FP_U | FP_I;
	out->trap = inexact ? ctl->enabled & FP_I : 0;
	out->fpa = up;
	if (denormal == 0)
		return zero(w.sign);
	/* Double-extended denormals have the exponent of memory (SDM 1:88). */
	if (f->emin == FP_EMIN_EXTENDED && !(denormal & FP_INTEGER_BIT))
		return fpreg(denormal, sign);
	return fpreg(denormal, sign | f->emin);
}

static struct fpreg round_result(struct wide w, const struct fp_control *ctl,
				 struct fp_outcome *out)
{
	bool inexact, up;
	u64 sig = round_sig(w.sig, w.sign, ctl->format.drop, ctl->round, &inexact, &up);
	s32 exp = w.exp;

	if (sig == 0) {
		sig = FP_INTEGER_BIT;
		exp++;
	}
	if (exp < ctl->format.emin || exp > ctl->format.emax)
		return out_of_range(w, sig, exp, inexact, up, ctl, out);
	if (inexact) {
		out->flags |= FP_I;
		out->trap = ctl->enabled & FP_I;
		out->fpa = up;
	}
	return fpreg(sig, (w.sign ? FP_SIGN : 0) | exp);
}

/* A NaN among the operands, in the order of precedence: quieted. */
static struct fpreg propagate(const struct operand *o[], const struct fpreg r[], int n)
{
	for (int i = 0; i < n; i++)
		if (o[i]->class == QNAN || o[i]->class == SNAN)
			return fpreg(r[i].sig | FP_QUIET_BIT, r[i].se);
	return indefinite;
}

/* Zero, as pseudo-zeros are not in this one respect (SDM 1:88). */
static bool true_zero(const struct operand *o)
{
	return o->class == ZERO && !o->unnormal;
}

static struct fpreg
ma_general(struct fpreg a, struct fpreg b, struct fpreg c, unsigned int op,
	   const struct fp_control *ctl, struct fp_outcome *out)
{
	struct operand oa = take_apart(a), ob = take_apart(b), oc = take_apart(c);
	const struct operand *o[] = { &ob, &oc, &oa };
	const struct fpreg r[] = { b, c, a };
	bool sign = oa.sign ^ ob.sign ^ !!(op & MA_NEGATE_PRODUCT);
	bool c_sign = oc.sign ^ !!(op & MA_SUBTRACT);
	unsigned int classes = 1U << oa.class | 1U << ob.class | 1U << oc.class;
	struct wide p;

	/* Figure 5-11 */
	if (classes & 1U << NATVAL)
		return FP_NATVAL;
	if (classes & 1U << UNSUPPORTED)
		return invalid(ctl->enabled, out);
	if (classes & (1U << SNAN | 1U << QNAN)) {
		if (classes & 1U << SNAN)
			fault(FP_V, ctl->enabled, out);
		return propagate(o, r, 3);
	}
	if (oa.class == INFINITE || ob.class == INFINITE) {
		if (true_zero(&oa) || true_zero(&ob) || (oc.class == INFINITE && c_sign != sign))
			return invalid(ctl->enabled, out);
	}
	if ((oa.unnormal || ob.unnormal || oc.unnormal) && fault(FP_D, ctl->enabled, out))
		return indefinite;
	if (oa.class == INFINITE || ob.class == INFINITE)
		return infinity(sign);
	if (oc.class == INFINITE)
		return infinity(c_sign);

	if (oa.class == ZERO || ob.class == ZERO) {
		if (op & MA_NO_ADDEND)
			return zero(sign);
		if (oc.class == ZERO)
			return zero(sign == c_sign ? sign : ctl->round == ROUND_DOWN);
		p = (struct wide){ .sig = (u128)oc.sig << 64, .exp = oc.exp, .sign = c_sign };
		return round_result(p, ctl, out);
	}
	p = multiply(oa.sig, oa.exp, ob.sig, ob.exp, sign);
	if (oc.class != ZERO && !add(&p, oc.sig, oc.exp, c_sign))
		return zero(ctl->round == ROUND_DOWN);
	return round_result(p, ctl, out);
}

struct fpreg fp_ma(struct fpreg a, struct fpreg b, struct fpreg c, unsigned int op,
		   const struct fp_control *ctl, struct fp_outcome *out)
{
	struct fpreg result;
	bool inexact, up;
	struct wide w;

	*out = (struct fp_outcome){ 0 };
	if (!ma_normal(&w, a, b, c, op) ||
	    !round_normal(&result, &w, &ctl->format, ctl->round, &inexact, &up))
		return ma_general(a, b, c, op, ctl, out);
	if (inexact) {
		out->flags = FP_I;
		out->trap = ctl->enabled & FP_I;
		out->fpa = up;
	}
	return result;
}

/*
 * The single lane of a parallel instruction.  With the overflow or underflow
 * trap enabled it delivers the exponent modulo 2^8 (SDM volume 1, 5.4.2), which the
 * ordinary conversion of a register would not.
 */
u32 fp_ma_single(u32 a, u32 b, u32 c, unsigned int op, const struct fp_control *ctl,
		 struct fp_outcome *out)
{
	struct fpreg r = fp_ma(fp_from_single(a), fp_from_single(b), fp_from_single(c), op, ctl,
			       out);

	if (out->trap & (FP_O | FP_U))
		return (r.se & FP_SIGN) << 14 | ((r.se - FP_EMIN_SINGLE + 1) & 0xff) << 23 |
		       (r.sig << 1 >> 41);
	return fp_to_single(r);
}

/* Quotient of two FINITE operands. */
static struct fpreg divide(const struct operand *num, const struct operand *den,
			   const struct fp_control *ctl, struct fp_outcome *out)
{
	bool less = num->sig < den->sig;
	u128 dividend = (u128)num->sig << (less ? 64 : 63);
	u64 quotient = dividend / den->sig, rest = dividend % den->sig;
	/* Never half way: 65 bits times the divisor's 64 would not fit the dividend's. */
	u64 more = (((u128)rest << 1) > den->sig ? FP_INTEGER_BIT : 0) | (rest != 0);
	struct wide w = {
		.sig = (u128)quotient << 64 | more,
		.exp = num->exp - den->exp + FP_BIAS - less,
		.sign = num->sign ^ den->sign,
	};

	return round_result(w, ctl, out);
}

/* Square root of a positive FINITE operand. */
static struct fpreg square_root(const struct operand *a, const struct fp_control *ctl,
				struct fp_outcome *out)
{
	/* An even power of two, and the significand in [1, 4) with 126 bits of fraction. */
	s32 exp = a->exp - FP_BIAS;
	u128 square = (u128)a->sig << (63 + (exp & 1)), root = 0;
	struct wide w;

	for (u64 bit = FP_INTEGER_BIT; bit; bit >>= 1)
		if ((root | bit) * (root | bit) <= square)
			root |= bit;
	square -= root * root;
	/* Never half way: (root + 1/2)^2 is no integer. */
	w = (struct wide){
		.sig = root << 64 | (square > root ? FP_INTEGER_BIT : 0) | (square != 0),
		.exp = (exp - (exp & 1)) / 2 + FP_BIAS,
	};
	return round_result(w, ctl, out);
}

static struct fpreg approximate_reciprocal(const struct operand *o)
{
	u64 sig = FP_INTEGER_BIT | (u64)recip_table[o->sig >> 55 & 0xff] << 53;

	return fpreg(sig, (o->sign ? FP_SIGN : 0) | (2 * FP_BIAS - 1 - o->exp));
}

static struct fpreg approximate_root(const struct operand *o)
{
	unsigned int index = (o->exp & 1) << 7 | (o->sig >> 56 & 0x7f);

	return fpreg(FP_INTEGER_BIT | (u64)recip_sqrt_table[index] << 53,
		     FP_BIAS - 1 - ((o->exp - FP_BIAS) >> 1));
}

/* Exceptional operands of a division: is the result known already? */
static bool divide_special(const struct operand *num, const struct operand *den, struct fpreg n,
			   struct fpreg d, u8 enabled, struct fp_outcome *out,
			   struct fpreg *result)
{
	const struct operand *o[] = { num, den };
	const struct fpreg r[] = { n, d };
	unsigned int classes = 1U << num->class | 1U << den->class;
	bool sign = num->sign ^ den->sign;

	*result = indefinite;
	if (classes & 1U << NATVAL) {
		*result = FP_NATVAL;
		return true;
	}
	if (classes & 1U << UNSUPPORTED) {
		fault(FP_V, enabled, out);
		return true;
	}
	if (classes & (1U << SNAN | 1U << QNAN)) {
		if (classes & 1U << SNAN)
			fault(FP_V, enabled, out);
		*result = propagate(o, r, 2);
		return true;
	}
	if (classes == 1U << INFINITE || classes == 1U << ZERO) {
		fault(FP_V, enabled, out);
		return true;
	}
	if (den->class == ZERO && num->class != INFINITE) {
		fault(FP_Z, enabled, out);
		*result = infinity(sign);
		return true;
	}
	if ((num->unnormal || den->unnormal) && fault(FP_D, enabled, out))
		return true;
	if (num->class == INFINITE) {
		*result = infinity(sign);
		return true;
	}
	if (num->class == ZERO || den->class == INFINITE) {
		*result = zero(sign);
		return true;
	}
	return false;
}

/*
 * The iterations that follow an approximation need exponents that leave them
 * some room; where they have not, a scalar gets the result itself, which the
 * manual leaves to software assistance (fparith.h).  The quotient, or a remainder
 * on the way to it, might leave the range:
 */
static bool quotient_unsafe(const struct operand *num, const struct operand *den, s32 emin,
			    s32 emax, int precision)
{
	s32 exp = num->exp - den->exp + FP_BIAS;

	return exp >= emax || exp <= emin + 1 || num->exp <= emin + precision - 1;
}

/* ... or the reciprocal might: */
static bool reciprocal_huge(const struct operand *den, s32 emin)
{
	return den->exp <= emin - 1;
}

static bool reciprocal_tiny(const struct operand *den, s32 emax)
{
	return den->exp >= emax - 2;
}

struct fpreg fp_rcpa(struct fpreg num, struct fpreg den, const struct fp_control *ctl,
		     bool *pred, struct fp_outcome *out)
{
	struct operand n = take_apart(num), d = take_apart(den);
	struct fpreg result;

	*out = (struct fp_outcome){ 0 };
	*pred = false;
	if (divide_special(&n, &d, num, den, ctl->enabled, out, &result))
		return result;
	if (reciprocal_huge(&d, FP_EMIN_REGISTER) || reciprocal_tiny(&d, FP_EMAX_REGISTER) ||
	    quotient_unsafe(&n, &d, FP_EMIN_REGISTER, FP_EMAX_REGISTER, 64))
		return divide(&n, &d, ctl, out);
	*pred = true;
	return approximate_reciprocal(&d);
}

/* What is unsafe here gives a false predicate, and software unpacks the pair. */
u32 fp_rcpa_single(u32 num, u32 den, const struct fp_control *ctl, bool *pred,
		   struct fp_outcome *out)
{
	struct fpreg rn = fp_from_single(num), rd = fp_from_single(den), result;
	struct operand n = take_apart(rn), d = take_apart(rd);

	*out = (struct fp_outcome){ 0 };
	*pred = false;
	if (divide_special(&n, &d, rn, rd, ctl->enabled, out, &result))
		return fp_to_single(result);
	if (reciprocal_huge(&d, FP_EMIN_SINGLE))
		return fp_to_single(infinity(d.sign));
	if (reciprocal_tiny(&d, FP_EMAX_SINGLE))
		return fp_to_single(zero(d.sign));
	*pred = !quotient_unsafe(&n, &d, FP_EMIN_SINGLE, FP_EMAX_SINGLE, 24);
	return fp_to_single(approximate_reciprocal(&d));
}

/* Exceptional operands of a square root; zeros and infinity are the callers'. */
static bool root_special(const struct operand *a, struct fpreg r, u8 enabled,
			 struct fp_outcome *out, struct fpreg *result)
{
	*result = indefinite;
	if (a->class == NATVAL) {
		*result = FP_NATVAL;
		return true;
	}
	if (a->class == QNAN || a->class == SNAN) {
		if (a->class == SNAN)
			fault(FP_V, enabled, out);
		*result = fpreg(r.sig | FP_QUIET_BIT, r.se);
		return true;
	}
	if (a->class == UNSUPPORTED || (a->sign && a->class != ZERO)) {
		fault(FP_V, enabled, out);
		return true;
	}
	return a->unnormal && fault(FP_D, enabled, out);
}

struct fpreg fp_rsqrta(struct fpreg a, const struct fp_control *ctl, bool *pred,
		       struct fp_outcome *out)
{
	struct operand o = take_apart(a);
	struct fpreg result;

	*out = (struct fp_outcome){ 0 };
	*pred = false;
	if (root_special(&o, a, ctl->enabled, out, &result))
		return result;
	if (o.class == INFINITE)
		return a;
	if (o.class == ZERO)
		return zero(o.sign);
	if (o.exp <= FP_EMIN_REGISTER + 63)
		return square_root(&o, ctl, out);
	*pred = true;
	return approximate_root(&o);
}

/* Zeros and infinity give the reciprocal here, not the root. */
u32 fp_rsqrta_single(u32 a, const struct fp_control *ctl, bool *pred, struct fp_outcome *out)
{
	struct fpreg r = fp_from_single(a), result;
	struct operand o = take_apart(r);

	*out = (struct fp_outcome){ 0 };
	*pred = false;
	if (root_special(&o, r, ctl->enabled, out, &result))
		return fp_to_single(result);
	if (o.class == INFINITE)
		return fp_to_single(zero(false));
	if (o.class == ZERO)
		return fp_to_single(infinity(o.sign));
	*pred = o.exp > FP_EMIN_SINGLE + 23;
	return fp_to_single(approximate_root(&o));
}

/* a < b, of numbers. */
static bool less(const struct operand *a, const struct operand *b)
{
	if (a->class == ZERO || b->class == ZERO) {
		if (b->class != ZERO)
			return !b->sign;
		return a->class != ZERO && a->sign;
	}
	if (a->sign != b->sign)
		return a->sign;
	/* An infinity's exponent is the largest. */
	if (a->exp != b->exp)
		return (a->exp < b->exp) ^ a->sign;
	return a->sign ? a->sig > b->sig : a->sig < b->sig;
}

/* Faults and flags of comparisons; is there an order? */
static bool ordered(const struct operand *a, const struct operand *b, bool signal_qnan,
		    u8 enabled, struct fp_outcome *out)
{
	unsigned int classes = 1U << a->class | 1U << b->class;

	*out = (struct fp_outcome){ 0 };
	if (classes & (1U << UNSUPPORTED | 1U << SNAN | 1U << QNAN)) {
		if (signal_qnan || classes & (1U << UNSUPPORTED | 1U << SNAN))
			fault(FP_V, enabled, out);
		return false;
	}
	if (a->unnormal || b->unnormal)
		fault(FP_D, enabled, out);
	return true;
}

bool fp_compare(struct fpreg a, struct fpreg b, unsigned int rel, u8 enabled,
		struct fp_outcome *out)
{
	struct operand oa = take_apart(a), ob = take_apart(b);
	unsigned int base = rel & 3;
	bool signal_qnan = base == FREL_LT || base == FREL_LE;
	bool result;

	if (!ordered(&oa, &ob, signal_qnan, enabled, out))
		result = base == FREL_UNORD;
	else if (base == FREL_LT)
		result = less(&oa, &ob);
	else if (base == FREL_LE)
		result = !less(&ob, &oa);
	else if (base == FREL_EQ)
		result = !less(&oa, &ob) && !less(&ob, &oa);
	else
		result = false;
	return result ^ !!(rel & FREL_NOT);
}

struct fpreg fp_minmax(struct fpreg a, struct fpreg b, unsigned int x, u8 enabled,
		       struct fp_outcome *out)
{
	struct operand oa = take_apart(a), ob = take_apart(b);

	if (oa.class == NATVAL || ob.class == NATVAL) {
		*out = (struct fp_outcome){ 0 };
		return FP_NATVAL;
	}
	if (x & MINMAX_ABS)
		oa.sign = ob.sign = false;
	if (!ordered(&oa, &ob, true, enabled, out))
		return b;
	return (x & MINMAX_MAX ? less(&ob, &oa) : less(&oa, &ob)) ? a : b;
}

bool fp_class(struct fpreg a, unsigned int mask)
{
	struct operand o = take_apart(a);
	unsigned int class;

	switch (o.class) {
	case NATVAL:
		return mask & 0x100;
	case QNAN:
		return mask & 0x80;
	case SNAN:
		return mask & 0x40;
	case UNSUPPORTED:
		return false;
	case INFINITE:
		class = 0x20;
		break;
	default:
		class = o.unnormal ? 0x08 : o.class == ZERO ? 0x04 : 0x10;
	}
	return mask & class && mask & (o.sign ? 0x02 : 0x01);
}

u64 fp_to_integer(struct fpreg a, unsigned int x, unsigned int width,
		  const struct fp_control *ctl, struct fp_outcome *out)
{
	struct operand o = take_apart(a);
	u64 indefinite_integer = 1ULL << (width - 1);
	u64 limit = MASK(width), magnitude = 0;
	bool inexact = false, up = false;

	*out = (struct fp_outcome){ 0 };
	if (o.class >= INFINITE || (o.class == FINITE && o.exp > FP_BIAS + 63)) {
		fault(FP_V, ctl->enabled, out);
		return indefinite_integer;
	}
	if (o.class == FINITE) {
		/* Integer part in the upper half. */
		u128 sig = shift_right_sticky((u128)o.sig << 64, FP_BIAS + 63 - o.exp);

		magnitude = round_sig(sig, o.sign, 0, x & FCVT_TRUNC ? ROUND_ZERO : ctl->round,
				      &inexact, &up);
	}
	if (x & FCVT_U)
		limit = o.sign ? 0 : limit;
	else
		limit = (limit >> 1) + o.sign;
	if (magnitude > limit) {
		fault(FP_V, ctl->enabled, out);
		return indefinite_integer;
	}
	if (o.unnormal && fault(FP_D, ctl->enabled, out))
		return indefinite_integer;
	if (inexact) {
		out->flags |= FP_I;
		out->trap = ctl->enabled & FP_I;
		out->fpa = up;
	}
	return (o.sign ? -magnitude : magnitude) & MASK(width);
}

struct fpreg fp_from_integer(s64 value)
{
	u64 magnitude = value < 0 ? -(u64)value : (u64)value;
	int shift;

	if (value == 0)
		return zero(false);
	shift = __builtin_clzll(magnitude);
	return fpreg(magnitude << shift, (value < 0 ? FP_SIGN : 0) | (FP_EXP_INTEGER - shift));
}
