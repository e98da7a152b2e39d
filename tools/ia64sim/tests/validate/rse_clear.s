/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How Linux 6.1 clears the register stack on its way to user mode: rse_clear_invalid of
 * arch/ia64/kernel/entry.S, whose comment says 5 registers a cycle.  BYTES is what it is
 * asked for, eight for each register; it goes on in steps of 14 registers.
 */
	.include "bare.inc"
	.include "mmu.inc"
	.include "measure.inc"
	Nregs = 14
	TIMES = 100
	pRecurse = p6
	pReturn = p7

	START
	PAGED 1
	VIRTUAL
	flushrs
	movl r10 = 4f
	mov r24 = 20
	;;
	mov b7 = r10
	br.sptk.many 2f
	;;
4:	MEASURE
	movl r10 = 5f
	mov r24 = TIMES
	;;
	mov b7 = r10
	br.sptk.many 2f
	;;
5:	MEASURED
	PASS

	/* r24 times, then to b7; in0 is r32, loc0 r34, out0 r46; a multiple of 32 bytes */
	.align 32
2:	alloc r2 = ar.pfs, 2, 0, 0, 0
	;;
	mov r32 = BYTES
	mov r33 = 0
	;;
	.align 32
rse_clear_invalid:
	alloc r34 = ar.pfs, 2, Nregs - 2, 2, 0
	cmp.lt pRecurse, p0 = Nregs * 8, r32
	add r46 = -Nregs * 8, r32
	add r47 = 1, r33
	mov r35 = 0
	mov r36 = 0
	;;
	mov r37 = 0
	mov r38 = 0
	mov r39 = 0
	mov r40 = 0
	mov r41 = 0
(pRecurse) br.call.dptk.few b0 = rse_clear_invalid
	;;
	mov r42 = 0
	mov r43 = 0
	cmp.ne pReturn, p0 = r0, r33
	mov r44 = 0
	mov r45 = 0
(pReturn) br.ret.dptk.many b0
	;;
	add r24 = -1, r24
	;;
	cmp.lt p8, p9 = 0, r24
(p8)	br.cond.sptk.many 2b
	br.cond.sptk.many b7
	;;
