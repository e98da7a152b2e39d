/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Superpages: what every mm_struct has, and what <linux/mm.h> needs.
 */
#ifndef _LINUX_SUPERPAGE_TYPES_H
#define _LINUX_SUPERPAGE_TYPES_H

#ifdef CONFIG_SUPERPAGE

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/mm_types_task.h>
#include <linux/rbtree_types.h>
#include <linux/spinlock.h>
#include <linux/types.h>

/* log2 of the largest superpage that the page allocator could have. */
#define SUPERPAGE_MAX_SHIFT	(PAGE_SHIFT + MAX_ORDER - 1)

/*
 * From this size on a superpage is called huge: what hpage_pmd_size says, by which
 * programs align, and what AnonHugePages counts, whose unit it is.  A PMD maps 32 MiB,
 * which cannot be had in one piece.
 */
#define SUPERPAGE_HUGE_SHIFT	20
#define SUPERPAGE_HUGE_ORDER	(SUPERPAGE_HUGE_SHIFT - PAGE_SHIFT)

/* log2 of the leaf tables that it needs, and that have one lock. */
#define SUPERPAGE_LEAF_SHIFT	(max(SUPERPAGE_MAX_SHIFT, PMD_SHIFT) - PMD_SHIFT)

/* How many such locks an mm has. */
#define SUPERPAGE_LOCKS		8

/* More than there can be orders. */
#define SUPERPAGE_ORDERS	32

/**
 * struct superpage_mm - superpages of one mm
 * @mapped: how many are mapped; changes under the lock of their PTEs
 * @tree: reservations, see mm/superpage_reserve.c
 * @reserv_lock: protects @tree
 * @thin: how many reservations of each order are hardly used
 * @scan_at: where khugepaged goes on; 0 if it is not in the middle
 * @made_at: when it was done with all that was to be moved, in jiffies
 * @quiet_until: it keeps off until then, in jiffies
 * @epoch: what was permitted when it was here
 * @changed: something for it to look at has happened since
 * @made: it has moved something since @made_at
 * @apart: a superpage was taken apart since @made_at
 * @failed: something could not be moved since @scan_at was 0
 * @passes: how often it is still to look
 * @backoff: log2 of how many seconds it keeps off
 * @tries: the same for what cannot be moved
 * @policy: which it may have, see mm/superpage_policy.c
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
	bool made;
	bool apart;
	bool failed;
	u8 passes;
	u8 backoff;
	u8 tries;
	unsigned long policy;
#if USE_SPLIT_PTE_PTLOCKS
	struct {
		spinlock_t ptl;	/* PTEs of some leaf tables */
	} ____cacheline_aligned_in_smp lock[SUPERPAGE_LOCKS];
#endif
};

struct vm_area_struct;

void __superpage_vma_adjust(struct vm_area_struct *vma, unsigned long start, unsigned long end,
			    long adjust_next);
/* struct mm_struct is not known here. */
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
