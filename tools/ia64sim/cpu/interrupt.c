// SPDX-License-Identifier: GPL-2.0
/*
 * Interruptions: entering the vector table, the PSR, and how instructions end
 * otherwise than by falling through.  SDM volume 2, sections 3.3.2, 3.3.5, 5.5
 * and chapter 8.
 */
#include "cpu/interrupt.h"
#include "cpu/sapic.h"
#include "mmu/soft.h"
#include "pmu/pmu.h"
#include "watch/trace.h"

/* What an interruption leaves alone; be and pp come from the DCR, all else
 * becomes 0 (SDM table 3-2).
 */
#define PSR_KEPT	(BIT(PSR_UP) | BIT(PSR_MFL) | BIT(PSR_MFH) | BIT(PSR_PK) |	\
			 BIT(PSR_DT) | BIT(PSR_RT) | BIT(PSR_MC) | BIT(PSR_IT))

/* Short cuts to memory depend on these, or exist once for each value of them. */
#define PSR_MEMORY	(BIT(PSR_BE) | BIT(PSR_PK) | BIT(PSR_DB) | BIT(PSR_ID) |	\
			 BIT(PSR_DA) | BIT(PSR_DD) | BIT(PSR_IA))
#define PSR_CONTEXT	(BIT(PSR_DT) | 3ULL << PSR_CPL | BIT(PSR_IT))

enum { BANKED = 16 };

static void switch_banks(struct cpu *cpu)
{
	for (int i = 0; i < 16; i++) {
		u64 value = cpu->gr[BANKED + i];
		u8 nat = cpu->nat[BANKED + i];

		cpu->gr[BANKED + i] = cpu->bank[i];
		cpu->nat[BANKED + i] = cpu->bank_nat[i];
		cpu->bank[i] = value;
		cpu->bank_nat[i] = nat;
	}
}

/* PSR.i is about to change. */
static void note_masking(struct cpu *cpu, bool unmask)
{
	if (unmask && cpu->masking && cpu->cycles - cpu->masked_at > cpu->masked.cycles)
		cpu->masked = (struct masked){
			cpu->cycles - cpu->masked_at, cpu->masked_from, cpu->ip,
		};
	cpu->masking = !unmask;
	cpu->masked_at = cpu->cycles;
	cpu->masked_from = cpu->ip;
}

static void change_psr(struct cpu *cpu, u64 value, unsigned int where)
{
	u64 changed = cpu->psr ^ value;
	/* What faults overflows a counter before the interruption begins, whatever PSR was. */
	bool monitors = (changed & PSR_MONITORS || where == PMU_BETWEEN) && cpu->pmu.on;

	if (changed & 3ULL << PSR_CPL) {
		cpu->stats.level_changes++;
		count_level(cpu);
	}
	if (__builtin_expect(monitors, 0))
		pmu_end_interval(cpu, where);
	cpu->psr = value;
	if (__builtin_expect(monitors, 0))
		pmu_begin_interval(cpu, where);
	if (changed & BIT(PSR_BN))
		switch_banks(cpu);
	if (changed & PSR_CONTEXT)
		soft_tlb_select(cpu);
	if (changed & PSR_MEMORY)
		soft_tlb_flush(cpu);
	if (changed & BIT(PSR_I))
		note_masking(cpu, value & BIT(PSR_I));
	if (changed & value & BIT(PSR_I))
		sapic_update(cpu);
	if (changed)
		attend(cpu);
}

void replace_psr(struct cpu *cpu, u64 value)
{
	change_psr(cpu, value, PMU_IN_LAST_EFFECT);
}

void set_psr(struct cpu *cpu, u64 value)
{
	value &= ~(3ULL << PSR_RI);
	if ((cpu->psr ^ value) & BIT(PSR_IC))
		cpu->ic_in_flight = true;
	replace_psr(cpu, value);
}

/* Everything of an interruption but where ISR.ei comes from. */
static void enter(struct cpu *cpu, enum vector vector, u64 isr)
{
	struct interruption_record *r = &cpu->recent[cpu->n_recent++ % RECENT_INTERRUPTIONS];
	u64 new = cpu->psr & PSR_KEPT;

	if (!psr(cpu, PSR_IC) || cpu->ic_in_flight)
		isr |= BIT(ISR_NI);
	if (cpu->rse_cfle)
		isr |= BIT(ISR_IR);
	if (collecting(cpu)) {
		cpu->cr[CR_IPSR] = cpu->psr | (u64)cpu->slot << PSR_RI;
		cpu->cr[CR_IIP] = cpu->ip;
		cpu->cr[CR_IIPA] = cpu->iipa;
		cpu->cr[CR_IFS] &= ~BIT(63);
	}
	/* The nested fault leaves everything to the handler that it hit. */
	if (vector != VEC_DATA_NESTED_TLB)
		cpu->cr[CR_ISR] = isr;

	r->cycles = cpu->cycles;
	r->ip = cpu->ip;
	r->slot = cpu->slot;
	r->psr = cpu->psr;
	r->vector = vector;
	r->isr = isr;
	r->ifa = cpu->cr[CR_IFA];
	cpu->stats.interruptions[vector >> 8]++;
	if (tracing(cpu->machine, TRACE_INT))
		trace_interruption(cpu, vector, isr);

	if (cpu->cr[CR_DCR] & BIT(DCR_BE))
		new |= BIT(PSR_BE);
	if (cpu->cr[CR_DCR] & BIT(DCR_PP))
		new |= BIT(PSR_PP);
	change_psr(cpu, new, PMU_BETWEEN);
	cpu->ic_in_flight = false;
	cpu->rse_cfle = false;
	cpu->ip = (cpu->cr[CR_IVA] & ~MASK(15)) + vector;
	cpu->slot = 0;
	cpu->entered = true;
}

