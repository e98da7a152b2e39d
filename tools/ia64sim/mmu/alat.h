/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The advanced load address table.  r is the program's number of a register.
 */
#ifndef ALAT_H
#define ALAT_H

#include "state/machine.h"

void alat_allocate(struct cpu *cpu, bool fp, unsigned int r, u64 pa, unsigned int size);
bool alat_check(struct cpu *cpu, bool fp, unsigned int r, bool clear);
void alat_invalidate_reg(struct cpu *cpu, bool fp, unsigned int r);
void alat_invalidate_all(struct cpu *cpu);
/* A store by any processor. */
void alat_store(struct machine *m, u64 pa, u64 size);
/* Registers from here on (rse_bof counting) have left the frame. */
void alat_frame_top(struct cpu *cpu, s64 top);

#endif
