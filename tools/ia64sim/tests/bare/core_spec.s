/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Speculative loads and chk.s.
 *
 * Rule nat (SDM 3:151): ld.s of a NaT address gives NaT and does the post-increment
 * Rule nat (SDM 2:105): ld.s in physical mode and of uncacheable memory gives NaT
 * Rule alat (SDM 2:82): ld.a of uncacheable memory gives 0 and no entry
 * Rule nat (SDM 3:37): chk.s branches on NaT and on NaTVal
 * Rule nat (SDM 2:25): PSR.ed makes one speculative load NaT
 */
	.include "bare.inc"
	.include "mmu.inc"
	PSR_ED = 1 << 43
	START
	movl r8 = bare_data
	mov r9 = 77
	;;
	st8 [r8] = r9
	ld8.s r10 = [r8]			/* physical */
	;;
	CHECK_NAT r10
	IDENTITY
	ITC_D R5, 0x200000 | FINE | UC, 14
	DATA_ON
	ld8.s r10 = [r8], 8
	;;
	CHECK_VALUE r10, 77
	add r8 = -8, r8
	mov ar.unat = -1
	;;
	ld8.fill r11 = [r8]
	;;
	ld8.s r10 = [r11], 8
	;;
	CHECK_NAT r10
	CHECK_NAT r11
	movl r12 = R5
	;;
	ld8.s r10 = [r12], 16
	;;
	CHECK_NAT r10
	CHECK_VALUE r12, R5 + 16
	mov r10 = 5
	;;
	ld8.a r10 = [r12]
	;;
	CHECK_VALUE r10, 0
	chk.a.nc r10, 1f
	UNREACHABLE
1:
	ldfd.s f10 = [r12]
	;;
	chk.s f10, 2f
	UNREACHABLE
2:
	ldf8.a f10 = [r12]
	;;
	chk.s f10, wrong
	getf.exp r13 = f10
	;;
	CHECK_VALUE r13, 0x1003e
	ldfd.a f10 = [r12]
	;;
	getf.exp r13 = f10
	;;
	CHECK_VALUE r13, 0
	chk.s r13, wrong
	br.cond.sptk.few 3f
wrong:
	UNREACHABLE
3:
	ld8.s r10 = [r11]
	;;
	chk.s r10, 4f
	UNREACHABLE
4:
	/* ed is gone after one instruction. */
	GO_ON 5f, PSR_DT | PSR_RT | PSR_ED
	.align 16
5:	ld8.s r10 = [r8]
	ld8.s r11 = [r8]
	;;
	CHECK_NAT r10
	CHECK_VALUE r11, 77
	DATA_OFF
	PASS
