/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The counters as JSON (-stats).
 */
#ifndef STATS_H
#define STATS_H

#include <stdio.h>

#include "state/machine.h"

void stats_print(const struct machine *m, FILE *f);

/**
 * stats_region() - the guest begins or ends what it wants counted by itself
 * @nr: begin a region of this number; 0: begin none
 *
 * If a region has begun already, it ends.
 */
void stats_region(struct machine *m, u8 nr);

/**
 * stats_region_begun() - what the guest has begun and not yet ended
 *
 * Return: the number of the region, or 0.
 */
u8 stats_region_begun(const struct machine *m);
void stats_destroy(struct machine *m);

#endif
