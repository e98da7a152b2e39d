// SPDX-License-Identifier: GPL-2.0
/*
 * Superpages: making a superpage of pages whose frames are not in one piece.
 *
 * fork(), swap-in, KSM and a partial MADV_DONTNEED leave blocks in which pages are
 * missing or have frames elsewhere.  Each page of a block has a "home": the frame that it
 * has when the block is one superpage.  The reservation of the block says which frames
 * these are, or else most of its pages do.  If the homes of the pages that are missing or
 * elsewhere are free, or the reservation owns them, collapse works in place and moves only
 * these pages.  Otherwise it moves all pages of the block to new frames.  When all pages
 * are at home and their PTEs agree, superpage_promote_block() makes one superpage of them.
 *
 * Pages move in chunks of at most 1 MiB, each with mmap_lock held for writing:
 *
 *  - The lock keeps out page faults, get_user_pages(), fork() and changes of VMAs.  ia64
 *    has no fast GUP, which would not take the lock.
 *  - Reclaim, migration, KSM, memory_failure() and the search for pages of zeroes find
 *    pages by rmap and take the page lock.  Collapse holds the page lock of each page that
 *    it moves.  Other users of rmap only change the accessed bit, which does no harm.
 *  - Collapse clears and purges the PTEs before it counts references.  A page with more
 *    references than mappings may be pinned, and stays where it is.  No new pin can
 *    appear, because no PTE of this process maps the page any more.  If other processes
 *    map the page, they cannot write to it, and this process gets a copy.
 *  - Collapse checks all pages of the chunk before it copies the first one.  If one of
 *    them may be pinned, it restores the old PTEs.
 *
 * After each chunk the mm is in a valid state.  So it does no harm if the rest of the block
 * changes between two chunks, while collapse does not hold the lock.
 */

#include <linux/gfp.h>
#include <linux/highmem.h>
#include <linux/ksm.h>
#include <linux/memcontrol.h>
#include <linux/mm.h>
#include <linux/mmu_notifier.h>
#include <linux/oom.h>
#include <linux/pagemap.h>
#include <linux/rmap.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/superpage.h>
#include <linux/swap.h>
#include <linux/swapops.h>

#include <asm/tlbflush.h>

#include <trace/events/superpage.h>

#include "internal.h"
#include "superpage.h"

/* The most that collapse moves while it holds mmap_lock for writing. */
#define CHUNK_PAGES	SUPERPAGE_HUGE_NR
#define CHUNK_ORDER	SUPERPAGE_HUGE_ORDER

/* struct superpage_chunk - pages that are moved while mmap_lock is held */
struct superpage_chunk {
	struct vm_area_struct *vma;
	unsigned long start;
	unsigned int order;
	unsigned long pfn;			/* home of the first page */
	struct superpage_reserv *r;		/* the reservation of the homes, or NULL */
	struct mem_cgroup *memcg;		/* charged for all pages in advance */
	unsigned int moved;			/* pages that have moved */
	unsigned int filled;			/* of these, pages that were missing */
	DECLARE_BITMAP(move, CHUNK_PAGES);	/* pages that are not at home */
	DECLARE_BITMAP(locked, CHUNK_PAGES);	/* pages whose old page is locked */
	pte_t old[CHUNK_PAGES];			/* the PTEs before the move */
};

static unsigned long superpage_chunk_end(const struct superpage_chunk *c)
{
	return c->start + (PAGE_SIZE << c->order);
}

/* The PTE of page @i.  One lock covers all PTEs of a chunk: see pte_lockptr(). */
static pte_t *superpage_chunk_pte(const struct superpage_chunk *c, unsigned int i)
{
	unsigned long addr = c->start + i * PAGE_SIZE, next;

	return superpage_leaf(c->vma->vm_mm, addr, addr + PAGE_SIZE, &next, NULL);
}

/* Is the PTE empty, or does it map the zero page? */
static bool superpage_pte_empty(pte_t pte)
{
	return pte_none(pte) || (pte_present(pte) && is_zero_pfn(pte_pfn(pte)));
}

/* Return the page of a PTE if it is anonymous and can be part of a superpage, or NULL. */
static struct page *superpage_pte_page(struct vm_area_struct *vma, unsigned long addr, pte_t pte)
{
	struct page *page = pte_present(pte) ? vm_normal_page(vma, addr, pte) : NULL;

	return page && PageAnon(page) && !PageHWPoison(page) ? page : NULL;
}

/* --- Looking at a block ------------------------------------------------------------ */

/* Is @pfn, the home of @addr, free, or does the reservation own it?  A hint. */
static bool superpage_home_free(struct superpage_reserv *r, unsigned long addr,
				unsigned long pfn)
{
	if (r && superpage_reserv_owns(r, addr, 0))
		return true;
	return pfn_valid(pfn) && superpage_is_free(pfn_to_page(pfn));
}

