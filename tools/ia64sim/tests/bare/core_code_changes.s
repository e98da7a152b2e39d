/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Code that a program writes, however often, from another page and from its own.
 *
 * Rule other (SDM 2:514): code written by stores of all kinds runs as written after fc.i,
 *   sync.i and srlz.i
 * Rule other (SDM 3:59): fc.i reaches the code of the line it names, also in the page that runs
 */
	.include "bare.inc"
	START
	movl r8 = patch
	movl r9 = templates
	mov r10 = 0
	;;
again:
	/* Copy template r10 (16 bytes) over the bundle at patch. */
	shladd r11 = r10, 4, r9
	add r12 = 8, r8
	;;
	ld8 r13 = [r11], 8
	;;
	ld8 r14 = [r11]
	and r15 = 1, r10
	;;
	cmp.eq p8, p9 = 0, r15
	setf.sig f8 = r13
	setf.sig f9 = r14
	;;
(p8)	st8 [r8] = r13
(p8)	st8 [r12] = r14
(p9)	stf8 [r8] = f8
(p9)	stf8 [r12] = f9
	;;
	fc.i r8
	;;
	sync.i
	;;
	srlz.i
	;;
	br.call.sptk.few b1 = patch
	;;
	CHECK_EQ r16, r10
	br.call.sptk.few b1 = patch
	;;
	CHECK_EQ r16, r10
	add r10 = 1, r10
	;;
	and r15 = 3, r10
	;;
	cmp.ne p8, p0 = 0, r15
(p8)	br.cond.dptk.few again
	add r17 = 1, r17
	mov r10 = 0
	;;
	cmp.gt p8, p0 = 40, r17
(p8)	br.cond.dptk.few again
	;;
	PASS
	.align 16
patch:
	{ .mib
	mov r16 = 99
	nop.i 0
	br.ret.sptk.few b1 ;;
	}
	.align 16
templates:
	.irp n, 0, 1, 2, 3
	{ .mib
	mov r16 = \n
	nop.i 0
	br.ret.sptk.few b1 ;;
	}
	.endr
