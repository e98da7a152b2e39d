// SPDX-License-Identifier: GPL-2.0
/*
 * The table of events, from events.def.
 */
#include "pmu/events.h"

#define ANY		0xffff
#define UMASK(n)	(1 << (n))
#define UMASKS(lo, hi)	((1 << ((hi) + 1)) - (1 << (lo)))

/* Without a model a slot takes a cycle, and the one that is done has had its. */
static u64 cycles_of(const struct cpu *cpu, unsigned int done)
{
	return cpu_busy(cpu) + (cpu->timing ? 0 : done);
}

/* Stall cycles, and the classes of them that are events. */
#define STALLED(cause)	s->time.stall[STALL_##cause]
#define EXECUTION	(STALLED(LOAD) + STALLED(GENERAL) + STALLED(FLOAT) + STALLED(PREDICATE) + \
			 STALLED(CONTROL))
#define FLUSHES		(STALLED(BRANCH) + STALLED(EXCEPTION))
#define L1D		(STALLED(DTLB) + STALLED(WALK) + STALLED(QUEUE) + STALLED(ORDER))
#define REGISTER_STACK	(STALLED(RSE_SPILL) + STALLED(RSE_FILL))
#define FRONT_END	(STALLED(FETCH) + STALLED(ITLB) + STALLED(TARGET))

#define EVENT(name, code, umasks, most, when, what)				\
	static u64 count_##name(const struct cpu *cpu, unsigned int done)	\
	{									\
		const struct cpu_stats *s = &cpu->stats;			\
		u64 retired = cpu_retired(cpu) + done;				\
		u64 cycles = cycles_of(cpu, done);				\
										\
		(void)s, (void)retired, (void)cycles;				\
		return what;							\
	}
#include "pmu/events.def"
#undef EVENT

static const struct pmu_event events[] = {
	[NO_EVENT] = { .umasks = 0 },
#define EVENT(name, code, umasks, most, when, what)	\
	{ #name, count_##name, umasks, most, code, when },
#include "pmu/events.def"
#undef EVENT
};

enum { N_KNOWN = sizeof(events) / sizeof(events[0]) };

static unsigned int code_of(u64 pmc)
{
	return FIELD(pmc, 8, 8);
}

unsigned int event_find(u64 pmc)
{
	u8 code = code_of(pmc);

	for (unsigned int n = NO_EVENT + 1; n < N_KNOWN; n++)
		if (events[n].code == code && events[n].umasks >> FIELD(pmc, 16, 4) & 1)
			return n;
	return NO_EVENT;
}

int event_set(u64 pmc)
{
	switch (code_of(pmc)) {
	case 0xc0 ... 0xc3:
		return 0;
	case 0xc4:
	case 0xc5:
	case 0xc7:
		return 1;
	case 0xca:
		return 2;
	case 0xcd ... 0xcf:
		return 3;
	case 0xd0 ... 0xd2:
		return 4;
	}
	return NO_SET;
}

const struct pmu_event *event_get(unsigned int number)
{
	return &events[number];
}
