/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of superpages in mm share.
 */
#ifndef _MM_SUPERPAGE_H
#define _MM_SUPERPAGE_H

#include <linux/gfp.h>
#include <linux/list.h>
#include <linux/log2.h>
#include <linux/mm_types.h>
#include <linux/rbtree.h>
#include <linux/refcount.h>
#include <linux/sizes.h>
#include <linux/spinlock.h>
#include <linux/superpage.h>
#include <linux/vm_event_item.h>
#include <linux/wait.h>

/* What is at hand, without a word. */
#define SUPERPAGE_GFP	(GFP_TRANSHUGE_LIGHT & ~__GFP_COMP)

/*
 * How many pages a page fault maps where nothing says that more will follow, as a
 * power of two; the sizes that follow are each four times as large.
 */
#define SUPERPAGE_UNIT_ORDER	2
#define SUPERPAGE_ORDER_STEP	2

/**
 * enum superpage_mode - where a program may have superpages
 * @SUPERPAGE_MODE_DEFAULT: as for all
 * @SUPERPAGE_MODE_MADVISE: only where it has asked for them
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

/* Orders that its policy leaves to a program, whatever the way to get them. */
static inline unsigned long superpage_policy_limit(const struct mm_struct *mm)
{
	return superpage_mm_policy(mm) >> SUPERPAGE_POLICY_SHIFT ?: ~0UL;
}

/*
 * Orders that a program may have where it asks for them.  A program whose mode is never
 * keeps what it has, and parts of it.
 */
static inline unsigned long superpage_mm_orders(const struct mm_struct *mm)
{
	unsigned long orders = READ_ONCE(superpage_order_bitmap);

	if (superpage_mm_policy(mm) & SUPERPAGE_POLICY_FORCE)
		orders = superpage_orders();
	return orders & superpage_policy_limit(mm);
}

/* Has the program asked for superpages here, or has somebody for it? */
static inline bool superpage_advised(const struct vm_area_struct *vma)
{
	return vma->vm_flags & VM_HUGEPAGE ||
	       superpage_mode(vma->vm_mm) == SUPERPAGE_MODE_ALWAYS;
}

/**
 * superpage_unit() - order of the smallest superpage
 * @mm: whose superpage it is to be
 *
 * What a write makes dirty, or has copied, when it concerns a part of a superpage
 * only: four base pages.
 *
 * Return: 0, for a base page, if this order is not permitted
 */
static inline unsigned int superpage_unit(const struct mm_struct *mm)
{
	return superpage_mm_orders(mm) & BIT(SUPERPAGE_UNIT_ORDER) ? SUPERPAGE_UNIT_ORDER : 0;
}

#define SUPERPAGE_HUGE_SIZE	BIT(SUPERPAGE_HUGE_SHIFT)
#define SUPERPAGE_HUGE_NR	((unsigned int)BIT(SUPERPAGE_HUGE_ORDER))

/* Pages of a superpage that count as huge: all, or none. */
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

/* What one page fault, or one round of kswapd, may look at. */
#define SUPERPAGE_SHRINK_BUDGET	65536L

extern bool superpage_shrink_underused;

unsigned long superpage_give_back_zeroes(struct vm_area_struct *vma, unsigned long start,
					 unsigned long end);
unsigned long superpage_shrink_node(int nid, int zoneidx, long *budget);
bool superpage_shrink_all(const nodemask_t *nodes, int zoneidx);

/* --- superpage_misses.c: where the TLB misses -------------------------------------- */

struct mm_struct *superpage_most_missed(unsigned long *addrp);
void superpage_fade_misses(void);

/* --- superpage_policy.c: what one program may have -------------------------------- */

void superpage_policy_init(struct mm_struct *mm);

/* --- superpage.c: leaf tables and PTEs ----------------------------------------- */

pte_t *superpage_leaf(struct mm_struct *mm, unsigned long addr, unsigned long end,
		      unsigned long *next, pmd_t **pmdp);
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
			 unsigned int order);

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
 * struct superpage_look - what a block is made of
 * @whole: it is a superpage, or a part of one; nothing else is known then
 * @present: pages that are there
 * @none: pages that are not, or are the page of zeroes
 * @swap: pages that are in swap, or are being migrated
 * @strange: what cannot be moved: no anonymous page, or a broken one
 * @shared: pages that other processes have, too
 * @ksm: pages of KSM
 * @lazyfree: pages that may be thrown away, see MADV_FREE
 * @away: pages, and holes, that are not at home
 * @homeless: those of which the home is not to be had
 * @pfn: home of the first page; 0 if there is none
 * @nid: the node of most pages
 * @nid_votes: how sure that is: @present if all are there, about 0 if they are spread
 */
struct superpage_look {
	bool whole;
	unsigned int present, none, swap, strange;
	unsigned int shared, ksm, lazyfree;
	unsigned int away, homeless;
	unsigned long pfn;
	int nid, nid_votes;
};

/* To become one superpage, all of its pages have to move. */
static inline bool superpage_needs_frames(const struct superpage_look *look)
{
	return look->homeless || !look->pfn;
}

/**
 * struct superpage_how - what superpage_collapse() is permitted
 * @may: is a block like this to be collapsed?
 * @gfp: for new frames; 0 for none
 * @wait: for mmap_lock
 * @advised: whatever the words of sysfs say
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

/* How many claims of one reservation can be on their way into the page table. */
#define SUPERPAGE_CLAIMS	4

/**
 * struct superpage_reserv - contiguous frames for an aligned range of addresses
 * @ref: the tree's, and one of each page fault that works with it
 * @node: in superpage.tree of the mm, under its reserv_lock
 * @list: in superpage_list of @zone, under its superpage_lock, while @nr_own
 * @mm: whose it is; it exists as long as the reservation has frames
 * @zone: the zone of all frames
 * @start: the first address
 * @pfn: the frame for it
 * @order: of how many pages it is, as a power of two
 * @lock: everything below
 * @thin: less than an eighth of it has been claimed
 * @largest: the largest order of which there may be a block of own frames
 * @nr_own: how many frames are its own
 * @last: page of the latest claim
 * @used: when it was last moved to the end of the list, in jiffies
 * @claims: pages that have been claimed and whose PTEs are not set yet
 * @wait: who waits for one of @claims
 * @touched: one bit for each unit in which there was a page fault
 * @own: one bit for each page, set while its frame is the reservation's own
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

/* Where tests take away what a page fault is working with. */
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
