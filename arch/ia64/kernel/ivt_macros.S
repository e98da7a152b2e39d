/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Macros for TLB miss handlers: the walk through the page tables, and the handlers of
 * the short-format VHPT that know superpages.  A replica says how large a translation to
 * insert (see asm/superpage.h).
 *
 * The instructions are scheduled for an Itanium 2.  There a read of cr.ifa, cr.iha or
 * ar.k takes 12 cycles, but the processor can issue one in every cycle.  It can issue only
 * one shift, extr, dep or tbit in a cycle.
 */

/* How many bits of a user's address the page tables translate, apart from the region. */
#define IVT_MAP_BITS	(PGDIR_SHIFT+PAGE_SHIFT-6)

/*
 * Find the entry of the root table for the address in r16.  r19 has to be
 * IA64_KR(PT_BASE), and psr.dt off, though not serialized.
 *
 * r17 becomes the physical address of the entry.  r25 becomes the bits of the address above
 * those that the tables translate, which have to be zero.  r23 becomes the address to take
 * the other indices from.  That is r16, except in the region of hugetlbfs: there the pages
 * have PTEs as if they were base pages, and p9 becomes 1.
 *
 * Regions 4 and 5 go to ivt_root_other, at \other, which comes back to \back.
 */
	.macro ivt_root other, back
	srlz.d					// while r16 is on its way
	;;
	shr.u r17=r16,61			// the region
	mov r23=r16
	;;
	cmp.le p8,p0=4,r17
	cmp.ne p9,p0=r0,r0
	extr.u r24=r16,PGDIR_SHIFT,PAGE_SHIFT-6
	;;
	dep r17=r17,r19,PAGE_SHIFT-3,3
(p8)	br.cond.spnt \other
	;;
	shladd r17=r24,3,r17
	extr.u r25=r16,IVT_MAP_BITS,61-IVT_MAP_BITS
	;;
\back:
	.endm

/* The same for regions 4 and 5.  All of swapper_pg_dir is the root table of region 5. */
	.macro ivt_root_other back
	shr.u r24=r16,61			// r17 no longer has it
	;;
	cmp.eq p9,p8=4,r24
	.pred.rel "mutex", p8, p9
	shl r23=r16,3				// without the region
	;;
	mov r24=rr[r16]
	;;
	LOAD_PHYSICAL(p8, r19, swapper_pg_dir)
(p9)	extr.u r24=r24,2,6			// its page size
(p8)	shr.u r25=r23,IVT_MAP_BITS+6
	;;
(p9)	adds r24=3-PAGE_SHIFT,r24
(p9)	extr.u r25=r16,IVT_MAP_BITS,61-IVT_MAP_BITS
(p8)	mov r24=3
	;;
	shr.u r23=r23,r24			// as if of base pages
	;;
	shr.u r24=r23,PGDIR_SHIFT
	;;
(p9)	dep r17=r24,r17,3,PAGE_SHIFT-6
(p8)	dep r17=r24,r19,3,PAGE_SHIFT-3
	br.cond.sptk \back
	.endm

/*
 * Walk from the entry of the root table, at r17, to the PTE.  r28 becomes that entry, r20
 * the entry that leads to the table of the PTE, at r27, and r18 the PTE, at r21.  With four
 * levels, r29 becomes the entry between them, at r26.  If a table is missing, this branches
 * to page_fault; otherwise p6 becomes 0.
 *
 * \entry: for the long format; see long_begin.
 *
 * Clobbers r19, r24, r25; with \entry and three levels also r26, r29, p12.
 */
	.macro ivt_walk entry=0
	ld8 r28=[r17]				// *pgd
#if CONFIG_PGTABLE_LEVELS == 4
	extr.u r24=r23,PUD_SHIFT,PAGE_SHIFT-3
#else
	extr.u r24=r23,PMD_SHIFT,PAGE_SHIFT-3
#endif
	cmp.ne p6,p0=r25,r0			// beyond the tables?
(p6)	br.cond.spnt page_fault
	;;
	extr.u r19=r23,PAGE_SHIFT,PAGE_SHIFT-3
#if CONFIG_PGTABLE_LEVELS == 4
	;;
	cmp.eq p6,p0=r28,r0
	dep r26=r24,r28,3,PAGE_SHIFT-3
	extr.u r24=r23,PMD_SHIFT,PAGE_SHIFT-3
