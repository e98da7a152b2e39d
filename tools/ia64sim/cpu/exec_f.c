// SPDX-License-Identifier: GPL-2.0
/*
 * The F unit: SDM volume 3, chapter 2, the instructions that begin with f, and
 * xma.  fparith.c does the arithmetic; here are operands, NaTVals, the status
 * register, faults and traps.
 *
 * The parallel instructions work on two singles in a significand.  Their high
 * half is reported in the same bits of ISR.code as a scalar: faults 3:0, traps
 * 14:11; the low half's faults are in 7:4, its traps in 10:7.
 */
#include "cpu/exec.h"
#include "fp/fpfast.h"

#define unlikely(x)	__builtin_expect(!!(x), 0)

/* What a parallel instruction has to say, and a scalar one in .high. */
struct pair {
	struct fp_outcome high, low;
};

static u32 high(u64 sig)
{
	return sig >> 32;
}

static u64 join(u32 high, u32 low)
{
	return (u64)high << 32 | low;
}

/* All registers of the instruction count for the fault. */
static inline void check_enabled(struct cpu *cpu, unsigned int f1, unsigned int f2,
				 unsigned int f3, unsigned int f4)
{
	if (unlikely(cpu->psr & (BIT(PSR_DFL) | BIT(PSR_DFH)))) {
		unsigned int code = fr_disabled(cpu, f1) | fr_disabled(cpu, f2) |
				    fr_disabled(cpu, f3) | fr_disabled(cpu, f4);

		if (code)
			raise_vector(cpu, VEC_DISABLED_FP, code);
	}
	cpu->stats.fp++;
}

static inline void check_fault(struct cpu *cpu, const struct fp_outcome *out)
{
	if (unlikely(out->fault))
		raise_vector(cpu, VEC_FP_FAULT, out->fault);
}

static inline void check_faults(struct cpu *cpu, const struct pair *out)
{
	if (unlikely(out->high.fault | out->low.fault))
		raise_vector(cpu, VEC_FP_FAULT, out->high.fault | out->low.fault << 4);
}

static inline void set_flags(struct cpu *cpu, const struct insn *i, unsigned int flags)
{
	cpu->ar[AR_FPSR] |= (u64)flags << fpsr_flags(i->sf);
}

/* The instruction's last action: flags, and the trap if there is one. */
static inline void report(struct cpu *cpu, const struct insn *i, const struct fp_outcome *out)
{
	set_flags(cpu, i, out->flags);
	if (unlikely(out->trap))
		leave_with_trap(cpu, TRAP_FP | out->trap << 8 | out->fpa << 14);
}

static inline void report_pair(struct cpu *cpu, const struct insn *i, const struct pair *out)
{
	const struct fp_outcome *h = &out->high, *l = &out->low;

	set_flags(cpu, i, h->flags | l->flags);
	if (unlikely(h->trap | l->trap))
		leave_with_trap(cpu, TRAP_FP | h->trap << 8 | (h->trap && h->fpa) << 14 |
				l->trap << 4 | (l->trap && l->fpa) << 10);
}

/* Multiply-add.  With f0 as the addend it is a multiplication. */

/* With faults, traps, and all the other numbers. */
static __attribute__((noinline)) void multiply_add_general(struct cpu *cpu, const struct insn *i,
							    unsigned int op)
{
	struct fp_control ctl = fp_resolve(cpu->ar[AR_FPSR], i->sf, i->x);
	struct fp_outcome out;
	struct fpreg result = fp_ma(*fr(cpu, i->r3), *fr(cpu, i->r4), *fr(cpu, i->r2), op, &ctl,
				    &out);

	check_fault(cpu, &out);
	set_fr(cpu, i->r1, result);
	report(cpu, i, &out);
}

static inline __attribute__((always_inline)) void
multiply_add_op(struct cpu *cpu, const struct insn *i, unsigned int op)
{
	struct fpreg result;
	unsigned int controls;
	bool inexact, up;
	struct wide w;
	u64 fpsr;

	check_enabled(cpu, i->r1, i->r2, i->r3, i->r4);
	if (!ma_normal(&w, *fr(cpu, i->r3), *fr(cpu, i->r4), *fr(cpu, i->r2), op))
		goto general;
	fpsr = cpu->ar[AR_FPSR];
	controls = fpsr >> fpsr_field(i->sf) & 0x7f;
	if (!round_normal(&result, &w, &fp_formats[i->x][controls >> 1 & 7], controls >> 4 & 3,
			  &inexact, &up))
		goto general;
	if (inexact) {
		if (unlikely(!(fpsr & FP_I) && !(controls & 0x40)))
			goto general;
		set_flags(cpu, i, FP_I);
	}
	set_fr(cpu, i->r1, result);
	return;

general:
	multiply_add_general(cpu, i, op);
}

