/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Random references, purges and inserts over more pages than the TLBs hold.
 * mmu_soft.sh compares its counters with the soft TLB and without.
 *
 * Rule tlb (SDM 2:49): each page always reads as itself, whatever was replaced, purged or
 *   inserted
 *
 * Options: -tlb itc=24,dtc=40,tr=8
 *
 * Regions 1 and 2 map page n, of 16 KiB, to frame n modulo 32 at FRAMES, whose
 * words 0 and 1 are a bundle that returns n modulo 32, and word 2 that number.
 */
	.include "bare.inc"
	.include "mmu.inc"
	TABLE = 0x100000000
	PAGE = 0x3100000
	FRAMES = 0x3000000
	PAGES = 512

	START
	IDENTITY
	SET_RR 1, 0x101, 14, 1
	SET_RR 2, 0x102, 14, 1
	ITR_D 1, R1 | TABLE, PAGE | P | A | AR_R, 20
	ITR_D 2, R2 | TABLE, PAGE | P | A | AR_R, 20
	movl r8 = TABLE | 20 << 2 | 1
	;;
	mov cr.pta = r8
	;;
	srlz.i
	;;
	/* frames: the bundle at "template" with its immediate patched */
	movl r10 = FRAMES
	movl r11 = template
	mov r12 = 0
	;;
	ld8 r13 = [r11], 8
	;;
	ld8 r20 = [r11]
	;;
1:	/* slot 0 is addl r8 = imm, r0: imm7b is bits 13 to 19 of the slot */
	dep r13 = r12, r13, 5 + 13, 7
	;;
	st8 [r10] = r13, 8
	;;
	st8 [r10] = r20, 8
	;;
	st8 [r10] = r12
	movl r14 = 0x4000 - 16
	;;
	add r10 = r10, r14
	add r12 = 1, r12
	;;
	cmp.ne p8, p0 = 32, r12
	;;
(p8)	br.cond.sptk.many 1b
	;;
	/* the table */
	movl r10 = PAGE
	movl r11 = FINE | FRAMES
	movl r12 = PAGES
	movl r13 = 0x4000
	;;
2:	st8 [r10] = r11, 8
	add r11 = r11, r13
	add r12 = -1, r12
	;;
	dep r11 = 0, r11, 19, 1		/* 32 frames are 2^19 bytes */
	cmp.ne p8, p0 = 0, r12
	;;
(p8)	br.cond.sptk.many 2b
	;;
	GO_ON 3f, PSR_DT | PSR_IT
3:
	movl r20 = 88172645463325252	/* xorshift */
	movl r21 = 20000		/* rounds */
	movl r22 = R1
	movl r23 = R2
	mov r24 = 14 << 2
	mov r25 = 16 << 2
	;;
round:
	shl r8 = r20, 13
	;;
	xor r20 = r20, r8
	;;
	shr.u r8 = r20, 7
	;;
	xor r20 = r20, r8
	;;
	shl r8 = r20, 17
	;;
	xor r20 = r20, r8
	;;
	extr.u r26 = r20, 8, 9		/* page */
	extr.u r27 = r20, 20, 4		/* what */
	extr.u r28 = r20, 24, 6
	tbit.z p8, p0 = r20, 40
	;;
(p8)	and r26 = 31, r26		/* half of the time few pages */
	;;
	shl r29 = r26, 14
	extr.u r30 = r26, 0, 5		/* frame */
	;;
	or r9 = r22, r29
	or r10 = r23, r29
	;;
	add r11 = 16, r9
	cmp.eq p9, p0 = 10, r27
	cmp.eq p10, p0 = 11, r27
	;;
	cmp.eq p11, p0 = 12, r27
	cmp.eq p12, p0 = 13, r27
	cmp.eq p13, p0 = 14, r27
	cmp.eq p14, p0 = 15, r27
	;;
(p9)	ptc.l r9, r24
	;;
(p10)	ptc.l r9, r25
	;;
(p14)	cmp.eq.unc p14, p0 = 0, r28
	;;
(p14)	ptc.e r0
	;;
	srlz.i
	;;
(p11)	br.cond.spnt.many insert
(p12)	br.cond.spnt.many execute
	;;
(p13)	br.cond.spnt.many write
	;;
	ld8 r8 = [r11]
	;;
	CHECK_EQ r8, r30
	br.sptk.many next
	;;
write:
	add r12 = 24, r9
	movl r13 = FRAMES + 24
	shl r14 = r30, 14
	;;
	add r13 = r13, r14
	st8 [r12] = r20
	;;
	fetchadd8.acq r14 = [r12], 1
	ld8 r15 = [r13]			/* the same by the identity TR */
	add r17 = 1, r20
	;;
	CHECK_EQ r14, r20
	add r13 = 0, r0
	;;
	ld8 r14 = [r12]
	;;
	CHECK_EQ r14, r17
	br.sptk.many next
	;;
execute:
	mov b6 = r10
	;;
	br.call.sptk.many b1 = b6
	;;
	CHECK_EQ r8, r30
	br.sptk.many next
	;;
insert:
	IC_OFF
	movl r12 = FINE | FRAMES
	shl r13 = r30, 14
	;;
	add r12 = r12, r13
	mov cr.ifa = r9
	mov cr.itir = r24
	;;
	itc.d r12
	;;
	IC_ON
next:
	add r21 = -1, r21
	;;
	cmp.ne p8, p0 = 0, r21
	;;
(p8)	br.cond.sptk.many round
	;;
	PASS

	.align 16
template:
	{ .mib
	addl r8 = 0, r0
	nop.i 0
	br.ret.sptk.many b1
	}
