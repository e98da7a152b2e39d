/* SPDX-License-Identifier: GPL-2.0 */
/*
 * -strict serialize: what depends on a system resource before its serialization, and what
 * is like it and right.
 */
	.include "bare.inc"
	.include "mmu.inc"
	.include "strict.inc"
	PSR_I = 1 << 14
	PSR_DFH = 1 << 19
	PSR_SI = 1 << 23
	WORD = bare_data
	VA = R1 | 0x4000000

	START
	IDENTITY
	IC_OFF

	/* a control register: srlz.d */
	movl r8 = 0x12340
	movl r10 = 0x56780
	;;
	WRITES 1
	mov cr.iha = r8
	;;
	BREAKS 1, "cr.iha without srlz.d"
	mov r9 = cr.iha
	;;
	mov cr.iha = r10
	;;
	srlz.d
	mov r9 = cr.iha
	;;
	/* srlz.i does, too, but only for later groups */
	WRITES 2
	mov cr.iha = r8
	;;
	srlz.i
	BREAKS 2, "cr.iha without srlz.d"
	mov r9 = cr.iha
	;;
	mov cr.iha = r10
	;;
	srlz.i
	;;
	mov r9 = cr.iha
	;;
	/* srlz.d does not in the group of the write */
	WRITES 3
	mov cr.iim = r8
	srlz.d
	;;
	BREAKS 3, "cr.iim without srlz.d"
	mov r9 = cr.iim
	;;
	srlz.d
	;;
	/* nothing has changed */
	mov cr.iim = r8
	;;
	mov r9 = cr.iim
	;;
	/* what is read is another one */
	mov cr.iim = r10
	;;
	mov r9 = cr.iha
	;;
	/* a branch, which the assembler does not look behind */
	WRITES 4
	mov cr.iipa = r8
	br.cond.sptk.many 1f
	;;
	.align 32
	nop.m 0
	;;
