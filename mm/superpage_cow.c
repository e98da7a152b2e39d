// SPDX-License-Identifier: GPL-2.0
/*
 * Superpages: copy on write of a unit.
 *
 * After fork() both processes have their superpages write-protected.  A process that
 * writes gets a copy of the unit around the address, if there are contiguous frames
 * for it, and the rest of the superpage stays as large as it can be.  If only the one
 * base page were copied, the rest of its unit would have to become base pages as
 * well.  Still, a child copies base pages at first, as it may not live long or may execute
 * a program soon.  If the parent then writes to that page, it is left with a base page, too.
 */

#include <linux/highmem.h>
#include <linux/ksm.h>
#include <linux/memcontrol.h>
#include <linux/mm.h>
#include <linux/mmu_notifier.h>
#include <linux/pagemap.h>
#include <linux/rmap.h>
#include <linux/superpage.h>
#include <linux/swap.h>
#include <linux/delayacct.h>		/* needs spinlock_t */

#include <asm/tlbflush.h>

#include "internal.h"
#include "superpage.h"

/*
 * Is this one of the first units that a child would copy?  Threads that write at the same time
 * may undo each other's decrement, so that a few more units are not copied whole.
 */
static bool superpage_copy_alone(struct superpage_mm *sp)
{
	u8 alone = READ_ONCE(sp->alone);

	if (!alone)
		return false;
	WRITE_ONCE(sp->alone, alone - 1);
	return true;
}

/*
 * Are these still the pages of the fault, and may all of them be copied?  An
 * exclusive page may be pinned, and a copy would separate its owner from the pin.  A write
 * must not read a neighbouring page with a memory error, which ia64 marks as reserved.
 * The caller holds the lock of the PTEs.
 */
static bool superpage_may_copy(struct vm_fault *vmf, struct page *page, unsigned int order)
{
	int i;

	/* Replicas agree, so if this one is unchanged, all are. */
	if (!pte_same(*vmf->pte, vmf->orig_pte))
		return false;
	for (i = 0; i < 1 << order; i++, page++)
		if (!PageAnon(page) || PageKsm(page) || PageAnonExclusive(page) ||
		    PageReserved(page))
			return false;
	return true;
}

/*
 * Does somebody else hold one of the pages that were not written to?  A device may be
 * writing to such a page: O_DIRECT takes no pin, and fork() does not wait for the device.
 * The process would lose what the device writes after the copy.  Anybody who wants to
 * write to the page later has to make it exclusive first.
 *
 * The reference may also be that of another process or thread which is copying the unit,
 * of one that is unmapping it, or of another processor's batch of pages for the LRU lists;
 * __superpage_reuse() has drained this processor's.  The caller copies a single page then,
 * too.
 *
 * The caller holds the lock of the PTEs.  Other processes may fork or unmap meanwhile.
 */
static bool superpage_held(struct vm_fault *vmf, struct page *page, unsigned int order)
{
	int i, mapped;

	for (i = 0; i < 1 << order; i++, page++) {
		if (page == vmf->page)
			continue;
		mapped = page_mapcount(page);
		if (page_count(page) != mapped + PageSwapCache(page) ||
		    page_mapcount(page) != mapped)
			return true;
	}
	return false;
}

/* Allocate and charge frames for the copy. */
static struct page *superpage_copy_frames(struct vm_area_struct *vma, unsigned long start,
					  unsigned int order)
{
	struct mem_cgroup *memcg;
	struct page *page;
	int i;

	if (superpage_charge(vma->vm_mm, order, &memcg))
		return NULL;
	page = superpage_alloc_frames(vma, start, order);
	if (!page) {
		mem_cgroup_uncharge_ahead(memcg, 1 << order);
		return NULL;
	}
	for (i = 0; i < 1 << order; i++) {
		mem_cgroup_charged(page + i, memcg);
		superpage_mark_frame(page + i);
	}
	cgroup_throttle_swaprate(page, GFP_KERNEL);
	return page;
}

/*
 * Replace the old pages by the copy, in the order that wp_page_copy() uses and explains:
 * clear the PTEs, purge, add the new pages to rmap, set the PTEs, and only then remove
 * the old pages from rmap.  Once an old page is no longer mapped here, another process
 * may reuse it.  The caller holds the lock of the PTEs.
 */
static void superpage_replace(struct vm_fault *vmf, unsigned long start, struct page *old,
			      struct page *new, unsigned int order)
{
	unsigned long addr, end = start + (PAGE_SIZE << order);
	struct vm_area_struct *vma = vmf->vma;
	bool as_superpage = superpage_vma_orders(vma) & BIT(order);
	struct mm_struct *mm = vma->vm_mm;
	pte_t *first, *pte, entry;
	struct page *page;
	unsigned int part;

	/* Demote the whole superpage before the purge; what is not copied stays mapped. */
	if (pte_superpage_order(*vmf->pte) > order)
		superpage_demote(mm, vmf->address, vmf->pte, start, end);

