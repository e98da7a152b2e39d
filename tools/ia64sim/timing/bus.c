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

	if (b)
		b->transfer = cycles_256(params, params->transfer);
	return b;
}

u64 bus_transfer(struct bus *b, u64 now)
{
	u64 slot = (now << 8) / b->transfer, begin;

	while (b->taken[slot % BUS_SLOTS] == slot + 1)
		slot++;
	b->taken[slot % BUS_SLOTS] = slot + 1;
	begin = slot * b->transfer >> 8;
	return begin > now ? begin : now;
}

bool bus_open(struct bus *b, u64 pa)
{
	u64 page = pa >> DRAM_PAGE_SHIFT, *open = &b->page[page % DRAM_BANKS];
	bool was = *open == page + 1;

	*open = page + 1;
	return was;
}
