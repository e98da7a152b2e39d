/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the tests of superpages share: the kernel's interfaces, memory that is
 * aligned as they need it, patterns, and accesses that may fault.
 *
 * The tests also run on kernels without superpages, where nothing is counted,
 * and by users who may not change the sysctls.
 */
#ifndef SUPERPAGE_TEST_H
#define SUPERPAGE_TEST_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <linux/userfaultfd.h>

#include "../kselftest.h"

/* Exactly one load or store: others change the memory, and a handler catches faults. */
#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, value)	__atomic_store_n(&(x), value, __ATOMIC_RELAXED)
/* A thread that reads a released value also sees what was written before it. */
#define sp_acquire(p)		__atomic_load_n(p, __ATOMIC_ACQUIRE)
#define sp_release(p, value)	__atomic_store_n(p, value, __ATOMIC_RELEASE)

#ifndef MADV_COLD
#define MADV_COLD	20
#define MADV_PAGEOUT	21
#endif
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE	25
#endif

#ifndef UFFD_USER_MODE_ONLY
#define UFFD_USER_MODE_ONLY	1
#endif

#define SP_INFO		"/proc/superpageinfo"
#define SP_BITMAP	"/proc/sys/vm/superpage_order_bitmap"
#define SP_ALIGN	"/proc/sys/vm/superpage_vm_align"
#define SP_EAGER	"/proc/sys/vm/superpage_eager"
#define SP_RESERVED	"SuperpageRsvd:"
#define SP_PROACTIVE	"/proc/sys/vm/compaction_proactiveness"
#define SP_SCAN		"/sys/kernel/mm/transparent_hugepage/khugepaged/pages_to_scan"
#define SP_SLEEP	"/sys/kernel/mm/transparent_hugepage/khugepaged/scan_sleep_millisecs"
#define SP_ALLOC_SLEEP	"/sys/kernel/mm/transparent_hugepage/khugepaged/alloc_sleep_millisecs"
#define SP_FULL_SCANS	"/sys/kernel/mm/transparent_hugepage/khugepaged/full_scans"
#define SP_MAX_ORDERS	32

/*
 * Seconds after which a program is killed, many times what the longest one takes.  Tests wait for
 * a child, a thread or the kernel, and would otherwise wait for ever if that fails.
 */
#define SP_PATIENCE	1200

static size_t page_size;
static bool sp_kernel;			/* the kernel has superpages */
static bool sp_tunable;			/* and this process may change its sysctls */
static unsigned int sp_order[SP_MAX_ORDERS];	/* the possible orders, ascending */
static unsigned int sp_orders;		/* number of possible orders */

static unsigned long sp_old_bitmap, sp_old_align, sp_old_eager, sp_old_proactive;
static unsigned long sp_old_scan, sp_old_sleep;
static char sp_swap_device[32];		/* what sp_swap_on() has set up */
static pid_t sp_main_pid;
static unsigned int sp_failures;	/* of the current test */

/* --- reporting ----------------------------------------------------------------- */

/* How many failures of a test are printed: the first ones tell enough. */
#define SP_SHOWN	10

/* May be used in threads and children.  A failure counts in the process that finds it. */
#define sp_expect(condition, fmt, ...) ({					\
	bool sp_ok = !!(condition);						\
	if (!sp_ok && __atomic_fetch_add(&sp_failures, 1, __ATOMIC_RELAXED) < SP_SHOWN) \
		ksft_print_msg("%s:%d: " fmt "\n", __func__, __LINE__, ##__VA_ARGS__); \
	sp_ok;									\
})

/* Give up if a condition fails without which the test would say nothing. */
#define sp_need(condition, fmt, ...) do {					\
	if (!(condition))							\
		ksft_exit_fail_msg("%s:%d: " fmt ": %s\n", __func__, __LINE__,	\
				   ##__VA_ARGS__, strerror(errno));		\
} while (0)

/* Report the current test by the failures that sp_expect() has counted; begin the next. */
#define sp_result(fmt, ...) do {						\
	ksft_test_result(!sp_failures, fmt "\n", ##__VA_ARGS__);		\
	sp_failures = 0;							\
} while (0)

/* --- files ------------------------------------------------------------------------ */

static inline int sp_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int ret = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		ret = -errno;
	close(fd);
	return ret;
}

static inline int sp_write_number(const char *path, unsigned long n)
{
	char text[32];

	snprintf(text, sizeof(text), "%lu\n", n);
	return sp_write(path, text);
}

/*
 * Read all of a small file, without malloc(), whose heap could have superpages.  Callers split
 * the text with strsep() before sscanf(), which would look for the end of all of it each time.
 */
static inline bool sp_slurp(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	ssize_t n;

	if (fd < 0)
		return false;
	while (len < size - 1 && (n = read(fd, buf + len, size - 1 - len)) > 0)
		len += n;
	buf[len] = '\0';
	close(fd);
	return true;
}

