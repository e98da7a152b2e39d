// SPDX-License-Identifier: GPL-2.0
/*
 * faults PROGRAM [ARGUMENT...] - run PROGRAM and print where on its heap page faults happen, as
 * figure 6.14 of the thesis shows it
 *
 * perf_events samples each page fault.  For each of at most 400 faults on the heap, at equal
 * distances in their order, this prints a line on standard error with the fault's number, and its
 * address in KiB above the lowest:
 *
 *	point fault x=N y=KIB
 */
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "micro.h"

/* The heap that grows by brk() is at the start of region 3, the stack at its end. */
#define HEAP		0x6000000000000000ULL
#define HEAP_SIZE	(1ULL << 40)

enum { RING = 4 * MIB, POINTS = 400 };

struct sample {
	struct perf_event_header header;
	uint64_t address;
};

static int open_event(pid_t pid)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_PAGE_FAULTS,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_ADDR,
		.disabled = 1,
		.enable_on_exec = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		die("perf_event_open");
	return fd;
}

/* Print the samples, which fill the ring from its start. */
static void print(const struct perf_event_mmap_page *page, const char *ring)
{
	uint64_t end = page->data_head, at, n = 0, i = 0, lowest = UINT64_MAX;
	const struct sample *s;

	if (end > RING - 64) {
		fputs("faults: too many page faults\n", stderr);
		exit(1);
	}
	for (at = 0; at < end; at += s->header.size) {
		s = (const struct sample *)(ring + at);
		if (s->header.type == PERF_RECORD_SAMPLE && s->address - HEAP < HEAP_SIZE) {
			n++;
			if (s->address < lowest)
				lowest = s->address;
		}
	}
	for (at = 0; at < end; at += s->header.size) {
		s = (const struct sample *)(ring + at);
		if (s->header.type != PERF_RECORD_SAMPLE || s->address - HEAP >= HEAP_SIZE)
			continue;
		if (i * POINTS / n != (i + 1) * POINTS / n || n <= POINTS)
			fprintf(stderr, "point fault x=%llu y=%llu\n", (unsigned long long)i,
				(unsigned long long)(s->address - lowest) / KIB);
		i++;
	}
	if (!n) {
		fputs("faults: no page faults on the heap\n", stderr);
		exit(1);
	}
}

int main(int argc, char **argv)
{
	long page_size = sysconf(_SC_PAGESIZE);
	int fd, go[2], status;
	char *ring, c = 0;
	pid_t pid;

	if (argc < 2) {
		fputs("use: faults PROGRAM [ARGUMENT...]\n", stderr);
		return 2;
	}
	if (pipe(go))
		die("pipe");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		close(go[1]);
		if (read(go[0], &c, 1) != 1)	/* wait until the event is there */
			_exit(1);
		close(go[0]);
		execvp(argv[1], argv + 1);
		die(argv[1]);
	}
	close(go[0]);
	fd = open_event(pid);
	ring = mmap(NULL, RING + page_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (ring == MAP_FAILED)
		die("mmap of the ring");
	if (write(go[1], &c, 1) != 1)
		die("write");
	close(go[1]);
	if (waitpid(pid, &status, 0) != pid)
		die("waitpid");
	if (!WIFEXITED(status) || WEXITSTATUS(status)) {
		fprintf(stderr, "faults: %s: status %#x\n", argv[1], status);
		return 1;
	}
	print((struct perf_event_mmap_page *)ring, ring + page_size);
	return 0;
}
