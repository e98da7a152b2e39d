// SPDX-License-Identifier: GPL-2.0
/*
 * Which VHPT the processor's walker uses: the short format, which is the page
 * table itself, mapped linearly; the long format, a hash table of PTEs for each
 * processor; or none, with the walker off.  See Documentation/ia64/vhpt.rst.
 */

#define pr_fmt(fmt) "vhpt: " fmt

#include <linux/cpu.h>
#include <linux/gfp.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/mm_inline.h>
#include <linux/mmu_context.h>
#include <linux/percpu.h>
#include <linux/processor.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/sizes.h>
#include <linux/smp.h>
#include <linux/superpage.h>

#include <asm/intrinsics.h>
#include <asm/kregs.h>
#include <asm/pal.h>
#include <asm/tlb_check.h>
#include <asm/tlbflush.h>
#include <asm/vhpt.h>

#define VHPT_LINE	4		/* entries in a line of the L2 cache */
#define VHPT_AHEAD	(16 * VHPT_LINE)

/* The handlers of the short format keep a size in this register.  It may begin with any. */
#define VHPT_KR_SHORT	(PAGE_SHIFT << 2)

struct vhpt_table {
	struct vhpt_entry *entry;
	atomic_long_t purged;		/* entries invalidated one by one */
	atomic_long_t wiped;		/* how often all entries were invalidated */
	bool on;			/* the processor uses the table now */
};

static DEFINE_PER_CPU(struct vhpt_table, vhpt_table);

static const char * const vhpt_mode_name[] = { "short", "long", "none" };
static enum { VHPT_SHORT, VHPT_LONG, VHPT_NONE } vhpt_mode;
static unsigned long vhpt_size __ro_after_init;		/* of a table, in bytes */
static unsigned long vhpt_short_pta;
static int vhpt_prepare_state __initdata;
static bool vhpt_refused __ro_after_init;	/* the long format was chosen, and failed */

static bool vhpt_ready __ro_after_init;
static bool vhpt_scramble __initdata = true;

/* log2 of how much of a superpage is entered at a miss; 0: a base page */
static unsigned long vhpt_fill __ro_after_init;

bool ia64_vhpt_long __ro_after_init;
unsigned long ia64_vhpt_rid_factor __ro_after_init = 1;

/* --- the command line ---------------------------------------------------------- */

static int __init vhpt_mode_setup(char *arg)
{
	int mode = arg ? match_string(vhpt_mode_name, ARRAY_SIZE(vhpt_mode_name), arg) : -1;

	if (mode < 0)
		pr_err("vhpt=%s: not one of short, long and none; using short\n", arg ?: "");
	else
		vhpt_mode = mode;
	return 0;
}
early_param("vhpt", vhpt_mode_setup);

static char *vhpt_size_arg __initdata;

static int __init vhpt_size_setup(char *arg)
{
	vhpt_size_arg = arg ?: "";
	return 0;
}
early_param("vhpt_size", vhpt_size_setup);

/* log2 of the most that vhpt_fill=all enters at a miss: more would take a handler too long. */
#define VHPT_FILL_MAX	(PAGE_SHIFT + 6)	/* in 5 bits of IA64_KR(VHPT) */

static int __init vhpt_fill_setup(char *arg)
{
	if (arg && !strcmp(arg, "all"))
		vhpt_fill = VHPT_FILL_MAX;
	else if (!arg || strcmp(arg, "first"))
		pr_err("vhpt_fill=%s: not one of first and all; using first\n", arg ?: "");
	return 0;
}
early_param("vhpt_fill", vhpt_fill_setup);

static int __init vhpt_rid_setup(char *arg)
{
	if (arg && !strcmp(arg, "linear"))
		vhpt_scramble = false;
	else if (!arg || strcmp(arg, "scrambled"))
		pr_err("vhpt_rid=%s: not one of scrambled and linear; using scrambled\n",
		       arg ?: "");
	return 0;
}
early_param("vhpt_rid", vhpt_rid_setup);

/*
 * Return the size of a table: a page size, since one translation register maps it.  By
 * default the tables of all processors together take a 64th of memory, but each has at
 * least 1 MiB, and at most 4 MiB, because sometimes vhpt_wipe() has to empty all of it.
 */