/* Return the number after @field in a file like /proc/meminfo; -1 if there is none. */
static inline long sp_field(const char *path, const char *field)
{
	char buf[8192], *line;

	if (!sp_slurp(path, buf, sizeof(buf)))
		return -1;
	for (line = buf; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, field, strlen(field)))
			return strtol(line + strlen(field), NULL, 0);
	}
	return -1;
}

static inline long sp_meminfo_kb(const char *field)
{
	return sp_field("/proc/meminfo", field);
}

/* --- the kernel's interfaces -------------------------------------------------------- */

/*
 * @mapped counts the superpages that this process has mapped, and @others those that all
 * other processes have mapped.  The other counts are those of the whole machine.
 */
struct sp_count {
	long marked, alloc, fallback, demoted, promoted, mapped, others;
};

/*
 * Add the superpages of a process to @mapped, which has a number for each order.  @path is its
 * smaps or smaps_rollup; the latter is much shorter, for the kernel and for this test.
 */
static inline bool sp_add_smaps(const char *path, long *mapped)
{
	static char buf[16384];
	char *line, *end, *next;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	unsigned long size, kb;
	size_t len = 0;
	unsigned int i;
	ssize_t n;

	if (fd < 0)
		return false;
	while ((n = read(fd, buf + len, sizeof(buf) - 1 - len)) > 0) {
		len += n;
		buf[len] = '\0';
		for (line = buf; (end = strchr(line, '\n')); line = end + 1) {
			if (strncmp(line, "Superpages", 10))
				continue;
			size = strtoul(line + 10, &next, 10);
			if (!size || strncmp(next, "kB:", 3))
				continue;
			kb = strtoul(next + 3, NULL, 10);
			for (i = 0; i < sp_orders; i++)
				if (page_size << sp_order[i] == size << 10)
					mapped[i] += kb / size;
		}
		len -= line - buf;
		memmove(buf, line, len);
	}
	close(fd);
	return !n;
}

/* Return how many superpages of one order a process has mapped. */
static inline long sp_mapped_by(pid_t pid, unsigned int order)
{
	long mapped[SP_MAX_ORDERS] = {};
	char path[64];
	unsigned int i;

	snprintf(path, sizeof(path), "/proc/%d/smaps_rollup", pid);
	sp_need(sp_add_smaps(path, mapped), "cannot read %s", path);
	for (i = 0; i < sp_orders && sp_order[i] != order; i++)
		;
	return i < sp_orders ? mapped[i] : 0;
}

/*
 * Return a sum over the mappings in a range, in bytes, from smaps: of @field, or, if that is NULL,
 * of superpages of at least @least bytes.
 */
static inline size_t sp_range_sum(const char *field, size_t least, void *p, size_t len)
{
	unsigned long start, end, size, from = (uintptr_t)p;
	FILE *f = fopen("/proc/self/smaps", "r");
	bool inside = false;
	char buf[512], *at;
	size_t sum = 0;

	sp_need(f, "cannot read smaps");
	while (fgets(buf, sizeof(buf), f)) {
		/* Fields begin with a capital letter, mappings with an address. */
		if (buf[0] < 'A' || buf[0] > 'Z') {
			if (sscanf(buf, "%lx-%lx ", &start, &end) != 2)
				continue;
			if (start >= from + len)
				break;
			inside = end > from;
		} else if (inside && field) {
			if (!strncmp(buf, field, strlen(field)))
				sum += strtoul(buf + strlen(field), NULL, 10) << 10;
		} else if (inside && !strncmp(buf, "Superpages", 10)) {
			size = strtoul(buf + 10, &at, 10);
			if (size << 10 >= least && !strncmp(at, "kB:", 3))
				sum += strtoul(at + 3, NULL, 10) << 10;
		}
	}
	fclose(f);
	return sum;
}

/* Return the sum of a field of smaps over the mappings in a range, in bytes. */
static inline size_t sp_range_field(const char *field, void *p, size_t len)
{
	return sp_range_sum(field, 0, p, len);
}

/* Return how many bytes of a range are in superpages of at least @least bytes. */
static inline size_t sp_in_superpages(void *p, size_t len, size_t least)
{
	return sp_range_sum(NULL, least, p, len);
}

/* Read the counts of each order. */
static inline void sp_counts(struct sp_count *count)
{
	long mapped[SP_MAX_ORDERS] = {};
	struct sp_count l = {};
	char buf[4096], *at = buf, *line;
	unsigned int order, i;
	long kb;

	memset(count, 0, sp_orders * sizeof(*count));
	if (!sp_kernel)
		return;
	sp_need(sp_slurp(SP_INFO, buf, sizeof(buf)), "cannot read %s", SP_INFO);
	sp_need(sp_add_smaps("/proc/self/smaps_rollup", mapped), "cannot read smaps_rollup");
	while ((line = strsep(&at, "\n"))) {
		if (sscanf(line, "%u %ld %ld %ld %ld %ld %ld %ld", &order, &kb, &l.marked,
			   &l.alloc, &l.fallback, &l.demoted, &l.promoted, &l.others) != 8)
			continue;
		for (i = 0; i < sp_orders; i++) {
			if (sp_order[i] != order)
				continue;
			count[i] = l;
			count[i].mapped = mapped[i];
			count[i].others -= mapped[i];
		}
	}
}

