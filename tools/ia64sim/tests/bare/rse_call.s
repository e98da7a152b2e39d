/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls.
 *
 * Rule rse (SDM 3:20): br.call renames the outputs to r32 and up, and makes a frame of them
 *   alone
 * Rule rse (SDM 1:48): br.call saves CFM, EC and the level in PFS; br.ret brings frame and EC
 *   back
 */
	.include "bare.inc"
	START
	alloc r10 = ar.pfs, 0, 10, 3, 8
	mov r40 = 40
	mov r41 = 41
	mov r42 = 42
	mov r44 = 44
	mov.i ar.ec = 21
	;;
	mov r43 = 43
	br.call.sptk.many b2 = 1f
	;;
after:
	/* The callee's r33 is this frame's r43. */
	CHECK_VALUE r43, 333
	CHECK_VALUE r40, 40
	CHECK_VALUE r44, 44
	mov.i r8 = ar.ec
	;;
	CHECK_VALUE r8, 21
	PASS

1:
	CHECK_VALUE r32, 42
	CHECK_VALUE r33, 43
	CHECK_VALUE r34, 44
	mov.i r8 = ar.pfs
	;;
	/* sof 13, sol 10, sor 1 * 8, EC 21 */
	CHECK_VALUE r8, 13 | 10 << 7 | 1 << 14 | 21 << 52
	mov r9 = b2
	movl r11 = after
	;;
	CHECK_EQ r9, r11
	mov.i ar.ec = 5
	/* r35 is outside of a frame of three. */
	EXPECT 2f
	mov r35 = 1
	UNREACHABLE
2:
	INTERRUPTED VEC_GENERAL, 0
	mov r33 = 333
	br.ret.sptk.many b2
