/* SPDX-License-Identifier: GPL-2.0 */
/*
 * -strict code: code that is stored and executed, with all that takes and without.
 */
	.include "bare.inc"
	.include "mmu.inc"
	.include "strict.inc"
	HERE = R1			/* region 1 has everything once more */

	/* r8, r12: the bundle of \where and its second half */
	.macro PLACE where
	movl r8 = \where
	;;
	add r12 = 8, r8
	;;
	.endm

	/* what it becomes: r16 = 1 in place of 99 */
	.macro WRITE
	{ .mmi
	st8 [r8] = r13
	st8 [r12] = r14
	nop.i 0
	;; }
	.endm

	.macro FLUSH
	fc.i r8
	;;
	.endm

	.macro SYNC
	sync.i
	;;
	.endm

	.macro SERIALIZE
	srlz.i
	;;
	.endm

	.macro RUN where
	br.call.sptk.few b1 = \where
	;;
	CHECK_VALUE r16, 1
	.endm

	.macro BROKEN n, what
	.section .text.ivt
	.align 128
	BREAKS \n, "\what"
	RETURN 99
	.text
	.endm

	.macro RETURN value
	{ .mib
	mov r16 = \value
	nop.i 0
	br.ret.sptk.few b1
	;; }
	.endm

	START
	IDENTITY
	movl r9 = template
	;;
	ld8 r13 = [r9], 8
	;;
	ld8 r14 = [r9]
	;;

	/* all that it takes, also by the other fc, and by interruptions for srlz.i */
	PLACE right
	WRITE
	FLUSH
	SYNC
	SERIALIZE
	RUN right
	RUN right
	PLACE right_fc
	WRITE
	fc r8
	;;
	SYNC
	EXPECT 1f
	break.m 1
	;;
	.align 32
1:	RUN right_fc
	/* at another address, with translation */
	PLACE right_virtual
	movl r10 = HERE
	;;
	or r8 = r8, r10
	or r12 = r12, r10
	;;
	ITR_D 1, HERE, FINE, 26
	DATA_ON
	WRITE
	FLUSH
	DATA_OFF
	SYNC
	SERIALIZE
	RUN right_virtual
	/* data beside code that is not changed */
	PLACE right_data
	st8 [r8] = r0
	;;
	RUN right_beside
	/* several lines, and one more in between */
	PLACE right_first
	WRITE
	FLUSH
	PLACE right_second
	WRITE
	FLUSH
	SYNC
	PLACE right_third
	WRITE
	FLUSH
	SERIALIZE
	RUN right_first
	RUN right_second
	SYNC
	SERIALIZE
	RUN right_third

	/* nothing, or not enough */
	PLACE strict_breaks_1
	WRITES 1
	WRITE
	RUN strict_breaks_1
	PLACE strict_breaks_2
	WRITES 2
	WRITE
	SYNC
	SERIALIZE
	RUN strict_breaks_2
	PLACE strict_breaks_3
	WRITES 3
	WRITE
	FLUSH
	SERIALIZE
	RUN strict_breaks_3
	PLACE strict_breaks_4
	WRITES 4
	WRITE
	FLUSH
	SYNC
	RUN strict_breaks_4
	SERIALIZE
	/* in another order */
	PLACE strict_breaks_5
	FLUSH
	WRITES 5
	WRITE
	SYNC
	SERIALIZE
	RUN strict_breaks_5
	PLACE strict_breaks_6
	WRITES 6
	WRITE
	SYNC
	FLUSH
	SERIALIZE
	RUN strict_breaks_6
	SYNC
	SERIALIZE
	PLACE strict_breaks_7
	WRITES 7
	WRITE
	FLUSH
	SERIALIZE
	SYNC
	RUN strict_breaks_7
	SERIALIZE
	/* another line is flushed */
	PLACE strict_breaks_8
	WRITES 8
	WRITE
	add r8 = -128, r8
	;;
	FLUSH
	SYNC
	SERIALIZE
	RUN strict_breaks_8
	/* stored again since */
	PLACE strict_breaks_9
	WRITE
	FLUSH
	SYNC
	SERIALIZE
	WRITES 9
	WRITE
	RUN strict_breaks_9
	PLACE strict_breaks_10
	WRITE
	FLUSH
	WRITES 10
	WRITE
	SYNC
	SERIALIZE
	RUN strict_breaks_10
	/* by stores of other kinds */
	PLACE strict_breaks_11
	WRITE
	FLUSH
	SYNC
	SERIALIZE
	add r8 = 15, r8
	shr.u r10 = r14, 56
	;;
	WRITES 11
	{ .mmi
	st1 [r8] = r10
	nop.m 0
	nop.i 0
	;; }
	RUN strict_breaks_11
	PLACE strict_breaks_12
	WRITE
	FLUSH
	SYNC
	SERIALIZE
	WRITES 12
	{ .mmi
	xchg8 r10 = [r12], r14
	nop.m 0
	nop.i 0
	;; }
	RUN strict_breaks_12
	PLACE strict_breaks_13
	WRITE
	FLUSH
	SYNC
	SERIALIZE
	setf.sig f8 = r13
	;;
	WRITES 13
	{ .mmi
	stf8 [r8] = f8, 8
	nop.m 0
	nop.i 0
	;; }
	RUN strict_breaks_13
	PLACE strict_breaks_14
	WRITE
	FLUSH
	SYNC
	SERIALIZE
	WRITES 14
	{ .mmi
	st8.spill [r8] = r13, 8
	nop.m 0
	nop.i 0
	;; }
	RUN strict_breaks_14
	PASS

	.section .text.ivt, "ax"
	.align 128
	.irp name, right, right_fc, right_virtual, right_first, right_second, right_third
	.align 128
\name:	RETURN 99
	.endr
	.align 128
right_data:
	.skip 16
right_beside:
	RETURN 1
	.align 128
template:
	RETURN 1
	.text
	BROKEN 1, "code without fc.i"
	BROKEN 2, "code without fc.i"
	BROKEN 3, "code without sync.i"
	BROKEN 4, "code without srlz.i"
	BROKEN 5, "code without fc.i"
	BROKEN 6, "code without sync.i"
	BROKEN 7, "code without srlz.i"
	BROKEN 8, "code without fc.i"
	BROKEN 9, "code without fc.i"
	BROKEN 10, "code without fc.i"
	BROKEN 11, "code without fc.i"
	BROKEN 12, "code without fc.i"
	BROKEN 13, "code without fc.i"
	BROKEN 14, "code without fc.i"
