/* SPDX-License-Identifier: GPL-2.0 */
/*
 * L2 has 16 misses under way, and who refers to a line that is on its way has missed, too.
 * Lines are transferred so fast that they do not wait for each other.
 *
 * Options: -timing madison,fetch=0,transfer=1
 */
	.include "bare.inc"
	.include "mmu.inc"
	.include "timing.inc"
	DATA = 0x2000000
	LINE = R4
	OTHER = LINE + 1024
	/* 160 ns, 12 less in a page of memory that is open; as in timing_memory.s */
	MEMORY = 15 + 240 - 18

	/* r14 is the next line that nobody has asked for */
	.macro NEXT
	add r14 = 128, r14
	PAUSE
	BEGIN
	.endm

	.macro STORES n
	.rept \n
	{ .mmi
	st8 [r13] = r0
	nop.m 0
	nop.i 0
	;; }
	.endr
	.endm

	/* and a load from r14 whose data are used */
	.macro STORES_AND_LOAD n
	STORES \n
	M_ONLY ld8 r16 = [r14]
	M_ONLY add r17 = 1, r16
	.endm

	START
	IDENTITY
	ITR_D 1, R4, DATA | FINE, 16
	GO_ON begin, PSR_DT | PSR_RT | PSR_IT
begin:
	movl r13 = LINE
	movl r14 = OTHER
	;;
	/* the page of memory is open then, and the L1 DTLB has it */
	M_ONLY ld8 r16 = [r14]
	M_ONLY add r17 = 1, r16
	/* 15 stores miss, the first for all, and the load is the 16th */
	NEXT
	STORES_AND_LOAD 15
	TAKES 15 + MEMORY + 1
	/* 20 hits are no misses */
	NEXT
	STORES_AND_LOAD 20
	TAKES 20 + MEMORY + 1
	/* the load is the 17th, and goes to memory when the line is there that the others want */
	add r13 = 128, r13
	NEXT
	STORES_AND_LOAD 16
	TAKES MEMORY + MEMORY + 1
	/* so do two lines behind 16 */
	add r13 = 128, r13
	add r15 = 512, r14
	NEXT
	STORES 16
	M_ONLY ld8 r16 = [r14]
	M_ONLY ld8 r17 = [r15]
	M_ONLY add r17 = r17, r16
	TAKES MEMORY + MEMORY + 1
	PASS
