/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pages of all sizes through the walker: where their entries are and what they
 * translate.
 *
 * Rule vhpt-short (SDM 2:66): an entry's address: VRN, PTA.base, (VA >> RR.ps) * 8 modulo the
 *   table
 * Rule vhpt-short (SDM 2:66): tables of 2^15 to 2^52 bytes; bits of base inside do not count
 * Rule vhpt-short (SDM 2:64): an entry translates a page of RR.ps bytes, 4K to 4G
 * Rule vhpt-long (SDM 2:66): an entry's address: base and VRN of PTA, 32 bytes an entry
 * Rule vhpt-long (SDM 3:269): hash and tag depend on VA{60:0} >> RR.ps and RR.rid, not on the
 *   VRN
 * Rule vhpt-long (SDM 3:269): two pages of one region with the same hash have different tags
 * Rule vhpt-long (SDM 2:573): an entry's page may be larger than RR.ps: all of it is translated
 * Rule vhpt-long (SDM 2:51): an inserted large page removes the smaller entries in it
 * Rule vhpt-long (SDM 2:63): an entry's page may be smaller than RR.ps: only that is translated
 */
	.include "bare.inc"
	.include "mmu.inc"
	PAGE = 0x3100000		/* of either table, physical */
	LONG = R5 | 0x10000

	.macro HASH va, address
	movl r8 = \va
	;;
	thash r9 = r8
	;;
	CHECK_VALUE r9, \address
	.endm

	START
	IDENTITY
	/* addresses of entries in the short format */
	.irp ps, 12, 13, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32
	SET_RR 1, 0x101, \ps, 1
	SET_PTA 0x100000000000000 | 52 << 2 | 1
	HASH R1 | 5 << \ps | 8, R1 | 0x100000000000000 | 40
	HASH R1 + ((1 << 61) - 1), R1 | 0x100000000000000 | ((1 << (61 - \ps)) - 1) << 3
	.endr
	/* 2^49 entries of 2^52 bytes: the page's number modulo that */
	SET_RR 1, 0x101, 12, 1
	/* smallest table: 2^12 entries; all lower bits of base are taken from the offset */
	SET_PTA 0xffff8000 | 15 << 2 | 1
	HASH R1 | 0x1001 << 12, R1 | 0xffff8000 | 8
	HASH R1 | 0xfff << 12, R1 | 0xffff8000 | 0x7ff8
	SET_PTA 0xffff8000 | 20 << 2 | 1
	HASH R1 | 0x1ffff << 12, R1 | 0xfff00000 | 0xffff8
	HASH R1 | 0x20000 << 12, R1 | 0xfff00000
	/* the base's own VRN does not count */
	SET_PTA R3 | 0x100000000 | 20 << 2 | 1
	HASH R1 | 0x5000, R1 | 0x100000028
	HASH R2 | 0x14000, R2 | 0x100000028

	/* pages of all sizes, at 5 << ps, to the first RAM that such a page can have */
	SET_PTA 0x100000000 | 20 << 2 | 1
	DATA_ON
	STORE 0x3000100, 0x3333
	.irp ps, 12, 13, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32
	ptc.e r0
	;;
	SET_RR 1, 0x101, 14, 0
	/* the region's size is the page's, the table's page is as large as it likes */
	ITC_D R1 | 0x100000000, PAGE | P | A | AR_R, 20
	SET_RR 1, 0x101, \ps, 1
	INDEX = (0x6000000000 >> \ps) & 0x1ffff
	STORE PAGE | INDEX << 3, FINE | 0x3000000
	movl r8 = R1 | 0x6000000100 | (0x3000000 & ((1 << \ps) - 1))
	movl r9 = PAGE | INDEX << 3
	;;
	thash r10 = r8
	;;
	extr.u r10 = r10, 0, 20
	extr.u r9 = r9, 0, 20
	;;
	CHECK_EQ r9, r10
	ld8 r8 = [r8]
	;;
	CHECK_VALUE r8, 0x3333
	/* its last byte is translated, too; the next page is not */
	SET_RR 1, 0x101, \ps, 0
	PRESENT_D R1 | 0x6000000000 + (1 << \ps) - 1, 0x101
	ABSENT_D R1 | 0x6000000000 + (1 << \ps)
	ABSENT_D R1 | 0x6000000000 - 1
	.endr

	/* the long format */
	ptc.e r0
	;;
	srlz.d
	SET_RR 1, 0x101, 14, 1
	SET_RR 2, 0x101, 14, 1
	SET_RR 3, 0x103, 14, 1
	SET_PTA LONG | 1 << 8 | 16 << 2 | 1
	ITR_D 1, LONG, PAGE | FINE, 16
	movl r8 = R1 | 0x123456789abc0
	movl r9 = R2 | 0x123456789abc0
	movl r10 = R3 | 0x123456789abc0
	movl r11 = R1 | 0x1234567898000
	;;
	thash r20 = r8
	ttag r21 = r8
	;;
	thash r22 = r9
	ttag r23 = r9
	;;
	thash r24 = r10
	ttag r25 = r10
	;;
	thash r26 = r11
	ttag r27 = r11
	;;
	CHECK_EQ r20, r22
	CHECK_EQ r21, r23
	CHECK_EQ r20, r26
	CHECK_EQ r21, r27
	/* another RID: another place or another tag */
	cmp.eq p8, p9 = r20, r24
	;;
