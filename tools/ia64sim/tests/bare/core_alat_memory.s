/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ALAT and the memory behind the addresses.
 *
 * Rule alat (SDM 1:64): a store to the same bytes through another virtual address removes the
 *   entry
 * Rule alat (SDM 1:64): so does one through a page of another size, or by physical address
 * Rule alat (SDM 1:65): ld.sa that loads makes an entry; one that is deferred gives NaT and
 *   none
 * Rule alat (SDM 1:65): chk.a after a deferred ld.sa goes to its recovery code
 * Rule alat (SDM 3:151): ld.a of a page that raises a fault makes no entry
 * Rule alat (SDM 1:65): a semaphore or a spill to the bytes removes the entry
 * Rule alat (SDM 3:151): ld.c whose entry is gone loads and raises faults as any load
 */
	.include "bare.inc"
	.include "mmu.inc"
	.macro ENTERED
	ld8.a r11 = [r8]
	;;
	mov r11 = 99
	;;
	ld8.c.nc r11 = [r8]
	;;
	CHECK_VALUE r11, 99
	.endm
	.macro GONE
	ld8.c.clr r11 = [r8]
	;;
	CHECK_VALUE r11, 0x77
	.endm
	START
	IDENTITY
	/* 0x3204000 at two addresses and in a page of 16 MiB */
	ITC_D R1 | 0x4000, 0x3204000 | FINE, 14
	ITC_D R2 | 0x8000, 0x3204000 | FINE, 14
	ITC_D R3, 0x3000000 | FINE, 24
	ITC_D R4, FINE | UC, 14
	DATA_ON
	movl r8 = R1 | 0x4010
	movl r20 = R2 | 0x8010
	movl r21 = R3 | 0x204010
	mov r9 = 0x77
	mov ar.unat = 0
	;;
	st8 [r8] = r9
	;;
	ENTERED
	st8 [r20] = r9
	;;
	GONE
	ENTERED
	st1 [r21] = r9
	;;
	GONE
	/* next to it, through all of them */
	ENTERED
	add r20 = 8, r20
	add r21 = -8, r21
	;;
	st8 [r20] = r0
	st8 [r21] = r0
	;;
	mov r11 = 98
	;;
	ld8.c.nc r11 = [r8]
	;;
	CHECK_VALUE r11, 98
	add r20 = -8, r20
	;;
	st8.spill [r20] = r9
	;;
	GONE
	ENTERED
	xchg8 r12 = [r20], r9
	;;
	GONE
	/* physical */
	ENTERED
	DATA_OFF
	movl r22 = 0x3204010
	;;
	st8 [r22] = r9
	DATA_ON
	GONE
	/* speculative and advanced */
	ld8.sa r11 = [r8]
	;;
	CHECK_VALUE r11, 0x77
	chk.a.nc r11, wrong
	br.cond.sptk.few 1f
wrong:
	UNREACHABLE
1:
	movl r23 = R4
	;;
	ld8.sa r11 = [r23]			/* uncacheable: deferred */
	;;
	CHECK_NAT r11
	chk.a.clr r11, 2f
	UNREACHABLE
2:
	invala
	movl r23 = R1 | 0x10000
	EXPECT 3f
	ld8.a r11 = [r23]
	;;
	UNREACHABLE
3:	FAULTED VEC_ALT_DATA_TLB, ISR_R, R1 | 0x10000
	chk.a.nc r11, 4f
	UNREACHABLE
4:
	EXPECT 5f
	ld8.c.nc r11 = [r23]
	;;
	UNREACHABLE
5:	FAULTED VEC_ALT_DATA_TLB, ISR_R, R1 | 0x10000
	PASS
