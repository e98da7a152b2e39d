/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All the way round.
 *
 * Rule other (SDM 1:75): as many rotations as a region has registers bring everything back
 */
	.include "bare.inc"
	START
	alloc r10 = ar.pfs, 0, 40, 0, 16
	mov r32 = 100
	mov r37 = 105
	mov r47 = 115
	mov r48 = 116
	;;
	setf.sig f40 = r37
	setf.sig f100 = r47
	mov.i ar.lc = 94
	mov.i ar.ec = 1
	mov r9 = 0
	;;
	/* 94 counted and one epilogue rotation, and one more by hand */
1:	add r9 = 1, r9
	br.ctop.sptk.few 1b
	;;
	CHECK_VALUE r9, 95
	CHECK_VALUE r36, 105			/* one short of home */
	mov.i ar.lc = 0
	mov.i ar.ec = 1
	;;
	br.ctop.sptk.few 2f
	;;
2:
	CHECK_VALUE r32, 100
	CHECK_VALUE r37, 105
	CHECK_VALUE r47, 115
	CHECK_VALUE r48, 116
	getf.sig r8 = f40
	getf.sig r9 = f100
	;;
	CHECK_VALUE r8, 105
	CHECK_VALUE r9, 115
	PASS
