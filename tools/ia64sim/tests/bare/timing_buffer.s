/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The buffer of 8 bundles between fetch and issue: while issue waits fetch goes on, for up to
 * four cycles, which are bubbles of fetch later that issue does not see.
 *
 * Options: -timing madison,fetch=0
 */
	.include "bare.inc"
	.include "timing.inc"
	MISPREDICT = 6
	RETURN = 1
	INDIRECT = 2

	/* a call from 32 bytes to 32 bytes and back: a cycle each, and what fetch needs for the
	 * return
	 */
	.macro CALLED
	{ .mmi
	nop.m 0
	nop.m 0
	nop.i 0 }
	{ .mib
	nop.m 0
	nop.i 0
	br.call.sptk.many b6 = function
	;; }
	.endm

	START
	cmp.eq p8, p9 = r0, r0
	;;
	/* BEGIN waits for ar.itc, and so the buffer is full */
	BEGIN
	CALLED
	TAKES 1 + 1
	/* four bubbles of one cycle */
	BEGIN
	.rept 4
	CALLED
	.endr
	TAKES 4 * 2
	BEGIN
	.rept 6
	CALLED
	.endr
	TAKES 6 * 2 + 2 * RETURN
	/* bubbles of two */
	movl r16 = 1f
	movl r17 = 2f
	movl r18 = 3f
	;;
	mov b1 = r16
	mov b2 = r17
	mov b3 = r18
	;;
	BEGIN
	.set n, 1
	.irp target, b1, b2, b3
	{ .mib
	nop.m 0
	nop.i 0
	br.cond.sptk.many \target
	;; }
	.align 32
	.ifc \target, b1
1:
	.endif
	.ifc \target, b2
2:
	.endif
	.endr
3:	TAKES 3 + 3 * INDIRECT - 4
	/* the buffer is full again when issue has waited for a register */
	BEGIN
	.rept 6
	CALLED
	.endr
	{ .mmi
	getf.sig r11 = f6
	nop.m 0
	nop.i 0
	;; }
	{ .mmi
	add r11 = 1, r11
	nop.m 0
	nop.i 0
	;; }
	.rept 3
	CALLED
	.endr
	TAKES 6 * 2 + 2 * RETURN + 5 + 1 + 3 * 2
	/* behind a misprediction nothing is ahead */
	BEGIN
	{ .mib
	nop.m 0
	nop.i 0
(p8)	br.cond.spnt.many 4f
	;; }
	.align 32
4:	CALLED
	TAKES 1 + MISPREDICT + 1 + 1 + RETURN
	/* issue that takes a bundle a cycle lets fetch get ahead: by one cycle in two */
	BEGIN
	{ .mib
	nop.m 0
	nop.i 0
(p8)	br.cond.spnt.many 5f
	;; }
	.align 32
5:	.rept 3
	{ .mmi
	nop.m 0
	nop.m 0
	nop.i 0
	;; }
	.endr
	CALLED
	TAKES 1 + MISPREDICT + 3 + 1 + 1
	PASS

	.align 32
function:
	{ .mib
	nop.m 0
	nop.i 0
	br.ret.sptk.many b6
	;; }
