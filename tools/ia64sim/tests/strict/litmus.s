/* SPDX-License-Identifier: GPL-2.0 */
/*
 * -strict stores: two processors store and load, ROUNDS times, and count how often they saw
 * what only stores that wait can bring about.  The exit status is SEEN if they did, else 0.
 *
 * --defsym MP=0	store buffering: x = n; read y, and y = n; read x: both are old
 *				(SDM 2:517)
 * --defsym MP=1	message passing: data = n; flag = n, and read flag, data: the flag
 *				is new, the data old (SDM 2:514)
 * --defsym FENCE=0	nothing between the two
 * --defsym FENCE=1	mf
 * --defsym FENCE=2	st.rel and ld.acq
 * --defsym FENCE=3	a semaphore with release elsewhere, in front of the second
 * --defsym FENCE=4	the same with acquire: processors make that a full fence, too
 */
	.include "bare.inc"
	.include "mmu.inc"
	.include "smp.inc"
	.include "rounds.inc"
	ROUNDS = 100
	X = bare_data + 4096
	Y = bare_data + 8192
	OTHER = bare_data + 12288
	FIRST_SAW = bare_data + 16384
	SECOND_SAW = bare_data + 20480

	.macro FENCED
	.if FENCE == 1
	mf
	;;
	.elseif FENCE == 3
	fetchadd8.rel r9 = [r26], 1
	;;
	.elseif FENCE == 4
	fetchadd8.acq r9 = [r26], 1
	;;
	.endif
	.endm

	.macro STORE_X
	st8 [r20] = r22
	;;
	.endm

	.macro STORE_Y
	.if FENCE == 2
	st8.rel [r21] = r22
	.else
	st8 [r21] = r22
	.endif
	;;
	.endm

	.macro READ to, from
	.if FENCE == 2
	ld8.acq \to = [\from]
	.else
	ld8 \to = [\from]
	.endif
	;;
	.endm

	.macro ADDRESSES
	movl r20 = X
	movl r21 = Y
	movl r24 = FIRST_SAW
	movl r25 = SECOND_SAW
	movl r26 = OTHER
	mov r22 = 0			/* the round */
	mov r27 = 0			/* seen so often */
	;;
	.endm

	START
	SECOND other
	ADDRESSES
	WAKE
round:
	add r22 = 1, r22
	;;
	TELL_ROUND 0			/* begin */
	.if MP
	STORE_X
	FENCED
	STORE_Y
	mov r23 = r22
	;;
	.else
	STORE_X
	FENCED
	READ r23, r21
	.endif
	PAUSE
	mf
	AWAIT_ROUND 1
	ld8 r14 = [r25]			/* what the second saw */
	cmp.ltu p8, p0 = r23, r22
	;;
	.if MP
	cmp.ltu p8, p0 = r14, r22	/* data, when the flag was new */
	.else
(p8)	cmp.ltu.unc p8, p0 = r14, r22
	.endif
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
	ADDRESSES
other_round:
	add r22 = 1, r22
	;;
	AWAIT_ROUND 0
	.if MP
1:	READ r9, r21
	cmp.ne p6, p0 = r9, r22
(p6)	br.cond.sptk.few 1b
	;;
	READ r23, r20
	.else
	STORE_Y
	FENCED
	READ r23, r20
	.endif
	PAUSE
	mf
	;;
	st8 [r25] = r23
	;;
	TELL_ROUND 1			/* the second is ready */
	br.cond.sptk.few other_round
	;;
