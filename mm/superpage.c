// SPDX-License-Identifier: GPL-2.0
/*
 * Superpages: transparent large pages made of replicated base-page PTEs.
 *
 * Terms, which all files of superpages use in the same sense:
 *
 *  - A base page is a page of PAGE_SIZE.
 *  - A superpage is 2^order base pages that the processor maps with one translation.
 *    Its frames are contiguous and aligned to its size, and so is its range of
 *    addresses.
 *  - A replica is a PTE of a superpage.  Every base page of the superpage has one,
 *    in which architecture-specific bits give the size of the superpage.
 *  - A mark is a size in a PTE that maps no page.
 *  - A unit is four base pages; with base pages of 16 KiB, the smallest superpage.
 *  - Demotion makes a superpage into smaller ones and base pages; promotion makes a
 *    larger superpage of such parts, in place; collapse does so by moving pages.
 *  - A reservation is a range of frames that is set aside so that superpages can
 *    grow, see mm/superpage_reserve.c.
 *
 * Every base page keeps its PTE, its struct page, its place on the LRU lists and its
 * charge, so the rest of mm goes on seeing base pages only.
 *
 * Rules:
 *
 * 1. One lock.  pte_lockptr() returns the same lock for all leaf tables that a
 *    superpage can span.  A caller that holds the lock of one replica holds that of
 *    all of them.
 *
 * 2. A superpage never crosses a boundary of its VMA: superpage_vma_adjust() demotes
 *    it before a boundary moves.  The leaf tables of a superpage therefore exist for
 *    as long as somebody may change a replica, that is, holds mmap_lock or, in an
 *    rmap walk, the lock of the anon_vma.  munmap() and exit free leaf tables, after
 *    they have zapped the PTEs and taken the VMA out of the anon_vma.  exec() also
 *    frees those of the place from which it has moved the new stack: there are no
 *    superpages in them, and rmap walks do not look there any more.
 *
 * 3. Whenever nobody holds their lock, the replicas of a superpage differ only in the
 *    frame and the unseen bit, so it does not matter which one a miss handler inserts.
 *    Code that changes the PTE of one page must first take that page out of the
 *    superpage, which leaves smaller superpages around it, unless it changes all
 *    replicas so that they still agree.  The architecture's PTE accessors do one or
 *    the other, so that callers cannot forget.
 *
 * 4. Miss handlers read replicas without a lock and never change one.  On SMP they
 *    read the PTE again after the insertion, and purge what they have inserted if the
 *    PTE has changed.
 *
 * 5. Demotion changes every replica of the superpage, even those of pages that stay as
 *    they are, before any page is changed.  superpage_resize() says why.
 *
 * Marks are hints.  They are used in two cases only: by page faults with
 * vm.superpage_eager, and when a range is populated.  The fault handler then uses the
 * marked order, or a smaller one if the VMA and its PTEs require that.  For a PTE without
 * a mark it may use any order that fits.
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

/**
 * superpage_mm_init() - initialize an mm's superpages
 * @mm: the mm, which fork() or exec() makes for the current process
 */
void superpage_mm_init(struct mm_struct *mm)
{
	/* Another thread may be changing the policy; this reads it once. */
	unsigned long policy = current->mm ? superpage_mm_policy(current->mm) : 0;

	/* fork() and exec() have left this uninitialized, see SUPERPAGE_MM_REST. */
	memset(&mm->superpage, 0, offsetof(struct superpage_mm, lock));
	spin_lock_init(&mm->superpage.reserv_lock);
	if (policy)
		superpage_set_policy(mm, policy);
	superpage_khugepaged_mm_init(mm);
	for (int i = 0; i < SUPERPAGE_LOCKS; i++)
		spin_lock_init(&mm->superpage.lock[i].ptl);
}

