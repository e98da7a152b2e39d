// SPDX-License-Identifier: GPL-2.0
/*
 * Superpages: making base pages and smaller superpages larger ones, in place.
 *
 * Nothing is copied.  Where the PTEs of an aligned block agree and its frames are
 * contiguous and aligned, they become replicas of one superpage.  No translation
 * need be purged for that: what the TLBs have says the same of each page.
 *
 * Every operation that can make a block whole asks for it when it is done.  Demoting
 * a superpage of 1 GiB writes to all its PTEs, and so does promoting it; a program
 * that protects one page to and fro would pay for both each time.  So an operation
 * that has changed n pages promotes to no more than 64 n: 1 MiB for one base page of
 * 16 KiB.
 */

#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/superpage.h>

#include <trace/events/superpage.h>

#include "internal.h"
#include "superpage.h"

/* How much more than it has changed an operation may promote. */
#define PROMOTE_SHIFT	6

/* The largest order to which an operation on so many pages may promote. */
static unsigned int superpage_promote_limit(unsigned long pages)
{
	return min_t(unsigned int, ilog2(pages) + PROMOTE_SHIFT, MAX_ORDER - 1);
}

/*
 * What has to be the same in all PTEs of a superpage: the size is what is being
 * asked, whether a page was accessed is not its translation's business.
 */
static unsigned long superpage_core(pte_t pte)
{
	return pte_val(pte_mkold(pte_mkbase(pte)));
}

/*
 * May this PTE's page be a part of a larger superpage?
 *
 * Not if it is writable and clean, as after MADV_FREE.  The Dirty-bit handlers set
 * the dirty bit of base pages without a lock, and what they set must not be lost;
 * besides, the first write to such a superpage would make all of it dirty, or
 * demote it again.
 *
 * They may set the bit of what is not writable any more, too, as long as there is an
 * old translation: if that is lost, it does not matter, for the write faults anew.
 * So may an accessed bit be lost that they set.
 */
static bool superpage_promotable(pte_t pte)
{
	return pte_present(pte) && !(pte_write(pte) && !pte_dirty(pte));
}

/* Bytes that have this PTE's translation. */
static unsigned long superpage_pte_size(pte_t pte)
{
	return pte_superpage(pte) ? PAGE_SIZE << pte_superpage_order(pte) : PAGE_SIZE;
}

/* Orders that the frame of the page at @addr permits. */
static unsigned long superpage_frame_orders(unsigned long addr, pte_t pte)
{
	unsigned long differ = (addr >> PAGE_SHIFT) ^ pte_pfn(pte);

	return differ ? GENMASK(__ffs(differ), 0) : ~0UL;
}

/*
 * Make [@start, @start + (PAGE_SIZE << @order)) one superpage.  All PTEs have been
 * found to agree, and the lock has been held since.  @alike: all are base pages, and
 * were accessed or not alike.  @event: what to count if it is huge now.
 *
 * The accessed bit of one of them stands for all.  Would those that have it clear
 * keep it so, an access to the others, for which there may be translations that say
 * accessed, would no longer be seen.
 */
static void superpage_merge(struct vm_area_struct *vma, unsigned long start, unsigned int order,
			    bool alike, enum vm_event_item event)
{
	unsigned long addr, next, end = start + (PAGE_SIZE << order);
	pte_t *first = superpage_leaf(vma->vm_mm, start, end, &next, NULL);
	unsigned long set = pte_val(pte_mksuperpage(__pte(0), order));
	struct mm_struct *mm = vma->vm_mm;
	long gained = superpage_huge_pages(order);
	unsigned long young = 0, size;
	unsigned int part;
	pte_t *pte;

	for (addr = start; addr < end && !alike; addr = next) {
		pte = superpage_leaf(mm, addr, end, &next, NULL);
		for (; addr < next; addr += size, pte += size >> PAGE_SHIFT) {
			young |= pte_val(*pte);
			/* The rest of it may be in the next leaf table. */
			size = min(superpage_pte_size(*pte), next - addr);
			if (!pte_superpage(*pte) || addr & (superpage_pte_size(*pte) - 1))
				continue;
			part = pte_superpage_order(*pte);
			superpage_add_mapped(mm, pte_page(*pte), part, -1);
			gained -= superpage_huge_pages(part);
		}
	}
	set |= young & pte_val(pte_mkyoung(__pte(0)));
	superpage_change_range(mm, start, end, PTE_SUPERPAGE_BITS, set);
	trace_superpage_promote(mm, start, order);
	superpage_count(order, SUPERPAGE_PROMOTED, 1);
	superpage_add_mapped(mm, pte_page(*first), order, 1);
	superpage_count_huge(mm, event, gained);
}

