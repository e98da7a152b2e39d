/* SPDX-License-Identifier: GPL-2.0 */
/*
 * probe, tpa, tak, fc and lfetch.
 *
 * Rule interruption (SDM 2 5.5.2): ISR.na and ISR.code{3:0}: tpa 0, fc 1, probe 2, tak 3,
 *   lfetch 4, probe.fault 5
 * Rule tlb (SDM 3 tpa): tpa raises misses, Not Present and NaT Page, and looks at nothing else
 * Rule tlb (SDM 3 tak): tak gives the key, or 1; it never faults
 * Rule tlb (SDM 3:217): probe gives 0 for key permission and rights, and raises the rest
 * Rule tlb (SDM 3:217): probe.fault raises all that the reference would
 * Rule tlb (SDM 3 fc): fc checks no key, at level 0 no rights either, and no access bit
 * Rule tlb (SDM 2:25): with PSR.dt 0 tpa, probe and tak translate; fc, lfetch and probe.fault
 *   do not
 */
	.include "bare.inc"
	.include "mmu.inc"
	VA = R1 | 0x4008

	/* instruction uses r8; all that follows the operands of FAULTED */
	.macro BAD vector, isr, instruction:vararg
	EXPECT 8884f
	movl r8 = VA
	;;
	\instruction
	;;
	UNREACHABLE
8884:
	FAULTED \vector, ISR_NA | \isr, VA
	.endm

	.macro GOOD instruction:vararg
	movl r8 = VA
	;;
	\instruction
	;;
	.endm

	START
	IDENTITY
	DATA_ON
	/* misses */
	BAD VEC_ALT_DATA_TLB, 0, tpa r9 = r8
	BAD VEC_ALT_DATA_TLB, ISR_R | 1, fc r8
	BAD VEC_ALT_DATA_TLB, ISR_R | 2, probe.r r9 = r8, 0
	BAD VEC_ALT_DATA_TLB, ISR_W | 2, probe.w r9 = r8, 0
	BAD VEC_ALT_DATA_TLB, ISR_R | 4, lfetch.fault [r8]
	BAD VEC_ALT_DATA_TLB, ISR_R | 5, probe.r.fault r8, 0
	BAD VEC_ALT_DATA_TLB, ISR_W | 5, probe.w.fault r8, 0
	BAD VEC_ALT_DATA_TLB, ISR_R | ISR_W | 5, probe.rw.fault r8, 0
	GOOD tak r9 = r8
	CHECK_VALUE r9, 1
	GOOD lfetch [r8]
	/* not present */
	ITC_D VA, 0, 14
	BAD VEC_NOT_PRESENT, 0, tpa r9 = r8
	BAD VEC_NOT_PRESENT, ISR_R | 1, fc r8
	BAD VEC_NOT_PRESENT, ISR_R | 2, probe.r r9 = r8, 0
	BAD VEC_NOT_PRESENT, ISR_R | 4, lfetch.fault [r8]
	BAD VEC_NOT_PRESENT, ISR_W | 5, probe.w.fault r8, 0
	GOOD tak r9 = r8
	CHECK_VALUE r9, 1
	GOOD lfetch [r8]
	/* NaTPage */
	ITC_D VA, FINE | NATPAGE, 14
	BAD VEC_NAT, 0x20, tpa r9 = r8
	BAD VEC_NAT, ISR_R | 0x22, probe.r r9 = r8, 0
	/* no rights, bits or key: tpa and tak do not care */
	mov r8 = 0
	movl r9 = 1 | 0x42 << 8
	;;
	mov pkr[r8] = r9
	ssm PSR_PK
	;;
	srlz.d
	;;
	ITC_D VA, 0x3204000 | P | AR_R, 14, 0x777
	GOOD tpa r9 = r8
	CHECK_VALUE r9, 0x3204008
	GOOD tak r9 = r8
	CHECK_VALUE r9, 0x77700
	GOOD fc r8
	BAD VEC_DATA_KEY_MISS, ISR_R | 2, probe.r r9 = r8, 0
	BAD VEC_DATA_KEY_MISS, ISR_R | 4, lfetch.fault [r8]
	mov r8 = 1
	movl r9 = 1 | 2 | 4 | 0x777 << 8
	;;
	mov pkr[r8] = r9
	;;
	srlz.d
	;;
	GOOD probe.r r9 = r8, 0
	CHECK_VALUE r9, 0
	BAD VEC_KEY_PERMISSION, ISR_R | 5, probe.r.fault r8, 0
	mov r8 = 1
	movl r9 = 1 | 0x777 << 8
	;;
	mov pkr[r8] = r9
	;;
	srlz.d
	;;
	GOOD probe.r r9 = r8, 0
	CHECK_VALUE r9, 1
	GOOD probe.r r9 = r8, 3
	CHECK_VALUE r9, 0
	GOOD probe.w r9 = r8, 0
	CHECK_VALUE r9, 0
	BAD VEC_DATA_RIGHTS, ISR_W | 5, probe.w.fault r8, 0
	BAD VEC_DATA_RIGHTS, ISR_R | 5, probe.r.fault r8, 3
	BAD VEC_DATA_ACCESS_BIT, ISR_R | 5, probe.r.fault r8, 0
	BAD VEC_DATA_ACCESS_BIT, ISR_R | 4, lfetch.fault [r8]
	ITC_D VA, 0x3204000 | P | AR_RW, 14, 0x777
	GOOD probe.w r9 = r8, 0
	CHECK_VALUE r9, 1
	BAD VEC_DIRTY, ISR_W | 5, probe.w.fault r8, 0
	BAD VEC_DIRTY, ISR_R | ISR_W | 5, probe.rw.fault r8, 0
	ITC_D VA, 0x3204000 | FINE, 14, 0x777
	GOOD probe.rw.fault r8, 3
	/* PSR.dt off: the DTLB only; fc, lfetch, probe.fault are physical */
	DATA_OFF
	GOOD tpa r9 = r8
	CHECK_VALUE r9, 0x3204008
	GOOD probe.w r9 = r8, 3
	CHECK_VALUE r9, 1
	movl r8 = 0x3204008
	;;
	fc r8
	lfetch.fault [r8]
	;;
	probe.w.fault r8, 3
	;;
	/* thash and ttag take any address */
	thash r9 = r0
	ttag r10 = r0
	;;
	CHECK_VALUE r9, 0
	PASS
