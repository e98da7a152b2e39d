// SPDX-License-Identifier: GPL-2.0
/*
 * Superpages: giving back pages of zeroes that nobody may ever have touched.
 *
 * A page fault maps more than was touched, and khugepaged fills what is missing of a block.
 * Programs that touch little of it have memory full of zeroes, which nobody else has.  When
 * memory is short, and all that was set aside has been given back, page faults and kswapd
 * look for blocks that have more pages of zeroes than khugepaged would fill, and map the
 * page of zeroes instead: before they reclaim, swap or kill anything.  What is read there
 * is what was read before, and costs no memory; a write gets a page.
 *
 * There is no list of such blocks, so nothing is to be done for them while memory is
 * plentiful.  Whoever looks for them goes on where the last one has ended, through the
 * processes by their PIDs, as khugepaged does: a bounded number of pages at a time.  After
 * a pass in vain the search rests thirty times as long as that took.  Of a process that
 * changes its mappings all the time a pass may see the beginning only.
 *
 * A block is a superpage, or 1 MiB of a larger one, which khugepaged would fill again as a
 * whole; or a unit of base pages with frames in one piece, which is what page faults map
 * where a superpage does not pay.
 *
 * All of this is called by who needs memory.  So it allocates nothing, and waits for no
 * lock under which somebody may be waiting for memory: mmap_lock and page locks are tried
 * only.  And it has no reference to the users of an mm: who is killed for lack of memory
 * gives it back when the last user goes, and that must not be us, or a worker some time
 * later.  Until then the OOM killer would go on killing.  Page tables and VMAs stay while
 * mmap_lock is held, since exit_mmap() takes it for writing before it frees them.
 */

#include <linux/highmem.h>
#include <linux/init.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/mmap_lock.h>
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

#include "superpage.h"

/* Who has so many pages looks whether it is enough. */
#define BATCH		((unsigned long)SUPERPAGE_HUGE_NR)

/* Of the budget: a page that is no page of zeroes costs one, as its first words say so. */
#define READ_COST	((long)PAGE_SIZE / 128)

/* What the OOM killer looks at before it lets go of oom_lock. */
#define OOM_BUDGET	(64 * SUPERPAGE_SHRINK_BUDGET)

/* A pass in which nothing was found is followed by a rest of so many times as long. */
#define REST		30

/* /sys/kernel/mm/transparent_hugepage/shrink_underused */
bool superpage_shrink_underused __read_mostly = true;

/**
 * struct superpage_scan - how far the search for pages of zeroes has come
 * @lock: everything below
 * @nodes: on which nodes pages are wanted
 * @zoneidx: up to which zone
 * @least: the lowest @zoneidx of the pass
 * @pid: the process whose turn it is
 * @addr: where in it
 * @budget: what may still be looked at
 * @spent: how long the pass has taken up to now, in ns
 * @freed: how many pages the latest call has given back
 * @found: the pass has found something
 * @whole: the pass began with the first process, and has found nothing
 * @resting: no new pass before @next, for who wants pages up to @least
 * @next: in jiffies
 */
struct superpage_scan {
	struct mutex lock;
	nodemask_t nodes;
	int zoneidx;
	int least;
	int pid;
	unsigned long addr;
	long budget;
	u64 spent;
	unsigned long freed;
	bool found;
	bool whole;
	bool resting;
	unsigned long next;
};

/* One for each node, and one for the OOM killer, which may lack memory of several. */
static struct superpage_scan *superpage_scans __read_mostly;

/* --- One page ------------------------------------------------------------------------ */

/* May pages of zeroes be taken from it? */
static bool superpage_vma_gives(struct vm_area_struct *vma)
{
	/*
	 * Who locks memory wants to have it.  With a userfaultfd, whoever handles the page
	 * faults would not learn of it; it is registered with mmap_lock held for writing.
	 */
	return vma_is_anonymous(vma) &&
	       !(vma->vm_flags & (VM_SHARED | VM_LOCKED | VM_LOCKONFAULT | VM_GROWSDOWN |
				  VM_GROWSUP | VM_SPECIAL)) &&
	       !userfaultfd_armed(vma);
}

