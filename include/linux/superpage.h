/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Superpages: transparent large pages made of replicated base-page PTEs.
 *
 * For the terms and the rules see mm/superpage.c.
 */
#ifndef _LINUX_SUPERPAGE_H
#define _LINUX_SUPERPAGE_H

#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/percpu.h>
#include <linux/pgtable.h>
#include <linux/types.h>

/**
 * enum superpage_event - the counters of /proc/superpageinfo, one per order
 * @SUPERPAGE_MARKED: superpages marked in not-present PTEs
 * @SUPERPAGE_ANON_FAULT_ALLOC: superpages allocated and mapped by a page fault, or when a
 *	range was populated
 * @SUPERPAGE_ANON_FAULT_FALLBACK: page faults that found no contiguous memory, or no
 *	charge, for a superpage of this order and tried a smaller one
 * @SUPERPAGE_DEMOTED: mapped superpages that became smaller ones and base pages
 * @SUPERPAGE_PROMOTED: blocks of base pages and smaller superpages that became one
 *	superpage
 * @SUPERPAGE_NR_ANON: superpages mapped now; the only counter that also goes down
 * @SUPERPAGE_RESERVED: reservations made
 * @SUPERPAGE_BROKEN: how often a reservation lost frames because memory was short
 * @SUPERPAGE_COLLAPSED: blocks that became one superpage by moving pages
 * @SUPERPAGE_ANON_FAULT_FALLBACK_CHARGE: superpages that were not allocated because
 *	the memory cgroup could not be charged for them
 * @NR_SUPERPAGE_EVENTS: number of counters
 */
enum superpage_event {
	SUPERPAGE_MARKED,
	SUPERPAGE_ANON_FAULT_ALLOC,
	SUPERPAGE_ANON_FAULT_FALLBACK,
	SUPERPAGE_DEMOTED,
	SUPERPAGE_PROMOTED,
	SUPERPAGE_NR_ANON,
	SUPERPAGE_RESERVED,
	SUPERPAGE_BROKEN,
	SUPERPAGE_COLLAPSED,
	SUPERPAGE_ANON_FAULT_FALLBACK_CHARGE,
	NR_SUPERPAGE_EVENTS
};

struct superpage_stat {
	long count[MAX_ORDER][NR_SUPERPAGE_EVENTS];
};

DECLARE_PER_CPU(struct superpage_stat, superpage_stat);

/**
 * superpage_count() - add to a counter of superpages
 * @order: order of the superpages, below MAX_ORDER
 * @event: the counter
 * @n: what to add; may be negative for SUPERPAGE_NR_ANON
 *
 * May be called in any context, without a lock.
 */
static inline void superpage_count(unsigned int order, enum superpage_event event, long n)
{
	this_cpu_add(superpage_stat.count[order][event], n);
}

struct alloc_context;
struct mmu_gather;
struct oom_control;
struct seq_file;

extern unsigned long superpage_order_bitmap;
extern unsigned long superpage_order_always;
extern unsigned long superpage_order_some;
extern unsigned long superpage_vm_align;
extern unsigned long superpage_eager;
extern unsigned long superpage_fault_max;
extern unsigned long superpage_auto_min;

/**
 * superpage_orders() - which orders may some mapping have now?
 *
 * These are the orders of vm.superpage_order_bitmap, or all possible orders while
 * some program has a policy with "force".
 *
 * Return: bitmap of the orders
 */
static inline unsigned long superpage_orders(void)
{
	return READ_ONCE(superpage_order_some);
}

#ifdef CONFIG_SUPERPAGE
/* page_private() of a page that was allocated together with those around it */
#define SUPERPAGE_FRAME		1UL

/*
 * Mark a page so that free_unref_page_list() frees it to the zone at once, not to a per-CPU
 * list: see free_unref_frames().  The mark is a hint: the swap cache overwrites page_private().
 * So the caller must mark the page before anybody else can find it.
 */
static inline void superpage_mark_frame(struct page *page)
{
	set_page_private(page, SUPERPAGE_FRAME);
}

/* Has superpage_mark_frame() marked this page?  For a page that is not free yet. */
static inline bool superpage_frame_marked(struct page *page)
{
	return page_private(page) == SUPERPAGE_FRAME;
}

