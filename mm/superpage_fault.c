// SPDX-License-Identifier: GPL-2.0
/*
 * Page faults in memory that can have superpages.
 *
 * The fault handler decides how much to map:
 *
 *  - If it knows nothing about the range, it maps one unit, four base pages.  Without a
 *    reservation it maps one page, unless the unit becomes a superpage or a page beside
 *    the unit is in use.
 *  - If the block beside the fault is full, it maps a block of the same size.
 *  - If three quarters of the units of a larger block have had a page fault, it maps what
 *    is missing of that block.
 *
 * A page fault maps at most vm.superpage_fault_max; after MADV_HUGEPAGE, the smallest
 * permitted size if that is larger.  With the default of 1 MiB, a walk through a gigabyte
 * takes 1,030 page faults.  After its first unit it never has more than twice as much
 * mapped as it has touched.  Scattered accesses, which touch one page of each unit, have
 * four times as much mapped.  The frames come from a reservation, so that the fault
 * handler can promote a block in place when it has become full: see
 * mm/superpage_reserve.c.
 *
 * With vm.superpage_eager, and for ranges that are to be populated as a whole, the
 * fault handler maps the largest superpage that there is memory for.
 */

#include <linux/gfp.h>
#include <linux/highmem.h>
#include <linux/list.h>
#include <linux/log2.h>
#include <linux/memcontrol.h>
#include <linux/mm.h>
#include <linux/mm_inline.h>
#include <linux/oom.h>
#include <linux/pagemap.h>
#include <linux/rmap.h>
#include <linux/sched/signal.h>
#include <linux/spinlock.h>
#include <linux/swap.h>
#include <linux/wait.h>

#include <trace/events/superpage.h>

#include "internal.h"
#include "superpage.h"

/* Is every PTE in [@start, @end) empty or a mark?  Without their lock this is a hint. */
bool superpage_none(struct mm_struct *mm, unsigned long start, unsigned long end)
{
	unsigned long addr, next;
	pte_t *pte;

	for (addr = start; addr < end; addr = next) {
		pte = superpage_leaf(mm, addr, end, &next, NULL);
		if (!pte)
			continue;
		for (; addr < next; addr += PAGE_SIZE, pte++) {
			if (!pte_none(READ_ONCE(*pte)))
				return false;
		}
	}
	return true;
}

/* Allocate the missing leaf tables of [@start, @end).  Returns false if memory is short. */
bool superpage_alloc_leaves(struct mm_struct *mm, unsigned long start, unsigned long end)
{
	unsigned long addr;
	p4d_t *p4d;
	pud_t *pud;
	pmd_t *pmd;

	for (addr = start; addr < end; addr = pmd_addr_end(addr, end)) {
		p4d = p4d_alloc(mm, pgd_offset(mm, addr), addr);
		if (!p4d)
			return false;
		pud = pud_alloc(mm, p4d, addr);
		if (!pud)
			return false;
		pmd = pmd_alloc(mm, pud, addr);
		if (!pmd || pte_alloc(mm, pmd))
			return false;
	}
	return true;
}

/*
 * Add the pages to rmap and to the LRU lists.  The fault handler does this before it sets
 * the PTEs, because it would take too long under their lock.  Until the PTEs are set,
 * reclaim and migration see pages with a mapcount whose rmap walk finds no PTE.  So they
 * cannot unmap them, and keep them.
 */
static void superpage_add_rmap(struct vm_area_struct *vma, unsigned long start,
			       struct page *page, unsigned int order)
{
	int i;

	for (i = 0; i < 1 << order; i++) {
		/* Before reclaim can find the page: the swap cache uses the field, too. */
		superpage_mark_frame(page + i);
		preempt_disable();	/* the counters are per CPU */
		page_add_new_anon_rmap(page + i, vma, start + i * PAGE_SIZE);
		preempt_enable();
		lru_cache_add_inactive_or_unevictable(page + i, vma);
		cond_resched();
	}
}

/*
 * Undo superpage_add_rmap().  Reclaim may have put a page into the swap cache meanwhile,
 * but could not unmap it.  No PTE will ever refer to it there, so take it out.
 */
