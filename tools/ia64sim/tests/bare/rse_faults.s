/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Faults of mandatory stores and loads: flushrs, alloc and loadrs.  (Of br.ret and
 * rfi: rse_incomplete.)  The code's page has ITLB.ed.
 *
 * Rule rse (SDM 2:145): a store that faults: ISR.rs and w, not r, ir, ed; IFA is BSPSTORE
 * Rule rse (SDM 2:145): a load that faults: ISR.rs and r, not w, ir, ed; IFA is below BSPSTORE
 * Rule rse (SDM 2:145): all of a store's data faults: miss to Debug, in the order of other
 *   stores
 * Rule rse (SDM 2:139): references are made at level RSC.pl, not PSR.cpl: rights and
 *   breakpoints
 * Rule rse (SDM 2:142): flushrs that faulted has stored what came before and goes on with the
 *   rest
 * Rule rse (SDM 3:16): alloc whose store faults has changed nothing and can be repeated
 * Rule rse (SDM 2:142): loadrs that faulted can be repeated
 * Rule rse (SDM 2:25): with PSR.rt 0 references are physical, whatever PSR.dt is
 * Rule rse (SDM 1:29): BSPSTORE{2:0} do not count and read as 0
 */
	.include "bare.inc"
	.include "mmu.inc"
	VA = R1 | 0x4000
	NEXT = R1 | 0x8000

	.macro BAD at, vector, isr, instruction:vararg
	EXPECT 8894f
	\instruction
	;;
	UNREACHABLE
8894:
	FAULTED \vector, \isr | ISR_RS, \at
	.if \vector != VEC_DEBUG
	FAULTED_ITIR 1, 14
	.endif
	LOAD_RECORD r14, RECORD_IPSR
	extr.u r14 = r14, 32, 2
	;;
	CHECK_VALUE r14, 0
	.endm

	.macro BAD_FLUSH vector, isr=ISR_W
	BAD VA, \vector, \isr, flushrs
	.endm

	/* An empty stack at that address, at level 3. */
	.macro STACK va, rsc=0xc
	movl r8 = \va
	movl r9 = \rsc
	;;
	mov ar.rsc = r0
	alloc r10 = ar.pfs, 0, 0, 0, 0
	;;
	loadrs
	;;
	mov ar.bspstore = r8
	;;
	mov ar.rnat = r0
	;;
	mov ar.rsc = r9
	;;
	.endm

	.macro WORD_AT address, value
	movl r8 = \address
	;;
	ld8 r9 = [r8]
	;;
	CHECK_VALUE r9, \value
	.endm

	START
	IDENTITY
	PTR_I 0, 26
	ITR_I 0, 0, FINE | ED, 26
	SET_PKR 0, 1 | 0x42 << 8
	GO_ON 1f, PSR_DT | PSR_RT | PSR_IT | PSR_PK
