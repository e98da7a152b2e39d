/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Floating-point traps.
 *
 * Rule fp (SDM 1:104): an enabled O, U or I trap comes behind the instruction, result and flags
 *   are written
 * Rule fp (SDM 1:104): the result of O and U has the true exponent, modulo its range
 * Rule fp (SDM 2 ch. 8 Floating-point Trap): ISR.code: O 11, U 12, I 13, fpa 14, of the low
 *   half 7 to 10; fp in bit 0
 */
	.include "bare.inc"
	.include "fp.inc"
	START
	DOUBLE f6, 0x7fe0000000000000		/* 2^1023 */
	DOUBLE f7, 0x0010000000000000		/* 2^-1022 */
	DOUBLE f8, 0x3fd5555555555555		/* 1/3 */
	FPSR FPSR_DEFAULT & ~8			/* overflow */
	EXPECT 1f
	fma.d.s0 f9 = f6, f6, f0
	UNREACHABLE
1:
	INTERRUPTED VEC_FP_TRAP, 1 << 11 | 1
	CHECK_FR f9, 0x107fd, 0x8000000000000000
	CHECK_FPSR (FPSR_DEFAULT & ~8) | 8 << 13
	FPSR FPSR_DEFAULT & ~16			/* underflow, though exact */
	EXPECT 2f
	fma.d.s0 f9 = f7, f7, f0
	UNREACHABLE
2:
	INTERRUPTED VEC_FP_TRAP, 1 << 12 | 1
	CHECK_FR f9, 0xf803, 0x8000000000000000
	CHECK_FPSR (FPSR_DEFAULT & ~16) | 16 << 13
	FPSR FPSR_DEFAULT & ~32			/* inexact, rounded up */
	EXPECT 3f
	fma.s.s0 f9 = f8, f1, f0
	UNREACHABLE
3:
	INTERRUPTED VEC_FP_TRAP, 1 << 13 | 1 << 14 | 1
	CHECK_FR f9, 0xfffd, 0xaaaaab0000000000
	CHECK_FPSR (FPSR_DEFAULT & ~32) | 32 << 13

	/* Masked: infinity, denormal; wide: neither. */
	FPSR FPSR_DEFAULT
	fma.d.s0 f9 = f6, f6, f0
	fma.d.s0 f10 = f7, f8, f0
	;;
	CHECK_FR f9, 0x1ffff, 0x8000000000000000
	CHECK_FR f10, 0xfc01, 0x2aaaaaaaaaaaa800
	CHECK_FPSR FPSR_DEFAULT | 0x38 << 13
	fma.d.s1 f9 = f6, f6, f0
	fma.d.s1 f10 = f7, f7, f0
	;;
	CHECK_FR f9, 0x107fd, 0x8000000000000000
	CHECK_FR f10, 0xf803, 0x8000000000000000
	CHECK_FPSR FPSR_DEFAULT | 0x38 << 13

	/* Flushed to zero. */
	FPSR FPSR_DEFAULT | 1 << 6
	fnma.d.s0 f10 = f7, f8, f0
	;;
	CHECK_FR f10, 0x20000, 0
	CHECK_FPSR FPSR_DEFAULT | 1 << 6 | 0x30 << 13

	/* Halves: 2^127 over 1/3; exponents are cut to 8 bits. */
	FPSR FPSR_DEFAULT & ~8
	REGISTER f9, 0x1003e, 0x7f0000003f800000
	REGISTER f10, 0x1003e, 0x3f8000007f000000
	EXPECT 4f
	fpma.s0 f11 = f9, f9, f0
	UNREACHABLE
4:
	INTERRUPTED VEC_FP_TRAP, 1 << 11 | 1
	CHECK_FR f11, 0x1003e, 0x3e8000003f800000
	EXPECT 5f
	fpma.s0 f11 = f10, f10, f0
	UNREACHABLE
5:
	INTERRUPTED VEC_FP_TRAP, 1 << 7 | 1

	/* The trap comes before the next instruction, of the next bundle or not. */
	FPSR FPSR_DEFAULT & ~32
	EXPECT 6f
	mov r10 = 0
	;;
	{ .mfi
	nop.m 0
	fma.s.s0 f9 = f8, f1, f0
	mov r10 = 2
	}
	UNREACHABLE
6:
	CHECK_VALUE r10, 0
	LOAD_RECORD r11, RECORD_IPSR
	extr.u r11 = r11, 41, 2
	;;
	CHECK_VALUE r11, 2
	LOAD_RECORD r11, RECORD_ISR
	extr.u r11 = r11, 41, 2
	;;
	CHECK_VALUE r11, 1
	LOAD_RECORD r11, RECORD_IIP
	LOAD_RECORD r12, RECORD_IIPA
	CHECK_EQ r11, r12
	EXPECT 7f
	{ .mmf
	nop.m 0
	nop.m 0
	fma.s.s0 f9 = f8, f1, f0
	}
	{ .mfi
	mov r10 = 2
	}
	UNREACHABLE
7:
	CHECK_VALUE r10, 0
	LOAD_RECORD r11, RECORD_IPSR
	extr.u r11 = r11, 41, 2
	;;
	CHECK_VALUE r11, 0
	LOAD_RECORD r11, RECORD_IIP
	LOAD_RECORD r12, RECORD_IIPA
	add r12 = 16, r12
	;;
	CHECK_EQ r11, r12
	PASS
