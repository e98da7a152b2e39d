/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What inserts and purges remove.  tak tells what is in the data TLB; the walker is off.
 *
 * Rule tlb (SDM 2:51): a page of each size matches its addresses and nothing beside them
 * Rule tlb (SDM 2:51): inserting a larger page removes the smaller ones in it, no other
 * Rule tlb (SDM 2:51): inserting a smaller page removes the larger one around it, whole
 * Rule tlb (SDM 2:52): an insert or ptr of one side leaves the other side's entries (table 4-1:
 *   may)
 * Rule tlb (SDM 2:51): translations belong to a RID, whichever region has it
 * Rule tlb (SDM 2:51): purges go by the RID of the region named
 * Rule tlb (SDM 3 ptc.e): ptc.e removes all of the TC and no TR
 * Rule tlb (SDM 3:149): itr removes TC entries that it overlaps, and what the register held
 * Rule tlb (SDM 3 ptr): ptr removes registers and TC entries of its side
 */
	.include "bare.inc"
	.include "mmu.inc"
	START
	IDENTITY
	DATA_ON
	/* each size matches its page and nothing beside it */
	.irp ps, 12, 13, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32
	ITC_D R1 | 5 << \ps, FINE, \ps, \ps
	PRESENT_D R1 | 5 << \ps, \ps
	PRESENT_D R1 | (6 << \ps) - 1, \ps
	ABSENT_D R1 | 6 << \ps
	ABSENT_D R1 | (5 << \ps) - 1
	PTC_L R1 | 5 << \ps, \ps
	ABSENT_D R1 | 5 << \ps
	.endr
	/* a larger page removes the smaller ones in it */
	ITC_D R1 | 0x10000, FINE, 14, 1
	ITC_D R1 | 0x1c000, FINE, 14, 2
	ITC_D R1 | 0x20000, FINE, 14, 3
	ITC_D R1 | 0x10000, FINE, 16, 4
	PRESENT_D R1 | 0x10000, 4
	PRESENT_D R1 | 0x1c000, 4
	PRESENT_D R1 | 0x20000, 3
	/* a smaller page removes the larger one around it, whole */
	ITC_D R1 | 0x18000, FINE, 12, 5
	PRESENT_D R1 | 0x18000, 5
	ABSENT_D R1 | 0x10000
	ABSENT_D R1 | 0x1c000
	/* the other side is not asked */
	ITC_I R1 | 0x18000, FINE, 16, 6
	PRESENT_D R1 | 0x18000, 5
	/* overlap is by RID */
	SET_RR 2, 0x101, 14, 0
	ITC_D R2 | 0x18000, FINE, 14, 7
	PRESENT_D R1 | 0x18000, 7
	SET_RR 2, 0x102, 14, 0
	ABSENT_D R2 | 0x18000
	ITC_D R2 | 0x18000, FINE, 14, 8
	PRESENT_D R1 | 0x18000, 7
	/* ptc.l: a part removes the whole; by RID; not what is beside */
	ITC_D R1 | 0x100000, FINE, 20, 9
	PTC_L R1 | 0x154321, 12
	ABSENT_D R1 | 0x100000
	PRESENT_D R1 | 0x18000, 7
	PTC_L R1, 20
	ABSENT_D R1 | 0x18000
	ABSENT_D R1 | 0x20000
	PRESENT_D R2 | 0x18000, 8
	/* ptc.g and ptc.ga, of one processor */
	PURGE ptc.g, R2 | 0x18000, 14
	ABSENT_D R2 | 0x18000
	ITC_D R2 | 0x18000, FINE, 14, 8
	PURGE ptc.ga, R2 | 0x18000, 14
	ABSENT_D R2 | 0x18000
	/* ptc.e leaves the TRs */
	ITC_D R1 | 0x4000, FINE, 14, 1
	ITR_D 1, R1 | 0x8000, FINE, 14, 2
	ptc.e r0
	;;
	srlz.i
	;;
	ABSENT_D R1 | 0x4000
	PRESENT_D R1 | 0x8000, 2
	PRESENT_D 0x100000
	/* itr removes TC entries; ptr removes TRs and TC entries of its side */
	ITC_D R1 | 0x10000, FINE, 14, 3
	ITR_D 2, R1 | 0x10000, FINE, 16, 4
	PRESENT_D R1 | 0x10000, 4
	PRESENT_D R1 | 0x1c000, 4
	PTR_I R1 | 0x10000, 16
	PRESENT_D R1 | 0x10000, 4
	ITC_D R1 | 0x20000, FINE, 14, 5
	PTR_D R1 | 0x10000, 16
	ABSENT_D R1 | 0x10000
	PRESENT_D R1 | 0x20000, 5
	PTR_D R1, 18			/* slot 1, and the TC entry */
	ABSENT_D R1 | 0x8000
	ABSENT_D R1 | 0x20000
	/* itr to a slot in use: the old one is gone */
	ITR_D 1, R1 | 0x8000, FINE, 14, 2
	ITR_D 1, R1 | 0x10000, FINE, 14, 3
	ABSENT_D R1 | 0x8000
	PRESENT_D R1 | 0x10000, 3
	/* the last of the 64 slots */
	ITR_D 63, R1 | 0x8000, FINE, 14, 2
	PRESENT_D R1 | 0x8000, 2
	PASS
