/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lfetch, in physical mode.
 *
 * Rule nat (SDM 3:145): lfetch never faults, whatever its address is
 * Rule nat (SDM 3:145): lfetch.fault faults as a non-access of code 4, unless PSR.ed is 1
 * Rule nat (SDM 3:145): both do their post-increment in any case but the fault's
 */
	.include "bare.inc"
	.include "mmu.inc"
	PSR_ED = 1 << 43
	START
	IDENTITY
	DATA_ON
	movl r8 = R5 + 0x4000
	;;
	lfetch [r8], 64
	;;
	CHECK_VALUE r8, R5 + 0x4040
	EXPECT 1f
	lfetch.fault [r8], 64
	UNREACHABLE
1:
	INTERRUPTED VEC_ALT_DATA_TLB, ISR_R | ISR_NA | 4
	CHECK_VALUE r8, R5 + 0x4040
	mov ar.unat = -1
	movl r9 = bare_data
	;;
	ld8.fill r10 = [r9]
	GO_ON 2f, PSR_DT | PSR_RT | PSR_ED
	.align 16
2:	lfetch.fault [r8], 64
	;;
	CHECK_VALUE r8, R5 + 0x4080
	GO_ON 3f, PSR_DT | PSR_RT | PSR_ED
	.align 16
3:	lfetch.fault [r10], 64
	;;
	CHECK_NAT r10
	/* ed was for one instruction */
	EXPECT 4f
	lfetch.fault [r8]
	UNREACHABLE
4:
	INTERRUPTED VEC_ALT_DATA_TLB, ISR_R | ISR_NA | 4
	DATA_OFF
	PASS
