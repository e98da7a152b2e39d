// SPDX-License-Identifier: GPL-2.0
/*
 * tlbmiss-cost - say what a miss of the TLB costs on this machine
 *
 * See Documentation/admin-guide/mm/superpage.rst.
 */

#include <errno.h>
#include <getopt.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "misscost.h"
#include "superpage.h"

static const char usage[] =
"Usage: tlbmiss-cost [--pages=N] [--size=SIZE] [--no-check] [--quiet]\n"
"\n"
"Say what a TLB miss costs on this machine: how many cycles more a load takes if its\n"
"translation is not in the TLB.  Two pointer chases through equally many cache lines\n"
"are compared, one on more pages than the TLB has entries, one on few.  Their page\n"
"tables are in a cache; in a program whose page tables are too large for the caches a\n"
"miss costs more.\n"
"\n"
"As a check, the kernels of STREAM and a triad by columns run in base pages, where\n"
"that cost and the number of misses predict what superpages save, and in superpages,\n"
"where this is measured.\n"
"\n"
"  -p, --pages=N    the pages of the chase that misses: a power of two, 512 by\n"
"                   default.  More pages need larger page tables.\n"
"  -s, --size=SIZE  superpages of this size instead of base pages, as in 64K\n"
"  -n, --no-check   leave the check out\n"
"  -q, --quiet      print only the number of cycles, and leave the check out\n"
"  -h, --help       print this\n"
"\n"
"It counts the events cycles, instructions and dTLB-load-misses of perf_events, in\n"
"the kernel, too: for users other than root this needs 1 or less in\n"
"/proc/sys/kernel/perf_event_paranoid.\n"
"\n"
"Exit status: 0; 1 if it cannot be measured; 2 for wrong usage.\n"
"\n"
"Examples:\n"
"  tlbmiss-cost\n"
"  tlbmiss-cost --size=64K -n    a miss in a superpage of 64 KiB, which costs more\n"
"                                where the walker finds no superpages (vhpt=short)\n"
"  superpage advise --cost=$(tlbmiss-cost -q) 123\n";

/* --- the check ---------------------------------------------------------------------------- */

#define ARRAY		(4UL << 20)	/* bytes of each: three of them are more than a cache */
#define ELEMENTS	(ARRAY / sizeof(double))

struct arrays {
	double *a, *b, *c;
	unsigned long stride;		/* elements of a page, and of a line besides */
};

static void stream(void *arg)
{
	const struct arrays *s = arg;
	double *a = s->a, *b = s->b, *c = s->c;
	unsigned long i;

	for (i = 0; i < ELEMENTS; i++)
		c[i] = a[i];
	for (i = 0; i < ELEMENTS; i++)
		b[i] = 3 * c[i];
	for (i = 0; i < ELEMENTS; i++)
		c[i] = a[i] + b[i];
	for (i = 0; i < ELEMENTS; i++)
		a[i] = b[i] + 3 * c[i];
}

/* Each element comes from another page than the last one. */
static void columns(void *arg)
{
	const struct arrays *s = arg;
	unsigned long i, k;

	for (i = 0; i < s->stride; i++)
		for (k = i; k < ELEMENTS; k += s->stride)
			s->a[k] = s->b[k] + 3 * s->c[k];
}

static void count_arrays(int advice, struct counted *by_rows, struct counted *by_columns)
{
	struct arrays s = { .stride = (getpagesize() + 128) / sizeof(double) };
	char *memory = mmap(NULL, 3 * ARRAY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);

	if (memory == MAP_FAILED)
		die("no memory: %s", strerror(errno));
	madvise(memory, 3 * ARRAY, advice);
	memset(memory, 0, 3 * ARRAY);
	s.a = (double *)memory;
	s.b = s.a + ELEMENTS;
	s.c = s.b + ELEMENTS;
	count_code(stream, &s, by_rows);
	count_code(columns, &s, by_columns);
	munmap(memory, 3 * ARRAY);
}

static void print_check(const char *name, double cost, const struct counted *base,
			const struct counted *super)
{
	printf("  %-18s %9.0f %9.0f %8.1f %%", name, base->cycles / 1e3, base->misses,
	       100 * base->misses * cost / base->cycles);
	if (super)
		printf(" %9.0f %9.0f %8.1f %%", super->cycles / 1e3, super->misses,
		       100 * (base->cycles - super->cycles) / base->cycles);
	putchar('\n');
}

