/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For tests/chains.py: a chain of COUNT pointers in a circle, each of which leads to the
 * next, and the exit status is how many cycles a step takes.  Pointer n stands at
 *
 *	BASE + n * 2^STRIDE + (n / 2^FROM mod 2^BITS) * 128
 *
 * in region 1, whose pages have 16 KiB and come in by the walker, from a table in the short
 * format.  The table's entries are in other sets of L2 than the pointers: 64 and up.
 */
	.include "bare.inc"
	.include "mmu.inc"
	TABLE = 0x100000000
	PAGE = 0x3100000		/* of the table, physical */
	BASE = R1 + 0x1000000
	ENTRIES = 0x3102000		/* for BASE and what follows */
	DATA = 0x2000000		/* physical */
	PAGES = 512
	STEPS = 4096

	/* \to is the address of pointer \n */
	.macro ADDRESS to, n
	shr.u r20 = \n, FROM
	movl r21 = BASE
	;;
	and r20 = (1 << BITS) - 1, r20
	shl r22 = \n, STRIDE
	;;
	shl r20 = r20, 7
	add r22 = r22, r21
	;;
	add \to = r22, r20
	;;
	.endm

	START
	IDENTITY
	SET_PTA TABLE | 20 << 2 | 1
	SET_RR 1, 0x101, 14, 1
	ITR_D 1, R1 | TABLE, PAGE | FINE, 20
	GO_ON begin, PSR_DT | PSR_RT | PSR_IT
begin:
	movl r12 = PAGES - 1
	movl r10 = ENTRIES
	movl r11 = DATA | FINE
	movl r14 = 1 << 14
	;;
	mov.i ar.lc = r12
	;;
1:	st8 [r10] = r11, 8
	add r11 = r11, r14
	br.cloop.sptk.many 1b
	;;
	movl r12 = COUNT - 1
	mov r15 = r0
	;;
	mov.i ar.lc = r12
	;;
2:	ADDRESS r10, r15
	add r15 = 1, r15
	;;
	cmp.eq p8, p9 = r15, r12
	add r13 = 1, r12
	;;
	cmp.eq p8, p9 = r15, r13
	mov r16 = r15
	;;
(p8)	mov r16 = r0
	;;
	ADDRESS r11, r16
	st8 [r10] = r11
	br.cloop.sptk.many 2b
	;;
	/* once for the caches, once for the clock */
	movl r10 = BASE
	movl r12 = STEPS - 1
	;;
	mov.i ar.lc = r12
	;;
	.align 32
3:	{ .mib
	ld8 r10 = [r10]
	nop.i 0
	br.cloop.sptk.many 3b
	;; }
	add r11 = r10, r0
	mov.i ar.lc = r12
	;;
	mov r8 = ar.itc
	;;
	.align 32
4:	{ .mib
	ld8 r10 = [r10]
	nop.i 0
	br.cloop.sptk.many 4b
	;; }
	add r11 = r10, r0
	;;
	mov r9 = ar.itc
	;;
	sub r9 = r9, r8
	movl r8 = STEPS / 2
	;;
	add r9 = r9, r8
	;;
	shr.u r3 = r9, 12
	br.sptk.many bare_exit
	;;
	.endp _start
