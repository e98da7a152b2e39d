/* SPDX-License-Identifier: GPL-2.0 */
/*
 * TLB misses as events, and where they happened.  Region 1: 16 KiB pages, the short format's
 * table of 2^20 bytes at 0x100000000 in the region.
 *
 * Rule pmu (SDM 2:160): a counter of TLB misses overflows at the instruction that misses, which
 *   is the last that any counter counts
 * Rule pmu (SDM 2:163): the data event address register has the address, the instruction and
 *   how the last miss ended
 * Rule pmu (SDM 2:163): the instruction event address register has the line and how the last
 *   miss of a fetch ended
 */
	.include "bare.inc"
	.include "mmu.inc"
	.include "pmu.inc"
	TABLE = 0x100000000
	PAGE = 0x3100000		/* of the table, physical */
	DATA = 0x2000000
	PAGES = 32
	VECTOR = 0x60
	PSR_I = 1 << 14
	DEAR_TLB = 1 << 7
	DEAR_L2 = 12 << 16		/* not those that end in the L2 DTLB: only a model of time has any */
	IEAR_ANY = 7 << 5

	/* Page n of the region, whose entry may be in the table. */
	.macro ENTRY n, word
	movl r2 = PAGE + (\n) * 8
	movl r3 = \word
	;;
	st8 [r2] = r3
	;;
	.endm

	.macro CLEAR
	.irp n, 4, 5, 6, 7
	PMD \n, 0
	.endr
	.endm

	.macro COUNTED n, value
	GET_PMD \n, r8
	CHECK_VALUE r8, \value
	.endm

	START
	IDENTITY
	SET_PTA TABLE | 20 << 2 | 1
	SET_RR 1, 0x101, 14, 1
	ITR_D 1, R1 | TABLE, PAGE | FINE, 20
	movl r10 = PAGE
	movl r11 = DATA | FINE
	movl r14 = 1 << 14
	mov r12 = PAGES - 1
	;;
	mov.i ar.lc = r12
	;;
1:	{ .mmi
	st8 [r10] = r11, 8
	add r11 = r11, r14
	nop.i 0 }
	br.cloop.sptk.many 1b
	;;
	/* a reserved bit */
	ENTRY 30, FINE | 2
	ENTRY 31, FINE | 2
	mov cr.tpr = r0
	mov r8 = VECTOR
	;;
	mov cr.pmv = r8
	;;
	srlz.d
	;;
	FREEZE
	/* L2DTLB_MISSES chooses the set of the L1D, and is in PMC5 */
	PMC 4, PMC_ENABLE | PLM_ALL | DTLB_INSERTS_HPW << 8
	PMC 5, PLM_ALL | L2DTLB_MISSES << 8
	PMC 6, PLM_ALL | INST_RETIRED << 8
	PMC 7, PLM_ALL | DATA_EAR_EVENTS << 8
	PMC 11, PLM_ALL | DEAR_TLB | DEAR_L2
	CLEAR
	GO_ON begin, PSR_DT | PSR_RT | PSR_IT | PM_UP
begin:
	movl r10 = R1
	movl r11 = R1 | 1 << 14
	movl r12 = R1 | 2 << 14 | 8
	movl r13 = R1 | 30 << 14
	movl r20 = R1 | 3 << 14
	movl r21 = R1 | 4 << 14
	movl r22 = R1 | 5 << 14
	mov r3 = 1
	;;
	/* three misses of loads, one of a store, and one that is none */
	RUN
	{ .mmi
	ld8 r8 = [r10]
	ld8 r9 = [r11]
	nop.i 0
	;; }
	{ .mmi
	ld4 r8 = [r12]
	st8 [r20] = r0
	nop.i 0
	;; }
