// SPDX-License-Identifier: GPL-2.0
/* Superpages: MADV_FREE of whole superpages. */

#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/superpage.h>

#include <asm/tlb.h>

#include "superpage.h"

/*
 * Is no page of this superpage in the swap cache, or marked dirty itself?  Then madvise_free()
 * need not lock any of them.
 */
static bool superpage_unbacked(pte_t pte)
{
	unsigned int order = pte_superpage_order(pte);
	struct page *page = pfn_to_page(round_down(pte_pfn(pte), 1UL << order));
	int i;

	for (i = 0; i < 1 << order; i++)
		if (PageSwapCache(page + i) || PageDirty(page + i))
			return false;
	return true;
}

/**
 * superpage_free_lazily() - make whole superpages clean and old for madvise_free()
 * @tlb: collects the ranges that are to be purged
 * @vma: the VMA, of anonymous memory; the caller holds mmap_lock for reading
 * @start: first address of the range
 * @end: address after the range
 *
 * madvise_free() makes one PTE after the other old and clean, which would demote the
 * superpages.  For superpages that lie completely in the range, this function changes all
 * replicas at once, so madvise_free() only has to deal with their pages.  It leaves a
 * superpage with a page that is dirty or in the swap cache to madvise_free(), which may
 * skip such a page.
 *
 * Races with other threads:
 *
 *  - A thread writes between this and madvise_free().  The write makes one unit dirty
 *    again and madvise_free() handles its PTEs.  The write and madvise() are
 *    concurrent, so the program must accept either order.
 *  - Reclaim adds a page to the swap cache after its PTE was made clean here, and
 *    madvise_free() skips the page.  The contents are not lost, because add_to_swap()
 *    marks the page itself dirty.
 *  - A page fault promotes across the ends of the range, since mmap_lock is held for
 *    reading only.  This function ignores a superpage that is only partly in the range.
 */
void superpage_free_lazily(struct mmu_gather *tlb, struct vm_area_struct *vma,
			   unsigned long start, unsigned long end)
{
	unsigned long clear = pte_val(pte_mkunseen(pte_mkyoung(pte_mkdirty(__pte(0)))));
	struct mm_struct *mm = vma->vm_mm;
	unsigned long addr, next, size;
	spinlock_t *ptl;
	pte_t *pte;
	pmd_t *pmd;

	if (!superpage_mapped(mm))
		return;
	__superpage_split(vma, start, end);
	for (addr = start; addr < end; addr = next) {
		pte = superpage_leaf(mm, addr, end, &next, &pmd);
		if (!pte)
			continue;
		ptl = pte_lockptr(mm, pmd);
		spin_lock(ptl);
		for (; addr < next; addr += size, pte += size >> PAGE_SHIFT) {
			size = PAGE_SIZE;
			if (!pte_superpage(*pte))
				continue;
			size <<= pte_superpage_order(*pte);
			/*
			 * The superpage was handled in the previous leaf table, or
			 * begins before the range.
			 */
			if (addr & (size - 1)) {
				size = min(round_down(addr, size) + size, next) - addr;
				continue;
			}
			if (addr + size <= end && superpage_unbacked(*pte)) {
				superpage_change_range(mm, addr, addr + size, clear, 0);
				tlb_flush_pte_range(tlb, addr, size);
			}
			size = min(size, next - addr);
		}
		spin_unlock(ptl);
		cond_resched();
	}
}
