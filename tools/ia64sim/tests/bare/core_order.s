/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Instructions with more than one thing wrong.  (Of data references: mmu_order.)
 *
 * Rule interruption (SDM 2 5.5): Instruction Debug before everything that executing would raise
 * Rule interruption (SDM 2 5.5): Illegal Operation before Privileged Operation
 * Rule interruption (SDM 2 5.5): Illegal Operation before Register NaT Consumption
 * Rule interruption (SDM 2 5.5): Illegal Operation before the faults of a data reference
 * Rule interruption (SDM 2 5.5): Privileged Operation before Register NaT Consumption
 * Rule interruption (SDM 2 5.5): Privileged Operation before Reserved Register/Field
 * Rule interruption (SDM 2 5.5): Disabled FP-Register before Register NaT Consumption
 * Rule interruption (SDM 2 5.5): Disabled FP-Register before the faults of a data reference
 * Rule interruption (SDM 2 5.5): Register NaT Consumption before Reserved Register/Field
 * Rule interruption (SDM 2 5.5): Register NaT Consumption of a datum before a store's own
 *   faults
 * Rule interruption (SDM 2 5.5): an instruction that is predicated off raises only Debug
 */
	.include "bare.inc"
	.include "mmu.inc"
	PSR_DFH = 1 << 19

	.macro RAISES vector, isr, instruction:vararg
	EXPECT 8885f
	\instruction
	;;
	UNREACHABLE
8885:
	INTERRUPTED \vector, \isr
	.endm

	.macro STORE_NAT
	st8 [r20] = r21
	.endm

	START
	IDENTITY
	alloc r2 = ar.pfs, 0, 8, 0, 0
	;;
	movl r20 = R1 | 0x4000			/* not mapped */
	movl r8 = bare_data
	mov ar.unat = -1
	;;
	ld8.fill r21 = [r8]			/* NaT */
	movl r22 = 1 << 61 | 2			/* reserved in an RR */
	mov r23 = 0xff				/* no such PKR */
	DATA_ON
	RAISES VEC_GENERAL, 0, ld8 r40 = [r20]
	RAISES VEC_GENERAL, 0, ld8 r40 = [r21]
	RAISES VEC_GENERAL, 0, itc.d r21
	RAISES VEC_NAT, 0x10, mov rr[r22] = r21
	RAISES VEC_NAT, 0x10, mov pkr[r23] = r21
	RAISES VEC_GENERAL, 0x30, mov rr[r22] = r22
	RAISES VEC_NAT, ISR_W | 0x10, STORE_NAT
	RAISES VEC_NAT, ISR_R | ISR_W | 0x10, xchg8 r9 = [r20], r21
	ssm PSR_DFH
	;;
	srlz.d
	;;
	RAISES VEC_DISABLED_FP, ISR_R | 2, ldfd f40 = [r20]
	RAISES VEC_DISABLED_FP, ISR_R | 2, ldfd f40 = [r21]
	RAISES VEC_DISABLED_FP, 2, setf.sig f40 = r21
	rsm PSR_DFH
	;;
	srlz.d
	;;
	/* level 3 */
	PROMOTION
	GO_ON 1f, PSR_DT | PSR_IT | PSR_CPL3
1:
	RAISES VEC_GENERAL, 0, mov r40 = psr
	RAISES VEC_GENERAL, 0, itc.d r20
	RAISES VEC_GENERAL, 0x10, mov rr[r22] = r21
	RAISES VEC_GENERAL, 0x10, mov rr[r22] = r22
	RAISES VEC_GENERAL, 0x10, mov r9 = pkr[r21]
	RAISES VEC_GENERAL, 0x10, tpa r9 = r21
	PROMOTE
	/* predicated off */
	cmp.ne p8, p9 = r0, r0
	;;
(p8)	ld8 r9 = [r20]
(p8)	mov r10 = r40
(p8)	mov rr[r22] = r22
(p8)	break 0
	;;
	srlz.d
	;;
	/* a breakpoint on it, and on an illegal one */
	mov r8 = 0
	mov r9 = 1
	movl r10 = 2f
	movl r11 = 1 << 63 | 1 << 56 | 0xffffffffffffe0	/* two bundles */
	;;
	mov ibr[r8] = r10
	mov ibr[r9] = r11
	;;
	EXPECT 3f
	DB_ON
	br.sptk.many 2f
	;;
	.align 32
2:	{ .mii
(p8)	ld8 r9 = [r20]
	nop.i 0
	nop.i 0
	}
	;;
	{ .mii
	ld8 r40 = [r21]
	nop.i 0
	nop.i 0
	}
	;;
	UNREACHABLE
3:	INTERRUPTED VEC_DEBUG, ISR_X
	LOAD_RECORD r14, RECORD_IIP
	movl r15 = 2b
	;;
	CHECK_EQ r14, r15
	EXPECT 4f
	add r15 = 16, r15
	;;
	mov b6 = r15
	;;
	br.sptk.many b6
	;;
4:	INTERRUPTED VEC_DEBUG, ISR_X
	LOAD_RECORD r14, RECORD_IIP
	movl r15 = 2b + 16
	;;
	CHECK_EQ r14, r15
	DB_OFF
	PASS
