// SPDX-License-Identifier: GPL-2.0
/*
 * superpage advise - would a program that runs be faster with superpages, and with which?
 *
 * Events of all of its threads are counted for a while, and misses of the TLB are sampled with
 * the addresses that missed.  What a miss costs, times how many there were, is the part of its
 * time that superpages could win at most; what they can win is what of that is in memory that
 * may have superpages and has none yet.  A miss costs at least what misscost() says, for which
 * page tables are in a cache.  So where the program's are not it is more.
 */

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "events.h"
#include "misscost.h"
#include "superpage.h"

#define REACH		64	/* entries of the TLB that a program may count on: half of them */
#define WORTH		0.01	/* of the time: what is less is not worth the trouble */
#define SUPERPAGE_PAGES	256	/* to measure misses of superpages: more than there are entries */
#define MAX_THREADS	1024

#define SAMPLES		1000	/* a second */
#define LEAST_PERIOD	101	/* more often than this would be felt */

enum { CYCLES, MISSES, WALKER, NR };

static const enum event events[NR] = {
	[CYCLES] = EVENT_CYCLES,
	[MISSES] = EVENT_MISSES,
	[WALKER] = EVENT_WALKER,
};

struct thread {
	pid_t tid;
	int fd[NR];
	int samples;
	struct ring ring;
};

/**
 * struct mapping - a line of smaps
 * @start:	the first address
 * @end:	the first one behind it
 * @anon:	whether superpages are for such memory at all: private, writable, no file's
 * @advised:	MADV_HUGEPAGE
 * @refused:	MADV_NOHUGEPAGE
 * @usage:	how much is there
 * @misses:	how many there were, by the samples
 * @name:	the file, or [heap]
 */
struct mapping {
	unsigned long start, end;
	bool anon, advised, refused;
	struct usage usage;
	double misses;
	const char *name;
};

/* All that was found out. */
struct found {
	double cycles, misses, walker;
	double seconds;
	double cost_walker, cost_software;	/* cycles */
	bool measured;
	unsigned int threads, skipped;
	double sampled, unmapped;		/* misses, by the samples; outside of mappings */
	uint64_t lost;
	struct mapping *mappings;
	unsigned int nr_mappings;
	char *smaps;				/* what names point into */
	unsigned int nr_samples;
	struct sample *samples;
};

/* --- what a miss costs ------------------------------------------------------------------ */

/*
 * Base pages and superpages can differ in who serves their misses, as they do where the walker
 * finds base pages only.  Then one has its cost, and the other one that of software.
 */
static void measure_cost(struct found *f)
{
	struct misscost base, super;
	const char *problem;

	if (clock_is_slots())
		die(CLOCK_IS_SLOTS);
	problem = misscost(MISSCOST_PAGES, 0, &base);
	if (problem)
		die("cannot measure what a miss costs: %s; or say --cost", problem);
	f->measured = true;
	f->cost_walker = base.cycles;
	f->cost_software = base.cycles;
	if (base.walker < 0 || misscost(SUPERPAGE_PAGES, sizes[0].kb * 1024, &super) ||
	    base.walker - super.walker < 0.5)
		return;
	/* cost = walker share * walker's + rest * software's, of both */
	f->cost_walker = (base.cycles * (1 - super.walker) - super.cycles * (1 - base.walker)) /
			 (base.walker - super.walker);
	f->cost_software = (super.cycles * base.walker - base.cycles * super.walker) /
			   (base.walker - super.walker);
}

/* --- watching ---------------------------------------------------------------------------- */

static void close_thread(struct thread *t)
{
	ring_unmap(&t->ring);
	if (t->samples >= 0)
		close(t->samples);
	for (int i = 0; i < NR; i++)
		if (t->fd[i] >= 0)
			close(t->fd[i]);
}

