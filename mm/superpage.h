/* SPDX-License-Identifier: GPL-2.0 */
/* Superpages: what their files in mm share.  For the terms see mm/superpage.c. */
#ifndef _MM_SUPERPAGE_H
#define _MM_SUPERPAGE_H

#include <linux/gfp.h>
#include <linux/list.h>
#include <linux/log2.h>
#include <linux/mm_types.h>
#include <linux/rbtree.h>
#include <linux/refcount.h>
#include <linux/sched/signal.h>
#include <linux/sizes.h>
#include <linux/spinlock.h>
#include <linux/superpage.h>
#include <linux/vm_event_item.h>
#include <linux/wait.h>

/* Takes free memory only: no reclaim, no compaction, no warning. */
#define SUPERPAGE_GFP	(GFP_TRANSHUGE_LIGHT & ~__GFP_COMP)

/*
 * The order of a unit, which is what a page fault maps when nothing suggests more,
 * and the step from one size that page faults map to the next: each is four times as
 * large.
 */
#define SUPERPAGE_UNIT_ORDER	2
#define SUPERPAGE_ORDER_STEP	2

/**
 * enum superpage_mode - where a program may have superpages
 * @SUPERPAGE_MODE_DEFAULT: where the system-wide settings permit them
 * @SUPERPAGE_MODE_MADVISE: only where it has asked for them by MADV_HUGEPAGE
 * @SUPERPAGE_MODE_ALWAYS: as if it had asked for them everywhere
 * @SUPERPAGE_MODE_NEVER: nowhere
 */
enum superpage_mode {
	SUPERPAGE_MODE_DEFAULT,
	SUPERPAGE_MODE_MADVISE,
	SUPERPAGE_MODE_ALWAYS,
	SUPERPAGE_MODE_NEVER,
};

/* The policy of a program: see mm/superpage_policy.c. */
static inline unsigned long superpage_mm_policy(const struct mm_struct *mm)
{
	return READ_ONCE(mm->superpage.policy);
}

static inline enum superpage_mode superpage_mode(const struct mm_struct *mm)
{
	return superpage_mm_policy(mm) & SUPERPAGE_POLICY_MODE;
}

/* Bitmap of the orders to which its policy limits a program. */
static inline unsigned long superpage_policy_limit(const struct mm_struct *mm)
{
	return superpage_mm_policy(mm) >> SUPERPAGE_POLICY_SHIFT ?: ~0UL;
}

/*
 * Bitmap of the orders that a program may have where it asks for them.  The mode does
 * not matter: a program with SUPERPAGE_MODE_NEVER keeps the superpages that it has,
 * and demotion may make smaller ones of them.
 */
static inline unsigned long superpage_mm_orders(const struct mm_struct *mm)
{
	unsigned long orders = READ_ONCE(superpage_order_bitmap);

	if (superpage_mm_policy(mm) & SUPERPAGE_POLICY_FORCE)
		orders = superpage_orders();
	return orders & superpage_policy_limit(mm);
}

/* Has the program asked for superpages here, or has its policy done so for it? */
static inline bool superpage_advised(const struct vm_area_struct *vma)
{
	return vma->vm_flags & VM_HUGEPAGE ||
	       superpage_mode(vma->vm_mm) == SUPERPAGE_MODE_ALWAYS;
}

/**
 * superpage_unit() - order of a unit, if a superpage may have it
 * @mm: mm whose superpage it is to be
 *
 * If a write dirties or copies only a part of a superpage, that part is a unit.
 *
 * Return: SUPERPAGE_UNIT_ORDER; 0, for a base page, if that order is not permitted
 */
static inline unsigned int superpage_unit(const struct mm_struct *mm)
{
	return superpage_mm_orders(mm) & BIT(SUPERPAGE_UNIT_ORDER) ? SUPERPAGE_UNIT_ORDER : 0;
}

