// SPDX-License-Identifier: GPL-2.0
/*
 * The bus to memory: transfers of lines, and pages of DRAM that are open.
 */
#include <stdlib.h>

#include "timing/bus.h"

/* A page of two cells of DDR266 with 16 bytes each; nobody told. */
enum { DRAM_PAGE_SHIFT = 12 };

struct bus *bus_create(const struct timing_params *params)
{
	struct bus *b = calloc(1, sizeof(*b));

	if (b) {
		b->transfer = cycles_256(params, params->transfer);
		b->purge = params->ptc_g;
	}
	return b;
}

/* The first slot from this one on that is free, of @n that are kept; it is taken then. */
static u64 take(u64 *taken, unsigned int n, u64 slot)
{
	while (taken[slot % n] == slot + 1)
		slot++;
	taken[slot % n] = slot + 1;
	return slot;
}

u64 bus_transfer(struct bus *b, u64 now)
{
	u64 begin = take(b->taken, BUS_SLOTS, (now << 8) / b->transfer) * b->transfer >> 8;

	return begin > now ? begin : now;
}

u64 bus_purge(struct bus *b, u64 now)
{
	u64 begin = take(b->purging, PURGE_SLOTS, now / b->purge) * b->purge;

	return begin > now ? begin : now;
}

bool bus_open(struct bus *b, u64 pa)
{
	u64 page = pa >> DRAM_PAGE_SHIFT, *open = &b->page[page % DRAM_BANKS];
	bool was = *open == page + 1;

	*open = page + 1;
	return was;
}