/* 0, or an error number; then *@which is the event that there is not. */
static int count_thread(struct thread *t, enum event *which)
{
	int i, error;

	t->ring.page = NULL;
	t->samples = -1;
	for (i = 0; i < NR; i++)
		t->fd[i] = -1;
	for (i = 0; i < NR; i++) {
		/* Cycles of the kernel are the program's time; its misses are not its memory. */
		t->fd[i] = event_open(events[i], t->tid, i == CYCLES ? EVENT_ALL : EVENT_USER,
				      i ? t->fd[CYCLES] : -1);
		if (t->fd[i] < 0 && i != WALKER) {
			*which = events[i];
			error = -t->fd[i];
			close_thread(t);
			return error;
		}
	}
	event_group_begin(t->fd[CYCLES]);
	return 0;
}

/* 0, or an error number.  It has been counted for @seconds, which tells the period. */
static int sample_thread(struct thread *t, double seconds)
{
	double misses;
	uint64_t period = LEAST_PERIOD;

	if (event_read(t->fd[MISSES], &misses) && misses / seconds / SAMPLES > period)
		period = misses / seconds / SAMPLES;
	t->samples = event_open_samples(t->tid, period | 1);
	if (t->samples < 0)
		return -t->samples;
	if (!ring_map(&t->ring, t->samples))
		return errno;
	event_group_begin(t->samples);
	return 0;
}

/* Keep the samples of a thread, for where its memory is will be known at the end. */
static void take_samples(struct found *f, struct thread *t)
{
	struct sample sample;

	while (t->ring.page && ring_next(&t->ring, &sample, &f->lost)) {
		if (!(f->nr_samples & (f->nr_samples - 1))) {
			size_t room = f->nr_samples ? 2 * f->nr_samples : 1;

			f->samples = realloc(f->samples, room * sizeof(*f->samples));
			if (!f->samples)
				die("no memory");
		}
		f->samples[f->nr_samples++] = sample;
	}
}

static bool is_there(const char *pid)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), PROC "/%s", pid);
	return !access(path, F_OK);
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static void wait_for(double seconds)
{
	struct timespec ts = { .tv_sec = seconds };

	ts.tv_nsec = (seconds - ts.tv_sec) * 1e9;
	nanosleep(&ts, NULL);
}

/* Begin to count all threads of a process; how many they are. */
static unsigned int count_threads(struct found *f, const char *pid, struct thread *threads)
{
	char path[PATH_MAX];
	unsigned int n = 0;
	enum event which;
	struct dirent *d;
	int error;
	DIR *dir;

	snprintf(path, sizeof(path), PROC "/%s/task", pid);
	dir = opendir(path);
	if (!dir)
		die("%s: %s", pid, errno == ENOENT ? strerror(ESRCH) : strerror(errno));
	while ((d = readdir(dir))) {
		if (*d->d_name == '.')
			continue;
		if (n == MAX_THREADS) {
			f->skipped++;
			continue;
		}
		threads[n].tid = atoi(d->d_name);
		error = count_thread(&threads[n], &which);
		if (!error)
			n++;
		else if (error != ESRCH)	/* It has ended. */
			die("%s: %s", pid, event_explain(which, error));
	}
	closedir(dir);
	return n;
}

static void watch(struct found *f, const char *pid, double seconds)
{
	static struct thread threads[MAX_THREADS];
	double begin = now(), count;
	unsigned int i, n;
	int error;

	n = count_threads(f, pid, threads);
	f->threads = n;
	wait_for(seconds / 10);
	for (i = 0; i < n; i++) {
		error = sample_thread(&threads[i], now() - begin);
		if (error && error != ESRCH)
			die("%s: %s", pid, event_explain(EVENT_SAMPLES, error));
	}
	do {
		wait_for(seconds < 1 ? seconds / 10 : 0.1);
		for (i = 0; i < n; i++)
			take_samples(f, &threads[i]);
		f->seconds = now() - begin;
	} while (f->seconds < seconds && is_there(pid));
	for (i = 0; i < n; i++) {
		double *sum[NR] = { &f->cycles, &f->misses, &f->walker };

		event_group_end(threads[i].fd[CYCLES]);
		take_samples(f, &threads[i]);
		for (int e = 0; e < NR; e++) {
			/* Without the walker's event of one thread, the sum says nothing. */
			if (threads[i].fd[e] < 0)
				*sum[e] = -1;
			else if (!event_read(threads[i].fd[e], &count))
				die(EVENTS_BUSY);
			else if (*sum[e] >= 0)
				*sum[e] += count;
		}
		close_thread(&threads[i]);
	}
}

