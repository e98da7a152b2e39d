// SPDX-License-Identifier: GPL-2.0
/*
 * Superpages: giving back pages of zeroes that may never have been touched.
 *
 * The fault handler maps more than the program has touched, and khugepaged fills holes in
 * blocks.  A program that touches little of such memory holds many private pages of zeroes.
 * When memory is short and no reserved frames are left, allocations and kswapd look
 * for blocks with more pages of zeroes than khugepaged would fill, and map the shared
 * zero page in their place.  They do so before they reclaim or swap out anything, or kill
 * a process.  Reads give the same as before and cost no memory; a write gets a new page.
 *
 * There is no list of such blocks, so they cost nothing while memory is plentiful.  A
 * search goes through the frames of a node, and finds by rmap which address a page has.
 * It looks at a bounded number of pages and leaves a position from which the next search
 * continues.  After a pass that found nothing, the search rests for thirty times as long
 * as the pass took, and after a pass that found little, for as long as it took.
 *
 * A block is one of:
 *
 *  - a superpage of up to 1 MiB, or 1 MiB of a larger one, which is what khugepaged
 *    would fill again as a whole;
 *  - a unit of base pages with contiguous frames, which is what page faults map where
 *    a superpage does not pay.
 *
 * All of this runs in tasks that need memory.  So it allocates nothing, and waits for
 * no lock whose holder may be waiting for memory.  It does not use mmap_lock: the threads
 * of the very process that has the pages of zeroes hold it while they wait for memory, that
 * is, for this code.  It holds the lock of the anon_vma, as reclaim does, which keeps the
 * VMA and its page tables: free_pgtables() takes the VMA out of the anon_vma first.  Nor
 * does it become a user of an mm.  A process that the OOM killer has killed frees its memory
 * when its last user goes.  If that were this code, or a worker some time later, the OOM
 * killer would go on killing until then.
 */

#include <linux/highmem.h>
#include <linux/init.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/memory_hotplug.h>
#include <linux/mm.h>
#include <linux/mmu_notifier.h>
#include <linux/mutex.h>
#include <linux/nodemask.h>
#include <linux/rmap.h>
#include <linux/sched/coredump.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/superpage.h>
#include <linux/swap.h>
#include <linux/userfaultfd_k.h>
#include <linux/vmstat.h>

#include <asm/tlbflush.h>

#include <trace/events/superpage.h>

#include "internal.h"
#include "superpage.h"

/* After giving back this many pages, let the caller check whether that is enough. */
#define BATCH		((unsigned long)SUPERPAGE_HUGE_NR)

/*
 * What reading all of a page takes from the budget.  A page takes 1 if its first FIRST_BYTES
 * already show that it is not all zeroes.
 */
#define READ_COST	((long)PAGE_SIZE / 128)
#define FIRST_BYTES	128

/* What finding out where a page is mapped takes from the budget. */
#define RMAP_COST	4

/*
 * How long, in jiffies, a task waits while another one searches.  A search takes some
 * 10 ms, but the task that searches may have to wait for a processor.
 */
#define SEARCH_WAIT	max(HZ / 20, 2)

/* For how many jiffies the OOM killer tries again if a search had to leave out pages. */
#define CONTENDED_WAIT	max(HZ / 10, 2)

/* How much the OOM killer searches before it releases oom_lock. */
#define OOM_BUDGET	(64 * SUPERPAGE_SHRINK_BUDGET)

/* After a pass that found nothing, rest for this many times its duration. */
#define REST		30

/* A pass that took more ns than this for each page has found little: swap may be as quick. */
#define SLOW_NS		(100 * NSEC_PER_USEC)

/* After a pause of this many jiffies, what a pass has searched before no longer counts. */
#define STALE		HZ

/* /sys/kernel/mm/transparent_hugepage/shrink_underused */
bool superpage_shrink_underused __read_mostly = true;

