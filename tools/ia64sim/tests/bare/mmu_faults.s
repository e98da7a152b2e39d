/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Faults of data references, each with ISR, IFA and ITIR.
 *
 * Rule interruption (SDM 2 ch. 8 Alternate Data TLB): Alternate Data TLB: r and w by the
 *   reference, ITIR by the region
 * Rule interruption (SDM 2:188): Page Not Present, whatever else the entry says
 * Rule interruption (SDM 2:196): NaT Page Consumption: code 0x20
 * Rule tlb (SDM 2 4.1.3): Data Key Miss without a PKR, Key Permission by PKR.wd and rd
 * Rule interruption (SDM 2:70): Data Access Rights, Dirty Bit and Access Bit, in this order
 * Rule interruption (SDM 2:25): PSR.da holds off Dirty and Access Bit for one instruction, nops
 *   count
 */
	.include "bare.inc"
	.include "mmu.inc"
	START
	IDENTITY
	DATA_ON
	/* the walker is off: Alternate Data TLB */
	BAD_LOAD R1 | 0x4008, VEC_ALT_DATA_TLB
	FAULTED_ITIR 1, 14
	BAD_STORE R1 | 0x4010, VEC_ALT_DATA_TLB
	FAULTED_ITIR 1, 14
	/* semaphores read and write */
	EXPECT 1f
	movl r2 = R1 | 0x4018
	;;
	xchg8 r8 = [r2], r0
	;;
	UNREACHABLE
1:
	FAULTED VEC_ALT_DATA_TLB, ISR_R | ISR_W, R1 | 0x4018
	SET_RR 1, 0x101, 16, 0
	BAD_LOAD R1 | 0x4008, VEC_ALT_DATA_TLB
	FAULTED_ITIR 1, 16

	/* not present, whatever else the entry says */
	ITC_D R1 | 0x4000, 0xfffffffffffffffe, 14
	BAD_LOAD R1 | 0x4008, VEC_NOT_PRESENT
	FAULTED_ITIR 1, 16
	BAD_STORE R1 | 0x4ff8, VEC_NOT_PRESENT
	/* NaTPage */
	ITC_D R1 | 0x4000, FINE | NATPAGE, 14
	BAD_LOAD R1 | 0x4008, VEC_NAT, ISR_R | 0x20
	BAD_STORE R1 | 0x4008, VEC_NAT, ISR_W | 0x20
	/* keys */
	ITC_D R1 | 0x4000, P | AR_R, 14, 0x1234
	mov r8 = 0
	movl r9 = 1 | 0x42 << 8		/* of the test's own page */
	mov r10 = 1
	movl r11 = 1 | 2 | 0x1234 << 8
	;;
	mov pkr[r8] = r9
	ssm PSR_PK
	;;
	srlz.d
	;;
	BAD_STORE R1 | 0x4008, VEC_DATA_KEY_MISS
	FAULTED_ITIR 1, 16
	BAD_LOAD R1 | 0x4008, VEC_DATA_KEY_MISS
	mov pkr[r10] = r11
	;;
	srlz.d
	;;
	BAD_STORE R1 | 0x4008, VEC_KEY_PERMISSION
	FAULTED_ITIR 1, 16
	movl r11 = 1 | 4 | 0x1234 << 8
	;;
	mov pkr[r10] = r11
	;;
	srlz.d
	;;
	BAD_LOAD R1 | 0x4008, VEC_KEY_PERMISSION
	movl r11 = 1 | 0x1234 << 8
	;;
	mov pkr[r10] = r11
	;;
	srlz.d
	;;
	/* rights, dirty, access */
	BAD_STORE R1 | 0x4008, VEC_DATA_RIGHTS
	FAULTED_ITIR 1, 16
	BAD_LOAD R1 | 0x4008, VEC_DATA_ACCESS_BIT
	FAULTED_ITIR 1, 16
	ITC_D R1 | 0x4000, P | AR_RW, 14, 0x1234
	BAD_STORE R1 | 0x4008, VEC_DIRTY
	FAULTED_ITIR 1, 16
	ITC_D R1 | 0x4000, P | D | AR_RW, 14, 0x1234
	BAD_STORE R1 | 0x4008, VEC_DATA_ACCESS_BIT
	rsm PSR_PK
	;;
	srlz.d
	;;
	/* PSR.da holds for one instruction: the load, not the store behind it */
	ITC_D R1 | 0x4000, 0x3000000 | P | AR_RW, 14
	EXPECT 3f
	GO_ON 2f, PSR_DT | PSR_DA
	.align 16
2:	{ .mmi
	ld8 r8 = [r0]			/* mapped by the identity TR */
	nop.m 0
	nop.i 0
	}
	;;
	movl r2 = R1 | 0x4008
	;;
	ld8 r8 = [r2]
	;;
	UNREACHABLE
3:
	FAULTED VEC_DATA_ACCESS_BIT, ISR_R, R1 | 0x4008
	movl r2 = R1 | 0x4008
	;;
	GO_ON 4f, PSR_DT | PSR_DA
	.align 16
4:	{ .mmi
	nop.m 0				/* uses PSR.da up */
	nop.m 0
	nop.i 0
	}
	;;
	BAD_LOAD R1 | 0x4008, VEC_DATA_ACCESS_BIT
	movl r9 = R1 | 0x4008
	;;
	GO_ON 5f, PSR_DT | PSR_DA
	.align 16
5:	{ .mmi
	st8 [r9] = r9			/* neither dirty nor accessed */
	nop.m 0
	nop.i 0
	}
	;;
	/* it all works in the end */
	ITC_D R1 | 0x4000, FINE | 0x100000, 14
	LOAD R1 | 0x4000
	movl r2 = 0x100000
	;;
	ld8 r9 = [r2]
	;;
	CHECK_EQ r8, r9
	PASS