static void superpage_remove_rmap(struct vm_area_struct *vma, struct page *page,
				  unsigned int order)
{
	int i;

	for (i = 0; i < 1 << order; i++) {
		preempt_disable();
		page_remove_rmap(page + i, vma, false);
		preempt_enable();
		free_swap_cache(page + i);
	}
}

/*
 * Set the PTEs of the block of @order at @start: as superpages of the largest of @orders
 * that is not larger, or as base pages if there is none.  Returns 0, -EEXIST if something
 * is mapped there, or -EFAULT if the OOM reaper has begun to unmap the mm.
 */
static int superpage_map(struct vm_area_struct *vma, struct superpage_reserv *r,
			 unsigned long start, struct page *page, unsigned int order,
			 unsigned long orders)
{
	unsigned long addr, next, end = start + (PAGE_SIZE << order);
	unsigned long fit = orders & (BIT(order + 1) - 1);
	unsigned int size = fit ? __fls(fit) : 0;
	struct mm_struct *mm = vma->vm_mm;
	struct page *first = page;
	spinlock_t *ptl;
	pte_t entry;
	pte_t *pte;
	int ret = 0;

	ptl = superpage_lockptr(mm, start);
	spin_lock(ptl);
	/*
	 * Another thread may have mapped a page since we looked: one that found no
	 * reservation because the frames had been given back, or one that came while
	 * no superpages were permitted.
	 */
	if (!superpage_none(mm, start, end)) {
		ret = -EEXIST;
		goto unlock;
	}
	if (check_stable_address_space(mm)) {
		ret = -EFAULT;
		goto unlock;
	}

	for (addr = start; addr < end; addr = next) {
		pte = superpage_leaf(mm, addr, end, &next, NULL);
		for (; addr < next; addr += PAGE_SIZE, pte++, page++) {
			entry = mk_pte(page, vma->vm_page_prot);
			entry = pte_sw_mkyoung(entry);
			if (vma->vm_flags & VM_WRITE)
				entry = pte_mkwrite(pte_mkdirty(entry));
			set_pte(pte, size ? pte_mksuperpage(entry, size) : entry);
		}
	}
	add_mm_counter(mm, MM_ANONPAGES, 1L << order);
	if (size) {
		superpage_count(size, SUPERPAGE_ANON_FAULT_ALLOC, 1L << (order - size));
		superpage_add_mapped(mm, first, size, 1L << (order - size));
		superpage_count_huge(mm, THP_FAULT_ALLOC,
				     superpage_huge_pages(size) << (order - size));
	}
	/*
	 * This may have been the last piece of a larger superpage.  The fault handler
	 * takes each frame of a reservation once only, so each page is promoted to
	 * each order at most once.  A block of which frames have not been taken yet is
	 * not complete, so superpage_reserv_full() spares a search for larger orders.
	 */
	if (r) {
		pte = superpage_leaf(mm, start, end, &next, NULL);
		superpage_promote_page(vma, start, pte, superpage_reserv_full(r, start, order),
				       THP_FAULT_ALLOC);
	}
unlock:
	spin_unlock(ptl);
	return ret;
}

/* Count that a page fault found no memory, or no charge, for @order and tries a smaller one. */
static void superpage_fell_back(struct mm_struct *mm, unsigned long addr, unsigned int order)
{
	trace_superpage_fallback(mm, addr, order);
	superpage_count(order, SUPERPAGE_ANON_FAULT_FALLBACK, 1);
	if (order >= SUPERPAGE_HUGE_ORDER)
		count_vm_event(THP_FAULT_FALLBACK);
}

/*
 * Charge the memory cgroup for a page fault of @order, in advance.  A superpage is
 * charged for only within memory.high and memory.max and without reclaim; a base page
 * is charged as in any other page fault.  Returns 0 or -ENOMEM.
 */
