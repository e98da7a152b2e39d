/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An L3 of one way, the smallest: each line of a set takes the place of the last.
 *
 * Options: -timing madison,fetch=0,l3=256K
 */
	.include "bare.inc"
	.include "mmu.inc"
	.include "timing.inc"
	DATA = 0x2000000
	L2_SET = 15			/* log2 of how far lines of one set of L2 are apart */
	L3 = 15
	MEMORY = L3 + 240

	/* a load of line \n and a use of its data */
	.macro USE n
	movl r13 = R4 + (\n << L2_SET)
	PAUSE
	BEGIN
	{ .mmi
	ld8 r16 = [r13]
	nop.m 0
	nop.i 0
	;; }
	{ .mmi
	add r17 = 1, r16
	nop.m 0
	nop.i 0
	;; }
	.endm

	START
	IDENTITY
	ITR_D 1, R4, DATA | FINE, 20
	GO_ON begin, PSR_DT | PSR_RT | PSR_IT
begin:
	/* eight fill a set of L2 and are alone in theirs of L3; the next takes a place in L2 from
	 * the first, and in L3 from the second
	 */
	.set n, 0
	.rept 8
	USE n
	.set n, n + 1
	.endr
	USE 9
	/* so L3 has the first */
	USE 0
	TAKES L3 + 1
	/* which now has the place of the second in L2 */
	USE 1
	TAKES MEMORY + 1
	PASS
