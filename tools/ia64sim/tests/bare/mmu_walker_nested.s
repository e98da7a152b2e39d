/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The walker while PSR.ic is 0: whatever keeps it from finding an entry is a Data
 * Nested TLB fault that leaves all registers to the handler it hit.  Region 1 walks
 * a table in the short format and then one in the long format, in region 5.
 *
 * Rule vhpt-short (SDM 2:70): PSR.ic 0, table not mapped: Data Nested TLB, nothing written
 * Rule vhpt-short (SDM 2:70): PSR.ic 0, table not present or uncacheable: Data Nested TLB
 * Rule vhpt-short (SDM 2:70): PSR.ic 0, reserved bits in the entry: Data Nested TLB
 * Rule vhpt-short (SDM 2:70): PSR.ic 0, walker off: Data Nested TLB
 * Rule vhpt-short (SDM 2:70): PSR.ic 0: an entry that is not present is inserted and faults as
 *   such
 * Rule vhpt-short (SDM 2:70): PSR.ic 0, a fault of the entry: ISR.ni, IFA and ITIR stay
 * Rule vhpt-short (SDM 2:70): PSR.ic in flight: Data TLB Miss as with PSR.ic 1, but ISR.ni
 * Rule vhpt-long (SDM 2:70): PSR.ic 0, table not mapped: Data Nested TLB, nothing written
 * Rule vhpt-long (SDM 2:70): PSR.ic 0, another tag or ti: Data Nested TLB
 * Rule vhpt-long (SDM 2:70): PSR.ic 0, reserved bits in either word: Data Nested TLB
 * Rule vhpt-long (SDM 2:70): PSR.ic 0: an entry that matches is inserted as ever
 */
	.include "bare.inc"
	.include "mmu.inc"
	TABLE = 0x100000000
	LONG = R5 | 0x10000
	PAGE = 0x3100000		/* of either table, physical */
	VA = R1 | 0x14008		/* page 5 */

	/* A load with PSR.ic 0 that interrupts; the handler comes back with PSR.ic 1. */
	.macro HIDDEN_LOAD
	EXPECT 8890f
	IC_OFF
	movl r2 = PSR_DT | PSR_BN | PSR_IC
	movl r3 = R2 | 0x7654321
	;;
	mov cr.ipsr = r2
	;;
	mov cr.ifa = r3
	movl r3 = 0x777700 | 12 << 2
	;;
	mov cr.itir = r3
	mov r2 = 0x1230
	;;
	mov cr.iha = r2
	mov r3 = 0x55
	;;
	mov cr.isr = r3
	;;
	mov cr.ifs = r0
	LOAD VA
	UNREACHABLE
8890:
	LOAD_RECORD r14, RECORD_ITIR
	CHECK_VALUE r14, 0x777700 | 12 << 2
	LOAD_RECORD r14, RECORD_IHA
	CHECK_VALUE r14, 0x1230
	LOAD_RECORD r14, RECORD_IPSR
	CHECK_VALUE r14, PSR_DT | PSR_BN | PSR_IC
	.endm

	.macro NESTED
	HIDDEN_LOAD
	FAULTED VEC_NESTED, 0x55, R2 | 0x7654321
	.endm

	START
	IDENTITY
	SET_RR 1, 0x101, 14, 1
	SET_PTA TABLE | 20 << 2 | 1
	DATA_ON
	STORE 0x3200008, 0x1111
	STORE PAGE + 40, FINE | 0x3200000
	NESTED
	ITC_D R1 | TABLE, PAGE | FINE & ~P, 20
	NESTED
	ITC_D R1 | TABLE, PAGE | FINE | UC, 20
	NESTED
	ITC_D R1 | TABLE, PAGE | P | A | AR_R, 20
	.irp bad, 2, 1 << 50, 1 << 51, 1 << 2, 2 << 2, 3 << 2
	STORE PAGE + 40, FINE | 0x3200000 | \bad
	NESTED
	.endr
	SET_RR 1, 0x101, 14, 0
	NESTED
	ABSENT_D VA
	SET_RR 1, 0x101, 14, 1
	SET_PTA TABLE | 20 << 2
	NESTED
	SET_PTA TABLE | 20 << 2 | 1
	/* in flight */
	EXPECT 1f
	movl r8 = VA
	;;
	rsm PSR_IC
	;;
	ld8 r9 = [r8]
	;;
	UNREACHABLE
1:
	FAULTED VEC_DATA_TLB, ISR_R | ISR_NI, VA
	FAULTED_ITIR 1, 14
	IC_ON
	/* faults of the entry itself */
	STORE PAGE + 40, 2
	HIDDEN_LOAD
	FAULTED VEC_NOT_PRESENT, ISR_R | ISR_NI, R2 | 0x7654321
	STORE PAGE + 40, FINE | 0x3200000
	HIDDEN_LOAD
	FAULTED VEC_NOT_PRESENT, ISR_R | ISR_NI, R2 | 0x7654321
	PTC_L VA, 14
	STORE PAGE + 40, FINE & ~A | 0x3200000
	HIDDEN_LOAD
	FAULTED VEC_DATA_ACCESS_BIT, ISR_R | ISR_NI, R2 | 0x7654321

	/* the long format */
	ptc.e r0
	;;
	SET_PTA LONG | 1 << 8 | 16 << 2 | 1
	FIND_ENTRY VA, PAGE
	NESTED
	ITR_D 1, LONG, PAGE | FINE, 16
	LONG_ENTRY FINE | 0x3200000, 14 << 2, r0
	NESTED
	dep r9 = -1, r11, 63, 1
	;;
	LONG_ENTRY FINE | 0x3200000, 14 << 2, r9
	NESTED
	LONG_ENTRY FINE | 0x3200000 | 2, 14 << 2
	NESTED
	LONG_ENTRY FINE | 0x3200000, 14 << 2 | 1
	NESTED
	LONG_ENTRY FINE | 0x3200000, 15 << 2
	NESTED
	LONG_ENTRY FINE | 0x3200000, 14 << 2
	IC_OFF
	LOAD VA
	IC_ON
	CHECK_VALUE r8, 0x1111
	PASS
