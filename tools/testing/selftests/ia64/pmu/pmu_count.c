// SPDX-License-Identifier: GPL-2.0
/*
 * Counts are exact, for whom and where they are asked for.
 */
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "pmu.h"

#define N	100000

static void check(const char *what, bool good)
{
	ksft_test_result(good, "%s\n", what);
}

static void check_equal(const char *what, uint64_t got, uint64_t expected)
{
	if (got != expected)
		ksft_print_msg("%llu, not %llu\n", (unsigned long long)got,
			       (unsigned long long)expected);
	ksft_test_result(got == expected, "%s\n", what);
}

/* What count_spin() counts of itself */
static uint64_t overhead(int fd)
{
	return count_spin(fd, N) - SLOTS * N;
}

static void check_exact(void)
{
	struct perf_event_attr user = raw_event(IA64_INST_RETIRED, USER);
	struct perf_event_attr nops = raw_event(NOPS_RETIRED, USER);
	struct perf_event_attr kernel = raw_event(IA64_INST_RETIRED, KERNEL);
	int fd = open_own(&user, -1);
	uint64_t extra = overhead(fd), k1, k2;

	check_equal("instructions in user mode, of 10 times as many",
		    count_spin(fd, 10 * N), 10 * SLOTS * N + extra);
	check("and few of ours", extra < 200);
	close(fd);

	fd = open_own(&nops, -1);
	k1 = count_spin(fd, N);
	k2 = count_spin(fd, 2 * N);
	check_equal("nops in user mode", k2 - k1, 2 * N);
	close(fd);

	fd = open_own(&kernel, -1);
	k1 = count_spin(fd, N);
	k2 = count_spin(fd, 100 * N);
	/* Timer ticks are there, too. */
	check("nothing of a user's loop in the kernel", k2 - k1 < SLOTS * 99 * N / 20);
	close(fd);
}

/*
 * System calls go through the gate page, which keeps the caller's psr.pp: what a call
 * executes in the kernel is counted nevertheless.
 */
static void check_gate(void)
{
	struct perf_event_attr attr = raw_event(IA64_INST_RETIRED, KERNEL);
	uint64_t count[2];
	int fd, i, n;

	fd = open_own(&attr, -1);
	for (n = 0; n < 2; n++) {
		count[n] = read_event(fd);
		control(fd, PERF_EVENT_IOC_ENABLE);
		for (i = 0; i < 1000 << n; i++)
			getpriority(0, 0);
		control(fd, PERF_EVENT_IOC_DISABLE);
		count[n] = read_event(fd) - count[n];
	}
	ksft_print_msg("%llu and %llu\n", (unsigned long long)count[0],
		       (unsigned long long)count[1]);
	check("system calls through the gate page", count[1] - count[0] > 100 * 1000);
	close(fd);
}

/* Enabled by exec() or inherited by fork(), and counted for the parent. */
static void check_inherit(void)
{
	struct perf_event_attr attr = raw_event(IA64_INST_RETIRED, USER);
	uint64_t got;
	int fd;

	attr.inherit = 1;
	fd = open_own(&attr, -1);
	control(fd, PERF_EVENT_IOC_ENABLE);
	if (!fork()) {
		spin(20 * N);
		_exit(0);
	}
	wait(NULL);
	control(fd, PERF_EVENT_IOC_DISABLE);
	got = read_event(fd);
	check("a child's instructions are its parent's",
	      got > SLOTS * 20 * N && got < SLOTS * 21 * N);
	close(fd);
}

/* Another task on the same CPU is not counted. */
static void check_others(void)
{
	struct perf_event_attr attr = raw_event(IA64_INST_RETIRED, USER);
	uint64_t extra;
	pid_t child;
	int fd;

	run_on(0);
	fd = open_own(&attr, -1);
	extra = overhead(fd);
	child = fork();
	if (!child)
		for (;;)
			spin(N);
	/* Some ticks long, so that both have turns. */
	check_equal("not what others do on the CPU", count_spin(fd, 200 * N),
		    SLOTS * 200 * N + extra);
	kill(child, SIGKILL);
	wait(NULL);
	close(fd);
}

