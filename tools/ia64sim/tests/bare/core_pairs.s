/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Loads of pairs (the assembler warns of pairs that mix static and rotating registers:
 * that is the point here).
 *
 * Rule other (SDM 3:164): a pair needs one even and one odd physical register, rotation taken
 *   into account
 * Rule other (SDM 3:164): a pair of one parity is an Illegal Operation
 */
	.include "bare.inc"
	START
	movl r8 = bare_data
	movl r9 = 0x3ff0000040000000
	;;
	st8 [r8] = r9
	;;
	ldfps f4, f33 = [r8]
	;;
	getf.s r10 = f4
	getf.s r11 = f33
	;;
	CHECK_VALUE r10, 0x40000000
	CHECK_VALUE r11, 0x3ff00000
	mov.i ar.lc = 1
	mov.i ar.ec = 1
	;;
	br.ctop.sptk.few 1f
	;;
1:
	/* f33 is physical 32 now */
	EXPECT 2f
	ldfps f4, f33 = [r8]
	UNREACHABLE
2:
	INTERRUPTED VEC_GENERAL, 0
	ldfps f5, f33 = [r8], 8
	;;
	CHECK_VALUE r8, bare_data + 8
	getf.s r11 = f5
	;;
	CHECK_VALUE r11, 0x40000000
	/* two rotating ones keep their distance */
	add r8 = -8, r8
	;;
	ldfps f34, f35 = [r8]
	;;
	getf.s r11 = f35
	;;
	CHECK_VALUE r11, 0x3ff00000
	PASS
