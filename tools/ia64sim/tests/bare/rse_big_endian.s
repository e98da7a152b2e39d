/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Byte order.
 *
 * Rule rse (SDM 2:139): RSC.be is the byte order, whatever PSR.be says
 */
	.include "bare.inc"
	START
	mov r8 = 0x10
	;;
	mov ar.rsc = r8
	;;
	alloc r10 = ar.pfs, 0, 1, 0, 0
	;;
	movl r32 = 0x0102030405060708
	mov r9 = ar.bspstore
	;;
	cover
	;;
	flushrs
	;;
	ld8 r11 = [r9]
	;;
	CHECK_VALUE r11, 0x0807060504030201
	movl r12 = 0x1122334455667788
	;;
	st8 [r9] = r12
	mov r8 = 0x10
	;;
	/* Drop the clean register, then load it from memory. */
	loadrs
	movl r13 = 1 | 1 << 7
	;;
	mov.i ar.pfs = r13
	movl r14 = 1f
	;;
	mov b6 = r14
	;;
	br.ret.sptk.many b6
	;;
1:
	CHECK_VALUE r32, 0x8877665544332211
	PASS
