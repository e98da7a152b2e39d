// SPDX-License-Identifier: GPL-2.0
/*
 * Walks of the VHPT that no instruction has asked for.
 *
 * The walker may look for translations speculatively, out of program order, and insert what an
 * execution in order would never have needed (SDM 2:63, 2:69).  Here it does so at random, for
 * what the TLB has lost or missed lately: that is where a program might rely on its not being
 * there, because it has just purged it and not yet changed the table.
 *
 * It sees the processor's own stores at once, also those that wait for others to see them.
 */
#include "mmu/tlb.h"
#include "state/random.h"
#include "strict/strict.h"

/* So many instructions go by between two walks on average. */
enum { INSTRUCTIONS = 64 };

void walks_after(struct cpu *cpu)
{
	u64 *random = &cpu->strict->walks_random, va;
	const struct gone_translation *gone;
	unsigned int region;

	if (random_below(random, INSTRUCTIONS) || !cpu->n_recent_gone)
		return;
	gone = &cpu->recent_gone[random_below(random, cpu->n_recent_gone < RECENT_GONE ?
					      cpu->n_recent_gone : RECENT_GONE)];
	/* One of its pages, where a region has them now, from any of the regions on. */
	va = gone->va + random_below(random, 1U << (gone->ps > 12 + 20 ? 20 : gone->ps - 12)) *
			BIT(12);
	region = random_below(random, 8);
	for (unsigned int n = 0; n < 8; n++, region = (region + 1) % 8) {
		if (rr_rid(cpu->rr[region]) != gone->rid)
			continue;
		vhpt_walk_early(cpu, (u64)region << 61 | (va & MASK(61)), gone->data);
		return;
	}
}
