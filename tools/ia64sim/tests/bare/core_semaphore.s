/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Semaphores.
 *
 * Rule other (SDM 3:42): cmpxchg compares the zero-extended value in memory with all of CCV
 * Rule other (SDM 3:280): the old value, zero-extended, is the result of each semaphore
 * Rule other (SDM 3:67): fetchadd adds modulo its size
 * Rule other (SDM 2:200): memory that is not write-back: Unsupported Data Reference, but
 *   fetchadd on UCE
 */
	.include "bare.inc"
	.include "mmu.inc"
	START
	movl r8 = bare_data
	movl r9 = 0x1111222233334444
	movl r10 = 0x5555666677778888
	;;
	st8 [r8] = r9
	mov r11 = 0x44
	;;
	mov ar.ccv = r11
	;;
	cmpxchg1.acq r12 = [r8], r10, ar.ccv
	;;
	ld8 r13 = [r8]
	CHECK_VALUE r12, 0x44
	CHECK_VALUE r13, 0x1111222233334488
	cmpxchg1.acq r12 = [r8], r10, ar.ccv
	;;
	ld8 r13 = [r8]
	CHECK_VALUE r12, 0x88
	CHECK_VALUE r13, 0x1111222233334488
	/* CCV's upper bits count */
	movl r11 = 0x100004488
	;;
	mov ar.ccv = r11
	;;
	cmpxchg2.rel r12 = [r8], r0, ar.ccv
	;;
	ld8 r13 = [r8]
	CHECK_VALUE r12, 0x4488
	CHECK_VALUE r13, 0x1111222233334488
	movl r11 = 0x33334488
	;;
	mov ar.ccv = r11
	;;
	cmpxchg4.acq r12 = [r8], r10, ar.ccv
	;;
	ld8 r13 = [r8]
	CHECK_VALUE r12, 0x33334488
	CHECK_VALUE r13, 0x1111222277778888
	xchg2 r12 = [r8], r0
	;;
	ld8 r13 = [r8]
	CHECK_VALUE r12, 0x8888
	CHECK_VALUE r13, 0x1111222277770000
	xchg8 r12 = [r8], r10
	;;
	CHECK_VALUE r12, 0x1111222277770000
	fetchadd4.acq r12 = [r8], -16
	;;
	ld8 r13 = [r8]
	CHECK_VALUE r12, 0x77778888
	CHECK_VALUE r13, 0x5555666677778878
	st4 [r8] = r0
	;;
	fetchadd4.rel r12 = [r8], -1
	;;
	ld8 r13 = [r8]
	CHECK_VALUE r12, 0
	CHECK_VALUE r13, 0x55556666ffffffff
	fetchadd8.acq r12 = [r8], 1
	;;
	ld8 r13 = [r8]
	CHECK_VALUE r13, 0x5555666700000000

	/* 16-byte references are not the Madison's. */
	EXPECT 1f
	ld16 r12, ar.csd = [r8]
	UNREACHABLE
1:	INTERRUPTED VEC_GENERAL, 0
	EXPECT 2f
	cmp8xchg16.acq r12 = [r8], r10, ar.csd, ar.ccv
	UNREACHABLE
2:	INTERRUPTED VEC_GENERAL, 0

	ISR_RW = ISR_R | ISR_W
	IDENTITY
	ITC_D R5, 0x200000 | FINE | UC, 14
	ITC_D (R5 + 0x4000), 0x204000 | FINE | UCE, 14
	DATA_ON
	movl r8 = R5
	movl r9 = R5 + 0x4000
	EXPECT 3f
	xchg8 r12 = [r8], r10
	UNREACHABLE
3:	INTERRUPTED VEC_UNSUPPORTED, ISR_RW
	EXPECT 4f
	fetchadd8.acq r12 = [r8], 1
	UNREACHABLE
4:	INTERRUPTED VEC_UNSUPPORTED, ISR_RW
	fetchadd8.acq r12 = [r9], 1
	EXPECT 5f
	cmpxchg8.acq r12 = [r9], r10, ar.ccv
	UNREACHABLE
5:	INTERRUPTED VEC_UNSUPPORTED, ISR_RW
	DATA_OFF
	PASS
