/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Addresses that are not implemented.  A Madison implements all 61 bits of virtual
 * addresses, and physical bits 49:0 and 63.
 *
 * Rule tlb (SDM 2:73): a physical reference with any of bits 62:50 is an Unimplemented Data
 *   Address
 * Rule tlb (SDM 2:73): bit 63 of a physical address is no address: it makes the reference
 *   uncacheable
 * Rule tlb (SDM 2:73): every virtual address is implemented: it misses, whatever its bits 60:50
 *   are
 * Rule tlb (SDM 2:73): lfetch does nothing at an unimplemented address, lfetch.fault and fc
 *   fault
 * Rule nat (SDM 2:105): a speculative load of an unimplemented address gives NaT in any case
 * Rule interruption (SDM 2:206): a branch to an unimplemented address traps: code 0x10, IIP the
 *   address
 * Rule interruption (SDM 2:206): rfi to an unimplemented address: the same vector
 */
	.include "bare.inc"
	.include "mmu.inc"

	.macro BAD address, isr, instruction:vararg
	EXPECT 8884f
	movl r8 = \address
	;;
	\instruction
	;;
	UNREACHABLE
8884:
	FAULTED VEC_GENERAL, 0x30 | \isr, \address
	.endm

	START
	IDENTITY
	.irp n, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62
	BAD 1 << \n | 0x204000, ISR_R, ld8 r9 = [r8]
	BAD 1 << 63 | 1 << \n | 0x204000, ISR_R | ISR_W, xchg8 r9 = [r8], r0
	movl r8 = 1 << \n | 0x204000
	mov r9 = 1
	;;
	ld8.s r9 = [r8]
	;;
	CHECK_NAT r9
	lfetch [r8]
	;;
	.endr
	BAD_STORE 1 << 50, VEC_GENERAL, ISR_W | 0x30
	BAD_STORE 1 << 62, VEC_GENERAL, ISR_W | 0x30
	BAD 1 << 50, ISR_R | ISR_NA | 4, lfetch.fault [r8]
	BAD 1 << 50, ISR_R | ISR_NA | 1, fc r8
	/* bit 63 */
	movl r8 = 0x204000
	movl r9 = 1 << 63 | 0x204000
	mov r10 = 0x12
	;;
	st8 [r8] = r10
	;;
	ld8 r10 = [r9]
	;;
	CHECK_VALUE r10, 0x12
	/* virtual ones */
	DATA_ON
	.irp n, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60
	BAD_LOAD R1 | 1 << \n | 0x4008, VEC_ALT_DATA_TLB
	ITC_D R1 | 1 << \n | 0x4000, 0x204000 | FINE, 14
	LOAD R1 | 1 << \n | 0x4000
	CHECK_VALUE r8, 0x12
	.endr
	DATA_OFF
	/* branches */
	.irp n, 50, 62
	movl r8 = 1 << \n | 0x204000
	EXPECT 1f
	mov b6 = r8
	;;
	br.cond.sptk.many b6
	;;
	UNREACHABLE
1:	INTERRUPTED VEC_LOWER_PRIVILEGE, 0x10
	LOAD_RECORD r14, RECORD_IIP
	CHECK_VALUE r14, 1 << \n | 0x204000
	EXPECT 2f
	GO_ON 1 << \n | 0x204000, 0
	UNREACHABLE
2:	INTERRUPTED VEC_LOWER_PRIVILEGE, 0x10
	.endr
	PASS
