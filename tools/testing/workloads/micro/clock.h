/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The clock of the programs that "measure" runs.  "measure" stops them now and then to look at
 * their memory.  It adds up for how many cycles they were stopped, in a file that MEASURE_LOOKS
 * in the environment names, and the clock stands still meanwhile.
 */
#ifndef CLOCK_H
#define CLOCK_H

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define MEASURE_LOOKS	"MEASURE_LOOKS"

static const uint64_t no_looks;
static const volatile uint64_t *looks = &no_looks;

/* Cycles of ar.itc.  On other machines than an Itanium these are nanoseconds. */
static inline uint64_t ticks(void)
{
	uint64_t now;

#ifdef __ia64__
	__asm__ volatile ("mov %0 = ar.itc" : "=r"(now) : : "memory");
#else
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	now = ts.tv_sec * 1000000000ULL + ts.tv_nsec;
#endif
	return now;
}

/*
 * Call this once before cycles().  Children do not inherit the mapping, lest fork() take longer
 * when it is measured, so that they cannot call cycles().  Return nonzero if there is no such file.
 */
static inline int find_looks(void)
{
	const char *path = getenv(MEASURE_LOOKS);
	void *p;
	int fd;

	if (!path)
		return 0;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	p = mmap(NULL, sizeof(*looks), PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	if (p == MAP_FAILED || madvise(p, sizeof(*looks), MADV_DONTFORK))
		return -1;
	looks = p;
	return 0;
}

/* Cycles, without those for which this process was stopped.  It may be stopped in the middle. */
static inline uint64_t cycles(void)
{
	uint64_t before, now;

	do {
		before = *looks;
		now = ticks();
	} while (*looks != before);
	return now - before;
}

#endif /* CLOCK_H */