int superpage_charge(struct mm_struct *mm, unsigned int order, struct mem_cgroup **memcg)
{
	if (!order)
		return mem_cgroup_charge_ahead(mm, GFP_KERNEL, 1, memcg);
	if (mem_cgroup_headroom(mm) >> order &&
	    !mem_cgroup_charge_ahead(mm, SUPERPAGE_GFP, 1U << order, memcg))
		return 0;
	superpage_count(order, SUPERPAGE_ANON_FAULT_FALLBACK_CHARGE, 1);
	if (order >= SUPERPAGE_HUGE_ORDER)
		count_vm_event(THP_FAULT_FALLBACK_CHARGE);
	return -ENOMEM;
}

/*
 * Clear @nr frames, give each its charge, and prepare it for execution if the VMA permits
 * that.  Returns how many frames were cleared before a fatal signal arrived.
 *
 * Ignores the signal if other threads may be waiting for the frames (@awaited): they would
 * have to begin anew, and the amount is bounded.  Ignores it for a unit or less, too.
 * A task that is killed inside the kernel, in read() for example, takes the same page
 * fault again until the page is there, so small page faults must succeed.
 */
static unsigned int superpage_clear(struct vm_area_struct *vma, struct page *page,
				    unsigned long addr, unsigned int nr,
				    struct mem_cgroup *memcg, bool awaited)
{
	unsigned int i;

	for (i = 0; i < nr; i++, page++, addr += PAGE_SIZE) {
		if (!awaited && nr > 1U << SUPERPAGE_UNIT_ORDER && fatal_signal_pending(current))
			break;
		mem_cgroup_charged(page, memcg);
		clear_user_highpage(page, addr);
		arch_superpage_exec(mk_pte(page, vma->vm_page_prot), 1);
		/* Orders the zeroes before the PTE. */
		__SetPageUptodate(page);
		cond_resched();
	}
	return i;
}

/*
 * Map 2^@order pages around @addr, all of which must lie in the VMA.  The frames come
 * from the reservation @r, or from free memory if @r is NULL.  A block larger than
 * the largest of @orders is mapped by several superpages, a smaller one by base
 * pages.
 *
 * The charge comes first, so that nothing is cleared that may not be charged.  While
 * the frames are cleared, only mmap_lock is held.
 *
 * Returns 0; -ENOMEM if there is no memory or no charge for this order; -EEXIST if
 * something is mapped there; -EFAULT if the mm is being reaped; -EINTR if a fatal
 * signal arrived while more than a unit was being cleared; or an error of
 * superpage_claim().
 */
static int superpage_map_frames(struct vm_area_struct *vma, struct superpage_reserv *r,
				unsigned long addr, unsigned int order, unsigned long orders)
{
	unsigned long start = round_down(addr, PAGE_SIZE << order);
	unsigned int nr = 1U << order, cleared;
	struct mm_struct *mm = vma->vm_mm;
	struct mem_cgroup *memcg = NULL;
	struct page *page;
	int ret;

	superpage_debug_step(SUPERPAGE_STEP_CHOSEN);
	if (superpage_charge(mm, order, &memcg))
		return -ENOMEM;
	superpage_debug_step(SUPERPAGE_STEP_CHARGED);
	/* This may sleep for long, so do it before the claim, for which others wait. */
	if (!superpage_alloc_leaves(mm, start, start + (PAGE_SIZE << order))) {
		mem_cgroup_uncharge_ahead(memcg, nr);
		return -ENOMEM;
	}
	superpage_debug_step(SUPERPAGE_STEP_LEAVES);
	if (r)
		page = superpage_claim(mm, r, addr, order);
	else
		page = superpage_alloc_frames(vma, start, order) ?: ERR_PTR(-ENOMEM);
	if (IS_ERR(page)) {
		mem_cgroup_uncharge_ahead(memcg, nr);
		return PTR_ERR(page);
	}
	superpage_debug_step(SUPERPAGE_STEP_CLAIMED);
	cgroup_throttle_swaprate(page, GFP_KERNEL);
	cleared = superpage_clear(vma, page, start, nr, memcg, r);
	superpage_debug_step(SUPERPAGE_STEP_ZEROED);
	if (cleared < nr) {
		mem_cgroup_uncharge_ahead(memcg, nr - cleared);
		ret = -EINTR;
	} else {
		superpage_add_rmap(vma, start, page, order);
		superpage_debug_step(SUPERPAGE_STEP_RMAP);
		ret = superpage_map(vma, r, start, page, order, orders);
		if (ret)
			superpage_remove_rmap(vma, page, order);
	}
	if (ret)
		superpage_free_frames(page, nr);
	superpage_debug_step(SUPERPAGE_STEP_MAPPED);
	/*
	 * Do this last: a thread that has waited looks at the PTE, and takes another
	 * frame if it finds no page.
	 */
	if (r)
		superpage_claim_done(mm, r, addr);
	return ret;
}

