/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Loads whose translation the walker does not find, though it has the page of the table:
 * the thesis's short format with superpages, whose entries have the page's size in bits that
 * the walker refuses.  The handler is Linux's dtlb_miss with the size put into CR.ITIR.
 *
 *	PINNED = 1	one translation for all instead: what the loop takes by itself
 *
 * 256 pages of 16 KiB, a line in each, apart by 128 bytes: L2 has all.
 */
	.include "bare.inc"
	.include "mmu.inc"
	.include "measure.inc"
	COUNT = 256
	TIMES = 40
	SIZE = 53			/* where the entry has its size, in ignored bits */

	START
	PAGED COUNT + 2
	/* entries with a reserved attribute, which makes the walker give up, and with a size */
	movl r10 = PAGE
	movl r12 = COUNT + 1
	movl r13 = 1 << 2 | 14 << SIZE
	;;
	mov.i ar.lc = r12
	;;
1:	ld8 r11 = [r10]
	;;
	or r11 = r11, r13
	;;
	st8 [r10] = r11, 8
	br.cloop.sptk.many 1b
	;;
	.if PINNED
	ITR_D 3, R1, DATA | FINE, 22
	.endif
	movl r2 = handlers
	;;
	mov cr.iva = r2
	;;
	srlz.i
	;;
	VIRTUAL
	.macro PASS_OVER
	movl r10 = R1
	movl r11 = (1 << 14) + 128
	movl r12 = COUNT - 1
	;;
	mov.i ar.lc = r12
	;;
	.align 32
1:	{ .mmi
	ld8 r16 = [r10]
	add r10 = r10, r11
	nop.i 0
	;; }
	{ .mib
	add r17 = r16, r17
	nop.i 0
	br.cloop.dptk.few 1b
	;; }
	.endm
	PASS_OVER
	PASS_OVER
	MEASURE
	mov r24 = TIMES
	;;
2:	PASS_OVER
	add r24 = -1, r24
	;;
	cmp.lt p8, p9 = 0, r24
(p8)	br.cond.sptk.many 2b
	MEASURED
	movl r2 = bare_ivt
	;;
	mov cr.iva = r2
	;;
	srlz.i
	;;
	PASS

	.section .text.ivt, "ax"
	.align 32768
handlers:
	.org handlers + 0x800
	mov r16 = cr.ifa
	mov r29 = b0
	mov r31 = pr
	mov r17 = cr.iha
	movl r30 = 1f
	;;
1:	ld8 r18 = [r17]
	;;
	mov b0 = r29
	extr.u r21 = r18, SIZE, 6
	tbit.z p6, p0 = r18, 0
(p6)	br.cond.spnt.many bad
	;;
	shl r21 = r21, 2
	/* the model's TLB refuses the reserved attribute, too */
	dep r20 = 0, r18, 2, 1
	;;
	mov cr.itir = r21
	dep r20 = 0, r20, SIZE, 6
	;;
	itc.d r20
	;;
	.serialize.data
	ld8 r19 = [r17]
	mov r20 = 14 << 2
	;;
	cmp.ne p7, p0 = r18, r19
	;;
(p7)	ptc.l r16, r20
	mov pr = r31, -1
	rfi
	;;
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
