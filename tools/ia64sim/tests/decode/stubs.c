// SPDX-License-Identifier: GPL-2.0
/*
 * Stand-ins for what executes instructions, see stubs.h.
 */
#include <string.h>

#include "stubs.h"

void stub_illegal(struct cpu *cpu, const struct insn *i)
{
	(void)cpu;
	(void)i;
}

void stub_nop(struct cpu *cpu, const struct insn *i)
{
	(void)cpu;
	(void)i;
}

void stub_other(struct cpu *cpu, const struct insn *i)
{
	(void)cpu;
	(void)i;
}

/* By what insn.def names: several instructions are nops, and vmsw is illegal. */
static const char *const functions[N_OPCODES] = {
	[OP_illegal] = "illegal",
#define INSN(op, function, ...)	[OP_##op] = #function,
#include "isa/insn.def"
#undef INSN
};

static exec_fn stub(const char *function)
{
	if (strcmp(function, "illegal") == 0)
		return stub_illegal;
	return strcmp(function, "nop") == 0 ? stub_nop : stub_other;
}

const exec_fn *stubs(void)
{
	static exec_fn table[N_OPCODES];

	if (!table[OP_illegal])
		for (unsigned int op = 0; op < N_OPCODES; op++)
			table[op] = stub(functions[op]);
	return table;
}