/*
 * To which order could the page at @addr be promoted, given that PTEs of superpages
 * agree among themselves?  It climbs, from one size to the next, as long as the other
 * parts of the larger one are all there, so it looks at one PTE of each, and mostly
 * ends at the first.  Only below the first size can there be parts that differ in
 * theirs: what demotion left there may be larger than what page faults make.  Without
 * the lock the answer is a hint.
 */
static unsigned int superpage_climb(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep,
				    unsigned int limit)
{
	unsigned long orders = superpage_vma_orders(vma);
	unsigned long part, size, step, a, end, next;
	pte_t pte = READ_ONCE(*ptep), other;
	unsigned long start = addr & PAGE_MASK;
	unsigned int order, best, least;
	pte_t *p;

	if (!orders || !superpage_promotable(pte))
		return 0;
	best = pte_superpage(pte) ? pte_superpage_order(pte) : 0;
	least = __ffs(orders);
	orders &= superpage_frame_orders(addr, pte) & GENMASK(limit, 0) & ~GENMASK(best, 0);

	for (; orders; orders &= ~BIT(order), best = order) {
		order = __ffs(orders);
		size = PAGE_SIZE << order;
		part = PAGE_SIZE << best;
		a = round_down(addr, size);
		end = a + size;
		if (a < vma->vm_start || end > vma->vm_end)
			break;
		for (; a < end; a += step) {
			step = part;
			if (a == round_down(addr, part))
				continue;
			if ((a ^ addr) & PMD_MASK)
				p = superpage_leaf(vma->vm_mm, a, a + PAGE_SIZE, &next, NULL);
			else
				p = ptep + ((long)(a - start) >> PAGE_SHIFT);
			if (!p)
				return best;
			other = READ_ONCE(*p);
			step = superpage_pte_size(other);
			if (superpage_core(other) != superpage_core(pte) + (a - start) ||
			    (step != part && (order != least || step >= size)))
				return best;
		}
	}
	return best;
}

/**
 * superpage_promote_page() - make a page part of a superpage as large as can be
 * @vma: its VMA; mmap_lock is held, so that leaf tables and bounds stay (rule 2)
 * @addr: its address
 * @ptep: its PTE, whose lock is held
 * @limit: the largest order that it may become
 * @event: THP_FAULT_ALLOC or THP_COLLAPSE_ALLOC, to be counted if it becomes huge
 *
 * Of a block that has become whole by a change of this page, or of the superpage
 * that has it; the other parts of the block have become whole when their last pages
 * were changed.  Looks at no more PTEs than there are parts, and writes each PTE
 * once.
 *
 * Return: true if it has become part of a larger one than before
 */
bool superpage_promote_page(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep,
			    unsigned int limit, enum vm_event_item event)
{
	unsigned int order = superpage_climb(vma, addr, ptep, limit);

	if (!order || superpage_pte_size(*ptep) >= PAGE_SIZE << order)
		return false;
	superpage_merge(vma, round_down(addr, PAGE_SIZE << order), order, false, event);
	return true;
}

/*
 * The same for an operation that has changed so many pages and is done with them; 0
 * stands for the page, or the superpage, at @addr.
 */
