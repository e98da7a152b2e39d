// SPDX-License-Identifier: GPL-2.0
/*
 * Superpages: what compaction leaves where it is.
 *
 * Compaction moves pages one by one.  It would demote superpages to make free blocks
 * that are no larger, and khugepaged would have to collapse them again.  struct page
 * does not say which pages are parts of superpages; only the page tables do.
 */

#include <linux/mm.h>
#include <linux/rmap.h>
#include <linux/superpage.h>

#include "superpage.h"

static bool superpage_mapped_one(struct folio *folio, struct vm_area_struct *vma,
				 unsigned long addr, void *arg)
{
	int *order = arg;
	pte_t pte;

	if (superpage_maps(vma, addr, folio_pfn(folio), &pte) && pte_superpage(pte))
		*order = max_t(int, *order, pte_superpage_order(pte));
	return true;
}

/**
 * superpage_mapped_order() - how large is the superpage that a page is part of?
 * @page: a page of any kind; the caller holds a reference to it
 *
 * May sleep.  Only tries the lock of the anon_vma, and reads the PTEs without theirs,
 * so the answer is a hint.
 *
 * Return: the order of the largest superpage by which any process maps the page; 0 if
 * all map it as a base page; -EBUSY if the lock of the anon_vma was in use, because a process
 * that maps the page forks or changes its mappings
 */
int superpage_mapped_order(struct page *page)
{
	int order = 0;
	struct rmap_walk_control rwc = {
		.rmap_one = superpage_mapped_one,
		.arg = &order,
		.anon_lock = folio_lock_anon_vma_read,
		.try_lock = true,
	};

	if (PageAnon(page) && !PageKsm(page) && page_mapped(page))
		rmap_walk(page_folio(page), &rwc);
	return rwc.contended ? -EBUSY : order;
}