/* Return the counts of @order; zeroes if the kernel does not have that order. */
static inline struct sp_count sp_count(unsigned int order)
{
	struct sp_count count[SP_MAX_ORDERS], none = {};
	unsigned int i;

	sp_counts(count);
	for (i = 0; i < sp_orders; i++)
		if (sp_order[i] == order)
			return count[i];
	return none;
}

/* Return the sums over all orders. */
static inline struct sp_count sp_count_all(void)
{
	struct sp_count sum = {}, count[SP_MAX_ORDERS];
	unsigned int i;

	sp_counts(count);
	for (i = 0; i < sp_orders; i++) {
		sum.marked += count[i].marked;
		sum.alloc += count[i].alloc;
		sum.fallback += count[i].fallback;
		sum.demoted += count[i].demoted;
		sum.promoted += count[i].promoted;
		sum.mapped += count[i].mapped;
		sum.others += count[i].others;
	}
	return sum;
}

/*
 * Expect that the kernel's counts of mapped superpages are the sums over all processes.
 * Processes come and go, so try again if they are not.  What a process has left behind
 * when it ended stays in the counts.
 */
static inline void sp_check_accounts(const char *when)
{
	struct sp_count count[SP_MAX_ORDERS];
	long mapped[SP_MAX_ORDERS];
	struct dirent *entry;
	int patience = 100;
	unsigned int i;
	char path[300];
	DIR *proc;

	/* Only root sees what others have. */
	if (!sp_tunable)
		return;
	do {
		if (patience < 100)
			usleep(10000);
		memset(mapped, 0, sizeof(mapped));
		proc = opendir("/proc");
		sp_need(proc, "cannot read /proc");
		while ((entry = readdir(proc))) {
			snprintf(path, sizeof(path), "/proc/%s/smaps_rollup", entry->d_name);
			if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9')
				sp_add_smaps(path, mapped);
		}
		closedir(proc);
		sp_counts(count);
		for (i = 0; i < sp_orders; i++)
			if (count[i].mapped + count[i].others != mapped[i])
				break;
	} while (i < sp_orders && --patience);
	sp_expect(i == sp_orders,
		  "%s: %ld superpages of order %u are counted, all processes have %ld", when,
		  count[i].mapped + count[i].others, sp_order[i], mapped[i]);
}

static inline unsigned long sp_all_orders(void)
{
	unsigned long bitmap = 0;
	unsigned int i;

	for (i = 0; i < sp_orders; i++)
		bitmap |= 1UL << sp_order[i];
	return bitmap;
}

static inline unsigned long sp_get(const char *path)
{
	char buf[64];

	return sp_slurp(path, buf, sizeof(buf)) ? strtoul(buf, NULL, 0) : 0;
}

/* Permit the orders in @bitmap, if this process may do so. */
static inline void sp_permit(unsigned long bitmap)
{
	if (sp_tunable)
		sp_need(!sp_write_number(SP_BITMAP, bitmap), "cannot set %s", SP_BITMAP);
}

static inline void sp_swap_off(void)
{
	char path[64];

	if (!sp_swap_device[0])
		return;
	snprintf(path, sizeof(path), "/dev/%s", sp_swap_device);
	swapoff(path);
	snprintf(path, sizeof(path), "/sys/block/%s/reset", sp_swap_device);
	sp_write(path, "1");
	sp_swap_device[0] = '\0';
}

/* Let khugepaged work.  Without this it does nothing, since most tests count superpages. */
static inline void sp_khugepaged_works(void)
{
	if (!sp_tunable || !sp_old_scan)
		return;
	sp_write_number(SP_SCAN, sp_old_scan);
	sp_write_number(SP_SLEEP, sp_old_sleep);
}

/* Wait some seconds for @n more full passes of khugepaged; false if there are fewer. */
static inline bool sp_khugepaged_scans(unsigned int n)
{
	unsigned long end = sp_get(SP_FULL_SCANS) + n;
	int patience;

	for (patience = 60; patience && sp_get(SP_FULL_SCANS) < end; patience--)
		usleep(100000);
	return patience;
}

/* Return the PID of the kernel thread of this name; 0 if there is none. */
static inline pid_t sp_thread_pid(const char *name)
{
	char path[300], buf[64], *end;
	struct dirent *entry;
	DIR *dir = opendir("/proc");
	pid_t pid = 0;

	while (dir && !pid && (entry = readdir(dir))) {
		snprintf(path, sizeof(path), "/proc/%s/comm", entry->d_name);
		if (!sp_slurp(path, buf, sizeof(buf)))
			continue;
		end = strchr(buf, '\n');
		if (end)
			*end = '\0';
		if (!strcmp(buf, name))
			pid = atoi(entry->d_name);
	}
	if (dir)
		closedir(dir);
	return pid;
}

