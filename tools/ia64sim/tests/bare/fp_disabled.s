/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The Disabled FP-Register fault by every kind of instruction of the F unit.
 *
 * Rule fp (SDM 2:23): touching a disabled half faults with both halves' bits in ISR.code
 * Rule fp (SDM 2:23): a write to f2-f31 sets PSR.mfl, to f32-f127 PSR.mfh
 * Rule fp (SDM 3 fmerge): f0 and f1 cannot be written: Illegal Operation
 */
	.include "bare.inc"
	.include "fp.inc"
	START
	rum 1 << 4 | 1 << 5
	;;
	ssm 1 << 18			/* dfl */
	;;
	srlz.d
	fma.s0 f32 = f0, f1, f1
	;;
	mov r10 = psr
	;;
	extr.u r10 = r10, 4, 2
	;;
	CHECK_VALUE r10, 2
	EXPECT 1f, 1 << 18
	fma.s0 f32 = f31, f1, f1
	UNREACHABLE
1:
	INTERRUPTED VEC_DISABLED_FP, 1
	rum 1 << 4 | 1 << 5
	;;
	fma.s0 f31 = f1, f1, f1
	;;
	mov r10 = psr
	;;
	extr.u r10 = r10, 4, 2
	;;
	CHECK_VALUE r10, 1
	ssm 1 << 18 | 1 << 19
	;;
	srlz.d
	EXPECT 2f, 1 << 19
	fmerge.s f127 = f0, f0
	UNREACHABLE
2:
	INTERRUPTED VEC_DISABLED_FP, 2
	ssm 1 << 19
	;;
	srlz.d
	EXPECT 3f, 0
	xma.l f127 = f1, f2, f1
	UNREACHABLE
3:
	INTERRUPTED VEC_DISABLED_FP, 3
	/* A false predicate touches nothing. */
	cmp.ne p8, p9 = r0, r0
	;;
(p8)	fma.s0 f32 = f2, f3, f4
	/* fma.s0 f1 = f2, f3, f4 and frcpa.s0 f1, p0 = f0, f0, of which the assembler
	 * warns.  Registers are disabled still, illegal operation goes first.
	 */
	EXPECT 4f
	.align 16
	data8 0x201000010000000c, 0x0004000000400608
	UNREACHABLE
4:
	INTERRUPTED VEC_GENERAL, 0
	EXPECT 5f
	.align 16
	data8 0x001000010000000d, 0x0004000000008000
	UNREACHABLE
5:
	INTERRUPTED VEC_GENERAL, 0
	PASS