/* A task takes its counts along to other CPUs. */
static void check_migration(int cpus)
{
	struct perf_event_attr attr = raw_event(IA64_INST_RETIRED, USER);
	uint64_t extra, one, all;
	cpu_set_t set;
	int fd, i, n;

	fd = open_own(&attr, -1);
	extra = overhead(fd);
	for (n = 0; n < 2; n++) {
		all = read_event(fd);
		control(fd, PERF_EVENT_IOC_ENABLE);
		for (i = 0; i < 100; i++) {
			/* The same code for both. */
			CPU_ZERO(&set);
			CPU_SET(i % (n ? cpus : 1), &set);
			sched_setaffinity(0, sizeof(set), &set);
			spin(N);
		}
		control(fd, PERF_EVENT_IOC_DISABLE);
		all = read_event(fd) - all;
		if (!n)
			one = all;
	}
	check_equal("a task that moves from CPU to CPU", all, one);
	check("counts all of it", one > extra + SLOTS * 100 * N && one < SLOTS * 101 * N);
	close(fd);
	run_on(0);
}

/* All that runs on a CPU, whoever it is. */
static void check_cpu(void)
{
	struct perf_event_attr attr = raw_event(IA64_INST_RETIRED, USER);
	uint64_t got;
	int fd;

	run_on(0);
	fd = open_event(&attr, -1, 0, -1);
	if (fd < 0)
		ksft_exit_fail_msg("perf_event_open of a CPU: %s\n", strerror(errno));
	control(fd, PERF_EVENT_IOC_ENABLE);
	if (!fork()) {
		spin(20 * N);
		_exit(0);
	}
	wait(NULL);
	control(fd, PERF_EVENT_IOC_DISABLE);
	got = read_event(fd);
	check("a CPU's instructions are those of all tasks", got > SLOTS * 20 * N);
	close(fd);
}

/*
 * Three events that can be anywhere, and one that has to be where one of them is: it moves,
 * and loses nothing.  And back again.
 */
static void check_move(void)
{
	struct perf_event_attr attr = raw_event(IA64_INST_RETIRED, USER);
	struct perf_event_attr l1d = raw_event(L1D_READS_SET1, USER);
	struct perf_event_attr l2 = raw_event(L2_OZQ_FULL, USER);
	int fd[3], i, n, one, two;
	uint64_t count[3];

	l1d.disabled = 0;
	l2.disabled = 0;
	for (i = 0; i < 3; i++) {
		fd[i] = open_own(&attr, i ? fd[0] : -1);
		if (i)
			control(fd[i], PERF_EVENT_IOC_ENABLE);
	}
	control(fd[0], PERF_EVENT_IOC_ENABLE);
	spin(N);
	for (n = 0; n < 50; n++) {
		one = open_own(n & 1 ? &l1d : &l2, -1);
		spin(1000 + n);
		/* With this there is one too many, and they take turns. */
		two = open_own(n & 1 ? &l2 : &l1d, -1);
		close(one);
		spin(1000 + n);
		close(two);
	}
	control(fd[0], PERF_EVENT_IOC_DISABLE);
	/* Without their leader the others would count again. */
	for (i = 0; i < 3; i++)
		count[i] = read_event(fd[i]);
	for (i = 0; i < 3; i++)
		close(fd[i]);
	check("three counts while others come and go", count[0] > SLOTS * N);
	check_equal("the second is the first", count[1], count[0]);
	check_equal("the third is the first", count[2], count[0]);
}

/* User mode cannot read the monitors: it sees zero. */
static void check_pmd(void)
{
	struct perf_event_attr attr = raw_event(CPU_CYCLES, USER);
	int fd = open_own(&attr, -1);
	uint64_t value, any = 0;
	int i;

	control(fd, PERF_EVENT_IOC_ENABLE);
	for (i = 4; i < 8; i++) {
		asm volatile("mov %0 = pmd[%1]" : "=r"(value) : "r"(i));
		any |= value;
	}
	check_equal("a program sees zero in the counters", any, 0);
	close(fd);
}

int main(void)
{
	int cpus = sysconf(_SC_NPROCESSORS_ONLN);

	ksft_print_header();
	if (access(SYSFS "format/event", R_OK))
		ksft_exit_skip("no PMU\n");
	ksft_set_plan(14);
	check_exact();
	check_gate();
	check_inherit();
	check_others();
	check_migration(cpus);
	check_cpu();
	check_move();
	check_pmd();
	ksft_finished();
}