static inline __attribute__((always_inline)) void
multiply_add(struct cpu *cpu, const struct insn *i, unsigned int op)
{
	if (i->r2)
		multiply_add_op(cpu, i, op);
	else
		multiply_add_op(cpu, i, op | MA_NO_ADDEND);
}

void exec_fma(struct cpu *cpu, const struct insn *i)
{
	multiply_add(cpu, i, 0);
}

void exec_fms(struct cpu *cpu, const struct insn *i)
{
	multiply_add(cpu, i, MA_SUBTRACT);
}

void exec_fnma(struct cpu *cpu, const struct insn *i)
{
	multiply_add(cpu, i, MA_NEGATE_PRODUCT);
}

static void parallel_multiply_add(struct cpu *cpu, const struct insn *i, unsigned int op)
{
	struct fp_control ctl = fp_resolve_parallel(cpu->ar[AR_FPSR], i->sf);
	const struct fpreg *a = fr(cpu, i->r3), *b = fr(cpu, i->r4), *c = fr(cpu, i->r2);
	struct pair out;
	u32 h, l;

	check_enabled(cpu, i->r1, i->r2, i->r3, i->r4);
	if (fp_is_natval(*a) || fp_is_natval(*b) || fp_is_natval(*c)) {
		set_fr(cpu, i->r1, FP_NATVAL);
		return;
	}
	if (i->r2 == 0)
		op |= MA_NO_ADDEND;
	h = fp_ma_single(high(a->sig), high(b->sig), high(c->sig), op, &ctl, &out.high);
	l = fp_ma_single(a->sig, b->sig, c->sig, op, &ctl, &out.low);
	check_faults(cpu, &out);
	set_fr(cpu, i->r1, fp_from_sig(join(h, l)));
	report_pair(cpu, i, &out);
}

void exec_fpma(struct cpu *cpu, const struct insn *i)
{
	parallel_multiply_add(cpu, i, 0);
}

void exec_fpms(struct cpu *cpu, const struct insn *i)
{
	parallel_multiply_add(cpu, i, MA_SUBTRACT);
}

void exec_fpnma(struct cpu *cpu, const struct insn *i)
{
	parallel_multiply_add(cpu, i, MA_NEGATE_PRODUCT);
}

/* Instructions that look at significands only and cannot fail. */

#define SIGNIFICANDS_4(name, expression)					\
void exec_##name(struct cpu *cpu, const struct insn *i)				\
{										\
	const struct fpreg *r2 = fr(cpu, i->r2), *r3 = fr(cpu, i->r3);		\
	const struct fpreg *r4 = fr(cpu, i->r4);				\
	u64 f2 = r2->sig, f3 = r3->sig, f4 = r4->sig;				\
										\
	check_enabled(cpu, i->r1, i->r2, i->r3, i->r4);				\
	set_fr(cpu, i->r1,							\
	       fp_is_natval(*r2) || fp_is_natval(*r3) || fp_is_natval(*r4) ?	\
	       FP_NATVAL : fp_from_sig(expression));				\
}

SIGNIFICANDS_4(xma_l, f3 * f4 + f2)
SIGNIFICANDS_4(xma_hu, ((u128)f3 * f4 + f2) >> 64)
/* The addend is unsigned all the same. */
SIGNIFICANDS_4(xma_h, (u64)(((u128)((s128)(s64)f3 * (s64)f4) + f2) >> 64))
SIGNIFICANDS_4(fselect, (f3 & f2) | (f4 & ~f2))

#define REGISTERS_3(name, result)						\
void exec_##name(struct cpu *cpu, const struct insn *i)				\
{										\
	struct fpreg r2 = *fr(cpu, i->r2), r3 = *fr(cpu, i->r3);		\
										\
	check_enabled(cpu, i->r1, i->r2, i->r3, 0);				\
	set_fr(cpu, i->r1,							\
	       fp_is_natval(r2) || fp_is_natval(r3) ? FP_NATVAL : (result));	\
}
#define SIGNIFICANDS_3(name, expression)	REGISTERS_3(name, fp_from_sig(expression))

