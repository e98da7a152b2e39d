/* SPDX-License-Identifier: GPL-2.0 */
/*
 * -strict stores: two processors store to one word and load it, ROUNDS times, and purge, which
 * has stores of the other one performed.  Each must find what it has stored last, or what the
 * other one has stored, and nothing that is older than what it has found before (SDM volume 1,
 * section 4.4.7).  The exit status is 0, or the number of the check that failed.
 */
	.include "bare.inc"
	.include "mmu.inc"
	.include "smp.inc"
	ROUNDS = 3000
	X = bare_data + 4096
	PAGE = R1 | 0x5000000

	/* It stores twice what it counts, and one more if it is the second. */
	.macro COMPETE me
	movl r20 = X
	movl r25 = PAGE
	mov r26 = 14 << 2
	mov r22 = \me			/* what it stores */
	mov r24 = 0			/* the last it has found of the other */
	movl r27 = ROUNDS
	;;
88:	add r22 = 2, r22
	add r27 = -1, r27
	;;
	st8 [r20] = r22
	extr.u r9 = r22, 1, 3
	;;
	cmp.eq p6, p0 = 3, r9
	cmp.eq p7, p0 = 4, r9
	;;
(p6)	ptc.g r25, r26
	;;
(p7)	ptc.g r25, r26
	;;
	mov r28 = r22			/* what may be found again */
	extr.u r9 = r22, 1, 4
	mov r10 = 60			/* long enough for the turn to end */
	;;
	cmp.ne p6, p0 = r0, r9
	;;
(p6)	mov r10 = 1
	;;
	mov ar.lc = r10
	;;
89:	ld8 r23 = [r20]
	;;
	cmp.eq p10, p9 = r23, r28
	xor r9 = r23, r22
	;;
(p9)	tbit.nz.unc p12, p0 = r9, 0
	;;
(p12)	cmp.geu p10, p0 = r23, r24
	;;
	CHECK_PREDICATE p10
(p9)	mov r24 = r23
(p9)	mov r28 = r23
	;;
	br.cloop.sptk.few 89b
	;;
	cmp.ne p8, p0 = r0, r27
(p8)	br.cond.sptk.few 88b
	;;
	.endm

	START
	SECOND other
	WAKE
	AWAIT 1
	TELL 2
	COMPETE 0
	PASS

	.align 16
other:
	BEGIN_SECOND
	TELL 1
	AWAIT 2
	COMPETE 1
1:	br.sptk.few 1b
	;;