static inline pid_t sp_khugepaged_pid(void)
{
	return sp_thread_pid("khugepaged");
}

static inline void sp_khugepaged_rests(void)
{
	sp_old_scan = sp_get(SP_SCAN);
	sp_old_sleep = sp_get(SP_SLEEP);
	if (!sp_tunable || !sp_old_scan)
		return;
	/*
	 * khugepaged does one step a second after superpages are permitted, and the next a
	 * thousand seconds later.  With vhpt=long, a step may collapse the block that misses the
	 * TLB most.
	 */
	sp_write_number(SP_SLEEP, 1000000);
	sp_write_number(SP_SCAN, 1);
}

static inline void sp_restore(void)
{
	if (getpid() != sp_main_pid)
		return;
	if (sp_tunable) {
		sp_write_number(SP_BITMAP, sp_old_bitmap);
		sp_write_number(SP_ALIGN, sp_old_align);
		sp_write_number(SP_EAGER, sp_old_eager);
		sp_write_number(SP_PROACTIVE, sp_old_proactive);
		sp_khugepaged_works();
	}
	sp_swap_off();
}

/* Return the number in the argument of an option; if it is wrong, say so and exit. */
static inline unsigned long sp_number(const char *text, unsigned long min, unsigned long max)
{
	unsigned long n;
	char *end;

	errno = 0;
	n = strtoul(text, &end, 0);
	if (end == text || *end || errno || *text == '-' || n < min || n > max) {
		fprintf(stderr, "\"%s\" should be a number from %lu to %lu\n", text, min, max);
		exit(2);
	}
	return n;
}

/*
 * Call this first.  It switches superpages off where that is possible, so that a test
 * that counts them has only those that it makes.  If the program had superpages already,
 * it gets rid of them by executing itself again.
 *
 * When the test permits superpages, a page fault maps the largest that there is memory
 * for, so that one touch makes one.  With SUPERPAGE_EAGER=0 in the environment, or after
 * sp_growing(), the kernel chooses how much it maps.
 */
static inline void sp_init(char **argv)
{
	static char stdout_buf[4096];
	char buf[4096], self[PATH_MAX] = "", *line, *old = getenv("SUPERPAGE_OLD");

	/* Write out each line, since children and threads print, too. */
	setvbuf(stdout, stdout_buf, _IOLBF, sizeof(stdout_buf));
	alarm(SP_PATIENCE);
	page_size = sysconf(_SC_PAGESIZE);
	sp_main_pid = getpid();
	sp_kernel = sp_slurp(SP_INFO, buf, sizeof(buf));
	if (sp_kernel) {
		for (line = strchr(buf, '\n'); line && line[1] && sp_orders < SP_MAX_ORDERS;
		     line = strchr(line + 1, '\n'))
			sp_order[sp_orders++] = strtoul(line, NULL, 10);
		sp_old_bitmap = sp_get(SP_BITMAP);
		sp_old_align = sp_get(SP_ALIGN);
		sp_old_eager = sp_get(SP_EAGER);
		sp_tunable = !sp_write_number(SP_BITMAP, 0);
		/* Otherwise nothing would be counted, and every test would pass. */
		sp_need(sp_tunable || geteuid(), "root cannot write to %s", SP_BITMAP);
		if (sp_tunable && sp_old_bitmap && !old) {
			snprintf(buf, sizeof(buf), "%lu", sp_old_bitmap);
			setenv("SUPERPAGE_OLD", buf, 1);
			if (readlink("/proc/self/exe", self, sizeof(self) - 1) > 0)
				execv(self, argv);
			sp_need(false, "cannot begin anew");
		}
		if (sp_tunable && old)
			sp_old_bitmap = strtoul(old, NULL, 10);
		/* Kernels that can only map eagerly do not have this file. */
		if (sp_tunable)
			sp_write(SP_EAGER, getenv("SUPERPAGE_EAGER") ?: "1");
		/* Proactive compaction would demote superpages that a test counts. */
		sp_old_proactive = sp_get(SP_PROACTIVE);
		if (sp_tunable)
			sp_write(SP_PROACTIVE, "0");
		sp_khugepaged_rests();
		atexit(sp_restore);
	}
	ksft_print_header();
	ksft_print_msg("pages of %zu bytes, %s\n", page_size,
		       sp_tunable ? "superpages" :
		       sp_kernel ? "superpages that we may not tune" : "no superpages");
}

/* From now on superpages grow, as they do by default. */
static inline void sp_growing(void)
{
	if (sp_tunable)
		sp_write(SP_EAGER, "0");
}

#define SP_DEBUG	"/sys/kernel/debug/superpage/"	/* with CONFIG_SUPERPAGE_DEBUG */

/*
 * Return the most bytes that the kernel reserves in one piece.  With some debugging options,
 * which touch each frame when it is freed, it reserves less; otherwise there is no limit.
 */