static void superpage_promote_at(struct vm_area_struct *vma, unsigned long addr,
				 unsigned long pages)
{
	unsigned long next, size;
	unsigned int limit;
	spinlock_t *ptl;
	pte_t *pte;
	pmd_t *pmd;

	pte = superpage_leaf(vma->vm_mm, addr, addr + PAGE_SIZE, &next, &pmd);
	if (!pte)
		return;
	size = superpage_pte_size(READ_ONCE(*pte));
	limit = superpage_promote_limit(pages ?: size >> PAGE_SHIFT);
	/* Mostly there is nothing to do, and no reason to wait for the lock. */
	if (size >= PAGE_SIZE << superpage_climb(vma, addr, pte, limit))
		return;
	ptl = pte_lockptr(vma->vm_mm, pmd);
	spin_lock(ptl);
	superpage_promote_page(vma, addr, pte, limit, THP_FAULT_ALLOC);
	spin_unlock(ptl);
}

/**
 * __superpage_promote_fault() - after a page fault
 * @vma: where it was; mmap_lock is held
 * @addr: its address
 *
 * The page, or the superpage, that was faulted in or became writable may have been
 * the last that was missing.
 */
void __superpage_promote_fault(struct vm_area_struct *vma, unsigned long addr)
{
	if (!vma_is_anonymous(vma))
		return;
	superpage_promote_at(vma, addr, 0);
	superpage_note_change(vma->vm_mm);
}

/**
 * __superpage_promote_ends() - after an operation on a range of a VMA
 * @vma: the VMA that has it now; mmap_lock is held
 * @start: first address of the range
 * @end: address behind the last
 *
 * Within the range superpages are as they were.  What had a bound of the range in it
 * was made smaller, and is whole again if both sides agree: demotion has left the
 * largest sizes on both sides, which is what superpage_climb() looks for.
 */
void __superpage_promote_ends(struct vm_area_struct *vma, unsigned long start, unsigned long end)
{
	unsigned long pages = (end - start) >> PAGE_SHIFT;

	if (!vma_is_anonymous(vma))
		return;
	if (start > vma->vm_start)
		superpage_promote_at(vma, start, pages);
	if (end < vma->vm_end)
		superpage_promote_at(vma, end - PAGE_SIZE, pages);
}

/*
 * How far PTEs agree with that of @addr, which is the first of a superpage or of a
 * base page; at most to @end.  *@alike: they do so in every bit, and are base pages.
 * The lock is held, and is that of all up to @end.
 */
static unsigned long superpage_run(struct mm_struct *mm, unsigned long addr, unsigned long end,
				   pte_t pte, bool *alike)
{
	unsigned long core = superpage_core(pte) - addr, value = pte_val(pte) - addr;
	unsigned long a, next, size;
	pte_t *p;

	*alike = !pte_superpage(pte);
	for (a = addr; a < end; a = next) {
		p = superpage_leaf(mm, a, end, &next, NULL);
		if (!p)
			return a;
		for (; a < next; a += size, p += size >> PAGE_SHIFT) {
			size = PAGE_SIZE;
			if (*alike && likely(pte_val(*p) == value + a))
				continue;
			size = superpage_pte_size(*p);
			if (superpage_core(*p) != core + a ||
			    round_down(a, size) + size > end)
				return a;
			*alike = false;
			/* The rest of it may be in the next leaf table. */
			size = min(size, next - a);
		}
	}
	return end;
}

/*
 * Make superpages of what agrees from @addr on, the largest that fit; returns where
 * to go on.  All up to @end has one lock, which is held.  @event: as above.
 */
static unsigned long superpage_promote_run(struct vm_area_struct *vma, unsigned long addr,
					   unsigned long end, unsigned long orders,
					   enum vm_event_item event)
{
	unsigned long a, fit, next, size;
	pte_t *p, pte;
	bool alike;

	p = superpage_leaf(vma->vm_mm, addr, end, &next, NULL);
	if (!p)
		return next;
	pte = READ_ONCE(*p);
	size = superpage_pte_size(pte);
	/* One that begins before the range is not ours. */
	if (!superpage_promotable(pte) || addr & (size - 1))
		return min(end, round_down(addr, size) + size);

	end = superpage_run(vma->vm_mm, addr, end, pte, &alike);
	orders &= superpage_frame_orders(addr, pte);
	for (a = addr; a < end; a += size) {
		p = superpage_leaf(vma->vm_mm, a, end, &next, NULL);
		fit = orders & superpage_orders_at(a, end);
		size = superpage_pte_size(*p);
		if (fit && PAGE_SIZE << __fls(fit) > size) {
			superpage_merge(vma, a, __fls(fit), alike, event);
			size = PAGE_SIZE << __fls(fit);
		}
	}
	return max(end, addr + PAGE_SIZE);
}