/**
 * struct superpage_scan - state of the search for pages of zeroes
 * @lock: protects everything below
 * @nodes: nodes on which pages are wanted
 * @zoneidx: the highest zone in which pages are wanted
 * @least: the lowest @zoneidx in this pass
 * @pfn: frame to continue from; 0 at the beginning of a pass
 * @budget: how much may still be looked at
 * @spent: duration of the pass up to now, in ns
 * @total: number of pages that all calls have given back; read without @lock
 * @last: when the last search ended, in jiffies
 * @found: number of pages that this pass has given back
 * @whole: this pass began with the first frame, has not paused for STALE, and has given
 *	nothing back
 * @oom: the caller holds oom_lock and must not give up the processor
 * @contended: this pass has left out pages, because the lock of their anon_vma was in use
 * @until: up to when, in jiffies, the OOM killer tries those pages again
 * @late: somebody has waited in vain for the search that is running; set without @lock
 * @resting: no new pass before @next for zones up to @least
 * @next: end of the rest, in jiffies
 */
struct superpage_scan {
	struct mutex lock;
	nodemask_t nodes;
	int zoneidx;
	int least;
	unsigned long pfn;
	long budget;
	u64 spent;
	unsigned long total;
	unsigned long last;
	unsigned long found;
	bool whole;
	bool oom;
	bool contended;
	unsigned long until;
	bool late;
	bool resting;
	unsigned long next;
};

/* One per node, and one for the OOM killer, which may need memory of several nodes. */
static struct superpage_scan *superpage_scans __read_mostly;

/* --- One page ------------------------------------------------------------------------ */

/* May pages of zeroes be taken from @vma? */
static bool superpage_vma_gives(struct vm_area_struct *vma)
{
	/*
	 * Locked memory must stay.  mlock() sets VM_LOCKED first, then the flag of each
	 * page, which superpage_spare_page() checks.  Where mlock() finds the zero page, it
	 * has it replaced by a new page, unless the VMA is read-only.  The handler of a
	 * userfaultfd would not learn that a page has gone.  A userfaultfd that is
	 * registered meanwhile misses nothing, because the PTE stays present.
	 */
	return vma_is_anonymous(vma) &&
	       !(vma->vm_flags & (VM_SHARED | VM_LOCKED | VM_LOCKONFAULT | VM_GROWSDOWN |
				  VM_GROWSUP | VM_SPECIAL)) &&
	       !userfaultfd_armed(vma);
}

/*
 * Return the page of @pte if it can be given back, provided that it is zero; otherwise
 * NULL.  It must not be shared, nor have any other reference: it could be pinned, or on
 * its way to swap or elsewhere.  The search must not read a broken page, and reclaim can
 * free a page that MADV_FREE has freed anyway.
 */
static struct page *superpage_spare_page(struct vm_area_struct *vma, unsigned long addr,
					 pte_t pte)
{
	struct page *page = pte_present(pte) ? vm_normal_page(vma, addr, pte) : NULL;

	if (!page || !PageAnon(page) || PageHWPoison(page) || PageKsm(page) ||
	    PageSwapCache(page) || PageMlocked(page) || !PageSwapBacked(page) ||
	    page_mapcount(page) != 1 || page_count(page) != 1)
		return NULL;
	return page;
}

/* Are the first @len bytes of the page zero? */
static bool superpage_page_is_zero(struct page *page, size_t len)
{
	void *p = kmap_local_page(page);
	bool zero = mem_is_zero(p, len);

	kunmap_local(p);
	return zero;
}

/*
 * Map the zero page in place of the page of @ptep, if that is zero.  The caller holds
 * the lock of the PTE.  Returns the old page, with the reference that the PTE held,
 * or NULL.
 *
 * Other threads of the process may write to the page meanwhile.  So this function clears
 * the PTE, which takes the page out of its superpage, and purges it, and then compares the
 * page with zero.  By then all writes through the old translation are done.  A later
 * write takes a page fault, and the fault handler acts on a PTE only with its lock
 * held; so does collapse.  The caller holds the lock of the PTE until the PTE has been
 * set again, so both find the old page or the zero page, but never an empty PTE.  KSM
 * relies on the same order.
 *
 * The caller holds mmap_lock or the lock of the anon_vma.  With the latter, mprotect()
 * may change the protection of the VMA meanwhile.  It does that before it changes the
 * PTEs, with their locks held, so it changes the new PTE or the new one has it already.
 *
 * This function counts references after the purge, when nobody can get a new one through
 * the PTE.  So it sees a pin that was taken before.  Compaction and memory_failure() find
 * a page by its frame and may take a reference at any time.  They do not write to it.
 * They look for its mappings by rmap with the page locked, and here the page stays
 * locked until it is no longer mapped.
 */
