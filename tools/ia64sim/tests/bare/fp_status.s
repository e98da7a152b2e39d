/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Status fields.
 *
 * Rule fp (SDM 3 fsetc): fsetc derives a field's controls from sf0's
 * Rule fp (SDM 3 fclrf): fclrf clears a field's flags
 * Rule fp (SDM 3 fchkf): fchkf branches when a field has flags that trap or that sf0 has not
 * Rule fp (SDM 1 5.2): reserved bits and precisions of FPSR: Reserved Register/Field
 */
	.include "bare.inc"
	.include "fp.inc"
	START
	FPSR FPSR_DEFAULT
	fsetc.s2 0x7f, 0x40
	;;
	CHECK_FPSR (FPSR_DEFAULT & ~(0x7f << 32)) | 0x4c << 32
	fsetc.s0 0x33, 0x08
	;;
	CHECK_FPSR (FPSR_DEFAULT & ~(0x7f << 32) & ~(4 << 6)) | 0x4c << 32
	EXPECT 1f
	fsetc.s1 0, 0x04
	UNREACHABLE
1:
	INTERRUPTED VEC_GENERAL, 0x30
	EXPECT 2f
	fsetc.s0 0, 0x40
	UNREACHABLE
2:
	INTERRUPTED VEC_GENERAL, 0x30
	EXPECT 3f
	movl r8 = 1 << 63
	;;
	mov ar.fpsr = r8
	UNREACHABLE
3:
	INTERRUPTED VEC_GENERAL, 0x30
	EXPECT 4f
	movl r8 = 1 << 12
	;;
	mov ar.fpsr = r8
	UNREACHABLE
4:
	INTERRUPTED VEC_GENERAL, 0x30

	/* Inexact in sf2 only; its trap is disabled. */
	FPSR FPSR_DEFAULT | 0x20 << 39
	fchkf.s2 5f
	UNREACHABLE
5:
	/* sf0 has it, too. */
	FPSR FPSR_DEFAULT | 0x20 << 39 | 0x20 << 13
	fchkf.s2 6f
	br.cond.sptk.many 7f
6:
	UNREACHABLE
7:
	/* But it traps. */
	FPSR (FPSR_DEFAULT & ~0x20) | 0x20 << 39 | 0x20 << 13
	fchkf.s2 8f
	UNREACHABLE
8:
	fclrf.s2
	;;
	CHECK_FPSR (FPSR_DEFAULT & ~0x20) | 0x20 << 13
	fchkf.s2 9f
	br.cond.sptk.many 10f
9:
	UNREACHABLE
10:
	PASS
