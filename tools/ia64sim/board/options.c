// SPDX-License-Identifier: GPL-2.0
/*
 * The command line, in QEMU's words.  What it does not understand ends the
 * program with one line on stderr and status 2.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "board/board.h"
#include "timing/params.h"

#define VERSION		"0.1"

enum { MIN_RAM_MIB = 64, MAX_RAM_MIB = 65536, MAX_COMMAND_LINE = 2047, MAX_REPORT = 8192 };

static const char usage[] =
	"usage: ia64sim [options] -kernel FILE\n"
	"An Itanium 2 machine that boots Linux.\n"
	"\n"
	"  -m SIZE            RAM, as 512M or 4G (default 512M; 64M to 64G)\n"
	"  -smp N             processors, 1 to 16 (default 1)\n"
	"  -numa node,mem=SIZE,cpus=N-N  a NUMA node, of up to 16\n"
	"  -numa dist,src=N,dst=N,val=N  distance of two nodes, 11 to 254 (default 20)\n"
	"  -kernel FILE       vmlinux, plain or compressed with gzip\n"
	"  -initrd FILE       initial RAM disk\n"
	"  -append STRING     kernel command line\n"
	"  -bare FILE         bare program instead of a kernel: ELF, or raw for 0x100000\n"
	"  -nographic         console on standard input and output (always so)\n"
	"  -no-reboot         a reset ends the run (always so)\n"
	"  -tlb SPEC          TLB: itc=N,dtc=N,tr=N,rid=BITS (default 128,128,64,24),\n"
	"                     replace=nru|fifo (default nru)\n"
	"  -accel soft-tlb=off  translate every reference in the model TLB\n"
	"  -timing none|MODEL[,NAME=VALUE...]  what takes how long (default none)\n"
	"  -strict WHAT[,seed=N][,report=N]  serialize,depend,stores,turns,code,walks or\n"
	"                     all: what a processor may do, and this machine does not otherwise\n"
	"  -break WHAT[,cpu=N]  walker-reserved,purge-size,itir,tag-ti,thash: what a\n"
	"                     processor, or all of them, does wrong\n"
	"  -rtc sim|host      clock: simulated from a fixed date, or the host's\n"
	"  -icount N          stop after N instructions, with status 4\n"
	"  -stats FILE        write counters as JSON at the end\n"
	"  -trace EVENTS      int,tlb,purge,insn,mem,firmware,pmu or all, as text lines\n"
	"  -trace-file FILE   where to (default standard error)\n"
	"  -gdb PORT          serve GDB on that TCP port of localhost\n"
	"  -S                 wait for GDB before the first instruction\n"
	"  --help, --version\n"
	"\n"
	"C-a x on a terminal ends the run; C-a h tells the other keys.\n"
	"Exit status: the guest's, 2 bad usage, 3 the guest died, 4 -icount reached.\n";

static bool fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

static bool fail(const char *format, ...)
{
	va_list args;

	fprintf(stderr, "ia64sim: ");
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "\n");
	return false;
}

/* A decimal number and nothing else. */
static bool parse_number(const char *text, u64 min, u64 max, u64 *value)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*value = strtoull(text, &end, 10);
	return !errno && !*end && *value >= min && *value <= max;
}

/* A size in bytes, as 512M or 4G, without a letter of MiB; at most all ones. */
static bool parse_size(const char *text, u64 *value)
{
	unsigned int shift = 20;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*value = strtoull(text, &end, 10);
	switch (*end) {
	case 'k':
	case 'K':
		shift = 10;
		end++;
		break;
	case 'm':
	case 'M':
		end++;
		break;
	case 'g':
	case 'G':
		shift = 30;
		end++;
		break;
	}
	*value = *value > MASK(63 - shift) ? ~0ULL : *value << shift;
	return !errno && !*end;
}

static bool parse_ram(struct options *opt, const char *text)
{
	u64 value;

	if (!parse_size(text, &value))
		return fail("-m %s: not a size", text);
	if (value > (u64)MAX_RAM_MIB << 20)
		return fail("-m %s: more than %uG of RAM", text, MAX_RAM_MIB >> 10);
	if (value < (u64)MIN_RAM_MIB << 20)
		return fail("-m %s: less than %uM of RAM", text, MIN_RAM_MIB);
	if (value % (1 << 20))
		return fail("-m %s: not a multiple of 1M", text);
	opt->ram = value;
	return true;
}

