/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Access rights at level 3 against those at level 0, by probe for all levels.
 *
 * Rule tlb (SDM 2:56): read and write rights of each ar and pl for each level (table 4-2)
 * Rule tlb (SDM 2:57): epc in an execute-only page promotes to its pl; elsewhere it changes
 *   nothing
 * Rule tlb (SDM 3 fc): fc and fc.i above level 0 check rights as a read of a byte does
 * Rule tlb (SDM 3:217): probe never asks for more than PSR.cpl has
 * Rule interruption (SDM 2 ch. 8 Data Access Rights): Data and Instruction Access Rights: ITIR
 *   by the region, IPSR.cpl
 */
	.include "bare.inc"
	.include "mmu.inc"

	/* probe.r and probe.w of r8 at levels 0 to 3 give these eight bits. */
	.macro PROBES word, r0, r1, r2, r3, w0, w1, w2, w3
	ITC_D R1 | 0x4000, \word, 14
	movl r8 = R1 | 0x4000
	;;
	probe.r r10 = r8, 0
	probe.r r11 = r8, 1
	;;
	probe.r r12 = r8, 2
	probe.r r13 = r8, 3
	;;
	CHECK_VALUE r10, \r0
	CHECK_VALUE r11, \r1
	CHECK_VALUE r12, \r2
	CHECK_VALUE r13, \r3
	mov r9 = 3
	;;
	probe.w r10 = r8, 0
	probe.w r11 = r8, 1
	;;
	probe.w r12 = r8, 2
	probe.w r13 = r8, r9
	;;
	CHECK_VALUE r10, \w0
	CHECK_VALUE r11, \w1
	CHECK_VALUE r12, \w2
	CHECK_VALUE r13, \w3
	.endm

	START
	IDENTITY
	DATA_ON
	PROBES P | AR_R | PL3, 1, 1, 1, 1, 0, 0, 0, 0
	PROBES P | AR_R | PL1, 1, 1, 0, 0, 0, 0, 0, 0
	PROBES P | AR_RX | PL0, 1, 0, 0, 0, 0, 0, 0, 0
	PROBES P | AR_RW | PL2, 1, 1, 1, 0, 1, 1, 1, 0
	PROBES P | AR_RW | PL0, 1, 0, 0, 0, 1, 0, 0, 0
	PROBES P | AR_RWX | PL3, 1, 1, 1, 1, 1, 1, 1, 1
	PROBES P | AR_R_RW | PL3, 1, 1, 1, 1, 1, 1, 1, 0
	PROBES P | AR_R_RW | PL1, 1, 1, 0, 0, 1, 0, 0, 0
	PROBES P | AR_R_RW | PL0, 1, 0, 0, 0, 1, 0, 0, 0
	PROBES P | AR_RX_RWX | PL3, 1, 1, 1, 1, 1, 0, 0, 0
	PROBES P | AR_RX_RWX | PL2, 1, 1, 1, 0, 1, 0, 0, 0
	PROBES P | AR_RWX_RW | PL3, 1, 1, 1, 1, 1, 1, 1, 1
	PROBES P | AR_RWX_RW | PL0, 1, 0, 0, 0, 1, 0, 0, 0
	PROBES P | AR_X_RX | PL3, 1, 0, 0, 0, 0, 0, 0, 0
	PROBES P | AR_X_RX | PL0, 1, 0, 0, 0, 0, 0, 0, 0

	/* level 3 */
	ITC_D R1 | 0x4000, FINE & ~PL3 | PL2, 14
	ITC_I R1 | 0x4000, FINE & ~PL3 | PL2, 14
	PROMOTION
	GO_ON 1f, PSR_DT | PSR_IT | PSR_CPL3
1:
	BAD_LOAD R1 | 0x4000, VEC_DATA_RIGHTS
	FAULTED_ITIR 1, 14
	BAD_STORE R1 | 0x4008, VEC_DATA_RIGHTS
	.irp form, fc, fc.i
	EXPECT 4f
	movl r8 = R1 | 0x4000
	;;
	\form r8
	;;
	UNREACHABLE
4:
	FAULTED VEC_DATA_RIGHTS, ISR_NA | ISR_R | 1, R1 | 0x4000
	.endr
	/* probe never asks for more than PSR.cpl has */
	movl r8 = R1 | 0x4000
	;;
	probe.r r9 = r8, 0
	;;
	CHECK_VALUE r9, 0
	EXPECT 2f
	movl r2 = R1 | 0x4000
	;;
	mov b6 = r2
	;;
	br.few b6
	;;
	UNREACHABLE
2:
	FAULTED VEC_INST_RIGHTS, ISR_X, R1 | 0x4000
	FAULTED_ITIR 1, 14
	LOAD_RECORD r14, RECORD_IPSR
	extr.u r14 = r14, 32, 2
	;;
	CHECK_VALUE r14, 3
	/* epc where ar is not 7 changes nothing: still level 3 */
	movl r2 = 3 << 62
	;;
	mov ar.pfs = r2
	;;
	epc
	;;
	EXPECT 3f
	rsm PSR_IC
	UNREACHABLE
3:
	INTERRUPTED VEC_GENERAL, 0x10
	/* the same code through region 2, execute-only, pl 0: epc promotes to level 0;
	 * data of the page is another matter
	 */
	BAD_LOAD R2, VEC_ALT_DATA_TLB
	PROMOTE
	IC_OFF				/* privileged, and works */
	IC_ON
	PASS