static struct page *superpage_replace_by_zero(struct vm_area_struct *vma, unsigned long addr,
					      pte_t *ptep)
{
	struct page *page = superpage_spare_page(vma, addr, *ptep);
	struct mm_struct *mm = vma->vm_mm;
	pte_t pte, zero;

	/* First a hint, which leaves pages with contents in their superpages. */
	if (!page || !superpage_page_is_zero(page, PAGE_SIZE) || !trylock_page(page))
		return NULL;
	pte = ptep_clear_flush_notify(vma, addr, ptep);
	if (!superpage_spare_page(vma, addr, pte) || !superpage_page_is_zero(page, PAGE_SIZE)) {
		set_pte_at(mm, addr, ptep, pte);
		unlock_page(page);
		return NULL;
	}
	zero = pte_mkspecial(pfn_pte(my_zero_pfn(addr), vma->vm_page_prot));
	set_pte_at(mm, addr, ptep, zero);
	page_remove_rmap(page, vma, false);
	dec_mm_counter(mm, MM_ANONPAGES);
	unlock_page(page);
	return page;
}

/* Return the PTE of @addr, and its lock in @ptl; NULL if there is no leaf table. */
static pte_t *superpage_pte_of(struct vm_area_struct *vma, unsigned long addr, spinlock_t **ptl)
{
	unsigned long next;
	pmd_t *pmd;
	pte_t *pte;

	pte = superpage_leaf(vma->vm_mm, addr, addr + PAGE_SIZE, &next, &pmd);
	if (pte)
		*ptl = pte_lockptr(vma->vm_mm, pmd);
	return pte;
}

/* --- A block ----------------------------------------------------------------------------- */

/*
 * Has the block more pages of zeroes than khugepaged would fill?  Stops as soon as it
 * knows the answer.  The answer is a hint, because this drops the lock after each page.
 * Does not give up the processor: reclaim may be waiting for the anon_vma.
 */
static bool superpage_underused(struct superpage_scan *s, struct vm_area_struct *vma,
				unsigned long start, unsigned int order)
{
	unsigned int n = 1U << order, most = superpage_max_none(order), zeroes = 0, i;
	unsigned long addr = start;
	struct page *page;
	spinlock_t *ptl;
	bool read, zero;
	pte_t *pte;

	for (i = 0; i < n && i - zeroes < n - most; i++, addr += PAGE_SIZE) {
		pte = superpage_pte_of(vma, addr, &ptl);
		if (!pte)
			return false;
		spin_lock(ptl);
		page = superpage_spare_page(vma, addr, *pte);
		read = page && superpage_page_is_zero(page, FIRST_BYTES);
		zero = read && superpage_page_is_zero(page, PAGE_SIZE);
		spin_unlock(ptl);
		s->budget -= read ? READ_COST : 1;
		zeroes += zero;
		if (zeroes > most)
			return true;
	}
	return false;
}

/*
 * Replace pages of zeroes in a range of up to 1 MiB by the zero page, without giving up
 * the processor.  Returns how many.
 */
static unsigned long superpage_replace_zeroes(struct vm_area_struct *vma, unsigned long start,
					      unsigned long end)
{
	struct mmu_notifier_range range;
	unsigned long addr, freed = 0;
	struct page *page;
	spinlock_t *ptl;
	pte_t *pte;

	mmu_notifier_range_init(&range, MMU_NOTIFY_CLEAR, 0, vma, vma->vm_mm, start, end);
	if (mmu_notifier_invalidate_range_start_nonblock(&range))
		return 0;
	update_hiwater_rss(vma->vm_mm);
	for (addr = start; addr < end; addr += PAGE_SIZE) {
		pte = superpage_pte_of(vma, addr, &ptl);
		if (!pte)
			continue;
		spin_lock(ptl);
		page = superpage_replace_by_zero(vma, addr, pte);
		spin_unlock(ptl);
		if (page) {
			put_page(page);
			freed++;
		}
	}
	mmu_notifier_invalidate_range_only_end(&range);
	return freed;
}

