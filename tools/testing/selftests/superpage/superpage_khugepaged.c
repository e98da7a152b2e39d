// SPDX-License-Identifier: GPL-2.0
/*
 * After some quiet seconds khugepaged makes superpages of blocks that fork(), swap and
 * MADV_DONTNEED have left in pieces, as its knobs say.  No byte changes, and it does nothing
 * where nothing is permitted.
 */
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "superpage_writers.h"

#define MB		(1024 * 1024UL)
#define HUGE		MB		/* hpage_pmd_size */
#define THP		"/sys/kernel/mm/transparent_hugepage/"
#define THREAD		THP "khugepaged/"

static unsigned int rounds = 20;

static unsigned int huge_pages(void)
{
	return HUGE / page_size;
}

/* --- the thread's files --------------------------------------------------------------- */

static const char * const knobs[] = {
	"pages_to_scan", "scan_sleep_millisecs", "alloc_sleep_millisecs", "max_ptes_none",
	"max_ptes_swap", "max_ptes_shared", "defrag",
};

static unsigned long knob_was[ARRAY_SIZE(knobs)];

static const char *knob_path(const char *name)
{
	static __thread char path[100];

	snprintf(path, sizeof(path), THREAD "%s", name);
	return path;
}

static void set_knob(const char *name, unsigned long value)
{
	int ret = sp_write_number(knob_path(name), value);

	sp_expect(!ret, "%s = %lu: %s", name, value, strerror(-ret));
}

static void restore_knobs(void)
{
	unsigned int i;

	if (getpid() != sp_main_pid)
		return;
	for (i = 0; i < ARRAY_SIZE(knobs); i++)
		sp_write_number(knob_path(knobs[i]), knob_was[i]);
}

/* Let khugepaged run at once, and then at most ten times a second. */
static void hurry(void)
{
	set_knob("scan_sleep_millisecs", 100);
	set_knob("alloc_sleep_millisecs", 100);
}

/* Wait until the range is in superpages of @least bytes, up to some seconds. */
static bool wait_for(void *p, size_t len, size_t least)
{
	int patience;

	for (patience = 100; patience; patience--) {
		if (sp_in_superpages(p, len, least) == len)
			return true;
		usleep(100000);
	}
	return false;
}

static void expect_whole(char *p, size_t len, const char *what)
{
	sp_expect(wait_for(p, len, HUGE), "%s: only %zu of %zu kB are in superpages", what,
		  sp_in_superpages(p, len, HUGE) >> 10, len >> 10);
}

/* Map base pages with a pattern. */
static char *base_pages(size_t len, uint64_t seed)
{
	char *p;

	sp_permit(0);
	p = sp_map(len, 16 * MB);
	sp_fill(p, len, seed);
	return p;
}

/* Map pages that are not at home, whatever frames they get. */
static char *scattered_pages(size_t len, uint64_t seed)
{
	size_t i;
	char *p;

	sp_permit(0);
	p = sp_map(len, 16 * MB);
	for (i = len; i; i -= page_size)
		sp_refill(p, i - page_size, page_size, seed);
	return p;
}

/*
 * Permit @orders, and wait for the two full passes that khugepaged makes then.  That may take
 * long, because it skips some processes for a while.
 */
static void permit_and_scan(unsigned long orders)
{
	unsigned long scans = sp_get(SP_FULL_SCANS);
	int patience;

	sp_permit(orders);
	for (patience = 1200; patience && sp_get(SP_FULL_SCANS) < scans + 2; patience--)
		usleep(100000);
	sp_expect(patience, "it has not scanned all processes");
}

/*
 * Wait until half of @p is in smaller superpages, which shows that khugepaged has looked.
 * Expect that it has not made @p whole.
 */
static void expect_half(char *p, const char *field, long before, const char *what)
{
	int patience;

	for (patience = 200; patience && sp_in_superpages(p, HUGE, 64 << 10) < HUGE / 2; patience--)
		usleep(100000);
	sp_expect(patience, "%s: smaller ones were not made", what);
	sp_expect(!sp_in_superpages(p, HUGE, HUGE), "%s: it was made whole", what);
	sp_expect(sp_field("/proc/vmstat", field) > before, "%s: %s has not gone up", what, field);
}

