/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Branches.
 *
 * Rule other (SDM 1:74): IP-relative, indirect and long branches; bits 3:0 of a branch register
 *   count for nothing
 * Rule other (SDM 3:20): calls put the next bundle's address into the branch register
 * Rule other (SDM 1:74): a taken branch in an earlier slot skips the rest of its bundle
 * Rule other (SDM 3:173): mov r = ip gives the bundle's address
 */
	.include "bare.inc"
	START
	mov r8 = 0
	movl r9 = 1f + 15
	;;
	mov b3 = r9
	;;
	br.cond.sptk.few b3
	UNREACHABLE
1:
	brl.cond.sptk.few 2f
	;;
	UNREACHABLE
2:
	brl.call.sptk.few b4 = 3f
	;;
back:
	br.cond.sptk.few 4f
3:
	mov r9 = b4
	movl r10 = back
	;;
	CHECK_EQ r9, r10
	movl r9 = 5f
	;;
	mov b5 = r9
	;;
	br.call.sptk.few b6 = b5
	;;
back2:
	mov r9 = b6
	movl r10 = back2
	;;
	CHECK_EQ r9, r10
	br.ret.sptk.few b4
	;;
5:	br.ret.sptk.few b6
	;;
4:
	cmp.ne p8, p9 = r0, r0
	;;
	.align 16
	{ .bbb
(p8)	br.cond.sptk.few wrong
(p9)	br.cond.sptk.few 6f
	br.cond.sptk.few wrong ;;
	}
wrong:
	UNREACHABLE
6:
	.align 16
here:	{ .mib
	nop.m 0
	mov r9 = ip
	nop.b 0 ;;
	}
	movl r10 = here
	;;
	CHECK_EQ r9, r10
	PASS
