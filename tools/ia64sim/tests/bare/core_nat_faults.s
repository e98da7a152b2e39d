/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where a NaT cannot be.
 *
 * Rule nat (SDM 2:196): a NaT address of a reference raises Register NaT Consumption, ISR says
 *   which reference
 * Rule nat (SDM 2:196): a NaT datum of a store or a semaphore does
 * Rule nat (SDM 1:59): a NaT source of a move to a branch, application or control register does
 * Rule nat (SDM 1:60): st8.spill takes NaT data
 */
	.include "bare.inc"
	KIND0 = ISR_R | ISR_W
	KIND1 = ISR_NA | ISR_R | 1
	KIND2 = ISR_NA | ISR_R | 2
	KIND3 = ISR_NA | ISR_W | 2
	KIND4 = ISR_NA | ISR_R | ISR_W | 5
	KIND5 = ISR_NA | ISR_R | 4
	START
	movl r8 = bare_data
	mov ar.unat = -1
	;;
	ld8.fill r9 = [r8]
	;;
	.macro CONSUMES isr, insn
	EXPECT 8881f
	\insn
	UNREACHABLE
8881:
	INTERRUPTED VEC_NAT, 0x10 | \isr
	.endm
	CONSUMES ISR_R, "ld8 r10 = [r9]"
	CONSUMES ISR_R, "ld4 r10 = [r9], 4"
	CONSUMES ISR_R, "ld8.fill r10 = [r9]"
	CONSUMES ISR_R, "ld8.a r10 = [r9]"
	CONSUMES ISR_R, "ldfd f10 = [r9]"
	CONSUMES ISR_W, "st8 [r9] = r8"
	CONSUMES ISR_W, "st8 [r8] = r9"
	CONSUMES ISR_W, "st1 [r8] = r9, 1"
	CONSUMES ISR_W, "st8.spill [r9] = r8"
	CONSUMES ISR_W, "stfd [r9] = f0"
	CONSUMES KIND0, "xchg8 r10 = [r9], r8"
	CONSUMES KIND0, "xchg8 r10 = [r8], r9"
	CONSUMES KIND0, "fetchadd8.acq r10 = [r9], 1"
	CONSUMES KIND0, "cmpxchg4.rel r10 = [r8], r9, ar.ccv"
	CONSUMES 0, "mov b1 = r9"
	CONSUMES 0, "mov pr = r9, -1"
	CONSUMES 0, "mov ar.ccv = r9"
	CONSUMES 0, "mov.i ar.lc = r9"
	CONSUMES 0, "mov cr.iva = r9"
	CONSUMES 0, "mov psr.l = r9"
	CONSUMES 0, "mov psr.um = r9"
	CONSUMES 0, "mov rr[r9] = r8"
	CONSUMES 0, "mov rr[r8] = r9"
	CONSUMES 0, "mov r10 = cpuid[r9]"
	CONSUMES 0, "ptc.l r9, r8"
	CONSUMES KIND1, "fc r9"
	CONSUMES ISR_NA, "tpa r10 = r9"
	CONSUMES KIND2, "probe.r r10 = r9, 0"
	CONSUMES KIND3, "probe.w r10 = r9, 0"
	CONSUMES KIND4, "probe.rw.fault r9, 0"
	CONSUMES KIND5, "lfetch.fault [r9]"
	/* the plain prefetch does nothing */
	lfetch [r9]
	;;
	/* a spill keeps it */
	st8.spill [r8] = r9
	;;
	mov r11 = ar.unat
	extr.u r12 = r8, 3, 6
	;;
	shr.u r11 = r11, r12
	;;
	and r11 = 1, r11
	;;
	CHECK_VALUE r11, 1
	/* A NaTVal has no memory format but the spill's. */
	setf.sig f10 = r9
	;;
	CONSUMES ISR_W, "stfd [r8] = f10"
	CONSUMES ISR_W, "stfs [r8] = f10"
	CONSUMES ISR_W, "stf8 [r8] = f10"
	CONSUMES ISR_W, "stfe [r8] = f10"
	stf.spill [r8] = f10
	getf.sig r13 = f10
	;;
	CHECK_NAT r13
	ldf.fill f11 = [r8]
	;;
	getf.exp r13 = f11
	;;
	CHECK_NAT r13
	PASS