	/* A unit never crosses leaf tables. */
	first = vmf->pte - ((vmf->address - start) >> PAGE_SHIFT);
	for (addr = start, pte = first, page = old; addr < end; addr += PAGE_SIZE, pte++, page++) {
		/* Smaller than the unit if its order has just ceased to be permitted. */
		part = pte_superpage(*pte) ? pte_superpage_order(*pte) : 0;
		if (part && !(addr & ((PAGE_SIZE << part) - 1)))
			superpage_add_mapped(mm, page, part, -1);
		WRITE_ONCE(*pte, __pte(0));
	}
	flush_tlb_range(vma, start, end);
	mmu_notifier_invalidate_range(mm, start, end);

	for (addr = start, page = new; addr < end; addr += PAGE_SIZE, page++) {
		page_add_new_anon_rmap(page, vma, addr);
		lru_cache_add_inactive_or_unevictable(page, vma);
	}
	for (addr = start, pte = first, page = new; addr < end; addr += PAGE_SIZE, pte++, page++) {
		entry = pte_sw_mkyoung(mk_pte(page, vma->vm_page_prot));
		entry = maybe_mkwrite(pte_mkdirty(entry), vma);
		set_pte(pte, as_superpage ? pte_mksuperpage(entry, order) : entry);
	}
	if (as_superpage) {
		superpage_add_mapped(mm, new, order, 1);
		superpage_count(order, SUPERPAGE_ANON_FAULT_ALLOC, 1);
	}
	for (addr = start, page = old; addr < end; addr += PAGE_SIZE, page++)
		page_remove_rmap(page, vma, false);
}

/**
 * __superpage_copy() - wp_page_copy() of a unit
 * @vmf: a write fault on a write-protected page of a superpage.  The PTE is not
 *	locked.  The caller holds a reference to the page, which is dropped here if
 *	this does not fall back
 *
 * If two threads write to a unit at the same time, the one that is later finds that its
 * PTE has changed, and does nothing.
 *
 * Return: VM_FAULT_WRITE if the unit was copied; 0 if the PTE had changed;
 * VM_FAULT_FALLBACK if nothing was done and the caller should copy one base page
 */
vm_fault_t __superpage_copy(struct vm_fault *vmf)
{
	struct vm_area_struct *vma = vmf->vma;
	unsigned int order = superpage_unit(vma->vm_mm);
	struct mmu_notifier_range range;
	unsigned long start, end;
	struct page *old, *new;
	bool copied;
	int i;

	if (!order || order > pte_superpage_order(vmf->orig_pte) ||
	    !(vmf->flags & FAULT_FLAG_WRITE) || !(superpage_vma_allowed(vma) & BIT(order)) ||
	    superpage_copy_alone(&vma->vm_mm->superpage))
		return VM_FAULT_FALLBACK;
	start = round_down(vmf->address, PAGE_SIZE << order);
	end = start + (PAGE_SIZE << order);
	old = vmf->page - ((vmf->address - start) >> PAGE_SHIFT);

	delayacct_wpcopy_start();
	new = superpage_copy_frames(vma, start, order);
	if (!new)
		goto fallback;

	/* Hold references during the copy, so that nobody reuses the pages. */
	spin_lock(vmf->ptl);
	copied = superpage_may_copy(vmf, old, order) && !superpage_held(vmf, old, order);
	for (i = 0; copied && i < 1 << order; i++)
		get_page(old + i);
	spin_unlock(vmf->ptl);
	if (!copied) {
		superpage_free_frames(new, 1 << order);
		goto fallback;
	}
	for (i = 0; i < 1 << order; i++) {
		copy_user_highpage(new + i, old + i, start + i * PAGE_SIZE, vma);
		arch_superpage_exec(mk_pte(new + i, vma->vm_page_prot), 1);
		/* Orders the copy before the PTE. */
		__SetPageUptodate(new + i);
	}

	mmu_notifier_range_init(&range, MMU_NOTIFY_CLEAR, 0, vma, vma->vm_mm, start, end);
	mmu_notifier_invalidate_range_start(&range);
	spin_lock(vmf->ptl);
	copied = superpage_may_copy(vmf, old, order);
	if (copied)
		superpage_replace(vmf, start, old, new, order);
	spin_unlock(vmf->ptl);
	mmu_notifier_invalidate_range_only_end(&range);

	for (i = 0; i < 1 << order; i++) {
		if (copied) {
			free_swap_cache(old + i);
			put_page(old + i);	/* the reference of the PTE */
		} else {
			put_page(new + i);
		}
		put_page(old + i);
	}
	put_page(vmf->page);
	delayacct_wpcopy_end();
	return copied ? VM_FAULT_WRITE : 0;

fallback:
	delayacct_wpcopy_end();
	return VM_FAULT_FALLBACK;
}