static bool parse_smp(struct options *opt, const char *text)
{
	u64 value;

	if (!parse_number(text, 1, MAX_CPUS, &value))
		return fail("-smp %s: not a number of processors from 1 to %u", text, MAX_CPUS);
	opt->cpus = value;
	return true;
}

/* One NAME=N of -tlb. */
static bool parse_tlb_item(void *to, const char *item)
{
	struct options *opt = to;
	static const struct {
		const char *name;
		unsigned int min, max;
		size_t offset;
	} items[] = {
		{ "itc", 4, MAX_TC, offsetof(struct options, itc_entries) },
		{ "dtc", 4, MAX_TC, offsetof(struct options, dtc_entries) },
		{ "tr", 8, MAX_TR, offsetof(struct options, trs) },
		{ "rid", MIN_RID_BITS, IMPL_RID_BITS, offsetof(struct options, rid_bits) },
	};
	const char *equals = strchr(item, '=');
	u64 value;

	if (!strcmp(item, "replace=nru") || !strcmp(item, "replace=fifo")) {
		opt->tlb_fifo = !strcmp(item, "replace=fifo");
		return true;
	}
	for (unsigned int i = 0; equals && i < sizeof(items) / sizeof(items[0]); i++) {
		size_t n = strlen(items[i].name);

		if (n != (size_t)(equals - item) || strncmp(item, items[i].name, n))
			continue;
		if (!parse_number(equals + 1, items[i].min, items[i].max, &value))
			return fail("-tlb %s: not a number from %u to %u", item, items[i].min,
				    items[i].max);
		*(unsigned int *)((char *)opt + items[i].offset) = value;
		return true;
	}
	return fail("-tlb %s: not itc=N, dtc=N, tr=N, rid=N or replace=nru|fifo",
		    item);
}

/* Each part between commas to @parse, which says what it cannot take. */
static bool parse_items(void *to, const char *text, bool (*parse)(void *to, const char *item))
{
	bool ok, last;

	do {
		size_t n = strcspn(text, ",");
		char *item = strndup(text, n);

		ok = item ? parse(to, item) : fail("out of memory");
		free(item);
		last = !text[n];
		text += n + 1;
	} while (ok && !last);
	return ok;
}

static bool parse_tlb(struct options *opt, const char *text)
{
	if (!parse_items(opt, text, parse_tlb_item))
		return false;
	if (opt->trs + 2 > opt->itc_entries || opt->trs + 2 > opt->dtc_entries)
		return fail("-tlb: %u translation registers leave no room for others", opt->trs);
	return true;
}

/* "0-3" or "2" as bits. */
static bool parse_cpus(const char *text, u32 *cpus)
{
	const char *dash = strchr(text, '-');
	char first_text[4] = "";
	u64 first, last;

	if (dash && dash - text < (ptrdiff_t)sizeof(first_text))
		memcpy(first_text, text, dash - text);
	if (!parse_number(dash ? first_text : text, 0, MAX_CPUS - 1, &first) ||
	    !parse_number(dash ? dash + 1 : text, first, MAX_CPUS - 1, &last))
		return false;
	*cpus = MASK(last + 1) & ~MASK(first);
	return true;
}

/* One NAME=VALUE of -numa node, for the last node. */
static bool parse_node_item(void *to, const char *item)
{
	struct numa *numa = to;
	unsigned int node = numa->nodes - 1;
	u64 *ram = &numa->node[node].ram;
	u32 cpus, twice;

	if (!strncmp(item, "mem=", 4)) {
		if (!parse_size(item + 4, ram))
			return fail("-numa node,%s: not a size", item);
		if (*ram > (u64)MAX_RAM_MIB << 20)
			return fail("-numa node,%s: more than %uG of RAM", item,
				    MAX_RAM_MIB >> 10);
		if (*ram % NODE_ALIGN)
			return fail("-numa node,%s: not a multiple of %lluM", item,
				    NODE_ALIGN >> 20);
		return true;
	}
	if (strncmp(item, "cpus=", 5))
		return fail("-numa node,%s: not mem=SIZE or cpus=N-N", item);
	if (!parse_cpus(item + 5, &cpus))
		return fail("-numa node,%s: not processors, from 0 to %u", item, MAX_CPUS - 1);
	for (unsigned int i = 0; i <= node; i++) {
		twice = numa->node[i].cpus & cpus;
		if (twice)
			return fail("-numa node,%s: processor %u is in node %u", item,
				    __builtin_ctz(twice), i);
	}
	numa->node[node].cpus |= cpus;
	return true;
}

