// SPDX-License-Identifier: GPL-2.0
/*
 * The performance monitors: their registers, intervals, overflow.
 */
#include <inttypes.h>

#include "pmu/events.h"
#include "pmu/pmu.h"
#include "watch/trace.h"

/* PMC0: freeze, and the overflow bits of the counters. */
#define PMC0_FR		BIT(0)
#define PMC0_OVERFLOW	(MASK(N_COUNTERS) << FIRST_COUNTER)

/* PMC4-7. */
enum {
	PMC_PLM = 0, PMC_OI = 5, PMC_PM = 6, PMC_ES = 8, PMC_UMASK = 16, PMC_THRESHOLD = 20,
	PMC_ENABLE = 23,	/* of all monitors, in PMC4 */
	PMC_ISM = 24,		/* 1: only while IA-32 code runs, which never does */
};
enum { ISM_IA32 = 1 };

/* PMC10, the instruction event address register: TLB mode. */
enum { IEAR_PM = 4, IEAR_UMASK = 5, IEAR_CT = 12, IEAR_ISM = 14 };
enum { IEAR_TLB = 0 };
/* PMC11, the data event address register. */
enum { DEAR_PM = 6, DEAR_MODE = 7, DEAR_UMASK = 16, DEAR_ISM = 24 };
enum { DEAR_CACHE = 0, DEAR_TLB = 1, DEAR_SHORTEST = 2, DEAR_THRESHOLDS = 11 };

enum { IEAR_PMC = 10, DEAR_PMC = 11 };

/* Instructions that issue in a cycle. */
enum { MOST_ISSUED = 6 };

/* What can be written to each PMC, and what is there at power-on. */
static const struct {
	u64 writable, reset;
} pmcs[N_PMC] = {
	[0] = { PMC0_FR | PMC0_OVERFLOW, 0 },
	[4] = { 0xfffff7f, BIT(PMC_ENABLE) },
	[5] = { 0xfffff7f, 0 },
	[6] = { 0xfffff7f, 0 },
	[7] = { 0xfffff7f, 0 },
	[8] = { ~0ULL, 0xffffffff3fffffff },
	[9] = { ~0ULL, 0xffffffff3ffffffc },
	[IEAR_PMC] = { ~0ULL, 0 },
	[DEAR_PMC] = { ~0ULL, 0 },
	[12] = { ~0ULL, 0 },
	[13] = { ~0ULL, 0x2078fefefefe },
	[14] = { ~0ULL, 0x0db60db60db60db6 },
	[15] = { ~0ULL, 0xfffffff0 },
};

const struct pmu_info pmu_info = {
	.pmc = MASK(N_PMC),
	.pmd = MASK(N_PMD),
	.counters = PMC0_OVERFLOW,
	.cycles = 0x12,
	.retired = 0x08,
};

static bool is_counter(unsigned int n)
{
	return n - FIRST_COUNTER < N_COUNTERS;
}

static u64 counter_pmc(const struct cpu *cpu, unsigned int counter)
{
	return cpu->pmc[FIRST_COUNTER + counter];
}

/* A monitor runs at the levels of plm, for the system while PSR.pp is 1 or for users while
 * PSR.up is (SDM 2:158).
 */
static bool is_wanted(const struct cpu *cpu, u64 pmc, unsigned int pm, unsigned int ism)
{
	return pmc >> (PMC_PLM + cpl(cpu)) & 1 && FIELD(pmc, ism, 2) != ISM_IA32 &&
	       psr(cpu, pmc >> pm & 1 ? PSR_PP : PSR_UP);
}

/* Has the counter's event no set, or has PMC5 one of the same? */
static bool set_is_chosen(const struct cpu *cpu, unsigned int counter)
{
	int set = event_set(counter_pmc(cpu, counter));

	return set == NO_SET || set == event_set(counter_pmc(cpu, 1));
}

static bool runs(const struct cpu *cpu, unsigned int counter)
{
	u64 pmc = counter_pmc(cpu, counter);
	const struct pmu_event *e = event_get(cpu->pmu.event[counter]);

	if (cpu->pmu.event[counter] == NO_EVENT || !is_wanted(cpu, pmc, PMC_PM, PMC_ISM))
		return false;
	/* Nobody adds up single cycles, which a threshold is about. */
	if (FIELD(pmc, PMC_THRESHOLD, 3))
		return false;
	return (e->when == ALWAYS || cpu->timing) && set_is_chosen(cpu, counter);
}

/* The cycle until which the counter cannot wrap around: then the run loop looks. */
static u64 first_wrap(const struct cpu *cpu, unsigned int counter, unsigned int where)
{
	const struct pmu_event *e = event_get(cpu->pmu.event[counter]);
	u64 left = BIT(COUNTER_BITS) - cpu->pmd[FIRST_COUNTER + counter], most = e->most;

	if (e->most == SELDOM || e->most == ITSELF)
		return ~0ULL;
	if (e->most == TIME)
		most = 1;
	if (!cpu->timing)
		return cpu->cycles + where + (left + most - 1) / most;
	/* With a model cycles are as long as it says, and events come as instructions issue. */
	if (e->most == TIME)
		return cpu->cycles + left;
	return cpu->cycles + (left - 1) / (most * MOST_ISSUED);
}

