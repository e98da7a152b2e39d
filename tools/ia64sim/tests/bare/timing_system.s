/* SPDX-License-Identifier: GPL-2.0 */
/*
 * System instructions, entry of interruptions, rfi, and walks that fail.
 *
 * Options: -timing madison,fetch=0
 */
	.include "bare.inc"
	.include "mmu.inc"
	.include "timing.inc"
	TABLE = 0x100000000
	PAGE = 0x3100000		/* of the table, physical */
	ENTRY = 20
	RFI = 18
	WALK = 10
	L2 = 5

	/* From the instruction that was interrupted to the handler's first, which reads the
	 * time, and from the handler's rfi to the first behind that.  There are no other
	 * interruptions meanwhile.
	 */
	.macro HANDLED entry:vararg
	.set timing_expected, \entry
7774:	{ .mmi
	mov r12 = ar.itc
	nop.m 0
	nop.i 0
	;; }
	HANDLERS bare_ivt
	sub r9 = r9, r8
	sub r12 = r12, r11
	;;
	add r9 = -1, r9
	add r12 = -1, r12
	;;
	CHECK_VALUE r9, timing_expected
	CHECK_VALUE r12, RFI
	.endm
	.macro HANDLERS where
	movl r2 = \where
	;;
	mov cr.iva = r2
	;;
	srlz.i
	;;
	.endm
	.macro RESUME
	HANDLERS handlers
	movl r10 = 7774f
	;;
	.endm

	START
	IDENTITY
	SET_PTA TABLE | 20 << 2 | 1
	SET_RR 1, 0x101, 14, 1
	SET_RR 3, 0x103, 14, 1
	ITR_D 1, R1 | TABLE, PAGE | FINE, 20
	ITC_D R2, 0x2000000 + FINE, 14
	/* an entry of the table with a reserved memory attribute */
	movl r10 = PAGE
	movl r11 = 0x2000000 | FINE | 1 << 2
	;;
	st8 [r10] = r11
	PAUSE
	GO_ON begin, PSR_DT | PSR_RT | PSR_IT
begin:
	/* those that end a cycle leave another to the rest of their bundle: 1 */
	BEGIN
	M_ONLY rsm 1 << 14
	M_ONLY srlz.d
	TAKES 5 + 1 + 1
	BEGIN
	M_ONLY srlz.d
	TAKES 1 + 1
	BEGIN
	M_ONLY srlz.i
	TAKES 10 + 1
	movl r10 = R5
	mov r16 = 14 << 2
	;;
	BEGIN
	M_ONLY ptc.l r10, r16
	TAKES 6 + 1
	BEGIN
	{ .mib
	nop.m 0
	nop.i 0
	bsw.1
	;; }
	TAKES 6
	BEGIN
	M_ONLY mov cr.tpr = r0
	M_ONLY srlz.d
	TAKES 35 + 1 + 1
	movl r10 = R2 + 0x8000
	movl r17 = 0x2008000 + FINE
	;;
	IC_OFF
	/* a cycle for each write, and the stop behind itc, which the assembler puts there */
	BEGIN
	M_ONLY mov cr.ifa = r10
	M_ONLY mov cr.itir = r16
	M_ONLY itc.d r17
	TAKES 1 + 5 + 1 + 1
	/* who writes does not wait */
	BEGIN
	M_ONLY mov cr.iip = r10
	M_ONLY add r17 = 1, r17
	TAKES 2
	BEGIN
	M_ONLY mov cr.ipsr = r0
	M_ONLY srlz.d
	TAKES 10 + 1 + 1
	IC_ON

	/* a break */
	RESUME
	BEGIN
	M_ONLY break.m 5
	HANDLED ENTRY
	/* a walk that finds a reserved entry: its load comes from L2 */
	movl r13 = R1
	RESUME
	PAUSE
	BEGIN
	M_ONLY ld8 r14 = [r13]
	HANDLED WALK + L2 + ENTRY
	/* and one without a translation for the table */
	movl r13 = R3
	RESUME
	BEGIN
	M_ONLY ld8 r14 = [r13]
	HANDLED WALK + ENTRY
	/* a speculative load that is deferred walks, and goes on */
	IC_OFF
	movl r13 = R1
	;;
	BEGIN
	M_ONLY ld8.s r14 = [r13]
	M_ONLY add r15 = r14, r0
	TAKES WALK + L2 + 1 + 1
	CHECK_NAT r15
	IC_ON
	PASS

	/* r9 and r11 get the time, r10 is where to go on */
	.macro HANDLER offset
	.org handlers + \offset
	{ .mmi
	mov r9 = ar.itc
	nop.m 0
	nop.i 0
	;; }
	mov cr.iip = r10
	mov r16 = cr.ipsr
	;;
	dep r16 = 0, r16, 41, 2
	;;
	mov cr.ipsr = r16
	;;
	srlz.d
	;;
	.align 32
	{ .mmi
	mov r11 = ar.itc
	nop.m 0
	nop.i 0
	;; }
	{ .mib
	nop.m 0
	nop.i 0
	rfi
	;; }
	.endm

	.section .text.ivt, "ax"
	.align 32768
handlers:
	.irp v, 0x0000, 0x0800, 0x2c00
	HANDLER \v
	.endr
	.text
