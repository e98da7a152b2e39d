/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The interval timer and external interrupts.
 *
 * Rule interruption (SDM 2:119): when ITC comes to ITM the vector of ITV becomes pending; ITV.m
 *   discards it
 * Rule interruption (SDM 2:119): an interrupt comes between instructions while PSR.i is 1 and
 *   TPR lets it
 * Rule interruption (SDM 2:119): rsm holds interrupts at once, ssm with srlz.d releases them
 *   before what follows
 * Rule interruption (SDM 2:126): IVR names the vector, or 15 for none; EOI ends it
 */
	.include "bare.inc"
	START
	mov cr.tpr = r0
	mov r8 = 0x50
	;;
	mov cr.itv = r8
	mov ar.itc = r0
	mov r9 = 1000
	;;
	mov cr.itm = r9
	srlz.d
	;;
	/* Held: wait until it has matched. */
1:	mov r10 = ar.itc
	mov r11 = cr.irr1
	;;
	cmp.ltu p8, p9 = r10, r9
(p8)	br.cond.dptk.few 1b
	;;
	mov r11 = cr.irr1
	;;
	CHECK_VALUE r11, 1 << 16
	/* ITC counts one for each slot. */
	mov r10 = ar.itc
	nop.i 0
	;;
	mov r12 = ar.itc
	;;
	sub r10 = r12, r10
	;;
	cmp.ltu p8, p9 = 0, r10
	;;
	CHECK_PREDICATE p8
	cmp.ltu p8, p9 = r10, r9
	;;
	CHECK_PREDICATE p8

	HOOK handler
	mov r20 = 0
	;;
	ssm 1 << 14
	;;
	srlz.d
	;;
	/* already counted, whatever follows */
	rsm 1 << 14
	CHECK_VALUE r7, 1
	mov r11 = cr.irr1
	;;
	CHECK_VALUE r11, 0
	mov r11 = cr.ivr
	;;
	CHECK_VALUE r11, 15

	/* TPR's class 5 masks 0x50 */
	mov r8 = 0x50
	mov r10 = ar.itc
	;;
	mov cr.tpr = r8
	add r10 = 200, r10
	;;
	mov cr.itm = r10
	srlz.d
	;;
	ssm 1 << 14
	;;
	srlz.d
	;;
2:	mov r11 = ar.itc
	;;
	cmp.ltu p8, p9 = r11, r10
(p8)	br.cond.dptk.few 2b
	;;
	CHECK_VALUE r7, 1
	mov r8 = 0x40
	;;
	mov cr.tpr = r8
	;;
	srlz.d
	;;
	CHECK_VALUE r7, 2

	/* masked in ITV: discarded */
	movl r8 = 1 << 16 | 0x50
	mov r10 = ar.itc
	;;
	mov cr.itv = r8
	add r10 = 200, r10
	;;
	mov cr.itm = r10
	srlz.d
	;;
3:	mov r11 = ar.itc
	;;
	cmp.ltu p8, p9 = r11, r10
(p8)	br.cond.dptk.few 3b
	mov r8 = 0x50
	;;
	mov cr.itv = r8
	srlz.d
	;;
	nop.m 0
	CHECK_VALUE r7, 2
	HOOK 0
	PASS
handler:
	movl r18 = VEC_EXTERNAL
	mov r19 = cr.ivr
	;;
	cmp.ne p6, p7 = r16, r18
	;;
(p7)	cmp.ne p6, p0 = 0x50, r19
	;;
(p6)	mov r3 = 240
(p6)	br.cond.spnt.many bare_exit
	;;
	srlz.d
	;;
	mov cr.eoi = r0
	add r7 = 1, r7
	mov pr = r31, -1
	;;
	srlz.d
	;;
	rfi
	;;