#define SUPERPAGE_HUGE_SIZE	BIT(SUPERPAGE_HUGE_SHIFT)
#define SUPERPAGE_HUGE_NR	((unsigned int)BIT(SUPERPAGE_HUGE_ORDER))

/* How many pages of a superpage count as huge: all of them or none. */
static inline long superpage_huge_pages(unsigned int order)
{
	return order >= SUPERPAGE_HUGE_ORDER ? 1L << order : 0;
}

/* --- superpage_proc.c, superpage_sysfs.c: what administrators see -------------- */

long superpage_sum(unsigned int order, enum superpage_event event);
void superpage_words_init(unsigned long possible);
int superpage_permit_orders(unsigned long bitmap);
unsigned long superpage_possible_orders(void);
void superpage_count_forced(int n);
void superpage_forced_sync(void);
const char *superpage_word_of(unsigned int order);
gfp_t superpage_defrag(struct vm_area_struct *vma);

/* --- superpage_khugepaged.c: the thread ------------------------------------------ */

extern const struct attribute_group superpage_khugepaged_group;

void superpage_khugepaged_run(bool run);
void superpage_khugepaged_mm_init(struct mm_struct *mm);
bool superpage_khugepaged_lock(struct mm_struct *mm, bool write);
void superpage_khugepaged_unlock(struct mm_struct *mm, bool write);
unsigned int superpage_max_none(unsigned int order);
struct mm_struct *superpage_next_mm(int *next, long *budget);

/* --- superpage_underused.c: pages of zeroes ---------------------------------------- */

/* How many pages one allocation, or one round of kswapd, may look at. */
#define SUPERPAGE_SHRINK_BUDGET	65536L

extern bool superpage_shrink_underused;

unsigned long superpage_give_back_zeroes(struct vm_area_struct *vma, unsigned long start,
					 unsigned long end);
unsigned long superpage_shrink_node(int nid, int zoneidx, long *budget);
bool superpage_shrink_all(const nodemask_t *nodes, int zoneidx);

/*
 * Is the calling task about to exit?  Then it need not search for memory: it may use the
 * reserves, and it will free more.  A task that has been killed no longer has the signal
 * pending once it exits.
 */
static inline bool superpage_exiting(void)
{
	return fatal_signal_pending(current) || current->flags & PF_EXITING;
}

/* --- superpage_misses.c: where the TLB misses -------------------------------------- */

struct mm_struct *superpage_most_missed(unsigned long *addrp);
void superpage_fade_misses(void);
void superpage_forget_misses(struct mm_struct *mm);

/* --- superpage_policy.c: what one program may have -------------------------------- */

void superpage_set_policy(struct mm_struct *mm, unsigned long policy);

/* --- superpage.c: leaf tables and PTEs ----------------------------------------- */

pte_t *superpage_leaf(struct mm_struct *mm, unsigned long addr, unsigned long end,
		      unsigned long *next, pmd_t **pmdp);
bool superpage_maps(struct vm_area_struct *vma, unsigned long addr, unsigned long pfn, pte_t *pte);
spinlock_t *superpage_lockptr(struct mm_struct *mm, unsigned long addr);

void superpage_change_range(struct mm_struct *mm, unsigned long start, unsigned long end,
			    unsigned long clear, unsigned long set);
void superpage_change_all(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
			  unsigned long clear, unsigned long set);
void superpage_set_bits(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
			unsigned int order, unsigned long set);
void superpage_add_mapped(struct mm_struct *mm, struct page *page, unsigned int order, long n);
void superpage_count_huge(struct mm_struct *mm, enum vm_event_item event, long pages);
void superpage_demote(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
		      unsigned long start, unsigned long end);
void superpage_demote_to(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
			 unsigned long orders);

/* --- superpage_sizes.c: which sizes they may have --------------------------------- */

bool superpage_vma_may(struct vm_area_struct *vma);
unsigned long superpage_vma_allowed(struct vm_area_struct *vma);
unsigned long superpage_vma_orders(struct vm_area_struct *vma);
unsigned long superpage_orders_at(unsigned long addr, unsigned long end);
void down_pte_sp(struct vm_area_struct *vma, unsigned long addr, unsigned int order,
		 unsigned long orders);