static void superpage_look_at(struct vm_area_struct *vma, unsigned long addr, pte_t pte,
			      struct superpage_reserv *r, unsigned long pfn,
			      struct superpage_look *look)
{
	struct page *page;

	if (superpage_pte_empty(pte)) {
		look->none++;
	} else if (!pte_present(pte)) {
		swp_entry_t entry = pte_to_swp_entry(pte);

		/* A page fault reads the page from swap, or waits for its migration. */
		if (!non_swap_entry(entry) || is_migration_entry(entry))
			look->swap++;
		else
			look->strange++;
	} else {
		page = superpage_pte_page(vma, addr, pte);
		if (!page) {
			look->strange++;
			return;
		}
		look->present++;
		if (!look->nid_votes)
			look->nid = page_to_nid(page);
		look->nid_votes += page_to_nid(page) == look->nid ? 1 : -1;
		look->ksm += PageKsm(page);
		look->lazyfree += !PageSwapBacked(page);
		look->shared += page_mapcount(page) > 1;
		/* Shared and lazyfree pages have to be copied even if they are at home. */
		if (page_mapcount(page) > 1 || !PageSwapBacked(page))
			look->homeless += pte_pfn(pte) == pfn;
		if (pte_pfn(pte) == pfn && !PageKsm(page))
			return;
	}
	look->away++;
	look->homeless += !superpage_home_free(r, addr, pfn);
}

/* Return the home of the first page, as most present pages imply it. */
static unsigned long superpage_vote(struct mm_struct *mm, unsigned long start, unsigned long end)
{
	unsigned long addr, next, pfn = 0, votes = 0, says;
	pte_t *pte;

	for (addr = start; addr < end; addr = next) {
		pte = superpage_leaf(mm, addr, end, &next, NULL);
		for (; pte && addr < next; addr += PAGE_SIZE, pte++) {
			pte_t entry = READ_ONCE(*pte);

			if (!pte_present(entry) || is_zero_pfn(pte_pfn(entry)))
				continue;
			says = pte_pfn(entry) - ((addr - start) >> PAGE_SHIFT);
			if (!votes)
				pfn = says;
			votes += says == pfn ? 1 : -1;
		}
	}
	return pfn;
}

/**
 * superpage_look() - look at what a block consists of
 * @vma: the VMA of the block; the caller holds mmap_lock
 * @start: address of the block
 * @order: order of the block
 * @look: filled in
 *
 * Takes the lock of the PTEs for one chunk at a time, so the result is a hint.
 */
void superpage_look(struct vm_area_struct *vma, unsigned long start, unsigned int order,
		    struct superpage_look *look)
{
	unsigned long addr, next, end = start + (PAGE_SIZE << order), pfn;
	struct mm_struct *mm = vma->vm_mm;
	struct superpage_reserv *r;
	unsigned int none;
	spinlock_t *ptl;
	pte_t *pte;
	pmd_t *pmd;

	memset(look, 0, sizeof(*look));
	r = superpage_reserv_find(vma, start);
	if (r && superpage_reserv_end(r) >= end) {
		pfn = r->pfn + ((start - r->start) >> PAGE_SHIFT);
	} else {
		if (r)
			superpage_reserv_put(r);
		r = NULL;
		pfn = superpage_vote(mm, start, end);
		/* A superpage needs frames that are aligned to its size. */
		if (pfn & ((1UL << order) - 1))
			pfn = 0;
	}
	look->pfn = pfn;
	for (addr = start; addr < end; addr = next) {
		pte = superpage_leaf(mm, addr, end, &next, &pmd);
		next = min(next, round_down(addr, SUPERPAGE_HUGE_SIZE) + SUPERPAGE_HUGE_SIZE);
		if (!pte) {
			look->none += (next - addr) >> PAGE_SHIFT;
			look->away += (next - addr) >> PAGE_SHIFT;
			look->homeless += (next - addr) >> PAGE_SHIFT;
			look->gap = true;
			continue;
		}
		none = look->none;
		ptl = pte_lockptr(mm, pmd);
		spin_lock(ptl);
		look->whole |= addr == start && pte_superpage(*pte) &&
			       pte_superpage_order(*pte) >= order;
		for (; addr < next && !look->whole; addr += PAGE_SIZE, pte++)
			superpage_look_at(vma, addr, *pte, r,
					  pfn + ((addr - start) >> PAGE_SHIFT), look);
		spin_unlock(ptl);
		if (look->whole)
			break;
		look->gap |= look->none - none == SUPERPAGE_HUGE_NR;
		cond_resched();
	}
	if (r)
		superpage_reserv_put(r);
}

/* --- One chunk -------------------------------------------------------------------- */

/*
 * Make a page that is at home this process's own, so that its PTE can have the same bits
 * as those of the pages that move.  Returns false if it is not at home or cannot stay.
 */