/**
 * superpage_give_back_zeroes() - replace pages of zeroes in a range by the zero page
 * @vma: the VMA; the caller holds mmap_lock
 * @start: first address of the range
 * @end: address after the range
 *
 * Leaves alone pages that are shared or in use, and VMAs that are locked or have a
 * userfaultfd.  Demotes superpages as far as it has to.  Allocates nothing, and waits for
 * no lock but those of PTEs.  May sleep.
 *
 * Return: the number of pages given back
 */
unsigned long superpage_give_back_zeroes(struct vm_area_struct *vma, unsigned long start,
					 unsigned long end)
{
	unsigned long next, freed = 0;

	if (!superpage_vma_gives(vma))
		return 0;
	for (; start < end; start = next) {
		next = min(end, start + (PAGE_SIZE << SUPERPAGE_HUGE_ORDER));
		freed += superpage_replace_zeroes(vma, start, next);
		cond_resched();
	}
	return freed;
}

/* Give the pages of zeroes of a block back if it has enough of them.  Returns how many. */
static unsigned long superpage_shrink_block(struct superpage_scan *s,
					    struct vm_area_struct *vma, unsigned long start,
					    unsigned int order)
{
	unsigned long freed;

	if (!superpage_underused(s, vma, start, order))
		return 0;
	freed = superpage_replace_zeroes(vma, start, start + (PAGE_SIZE << order));
	s->budget -= freed * READ_COST;
	if (freed && order >= SUPERPAGE_HUGE_ORDER)
		count_vm_event(THP_UNDERUSED_SPLIT_PAGE);
	trace_superpage_underused(vma->vm_mm, start, order, freed);
	return freed;
}

/* Does @pte begin a unit of base pages with contiguous frames, as page faults map it? */
static bool superpage_is_unit(struct vm_area_struct *vma, const pte_t *pte)
{
	unsigned long pfn = pte_pfn(READ_ONCE(*pte));
	unsigned int i;

	if (!IS_ALIGNED(pfn, 1UL << SUPERPAGE_UNIT_ORDER) || !superpage_vma_orders(vma))
		return false;
	for (i = 0; i < 1U << SUPERPAGE_UNIT_ORDER; i++, pte++) {
		pte_t entry = READ_ONCE(*pte);

		if (!pte_present(entry) || pte_superpage(entry) || pte_pfn(entry) != pfn + i)
			return false;
	}
	return true;
}

/* --- All of them --------------------------------------------------------------------------- */

/*
 * Look at the block that has the page at @addr, with frame @pfn.  The caller holds the lock
 * of the VMA's anon_vma.  Returns the number of frames from this one to the end of the
 * block if that is in a superpage, otherwise 0.
 */
static unsigned long superpage_scan_at(struct superpage_scan *s, struct vm_area_struct *vma,
				       unsigned long addr, unsigned long pfn,
				       unsigned long *freed)
{
	unsigned int order = SUPERPAGE_UNIT_ORDER;
	unsigned long next, start, end;
	pte_t *pte, entry;

	pte = superpage_leaf(vma->vm_mm, addr, addr + PAGE_SIZE, &next, NULL);
	entry = pte ? READ_ONCE(*pte) : __pte(0);
	if (!pte_present(entry) || pte_pfn(entry) != pfn)
		return 0;
	/* Look at 1 MiB of a larger superpage: reading a gigabyte takes seconds. */
	if (pte_superpage(entry))
		order = min_t(unsigned int, pte_superpage_order(entry), SUPERPAGE_HUGE_ORDER);
	start = round_down(addr, PAGE_SIZE << order);
	end = start + (PAGE_SIZE << order);
	if (start >= vma->vm_start && end <= vma->vm_end &&
	    (pte_superpage(entry) || (start == addr && superpage_is_unit(vma, pte))))
		*freed += superpage_shrink_block(s, vma, start, order);
	/* The frames of a superpage are aligned as its addresses are. */
	return pte_superpage(entry) ? (end - addr) >> PAGE_SHIFT : 0;
}

