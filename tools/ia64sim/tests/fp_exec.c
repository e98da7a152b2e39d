// SPDX-License-Identifier: GPL-2.0
/*
 * The F unit's instructions: NaTVal, disabled registers, PSR.mfl and mfh, the
 * FPSR, faults and traps with their ISR codes, predicates; the significand
 * instructions against plain C; the parallel ones against SSE.  The rest of the
 * machine is played by the functions below.
 *
 * usage: fp_exec [cases]
 */
#include <math.h>
#include <x86intrin.h>

#include "cpu/exec.h"
#include "fp_test.h"

static struct cpu cpu;
static struct insn insn;

/* What the instruction ended with. */
static struct {
	bool raised, trapped;
	unsigned int vector;
	u64 isr;
} end_of;

void raise_vector(struct cpu *c, enum vector vector, u64 isr)
{
	end_of.raised = true;
	end_of.vector = vector;
	end_of.isr = isr;
	longjmp(c->interruption, 1);
}

void raise_general(struct cpu *c, unsigned int code)
{
	raise_vector(c, VEC_GENERAL_EXCEPTION, code);
}

void raise_illegal(struct cpu *c)
{
	raise_general(c, GE_ILLEGAL_OPERATION);
}

void raise_nat_consumption(struct cpu *c, u64 isr)
{
	raise_vector(c, VEC_NAT_CONSUMPTION, isr);
}

void leave_with_trap(struct cpu *c, u64 code)
{
	end_of.trapped = true;
	end_of.isr = code;
	longjmp(c->interruption, 1);
}

void recover(struct cpu *c, u64 target)
{
	branch_to(c, target);
}

static u8 map[128];

/* All registers pass through, f32-f127 rotated by 5; predicate 6 is true. */
static void reset(void)
{
	memset(&cpu, 0, sizeof(cpu));
	memset(&insn, 0, sizeof(insn));
	for (int i = 0; i < 128; i++)
		map[i] = i < 32 ? i : 32 + (i - 32 + 5) % 96;
	cpu.frmap = map;
	cpu.fr[1] = make(1ULL << 63, false, 0xffff);
	cpu.ar[AR_FPSR] = 0x9804c0270033fULL;
	cpu.pr = 1 | 1 << 6;
	cpu.ip = 0x1000;
}

/* Returns false when nothing but the end of it changed. */
static bool run(exec_fn exec)
{
	static struct cpu before;

	before = cpu;
	memset(&end_of, 0, sizeof(end_of));
	if (!setjmp(cpu.interruption))
		exec(&cpu, &insn);
	return memcmp(before.fr, cpu.fr, sizeof(cpu.fr)) || before.psr != cpu.psr ||
	       before.pr != cpu.pr || before.ar[AR_FPSR] != cpu.ar[AR_FPSR];
}

static struct fpreg *f(unsigned int n)
{
	return &cpu.fr[map[n]];
}

static struct fpreg number(double x)
{
	u64 bits;

	memcpy(&bits, &x, 8);
	return fp_from_double(bits);
}

static bool same(struct fpreg a, struct fpreg b)
{
	return a.sig == b.sig && a.se == b.se;
}

static const struct fpreg natval = { .sig = 0, .se = 0x1fffe };

/* A rule of the manual: what it says, and whether it holds. */
static void rule(const char *what, bool holds)
{
	if (check(holds))
		printf("\n  broken: %s\n", what);
}

struct named {
	const char *name;
	exec_fn exec;
	u8 sources;		/* f2, f3, f4 */
	bool predicate;		/* p2, runs in any case */
};

#define N(name, sources)	{ #name, exec_##name, sources, false }
static const struct named targets[] = {
	N(fma, 7), N(fms, 7), N(fnma, 7), N(fpma, 7), N(fpms, 7), N(fpnma, 7), N(xma_l, 7),
	N(xma_h, 7), N(xma_hu, 7), N(fselect, 7), N(fminmax, 3), N(fpminmax, 3), N(fpcmp, 3),
	N(fmerge_s, 3), N(fmerge_ns, 3), N(fmerge_se, 3), N(fmix_lr, 3), N(fmix_r, 3),
	N(fmix_l, 3), N(fsxt_r, 3), N(fsxt_l, 3), N(fpack, 3), N(fswap, 3), N(fswap_nl, 3),
	N(fswap_nr, 3), N(fand, 3), N(fandcm, 3), N(for, 3), N(fxor, 3), N(fpmerge_s, 3),
	N(fpmerge_ns, 3), N(fpmerge_se, 3), N(fcvt_fx, 1), N(fpcvt_fx, 1), N(fcvt_xf, 1),
	{ "frcpa", exec_frcpa, 3, true }, { "fprcpa", exec_fprcpa, 3, true },
	{ "frsqrta", exec_frsqrta, 2, true }, { "fprsqrta", exec_fprsqrta, 2, true },
};

