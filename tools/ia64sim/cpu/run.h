/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Running a processor.
 */
#ifndef RUN_H
#define RUN_H

#include "state/machine.h"

/* Power-on. */
void cpu_reset(struct cpu *cpu);

/**
 * cpu_run() - run one processor, until it halts at the latest
 * @budget: for about so many cycles; without -timing, exactly
 * @tries: but for no more tries of instructions than these
 */
void cpu_run(struct cpu *cpu, u64 budget, u64 tries);

#endif