/**
 * superpage_promote() - make superpages of a range of base pages
 * @vma: VMA that has them; mmap_lock is held
 * @start: first address
 * @end: address behind the last
 *
 * For ranges whose pages an operation has gone through one by one.  Reads each PTE
 * once or twice, and writes it at most once, however many sizes there are.  Page
 * faults may come in between, since PTEs are compared with their lock held.
 */
void superpage_promote(struct vm_area_struct *vma, unsigned long start, unsigned long end)
{
	unsigned long orders = superpage_vma_orders(vma);
	unsigned long addr, next, span = 1UL << SUPERPAGE_MAX_SHIFT;
	spinlock_t *ptl;
	pmd_t *pmd;

	if (!orders)
		return;
	for (addr = start; addr < end; addr = next) {
		if (!superpage_leaf(vma->vm_mm, addr, end, &next, &pmd))
			continue;
		ptl = pte_lockptr(vma->vm_mm, pmd);
		spin_lock(ptl);
		next = superpage_promote_run(vma, addr, min(end, round_down(addr, span) + span),
					     orders, THP_FAULT_ALLOC);
		spin_unlock(ptl);
		cond_resched();
	}
	__superpage_promote_ends(vma, start, end);
}

/**
 * superpage_promote_block() - make one superpage of a block, or of its parts
 * @vma: the VMA that has all of it; mmap_lock is held
 * @start: its address
 * @order: its order
 *
 * Of whatever size is possible, since somebody has asked for just this.
 *
 * Return: is it one superpage now, or a part of one?
 */
bool superpage_promote_block(struct vm_area_struct *vma, unsigned long start,
			     unsigned int order)
{
	unsigned long addr, next, end = start + (PAGE_SIZE << order);
	unsigned long orders = superpage_vma_orders(vma) | BIT(order);
	bool whole = false;
	spinlock_t *ptl;
	pte_t *pte;
	pmd_t *pmd;

	for (addr = start; addr < end; addr = next) {
		pte = superpage_leaf(vma->vm_mm, addr, end, &next, &pmd);
		if (!pte)
			continue;
		ptl = pte_lockptr(vma->vm_mm, pmd);
		spin_lock(ptl);
		next = superpage_promote_run(vma, addr, end, orders & GENMASK(order, 0),
					     THP_COLLAPSE_ALLOC);
		whole = addr == start && pte_superpage(*pte) &&
			pte_superpage_order(*pte) >= order;
		spin_unlock(ptl);
		cond_resched();
	}
	return whole;
}

/**
 * __superpage_promote_child() - after fork() has copied the PTEs of a VMA
 * @dst_vma: the child's VMA
 * @src_vma: the parent's; mmap_lock of both is held for writing
 *
 * What is a superpage of the parent becomes one of the child.
 */
void __superpage_promote_child(struct vm_area_struct *dst_vma, struct vm_area_struct *src_vma)
{
	unsigned long addr, next, end = src_vma->vm_end;
	unsigned long orders = superpage_vma_allowed(dst_vma);
	struct mm_struct *src_mm = src_vma->vm_mm;
	unsigned long size;
	spinlock_t *ptl;
	pte_t *pte;

	if (!orders)
		return;
	for (addr = src_vma->vm_start; addr < end; addr = next) {
		pte = superpage_leaf(src_mm, addr, end, &next, NULL);
		if (!pte)
			continue;
		for (; addr < next; addr += PAGE_SIZE, pte++) {
			pte_t src = READ_ONCE(*pte);

			if (!pte_superpage(src))
				continue;
			size = superpage_pte_size(src);
			/* An rmap walk may demote one half way through. */
			if (addr & (size - 1))
				continue;
			ptl = superpage_lockptr(dst_vma->vm_mm, addr);
			spin_lock(ptl);
			next = superpage_promote_run(dst_vma, addr, addr + size, orders,
						     THP_FAULT_ALLOC);
			spin_unlock(ptl);
			break;
		}
		cond_resched();
	}
}
