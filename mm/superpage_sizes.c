// SPDX-License-Identifier: GPL-2.0
/*
 * Which sizes superpages may have: in a VMA, by policy and advice; at an address; and
 * where there is no page yet, by the marks of its PTEs.
 */

#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/superpage.h>
#include <linux/userfaultfd_k.h>

#include "superpage.h"

/* May @vma have superpages? */
bool superpage_vma_may(struct vm_area_struct *vma)
{
	/* VM_NOHUGEPAGE is what MAP_STACK becomes, and stacks grow by the page. */
	return vma_is_anonymous(vma) &&
	       !(vma->vm_flags & (VM_SHARED | VM_NOHUGEPAGE | VM_GROWSDOWN | VM_GROWSUP |
				  VM_SPECIAL)) &&
	       !userfaultfd_armed(vma) && superpage_mode(vma->vm_mm) != SUPERPAGE_MODE_NEVER;
}

/* Orders that @vma may have; 0 for most kinds of VMAs. */
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
 * Orders that @vma gets by itself.  What is permitted and does not pay is got by those
 * only who ask for it, or as a part of what was larger.
 */
unsigned long superpage_vma_orders(struct vm_area_struct *vma)
{
	unsigned long orders = superpage_vma_allowed(vma), pays;

	if (!orders || superpage_advised(vma))
		return orders;
	if (READ_ONCE(superpage_eager)) {
		/* Most of it will not be touched. */
		return vma->vm_flags & VM_NORESERVE ? 0 : orders;
	}
	/* If nothing else is permitted, it is not for us to say that it does not pay. */
	pays = orders & ~(BIT(ilog2(READ_ONCE(superpage_auto_min)) - PAGE_SHIFT) - 1);
	return pays ?: orders;
}

/* Orders of which a superpage can begin at @addr and end before @end. */
unsigned long superpage_orders_at(unsigned long addr, unsigned long end)
{
	unsigned int aligned = addr ? __ffs(addr) : BITS_PER_LONG - 1;

	return GENMASK(min_t(unsigned int, aligned, __fls(end - addr)) - PAGE_SHIFT, 0);
}

/*
 * From this length on an aligned mapping may leave a gap.  Two of them are not
 * merged, then, and a process can have 65,530 mappings: a tebibyte of these.
 */
#define SUPERPAGE_LONG	SZ_16M

/**
 * __superpage_align_mask() - where to place a mapping of private anonymous memory
 * @len: its length in bytes
 *
 * A shorter mapping is aligned to what its length is a multiple of, so that the next
 * one follows without a gap, and both can be one VMA.
 *
 * Return: the bits that its address is to have zero above those of a base page,
 * for the largest superpage that it can hold and vm.superpage_vm_align and the program's
 * policy permit
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

/* Mark what has no page in [@start, @end), where there are leaf tables. */
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
 * @vma: VMA that has the range
 * @start: first address
 * @end: address behind the last
 *
 * Uses the largest orders that fit between @start and @end (thesis 5.5.4).  Only
 * where there are leaf tables: elsewhere it is left to the page fault for which
 * the table is made, lest a large mapping cost more than what is touched of it.
 * mmap_lock is held.
 */
void make_ptes_present(struct vm_area_struct *vma, unsigned long start, unsigned long end)
{
	unsigned long orders = superpage_vma_orders(vma);
	unsigned long addr = start, fit;
	unsigned int order;

	while (orders && addr < end) {
		fit = orders & superpage_orders_at(addr, end);
		if (!fit) {
			/* The smallest superpage begins at a multiple of its size. */
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
 * __superpage_mmap() - a mapping came into being or grew
 * @vma: its VMA
 * @start: first new address
 * @len: length of what is new, in bytes
 *
 * Marks it if that costs little.  What lies before may have been marked when the
 * VMA ended there, so as much of it is marked anew.  mmap_lock is held for
 * writing.
 */
void __superpage_mmap(struct vm_area_struct *vma, unsigned long start, unsigned long len)
{
	/* Without vm.superpage_eager, nobody looks at marks. */
	if (len > PMD_SIZE || !READ_ONCE(superpage_eager))
		return;
	make_ptes_present(vma, max(vma->vm_start, round_down(start, roundup_pow_of_two(len))),
			  start + len);
}

/**
 * down_pte_sp() - fall back to a smaller size
 * @vma: VMA that has the address
 * @addr: an address
 * @order: the order that was not to be had there
 * @orders: bitmap of the orders to choose from
 *
 * Marks the not-present PTEs of the superpage of @order around @addr with the
 * next smaller order (thesis 5.5.5), or with 0.
 */
void down_pte_sp(struct vm_area_struct *vma, unsigned long addr, unsigned int order,
		 unsigned long orders)
{
	unsigned long size = PAGE_SIZE << order;

	orders &= BIT(order) - 1;
	addr = round_down(addr, size);
	superpage_mark_range(vma->vm_mm, addr, addr + size, orders ? __fls(orders) : 0);
}