static inline size_t sp_most_aside(void)
{
	size_t most;

	mount("none", "/sys/kernel/debug", "debugfs", 0, NULL);
	most = sp_get(SP_DEBUG "most");
	return most ? most : SIZE_MAX;
}

/* Orders to test with, whether the kernel has them or not. */
static inline unsigned int sp_default_orders(void)
{
	static const unsigned int some[] = { 2, 4, 6, 8, 10, 12 };

	if (!sp_kernel) {
		memcpy(sp_order, some, sizeof(some));
		sp_orders = ARRAY_SIZE(some);
	}
	return sp_orders;
}

/* Bytes that one leaf page table maps. */
static inline size_t sp_leaf_span(void)
{
	return page_size * (page_size / 8);
}

/* --- which operations to test, with which orders ---------------------------------------- */

#define SP_CHOICE	"o:t:"
#define SP_CHOICE_HELP								\
	"  -o ORDER	only this order; may be repeated\n"			\
	"  -t OPERATION	only those whose name contains this\n"

static unsigned int sp_chosen[SP_MAX_ORDERS], sp_choices;
static const char *sp_only = "";

/* Handle an option of SP_CHOICE; false if @opt is another option. */
static inline bool sp_choose(int opt)
{
	if (opt == 'o' && sp_choices < SP_MAX_ORDERS)
		sp_chosen[sp_choices++] = sp_number(optarg, 2, 63);
	else if (opt == 't')
		sp_only = optarg;
	else
		return false;
	return true;
}

/* End a program with several parts if option -t has chosen none of them. */
static inline void sp_must_choose(unsigned int chosen)
{
	if (chosen)
		return;
	fprintf(stderr, "no test has \"%s\" in its name\n", sp_only);
	exit(2);
}

/* Without -o, choose the @few smallest orders >= 2, and the smallest that spans leaf tables. */
static inline void sp_choose_orders(unsigned int few)
{
	unsigned int i;

	if (sp_choices)
		return;
	for (i = 0; i < sp_orders && sp_choices < few; i++)
		if (sp_order[i] >= 2)
			sp_chosen[sp_choices++] = sp_order[i];
	while (i < sp_orders && page_size << sp_order[i] <= sp_leaf_span())
		i++;
	if (i < sp_orders)
		sp_chosen[sp_choices++] = sp_order[i];
}

/* --- memory ------------------------------------------------------------------------- */

static inline char *sp_map_prot(size_t len, size_t align, int prot, int flags)
{
	char *p = mmap(NULL, len + align, prot, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
	char *start;

	sp_need(p != MAP_FAILED, "cannot map %zu bytes", len + align);
	start = (char *)(((uintptr_t)p + align - 1) & -align);
	if (start > p)
		munmap(p, start - p);
	if (p + align > start)
		munmap(start + len, p + align - start);
	return start;
}

/* Map private anonymous memory, @len bytes at a multiple of @align. */
static inline char *sp_map(size_t len, size_t align)
{
	return sp_map_prot(len, align, PROT_READ | PROT_WRITE, 0);
}

/*
 * Map private memory for the test's own use, which never gets superpages.  Kernels that have none
 * do not know the advice.
 */
static inline void *sp_map_plain(size_t len)
{
	char *p = sp_map(len, page_size);

	madvise(p, len, MADV_NOHUGEPAGE);
	return memset(p, 0, len);
}

/* Map memory that children share. */
static inline void *sp_map_shared(size_t len)
{
	void *p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	sp_need(p != MAP_FAILED, "cannot map %zu shared bytes", len);
	return p;
}

/*
 * A pattern fills memory with words: the first is @seed, and each one is larger than
 * the one before by the same odd number.  Seed 0 stands for zeroes.
 */
#define SP_PATTERN	0x9e3779b97f4a7c15UL

static inline void sp_fill(void *p, size_t len, uint64_t seed)
{
	uint64_t *w = p, *end = (uint64_t *)((char *)p + len);

	if (!seed) {
		memset(p, 0, len);
		return;
	}
	for (; w < end; w++, seed += SP_PATTERN)
		*w = seed;
}

/* Return the offset at which memory differs from what sp_fill() wrote; -1 if it does not. */
static inline long sp_differs(const void *p, size_t len, uint64_t seed)
{
	const uint64_t *w = p, *end = (const uint64_t *)((const char *)p + len);
	uint64_t step = seed ? SP_PATTERN : 0;

	for (; w < end; w++, seed += step)
		if (READ_ONCE(*w) != seed)
			return (const char *)w - (const char *)p;
	return -1;
}

/* Expect that nothing of what sp_fill() has written with @seed has changed. */
static inline void sp_expect_bytes(const char *p, size_t len, uint64_t seed, const char *when)
{
	long at = sp_differs(p, len, seed);

	sp_expect(at < 0, "%s: byte %ld has changed", when, at);
}

/* Restore a part of what sp_fill() has written with @seed. */
static inline void sp_refill(char *p, size_t from, size_t len, uint64_t seed)
{
	sp_fill(p + from, len, seed + from / 8 * SP_PATTERN);
}

/* Read the frames of @n pages that are @step bytes apart; 0 where there is none. */
static inline void sp_read_frames(const void *p, size_t n, size_t step, uint64_t *frame)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	size_t chunk = step == page_size ? n : 1, i;

	for (i = 0; i < n; i += chunk)
		sp_need(pread(fd, frame + i, chunk * 8,
			      ((uintptr_t)p + i * step) / page_size * 8) == (ssize_t)(chunk * 8),
			"cannot read pagemap");
	close(fd);
	for (i = 0; i < n; i++)
		frame[i] = frame[i] >> 63 ? frame[i] & ((1UL << 55) - 1) : 0;
}