REGISTERS_3(fmerge_s, fpreg(r3.sig, (r2.se & FP_SIGN) | (r3.se & FP_EXP)))
REGISTERS_3(fmerge_ns, fpreg(r3.sig, (~r2.se & FP_SIGN) | (r3.se & FP_EXP)))
REGISTERS_3(fmerge_se, fpreg(r3.sig, r2.se))
SIGNIFICANDS_3(fand, r2.sig & r3.sig)
SIGNIFICANDS_3(fandcm, r2.sig & ~r3.sig)
SIGNIFICANDS_3(for, r2.sig | r3.sig)
SIGNIFICANDS_3(fxor, r2.sig ^ r3.sig)
SIGNIFICANDS_3(fmix_lr, join(high(r2.sig), r3.sig))
SIGNIFICANDS_3(fmix_r, join(r2.sig, r3.sig))
SIGNIFICANDS_3(fmix_l, join(high(r2.sig), high(r3.sig)))
SIGNIFICANDS_3(fsxt_r, join(-((u32)r2.sig >> 31), r3.sig))
SIGNIFICANDS_3(fsxt_l, join(-(high(r2.sig) >> 31), high(r3.sig)))
SIGNIFICANDS_3(fpack, join(fp_to_single(r2), fp_to_single(r3)))
SIGNIFICANDS_3(fswap, join(r3.sig, high(r2.sig)))
SIGNIFICANDS_3(fswap_nl, join(r3.sig ^ BIT(31), high(r2.sig)))
SIGNIFICANDS_3(fswap_nr, join(r3.sig, high(r2.sig) ^ BIT(31)))

/* Where the signs of two singles are, and where signs and exponents. */
#define SIGNS		0x8000000080000000ULL
#define SIGNS_EXPONENTS	0xff800000ff800000ULL

SIGNIFICANDS_3(fpmerge_s, (r2.sig & SIGNS) | (r3.sig & ~SIGNS))
SIGNIFICANDS_3(fpmerge_ns, (~r2.sig & SIGNS) | (r3.sig & ~SIGNS))
SIGNIFICANDS_3(fpmerge_se, (r2.sig & SIGNS_EXPONENTS) | (r3.sig & ~SIGNS_EXPONENTS))

/* Comparison and classification. */

static u8 enabled_faults(const struct cpu *cpu, const struct insn *i)
{
	return fp_resolve(cpu->ar[AR_FPSR], i->sf, PC_SF).enabled;
}

void exec_fcmp(struct cpu *cpu, const struct insn *i)
{
	struct fpreg a = *fr(cpu, i->r2), b = *fr(cpu, i->r3);
	struct fp_outcome out;
	bool result;

	check_enabled(cpu, i->r2, i->r3, 0, 0);
	if (fp_is_natval(a) || fp_is_natval(b)) {
		set_predicates(cpu, i->p1, 0, i->p2, 0);
		return;
	}
	result = fp_compare(a, b, i->x, enabled_faults(cpu, i), &out);
	check_fault(cpu, &out);
	set_predicates(cpu, i->p1, result, i->p2, !result);
	set_flags(cpu, i, out.flags);
}

void exec_fcmp_unc(struct cpu *cpu, const struct insn *i)
{
	if (pr(cpu, i->pred))
		exec_fcmp(cpu, i);
	else
		set_predicates(cpu, i->p1, 0, i->p2, 0);
}

void exec_fclass(struct cpu *cpu, const struct insn *i)
{
	struct fpreg a = *fr(cpu, i->r2);
	bool result;

	check_enabled(cpu, i->r2, 0, 0, 0);
	if (fp_is_natval(a) && !(i->imm & 0x100)) {
		set_predicates(cpu, i->p1, 0, i->p2, 0);
		return;
	}
	result = fp_class(a, i->imm);
	set_predicates(cpu, i->p1, result, i->p2, !result);
}

void exec_fclass_unc(struct cpu *cpu, const struct insn *i)
{
	if (pr(cpu, i->pred))
		exec_fclass(cpu, i);
	else
		set_predicates(cpu, i->p1, 0, i->p2, 0);
}

void exec_fpcmp(struct cpu *cpu, const struct insn *i)
{
	struct fpreg a = *fr(cpu, i->r2), b = *fr(cpu, i->r3);
	u8 enabled = enabled_faults(cpu, i);
	struct pair out;
	bool h, l;

	check_enabled(cpu, i->r1, i->r2, i->r3, 0);
	if (fp_is_natval(a) || fp_is_natval(b)) {
		set_fr(cpu, i->r1, FP_NATVAL);
		return;
	}
	h = fp_compare(fp_from_single(high(a.sig)), fp_from_single(high(b.sig)), i->x, enabled,
		       &out.high);
	l = fp_compare(fp_from_single(a.sig), fp_from_single(b.sig), i->x, enabled, &out.low);
	check_faults(cpu, &out);
	set_fr(cpu, i->r1, fp_from_sig(join(-(u32)h, -(u32)l)));
	report_pair(cpu, i, &out);
}

