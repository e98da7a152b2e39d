/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the tests of the performance monitors share: opening events, code of which it is
 * known how much it executes, and reading samples.
 */
#ifndef PMU_H
#define PMU_H

#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../kselftest.h"

#define SYSFS			"/sys/bus/event_source/devices/cpu/"

/* A PMC as raw events have it: event select and unit mask */
#define EVENT(es, umask)	((es) << 8 | (umask) << 16)
#define CPU_CYCLES		EVENT(0x12, 0)
#define IA64_INST_RETIRED	EVENT(0x08, 0)
#define NOPS_RETIRED		EVENT(0x50, 0)
#define L1D_READS_SET1		EVENT(0xc4, 0)
#define L2DTLB_MISSES		EVENT(0xc1, 0)
#define DATA_REFERENCES_SET0	EVENT(0xc3, 0)
#define DTLB_INSERTS_HPW	EVENT(0xc9, 0)
#define L2_OZQ_FULL		EVENT(0xbc, 0)
#define DATA_EAR_EVENTS		EVENT(0xc8, 0)
#define L1I_EAR_EVENTS		EVENT(0x43, 0)
/* config1 of DATA_EAR_EVENTS: the TLB's misses that were not found in the second level */
#define EAR_TLB_VHPT_OR_FAULT	0xc0080

/* Who is counted: user or kernel */
#define USER			1
#define KERNEL			2

static inline struct perf_event_attr raw_event(uint64_t config, int who)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_RAW,
		.size = sizeof(struct perf_event_attr),
		.config = config,
		.disabled = 1,
		.exclude_user = !(who & USER),
		.exclude_kernel = !(who & KERNEL),
		.exclude_hv = 1,
	};
}

static inline int open_event(struct perf_event_attr *attr, pid_t pid, int cpu, int group)
{
	return syscall(SYS_perf_event_open, attr, pid, cpu, group, PERF_FLAG_FD_CLOEXEC);
}

/* Of this task, or end the test. */
static inline int open_own(struct perf_event_attr *attr, int group)
{
	int fd = open_event(attr, 0, -1, group);

	if (fd < 0)
		ksft_exit_fail_msg("perf_event_open(config %llx): %s\n",
				   (unsigned long long)attr->config, strerror(errno));
	return fd;
}

static inline uint64_t read_event(int fd)
{
	uint64_t value;

	if (read(fd, &value, sizeof(value)) != sizeof(value))
		ksft_exit_fail_msg("read of an event: %s\n", strerror(errno));
	return value;
}

static inline void control(int fd, unsigned long request)
{
	if (ioctl(fd, request, 0))
		ksft_exit_fail_msg("ioctl %lx of an event: %s\n", request, strerror(errno));
}

/* n times the same bundle: 3 * n slots retire, and a few before and after. */
#define SLOTS			3
static void __attribute__((__noipa__, __unused__)) spin(uint64_t n)
{
	asm volatile("mov ar.lc = %0\n"
		     "	;;\n"
		     "1:	{ .mib\n"
		     "	nop.m 0\n"
		     "	nop.i 0\n"
		     "	br.cloop.sptk.few 1b\n"
		     "	;; }\n" : : "r"(n - 1) : "ar.lc");
}

/* Let fd count spin(n). */
static inline uint64_t count_spin(int fd, uint64_t n)
{
	uint64_t before = read_event(fd);

	control(fd, PERF_EVENT_IOC_ENABLE);
	spin(n);
	control(fd, PERF_EVENT_IOC_DISABLE);
	return read_event(fd) - before;
}

/* Read a word of each of n pages. */
static void __attribute__((__noipa__, __unused__)) walk(char *p, size_t n, size_t step)
{
	uint64_t value;

	for (; n; n--, p += step)
		asm volatile("ld1 %0 = [%1]" : "=r"(value) : "r"(p));
}

/* Where a function's code begins: pointers to functions lead to descriptors. */
static inline uint64_t code_of(void (*function)())
{
	return *(uint64_t *)function;
}

static inline void run_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		ksft_exit_fail_msg("sched_setaffinity to CPU %d: %s\n", cpu, strerror(errno));
}

/* --- samples --- */

#define RING_PAGES		16

struct ring {
	struct perf_event_mmap_page *page;
	char *data;
	size_t size;
};

static inline struct ring map_ring(int fd)
{
	size_t page = getpagesize();
	struct ring ring = { .size = RING_PAGES * page };

	ring.page = mmap(NULL, page + ring.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (ring.page == MAP_FAILED)
		ksft_exit_fail_msg("mmap of a ring buffer: %s\n", strerror(errno));
	ring.data = (char *)ring.page + page;
	return ring;
}

static inline void unmap_ring(struct ring *ring)
{
	munmap(ring->page, getpagesize() + ring->size);
}

/* What the samples have here, in the order of the kernel */
#define SAMPLE_TYPE	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_ADDR | \
			 PERF_SAMPLE_PERIOD | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC)
struct sample {
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t addr;
	uint64_t period;
	uint64_t weight;
	uint64_t data_src;
};

/* Take the next sample; count in *lost those that found no room. */
static inline bool next_sample(struct ring *ring, struct sample *sample, uint64_t *lost)
{
	uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = ring->page->data_tail;
	bool found = false;

	while (tail < head && !found) {
		struct perf_event_header header;
		uint64_t record[16] = { 0 };
		size_t i;

		for (i = 0; i < sizeof(header); i++)
			((char *)&header)[i] = ring->data[(tail + i) % ring->size];
		for (i = 0; i < header.size && i < sizeof(record); i++)
			((char *)record)[i] = ring->data[(tail + i) % ring->size];
		if (header.type == PERF_RECORD_SAMPLE) {
			memcpy(sample, record + 1, sizeof(*sample));
			found = true;
		} else if (header.type == PERF_RECORD_LOST) {
			*lost += record[2];
		}
		tail += header.size;
	}
	__atomic_store_n(&ring->page->data_tail, tail, __ATOMIC_RELEASE);
	return found;
}

#endif /* PMU_H */
