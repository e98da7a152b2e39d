// SPDX-License-Identifier: GPL-2.0
/*
 * clear_refs, page_idle and DAMON, which ask whether pages have been accessed, leave
 * superpages as they are and learn the truth: a page in use is not idle, although its
 * translation is in the TLB all the time, and an idle page is not in use.
 */
#include <getopt.h>

#include "superpage.h"

#define IDLE	"/sys/kernel/mm/page_idle/bitmap"

static char *base;
static unsigned int order;
static size_t pages, bytes;
static int idle_fd = -1;

static char *addr_of(size_t page)
{
	return base + page * page_size;
}

/* Read a page: that moves nothing and maps nothing. */
static void access_page(size_t page)
{
	READ_ONCE(*addr_of(page));
}

static void access_all(void)
{
	size_t p;

	for (p = 0; p < pages; p++)
		access_page(p);
}

static void region_make(unsigned long orders)
{
	size_t p;

	base = sp_map(bytes, bytes);
	sp_permit(orders);
	for (p = 0; p < pages; p++)
		*addr_of(p) = 1;
	sp_expect(sp_count(order).mapped == 1, "there is no superpage of order %u", order);
}

static void region_free(void)
{
	munmap(base, bytes);
	sp_permit(0);
	sp_expect(!sp_count(order).mapped, "the superpage is left");
}

static void check_whole(const char *when)
{
	sp_expect(sp_count(order).mapped == 1, "%s: the superpage has gone", when);
}

/* Return how much of the mapping of @base is referenced, in bytes. */
static long referenced(void)
{
	static const char field[] = "Referenced:";
	static char buf[65536];
	char *line, at[32];
	bool inside = false;

	snprintf(at, sizeof(at), "%lx-", (unsigned long)base);
	sp_need(sp_slurp("/proc/self/smaps", buf, sizeof(buf)), "cannot read smaps");
	for (line = buf; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strstr(line, "-") && !strncmp(line, at, strlen(at)))
			inside = true;
		if (inside && !strncmp(line, field, strlen(field)))
			return strtol(line + strlen(field), NULL, 10) << 10;
	}
	return -1;
}

static void check_referenced(const char *when, long want)
{
	sp_expect(referenced() == want, "%s: %ld bytes are referenced, not %ld", when,
		  referenced(), want);
}

static void forget(void)
{
	sp_expect(!sp_write("/proc/self/clear_refs", "1"), "clear_refs: %s", strerror(errno));
}

/* --- clear_refs and smaps ---------------------------------------------------------------- */

static void test_clear_refs(void)
{
	struct sp_count before;
	int i;

	region_make(sp_all_orders() & ((2UL << order) - 1));
	before = sp_count(order);
	for (i = 0; i < 20; i++) {
		access_page(i * 7 % pages);
		forget();
		check_referenced("cleared", 0);
		/* The translation of this page was in the TLB a moment ago. */
		access_page(i * 7 % pages);
		check_referenced("one page accessed", bytes);
		forget();
		check_referenced("cleared again", 0);
		check_whole("looked at");
	}
	sp_expect(sp_count(order).demoted == before.demoted, "it was demoted");
	region_free();
	sp_result("order %u: clear_refs", order);
}

/* Parent and child read the same superpages, and both ask what has been accessed. */
static void test_while_reading(void)
{
	bool *stop = sp_map_shared(page_size), *looks = stop + 1;
	int i, idle = 0;
	pid_t pid;

	region_make(sp_all_orders() & ((2UL << order) - 1));
	pid = sp_fork();
	if (!pid) {
		while (!READ_ONCE(*stop)) {
			forget();
			usleep(1000);
			/* The child has page tables of its own, in which all pages are old now. */
			access_page(pages - 1);
			idle += referenced() != (long)bytes;
			WRITE_ONCE(*looks, true);
		}
		sp_expect(!idle, "%d times idle when it was in use", idle);
		check_whole("looked at while in use");
		sp_child_exit();
	}
	/* Go on until the child has looked; if it has failed before that, sp_wait() says so. */
	for (i = 0; i < 200 || (!READ_ONCE(*looks) && i < 100000); i++) {
		access_all();
		if (!(i % 10))
			forget();
		access_page(i % pages);
		if (!(i % 10))
			check_referenced("in use", bytes);
	}
	sp_expect(READ_ONCE(*looks), "the child has not looked");
	WRITE_ONCE(*stop, true);
	sp_wait(pid);
	munmap(stop, page_size);
	region_free();
	sp_result("order %u: in use while it is looked at", order);
}