/* --- where it misses ---------------------------------------------------------------------- */

/* Leaves @f as it is, with errno set, if there is no memory to be read. */
static bool read_mappings(struct found *f, const char *pid)
{
	char path[PATH_MAX], *text, *line, *next;
	struct mapping *m = NULL;
	unsigned int room = 0;

	snprintf(path, sizeof(path), PROC "/%s/smaps", pid);
	text = slurp(path);
	/* That of a process that has ended, and of a thread of the kernel. */
	if (text && !*text)
		errno = ESRCH;
	if (!text || !*text) {
		free(text);
		return false;
	}
	free(f->smaps);
	free(f->mappings);
	f->smaps = text;
	f->mappings = NULL;
	f->nr_mappings = 0;
	for (line = f->smaps; line && *line; line = next) {
		unsigned long start, end, inode;
		char perms[8];
		int at = 0;

		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (m && add_line(&m->usage, line))
			continue;
		if (m && !strncmp(line, "VmFlags:", 8)) {
			m->advised = strstr(line, " hg");
			m->refused = strstr(line, " nh");
			/* Stacks, and ranges with a userfaultfd, have none. */
			if (strstr(line, " gd") || strstr(line, " um") || strstr(line, " uw") ||
			    strstr(line, " ui"))
				m->anon = false;
			continue;
		}
		if (sscanf(line, "%lx-%lx %7s %*x %*s %lu%n", &start, &end, perms, &inode,
			   &at) != 4 || !at)
			continue;
		if (f->nr_mappings == room) {
			room = room ? 2 * room : 64;
			f->mappings = realloc(f->mappings, room * sizeof(*m));
			if (!f->mappings)
				die("no memory");
		}
		m = &f->mappings[f->nr_mappings++];
		memset(m, 0, sizeof(*m));
		m->start = start;
		m->end = end;
		m->name = line + at + strspn(line + at, " ");
		m->anon = perms[1] == 'w' && perms[3] == 'p' && !inode &&
			  strncmp(m->name, "[stack", 6);
	}
	return true;
}

static void attribute_samples(struct found *f)
{
	unsigned int i, k;

	for (i = 0; i < f->nr_samples; i++) {
		const struct sample *s = &f->samples[i];

		f->sampled += s->period;
		for (k = 0; k < f->nr_mappings; k++)
			if (s->address >= f->mappings[k].start && s->address < f->mappings[k].end)
				break;
		if (k < f->nr_mappings)
			f->mappings[k].misses += s->period;
		else
			f->unmapped += s->period;
	}
}

static int by_misses(const void *a, const void *b)
{
	const struct mapping *x = a, *y = b;

	return (x->misses < y->misses) - (x->misses > y->misses);
}

/* --- what to do ----------------------------------------------------------------------------- */

/* Is there room for an aligned block of @kb? */
static bool fits(const struct mapping *m, unsigned long kb)
{
	unsigned long size = kb * 1024;

	return m->end - m->start >= size && (m->start + size - 1) / size * size <= m->end - size;
}

static bool permitted(const struct mapping *m, const struct size *s, const struct policy *p)
{
	bool advised = m->advised || !strcmp(p->mode, "always");

	if (!m->anon || m->refused || !strcmp(p->mode, "never") ||
	    (p->orders && !(p->orders & order_bit(s))))
		return false;
	if (!strcmp(p->mode, "madvise") && !m->advised)
		return false;
	if (s->word == NEVER)
		return p->force && advised;
	return s->word == ALWAYS || advised;
}

/* Entries of the TLB that the memory of a mapping takes. */
static double entries(const struct usage *u)
{
	double sum = (u->rss > u->total ? u->rss - u->total : 0) / (double)page_kb;

	for (unsigned int i = 0; i < nr_sizes; i++)
		sum += (double)u->size[i] / sizes[i].kb;
	return sum;
}

