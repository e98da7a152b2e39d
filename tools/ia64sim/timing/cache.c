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
	c->line = calloc((size_t)sets * ways, sizeof(*c->line));
	c->used = calloc(sets, sizeof(*c->used));
	c->guess = calloc(sets, sizeof(*c->guess));
	return c->line && c->used && c->guess;
}

void cache_destroy(struct cache *c)
{
	free(c->line);
	free(c->used);
	free(c->guess);
}

static unsigned int set_of(const struct cache *c, u64 address)
{
	return address >> c->shift & (c->sets - 1);
}

struct line *cache_peek(struct cache *c, u64 address)
{
	struct line *line = &c->line[set_of(c, address) * c->ways];
	u64 tag = line_tag(c, address, 0);

	for (unsigned int n = 0; n < c->ways; n++)
		if (!((line[n].tag ^ tag) >> STATE_BITS))
			return &line[n];
	return NULL;
}

struct line *cache_search(struct cache *c, u64 address)
{
	unsigned int set = set_of(c, address), n;
	struct line *line = cache_peek(c, address);

	if (line) {
		n = line - &c->line[set * c->ways];
		c->guess[set] = n;
		c->used[set] = nru_use(c->used[set], n, c->ways);
	}
	return line;
}

struct line *cache_replace(struct cache *c, u64 address)
{
	unsigned int set = set_of(c, address), n = nru_victim(c->used[set]);

	c->guess[set] = n;
	c->used[set] = nru_use(c->used[set], n, c->ways);
	return &c->line[set * c->ways + n];
}
