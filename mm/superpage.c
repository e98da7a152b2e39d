// SPDX-License-Identifier: GPL-2.0
/*
 * Superpages: transparent large pages made of replicated base-page PTEs.
 *
 * Every base page keeps a PTE of its own, and a struct page, an entry in the
 * LRU lists, a charge; all of mm goes on seeing base pages.  All PTEs of a
 * superpage, its "replicas", say in bits of the architecture how large it is,
 * and the processor maps it with one translation.  The frames are contiguous
 * and aligned to the size, and so is the range of addresses.
 *
 * Rules:
 *
 * 1. One lock.  pte_lockptr() is the same for all leaf tables that a superpage
 *    can span, so whoever holds the lock of one replica holds that of all.
 *
 * 2. A superpage never crosses the bounds of a VMA: superpage_vma_adjust() sees
 *    to it when they move.  So its leaf tables exist as long as someone may
 *    change one of its replicas: with mmap_lock held, or, in rmap walks, the
 *    anon_vma's lock.  Tables are freed by munmap and exit only, after their
 *    PTEs have been zapped and their VMA has been taken out of the anon_vma.
 *
 * 3. The replicas agree in all but the unseen bit, so that it does not matter
 *    which of them a miss handler inserts.  Whoever changes one for itself alone
 *    first takes the page out of the superpage, which becomes smaller ones around
 *    it: the PTE accessors of the architecture do.  While mprotect holds mmap_lock
 *    for writing and has not purged yet, replicas may differ between leaf tables;
 *    translations of the old kind are what every mprotect has until its purge.
 *
 * 4. Miss handlers read replicas without a lock, and compare after they have
 *    inserted; none changes a replica.
 *
 * 5. Demotion changes every replica, whatever becomes of it, before any page is
 *    changed for itself.  See superpage_resize().
 *
 * A PTE without a page may have a mark: whoever faults it in uses that order or
 * a smaller one.  Marks are hints.  What is mapped is decided by what the VMA
 * and its PTEs look like then; a PTE without a mark is free to take what fits.
 */

#define pr_fmt(fmt) "superpage: " fmt

#include <linux/memcontrol.h>
#include <linux/mm.h>
#include <linux/mm_inline.h>
#include <linux/pagemap.h>
#include <linux/superpage.h>
#include <linux/swap.h>
#include <linux/swapops.h>

#include <asm/tlbflush.h>

#include "internal.h"
#include "superpage.h"

#define CREATE_TRACE_POINTS
#include <trace/events/superpage.h>

void superpage_mm_init(struct mm_struct *mm)
{
	atomic_long_set(&mm->superpage.mapped, 0);
	superpage_policy_init(mm);
	superpage_mm_init_reserve(mm);
	superpage_khugepaged_mm_init(mm);
#if USE_SPLIT_PTE_PTLOCKS
	for (int i = 0; i < SUPERPAGE_LOCKS; i++)
		spin_lock_init(&mm->superpage.lock[i].ptl);
#endif
}

/*
 * Leaf table of @addr: the address of its PTE, or NULL if there is no table.
 * *@next is the end of the table, or of the hole, but not above @end.
 */
pte_t *superpage_leaf(struct mm_struct *mm, unsigned long addr, unsigned long end,
		      unsigned long *next, pmd_t **pmdp)
{
	pgd_t *pgd = pgd_offset(mm, addr);
	p4d_t *p4d;
	pud_t *pud;
	pmd_t *pmd;

	*next = pgd_addr_end(addr, end);
	if (pgd_none(*pgd))
		return NULL;
	p4d = p4d_offset(pgd, addr);
	*next = p4d_addr_end(addr, *next);
	if (p4d_none(*p4d))
		return NULL;
	pud = pud_offset(p4d, addr);
	*next = pud_addr_end(addr, *next);
	if (pud_none(*pud))
		return NULL;
	pmd = pmd_offset(pud, addr);
	*next = pmd_addr_end(addr, *next);
	if (pmd_none(*pmd))
		return NULL;
	if (pmdp)
		*pmdp = pmd;
	return pte_offset_kernel(pmd, addr);
}

