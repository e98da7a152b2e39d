/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Spill and fill of NaT bits.
 *
 * Rule nat (SDM 1:60): st8.spill writes the NaT bit to the bit of UNAT that address bits 8:3
 *   name, to no other
 * Rule nat (SDM 1:60): ld8.fill reads the NaT bit from there
 * Rule nat (SDM 3:151): neither may be unaligned
 */
	.include "bare.inc"
	START
	movl r8 = bare_data
	mov ar.unat = -1
	;;
	ld8.fill r9 = [r8]
	mov r10 = 55
	mov ar.unat = r0
	;;
	add r11 = 8 * 5, r8
	add r12 = 8 * 62, r8
	;;
	st8.spill [r11] = r9
	;;
	st8.spill [r12] = r9, 8
	;;
	st8.spill [r12] = r10, -8		/* bit 63 */
	;;
	mov r13 = ar.unat
	;;
	CHECK_VALUE r13, 1 << 5 | 1 << 62
	ld8.fill r14 = [r12], 8
	;;
	CHECK_NAT r14
	ld8.fill r14 = [r12]
	;;
	CHECK_VALUE r14, 55
	st8.spill [r11] = r10
	;;
	mov r13 = ar.unat
	;;
	CHECK_VALUE r13, 1 << 62
	add r11 = 4, r11
	EXPECT 1f
	st8.spill [r11] = r10
	UNREACHABLE
1:
	INTERRUPTED VEC_UNALIGNED, ISR_W
	EXPECT 2f
	ld8.fill r14 = [r11]
	UNREACHABLE
2:
	INTERRUPTED VEC_UNALIGNED, ISR_R
	PASS
