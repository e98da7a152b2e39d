// SPDX-License-Identifier: GPL-2.0
/*
 * perf_events from a file, for superpage-command: linked into the commands under test, it
 * stands for perf_event_open() and what is done with its descriptors.  Lines of ROOT/events:
 *
 *	cycles N...		each time such an event is read, the next number; the last
 *				one again and again.  So do instructions, misses, walker
 *	samples ADDRESS N...	pairs: who missed, and of how many misses it is one
 *	lost N			so many samples found no room, and one is of a kind that is new
 *	error EVENT N		to open EVENT fails with error number N
 *	busy EVENT		it is never counted
 *	half EVENT		it is counted half of the time
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MAX_FDS = 64, RING_PAGES = 16 };

static struct {
	const char *event;
	int enabled, leader;
} fds[MAX_FDS];

ssize_t __real_read(int fd, void *buf, size_t len);
long __wrap_syscall(long nr, ...);
int __wrap_ioctl(int fd, unsigned long request, ...);
ssize_t __wrap_read(int fd, void *buf, size_t len);

static void fail(const char *what)
{
	fprintf(stderr, "superpage-events: %s\n", what);
	abort();
}

/* What stands behind the first words of a line that begins with them; NULL if there is none. */
static const char *words_of(const char *first)
{
	static char line[4][4096];
	static unsigned int turn;
	char *text = line[turn++ % 4], *found = NULL;
	FILE *f = fopen(ROOT "/events", "re");
	size_t len = strlen(first);

	while (f && !found && fgets(text, sizeof(line[0]), f))
		if (!strncmp(text, first, len) && strchr(" \n", text[len]))
			found = text + len;
	if (f)
		fclose(f);
	return found;
}

static const char *name_of(const struct perf_event_attr *attr)
{
	if (attr->type == PERF_TYPE_HARDWARE)
		return attr->config ? "instructions" : "cycles";
	if (attr->type == PERF_TYPE_HW_CACHE &&
	    attr->config == (PERF_COUNT_HW_CACHE_DTLB | 1 << 16))
		return attr->sample_period ? "samples" : "misses";
	if (attr->type == PERF_TYPE_RAW && attr->config == 0xc900)
		return "walker";
	fail("no such event");
	return NULL;
}

static void put(char *data, size_t size, uint64_t *at, const void *what, size_t len)
{
	for (size_t i = 0; i < len; i++)
		data[(*at)++ % size] = ((const char *)what)[i];
}

/* A ring in which the first record goes on at the beginning. */
static void write_samples(int fd)
{
	size_t page = sysconf(_SC_PAGESIZE), size = RING_PAGES * page;
	const char *text = words_of("samples"), *lost = words_of("lost");
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE, .size = 24 };
	struct perf_event_mmap_page *control;
	uint64_t at = 3 * size - 16, body[2];
	char *p, *end;

	if (ftruncate(fd, page + size))
		fail("ftruncate");
	p = mmap(NULL, page + size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		fail("mmap");
	control = (void *)p;
	control->data_tail = at;
	for (; text; text = end) {
		body[0] = strtoull(text, &end, 16);
		if (end == text)
			break;
		body[1] = strtoull(end, &end, 10);
		put(p + page, size, &at, &header, sizeof(header));
		put(p + page, size, &at, body, sizeof(body));
	}
	if (lost) {
		header.type = PERF_RECORD_LOST;
		body[1] = strtoull(lost, NULL, 10);
		put(p + page, size, &at, &header, sizeof(header));
		put(p + page, size, &at, body, sizeof(body));
		header.type = 99;
		header.size = sizeof(header);
		put(p + page, size, &at, &header, sizeof(header));
	}
	control->data_head = at;
	munmap(p, page + size);
}

long __wrap_syscall(long nr, ...)
{
	struct perf_event_attr *attr;
	const char *name, *error;
	char line[40];
	int fd, leader;
	va_list args;

	va_start(args, nr);
	attr = va_arg(args, struct perf_event_attr *);
	va_arg(args, pid_t);
	va_arg(args, int);
	leader = va_arg(args, int);
	va_end(args);
	if (nr != SYS_perf_event_open)
		fail("another system call");
	if (attr->disabled != (leader < 0) || (leader >= 0 && fds[leader].leader != leader))
		fail("a group that never begins");
	name = name_of(attr);
	snprintf(line, sizeof(line), "error %s", name);
	error = words_of(line);
	if (error) {
		errno = atoi(error);
		return -1;
	}
	fd = memfd_create(name, MFD_CLOEXEC);
	if (fd < 0 || fd >= MAX_FDS)
		fail("no descriptor");
	if (!strcmp(name, "samples"))
		write_samples(fd);
	fds[fd].event = name;
	fds[fd].leader = leader < 0 ? fd : leader;
	fds[fd].enabled = 0;
	return fd;
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	if (!fds[fd].event || fds[fd].leader != fd)
		fail("ioctl of what is no leader");
	fds[fd].enabled += request == PERF_EVENT_IOC_ENABLE;
	return 0;
}

ssize_t __wrap_read(int fd, void *buf, size_t len)
{
	static struct {
		const char *event;
		int reads;
	} counts[8];
	uint64_t value[3] = { 0, 1000, 1000 };
	const char *text;
	char line[40], *end;
	int i, n;

	if (fd >= MAX_FDS || !fds[fd].event || len != sizeof(value))
		return __real_read(fd, buf, len);
	if (fds[fds[fd].leader].enabled != 1)
		fail("read of what was never counted");
	for (i = 0; counts[i].event && counts[i].event != fds[fd].event; i++)
		;
	counts[i].event = fds[fd].event;
	n = counts[i].reads++;
	text = words_of(fds[fd].event);
	if (!text)
		fail("no number for an event");
	do {
		uint64_t next = strtoull(text, &end, 10);

		if (end == text)
			break;
		value[0] = next;
		text = end;
	} while (n--);
	snprintf(line, sizeof(line), "busy %s", fds[fd].event);
	if (words_of(line))
		memcpy(value, (uint64_t []){ 0, 1000, 0 }, sizeof(value));
	/* Half of the time others have had the counter. */
	snprintf(line, sizeof(line), "half %s", fds[fd].event);
	if (words_of(line))
		value[2] = 500;
	memcpy(buf, value, sizeof(value));
	return sizeof(value);
}
