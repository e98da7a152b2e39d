// SPDX-License-Identifier: GPL-2.0
/*
 * pmu_region [-w] [PAGES] - count what a walk through so many pages does, and the kernel for
 * it, with one group of events, and print it, to be compared with the counts of others.
 * With -w it only walks, for others to count.
 *
 * The pages are shared memory, which has no large pages.
 */
#include <stdio.h>

#include "pmu.h"

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		uint64_t config;
	} events[] = {
		{ "IA64_INST_RETIRED", IA64_INST_RETIRED },
		{ "L2DTLB_MISSES", L2DTLB_MISSES },
		{ "DTLB_INSERTS_HPW", DTLB_INSERTS_HPW },
		{ "CPU_CYCLES", CPU_CYCLES },
	};
	size_t pages = 2048, page = getpagesize();
	bool only_walk = false;
	int fd[4], i;
	char *p;

	if (argc > 1 && !strcmp(argv[1], "-w")) {
		only_walk = true;
		argc--;
		argv++;
	}
	if (argc > 1)
		pages = strtoul(argv[1], NULL, 0);
	if (argc > 2 || !pages) {
		fprintf(stderr, "use: pmu_region [-w] [PAGES]\n");
		return 1;
	}
	p = mmap(NULL, pages * page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED) {
		perror("pmu_region: mmap");
		return 1;
	}
	for (i = 0; !only_walk && i < 4; i++) {
		struct perf_event_attr attr = raw_event(events[i].config, USER | KERNEL);

		/* The siblings go with their leader. */
		attr.disabled = !i;
		fd[i] = open_event(&attr, 0, -1, i ? fd[0] : -1);
		if (fd[i] < 0) {
			perror("pmu_region: perf_event_open");
			return 1;
		}
	}
	if (!only_walk)
		control(fd[0], PERF_EVENT_IOC_ENABLE);
	walk(p, pages, page);
	walk(p, pages, page);
	if (only_walk)
		return 0;
	control(fd[0], PERF_EVENT_IOC_DISABLE);
	for (i = 0; i < 4; i++)
		printf("pmu_region: %s %llu\n", events[i].name,
		       (unsigned long long)read_event(fd[i]));
	return 0;
}
