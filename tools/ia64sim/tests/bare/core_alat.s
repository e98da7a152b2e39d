/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ALAT's instructions.
 *
 * Rule alat (SDM 1:64): ld.a enters its register and address; another ld.a of the register
 *   replaces the entry
 * Rule alat (SDM 1:64): a store to any byte of the entry's removes it, one next to them does
 *   not
 * Rule alat (SDM 1:64): semaphores and floating-point stores remove it; a cmpxchg that fails
 *   does not
 * Rule alat (SDM 3:151): ld.c finds its entry and leaves the register alone, or loads
 * Rule alat (SDM 3:151): ld.c.clr removes the entry, ld.c.nc keeps it or makes one
 * Rule alat (SDM 3:35): chk.a branches when there is no entry, of general and of floating-point
 *   registers
 * Rule alat (SDM 3 invala): invala removes all entries, invala.e that of one register
 * Rule alat (SDM 3:151): ld.sa of a physical address is deferred and makes no entry
 */
	.include "bare.inc"
	START
	movl r8 = bare_data
	mov r9 = 1
	mov r10 = 2
	;;
	st8 [r8] = r9
	add r20 = 8, r8
	add r21 = -8, r8
	add r22 = 7, r8
	;;
	/* The hit shows by the register keeping what was put into it since. */
	.macro HIT insn:vararg
	mov r11 = 99
	;;
	\insn
	;;
	CHECK_VALUE r11, 99
	.endm
	.macro MISS insn:vararg
	mov r11 = 99
	;;
	\insn
	;;
	CHECK_VALUE r11, 1
	.endm
	ld8.a r11 = [r8]
	;;
	CHECK_VALUE r11, 1
	HIT ld8.c.nc r11 = [r8]
	HIT ld8.c.clr r11 = [r8]
	MISS ld8.c.clr r11 = [r8]
	MISS ld8.c.nc r11 = [r8]
	HIT ld8.c.nc r11 = [r8]			/* renewed */

	/* Stores beside it do nothing. */
	st8 [r20] = r0
	st8 [r21] = r0
	;;
	HIT ld8.c.nc r11 = [r8]
	/* Its last byte does. */
	st1 [r22] = r0
	;;
	MISS ld8.c.nc r11 = [r8]
	/* So does a semaphore, and a floating-point store. */
	xchg8 r12 = [r8], r9
	;;
	MISS ld8.c.nc r11 = [r8]
	setf.sig f10 = r9
	;;
	stf8 [r8] = f10
	;;
	MISS ld8.c.nc r11 = [r8]
	/* A failing cmpxchg stores nothing. */
	mov ar.ccv = r10
	;;
	cmpxchg8.acq r12 = [r8], r10, ar.ccv
	;;
	HIT ld8.c.nc r11 = [r8]

	invala
	;;
	MISS ld8.c.nc r11 = [r8]
	invala.e r12
	;;
	HIT ld8.c.nc r11 = [r8]
	invala.e r11
	;;
	MISS ld8.c.clr r11 = [r8]

	/* chk.a */
	ld8.a r13 = [r8]
	;;
	chk.a.nc r13, wrong
	;;
	chk.a.clr r13, wrong
	;;
	chk.a.nc r13, right
	;;
wrong:
	UNREACHABLE
right:
	/* Another ld.a of the register replaces its entry. */
	ld8.a r13 = [r8]
	;;
	ld8.a r13 = [r20]
	;;
	st8 [r8] = r9
	;;
	chk.a.nc r13, wrong
	;;
	st4 [r20] = r0
	;;
	chk.a.nc r13, 1f
	UNREACHABLE
1:
	/* Floating point. */
	ldfd.a f12 = [r8]
	;;
	chk.a.nc f12, wrong
	;;
	invala.e f12
	;;
	chk.a.nc f12, 2f
	UNREACHABLE
2:
	ldfd.sa f12 = [r8]			/* physical: deferred, no entry */
	;;
	chk.a.nc f12, 3f
	UNREACHABLE
3:
	PASS
