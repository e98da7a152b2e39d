/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the counters count, and when.
 *
 * Rule pmu (SDM 2:162): retired instructions are all that execute without a fault, nops and
 *   those which were predicated off included
 * Rule pmu (SDM 2:160): while PMC0.fr is 1 no counter counts
 * Rule pmu (SDM 2:156): an unimplemented PMC or PMD reads as 0 and ignores writes
 * Rule pmu (SDM 2:157): a counter that wraps around sets its overflow bit, whether or not
 *   PMC.oi asks for an interrupt
 */
	.include "bare.inc"
	.include "pmu.inc"
	START
	ssm PM_UP
	;;
	srlz.d
	;;
	FREEZE
	/* What is in the window: RUN's bundle has two nops behind the move, then 3 times 3,
	 * an alloc's worth of nothing, and the move that freezes.
	 */
	COUNTER INST_RETIRED
	PMC 5, PLM_ALL | NOPS_RETIRED << 8
	PMC 6, PLM_ALL | SQUASHED << 8
	PMC 7, PLM_ALL | CPU_CYCLES << 8
	PMD 4, 0
	PMD 5, 0
	PMD 6, 0
	PMD 7, 0
	cmp.eq p8, p9 = r0, r0
	mov r3 = 1
	;;
	RUN
	{ .mii
	nop.m 0
	add r8 = 1, r0
	nop.i 0
	;; }
	{ .mmi
(p9)	add r8 = 2, r0
(p9)	ld8 r9 = [r0]
	nop.i 0
	;; }
	{ .mlx
	nop.m 0
	movl r10 = 0x123456789abcdef
	;; }
	{ .mii
	mov pmc[r0] = r3
	nop.i 0
	nop.i 0
	;; }
	GET_PMD 4, r8
	CHECK_VALUE r8, 2 + 3 + 3 + 2 + 1
	GET_PMD 5, r8
	CHECK_VALUE r8, 2 + 2 + 1 + 1
	GET_PMD 6, r8
	CHECK_VALUE r8, 2
	GET_PMD 7, r8
	cmp.ne p8, p0 = r0, r8
	;;
	CHECK_PREDICATE p8
	/* they stand */
	GET_PMD 4, r8
	CHECK_VALUE r8, 2 + 3 + 3 + 2 + 1

	/* a read leaves the instruction itself out, and does not stop anything */
	PMD 4, 0
	mov r2 = 4
	mov r3 = 1
	;;
	RUN
	{ .mmi
	mov r8 = pmd[r2]
	mov r9 = pmd[r2]
	nop.i 0
	;; }
	{ .mii
	mov r10 = pmd[r2]
	nop.i 0
	nop.i 0
	;; }
	{ .mii
	mov pmc[r0] = r3
	nop.i 0
	nop.i 0
	;; }
	CHECK_VALUE r8, 2
	CHECK_VALUE r9, 3
	CHECK_VALUE r10, 5
	GET_PMD 4, r8
	CHECK_VALUE r8, 9

	/* 47 bits, sign-extended */
	PMD 4, 1 << 46
	GET_PMD 4, r8
	CHECK_VALUE r8, -1 << 46
	PMD 4, -1 << 47
	GET_PMD 4, r8
	CHECK_VALUE r8, 0
	/* others are whole */
	PMD 8, 0x123456789abcdef
	GET_PMD 8, r8
	CHECK_VALUE r8, 0x123456789abcdef

	/* overflow without oi: the bit is set, and counting goes on */
	PMD 4, -4
	PMD 5, 0
	mov r3 = 1
	;;
	RUN
	{ .mii
	mov r9 = pmc[r0]
	nop.i 0
	nop.i 0
	;; }
	{ .mii
	mov r10 = pmc[r0]
	nop.i 0
	nop.i 0
	;; }
	{ .mii
	mov pmc[r0] = r3
	nop.i 0
	nop.i 0
	;; }
	CHECK_VALUE r9, 0
	CHECK_VALUE r10, 0x10
	GET_PMC 0, r8
	CHECK_VALUE r8, 1
	GET_PMD 4, r8
	CHECK_VALUE r8, 5
	GET_PMD 5, r8
	CHECK_VALUE r8, 6
	/* the bit is software's to clear */
	PMC 0, 0x31
	GET_PMC 0, r8
	CHECK_VALUE r8, 0x31
	PMC 0, 1
	GET_PMC 0, r8
	CHECK_VALUE r8, 1

	/* nothing that could run: fr, PMC4's enable, plm, up */
	PMD 4, 0
	nop.m 0
	GET_PMD 4, r8
	CHECK_VALUE r8, 0
	PMC 4, PLM_ALL | INST_RETIRED << 8
	RUN
	nop.m 0
	FREEZE
	GET_PMD 4, r8
	CHECK_VALUE r8, 0
	PMC 4, PMC_ENABLE | 14 | INST_RETIRED << 8
	RUN
	nop.m 0
	FREEZE
	GET_PMD 4, r8
	CHECK_VALUE r8, 0
	PMC 4, PMC_ENABLE | PMC_PM | PLM_ALL | INST_RETIRED << 8
	RUN
	nop.m 0
	FREEZE
	GET_PMD 4, r8
	CHECK_VALUE r8, 0

	/* not there */
	PMC 1, -1
	GET_PMC 1, r8
	CHECK_VALUE r8, 0
	PMC 16, -1
	GET_PMC 16, r8
	CHECK_VALUE r8, 0
	PMD 18, -1
	GET_PMD 18, r8
	CHECK_VALUE r8, 0
	/* an event that nothing counts, and no threshold either */
	PMC 4, PMC_ENABLE | PLM_ALL | 0xff << 8
	RUN
	nop.m 0
	FREEZE
	GET_PMD 4, r8
	CHECK_VALUE r8, 0
	PMC 4, PMC_ENABLE | PLM_ALL | 1 << 20 | INST_RETIRED << 8
	RUN
	nop.m 0
	FREEZE
	GET_PMD 4, r8
	CHECK_VALUE r8, 0
	PASS
