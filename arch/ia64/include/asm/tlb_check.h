/* SPDX-License-Identifier: GPL-2.0 */
/* What the checks of processors in arch/ia64/mm/tlb_check.c share with other files. */
#ifndef _ASM_IA64_TLB_CHECK_H
#define _ASM_IA64_TLB_CHECK_H

#include <linux/const.h>
#include <linux/types.h>

/**
 * struct vhpt_entry - an entry of a long-format VHPT (SDM 2:4.1.7)
 * @pte: the translation, as itc takes it
 * @itir: its size, as cr.itir has it
 * @tag: what ttag gives for the address and the region's ID; VHPT_TAG_TI is set
 *	while it matches nothing
 * @filled: in the lower half, how often the miss handlers have written to the entry; in
 *	the upper half, how often they have replaced another page; the processor ignores it
 */
struct vhpt_entry {
	u64 pte;
	u64 itir;
	u64 tag;
	u64 filled;
};

/* The page sizes that every processor can insert: 4K to 256M (SDM 2:4.1.1.7). */
#define IA64_ARCHITECTED_PAGE_SIZES	0x15557000UL

#define VHPT_TAG_TI	_BITUL(63)
#define VHPT_INVALID	(~0UL)		/* a tag that matches nothing */

void ia64_vhpt_fall_back(void);
void ia64_global_tlb_purge_page(unsigned long addr, unsigned int nbits);

extern bool ia64_superpage_refused;

#endif /* _ASM_IA64_TLB_CHECK_H */