void exec_fminmax(struct cpu *cpu, const struct insn *i)
{
	struct fp_outcome out;
	struct fpreg result;

	check_enabled(cpu, i->r1, i->r2, i->r3, 0);
	result = fp_minmax(*fr(cpu, i->r2), *fr(cpu, i->r3), i->x, enabled_faults(cpu, i), &out);
	check_fault(cpu, &out);
	set_fr(cpu, i->r1, result);
	report(cpu, i, &out);
}

void exec_fpminmax(struct cpu *cpu, const struct insn *i)
{
	struct fpreg a = *fr(cpu, i->r2), b = *fr(cpu, i->r3), h, l;
	u8 enabled = enabled_faults(cpu, i);
	struct pair out;

	check_enabled(cpu, i->r1, i->r2, i->r3, 0);
	if (fp_is_natval(a) || fp_is_natval(b)) {
		set_fr(cpu, i->r1, FP_NATVAL);
		return;
	}
	h = fp_minmax(fp_from_single(high(a.sig)), fp_from_single(high(b.sig)), i->x, enabled,
		      &out.high);
	l = fp_minmax(fp_from_single(a.sig), fp_from_single(b.sig), i->x, enabled, &out.low);
	check_faults(cpu, &out);
	set_fr(cpu, i->r1, fp_from_sig(join(fp_to_single(h), fp_to_single(l))));
	report_pair(cpu, i, &out);
}

/* Approximations.  They run whatever their predicate is, and only when it is true
 * does the target have to be a legal one.
 */

static void set_predicate(struct cpu *cpu, unsigned int p, bool value)
{
	set_predicates(cpu, p, value, p, value);
}

static bool begin_approximation(struct cpu *cpu, const struct insn *i)
{
	if (!pr(cpu, i->pred)) {
		set_predicate(cpu, i->p2, false);
		return false;
	}
	if (i->r1 < 2)
		raise_illegal(cpu);
	return true;
}

void exec_frcpa(struct cpu *cpu, const struct insn *i)
{
	struct fp_control ctl = fp_resolve(cpu->ar[AR_FPSR], i->sf, PC_SF);
	struct fp_outcome out;
	struct fpreg result;
	bool approximate;

	if (!begin_approximation(cpu, i))
		return;
	check_enabled(cpu, i->r1, i->r2, i->r3, 0);
	result = fp_rcpa(*fr(cpu, i->r2), *fr(cpu, i->r3), &ctl, &approximate, &out);
	check_fault(cpu, &out);
	set_fr(cpu, i->r1, result);
	set_predicate(cpu, i->p2, approximate);
	report(cpu, i, &out);
}

void exec_frsqrta(struct cpu *cpu, const struct insn *i)
{
	struct fp_control ctl = fp_resolve(cpu->ar[AR_FPSR], i->sf, PC_SF);
	struct fp_outcome out;
	struct fpreg result;
	bool approximate;

	if (!begin_approximation(cpu, i))
		return;
	check_enabled(cpu, i->r1, i->r3, 0, 0);
	result = fp_rsqrta(*fr(cpu, i->r3), &ctl, &approximate, &out);
	check_fault(cpu, &out);
	set_fr(cpu, i->r1, result);
	set_predicate(cpu, i->p2, approximate);
	report(cpu, i, &out);
}

void exec_fprcpa(struct cpu *cpu, const struct insn *i)
{
	struct fp_control ctl = fp_resolve_parallel(cpu->ar[AR_FPSR], i->sf);
	const struct fpreg *num = fr(cpu, i->r2), *den = fr(cpu, i->r3);
	bool h_approximate, l_approximate;
	struct pair out;
	u32 h, l;

	if (!begin_approximation(cpu, i))
		return;
	check_enabled(cpu, i->r1, i->r2, i->r3, 0);
	if (fp_is_natval(*num) || fp_is_natval(*den)) {
		set_fr(cpu, i->r1, FP_NATVAL);
		set_predicate(cpu, i->p2, false);
		return;
	}
	h = fp_rcpa_single(high(num->sig), high(den->sig), &ctl, &h_approximate, &out.high);
	l = fp_rcpa_single(num->sig, den->sig, &ctl, &l_approximate, &out.low);
	check_faults(cpu, &out);
	set_fr(cpu, i->r1, fp_from_sig(join(h, l)));
	set_predicate(cpu, i->p2, h_approximate && l_approximate);
	report_pair(cpu, i, &out);
}

