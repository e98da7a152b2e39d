/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What an interruption does to the processor, seen by a handler.
 *
 * Rule interruption (SDM 2:101): PSR.i, ic and bn become 0; bank 0 is there
 * Rule interruption (SDM 2:101): PSR.ac, sp, dfl, dfh, di, si, db, lp, tb become 0
 * Rule interruption (SDM 2:101): PSR.up, mfl, mfh, pk, dt, rt, it stay
 * Rule interruption (SDM 2:101): PSR.be becomes DCR.be, PSR.pp becomes DCR.pp
 * Rule interruption (SDM 2:101): the handler runs at level 0, IPSR.cpl is where it came from
 * Rule interruption (SDM 2:101): IPSR is the PSR as it was, ri the slot
 * Rule interruption (SDM 2:101): IFS.v becomes 0, the frame stays as it is
 * Rule interruption (SDM 2:101): with PSR.ic 0, IPSR, IIP, IIPA and IFS stay, and ISR.ni is 1
 * Rule interruption (SDM 2:101): IP becomes IVA with the vector's offset; IVA{14:0} do not
 *   count
 * Rule interruption (SDM 3:224): rfi restores PSR and slot; with IFS.v 0 the frame stays as it
 *   is
 * Rule interruption (SDM 2:40): IIPA is the bundle of the last instruction that ran with PSR.ic
 *   1
 */
	.include "bare.inc"
	.include "mmu.inc"
	PSR_BE = 1 << 1
	PSR_UP = 1 << 2
	PSR_MFL = 1 << 4
	PSR_MFH = 1 << 5
	PSR_I = 1 << 14
	PSR_DFL = 1 << 18
	PSR_DFH = 1 << 19
	PSR_SP = 1 << 20
	PSR_PP = 1 << 21
	PSR_DI = 1 << 22
	PSR_SI = 1 << 23
	PSR_LP = 1 << 25
	PSR_TB = 1 << 26
	STAYS = PSR_UP | PSR_MFL | PSR_MFH | PSR_PK | PSR_DT | PSR_RT | PSR_IT
	GOES = PSR_AC | PSR_DFL | PSR_DFH | PSR_SP | PSR_DI | PSR_SI | PSR_DB | PSR_LP

	/* break with this PSR; then r10 is the handler's, r11 the IPSR. */
	.macro BREAK_WITH psr
	HOOK handler
	EXPECT 8892f, GOES | PSR_TB | 3 << 32
	GO_ON 8893f, \psr
	.align 16
8893:	{ .mii
	nop.m 0
	break.i 0x1234
	nop.i 0
	}
	;;
	UNREACHABLE
8892:
	HOOK 0
	INTERRUPTED VEC_BREAK, 0
	LOAD_RECORD r11, RECORD_IPSR
	LOAD_RECORD r8, RECORD_ISR
	extr.u r8 = r8, 41, 2
	;;
	CHECK_VALUE r8, 1
	LOAD_RECORD r8, RECORD_IIP
	movl r9 = 8893b
	;;
	CHECK_EQ r8, r9
	LOAD_RECORD r8, RECORD_IIPA
	CHECK_EQ r8, r9
	.endm

	START
	IDENTITY
	mov r8 = 0
	movl r9 = 1 | 0x42 << 8
	;;
	mov pkr[r8] = r9
	;;
	srlz.d
	;;
	/* every bit that stays, alone and with those that go */
	.irp bits, 0, PSR_UP, PSR_MFL, PSR_MFH, PSR_PK, PSR_DT, PSR_RT, PSR_IT, STAYS
	BREAK_WITH \bits
	CHECK_VALUE r10, \bits
	CHECK_VALUE r11, \bits | PSR_IC | PSR_BN | 1 << 41
	BREAK_WITH \bits | GOES
	CHECK_VALUE r10, \bits
	CHECK_VALUE r11, \bits | GOES | PSR_IC | PSR_BN | 1 << 41
	.endr
	/* pp, be: of DCR */
	BREAK_WITH PSR_PP
	CHECK_VALUE r10, 0
	CHECK_VALUE r11, PSR_PP | PSR_IC | PSR_BN | 1 << 41
	mov r8 = 1
	;;
	mov cr.dcr = r8
	;;
	srlz.d
	;;
	BREAK_WITH 0
	CHECK_VALUE r10, PSR_PP
	CHECK_VALUE r11, PSR_IC | PSR_BN | 1 << 41
	mov r8 = 2
	;;
	mov cr.dcr = r8
	;;
	srlz.d
	;;
	EXPECT 1f
	/* the frame's handler reads this as big-endian */
	movl r8 = handler_be
	movl r9 = bare_record + RECORD_HOOK
	;;
	mux1 r8 = r8, @rev
	;;
	st8 [r9] = r8
	;;
	break.m 0
	UNREACHABLE
