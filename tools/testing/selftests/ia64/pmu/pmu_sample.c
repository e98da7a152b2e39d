// SPDX-License-Identifier: GPL-2.0
/*
 * Samples: as many as there are periods, with the instruction that they are of, and of the
 * data EAR with the address that missed.
 */
#include <poll.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "pmu.h"

#define N	1000000
#define PERIOD	10007
#define REGION_KERNEL	0xa000000000000000ULL

static void check(const char *what, bool good)
{
	ksft_test_result(good, "%s\n", what);
}

static struct perf_event_attr sampled(uint64_t config, int who, uint64_t period)
{
	struct perf_event_attr attr = raw_event(config, who);

	attr.sample_period = period;
	attr.sample_type = SAMPLE_TYPE;
	return attr;
}

static bool within(uint64_t ip, void (*function)(), size_t size)
{
	return ip >= code_of(function) && ip < code_of(function) + size;
}

/* User mode takes the interrupt at once: no period is left out. */
static void check_periods(void)
{
	struct perf_event_attr attr = sampled(IA64_INST_RETIRED, USER, PERIOD);
	unsigned int samples = 0, strange = 0, odd = 0;
	uint64_t count, lost = 0;
	struct sample sample;
	struct ring ring;
	int fd;

	fd = open_own(&attr, -1);
	ring = map_ring(fd);
	count = count_spin(fd, N);
	while (next_sample(&ring, &sample, &lost)) {
		samples++;
		strange += !within(sample.ip, (void (*)())spin, 64);
		odd += sample.period != PERIOD || sample.tid != (uint32_t)gettid();
	}
	ksft_print_msg("%u samples of %llu instructions, %u not in the loop, %llu lost\n", samples,
		       (unsigned long long)count, strange, (unsigned long long)lost);
	check("a sample for each period", samples == count / PERIOD && !lost);
	check("all of the loop", !strange);
	check("with their period and thread", !odd);
	unmap_ring(&ring);
	close(fd);
}

/* What counts beside an event that is sampled goes on counting. */
static void check_beside(void)
{
	struct perf_event_attr counting = raw_event(IA64_INST_RETIRED, USER);
	struct perf_event_attr attr = sampled(CPU_CYCLES, USER, 1009);
	uint64_t alone, beside;
	struct ring ring;
	int fd, other;

	fd = open_own(&counting, -1);
	alone = count_spin(fd, N);
	other = open_own(&attr, -1);
	ring = map_ring(other);
	control(other, PERF_EVENT_IOC_ENABLE);
	beside = count_spin(fd, N);
	control(other, PERF_EVENT_IOC_DISABLE);
	/* A processor may retire some more before it is interrupted. */
	check("an event beside it counts the same", beside <= alone && alone - beside < alone / 50);
	check("and samples are there", ring.page->data_head);
	unmap_ring(&ring);
	close(other);
	close(fd);
}

/* Samples of a system call are of the kernel. */
static void check_kernel(void)
{
	struct perf_event_attr attr = sampled(IA64_INST_RETIRED, KERNEL, 997);
	unsigned int samples = 0, user = 0;
	struct sample sample;
	uint64_t lost = 0;
	struct ring ring;
	int fd, i;

	fd = open_own(&attr, -1);
	ring = map_ring(fd);
	control(fd, PERF_EVENT_IOC_ENABLE);
	for (i = 0; i < 2000; i++)
		getpriority(0, 0);
	control(fd, PERF_EVENT_IOC_DISABLE);
	while (next_sample(&ring, &sample, &lost)) {
		samples++;
		user += sample.ip < REGION_KERNEL;
	}
	ksft_print_msg("%u samples, %u of them in user mode\n", samples, user);
	/* What overflows with interrupts off may be sampled on the way out: some are lost. */
	check("samples of the kernel", samples > 100 && user <= samples / 10);
	unmap_ring(&ring);
	close(fd);
}

/* Who waits for samples is woken up. */
static void check_wakeup(void)
{
	struct perf_event_attr attr = sampled(IA64_INST_RETIRED, USER, N);
	struct pollfd poll_fd = { .events = POLLIN };
	struct ring ring;
	pid_t child;
	int fd, ready;

	child = fork();
	if (!child)
		for (;;)
			spin(N);
	attr.wakeup_events = 1;
	attr.disabled = 0;
	fd = open_event(&attr, child, -1, -1);
	if (fd < 0)
		ksft_exit_fail_msg("perf_event_open of a child: %s\n", strerror(errno));
	ring = map_ring(fd);
	poll_fd.fd = fd;
	ready = poll(&poll_fd, 1, 10000);
	check("poll() returns when there is a sample",
	      ready == 1 && (poll_fd.revents & POLLIN) && ring.page->data_head);
	kill(child, SIGKILL);
	wait(NULL);
	unmap_ring(&ring);
	close(fd);
}

