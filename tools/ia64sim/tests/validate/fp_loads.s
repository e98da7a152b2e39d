/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Floating-point loads of 256 pages of 16 KiB: they miss the DTLB, but they ask no L1 DTLB.
 */
	.include "bare.inc"
	.include "mmu.inc"
	.include "measure.inc"
	COUNT = 256
	TIMES = 40

	START
	PAGED COUNT + 2
	VIRTUAL
	.macro PASS_OVER
	movl r10 = R1
	movl r11 = (1 << 14) + 128
	movl r12 = COUNT - 1
	;;
	mov.i ar.lc = r12
	;;
	.align 32
1:	{ .mfi
	ldfd f6 = [r10]
	nop.f 0
	nop.i 0 }
	{ .mib
	add r10 = r10, r11
	nop.i 0
	nop.b 0
	;; }
	{ .mfb
	nop.m 0
	fma.d f7 = f6, f1, f7
	br.cloop.dptk.few 1b
	;; }
	.endm
	PASS_OVER
	MEASURE
	mov r24 = TIMES
	;;
2:	PASS_OVER
	add r24 = -1, r24
	;;
	cmp.lt p8, p9 = 0, r24
(p8)	br.cond.sptk.many 2b
	MEASURED
	PASS
