/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Floating-point faults.
 *
 * Rule fp (SDM 1 5.4.1): an enabled V, D or Z fault leaves target and FPSR alone and comes at
 *   the instruction
 * Rule fp (SDM 2 ch. 8 Floating-point Fault): ISR.code names the fault: high half or scalar in
 *   bits 3:0, low half in 7:4
 * Rule fp (SDM 1 5.4.1): V comes before D, NaNs before D
 * Rule fp (SDM 1 5.2): td disables the traps of its status field
 */
	.include "bare.inc"
	.include "fp.inc"
	START
	DOUBLE f6, 0x7ff0000000000001		/* signaling */
	DOUBLE f7, 0x1				/* denormal */
	DOUBLE f8, 0x7ff0000000000000		/* infinity */
	DOUBLE f9, 0x4045000000000000		/* 42.0 */
	FPSR FPSR_DEFAULT & ~0x3f

	EXPECT 1f
	fma.d.s0 f9 = f6, f1, f0
	UNREACHABLE
1:
	INTERRUPTED VEC_FP_FAULT, 1
	CHECK_FR f9, 0x10004, 0xa800000000000000
	CHECK_FPSR FPSR_DEFAULT & ~0x3f
	EXPECT 2f
	fma.d.s0 f9 = f8, f0, f1		/* infinity by zero */
	UNREACHABLE
2:
	INTERRUPTED VEC_FP_FAULT, 1
	EXPECT 3f
	fma.d.s0 f9 = f7, f1, f0
	UNREACHABLE
3:
	INTERRUPTED VEC_FP_FAULT, 2
	EXPECT 4f
	fma.d.s0 f9 = f7, f6, f0		/* both: the NaN */
	UNREACHABLE
4:
	INTERRUPTED VEC_FP_FAULT, 1
	cmp.ne p8, p9 = r0, r0
	;;
	EXPECT 5f
	frcpa.s0 f9, p9 = f1, f0
	UNREACHABLE
5:
	INTERRUPTED VEC_FP_FAULT, 4
	CHECK_PREDICATE p9
	EXPECT 6f
	fcmp.lt.s0 p8, p9 = f6, f1
	UNREACHABLE
6:
	INTERRUPTED VEC_FP_FAULT, 1
	CHECK_PREDICATE p9
	EXPECT 7f
	fcvt.fx.s0 f9 = f8
	UNREACHABLE
7:
	INTERRUPTED VEC_FP_FAULT, 1
	EXPECT 8f
	frsqrta.s0 f9, p9 = f7
	UNREACHABLE
8:
	INTERRUPTED VEC_FP_FAULT, 2
	CHECK_FR f9, 0x10004, 0xa800000000000000
	CHECK_FPSR FPSR_DEFAULT & ~0x3f

	/* sf1 has td. */
	fma.s1 f10 = f6, f1, f0
	;;
	CHECK_FR f10, 0x1ffff, 0xc000000000000800
	CHECK_FPSR (FPSR_DEFAULT & ~0x3f) | 1 << 26

	/* Halves: 1.0 over a signaling NaN, and the other way round. */
	FPSR FPSR_DEFAULT & ~0x3f
	REGISTER f10, 0x1003e, 0x3f8000007f800001
	REGISTER f11, 0x1003e, 0x7f8000013f800000
	REGISTER f12, 0x1003e, 0x000000013f800000
	EXPECT 9f
	fpmax.s0 f9 = f10, f10
	UNREACHABLE
9:
	INTERRUPTED VEC_FP_FAULT, 0x10
	EXPECT 10f
	fpmax.s0 f9 = f11, f11
	UNREACHABLE
10:
	INTERRUPTED VEC_FP_FAULT, 1
	EXPECT 11f
	fpmin.s0 f9 = f12, f10			/* denormal, NaN */
	UNREACHABLE
11:
	INTERRUPTED VEC_FP_FAULT, 0x12
	LOAD_RECORD r10, RECORD_IIP
	movl r11 = 10b - 16
	;;
	cmp.ltu p8, p9 = r10, r11		/* in the bundles before 11 */
	movl r11 = 11b
	;;
	cmp.ltu p10, p11 = r10, r11
	;;
	CHECK_NOT p8
	CHECK_PREDICATE p10
	PASS
