// SPDX-License-Identifier: GPL-2.0
/*
 * There is less memory than one process uses, so kswapd takes its pages all the
 * time.  The process forks, and moves from one processor to another.  Like all kernel
 * threads, kswapd has the region registers of the process that ran there before it, but
 * it has to purge the translations that the process has now.
 *
 * A page that is used all the time stays in the TLB.  If kswapd takes it away and does
 * not purge its translation, writes to it are lost, or change another process's memory.
 *
 * If the process that ran before kswapd is dead, kswapd may get a context number for its
 * mm, and has to give it back.
 *
 * When the OOM killer kills a process, the process gives its memory back at once, whatever
 * khugepaged is doing with it.  Otherwise the OOM killer kills others, too.
 */
#include <getopt.h>

#include "superpage.h"

#define MB	(1024 * 1024UL)
#define HOT	16		/* pages used all the time */
#define MOVE	8192		/* rounds between forks; kswapd goes through all pages meanwhile */
#define DEAD	100		/* processes that die while kswapd is at work */
#define KILLED	10		/* processes that are killed while khugepaged is at work */
#define THREAD	"/sys/kernel/mm/transparent_hugepage/khugepaged/"

static unsigned long rounds = 50000;
static size_t limit = 512 * MB;

static void move_and_fork(unsigned int turn)
{
	pid_t pid;

	sp_run_on(turn);
	pid = sp_fork();
	if (!pid)
		_exit(0);
	sp_wait(pid);
}

/* Count up in a word of a page; pages use different words, and so different cache lines. */
static uint64_t count_up(char *base, size_t page)
{
	uint64_t *word = (uint64_t *)(base + page * page_size) + page % 16 * 8;
	uint64_t old = READ_ONCE(*word);

	WRITE_ONCE(*word, old + 1);
	return old;
}

static void test_swap(size_t bytes, const char *what)
{
	size_t pages = bytes / page_size, cold, i;
	uint64_t *count = sp_map_plain(pages * sizeof(*count));
	char *base = sp_map(bytes, MB);
	long swapped = sp_field("/proc/vmstat", "pswpout ");
	unsigned long round;

	sp_expect(!mlock(count, pages * sizeof(*count)), "mlock: %s", strerror(errno));
	srandom(1);
	for (round = 0; round < rounds && !sp_failures; round++) {
		for (i = 0; i < HOT; i++)
			sp_expect(count_up(base, i) == round,
				  "round %lu: hot page %zu has lost a write", round, i);
		cold = HOT + random() % (pages - HOT);
		sp_expect(count_up(base, cold) == count[cold],
			  "round %lu: page %zu has lost a write", round, cold);
		count[cold]++;
		if (!(round % MOVE))
			move_and_fork(round / MOVE);
		if (!(round % 64))
			usleep(100);	/* kswapd's turn */
	}
	for (i = HOT; i < pages && !sp_failures; i++)
		sp_expect(count_up(base, i) == count[i], "page %zu has lost a write", i);
	swapped = sp_field("/proc/vmstat", "pswpout ") - swapped;
	sp_expect(swapped > (long)pages / 4, "only %ld pages were swapped out", swapped);
	munmap(base, bytes);
	munmap(count, pages * sizeof(*count));
	sp_result("%s", what);
}

/* --- context numbers ------------------------------------------------------------------- */

static bool read_memory(uint64_t physical, void *to, size_t size)
{
	int fd = open("/dev/mem", O_RDONLY | O_CLOEXEC);
	bool ok = fd >= 0 && pread(fd, to, size, physical) == (ssize_t)size;

	close(fd);
	return ok;
}

static uint64_t kernel_symbol(const char *name)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	uint64_t addr = 0, found = 0;
	char symbol[128];

	while (f && !found && fscanf(f, "%lx %*c %127s%*[^\n]", &addr, symbol) == 2)
		if (!strcmp(symbol, name))
			found = addr;
	if (f)
		fclose(f);
	return found;
}

