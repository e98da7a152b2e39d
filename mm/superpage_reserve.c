// SPDX-License-Identifier: GPL-2.0
/*
 * Frames that are set aside for superpages.
 *
 * The first page fault in a range of private anonymous memory sets contiguous
 * frames aside for as much of the range as seems right, a "reservation".  Later
 * page faults there claim the frames that belong to their addresses, their
 * "homes", so that small superpages become parts of larger ones without a copy.
 * Until then the frames belong to the reservation, which gives them back when
 * anybody wants memory: they are charged to nobody and have never been touched.
 *
 * What a reservation has:
 *
 *  - A bit for each frame that is its own.  The bit is cleared by whoever takes the
 *    frame: a page fault (a claim), or someone who gives it back to the page
 *    allocator.  It is never set again, so that nobody has to undo anything: a
 *    claimed frame that cannot be used goes to the page allocator.
 *
 *  - Raw blocks.  They are the maximal aligned runs of own frames of a power of two,
 *    which therefore need no record.  A raw block is what alloc_pages() without
 *    __GFP_COMP returns, so its first frame has a reference and the others have
 *    none, and __free_pages() takes it back.  Whoever takes a part of one gives the
 *    blocks that remain their references: see superpage_cut().
 *
 *  - Claims that are under way.  A page fault clears its frames without a lock.
 *    Another one that finds its page among them waits, since with another frame it
 *    would make the first one fail.
 *
 * A reservation belongs to addresses of an mm and knows no VMAs.  Bounds of VMAs may
 * move, as those of heaps do, while what is mapped stays within the VMA.  When
 * addresses are unmapped, their frames are given back.
 *
 * Locks, outermost first:
 *
 *  mmap_lock		held for reading by page faults, for writing by whoever
 *			unmaps.  So there is no claim under way when addresses are
 *			unmapped.
 *  superpage.reserv_lock of the mm: the tree.
 *  r->lock		what the reservation has.
 *  zone->superpage_lock	the list of those that have frames, oldest first.
 *
 * Under the last three nothing is allocated, freed or slept, and no interrupt takes
 * them: so frames can be given back from wherever direct reclaim is permitted,
 * even with __GFP_NOFS or in PF_MEMALLOC context.  Whoever gives back begins at the
 * list, against the order, and so only tries r->lock; where that fails a page fault
 * is at work, and there is no better sign that the reservation is in use.
 *
 * The list has no reference.  A reservation leaves it when its last frame goes, and
 * superpage_release() takes all frames before it drops the tree's reference.  So what
 * is on the list exists, and so does its mm.
 */

#define pr_fmt(fmt) "superpage: " fmt

#include <linux/bitmap.h>
#include <linux/cpuset.h>
#include <linux/debugfs.h>
#include <linux/init.h>
#include <linux/jiffies.h>
#include <linux/memcontrol.h>
#include <linux/mempolicy.h>
#include <linux/mm.h>
#include <linux/oom.h>
#include <linux/page_owner.h>
#include <linux/sched/coredump.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/vmstat.h>

#include <trace/events/superpage.h>

#include "internal.h"
#include "superpage.h"

/*
 * How much is given back at a time: enough that the next requests find something,
 * and a block that is of use to others.
 */
#define SUPERPAGE_BATCH_ORDER	get_order(SZ_4M)

/* With these each frame is touched when it is set aside, or given back. */
static unsigned int superpage_most_order(void)
{
	bool slow = want_init_on_alloc(0) || want_init_on_free() ||
		    page_poisoning_enabled_static() || debug_pagealloc_enabled_static();

#ifdef CONFIG_PAGE_OWNER
	slow |= static_key_enabled(&page_owner_inited);
#endif
	return slow ? get_order(SZ_4M) : MAX_ORDER - 1;
}

/* --- Frames -------------------------------------------------------------------- */

#ifndef CONFIG_NUMA
static int superpage_policy(struct vm_area_struct *vma, unsigned long addr, nodemask_t *mask)
{
	*mask = NODE_MASK_ALL;
	return 0;
}
#endif

/**
 * superpage_alloc_frames() - contiguous frames to be mapped now
 * @vma: the VMA that they are for
 * @addr: the address that they are for
 * @order: how many, as a power of two
 *
 * Takes what is at hand, without reclaim and compaction, unless "defrag" says so for
 * the size that counts as huge: the next smaller one is not much worse.  From the node
 * that the policy prefers, if it permits that one.
 *
 * Return: the first of the frames, each a page of its own; or NULL
 */
struct page *superpage_alloc_frames(struct vm_area_struct *vma, unsigned long addr,
				    unsigned int order)
{
	nodemask_t mask;
	int nid = superpage_policy(vma, addr, &mask);
	gfp_t gfp = SUPERPAGE_GFP;
	struct page *page;
	struct zone *zone;

	if (nid == NUMA_NO_NODE)
		return NULL;
	if (order == SUPERPAGE_HUGE_ORDER)
		gfp |= superpage_defrag(vma);
	if (node_isset(nid, mask))
		page = __alloc_pages(gfp | __GFP_THISNODE, order, nid, NULL);
	else
		page = __alloc_pages(gfp, order, nid, &mask);
	if (!page)
		return NULL;
	/*
	 * SUPERPAGE_GFP takes what is above the min watermark and wakes nobody.  Those who
	 * cannot wait live on that, so have kswapd restore it, as for a base page.
	 */
	zone = page_zone(page);
	if (!zone_watermark_ok(zone, 0, low_wmark_pages(zone), zone_idx(zone), 0))
		wakeup_kswapd(zone, GFP_HIGHUSER, 0, zone_idx(zone));
	split_page(page, order);
	return page;
}

/*
 * A machine check takes a frame out of use where it finds it, without asking whose
 * it is: see mca_page_isolate().  So does memory_failure().  Such a frame is left
 * where it is, with the references that others have taken.
 */
static bool superpage_frame_bad(struct page *page, bool head)
{
	/* Who has read an old pointer to a page may have a reference for a moment. */
	return unlikely(PageReserved(page) || PageHWPoison(page) ||
			(!head && page_ref_count(page)));
}

static bool superpage_block_bad(struct page *page, unsigned int order)
{
	unsigned int i;

	for (i = 0; i < 1 << order; i++) {
		VM_WARN_ON_ONCE_PAGE(page_mapped(page + i), page + i);
		if (superpage_frame_bad(page + i, !i))
			return true;
	}
	return false;
}

/* Give a raw block back, but for its bad frames. */
static void superpage_free_block(struct page *page, unsigned int order)
{
	unsigned int i;

	if (!superpage_block_bad(page, order)) {
		__free_pages(page, order);
		return;
	}
	split_page_owner(page, 1 << order);
	for (i = 0; i < 1 << order; i++) {
		if (superpage_frame_bad(page + i, !i))
			continue;
		if (i)
			set_page_refcounted(page + i);
		__free_page(page + i);
	}
}

