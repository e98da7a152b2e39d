// SPDX-License-Identifier: GPL-2.0
/*
 * pmu_stress [-n ROUNDS] - threads count their own instructions, exactly, while they move
 * from CPU to CPU and others open, move, sample and close events of all CPUs.
 *
 * The counts are of pinned events, which nothing but pinned events of a CPU goes before.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "pmu.h"

static int cpus, rounds = 100;
static atomic_bool done;
static atomic_uint wrong, disturbances;

static void *count(void *arg)
{
	struct perf_event_attr attr = raw_event(IA64_INST_RETIRED, USER);
	unsigned int seed = (uintptr_t)arg;
	uint64_t extra, n, got;
	int fd, i;

	attr.pinned = 1;
	fd = open_own(&attr, -1);
	extra = count_spin(fd, 1000) - SLOTS * 1000;
	for (i = 0; i < rounds; i++) {
		run_on(rand_r(&seed) % cpus);
		n = 1000 + rand_r(&seed) % 100000;
		got = count_spin(fd, n);
		if (got != SLOTS * n + extra) {
			ksft_print_msg("%llu, not %llu\n", (unsigned long long)got,
				       (unsigned long long)(SLOTS * n + extra));
			wrong++;
		}
	}
	close(fd);
	return NULL;
}

static void *disturb(void *arg)
{
	static const uint64_t configs[] = {
		CPU_CYCLES, L1D_READS_SET1, L2DTLB_MISSES, L2_OZQ_FULL, DATA_EAR_EVENTS,
		NOPS_RETIRED, EVENT(0xb4, 0),
	};
	unsigned int seed = 12345 + (uintptr_t)arg;
	int fd[6] = { -1, -1, -1, -1, -1, -1 };

	while (!done) {
		int i = rand_r(&seed) % 6, r = rand_r(&seed);

		if (fd[i] < 0) {
			struct perf_event_attr attr = raw_event(configs[r % 7],
								r & 8 ? USER | KERNEL : KERNEL);

			if (attr.config == DATA_EAR_EVENTS)
				attr.config1 = EAR_TLB_VHPT_OR_FAULT;
			attr.disabled = r & 16;
			if (r & 32) {
				attr.sample_period = 1000 + r % 5000;
				attr.sample_type = SAMPLE_TYPE;
			}
			fd[i] = open_event(&attr, -1, rand_r(&seed) % cpus, -1);
			if (fd[i] < 0)
				ksft_exit_fail_msg("perf_event_open of a CPU: %s\n",
						   strerror(errno));
			disturbances++;
		} else if (r % 3) {
			ioctl(fd[i], r & 16 ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
		} else {
			close(fd[i]);
			fd[i] = -1;
		}
		if (r & 64)
			run_on(rand_r(&seed) % cpus);
		/* Let the events count; to sleep, or to yield, would take ticks. */
		spin(1 + r % 5000);
	}
	for (int i = 0; i < 6; i++)
		if (fd[i] >= 0)
			close(fd[i]);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[16], disturber[2];
	int opt, i, n;

	while ((opt = getopt(argc, argv, "n:")) != -1) {
		if (opt != 'n' || atoi(optarg) < 1) {
			fprintf(stderr, "use: pmu_stress [-n ROUNDS]\n");
			return KSFT_FAIL;
		}
		rounds = atoi(optarg);
	}
	ksft_print_header();
	if (access(SYSFS "format/event", R_OK))
		ksft_exit_skip("no PMU\n");
	ksft_set_plan(1);
	cpus = sysconf(_SC_NPROCESSORS_ONLN);
	n = cpus * 2 < 16 ? cpus * 2 : 16;
	for (i = 0; i < 2; i++)
		pthread_create(&disturber[i], NULL, disturb, (void *)(uintptr_t)i);
	for (i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, count, (void *)(uintptr_t)i);
	for (i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	done = true;
	for (i = 0; i < 2; i++)
		pthread_join(disturber[i], NULL);
	ksft_print_msg("%d threads, %d rounds, %u events of others\n", n, rounds, disturbances);
	ksft_test_result(!wrong && disturbances > 10, "exact counts while others come and go\n");
	ksft_finished();
}
