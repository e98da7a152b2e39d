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
#include "timing/cache.h"
#include "timing/dtlb.h"
#include "timing/params.h"
#include "timing/slots.h"

/*
 * When a result can be used: a cycle, and in the bits below it one for each enum use that
 * has it a cycle later.  Latencies look alike.
 */
enum { READY_SHIFT = 3 };
#define LATENCY(cycles, later)	((u64)(cycles) << READY_SHIFT | (later))

/* Six instructions with three results: a pair and its base. */
enum { MAX_PENDING = 18 };

/**
 * struct timing - the model of one processor
 * @params: madison.def and what the command line changes of it
 * @of: LATENCY() by enum result_kind
 * @latest: when the last result is there that takes more than a cycle, for any use
 * @ports: what the open cycle has used, see PORTS_EMPTY
 * @bundles: that the open cycle takes from; 2 are a full window, 0 is an empty one, into
 *	which no bundle has come
 * @template: bits 4:1 of the last bundle's template
 * @taken: a branch led to the next bundle
 * @n_pending: results of the open cycle
 * @pending: these, for when the cycle turns out to issue later
 * @gr: when general registers can be used, by physical number
 * @bank: the same of r16-r31 in the bank that is not current
 * @bank_1: which bank is current
 * @fr: the same for floating-point registers
 * @predicates: that the last fcmp or frcpa wrote, a bit each as the program numbered them
 * @predicates_ready: when they can be used
 * @insert_ready: when itc and itr find in CR.IFA and ITIR what was written there
 * @serial_ready: when a srlz or rfi finds all writes of CR, PSR and so on done
 * @dtlb: L1 DTLB and L1D
 * @l2: the L2 cache
 * @l3: the L3 cache
 * @memory: cycles from a miss in L3 to data, beyond those of a hit
 * @walker_free: when the VHPT walker is done with its last walk
 * @walker_wanted: when that was wanted
 */
struct timing {
	struct timing_params params;
	u64 of[N_RESULTS];
	u64 latest;
	u32 ports;
	u8 bundles;
	u8 template;
	bool taken;
	bool bank_1;
	unsigned int n_pending;
	u64 *pending[MAX_PENDING];
	u64 gr[32 + N_STACKED];
	u64 bank[16];
	u64 fr[128];
	u64 predicates, predicates_ready;
	u64 insert_ready, serial_ready;
	struct dtlb dtlb;
	struct cache l2, l3;
	u64 memory;
	u64 walker_free, walker_wanted;
};

/** timing_create() - a model for one processor, that knows nothing yet */
struct timing *timing_create(const struct timing_params *params);
void timing_destroy(struct timing *t);

/** timing_switch_banks() - PSR.bn has changed, and r16-r31 with it */
void timing_switch_banks(struct timing *t);

#endif
