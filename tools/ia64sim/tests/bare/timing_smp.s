/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two processors: what it takes that they have the same line.
 *
 * Options: -smp 2 -timing madison,fetch=0
 */
	.include "bare.inc"
	.include "mmu.inc"
	.include "smp.inc"
	.include "timing.inc"
	DATUM = bare_data + 4096
	L2 = 5
	MEMORY = 15 + 240
	OPEN = 18
	OTHER = 100
	CLAIM = 100
	MF = 6 + 1

	.macro USE address
	M_ONLY ld8 r16 = [\address]
	M_ONLY add r17 = 1, r16
	.endm
	/* a store, and until it is done */
	.macro PUT address
	{ .mmi
	st8 [\address] = r0
	nop.m 0
	nop.i 0
	;; }
	M_ONLY mf
	.endm

	START
	SECOND other
	movl r20 = DATUM
	;;
	ld8 r16 = [r20]			/* in L2, and nobody else has it */
	;;
	PAUSE
	BEGIN
	PUT r20
	TAKES 1 + MF
	ld8 r16 = [r20]
	;;
	PAUSE
	BEGIN
	USE r20
	TAKES 1 + 1
	/* the other one reads: it is still here, but to write takes longer */
	WAKE
	AWAIT 1
	PAUSE
	BEGIN
	USE r20
	TAKES 1 + 1
	BEGIN
	PUT r20
	TAKES L2 + CLAIM + MF
	PAUSE
	BEGIN
	PUT r20
	TAKES 1 + MF
	/* the other one writes: it is gone, from L1D too */
	ld8 r16 = [r20]
	;;
	TELL 2
	AWAIT 3
	PAUSE
	BEGIN
	USE r20
	TAKES MEMORY - OPEN + OTHER + 1
	/* the rest is for the other one to check; it is nobody's alone now */
	BEGIN
	PUT r20
	TAKES L2 + CLAIM + MF
	PASS

other:
	BEGIN_SECOND
	movl r20 = DATUM
	;;
	BEGIN
	USE r20
	/* modified by the first */
	TAKES 4 + MEMORY - OPEN + OTHER + 1
	TELL 1
	AWAIT 2
	st8 [r20] = r0
	;;
	TELL 3
	AWAIT 4				/* never */
	UNREACHABLE
