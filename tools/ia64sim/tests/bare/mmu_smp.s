/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two processors: what one does to the other's translations and ALAT.  SAL starts
 * the second, which inserts, waits and looks what is left.
 *
 * Rule tlb (SDM 2:49): inserts and ptc.l are the processor's own business
 * Rule tlb (SDM 3:231): ptc.ga and ptc.g of a part of a large page remove it from the others'
 *   TCs
 * Rule tlb (SDM 3:231): they go by the issuer's RID, whichever region has it on the other one
 * Rule tlb (SDM 3:231): they leave pages beside the range, and the same range of other RIDs
 * Rule tlb (SDM 2:52): TRs of other processors in the range stay, without a machine check
 * Rule alat (SDM 2:571): ptc.ga removes the other processors' ALAT entries
 * Rule alat (SDM 1:64): a store by another processor removes the entry
 *
 * Options: -smp 2
 */
	.include "bare.inc"
	.include "mmu.inc"
	.include "smp.inc"
	DATUM = bare_data + 4096

	START
	SECOND other
	IDENTITY
	ITC_D R1 | 0x5000000, FINE, 24, 5
	ITC_D R1 | 0xa000000, FINE, 24, 6
	WAKE
	AWAIT 1
	/* what it did is not to be seen here */
	PRESENT_D R1 | 0x5000000, 5
	PRESENT_D R1 | 0xa000000, 6
	ABSENT_D R1 | 0x8000000
	ABSENT_D R1 | 0x10000000
	PTC_L R1 | 0x8000000, 14
	PURGE ptc.ga, R1 | 0x5fff000, 12
	PURGE ptc.ga, R1 | 0x10400000, 12
	ABSENT_D R1 | 0x5000000
	TELL 2
	AWAIT 3
	PURGE ptc.g, R1 | 0x5800000, 12
	PURGE ptc.g, R1 | 0x10ff0000, 12
	movl r8 = DATUM + 7
	;;
	st1 [r8] = r0
	TELL 4
	AWAIT 5
	PASS

	.align 16
other:
	BEGIN_SECOND
	IDENTITY
	/* region 2 has the RID of the other one's region 1 */
	SET_RR 1, 0x201, 14, 0
	SET_RR 2, 0x101, 14, 0
	.macro INSERTS
	ITC_D R2 | 0x5000000, FINE, 24, 1
	ITC_D R2 | 0x8000000, FINE, 14, 2
	ITC_D R2 | 0x6000000, FINE, 24, 7
	ITC_D R1 | 0x5000000, FINE, 24, 3
	movl r20 = DATUM
	;;
	ld8.a r21 = [r20]
	;;
	.endm
	.macro LEFT
	ABSENT_D R2 | 0x5000000
	PRESENT_D R2 | 0x8000000, 2
	PRESENT_D R2 | 0x6000000, 7
	PRESENT_D R1 | 0x5000000, 3
	PRESENT_D R2 | 0x10000000, 4
	.endm
	INSERTS
	ITR_D 1, R2 | 0x10000000, FINE, 24, 4
	PTC_L R2 | 0xa000000, 24		/* not the other one's */
	TELL 1
	AWAIT 2
	chk.a.nc r21, 1f
	UNREACHABLE
1:	LEFT
	INSERTS
	TELL 3
	AWAIT 4
	chk.a.nc r21, 2f
	UNREACHABLE
2:	LEFT
	TELL 5
3:	br.sptk.few 3b
