/* SPDX-License-Identifier: GPL-2.0 */
/*
 * NaNs as operands and as results, of instructions with floating-point results.
 *
 * Rule fp (SDM 1:88): a quiet NaN goes through arithmetic with its payload and no flag
 * Rule fp (SDM 1:88): a signaling NaN sets flag V and goes on quieted
 * Rule fp (SDM 1 ch. 5): of several NaN operands the result is f4's, or else f2's, or else f3's
 * Rule fp (SDM 1:88): Inf - Inf, 0 * Inf, 0 / 0 and the root of -1 set V, result the indefinite
 *   NaN
 * Rule fp (SDM 1:88): an unsupported encoding sets V, result the indefinite NaN
 * Rule fp (SDM 3 fmax): minimum and maximum of a NaN set V, result the second operand
 * Rule fp (SDM 3 fcvt.fx): fcvt.fx of NaN, infinity or too large a number sets V, result 1 <<
 *   63
 * Rule fp (SDM 3 fmerge): fmerge, fabs and fneg of a NaN change its sign at most, without flags
 * Rule fp (SDM 1:88): a pseudo-zero times infinity is infinity, not invalid; it is unnormal in
 *   classes
 */
	.include "bare.inc"
	.include "fp.inc"
	QUIET = 0xc000000000000000
	V = 1

	.macro CLEAR
	FPSR FPSR_DEFAULT
	.endm

	.macro INDEFINITE insn:vararg
	CLEAR
	\insn
	;;
	CHECK_FR f6, 0x3ffff, QUIET
	CHECK_FLAGS V
	.endm

	START
	REGISTER f10, 0x1ffff, QUIET | 0x10	/* quiet */
	REGISTER f11, 0x3ffff, QUIET | 0x11
	REGISTER f12, 0x1ffff, QUIET | 0x12
	REGISTER f13, 0x1ffff, 0x8000000000000013	/* signaling */
	REGISTER f14, 0x1ffff, 0x8000000000000000	/* infinity */
	CLEAR
	.macro QUIETLY number, sign, insn:vararg
	\insn
	;;
	CHECK_FR f6, (\sign) << 17 | 0x1ffff, QUIET | \number
	CHECK_FLAGS 0
	.endm
	QUIETLY 0x10, 0, fma f6 = f10, f1, f1
	QUIETLY 0x10, 0, fma f6 = f1, f10, f1
	QUIETLY 0x10, 0, fma f6 = f1, f1, f10
	QUIETLY 0x11, 1, fms f6 = f1, f1, f11
	QUIETLY 0x11, 1, fnma f6 = f11, f1, f1
	QUIETLY 0x11, 1, fnorm.s f6 = f11
	QUIETLY 0x10, 0, fadd f6 = f14, f10
	/* fma f1 = f3, f4, f2 */
	QUIETLY 0x11, 1, fma f6 = f10, f11, f12
	QUIETLY 0x12, 0, fma f6 = f10, f1, f12
	QUIETLY 0x11, 1, fma f6 = f1, f11, f12
	QUIETLY 0x10, 0, fma f6 = f10, f1, f1
	/* f2 / f3: f2's */
	QUIETLY 0x10, 0, frcpa f6, p8 = f10, f11
	QUIETLY 0x11, 1, frcpa f6, p8 = f1, f11
	QUIETLY 0x11, 1, frsqrta f6, p8 = f11

	.macro SIGNALS insn:vararg
	CLEAR
	\insn
	;;
	CHECK_FR f6, 0x1ffff, QUIET | 0x13
	CHECK_FLAGS V
	.endm
	SIGNALS fma f6 = f13, f1, f1
	SIGNALS fma f6 = f1, f13, f1
	SIGNALS fma f6 = f1, f1, f13
	SIGNALS fnorm f6 = f13
	SIGNALS fma.d f6 = f10, f13, f12
	SIGNALS frcpa f6, p8 = f13, f1
	SIGNALS frsqrta f6, p8 = f13
	/* signaling, but another one goes on */
	CLEAR
	fma f6 = f13, f10, f1
	;;
	CHECK_FR f6, 0x1ffff, QUIET | 0x10
	CHECK_FLAGS V

	INDEFINITE fsub f6 = f14, f14
	INDEFINITE fmpy f6 = f0, f14
	INDEFINITE fma f6 = f14, f0, f1
	INDEFINITE fnma f6 = f14, f1, f14
	INDEFINITE frcpa f6, p8 = f0, f0
	INDEFINITE frcpa f6, p8 = f14, f14
	fneg f7 = f1
	;;
	INDEFINITE frsqrta f6, p8 = f7
	fneg f7 = f14
	;;
	INDEFINITE frsqrta f6, p8 = f7
	/* pseudo-NaN and pseudo-infinity */
	REGISTER f7, 0x1ffff, 0x4000000000000000
	INDEFINITE fnorm f6 = f7
	INDEFINITE fma f6 = f7, f10, f10
	REGISTER f7, 0x3ffff, 0
	INDEFINITE fma f6 = f1, f1, f7

	/* a pseudo-zero is no zero here */
	REGISTER f7, 0x30000, 0
	CLEAR
	fmpy f6 = f7, f14
	;;
	CHECK_FR f6, 0x3ffff, 0x8000000000000000
	mov r8 = ar.fpsr
	;;
	extr.u r8 = r8, 13, 1			/* V */
	;;
	CHECK_VALUE r8, 0
	fclass.m p8, p9 = f7, @zero
	fclass.m p10, p11 = f7, @unorm
	;;
	CHECK_NOT p8
	CHECK_PREDICATE p10
	fadd f6 = f7, f1
	;;
	CHECK_FR f6, 0xffff, 0x8000000000000000

	/* minimum and maximum: the second operand as it is */
	.macro SECOND a, b, insn
	CLEAR
	\insn f6 = \a, \b
	;;
	fcmp.eq p8, p9 = f0, f0
	getf.sig r10 = f6
	getf.sig r11 = \b
	;;
	CHECK_EQ r10, r11
	getf.exp r10 = f6
	getf.exp r11 = \b
	;;
	CHECK_EQ r10, r11
	CHECK_FLAGS V
	.endm
	.irp insn, fmin, fmax, famin, famax
	SECOND f10, f1, \insn
	SECOND f1, f10, \insn
	SECOND f10, f11, \insn
	SECOND f13, f1, \insn
	SECOND f1, f13, \insn
	.endr

	/* no integer */
	.macro NO_INTEGER source
	.irp insn, fcvt.fx, fcvt.fxu, fcvt.fx.trunc, fcvt.fxu.trunc
	CLEAR
	\insn f6 = \source
	;;
	CHECK_FR f6, 0x1003e, 1 << 63
	CHECK_FLAGS V
	.endr
	.endm
	NO_INTEGER f10
	NO_INTEGER f13
	NO_INTEGER f14
	REGISTER f7, 0x1003f, 1 << 63		/* 2^64 */
	NO_INTEGER f7
	/* 2^63 is one unsigned, -2^63 signed */
	CLEAR
	REGISTER f7, 0x1003e, 1 << 63
	fcvt.fxu f6 = f7
	;;
	CHECK_FR f6, 0x1003e, 1 << 63
	CHECK_FLAGS 0
	fneg f7 = f7
	;;
	fcvt.fx f6 = f7
	;;
	CHECK_FR f6, 0x1003e, 1 << 63
	CHECK_FLAGS 0
	fcvt.fxu f6 = f7
	;;
	CHECK_FLAGS V

	/* signs */
	CLEAR
	fneg f6 = f13
	;;
	CHECK_FR f6, 0x3ffff, 0x8000000000000013
	fabs f6 = f11
	;;
	CHECK_FR f6, 0x1ffff, QUIET | 0x11
	fmerge.s f6 = f11, f13
	;;
	CHECK_FR f6, 0x3ffff, 0x8000000000000013
	fmerge.ns f6 = f11, f13
	;;
	CHECK_FR f6, 0x1ffff, 0x8000000000000013
	CHECK_FLAGS 0
	PASS
