// SPDX-License-Identifier: GPL-2.0
/*
 * Superpages: where the TLB misses.
 *
 * What misses most gains most from a superpage.  Whoever knows of misses says so by
 * superpage_note_miss(): the architecture, if it counts them in its page tables, or a
 * sampler of a performance monitor.  They are counted by blocks of SUPERPAGE_HUGE_SIZE, of
 * which the most frequent are kept: each that finds no room takes one from all others.
 * Khugepaged takes the blocks in the order of their misses, and what nobody asks for
 * fades.
 */

#include <linux/mm.h>
#include <linux/rmap.h>
#include <linux/sched/mm.h>
#include <linux/spinlock.h>
#include <linux/superpage.h>

#include "superpage.h"

#define NR_BLOCKS	64

/**
 * struct superpage_misses - the misses of a block
 * @mm: whose it is, with a reference to the structure; NULL if this one is free
 * @addr: its address
 * @n: how many
 */
struct superpage_misses {
	struct mm_struct *mm;
	unsigned long addr;
	unsigned long n;
};

static struct superpage_misses superpage_misses[NR_BLOCKS];

/* With interrupts off, since samplers are called by some. */
static DEFINE_SPINLOCK(superpage_misses_lock);

/**
 * superpage_note_miss() - the TLB had no translation
 * @mm: whose address it is; the caller sees to it that it stays
 * @addr: the address
 * @n: how often
 *
 * Any context but NMI.  A block of an mm that has ended keeps its place until khugepaged
 * comes across it: the last reference to the mm cannot be given up in an interrupt.
 */
void superpage_note_miss(struct mm_struct *mm, unsigned long addr, unsigned long n)
{
	struct superpage_misses *m, *free = NULL;
	unsigned long flags;

	addr = round_down(addr, SUPERPAGE_HUGE_SIZE);
	spin_lock_irqsave(&superpage_misses_lock, flags);
	for (m = superpage_misses; m < superpage_misses + NR_BLOCKS; m++) {
		if (m->mm == mm && m->addr == addr)
			break;
		/* What has faded can be replaced if the reference can stay. */
		if (!m->mm || (!m->n && m->mm == mm))
			free = m;
	}
	if (m < superpage_misses + NR_BLOCKS) {
		m->n += n;
	} else if (free) {
		if (!free->mm)
			mmgrab(mm);
		free->mm = mm;
		free->addr = addr;
		free->n = n;
	} else {
		for (m = superpage_misses; m < superpage_misses + NR_BLOCKS; m++)
			m->n -= min(m->n, n);
	}
	spin_unlock_irqrestore(&superpage_misses_lock, flags);
}

static bool superpage_note_miss_one(struct folio *folio, struct vm_area_struct *vma,
				    unsigned long addr, void *arg)
{
	unsigned long *n = arg;

	superpage_note_miss(vma->vm_mm, addr, *n);
	return true;
}

/**
 * superpage_note_page_miss() - the TLB had no translation to a page
 * @page: the page; the caller has a reference to it
 * @n: how often
 *
 * For those who know where it led to, and not from where.  Counts for each process that
 * has the page.  May sleep.
 */
void superpage_note_page_miss(struct page *page, unsigned long n)
{
	struct rmap_walk_control rwc = {
		.rmap_one = superpage_note_miss_one,
		.arg = &n,
		.anon_lock = folio_lock_anon_vma_read,
		.try_lock = true,
	};

	if (PageAnon(page) && !PageKsm(page) && page_mapped(page))
		rmap_walk(page_folio(page), &rwc);
}

void __weak arch_superpage_note_misses(void)
{
}

/**
 * superpage_most_missed() - take the block with most misses
 * @addrp: gets its address
 *
 * Sleeps.  Until misses are noted again, nothing is known of the block.
 *
 * Return: its mm, with a reference for mmdrop(); NULL if there is no block
 */
struct mm_struct *superpage_most_missed(unsigned long *addrp)
{
	struct superpage_misses *m, *most;
	struct mm_struct *mm;
	bool missed;

	for (;;) {
		spin_lock_irq(&superpage_misses_lock);
		most = NULL;
		for (m = superpage_misses; m < superpage_misses + NR_BLOCKS; m++) {
			if (m->mm && (!most || m->n > most->n))
				most = m;
		}
		mm = most ? most->mm : NULL;
		if (most) {
			*addrp = most->addr;
			missed = most->n;
			most->mm = NULL;
			most->n = 0;
		}
		spin_unlock_irq(&superpage_misses_lock);
		if (!mm)
			return NULL;
		if (missed)
			return mm;
		mmdrop(mm);
	}
}

/**
 * superpage_fade_misses() - time has passed
 *
 * What has missed before counts half as much as what misses from now on.  Forgets what has
 * not missed for long, and mms that have ended.
 */
void superpage_fade_misses(void)
{
	struct mm_struct *drop[NR_BLOCKS];
	unsigned int i, nr = 0;

	spin_lock_irq(&superpage_misses_lock);
	for (i = 0; i < NR_BLOCKS; i++) {
		struct superpage_misses *m = superpage_misses + i;

		m->n /= 2;
		if (m->mm && (!m->n || !atomic_read(&m->mm->mm_users))) {
			drop[nr++] = m->mm;
			m->mm = NULL;
		}
	}
	spin_unlock_irq(&superpage_misses_lock);
	while (nr)
		mmdrop(drop[--nr]);
}