void deliver(struct cpu *cpu, enum vector vector, u64 isr)
{
	enter(cpu, vector, isr | (u64)cpu->slot << ISR_EI);
}

void trap(struct cpu *cpu, enum vector vector, u64 isr)
{
	enter(cpu, vector, isr);
}

void raise_vector(struct cpu *cpu, enum vector vector, u64 isr)
{
	deliver(cpu, vector, isr);
	if (cpu->timing)
		cpu->tried++;
	else
		cpu->cycles += TRY_CYCLES;
	cpu->faulted++;
	cpu->counted++;		/* a try, but no instruction */
	longjmp(cpu->interruption, LEFT);
}

void raise_fault(struct cpu *cpu, const struct fault *f)
{
	if (collecting(cpu)) {
		if (f->sets_ifa)
			cpu->cr[CR_IFA] = f->ifa;
		if (f->sets_itir)
			cpu->cr[CR_ITIR] = f->itir;
		if (f->sets_iha)
			cpu->cr[CR_IHA] = f->iha;
	}
	raise_vector(cpu, f->vector, f->isr);
}

void raise_general(struct cpu *cpu, unsigned int code)
{
	raise_vector(cpu, VEC_GENERAL_EXCEPTION, code);
}

void raise_illegal(struct cpu *cpu)
{
	raise_general(cpu, GE_ILLEGAL_OPERATION);
}

void raise_immediate(struct cpu *cpu, enum vector vector, u64 immediate)
{
	if (collecting(cpu))
		cpu->cr[CR_IIM] = immediate;
	raise_vector(cpu, vector, 0);
}

void raise_nat_consumption(struct cpu *cpu, u64 isr)
{
	raise_vector(cpu, VEC_NAT_CONSUMPTION, isr | 0x10);
}

void next_instruction(struct cpu *cpu)
{
	if (cpu->slot == 2) {
		cpu->slot = 0;
		cpu->ip += 16;
	} else {
		cpu->slot++;
	}
}

void look_around(struct cpu *cpu)
{
	next_instruction(cpu);
	cpu->branched = BRANCHED_ON;
	attend(cpu);
}

void leave_bundle(struct cpu *cpu)
{
	attend(cpu);
	if (cpu->stepping)
		return;
	cpu_slot_done(cpu);
	longjmp(cpu->interruption, LEFT);
}

void look_now(struct cpu *cpu)
{
	attend(cpu);
	if (cpu->stepping)
		return;
	cpu->iipa = cpu->ip;
	leave_instruction(cpu);
}

void recover(struct cpu *cpu, u64 target)
{
	u64 from = cpu->ip;

	branch_to(cpu, target);
	cpu->iipa = from;
	leave_bundle(cpu);
}

void leave_instruction(struct cpu *cpu)
{
	cpu_slot_done(cpu);
	if (!cpu->branched)
		next_instruction(cpu);
	longjmp(cpu->interruption, LEFT);
}

enum vector trap_vector(u64 code)
{
	if (code & TRAP_FP)
		return VEC_FP_TRAP;
	if (code & (TRAP_UNIMPLEMENTED_ADDRESS | TRAP_LOWER_PRIVILEGE))
		return VEC_LOWER_PRIVILEGE_TRANSFER;
	if (code & TRAP_TAKEN_BRANCH)
		return VEC_TAKEN_BRANCH;
	return VEC_SINGLE_STEP;
}

void leave_with_trap(struct cpu *cpu, u64 code)
{
	u64 ei = cpu->slot;

	cpu->iipa = cpu->ip;
	cpu_slot_done(cpu);
	next_instruction(cpu);
	if (psr(cpu, PSR_SS))
		code |= TRAP_SINGLE_STEP;
	set_psr(cpu, cpu->psr & ~PSR_ONE_SHOT);
	trap(cpu, trap_vector(code), code | ei << ISR_EI);
	longjmp(cpu->interruption, LEFT);
}
