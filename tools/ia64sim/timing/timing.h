/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cycle model of -timing madison: what it keeps of a processor.
 *
 * It watches a processor that executes as it always does, and decides what time it is:
 * struct cpu.cycles is the cycle in which the next instruction issues.  Nothing else of
 * what is simulated depends on it.
 */
#ifndef TIMING_H
#define TIMING_H

#include "state/cpu.h"
#include "timing/bus.h"
#include "timing/cache.h"
#include "timing/l1.h"
#include "timing/params.h"
#include "timing/predictor.h"
#include "timing/slots.h"

/*
 * When a result can be used: a cycle, and in the bits below it one for each enum use that
 * has it a cycle later, and who makes it, for the stall's sake.  Latencies look alike.
 */
enum {
	READY_SHIFT = 5,
	MADE_BY_LOAD = 1 << 3, MADE_BY_CONTROL = 1 << 4,
	MADE_BY_FLOAT = MADE_BY_LOAD | MADE_BY_CONTROL,		/* of any floating-point register */
	MADE_BY_COMPARE = 7,		/* a predicate; no register is later for all uses */
};
#define LATENCY(cycles, later)	((u64)(cycles) << READY_SHIFT | (later))

/* Six instructions with three results: a pair and its base. */
enum { MAX_PENDING = 18 };

enum { FETCH_RECENT = 16, MAX_QUEUE = 64, MAX_OUTSTANDING = 64, RECENT_STORES = 8 };

/**
 * struct pending - a result of the open cycle, which may turn out to issue later
 * @ready: when it can be used
 * @least: LATENCY() that it has even if what it waits for is there
 */
struct pending {
	u64 *ready;
	u64 least;
};

/**
 * struct timing - the model of one processor
 * @params: madison.def and what the command line changes of it
 * @of: LATENCY() by enum result_kind
 * @l2_load: LATENCY() of a load that hits L2
 * @latest: when the last result is there that takes more than a cycle, for any use
 * @ports: what the open cycle has used, see PORTS_EMPTY
 * @bundles: that the open cycle takes from; 2 are a full window, 0 is an empty one, into
 *	which no bundle has come
 * @template: bits 4:1 of the last bundle's template
 * @taken: a branch led to the next bundle
 * @n_pending: results of the open cycle
 * @pending: these
 * @gr: when general registers can be used, by physical number
 * @bank: the same of r16-r31 in the bank that is not current
 * @bank_1: which bank is current
 * @fr: the same for floating-point registers
 * @predicates: that the last fcmp or frcpa wrote, a bit each as the program numbered them
 * @predicates_ready: when they can be used
 * @insert_ready: when itc and itr find in CR.IFA and ITIR what was written there
 * @serial_ready: when a srlz or rfi finds all writes of CR, PSR and so on done
 * @l1d: L1 DTLB and L1D
 * @l1i: L1 ITLB and L1I
 * @l2: the L2 cache
 * @l2i: the L2 cache of instructions, without sets if there is none
 * @l3: the L3 cache
 * @bus: to memory, which all processors share
 * @is_first: the bus is its own
 * @memory: cycles from a miss in L3 to data, beyond those of a hit
 * @open_page: how many less if the page is open
 * @busy_until: references need not wait from then on
 * @queue: when the last entries of L2's queue get free, as a ring
 * @queue_next: where the next one goes; the oldest is there
 * @queue_last: when the newest gets free; freed in order, it is the last
 * @outstanding: when the last misses of L2 are there, as a ring
 * @n_outstanding: these so far
 * @store: the last stores, in units of 8 bytes, as a ring
 * @stored: when they were
 * @n_stores: stores so far
 * @last_store: when the last was
 * @store_va: the line of the last that hit, in units of lines; for the host's sake
 * @store_rid: and its region
 * @store_line: where that is in L2
 * @store_tag: and its tag then
 * @rse_loads: of the register stack engine that are paid for
 * @rse_stores: likewise
 * @fetched: an address in the line of instructions that was fetched last
 * @recent: for the host's sake: lines that L1I has, in units of lines, and their regions
 * @recent_changes: of L1I, with which that was right
 * @run: where the bundles begin that are fetched in a row, since the last branch
 * @run_fetched: the first cycle in which they can issue, as far as it is for fetch to say
 * @streams: lines behind that are fetched too
 * @streamed: up to this one, in units of lines
 * @predictor: of branches
 * @transfer_until: the L1 DTLB gets its last translation then
 * @walker_free: when the VHPT walker is done with its last walk
 * @walker_wanted: when that was wanted
 */
struct timing {
	struct timing_params params;
	u64 of[N_RESULTS];
	u64 l2_load;
	u64 latest;
	u32 ports;
	u8 bundles;
	u8 template;
	bool taken;
	bool bank_1;
	bool is_first;
	unsigned int n_pending;
	struct pending pending[MAX_PENDING];
	u64 gr[32 + N_STACKED];
	u64 bank[16];
	u64 fr[128];
	u64 predicates, predicates_ready;
	u64 insert_ready, serial_ready;
	struct l1 l1d, l1i;
	struct cache l2, l2i, l3;
	struct bus *bus;
	u64 memory, open_page;
	u64 busy_until;
	u64 queue[MAX_QUEUE];
	unsigned int queue_next;
	u64 queue_last;
	u64 outstanding[MAX_OUTSTANDING];
	unsigned int n_outstanding;
	u64 store[RECENT_STORES], stored[RECENT_STORES];
	unsigned int n_stores;
	u64 last_store;
	u64 store_va;
	u32 store_rid;
	const struct line *store_line;
	u64 store_tag;
	u64 rse_loads, rse_stores;
	u64 fetched;
	struct {
		u64 line;
		u32 rid;
	} recent[FETCH_RECENT];
	u64 recent_changes;
	u64 run, run_fetched;
	bool streams;
	u64 streamed;
	struct predictor predictor;
	u64 transfer_until;
	u64 walker_free, walker_wanted;
};

/**
 * timing_create() - a model for one processor, that knows nothing yet
 * @first: of the machine's first processor, or NULL for that one; it must be the last that
 *	is destroyed
 *
 * Return: NULL without memory
 */
struct timing *timing_create(const struct timing_params *params, const struct timing *first);
void timing_destroy(struct timing *t);

/** timing_switch_banks() - PSR.bn has changed, and r16-r31 with it */
void timing_switch_banks(struct timing *t);

#endif
