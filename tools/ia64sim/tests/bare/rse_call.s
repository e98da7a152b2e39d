/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rule: br.call renames the output registers to r32 and up, saves CFM, EC and
 * the privilege level in PFS, and makes a frame of the outputs alone; br.ret
 * brings the frame and EC back; b1 gets the address of the next bundle.
 * SDM 3:21, 1:48
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
