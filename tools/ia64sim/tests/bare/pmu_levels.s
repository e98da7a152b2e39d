/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Privilege and the monitors.
 *
 * Rule pmu (SDM 2:158): a counter counts at the privilege levels of PMC.plm, and no others
 * Rule pmu (SDM 2:158): with PMC.pm 0 while PSR.up is 1, with PMC.pm 1 while PSR.pp is 1
 * Rule pmu (SDM 2:24): an interruption leaves PSR.up alone and sets PSR.pp to DCR.pp
 * Rule pmu (SDM 2:158): above level 0 a PMD whose PMC.pm is 1 reads as 0
 * Rule pmu (SDM 2:156): above level 0 every PMD reads as 0 while PSR.sp is 1
 * Rule pmu (SDM 2:26): sum and rum leave PSR.up alone while PSR.sp is 1
 */
	.include "bare.inc"
	.include "pmu.inc"
	DCR_PP = 1
	START
	FREEZE
	/* the first for programs, the second for level 0; then for the system at both */
	PMC 4, PMC_ENABLE | 8 | INST_RETIRED << 8
	PMC 5, 1 | INST_RETIRED << 8
	PMC 6, PMC_PM | PLM_ALL | INST_RETIRED << 8
	PMC 7, PMC_PM | 8 | NOPS_RETIRED << 8
	.irp n, 4, 5, 6, 7
	PMD \n, 0
	.endr

	/* up without pp */
	EXPECT 1f, 3 << 32 | PM_UP
	RUN
	LEVEL 3, PM_UP
	{ .mii
	nop.m 0
	nop.i 0
	nop.i 0
	;; }
	{ .mii
	rum PM_UP
	nop.i 0
	nop.i 0
	;; }
	{ .mii
	sum PM_UP
	nop.i 0
	nop.i 0
	;; }
	{ .mii
	break.m 0
	nop.i 0
	nop.i 0
	;; }
1:	FREEZE
	/* rum is counted, sum is not; the break is none that completes */
	GET_PMD 4, r8
	CHECK_VALUE r8, 3 + 1 + 2
	/* at level 0 up came by the rfi: what is counted is the handler's */
	GET_PMD 5, r8
	cmp.ltu p8, p9 = 50, r8
	;;
	CHECK_PREDICATE p8
	GET_PMD 6, r8
	CHECK_VALUE r8, 0
	GET_PMD 7, r8
	CHECK_VALUE r8, 0

	/* pp without up; DCR.pp 0, so that interruptions are not counted */
	PMD 4, 0
	PMD 5, 0
	EXPECT 2f, 3 << 32 | PM_PP
	RUN
	LEVEL 3, PM_PP, PM_UP
	{ .mii
	nop.m 0
	nop.i 0
	nop.i 0
	;; }
	{ .mii
	break.m 0
	nop.i 0
	nop.i 0
	;; }
2:	FREEZE
	GET_PMD 4, r8
	CHECK_VALUE r8, 0
	GET_PMD 5, r8
	CHECK_VALUE r8, 0
	GET_PMD 6, r8
	CHECK_VALUE r8, 3
	GET_PMD 7, r8
	cmp.ltu p8, p9 = 2, r8
	;;
	CHECK_PREDICATE p8
	mov r12 = r8

	/* with DCR.pp the handler is, by the one for all levels */
	mov r8 = DCR_PP
	;;
	mov cr.dcr = r8
	srlz.d
	;;
	PMD 6, 0
	PMD 7, 0
	EXPECT 3f, 3 << 32 | PM_PP
	RUN
	LEVEL 3, PM_PP, PM_UP
	{ .mii
	nop.m 0
	nop.i 0
	nop.i 0
	;; }
	{ .mii
	break.m 0
	nop.i 0
	nop.i 0
	;; }
3:	FREEZE
	GET_PMD 6, r8
	cmp.ltu p8, p9 = 60, r8
	;;
	CHECK_PREDICATE p8
	GET_PMD 7, r8
	CHECK_EQ r8, r12
	mov cr.dcr = r0
	srlz.d
	;;

	/* what programs read */
	PMD 4, 1234
	PMD 6, 5678
	PMD 2, 42
	PMD 0, 43
	PMD 8, 44
	LEVEL 3, 0, PM_SP | PM_UP | PM_PP
	GET_PMD 4, r8
	CHECK_VALUE r8, 1234
	GET_PMD 6, r8
	CHECK_VALUE r8, 0
	GET_PMD 2, r8
	CHECK_VALUE r8, 42
	GET_PMD 0, r8
	CHECK_VALUE r8, 43
	GET_PMD 8, r8
	CHECK_VALUE r8, 44
	sum PM_UP
	;;
	mov r8 = psr.um
	;;
	tbit.nz p8, p0 = r8, 2
	;;
	CHECK_PREDICATE p8
	EXPECT 4f, 3 << 32 | PM_UP
	break.m 0
	;;
4:	PMC 10, 1 << 4
	PMC 11, 1 << 6
	LEVEL 3, 0, PM_SP
	GET_PMD 2, r8
	CHECK_VALUE r8, 0
	GET_PMD 0, r8
	CHECK_VALUE r8, 0
	GET_PMD 4, r8
	CHECK_VALUE r8, 1234
	EXPECT 5f, 3 << 32
	break.m 0
	;;
5:	LEVEL 3, PM_SP
	GET_PMD 4, r8
	CHECK_VALUE r8, 0
	GET_PMD 8, r8
	CHECK_VALUE r8, 0
	sum PM_UP
	;;
	mov r8 = psr.um
	;;
	tbit.z p8, p0 = r8, 2
	;;
	CHECK_PREDICATE p8
	EXPECT 6f, 3 << 32
	break.m 0
	;;
6:	GET_PMD 4, r8
	CHECK_VALUE r8, 1234
	PASS
