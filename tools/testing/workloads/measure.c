// SPDX-License-Identifier: GPL-2.0
/*
 * measure OUTPUT PROGRAM [ARGUMENT...] - run PROGRAM, with its standard output in the file
 * OUTPUT, and print one line about its page faults and memory:
 *
 *	measured faults=N peak_kb=N rss_kb=N anon_kb=N [Superpages64kB=N...]
 *
 * faults is the number of PROGRAM and of all processes that it starts and waits for.  peak_kb is
 * the largest resident memory that one of these had at any time, as the kernel counts it, give or
 * take some pages.
 *
 * The other numbers are of the moment when most was resident, and the sum over all processes of
 * PROGRAM's process group.  A page that several of them share counts once.  Every 100 ms this
 * program sees how much memory is mapped.  If there is more than at the last look, it stops the
 * process group and looks again.
 *
 * PROGRAM is in regions of the simulator's -stats, which leave out these looks.  They have number 1,
 * and a program may begin others for its parts.  The cycles that a program counts with
 * micro/clock.h leave out the looks, too.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <linux/random.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "micro/clock.h"
#include "micro/region.h"

enum { MAX_FIELDS = 24, INTERVAL_MS = 100 };

/** struct sample - sums of some lines of /proc/PID/smaps over all mappings and processes */
struct sample {
	unsigned long rss, anon;
	unsigned int n;
	struct {
		char name[24];
		unsigned long kb;
	} superpages[MAX_FIELDS];	/* by size */
};

static int port;			/* -1 if this is not the simulator */
static uint64_t *stopped;	/* for how many cycles, so far */

