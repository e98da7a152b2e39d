/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the rules have to know of an instruction, by its opcode: the classes of SDM
 * volume 3, section 5.3.
 */
#ifndef STRICT_OPS_H
#define STRICT_OPS_H

#include "isa/insn.h"
#include "timing/slots.h"

enum {
	IS_LOAD = 1 << 0,	/* mem-readers */
	IS_STORE = 1 << 1,	/* mem-writers; semaphores are both */
	HAS_KIND = 1 << 2,	/* x has LD_...: speculation, checks */
	IS_LFETCH = 1 << 3,
	IS_PROBE = 1 << 4,
	IS_NON_ACCESS = 1 << 5,	/* fc, lfetch, probe, tpa, tak */
	IS_RELEASE = 1 << 6,	/* store or semaphore */
	IS_BRANCH = 1 << 7,	/* reads its predicate behind a compare of the same group */
	IS_COMPARE = 1 << 8,	/* writes p1 and p2 */
	WRITES_P2 = 1 << 9,	/* writes p2 alone */
	USES_SF = 1 << 10,	/* arithmetic with a status field: controls and flags */
	RUNS_OFF = 1 << 11, /* does something with a false predicate, too */
};

/**
 * struct strict_op - an opcode
 * @flags: as above
 * @operands: enum operands, without the uses
 */
struct strict_op {
	u16 flags;
	u16 operands;
};

extern struct strict_op strict_ops[N_OPCODES];

/* Fills it in; once. */
void strict_ops_create(void);

/* How speculative a load is, LD_...; LD_NONE for the others. */
static inline unsigned int load_kind(const struct insn *i)
{
	return strict_ops[i->op].flags & HAS_KIND ? i->x >> 2 : LD_NONE;
}

/* Is it a check that loads when the ALAT says so? */
static inline bool is_check_load(const struct insn *i)
{
	return load_kind(i) & LD_C_NC;
}

/* May it defer faults? */
static inline bool is_control_speculative(const struct insn *i)
{
	return (load_kind(i) & (LD_C_NC | LD_S)) == LD_S;
}

#endif
