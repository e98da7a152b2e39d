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
 * @begin: begin a region, anew if one has begun; otherwise end it, if one has
 */
void stats_region(struct machine *m, bool begin);
void stats_destroy(struct machine *m);

#endif
