/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stores that miss the DTLB and the page of the table that the walker wants, under the
 * handler of Linux 6.1 with pages of 16 KiB (vhpt_miss; three levels, SMP, hugetlb).
 *
 *	TOUCH = 0	the program of the thesis's figure 4.1: 512 pages at a stride of
 *			32 MiB + 16 KiB, one byte each, LOOPS times for the clock
 *	TOUCH = 1	a byte of each page of 1 GiB is read, once, when nothing of it is in
 *			caches (read, for the thesis counts stalls for the L1 DTLB, which stores do
 *			not ask); RAM for it is 8 MiB again and again
 *	LONG = 1	with the long format, a hash table of 4 MiB that is empty at first; the
 *			handler is the same but for what it fills
 *	FRAMES		multiplies page numbers into frame numbers, modulo 512: 1 has
 *			them in a row, other odd ones spread them
 */
	.include "bare.inc"
	.include "mmu.inc"
	.include "measure.inc"
	LOOPS = 20
	AREAS = 512
	GIB = 65536			/* pages */
	PGD = 0x200000
	PMD = 0x204000
	POINTERS = 0x208000
	PTES = 0x1000000		/* a page for each 32 MiB */
	FRAME = 0x2000000
	BIG_TABLE = 0x1000000000
	HASH = 0x400000			/* RAM of the hash table, and where it is seen */
	HASHED = 0x40000000
	PAGE_SHIFT = 14
	PMD_SHIFT = 25
	PGDIR_SHIFT = 36

	/* r16 is an address, r17 a page number for its frame: map it */
	.macro MAP
	extr.u r18 = r16, PMD_SHIFT, 11
	movl r19 = PMD
	movl r20 = PTES
	;;
	shladd r19 = r18, 3, r19
	shl r18 = r18, PAGE_SHIFT
	extr.u r21 = r16, PAGE_SHIFT, 11
	;;
	add r20 = r20, r18
	;;
	st8 [r19] = r20
	shladd r20 = r21, 3, r20
	mov r22 = FRAMES
	;;
	setf.sig f6 = r17
	setf.sig f7 = r22
	;;
	xma.l f6 = f6, f7, f0
	;;
	getf.sig r17 = f6
	movl r22 = FRAME | FINE
	;;
	extr.u r17 = r17, 0, 9
	;;
	shl r17 = r17, PAGE_SHIFT
	;;
	add r22 = r22, r17
	;;
	st8 [r20] = r22
	.endm

	START
	IDENTITY
	.if LONG
	SET_PTA R5 + HASHED | 22 << 2 | 1 << 8 | 1
	ITR_D 1, R5 + HASHED, HASH | FINE, 22
	.else
	SET_PTA BIG_TABLE | 26 << 2 | 1
	.endif
	SET_RR 1, 0x101, 14, 1
	ITR_D 2, R4, PORTS | FINE | UC, 14
	movl r10 = PGD
	movl r11 = PMD
	;;
	mov ar.k7 = r10
	add r12 = 1 << (PAGE_SHIFT - 3), r10	/* region 1's part */
	;;
	st8 [r12] = r11
	movl r13 = POINTERS
	mov r14 = 0
	.if TOUCH == 0
	movl r15 = AREAS - 1
	movl r24 = (1 << PMD_SHIFT) + (1 << PAGE_SHIFT)
	.else
	movl r15 = GIB - 1
	movl r24 = 1 << PAGE_SHIFT
	.endif
	movl r25 = R1
	;;
	mov.i ar.lc = r15
	;;
1:	mov r16 = r25
	mov r17 = r14
	;;
	.if TOUCH == 0
	st8 [r13] = r16, 8
	.endif
	MAP
	add r14 = 1, r14
	add r25 = r25, r24
	br.cloop.sptk.many 1b
	;;
	/* everything else into L3 */
	movl r15 = (16 << 20) / 128 - 1
	movl r13 = FRAME
	;;
	mov.i ar.lc = r15
	;;
1:	ld8 r16 = [r13], 128
	br.cloop.sptk.many 1b
	;;
	movl r2 = handlers
	;;
	mov cr.iva = r2
	;;
	srlz.i
	;;
	VIRTUAL
	mov r24 = LOOPS + 2
	mov r27 = 0
	mov r26 = 97
	;;
	.if TOUCH == 0
again:	movl r13 = POINTERS
	movl r15 = AREAS - 1
	;;
	mov.i ar.lc = r15
	;;
	.align 32
2:	{ .mmi
	ld8 r16 = [r13], 8
	;;
	st1 [r16] = r26
	nop.i 0 }
	{ .mib
	nop.m 0
	nop.i 0
	br.cloop.dptk.few 2b
	;; }
	add r24 = -1, r24
	;;
	/* two loops to warm up */
	cmp.eq p8, p9 = LOOPS, r24