static inline uint64_t sp_frame_of(const void *p)
{
	uint64_t frame;

	sp_read_frames(p, 1, page_size, &frame);
	return frame;
}

/* For qsort() of frames. */
static inline int sp_compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* --- random numbers -------------------------------------------------------------------- */

/* Each thread and each process has its own state.  It may begin with anything but 0. */
static __thread uint64_t sp_rng = 1;

/* Return a random number below @n, by xorshift64*. */
static inline uint64_t sp_random_below(uint64_t n)
{
	uint64_t x;

	sp_rng ^= sp_rng >> 12;
	sp_rng ^= sp_rng << 25;
	sp_rng ^= sp_rng >> 27;
	x = (sp_rng * 0x2545f4914f6cdd1dUL) >> 16;
	/* Most are powers of two, and ia64 has no instruction that divides. */
	return n & (n - 1) ? x % n : x & (n - 1);
}

/* --- accesses that may fault ----------------------------------------------------------- */

static __thread sigjmp_buf sp_fault_env;
static __thread bool sp_fault_armed;

static inline void sp_fault_handler(int sig, siginfo_t *info, void *context)
{
	(void)context;
	if (READ_ONCE(sp_fault_armed)) {
		WRITE_ONCE(sp_fault_armed, false);
		siglongjmp(sp_fault_env, 1);
	}
	ksft_print_msg("signal %d at %p\n", sig, info->si_addr);
	signal(sig, SIG_DFL);
}

static inline void sp_catch_faults(void)
{
	struct sigaction sa = {
		.sa_sigaction = sp_fault_handler,
		.sa_flags = SA_SIGINFO | SA_NODEFER,
	};

	sigaction(SIGSEGV, &sa, NULL);
	sigaction(SIGBUS, &sa, NULL);
}

/* Read a word; false if that faults. */
static inline bool sp_load(const void *p, uint64_t *value)
{
	if (sigsetjmp(sp_fault_env, 0))
		return false;
	WRITE_ONCE(sp_fault_armed, true);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	*value = READ_ONCE(*(const uint64_t *)p);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	WRITE_ONCE(sp_fault_armed, false);
	return true;
}

/* Write a word; false if that faults. */
static inline bool sp_store(void *p, uint64_t value)
{
	if (sigsetjmp(sp_fault_env, 0))
		return false;
	WRITE_ONCE(sp_fault_armed, true);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	WRITE_ONCE(*(uint64_t *)p, value);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	WRITE_ONCE(sp_fault_armed, false);
	return true;
}

static inline int sp_userfaultfd(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	int fd = syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY);

	if (fd >= 0 && ioctl(fd, UFFDIO_API, &api)) {
		close(fd);
		return -1;
	}
	return fd;
}

static inline bool sp_can_userfaultfd(void)
{
	int fd = sp_userfaultfd();

	close(fd);
	return fd >= 0;
}

/* --- children ------------------------------------------------------------------------- */

/* Make a child, which must end with sp_child_exit(). */
static inline pid_t sp_fork(void)
{
	pid_t pid = fork();

	sp_need(pid >= 0, "cannot fork");
	if (!pid) {
		sp_failures = 0;
		alarm(SP_PATIENCE);	/* not inherited */
	}
	return pid;
}

/* End a child; its failures make the parent's sp_wait() fail. */
static inline void sp_child_exit(void)
{
	_exit(sp_failures ? 1 : 0);
}

static inline bool sp_wait(pid_t pid)
{
	int status = -1;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return sp_expect(WIFEXITED(status) && !WEXITSTATUS(status),
			 "child %d ended with status %#x", pid, status);
}

/* --- processors ------------------------------------------------------------------------ */

/* Run on the @n-th processor, where the first one follows the last. */
static inline void sp_run_on(unsigned long n)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(n % sysconf(_SC_NPROCESSORS_ONLN), &set);
	sp_expect(!sched_setaffinity(0, sizeof(set), &set), "sched_setaffinity: %s",
		  strerror(errno));
}

static inline const char *sp_online_file(unsigned int cpu)
{
	static __thread char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/online", cpu);
	return path;
}

static inline bool sp_can_go_offline(unsigned int cpu)
{
	return !access(sp_online_file(cpu), W_OK);
}

