/* SPDX-License-Identifier: GPL-2.0 */
/*
 * TLB miss handlers for the long-format VHPT (see Documentation/ia64/vhpt.rst).
 *
 * The VHPT is a hash table that caches PTEs, one table for each processor.
 * IA64_KR(VHPT) is what turns an address of the table, as thash gives it, into a
 * physical one: the handlers use physical addresses for data.
 *
 * Registers: r16 the address, r31 the predicates, from the beginning; r18 the
 * PTE and r21 its address, r20 and r17 the same of the pmd, r29 and r28 of the
 * pud, from long_walk on.
 */

#define VHPT_TAG	16		/* offset of the tag in an entry */

/*
 * Look the PTE up: p6 if there is none or it is not present.  r25 is cr.itir,
 * whose size is not that of a base page in the region of hugetlbfs.
 *
 * Clobbers r19, r22, r26.
 */
	.macro long_walk
	;;
	mov r25=cr.itir
	mov r19=IA64_KR(PT_BASE)
	shl r21=r16,3				// drop the region
	;;
	RSM_PSR_DT
	shr.u r17=r16,61
	extr.u r26=r25,2,6
	;;
	shr.u r22=r21,3
	add r26=-PAGE_SHIFT,r26
	cmp.eq p6,p7=5,r17
	;;
	shr.u r22=r22,r26			// as if of base pages
(p7)	dep r17=r17,r19,(PAGE_SHIFT-3),3	// put region number bits in place
	srlz.d
	LOAD_PHYSICAL(p6, r19, swapper_pg_dir)	// region 5 is rooted at swapper_pg_dir
	.pred.rel "mutex", p6, p7
(p6)	shr.u r21=r21,PGDIR_SHIFT+PAGE_SHIFT
(p7)	shr.u r21=r21,PGDIR_SHIFT+PAGE_SHIFT-3
	;;
	shr.u r18=r22,PGDIR_SHIFT
	;;
(p6)	dep r17=r18,r19,3,(PAGE_SHIFT-3)
(p7)	dep r17=r18,r17,3,(PAGE_SHIFT-6)
	cmp.eq p7,p6=0,r21			// unused address bits all zeroes?
	;;
	ld8 r19=[r17]				// *pgd
#if CONFIG_PGTABLE_LEVELS == 4
	shr.u r28=r22,PUD_SHIFT
	;;
(p7)	cmp.eq p6,p7=r19,r0
	dep r28=r28,r19,3,(PAGE_SHIFT-3)
	;;
(p7)	ld8 r29=[r28]				// *pud
	;;
(p7)	cmp.eq.or.andcm p6,p7=r29,r0
	mov r19=r29
#else
	;;
(p7)	cmp.eq p6,p7=r19,r0
#endif
	shr.u r18=r22,PMD_SHIFT
	;;
	dep r17=r18,r19,3,(PAGE_SHIFT-3)
	;;
(p7)	ld8 r20=[r17]				// *pmd
	shr.u r19=r22,PAGE_SHIFT
	;;
(p7)	cmp.eq.or.andcm p6,p7=r20,r0
	dep r21=r19,r20,3,(PAGE_SHIFT-3)
	;;
(p7)	ld8 r18=[r21]				// *pte
	;;
(p7)	tbit.z p6,p7=r18,_PAGE_P_BIT
	;;
	.endm

/*
 * Enter the PTE in r18 into the TLB and into the hash table.  \kind is i or d;
 * with \replicas it may be one of a superpage.
 * The entry is invalid while it is written, since the walker may look at it.
 * Its last word counts what has been entered, and, in its upper half, what
 * something else had to make room for.
 *
 * Clobbers r19, r22 - r27, r30, p6 - p9, p12, p13.
 */
	.macro long_fill kind, replicas=0
	thash r22=r16
	mov r30=IA64_KR(VHPT)
	ttag r26=r16
	.if \replicas
	tbit.nz p12,p13=r18,_PAGE_SUPERPAGE_BIT
	dep r24=0,r18,_PAGE_SUPERPAGE_BIT,1
	extr.u r27=r18,_PAGE_SUPERPAGE_ITIR_SHIFT,8
	;;
(p12)	mov cr.itir=r27
(p13)	mov r27=r25
	.else
	mov r24=r18
	mov r27=r25
	.endif
	;;
	add r22=r22,r30
	itc.\kind r24
	;;
	dv_serialize_data			// what follows is physical
	adds r23=VHPT_TAG,r22
	adds r25=VHPT_TAG+8,r22
	;;
	ld8 r30=[r23]				// whose entry is it now?
	ld8 r19=[r25]
	;;
	tbit.z p8,p0=r30,63			// valid?
	adds r19=1,r19
	;;
