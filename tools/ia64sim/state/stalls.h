/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What -timing madison counts: cycles by privilege level, those in which nothing issued, each
 * for one cause, and what happened in the caches and to branches.
 */
#ifndef STALLS_H
#define STALLS_H

#include "isa/ia64.h"

/*
 * Causes, with the name that the performance monitor has for them and the one in -stats.
 * A cycle that belongs to none had an instruction, or the processor was idle.
 */
#define STALLS(X)								\
	X(BRANCH, branch)		/* BE_FLUSH_BUBBLE.BRU: mispredicted */	\
	X(EXCEPTION, exception)		/* .XPN: interruptions, rfi, srlz.i */	\
	X(LOAD, load)			/* BE_EXE_BUBBLE.GRALL less .GRGR */	\
	X(GENERAL, general)		/* .GRGR */				\
	X(FLOAT, float)			/* .FRALL */				\
	X(PREDICATE, predicate)		/* .PR */				\
	X(CONTROL, control)		/* .ARCR; system instructions */	\
	X(DTLB, dtlb)			/* BE_L1D_FPU_BUBBLE.L1D_TLB */		\
	X(WALK, walk)			/* .L1D_HPW: walks for data */		\
	X(QUEUE, queue)			/* .L1D_L2BPRESS */			\
	X(ORDER, order)			/* .L1D_DCURECIR: mf, global purges */	\
	X(RSE_SPILL, rse_spill)		/* BE_RSE_BUBBLE.OVERFLOW */		\
	X(RSE_FILL, rse_fill)		/* .UNDERFLOW, .LOADRS */		\
	X(FETCH, fetch)			/* FE_BUBBLE.IMISS */			\
	X(ITLB, itlb)			/* .TLBMISS: and walks for fetches */	\
	X(TARGET, target)		/* .BRANCH: right, but late */

enum stall {
#define STALL(name, member)	STALL_##name,
	STALLS(STALL)
#undef STALL
	N_STALLS
};

/* Events, likewise. */
#define EVENTS(X)								\
	X(L1D_MISS, l1d_misses)		/* L1D_READ_MISSES */			\
	X(DTLB_TRANSFER, dtlb_transfers)	/* L1DTLB_TRANSFER */		\
	X(L2_MISS, l2_misses)		/* L2_MISSES, L3_REFERENCES */		\
	X(L3_MISS, l3_misses)		/* L3_MISSES */				\
	X(WRITEBACK, writebacks)	/* of L3, to memory */			\
	X(WALK_L3, walks_l3)		/* the walker's loads from L3 */	\
	X(WALK_MEMORY, walks_memory)	/* and from memory */			\
	X(FETCH_MISS, fetch_misses)	/* L2_INST_DEMAND_READS */		\
	X(ITLB_MISS, itlb_misses)	/* ITLB_MISSES_FETCH.L1 */		\
	X(MISPREDICTED, mispredicted)	/* BR_MISPRED_DETAIL: all but right */	\
	X(SHARED_WRITE, shared_writes)	/* stores to lines that others have */	\
	X(FROM_OTHER, from_others)	/* lines that another had modified */

enum time_event {
#define EVENT(name, member)	EVENT_##name,
	EVENTS(EVENT)
#undef EVENT
	N_EVENTS
};

/**
 * struct time_stats - counters only, as struct cpu_stats that holds it
 * @level: cycles by privilege level, up to struct cpu.level_since, but for those in which the
 *	processor halted.  Without -timing they are those of slots
 * @stall: without -timing 0, as is @event
 */
struct time_stats {
	u64 level[4];
	u64 stall[N_STALLS];
	u64 event[N_EVENTS];
};

#endif