/* --- How much to map --------------------------------------------------------------- */

/* Does the block of @order around @addr lie in the VMA, with nothing mapped in it? */
static bool superpage_fits(struct vm_area_struct *vma, unsigned long addr, unsigned int order)
{
	unsigned long start = round_down(addr, PAGE_SIZE << order);
	unsigned long end = start + (PAGE_SIZE << order);

	return start >= vma->vm_start && end <= vma->vm_end &&
	       superpage_none(vma->vm_mm, start, end);
}

/*
 * Is the block of @order at @start mapped as well as it can be: by one superpage at
 * least as large, or by contiguous superpages of the largest size in @orders that is
 * not larger, or by contiguous base pages if there is none?  Without the lock of the
 * PTEs this is a hint.
 */
static bool superpage_full(struct mm_struct *mm, unsigned long start, unsigned int order,
			   unsigned long orders)
{
	unsigned long addr, next, fit = orders & (BIT(order + 1) - 1);
	unsigned long step = fit ? PAGE_SIZE << __fls(fit) : PAGE_SIZE;
	unsigned long end = start + (PAGE_SIZE << order), pfn = 0;
	pte_t *pte, entry;

	for (addr = start; addr < end; addr += step) {
		pte = superpage_leaf(mm, addr, end, &next, NULL);
		if (!pte)
			return false;
		entry = READ_ONCE(*pte);
		if (!pte_present(entry))
			return false;
		if (pte_superpage(entry) && pte_superpage_order(entry) >= order)
			return true;
		if (fit && (!pte_superpage(entry) || pte_superpage_order(entry) < __fls(fit)))
			return false;
		if (addr == start)
			pfn = pte_pfn(entry);
		else if (pte_pfn(entry) != pfn + ((addr - start) >> PAGE_SHIFT))
			return false;
	}
	return true;
}

/**
 * superpage_beside() - is there a full block beside a page fault, as in a walk?
 * @vma: the VMA; only blocks within it count
 * @addr: address of the page fault
 * @order: order of the block before or after the one that has @addr
 * @orders: bitmap of the orders that superpages may have
 *
 * The fault must be in the unit next to the full block.  The caller holds mmap_lock,
 * but not the lock of the PTEs, so the answer is a hint.
 *
 * Return: true if there is one
 */
bool superpage_beside(struct vm_area_struct *vma, unsigned long addr, unsigned int order,
		      unsigned long orders)
{
	unsigned long size = PAGE_SIZE << order, unit = PAGE_SIZE << SUPERPAGE_UNIT_ORDER;
	unsigned long start = round_down(addr, size), end = start + size;

	/* Leaf tables outside the VMA may be freed, so never look there. */
	if (addr - start < unit && start >= vma->vm_start && start - vma->vm_start >= size &&
	    superpage_full(vma->vm_mm, start - size, order, orders))
		return true;
	return end - addr <= unit && end <= vma->vm_end && vma->vm_end - end >= size &&
	       superpage_full(vma->vm_mm, end, order, orders);
}

/**
 * superpage_advised_order() - order of the first page fault after MADV_HUGEPAGE
 * @vma: the VMA
 * @orders: bitmap of the orders that it may have, not 0
 *
 * The program has said that it will touch the rest, too, and it may check whether it
 * got a superpage.
 *
 * Return: the largest order that vm.superpage_fault_max permits, or the smallest of
 * @orders if all are larger; 0 without the advice, or after mlock2(MLOCK_ONFAULT)
 */