/* The lock of the PTEs of @addr, whose leaf table exists. */
spinlock_t *superpage_lockptr(struct mm_struct *mm, unsigned long addr)
{
	unsigned long next;
	pmd_t *pmd;

	superpage_leaf(mm, addr, addr + PAGE_SIZE, &next, &pmd);
	return pte_lockptr(mm, pmd);
}

/*
 * Replace the value of every PTE of [@start, @end) by (value & ~@clear) | @set.
 * They are replicas, or become some; the lock is held.
 */
void superpage_change_range(struct mm_struct *mm, unsigned long start, unsigned long end,
			    unsigned long clear, unsigned long set)
{
	unsigned long addr, next, n;
	pte_t *pte;

	for (addr = start; addr < end; addr = next) {
		pte = superpage_leaf(mm, addr, end, &next, NULL);
		if (WARN_ON_ONCE(!pte))
			continue;
		for (n = (next - addr) >> PAGE_SHIFT; n; n--, pte++) {
			VM_WARN_ON_ONCE(!pte_present(*pte));
			WRITE_ONCE(*pte, __pte((pte_val(*pte) & ~clear) | set));
		}
	}
}

/* The same for all of the superpage that @ptep is a replica of. */
void superpage_change_all(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
			  unsigned long clear, unsigned long set)
{
	unsigned long size = PAGE_SIZE << pte_superpage_order(*ptep);

	addr = round_down(addr, size);
	superpage_change_range(mm, addr, addr + size, clear, set);
}

void __weak arch_superpage_changed(struct mm_struct *mm, unsigned long addr, unsigned int order)
{
}

/*
 * Count a change of the number of superpages mapped.  @page is the first of them; the
 * lock of their PTEs is held.
 *
 * Huge ones count for the node and the memory cgroup of their first page, where they
 * are found again when they go: whoever changes a page's cgroup first makes base pages
 * of its superpage, see superpage_may_move_charge().
 */
void superpage_add_mapped(struct mm_struct *mm, struct page *page, unsigned int order, long n)
{
	long i, pages = superpage_huge_pages(order);

	atomic_long_add(n, &mm->superpage.mapped);
	superpage_count(order, SUPERPAGE_NR_ANON, n);
	for (i = 0; pages && i < abs(n); i++, page += pages)
		__mod_lruvec_page_state(page, NR_ANON_THPS, n < 0 ? -pages : pages);
}

/*
 * Count that so many pages have become parts of huge superpages, or of smaller ones, in
 * units of SUPERPAGE_HUGE_SIZE.
 */
void superpage_count_huge(struct mm_struct *mm, enum vm_event_item event, long pages)
{
	long n = pages >> SUPERPAGE_HUGE_ORDER;
#ifdef CONFIG_MEMCG
	struct mem_cgroup *memcg;
#endif

	if (n <= 0)
		return;
	count_vm_events(event, n);
#ifdef CONFIG_MEMCG
	rcu_read_lock();
	memcg = mem_cgroup_from_task(rcu_dereference(mm->owner));
	if (memcg)
		count_memcg_events(memcg, event, n);
	rcu_read_unlock();
#endif
}

/**
 * superpage_may_move_charge() - a page's charge is to go to another memory cgroup
 * @vma: the VMA that has the page
 * @addr: its address
 * @ptep: its PTE, whose lock is held
 * @page: the page
 *
 * Makes base pages of its superpage; khugepaged makes it whole again.  After fork() other
 * processes may have superpages of the page, too, and these count where it is charged: a
 * page that somebody else has, mapped or in swap, stays charged there.
 *
 * With the page locked, nobody is on the way from having it in swap to having it mapped.
 * So if it is only here, it stays so, as fork() would take mmap_lock for writing, and the
 * caller has that.
 *
 * Return: whether it may go
 */
bool superpage_may_move_charge(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep,
			       struct page *page)
{
	int users;

