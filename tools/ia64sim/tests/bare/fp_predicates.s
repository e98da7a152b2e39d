/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Predicates of fcmp, fclass and the approximations.
 *
 * Rule fp (SDM 3 fcmp): fcmp and fclass write two predicates; with .unc a false predicate
 *   clears both
 * Rule fp (SDM 3 frcpa): frcpa and frsqrta clear theirs when the result is final
 * Rule fp (SDM 3 fcmp): a NaN compares unordered; it is invalid for lt and le, not for eq and
 *   unord
 */
	.include "bare.inc"
	.include "fp.inc"
	START
	DOUBLE f6, 0x3ff8000000000000		/* 1.5 */
	DOUBLE f7, 0x7ff8000000000000		/* quiet NaN */
	DOUBLE f8, 0x8000000000000000		/* -0 */
	cmp.eq p8, p9 = r0, r0
	;;
	FPSR FPSR_DEFAULT
	fcmp.lt.s0 p10, p11 = f1, f6
	fcmp.eq.s0 p12, p13 = f0, f8
	;;
	CHECK_PREDICATE p10
	CHECK_NOT p11
	CHECK_PREDICATE p12
	CHECK_NOT p13
	fcmp.le.s0 p10, p11 = f6, f1
	fcmp.eq.s0 p12, p13 = f7, f7
	;;
	CHECK_NOT p10
	CHECK_PREDICATE p11
	CHECK_NOT p12
	CHECK_PREDICATE p13
	CHECK_FPSR FPSR_DEFAULT
	fcmp.unord.s0 p10, p11 = f7, f1
	;;
	CHECK_PREDICATE p10
	CHECK_FPSR FPSR_DEFAULT
	fcmp.le.s0 p10, p11 = f7, f1
	;;
	CHECK_NOT p10
	CHECK_PREDICATE p11
	CHECK_FPSR FPSR_DEFAULT | 1 << 13
	/* p11 is 1 */
(p9)	fcmp.eq.s0 p10, p11 = f1, f1
	;;
	CHECK_NOT p10
	CHECK_PREDICATE p11
(p9)	fcmp.eq.unc.s0 p10, p11 = f1, f1
	;;
	CHECK_NOT p10
	CHECK_NOT p11
	fclass.m p10, p11 = f8, @neg|@zero
	;;
	CHECK_PREDICATE p10
	CHECK_NOT p11
(p9)	fclass.m p10, p11 = f8, @pos|@zero
	;;
	CHECK_PREDICATE p10
(p9)	fclass.m.unc p10, p11 = f8, @neg|@zero
	;;
	CHECK_NOT p10
	CHECK_NOT p11
	fma.s0 f9 = f1, f1, f1
	cmp.eq p10, p11 = r0, r0
	;;
(p9)	frcpa.s0 f9, p10 = f1, f6
	;;
	CHECK_NOT p10
	CHECK_FR f9, 0x10000, 0x8000000000000000
	frcpa.s0 f9, p10 = f1, f6
	frsqrta.s0 f10, p11 = f6
	;;
	CHECK_PREDICATE p10
	CHECK_PREDICATE p11
	CHECK_FR f9, 0xfffe, 0xaa80000000000000
	frcpa.s0 f9, p10 = f1, f0
	frsqrta.s0 f10, p11 = f8
	;;
	CHECK_NOT p10
	CHECK_NOT p11
	CHECK_FR f9, 0x1ffff, 0x8000000000000000
	CHECK_FR f10, 0x20000, 0
	CHECK_FPSR FPSR_DEFAULT | 5 << 13
	PASS