enum { DIST_SRC, DIST_DST, DIST_VAL, DIST_VALUES };

/* One NAME=N of -numa dist. */
static bool parse_dist_item(void *to, const char *item)
{
	static const struct {
		const char *name;
		unsigned int min, max;
	} items[DIST_VALUES] = {
		[DIST_SRC] = { "src=", 0, MAX_NODES - 1 },
		[DIST_DST] = { "dst=", 0, MAX_NODES - 1 },
		[DIST_VAL] = { "val=", LOCAL_DISTANCE, MAX_DISTANCE },
	};
	u64 *value = to;

	for (unsigned int i = 0; i < DIST_VALUES; i++) {
		if (strncmp(item, items[i].name, 4))
			continue;
		if (!parse_number(item + 4, items[i].min, items[i].max, &value[i]))
			return fail("-numa dist,%s: not a number from %u to %u", item,
				    items[i].min, items[i].max);
		return true;
	}
	return fail("-numa dist,%s: not src=N, dst=N or val=N", item);
}

static bool parse_dist(struct numa *numa, const char *text)
{
	u64 value[DIST_VALUES] = { ~0ULL, ~0ULL, ~0ULL };
	u64 src, dst, val;

	if (!parse_items(value, text, parse_dist_item))
		return false;
	src = value[DIST_SRC];
	dst = value[DIST_DST];
	val = value[DIST_VAL];
	if (src == ~0ULL || dst == ~0ULL || val == ~0ULL)
		return fail("-numa dist,%s: needs src, dst and val", text);
	if (src == dst ? val != LOCAL_DISTANCE : val == LOCAL_DISTANCE)
		return fail("-numa dist,%s: %u is a node's distance to itself, and no other's",
			    text, LOCAL_DISTANCE);
	numa->distance[src][dst] = val;
	return true;
}

static bool parse_numa(struct options *opt, const char *text)
{
	struct numa *numa = &opt->numa;

	if (!strncmp(text, "node,", 5)) {
		if (numa->nodes == MAX_NODES)
			return fail("-numa %s: more than %u nodes", text, MAX_NODES);
		numa->nodes++;
		return parse_items(numa, text + 5, parse_node_item);
	}
	if (!strncmp(text, "dist,", 5))
		return parse_dist(numa, text + 5);
	return fail("-numa %s: not node,... or dist,...", text);
}

static bool parse_accel(struct options *opt, const char *text)
{
	if (strcmp(text, "soft-tlb=off") == 0)
		opt->soft_tlb = false;
	else if (strcmp(text, "soft-tlb=on") == 0)
		opt->soft_tlb = true;
	else
		return fail("-accel %s: not soft-tlb=on or soft-tlb=off", text);
	return true;
}

static bool parse_timing(struct options *opt, const char *text)
{
	struct timing_params params;
	char error[512];

	opt->timing = strcmp(text, "none") ? text : NULL;
	if (opt->timing && !timing_parse(&params, text, error, sizeof(error)))
		return fail("-timing %s", error);
	return true;
}

/* One item of -strict. */
static bool parse_strict_item(void *to, const char *item)
{
	struct strict_options *strict = to;
	const struct {
		const char *name;
		bool *on;
	} names[] = {
		{ "serialize", &strict->serialize }, { "depend", &strict->depend },
		{ "stores", &strict->stores }, { "turns", &strict->turns },
		{ "code", &strict->code }, { "walks", &strict->walks },
	};

	for (unsigned int i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(item, names[i].name) || !strcmp(item, "all"))
			*names[i].on = true;
		if (!strcmp(item, names[i].name))
			return true;
	}
	if (!strcmp(item, "all"))
		return true;
	if (!strncmp(item, "seed=", 5))
		return parse_number(item + 5, 0, ~0ULL, &strict->seed) ||
		       fail("-strict %s: not a number", item);
	if (!strncmp(item, "report=", 7))
		return parse_number(item + 7, 0, MAX_REPORT, &strict->report) ||
		       fail("-strict %s: not a number from 0 to %u", item, MAX_REPORT);
	return fail("-strict %s: not serialize, depend, stores, turns, code, walks, all, seed=N "
		    "or report=N",
		    item);
}