(p9)	br.cond.sptk.many 4f
	MEASURE
4:	cmp.lt p8, p9 = 0, r24
(p8)	br.cond.sptk.many again
	.else
	MEASURE
	movl r16 = R1
	movl r15 = GIB - 1
	movl r25 = 1 << PAGE_SHIFT
	;;
	mov.i ar.lc = r15
	;;
	.align 32
2:	{ .mmi
	ld1 r26 = [r16]
	add r16 = r16, r25
	nop.i 0
	;; }
	{ .mib
	add r27 = r27, r26
	nop.i 0
	br.cloop.dptk.few 2b
	;; }
	.endif
	MEASURED
	movl r2 = bare_ivt
	;;
	mov cr.iva = r2
	;;
	srlz.i
	;;
	PASS

	/* Linux 6.1, arch/ia64/kernel/ivt.S, vhpt_miss, word for word but for names */
	.section .text.ivt, "ax"
	.align 32768
handlers:
	.if LONG
	.org handlers + 0x800
	.endif
	mov r16 = cr.ifa
	movl r18 = PAGE_SHIFT
	mov r25 = cr.itir
	;;
	rsm PSR_DT
	mov r31 = pr
	mov r19 = ar.k7
	shl r21 = r16, 3
	shr.u r17 = r16, 61
	;;
	shr.u r22 = r21, 3
	extr.u r26 = r25, 2, 6
	;;
	cmp.ne p8, p0 = r18, r26
	sub r27 = r26, r18
	;;
(p8)	dep r25 = r18, r25, 2, 6
(p8)	shr r22 = r22, r27
	;;
	cmp.eq p6, p7 = 5, r17
	shr.u r18 = r22, PGDIR_SHIFT
	;;
(p7)	dep r17 = r17, r19, (PAGE_SHIFT - 3), 3
	srlz.d
(p6)	movl r19 = PGD
	.pred.rel "mutex", p6, p7
(p6)	shr.u r21 = r21, PGDIR_SHIFT + PAGE_SHIFT
(p7)	shr.u r21 = r21, PGDIR_SHIFT + PAGE_SHIFT - 3
	;;
(p6)	dep r17 = r18, r19, 3, (PAGE_SHIFT - 3)
(p7)	dep r17 = r18, r17, 3, (PAGE_SHIFT - 6)
	cmp.eq p7, p6 = 0, r21
	shr.u r18 = r22, PMD_SHIFT
	;;
	ld8 r17 = [r17]
	;;
(p7)	cmp.eq p6, p7 = r17, r0
	dep r17 = r18, r17, 3, (PAGE_SHIFT - 3)
	;;
(p7)	ld8 r20 = [r17]
	shr.u r19 = r22, PAGE_SHIFT
	;;
(p7)	cmp.eq.or.andcm p6, p7 = r20, r0
	dep r21 = r19, r20, 3, (PAGE_SHIFT - 3)
	;;
(p7)	ld8 r18 = [r21]
	mov r19 = cr.isr
	;;
(p7)	tbit.z p6, p7 = r18, 0
	mov r22 = cr.iha
	;;
(p7)	tbit.nz.unc p10, p11 = r19, 32
	dep r23 = 0, r20, 0, PAGE_SHIFT
	;;
(p10)	itc.i r18
	;;
(p11)	itc.d r18
	;;
(p6)	br.cond.spnt.many bad
	.if LONG
	/* the entry, through its RAM */
	movl r24 = HASH
	extr.u r22 = r22, 0, 22
	ttag r26 = r16
	;;
	add r22 = r22, r24
	;;
	add r27 = 8, r22
	.serialize.data
	st8 [r22] = r18, 16
	;;
	st8 [r27] = r25
	st8 [r22] = r26
	.else
	mov cr.ifa = r22
(p8)	mov cr.itir = r25
	adds r24 = P | A | D | PL0 | AR_RW, r23
	;;
(p7)	itc.d r24
	;;
	.serialize.data
	ld8 r25 = [r21]
	ld8 r26 = [r17]
	cmp.ne p6, p7 = r0, r0
	;;
	cmp.ne.or.andcm p6, p7 = r26, r20
	mov r27 = PAGE_SHIFT << 2
	;;
(p6)	ptc.l r22, r27
(p7)	cmp.ne.or.andcm p6, p7 = r25, r18
	;;
(p6)	ptc.l r16, r27
	.endif
	mov pr = r31, -1
	rfi
	;;
	.if !LONG
	.org handlers + 0x800
	br.cond.sptk.many bad
	;;
	.endif
	.irp v, 0x1000, 0x1400
	.org handlers + \v
	br.cond.sptk.many bad
	;;
	.endr
	.org handlers + 0x6000
bad:
	movl r2 = bare_ivt
	;;
	mov cr.iva = r2
	;;
	srlz.i
	;;
	UNREACHABLE
