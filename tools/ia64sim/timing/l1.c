// SPDX-License-Identifier: GPL-2.0
/*
 * Caches of level 1.  The tag of a line is the number of an entry of the TLB, so that an
 * entry that goes takes its lines with it.
 */
#include <string.h>

#include "timing/l1.h"

u64 l1_search(struct l1 *d, u32 rid, u64 va)
{
	u64 vpn = l1_vpn(va);

	for (unsigned int n = 0; n < L1_ENTRIES; n++) {
		if (d->vpn[n] == vpn && d->rid[n] == rid && d->serial[n]) {
			d->guess[vpn % L1_GUESSES] = n;
			d->used = nru_use(d->used, n, L1_ENTRIES);
			return d->serial[n];
		}
	}
	return 0;
}

u64 l1_fill(struct l1 *d, u32 rid, u64 va)
{
	unsigned int n = nru_victim(d->used);

	d->vpn[n] = l1_vpn(va);
	d->rid[n] = rid;
	d->serial[n] = ++d->fills;
	d->used = nru_use(d->used, n, L1_ENTRIES);
	d->guess[l1_vpn(va) % L1_GUESSES] = n;
	d->changes++;
	return d->serial[n];
}

void l1_forget(struct l1 *d, u32 rid, u64 va, unsigned int ps)
{
	d->changes++;
	for (unsigned int n = 0; n < L1_ENTRIES; n++) {
		if (d->rid[n] == rid &&
		    !((d->vpn[n] ^ l1_vpn(va)) >> (ps > L1_PAGE_SHIFT ? ps - L1_PAGE_SHIFT : 0))) {
			d->serial[n] = 0;
			d->used &= ~BIT(n);
		}
	}
}

void l1_forget_all(struct l1 *d)
{
	d->changes++;
	memset(d->serial, 0, sizeof(d->serial));
	d->used = 0;
}

void l1_fill_line(struct l1 *d, u64 serial, u64 va, u64 pa, u64 ready)
{
	unsigned int set = va >> L1_LINE_SHIFT & (L1_SETS - 1);
	unsigned int n = nru_victim(d->line_used[set]);

	d->changes++;
	d->line[set][n] = serial;
	d->pa[set][n] = pa >> L1_LINE_SHIFT;
	d->ready[set][n] = ready;
	d->line_used[set] = nru_use(d->line_used[set], n, L1_WAYS);
}

void l1_forget_line(struct l1 *d, u64 pa)
{
	unsigned int set = pa >> L1_LINE_SHIFT & (L1_SETS - 1);

	d->changes++;
	for (unsigned int n = 0; n < L1_WAYS; n++) {
		if (d->pa[set][n] == pa >> L1_LINE_SHIFT) {
			d->line[set][n] = 0;
			d->line_used[set] &= ~BIT(n);
		}
	}
}
