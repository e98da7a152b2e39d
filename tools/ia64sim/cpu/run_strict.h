/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Running a processor while -strict looks on.
 */
#ifndef RUN_STRICT_H
#define RUN_STRICT_H

#include "state/machine.h"

/** run_strict() - cpu_run() of a processor with LOOP_STRICT */
void run_strict(struct cpu *cpu, u64 budget);

#endif