/*
 * How many bytes of an mm fork() copies and exec() clears: all before mm_struct.superpage,
 * which has more than 1 KiB.  superpage_mm_init() initializes that.
 */
#define SUPERPAGE_MM_REST	offsetof(struct mm_struct, superpage)

/**
 * superpage_mapped() - does an mm have superpages?
 * @mm: the mm
 *
 * Return: true if it has some now.  If this is false and the caller holds mmap_lock
 * for writing, the mm gets none before the caller releases it
 */
static inline bool superpage_mapped(struct mm_struct *mm)
{
	return atomic_long_read(&mm->superpage.mapped);
}

void superpage_strip_pte(struct mm_struct *mm, unsigned long addr, pte_t *ptep);
void __superpage_note_change(struct mm_struct *mm);

/**
 * superpage_note_change() - tell khugepaged that there may be something to do
 * @mm: the mm that has changed
 *
 * May be called in any context in which a spinlock may be taken.
 */
static inline void superpage_note_change(struct mm_struct *mm)
{
	if (!READ_ONCE(mm->superpage.changed))
		__superpage_note_change(mm);
}

/**
 * superpage_strip() - make a superpage into base pages before all of them change
 * @mm: mm that the PTE belongs to
 * @addr: address that the PTE maps
 * @ptep: the PTE; the caller holds its lock
 *
 * For callers that change a range page by page and have called superpage_split() for
 * it, so that any superpage here lies completely in the range.  Does nothing if @ptep
 * is not a replica.
 */
static inline void superpage_strip(struct mm_struct *mm, unsigned long addr, pte_t *ptep)
{
	if (unlikely(pte_superpage_ps(*ptep)))
		superpage_strip_pte(mm, addr, ptep);
}

/**
 * superpage_zap_none() - pte_none() for a PTE that is being zapped
 * @mm: mm that the PTE belongs to
 * @addr: address that the PTE maps
 * @ptep: the PTE; the caller holds its lock
 * @pte: the value that the caller has read from it
 *
 * Clears a mark.  Makes the superpage of a replica into base pages.
 *
 * Return: true if the PTE was empty or a mark
 */
static inline bool superpage_zap_none(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
				      pte_t pte)
{
	if (!pte_val(pte))
		return true;
	if (likely(!pte_superpage_ps(pte)))
		return false;
	if (!pte_none(pte)) {
		superpage_strip_pte(mm, addr, ptep);
		return false;
	}
	WRITE_ONCE(*ptep, __pte(0));
	return true;
}

/**
 * superpage_zap_clear() - ptep_get_and_clear_full() for a PTE that is being zapped
 * @mm: mm that the PTE belongs to
 * @addr: address that the PTE maps
 * @ptep: the PTE
 * @full: the whole mm is being destroyed
 *
 * superpage_zap_none() has returned false for this PTE, and the caller has held the
 * lock of the PTE since then.  So the PTE is not a replica, and need not be checked
 * again.
 *
 * Return: the PTE as it was, with the accessed and dirty bits of that moment
 */
static inline pte_t superpage_zap_clear(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
					int full)
{
	return ptep_get_and_clear_base(ptep);
}

/**
 * struct superpage_smap - superpages of a VMA, for /proc/PID/smaps
 * @bytes: bytes mapped by superpages of each order
 */
struct superpage_smap {
	unsigned long bytes[MAX_ORDER];
};

/**
 * superpage_add_smap() - count a page for /proc/PID/smaps
 * @smap: where to count it
 * @pte: its PTE, present
 *
 * Return: true if the page counts for AnonHugePages, too
 */
static inline bool superpage_add_smap(struct superpage_smap *smap, pte_t pte)
{
	if (!pte_superpage(pte))
		return false;
	smap->bytes[pte_superpage_order(pte)] += PAGE_SIZE;
	return pte_superpage_order(pte) >= SUPERPAGE_HUGE_ORDER;
}

void superpage_show_smap(struct seq_file *m, const struct superpage_smap *smap);
bool superpage_prepare_move_charge(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep,
				   struct page *page);