static void test_runs(void)
{
	sp_permit(0);
	sp_expect(!sp_khugepaged_pid(), "it runs, though no size is permitted");
	sp_permit(sp_all_orders());
	sp_expect(sp_khugepaged_pid(), "it does not run");
	sp_permit(0);
	sp_expect(!sp_khugepaged_pid(), "it goes on");
	sp_result("it runs while some size is permitted");
}

static void test_knobs(void)
{
	static const struct {
		const char *name;
		const char *bad[5];
	} wrong[] = {
		{ "pages_to_scan", { "0", "-1", "x", "99999999999", "" } },
		{ "scan_sleep_millisecs", { "-1", "x", "99999999999", "1 2" } },
		{ "alloc_sleep_millisecs", { "-1", "x", "99999999999" } },
		{ "max_ptes_none", { "-1", "x", "256", "409", "511" } },
		{ "max_ptes_swap", { "-1", "x", "256" } },
		{ "max_ptes_shared", { "-1", "x", "256" } },
		{ "defrag", { "2", "-1", "x", "always" } },
	};
	unsigned long was;
	unsigned int i, k;
	int ret;

	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		was = sp_get(knob_path(wrong[i].name));
		for (k = 0; k < 5 && wrong[i].bad[k]; k++) {
			if (!*wrong[i].bad[k])
				continue;
			ret = sp_write(knob_path(wrong[i].name), wrong[i].bad[k]);
			sp_expect(ret == -EINVAL, "%s = %s: %s", wrong[i].name, wrong[i].bad[k],
				  strerror(-ret));
			sp_expect(sp_get(knob_path(wrong[i].name)) == was, "%s has changed",
				  wrong[i].name);
		}
		ret = sp_write_number(knob_path(wrong[i].name), was == 1 ? 0 : was - 1);
		sp_expect(!ret, "%s: %s", wrong[i].name, strerror(-ret));
		sp_expect(sp_get(knob_path(wrong[i].name)) == (was == 1 ? 0 : was - 1),
			  "%s was not stored", wrong[i].name);
		set_knob(wrong[i].name, was);
	}
	for (i = 0; i < 2; i++) {
		const char *name = i ? "pages_collapsed" : "full_scans";

		sp_expect(sp_write(knob_path(name), "1") < 0, "%s can be written to", name);
	}
	sp_result("values and wrong values");
}

/* --- what khugepaged makes whole ---------------------------------------------------------- */

static void test_permitted(void)
{
	size_t len = 4 * HUGE;
	char *p = base_pages(len, 1);

	sp_permit(sp_all_orders());
	expect_whole(p, len, "base pages");
	sp_expect_bytes(p, len, 1, "then");
	munmap(p, len);
}

static bool busy;

static void *busy_thread(void *fd)
{
	void *p;

	while (READ_ONCE(busy)) {
		p = mmap(NULL, page_size, PROT_READ, MAP_PRIVATE, *(int *)fd, 0);
		munmap(p, page_size);
	}
	return NULL;
}

/* During some passes other threads hold mmap_lock whenever khugepaged wants it. */
static void test_busy(void)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), round;
	pthread_t thread[3];
	size_t len = HUGE;
	unsigned int i;
	char *p;

	set_knob("scan_sleep_millisecs", 10);
	for (round = 0; round < 3; round++) {
		p = base_pages(len, 26);
		WRITE_ONCE(busy, true);
		for (i = 0; i < ARRAY_SIZE(thread); i++)
			sp_need(!pthread_create(&thread[i], NULL, busy_thread, &fd), "no thread");
		usleep(10000);
		sp_permit(sp_all_orders());
		usleep(60000);
		WRITE_ONCE(busy, false);
		for (i = 0; i < ARRAY_SIZE(thread); i++)
			pthread_join(thread[i], NULL);
		expect_whole(p, len, "what it could not look at");
		munmap(p, len);
	}
	close(fd);
	hurry();
}

