/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Immediates, positions, lengths and counts that are written in integer and
 * multimedia instructions, from their encoding to the result; the assembler
 * computes what is expected.
 *
 * Rule other (SDM 3:2.2): immediates, positions, lengths and counts are what the
 *   assembler was given
 */
	.include "bare.inc"

	X = -0x123456789abcdef1
	Y = 0x7654321076543219

	/* Of the bits of a value; len may be 64. */
	.macro SAME value
	movl r9 = \value
	;;
	xor r8 = r8, r9
	;;
	or r20 = r20, r8
	;;
	.endm

	.macro MASK len
	mask = (2 << (\len - 1)) - 1
	.endm

	.macro END_OF_GROUP
	CHECK_EQ r20, r0
	.endm

	START
	mov r20 = 0
	movl r10 = X
	movl r11 = Y
	;;

	.irp len, 1, 2, 7, 8, 9, 13, 32, 63, 64
	MASK \len
	.irp pos, 0, 1, 18, 40, 60, 63
	.irp imm, 0, 1, 2, 0x55, 127, -128, -127, -1
	dep.z r8 = \imm, \pos, \len
	;;
	SAME (\imm & mask) << \pos
	.endr
	.endr
	.endr
	END_OF_GROUP

	.irp len, 1, 2, 7, 16, 33, 64
	MASK \len
	.irp pos, 0, 1, 31, 60, 63
	dep.z r8 = r10, \pos, \len
	;;
	SAME (X & mask) << \pos
	dep r8 = 0, r10, \pos, \len
	;;
	SAME X & ~(mask << \pos)
	dep r8 = -1, r10, \pos, \len
	;;
	SAME X | mask << \pos
	extr.u r8 = r10, \pos, \len
	;;
	SAME (X >> \pos) & mask
	.endr
	.endr
	END_OF_GROUP

	.irp len, 1, 2, 7, 16
	MASK \len
	.irp pos, 0, 1, 31, 60, 63
	dep r8 = r11, r10, \pos, \len
	;;
	SAME (X & ~(mask << \pos)) | (Y & mask) << \pos
	.endr
	.endr
	END_OF_GROUP

	/* extr takes its sign from bit 63 when the field ends beyond it */
	.macro SIGNED_FIELD pos, len, have
	MASK \have
	extr r8 = r10, \pos, \len
	;;
	SAME (((X >> \pos) & mask) ^ (1 << (\have - 1))) - (1 << (\have - 1))
	extr r8 = r11, \pos, \len
	;;
	SAME (((Y >> \pos) & mask) ^ (1 << (\have - 1))) - (1 << (\have - 1))
	.endm
	.irp len, 1, 2, 7, 16, 31
	.irp pos, 0, 1, 18, 33
	SIGNED_FIELD \pos, \len, \len
	.endr
	.endr
	SIGNED_FIELD 60, 8, 4
	SIGNED_FIELD 63, 64, 1
	SIGNED_FIELD 1, 64, 63
	SIGNED_FIELD 0, 64, 64
	END_OF_GROUP

	.irp count, 1, 5, 31, 32, 62, 63
	shrp r8 = r10, r11, \count
	;;
	SAME X << (64 - \count) | Y >> \count
	shl r8 = r10, \count
	;;
	SAME X << \count
	shr.u r8 = r10, \count
	;;
	SAME X >> \count
	shr r8 = r10, \count
	;;
	SAME X >> \count | -1 << (64 - \count)
	.endr
	shrp r8 = r10, r11, 0
	;;
	SAME Y
	END_OF_GROUP

	.irp imm, 0, 1, 64, 127, -1, -2, -128
	sub r8 = \imm, r10
	;;
	SAME \imm - X
	and r8 = \imm, r10
	;;
	SAME \imm & X
	andcm r8 = \imm, r10
	;;
	SAME \imm & ~X
	or r8 = \imm, r10
	;;
	SAME \imm | X
	xor r8 = \imm, r10
	;;
	SAME \imm ^ X
	cmp.ltu p8, p9 = \imm, r10
	cmp4.lt p10, p11 = \imm, r11
	;;
	mov r8 = 0
	;;
	/* The unsigned X is 0xedcb..., above the small ones only. */
(p8)	add r8 = 1, r8
	;;
	/* The lower half of Y is positive and large. */
(p10)	add r8 = 2, r8
	;;
	.if \imm < 0
	SAME 2
	.else
	SAME 3
	.endif
	.endr
	END_OF_GROUP

	.irp imm, 0, 1, 8191, -1, -8192
	adds r8 = \imm, r10
	;;
	SAME \imm + X
	addp4 r8 = \imm, r11
	;;
	SAME ((\imm + Y) & 0xffffffff) | ((Y >> 30) & 3) << 61
	.endr
	.irp imm, 0, 0x1fffff, -0x200000, 0x123456, -0x123456
	mov r8 = \imm
	;;
	SAME \imm
	.endr
	.irp count, 1, 2, 3, 4
	shladd r8 = r10, \count, r11
	;;
	SAME (X << \count) + Y
	shladdp4 r8 = r10, \count, r11
	;;
	SAME (((X << \count) + Y) & 0xffffffff) | ((Y >> 30) & 3) << 61
	.endr
	END_OF_GROUP

	.irp pos, 0, 1, 2, 15, 30, 31, 32, 47, 61, 62, 63
	tbit.nz p8, p9 = r10, \pos
	mov r8 = 0
	;;
(p8)	mov r8 = 1
	;;
	SAME (X >> \pos) & 1
	.endr
	END_OF_GROUP

	/* lanes */
	.irp count, 0, 1, 9, 15
	pshl2 r8 = r11, \count
	;;
	SAME (Y << \count & 0xffff) | ((Y >> 16 & 0xffff) << \count & 0xffff) << 16 | ((Y >> 32 & 0xffff) << \count & 0xffff) << 32 | ((Y >> 48) << \count & 0xffff) << 48
	pshr2.u r8 = r11, \count
	;;
	SAME (Y & 0xffff) >> \count | (Y >> 16 & 0xffff) >> \count << 16 | (Y >> 32 & 0xffff) >> \count << 32 | (Y >> 48) >> \count << 48
	.endr
	.irp count, 0, 1, 9, 31
	pshl4 r8 = r11, \count
	;;
	SAME (Y << \count & 0xffffffff) | ((Y >> 32) << \count & 0xffffffff) << 32
	pshr4.u r8 = r11, \count
	;;
	SAME (Y & 0xffffffff) >> \count | (Y >> 32) >> \count << 32
	.endr
	.irp count, 0, 7, 15, 16
	pmpyshr2.u r8 = r11, r11, \count
	;;
	SAME ((Y & 0xffff) * (Y & 0xffff) >> \count & 0xffff) | ((Y >> 16 & 0xffff) * (Y >> 16 & 0xffff) >> \count & 0xffff) << 16 | ((Y >> 32 & 0xffff) * (Y >> 32 & 0xffff) >> \count & 0xffff) << 32 | ((Y >> 48) * (Y >> 48) >> \count & 0xffff) << 48
	.endr
	mux1 r8 = r11, @rev
	;;
	SAME 0x1932547610325476
	mux2 r8 = r11, 0x1b
	;;
	SAME 0x3219765432107654
	END_OF_GROUP

	PASS