static bool superpage_stays(struct superpage_chunk *c, unsigned int i, pte_t *ptep)
{
	struct page *page = superpage_pte_page(c->vma, c->start + i * PAGE_SIZE, *ptep);

	return page && page_to_pfn(page) == c->pfn + i && PageSwapBacked(page) &&
	       superpage_take_over(c->vma, page, 0);
}

/* Does the page have no references besides its mappings and the swap cache? */
static bool superpage_unpinned(struct page *page)
{
	return page_count(page) == page_mapcount(page) + PageSwapCache(page);
}

/*
 * Find the pages that are not at home.  The caller holds the lock of the PTEs.
 *
 * Refuses pages that may be pinned, before superpages are demoted in vain.
 * superpage_chunk_unmap() checks again when no new pin can appear.
 *
 * Returns 0; -EAGAIN if a page cannot be reused or moved now, or is on its way to or from
 * swap; -ENOENT if a page that is at home has to move; -EINVAL if a page cannot be part
 * of a superpage.
 */
static int superpage_chunk_sort(struct superpage_chunk *c)
{
	struct page *page;
	unsigned int i;
	pte_t *pte;

	bitmap_zero(c->move, CHUNK_PAGES);
	for (i = 0; i < 1U << c->order; i++) {
		pte = superpage_chunk_pte(c, i);
		if (superpage_pte_empty(*pte)) {
			__set_bit(i, c->move);
			continue;
		}
		page = superpage_pte_page(c->vma, c->start + i * PAGE_SIZE, *pte);
		if (!page)
			return pte_present(*pte) ? -EINVAL : -EAGAIN;
		if (page_to_pfn(page) != c->pfn + i) {
			if (!superpage_unpinned(page))
				return -EAGAIN;
			__set_bit(i, c->move);
		} else if (!superpage_stays(c, i, pte)) {
			/*
			 * If another process has the page in swap, that may last, and trying
			 * again would not help.
			 */
			return PageSwapCache(page) && !PageWriteback(page) &&
			       superpage_unpinned(page) ? -ENOENT : -EAGAIN;
		}
	}
	return 0;
}

/* Free the homes that superpage_chunk_claim() has taken for pages up to @end. */
static void superpage_chunk_free(struct superpage_chunk *c, unsigned int end)
{
	unsigned int i;

	for_each_set_bit(i, c->move, end)
		superpage_free_frames(pfn_to_page(c->pfn + i), 1);
}

/* Take the homes of the pages that move.  Returns -ENOENT, and takes none, if one is in use. */
static int superpage_chunk_claim(struct superpage_chunk *c)
{
	unsigned int i;

	for_each_set_bit(i, c->move, 1U << c->order) {
		if (c->r && superpage_claim_page(c->r, c->start + i * PAGE_SIZE))
			continue;
		if (superpage_take_free(pfn_to_page(c->pfn + i)))
			continue;
		superpage_chunk_free(c, i);
		return -ENOENT;
	}
	return 0;
}

/* Restore the PTEs of the pages that were to move, up to @end. */
static void superpage_chunk_restore(struct superpage_chunk *c, unsigned int end)
{
	unsigned int i;

	for_each_set_bit(i, c->move, end) {
		if (pte_none(c->old[i]))
			continue;
		set_pte(superpage_chunk_pte(c, i), c->old[i]);
		if (test_bit(i, c->locked))
			unlock_page(pte_page(c->old[i]));
	}
}

/* Lock the old page of page @i.  KSM may have mapped the same page several times here. */
static bool superpage_chunk_lock(struct superpage_chunk *c, unsigned int i, struct page *page)
{
	unsigned int k;

	if (trylock_page(page)) {
		__set_bit(i, c->locked);
		return true;
	}
	for_each_set_bit(k, c->locked, i) {
		if (PageKsm(page) && pte_page(c->old[k]) == page)
			return true;
	}
	return false;
}

/*
 * Lock the pages that move, and unmap them.  If one of them is in a superpage, all of its
 * replicas become base pages first: rule 5 of mm/superpage.c.  The caller has demoted
 * superpages that reach beyond the chunk, and holds the lock of the PTEs.
 *
 * The caller did not hold that lock after superpage_chunk_sort(), so reclaim or migration
 * may have changed the PTEs.  Returns 0; -EAGAIN, with the old PTEs restored, if a page is
 * in use or is no longer what it was.
 */