static void test_fork(void)
{
	size_t len = 4 * HUGE, i;
	char *p;
	pid_t pid;

	sp_permit(sp_all_orders());
	p = sp_map(len, 16 * MB);
	sp_fill(p, len, 2);
	pid = sp_fork();
	if (!pid) {
		pause();
		_exit(0);
	}
	/* These writes copy single pages, and fork() has write-protected all of them. */
	for (i = 0; i < len; i += 7 * page_size)
		sp_refill(p, i, 8, 2);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	expect_whole(p, len, "after fork()");
	sp_expect_bytes(p, len, 2, "then");
	munmap(p, len);
}

static void test_dontneed(void)
{
	size_t len = 4 * HUGE, i;
	char *p;

	sp_permit(sp_all_orders());
	p = sp_map(len, 16 * MB);
	sp_fill(p, len, 3);
	for (i = 0; i < len; i += 16 * page_size)
		madvise(p + i, 3 * page_size, MADV_DONTNEED);
	expect_whole(p, len, "after MADV_DONTNEED");
	for (i = 0; i < len; i += 16 * page_size) {
		sp_expect(sp_differs(p + i, 3 * page_size, 0) < 0, "holes are not zero");
		sp_refill(p, i, 3 * page_size, 3);
	}
	sp_expect_bytes(p, len, 3, "then");
	munmap(p, len);
}

static void test_swap(void)
{
	size_t len = 2 * HUGE, i;
	char *p;

	sp_permit(sp_all_orders());
	p = sp_map(len, 16 * MB);
	sp_fill(p, len, 4);
	madvise(p, len, MADV_PAGEOUT);
	sp_expect(sp_field("/proc/self/status", "VmSwap:") > 0, "nothing is in swap");
	for (i = 0; i < len; i += 8)
		READ_ONCE(*(uint64_t *)(p + i));
	expect_whole(p, len, "after swap");
	sp_expect_bytes(p, len, 4, "then");
	munmap(p, len);
}

/* max_ptes_none pages of a block may be missing, and not one more. */
static void test_none(void)
{
	unsigned long was = sp_get(knob_path("max_ptes_none")), i, k, none;
	size_t least = 64 << 10;
	char *p;

	for (k = 0; k < 3; k++) {
		none = k ? huge_pages() / 4 : 0;
		set_knob("max_ptes_none", none);
		sp_permit(0);
		p = sp_map(HUGE, 16 * MB);
		for (i = k == 2 ? none + 1 : none; i < huge_pages(); i++)
			WRITE_ONCE(p[i * page_size], 1);
		/* k = 0: none may be missing; 1: as many as may be are missing; 2: one more. */
		if (k == 2) {
			sp_permit(sp_all_orders());
			sp_khugepaged_scans(3);
			sp_expect(!sp_in_superpages(p, HUGE, HUGE), "%lu are missing", none + 1);
			for (i = 100; i && sp_in_superpages(p, HUGE, least) < HUGE / 4; i--)
				usleep(100000);
			sp_expect(i, "smaller ones were not made");
			sp_expect(!sp_in_superpages(p, HUGE, HUGE), "%lu are missing",
				  none + 1);
			/* khugepaged looks again, although the block has not changed. */
			set_knob("max_ptes_none", none + 1);
			expect_whole(p, HUGE, "one more may be missing");
		} else {
			sp_permit(sp_all_orders());
			expect_whole(p, HUGE, "as many as may be are missing");
		}
		munmap(p, HUGE);
	}
	set_knob("max_ptes_none", was);
}

/* max_ptes_shared pages of a block may be shared with a child, and not one more. */
static void test_max_shared(void)
{
	unsigned long was = sp_get(knob_path("max_ptes_shared")), most = huge_pages() / 4, i, k;
	long event;
	pid_t pid;
	char *p;

	set_knob("max_ptes_shared", most);
	for (k = 0; k < 2; k++) {
		p = scattered_pages(HUGE, 30);
		/* Or khugepaged would copy the child's pages, and nothing would be shared. */
		prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
		pid = sp_fork();
		if (!pid)
			for (;;)
				pause();
		prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
		for (i = most + k; i < huge_pages(); i++)
			sp_refill(p, i * page_size, page_size, 30);
		event = sp_field("/proc/vmstat", "thp_scan_exceed_share_pte ");
		sp_permit(sp_all_orders());
		if (k)
			expect_half(p, "thp_scan_exceed_share_pte ", event, "one more is shared");
		else
			expect_whole(p, HUGE, "as many as may be are shared");
		sp_expect_bytes(p, HUGE, 30, "then");
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		munmap(p, HUGE);
	}
	set_knob("max_ptes_shared", was);
}

