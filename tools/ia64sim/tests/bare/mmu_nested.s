/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Misses while PSR.ic is 0.  (With the walker on: mmu_walker_nested.)
 *
 * Rule interruption (SDM 2:70): Data Nested TLB leaves IPSR, IIP, IFA, ITIR, IHA and ISR alone
 * Rule interruption (SDM 2:70): faults of a translation that is there are not nested: ISR is
 *   written, with ni
 * Rule interruption (SDM 2:70): PSR.ic in flight, on or off: an ordinary miss with ISR.ni
 */
	.include "bare.inc"
	.include "mmu.inc"
	START
	IDENTITY
	DATA_ON
	EXPECT 1f
	IC_OFF
	movl r2 = PSR_DT | PSR_BN | PSR_IC	/* what the handler returns with */
	movl r3 = 0x123450
	;;
	mov cr.ipsr = r2
	;;
	mov cr.iip = r3
	movl r2 = R2 | 0x7654321
	;;
	mov cr.ifa = r2
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
	LOAD R1 | 0x4000
	UNREACHABLE
1:
	LOAD_RECORD r14, RECORD_VECTOR
	CHECK_VALUE r14, VEC_NESTED
	LOAD_RECORD r14, RECORD_ISR
	CHECK_VALUE r14, 0x55
	LOAD_RECORD r14, RECORD_IFA
	CHECK_VALUE r14, R2 | 0x7654321
	LOAD_RECORD r14, RECORD_ITIR
	CHECK_VALUE r14, 0x777700 | 12 << 2
	LOAD_RECORD r14, RECORD_IHA
	CHECK_VALUE r14, 0x1230
	LOAD_RECORD r14, RECORD_IIP
	CHECK_VALUE r14, 0x123450
	LOAD_RECORD r14, RECORD_IPSR
	CHECK_VALUE r14, PSR_DT | PSR_BN | PSR_IC
	/* a store, the same; with the walker on and its table missing, the same */
	SET_RR 1, 0x101, 14, 1
	movl r8 = 0x100000000 | 20 << 2 | 1
	;;
	mov cr.pta = r8
	;;
	srlz.i
	;;
	EXPECT 2f
	IC_OFF
	movl r2 = PSR_DT | PSR_BN | PSR_IC
	mov r3 = 0x56
	;;
	mov cr.ipsr = r2
	;;
	mov cr.isr = r3
	;;
	mov cr.ifs = r0
	STORE R1 | 0x4000
	UNREACHABLE
2:
	LOAD_RECORD r14, RECORD_VECTOR
	CHECK_VALUE r14, VEC_NESTED
	LOAD_RECORD r14, RECORD_ISR
	CHECK_VALUE r14, 0x56
	/* a present page's faults are not nested: ISR is written, with ni */
	ITC_D R1 | 0x4000, FINE & ~A, 14
	EXPECT 3f
	IC_OFF
	movl r2 = PSR_DT | PSR_BN | PSR_IC
	movl r3 = R2 | 0x11
	;;
	mov cr.ipsr = r2
	;;
	mov cr.ifa = r3
	;;
	mov cr.ifs = r0
	LOAD R1 | 0x4008
	UNREACHABLE
3:
	INTERRUPTED VEC_DATA_ACCESS_BIT, ISR_R | ISR_NI
	LOAD_RECORD r14, RECORD_IFA
	CHECK_VALUE r14, R2 | 0x11
	/* in flight: rsm without srlz */
	EXPECT 4f
	movl r8 = R1 | 0x8000
	;;
	rsm PSR_IC
	;;
	ld8 r9 = [r8]
	;;
	UNREACHABLE
4:
	FAULTED VEC_VHPT, ISR_R | ISR_NI, R1 | 0x8000
	/* the handler returned with IPSR: what PSR.ic was then, 0 */
	IC_ON
	SET_RR 1, 0x101, 14, 0
	/* in flight: ssm without srlz */
	EXPECT 5f
	IC_OFF
	movl r8 = R1 | 0x8000
	;;
	ssm PSR_IC
	;;
	ld8 r9 = [r8]
	;;
	UNREACHABLE
5:
	FAULTED VEC_ALT_DATA_TLB, ISR_R | ISR_NI, R1 | 0x8000
	PASS
