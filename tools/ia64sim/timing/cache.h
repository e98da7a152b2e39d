/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Caches as tags: which lines they have, since when, and who else may have them.
 */
#ifndef TIMING_CACHE_H
#define TIMING_CACHE_H

#include "isa/ia64.h"

/* Others may have the line; nobody else has it; and memory has an old one. */
enum line_state { LINE_SHARED, LINE_EXCLUSIVE, LINE_MODIFIED };

/**
 * struct line - one line of a cache
 * @tag: its number in memory plus one, above two bits of enum line_state; 0 is no line
 * @ready: the cycle in which it arrives
 */
struct line {
	u64 tag;
	u64 ready;
};

enum { STATE_BITS = 2 };

/**
 * struct cache - sets of lines, not recently used ones go first
 * @sets: how many, a power of two
 * @ways: lines of a set, 64 at most
 * @shift: log2 of a line's bytes
 * @line: of all sets
 * @used: for each set a bit for each line that was used since all had been
 * @guess: for the host's sake: of each set the line to look at first
 */
struct cache {
	unsigned int sets, ways, shift;
	u8 *guess;
	struct line *line;
	u64 *used;
};

/** cache_create() - an empty cache.  Return: false without memory. */
bool cache_create(struct cache *c, unsigned int sets, unsigned int ways, unsigned int shift);
void cache_destroy(struct cache *c);

/* cache_find() where the guess is wrong. */
struct line *cache_search(struct cache *c, u64 address);

/**
 * cache_peek() - look up a line for somebody else, who does not use it
 *
 * Return: the line, or NULL: not there
 */
struct line *cache_peek(struct cache *c, u64 address);

/**
 * cache_replace() - room for a line that is not there
 *
 * Return: its place, where the line still is that has to go
 */
struct line *cache_replace(struct cache *c, u64 address);

/* Which bit of @used is replaced next; and @used when one is, which may well be known. */
static inline unsigned int nru_victim(u64 used)
{
	return __builtin_ctzll(~used);
}

static inline u64 nru_use(u64 used, unsigned int n, unsigned int ways)
{
	if (__builtin_expect(used >> n & 1, 1))
		return used;
	used |= BIT(n);
	if (used != MASK(ways))
		return used;
	return ways > 1 ? BIT(n) : 0;	/* the only one is always the next to go */
}

static inline u64 line_tag(const struct cache *c, u64 address, enum line_state state)
{
	return ((address >> c->shift) + 1) << STATE_BITS | state;
}

static inline enum line_state line_state(const struct line *line)
{
	return line->tag & MASK(STATE_BITS);
}

static inline void line_set_state(struct line *line, enum line_state state)
{
	line->tag = (line->tag & ~MASK(STATE_BITS)) | state;
}

/** line_address() - where in memory a line is, which must be one */
static inline u64 line_address(const struct cache *c, const struct line *line)
{
	return ((line->tag >> STATE_BITS) - 1) << c->shift;
}

/**
 * cache_find() - look up a line, which is used then
 *
 * Return: the line, or NULL: not there
 */
static inline struct line *cache_find(struct cache *c, u64 address)
{
	unsigned int set = address >> c->shift & (c->sets - 1), n = c->guess[set];
	struct line *line = &c->line[set * c->ways + n];

	if (__builtin_expect((line->tag ^ line_tag(c, address, 0)) >> STATE_BITS, 0))
		return cache_search(c, address);
	c->used[set] = nru_use(c->used[set], n, c->ways);
	return line;
}

#endif
