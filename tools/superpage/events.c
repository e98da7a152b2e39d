// SPDX-License-Identifier: GPL-2.0
/*
 * perf_events, as the tools here use them.
 */

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "events.h"
#include "superpage.h"

#define NAMED		SYS "/bus/event_source/devices/cpu/events/"
#define PARANOID	PROC "/sys/kernel/perf_event_paranoid"
#define RING_PAGES	16

static const char *const names[NR_EVENTS] = {
	[EVENT_CYCLES] = "cycles",
	[EVENT_INSTRUCTIONS] = "instructions",
	[EVENT_MISSES] = "dTLB-load-misses",
	[EVENT_WALKER] = "DTLB_INSERTS_HPW",
	[EVENT_SAMPLES] = "dTLB-load-misses with addresses",
};

/* The raw event that the kernel has a name for; false if it has none. */
static bool named_event(const char *name, struct perf_event_attr *attr)
{
	unsigned long long select, umask = 0;
	char path[256], *text;
	bool found;

	snprintf(path, sizeof(path), NAMED "%s", name);
	text = slurp(path);
	found = text && sscanf(text, "event=%llx,umask=%llx", &select, &umask) >= 1;
	free(text);
	if (!found)
		return false;
	attr->type = PERF_TYPE_RAW;
	attr->config = select << 8 | umask << 16;
	return true;
}

static bool describe(enum event event, struct perf_event_attr *attr)
{
	switch (event) {
	case EVENT_CYCLES:
		attr->type = PERF_TYPE_HARDWARE;
		attr->config = PERF_COUNT_HW_CPU_CYCLES;
		return true;
	case EVENT_INSTRUCTIONS:
		attr->type = PERF_TYPE_HARDWARE;
		attr->config = PERF_COUNT_HW_INSTRUCTIONS;
		return true;
	case EVENT_SAMPLES:
	case EVENT_MISSES:
		attr->type = PERF_TYPE_HW_CACHE;
		attr->config = PERF_COUNT_HW_CACHE_DTLB |
			       PERF_COUNT_HW_CACHE_OP_READ << 8 |
			       PERF_COUNT_HW_CACHE_RESULT_MISS << 16;
		return true;
	case EVENT_WALKER:
		return named_event(names[event], attr);
	default:
		return false;
	}
}

static int open_event(enum event event, pid_t thread, enum event_who who, int group,
		      uint64_t period)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.disabled = group < 0,
		.exclude_kernel = who == EVENT_USER,
		.exclude_hv = 1,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.sample_type = period ? PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD : 0,
		.sample_period = period,
	};
	int fd;

	if (!describe(event, &attr))
		return -ENOENT;
	fd = syscall(SYS_perf_event_open, &attr, thread, -1, group, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/**
 * event_open() - have an event counted, from event_group_begin() on
 * @event:	which
 * @thread:	of which thread; 0 for this one
 * @who:	whether what the kernel does for it counts
 * @group:	the leader of the group that it is to be in, or -1
 *
 * Return: a file descriptor, or a negative error number.
 */
int event_open(enum event event, pid_t thread, enum event_who who, int group)
{
	return open_event(event, thread, who, group, 0);
}

/**
 * event_open_samples() - have misses of a thread's own sampled, from event_group_begin() on
 * @thread:	which
 * @period:	one in how many.  A frequency, for which the kernel would find one, begins with
 *		each single miss.
 *
 * Return: a file descriptor, or a negative error number.
 */
int event_open_samples(pid_t thread, uint64_t period)
{
	return open_event(EVENT_SAMPLES, thread, EVENT_USER, -1, period);
}

/**
 * event_explain() - why event_open() has failed, for people
 * @event:	which was to be opened
 * @error:	the error number, positive
 */
const char *event_explain(enum event event, int error)
{
	static char text[200];

	/* It is there if the system call is. */
	if (access(PARANOID, F_OK))
		return "this kernel has no perf_events (CONFIG_PERF_EVENTS)";
	switch (error) {
	case EACCES:
	case EPERM:
		return "only root may count events, unless 1 or less is in " PARANOID;
	case ESRCH:
		return strerror(error);
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
	case EINVAL:
		snprintf(text, sizeof(text),
			 "there is no event %s here; the driver of the PMU would provide it",
			 names[event]);
		break;
	default:
		snprintf(text, sizeof(text), "event %s: %s", names[event], strerror(error));
	}
	return text;
}

void event_group_begin(int leader)
{
	ioctl(leader, PERF_EVENT_IOC_ENABLE, 0);
}

void event_group_end(int leader)
{
	ioctl(leader, PERF_EVENT_IOC_DISABLE, 0);
}

/**
 * event_read() - how many there were
 * @fd:		of event_open()
 * @count:	the result; if it was counted for a part of the time only, as many as there
 *		would have been in all of it
 *
 * Return: false if it was never counted, since others had the counters.
 */
bool event_read(int fd, double *count)
{
	uint64_t value[3];	/* count, time enabled, time counted */

	*count = 0;
	if (read(fd, value, sizeof(value)) != sizeof(value))
		return false;
	/* The kernel's clock may be a tick's, in which no time passes for what is short. */
	if (value[0] && !value[2]) {
		value[1] = 1;
		value[2] = 1;
	}
	if (!value[2])
		return !value[1];
	*count = (double)value[0] * value[1] / value[2];
	return true;
}

/**
 * ring_map() - have room for the samples of an event
 * @ring:	filled in
 * @fd:		of event_open()
 *
 * Return: false with errno set if there is none.
 */
bool ring_map(struct ring *ring, int fd)
{
	size_t page = sysconf(_SC_PAGESIZE);
	char *p;

	ring->page = NULL;
	ring->size = RING_PAGES * page;
	p = mmap(NULL, page + ring->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return false;
	ring->page = p;
	ring->data = p + page;
	return true;
}

void ring_unmap(struct ring *ring)
{
	if (ring->page)
		munmap(ring->page, sysconf(_SC_PAGESIZE) + ring->size);
	ring->page = NULL;
}

/* Bytes at @at of a ring, which may be at its end and go on at its beginning. */
static void ring_copy(const struct ring *ring, uint64_t at, void *to, size_t len)
{
	size_t from = at % ring->size, first = ring->size - from;

	if (first > len)
		first = len;
	memcpy(to, ring->data + from, first);
	memcpy((char *)to + first, ring->data, len - first);
}

/**
 * ring_next() - take a sample
 * @ring:	of ring_map()
 * @sample:	filled in
 * @lost:	is increased by how many found no room
 *
 * Return: false if there is none.
 */
bool ring_next(struct ring *ring, struct sample *sample, uint64_t *lost)
{
	struct perf_event_mmap_page *page = ring->page;
	/* The kernel writes samples before it says so, and reuses room after we say so. */
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = page->data_tail;
	bool found = false;

	while (!found && tail < head) {
		struct perf_event_header header;
		uint64_t body[2] = { 0 };	/* address and period; ID and how many */

		ring_copy(ring, tail, &header, sizeof(header));
		if (header.size < sizeof(header) || header.size > head - tail) {
			tail = head;	/* nothing that a kernel writes */
			break;
		}
		if (header.size >= sizeof(header) + sizeof(body))
			ring_copy(ring, tail + sizeof(header), body, sizeof(body));
		if (header.type == PERF_RECORD_SAMPLE) {
			sample->address = body[0];
			sample->period = body[1];
			found = true;
		} else if (header.type == PERF_RECORD_LOST) {
			*lost += body[1];
		}
		tail += header.size;
	}
	__atomic_store_n(&page->data_tail, tail, __ATOMIC_RELEASE);
	return found;
}