unsigned int superpage_advised_order(struct vm_area_struct *vma, unsigned long orders)
{
	unsigned int most = ilog2(READ_ONCE(superpage_fault_max)) - PAGE_SHIFT;

	/* mlock2(MLOCK_ONFAULT) asks to lock only what is touched. */
	if (!superpage_advised(vma) || vma->vm_flags & VM_LOCKONFAULT)
		return 0;
	return orders & GENMASK(most, 0) ? __fls(orders & GENMASK(most, 0)) : __ffs(orders);
}

/**
 * superpage_first_order() - order of the first page fault in a block
 * @vma: the VMA
 * @orders: bitmap of the orders that it gets without asking, not 0
 *
 * Without advice this is the smallest order that is enabled.  If the administrator
 * has enabled only large ones, a smaller first mapping would leave programs that
 * touch little without any superpage.  Programs that want base pages can use
 * MADV_NOHUGEPAGE.
 *
 * Return: the order; 0 if only the rules at the head of this file apply
 */
unsigned int superpage_first_order(struct vm_area_struct *vma, unsigned long orders)
{
	unsigned int most = ilog2(READ_ONCE(superpage_fault_max)) - PAGE_SHIFT;
	unsigned int order = superpage_advised_order(vma, orders);

	if (order || vma->vm_flags & VM_LOCKONFAULT)
		return order;
	/* Count enabled orders that are too small to pay, too. */
	order = __ffs(orders | superpage_vma_allowed(vma));
	return order <= most ? order : 0;
}

/*
 * Choose the order to map at @addr, at most @most; 0 for a base page.  The reservation must
 * own all of its frames.  Takes a unit, or an order up to @first, wherever it fits, and a
 * larger one only beside a full block.
 */
static unsigned int superpage_choose(struct vm_area_struct *vma, struct superpage_reserv *r,
				     unsigned long addr, unsigned int most, unsigned int first,
				     unsigned long orders)
{
	unsigned int order;

	/* The orders to try are those of the unit plus multiples of the step. */
	order = min(most, r->order);
	if (order < SUPERPAGE_UNIT_ORDER)
		return 0;
	order -= (order - SUPERPAGE_UNIT_ORDER) % SUPERPAGE_ORDER_STEP;
	for (; order > SUPERPAGE_UNIT_ORDER; order -= SUPERPAGE_ORDER_STEP)
		if (superpage_reserv_owns(r, addr, order) &&
		    (order <= first || superpage_beside(vma, addr, order, orders)) &&
		    superpage_fits(vma, addr, order))
			return order;
	return superpage_reserv_owns(r, addr, order) && superpage_fits(vma, addr, order) ?
	       order : 0;
}

/*
 * Is the page before or after the block of @order around @addr in use?  Without the lock
 * of the PTEs this is a hint.
 */
static bool superpage_touched_beside(struct vm_area_struct *vma, unsigned long addr,
				     unsigned int order)
{
	unsigned long start = round_down(addr, PAGE_SIZE << order);
	unsigned long end = start + (PAGE_SIZE << order);

	/* Leaf tables outside the VMA may be freed, so never look there. */
	return (start > vma->vm_start &&
		!superpage_none(vma->vm_mm, start - PAGE_SIZE, start)) ||
	       (end < vma->vm_end && !superpage_none(vma->vm_mm, end, end + PAGE_SIZE));
}

