/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the micro workloads.  Each prints its results on standard output.  They depend only on
 * its arguments.  For each of its parts it prints a line with the operations and the cycles of
 * ar.itc on standard error.  The looks of "measure" at its memory are not among these.
 *
 *	part NAME ops=N cycles=N [region=N]
 *
 * The simulator counts in the region of -stats that has this number what happens in the part.
 */
#ifndef MICRO_H
#define MICRO_H

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "region.h"

#define KIB	1024UL
#define MIB	(1024 * KIB)

static uint64_t draw_state = 88172645463325252ULL;
static uint64_t begun;
static unsigned char region = 1;	/* the last that has begun; "measure" begins number 1 */
static int port = -1;			/* open while a part is a region */

static inline void __attribute__((__noreturn__)) die(const char *what)
{
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, strerror(errno));
	exit(1);
}

/* The next random number below @below, by xorshift64. */
static inline uint64_t draw(uint64_t below)
{
	draw_state ^= draw_state << 13;
	draw_state ^= draw_state >> 7;
	draw_state ^= draw_state << 17;
	return (draw_state >> 16) % below;
}

static inline uint64_t mix(uint64_t sum, uint64_t value)
{
	return (sum ^ value) * 0x100000001b3ULL;
}

static inline void print_line(const char *name, uint64_t ops, uint64_t taken, const char *more)
{
	fprintf(stderr, "part %s ops=%llu cycles=%llu%s\n", name, (unsigned long long)ops,
		(unsigned long long)taken, more);
}

static inline void print_part(const char *name, uint64_t ops, uint64_t taken)
{
	print_line(name, ops, taken, "");
}

/* What the clock takes the first time must not be measured. */
static inline void find_clock(void)
{
	if (looks != &no_looks)
		return;
	if (find_looks())
		die(MEASURE_LOOKS);
	cycles();
}

static inline void begin(void)
{
	find_clock();
	begun = cycles();
}

/*
 * Like begin(), for a part that is a region of -stats, too, if this is the simulator and "measure"
 * has begun its region, which is number 1.  Then "measure" leaves this region out when it looks.
 */
static inline void begin_region(void)
{
	find_clock();
	port = region_open();
	if (port >= 0 && region_begun(port) != 1) {
		close(port);
		port = -1;
	}
	if (port >= 0 && region_begin(port, ++region))
		die("/dev/port");
	begun = cycles();
}

/* Cycles since begin() */
static inline uint64_t stop(void)
{
	return cycles() - begun;
}

/* The end of a part that begin() or begin_region() has begun */
static inline void end(const char *name, uint64_t ops)
{
	uint64_t taken = stop();
	char more[20] = "";

	if (port >= 0) {
		if (region_begin(port, 1))
			die("/dev/port");
		close(port);
		port = -1;
		snprintf(more, sizeof(more), " region=%u", region);
	}
	print_line(name, ops, taken, more);
}

static inline void *allocate(size_t size)
{
	void *p = malloc(size);

	if (!p)
		die("malloc");
	return p;
}

/* The argument @text as a number from @least to @most.  Otherwise print @usage and exit. */
static inline uint64_t number(const char *text, uint64_t least, uint64_t most, const char *usage)
{
	char *end;
	uint64_t n;

	errno = 0;
	n = text ? strtoull(text, &end, 10) : 0;
	if (text && *text && *text != '-' && !*end && !errno && n >= least && n <= most)
		return n;
	fprintf(stderr, "use: %s %s: %s is not from %llu to %llu\n",
		program_invocation_short_name, usage, text ? text : "nothing",
		(unsigned long long)least, (unsigned long long)most);
	exit(2);
}

#endif /* MICRO_H */
