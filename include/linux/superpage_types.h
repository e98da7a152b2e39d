/* SPDX-License-Identifier: GPL-2.0 */
/* Superpages: their part of mm_struct, and what <linux/mm.h> needs. */
#ifndef _LINUX_SUPERPAGE_TYPES_H
#define _LINUX_SUPERPAGE_TYPES_H

#ifdef CONFIG_SUPERPAGE

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/mm_types_task.h>
#include <linux/rbtree_types.h>
#include <linux/spinlock.h>
#include <linux/types.h>

/* log2 of the size of the largest superpage that the page allocator can supply. */
#define SUPERPAGE_MAX_SHIFT	(PAGE_SHIFT + MAX_ORDER - 1)

/*
 * Superpages of at least this size are called huge.  hpage_pmd_size reports it, and
 * programs align to it.  AnonHugePages counts their memory, and /proc/vmstat counts it
 * in units of this size.  The size that a PMD maps, 32 MiB with base pages of 16 KiB,
 * cannot be used, as no superpage has it.
 */
#define SUPERPAGE_HUGE_SHIFT	20
#define SUPERPAGE_HUGE_ORDER	(SUPERPAGE_HUGE_SHIFT - PAGE_SHIFT)

/* log2 of the number of leaf tables that the largest superpage spans; they share a lock. */
#define SUPERPAGE_LEAF_SHIFT	(max(SUPERPAGE_MAX_SHIFT, PMD_SHIFT) - PMD_SHIFT)

/* The number of such locks in an mm. */
#define SUPERPAGE_LOCKS		(USE_SPLIT_PTE_PTLOCKS ? 8 : 0)

/* Every order is below this. */
#define SUPERPAGE_ORDERS	32

/**
 * struct superpage_mm - the superpages of an mm
 * @mapped: number of superpages that are mapped; changes under the lock of their PTEs
 * @tree: reservations, see mm/superpage_reserve.c
 * @reserv_lock: protects @tree
 * @thin: number of hardly used reservations of each order
 * @scan_at: address at which khugepaged continues; 0 if it is not in the middle of the mm
 * @made_at: when khugepaged_back_off() last found @made, in jiffies
 * @quiet_until: khugepaged leaves the mm alone until then, in jiffies
 * @epoch: khugepaged_epoch when khugepaged last began with the mm
 * @changed: something has happened that khugepaged should look at
 * @missed: misses of the TLB were reported for the mm, see mm/superpage_misses.c
 * @made: khugepaged has moved something since @made_at
 * @apart: superpage_demote() or superpage_demote_to() has demoted a superpage since
 *	@made_at
 * @failed: since @scan_at was 0, khugepaged could not move some page
 * @scarce: since @scan_at was 0, khugepaged found no contiguous frames for some block
 * @alone: in how many more units the mm copies single base pages, see mm/superpage_cow.c
 * @passes: how many more times khugepaged is to look at the mm
 * @backoff: log2 of the seconds for which khugepaged leaves the mm alone
 * @tries: the same after khugepaged could not move some page
 * @policy: which superpages it may have, see mm/superpage_policy.c
 * @lock: locks of the PTEs, see pte_lockptr()
 */
struct superpage_mm {
	atomic_long_t mapped;
	struct rb_root tree;
	spinlock_t reserv_lock;
	atomic_t thin[SUPERPAGE_ORDERS];
	unsigned long scan_at;
	unsigned long made_at;
	unsigned long quiet_until;
	unsigned int epoch;
	bool changed;
	bool missed;
	bool made;
	bool apart;
	bool failed;
	bool scarce;
	u8 alone;
	u8 passes;
	u8 backoff;
	u8 tries;
	unsigned long policy;
	struct {
		spinlock_t ptl;	/* protects the PTEs of some leaf tables */
	} ____cacheline_aligned_in_smp lock[SUPERPAGE_LOCKS];
};

struct vm_area_struct;

void __superpage_vma_adjust(struct vm_area_struct *vma, unsigned long start, unsigned long end,
			    long adjust_next);
/* A macro, because struct mm_struct is not known here. */
#define superpage_vma_adjust(vma, start, end, adjust_next) do {				\
	struct vm_area_struct *__vma = (vma);						\
											\
	if (atomic_long_read(&__vma->vm_mm->superpage.mapped))				\
		__superpage_vma_adjust(__vma, start, end, adjust_next);			\
} while (0)

int superpage_madvise(struct vm_area_struct *vma, unsigned long *vm_flags, int advice);
int superpage_madvise_collapse(struct vm_area_struct *vma, struct vm_area_struct **prev,
			       unsigned long start, unsigned long end);
bool superpage_vma_eligible(struct vm_area_struct *vma);
#else
#define superpage_vma_adjust(vma, start, end, adjust_next)	do { } while (0)
#define superpage_madvise(vma, vm_flags, advice)		(-EINVAL)
#define superpage_madvise_collapse(vma, prev, start, end)	(-EINVAL)
#define superpage_vma_eligible(vma)				false
#endif /* CONFIG_SUPERPAGE */
#endif /* _LINUX_SUPERPAGE_TYPES_H */
