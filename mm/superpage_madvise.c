// SPDX-License-Identifier: GPL-2.0
/*
 * What programs ask for: MADV_HUGEPAGE and MADV_NOHUGEPAGE.
 */

#include <linux/mm.h>
#include <linux/superpage.h>

#include "superpage.h"

/**
 * superpage_madvise() - MADV_HUGEPAGE and MADV_NOHUGEPAGE
 * @vma: the VMA
 * @vm_flags: its flags, which change
 * @advice: which of them
 *
 * Takes any VMA, and does so when superpages are switched off, too: programs do not
 * expect it to fail.  It says what page faults do from now on.  What is mapped stays as
 * it is, and is not made larger after MADV_NOHUGEPAGE.  mmap_lock is held for writing.
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
 * superpage_vma_eligible() - THPeligible of /proc/PID/smaps
 * @vma: the VMA; mmap_lock is held
 *
 * Return: whether it may have a size of which an aligned block fits into it
 */
bool superpage_vma_eligible(struct vm_area_struct *vma)
{
	unsigned long orders = superpage_vma_allowed(vma);

	return orders && ALIGN(vma->vm_start, PAGE_SIZE << __ffs(orders)) +
			 (PAGE_SIZE << __ffs(orders)) <= vma->vm_end;
}