void superpage_mm_init(struct mm_struct *mm);
void make_ptes_present(struct vm_area_struct *vma, unsigned long start, unsigned long end);
void __superpage_mmap(struct vm_area_struct *vma, unsigned long start, unsigned long len);
vm_fault_t __superpage_fault(struct vm_fault *vmf);
bool __superpage_reuse(struct vm_fault *vmf);
unsigned long superpage_change_prot(struct vm_area_struct *vma, unsigned long addr,
				    unsigned long end, pte_t *pte, pgprot_t newprot,
				    unsigned long cp_flags);
void __superpage_split(struct vm_area_struct *vma, unsigned long start, unsigned long end);
vm_fault_t __superpage_copy(struct vm_fault *vmf);
void superpage_free_lazily(struct mmu_gather *tlb, struct vm_area_struct *vma,
			   unsigned long start, unsigned long end);
void __superpage_promote_fault(struct vm_area_struct *vma, unsigned long addr);
void __superpage_promote_ends(struct vm_area_struct *vma, unsigned long start,
			      unsigned long end);
void superpage_promote(struct vm_area_struct *vma, unsigned long start, unsigned long end);
void __superpage_promote_child(struct vm_area_struct *dst_vma, struct vm_area_struct *src_vma);
unsigned long __superpage_align_mask(unsigned long len);
void __superpage_populate(struct vm_area_struct *vma, unsigned long start, unsigned long end);
#ifdef CONFIG_NUMA
int superpage_nodes(struct vm_area_struct *vma, unsigned long addr, nodemask_t *mask);
#endif

/* The policy of one program: mm/superpage_policy.c, fs/proc/superpage.c */

/* The lowest bits are an enum superpage_mode. */
#define SUPERPAGE_POLICY_MODE	3UL
/* Orders whose word is "never" count as "madvise". */
#define SUPERPAGE_POLICY_FORCE	4UL
/* The bits above are a bitmap of orders; 0 for all. */
#define SUPERPAGE_POLICY_SHIFT	3

void __superpage_mm_destroy(struct mm_struct *mm);
void superpage_exec_secure(void);
bool superpage_disabled(struct mm_struct *mm);
int superpage_get_disable(void);
int superpage_set_disable(unsigned long disable, unsigned long flags);
int superpage_policy_print(struct mm_struct *mm, char *buf, size_t size);
int superpage_policy_parse(char *text, unsigned long *mask, unsigned long *value);
int superpage_policy_change(struct mm_struct *mm, unsigned long mask, unsigned long value,
			    bool may_force);

/* Reservations: mm/superpage_reserve.c */
void superpage_zone_init(struct zone *zone);
void __superpage_release(struct mm_struct *mm, unsigned long start, unsigned long end);
void __superpage_move(struct mm_struct *mm, unsigned long from, unsigned long to,
		      unsigned long len);
bool superpage_break(struct zonelist *zonelist, int highest_zoneidx, nodemask_t *nodemask,
		     gfp_t gfp, unsigned int order);
bool superpage_oom(struct oom_control *oc);
bool superpage_break_near(const struct alloc_context *ac, struct zone *zone, gfp_t gfp,
			  unsigned int order, unsigned long mark, unsigned int alloc_flags);
bool superpage_balance(struct pglist_data *pgdat, unsigned int order, int highest_zoneidx);
bool superpage_may_balance(struct pglist_data *pgdat, unsigned int order, int highest_zoneidx);
void superpage_break_range(struct zone *zone, unsigned long start_pfn, unsigned long end_pfn);

/* What compaction leaves where it is: mm/superpage_compaction.c */
int superpage_mapped_order(struct page *page);

/* The thread: mm/superpage_khugepaged.c */
void superpage_khugepaged_exit(struct mm_struct *mm);

/* Where the TLB misses: mm/superpage_misses.c */
void superpage_note_miss(struct mm_struct *mm, unsigned long addr, unsigned long n);
void superpage_note_page_miss(struct page *page, unsigned long n);

/* Freeing frames of superpages, and allocating a particular one: mm/page_alloc.c */
void superpage_free_raw(struct page *page, unsigned int order);
bool superpage_is_free(struct page *page);
bool superpage_take_free(struct page *page);