/* f40 = f41, f42, f43 with ordinary operands. */
static void operands(void)
{
	reset();
	insn.r1 = 40;
	insn.r2 = 41;
	insn.r3 = 42;
	insn.r4 = 43;
	insn.p2 = 7;
	insn.pred = 6;
	for (int i = 41; i < 44; i++)
		*f(i) = number(i);
	cpu.pr |= 1 << 7;
}

/* The same for every instruction that has a floating-point target. */
static void test_all(void)
{
	unsigned long before = failed;

	begin("NaTVal, disabled registers, PSR.mfl and mfh");
	for (size_t n = 0; n < sizeof(targets) / sizeof(targets[0]); n++) {
		const struct named *t = &targets[n];
		bool good = true;

		for (int source = 0; source < 3; source++) {
			bool used = t->sources >> source & 1;

			operands();
			*f(41 + source) = natval;
			run(t->exec);
			good &= same(*f(40), natval) == used && !end_of.raised;
			if (t->predicate && used)
				good &= !pr(&cpu, 7);
			if (used)
				good &= cpu.ar[AR_FPSR] == 0x9804c0270033fULL;

			/* only this source, and the target, are high: disabled */
			operands();
			insn.r1 = insn.r2 = insn.r3 = insn.r4 = 2;
			(&insn.r2)[source] = 127;
			cpu.psr = BIT(PSR_DFH);
			good &= run(t->exec) != used && end_of.raised == used;
			if (used)
				good &= end_of.vector == VEC_DISABLED_FP && end_of.isr == 2;

			operands();
			(&insn.r2)[source] = 31;
			cpu.psr = BIT(PSR_DFL);
			good &= run(t->exec) != used && end_of.raised == used;
			if (used)
				good &= end_of.vector == VEC_DISABLED_FP && end_of.isr == 1;
		}
		operands();
		insn.r2 = insn.r3 = insn.r4 = 1;
		insn.r1 = 32;
		cpu.psr = BIT(PSR_DFL);
		good &= run(t->exec) && cpu.psr == (BIT(PSR_DFL) | BIT(PSR_MFH));
		operands();
		insn.r1 = 31;
		good &= run(t->exec) && cpu.psr == BIT(PSR_MFL);
		operands();
		insn.r1 = 2;
		cpu.psr = BIT(PSR_DFL) | BIT(PSR_DFH);
		good &= !run(t->exec) && end_of.vector == VEC_DISABLED_FP && end_of.isr == 3;

		/* a false predicate clears p2 and does no more */
		if (t->predicate) {
			operands();
			insn.pred = 9;
			cpu.psr = BIT(PSR_DFL) | BIT(PSR_DFH);
			good &= run(t->exec) && !end_of.raised && cpu.pr == (1 | 1 << 6);
			operands();
			insn.r1 = 1;
			good &= !run(t->exec) && end_of.vector == VEC_GENERAL_EXCEPTION &&
				end_of.isr == 0;
			insn.pred = 9;
			good &= run(t->exec) && !end_of.raised;
		}
		if (check(good))
			printf("\n  broken: %s\n", t->name);
	}
	end(before);
}

static u64 fpsr_of(unsigned int sf)
{
	return cpu.ar[AR_FPSR] >> (6 + 13 * sf) & 0x1fff;
}

static void scalar(struct fpreg a, struct fpreg b, struct fpreg c, unsigned int pc, unsigned int sf)
{
	operands();
	*f(42) = a;
	*f(43) = b;
	*f(41) = c;
	insn.x = pc;
	insn.sf = sf;
}