static int superpage_chunk_unmap(struct superpage_chunk *c)
{
	struct mm_struct *mm = c->vma->vm_mm;
	unsigned int i, n = 1U << c->order;
	unsigned long addr = c->start;
	struct page *page;
	int ret = 0;
	pte_t *pte;

	bitmap_zero(c->locked, CHUNK_PAGES);
	for (i = 0; i < n && !ret; i++, addr += PAGE_SIZE) {
		pte = superpage_chunk_pte(c, i);
		page = superpage_pte_page(c->vma, addr, *pte);
		c->old[i] = __pte(0);
		if (!test_bit(i, c->move)) {
			if (!page || page_to_pfn(page) != c->pfn + i)
				ret = -EAGAIN;
		} else if (!pte_none(*pte)) {
			if (!superpage_pte_empty(*pte) &&
			    (!page || !superpage_chunk_lock(c, i, page))) {
				ret = -EAGAIN;
				continue;
			}
			superpage_strip(mm, addr, pte);
			c->old[i] = ptep_get_and_clear(mm, addr, pte);
		}
	}
	flush_tlb_range(c->vma, c->start, superpage_chunk_end(c));
	mmu_notifier_invalidate_range(mm, c->start, superpage_chunk_end(c));
	n = i;
	for_each_set_bit(i, c->move, n) {
		if (!superpage_pte_empty(c->old[i]) && !superpage_unpinned(pte_page(c->old[i])))
			ret = -EAGAIN;
	}
	if (ret)
		superpage_chunk_restore(c, n);
	return ret;
}

/* Copy the pages to their homes.  No process can write to them. */
static void superpage_chunk_copy(struct superpage_chunk *c)
{
	unsigned long addr;
	struct page *home;
	unsigned int i;

	for_each_set_bit(i, c->move, 1U << c->order) {
		home = pfn_to_page(c->pfn + i);
		addr = c->start + i * PAGE_SIZE;
		mem_cgroup_charged(home, c->memcg);
		if (superpage_pte_empty(c->old[i]))
			clear_user_highpage(home, addr);
		else
			copy_user_highpage(home, pte_page(c->old[i]), addr, c->vma);
		/* Make the copy visible before the PTE. */
		__SetPageUptodate(home);
		cond_resched();
	}
}

/*
 * Map the homes, and give the PTEs of pages that were at home the same bits.  No other
 * process has these pages: see superpage_stays().  The caller holds the lock of the PTEs.
 */
static void superpage_chunk_map(struct superpage_chunk *c)
{
	struct vm_area_struct *vma = c->vma;
	unsigned long addr = c->start;
	bool changed = false;
	pte_t *pte, entry;
	struct page *home;
	unsigned int i;

	for (i = 0; i < 1U << c->order; i++, addr += PAGE_SIZE) {
		home = pfn_to_page(c->pfn + i);
		pte = superpage_chunk_pte(c, i);
		entry = pte_sw_mkyoung(mk_pte(home, vma->vm_page_prot));
		entry = maybe_mkwrite(pte_mkdirty(entry), vma);
		if (test_bit(i, c->move)) {
			/* As in superpage_replace(), remove the old page last. */
			page_add_new_anon_rmap(home, vma, addr);
			lru_cache_add_inactive_or_unevictable(home, vma);
			set_pte(pte, entry);
			c->moved++;
			if (superpage_pte_empty(c->old[i]))
				c->filled++;
			else
				page_remove_rmap(pte_page(c->old[i]), vma, false);
			continue;
		}
		/* This page is not locked, so reclaim or migration may have unmapped it. */
		if (!pte_present(*pte) || pte_pfn(*pte) != c->pfn + i || !PageAnonExclusive(home))
			continue;
		if (pte_same(pte_mkold(pte_mkbase(*pte)), pte_mkold(entry)))
			continue;
		superpage_strip(vma->vm_mm, addr, pte);
		set_pte(pte, entry);
		changed = true;
	}
	/* No TLB may keep a read-only translation that the superpage would overlap. */
	if (changed)
		flush_tlb_range(vma, c->start, superpage_chunk_end(c));
	add_mm_counter(vma->vm_mm, MM_ANONPAGES, c->filled);
}

/* Unlock the old pages and drop their references. */
static void superpage_chunk_put(struct superpage_chunk *c)
{
	struct page *page;
	unsigned int i;

	for_each_set_bit(i, c->move, 1U << c->order) {
		if (superpage_pte_empty(c->old[i]))
			continue;
		page = pte_page(c->old[i]);
		if (test_bit(i, c->locked))
			unlock_page(page);
		free_page_and_swap_cache(page);
	}
}

/*
 * Move all pages of a chunk to their homes.  The caller holds mmap_lock for writing, and
 * has charged the memory cgroup for all of them.  @fresh: the caller has allocated all
 * homes; otherwise this function takes those that it needs.
 *
 * Returns 0; -ENOENT if a home is in use; -EAGAIN if a page is in use; -EINVAL if a page
 * cannot move; -ENOMEM; -EFAULT if the OOM reaper unmaps the mm.
 */