/**
 * superpage_release() - give back what is reserved for a range of addresses
 * @mm: the mm
 * @start: first address
 * @end: address after the range
 *
 * May sleep.
 */
static inline void superpage_release(struct mm_struct *mm, unsigned long start,
				     unsigned long end)
{
	/*
	 * Read without reserv_lock: callers that unmap hold mmap_lock for writing or are
	 * the last user of the mm, so no page fault is adding to the tree.  The OOM
	 * reaper may miss a reservation that a page fault is just adding; exit_mmap()
	 * finds it.
	 */
	if (!RB_EMPTY_ROOT(&mm->superpage.tree))
		__superpage_release(mm, start, end);
}

/**
 * superpage_move() - move reservations along with what mremap() has moved
 * @mm: the mm
 * @from: first address before the move
 * @to: first address after the move
 * @len: length of the range in bytes
 */
static inline void superpage_move(struct mm_struct *mm, unsigned long from, unsigned long to,
				  unsigned long len)
{
	/* Read without reserv_lock: mmap_lock is held for writing. */
	if (!RB_EMPTY_ROOT(&mm->superpage.tree))
		__superpage_move(mm, from, to, len);
}

/**
 * superpage_reserved_in() - how many frames of a zone are reserved?
 * @zone: the zone
 *
 * Return: number of frames; may lag a little behind
 */
static inline unsigned long superpage_reserved_in(struct zone *zone)
{
	/*
	 * Leaves out the per-CPU deltas, because node_dirty_ok() calls this for every
	 * page that is to be dirtied.
	 */
	return zone_page_state(zone, NR_SUPERPAGE_RESERVED);
}

/**
 * superpage_reserved() - how many frames of all zones are reserved?
 *
 * Return: number of frames; may lag a little behind
 */
static inline unsigned long superpage_reserved(void)
{
	return global_zone_page_state(NR_SUPERPAGE_RESERVED);
}

/**
 * superpage_reserved_on() - how many frames of a node are reserved?
 * @pgdat: the node
 *
 * Return: number of frames; may lag a little behind
 */
static inline unsigned long superpage_reserved_on(struct pglist_data *pgdat)
{
	return sum_zone_node_page_state(pgdat->node_id, NR_SUPERPAGE_RESERVED);
}

/**
 * superpage_split() - demote superpages at the ends of a range
 * @vma: VMA that has the range
 * @start: first address
 * @end: address after the range
 *
 * For callers that change the range page by page, see __superpage_split().
 */
static inline void superpage_split(struct vm_area_struct *vma, unsigned long start,
				   unsigned long end)
{
	if (superpage_mapped(vma->vm_mm))
		__superpage_split(vma, start, end);
}

/**
 * superpage_mkold() - make a page of a superpage old without demotion
 * @vma: VMA of the page
 * @addr: address of the page
 * @ptep: its PTE; the caller holds its lock
 *
 * Return: false if the page is not part of a superpage and nothing was done
 */
static inline bool superpage_mkold(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep)
{
	if (!pte_superpage(*ptep))
		return false;
	ptep_test_and_clear_young(vma, addr, ptep);
	return true;
}

static inline void superpage_mm_destroy(struct mm_struct *mm)
{
	if (mm->superpage.policy)
		__superpage_mm_destroy(mm);
}

/*
 * Hooks that return at once where there are no superpages.  The functions with two underscores
 * have the kernel-doc.
 */

static inline void superpage_promote_child(struct vm_area_struct *dst_vma,
					   struct vm_area_struct *src_vma)
{
	if (superpage_mapped(src_vma->vm_mm))
		__superpage_promote_child(dst_vma, src_vma);
}

static inline bool superpage_reuse(struct vm_fault *vmf)
{
	return pte_superpage(vmf->orig_pte) && __superpage_reuse(vmf);
}

static inline vm_fault_t superpage_copy(struct vm_fault *vmf)
{
	return pte_superpage(vmf->orig_pte) ? __superpage_copy(vmf) : VM_FAULT_FALLBACK;
}

/* The same where no order is permitted: mmap() and page faults call these. */

