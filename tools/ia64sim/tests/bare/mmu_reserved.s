/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reserved fields and encodings.
 *
 * Rule tlb (SDM 2:55): an insert with reserved bits, attribute or page size: Reserved
 *   Register/Field, nothing inserted
 * Rule tlb (SDM 2:56): an entry that is not present may have anything in its word, but a page
 *   size that there is
 * Rule tlb (SDM 3 itc): itc and itr are illegal while PSR.ic is 1
 * Rule tlb (SDM 2:59): reserved bits and page sizes of a region register, reserved bits of a
 *   PKR, PKRs not there
 * Rule tlb (SDM 2:65): reserved bits and sizes of PTA
 * Rule tlb (SDM 2:55): reserved bits of ITIR
 * Rule tlb (SDM 3:149): itr to a register that is not there: Reserved Register/Field
 * Rule nat (SDM 3:265): a NaT operand: itc faults, thash and ttag give NaT
 * Rule interruption (SDM 2:181): translation instructions above level 0: Privileged Operation
 */
	.include "bare.inc"
	.include "mmu.inc"

	.macro REFUSED isr, instruction:vararg
	EXPECT 8885f
	\instruction
	;;
	UNREACHABLE
8885:
	INTERRUPTED VEC_GENERAL, \isr
	.endm

	/* An insert that is refused.  The handler comes back with the IPSR, so that
	 * PSR.ic is 0 as it was; and ISR.ni says so.
	 */
	.macro REFUSED_INSERT word, itir
	EXPECT 8886f
	IC_OFF
	movl r2 = PSR_BN | PSR_IC
	movl r3 = R1 | 0x4000
	;;
	mov cr.ipsr = r2
	;;
	mov cr.ifs = r0
	mov cr.ifa = r3
	;;
	movl r2 = \itir
	movl r3 = \word
	;;
	mov cr.itir = r2
	;;
	itc.d r3
	;;
	UNREACHABLE
8886:
	INTERRUPTED VEC_GENERAL, ISR_NI | 0x30
	ABSENT_D R1 | 0x4000
	.endm

	.macro REFUSED_CR name, value
	EXPECT 8887f
	IC_OFF
	movl r2 = PSR_BN | PSR_IC
	movl r3 = \value
	;;
	mov cr.ipsr = r2
	;;
	mov cr.ifs = r0
	mov cr.\name = r3
	;;
	UNREACHABLE
8887:
	INTERRUPTED VEC_GENERAL, ISR_NI | 0x30
	.endm

	START
	IDENTITY
	.irp bit, 0, 1, 32, 48, 63
	REFUSED_CR itir, 14 << 2 | 1 << \bit
	.endr
	.irp bad, 2, 1 << 50, 1 << 51, 1 << 2, 2 << 2, 3 << 2
	REFUSED_INSERT FINE | \bad, 14 << 2
	.endr
	.irp ps, 0, 11, 15, 17, 31, 33, 63
	REFUSED_INSERT FINE, \ps << 2
	REFUSED_INSERT 0, \ps << 2
	.endr
	ITC_D R1 | 0x4000, 0xfffffffffffffffe, 14, 0xffffff
	/* PSR.ic 1 */
	REFUSED 0, itc.d r0
	REFUSED 0, itc.i r0
	REFUSED 0, itr.d dtr[r0] = r0
	REFUSED 0, itr.i itr[r0] = r0
	/* region registers */
	movl r8 = R1
	movl r9 = 14 << 2 | 2
	movl r10 = 1 << 32 | 14 << 2
	mov r11 = 15 << 2
	;;
	REFUSED 0x30, mov rr[r8] = r9
	REFUSED 0x30, mov rr[r8] = r10
	REFUSED 0x30, mov rr[r8] = r11
	REFUSED 0x30, mov rr[r8] = r0
	mov r9 = rr[r8]
	;;
	CHECK_VALUE r9, 0x101 << 8 | 14 << 2
	/* keys */
	mov r8 = 16
	mov r9 = 1
	mov r10 = 0x10
	movl r11 = 1 << 32
	;;
	REFUSED 0x30, mov pkr[r8] = r9
	REFUSED 0x30, mov pkr[r9] = r10
	REFUSED 0x30, mov pkr[r9] = r11
	REFUSED 0x30, mov r12 = pkr[r8]
	/* PTA */
	movl r8 = 15 << 2 | 2
	movl r9 = 14 << 2
	movl r10 = 53 << 2
	movl r11 = 15 << 2 | 1 << 9
	;;
	REFUSED 0x30, mov cr.pta = r8
	REFUSED 0x30, mov cr.pta = r9
	REFUSED 0x30, mov cr.pta = r10
	REFUSED 0x30, mov cr.pta = r11
	/* TR that is not there */
	EXPECT 1f
	IC_OFF
	movl r2 = PSR_BN | PSR_IC
	movl r3 = R2
	mov r8 = 64
	;;
	mov cr.ipsr = r2
	;;
	mov cr.ifs = r0
	mov cr.ifa = r3
	mov r3 = 14 << 2
	;;
	mov cr.itir = r3
	;;
	itr.d dtr[r8] = r0
	;;
	UNREACHABLE
1:
	INTERRUPTED VEC_GENERAL, ISR_NI | 0x30
	/* NaT operands */
	EXPECT 2f
	movl r2 = PSR_BN | PSR_IC
	movl r8 = 1 << 60 | 1 << 55	/* unimplemented: ld.s gives NaT */
	;;
	ld8.s r9 = [r8]
	IC_OFF
	mov cr.ipsr = r2
	;;
	mov cr.ifs = r0
	;;
	itc.d r9
	;;
	UNREACHABLE
2:
	INTERRUPTED VEC_NAT, ISR_NI | 0x10
	movl r10 = R1
	;;
	thash r11 = r9
	ttag r12 = r9
	;;
	CHECK_NAT r11
	CHECK_NAT r12
	/* at level 3 everything is privileged */
	PROMOTION
	GO_ON 3f, PSR_IT | PSR_CPL3
3:
	REFUSED 0x10, mov rr[r10] = r10
	REFUSED 0x10, ptc.l r10, r10
	REFUSED 0x10, ptc.ga r10, r10
	REFUSED 0x10, ptr.d r10, r10
	REFUSED 0x10, ptc.e r10
	REFUSED 0x10, tpa r11 = r10
	REFUSED 0x10, tak r11 = r10
	PROMOTE
	PASS