/**
 * superpage_free_frames() - give base pages back
 * @page: the first; they are contiguous
 * @nr: how many
 *
 * Those that a machine check has taken are left alone.
 */
void superpage_free_frames(struct page *page, unsigned int nr)
{
	for (; nr; nr--, page++)
		if (!PageReserved(page) && !PageHWPoison(page))
			put_page(page);
}

/* Give back the raw blocks on a list; no lock is held. */
static void superpage_free_list(struct list_head *blocks)
{
	struct page *page, *next;
	unsigned int order;

	list_for_each_entry_safe(page, next, blocks, lru) {
		order = page_private(page);
		list_del(&page->lru);
		set_page_private(page, 0);
		superpage_free_block(page, order);
		cond_resched();
	}
}

/* --- One reservation ------------------------------------------------------------- */

static unsigned int superpage_page_of(const struct superpage_reserv *r, unsigned long addr)
{
	return (addr - r->start) >> PAGE_SHIFT;
}

static struct page *superpage_frame(const struct superpage_reserv *r, unsigned int first)
{
	return pfn_to_page(r->pfn + first);
}

/* Are @nr frames from @first on all own? */
static bool superpage_all_own(const struct superpage_reserv *r, unsigned int first,
			      unsigned int nr)
{
	return find_next_zero_bit(r->own, first + nr, first) >= first + nr;
}

/* The zone's counter goes with the bits. */
static void superpage_account(struct superpage_reserv *r, long nr)
{
	WRITE_ONCE(r->nr_own, r->nr_own + nr);
	mod_zone_page_state(r->zone, NR_SUPERPAGE_RESERVED, nr);
}

/*
 * Take 2^@order own frames from @first on out, aligned: they are a raw block then.
 * The raw block that they are a part of falls apart into halves, quarters and so
 * on.  Those that remain are raw blocks, too, so their first frames get a reference
 * each, but for the very first one, which had that of the whole.
 */
static void superpage_cut(struct superpage_reserv *r, unsigned int first, unsigned int order)
{
	unsigned int head = first, half, rest;

	lockdep_assert_held(&r->lock);
	VM_WARN_ON_ONCE(!superpage_all_own(r, first, 1 << order));
	for (half = order; half < r->order; half++) {
		rest = round_down(first, 1U << half) ^ (1U << half);
		if (!superpage_all_own(r, rest, 1U << half))
			break;
		head = min(head, rest);
	}
	while (half-- > order) {
		rest = round_down(first, 1U << half) ^ (1U << half);
		if (rest != head)
			set_page_count(superpage_frame(r, rest), 1);
	}
	if (first != head)
		set_page_count(superpage_frame(r, first), 1);
	bitmap_clear(r->own, first, 1U << order);
	superpage_account(r, -(1L << order));
}

/* Take a block out and put it on a list of those that are to be freed. */
static void superpage_take(struct superpage_reserv *r, unsigned int first, unsigned int order,
			   struct list_head *blocks)
{
	struct page *page = superpage_frame(r, first);

	superpage_cut(r, first, order);
	set_page_private(page, order);
	list_add(&page->lru, blocks);
}

/* Take out what is own of @nr pages from @first on. */
static void superpage_take_range(struct superpage_reserv *r, unsigned int first,
				 unsigned int nr, struct list_head *blocks)
{
	unsigned int end = first + nr, run, order;

	while ((first = find_next_bit(r->own, end, first)) < end) {
		run = find_next_zero_bit(r->own, end, first) - first;
		order = first ? min_t(unsigned int, __ffs(first), __fls(run)) : __fls(run);
		superpage_take(r, first, order, blocks);
		first += 1U << order;
	}
}

/* The order of the largest raw block, or -1. */
static int superpage_largest(struct superpage_reserv *r)
{
	unsigned int size = 1U << r->order, first, end;
	int largest = -1, order;

	for (first = 0; (first = find_next_bit(r->own, size, first)) < size; first = end) {
		end = find_next_zero_bit(r->own, size, first);
		for (order = __fls(end - first); order > largest; order--) {
			if (round_up(first, 1U << order) + (1U << order) <= end)
				largest = order;
		}
	}
	WRITE_ONCE(r->largest, max(largest, 0));
	return largest;
}

/*
 * Take out blocks of the largest order that there is, but of at least 2^@least and at
 * most 2^@most frames each, until they have @nr.  Begins at the end that is farther
 * from the latest claim, where it takes longest until they are wanted.
 *
 * All blocks of one order in one go: a reservation of which each second unit has been
 * claimed has thousands of them, and the zone's list is locked meanwhile.  Returns how
 * many frames they have, 0 if there is no such block.
 */
static unsigned long superpage_take_largest(struct superpage_reserv *r, int least, int most,
					    unsigned long nr, struct list_head *blocks)
{
	bool low = r->last < (1U << r->order) / 2;
	int order = superpage_largest(r);
	unsigned int i, n, first;
	unsigned long taken = 0;

	if (order < least)
		return 0;
	order = min(order, most);
	n = 1U << (r->order - order);
	for (i = 0; i < n && taken < nr; i++) {
		first = (low ? n - 1 - i : i) << order;
		if (!superpage_all_own(r, first, 1U << order))
			continue;
		trace_superpage_break(r->mm, r->start + first * PAGE_SIZE, order);
		superpage_take(r, first, order, blocks);
		taken += 1UL << order;
	}
	return taken;
}

/* Is there a claim under way to @nr pages from @first on? */
static bool superpage_under_way(const struct superpage_reserv *r, unsigned int first,
				unsigned int nr)
{
	int i;

	for (i = 0; i < SUPERPAGE_CLAIMS; i++)
		if (r->claims[i].nr && first < r->claims[i].first + r->claims[i].nr &&
		    r->claims[i].first < first + nr)
			return true;
	return false;
}

/* Nothing will come of this reservation any more. */
static bool superpage_spent(const struct superpage_reserv *r)
{
	return !r->nr_own && !superpage_under_way(r, 0, 1U << r->order);
}

/* The mm has made use of it, or cannot any more: it may set aside as much again. */
static void superpage_not_thin(struct superpage_reserv *r)
{
	if (r->thin)
		atomic_dec(&r->mm->superpage.thin[r->order]);
	r->thin = false;
}

/* Off the list of the zone when nothing is left.  Both locks are held. */
static void __superpage_unlist(struct superpage_reserv *r)
{
	if (r->nr_own)
		return;
	superpage_not_thin(r);
	list_del_init(&r->list);
}

/* The same with r->lock alone. */
static void superpage_unlist(struct superpage_reserv *r)
{
	if (r->nr_own)
		return;
	spin_lock(&r->zone->superpage_lock);
	__superpage_unlist(r);
	spin_unlock(&r->zone->superpage_lock);
}

