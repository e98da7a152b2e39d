/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When the walker is enabled, for each kind of reference, and what a miss is where
 * it is not.  Region 1 walks a table that a translation maps, so an enabled walker
 * finds its entry or a reserved bit in it.
 *
 * Rule vhpt-short (SDM 2:67): data: enabled by RR.ve, PTA.ve and PSR.dt, at any PSR.it, rt
 * Rule vhpt-short (SDM 2:67): data, RR.ve or PTA.ve 0: Alternate Data TLB, though the table has
 *   it
 * Rule vhpt-short (SDM 2:67): probe and tpa translate while PSR.dt is 0, without the walker
 * Rule vhpt-short (SDM 2:67): RSE: enabled by RR.ve, PTA.ve, PSR.dt and PSR.rt
 * Rule vhpt-short (SDM 2:67): RSE, PSR.rt 1 and PSR.dt 0: Alternate Data TLB, ISR.rs
 * Rule vhpt-short (SDM 2:67): fetches: enabled by RR.ve, PTA.ve, PSR.it, PSR.dt and PSR.ic
 * Rule vhpt-short (SDM 2:67): fetch, PSR.dt 0 or PSR.ic 0: Alternate Instruction TLB
 * Rule vhpt-short (SDM 2:70): a fetch's miss with PSR.ic 0 is not nested; ISR.ni, IIP and IFA
 *   stay
 * Rule interruption (SDM 2 ch. 8 Alternate Data TLB): Alternate Data TLB: ITIR the region's
 *   defaults, IFA the address
 */
	.include "bare.inc"
	.include "mmu.inc"
	TABLE = 0x100000000
	PAGE = 0x3100000		/* of the table, physical */
	VA = R1 | 0x14008		/* page 5 */
	CODE = R1 | 0x8000		/* page 2 */

	.macro BAD vector, isr, instruction:vararg
	EXPECT 8884f
	movl r8 = VA
	;;
	\instruction
	;;
	UNREACHABLE
8884:
	FAULTED \vector, ISR_NA | \isr, VA
	FAULTED_ITIR 1, 14
	.endm

	/* One register to be stored at VA.  Comes back in a frame of its own. */
	.macro SPILL psr
	GO_ON 8891f, \psr
8891:
	flushrs
	;;
	alloc r10 = ar.pfs, 0, 0, 0, 0
	;;
	movl r8 = VA
	;;
	mov ar.bspstore = r8
	;;
	alloc r10 = ar.pfs, 0, 1, 0, 0
	;;
	mov r32 = 0x77
	;;
	cover
	;;
	flushrs
	;;
	.endm

	.macro BACK
	/* drop the register; RSE back to its place */
	movl r8 = bare_rse
	alloc r10 = ar.pfs, 0, 0, 0, 0
	;;
	mov ar.rsc = 0
	;;
	loadrs
	;;
	mov ar.bspstore = r8
	;;
	mov ar.rnat = r0
	;;
	.endm

	START
	IDENTITY
	SET_RR 1, 0x101, 14, 1
	SET_PTA TABLE | 20 << 2 | 1
	movl r2 = PAGE + 40
	movl r3 = FINE | 0x3200000
	;;
	st8 [r2] = r3
	movl r2 = PAGE + 16
	movl r3 = FINE | 2
	;;
	st8 [r2] = r3
	ITC_D R1 | TABLE, PAGE | P | A | AR_R, 20

	/* data */
	GO_ON 1f, PSR_DT
1:	LOAD VA
	PTC_L VA, 14
	GO_ON 2f, PSR_DT | PSR_IT | PSR_RT
2:	LOAD VA
	PTC_L VA, 14
	SET_RR 1, 0x101, 14, 0
	BAD_LOAD VA, VEC_ALT_DATA_TLB
	FAULTED_ITIR 1, 14
	SET_RR 1, 0x101, 14, 1
	SET_PTA TABLE | 20 << 2
	BAD_STORE VA, VEC_ALT_DATA_TLB
	FAULTED_ITIR 1, 14
	SET_PTA TABLE | 20 << 2 | 1
	/* non-access: found by the walker, and not */
	movl r8 = VA
	;;
	tpa r9 = r8
	;;
	CHECK_VALUE r9, 0x3200008
	PTC_L VA, 14
	GO_ON 3f, PSR_IT
3:	BAD VEC_ALT_DATA_TLB, 0, tpa r9 = r8
	BAD VEC_ALT_DATA_TLB, ISR_R | 2, probe.r r9 = r8, 0
	BAD VEC_ALT_DATA_TLB, ISR_W | 2, probe.w r9 = r8, 3
	ABSENT_D VA

	/* RSE: physical, without the walker, and with it */
	GO_ON 4f, PSR_DT
4:	EXPECT 5f
	SPILL PSR_RT | PSR_IT
	UNREACHABLE
5:	FAULTED VEC_ALT_DATA_TLB, ISR_W | ISR_RS, VA
	FAULTED_ITIR 1, 14
	BACK
	EXPECT 6f
	ITC_D R1 | TABLE, PAGE | FINE & ~P, 20
	SPILL PSR_RT | PSR_DT | PSR_IT
	UNREACHABLE
6:	FAULTED VEC_DATA_TLB, ISR_W | ISR_RS, VA
	BACK
	ITC_D R1 | TABLE, PAGE | P | A | AR_R, 20
	SPILL PSR_RT | PSR_DT | PSR_IT
	movl r8 = VA
	mov r9 = ar.bspstore
	;;
	ld8 r11 = [r8], 8
	;;
	CHECK_VALUE r11, 0x77
	CHECK_EQ r9, r8
	BACK

	/* fetches: the walker meets the reserved bit when it is on */
	EXPECT 7f
	GO_ON CODE, PSR_DT | PSR_IT
	UNREACHABLE
7:	FAULTED VEC_INST_TLB, ISR_X, CODE
	EXPECT 8f
	GO_ON CODE, PSR_IT
	UNREACHABLE
8:	FAULTED VEC_ALT_INST_TLB, ISR_X, CODE
	FAULTED_ITIR 1, 14
	GO_ON 9f, PSR_DT | PSR_IT
9:	SET_PTA TABLE | 20 << 2
	EXPECT 10f
	GO_ON CODE, PSR_DT | PSR_IT
	UNREACHABLE
10:	FAULTED VEC_ALT_INST_TLB, ISR_X, CODE
	SET_PTA TABLE | 20 << 2 | 1
	/* PSR.ic 0 */
	EXPECT 11f
	IC_OFF
	movl r2 = CODE
	movl r3 = PSR_DT | PSR_IT | PSR_BN
	;;
	mov cr.iip = r2
	;;
	mov cr.ipsr = r3
	movl r2 = R2 | 0x7654321
	;;
	mov cr.ifs = r0
	mov cr.ifa = r2
	;;
	rfi
	;;
	UNREACHABLE
11:	IC_ON
	FAULTED VEC_ALT_INST_TLB, ISR_X | ISR_NI, R2 | 0x7654321
	LOAD_RECORD r14, RECORD_IIP
	CHECK_VALUE r14, CODE
	PASS
