/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Data breakpoints, unaligned and unsupported references in virtual mode; unaligned ones
 * as Madison does them.
 *
 * Rule interruption (SDM 2:152): data breakpoints by bytes, mask, kind and level; lfetch.fault
 *   and probe.fault, too
 * Rule interruption (SDM 2:152): fc, tpa and the regular probe match no breakpoint
 * Rule interruption (SDM 2:154): PSR.dd holds Debug off for one instruction
 * Rule interruption (SDM 2:70): Data Access Bit before Debug before Unaligned
 * Rule interruption (SDM 2:199): pairs, spills, fills and semaphores must be aligned whatever
 *   PSR.ac is
 * Rule interruption (SDM 2:200): semaphores on UC and WC pages: Unsupported Data Reference;
 *   fetchadd takes UCE
 */
	.include "bare.inc"
	.include "mmu.inc"
	VA = R1 | 0x4000

	/* DBR pair n matches address where mask has ones, with bits 63:56 on top. */
	.macro SET_DBR n, address, mask, control
	mov r8 = 2 * \n
	mov r9 = 2 * \n + 1
	movl r10 = \address
	movl r11 = (\mask) | (\control) << 56
	;;
	mov dbr[r8] = r10
	mov dbr[r9] = r11
	;;
	srlz.d
	;;
	.endm

	.macro BAD vector, isr, address, instruction:vararg
	EXPECT 8887f
	movl r8 = \address
	;;
	\instruction
	;;
	UNREACHABLE
8887:
	FAULTED \vector, \isr, \address
	.endm

	.macro GOOD address, instruction:vararg
	movl r8 = \address
	;;
	\instruction
	;;
	.endm

	/* gas takes "name = value" in an argument for an assignment */
	.irp size, 1, 2, 4, 8
	.macro PUT\size
	st\size [r8] = r0
	.endm
	.endr
	.macro SPILL
	st8.spill [r8] = r9
	.endm

	EXACT = 0xffffffffffffff
	START
	IDENTITY
	ITC_D VA, 0x3204000 | FINE, 14
	DATA_ON
	/* read, write, level 0 */
	SET_DBR 3, VA | 0x10, EXACT, 0x81
	GOOD VA | 0x10, ld8 r9 = [r8]	/* PSR.db is off */
	DB_ON
	BAD VEC_DEBUG, ISR_R, VA | 0x10, ld8 r9 = [r8]
	BAD VEC_DEBUG, ISR_R | ISR_W, VA | 0x10, xchg8 r9 = [r8], r0
	BAD VEC_DEBUG, ISR_R | ISR_NA | 4, VA | 0x10, lfetch.fault [r8]
	BAD VEC_DEBUG, ISR_R | ISR_NA | 5, VA | 0x10, probe.r.fault r8, 0
	GOOD VA | 0x10, PUT8
	GOOD VA | 0x10, fc r8
	GOOD VA | 0x10, tpa r9 = r8
	GOOD VA | 0x10, probe.r r9 = r8, 0
	GOOD VA | 0x18, ld8 r9 = [r8]
	GOOD VA | 0x08, ld8 r9 = [r8]
	GOOD VA | 0x11, ld1 r9 = [r8]
	SET_DBR 3, VA | 0x13, EXACT, 0x41
	BAD VEC_DEBUG, ISR_W, VA | 0x10, PUT8
	BAD VEC_DEBUG, ISR_W, VA | 0x13, PUT1
	GOOD VA | 0x12, PUT1
	GOOD VA | 0x10, ld8 r9 = [r8]
	SET_DBR 3, VA | 0x10, EXACT, 0xce
	GOOD VA | 0x10, ld8 r9 = [r8]
	/* PSR.dd is for one instruction */
	SET_DBR 3, VA | 0x10, EXACT & ~0xff, 0xcf
	movl r8 = VA | 0x80
	;;
	EXPECT 2f
	GO_ON 1f, PSR_DT | PSR_DB | PSR_DD
	.align 16
