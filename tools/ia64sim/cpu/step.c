// SPDX-License-Identifier: GPL-2.0
/*
 * Single instructions, with everything that can be asked of one.
 */
#include "cpu/interrupt.h"
#include "cpu/refs.h"
#include "cpu/step.h"
#include "watch/trace.h"

bool __attribute__((noinline)) step(struct cpu *cpu, slot_fn execute)
{
	struct code_page *page = fetch(cpu);
	struct bundle *b = &page->bundle[(cpu->ip & (SOFT_PAGE - 1)) / 16];
	u64 ip = cpu->ip, before = cpu->psr, level = cpl(cpu), code = 0;
	unsigned int slot = cpu->slot;
	bool taken, on;

	if (b->run == RUN_DECODE)
		fetch_decode(page, b);
	if (slot >= b->n)
		raise_illegal(cpu);
	if (tracing(cpu->machine, TRACE_INSN))
		trace_insn(cpu, &b->slot[slot]);
	cpu->stepping = true;
	execute(cpu, page, b, slot);
	cpu->stepping = false;
	if (before & BIT(PSR_IC))
		cpu->iipa = ip;

	taken = cpu->branched == BRANCHED;
	on = !cpu->branched;
	if (on) {
		cpu->slot = slot + 1;
		if (cpu->slot == b->n) {
			cpu->slot = 0;
			cpu->ip += 16;
		}
	}
	cpu->branched = BRANCHED_NOT;
	if (before & PSR_ONE_SHOT)
		set_psr(cpu, cpu->psr & ~(before & PSR_ONE_SHOT));

	if (before & BIT(PSR_SS))
		code |= TRAP_SINGLE_STEP;
	if (before & BIT(PSR_TB) && taken)
		code |= TRAP_TAKEN_BRANCH;
	if (before & BIT(PSR_LP) && cpl(cpu) > level)
		code |= TRAP_LOWER_PRIVILEGE;
	if (code)
		trap(cpu, trap_vector(code), code | (u64)slot << ISR_EI);
	return on && cpu->slot && !code;
}
