/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Faults of instruction fetches in the order of their priority.  A page at region 1 that
 * holds one bundle and a return.
 *
 * Rule interruption (SDM 2:70): fetch: TLB miss, Not Present, NaT Page, Key Miss, Key
 *   Permission, Rights, Access Bit, Debug
 * Rule interruption (SDM 2:177): fetch: ISR.x, IFA and IIP the bundle, ITIR by the region
 * Rule interruption (SDM 2:154): PSR.id holds off the breakpoint for one instruction of the
 *   bundle
 * Rule tlb (SDM 2:51): ptc.l removes instruction translations, and the next fetch misses
 */
	.include "bare.inc"
	.include "mmu.inc"
	VA = R1 | 0x4000

	.macro GO
	movl r2 = VA
	;;
	mov b6 = r2
	;;
	br.call.sptk.many b1 = b6
	;;
	.endm

	.macro BAD_FETCH vector, isr=ISR_X
	EXPECT 8883f
	GO
	UNREACHABLE
8883:
	FAULTED \vector, \isr, VA
	.endm

	START
	IDENTITY
	mov r8 = 0
	movl r9 = 1 | 0x42 << 8
	mov r12 = 1
	;;
	mov pkr[r8] = r9
	;;
	GO_ON 1f, PSR_DT | PSR_IT | PSR_PK
1:
	BAD_FETCH VEC_ALT_INST_TLB
	FAULTED_ITIR 1, 14
	LOAD_RECORD r14, RECORD_IIP
	CHECK_VALUE r14, VA
	ITC_I VA, 0x3200000 | NATPAGE, 14, 7
	BAD_FETCH VEC_NOT_PRESENT
	FAULTED_ITIR 1, 14
	ITC_I VA, 0x3200000 | NATPAGE | P, 14, 7
	BAD_FETCH VEC_NAT, ISR_X | 0x20
	ITC_I VA, 0x3200000 | P, 14, 7
	BAD_FETCH VEC_INST_KEY_MISS
	FAULTED_ITIR 1, 14
	movl r9 = 1 | 8 | 7 << 8
	;;
	mov pkr[r12] = r9
	;;
	srlz.i
	;;
	BAD_FETCH VEC_KEY_PERMISSION
	FAULTED_ITIR 1, 14
	movl r9 = 1 | 7 << 8
	;;
	mov pkr[r12] = r9
	;;
	srlz.i
	;;
	BAD_FETCH VEC_INST_RIGHTS
	FAULTED_ITIR 1, 14
	ITC_I VA, 0x3200000 | P | AR_RX, 14, 7
	BAD_FETCH VEC_INST_ACCESS_BIT
	FAULTED_ITIR 1, 14
	/* now with code: copy a bundle there */
	movl r2 = 8f
	movl r3 = 0x3200000
	;;
	ld8 r10 = [r2], 8
	;;
	ld8 r11 = [r2]
	st8 [r3] = r10, 8
	;;
	st8 [r3] = r11
	;;
	fc r3
	;;
	sync.i
	;;
	srlz.i
	;;
	ITC_I VA, 0x3200000 | P | A | AR_RX, 14, 7
	mov r8 = 0
	;;
	GO
	CHECK_VALUE r8, 77
	/* an instruction breakpoint */
	mov r9 = 0
	mov r10 = 1
	movl r11 = VA
	movl r12 = 1 << 63 | 1 << 56 | 0xfffffffffffff0
	;;
	mov ibr[r9] = r11
	mov ibr[r10] = r12
	;;
	DB_ON
	BAD_FETCH VEC_DEBUG
	DB_OFF
	/* PSR.id: the first instruction passes, the second is in the same bundle */
	EXPECT 3f
	mov r8 = 0
	movl r9 = 2f
	;;
	mov b1 = r9
	;;
	GO_ON VA, PSR_DT | PSR_IT | PSR_DB | PSR_ID
2:
	UNREACHABLE
3:
	FAULTED VEC_DEBUG, ISR_X, VA
	CHECK_VALUE r8, 77
	DB_OFF
	/* ptc.l of the page that the code is in by itc: the fetch misses again */
	PTC_L VA, 14
	BAD_FETCH VEC_ALT_INST_TLB
	PASS
	.align 16
8:	{ .mib
	mov r8 = 77
	nop.i 0
	br.ret.sptk.many b1
	}
