/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Selected events as lines of text (-trace).  When an event is not selected the
 * cost is one test of a word; instructions are tested once per turn.
 */
#ifndef TRACE_H
#define TRACE_H

#include "state/machine.h"

enum {
	TRACE_INT = 1,		/* interruptions and rfi */
	TRACE_TLB = 2,		/* inserts */
	TRACE_PURGE = 4,
	TRACE_INSN = 8,		/* every instruction, with the registers it changed */
	TRACE_MEM = 16,		/* data references to devices */
	TRACE_FIRMWARE = 32,	/* calls of PAL, SAL and EFI */
	TRACE_PMU = 64,		/* what was counted whenever the monitors freeze, or go on */
};

static inline bool tracing(const struct machine *m, unsigned int events)
{
	return __builtin_expect(m->trace_events & events, 0);
}

bool trace_open(struct machine *m);
void trace_close(struct machine *m);

/**
 * trace_line() - one line: cycle, processor, ip, then the text
 *
 * Callers ask tracing() first.
 */
void trace_line(const struct cpu *cpu, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* What interrupt.c, tlb.c and run.c report; each asks tracing() first. */
void trace_interruption(const struct cpu *cpu, u64 vector, u64 isr);
void trace_rfi(const struct cpu *cpu);
void trace_insert(const struct cpu *cpu, const char *how, bool data,
		  const struct tlb_entry *e);
void trace_purge(const struct cpu *cpu, const char *how, u64 va, unsigned int ps);

/**
 * trace_insn() - one instruction that the processor is about to execute
 * @i: the instruction
 *
 * What it changed is printed with the next one, by comparison.
 */
void trace_insn(struct cpu *cpu, const struct insn *i);

#endif
