/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perf_events, as the tools here use them.
 */
#ifndef EVENTS_H
#define EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum event {
	EVENT_CYCLES,
	EVENT_INSTRUCTIONS,
	EVENT_MISSES,		/* of data references in the TLB's last level */
	EVENT_WALKER,		/* those that the page-table walker has served */
	EVENT_SAMPLES,		/* misses, with the addresses */
	NR_EVENTS
};

/** enum event_who - whose events are counted */
enum event_who { EVENT_ALL, EVENT_USER };

/**
 * struct ring - where the kernel puts samples
 * @page:	its control page, a struct perf_event_mmap_page; NULL without samples
 * @data:	the samples
 * @size:	bytes of @data, a power of two
 */
struct ring {
	void *page;
	char *data;
	size_t size;
};

/**
 * struct sample - a miss
 * @address:	what was referred to
 * @period:	of how many misses it is one
 */
struct sample {
	uint64_t address;
	uint64_t period;
};

int event_open(enum event event, pid_t thread, enum event_who who, int group);
int event_open_samples(pid_t thread, uint64_t period);
const char *event_explain(enum event event, int error);
void event_group_begin(int leader);
void event_group_end(int leader);
bool event_read(int fd, double *count);

bool ring_map(struct ring *ring, int fd);
void ring_unmap(struct ring *ring);
bool ring_next(struct ring *ring, struct sample *sample, uint64_t *lost);

#endif /* EVENTS_H */
