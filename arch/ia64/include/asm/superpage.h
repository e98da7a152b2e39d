/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Superpages in the PTEs of ia64.
 *
 * The processor ignores bits 53 to 63 of a PTE (SDM 2:4.1.1.5), so bits 57 to
 * 62 can hold a page size, as its binary logarithm.  It is in three kinds of
 * PTEs:
 *
 *  - In a present PTE it makes this base page a part, a "replica", of a
 *    superpage of that size.  Bit 1 is set, too.  It is reserved, so the VHPT
 *    walker, which knows no size but the region's, does not insert the entry and
 *    raises a TLB miss fault (SDM 2:4.1.5); the miss handlers in ivt.S clear it
 *    and insert the size that the PTE says.
 *  - So is a PTE with _PAGE_PROTNONE.
 *  - In a PTE that has no other bit it is a mark: whoever faults this page in
 *    uses no larger size.  pte_none() is true for it.
 *
 * Bit 53 of a present PTE, "unseen", is about its age: see mm/superpage_age.c.
 *
 * Swap entries leave these bits alone: see __swp_offset().
 */
#ifndef _ASM_IA64_SUPERPAGE_H
#define _ASM_IA64_SUPERPAGE_H

#define _PAGE_SUPERPAGE_BIT	1	/* replica: what the walker trips over */
#define _PAGE_SUPERPAGE		(__IA64_UL(1) << _PAGE_SUPERPAGE_BIT)
#define _PAGE_SUPERPAGE_PS_SHIFT 57	/* log2 of the size */
#define _PAGE_SUPERPAGE_PS	(__IA64_UL(0x3f) << _PAGE_SUPERPAGE_PS_SHIFT)

#define _PAGE_UNSEEN_BIT	53	/* accessed, and nobody has asked since */
#ifdef CONFIG_SUPERPAGE
#define _PAGE_UNSEEN		(__IA64_UL(1) << _PAGE_UNSEEN_BIT)
#else
#define _PAGE_UNSEEN		0
#endif

/*
 * Seen from two bits further down, with bits 55 and 56 zero, the size is as
 * cr.itir wants it: one extr.u does.
 */
#define _PAGE_SUPERPAGE_ITIR_SHIFT (_PAGE_SUPERPAGE_PS_SHIFT - 2)

#ifndef __ASSEMBLY__

#include <linux/compiler.h>
#include <linux/types.h>

struct mm_struct;
struct vm_area_struct;

void superpage_set_access_flags(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep,
				pte_t entry);
int superpage_clear_young(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep);

/* All of this is used by pgtable.h, which has defined what it needs. */

#ifdef CONFIG_SUPERPAGE

/* Size bits of any PTE: 0 unless it is a replica or a mark. */
static inline unsigned int pte_superpage_ps(pte_t pte)
{
	return (pte_val(pte) >> _PAGE_SUPERPAGE_PS_SHIFT) & 0x3f;
}

/**
 * pte_superpage() - is this PTE a replica?
 * @pte: any PTE
 *
 * Return: true if it is present and part of a superpage
 */
static inline bool pte_superpage(pte_t pte)
{
	return pte_superpage_ps(pte) && (pte_val(pte) & (_PAGE_P | _PAGE_PROTNONE));
}

/**
 * pte_superpage_order() - order of a replica or a mark
 * @pte: a PTE with a size
 */
static inline unsigned int pte_superpage_order(pte_t pte)
{
	return pte_superpage_ps(pte) - PAGE_SHIFT;
}

/**
 * pte_superpage_marked() - does a PTE without a page have a mark?
 * @pte: a PTE for which pte_none() is true
 */
static inline bool pte_superpage_marked(pte_t pte)
{
	return pte_val(pte);
}

/**
 * pte_mksuperpage() - make a replica
 * @pte: the present PTE of a base page
 * @order: order of the superpage, above 0
 */
static inline pte_t pte_mksuperpage(pte_t pte, unsigned int order)
{
	return __pte(pte_val(pte) | _PAGE_SUPERPAGE |
		     (unsigned long)(PAGE_SHIFT + order) << _PAGE_SUPERPAGE_PS_SHIFT);
}