static int superpage_chunk_move(struct superpage_chunk *c, bool fresh)
{
	struct vm_area_struct *vma = c->vma;
	struct mm_struct *mm = vma->vm_mm;
	struct mmu_notifier_range range;
	spinlock_t *ptl;
	int ret;

	c->moved = 0;
	c->filled = 0;
	if (anon_vma_prepare(vma) ||
	    !superpage_alloc_leaves(mm, c->start, superpage_chunk_end(c)))
		return -ENOMEM;

	ptl = superpage_lockptr(mm, c->start);
	spin_lock(ptl);
	ret = superpage_chunk_sort(c);
	spin_unlock(ptl);
	if (!ret && !fresh)
		ret = superpage_chunk_claim(c);
	if (ret)
		return ret;
	superpage_split(vma, c->start, superpage_chunk_end(c));

	mmu_notifier_range_init(&range, MMU_NOTIFY_CLEAR, 0, vma, mm, c->start,
				superpage_chunk_end(c));
	mmu_notifier_invalidate_range_start(&range);
	spin_lock(ptl);
	ret = check_stable_address_space(mm) ? -EFAULT : superpage_chunk_unmap(c);
	spin_unlock(ptl);
	if (!ret) {
		superpage_chunk_copy(c);
		spin_lock(ptl);
		superpage_chunk_map(c);
		spin_unlock(ptl);
	}
	mmu_notifier_invalidate_range_only_end(&range);
	if (!ret)
		superpage_chunk_put(c);
	else if (!fresh)
		superpage_chunk_free(c, 1U << c->order);
	return ret;
}

/* --- A block ----------------------------------------------------------------------- */

/*
 * Take mmap_lock.  MADV_COLLAPSE waits for it.  khugepaged only tries, because it has no
 * reference to the users of the mm.
 */
static bool superpage_collapse_lock(struct mm_struct *mm, const struct superpage_how *how,
				    bool write)
{
	if (!how->wait)
		return superpage_khugepaged_lock(mm, write);
	return write ? !mmap_write_lock_killable(mm) : !mmap_read_lock_killable(mm);
}

static void superpage_collapse_unlock(struct mm_struct *mm, const struct superpage_how *how,
				      bool write)
{
	if (!how->wait)
		superpage_khugepaged_unlock(mm, write);
	else if (write)
		mmap_write_unlock(mm);
	else
		mmap_read_unlock(mm);
}

/*
 * Return the VMA of a chunk if it may have the superpage of @order that the chunk is part
 * of, or NULL.
 */
static struct vm_area_struct *superpage_collapse_vma(struct mm_struct *mm, unsigned long start,
						     unsigned int chunk, unsigned int order,
						     const struct superpage_how *how)
{
	struct vm_area_struct *vma = vma_lookup(mm, start);

	if (!vma || vma->vm_end - start < PAGE_SIZE << chunk || !superpage_vma_may(vma))
		return NULL;
	return how->advised || superpage_vma_orders(vma) & BIT(order) ? vma : NULL;
}

/*
 * Read pages of a block from swap, at most *@left of them.  The caller holds mmap_lock for
 * reading, and this function keeps it.  Returns 0 if all are read; -ERESTART after some, if
 * others wait for mmap_lock; or an error of superpage_collapse().
 */
static int superpage_swap_in(struct vm_area_struct *vma, unsigned long start, unsigned int order,
			     long *left)
{
	long least = *left - SUPERPAGE_HUGE_NR;
	unsigned long addr, next, end = start + (PAGE_SIZE << order);
	pte_t *pte, entry;
	int ret;

	for (addr = start; addr < end; addr = next) {
		pte = superpage_leaf(vma->vm_mm, addr, end, &next, NULL);
		for (; pte && addr < next; addr += PAGE_SIZE, pte++) {
			entry = READ_ONCE(*pte);
			if (pte_present(entry) || pte_none(entry))
				continue;
			if (fatal_signal_pending(current))
				return -EINTR;
			/* The process has ended, perhaps killed because memory is short. */
			if (!atomic_read(&vma->vm_mm->mm_users) ||
			    check_stable_address_space(vma->vm_mm))
				return -EAGAIN;
			/*
			 * This has read three times as many pages as the block has, so
			 * reclaim must be writing them out again.  Give up.
			 */
			if (--*left < 0)
				return -EAGAIN;
			ret = fixup_user_fault(vma->vm_mm, addr, 0, NULL);
			/* With PROT_NONE, or unreadable swap, another try would not help. */
			if (ret)
				return ret == -EFAULT ? -EINVAL : -EAGAIN;
			if (*left <= least && mmap_lock_is_contended(vma->vm_mm))
				return -ERESTART;
			cond_resched();
		}
	}
	/* Pages on their way to the LRU lists have one more reference and cannot move. */
	lru_add_drain();
	return 0;
}