void superpage_reserv_put(struct superpage_reserv *r)
{
	if (!refcount_dec_and_test(&r->ref))
		return;
	VM_WARN_ON_ONCE(r->nr_own || !list_empty(&r->list));
	kfree(r);
}

/* --- The reservations of an mm ---------------------------------------------------- */

void superpage_mm_init_reserve(struct mm_struct *mm)
{
	int i;

	/* fork() has copied those of the parent; they are the parent's. */
	spin_lock_init(&mm->superpage.reserv_lock);
	mm->superpage.tree = RB_ROOT;
	for (i = 0; i < SUPERPAGE_ORDERS; i++)
		atomic_set(&mm->superpage.thin[i], 0);
}

/* The first reservation that ends behind @addr. */
static struct superpage_reserv *superpage_first(struct mm_struct *mm, unsigned long addr)
{
	struct rb_node *node = mm->superpage.tree.rb_node;
	struct superpage_reserv *r, *first = NULL;

	lockdep_assert_held(&mm->superpage.reserv_lock);
	while (node) {
		r = rb_entry(node, struct superpage_reserv, node);
		if (superpage_reserv_end(r) > addr) {
			first = r;
			node = node->rb_left;
		} else {
			node = node->rb_right;
		}
	}
	return first;
}

static void superpage_link(struct mm_struct *mm, struct superpage_reserv *new)
{
	struct rb_node **link = &mm->superpage.tree.rb_node, *parent = NULL;
	struct superpage_reserv *r;

	lockdep_assert_held(&mm->superpage.reserv_lock);
	while (*link) {
		parent = *link;
		r = rb_entry(parent, struct superpage_reserv, node);
		link = new->start < r->start ? &parent->rb_left : &parent->rb_right;
	}
	rb_link_node(&new->node, parent, link);
	rb_insert_color(&new->node, &mm->superpage.tree);
}

/* Take it out of the tree; its reference is the caller's then. */
static void superpage_unlink(struct mm_struct *mm, struct superpage_reserv *r)
{
	lockdep_assert_held(&mm->superpage.reserv_lock);
	rb_erase(&r->node, &mm->superpage.tree);
	RB_CLEAR_NODE(&r->node);
}

/* Take it out of the tree if nothing will come of it any more. */
static void superpage_unlink_spent(struct mm_struct *mm, struct superpage_reserv *r)
{
	bool spent = false;

	spin_lock(&mm->superpage.reserv_lock);
	spin_lock(&r->lock);
	/* Somebody else may have done it. */
	if (!RB_EMPTY_NODE(&r->node) && superpage_spent(r)) {
		superpage_unlink(mm, r);
		spent = true;
	}
	spin_unlock(&r->lock);
	spin_unlock(&mm->superpage.reserv_lock);
	if (spent)
		superpage_reserv_put(r);
}

/**
 * __superpage_release() - give back the frames of a range of addresses
 * @mm: whose addresses
 * @start: the first one
 * @end: the one behind the last
 *
 * For whoever unmaps them; and for others who know better what to do with the
 * memory.  The latter may come while page faults claim what is given back here:
 * they find it gone and do without.
 *
 * One reservation at a time, as a process may have thousands when it exits.  May sleep.
 */
void __superpage_release(struct mm_struct *mm, unsigned long start, unsigned long end)
{
	struct superpage_reserv *r;
	unsigned long from, to;
	LIST_HEAD(blocks);
	bool spent;

	for (; start < end; start = to) {
		spin_lock(&mm->superpage.reserv_lock);
		r = superpage_first(mm, start);
		if (!r || r->start >= end) {
			spin_unlock(&mm->superpage.reserv_lock);
			break;
		}
		from = max(start, r->start);
		to = min(end, superpage_reserv_end(r));
		spin_lock(&r->lock);
		superpage_take_range(r, superpage_page_of(r, from), (to - from) >> PAGE_SHIFT,
				     &blocks);
		superpage_unlist(r);
		spent = superpage_spent(r) || to - from == PAGE_SIZE << r->order;
		spin_unlock(&r->lock);
		if (spent)
			superpage_unlink(mm, r);
		spin_unlock(&mm->superpage.reserv_lock);

		/* It is on no list any more: nr_own is 0. */
		if (spent)
			superpage_reserv_put(r);
		superpage_free_list(&blocks);
	}
}

/**
 * __superpage_move() - mremap() has moved what is mapped
 * @mm: whose addresses
 * @from: the first one that it had
 * @to: the first one that it has
 * @len: how far
 *
 * A reservation all of which has moved, to where its frames are aligned, goes with it.
 * What is left of the others will be given back when the old addresses are unmapped.
 * mmap_lock is held for writing, so that no page fault works with any.
 */
void __superpage_move(struct mm_struct *mm, unsigned long from, unsigned long to,
		      unsigned long len)
{
	struct superpage_reserv *r, *next, *there;
	unsigned long start, size;

	mmap_assert_write_locked(mm);
	spin_lock(&mm->superpage.reserv_lock);
	for (r = superpage_first(mm, from); r && r->start < from + len; r = next) {
		next = rb_entry_safe(rb_next(&r->node), struct superpage_reserv, node);
		size = PAGE_SIZE << r->order;
		start = r->start - from + to;
		if (r->start < from || r->start + size > from + len || !IS_ALIGNED(start, size))
			continue;
		/* It may have been a hole into which that of a heap reaches. */
		there = superpage_first(mm, start);
		if (there && there->start < start + size)
			continue;
		superpage_unlink(mm, r);
		/* Whoever breaks it says where it is. */
		spin_lock(&r->lock);
		r->start = start;
		spin_unlock(&r->lock);
		superpage_link(mm, r);
	}
	spin_unlock(&mm->superpage.reserv_lock);
}

/**
 * superpage_reserv_find() - the reservation for an address
 * @vma: the VMA that has it; mmap_lock is held
 * @addr: the address
 *
 * One whose node the policy or the cpuset permits no longer is given back.
 *
 * Return: the reservation, with a reference, or NULL
 */
struct superpage_reserv *superpage_reserv_find(struct vm_area_struct *vma, unsigned long addr)
{
	struct mm_struct *mm = vma->vm_mm;
	struct superpage_reserv *r;
	nodemask_t mask;

	if (RB_EMPTY_ROOT(&mm->superpage.tree))
		return NULL;
	spin_lock(&mm->superpage.reserv_lock);
	r = superpage_first(mm, addr);
	if (r && r->start <= addr)
		refcount_inc(&r->ref);
	else
		r = NULL;
	spin_unlock(&mm->superpage.reserv_lock);
	if (!r)
		return NULL;

