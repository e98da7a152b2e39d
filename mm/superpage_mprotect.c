// SPDX-License-Identifier: GPL-2.0
/* Superpages: mprotect() of whole superpages. */

#include <linux/mm.h>
#include <linux/superpage.h>

#include "superpage.h"

/*
 * May every page of the superpage of @pte be made writable without a fault?  See
 * can_change_pte_writable().
 */
static bool superpage_exclusive(pte_t pte)
{
	unsigned int order = pte_superpage_order(pte);
	struct page *page = pfn_to_page(round_down(pte_pfn(pte), 1UL << order));
	int i;

	for (i = 0; i < 1 << order; i++)
		if (!PageAnon(page + i) || !PageAnonExclusive(page + i))
			return false;
	return true;
}

/**
 * superpage_change_prot() - change the protection of a whole superpage
 * @vma: VMA of the superpage; the caller holds mmap_lock for writing
 * @addr: address that the page table walk has reached
 * @end: end of the walk in this leaf table
 * @pte: PTE of the page at @addr, a replica; the caller holds its lock
 * @newprot: the new protection
 * @cp_flags: MM_CP_* flags
 *
 * mprotect() has split the VMA at the ends of its range, which demoted the superpages
 * there.  So the superpage lies completely in the range.  Changes all of it when the walk
 * comes to its first page; in further leaf tables the walk skips it.  Demotes superpages
 * that become executable to 1 MiB first.
 *
 * Return: the number of pages that the walk is to skip; 0 if it is to change this one
 * as a base page
 */
unsigned long superpage_change_prot(struct vm_area_struct *vma, unsigned long addr,
				    unsigned long end, pte_t *pte, pgprot_t newprot,
				    unsigned long cp_flags)
{
	unsigned long size, start, clear, set;
	pte_t old = *pte, new;

	/* Callers other than mprotect() may change only a part of a superpage. */
	if (cp_flags & ~(unsigned long)MM_CP_TRY_CHANGE_WRITABLE)
		return 0;

	/*
	 * arch_superpage_exec() flushes the caches with the lock held, which takes much
	 * too long for a gigabyte.  khugepaged may promote the parts again.
	 */
	if ((vma->vm_flags & VM_EXEC) && !pte_exec(old) &&
	    pte_superpage_order(old) > SUPERPAGE_HUGE_ORDER) {
		superpage_demote_to(vma->vm_mm, addr, pte, superpage_mm_orders(vma->vm_mm) &
				    GENMASK(SUPERPAGE_HUGE_ORDER, 0));
		old = *pte;
		if (!pte_superpage(old))
			return 0;
	}

	size = PAGE_SIZE << pte_superpage_order(old);
	start = round_down(addr, size);
	if (addr == start) {
		new = pte_modify(old, newprot);
		if ((cp_flags & MM_CP_TRY_CHANGE_WRITABLE) && !pte_write(new) &&
		    pte_dirty(new) && superpage_exclusive(old))
			new = pte_mkwrite(new);
		clear = pte_val(old) & ~pte_val(new);
		set = pte_val(new) & ~pte_val(old);
		arch_superpage_exec(new, size >> PAGE_SHIFT);
		superpage_change_all(vma->vm_mm, addr, pte, clear, set);
	}
	return (min(end, start + size) - addr) >> PAGE_SHIFT;
}
