/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The run loop of -timing madison.
 */
#ifndef RUN_TIMED_H
#define RUN_TIMED_H

#include "state/cpu.h"

/**
 * run_timed() - cpu_run() for a processor with a cycle model
 *
 * It may pass the end of its budget, by what the last bundle takes.
 */
void run_timed(struct cpu *cpu, u64 budget, u64 tries);

#endif
