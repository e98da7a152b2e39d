// SPDX-License-Identifier: GPL-2.0
/* Superpages on ia64: which sizes the processor has, and which of them pay. */

#include <linux/init.h>
#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/sizes.h>
#include <linux/superpage.h>

#include <asm/pal.h>
#include <asm/tlb_check.h>

/* Some processor does not do what superpages rely on. */
bool ia64_superpage_refused __initdata;

u64 __init arch_superpage_sizes(void)
{
	u64 insertable;
	s64 status;

	if (ia64_superpage_refused)
		return 0;
	status = ia64_pal_vm_page_size(&insertable, NULL);
	if (status) {
		pr_err("superpage: PAL_VM_PAGE_SIZE failed with status %lld; using the architected page sizes\n",
		       status);
		return IA64_ARCHITECTED_PAGE_SIZES;
	}
	return insertable;
}

/*
 * With the short-format VHPT the walker serves misses of base pages only.  The miss handlers
 * serve those of superpages, which takes four to six times as long.  So a superpage has to
 * save more misses than one of 64 KiB does.
 */
unsigned long __weak arch_superpage_auto_min(void)
{
	return IS_ENABLED(CONFIG_DISABLE_VHPT) ? 0 : SZ_256K;
}

void arch_superpage_exec(pte_t pte, unsigned int nr)
{
	unsigned long pfn = pte_pfn(pte);
	unsigned int i;

	if (!pte_present_exec_user(pte))
		return;
	for (i = 0; i < nr; i++)
		__ia64_sync_icache_dcache(pfn_pte(pfn + i, __pgprot(0)));
}
