/* SPDX-License-Identifier: GPL-2.0 */
/*
 * System instructions and interruptions.
 */
#ifndef TIMING_SYSTEM_H
#define TIMING_SYSTEM_H

#include "timing/timing.h"

/** system_wait() - the open cycle waits for what a system instruction needs */
void system_wait(struct cpu *cpu, struct timing *t, const struct slot_timing *s);

/**
 * system_done() - a system instruction has executed
 *
 * The cycle ends with it if it takes more than that.
 */
void system_done(struct cpu *cpu, struct timing *t, const struct insn *i,
		 const struct slot_timing *s);

/** system_others_purges() - others have purged this processor's TLBs, too, which takes time */
void system_others_purges(struct cpu *cpu, struct timing *t);

/**
 * system_jump() - an instruction did not end as others do
 *
 * It faulted or trapped, or it was an rfi: the pipeline starts anew.  Also for an interrupt,
 * which comes between instructions.
 */
void system_jump(struct cpu *cpu, struct timing *t);

#endif
