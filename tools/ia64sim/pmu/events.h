/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The table of events (events.def).
 */
#ifndef PMU_EVENTS_H
#define PMU_EVENTS_H

#include "state/cpu.h"

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
	u8 code, when;
};

/* What a counter is for that counts nothing. */
enum { NO_EVENT = 0 };

/** event_find() - the event that a PMC asks for.  Return: its number, or NO_EVENT. */
unsigned int event_find(u64 pmc);

enum { NO_SET = -1 };

/**
 * event_set() - which of the L1D's sets of events has the one that a PMC asks for
 *
 * Whatever its umask is, and whether or not the table has it.  An Itanium 2 chooses one of
 * these sets by PMC5, and events of others count nothing.  (So does PMC4 for those of L2, of
 * which the table has none.)
 *
 * Return: its number, or NO_SET: it counts beside any other
 */
int event_set(u64 pmc);

/** event_get() - the event of that number, which is not NO_EVENT */
const struct pmu_event *event_get(unsigned int number);

#endif
