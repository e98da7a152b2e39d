/* SPDX-License-Identifier: GPL-2.0 */
/*
 * flushrs.
 *
 * Rule rse (SDM 2:142): flushrs stores all dirty registers in order from BSPSTORE up; then
 *   BSPSTORE equals BSP
 * Rule rse (SDM 2:133): the word where address bits 8:3 are ones collects NaT bits, bit n of
 *   the word n above 512
 */
	.include "bare.inc"
	START
	/* Begin two words under a collection. */
	movl r8 = bare_rse + 512 - 24
	;;
	alloc r10 = ar.pfs, 0, 0, 0, 0
	;;
	mov ar.bspstore = r8
	;;
	mov ar.rnat = r0
	alloc r10 = ar.pfs, 0, 4, 0, 0
	;;
	mov r32 = 32
	mov r33 = 33
	mov r34 = 34
	movl r9 = bare_data
	;;
	st8 [r9] = r0
	mov ar.unat = -1
	;;
	ld8.fill r33 = [r9]			/* 0, NaT */
	ld8.fill r35 = [r9]
	br.call.sptk.many b0 = 1f
1:
	/* 4 registers and one collection */
	mov r11 = ar.bsp
	add r12 = 40, r8
	;;
	CHECK_EQ r11, r12
	flushrs
	;;
	mov r11 = ar.bsp
	mov r12 = ar.bspstore
	;;
	CHECK_EQ r11, r12
	ld8 r13 = [r8], 8
	;;
	CHECK_VALUE r13, 32
	ld8 r13 = [r8], 8
	;;
	CHECK_VALUE r13, 0
	/* the collection: word 61 was r32, 62 r33 */
	ld8 r13 = [r8], 8
	;;
	shr.u r13 = r13, 61
	;;
	CHECK_VALUE r13, 2
	ld8 r13 = [r8], 8
	;;
	CHECK_VALUE r13, 34
	/* r35's bit waits in RNAT, bit 1 */
	mov r13 = ar.rnat
	;;
	and r13 = 3, r13
	;;
	CHECK_VALUE r13, 2
	PASS
