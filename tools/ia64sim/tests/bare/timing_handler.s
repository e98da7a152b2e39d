/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What an alternate data TLB miss handler takes, from its first cycle to the one in which
 * rfi issues, for an identity address.  The bundles do what those of Linux 6.1's
 * alt_dtlb_miss do, which was measured at 23 cycles on an Itanium 2.  By hand:
 *
 *	cycle	0 to 2	three reads of control registers, all by M2
 *	12		cr.ifa is there: compares
 *	13		and, which takes I0 from the extract behind it
 *	14 to 16	cr.ipsr is there: extract and two bit tests, all by I0
 *	17		compares, of which the last takes I0 from the dep behind it
 *	18		dep, and a branch that ends the cycle
 *	19		dep
 *	20		or
 *	21		itc.d
 *	22		rfi
 *
 * Options: -timing madison,fetch=0
 */
	.include "bare.inc"
	.include "mmu.inc"
	.include "timing.inc"
	START
	SET_RR 7, 0x107, 14, 0
	IC_OFF
	movl r2 = 7 << 61 | 0x200000
	mov r3 = 14 << 2
	;;
	mov cr.ifa = r2
	;;
	mov cr.itir = r3
	;;
	srlz.d
	;;
	BEGIN
	{ .mlx
	mov r16 = cr.ifa
	movl r17 = FINE }
	{ .mlx
	mov r20 = cr.isr
	movl r19 = (1 << 50) - 0x1000 }
	{ .mii
	mov r21 = cr.ipsr
	mov r31 = pr
	mov r24 = -64
	;; }
	{ .mii
	cmp.geu p10, p11 = r16, r24
	tbit.z p12, p0 = r16, 61
	mov r25 = 16 << 2 }
	{ .mmb
	mov r26 = 64
	nop.m 0
	nop.b 0
	;; }
	{ .mii
(p10)	mov r19 = ar.k3
(p11)	and r19 = r19, r16
	extr.u r23 = r21, 32, 2 }
	{ .mii
	and r22 = 15, r20
	tbit.nz p6, p7 = r20, 36
	tbit.nz p9, p0 = r20, 35
	;; }
	{ .mmi
(p10)	sub r19 = r19, r26
(p10)	mov cr.itir = r25
	cmp.ne p8, p0 = r0, r23 }
	{ .mib
(p9)	cmp.eq.or.andcm p6, p7 = 4, r22
(p12)	dep r17 = -1, r17, 4, 1
(p8)	br.cond.spnt.many bad }
	{ .mii
	nop.m 0
	dep r21 = -1, r21, 43, 1
	;;
	or r19 = r19, r17 }
	{ .mmi
(p6)	mov cr.ipsr = r21
	nop.m 0
	nop.i 0
	;; }
	{ .mmi
(p7)	itc.d r19
	;;
	nop.m 0
	mov pr = r31, -1 }
	/* in the place of rfi */
	{ .mib
	mov r9 = ar.itc
	nop.i 0
	nop.b 0
	;; }
	sub r9 = r9, r8
	;;
	add r9 = -1, r9
	;;
	.ifdef REPORT			/* for validate.py: first cycle to rfi's */
	mov r3 = r9
	br.sptk.many bare_exit
	;;
	.endif
	CHECK_VALUE r9, 22
	IC_ON
	PRESENT_D 7 << 61 | 0x200000, 0
	PASS
bad:
	UNREACHABLE
