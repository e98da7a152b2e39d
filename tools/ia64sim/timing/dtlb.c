// SPDX-License-Identifier: GPL-2.0
/*
 * The L1 DTLB and the L1 data cache.  The tag of a line is the number of a DTLB entry, so
 * that an entry that goes takes its lines with it.
 */
#include <string.h>

#include "timing/dtlb.h"

u64 dtlb_search(struct dtlb *d, u32 rid, u64 va)
{
	u64 vpn = dtlb_vpn(va);

	for (unsigned int n = 0; n < DTLB_ENTRIES; n++) {
		if (d->vpn[n] == vpn && d->rid[n] == rid && d->serial[n]) {
			d->guess[vpn % DTLB_GUESSES] = n;
			d->used = nru_use(d->used, n, DTLB_ENTRIES);
			return d->serial[n];
		}
	}
	return 0;
}

void dtlb_fill(struct dtlb *d, u32 rid, u64 va)
{
	unsigned int n = nru_victim(d->used);

	d->vpn[n] = dtlb_vpn(va);
	d->rid[n] = rid;
	d->serial[n] = ++d->fills;
	d->used = nru_use(d->used, n, DTLB_ENTRIES);
	d->guess[dtlb_vpn(va) % DTLB_GUESSES] = n;
}

void dtlb_forget(struct dtlb *d, u32 rid, u64 va, unsigned int ps)
{
	for (unsigned int n = 0; n < DTLB_ENTRIES; n++) {
		if (d->rid[n] == rid &&
		    !((d->vpn[n] ^ dtlb_vpn(va)) >> (ps > DTLB_SHIFT ? ps - DTLB_SHIFT : 0))) {
			d->serial[n] = 0;
			d->used &= ~BIT(n);
		}
	}
}

void dtlb_forget_all(struct dtlb *d)
{
	memset(d->serial, 0, sizeof(d->serial));
	d->used = 0;
}

void l1d_fill(struct dtlb *d, u64 serial, u64 va, u64 ready)
{
	unsigned int set = va >> L1D_SHIFT & (L1D_SETS - 1);
	unsigned int n = nru_victim(d->line_used[set]);

	d->line[set][n] = serial;
	d->ready[set][n] = ready;
	d->line_used[set] = nru_use(d->line_used[set], n, L1D_WAYS);
}