/*
 * Return the address of the PTE for @addr, or NULL if @addr has no leaf table.  Sets
 * *@next to the end of the leaf table, or of the hole, but not beyond @end.  Sets
 * *@pmdp, unless @pmdp is NULL, if there is a leaf table.
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

/**
 * superpage_maps() - is a frame mapped at an address?
 * @vma: VMA that has the address; the caller holds the lock of its anon_vma, so that it
 *	stays there and its leaf table exists
 * @addr: the address
 * @pfn: the frame
 * @pte: set to the PTE, unless NULL
 *
 * Return: whether it is mapped; a hint, since the PTE is not locked
 */
bool superpage_maps(struct vm_area_struct *vma, unsigned long addr, unsigned long pfn, pte_t *pte)
{
	unsigned long next;
	pte_t *ptep, entry;

	ptep = superpage_leaf(vma->vm_mm, addr, addr + PAGE_SIZE, &next, NULL);
	if (!ptep)
		return false;
	entry = READ_ONCE(*ptep);
	if (pte)
		*pte = entry;
	return pte_present(entry) && pte_pfn(entry) == pfn;
}

/* Return the lock of the PTE for @addr, whose leaf table must exist. */
spinlock_t *superpage_lockptr(struct mm_struct *mm, unsigned long addr)
{
	unsigned long next;
	pmd_t *pmd;

	superpage_leaf(mm, addr, addr + PAGE_SIZE, &next, &pmd);
	return pte_lockptr(mm, pmd);
}

/*
 * Replace the value of every PTE in [@start, @end) by (value & ~@clear) | @set.  The
 * PTEs are replicas or are about to become replicas.  The caller holds their lock.
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

/* superpage_change_range() for every replica of the superpage that @ptep belongs to. */
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
 * Account for @n superpages of @order that have been mapped, or unmapped if @n is
 * negative.  @page is the first page of the first of them.  The caller holds the lock
 * of their PTEs.
 *
 * Huge superpages are counted in the node and the memory cgroup of their first page.
 * The count is taken back there, too, because superpage_prepare_move_charge() makes a
 * superpage into base pages before one of its pages can go to another cgroup.
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
 * Count in @event, in units of SUPERPAGE_HUGE_SIZE, that @pages pages have become
 * parts of huge superpages: for the system, and for the memory cgroup of the mm's
 * owner.  Does nothing if @pages is not positive.
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
 * superpage_prepare_move_charge() - prepare a page to be charged to another memory cgroup
 * @vma: the VMA that maps the page; the caller holds mmap_lock
 * @addr: address of the page
 * @ptep: PTE of the page; the caller holds its lock
 * @page: the page
 *
 * If the page may move, makes its superpage into base pages.  khugepaged will promote them
 * later, even if the caller then cannot move the charge.
 *
 * A page that another process has, too, mapped or in swap, must stay where it is
 * charged: after fork() the other process may have mapped it as part of a superpage,
 * which is counted in the cgroup of the page.
 *
 * The page is locked while its users are counted, so no process can turn a swap entry
 * into a mapping meanwhile and be missed.  If this process is the only user, it
 * remains so: only fork() could add another, and it needs mmap_lock for writing.
 *
 * Return: true if the caller may move the charge
 */
bool superpage_prepare_move_charge(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep,
				   struct page *page)
{
	bool superpage = pte_superpage(*ptep);
	int users;

	/* A page that was just read from swap is anonymous as soon as somebody maps it. */
	if (!PageAnon(page) && !PageSwapCache(page))
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
	/* As in superpage_split_at(): the old translation says "accessed". */
	if (superpage)
		flush_tlb_page(vma, addr);
	return true;
}

/* --- Demotion --------------------------------------------------------------- */

