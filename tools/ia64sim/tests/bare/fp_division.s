/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The published sequences of frcpa and frsqrta with iterations.
 *
 * Rule fp (SDM 3 frcpa): division and square root come out as IEEE wants, in double precision
 * Rule fp (SDM 3 frcpa): division of 64-bit integers
 */
	.include "bare.inc"
	.include "fp.inc"

	.macro DIVIDE q, a, b
	frcpa.s0 f20, p8 = \a, \b
	;;
(p8)	fnma.s1 f21 = \b, f20, f1
	;;
(p8)	fma.s1 f20 = f20, f21, f20
(p8)	fma.s1 f21 = f21, f21, f0
	;;
(p8)	fma.s1 f20 = f20, f21, f20
(p8)	fma.s1 f21 = f21, f21, f0
	;;
(p8)	fma.s1 f20 = f20, f21, f20
	;;
(p8)	fma.d.s1 f22 = \a, f20, f0
	;;
(p8)	fnma.s1 f23 = \b, f22, \a
	;;
(p8)	fma.d.s0 f20 = f23, f20, f22
	;;
	fmerge.s \q = f20, f20
	;;
	.endm

	START
	FPSR FPSR_DEFAULT
	DOUBLE f6, 0x4024000000000000		/* 10 / 3 */
	DOUBLE f7, 0x4008000000000000
	DIVIDE f8, f6, f7
	getf.d r10 = f8
	;;
	CHECK_VALUE r10, 0x400aaaaaaaaaaaab
	CHECK_FLAGS 0x20
	DOUBLE f6, 0x0000000000000003		/* of denormals */
	DOUBLE f7, 0xc008000000000000
	DIVIDE f8, f6, f7
	getf.d r10 = f8
	;;
	CHECK_VALUE r10, 0x8000000000000001
	CHECK_FLAGS 0x22
	FPSR FPSR_DEFAULT
	DOUBLE f6, 0x3ff0000000000000
	DIVIDE f8, f6, f0
	getf.d r10 = f8
	;;
	CHECK_VALUE r10, 0x7ff0000000000000
	CHECK_FLAGS 4
	DIVIDE f8, f0, f0
	getf.d r10 = f8
	;;
	CHECK_VALUE r10, 0xfff8000000000000
	CHECK_FLAGS 5

	/* 2^64 - 1 by 10, unsigned, and the remainder by xma */
	mov r10 = -1
	mov r11 = 10
	mov r12 = -10
	;;
	setf.sig f6 = r10
	setf.sig f7 = r11
	setf.sig f16 = r12
	;;
	fcvt.xuf.s1 f8 = f6
	fcvt.xuf.s1 f9 = f7
	;;
	frcpa.s1 f10, p8 = f8, f9
	;;
(p8)	fma.s1 f11 = f8, f10, f0
(p8)	fnma.s1 f12 = f9, f10, f1
	;;
(p8)	fma.s1 f11 = f11, f12, f11
(p8)	fma.s1 f13 = f12, f12, f0
(p8)	fma.s1 f10 = f10, f12, f10
	;;
(p8)	fma.s1 f11 = f11, f13, f11
(p8)	fma.s1 f10 = f10, f13, f10
	;;
(p8)	fnma.s1 f14 = f9, f11, f8
	;;
(p8)	fma.s1 f10 = f14, f10, f11
	;;
	fcvt.fxu.trunc.s1 f10 = f10
	;;
	xma.l f11 = f10, f16, f6
	;;
	getf.sig r10 = f10
	getf.sig r11 = f11
	;;
	CHECK_VALUE r10, 0x1999999999999999
	CHECK_VALUE r11, 5
	PASS