/* Return where the kernel is in memory. */
static uint64_t kernel_start(void)
{
	FILE *f = fopen("/proc/iomem", "re");
	uint64_t start = 0;
	char line[128];

	while (f && !start && fgets(line, sizeof(line), f))
		if (strstr(line, ": Kernel code"))
			start = strtoul(line, NULL, 16);
	if (f)
		fclose(f);
	return start;
}

/* Return how many context numbers are in use; -1 if this cannot find out. */
static long numbers_in_use(void)
{
	uint64_t symbol = kernel_symbol("ia64_ctx"), text = kernel_symbol("_text");
	long rid = sp_rid_bits();
	size_t size = rid > 6 && rid <= 24 ? (1UL << (rid - 3)) / 8 : 0, i;
	uint64_t ctx[32], *taken = malloc(size), *given_back = malloc(size);
	long n = -1;

	if (!symbol || !text || !size ||
	    !read_memory(kernel_start() + symbol - text, ctx, sizeof(ctx)))
		goto out;
	/* What comes before the highest number and the two bitmaps depends on the kernel. */
	for (i = 0; i < 32 - 3; i++)
		if (ctx[i + 1] >> 61 == 7 && ctx[i + 2] >> 61 == 7 &&
		    (ctx[i] >> 32 == size * 8 - 1 || (uint32_t)ctx[i] == size * 8 - 1))
			break;
	if (i == 32 - 3 || !read_memory(ctx[i + 1] & ~(7UL << 61), taken, size) ||
	    !read_memory(ctx[i + 2] & ~(7UL << 61), given_back, size))
		goto out;
	for (n = 0, i = 0; i < size / 8; i++)
		n += __builtin_popcountl(taken[i] & ~given_back[i]);
out:
	free(given_back);
	free(taken);
	return n;
}

static void test_dead(size_t bytes)
{
	size_t pages = bytes / page_size, next = 0, i;
	char *base = sp_map(bytes, MB);
	long before, after;
	unsigned int n;

	sp_run_on(0);
	for (i = 0; i < pages; i++)
		count_up(base, i);
	before = numbers_in_use();
	for (n = 0; n < DEAD && before >= 0; n++) {
		pid_t pid = sp_fork();

		if (!pid) {
			sp_run_on(1);
			_exit(0);
		}
		sp_wait(pid);
		/* Let kswapd run on the processor where the child was. */
		for (i = 0; i < 4 * MB / page_size; i++)
			count_up(base, next++ % pages);
		usleep(1000);
	}
	after = numbers_in_use();
	munmap(base, bytes);
	if (before < 0 || sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		ksft_test_result_skip("context numbers of the dead\n");
		return;
	}
	ksft_print_msg("%ld context numbers in use, %ld before\n", after, before);
	sp_expect(after < before + DEAD / 10, "context numbers of the dead are not given back");
	sp_result("context numbers of the dead");
}

/* --- the OOM killer and khugepaged ----------------------------------------------------- */

/* Let khugepaged run on one processor, or on any if @cpu is negative. */
static void run_thread_on(int cpu)
{
	pid_t pid = sp_khugepaged_pid();
	cpu_set_t set;
	int i;

	CPU_ZERO(&set);
	for (i = 0; i < CPU_SETSIZE; i++)
		if (cpu < 0 || i == cpu)
			CPU_SET(i, &set);
	if (sp_expect(pid, "no khugepaged"))
		sp_expect(!sched_setaffinity(pid, sizeof(set), &set), "khugepaged: %s",
			  strerror(errno));
}

/* Use all memory and all swap. */
static void use_all(void)
{
	size_t bytes = ((size_t)sp_meminfo_kb("MemTotal:") + sp_meminfo_kb("SwapTotal:")) << 10;
	size_t page;
	char *base;

	sp_write("/proc/self/oom_score_adj", "1000");
	/* The kernel permits a mapping of this size, but has less memory for one process. */
	bytes -= 16 * MB;
	base = memset(sp_map(bytes, page_size), 0, bytes);
	for (page = 0; page < bytes / page_size; page++)
		count_up(base, page);
}

