// SPDX-License-Identifier: GPL-2.0
/*
 * Page faults in memory that can have superpages.
 *
 * A page fault maps little where nothing is known: a unit of four pages.  It maps as
 * much as there is beside it, where that is full; and what is missing of a block of
 * which three quarters of the units have had page faults.  So a walk from front to
 * back maps a gigabyte by some 80 page faults, and has at most twice as much mapped as
 * it has touched at any moment.  Scattered accesses have four times as much, since
 * each touches one page of a unit.  The frames come from a reservation
 * (superpage_reserve.c), so what has become full is made one larger superpage in place.
 *
 * With vm.superpage_eager, and for ranges that are to be populated as a whole, a
 * page fault maps the largest superpage that there is memory for.
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

/* Does no PTE in [@start, @end) have a page?  Without a lock it is a hint. */
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

/* Make all leaf tables of [@start, @end). */
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
 * Enter the pages into rmap and LRU.  Ahead of the PTEs, since this takes long
 * for the lock of theirs: until then reclaim and migration find pages that are
 * mapped and do not find where, and leave them alone.
 */
static void superpage_add_rmap(struct vm_area_struct *vma, unsigned long start,
			       struct page *page, unsigned int order)
{
	int i;

	for (i = 0; i < 1 << order; i++) {
		preempt_disable();	/* for the counters */
		page_add_new_anon_rmap(page + i, vma, start + i * PAGE_SIZE);
		preempt_enable();
		lru_cache_add_inactive_or_unevictable(page + i, vma);
		cond_resched();
	}
}

/*
 * What reclaim has found meanwhile is in the swap cache, from where it did not get further.
 * No PTE will ever ask for it there.
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

/* Set the PTEs; -EEXIST if something is mapped there. */
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
	 * Others may have mapped something: those who found no reservation, since it
	 * was given back, or who were told to leave superpages alone.
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
		superpage_count_huge(mm, THP_FAULT_ALLOC, superpage_huge_pages(size));
	}
	/*
	 * It may be the last piece of a larger one.  A frame of a reservation is mapped
	 * from it but once, so here each page becomes a part of each size once at most:
	 * the limit says where looking is of use, not how much work is in proportion.
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

/* A page fault goes on with a smaller size. */
static void superpage_fell_back(struct mm_struct *mm, unsigned long addr, unsigned int order)
{
	trace_superpage_fallback(mm, addr, order);
	superpage_count(order, SUPERPAGE_ANON_FAULT_FALLBACK, 1);
	if (order >= SUPERPAGE_HUGE_ORDER)
		count_vm_event(THP_FAULT_FALLBACK);
}

/* Charge for what a page fault maps; superpages only within high and max. */
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
 * Clear the frames and hand them their charges; how many of them were cleared before
 * a fatal signal.  That is not looked at where other threads wait for the frames: it
 * is not for them to begin anew, and the size is bounded.  Nor where there is little
 * to clear.  Whoever is killed in the kernel, in read() say, has page faults until
 * what he writes to is there, so each has to come to an end.
 */
static unsigned int superpage_clear(struct page *page, unsigned long addr, unsigned int nr,
				    struct mem_cgroup *memcg, bool awaited)
{
	unsigned int i;

	for (i = 0; i < nr; i++, page++, addr += PAGE_SIZE) {
		if (!awaited && nr > 1U << SUPERPAGE_UNIT_ORDER && fatal_signal_pending(current))
			break;
		mem_cgroup_charged(page, memcg);
		clear_user_highpage(page, addr);
		/* Makes the zeroes visible before the PTE is. */
		__SetPageUptodate(page);
		cond_resched();
	}
	return i;
}

/*
 * Map 2^@order pages around @addr, all of which are in the VMA: from the reservation
 * @r, or from what is free if that is NULL.  What is larger than the largest size in
 * @orders is mapped by several superpages, what is smaller by base pages.
 *
 * Charges first, so that memory is cleared for nobody who may not have it, and clears
 * without a lock but mmap_lock.
 *
 * Returns 0, or -ENOMEM: no memory or charge for so much; -EEXIST: something is mapped
 * there; -EFAULT: the mm is being reaped; -EINTR: a fatal signal came while more than a
 * unit was cleared; or what superpage_claim() returns.
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
	/* Before the claim, for which others may wait, since this may sleep for long. */
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
	cleared = superpage_clear(page, start, nr, memcg, r);
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
	/* Last of all: who waits looks at the PTE, and takes another frame if there is none. */
	if (r)
		superpage_claim_done(mm, r, addr);
	return ret;
}

/* --- How much to map --------------------------------------------------------------- */

