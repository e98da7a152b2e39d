// SPDX-License-Identifier: GPL-2.0
/*
 * The A unit's and the I unit's integer instructions: arithmetic, compares,
 * shifts, bit fields, tests, moves to and from branch registers and predicates.
 * SDM volume 3 chapter 2, formats A1-A8, I5, I7, I10-I30, X2.
 */
#include "cpu/exec.h"
#include "cpu/rse.h"

/* r1 = f(a, b) of r2 and r3; a NaT in either goes into r1. */
#define BINARY(name, result)						\
	void exec_##name(struct cpu *cpu, const struct insn *i)	\
	{								\
		u64 a = gr(cpu, i->r2), b = gr(cpu, i->r3);		\
									\
		check_target(cpu, i->r1);				\
		set_gr(cpu, i->r1, result, gr_nat(cpu, i->r2) | gr_nat(cpu, i->r3)); \
	}

/* r1 = f(b) of r3, likewise. */
#define UNARY(name, result)						\
	void exec_##name(struct cpu *cpu, const struct insn *i)	\
	{								\
		u64 b = gr(cpu, i->r3);					\
									\
		check_target(cpu, i->r1);				\
		set_gr(cpu, i->r1, result, gr_nat(cpu, i->r3));		\
	}

/* A 32-bit pointer becomes a 64-bit one: the region of b's bits 31:30. */
static u64 pointer4(u64 sum, u64 b)
{
	return (u32)sum | FIELD(b, 30, 2) << 61;
}

static u64 shift_left(u64 value, u64 count)
{
	return count < 64 ? value << count : 0;
}

static u64 shift_right(u64 value, u64 count)
{
	return count < 64 ? value >> count : 0;
}

static u64 shift_right_signed(u64 value, u64 count)
{
	return (s64)value >> (count < 64 ? count : 63);
}

BINARY(add, a + b)
BINARY(add_1, a + b + 1)
BINARY(sub, a - b)
BINARY(sub_1, a - b - 1)
BINARY(addp4, pointer4(a + b, b))
BINARY(and, a & b)
BINARY(andcm, a & ~b)
BINARY(or, a | b)
BINARY(xor, a ^ b)
BINARY(shladd, (a << i->imm) + b)
BINARY(shladdp4, pointer4((a << i->imm) + b, b))
UNARY(sub_imm, i->imm - b)
UNARY(and_imm, i->imm & b)
UNARY(andcm_imm, i->imm & ~b)
UNARY(or_imm, i->imm | b)
UNARY(xor_imm, i->imm ^ b)
UNARY(add_imm, i->imm + b)
UNARY(addp4_imm, pointer4(i->imm + b, b))

/* I5 has the value in r3 and the count in r2, I7 the other way round. */
BINARY(shl, shift_left(a, b))
BINARY(shr, shift_right_signed(b, a))
BINARY(shr_u, shift_right(b, a))
BINARY(shrp, (u64)(((u128)a << 64 | b) >> i->imm))

UNARY(extr, (s64)(b << (64 - i->pos - i->imm)) >> (64 - i->imm))
UNARY(extr_u, b >> i->pos & i->imm)
BINARY(dep, (a << i->pos & i->imm) | (b & ~i->imm))

void exec_dep_z(struct cpu *cpu, const struct insn *i)
{
	check_target(cpu, i->r1);
	set_gr(cpu, i->r1, gr(cpu, i->r2) << i->pos & i->imm, gr_nat(cpu, i->r2));
}

void exec_dep_z_imm(struct cpu *cpu, const struct insn *i)
{
	check_target(cpu, i->r1);
	set_gr(cpu, i->r1, i->imm, false);
}

UNARY(dep_imm, (b & ~(MASK(i->len) << i->pos)) | (i->imm & MASK(i->len) << i->pos))

UNARY(zxt1, (u8)b)
UNARY(zxt2, (u16)b)
UNARY(zxt4, (u32)b)
UNARY(sxt1, (s8)b)
UNARY(sxt2, (s16)b)
UNARY(sxt4, (s32)b)
UNARY(popcnt, __builtin_popcountll(b))

void exec_movl(struct cpu *cpu, const struct insn *i)
{
	check_target(cpu, i->r1);
	set_gr(cpu, i->r1, i->imm, false);
}

void exec_nop(struct cpu *cpu, const struct insn *i)
{
	(void)i;
	cpu->stats.nops++;
}

const exec_fn exec_functions[N_OPCODES] = {
	[OP_illegal] = exec_illegal,
#define INSN(op, function, ...)	[OP_##op] = exec_##function,
#include "isa/insn.def"
#undef INSN
};

void exec_illegal(struct cpu *cpu, const struct insn *i)
{
	(void)i;
	raise_illegal(cpu);
}

/*
 * Compares: a REL b, of 64 bits or (cmp4) of the low 32.
 */
#define COMPARE(name, result)						\
	void exec_##name(struct cpu *cpu, const struct insn *i)	\
	{								\
		u64 a = gr(cpu, i->r2), b = gr(cpu, i->r3);		\
									\
		set_normal(cpu, i, result, gr_nat(cpu, i->r2) | gr_nat(cpu, i->r3)); \
	}

