/* SPDX-License-Identifier: GPL-2.0 */
/*
 * More pages than the TLB has entries.
 *
 * Rule tlb (SDM 2:50): all references come through in the end, also when the table's page is in
 *   the TC
 * Rule tlb (SDM 2:50): the last inserts stay until they were used
 *
 * Options: -tlb itc=16,dtc=16,tr=8
 */
	.include "bare.inc"
	.include "mmu.inc"
	TABLE = 0x100000000
	PAGE = 0x3100000
	START
	IDENTITY
	SET_RR 1, 0x101, 14, 0
	/* software inserts: the newest two are there */
	movl r20 = R1
	mov r21 = 0			/* page */
	mov r22 = 14 << 2
	movl r23 = FINE
	movl r24 = R1			/* the one before */
	;;
	IC_OFF
1:
	mov cr.ifa = r20
	mov cr.itir = r22
	;;
	itc.d r23
	;;
	srlz.d
	;;
	tak r25 = r20
	tak r26 = r24
	;;
	CHECK_VALUE r25, 0
	CHECK_VALUE r26, 0
	mov r24 = r20
	movl r2 = 0x4000
	;;
	add r20 = r20, r2
	add r21 = 1, r21
	;;
	cmp.ne p8, p0 = 100, r21
(p8)	br.cond.sptk.many 1b
	;;
	IC_ON
	/* 15 of them at most are left beside the TR: the first are gone */
	ABSENT_D R1
	ABSENT_D R1 | 80 << 14
	/* the walker with the table in the TC, not in a TR: it and the data */
	ptc.e r0
	;;
	srlz.d
	SET_RR 1, 0x101, 14, 1
	movl r8 = TABLE | 20 << 2 | 1
	;;
	mov cr.pta = r8
	;;
	srlz.i
	;;
	movl r8 = PAGE
	movl r9 = FINE | 0x3000000
	movl r10 = 0x3000000
	mov r11 = 200
	movl r12 = 0x4000
	;;
2:	/* page n of the region is at 0x3000000 + n * 16 KiB, modulo 1 MiB */
	st8 [r8] = r9, 8
	st8 [r10] = r10
	add r11 = -1, r11
	add r9 = r9, r12
	add r10 = r10, r12
	;;
	dep r9 = 0, r9, 20, 4
	dep r10 = 0, r10, 20, 4
	cmp.ne p8, p0 = 0, r11
(p8)	br.cond.sptk.many 2b
	;;
	DATA_ON
	mov r21 = 20			/* rounds */
	mov r27 = 0			/* times that the table was inserted */
	;;
3:
	movl r20 = R1
	movl r24 = 0x3000000
	mov r22 = 200
	;;
4:
	EXPECT 5f
	ld8 r8 = [r20]
	;;
	/* no fault: take EXPECT back */
	movl r2 = bare_record + RECORD_RESUME
	;;
	st8 [r2] = r0
	br.sptk.many 6f
	;;
5:	/* nothing but the table may be missing */
	LOAD_RECORD r14, RECORD_VECTOR
	CHECK_VALUE r14, VEC_VHPT
	ITC_D R1 | TABLE, PAGE | P | A | AR_R, 20
	add r27 = 1, r27
	br.sptk.many 4b
	;;
6:
	CHECK_EQ r8, r24
	movl r2 = 0x4000
	add r22 = -1, r22
	;;
	add r20 = r20, r2
	add r24 = r24, r2
	;;
	dep r24 = 0, r24, 20, 4
	cmp.ne p8, p0 = 0, r22
(p8)	br.cond.sptk.many 4b
	;;
	add r21 = -1, r21
	;;
	cmp.ne p8, p0 = 0, r21
(p8)	br.cond.sptk.many 3b
	;;
	/* the walker uses the table at each of 4000 misses: it seldom is the one to go */
	cmp.gtu p8, p0 = 100, r27
	;;
	CHECK_PREDICATE p8
	PASS
