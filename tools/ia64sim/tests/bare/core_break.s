/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The break instruction.
 *
 * Rule interruption (SDM 3:32): break puts its 21 bits into IIM; break.x the lower 62, break.b
 *   0
 * Rule interruption (SDM 3:32): IIP and ISR.ei name the break
 */
	.include "bare.inc"
	.macro BREAKS slot, label, iim
	INTERRUPTED VEC_BREAK, 0
	LOAD_RECORD r8, RECORD_IIM
	CHECK_VALUE r8, \iim
	LOAD_RECORD r8, RECORD_ISR
	shr.u r8 = r8, 41
	;;
	CHECK_VALUE r8, \slot
	LOAD_RECORD r8, RECORD_IIP
	CHECK_VALUE r8, \label
	LOAD_RECORD r8, RECORD_IPSR
	extr.u r8 = r8, 41, 2
	;;
	CHECK_VALUE r8, \slot
	.endm
	START
	EXPECT 1f
	.align 16
a:	{ .mii
	break.m 0x1fffff
	nop.i 0
	nop.i 0 ;;
	}
	UNREACHABLE
1:	BREAKS 0, a, 0x1fffff
	EXPECT 2f
	.align 16
b:	{ .mii
	nop.m 0
	nop.i 0
	break.i 0x12345 ;;
	}
	UNREACHABLE
2:	BREAKS 2, b, 0x12345
	EXPECT 3f
	.align 16
c:	{ .mfi
	nop.m 0
	break.f 0x100000
	nop.i 0 ;;
	}
	UNREACHABLE
3:	BREAKS 1, c, 0x100000
	EXPECT 4f
	.align 16
d:	{ .mib
	nop.m 0
	nop.i 0
	break.b 0x777 ;;
	}
	UNREACHABLE
4:	BREAKS 2, d, 0
	EXPECT 5f
	.align 16
e:	{ .mlx
	nop.m 0
	break.x 0x3123456789abcdef ;;
	}
	UNREACHABLE
5:	BREAKS 1, e, 0x3123456789abcdef
	/* Firmware's numbers mean nothing elsewhere. */
	EXPECT 6f
	.align 16
f:	{ .mii
	break.m 0x180000
	nop.i 0
	nop.i 0 ;;
	}
	UNREACHABLE
6:	BREAKS 0, f, 0x180000
	PASS
