// SPDX-License-Identifier: GPL-2.0
/*
 * Reservations: frames that are set aside for superpages.
 *
 * The first page fault in a range of private anonymous memory sets contiguous frames
 * aside for a larger, aligned range around it: a reservation.  Each page of that range
 * has one of the frames as its home.  Later page faults claim the homes of the pages
 * that they map, so that small superpages can become parts of larger ones without a
 * copy.  Frames that nobody has claimed are charged to nobody, have never been touched,
 * and are given back when anybody needs memory.
 *
 * A reservation consists of:
 *
 *  - A bitmap of the frames that it still owns.  Whoever takes a frame clears its
 *    bit: a page fault that claims it, or reclaim that gives it back to the page
 *    allocator.  A bit is never set again, so nothing has to be undone: a claimed
 *    frame that cannot be used goes to the page allocator.
 *
 *  - Raw blocks.  These are the maximal aligned power-of-two runs of owned frames.
 *    They follow from the bitmap and are recorded nowhere else.  A raw block is in
 *    the state in which alloc_pages() without __GFP_COMP returns it, and in which
 *    __free_pages() takes it back: its first frame has one reference, the others have
 *    none.  Code that takes a part of a raw block gives references to the raw blocks
 *    that remain, see superpage_cut().
 *
 *  - Claims under way.  The fault handler clears the frames that it has claimed
 *    without a lock.  Another thread that faults on one of them waits until the claim
 *    is finished; if it used a different frame instead, the claim would fail.
 *
 * A reservation belongs to a range of addresses of an mm, not to a VMA.  VMA
 * boundaries may move, as those of a heap do; what is mapped always stays within the
 * VMA.  Frames are given back when their addresses are unmapped.
 *
 * Locks, outermost first:
 *
 *  mmap_lock			held for reading by page faults and for writing by
 *				unmapping, so that no claim is under way when addresses
 *				are unmapped
 *  superpage.reserv_lock	of the mm; protects the tree of reservations
 *  r->lock			protects the contents of one reservation
 *  zone->superpage_lock	protects the zone's list of reservations that own frames,
 *				least recently used first
 *
 * A holder of one of the last three allocates and frees nothing and does not sleep, and
 * interrupt handlers do not take them.  Frames can therefore be given back in every
 * context that permits direct reclaim, including __GFP_NOFS and PF_MEMALLOC.  Reclaim
 * starts from the zone's list, against the lock order, and so only tries r->lock.  If
 * that fails, a page fault is using the reservation, and reclaim skips it.
 *
 * The zone's list holds no reference.  A reservation leaves the list when it loses
 * its last frame, and superpage_release() takes all frames before it drops the tree's
 * reference.  So a reservation on the list exists, and so does its mm.
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
 * Frames are given back in batches: enough that the next few requests succeed, and
 * blocks large enough to be of use to others.
 */
#define SUPERPAGE_BATCH_ORDER	get_order(SZ_4M)
#define SUPERPAGE_BATCH		BIT(SUPERPAGE_BATCH_ORDER)

/*
 * The most reservations that one request for a contiguous block looks at, with
 * zone->superpage_lock held.  There may be tens of thousands that have no such block.
 */
#define SUPERPAGE_BREAK_SCAN	1024

/*
 * The largest order of a reservation.  With these options the page allocator touches every
 * frame of a block when it allocates or frees it, so a large reservation would be slow.
 */
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
static int superpage_nodes(struct vm_area_struct *vma, unsigned long addr, nodemask_t *mask)
{
	*mask = NODE_MASK_ALL;
	return 0;
}
#endif

/**
 * superpage_node_allowed() - may contiguous frames come from a node?
 * @vma: VMA that the frames are for; the caller holds mmap_lock
 * @addr: address that the frames are for
 * @nid: the node
 *
 * Applies the memory policy of the VMA or, if that has none, of the current task; and the
 * cpuset of the current task.  khugepaged has neither policy nor cpuset.
 *
 * Return: true if the memory policy and the cpuset permit it
 */
bool superpage_node_allowed(struct vm_area_struct *vma, unsigned long addr, int nid)
{
	nodemask_t mask;

	if (num_online_nodes() == 1)
		return true;
	return superpage_nodes(vma, addr, &mask) != NUMA_NO_NODE && node_isset(nid, mask) &&
	       cpuset_node_allowed(nid, GFP_HIGHUSER);
}

/**
 * superpage_alloc_frames() - allocate contiguous frames to be mapped at once
 * @vma: VMA that they are for
 * @addr: address that they are for
 * @order: log2 of how many
 *
 * Takes what is free, without reclaim and compaction, because the next smaller order
 * is not much worse.  The exception is SUPERPAGE_HUGE_ORDER, for which "defrag" may
 * permit both.  Allocates from the preferred node only, if the memory policy permits
 * that node, otherwise from the nodes that the policy permits.  May sleep.
 *
 * Return: the first of the frames, each of which is an order-0 page; or NULL
 */
