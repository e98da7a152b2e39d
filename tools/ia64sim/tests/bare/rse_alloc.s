/* SPDX-License-Identifier: GPL-2.0 */
/*
 * alloc.
 *
 * Rule rse (SDM 3:16): the target has to be in the new frame
 * Rule rse (SDM 3:16): rotating regions change only while all rename bases are 0: Reserved
 *   Register/Field
 * Rule rse (SDM 3:16): over 96 registers, locals or rotating registers beyond the frame, a
 *   predicate: illegal
 */
	.include "bare.inc"
	START
	mov r8 = 5
	EXPECT 1f
	;;
	/* alloc r40 = ar.pfs, 0, 4, 0, 0 */
	alloc r33 = ar.pfs, 0, 4, 0, 0
	;;
	br.cond.sptk.few bundle_target
	;;
1:
	INTERRUPTED VEC_GENERAL, 0
	EXPECT 2f
	br.cond.sptk.few bundle_sof
	;;
2:
	INTERRUPTED VEC_GENERAL, 0
	EXPECT 3f
	br.cond.sptk.few bundle_sol
	;;
3:
	INTERRUPTED VEC_GENERAL, 0
	EXPECT 4f
	br.cond.sptk.few bundle_sor
	;;
4:
	INTERRUPTED VEC_GENERAL, 0
	EXPECT 5f
	br.cond.sptk.few bundle_predicate
	;;
5:
	INTERRUPTED VEC_GENERAL, 0

	/* Rotate once: rrb.gr = 7 */
	alloc r10 = ar.pfs, 0, 16, 0, 8
	mov.i ar.lc = 1
	mov.i ar.ec = 1
	;;
	br.ctop.sptk.few 6f
	;;
6:
	EXPECT 7f
	;;
	alloc r10 = ar.pfs, 0, 24, 0, 16
	UNREACHABLE
7:
	INTERRUPTED VEC_GENERAL, 0x30
	/* The same size is fine. */
	alloc r10 = ar.pfs, 0, 24, 0, 8
	;;
	clrrrb
	;;
	alloc r10 = ar.pfs, 0, 24, 0, 16
	;;
	PASS

	/* alloc with fields that the assembler refuses: m-slot bits of
	 * opcode 1, x3 6, sor << 27, sol << 20, sof << 13, r1 << 6, qp; the
	 * bundle is MIB without stops, nop.i, br to itself.
	 */
	.macro ALLOC_BUNDLE r1, sof, sol, sor, qp
	.align 16
	.set slot, 1 << 37 | 6 << 33 | \sor << 27 | \sol << 20 | \sof << 13 | \r1 << 6 | \qp
	.quad 0x11 | slot << 5 | (0x8000000 << 46) & 0xffffffffffffffff
	.quad 0x8000000 >> 18 | 0x20 << 55
	.endm
bundle_target:
	ALLOC_BUNDLE 40, 4, 4, 0, 0
	UNREACHABLE
bundle_sof:
	ALLOC_BUNDLE 10, 97, 4, 0, 0
	UNREACHABLE
bundle_sol:
	ALLOC_BUNDLE 10, 4, 5, 0, 0
	UNREACHABLE
bundle_sor:
	ALLOC_BUNDLE 10, 7, 4, 1, 0
	UNREACHABLE
bundle_predicate:
	ALLOC_BUNDLE 10, 7, 4, 0, 1
	UNREACHABLE
