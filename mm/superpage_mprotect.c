// SPDX-License-Identifier: GPL-2.0
/*
 * Superpages: mprotect() of a whole one.
 */

#include <linux/mm.h>
#include <linux/superpage.h>

#include "superpage.h"

/* May all pages of the superpage of @pte be written to?  See can_change_pte_writable(). */
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
 * superpage_change_prot() - mprotect() of a whole superpage
 * @vma: VMA that has it
 * @addr: address of the page at which the walk is
 * @end: where the walk of this leaf table ends
 * @pte: the page's PTE, a replica; its lock is held
 * @newprot: what it is to get
 * @cp_flags: MM_CP_ flags
 *
 * The VMA has been split where the range begins and ends, and that has demoted
 * the superpages there, so the superpage is in the range as a whole: when the
 * walk comes to its first page all of it is changed, and later leaf tables are
 * passed over.
 *
 * Return: by how many pages the walk can go on, 0 to do this one as a base page
 */
unsigned long superpage_change_prot(struct vm_area_struct *vma, unsigned long addr,
				    unsigned long end, pte_t *pte, pgprot_t newprot,
				    unsigned long cp_flags)
{
	unsigned long size, start, clear, set;
	pte_t old = *pte, new;

	/* Others than mprotect() change parts of a VMA. */
	if (cp_flags & ~(unsigned long)MM_CP_TRY_CHANGE_WRITABLE)
		return 0;

	size = PAGE_SIZE << pte_superpage_order(old);
	start = round_down(addr, size);
	if (addr == start) {
		new = pte_modify(old, newprot);
		if ((cp_flags & MM_CP_TRY_CHANGE_WRITABLE) && !pte_write(new) &&
		    pte_dirty(new) && superpage_exclusive(old))
			new = pte_mkwrite(new);
		clear = pte_val(old) & ~pte_val(new);
		set = pte_val(new) & ~pte_val(old);
		arch_superpage_exec(new);
		superpage_change_all(vma->vm_mm, addr, pte, clear, set);
	}
	return (min(end, start + size) - addr) >> PAGE_SHIFT;
}