/* --- superpage_fault.c: page faults ---------------------------------------------- */

bool superpage_none(struct mm_struct *mm, unsigned long start, unsigned long end);
bool superpage_alloc_leaves(struct mm_struct *mm, unsigned long start, unsigned long end);
bool superpage_beside(struct vm_area_struct *vma, unsigned long addr, unsigned int order,
		      unsigned long orders);
unsigned int superpage_advised_order(struct vm_area_struct *vma, unsigned long orders);
unsigned int superpage_first_order(struct vm_area_struct *vma, unsigned long orders);
int superpage_charge(struct mm_struct *mm, unsigned int order, struct mem_cgroup **memcg);

/* --- superpage_reuse.c: writing after fork() ---------------------------------------- */

bool superpage_take_over(struct vm_area_struct *vma, struct page *page, unsigned int order);

/* --- superpage_promote.c ---------------------------------------------------------- */

bool superpage_promote_page(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep,
			    unsigned int limit, enum vm_event_item event);
bool superpage_promote_block(struct vm_area_struct *vma, unsigned long start,
			     unsigned int order);

/* --- superpage_collapse.c: moving pages to where they make a superpage ------------- */

/**
 * struct superpage_look - what a block consists of
 * @whole: the block is a superpage or part of one; then nothing is counted
 * @gap: all pages of some aligned MiB of the block count as @none; has no meaning for
 *	blocks smaller than 1 MiB
 * @present: pages that are mapped
 * @none: pages that are not mapped, or map the zero page
 * @swap: pages that are in swap or being migrated
 * @strange: pages that cannot be moved: not anonymous, or broken
 * @shared: pages that other processes have, too
 * @ksm: pages of KSM
 * @lazyfree: pages that may be reclaimed without writing them out, see MADV_FREE
 * @away: pages that are not at home, pages of KSM, and all of @none and @swap
 * @homeless: those of @away whose home is taken, and shared or lazyfree pages at home
 * @pfn: home of the first page; 0 if there is none
 * @nid: node of most pages
 * @nid_votes: how large that majority is: @present if all pages are on @nid, near 0 if
 *	they are spread over nodes
 */
struct superpage_look {
	bool whole, gap;
	unsigned int present, none, swap, strange;
	unsigned int shared, ksm, lazyfree;
	unsigned int away, homeless;
	unsigned long pfn;
	int nid, nid_votes;
};

/* Does the block need new frames, so that all of its pages have to move? */
static inline bool superpage_needs_frames(const struct superpage_look *look)
{
	return look->homeless || !look->pfn;
}

/**
 * struct superpage_how - what superpage_collapse() may do
 * @may: decides whether a block is to be collapsed
 * @gfp: GFP flags for new frames; 0 to use no new frames
 * @wait: wait for mmap_lock
 * @advised: collapse whatever the settings in sysfs permit
 */
struct superpage_how {
	bool (*may)(struct vm_area_struct *vma, unsigned int order,
		    const struct superpage_look *look);
	gfp_t gfp;
	bool wait;
	bool advised;
};

void superpage_look(struct vm_area_struct *vma, unsigned long start, unsigned int order,
		    struct superpage_look *look);
long superpage_collapse(struct mm_struct *mm, unsigned long start, unsigned int order,
			const struct superpage_how *how);

/* --- superpage_reserve.c: frames that are set aside ----------------------------- */

/* How many claims of one reservation can be under way. */
#define SUPERPAGE_CLAIMS	4

