/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Formats in memory: denormals, infinities and NaNs.
 *
 * Rule fp (SDM 1:86): loads of single, double, extended and integer numbers: table 5-2
 * Rule fp (SDM 1:86): stores and getf of them
 * Rule fp (SDM 1:86): setf
 */
	.include "bare.inc"
	.include "fp.inc"
	START
	movl r10 = data
	;;
	ldfs f6 = [r10], 4		/* the smallest denormal */
	;;
	ldfs f7 = [r10], 4		/* the largest, negative */
	;;
	ldfs f8 = [r10], 4		/* a signaling NaN */
	;;
	ldfs f9 = [r10], 4		/* -infinity */
	;;
	ldfd f10 = [r10], 8		/* the smallest denormal */
	;;
	ldfd f11 = [r10], 8		/* the largest normal */
	;;
	ldf8 f12 = [r10], 16
	;;
	ldfe f13 = [r10], 16		/* denormal */
	;;
	ldfe f14 = [r10], 16		/* an unnormal that no arithmetic makes */
	;;
	CHECK_FR f6, 0xff81, 0x10000000000
	CHECK_FR f7, 0x2ff81, 0x7fffff0000000000
	CHECK_FR f8, 0x1ffff, 0x8000010000000000
	CHECK_FR f9, 0x3ffff, 0x8000000000000000
	CHECK_FR f10, 0xfc01, 0x800
	CHECK_FR f11, 0x103fe, 0xfffffffffffff800
	CHECK_FR f12, 0x1003e, 0x123456789abcdef0
	CHECK_FR f13, 0x20000, 0x7000000000000001
	CHECK_FR f14, 0xd234, 0x1

	/* The same bits go back. */
	movl r11 = copy
	movl r12 = data
	;;
	stfs [r11] = f6, 4
	;;
	stfs [r11] = f7, 4
	;;
	stfs [r11] = f8, 4
	;;
	stfs [r11] = f9, 4
	;;
	stfd [r11] = f10, 8
	;;
	stfd [r11] = f11, 8
	;;
	stf8 [r11] = f12, 16
	;;
	stfe [r11] = f13, 16
	;;
	stfe [r11] = f14, 16
	mov r13 = 0
	;;
	movl r11 = copy
	;;
1:
	add r14 = r11, r13
	add r15 = r12, r13
	;;
	ld8 r16 = [r14]
	ld8 r17 = [r15]
	;;
	CHECK_EQ r16, r17
	add r13 = 8, r13
	;;
	cmp.ne p8, p9 = 80, r13
(p8)	br.cond.sptk.many 1b
	;;
	getf.s r16 = f7
	getf.d r17 = f11
	;;
	CHECK_VALUE r16, 0x807fffff
	CHECK_VALUE r17, 0x7fefffffffffffff

	/* A denormal becomes a number by arithmetic, here exactly. */
	fnorm.s0 f6 = f6
	;;
	CHECK_FR f6, 0xff6a, 0x8000000000000000
	CHECK_FPSR FPSR_DEFAULT | 2 << 13

	/* Spill and fill keep all 82 bits, NaTVal too. */
	REGISTER f16, 0x31234, 0x0fedcba987654321
	movl r11 = copy
	;;
	stf.spill [r11] = f16
	;;
	ldf.fill f18 = [r11]
	;;
	CHECK_FR f18, 0x31234, 0x0fedcba987654321
	PASS

	.data
	.align 16
data:
	data4 0x00000001, 0x807fffff, 0x7f800001, 0xff800000
	data8 0x0000000000000001, 0x7fefffffffffffff
	data8 0x123456789abcdef0, 0
	data8 0x7000000000000001, 0x8000
	data8 0x0000000000000001, 0x1234
copy:
	.skip 80
