// SPDX-License-Identifier: GPL-2.0
/*
 * Superpages: MADV_FREE of whole ones.
 */

#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/superpage.h>

#include <asm/tlb.h>

#include "superpage.h"

/* Is what these pages contain nowhere but here, so that madvise_free() locks none? */
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
 * superpage_free_lazily() - the PTEs of superpages, before madvise_free() comes
 * @tlb: what is to be purged
 * @vma: the VMA, of anonymous memory
 * @start: first address of the range
 * @end: address behind the last
 *
 * madvise_free() makes one PTE after the other old and clean.  For superpages that
 * the range has as a whole this does all of them at once, so that they stay, and
 * madvise_free() finds nothing left to do but with their pages.  One whose pages it
 * may have reason to pass over, for they are dirty themselves or in the swap cache,
 * is left to it.
 *
 * A write between that and this makes a part dirty again, and madvise_free() deals
 * with it: they are at the same time, so either order is right.  A page that is made
 * clean here and passed over there, since it has come into the swap cache meanwhile,
 * is dirty itself then (see add_to_swap()) and is not lost.
 *
 * mmap_lock is held for reading, so that a page fault may have promoted across the
 * bounds: what is not wholly in the range is none of our business.
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
			/* Seen in the leaf table before, or begins before the range. */
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
