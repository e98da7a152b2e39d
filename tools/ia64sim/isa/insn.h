/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Decoded instructions.  insn.def lists every instruction once; the decoder,
 * the disassembler, the names and the dispatch are all made from it.
 */
#ifndef INSN_H
#define INSN_H

#include "isa/ia64.h"

struct cpu;
struct insn;

/**
 * typedef exec_fn - execute one instruction whose predicate (i->qp) is true
 * @cpu: the processor; its ip and slot are those of the instruction
 * @i: the instruction
 *
 * All checks come before the first change of state: an instruction that
 * faults (interrupt.h, does not return) has done nothing.  A taken branch
 * calls branch_to(); everything else falls through to the next slot.
 */
typedef void (*exec_fn)(struct cpu *cpu, const struct insn *i);

enum unit { UNIT_A, UNIT_I, UNIT_M, UNIT_F, UNIT_B, UNIT_X };

enum opcode {
	OP_illegal,		/* whatever insn.def does not list */
#define INSN(op, ...)	OP_##op,
#include "isa/insn.def"
#undef INSN
	N_OPCODES
};

/*
 * Values of x, the completers that functions of several instructions ask for;
 * insn.def says who uses which.
 */
enum {
	/* integer compare and test bit: relation, type of the target update */
	REL_EQ = 0, REL_NE = 1, REL_GT = 2, REL_LE = 3, REL_GE = 4, REL_LT = 5, REL_LTU = 6,
	REL_MASK = 7, TYPE_AND = 1 << 3, TYPE_OR = 2 << 3, TYPE_ORCM = 3 << 3, TYPE_MASK = 3 << 3,
	/* multimedia: log2 of the element size in bytes, and one of these */
	MM_SIZE = 3,
	MM_SSS = 1 << 2, MM_UUU = 2 << 2, MM_UUS = 3 << 2, MM_SAT = 3 << 2,
	MM_RAZ = 4, MM_GT = 4, MM_U = 4, MM_R = 4, MM_H = 4,
	/* loads: bits 1:0 log2 of the size or LDF_, bits 4:2 kind of speculation */
	LDF_E = 0, LDF_8 = 1, LDF_S = 2, LDF_D = 3, LD_SIZE = 3,
	LD_NONE = 0, LD_S = 1, LD_A = 2, LD_SA = LD_S | LD_A, LD_C_NC = 4, LD_C_CLR = 5,
	/* lfetch */
	LF_FAULT = 1, LF_EXCL = 2,
	/* floating point */
	PC_SF = 0, PC_S = 1, PC_D = 2,		/* precision: as the status field says, .s, .d */
	FREL_EQ = 0, FREL_LT = 1, FREL_LE = 2, FREL_UNORD = 3, FREL_NOT = 4,
	MINMAX_MAX = 1, MINMAX_ABS = 2,
	FCVT_U = 1, FCVT_TRUNC = 2,
};
#define LDX(size, kind)	((size) | (kind) << 2)

/**
 * struct insn - one decoded instruction, operands as register numbers of the
 * program (before renaming)
 * @exec: what executes it
 * @imm: immediate, sign-extended; of an IP-relative branch the displacement in
 *	bytes; of a movl or a long branch its whole 64 bits
 * @qp: the predicate that the run loop tests; 0 for what runs in any case
 * @pred: the predicate in the instruction
 * @r1: first register operand as the manual numbers them (r1, f1, b1, ar3...);
 *	where it is a target it is the first of the assembler's operands
 * @x: completer bits, as insn.def says for the instruction
 * @op: the instruction; also when a check of the decoder made it illegal
 * @unit: the kind of slot it is in, never UNIT_A
 * @pos: first bit of a bit field or of tbit
 * @len: bits in the field
 * @sf: status field of a floating-point instruction, 0..3
 * @hint: branch and locality hints, for the disassembler only
 * @stop: an instruction group ends behind it
 */
struct insn {
	exec_fn exec;
	s64 imm;
	u8 qp;
	u8 r1, r2, r3, r4;
	u8 p1, p2;
	u8 x;
	u16 op;
	u8 unit;
	u8 stop;
	u8 pred;
	u8 hint;
	union {
		u8 pos;
		u8 sf;
	};
	u8 len;
};

/**
 * struct bundle - three slots, executed in order
 * @n: slots to execute; 2 for an MLX, whose slot[2] is illegal: rfi may go there
 * @run: how the run loop goes through it (code.h)
 */
struct bundle {
	struct insn slot[3];
	u8 template;
	u8 n;
	bool decoded;
	u8 run;
};

/**
 * decode_bundle() - decode 16 bytes as they stand in memory
 * @exec: what executes each opcode; the decoder only copies it
 * @b: the result; slots with reserved encodings get what executes OP_illegal,
 *	reserved templates make all of them illegal
 * @lo: bits 63:0, instruction bytes are little-endian whatever PSR.be says
 * @hi: bits 127:64
 */
void decode_bundle(const exec_fn exec[N_OPCODES], struct bundle *b, u64 lo, u64 hi);

/**
 * disassemble() - one decoded slot as assembler text that gas takes
 * @i: the instruction
 * @ip: address of its bundle, for branch targets
 * @buf: the text, always terminated
 * @size: room in @buf
 */
void disassemble(const struct insn *i, u64 ip, char *buf, size_t size);

/* Names of application and control registers behind "ar." and "cr.", or NULL. */
const char *ar_name(unsigned int n);
const char *cr_name(unsigned int n);

/** opcode_name() - the instruction's name in insn.def, for statistics */
const char *opcode_name(enum opcode op);

/* Which opcodes the decoder has met since the start: coverage of tests. */
extern bool opcode_seen[N_OPCODES];

/**
 * opcode_encoding() - how an instruction is recognized, for tests
 *
 * Return: false for OP_illegal, which has no encoding
 */
bool opcode_encoding(enum opcode op, enum unit *unit, u64 *mask, u64 *match);

#endif