void exec_fprsqrta(struct cpu *cpu, const struct insn *i)
{
	struct fp_control ctl = fp_resolve_parallel(cpu->ar[AR_FPSR], i->sf);
	const struct fpreg *a = fr(cpu, i->r3);
	bool h_approximate, l_approximate;
	struct pair out;
	u32 h, l;

	if (!begin_approximation(cpu, i))
		return;
	check_enabled(cpu, i->r1, i->r3, 0, 0);
	if (fp_is_natval(*a)) {
		set_fr(cpu, i->r1, FP_NATVAL);
		set_predicate(cpu, i->p2, false);
		return;
	}
	h = fp_rsqrta_single(high(a->sig), &ctl, &h_approximate, &out.high);
	l = fp_rsqrta_single(a->sig, &ctl, &l_approximate, &out.low);
	check_faults(cpu, &out);
	set_fr(cpu, i->r1, fp_from_sig(join(h, l)));
	set_predicate(cpu, i->p2, h_approximate && l_approximate);
	report_pair(cpu, i, &out);
}

/* Conversions. */

void exec_fcvt_fx(struct cpu *cpu, const struct insn *i)
{
	struct fp_control ctl = fp_resolve(cpu->ar[AR_FPSR], i->sf, PC_SF);
	struct fpreg a = *fr(cpu, i->r2);
	struct fp_outcome out;
	u64 result;

	check_enabled(cpu, i->r1, i->r2, 0, 0);
	if (fp_is_natval(a)) {
		set_fr(cpu, i->r1, FP_NATVAL);
		return;
	}
	result = fp_to_integer(a, i->x, 64, &ctl, &out);
	check_fault(cpu, &out);
	set_fr(cpu, i->r1, fp_from_sig(result));
	report(cpu, i, &out);
}

void exec_fpcvt_fx(struct cpu *cpu, const struct insn *i)
{
	struct fp_control ctl = fp_resolve(cpu->ar[AR_FPSR], i->sf, PC_SF);
	struct fpreg a = *fr(cpu, i->r2);
	struct pair out;
	u32 h, l;

	check_enabled(cpu, i->r1, i->r2, 0, 0);
	if (fp_is_natval(a)) {
		set_fr(cpu, i->r1, FP_NATVAL);
		return;
	}
	h = fp_to_integer(fp_from_single(high(a.sig)), i->x, 32, &ctl, &out.high);
	l = fp_to_integer(fp_from_single(a.sig), i->x, 32, &ctl, &out.low);
	check_faults(cpu, &out);
	set_fr(cpu, i->r1, fp_from_sig(join(h, l)));
	report_pair(cpu, i, &out);
}

void exec_fcvt_xf(struct cpu *cpu, const struct insn *i)
{
	struct fpreg a = *fr(cpu, i->r2);

	check_enabled(cpu, i->r1, i->r2, 0, 0);
	set_fr(cpu, i->r1, fp_is_natval(a) ? a : fp_from_integer(a.sig));
}

/* The status register. */

void exec_fsetc(struct cpu *cpu, const struct insn *i)
{
	u64 *fpsr = &cpu->ar[AR_FPSR];
	u64 controls = (FIELD(*fpsr, fpsr_field(0), 7) & i->r2) | i->r3;

	if (fpsr_controls_reserved(i->sf, controls))
		raise_general(cpu, GE_RESERVED_FIELD);
	*fpsr = (*fpsr & ~(0x7fULL << fpsr_field(i->sf))) | controls << fpsr_field(i->sf);
}

void exec_fclrf(struct cpu *cpu, const struct insn *i)
{
	cpu->ar[AR_FPSR] &= ~(0x3fULL << fpsr_flags(i->sf));
}

/* Did a speculative computation meet what sf0 would have trapped or does not
 * have flagged yet?
 */
void exec_fchkf(struct cpu *cpu, const struct insn *i)
{
	u64 fpsr = cpu->ar[AR_FPSR];
	u64 flags = FIELD(fpsr, fpsr_flags(i->sf), 6);

	if (flags & ~(fpsr & FIELD(fpsr, fpsr_flags(0), 6)))
		recover(cpu, cpu->ip + i->imm);
}
