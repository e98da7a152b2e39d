/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The core of the multiply-add: what fparith.c and the F unit (exec_f.c) want
 * inlined, for normal numbers and results of every day.
 */
#ifndef FPFAST_H
#define FPFAST_H

#include "fp/fparith.h"

/** struct wide - an unrounded result: @sig / 2^127 * 2^(@exp - bias), bit 127 set */
struct wide {
	u128 sig;
	s32 exp;
	bool sign;
};

/* *sig >>= n; did bits fall out? */
ALWAYS_INLINE bool shift_right(u128 *sig, u32 n)
{
	u64 high = *sig >> 64, low = *sig;

	if (__builtin_expect(n < 64, 1)) {
		*sig >>= n;
		return low << 1 << (63 - n);
	}
	n -= 64;
	if (n > 63) {
		*sig = 0;
		return high | low;
	}
	*sig = high >> n;
	return high << 1 << (63 - n) | low;
}

/*
 * Round the top of @sig, dropping @drop of its upper 64 bits and all below.
 * Return: the significand; 0 when it has overflowed and 1.0 is meant
 */
ALWAYS_INLINE u64 round_sig(u128 sig, bool sign, unsigned int drop, unsigned int mode,
			    bool *inexact, bool *up)
{
	u64 high = sig >> 64, low = sig;
	u64 unit = 1ULL << drop;
	/* What is dropped, half a unit at bit 63. */
	u64 rest = drop ? high << (64 - drop) | (low != 0) : low;
	bool increment;

	high &= -unit;
	if (mode == ROUND_NEAREST)
		increment = rest > FP_INTEGER_BIT || (rest == FP_INTEGER_BIT && high & unit);
	else
		increment = rest && mode == (sign ? ROUND_DOWN : ROUND_UP);
	*inexact = rest;
	*up = increment;
	return high + (increment ? unit : 0);
}

/* Product of two normalized significands, normalized. */
ALWAYS_INLINE struct wide multiply(u64 a, s32 a_exp, u64 b, s32 b_exp, bool sign)
{
	struct wide p = {
		.sig = (u128)a * b, .exp = a_exp + b_exp - FP_BIAS + 1, .sign = sign,
	};

	if (!(p.sig >> 127)) {
		p.sig <<= 1;
		p.exp--;
	}
	return p;
}

/* A difference, normalized; false when it is 0. */
ALWAYS_INLINE bool normalize(struct wide *p, u128 sig)
{
	u64 high = sig >> 64;
	int shift;

	if (high)
		shift = __builtin_clzll(high);
	else if (sig)
		shift = 64 + __builtin_clzll(sig);
	else
		return false;
	p->sig = sig << shift;
	p->exp -= shift;
	return true;
}

/* A sum, that has carried out or not. */
ALWAYS_INLINE bool carry(struct wide *p, u128 sig, bool carried)
{
	if (carried) {
		sig = sig >> 1 | (sig & 1) | (u128)1 << 127;
		p->exp++;
	}
	p->sig = sig;
	return true;
}

/**
 * add() - p + c, both normalized
 * @p: a product; the sum
 *
 * 128 bits are enough: bits fall out on the right only when the difference is
 * normalized by one place at most, but for one case that is dealt with below.
 * Lost bits make the lowest one sticky.
 *
 * Return: false when the sum is exactly 0
 */
ALWAYS_INLINE bool add(struct wide *p, u64 c_sig, s32 c_exp, bool c_sign)
{
	s32 distance = p->exp - c_exp;
	bool subtract = p->sign != c_sign, lost;
	u128 small;

	if (distance >= 0) {
		if (__builtin_expect(distance < 64, 1)) {
			small = (u128)(c_sig >> distance) << 64 | c_sig << 1 << (63 - distance);
			lost = false;
		} else {
			small = (u128)c_sig << 64;
			lost = shift_right(&small, distance);
		}
		if (!subtract)
			return carry(p, (p->sig + small) | lost, p->sig + small < small);
		if (small > p->sig) {		/* of the same exponent, then */
			p->sign = c_sign;
			return normalize(p, small - p->sig);
		}
		return normalize(p, (p->sig - small - lost) | lost);
	}

	small = p->sig;
	lost = shift_right(&small, -distance);
	if (!subtract) {
		u64 high = c_sig + (u64)(small >> 64);

		p->exp = c_exp;
		return carry(p, (u128)high << 64 | (u64)small | lost, high < c_sig);
	}
	p->sign = c_sign;
	small = ((u128)c_sig << 64) - small - lost;
	if (lost && distance == -1 && !(small >> 127)) {
		/* Cancellation after all: twice as fine, where it is less than
		 * 2^128 and nothing is lost.
		 */
		return normalize(p, ((u128)c_sig << 65) - p->sig);
	}
	p->exp = c_exp;
	return normalize(p, small | lost);
}

/*
 * The same as round_sig() for the usual rounding.  Adding just less than half a
 * unit, and one more to an odd number, carries into it exactly where it ought.
 */
ALWAYS_INLINE u64 round_nearest(u128 sig, const struct fp_format *format, bool *inexact)
{
	u64 high = sig >> 64, low = sig, unit = 1ULL << format->drop;

	if (format->drop) {
		high |= low != 0;
		*inexact = high & (unit - 1);
		return (high + (unit >> 1) - 1 + (high >> format->drop & 1)) & -unit;
	}
	*inexact = low;
	return high + (low > FP_INTEGER_BIT - (high & 1));
}

/* Integer bit set, exponent neither all zeros nor all ones. */
ALWAYS_INLINE bool is_normal(struct fpreg r)
{
	return r.sig >> 63 && (r.se + 1) & (FP_EXP - 1);
}

/**
 * ma_normal() - multiply-add of normal numbers, not rounded
 * @p: the result
 *
 * Other arguments as of fp_ma().
 *
 * Return: false for other numbers, and for the result 0
 */
ALWAYS_INLINE bool ma_normal(struct wide *p, struct fpreg a, struct fpreg b, struct fpreg c,
			     unsigned int op)
{
	if (!is_normal(a) || !is_normal(b) || (!(op & MA_NO_ADDEND) && !is_normal(c)))
		return false;
	*p = multiply(a.sig, a.se & FP_EXP, b.sig, b.se & FP_EXP,
		      ((a.se ^ b.se) >> 17 ^ op) & MA_NEGATE_PRODUCT);
	return op & MA_NO_ADDEND || add(p, c.sig, c.se & FP_EXP, (c.se >> 17 ^ op >> 1) & 1);
}

/**
 * round_normal() - round to a normal number
 * @format: of the result
 * @round: enum fp_round
 * @inexact: the result was rounded
 * @up: away from zero
 *
 * Return: false when the result is none
 */
ALWAYS_INLINE bool round_normal(struct fpreg *result, const struct wide *w,
				const struct fp_format *format, unsigned int round,
				bool *inexact, bool *up)
{
	s32 exp = w->exp;
	u64 sig;

	if (__builtin_expect(round == ROUND_NEAREST, 1)) {
		sig = round_nearest(w->sig, format, inexact);
		*up = sig != ((u64)(w->sig >> 64) & -(1ULL << format->drop));
	} else {
		sig = round_sig(w->sig, w->sign, format->drop, round, inexact, up);
	}
	if (sig == 0) {
		sig = FP_INTEGER_BIT;
		exp++;
	}
	*result = fpreg(sig, (u32)w->sign << 17 | exp);
	return (u32)(exp - format->emin) <= format->span;
}

#endif
