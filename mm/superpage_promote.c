// SPDX-License-Identifier: GPL-2.0
/*
 * Superpages: promotion, which makes base pages and smaller superpages larger in
 * place.
 *
 * Promotion copies nothing.  Where the PTEs of an aligned block agree and its frames are
 * contiguous and aligned, they become the replicas of one superpage.  This needs no
 * purge: the translations that the TLBs have say the same about every page.
 *
 * Every operation that may have completed a block promotes at its end.  Demoting a
 * superpage of 1 GiB writes all its PTEs, and so does promoting it again.  A program
 * that changes the protection of one page back and forth would pay for both each
 * time.  So an operation that has changed n pages promotes to at most 64 * n pages,
 * which is 1 MiB for one base page of 16 KiB.
 */

#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/superpage.h>

#include <trace/events/superpage.h>

#include "internal.h"
#include "superpage.h"

/* log2 of the most pages that an operation promotes to for each page that it has changed. */
#define PROMOTE_SHIFT	6

/* The largest order to which an operation that has changed @pages pages may promote. */
static unsigned int superpage_promote_limit(unsigned long pages)
{
	return min_t(unsigned int, ilog2(pages) + PROMOTE_SHIFT, MAX_ORDER - 1);
}

/*
 * The part of a PTE that must agree across a superpage.  The size bits need not
 * agree, since promotion sets them, nor does the age of the page.
 */
static unsigned long superpage_core(pte_t pte)
{
	return pte_val(pte_mkold(pte_mkbase(pte)));
}

/*
 * May this PTE become a replica of a larger superpage?
 *
 * Not if it is writable and clean, as after MADV_FREE.  The Dirty-bit handlers set
 * the dirty bit of base pages without a lock, so that replicas could differ in it.
 * Besides, the first write to such a superpage would have to make all of it dirty or
 * demote it again.
 *
 * A Dirty-bit handler may also set the dirty bit of a PTE that is no longer writable,
 * if an old translation has caused the fault.  There is no such translation any more:
 * change_protection(), fork() and all others that make PTEs read-only purge before
 * anybody promotes.  But a purge does not wait for a handler that has begun before it,
 * so superpage_merge() makes the dirty bits of the replicas agree.
 */
static bool superpage_promotable(pte_t pte)
{
	return pte_present(pte) && !(pte_write(pte) && !pte_dirty(pte));
}

/* The size in bytes of the translation that this PTE stands for. */
static unsigned long superpage_pte_size(pte_t pte)
{
	return pte_superpage(pte) ? PAGE_SIZE << pte_superpage_order(pte) : PAGE_SIZE;
}

/* The orders for which the frame of the page at @addr is aligned like its address. */
static unsigned long superpage_frame_orders(unsigned long addr, pte_t pte)
{
	unsigned long differ = (addr >> PAGE_SHIFT) ^ pte_pfn(pte);

	return differ ? GENMASK(__ffs(differ), 0) : ~0UL;
}

/*
 * Set new size bits in the PTEs of [@start, @end), some of which are those of base pages.
 * The Access-bit handlers set the accessed bit of a base page without the lock, and the
 * Dirty-bit handlers the dirty bit, by a cmpxchg that fails once the page is a replica.
 * So the cmpxchg here loses none of these bits.  Returns those that some replicas have and
 * others have not.
 */
static unsigned long superpage_make_replicas(struct mm_struct *mm, unsigned long start,
					     unsigned long end, unsigned long set)
{
	unsigned long addr, next, n, old, new, some = 0, all = ~0UL;
	pte_t *pte;

	for (addr = start; addr < end; addr = next) {
		pte = superpage_leaf(mm, addr, end, &next, NULL);
		for (n = (next - addr) >> PAGE_SHIFT; n; n--, pte++) {
			old = pte_val(READ_ONCE(*pte));
			do {
				new = (old & ~PTE_SUPERPAGE_BITS) | set;
			} while (!try_cmpxchg(&pte_val(*pte), &old, new));
			some |= new;
			all &= new;
		}
	}
	return some & ~all & pte_val(pte_mkdirty(pte_mkyoung(__pte(0))));
}