	if (num_online_nodes() > 1 && mm == current->mm &&
	    (superpage_policy(vma, addr, &mask) == NUMA_NO_NODE ||
	     !node_isset(zone_to_nid(r->zone), mask) ||
	     !cpuset_zone_allowed(r->zone, GFP_HIGHUSER)))
		__superpage_release(mm, r->start, superpage_reserv_end(r));
	if (unlikely(!READ_ONCE(r->nr_own)))
		superpage_unlink_spent(mm, r);
	/* Not if nothing will come of it, but as long as others have claims under way. */
	if (unlikely(RB_EMPTY_NODE(&r->node))) {
		superpage_reserv_put(r);
		return NULL;
	}
	return r;
}

/* May a block of @order be set aside in this zone? */
static bool superpage_zone_has(struct zone *zone, unsigned int order)
{
	unsigned long free = zone_page_state(zone, NR_FREE_PAGES);
	unsigned long high = high_wmark_pages(zone);

	/*
	 * What is set aside is not free for those who cannot wait, so kswapd is to
	 * have no reason to run.  And one process should not take all at once.
	 */
	return free > high && (free - high) >> order >= 4 &&
	       zone_watermark_ok(zone, order, high, ZONE_NORMAL, 0);
}

/* Not from ZONE_MOVABLE, since nobody can move what is set aside. */
#define RESERVE_GFP	(SUPERPAGE_GFP & ~__GFP_HIGHMEM)

/* A zone of which a block of @order may be set aside, or NULL. */
static struct zone *superpage_find_zone(int nid, nodemask_t *mask, unsigned int order)
{
	struct zonelist *zonelist = node_zonelist(nid, RESERVE_GFP);
	int enough = NUMA_NO_NODE;
	struct zoneref *z;
	struct zone *zone;

	for_each_zone_zonelist_nodemask(zone, z, zonelist, ZONE_NORMAL, mask) {
		/* Base pages from here are better than superpages from farther away. */
		if (enough != NUMA_NO_NODE && zone_to_nid(zone) != enough)
			return NULL;
		if (!cpuset_zone_allowed(zone, GFP_HIGHUSER))
			continue;
		if (zone_watermark_ok(zone, 0, high_wmark_pages(zone), ZONE_NORMAL, 0))
			enough = zone_to_nid(zone);
		if (superpage_zone_has(zone, order))
			return zone;
	}
	return NULL;
}

/*
 * Not from a higher zone than the one that has enough: the page allocator would begin
 * there, and leave less than the high watermark.
 */
static gfp_t superpage_zone_gfp(struct zone *zone)
{
#ifdef CONFIG_ZONE_DMA32
	if (zone_idx(zone) == ZONE_DMA32)
		return __GFP_DMA32;
#endif
	return 0;
}

/* A raw block of a node, or NULL.  @how: from which zones of it, and what may be done. */
static struct page *superpage_set_aside(int nid, unsigned int order, gfp_t how)
{
	struct page *page = __alloc_pages(RESERVE_GFP | __GFP_THISNODE | how, order, nid, NULL);

	/* Others may want to have CMA's memory at once. */
	if (page && is_migrate_cma_page(page)) {
		__free_pages(page, order);
		page = NULL;
	}
	return page;
}

/* May frames be set aside for a neighbour of a VMA? */
static bool superpage_extends(struct vm_area_struct *vma)
{
	return vma && vma_is_anonymous(vma) &&
	       !(vma->vm_flags & (VM_SHARED | VM_NOHUGEPAGE | VM_GROWSDOWN | VM_GROWSUP |
				  VM_SPECIAL));
}

/*
 * The addresses around a VMA for which its page faults may set frames aside: it may
 * grow, as heaps do by brk() and thread arenas by mprotect().  By as much again as
 * there is, or by 1 MiB.  *@end is where there is nothing mapped any more.
 */
static void superpage_reach(struct vm_area_struct *vma, unsigned long *low,
			    unsigned long *end, unsigned long *high)
{
	unsigned long most = max_t(unsigned long, vma->vm_end - vma->vm_start, SUPERPAGE_HUGE_SIZE);
	struct mm_struct *mm = vma->vm_mm;
	struct vm_area_struct *next;

	*low = vma->vm_start;
	*end = vma->vm_end;
	next = find_vma(mm, vma->vm_end);
	if (next && next->vm_start == *end) {
		if (superpage_extends(next))
			*end = next->vm_end;
		*high = *end;
	} else if (vma->vm_start <= mm->brk && vma->vm_end >= mm->start_brk) {
		*high = next ? next->vm_start : TASK_SIZE;
	} else {
		*high = *end;
	}
	if (*high - vma->vm_end > most)
		*high = vma->vm_end + most;
	*end = min(*end, *high);
}

/* Has fork() made it, and has the parent used it? */
static bool superpage_inherited(struct vm_area_struct *vma)
{
	struct anon_vma *anon_vma = vma->anon_vma;

	return anon_vma && anon_vma->parent != anon_vma;
}

/*
 * The largest order to set aside.  Where an mm does not use what it has, it gets
 * less: or four touches of a large mapping set all memory aside.
 */
static unsigned int superpage_evident(struct vm_area_struct *vma, unsigned int most,
				      unsigned long orders)
{
	unsigned int order, first = min(most, superpage_first_order(vma, orders));

	/* Most children touch little of what they have inherited. */
	if (superpage_inherited(vma))
		most = min_t(unsigned int, most, SUPERPAGE_HUGE_ORDER);
	for (order = 0; order <= most; order++) {
		if (atomic_read(&vma->vm_mm->superpage.thin[order])) {
			most = max_t(int, order - SUPERPAGE_ORDER_STEP, 0);
			break;
		}
	}
	return max(most, first);
}

/*
 * MAP_NORESERVE says that little of a mapping will be used.  It gets as much as is
 * mapped beside the page fault, so a walk, or a thread's arena that fills up, gets
 * more each time.  The page allocator looks at each frame when it gives it and when
 * it takes it back, which one touch of a terabyte should not pay for.
 */
static bool superpage_sparse(struct vm_area_struct *vma, unsigned long addr,
			     unsigned int order, unsigned long orders)
{
	return (vma->vm_flags & VM_NORESERVE) && order > SUPERPAGE_HUGE_ORDER &&
	       order > superpage_first_order(vma, orders) &&
	       !superpage_beside(vma, addr, order - SUPERPAGE_ORDER_STEP, orders);
}

static struct superpage_reserv *superpage_reserv_alloc(unsigned int order)
{
	unsigned int own = BITS_TO_LONGS(1UL << order);
	unsigned int touched = BITS_TO_LONGS(1UL << (order - SUPERPAGE_UNIT_ORDER));
	struct superpage_reserv *r;

