/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which faults of speculative loads are deferred.  The code runs at its own addresses;
 * TR 0 says ed or not.
 *
 * Rule nat (SDM 2:105): without ITLB.ed only NaTPage and uncacheable memory give NaT
 * Rule nat (SDM 2:105): with PSR.ic 0 everything gives NaT
 * Rule nat (SDM 2:106): with ITLB.ed each fault by its own bit of DCR: dm dp dk dx da dd
 * Rule nat (SDM 2:106): with ITLB.ed an unaligned speculative load always gives NaT
 * Rule nat (SDM 2:106): a deferred miss does not hide a breakpoint
 * Rule nat (SDM 2 5.5.2): ISR.sp and ISR.ed of the faults that are raised; other loads are
 *   never deferred
 */
	.include "bare.inc"
	.include "mmu.inc"
	VA = R1 | 0x4000

	.macro SET_DCR value
	movl r2 = \value
	;;
	mov cr.dcr = r2
	;;
	srlz.d
	;;
	.endm

	/* ld8.s raises this (ISR.ed is \ed) */
	.macro RAISES vector, ed=0, at=VA
	EXPECT 8888f
	movl r8 = \at
	;;
	ld8.s r9 = [r8]
	;;
	UNREACHABLE
8888:
	FAULTED \vector, ISR_R | ISR_SP | \ed, \at
	.endm

	/* ld8.s gives NaT */
	.macro DEFERS at=VA
	movl r8 = \at
	mov r9 = 1
	;;
	ld8.s r9 = [r8]
	;;
	CHECK_NAT r9
	.endm

	.macro LOADS at=VA
	movl r8 = \at
	mov r9 = 1
	;;
	ld8.s r9 = [r8]
	;;
	CHECK_VALUE r9, 0x4711
	.endm

	/* All but the one bit do not help, the bit does. */
	.macro BY_DCR vector, bit
	SET_DCR 0x7f00 & ~(1 << \bit)
	RAISES \vector, ISR_ED
	SET_DCR 1 << \bit
	DEFERS
	.endm

	START
	IDENTITY
	ITR_I 1, R3, FINE, 12
	movl r2 = 0x3204000
	movl r3 = 0x4711
	;;
	st8 [r2] = r3
	GO_ON 1f, PSR_DT | PSR_IT
1:
	/* no ed: nothing is deferred but what always is */
	SET_DCR 0x7f00
	RAISES VEC_ALT_DATA_TLB
	ITC_D VA, FINE & ~P, 14
	RAISES VEC_NOT_PRESENT
	ITC_D VA, 0x3204000 | FINE & ~A, 14
	RAISES VEC_DATA_ACCESS_BIT
	ITC_D VA, 0x3204000 | FINE | NATPAGE, 14
	DEFERS
	ITC_D VA, 0x3204000 | FINE | UC, 14
	DEFERS
	ITC_D VA, 0x3204000 | FINE | UCE, 14
	DEFERS
	ITC_D VA, 0x3204000 | FINE | WC, 14
	LOADS
	ITC_D VA, 0x3204000 | FINE, 14
	LOADS
	RAISES VEC_UNALIGNED, 0, VA | 5
	/* PSR.ic 0: everything is deferred */
	PTC_L VA, 14
	IC_OFF
	movl r8 = VA
	;;
	ld8.s r9 = [r8]
	;;
	IC_ON
	CHECK_NAT r9
	/* the same code with ed */
	GO_ON 2f, PSR_DT
2:
	PTR_I 0, 26
	ITR_I 0, 0, FINE | ED, 26
	GO_ON 3f, PSR_DT | PSR_IT
3:
	BY_DCR VEC_ALT_DATA_TLB, 8
	ITC_D VA, FINE & ~P, 14
	BY_DCR VEC_NOT_PRESENT, 9
	ITC_D VA, 0x3204000 | FINE & ~A, 14
	BY_DCR VEC_DATA_ACCESS_BIT, 13
	ITC_D VA, 0x3204000 | FINE, 14, 9
	mov r8 = 0
	movl r9 = 1 | 0x42 << 8
	mov r10 = 1
	movl r11 = 1 | 4 | 9 << 8
	;;
	mov pkr[r8] = r9
	ssm PSR_PK
	;;
	srlz.i
	;;
	BY_DCR VEC_DATA_KEY_MISS, 10
	mov pkr[r10] = r11
	;;
	srlz.d
	;;
	BY_DCR VEC_KEY_PERMISSION, 11
	rsm PSR_PK
	;;
	srlz.i
	;;
	/* a breakpoint */
	mov r8 = 0
	mov r9 = 1
	movl r10 = VA
	movl r11 = 0x81 << 56 | 0xffffffffffffff
	;;
	mov dbr[r8] = r10
	mov dbr[r9] = r11
	DB_ON
	BY_DCR VEC_DEBUG, 14
	/* which a deferred miss does not hide */
	PTC_L VA, 14
	SET_DCR 1 << 8
	RAISES VEC_DEBUG, ISR_ED
	SET_DCR 1 << 8 | 1 << 14
	DEFERS
	DB_OFF
	/* with ed, unaligned is always deferred */
	SET_DCR 0
	ITC_D VA, 0x3204000 | FINE, 14
	DEFERS VA | 5
	LOADS
	/* other loads are never deferred, ISR.ed is there */
	SET_DCR 0x7f00
	PTC_L VA, 14
	EXPECT 4f
	LOAD VA
	UNREACHABLE
4:
	FAULTED VEC_ALT_DATA_TLB, ISR_R | ISR_ED, VA
	/* physical addresses are not read speculatively */
	GO_ON 5f, 0
5:
	DEFERS 0x3204000
	DEFERS 1 << 55
	PASS
