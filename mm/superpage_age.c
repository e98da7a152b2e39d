// SPDX-License-Identifier: GPL-2.0
/*
 * Superpages: which of their pages have been accessed.
 *
 * A translation has one accessed bit, however large it is, and the page fault for
 * it sets that of all replicas.  Whoever looks at the age of pages, though, looks at
 * them one by one, and clears what it has seen: reclaim, clear_refs, page_idle and
 * DAMON.  Had each its own page taken out of the superpage, they would leave base
 * pages; had the first one cleared the bit for all, the others would seem idle.
 *
 * So the accessed bit moves.  Whoever clears it for one page clears it for all of
 * the superpage and leaves the "unseen" bit with all others: accessed, and nobody
 * has asked since.  pte_young() is true for either.
 *
 * What is reported for a page is then: it has been accessed, or another page of the
 * superpage that it was in then has, since this page was asked about last.  That is
 * exact for each page, as finely as the translation tells.  A page that is in use is
 * never reported idle.  One that is idle in a superpage that is in use is reported in
 * use: reclaim keeps such superpages as a whole, and takes those that are idle as a
 * whole, which is right for what is mapped as one.
 */

#include <linux/mm.h>
#include <linux/superpage.h>

#include <asm/tlbflush.h>

#include "superpage.h"

/**
 * superpage_clear_young() - ptep_test_and_clear_young() for a replica
 * @vma: the VMA of the superpage
 * @addr: address of the page
 * @ptep: its PTE, a replica; its lock is held, so that nobody else changes replicas
 *
 * The translation has to go when the accessed bit is cleared, here and not by those
 * callers that flush: most do not, and rely on what a TLB has being replaced soon.
 * A superpage may stay there for as long as it is used.  All of it is purged, with
 * the translations of smaller sizes that it was promoted from, which may say that
 * they were accessed, too.  A miss handler that has read a replica before finds it
 * changed when it has inserted it.
 *
 * Once for a superpage that is not used in between, then; the look at each further
 * page of it clears one bit of one PTE.
 *
 * Return: was the page young?
 */
int superpage_clear_young(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep)
{
	unsigned long size = PAGE_SIZE << pte_superpage_order(*ptep);
	unsigned long start = round_down(addr, size);
	bool accessed = pte_accessed(*ptep);

	if (!pte_young(*ptep))
		return 0;
	if (accessed)
		superpage_change_range(vma->vm_mm, start, start + size,
				       pte_val(pte_mkyoung(__pte(0))),
				       pte_val(pte_mkunseen(__pte(0))));
	WRITE_ONCE(*ptep, pte_mkold(*ptep));
	if (accessed)
		flush_tlb_range(vma, start, start + size);
	return 1;
}

int ptep_clear_flush_young(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep)
{
	bool superpage = pte_superpage(*ptep);
	int young = ptep_test_and_clear_young(vma, addr, ptep);

	/* That of a superpage has been purged, or there was none. */
	if (young && !superpage)
		flush_tlb_page(vma, addr);
	return young;
}
