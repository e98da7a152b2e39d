/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For tests/gdb.py: known values in registers and memory, calls three deep, a
 * rotating loop, then a loop for ever.
 */
	.explicit
	.text
	.global _start, outer, middle, inner, loop, word
_start:
	mov ar.rsc = 0
	movl r4 = 0x1122334455667788 ;;
	mov b4 = r4
	movl r12 = stack
	movl r14 = rbs ;;
	mov ar.bspstore = r14 ;;
	mov ar.rsc = 3
	alloc r16 = ar.pfs, 0, 0, 2, 0 ;;
	mov r32 = 0x1000
	mov r33 = 0x2000
	br.call.sptk.many b0 = outer ;;
	mov r8 = 0
	br.cond.sptk loop ;;

outer:
	alloc r34 = ar.pfs, 2, 3, 1, 0
	mov r35 = b0 ;;
	mov r36 = 0x3333
	add r37 = r32, r33
	br.call.sptk.many b0 = middle ;;
	mov ar.pfs = r34
	mov b0 = r35 ;;
	br.ret.sptk.many b0 ;;

middle:
	alloc r33 = ar.pfs, 1, 3, 1, 0
	mov r34 = b0 ;;
	mov r35 = 0x4444
	add r36 = 1, r32
	br.call.sptk.many b0 = inner ;;
	mov ar.pfs = r33
	mov b0 = r34 ;;
	br.ret.sptk.many b0 ;;

inner:
	alloc r33 = ar.pfs, 1, 7, 0, 8
	add r8 = r32, r32 ;;
	mov ar.pfs = r33
	br.ret.sptk.many b0 ;;

loop:
	add r8 = 1, r8
	nop.m 1
	nop.i 2
	nop.m 3
	br.cond.sptk loop ;;

	.data
	.align 16
word:	data8 0x0123456789abcdef
	.align 64
rbs:	.skip 8192
	.skip 8192
stack:	.skip 64
