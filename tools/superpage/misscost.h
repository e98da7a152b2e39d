/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a miss of the TLB costs on this machine, measured.
 */
#ifndef MISSCOST_H
#define MISSCOST_H

#include <stdbool.h>

/** struct counted - what was counted in a piece of code, user and kernel */
struct counted {
	double cycles, instructions, misses, walker;
};

/**
 * struct misscost - what a miss costs
 * @cycles:	cycles, beyond those of a hit
 * @walker:	which part of the misses the page-table walker has served; negative if there
 *		is no event for that
 * @missed:	which part of the loads of the far chase missed
 * @near:	cycles of a load that hits
 * @far:	cycles of a load of the far chase
 */
struct misscost {
	double cycles, walker, missed, near, far;
};

#define MISSCOST_PAGES	512	/* of the far chase, if nothing else is said */

/* What to say if clock_is_slots(), and if a count cannot be had */
#define CLOCK_IS_SLOTS	"the clock of this machine counts instructions; ia64sim needs -timing madison"
#define EVENTS_BUSY	"the performance monitors were busy with events of others; try again"

void count_code(void (*code)(void *arg), void *arg, struct counted *c);
bool clock_is_slots(void);
bool want_superpages(unsigned long size);
unsigned long misscost_most_pages(void);
const char *misscost(unsigned long pages, unsigned long size, struct misscost *cost);

#endif /* MISSCOST_H */