	r = kzalloc(struct_size(r, own, own + touched),
		    GFP_NOWAIT | __GFP_NOWARN | __GFP_ACCOUNT);
	if (!r)
		return NULL;
	refcount_set(&r->ref, 2);	/* the tree's and the caller's */
	INIT_LIST_HEAD(&r->list);
	spin_lock_init(&r->lock);
	init_waitqueue_head(&r->wait);
	r->order = order;
	r->largest = order;
	r->touched = r->own + own;
	bitmap_fill(r->own, 1U << order);
	return r;
}

/* Enter it; false if another thread has been there first, or the mm is being reaped. */
static bool superpage_insert(struct mm_struct *mm, struct superpage_reserv *new)
{
	struct superpage_reserv *r;

	spin_lock(&mm->superpage.reserv_lock);
	r = superpage_first(mm, new->start);
	if ((r && r->start < superpage_reserv_end(new)) ||
	    test_bit(MMF_UNSTABLE, &mm->flags)) {
		spin_unlock(&mm->superpage.reserv_lock);
		return false;
	}
	superpage_link(mm, new);
	/* With the tree's lock, so that whoever takes all finds it, or it is not there. */
	spin_lock(&new->lock);
	superpage_account(new, 1L << new->order);
	/* Of small ones, the unit of a page fault is an eighth. */
	new->thin = new->order > SUPERPAGE_UNIT_ORDER + 3;
	if (new->thin)
		atomic_inc(&mm->superpage.thin[new->order]);
	spin_lock(&new->zone->superpage_lock);
	list_add_tail(&new->list, &new->zone->superpage_list);
	spin_unlock(&new->zone->superpage_lock);
	spin_unlock(&new->lock);
	spin_unlock(&mm->superpage.reserv_lock);
	return true;
}

/* Is there a reservation in [@start, @end)?  A hint. */
static bool superpage_taken(struct mm_struct *mm, unsigned long start, unsigned long end)
{
	struct superpage_reserv *r;

	spin_lock(&mm->superpage.reserv_lock);
	r = superpage_first(mm, start);
	if (r && r->start >= end)
		r = NULL;
	spin_unlock(&mm->superpage.reserv_lock);
	return r;
}

/**
 * superpage_reserve() - set frames aside for the addresses around a page fault
 * @vma: the VMA
 * @addr: the address
 * @orders: bitmap of the orders that superpages may have
 *
 * As many as fit between what is mapped, as there is evidence for that they are
 * going to be used, as the memory cgroup would permit to be mapped, and as the
 * nearest node has.  For the largest size up to SUPERPAGE_HUGE_SIZE memory may be
 * reclaimed and compacted, as "defrag" says.  mmap_lock is held for reading.
 *
 * Return: the reservation, with a reference, or NULL
 */
struct superpage_reserv *superpage_reserve(struct vm_area_struct *vma, unsigned long addr,
					   unsigned long orders)
{
	unsigned long low, end, high, start, size, room;
	struct mm_struct *mm = vma->vm_mm;
	struct superpage_reserv *r;
	struct page *page = NULL;
	struct zone *zone;
	nodemask_t mask;
	int order, nid;
	gfp_t defrag;

	order = min_t(unsigned int, __fls(orders), superpage_most_order());
	order = superpage_evident(vma, order, orders);
	order -= (order - SUPERPAGE_UNIT_ORDER) % SUPERPAGE_ORDER_STEP;
	if (order <= SUPERPAGE_UNIT_ORDER || vma->vm_flags & VM_LOCKONFAULT)
		return NULL;
	nid = superpage_policy(vma, addr, &mask);
	if (nid == NUMA_NO_NODE)
		return NULL;
	room = mem_cgroup_headroom(mm);
	defrag = node_isset(nid, mask) ? superpage_defrag(vma) : 0;
	superpage_reach(vma, &low, &end, &high);

	for (; order > SUPERPAGE_UNIT_ORDER; order -= SUPERPAGE_ORDER_STEP) {
		size = PAGE_SIZE << order;
		start = round_down(addr, size);
		if (start < low || start + size > high || room >> order == 0 ||
		    superpage_sparse(vma, addr, order, orders))
			continue;
		/* First what costs least, as memory may be short for long. */
		zone = superpage_find_zone(nid, &mask, order);
		if (!(zone || (defrag && order <= SUPERPAGE_HUGE_ORDER)) ||
		    superpage_taken(mm, start, start + size) ||
		    !superpage_none(mm, start, min(start + size, end)))
			continue;
		if (zone)
			page = superpage_set_aside(zone_to_nid(zone), order,
						   superpage_zone_gfp(zone));
		if (!page && order <= SUPERPAGE_HUGE_ORDER) {
			/* Once only: smaller sizes are not worth a second time. */
			if (defrag)
				page = superpage_set_aside(nid, order, defrag);
			defrag = 0;
		}
		if (page)
			break;
	}
	if (!page)
		return NULL;

	r = superpage_reserv_alloc(order);
	if (r) {
		r->mm = mm;
		r->zone = page_zone(page);
		r->start = start;
		r->pfn = page_to_pfn(page);
		r->last = superpage_page_of(r, addr);
		r->used = jiffies;
		if (superpage_insert(mm, r)) {
			superpage_count(order, SUPERPAGE_RESERVED, 1);
			trace_superpage_reserve(mm, start, order);
			return r;
		}
		kfree(r);
	}
	__free_pages(page, order);
	return superpage_reserv_find(vma, addr);
}

/* --- What page faults ask and do --------------------------------------------------- */

/**
 * superpage_reserv_owns() - can a superpage be claimed?
 * @r: the reservation for @addr
 * @addr: an address in it
 * @order: of the superpage
 *
 * Without a lock, so the answer is a hint; it is no one that turns to yes.
 */
bool superpage_reserv_owns(struct superpage_reserv *r, unsigned long addr, unsigned int order)
{
	unsigned int first = round_down(superpage_page_of(r, addr), 1U << order);

	return order <= r->order && superpage_all_own(r, first, 1U << order);
}

/**
 * superpage_reserv_claimed() - is nothing left to be claimed for a superpage?
 * @r: the reservation for @addr
 * @addr: an address in it
 * @order: of the superpage
 */
bool superpage_reserv_claimed(struct superpage_reserv *r, unsigned long addr,
			      unsigned int order)
{
	unsigned int first = round_down(superpage_page_of(r, addr), 1U << order);
	unsigned int end = first + (1U << order);

	return order <= r->order && find_next_bit(r->own, end, first) >= end;
}

/**
 * superpage_reserv_full() - of how much around a page has everything been claimed?
 * @r: the reservation for @addr
 * @addr: an address in it
 * @order: the block of this order around @addr has
 *
 * Others may still be mapping it.
 *
 * Return: the largest order, at most that of the reservation
 */
unsigned int superpage_reserv_full(struct superpage_reserv *r, unsigned long addr,
				   unsigned int order)
{
	while (superpage_reserv_claimed(r, addr, order + 1))
		order++;
	return order;
}

