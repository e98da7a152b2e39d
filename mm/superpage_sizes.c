// SPDX-License-Identifier: GPL-2.0
/*
 * Superpages: which sizes they may have: in a VMA, by policy and advice; at an
 * address, by alignment; and where there is no page yet, by the marks in the PTEs.
 */

#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/superpage.h>
#include <linux/userfaultfd_k.h>

#include "superpage.h"

/* May @vma have superpages of any order? */
bool superpage_vma_may(struct vm_area_struct *vma)
{
	/* mmap() turns MAP_STACK into VM_NOHUGEPAGE: programs use little of a stack. */
	return vma_is_anonymous(vma) &&
	       !(vma->vm_flags & (VM_SHARED | VM_NOHUGEPAGE | VM_GROWSDOWN | VM_GROWSUP |
				  VM_SPECIAL)) &&
	       !userfaultfd_armed(vma) && superpage_mode(vma->vm_mm) != SUPERPAGE_MODE_NEVER;
}

/* Bitmap of the orders that @vma may have; 0 for most kinds of VMAs. */
unsigned long superpage_vma_allowed(struct vm_area_struct *vma)
{
	struct mm_struct *mm = vma->vm_mm;

	if (!superpage_vma_may(vma))
		return 0;
	if (superpage_advised(vma))
		return superpage_mm_orders(mm);
	if (superpage_mode(mm) == SUPERPAGE_MODE_MADVISE)
		return 0;
	return READ_ONCE(superpage_order_always) & superpage_policy_limit(mm);
}

/*
 * Bitmap of the orders that @vma gets without asking for them.  Orders that are
 * permitted but do not pay are not among them; such superpages come from advice, or
 * remain when a larger superpage is demoted.
 */
unsigned long superpage_vma_orders(struct vm_area_struct *vma)
{
	unsigned long orders = superpage_vma_allowed(vma), pays;

	if (!orders || superpage_advised(vma))
		return orders;
	if (READ_ONCE(superpage_eager)) {
		/* MAP_NORESERVE says that most of it will not be touched. */
		return vma->vm_flags & VM_NORESERVE ? 0 : orders;
	}
	/* If no order that pays is permitted, use those that the administrator chose. */
	pays = orders & ~(BIT(ilog2(READ_ONCE(superpage_auto_min)) - PAGE_SHIFT) - 1);
	return pays ?: orders;
}

/* Bitmap of the orders of which a superpage can begin at @addr and end by @end. */
unsigned long superpage_orders_at(unsigned long addr, unsigned long end)
{
	unsigned int aligned = addr ? __ffs(addr) : BITS_PER_LONG - 1;

	return GENMASK(min_t(unsigned int, aligned, __fls(end - addr)) - PAGE_SHIFT, 0);
}

/*
 * From this length on, mmap() aligns a mapping even if that leaves a gap before it.
 * Mappings with a gap between them cannot be merged, and a process can have no more
 * than 65,530.  That many of this length cover a tebibyte.
 */
#define SUPERPAGE_LONG	SZ_16M

/**
 * __superpage_align_mask() - alignment of a new mapping of private anonymous memory
 * @len: its length in bytes
 *
 * Aligns a mapping shorter than SUPERPAGE_LONG only to a size that its length is a
 * multiple of.  The next mapping then follows without a gap, and both can be one VMA.
 *
 * Return: the address bits above those of a base page that must be zero, for the
 * largest superpage that fits into the mapping and that vm.superpage_vm_align and the
 * program's policy permit
 */
unsigned long __superpage_align_mask(unsigned long len)
{
	unsigned long align = READ_ONCE(superpage_vm_align);
	unsigned long fit;

	if (len < PAGE_SIZE || align < PAGE_SIZE)
		return 0;
	if (len < SUPERPAGE_LONG)
		align = min(align, 1UL << __ffs(PAGE_ALIGN(len)));
	if (superpage_mode(current->mm) == SUPERPAGE_MODE_NEVER)
		return 0;
	fit = superpage_mm_orders(current->mm) &
	      GENMASK(__fls(min(len, align)) - PAGE_SHIFT, 0);
	return fit ? (PAGE_SIZE << __fls(fit)) - PAGE_SIZE : 0;
}

