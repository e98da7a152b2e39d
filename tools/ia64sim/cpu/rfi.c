// SPDX-License-Identifier: GPL-2.0
/*
 * Return from interruption, SDM 3:224.
 */
#include "cpu/interrupt.h"
#include "cpu/rse.h"
#include "watch/trace.h"

#define BITS(lo, hi)	(MASK((hi) + 1) & ~MASK(lo))

/* What rfi takes from IPSR; the rest is reserved (ri is cpu->slot). */
#define PSR_IMPLEMENTED	(BITS(PSR_BE, PSR_MFH) | BITS(PSR_IC, PSR_PK) |	\
			 BITS(PSR_DT, PSR_RT) | 3ULL << PSR_CPL |		\
			 BITS(PSR_MC, PSR_SS) | BITS(PSR_ED, PSR_IA))

void return_from_interruption(struct cpu *cpu)
{
	u64 ipsr = cpu->cr[CR_IPSR];
	unsigned int ri = FIELD(ipsr, PSR_RI, 2);

	if (cpl(cpu))
		raise_general(cpu, GE_PRIVILEGED_OPERATION);
	/* There is no IA-32 instruction set to return to. */
	if (ipsr & BIT(PSR_IS))
		raise_general(cpu, GE_DISABLED_ISA);

	if (tracing(cpu->machine, TRACE_INT))
		trace_rfi(cpu);
	/* Instructions count for IIPA that ran with PSR.ic 1 (2:40): usually what was
	 * before the interruption, not the handler.
	 */
	cpu->iipa = psr(cpu, PSR_IC) ? cpu->ip : cpu->cr[CR_IIPA];
	/* From here on the rfi is done: what the RSE's loads for the restored
	 * frame raise belongs to the instruction that is returned to.
	 */
	cpu->ip = cpu->cr[CR_IIP] & ~15ULL;
	cpu->slot = ri == 3 ? 0 : ri;		/* 3 is undefined */
	cpu->branched = BRANCHED;
	replace_psr(cpu, ipsr & PSR_IMPLEMENTED);
	cpu->ic_in_flight = false;
	if (cpu->cr[CR_IFS] & BIT(63)) {
		rse_rfi(cpu, cpu->cr[CR_IFS]);
	} else if (cpu->rse_dirty < 0) {
		/* The handler did not cover(): the loads it interrupted go on. */
		cpu->rse_cfle = true;
		attend(cpu);
	}
	cpu->returned = true;
	leave_instruction(cpu);
}
