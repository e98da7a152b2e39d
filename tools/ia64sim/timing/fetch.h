/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Instruction fetch: the L1 ITLB, L1I, and the stream of lines behind a branch.
 */
#ifndef TIMING_FETCH_H
#define TIMING_FETCH_H

#include "timing/timing.h"

/* fetch_bundle() of the first bundle in a line. */
void fetch_line(struct cpu *cpu, struct timing *t, u64 ip, u64 pa);

/** fetch_bundle() - the next bundle, at @ip and @pa, may have to be waited for */
static inline void fetch_bundle(struct cpu *cpu, struct timing *t, u64 ip, u64 pa)
{
	if (__builtin_expect((ip ^ t->fetched) >> L1_LINE_SHIFT, 0))
		fetch_line(cpu, t, ip, pa);
}

#endif