/* By how many pages can the charge of the memory cgroup rise while a block is collapsed? */
static unsigned long superpage_collapse_charges(const struct superpage_look *look,
						unsigned int order)
{
	if (order <= CHUNK_ORDER)
		return look->swap + (1UL << order);
	return look->swap + look->none + (1UL << CHUNK_ORDER);
}

/*
 * Can the block be collapsed?  Reads its pages from swap.  Returns 0; -ERESTART if the caller
 * is to release mmap_lock and call again; -EALREADY if the block is a superpage; or an error
 * of superpage_collapse().
 */
static int superpage_collapse_prepare(struct vm_area_struct *vma, unsigned long start,
				      unsigned int order, const struct superpage_how *how,
				      struct superpage_look *look, long *left)
{
	int ret;

	superpage_look(vma, start, order, look);
	if (look->whole)
		return -EALREADY;
	if (look->none == 1UL << order || look->strange || !how->may(vma, order, look))
		return -EINVAL;
	/*
	 * khugepaged must not charge a cgroup up to its limit: the next charge, by a
	 * process of the cgroup, could then invoke the OOM killer.  MADV_COLLAPSE may
	 * have the cgroup's memory reclaimed, but not for a superpage larger than 1 MiB,
	 * which could cost all other memory of the cgroup.
	 */
	if ((!how->wait || order > CHUNK_ORDER) &&
	    mem_cgroup_headroom(vma->vm_mm) < superpage_collapse_charges(look, order))
		return -EBUSY;
	if (look->swap) {
		ret = superpage_swap_in(vma, start, order, left);
		return ret ?: -ERESTART;
	}
	/*
	 * The homes can be on another node than most of the pages.  If mbind() changes the
	 * policy before the pages move, that is as if it came after the move: by default it
	 * leaves pages where they are.
	 */
	if (!superpage_node_allowed(vma, start, look->nid) ||
	    (!superpage_needs_frames(look) &&
	     !superpage_node_allowed(vma, start, page_to_nid(pfn_to_page(look->pfn)))))
		return -EINVAL;
	return 0;
}

/*
 * Look at a block and decide how to collapse it.
 *
 * Returns 0 for in place, 1 for new frames, -EALREADY if it is a superpage, or an error of
 * superpage_collapse().
 */
static int superpage_collapse_plan(struct mm_struct *mm, unsigned long start,
				   unsigned int order, const struct superpage_how *how,
				   struct superpage_look *look)
{
	struct vm_area_struct *vma;
	long left = 3L << order;
	int ret;

	do {
		cond_resched();
		if (!superpage_collapse_lock(mm, how, false))
			return how->wait ? -EINTR : -EAGAIN;
		vma = superpage_collapse_vma(mm, start, order, order, how);
		ret = vma ? superpage_collapse_prepare(vma, start, order, how, look, &left) :
			    -EINVAL;
		superpage_collapse_unlock(mm, how, false);
	} while (ret == -ERESTART);
	return ret ?: superpage_needs_frames(look);
}

/* Allocate frames, as base pages, on the node that has most pages of the block. */
static struct page *superpage_collapse_frames(const struct superpage_look *look,
					      unsigned int order, gfp_t gfp)
{
	struct page *page = __alloc_pages(gfp | __GFP_THISNODE, order, look->nid, NULL);

	if (page)
		split_page(page, order);
	return page;
}

/*
 * Find the reservation that owns the homes, and take a reference; NULL if there is none.
 *
 * The reservation for these addresses may have other frames: the homes are where most
 * pages of the block are.  If the program has unmapped a part of the block since, new page
 * faults there have made another reservation.
 */
static struct superpage_reserv *superpage_chunk_reserv(const struct superpage_chunk *c)
{
	struct superpage_reserv *r = superpage_reserv_find(c->vma, c->start);

	if (r && (superpage_reserv_end(r) < superpage_chunk_end(c) ||
		  r->pfn + ((c->start - r->start) >> PAGE_SHIFT) != c->pfn)) {
		superpage_reserv_put(r);
		r = NULL;
	}
	return r;
}

