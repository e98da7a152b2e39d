/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reserved fields and registers that are not there.
 *
 * Rule interruption (SDM 2:181): a 1 in a reserved field of a register that is written:
 *   Reserved Register/Field, code 0x30
 * Rule interruption (SDM 2:181): indirect registers that do not exist: Reserved Register/Field
 * Rule interruption (SDM 3:173): registers that do not exist by number, and read-only ones:
 *   Illegal Operation
 * Rule interruption (SDM 3:173): interruption control registers while PSR.ic is 1: Illegal
 *   Operation
 */
	.include "bare.inc"
	.macro REFUSED code, value, insn
	movl r8 = \value
	EXPECT 8881f
	\insn
	UNREACHABLE
8881:
	INTERRUPTED VEC_GENERAL, \code
	.endm
	START
	rsm 1 << 13
	;;
	srlz.d
	;;
	/* IPSR and its like want PSR.ic 0, where nothing is recorded: first
	 * that they are refused while it is 1.
	 */
	ssm 1 << 13
	;;
	srlz.i
	;;
	REFUSED 0, 0, "mov cr.ipsr = r8"
	REFUSED 0, 0, "mov r9 = cr.ipsr"
	REFUSED 0, 0, "mov r9 = cr.isr"
	REFUSED 0, 0, "mov cr.iip = r8"
	REFUSED 0, 0, "mov r9 = cr.ifa"
	REFUSED 0, 0, "mov r9 = cr.itir"
	REFUSED 0, 0, "mov r9 = cr.iipa"
	REFUSED 0, 0, "mov cr.ifs = r8"
	REFUSED 0, 0, "mov r9 = cr.iim"
	REFUSED 0, 0, "mov r9 = cr.iha"
	REFUSED 0, 0, "mov r9 = cr3"
	REFUSED 0, 0, "mov r9 = cr18"
	REFUSED 0, 0, "mov cr75 = r8"
	REFUSED 0, 0, "mov cr.ivr = r8"
	REFUSED 0, 0, "mov cr.irr2 = r8"

	REFUSED 0x30, 8, "mov cr.dcr = r8"
	REFUSED 0x30, 1 << 15, "mov cr.dcr = r8"
	REFUSED 0x30, 2, "mov cr.pta = r8"
	REFUSED 0x30, (15 << 2) | (1 << 9), "mov cr.pta = r8"
	REFUSED 0x30, 14 << 2, "mov cr.pta = r8"
	REFUSED 0x30, 53 << 2, "mov cr.pta = r8"
	REFUSED 0x30, 1 << 8, "mov cr.tpr = r8"
	REFUSED 0x30, 1 << 8, "mov cr.itv = r8"
	REFUSED 0x30, 1 << 13, "mov cr.itv = r8"
	REFUSED 0x30, 1 << 11, "mov cr.lrr0 = r8"
	REFUSED 0x30, 1, "mov psr.l = r8"
	REFUSED 0x30, 1 << 6, "mov psr.l = r8"
	REFUSED 0x30, 1 << 16, "mov psr.l = r8"
	REFUSED 0x30, 1 << 28, "mov psr.l = r8"
	REFUSED 0x30, 1 << 6, "mov psr.um = r8"
	REFUSED 0x30, 1 << 13, "mov psr.um = r8"
	REFUSED 0x30, 0, "ssm 1 << 7"
	REFUSED 0x30, 0, "rsm 1"
	REFUSED 0x30, 0, "sum 1 << 13"
	REFUSED 0x30, 0, "rum 1 << 6"
	REFUSED 0x30, 2 | 14 << 2, "mov rr[r0] = r8"
	REFUSED 0x30, 15 << 2, "mov rr[r0] = r8"
	REFUSED 0x30, 1 << 32 | 14 << 2, "mov rr[r0] = r8"
	REFUSED 0x30, 1 << 4, "mov pkr[r0] = r8"
	REFUSED 0x30, 16, "mov pkr[r8] = r0"
	REFUSED 0x30, 16, "mov r9 = pkr[r8]"
	REFUSED 0x30, 8, "mov dbr[r8] = r0"
	REFUSED 0x30, 8, "mov r9 = ibr[r8]"
	REFUSED 0x30, 5, "mov r9 = cpuid[r8]"
	REFUSED 0x30, 1 << 38, "mov.i ar.pfs = r8"
	REFUSED 0x30, 1 << 58, "mov.i ar.pfs = r8"
	REFUSED 0x30, 1 << 58, "mov ar.fpsr = r8"
	REFUSED 0x30, 1 << 12, "mov ar.fpsr = r8"
	REFUSED 0x30, 1 << 8, "mov ar.fpsr = r8"
	REFUSED 0, 0, "mov r9 = ar20"
	REFUSED 0, 0, "mov ar33 = r8"
	REFUSED 0, 0, "mov.m r9 = ar47"
	REFUSED 0, 0, "mov.i r9 = ar70"

	/* Ignored ones are 0 and can be written. */
	mov r8 = -1
	;;
	mov.m ar48 = r8
	mov.i ar112 = r8
	;;
	mov.i r9 = ar48
	mov.m r10 = ar112
	;;
	CHECK_VALUE r9, 0
	CHECK_VALUE r10, 0
	/* Bits that are not there: EC has 6, PMD beyond the last reads 0. */
	mov.i ar.ec = r8
	mov r11 = 200
	;;
	mov pmd[r11] = r8
	mov.i r9 = ar.ec
	;;
	mov r10 = pmd[r11]
	;;
	CHECK_VALUE r9, 63
	CHECK_VALUE r10, 0
	/* An index has 8 bits, a region number the upper 3. */
	movl r11 = 0x2000000000000103
	movl r12 = 0x1234 << 8 | 14 << 2
	;;
	mov rr[r11] = r12
	mov r9 = cpuid[r11]
	;;
	CHECK_VALUE r9, 0x1f010504
	movl r11 = 1 << 61
	;;
	mov r9 = rr[r11]
	;;
	CHECK_EQ r9, r12
	PASS
