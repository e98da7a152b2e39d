/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Times in which PSR.i is 0, for stats.py: one of 2000 cycles, and of a region of -stats one of
 * 50, one of 400 and one of 100.  What is before the first ssm, and what is behind the last
 * rsm, does not count.
 */
	.include "bare.inc"
	.include "stats.inc"

	.macro MASKED bundles
	rsm 1 << 14
	;;
	PASS_TIME \bundles
	ssm 1 << 14
	;;
	srlz.d
	;;
	.endm

	.global longest, behind
	START
	mov r8 = 1 << 16		/* no interrupt is to come */
	;;
	mov cr.tpr = r8
	;;
	srlz.d
	;;
	PASS_TIME 3000
	ssm 1 << 14
	;;
	srlz.d
	;;
	MASKED 2000 / 3
	REGION 1
	MASKED 17
	.align 16
longest:
	MASKED 400 / 3
	.align 16
behind:
	MASKED 33
	REGION 0
	rsm 1 << 14
	;;
	PASS_TIME 3000
	PASS