#define COMPARE_IMM(name, result)					\
	void exec_##name(struct cpu *cpu, const struct insn *i)	\
	{								\
		u64 a = i->imm, b = gr(cpu, i->r3);			\
									\
		set_normal(cpu, i, result, gr_nat(cpu, i->r3));		\
	}

COMPARE(cmp_lt, (s64)a < (s64)b)
COMPARE(cmp_ltu, a < b)
COMPARE(cmp_eq, a == b)
COMPARE(cmp4_lt, (s32)a < (s32)b)
COMPARE(cmp4_ltu, (u32)a < (u32)b)
COMPARE(cmp4_eq, (u32)a == (u32)b)
COMPARE_IMM(cmp_lt_imm, (s64)a < (s64)b)
COMPARE_IMM(cmp_ltu_imm, a < b)
COMPARE_IMM(cmp_eq_imm, a == b)
COMPARE_IMM(cmp4_lt_imm, (s32)a < (s32)b)
COMPARE_IMM(cmp4_ltu_imm, (u32)a < (u32)b)
COMPARE_IMM(cmp4_eq_imm, (u32)a == (u32)b)

static bool relation(unsigned int rel, s64 a, s64 b)
{
	switch (rel & REL_MASK) {
	case REL_EQ:
		return a == b;
	case REL_NE:
		return a != b;
	case REL_GT:
		return a > b;
	case REL_LE:
		return a <= b;
	case REL_GE:
		return a >= b;
	case REL_LT:
		return a < b;
	default:
		return (u64)a < (u64)b;
	}
}

#define COMPARE_BY_TYPE(name, narrow, set)				\
	void exec_##name(struct cpu *cpu, const struct insn *i)	\
	{								\
		set(cpu, i, relation(i->x, (narrow)gr(cpu, i->r2), (narrow)gr(cpu, i->r3)), \
		    gr_nat(cpu, i->r2) | gr_nat(cpu, i->r3));		\
	}								\
	void exec_##name##_imm(struct cpu *cpu, const struct insn *i)	\
	{								\
		set(cpu, i, relation(i->x, (narrow)i->imm, (narrow)gr(cpu, i->r3)), \
		    gr_nat(cpu, i->r3));				\
	}

/* Sign extension of both keeps the unsigned order of 32-bit numbers, too. */
COMPARE_BY_TYPE(cmp_unc, s64, set_unc)
COMPARE_BY_TYPE(cmp_par, s64, set_parallel)
COMPARE_BY_TYPE(cmp4_unc, s32, set_unc)
COMPARE_BY_TYPE(cmp4_par, s32, set_parallel)

/*
 * Tests of a bit and of a NaT bit: .z is p1 = !bit.
 */
static bool bit_test(const struct cpu *cpu, const struct insn *i)
{
	return (gr(cpu, i->r3) >> i->pos & 1) == ((i->x & REL_MASK) == REL_NE);
}

void exec_tbit_z(struct cpu *cpu, const struct insn *i)
{
	set_normal(cpu, i, !(gr(cpu, i->r3) >> i->pos & 1), gr_nat(cpu, i->r3));
}

void exec_tbit_unc(struct cpu *cpu, const struct insn *i)
{
	set_unc(cpu, i, bit_test(cpu, i), gr_nat(cpu, i->r3));
}

void exec_tbit_par(struct cpu *cpu, const struct insn *i)
{
	set_parallel(cpu, i, bit_test(cpu, i), gr_nat(cpu, i->r3));
}

static bool nat_test(const struct cpu *cpu, const struct insn *i)
{
	return gr_nat(cpu, i->r3) == ((i->x & REL_MASK) == REL_NE);
}

void exec_tnat_z(struct cpu *cpu, const struct insn *i)
{
	set_normal(cpu, i, !gr_nat(cpu, i->r3), false);
}

void exec_tnat_unc(struct cpu *cpu, const struct insn *i)
{
	set_unc(cpu, i, nat_test(cpu, i), false);
}

void exec_tnat_par(struct cpu *cpu, const struct insn *i)
{
	set_parallel(cpu, i, nat_test(cpu, i), false);
}

/*
 * Moves.
 */
void exec_mov_to_br(struct cpu *cpu, const struct insn *i)
{
	cpu->br[i->r1] = gr_not_nat(cpu, i->r2, 0);
}

void exec_mov_from_br(struct cpu *cpu, const struct insn *i)
{
	check_target(cpu, i->r1);
	set_gr(cpu, i->r1, cpu->br[i->r2], false);
}

void exec_mov_to_pr(struct cpu *cpu, const struct insn *i)
{
	u64 value = gr_not_nat(cpu, i->r2, 0);

	set_predicates_unrotated(cpu, (predicates_unrotated(cpu) & ~i->imm) | (value & i->imm));
}

void exec_mov_to_pr_rot(struct cpu *cpu, const struct insn *i)
{
	set_predicates_unrotated(cpu, (predicates_unrotated(cpu) & 0xffff) | i->imm);
}

void exec_mov_from_pr(struct cpu *cpu, const struct insn *i)
{
	check_target(cpu, i->r1);
	set_gr(cpu, i->r1, predicates_unrotated(cpu), false);
}

void exec_mov_from_ip(struct cpu *cpu, const struct insn *i)
{
	check_target(cpu, i->r1);
	set_gr(cpu, i->r1, cpu->ip, false);
}
