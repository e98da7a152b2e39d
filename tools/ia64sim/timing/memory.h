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
	return __builtin_expect(cpu->n_notes, 0);
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

/* memory_wait() where something is under way. */
void memory_stall(struct cpu *cpu, struct timing *t);

/** memory_wait() - the next reference waits for the walker, and for room in the queue */
static inline void memory_wait(struct cpu *cpu, struct timing *t)
{
	if (__builtin_expect(t->busy_until > cpu->cycles, 0))
		memory_stall(cpu, t);
}

/* A reference is under way in L2 until @done.  Its entry gets free when all older ones are. */
static inline void memory_queue(struct timing *t, u64 done)
{
	if (done > t->queue_last) {
		t->queue_last = done;
		if (done > t->busy_until)
			t->busy_until = done;
	}
	t->queue[t->queue_next] = t->queue_last;
	if (++t->queue_next == t->params.queue)
		t->queue_next = 0;
}

static inline void memory_note_store(struct timing *t, u64 va, u64 now)
{
	unsigned int n = t->n_stores++ % RECENT_STORES;

	t->store[n] = va >> 3;
	t->stored[n] = t->last_store = now;
}

/* Has this been stored so lately that L1D does not have it? */
bool memory_search_stores(const struct timing *t, u64 va, u64 now);

static inline bool memory_was_stored(const struct timing *t, u64 va, u64 now)
{
	return __builtin_expect(now - t->last_store <= t->params.forward, 0) &&
	       memory_search_stores(t, va, now);
}

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
	serial = l1_find(&t->l1d, rid, va);
	if (!serial)
		return false;
	ready = l1_line(&t->l1d, serial, va);
	return ready && *ready <= cpu->cycles + t->params.load &&
	       !memory_was_stored(t, va, cpu->cycles);
}

/* The same of a store to the line of the last one, which is still there. */
static inline bool memory_same_line(const struct cpu *cpu, struct timing *t, u32 rid, u64 va)
{
	if (memory_has_notes(cpu) || va >> t->l2.shift != t->store_va || rid != t->store_rid ||
	    t->store_line->tag != t->store_tag || t->queue_last > cpu->cycles)
		return false;
	memory_note_store(t, va, cpu->cycles);
	return true;
}

/* The same of any store, whose line has arrived in L2, and nobody else has it. */
static inline bool memory_store_hit(const struct cpu *cpu, struct timing *t,
				    const struct reference *r)
{
	struct line *line;

	if (memory_has_notes(cpu) || !r->known || !r->cached)
		return false;
	line = cache_find(&t->l2, r->pa);
	if (!line || line_state(line) == LINE_SHARED || line->ready > cpu->cycles)
		return false;
	line_set_state(line, LINE_MODIFIED);
	t->store_va = r->va >> t->l2.shift;
	t->store_rid = r->rid;
	t->store_line = line;
	t->store_tag = line->tag;
	/* With nothing else under way hits are gone before they could fill the queue. */
	if (t->queue_last > cpu->cycles)
		memory_queue(t, cpu->cycles);
	memory_note_store(t, r->va, cpu->cycles);
	return true;
}

/**
 * memory_reference() - what an instruction's reference takes that issues now
 *
 * Walks of the VHPT for it are noted in @cpu, and no more then.
 *
 * Return: LATENCY() of its result
 */
u64 memory_reference(struct cpu *cpu, struct timing *t, const struct reference *r);

/** memory_fetch() - when a line of instructions is there that is wanted from L2 at @now */
u64 memory_fetch(struct cpu *cpu, struct timing *t, u64 pa, u64 now);

/* Translations that are gone from the L2 TLBs, as noted, go from the L1 TLBs too. */
void memory_forget(struct cpu *cpu, struct timing *t);

/**
 * memory_walk() - the walker does a walk, behind those that were wanted before
 * @pa: where it loads, or NO_TABLE
 * @now: when it is wanted
 *
 * Return: when it is done
 */
u64 memory_walk(struct cpu *cpu, struct timing *t, u64 pa, u64 now);

#endif