static bool parse_strict(struct options *opt, const char *text)
{
	struct strict_options *strict = &opt->strict;

	if (!parse_items(strict, text, parse_strict_item))
		return false;
	if (!strict_insns(strict) && !strict->turns)
		return fail("-strict %s: nothing to be strict about", text);
	return true;
}

/* One item of -break. */
static bool parse_break_item(void *to, const char *item)
{
	struct options *opt = to;
	static const struct {
		const char *name;
		enum broken what;
	} names[] = {
		{ "walker-reserved", BROKEN_WALKER_RESERVED }, { "purge-size", BROKEN_PURGE_SIZE },
		{ "purge-global", BROKEN_PURGE_GLOBAL }, { "itir", BROKEN_ITIR },
		{ "tag-ti", BROKEN_TAG_TI }, { "thash", BROKEN_THASH }, { "ttag", BROKEN_TTAG },
		{ "walker-hash", BROKEN_WALKER_HASH },
	};
	u64 n;

	for (unsigned int i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(item, names[i].name)) {
			opt->broken |= names[i].what;
			return true;
		}
	}
	if (strncmp(item, "cpu=", 4))
		return fail("-break %s: not walker-reserved, walker-hash, purge-size, purge-global, "
			    "itir, tag-ti, thash, ttag or cpu=N", item);
	if (!parse_number(item + 4, 0, MAX_CPUS - 1, &n))
		return fail("-break %s: not a processor from 0 to %u", item, MAX_CPUS - 1);
	opt->broken_cpus |= BIT(n);
	return true;
}

static bool parse_break(struct options *opt, const char *text)
{
	opt->broken = opt->broken_cpus = 0;
	if (!parse_items(opt, text, parse_break_item))
		return false;
	if (!opt->broken)
		return fail("-break %s: nothing to break", text);
	if (!opt->broken_cpus)
		opt->broken_cpus = MASK(MAX_CPUS);
	return true;
}

static bool parse_rtc(struct options *opt, const char *text)
{
	if (strcmp(text, "host") == 0)
		opt->rtc_host = true;
	else if (strcmp(text, "sim") == 0)
		opt->rtc_host = false;
	else
		return fail("-rtc %s: not host or sim", text);
	return true;
}

static bool parse_icount(struct options *opt, const char *text)
{
	if (!parse_number(text, 1, ~0ULL, &opt->icount_limit))
		return fail("-icount %s: not a number of instructions", text);
	return true;
}

static bool parse_gdb(struct options *opt, const char *text)
{
	/* QEMU's spelling is taken too */
	const char *port = strncmp(text, "tcp::", 5) ? text : text + 5;
	u64 value;

	if (!parse_number(port, 1, 65535, &value))
		return fail("-gdb %s: not a port number", text);
	opt->gdb_port = value;
	return true;
}

static bool parse_append(struct options *opt, const char *text)
{
	if (strlen(text) > MAX_COMMAND_LINE)
		return fail("-append: more than %u characters", MAX_COMMAND_LINE);
	opt->append = text;
	return true;
}

static bool parse_trace(struct options *opt, const char *text)
{
	opt->trace = text;	/* trace_open() looks at the names */
	return true;
}

static bool parse_kernel(struct options *opt, const char *text)
{
	opt->kernel = text;
	return true;
}

static bool parse_initrd(struct options *opt, const char *text)
{
	opt->initrd = text;
	return true;
}

static bool parse_bare(struct options *opt, const char *text)
{
	opt->bare = text;
	return true;
}

static bool parse_stats(struct options *opt, const char *text)
{
	opt->stats = text;
	return true;
}

static bool parse_trace_file(struct options *opt, const char *text)
{
	opt->trace_file = text;
	return true;
}

static bool parse_wait(struct options *opt, const char *text)
{
	(void)text;
	opt->gdb_wait = true;
	return true;
}

static bool parse_nothing(struct options *opt, const char *text)
{
	(void)opt, (void)text;
	return true;
}

