/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Running a processor.
 */
#ifndef RUN_H
#define RUN_H

#include "state/machine.h"

/* Power-on. */
void cpu_reset(struct cpu *cpu);

/* Run one processor for at most @budget cycles, fewer when it halts. */
void cpu_run(struct cpu *cpu, u64 budget);

#endif