/* Map the parts of the block of @order around @addr that are not mapped yet. */
static void superpage_fill(struct vm_area_struct *vma, struct superpage_reserv *r,
			   unsigned long addr, unsigned int order, unsigned long orders)
{
	unsigned long start = max(vma->vm_start, round_down(addr, PAGE_SIZE << order));
	unsigned long end = min(vma->vm_end, round_down(addr, PAGE_SIZE << order) +
				(PAGE_SIZE << order));
	unsigned int part;

	for (addr = round_up(start, PAGE_SIZE << SUPERPAGE_UNIT_ORDER); addr < end;
	     addr += PAGE_SIZE << part) {
		for (part = order; part > SUPERPAGE_UNIT_ORDER; part -= SUPERPAGE_ORDER_STEP)
			if (IS_ALIGNED(addr, PAGE_SIZE << part) &&
			    superpage_reserv_owns(r, addr, part) &&
			    superpage_fits(vma, addr, part))
				break;
		if (part == SUPERPAGE_UNIT_ORDER &&
		    !(superpage_reserv_owns(r, addr, part) && superpage_fits(vma, addr, part)))
			continue;
		/* No access is waiting for these pages, so give up at the first error. */
		if (fatal_signal_pending(current) ||
		    superpage_map_frames(vma, r, addr, part, orders))
			return;
	}
}

/*
 * Handle a page fault in a reservation.  Returns VM_FAULT_FALLBACK if the page must come
 * from elsewhere, for example because the reservation has given its frame back.
 */
static vm_fault_t superpage_fault_reserved(struct vm_fault *vmf, struct superpage_reserv *r,
					   unsigned int most, unsigned long orders)
{
	struct vm_area_struct *vma = vmf->vma;
	unsigned int order, cap = most, first = superpage_first_order(vma, orders);
	unsigned long addr = vmf->address;

	most = max(most, first);
	superpage_reserv_touch(r, addr);
	for (;;) {
		/* The frame is gone: another thread is mapping it, or somebody needed memory. */
		if (!superpage_reserv_owns(r, addr, 0))
			return superpage_reserv_wait(r, addr) ? 0 : VM_FAULT_FALLBACK;
		order = superpage_choose(vma, r, addr, most, first, orders);
		switch (superpage_map_frames(vma, r, addr, order, orders)) {
		case 0:
			trace_superpage_fault(vma->vm_mm, addr, order);
			order = superpage_reserv_dense(r, addr, cap);
			if (order)
				superpage_fill(vma, r, addr, order, orders);
			return 0;
		case -ENOENT:	/* somebody has just taken some frames; choose again */
		case -EAGAIN:
			break;
		case -ENOMEM:
			if (!order)
				return VM_FAULT_OOM;
			superpage_fell_back(vma->vm_mm, addr, order);
			most = order - SUPERPAGE_ORDER_STEP;
			break;
		default:
			return VM_FAULT_FALLBACK;
		}
	}
}

/* Handle a page fault by the rules at the head of this file. */
static vm_fault_t superpage_fault_growing(struct vm_fault *vmf, unsigned long orders)
{
	unsigned int most = ilog2(READ_ONCE(superpage_fault_max)) - PAGE_SHIFT;
	struct vm_area_struct *vma = vmf->vma;
	unsigned long addr = vmf->address;
	struct superpage_reserv *r;
	unsigned int order;
	vm_fault_t ret;

	/* mlock2(MLOCK_ONFAULT) asks to lock only what is touched. */
	if (vma->vm_flags & VM_LOCKONFAULT)
		most = min_t(unsigned int, most, SUPERPAGE_UNIT_ORDER);

	r = superpage_reserv_find(vma, addr);
	if (!r)
		r = superpage_reserve(vma, addr, orders);
	if (r) {
		ret = superpage_fault_reserved(vmf, r, most, orders);
		/*
		 * If the reservation still owns frames of this unit, map one page only.
		 * The other pages can then still get those frames.
		 */
		if (ret == VM_FAULT_FALLBACK &&
		    !superpage_reserv_claimed(r, addr, SUPERPAGE_UNIT_ORDER))
			most = 0;
		superpage_reserv_put(r);
		if (ret != VM_FAULT_FALLBACK)
			return ret;
	}
	/* A unit, or the largest permitted order if that is smaller. */
	order = min3(most, (unsigned int)__fls(orders), (unsigned int)SUPERPAGE_UNIT_ORDER);
	if (!order || !superpage_fits(vma, addr, order))
		return VM_FAULT_FALLBACK;
	/*
	 * If it will not be a superpage, and nothing beside it has been touched, one page
	 * may be all that is needed, as in the heap of a small program.
	 */
	if (!(orders & BIT(order)) && !superpage_touched_beside(vma, addr, order))
		return VM_FAULT_FALLBACK;
	switch (superpage_map_frames(vma, NULL, addr, order, orders)) {
	case 0:
		trace_superpage_fault(vma->vm_mm, addr, order);
		return 0;
	case -ENOMEM:
		superpage_fell_back(vma->vm_mm, addr, order);
		fallthrough;
	default:
		return VM_FAULT_FALLBACK;
	}
}

