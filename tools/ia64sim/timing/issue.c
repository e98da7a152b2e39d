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

/* When this use of a register is possible. */
static u64 ready_for(u64 ready, unsigned int use)
{
	return (ready >> READY_SHIFT) + (ready >> use & 1);
}

void issue_operands(struct cpu *cpu, struct timing *t, const struct insn *i,
		    const struct slot_timing *s)
{
	unsigned int operands = s->operands;
	unsigned int store = operands & OPERAND_TO_STORE ? USE_STORE : USE_PLAIN;

	if (__builtin_expect(t->predicates >> i->pred & 1, 0))
		issue_not_before(cpu, t, t->predicates_ready - (s->flags & SLOT_BRANCH ? 1 : 0));
	if (operands & OPERAND_G2)
		issue_not_before(cpu, t, ready_for(t->gr[cpu->grmap[i->r2]],
						operands >> USE_OF_G2 & USE_MASK));
	if (operands & OPERAND_G3)
		issue_not_before(cpu, t, ready_for(t->gr[cpu->grmap[i->r3]],
						operands >> USE_OF_G3 & USE_MASK));
	if (operands & OPERAND_TO_G1)
		issue_not_before(cpu, t, ready_for(t->gr[cpu->grmap[i->r1]], USE_PLAIN));
	if (__builtin_expect(!(operands & (OPERAND_F2 | OPERAND_F3 | OPERAND_F4 | OPERAND_TO_F1)),
			     1))
		return;
	if (operands & OPERAND_F2)
		issue_not_before(cpu, t, ready_for(t->fr[cpu->frmap[i->r2]], store));
	if (operands & OPERAND_F3)
		issue_not_before(cpu, t, ready_for(t->fr[cpu->frmap[i->r3]], USE_PLAIN));
	if (operands & OPERAND_F4)
		issue_not_before(cpu, t, ready_for(t->fr[cpu->frmap[i->r4]], USE_PLAIN));
	if (operands & OPERAND_TO_F1)
		issue_not_before(cpu, t, ready_for(t->fr[cpu->frmap[i->r1]], USE_PLAIN));
	if (operands & OPERAND_TO_F2)
		issue_not_before(cpu, t, ready_for(t->fr[cpu->frmap[i->r2]], USE_PLAIN));
}

void issue_long_results(const struct cpu *cpu, struct timing *t, const struct insn *i,
			const struct slot_timing *s, u64 latency)
{
	unsigned int operands = s->operands;
	u64 when = (cpu->cycles << READY_SHIFT) + latency;

	if ((when >> READY_SHIFT) + 1 > t->latest)
		t->latest = (when >> READY_SHIFT) + 1;
	if (operands & OPERAND_TO_G1) {
		issue_result(t, &t->gr[cpu->grmap[i->r1]], when);
		return;
	}
	if (operands & OPERAND_TO_F1)
		issue_result(t, &t->fr[cpu->frmap[i->r1]], when);
	if (operands & OPERAND_TO_F2)
		issue_result(t, &t->fr[cpu->frmap[i->r2]], when);
	if (s->result == RESULT_FCMP || s->result == RESULT_FRCPA) {
		t->predicates = (BIT(i->p1) | BIT(i->p2)) & ~1ULL;
		t->predicates_ready = cpu->cycles + (s->result == RESULT_FCMP ? t->params.fcmp :
						     t->params.frcpa);
		if (t->predicates_ready > t->latest)
			t->latest = t->predicates_ready;
	}
}