/* The block of @order around @addr, if the VMA has all of it and nothing is mapped. */
static bool superpage_fits(struct vm_area_struct *vma, unsigned long addr, unsigned int order)
{
	unsigned long start = round_down(addr, PAGE_SIZE << order);
	unsigned long end = start + (PAGE_SIZE << order);

	return start >= vma->vm_start && end <= vma->vm_end &&
	       superpage_none(vma->vm_mm, start, end);
}

/*
 * Is the block of @order at @start mapped by one superpage at least as large, or by
 * what comes nearest to one among @orders?  Without a lock it is a hint.
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
 * superpage_beside() - is a page fault next to a full block, as in a walk?
 * @vma: the VMA; the block has to be in it, too
 * @addr: the address of the page fault
 * @order: of the block before or behind it
 * @orders: bitmap of the orders that superpages may have
 *
 * Without a lock it is a hint.
 */
bool superpage_beside(struct vm_area_struct *vma, unsigned long addr, unsigned int order,
		      unsigned long orders)
{
	unsigned long size = PAGE_SIZE << order, unit = PAGE_SIZE << SUPERPAGE_UNIT_ORDER;
	unsigned long start = round_down(addr, size), end = start + size;

	/* Within the VMA, whose leaf tables stay. */
	if (addr - start < unit && start >= vma->vm_start && start - vma->vm_start >= size &&
	    superpage_full(vma->vm_mm, start - size, order, orders))
		return true;
	return end - addr <= unit && end <= vma->vm_end && vma->vm_end - end >= size &&
	       superpage_full(vma->vm_mm, end, order, orders);
}

/**
 * superpage_advised_order() - what the first page fault maps after MADV_HUGEPAGE
 * @vma: the VMA
 * @orders: bitmap of the orders that it may have, not 0
 *
 * The program has said that the rest will be touched, too, and wants what it asked for:
 * programs look whether they got it.
 *
 * Return: the largest order that vm.superpage_fault_max permits, or the smallest of all
 * if that is larger; 0 without the advice
 */
unsigned int superpage_advised_order(struct vm_area_struct *vma, unsigned long orders)
{
	unsigned int most = ilog2(READ_ONCE(superpage_fault_max)) - PAGE_SHIFT;

	/* Who wants pages locked as they are touched wants no more than those. */
	if (!superpage_advised(vma) || vma->vm_flags & VM_LOCKONFAULT)
		return 0;
	return orders & GENMASK(most, 0) ? __fls(orders & GENMASK(most, 0)) : __ffs(orders);
}

/**
 * superpage_first_order() - what the first page fault of a block maps
 * @vma: the VMA
 * @orders: bitmap of the orders that it gets by itself, not 0
 *
 * Without advice it is the smallest size there can be.  If an administrator has enabled
 * large ones only, to map less would give none of them to who touches little, and who
 * does that shall have base pages says so with MADV_NOHUGEPAGE.
 *
 * Return: its order; 0 if nothing is to be mapped but by the rules at the head of this file
 */
unsigned int superpage_first_order(struct vm_area_struct *vma, unsigned long orders)
{
	unsigned int most = ilog2(READ_ONCE(superpage_fault_max)) - PAGE_SHIFT;
	unsigned int order = superpage_advised_order(vma, orders);

	if (order || vma->vm_flags & VM_LOCKONFAULT)
		return order;
	/* What does not pay is enabled nevertheless. */
	order = __ffs(orders | superpage_vma_allowed(vma));
	return order <= most ? order : 0;
}

/*
 * The order to map at @addr, whose frame the reservation has: at most @most, and as
 * much as @first if it is there.
 */
static unsigned int superpage_choose(struct vm_area_struct *vma, struct superpage_reserv *r,
				     unsigned long addr, unsigned int most, unsigned int first,
				     unsigned long orders)
{
	unsigned int order;

	/* Sizes go up from the unit by the same step. */
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

/* Map what is left of the block of @order around @addr. */
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
		/* Nobody needs it now, so whatever is in the way ends it. */
		if (fatal_signal_pending(current) ||
		    superpage_map_frames(vma, r, addr, part, orders))
			return;
	}
}

/*
 * A page fault in a reservation.  VM_FAULT_FALLBACK if the page's frame is not to be
 * had: it has been given back.
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
		/* Another thread is mapping it, or it has been given back. */
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
		case -ENOENT:	/* some of it has just gone: frames never come back */
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