(p8)	cmp.ne.unc p8,p0=r30,r26
	dep.z r30=1,32,1
	;;
(p8)	add r19=r19,r30
	mov r30=-1				// ti is set: matches nothing
	;;
	st8 [r23]=r30
	st8 [r25]=r19
	;;
	st8.rel [r22]=r24,8
	;;
	st8.rel [r22]=r27
	;;
	st8.rel [r23]=r26
	.if \replicas
(p12)	br.cond.dpnt long_fill_all_\kind
	;;
long_filled_\kind:
	.endif
	/*
	 * Who changes the PTE invalidates its entries in the hash tables after
	 * that, and then purges the TLBs: either it sees our entry, or we see
	 * its change.  That of the table's own entry, too, lest what has been read
	 * is no PTE any more: no table is freed before its entry is cleared.
	 */
	mf
	;;
	ld8 r19=[r21]
	ld8 r25=[r17]
#if CONFIG_PGTABLE_LEVELS == 4
	ld8 r30=[r28]
#endif
	;;
	cmp.ne.or p6,p0=r19,r18			// p6 is 0 here
	cmp.ne.or p6,p0=r25,r20
#if CONFIG_PGTABLE_LEVELS == 4
	cmp.ne.or p6,p0=r30,r29
#endif
	mov r19=-1
	mov r25=PAGE_SHIFT<<2
	;;
(p6)	st8 [r23]=r19
(p6)	ptc.l r16,r25
	;;
	.if \replicas
(p6)	tbit.nz.unc p9,p0=r18,_PAGE_SUPERPAGE_BIT
	;;
(p9)	br.cond.spnt long_purge_all
	.endif
	.endm

/* The handlers of the Dirty and Access bits: set \bits of the PTE. */
	.macro long_set_bits kind, bits
	MOV_FROM_IFA(r16)
	mov r31=pr
	long_walk
#ifdef CONFIG_SUPERPAGE
(p7)	tbit.nz p6,p7=r18,_PAGE_SUPERPAGE_BIT	// changed under their lock only
	;;
#endif
(p6)	br.cond.spnt page_fault
	mov r30=ar.ccv
	mov r23=\bits
	;;
	mov ar.ccv=r18
	or r23=r23,r18
	;;
	cmpxchg8.acq r19=[r21],r23,ar.ccv
	;;
	cmp.ne p6,p0=r19,r18			// changed meanwhile: try again
	mov ar.ccv=r30
	mov r18=r23
(p6)	br.cond.spnt long_rfi
	;;
	long_fill \kind
	mov pr=r31,-1
	RFI
	.endm

/*
 * The entries of as much of a superpage around the address as vhpt_fill= says:
 * with \valid, write them as those of the page that is mapped, else invalidate
 * them; they may be others' by now, who will miss them.  r27 is its cr.itir.
 * Branches to \none when one entry is all.
 *
 * Leaves r19, r22, r23, r25, r26, r30, p8 and p9 clobbered.
 */
	.macro long_all valid, none
	LOAD_PHYSICAL(p0, r19, ia64_vhpt_fill)
	;;
	ld8 r19=[r19]				// log2 of how much
	shr.u r30=r27,2				// log2 of the superpage
	;;
	cmp.eq p8,p0=PAGE_SHIFT,r19
	cmp.ltu p9,p0=r19,r30
(p8)	br.cond.dptk \none
	;;
(p9)	mov r30=r19
	mov r25=1
	;;
	shr.u r19=r16,r30
	adds r26=-PAGE_SHIFT,r30
	;;
	shl r19=r19,r30				// its first page
	shl r30=r25,r26				// how many
	mov r25=IA64_KR(VHPT)
	;;
1:	thash r22=r19
	.if \valid
	ttag r26=r19
	.endif
	;;
	add r22=r22,r25
	dep r26=-1,r26,63,1			// invalid
	;;
	adds r23=VHPT_TAG,r22
	adds r30=-1,r30
	;;
	st8 [r23]=r26
	cmp.ne p8,p0=r30,r0
	movl r23=PAGE_SIZE
	;;
	.if \valid
	st8.rel [r22]=r24,8
	dep r26=0,r26,63,1
	;;
	st8.rel [r22]=r27,8
	;;
	st8.rel [r22]=r26
	.endif
	add r19=r19,r23
(p8)	br.cond.dptk 1b
	;;
	.if !\valid
	/* ptc.l again: what is stored before it, this processor's walker sees. */
	mov r25=PAGE_SHIFT<<2
	;;
	ptc.l r16,r25
	;;
	.endif
	.endm
