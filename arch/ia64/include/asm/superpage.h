/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Superpages in the PTEs of ia64.  For the terms see mm/superpage.c.
 *
 * The processor ignores bits 53 to 63 of a PTE (SDM 2:4.1.1.5), so bits 57 to 62 can
 * hold log2 of a page size.  Three kinds of PTEs have one:
 *
 *  - A present PTE with a size is a replica: its base page is part of a superpage of
 *    that size.  A replica also has bit 1 set, which is reserved.  The VHPT walker
 *    knows only the page size of the region.  It does not insert an entry with a
 *    reserved bit, but raises a TLB miss fault (SDM 2:4.1.5).  The miss handlers in
 *    ivt.S clear the bit and insert a translation of the size in the PTE.
 *  - A PTE with _PAGE_PROTNONE and a size is a replica, too.
 *  - A PTE with a size and no other bit is a mark, a hint for the page fault that maps
 *    the page: see mm/superpage.c.  pte_none() is true for it.
 *
 * Bit 53 of a present PTE, "unseen", is part of its age: see mm/superpage_age.c.
 *
 * Swap entries do not use these bits: see __swp_offset().
 */
#ifndef _ASM_IA64_SUPERPAGE_H
#define _ASM_IA64_SUPERPAGE_H

#define _PAGE_SUPERPAGE_BIT	1	/* set in replicas; makes the walker fault */
#define _PAGE_SUPERPAGE		(__IA64_UL(1) << _PAGE_SUPERPAGE_BIT)
#define _PAGE_SUPERPAGE_PS_SHIFT 57	/* log2 of the size in bytes */
#define _PAGE_SUPERPAGE_PS	(__IA64_UL(0x3f) << _PAGE_SUPERPAGE_PS_SHIFT)

#define _PAGE_UNSEEN_BIT	53	/* accessed, and nobody has asked since */
#ifdef CONFIG_SUPERPAGE
#define _PAGE_UNSEEN		(__IA64_UL(1) << _PAGE_UNSEEN_BIT)
#else
#define _PAGE_UNSEEN		0
#endif

/*
 * Together with the zero bits 55 and 56 below it, the size has the layout of cr.itir,
 * so the miss handlers extract it with a single extr.u.
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

/* pgtable.h includes this file after it has defined what the following needs. */

#ifdef CONFIG_SUPERPAGE

/* Return log2 of the size in bytes that a replica or a mark has; 0 for any other PTE. */
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
 *
 * Return: the order
 */
static inline unsigned int pte_superpage_order(pte_t pte)
{
	return pte_superpage_ps(pte) - PAGE_SHIFT;
}

/**
 * pte_superpage_marked() - is this PTE a mark?
 * @pte: a PTE for which pte_none() is true
 *
 * Return: true if it is a mark, false if it is empty
 */
static inline bool pte_superpage_marked(pte_t pte)
{
	return pte_val(pte);
}

/**
 * pte_mksuperpage() - make a replica
 * @pte: the present PTE of a base page
 * @order: order of the superpage, above 0
 *
 * Return: the replica
 */
static inline pte_t pte_mksuperpage(pte_t pte, unsigned int order)
{
	return __pte(pte_val(pte) | _PAGE_SUPERPAGE |
		     (unsigned long)(PAGE_SHIFT + order) << _PAGE_SUPERPAGE_PS_SHIFT);
}

/**
 * pte_mkbase() - make a replica into the PTE of a base page
 * @pte: a replica, or the present PTE of a base page, which stays as it is
 *
 * Return: the PTE of the base page
 */
static inline pte_t pte_mkbase(pte_t pte)
{
	return __pte(pte_val(pte) & ~(_PAGE_SUPERPAGE | _PAGE_SUPERPAGE_PS));
}

/**
 * superpage_mark() - make a mark
 * @order: the largest order to use here, 0 for a base page
 *
 * Return: the mark
 */
static inline pte_t superpage_mark(unsigned int order)
{
	return __pte((unsigned long)(PAGE_SHIFT + order) << _PAGE_SUPERPAGE_PS_SHIFT);
}

/* The bits that make a PTE a replica, whatever the size. */
#define PTE_SUPERPAGE_BITS	(_PAGE_SUPERPAGE | _PAGE_SUPERPAGE_PS)

/* The bit that pte_mkyoung() sets.  pte_young() is also true for the unseen bit. */
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

/*
 * Clear the unseen bit in the PTE of a base page, and return whether it was set.  Atomic,
 * because the Access-bit and Dirty-bit handlers change such a PTE without its lock.
 */
static inline int ptep_clear_unseen(pte_t *ptep)
{
	return pte_unseen(*ptep) && test_and_clear_bit(_PAGE_UNSEEN_BIT, ptep);
}

void superpage_demote_pte(struct mm_struct *mm, unsigned long addr, pte_t *ptep);
bool superpage_wrprotect_pte(struct mm_struct *mm, unsigned long addr, pte_t *ptep);

/**
 * superpage_pte_change() - take a page out of its superpage before its PTE changes
 * @mm: mm that the PTE belongs to
 * @addr: address that the PTE maps
 * @ptep: the PTE; the caller holds its lock, which covers all replicas (see
 *	pte_lockptr())
 *
 * If @ptep is a replica, makes it the PTE of a base page, and the other replicas
 * those of the largest superpages that do not contain this page.  set_pte_at() and
 * ptep_get_and_clear() begin with this, so that their callers cannot forget.  The
 * accessors for accessed and dirty bits and for write protection handle replicas in their
 * own ways.  set_pte() and pte_clear() do not look: they are for PTEs that are known not
 * to be replicas.
 *
 * This needs no purge.  A translation of the old size that remains in a TLB says the
 * same as the PTEs do, until one of them is changed further.  The caller purges the
 * page that it changes; ptc.l and ptc.ga remove every translation that overlaps the
 * page, hence the whole old translation (SDM 3:ptc.g).  The purge follows the stores
 * here in memory order, because ptc.ga has release semantics.
 */
static inline void superpage_pte_change(struct mm_struct *mm, unsigned long addr, pte_t *ptep)
{
	if (unlikely(pte_superpage_ps(*ptep)))
		superpage_demote_pte(mm, addr, ptep);
}

/**
 * superpage_wrprotect() - write-protect a superpage for one of its pages
 * @mm: mm that the PTE belongs to
 * @addr: address that the PTE maps
 * @ptep: the PTE; the caller holds its lock
 *
 * Only fork() write-protects PTEs this way, page by page and for all pages of a VMA.
 * So this function protects all replicas at the first page, and the superpage stays
 * whole.  If fork() fails before it reaches the other pages, their write faults find
 * that they are not shared.
 *
 * Return: false if @ptep is not a replica and nothing was done
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