2:	{ .mmi
	nop.m 0
	ld8 r9 = [r10]
	nop.i 0
	;; }
	FREEZE
	COUNTED 4, 4
	COUNTED 5, 4
	COUNTED 7, 4
	GET_PMD 2, r8
	CHECK_VALUE r8, R1 | 3 << 14
	GET_PMD 3, r8
	CHECK_VALUE r8, 2 << 14
	movl r9 = 2b - 16
	GET_PMD 17, r8
	and r14 = 15, r8
	and r15 = -16, r8
	;;
	/* the address is that of two bundles, bit 2 says which */
	extr.u r16 = r14, 2, 1
	;;
	shl r16 = r16, 4
	;;
	or r15 = r15, r16
	;;
	CHECK_EQ r15, r9
	dep r14 = 0, r14, 2, 1
	;;
	CHECK_VALUE r14, 8 | 1
	tbit.z p8, p0 = r8, 4
	;;
	CHECK_PREDICATE p8

	/* the walker finds nothing: a miss, and a fault */
	CLEAR
	EXPECT 3f
	RUN
	{ .mmi
	ld8 r8 = [r13]
	nop.m 0
	nop.i 0
	;; }
	UNREACHABLE
3:	FREEZE
	INTERRUPTED VEC_DATA_TLB, ISR_R
	COUNTED 4, 0
	COUNTED 5, 1
	COUNTED 7, 1
	GET_PMD 2, r8
	CHECK_VALUE r8, R1 | 30 << 14
	GET_PMD 3, r8
	CHECK_VALUE r8, 3 << 14

	/* only what the umask names is recorded */
	PMC 11, PLM_ALL | DEAR_TLB | 8 << 16
	CLEAR
	RUN
	ld8 r8 = [r21]
	;;
	FREEZE
	COUNTED 5, 1
	COUNTED 7, 0
	GET_PMD 2, r8
	CHECK_VALUE r8, R1 | 30 << 14
	/* and only at the levels of plm */
	PMC 11, 8 | DEAR_TLB | DEAR_L2
	CLEAR
	RUN
	ld8 r8 = [r22]
	;;
	FREEZE
	COUNTED 5, 1
	COUNTED 7, 0
	PMC 11, PLM_ALL | DEAR_TLB | DEAR_L2

	/* overflow at the second of four misses, in the middle of a bundle */
	HOOK handler
	ssm PSR_I
	;;
	srlz.d
	;;
	movl r10 = R1 | 8 << 14
	movl r11 = R1 | 9 << 14
	movl r12 = R1 | 10 << 14
	movl r13 = R1 | 11 << 14
	;;
	.irp slot, 0, 1
	PMC 5, PLM_ALL | PMC_OI | L2DTLB_MISSES << 8
	CLEAR
	PMD 5, -2
	mov r7 = 0
	;;
	.align 32
	RUN
	.if \slot == 0
	{ .mmi
	ld8 r8 = [r10]
	nop.m 0
	nop.i 0
	;; }
4:	{ .mmi
	ld8 r9 = [r11]
	ld8 r8 = [r12]
	nop.i 0
	;; }
	.else
4:	{ .mmi
	ld8 r8 = [r10]
	ld8 r9 = [r11]
	nop.i 0
	;; }
	ld8 r8 = [r12]
	;;
	.endif
	ld8 r8 = [r13]
	;;
	FREEZE
	CHECK_VALUE r7, 1
	CHECK_VALUE r4, 0x21
	COUNTED 4, 2
	COUNTED 5, 0
	COUNTED 7, 2
	GET_PMD 2, r8
	CHECK_VALUE r8, R1 | 9 << 14
	GET_PMD 17, r8
	movl r9 = 4b
	;;
	and r9 = -32, r9
	;;
	.if \slot == 0
	add r9 = 8, r9
	;;
	CHECK_EQ r8, r9
	COUNTED 6, 2 + 3 + 1
	.else
	add r9 = 8 | 4 | 1, r9
	;;
	CHECK_EQ r8, r9
	COUNTED 6, 2 + 2
	.endif
	/* where it goes on */
	movl r9 = 4b
	;;
	CHECK_EQ r5, r9
	CHECK_VALUE r6, \slot + 1
	.irp n, 8, 9, 10, 11
	PTC_L R1 | \n << 14, 14
	.endr
	.endr

	/* an overflow at a fault: the handler is not counted */
	PMC 5, PLM_ALL | L2DTLB_MISSES << 8
	PMC 7, PLM_ALL | PMC_OI | DATA_EAR_EVENTS << 8
	CLEAR
	PMD 7, -1
	mov r7 = 0
	movl r13 = R1 | 30 << 14
	HOOK fault
	;;
	RUN
	{ .mmi
	ld8 r8 = [r13]
	nop.m 0
	nop.i 0
	;; }
	UNREACHABLE
