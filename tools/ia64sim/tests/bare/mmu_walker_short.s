/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The VHPT walker in the short format.  Region 1: 16 KiB pages, table of 2^20 bytes at
 * 0x100000000 in the region.
 *
 * Rule vhpt-short (SDM 2:66): thash: region, base, page number times 8
 * Rule vhpt-short (SDM 2 ch. 8 VHPT Translation): table not mapped: VHPT Translation, IHA the
 *   entry, ITIR by the region
 * Rule vhpt-short (SDM 2:68): table's page not present, not accessed, NaTPage or uncacheable:
 *   Data TLB Miss with IHA
 * Rule vhpt-short (SDM 2:62): the TLB is not coherent with the table: an entry stays until it
 *   is purged
 * Rule vhpt-short (SDM 2:63): an entry that is not present is inserted and stays
 * Rule vhpt-short (SDM 2:63): reserved bits and attributes: TLB Miss, nothing inserted
 * Rule vhpt-short (SDM 2:63): ignored bits are ignored
 * Rule vhpt-short (SDM 2:67): off in the region or in PTA: Alternate Data TLB; off for tak
 *   while PSR.dt is 0
 * Rule vhpt-short (SDM 2:67): PSR.ic 0: the walker goes on for data
 * Rule vhpt-short (SDM 2:68): DCR.be says in which byte order the table is
 * Rule vhpt-short (SDM 2 ch. 8 VHPT Translation): fetch: VHPT Translation, Instruction TLB
 *   Miss, Page Not Present, and success
 */
	.include "bare.inc"
	.include "mmu.inc"
	TABLE = 0x100000000
	PAGE = 0x3100000		/* of the table, physical */
	VA = R1 | 0x14008		/* page 5 */

	/* Entry of page 5. */
	.macro ENTRY word
	STORE PAGE + 40, \word
	.endm

	START
	IDENTITY
	SET_RR 1, 0x101, 14, 1
	SET_PTA TABLE | 20 << 2 | 1
	/* thash: region, base, page number times 8 */
	movl r8 = VA
	;;
	thash r9 = r8
	;;
	CHECK_VALUE r9, R1 | TABLE | 40
	movl r8 = R2 | 0x14008
	;;
	thash r9 = r8
	;;
	CHECK_VALUE r9, R2 | TABLE | 40
	DATA_ON
	STORE 0x3200008, 0x1111
	STORE 0x3300008, 0x2222
	ENTRY FINE | 0x3200000
	/* the table is not mapped: VHPT Translation */
	BAD_LOAD VA, VEC_VHPT
	FAULTED_ITIR 1, 14
	LOAD_RECORD r9, RECORD_IHA
	CHECK_VALUE r9, R1 | TABLE | 40
	/* the table is mapped not present, uncacheable ...: Data TLB Miss */
	ITC_D R1 | TABLE, PAGE | FINE & ~P, 20
	BAD_LOAD VA, VEC_DATA_TLB
	FAULTED_ITIR 1, 14
	LOAD_RECORD r9, RECORD_IHA
	CHECK_VALUE r9, R1 | TABLE | 40
	ITC_D R1 | TABLE, PAGE | FINE | UC, 20
	BAD_STORE VA, VEC_DATA_TLB
	ITC_D R1 | TABLE, PAGE | FINE & ~A, 20
	BAD_LOAD VA, VEC_DATA_TLB
	ITC_D R1 | TABLE, PAGE | FINE | NATPAGE, 20
	BAD_LOAD VA, VEC_DATA_TLB
	/* now it works; read-only for level 0 is enough */
	ITC_D R1 | TABLE, PAGE | P | A | AR_R, 20
	LOAD VA
	CHECK_VALUE r8, 0x1111
	PRESENT_D VA, 0x101		/* the key is the RID */
	/* the TLB does not look at the table again */
	ENTRY FINE | 0x3300000
	LOAD VA
	CHECK_VALUE r8, 0x1111
	PTC_L VA, 14
	LOAD VA
	CHECK_VALUE r8, 0x2222
	/* not present: inserted, and it stays until purged */
	PTC_L VA, 14
	ENTRY 0x3200000 | FINE & ~P | 2
	BAD_LOAD VA, VEC_NOT_PRESENT
	ENTRY FINE | 0x3200000
	BAD_LOAD VA, VEC_NOT_PRESENT
	PTC_L VA, 14
	LOAD VA
	CHECK_VALUE r8, 0x1111
	/* reserved bits and encodings: Data TLB Miss, nothing inserted */
	.irp bad, 2, 1 << 50, 1 << 51, 1 << 2, 2 << 2, 3 << 2
	PTC_L VA, 14
	ENTRY FINE | 0x3200000 | \bad
	BAD_LOAD VA, VEC_DATA_TLB
	ENTRY FINE | 0x3200000
	LOAD VA
	CHECK_VALUE r8, 0x1111
	.endr
	/* ignored bits are ignored */
	PTC_L VA, 14
	ENTRY FINE | 0x3200000 | 0xffe0000000000000
	LOAD VA
	CHECK_VALUE r8, 0x1111
	/* the walker off: in the region, in PTA */
	PTC_L VA, 14
	SET_RR 1, 0x101, 14, 0
	BAD_LOAD VA, VEC_ALT_DATA_TLB
	SET_RR 1, 0x101, 14, 1
	SET_PTA TABLE | 20 << 2
	BAD_LOAD VA, VEC_ALT_DATA_TLB
	SET_PTA TABLE | 20 << 2 | 1
	/* PSR.dt off: probe, tpa and tak search, the walker does not */
	DATA_OFF
	movl r8 = VA
	;;
	tak r9 = r8
	;;
	CHECK_VALUE r9, 1
	DATA_ON
	movl r8 = VA
	;;
	tak r9 = r8
	;;
	CHECK_VALUE r9, 0x101 << 8
	/* PSR.ic 0: the walker goes on for data */
	PTC_L VA, 14
	IC_OFF
	LOAD VA
	IC_ON
	CHECK_VALUE r8, 0x1111
	/* big-endian table */
	PTC_L VA, 14
	movl r8 = FINE | 0x3200000
	;;
	mux1 r9 = r8, @rev
	movl r2 = PAGE + 40
	mov r10 = 2
	;;
	st8 [r2] = r9
	mov cr.dcr = r10
	;;
	srlz.d
	;;
	movl r8 = VA
	;;
	tak r9 = r8
	;;
	CHECK_VALUE r9, 0x101 << 8
	mov cr.dcr = r0
	;;
	srlz.d
	;;
	/* larger pages of the region */
	PTC_L VA, 14
	SET_RR 1, 0x101, 20, 1
	STORE PAGE + 24, FINE | 0x3200000
	LOAD R1 | 0x300008
	CHECK_VALUE r8, 0x1111
	LOAD R1 | 0x3ffff0
	/* a fetch: Instruction TLB, VHPT Translation and so on */
	SET_RR 1, 0x101, 14, 1
	SET_RR 2, 0x102, 14, 1
	EXPECT 1f
	GO_ON R2 | 0x8000, PSR_DT | PSR_IT
	UNREACHABLE