static inline long sp_rid_bits(void)
{
	return sp_field("/proc/pal/cpu0/vm_info", "Size of RR.rid                 :");
}

/* Bring a processor online, or take it offline. */
static inline void sp_set_online(unsigned int cpu, bool online)
{
	int ret = sp_write(sp_online_file(cpu), online ? "1" : "0");

	sp_expect(!ret, "processor %u does not %s: %s", cpu, online ? "come" : "go",
		  strerror(-ret));
}

/* --- swap ------------------------------------------------------------------------------ */

static inline bool sp_have_swap(void)
{
	char buf[4096];

	return sp_slurp("/proc/swaps", buf, sizeof(buf)) && strchr(buf, '\n') &&
	       strchr(buf, '\n')[1];
}

/* Make a block device of @bytes swap and use it. */
static inline bool sp_swap_device_on(const char *path, size_t bytes)
{
	static char header[65536];
	uint32_t *info = (uint32_t *)(header + 1024);
	bool ok;
	int fd;

	if (page_size > sizeof(header))
		return false;
	info[0] = 1;					/* version */
	info[1] = bytes / page_size - 1;		/* last page */
	memcpy(header + page_size - 10, "SWAPSPACE2", 10);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	ok = fd >= 0 && write(fd, header, page_size) == (ssize_t)page_size && !fsync(fd);
	close(fd);
	return ok && !swapon(path, 0);
}

/*
 * Make sure that there is swap.  If there is none, make zram0 swap of @bytes until the
 * program ends, unless it is in use.  Returns false if there is no swap.
 */
static inline bool sp_swap_on(size_t bytes)
{
	if (sp_have_swap())
		return true;
	if (sp_get("/sys/block/zram0/disksize") ||
	    sp_write_number("/sys/block/zram0/disksize", bytes))
		return false;
	strcpy(sp_swap_device, "zram0");
	if (!sp_swap_device_on("/dev/zram0", bytes)) {
		sp_swap_off();
		return false;
	}
	if (!sp_kernel)
		atexit(sp_restore);
	return true;
}

/* Has kswapd failed to reclaim so often that the kernel no longer wakes it? */
static inline bool sp_kswapd_is_hopeless(void)
{
	static char zoneinfo[1 << 16];

	sp_need(sp_slurp("/proc/zoneinfo", zoneinfo, sizeof(zoneinfo)),
		"cannot read /proc/zoneinfo");
	return strstr(zoneinfo, "node_unreclaimable:  1");
}

/*
 * Have a child use memory, all that is free if need be, while @still() is true.  There is swap
 * meanwhile, so kswapd runs and reclaims something.
 */
static inline void sp_press_while(bool (*still)(void), const char *what)
{
	size_t mb = 1024 * 1024, len, i;
	pid_t pid;
	char *p;

	if (!still())
		return;
	sp_expect(sp_swap_on(64 * mb), "no swap");
	pid = sp_fork();
	if (!pid) {
		len = ((size_t)sp_meminfo_kb("MemFree:") << 10) + 32 * mb;
		p = sp_map(len, page_size);
		for (i = 0; i < len; i += page_size) {
			if (!(i % mb)) {
				/* Let kswapd finish, or the child fills the swap and is killed. */
				if (sp_meminfo_kb("MemFree:") < 64 * 1024)
					usleep(10000);
				if (!still())
					break;
			}
			WRITE_ONCE(p[i], 1);
		}
		sp_expect(i < len, "%s", what);
		sp_child_exit();
	}
	sp_wait(pid);
	sp_swap_off();
}

static inline void sp_revive_kswapd(void)
{
	sp_press_while(sp_kswapd_is_hopeless, "kswapd is left hopeless");
}

/* --- what is in use --------------------------------------------------------------------- */

/* In pages. */
struct sp_usage {
	long lost;			/* neither free nor in any counter of the kernel */
	long anon, tables;		/* of others than this process */
	long own_anon, own_tables;
};

/*
 * Read /proc/zoneinfo once.  It has all counts, so that none changes because this test
 * reads another file between two of them.  Pages of a zone that are neither free nor in
 * a known use are the kernel's own, with the top level of each process's page tables, or
 * lost.
 */