/* Demote around one page, and promote again, without a look at any page. */
static void split(void)
{
	sp_expect(!madvise(addr_of(1), page_size, MADV_DONTFORK), "madvise DONTFORK: %s",
		  strerror(errno));
	sp_expect(!sp_count(order).mapped, "it was not demoted");
}

static void merge(void)
{
	sp_expect(!madvise(addr_of(1), page_size, MADV_DOFORK), "madvise DOFORK: %s",
		  strerror(errno));
}

/* After demotion the kernel still knows which pages have been accessed. */
static void test_demoted(void)
{
	region_make(sp_all_orders() & ((2UL << order) - 1));
	forget();
	split();
	merge();
	check_referenced("cleared and demoted", 0);
	region_free();

	region_make(sp_all_orders() & ((2UL << order) - 1));
	access_all();
	split();
	merge();
	check_referenced("accessed and demoted", bytes);
	forget();
	check_referenced("cleared after it was demoted", 0);
	access_page(0);
	sp_expect(referenced() > 0, "nothing is referenced though it was accessed");
	region_free();
	sp_result("order %u: demoted", order);
}

static void test_cold(void)
{
	region_make(sp_all_orders() & ((2UL << order) - 1));
	access_all();
	sp_expect(!madvise(addr_of(1), page_size, MADV_COLD), "madvise COLD: %s",
		  strerror(errno));
	check_whole("one page is cold");
	check_referenced("one page is cold", bytes - page_size);
	sp_expect(!madvise(base, bytes, MADV_COLD), "madvise COLD: %s", strerror(errno));
	check_whole("all is cold");
	check_referenced("all is cold", 0);
	access_page(pages / 2);
	check_referenced("accessed again", bytes);
	region_free();
	sp_result("order %u: madvise COLD", order);
}

/* A child's pages have not been accessed, even if the parent's have. */
static void test_fork(void)
{
	pid_t pid;

	region_make(sp_all_orders() & ((2UL << order) - 1));
	access_all();
	/* Ask about one page; the others still have to be reported as accessed. */
	sp_expect(!madvise(base, page_size, MADV_COLD), "madvise COLD: %s", strerror(errno));
	pid = sp_fork();
	if (!pid) {
		check_whole("child");
		forget();
		check_referenced("child", 0);
		access_page(1);
		check_referenced("child that has read", bytes);
		sp_child_exit();
	}
	sp_wait(pid);
	check_whole("parent");
	check_referenced("parent", bytes - page_size);
	region_free();
	sp_result("order %u: fork", order);
}

/* --- page_idle ------------------------------------------------------------------------------ */

static void set_idle(size_t page)
{
	uint64_t pfn = sp_frame_of(addr_of(page)), word = 1UL << pfn % 64;

	sp_expect(pwrite(idle_fd, &word, 8, pfn / 64 * 8) == 8, "cannot write to %s: %s", IDLE,
		  strerror(errno));
}

static bool is_idle(size_t page)
{
	uint64_t pfn = sp_frame_of(addr_of(page)), word = 0;

	sp_expect(pread(idle_fd, &word, 8, pfn / 64 * 8) == 8, "cannot read %s: %s", IDLE,
		  strerror(errno));
	return word >> pfn % 64 & 1;
}

static void test_page_idle(void)
{
	size_t page, i;

	idle_fd = open(IDLE, O_RDWR | O_CLOEXEC);
	if (idle_fd < 0) {
		ksft_test_result_skip("order %u: no %s\n", order, IDLE);
		return;
	}
	region_make(sp_all_orders() & ((2UL << order) - 1));
	for (i = 0; i < 20; i++) {
		page = i * 13 % (pages - 1);
		access_page(page);
		set_idle(page);
		set_idle(page + 1);
		sp_expect(is_idle(page), "page %zu is not idle", page);
		access_page(page);
		sp_expect(!is_idle(page), "page %zu is idle, but in use", page);
		/* The first question has cleared the accessed bit of the other page, too. */
		sp_expect(!is_idle(page + 1), "page %zu is idle, but its neighbour in use",
			  page + 1);
		set_idle(page);
		set_idle(page + 1);
		sp_expect(is_idle(page), "page %zu is in use", page);
		sp_expect(is_idle(page + 1), "page %zu is in use", page + 1);
		check_whole("page_idle");
	}
	region_free();
	sp_result("order %u: page_idle", order);
}

/* --- DAMON ---------------------------------------------------------------------------------- */

#define DAMON	"/sys/kernel/mm/damon/admin/kdamonds/"
#define CONTEXT	"0/contexts/0/"
#define INTERVALS CONTEXT "monitoring_attrs/intervals/"
#define IN_USE	CONTEXT "schemes/0/"
#define UNUSED	CONTEXT "schemes/1/"

