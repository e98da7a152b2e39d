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
 * 3. The replicas agree in all but the accessed bit, so that it does not matter
 *    which of them a miss handler inserts.  Whoever changes one for itself alone
 *    makes all of them base pages first: the PTE accessors of the architecture
 *    do.  While mprotect holds mmap_lock for writing and has not purged yet,
 *    replicas may differ between leaf tables; translations of the old kind are
 *    what every mprotect has until its purge.
 *
 * 4. Miss handlers read replicas without a lock, and compare after they have
 *    inserted; none changes a replica.
 *
 * A PTE without a page may have a mark: whoever faults it in uses that order or
 * a smaller one.  Marks are hints.  What is mapped is decided by what the VMA
 * and its PTEs look like then; a PTE without a mark is free to take what fits.
 */

#define pr_fmt(fmt) "superpage: " fmt

#include <linux/gfp.h>
#include <linux/ksm.h>
#include <linux/mempolicy.h>
#include <linux/mm.h>
#include <linux/mm_inline.h>
#include <linux/pagemap.h>
#include <linux/rmap.h>
#include <linux/sizes.h>
#include <linux/sched/coredump.h>
#include <linux/superpage.h>
#include <linux/swap.h>
#include <linux/userfaultfd_k.h>

#include <asm/tlbflush.h>

#include "internal.h"
#include "superpage_internal.h"

#define CREATE_TRACE_POINTS
#include <trace/events/superpage.h>

void superpage_mm_init(struct mm_struct *mm)
{
	atomic_long_set(&mm->superpage.mapped, 0);
	superpage_mm_init_reserve(mm);
#if USE_SPLIT_PTE_PTLOCKS
	for (int i = 0; i < SUPERPAGE_LOCKS; i++)
		spin_lock_init(&mm->superpage.lock[i].ptl);
#endif
}

/* May @vma have superpages? */
bool superpage_vma_may(struct vm_area_struct *vma)
{
	/* VM_NOHUGEPAGE is what MAP_STACK becomes, and stacks grow by the page. */
	return vma_is_anonymous(vma) &&
	       !(vma->vm_flags & (VM_SHARED | VM_NOHUGEPAGE | VM_GROWSDOWN | VM_GROWSUP |
				  VM_SPECIAL)) &&
	       !userfaultfd_armed(vma) && !test_bit(MMF_DISABLE_THP, &vma->vm_mm->flags);
}

