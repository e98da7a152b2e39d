/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For tests/speed.py: some hundred thousand instructions of the sort that the assembler's
 * --defsym WORK= names, in virtual mode, as programs run.
 */
	.include "bare.inc"
	.include "mmu.inc"
	INTEGER = 0
	MEMORY = 1
	CALLS = 2
	FLOAT = 3
	WALKS = 4

	TABLE = 0x100000000
	PAGE = 0x3100000		/* of the table, physical */
	PAGES = 512

	/* r8 times what stands between */
	.macro LOOP times
	movl r8 = \times - 1
	;;
	mov.i ar.lc = r8
	;;
1:
	.endm

	.macro AGAIN
	br.cloop.sptk.many 1b
	;;
	.endm

	START
	IDENTITY
	GO_ON begin, PSR_DT | PSR_RT | PSR_IT
begin:
	mov r10 = 1
	mov r11 = 2
	movl r16 = bare_data
	;;

	.if WORK == INTEGER
	LOOP 30000
	shladd r18 = r11, 2, r10
	xor r12 = r10, r11
	cmp.ltu p8, p9 = r10, r11
	;;
(p8)	add r11 = r18, r12
(p9)	sub r11 = r12, r10
	extr.u r13 = r12, 5, 20
	;;
	dep r14 = r13, r10, 8, 16
	tbit.nz p8, p9 = r13, 0
	shr.u r15 = r12, 7
	;;
(p8)	and r11 = r14, r15
(p9)	or r11 = r14, r15
	sxt4 r10 = r12
	;;
	AGAIN
	.endif

	.if WORK == MEMORY
	mov r19 = 0x7ff
	LOOP 40000
	and r17 = r19, r10
	add r10 = 24, r10
	;;
	shladd r17 = r17, 3, r16
	;;
	ld8 r12 = [r17], 8
	;;
	ld4 r13 = [r17], 4
	add r12 = r12, r10
	;;
	ld1 r14 = [r17]
	add r18 = -12, r17
	;;
	st8 [r18] = r12, 8
	;;
	st4 [r18] = r14, 4
	;;
	st1 [r18] = r13
	;;
	AGAIN
	.endif

	.if WORK == CALLS
	alloc r2 = ar.pfs, 0, 4, 2, 0
	LOOP 10000
	mov r36 = r10
	mov r37 = r11
	br.call.sptk.many b0 = outer
	;;
	add r10 = r8, r10
	AGAIN
	.endif

	.if WORK == FLOAT
	movl r12 = 0x3ff4000000000000
	;;
	setf.d f8 = r12
	stf.spill [r16] = f1
	fma.d f6 = f1, f1, f1
	fma.d f7 = f1, f1, f1
	;;
	LOOP 30000
	ldfd f10 = [r16]
	fma.d f6 = f6, f8, f1
	fmpy.s f9 = f7, f8
	;;
	fcmp.lt p8, p9 = f6, f9
	fnorm.d f11 = f10
	;;
(p8)	fsub.d f7 = f9, f6
(p9)	fmpy.d f6 = f6, f0
	fcvt.fx.trunc f12 = f9
	;;
	stfd [r16] = f11
	frcpa f13, p10 = f1, f8
	getf.sig r12 = f12
	;;
	AGAIN
	.endif

	/* More pages than the TLB has entries, so that the walker finds each of them. */
	.if WORK == WALKS
	SET_PTA TABLE | 20 << 2 | 1
	SET_RR 1, 0x101, 14, 1
	ITR_D 1, R1 | TABLE, PAGE | FINE, 20
	movl r12 = PAGE
	movl r13 = 0x2000000 | FINE
	;;
	LOOP PAGES
	st8 [r12] = r13, 8
	;;
	AGAIN
	mov r15 = 100
2:
	movl r12 = R1
	movl r14 = 1 << 14
	;;
	LOOP PAGES
	ld8 r13 = [r12]
	add r12 = r12, r14
	;;
	AGAIN
	add r15 = -1, r15
	;;
	cmp.ne p8, p9 = 0, r15
(p8)	br.cond.sptk.many 2b
	;;
	.endif
	PASS

	.if WORK == CALLS
outer:
	alloc r34 = ar.pfs, 2, 4, 2, 0
	mov r35 = b0
	;;
	mov r38 = r32
	add r39 = r32, r33
	br.call.sptk.many b0 = middle
	;;
	mov.i ar.pfs = r34
	mov b0 = r35
	br.ret.sptk.many b0
	;;
middle:
	alloc r34 = ar.pfs, 2, 20, 2, 0
	mov r35 = b0
	;;
	mov r54 = r32
	xor r55 = r32, r33
	br.call.sptk.many b0 = inner
	;;
	mov.i ar.pfs = r34
	mov b0 = r35
	br.ret.sptk.many b0
	;;
inner:
	alloc r34 = ar.pfs, 2, 80, 0, 0
	;;
	add r8 = r32, r33
	mov.i ar.pfs = r34
	br.ret.sptk.many b0
	;;
	.endif