	if (!PageAnon(page))
		return true;
	if (!trylock_page(page))
		return false;
	users = page_mapcount(page);
	if (PageSwapCache(page))
		users += __swp_swapcount((swp_entry_t){ .val = page_private(page) });
	unlock_page(page);
	if (users > 1)
		return false;
	superpage_strip(vma->vm_mm, addr, ptep);
	return true;
}

/* --- Demotion --------------------------------------------------------------- */

/*
 * Give what was a superpage in [@start, @end), from @page on, another order, or 0.
 * Returns how many of its pages are huge.
 */
static long superpage_set_order(struct mm_struct *mm, unsigned long start, unsigned long end,
				struct page *page, unsigned int order)
{
	unsigned long set = order ? pte_val(pte_mksuperpage(__pte(0), order)) : 0;
	long n = (end - start) >> (PAGE_SHIFT + order);

	superpage_change_range(mm, start, end, PTE_SUPERPAGE_BITS, set);
	if (order)
		superpage_add_mapped(mm, page, order, n);
	return n * superpage_huge_pages(order);
}

/* The largest of @orders that begins at @addr and contains neither bound; or 0. */
static unsigned int superpage_order_beside(unsigned long addr, unsigned long orders,
					   unsigned long start, unsigned long end)
{
	unsigned long size;
	unsigned int order;

	for (; orders; orders &= ~BIT(order)) {
		order = __fls(orders);
		size = PAGE_SIZE << order;
		if (!(addr & (size - 1)) && start - addr - 1 >= size - 1 &&
		    end - addr - 1 >= size - 1)
			return order;
	}
	return 0;
}

/*
 * Make a superpage smaller ones of @orders, or base pages where none of them fits:
 * the largest that have neither @start nor @end within them.  The lock is held.
 *
 * All replicas change here, those that do not have the page in question, too, and
 * it is this that miss handlers without a lock rely on.  Consider one that has read
 * the old value of the replica of another page, and inserts it, with the old size,
 * while the caller goes on to change its page and to purge that.  It reads the
 * replica again when it has inserted it.  If it sees the old value, it has inserted
 * it before this here was visible, and so before the caller's purge, which removes
 * what overlaps the purged page, whatever its size.  Otherwise it sees that the
 * value has changed and purges it itself.  A replica that kept its old size would be
 * inserted even after the purge, and would map the page that is no longer there.
 *
 * Should the value be the old one again when it is looked at for the second time,
 * then this is a superpage again, and superpage_merge() has found that all PTEs of
 * it agree: what has been inserted is right.
 *
 * Other caches of translations, the hash tables of the long-format VHPT, have an
 * entry for each page that was missed, each with the old size.  All of them go, not
 * only that of the page: the walker would insert the others after the purge.
 *
 * No purge is needed here.  What is left in the TLBs agrees with all PTEs until one
 * of them changes, and that has its purge.
 *
 * Returns how many pages are not huge any more.
 */
static long superpage_resize(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
			     unsigned long orders, unsigned long start, unsigned long end)
{
	unsigned int order = pte_superpage_order(*ptep), part, last = 0, least;
	struct page *page = pfn_to_page(round_down(pte_pfn(*ptep), 1UL << order));
	unsigned long size = PAGE_SIZE << order;
	unsigned long first = round_down(addr, size), a, from;
	long lost = superpage_huge_pages(order);

	orders &= BIT(order) - 1;
	least = orders ? __ffs(orders) : order;
	for (a = from = first; a < first + size; a += PAGE_SIZE << (part ?: least)) {
		part = superpage_order_beside(a, orders, start, end);
		if (part != last) {
			lost -= superpage_set_order(mm, from, a,
						    page + ((from - first) >> PAGE_SHIFT), last);
			from = a;
			last = part;
		}
	}
	lost -= superpage_set_order(mm, from, a, page + ((from - first) >> PAGE_SHIFT), last);
	arch_superpage_changed(mm, addr, order);
	trace_superpage_demote(mm, addr, order);
	superpage_count(order, SUPERPAGE_DEMOTED, 1);
	superpage_add_mapped(mm, page, order, -1);
	/* Whoever unmaps what is left of a dying process is not in search of superpages. */
	if (atomic_read(&mm->mm_users))
		superpage_note_change(mm);
	return lost;
}

