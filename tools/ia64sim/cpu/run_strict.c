// SPDX-License-Identifier: GPL-2.0
/*
 * The run loop of -strict: what run.c does while it traces instructions, one by one, and
 * around each the checks of strict/.  What is simulated is the same, but for the stores
 * and turns that are to be otherwise.
 */
#include "cpu/interrupt.h"
#include "cpu/refs.h"
#include "cpu/rse.h"
#include "cpu/run_strict.h"
#include "cpu/sapic.h"
#include "cpu/step.h"
#include "strict/strict.h"

static void execute_slot(struct cpu *cpu, struct code_page *page, struct bundle *b, unsigned int n)
{
	const struct insn *i = &b->slot[n];
	u64 ip = strict_ip(cpu);
	bool on = pr(cpu, i->qp);

	if (!n)
		strict_fetched(cpu, page->ram + (b - page->bundle) * 16);
	strict_before(cpu, i, on);
	if (on)
		i->exec(cpu, i);
	else
		cpu->stats.squashed++;
	cpu->cycles++;
	strict_after(cpu, i, on, ip);
}

/* No room for the three slots of a bundle, or something to ask for at every one. */
static bool needs_step(const struct cpu *cpu)
{
	u64 stop = cpu->run_end < cpu->pmu.limit ? cpu->run_end : cpu->pmu.limit;

	return psr_needs_step(cpu) || stop - cpu->cycles < 3;
}

static void run(struct cpu *cpu)
{
	/* raise_vector() and its kin come back here, with ip where to go on. */
	if (setjmp(cpu->interruption) == RETRY)
		cpu->pmu.limit = cpu->cycles + 1;	/* alone, and look then */
	cpu->branched = BRANCHED_NOT;
	cpu->stepping = false;
	for (;;) {
		strict_left(cpu);
		count_instructions(cpu);
		ask_monitors(cpu);
		if (cpu->cycles >= cpu->next_timer)
			sapic_timer_expired(cpu);
		if (cpu->cycles >= cpu->run_end || cpu->halted || cpu->machine->powered_off)
			break;
		if (cpu->rse_cfle) {
			rse_complete_frame(cpu);
			ask_monitors(cpu);
		}
		if (cpu->interrupt_pending && psr(cpu, PSR_I)) {
			deliver(cpu, VEC_EXTERNAL_INTERRUPT, 0);
			continue;
		}
		if (needs_step(cpu))
			step(cpu, execute_slot);
		else
			while (step(cpu, execute_slot) && !monitors_wait(cpu))
				;
	}
}

void run_strict(struct cpu *cpu, u64 budget)
{
	cpu->run_end = cpu->cycles + budget;
	cpu->counted = cpu_tried(cpu);
	cpu->counted_level = cpl(cpu);
	strict_turn_begins(cpu);
	run(cpu);
	strict_turn_ends(cpu);
}