static void test_exceptions(void)
{
	const struct fpreg one = make(1ULL << 63, false, 0xffff), inf = make(1ULL << 63, false, 0x1ffff);
	const struct fpreg snan = make(1ULL << 63 | 5, false, 0x1ffff), zero = make(0, false, 0);
	const struct fpreg denormal = fp_from_double(1), third = fp_from_double(0x3fd5555555555555);
	const struct fpreg huge = make(1ULL << 63, false, 0x103fe);	/* 2^1023 */
	const struct fpreg tiny = make(1ULL << 63, false, 0xfc01);	/* 2^-1022 */
	unsigned long before = failed;
	u64 fpsr;

	begin("status fields, faults and traps");
	for (unsigned int sf = 0; sf < 4; sf++) {
		scalar(third, third, zero, PC_D, sf);
		fpsr = cpu.ar[AR_FPSR];
		run(exec_fma);
		rule("inexact is flagged in the instruction's field only",
		     cpu.ar[AR_FPSR] == (fpsr | 0x20ULL << (6 + 13 * sf + 7)));
		scalar(snan, one, zero, PC_D, sf);
		run(exec_fma);
		rule("a masked invalid operation is flagged", !end_of.raised && fpsr_of(sf) >> 7 == 1 &&
		     same(*f(40), make(3ULL << 62 | 5, false, 0x1ffff)));
	}

	scalar(snan, one, zero, PC_D, 0);
	cpu.ar[AR_FPSR] &= ~1ULL;
	rule("an invalid operation fault changes nothing", !run(exec_fma) && end_of.raised &&
	     end_of.vector == VEC_FP_FAULT && end_of.isr == 1);
	scalar(snan, one, zero, PC_D, 1);
	cpu.ar[AR_FPSR] &= ~1ULL;
	rule("td disables it", run(exec_fma) && !end_of.raised && fpsr_of(1) >> 7 == 1);
	scalar(denormal, one, zero, PC_D, 0);
	cpu.ar[AR_FPSR] &= ~2ULL;
	rule("denormal fault", !run(exec_fma) && end_of.vector == VEC_FP_FAULT && end_of.isr == 2);
	scalar(denormal, snan, zero, PC_D, 0);
	cpu.ar[AR_FPSR] &= ~2ULL;
	rule("a NaN goes before the denormal fault", run(exec_fma) && fpsr_of(0) >> 7 == 1);
	operands();
	*f(42) = zero;
	cpu.ar[AR_FPSR] &= ~4ULL;
	rule("zero divide fault, p2 and f1 as they were", !run(exec_frcpa) &&
	     end_of.vector == VEC_FP_FAULT && end_of.isr == 4);
	operands();
	*f(42) = zero;
	rule("masked zero divide", run(exec_frcpa) && same(*f(40), inf) && !pr(&cpu, 7) &&
	     fpsr_of(0) >> 7 == 4);
	operands();
	rule("approximation sets p2", run(exec_frcpa) && pr(&cpu, 7) && fpsr_of(0) >> 7 == 0);

	scalar(huge, huge, zero, PC_D, 0);
	cpu.ar[AR_FPSR] &= ~8ULL;
	rule("overflow trap: exact result in wide range", run(exec_fma) && end_of.trapped &&
	     end_of.isr == (TRAP_FP | 1 << 11) && fpsr_of(0) >> 7 == 8 &&
	     same(*f(40), make(1ULL << 63, false, 0xffff + 2046)) && psr(&cpu, PSR_MFH));
	scalar(huge, make(~0ULL, false, 0xffff + 1), zero, PC_D, 0);
	cpu.ar[AR_FPSR] &= ~8ULL;
	rule("overflow trap, inexact, larger", run(exec_fma) && end_of.trapped &&
	     end_of.isr == (TRAP_FP | 1 << 11 | 1 << 13 | 1 << 14) && fpsr_of(0) >> 7 == 0x28);
	scalar(tiny, tiny, zero, PC_D, 0);
	cpu.ar[AR_FPSR] &= ~16ULL;
	rule("underflow trap even when exact", run(exec_fma) && end_of.trapped &&
	     end_of.isr == (TRAP_FP | 1 << 12) && fpsr_of(0) >> 7 == 16 &&
	     same(*f(40), make(1ULL << 63, false, 0xffff - 2044)));
	scalar(tiny, make(1ULL << 63, false, 0xfffe), zero, PC_D, 0);
	rule("an exact denormal is no underflow", run(exec_fma) && !end_of.trapped &&
	     fpsr_of(0) >> 7 == 0 && same(*f(40), make(1ULL << 62, false, 0xfc01)));
	scalar(third, third, zero, PC_D, 0);
	cpu.ar[AR_FPSR] &= ~32ULL;
	run(exec_fma);
	rule("inexact trap", end_of.trapped && (end_of.isr & ~(1ULL << 14)) == (TRAP_FP | 1 << 13) &&
	     fpsr_of(0) >> 7 == 32);
	scalar(huge, huge, zero, PC_D, 0);
	cpu.ar[AR_FPSR] &= ~32ULL;
	rule("masked overflow, inexact trap with infinity", run(exec_fma) && end_of.trapped &&
	     end_of.isr == (TRAP_FP | 1 << 13 | 1 << 14) && same(*f(40), inf));
	scalar(make(1ULL << 63, false, 0x1fffe), make(1ULL << 63, false, 0xffff + 5), zero, PC_SF, 1);
	cpu.ar[AR_FPSR] &= ~(8ULL | 0x40ULL << 19);
	rule("the wide range's exponent wraps", run(exec_fma) && end_of.trapped &&
	     same(*f(40), make(1ULL << 63, false, 3)));

	operands();
	*f(41) = make(3ULL << 62, false, 0xffff);	/* 1.5 */
	cpu.ar[AR_FPSR] &= ~32ULL;
	rule("fcvt.fx traps on inexact", run(exec_fcvt_fx) && end_of.trapped &&
	     end_of.isr == (TRAP_FP | 1 << 13 | 1 << 14) && same(*f(40), make(2, false, 0x1003e)));
	operands();
	*f(41) = inf;
	rule("integer indefinite", run(exec_fcvt_fx) && fpsr_of(0) >> 7 == 1 &&
	     same(*f(40), make(1ULL << 63, false, 0x1003e)));

	/* f2 = f0: the sign of a zero product stands; otherwise it is a sum */
	scalar(make(0, true, 0), one, zero, PC_D, 0);
	insn.r2 = 0;
	rule("multiplication", run(exec_fma) && same(*f(40), make(0, true, 0)));
	scalar(make(0, true, 0), one, zero, PC_D, 0);
	rule("addition of +0", run(exec_fma) && same(*f(40), zero));
	end(before);
}

