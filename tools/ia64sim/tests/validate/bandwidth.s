/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Bandwidth of memory, as lmbench measures it: a buffer of 16 MiB is gone through once to
 * have everybody's lines in L3, and once for the clock.  WORK says how:
 *
 *	READ		every word of 4 bytes; the loop adds up what it loaded half a line
 *			(16 loads, 8 cycles) before
 *	WRITE		every word
 *	PARTIAL_WRITE	one word in four
 *	READ_WRITE	adds up one word in four, and writes it; again half a line between
 *			load and use
 *	CLEAR		16 bytes at a time; lfetch.excl goes 8 lines ahead
 *
 * LINES is 128 bytes each.
 */
	.include "bare.inc"
	.include "mmu.inc"
	.include "measure.inc"
	READ = 0
	WRITE = 1
	PARTIAL_WRITE = 2
	READ_WRITE = 3
	CLEAR = 4
	PAGES = 1024
	LINES = PAGES * 128

	.macro PASS_OVER
	movl r10 = R1
	movl r11 = R1 + 4
	movl r12 = R1 + 8 * 128
	;;
	.if WORK == READ
	movl r14 = LINES * 16 - 1
	mov r15 = 9
	clrrrb
	;;
	mov.i ar.lc = r14
	mov.i ar.ec = r15
	mov pr.rot = 1 << 16
	;;
	.align 32
1:	{ .mmi
(p16)	ld4 r32 = [r10], 8
(p16)	ld4 r48 = [r11], 8
(p24)	add r20 = r20, r40 }
	{ .mib
(p24)	add r21 = r21, r56
	nop.i 0
	br.ctop.sptk.many 1b
	;; }
	.endif
	.if WORK == WRITE
	movl r14 = LINES * 16 - 1
	;;
	mov.i ar.lc = r14
	;;
	.align 32
1:	{ .mmb
	st4 [r10] = r14, 8
	st4 [r11] = r14, 8
	br.cloop.sptk.many 1b
	;; }
	.endif
	.if WORK == PARTIAL_WRITE
	add r11 = 12, r11
	movl r14 = LINES * 4 - 1
	;;
	mov.i ar.lc = r14
	;;
	.align 32
1:	{ .mmb
	st4 [r10] = r14, 32
	st4 [r11] = r14, 32
	br.cloop.sptk.many 1b
	;; }
	.endif
	.if WORK == READ_WRITE
	movl r11 = R1
	movl r14 = LINES * 8 - 1
	mov r15 = 5
	clrrrb
	;;
	mov.i ar.lc = r14
	mov.i ar.ec = r15
	mov pr.rot = 1 << 16
	;;
	.align 32
1:	{ .mmi
(p16)	ld4 r32 = [r10], 16
(p20)	st4 [r11] = r14, 16
(p20)	add r20 = r20, r36 }
	{ .mib
	nop.m 0
	nop.i 0
	br.ctop.sptk.many 1b
	;; }
	.endif
	.if WORK == CLEAR
	movl r11 = R1 + 16
	movl r14 = LINES - 1
	;;
	mov.i ar.lc = r14
	;;
	.align 32
1:	{ .mmi
	lfetch.excl [r12], 128
	nop.m 0
	nop.i 0 }
	{ .mmi
	stf.spill [r10] = f0, 32
	stf.spill [r11] = f0, 32
	nop.i 0
	;; }
	{ .mmi
	stf.spill [r10] = f0, 32
	stf.spill [r11] = f0, 32
	nop.i 0
	;; }
	{ .mmi
	stf.spill [r10] = f0, 32
	stf.spill [r11] = f0, 32
	nop.i 0
	;; }
	{ .mmb
	stf.spill [r10] = f0, 32
	stf.spill [r11] = f0, 32
	br.cloop.sptk.many 1b
	;; }
	.endif
	.endm

	START
	PAGED PAGES
	VIRTUAL
	alloc r2 = ar.pfs, 0, 64, 0, 32
	mov r20 = 0
	mov r21 = 0
	;;
	PASS_OVER
	MEASURE
	PASS_OVER
	MEASURED
	PASS
