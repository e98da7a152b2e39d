/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How long an instruction waits for another's result.
 *
 * Options: -timing madison,fetch=0
 */
	.include "bare.inc"
	.include "mmu.inc"
	.include "timing.inc"

	/* the same in other slots */
	.macro I_ONLY instruction:vararg
	{ .mii
	nop.m 0
	\instruction
	nop.i 0
	;; }
	.endm
	.macro F_ONLY instruction:vararg
	{ .mfi
	nop.m 0
	\instruction
	nop.i 0
	;; }
	.endm

	START
	movl r10 = bare_data
	movl r11 = bare_data + 8
	mov r12 = 0
	;;
	st8 [r10] = r10
	st8 [r11] = r0
	;;
	ld8 r16 = [r10]			/* into the L1 DTLB */
	;;
	PAUSE
	ld8 r16 = [r10]			/* into L1D */
	;;
	PAUSE
	/* a chain of adds */
	BEGIN
	M_ONLY add r16 = 1, r12
	M_ONLY add r16 = 1, r16
	M_ONLY add r16 = 1, r16
	M_ONLY add r16 = 1, r16
	TAKES 4
	/* a load: 1 to an add, 2 to an address, 1 to what a store writes */
	BEGIN
	M_ONLY ld8 r16 = [r10]
	M_ONLY add r17 = 1, r16
	TAKES 2
	BEGIN
	M_ONLY ld8 r16 = [r10]
	M_ONLY ld8 r17 = [r16]
	TAKES 3
	BEGIN
	M_ONLY ld8 r16 = [r10]
	{ .mmi
	st8 [r11] = r16
	nop.m 0
	nop.i 0
	;; }
	TAKES 2
	/* its post-increment: 1 */
	BEGIN
	M_ONLY ld8 r16 = [r11], 0
	M_ONLY ld8 r17 = [r11]
	TAKES 2
	/* multimedia: 2, 1 more on the way in and out */
	BEGIN
	M_ONLY add r16 = 1, r12
	M_ONLY padd1 r17 = r16, r16
	TAKES 3
	BEGIN
	M_ONLY padd1 r16 = r12, r12
	M_ONLY padd1 r17 = r16, r16
	TAKES 3
	BEGIN
	M_ONLY padd1 r16 = r12, r12
	M_ONLY add r17 = 1, r16
	TAKES 4
	BEGIN
	M_ONLY ld8 r16 = [r10]
	I_ONLY popcnt r17 = r16
	TAKES 3
	/* shifts are no multimedia */
	BEGIN
	I_ONLY shl r16 = r12, r12
	M_ONLY add r17 = 1, r16
	TAKES 2
	BEGIN
	I_ONLY sxt4 r16 = r12
	I_ONLY extr.u r17 = r16, 1, 2
	TAKES 2
	/* floating point: 4, 1 more to a store */
	BEGIN
	F_ONLY fma.d f6 = f1, f1, f1
	F_ONLY fma.d f7 = f6, f1, f1
	TAKES 5
	BEGIN
	F_ONLY fma.d f6 = f1, f1, f1
	{ .mmi
	stfd [r11] = f6
	nop.m 0
	nop.i 0
	;; }
	TAKES 6
	BEGIN
	M_ONLY setf.sig f6 = r12
	F_ONLY xma.l f7 = f6, f6, f6
	TAKES 6
	BEGIN
	M_ONLY getf.sig r16 = f1
	M_ONLY add r17 = 1, r16
	TAKES 6
	/* loads from L2, whatever L1D has */
	BEGIN
	M_ONLY ldfd f6 = [r10]
	F_ONLY fma.d f7 = f6, f1, f1
	TAKES 7
	/* a target waits too */
	BEGIN
	M_ONLY getf.sig r16 = f1
	M_ONLY add r16 = 1, r12
	TAKES 6
	/* predicates: of fcmp 2, of which a branch sees 1, of frcpa 5 */
	BEGIN
	F_ONLY fcmp.eq p8, p9 = f1, f1
	M_ONLY (p8) add r16 = 1, r12
	TAKES 3
	BEGIN
	F_ONLY fcmp.eq p8, p9 = f1, f0
	{ .mib
	nop.m 0
	nop.i 0
(p8)	br.cond.spnt.many bad
	;; }
	TAKES 2
	BEGIN
	F_ONLY frcpa f6, p8 = f1, f1
	M_ONLY (p8) add r16 = 1, r12
	TAKES 6
	/* a compare and a branch in one cycle */
	BEGIN
	{ .mib
	cmp.ne p8, p9 = r0, r0
	nop.i 0
(p8)	br.cond.spnt.many bad
	;; }
	TAKES 1
	/* moves from branch, application and control registers */
	BEGIN
	I_ONLY mov r16 = b0
	M_ONLY add r17 = 1, r16
	TAKES 3
	BEGIN
	I_ONLY mov r16 = pr
	M_ONLY add r17 = 1, r16
	TAKES 3
	BEGIN
	M_ONLY mov r16 = ar.k3
	M_ONLY add r17 = 1, r16
	TAKES 13
	BEGIN
	M_ONLY mov r16 = ar.ccv
	M_ONLY add r17 = 1, r16
	TAKES 6
	BEGIN
	M_ONLY mov r16 = ar.itc
	M_ONLY add r17 = 1, r16
	TAKES 37
	BEGIN
	M_ONLY mov r16 = psr
	M_ONLY add r17 = 1, r16
	TAKES 13
	IC_OFF
	BEGIN
	M_ONLY mov r16 = cr.ifa
	M_ONLY add r17 = 1, r16
	TAKES 13
	BEGIN
	M_ONLY mov r16 = cr.iip
	M_ONLY add r17 = 1, r16
	TAKES 3
	/* what a false predicate holds back waits for nothing, and nobody for it */
	cmp.ne p8, p9 = r0, r0
	;;
	BEGIN
	M_ONLY mov r16 = cr.ifa
	M_ONLY (p8) add r17 = 1, r16
	M_ONLY (p9) add r18 = 1, r12
	TAKES 3
	BEGIN
	M_ONLY (p8) mov r18 = cr.ifa
	M_ONLY (p9) add r17 = 1, r18
	TAKES 2
	IC_ON
	/* one that waits holds back what issues with it */
	BEGIN
	M_ONLY getf.sig r16 = f1
	{ .mmi
	ld8 r17 = [r10]
	add r18 = 1, r16
	nop.i 0
	;; }
	M_ONLY add r19 = 1, r17
	TAKES 7
	PASS
bad:
	UNREACHABLE
