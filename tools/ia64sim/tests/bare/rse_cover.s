/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cover and IFS.
 *
 * Rule rse (SDM 3:57): cover makes the whole frame dirty and CFM 0
 * Rule rse (SDM 3:57): cover saves CFM in IFS with IFS.v while PSR.ic is 0 only
 * Rule rse (SDM 2:146): an interruption clears IFS.v; rfi with v 0 leaves the frame alone
 */
	.include "bare.inc"
	START
	alloc r10 = ar.pfs, 0, 7, 2, 0
	;;
	mov r8 = ar.bsp
	rsm 1 << 13
	;;
	srlz.d
	mov cr.ifs = r0
	;;
	ssm 1 << 13
	;;
	srlz.i
	cover
	;;
	mov r9 = ar.bsp
	;;
	sub r9 = r9, r8
	;;
	CHECK_VALUE r9, 72
	rsm 1 << 13
	;;
	srlz.d
	mov r11 = cr.ifs
	;;
	CHECK_VALUE r11, 0
	alloc r10 = ar.pfs, 0, 5, 1, 0
	;;
	cover
	;;
	mov r11 = cr.ifs
	;;
	CHECK_VALUE r11, 1 << 63 | 6 | 5 << 7
	ssm 1 << 13
	;;
	srlz.i
	;;
	EXPECT 1f
	break.m 0
	UNREACHABLE
1:
	INTERRUPTED VEC_BREAK, 0
	LOAD_RECORD r11, RECORD_IFS
	shr.u r11 = r11, 63
	;;
	CHECK_VALUE r11, 0
	PASS