/* Orders that @vma gets by itself; 0 for most kinds of VMAs. */
unsigned long superpage_vma_orders(struct vm_area_struct *vma)
{
	unsigned long orders = superpage_orders(), pays;

	if (!superpage_vma_may(vma))
		return 0;
	if (READ_ONCE(superpage_eager)) {
		/* Most of it will not be touched. */
		return vma->vm_flags & VM_NORESERVE ? 0 : orders;
	}
	/* If nothing else is permitted, it is not for us to say that it does not pay. */
	pays = orders & ~(BIT(ilog2(READ_ONCE(superpage_auto_min)) - PAGE_SHIFT) - 1);
	return pays ?: orders;
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
 * Replace the value of every replica of the superpage that @ptep is one of by
 * (value & ~@clear) | @set.  The lock is held.
 */
static void superpage_change_all(struct mm_struct *mm, unsigned long addr, pte_t *ptep,
				 unsigned long clear, unsigned long set)
{
	unsigned long ps = pte_superpage_ps(*ptep);
	unsigned long size = 1UL << ps, next;
	unsigned long end, n;
	pte_t *pte;

	addr &= ~(size - 1);
	end = addr + size;
	for (; addr < end; addr = next) {
		pte = superpage_leaf(mm, addr, end, &next, NULL);
		if (WARN_ON_ONCE(!pte))
			continue;
		for (n = (next - addr) >> PAGE_SHIFT; n; n--, pte++) {
			VM_WARN_ON_ONCE(!pte_superpage(*pte) || pte_superpage_ps(*pte) != ps);
			WRITE_ONCE(*pte, __pte((pte_val(*pte) & ~clear) | set));
		}
	}
}

void __weak arch_superpage_changed(struct mm_struct *mm, unsigned long addr, unsigned int order)
{
}

/* Count a change of the number of superpages mapped. */
void superpage_add_mapped(struct mm_struct *mm, unsigned int order, long n)
{
	atomic_long_add(n, &mm->superpage.mapped);
	superpage_count(order, SUPERPAGE_NR_ANON, n);
}

/**
 * superpage_demote_pte() - make the replicas of a superpage base pages
 * @mm: whose PTE it is
 * @addr: the address that it maps
 * @ptep: a PTE with size bits, whose lock is held; nothing is done to a mark
 *
 * See superpage_pte_change().
 */
void superpage_demote_pte(struct mm_struct *mm, unsigned long addr, pte_t *ptep)
{
	unsigned int order;

	if (!pte_superpage(*ptep))
		return;
	order = pte_superpage_order(*ptep);
	superpage_change_all(mm, addr, ptep, pte_val(*ptep) & ~pte_val(pte_mkbase(*ptep)), 0);
	arch_superpage_changed(mm, addr, order);
	trace_superpage_demote(mm, addr, order);
	superpage_count(order, SUPERPAGE_DEMOTED, 1);
	superpage_add_mapped(mm, order, -1);
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

/**
 * superpage_set_access_flags() - ptep_set_access_flags() for a replica
 * @vma: the VMA of the superpage
 * @addr: address of the replica
 * @ptep: its PTE, a replica; its lock is held
 * @entry: what it is to be, as a base page's PTE or a replica's
 *
 * Sets accessed and dirty bits of all replicas: a dirty one makes the processor
 * write to all without a fault.  Changes anything else for this page alone.
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

	if (change & ~bits) {
		set_pte_at(vma->vm_mm, addr, ptep, entry);
	} else {
		superpage_change_all(vma->vm_mm, addr, ptep, 0, pte_val(entry) & bits);
		arch_superpage_changed(vma->vm_mm, addr, pte_superpage_order(*ptep));
	}
	flush_tlb_page(vma, addr);
}

/* Demote the superpage that begins before @addr and ends behind it. */
static void superpage_split_at(struct mm_struct *mm, unsigned long addr)
{
	unsigned long next;
	spinlock_t *ptl;
	pte_t *pte;
	pmd_t *pmd;

	pte = superpage_leaf(mm, addr, addr + PAGE_SIZE, &next, &pmd);
	if (!pte)
		return;
	ptl = pte_lockptr(mm, pmd);
	spin_lock(ptl);
	if (pte_superpage(*pte) && addr & ((PAGE_SIZE << pte_superpage_order(*pte)) - 1))
		superpage_demote_pte(mm, addr, pte);
	spin_unlock(ptl);
}

/**
 * superpage_vma_adjust() - before the bounds of a VMA move
 * @vma: the VMA
 * @start: its new start
 * @end: its new end
 * @adjust_next: by how much the start of the next VMA moves
 *
 * mmap_lock is held for writing.  See rule 2.
 */
void superpage_vma_adjust(struct vm_area_struct *vma, unsigned long start, unsigned long end,
			  long adjust_next)
{
	struct mm_struct *mm = vma->vm_mm;

	if (!superpage_mapped(mm))
		return;
	superpage_split_at(mm, start);
	superpage_split_at(mm, end);
	if (adjust_next > 0) {
		struct vm_area_struct *next = find_vma(mm, vma->vm_end);

		superpage_split_at(mm, next->vm_start + adjust_next);
	}
}

/* Orders of which a superpage can begin at @addr and end before @end. */
static unsigned long superpage_orders_at(unsigned long addr, unsigned long end)
{
	unsigned int aligned = addr ? __ffs(addr) : BITS_PER_LONG - 1;

	return GENMASK(min_t(unsigned int, aligned, __fls(end - addr)) - PAGE_SHIFT, 0);
}

/* --- Marks ----------------------------------------------------------------- */

/* Mark what has no page in [@start, @end), where there are leaf tables. */
static void superpage_mark_range(struct mm_struct *mm, unsigned long start, unsigned long end,
				 unsigned int order)
{
	unsigned long addr, next;
	spinlock_t *ptl;
	pte_t *pte;
	pmd_t *pmd;

	for (addr = start; addr < end; addr = next) {
		pte = superpage_leaf(mm, addr, end, &next, &pmd);
		if (!pte)
			continue;
		ptl = pte_lockptr(mm, pmd);
		spin_lock(ptl);
		for (; addr < next; addr += PAGE_SIZE, pte++) {
			if (pte_none(*pte))
				WRITE_ONCE(*pte, superpage_mark(order));
		}
		spin_unlock(ptl);
	}
}

/**
 * make_ptes_present() - mark the not-present PTEs of a range with page sizes
 * @vma: VMA that has the range
 * @start: first address
 * @end: address behind the last
 *
 * Uses the largest orders that fit between @start and @end (thesis 5.5.4).  Only
 * where there are leaf tables: elsewhere it is left to the page fault for which
 * the table is made, lest a large mapping cost more than what is touched of it.
 * mmap_lock is held.
 */
void make_ptes_present(struct vm_area_struct *vma, unsigned long start, unsigned long end)
{
	unsigned long orders = superpage_vma_orders(vma);
	unsigned long addr = start, fit;
	unsigned int order;

	while (orders && addr < end) {
		fit = orders & superpage_orders_at(addr, end);
		if (!fit) {
			/* The smallest superpage begins at a multiple of its size. */
			addr = ALIGN(addr + 1, PAGE_SIZE << __ffs(orders));
			continue;
		}
		order = __fls(fit);
		superpage_mark_range(vma->vm_mm, addr, addr + (PAGE_SIZE << order), order);
		superpage_count(order, SUPERPAGE_MARKED, 1);
		addr += PAGE_SIZE << order;
	}
}

/**
 * __superpage_mmap() - a mapping came into being or grew
 * @vma: its VMA
 * @start: first new address
 * @len: length of what is new, in bytes
 *
 * Marks it if that costs little.  What lies before may have been marked when the
 * VMA ended there, so as much of it is marked anew.  mmap_lock is held for
 * writing.
 */
void __superpage_mmap(struct vm_area_struct *vma, unsigned long start, unsigned long len)
{
	/* Without vm.superpage_eager, nobody looks at marks. */
	if (len > PMD_SIZE || !READ_ONCE(superpage_eager))
		return;
	make_ptes_present(vma, max(vma->vm_start, round_down(start, roundup_pow_of_two(len))),
			  start + len);
}

/**
 * down_pte_sp() - fall back to a smaller size
 * @vma: VMA that has the address
 * @addr: an address
 * @order: the order that was not to be had there
 * @orders: bitmap of the orders to choose from
 *
 * Marks the not-present PTEs of the superpage of @order around @addr with the
 * next smaller order (thesis 5.5.5), or with 0.
 */
void down_pte_sp(struct vm_area_struct *vma, unsigned long addr, unsigned int order,
		 unsigned long orders)
{
	unsigned long size = PAGE_SIZE << order;

	orders &= BIT(order) - 1;
	addr = round_down(addr, size);
	superpage_mark_range(vma->vm_mm, addr, addr + size, orders ? __fls(orders) : 0);
}

/*
 * From this length on an aligned mapping may leave a gap.  Two of them are not
 * merged, then, and a process can have 65,530 mappings: a tebibyte of these.
 */
#define SUPERPAGE_LONG	SZ_16M

/**
 * __superpage_align_mask() - where to place a mapping of private anonymous memory
 * @len: its length in bytes
 *
 * A shorter mapping is aligned to what its length is a multiple of, so that the next
 * one follows without a gap, and both can be one VMA.
 *
 * Return: the bits that its address is to have zero above those of a base page,
 * for the largest superpage that it can hold and vm.superpage_vm_align permits
 */
unsigned long __superpage_align_mask(unsigned long len)
{
	unsigned long align = READ_ONCE(superpage_vm_align);
	unsigned long fit;

	if (len < PAGE_SIZE || align < PAGE_SIZE)
		return 0;
	if (len < SUPERPAGE_LONG)
		align = min(align, 1UL << __ffs(PAGE_ALIGN(len)));
	fit = superpage_orders() & GENMASK(__fls(min(len, align)) - PAGE_SHIFT, 0);
	return fit ? (PAGE_SIZE << __fls(fit)) - PAGE_SIZE : 0;
}

/* --- Writing after fork() ----------------------------------------------------- */

/**
 * superpage_reuse() - a write to a superpage that is shared no longer
 * @vmf: a write fault on a write-protected anonymous page, PTE locked
 *
 * fork() write-protects all of a superpage.  When the other process is gone, a
 * write makes all of it writable again, if nobody has any page of it.  What
 * do_wp_page() asks of one page is asked of all.
 *
 * Return: false if nothing was done and do_wp_page() is to go on
 */
bool superpage_reuse(struct vm_fault *vmf)
{
	struct vm_area_struct *vma = vmf->vma;
	bool drained = false;
	unsigned long size;
	struct page *page;
	int i;

	if (!pte_superpage(vmf->orig_pte) || !(vmf->flags & FAULT_FLAG_WRITE) ||
	    !(vma->vm_flags & VM_WRITE))
		return false;

	size = PAGE_SIZE << pte_superpage_order(vmf->orig_pte);
	page = vmf->page - ((vmf->address & (size - 1)) >> PAGE_SHIFT);
	for (i = 0; i < size >> PAGE_SHIFT; i++, page++) {
		struct folio *folio = page_folio(page);

		if (!folio_test_anon(folio))
			return false;
		if (PageAnonExclusive(page))
			continue;
		if (folio_test_ksm(folio))
			return false;
		/* Pages on their way to or between LRU lists have a reference. */
		if (folio_ref_count(folio) > 1 + folio_test_swapcache(folio) && !drained) {
			lru_add_drain();
			drained = true;
		}
		if (folio_ref_count(folio) > 1 + folio_test_swapcache(folio) ||
		    !folio_trylock(folio))
			return false;
		if (folio_test_swapcache(folio))
			folio_free_swap(folio);
		if (folio_test_ksm(folio) || folio_ref_count(folio) != 1) {
			folio_unlock(folio);
			return false;
		}
		page_move_anon_rmap(page, vma);
		folio_unlock(folio);
	}
	superpage_change_all(vma->vm_mm, vmf->address, vmf->pte, 0,
			     pte_val(pte_mkyoung(pte_mkdirty(pte_mkwrite(__pte(0))))));
	arch_superpage_changed(vma->vm_mm, vmf->address, pte_superpage_order(vmf->orig_pte));
	flush_tlb_page(vma, vmf->address);
	count_vm_event(PGREUSE);
	return true;
}

/* --- Ranges ----------------------------------------------------------------- */

/* May all pages of the superpage of @pte be written to?  See can_change_pte_writable(). */
static bool superpage_exclusive(pte_t pte)
{
	unsigned int order = pte_superpage_order(pte);
	struct page *page = pfn_to_page(round_down(pte_pfn(pte), 1UL << order));
	int i;

	for (i = 0; i < 1 << order; i++)
		if (!PageAnon(page + i) || !PageAnonExclusive(page + i))
			return false;
	return true;
}

/**
 * superpage_change_prot() - mprotect() of a whole superpage
 * @vma: VMA that has it
 * @addr: address of the page at which the walk is
 * @end: where the walk of this leaf table ends
 * @pte: the page's PTE, a replica; its lock is held
 * @newprot: what it is to get
 * @cp_flags: MM_CP_ flags
 *
 * The VMA has been split where the range begins and ends, and that has demoted
 * the superpages there, so the superpage is in the range as a whole: when the
 * walk comes to its first page all of it is changed, and later leaf tables are
 * passed over.
 *
 * Return: by how many pages the walk can go on, 0 to do this one as a base page
 */
unsigned long superpage_change_prot(struct vm_area_struct *vma, unsigned long addr,
				    unsigned long end, pte_t *pte, pgprot_t newprot,
				    unsigned long cp_flags)
{
	unsigned long size, start, clear, set;
	pte_t old = *pte, new;

	/* Others than mprotect() change parts of a VMA. */
	if (cp_flags & ~(unsigned long)MM_CP_TRY_CHANGE_WRITABLE)
		return 0;

	size = PAGE_SIZE << pte_superpage_order(old);
	start = round_down(addr, size);
	if (addr == start) {
		new = pte_modify(old, newprot);
		if ((cp_flags & MM_CP_TRY_CHANGE_WRITABLE) && !pte_write(new) &&
		    pte_dirty(new) && superpage_exclusive(old))
			new = pte_mkwrite(new);
		clear = pte_val(old) & ~pte_val(new);
		set = pte_val(new) & ~pte_val(old);
		arch_superpage_exec(new);
		superpage_change_all(vma->vm_mm, addr, pte, clear, set);
	}
	return (min(end, start + size) - addr) >> PAGE_SHIFT;
}

/*
 * Set bits in the PTE of a base page that miss handlers may set bits in at the
 * same time, without a lock.  Returns what was there before.
 */
static unsigned long superpage_set_bits(pte_t *ptep, unsigned long set)
{
	unsigned long old, was = pte_val(READ_ONCE(*ptep));

	do {
		old = was;
		was = cmpxchg((unsigned long *)ptep, old, old | set);
	} while (was != old);
	return old;
}

/*
 * Make the base pages from @addr on one superpage of @order if their PTEs agree
 * and their frames are contiguous and aligned.  The lock is held.
 *
 * The Dirty handler sets the dirty bit of base pages that are writable and clean,
 * as they are after MADV_FREE, until they are replicas.  That must not be lost,
 * and makes the superpage dirty.  An accessed bit may be lost.
 */
static bool superpage_promote_block(struct vm_area_struct *vma, unsigned long addr,
				    unsigned int order)
{
	unsigned long a, next, end = addr + (PAGE_SIZE << order);
	struct mm_struct *mm = vma->vm_mm;
	unsigned long young = 0, dirty = 0, set, n;
	pte_t first, last;
	bool clean;
	pte_t *pte;

	pte = superpage_leaf(mm, addr, end, &next, NULL);
	if (!pte)
		return false;
	first = *pte;
	if (!pte_present(first) || pte_superpage_ps(first) ||
	    pte_pfn(first) & ((1UL << order) - 1))
		return false;

	last = __pte(pte_val(first) - PAGE_SIZE);
	for (a = addr; a < end; a = next) {
		pte = superpage_leaf(mm, a, end, &next, NULL);
		if (!pte)
			return false;
		for (n = (next - a) >> PAGE_SHIFT; n; n--, pte++) {
			if (!superpage_same(last, *pte))
				return false;
			last = *pte;
			young |= pte_val(last);
		}
	}
	set = pte_val(pte_mksuperpage(__pte(0), order));
	if (pte_young(__pte(young)))
		set |= pte_val(pte_mkyoung(__pte(0)));
	clean = pte_write(first) && !pte_dirty(first);
	for (a = addr; a < end; a = next) {
		pte = superpage_leaf(mm, a, end, &next, NULL);
		for (n = (next - a) >> PAGE_SHIFT; n; n--, pte++) {
			if (clean)
				dirty |= superpage_set_bits(pte, set);
			else
				WRITE_ONCE(*pte, __pte(pte_val(*pte) | set));
		}
	}
	/* Some have been written to since: the replicas have to agree. */
	if (pte_dirty(__pte(dirty)))
		superpage_change_all(mm, addr, superpage_leaf(mm, addr, end, &next, NULL), 0,
				     pte_val(pte_mkdirty(__pte(0))));
	trace_superpage_promote(mm, addr, order);
	superpage_count(order, SUPERPAGE_PROMOTED, 1);
	superpage_add_mapped(mm, order, 1);
	return true;
}

/**
 * superpage_promote() - make base pages superpages again
 * @vma: VMA that has them
 * @start: first address
 * @end: address behind the last
 *
 * For ranges whose pages were those of superpages before an operation that has
 * gone through them one by one.  mmap_lock is held: rule 2.  Page faults may come
 * in between, since the PTEs are compared again with their lock held.
 */
void superpage_promote(struct vm_area_struct *vma, unsigned long start, unsigned long end)
{
	unsigned long orders = superpage_vma_orders(vma);
	unsigned long addr, next, fit;
	spinlock_t *ptl;
	unsigned int order;
	pte_t *pte;
	pmd_t *pmd;

	if (!orders)
		return;
	for (addr = start; addr < end; addr = next) {
		pte = superpage_leaf(vma->vm_mm, addr, end, &next, &pmd);
		if (!pte)
			continue;
		ptl = pte_lockptr(vma->vm_mm, pmd);
		spin_lock(ptl);
		next = addr + PAGE_SIZE;
		if (pte_present(*pte) && pte_pfn(*pte)) {
			fit = orders & superpage_orders_at(addr, end) &
			      GENMASK(__ffs(pte_pfn(*pte)), 0);
			for (; fit; fit &= ~BIT(order)) {
				order = __fls(fit);
				if (superpage_promote_block(vma, addr, order)) {
					next = addr + (PAGE_SIZE << order);
					break;
				}
			}
		}
		spin_unlock(ptl);
		cond_resched();
	}
}

/**
 * superpage_promote_child() - after fork() has copied the PTEs of a VMA
 * @dst_vma: the child's VMA
 * @src_vma: the parent's; mmap_lock of both is held for writing
 *
 * What is a superpage of the parent becomes one of the child.
 */
void superpage_promote_child(struct vm_area_struct *dst_vma, struct vm_area_struct *src_vma)
{
	unsigned long addr, next, end = src_vma->vm_end;
	struct mm_struct *src_mm = src_vma->vm_mm;
	spinlock_t *ptl;
	unsigned int order;
	pte_t *pte;

	if (!superpage_mapped(src_mm) || !superpage_vma_orders(dst_vma))
		return;
	for (addr = src_vma->vm_start; addr < end; addr = next) {
		pte = superpage_leaf(src_mm, addr, end, &next, NULL);
		if (!pte)
			continue;
		for (; addr < next; addr += PAGE_SIZE, pte++) {
			pte_t src = READ_ONCE(*pte);

			if (!pte_superpage(src))
				continue;
			order = pte_superpage_order(src);
			/* An rmap walk may demote one half way through. */
			if (addr & ((PAGE_SIZE << order) - 1))
				continue;
			ptl = superpage_lockptr(dst_vma->vm_mm, addr);
			spin_lock(ptl);
			superpage_promote_block(dst_vma, addr, order);
			spin_unlock(ptl);
			next = addr + (PAGE_SIZE << order);
			break;
		}
	}
}
