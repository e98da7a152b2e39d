/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The pattern of an operating system's entry and exit.
 *
 * Rule rse (SDM 2:148): a new BSPSTORE moves BSP with it, the dirty registers go to the new
 *   place
 * Rule rse (SDM 2:142): loadrs brings back as many bytes below BSP as RSC.loadrs says and drops
 *   the rest
 */
	.include "bare.inc"
	START
	alloc r10 = ar.pfs, 0, 3, 0, 0
	;;
	mov r32 = 0x32
	mov r33 = 0x33
	mov r34 = 0x34
	mov r14 = ar.bspstore
	;;
	mov r15 = ar.bsp
	cover
	;;
	/* three dirty registers */
	mov r16 = ar.bsp
	;;
	sub r17 = r16, r15
	;;
	CHECK_VALUE r17, 24
	movl r18 = bare_data + 4096
	;;
	mov ar.bspstore = r18
	;;
	mov r19 = ar.bsp
	add r20 = 24, r18
	;;
	CHECK_EQ r19, r20
	mov ar.rnat = r0
	;;
	/* Work on the new stack spills them there. */
	alloc r10 = ar.pfs, 0, 96, 0, 0
	;;
	mov r127 = 1
	;;
	ld8 r21 = [r18]
	;;
	CHECK_VALUE r21, 0x32
	alloc r10 = ar.pfs, 0, 0, 0, 0
	;;
	/* Back: load them from the new stack, then the old BSPSTORE again. */
	movl r22 = 24 << 16
	;;
	mov ar.rsc = r22
	;;
	loadrs
	;;
	mov r23 = ar.bspstore
	;;
	CHECK_EQ r23, r18
	mov ar.bspstore = r14
	;;
	mov ar.rnat = r0
	mov r24 = ar.bsp
	;;
	CHECK_EQ r24, r16
	/* The frame returns by rfi with IFS. */
	movl r25 = 1 << 63 | 3 | 3 << 7
	rsm 1 << 13
	;;
	srlz.d
	mov cr.ifs = r25
	mov r26 = psr
	movl r27 = 1 << 13 | 1 << 44
	;;
	or r26 = r26, r27
	movl r28 = 1f
	;;
	mov cr.ipsr = r26
	mov cr.iip = r28
	;;
	rfi
	;;
1:
	CHECK_VALUE r32, 0x32
	CHECK_VALUE r33, 0x33
	CHECK_VALUE r34, 0x34
	mov r24 = ar.bsp
	;;
	CHECK_EQ r24, r15
	PASS