static inline vm_fault_t superpage_promote_fault(struct vm_area_struct *vma, unsigned long addr,
						 vm_fault_t ret)
{
	/* With any of these the fault handler may have released mmap_lock: @vma may be gone. */
	if (superpage_orders() &&
	    !(ret & (VM_FAULT_ERROR | VM_FAULT_RETRY | VM_FAULT_COMPLETED)) &&
	    vma_is_anonymous(vma))
		__superpage_promote_fault(vma, addr);
	return ret;
}

static inline void superpage_promote_ends(struct vm_area_struct *vma, unsigned long start,
					  unsigned long end)
{
	if (superpage_orders())
		__superpage_promote_ends(vma, start, end);
}

static inline void superpage_mmap(struct vm_area_struct *vma, unsigned long start,
				  unsigned long len)
{
	if (superpage_orders())
		__superpage_mmap(vma, start, len);
}

static inline vm_fault_t superpage_fault(struct vm_fault *vmf)
{
	return superpage_orders() ? __superpage_fault(vmf) : VM_FAULT_FALLBACK;
}

static inline void superpage_populate(struct vm_area_struct *vma, unsigned long start,
				      unsigned long end)
{
	if (superpage_orders())
		__superpage_populate(vma, start, end);
}

static inline unsigned long superpage_align_mask(unsigned long len)
{
	return superpage_orders() ? __superpage_align_mask(len) : 0;
}
#else
#define SUPERPAGE_MM_REST	sizeof(struct mm_struct)

#ifndef pte_superpage
#define pte_superpage(pte)	false
#endif

#define pte_mkbase(pte)		(pte)

struct superpage_smap {
};

static inline bool superpage_add_smap(struct superpage_smap *smap, pte_t pte)
{
	return false;
}

static inline void superpage_show_smap(struct seq_file *m, const struct superpage_smap *smap)
{
}

static inline bool superpage_mapped(struct mm_struct *mm)
{
	return false;
}

static inline void superpage_strip(struct mm_struct *mm, unsigned long addr, pte_t *ptep)
{
}

static inline void superpage_split(struct vm_area_struct *vma, unsigned long start,
				   unsigned long end)
{
}

static inline bool superpage_mkold(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep)
{
	return false;
}

static inline vm_fault_t superpage_promote_fault(struct vm_area_struct *vma, unsigned long addr,
						 vm_fault_t ret)
{
	return ret;
}

/* A macro, since an empty function changes gcc's register allocation in mm/mlock.c. */
#define superpage_promote_ends(vma, start, end)	do { } while (0)

static inline vm_fault_t superpage_copy(struct vm_fault *vmf)
{
	return VM_FAULT_FALLBACK;
}

static inline void superpage_free_lazily(struct mmu_gather *tlb, struct vm_area_struct *vma,
					 unsigned long start, unsigned long end)
{
}

#ifdef CONFIG_MMU
static inline bool superpage_zap_none(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
				      pte_t pte)
{
	return pte_none(pte);
}

static inline pte_t superpage_zap_clear(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
					int full)
{
	return ptep_get_and_clear_full(mm, addr, ptep, full);
}
#endif

static inline bool superpage_prepare_move_charge(struct vm_area_struct *vma, unsigned long addr,
						 pte_t *ptep, struct page *page)
{
	return true;
}

static inline int superpage_mapped_order(struct page *page)
{
	return 0;
}

static inline void superpage_mm_init(struct mm_struct *mm)
{
}

static inline void superpage_mm_destroy(struct mm_struct *mm)
{
}

#define superpage_exec_secure()			do { } while (0)
#define superpage_disabled(mm)			false
#define superpage_get_disable()			0
#define superpage_set_disable(disable, flags)	(-EINVAL)

static inline void superpage_mmap(struct vm_area_struct *vma, unsigned long start,
				  unsigned long len)
{
}

static inline vm_fault_t superpage_fault(struct vm_fault *vmf)
{
	return VM_FAULT_FALLBACK;
}

static inline bool superpage_reuse(struct vm_fault *vmf)
{
	return false;
}

