// SPDX-License-Identifier: GPL-2.0
/*
 * The B unit: branches, and what else may only stand there.
 * SDM volume 3 chapter 2, formats B1-B9, X3, X4; loops SDM volume 1 section
 * 4.5.1.
 *
 * Taken branch traps and lower-privilege transfer traps are the run loop's; a
 * target that no processor implements is found when it is fetched.
 */
#include "cpu/exec.h"
#include "cpu/refs.h"
#include "cpu/rse.h"

static void take(struct cpu *cpu, u64 target)
{
	cpu->stats.taken++;
	branch_to(cpu, target & ~15ULL);
}

void exec_br_cond(struct cpu *cpu, const struct insn *i)
{
	cpu->stats.branches++;
	cpu->stats.taken++;
	branch_to(cpu, cpu->ip + i->imm);
}

void exec_br_cond_ind(struct cpu *cpu, const struct insn *i)
{
	cpu->stats.branches++;
	take(cpu, cpu->br[i->r2]);
}

void exec_br_call(struct cpu *cpu, const struct insn *i)
{
	cpu->br[i->r1] = cpu->ip + 16;
	rse_call(cpu);
	cpu->stats.branches++;
	take(cpu, cpu->ip + i->imm);
}

void exec_br_call_ind(struct cpu *cpu, const struct insn *i)
{
	u64 target = cpu->br[i->r2];

	cpu->br[i->r1] = cpu->ip + 16;
	rse_call(cpu);
	cpu->stats.branches++;
	take(cpu, target);
}

void exec_br_ret(struct cpu *cpu, const struct insn *i)
{
	u64 pfs = cpu->ar[AR_PFS];
	unsigned int level = pfs >> 62;

	cpu->ar[AR_EC] = FIELD(pfs, 52, 6);
	rse_return(cpu, pfs);
	cpu->stats.branches++;
	take(cpu, cpu->br[i->r2]);
	/* A return never raises the privilege. */
	if (level > cpl(cpu))
		set_psr(cpu, (cpu->psr & ~(3ULL << PSR_CPL)) | (u64)level << PSR_CPL);
}

void exec_br_ia(struct cpu *cpu, const struct insn *i)
{
	(void)i;
	/* As with PSR.di set: there is no IA-32 instruction set. */
	raise_general(cpu, GE_DISABLED_ISA);
}

void exec_br_cloop(struct cpu *cpu, const struct insn *i)
{
	cpu->stats.branches++;
	if (cpu->ar[AR_LC]) {
		cpu->ar[AR_LC]--;
		take(cpu, cpu->ip + i->imm);
	}
}

/* The rotating p63 is written before the registers rotate, and so is p16 then. */
static void rotate(struct cpu *cpu, bool p63)
{
	set_predicates(cpu, 63, p63, 63, p63);
	frame_rotate(cpu);
}

/* A counted loop's stage; false in the last one. */
static bool counted_loop(struct cpu *cpu)
{
	if (cpu->ar[AR_LC]) {
		cpu->ar[AR_LC]--;
		rotate(cpu, true);
		return true;
	}
	if (cpu->ar[AR_EC]) {
		rotate(cpu, false);
		return --cpu->ar[AR_EC];
	}
	set_predicates(cpu, 63, false, 63, false);
	return false;
}

static bool while_loop(struct cpu *cpu, const struct insn *i)
{
	bool go_on = pr(cpu, i->pred);

	if (go_on || cpu->ar[AR_EC]) {
		rotate(cpu, false);
		return go_on || --cpu->ar[AR_EC];
	}
	set_predicates(cpu, 63, false, 63, false);
	return false;
}

void exec_br_ctop(struct cpu *cpu, const struct insn *i)
{
	cpu->stats.branches++;
	if (counted_loop(cpu))
		take(cpu, cpu->ip + i->imm);
}

void exec_br_cexit(struct cpu *cpu, const struct insn *i)
{
	cpu->stats.branches++;
	if (!counted_loop(cpu))
		take(cpu, cpu->ip + i->imm);
}

void exec_br_wtop(struct cpu *cpu, const struct insn *i)
{
	cpu->stats.branches++;
	if (while_loop(cpu, i))
		take(cpu, cpu->ip + i->imm);
}

void exec_br_wexit(struct cpu *cpu, const struct insn *i)
{
	cpu->stats.branches++;
	if (!while_loop(cpu, i))
		take(cpu, cpu->ip + i->imm);
}

/*
 * Breaks.  Those at firmware's entry points, and only there, are its calls.
 */
void exec_break(struct cpu *cpu, const struct insn *i)
{
	if (cpu->machine->call->firmware(cpu, i->imm - FIRMWARE_BREAK)) {
		if (!cpu->branched)
			look_around(cpu);
		leave_bundle(cpu);
		return;
	}
	raise_immediate(cpu, VEC_BREAK, i->imm);
}

void exec_break_b(struct cpu *cpu, const struct insn *i)
{
	(void)i;
	raise_immediate(cpu, VEC_BREAK, 0);
}

/*
 * System instructions.
 */
void exec_cover(struct cpu *cpu, const struct insn *i)
{
	(void)i;
	rse_cover(cpu);
}

void exec_clrrrb(struct cpu *cpu, const struct insn *i)
{
	(void)i;
	frame_clear_rrb(cpu, false);
}

void exec_clrrrb_pr(struct cpu *cpu, const struct insn *i)
{
	(void)i;
	frame_clear_rrb(cpu, true);
}

void exec_bsw(struct cpu *cpu, const struct insn *i)
{
	check_privileged(cpu);
	set_psr(cpu, i->x ? cpu->psr | BIT(PSR_BN) : cpu->psr & ~BIT(PSR_BN));
}

void exec_rfi(struct cpu *cpu, const struct insn *i)
{
	(void)i;
	check_privileged(cpu);
	return_from_interruption(cpu);
}

/* The level of the page that the instruction is in, if that is a promotion
 * page (SDM 3:55).
 */
static unsigned int promoted_level(struct cpu *cpu)
{
	const struct tlb_entry *e;

	if (!psr(cpu, PSR_IT))
		return 0;
	e = tlb_find(&cpu->itlb, rr_rid(cpu->rr[cpu->ip >> 61]), cpu->ip);
	return e && e->ar == AR_X_RX && e->pl < cpl(cpu) ? e->pl : cpl(cpu);
}

void exec_epc(struct cpu *cpu, const struct insn *i)
{
	unsigned int level;

	(void)i;
	/* The return must not come back more privileged than the caller was. */
	if (cpu->ar[AR_PFS] >> 62 < cpl(cpu))
		raise_illegal(cpu);
	level = promoted_level(cpu);
	if (level != cpl(cpu)) {
		set_psr(cpu, (cpu->psr & ~(3ULL << PSR_CPL)) | (u64)level << PSR_CPL);
		look_around(cpu);
	}
}