1:
	BREAKS 4, "cr.iipa without srlz.d"
	mov r9 = cr.iipa
	;;
	srlz.i
	;;

	/* cr.iva: srlz.i */
	movl r8 = bare_ivt
	movl r9 = bare_ivt - 32768
	;;
	mov cr.iva = r9
	;;
	WRITES 5
	mov cr.iva = r8
	;;
	srlz.d
	;;
	BREAKS 5, "cr.iva without srlz.i"
	mov r9 = cr.iva
	;;
	srlz.i
	;;
	mov r9 = cr.iva
	;;

	/* cr.ifa and cr.itir before itc: a stop; the translation: srlz.d */
	movl r8 = VA
	movl r10 = FINE | 0x100000
	mov r11 = 14 << 2
	movl r12 = WORD
	movl r13 = VA + 0x4000
	;;
	mov cr.itir = r11
	;;
	mov cr.ifa = r13
	;;
	itc.d r10
	;;
	srlz.d
	;;
	WRITES 6
	mov cr.ifa = r8
	BREAKS 6, "cr.ifa without a stop"
	itc.d r10
	;;
	srlz.d
	;;
	DATA_ON
	WRITES 7
	itc.d r10
	;;
	ld8 r9 = [r12]
	;;
	ld8 r9 = [r13]
	;;
	BREAKS 7, "data translation without srlz.d"
	ld8 r9 = [r8]
	;;
	srlz.d
	ld8 r9 = [r8]
	;;
	WRITES 8
	ptc.l r8, r11
	;;
	tak r9 = r13
	;;
	BREAKS 8, "data translation without srlz.d"
	tak r9 = r8
	;;
	srlz.d
	;;
	tak r9 = r8
	;;
	DATA_OFF

	/* a region register: whoever translates in that region */
	movl r8 = R1
	movl r10 = R2
	movl r11 = 0x121 << 8 | 14 << 2
	movl r14 = 0x122 << 8 | 14 << 2
	;;
	WRITES 9
	mov rr[r8] = r11
	;;
	thash r9 = r10
	;;
	mov r9 = rr[r8]
	;;
	BREAKS 9, "rr1 without srlz.d"
	thash r9 = r8
	;;
	srlz.d
	;;
	thash r9 = r8
	;;
	WRITES 10
	mov rr[r8] = r14
	BREAKS 10, "rr1 without a stop"
	mov r9 = rr[r8]
	;;
	srlz.i
	;;

	/* cr.pta and cr.dcr */
	movl r8 = 0x200000000 | 20 << 2
	;;
	WRITES 11
	mov cr.pta = r8
	;;
	BREAKS 11, "cr.pta without srlz.d"
	thash r9 = r10
	;;
	srlz.i
	mov r8 = 0x700
	;;
	thash r9 = r10
	;;
	WRITES 12
	mov cr.dcr = r8
	;;
	ld8 r9 = [r12]
	;;
	BREAKS 12, "cr.dcr without srlz.d"
	ld8.s r9 = [r12]
	;;
	srlz.d
	;;
	ld8.s r9 = [r12]
	;;

	/* PSR */
	WRITES 13
	ssm PSR_DT
	;;
	BREAKS 13, "psr.dt without srlz.d"
	ld8 r9 = [r12]
	;;
	rsm PSR_DT
	;;
	srlz.d
	ld8 r9 = [r12]
	;;
	WRITES 14
	ssm PSR_AC
	;;
	BREAKS 14, "psr.ac without srlz.d"
	ld8 r9 = [r12]
	;;
	srlz.d
	;;
	WRITES 15
	rum PSR_AC
	BREAKS 15, "psr.ac without a stop"
	ld8 r9 = [r12]
	;;
	sum PSR_AC
	;;
	ld8 r9 = [r12]
	;;
	rum PSR_AC
	;;
	ssm PSR_DFH
	;;
	srlz.d
	;;
	WRITES 16
	rsm PSR_DFH
	;;
	fadd f10 = f1, f1
	;;
	BREAKS 16, "psr.dfh without srlz.d"
	fadd f40 = f1, f1
	;;
	srlz.d
	;;
	fadd f40 = f1, f1
	;;
	WRITES 17
	ssm PSR_SI
	;;
	mov r9 = ar.ccv
	;;
	BREAKS 17, "psr.si without srlz.d"
	mov r9 = ar.itc
	;;
	WRITES 18
	rsm PSR_SI
	BREAKS 18, "psr.si without a stop"
	mov r9 = psr
	;;
	srlz.d
	;;
	ssm PSR_IC
	;;
	srlz.i
	;;
	WRITES 19
	rsm PSR_IC
	;;
	BREAKS 19, "psr.ic without srlz.d"
	mov r9 = cr.ifa
	;;
	srlz.d
	;;

	/* external interrupts */
	movl r8 = 1 << 16 | 0xf0
	;;
	WRITES 20
	mov cr.tpr = r8
	;;
	BREAKS 20, "cr.tpr without srlz.d"
	ssm PSR_I
	;;
	rsm PSR_I
	;;
	mov cr.tpr = r0
	;;
	srlz.d
	;;
	ssm PSR_I
	;;
	rsm PSR_I
	;;
	WRITES 21
	mov cr.eoi = r0
	;;
	BREAKS 21, "interrupts in service without srlz.d"
	mov r9 = cr.ivr
	;;
	mov cr.eoi = r0
	;;
	srlz.d
	;;
	mov r9 = cr.ivr
	;;
	srlz.i
	;;

	/* interruptions and rfi serialize */
	IC_ON
	movl r8 = R1
	movl r11 = 0x123 << 8 | 14 << 2
	;;
	EXPECT 2f
	mov rr[r8] = r11
	;;
	break.m 1
	;;
	.align 32
2:
	thash r9 = r8
	;;
	IC_OFF
	movl r2 = 3f
	movl r3 = PSR_BN | PSR_IC
	movl r8 = R1
	movl r11 = 0x124 << 8 | 14 << 2
	;;
	mov cr.ipsr = r3
	mov cr.ifs = r0
	mov rr[r8] = r11
	;;
	mov cr.iip = r2
	;;
	rfi
	;;
	.align 32
3:
	thash r9 = r8
	;;
	/* what rfi takes from a register needs a stop */
	IC_OFF
	movl r2 = 4f
	movl r3 = PSR_BN | PSR_IC
	;;
	mov cr.ipsr = r3
	;;
	WRITES 22
	mov cr.iip = r2
	BREAKS 22, "cr.iip without a stop"
	rfi
	;;
	.align 32
4:

	/* fetches: srlz.i */
	GO_ON 5f, PSR_IT
5:
	movl r8 = 0
	movl r11 = 0x100 << 8 | 16 << 2
	;;
	WRITES 23
	mov rr[r8] = r11
	;;
	BREAKS 23, "rr0 without srlz.i"
	srlz.d
	;;
	nop.m 0
	;;
	srlz.i
	;;
	nop.m 0
	;;
	PASS
