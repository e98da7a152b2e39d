/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A deep recursion.
 *
 * Rule rse (SDM 2:133): registers that do not fit go to the backing store and come back with
 *   their frame
 * Rule rse (SDM 2:138): NaT bits go and come with them
 */
	.include "bare.inc"
	START
	alloc r10 = ar.pfs, 0, 1, 2, 0
	;;
	mov r11 = ar.bsp
	mov r33 = 100
	br.call.sptk.many b0 = descend
	;;
	/* 1 + ... + 100, and the number of registers that were NaT */
	CHECK_VALUE r8, 5050
	CHECK_VALUE r9, 50
	mov r12 = ar.bsp
	;;
	CHECK_EQ r11, r12
	PASS

	/* r8 = sum of 1..r32; r9 = how many of them were marked */
descend:
	alloc r33 = ar.pfs, 1, 6, 1, 0
	;;
	mov r34 = b0
	mov r35 = r32
	mov r36 = r32
	;;
	/* r36 is NaT in every second frame. */
	tbit.nz p8, p9 = r32, 0
	movl r2 = bare_data
	;;
	add r3 = 8, r2
	st8 [r2] = r32
	;;
(p8)	mov ar.unat = -1
(p9)	mov ar.unat = r0
	;;
	ld8.fill r36 = [r2]
	cmp.eq p8, p0 = 0, r32
	;;
(p8)	mov r8 = 0
(p8)	mov r9 = 0
(p8)	br.cond.dpnt.few 1f
	add r39 = -1, r32
	br.call.sptk.many b0 = descend
	;;
	tbit.nz p8, p9 = r32, 0
	tnat.nz p10, p11 = r36
	;;
	add r8 = r8, r35
	/* marked exactly when odd: p13 = p8 ? p10 : p11 */
	cmp.ne p13, p0 = r0, r0
	;;
(p8)	tnat.nz p13, p0 = r36
(p9)	tnat.z p13, p0 = r36
(p10)	add r9 = 1, r9
	;;
	BARE_NEED p13
	CHECK_EQ r32, r35
1:
	mov b0 = r34
	mov.i ar.pfs = r33
	;;
	br.ret.sptk.many b0