static unsigned long __init vhpt_choose_size(void)
{
	unsigned long memory = (totalram_pages() << PAGE_SHIFT) / num_possible_cpus();
	unsigned long most = max(min3(PAGE_SIZE << (MAX_ORDER - 1), SZ_256M + 0UL, memory / 8),
				 SZ_64K + 0UL);
	unsigned long size = clamp(memory / 64, SZ_1M + 0UL, SZ_4M + 0UL);
	unsigned long chosen;
	u64 sizes = 0;
	char *end = "";

	if (ia64_pal_vm_page_size(&sizes, NULL))
		sizes = IA64_ARCHITECTED_PAGE_SIZES;
	sizes &= GENMASK(ilog2(most), ilog2(SZ_64K));

	if (vhpt_size_arg) {
		chosen = memparse(vhpt_size_arg, &end);
		if (end == vhpt_size_arg)
			end = "no number";
		if (!*end)
			size = chosen;
	}
	chosen = BIT(__fls(sizes & GENMASK(ilog2(max(size, SZ_64K + 0UL)), 0)));
	if (vhpt_size_arg && (*end || chosen != size))
		pr_err("vhpt_size=%s: should be a page size of the processor from 64K to %luK; using %luK\n",
		       vhpt_size_arg, BIT(__fls(sizes)) >> 10, chosen >> 10);
	return chosen;
}

/* --- processors ------------------------------------------------------------------ */

static unsigned long vhpt_entries(void)
{
	return vhpt_size / sizeof(struct vhpt_entry);
}

/*
 * Invalidate all entries of a table.  Any processor may do this to any table, at any time:
 * only tags change, and at worst an entry that a handler is writing is lost.
 */
static void vhpt_wipe(struct vhpt_table *t)
{
	unsigned long i;

	for (i = 0; i < vhpt_entries(); i++) {
		/* Few entries are in a cache, so have several lines fetched at the same time. */
		if (!(i % VHPT_LINE))
			prefetchw(&t->entry[i] + VHPT_AHEAD);
		WRITE_ONCE(t->entry[i].tag, VHPT_INVALID);
	}
	atomic_long_inc(&t->wiped);
}

static void vhpt_insert_tr(struct vhpt_table *t)
{
	unsigned long pte = pte_val(pfn_pte(__pa(t->entry) >> PAGE_SHIFT, PAGE_KERNEL));
	unsigned long psr = ia64_clear_ic();

	/* After a machine check the old translation may still be there.  None may overlap. */
	ia64_ptr(0x2, VHPT_BASE, ilog2(vhpt_size));
	ia64_srlz_i();
	ia64_itr(0x2, IA64_TR_VHPT, VHPT_BASE, pte, ilog2(vhpt_size));
	ia64_srlz_i();
	ia64_set_psr(psr);
	ia64_srlz_i();
}

/*
 * Switch to another format.  The handlers of one must not meet the tables of the other.
 * So interrupts are off, and between the first write and the last nothing is touched but
 * region 7 and what translation registers map: neither of them needs the VHPT.
 */
static void vhpt_switch(char *ivt, unsigned long pta, unsigned long kr)
{
	ia64_set_pta(pta);
	ia64_set_iva(ivt);
	ia64_set_kr(IA64_KR_VHPT, kr);
}

/**
 * ia64_vhpt_cpu_init() - have this processor use the VHPT that was chosen
 *
 * A processor that comes up calls this with interrupts off.  The boot processor calls it
 * before there is memory for a table, and uses the short format until vhpt_init().
 */
void ia64_vhpt_cpu_init(void)
{
	struct vhpt_table *t = this_cpu_ptr(&vhpt_table);
	unsigned long flags;

	vhpt_short_pta = ia64_getreg(_IA64_REG_CR_PTA);
	if (!vhpt_ready)
		return;
	local_irq_save(flags);
	if (vhpt_mode == VHPT_LONG) {
		vhpt_wipe(t);
		vhpt_insert_tr(t);
		vhpt_switch(ia64_ivt_long, VHPT_BASE | ilog2(vhpt_size) << 2 | VHPT_PTA_VF |
			    VHPT_PTA_VE, (__pa(t->entry) - VHPT_BASE) | vhpt_fill);
		t->on = true;
	} else if (vhpt_mode == VHPT_NONE) {
		vhpt_switch(ia64_ivt_none, vhpt_short_pta & ~VHPT_PTA_VE, VHPT_KR_SHORT);
	}
	local_flush_tlb_all();
	local_irq_restore(flags);
}

