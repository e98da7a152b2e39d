/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Caches as tags: which lines they have, and since when.
 */
#ifndef TIMING_CACHE_H
#define TIMING_CACHE_H

#include "isa/ia64.h"

/**
 * struct cache - sets of lines, not recently used ones go first
 * @sets: how many, a power of two
 * @ways: lines of a set, 32 at most
 * @shift: log2 of a line's bytes
 * @tag: for each line its number in memory plus one, or 0
 * @ready: for each line the cycle in which it arrives
 * @used: for each set a bit for each line that was used since all had been
 * @guess: for the host's sake: of each set the line to look at first
 */
struct cache {
	unsigned int sets, ways, shift;
	u8 *guess;
	u64 *tag;
	u64 *ready;
	u32 *used;
};

/** cache_create() - an empty cache.  Return: false without memory. */
bool cache_create(struct cache *c, unsigned int sets, unsigned int ways, unsigned int shift);
void cache_destroy(struct cache *c);

/* cache_find() where the guess is wrong. */
u64 *cache_search(struct cache *c, u64 address);

/** cache_fill() - a line that is not there arrives at cycle @ready, and another goes */
void cache_fill(struct cache *c, u64 address, u64 ready);

/* Which bit of @used is replaced next; and one is used. */
static inline unsigned int nru_victim(u32 used)
{
	return __builtin_ctz(~used);
}

static inline u32 nru_use(u32 used, unsigned int n, unsigned int ways)
{
	used |= BIT(n);
	return used == MASK(ways) ? BIT(n) : used;
}

/**
 * cache_find() - look up a line, which is used then
 *
 * Return: where its arrival stands, or NULL: not there
 */
static inline u64 *cache_find(struct cache *c, u64 address)
{
	u64 line = address >> c->shift;
	unsigned int set = line & (c->sets - 1), n = c->guess[set];
	size_t i = (size_t)set * c->ways + n;

	if (__builtin_expect(c->tag[i] != line + 1, 0))
		return cache_search(c, address);
	c->used[set] = nru_use(c->used[set], n, c->ways);
	return &c->ready[i];
}

#endif