struct page *superpage_alloc_frames(struct vm_area_struct *vma, unsigned long addr,
				    unsigned int order)
{
	nodemask_t mask;
	int nid = superpage_nodes(vma, addr, &mask);
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
	 * SUPERPAGE_GFP can take a zone down to its min watermark without waking
	 * kswapd.  Allocations that cannot wait depend on the memory below the low
	 * watermark, so wake kswapd to restore it, as an allocation of a base page
	 * would.
	 */
	zone = page_zone(page);
	if (!zone_watermark_ok(zone, 0, low_wmark_pages(zone), zone_idx(zone), 0))
		wakeup_kswapd(zone, GFP_HIGHUSER, 0, zone_idx(zone));
	split_page(page, order);
	return page;
}

/*
 * Is @page, a page of a raw block, unusable?  @head: it is the first page of the block.
 *
 * A machine check takes a frame out of use where it finds it, whoever owns it (see
 * mca_page_isolate()), and so does memory_failure().  Leave such a frame where it is, with
 * the references that they have taken.
 */
static bool superpage_frame_bad(struct page *page, bool head)
{
	/* A lockless walker with a stale pointer may hold a reference to the first page. */
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

/* Free a raw block, except for its bad frames. */
static void superpage_free_block(struct page *page, unsigned int order)
{
	unsigned int i;

	if (!superpage_block_bad(page, order)) {
		superpage_free_raw(page, order);
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
 * superpage_free_frames() - free contiguous base pages
 * @page: the first
 * @nr: how many
 *
 * Leaves frames alone that a machine check or memory_failure() has taken out of use.
 */
void superpage_free_frames(struct page *page, unsigned int nr)
{
	for (; nr; nr--, page++)
		if (!PageReserved(page) && !PageHWPoison(page))
			put_page(page);
}

/*
 * Free the raw blocks on a list.  The caller holds no spinlock, but may hold oom_lock.  With
 * oom_lock it passes fewer than twice SUPERPAGE_BATCH frames, or one block; this function
 * does not reschedule then.
 */
static void superpage_free_list(struct list_head *blocks)
{
	struct page *page, *next;
	unsigned int order;
	unsigned long n = 0;

	list_for_each_entry_safe(page, next, blocks, lru) {
		order = page_private(page);
		list_del(&page->lru);
		set_page_private(page, 0);
		superpage_free_block(page, order);
		n += 1UL << order;
		if (n >= 2 * SUPERPAGE_BATCH && !list_empty(blocks)) {
			cond_resched();
			n = 0;
		}
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

/* Does the reservation own all of the @nr frames from @first on? */
static bool superpage_all_own(const struct superpage_reserv *r, unsigned int first,
			      unsigned int nr)
{
	return find_next_zero_bit(r->own, first + nr, first) >= first + nr;
}

/* Keep the zone's counter in step with the bitmap. */
static void superpage_account(struct superpage_reserv *r, long nr)
{
	WRITE_ONCE(r->nr_own, r->nr_own + nr);
	mod_zone_page_state(r->zone, NR_SUPERPAGE_RESERVED, nr);
}

/*
 * Take 2^@order owned, aligned frames from @first on out of the reservation, as a raw
 * block.  The raw block around them splits into halves, quarters and so on.  Each
 * part that remains becomes a raw block, too, so its first frame gets a reference;
 * the part at the beginning of the old block keeps the reference of the whole.
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

/* Take a block out of the reservation and put it on a list of blocks to be freed. */
static void superpage_take(struct superpage_reserv *r, unsigned int first, unsigned int order,
			   struct list_head *blocks)
{
	struct page *page = superpage_frame(r, first);

	superpage_cut(r, first, order);
	set_page_private(page, order);
	list_add(&page->lru, blocks);
}

/* Take all owned frames among the @nr from @first on out of the reservation. */
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

/* Return the order of the largest raw block, or -1 if there is none. */
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
 * Take raw blocks of the largest order there is out of the reservation, until they
 * have @nr frames: at least 2^@least and at most 2^@most frames at a time.  Start at
 * the end that is farther from the latest claim, which is likely to be needed last.
 *
 * Finds all blocks of one order in a single pass, because the caller holds the lock of
 * the zone's list, and a reservation of which every second unit has been claimed has
 * thousands of blocks.  Returns the number of frames taken; 0 if all blocks are smaller
 * than 2^@least.
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

/* Is a claim under way for any of the @nr pages from @first on? */
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

/* Is the reservation used up: no frames, and no claim under way? */
static bool superpage_spent(const struct superpage_reserv *r)
{
	return !r->nr_own && !superpage_under_way(r, 0, 1U << r->order);
}

/*
 * Note that enough of this reservation has been claimed, or that it has no frames left.  It
 * then no longer limits the size of the mm's next reservation: see superpage_evident().
 */
static void superpage_not_thin(struct superpage_reserv *r)
{
	if (r->thin)
		atomic_dec(&r->mm->superpage.thin[r->order]);
	r->thin = false;
}

/*
 * Take the reservation off the zone's list if it owns no frames any more.  The caller
 * holds r->lock and the zone's superpage_lock.
 */
static void __superpage_unlist(struct superpage_reserv *r)
{
	if (r->nr_own)
		return;
	superpage_not_thin(r);
	list_del_init(&r->list);
}

/* The same for a caller that holds r->lock only. */
static void superpage_unlist(struct superpage_reserv *r)
{
	if (r->nr_own)
		return;
	spin_lock(&r->zone->superpage_lock);
	__superpage_unlist(r);
	spin_unlock(&r->zone->superpage_lock);
}

/**
 * superpage_reserv_put() - drop a reference to a reservation
 * @r: the reservation; with its last reference it is freed
 */
void superpage_reserv_put(struct superpage_reserv *r)
{
	if (!refcount_dec_and_test(&r->ref))
		return;
	VM_WARN_ON_ONCE(r->nr_own || !list_empty(&r->list));
	kfree(r);
}

/* --- The reservations of an mm ---------------------------------------------------- */

/* Find the first reservation that ends after @addr. */
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

/* Take a reservation out of the tree.  The caller takes over the tree's reference. */
static void superpage_unlink(struct mm_struct *mm, struct superpage_reserv *r)
{
	lockdep_assert_held(&mm->superpage.reserv_lock);
	rb_erase(&r->node, &mm->superpage.tree);
	RB_CLEAR_NODE(&r->node);
}

/* Take a reservation out of the tree if it is used up. */
static void superpage_unlink_spent(struct mm_struct *mm, struct superpage_reserv *r)
{
	bool spent = false;

	spin_lock(&mm->superpage.reserv_lock);
	spin_lock(&r->lock);
	/* Another thread may have taken it out already. */
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
 * __superpage_release() - give back the reserved frames of a range of addresses
 * @mm: the mm
 * @start: first address
 * @end: address after the range
 *
 * For callers that unmap the range, and hold mmap_lock for writing or are the last
 * user of the mm; and for others that no longer want frames to be reserved there,
 * such as mbind(), the OOM reaper and the fault handler itself.  The OOM reaper and the
 * fault handler run while page faults claim the same frames.  r->lock decides who gets a
 * frame, and a page fault that comes second takes one from elsewhere.
 *
 * Frees one reservation at a time, because an exiting process may have thousands.  May
 * sleep.
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

		/* The reservation owns no frames, so it is on no zone's list. */
		if (spent)
			superpage_reserv_put(r);
		superpage_free_list(&blocks);
		cond_resched();
	}
}

/**
 * __superpage_move() - move reservations along with what mremap() has moved
 * @mm: the mm
 * @from: first address before the move
 * @to: first address after the move
 * @len: length of the range in bytes
 *
 * Moves a reservation that lies in the range as a whole, if its frames are aligned
 * for the new addresses, too.  The frames of other reservations go back when mremap()
 * unmaps the old addresses.  The caller holds mmap_lock for writing, so no page
 * fault is using any of them, and nobody else adds or removes one.  May sleep.
 */
void __superpage_move(struct mm_struct *mm, unsigned long from, unsigned long to,
		      unsigned long len)
{
	unsigned long start, size, addr = from, end = from + len;
	struct superpage_reserv *r, *there;

	mmap_assert_write_locked(mm);
	spin_lock(&mm->superpage.reserv_lock);
	/* There may be a million of them, so find each by its address. */
	for (; (r = superpage_first(mm, addr)) && r->start < end;
	     cond_resched_lock(&mm->superpage.reserv_lock)) {
		size = PAGE_SIZE << r->order;
		start = r->start - from + to;
		addr = r->start + size;
		if (r->start < from || addr > end || !IS_ALIGNED(start, size))
			continue;
		/* A heap's reservation may reach into the hole that this moves to. */
		there = superpage_first(mm, start);
		if (there && there->start < start + size)
			continue;
		superpage_unlink(mm, r);
		/* superpage_take_largest() reads r->start for a tracepoint. */
		spin_lock(&r->lock);
		r->start = start;
		spin_unlock(&r->lock);
		superpage_link(mm, r);
	}
	spin_unlock(&mm->superpage.reserv_lock);
}

/**
 * superpage_reserv_find() - find the reservation for an address
 * @vma: VMA that has the address; the caller holds mmap_lock
 * @addr: the address
 *
 * If @vma belongs to the calling process, gives the reservation's frames back if the
 * memory policy or the cpuset no longer permits their node.
 *
 * Return: the reservation, with a reference, or NULL
 */
struct superpage_reserv *superpage_reserv_find(struct vm_area_struct *vma, unsigned long addr)
{
	struct mm_struct *mm = vma->vm_mm;
	struct superpage_reserv *r;

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

	if (mm == current->mm && !superpage_node_allowed(vma, addr, zone_to_nid(r->zone)))
		__superpage_release(mm, r->start, superpage_reserv_end(r));
	if (unlikely(!READ_ONCE(r->nr_own)))
		superpage_unlink_spent(mm, r);
	/*
	 * A used-up reservation is out of the tree now.  A reservation without frames
	 * stays there as long as other threads have claims under way.
	 */
	if (unlikely(RB_EMPTY_NODE(&r->node))) {
		superpage_reserv_put(r);
		return NULL;
	}
	return r;
}

/* May a block of @order be set aside in @zone? */
static bool superpage_zone_has(struct zone *zone, unsigned int order)
{
	unsigned long free = zone_page_state(zone, NR_FREE_PAGES);
	unsigned long high = high_wmark_pages(zone);

	/*
	 * Reserved frames are not available to allocations that cannot wait.  So keep
	 * the zone above its high watermark, where kswapd has no reason to run.  And
	 * leave three more blocks of this size, so that one process does not take
	 * all.
	 */
	return free > high && (free - high) >> order >= 4 &&
	       zone_watermark_ok(zone, order, high, ZONE_NORMAL, 0);
}

/* Not from ZONE_MOVABLE: frames that nothing maps cannot be migrated. */
#define RESERVE_GFP	(SUPERPAGE_GFP & ~__GFP_HIGHMEM)

/* Find a zone in which a block of @order may be set aside; NULL if there is none. */
static struct zone *superpage_find_zone(int nid, nodemask_t *mask, unsigned int order)
{
	struct zonelist *zonelist = node_zonelist(nid, RESERVE_GFP);
	int enough = NUMA_NO_NODE;
	struct zoneref *z;
	struct zone *zone;

	for_each_zone_zonelist_nodemask(zone, z, zonelist, ZONE_NORMAL, mask) {
		/* Base pages from a nearer node are better than remote superpages. */
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
 * Return GFP flags that make the page allocator begin with @zone.  It would otherwise begin
 * with a higher zone, and could leave that below its high watermark.
 */
static gfp_t superpage_zone_gfp(struct zone *zone)
{
#ifdef CONFIG_ZONE_DMA32
	if (zone_idx(zone) == ZONE_DMA32)
		return __GFP_DMA32;
#endif
	return 0;
}

/*
 * Allocate a raw block on a node, or return NULL.  @how restricts the zones and may
 * permit reclaim.
 */
static struct page *superpage_set_aside(int nid, unsigned int order, gfp_t how)
{
	struct page *page = __alloc_pages(RESERVE_GFP | __GFP_THISNODE | how, order, nid, NULL);

	/* CMA may need its memory at any time. */
	if (page && is_migrate_cma_page(page)) {
		__free_pages(page, order);
		page = NULL;
	}
	return page;
}

/* May a reservation of one VMA reach into @vma, its neighbour? */
static bool superpage_extends(struct vm_area_struct *vma)
{
	return vma && vma_is_anonymous(vma) &&
	       !(vma->vm_flags & (VM_SHARED | VM_NOHUGEPAGE | VM_GROWSDOWN | VM_GROWSUP |
				  VM_SPECIAL));
}

/*
 * Determine the range for which the page faults of a VMA may set frames aside.
 * [@low, @end) is the VMA, and a neighbour above it into which thread arenas grow by
 * mprotect(); [@end, @high) is a hole into which heaps grow by brk().  The range
 * extends beyond the VMA by at most its own size, or by 1 MiB if that is more.
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

/* Was this VMA copied by fork() after the parent had touched it? */
static bool superpage_inherited(const struct vm_area_struct *vma)
{
	const struct anon_vma *anon_vma = vma->anon_vma;

	return anon_vma && anon_vma->parent != anon_vma;
}

/*
 * Return the largest order to set aside.  An mm that has hardly used a reservation of
 * some order gets a smaller one next time; otherwise a few touches of a large mapping
 * would set all memory aside.
 */
static unsigned int superpage_evident(struct vm_area_struct *vma, unsigned int most,
				      unsigned long orders)
{
	unsigned int order, first = min(most, superpage_first_order(vma, orders));

	/* Most children touch little of what they inherit. */
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
 * Is a reservation of @order too large for a MAP_NORESERVE mapping?
 *
 * The flag says that the program will use little of the mapping.  So a reservation of
 * more than SUPERPAGE_HUGE_SIZE needs a full block, one step smaller, beside the page
 * fault.  A walk, or a thread's arena that fills up, thus gets a larger reservation
 * each time.  The page allocator looks at every frame when it allocates and when it
 * frees a block, and one touch of a terabyte should not pay for that.
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
	refcount_set(&r->ref, 2);	/* one for the tree and one for the caller */
	INIT_LIST_HEAD(&r->list);
	spin_lock_init(&r->lock);
	init_waitqueue_head(&r->wait);
	r->order = order;
	r->largest = order;
	r->touched = r->own + own;
	bitmap_fill(r->own, 1U << order);
	return r;
}

/*
 * Insert a reservation.  Returns false if another thread has inserted one for the
 * same range, or if the OOM reaper has begun to unmap the mm.
 */
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
	/*
	 * Still under reserv_lock: superpage_release() finds either a complete
	 * reservation or none.
	 */
	spin_lock(&new->lock);
	superpage_account(new, 1L << new->order);
	/* The first claim takes a unit, which is an eighth or more of a small reservation. */
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

/* Is there a reservation in [@start, @end)?  The answer is a hint. */
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
 * @vma: VMA of the fault; the caller holds mmap_lock for reading
 * @addr: address of the fault
 * @orders: bitmap of the orders that superpages may have
 *
 * Tries ever smaller orders until one fits: between what is mapped, within what the
 * mm's use of earlier reservations justifies (superpage_evident()), within what the
 * memory cgroup may still be charged, and within what the nearest node has free.  For
 * the largest order up to SUPERPAGE_HUGE_ORDER it may reclaim and compact memory, if
 * "defrag" permits that.
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

	/*
	 * Where the smallest block does not fit, none does.  Check this first, because it is
	 * so in most mappings of small programs.
	 */
	size = PAGE_SIZE << (SUPERPAGE_UNIT_ORDER + SUPERPAGE_ORDER_STEP);
	start = round_down(addr, size);
	if (start < vma->vm_start || vma->vm_flags & VM_LOCKONFAULT)
		return NULL;
	superpage_reach(vma, &low, &end, &high);
	if (start + size > high)
		return NULL;
	order = min_t(unsigned int, __fls(orders), superpage_most_order());
	order = superpage_evident(vma, order, orders);
	order -= (order - SUPERPAGE_UNIT_ORDER) % SUPERPAGE_ORDER_STEP;
	if (order <= SUPERPAGE_UNIT_ORDER)
		return NULL;
	nid = superpage_nodes(vma, addr, &mask);
	if (nid == NUMA_NO_NODE)
		return NULL;
	room = mem_cgroup_headroom(mm);
	defrag = node_isset(nid, mask) ? superpage_defrag(vma) : 0;

	for (; order > SUPERPAGE_UNIT_ORDER; order -= SUPERPAGE_ORDER_STEP) {
		size = PAGE_SIZE << order;
		start = round_down(addr, size);
		if (start < low || start + size > high || room >> order == 0 ||
		    superpage_sparse(vma, addr, order, orders))
			continue;
		/* Check first what costs least, as memory may be short for a long time. */
		zone = superpage_find_zone(nid, &mask, order);
		if (!(zone || (defrag && order <= SUPERPAGE_HUGE_ORDER)) ||
		    superpage_taken(mm, start, start + size) ||
		    !superpage_none(mm, start, min(start + size, end)))
			continue;
		if (zone)
			page = superpage_set_aside(zone_to_nid(zone), order,
						   superpage_zone_gfp(zone));
		if (!page && order <= SUPERPAGE_HUGE_ORDER) {
			/* Reclaim only once; smaller orders are not worth another try. */
			if (defrag)
				page = superpage_set_aside(nid, order, defrag);
			defrag = 0;
		}
		if (page)
			break;
	}
	/*
	 * Another thread may have made a reservation around @addr since the caller looked for
	 * one, so that no order fitted.  Then use that reservation.
	 */
	if (!page)
		return superpage_reserv_find(vma, addr);

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
 * @addr: an address in the superpage
 * @order: order of the superpage
 *
 * Reads the bitmap without r->lock.  Frames may be taken at any time, so "yes" is a
 * hint; but frames never come back, so "no" is final.
 *
 * Return: true if the reservation owns all of its frames
 */
bool superpage_reserv_owns(struct superpage_reserv *r, unsigned long addr, unsigned int order)
{
	unsigned int first = round_down(superpage_page_of(r, addr), 1U << order);

	return order <= r->order && superpage_all_own(r, first, 1U << order);
}

/**
 * superpage_reserv_claimed() - has every frame of a block been taken?
 * @r: the reservation for @addr
 * @addr: an address in the block
 * @order: order of the block
 *
 * Return: true if the block lies in the reservation, which owns no frame of it any
 * more
 */
bool superpage_reserv_claimed(struct superpage_reserv *r, unsigned long addr,
			      unsigned int order)
{
	unsigned int first = round_down(superpage_page_of(r, addr), 1U << order);
	unsigned int end = first + (1U << order);

	return order <= r->order && find_next_bit(r->own, end, first) >= end;
}

/**
 * superpage_reserv_full() - how large is the block of which every frame has been
 * taken?
 * @r: the reservation for @addr
 * @addr: an address in the reservation
 * @order: order of a block around @addr that is known to have been taken
 *
 * Other threads may still be mapping some of these frames.
 *
 * Return: the largest order of such a block around @addr, at most that of the
 * reservation
 */
unsigned int superpage_reserv_full(struct superpage_reserv *r, unsigned long addr,
				   unsigned int order)
{
	while (superpage_reserv_claimed(r, addr, order + 1))
		order++;
	return order;
}

/* Is a claim of this page under way? */
static bool superpage_page_waits(struct superpage_reserv *r, unsigned int page)
{
	bool ret;

	spin_lock(&r->lock);
	ret = superpage_under_way(r, page, 1);
	spin_unlock(&r->lock);
	return ret;
}

/**
 * superpage_reserv_wait() - wait for another thread that is mapping a page
 * @r: the reservation for @addr
 * @addr: address of the page, whose frame the reservation no longer owns
 *
 * The other thread clears a bounded amount of memory, at most vm.superpage_fault_max
 * or the block that is being populated.  It allocates nothing meanwhile and waits for
 * nobody.  So the wait is short, and a fatal signal does not interrupt it: see
 * superpage_clear().
 *
 * Return: false if no thread is mapping the page
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
 * superpage_reserv_touch() - note a page fault
 * @r: the reservation for @addr
 * @addr: address of the fault
 */
void superpage_reserv_touch(struct superpage_reserv *r, unsigned long addr)
{
	set_bit(superpage_page_of(r, addr) >> SUPERPAGE_UNIT_ORDER, r->touched);
}

/**
 * superpage_reserv_dense() - is enough of a superpage in use to map the rest?
 * @r: the reservation for @addr
 * @addr: an address in the reservation
 * @most: the largest order to consider
 *
 * Three quarters of the units must have had a page fault.  If half of them were
 * enough, memory of which the program uses every eighth page would be mapped
 * completely.  Blocks must have 16 units, because few units say little: if the program
 * uses every sixth page, three of the first four units have had a page fault.
 *
 * Return: the largest order, of at least 1 MiB and 16 units, of a block around @addr
 * that is dense in this sense and of which some frames can still be claimed; 0 if
 * there is none
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
		/* The bits of fewer units lie in one word; those of more fill whole words. */
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

/*
 * Move the reservation to the most recently used end of the zone's list, at most ten
 * times a second.  The caller holds r->lock.
 */
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
 * @order: order of the superpage, 0 for a base page
 *
 * The frames become order-0 pages with one reference each and never go back to the
 * reservation.  Other threads that fault on these addresses wait until
 * superpage_claim_done().  May sleep.
 *
 * Return: the first of the frames; or -ENOENT if the reservation does not own all of
 * them, -EAGAIN after a wait because SUPERPAGE_CLAIMS claims were under way,
 * -EHWPOISON if a frame is broken
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

	/* The frames are ours now, so the rest needs no lock. */
	if (superpage_block_bad(page, order)) {
		superpage_free_block(page, order);
		superpage_claim_done(mm, r, addr);
		return ERR_PTR(-EHWPOISON);
	}
	split_page(page, order);
	return page;
}

/**
 * superpage_claim_done() - finish a claim
 * @mm: the mm
 * @r: the reservation for @addr
 * @addr: an address of the claim
 *
 * Call this once the PTEs are set or the frames have been freed.
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
 * @addr: address of the page
 *
 * The caller holds mmap_lock for writing, so there are no page faults that would have
 * to wait for the claim.
 *
 * Return: false if the reservation does not own the frame, or the frame is broken
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

/**
 * superpage_zone_init() - initialize a zone's list of reservations
 * @zone: the zone
 */
void __meminit superpage_zone_init(struct zone *zone)
{
	spin_lock_init(&zone->superpage_lock);
	INIT_LIST_HEAD(&zone->superpage_list);
}

/*
 * Take about @nr frames out of one reservation of the list.  The caller holds the zone's
 * superpage_lock.  Returns how many frames it took.
 */
static unsigned long superpage_break_one(struct superpage_reserv *r, int least, int most,
					 unsigned long nr, struct list_head *blocks)
{
	unsigned long taken = 0, got;

	/* Against the lock order, so only try: see the head of this file. */
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

/*
 * Give about @nr frames of the zone back, in blocks of at least 2^@least.  Returns how
 * many it gave back.
 */
static unsigned long superpage_break_blocks(struct zone *zone, int least, unsigned long nr)
{
	int most = max_t(int, least, SUPERPAGE_BATCH_ORDER);
	unsigned int scan = SUPERPAGE_BREAK_SCAN;
	struct superpage_reserv *r, *next;
	unsigned long taken = 0, got;
	LIST_HEAD(blocks);

	spin_lock(&zone->superpage_lock);
	list_for_each_entry_safe(r, next, &zone->superpage_list, list) {
		if (taken >= nr)
			break;
		got = 0;
		if ((int)READ_ONCE(r->largest) >= least)
			got = superpage_break_one(r, least, most, nr - taken, &blocks);
		taken += got;
		if (!got && !--scan)
			break;
	}
	spin_unlock(&zone->superpage_lock);
	superpage_free_list(&blocks);
	return taken;
}

/*
 * Give back enough for a request of @order, from the least recently used
 * reservations.  Returns how many frames it gave back.
 */
static unsigned long superpage_break_zone(struct zone *zone, unsigned int order)
{
	unsigned long nr = max(1UL << order, SUPERPAGE_BATCH), taken;

	if (list_empty(&zone->superpage_list))
		return 0;
	taken = superpage_break_blocks(zone, order, nr);
	/* Small blocks can merge with free neighbours, but not to costly orders. */
	if (!taken && order && order <= PAGE_ALLOC_COSTLY_ORDER)
		taken = superpage_break_blocks(zone, 0, nr);
	return taken;
}

/* Give frames back from the first zone of the list that has reserved ones. */
static bool superpage_break_zones(struct zonelist *zonelist, int highest_zoneidx,
				  nodemask_t *nodemask, gfp_t gfp, unsigned int order)
{
	struct zoneref *z;
	struct zone *zone;

	for_each_zone_zonelist_nodemask(zone, z, zonelist, highest_zoneidx, nodemask)
		if (cpuset_zone_allowed(zone, gfp) && superpage_break_zone(zone, order))
			return true;
	return false;
}

/**
 * superpage_break() - give frames back for an allocation that has found no memory
 * @zonelist: zones that the allocation may use
 * @highest_zoneidx: the highest zone that it may use
 * @nodemask: nodes that it may use; NULL for all
 * @gfp: its GFP flags
 * @order: its order
 *
 * Takes from the least recently used reservations of the first zone that has any, in
 * batches.  If nothing is reserved and the caller wants a base page, gives back pages of
 * zeroes.  May sleep.
 *
 * Return: false if there was nothing to give back
 */
bool superpage_break(struct zonelist *zonelist, int highest_zoneidx, nodemask_t *nodemask,
		     gfp_t gfp, unsigned int order)
{
	long budget = SUPERPAGE_SHRINK_BUDGET;
	struct zoneref *z;
	struct zone *zone;

	if (superpage_break_zones(zonelist, highest_zoneidx, nodemask, gfp, order))
		return true;
	/* Pages of zeroes do not help an allocation that needs a contiguous block. */
	if (order || current->flags & PF_MEMALLOC || superpage_exiting())
		return false;
	for_each_zone_zonelist_nodemask(zone, z, zonelist, highest_zoneidx, nodemask)
		if (cpuset_zone_allowed(zone, gfp))
			return superpage_shrink_node(zone_to_nid(zone), highest_zoneidx, &budget);
	return false;
}

/**
 * superpage_break_near() - give frames back before memory of another node is used
 * @ac: the page allocator's context
 * @zone: a zone whose free memory is below @mark
 * @gfp: GFP flags of the request
 * @order: order of the request
 * @mark: the watermark
 * @alloc_flags: the page allocator's flags
 *
 * Nobody uses reserved frames, whereas remote memory is slow for as long as it is
 * used.  With a single node there is nothing to gain; superpage_break() gives frames
 * back there.
 *
 * Return: true if the zone meets the watermark now
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

/*
 * Has some zone of the node a free block of @order above its high watermark?  @boosted: use
 * the watermark with its boost, which reserved frames make up for.
 */
static bool superpage_plenty(struct pglist_data *pgdat, unsigned int order, int highest_zoneidx,
			     bool boosted)
{
	unsigned long mark, boost, reserved;
	struct zone *zone;
	int i;

	for (i = highest_zoneidx; i >= 0; i--) {
		zone = pgdat->node_zones + i;
		mark = zone->_watermark[WMARK_HIGH];
		boost = READ_ONCE(zone->watermark_boost);
		reserved = superpage_reserved_in(zone);
		if (boosted && boost > reserved)
			mark += boost - reserved;
		if (managed_zone(zone) &&
		    zone_watermark_ok_safe(zone, order, mark, highest_zoneidx))
			return true;
	}
	return false;
}

/**
 * superpage_balance() - give frames back for kswapd
 * @pgdat: a node that has too little free memory
 * @order: order of the blocks that are wanted
 * @highest_zoneidx: the highest zone that is wanted
 *
 * Gives back reserved frames until free memory is at the high watermark without its boost:
 * a boosted watermark asks for compaction, not for memory.  If less than the boost is still
 * reserved, kswapd would reclaim and swap up to the boosted watermark, so this function gives
 * back pages of zeroes up to that one.
 *
 * Return: true if the node has enough free memory now.  Reserved frames count as free for
 * the boost: kswapd need not swap while there are some
 */
bool superpage_balance(struct pglist_data *pgdat, unsigned int order, int highest_zoneidx)
{
	long budget = SUPERPAGE_SHRINK_BUDGET;
	struct zone *zone;
	int i;

	for (i = highest_zoneidx; i >= 0; i--) {
		zone = pgdat->node_zones + i;
		while (managed_zone(zone) &&
		       !superpage_plenty(pgdat, order, highest_zoneidx, false) &&
		       superpage_break_zone(zone, order))
			;
	}
	/* Scattered pages of zeroes do not make a contiguous block. */
	while (budget > 0 && !superpage_plenty(pgdat, 0, highest_zoneidx, true) &&
	       superpage_shrink_node(pgdat->node_id, highest_zoneidx, &budget))
		;
	return superpage_plenty(pgdat, order, highest_zoneidx, true);
}

/**
 * superpage_may_balance() - would superpage_balance() find reserved frames?
 * @pgdat: a node that has too little free memory
 * @order: order of the blocks that are wanted
 * @highest_zoneidx: the highest zone that is wanted
 *
 * If kswapd has given up on the node, the page allocator wakes it for these frames only.
 * Where there are none, kswapd would once more scan pages that it cannot reclaim.
 *
 * Return: true if it would; false for costly orders, for which it may find none
 */
bool superpage_may_balance(struct pglist_data *pgdat, unsigned int order, int highest_zoneidx)
{
	int i;

	for (i = highest_zoneidx; i >= 0 && order <= PAGE_ALLOC_COSTLY_ORDER; i--)
		if (superpage_reserved_in(pgdat->node_zones + i))
			return true;
	return false;
}

/**
 * superpage_break_range() - give back the reserved frames of a pfn range
 * @zone: zone of the range
 * @start_pfn: first frame
 * @end_pfn: frame after the range
 *
 * For callers that are going to isolate the range: frames that nothing maps cannot be
 * migrated out of it.
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
 * superpage_oom() - give memory back before the OOM killer kills a process
 * @oc: the OOM killer's description of the request
 *
 * Gives back frames that were reserved since the page allocator looked, and then
 * pages of zeroes of any process.
 *
 * Return: false if there was nothing to give back
 */
bool superpage_oom(struct oom_control *oc)
{
	int zoneidx = gfp_zone(oc->gfp_mask);
	nodemask_t nodes = NODE_MASK_NONE;
	struct zoneref *z;
	struct zone *zone;

	if (superpage_break_zones(oc->zonelist, zoneidx, oc->nodemask, oc->gfp_mask, oc->order))
		return true;
	if (superpage_exiting())
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
 *
 *  break	write a number of frames, which the kernel gives back at once
 *  step	enum superpage_step: the kernel gives all frames back at this step of page faults
 *  check	"ok", or what is inconsistent
 *  most	the most bytes that one reservation may have
 */
static u32 superpage_debug_at;

/* Give back all reserved frames, except those of reservations that are locked now. */
static void superpage_break_all(void)
{
	struct zone *zone;

	for_each_populated_zone(zone)
		superpage_break_blocks(zone, 0, ULONG_MAX);
}

/**
 * superpage_debug_step() - give back all frames in the middle of a page fault
 * @step: the step that the page fault has reached
 *
 * Reclaim may take the frames between any two steps; with this function tests make it
 * happen.
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

/* What is inconsistent in a reservation; NULL if nothing is.  The caller holds r->lock. */
static const char *superpage_wrong(struct superpage_reserv *r)
{
	unsigned int size = 1U << r->order, i, j, n, order, want;

	if (r->nr_own != bitmap_weight(r->own, size))
		return "nr_own";
	for (i = 0; i < size; i += n) {
		n = 1;
		if (!test_bit(i, r->own))
			continue;
		/* A raw block is the largest aligned one whose frames are all own. */
		for (order = 0; order < r->order; order++)
			if (!superpage_all_own(r, round_down(i, 2U << order), 2U << order))
				break;
		n = 1U << order;
		if (superpage_under_way(r, i, n))
			return "an own frame is claimed";
		/* Its first frame must have one reference, the others none. */
		for (j = i, want = 1; j < i + n; j++, want = 0) {
			if (page_ref_count(superpage_frame(r, j)) != want)
				return "references";
			if (page_mapped(superpage_frame(r, j)))
				return "an own frame is mapped";
		}
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
			/*
			 * The holder of r->lock may be waiting for this list.  Then
			 * the sum is wrong, too.
			 */
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

/* The most bytes that one reservation may have. */
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
