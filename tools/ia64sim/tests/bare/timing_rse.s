/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the register stack engine takes: two registers a cycle, and the loads of L1D.
 *
 * Options: -timing madison,fetch=0
 */
	.include "bare.inc"
	.include "timing.inc"

	/* n registers more are dirty, and the frame is empty */
	.macro DIRTY n
	alloc r2 = ar.pfs, 0, \n, 0, 0
	;;
	cover
	;;
	.endm

	START
	DIRTY 0
	flushrs
	;;
	/* nothing to do */
	BEGIN
	{ .mmi
	flushrs
	nop.m 0
	nop.i 0
	;; }
	TAKES 1
	/* 32 registers, and a NaT collection if there is one among them */
	DIRTY 32
	mov r10 = ar.bspstore
	;;
	mov r11 = ar.bsp
	;;
	sub r11 = r11, r10
	PAUSE
	BEGIN
	{ .mmi
	flushrs
	nop.m 0
	nop.i 0
	;; }
	{ .mmi
	mov r9 = ar.itc
	nop.m 0
	nop.i 0
	;; }
	sub r9 = r9, r8
	shr.u r11 = r11, 3
	;;
	add r11 = 1, r11
	;;
	shr.u r11 = r11, 1
	add r9 = -2, r9
	;;
	CHECK_EQ r9, r11
	/* alloc spills what does not fit in: 96 less 90 dirty ones leave 6, it wants 26 */
	flushrs
	;;
	DIRTY 90
	PAUSE
	BEGIN
	{ .mmi
	alloc r12 = ar.pfs, 0, 26, 0, 0
	nop.m 0
	nop.i 0
	;; }
	{ .mmi
	mov r9 = ar.itc
	nop.m 0
	nop.i 0
	;; }
	sub r9 = r9, r8
	;;
	/* 20 registers, and perhaps a collection: 10 cycles, or 11 */
	add r9 = -2, r9
	;;
	cmp.ne p8, p9 = 10, r9
	;;
(p8)	cmp.ne.unc p8, p9 = 11, r9
	;;
	CHECK_NOT p8
	/* loadrs brings 40 words back, two a cycle, which is longer than L2 takes for their lines */
	flushrs
	;;
	mov ar.rsc = r0
	;;
	alloc r2 = ar.pfs, 0, 0, 0, 0
	;;
	loadrs				/* of none: nothing is clean any more */
	;;
	movl r10 = 320 << 16
	;;
	mov ar.rsc = r10
	PAUSE
	BEGIN
	{ .mmi
	loadrs
	nop.m 0
	nop.i 0
	;; }
	{ .mmi
	mov r9 = ar.itc
	nop.m 0
	nop.i 0
	;; }
	sub r9 = r9, r8
	;;
	add r9 = -2, r9
	;;
	CHECK_VALUE r9, 20
	PASS
