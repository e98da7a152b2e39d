/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Without a model of time a slot takes a cycle, and events of caches and stalls count nothing.
 *
 * Rule pmu (SDM 2:162): processor cycles are counted, with any model of them
 *
 * Options: -timing none
 */
	.include "bare.inc"
	.include "pmu.inc"
	START
	ssm PM_UP
	;;
	srlz.d
	;;
	FREEZE
	PMC 4, PMC_ENABLE | PLM_ALL | CPU_CYCLES << 8
	.irp event, 0x00, 0x02, 0x04, 0x71, 0xc0, 0xc7, 0xca, 0xcb, 0xdb, 0xdc, 0x42
	/* PMC5 chooses any set */
	PMC 5, PLM_ALL | \event << 8
	PMC 6, PLM_ALL | \event << 8
	.irp n, 4, 5, 6
	PMD \n, 0
	.endr
	movl r10 = 0x2000000 + \event * 256
	mov r3 = 1
	;;
	RUN
	{ .mmi
	ld8 r8 = [r10]
	nop.m 0
	nop.i 0
	;; }
	{ .mii
	mov pmc[r0] = r3
	nop.i 0
	nop.i 0
	;; }
	GET_PMD 4, r8
	CHECK_VALUE r8, 2 + 3 + 1
	GET_PMD 5, r8
	CHECK_VALUE r8, 0
	GET_PMD 6, r8
	CHECK_VALUE r8, 0
	.endr
	PASS
