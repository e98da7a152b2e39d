// SPDX-License-Identifier: GPL-2.0
/* Superpages: the first write after fork() when no other process has the pages any more. */

#include <linux/ksm.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/rmap.h>
#include <linux/superpage.h>
#include <linux/swap.h>
#include <linux/vmstat.h>

#include <asm/tlbflush.h>

#include "superpage.h"

/*
 * Does anybody else have one of the 2^@order pages from @page on, or a reference to it?  An
 * anonymous page that is no KSM page has just this bit of the flags in ->mapping.
 */
static bool superpage_shared(struct page *page, unsigned int order)
{
	struct page *end = page + (1 << order);
	bool drained = false;

	for (; page < end; page++) {
		struct folio *folio = page_folio(page);
		unsigned long mapping = (unsigned long)READ_ONCE(folio->mapping);

		if ((mapping & PAGE_MAPPING_FLAGS) != PAGE_MAPPING_ANON)
			return true;
		if (folio_ref_count(folio) == 1 || PageAnonExclusive(page) ||
		    folio_ref_count(folio) <= 1 + folio_test_swapcache(folio))
			continue;
		/* The per-CPU batches of the LRU lists hold references. */
		if (!drained)
			lru_add_drain();
		drained = true;
		if (folio_ref_count(folio) > 1 + folio_test_swapcache(folio))
			return true;
	}
	return false;
}

/* For a page of which superpage_shared() has said that nobody else has it. */
static bool superpage_make_exclusive(struct vm_area_struct *vma, struct page *page)
{
	struct folio *folio = page_folio(page);
	bool alone;

	if (PageAnonExclusive(page))
		return true;
	if (!folio_trylock(folio))
		return false;
	if (folio_test_swapcache(folio))
		folio_free_swap(folio);
	alone = !folio_test_ksm(folio) && folio_ref_count(folio) == 1;
	if (alone)
		page_move_anon_rmap(page, vma);
	folio_unlock(folio);
	return alone;
}

/*
 * Make the 2^@order pages from @page on exclusive to @vma.  Returns false if another process
 * has one of them, or if one is in use.
 *
 * __superpage_copy() does not copy a unit with an exclusive page.  So no page of a unit
 * becomes exclusive if another process has mapped one.  If another process has one as a swap
 * entry only, or has locked it, those before that one may.
 */
bool superpage_take_over(struct vm_area_struct *vma, struct page *page, unsigned int order)
{
	unsigned int unit = min(order, superpage_unit(vma->vm_mm));
	int i;

	for (i = 0; i < 1 << order; i++) {
		if (IS_ALIGNED(i, 1 << unit) && superpage_shared(page + i, unit))
			return false;
		if (!superpage_make_exclusive(vma, page + i))
			return false;
	}
	return true;
}

/**
 * __superpage_reuse() - make a superpage that is no longer shared writable
 * @vmf: a write fault on a write-protected anonymous page that is part of a
 *	superpage; the caller holds the lock of the PTE
 *
 * fork() write-protects whole superpages.  If no other process has any page of the
 * superpage now, makes all of it writable again.  If only a part is shared, makes at least
 * the unit around the address writable, if that is not shared: the other process may have
 * copied it.  Checks for every page what do_wp_page() checks for one.
 *
 * MADV_FREE leaves a superpage clean.  If fork() or mprotect() has write-protected it
 * since, makes no more than the unit dirty, so that reclaim can still free the rest.
 *
 * Return: false if nothing was done and do_wp_page() is to go on
 */
bool __superpage_reuse(struct vm_fault *vmf)
{
	struct vm_area_struct *vma = vmf->vma;
	unsigned int orders[2], i;
	unsigned long offset;

	if (!(vmf->flags & FAULT_FLAG_WRITE) || !(vma->vm_flags & VM_WRITE))
		return false;

	orders[0] = pte_superpage_order(vmf->orig_pte);
	orders[1] = superpage_unit(vma->vm_mm);
	if (!pte_dirty(vmf->orig_pte))
		orders[0] = min(orders[0], orders[1]);
	/* If a large superpage is shared, the unit mostly is, too: look there first. */
	offset = vmf->address & ((PAGE_SIZE << orders[1]) - 1);
	if (orders[1] < orders[0] &&
	    superpage_shared(vmf->page - (offset >> PAGE_SHIFT), orders[1]))
		return false;
	for (i = 0; i < 2; i++) {
		if (i && (!orders[1] || orders[1] >= orders[0]))
			return false;
		offset = vmf->address & ((PAGE_SIZE << orders[i]) - 1);
		if (superpage_take_over(vma, vmf->page - (offset >> PAGE_SHIFT), orders[i]))
			break;
	}
	if (i == 2)
		return false;
	superpage_set_bits(vma->vm_mm, vmf->address, vmf->pte, orders[i],
			   pte_val(pte_mkyoung(pte_mkdirty(pte_mkwrite(__pte(0))))));
	flush_tlb_page(vma, vmf->address);
	count_vm_event(PGREUSE);
	return true;
}