static const struct {
	const char *name;
	bool has_argument;
	bool (*parse)(struct options *opt, const char *text);
} table[] = {
	{ "m", true, parse_ram },
	{ "smp", true, parse_smp },
	{ "numa", true, parse_numa },
	{ "kernel", true, parse_kernel },
	{ "initrd", true, parse_initrd },
	{ "append", true, parse_append },
	{ "bare", true, parse_bare },
	{ "nographic", false, parse_nothing },
	{ "no-reboot", false, parse_nothing },
	{ "tlb", true, parse_tlb },
	{ "accel", true, parse_accel },
	{ "timing", true, parse_timing },
	{ "strict", true, parse_strict },
	{ "break", true, parse_break },
	{ "rtc", true, parse_rtc },
	{ "icount", true, parse_icount },
	{ "stats", true, parse_stats },
	{ "trace", true, parse_trace },
	{ "trace-file", true, parse_trace_file },
	{ "gdb", true, parse_gdb },
	{ "S", false, parse_wait },
};

/* The argument at *i, and the one behind it if it takes one. */
static bool parse_one(struct options *opt, int argc, char **argv, int *i)
{
	const char *arg = argv[*i];

	if (*arg != '-' || !arg[1])
		return fail("%s: not an option", arg);
	for (size_t k = 0; k < sizeof(table) / sizeof(table[0]); k++) {
		/* one dash or two */
		if (strcmp(arg + 1, table[k].name) &&
		    (arg[1] != '-' || strcmp(arg + 2, table[k].name)))
			continue;
		if (!table[k].has_argument)
			return table[k].parse(opt, NULL);
		if (*i + 1 == argc)
			return fail("%s: argument missing", arg);
		return table[k].parse(opt, argv[++*i]);
	}
	return fail("%s: unknown option", arg);
}

static bool is_any(const char *arg, const char *a, const char *b, const char *c)
{
	return !strcmp(arg, a) || !strcmp(arg, b) || !strcmp(arg, c);
}

/* Nodes together have all the RAM and all the processors. */
static bool check_numa(const struct options *opt)
{
	const struct numa *numa = &opt->numa;
	u32 cpus = 0;
	u64 ram = 0;

	for (unsigned int from = 0; from < MAX_NODES; from++)
		for (unsigned int to = 0; to < MAX_NODES; to++)
			if (numa->distance[from][to] && (from >= numa->nodes || to >= numa->nodes))
				return fail("-numa dist: there is no node %u",
					    from >= numa->nodes ? from : to);
	if (!numa->nodes)
		return true;
	for (unsigned int i = 0; i < numa->nodes; i++) {
		ram += numa->node[i].ram;
		cpus |= numa->node[i].cpus;
	}
	if (ram != opt->ram)
		return fail("-numa: the nodes have %lluM of RAM, the machine has %lluM",
			    (unsigned long long)ram >> 20, (unsigned long long)opt->ram >> 20);
	for (unsigned int i = 0; i < MAX_CPUS; i++) {
		if (i < opt->cpus && !(cpus & BIT(i)))
			return fail("-numa: processor %u is in no node", i);
		if (i >= opt->cpus && cpus & BIT(i))
			return fail("-numa: there is no processor %u", i);
	}
	return true;
}

static bool check(const struct options *opt)
{
	if (!opt->kernel && !opt->bare)
		return fail("-kernel FILE is missing");
	if (opt->kernel && opt->bare)
		return fail("-kernel and -bare exclude each other");
	if (opt->gdb_wait && !opt->gdb_port)
		return fail("-S without -gdb would wait forever");
	if (opt->trace_file && !opt->trace)
		return fail("-trace-file without -trace");
	if (opt->timing && strict_insns(&opt->strict))
		return fail("-timing and -strict exclude each other, but for -strict turns");
	return check_numa(opt);
}

bool parse_options(struct options *opt, int argc, char **argv, int *status)
{
	*opt = (struct options){
		.ram = 512ULL << 20, .cpus = 1, .itc_entries = 128, .dtc_entries = 128,
		.trs = 64, .soft_tlb = true, .strict.report = 100,
	};
	*status = STATUS_USAGE;
	for (int i = 1; i < argc; i++) {
		if (is_any(argv[i], "--help", "-help", "-h")) {
			fputs(usage, stdout);
			*status = 0;
			return false;
		}
		if (is_any(argv[i], "--version", "-version", "-V")) {
			puts("ia64sim " VERSION);
			*status = 0;
			return false;
		}
		if (!parse_one(opt, argc, argv, &i))
			return false;
	}
	if (!check(opt))
		return false;
	opt->interactive = isatty(STDIN_FILENO);
	return true;
}
