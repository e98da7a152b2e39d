// SPDX-License-Identifier: GPL-2.0
/*
 * Checks that each processor does what superpages and the long-format VHPT rely on.
 *
 * All of it is in the architecture's manual, but little else uses it.  So an emulator or a
 * processor that does otherwise can go unnoticed until a program reads another's memory.
 * The checks run before the first program does, and on every processor that comes up later.
 *
 * They map pages of the kernel once more, for reading, at addresses and with a region ID
 * that nobody else uses.  Interrupts are off meanwhile, because the region register is not
 * that of the address space.  A speculative load tells whether an address is mapped: with
 * psr.ic clear, the processor always defers its faults (SDM 2:5.5.5).
 */

#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/gfp.h>
#include <linux/hash.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/mmu_context.h>
#include <linux/processor.h>
#include <linux/sizes.h>
#include <linux/smp.h>
#include <linux/superpage.h>
#include <linux/uaccess.h>

#include <asm/intrinsics.h>
#include <asm/sections.h>
#include <asm/superpage.h>
#include <asm/tlb_check.h>
#include <asm/vhpt.h>

/*
 * The region is one of programs, for which the walker is on.  The ID is one of region 7
 * with context number 1: programs have no IDs of region 7, and the kernel none of context 1.
 */
#define CHECK_BASE	(RGN_BASE(1) + SZ_1G)
#define CHECK_RID	ia64_rid(1UL, RGN_BASE(RGN_KERNEL))

/*
 * A processor may drop a translation at any time, and need not look into the VHPT.  So it
 * passes if it does what is expected in one of this many tries.
 */
#define CHECK_TRIES	8

/* The text that says what was expected of a processor, and what it did. */
static char check_found[160];

/* Once this is true, processors that fail are refused. */
static bool check_refuses;

static void check_set_rr(unsigned long rid, bool walker)
{
	ia64_set_rr(CHECK_BASE, rid << 8 | PAGE_SHIFT << 2 | walker);
	ia64_srlz_d();
}

static void check_purge(unsigned long addr, unsigned int ps)
{
	ia64_ptcl(addr, ps << 2);
	ia64_srlz_i();
}

/* Read @addr with a plain load, which the walker or the miss handlers may serve. */
static bool check_readable(unsigned long addr)
{
	unsigned long word;

	return !get_kernel_nofault(word, (unsigned long *)addr);
}

/* Run @check with interrupts off, and with a region register that it may change. */
static bool check_borrow_rr(bool (*check)(void))
{
	unsigned long flags, rr;
	bool ok;

	local_irq_save(flags);
	rr = ia64_get_rr(CHECK_BASE);
	ok = check();
	ia64_set_rr(CHECK_BASE, rr);
	ia64_srlz_d();
	local_irq_restore(flags);
	return ok;
}

/*
 * Run @check on this processor, and report what is wrong with it.  While the kernel boots
 * it can still do without superpages, or without the long format.  The message says which,
 * @without, and check_init() switches that off when all processors have been checked.  Later
 * the page tables of programs are full of superpages, so the kernel refuses the processor
 * instead.  The check runs before the scheduler gives the processor anything to do.
 */
static int check_run(unsigned int cpu, const char *what, bool (*check)(void),
		     const char *without)
{
	if (check_borrow_rr(check))
		return 0;
	pr_err("%s: processor %u: expected %s; %s\n", what, cpu, check_found,
	       check_refuses ? "the processor is not used" : without);
	return -EIO;
}

/* Report why the checks could not be set up; -EIO is a failure that check_run() has reported. */
static void __init check_setup_err(const char *what, int err, const char *without)
{
	if (err < 0 && err != -EIO)
		pr_err("%s: cannot check the processors (error %d); %s not used\n", what, err,
		       without);
}

