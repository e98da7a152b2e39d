/* SPDX-License-Identifier: GPL-2.0 */
/*
 * NaT bits in computations.
 *
 * Rule nat (SDM 1:59): a NaT source makes the target of a computation NaT
 * Rule nat (SDM 3:39): a compare of type none or unc with a NaT writes 0 to both predicates;
 *   and-types, too
 * Rule nat (SDM 3:39): or-types with a NaT write nothing
 * Rule nat (SDM 3 tnat): tnat tests the NaT bit itself
 */
	.include "bare.inc"
	START
	movl r8 = bare_data
	mov ar.unat = -1
	;;
	ld8.fill r9 = [r8]
	mov r10 = 7
	;;
	.macro BECOMES_NAT insn:vararg
	mov r11 = 0
	;;
	\insn
	;;
	CHECK_NAT r11
	.endm
	BECOMES_NAT add r11 = r9, r10
	BECOMES_NAT add r11 = r10, r9
	BECOMES_NAT sub r11 = r10, r9, 1
	BECOMES_NAT adds r11 = 1, r9
	BECOMES_NAT and r11 = 0, r9
	BECOMES_NAT shladd r11 = r9, 2, r10
	BECOMES_NAT shl r11 = r10, r9
	BECOMES_NAT shr.u r11 = r9, r10
	BECOMES_NAT shrp r11 = r9, r10, 5
	BECOMES_NAT extr r11 = r9, 3, 4
	BECOMES_NAT dep.z r11 = r9, 3, 4
	BECOMES_NAT dep r11 = r9, r10, 3, 4
	BECOMES_NAT dep r11 = 0, r9, 3, 4
	BECOMES_NAT zxt1 r11 = r9
	BECOMES_NAT popcnt r11 = r9
	BECOMES_NAT czx1.r r11 = r9
	BECOMES_NAT padd2 r11 = r9, r10
	BECOMES_NAT mux1 r11 = r9, @rev
	BECOMES_NAT pshl4 r11 = r9, 3
	BECOMES_NAT pmpy2.r r11 = r10, r9
	BECOMES_NAT addp4 r11 = r10, r9

	cmp.eq p1, p2 = r0, r0
	cmp.eq p3, p4 = r0, r0
	;;
	cmp.ne p2, p4 = r0, r0
	;;
	cmp.eq p1, p2 = r9, r10
	cmp4.lt p3, p4 = r9, r10
	;;
	CHECK_NOT p1
	CHECK_NOT p2
	CHECK_NOT p3
	CHECK_NOT p4
	cmp.eq p1, p2 = r0, r0
	cmp.eq p4, p3 = r0, r0
	;;
	cmp.eq p2, p0 = r0, r0
	;;
	/* or: untouched */
	cmp.eq.or p3, p5 = r9, r10
	;;
	cmp.eq.or.andcm p3, p4 = r9, r9
	;;
	CHECK_NOT p3
	CHECK_PREDICATE p4
	/* and: both 0 */
	cmp.eq.and p1, p2 = r9, r9
	;;
	CHECK_NOT p1
	CHECK_NOT p2
	cmp.eq p1, p2 = r0, r0
	;;
	cmp.eq p2, p0 = r0, r0
	;;
	cmp.eq.unc p1, p2 = r9, r9
	;;
	CHECK_NOT p1
	CHECK_NOT p2
	cmp.eq p1, p2 = r0, r0
	;;
	tbit.z p1, p2 = r9, 0
	;;
	CHECK_NOT p1
	CHECK_NOT p2
	tnat.z p1, p2 = r9
	;;
	CHECK_NOT p1
	CHECK_PREDICATE p2
	/* A mov into it clears it. */
	mov r9 = r10
	;;
	CHECK_VALUE r9, 7
	/* unc with a false predicate clears both. */
	cmp.eq p1, p2 = r0, r0
	;;
	cmp.eq p2, p0 = r0, r0
	cmp.ne p5, p0 = r0, r0
	;;
(p5)	cmp.eq.unc p1, p2 = r0, r0
	;;
	CHECK_NOT p1
	CHECK_NOT p2
	PASS