/* Is the page's claim still under way? */
static bool superpage_page_waits(struct superpage_reserv *r, unsigned int page)
{
	bool ret;

	spin_lock(&r->lock);
	ret = superpage_under_way(r, page, 1);
	spin_unlock(&r->lock);
	return ret;
}

/**
 * superpage_reserv_wait() - wait for another thread that maps a page
 * @r: the reservation for @addr
 * @addr: the page's address; its frame is not the reservation's own
 *
 * The other one clears at most what vm.superpage_fault_max says, or what is being
 * populated, allocates nothing meanwhile, and waits for nobody.  So this is not
 * interrupted, not even by a fatal signal: see superpage_clear().
 *
 * Return: false if nobody does
 */
bool superpage_reserv_wait(struct superpage_reserv *r, unsigned long addr)
{
	unsigned int page = superpage_page_of(r, addr);

	if (!superpage_page_waits(r, page))
		return false;
	wait_event(r->wait, !superpage_page_waits(r, page));
	return true;
}

/**
 * superpage_reserv_touch() - there was a page fault
 * @r: the reservation for @addr
 * @addr: where
 */
void superpage_reserv_touch(struct superpage_reserv *r, unsigned long addr)
{
	set_bit(superpage_page_of(r, addr) >> SUPERPAGE_UNIT_ORDER, r->touched);
}

/**
 * superpage_reserv_dense() - is enough of a superpage in use to map the rest?
 * @r: the reservation for @addr
 * @addr: an address in it
 * @most: the largest order to consider
 *
 * With half of the units instead of three quarters, memory of which each eighth page
 * is used would be mapped as a whole.  Of fewer than 16 units, three quarters say too
 * little: of four, memory of which each sixth page is used has three.
 *
 * Return: the largest order, from 1 MiB and 16 units on, of which three quarters of the
 * units around @addr have had a page fault and some are still to be claimed; or 0
 */
unsigned int superpage_reserv_dense(struct superpage_reserv *r, unsigned long addr,
				    unsigned int most)
{
	unsigned int least = max_t(unsigned int, SUPERPAGE_HUGE_ORDER, SUPERPAGE_UNIT_ORDER + 4);
	unsigned int order, units, first, touched;

	most = min(most, r->order);
	most -= (most - SUPERPAGE_UNIT_ORDER) % SUPERPAGE_ORDER_STEP;
	for (order = most; order >= least; order -= SUPERPAGE_ORDER_STEP) {
		units = 1U << (order - SUPERPAGE_UNIT_ORDER);
		first = round_down(superpage_page_of(r, addr) >> SUPERPAGE_UNIT_ORDER, units);
		/* Sizes of fewer units divide a word, and larger ones fill whole words. */
		if (units < BITS_PER_LONG)
			touched = hweight_long(r->touched[first / BITS_PER_LONG] >>
					       first % BITS_PER_LONG & GENMASK(units - 1, 0));
		else
			touched = bitmap_weight(r->touched + first / BITS_PER_LONG, units);
		if (4 * touched >= 3 * units && !superpage_reserv_claimed(r, addr, order))
			return order;
	}
	return 0;
}

static bool superpage_has_slot(struct superpage_reserv *r)
{
	bool ret = false;
	int i;

	spin_lock(&r->lock);
	for (i = 0; i < SUPERPAGE_CLAIMS; i++)
		ret |= !r->claims[i].nr;
	spin_unlock(&r->lock);
	return ret;
}

/* It is used: it goes to the end of the list, but not at each page fault. */
static void superpage_used(struct superpage_reserv *r)
{
	if (time_before(jiffies, r->used + HZ / 10))
		return;
	r->used = jiffies;
	spin_lock(&r->zone->superpage_lock);
	if (!list_empty(&r->list))
		list_move_tail(&r->list, &r->zone->superpage_list);
	spin_unlock(&r->zone->superpage_lock);
}

/**
 * superpage_claim() - take the frames for a superpage
 * @mm: the mm
 * @r: the reservation for @addr
 * @addr: an address in the superpage
 * @order: its order, 0 for a base page
 *
 * They are base pages then, with a reference each, and are never the reservation's
 * again.  Whoever comes to one of these addresses waits until superpage_claim_done().
 *
 * Return: the first of the frames; or -ENOENT if not all of them are the
 * reservation's own, -EAGAIN after waiting for others who claim, -EHWPOISON if the
 * memory is broken
 */
struct page *superpage_claim(struct mm_struct *mm, struct superpage_reserv *r,
			     unsigned long addr, unsigned int order)
{
	unsigned int first = round_down(superpage_page_of(r, addr), 1U << order);
	struct page *page = superpage_frame(r, first);
	int i;

	spin_lock(&r->lock);
	if (!superpage_all_own(r, first, 1U << order)) {
		spin_unlock(&r->lock);
		return ERR_PTR(-ENOENT);
	}
	for (i = 0; i < SUPERPAGE_CLAIMS && r->claims[i].nr; i++)
		;
	if (i == SUPERPAGE_CLAIMS) {
		spin_unlock(&r->lock);
		wait_event(r->wait, superpage_has_slot(r));
		return ERR_PTR(-EAGAIN);
	}
	superpage_cut(r, first, order);
	r->claims[i].first = first;
	r->claims[i].nr = 1U << order;
	r->last = first;
	superpage_used(r);
	superpage_unlist(r);
	if (r->nr_own <= (7U << r->order) / 8)
		superpage_not_thin(r);
	spin_unlock(&r->lock);

	/* The frames are ours, so what follows needs no lock. */
	if (superpage_block_bad(page, order)) {
		superpage_free_block(page, order);
		superpage_claim_done(mm, r, addr);
		return ERR_PTR(-EHWPOISON);
	}
	split_page(page, order);
	return page;
}

/**
 * superpage_claim_done() - the PTEs are set, or the frames have been given back
 * @mm: the mm
 * @r: the reservation for @addr
 * @addr: an address of the claim
 */
void superpage_claim_done(struct mm_struct *mm, struct superpage_reserv *r, unsigned long addr)
{
	unsigned int page = superpage_page_of(r, addr);
	bool spent;
	int i;

	spin_lock(&r->lock);
	for (i = 0; i < SUPERPAGE_CLAIMS; i++)
		if (page - r->claims[i].first < r->claims[i].nr)
			r->claims[i].nr = 0;
	spent = superpage_spent(r);
	spin_unlock(&r->lock);
	wake_up_all(&r->wait);
	if (spent)
		superpage_unlink_spent(mm, r);
}

/**
 * superpage_claim_page() - take one frame for a page that moves to its home
 * @r: the reservation for @addr
 * @addr: the address of the page
 *
 * mmap_lock is held for writing, so no page fault has to be told of it.
 *
 * Return: false if it is not the reservation's own, or the memory is broken
 */
