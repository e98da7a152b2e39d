/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers for what hardware leaves to chance: the same for the same seed on every host.
 */
#ifndef RANDOM_H
#define RANDOM_H

#include "isa/ia64.h"

/** random_next() - the next number of a sequence, which @state has come to (splitmix64) */
static inline u64 random_next(u64 *state)
{
	u64 x = *state += 0x9e3779b97f4a7c15ULL;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	return x ^ x >> 31;
}

/** random_below() - a number from 0 to @n - 1, @n at most some thousands */
static inline u64 random_below(u64 *state, u64 n)
{
	return (random_next(state) >> 32) * n >> 32;
}

#endif