/* max_ptes_swap pages of a block may be in swap, and not one more. */
static void test_max_swap(void)
{
	unsigned long was = sp_get(knob_path("max_ptes_swap")), most = huge_pages() / 8, i, k;
	int patience;
	long event;
	char *p;

	set_knob("max_ptes_swap", most);
	for (k = 0; k < 2; k++) {
		p = scattered_pages(HUGE, 31);
		/* Pages in another processor's batch for the LRU lists take a while. */
		for (patience = 100; patience; patience--) {
			for (i = 0; i < most + k; i++)
				madvise(p + 2 * i * page_size, page_size, MADV_PAGEOUT);
			if (sp_range_field("Swap:", p, HUGE) == (most + k) * page_size)
				break;
			usleep(20000);
		}
		sp_expect(patience, "%zu kB are in swap", sp_range_field("Swap:", p, HUGE) >> 10);
		event = sp_field("/proc/vmstat", "thp_scan_exceed_swap_pte ");
		sp_permit(sp_all_orders());
		if (k) {
			expect_half(p, "thp_scan_exceed_swap_pte ", event, "one more is in swap");
			sp_expect(sp_range_field("Swap:", p, HUGE) == (most + 1) * page_size,
				  "something was brought back");
		} else {
			expect_whole(p, HUGE, "as many as may be are in swap");
		}
		sp_expect_bytes(p, HUGE, 31, "then");
		munmap(p, HUGE);
	}
	set_knob("max_ptes_swap", was);
}

/*
 * Where only sizes above 1 MiB are permitted, khugepaged copies blocks of the smallest of them,
 * unless that is more than pages_to_scan.
 */
static void test_too_large(void)
{
	size_t len = 4 * HUGE;
	char *p = scattered_pages(len, 12);

	set_knob("pages_to_scan", 4 * huge_pages() * (page_size / 128 + 32) - 1);
	permit_and_scan(len / page_size);
	sp_expect(!sp_in_superpages(p, len, 0), "a block was copied that is too large");
	set_knob("pages_to_scan", 4 * huge_pages() * (page_size / 128 + 32));
	/* Make a change, so that khugepaged looks again. */
	madvise(p, len, MADV_HUGEPAGE);
	sp_expect(wait_for(p, len, len), "a block was not copied that is not too large");
	sp_expect_bytes(p, len, 12, "then");
	set_knob("pages_to_scan", knob_was[0]);
	munmap(p, len);
}

static void test_kept_off(void)
{
	size_t len = 2 * HUGE;
	char *p = base_pages(len, 5), *q = base_pages(len, 6), *r = base_pages(len, 27);

	madvise(p, len, MADV_NOHUGEPAGE);
	/* Reclaim may throw this away, so khugepaged must not make it dirty. */
	madvise(q, len, MADV_FREE);
	permit_and_scan(sp_all_orders());
	/* khugepaged looks at this one last. */
	sp_expect(r > p && r > q, "it is at a lower address");
	expect_whole(r, len, "beside them");
	sp_expect(!sp_in_superpages(p, len, 0), "MADV_NOHUGEPAGE was not obeyed");
	sp_expect(!sp_in_superpages(q, len, 0), "pages after MADV_FREE were collapsed");
	munmap(p, len);
	munmap(q, len);
	munmap(r, len);
}

/*
 * khugepaged skips a process for a second after it has made superpages there, even if another
 * process keeps it running.  Yet a program that waits for two more full_scans can rely on them.
 */