/* The kernel finds the period for a frequency. */
static void check_frequency(void)
{
	struct perf_event_attr attr = sampled(CPU_CYCLES, USER, 0);
	unsigned int samples = 0;
	struct sample sample;
	uint64_t lost = 0, last = 0;
	struct ring ring;
	int fd;

	attr.freq = 1;
	attr.sample_freq = 500;
	fd = open_own(&attr, -1);
	ring = map_ring(fd);
	count_spin(fd, 20 * N);
	while (next_sample(&ring, &sample, &lost)) {
		samples++;
		last = sample.period;
	}
	ksft_print_msg("%u samples, the last period is %llu\n", samples, (unsigned long long)last);
	/* These cycles are 10 ticks or more, of which the first ones learn. */
	check("a frequency becomes a period", samples > 5 && last > 100000);
	unmap_ring(&ring);
	close(fd);
}

/*
 * Walk pages that the TLB has no room for.  They are shared: nobody makes large pages of
 * them.  All samples are of the one load and of its addresses, and so are as many as there
 * are periods.
 */
static void check_ear(const char *what, struct perf_event_attr attr)
{
	unsigned int samples = 0, strange = 0, astray = 0, source = 0;
	size_t page = getpagesize(), pages = 4096;
	struct sample sample;
	uint64_t count, lost = 0;
	struct ring ring;
	char *p;
	int fd;

	p = mmap(NULL, pages * page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		ksft_exit_fail_msg("mmap: %s\n", strerror(errno));
	walk(p, pages, page);
	attr.exclude_kernel = 1;
	fd = open_own(&attr, -1);
	ring = map_ring(fd);
	control(fd, PERF_EVENT_IOC_ENABLE);
	walk(p + 8, pages, page);
	control(fd, PERF_EVENT_IOC_DISABLE);
	count = read_event(fd);
	while (next_sample(&ring, &sample, &lost)) {
		union perf_mem_data_src src = { .val = sample.data_src };

		samples++;
		/* ioctl() and the stack may miss as well. */
		if (sample.addr < (uintptr_t)p || sample.addr >= (uintptr_t)p + pages * page) {
			astray++;
			continue;
		}
		strange += !within(sample.ip, (void (*)())walk, 128) ||
			     sample.addr % page != 8;
		source += !(src.mem_op & PERF_MEM_OP_LOAD) ||
			  !(src.mem_dtlb & (PERF_MEM_TLB_WK | PERF_MEM_TLB_OS));
	}
	ksft_print_msg("%s: %u samples of %llu, %u in other memory, %u odd, %u without source\n",
		       what, samples, (unsigned long long)count, astray, strange, source);
	ksft_test_result(samples == count / attr.sample_period && samples > 200,
			 "%s: a sample for each period\n", what);
	ksft_test_result(astray < samples / 20 && !strange,
			 "%s: addresses and instructions that missed\n", what);
	ksft_test_result(!source, "%s: who found the translation\n", what);
	unmap_ring(&ring);
	close(fd);
	munmap(p, pages * page);
}

int main(void)
{
	struct perf_event_attr attr;

	ksft_print_header();
	if (access(SYSFS "format/event", R_OK))
		ksft_exit_skip("no PMU\n");
	ksft_set_plan(14);
	check_periods();
	check_beside();
	check_kernel();
	check_wakeup();
	check_frequency();

	attr = sampled(DATA_EAR_EVENTS, USER, 16);
	attr.config1 = EAR_TLB_VHPT_OR_FAULT;
	attr.precise_ip = 2;
	check_ear("DATA_EAR_TLB_VHPT_OR_FAULT", attr);

	attr = sampled(0, USER, 16);
	attr.type = PERF_TYPE_HW_CACHE;
	attr.config = PERF_COUNT_HW_CACHE_DTLB | PERF_COUNT_HW_CACHE_OP_READ << 8 |
		      PERF_COUNT_HW_CACHE_RESULT_MISS << 16;
	check_ear("dTLB-load-misses", attr);
	ksft_finished();
}