/*
 * Make superpages of @order, or base pages if @order is 0, of the pages in [@start, @end),
 * which were part of a superpage.  @page is the first of them.  Returns how many of them
 * belong to huge superpages now.
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

/*
 * Return the largest of @orders of which a superpage can begin at @addr without having
 * @start or @end within it; 0 if there is none.
 */
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
 * Demote a superpage to smaller ones.  Each part becomes the largest superpage of
 * @orders that has neither @start nor @end within it, or base pages if there is none.
 * The caller holds the lock of the PTEs.
 *
 * Every replica changes here, even those of pages that the caller is not going to
 * change: the lockless miss handlers depend on that.  Suppose that a handler has
 * read the replica of another page Y before this function changed it, and inserts it
 * with the old size, while the caller changes its own page X and purges X from the
 * TLBs.  The handler reads Y's replica again after the insertion:
 *
 *  - If the handler still sees the old value, its insertion came before the stores
 *    here became visible, hence before the caller's purge.  The purge of X removes
 *    every translation that overlaps X, whatever its size.
 *  - If it sees another value, it purges its translation itself.
 *
 * If Y's replica kept the old size, a handler would see no change and could insert
 * the translation after the purge.  It would map X to the old page.
 *
 * Y's replica may also have changed and changed back between the two reads.  Then the
 * pages are one superpage again.  Promotion has found that all its PTEs agree, so the
 * handler's translation is right.
 *
 * Translations are also cached in the hash tables of the long-format VHPT, which have
 * an entry of the old size for each page that was missed.  arch_superpage_changed()
 * removes all of these, not only that of X; the walker would otherwise insert one of
 * them after the purge.
 *
 * No purge is needed here.  Translations that remain in the TLBs agree with the PTEs
 * until one of the PTEs is changed further, and that change has its own purge.
 *
 * Returns by how much the number of pages in huge superpages has gone down.
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
	/* Without users the mm is about to be freed; khugepaged can ignore it. */
	if (atomic_read(&mm->mm_users))
		superpage_note_change(mm);
	return lost;
}

/**
 * superpage_demote() - demote a superpage around a range
 * @mm: mm that the PTE belongs to
 * @addr: address that the PTE maps
 * @ptep: a replica; the caller holds its lock
 * @start: first address of the range
 * @end: address after the range; may equal @start
 *
 * No superpage has @start or @end within it afterwards.  Apart from that the parts
 * are the largest that the mm may have, inside the range as well as outside.
 */
void superpage_demote(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
		      unsigned long start, unsigned long end)
{
	long lost = superpage_resize(mm, addr, ptep, superpage_mm_orders(mm), start, end);

	count_vm_events(THP_SPLIT_PMD, lost >> SUPERPAGE_HUGE_ORDER);
	WRITE_ONCE(mm->superpage.apart, true);
}

/**
 * superpage_demote_to() - demote a superpage to superpages of one size
 * @mm: mm that the PTE belongs to
 * @addr: address that the PTE maps
 * @ptep: a replica; the caller holds its lock
 * @orders: bitmap of orders; the parts have the largest below that of the superpage.
 *	If there is none, they are base pages
 */
void superpage_demote_to(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
			 unsigned long orders)
{
	unsigned long start = round_down(addr, PAGE_SIZE << pte_superpage_order(*ptep));
	/* Pass the start for both ends of the range, so that no part is cut. */
	long lost = superpage_resize(mm, addr, ptep, orders, start, start);

	count_vm_events(THP_SPLIT_PMD, lost >> SUPERPAGE_HUGE_ORDER);
	WRITE_ONCE(mm->superpage.apart, true);
}

/**
 * superpage_demote_pte() - take one page out of its superpage
 * @mm: mm that the PTE belongs to
 * @addr: address that the PTE maps
 * @ptep: a PTE with size bits; the caller holds its lock
 *
 * Leaves a mark as it is.  See superpage_pte_change().
 */
void superpage_demote_pte(struct mm_struct *mm, unsigned long addr, pte_t *ptep)
{
	addr &= PAGE_MASK;
	if (pte_superpage(*ptep))
		superpage_demote(mm, addr, ptep, addr, addr + PAGE_SIZE);
}

/**
 * superpage_strip_pte() - make a superpage into base pages
 * @mm: mm that the PTE belongs to
 * @addr: address that the PTE maps
 * @ptep: a PTE with size bits; the caller holds its lock
 *
 * For callers that are going to change every page of the superpage one by one: if
 * each page were taken out of it by itself, every demotion on the way down would
 * write to the remaining PTEs again.  Leaves a mark as it is.
 */
