/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ASM_IA64_VHPT_H
#define _ASM_IA64_VHPT_H

#include <linux/const.h>
#include <linux/types.h>

/* Virtual address of the processor's hash table: between the gate and the kernel. */
#define VHPT_BASE	_AC(0xa000000080000000, UL)

#define VHPT_PTA_VE		_BITUL(0)		/* the walker is on */
#define VHPT_PTA_VF_BIT		8			/* long format */
#define VHPT_PTA_VF		_BITUL(VHPT_PTA_VF_BIT)

#ifndef __ASSEMBLY__
#include <asm/page.h>

/* From this many pages on, a new context number may be cheaper than a purge. */
#define VHPT_RENEW		1024

struct mm_struct;

#ifdef CONFIG_IA64_VHPT_MODES
extern char ia64_ivt[], ia64_ivt_long[], ia64_ivt_none[];
extern bool ia64_vhpt_long;
extern unsigned long ia64_vhpt_rid_factor;

/**
 * ia64_vhpt_rr() - spread region IDs over the hash table
 * @rr: a region register with the ID of a context and a region, see ia64_rid()
 * @max_ctx: the largest context number
 *
 * The same address in two processes differs in the context number only, and text,
 * data and stack of one process differ in the region only.  All of that is in the
 * lower bits of the ID, so that without a factor they would hash to neighbours.
 *
 * The factor is odd, so that different IDs stay different.  It is 1 modulo 8, so that
 * the lower three bits remain the region, and no program gets an ID of the kernel.
 *
 * Return: the region register with another ID
 */
static inline unsigned long ia64_vhpt_rr(unsigned long rr, unsigned int max_ctx)
{
	unsigned long rid = (rr >> 8) * ia64_vhpt_rid_factor;

	return (rid & (((unsigned long)max_ctx << 3) | 7)) << 8 | (rr & 0xff);
}

void ia64_vhpt_cpu_init(void);
void ia64_vhpt_cpu_exit(void);
void ia64_vhpt_mca_reload(void);
void __ia64_vhpt_purge(struct mm_struct *mm, unsigned long start, unsigned long end);
bool __ia64_vhpt_renewal_pays(struct mm_struct *mm, unsigned long start, unsigned long end);
void ia64_vhpt_flush_mm(struct mm_struct *mm);
void ia64_vhpt_flush_all(void);
void ia64_vhpt_flush_kernel(unsigned long start, unsigned long end);
/* Purges the TLB only; local_flush_tlb_all() also wipes the hash table. */
void local_purge_tlb_all(void);

/* Every purge of user pages calls this, so it should take no time in the other modes. */
static inline void ia64_vhpt_purge(struct mm_struct *mm, unsigned long start, unsigned long end)
{
	if (ia64_vhpt_long)
		__ia64_vhpt_purge(mm, start, end);
}

static inline bool ia64_vhpt_renewal_pays(struct mm_struct *mm, unsigned long start,
					  unsigned long end)
{
	return ia64_vhpt_long && (end - start) >> PAGE_SHIFT >= VHPT_RENEW &&
	       __ia64_vhpt_renewal_pays(mm, start, end);
}
#else
#define ia64_vhpt_long		false

static inline unsigned long ia64_vhpt_rr(unsigned long rr, unsigned int max_ctx)
{
	return rr;
}

static inline void ia64_vhpt_cpu_init(void)
{
}

static inline void ia64_vhpt_cpu_exit(void)
{
}

static inline void ia64_vhpt_mca_reload(void)
{
}

static inline void ia64_vhpt_purge(struct mm_struct *mm, unsigned long start, unsigned long end)
{
}

static inline bool ia64_vhpt_renewal_pays(struct mm_struct *mm, unsigned long start,
					  unsigned long end)
{
	return false;
}

static inline void ia64_vhpt_flush_mm(struct mm_struct *mm)
{
}

static inline void ia64_vhpt_flush_all(void)
{
}

#define local_purge_tlb_all		local_flush_tlb_all
#define ia64_vhpt_flush_kernel(start, end)	flush_tlb_all()
#endif
#endif /* !__ASSEMBLY__ */

#endif /* _ASM_IA64_VHPT_H */
