/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Overflow of a counter that is to interrupt.
 *
 * Rule pmu (SDM 2:160): an overflow with PMC.oi sets the counter's bit in PMC0 and PMC0.fr, and
 *   raises the interrupt of CR.PMV, once
 * Rule pmu (SDM 2:160): the freeze holds all counters, from the instruction on that overflowed
 * Rule pmu (SDM 2:161): while PMV.m is 1 the interrupt is discarded
 * Rule pmu (SDM 2:160): writes of PMC0 that leave an overflow bit set raise no interrupt
 */
	.include "bare.inc"
	.include "pmu.inc"
	VECTOR = 0x60
	PSR_I = 1 << 14

	/* After k instructions, of which two are in RUN's bundle. */
	.macro OVERFLOW_AFTER event, k
	PMC 4, PMC_ENABLE | PLM_ALL | PMC_OI | \event << 8
	PMD 4, -\k
	PMD 5, 0
	PMD 6, 0
	mov r7 = 0
	;;
	RUN
	.rept 4
	{ .mii
	nop.m 0
	nop.i 0
	nop.i 0
	;; }
	.endr
	/* frozen already */
	FREEZE
	CHECK_VALUE r7, 1
	CHECK_VALUE r4, 0x11
	GET_PMD 4, r8
	CHECK_VALUE r8, 0
	GET_PMD 5, r8
	CHECK_VALUE r8, \k
	GET_PMD 6, r8
	CHECK_VALUE r8, \k
	.endm

	START
	ssm PM_UP
	mov cr.tpr = r0
	mov r8 = VECTOR
	;;
	mov cr.pmv = r8
	srlz.d
	;;
	FREEZE
	PMC 5, PLM_ALL | NOPS_RETIRED << 8
	PMC 6, PLM_ALL | INST_RETIRED << 8
	HOOK handler
	ssm PSR_I
	;;
	srlz.d
	;;
	.irp k, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
	OVERFLOW_AFTER INST_RETIRED, \k
	OVERFLOW_AFTER NOPS_RETIRED, \k
	.endr

	/* from where it was: the instruction behind the one that overflowed */
	PMC 4, PMC_ENABLE | PLM_ALL | PMC_OI | INST_RETIRED << 8
	.irp k, 3, 4, 5, 6, 7, 8
	PMD 4, -\k
	movl r10 = 5f
	mov r7 = 0
	;;
	RUN
5:
	.rept 4
	{ .mii
	nop.m 0
	nop.i 0
	nop.i 0
	;; }
	.endr
	CHECK_VALUE r7, 1
	sub r10 = r5, r10
	;;
	CHECK_VALUE r10, (\k - 2) / 3 * 16
	CHECK_VALUE r6, (\k - 2) % 3
	.endr

	/* far away, so that the run loops run */
	.irp k, 1000, 1001, 1002, 1003, 1004, 1005
	PMD 4, -\k
	PMD 6, 0
	mov r9 = 600
	mov r7 = 0
	;;
	mov.i ar.lc = r9
	;;
	RUN
6:	{ .mib
	nop.m 0
	nop.i 0
	br.cloop.sptk.few 6b
	;; }
	FREEZE
	CHECK_VALUE r7, 1
	CHECK_VALUE r4, 0x11
	GET_PMD 6, r8
	CHECK_VALUE r8, \k
	GET_PMD 4, r8
	CHECK_VALUE r8, 0
	.endr

	/* An instruction that turns the monitors off is the last that they count. */
	PMD 4, -6
	PMD 6, 0
	mov r7 = 0
	;;
	RUN
	{ .mii
	nop.m 0
	nop.i 0
	nop.i 0
	;; }
	{ .mmi
	rum PM_UP
	nop.m 0
	nop.i 0
	;; }
	CHECK_VALUE r7, 1
	CHECK_VALUE r4, 0x11
	GET_PMD 4, r8
	CHECK_VALUE r8, 0
	GET_PMD 6, r8
	CHECK_VALUE r8, 6
	sum PM_UP
	;;
	srlz.d
	;;
	/* and the one that freezes them: its bit is not lost */
	PMD 4, -3
	mov r7 = 0
	mov r3 = 1
	;;
	RUN
	{ .mii
	mov pmc[r0] = r3
	nop.i 0
	nop.i 0
	;; }
	CHECK_VALUE r7, 1
	CHECK_VALUE r4, 0x11

	/* held while PSR.i is 0, and then once */
	rsm PSR_I
	;;
	PMD 4, -3
	mov r7 = 0
	;;
	RUN
	.rept 4
	nop.m 0
	;;
	.endr
	CHECK_VALUE r7, 0
	GET_PMC 0, r8
	CHECK_VALUE r8, 0x11
	/* writes raise none */
	PMC 0, 0x11
	PMC 0, 1
	ssm PSR_I
	;;
	srlz.d
	;;
	CHECK_VALUE r7, 1
	CHECK_VALUE r4, 1
	PMC 0, 0x11
	CHECK_VALUE r7, 1
	PMC 0, 0x10
	FREEZE
	CHECK_VALUE r7, 1

	/* masked: never */
	movl r8 = 1 << 16 | VECTOR
	;;
	mov cr.pmv = r8
	srlz.d
	;;
	PMD 4, -3
	mov r7 = 0
	;;
	RUN
	.rept 4
	nop.m 0
	;;
	.endr
	GET_PMC 0, r8
	CHECK_VALUE r8, 0x11
	mov r8 = VECTOR
	;;
	mov cr.pmv = r8
	srlz.d
	;;
	nop.m 0
	nop.m 0
	;;
	CHECK_VALUE r7, 0
	HOOK 0
	PASS

handler:
	OVERFLOW_HANDLER
