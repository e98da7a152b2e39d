/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the walker's own reference to the table goes through.  Only a miss of it is
 * a VHPT Translation fault; everything else leaves the reference with its TLB miss.
 *
 * Rule vhpt-short (SDM 2:68): key of the table's page in no PKR, or PKR.rd: Data TLB Miss
 * Rule vhpt-short (SDM 2:68): a data breakpoint on the entry: Data TLB Miss, PSR.dd or not
 * Rule vhpt-short (SDM 2:68): the walker reads with privilege level 0 and needs no write rights
 * Rule vhpt-short (SDM 2:68): the walk of an instruction goes through the data TLB
 * Rule vhpt-short (SDM 2:69): the inserted entry's checks follow: Key Miss by the RID as key
 * Rule vhpt-short (SDM 2:64): the entry gets RR.ps and, as its key, RR.rid
 * Rule vhpt-short (SDM 2:63): a fetch's walk inserts into the ITC alone, others into the DTC
 * Rule vhpt-long (SDM 2:68): key of the table's page in no PKR, or PKR.rd: Data TLB Miss
 * Rule vhpt-long (SDM 2:68): a breakpoint on any of the entry's 32 bytes: Data TLB Miss
 * Rule vhpt-long (SDM 2:68): table's page not present, a 0, NaTPage or not write-back: TLB Miss
 * Rule vhpt-long (SDM 2:63): a fetch's walk inserts size and key of the entry into the ITC
 */
	.include "bare.inc"
	.include "mmu.inc"
	TABLE = 0x100000000
	LONG = R5 | 0x10000
	PAGE = 0x3100000		/* of either table, physical */
	VA = R1 | 0x14008		/* page 5 */

	.macro SET_DBR address, mask, control
	mov r8 = 0
	mov r9 = 1
	movl r2 = \mask | (\control) << 56
	;;
	mov dbr[r8] = \address
	mov dbr[r9] = r2
	;;
	srlz.d
	;;
	.endm

	.macro PK_ON
	ssm PSR_PK
	;;
	srlz.i
	;;
	.endm

	.macro PK_OFF
	rsm PSR_PK
	;;
	srlz.i
	;;
	.endm

	/* With table_page mapping the table of either format; r12 is the entry's
	 * virtual address, size its bytes.
	 */
	.macro TABLE_CHECKS table, ps, size
	/* keys */
	SET_PKR 0, 1 | 0x42 << 8	/* the test's own */
	SET_PKR 1, 0
	SET_PKR 2, 0
	ITC_D \table, PAGE | P | A | AR_R, \ps, 0x99
	PK_ON
	BAD_LOAD VA, VEC_DATA_TLB
	SET_PKR 1, 1 | 4 | 0x99 << 8	/* read disabled */
	BAD_LOAD VA, VEC_DATA_TLB
	SET_PKR 1, 1 | 2 | 8 | 0x99 << 8
	BAD_LOAD VA, VEC_DATA_KEY_MISS	/* of the entry's key, now */
	SET_PKR 2, 1 | 0x101 << 8
	LOAD VA
	CHECK_VALUE r8, 0x1111
	PK_OFF
	/* breakpoints, on the first byte, the last, the next */
	PTC_L VA, 14
	SET_DBR r12, 0xffffffffffffff, 0x81
	DB_ON
	BAD_LOAD VA, VEC_DATA_TLB
	add r11 = \size - 1, r12
	;;
	SET_DBR r11, 0xffffffffffffff, 0x81
	BAD_LOAD VA, VEC_DATA_TLB
	SET_DBR r11, 0xffffffffffffff, 0x4f	/* writes */
	LOAD VA
	PTC_L VA, 14
	SET_DBR r11, 0xffffffffffffff, 0x8e	/* other levels */
	LOAD VA
	PTC_L VA, 14
	add r11 = \size, r12
	;;
	SET_DBR r11, 0xffffffffffffff, 0x81
	LOAD VA
	DB_OFF
	/* what the page is */
	.irp wrong, FINE & ~P, FINE & ~A, FINE | NATPAGE, FINE | UC, FINE | UCE, FINE | WC
	PTC_L VA, 14
	PTC_L \table, \ps
	ITC_D \table, PAGE | \wrong, \ps
	BAD_LOAD VA, VEC_DATA_TLB
	BAD_STORE VA, VEC_DATA_TLB
	LOAD_RECORD r14, RECORD_IHA
	CHECK_EQ r14, r12
	.endr
	.endm

	START
	IDENTITY
	SET_RR 1, 0x101, 14, 1
	SET_PTA TABLE | 20 << 2 | 1
	DATA_ON
	STORE 0x3200008, 0x1111
	STORE PAGE + 40, FINE | 0x3200000
	movl r8 = VA
	;;
	thash r12 = r8
	;;
	TABLE_CHECKS R1 | TABLE, 20, 8
	/* PSR.dd holds off the reference's own breakpoints, not the walker's */
	ITC_D R1 | TABLE, PAGE | P | A | AR_R, 20
	SET_DBR r12, 0xffffffffffffff, 0x81
	movl r10 = VA
	EXPECT 2f, PSR_DB
	GO_ON 1f, PSR_DT | PSR_DB | PSR_DD
	.align 16
