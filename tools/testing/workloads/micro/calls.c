// SPDX-License-Identifier: GPL-2.0
/*
 * calls N [WHAT...] - call the kernel as the benchmark lmbench does: each WHAT N times, or all of
 * them.  Each of them is done once before that, and this is not timed.
 *
 *	null read write stat fstat open sigaction signal	one system call, or two
 *	protection	write to a page that is read-only, and handle the signal
 *	fork		fork, exit and wait
 *	exec		fork, exec, exit and wait
 *	mmap		map a file of 1 MiB, read a byte of each page, unmap it
 *	pagefault	read a byte of each page of mapped files, until there were N page faults
 *	anonymous	write to N pages of anonymous memory, each for the first time
 *	switch.P.K	P processes pass a token, and sum up K KiB each time, at least N times and
 *			10 times each
 *	pipe file mmapfile copy readmem writemem	bandwidths, N times 64 KiB
 */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "micro.h"

#define USAGE	"N [WHAT...]"

enum { BLOCK = 64 * KIB, FILE_SIZE = 1024 * KIB, MAX_PROCESSES = 96, MIN_ROUNDS = 10 };

static uint64_t sum;
static char path[] = "/tmp/calls.XXXXXX";
static int file, zero, null;
static long page_size;
static pid_t parent;
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

static void get_parent(uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		sum += getppid() == parent;
}

static void read_one(uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		sum += read(zero, block, 1);
}

static void write_one(uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		sum += write(null, block, 1);
}

static void stat_file(uint64_t n)
{
	struct stat st;

	for (uint64_t i = 0; i < n; i++) {
		check(stat(path, &st), path);
		sum += st.st_size;
	}
}

static void fstat_file(uint64_t n)
{
	struct stat st;

	for (uint64_t i = 0; i < n; i++) {
		check(fstat(file, &st), path);
		sum += st.st_size;
	}
}

static void open_close(uint64_t n)
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

static void sigaction_only(uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		install(SIGUSR1, on_signal);
	sum += n;
}

static void signal_itself(uint64_t n)
{
	install(SIGUSR1, on_signal);
	handled = 0;
	for (uint64_t i = 0; i < n; i++)
		check(kill(getpid(), SIGUSR1), "kill");
	sum += handled;
}

static volatile char *read_only;

