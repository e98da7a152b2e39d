/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What instruction fetch waits for: L1I, the L1 ITLB, L2 and memory; and the lines that are
 * fetched ahead.
 *
 * Options: -timing madison,buffer=0
 */
	.include "bare.inc"
	.include "timing.inc"
	ITLB = 3
	MISS = 7
	MEMORY = 15 + 240		/* 160 ns */
	OPEN = 18
	L2 = 5

	/* From here to line \n, and what that takes in r9; all else is warm by then. */
	.macro VISIT n
	movl r10 = lines + \n * 0x1000
	;;
	mov b7 = r10
	br.call.sptk.many b6 = visit
	;;
	.endm
	.macro VISIT_TAKES n, cycles:vararg
	.set timing_expected, \cycles
	VISIT \n
	CHECK_VALUE r9, timing_expected
	.endm

	START
	/* the code of VISIT is there, and lines whose sets others do not use; a line for the
	 * clock
	 */
	VISIT 0
	VISIT 0
	VISIT_TAKES 0, 0
	/* another page, in memory, and again */
	VISIT_TAKES 1, ITLB + MEMORY + MISS - L2
	VISIT_TAKES 1, 0
	/* four ways; the fifth of a set makes one go, which L2 has */
	VISIT 2
	VISIT 3
	VISIT 4
	VISIT_TAKES 0, MISS
	/* 32 pages in the L1 ITLB: its lines go with an entry */
	VISIT_TAKES 4, 0
	.set n, 5
	.rept 36
	VISIT n
	.set n, n + 1
	.endr
	VISIT_TAKES 4, ITLB + MISS
	/* lines in a row come from memory one by one, or ahead */
	movl r10 = row
	;;
	mov b7 = r10
	br.call.sptk.many b6 = visit_few
	;;
	mov r16 = r9
	movl r10 = row_ahead
	;;
	mov b7 = r10
	br.call.sptk.many b6 = visit
	;;
	/* 6 lines of L1I in 3 of memory, against the first of them and what is left of others */
	movl r17 = 3 * (MEMORY - OPEN)
	movl r18 = 2 * MEMORY
	;;
	cmp.gtu p8, p9 = r17, r16
	;;
	CHECK_NOT p8
	cmp.ltu p8, p9 = r18, r9
	;;
	CHECK_NOT p8
	PASS

	/* to b7 and back, r9 is the time but for that of a line that is there */
	.align 64
visit:
	CLOCK_FROM_HERE
	{ .mib
	nop.m 0
	nop.i 0
	br.cond.sptk.many b7
	;; }
	.align 64
visit_few:
	CLOCK_FROM_HERE
	{ .mib
	nop.m 0
	nop.i 0
	br.cond.sptk.few b7
	;; }
	.align 64
back:
	CLOCK_BACK 4

	.section .text.ivt, "ax"
	.align 32768
lines:
	.set n, 0
	.rept 41
	.org lines + n * 0x1000
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
	.set n, n + 1
	.endr
	.macro ROW
	.rept 23
	{ .mmi
	nop.m 0
	nop.m 0
	nop.i 0
	;; }
	.endr
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
	.endm
	.org lines + 45 * 0x1000
row:	ROW
	.org lines + 46 * 0x1000
row_ahead:
	ROW
