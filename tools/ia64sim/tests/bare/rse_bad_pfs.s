/* SPDX-License-Identifier: GPL-2.0 */
/*
 * br.ret to an impossible frame.
 *
 * Rule rse (SDM 2:143): outputs that the dirty registers leave no room for: CFM 0, BSP moves
 *   down all the same
 */
	.include "bare.inc"
	START
	alloc r10 = ar.pfs, 0, 60, 0, 0
	;;
	mov r8 = ar.bsp
	;;
	cover
	;;
	/* 60 dirty; 10 locals and 37 outputs: 1 too many */
	movl r9 = 47 | 10 << 7
	;;
	mov.i ar.pfs = r9
	movl r11 = 1f
	mov r13 = ar.bsp
	;;
	mov b6 = r11
	;;
	br.ret.sptk.many b6
	;;
1:
	EXPECT 2f
	mov r32 = 1
	UNREACHABLE
2:
	INTERRUPTED VEC_GENERAL, 0
	mov r12 = ar.bsp
	add r13 = -80, r13
	;;
	CHECK_EQ r12, r13
	/* one less fits */
	alloc r10 = ar.pfs, 0, 10, 0, 0
	;;
	cover
	;;
	movl r9 = 46 | 10 << 7
	;;
	mov.i ar.pfs = r9
	movl r11 = 3f
	;;
	mov b6 = r11
	;;
	br.ret.sptk.many b6
	;;
3:
	mov r77 = 1
	EXPECT 4f
	;;
	mov r78 = 1
	UNREACHABLE
4:
	INTERRUPTED VEC_GENERAL, 0
	PASS
