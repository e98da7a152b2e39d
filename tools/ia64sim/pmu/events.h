/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The table of events (events.def).
 */
#ifndef PMU_EVENTS_H
#define PMU_EVENTS_H

#include "state/cpu.h"

enum {
	NO_SET = 0,
	L1D_SETS = 0x10, L2_SETS = 0x20,	/* with the number of the set */
};

/* struct pmu_event.most */
/* All stacked registers stored by one instruction, and loaded again. */
enum { SELDOM = 0, ITSELF = 0x1001, TIME = 0x1002, RSE = 2 * N_STACKED, MODEL = RSE };

enum { ALWAYS, TIMED };

/**
 * struct pmu_event - one line of the table
 * @count: the occurrences since power-on, if @done slots more are complete than the
 *	processor's count says; the rest as in events.def
 */
struct pmu_event {
	const char *name;
	u64 (*count)(const struct cpu *cpu, unsigned int done);
	u16 umasks;
	u16 most;
	u8 code, set, when;
};

/* What a counter is for that counts nothing. */
enum { NO_EVENT = 0 };

/** event_find() - the event that a PMC asks for.  Return: its number, or NO_EVENT. */
unsigned int event_find(u64 pmc);

/** event_get() - the event of that number, which is not NO_EVENT */
const struct pmu_event *event_get(unsigned int number);

#endif
