/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Privilege levels.
 *
 * Rule interruption (SDM 2:181): privileged instructions above level 0 raise Privileged
 *   Operation, code 0x10
 * Rule interruption (SDM 2:181): writes of kernel registers and ITC above level 0: Privileged
 *   Register, code 0x20
 * Rule interruption (SDM 3:173): kernel registers can be read at any level, ITC unless PSR.si
 */
	.include "bare.inc"
	PSR_SI = 1 << 23
	.macro REFUSED code, insn
	EXPECT 8881f
	\insn
	UNREACHABLE
8881:
	INTERRUPTED VEC_GENERAL, \code
	.endm
	START
	mov r8 = 5
	;;
	mov ar.k3 = r8
	LEVEL 3
	REFUSED 0x10, "mov r8 = psr"
	REFUSED 0x10, "mov psr.l = r0"
	REFUSED 0x10, "ssm 1 << 14"
	REFUSED 0x10, "rsm 1 << 14"
	REFUSED 0x10, "mov r8 = cr.iva"
	REFUSED 0x10, "mov cr.iva = r8"
	REFUSED 0x10, "mov r8 = rr[r0]"
	REFUSED 0x10, "mov rr[r0] = r8"
	REFUSED 0x10, "mov r8 = pkr[r0]"
	REFUSED 0x10, "mov pkr[r0] = r8"
	REFUSED 0x10, "mov r8 = dbr[r0]"
	REFUSED 0x10, "mov ibr[r0] = r8"
	REFUSED 0x10, "mov r8 = pmc[r0]"
	REFUSED 0x10, "mov pmc[r0] = r8"
	REFUSED 0x10, "mov pmd[r0] = r8"
	REFUSED 0x10, "ptc.l r8, r8"
	REFUSED 0x10, "ptc.g r8, r8"
	REFUSED 0x10, "ptc.ga r8, r8"
	REFUSED 0x10, "ptc.e r8"
	REFUSED 0x10, "ptr.d r8, r8"
	REFUSED 0x10, "ptr.i r8, r8"
	REFUSED 0x10, "tpa r8 = r8"
	REFUSED 0x10, "tak r8 = r8"
	REFUSED 0x10, "bsw.0"
	REFUSED 0x10, "rfi"
	REFUSED 0x20, "mov ar.k0 = r8"
	REFUSED 0x20, "mov ar.k7 = r8"
	REFUSED 0x20, "mov ar.itc = r8"
	/* With PSR.ic 1 itc and itr are illegal before they are privileged. */
	REFUSED 0, "itc.d r8"
	REFUSED 0, "itr.i itr[r8] = r8"
	/* These are for everyone. */
	mov r9 = ar.k3
	mov r10 = cpuid[r0]
	mov r11 = pmd[r0]
	mov r12 = ar.itc
	thash r13 = r0
	mov r14 = psr.um
	;;
	CHECK_VALUE r9, 5
	EXPECT 1f, 3 << 32
	break.m 0
	UNREACHABLE
1:
	LEVEL 3, PSR_SI
	REFUSED 0x20, "mov r12 = ar.itc"
	PASS
