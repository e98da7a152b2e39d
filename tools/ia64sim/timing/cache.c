// SPDX-License-Identifier: GPL-2.0
/*
 * Caches as tags, with the replacement that Intel's machine description names for L1D, L2
 * and L3: a line that was not used since all others of its set were.
 */
#include <stdlib.h>

#include "timing/cache.h"

bool cache_create(struct cache *c, unsigned int sets, unsigned int ways, unsigned int shift)
{
	*c = (struct cache){ .sets = sets, .ways = ways, .shift = shift };
	c->tag = calloc((size_t)sets * ways, sizeof(*c->tag));
	c->ready = calloc((size_t)sets * ways, sizeof(*c->ready));
	c->used = calloc(sets, sizeof(*c->used));
	c->guess = calloc(sets, sizeof(*c->guess));
	return c->tag && c->ready && c->used && c->guess;
}

void cache_destroy(struct cache *c)
{
	free(c->tag);
	free(c->ready);
	free(c->used);
	free(c->guess);
}

u64 *cache_search(struct cache *c, u64 address)
{
	u64 line = address >> c->shift;
	unsigned int set = line & (c->sets - 1);
	size_t first = (size_t)set * c->ways;

	for (unsigned int n = 0; n < c->ways; n++) {
		if (c->tag[first + n] == line + 1) {
			c->guess[set] = n;
			c->used[set] = nru_use(c->used[set], n, c->ways);
			return &c->ready[first + n];
		}
	}
	return NULL;
}

void cache_fill(struct cache *c, u64 address, u64 ready)
{
	u64 line = address >> c->shift;
	unsigned int set = line & (c->sets - 1);
	unsigned int n = nru_victim(c->used[set]);
	size_t i = (size_t)set * c->ways + n;

	c->guess[set] = n;
	c->tag[i] = line + 1;
	c->ready[i] = ready;
	c->used[set] = nru_use(c->used[set], n, c->ways);
}