/* High and low halves report in bits of their own. */
static void test_parallel_exceptions(void)
{
	static const u32 one = 0x3f800000, snan = 0x7f800001, huge = 0x7f000000, tiny = 0x00800000;
	static const u32 denormal = 1, third = 0x3eaaaaab, zero = 0;
	static const struct {
		u32 high[3], low[3];	/* a * b + c */
		u8 enabled;
		bool trap;
		u64 isr;
	} cases[] = {
		{ { snan, one, one }, { one, one, one }, FP_V, false, 0x01 },
		{ { one, one, one }, { snan, one, one }, FP_V, false, 0x10 },
		{ { denormal, one, one }, { snan, one, one }, FP_V | FP_D, false, 0x12 },
		{ { snan, one, one }, { huge, huge, one }, FP_V | FP_O, false, 0x01 },
		{ { huge, huge, zero }, { one, one, one }, FP_O, true, 1 << 11 },
		{ { one, one, one }, { huge, huge, zero }, FP_O, true, 1 << 7 },
		{ { tiny, tiny, zero }, { huge, huge, zero }, FP_O | FP_U, true, 1 << 12 | 1 << 7 },
		{ { third, third, zero }, { one, one, one }, FP_I, true, 1 << 13 | 1 << 14 },
		{ { one, one, one }, { third, third, zero }, FP_I, true, 1 << 9 | 1 << 10 },
		{ { huge, huge, zero }, { third, third, zero }, FP_O, true, 1 << 11 },
		{ { huge, huge, zero }, { tiny, tiny, zero }, FP_I, true,
		  1 << 13 | 1 << 14 | 1 << 9 },
	};
	unsigned long before = failed;

	begin("faults and traps of the parallel instructions");
	for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
		bool changed;

		operands();
		*f(42) = fp_from_sig((u64)cases[n].high[0] << 32 | cases[n].low[0]);
		*f(43) = fp_from_sig((u64)cases[n].high[1] << 32 | cases[n].low[1]);
		*f(41) = fp_from_sig((u64)cases[n].high[2] << 32 | cases[n].low[2]);
		insn.r2 = cases[n].high[2] == zero && cases[n].low[2] == zero ? 0 : 41;
		cpu.ar[AR_FPSR] &= ~(u64)cases[n].enabled;
		changed = run(exec_fpma);
		if (check(changed == cases[n].trap && end_of.trapped == cases[n].trap &&
			  end_of.raised != cases[n].trap &&
			  end_of.isr == (cases[n].isr | cases[n].trap)))
			printf("\n  case %zu: isr %llx\n", n, (unsigned long long)end_of.isr);
	}
	end(before);
}

