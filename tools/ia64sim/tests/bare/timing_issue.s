/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which instructions issue in one cycle: ports, templates, stops.
 *
 * Options: -timing madison,fetch=0
 */
	.include "bare.inc"
	.include "timing.inc"
	START
	movl r10 = bare_data
	movl r11 = bare_data + 8
	;;
	ld8 r16 = [r10]			/* into the L1 DTLB */
	;;
	PAUSE
	ld8 r16 = [r10]			/* into L1D */
	;;
	PAUSE
	/* six adds, one for each slot of the four M ports and two I ports */
	BEGIN
	{ .mmi
	add r16 = r0, r10
	add r17 = r0, r10
	add r18 = r0, r10 }
	{ .mmi
	add r19 = r0, r10
	add r20 = r0, r10
	add r21 = r0, r10
	;; }
	TAKES 1
	/* slots of kind I without an I port: to M */
	BEGIN
	{ .mii
	add r16 = r0, r10
	add r17 = r0, r10
	add r18 = r0, r10 }
	{ .mii
	add r19 = r0, r10
	add r20 = r0, r10
	add r21 = r0, r10
	;; }
	TAKES 1
	/* but what only an I port does waits for the next cycle */
	BEGIN
	{ .mii
	add r16 = r0, r10
	sxt4 r17 = r10
	sxt4 r18 = r10 }
	{ .mii
	add r19 = r0, r10
	sxt4 r20 = r10
	sxt4 r21 = r10
	;; }
	TAKES 2
	/* a stop ends a cycle, at the end of a bundle and inside */
	BEGIN
	{ .mmi
	add r16 = r0, r10
	add r17 = r0, r10
	add r18 = r0, r10
	;; }
	{ .mmi
	add r19 = r0, r10
	add r20 = r0, r10
	add r21 = r0, r10
	;; }
	TAKES 2
	BEGIN
	{ .mmi
	add r16 = r0, r10
	;;
	add r17 = r0, r10
	add r18 = r0, r10 }
	{ .mmi
	add r19 = r0, r10
	add r20 = r0, r10
	add r21 = r0, r10
	;; }
	TAKES 2
	/* more than two bundles */
	BEGIN
	{ .mmi
	add r16 = r0, r10
	add r17 = r0, r10
	add r18 = r0, r10 }
	{ .mmi
	add r19 = r0, r10
	add r20 = r0, r10
	add r21 = r0, r10 }
	{ .mmi
	add r22 = r0, r10
	add r23 = r0, r10
	add r24 = r0, r10
	;; }
	TAKES 2
	/* two loads and two stores have ports, in any order */
	BEGIN
	{ .mmi
	st8 [r10] = r0
	ld8 r16 = [r11]
	nop.i 0 }
	{ .mmi
	ld8 r17 = [r11]
	st8 [r10] = r0
	nop.i 0
	;; }
	TAKES 1
	/* and adds leave those to them */
	BEGIN
	{ .mmi
	add r16 = r0, r10
	add r17 = r0, r10
	nop.i 0 }
	{ .mmi
	ld8 r18 = [r11]
	ld8 r19 = [r11]
	nop.i 0
	;; }
	TAKES 1
	/* a third load has none, nor has a third store */
	BEGIN
	{ .mmi
	ld8 r16 = [r11]
	ld8 r17 = [r11]
	nop.i 0 }
	{ .mmi
	ld8 r18 = [r11]
	nop.m 0
	nop.i 0
	;; }
	TAKES 2
	BEGIN
	{ .mmi
	st8 [r10] = r0
	st8 [r10] = r0
	nop.i 0 }
	{ .mmi
	st8 [r10] = r0
	nop.m 0
	nop.i 0
	;; }
	TAKES 2
	/* M2 takes one move from an application register, and so on */
	BEGIN
	{ .mmi
	mov r16 = ar.ccv
	mov r17 = ar.unat
	nop.i 0
	;; }
	TAKES 2
	/* I0: shifts; the first slot of kind I has it, whatever it is */
	BEGIN
	{ .mii
	nop.m 0
	shl r16 = r10, r0
	add r17 = r0, r10
	;; }
	TAKES 1
	BEGIN
	{ .mii
	nop.m 0
	shl r16 = r10, r0
	shl r17 = r10, r0
	;; }
	TAKES 2
	BEGIN
	{ .mii
	nop.m 0
	add r16 = r0, r10
	shl r17 = r10, r0
	;; }
	TAKES 2
	/* MLX: two in a cycle, but not behind MII */
	BEGIN
	{ .mlx
	nop.m 0
	movl r16 = 1 }
	{ .mlx
	nop.m 0
	movl r17 = 1
	;; }
	TAKES 1
	BEGIN
	{ .mii
	nop.m 0
	nop.i 0
	nop.i 0 }
	{ .mlx
	nop.m 0
	movl r17 = 1
	;; }
	TAKES 2
	/* a branch that is not taken ends the cycle, nop.b does not */
	BEGIN
	{ .mib
	nop.m 0
	nop.i 0
	nop.b 0 }
	{ .mib
	nop.m 0
	nop.i 0
	nop.b 0
	;; }
	TAKES 1
	cmp.ne p8, p9 = r0, r0
	;;
	BEGIN
	{ .mib
	nop.m 0
	nop.i 0
(p8)	br.cond.spnt.many bad }
	{ .mib
	nop.m 0
	nop.i 0
	nop.b 0
	;; }
	TAKES 2
	/* MBB and BBB always do */
	BEGIN
	{ .mbb
	nop.m 0
	nop.b 0
	nop.b 0 }
	{ .mmi
	nop.m 0
	nop.m 0
	nop.i 0
	;; }
	TAKES 2
	/* two F units, which an operation on pairs takes both */
	BEGIN
	{ .mfi
	nop.m 0
	fma.d f6 = f1, f1, f1
	nop.i 0 }
	{ .mfi
	nop.m 0
	fma.d f7 = f1, f1, f1
	nop.i 0
	;; }
	TAKES 1
	BEGIN
	{ .mfi
	nop.m 0
	fpma f6 = f1, f1, f1
	nop.i 0 }
	{ .mfi
	nop.m 0
	fma.d f7 = f1, f1, f1
	nop.i 0
	;; }
	TAKES 2
	/* a semaphore and srlz.d end the cycle */
	BEGIN
	{ .mmi
	fetchadd8.acq r16 = [r10], 1
	nop.m 0
	nop.i 0
	;; }
	TAKES 2
	BEGIN
	{ .mmi
	srlz.d
	nop.m 0
	nop.i 0
	;; }
	TAKES 2
	/* a taken branch costs nothing by itself, its target's first half of 32 bytes does */
	BEGIN
	{ .mib
	nop.m 0
	nop.i 0
	br.sptk.many 1f
	;; }
	.align 32
1:	{ .mmi
	nop.m 0
	nop.m 0
	nop.i 0 }
	{ .mmi
	nop.m 0
	nop.m 0
	nop.i 0
	;; }
	TAKES 2
	BEGIN
	{ .mib
	nop.m 0
	nop.i 0
	br.sptk.many 2f
	;; }
	.align 32
	{ .mmi
	nop.m 0
	nop.m 0
	nop.i 0 }
2:	{ .mmi
	nop.m 0
	nop.m 0
	nop.i 0 }
	{ .mmi
	nop.m 0
	nop.m 0
	nop.i 0
	;; }
	TAKES 3
	PASS
bad:
	UNREACHABLE
