/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The L1 DTLB and the L1 data cache, whose tags name entries of it.
 */
#ifndef TIMING_DTLB_H
#define TIMING_DTLB_H

#include "timing/cache.h"

/* 32 entries of 4 KiB, whatever the translation's page size (7CPU, I2RM); 16 KiB in lines
 * of 64 bytes, four ways (KAPI).
 */
enum {
	DTLB_ENTRIES = 32, DTLB_SHIFT = 12, DTLB_GUESSES = 64,
	L1D_SETS = 64, L1D_WAYS = 4, L1D_SHIFT = 6,
};

/* The RID of references without translation, which has more bits than others. */
#define RID_PHYSICAL	BIT(31)

/**
 * struct dtlb - the L1 DTLB with the L1D
 * @vpn: of each entry, the address without region in units of 4 KiB
 * @rid: of each entry
 * @serial: of each entry, another for each fill; 0 for an invalid one
 * @used: a bit for each entry, as in struct cache
 * @guess: for the host's sake: the entry to look at first, by the low bits of the vpn
 * @fills: so far
 * @line: of L1D, the serial of the entry through which a line was filled, or 0.  With the
 *	set, which is the place in the page, this says which line it is
 * @ready: when the line arrives
 * @line_used: as @used, of each set
 */
struct dtlb {
	u64 vpn[DTLB_ENTRIES];
	u32 rid[DTLB_ENTRIES];
	u64 serial[DTLB_ENTRIES];
	u32 used;
	u8 guess[DTLB_GUESSES];
	u64 fills;
	u64 line[L1D_SETS][L1D_WAYS];
	u64 ready[L1D_SETS][L1D_WAYS];
	u8 line_used[L1D_SETS];
};

static inline u64 dtlb_vpn(u64 va)
{
	return (va & MASK(61)) >> DTLB_SHIFT;
}

/* dtlb_find() where the guess is wrong. */
u64 dtlb_search(struct dtlb *d, u32 rid, u64 va);

/**
 * dtlb_find() - look up an address, whose entry is used then
 *
 * Return: the serial of the entry, or 0: not there
 */
static inline u64 dtlb_find(struct dtlb *d, u32 rid, u64 va)
{
	u64 vpn = dtlb_vpn(va);
	unsigned int n = d->guess[vpn % DTLB_GUESSES];

	if (__builtin_expect(d->vpn[n] != vpn || d->rid[n] != rid || !d->serial[n], 0))
		return dtlb_search(d, rid, va);
	d->used = nru_use(d->used, n, DTLB_ENTRIES);
	return d->serial[n];
}

/* A translation comes in, for an address without one, and its lines of L1D go. */
void dtlb_fill(struct dtlb *d, u32 rid, u64 va);
/* A translation of 2^ps bytes goes. */
void dtlb_forget(struct dtlb *d, u32 rid, u64 va, unsigned int ps);
void dtlb_forget_all(struct dtlb *d);

/** l1d_find() - look up a line through an entry.  Return: its arrival, or NULL. */
static inline u64 *l1d_find(struct dtlb *d, u64 serial, u64 va)
{
	unsigned int set = va >> L1D_SHIFT & (L1D_SETS - 1);

	for (unsigned int n = 0; n < L1D_WAYS; n++) {
		if (d->line[set][n] == serial) {
			d->line_used[set] = nru_use(d->line_used[set], n, L1D_WAYS);
			return &d->ready[set][n];
		}
	}
	return NULL;
}

/* A line comes in, through an entry. */
void l1d_fill(struct dtlb *d, u64 serial, u64 va, u64 ready);

#endif
