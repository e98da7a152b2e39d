// SPDX-License-Identifier: GPL-2.0
/*
 * calls N [WHAT...] - call the kernel as the benchmark lmbench does: each WHAT N times, or all of
 * them
 *
 *	null read write stat fstat open sigaction signal	one system call, or two
 *	protection	write to a page that is read-only, and handle the signal
 *	fork		fork, exit and wait
 *	exec		fork, exec, exit and wait
 *	mmap		map a file of 1 MiB, read a byte of each page, unmap it
 *	switch.P.K	P processes pass a token, and sum up K KiB each time, at least N times
 *	pipe file mmapfile copy readmem writemem	bandwidths, N times 64 KiB
 */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "micro.h"

#define USAGE	"N [WHAT...]"

enum { BLOCK = 64 * KIB, FILE_SIZE = 1024 * KIB, MAX_PROCESSES = 96 };

static uint64_t n, sum;
static char path[] = "/tmp/calls.XXXXXX";
static int file = -1;
static unsigned char block[BLOCK];

static void check(int bad, const char *what)
{
	if (bad)
		die(what);
}

static uint64_t sum_of(const unsigned char *p, size_t size)
{
	uint64_t result = 0, word;

	for (size_t i = 0; i < size; i += sizeof(word)) {
		memcpy(&word, p + i, sizeof(word));
		result += word;
	}
	return result;
}

/* --- system calls ------------------------------------------------------------------------ */

static void null(void)
{
	pid_t parent = getppid();

	for (uint64_t i = 0; i < n; i++)
		sum += getppid() == parent;
}

static void read_one(void)
{
	int fd = open("/dev/zero", O_RDONLY);

	check(fd < 0, "/dev/zero");
	for (uint64_t i = 0; i < n; i++)
		sum += read(fd, block, 1);
	close(fd);
}

static void write_one(void)
{
	int fd = open("/dev/null", O_WRONLY);

	check(fd < 0, "/dev/null");
	for (uint64_t i = 0; i < n; i++)
		sum += write(fd, block, 1);
	close(fd);
}

static void stat_file(void)
{
	struct stat st;

	for (uint64_t i = 0; i < n; i++) {
		check(stat(path, &st), path);
		sum += st.st_size;
	}
}

static void fstat_file(void)
{
	struct stat st;

	for (uint64_t i = 0; i < n; i++) {
		check(fstat(file, &st), path);
		sum += st.st_size;
	}
}

static void open_close(void)
{
	for (uint64_t i = 0; i < n; i++) {
		int fd = open(path, O_RDONLY);

		check(fd < 0 || close(fd), path);
		sum++;
	}
}

/* --- signals -------------------------------------------------------------------------------- */

static volatile sig_atomic_t handled;
static sigjmp_buf back;

static void on_signal(int sig)
{
	(void)sig;
	handled++;
}

static void on_fault(int sig)
{
	(void)sig;
	siglongjmp(back, 1);
}

static void install(int sig, void (*handler)(int))
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_NODEFER };

	check(sigaction(sig, &action, NULL), "sigaction");
}

static void sigaction_only(void)
{
	for (uint64_t i = 0; i < n; i++)
		install(SIGUSR1, on_signal);
	sum += n;
}

static void signal_itself(void)
{
	install(SIGUSR1, on_signal);
	handled = 0;
	for (uint64_t i = 0; i < n; i++)
		check(kill(getpid(), SIGUSR1), "kill");
	sum += handled;
}

