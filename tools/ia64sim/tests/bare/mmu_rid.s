/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A processor with the fewest bits of region IDs.
 *
 * Rule tlb (SDM 2:4.1.2): bits of a region ID that are not implemented are reserved
 *
 * Options: -tlb rid=18
 */
	.include "bare.inc"
	START
	movl r20 = 1 << 61
	movl r21 = 0x3ffff << 8 | 14 << 2
	;;
	mov rr[r20] = r21
	;;
	srlz.d
	movl r22 = 0x40000 << 8 | 14 << 2
	EXPECT 1f
	mov rr[r20] = r22
	UNREACHABLE
1:	INTERRUPTED VEC_GENERAL, 0x30
	mov r23 = rr[r20]
	;;
	CHECK_EQ r23, r21
	PASS
