// SPDX-License-Identifier: GPL-2.0
/*
 * Superpages: what compaction leaves where it is.
 *
 * Compaction moves pages one by one, so it would take superpages apart to make blocks
 * that are no larger, and khugepaged would have to make it whole again.  struct page does
 * not say which pages are parts of superpages; the page tables do.
 */

#include <linux/mm.h>
#include <linux/rmap.h>
#include <linux/superpage.h>

#include "superpage.h"

static bool superpage_mapped_one(struct folio *folio, struct vm_area_struct *vma,
				 unsigned long addr, void *arg)
{
	unsigned int *order = arg;
	unsigned long next;
	pte_t *ptep, pte;

	/* Its leaf table stays as long as the VMA is in the anon_vma, which is locked. */
	ptep = superpage_leaf(vma->vm_mm, addr, addr + PAGE_SIZE, &next, NULL);
	if (!ptep)
		return true;
	pte = READ_ONCE(*ptep);
	if (pte_superpage(pte) && pte_pfn(pte) == folio_pfn(folio))
		*order = max_t(unsigned int, *order, pte_superpage_order(pte));
	return true;
}

/**
 * superpage_mapped_order() - of how large a superpage is a page a part?
 * @page: the page, to which the caller has a reference; any kind of page
 *
 * Does not wait for locks, and holds none of PTEs: the answer is a hint.  May be called
 * where sleeping is possible only.
 *
 * Return: the order of the largest that a process has mapped it by; 0 for a base page, or
 * if somebody holds the lock
 */
unsigned int superpage_mapped_order(struct page *page)
{
	unsigned int order = 0;
	struct rmap_walk_control rwc = {
		.rmap_one = superpage_mapped_one,
		.arg = &order,
		.anon_lock = folio_lock_anon_vma_read,
		.try_lock = true,
	};

	if (PageAnon(page) && !PageKsm(page) && page_mapped(page))
		rmap_walk(page_folio(page), &rwc);
	return order;
}
