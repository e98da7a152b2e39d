/* SPDX-License-Identifier: GPL-2.0 */
/*
 * -strict walks: an entry of the VHPT changes, ROUNDS times, and its translation is purged.  What
 * is loaded behind that must come from the new page.  The walker may come in between.  The exit
 * status is SEEN if the old page was seen in some round, else 0.
 *
 * --defsym ORDER=0	the entry changes, then comes the purge
 * --defsym ORDER=1	the purge comes first
 * --defsym ORDER=2	as 0, by ptc.ga
 * --defsym ORDER=3	the purge comes first, but the walker of the region is off until the entry
 *			has changed
 */
	.include "bare.inc"
	.include "mmu.inc"
	ROUNDS = 200
	TABLE = 0x100000000
	ENTRIES = 0x3100000		/* of the table, physical */
	FRAME = 0x2000000		/* and the next one */
	PAGE = R1 + 0x8000

	START
	IDENTITY
	SET_PTA TABLE | 20 << 2 | 1
	SET_RR 1, 0x101, 14, 1
	ITR_D 1, R1 | TABLE, ENTRIES | FINE, 20
	movl r20 = FRAME
	movl r21 = FRAME + 0x4000
	mov r22 = 1
	;;
	st8 [r20] = r0
	st8 [r21] = r22
	movl r20 = ENTRIES + 2 * 8
	movl r21 = FRAME | FINE
	movl r22 = (FRAME + 0x4000) | FINE
	movl r23 = PAGE
	mov r24 = 14 << 2
	mov r25 = 0			/* the round */
	mov r27 = 0			/* seen so often */
	movl r28 = R1
	movl r29 = 0x101 << 8 | 14 << 2
	;;
	st8 [r20] = r21
	DATA_ON
	.macro CHANGE
	and r26 = 1, r25
	;;
	cmp.eq p8, p9 = 0, r26
	;;
(p8)	st8 [r20] = r21
(p9)	st8 [r20] = r22
	;;
	.endm
	.macro PURGED
	.if ORDER == 2
	ptc.ga r23, r24
	.else
	ptc.l r23, r24
	.endif
	;;
	srlz.d
	;;
	.endm
	.macro WALKER on
	or r26 = \on, r29
	;;
	mov rr[r28] = r26
	;;
	srlz.d
	;;
	.endm
round:
	add r25 = 1, r25
	ld8 r26 = [r23]			/* the translation is there */
	;;
	.if ORDER == 1
	PURGED
	CHANGE
	.elseif ORDER == 3
	WALKER 0
	PURGED
	CHANGE
	WALKER 1
	.else
	CHANGE
	PURGED
	.endif
	ld8 r14 = [r23]
	and r15 = 1, r25
	;;
	cmp.ne p8, p0 = r14, r15
	;;
(p8)	add r27 = 1, r27
	movl r14 = ROUNDS
	;;
	cmp.ltu p9, p0 = r25, r14
(p9)	br.cond.sptk.few round
	;;
	cmp.eq p10, p0 = r27, r0
	;;
	SEEN = bare_check + 1
	CHECK_PREDICATE p10
	PASS