/**
 * ia64_vhpt_cpu_exit() - back to the short format
 *
 * Called with interrupts off: before this processor goes offline or executes another
 * kernel, and on all processors by ia64_vhpt_fall_back().
 */
void ia64_vhpt_cpu_exit(void)
{
	struct vhpt_table *t = this_cpu_ptr(&vhpt_table);

	if (!vhpt_ready || vhpt_mode == VHPT_SHORT)
		return;
	t->on = false;
	vhpt_switch(ia64_ivt, vhpt_short_pta, VHPT_KR_SHORT);
	if (vhpt_mode == VHPT_LONG) {
		ia64_ptr(0x2, VHPT_BASE, ilog2(vhpt_size));
		ia64_srlz_i();
	}
	local_flush_tlb_all();
}

/**
 * ia64_vhpt_mca_reload() - map the hash table again after a machine check
 *
 * A machine check may have purged the TLB.  Then the walker cannot read the table, and all
 * misses go to the handlers, which use physical addresses.
 */
void ia64_vhpt_mca_reload(void)
{
	struct vhpt_table *t = this_cpu_ptr(&vhpt_table);

	if (t->on)
		vhpt_insert_tr(t);
}

/* cpu_to_node() does not know the node of a processor that has never been up. */
static int vhpt_node(unsigned int cpu)
{
#ifdef CONFIG_NUMA
	return cpu_to_node_map[cpu];
#else
	return numa_node_id();
#endif
}

/* Allocate the table of @cpu, in its node.  The processor that starts @cpu calls this. */
static int vhpt_prepare(unsigned int cpu)
{
	struct vhpt_table *t = per_cpu_ptr(&vhpt_table, cpu);
	struct page *page;

	if (t->entry)		/* @cpu has been up before */
		return 0;
	page = alloc_pages_node(vhpt_node(cpu), GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN,
				get_order(vhpt_size));
	if (!page) {
		pr_err("cannot allocate %lu KiB for the hash table of processor %u; %s\n",
		       vhpt_size >> 10, cpu,
		       vhpt_ready ? "the processor is not started" : "using the short format");
		return -ENOMEM;
	}
	t->entry = page_address(page);
	return 0;
}

#ifdef CONFIG_SUPERPAGE
/* The walker of the short format serves base pages only. */
unsigned long arch_superpage_auto_min(void)
{
	return vhpt_mode == VHPT_SHORT ? SZ_256K : 0;
}
#endif

static int __init vhpt_init(void)
{
	int bits;

	if (vhpt_mode == VHPT_LONG) {
		vhpt_size = vhpt_choose_size();
		if (vhpt_prepare(0)) {
			vhpt_mode = VHPT_SHORT;
			vhpt_refused = true;
		} else {
			vhpt_prepare_state =
				cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "ia64/vhpt:prepare",
							  vhpt_prepare, NULL);
			/* Successive context numbers are far apart in the table. */
			bits = ilog2(vhpt_entries()) - 3;
			if (vhpt_scramble)
				ia64_vhpt_rid_factor = (BIT(bits) * 618 / 1000 & ~7UL) | 1;
			ia64_vhpt_long = true;
		}
	}
	vhpt_ready = true;
	ia64_vhpt_cpu_init();
	if (vhpt_mode == VHPT_LONG)
		pr_info("long format, %lu KiB for each processor\n", vhpt_size >> 10);
	else
		pr_info("%s\n", vhpt_mode == VHPT_NONE ? "none, the walker is off" :
			"short format");
	return 0;
}
early_initcall(vhpt_init);

static void __init vhpt_cpu_exit_ipi(void *unused)
{
	ia64_vhpt_cpu_exit();
}