/* Move the pages of one chunk of a block, with all locks and charges that this needs. */
static int superpage_collapse_chunk(struct mm_struct *mm, struct superpage_chunk *c,
				    unsigned int order, const struct superpage_how *how,
				    bool fresh)
{
	unsigned int nr = 1U << c->order;
	int ret;

	c->moved = 0;
	/*
	 * khugepaged does not charge a cgroup up to its limit.  MADV_COLLAPSE may reclaim
	 * memory of its own cgroup.
	 */
	if ((!how->wait && mem_cgroup_headroom(mm) < nr) ||
	    mem_cgroup_charge_ahead(mm, how->wait ? GFP_KERNEL | __GFP_NORETRY : SUPERPAGE_GFP,
				    nr, &c->memcg))
		return -EBUSY;
	ret = how->wait ? -EINTR : -EAGAIN;
	if (!superpage_collapse_lock(mm, how, true))
		goto uncharge;
	ret = -EINVAL;
	c->vma = superpage_collapse_vma(mm, c->start, c->order, order, how);
	if (c->vma) {
		c->r = fresh ? NULL : superpage_chunk_reserv(c);
		ret = superpage_chunk_move(c, fresh);
		/* Frames reserved here are not the homes, so no page fault will claim them. */
		if (!ret && !c->r)
			superpage_release(mm, c->start, superpage_chunk_end(c));
		if (c->r)
			superpage_reserv_put(c->r);
		/* Promote what was demoted in vain, and use no size that is not permitted. */
		if (ret || (c->order < order && !(superpage_vma_orders(c->vma) & BIT(c->order))))
			superpage_promote(c->vma, c->start, superpage_chunk_end(c));
		else
			superpage_promote_block(c->vma, c->start, c->order);
	}
	superpage_collapse_unlock(mm, how, true);
uncharge:
	mem_cgroup_uncharge_ahead(c->memcg, nr - c->moved);
	return ret;
}

/* Make one superpage of a block whose pages are at home.  Returns 0 if it is one now. */
static int superpage_collapse_promote(struct mm_struct *mm, unsigned long start,
				      unsigned int order, const struct superpage_how *how)
{
	struct vm_area_struct *vma;
	int ret = -EAGAIN;

	if (!superpage_collapse_lock(mm, how, false))
		return how->wait ? -EINTR : -EAGAIN;
	vma = superpage_collapse_vma(mm, start, order, order, how);
	if (vma && superpage_promote_block(vma, start, order))
		ret = 0;
	superpage_collapse_unlock(mm, how, false);
	return ret;
}

/**
 * superpage_collapse() - make one superpage of a block
 * @mm: mm of the block; the caller has a reference to it and holds no lock
 * @start: address of the block
 * @order: order of the block
 * @how: what the caller permits
 *
 * Return: the number of pages that have moved or been filled in, which is 0 if none had
 * to; -EINVAL if the block may not be a superpage, has no page, or has a page that cannot
 * move; -ENOMEM if there is no memory, or none in one piece; -EBUSY if the memory cgroup is
 * near its limit; -EAGAIN if a page or a lock is in use; -EFAULT if the OOM reaper unmaps
 * the mm; -EINTR after a fatal signal
 */
long superpage_collapse(struct mm_struct *mm, unsigned long start, unsigned int order,
			const struct superpage_how *how)
{
	unsigned int part = min_t(unsigned int, order, CHUNK_ORDER);
	unsigned long addr, end = start + (PAGE_SIZE << order);
	struct superpage_look look;
	struct superpage_chunk *c;
	struct page *fresh = NULL;
	long moved = 0;
	int ret;

	ret = superpage_collapse_plan(mm, start, order, how, &look);
	if (ret == -EALREADY)
		return 0;
	if (ret < 0)
		goto out;
again:
	if (ret) {
		ret = -ENOMEM;
		fresh = how->gfp ? superpage_collapse_frames(&look, order, how->gfp) : NULL;
		if (!fresh)
			goto out;
		look.pfn = page_to_pfn(fresh);
	}
	c = kmalloc(sizeof(*c), GFP_KERNEL);
	ret = c ? 0 : -ENOMEM;
	if (ret && fresh)
		superpage_free_frames(fresh, 1U << order);
	for (addr = start; addr < end && !ret; addr += PAGE_SIZE << part) {
		c->start = addr;
		c->order = part;
		c->pfn = look.pfn + ((addr - start) >> PAGE_SHIFT);
		ret = superpage_collapse_chunk(mm, c, order, how, fresh);
		moved += c->moved;
		if (ret && fresh)
			superpage_free_frames(pfn_to_page(c->pfn), (end - addr) >> PAGE_SHIFT);
		cond_resched();
	}
	kfree(c);
	/*
	 * A home is in use, contrary to the plan.  Try new frames; but not for khugepaged and
	 * a large block, since khugepaged_may() has not counted the moves of all its pages.
	 */
	if (ret == -ENOENT && (how->wait || order <= CHUNK_ORDER))
		goto again;
	if (!ret)
		ret = superpage_collapse_promote(mm, start, order, how);
out:
	trace_superpage_collapse(mm, start, order, moved, ret);
	if (ret == -ENOMEM && order >= SUPERPAGE_HUGE_ORDER)
		count_vm_event(THP_COLLAPSE_ALLOC_FAILED);
	if (ret)
		return ret == -ENOENT ? -EAGAIN : ret;
	superpage_count(order, SUPERPAGE_COLLAPSED, 1);
	return moved;
}

/* --- MADV_COLLAPSE ------------------------------------------------------------------ */

static bool superpage_collapse_any(struct vm_area_struct *vma, unsigned int order,
				   const struct superpage_look *look)
{
	return true;
}

