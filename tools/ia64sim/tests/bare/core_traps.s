/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Traps: IIP is the next instruction.
 *
 * Rule interruption (SDM 2:204): Single Step trap after every instruction with PSR.ss, squashed
 *   ones, too
 * Rule interruption (SDM 2:204): Taken Branch trap with PSR.tb, after chk that branches, too
 * Rule interruption (SDM 2:204): Lower-Privilege Transfer trap with PSR.lp, when the level
 *   falls
 * Rule interruption (SDM 2:101): IIPA is the bundle of the instruction that trapped, ISR.ei its
 *   slot
 * Rule interruption (SDM 2:101): ISR.code has a bit for each trap that is due, the vector is
 *   that of the first
 */
	.include "bare.inc"
	PSR_SS = 1 << 40
	PSR_TB = 1 << 26
	PSR_LP = 1 << 25
	.macro WHERE iip, iipa, ei
	LOAD_RECORD r8, RECORD_IIP
	CHECK_VALUE r8, \iip
	LOAD_RECORD r8, RECORD_IIPA
	CHECK_VALUE r8, \iipa
	LOAD_RECORD r8, RECORD_ISR
	extr.u r8 = r8, 41, 2
	;;
	CHECK_VALUE r8, \ei
	.endm
	START
	/* Single step: one instruction, also a squashed one. */
	cmp.ne p8, p0 = r0, r0
	EXPECT 1f, PSR_SS
	LEVEL 0, PSR_SS
	.align 16
a:	{ .mii
(p8)	mov r8 = 0
	mov r9 = 0
	nop.i 0 ;;
	}
	UNREACHABLE
1:	INTERRUPTED VEC_SINGLE_STEP, 8
	WHERE a, a, 0
	LOAD_RECORD r8, RECORD_IPSR
	extr.u r8 = r8, 41, 2
	;;
	CHECK_VALUE r8, 1

	/* Taken branch */
	EXPECT 2f, PSR_TB
	LEVEL 0, PSR_TB
	.align 16
b:	{ .mib
	nop.m 0
	nop.i 0
	br.cond.sptk.few target ;;
	}
	UNREACHABLE
	.align 16
target:
	UNREACHABLE
2:	INTERRUPTED VEC_TAKEN_BRANCH, 4
	WHERE target, b, 2

	/* A branch that is not taken does not trap; both together do. */
	EXPECT 3f, PSR_TB | PSR_SS
	LEVEL 0, PSR_TB | PSR_SS
	.align 16
c:	{ .mib
	nop.m 0
	nop.i 0
	br.cond.sptk.few target ;;
	}
	UNREACHABLE
3:	/* the first step was over nop.m */
	INTERRUPTED VEC_SINGLE_STEP, 8
	EXPECT 4f, PSR_TB | PSR_SS
	LEVEL 0, PSR_TB | PSR_SS
	.align 16
d:	{ .bbb
	br.cond.sptk.few target
	nop.b 0
	nop.b 0 ;;
	}
	UNREACHABLE
4:	INTERRUPTED VEC_TAKEN_BRANCH, 4 | 8
	WHERE target, d, 0

	/* A return to a lower level */
	movl r9 = 3 << 62 | 96 | 96 << 7
	;;
	cover
	;;
	mov.i ar.pfs = r9
	movl r9 = target
	;;
	mov b1 = r9
	EXPECT 5f, PSR_LP | PSR_TB | 3 << 32
	LEVEL 0, PSR_LP | PSR_TB
	.align 16
e:	{ .bbb
	br.ret.sptk.few b1
	nop.b 0
	nop.b 0 ;;
	}
	UNREACHABLE
5:	INTERRUPTED VEC_LOWER_PRIVILEGE, 2 | 4
	WHERE target, e, 0
	LOAD_RECORD r8, RECORD_IPSR
	extr.u r8 = r8, 32, 2
	;;
	CHECK_VALUE r8, 3

	/* A return to the same level does not, whatever PFS says above it. */
	LEVEL 2, PSR_LP
	cover
	;;
	movl r9 = 96 | 96 << 7
	;;
	mov.i ar.pfs = r9
	movl r9 = 6f
	;;
	mov b1 = r9
	;;
	br.ret.sptk.few b1
	;;
6:
	EXPECT 7f, 3 << 32 | PSR_LP
	mov r8 = psr
	UNREACHABLE
7:	INTERRUPTED VEC_GENERAL, 0x10
	LOAD_RECORD r8, RECORD_IPSR
	extr.u r8 = r8, 32, 2
	;;
	CHECK_VALUE r8, 2
	/* chk counts as a branch, and rfi as none. */
	movl r8 = bare_data
	mov ar.unat = -1
	;;
	ld8.fill r9 = [r8]
	EXPECT 8f, PSR_TB
	LEVEL 0, PSR_TB
	.align 16
g:	{ .mii
	chk.s.m r9, target
	nop.i 0
	nop.i 0 ;;
	}
	UNREACHABLE
8:	INTERRUPTED VEC_TAKEN_BRANCH, 4
	WHERE target, g, 0
	PASS
