// SPDX-License-Identifier: GPL-2.0
/*
 * run-all SECONDS LINES FOLDER - run in the guest every program of FOLDER, in
 * the order of their names, each in an empty folder of its own, and tell how
 * each of them ended:
 *
 *	run-all: NAME exit=N
 *	run-all: NAME signal=N
 *	run-all: NAME timeout=SECONDS
 *
 * Before that come the last LINES lines that the program printed, each behind
 * "| "; all programs write into one file, so that nothing of them gets between
 * the lines.  The last line is "run-all: end".  SECONDS are the guest's.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define OUTPUT "/tmp/run-all.out"
#define PLACE "/tmp/run-all.dir"

/* More of one program's output than this is not wanted on a serial line. */
#define OUTPUT_MAX (1 << 20)

static void die(const char *what)
{
	printf("run-all: error: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int is_program(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void child(const char *path)
{
	static const struct rlimit no_core, output = { OUTPUT_MAX, OUTPUT_MAX };
	char *argv[] = { (char *)path, NULL };
	char *envp[] = { "PATH=/bin:/usr/bin", "HOME=/tmp", "LC_ALL=C", NULL };
	int in = open("/dev/null", O_RDONLY);
	int out = open(OUTPUT, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
	sigset_t none;

	if (in < 0 || out < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0)
		_exit(126);
	close(in);
	close(out);
	setsid();
	setrlimit(RLIMIT_CORE, &no_core);
	setrlimit(RLIMIT_FSIZE, &output);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execve(path, argv, envp);
	_exit(127);
}

/* Returns false when the time was over. */
static int wait_for(pid_t pid, long seconds, int *status)
{
	struct timespec now, end, left;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += seconds;
	for (;;) {
		if (waitpid(pid, status, WNOHANG) == pid)
			return 1;
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (now.tv_sec >= end.tv_sec)
			return 0;
		left.tv_sec = end.tv_sec - now.tv_sec;
		left.tv_nsec = 0;
		sigtimedwait(&set, NULL, &left);
	}
}

static void show_output(long lines)
{
	FILE *f = fopen(OUTPUT, "r");
	char *text, *p;
	size_t n;

	if (!f || !lines)
		goto out;
	text = malloc(OUTPUT_MAX + 1);
	if (!text)
		die("malloc");
	n = fread(text, 1, OUTPUT_MAX, f);
	while (n && text[n - 1] == '\n')
		n--;
	/* One line of results stays one line. */
	for (p = text; p < text + n; p++)
		if (!*p || *p == '\r')
			*p = '?';
	text[n] = 0;
	for (p = text + n; p > text; p--)
		if (p[-1] == '\n' && !--lines)
			break;
	if (n) {
		for (p = strtok(p, "\n"); p; p = strtok(NULL, "\n"))
			printf("| %s\n", p);
	}
	free(text);
out:
	if (f)
		fclose(f);
}

static void run(const char *name, const char *path, long seconds, long lines)
{
	int status;
	pid_t pid;

	if (chdir("/") || (rmdir(PLACE) && errno != ENOENT && system("rm -rf " PLACE)))
		die(PLACE);
	if (mkdir(PLACE, 0700) || chdir(PLACE))
		die(PLACE);
	fflush(stdout);
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid)
		child(path);
	if (!wait_for(pid, seconds, &status)) {
		kill(-pid, SIGKILL);
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
		show_output(lines);
		printf("run-all: %s timeout=%ld\n", name, seconds);
		return;
	}
	/* What it has started and left behind. */
	kill(-pid, SIGKILL);
	show_output(lines);
	if (WIFSIGNALED(status))
		printf("run-all: %s signal=%d\n", name, WTERMSIG(status));
	else
		printf("run-all: %s exit=%d\n", name, WEXITSTATUS(status));
}

int main(int argc, char **argv)
{
	struct dirent **entries;
	char path[4096];
	sigset_t set;
	int i, n;

	if (argc != 4) {
		fprintf(stderr, "usage: run-all SECONDS LINES FOLDER\n");
		return 2;
	}
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	n = scandir(argv[3], &entries, is_program, alphasort);
	if (n < 0)
		die(argv[3]);
	for (i = 0; i < n; i++) {
		const char *slash = argv[3][0] == '/' ? "" : "/tests/";

		snprintf(path, sizeof(path), "%s%s/%s", slash, argv[3], entries[i]->d_name);
		run(entries[i]->d_name, path, atol(argv[1]), atol(argv[2]));
	}
	printf("run-all: end\n");
	return 0;
}
