// SPDX-License-Identifier: GPL-2.0
/*
 * System instructions by their table (system.def); entry of interruptions and rfi.
 */
#include "timing/fetch.h"
#include "timing/issue.h"
#include "timing/memory.h"
#include "timing/system.h"

enum waits { NOTHING, INSERT, SERIAL, CONTROL, QUEUE, PURGE };

/* Parameters by their place; the usual cycle is the place behind them. */
enum { ONE = sizeof(struct timing_params) / sizeof(u64) };
#define PLACE_one		ONE
#define PLACE(name)		(offsetof(struct timing_params, name) / sizeof(u64))
#define PLACE_itc		PLACE(itc)
#define PLACE_itr		PLACE(itr)
#define PLACE_ptc_l		PLACE(ptc_l)
#define PLACE_ptc_g		PLACE(ptc_g)
#define PLACE_ptc_e		PLACE(ptc_e)
#define PLACE_ptr		PLACE(ptr)
#define PLACE_srlz_i		PLACE(srlz_i)
#define PLACE_psr_write		PLACE(psr_write)
#define PLACE_indirect_write	PLACE(indirect_write)
#define PLACE_bsw		PLACE(bsw)
#define PLACE_mf		PLACE(mf)
#define PLACE_fc		PLACE(fc)

static const struct {
	u8 waits, takes, writes, after;
} table[] = {
	{ 0, 0, 0, 0 },		/* slot_timing.system is 0 for all other instructions */
#define SYSTEM(op, waits, takes, writes, after) \
	{ waits, PLACE_##takes, writes, PLACE_##after },
#include "timing/system.def"
#undef SYSTEM
};

static u64 cycles_of(const struct timing *t, unsigned int place)
{
	return place == ONE ? 1 : ((const u64 *)&t->params)[place];
}

void system_wait(struct cpu *cpu, struct timing *t, const struct slot_timing *s)
{
	switch (table[s->system].waits) {
	case INSERT:
		issue_not_before(cpu, t, t->insert_ready, STALL_CONTROL);
		break;
	case SERIAL:
		issue_not_before(cpu, t, t->serial_ready, STALL_CONTROL);
		break;
	case QUEUE:
	case PURGE:
		issue_not_before(cpu, t, t->queue_last, STALL_ORDER);
		break;
	}
}

static void later(u64 *ready, u64 cycle)
{
	if (cycle > *ready)
		*ready = cycle;
}

/* Control registers: the interruption's own, those of the SAPIC, and those between. */
static void wrote_control(const struct cpu *cpu, struct timing *t, unsigned int cr)
{
	u64 now = cpu->cycles;

	switch (cr) {
	case CR_IFA:
	case CR_ITIR:
		later(&t->insert_ready, now + t->params.cr_insert);
		later(&t->serial_ready, now + t->params.cr_write_slow);
		break;
	case CR_IPSR:
	case CR_IFS:
	case CR_IIM:
	case CR_IHA:
		later(&t->serial_ready, now + t->params.cr_write_slow);
		break;
	case CR_ITM:
		later(&t->serial_ready, now + t->params.cr_write_sapic);
		break;
	default:
		later(&t->serial_ready, now + (cr >= CR_LID ? t->params.cr_write_sapic :
					       t->params.cr_write));
		break;
	}
}

void system_done(struct cpu *cpu, struct timing *t, const struct insn *i,
		 const struct slot_timing *s)
{
	u64 takes = cycles_of(t, table[s->system].takes);

	if (table[s->system].writes == CONTROL)
		wrote_control(cpu, t, i->r3);
	else if (table[s->system].writes == SERIAL)
		later(&t->serial_ready, cpu->cycles + cycles_of(t, table[s->system].after));
	/* Others' purges only delay one that was executed. */
	if (table[s->system].waits == PURGE)
		issue_not_before(cpu, t, bus_purge(t->bus, cpu->cycles), STALL_ORDER);
	if (takes == 1)
		return;
	cpu->cycles += takes - 1;
	cpu->stats.time.stall[i->op == OP_srlz_i ? STALL_EXCEPTION : STALL_CONTROL] += takes - 1;
	if (!(s->flags & SLOT_END))
		issue_end_cycle(cpu, t, !(s->flags & SLOT_LAST));
	if (i->op == OP_srlz_i)
		fetch_anew(t, cpu->ip, cpu->cycles + (s->flags & SLOT_END ? 1 : 0));
}

void system_others_purges(struct cpu *cpu, struct timing *t)
{
	u64 takes = cpu->others_purges * t->params.ptc_remote;

	cpu->others_purges = 0;
	issue_flush(cpu, t);
	issue_not_before(cpu, t, cpu->cycles + takes, STALL_ORDER);
}

void system_jump(struct cpu *cpu, struct timing *t)
{
	u64 end = cpu->cycles, *stall = cpu->stats.time.stall;

	issue_branch(cpu, t);
	for (unsigned int i = 0; i < noted_walks(cpu); i++) {
		end = memory_walk(cpu, t, cpu->walks[i].pa, end);
		if (end > cpu->cycles) {
			stall[cpu->walks[i].fetch ? STALL_ITLB : STALL_WALK] += end - cpu->cycles;
			cpu->cycles = end;
		}
	}
	cpu->n_walks = 0;
	if (cpu->entered)
		end += t->params.entry;
	else if (cpu->returned)
		end += t->params.rfi;
	cpu->entered = cpu->returned = false;
	if (end > cpu->cycles) {
		stall[STALL_EXCEPTION] += end - cpu->cycles;
		cpu->cycles = end;
	}
	fetch_anew(t, cpu->ip, cpu->cycles);
}
