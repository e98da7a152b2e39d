/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who counts what a walk of the VHPT takes: the front end, if it was for a fetch, and L1D if it
 * was for data.
 *
 * Options: -timing madison,buffer=0
 */
	.include "bare.inc"
	.include "mmu.inc"
	.include "pmu.inc"
	TABLE = 0x100000000
	PAGE = 0x3100000		/* of the table, physical */
	WALK = 10
	L2 = 5
	ITLB = 3

	/* r8 to r11: by how much PMD4 to 7 have grown over a call of what is at r20 */
	.macro CALL
	.irp n, 4, 5, 6, 7
	PMD \n, 0
	.endr
	br.call.sptk.many b0 = call
	;;
	.endm

	START
	IDENTITY
	SET_PTA TABLE | 20 << 2 | 1
	SET_RR 1, 0x101, 14, 1
	ITR_D 1, R1 | TABLE, PAGE | FINE, 20
	/* region 1 has this at the same addresses */
	movl r20 = far
	movl r21 = PAGE
	movl r22 = FINE
	;;
	shr.u r23 = r20, 14
	;;
	shladd r21 = r23, 3, r21
	shl r23 = r23, 14
	;;
	or r22 = r22, r23
	movl r24 = R1
	;;
	st8 [r21] = r22
	or r20 = r20, r24
	GO_ON begin, PSR_DT | PSR_RT | PSR_IT | PM_UP
begin:
	FREEZE
	PMC 4, PMC_ENABLE | PLM_ALL | 0x71 << 8 | 7 << 16	/* FE_BUBBLE.TLBMISS */
	PMC 5, PLM_ALL | 0xca << 8 | 5 << 16		/* BE_L1D_FPU_BUBBLE.L1D_HPW */
	PMC 6, PLM_ALL | 0x48 << 8			/* L1ITLB_INSERTS_HPW */
	PMC 7, PLM_ALL | 0x00 << 8 | 1 << 16		/* BACK_END_BUBBLE.FE */
	CALL
	CHECK_VALUE r10, 1
	CALL
	CHECK_VALUE r8, 0
	CHECK_VALUE r9, 0
	CHECK_VALUE r10, 0
	/* its translation goes, and everything else stays */
	mov r25 = 14 << 2
	;;
	ptc.l r20, r25
	;;
	srlz.i
	;;
	CALL
	CHECK_VALUE r8, ITLB + WALK + L2
	CHECK_VALUE r9, 0
	CHECK_VALUE r10, 1
	cmp.leu p8, p9 = r8, r11
	;;
	CHECK_PREDICATE p8
	/* one for data: the DTLB does not have the page */
	mov r26 = r20
	movl r20 = near
	;;
	CALL
	CHECK_VALUE r10, 0
	PTC_L R1, 28
	CALL
	CHECK_VALUE r8, 0
	CHECK_VALUE r9, WALK + L2 - 1	/* a cycle of it had the load */
	CHECK_VALUE r10, 0
	PASS

	.align 64
call:
	mov r3 = 1
	mov b6 = r20
	mov r15 = b0
	;;
	srlz.i
	;;
	RUN
	br.call.sptk.many b0 = b6
	;;
	{ .mii
	mov pmc[r0] = r3
	nop.i 0
	nop.i 0
	;; }
	mov b0 = r15
	GET_PMD 4, r8
	GET_PMD 5, r9
	GET_PMD 6, r10
	GET_PMD 7, r11
	br.ret.sptk.many b0
	;;

	.align 64
near:
	{ .mmi
	ld8 r14 = [r26]
	;;
	add r14 = r14, r0
	nop.i 0
	}
	{ .mib
	nop.m 0
	nop.i 0
	br.ret.sptk.many b0
	;; }

	.section .text.ivt, "ax"
	.align 16384
far:
	{ .mib
	nop.m 0
	nop.i 0
	br.ret.sptk.many b0
	;; }
	.text