/* A page fault by the rules at the head of this file. */
static vm_fault_t superpage_fault_growing(struct vm_fault *vmf, unsigned long orders)
{
	unsigned int most = ilog2(READ_ONCE(superpage_fault_max)) - PAGE_SHIFT;
	struct vm_area_struct *vma = vmf->vma;
	unsigned long addr = vmf->address;
	struct superpage_reserv *r;
	unsigned int order;
	vm_fault_t ret;

	/* Who wants pages locked as they are touched wants no more than those. */
	if (vma->vm_flags & VM_LOCKONFAULT)
		most = min_t(unsigned int, most, SUPERPAGE_UNIT_ORDER);

	r = superpage_reserv_find(vma, addr);
	if (!r)
		r = superpage_reserve(vma, addr, orders);
	if (r) {
		ret = superpage_fault_reserved(vmf, r, most, orders);
		if (ret == VM_FAULT_FALLBACK &&
		    !superpage_reserv_claimed(r, addr, SUPERPAGE_UNIT_ORDER))
			most = 0;
		superpage_reserv_put(r);
		if (ret != VM_FAULT_FALLBACK)
			return ret;
	}
	/* A unit, or the largest size if that is still smaller. */
	order = min3(most, (unsigned int)__fls(orders), (unsigned int)SUPERPAGE_UNIT_ORDER);
	if (!order || !superpage_fits(vma, addr, order))
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
 * struct superpage_work - a page fault that clears much
 * @list: those that there are
 * @mm: whose
 * @start: the first address
 * @end: the one behind the last
 *
 * Zeroing a gigabyte twice, since two threads want it at the same time, would be a
 * pity: one does, and the others wait and find it.  Nobody waits for what is cleared
 * for another process, or elsewhere, as those would who happen to share a lock.
 */
struct superpage_work {
	struct list_head list;
	struct mm_struct *mm;
	unsigned long start, end;
};

static LIST_HEAD(superpage_works);
static DEFINE_SPINLOCK(superpage_works_lock);
static DECLARE_WAIT_QUEUE_HEAD(superpage_works_wait);

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
 * The largest order that can be mapped around @addr between @low and @high, which are
 * in the VMA; 0 for a base page.
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
 * Map the largest superpage that can be had around @addr, between @low and @high.
 * Returns its order, 0 if it is to be a base page, or -EINTR.
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
			/* What has been set aside in parts is of no use for the whole. */
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
			/* Where there is no leaf table yet, there is no mark either. */
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
 * __superpage_populate() - map a range that somebody wants to be there
 * @vma: VMA that has it
 * @start: first address
 * @end: address behind the last
 *
 * With the largest superpages that fit, whatever is thought to pay: it was asked for.
 * What they leave is left to page faults.  mmap_lock is held.
 */
void __superpage_populate(struct vm_area_struct *vma, unsigned long start, unsigned long end)
{
	unsigned long orders = superpage_vma_allowed(vma), addr, next;
	pte_t *pte;
	int order;

	if (!orders || !(vma->vm_flags & VM_WRITE) || anon_vma_prepare(vma))
		return;
	for (addr = start; addr < end; addr += PAGE_SIZE << order) {
		order = superpage_map_eager(vma, start, end, addr, orders);
		if (order < 0)
			return;
		/* It may begin before this address, and there may have been one before. */
		pte = superpage_leaf(vma->vm_mm, addr, addr + PAGE_SIZE, &next, NULL);
		order = pte && pte_superpage(READ_ONCE(*pte)) ? pte_superpage_order(*pte) : 0;
		addr = round_down(addr, PAGE_SIZE << order);
		cond_resched();
	}
}

/**
 * __superpage_fault() - do_anonymous_page() with a superpage
 * @vmf: a fault at an address that has a leaf table
 *
 * A read counts as well as a write: most memory that is read is written, and a later
 * write to the zero page could no longer get a superpage.  mmap_lock is held for
 * reading.
 *
 * Return: VM_FAULT_FALLBACK for a base page of which nothing is known here
 */
vm_fault_t __superpage_fault(struct vm_fault *vmf)
{
	struct vm_area_struct *vma = vmf->vma;
	unsigned long orders = superpage_vma_orders(vma);
	int ret;

	/* What cannot be written will be read as zeroes. */
	if (!orders || !(vma->vm_flags & VM_WRITE))
		return VM_FAULT_FALLBACK;
	if (unlikely(anon_vma_prepare(vma)))
		return VM_FAULT_OOM;
	if (!READ_ONCE(superpage_eager))
		return superpage_fault_growing(vmf, orders);
	/* After a fatal signal too, a page has to come: see superpage_clear(). */
	ret = superpage_map_eager(vma, vma->vm_start, vma->vm_end, vmf->address, orders);
	return ret > 0 ? 0 : VM_FAULT_FALLBACK;
}