1:	{ .mmi
	ld8 r9 = [r8]
	nop.m 0
	nop.i 0
	}
	;;
	{ .mmi
	ld8 r9 = [r8]
	nop.m 0
	nop.i 0
	}
	;;
	UNREACHABLE
2:
	FAULTED VEC_DEBUG, ISR_R, VA | 0x80
	/* a breakpoint comes before the alignment, rights before it */
	DB_ON
	BAD VEC_DEBUG, ISR_R, VA | 0x85, ld8 r9 = [r8]
	ITC_D VA, 0x3204000 | FINE & ~A, 14
	BAD VEC_DATA_ACCESS_BIT, ISR_R, VA | 0x85, ld8 r9 = [r8]
	ITC_D VA, 0x3204000 | FINE, 14
	DB_OFF
	BAD VEC_UNALIGNED, ISR_R, VA | 0x85, ld8 r9 = [r8]
	/* unaligned inside eight bytes, or sixteen for floating-point */
	GOOD VA | 0x82, ld4 r9 = [r8]
	GOOD VA | 0x84, ld4 r9 = [r8]
	GOOD VA | 0x83, PUT4
	BAD VEC_UNALIGNED, ISR_R, VA | 0x85, ld4 r9 = [r8]
	BAD VEC_UNALIGNED, ISR_W, VA | 0x87, PUT2
	GOOD VA | 0x84, ldfd f6 = [r8]
	BAD VEC_UNALIGNED, ISR_R, VA | 0x8c, ldfd f6 = [r8]
	BAD VEC_UNALIGNED, ISR_R, VA | 0x84, ldfpd f6, f7 = [r8]
	BAD VEC_UNALIGNED, ISR_R, VA | 0x84, ldf.fill f6 = [r8]
	BAD VEC_UNALIGNED, ISR_R, VA | 0x84, ld8.fill r9 = [r8]
	BAD VEC_UNALIGNED, ISR_W, VA | 0x84, SPILL
	BAD VEC_UNALIGNED, ISR_R | ISR_W, VA | 0x82, xchg4 r9 = [r8], r0
	/* PSR.ac: nothing unaligned */
	sum 8
	;;
	BAD VEC_UNALIGNED, ISR_R, VA | 0x82, ld4 r9 = [r8]
	BAD VEC_UNALIGNED, ISR_R, VA | 0x84, ldfd f6 = [r8]
	rum 8
	;;
	/* semaphores want write-back memory; fetchadd takes UCE */
	.irp ma, UC, WC
	ITC_D VA, 0x3204000 | FINE | \ma, 14
	BAD VEC_UNSUPPORTED, ISR_R | ISR_W, VA, xchg8 r9 = [r8], r0
	BAD VEC_UNSUPPORTED, ISR_R | ISR_W, VA, cmpxchg8.acq r9 = [r8], r0, ar.ccv
	BAD VEC_UNSUPPORTED, ISR_R | ISR_W, VA, fetchadd8.acq r9 = [r8], 1
	GOOD VA, ld8 r9 = [r8]
	.endr
	ITC_D VA, 0x3204000 | FINE | UCE, 14
	BAD VEC_UNSUPPORTED, ISR_R | ISR_W, VA, xchg8 r9 = [r8], r0
	GOOD VA, fetchadd8.acq r9 = [r8], 1
	/* physical */
	DATA_OFF
	BAD VEC_UNSUPPORTED, ISR_R | ISR_W, 0x8000000003204000, xchg8 r9 = [r8], r0
	GOOD 0x3204000, xchg8 r9 = [r8], r0
	GOOD 0x8000000003204000, ld8 r9 = [r8]
	BAD VEC_GENERAL, ISR_R | 0x30, 1 << 50, ld8 r9 = [r8]
	BAD VEC_GENERAL, ISR_W | 0x30, 1 << 62, PUT8
	PASS
