/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a processor loses while another purges globally all the time: a loop of 10^6 cycles that
 * refers to nothing.
 *
 *	PURGES = 0	the other one computes, too
 */
	.include "bare.inc"
	.include "mmu.inc"
	.include "smp.inc"
	.include "measure.inc"
	CYCLES = 1000000

	START
	SECOND other
	PAGED 2
	VIRTUAL
	DATA_OFF
	WAKE
	AWAIT 1
	DATA_ON
	movl r12 = CYCLES - 1
	;;
	mov.i ar.lc = r12
	MEASURE
1:	{ .mib
	nop.m 0
	nop.i 0
	br.cloop.sptk.many 1b
	;; }
	MEASURED
	PASS

	.align 16
other:
	BEGIN_SECOND
	TELL 1
	movl r20 = R1 | 0x8000000
	mov r21 = 14 << 2
	;;
1:
	.if PURGES
	ptc.ga r20, r21
	;;
	.endif
	srlz.d
	br.sptk.many 1b
	;;
