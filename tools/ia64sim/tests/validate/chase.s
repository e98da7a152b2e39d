/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A chase in no order through 2^LINES lines of 128 bytes, as 7-cpu.com has it: the pointer
 * of line n is to line (0x5851f42d n + 0x3039) modulo their number, which comes to all.
 */
	.include "bare.inc"
	.include "mmu.inc"
	.include "measure.inc"
	STEPS = 1 << 16

	START
	PAGED 1024
	VIRTUAL
	movl r12 = (1 << LINES) - 1
	movl r10 = R1
	mov r14 = 0
	;;
	mov.i ar.lc = r12
	;;
	/* pointers: line n to line n * 0x5851f42d + 0x3039 */
1:	movl r16 = 0x5851f42d
	;;
	setf.sig f6 = r16
	setf.sig f7 = r14
	;;
	xma.l f6 = f6, f7, f0
	;;
	getf.sig r16 = f6
	movl r17 = 0x3039
	;;
	add r16 = r16, r17
	;;
	and r16 = r16, r12
	shl r17 = r14, 7
	;;
	shl r16 = r16, 7
	add r17 = r17, r10
	;;
	add r16 = r16, r10
	add r14 = 1, r14
	;;
	st8 [r17] = r16
	br.cloop.sptk.many 1b
	;;
	.macro RUN steps
	movl r12 = (\steps) - 1
	;;
	mov.i ar.lc = r12
	;;
	.align 32
2:	{ .mib
	ld8 r10 = [r10]
	nop.i 0
	br.cloop.sptk.many 2b
	;; }
	add r11 = r10, r0
	;;
	.endm
	RUN STEPS
	MEASURE
	RUN STEPS
	MEASURED
	PASS
