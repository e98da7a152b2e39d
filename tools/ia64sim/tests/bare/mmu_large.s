/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pages of every size, as one thing: what of the operands counts, that every part
 * is translated and that the purge of any part removes all of it.  Region 1 has no
 * walker.
 *
 * Rule tlb (SDM 2:58): pages can be inserted in sizes 4K 8K 16K 64K 256K 1M 4M 16M 64M 256M 1G
 *   4G
 * Rule tlb (SDM 2:55): an insert ignores the bits of IFA that are inside the page, and 11:0
 * Rule tlb (SDM 2:55): an insert ignores the bits of the page number that are inside the page
 * Rule tlb (SDM 2:51): ptc.l of 4 KiB at the start, the middle or the end of a page removes it
 *   all
 * Rule tlb (SDM 2:51): ptc.g and ptc.ga of a part of a page remove it all
 * Rule tlb (SDM 3 ptr): ptr of a part of a register's page removes the register, of its side
 *   only
 * Rule tlb (SDM 3:233): a purge's address counts without the bits that are inside its size
 * Rule tlb (SDM 3:233): a purge larger than the pages removes every one that it overlaps, no
 *   other
 * Rule tlb (SDM 2:51): ptc.l of a part of a large page of instructions removes it from the ITC
 * Rule tlb (SDM 3 tpa): tpa gives the physical address of any byte of a large page
 * Rule tlb (SDM 3:217): probe and tak answer for every byte of a large page
 */
	.include "bare.inc"
	.include "mmu.inc"

	.macro PHYSICAL va, pa
	movl r2 = \va
	;;
	tpa r14 = r2
	;;
	CHECK_VALUE r14, \pa
	.endm

	.macro PROBE_W va, level, result
	movl r2 = \va
	;;
	probe.w r14 = r2, \level
	;;
	CHECK_VALUE r14, \result
	.endm

	.macro PRESENT_ALL ps
	PRESENT_D R1 | 5 << \ps, \ps
	PRESENT_D R1 | 11 << (\ps - 1), \ps
	PRESENT_D R1 | (6 << \ps) - 1, \ps
	.endm

	.macro ABSENT_ALL ps
	ABSENT_D R1 | 5 << \ps
	ABSENT_D R1 | 11 << (\ps - 1)
	ABSENT_D R1 | (6 << \ps) - 1
	.endm

	START
	IDENTITY
	DATA_ON
	.irp ps, 12, 13, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32
	INSIDE = (1 << \ps) - 1
	WORD = P | A | PL1 | AR_RW | 3 << \ps
	/* junk inside the page, of either address */
	ITC_D R1 | 5 << \ps | (INSIDE & 0x5a5a5a5a5a5a5a5a), WORD | (INSIDE & 0xa5a5a5a5a5a5a000), \ps, \ps
	PHYSICAL R1 | 5 << \ps, 3 << \ps
	PHYSICAL R1 | 11 << (\ps - 1) | 8, 7 << (\ps - 1) | 8
	PHYSICAL R1 | (6 << \ps) - 1, (4 << \ps) - 1
	PRESENT_ALL \ps
	PROBE_W R1 | (6 << \ps) - 1, 1, 1
	PROBE_W R1 | (6 << \ps) - 1, 2, 0
	PTC_L R1 | 5 << \ps, 12
	ABSENT_ALL \ps
	ITC_D R1 | 5 << \ps, WORD, \ps, \ps
	PTC_L R1 | 11 << (\ps - 1), 12
	ABSENT_ALL \ps
	ITC_D R1 | 5 << \ps, WORD, \ps, \ps
	PTC_L R1 | (6 << \ps) - 1, 12
	ABSENT_ALL \ps
	/* not by what is next to it */
	ITC_D R1 | 5 << \ps, WORD, \ps, \ps
	PTC_L R1 | 6 << \ps, 12
	PTC_L R1 | (5 << \ps) - 1, 12
	PRESENT_ALL \ps
	PURGE ptc.g, R1 | 11 << (\ps - 1), 12
	ABSENT_ALL \ps
	ITC_D R1 | 5 << \ps, WORD, \ps, \ps
	PURGE ptc.ga, R1 | (6 << \ps) - 1, 12
	ABSENT_ALL \ps
	/* a register */
	ITR_D 1, R1 | 5 << \ps | INSIDE, WORD, \ps, \ps
	PRESENT_ALL \ps
	PTR_I R1 | 11 << (\ps - 1), 12
	PTR_D R1 | 6 << \ps, 12
	PRESENT_ALL \ps
	PTR_D R1 | 11 << (\ps - 1), 12
	ABSENT_ALL \ps
	/* of a purge's address, too, what is inside does not count */
	ITC_D R1 | 5 << \ps, WORD, 12, 1
	ITC_D R1 | (6 << \ps) - 1, WORD, 12, 2
	ITC_D R1 | 6 << \ps, WORD, 12, 3
	ITC_D R1 | (5 << \ps) - 1, WORD, 12, 4
	PTC_L R1 | 5 << \ps | (INSIDE & 0x5a5a5a5a5a5a5a5a), \ps
	ABSENT_D R1 | 5 << \ps
	ABSENT_D R1 | (6 << \ps) - 1
	PRESENT_D R1 | 6 << \ps, 3
	PRESENT_D R1 | (5 << \ps) - 1, 4
	ptc.e r0
	;;
	srlz.i
	;;
	.endr
	/* 4 GiB of pages of all sizes, and one beside them */
	ITC_D R1 | 4 << 32, FINE, 30, 1
	ITC_D R1 | 4 << 32 | 1 << 30, FINE, 28, 2
	ITC_D R1 | 4 << 32 | 2 << 30, FINE, 24, 3
	ITC_D R1 | 4 << 32 | 3 << 30, FINE, 12, 4
	ITC_D R1 | 5 << 32, FINE, 28, 5
	PTC_L R1 | 4 << 32 | 0x87654321, 32
	ABSENT_D R1 | 4 << 32
	ABSENT_D R1 | 4 << 32 | 1 << 30
	ABSENT_D R1 | 4 << 32 | 2 << 30
	ABSENT_D R1 | 4 << 32 | 3 << 30
	PRESENT_D R1 | 5 << 32, 5

	/* instructions: the program once more, in a page of 16 MiB */
	GO_ON 1f, PSR_DT | PSR_IT
1:
	ITC_I R1, FINE, 24
	movl r8 = 3f
	movl r9 = R1
	;;
	or r9 = r8, r9
	;;
	mov b6 = r9
	movl r8 = 2f
	;;
	mov b7 = r8
	;;
	mov r10 = 0
	br.sptk.many b6
	;;
2:
	CHECK_VALUE r10, 1
	PTC_L R1 | 0xfff000, 12
	EXPECT 4f
	br.sptk.many b6
	;;
	UNREACHABLE
	.align 16
3:	mov r10 = 1
	br.sptk.many b7
	;;
4:
	INTERRUPTED VEC_ALT_INST_TLB, ISR_X
	PASS
