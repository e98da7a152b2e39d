/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the floating-point tests share: random numbers that like corners,
 * counting, printing.  Nothing here uses fparith.c: registers are built and
 * taken apart by means of its own.
 */
#ifndef FP_TEST_H
#define FP_TEST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fp/fparith.h"

static u64 rng_state = 0x9e3779b97f4a7c15ULL;
static unsigned long passed, failed;

/* xorshift64*, Vigna */
static inline u64 rnd(void)
{
	rng_state ^= rng_state >> 12;
	rng_state ^= rng_state << 25;
	rng_state ^= rng_state >> 27;
	return rng_state * 0x2545f4914f6cdd1dULL;
}

static inline u32 below(u32 n)
{
	return (rnd() >> 32) % n;
}

static inline bool one_in(u32 n)
{
	return below(n) == 0;
}

/* A word that is mostly not uniform: runs of ones, few bits, all but few bits. */
static inline u64 corner64(void)
{
	u64 x = rnd();

	switch (below(8)) {
	case 0:
		return 1ULL << below(64);
	case 1:
		return ~(1ULL << below(64));
	case 2:
		return ~0ULL << below(64);
	case 3:
		return ~0ULL >> below(64);
	case 4:
		return 1ULL << below(64) | 1ULL << below(64);
	case 5:
		return (x >> below(64)) << below(64);
	default:
		return x;
	}
}

/* A normalized significand, often of few bits or with long runs. */
static inline u64 corner_sig(void)
{
	u64 sig = corner64();

	switch (below(6)) {
	case 0:			/* a single's */
		sig &= ~0ULL << 40;
		break;
	case 1:			/* a double's */
		sig &= ~0ULL << 11;
		break;
	case 2:			/* all ones, or nearly */
		sig = ~0ULL << (one_in(2) ? 40 : one_in(2) ? 11 : 0);
		if (one_in(2))
			sig ^= 1ULL << below(64);
		break;
	case 3:			/* 1.0, or nearly */
		sig = one_in(2) ? 0 : 1ULL << below(63);
		break;
	}
	return sig | 1ULL << 63;
}

/* A biased exponent: anywhere, or near a limit of some format. */
static inline u32 corner_exp(void)
{
	static const u32 near[] = {
		0xffff, 0xff81, 0x1007e, 0xfc01, 0x103fe, 0xc001, 0x13ffe, 1, 0x1fffe, 0x1003e,
		0xff81 - 24, 0xfc01 - 53, 0xc001 - 64,
	};
	s32 e;

	switch (below(8)) {
	case 0:
		e = rnd() & 0x1ffff;
		break;
	case 1:
	case 2:
		e = near[below(sizeof(near) / sizeof(near[0]))] + (s32)below(9) - 4;
		break;
	case 3:
		e = 0xffff + (s32)below(2100) - 1050;
		break;
	default:
		e = 0xffff + (s32)below(300) - 150;
	}
	return e < 1 ? 1 : e > 0x1fffe ? 0x1fffe : e;
}

static inline struct fpreg make(u64 sig, bool sign, u32 exp)
{
	return (struct fpreg){ .sig = sig, .se = (u32)sign << 17 | exp };
}

/* Anything that a register can hold and that no arithmetic makes. */
static inline struct fpreg odd_register(void)
{
	bool sign = one_in(2);
	u64 low = corner64() & ~(1ULL << 63);

	switch (below(12)) {
	case 0:
		return make(0, sign, 0);			/* zero */
	case 1:
		return make(1ULL << 63, sign, 0x1ffff);		/* infinity */
	case 2:
		return make(3ULL << 62 | low, sign, 0x1ffff);	/* quiet NaN */
	case 3:							/* signaling */
		return make(1ULL << 63 | (low & ~(1ULL << 62)) | 1, sign, 0x1ffff);
	case 4:
		return make(low, sign, 0x1ffff);		/* unsupported */
	case 5:
		return make(0, sign, corner_exp());		/* pseudo-zero, NaTVal */
	case 6:
		return make(low, sign, 0);			/* denormal */
	case 7:
		return make(low | 1ULL << 63, sign, 0);		/* pseudo-denormal */
	case 8:
		return make(corner64(), false, 0x1003e);	/* integer */
	case 9:
		return make(low >> 40 << 40, sign, 0xff81);	/* single's denormal */
	case 10:
		return make(low >> 11 << 11, sign, 0xfc01);	/* double's */
	default:
		return make(corner64(), sign, corner_exp());
	}
}

static inline struct fpreg corner_register(unsigned int odd_one_in)
{
	if (one_in(odd_one_in))
		return odd_register();
	return make(corner_sig(), one_in(2), corner_exp());
}

/* A single in memory: anywhere, or near a limit, 1 or the limits of integers. */
static inline u32 corner_single(void)
{
	u32 sign = rnd() & 0x80000000, fraction = corner64() >> 41;

	switch (below(10)) {
	case 0:			/* denormal, or nearly */
		return sign | below(3) << 23 | fraction;
	case 1:			/* infinity, NaN, or nearly */
		return sign | (0xff - below(6)) << 23 | fraction;
	case 2:			/* a power of 2 */
		return sign | below(0x100) << 23;
	case 3:
		return sign | (corner64() & 0x7fffffff);
	case 4:
		return rnd();
	case 5:
	case 6:
		return sign | (0x7f + below(34)) << 23 | fraction;
	default:
		return sign | (0x7f + below(60) - 30) << 23 | fraction;
	}
}

static inline const char *show(struct fpreg r)
{
	static char text[8][32];
	static unsigned int n;
	char *s = text[n++ % 8];

	snprintf(s, 32, "%c%05x.%016llx", r.se >> 17 & 1 ? '-' : '+', r.se & 0x1ffff,
		 (unsigned long long)r.sig);
	return s;
}

/* Count one case; true (and print) when it failed and not too many have. */
static inline bool check(bool good)
{
	if (good) {
		passed++;
		return false;
	}
	return failed++ < 20;
}

static inline void begin(const char *what)
{
	printf("%-44s", what);
	fflush(stdout);
}

static inline void end(unsigned long before)
{
	printf(" %lu failed\n", failed - before);
	fflush(stdout);
}

static inline int finish(void)
{
	printf("%lu passed, %lu failed\n", passed, failed);
	return failed != 0;
}

#endif