/* May @page be in a block of this search? */
static bool superpage_wanted(const struct superpage_scan *s, struct page *page)
{
	return PageLRU(page) && PageAnon(page) && !PageKsm(page) && page_mapcount(page) == 1 &&
	       node_isset(page_to_nid(page), s->nodes) && page_zonenum(page) <= s->zoneidx;
}

/*
 * Look at the block that has a frame.  Returns the number of frames to the end of the
 * block, or of whatever else is there.
 */
static unsigned long superpage_scan_frame(struct superpage_scan *s, unsigned long pfn,
					  unsigned long *freed)
{
	struct page *page = pfn_to_online_page(pfn);
	struct rmap_walk_control rwc = { .try_lock = true };
	unsigned long unit = 1UL << SUPERPAGE_UNIT_ORDER, n = unit - (pfn & (unit - 1));
	struct vm_area_struct *vma;
	struct anon_vma_chain *avc;
	struct anon_vma *anon_vma;
	unsigned long addr, size;
	pgoff_t index;

	s->budget--;
	if (!page)
		return pageblock_nr_pages - (pfn & (pageblock_nr_pages - 1));
	if (PageBuddy(page) || PageCompound(page)) {
		/* Read without a lock, so the order may be anything. */
		size = PageBuddy(page) ? buddy_order_unsafe(page) : compound_order(page);
		return size < MAX_ORDER ? max(n, 1UL << size) : n;
	}
	if (!superpage_wanted(s, page) || !get_page_unless_zero(page))
		return n;
	/*
	 * A holder of this lock does not wait for memory, but may wait for a processor.  So
	 * only try it.
	 */
	anon_vma = superpage_wanted(s, page) ?
		   folio_lock_anon_vma_read(page_folio(page), &rwc) : NULL;
	index = page_to_pgoff(page);
	/* With this reference, superpage_spare_page() would take the page for one in use. */
	put_page(page);
	s->contended |= rwc.contended;
	if (!anon_vma)
		return n;
	anon_vma_interval_tree_foreach(avc, &anon_vma->rb_root, index, index) {
		vma = avc->vma;
		addr = vma_pgoff_address(index, 1, vma);
		s->budget -= RMAP_COST;
		if (addr == -EFAULT || !superpage_maps(vma, addr, pfn, NULL))
			continue;
		/* All memory of an mm that is exiting or being reaped will be free soon. */
		if (superpage_vma_gives(vma) && atomic_read(&vma->vm_mm->mm_users) &&
		    !test_bit(MMF_UNSTABLE, &vma->vm_mm->flags))
			n = max(n, superpage_scan_at(s, vma, addr, pfn, freed));
		break;
	}
	anon_vma_unlock_read(anon_vma);
	return n;
}

/*
 * Return the first frame from @pfn on of a node of this search, ULONG_MAX if there is none.
 * Sets *@end to the end of that node.
 */
static unsigned long superpage_scan_next(const struct superpage_scan *s, unsigned long pfn,
					 unsigned long *end)
{
	unsigned long first = ULONG_MAX, start;
	int nid;

	for_each_node_mask(nid, s->nodes) {
		if (!node_online(nid) || node_end_pfn(nid) <= pfn)
			continue;
		start = max(pfn, node_start_pfn(nid));
		if (start < first) {
			first = start;
			*end = node_end_pfn(nid);
		}
	}
	return first;
}

/*
 * Must the search stop to let others run?  A task that is scheduled out with oom_lock held
 * keeps the lock until it runs again, and meanwhile nobody can free memory by killing.
 */
static bool superpage_scan_yields(const struct superpage_scan *s)
{
	return s->oom && need_resched();
}

