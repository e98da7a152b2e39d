/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is remembered of branches.
 */
#ifndef TIMING_PREDICTOR_H
#define TIMING_PREDICTOR_H

#include "isa/ia64.h"

/* The Itanium 2 keeps four bits of history with each branch in L1I, or in a cache of 12 to
 * 24 thousand behind it; 16 K counters of two bits; and eight returns.
 */
enum { HISTORIES = 16384, HISTORY_BITS = 4, COUNTERS = 16384, RETURNS = 8 };

/**
 * struct predictor - of one processor
 * @history: by address, the last outcomes of a branch, the youngest in bit 0
 * @counter: by address and history: 1 to 4, taken from 3 on; 0 says nothing
 * @target: where calls return to, as a ring
 * @n_returns: calls less returns
 * @written: when each branch register was
 */
struct predictor {
	u8 history[HISTORIES];
	u8 counter[COUNTERS];
	u64 target[RETURNS];
	unsigned int n_returns;
	u64 written[8];
};

#endif
