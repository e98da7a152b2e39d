// SPDX-License-Identifier: GPL-2.0
/*
 * Which events there are, which are refused, and which can be counted together.
 */
#include <fcntl.h>
#include <stdio.h>

#include "pmu.h"

static void check_file(const char *name, const char *expected)
{
	char path[128], text[128] = "";
	int fd;

	snprintf(path, sizeof(path), SYSFS "%s", name);
	fd = open(path, O_RDONLY);
	if (fd >= 0) {
		ssize_t n = read(fd, text, sizeof(text) - 1);

		text[n > 0 ? n - 1 : 0] = 0;
		close(fd);
	}
	if (strcmp(text, expected))
		ksft_print_msg("it has '%s', not '%s'\n", text, expected);
	ksft_test_result(!strcmp(text, expected), "%s\n", name);
}

/* Opening an event gives this error, or 0. */
static void check_open(const char *what, struct perf_event_attr attr, int error)
{
	int fd = open_event(&attr, 0, -1, -1), got = fd < 0 ? errno : 0;

	if (got != error)
		ksft_print_msg("'%s' instead of '%s'\n", strerror(got), strerror(error));
	ksft_test_result(got == error, "%s\n", what);
	if (fd >= 0)
		close(fd);
}

/* A group of raw events, which end with 0, can be opened up to the last one, which gives this. */
static void check_group(const char *what, const uint64_t *configs, int error)
{
	int fds[16], n = 0, got = 0, i;

	for (; configs[n] && !got; n++) {
		struct perf_event_attr attr = raw_event(configs[n], USER);

		fds[n] = open_event(&attr, 0, -1, n ? fds[0] : -1);
		if (fds[n] < 0)
			got = errno;
	}
	if (got != error || (got && configs[n]))
		ksft_print_msg("'%s' for event %d\n", strerror(got), n);
	ksft_test_result(got == error && !(got && configs[n]), "%s\n", what);
	for (i = 0; i < n; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

#define GROUP(...)	((const uint64_t []){ __VA_ARGS__, 0 })

static struct perf_event_attr with(uint64_t config, uint64_t config1, uint64_t config2, int precise)
{
	struct perf_event_attr attr = raw_event(config, USER);

	attr.config1 = config1;
	attr.config2 = config2;
	attr.precise_ip = precise;
	return attr;
}

static struct perf_event_attr generic(int type, uint64_t config)
{
	struct perf_event_attr attr = raw_event(config, USER);

	attr.type = type;
	return attr;
}

#define CACHE(type, op, result)	(PERF_COUNT_HW_CACHE_##type |			\
				 PERF_COUNT_HW_CACHE_OP_##op << 8 |		\
				 PERF_COUNT_HW_CACHE_RESULT_##result << 16)

/* Two sets of the L1D's take turns: both count, neither all the time. */
static void check_turns(void)
{
	struct perf_event_attr attr[2] = {
		raw_event(L2DTLB_MISSES, USER | KERNEL), raw_event(L1D_READS_SET1, USER | KERNEL)
	};
	struct { uint64_t value, enabled, running; } count[2];
	bool good = true;
	int fd[2], i;

	for (i = 0; i < 2; i++) {
		attr[i].disabled = 0;
		attr[i].read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
				      PERF_FORMAT_TOTAL_TIME_RUNNING;
		fd[i] = open_own(&attr[i], -1);
	}
	spin(10000000);
	for (i = 0; i < 2; i++) {
		if (read(fd[i], &count[i], sizeof(count[i])) != sizeof(count[i]))
			ksft_exit_fail_msg("read: %s\n", strerror(errno));
		good &= count[i].running && count[i].running < count[i].enabled * 3 / 4;
		close(fd[i]);
	}
	if (!good)
		ksft_print_msg("running %llu of %llu, and %llu of %llu\n",
			       (unsigned long long)count[0].running,
			       (unsigned long long)count[0].enabled,
			       (unsigned long long)count[1].running,
			       (unsigned long long)count[1].enabled);
	ksft_test_result(good, "events of two sets take turns\n");
}

int main(void)
{
	struct perf_event_attr attr;

	ksft_print_header();
	if (access(SYSFS "format/event", R_OK))
		ksft_exit_skip("no PMU\n");
	ksft_set_plan(34);

	check_file("type", "4");
	check_file("format/event", "config:8-15");
	check_file("format/umask", "config:16-19");
	check_file("format/thres", "config:20-22");
	check_file("format/ear_mode", "config1:7-8");
	check_file("format/ear_umask", "config1:16-19");
	check_file("events/L2DTLB_MISSES", "event=0xc1");
	check_file("events/ITLB_MISSES_FETCH_ALL", "event=0x47,umask=0x3");
	check_file("events/DATA_EAR_TLB_ALL", "event=0xc8,ear_mode=0x1,ear_umask=0xe");

	check_open("cycles", generic(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES), 0);
	check_open("instructions", generic(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS), 0);
	check_open("cache-misses", generic(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES), 0);
	check_open("bus-cycles are not there",
		   generic(PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES), ENOENT);
	check_open("dTLB-load-misses", generic(PERF_TYPE_HW_CACHE, CACHE(DTLB, READ, MISS)), 0);
	check_open("iTLB-load-misses", generic(PERF_TYPE_HW_CACHE, CACHE(ITLB, READ, MISS)), 0);
	check_open("node-loads are not there",
		   generic(PERF_TYPE_HW_CACHE, CACHE(NODE, READ, ACCESS)), ENOENT);
	check_open("a cache event that is none", generic(PERF_TYPE_HW_CACHE, 0xff), EINVAL);
	check_open("a raw event with a level mask", with(CPU_CYCLES | 1, 0, 0, 0), EINVAL);
	check_open("a raw event with what is beyond a PMC", with(1ULL << 40, 0, 0, 0), EINVAL);
	check_open("config1 without the EAR", with(CPU_CYCLES, 1 << 7, 0, 0), EINVAL);
	check_open("config2", with(CPU_CYCLES, 0, 1, 0), EINVAL);
	check_open("the data EAR", with(DATA_EAR_EVENTS, EAR_TLB_VHPT_OR_FAULT, 0, 2), 0);
	check_open("the instruction EAR", with(L1I_EAR_EVENTS, 0, 0, 0), EOPNOTSUPP);
	check_open("precise cycles", with(CPU_CYCLES, 0, 0, 1), EOPNOTSUPP);
	attr = raw_event(CPU_CYCLES, USER);
	attr.exclude_idle = 1;
	check_open("without the idle task", attr, EOPNOTSUPP);

	check_group("a group of four", GROUP(CPU_CYCLES, IA64_INST_RETIRED, NOPS_RETIRED,
					     DTLB_INSERTS_HPW), 0);
	check_group("one of five", GROUP(CPU_CYCLES, IA64_INST_RETIRED, NOPS_RETIRED,
					 DTLB_INSERTS_HPW, CPU_CYCLES), EINVAL);
	check_group("two of one set", GROUP(L2DTLB_MISSES, DATA_REFERENCES_SET0,
					    DTLB_INSERTS_HPW, CPU_CYCLES), 0);
	check_group("two sets of the L1D", GROUP(L2DTLB_MISSES, CPU_CYCLES, L1D_READS_SET1),
		    EINVAL);
	check_group("a set of the L1D and one of the L2",
		    GROUP(CPU_CYCLES, L1D_READS_SET1, L2_OZQ_FULL, IA64_INST_RETIRED), 0);
	check_group("two unit masks of a set that has one",
		    GROUP(EVENT(0xb8, 0), EVENT(0xb8, 1)), EINVAL);
	check_group("two unit masks of a set that has many",
		    GROUP(EVENT(0xb2, 1), EVENT(0xb2, 2)), 0);
	check_group("two that only PMC4 has", GROUP(EVENT(0xb4, 0), EVENT(0xb4, 1)), EINVAL);
	check_turns();
	ksft_finished();
}
