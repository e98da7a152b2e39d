/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prediction of branches, and what a misprediction takes.
 *
 * Options: -timing madison,fetch=0,buffer=0
 */
	.include "bare.inc"
	.include "timing.inc"
	MISPREDICT = 6
	RETURN = 1
	INDIRECT = 2

	/* a branch, or none, to the next bundle but one, which stands at a multiple of 32 */
	.macro OVER branch:vararg
	BEGIN
	{ .mib
	nop.m 0
	nop.i 0
	\branch 7773f
	;; }
	{ .mmi
	nop.m 0
	nop.m 0
	nop.i 0
	;; }
	.align 32
7773:
	.endm

	START
	cmp.eq p8, p9 = r0, r0
	movl r10 = bare_data
	;;
	/* fixed hints: right and wrong */
	OVER (p8) br.cond.sptk.many
	TAKES 1
	OVER (p9) br.cond.spnt.many
	TAKES 2
	OVER (p8) br.cond.spnt.many
	TAKES 1 + MISPREDICT
	OVER (p9) br.cond.sptk.many
	TAKES 2 + MISPREDICT
	/* in any slot of a bundle with several */
	BEGIN
	{ .bbb
(p9)	br.cond.sptk.many 8f
(p8)	br.cond.spnt.many 7f
	nop.b 0
	;; }
	.align 32
7:	TAKES 1 + 2 * MISPREDICT
	/* others begin as the hint says */
	OVER (p8) br.cond.dptk.many
	TAKES 1
	OVER (p9) br.cond.dpnt.many
	TAKES 2
	OVER (p8) br.cond.dpnt.many
	TAKES 1 + MISPREDICT
	OVER (p9) br.cond.dptk.many
	TAKES 2 + MISPREDICT
	/* and learn: 20 times through a branch that is taken every other time, then it is known.
	 * r16 counts, r17 is the last that it took
	 */
	mov r16 = 20
	;;
1:	tbit.nz p10, p11 = r16, 0
	;;
	OVER (p10) br.cond.dpnt.many
	{ .mmi
	mov r17 = ar.itc
	add r16 = -1, r16
	nop.i 0
	;; }
	cmp.ne p12, p13 = 0, r16
	sub r17 = r17, r8
(p12)	br.cond.sptk.many 1b
	;;
	add r17 = -1, r17
	;;
	CHECK_VALUE r17, 1
	/* a loop by counter is known to the end */
	mov r16 = 3
	;;
	mov.i ar.lc = r16
	;;
	BEGIN
2:	{ .mib
	nop.m 0
	nop.i 0
	br.cloop.sptk.many 2b
	;; }
	{ .mmi
	nop.m 0
	nop.m 0
	nop.i 0
	;; }
	TAKES 5
	/* a return is predicted by its call */
	mov r16 = 0
	;;
	BEGIN
	{ .mib
	nop.m 0
	nop.i 0
	br.call.sptk.many b6 = function
	;; }
	.align 32
	{ .mmi
	nop.m 0
	nop.m 0
	nop.i 0
	;; }
	TAKES 1 + 1 + RETURN + 1 + 1		/* into the second half of 32 bytes */
	/* but not if it goes elsewhere */
	movl r18 = 3f
	;;
	mov b7 = r18
	;;
	BEGIN
	{ .mib
	nop.m 0
	nop.i 0
	br.call.sptk.many b6 = elsewhere
	;; }
	.align 32
3:	{ .mmi
	nop.m 0
	nop.m 0
	nop.i 0
	;; }
	TAKES 1 + 1 + MISPREDICT + 1
	/* a branch register that is written in time, and one that is not */
	movl r18 = 4f
	movl r19 = 5f
	;;
	mov b6 = r18
	;;
	BEGIN
	{ .mib
	nop.m 0
	nop.i 0
	br.cond.sptk.many b6
	;; }
	.align 32
4:	TAKES 1 + INDIRECT
	BEGIN
	{ .mii
	nop.m 0
	mov b6 = r19
	;;
	nop.i 0 }
	{ .mib
	nop.m 0
	nop.i 0
	br.cond.sptk.many b6
	;; }
	.align 32
5:	TAKES 2 + MISPREDICT
	/* a check that fails */
	ld8.sa r20 = [r10]
	;;
	invala
	;;
	BEGIN
	{ .mmi
	chk.a.nc r20, 6f
	nop.m 0
	nop.i 0
	;; }
	{ .mmi
	nop.m 0
	nop.m 0
	nop.i 0
	;; }
	.align 32
6:	TAKES 1 + MISPREDICT
	PASS
8:	UNREACHABLE

	.align 32
function:
	{ .mib
	nop.m 0
	nop.i 0
	br.ret.sptk.many b6
	;; }
	.align 32
elsewhere:
	{ .mib
	nop.m 0
	nop.i 0
	br.ret.sptk.many b7
	;; }
