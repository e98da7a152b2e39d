/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The data event address register's cache mode, and the L1 DTLB in its TLB mode: both need a
 * model of time.  Latencies are those of timing_memory.s.
 *
 * Rule pmu (SDM 2:163): loads are recorded that take at least as long as PMC11 says, with
 *   address, latency, and instruction
 *
 * Options: -timing madison
 */
	.include "bare.inc"
	.include "mmu.inc"
	.include "pmu.inc"
	DEAR_TLB = 1 << 7
	L1_DTLB = 2
	DEAR_4 = 0 << 16
	DEAR_16 = 2 << 16
	DEAR_4096 = 10 << 16
	DATUM = 0x2000000

	.macro COUNTED value
	GET_PMD 4, r8
	CHECK_VALUE r8, \value
	PMD 4, 0
	.endm

	/* One load, all else done. */
	.macro ONE_LOAD address
	movl r10 = \address
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
	.endm

	START
	IDENTITY
	GO_ON begin, PSR_DT | PSR_RT | PSR_IT | PM_UP
begin:
	FREEZE
	COUNTER DATA_EAR_EVENTS
	PMD 4, 0

	/* from memory: 240 cycles and more */
	PMC 11, PLM_ALL | DEAR_16
	ONE_LOAD DATUM
	COUNTED 1
	GET_PMD 2, r8
	CHECK_VALUE r8, DATUM
	GET_PMD 3, r8
	extr.u r9 = r8, 14, 2
	extr.u r8 = r8, 0, 14
	;;
	CHECK_VALUE r9, 1
	mov r9 = 200
	mov r10 = 400
	;;
	cmp.ltu p8, p9 = r9, r8
	;;
(p8)	cmp.ltu p8, p9 = r8, r10
	;;
	CHECK_PREDICATE p8
	/* from L2: 5 */
	ONE_LOAD DATUM + 64
	COUNTED 0
	GET_PMD 2, r8
	CHECK_VALUE r8, DATUM
	PMC 11, PLM_ALL | DEAR_4
	ONE_LOAD DATUM + 4096
	COUNTED 1
	ONE_LOAD DATUM + 4096 + 64
	COUNTED 1
	GET_PMD 2, r8
	CHECK_VALUE r8, DATUM + 4096 + 64
	GET_PMD 3, r8
	extr.u r8 = r8, 0, 14
	;;
	cmp.gtu p8, p0 = 12, r8
	;;
	CHECK_PREDICATE p8
	/* from L1D: 1 */
	ONE_LOAD DATUM + 4096 + 64
	COUNTED 0
	/* longer than any */
	PMC 11, PLM_ALL | DEAR_4096
	ONE_LOAD DATUM + 0x10000
	COUNTED 0

	/* TLB mode: the L1 DTLB misses, L2 DTLB hits */
	PMC 11, PLM_ALL | DEAR_TLB | L1_DTLB << 16
	ONE_LOAD DATUM + 0x20000
	COUNTED 1
	GET_PMD 2, r8
	CHECK_VALUE r8, DATUM + 0x20000
	GET_PMD 3, r8
	CHECK_VALUE r8, 1 << 14
	ONE_LOAD DATUM + 0x20008
	COUNTED 0
	/* not asked for */
	PMC 11, PLM_ALL | DEAR_TLB | 12 << 16
	ONE_LOAD DATUM + 0x30000
	COUNTED 0
	PASS
