/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The Disabled FP-Register fault by instructions of the M unit and the F unit.
 *
 * Rule fp (SDM 2:26): PSR.dfl disables f2-f31, PSR.dfh f32-f127, for every instruction that
 *   names one
 * Rule fp (SDM 2:193): ISR.code says which of the two were touched; ISR.r and w, which
 *   reference
 * Rule fp (SDM 2:26): f0 and f1 are never disabled
 */
	.include "bare.inc"
	.macro DISABLED isr, insn
	EXPECT 8881f
	\insn
	UNREACHABLE
8881:
	INTERRUPTED VEC_DISABLED_FP, \isr
	.endm
	ISR_R1 = ISR_R | 1
	ISR_R2 = ISR_R | 2
	ISR_R3 = ISR_R | 3
	ISR_W1 = ISR_W | 1
	ISR_W2 = ISR_W | 2
	ISR_RS1 = ISR_R | ISR_SP | 1
	START
	movl r8 = bare_data
	ssm 1 << 18
	;;
	srlz.d
	;;
	DISABLED ISR_R1, "ldfd f2 = [r8]"
	DISABLED ISR_RS1, "ldfd.s f31 = [r8]"
	DISABLED ISR_W1, "stfs [r8] = f31"
	DISABLED 1, "setf.d f2 = r8"
	DISABLED 1, "getf.sig r9 = f2"
	DISABLED ISR_R1, "ldfps f32, f5 = [r8]"
	DISABLED 1, "fma.s0 f40 = f1, f1, f3"
	ldfd f32 = [r8]
	getf.sig r9 = f1
	stfs [r8] = f0
	ssm 1 << 19
	;;
	srlz.d
	;;
	DISABLED ISR_R3, "ldfps f32, f5 = [r8]"
	DISABLED 3, "fma.s0 f40 = f1, f1, f3"
	rsm 1 << 18
	;;
	srlz.d
	;;
	DISABLED ISR_R2, "ldf.fill f127 = [r8]"
	DISABLED ISR_W2, "stf.spill [r8] = f32"
	DISABLED 2, "getf.exp r9 = f32"
	ldfd f31 = [r8]
	;;
	PASS
