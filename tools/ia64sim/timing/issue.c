// SPDX-License-Identifier: GPL-2.0
/*
 * Issue, the parts of it that are not needed for each instruction; and the scoreboard,
 * which knows when registers can be used.
 */
#include "timing/issue.h"

void issue_without_port(struct cpu *cpu, struct timing *t, const struct slot_timing *s)
{
	/* An A instruction in a slot of kind I may go to an M port. */
	if (s->flags & SLOT_A_IN_I && !((t->ports + PORTS_ONE_M) & PORTS_FULL)) {
		t->ports += PORTS_ONE_M;
		return;
	}
	issue_end_cycle(cpu, t, 1);
	t->ports += s->ports;
}

/* Up to @end, of what is to be explained of a stall from @from on. */
static u64 explain(struct cpu *cpu, u64 from, u64 end, u64 until, enum stall cause)
{
	if (until > end)
		until = end;
	if (until <= from)
		return from;
	cpu->stats.time.stall[cause] += until - from;
	return until;
}

void issue_stall(struct cpu *cpu, struct timing *t, u64 cycle, enum stall cause)
{
	u64 from = cpu->cycles;

	for (unsigned int n = 0; n < t->n_pending; n++) {
		u64 ready = (cycle << READY_SHIFT) + t->pending[n].least;

		if (ready > *t->pending[n].ready) {
			*t->pending[n].ready = ready;
			if ((ready >> READY_SHIFT) + 1 > t->latest)
				t->latest = (ready >> READY_SHIFT) + 1;
		}
	}
	cpu->cycles = cycle;
	/* Who waits for a load waits for the translation first. */
	if (cause == STALL_LOAD || cause == STALL_FLOAT) {
		from = explain(cpu, from, cycle, t->walker_free, STALL_WALK);
		from = explain(cpu, from, cycle, t->transfer_until, STALL_DTLB);
	}
	explain(cpu, from, cycle, cycle, cause);
}

/* When a use of a register is possible, in the form of a result: the latest is the greatest. */
ALWAYS_INLINE u64 later_of(u64 wait, u64 ready, unsigned int use)
{
	ready += (ready >> use & 1) << READY_SHIFT;
	return ready > wait ? ready : wait;
}

static enum stall cause_of(u64 ready)
{
	switch (ready & MADE_BY_FLOAT) {
	case MADE_BY_LOAD:
		return STALL_LOAD;
	case MADE_BY_CONTROL:
		return STALL_CONTROL;
	case MADE_BY_FLOAT:
		return STALL_FLOAT;
	}
	return (ready & MASK(READY_SHIFT)) == MADE_BY_COMPARE ? STALL_PREDICATE : STALL_GENERAL;
}

/* issue_operands() of an instruction with floating-point operands, which waits for @wait. */
static void __attribute__((noinline))
float_operands(struct cpu *cpu, struct timing *t, const struct insn *i, unsigned int operands,
	       u64 wait)
{
	unsigned int store = operands & OPERAND_TO_STORE ? USE_STORE : USE_PLAIN;

	if (operands & OPERAND_F2)
		wait = later_of(wait, t->fr[cpu->frmap[i->r2]], store);
	if (operands & OPERAND_F3)
		wait = later_of(wait, t->fr[cpu->frmap[i->r3]], USE_PLAIN);
	if (operands & OPERAND_F4)
		wait = later_of(wait, t->fr[cpu->frmap[i->r4]], USE_PLAIN);
	if (operands & OPERAND_TO_F1)
		wait = later_of(wait, t->fr[cpu->frmap[i->r1]], USE_PLAIN);
	if (operands & OPERAND_TO_F2)
		wait = later_of(wait, t->fr[cpu->frmap[i->r2]], USE_PLAIN);
	if (wait >> READY_SHIFT > cpu->cycles)
		issue_stall(cpu, t, wait >> READY_SHIFT, cause_of(wait));
}

void issue_operands(struct cpu *cpu, struct timing *t, const struct insn *i,
		    const struct slot_timing *s)
{
	unsigned int operands = s->operands;
	u64 wait = 0;

	if (__builtin_expect(t->predicates >> i->pred & 1, 0))
		wait = LATENCY(t->predicates_ready - (s->flags & SLOT_BRANCH ? 1 : 0),
			       MADE_BY_COMPARE);
	if (operands & OPERAND_G2)
		wait = later_of(wait, t->gr[cpu->grmap[i->r2]], operands >> USE_OF_G2 & USE_MASK);
	if (operands & OPERAND_G3)
		wait = later_of(wait, t->gr[cpu->grmap[i->r3]], operands >> USE_OF_G3 & USE_MASK);
	if (operands & OPERAND_TO_G1)
		wait = later_of(wait, t->gr[cpu->grmap[i->r1]], USE_PLAIN);
	if (__builtin_expect(operands & (OPERAND_F2 | OPERAND_F3 | OPERAND_F4 |
					 OPERAND_TO_F1), 0))
		float_operands(cpu, t, i, operands, wait);
	else if (wait >> READY_SHIFT > cpu->cycles)
		issue_stall(cpu, t, wait >> READY_SHIFT, cause_of(wait));
}

void issue_long_results(const struct cpu *cpu, struct timing *t, const struct insn *i,
			const struct slot_timing *s, u64 latency, u64 least)
{
	unsigned int operands = s->operands;
	u64 now = cpu->cycles, when = now + (latency >> READY_SHIFT) + 1;

	if (when > t->latest)
		t->latest = when;
	if (operands & OPERAND_TO_G1) {
		issue_result(t, &t->gr[cpu->grmap[i->r1]], now, latency, least);
		return;
	}
	if (operands & OPERAND_TO_F1)
		issue_result(t, &t->fr[cpu->frmap[i->r1]], now, latency, least);
	if (operands & OPERAND_TO_F2)
		issue_result(t, &t->fr[cpu->frmap[i->r2]], now, latency, least);
	if (s->result == RESULT_BRANCH)
		t->predictor.written[i->r1] = now;
	if (s->result == RESULT_FCMP || s->result == RESULT_FRCPA) {
		t->predicates = (BIT(i->p1) | BIT(i->p2)) & ~1ULL;
		t->predicates_ready = cpu->cycles + (s->result == RESULT_FCMP ? t->params.fcmp :
						     t->params.frcpa);
		if (t->predicates_ready > t->latest)
			t->latest = t->predicates_ready;
	}
}