static void list_sizes(char *list, size_t len, unsigned int largest)
{
	size_t at = 0;

	*list = '\0';
	for (unsigned int i = 0; i <= largest; i++)
		at += snprintf(list + at, len - at, "%s%s", i ? "," : "", sizes[i].name);
}

/*
 * How many misses a mapping must have to be worth covering.  The mappings are sorted; those at
 * the end are not, as long as all of them together cost hardly any time.
 */
static double worth_covering(const struct found *f, double part)
{
	unsigned int n = f->nr_mappings;
	double rest = 0;

	while (n && (rest + f->mappings[n - 1].misses) / f->sampled * part < WORTH / 4)
		rest += f->mappings[--n].misses;
	return n ? f->mappings[n - 1].misses : 0;
}

static void print_advice(const struct found *f, const char *pid, double part)
{
	double missed = 0, refused = 0, need = 0, worth;
	unsigned long rss = 0, large = 0;
	bool all = true, off = false;
	char list[MAX_SIZES * 26];
	unsigned int i, best = 0;
	struct policy policy;

	printf("advice: ");
	if (part < WORTH) {
		printf("leave it: superpages can win no more than about these %.1f %%\n",
		       100 * part);
		return;
	}
	if (!f->sampled) {
		printf("none: no address was sampled; watch it for longer\n");
		return;
	}
	worth = worth_covering(f, part);
	for (i = 0; i < f->nr_mappings; i++) {
		const struct mapping *m = &f->mappings[i];

		if (!m->anon || !fits(m, sizes[0].kb))
			continue;
		if (m->refused) {
			refused += m->misses / f->sampled;
			continue;
		}
		missed += m->misses / f->sampled;
		if (m->misses < worth)
			continue;
		rss += m->usage.rss;
		large += m->usage.total;
		need += entries(&m->usage);
	}
	if (missed * part < WORTH && refused * part >= WORTH) {
		printf("leave it: it refuses superpages where it misses (MADV_NOHUGEPAGE)\n");
		return;
	}
	if (missed * part < WORTH) {
		printf("leave it: only %.1f of these %.1f %% are where superpages can be\n",
		       100 * missed * part, 100 * part);
		return;
	}
	if (need <= REACH) {
		printf("leave it: that memory is in %.0f pages, as the TLB has room for\n", need);
		return;
	}
	if (!read_policy(pid, &policy)) {
		printf("none: its policy cannot be read: %s\n",
		       errno == ENOENT ? strerror(ESRCH) : strerror(errno));
		return;
	}
	/* The smallest size by which the TLB reaches all of it, as far as that fits. */
	while (best + 1 < nr_sizes && rss / sizes[best].kb > REACH) {
		bool room = false;

		for (i = 0; i < f->nr_mappings; i++)
			room |= f->mappings[i].misses >= worth && f->mappings[i].anon &&
				fits(&f->mappings[i], sizes[best + 1].kb);
		if (!room)
			break;
		best++;
	}
	for (i = 0; i < f->nr_mappings; i++) {
		const struct mapping *m = &f->mappings[i];

		if (!m->anon || m->refused || m->misses < worth || !fits(m, sizes[0].kb))
			continue;
		for (unsigned int k = 0; k <= best; k++) {
			all &= permitted(m, &sizes[k], &policy) || !fits(m, sizes[k].kb);
			off |= sizes[k].word == NEVER;
		}
	}
	list_sizes(list, sizeof(list), best);
	if (all) {
		printf("leave it: %s are permitted, and %lu %% of it is in superpages\n", list,
		       rss ? 100 * large / rss : 0);
		return;
	}
	printf("permit %s, about %.1f %% of its time can be won: ", list, 100 * missed * part);
	printf("superpage set --mode=always --sizes=%s%s %s\n", list, off ? " --force" : "", pid);
}

/* --- the command --------------------------------------------------------------------------- */

/* A number with commas. */
static const char *grouped(double number)
{
	static char text[4][40];
	static unsigned int turn;
	char plain[32], *to = text[turn++ % 4], *start = to;
	int len = snprintf(plain, sizeof(plain), "%.0f", number);

	for (int i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			*to++ = ',';
		*to++ = plain[i];
	}
	*to = '\0';
	return start;
}

