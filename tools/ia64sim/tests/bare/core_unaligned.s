/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Unaligned references, in physical mode, as the Itanium 2 does them.
 *
 * Rule interruption (SDM 2:199): PSR.ac 0: integers may be unaligned inside 8 aligned bytes,
 *   floating-point inside 16
 * Rule interruption (SDM 2:199): all else: Unaligned Data Reference, IFA the address; with
 *   PSR.ac 1 all that are unaligned
 * Rule interruption (SDM 3:151): semaphores and pairs must be aligned
 */
	.include "bare.inc"
	START
	movl r8 = bare_data
	movl r9 = 0x8877665544332211
	movl r10 = 0xffeeddccbbaa9900
	;;
	add r11 = 8, r8
	st8 [r8] = r9
	;;
	st8 [r11] = r10
	add r21 = 1, r8
	add r22 = 2, r8
	add r23 = 3, r8
	add r24 = 4, r8
	add r25 = 5, r8
	add r27 = 7, r8
	;;
	ld2 r12 = [r21]
	ld4 r13 = [r22]
	ld4 r14 = [r24]
	;;
	CHECK_VALUE r12, 0x3322
	CHECK_VALUE r13, 0x66554433
	CHECK_VALUE r14, 0x88776655
	mov r15 = 0x1234
	;;
	st2 [r25] = r15
	;;
	ld8 r12 = [r8]
	;;
	CHECK_VALUE r12, 0x8812345544332211
	st8 [r8] = r9

	.macro UNALIGNED isr, offset, insn
	EXPECT 8881f
	\insn
	UNREACHABLE
8881:
	INTERRUPTED VEC_UNALIGNED, \isr
	LOAD_RECORD r16, RECORD_IFA
	CHECK_VALUE r16, bare_data + \offset
	.endm
	ISR_RW = ISR_R | ISR_W
	UNALIGNED ISR_R, 7, "ld2 r12 = [r27]"
	UNALIGNED ISR_R, 5, "ld4 r12 = [r25]"
	UNALIGNED ISR_R, 1, "ld8 r12 = [r21]"
	UNALIGNED ISR_R, 4, "ld8.a r12 = [r24]"
	UNALIGNED ISR_W, 7, "st2 [r27] = r9"
	UNALIGNED ISR_W, 1, "st8 [r21] = r9, 8"
	CHECK_VALUE r21, bare_data + 1
	UNALIGNED ISR_RW, 2, "xchg4 r12 = [r22], r9"
	UNALIGNED ISR_RW, 1, "cmpxchg2.acq r12 = [r21], r9, ar.ccv"
	UNALIGNED ISR_RW, 4, "fetchadd8.acq r12 = [r24], 1"

	/* Floating point: inside 16 bytes */
	ldf8 f10 = [r24]
	;;
	getf.sig r12 = f10
	;;
	CHECK_VALUE r12, 0xbbaa990088776655
	ldfs f10 = [r27]
	add r26 = 6, r8
	;;
	ldfe f11 = [r26]
	;;
	getf.sig r12 = f11
	;;
	CHECK_VALUE r12, 0xddccbbaa99008877
	add r28 = 9, r8
	add r29 = 13, r8
	;;
	UNALIGNED ISR_R, 9, "ldfd f10 = [r28]"
	UNALIGNED ISR_R, 13, "ldfs f10 = [r29]"
	UNALIGNED ISR_R, 7, "ldfe f10 = [r27]"
	UNALIGNED ISR_W, 9, "stfd [r28] = f1"
	/* pairs, spill and fill */
	UNALIGNED ISR_R, 8, "ldfp8 f10, f11 = [r11]"
	UNALIGNED ISR_R, 4, "ldfps f10, f11 = [r24]"
	UNALIGNED ISR_R, 8, "ldf.fill f10 = [r11]"
	UNALIGNED ISR_W, 8, "stf.spill [r11] = f10"
	ldfps f10, f11 = [r11]
	;;

	sum 1 << 3
	;;
	UNALIGNED ISR_R, 1, "ld2 r12 = [r21]"
	UNALIGNED ISR_R, 4, "ldf8 f10 = [r24]"
	UNALIGNED ISR_W, 2, "st4 [r22] = r9"
	ld4 r12 = [r24]
	rum 1 << 3
	;;
	ld2 r12 = [r21]
	;;
	CHECK_VALUE r12, 0x3322
	PASS
