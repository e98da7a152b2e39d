/* SPDX-License-Identifier: GPL-2.0 */
/*
 * -strict stores: two processors purge globally, ROUNDS times each.  One purge may be in progress
 * in the system (SDM 2:570, PAL_VM_SUMMARY), so they need a lock, which must not be free before
 * the purge is done.
 *
 * --defsym LOCK=0	there is none
 * --defsym LOCK=1	it is released by st.rel, which comes behind the purge
 * --defsym LOCK=2	by a plain store, which may come before it
 * --defsym LOCK=3	the same behind mf
 * --defsym LOCK=4	by a semaphore
 */
	.include "bare.inc"
	.include "mmu.inc"
	.include "smp.inc"
	ROUNDS = 2000
	WORD = bare_data + 4096
	DONE = bare_data + 8192

	.macro PURGES label
	movl r20 = R1 | 0x4000000
	movl r21 = 14 << 2
	movl r22 = WORD
	mov r23 = ROUNDS
	mov r24 = 1
	;;
1:
	.if LOCK
2:	xchg8 r25 = [r22], r24
	;;
	cmp.ne p6, p0 = 0, r25
(p6)	br.cond.sptk.few 2b
	;;
	.endif
\label:
	{ .mmi
	ptc.ga r20, r21
	;;
	srlz.d
	nop.i 0
	;; }
	.if LOCK == 1
	st8.rel [r22] = r0
	.elseif LOCK == 2
	st8 [r22] = r0
	.elseif LOCK == 3
	mf
	;;
	st8 [r22] = r0
	.elseif LOCK == 4
	xchg8 r25 = [r22], r0
	.endif
	add r23 = -1, r23
	;;
	cmp.ne p6, p0 = 0, r23
(p6)	br.cond.sptk.few 1b
	;;
	mf
	movl r26 = DONE
	;;
	fetchadd8.rel r27 = [r26], 1
	;;
	.endm

	START
	SECOND other
	WAKE
	AWAIT 1
	TELL 2
	PURGES purges_first
1:	ld8.acq r27 = [r26]
	;;
	cmp.ne p6, p0 = 2, r27
(p6)	br.cond.sptk.few 1b
	;;
	PASS

	.align 16
other:
	BEGIN_SECOND
	TELL 1
	AWAIT 2
	PURGES purges_second
1:	br.sptk.few 1b
	;;