static void map_read_only(void)
{
	read_only = mmap(NULL, BLOCK, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	check(read_only == MAP_FAILED, "mmap");
	sum += read_only[0];
	install(SIGSEGV, on_fault);
}

static void protection(uint64_t n)
{
	volatile uint64_t i = 0;

	/* The handler jumps back to here. */
	sigsetjmp(back, 0);
	if (i < n) {
		i++;
		read_only[0] = 1;
		check(1, "no fault");
	}
	sum += i;
}

static void unmap_read_only(uint64_t n)
{
	(void)n;
	signal(SIGSEGV, SIG_DFL);
	munmap((void *)read_only, BLOCK);
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

static void fork_exit(uint64_t n)
{
	for (uint64_t i = 0; i < n; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		wait_for(pid);
	}
}

static void fork_exec(uint64_t n)
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

static volatile unsigned char *map(size_t size, int prot, int flags, int fd)
{
	void *p = mmap(NULL, size, prot, flags, fd, 0);

	check(p == MAP_FAILED, "mmap");
	return p;
}

/* Read a byte of each page of the file.  Each block of it is filled with its number. */
static int are_right(const volatile unsigned char *p)
{
	int right = 1;

	for (long at = 0; at < (long)FILE_SIZE; at += page_size)
		right &= p[at] == at / BLOCK;
	return right;
}

static void map_file(uint64_t n)
{
	for (uint64_t i = 0; i < n; i++) {
		volatile unsigned char *p = map(FILE_SIZE, PROT_READ, MAP_SHARED, file);

		sum += are_right(p);
		munmap((void *)p, FILE_SIZE);
	}
}

/* --- page faults ------------------------------------------------------------------------------ */

static uint64_t count_faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_minflt + usage.ru_majflt;
}

/*
 * A page fault of a file also maps the pages around it.  How many faults there are depends on the
 * size of pages.
 */
static void fault_file(const char *name, uint64_t n)
{
	uint64_t faults = 0, taken = 0, before;

	sum = 1;
	for (int timed = 0; faults < n; timed = 1) {
		volatile unsigned char *p = map(FILE_SIZE, PROT_READ, MAP_SHARED, file);

		before = count_faults();
		begin();
		sum &= are_right(p);
		if (timed) {
			taken += stop();
			faults += count_faults() - before;
		}
		munmap((void *)p, FILE_SIZE);
	}
	print_part(name, faults, taken);
}

static void fault_anonymous(const char *name, uint64_t n)
{
	volatile unsigned char *p;

	for (int timed = 0; timed < 2; timed++) {
		p = map(n * page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
		begin();
		for (uint64_t i = 0; i < n; i++)
			p[i * page_size] = i;
		if (timed)
			end(name, n);
		for (uint64_t i = 0; i < n; i++)
			sum += p[i * page_size] == (unsigned char)i;
		munmap((void *)p, n * page_size);
	}
}

/* --- context switches ------------------------------------------------------------------------- */

/*
 * In a ring of pipes each process reads a token, adds its sum and passes it on.  The first round,
 * in which the processes start and allocate their memory, is not timed.
 */
static void switch_processes(const char *name, uint64_t n, unsigned int processes,
			     unsigned int kib)
{
	uint64_t least = n / processes + 1, rounds = least > MIN_ROUNDS ? least : MIN_ROUNDS;
	uint64_t token = 0, i;
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

static int pipes[2];
static pid_t writer;

/* Write blocks until nobody reads any more. */
static void start_writer(void)
{
	check(pipe(pipes), "pipe");
	writer = fork();
	check(writer < 0, "fork");
	if (!writer) {
		close(pipes[0]);
		signal(SIGPIPE, SIG_IGN);
		for (size_t at = 0;; at %= BLOCK) {
			ssize_t some = write(pipes[1], block + at, BLOCK - at);

			if (some < 0 && errno == EPIPE)
				_exit(0);
			check(some <= 0, "write");
			at += some;
		}
	}
	close(pipes[1]);
}

static void pipe_through(uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		for (size_t at = 0; at < BLOCK;) {
			ssize_t some = read(pipes[0], block + at, BLOCK - at);

			check(some <= 0, "read");
			at += some;
		}
}

static void end_writer(uint64_t n)
{
	(void)n;
	close(pipes[0]);
	wait_for(writer);
	sum += sum_of(block, BLOCK);
}

static void file_through(uint64_t n)
{
	for (uint64_t i = 0; i < n; i++) {
		check(pread(file, block, BLOCK, i * BLOCK % FILE_SIZE) != BLOCK, path);
		sum += sum_of(block, BLOCK);
	}
}

static void mmapfile(uint64_t n)
{
	for (uint64_t i = 0; i < n; i += FILE_SIZE / BLOCK) {
		uint64_t left = (n - i) * BLOCK;
		volatile unsigned char *p = map(FILE_SIZE, PROT_READ, MAP_SHARED, file);

		sum += sum_of((unsigned char *)p, left < FILE_SIZE ? left : FILE_SIZE);
		munmap((void *)p, FILE_SIZE);
	}
}

/* More than the caches hold. */
enum { MEMORY = 16 * 1024 * KIB };

static unsigned char *from, *to;

static void allocate_memory(void)
{
	from = allocate(MEMORY);
	to = allocate(MEMORY);
	memset(from, 7, MEMORY);
	memset(to, 3, MEMORY);
}

static void copy(uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		memcpy(to + i * BLOCK % MEMORY, from + i * BLOCK % MEMORY, BLOCK);
}

static void readmem(uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		sum += sum_of(from + i * BLOCK % MEMORY, BLOCK);
}

static void writemem(uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		memset(to + i * BLOCK % MEMORY, i + 1, BLOCK);
}

static void free_memory(uint64_t n)
{
	sum += sum_of(to, n < MEMORY / BLOCK ? n * BLOCK : MEMORY);
	free(from);
	free(to);
}

/* --------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	void (*what)(uint64_t n);
	void (*prepare)(void);		/* this and @finish are not timed */
	void (*finish)(uint64_t n);
	void (*timed)(const char *name, uint64_t n);	/* instead of these: it times itself */
} all[] = {
	{ "null", .what = get_parent },
	{ "read", .what = read_one },
	{ "write", .what = write_one },
	{ "stat", .what = stat_file },
	{ "fstat", .what = fstat_file },
	{ "open", .what = open_close },
	{ "sigaction", .what = sigaction_only },
	{ "signal", .what = signal_itself },
	{ "protection", protection, map_read_only, unmap_read_only, .timed = NULL },
	{ "fork", .what = fork_exit },
	{ "exec", .what = fork_exec },
	{ "mmap", .what = map_file },
	{ "pagefault", .timed = fault_file },
	{ "anonymous", .timed = fault_anonymous },
	{ .name = "switch.2.0" },
	{ .name = "switch.8.16" },
	{ .name = "switch.64.16" },
	{ "pipe", pipe_through, start_writer, end_writer, .timed = NULL },
	{ "file", .what = file_through },
	{ "mmapfile", .what = mmapfile },
	{ "copy", copy, allocate_memory, free_memory, .timed = NULL },
	{ "readmem", readmem, allocate_memory, free_memory, .timed = NULL },
	{ "writemem", writemem, allocate_memory, free_memory, .timed = NULL },
};

static void do_one(const char *name, uint64_t n)
{
	unsigned int processes, kib, i;
	int at = 0;

	sum = 0;
	if (sscanf(name, "switch.%u.%u%n", &processes, &kib, &at) == 2 && !name[at] &&
	    processes > 1 && processes <= MAX_PROCESSES && kib <= 1024) {
		switch_processes(name, n, processes, kib);
	} else {
		for (i = 0; i < sizeof(all) / sizeof(*all); i++)
			if (!strcmp(name, all[i].name) && (all[i].what || all[i].timed))
				break;
		if (i == sizeof(all) / sizeof(*all)) {
			fprintf(stderr, "use: calls " USAGE ": the head of calls.c lists no %s\n",
				name);
			exit(2);
		}
		if (all[i].timed) {
			all[i].timed(name, n);
		} else {
			if (all[i].prepare)
				all[i].prepare();
			all[i].what(1);
			begin();
			all[i].what(n);
			end(name, n);
			if (all[i].finish)
				all[i].finish(n);
		}
	}
	printf("%s %llu: %016llx\n", name, (unsigned long long)n, (unsigned long long)sum);
	fflush(stdout);		/* lest a child prints it again */
}

int main(int argc, char **argv)
{
	uint64_t n;

	if (argc == 2 && !strcmp(argv[1], "exit"))
		return 0;
	n = number(argc > 1 ? argv[1] : NULL, 1, UINT32_MAX, USAGE);
	page_size = sysconf(_SC_PAGESIZE);
	parent = getppid();
	zero = open("/dev/zero", O_RDONLY);
	check(zero < 0, "/dev/zero");
	null = open("/dev/null", O_WRONLY);
	check(null < 0, "/dev/null");
	file = mkstemp(path);
	check(file < 0, path);
	for (unsigned int i = 0; i < FILE_SIZE / BLOCK; i++) {
		memset(block, i, BLOCK);
		check(write(file, block, BLOCK) != BLOCK, path);
	}
	if (argc > 2)
		for (int i = 2; i < argc; i++)
			do_one(argv[i], n);
	else
		for (unsigned int i = 0; i < sizeof(all) / sizeof(*all); i++)
			do_one(all[i].name, n);
	unlink(path);
	return 0;
}