/* --- Marks ----------------------------------------------------------------- */

/*
 * Set marks of @order in the PTEs of [@start, @end) that map no page, where there are
 * leaf tables.
 */
static void superpage_mark_range(struct mm_struct *mm, unsigned long start, unsigned long end,
				 unsigned int order)
{
	unsigned long addr, next;
	spinlock_t *ptl;
	pte_t *pte;
	pmd_t *pmd;

	for (addr = start; addr < end; addr = next) {
		pte = superpage_leaf(mm, addr, end, &next, &pmd);
		if (!pte)
			continue;
		ptl = pte_lockptr(mm, pmd);
		spin_lock(ptl);
		for (; addr < next; addr += PAGE_SIZE, pte++) {
			if (pte_none(*pte))
				WRITE_ONCE(*pte, superpage_mark(order));
		}
		spin_unlock(ptl);
	}
}

/**
 * make_ptes_present() - mark the not-present PTEs of a range with page sizes
 * @vma: VMA that has the range; the caller holds mmap_lock
 * @start: first address
 * @end: address after the range
 *
 * The name is that of I. Wienand's thesis (2008, section 5.5.4), where mmap() calls this
 * function to write a page size into every PTE of a new mapping.  It makes no page present.
 *
 * Uses the largest orders that the VMA gets without asking and that fit between @start and
 * @end.  Allocates no leaf tables, so that a large mapping costs no more than what the
 * program touches of it.  A page fault that finds no mark sets the marks of the block that
 * it chooses.
 */
void make_ptes_present(struct vm_area_struct *vma, unsigned long start, unsigned long end)
{
	unsigned long orders = superpage_vma_orders(vma);
	unsigned long addr = start, fit;
	unsigned int order;

	while (orders && addr < end) {
		fit = orders & superpage_orders_at(addr, end);
		if (!fit) {
			/* Superpages begin only at multiples of the smallest size. */
			addr = ALIGN(addr + 1, PAGE_SIZE << __ffs(orders));
			continue;
		}
		order = __fls(fit);
		superpage_mark_range(vma->vm_mm, addr, addr + (PAGE_SIZE << order), order);
		superpage_count(order, SUPERPAGE_MARKED, 1);
		addr += PAGE_SIZE << order;
	}
}

/**
 * __superpage_mmap() - mark a new mapping, or the new part of one that grew
 * @vma: its VMA; the caller holds mmap_lock for writing
 * @start: first new address
 * @len: length of the new part in bytes
 *
 * Does nothing for a large mapping, for which it would cost too much.  The PTEs before
 * @start may have smaller marks, because the VMA ended there when they were set.  Sets new
 * marks in those that can now become part of a larger superpage.
 */
void __superpage_mmap(struct vm_area_struct *vma, unsigned long start, unsigned long len)
{
	/* Without vm.superpage_eager only populating uses marks, and sets them itself. */
	if (len > PMD_SIZE || !READ_ONCE(superpage_eager))
		return;
	make_ptes_present(vma, max(vma->vm_start, round_down(start, roundup_pow_of_two(len))),
			  start + len);
}

/**
 * down_pte_sp() - fall back to a smaller size
 * @vma: VMA that has the address
 * @addr: an address
 * @order: the order for which there was no memory
 * @orders: bitmap of the orders to choose from
 *
 * Marks the not-present PTEs of the block of @order around @addr with the next
 * smaller of @orders, or with 0.
 *
 * The name is that of I. Wienand's thesis (2008, section 5.5.5): it steps the PTEs of a
 * superpage ("sp") down to the next size when the superpage could not be allocated.
 */
void down_pte_sp(struct vm_area_struct *vma, unsigned long addr, unsigned int order,
		 unsigned long orders)
{
	unsigned long size = PAGE_SIZE << order;

	orders &= BIT(order) - 1;
	addr = round_down(addr, size);
	superpage_mark_range(vma->vm_mm, addr, addr + size, orders ? __fls(orders) : 0);
}