static void test_predicates(void)
{
	const struct fpreg snan = make(1ULL << 63 | 5, false, 0x1ffff);
	unsigned long before = failed;

	begin("fcmp, fclass");
	for (int unc = 0; unc < 2; unc++) {
		exec_fn fcmp = unc ? exec_fcmp_unc : exec_fcmp;
		exec_fn fclass = unc ? exec_fclass_unc : exec_fclass;

		operands();
		insn.p1 = 10;
		insn.p2 = 11;
		insn.x = FREL_LT;
		rule("41 < 42", run(fcmp) && pr(&cpu, 10) && !pr(&cpu, 11));
		insn.r3 = 41;
		rule("not 41 < 41", run(fcmp) && !pr(&cpu, 10) && pr(&cpu, 11));
		*f(41) = natval;
		rule("NaTVal clears both", run(fcmp) && !pr(&cpu, 10) && !pr(&cpu, 11));
		*f(41) = snan;
		run(fcmp);
		rule("NaN: false, and invalid", !pr(&cpu, 10) && pr(&cpu, 11) && fpsr_of(0) >> 7 == 1);
		cpu.ar[AR_FPSR] = 0x9804c0270033eULL;
		rule("fault changes nothing", !run(fcmp) && end_of.vector == VEC_FP_FAULT &&
		     end_of.isr == 1);
		insn.p1 = 0;
		insn.x = FREL_UNORD;
		cpu.ar[AR_FPSR] = 0x9804c0270033fULL;
		run(fcmp);
		rule("p0 stays", pr(&cpu, 0) && !pr(&cpu, 11));
		cpu.psr = BIT(PSR_DFH);
		rule("disabled", !run(fcmp) && end_of.vector == VEC_DISABLED_FP && end_of.isr == 2);
		rule("disabled", !run(fclass) && end_of.vector == VEC_DISABLED_FP && end_of.isr == 2);

		operands();
		insn.p1 = 10;
		insn.p2 = 11;
		insn.imm = 0x13;
		rule("normal", run(fclass) && pr(&cpu, 10) && !pr(&cpu, 11));
		insn.imm = 0x12;
		rule("not negative", run(fclass) && !pr(&cpu, 10) && pr(&cpu, 11));
		*f(41) = natval;
		rule("NaTVal clears both", run(fclass) && !pr(&cpu, 10) && !pr(&cpu, 11));
		insn.imm = 0x100;
		rule("unless it was asked for", run(fclass) && pr(&cpu, 10) && !pr(&cpu, 11));
	}
	operands();
	insn.p1 = 6;
	insn.p2 = 7;
	insn.pred = 9;
	cpu.psr = BIT(PSR_DFL) | BIT(PSR_DFH);
	rule("unc with a false predicate", run(exec_fcmp_unc) && cpu.pr == 1 && !end_of.raised);
	cpu.pr |= 0xc0;
	rule("unc with a false predicate", run(exec_fclass_unc) && cpu.pr == 1 && !end_of.raised);
	end(before);
}

