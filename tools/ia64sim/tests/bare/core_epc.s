/* SPDX-License-Identifier: GPL-2.0 */
/*
 * epc in physical mode.  (With translation: mmu_rights.)
 *
 * Rule interruption (SDM 3:55): epc without instruction translation makes level 0
 * Rule interruption (SDM 3:55): epc is illegal where PFS.ppl is more privileged than the
 *   program
 * Rule interruption (SDM 3:20): br.ret demotes to PFS.ppl
 */
	.include "bare.inc"
	START
	LEVEL 3
	br.call.sptk.few b1 = gate
	;;
	EXPECT 1f, 3 << 32
	mov r8 = psr
	UNREACHABLE
1:	INTERRUPTED VEC_GENERAL, 0x10
	LEVEL 2
	movl r8 = 1 << 62
	;;
	mov.i ar.pfs = r8
	EXPECT 2f, 3 << 32
	epc
	UNREACHABLE
2:	INTERRUPTED VEC_GENERAL, 0
	PASS
	.align 16
gate:
	epc
	;;
	mov r9 = psr
	mov.i r10 = ar.pfs
	;;
	shr.u r10 = r10, 62
	;;
	CHECK_VALUE r10, 3
	br.ret.sptk.few b1
	;;