/**
 * pte_mkbase() - the PTE that a replica would be without its superpage
 * @pte: a replica
 */
static inline pte_t pte_mkbase(pte_t pte)
{
	return __pte(pte_val(pte) & ~(_PAGE_SUPERPAGE | _PAGE_SUPERPAGE_PS));
}

/**
 * superpage_mark() - make a mark
 * @order: the largest order to use here, 0 for none
 */
static inline pte_t superpage_mark(unsigned int order)
{
	return __pte((unsigned long)(PAGE_SHIFT + order) << _PAGE_SUPERPAGE_PS_SHIFT);
}

/* What makes a PTE a replica, of whatever size. */
#define PTE_SUPERPAGE_BITS	(_PAGE_SUPERPAGE | _PAGE_SUPERPAGE_PS)

/* What pte_mkyoung() sets; pte_young() is true for PTEs with the unseen bit, too. */
static inline bool pte_accessed(pte_t pte)
{
	return pte_val(pte) & _PAGE_A;
}

static inline bool pte_unseen(pte_t pte)
{
	return pte_val(pte) & _PAGE_UNSEEN;
}

static inline pte_t pte_mkunseen(pte_t pte)
{
	return __pte(pte_val(pte) | _PAGE_UNSEEN);
}

/* Of a base page, whose accessed and dirty bits handlers may set at the same time. */
static inline int ptep_clear_unseen(pte_t *ptep)
{
	return pte_unseen(*ptep) && test_and_clear_bit(_PAGE_UNSEEN_BIT, ptep);
}

void superpage_demote_pte(struct mm_struct *mm, unsigned long addr, pte_t *ptep);
bool superpage_wrprotect_pte(struct mm_struct *mm, unsigned long addr, pte_t *ptep);

/**
 * superpage_pte_change() - before a PTE is changed for its base page alone
 * @mm: whose PTE it is
 * @addr: the address that it maps
 * @ptep: the PTE
 *
 * If it is a replica, makes it the PTE of a base page, and the others replicas of
 * the largest superpages that do not have this page.  The PTE's lock is held; it is
 * that of all these replicas (see pte_lockptr()).  Every accessor that changes PTEs
 * begins with this, so that callers cannot forget.
 *
 * No purge is needed here.  A translation of the old size that is still in some
 * TLB says the same as the PTEs do, until one of them is changed further; and
 * then the purge of that page, which the caller does anyhow, removes the whole
 * translation, because ptc.l and ptc.ga remove what they overlap (SDM 3:ptc.g).
 * The purge comes later than the stores here, as ptc.ga has release semantics.
 */
static inline void superpage_pte_change(struct mm_struct *mm, unsigned long addr, pte_t *ptep)
{
	if (unlikely(pte_superpage_ps(*ptep)))
		superpage_demote_pte(mm, addr, ptep);
}

/**
 * superpage_wrprotect() - write-protect a superpage for one of its pages
 * @mm: whose PTE it is
 * @addr: the address that it maps
 * @ptep: the PTE; its lock is held
 *
 * Only fork() asks for this, page by page, and for all pages: so all replicas
 * are protected at the first one and the superpage stays what it is.  Should
 * not all be asked for, those that are not have write faults that find nothing
 * shared.
 *
 * Return: false if @ptep is no replica and nothing was done
 */
static inline bool superpage_wrprotect(struct mm_struct *mm, unsigned long addr, pte_t *ptep)
{
	return unlikely(pte_superpage_ps(*ptep)) && superpage_wrprotect_pte(mm, addr, ptep);
}
#else
#define pte_superpage(pte)			false
#define superpage_pte_change(mm, addr, ptep)	do { } while (0)
#define superpage_wrprotect(mm, addr, ptep)	false
#define ptep_clear_unseen(ptep)			0
#endif /* CONFIG_SUPERPAGE */

#endif /* !__ASSEMBLY__ */
#endif /* _ASM_IA64_SUPERPAGE_H */