/**
 * ia64_vhpt_fall_back() - have all processors return from the long format to the short
 *
 * For a machine that does not do what the long format relies on.  The region IDs of
 * programs change, so no program may have run yet.  The tables are not freed, because
 * vfree() on another processor may be emptying one.
 */
void __init ia64_vhpt_fall_back(void)
{
	on_each_cpu(vhpt_cpu_exit_ipi, NULL, 1);
	cpuhp_remove_state_nocalls(vhpt_prepare_state);
	vhpt_mode = VHPT_SHORT;
	vhpt_refused = true;
	ia64_vhpt_long = false;
	ia64_vhpt_rid_factor = 1;
	pr_info("short format\n");
}

/* --- coherence ------------------------------------------------------------------- */

static unsigned long vhpt_ttag(unsigned long addr)
{
	unsigned long tag;

	asm volatile ("ttag %0=%1" : "=r" (tag) : "r" (addr));
	return tag;
}

/* Where a table has the entry of a page, and its tag: the same in all tables. */
struct vhpt_slot {
	unsigned long offset, tag;
};

#define VHPT_SLOTS		16
/* So many entries are looked at with interrupts off: a few microseconds at most. */
#define VHPT_SLOTS_ALONE	64

/*
 * Compute the slots of up to VHPT_SLOTS pages from @start on.  The region registers must be
 * those of the address space.  Returns the number of pages.
 */
static unsigned int vhpt_find(struct vhpt_slot *slot, unsigned long start, unsigned long end,
			      unsigned int ps)
{
	unsigned int n;

	for (n = 0; n < VHPT_SLOTS && start < end; n++, start += 1UL << ps) {
		slot[n].offset = ia64_thash(start) & (vhpt_size - 1);
		slot[n].tag = vhpt_ttag(start);
	}
	return n;
}

static void vhpt_invalidate(struct vhpt_table *t, const struct vhpt_slot *slot, unsigned int n)
{
	unsigned long purged = 0;
	struct vhpt_entry *e;

	for (; n; n--, slot++) {
		e = (void *)t->entry + slot->offset;
		if (READ_ONCE(e->tag) != slot->tag)
			continue;
		/* If the entry is another page's by now, that page is missed once more. */
		WRITE_ONCE(e->tag, VHPT_INVALID);
		purged++;
	}
	if (purged)
		atomic_long_add(purged, &t->purged);
}

/*
 * vhpt_find() and vhpt_invalidate() in one, for the first VHPT_SLOTS_ALONE pages and one table.
 * This takes two thirds of the time.
 */
static unsigned int vhpt_invalidate_alone(struct vhpt_table *t, unsigned long start,
					  unsigned long end, unsigned int ps)
{
	unsigned long mask = vhpt_size - 1, purged = 0;
	struct vhpt_entry *e;
	unsigned int n;

	for (n = 0; n < VHPT_SLOTS_ALONE && start < end; n++, start += 1UL << ps) {
		e = (void *)t->entry + (ia64_thash(start) & mask);
		if (READ_ONCE(e->tag) != vhpt_ttag(start))
			continue;
		/* As in vhpt_invalidate() */
		WRITE_ONCE(e->tag, VHPT_INVALID);
		purged++;
	}
	if (purged)
		atomic_long_add(purged, &t->purged);
	return n;
}

/* Return log2 of the page size of a region, which is the same in every address space. */
static unsigned int vhpt_region_ps(unsigned long addr)
{
	return ia64_get_rr(addr) >> 2 & 0x3f;
}

/**
 * __ia64_vhpt_purge() - invalidate what hash tables have of a range
 * @mm: whose addresses they are
 * @start: first address
 * @end: address after the range, in the same region
 *
 * Invalidates the entries in the tables of all processors that have used @mm.  The caller
 * has changed the page tables before this, and purges the TLBs after it.  The time that this
 * takes grows with the number of pages, up to the number of entries in a table.
 */