static void check(double cost)
{
	struct counted base[2], super[2];
	bool compare;

	count_arrays(MADV_NOHUGEPAGE, &base[0], &base[1]);
	want_superpages(0);
	count_arrays(MADV_HUGEPAGE, &super[0], &super[1]);
	compare = super[1].misses < base[1].misses / 2;
	printf("\nCheck, 3 arrays of %lu MiB %s\n", ARRAY >> 20,
	       compare ? "in base pages                in superpages" : "in base pages");
	printf("  %-18s %9s %9s %10s", "", "kcycles", "misses", "predicted");
	if (compare)
		printf(" %9s %9s %10s", "kcycles", "misses", "saved");
	putchar('\n');
	print_check("STREAM's 4 kernels", cost, &base[0], compare ? &super[0] : NULL);
	print_check("triad by columns", cost, &base[1], compare ? &super[1] : NULL);
	if (!compare)
		printf("There are no superpages here to compare with.\n");
}

/* ------------------------------------------------------------------------------------------ */

static const struct option long_options[] = {
	{ "pages",	required_argument,	NULL, 'p' },
	{ "size",	required_argument,	NULL, 's' },
	{ "no-check",	no_argument,		NULL, 'n' },
	{ "quiet",	no_argument,		NULL, 'q' },
	{ "help",	no_argument,		NULL, 'h' },
	{ }
};

static unsigned long parse_pages(const char *text)
{
	unsigned long most = misscost_most_pages(), n;
	char what[100];

	snprintf(what, sizeof(what), "a number of pages, a power of two from 256 to %lu", most);
	n = parse_number(text, 256, most, what);
	if (n & (n - 1) || strchr(text, '.'))
		die("\"%s\" is not %s", text, what);
	return n;
}

static unsigned long parse_size(const char *text)
{
	unsigned long kb, page_kb = getpagesize() / 1024;
	const char *end;

	kb = parse_kb(text, &end);
	if (!kb || *end || kb & (kb - 1) || kb <= page_kb || kb > 1 << 20)
		die("\"%s\" is no size of superpages; it is a power of two, as in 64K", text);
	return kb << 10;
}

int main(int argc, char **argv)
{
	unsigned long pages = MISSCOST_PAGES, size = 0;
	bool with_check = true, quiet = false;
	struct misscost cost;
	const char *problem;
	char name[24];
	int c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, "p:s:nqh", long_options, NULL)) != -1) {
		switch (c) {
		case 'p':
			pages = parse_pages(optarg);
			break;
		case 's':
			size = parse_size(optarg);
			break;
		case 'n':
			with_check = false;
			break;
		case 'q':
			with_check = false;
			quiet = true;
			break;
		case 'h':
			fputs(usage, stdout);
			return fflush(stdout) ? EXIT_FAILED : 0;
		default:
			die("\"%s\" is no option, or lacks its value; try --help",
			    argv[optind - 1]);
		}
	}
	if (optind < argc)
		die("\"%s\": there are options only; try --help", argv[optind]);
	failure = EXIT_FAILED;
	if (clock_is_slots())
		die(CLOCK_IS_SLOTS);
	problem = misscost(pages, size, &cost);
	if (problem)
		die("%s", problem);
	if (quiet) {
		printf("%.1f\n", cost.cycles);
	} else {
		name_size(name, sizeof(name), (size ?: (unsigned long)getpagesize()) >> 10);
		printf("A miss costs %.1f cycles, in %s of %s: ", cost.cycles,
		       size ? "superpages" : "base pages", name);
		printf("a load takes %.1f, and %.1f where %.0f %% miss.\n", cost.near, cost.far,
		       100 * cost.missed);
		if (cost.walker >= 0)
			printf("The page-table walker served %.0f %% of the misses.\n",
			       100 * cost.walker);
	}
	if (with_check)
		check(cost.cycles);
	if (fflush(stdout) || ferror(stdout))
		die("cannot write: %s", strerror(errno));
	return 0;
}
