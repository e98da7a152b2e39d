// SPDX-License-Identifier: GPL-2.0
/*
 * Superpages: the first write after fork(), when nobody else has the pages any more.
 */

#include <linux/ksm.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/rmap.h>
#include <linux/superpage.h>
#include <linux/swap.h>
#include <linux/vmstat.h>

#include <asm/tlbflush.h>

#include "superpage.h"

/* Has nobody else any of the pages?  Then they are @vma's alone from now on. */
bool superpage_take_over(struct vm_area_struct *vma, struct page *page, unsigned int order)
{
	bool drained = false;
	int i;

	for (i = 0; i < 1 << order; i++, page++) {
		struct folio *folio = page_folio(page);

		if (!folio_test_anon(folio))
			return false;
		if (PageAnonExclusive(page))
			continue;
		if (folio_test_ksm(folio))
			return false;
		/* Pages on their way to or between LRU lists have a reference. */
		if (folio_ref_count(folio) > 1 + folio_test_swapcache(folio) && !drained) {
			lru_add_drain();
			drained = true;
		}
		if (folio_ref_count(folio) > 1 + folio_test_swapcache(folio) ||
		    !folio_trylock(folio))
			return false;
		if (folio_test_swapcache(folio))
			folio_free_swap(folio);
		if (folio_test_ksm(folio) || folio_ref_count(folio) != 1) {
			folio_unlock(folio);
			return false;
		}
		page_move_anon_rmap(page, vma);
		folio_unlock(folio);
	}
	return true;
}

/**
 * __superpage_reuse() - a write to a superpage that is shared no longer
 * @vmf: a write fault on a write-protected anonymous page, a part of a superpage, PTE
 *	locked
 *
 * fork() write-protects all of a superpage.  When the other process is gone, a
 * write makes all of it writable again, if nobody has any page of it; or at least
 * the smallest superpage around what is written, of which the other process may
 * have made a copy.  What do_wp_page() asks of one page is asked of all.
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
