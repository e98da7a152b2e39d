// SPDX-License-Identifier: GPL-2.0
/*
 * What a miss of the TLB costs on this machine, measured.
 *
 * Two chases follow pointers through as many cache lines each, one line after the other.  The
 * far one goes through more pages than the TLB has entries, again and again in the same order,
 * so that each load misses.  The near one has the same lines on so few pages that each load
 * hits.  All else is the same: which sets of the caches the lines are in, as far as their place
 * in the page decides that; and that each load is of another page than the last one, with
 * enough others before it comes back that a small first level of the TLB misses in both.  So
 * what the far one takes more is what its misses cost.
 */

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "events.h"
#include "misscost.h"
#include "superpage.h"

#define LINE		128	/* bytes of the longest cache line */
#define LINES		1024	/* 128 KiB of them: more than L1D, less than L2 */
#define NEAR_PAGES	64	/* half of what an Itanium 2 has room for */
#define TRIES		5
#define LOADS		32768	/* a try */

/**
 * count_code() - count what it takes
 * @code:	a function
 * @arg:	its argument
 * @c:		the result.  @c->walker is negative if there is no such event
 *
 * Ends the program if the events are not there.
 */
void count_code(void (*code)(void *arg), void *arg, struct counted *c)
{
	static const enum event events[] = {
		EVENT_CYCLES, EVENT_INSTRUCTIONS, EVENT_MISSES, EVENT_WALKER,
	};
	double *result[] = { &c->cycles, &c->instructions, &c->misses, &c->walker };
	int fd[4], i;

	for (i = 0; i < 4; i++) {
		fd[i] = event_open(events[i], 0, EVENT_ALL, i ? fd[0] : -1);
		if (fd[i] < 0 && events[i] != EVENT_WALKER)
			die("%s", event_explain(events[i], -fd[i]));
	}
	event_group_begin(fd[0]);
	code(arg);
	event_group_end(fd[0]);
	for (i = 0; i < 4; i++) {
		*result[i] = -1;
		if (fd[i] < 0)
			continue;
		if (!event_read(fd[i], result[i]))
			die(EVENTS_BUSY);
		close(fd[i]);
	}
}

static void do_nothing(void *arg)
{
	for (unsigned long n = (unsigned long)arg; n; n--)
		__asm__ volatile ("");
}

/**
 * clock_is_slots() - whether a cycle is an instruction
 *
 * As in a simulator without a model of time.  A processor takes one cycle or less for a round
 * of this loop, which has three instructions or more.
 */
bool clock_is_slots(void)
{
	struct counted c;

	count_code(do_nothing, (void *)1000000UL, &c);
	/* There are interrupts, too. */
	return c.cycles > 0.95 * c.instructions && c.cycles < 1.05 * c.instructions;
}

static void follow(void *arg)
{
	void **p = *(void **)arg;

	for (int n = LOADS / 8; n; n--) {
		p = *p;
		p = *p;
		p = *p;
		p = *p;
		p = *p;
		p = *p;
		p = *p;
		p = *p;
	}
	/* Where to go on; it also keeps the loads. */
	*(void **)arg = p;
}

/*
 * Make a ring of @lines lines in @pages pages of @size bytes: one line of each page in turn,
 * the pages in an order that no prefetcher foresees.  Where a line lies within @color bytes
 * does not depend on @pages.
 */
static void *make_ring(char *base, unsigned long pages, unsigned long size, unsigned long lines,
		       unsigned long color)
{
	unsigned long each = lines / pages, i, j, q, *order = malloc(pages * sizeof(*order));
	unsigned int state = 1;
	void **last = NULL, **p, **first = NULL;

	if (!order)
		die("no memory");
	for (i = 0; i < pages; i++) {
		state = state * 1103515245 + 12345;
		j = (state >> 8) % (i + 1);
		order[i] = order[j];
		order[j] = i;
	}
	for (q = 0; q < each; q++)
		for (i = 0; i < pages; i++) {
			p = (void **)(base + order[i] * size +
				      (order[i] * each + q) * LINE % color);
			if (last)
				*last = p;
			else
				first = p;
			last = p;
		}
	*last = first;
	free(order);
	return first;
}