static void die(const char *what)
{
	fprintf(stderr, "measure: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void begin_region(unsigned char number)
{
	if (port >= 0 && region_begin(port, number))
		die("/dev/port");
}

/* The number of the region that ends, which may be one that PROGRAM has begun. */
static unsigned char end_region(void)
{
	int number = port < 0 ? 0 : region_begun(port);

	if (number < 0)
		die("/dev/port");
	begin_region(0);
	return number;
}

static void add_superpages(struct sample *s, const char *name, unsigned long kb)
{
	unsigned int i;

	for (i = 0; i < s->n; i++)
		if (!strcmp(s->superpages[i].name, name))
			break;
	if (i == MAX_FIELDS)
		return;
	if (i == s->n) {
		snprintf(s->superpages[i].name, sizeof(s->superpages[i].name), "%s", name);
		s->superpages[i].kb = 0;
		s->n++;
	}
	s->superpages[i].kb += kb;
}

/* Of a page that several processes share, each has an equal part: Pss beside Rss. */
static void add_process(pid_t pid, struct sample *s)
{
	unsigned long kb, rss = 0, pss = 0;
	char path[32], line[256], name[24];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/smaps", pid);
	f = fopen(path, "r");
	if (!f)
		return;
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%23[A-Za-z0-9]: %lu kB", name, &kb) != 2)
			continue;
		if (!strcmp(name, "Rss")) {
			rss = kb;
		} else if (!strcmp(name, "Pss")) {
			pss = kb;
			s->rss += kb;
		} else if (!strcmp(name, "Anonymous")) {
			s->anon += rss ? kb * pss / rss : 0;
		} else if (!strncmp(name, "Superpages", 10) && name[10]) {
			add_superpages(s, name, rss ? kb * pss / rss : 0);
		}
	}
	fclose(f);
}

/* Look at the memory of a process group, which is stopped meanwhile. */
static void look(pid_t group, struct sample *most)
{
	uint64_t before = ticks();
	struct sample s = { 0 };
	struct dirent *entry;
	unsigned char region;
	DIR *proc;

	/* On one processor the group has stopped when this returns. */
	kill(-group, SIGSTOP);
	region = end_region();
	proc = opendir("/proc");
	if (!proc)
		die("/proc");
	while ((entry = readdir(proc))) {
		pid_t pid = isdigit((unsigned char)*entry->d_name) ? atoi(entry->d_name) : 0;

		if (pid && getpgid(pid) == group)
			add_process(pid, &s);
	}
	closedir(proc);
	if (s.rss > most->rss)
		*most = s;
	begin_region(region);
	/* Before the group goes on, so that it cannot read the clock in between. */
	*stopped += ticks() - before;
	kill(-group, SIGCONT);
}

/* How much memory all processes have mapped.  This is quick, unlike a look. */
static unsigned long mapped_kb(void)
{
	static int fd = -1;
	unsigned long anonymous, files;
	char text[4096], *at;
	ssize_t n;

	if (fd < 0)
		fd = open("/proc/meminfo", O_RDONLY | O_CLOEXEC);
	n = pread(fd, text, sizeof(text) - 1, 0);
	if (n < 0)
		die("/proc/meminfo");
	text[n] = 0;
	at = strstr(text, "AnonPages:");
	if (!at || sscanf(at, "AnonPages: %lu kB Mapped: %lu kB", &anonymous, &files) != 2)
		die("/proc/meminfo: no AnonPages or Mapped");
	return anonymous + files;
}

/*
 * Who first wants a random number waits while the kernel collects entropy: 100 ms, or a second
 * with the model of time.  In the simulator nothing is random, so call this text random.
 */
static void start_random(void)
{
	struct {
		struct rand_pool_info info;
		char text[32];
	} seed = {
		.info = { .entropy_count = 8 * sizeof(seed.text), .buf_size = sizeof(seed.text) },
		.text = "as random as any other 32 bytes",
	};
	int fd = open("/dev/random", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || ioctl(fd, RNDADDENTROPY, &seed))
		die("/dev/random");
	close(fd);
}

/* Make the file that the clock reads, and tell the child where it is. */
static void share_stopped(const char *output)
{
	char path[256];
	int fd;

	if (snprintf(path, sizeof(path), "%s.looks", output) >= (int)sizeof(path))
		die(output);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
	if (fd < 0 || ftruncate(fd, sizeof(*stopped)))
		die(path);
	stopped = mmap(NULL, sizeof(*stopped), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (stopped == MAP_FAILED || setenv(MEASURE_LOOKS, path, 1))
		die(path);
	close(fd);
}

int main(int argc, char **argv)
{
	const struct timespec interval = { .tv_nsec = INTERVAL_MS * 1000000 };
	struct sigaction action = { .sa_handler = SIG_DFL, .sa_flags = SA_NOCLDSTOP };
	unsigned long now, last = 0, looked = 0;
	struct sample most = { 0 };
	struct rusage usage;
	int status, go[2];
	sigset_t child;
	pid_t pid;

	if (argc < 3) {
		fputs("use: measure OUTPUT PROGRAM [ARGUMENT...]\n", stderr);
		return 2;
	}
	port = region_open();
	if (port >= 0)
		start_random();
	share_stopped(argv[1]);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	if (pipe(go) || sigaction(SIGCHLD, &action, NULL) || sigprocmask(SIG_BLOCK, &child, NULL))
		die("pipe");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		char c;
		int out = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0644);

		if (out < 0 || dup2(out, STDOUT_FILENO) < 0)
			die(argv[1]);
		close(go[1]);
		if (read(go[0], &c, 1) != 0)	/* wait until the region has begun */
			die("pipe");
		close(go[0]);
		sigprocmask(SIG_UNBLOCK, &child, NULL);
		execvp(argv[2], argv + 2);
		die(argv[2]);
	}
	close(go[0]);
	if (setpgid(pid, pid))
		die("setpgid");
	begin_region(1);
	close(go[1]);
	/* The signal stays pending until this program waits for it. */
	while (sigtimedwait(&child, NULL, &interval) < 0) {
		now = mapped_kb();
		/* Do not look at all that grows, but look when it has grown. */
		if (now > looked && (now == last || now - looked > looked / 16)) {
			look(pid, &most);
			looked = now;
		}
		last = now;
	}
	if (wait4(pid, &status, 0, &usage) != pid)
		die("wait4");
	end_region();
	printf("measured faults=%lu peak_kb=%ld rss_kb=%lu anon_kb=%lu",
	       usage.ru_minflt + usage.ru_majflt, usage.ru_maxrss, most.rss, most.anon);
	for (unsigned int i = 0; i < most.n; i++)
		printf(" %s=%lu", most.superpages[i].name, most.superpages[i].kb);
	putchar('\n');
	if (!WIFEXITED(status) || WEXITSTATUS(status)) {
		fprintf(stderr, "measure: %s: status %#x\n", argv[2], status);
		return 1;
	}
	return 0;
}
