/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Issue: which instructions go together in a cycle, and in which cycle.
 *
 * An Itanium 2 takes up to two bundles a cycle, in order.  A stop ends a cycle, and so
 * does an instruction without a free port.  The cycle waits until all its operands are
 * there, of all its instructions whose predicate is true.
 */
#ifndef TIMING_ISSUE_H
#define TIMING_ISSUE_H

#include "timing/timing.h"

/**
 * issue_end_cycle() - the open cycle has all its instructions
 * @bundles: that the next one has begun with: 1 inside of a bundle
 */
static inline void issue_end_cycle(struct cpu *cpu, struct timing *t, unsigned int bundles)
{
	t->n_pending = 0;
	t->ports = PORTS_EMPTY;
	t->bundles = bundles;
	cpu->cycles++;
}

/* The same where the cycle may have no instruction yet. */
static inline void issue_flush(struct cpu *cpu, struct timing *t)
{
	if (t->bundles)
		issue_end_cycle(cpu, t, 0);
}

/** issue_branch() - a branch was taken, the cycle ends */
static inline void issue_branch(struct cpu *cpu, struct timing *t)
{
	issue_flush(cpu, t);
	t->taken = true;
}

/**
 * issue_bundle() - the next instruction is the first of a bundle
 * @template: of the bundle
 * @ip: its address
 *
 * Two bundles are fetched together, of 32 aligned bytes: of these a branch into the
 * second half loses the first.  Later the instruction buffer hides the boundaries.
 */
static inline void issue_bundle(struct cpu *cpu, struct timing *t, unsigned int template, u64 ip)
{
	unsigned int behind = t->template;

	t->template = template >> 1;
	if (t->bundles == 1 && timing_may_follow[t->template] >> behind & 1) {
		t->bundles = 2;
		return;
	}
	issue_flush(cpu, t);
	t->bundles = t->taken && ip & 16 ? 2 : 1;
	t->taken = false;
}

/* issue_slot() without a free port of the kind. */
void issue_without_port(struct cpu *cpu, struct timing *t, const struct slot_timing *s);

/* A port for the next slot, in a new cycle if this one has none. */
static inline void issue_slot(struct cpu *cpu, struct timing *t, const struct slot_timing *s)
{
	if (__builtin_expect((t->ports + s->check) & PORTS_FULL, 0))
		issue_without_port(cpu, t, s);
	else
		t->ports += s->ports;
}

/* issue_not_before() where it is. */
void issue_stall(struct cpu *cpu, struct timing *t, u64 cycle, enum stall cause);

/* The open cycle is not before this one, nor are the results that it has already. */
static inline void issue_not_before(struct cpu *cpu, struct timing *t, u64 cycle,
				    enum stall cause)
{
	if (__builtin_expect(cycle > cpu->cycles, 0))
		issue_stall(cpu, t, cycle, cause);
}

/* Of issue_wait() and issue_results(), what is not for the host's fast path. */
void issue_operands(struct cpu *cpu, struct timing *t, const struct insn *i,
		    const struct slot_timing *s);
void issue_long_results(const struct cpu *cpu, struct timing *t, const struct insn *i,
			const struct slot_timing *s, u64 latency, u64 least);

/**
 * issue_wait() - the open cycle waits for the operands of the next slot
 *
 * That includes its targets: a result may not overtake one that is still to come.
 */
static inline void issue_wait(struct cpu *cpu, struct timing *t, const struct insn *i,
			      const struct slot_timing *s)
{
	/* Otherwise only results of the cycle before are new, and late for multimedia alone. */
	if (cpu->cycles < t->latest || s->operands & OPERAND_MM)
		issue_operands(cpu, t, i, s);
}

static inline void issue_result(struct timing *t, u64 *ready, u64 now, u64 latency, u64 least)
{
	*ready = (now << READY_SHIFT) + latency;
	t->pending[t->n_pending++] = (struct pending){ ready, least };
}

/* The target of an integer load. */
static inline void issue_loaded(const struct cpu *cpu, struct timing *t, const struct insn *i,
				u64 latency)
{
	u64 when = cpu->cycles + (latency >> READY_SHIFT) + 1;

	if (when > t->latest)
		t->latest = when;
	issue_result(t, &t->gr[cpu->grmap[i->r1]], cpu->cycles, latency,
		     latency < t->l2_load ? latency : t->l2_load);
}

/* A base that was updated is there in the next cycle. */
static inline void issue_base(const struct cpu *cpu, struct timing *t, const struct insn *i)
{
	issue_result(t, &t->gr[cpu->grmap[i->r3]], cpu->cycles, t->of[RESULT_ALU],
		     t->of[RESULT_ALU]);
}

/**
 * issue_results() - an instruction has executed: when its targets can be used
 * @latency: of its result
 */
static inline void issue_results(const struct cpu *cpu, struct timing *t, const struct insn *i,
				 const struct slot_timing *s, u64 latency)
{
	if (s->result == RESULT_ALU)
		issue_result(t, &t->gr[cpu->grmap[i->r1]], cpu->cycles, latency, latency);
	else if (s->flags & SLOT_RESULT)
		issue_long_results(cpu, t, i, s, latency, latency);
}

#endif