void superpage_strip_pte(struct mm_struct *mm, unsigned long addr, pte_t *ptep)
{
	if (pte_superpage(*ptep))
		superpage_resize(mm, addr, ptep, 0, addr, addr);
}

/**
 * superpage_wrprotect_pte() - write-protect a whole superpage
 * @mm: mm that the PTE belongs to
 * @addr: address that the PTE maps
 * @ptep: a PTE with size bits; the caller holds its lock
 *
 * See superpage_wrprotect().
 *
 * Return: false if @ptep is a mark and nothing was done
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
 * Set the bits @set in the PTEs of the block of @order around @addr, which is in the
 * superpage of @ptep.  If that is larger, demotes it first.  The bits must not take any
 * right away, because the caller purges the old translations only afterwards.
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
 * @vma: VMA of the superpage
 * @addr: address of the page
 * @ptep: PTE of the page, a replica; the caller holds its lock
 * @entry: its new value; the size bits do not matter
 *
 * Sets the accessed bit in all replicas, because they must agree.  Writes nothing if
 * another processor has set the bits for its own page fault.
 *
 * The dirty bit must be the same in all replicas as well, because a dirty replica in
 * the TLB lets the processor write to every page without a fault.  After MADV_FREE
 * all replicas are clean; the first write then leaves only the unit around it dirty,
 * and the rest stays clean and can still be freed.
 *
 * Any other change concerns this page only and takes it out of the superpage.
 *
 * Purges the page's translation even if the PTE has the bits already.  Promotion may
 * have set the accessed bit, or the fault handler may have set it by way of another
 * replica, while a processor still has a translation with the bit clear.  Such a
 * processor faults again and again until the translation is gone.
 */
void superpage_set_access_flags(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep,
				pte_t entry)
{
	unsigned long change = pte_val(pte_mkbase(entry)) ^ pte_val(pte_mkbase(*ptep));
	unsigned long bits = pte_val(pte_mkyoung(pte_mkdirty(__pte(0))));
	unsigned int order = pte_superpage_order(*ptep);

	if (change & ~bits) {
		set_pte_at(vma->vm_mm, addr, ptep, entry);
	} else if (pte_val(entry) & bits & ~pte_val(*ptep)) {
		if (change & pte_val(pte_mkdirty(__pte(0))))
			order = min(order, superpage_unit(vma->vm_mm));
		superpage_set_bits(vma->vm_mm, addr, ptep, order, pte_val(entry) & bits);
	}
	flush_tlb_page(vma, addr);
}

/* Demote the superpage that has @addr within it, if there is one. */
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
		 * Demotion needs no purge.  But the old translation says "accessed".
		 * If it stayed in the TLB after somebody has cleared the accessed bits
		 * of the parts, later accesses would go unnoticed.
		 */
		flush_tlb_page(vma, addr);
	}
	spin_unlock(ptl);
}

/**
 * __superpage_split() - demote superpages at the ends of a range
 * @vma: the VMA
 * @start: first address of the range, which is in @vma
 * @end: address after the range
 *
 * For callers that change the range page by page.  No superpage is partly in the
 * range afterwards.  If the caller holds mmap_lock for reading only, page faults may
 * promote across the ends again.  So this only saves work: a caller that relies on it
 * has to look again with the lock of the PTEs held.
 */
void __superpage_split(struct vm_area_struct *vma, unsigned long start, unsigned long end)
{
	if (start > vma->vm_start)
		superpage_split_at(vma, start);
	if (end < vma->vm_end)
		superpage_split_at(vma, end);
}

/**
 * __superpage_vma_adjust() - demote superpages that a boundary of a VMA is to cross
 * @vma: the VMA
 * @start: its new start
 * @end: its new end
 * @adjust_next: by how many bytes the start of the next VMA moves
 *
 * Rule 2 requires this before the boundaries move.  The caller holds mmap_lock for
 * writing.
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