1:	{ .mmi
	ld8 r9 = [r10]
	nop.m 0
	nop.i 0
	}
	;;
	UNREACHABLE
2:
	FAULTED VEC_DATA_TLB, ISR_R, VA
	/* level 3 reads through a table that only level 0 may read */
	PROMOTION
	GO_ON 3f, PSR_DT | PSR_IT | PSR_CPL3
3:
	LOAD VA
	CHECK_VALUE r8, 0x1111
	EXPECT 4f
	LOAD R1 | TABLE | 40
	UNREACHABLE
4:
	FAULTED VEC_DATA_RIGHTS, ISR_R, R1 | TABLE | 40
	PROMOTE
	/* a fetch through the table; the DTC does not get what it finds */
	STORE PAGE + 16, FINE
	GO_ON 5f, PSR_DT | PSR_IT
5:
	movl r8 = go_back
	movl r9 = R1 | 0x8000
	movl r10 = R1 | 0x8000
	;;
	dep r9 = r8, r9, 0, 14
	/* the page of the table's entry 2 is the one with the code */
	movl r11 = FINE
	;;
	dep r8 = 0, r8, 0, 14
	;;
	or r8 = r8, r11
	movl r11 = PAGE + 16
	;;
	st8 [r11] = r8
	mov b6 = r9
	;;
	mov r11 = 0
	br.call.sptk.many b1 = b6
	;;
	CHECK_VALUE r11, 1
	SET_RR 1, 0x101, 14, 0
	ABSENT_D R1 | 0x8000
	/* while the ITC has it */
	mov r11 = 0
	br.call.sptk.many b1 = b6
	;;
	CHECK_VALUE r11, 1
	/* and what data references found the ITC has not */
	PRESENT_D VA, 0x101
	EXPECT 6f
	GO_ON VA, PSR_DT | PSR_IT
	UNREACHABLE
6:
	INTERRUPTED VEC_ALT_INST_TLB, ISR_X
	SET_RR 1, 0x101, 14, 1

	/* the long format */
	ptc.e r0
	;;
	srlz.i
	;;
	SET_PTA LONG | 1 << 8 | 16 << 2 | 1
	FIND_ENTRY VA, PAGE
	LONG_ENTRY FINE | 0x3200000, 14 << 2 | 0x101 << 8
	TABLE_CHECKS LONG, 16, 32
	/* a fetch: VA's page at its own size of 4 KiB, with a key that faults */
	ITC_D LONG, PAGE | P | A | AR_R, 16
	GO_ON 7f, PSR_DT | PSR_IT
7:
	movl r3 = 12 << 2 | 0x777 << 8
	add r8 = 8, r10
	;;
	st8 [r8] = r3
	SET_PKR 3, 0
	PK_ON
	EXPECT 8f
	GO_ON VA, PSR_DT | PSR_IT | PSR_PK
	UNREACHABLE
8:
	FAULTED VEC_INST_KEY_MISS, ISR_X, VA & ~0xf
	SET_PKR 3, 1 | 8 | 0x777 << 8
	EXPECT 9f
	GO_ON VA, PSR_DT | PSR_IT | PSR_PK
	UNREACHABLE
9:
	FAULTED VEC_KEY_PERMISSION, ISR_X, VA & ~0xf
	PK_OFF
	PASS
	.align 16
go_back:
	mov r11 = 1
	br.ret.sptk.many b1
	;;