/* Begin a pass with the first frame. */
static void superpage_scan_again(struct superpage_scan *s)
{
	s->pfn = 0;
	s->spent = 0;
	s->found = 0;
	s->whole = true;
	s->contended = false;
}

/*
 * Return for how many ns to rest after a pass that took @spent ns: 0 if it found much, or if
 * it found nothing but has not seen all frames lately.  The OOM killer must not kill while
 * there is something to find, so its search rests only after it has searched all in vain.
 */
static u64 superpage_scan_rest(const struct superpage_scan *s, u64 spent)
{
	if (s->whole)
		return spent * REST + 1;
	return !s->oom && s->found && spent / s->found > SLOW_NS ? spent : 0;
}

/* End the pass. */
static void superpage_scan_end(struct superpage_scan *s)
{
	u64 rest = superpage_scan_rest(s, s->spent);

	s->next = jiffies + nsecs_to_jiffies(rest) + 1;
	superpage_scan_again(s);
	WRITE_ONCE(s->resting, rest);
}

/*
 * Search until BATCH pages have been given back or the budget is spent.  If a pass ends
 * without a find and needs no rest, begins the next one instead of reporting that there is
 * nothing.  Returns the number of pages given back.
 */
static unsigned long superpage_scan(struct superpage_scan *s, int zoneidx)
{
	unsigned long freed = 0, pfn = s->pfn, end = 0;
	u64 begin = ktime_get_ns(), now;
	bool ended = false;

	/* A pass for a low zone has skipped pages that are of use for a higher one. */
	s->least = pfn ? min(s->least, zoneidx) : zoneidx;
	s->zoneidx = zoneidx;
	s->whole &= time_before(jiffies, s->last + STALE) || !pfn;
	WRITE_ONCE(s->resting, false);
	while (s->budget > 0 && freed < BATCH && !superpage_exiting()) {
		if (pfn >= end)
			pfn = superpage_scan_next(s, pfn, &end);
		if (pfn == ULONG_MAX) {
			now = ktime_get_ns();
			ended = freed || superpage_scan_rest(s, s->spent + now - begin);
			if (ended)
				break;
			superpage_scan_again(s);
			begin = now;
			pfn = 0;
			end = 0;
			continue;
		}
		pfn += superpage_scan_frame(s, pfn, &freed);
		if (superpage_scan_yields(s))
			break;
		if (!s->oom)
			cond_resched();
	}
	s->pfn = pfn;
	s->spent += ktime_get_ns() - begin;
	s->last = jiffies;
	s->found += freed;
	s->whole &= !freed;
	WRITE_ONCE(s->total, s->total + freed);
	if (ended && s->oom && s->contended && !s->found && time_before(jiffies, s->until))
		superpage_scan_again(s);
	else if (ended)
		superpage_scan_end(s);
	return freed;
}

static bool superpage_scan_rests(const struct superpage_scan *s, int zoneidx)
{
	return READ_ONCE(s->resting) && zoneidx <= READ_ONCE(s->least) &&
	       time_before(jiffies, READ_ONCE(s->next));
}

/* Does any process have superpages, or may it get some? */
static bool superpage_in_use(void)
{
	unsigned int order;

	if (superpage_orders())
		return true;
	for (order = 1; order < MAX_ORDER; order++)
		if (superpage_sum(order, SUPERPAGE_NR_ANON) > 0)
			return true;
	return false;
}

/* Return the search for node @i, or that of the OOM killer; NULL if searches are off. */
static struct superpage_scan *superpage_scan_of(int i)
{
	/*
	 * Pairs with smp_store_release() in superpage_underused_init(): whoever sees
	 * the pointer sees the initialized structures.
	 */
	struct superpage_scan *s = smp_load_acquire(&superpage_scans);

	if (!s || !READ_ONCE(superpage_shrink_underused) ||
	    superpage_max_none(SUPERPAGE_HUGE_ORDER) == SUPERPAGE_HUGE_NR)
		return NULL;
	return s + i;
}

