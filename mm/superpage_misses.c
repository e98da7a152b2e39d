// SPDX-License-Identifier: GPL-2.0
/*
 * Superpages: where the TLB misses.
 *
 * The memory for which the TLB misses most gains most from superpages.  Code that
 * knows of misses reports them by superpage_note_miss(): the architecture, if it
 * counts them in its page tables, or a sampler of a performance monitor.  They are
 * counted in blocks of SUPERPAGE_HUGE_SIZE in a small table.  When a miss finds no
 * room in the table, it is subtracted from the count of every block there, so the
 * most frequent blocks remain.  khugepaged takes the blocks in the order of their
 * misses, and counts decay over time.
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
 * @mm: its mm, with a reference to the structure; NULL if this entry is free
 * @addr: its address
 * @n: number of misses
 */
struct superpage_misses {
	struct mm_struct *mm;
	unsigned long addr;
	unsigned long n;
};

static struct superpage_misses superpage_misses[NR_BLOCKS];

/* Taken with interrupts off, because samplers run in interrupt handlers. */
static DEFINE_SPINLOCK(superpage_misses_lock);

/**
 * superpage_note_miss() - count misses of the TLB
 * @mm: mm of the address; the caller makes sure that it stays
 * @addr: the address
 * @n: number of misses
 *
 * May be called in any context but NMI.  A block of an mm that has ended keeps its
 * entry until khugepaged finds it, because an interrupt handler cannot drop the last
 * reference to an mm.
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
		/* An entry whose count is 0 can be reused for the same mm. */
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
 * superpage_note_page_miss() - count misses of the TLB for a physical page
 * @page: the page; the caller holds a reference to it
 * @n: number of misses
 *
 * For callers that know the physical address only.  Counts the misses for every
 * process that maps the page.  May sleep.
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
 * superpage_most_missed() - take the block with the most misses from the table
 * @addrp: returns its address
 *
 * May sleep.  The block is counted anew when it misses again.
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
 * superpage_fade_misses() - let the counts decay
 *
 * Halves all counts.  Drops blocks whose count is 0, and those of mms that have
 * ended.
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