back:
	HOOK handler
	ssm PSR_I
	;;
	srlz.d
	;;
	CHECK_VALUE r7, 1
	CHECK_VALUE r4, 0x81
	COUNTED 6, 2
	COUNTED 5, 1
	GET_PMD 3, r8
	CHECK_VALUE r8, 3 << 14
	rsm PSR_I
	;;
	srlz.d
	;;
	HOOK 0

	/* L2DTLB_MISSES counts in PMC5, or where PMC5 has another event of its set */
	PMC 4, PMC_ENABLE | PLM_ALL | L2DTLB_MISSES << 8
	PMC 5, PLM_ALL | INST_RETIRED << 8
	PMC 7, PLM_ALL | DATA_EAR_EVENTS << 8
	CLEAR
	RUN
	ld8 r8 = [r10]
	;;
	FREEZE
	COUNTED 4, 0
	COUNTED 7, 1
	PMC 5, 0xc3 << 8
	CLEAR
	RUN
	ld8 r8 = [r11]
	;;
	FREEZE
	COUNTED 4, 1
	PMC 5, PLM_ALL | 0xc5 << 8
	CLEAR
	RUN
	ld8 r8 = [r12]
	;;
	FREEZE
	COUNTED 4, 0
	/* one of the set that itself counts nothing: L1D_READS, in two sets */
	movl r23 = R1 | 13 << 14
	movl r24 = R1 | 14 << 14
	;;
	PMC 5, PLM_ALL | 0xc2 << 8
	CLEAR
	RUN
	ld8 r8 = [r23]
	;;
	FREEZE
	COUNTED 4, 1
	COUNTED 5, 0
	PMC 4, PMC_ENABLE | PLM_ALL | 0xc5 << 8
	CLEAR
	RUN
	ld8 r8 = [r24]
	;;
	FREEZE
	COUNTED 4, 0
	PMC 5, PLM_ALL | 0xc4 << 8 | 0xf << 16
	CLEAR
	RUN
	ld8 r8 = [r24]
	;;
	FREEZE
	COUNTED 4, 1

	/* fetches: by the walker, and a fault */
	ENTRY 20, code + FINE
	PMC 10, PLM_ALL | IEAR_ANY
	PMC 4, PMC_ENABLE | PLM_ALL | 0x47 << 8 | 2 << 16
	PMC 5, PLM_ALL | 0x48 << 8
	PMC 7, PLM_ALL | CODE_EAR_EVENTS << 8
	CLEAR
	movl r8 = R1 | 20 << 14 | 0x40
	;;
	mov b6 = r8
	RUN
	br.call.sptk.many b0 = b6
	;;
	FREEZE
	COUNTED 4, 1
	COUNTED 5, 1
	COUNTED 7, 1
	GET_PMD 0, r8
	CHECK_VALUE r8, R1 | 20 << 14 | 0x40 | 2
	CLEAR
	movl r8 = R1 | 31 << 14 | 0x50
	EXPECT 5f
	mov b6 = r8
	;;
	RUN
	br.call.sptk.many b0 = b6
	;;
	UNREACHABLE
5:	FREEZE
	INTERRUPTED VEC_INST_TLB, ISR_X
	COUNTED 4, 1
	COUNTED 5, 0
	COUNTED 7, 1
	GET_PMD 0, r8
	CHECK_VALUE r8, R1 | 31 << 14 | 0x40 | 3
	PASS

handler:
	OVERFLOW_HANDLER
	/* of the load: go on behind it, with PSR.i 0 */
fault:
	movl r18 = VEC_DATA_TLB
	;;
	cmp.ne p6, p0 = r16, r18
	;;
(p6)	mov r3 = 241
(p6)	br.cond.spnt.many bare_exit
	movl r18 = back
	mov r19 = cr.ipsr
	;;
	dep r19 = 0, r19, 14, 1
	;;
	dep r19 = 0, r19, 41, 2
	;;
	mov cr.iip = r18
	;;
	mov cr.ipsr = r19
	mov pr = r31, -1
	;;
	srlz.d
	;;
	rfi
	;;
	.align 16384
code:
	.skip 0x40
	br.ret.sptk.many b0
	;;
