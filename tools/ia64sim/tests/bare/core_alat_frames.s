/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ALAT knows registers, not their names of the moment.
 *
 * Rule alat (SDM 2:146): an entry made before a call is there after the return
 * Rule alat (SDM 2:146): an entry made before a call is not the callee's register of the same
 *   name
 * Rule alat (SDM 2:146): an entry follows its register when registers rotate
 */
	.include "bare.inc"
	START
	alloc r10 = ar.pfs, 0, 16, 4, 8
	movl r8 = bare_data
	;;
	ld8.a r41 = [r8]
	;;
	br.call.sptk.many b1 = callee
	;;
	chk.a.nc r41, wrong
	;;
	/* Rotating: r33 becomes r34. */
	ld8.a r33 = [r8]
	mov.i ar.lc = 1
	mov.i ar.ec = 1
	;;
	br.ctop.sptk.few 1f
	;;
1:
	chk.a.nc r34, wrong
	;;
	chk.a.nc r33, 2f
	;;
wrong:
	UNREACHABLE
2:
	clrrrb
	;;
	/* An output is the callee's. */
	ld8.a r48 = [r8]
	;;
	br.call.sptk.many b1 = callee2
	;;
	PASS
callee:
	alloc r32 = ar.pfs, 4, 20, 0, 0
	;;
	chk.a.nc r41, 1f
	;;
	UNREACHABLE
1:	ld8.a r50 = [r8]
	br.ret.sptk.many b1
	;;
callee2:
	alloc r33 = ar.pfs, 4, 20, 0, 0
	;;
	chk.a.nc r32, wrong
	;;
	/* What the other callee left there is gone. */
	chk.a.nc r50, 1f
	;;
	UNREACHABLE
1:	br.ret.sptk.many b1
	;;