static void protection(void)
{
	volatile char *p = mmap(NULL, BLOCK, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	volatile uint64_t i = 0;

	check(p == MAP_FAILED, "mmap");
	sum += p[0];
	install(SIGSEGV, on_fault);
	/* The handler jumps back to here. */
	sigsetjmp(back, 0);
	if (i < n) {
		i++;
		p[0] = 1;
		check(1, "no fault");
	}
	signal(SIGSEGV, SIG_DFL);
	munmap((void *)p, BLOCK);
	sum += i;
}

/* --- processes -------------------------------------------------------------------------------- */

static void wait_for(pid_t pid)
{
	int status;

	check(pid < 0, "fork");
	check(waitpid(pid, &status, 0) != pid, "waitpid");
	if (status) {
		fprintf(stderr, "calls: a child's status is %#x\n", status);
		exit(1);
	}
	sum++;
}

static void fork_exit(void)
{
	for (uint64_t i = 0; i < n; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		wait_for(pid);
	}
}

static void fork_exec(void)
{
	for (uint64_t i = 0; i < n; i++) {
		pid_t pid = fork();

		if (!pid) {
			execl("/proc/self/exe", "calls", "exit", NULL);
			_exit(1);
		}
		wait_for(pid);
	}
}

static void map_file(void)
{
	long page = sysconf(_SC_PAGESIZE);

	for (uint64_t i = 0; i < n; i++) {
		volatile unsigned char *p = mmap(NULL, FILE_SIZE, PROT_READ, MAP_SHARED, file, 0);

		check(p == MAP_FAILED, "mmap");
		/* Each block of the file is filled with its number. */
		for (long at = 0; at < (long)FILE_SIZE; at += page)
			sum += p[at] == at / BLOCK;
		munmap((void *)p, FILE_SIZE);
	}
	sum = sum == n * FILE_SIZE / page;
}

/*
 * In a ring of pipes each process reads a token, adds its sum and passes it on.  The first round,
 * in which the processes start and allocate their memory, is not timed.
 */
static void switch_processes(const char *name, unsigned int processes, unsigned int kib)
{
	uint64_t token = 0, rounds = n / processes + 1, i;
	int pipes[MAX_PROCESSES][2];
	pid_t pid[MAX_PROCESSES];
	unsigned int p;

	for (p = 0; p < processes; p++)
		check(pipe(pipes[p]), "pipe");
	for (p = 1; p < processes; p++) {
		pid[p] = fork();
		check(pid[p] < 0, "fork");
		if (pid[p])
			continue;
		unsigned char *own = allocate(kib * KIB + 8);

		memset(own, p, kib * KIB + 8);
		for (i = 0; i <= rounds; i++) {
			check(read(pipes[p][0], &token, sizeof(token)) != sizeof(token), "read");
			token = mix(token, sum_of(own, kib * KIB) + p);
			check(write(pipes[(p + 1) % processes][1], &token, sizeof(token)) !=
			      sizeof(token), "write");
		}
		_exit(0);
	}
	for (i = 0; i <= rounds; i++) {
		if (i == 1)
			begin();
		check(write(pipes[1][1], &token, sizeof(token)) != sizeof(token), "write");
		check(read(pipes[0][0], &token, sizeof(token)) != sizeof(token), "read");
	}
	end(name, rounds * processes);
	for (p = 0; p < processes; p++) {
		if (p)
			wait_for(pid[p]);
		close(pipes[p][0]);
		close(pipes[p][1]);
	}
	sum = mix(sum, token);
}

/* --- bandwidths ------------------------------------------------------------------------------- */

static void pipe_through(void)
{
	int pipes[2];
	pid_t pid;

	check(pipe(pipes), "pipe");
	pid = fork();
	if (!pid) {
		for (uint64_t i = 0; i < n; i++)
			for (size_t at = 0; at < BLOCK;) {
				ssize_t some = write(pipes[1], block + at, BLOCK - at);

				check(some <= 0, "write");
				at += some;
			}
		_exit(0);
	}
	close(pipes[1]);
	for (uint64_t i = 0; i < n; i++)
		for (size_t at = 0; at < BLOCK;) {
			ssize_t some = read(pipes[0], block + at, BLOCK - at);

			check(some <= 0, "read");
			at += some;
		}
	close(pipes[0]);
	wait_for(pid);
	sum += sum_of(block, BLOCK);
}

static void file_through(void)
{
	for (uint64_t i = 0; i < n; i++) {
		check(pread(file, block, BLOCK, i * BLOCK % FILE_SIZE) != BLOCK, path);
		sum += sum_of(block, BLOCK);
	}
}

static void mmapfile(void)
{
	for (uint64_t i = 0; i < n; i += FILE_SIZE / BLOCK) {
		unsigned char *p = mmap(NULL, FILE_SIZE, PROT_READ, MAP_SHARED, file, 0);

		check(p == MAP_FAILED, "mmap");
		sum += sum_of(p, FILE_SIZE);
		munmap(p, FILE_SIZE);
	}
}

/* More than the caches hold. */
enum { MEMORY = 16 * 1024 * KIB };

static void copy(void)
{
	unsigned char *from = allocate(MEMORY), *to = allocate(MEMORY);

	memset(from, 7, MEMORY);
	for (uint64_t i = 0; i < n; i++)
		memcpy(to + i * BLOCK % MEMORY, from + i * BLOCK % MEMORY, BLOCK);
	sum += sum_of(to, n < MEMORY / BLOCK ? n * BLOCK : MEMORY);
	free(from);
	free(to);
}

static void readmem(void)
{
	unsigned char *p = allocate(MEMORY);

	memset(p, 3, MEMORY);
	for (uint64_t i = 0; i < n; i++)
		sum += sum_of(p + i * BLOCK % MEMORY, BLOCK);
	free(p);
}

static void writemem(void)
{
	unsigned char *p = allocate(MEMORY);

	for (uint64_t i = 0; i < n; i++)
		memset(p + i * BLOCK % MEMORY, i + 1, BLOCK);
	sum += sum_of(p, BLOCK);
	free(p);
}

/* --------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	void (*what)(void);
} all[] = {
	{ "null", null }, { "read", read_one }, { "write", write_one },
	{ "stat", stat_file }, { "fstat", fstat_file }, { "open", open_close },
	{ "sigaction", sigaction_only }, { "signal", signal_itself },
	{ "protection", protection }, { "fork", fork_exit },
	{ "exec", fork_exec }, { "mmap", map_file },
	{ "switch.2.0", NULL }, { "switch.8.16", NULL }, { "switch.64.16", NULL },
	{ "pipe", pipe_through }, { "file", file_through }, { "mmapfile", mmapfile },
	{ "copy", copy }, { "readmem", readmem }, { "writemem", writemem },
};

static void do_one(const char *name)
{
	unsigned int processes, kib, i;
	int at = 0;

	sum = 0;
	if (sscanf(name, "switch.%u.%u%n", &processes, &kib, &at) == 2 && !name[at] &&
	    processes > 1 && processes <= MAX_PROCESSES && kib <= 1024) {
		switch_processes(name, processes, kib);
	} else {
		for (i = 0; i < sizeof(all) / sizeof(*all); i++)
			if (!strcmp(name, all[i].name) && all[i].what)
				break;
		if (i == sizeof(all) / sizeof(*all)) {
			fprintf(stderr, "use: calls " USAGE ": the head of calls.c lists no %s\n",
				name);
			exit(2);
		}
		begin();
		all[i].what();
		end(name, n);
	}
	printf("%s %llu: %016llx\n", name, (unsigned long long)n, (unsigned long long)sum);
	fflush(stdout);		/* lest a child prints it again */
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "exit"))
		return 0;
	n = number(argc > 1 ? argv[1] : NULL, 1, UINT32_MAX, USAGE);
	file = mkstemp(path);
	check(file < 0, path);
	for (unsigned int i = 0; i < FILE_SIZE / BLOCK; i++) {
		memset(block, i, BLOCK);
		check(write(file, block, BLOCK) != BLOCK, path);
	}
	if (argc > 2)
		for (int i = 2; i < argc; i++)
			do_one(argv[i]);
	else
		for (unsigned int i = 0; i < sizeof(all) / sizeof(*all); i++)
			do_one(all[i].name);
	unlink(path);
	return 0;
}
