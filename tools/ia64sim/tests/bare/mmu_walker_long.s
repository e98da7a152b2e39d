/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The VHPT walker in the long format.  Region 1: 16 KiB pages; table of 2^16 bytes in
 * region 5.
 *
 * Rule vhpt-long (SDM 2:66): thash gives an address inside the table, a multiple of 32
 * Rule vhpt-long (SDM 3:269): ttag has ti 0 and does not depend on PTA.vf
 * Rule vhpt-long (SDM 2 ch. 8 VHPT Translation): table not mapped: VHPT Translation, IHA the
 *   entry, ITIR by the table's region
 * Rule vhpt-long (SDM 2:64): another tag or ti 1: Data or Instruction TLB Miss, IHA the entry,
 *   ITIR by the region
 * Rule vhpt-long (SDM 2:63): page size and key are the entry's
 * Rule vhpt-long (SDM 2:64): an entry that is not present is inserted, its other bits are
 *   software's
 * Rule vhpt-long (SDM 2:63): reserved bits, attributes and page sizes of either word: TLB Miss,
 *   nothing inserted
 * Rule vhpt-long (SDM 2:52): an entry that overlaps a TR is not inserted
 */
	.include "bare.inc"
	.include "mmu.inc"
	TABLE = R5 | 0x10000
	PAGE = 0x3100000		/* of the table, physical */
	VA = R1 | 0x123456789abc0

	/* r10 is where the entry for VA is, physical; r11 its tag. */
	START
	IDENTITY
	SET_RR 1, 0x101, 14, 1
	SET_PTA TABLE | 1 << 8 | 16 << 2 | 1
	FIND_ENTRY VA, PAGE
	/* inside the table, a multiple of 32 */
	dep r9 = 0, r12, 0, 16
	;;
	CHECK_VALUE r9, TABLE
	extr.u r9 = r12, 0, 5
	;;
	CHECK_VALUE r9, 0
	extr.u r9 = r11, 63, 1		/* ti */
	;;
	CHECK_VALUE r9, 0
	/* ttag does not depend on the format */
	SET_PTA TABLE | 16 << 2 | 1
	movl r8 = VA
	;;
	ttag r9 = r8
	;;
	CHECK_EQ r9, r11
	SET_PTA TABLE | 1 << 8 | 16 << 2 | 1
	DATA_ON
	STORE 0x3200bc0, 0x1111		/* where VA is in a page of 4 KiB */
	STORE 0x3202bc0, 0x1111		/* and of 16 KiB */
	/* VHPT Translation: the table's region gives ITIR */
	BAD_LOAD VA, VEC_VHPT
	FAULTED_ITIR 5, 14
	LOAD_RECORD r9, RECORD_IHA
	CHECK_EQ r9, r12
	ITR_D 1, TABLE, PAGE | FINE, 16
	/* nothing there: another tag */
	LONG_ENTRY 0x3200000 | FINE, 14 << 2, r0
	BAD_LOAD VA, VEC_DATA_TLB
	FAULTED_ITIR 1, 14
	LOAD_RECORD r9, RECORD_IHA
	CHECK_EQ r9, r12
	/* the tag invalid bit */
	dep r9 = -1, r11, 63, 1
	;;
	LONG_ENTRY 0x3200000 | FINE, 14 << 2, r9
	BAD_STORE VA, VEC_DATA_TLB
	/* a match: size and key are the entry's */
	LONG_ENTRY 0x3200000 | FINE, 12 << 2 | 0x654321 << 8
	LOAD VA
	CHECK_VALUE r8, 0x1111
	PRESENT_D VA, 0x654321
	PRESENT_D VA ^ 0x7c0, 0x654321
	/* 4 KiB it was: the next 4 KiB need an entry, and find that of the same 16 */
	PTC_L VA, 12
	LONG_ENTRY 0x3200000 | FINE, 16 << 2 | 0x654321 << 8
	LOAD VA
	PRESENT_D VA ^ 0x8000, 0x654321
	PTC_L VA, 12			/* a part removes the whole */
	/* not present */
	LONG_ENTRY 0xfffffffffffffffe, 14 << 2
	BAD_LOAD VA, VEC_NOT_PRESENT
	LONG_ENTRY 0x3200000 | FINE, 14 << 2
	BAD_LOAD VA, VEC_NOT_PRESENT
	PTC_L VA, 14
	LOAD VA
	CHECK_VALUE r8, 0x1111
	/* reserved bits of either word, and sizes that there are not */
	.irp bad, 2, 1 << 50, 1 << 51, 1 << 2, 2 << 2, 3 << 2
	PTC_L VA, 14
	LONG_ENTRY 0x3200000 | FINE | \bad, 14 << 2
	BAD_LOAD VA, VEC_DATA_TLB
	.endr
	.irp bad, 1, 2, 1 << 32, 1 << 63
	LONG_ENTRY 0x3200000 | FINE, 14 << 2 | \bad
	BAD_LOAD VA, VEC_DATA_TLB
	.endr
	.irp ps, 0, 11, 15, 17, 33, 63
	LONG_ENTRY 0x3200000 | FINE, \ps << 2
	BAD_LOAD VA, VEC_DATA_TLB
	.endr
	/* a page over a TR is not inserted */
	LONG_ENTRY 0x3200000 | FINE, 26 << 2
	ITR_D 2, VA ^ 0x100000, FINE, 12
	BAD_LOAD VA, VEC_DATA_TLB
	PTR_D VA ^ 0x100000, 12
	LOAD VA
	/* the same for a fetch */
	EXPECT 1f
	LONG_ENTRY 0x3200000 | FINE, 14 << 2, r0
	GO_ON VA, PSR_DT | PSR_IT
	UNREACHABLE
1:
	FAULTED VEC_INST_TLB, ISR_X, VA
	LOAD_RECORD r9, RECORD_IHA
	CHECK_EQ r9, r12
	PASS