(p6)	br.cond.spnt page_fault
	;;
	ld8 r29=[r26]				// *pud
	;;
	cmp.eq p6,p0=r29,r0
	dep r27=r24,r29,3,PAGE_SHIFT-3
#else
	.if \entry
	long_read_entry
	.endif
	;;
	cmp.eq p6,p0=r28,r0
	dep r27=r24,r28,3,PAGE_SHIFT-3
#endif
(p6)	br.cond.spnt page_fault
	;;
	ld8 r20=[r27]				// *pmd
#if CONFIG_PGTABLE_LEVELS != 4
	.if \entry
	long_count
	.endif
#endif
	;;
	cmp.eq p6,p0=r20,r0
	dep r21=r19,r20,3,PAGE_SHIFT-3
(p6)	br.cond.spnt page_fault
	;;
	ld8 r18=[r21]				// *pte
	.endm

/*
 * Set p7, which has to be 0, if an entry of a table has changed since ivt_walk.  The kernel
 * clears the entry that leads to a table before it frees the table or uses it for something
 * else.  So if no entry has changed, ivt_walk has read valid tables.
 *
 * Clobbers r19, r24, r30.  Begins an instruction group, and leaves its last one open.
 */
	.macro ivt_tables_changed
	ld8 r24=[r27]
	ld8 r19=[r17]
#if CONFIG_PGTABLE_LEVELS == 4
	ld8 r30=[r26]
#endif
	;;
	cmp.ne.or p7,p0=r24,r20
	cmp.ne.or p7,p0=r19,r28
#if CONFIG_PGTABLE_LEVELS == 4
	cmp.ne.or p7,p0=r30,r29
#endif
	.endm

#ifdef CONFIG_SUPERPAGE
/*
 * dtlb_miss and itlb_miss, with the address of the PTE in r17: insert its translation.
 *
 * \predict: r25 is the size inserted last, from IA64_KR(SUPERPAGE).  It goes to cr.itir
 * while the PTE is being read, which saves that time if the PTE has the same size.
 * Base pages come here only where the walker has not looked.
 *
 * If the first load of the PTE misses in the virtual page table, nested_dtlb_miss reads
 * cr.itir and goes on at 3 with the physical address of the PTE.  At the second load cr.itir
 * may have any size, so this load must not end in nested_dtlb_miss.  It is speculative: with
 * psr.ic = 0 the processor defers every exception (SDM 2:5.5.5), and a NaT counts as a PTE
 * that has changed.  At 3 the second load is a plain one: it cannot miss, and physical
 * addresses cannot be read speculatively.
 */
	.macro superpage_insert kind, predict=0
	movl r30=3f
	;;
	ld8 r18=[r17]				// read *pte
	;;
	.if \predict
	mov cr.itir=r25
	;;
	.endif
#ifdef CONFIG_SMP
	ld8.s r26=[r17]				// bring *pte near for the read below
#endif
	and r22=_PAGE_P,r18
	and r20=~_PAGE_SUPERPAGE,r18
	extr.u r21=r18,_PAGE_SUPERPAGE_ITIR_SHIFT,8
	;;
	.if \predict
	cmp.ne p8,p0=r21,r25
	.endif
	cmp.eq p9,p0=r21,r0
	cmp.eq p6,p0=r22,r0			// page present bit cleared?
(p6)	br.cond.spnt page_fault
(p9)	br.cond.spnt 4f
	;;
	/* Not earlier: a PTE that is not present may have anything in these bits. */
	.if \predict
(p8)	mov cr.itir=r21
	.else
	mov cr.itir=r21
	.endif
	;;
	itc.\kind r20
	;;
5:
	.if \predict
(p8)	mov IA64_KR(SUPERPAGE)=r21
	.endif
#ifdef CONFIG_SMP
	/*
	 * Tell the assemblers dependency-violation checker that the above "itc" instructions
	 * cannot possibly affect the following loads:
	 */
	dv_serialize_data

	ld8.s r19=[r17]				// read *pte again and see if same
	cmp.eq p7,p6=r0,r0
	;;
	cmp.eq.or.andcm p6,p7=r18,r19		// a NaT leaves p7 set
(p7)	br.cond.spnt 6f
	;;
#endif
	mov pr=r31,-1
	RFI
3:	mov b0=r29
	ld8 r18=[r17]
	;;
	tbit.z p6,p0=r18,_PAGE_P_BIT
	and r20=~_PAGE_SUPERPAGE,r18
	extr.u r21=r18,_PAGE_SUPERPAGE_ITIR_SHIFT,8