static void chase(void *ring, struct counted *best)
{
	struct counted c;

	best->cycles = 0;
	follow(&ring);
	/* Interrupts only make it longer. */
	for (int i = 0; i < TRIES; i++) {
		count_code(follow, &ring, &c);
		if (!i || c.cycles < best->cycles)
			*best = c;
	}
}

/**
 * want_superpages() - have this program get superpages of one size only, or of all
 * @size:	bytes; 0 for all sizes
 *
 * Return: false if this kernel does not let it.
 */
bool want_superpages(unsigned long size)
{
	unsigned long bit = size ? size / getpagesize() : 0;
	char text[64];

	snprintf(text, sizeof(text), "mode always\norders 0x%lx\n", bit);
	return !write_policy("self", text);
}

/* How many bytes of this program are in superpages of @size bytes. */
static unsigned long in_superpages(unsigned long size)
{
	char *text = slurp(PROC "/self/smaps_rollup"), *line, name[40];
	unsigned long kb = 0;

	snprintf(name, sizeof(name), "\nSuperpages%lukB:", size / 1024);
	line = text ? strstr(text, name) : NULL;
	if (line)
		kb = strtoul(line + strlen(name), NULL, 10);
	free(text);
	return kb * 1024;
}

/** misscost_most_pages() - more pages than this cannot be compared with few */
unsigned long misscost_most_pages(void)
{
	return NEAR_PAGES * (sysconf(_SC_PAGESIZE) / LINE);
}

/* Bytes of memory that are available without swapping; none where nobody says. */
static unsigned long available(void)
{
	unsigned long kb = 0;
	FILE *f = fopen("/proc/meminfo", "r");
	char line[128];

	while (f && !kb && fgets(line, sizeof(line), f))
		sscanf(line, "MemAvailable: %lu kB", &kb);
	if (f)
		fclose(f);
	return kb << 10;
}

/**
 * misscost() - measure what a miss costs
 * @pages:	how many pages the far chase has, a power of two
 * @size:	0 for base pages, or the size of superpages in bytes
 * @cost:	the result
 *
 * Return: NULL, or why there is no result.
 */
const char *misscost(unsigned long pages, unsigned long size, struct misscost *cost)
{
	unsigned long lines = pages > LINES ? pages : LINES;
	unsigned long page = size ?: (unsigned long)getpagesize();
	struct counted near, far;
	char *memory, *aligned;
	const char *problem;

	if (size && !want_superpages(size))
		return "this kernel has no superpages of that size";
	/* All of it will be touched, and others shall not be swapped out for it. */
	if (size && pages * size > available() / 2)
		return "this would take more than half of the available memory; try fewer --pages";
	memory = mmap(NULL, (pages + 1) * page, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return strerror(errno);
	aligned = (char *)(((uintptr_t)memory + page - 1) / page * page);
	/* A kernel without large pages does not know either. */
	madvise(memory, (pages + 1) * page, size ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	/* They grow as memory is touched, all of it. */
	if (size)
		memset(aligned, 1, pages * page);
	problem = size && in_superpages(size) < pages * page ?
		  "the size is off, or there is not so much contiguous memory; try fewer --pages" :
		  NULL;
	if (!problem) {
		chase(make_ring(aligned, NEAR_PAGES, page, lines, page), &near);
		chase(make_ring(aligned, pages, page, lines, page), &far);
	}
	munmap(memory, (pages + 1) * page);
	if (problem)
		return problem;

	cost->near = near.cycles / LOADS;
	cost->far = far.cycles / LOADS;
	cost->missed = far.misses / LOADS;
	if (near.misses > 0.1 * LOADS)
		return "even a few pages miss; does another program use the TLB?";
	if (cost->missed < 0.5)
		return "most loads hit the TLB, which must have more entries; try more --pages";
	cost->cycles = (far.cycles - near.cycles) / (far.misses - near.misses);
	cost->walker = far.walker < 0 ? -1 : far.walker / far.misses;
	if (cost->walker > 1)
		cost->walker = 1;
	return NULL;
}