static void test_full_scans(void)
{
	char *p = base_pages(HUGE, 8), *q;
	pid_t pid;

	set_knob("scan_sleep_millisecs", 1);
	sp_permit(sp_all_orders());
	expect_whole(p, HUGE, "before");
	pid = sp_fork();
	if (!pid) {
		for (;;) {
			madvise(p, HUGE, MADV_HUGEPAGE);
			usleep(1000);
		}
	}
	q = sp_map(HUGE, 16 * MB);
	madvise(q, HUGE, MADV_NOHUGEPAGE);
	sp_fill(q, HUGE, 9);
	madvise(q, HUGE, MADV_HUGEPAGE);
	sp_khugepaged_scans(2);
	sp_expect(sp_in_superpages(q, HUGE, HUGE) == HUGE, "two full scans have left %zu kB",
		  (HUGE - sp_in_superpages(q, HUGE, HUGE)) >> 10);
	sp_expect_bytes(q, HUGE, 9, "then");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	hurry();
	munmap(p, HUGE);
	munmap(q, HUGE);
}

static void test_advised(void)
{
	size_t len = 2 * HUGE;
	char *p = base_pages(len, 7), *q = base_pages(len, 28);

	madvise(q, len, MADV_HUGEPAGE);
	sp_expect(!sp_write(THP "enabled", "madvise"), "cannot write to enabled");
	permit_and_scan(sp_all_orders());
	expect_whole(q, len, "beside it");
	sp_expect(!sp_in_superpages(p, len, 0), "there was no advice");
	madvise(p, len, MADV_HUGEPAGE);
	expect_whole(p, len, "MADV_HUGEPAGE");
	sp_expect_bytes(p, len, 7, "then");
	sp_expect(!sp_write(THP "enabled", "always"), "cannot write to enabled");
	munmap(p, len);
	munmap(q, len);
}

/* khugepaged cannot move a page that a pipe has, and does not try again and again. */
static void test_pinned(void)
{
	struct iovec vec;
	unsigned long scans;
	int fds[2];
	char *p;

	sp_need(!pipe(fds), "no pipe");
	p = scattered_pages(HUGE, 9);
	vec = (struct iovec){ p + 3 * page_size, page_size };
	sp_expect(vmsplice(fds[1], &vec, 1, 0) == (ssize_t)page_size, "vmsplice: %s",
		  strerror(errno));
	sp_permit(sp_all_orders());
	sleep(8);
	scans = sp_get(SP_FULL_SCANS);
	sleep(5);
	scans = sp_get(SP_FULL_SCANS) - scans;
	sp_expect(scans <= 10, "%lu passes for one page that is pinned", scans);
	sp_expect(!sp_in_superpages(p, HUGE, HUGE), "the page was moved");
	close(fds[0]);
	close(fds[1]);
	sp_expect(wait_for(p, HUGE, HUGE) || wait_for(p, HUGE, HUGE),
		  "it is not tried again, though the pipe is closed");
	sp_expect_bytes(p, HUGE, 9, "then");
	munmap(p, HUGE);
}

/* khugepaged does not look at each MiB of memory that has never been touched. */
static void test_sparse(void)
{
	size_t len = 8UL << 40;
	char *p, *q;

	/* In eager mode a mapping with MAP_NORESERVE would get no superpages. */
	sp_growing();
	sp_permit(0);
	do {
		len /= 2;
		p = mmap(NULL, len, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	} while (p == MAP_FAILED && len > HUGE);
	sp_need(p != MAP_FAILED, "no memory");
	q = (char *)(((uintptr_t)p + len - HUGE) & ~(HUGE - 1));
	sp_fill(q, HUGE, 10);
	set_knob("scan_sleep_millisecs", 2000);
	sp_permit(sp_all_orders());
	expect_whole(q, HUGE, "the end of a large mapping");
	sp_expect_bytes(q, HUGE, 10, "then");
	sp_write(SP_EAGER, "1");
	hurry();
	munmap(p, len);
}

/* khugepaged skips a process that wants no superpages, but does not forget it. */
static void test_disabled(void)
{
	size_t len = 2 * HUGE;
	char *p = base_pages(len, 8), *q;
	pid_t pid;

	sp_expect(!prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0), "prctl: %s", strerror(errno));
	sp_permit(sp_all_orders());
	/* The child wants superpages; khugepaged comes to it later, because of its PID. */
	pid = sp_fork();
	if (!pid) {
		prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
		q = sp_map(HUGE, HUGE);
		madvise(q, HUGE, MADV_NOHUGEPAGE);
		sp_fill(q, HUGE, 29);
		madvise(q, HUGE, MADV_HUGEPAGE);
		expect_whole(q, HUGE, "beside it");
		sp_child_exit();
	}
	sp_wait(pid);
	/* Wait until nothing wakes khugepaged any more. */
	sleep(3);
	sp_expect(!sp_in_superpages(p, len, 0), "the process wants none");
	sp_expect(!prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0), "prctl: %s", strerror(errno));
	expect_whole(p, len, "wanted again");
	sp_expect_bytes(p, len, 8, "then");
	munmap(p, len);
}

