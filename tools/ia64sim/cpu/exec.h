/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the functions that execute instructions have in common.
 */
#ifndef EXEC_H
#define EXEC_H

#include "cpu/interrupt.h"
#include "state/cpu.h"

/* What executes the instructions: exec_a.c, exec_mm.c, exec_m.c, exec_b.c, exec_f.c. */
void exec_illegal(struct cpu *cpu, const struct insn *i);
#define INSN(op, function, ...)	void exec_##function(struct cpu *cpu, const struct insn *i);
#include "isa/insn.def"
#undef INSN

/* The same by opcode, for the decoder. */
extern const exec_fn exec_functions[N_OPCODES];

/* A general register that is about to be written. */
static inline void check_target(struct cpu *cpu, unsigned int r)
{
	if (!gr_writable(cpu, r))
		raise_illegal(cpu);
}

static inline void check_privileged(struct cpu *cpu)
{
	if (cpl(cpu))
		raise_general(cpu, GE_PRIVILEGED_OPERATION);
}

/* A source that must not be NaT; isr: the access bits of a memory reference. */
static inline u64 gr_not_nat(struct cpu *cpu, unsigned int r, u64 isr)
{
	if (gr_nat(cpu, r))
		raise_nat_consumption(cpu, isr);
	return gr(cpu, r);
}

/* ISR.code of the disabled FP register fault for one more register. */
static inline unsigned int fr_disabled(const struct cpu *cpu, unsigned int f)
{
	if (f < 2)
		return 0;
	return f < 32 ? psr(cpu, PSR_DFL) : psr(cpu, PSR_DFH) << 1;
}

static inline void check_fr(struct cpu *cpu, unsigned int f, u64 isr)
{
	unsigned int code;

	if (__builtin_expect(!(cpu->psr & (BIT(PSR_DFL) | BIT(PSR_DFH))), 1))
		return;
	code = fr_disabled(cpu, f);
	if (code)
		raise_vector(cpu, VEC_DISABLED_FP, isr | code);
}

static inline void set_fr(struct cpu *cpu, unsigned int f, struct fpreg value)
{
	*fr(cpu, f) = value;
	cpu->psr |= f < 32 ? BIT(PSR_MFL) : BIT(PSR_MFH);
}

/* PR 0 stays 1 whatever is written to it. */
static inline void set_predicates(struct cpu *cpu, unsigned int p1, bool v1, unsigned int p2,
				  bool v2)
{
	cpu->pr = (cpu->pr & ~(1ULL << p1) & ~(1ULL << p2)) | (u64)v1 << p1 | (u64)v2 << p2 | 1;
}

/* The type of a compare: what it does to its two predicates (SDM 3:39). */
static inline void set_parallel(struct cpu *cpu, const struct insn *i, bool result, bool nat)
{
	switch (i->x & TYPE_MASK) {
	case TYPE_AND:
		if (nat || !result)
			set_predicates(cpu, i->p1, 0, i->p2, 0);
		break;
	case TYPE_OR:
		if (!nat && result)
			set_predicates(cpu, i->p1, 1, i->p2, 1);
		break;
	case TYPE_ORCM:
		if (!nat && result)
			set_predicates(cpu, i->p1, 1, i->p2, 0);
		break;
	}
}

static inline void set_normal(struct cpu *cpu, const struct insn *i, bool result, bool nat)
{
	u64 pr = cpu->pr & ~(1ULL << i->p1) & ~(1ULL << i->p2);

	if (!nat)
		pr |= 1ULL << (result ? i->p1 : i->p2);
	cpu->pr = pr | 1;
}

/* unc: the instruction runs with a false predicate too, and clears both. */
static inline void set_unc(struct cpu *cpu, const struct insn *i, bool result, bool nat)
{
	set_normal(cpu, i, result, nat | !pr(cpu, i->pred));
}

/*
 * The forms of an instruction that refers to memory at r3: alone, with r3 += the
 * immediate, and with r3 += r2.  @reference may fault, and then nothing has changed.
 * It may load into r2, so that is read before.
 */
#define REFERENCE_ALONE(name, reference)				\
	void exec_##name(struct cpu *cpu, const struct insn *i)	\
	{								\
		reference;						\
	}

#define REFERENCE_INC(name, reference)					\
	void exec_##name##_inc(struct cpu *cpu, const struct insn *i)	\
	{								\
		check_target(cpu, i->r3);				\
		reference;						\
		set_gr(cpu, i->r3, gr(cpu, i->r3) + i->imm, gr_nat(cpu, i->r3)); \
	}

#define REFERENCE_INC_REG(name, reference)				\
	void exec_##name##_inc_reg(struct cpu *cpu, const struct insn *i) \
	{								\
		u64 step = gr(cpu, i->r2);				\
		bool nat = gr_nat(cpu, i->r2);				\
									\
		check_target(cpu, i->r3);				\
		reference;						\
		set_gr(cpu, i->r3, gr(cpu, i->r3) + step, gr_nat(cpu, i->r3) | nat); \
	}

/* Loads and lfetch have all three, stores have no r3 += r2. */
#define LOADS(name, reference)						\
	REFERENCE_ALONE(name, reference)				\
	REFERENCE_INC(name, reference)					\
	REFERENCE_INC_REG(name, reference)

#define STORES(name, reference)						\
	REFERENCE_ALONE(name, reference)				\
	REFERENCE_INC(name, reference)

#endif