#define check_err(format, ...)								\
	scnprintf(check_found, sizeof(check_found), format, ##__VA_ARGS__)

/* --- the long format ------------------------------------------------------------- */

#ifdef CONFIG_IA64_VHPT_MODES
#define CHECK_HASHES	64

/* The results of thash and ttag on the first processor. */
static struct {
	unsigned long hash, tag;
} check_first[CHECK_HASHES];

static bool check_have_first;

/*
 * Do thash and ttag give the same results as on the first processor?  A processor that purges
 * a page looks for its entry in the tables of the others where its own thash says, and the
 * tables are at the same virtual address on all processors.
 */
static bool check_hashes(void)
{
	unsigned long x, rid, addr, hash, tag;
	unsigned int i;

	for (i = 0; i < CHECK_HASHES; i++) {
		x = (i + 1) * GOLDEN_RATIO_64;
		rid = (x >> 40) & (((unsigned long)ia64_ctx.max_ctx << 3) | 7);
		addr = RGN_BASE(1) + (x & GENMASK(39, PAGE_SHIFT));
		check_set_rr(rid, true);
		hash = ia64_thash(addr);
		tag = ia64_ttag(addr);
		if (!check_have_first) {
			check_first[i].hash = hash;
			check_first[i].tag = tag;
		} else if (hash != check_first[i].hash) {
			check_err("thash of %#lx with region ID %#lx to be %#lx, as elsewhere, but it is %#lx",
				  addr, rid, check_first[i].hash, hash);
			return false;
		} else if (tag != check_first[i].tag) {
			check_err("ttag of %#lx with region ID %#lx to be %#lx, as elsewhere, but it is %#lx",
				  addr, rid, check_first[i].tag, tag);
			return false;
		}
	}
	check_have_first = true;
	return true;
}

/*
 * Does the walker find an entry for CHECK_BASE with @tag?  The page tables have nothing
 * there, so if it does not, the miss ends in a page fault.
 */
static bool check_finds(struct vhpt_entry *entry, unsigned long tag)
{
	unsigned long pfn = ia64_tpa(KERNEL_START) >> PAGE_SHIFT;
	bool finds = false;
	unsigned int i;

	for (i = 0; i < CHECK_TRIES && !finds; i++) {
		WRITE_ONCE(entry->tag, VHPT_INVALID);
		mb();	/* The walker must not match what is half written. */
		WRITE_ONCE(entry->pte, pte_val(pfn_pte(pfn, PAGE_KERNEL)));
		WRITE_ONCE(entry->itir, PAGE_SHIFT << 2);
		mb();	/* It is all there before the tag matches, */
		WRITE_ONCE(entry->tag, tag);
		mb();	/* and the tag before the walker looks. */
		check_purge(CHECK_BASE, PAGE_SHIFT);
		finds = check_readable(CHECK_BASE);
	}
	WRITE_ONCE(entry->tag, VHPT_INVALID);
	mb();	/* No walker finds it after the purge. */
	check_purge(CHECK_BASE, PAGE_SHIFT);
	return finds;
}

static bool check_long_here(void)
{
	struct vhpt_entry *entry;
	unsigned long tag;

	if (!check_hashes())
		return false;
	check_set_rr(CHECK_RID, true);
	/* This overwrites an entry of another page, which is then missed once more. */
	entry = (struct vhpt_entry *)ia64_thash(CHECK_BASE);
	tag = ia64_ttag(CHECK_BASE);
	if (!check_finds(entry, tag)) {
		check_err("the VHPT walker to find an entry where thash and ttag say, but it does not");
		return false;
	}
	if (check_finds(entry, tag | VHPT_TAG_TI)) {
		check_err("the VHPT walker to leave an entry with an invalid tag (ti), but it inserts it");
		return false;
	}
	return true;
}

static int check_long(unsigned int cpu)
{
	return check_run(cpu, "vhpt", check_long_here, "the long format is not used");
}
#endif

/* --- superpages ------------------------------------------------------------------ */

#ifdef CONFIG_SUPERPAGE
/* Sizes to check: those of superpages, up to that of the translation that maps the kernel. */
static unsigned long check_sizes;

/* A page of the page table of CHECK_BASE, as the walker of the short format sees it. */
static unsigned long *check_table;

static void check_insert(unsigned long addr, unsigned long pa, unsigned int ps)
{
	unsigned long pte = pte_val(pfn_pte(pa >> PAGE_SHIFT, PAGE_KERNEL));
	unsigned long psr = ia64_clear_ic();

	ia64_itc(0x2, addr, pte, ps);
	ia64_srlz_i();
	ia64_set_psr(psr);
	ia64_srlz_i();
}

/* Does the TLB map @addr?  The walker must be off for the region. */
static bool check_mapped(unsigned long addr)
{
	unsigned long psr = ia64_clear_ic(), mapped;

	asm volatile ("ld8.s %0=[%1];;\n\t"
		      "tnat.z p6,p7=%0;;\n\t"
		      "(p6) mov %0=1\n\t"
		      "(p7) mov %0=0" : "=&r" (mapped) : "r" (addr) : "p6", "p7", "memory");
	ia64_set_psr(psr);
	ia64_srlz_i();
	return mapped;
}

/* Return the address of the last page of the kernel's image in a translation of this size. */
static unsigned long check_last(unsigned int ps)
{
	unsigned long size = ((unsigned long)_end - KERNEL_START) & PAGE_MASK;

	return CHECK_BASE + min(BIT(ps), size) - PAGE_SIZE;
}

/* Does itc take the size from cr.itir?  If so, leaves the translation in the TLB. */
static bool check_insert_size(unsigned int ps)
{
	unsigned int i;

	for (i = 0; i < CHECK_TRIES; i++) {
		check_insert(CHECK_BASE, ia64_tpa(KERNEL_START), ps);
		if (check_mapped(CHECK_BASE + BIT(ps)))
			break;
		if (check_mapped(CHECK_BASE) && check_mapped(CHECK_BASE + PAGE_SIZE) &&
		    check_mapped(check_last(ps)))
			return true;
	}
	check_err("itc to insert a translation of %lu KiB, as cr.itir says, but it has another size",
		  BIT(ps) >> 10);
	return false;
}

/* Has the purge of one page by @name removed the translation of a superpage? */
static bool check_gone(unsigned int ps, const char *name)
{
	if (!check_mapped(CHECK_BASE) && !check_mapped(CHECK_BASE + PAGE_SIZE) &&
	    !check_mapped(check_last(ps)))
		return true;
	check_err("%s of %lu KiB to purge a translation of %lu KiB, but it is still there",
		  name, PAGE_SIZE >> 10, BIT(ps) >> 10);
	return false;
}

static bool check_purge_size(unsigned int ps, const char *name,
			     void (*purge)(unsigned long addr, unsigned int ps))
{
	if (!check_insert_size(ps))
		return false;
	purge(CHECK_BASE + PAGE_SIZE, PAGE_SHIFT);
	return check_gone(ps, name);
}

/*
 * Does the walker leave a replica to the miss handlers?  Only they know its size, so if the
 * next page is mapped, too, they have inserted it.
 */
static bool check_walker(unsigned int ps)
{
	pte_t page_pte = pfn_pte(ia64_tpa(KERNEL_START) >> PAGE_SHIFT, PAGE_KERNEL);
	pte_t replica = pte_mksuperpage(page_pte, ps - PAGE_SHIFT);
	bool readable, whole, page;
	unsigned long entry;
	unsigned int i;

	entry = ia64_thash(CHECK_BASE);
	WRITE_ONCE(check_table[offset_in_page(entry) / sizeof(replica)], pte_val(replica));
	mb();	/* It is there before the walker looks. */
	for (i = 0; i < CHECK_TRIES; i++) {
		check_set_rr(CHECK_RID, true);
		check_insert(entry & PAGE_MASK, __pa(check_table), PAGE_SHIFT);
		readable = check_readable(CHECK_BASE);
		check_set_rr(CHECK_RID, false);
		whole = check_mapped(CHECK_BASE + PAGE_SIZE);
		page = check_mapped(CHECK_BASE) && !whole;
		check_purge(CHECK_BASE, ps);
		check_purge(entry, PAGE_SHIFT);
		if (page)
			break;
		if (readable && whole)
			return true;
	}
	if (page)
		check_err("the VHPT walker to leave a PTE with a reserved bit to the miss handler, but it inserts it");
	else
		check_err("the miss handler to insert a PTE with a reserved bit, but it does not");
	return false;
}

static bool check_superpages_here(void)
{
	unsigned long ps;
	bool ok = true;

	check_set_rr(CHECK_RID, false);
	for_each_set_bit(ps, &check_sizes, KERNEL_TR_PAGE_SHIFT + 1) {
		ok = check_purge_size(ps, "ptc.l", check_purge);
#ifdef CONFIG_SMP
		ok = ok && check_purge_size(ps, "ptc.ga", ia64_global_tlb_purge_page);
#endif
		check_purge(CHECK_BASE, ps);
		if (!ok)
			return false;
	}
	/* Only the walker of the short format looks into page tables. */
	if ((ia64_getreg(_IA64_REG_CR_PTA) & (VHPT_PTA_VF | VHPT_PTA_VE)) != VHPT_PTA_VE)
		return true;
	return check_walker(__ffs(check_sizes));
}

#ifdef CONFIG_SMP
/* Leave the translation of a superpage in the TLB. */
static bool check_leave(void)
{
	check_set_rr(CHECK_RID, false);
	return check_insert_size(__fls(check_sizes));
}

static bool check_purge_global(void)
{
	check_set_rr(CHECK_RID, false);
	ia64_global_tlb_purge_page(CHECK_BASE + PAGE_SIZE, PAGE_SHIFT);
	return true;
}

static int check_purge_elsewhere(void *unused)
{
	check_borrow_rr(check_purge_global);
	return 0;
}

static bool check_gone_here(void)
{
	unsigned int ps = __fls(check_sizes);
	bool gone;

	check_set_rr(CHECK_RID, false);
	gone = check_gone(ps, "another processor's ptc.ga");
	check_purge(CHECK_BASE, ps);
	return gone;
}

/*
 * Does ptc.ga of a page on another processor remove the translation of a superpage here?
 * The other processor does it in a task: an interrupt handler may have interrupted a task
 * that holds the lock of ptc.ga.  The other processor stays online, because the caller of
 * hotplug callbacks holds the lock of CPU hotplug.  Tasks that run here meanwhile do not use
 * CHECK_RID.
 */
static int check_superpages_elsewhere(unsigned int cpu, const char *without)
{
	unsigned int other = cpumask_any_but(cpu_online_mask, cpu);
	int ret;

	if (other >= nr_cpu_ids)
		return 0;
	ret = check_run(cpu, "superpage", check_leave, without);
	if (ret)
		return ret;
	ret = smp_call_on_cpu(other, check_purge_elsewhere, NULL, false);
	if (ret)
		return ret;
	return check_run(cpu, "superpage", check_gone_here, without);
}
#else
static int check_superpages_elsewhere(unsigned int cpu, const char *without)
{
	return 0;
}
#endif

static int check_superpages(unsigned int cpu)
{
	const char *without = "superpages are not used";
	int ret = check_run(cpu, "superpage", check_superpages_here, without);

	return ret ?: check_superpages_elsewhere(cpu, without);
}

static bool __init check_superpages_everywhere(void)
{
	u64 insertable, purgeable;
	int ret;

	if (ia64_pal_vm_page_size(&insertable, &purgeable)) {
		insertable = arch_superpage_sizes();
		purgeable = insertable;
	}
	check_sizes = insertable & purgeable & GENMASK(KERNEL_TR_PAGE_SHIFT, PAGE_SHIFT + 1);
	if (!check_sizes)
		return true;
	check_table = (unsigned long *)get_zeroed_page(GFP_KERNEL);
	ret = check_table ? cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "ia64/superpage:check",
					      check_superpages, NULL) : -ENOMEM;
	check_setup_err("superpage", ret, "superpages are");
	return ret >= 0;
}
#endif

/*
 * All processors that boot are up, and no program has run yet.  Check the long format first:
 * without it the walker looks into page tables, where it finds replicas, so
 * check_superpages_here() has to check the walker, too.
 */
static int __init check_init(void)
{
#ifdef CONFIG_IA64_VHPT_MODES
	if (ia64_vhpt_long) {
		int ret = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "ia64/vhpt:check", check_long,
					    NULL);

		check_setup_err("vhpt", ret, "the long format is");
		if (ret < 0)
			ia64_vhpt_fall_back();
	}
#endif
#ifdef CONFIG_SUPERPAGE
	if (!check_superpages_everywhere())
		ia64_superpage_refused = true;
#endif
	check_refuses = true;
	return 0;
}
arch_initcall(check_init);
