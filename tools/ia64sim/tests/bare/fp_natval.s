/* SPDX-License-Identifier: GPL-2.0 */
/*
 * NaTVal.
 *
 * Rule nat (SDM 1:87): setf of a NaT and speculative loads give NaTVal, getf gives the NaT back
 * Rule nat (SDM 1:87): NaTVal goes through every instruction of the F unit without exceptions
 * Rule nat (SDM 1:87): NaTVal clears the predicates of fcmp, fclass and the approximations
 * Rule nat (SDM 1:87): storing NaTVal raises Register NaT Consumption, stf.spill stores it
 */
	.include "bare.inc"
	.include "fp.inc"
	START
	/* A NaT: fill one from memory. */
	mov r10 = -1
	;;
	mov ar.unat = r10
	movl r11 = data
	;;
	ld8.fill r12 = [r11]
	;;
	CHECK_NAT r12
	setf.sig f6 = r12
	setf.exp f7 = r12
	setf.s f8 = r12
	setf.d f9 = r12
	;;
	getf.sig r13 = f6
	getf.exp r14 = f7
	getf.s r15 = f8
	getf.d r16 = f9
	;;
	CHECK_NAT r13
	CHECK_NAT r14
	CHECK_NAT r15
	CHECK_NAT r16
	/* All traps enabled: none comes. */
	FPSR FPSR_DEFAULT & ~0x3f
	fma.s0 f10 = f6, f1, f0
	fpma.s0 f11 = f1, f6, f0
	xma.l f12 = f6, f1, f1
	fmerge.s f13 = f1, f6
	fcvt.xf f14 = f6
	;;
	getf.sig r13 = f10
	getf.sig r14 = f11
	getf.sig r15 = f12
	getf.sig r16 = f13
	getf.sig r17 = f14
	;;
	CHECK_NAT r13
	CHECK_NAT r14
	CHECK_NAT r15
	CHECK_NAT r16
	CHECK_NAT r17
	cmp.eq p8, p9 = r0, r0
	cmp.eq p10, p11 = r0, r0
	;;
	fcmp.eq.s0 p9, p8 = f6, f6
	fclass.m p11, p10 = f6, @pos
	;;
	CHECK_NOT p8
	CHECK_NOT p9
	CHECK_NOT p10
	CHECK_NOT p11
	fclass.m p8, p9 = f6, @nat
	;;
	CHECK_PREDICATE p8
	CHECK_NOT p9
	frcpa.s0 f10, p8 = f1, f6
	;;
	CHECK_NOT p8
	getf.sig r13 = f10
	;;
	CHECK_NAT r13
	CHECK_FPSR FPSR_DEFAULT & ~0x3f

	/* Spill and fill. */
	stf.spill [r11] = f6
	;;
	ldf.fill f10 = [r11]
	ld8 r13 = [r11], 8
	;;
	ld8 r14 = [r11]
	;;
	CHECK_VALUE r13, 0
	CHECK_VALUE r14, 0x1fffe
	fclass.m p8, p9 = f10, @nat
	;;
	CHECK_PREDICATE p8
	EXPECT 1f
	stfd [r11] = f6
	UNREACHABLE
1:
	INTERRUPTED VEC_NAT, ISR_W | 0x10
	PASS

	.data
	.align 16
data:
	.skip 16
