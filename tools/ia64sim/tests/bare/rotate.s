/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rotation.
 *
 * Rule other (SDM 1:75): a rotation renames r32 up to the region's size, f32-f127, p16-p63; the
 *   last becomes the first
 * Rule rse (SDM 3:20): br.call begins with rename bases 0, br.ret restores them
 * Rule other (SDM 1:83): mov pr sees the predicates as if rrb.pr were 0
 * Rule other (SDM 3:51): clrrrb makes the bases 0, clrrrb.pr that of the predicates alone
 */
	.include "bare.inc"
	START
	alloc r10 = ar.pfs, 0, 16, 2, 8
	mov r32 = 32
	mov r38 = 38
	mov r39 = 39
	mov r40 = 40				/* does not rotate */
	;;
	setf.sig f32 = r32
	setf.sig f127 = r39
	mov pr.rot = 1 << 16 | 1 << 20
	mov.i ar.lc = 1
	mov.i ar.ec = 1
	;;
	br.ctop.sptk.few 1f
	;;
1:
	CHECK_VALUE r33, 32
	CHECK_VALUE r39, 38
	CHECK_VALUE r32, 39
	CHECK_VALUE r40, 40
	getf.sig r8 = f33
	getf.sig r9 = f32
	;;
	CHECK_VALUE r8, 32
	CHECK_VALUE r9, 39
	/* p63 was set to 1 by ctop (LC was not 0) and is p16 now. */
	CHECK_PREDICATE p16
	CHECK_PREDICATE p17
	CHECK_PREDICATE p21
	CHECK_NOT p18
	CHECK_NOT p20
	/* As if not rotated: bits 16 and 20 as written, 63 from ctop. */
	mov r8 = pr
	movl r9 = 0xffffffffffff0000
	;;
	and r8 = r8, r9
	;;
	CHECK_VALUE r8, 1 << 63 | 1 << 16 | 1 << 20

	mov r48 = 48				/* first output */
	br.call.sptk.many b1 = callee
	;;
	CHECK_PREDICATE p17
	CHECK_VALUE r33, 32
	CHECK_VALUE r48, 149
	getf.sig r8 = f33
	;;
	CHECK_VALUE r8, 32

	clrrrb.pr
	;;
	CHECK_PREDICATE p63
	CHECK_PREDICATE p20
	CHECK_NOT p17
	CHECK_VALUE r33, 32
	clrrrb
	;;
	CHECK_VALUE r32, 32
	CHECK_VALUE r39, 39
	getf.sig r8 = f32
	;;
	CHECK_VALUE r8, 32
	PASS
callee:
	CHECK_VALUE r32, 48
	CHECK_PREDICATE p16
	CHECK_PREDICATE p20
	CHECK_PREDICATE p63
	CHECK_NOT p17
	getf.sig r8 = f32
	;;
	CHECK_VALUE r8, 32
	/* Written while not rotated, seen by the caller. */
	movl r9 = 1 << 63 | 1 << 16 | 1 << 20
	;;
	mov pr = r9, 0x10000
	mov r32 = 149
	br.ret.sptk.many b1
	;;
