/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Speculative loads and the walker.
 *
 * Rule nat (SDM 2:105): the walker serves speculative loads; a translation found there is used
 * Rule nat (SDM 2:105): a failed walk raises its fault, ISR.sp 1, where nothing defers it
 * Rule nat (SDM 2:105): with ITLB.ed and DCR.dm a VHPT Translation or TLB Miss fault gives NaT
 * Rule nat (SDM 2:105): DCR.dm does not defer what an inserted entry has wrong, DCR.dp and da
 *   do
 * Rule nat (SDM 2:105): with PSR.ic 0 a failed walk gives NaT, no Data Nested TLB
 * Rule nat (SDM 2:106): a deferred load leaves no interruption register changed
 * Rule nat (SDM 2:25): with PSR.ed every speculative load gives NaT, also of a good page
 */
	.include "bare.inc"
	.include "mmu.inc"
	PSR_ED = 1 << 43
	TABLE = 0x100000000
	PAGE = 0x3100000		/* of the table, physical */
	VA = R1 | 0x14008		/* page 5 */

	.macro SET_DCR value
	movl r2 = \value
	;;
	mov cr.dcr = r2
	;;
	srlz.d
	;;
	.endm

	.macro RAISES vector, ed=0
	EXPECT 8888f
	movl r8 = VA
	;;
	ld8.s r9 = [r8]
	;;
	UNREACHABLE
8888:
	FAULTED \vector, ISR_R | ISR_SP | \ed, VA
	.endm

	.macro DEFERS
	movl r8 = VA
	mov r9 = 1
	;;
	ld8.s r9 = [r8]
	;;
	CHECK_NAT r9
	.endm

	/* The entry that the table has; the TLB has none. */
	.macro ENTRY word
	PTC_L VA, 14
	STORE PAGE + 40, \word
	.endm

	START
	IDENTITY
	SET_RR 1, 0x101, 14, 1
	movl r8 = TABLE | 20 << 2 | 1
	movl r9 = 0x4711
	movl r10 = 0x3200008
	;;
	st8 [r10] = r9
	mov cr.pta = r8
	;;
	srlz.i
	;;
	SET_DCR 0x7f00
	GO_ON 1f, PSR_DT | PSR_IT
1:	/* no ITLB.ed */
	RAISES VEC_VHPT
	LOAD_RECORD r14, RECORD_IHA
	CHECK_VALUE r14, R1 | TABLE | 40
	ITC_D R1 | TABLE, PAGE | FINE, 20
	ENTRY FINE | 2
	RAISES VEC_DATA_TLB
	ENTRY 0
	RAISES VEC_NOT_PRESENT
	ENTRY FINE | 0x3200000
	movl r8 = VA
	;;
	ld8.s r9 = [r8]
	;;
	CHECK_VALUE r9, 0x4711
	/* PSR.ic 0 */
	ENTRY FINE | 2
	IC_OFF
	mov r10 = 0x1230
	movl r11 = R2 | 0x7654321
	mov r12 = 0x55
	;;
	mov cr.iha = r10
	mov cr.ifa = r11
	mov cr.isr = r12
	movl r8 = VA
	;;
	srlz.d
	ld8.s r9 = [r8]
	;;
	mov r10 = cr.iha
	mov r11 = cr.ifa
	mov r12 = cr.isr
	;;
	IC_ON
	CHECK_NAT r9
	CHECK_VALUE r10, 0x1230
	CHECK_VALUE r11, R2 | 0x7654321
	CHECK_VALUE r12, 0x55
	/* PSR.ed */
	ENTRY FINE | 0x3200000
	LOAD VA
	movl r8 = VA
	GO_ON 2f, PSR_DT | PSR_ED
	.align 16
2:	{ .mmi
	ld8.s r9 = [r8]
	nop.m 0
	nop.i 0
	}
	;;
	CHECK_NAT r9
	/* ITLB.ed */
	GO_ON 3f, 0
3:	PTR_I 0, 26
	ITR_I 0, 0, FINE | ED, 26
	GO_ON 4f, PSR_DT | PSR_IT
4:
	LOAD_RECORD r20, RECORD_COUNT
	PTC_L R1 | TABLE, 20
	ENTRY FINE | 2
	SET_DCR 1 << 8
	DEFERS				/* VHPT Translation */
	ITC_D R1 | TABLE, PAGE | FINE, 20
	DEFERS				/* Data TLB Miss */
	LOAD_RECORD r21, RECORD_COUNT
	CHECK_EQ r20, r21
	ENTRY 0
	RAISES VEC_NOT_PRESENT, ISR_ED
	SET_DCR 1 << 9
	DEFERS
	ENTRY FINE & ~A
	RAISES VEC_DATA_ACCESS_BIT, ISR_ED
	SET_DCR 1 << 13
	DEFERS
	/* all but dm */
	SET_DCR 0x7e00
	ENTRY FINE | 2
	RAISES VEC_DATA_TLB, ISR_ED
	PTC_L R1 | TABLE, 20
	RAISES VEC_VHPT, ISR_ED
	PASS
