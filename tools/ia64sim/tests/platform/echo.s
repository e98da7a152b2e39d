/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Says "ready", then sends back what it receives, in brackets and hexadecimal
 * for what is not a letter.  Ends with status 9 at a 'q'.
 */
	.explicit
	.text
	.global _start
_start:
	movl r10 = 0xfed00000		/* UART */
	movl r11 = 0xfed01000 ;;	/* power */
	dep r10 = -1, r10, 63, 1
	dep r11 = -1, r11, 63, 1
	movl r12 = message ;;
	add r13 = 5, r10		/* line status */
	add r14 = 2, r10		/* FIFOs on */
	mov r15 = 1 ;;
	st1 [r14] = r15
1:	ld1 r14 = [r12], 1 ;;
	cmp.eq p6, p7 = 0, r14 ;;
(p7)	st1 [r10] = r14
(p7)	br.cond.sptk 1b ;;

poll:	ld1 r14 = [r13] ;;
	tbit.z p6, p7 = r14, 0
(p6)	br.cond.sptk poll ;;
	ld1 r14 = [r10] ;;
	mov r15 = 'q' ;;
	cmp.eq p6, p7 = r14, r15 ;;
(p6)	mov r15 = 0x901 ;;
(p6)	st8 [r11] = r15
	mov r15 = '[' ;;
	st1 [r10] = r15
	extr.u r16 = r14, 4, 4
	and r17 = 15, r14 ;;
	cmp.gtu p6, p7 = 10, r16
	cmp.gtu p8, p9 = 10, r17 ;;
(p6)	add r16 = '0', r16
(p7)	add r16 = 'a' - 10, r16
(p8)	add r17 = '0', r17
(p9)	add r17 = 'a' - 10, r17 ;;
	st1 [r10] = r16 ;;
	st1 [r10] = r17
	mov r15 = ']' ;;
	st1 [r10] = r15
	br.cond.sptk poll ;;

	.data
message:
	stringz "ready\n"