1:
	FAULTED VEC_VHPT, ISR_X, R2 | 0x8000
	FAULTED_ITIR 2, 14
	LOAD_RECORD r9, RECORD_IHA
	CHECK_VALUE r9, R2 | TABLE | 16
	ITC_D R2 | TABLE, PAGE | P | A | AR_R, 20
	STORE PAGE + 16, FINE | 2
	EXPECT 2f
	GO_ON R2 | 0x8000, PSR_DT | PSR_IT
	UNREACHABLE
2:
	FAULTED VEC_INST_TLB, ISR_X, R2 | 0x8000
	STORE PAGE + 16, 0
	EXPECT 3f
	GO_ON R2 | 0x8000, PSR_DT | PSR_IT
	UNREACHABLE
3:
	FAULTED VEC_NOT_PRESENT, ISR_X, R2 | 0x8000
	PTC_L R2 | 0x8000, 14
	/* the same code, through the walker: page 2 is where it is linked */
	movl r2 = 5f
	movl r3 = FINE
	;;
	dep r8 = 0, r2, 0, 14
	dep r9 = r2, r0, 0, 14
	movl r10 = R2 | 0x8000
	;;
	or r8 = r8, r3
	or r9 = r9, r10
	movl r3 = PAGE + 16
	;;
	st8 [r3] = r8
	IC_OFF
	movl r3 = PSR_DT | PSR_IT | PSR_BN | PSR_IC
	;;
	mov cr.iip = r9
	mov cr.ipsr = r3
	mov cr.ifs = r0
	;;
	rfi
	;;
	.align 32
5:	{ .mii
	nop.m 0
	mov r11 = ip
	nop.i 0
	}
	;;
	{ .mib
	nop.m 0
	nop.i 0
	nop.b 0
	}
	;;
	CHECK_EQ r11, r9
	/* PSR.ic 0: no walker for fetches */
	GO_ON 6f, PSR_DT | PSR_IT
6:
	PASS