static void damon_write(const char *file, const char *text)
{
	char path[200];

	snprintf(path, sizeof(path), DAMON "%s", file);
	sp_need(!sp_write(path, text), "cannot write %s to %s: %s", text, path, strerror(errno));
}

static void damon_number(const char *file, unsigned long n)
{
	char text[32];

	snprintf(text, sizeof(text), "%lu", n);
	damon_write(file, text);
}

/* Return how many bytes DAMON has found that match the scheme in this directory. */
static unsigned long damon_found(const char *scheme)
{
	char path[200], text[32] = "";

	snprintf(path, sizeof(path), DAMON "%sstats/sz_tried", scheme);
	sp_need(sp_slurp(path, text, sizeof(text)), "cannot read %s", path);
	return strtoul(text, NULL, 10);
}

/* Set up two schemes that count: one for accessed memory, one for memory not accessed. */
static void damon_prepare(void)
{
	static const char * const scheme[] = { IN_USE, UNUSED };
	char file[200];
	int i;

	damon_write("nr_kdamonds", "1");
	damon_write("0/contexts/nr_contexts", "1");
	damon_write(CONTEXT "operations", "fvaddr");
	damon_write(INTERVALS "sample_us", "5000");
	damon_write(INTERVALS "aggr_us", "50000");
	damon_write(CONTEXT "targets/nr_targets", "1");
	damon_number(CONTEXT "targets/0/pid_target", getpid());
	damon_write(CONTEXT "targets/0/regions/nr_regions", "1");
	damon_number(CONTEXT "targets/0/regions/0/start", (uintptr_t)base);
	damon_number(CONTEXT "targets/0/regions/0/end", (uintptr_t)base + bytes);
	damon_write(CONTEXT "schemes/nr_schemes", "2");
	for (i = 0; i < 2; i++) {
		snprintf(file, sizeof(file), "%saction", scheme[i]);
		damon_write(file, "stat");
		snprintf(file, sizeof(file), "%saccess_pattern/sz/max", scheme[i]);
		damon_number(file, bytes);
		snprintf(file, sizeof(file), "%saccess_pattern/age/max", scheme[i]);
		damon_number(file, INT_MAX);
	}
	damon_write(IN_USE "access_pattern/nr_accesses/min", "1");
	damon_number(IN_USE "access_pattern/nr_accesses/max", INT_MAX);
}

/* Let DAMON look for half a second, while this process accesses all of it or nothing. */
static void damon_look(bool access, const char *when)
{
	unsigned long used, unused;
	int i;

	forget();
	damon_write("0/state", "on");
	for (i = 0; i < 500; i++) {
		if (access)
			access_all();
		usleep(1000);
	}
	damon_write("0/state", "update_schemes_stats");
	used = damon_found(IN_USE);
	unused = damon_found(UNUSED);
	damon_write("0/state", "off");
	ksft_print_msg("%s: %lu kB are in use, %lu kB are not\n", when, used >> 10, unused >> 10);
	if (access)
		sp_expect(used > unused, "%s: most of what is in use looks idle", when);
	else
		sp_expect(!used && unused, "%s: what is idle looks in use", when);
	check_whole(when);
}

static void test_damon(void)
{
	if (access(DAMON "nr_kdamonds", W_OK)) {
		ksft_test_result_skip("order %u: no %s\n", order, DAMON);
		return;
	}
	region_make(sp_all_orders() & ((2UL << order) - 1));
	damon_prepare();
	damon_look(true, "in use");
	damon_look(false, "idle");
	damon_write("nr_kdamonds", "0");
	region_free();
	sp_result("order %u: DAMON", order);
}

int main(int argc, char **argv)
{
	unsigned int i;
	int opt;

	while ((opt = getopt(argc, argv, "o:")) != -1) {
		if (opt != 'o') {
			fprintf(stderr, "superpage_age [-o ORDER]\n");
			return 2;
		}
		order = sp_number(optarg, 2, 63);
	}
	sp_init(argv);
	if (!sp_tunable)
		ksft_exit_skip("superpages cannot be tuned here\n");
	/* Without an option, use superpages of 16 MiB. */
	for (i = 0; i < sp_orders && !(order && optind > 1); i++)
		if (page_size << sp_order[i] <= 16 << 20)
			order = sp_order[i];
	pages = 1UL << order;
	bytes = pages * page_size;

	/* Stay on one processor: the kernel drains only its batch of pages for the LRU lists. */
	sp_run_on(0);

	ksft_set_plan(7);
	test_clear_refs();
	test_while_reading();
	test_demoted();
	test_cold();
	test_fork();
	test_page_idle();
	test_damon();
	ksft_finished();
}
