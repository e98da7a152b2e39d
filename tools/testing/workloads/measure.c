// SPDX-License-Identifier: GPL-2.0
/*
 * measure OUTPUT PROGRAM [ARGUMENT...] - run PROGRAM, with its standard output in the file
 * OUTPUT, and print one line about its page faults and memory:
 *
 *	measured faults=N peak_kb=N rss_kb=N anon_kb=N [Superpages64kB=N...]
 *
 * peak_kb is the largest resident memory at any time, as the kernel counts it, give or take some
 * pages.  For the other numbers this program looks at the memory every 100 ms, and prints those of
 * the moment when most was resident.  PROGRAM is in regions of the simulator's -stats, which leave
 * out these looks.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PORT_REGION	0x502

enum { MAX_FIELDS = 24, INTERVAL_MS = 100 };

/** struct sample - sums of some lines of /proc/PID/smaps over all mappings */
struct sample {
	unsigned long rss, anon;
	unsigned int n;
	struct {
		char name[24];
		unsigned long kb;
	} superpages[MAX_FIELDS];	/* by size */
};

static int port;
static volatile sig_atomic_t ended;

static void die(const char *what)
{
	fprintf(stderr, "measure: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void mark(char value)
{
	if (port >= 0 && pwrite(port, &value, 1, PORT_REGION) != 1)
		die("/dev/port");
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

static void look(pid_t pid, struct sample *most)
{
	struct sample s = { 0 };
	char path[32], line[256], name[24];
	unsigned long kb;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/smaps", pid);
	f = fopen(path, "r");
	if (!f)
		return;
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%23[A-Za-z0-9]: %lu kB", name, &kb) != 2)
			continue;
		if (!strcmp(name, "Rss"))
			s.rss += kb;
		else if (!strcmp(name, "Anonymous"))
			s.anon += kb;
		else if (!strncmp(name, "Superpages", 10) && name[10])
			add_superpages(&s, name, kb);
	}
	fclose(f);
	if (s.rss > most->rss)
		*most = s;
}

static void on_child(int sig)
{
	(void)sig;
	ended = 1;
}

int main(int argc, char **argv)
{
	const struct timespec interval = { .tv_nsec = INTERVAL_MS * 1000000 };
	struct sigaction action = { .sa_handler = on_child, .sa_flags = SA_NOCLDSTOP };
	struct sample most = { 0 };
	struct rusage usage;
	int status, go[2];
	pid_t pid;

	if (argc < 3) {
		fputs("use: measure OUTPUT PROGRAM [ARGUMENT...]\n", stderr);
		return 2;
	}
	port = open("/dev/port", O_WRONLY | O_CLOEXEC);
	if (pipe(go) || sigaction(SIGCHLD, &action, NULL))
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
		execvp(argv[2], argv + 2);
		die(argv[2]);
	}
	close(go[0]);
	mark(1);
	close(go[1]);
	while (!ended) {
		if (!nanosleep(&interval, NULL)) {
			kill(pid, SIGSTOP);
			mark(0);
			look(pid, &most);
			mark(1);
			kill(pid, SIGCONT);
		}
	}
	if (wait4(pid, &status, 0, &usage) != pid)
		die("wait4");
	mark(0);
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
