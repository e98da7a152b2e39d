/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the issue logic has to know of a decoded slot.
 */
#ifndef TIMING_SLOTS_H
#define TIMING_SLOTS_H

#include "isa/insn.h"

/* Where an instruction may go.  The M ports are M0 to M3, of which M0 and M1 take loads,
 * M2 and M3 stores; I0 and I1; F0 and F1.  An A instruction goes to any M port or, from a
 * slot of kind I, to an I port first.
 */
enum issue_port {
	PORT_A, PORT_M, PORT_LOAD, PORT_STORE, PORT_M0, PORT_M2, PORT_I, PORT_I0,
	PORT_F, PORT_F_BOTH, PORT_B, PORT_B_NOP,
};

/* What decides when a result can be used. */
enum result_kind {
	RESULT_NONE, RESULT_ALU, RESULT_MM, RESULT_LOAD, RESULT_FP_LOAD, RESULT_STORE,
	RESULT_PREFETCH, RESULT_SEMAPHORE, RESULT_SETF, RESULT_GETF, RESULT_FP, RESULT_FCMP,
	RESULT_FRCPA, RESULT_BR_READ, RESULT_BRANCH, RESULT_AR, RESULT_AR_FAST, RESULT_ITC,
	RESULT_CR, RESULT_CR_FAST, RESULT_CR_SAPIC, RESULT_PSR, RESULT_PROBE, RESULT_THASH,
	RESULT_INDIRECT, N_RESULTS
};

/* Registers that an instruction reads and writes, and what for. */
enum operands {
	OPERAND_G2 = 1 << 0, OPERAND_G3 = 1 << 1,
	OPERAND_F2 = 1 << 2, OPERAND_F3 = 1 << 3, OPERAND_F4 = 1 << 4,
	OPERAND_TO_G1 = 1 << 5, OPERAND_TO_BASE = 1 << 6,
	OPERAND_TO_F1 = 1 << 7, OPERAND_TO_F2 = 1 << 8,
	OPERAND_TO_STORE = 1 << 9,	/* F2 goes to stf or getf */
	OPERAND_READS = 31,
	OPERAND_TARGETS = 15 << 5,
};

/* Bits of struct slot_timing.operands above those: use of G2, and of G3. */
enum { USE_OF_G2 = 10, USE_OF_G3 = 12, USE_MASK = 3 };

/* Either is used as USE_MM: slots.c gives both the same use. */
#define OPERAND_MM	(USE_MM << USE_OF_G2 | USE_MM << USE_OF_G3)

/* What a general register is used for: results may come later for an address or for the
 * multimedia units.  Of a floating-point register the second is a store or a getf.
 */
enum use { USE_PLAIN, USE_ADDRESS, USE_MM, USE_STORE = USE_ADDRESS };

enum slot_flags {
	SLOT_A_IN_I = 1 << 0,	/* an A instruction in a slot of kind I */
	SLOT_LAST = 1 << 1,	/* of its bundle */
	SLOT_END = 1 << 2,	/* nothing issues with it that stands behind it */
	SLOT_BRANCH = 1 << 3,	/* takes its predicate from a compare of the same cycle */
	SLOT_CHECK = 1 << 4,	/* a load that need not load: ld.c */
	SLOT_MEMORY = 1 << 5,	/* refers to memory at r3 */
	SLOT_NOP = 1 << 6,	/* takes a port and does nothing */
	SLOT_RESULT = 1 << 7,	/* somebody may have to wait for it more than a cycle */
};

/**
 * struct slot_timing - one decoded slot
 * @ports: what it takes of the ports of a cycle, PORTS()
 * @check: what there must be room for: the same, but more for I0
 * @operands: enum operands, and the uses
 * @result: enum result_kind
 * @flags: enum slot_flags
 * @system: its line in system.def from 1 on, or 0
 */
struct slot_timing {
	u32 ports;
	u32 check;
	u16 operands;
	u8 result;
	u8 flags;
	u8 system;
};

/*
 * The ports of a cycle as a sum: four bits for each kind, which overflow into the bit
 * PORTS_FULL when there is no port of that kind left.  The first slot of kind I takes I0,
 * whatever it is.  The last field counts these slots; for an instruction that needs I0 it
 * must be 0, which the check finds by adding seven.
 */
#define PORTS(m, loads, stores, m0, m2, i, f, i_slots)				\
	((m) | (loads) << 4 | (stores) << 8 | (m0) << 12 | (m2) << 16 |		\
	 (i) << 20 | (f) << 24 | (u32)(i_slots) << 28)
#define PORTS_EMPTY	PORTS(7 - 4, 7 - 2, 7 - 2, 7 - 1, 7 - 1, 7 - 2, 7 - 2, 0)
#define PORTS_FULL	PORTS(8, 8, 8, 8, 8, 8, 8, 8)
#define PORTS_ONE_M	PORTS(1, 0, 0, 0, 0, 0, 0, 0)
#define CHECK_I0	PORTS(0, 0, 0, 0, 0, 0, 0, 6)

/**
 * timing_decode() - what the issue logic has to know of a decoded bundle
 * @b: the bundle
 * @slots: three of them, filled in
 */
void timing_decode(const struct bundle *b, struct slot_timing *slots);

/* By bits 4:1 of a template: behind which others it issues in the same cycle. */
extern const u16 timing_may_follow[16];

#endif