bool superpage_claim_page(struct superpage_reserv *r, unsigned long addr)
{
	unsigned int first = superpage_page_of(r, addr);
	bool own;

	mmap_assert_write_locked(r->mm);
	spin_lock(&r->lock);
	own = test_bit(first, r->own);
	if (own) {
		superpage_cut(r, first, 0);
		superpage_unlist(r);
	}
	spin_unlock(&r->lock);
	if (own && superpage_block_bad(superpage_frame(r, first), 0)) {
		superpage_free_block(superpage_frame(r, first), 0);
		own = false;
	}
	return own;
}

/* --- Giving back ------------------------------------------------------------------- */

void __meminit superpage_zone_init(struct zone *zone)
{
	spin_lock_init(&zone->superpage_lock);
	INIT_LIST_HEAD(&zone->superpage_list);
}

/* Take out what is to be given back of one reservation of the list; how many pages. */
static unsigned long superpage_break_one(struct superpage_reserv *r, int least, int most,
					 unsigned long nr, struct list_head *blocks)
{
	unsigned long taken = 0, got;

	/* Against the order of locks, so try: see the head of this file. */
	if (!spin_trylock(&r->lock))
		return 0;
	do {
		got = superpage_take_largest(r, least, most, nr - taken, blocks);
		taken += got;
	} while (got && taken < nr);
	if (taken)
		superpage_count(r->order, SUPERPAGE_BROKEN, 1);
	__superpage_unlist(r);
	spin_unlock(&r->lock);
	return taken;
}

/* Give back some frames of the zone, in blocks of 2^@least or more; how many. */
static unsigned long superpage_break_blocks(struct zone *zone, int least, unsigned long nr)
{
	int most = max_t(int, least, SUPERPAGE_BATCH_ORDER);
	struct superpage_reserv *r, *next;
	unsigned long taken = 0;
	LIST_HEAD(blocks);

	spin_lock(&zone->superpage_lock);
	list_for_each_entry_safe(r, next, &zone->superpage_list, list) {
		if (taken >= nr)
			break;
		if ((int)READ_ONCE(r->largest) >= least)
			taken += superpage_break_one(r, least, most, nr - taken, &blocks);
	}
	spin_unlock(&zone->superpage_lock);
	superpage_free_list(&blocks);
	return taken;
}

/* Give back enough for a request of @order, the oldest first; how many pages that were. */
static unsigned long superpage_break_zone(struct zone *zone, unsigned int order)
{
	unsigned long nr = max(1UL << order, 1UL << SUPERPAGE_BATCH_ORDER), taken;

	if (list_empty(&zone->superpage_list))
		return 0;
	taken = superpage_break_blocks(zone, order, nr);
	/* Small blocks make larger ones with their neighbours, but no large ones. */
	if (!taken && order && order <= PAGE_ALLOC_COSTLY_ORDER)
		taken = superpage_break_blocks(zone, 0, nr);
	return taken;
}

/**
 * superpage_break() - give back for an allocation that has found no memory
 * @zonelist: where it may look for memory
 * @highest_zoneidx: up to which zone
 * @nodemask: on which nodes; NULL for all
 * @gfp: its flags
 * @order: its order
 *
 * The oldest first, and not more than is needed; but some at a time.
 *
 * Return: false if there was nothing to give
 */
bool superpage_break(struct zonelist *zonelist, int highest_zoneidx, nodemask_t *nodemask,
		     gfp_t gfp, unsigned int order)
{
	long budget = SUPERPAGE_SHRINK_BUDGET;
	struct zoneref *z;
	struct zone *zone;

	for_each_zone_zonelist_nodemask(zone, z, zonelist, highest_zoneidx, nodemask)
		if (cpuset_zone_allowed(zone, gfp) && superpage_break_zone(zone, order))
			return true;
	/*
	 * Next what nobody would miss, for who lacks memory, not a block in one piece.  Not
	 * for who is being killed: he may have what is left, and is to be quick.
	 */
	if (order || current->flags & PF_MEMALLOC || fatal_signal_pending(current))
		return false;
	for_each_zone_zonelist_nodemask(zone, z, zonelist, highest_zoneidx, nodemask)
		if (cpuset_zone_allowed(zone, gfp))
			return superpage_shrink_node(zone_to_nid(zone), highest_zoneidx, &budget);
	return false;
}

/**
 * superpage_break_near() - give back before memory of another node is taken
 * @ac: where the page allocator looks for memory
 * @zone: a zone that has less free memory than @mark
 * @gfp: the flags of the request
 * @order: its order
 * @mark: the watermark
 * @alloc_flags: how the page allocator looks at it
 *
 * What is set aside is used by nobody, and memory of another node is slow for as long as
 * it is used.  On a machine with one node this is left to superpage_break().
 *
 * Return: true if the zone has enough now
 */
bool superpage_break_near(const struct alloc_context *ac, struct zone *zone, gfp_t gfp,
			  unsigned int order, unsigned long mark, unsigned int alloc_flags)
{
	if (nr_online_nodes == 1 || !(gfp & __GFP_DIRECT_RECLAIM) ||
	    zone_to_nid(zone) != zone_to_nid(ac->preferred_zoneref->zone))
		return false;
	while (superpage_break_zone(zone, order))
		if (zone_watermark_ok(zone, order, mark, ac->highest_zoneidx, alloc_flags))
			return true;
	return false;
}

/* Does some zone of the node have free memory of @order above its high watermark? */
static bool superpage_plenty(struct pglist_data *pgdat, unsigned int order, int highest_zoneidx)
{
	struct zone *zone;
	int i;

	for (i = highest_zoneidx; i >= 0; i--) {
		zone = pgdat->node_zones + i;
		if (managed_zone(zone) &&
		    zone_watermark_ok_safe(zone, order, zone->_watermark[WMARK_HIGH],
					   highest_zoneidx))
			return true;
	}
	return false;
}

/**
 * superpage_balance() - give back for kswapd
 * @pgdat: the node that has too little free memory
 * @order: of which blocks
 * @highest_zoneidx: up to which zone
 *
 * Watermarks may be boosted in order to have memory compacted; that is no reason to
 * give anything back.
 *
 * Return: true if something has been given back
 */
bool superpage_balance(struct pglist_data *pgdat, unsigned int order, int highest_zoneidx)
{
	long budget = SUPERPAGE_SHRINK_BUDGET;
	bool broke = false;
	struct zone *zone;
	int i;

	if (superpage_plenty(pgdat, order, highest_zoneidx))
		return false;
	for (i = highest_zoneidx; i >= 0; i--) {
		zone = pgdat->node_zones + i;
		while (managed_zone(zone) && superpage_break_zone(zone, order)) {
			broke = true;
			if (zone_watermark_ok_safe(zone, order, zone->_watermark[WMARK_HIGH],
						   highest_zoneidx))
				return true;
		}
	}
	/* Pages of zeroes here and there make no block in one piece. */
	while (budget > 0 && !superpage_plenty(pgdat, 0, highest_zoneidx) &&
	       superpage_shrink_node(pgdat->node_id, highest_zoneidx, &budget))
		broke = true;
	return broke;
}

