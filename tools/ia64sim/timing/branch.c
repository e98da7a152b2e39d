// SPDX-License-Identifier: GPL-2.0
/*
 * Prediction of branches: by hints, by what a branch did before, by calls for returns, by
 * the counter for counted loops.
 */
#include "timing/branch.h"
#include "timing/fetch.h"

enum { WHETHER = 3, TAKEN_FIXED = 0, NOT_TAKEN_FIXED, TAKEN_FIRST, NOT_TAKEN_FIRST };
enum { MANY = 1 << 2 };		/* of struct insn.hint */

static void lose(struct cpu *cpu, u64 cycles, enum stall cause)
{
	cpu->cycles += cycles;
	cpu->stats.time.stall[cause] += cycles;
}

/* Fetch begins anew, at @ip. */
static void recover(struct cpu *cpu, struct timing *t, u64 ip)
{
	lose(cpu, t->params.mispredict, STALL_BRANCH);
	fetch_anew(t, ip, cpu->cycles + 1);
}

/* Whether it is taken, as its counter said before it learnt. */
static bool __attribute__((noinline))
foretell(struct predictor *p, const struct insn *i, u64 place, bool taken)
{
	u8 *history = &p->history[place % HISTORIES];
	u8 *counter = &p->counter[(place << HISTORY_BITS | *history) % COUNTERS];
	bool foretold;

	if (!*counter)
		*counter = (i->hint & WHETHER) == TAKEN_FIRST ? 3 : 2;
	foretold = *counter >= 3;
	if (taken && *counter < 4)
		++*counter;
	else if (!taken && *counter > 1)
		--*counter;
	*history = (*history << 1 | taken) & MASK(HISTORY_BITS);
	return foretold;
}

static bool predicted(struct predictor *p, const struct insn *i, u64 place, bool taken)
{
	switch (i->hint & WHETHER) {
	case TAKEN_FIXED:
		return taken;
	case NOT_TAKEN_FIXED:
		return !taken;
	}
	return foretell(p, i, place, taken) == taken;
}

void branch_done(struct cpu *cpu, struct timing *t, const struct insn *i, u64 ip, bool taken)
{
	struct predictor *p = &t->predictor;
	u64 place = (ip >> 4) + i->imm, late = 0;	/* a bundle may have several */
	bool right;

	switch (i->op) {
	case OP_br_cloop:
	case OP_br_ctop:
	case OP_br_cexit:
		right = true;
		break;
	case OP_br_cond:
	case OP_br_wtop:
	case OP_br_wexit:
	case OP_brl_cond:
	case OP_br_call:
	case OP_brl_call:
		right = predicted(p, i, place, taken);
		break;
	case OP_br_cond_ind:
	case OP_br_call_ind:
		/* Its target is read early. */
		right = predicted(p, i, place, taken);
		if (taken && right) {
			right = cpu->cycles >= p->written[i->r2] + t->params.br_early;
			late = t->params.br_indirect;
		}
		break;
	case OP_br_ret:
		right = predicted(p, i, place, taken);
		if (taken) {
			right = right && p->target[--p->n_returns % RETURNS] == cpu->ip;
			late = t->params.br_return;
		}
		break;
	default:
		return;
	}
	if (taken) {
		if (i->op == OP_br_call || i->op == OP_brl_call || i->op == OP_br_call_ind)
			p->target[p->n_returns++ % RETURNS] = ip + 16;
		t->streams = i->hint & MANY;
	}
	if (!right) {
		cpu->stats.time.event[EVENT_MISPREDICTED]++;
		recover(cpu, t, taken ? cpu->ip : ip);
	} else if (taken) {
		fetch_branch(t, ip, cpu->ip);
		if (late)
			lose(cpu, fetch_bubble(t, cpu->ip, cpu->cycles + 1, late), STALL_TARGET);
	}
}

void branch_recover(struct cpu *cpu, struct timing *t)
{
	recover(cpu, t, cpu->ip);
}