1:	HOOK 0
	mov cr.dcr = r0
	;;
	srlz.d
	;;
	CHECK_VALUE r10, PSR_BE
	/* level 3; PSR.i, with nothing pending; PSR.tb, which no break asks for */
	BREAK_WITH PSR_IT | PSR_I | PSR_TB | PSR_CPL3
	CHECK_VALUE r10, PSR_IT
	CHECK_VALUE r11, PSR_IT | PSR_I | PSR_TB | PSR_CPL3 | PSR_IC | PSR_BN | 1 << 41
	GO_ON 2f, 0
2:
	/* banks: r16 to r31 of bank 1 are what they were */
	mov r16 = 16
	mov r31 = 31
	;;
	BREAK_WITH 0
	CHECK_VALUE r16, 16
	CHECK_VALUE r31, 31
	/* the frame, its rename bases and predicates; IFS.v */
	alloc r8 = ar.pfs, 0, 16, 4, 8
	;;
	mov r39 = 39
	mov.i ar.lc = 1
	mov.i ar.ec = 1
	;;
	br.ctop.sptk.few 3f
	;;
3:
	mov r9 = 7
	;;
	BREAK_WITH 0
	LOAD_RECORD r8, RECORD_IFS
	extr.u r8 = r8, 63, 1
	;;
	CHECK_VALUE r8, 0
	CHECK_VALUE r32, 39			/* rotated, as before */
	alloc r8 = ar.pfs, 0, 96, 0, 8
	;;
	clrrrb
	;;
	/* PSR.ic 0: nothing is collected */
	EXPECT 4f
	IC_OFF
	movl r8 = PSR_IC | PSR_BN
	movl r9 = 0x123450
	movl r10 = 0x654320
	;;
	mov cr.ipsr = r8
	mov cr.iip = r9
	mov cr.iipa = r10
	movl r8 = 1 << 63 | 5
	;;
	mov cr.ifs = r8
	;;
	/* an insert of what is reserved */
	mov cr.itir = r0
	;;
	itc.d r0
	;;
	UNREACHABLE
4:	INTERRUPTED VEC_GENERAL, ISR_NI | 0x30
	IC_OFF
	mov r8 = cr.ifs
	IC_ON
	LOAD_RECORD r9, RECORD_IIP
	CHECK_VALUE r9, 0x123450
	LOAD_RECORD r9, RECORD_IIPA
	CHECK_VALUE r9, 0x654320
	LOAD_RECORD r9, RECORD_IPSR
	CHECK_VALUE r9, PSR_IC | PSR_BN
	LOAD_RECORD r9, RECORD_IFS
	CHECK_VALUE r9, 1 << 63 | 5
	/* the rfi of the handler took that frame */
	mov r36 = 0
	EXPECT 5f
	mov r37 = 0
	UNREACHABLE
5:	INTERRUPTED VEC_GENERAL, 0
	alloc r8 = ar.pfs, 0, 96, 0, 0
	;;
	/* IVA's low bits */
	movl r8 = bare_ivt + 0x7fff
	;;
	mov cr.iva = r8
	;;
	srlz.i
	;;
	mov r9 = cr.iva
	movl r10 = bare_ivt
	;;
	CHECK_EQ r9, r10
	BREAK_WITH 0
	PASS

handler:
	mov r17 = psr
	/* r10 is in no bank */
	;;
	mov r10 = r17
	movl r17 = bare_record + RECORD_RESUME
	;;
	ld8 r28 = [r17]
	br.cond.sptk.many bare_resume
	;;
	/* with PSR.be 1 the frame's handler read and recorded all reversed */
handler_be:
	mov r17 = psr
	;;
	mov r10 = r17
	rum PSR_BE
	movl r17 = bare_record + RECORD_RESUME
	;;
	ld8 r28 = [r17]
	br.cond.sptk.many bare_resume
	;;
