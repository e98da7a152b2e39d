/* SPDX-License-Identifier: GPL-2.0 */
/*
 * TLB miss handlers for the long-format VHPT (see Documentation/ia64/vhpt.rst).
 *
 * The VHPT is a hash table that caches PTEs, one table for each processor.  The handlers
 * use physical addresses for data.  IA64_KR(VHPT), added to an address in the table as
 * thash gives it, makes it a physical one.  Its lower five bits are vhpt_fill, for which
 * there is room because tables and entries are aligned to 32 bytes.
 *
 * Registers: r16 is the address that was missed, and r31 has the predicates.  r22 is the
 * address of the hash-table entry, and r30 the tag.  For the others see ivt_walk.
 */

#define VHPT_TAG	16		/* offset of the tag in an entry */

/*
 * Compute the address of the entry, and the tag, and walk through the page tables.  p13 is
 * set with vhpt_fill=all, and p7 becomes 0.
 *
 * In a TLB miss, cr.iha has the address of the entry.  \hash: other faults have to compute it.
 */
	.macro long_begin other, back, hash=0
	mov r19=IA64_KR(PT_BASE)
	MOV_FROM_IFA(r16)
	.if !\hash
	MOV_FROM_IHA(r22)
	.endif
	mov r30=IA64_KR(VHPT)
	RSM_PSR_DT
	cmp.ne p7,p0=r0,r0
	;;
	ivt_root \other, \back
	.if \hash
	thash r22=r16
	;;
	.endif
	add r22=r22,r30
	ttag r30=r16
	ivt_walk 1
#if CONFIG_PGTABLE_LEVELS == 4
	and r25=31,r22
	and r22=-32,r22
	;;
	cmp.ne p13,p0=r25,r0
#endif
	.endm

/* Read the present tag and counters of the entry, while ivt_walk waits for *pgd. */
	.macro long_read_entry
	and r29=31,r22				// what vhpt_fill says
	and r22=-32,r22
	;;
	cmp.ne p13,p0=r29,r0
	adds r26=VHPT_TAG,r22
	adds r29=VHPT_TAG+8,r22
	;;
	ld8 r26=[r26]				// whose entry is it now?
	ld4 r29=[r29]
	.endm

/*
 * The last word of an entry has two counters.  The lower half, r29, counts how often the
 * handlers have filled the entry.  The upper half, r26, counts how often that replaced
 * another page, as it does now if p12 becomes 1.
 */
	.macro long_count
	;;
	cmp.lt p0,p12=r26,r0			// valid?
	adds r29=1,r29
	adds r25=VHPT_TAG+12,r22
	;;
(p12)	cmp.ne.unc p12,p0=r26,r30		// and another's
	;;
(p12)	ld4 r26=[r25]
	;;
(p12)	adds r26=1,r26
	.endm

/*
 * Enter a translation into the hash table, and then into the TLB: r24 is the PTE without
 * _PAGE_SUPERPAGE, r19 its cr.itir.  The walker may look at the entry meanwhile.  So the
 * handler first sets ti in the tag, which then matches nothing.
 *
 * If the PTE is no longer what r18 has, or if an entry of a table that led to it has
 * changed, take the entry and the translation back.
 *
 * Clobbers r19, r22 - r25 and r30.  p6 and p7 have to be 0.
 */
	.macro long_enter kind, replicas=0
#if CONFIG_PGTABLE_LEVELS == 4
	/* What long_read_entry and long_count do elsewhere; they need registers. */
	adds r23=VHPT_TAG,r22
	;;
	ld8 r25=[r23],8
	;;
	cmp.lt p0,p12=r25,r0
	;;
(p12)	cmp.ne.unc p12,p0=r25,r30
	ld4 r25=[r23]
	;;
	adds r25=1,r25
	;;
	st4 [r23]=r25,4
	;;
(p12)	ld4 r25=[r23]
	;;
(p12)	adds r25=1,r25
	;;
(p12)	st4 [r23]=r25
	;;
#endif
	mov r25=-1
	adds r23=VHPT_TAG,r22
	;;
	mov cr.itir=r19
#if CONFIG_PGTABLE_LEVELS == 4
	st8 [r23]=r25
	;;
	st8.rel [r22]=r24,8
	;;
#else
	st8 [r23]=r25,8
	;;
	st4 [r23]=r29,4
	st8.rel [r22]=r24,8
	;;
(p12)	st4 [r23]=r26
	adds r23=-12,r23
#endif
	st8.rel [r22]=r19
	;;
	st8.rel [r23]=r30
	.if \replicas
(p13)	br.cond.spnt long_fill_all_\kind
	;;
long_filled_\kind:
	.endif
	/*
	 * Whoever changes the PTE then invalidates its entries in the hash
	 * tables, and purges the TLBs after that.  Either they see this entry,
	 * or this handler sees their change.
	 */
	mf
	;;
	itc.\kind r24
	;;
	dv_serialize_data			// what follows is physical
	ld8 r25=[r21]
	;;
	cmp.ne.or p6,p0=r25,r18			// p6 is 0 here
	ivt_tables_changed
