/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events that only a model of time has: caches and stalls.  timing_memory.s has the latencies.
 *
 * Rule pmu (SDM 2:162): counters count what is specific to the processor, such as its caches
 *
 * Options: -timing madison
 */
	.include "bare.inc"
	.include "mmu.inc"
	.include "pmu.inc"
	DATUM = 0x2000000

	/* r8 to r11: by how much PMD4 to 7 have grown over a load and its use */
	.macro ONE_LOAD address
	.irp n, 4, 5, 6, 7
	PMD \n, 0
	.endr
	movl r10 = \address
	br.call.sptk.many b0 = one_load
	;;
	.endm

	START
	IDENTITY
	GO_ON begin, PSR_DT | PSR_RT | PSR_IT | PM_UP
begin:
	FREEZE
	PMC 4, PMC_ENABLE | PLM_ALL | 0xcb << 8		/* L2_MISSES */
	PMC 5, PLM_ALL | 0xc7 << 8			/* L1D_READ_MISSES */
	PMC 6, PLM_ALL | 0xdc << 8			/* L3_MISSES */
	PMC 7, PLM_ALL | 0x02 << 8 | 1 << 16		/* BE_EXE_BUBBLE.GRALL */
	/* the code first: run it once */
	ONE_LOAD DATUM + 0x100000
	/* a page that the L1 DTLB has, another line: memory, then L2 as its other half, then L1D */
	ONE_LOAD DATUM
	ONE_LOAD DATUM + 0x80
	CHECK_VALUE r8, 1
	CHECK_VALUE r9, 1
	CHECK_VALUE r10, 1
	CHECK_BETWEEN r11, 150, 400
	ONE_LOAD DATUM + 0xc0
	CHECK_VALUE r8, 0
	CHECK_VALUE r9, 1
	CHECK_VALUE r10, 0
	CHECK_BETWEEN r11, 1, 20
	ONE_LOAD DATUM + 0xc8
	CHECK_VALUE r8, 0
	CHECK_VALUE r9, 0
	CHECK_VALUE r10, 0

	/* all stalls are the sum of their classes, and no more than the cycles */
	PMC 4, PMC_ENABLE | PLM_ALL | CPU_CYCLES << 8
	PMC 5, PLM_ALL | 0x00 << 8
	PMC 6, PLM_ALL | 0x02 << 8
	PMC 7, PLM_ALL | 0x02 << 8 | 1 << 16
	ONE_LOAD DATUM + 0x100
	cmp.ltu p8, p9 = r9, r8
	;;
	CHECK_PREDICATE p8
	cmp.leu p8, p9 = r10, r9
	;;
	CHECK_PREDICATE p8
	cmp.leu p8, p9 = r11, r10
	;;
	CHECK_PREDICATE p8
	CHECK_BETWEEN r11, 150, 400
	PASS

	/* at r10, with a use; r8 to r11: by how much PMD4 to 7 have grown.  Its code is in the
	 * caches once it has run.
	 */
	.align 64
one_load:
	mov r3 = 1
	;;
	srlz.i
	;;
	RUN
	{ .mmi
	ld8 r8 = [r10]
	nop.m 0
	nop.i 0
	;; }
	{ .mii
	add r9 = r8, r0
	nop.i 0
	nop.i 0
	;; }
	{ .mii
	mov pmc[r0] = r3
	nop.i 0
	nop.i 0
	;; }
	GET_PMD 4, r8
	GET_PMD 5, r9
	GET_PMD 6, r10
	GET_PMD 7, r11
	br.ret.sptk.many b0
	;;