/**
 * superpage_demote() - make a superpage smaller ones on both sides of a range
 * @mm: whose PTE it is
 * @addr: the address that it maps
 * @ptep: a replica; its lock is held
 * @start: first address of the range
 * @end: address behind the last; it may be @start
 *
 * What contains neither bound keeps the largest permitted size that does not,
 * in the range as well as outside.
 */
void superpage_demote(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
		      unsigned long start, unsigned long end)
{
	long lost = superpage_resize(mm, addr, ptep, superpage_mm_orders(mm), start, end);

	count_vm_events(THP_SPLIT_PMD, lost >> SUPERPAGE_HUGE_ORDER);
	WRITE_ONCE(mm->superpage.apart, true);
}

/**
 * superpage_demote_to() - make a superpage those of one smaller size
 * @mm: whose PTE it is
 * @addr: the address that it maps
 * @ptep: a replica; its lock is held
 * @order: their order, or the next larger one of which there cannot be any; below that of
 *	the superpage, 0 for base pages
 */
void superpage_demote_to(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
			 unsigned int order)
{
	unsigned long start = round_down(addr, PAGE_SIZE << pte_superpage_order(*ptep));
	unsigned long orders = superpage_possible_orders() & GENMASK(order, 0);
	/* Its start is no bound within it. */
	long lost = superpage_resize(mm, addr, ptep, orders, start, start);

	count_vm_events(THP_SPLIT_PMD, lost >> SUPERPAGE_HUGE_ORDER);
	WRITE_ONCE(mm->superpage.apart, true);
}

/**
 * superpage_demote_pte() - take one page out of its superpage
 * @mm: whose PTE it is
 * @addr: the address that it maps
 * @ptep: a PTE with size bits, whose lock is held; nothing is done to a mark
 *
 * See superpage_pte_change().
 */
void superpage_demote_pte(struct mm_struct *mm, unsigned long addr, pte_t *ptep)
{
	addr &= PAGE_MASK;
	if (pte_superpage(*ptep))
		superpage_demote(mm, addr, ptep, addr, addr + PAGE_SIZE);
}

/**
 * superpage_strip_pte() - make all of a superpage base pages
 * @mm: whose PTE it is
 * @addr: the address that it maps
 * @ptep: a PTE with size bits, whose lock is held; nothing is done to a mark
 *
 * For those who are going to change all pages one by one: each step down would
 * write to all PTEs again.
 */
void superpage_strip_pte(struct mm_struct *mm, unsigned long addr, pte_t *ptep)
{
	if (pte_superpage(*ptep))
		superpage_resize(mm, addr, ptep, 0, addr, addr);
}

/**
 * superpage_wrprotect_pte() - write-protect all of a superpage
 * @mm: whose PTE it is
 * @addr: the address that it maps
 * @ptep: a PTE with size bits; its lock is held
 *
 * See superpage_wrprotect().
 *
 * Return: false if it was a mark
 */
bool superpage_wrprotect_pte(struct mm_struct *mm, unsigned long addr, pte_t *ptep)
{
	if (!pte_superpage(*ptep))
		return false;
	superpage_change_all(mm, addr, ptep,
			     pte_val(*ptep) & ~pte_val(pte_wrprotect(*ptep)), 0);
	return true;
}

/*
 * Set bits in the PTEs of the superpage of @order around @addr, which may have been
 * a part of a larger one.  For bits that permit more: the caller purges.
 */
void superpage_set_bits(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
			unsigned int order, unsigned long set)
{
	unsigned long size = PAGE_SIZE << order, start = round_down(addr, size);

	if (order < pte_superpage_order(*ptep))
		superpage_demote(mm, addr, ptep, start, start + size);
	superpage_change_range(mm, start, start + size, 0, set);
	if (order)
		arch_superpage_changed(mm, addr, order);
}

