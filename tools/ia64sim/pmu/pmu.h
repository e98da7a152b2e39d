/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The performance monitors of an Itanium 2: SDM volume 2, section 7.2.
 *
 * A counter's value is what it was at the beginning of an interval, and how much more often
 * its event has happened since then by what the simulator counts anyway.  An interval ends
 * where the monitors' registers are read or written, and where PSR.up, pp or cpl change.
 * An instruction belongs to the interval that it began in: one that changes PSR or writes a
 * PMC is itself counted, or not, as if it had changed nothing.
 */
#ifndef PMU_H
#define PMU_H

#include "state/cpu.h"

/* What in PSR decides which monitors run. */
#define PSR_MONITORS	(BIT(PSR_UP) | BIT(PSR_PP) | 3ULL << PSR_CPL)

/* Where in an instruction the processor is. */
enum {
	PMU_BETWEEN = 0,	/* before or behind it, or before its first effect */
	PMU_IN_LAST_EFFECT = 1,	/* it is done, but the run loop does not know yet */
};

void pmu_reset(struct cpu *cpu);

/** pmu_end_interval() - the counters are up to date; pmu_begin_interval() has to follow */
void pmu_end_interval(struct cpu *cpu, unsigned int where);

/** pmu_begin_interval() - which counters run, and until when, has to be decided anew */
void pmu_begin_interval(struct cpu *cpu, unsigned int where);

/**
 * pmu_look() - has a counter wrapped around?
 *
 * For the run loops, between instructions, when struct pmu.limit is reached.
 *
 * Return: an overflow asks for an interrupt, once
 */
bool pmu_look(struct cpu *cpu);

/* Registers that do not exist read as 0 and ignore what is written. */
u64 pmu_read_pmc(const struct cpu *cpu, unsigned int n);
u64 pmu_read_pmd(struct cpu *cpu, unsigned int n);
void pmu_write_pmc(struct cpu *cpu, unsigned int n, u64 value);
void pmu_write_pmd(struct cpu *cpu, unsigned int n, u64 value);

/**
 * struct pmu_info - what PAL_PERF_MON_INFO tells
 * @pmc: implemented PMCs
 * @pmd: implemented PMDs
 * @counters: counter pairs
 * @cycles: the event of processor cycles
 * @retired: of retired instructions
 */
struct pmu_info {
	u64 pmc, pmd, counters;
	u8 cycles, retired;
};

extern const struct pmu_info pmu_info;

#endif