(p8)	cmp.eq.unc p8, p9 = r21, r25
	;;
	CHECK_NOT p8
	/* 2^11 entries: the next page at the same place has another tag */
	mov r28 = 0
	movl r29 = 0x4000
	mov r30 = 0
	;;
2:	add r28 = 1, r28
	add r8 = r8, r29
	;;
	thash r9 = r8
	ttag r10 = r8
	;;
	cmp.eq p8, p9 = r9, r20
	;;
(p8)	cmp.eq.unc p10, p11 = r10, r21
(p8)	add r30 = 1, r30
	;;
(p9)	cmp.ne.unc p10, p11 = r0, r0
	;;
	CHECK_NOT p10
	/* inside the table, a multiple of 32 */
	dep r9 = 0, r9, 5, 11
	;;
	CHECK_VALUE r9, LONG
	movl r2 = 0x4000
	;;
	cmp.ne p8, p9 = r28, r2
(p8)	br.cond.sptk.many 2b
	;;
	cmp.ltu p8, p9 = r0, r30		/* there were such pages */
	;;
	CHECK_PREDICATE p8

	/* r10 is where the entry for VA is, physical; r11 its tag. */
	VA = R1 | 0x6001000100
	FIND_ENTRY VA, PAGE
	;;
	add r12 = 16, r10
	;;
	st8 [r12] = r11
	.irp ps, 12, 13, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32
	ptc.e r0
	;;
	srlz.d
	SET_RR 1, 0x101, 14, 0
	FIRST = R1 | 0x6001000000 - (0x6001000000 & ((1 << \ps) - 1))
	/* 4 KiB pages, in it and beside it */
	.if \ps > 12
	ITC_D FIRST + (1 << \ps) - 0x1000, FINE, 12, 1
	.endif
	ITC_D FIRST + (1 << \ps), FINE, 12, 2
	SET_RR 1, 0x101, 14, 1
	movl r2 = FINE | 0x3000000
	movl r3 = \ps << 2 | 0x200 << 8 | \ps << 8
	add r12 = 8, r10
	;;
	st8 [r10] = r2
	st8 [r12] = r3
	movl r8 = VA
	;;
	tpa r9 = r8
	;;
	CHECK_VALUE r9, (0x3000000 - (0x3000000 & ((1 << \ps) - 1))) | (0x6001000100 & ((1 << \ps) - 1))
	SET_RR 1, 0x101, 14, 0
	PRESENT_D FIRST, 0x200 | \ps
	PRESENT_D FIRST + (1 << \ps) - 1, 0x200 | \ps
	PRESENT_D FIRST + (1 << \ps), 2
	ABSENT_D FIRST - 1
	PTC_L FIRST + (1 << \ps) - 1, 12
	ABSENT_D VA
	.endr
	PASS
