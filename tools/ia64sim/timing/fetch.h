/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Instruction fetch: the L1 ITLB, L1I, and the stream of lines behind a branch.
 */
#ifndef TIMING_FETCH_H
#define TIMING_FETCH_H

#include "timing/timing.h"

/* Two bundles are fetched a cycle, of so many aligned bytes. */
enum { FETCH_SHIFT = 5 };

/** fetch_anew() - the buffer is empty, and what issues next is the bundle at @ip, in @cycle */
static inline void fetch_anew(struct timing *t, u64 ip, u64 cycle)
{
	t->run = ip;
	t->run_fetched = cycle;
}

/** fetch_branch() - fetch goes on at @target behind the branch at @ip, which was foretold */
static inline void fetch_branch(struct timing *t, u64 ip, u64 target)
{
	t->run_fetched += (ip >> FETCH_SHIFT) - (t->run >> FETCH_SHIFT) + 1;
	t->run = target;
}

/**
 * fetch_bubble() - fetch loses some cycles before the bundle at @ip, which could issue at @cycle
 *
 * Return: how many of them issue loses
 */
u64 fetch_bubble(struct timing *t, u64 ip, u64 cycle, u64 lost);

/**
 * fetch_walks() - do the walks that are noted where no load or store waits for them
 * @ip: what issues next, for which the last of them may be
 *
 * Those of probes and their like hold up everything.  One for the fetch does so as far as what
 * was fetched before does not hide it.
 */
void fetch_walks(struct cpu *cpu, struct timing *t, u64 ip);

/* fetch_bundle() of the first bundle in a line. */
void fetch_line(struct cpu *cpu, struct timing *t, u64 ip, u64 pa);

/** fetch_bundle() - the next bundle, at @ip and @pa, may have to be waited for */
static inline void fetch_bundle(struct cpu *cpu, struct timing *t, u64 ip, u64 pa)
{
	if (__builtin_expect((ip ^ t->fetched) >> L1_LINE_SHIFT, 0))
		fetch_line(cpu, t, ip, pa);
}

#endif
