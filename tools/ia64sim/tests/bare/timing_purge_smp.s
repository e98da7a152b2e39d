/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Global purges of two processors: what they wait for, and what they take from the other one.
 *
 * Options: -smp 2 -timing madison,fetch=0
 */
	.include "bare.inc"
	.include "mmu.inc"
	.include "smp.inc"
	.include "timing.inc"
	DATUM = bare_data + 4096
	COUNT = 100
	L2 = 5
	MEMORY = 15 + 240
	PTC_G = 150
	REMOTE = 20

	/* r16 becomes how long COUNT purges take; clobbers r17 */
	.macro PURGES
	mov r17 = COUNT
	mov r16 = ar.itc
	;;
1:	ptc.ga r20, r21
	;;
	srlz.d
	add r17 = -1, r17
	;;
	cmp.ne p6, p0 = 0, r17
(p6)	br.cond.dptk.few 1b
	;;
	mov r17 = ar.itc
	;;
	sub r16 = r17, r16
	;;
	.endm
	/* and this how long something takes that waits for nobody */
	.macro WORK
	mov r17 = 20000
	mov r16 = ar.itc
	;;
1:	add r17 = -1, r17
	;;
	cmp.ne p6, p0 = 0, r17
(p6)	br.cond.dptk.few 1b
	;;
	mov r17 = ar.itc
	;;
	sub r16 = r17, r16
	;;
	.endm

	START
	SECOND other
	movl r20 = R1
	mov r21 = 14 << 2
	movl r22 = DATUM
	;;
	/* with nobody else there, and nothing to wait for */
	BEGIN
	M_ONLY ptc.ga r20, r21
	TAKES PTC_G + 1
	srlz.d
	;;
	/* what was stored comes first */
	PAUSE
	BEGIN
	{ .mmi
	st8 [r22] = r0
	nop.m 0
	nop.i 0
	;; }
	M_ONLY ptc.ga r20, r21
	TAKES MEMORY + PTC_G + 1
	srlz.d
	;;
	PURGES
	mov r23 = r16
	WORK
	mov r24 = r16
	WAKE
	AWAIT 1
	TELL 2
	/* a processor loses some cycles to each purge of another */
	WORK
	sub r16 = r16, r24
	;;
	CHECK_BETWEEN r16, COUNT * (REMOTE - 1), COUNT * (REMOTE + 1)
	AWAIT 3
	TELL 4
	/* and of two that purge each waits for the other */
	PURGES
	sub r16 = r16, r23
	;;
	CHECK_BETWEEN r16, COUNT * PTC_G * 8 / 10, COUNT * (PTC_G + REMOTE + 10)
	PASS

other:
	BEGIN_SECOND
	movl r20 = R1
	mov r21 = 14 << 2
	TELL 1
	AWAIT 2
	PURGES
	/* nothing from one that only computes */
	CHECK_BETWEEN r16, COUNT * PTC_G, COUNT * (PTC_G + 10)
	TELL 3
	AWAIT 4
	.rept 3
	PURGES
	.endr
1:	br.sptk.few 1b
