/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the run loops share: single instructions, and counting.
 */
#ifndef STEP_H
#define STEP_H

#include "cpu/interrupt.h"
#include "cpu/sapic.h"
#include "mmu/code.h"
#include "pmu/pmu.h"

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)

/* Traps that every instruction has to ask for. */
#define PSR_TRAPS	(BIT(PSR_SS) | BIT(PSR_TB) | BIT(PSR_LP))

/**
 * typedef slot_fn - execute one slot of a decoded bundle, and count it
 * @page: where the bundle stands
 * @b: the bundle
 * @n: the slot, which is cpu->slot
 */
typedef void (*slot_fn)(struct cpu *cpu, struct code_page *page, struct bundle *b,
			unsigned int n);

/**
 * step() - fetch, trace and execute one instruction, and raise its traps
 * @execute: how
 *
 * Not inside the run loops, which call setjmp(): nothing stays in host registers there.
 *
 * Return: whether the next one is the next of the same bundle
 */
bool step(struct cpu *cpu, slot_fn execute);

/* Is there something to ask for at every instruction? */
static inline bool psr_needs_step(const struct cpu *cpu)
{
	if (unlikely(cpu->psr & (PSR_ONE_SHOT | PSR_TRAPS)))
		return true;
	if (unlikely(psr(cpu, PSR_DB))) {
		for (int n = 1; n < N_BREAKPOINTS; n += 2)
			if (cpu->ibr[n] >> 63)
				return true;
	}
	return false;
}

/* Has a performance counter come to where it may wrap around? */
static inline bool monitors_wait(const struct cpu *cpu)
{
	return unlikely(cpu->cycles >= cpu->pmu.limit);
}

static inline void ask_monitors(struct cpu *cpu)
{
	if (monitors_wait(cpu) && pmu_look(cpu))
		sapic_monitor(cpu);
}

/* Instructions so far, for the level that they ran at. */
static inline void count_instructions(struct cpu *cpu)
{
	u64 tried = cpu_tried(cpu);

	cpu->stats.instructions[cpu->counted_level] += tried - cpu->counted;
	cpu->counted = tried;
	cpu->counted_level = cpl(cpu);
}

#endif
