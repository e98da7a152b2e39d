/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Breakpoints, in physical mode.  (In virtual mode, and the order of faults: mmu_debug.)
 *
 * Rule interruption (SDM 2:151): Debug is raised before an instruction whose address, mask and
 *   level an IBR pair matches
 * Rule interruption (SDM 2:151): a DBR pair matches when any byte of the reference does, for
 *   its kind and level
 * Rule interruption (SDM 2:151): without PSR.db nothing matches
 * Rule interruption (SDM 2:154): PSR.id and PSR.dd hold Debug off for one instruction
 */
	.include "bare.inc"
	.include "mmu.inc"
	X = 1 << 63
	R = 1 << 63
	W = 1 << 62
	LEVEL0 = 1 << 56
	LEVEL3 = 8 << 56
	EXACT = (1 << 56) - 1
	.macro BREAKPOINT file, n, address, control
	mov r2 = \n
	movl r3 = \address
	;;
	mov \file[r2] = r3
	add r2 = 1, r2
	movl r3 = \control
	;;
	mov \file[r2] = r3
	;;
	srlz.i
	;;
	.endm
	START
	/* instruction at level 0 */
	BREAKPOINT ibr, 0, here, X | LEVEL0 | EXACT
	EXPECT 1f, PSR_DB
	DB_ON
	.align 16
here:	mov r8 = 1
	UNREACHABLE
1:	INTERRUPTED VEC_DEBUG, ISR_X
	LOAD_RECORD r9, RECORD_IIP
	CHECK_VALUE r9, here
	LOAD_RECORD r9, RECORD_IFA
	CHECK_VALUE r9, here
	/* not at level 3 */
	BREAKPOINT ibr, 0, there, X | LEVEL3 | EXACT
	mov r8 = 0
	DB_ON
	.align 16
there:	mov r8 = 1
	;;
	CHECK_VALUE r8, 1
	DB_OFF
	/* a mask of a page's bits, and id for the first instruction */
	BREAKPOINT ibr, 6, (masked - 0x40), X | LEVEL0 | (EXACT & ~0xff)
	movl r9 = masked
	EXPECT 2f, PSR_DB
	mov r8 = 0
	GO_ON masked, PSR_ID | PSR_DB
	.align 256
	.skip 0x40
masked:
	{ .mii
	mov r8 = 1
	nop.i 0
	nop.i 0 ;;
	}
	UNREACHABLE
2:	INTERRUPTED VEC_DEBUG, ISR_X
	CHECK_VALUE r8, 1
	LOAD_RECORD r9, RECORD_ISR
	extr.u r9 = r9, 41, 2
	;;
	CHECK_VALUE r9, 1
	BREAKPOINT ibr, 6, 0, 0

	/* data */
	movl r8 = bare_data
	add r10 = 8, r0
	;;
	add r10 = r8, r10
	add r11 = 3, r8
	;;
	BREAKPOINT dbr, 2, bare_data + 3, R | LEVEL0 | EXACT
	DB_ON
	EXPECT 3f
	ld8 r9 = [r8]
	UNREACHABLE
3:	INTERRUPTED VEC_DEBUG, ISR_R
	LOAD_RECORD r9, RECORD_IFA
	CHECK_VALUE r9, bare_data
	ld2 r9 = [r8]				/* bytes 0 and 1 */
	;;
	ld8 r9 = [r10]
	;;
	st8 [r8] = r9
	;;
	BREAKPOINT dbr, 2, bare_data + 3, W | LEVEL0 | EXACT
	ld8 r9 = [r8]
	EXPECT 4f
	st1 [r11] = r9
	UNREACHABLE
4:	INTERRUPTED VEC_DEBUG, ISR_W
	DB_OFF
	/* dd for one reference */
	movl r12 = 0x55
	EXPECT 6f, PSR_DB
	GO_ON 5f, PSR_DD | PSR_DB
	.align 16
5:	{ .mmi
	st1 [r11] = r12
	st1 [r11] = r0
	nop.i 0 ;;
	}
	UNREACHABLE
6:	INTERRUPTED VEC_DEBUG, ISR_W
	ld1 r9 = [r11]
	;;
	CHECK_VALUE r9, 0x55
	PASS
