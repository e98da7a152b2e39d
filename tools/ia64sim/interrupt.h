/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interruptions: SDM volume 2, chapters 5 and 8.
 */
#ifndef INTERRUPT_H
#define INTERRUPT_H

#include <stdio.h>

#include "cpu.h"

#define NORETURN __attribute__((noreturn))

/* ISR.code of traps; several may come together (SDM 2:166). */
enum {
	TRAP_FP = 1, TRAP_LOWER_PRIVILEGE = 2, TRAP_TAKEN_BRANCH = 4,
	TRAP_SINGLE_STEP = 8, TRAP_UNIMPLEMENTED_ADDRESS = 16,
};

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

/* rfi, SDM 3:224 */
void return_from_interruption(struct cpu *cpu) NORETURN;

/* PSR changed by an instruction: banks, soft TLB, pending interrupts. */
void set_psr(struct cpu *cpu, u64 value);

/* Between a change of PSR.ic and the next srlz.d, srlz.i, rfi or interruption
 * the old and the new value may both be in effect.  Here an interruption then
 * collects, is not nested, and has ISR.ni set (SDM 2:70, 2:166).
 */
static inline bool collecting(const struct cpu *cpu)
{
	return psr(cpu, PSR_IC) || cpu->ic_in_flight;
}

/* srlz.d and srlz.i */
static inline void psr_serialized(struct cpu *cpu)
{
	cpu->ic_in_flight = false;
}

/* A machine check or anything else after which the guest cannot go on: state
 * is printed, exit status 3.
 */
void machine_check(struct cpu *cpu, const char *why, ...) NORETURN
	__attribute__((format(printf, 2, 3)));

/* Registers, last interruptions and TLBs, for people. */
void cpu_print(struct cpu *cpu, FILE *f);

/* "Data TLB" and so on; NULL for an offset that is no vector. */
const char *vector_name(unsigned int vector);

#endif