void __ia64_vhpt_purge(struct mm_struct *mm, unsigned long start, unsigned long end)
{
	unsigned int ps = vhpt_region_ps(start), cpu, n;
	struct vhpt_slot slot[VHPT_SLOTS];
	struct vhpt_table *alone = NULL;
	struct mm_struct *active_mm;
	unsigned long flags;

	/* In exit_mmap(): nobody will use the context number any more. */
	if (!atomic_read(&mm->mm_users))
		return;
	preempt_disable();
	active_mm = current->active_mm;
	/*
	 * A handler writes an entry, and then reads the PTE again.  We have written
	 * the PTE, and read the entry after this barrier: at least one of us sees
	 * what the other has done.  The same holds for the context number and for
	 * mm_cpumask(): a processor that gets the number, or its bit, after we have
	 * looked sees the new PTE.  So it does no harm if the number changes while
	 * we go through the range.
	 */
	smp_mb();
	start = round_down(start, 1UL << ps);
	if ((end - start) >> ps > vhpt_entries()) {
		for_each_cpu(cpu, mm_cpumask(mm))
			vhpt_wipe(per_cpu_ptr(&vhpt_table, cpu));
		start = end;
	}
	/* Mostly there is one table.  A processor that comes now sees the new PTEs: see above. */
	cpu = cpumask_first(mm_cpumask(mm));
	if (cpu >= nr_cpu_ids)
		start = end;
	else if (cpumask_next(cpu, mm_cpumask(mm)) >= nr_cpu_ids)
		alone = per_cpu_ptr(&vhpt_table, cpu);
	for (; start < end; start += (unsigned long)n << ps) {
		/*
		 * thash and ttag take the region ID from the region register, and
		 * an interrupt may change that: see ia64_global_tlb_purge().  Nor
		 * must an interrupt find the region registers of one address space
		 * and the page table of another: if it touched user memory, a miss
		 * handler would enter that under the wrong region ID.
		 */
		local_irq_save(flags);
		if (mm != current->mm)
			activate_context(mm);
		n = alone ? vhpt_invalidate_alone(alone, start, end, ps) :
			    vhpt_find(slot, start, end, ps);
		if (mm != active_mm)
			activate_context(active_mm);
		local_irq_restore(flags);
		if (alone)
			continue;
		for_each_cpu(cpu, mm_cpumask(mm))
			vhpt_invalidate(per_cpu_ptr(&vhpt_table, cpu), slot, n);
	}
	/* After the caller's purge no walker may find an old entry. */
	smp_mb();
	preempt_enable();
}

/**
 * __ia64_vhpt_renewal_pays() - is a new context number cheaper than ia64_vhpt_purge()?
 * @mm: whose addresses they are
 * @start: first address
 * @end: address after the range
 *
 * A purge looks at a slot for each base page of the range.  With a new context number the
 * old entries no longer match, but the mm misses once more for each page outside the range
 * that it uses again.  A miss takes as long as the purge of some six pages.  This function
 * does not know how many resident pages are outside the range.  It assumes that all of the
 * range is resident, and that the mm uses only a part of the other pages again.  So a new
 * number pays if there are at most a quarter as many other pages as the range has.
 *
 * Return: true if the caller should call flush_tlb_mm() instead.  False if others may be
 * using @mm: flush_tlb_mm() would have to keep the number then, and wipe the tables.  Others
 * may begin to use it after this has returned true; flush_tlb_mm() checks for that itself.
 */
bool __ia64_vhpt_renewal_pays(struct mm_struct *mm, unsigned long start, unsigned long end)
{
	unsigned long nr = (end - start) >> PAGE_SHIFT;

	return mm == current->mm && atomic_read(&mm->mm_users) == 1 &&
	       get_mm_rss(mm) <= nr + nr / 4;
}

/**
 * ia64_vhpt_flush_mm() - invalidate what hash tables have of an address space
 * @mm: which one
 *
 * Like ia64_vhpt_purge(), for all of @mm.  It may take some milliseconds, with interrupts
 * on.
 *
 * Only fork() flushes a whole mm without inc_tlb_flush_pending().  It holds mmap_lock, so
 * this function can look at the VMAs.  The other callers may not hold it: an mmu_gather, for
 * example, flushes everything when it finds another one at work on the same mm, and both may
 * be unmapping pages of a file that is being truncated.
 */