/**
 * struct superpage_reserv - contiguous frames reserved for an aligned range of
 * addresses
 * @ref: one reference of the tree, and one of each user, such as a page fault
 * @node: entry in superpage.tree of the mm; protected by its reserv_lock
 * @list: entry in superpage_list of @zone while @nr_own is not 0; protected by the
 *	zone's superpage_lock
 * @mm: the mm; it exists for as long as the reservation owns frames
 * @zone: zone of all frames
 * @start: first address
 * @pfn: first frame, the home of @start
 * @order: log2 of the number of pages
 * @lock: protects everything below, except that bits of @touched are set without it
 * @thin: counts in superpage.thin of the mm: has more than eight units, of which less
 *	than an eighth had been taken at the latest claim
 * @largest: no raw block has a larger order than this
 * @nr_own: number of frames that it owns
 * @last: index of the first page of the latest claim
 * @used: when it was last moved to the end of the list, in jiffies
 * @claims: claims under way: pages whose frames are taken and whose PTEs are not set
 *	yet
 * @wait: threads that wait for a claim to be finished
 * @touched: one bit per unit, set by the first page fault in it
 * @own: one bit per page, set while the reservation owns its frame
 */
struct superpage_reserv {
	refcount_t ref;
	struct rb_node node;
	struct list_head list;
	struct mm_struct *mm;
	struct zone *zone;
	unsigned long start;
	unsigned long pfn;
	unsigned int order;

	spinlock_t lock;
	bool thin;
	unsigned int largest;
	unsigned int nr_own;
	unsigned int last;
	unsigned long used;
	struct {
		unsigned int first, nr;
	} claims[SUPERPAGE_CLAIMS];
	wait_queue_head_t wait;
	unsigned long *touched;
	unsigned long own[];
};

static inline unsigned long superpage_reserv_end(const struct superpage_reserv *r)
{
	return r->start + (PAGE_SIZE << r->order);
}

struct page *superpage_alloc_frames(struct vm_area_struct *vma, unsigned long addr,
				    unsigned int order);
void superpage_free_frames(struct page *page, unsigned int nr);

struct superpage_reserv *superpage_reserve(struct vm_area_struct *vma, unsigned long addr,
					   unsigned long orders);
bool superpage_node_allowed(struct vm_area_struct *vma, unsigned long addr, int nid);
struct superpage_reserv *superpage_reserv_find(struct vm_area_struct *vma, unsigned long addr);
void superpage_reserv_put(struct superpage_reserv *r);
bool superpage_reserv_owns(struct superpage_reserv *r, unsigned long addr, unsigned int order);
bool superpage_reserv_claimed(struct superpage_reserv *r, unsigned long addr,
			      unsigned int order);
bool superpage_reserv_wait(struct superpage_reserv *r, unsigned long addr);
unsigned int superpage_reserv_full(struct superpage_reserv *r, unsigned long addr,
				   unsigned int order);
void superpage_reserv_touch(struct superpage_reserv *r, unsigned long addr);
unsigned int superpage_reserv_dense(struct superpage_reserv *r, unsigned long addr,
				    unsigned int most);
struct page *superpage_claim(struct mm_struct *mm, struct superpage_reserv *r,
			     unsigned long addr, unsigned int order);
void superpage_claim_done(struct mm_struct *mm, struct superpage_reserv *r,
			  unsigned long addr);
bool superpage_claim_page(struct superpage_reserv *r, unsigned long addr);

/*
 * Steps of a page fault at which tests can have all reserved frames given back.  Each is named
 * after what the page fault has just done.
 */
enum superpage_step {
	SUPERPAGE_STEP_NONE,
	SUPERPAGE_STEP_CHOSEN,
	SUPERPAGE_STEP_CHARGED,
	SUPERPAGE_STEP_LEAVES,
	SUPERPAGE_STEP_CLAIMED,
	SUPERPAGE_STEP_ZEROED,
	SUPERPAGE_STEP_RMAP,
	SUPERPAGE_STEP_MAPPED,
	NR_SUPERPAGE_STEPS
};

#ifdef CONFIG_SUPERPAGE_DEBUG
void superpage_debug_step(enum superpage_step step);
#else
static inline void superpage_debug_step(enum superpage_step step)
{
}
#endif

#endif /* _MM_SUPERPAGE_H */