static inline struct sp_usage sp_usage_once(void)
{
	static char buf[65536];
	long free = 0, used = 0, managed = 0, n;
	char *at = buf, *line, name[64];
	struct sp_usage u = {};

	/*
	 * kfree_rcu() keeps up to five pages for each processor, which no counter names.  Its
	 * shrinker frees them, and does not let it take others for the next seconds.  Writing 4
	 * silences the kernel's messages about this.
	 */
	sp_write("/proc/sys/vm/drop_caches", "4");
	sp_write("/proc/sys/vm/drop_caches", "2");
	/* Let the processors add their own counts to the totals now. */
	sp_write("/proc/sys/vm/stat_refresh", "1");
	sp_need(sp_slurp("/proc/zoneinfo", buf, sizeof(buf)), "cannot read /proc/zoneinfo");
	while ((line = strsep(&at, "\n"))) {
		if (sscanf(line, " pages free %ld", &n) == 1 ||
		    sscanf(line, " count: %ld", &n) == 1) {
			free += n;
			continue;
		}
		if (sscanf(line, " %63s %ld", name, &n) != 2)
			continue;
		if (!strcmp(name, "managed"))
			managed += n;
		else if (!strcmp(name, "nr_anon_pages"))
			u.anon += n;
		else if (!strcmp(name, "nr_page_table_pages"))
			u.tables += n;
		else if (!strcmp(name, "nr_kernel_stack"))	/* in kB */
			used += (n << 10) / (long)page_size;
		else if (!strcmp(name, "nr_file_pages") || !strcmp(name, "nr_zspages") ||
			 !strcmp(name, "nr_superpage_reserved") || !strncmp(name, "nr_slab_", 8))
			used += n;
	}
	/* This is in another file, but changes seldom.  Memory cgroups have counts in there. */
	used += (sp_meminfo_kb("Percpu:") << 10) / (long)page_size;
	u.lost = managed - free - used - u.anon - u.tables;
	u.own_tables = (sp_field("/proc/self/status", "VmPTE:") << 10) / (long)page_size;
	u.own_anon = (sp_field("/proc/self/smaps_rollup", "Anonymous:") << 10) / (long)page_size;
	u.tables -= u.own_tables;
	u.anon -= u.own_anon;
	return u;
}

/*
 * An idle processor keeps the mm of the process that was there last, and the top level of
 * its page tables, even if that process is dead.  Let it be this process.
 */
static inline void sp_visit_processors(void)
{
	cpu_set_t all, one;
	int cpu;

	sp_need(!sched_getaffinity(0, sizeof(all), &all), "sched_getaffinity");
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &all))
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		sched_setaffinity(0, sizeof(one), &one);
	}
	sched_setaffinity(0, sizeof(all), &all);
}

/* Wait some seconds until khugepaged runs, or until it does not; false if that fails. */
static inline bool sp_khugepaged_is(bool running)
{
	int patience;

	for (patience = 100; patience && !sp_khugepaged_pid() == running; patience--) {
		usleep(50000);
		/* An idle processor may keep an mm whose policy has "force". */
		sp_visit_processors();
	}
	return patience;
}

/*
 * Return how many pages are in use, exactly.  Freed pages may be held for a moment: by RCU,
 * which waits for all processors, and by the per-CPU batches of pages for the LRU lists,
 * which compaction drains first.
 */
static inline struct sp_usage sp_usage_now(void)
{
	struct sp_usage u, last;
	int patience = 500, same = 0;

	sp_write("/proc/sys/vm/compact_memory", "1");
	sp_visit_processors();
	u = sp_usage_once();
	while (same < 10 && --patience) {
		last = u;
		usleep(20000);
		u = sp_usage_once();
		same = memcmp(&u, &last, sizeof(u)) ? 0 : same + 1;
	}
	return u;
}

/*
 * In pages.  Now and then a test of memory pressure ends with one or two in use that no
 * counter names; a second run of the test does not add to these.  A test that loses a page
 * for each of its processes loses more than this.
 */
#define SP_NOISE	4

static inline bool sp_more_used(struct sp_usage now, struct sp_usage before)
{
	return now.lost > before.lost || now.anon > before.anon || now.tables > before.tables;
}

/*
 * Expect that nothing has been left behind since @before.  Only root can have all lists
 * emptied.  On a machine that does other work, the result says nothing.
 */
static inline void sp_check_usage(struct sp_usage before)
{
	struct sp_usage now;
	int patience;

	if (!sp_tunable)
		return;
	now = sp_usage_now();
	/* The OOM reaper holds a process that the OOM killer has killed for two seconds. */
	for (patience = 60; patience && sp_more_used(now, before); patience--) {
		usleep(50000);
		now = sp_usage_once();
	}
	ksft_print_msg("pages lost %+ld; anonymous %+ld, own %+ld; of page tables %+ld, own %+ld\n",
		       now.lost - before.lost, now.anon - before.anon,
		       now.own_anon - before.own_anon, now.tables - before.tables,
		       now.own_tables - before.own_tables);
	sp_expect(now.lost <= before.lost + SP_NOISE, "%ld pages are lost",
		  now.lost - before.lost);
	sp_expect(now.anon <= before.anon, "others have %ld anonymous pages more",
		  now.anon - before.anon);
	sp_expect(now.own_anon <= before.own_anon + SP_NOISE,
		  "this process has %ld anonymous pages more", now.own_anon - before.own_anon);
	sp_expect(now.tables <= before.tables, "others have %ld page tables more",
		  now.tables - before.tables);
	sp_expect(now.own_tables <= before.own_tables + 1, "this process has %ld page tables more",
		  now.own_tables - before.own_tables);
	sp_check_accounts("in the end");
}

#endif /* SUPERPAGE_TEST_H */
