// SPDX-License-Identifier: GPL-2.0
/*
 * A processor at power-on.
 */
#include <string.h>

#include "cpu/rse.h"
#include "cpu/run.h"
#include "cpu/sapic.h"
#include "mmu/soft.h"
#include "mmu/tlb.h"
#include "pmu/pmu.h"

void cpu_reset(struct cpu *cpu)
{
	struct machine *m = cpu->machine;
	struct timing *timing = cpu->timing;
	struct strict *strict = cpu->strict;
	u8 loop = cpu->loop;
	unsigned int id = cpu->id;

	memset(cpu, 0, sizeof(*cpu));
	cpu->machine = m;
	cpu->timing = timing;
	cpu->strict = strict;
	cpu->loop = loop;
	cpu->id = id;
	cpu->pr = 1;
	cpu->psr = BIT(PSR_BN);
	/* SDM 2:149: the whole register file is one frame. */
	cpu->cfm.sof = N_STACKED;
	/* Far from 0, so that no return leads below it. */
	cpu->rse_bof = 1LL << 40;
	frame_changed(cpu);
	cpu->fr[1] = (struct fpreg) { .sig = BIT(63), .se = 0xffff };
	cpu->ar[AR_FPSR] = 0x9804c0270033fULL;
	for (int i = 0; i < 8; i++)
		cpu->rr[i] = 12 << 2;
	cpu->cr[CR_PTA] = 15 << 2;
	cpu->cpuid[0] = 0x49656e69756e6547ULL;		/* GenuineI */
	cpu->cpuid[1] = 0x6c65746eULL;			/* ntel */
	cpu->cpuid[3] = 0x1f010504ULL;			/* Madison */
	cpu->cpuid[4] = 1;				/* brl is there */
	soft_tlb_select(cpu);
	tlb_reset(cpu);
	sapic_reset(cpu);
	pmu_reset(cpu);
}
