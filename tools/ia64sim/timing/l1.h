/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A cache of level 1, of data or instructions, whose tags name entries of its TLB.
 */
#ifndef TIMING_L1_H
#define TIMING_L1_H

#include "timing/cache.h"

/* 32 entries of 4 KiB, whatever the translation's page size (7CPU, I2RM); 16 KiB in lines
 * of 64 bytes, four ways (KAPI).
 */
enum {
	L1_ENTRIES = 32, L1_PAGE_SHIFT = 12, L1_GUESSES = 64,
	L1_SETS = 64, L1_WAYS = 4, L1_LINE_SHIFT = 6,
};

/* The RID of references without translation, which has more bits than others. */
#define RID_PHYSICAL	BIT(31)

/**
 * struct l1 - the L1 DTLB with L1D, or the L1 ITLB with L1I
 * @vpn: of each entry, the address without region in units of 4 KiB
 * @rid: of each entry
 * @serial: of each entry, another for each fill; 0 for an invalid one
 * @used: a bit for each entry, as in struct cache
 * @guess: for the host's sake: the entry to look at first, by the low bits of the vpn
 * @fills: so far
 * @changes: of entries and lines, so far
 * @line: the serial of the entry through which a line was filled, or 0.  With the
 *	set, which is the place in the page, this says which line it is
 * @pa: where in memory it is, in units of lines
 * @ready: when the line arrives
 * @line_used: as @used, of each set
 */
struct l1 {
	u64 vpn[L1_ENTRIES];
	u32 rid[L1_ENTRIES];
	u64 serial[L1_ENTRIES];
	u64 used;
	u8 guess[L1_GUESSES];
	u64 fills;
	u64 changes;
	u64 line[L1_SETS][L1_WAYS];
	u64 pa[L1_SETS][L1_WAYS];
	u64 ready[L1_SETS][L1_WAYS];
	u8 line_used[L1_SETS];
};

static inline u64 l1_vpn(u64 va)
{
	return (va & MASK(61)) >> L1_PAGE_SHIFT;
}

/* l1_find() where the guess is wrong. */
u64 l1_search(struct l1 *d, u32 rid, u64 va);

/**
 * l1_find() - look up an address, whose entry is used then
 *
 * Return: the serial of the entry, or 0: not there
 */
static inline u64 l1_find(struct l1 *d, u32 rid, u64 va)
{
	u64 vpn = l1_vpn(va);
	unsigned int n = d->guess[vpn % L1_GUESSES];

	if (__builtin_expect(d->vpn[n] != vpn || d->rid[n] != rid || !d->serial[n], 0))
		return l1_search(d, rid, va);
	d->used = nru_use(d->used, n, L1_ENTRIES);
	return d->serial[n];
}

/* A translation comes in, for an address without one, and another with its lines goes.  Return:
 * its serial.
 */
u64 l1_fill(struct l1 *d, u32 rid, u64 va);
/* A translation of 2^ps bytes goes. */
void l1_forget(struct l1 *d, u32 rid, u64 va, unsigned int ps);
void l1_forget_all(struct l1 *d);

/** l1_line() - look up a line through an entry.  Return: its arrival, or NULL. */
static inline u64 *l1_line(struct l1 *d, u64 serial, u64 va)
{
	unsigned int set = va >> L1_LINE_SHIFT & (L1_SETS - 1);

	for (unsigned int n = 0; n < L1_WAYS; n++) {
		if (d->line[set][n] == serial) {
			d->line_used[set] = nru_use(d->line_used[set], n, L1_WAYS);
			return &d->ready[set][n];
		}
	}
	return NULL;
}

/* A line comes in, through an entry. */
void l1_fill_line(struct l1 *d, u64 serial, u64 va, u64 pa, u64 ready);
/* A line goes, wherever programs see it: the set is the same for all. */
void l1_forget_line(struct l1 *d, u64 pa);

#endif