/* --- All at once --------------------------------------------------------------------- */

/**
 * struct superpage_work - a page fault, or populating, that is clearing much memory
 * @list: entry in superpage_works
 * @mm: the mm of the fault
 * @start: first address of the range
 * @end: address after the range
 *
 * Two threads that touch the same gigabyte at the same time should not both clear
 * it.  The first does; the second waits until it has finished, and finds the
 * memory mapped.  Threads are compared by mm and range, not by a shared lock, so
 * nobody waits for a range that is cleared for another process or elsewhere.
 */
struct superpage_work {
	struct list_head list;
	struct mm_struct *mm;
	unsigned long start, end;
};

static LIST_HEAD(superpage_works);
static DEFINE_SPINLOCK(superpage_works_lock);
static DECLARE_WAIT_QUEUE_HEAD(superpage_works_wait);

/* Add @work to the list, unless somebody is clearing a part of its range. */
static bool superpage_work_begin(struct superpage_work *work)
{
	struct superpage_work *other;
	bool alone = true;

	spin_lock(&superpage_works_lock);
	list_for_each_entry(other, &superpage_works, list)
		if (other->mm == work->mm && other->start < work->end &&
		    work->start < other->end)
			alone = false;
	if (alone)
		list_add(&work->list, &superpage_works);
	spin_unlock(&superpage_works_lock);
	return alone;
}

static void superpage_work_end(struct superpage_work *work)
{
	spin_lock(&superpage_works_lock);
	list_del(&work->list);
	spin_unlock(&superpage_works_lock);
	wake_up_all(&superpage_works_wait);
}

/*
 * Return the largest order of which an aligned block around @addr fits between @low and
 * @high, which are in the VMA, and has nothing mapped in it; 0 for a base page.  If @addr
 * has a mark, the order is at most that of the mark; otherwise sets marks in the block.
 */
static unsigned int superpage_choose_eager(struct vm_area_struct *vma, unsigned long low,
					   unsigned long high, unsigned long addr,
					   unsigned long orders)
{
	unsigned long next, start, end;
	pte_t *pte = superpage_leaf(vma->vm_mm, addr, addr + PAGE_SIZE, &next, NULL);
	pte_t mark = pte ? READ_ONCE(*pte) : __pte(0);
	unsigned int order;

	if (!pte_none(mark))
		return 0;
	if (pte_superpage_marked(mark))
		orders &= BIT(pte_superpage_order(mark) + 1) - 1;
	for (; orders; orders &= ~BIT(order)) {
		order = __fls(orders);
		start = round_down(addr, PAGE_SIZE << order);
		end = start + (PAGE_SIZE << order);
		if (start >= low && end <= high && superpage_none(vma->vm_mm, start, end)) {
			if (!pte_superpage_marked(mark))
				make_ptes_present(vma, start, end);
			return order;
		}
	}
	return 0;
}

/*
 * Map the largest superpage that there is memory for around @addr, between @low and
 * @high.  Returns its order, 0 to leave @addr to a base page, or -EINTR.
 */
