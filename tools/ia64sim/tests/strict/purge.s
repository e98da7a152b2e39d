/* SPDX-License-Identifier: GPL-2.0 */
/*
 * -strict stores: a processor purges a translation by which another one is storing, and loads
 * what is there, ROUNDS times.  Without mf in between, the other one may store once more
 * (SDM 3:231, 2:570): what is loaded is not the last that was stored.  The exit status is SEEN
 * if it was so in some round, else 0.
 *
 * --defsym FENCE=0	nothing between the two
 * --defsym FENCE=1	mf
 * --defsym FENCE=2	st.rel, behind which loads need not wait
 * --defsym FENCE=3	a semaphore with release, which waits for the purge here
 * --defsym GA=0	ptc.g
 * --defsym GA=1	ptc.ga
 */
	.include "bare.inc"
	.include "mmu.inc"
	.include "smp.inc"
	.include "rounds.inc"
	ROUNDS = 60
	NEXT = bare_data + 4096
	ELSEWHERE = bare_data + 8192
	FRAME = 0x3000000
	PAGE = R1 | 0x5000000

	START
	SECOND other
	IDENTITY
	movl r20 = FRAME
	movl r25 = NEXT
	movl r26 = ELSEWHERE
	mov r22 = 0			/* the round */
	mov r27 = 0			/* seen so often */
	WAKE
	;;
round:
	add r22 = 1, r22
	;;
	mf
	st8.rel [r25] = r22
	;;
	AWAIT_ROUND 0
	PAUSE
	.if GA
	PURGE ptc.ga, PAGE, 14
	.else
	PURGE ptc.g, PAGE, 14
	.endif
	.if FENCE == 1
	mf
	;;
	.elseif FENCE == 2
	st8.rel [r26] = r22
	;;
	.elseif FENCE == 3
	fetchadd8.rel r9 = [r26], 1
	;;
	.endif
	ld8 r23 = [r20]
	PAUSE
	AWAIT_ROUND 1
	ld8 r24 = [r20]
	;;
	cmp.ne p8, p0 = r23, r24
	;;
(p8)	add r27 = 1, r27
	movl r14 = ROUNDS
	;;
	cmp.ltu p9, p0 = r22, r14
(p9)	br.cond.sptk.few round
	;;
	cmp.eq p10, p0 = r27, r0
	;;
	SEEN = bare_check + 1
	CHECK_PREDICATE p10
	PASS

	.align 16
other:
	BEGIN_SECOND
	IDENTITY
	DATA_ON
	movl r20 = PAGE
	movl r25 = NEXT
	mov r22 = 0
	mov r29 = 0			/* what it stores */
	;;
other_round:
	add r22 = 1, r22
	;;
1:	ld8.acq r9 = [r25]
	;;
	cmp.ne p6, p0 = r9, r22
(p6)	br.cond.sptk.few 1b
	;;
	ITC_D PAGE, FRAME | FINE, 14
	EXPECT 3f
	TELL_ROUND 0			/* the second stores */
2:	add r29 = 1, r29
	;;
	st8 [r20] = r29
	br.sptk.few 2b
	;;
3:	TELL_ROUND 1			/* it has lost the translation */
	br.sptk.few other_round
	;;
