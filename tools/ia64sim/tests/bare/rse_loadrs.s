/* SPDX-License-Identifier: GPL-2.0 */
/*
 * loadrs.
 *
 * Rule rse (SDM 3:168): RSC.mode not 0, a frame, or more registers than there are: Illegal
 *   Operation
 * Rule rse (SDM 2:142): RSC.loadrs 0 makes all registers outside of the frame invalid, BSPSTORE
 *   equals BSP
 * Rule rse (SDM 2:142): collections on the way are read
 */
	.include "bare.inc"
	START
	mov ar.rsc = 3
	;;
	EXPECT 1f
	loadrs
	UNREACHABLE
1:
	INTERRUPTED VEC_GENERAL, 0
	movl r8 = 8 << 16
	;;
	mov ar.rsc = r8
	EXPECT 2f
	;;
	loadrs
	UNREACHABLE
2:
	INTERRUPTED VEC_GENERAL, 0

	/* Two words more than 96 registers can have with their collection. */
	alloc r10 = ar.pfs, 0, 0, 0, 0
	;;
	movl r8 = (99 * 8) << 16
	;;
	mov ar.rsc = r8
	;;
	movl r9 = bare_data + 4096
	;;
	mov ar.bspstore = r9
	EXPECT 3f
	;;
	loadrs
	UNREACHABLE
3:
	INTERRUPTED VEC_GENERAL, 0

	/* 64 words below a boundary: 63 registers, bits in the collection. */
	movl r8 = bare_data + 4096
	movl r9 = 0x5555555555555555
	;;
	add r11 = -8, r8
	;;
	st8 [r11] = r9, -8
	mov r12 = 62
	;;
4:	st8 [r11] = r12, -8
	cmp.ne p8, p0 = 0, r12
	add r12 = -1, r12
(p8)	br.cond.dptk.few 4b
	;;
	movl r9 = (64 * 8) << 16
	;;
	mov ar.rsc = r9
	;;
	mov ar.bspstore = r8
	;;
	loadrs
	;;
	mov r9 = ar.bspstore
	mov r11 = -512
	;;
	add r11 = r11, r8
	;;
	CHECK_EQ r9, r11
	mov r9 = ar.bsp
	;;
	CHECK_EQ r9, r8
	/* Make them the frame: 63 locals return. */
	movl r13 = 63 | 63 << 7
	;;
	mov.i ar.pfs = r13
	movl r14 = 5f
	;;
	mov b7 = r14
	;;
	br.ret.sptk.many b7
	;;
5:
	CHECK_NAT r32
	CHECK_VALUE r33, 1
	CHECK_NAT r34
	CHECK_VALUE r35, 3
	CHECK_VALUE r93, 61
	CHECK_NAT r94

	/* Nothing at all. */
	mov ar.rsc = 0
	cover
	;;
	loadrs
	;;
	mov r9 = ar.bsp
	mov r11 = ar.bspstore
	;;
	CHECK_EQ r9, r11
	PASS
