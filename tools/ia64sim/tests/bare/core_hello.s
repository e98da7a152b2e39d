/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The frame of the tests itself: checks, one expected interruption.
 *
 * Rule other (SDM 2:149): reset: physical mode, level 0, a frame of 96 registers, PSR.ic 0
 */
	.include "bare.inc"
	START
	mov r8 = 5
	;;
	CHECK_VALUE r8, 5
	EXPECT 1f
	break.i 0x1234
	UNREACHABLE
1:
	INTERRUPTED VEC_BREAK, 0
	LOAD_RECORD r9, RECORD_IIM
	CHECK_VALUE r9, 0x1234
	PASS
