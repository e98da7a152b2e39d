// SPDX-License-Identifier: GPL-2.0
/* Superpages: MADV_HUGEPAGE and MADV_NOHUGEPAGE. */

#include <linux/mm.h>
#include <linux/superpage.h>

#include "superpage.h"

/**
 * superpage_madvise() - MADV_HUGEPAGE and MADV_NOHUGEPAGE
 * @vma: the VMA; the caller holds mmap_lock for writing
 * @vm_flags: its new flags
 * @advice: which of the two
 *
 * Accepts every VMA, even while superpages are disabled, because programs do not
 * expect failure.  The advice concerns later page faults and promotions; pages that are
 * mapped stay as they are.
 *
 * Return: 0
 */
int superpage_madvise(struct vm_area_struct *vma, unsigned long *vm_flags, int advice)
{
	*vm_flags &= ~(VM_HUGEPAGE | VM_NOHUGEPAGE);
	*vm_flags |= advice == MADV_HUGEPAGE ? VM_HUGEPAGE : VM_NOHUGEPAGE;
	superpage_note_change(vma->vm_mm);
	return 0;
}

/**
 * superpage_vma_eligible() - THPeligible in /proc/PID/smaps
 * @vma: the VMA; the caller holds mmap_lock
 *
 * Return: true if an aligned block of some order that the VMA may have fits into it
 */
bool superpage_vma_eligible(struct vm_area_struct *vma)
{
	unsigned long orders = superpage_vma_allowed(vma);

	return orders && ALIGN(vma->vm_start, PAGE_SIZE << __ffs(orders)) +
			 (PAGE_SIZE << __ffs(orders)) <= vma->vm_end;
}
