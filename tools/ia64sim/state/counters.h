/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is counted of each processor; -stats prints it (stats.h).
 */
#ifndef COUNTERS_H
#define COUNTERS_H

#include "isa/ia64.h"
#include "state/stalls.h"

/* One for each side, [0] instructions and [1] data. */
struct tlb_stats {
	u64 misses;			/* of the model TLB: L2DTLB_MISSES */
	u64 walker_inserts[64];		/* by log2 of the page size: DTLB_INSERTS_HPW */
	u64 software_inserts[64];	/* itc */
	u64 register_inserts;		/* itr */
	u64 walks, walk_aborts;		/* tries of the walker; ended in a miss fault */
	u64 walk_loads;			/* of these, such as read the VHPT */
	u64 walk_vhpt_misses;		/* ended in a VHPT translation fault */
	u64 purged;			/* entries removed by purges */
};

/* Inserts by the walker of all sizes. */
static inline u64 walker_inserted(const struct tlb_stats *s)
{
	u64 sum = 0;

	for (unsigned int ps = 0; ps < 64; ps++)
		sum += s->walker_inserts[ps];
	return sum;
}

/** struct masked - a time in which a processor took no interrupts: PSR.i was 0 */
struct masked {
	u64 cycles;
	u64 from, to;			/* bundles that began and ended it */
};

struct cpu_stats {
	u64 instructions[4];		/* by privilege level, predicated off included */
	u64 squashed;			/* predicated off */
	u64 loads, stores, semaphores;	/* data references that completed */
	u64 nops, branches, taken;
	u64 fp;
	u64 interruptions[128];		/* by vector >> 8 */
	u64 purges_local, purges_global;
	u64 rse_loads, rse_stores;
	u64 alat_hits, alat_misses;	/* of ld.c and chk.a */
	u64 deferred;			/* NaT instead of a fault */
	u64 level_changes;		/* of the privilege level */
	u64 serializations;		/* srlz.i */
	struct tlb_stats tlb[2];
	struct time_stats time;		/* with -timing */
};

#endif