/**
 * superpage_set_access_flags() - ptep_set_access_flags() for a replica
 * @vma: the VMA of the superpage
 * @addr: address of the replica
 * @ptep: its PTE, a replica; its lock is held
 * @entry: what it is to be, as a base page's PTE or a replica's
 *
 * Sets the accessed bit of all replicas, since they agree.  So a dirty one is
 * dirty for all of them, and makes the processor write to all without a fault.
 * After MADV_FREE, therefore, when all are clean, the first write leaves only the
 * smallest superpage around it dirty, and the others as they are: they can still be
 * given back.  Changes anything else for this page alone.
 *
 * Purges even if nothing is left to be done.  Promotion may have set the accessed
 * bit, or set it for another replica only, while some processor has a translation
 * that says clear.  For these PTEs its faults come here, and shall find an end.
 */
void superpage_set_access_flags(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep,
				pte_t entry)
{
	unsigned long change = pte_val(pte_mkbase(entry)) ^ pte_val(pte_mkbase(*ptep));
	unsigned long bits = pte_val(pte_mkyoung(pte_mkdirty(__pte(0))));
	unsigned int order = pte_superpage_order(*ptep);

	if (change & ~bits) {
		set_pte_at(vma->vm_mm, addr, ptep, entry);
	} else {
		if (change & pte_val(pte_mkdirty(__pte(0))))
			order = min(order, superpage_unit(vma->vm_mm));
		superpage_set_bits(vma->vm_mm, addr, ptep, order, pte_val(entry) & bits);
	}
	flush_tlb_page(vma, addr);
}

/* Demote the superpage that begins before @addr and ends behind it. */
static void superpage_split_at(struct vm_area_struct *vma, unsigned long addr)
{
	struct mm_struct *mm = vma->vm_mm;
	unsigned long next;
	spinlock_t *ptl;
	pte_t *pte;
	pmd_t *pmd;

	pte = superpage_leaf(mm, addr, addr + PAGE_SIZE, &next, &pmd);
	if (!pte)
		return;
	ptl = pte_lockptr(mm, pmd);
	spin_lock(ptl);
	if (pte_superpage(*pte) && addr & ((PAGE_SIZE << pte_superpage_order(*pte)) - 1)) {
		superpage_demote(mm, addr, pte, addr, addr);
		/*
		 * Not for the sake of the demotion.  Nothing else need change here,
		 * and the old translation, accessed as it says it is, would stay
		 * while accessed bits are being cleared under it.
		 */
		flush_tlb_page(vma, addr);
	}
	spin_unlock(ptl);
}

/**
 * __superpage_split() - before a part of a VMA is changed page by page
 * @vma: the VMA
 * @start: first address of the part
 * @end: address behind the last
 *
 * No superpage is partly in the range afterwards.  With mmap_lock held for reading
 * only, page faults may make one again: so this spares work, and whoever relies on
 * it looks again with the lock of the PTEs held.
 */
void __superpage_split(struct vm_area_struct *vma, unsigned long start, unsigned long end)
{
	if (start > vma->vm_start)
		superpage_split_at(vma, start);
	if (end < vma->vm_end)
		superpage_split_at(vma, end);
}

/**
 * __superpage_vma_adjust() - before the bounds of a VMA move
 * @vma: the VMA
 * @start: its new start
 * @end: its new end
 * @adjust_next: by how much the start of the next VMA moves
 *
 * mmap_lock is held for writing.  See rule 2.
 */
void __superpage_vma_adjust(struct vm_area_struct *vma, unsigned long start, unsigned long end,
			    long adjust_next)
{
	superpage_split_at(vma, start);
	superpage_split_at(vma, end);
	if (adjust_next > 0) {
		struct vm_area_struct *next = find_vma(vma->vm_mm, vma->vm_end);

		superpage_split_at(vma, next->vm_start + adjust_next);
	}
}