static void print_mappings(const struct found *f, double part)
{
	unsigned int i;

	printf("\nMISSES   TIME %10s %10s  %-33s  MAPPING\n", "RSS", "SUPERPAGES", "ADDRESS");
	for (i = 0; i < f->nr_mappings; i++) {
		const struct mapping *m = &f->mappings[i];
		double share = m->misses / f->sampled;

		if (share < 0.005)
			break;
		printf("%4.0f %% %4.1f %% %10lu %10lu  %016lx-%016lx  ", 100 * share,
		       100 * share * part, m->usage.rss, m->usage.total, m->start, m->end);
		print_plain(m->name);
		printf("%s\n", m->anon ? "" : " (no superpages for such memory)");
	}
	if (f->unmapped / f->sampled >= 0.005)
		printf("%4.0f %% %4.1f %% %10s %10s  %-33s  unmapped since, or the kernel's\n",
		       100 * f->unmapped / f->sampled, 100 * f->unmapped / f->sampled * part,
		       "-", "-", "elsewhere");
}

/**
 * advise() - watch a process and say what superpages would win
 * @pid:	which, a number
 * @seconds:	for how long
 * @cost:	cycles that a miss costs, 0 to measure it
 *
 * Return: the exit status.
 */
int advise(const char *pid, double seconds, double cost)
{
	struct found f = { .cost_walker = cost, .cost_software = cost };
	double served, part;
	struct rlimit files;
	char *command;

	failure = EXIT_FAILED;
	/* Four files for each thread. */
	if (!getrlimit(RLIMIT_NOFILE, &files)) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
	if (!is_there(pid))
		die("%s: %s", pid, strerror(ESRCH));
	command = command_of(pid);
	if (!cost)
		measure_cost(&f);
	if (!read_mappings(&f, pid))
		die("%s: %s", pid, errno == ENOENT ? strerror(ESRCH) : strerror(errno));
	watch(&f, pid, seconds);
	if (!f.threads)
		die("%s: %s", pid, strerror(ESRCH));
	printf("%s: ", pid);
	print_plain(command ?: "?");
	putchar('\n');
	free(command);
	printf("  %-16s %16s  in %.1f s, of %u thread%s\n", "cycles", grouped(f.cycles), f.seconds,
	       f.threads, f.threads == 1 ? "" : "s");
	if (f.skipped)
		printf("  %-16s %16u\n", "threads left out", f.skipped);
	if (!f.cycles) {
		printf("advice: none: it did nothing; watch it while it works\n");
		goto out;
	}
	printf("  %-16s %16s", "DTLB misses", grouped(f.misses));
	served = f.walker < 0 || !f.misses ? 0 : f.walker / f.misses;
	if (served > 1)
		served = 1;
	if (f.walker >= 0 && f.misses)
		printf("  %.0f %% of them served by the page-table walker", 100 * served);
	printf("\n  %-16s %16.1f  cycles", "a miss costs",
	       served * f.cost_walker + (1 - served) * f.cost_software);
	if (f.cost_walker != f.cost_software)
		printf(": %.1f by the walker, %.1f by software", f.cost_walker, f.cost_software);
	printf(", %s\n", f.measured ? "measured" : "as you say");
	part = (served * f.cost_walker + (1 - served) * f.cost_software) * f.misses / f.cycles;
	printf("  %-16s %14.1f %%  of its time, or more if its page tables fit no cache\n",
	       "misses take", 100 * part);
	if (f.nr_samples) {
		/* If it has ended, it had what it had before. */
		read_mappings(&f, pid);
		attribute_samples(&f);
		qsort(f.mappings, f.nr_mappings, sizeof(*f.mappings), by_misses);
		print_mappings(&f, part);
		if (f.lost)
			printf("%s samples found no room\n", grouped(f.lost));
	}
	print_advice(&f, pid, part);
out:
	free(f.samples);
	free(f.mappings);
	free(f.smaps);
	return 0;
}
