/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a purge or an insert takes from L1D, L1I and their TLBs that removes many translations:
 * those, and no others.
 *
 * Options: -timing madison,buffer=0
 */
	.include "bare.inc"
	.include "mmu.inc"
	.include "timing.inc"
	DATUM = bare_data + 4096
	RANGE = R1 + 0x40000		/* 16 pages of 16 KiB */
	FRAMES = 0x2040000
	L2 = 5
	L1_DTLB = 4
	ITLB = 3
	FETCH_MISS = 7

	/* all of these, and their entries of the L1 DTLB */
	.macro FILL
	.set n, 0
	.rept 16
	ITC_D RANGE + n * 0x4000, FRAMES + n * 0x4000 + FINE, 14
	LOAD RANGE + n * 0x4000
	.set n, n + 1
	.endr
	.endm

	/* a load and its use; cycles beyond those of a hit in L1D */
	.macro LOAD_TAKES address, cycles:vararg
	movl r10 = \address
	br.call.sptk.many b6 = load
	;;
	CHECK_VALUE r9, \cycles
	.endm
	/* the same of a branch to the line of code there */
	.macro VISIT_TAKES cycles:vararg
	br.call.sptk.many b6 = visit
	;;
	CHECK_VALUE r9, \cycles
	.endm

	/* the line of data and the line of code are where they were */
	.macro WARM
	.rept 3		/* a miss in the L1 DTLB fills no line of L1D */
	movl r10 = DATUM
	br.call.sptk.many b6 = load
	;;
	br.call.sptk.many b6 = visit
	;;
	.endr
	.endm
	.macro STAY
	VISIT_TAKES 0
	LOAD_TAKES DATUM, 0
	.endm

	START
	IDENTITY
	GO_ON begin, PSR_DT | PSR_RT | PSR_IT
begin:
	FILL
	WARM
	PAUSE
	STAY

	/* ptc of all of them */
	PTC_L RANGE, 18
	STAY
	ABSENT_D RANGE
	ABSENT_D RANGE + 15 * 0x4000
	/* and each of them is gone from the L1 DTLB */
	ITC_D RANGE + 15 * 0x4000, FRAMES + 15 * 0x4000 + FINE, 14
	LOAD_TAKES RANGE + 15 * 0x4000, L1_DTLB + L2 - 1
	LOAD_TAKES RANGE + 15 * 0x4000, L2 - 1
	LOAD_TAKES RANGE + 15 * 0x4000, 0

	/* a larger translation in their place */
	FILL
	WARM
	PAUSE
	ITC_D RANGE, FRAMES + FINE, 18
	STAY
	LOAD_TAKES RANGE + 0x4000, L1_DTLB + L2 - 1

	/* ptc.ga is no different, and ptc.e takes everything */
	WARM
	PURGE ptc.ga, RANGE, 18
	STAY
	ptc.e r0
	;;
	srlz.i
	;;
	VISIT_TAKES ITLB + FETCH_MISS
	LOAD_TAKES DATUM, L1_DTLB + L2 - 1
	PASS

	/* r9 is the time of the code at "line" but for that of a hit */
	.section .text.ivt, "ax"
	.align 4096
visit:
	CLOCK_FROM_HERE
	{ .mib
	nop.m 0
	nop.i 0
	br.cond.sptk.many line
	;; }
	.align 64
back:
	CLOCK_BACK 2

	/* likewise of the load at r10 */
	.align 64
load:
	{ .mmi
	mov r8 = ar.itc
	nop.m 0
	nop.i 0
	;; }
	{ .mmi
	ld8 r11 = [r10]
	;;
	add r11 = r11, r0
	nop.i 0
	;; }
	{ .mmi
	mov r9 = ar.itc
	nop.m 0
	nop.i 0
	;; }
	{ .mib
	sub r9 = r9, r8
	nop.i 0
	br.cond.sptk.many 1f
	;; }
1:	{ .mib
	add r9 = -3, r9
	nop.i 0
	br.ret.sptk.many b6
	;; }

	.align 4096
	.skip 512
line:
	{ .mmi
	mov r9 = ar.itc
	nop.m 0
	nop.i 0
	;; }
	{ .mib
	nop.m 0
	nop.i 0
	br.cond.sptk.few back
	;; }
	.text