/*
 * Make [@start, @start + (PAGE_SIZE << @order)) one superpage.  The caller holds the
 * lock of the PTEs and has held it since it found them to agree.  @alike: all are
 * base pages, and their accessed bits are alike.  @event: the event to count if the
 * superpage is huge.
 *
 * All replicas get the accessed bit if one of the parts has it, and the dirty bit
 * likewise.  If others kept theirs clear, accesses through old translations that say
 * "accessed" would go unnoticed.
 */
static void superpage_merge(struct vm_area_struct *vma, unsigned long start, unsigned int order,
			    bool alike, enum vm_event_item event)
{
	unsigned long addr, next, end = start + (PAGE_SIZE << order);
	pte_t *first = superpage_leaf(vma->vm_mm, start, end, &next, NULL);
	unsigned long set = pte_val(pte_mksuperpage(__pte(0), order));
	struct mm_struct *mm = vma->vm_mm;
	long gained = superpage_huge_pages(order);
	unsigned long young = pte_val(*first), late, size;
	bool base = alike;
	unsigned int part;
	pte_t *pte;

	for (addr = start; addr < end && !alike; addr = next) {
		pte = superpage_leaf(mm, addr, end, &next, NULL);
		for (; addr < next; addr += size, pte += size >> PAGE_SHIFT) {
			young |= pte_val(*pte);
			/* The rest of it may be in the next leaf table. */
			size = min(superpage_pte_size(*pte), next - addr);
			base |= !pte_superpage(*pte);
			if (!pte_superpage(*pte) || addr & (superpage_pte_size(*pte) - 1))
				continue;
			part = pte_superpage_order(*pte);
			superpage_add_mapped(mm, pte_page(*pte), part, -1);
			gained -= superpage_huge_pages(part);
		}
	}
	set |= young & pte_val(pte_mkyoung(__pte(0)));
	if (base) {
		late = superpage_make_replicas(mm, start, end, set);
		if (late)
			superpage_change_range(mm, start, end, 0, late);
	} else {
		superpage_change_range(mm, start, end, PTE_SUPERPAGE_BITS, set);
	}
	trace_superpage_promote(mm, start, order);
	superpage_count(order, SUPERPAGE_PROMOTED, 1);
	superpage_add_mapped(mm, pte_page(*first), order, 1);
	superpage_count_huge(mm, event, gained);
}

/*
 * The order to which the page at @addr can be promoted, given that the replicas of
 * each superpage agree.  Climbs from one order to the next as long as all other parts
 * of the larger block match.  It looks at one PTE of each part and usually stops at
 * the first.
 *
 * All parts must have the size reached so far.  The exception is the step to the
 * smallest permitted order: its parts may differ, because demotion may have left
 * sizes there that page faults do not map.
 *
 * Without the lock of the PTEs the answer is a hint.
 */
static unsigned int superpage_climb(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep,
				    unsigned int limit)
{
	unsigned long orders, fit, part, size, step, a, end, next;
	pte_t pte = READ_ONCE(*ptep), other;
	unsigned long start = addr & PAGE_MASK;
	unsigned int order, best, least;
	pte_t *p;

	best = pte_superpage(pte) ? pte_superpage_order(pte) : 0;
	/* Check the frame first: most frames happen to be aligned for no order. */
	fit = superpage_frame_orders(addr, pte) & GENMASK(limit, 0) & ~GENMASK(best, 0);
	if (!(fit & superpage_orders()) || !superpage_promotable(pte))
		return 0;
	orders = superpage_vma_orders(vma);
	if (!orders)
		return 0;
	least = __ffs(orders);
	orders &= fit;

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
 * superpage_promote_page() - make a page part of the largest superpage possible
 * @vma: VMA of the page; the caller holds mmap_lock, so leaf tables and boundaries
 *	stay (rule 2 of mm/superpage.c)
 * @addr: address of the page
 * @ptep: PTE of the page; the caller holds its lock
 * @limit: the largest order to promote to
 * @event: THP_FAULT_ALLOC or THP_COLLAPSE_ALLOC, to be counted if the superpage is
 *	huge
 *
 * For a block that a change of this page, or of the superpage that it belongs to, may
 * have completed.  Other operations have promoted the other parts of the block when
 * their own last pages changed, so this reads only one PTE of each part, and writes each
 * PTE once.
 *
 * Return: true if the page is part of a larger superpage than before
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
 * superpage_promote_page() for an operation that has changed @pages pages and has finished
 * with them; 0 stands for the page, or the superpage, at @addr.  Takes the lock of the PTE.
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
	/* Usually there is nothing to do; do not contend for the lock then. */
	if (size >= PAGE_SIZE << superpage_climb(vma, addr, pte, limit))
		return;
	ptl = pte_lockptr(vma->vm_mm, pmd);
	spin_lock(ptl);
	superpage_promote_page(vma, addr, pte, limit, THP_FAULT_ALLOC);
	spin_unlock(ptl);
}

