/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cycles by privilege level, for stats.py: a region of -stats with 3000 cycles at level 0, 500
 * and 1000 at level 3, and 200 at level 2.  The monitors count the same: PMD4 at level 3, PMD5
 * at level 0, PMD6 at level 2, and PMD7 at all.
 */
	.include "bare.inc"
	.include "pmu.inc"
	.include "stats.inc"

	/* So long at level n, and back. */
	.macro AT_LEVEL n, bundles
	EXPECT 8f, 3 << 32
	LEVEL \n
	PASS_TIME \bundles
	break.m 0
	;;
8:
	.endm

	START
	FREEZE
	PMC 4, PMC_ENABLE | 8 | CPU_CYCLES << 8
	PMC 5, 1 | CPU_CYCLES << 8
	PMC 6, 4 | CPU_CYCLES << 8
	PMC 7, PLM_ALL | CPU_CYCLES << 8
	.irp n, 4, 5, 6, 7
	PMD \n, 0
	.endr
	sum PM_UP
	;;
	REGION 1
	RUN
	AT_LEVEL 3, 500
	PASS_TIME 3000
	AT_LEVEL 2, 200
	AT_LEVEL 3, 1000
	FREEZE
	REGION 0
	PASS
