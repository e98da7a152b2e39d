/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cover of an incomplete frame.
 *
 * Rule rse (SDM 2:146): cover completes the frame: what was not loaded stays in memory, the
 *   rest is dirty
 * Rule rse (SDM 3:224): rfi with IFS.v restores the frame and loads what is missing
 */
	.include "bare.inc"
	.include "mmu.inc"
	STORE_TOP = R5 + 0x4010
	START
	IDENTITY
	GO_ON 1f, PSR_DT | PSR_RT | PSR_IT
1:
	movl r8 = 0x204008
	mov r9 = 33
	;;
	st8 [r8] = r9, -8
	mov r9 = 32
	;;
	st8 [r8] = r9
	alloc r10 = ar.pfs, 0, 0, 0, 0
	;;
	loadrs
	;;
	movl r8 = STORE_TOP
	;;
	mov ar.bspstore = r8
	;;
	mov ar.rnat = r0
	movl r11 = 5 | 2 << 7			/* three outputs, too */
	;;
	mov.i ar.pfs = r11
	movl r12 = target
	;;
	mov b7 = r12
	alloc r10 = ar.pfs, 0, 0, 3, 0
	;;
	mov r32 = 34				/* the outputs that the return leaves */
	mov r33 = 35
	mov r34 = 36
	HOOK handler
	br.ret.sptk.many b7
	UNREACHABLE
handler:
	cover
	;;
	/* Five registers are below BSP now; three of them are dirty. */
	mov r18 = ar.bsp
	mov r19 = ar.bspstore
	movl r20 = STORE_TOP + 24
	movl r21 = STORE_TOP
	;;
	cmp.ne p6, p7 = r18, r20
	;;
(p7)	cmp.ne p6, p7 = r19, r21
	mov r22 = cr.ifs
	movl r23 = 1 << 63 | 5 | 2 << 7
	;;
(p7)	cmp.ne p6, p7 = r22, r23
	;;
(p6)	mov r3 = 240
(p6)	br.cond.spnt.many bare_exit
	/* Make the handler's own frame and lose it again. */
	alloc r16 = ar.pfs, 0, 90, 0, 0
	;;
	mov r60 = 1
	alloc r16 = ar.pfs, 0, 0, 0, 0
	movl r18 = 0x204000 | FINE
	mov r22 = 14 << 2
	;;
	mov cr.itir = r22
	;;
	itc.d r18
	;;
	mov pr = r31, -1
	srlz.d
	;;
	rfi
	;;
target:
	HOOK 0
	CHECK_VALUE r32, 32
	CHECK_VALUE r33, 33
	CHECK_VALUE r34, 34
	CHECK_VALUE r35, 35
	CHECK_VALUE r36, 36
	EXPECT 2f
	mov r37 = 0
	UNREACHABLE
2:
	INTERRUPTED VEC_GENERAL, 0
	DATA_OFF
	PASS
