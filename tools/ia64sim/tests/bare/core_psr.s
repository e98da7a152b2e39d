/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the PSR's instructions read and write.
 *
 * Rule interruption (SDM 2:23): mov from psr sees bits 31:0, mc and it; mov to psr.l writes
 *   31:0
 * Rule interruption (SDM 2:23): the user mask is bits 5:1; with PSR.sp 1 up keeps its value
 * Rule interruption (SDM 3:33): bsw exchanges r16-r31, with their NaT bits
 */
	.include "bare.inc"
	START
	LEVEL 0, 1 << 35			/* mc */
	mov r8 = psr
	;;
	CHECK_VALUE r8, 1 << 13 | 1 << 35
	/* 0x3e: be is not wanted now */
	sum 0x3c
	;;
	mov r8 = psr.um
	mov r9 = psr
	;;
	CHECK_VALUE r8, 0x3c
	CHECK_VALUE r9, 1 << 13 | 1 << 35 | 0x3c
	rum 0x18
	;;
	mov r8 = psr.um
	;;
	CHECK_VALUE r8, 0x24
	movl r8 = 1 << 63 | 1 << 20 | 1 << 13 | 0x10
	;;
	mov psr.l = r8
	;;
	srlz.d
	mov r9 = psr
	;;
	CHECK_VALUE r9, 1 << 13 | 1 << 35 | 1 << 20 | 0x10
	/* sp */
	sum 4 | 8
	;;
	mov r8 = psr.um
	;;
	CHECK_VALUE r8, 0x18
	mov r9 = 4
	;;
	mov psr.um = r9
	;;
	mov r8 = psr.um
	;;
	CHECK_VALUE r8, 0
	ssm 4
	;;
	mov r8 = psr.um
	;;
	CHECK_VALUE r8, 4
	rum 4
	;;
	mov r8 = psr.um
	;;
	CHECK_VALUE r8, 4
	rsm 1 << 20
	;;
	srlz.d
	rum 4
	;;
	mov r8 = psr.um
	;;
	CHECK_VALUE r8, 0

	/* banks */
	movl r2 = bare_data
	mov ar.unat = -1
	mov r16 = 116
	;;
	ld8.fill r31 = [r2]
	bsw.0
	;;
	mov r16 = 16
	mov r31 = 31
	bsw.1
	;;
	CHECK_VALUE r16, 116
	CHECK_NAT r31
	bsw.0
	;;
	CHECK_VALUE r16, 16
	CHECK_VALUE r31, 31
	bsw.0
	;;
	CHECK_VALUE r16, 16
	/* mfl and mfh are set by writes of their registers. */
	bsw.1
	rum 0x30
	;;
	setf.sig f31 = r16
	;;
	mov r8 = psr.um
	;;
	CHECK_VALUE r8, 0x10
	ldfd f32 = [r2]
	;;
	mov r8 = psr.um
	;;
	CHECK_VALUE r8, 0x30
	PASS
