// SPDX-License-Identifier: GPL-2.0
/*
 * Superpages: where the TLB misses.
 *
 * The memory for which the TLB misses most gains most from superpages.  Code that
 * knows of misses reports them by superpage_note_miss(): the architecture, if it
 * counts them in its page tables, or a sampler of a performance monitor.  A small table
 * counts them for blocks of SUPERPAGE_HUGE_SIZE.  A miss that finds no room in the table
 * lowers the count of every block there, so the most frequent blocks remain.  khugepaged
 * takes the blocks in the order of their misses, and the counts decay over time.
 */

#include <linux/mm.h>
#include <linux/rmap.h>
#include <linux/sched/mm.h>
#include <linux/spinlock.h>
#include <linux/superpage.h>

#include "superpage.h"

#define NR_BLOCKS	64

/* superpage_note_page_miss() ignores pages with more mappings than this. */
#define MAPPINGS_MAX	8

/**
 * struct superpage_misses - the misses of a block
 * @mm: its mm; exit_mmap() has it taken out of the table; NULL if this entry is free
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
 * @mm: mm of the address; the caller makes sure that the struct stays
 * @addr: the address
 * @n: number of misses
 *
 * May be called in any context but NMI.
 */
void superpage_note_miss(struct mm_struct *mm, unsigned long addr, unsigned long n)
{
	struct superpage_misses *m, *free = NULL;
	unsigned long flags;

	addr = round_down(addr, SUPERPAGE_HUGE_SIZE);
	spin_lock_irqsave(&superpage_misses_lock, flags);
	WRITE_ONCE(mm->superpage.missed, true);
	/*
	 * superpage_khugepaged_exit() reads missed after mm_users has become 0.  This function
	 * reads mm_users after it has set missed.  So at least one of them sees the other's
	 * store, and no entry is left of an mm that has ended.
	 */
	smp_mb();
	if (!atomic_read(&mm->mm_users))
		goto unlock;
	for (m = superpage_misses; m < superpage_misses + NR_BLOCKS; m++) {
		if (m->mm == mm && m->addr == addr)
			break;
		if (!m->mm)
			free = m;
	}
	if (m < superpage_misses + NR_BLOCKS) {
		m->n += n;
	} else if (free) {
		free->mm = mm;
		free->addr = addr;
		free->n = n;
	} else {
		for (m = superpage_misses; m < superpage_misses + NR_BLOCKS; m++) {
			m->n -= min(m->n, n);
			if (!m->n)
				m->mm = NULL;
		}
	}
unlock:
	spin_unlock_irqrestore(&superpage_misses_lock, flags);
}

/**
 * superpage_forget_misses() - take an mm out of the table
 * @mm: the mm, which has no users any more
 */
void superpage_forget_misses(struct mm_struct *mm)
{
	struct superpage_misses *m;

	spin_lock_irq(&superpage_misses_lock);
	for (m = superpage_misses; m < superpage_misses + NR_BLOCKS; m++) {
		if (m->mm == mm)
			m->mm = NULL;
	}
	spin_unlock_irq(&superpage_misses_lock);
}

struct superpage_page_misses {
	unsigned long n;
	int mappings;		/* how many the rmap walk has not found yet */
};

static bool superpage_note_miss_one(struct folio *folio, struct vm_area_struct *vma,
				    unsigned long addr, void *arg)
{
	struct superpage_page_misses *misses = arg;

	/* After fork() the anon_vma has VMAs of processes that do not map the page. */
	if (superpage_maps(vma, addr, folio_pfn(folio), NULL)) {
		superpage_note_miss(vma->vm_mm, addr, misses->n);
		misses->mappings--;
	}
	return misses->mappings > 0;
}

/**
 * superpage_note_page_miss() - count misses of the TLB for a physical page
 * @page: the page; the caller holds a reference to it
 * @n: number of misses
 *
 * For callers that know the physical address only.  Counts the misses for every
 * process that maps the page, unless these are more than MAPPINGS_MAX: such a page would
 * push all others out of the table, and khugepaged hardly ever copies what so many
 * share.  May sleep.
 */
void superpage_note_page_miss(struct page *page, unsigned long n)
{
	struct superpage_page_misses misses = { .n = n, .mappings = page_mapcount(page) };
	struct rmap_walk_control rwc = {
		.rmap_one = superpage_note_miss_one,
		.arg = &misses,
		.anon_lock = folio_lock_anon_vma_read,
		.try_lock = true,
	};

	if (PageAnon(page) && !PageKsm(page) && misses.mappings > 0 &&
	    misses.mappings <= MAPPINGS_MAX)
		rmap_walk(page_folio(page), &rwc);
}

void __weak arch_superpage_note_misses(void)
{
}

/**
 * superpage_most_missed() - take the block with the most misses from the table
 * @addrp: returns its address
 *
 * If the block misses again, counting begins anew.
 *
 * Return: its mm, with a reference for mmdrop(); NULL if there is no block
 */
struct mm_struct *superpage_most_missed(unsigned long *addrp)
{
	struct superpage_misses *m, *most = NULL;
	struct mm_struct *mm = NULL;

	spin_lock_irq(&superpage_misses_lock);
	for (m = superpage_misses; m < superpage_misses + NR_BLOCKS; m++) {
		if (m->mm && (!most || m->n > most->n))
			most = m;
	}
	if (most) {
		mm = most->mm;
		mmgrab(mm);
		*addrp = most->addr;
		most->mm = NULL;
	}
	spin_unlock_irq(&superpage_misses_lock);
	return mm;
}

/**
 * superpage_fade_misses() - let the counts decay
 *
 * Halves all counts, and drops blocks whose count becomes 0.
 */
void superpage_fade_misses(void)
{
	struct superpage_misses *m;

	spin_lock_irq(&superpage_misses_lock);
	for (m = superpage_misses; m < superpage_misses + NR_BLOCKS; m++) {
		m->n /= 2;
		if (!m->n)
			m->mm = NULL;
	}
	spin_unlock_irq(&superpage_misses_lock);
}
