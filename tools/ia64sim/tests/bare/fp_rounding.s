/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Precision, range and rounding: what the instruction and what the FPSR say.
 *
 * Rule fp (SDM 1 5.2): rc: to nearest even, down, up, to zero; with flag I when inexact
 * Rule fp (SDM 1 5.2): .s and .d give 24 and 53 bits and the memory format's range
 * Rule fp (SDM 1 5.2): without .s or .d, pc 0, 2, 3 gives 24, 53, 64 bits, range
 *   double-extended
 * Rule fp (SDM 1 5.2): wre gives the register's 17-bit exponents whatever the precision
 * Rule fp (SDM 1 5.2): a multiply-add is rounded once
 * Rule fp (SDM 1 ch. 5): a sum of zero is +0, rounding down -0; of two zeros of one sign, that
 *   sign
 * Rule fp (SDM 1:106): a tiny result that is exact sets no flag; inexact, U and I
 * Rule fp (SDM 1 ch. 5): ftz makes a tiny result a zero of its sign, with U and I
 * Rule fp (SDM 1:104): overflow sets O and I: infinity, or the largest number, as rc says
 * Rule fp (SDM 1:88): an unnormal operand sets D and has its value; its result is normal
 * Rule fp (SDM 3 fma): the .s1 to .s3 of an instruction selects controls and flags
 */
	.include "bare.inc"
	.include "fp.inc"
	D = 2
	O = 8
	U = 16
	I = 32
	ONE = 0x8000000000000000

	/* sf0's controls: ftz, wre, pc, rc; traps off */
	.macro CONTROL ftz, wre, pc, rc
	FPSR (FPSR_DEFAULT & ~0xfff) | 0x3f | \ftz << 6 | \wre << 7 | \pc << 8 | \rc << 10
	.endm
	NEAREST = 0
	DOWN = 1
	UP = 2
	ZERO = 3

	.macro GIVES se, sig, flags, insn:vararg
	\insn
	;;
	CHECK_FR f6, \se, \sig
	CHECK_FLAGS \flags
	.endm

	START
	REGISTER f10, 0xffff - 63, ONE		/* 2^-63 */
	REGISTER f11, 0xffff - 64, ONE		/* 2^-64 */
	REGISTER f12, 0xffff - 65, ONE
	fneg f13 = f1
	;;
	/* 64 bits: 1 + 2^-64 is halfway, 1 + 2^-63 + 2^-64 halfway, too */
	CONTROL 0, 0, 3, NEAREST
	GIVES 0xffff, ONE, I, fadd f6 = f1, f11
	fadd f7 = f1, f10
	;;
	GIVES 0xffff, ONE | 2, I, fadd f6 = f7, f11
	CONTROL 0, 0, 3, NEAREST
	GIVES 0xffff, ONE | 1, 0, fadd f6 = f1, f10
	GIVES 0xffff, ONE | 1, I, fadd f6 = f7, f12
	CONTROL 0, 0, 3, DOWN
	GIVES 0xffff, ONE, I, fadd f6 = f1, f11
	GIVES 0x2ffff, ONE | 1, I, fsub f6 = f13, f11
	CONTROL 0, 0, 3, UP
	GIVES 0xffff, ONE | 1, I, fadd f6 = f1, f11
	GIVES 0x2ffff, ONE, I, fsub f6 = f13, f11
	CONTROL 0, 0, 3, ZERO
	GIVES 0xffff, ONE | 1, I, fadd f6 = f7, f11
	GIVES 0x2ffff, ONE, I, fsub f6 = f13, f11
	/* precisions: 1 + 2^-23, 2^-24, 2^-52, 2^-53, rounding up */
	REGISTER f8, 0xffff - 24, ONE
	REGISTER f9, 0xffff - 53, ONE
	CONTROL 0, 0, 3, UP
	GIVES 0xffff, ONE | 1 << 40, I, fadd.s f6 = f1, f8
	GIVES 0xffff, ONE | 1 << 11, I, fadd.d f6 = f1, f9
	CONTROL 0, 0, 3, UP
	GIVES 0xffff, ONE | 1 << 39, 0, fadd.d f6 = f1, f8
	GIVES 0xffff, ONE | 1 << 10, 0, fadd f6 = f1, f9
	CONTROL 0, 0, 0, UP
	GIVES 0xffff, ONE | 1 << 40, I, fadd f6 = f1, f8
	CONTROL 0, 0, 2, UP
	GIVES 0xffff, ONE | 1 << 39, 0, fadd f6 = f1, f8
	GIVES 0xffff, ONE | 1 << 11, I, fadd f6 = f1, f9
	/* ranges: 2^128 */
	REGISTER f8, 0xffff + 64, ONE
	CONTROL 0, 0, 3, NEAREST
	GIVES 0x1ffff, ONE, O | I, fmpy.s f6 = f8, f8
	CONTROL 0, 0, 3, NEAREST
	GIVES 0x1007f, ONE, 0, fmpy.d f6 = f8, f8
	/* pc 0 or 2 without wre: the double-extended range; 2^16384 is beyond it */
	REGISTER f9, 0xffff + 8192, ONE
	.irp pc, 0, 2, 3
	CONTROL 0, 0, \pc, NEAREST
	GIVES 0x1007f, ONE, 0, fmpy f6 = f8, f8
	GIVES 0x1ffff, ONE, O | I, fmpy f6 = f9, f9
	CONTROL 0, 1, \pc, NEAREST
	GIVES 0x13fff, ONE, 0, fmpy f6 = f9, f9
	.endr
	CONTROL 0, 1, 3, NEAREST
	GIVES 0x1007f, ONE, 0, fmpy.s f6 = f8, f8
	/* overflow by rounding mode, either sign */
	fneg f7 = f8
	;;
	CONTROL 0, 0, 3, ZERO
	GIVES 0x1007e, 0xffffff0000000000, O | I, fmpy.s f6 = f8, f8
	CONTROL 0, 0, 3, DOWN
	GIVES 0x1007e, 0xffffff0000000000, O | I, fmpy.s f6 = f8, f8
	GIVES 0x3ffff, ONE, O | I, fmpy.s f6 = f8, f7
	CONTROL 0, 0, 3, UP
	GIVES 0x1ffff, ONE, O | I, fmpy.s f6 = f8, f8
	GIVES 0x3007e, 0xffffff0000000000, O | I, fmpy.s f6 = f8, f7
	/* one rounding: (1 + 2^-63)^2 - 1 - 2^-62 = 2^-126 */
	CONTROL 0, 0, 3, NEAREST
	fadd f7 = f1, f10
	;;
	fadd f8 = f7, f10
	;;
	CONTROL 0, 0, 3, NEAREST
	GIVES 0xffff - 126, ONE, 0, fms f6 = f7, f7, f8
	/* zeros */
	fneg f9 = f0
	;;
	.irp rc, NEAREST, UP, ZERO
	CONTROL 0, 0, 3, \rc
	GIVES 0, 0, 0, fsub f6 = f1, f1
	GIVES 0, 0, 0, fadd f6 = f0, f9
	GIVES 0x20000, 0, 0, fadd f6 = f9, f9
	GIVES 0, 0, 0, fadd f6 = f0, f0
	.endr
	CONTROL 0, 0, 3, DOWN
	GIVES 0x20000, 0, 0, fsub f6 = f1, f1
	GIVES 0x20000, 0, 0, fadd f6 = f0, f9
	GIVES 0, 0, 0, fadd f6 = f0, f0
	/* tiny: 2^-127 as a single is exact, 2^-126 - 2^-151 is not */
	REGISTER f8, 0xffff - 64, ONE
	REGISTER f9, 0xffff - 63, ONE
	CONTROL 0, 0, 3, NEAREST
	GIVES 0xffff - 126, ONE >> 1, 0, fmpy.s f6 = f8, f9
	REGISTER f7, 0xffff - 63, ONE | 1 << 40
	CONTROL 0, 0, 3, ZERO
	GIVES 0xffff - 126, ONE >> 1, U | I, fmpy.s f6 = f8, f7
	CONTROL 1, 0, 3, NEAREST
	GIVES 0, 0, U | I, fmpy.s f6 = f8, f9
	fneg f7 = f8
	;;
	GIVES 0x20000, 0, U | I, fmpy.s f6 = f7, f9
	/* ftz is about results */
	CONTROL 1, 0, 3, NEAREST
	REGISTER f7, 0xffff - 126, ONE >> 1
	GIVES 0xffff - 127, ONE, D, fnorm.d f6 = f7
	/* unnormal: 1 as 2 * 0.5 */
	REGISTER f7, 0x10000, ONE >> 1
	CONTROL 0, 0, 3, NEAREST
	GIVES 0xffff, ONE, D, fnorm f6 = f7
	CONTROL 0, 0, 3, NEAREST
	GIVES 0x10000, ONE, D, fma f6 = f7, f1, f1
	CONTROL 0, 0, 3, NEAREST
	GIVES 0x10000, ONE, D, fma f6 = f1, f1, f7
	/* status fields: sf2 with 24 bits, rounding up; the flags are its own */
	SF2 = 2 << 4
	FPSR (FPSR_DEFAULT & ~(0x1fff << 32)) | SF2 << 32
	fadd.s2 f6 = f1, f10
	;;
	CHECK_FR f6, 0xffff, ONE | 1 << 40
	CHECK_FPSR (FPSR_DEFAULT & ~(0x1fff << 32)) | (SF2 | I << 7) << 32
	fadd.s3 f6 = f1, f11
	;;
	CHECK_FR f6, 0xffff, ONE
	CHECK_FPSR (FPSR_DEFAULT & ~(0x1fff << 32)) | (SF2 | I << 7) << 32 | I << 52
	FPSR FPSR_DEFAULT
	PASS