/**
 * superpage_break_range() - give back the frames of a range
 * @zone: their zone
 * @start_pfn: the first
 * @end_pfn: the one behind the last
 *
 * For who is to isolate them: nobody can move them, as they are mapped nowhere.
 */
void superpage_break_range(struct zone *zone, unsigned long start_pfn, unsigned long end_pfn)
{
	struct superpage_reserv *r, *next;
	unsigned long first, end;
	LIST_HEAD(blocks);
	bool again;

	do {
		again = false;
		spin_lock(&zone->superpage_lock);
		list_for_each_entry_safe(r, next, &zone->superpage_list, list) {
			first = max(start_pfn, r->pfn);
			end = min(end_pfn, r->pfn + (1UL << r->order));
			if (first >= end)
				continue;
			if (!spin_trylock(&r->lock)) {
				again = true;
				continue;
			}
			superpage_take_range(r, first - r->pfn, end - first, &blocks);
			__superpage_unlist(r);
			spin_unlock(&r->lock);
		}
		spin_unlock(&zone->superpage_lock);
		superpage_free_list(&blocks);
		cond_resched();
	} while (again);
}

/**
 * superpage_oom() - give back before a process is killed
 * @oc: what the OOM killer knows of the request
 *
 * What has been set aside since the page allocator looked; and pages of zeroes, of
 * whatever process.
 *
 * Return: false if there was nothing to give
 */
bool superpage_oom(struct oom_control *oc)
{
	int zoneidx = gfp_zone(oc->gfp_mask);
	nodemask_t nodes = NODE_MASK_NONE;
	struct zoneref *z;
	struct zone *zone;

	if (superpage_break(oc->zonelist, zoneidx, oc->nodemask, oc->gfp_mask, oc->order))
		return true;
	/* Who is being killed ends sooner than pages are found. */
	if (fatal_signal_pending(current))
		return false;
	for_each_zone_zonelist_nodemask(zone, z, oc->zonelist, zoneidx, oc->nodemask)
		if (cpuset_zone_allowed(zone, oc->gfp_mask))
			node_set(zone_to_nid(zone), nodes);
	return superpage_shrink_all(&nodes, zoneidx);
}

/* --- For tests ----------------------------------------------------------------------- */

#ifdef CONFIG_SUPERPAGE_DEBUG
/*
 * /sys/kernel/debug/superpage/
 *  break	a number of pages that are given back now
 *  step	of enum superpage_step: where each page fault takes all there is away
 *  check	"ok", or what is wrong with the books
 */
static u32 superpage_debug_at;

/* Give back all that there is, but for what a page fault is at this moment claiming. */
static void superpage_break_all(void)
{
	struct zone *zone;

	for_each_populated_zone(zone)
		superpage_break_blocks(zone, 0, ULONG_MAX);
}

/**
 * superpage_debug_step() - take away what a page fault is working with
 * @step: how far it has come
 *
 * Between any two steps others may come and want memory.
 */
void superpage_debug_step(enum superpage_step step)
{
	if (READ_ONCE(superpage_debug_at) == step)
		superpage_break_all();
}

static int superpage_debug_break(void *data, u64 nr)
{
	struct zone *zone;

	for_each_populated_zone(zone)
		nr -= min_t(u64, nr, superpage_break_blocks(zone, 0, nr));
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(superpage_break_fops, NULL, superpage_debug_break, "%llu\n");

/* What is wrong with it, or NULL.  r->lock is held. */
static const char *superpage_wrong(struct superpage_reserv *r)
{
	unsigned int size = 1U << r->order, i, j, order;
	int want;

	if (r->nr_own != bitmap_weight(r->own, size))
		return "nr_own";
	for (i = 0; i < size; i++) {
		if (!test_bit(i, r->own))
			continue;
		if (superpage_under_way(r, i, 1))
			return "an own frame is claimed";
		/* The first frame of a raw block has a reference, and no other. */
		for (order = 0; order < r->order; order++) {
			j = round_down(i, 2U << order);
			if (!superpage_all_own(r, j, 2U << order))
				break;
		}
		want = IS_ALIGNED(i, 1U << order);
		if (page_ref_count(superpage_frame(r, i)) != want)
			return "references";
		if (page_mapped(superpage_frame(r, i)))
			return "an own frame is mapped";
		/* The others of the block look the same. */
		if (want)
			i += min(1U << order, 64U) - 1;
	}
	return NULL;
}

static int superpage_check_show(struct seq_file *m, void *v)
{
	const char *wrong = NULL, *w;
	struct superpage_reserv *r;
	struct zone *zone;
	long own, count;

	for_each_populated_zone(zone) {
		own = 0;
		spin_lock(&zone->superpage_lock);
		list_for_each_entry(r, &zone->superpage_list, list) {
			/* Who has it may want the list; the sum will be wrong then. */
			if (!spin_trylock(&r->lock)) {
				wrong = "busy";
				continue;
			}
			own += r->nr_own;
			w = superpage_wrong(r);
			if (w)
				seq_printf(m, "%#lx order %u: %s\n", r->start, r->order, w);
			if (w || r->zone != zone || !r->nr_own)
				wrong = w ?: "the list";
			spin_unlock(&r->lock);
		}
		count = zone_page_state_snapshot(zone, NR_SUPERPAGE_RESERVED);
		spin_unlock(&zone->superpage_lock);
		if (own != count) {
			seq_printf(m, "%s: %ld frames, %ld are counted\n", zone->name, own, count);
			wrong = wrong ?: "the sum";
		}
	}
	seq_printf(m, "%s\n", wrong ?: "ok");
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(superpage_check);

/* The most that one reservation may have, in bytes. */
static int superpage_most_show(struct seq_file *m, void *data)
{
	seq_printf(m, "%lu\n", PAGE_SIZE << superpage_most_order());
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(superpage_most);

static int __init superpage_debug_init(void)
{
	struct dentry *dir = debugfs_create_dir("superpage", NULL);

	debugfs_create_u32("step", 0600, dir, &superpage_debug_at);
	debugfs_create_file_unsafe("break", 0200, dir, NULL, &superpage_break_fops);
	debugfs_create_file("check", 0400, dir, NULL, &superpage_check_fops);
	debugfs_create_file("most", 0400, dir, NULL, &superpage_most_fops);
	return 0;
}
late_initcall(superpage_debug_init);
#endif /* CONFIG_SUPERPAGE_DEBUG */
