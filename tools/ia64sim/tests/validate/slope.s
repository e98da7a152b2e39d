/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A program that looks up records, for the thesis's regression: PINNED translation registers
 * take entries from the DTLB, and the more they are the more misses the walker serves.
 *
 * A hot part of 128 pages of 16 KiB, of which those with few bits in their numbers are used
 * more, and 4096 pages of which any one is used, one time in 16; in each 8 lines.  A record
 * is found by a random number, looked at in two places, and sometimes changed.  Nothing was
 * fitted to it, nor it to anything.
 */
	.include "bare.inc"
	.include "mmu.inc"
	.include "measure.inc"
	COUNT = 4096
	TIMES = 30000

	START
	PAGED COUNT
	.set n, 3
	.rept PINNED
	ITR_D n, R5 + (n << 14), DATA | FINE, 14
	.set n, n + 1
	.endr
	VIRTUAL
	movl r20 = 0x9e3779b97f4a7c15
	movl r21 = R1
	mov r22 = 0
	movl r23 = 0x2545f4914f6cdd1d
	;;
	.macro RUN times
	movl r12 = \times - 1
	;;
	mov.i ar.lc = r12
	;;
	.align 32
1:	/* xorshift */
	shl r10 = r20, 13
	;;
	xor r20 = r20, r10
	;;
	shr.u r10 = r20, 7
	;;
	xor r20 = r20, r10
	;;
	shl r10 = r20, 17
	;;
	xor r20 = r20, r10
	;;
	/* a page, a line of it */
	extr.u r11 = r20, 8, 7
	extr.u r13 = r20, 20, 7
	extr.u r14 = r20, 32, 3
	extr.u r15 = r20, 44, 4
	;;
	and r11 = r11, r13
	cmp.eq p12, p13 = 0, r15
	;;
(p12)	extr.u r11 = r20, 48, 12
	;;
	shl r13 = r11, 14
	extr.u r15 = r11, 0, 4
	;;
	add r13 = r13, r21
	shl r15 = r15, 10
	;;
	shl r14 = r14, 7
	add r13 = r13, r15
	;;
	add r13 = r13, r14
	;;
	ld8 r16 = [r13], 64
	;;
	add r22 = r22, r16
	ld8 r17 = [r13]
	;;
	xor r22 = r22, r17
	tbit.z p8, p9 = r20, 40
	;;
	add r16 = 1, r16
	;;
(p9)	tbit.z.unc p10, p11 = r20, 41
	;;
(p10)	st8 [r13] = r22
	br.cloop.sptk.many 1b
	;;
	.endm
	RUN TIMES / 4
	MEASURE
	RUN TIMES
	MEASURED
	PASS
