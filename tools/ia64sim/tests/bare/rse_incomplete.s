/* SPDX-License-Identifier: GPL-2.0 */
/*
 * br.ret to a frame that is not in registers.
 *
 * Rule rse (SDM 2:145): br.ret loads the frame before the first instruction of the target
 * Rule rse (SDM 2:145): a load that faults: the return is complete, IIP the target; ISR.rs and
 *   ISR.ir are 1
 * Rule rse (SDM 2:146): rfi without cover goes on with the loads
 */
	.include "bare.inc"
	.include "mmu.inc"
	STORE_TOP = R5 + 0x4018			/* r32..r34 in one page, r35 before */
	START
	IDENTITY
	GO_ON 1f, PSR_DT | PSR_RT | PSR_IT
1:
	/* Physical 0x200000 is the page below STORE_TOP, 0x204000 its own. */
	movl r8 = 0x200000 + 0x4010
	movl r9 = 0x3434
	;;
	st8 [r8] = r9, -8
	movl r9 = 0x3333
	;;
	st8 [r8] = r9, -8
	movl r9 = 0x3232
	;;
	st8 [r8] = r9
	movl r8 = 0x200000 + 0x3ff0		/* under the collection */
	movl r9 = 0x3131
	;;
	st8 [r8] = r9, 8
	movl r9 = 1 << 62			/* that register's NaT bit */
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
	mov r9 = 4
	;;
	mov ar.rnat = r9			/* bit 2: the topmost is NaT */
	movl r11 = 4 | 4 << 7
	;;
	mov.i ar.pfs = r11
	movl r12 = target
	;;
	mov b7 = r12
	HOOK first
	br.ret.sptk.many b7
	UNREACHABLE

	/* The upper page: three registers and then the collection fault. */
first:
	movl r18 = 0x204000 | FINE
	movl r19 = STORE_TOP - 8
	br.cond.sptk.few common
	;;
second:
	movl r18 = 0x200000 | FINE
	movl r19 = R5 + 0x3ff8
	;;
common:
	movl r20 = VEC_ALT_DATA_TLB
	mov r21 = cr.ifa
	;;
	cmp.ne p6, p7 = r16, r20
	;;
(p7)	cmp.ne p6, p7 = r21, r19
	mov r22 = cr.isr
	movl r23 = ISR_R | ISR_RS | ISR_IR
	;;
(p7)	cmp.ne p6, p7 = r22, r23
	mov r24 = cr.iip
	movl r25 = target
	;;
(p7)	cmp.ne p6, p7 = r24, r25
	/* BSP is where the new frame begins, BSPSTORE above it. */
	mov r26 = ar.bsp
	movl r27 = R5 + 0x3ff0
	;;
(p7)	cmp.ne p6, p7 = r26, r27
	mov r28 = ar.bspstore
	add r19 = 8, r19
	;;
(p7)	cmp.ne p6, p7 = r28, r19
	;;
(p6)	mov r3 = 240
(p6)	br.cond.spnt.many bare_exit
	movl r20 = bare_record + RECORD_HOOK
	movl r21 = second
	;;
	st8 [r20] = r21
	mov cr.itir = r0
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
	CHECK_NAT r35
	CHECK_VALUE r34, 0x3333
	CHECK_VALUE r33, 0x3232
	CHECK_NAT r32
	LOAD_RECORD r8, RECORD_COUNT
	CHECK_VALUE r8, 2
	mov r8 = ar.bsp
	mov r9 = ar.bspstore
	;;
	CHECK_EQ r8, r9
	DATA_OFF
	PASS
