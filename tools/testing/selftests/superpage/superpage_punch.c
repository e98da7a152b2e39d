// SPDX-License-Identifier: GPL-2.0
/*
 * A kernel thread takes pages of a file away from a process while the process gives back
 * memory of its own.  The thread finishes first, and so purges all translations of the
 * process, including those that the process has not purged yet.  It runs on the processor
 * where the process was before, and has borrowed its address space, so that the process
 * seems to be the only user of that.  If the thread gave the address space a new context
 * number then, the process would go on with the old one on another processor, and when
 * the thread takes the next page away, nobody would purge the translation of that.
 *
 * The thread is that of a loop device, which punches a hole into its file when the device
 * is told to discard.  When that is done, the file is empty.  A process that still sees
 * its contents sees a page that belongs to somebody else by now.
 */
#include <sys/ioctl.h>
#include <linux/fs.h>
#include <linux/loop.h>

#include "superpage.h"

#define ROUNDS		200
#define FILE_PAGES	16
#define OWN_TABLES	(320 << 10)	/* bytes; take longer to go through than the file */
#define WORKERS	"/sys/devices/virtual/workqueue/cpumask"

static int loop = -1;
static char workers[256];	/* what was in WORKERS */

/* Shared by both processes. */
static struct {
	unsigned long written, seen, punched, checked;
} *turn;

/* Return how many pages do not show @value. */
static unsigned long others(char *file, uint64_t value)
{
	unsigned long n = 0;
	size_t i;

	for (i = 0; i < FILE_PAGES; i++)
		n += READ_ONCE(*(uint64_t *)(file + i * page_size)) != value;
	return n;
}

static void use_file(char *file)
{
	/* So far away that no lock of page tables covers both. */
	size_t leaf = sp_leaf_span(), size = OWN_TABLES / page_size * leaf;
	char *own = mmap(file + (16UL << 30), size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	unsigned long round, n;

	sp_need(own != MAP_FAILED, "no memory");
	for (n = 0; n < size; n += leaf)
		own[n] = 1;
	for (round = 1; round <= ROUNDS && !sp_failures; round++) {
		while (sp_acquire(&turn->written) != round)
			usleep(100);
		/* It only reads the file: the kernel would purge dirty pages at once. */
		sp_run_on(1);
		n = others(file, round);
		sp_run_on(2);
		n += others(file, round);
		sp_expect(!n, "round %lu: %lu pages have lost a write", round, n);
		sp_release(&turn->seen, round);
		/* The translations of the file stay in the TLB meanwhile. */
		do
			madvise(own, size, MADV_DONTNEED);
		while (sp_acquire(&turn->punched) != round);
		n = others(file, 0);
		sp_expect(!n, "round %lu: %lu pages that were taken away are still there", round,
			  n);
		sp_release(&turn->checked, round);
	}
	sp_child_exit();
}

/* Wait until the child has reached @round; false if it has ended. */
static bool wait_turn(unsigned long *which, unsigned long round, pid_t pid)
{
	siginfo_t info = { 0 };

	while (sp_acquire(which) < round && !info.si_pid) {
		usleep(100);
		waitid(P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT);
	}
	return sp_acquire(which) >= round;
}

static void test_punch(int fd)
{
	uint64_t range[2] = { 0, page_size };
	char *file = mmap(NULL, FILE_PAGES * page_size, PROT_READ, MAP_SHARED, fd, 0);
	uint64_t round;
	pid_t pid;
	size_t i;

	sp_need(file != MAP_FAILED, "cannot map the file");
	turn = sp_map_shared(sizeof(*turn));
	pid = sp_fork();
	if (!pid)
		use_file(file);
	munmap(file, FILE_PAGES * page_size);
	sp_run_on(0);
	for (round = 1; round <= ROUNDS; round++) {
		for (i = 0; i < FILE_PAGES; i++)
			sp_need(pwrite(fd, &round, sizeof(round), i * page_size) == sizeof(round),
				"cannot write");
		sp_release(&turn->written, round);
		if (!wait_turn(&turn->seen, round, pid))
			break;
		for (i = 0; i < FILE_PAGES; i++) {
			range[0] = i * page_size;
			sp_need(!ioctl(loop, BLKDISCARD, range), "cannot discard");
		}
		sp_release(&turn->punched, round);
		if (!wait_turn(&turn->checked, round, pid))
			break;
	}
	sp_wait(pid);
	sp_result("a loop device punches holes");
}

static void restore(void)
{
	if (getpid() != sp_main_pid)
		return;
	sp_write(WORKERS, workers);
	ioctl(loop, LOOP_CLR_FD);
}

int main(int argc, char **argv)
{
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC), fd, n = -1;
	char path[32];

	sp_init(argv);
	if (argc > 1)
		ksft_exit_fail_msg("superpage_punch takes no arguments\n");
	if (sysconf(_SC_NPROCESSORS_ONLN) < 3)
		ksft_exit_skip("fewer than three processors\n");
	if (control >= 0)
		n = ioctl(control, LOOP_CTL_GET_FREE);
	snprintf(path, sizeof(path), "/dev/loop%d", n);
	if (n >= 0)
		loop = open(path, O_RDWR | O_CLOEXEC);
	if (loop < 0)
		ksft_exit_skip("no loop device\n");
	fd = memfd_create("superpage_punch", MFD_CLOEXEC);
	sp_need(fd >= 0 && !ftruncate(fd, FILE_PAGES * page_size), "no file");
	sp_need(sp_slurp(WORKERS, workers, sizeof(workers)), "no " WORKERS);
	sp_need(!ioctl(loop, LOOP_SET_FD, fd), "cannot use %s", path);
	atexit(restore);
	sp_need(!sp_write(WORKERS, "2"), "cannot have kernel threads on processor 1");
	sp_permit(0);
	ksft_set_plan(1);
	test_punch(fd);
	ksft_finished();
}
