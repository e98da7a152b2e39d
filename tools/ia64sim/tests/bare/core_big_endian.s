/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Data with PSR.be 1.
 *
 * Rule other (SDM 1:32): PSR.be 1 makes integers and semaphores big-endian
 * Rule other (SDM 1:96): PSR.be 1: floating-point numbers; extended and spilled ones as one, a
 *   pair's halves each
 * Rule other (SDM 1:32): instructions are little-endian whatever PSR.be is
 */
	.include "bare.inc"
	START
	movl r8 = bare_data
	movl r9 = 0x0102030405060708
	movl r15 = 0x1112131415161718
	;;
	add r16 = 8, r8
	st8 [r8] = r9
	;;
	st8 [r16] = r15
	sum 1 << 1
	;;
	ld8 r10 = [r8]
	ld4 r11 = [r8]
	ld2 r12 = [r8]
	ld1 r13 = [r8]
	;;
	rum 1 << 1
	;;
	CHECK_VALUE r10, 0x0807060504030201
	CHECK_VALUE r11, 0x08070605
	CHECK_VALUE r12, 0x0807
	CHECK_VALUE r13, 0x08
	movl r20 = 0xaabbccdd
	sum 1 << 1
	;;
	st4 [r8] = r20
	;;
	xchg2 r21 = [r8], r0
	;;
	rum 1 << 1
	;;
	CHECK_VALUE r21, 0xaabb
	ld8 r10 = [r8]
	;;
	CHECK_VALUE r10, 0x01020304ddcc0000
	st8 [r8] = r9

	/* single, double and a pair of them */
	movl r20 = 0x3ff8000000000000		/* 1.5 */
	movl r21 = 0xc004000000000000		/* -2.5 */
	sum 1 << 1
	;;
	st8 [r8] = r20
	;;
	st8 [r16] = r21
	;;
	ldfd f10 = [r8]
	;;
	ldfpd f12, f13 = [r8]
	;;
	rum 1 << 1
	getf.d r22 = f10
	getf.d r23 = f12
	getf.d r24 = f13
	;;
	CHECK_EQ r22, r20
	CHECK_EQ r23, r20
	CHECK_EQ r24, r21
	sum 1 << 1
	;;
	stfs [r8] = f13
	;;
	rum 1 << 1
	;;
	ld4 r22 = [r8]
	;;
	CHECK_VALUE r22, 0x000020c0

	/* extended: the sign first */
	sum 1 << 1
	;;
	stfe [r8] = f13
	;;
	rum 1 << 1
	;;
	ld2 r22 = [r8]
	add r25 = 2, r8
	;;
	CHECK_VALUE r22, 0x00c0
	ld1 r22 = [r25]
	;;
	CHECK_VALUE r22, 0xa0
	sum 1 << 1
	;;
	ldfe f14 = [r8]
	stf.spill [r8] = f13
	;;
	ldf.fill f15 = [r8]
	;;
	rum 1 << 1
	getf.d r22 = f14
	getf.d r23 = f15
	;;
	ld8 r24 = [r8]
	;;
	CHECK_EQ r22, r21
	CHECK_EQ r23, r21
	/* the exponent and sign are in the first half's last three bytes */
	CHECK_VALUE r24, 0x0000030000000000
	PASS