/* khugepaged works for all other processes, too, however many there are. */
static void test_others(void)
{
	size_t len = 2 * HUGE;
	unsigned int i, patience;
	pid_t pid[12];
	char *p;

	sp_permit(0);
	for (i = 0; i < ARRAY_SIZE(pid); i++) {
		pid[i] = sp_fork();
		if (pid[i])
			continue;
		p = sp_map(len, 16 * MB);
		sp_fill(p, len, i + 1);
		/* Wait until all are ready, which is when the parent permits superpages. */
		for (patience = 600; patience && !sp_in_superpages(p, len, 0); patience--)
			usleep(100000);
		expect_whole(p, len, "another process");
		sp_expect_bytes(p, len, i + 1, "there");
		munmap(p, len);
		sp_child_exit();
	}
	usleep(300000);
	sp_permit(sp_all_orders());
	for (i = 0; i < ARRAY_SIZE(pid); i++)
		sp_expect(sp_wait(pid[i]), "process %u failed", i);
}

/*
 * If a process takes its superpages apart again and again, khugepaged skips it for longer and
 * longer, but does not forget it.
 */
static void test_back_off(void)
{
	unsigned long made = sp_get(knob_path("pages_collapsed"));
	time_t end = time(NULL) + 20;
	char *p = base_pages(HUGE, 32);
	int patience;

	sp_permit(sp_all_orders());
	while (time(NULL) < end) {
		madvise(p + page_size, page_size, MADV_DONTNEED);
		usleep(100000);
	}
	made = sp_get(knob_path("pages_collapsed")) - made;
	ksft_print_msg("in 20 seconds it was collapsed %lu times\n", made);
	/* khugepaged comes back after 1, 2, 4 and 8 seconds. */
	sp_expect(made >= 3, "it is left alone for too long");
	sp_expect(made <= 15, "it is not left alone");
	for (patience = 4; patience && !wait_for(p, HUGE, HUGE); patience--)
		;
	sp_expect(patience, "it is forgotten");
	sp_refill(p, page_size, page_size, 32);
	sp_expect_bytes(p, HUGE, 32, "then");
	munmap(p, HUGE);
}

/* Return how often khugepaged has slept. */
static long thread_sleeps(void)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/status", sp_khugepaged_pid());
	return sp_field(path, "voluntary_ctxt_switches:");
}

/* When nothing changes, khugepaged does nothing. */
static void test_idle(void)
{
	unsigned long scans;
	long sleeps;

	permit_and_scan(sp_all_orders());
	sleep(5);
	scans = sp_get(SP_FULL_SCANS);
	sleeps = thread_sleeps();
	sleep(3);
	scans = sp_get(SP_FULL_SCANS) - scans;
	sp_expect(scans <= 2, "%lu passes, though nothing has changed", scans);
	/* full_scans does not count passes that skip a process, so count its sleeps, too. */
	sleeps = thread_sleeps() - sleeps;
	ksft_print_msg("in 3 seconds it was woken %ld times\n", sleeps);
	sp_expect(sleeps <= 3, "it was woken %ld times, though nothing has changed", sleeps);
	sp_permit(0);
	sp_result("nothing to do, and nothing done");
}