1:
	STACK VA + 5
	mov ar.rsc = 0
	;;
	mov r9 = ar.bspstore
	;;
	CHECK_VALUE r9, VA
	mov ar.rsc = 0xc
	;;
	/* other stores have ISR.ed here */
	BAD_STORE VA, VEC_ALT_DATA_TLB, ISR_W | ISR_ED
	alloc r10 = ar.pfs, 0, 2, 0, 0
	;;
	mov r32 = 0x32
	mov r33 = 0x33
	;;
	cover
	;;
	BAD_FLUSH VEC_ALT_DATA_TLB
	ITC_D VA, 0, 14
	BAD_FLUSH VEC_NOT_PRESENT
	ITC_D VA, P | NATPAGE, 14
	BAD_FLUSH VEC_NAT, ISR_W | 0x20
	ITC_D VA, P, 14, 0x777
	BAD_FLUSH VEC_DATA_KEY_MISS
	SET_PKR 1, 1 | 2 | 0x777 << 8
	BAD_FLUSH VEC_KEY_PERMISSION
	ITC_D VA, P | AR_R | PL3, 14
	BAD_FLUSH VEC_DATA_RIGHTS
	/* good enough for PSR.cpl, but RSC.pl is 3 */
	ITC_D VA, P | AR_RW | PL2, 14
	BAD_FLUSH VEC_DATA_RIGHTS
	ITC_D VA, P | AR_RW | PL3, 14
	BAD_FLUSH VEC_DIRTY
	ITC_D VA, P | AR_RW | PL3 | D, 14
	BAD_FLUSH VEC_DATA_ACCESS_BIT
	ITC_D VA, 0x3204000 | FINE, 14
	mov r8 = 0
	mov r9 = 1
	movl r10 = VA
	movl r11 = 0x48 << 56 | 0xffffffffffffff	/* writes of level 3 */
	;;
	mov dbr[r8] = r10
	mov dbr[r9] = r11
	DB_ON
	BAD_FLUSH VEC_DEBUG
	movl r11 = 0xc7 << 56 | 0xffffffffffffff	/* of all others, and reads */
	;;
	mov dbr[r9] = r11
	;;
	srlz.d
	flushrs
	;;
	DB_OFF
	WORD_AT VA, 0x32
	WORD_AT VA + 8, 0x33

	/* across a page: the upper one is missing */
	STACK NEXT - 16
	alloc r10 = ar.pfs, 0, 3, 0, 0
	;;
	mov r32 = 0x42
	mov r33 = 0x43
	mov r34 = 0x44
	;;
	cover
	;;
	/* the word before the page's end is a collection */
	BAD NEXT, VEC_ALT_DATA_TLB, ISR_W, flushrs
	WORD_AT NEXT - 16, 0x42
	mov ar.rsc = 0
	;;
	mov r8 = ar.bspstore
	mov r9 = ar.bsp
	;;
	CHECK_VALUE r8, NEXT
	CHECK_VALUE r9, NEXT + 16
	mov ar.rsc = 0xc
	ITC_D NEXT, 0x3208000 | FINE, 14
	flushrs
	;;
	WORD_AT NEXT, 0x43
	WORD_AT NEXT + 8, 0x44

	/* alloc: 96 registers are dirty, and one more is wanted */
	PTC_L VA, 14
	STACK VA
	alloc r10 = ar.pfs, 0, 96, 0, 0
	;;
	mov r32 = 0x52
	mov r33 = 0x53
	;;
	cover
	;;
	BAD VA, VEC_ALT_DATA_TLB, ISR_W, alloc r10 = ar.pfs, 0, 1, 0, 0
	/* no frame yet */
	EXPECT 2f
	mov r32 = 0
	UNREACHABLE
2:	INTERRUPTED VEC_GENERAL, 0
	ITC_D VA, 0x3204000 | FINE, 14
	alloc r10 = ar.pfs, 0, 1, 0, 0
	;;
	mov r32 = 0
	WORD_AT VA, 0x52
	/* what was not wanted is not stored */
	WORD_AT VA + 8, 0x33

	/* loadrs: two words, of the lower page and of the upper */
	PTC_L VA, 14
	STACK NEXT + 8, 24 << 16 | 0xc
	BAD NEXT - 8, VEC_ALT_DATA_TLB, ISR_R, loadrs
	ITC_D VA, 0x3204000 | FINE, 14
	loadrs
	;;
	mov r8 = ar.bsp
	;;
	CHECK_VALUE r8, NEXT + 8
	movl r8 = 2 | 2 << 7
	movl r9 = 3f
	;;
	mov.i ar.pfs = r8
	mov b7 = r9
	;;
	br.ret.sptk.many b7
	;;
3:	CHECK_VALUE r32, 0x42
	CHECK_VALUE r33, 0x43

	/* physical */
	alloc r10 = ar.pfs, 0, 0, 0, 0
	;;
	STACK bare_rse
	GO_ON 4f, PSR_DT | PSR_IT
4:
	STACK 0x8000000003210000		/* region 4 has no translation */
	alloc r10 = ar.pfs, 0, 1, 0, 0
	;;
	mov r32 = 0x62
	;;
	cover
	;;
	flushrs
	;;
	WORD_AT 0x3210000, 0x62
	STACK bare_rse, 0
	PASS
