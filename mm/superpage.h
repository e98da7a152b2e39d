/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of superpages in mm share.
 */
#ifndef _MM_SUPERPAGE_H
#define _MM_SUPERPAGE_H

#include <linux/gfp.h>
#include <linux/mm_types.h>
#include <linux/superpage.h>

/* What is at hand, without a word. */
#define SUPERPAGE_GFP	(GFP_TRANSHUGE_LIGHT & ~__GFP_COMP)

unsigned long superpage_vma_orders(struct vm_area_struct *vma);
unsigned long superpage_orders_at(unsigned long addr, unsigned long end);
pte_t *superpage_leaf(struct mm_struct *mm, unsigned long addr, unsigned long end,
		      unsigned long *next, pmd_t **pmdp);
spinlock_t *superpage_lockptr(struct mm_struct *mm, unsigned long addr);

void superpage_change_range(struct mm_struct *mm, unsigned long start, unsigned long end,
			    unsigned long clear, unsigned long set);
void superpage_add_mapped(struct mm_struct *mm, unsigned int order, long n);
void superpage_demote(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
		      unsigned long start, unsigned long end);

struct page *superpage_alloc_frames(unsigned int order);
void superpage_free(struct page *page, unsigned int order);

/**
 * superpage_unit() - order of the smallest superpage
 *
 * What a write makes dirty, or has copied, when it concerns a part of a superpage
 * only: four base pages.
 *
 * Return: 0, for a base page, if this order is not permitted
 */
static inline unsigned int superpage_unit(void)
{
	return superpage_orders() & BIT(2) ? 2 : 0;
}

#endif /* _MM_SUPERPAGE_H */
