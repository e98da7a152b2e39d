/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ASM_IA64_PERF_EVENT_H
#define _ASM_IA64_PERF_EVENT_H

/*
 * The registers of the performance monitors, and what the rest of arch/ia64 has to know
 * about them.  Section numbers are those of the Intel Itanium Architecture Software
 * Developer's Manual, volume 2.
 */

#ifdef CONFIG_PERF_EVENTS

#include <linux/bits.h>

#include <asm/kregs.h>
#include <asm/ptrace.h>

/*
 * psr.pp lets privileged monitors count, and all monitors of perf_events are
 * privileged.  It is set from boot on, in the kernel and in all tasks: not psr.pp
 * but the level masks of the monitors, and the freeze bit, say what they count.
 * So nobody has to follow psr.pp through context switches, the gate page (which
 * keeps the caller's) and nested interruptions (which take it from dcr.pp, which
 * is also set).
 */
#define IA64_PMU_PSR_BITS	IA64_PSR_PP

void ia64_pmu_init_cpu(void);

/* Fill in the registers of a caller within the kernel, as far as samples need them. */
static inline void perf_arch_fetch_caller_regs(struct pt_regs *regs, unsigned long ip)
{
	regs->cr_iip = ip;
	regs->cr_ipsr = 0;
}

#define perf_arch_fetch_caller_regs perf_arch_fetch_caller_regs

/* PMC0: 7.2.1 */
#define IA64_PMC0_FR		BIT(0)	/* freeze: nothing counts */

/* Generic monitors, PMC4 and up: 7.2.1, and the manuals of the models */
#define IA64_PMC_PLM_KERNEL	BIT(0)
#define IA64_PMC_PLM_USER	BIT(3)
#define IA64_PMC_PLM		(0xfUL << 0)
#define IA64_PMC_OI		BIT(5)	/* overflow freezes and interrupts */
#define IA64_PMC_PM		BIT(6)	/* privileged: psr.pp, not psr.up */
#define IA64_PMC_ES		(0xffUL << 8)
#define IA64_PMC_UMASK		(0xfUL << 16)
#define IA64_PMC_THRES		(0x7UL << 20)
#define IA64_PMC_ENABLE		BIT(23)	/* in PMC4 of Itanium 2, for all */
#define IA64_PMC_ISM_IA64	(2UL << 24)	/* the only instruction set left */
#define IA64_PMC_MESI		(0xfUL << 27)	/* Montecito */

/* Data event address register: its configuration ... */
#define IA64_DEAR_PLM		(0xfUL << 0)
#define IA64_DEAR_PM		BIT(6)
#define IA64_DEAR_MODE		(0x3UL << 7)
#define IA64_DEAR_MODE_TLB	BIT(7)
#define IA64_DEAR_UMASK		(0xfUL << 16)
#define IA64_DEAR_UMASK_VHPT	(4UL << 16)	/* TLB: found by the walker */
#define IA64_DEAR_UMASK_FAULT	(8UL << 16)	/* TLB: left to the kernel */
/* ... the latency, what resolved the miss, and where the instruction is */
#define IA64_DEAR_LATENCY	0x1fffUL
#define IA64_DEAR_STAT_SHIFT	14
#define IA64_DEAR_IP_SLOT	0x3UL
#define IA64_DEAR_IP_BUNDLE	BIT(2)	/* the second one of two */
#define IA64_DEAR_IP_VALID	BIT(3)

#else /* !CONFIG_PERF_EVENTS */

#define IA64_PMU_PSR_BITS	0UL

static inline void ia64_pmu_init_cpu(void) { }

#endif /* CONFIG_PERF_EVENTS */

#endif /* _ASM_IA64_PERF_EVENT_H */