/* While smaller sizes remain to be tried, do not fill an empty MiB because of one page. */
static bool superpage_collapse_dense(struct vm_area_struct *vma, unsigned int order,
				     const struct superpage_look *look)
{
	return !look->gap;
}

/*
 * Make a superpage at @addr, of the largest of @orders that works.  *@scarce is the smallest
 * order for which the page allocator had no frames; this function requests no new frames
 * for it or for larger ones.  If no huge order works, *@error becomes the error, unless it
 * has one already.
 *
 * Returns the order of the last attempt: the caller goes on after that block.
 */
static unsigned int superpage_collapse_largest(struct mm_struct *mm, unsigned long addr,
					       unsigned long orders, unsigned int *scarce,
					       int *error)
{
	struct superpage_how how = {
		.wait = true,
		.advised = true,
	};
	unsigned int order = 0;
	int huge = 0;
	long ret;

	for (; orders; orders &= ~BIT(order)) {
		order = __fls(orders);
		how.may = orders & (BIT(order) - 1) ? superpage_collapse_dense :
						      superpage_collapse_any;
		how.gfp = order < *scarce ? SUPERPAGE_GFP | __GFP_DIRECT_RECLAIM : 0;
		/*
		 * The page allocator need not try hard for a superpage of more than 1 MiB,
		 * nor for smaller ones after it has failed for 1 MiB or less.  For an order
		 * that is not costly, compaction would in the end demote other superpages.
		 */
		if (how.gfp && (order > CHUNK_ORDER || *scarce <= CHUNK_ORDER ||
				order <= PAGE_ALLOC_COSTLY_ORDER))
			how.gfp |= __GFP_NORETRY;
		ret = superpage_collapse(mm, addr, order, &how);
		if (order >= CHUNK_ORDER)
			huge = min(ret, 0L);
		if (ret == -ENOMEM)
			*scarce = min(*scarce, order);
		/*
		 * At 1 MiB or less, stop at an error that may be gone at another try:
		 * going on with smaller superpages would hide it from the caller.  If there
		 * are no contiguous frames, another try would not help, and smaller
		 * superpages are better than none.
		 */
		if (ret >= 0 || ret == -EINTR || (ret != -ENOMEM && order <= CHUNK_ORDER))
			break;
	}
	if (!*error)
		*error = huge;
	return order;
}

/**
 * superpage_madvise_collapse() - MADV_COLLAPSE
 * @vma: the VMA; the caller holds mmap_lock for reading
 * @prev: set to NULL if mmap_lock was dropped and taken again
 * @start: first address
 * @end: address after the range
 *
 * Makes the largest superpages that fit into the range: up to SUPERPAGE_HUGE_SIZE
 * whatever the words of sysfs say, and of larger sizes unless their word is never.  Reads
 * pages from swap, and fills holes with zeroes, except in a block that has no page at all.
 * After a block that fails it goes on with the next.  Where there are no contiguous frames
 * for a block, it makes smaller superpages of it.
 *
 * Return: 0 if all aligned blocks of SUPERPAGE_HUGE_SIZE are in superpages of this size
 * or more, or if there is no such block; -EINVAL if the VMA may have no superpages; -EINTR
 * after a fatal signal; otherwise the first error, see superpage_collapse()
 */
int superpage_madvise_collapse(struct vm_area_struct *vma, struct vm_area_struct **prev,
			       unsigned long start, unsigned long end)
{
	unsigned int order, scarce = MAX_ORDER;
	unsigned long orders, addr, least;
	struct mm_struct *mm = vma->vm_mm;
	int error = 0;

	*prev = vma;
	if (!superpage_vma_may(vma))
		return -EINVAL;
	orders = superpage_mm_orders(mm) |
		 (superpage_possible_orders() & superpage_policy_limit(mm) &
		  GENMASK(CHUNK_ORDER, 0));
	if (!orders)
		return -EINVAL;
	least = PAGE_SIZE << __ffs(orders);
	mmgrab(mm);
	*prev = NULL;
	mmap_read_unlock(mm);
	/* Pages on their way to the LRU lists cannot move, and homes may be on per-CPU lists. */
	lru_add_drain_all();
	drain_all_pages(NULL);
	for (addr = round_up(start, least); addr < end && end - addr >= least;
	     addr += PAGE_SIZE << order) {
		/* Let requests for each size fail at most once per huge block. */
		if (IS_ALIGNED(addr, SUPERPAGE_HUGE_SIZE))
			scarce = MAX_ORDER;
		order = superpage_collapse_largest(mm, addr,
						   orders & superpage_orders_at(addr, end),
						   &scarce, &error);
		if (fatal_signal_pending(current)) {
			error = -EINTR;
			break;
		}
		cond_resched();
	}
	mmap_read_lock(mm);
	mmdrop(mm);
	return error;
}
