// SPDX-License-Identifier: GPL-2.0
/*
 * Superpages: which of their pages have been accessed.
 *
 * A translation has one accessed bit, whatever its size, and the fault handler sets the
 * bit in all replicas.  But the users of accessed bits (reclaim, clear_refs, page_idle,
 * DAMON) test and clear them page by page.  If each test took its page out of the
 * superpage, only base pages would remain.  If the first test cleared the bit for all
 * pages, the others would look idle.
 *
 * So whoever clears the accessed bit for one page clears it in all replicas of the
 * superpage, and sets the "unseen" bit in all replicas but that one.  The unseen bit says:
 * the page was accessed, and nobody has asked about it since.  pte_young() is true if
 * either bit is set.
 *
 * A page is therefore reported as accessed if any page of the superpage that it was
 * in has been accessed since somebody last asked about this page.  That is as precise
 * as the translation.  A page in use is never reported as idle, but an idle page in a
 * superpage that is in use is reported as accessed.  So reclaim keeps a superpage in
 * use as a whole and takes an idle one as a whole, as is right for memory that is
 * mapped as one.
 */

#include <linux/mm.h>
#include <linux/superpage.h>

#include <asm/tlbflush.h>

#include "superpage.h"

/**
 * superpage_clear_young() - ptep_test_and_clear_young() for a replica
 * @vma: VMA of the superpage
 * @addr: address of the page
 * @ptep: PTE of the page, a replica; the caller holds its lock, so no replica changes
 *
 * If the accessed bit was set, purges the translation and does not leave that to the
 * callers.  Most of them do not purge: they rely on the TLB to replace the
 * translation soon, but that of a superpage can stay for as long as the superpage is
 * used.  The purge covers the whole superpage, because translations from before a
 * promotion, of smaller sizes, may also still say "accessed".  A miss handler that
 * read a replica before it changed reads it again after the insertion and purges what
 * it has inserted.
 *
 * As long as the superpage is not accessed again, one purge is enough: for every
 * further page this function clears only one bit of one PTE.
 *
 * Return: 1 if the page was young, otherwise 0
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

/* Like the generic function, but does not purge the translation of a superpage twice. */
int ptep_clear_flush_young(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep)
{
	bool superpage = pte_superpage(*ptep);
	int young = ptep_test_and_clear_young(vma, addr, ptep);

	/* For a replica, superpage_clear_young() has done all necessary purges. */
	if (young && !superpage)
		flush_tlb_page(vma, addr);
	return young;
}
