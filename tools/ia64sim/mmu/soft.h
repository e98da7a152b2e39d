/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The soft TLB: the host's short cuts to pages that the model TLB has translated.
 */
#ifndef SOFT_H
#define SOFT_H

#include "state/cpu.h"

/* Its pages, and those of decoded bundles, whatever the model's are. */
enum { SOFT_SHIFT = 12, SOFT_PAGE = 1 << SOFT_SHIFT };

static inline struct fetch_entry *fetch_entry(struct cpu *cpu, u64 va)
{
	return &cpu->code_context->code[va >> SOFT_SHIFT & (FETCH_CACHE - 1)];
}

static inline struct soft_entry *soft_entry(struct cpu *cpu, u64 va)
{
	return &cpu->data_context->data[va >> SOFT_SHIFT & (SOFT_TLB - 1)];
}

/* What a tag of the soft TLB equals when va is in its page and aligned. */
static inline u64 soft_tag(u64 va, unsigned int size)
{
	return va & (-(u64)SOFT_PAGE | (size - 1));
}

/**
 * soft_tlb_flush() - forget every short cut of this processor
 *
 * Called when anything changes that the model TLB's answer depends on: an
 * insert, a purge, a replacement, "used" bits cleared, RR, PKR, DBR, PSR
 * (pk, db, id, ia, da, dd, be).
 */
void soft_tlb_flush(struct cpu *cpu);

/* PSR.cpl, dt or it changed: to other short cuts. */
static inline void soft_tlb_select(struct cpu *cpu)
{
	unsigned int level = cpl(cpu);

	cpu->data_context = &cpu->context[psr(cpu, PSR_DT) ? level : SOFT_PHYSICAL];
	cpu->code_context = &cpu->context[psr(cpu, PSR_IT) ? level : SOFT_PHYSICAL];
}

#endif
