/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stand-ins for what executes instructions, so that the decoder can be tested alone.
 */
#ifndef TESTS_DECODE_STUBS_H
#define TESTS_DECODE_STUBS_H

#include "isa/insn.h"

/* One for the illegal, one for nops, one for all others. */
void stub_illegal(struct cpu *cpu, const struct insn *i);
void stub_nop(struct cpu *cpu, const struct insn *i);
void stub_other(struct cpu *cpu, const struct insn *i);

/* For decode_bundle(). */
const exec_fn *stubs(void);

#endif