/**
 * __superpage_promote_fault() - promote after a page fault
 * @vma: VMA of the fault, which is anonymous; the caller holds mmap_lock
 * @addr: address of the fault
 *
 * The page or superpage that the fault handler has mapped or made writable may have
 * completed a block.
 */
void __superpage_promote_fault(struct vm_area_struct *vma, unsigned long addr)
{
	/* Many page faults of a small program are in its stacks, which have no superpages. */
	if (vma->vm_flags & (VM_GROWSDOWN | VM_GROWSUP))
		return;
	superpage_promote_at(vma, addr, 0);
	superpage_note_change(vma->vm_mm);
}

/**
 * __superpage_promote_ends() - promote across the ends of a changed range
 * @vma: VMA that has the range now; the caller holds mmap_lock
 * @start: first address of the range
 * @end: address after the range
 *
 * For operations that have left the superpages within the range as they are, and have
 * demoted those that crossed an end of it.  These can be promoted again if both sides
 * agree.  Demotion has left the largest possible sizes on both sides, as
 * superpage_climb() expects.
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
 * Return the end of the run of PTEs that agree with @pte, the PTE of @addr, which
 * begins a superpage or is a base page; at most @end.  *@alike is set if they are all
 * base pages and agree in every bit.  The caller holds their lock, which covers all
 * up to @end.
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
 * Make the run of PTEs that agree from @addr on into the largest superpages that fit.
 * Returns the address to go on from.  The caller holds the lock, which covers all
 * PTEs up to @end.  @event: see superpage_merge().
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
	/* A superpage that begins before the range is not ours to change. */
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
 * superpage_promote() - promote the base pages and smaller superpages of a range
 * @vma: VMA of the range; the caller holds mmap_lock
 * @start: first address
 * @end: address after the range
 *
 * For a range whose pages an operation has changed one by one.  Reads each PTE once
 * or twice and writes it at most once, whatever sizes there are.  Page faults may
 * happen meanwhile: this function holds the lock of the PTEs from comparing them until it
 * has changed them.  May sleep.
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
 * superpage_promote_block() - make a block into one superpage, or its parts into
 * several
 * @vma: VMA that has all of the block; the caller holds mmap_lock
 * @start: first address of the block
 * @order: order of the block
 *
 * Uses @order even if the VMA does not get that order without asking, because somebody
 * has asked for exactly this block.  May sleep.
 *
 * Return: true if the block is a superpage now, or a part of one
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
		/* The superpage may be larger than the block. */
		if (whole)
			break;
		cond_resched();
	}
	return whole;
}

/* In so many units a child copies single base pages.  One that does little writes to some five. */
#define SUPERPAGE_ALONE		8

/**
 * __superpage_promote_child() - give the child of fork() the parent's superpages
 * @dst_vma: the child's VMA, whose PTEs have just been copied
 * @src_vma: the parent's VMA; the caller holds mmap_lock of both mms for writing
 *
 * From now on the child copies single base pages for a while, and the parent copies units.
 */
void __superpage_promote_child(struct vm_area_struct *dst_vma, struct vm_area_struct *src_vma)
{
	unsigned long addr, next, end = src_vma->vm_end;
	unsigned long orders = superpage_vma_allowed(dst_vma);
	struct mm_struct *src_mm = src_vma->vm_mm;
	unsigned long size;
	spinlock_t *ptl;
	pte_t *pte;

	/* A child that has children of its own is a parent, whose memory is used for longer. */
	WRITE_ONCE(dst_vma->vm_mm->superpage.alone, SUPERPAGE_ALONE);
	WRITE_ONCE(src_mm->superpage.alone, 0);
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
			/*
			 * This page is not the first of its superpage, so promotion has
			 * stopped within it: either the child's PTEs did not all agree,
			 * for example because fork() has copied a pinned page, or an
			 * rmap walk has demoted a part meanwhile.  The rest stays base
			 * pages in the child.
			 */
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
