/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interruptions: SDM volume 2, chapters 5 and 8.
 */
#ifndef INTERRUPT_H
#define INTERRUPT_H

#include "mmu/tlb.h"
#include "state/cpu.h"

#define NORETURN __attribute__((noreturn))

/* In force for one instruction (SDM 2:24). */
#define PSR_ONE_SHOT	(BIT(PSR_ID) | BIT(PSR_DA) | BIT(PSR_DD) | BIT(PSR_IA) | BIT(PSR_ED))

/**
 * deliver() - enter the interruption vector table
 * @vector: where
 * @isr: ISR; ei, ni, ir and (but for the nested TLB fault) ic's bookkeeping are
 *	filled in here
 *
 * Saves IIP, IPSR, IIPA and IFS when PSR.ic was 1, and ISR, sets PSR and ip.
 * For faults and external interrupts: ip and slot are those of the instruction
 * to come back to.  IFA, ITIR, IHA, IIM are the caller's to set before, when
 * collecting().
 */
void deliver(struct cpu *cpu, enum vector vector, u64 isr);

/* deliver() and leave the instruction: go on in the run loop. */
void raise_vector(struct cpu *cpu, enum vector vector, u64 isr) NORETURN;
void raise_fault(struct cpu *cpu, const struct fault *f) NORETURN;
void raise_general(struct cpu *cpu, unsigned int code) NORETURN;	/* GE_... */
void raise_illegal(struct cpu *cpu) NORETURN;
/* break and the speculation faults: IIM gets the immediate. */
void raise_immediate(struct cpu *cpu, enum vector vector, u64 immediate) NORETURN;
/* NaT register consumption; access bits as in the ISR: r, w, na and its code. */
void raise_nat_consumption(struct cpu *cpu, u64 isr) NORETURN;

/* What a trap (after the instruction completed) delivers; ip has moved on.
 * ISR.ei, the slot of the instruction that trapped, is in isr.
 */
void trap(struct cpu *cpu, enum vector vector, u64 isr);

/* The highest-priority trap's vector, SDM 2:101; ISR.code (TRAP_...) names all of them. */
enum vector trap_vector(u64 code);

/* rfi, SDM 3:224 (rfi.c) */
void return_from_interruption(struct cpu *cpu) NORETURN;

/* PSR changed by an instruction: banks, soft TLB, pending interrupts. */
void set_psr(struct cpu *cpu, u64 value);

/* The same by rfi, which serializes. */
void replace_psr(struct cpu *cpu, u64 value);

/* srlz.d and srlz.i */
static inline void psr_serialized(struct cpu *cpu)
{
	cpu->ic_in_flight = false;
}

/**
 * next_instruction() - ip and slot go to the instruction after this one
 *
 * For instructions that end in a trap or leave the run loop otherwise; the
 * loop advances by itself for all the others.
 */
void next_instruction(struct cpu *cpu);

/* This instruction of the B unit is complete, and the run loop is to look around
 * before the next one: the fetch may go elsewhere.
 */
void look_around(struct cpu *cpu);

/* The same for other units, which the run loop does not expect to branch: their
 * last action after they have set ip, slot and branched.
 */
void leave_bundle(struct cpu *cpu);

/**
 * look_now() - the run loop is to look around before the next instruction, of the same
 * bundle, too
 *
 * The last action of an instruction of the M unit that does not branch; it may not return.
 */
void look_now(struct cpu *cpu);

/* A check found that speculation failed: go to the recovery code. */
void recover(struct cpu *cpu, u64 target);

/* A taken branch to another bundle. */
static inline void branch_to(struct cpu *cpu, u64 target)
{
	cpu->ip = target;
	cpu->slot = 0;
	cpu->branched = BRANCHED;
}

/**
 * leave_instruction() - this instruction is complete; go back to the run loop
 *
 * Counts it, moves to the next one unless ip and slot are set (branched), and
 * leaves PSR's traps and one-shot bits alone: for rfi.
 */
void leave_instruction(struct cpu *cpu) __attribute__((noreturn));

/**
 * leave_with_trap() - this instruction is complete and traps
 * @code: ISR.code: TRAP_FP and what goes with it
 */
void leave_with_trap(struct cpu *cpu, u64 code) __attribute__((noreturn));

#endif