static void begin_data_ear(struct cpu *cpu)
{
	struct pmu *pmu = &cpu->pmu;
	u64 pmc = cpu->pmc[DEAR_PMC];
	unsigned int umask = FIELD(pmc, DEAR_UMASK, 4);

	if (!is_wanted(cpu, pmc, DEAR_PM, DEAR_ISM))
		return;
	if (FIELD(pmc, DEAR_MODE, 2) == DEAR_TLB)
		pmu->data_ear = umask & (DATA_EAR_L1 | DATA_EAR_WALKER | DATA_EAR_FAULT);
	else if (FIELD(pmc, DEAR_MODE, 2) == DEAR_CACHE && umask < DEAR_THRESHOLDS)
		pmu->data_ear_latency = 1U << (DEAR_SHORTEST + umask);
}

static void begin_code_ear(struct cpu *cpu)
{
	u64 pmc = cpu->pmc[IEAR_PMC];

	if (is_wanted(cpu, pmc, IEAR_PM, IEAR_ISM) && FIELD(pmc, IEAR_CT, 2) == IEAR_TLB)
		cpu->pmu.code_ear = FIELD(pmc, IEAR_UMASK, 7) &
				    (CODE_EAR_L1 | CODE_EAR_WALKER | CODE_EAR_FAULT);
}

void pmu_begin_interval(struct cpu *cpu, unsigned int where)
{
	struct pmu *pmu = &cpu->pmu;

	pmu->running = 0;
	pmu->seldom = false;
	pmu->data_ear = pmu->code_ear = 0;
	pmu->data_ear_latency = 0;
	/* An interrupt that waits to be raised does so at once. */
	pmu->limit = pmu->interrupt ? 0 : ~0ULL;
	if (!pmu->on)
		return;
	for (unsigned int n = 0; n < N_COUNTERS; n++) {
		const struct pmu_event *e = event_get(pmu->event[n]);
		u64 wrap;

		if (!runs(cpu, n))
			continue;
		pmu->running |= 1 << n;
		pmu->base[n] = e->count(cpu, where);
		pmu->seldom |= e->most == SELDOM;
		wrap = first_wrap(cpu, n, where);
		if (wrap < pmu->limit)
			pmu->limit = wrap;
	}
	begin_data_ear(cpu);
	begin_code_ear(cpu);
}

/* Is there anything that PSR can start? */
static void decide_on(struct cpu *cpu)
{
	bool any = FIELD(cpu->pmc[IEAR_PMC] | cpu->pmc[DEAR_PMC], PMC_PLM, 4);

	for (unsigned int n = 0; n < N_COUNTERS; n++)
		any |= cpu->pmu.event[n] != NO_EVENT && FIELD(counter_pmc(cpu, n), PMC_PLM, 4);
	cpu->pmu.on = any && !(cpu->pmc[0] & PMC0_FR) &&
		      counter_pmc(cpu, 0) >> PMC_ENABLE & 1;
}

/*
 * What -stats would say here, and what the counters say: from the line of one "run" to
 * that of the next "freeze" both have grown by the same, of what is counted at all levels.
 */
static void trace(const struct cpu *cpu, const char *what, unsigned int where)
{
	const struct cpu_stats *s = &cpu->stats;
	u64 level[4], since = cpu_tried(cpu) + where - cpu->counted;

	if (!tracing(cpu->machine, TRACE_PMU))
		return;
	for (unsigned int n = 0; n < 4; n++)
		level[n] = s->instructions[n] + (n == cpu->counted_level ? since : 0);
	trace_line(cpu,
		   "%s cpl0 %" PRIu64 " cpl1 %" PRIu64 " cpl2 %" PRIu64 " cpl3 %" PRIu64
		   " nops %" PRIu64 " predicated_off %" PRIu64 " dtlb_misses %" PRIu64
		   " dtlb_walker_inserts %" PRIu64 " itlb_misses %" PRIu64
		   " itlb_walker_inserts %" PRIu64 " psr %#" PRIx64
		   " pmc0 %#" PRIx64 " pmc4 %#" PRIx64 " pmd4 %#" PRIx64
		   " pmc5 %#" PRIx64 " pmd5 %#" PRIx64 " pmc6 %#" PRIx64 " pmd6 %#" PRIx64
		   " pmc7 %#" PRIx64 " pmd7 %#" PRIx64,
		   what, level[0], level[1], level[2], level[3], s->nops, s->squashed,
		   s->tlb[1].misses, walker_inserted(&s->tlb[1]), s->tlb[0].misses,
		   walker_inserted(&s->tlb[0]), cpu->psr, cpu->pmc[0], cpu->pmc[4], cpu->pmd[4],
		   cpu->pmc[5], cpu->pmd[5], cpu->pmc[6], cpu->pmd[6], cpu->pmc[7], cpu->pmd[7]);
}