static int superpage_map_eager(struct vm_area_struct *vma, unsigned long low,
			       unsigned long high, unsigned long addr, unsigned long orders)
{
	struct mm_struct *mm = vma->vm_mm;
	struct superpage_work work = { .mm = mm };
	struct superpage_reserv *r;
	unsigned long start;
	unsigned int order;
	int ret;

	while ((order = superpage_choose_eager(vma, low, high, addr, orders))) {
		start = round_down(addr, PAGE_SIZE << order);
		work.start = start;
		work.end = start + (PAGE_SIZE << order);
		if (wait_event_killable(superpage_works_wait, superpage_work_begin(&work)))
			return -EINTR;
		if (superpage_choose_eager(vma, low, high, addr, orders) != order) {
			superpage_work_end(&work);
			continue;
		}
		r = superpage_reserv_find(vma, addr);
		if (!r || !superpage_reserv_owns(r, addr, order)) {
			/* A reservation that does not own all of the block is of no use. */
			superpage_release(mm, start, start + (PAGE_SIZE << order));
			if (r)
				superpage_reserv_put(r);
			r = NULL;
		}
		ret = superpage_map_frames(vma, r, addr, order, orders);
		if (r)
			superpage_reserv_put(r);
		if (ret == -ENOMEM) {
			superpage_fell_back(mm, addr, order);
			down_pte_sp(vma, addr, order, orders);
			/* down_pte_sp() cannot mark where there is no leaf table. */
			orders &= BIT(order) - 1;
		}
		superpage_work_end(&work);
		switch (ret) {
		case 0:
			trace_superpage_fault(mm, addr, order);
			return order;
		case -EINTR:
			return ret;
		case -ENOMEM:
		case -ENOENT:
		case -EAGAIN:
			if (fatal_signal_pending(current))
				return -EINTR;
			break;
		default:
			return 0;
		}
	}
	return 0;
}

/**
 * __superpage_populate() - populate a range with superpages
 * @vma: VMA that the range lies in; the caller holds mmap_lock
 * @start: first address
 * @end: address after the range
 *
 * Maps the largest superpages that fit, including small ones that do not pay, because
 * the program has asked for the memory.  Leaves the rest to ordinary page faults.  May
 * sleep.
 */
void __superpage_populate(struct vm_area_struct *vma, unsigned long start, unsigned long end)
{
	unsigned long orders = superpage_vma_allowed(vma), addr, next;
	pte_t *pte, entry;
	int order;

	if (!orders || !(vma->vm_flags & VM_WRITE) || anon_vma_prepare(vma))
		return;
	for (addr = start; addr < end; addr += PAGE_SIZE << order) {
		/* Unlike a page fault, this may leave pages unmapped. */
		if (fatal_signal_pending(current))
			return;
		order = superpage_map_eager(vma, start, end, addr, orders);
		if (order < 0)
			return;
		/*
		 * The superpage may begin before this address, or have been there
		 * before.
		 */
		pte = superpage_leaf(vma->vm_mm, addr, addr + PAGE_SIZE, &next, NULL);
		/* Not locked: it may change at any moment. */
		entry = pte ? READ_ONCE(*pte) : __pte(0);
		order = pte_superpage(entry) ? pte_superpage_order(entry) : 0;
		addr = round_down(addr, PAGE_SIZE << order);
		cond_resched();
	}
}

/**
 * __superpage_fault() - do_anonymous_page() with a superpage
 * @vmf: a page fault at an address that has a leaf table; mmap_lock is held for
 *	reading
 *
 * Handles read faults like write faults: most memory that is read is also written, and
 * once the zero page is mapped, a write can no longer get a superpage.
 *
 * Return: 0, VM_FAULT_OOM, or VM_FAULT_FALLBACK to let do_anonymous_page() map a base
 * page
 */
vm_fault_t __superpage_fault(struct vm_fault *vmf)
{
	struct vm_area_struct *vma = vmf->vma;
	unsigned long orders;
	int ret;

	/* Read-only memory gets the zero page. */
	if (!(vma->vm_flags & VM_WRITE))
		return VM_FAULT_FALLBACK;
	orders = superpage_vma_orders(vma);
	if (!orders)
		return VM_FAULT_FALLBACK;
	if (unlikely(anon_vma_prepare(vma)))
		return VM_FAULT_OOM;
	if (!READ_ONCE(superpage_eager))
		return superpage_fault_growing(vmf, orders);
	/* Even after a fatal signal there must be a page, see superpage_clear(). */
	ret = superpage_map_eager(vma, vma->vm_start, vma->vm_end, vmf->address, orders);
	return ret > 0 ? 0 : VM_FAULT_FALLBACK;
}
