/* SPDX-License-Identifier: GPL-2.0 */
/*
 * References to memory: what they wait for.
 */
#ifndef TIMING_MEMORY_H
#define TIMING_MEMORY_H

#include "timing/timing.h"

/* What the model of the TLBs did for the last instruction goes before all else. */
static inline bool memory_has_notes(const struct cpu *cpu)
{
	return __builtin_expect(cpu->n_walks | cpu->n_gone, 0);
}

/**
 * struct reference - one that was done
 * @va: its address
 * @pa: where that is in memory
 * @rid: of the region; RID_PHYSICAL without translation
 * @kind: RESULT_LOAD, RESULT_FP_LOAD, RESULT_STORE, RESULT_PREFETCH, RESULT_SEMAPHORE
 * @cached: it is in cacheable memory
 * @known: there is a translation; otherwise a speculative load deferred its fault, or a
 *	prefetch had none
 */
struct reference {
	u64 va, pa;
	u32 rid;
	u8 kind;
	bool cached, known;
};

/**
 * memory_l1_hit() - the usual integer load, which finds all it needs in L1
 *
 * Return: whether it does; otherwise it is for memory_reference()
 */
static inline bool memory_l1_hit(const struct cpu *cpu, struct timing *t, u32 rid, u64 va)
{
	const u64 *ready;
	u64 serial;

	if (memory_has_notes(cpu))
		return false;
	serial = dtlb_find(&t->dtlb, rid, va);
	if (!serial)
		return false;
	ready = l1d_find(&t->dtlb, serial, va);
	return ready && *ready <= cpu->cycles + t->params.load;
}

/* The same of a store, which finds its line in L2. */
static inline bool memory_store_hit(const struct cpu *cpu, struct timing *t,
				    const struct reference *r)
{
	return !memory_has_notes(cpu) && r->known && r->cached && cache_find(&t->l2, r->pa);
}

/**
 * memory_reference() - what an instruction's reference takes that issues now
 *
 * Walks of the VHPT for it are noted in @cpu, and no more then.
 *
 * Return: LATENCY() of its result
 */
u64 memory_reference(struct cpu *cpu, struct timing *t, const struct reference *r);

/**
 * memory_walks() - do the walks that are noted, one after the other; none is then
 * @now: when the first is wanted
 *
 * Return: how many cycles later the last is done
 */
u64 memory_walks(struct cpu *cpu, struct timing *t, u64 now);

#endif
