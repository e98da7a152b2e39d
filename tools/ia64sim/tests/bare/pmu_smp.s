/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two processors, each with monitors of its own.
 *
 * Rule pmu (SDM 2:155): monitors count what their own processor does, freeze alone, and
 *   interrupt their own processor
 *
 * Options: -smp 2
 */
	.include "bare.inc"
	.include "mmu.inc"
	.include "pmu.inc"
	.include "smp.inc"
	VECTOR = 0x60

	.macro COUNTED_LOOP times
	mov r9 = \times - 1
	;;
	mov.i ar.lc = r9
	mov r3 = 1
	;;
	RUN
8893:	{ .mib
	nop.m 0
	nop.i 0
	br.cloop.sptk.few 8893b
	;; }
	{ .mii
	mov pmc[r0] = r3
	nop.i 0
	nop.i 0
	;; }
	.endm

	.macro PREPARE
	ssm PM_UP
	mov r8 = VECTOR
	;;
	mov cr.pmv = r8
	mov cr.tpr = r0
	;;
	srlz.d
	;;
	FREEZE
	.endm

	START
	SECOND other
	PREPARE
	COUNTER INST_RETIRED
	WAKE
	AWAIT 1
	.irp times, 100, 1000, 10000
	PMD 4, 0
	COUNTED_LOOP \times
	GET_PMD 4, r8
	CHECK_VALUE r8, 2 + 3 * \times + 1
	GET_PMC 0, r8
	CHECK_VALUE r8, 1
	.endr
	mov r8 = cr.irr1
	;;
	CHECK_VALUE r8, 0
	TELL 2
	AWAIT 3
	mov r8 = cr.irr1
	;;
	CHECK_VALUE r8, 0
	PASS

	.align 16
other:
	BEGIN_SECOND
	PREPARE
	PMC 4, PMC_ENABLE | PLM_ALL | PMC_OI | INST_RETIRED << 8
	PMC 5, PLM_ALL | NOPS_RETIRED << 8
	PMD 4, -3002
	PMD 5, 0
	TELL 1
	COUNTED_LOOP 2000
	GET_PMC 0, r8
	CHECK_VALUE r8, 1
	GET_PMD 4, r8
	CHECK_VALUE r8, 0
	GET_PMD 5, r8
	CHECK_VALUE r8, 2 + 2 * 1000
	mov r8 = cr.irr1
	;;
	CHECK_VALUE r8, 1 << 32
	AWAIT 2
	TELL 3
3:	br.sptk.few 3b
