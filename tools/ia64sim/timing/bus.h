/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The bus to memory, which all processors share.
 */
#ifndef TIMING_BUS_H
#define TIMING_BUS_H

#include "timing/params.h"

struct timing;

enum { BUS_SLOTS = 4096, PURGE_SLOTS = 64, DRAM_BANKS = 8, BUS_PROCESSORS = 16 };

/**
 * struct bus - when it carries lines
 *
 * Processors have their turns one after the other, each through the same cycles.  So the
 * bus is no clock that says when it is free again: a processor would wait for what others
 * did later than its own time.  It is cut into slots of one transfer, and a transfer takes
 * the first at or after its time that nobody has taken.
 * @transfer: length of a slot, in 1/256 cycles
 * @taken: the number plus one of the slot that was taken last, of those that share a place
 * @purge: length of a slot of global purges, of which the bus has one at a time, in cycles
 * @purging: as @taken, of these slots
 * @processor: who is on it
 * @n_processors: how many
 * @page: of each bank of memory, the page that is open, plus one
 */
struct bus {
	u64 transfer;
	u64 taken[BUS_SLOTS];
	u64 purge;
	u64 purging[PURGE_SLOTS];
	u64 page[DRAM_BANKS];
	struct timing *processor[BUS_PROCESSORS];
	unsigned int n_processors;
};

/** bus_create() - an idle bus, or NULL without memory */
struct bus *bus_create(const struct timing_params *params);

/**
 * bus_transfer() - a line goes from or to memory
 * @now: when it could
 *
 * Return: when it does
 */
u64 bus_transfer(struct bus *b, u64 now);

/** bus_purge() - the same for a global purge */
u64 bus_purge(struct bus *b, u64 now);

/** bus_open() - memory works at @pa.  Return: whether that was the page open there. */
bool bus_open(struct bus *b, u64 pa);

/* How long a transfer takes. */
static inline u64 bus_cycles(const struct bus *b)
{
	return b->transfer >> 8;
}

/* Nanoseconds in 1/256 cycles. */
static inline u64 cycles_256(const struct timing_params *params, u64 ns)
{
	return (params->freq / 1000 * ns * 256 + 500000) / 1000000;
}

#endif