/* khugepaged reads pages from swap as fast as it can. */
static void test_killed(void)
{
	static const char * const files[] = {
		THREAD "max_ptes_swap", THREAD "max_ptes_none", THREAD "scan_sleep_millisecs",
		THREAD "alloc_sleep_millisecs", THREAD "pages_to_scan",
	};
	const unsigned long values[] = { MB / page_size - 1, 0, 10, 10, 1 << 20 };
	unsigned long was[ARRAY_SIZE(files)];
	pid_t other, pid;
	long kills, killed, collapsed;
	unsigned int i, n;
	int status = 0;

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		was[i] = sp_get(files[i]);
		sp_expect(!sp_write_number(files[i], values[i]), "%s", files[i]);
	}
	/* Share a processor: khugepaged gets little of it, and may be preempted anywhere. */
	sp_run_on(0);
	run_thread_on(0);
	kills = sp_field("/proc/vmstat", "oom_kill ");
	collapsed = sp_get(THREAD "pages_collapsed");
	/* If the OOM killer kills one more, let that be this child, not this process. */
	sp_write("/proc/self/oom_score_adj", "-1000");
	other = sp_fork();
	if (!other) {
		sp_write("/proc/self/oom_score_adj", "500");
		pause();
	}
	for (n = 0; !sp_failures; n++) {
		/* It may take more of them until khugepaged gets its turn. */
		if (n >= KILLED && (n == 8 * KILLED ||
				    (long)sp_get(THREAD "pages_collapsed") > collapsed))
			break;
		pid = sp_fork();
		if (!pid) {
			use_all();
			_exit(0);
		}
		sp_need(waitpid(pid, &status, 0) == pid, "waitpid");
		sp_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL,
			  "who took all memory ended with status %#x", status);
		killed = sp_field("/proc/vmstat", "oom_kill ") - kills;
		sp_expect(killed == n + 1, "%u took all memory, and %ld were killed", n + 1,
			  killed);
	}
	run_thread_on(-1);
	collapsed = sp_get(THREAD "pages_collapsed") - collapsed;
	ksft_print_msg("%u took all memory; %ld blocks were collapsed meanwhile\n", n, collapsed);
	sp_expect(collapsed > 0, "khugepaged was not at work");
	sp_expect(waitpid(other, &status, WNOHANG) == 0, "who took nothing was killed");
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
	sp_write("/proc/self/oom_score_adj", "0");
	for (i = 0; i < ARRAY_SIZE(files); i++)
		sp_write_number(files[i], was[i]);
	sp_result("who is killed while khugepaged is at work");
}

int main(int argc, char **argv)
{
	size_t bytes;
	int opt;

	while ((opt = getopt(argc, argv, "n:l:")) != -1) {
		switch (opt) {
		case 'n':
			rounds = sp_number(optarg, 1, LONG_MAX);
			break;
		case 'l':
			limit = sp_number(optarg, 1, LONG_MAX / MB) * MB;
			break;
		default:
			fprintf(stderr, "superpage_swap [-n ROUNDS] [-l MIB_OF_MEMORY_AT_MOST]\n");
			return 2;
		}
	}
	sp_init(argv);
	sp_permit(0);
	bytes = sp_meminfo_kb("MemAvailable:") * 1024;
	if (bytes > limit)
		ksft_exit_skip("more than %zu MiB of memory are available\n", limit / MB);
	bytes += bytes / 2;
	if (!sp_swap_on(2 * bytes))
		ksft_exit_skip("no swap\n");

	ksft_set_plan(4);
	test_dead(bytes);
	test_swap(bytes, "base pages");
	sp_permit(sp_all_orders());
	test_swap(bytes, "superpages");
	/* Use less swap, so that it is soon full. */
	sp_swap_off();
	sp_need(sp_swap_on(bytes / 4), "no swap");
	test_killed();
	ksft_finished();
}