/* --- at the same time ------------------------------------------------------------------------ */

/* Besides sp_disturb(), make and remove mappings, and change what is permitted and advised. */
static void disturb(void)
{
	unsigned int way = sp_random_below(SP_DISTURB_WAYS + 3);
	size_t len;
	char *p;

	switch (way) {
	case SP_DISTURB_WAYS:
		/* Map and unmap memory while khugepaged is in this process. */
		len = page_size << sp_random_below(6);
		p = sp_map(len + HUGE, page_size);
		sp_fill(p, len, 1);
		munmap(p, len + HUGE);
		break;
	case SP_DISTURB_WAYS + 1:
		sp_permit(sp_random_below(2) ? sp_all_orders() : 0);
		break;
	case SP_DISTURB_WAYS + 2:
		p = sp_disturb_range(&len);
		madvise(p, len, sp_random_below(2) ? MADV_NOHUGEPAGE : MADV_HUGEPAGE);
		break;
	default:
		sp_disturb(way);
	}
	usleep(sp_random_below(60000));
}

static void race(void)
{
	unsigned int i;

	sp_permit(sp_all_orders());
	set_knob("scan_sleep_millisecs", 1);
	sp_rng = 77;
	sp_writers_start(4 * HUGE, 16 * MB);
	for (i = 0; i < rounds * 4; i++)
		disturb();
	sp_writers_stop();
}

/* Run in a process of its own: khugepaged skips one that takes superpages apart all the time. */
static void test_race(void)
{
	unsigned long before = sp_get(knob_path("pages_collapsed")), made;
	pid_t pid = sp_fork();

	if (!pid) {
		race();
		sp_child_exit();
	}
	sp_expect(sp_wait(pid), "the process failed");
	made = sp_get(knob_path("pages_collapsed")) - before;
	ksft_print_msg("%lu blocks were collapsed\n", made);
	sp_expect(made || rounds < 10, "nothing was collapsed");
	sp_permit(0);
	hurry();
}