(p6)	br.cond.spnt page_fault
	;;
	cmp.ne p8,p0=r21,r0
	;;
(p8)	mov cr.itir=r21
	;;
	itc.\kind r20
	;;
#ifdef CONFIG_SMP
	dv_serialize_data
	ld8 r19=[r17]
	;;
	cmp.ne p7,p0=r18,r19
(p7)	br.cond.spnt 6f
	;;
#endif
	mov pr=r31,-1
	RFI
4:						// a base page that the walker has not served
	.if \predict
	mov r21=rr[r16]
	mov r19=0xfc
	;;
	and r21=r19,r21				// its size
	;;
	mov cr.itir=r21
	cmp.ne p8,p0=r0,r0			// nothing was predicted
	;;
	.endif
	itc.\kind r20
	br.cond.sptk 5b
#ifdef CONFIG_SMP
6:	mov r20=PAGE_SHIFT<<2
	;;
	ptc.l r16,r20
	mov pr=r31,-1
	RFI
#endif
	.endm

/*
 * vhpt_miss: insert the page of the page table in which the walker has looked, and then the
 * translation of the PTE.  The handler inserts the page while the PTE is being read, even
 * if the PTE turns out not to be present: the access is tried again after the page fault.
 *
 * r22 is the virtual address of the PTE; for the others see ivt_root and ivt_walk.
 *
 * \page=0: insert only the translation of the PTE, where the walker is off.  r31 has the
 * predicates already.
 */
	.macro superpage_vhpt_miss page=1
	mov r19=IA64_KR(PT_BASE)
	MOV_FROM_IFA(r16)
	.if \page
	mov r31=pr
	MOV_FROM_IHA(r22)
	.endif
	RSM_PSR_DT
	cmp.ne p7,p0=r0,r0
	;;
	ivt_root 2f, 8
	ivt_walk
	MOV_FROM_ISR(r30)
	.if \page
	mov cr.ifa=r22
	dep r24=0,r20,0,PAGE_SHIFT
	;;
	adds r24=__DIRTY_BITS_NO_ED|_PAGE_PL_0|_PAGE_AR_RW,r24
	;;
	itc.d r24
	;;
	dv_serialize_data
	mov cr.ifa=r16
	.else
	;;
	.endif
	and r25=_PAGE_P,r18
	and r24=~_PAGE_SUPERPAGE,r18
	extr.u r19=r18,_PAGE_SUPERPAGE_ITIR_SHIFT,8
	;;
	cmp.eq p6,p0=r25,r0
	cmp.ne p8,p0=r19,r0
	tbit.nz p10,p11=r30,IA64_ISR_X_BIT
	.if \page
(p6)	br.cond.spnt 4f
(p9)	br.cond.spnt 3f
	.else
(p6)	br.cond.spnt page_fault
	.endif
	;;
(p8)	mov cr.itir=r19
	;;
5:
(p10)	itc.i r24
(p11)	itc.d r24
	;;
#ifdef CONFIG_SMP
	/*
	 * Tell the assemblers dependency-violation checker that the above "itc" instructions
	 * cannot possibly affect the following loads:
	 */
	dv_serialize_data
	ld8 r23=[r21]				// has anything changed?
	ivt_tables_changed
	cmp.ne.or p6,p0=r23,r18
(p6)	br.cond.spnt 6f
(p7)	br.cond.spnt 6f
	;;
#endif
	mov pr=r31,-1
	RFI

2:
	.if \page
	mov r24=cr.itir
	mov r25=PAGE_SHIFT
	;;
	dep r24=r25,r24,2,6			// the size of the page of PTEs
	;;
	mov cr.itir=r24
	.endif
	ivt_root_other 8b

	.if \page
3:	mov r19=rr[r16]				// a page of hugetlbfs
	mov r25=0xfc
	;;
	and r19=r25,r19
	;;
	mov cr.itir=r19
	;;
	br.cond.sptk 5b

4:						// not present
#ifdef CONFIG_SMP
	;;
	ivt_tables_changed
	mov r23=PAGE_SHIFT<<2
	;;
(p7)	ptc.l r22,r23
	;;
#endif
	br.cond.sptk page_fault
	.endif
#ifdef CONFIG_SMP
6:	mov r23=PAGE_SHIFT<<2
	;;
	.if \page
(p7)	ptc.l r22,r23				// purge the translation of the page of PTEs
	;;
	.endif
	ptc.l r16,r23
	mov pr=r31,-1
	RFI
#endif
	.endm
#endif