void ia64_vhpt_flush_mm(struct mm_struct *mm)
{
	struct vm_area_struct *vma;
	int cpu;

	if (!ia64_vhpt_long)
		return;
	if (!mm_tlb_flush_pending(mm) && mm->total_vm < vhpt_entries() / 8) {
		VMA_ITERATOR(vmi, mm, 0);

		mmap_assert_locked(mm);
		for_each_vma(vmi, vma)
			ia64_vhpt_purge(mm, vma->vm_start, vma->vm_end);
		return;
	}
	/* As in __ia64_vhpt_purge(): the caller has changed the PTEs before this. */
	smp_mb();
	for_each_cpu(cpu, mm_cpumask(mm))
		vhpt_wipe(per_cpu_ptr(&vhpt_table, cpu));
	/* The TLBs are purged after this. */
	smp_mb();
}

/* Wipe every table there is. */
static void vhpt_wipe_all(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (per_cpu(vhpt_table, cpu).entry)
			vhpt_wipe(per_cpu_ptr(&vhpt_table, cpu));
}

/**
 * ia64_vhpt_flush_all() - invalidate all hash tables
 *
 * Called before the TLBs of all processors are purged.
 */
void ia64_vhpt_flush_all(void)
{
	if (!ia64_vhpt_long)
		return;
	/* As in __ia64_vhpt_purge(): the caller has changed the PTEs before this. */
	smp_mb();
	vhpt_wipe_all();
	/* The TLBs are purged after this. */
	smp_mb();
}

/**
 * ia64_vhpt_flush_kernel() - flush_tlb_kernel_range()
 * @start: first address
 * @end: address after the range
 *
 * Invalidates the entries of the range in all tables, and purges the TLBs of all processors.
 * For a long range it empties the tables instead.
 */
void ia64_vhpt_flush_kernel(unsigned long start, unsigned long end)
{
	unsigned int ps = vhpt_region_ps(start), cpu, n;
	struct vhpt_slot slot[VHPT_SLOTS];

	if (!ia64_vhpt_long || REGION_NUMBER(start) != REGION_NUMBER(end - 1) ||
	    (end - start) >> ps > vhpt_entries() / 8) {
		flush_tlb_all();
		return;
	}
	/* As in __ia64_vhpt_purge(): the caller has changed the PTEs before this. */
	smp_mb();
	for (; start < end; start += (unsigned long)n << ps) {
		n = vhpt_find(slot, start, end, ps);	/* the kernel has one region ID */
		for_each_possible_cpu(cpu)
			if (per_cpu(vhpt_table, cpu).entry)
				vhpt_invalidate(per_cpu_ptr(&vhpt_table, cpu), slot, n);
	}
	/* The TLBs are purged after this. */
	smp_mb();
	on_each_cpu((smp_call_func_t)local_purge_tlb_all, NULL, 1);
}

#ifdef CONFIG_SUPERPAGE
void arch_superpage_changed(struct mm_struct *mm, unsigned long addr, unsigned int order)
{
	addr = round_down(addr, PAGE_SIZE << order);
	ia64_vhpt_purge(mm, addr, addr + (PAGE_SIZE << order));
}
#endif

/* Empty this processor's hash table, and then its TLB. */
void local_flush_tlb_all(void)
{
	struct vhpt_table *t = this_cpu_ptr(&vhpt_table);

	if (t->on)
		vhpt_wipe(t);
	/* As in __ia64_vhpt_purge(): the TLB is purged after this. */
	smp_mb();
	local_purge_tlb_all();
}

/* --- which pages miss ------------------------------------------------------------ */

#ifdef CONFIG_SUPERPAGE
/* How many entries and tables to sample at a time.  Misses are spread over all of them. */
#define VHPT_SAMPLE	4096UL
#define VHPT_SAMPLE_CPUS	4

/* What the fill counters of some entries were at the last sample. */
struct vhpt_sample {
	unsigned long first;
	u32 filled[VHPT_SAMPLE];
};

static DEFINE_PER_CPU(struct vhpt_sample *, vhpt_sample);

