/* SPDX-License-Identifier: GPL-2.0 */
/*
 * -strict depend: what an instruction group reads or writes of what it has written, and
 * what it may.
 */
	.include "bare.inc"
	.include "strict.inc"
	WORD = bare_data

	START
	movl r12 = WORD
	movl r13 = WORD + 8
	mov r16 = 5
	;;
	/* general registers */
	WRITES 1
	mov r8 = 1
	BREAKS 1, "r8 read in the group of its write"
	adds r9 = 1, r8
	;;
	WRITES 2
	mov r8 = 1
	BREAKS 2, "r8 written again in the group of its write"
	mov r8 = 2
	;;
	WRITES 3
	ld8 r8 = [r12], 8
	BREAKS 3, "r12 read in the group of its write"
	adds r9 = 1, r12
	;;
	/* a read before the write, r0, and what the predicate leaves out */
	adds r9 = 1, r8
	mov r8 = 2
	cmp.eq p8, p9 = r0, r0
	;;
(p8)	mov r8 = 3
(p9)	mov r8 = 4
	;;
(p8)	mov r8 = 3
(p9)	adds r9 = 1, r8
	;;
	/* a check load, which the group may read, but not write again */
	movl r12 = WORD
	;;
	ld8.a r8 = [r12]
	;;
	ld8.c.clr r8 = [r12]
	adds r9 = 1, r8
	;;
	WRITES 4
	ld8.c.clr r8 = [r12]
	BREAKS 4, "r8 written again in the group of its write"
	mov r8 = 1
	;;

	/* floating-point registers */
	WRITES 5
	fadd f8 = f1, f1
	BREAKS 5, "f8 read in the group of its write"
	fadd f9 = f8, f1
	;;
	WRITES 6
	ldfd f8 = [r12]
	BREAKS 6, "f8 written again in the group of its write"
	fadd f8 = f1, f1
	;;
	fadd f9 = f8, f1
	fadd f10 = f8, f1
	;;

	/* predicates */
	WRITES 7
	cmp.eq p10, p11 = r0, r0
	BREAKS 7, "p10 read in the group of its write"
(p10)	mov r9 = 1
	;;
	cmp.eq p10, p11 = r0, r0
(p10)	br.cond.sptk.few 1f
	;;
1:
	WRITES 8
	fcmp.eq p10, p11 = f1, f1
	BREAKS 8, "p10 read in the group of its write"
(p10)	br.cond.sptk.few 2f
	;;
2:
	cmp.eq.or p10, p11 = r0, r0
	cmp.ne.or p10, p11 = r0, r0
	;;
	cmp.eq.and p10, p11 = r0, r0
	cmp.ne.and p10, p11 = r0, r0
	;;
	cmp.eq.or.andcm p10, p11 = r0, r0
	cmp.eq.or p10, p0 = r0, r0
	cmp.eq.and p11, p0 = r0, r0
	;;
	WRITES 9
	cmp.eq.or p10, p0 = r0, r0
	BREAKS 9, "p10 written again in the group of its write"
	cmp.eq.and p10, p0 = r0, r0
	;;
	/* unc writes, even where its predicate is false */
	cmp.ne p8, p9 = r0, r0
	;;
	WRITES 10
(p8)	cmp.eq.unc p10, p11 = r0, r0
	BREAKS 10, "p11 written again in the group of its write"
	cmp.eq p12, p11 = r0, r0
	;;
(p8)	cmp.eq p10, p11 = r0, r0
	cmp.eq p12, p11 = r0, r0
	;;
	WRITES 11
	cmp.eq p10, p11 = r0, r0
	BREAKS 11, "p10 written again in the group of its write"
	mov pr = r16, 0x400
	;;
	cmp.eq p10, p11 = r0, r0
	mov pr = r16, 0x1000
	;;
	WRITES 12
	frcpa f8, p10 = f1, f1
	BREAKS 12, "p10 read in the group of its write"
(p10)	mov r9 = 1
	;;

	/* branch registers */
	movl r8 = 3f
	;;
	mov b6 = r8
	br.cond.sptk.few b6
	;;
	.align 32
3:
	WRITES 13
	mov b6 = r8
	BREAKS 13, "b6 read in the group of its write"
	mov r9 = b6
	;;

	/* application registers */
	WRITES 14
	mov ar.ccv = r0
	BREAKS 14, "ar.ccv read in the group of its write"
	cmpxchg8.acq r9 = [r12], r0, ar.ccv
	;;
	WRITES 15
	mov ar.lc = r0
	BREAKS 15, "ar.lc read in the group of its write"
	br.cloop.sptk.few 4f
	;;
4:
	st8.spill [r12] = r8
	st8.spill [r13] = r9
	;;
	WRITES 16
	st8.spill [r12] = r8
	BREAKS 16, "ar.unat read in the group of its write"
	ld8.fill r9 = [r12]
	;;
	st8.spill [r12] = r8
	ld8.fill r9 = [r13]
	;;
	WRITES 17
	mov ar.unat = r0
	BREAKS 17, "ar.unat written again in the group of its write"
	st8.spill [r12] = r8
	;;
	WRITES 18
	fadd.s0 f8 = f1, f1
	BREAKS 18, "ar.fpsr.sf0.flags written again in the group of its write"
	fclrf.s0
	;;
	WRITES 19
	fsetc.s1 0x7f, 0
	BREAKS 19, "ar.fpsr.sf1.controls read in the group of its write"
	fadd.s1 f8 = f1, f1
	;;
	fsetc.s1 0x7f, 0
	fadd.s2 f8 = f1, f1
	;;
	fadd.s0 f8 = f1, f1
	fadd.s0 f9 = f1, f1
	;;

	/* a taken branch ends the group, and a call may return in that of ar.pfs */
	mov r8 = 1
	br.cond.sptk.few 5f
	;;
5:	adds r9 = 1, r8
	br.call.sptk.few b0 = 6f
	;;
	br.cond.sptk.few 7f
	;;
6:	alloc r32 = ar.pfs, 0, 1, 0, 0
	;;
	mov ar.pfs = r32
	br.ret.sptk.few b0
	;;
7:
	/* an interruption does, too */
	EXPECT 8f
	mov r8 = 2
	break.m 1
	;;
	.align 32
8:	adds r9 = 1, r8
	;;

	/* code that the assembler has not seen like this: a template without its stop */
	movl r8 = patched
	;;
	ld8 r9 = [r8]
	;;
	dep r9 = 0, r9, 0, 1		/* of MII, the stop at the end */
	;;
	st8 [r8] = r9
	;;
	fc r8
	;;
	sync.i
	;;
	srlz.i
	;;
	br.cond.sptk.few patched
	;;
	.align 32
patched:
	WRITES 20
	{ .mii
	mov r8 = 3
	nop.i 0
	nop.i 0
	}
	;;
	BREAKS 20, "r8 read in the group of its write"
	adds r9 = 1, r8
	;;
	PASS
