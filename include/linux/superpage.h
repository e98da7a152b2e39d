/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Superpages: transparent large pages made of replicated base-page PTEs.
 */
#ifndef _LINUX_SUPERPAGE_H
#define _LINUX_SUPERPAGE_H

#include <linux/mmzone.h>
#include <linux/percpu.h>
#include <linux/types.h>

/**
 * enum superpage_event - what /proc/superpageinfo counts for each order
 * @SUPERPAGE_MARKED: superpages marked in not-present PTEs
 * @SUPERPAGE_ANON_FAULT_ALLOC: superpages allocated and mapped by a page fault
 * @SUPERPAGE_ANON_FAULT_FALLBACK: page faults that found no contiguous memory
 *	for a superpage of this order and went on with a smaller one
 * @SUPERPAGE_DEMOTED: mapped superpages whose PTEs went back to base pages
 * @SUPERPAGE_PROMOTED: ranges of base pages whose PTEs became a superpage again
 * @SUPERPAGE_NR_ANON: superpages mapped now, so this one also goes down
 * @NR_SUPERPAGE_EVENTS: how many there are
 */
enum superpage_event {
	SUPERPAGE_MARKED,
	SUPERPAGE_ANON_FAULT_ALLOC,
	SUPERPAGE_ANON_FAULT_FALLBACK,
	SUPERPAGE_DEMOTED,
	SUPERPAGE_PROMOTED,
	SUPERPAGE_NR_ANON,
	NR_SUPERPAGE_EVENTS
};

struct superpage_stat {
	long count[MAX_ORDER][NR_SUPERPAGE_EVENTS];
};

DECLARE_PER_CPU(struct superpage_stat, superpage_stat);

/**
 * superpage_count() - count something that happened to superpages
 * @order: their order, below MAX_ORDER
 * @event: what happened
 * @n: to how many of them; negative when a gauge goes down
 *
 * Any context, no lock.
 */
static inline void superpage_count(unsigned int order, enum superpage_event event, long n)
{
	this_cpu_add(superpage_stat.count[order][event], n);
}

/**
 * arch_superpage_sizes() - page sizes that the processor can insert
 *
 * Called once, at boot.
 *
 * Return: a bitmap, bit n set when a translation of 2^n bytes can be inserted
 * into the TLB
 */
u64 arch_superpage_sizes(void);

#endif /* _LINUX_SUPERPAGE_H */