/* Processes die while khugepaged is working on them. */
static void test_exit(void)
{
	unsigned int i;
	size_t len = 8 * HUGE;
	pid_t pid;
	char *p;

	sp_permit(sp_all_orders());
	set_knob("scan_sleep_millisecs", 1);
	for (i = 0; i < rounds; i++) {
		pid = sp_fork();
		if (!pid) {
			p = sp_map(len, 16 * MB);
			sp_fill(p, len, 1);
			for (size_t at = 0; at < len; at += 16 * page_size)
				madvise(p + at, page_size, MADV_DONTNEED);
			pause();
			_exit(0);
		}
		usleep(sp_random_below(300000));
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	sp_permit(0);
	hurry();
}

/*
 * A process ends while khugepaged reads its pages from swap.  The exit waits for the page that
 * khugepaged is reading, not for the whole block.  There is only one block, since of several
 * khugepaged may take the one first that misses the TLB most.
 */
static void test_exit_swap(void)
{
	const long pages = huge_pages() - 1, most = pages / 4 < 16 ? pages / 4 : 16;
	unsigned long was = sp_get(knob_path("max_ptes_swap"));
	long before, in, more, target, worst = 0;
	unsigned int i, amid = 0;
	unsigned char there;
	pid_t pid;
	char *p;

	set_knob("max_ptes_swap", pages);
	set_knob("scan_sleep_millisecs", 10);
	before = sp_field("/proc/vmstat", "pswpin ");
	for (i = 0; i < rounds; i++) {
		/* Wait for a page of those from the second one on. */
		target = sp_random_below(pages);
		pid = sp_fork();
		if (!pid) {
			alarm(20);
			p = base_pages(HUGE, 11);
			madvise(p + page_size, HUGE - page_size, MADV_PAGEOUT);
			sp_permit(sp_all_orders());
			p += (1 + target) * page_size;
			do {
				sp_need(!mincore(p, page_size, &there), "mincore");
			} while (!(there & 1));
			_exit(0);
		}
		sp_wait(pid);
		in = sp_field("/proc/vmstat", "pswpin ") - before;
		before += in;
		more = in - target - 1;
		amid += in < pages;
		if (more > worst)
			worst = more;
	}
	ksft_print_msg("%u of %u ended amid a block; at worst %ld pages were brought back then\n",
		       amid, i, worst);
	sp_expect(amid >= i / 4, "too few have ended amid a block");
	sp_expect(worst <= most, "%ld pages were brought back for who has ended", worst);
	set_knob("max_ptes_swap", was);
	sp_permit(0);
	hurry();
}

static const struct {
	const char *what;
	void (*test)(void);
	bool swap, smp;
} tests[] = {
	{ "base pages, when superpages are permitted", test_permitted },
	{ "what was copied after fork()", test_fork },
	{ "holes that MADV_DONTNEED has made", test_dontneed },
	{ "what has come back from swap", test_swap, true },
	{ "max_ptes_none", test_none },
	{ "max_ptes_shared", test_max_shared },
	{ "max_ptes_swap", test_max_swap, true },
	{ "sizes above 1 MiB only", test_too_large },
	{ "MADV_NOHUGEPAGE and MADV_FREE", test_kept_off },
	{ "full_scans", test_full_scans },
	{ "where the default is madvise, what asks for it", test_advised },
	{ "a large mapping that is hardly used", test_sparse },
	{ "a page that is pinned for long", test_pinned },
	{ "a process that wants none, and then wants them", test_disabled },
	{ "processes beside each other", test_others },
	{ "a process that takes superpages apart all the time", test_back_off },
	{ "a process that is busy with its mappings", test_busy, false, true },
	{ "threads write to what it makes, and others take apart", test_race },
	{ "processes that die meanwhile", test_exit },
	{ "processes that end while their pages come back from swap", test_exit_swap, true,
	  true },
};

int main(int argc, char **argv)
{
	struct sp_usage before;
	bool smp = sysconf(_SC_NPROCESSORS_ONLN) > 1;
	unsigned int i, pass, count = 0;
	pid_t pid;
	bool swap;
	int opt;

	while ((opt = getopt(argc, argv, "n:t:h")) != -1) {
		switch (opt) {
		case 't':
			sp_only = optarg;
			break;
		case 'n':
			rounds = sp_number(optarg, 1, 1000000);
			break;
		default:
			printf("usage: %s [-n ROUNDS] [-t PART_OF_A_TEST'S_NAME]\n", argv[0]);
			return opt == 'h' ? 0 : 1;
		}
	}
	sp_init(argv);
	sp_catch_faults();
	if (!sp_tunable || access(THREAD, F_OK))
		ksft_exit_skip("no " THREAD "\n");
	sp_khugepaged_works();
	for (i = 0; i < ARRAY_SIZE(knobs); i++)
		knob_was[i] = sp_get(knob_path(knobs[i]));
	atexit(restore_knobs);
	for (i = 0; i < ARRAY_SIZE(tests); i++)
		count += !!strstr(tests[i].what, sp_only);
	sp_must_choose(count);
	ksft_set_plan(3 + 2 * count + 1);
	/* Each fork() changes this process, so there would be no full pass for a long time. */
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	test_runs();
	test_knobs();
	hurry();
	swap = sp_swap_on(64 * MB);
	/* What the first pass leaves behind for good, such as a thread's stack, does not count. */
	for (pass = 0; pass < 2; pass++) {
		sp_permit(0);
		before = sp_usage_now();
		for (i = 0; i < ARRAY_SIZE(tests); i++) {
			if (!strstr(tests[i].what, sp_only))
				continue;
			if ((tests[i].swap && !swap) || (tests[i].smp && !smp)) {
				ksft_test_result_skip("%s: %s\n", tests[i].what,
						      swap ? "one processor" : "no swap");
				continue;
			}
			/* A new process for each test, since khugepaged skips one that was busy. */
			pid = sp_fork();
			if (!pid) {
				prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
				tests[i].test();
				sp_child_exit();
			}
			sp_wait(pid);
			sp_result("%s", tests[i].what);
		}
	}
	test_idle();
	sp_permit(0);
	sp_check_usage(before);
	sp_result("nothing is left behind");
	ksft_finished();
}