/* @n misses have filled this entry.  Count all of them for the page that has the entry now. */
static void vhpt_note_misses(const struct vhpt_entry *entry, unsigned long n)
{
	u64 pte = READ_ONCE(entry->pte);
	unsigned long pfn = (pte & _PFN_MASK) >> PAGE_SHIFT;
	struct page *page = pte & _PAGE_P ? pfn_to_online_page(pfn) : NULL;

	/* The frame may have another user by now, for whom a wrong hint does no harm. */
	if (page && get_page_unless_zero(page)) {
		superpage_note_page_miss(page, n);
		put_page(page);
	}
}

/*
 * Report the misses in some entries of a table since the last sample, and take the next
 * sample.  The handlers count only misses that the walker has not found in the table: of
 * pages that have no room there, or that a program uses for the first time.
 */
static void vhpt_sample_cpu(int cpu)
{
	struct vhpt_sample **sp = per_cpu_ptr(&vhpt_sample, cpu), *s = *sp;
	const struct vhpt_entry *entry = per_cpu_ptr(&vhpt_table, cpu)->entry;
	unsigned long nr = min(vhpt_entries(), VHPT_SAMPLE), i;
	u32 filled;

	if (!entry)
		return;
	for (i = 0; s && i < nr; i++) {
		filled = lower_32_bits(READ_ONCE(entry[s->first + i].filled));
		if (filled != s->filled[i])
			vhpt_note_misses(&entry[s->first + i], filled - s->filled[i]);
		if (!(i % 256))
			cond_resched();
	}
	if (!s)
		*sp = s = kvzalloc(sizeof(*s), GFP_KERNEL);
	else
		s->first = (s->first + nr) % vhpt_entries();
	for (i = 0; s && i < nr; i++)
		s->filled[i] = lower_32_bits(READ_ONCE(entry[s->first + i].filled));
}

void arch_superpage_note_misses(void)
{
	static int cpu = -1;
	unsigned int i;

	if (vhpt_mode != VHPT_LONG)
		return;
	for (i = 0; i < min_t(unsigned int, num_online_cpus(), VHPT_SAMPLE_CPUS); i++) {
		cpu = cpumask_next(cpu, cpu_online_mask);
		if (cpu >= nr_cpu_ids)
			cpu = cpumask_first(cpu_online_mask);
		vhpt_sample_cpu(cpu);
	}
}
#endif

/* --- /proc/vhpt ------------------------------------------------------------------ */

static int __maybe_unused vhpt_show(struct seq_file *m, void *v)
{
	unsigned long filled, replaced, n, i;
	struct vhpt_table *t;
	int cpu;

	seq_printf(m, "mode:         %8s\n", vhpt_mode_name[vhpt_mode]);
	if (vhpt_refused)
		seq_printf(m, "refused:      %8s\n", vhpt_mode_name[VHPT_LONG]);
	if (vhpt_mode != VHPT_LONG)
		return 0;
	seq_printf(m, "size:         %8lu kB\n", vhpt_size >> 10);
	seq_printf(m, "fill:         %8s\n", vhpt_fill ? "all" : "first");
	seq_printf(m, "rid:          %8s\n",
		   ia64_vhpt_rid_factor == 1 ? "linear" : "scrambled");
	seq_puts(m, "cpu       filled     replaced       purged        wiped        valid\n");
	for_each_possible_cpu(cpu) {
		t = per_cpu_ptr(&vhpt_table, cpu);
		if (!t->entry)
			continue;
		filled = 0;
		replaced = 0;
		n = 0;
		for (i = 0; i < vhpt_entries(); i++) {
			u64 word = READ_ONCE(t->entry[i].filled);

			filled += lower_32_bits(word);
			replaced += upper_32_bits(word);
			n += !(READ_ONCE(t->entry[i].tag) >> 63);
			if (i % 4096 == 0)
				cond_resched();
		}
		seq_printf(m, "%3d %12lu %12lu %12lu %12lu %12lu\n", cpu, filled, replaced,
			   atomic_long_read(&t->purged), atomic_long_read(&t->wiped), n);
	}
	return 0;
}

static int __init vhpt_proc_init(void)
{
	proc_create_single("vhpt", 0444, NULL, vhpt_show);
	return 0;
}
fs_initcall(vhpt_proc_init);
