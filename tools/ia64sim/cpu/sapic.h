/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The local SAPIC of a processor.
 */
#ifndef SAPIC_H
#define SAPIC_H

#include "state/machine.h"

/* IVR while nothing is pending. */
enum { SAPIC_SPURIOUS = 15 };

/* External interrupt @vector becomes pending at @cpu. */
void sapic_interrupt(struct cpu *cpu, unsigned int vector);
/* IVR, EOI, TPR, LID: SDM 2:123 */
u64 sapic_read_ivr(struct cpu *cpu);
void sapic_eoi(struct cpu *cpu);
void sapic_update(struct cpu *cpu);	/* interrupt_pending after a change */
/* Highest pending vector that TPR and the ones in service let through, or -1. */
int sapic_deliverable(const struct cpu *cpu);
void sapic_reset(struct cpu *cpu);
/* ITM, ITV or ITC was written: next_timer follows. */
void sapic_timer_changed(struct cpu *cpu);
/* cycles has reached next_timer: the interval timer's interrupt. */
void sapic_timer_expired(struct cpu *cpu);
/* A performance counter has overflowed: the interrupt of PMV. */
void sapic_monitor(struct cpu *cpu);

#endif
