// SPDX-License-Identifier: GPL-2.0
/*
 * Opcodes by what the rules say of them.  Operands are those that the cycle model has
 * of the formats; it looks at the same registers.
 */
#include "strict/ops.h"

/* The words of formats.def; what a register is used for does not matter here. */
enum {
	G2 = OPERAND_G2, G3 = OPERAND_G3, F2 = OPERAND_F2, F3 = OPERAND_F3, F4 = OPERAND_F4,
	TO_G1 = OPERAND_TO_G1, TO_BASE = OPERAND_TO_BASE, TO_F1 = OPERAND_TO_F1,
	TO_F2 = OPERAND_TO_F2,
};

#define as_address(operands)	(operands)
#define to_mm(operands)		(operands)
#define to_store(operands)	(operands)

enum format {
#define FORMAT(name, ...)	FMT_##name,
#include "timing/formats.def"
#undef FORMAT
	FMT_NONE,		/* an illegal instruction reads and writes nothing */
	N_FORMATS
};

static const u16 operands_of[N_FORMATS] = {
#define FORMAT(name, port, result, operands)	[FMT_##name] = operands,
#include "timing/formats.def"
#undef FORMAT
};

static const u8 format_of[N_OPCODES] = {
	[OP_illegal] = FMT_NONE,
#define INSN(op, function, unit, format, ...)	[OP_##op] = FMT_##format,
#include "isa/insn.def"
#undef INSN
};

static const u16 flags_of[N_FORMATS] = {
	[FMT_A6] = IS_COMPARE, [FMT_A7] = IS_COMPARE, [FMT_A8] = IS_COMPARE,
	[FMT_A6U] = IS_COMPARE | RUNS_OFF, [FMT_A8U] = IS_COMPARE | RUNS_OFF,
	[FMT_I16] = IS_COMPARE, [FMT_I16U] = IS_COMPARE | RUNS_OFF,
	[FMT_I17] = IS_COMPARE, [FMT_I17U] = IS_COMPARE | RUNS_OFF,
	[FMT_I30] = IS_COMPARE, [FMT_I30U] = IS_COMPARE | RUNS_OFF,
	[FMT_F4] = IS_COMPARE | USES_SF,
	[FMT_F4U] = IS_COMPARE | USES_SF | RUNS_OFF,
	[FMT_F5] = IS_COMPARE, [FMT_F5U] = IS_COMPARE | RUNS_OFF,
	[FMT_F6] = WRITES_P2 | USES_SF | RUNS_OFF,
	[FMT_F7] = WRITES_P2 | USES_SF | RUNS_OFF,
	[FMT_F1] = USES_SF, [FMT_F8] = USES_SF, [FMT_F10] = USES_SF,

	[FMT_M1] = IS_LOAD | HAS_KIND, [FMT_M2] = IS_LOAD | HAS_KIND,
	[FMT_M3] = IS_LOAD | HAS_KIND, [FMT_M4] = IS_STORE, [FMT_M5] = IS_STORE,
	[FMT_M6] = IS_LOAD | HAS_KIND, [FMT_M7] = IS_LOAD | HAS_KIND,
	[FMT_M8] = IS_LOAD | HAS_KIND, [FMT_M9] = IS_STORE, [FMT_M10] = IS_STORE,
	[FMT_M11] = IS_LOAD | HAS_KIND, [FMT_M12] = IS_LOAD | HAS_KIND,
	[FMT_M12S] = IS_LOAD | HAS_KIND,
	[FMT_M13] = IS_LFETCH | IS_NON_ACCESS, [FMT_M14] = IS_LFETCH | IS_NON_ACCESS,
	[FMT_M15] = IS_LFETCH | IS_NON_ACCESS, [FMT_M28] = IS_NON_ACCESS,
	[FMT_M16] = IS_LOAD | IS_STORE, [FMT_M17] = IS_LOAD | IS_STORE,
	[FMT_M16L] = IS_LOAD, [FMT_M16S] = IS_STORE,
	[FMT_M38] = IS_PROBE | IS_NON_ACCESS, [FMT_M39] = IS_PROBE | IS_NON_ACCESS,
	[FMT_M40] = IS_PROBE | IS_NON_ACCESS,

	[FMT_B1] = IS_BRANCH, [FMT_B1W] = IS_BRANCH, [FMT_B3] = IS_BRANCH,
	[FMT_B4] = IS_BRANCH, [FMT_B5] = IS_BRANCH, [FMT_B9] = IS_BRANCH,
	[FMT_X3] = IS_BRANCH, [FMT_X4] = IS_BRANCH,
};

static const u16 releasing[] = {
	OP_st1_rel, OP_st2_rel, OP_st4_rel, OP_st8_rel, OP_st1_rel_inc, OP_st2_rel_inc,
	OP_st4_rel_inc, OP_st8_rel_inc, OP_st16_rel, OP_cmpxchg1_rel, OP_cmpxchg2_rel,
	OP_cmpxchg4_rel, OP_cmpxchg8_rel, OP_cmp8xchg16_rel, OP_fetchadd4_rel, OP_fetchadd8_rel,
};

struct strict_op strict_ops[N_OPCODES];

void strict_ops_create(void)
{
	for (unsigned int op = 0; op < N_OPCODES; op++)
		strict_ops[op] = (struct strict_op){
			.flags = flags_of[format_of[op]], .operands = operands_of[format_of[op]],
		};
	for (unsigned int n = 0; n < sizeof(releasing) / sizeof(releasing[0]); n++)
		strict_ops[releasing[n]].flags |= IS_RELEASE;
	strict_ops[OP_tpa].flags |= IS_NON_ACCESS;
	strict_ops[OP_tak].flags |= IS_NON_ACCESS;
}