static void test_status(void)
{
	unsigned long before = failed;

	begin("fsetc, fclrf, fchkf");
	for (unsigned int sf = 0; sf < 4; sf++) {
		reset();
		insn.sf = sf;
		cpu.ar[AR_FPSR] = MASK(58) & ~(1ULL << 12);	/* all flags, pc 3, wre, ftz, td */
		insn.r2 = 0x3d;		/* mask wre */
		insn.r3 = 0;
		rule("fsetc keeps flags and other fields", run(exec_fsetc) &&
		     cpu.ar[AR_FPSR] == ((MASK(58) & ~(1ULL << 12)) &
					 ~(0x42ULL << (6 + 13 * sf))));
		insn.r2 = 0;
		insn.r3 = 0x40;
		rule("sf0.td is reserved", run(exec_fsetc) == (sf != 0) &&
		     end_of.raised == (sf == 0) &&
		     (sf || (end_of.vector == VEC_GENERAL_EXCEPTION && end_of.isr == 0x30)));
		insn.r3 = 0x04;
		rule("pc 1 is reserved", !run(exec_fsetc) && end_of.isr == 0x30);

		reset();
		insn.sf = sf;
		cpu.ar[AR_FPSR] = MASK(58);
		rule("fclrf", run(exec_fclrf) &&
		     cpu.ar[AR_FPSR] == (MASK(58) & ~(0x3fULL << (6 + 13 * sf + 7))));

		insn.imm = -32;
		for (unsigned int bit = 0; bit < 6; bit++) {
			u64 flag = 1ULL << bit;

			for (unsigned int state = 0; state < 8; state++) {
				bool disabled = state & 1, in0 = state & 2, in_sf = state & 4, branch;

				reset();
				insn.sf = sf;
				insn.imm = -32;
				cpu.ar[AR_FPSR] = (disabled ? 0x3f : 0x3f & ~flag) |
						  (in0 ? flag << 13 : 0) |
						  (in_sf ? flag << (6 + 13 * sf + 7) : 0);
				if (sf == 0)
					in0 = in_sf = in0 || in_sf;
				branch = in_sf && (!disabled || !in0);
				run(exec_fchkf);
				rule("fchkf", cpu.branched == (branch ? BRANCHED : BRANCHED_NOT) &&
				     cpu.ip == (branch ? 0xfe0 : 0x1000));
			}
		}
	}
	end(before);
}

/* The F unit's short cut for normal numbers against fp_ma(), which is tested with
 * MPFR elsewhere: operands, controls, traps and flags of all kinds.
 */
static void test_multiply_add(unsigned long cases)
{
	static const exec_fn instructions[] = { exec_fma, exec_fnma, exec_fms };
	unsigned long before = failed;

	begin("fma, fms, fnma");
	for (unsigned long n = 0; n < cases; n++) {
		struct fpreg a = corner_register(24), b = corner_register(24);
		struct fpreg c = corner_register(24), r;
		unsigned int op = below(3), sf = below(4);
		struct fp_outcome out;
		struct fp_control ctl;
		u64 fpsr, want;
		bool good;

		scalar(a, b, c, below(3), sf);
		if (one_in(3))
			insn.r2 = 0;
		fpsr = (rnd() & MASK(58)) | 0x3f;
		for (unsigned int field = 0; field < 4; field++)
			if ((fpsr >> (6 + 13 * field + 2) & 3) == 1)
				fpsr |= 2ULL << (6 + 13 * field + 2);
		fpsr &= ~(1ULL << 12);
		if (one_in(4))
			fpsr &= ~(u64)below(64);
		cpu.ar[AR_FPSR] = fpsr;

		ctl = fp_resolve(fpsr, sf, insn.x);
		r = fp_ma(a, b, insn.r2 ? c : make(0, false, 0),
			  op | (insn.r2 ? 0 : MA_NO_ADDEND), &ctl, &out);
		want = fpsr | (u64)out.flags << (6 + 13 * sf + 7);
		run(instructions[op]);
		if (out.fault)
			good = end_of.raised && end_of.isr == out.fault && cpu.ar[AR_FPSR] == fpsr;
		else
			good = !end_of.raised && same(*f(40), r) && cpu.ar[AR_FPSR] == want &&
			       end_of.trapped == (out.trap != 0) &&
			       (!out.trap || end_of.isr == (u64)(TRAP_FP | out.trap << 8 |
								 out.fpa << 14));
		if (check(good))
			printf("\n%s * %s + %s op %u fpsr %llx sf %u: got %s %llx, want %s %llx\n",
			       show(a), show(b), show(c), op, (unsigned long long)fpsr, sf,
			       show(*f(40)), (unsigned long long)cpu.ar[AR_FPSR], show(r),
			       (unsigned long long)want);
	}
	end(before);
}