/**
 * superpage_shrink_node() - give back pages of zeroes of underused superpages
 * @nid: node that has too little free memory
 * @zoneidx: the highest zone that is wanted
 * @budget: how many pages to look at, SUPERPAGE_SHRINK_BUDGET; what is left is
 *	returned
 *
 * For callers that may sleep and have found no reserved frames.
 *
 * Return: the number of pages given back
 */
unsigned long superpage_shrink_node(int nid, int zoneidx, long *budget)
{
	struct superpage_scan *s = superpage_scan_of(nid);
	unsigned long before, freed, until;

	if (!s || superpage_scan_rests(s, zoneidx) || !superpage_in_use())
		return 0;
	before = READ_ONCE(s->total);
	if (mutex_trylock(&s->lock)) {
		WRITE_ONCE(s->late, false);
		s->budget = *budget;
		freed = superpage_scan(s, zoneidx);
		*budget = s->budget;
		mutex_unlock(&s->lock);
		return freed;
	}
	/*
	 * One search per node is enough.  Wait for its result instead of going on to
	 * swap.  But do not wait for long, nor again for the same search: the task that
	 * searches may not get a processor because its cgroup has used up its share, and
	 * the caller may be kswapd.
	 */
	if (READ_ONCE(s->late))
		return 0;
	until = jiffies + SEARCH_WAIT;
	while (mutex_is_locked(&s->lock) && READ_ONCE(s->total) == before &&
	       time_before(jiffies, until) && !superpage_exiting())
		schedule_timeout_killable(1);
	if (time_after_eq(jiffies, until))
		WRITE_ONCE(s->late, true);
	/* The search writes s->total before it drops the lock. */
	smp_rmb();
	*budget -= SUPERPAGE_SHRINK_BUDGET / 4;
	return READ_ONCE(s->total) - before;
}

/**
 * superpage_shrink_all() - give back pages of zeroes before a process is killed
 * @nodes: nodes that the request may use
 * @zoneidx: the highest zone that it may use
 *
 * Searches all memory of these nodes before it reports that there is nothing; after that
 * it rests.  The caller holds oom_lock, for which others may be waiting.  So each call does
 * a part of the search, and ends when another task should run.
 *
 * Return: true if pages were given back or the next call may find some
 */
bool superpage_shrink_all(const nodemask_t *nodes, int zoneidx)
{
	struct superpage_scan *s = superpage_scan_of(nr_node_ids);
	bool again = false;

	if (!s || !superpage_in_use())
		return false;
	/* oom_lock keeps others out; mutex_lock() could reschedule. */
	if (WARN_ON_ONCE(!mutex_trylock(&s->lock)))
		return true;
	if (s->resting && (!nodes_subset(*nodes, s->nodes) || !superpage_scan_rests(s, zoneidx))) {
		/* A search of other nodes says nothing about these. */
		s->nodes = *nodes;
		s->until = jiffies + CONTENDED_WAIT;
		WRITE_ONCE(s->resting, false);
	} else if (!s->resting && !nodes_subset(*nodes, s->nodes)) {
		/*
		 * Add the nodes to the pass.  Requests for different sets of nodes may
		 * take turns.  If each began the pass anew, none would ever end, and
		 * nobody would be killed.
		 */
		nodes_or(s->nodes, s->nodes, *nodes);
		s->whole = !s->pfn;
	}
	if (!s->resting) {
		s->budget = OOM_BUDGET;
		again = superpage_scan(s, zoneidx) || !s->resting;
	}
	mutex_unlock(&s->lock);
	return again;
}

static int __init superpage_underused_init(void)
{
	struct superpage_scan *s = kcalloc(nr_node_ids + 1, sizeof(*s), GFP_KERNEL);
	int i;

	if (!s)
		return -ENOMEM;
	for (i = 0; i <= nr_node_ids; i++) {
		mutex_init(&s[i].lock);
		s[i].whole = true;
		s[i].until = jiffies;
		s[i].oom = i == nr_node_ids;
		if (i < nr_node_ids)
			node_set(i, s[i].nodes);
	}
	/* Pairs with smp_load_acquire() in superpage_scan_of(); kswapd may run already. */
	smp_store_release(&superpage_scans, s);
	return 0;
}
subsys_initcall(superpage_underused_init);
