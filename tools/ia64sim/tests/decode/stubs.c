// SPDX-License-Identifier: GPL-2.0
/*
 * Stand-ins for every exec function, so that the decoder can be tested alone.
 * They are weak: a test defines those that it wants to tell apart.
 */
#include "../../insn.h"

void exec_stub(struct cpu *cpu, const struct insn *i);

void exec_stub(struct cpu *cpu, const struct insn *i)
{
	(void)cpu;
	(void)i;
}

#define ALIAS(function) \
	__asm__(".weak exec_" #function "\n\t.set exec_" #function ", exec_stub");
ALIAS(illegal)
#define INSN(op, function, ...)	ALIAS(function)
#include "../../insn.def"