static u32 hi(u64 x)
{
	return x >> 32;
}

static u32 lo(u64 x)
{
	return x;
}

/* Instructions on bits: each told once more, two halves at a time. */
static void test_significands(unsigned long cases)
{
	unsigned long before = failed;

	begin("xma, merges, mixes, swaps, logic");
	for (unsigned long n = 0; n < cases; n++) {
		struct fpreg a = corner_register(3), b = corner_register(3), c = corner_register(3);
		u64 x = a.sig, y = b.sig, z = c.sig, want = 0;
		const char *name = "";
		struct fpreg r, full;
		bool integer = true;
		s128 product;

		if (same(a, natval) || same(b, natval) || same(c, natval)) {
			n--;
			continue;
		}
		operands();
		*f(41) = a;
		*f(42) = b;
		*f(43) = c;
		full = b;

#define CASE(number, instruction, result)			\
		case number:					\
			name = #instruction;			\
			run(exec_##instruction);		\
			want = result;				\
			break;
#define HALVES(h, l)	((u64)(u32)(h) << 32 | (u32)(l))
		switch (below(25)) {
		CASE(0, xma_l, (u64)((u128)y * z + x))
		CASE(1, xma_hu, (u64)(((u128)y * z + (u128)x) >> 64))
		case 2:
			name = "xma_h";
			run(exec_xma_h);
			product = (s128)(s64)y * (s128)(s64)z;
			want = (u64)((u128)(product + (s128)x) >> 64);
			break;
		CASE(3, fselect, (y & x) | (z & ~x))
		CASE(4, fand, x & y)
		CASE(5, fandcm, x & ~y)
		CASE(6, for, x | y)
		CASE(7, fxor, x ^ y)
		CASE(8, fmix_l, HALVES(hi(x), hi(y)))
		CASE(9, fmix_r, HALVES(lo(x), lo(y)))
		CASE(10, fmix_lr, HALVES(hi(x), lo(y)))
		CASE(11, fsxt_l, HALVES((s32)hi(x) < 0 ? -1 : 0, hi(y)))
		CASE(12, fsxt_r, HALVES((s32)lo(x) < 0 ? -1 : 0, lo(y)))
		CASE(13, fswap, HALVES(lo(y), hi(x)))
		CASE(14, fswap_nl, HALVES(lo(y) + 0x80000000, hi(x)))
		CASE(15, fswap_nr, HALVES(lo(y), hi(x) + 0x80000000))
		CASE(16, fpmerge_s, HALVES((hi(x) & 0x80000000) + (hi(y) & 0x7fffffff),
					   (lo(x) & 0x80000000) + (lo(y) & 0x7fffffff)))
		CASE(17, fpmerge_ns, HALVES((~hi(x) & 0x80000000) + (hi(y) & 0x7fffffff),
					    (~lo(x) & 0x80000000) + (lo(y) & 0x7fffffff)))
		CASE(18, fpmerge_se, HALVES((hi(x) >> 23 << 23) + (hi(y) << 9 >> 9),
					    (lo(x) >> 23 << 23) + (lo(y) << 9 >> 9)))
		case 19:	/* any value that a single can hold */
			*f(41) = fp_from_single(lo(x));
			*f(42) = fp_from_single(lo(y));
			run(exec_fpack);
			name = "fpack";
			want = HALVES(lo(x), lo(y));
			break;
		case 20:
			name = "fmerge_s";
			run(exec_fmerge_s);
			full.se = (a.se & 0x20000) + (b.se & 0x1ffff);
			integer = false;
			break;
		case 21:
			name = "fmerge_ns";
			run(exec_fmerge_ns);
			full.se = (a.se >> 17 ? 0 : 0x20000) + (b.se & 0x1ffff);
			integer = false;
			break;
		case 22:
			name = "fmerge_se";
			run(exec_fmerge_se);
			full.se = a.se;
			integer = false;
			break;
		case 23:
			insn.r2 = 0;
			run(exec_xma_l);
			name = "xma_l with f0";
			want = y * z;
			break;
		default:	/* f1's significand is that of 1.0 here, too */
			insn.r3 = 1;
			run(exec_xma_hu);
			name = "xma_hu with f1";
			want = ((u128)z * (1ULL << 63) + x) >> 64;
		}
#undef CASE
		r = *f(40);
		if (integer)
			full = make(want, false, 0x1003e);
		if (check(same(r, full)))
			printf("\n%s %s %s %s: got %s, want %s\n", name, show(a), show(b), show(c),
			       show(r), show(full));
	}
	end(before);
}

static __m128 as_sse(u32 bits)
{
	return _mm_castsi128_ps(_mm_cvtsi32_si128(bits));
}

static u32 as_bits(__m128 x)
{
	return _mm_cvtsi128_si32(_mm_castps_si128(x));
}

/* One half by SSE; the flags stay in MXCSR. */
__attribute__((noinline)) static u32 host_half(unsigned int what, u32 a, u32 b)
{
	__m128 x = as_sse(a), y = as_sse(b), absolute = as_sse(0x7fffffff);
	bool less;

	switch (what) {
	case 0:
		return as_bits(_mm_min_ss(x, y));
	case 1:
		return as_bits(_mm_max_ss(x, y));
	case 2:
		less = as_bits(_mm_cmplt_ss(_mm_and_ps(x, absolute), _mm_and_ps(y, absolute)));
		return less ? a : b;
	case 3:
		less = as_bits(_mm_cmplt_ss(_mm_and_ps(y, absolute), _mm_and_ps(x, absolute)));
		return less ? a : b;
	case 4:
		return as_bits(_mm_cmpeq_ss(x, y));
	case 5:
		return as_bits(_mm_cmplt_ss(x, y));
	case 6:
		return as_bits(_mm_cmple_ss(x, y));
	case 7:
		return as_bits(_mm_cmpunord_ss(x, y));
	case 8:
		return as_bits(_mm_cmpneq_ss(x, y));
	case 9:
		return as_bits(_mm_cmpnlt_ss(x, y));
	case 10:
		return as_bits(_mm_cmpnle_ss(x, y));
	case 11:
		return as_bits(_mm_cmpord_ss(x, y));
	case 12:
		return _mm_cvtss_si32(x);
	default:
		return _mm_cvttss_si32(x);
	}
}

static void test_parallel(unsigned long cases)
{
	unsigned long before = failed;

	begin("parallel min, max, compare, convert by SSE");
	for (unsigned long n = 0; n < cases; n++) {
		u32 a[2] = { corner_single(), corner_single() }, r[2], got_flags, flags;
		u32 b[2] = { corner_single(), corner_single() };
		unsigned int what = below(14), rc = below(4);

		if (one_in(4))
			b[0] = a[0] ^ (one_in(2) ? 0 : 1U << below(32));
		_mm_setcsr(0x1f80 | rc << 13);
		r[0] = host_half(what, a[0], b[0]);
		r[1] = host_half(what, a[1], b[1]);
		flags = _mm_getcsr() & 0x3f;
		_mm_setcsr(0x1f80);

		operands();
		insn.sf = 2;
		cpu.ar[AR_FPSR] = (u64)(rc << 4 | 0x0c) << 32 | 0x3f;
		*f(41) = fp_from_sig((u64)a[0] << 32 | a[1]);
		*f(42) = fp_from_sig((u64)b[0] << 32 | b[1]);
		insn.x = what < 4 ? what : what < 12 ? what - 4 : what == 13 ? FCVT_TRUNC : 0;
		run(what < 4 ? exec_fpminmax : what < 12 ? exec_fpcmp : exec_fpcvt_fx);
		got_flags = fpsr_of(2) >> 7;
		if (what >= 12)		/* SSE's conversions do not tell denormals */
			got_flags &= ~FP_D;
		if (check(same(*f(40), fp_from_sig((u64)r[0] << 32 | r[1])) && got_flags == flags))
			printf("\n%u: %08x %08x, %08x %08x: got %s %02x, want %08x%08x %02x\n", what,
			       a[0], a[1], b[0], b[1], show(*f(40)), got_flags, r[0], r[1], flags);
	}
	end(before);
}

int main(int argc, char **argv)
{
	unsigned long cases = argc > 1 ? strtoul(argv[1], NULL, 0) : 1000000;

	test_all();
	test_exceptions();
	test_parallel_exceptions();
	test_predicates();
	test_status();
	test_multiply_add(cases);
	test_significands(cases);
	test_parallel(cases);
	return finish();
}