static inline unsigned long superpage_change_prot(struct vm_area_struct *vma, unsigned long addr,
						  unsigned long end, pte_t *pte,
						  pgprot_t newprot, unsigned long cp_flags)
{
	return 0;
}

static inline void superpage_promote(struct vm_area_struct *vma, unsigned long start,
				     unsigned long end)
{
}

static inline void superpage_promote_child(struct vm_area_struct *dst_vma,
					   struct vm_area_struct *src_vma)
{
}

static inline unsigned long superpage_align_mask(unsigned long len)
{
	return 0;
}

static inline void superpage_populate(struct vm_area_struct *vma, unsigned long start,
				      unsigned long end)
{
}

static inline void superpage_zone_init(struct zone *zone)
{
}

static inline void superpage_release(struct mm_struct *mm, unsigned long start,
				     unsigned long end)
{
}

static inline void superpage_move(struct mm_struct *mm, unsigned long from, unsigned long to,
				  unsigned long len)
{
}

static inline void superpage_khugepaged_exit(struct mm_struct *mm)
{
}

static inline bool superpage_break(struct zonelist *zonelist, int highest_zoneidx,
				   nodemask_t *nodemask, gfp_t gfp, unsigned int order)
{
	return false;
}

static inline bool superpage_balance(struct pglist_data *pgdat, unsigned int order,
				     int highest_zoneidx)
{
	return false;
}

static inline bool superpage_may_balance(struct pglist_data *pgdat, unsigned int order,
					 int highest_zoneidx)
{
	return false;
}

static inline bool superpage_oom(struct oom_control *oc)
{
	return false;
}

/* A macro, since an inline function changes how gcc arranges the page allocator's code. */
#define superpage_break_near(ac, zone, gfp, order, mark, alloc_flags) false

static inline void superpage_break_range(struct zone *zone, unsigned long start_pfn,
					 unsigned long end_pfn)
{
}

static inline unsigned long superpage_reserved_in(struct zone *zone)
{
	return 0;
}

static inline unsigned long superpage_reserved(void)
{
	return 0;
}

static inline unsigned long superpage_reserved_on(struct pglist_data *pgdat)
{
	return 0;
}
#endif

/**
 * arch_superpage_exec() - prepare pages for execution
 * @pte: the new PTE of the first page
 * @nr: number of pages, whose frames follow each other
 *
 * If the PTE permits execution, makes the instruction cache see what has been written
 * to the pages, unless that was done before.  set_pte() does so for one page, which is
 * too late for the pages of a superpage: its first replica maps them all.  This takes
 * about a microsecond for each page, so a holder of a spinlock should not pass many.
 */
void arch_superpage_exec(pte_t pte, unsigned int nr);

/**
 * arch_superpage_changed() - note that all replicas of a superpage have been changed
 * @mm: mm of the superpage
 * @addr: an address in it
 * @order: its order before the change
 *
 * Removes what the architecture caches of each replica besides the TLB, such as the
 * entries of the long-format VHPT.  A purge of one page removes the whole translation
 * from the TLB but only one entry from such a cache.  So code that changes all
 * replicas and purges only one page calls this in between.  The caller holds the lock
 * of the PTEs.
 */
void arch_superpage_changed(struct mm_struct *mm, unsigned long addr, unsigned int order);

/**
 * arch_superpage_auto_min() - the size from which superpages pay
 *
 * Return: the size in bytes of the smallest superpages that a program should get without
 * asking for them; 0 if every size pays
 */
unsigned long arch_superpage_auto_min(void);

/**
 * arch_superpage_note_misses() - report misses of the TLB
 *
 * Calls superpage_note_miss() or superpage_note_page_miss() for the misses since the
 * last call, or for some of them.  Does nothing if the architecture does not count
 * misses.  Called by khugepaged before each step of a pass; may sleep.
 */
void arch_superpage_note_misses(void);

/**
 * arch_superpage_sizes() - which page sizes can the processor insert?
 *
 * Called at boot only.
 *
 * Return: a bitmap; bit n is set if a translation of 2^n bytes can be inserted into
 * the TLB; 0 if superpages cannot be used, and the log says why
 */
u64 arch_superpage_sizes(void);

#endif /* _LINUX_SUPERPAGE_H */