(p6)	br.cond.spnt 6f
(p7)	br.cond.spnt 6f
	;;
	mov pr=r31,-1
	RFI
6:
	mov r19=-1				// take both back
	mov r25=PAGE_SHIFT<<2
	;;
	st8 [r23]=r19
	ptc.l r16,r25
	;;
	.if \replicas
(p13)	br.cond.spnt long_purge_all
	.endif
	mov pr=r31,-1
	RFI
	.endm

/* The TLB miss handlers. */
	.macro long_miss kind
	long_begin 2f, 8
	;;
	and r25=_PAGE_P,r18
#ifdef CONFIG_SUPERPAGE
	and r24=~_PAGE_SUPERPAGE,r18
	extr.u r19=r18,_PAGE_SUPERPAGE_ITIR_SHIFT,8
	;;
	cmp.eq p8,p0=r19,r0
(p13)	cmp.ne.unc p13,p0=r19,r0		// a base page has one entry
#else
	mov r24=r18
	;;
#endif
	cmp.eq p6,p0=r25,r0
	cmp.eq.or p9,p0=r25,r0
(p9)	br.cond.spnt 3f				// one branch, for either reason
	;;
#ifdef CONFIG_SUPERPAGE
(p8)	mov r19=PAGE_SHIFT<<2
#else
	mov r19=PAGE_SHIFT<<2
#endif
4:
	long_enter \kind, IS_ENABLED(CONFIG_SUPERPAGE)

2:
	ivt_root_other 8b

3:
(p6)	br.cond.spnt page_fault
	mov r19=rr[r16]				// a page of hugetlbfs
	mov r25=0xfc
	;;
	and r19=r25,r19
	br.cond.sptk 4b
	.endm

/* The handlers of the Dirty and Access bits: set \bits of the PTE. */
	.macro long_set_bits kind, bits
	mov r31=pr
	long_begin 2f, 8, 1
	;;
	tbit.z p6,p0=r18,_PAGE_P_BIT
#ifdef CONFIG_SUPERPAGE
	tbit.nz p8,p0=r18,_PAGE_SUPERPAGE_BIT	// replicas change with their lock held
#endif
	mov r23=ar.ccv
	mov r24=\bits
(p6)	br.cond.spnt page_fault
#ifdef CONFIG_SUPERPAGE
(p8)	br.cond.spnt page_fault
#endif
	;;
	mov ar.ccv=r18
	or r24=r24,r18
	;;
	cmpxchg8.acq r19=[r21],r24,ar.ccv
	;;
	cmp.ne p8,p0=r19,r18
	mov ar.ccv=r23
	mov r18=r24
	mov r19=PAGE_SHIFT<<2
(p8)	br.cond.spnt 5f				// changed meanwhile: try again
(p9)	br.cond.spnt 3f
	;;
4:
	long_enter \kind
2:
	ivt_root_other 8b

3:	mov r19=rr[r16]				// a page of hugetlbfs
	mov r25=0xfc
	;;
	and r19=r25,r19
	br.cond.sptk 4b
5:
	mov pr=r31,-1
	RFI
	.endm

/*
 * Go through the entries of all base pages of the superpage, or of as many around the
 * address as vhpt_fill says.  With \valid, write the translation in r24 to them; without,
 * invalidate them.  An entry may have become another page's meanwhile; that page is then
 * missed once more.
 *
 * Clobbers r19, r22, r23, r25, r30, p8, p9.  With \valid, r23 ends as long_enter needs it.
 */
	.macro long_all valid
	mov r25=IA64_KR(VHPT)
	extr.u r19=r18,_PAGE_SUPERPAGE_PS_SHIFT,6
	;;
	and r30=31,r25
	and r25=-32,r25
	;;
	cmp.ltu p9,p0=r30,r19
	mov r22=1
	;;
(p9)	mov r19=r30				// log2 of how much
	;;
	shr.u r30=r16,r19
	;;
	shl r30=r30,r19				// its first page
	adds r19=-PAGE_SHIFT,r19
	;;
	shl r19=r22,r19				// how many
	;;
1:	thash r22=r30
	ttag r23=r30
	;;
	add r22=r22,r25
	dep r23=-1,r23,63,1			// invalid
	;;
	adds r22=VHPT_TAG,r22
	adds r19=-1,r19
	;;
	st8 [r22]=r23,-VHPT_TAG
	cmp.ne p8,p0=r19,r0
	;;
	.if \valid
	st8.rel [r22]=r24,8
	extr.u r23=r18,_PAGE_SUPERPAGE_ITIR_SHIFT,8
	;;
	st8.rel [r22]=r23,8
	ttag r23=r30
	;;
	st8.rel [r22]=r23
	.endif
	movl r23=PAGE_SIZE
	;;
	add r30=r30,r23
(p8)	br.cond.dptk 1b
	;;
	.if \valid
	thash r22=r16				// the entry of the address again
	;;
	add r22=r22,r25
	;;
	adds r23=VHPT_TAG,r22
	.else
	/* Purge again: after this ptc.l the walker sees the stores before it. */
	mov r25=PAGE_SHIFT<<2
	;;
	ptc.l r16,r25
	;;
	.endif
	.endm