/*
 * The page of a PTE, if it could be given back were it zero; or NULL.  Not one that others
 * have, too, or that has any further reference: it may be pinned, or on its way to swap or
 * elsewhere.  What is broken must not be read; what was given to MADV_FREE is free already.
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

static bool superpage_page_is_zero(struct page *page)
{
	void *p = kmap_local_page(page);
	bool zero = mem_is_zero(p, PAGE_SIZE);

	kunmap_local(p);
	return zero;
}

/*
 * Map the page of zeroes in the place of a page, if that is what it contains; the lock of
 * the PTE is held.  Returns the page, with the reference that the PTE had; or NULL.
 *
 * Threads of the process go on writing meanwhile.  The PTE is cleared, which takes the page
 * out of its superpage, and purged before the page is looked at, so that all that was
 * written has been written by then; and whoever wants to write later has a page fault,
 * which looks at the PTE with its lock held, or holds mmap_lock for writing.  That lock is
 * held by us all the while: he finds the page as it was, or the page of zeroes, but never
 * that there is none.  This is what KSM relies on, too.
 *
 * References are counted after the purge, when nobody can get one by the PTE any more: so
 * a pin that came before is seen.  References that come by the frame's number, as those of
 * compaction and of memory_failure(), come at any time.  These do not write; they look for
 * the page by rmap, under the page's lock, which is held here until it is not mapped.
 */
