/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The application registers.
 *
 * Rule rse (SDM 3:173): BSPSTORE and RNAT in enforced lazy mode only, BSP is never written:
 *   Illegal Operation
 * Rule rse (SDM 1:29): reserved bits of RSC fault; RSC.pl is never more privileged than the
 *   program
 * Rule rse (SDM 1:29): RNAT has no bit 63
 */
	.include "bare.inc"
	START
	mov ar.rsc = 1
	;;
	EXPECT 1f
	mov r8 = ar.bspstore
	UNREACHABLE
1:
	INTERRUPTED VEC_GENERAL, 0
	EXPECT 2f
	mov r8 = ar.rnat
	UNREACHABLE
2:
	INTERRUPTED VEC_GENERAL, 0
	EXPECT 3f
	mov ar.rnat = r0
	UNREACHABLE
3:
	INTERRUPTED VEC_GENERAL, 0
	mov ar.rsc = 0
	;;
	EXPECT 4f
	mov ar.bsp = r0
	UNREACHABLE
4:
	INTERRUPTED VEC_GENERAL, 0
	EXPECT 5f
	mov r8 = 0x20
	;;
	mov ar.rsc = r8
	UNREACHABLE
5:
	INTERRUPTED VEC_GENERAL, 0x30
	EXPECT 6f
	movl r8 = 1 << 30
	;;
	mov ar.rsc = r8
	UNREACHABLE
6:
	INTERRUPTED VEC_GENERAL, 0x30
	mov r8 = -1
	;;
	mov ar.rnat = r8
	;;
	mov r9 = ar.rnat
	;;
	CHECK_VALUE r9, 0x7fffffffffffffff
	/* At level 2 pl 1 becomes 2, 3 stays. */
	LEVEL 2
	mov ar.rsc = 4
	;;
	mov r9 = ar.rsc
	;;
	CHECK_VALUE r9, 8
	mov ar.rsc = 0xf
	;;
	mov r9 = ar.rsc
	;;
	CHECK_VALUE r9, 0xf
	PASS
