/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One semaphore in a page of 16 MiB that has everything wrong, repaired in the order
 * in which the faults must show.  (Fetches: mmu_fetch.)
 *
 * Rule interruption (SDM 2:70): a miss comes before everything that an entry has wrong
 * Rule interruption (SDM 2:70): Page Not Present before NaT Page Consumption
 * Rule interruption (SDM 2:70): NaT Page Consumption before Data Key Miss
 * Rule interruption (SDM 2:70): Data Key Miss before Data Key Permission
 * Rule interruption (SDM 2:70): Data Key Permission before Data Access Rights
 * Rule interruption (SDM 2:70): Data Access Rights before Data Dirty Bit
 * Rule interruption (SDM 2:70): Data Dirty Bit before Data Access Bit, as figure 4-16 draws it
 * Rule interruption (SDM 2:70): Data Access Bit before Data Debug
 * Rule interruption (SDM 2:70): Data Debug before Unaligned Data Reference
 * Rule interruption (SDM 2:70): Unaligned Data Reference before Unsupported Data Reference
 * Rule interruption (SDM 3:42): a NaT address comes before all of these
 * Rule interruption (SDM 2:165): semaphores set ISR.r and ISR.w on every one of them
 * Rule tlb (SDM 2:56): PSR.da holds Dirty and Access Bit off, and no other fault
 * Rule tlb (SDM 2 4.1.3): key faults only with PSR.pk 1; PKR.wd denies writes, rd reads, v
 *   makes it count
 */
	.include "bare.inc"
	.include "mmu.inc"
	VA = R1 | 0x5abcd04
	RW = ISR_R | ISR_W

	.macro BAD vector, isr=RW
	EXPECT 8884f
	movl r8 = VA
	;;
	xchg8 r9 = [r8], r0
	;;
	UNREACHABLE
8884:
	FAULTED \vector, \isr, VA
	.endm

	.macro PAGE word, key=0x777
	ITC_D VA, \word, 24, \key
	.endm

	START
	IDENTITY
	SET_PKR 0, 1 | 0x42 << 8
	/* unaligned, on a breakpoint, for reads and writes of level 0 */
	mov r8 = 6
	mov r9 = 7
	movl r10 = VA + 3
	movl r11 = 0xc1 << 56 | 0xffffffffffffff
	;;
	mov dbr[r8] = r10
	mov dbr[r9] = r11
	ssm PSR_PK | PSR_DT
	;;
	srlz.i
	;;
	DB_ON
	BAD VEC_ALT_DATA_TLB
	FAULTED_ITIR 1, 14
	PAGE NATPAGE
	BAD VEC_NOT_PRESENT
	PAGE P | NATPAGE
	BAD VEC_NAT, RW | 0x20
	PAGE P | UC
	BAD VEC_DATA_KEY_MISS
	SET_PKR 1, 2 | 4 | 0x777 << 8		/* not valid */
	BAD VEC_DATA_KEY_MISS
	SET_PKR 1, 1 | 2 | 0x777 << 8
	BAD VEC_KEY_PERMISSION
	SET_PKR 1, 1 | 4 | 0x777 << 8
	BAD VEC_KEY_PERMISSION
	SET_PKR 1, 1 | 8 | 0x777 << 8		/* execution is another matter */
	BAD VEC_DATA_RIGHTS
	FAULTED_ITIR 1, 14
	PAGE P | UC | AR_RW
	BAD VEC_DIRTY
	FAULTED_ITIR 1, 14
	PAGE P | UC | AR_RW | D
	BAD VEC_DATA_ACCESS_BIT
	FAULTED_ITIR 1, 14
	PAGE P | UC | AR_RW | D | A
	BAD VEC_DEBUG
	DB_OFF
	BAD VEC_UNALIGNED
	/* aligned */
	VA = R1 | 0x5abcd08
	BAD VEC_UNSUPPORTED
	rsm PSR_PK
	;;
	srlz.d
	;;
	PAGE 0x1000000 | P | AR_RW | D | A, 0x999
	movl r8 = VA
	;;
	xchg8 r9 = [r8], r8
	movl r10 = 0x1abcd08
	;;
	ld8 r9 = [r10]
	;;
	CHECK_EQ r8, r9
	/* PSR.da: not dirty, not accessed; but key and rights */
	PAGE 0x1000000 | P | AR_RW, 0x999
	GO_ON 1f, PSR_DT | PSR_DA
	.align 16
1:	{ .mmi
	xchg8 r9 = [r8], r0
	nop.m 0
	nop.i 0
	}
	;;
	ld8 r9 = [r10]
	;;
	CHECK_VALUE r9, 0
	EXPECT 3f
	GO_ON 2f, PSR_DT | PSR_DA | PSR_PK
	.align 16
2:	{ .mmi
	xchg8 r9 = [r8], r0
	nop.m 0
	nop.i 0
	}
	;;
	UNREACHABLE
3:	FAULTED VEC_DATA_KEY_MISS, RW, VA
	PAGE 0x1000000 | P | AR_R, 0x999
	EXPECT 5f
	GO_ON 4f, PSR_DT | PSR_DA
	.align 16
4:	{ .mmi
	xchg8 r9 = [r8], r0
	nop.m 0
	nop.i 0
	}
	;;
	UNREACHABLE
5:	FAULTED VEC_DATA_RIGHTS, RW, VA
	/* a NaT address, on top of all */
	mov ar.unat = -1
	movl r10 = 0x1abcd08
	;;
	ld8.fill r8 = [r10]
	EXPECT 6f
	xchg8 r9 = [r8], r0
	;;
	UNREACHABLE
6:	INTERRUPTED VEC_NAT, RW | 0x10
	PASS