static struct page *superpage_replace_by_zero(struct vm_area_struct *vma, unsigned long addr,
					      pte_t *ptep)
{
	struct page *page = superpage_spare_page(vma, addr, *ptep);
	struct mm_struct *mm = vma->vm_mm;
	pte_t pte, zero;

	/* Most pages are told by their first words; they keep their superpage. */
	if (!page || !superpage_page_is_zero(page) || !trylock_page(page))
		return NULL;
	pte = ptep_clear_flush_notify(vma, addr, ptep);
	if (!superpage_spare_page(vma, addr, pte) || !superpage_page_is_zero(page)) {
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

/* The PTE of an address of the VMA, and its lock; NULL if there is no table. */
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
 * Has a block more pages of zeroes than khugepaged would fill?  Looks no further than it
 * takes to say so.  A hint, as the lock is given up after each page.
 */
static bool superpage_underused(struct vm_area_struct *vma, unsigned long start,
				unsigned int order, long *budget)
{
	unsigned int n = 1U << order, most = superpage_max_none(order), zeroes = 0, i;
	unsigned long addr = start;
	struct page *page;
	spinlock_t *ptl;
	bool zero;
	pte_t *pte;

	for (i = 0; i < n && i - zeroes < n - most; i++, addr += PAGE_SIZE) {
		pte = superpage_pte_of(vma, addr, &ptl);
		if (!pte)
			return false;
		spin_lock(ptl);
		page = superpage_spare_page(vma, addr, *pte);
		zero = page && superpage_page_is_zero(page);
		spin_unlock(ptl);
		*budget -= zero ? READ_COST : 1;
		zeroes += zero;
		if (zeroes > most)
			return true;
		cond_resched();
	}
	return false;
}

/**
 * superpage_give_back_zeroes() - map the page of zeroes for all pages that are zero
 * @vma: the VMA; mmap_lock is held
 * @start: first address of a range of it
 * @end: address behind the last
 *
 * But for those that others have, too, or somebody uses, and those in VMAs that are locked
 * or have a userfaultfd.  What they are parts of is made smaller, as far as it takes to do
 * so.  Allocates nothing, and waits for no lock but that of the PTEs.
 *
 * Return: how many pages have been given back
 */
unsigned long superpage_give_back_zeroes(struct vm_area_struct *vma, unsigned long start,
					 unsigned long end)
{
	struct mmu_notifier_range range;
	unsigned long addr, freed = 0;
	struct page *page;
	spinlock_t *ptl;
	pte_t *pte;

	if (!superpage_vma_gives(vma))
		return 0;
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
		cond_resched();
	}
	mmu_notifier_invalidate_range_only_end(&range);
	return freed;
}

/* Take the pages of zeroes from a block, if it has enough of them; how many. */
static unsigned long superpage_shrink_block(struct vm_area_struct *vma, unsigned long start,
					    unsigned int order, long *budget)
{
	unsigned long freed;

	if (!superpage_underused(vma, start, order, budget))
		return 0;
	freed = superpage_give_back_zeroes(vma, start, start + (PAGE_SIZE << order));
	*budget -= freed * READ_COST;
	if (freed && order >= SUPERPAGE_HUGE_ORDER)
		count_vm_event(THP_UNDERUSED_SPLIT_PAGE);
	trace_superpage_underused(vma->vm_mm, start, order, freed);
	return freed;
}

/* Is this what a page fault has mapped: base pages with frames in one piece? */
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

static bool superpage_wanted(const struct superpage_scan *s, pte_t pte)
{
	struct page *page = pte_page(pte);

	return node_isset(page_to_nid(page), s->nodes) && page_zonenum(page) <= s->zoneidx;
}

/* --- All of them --------------------------------------------------------------------------- */

/* Look at what begins at @addr; returns where to go on. */
static unsigned long superpage_scan_at(struct superpage_scan *s, struct vm_area_struct *vma,
				       unsigned long addr, unsigned long *freed)
{
	unsigned int order = SUPERPAGE_UNIT_ORDER;
	unsigned long next, start, size;
	pte_t *pte, entry;

	s->budget--;
	pte = superpage_leaf(vma->vm_mm, addr, vma->vm_end, &next, NULL);
	if (!pte)
		return next;
	entry = READ_ONCE(*pte);
	/* A larger one by its parts: to read a gigabyte takes seconds. */
	if (pte_superpage(entry))
		order = min_t(unsigned int, pte_superpage_order(entry), SUPERPAGE_HUGE_ORDER);
	size = PAGE_SIZE << order;
	start = round_down(addr, size);
	if (start == addr && vma->vm_end - start >= size && pte_present(entry) &&
	    (pte_superpage(entry) || superpage_is_unit(vma, pte)) && superpage_wanted(s, entry))
		*freed += superpage_shrink_block(vma, start, order, &s->budget);
	return min(start + size, vma->vm_end);
}

/* Give an mm its turn; false if it is to go on at s->addr next time. */
static bool superpage_scan_mm(struct superpage_scan *s, struct mm_struct *mm,
			      unsigned long *freed)
{
	struct vm_area_struct *vma;
	bool done = true;

	if (!superpage_mapped(mm) && !superpage_orders())
		return true;
	/* Who changes it may be waiting for memory: for us.  It has its turn next time. */
	if (!mmap_read_trylock(mm))
		return true;
	for (vma = find_vma(mm, s->addr); vma; vma = find_vma(mm, s->addr)) {
		/* It has ended, or is killed: all that it has will be free. */
		if (!atomic_read(&mm->mm_users) || test_bit(MMF_UNSTABLE, &mm->flags))
			break;
		s->addr = max(s->addr, vma->vm_start);
		s->budget--;
		if (!superpage_vma_gives(vma))
			s->addr = vma->vm_end;
		done = s->budget > 0 && *freed < BATCH && !mmap_lock_is_contended(mm);
		if (!done)
			break;
		if (s->addr < vma->vm_end)
			s->addr = superpage_scan_at(s, vma, s->addr, freed);
	}
	mmap_read_unlock(mm);
	return done;
}

/* The pass is over; the next one comes soon if this was of use. */
static void superpage_scan_rest(struct superpage_scan *s)
{
	s->next = jiffies + nsecs_to_jiffies(s->found ? s->spent : s->spent * REST) + 1;
	s->pid = 0;
	s->spent = 0;
	s->found = false;
	s->whole = true;
	WRITE_ONCE(s->resting, true);
}

/*
 * Look for pages of zeroes, until a BATCH has been given back or the budget is spent; or,
 * if @all, until all processes have been looked at in vain, wherever the pass began.
 */
static void superpage_scan(struct superpage_scan *s, int zoneidx, bool all)
{
	u64 begin = ktime_get_ns();
	unsigned long freed = 0;
	struct mm_struct *mm;
	bool ended = false;
	int pid;

	/* What was passed over for a low zone may be of use for a higher one. */
	s->least = s->pid || s->addr ? min(s->least, zoneidx) : zoneidx;
	s->zoneidx = zoneidx;
	WRITE_ONCE(s->resting, false);
	while (s->budget > 0 && freed < BATCH && !fatal_signal_pending(current)) {
		pid = s->pid;
		mm = superpage_next_mm(&pid, &s->budget);
		if (!mm && all && !freed && !s->whole) {
			s->pid = 0;
			s->addr = 0;
			s->whole = true;
			continue;
		}
		if (!mm) {
			ended = true;
			break;
		}
		/* It is the one behind that which was asked for, if that has ended. */
		if (pid - 1 != s->pid)
			s->addr = 0;
		s->pid = pid - 1;
		if (superpage_scan_mm(s, mm, &freed)) {
			s->pid = pid;
			s->addr = 0;
		}
		mmdrop(mm);
		cond_resched();
	}
	s->spent += ktime_get_ns() - begin;
	s->found |= freed;
	s->whole &= !freed;
	s->freed = freed;
	if (ended)
		superpage_scan_rest(s);
}

static bool superpage_scan_rests(const struct superpage_scan *s, int zoneidx)
{
	return READ_ONCE(s->resting) && zoneidx <= READ_ONCE(s->least) &&
	       time_before(jiffies, READ_ONCE(s->next));
}

/* The search for pages of node @i, or that of the OOM killer; NULL if there is to be none. */
static struct superpage_scan *superpage_scan_of(int i, int zoneidx)
{
	/* With superpage_underused_init(): if the pointer is seen, so is what it points to. */
	struct superpage_scan *s = smp_load_acquire(&superpage_scans);

	if (!s || !READ_ONCE(superpage_shrink_underused) ||
	    superpage_max_none(SUPERPAGE_HUGE_ORDER) == SUPERPAGE_HUGE_NR)
		return NULL;
	return superpage_scan_rests(s + i, zoneidx) ? NULL : s + i;
}

/**
 * superpage_shrink_node() - give back pages of zeroes of underused superpages
 * @nid: the node that has too little free memory
 * @zoneidx: up to which zone
 * @budget: how many pages to look at, SUPERPAGE_SHRINK_BUDGET; becomes what is left of it
 *
 * For who has found nothing that was set aside, and may sleep.
 *
 * Return: how many pages have been given back
 */
unsigned long superpage_shrink_node(int nid, int zoneidx, long *budget)
{
	struct superpage_scan *s = superpage_scan_of(nid, zoneidx);
	unsigned long freed;

	if (!s)
		return 0;
	/*
	 * One is enough: who comes second waits for what the first one finds, rather than
	 * go on and swap.  The first one waits for no lock, see the head of this file, but
	 * it may have to wait for a processor.  So kswapd, which others need meanwhile, does
	 * not wait for it; nor does who is being killed.
	 */
	if (mutex_trylock(&s->lock)) {
		s->budget = *budget;
		superpage_scan(s, zoneidx, false);
		*budget = s->budget;
	} else if (current_is_kswapd() || mutex_lock_killable(&s->lock)) {
		return 0;
	}
	freed = s->freed;
	mutex_unlock(&s->lock);
	return freed;
}

/**
 * superpage_shrink_all() - the same, before a process is killed
 * @nodes: the nodes that may be allocated from
 * @zoneidx: up to which zone
 *
 * All processes are looked at before there is nothing; but not again for some time then.
 * The caller has oom_lock, which others may be waiting for, so this is done in several
 * calls.
 *
 * Return: whether pages have been given back, or there may be some that the next call finds
 */
bool superpage_shrink_all(const nodemask_t *nodes, int zoneidx)
{
	struct superpage_scan *s = superpage_scan_of(nr_node_ids, zoneidx);
	bool again;

	if (!s)
		return false;
	mutex_lock(&s->lock);
	/* What was looked at for others says nothing of these. */
	if (!nodes_equal(s->nodes, *nodes)) {
		s->nodes = *nodes;
		s->whole = false;
	}
	s->budget = OOM_BUDGET;
	superpage_scan(s, zoneidx, true);
	again = s->freed || !s->resting;
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
		if (i < nr_node_ids)
			node_set(i, s[i].nodes);
	}
	/* kswapd may be looking, see superpage_scan_of(). */
	smp_store_release(&superpage_scans, s);
	return 0;
}
subsys_initcall(superpage_underused_init);