void pmu_end_interval(struct cpu *cpu, unsigned int where)
{
	struct pmu *pmu = &cpu->pmu;
	bool freeze = false;

	for (unsigned int n = 0; n < N_COUNTERS; n++) {
		u64 *pmd = &cpu->pmd[FIRST_COUNTER + n];

		if (!(pmu->running >> n & 1))
			continue;
		*pmd += event_get(pmu->event[n])->count(cpu, where) - pmu->base[n];
		if (!(*pmd >> COUNTER_BITS))
			continue;
		*pmd &= MASK(COUNTER_BITS);
		/* The overflow bit is set whether or not it interrupts (SDM 2:158). */
		cpu->pmc[0] |= BIT(FIRST_COUNTER + n);
		freeze |= counter_pmc(cpu, n) >> PMC_OI & 1;
	}
	pmu->running = 0;
	if (!freeze)
		return;
	cpu->pmc[0] |= PMC0_FR;
	pmu->interrupt = true;
	decide_on(cpu);
	trace(cpu, "freeze", where);
}

bool pmu_look(struct cpu *cpu)
{
	bool interrupt;

	pmu_end_interval(cpu, PMU_BETWEEN);
	interrupt = cpu->pmu.interrupt;
	cpu->pmu.interrupt = false;
	pmu_begin_interval(cpu, PMU_BETWEEN);
	return interrupt;
}

u64 pmu_read_pmc(const struct cpu *cpu, unsigned int n)
{
	return n < N_PMC ? cpu->pmc[n] : 0;
}

/* Which PMC says in its bit @pm whether a PMD is the system's; -1: none. */
static int owner(unsigned int n, unsigned int *pm)
{
	*pm = PMC_PM;
	if (is_counter(n))
		return n;
	if (n == 2 || n == 3 || n == 17)
		return DEAR_PMC;
	*pm = IEAR_PM;
	return n < 2 ? IEAR_PMC : -1;
}

u64 pmu_read_pmd(struct cpu *cpu, unsigned int n)
{
	unsigned int pm;
	int pmc = owner(n, &pm);

	if (n >= N_PMD)
		return 0;
	/* Secure monitors, and the system's, are not for programs (SDM 2:156, 2:158). */
	if (cpl(cpu) && (psr(cpu, PSR_SP) || (pmc >= 0 && cpu->pmc[pmc] >> pm & 1)))
		return 0;
	if (!is_counter(n))
		return cpu->pmd[n];
	pmu_end_interval(cpu, PMU_BETWEEN);
	pmu_begin_interval(cpu, PMU_BETWEEN);
	/* bit 46 above it, too */
	return (u64)((s64)(cpu->pmd[n] << (64 - COUNTER_BITS)) >> (64 - COUNTER_BITS));
}

void pmu_write_pmc(struct cpu *cpu, unsigned int n, u64 value)
{
	u64 before = cpu->pmc[0], wrapped;

	if (n >= N_PMC)
		return;
	pmu_end_interval(cpu, PMU_IN_LAST_EFFECT);
	wrapped = cpu->pmc[0] & ~before;
	cpu->pmc[n] = value & pmcs[n].writable;
	/* What this instruction as such overflows is not lost with what it writes. */
	cpu->pmc[0] |= wrapped;
	if (is_counter(n))
		cpu->pmu.event[n - FIRST_COUNTER] = event_find(cpu->pmc[n]);
	decide_on(cpu);
	if (!n && (before ^ cpu->pmc[0]) & PMC0_FR)
		trace(cpu, before & PMC0_FR ? "run" : "freeze", PMU_IN_LAST_EFFECT);
	pmu_begin_interval(cpu, PMU_IN_LAST_EFFECT);
}

void pmu_write_pmd(struct cpu *cpu, unsigned int n, u64 value)
{
	if (n >= N_PMD)
		return;
	pmu_end_interval(cpu, PMU_IN_LAST_EFFECT);
	cpu->pmd[n] = is_counter(n) ? value & MASK(COUNTER_BITS) : value;
	pmu_begin_interval(cpu, PMU_IN_LAST_EFFECT);
}

void pmu_reset(struct cpu *cpu)
{
	for (unsigned int n = 0; n < N_PMC; n++)
		cpu->pmc[n] = pmcs[n].reset;
	for (unsigned int n = 0; n < N_COUNTERS; n++)
		cpu->pmu.event[n] = event_find(cpu->pmc[FIRST_COUNTER + n]);
	decide_on(cpu);
	pmu_begin_interval(cpu, PMU_BETWEEN);
}
