/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What loads and stores wait for: caches, the L1 DTLB, the walker.  tests/chains.py has
 * what dependent loads take; here is who waits, and what goes where.
 *
 * Options: -timing madison,fetch=0
 */
	.include "bare.inc"
	.include "mmu.inc"
	.include "timing.inc"
	TABLE = 0x100000000
	PAGE = 0x3100000		/* of the table, physical */
	DATA = 0x2000000
	NEAR = R1 + 0x4000
	FAR = R1 + 0x8000
	L2 = 5				/* from L2 to a use that is no address */
	L3 = 15
	MEMORY = L3 + 240		/* 160 ns */
	OPEN = 18			/* less in a page of memory that is open, 12 ns */
	L1_DTLB = 4
	WALK = 10

	/* a load and a use of its data */
	.macro USE address
	M_ONLY ld8 r16 = [\address]
	M_ONLY add r17 = 1, r16
	.endm

	.macro PUT address
	{ .mmi
	st8 [\address] = r0
	nop.m 0
	nop.i 0
	;; }
	.endm

	START
	IDENTITY
	SET_PTA TABLE | 20 << 2 | 1
	SET_RR 1, 0x101, 14, 1
	ITR_D 1, R1 | TABLE, PAGE | FINE, 20
	/* page n of region 1 */
	movl r10 = PAGE
	movl r11 = DATA | FINE
	movl r14 = 1 << 14
	mov r12 = 15
	;;
	mov.i ar.lc = r12
	;;
1:	{ .mmi
	st8 [r10] = r11, 8
	add r11 = r11, r14
	nop.i 0 }
	br.cloop.sptk.many 1b
	;;
	GO_ON begin, PSR_DT | PSR_RT | PSR_IT
begin:
	movl r10 = NEAR
	movl r11 = NEAR + 8
	movl r12 = NEAR + 64
	movl r13 = FAR
	movl r15 = bare_data
	mov r18 = 1
	;;
	PAUSE
	/* a walk; its line of the table is in L2 by the stores, that of the data in memory */
	BEGIN
	USE r10
	TAKES WALK + L2 + L1_DTLB + MEMORY + 1
	/* the line is in L2 only, for the L1 DTLB had missed; then in L1D too */
	BEGIN
	USE r11
	TAKES L2 + 1
	BEGIN
	USE r11
	TAKES 1 + 1
	/* the other half of the line of L2 */
	BEGIN
	USE r12
	TAKES L2 + 1
	/* who does not use the data does not wait */
	BEGIN
	M_ONLY ld8 r16 = [r13]
	M_ONLY add r17 = 1, r18
	TAKES 2
	PAUSE
	/* two misses in one line wait for the same data */
	movl r13 = FAR + 256
	movl r14 = FAR + 264
	;;
	BEGIN
	M_ONLY ld8 r16 = [r13]
	M_ONLY ld8 r17 = [r14]
	M_ONLY add r17 = 1, r17
	TAKES MEMORY - OPEN + 1
	/* stores wait for nothing, and bring their line into L2 but not into L1D */
	movl r13 = FAR + 512
	;;
	BEGIN
	PUT r13
	M_ONLY add r17 = 1, r18
	TAKES 2
	PAUSE
	BEGIN
	USE r13
	TAKES L2 + 1
	/* floating-point loads come from L2 */
	BEGIN
	M_ONLY ldfd f6 = [r11]
	{ .mfi
	nop.m 0
	fma.d f7 = f6, f1, f1
	nop.i 0
	;; }
	TAKES L2 + 1 + 1
	/* a prefetch is a load that nobody waits for */
	movl r13 = FAR + 1024
	;;
	BEGIN
	M_ONLY lfetch [r13]
	M_ONLY add r17 = 1, r18
	TAKES 2
	/* a miss everywhere but in the DTLB */
	BEGIN
	USE r15
	TAKES L1_DTLB + MEMORY + 1
	/* an entry that leaves the DTLB leaves the L1 DTLB with its lines in L1D */
	BEGIN
	USE r10
	TAKES 1 + 1
	PTC_L NEAR, 14
	BEGIN
	USE r10
	TAKES WALK + L2 + L1_DTLB + L2 + 1
	PTC_L NEAR, 14
	ITC_D NEAR, DATA + 0x4000 + FINE, 14
	BEGIN
	USE r10
	TAKES L1_DTLB + L2 + 1
	/* stores ask the DTLB and no L1 DTLB; later references wait for their walk */
	PTC_L NEAR, 14
	BEGIN
	PUT r10
	M_ONLY add r17 = 1, r18
	TAKES 2
	PTC_L NEAR, 14
	BEGIN
	PUT r10
	M_ONLY ld8 r16 = [r15]
	TAKES WALK + L2 + 1
	/* a load that follows a store of its 8 bytes does not find them in L1D; 4 cycles later it
	 * does
	 */
	USE r10
	USE r10
	PAUSE
	BEGIN
	PUT r10
	USE r10
	TAKES 1 + L2 + 1
	PAUSE
	BEGIN
	PUT r10
	.rept 3
	M_ONLY add r17 = 1, r18
	.endr
	USE r10
	TAKES 4 + 1 + 1
	/* 32 references are under way, behind a store that misses: the next one waits */
	movl r13 = FAR + 2048
	movl r14 = FAR + 512
	;;
	PAUSE
	BEGIN
	PUT r13
	.rept 31
	PUT r14
	.endr
	M_ONLY add r17 = 1, r18
	TAKES 32 + 1
	PAUSE
	movl r13 = FAR + 3072
	;;
	BEGIN
	PUT r13
	.rept 32
	PUT r14
	.endr
	M_ONLY add r17 = 1, r18
	TAKES MEMORY - OPEN + 1 + 1
	PAUSE
	/* entries get free in order: hits wait for older misses, mf for all */
	movl r13 = FAR + 3072 + 512
	;;
	BEGIN
	PUT r13
	PUT r14
	M_ONLY mf
	M_ONLY add r17 = 1, r18
	TAKES MEMORY - OPEN + 6 + 1 + 1
	/* uncacheable memory */
	ITC_D R2, DATA + FINE + UC, 14
	movl r13 = R2
	;;
	BEGIN
	USE r13
	TAKES 225 + 1
	PASS
