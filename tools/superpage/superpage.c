// SPDX-License-Identifier: GPL-2.0
/*
 * superpage - say which superpages programs may have, and show which they have
 *
 * It writes and reads /proc/PID/superpage, and reads what the kernel says of sizes below
 * /sys/kernel/mm/transparent_hugepage and in smaps.
 *
 * See Documentation/admin-guide/mm/superpage.rst.
 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <locale.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

#include "superpage.h"

static const char usage[] =
"Usage: superpage run [--mode=MODE] [--sizes=SIZES] [--force] [--] COMMAND [ARG...]\n"
"       superpage set [--mode=MODE] [--sizes=SIZES] [--force] PID...\n"
"       superpage show [--json] [PID...]\n"
"       superpage advise [--seconds=N] [--cost=CYCLES] PID\n"
"\n"
"Say which superpages programs may have, and show which they have.\n"
"\n"
"run     start COMMAND with a policy, which its children inherit\n"
"set     change the policy of running processes; their superpages stay, and the\n"
"        children that they have already keep their policy\n"
"show    how much memory of each readable process is in superpages, in kB; with PIDs\n"
"        only of these processes, and of each of their mappings\n"
"advise  watch a running process, and say which part of its time TLB misses take,\n"
"        where it misses, and what to do; this needs the performance monitors\n"
"\n"
"  -m, --mode=MODE    default  as the files in sysfs say\n"
"                     madvise  only where the program calls madvise(MADV_HUGEPAGE)\n"
"                     always   as if it did so for all of its memory; this is the\n"
"                              default of run\n"
"                     never    nowhere\n"
"  -s, --sizes=SIZES  only these, as in 64K,1M; \"all\" for any\n"
"  -f, --force        also sizes that are off (never); needs CAP_SYS_RESOURCE\n"
"  -j, --json         print JSON\n"
"  -n, --seconds=N    watch it for N seconds, as in 0.5; the default is 5\n"
"  -c, --cost=CYCLES  what a miss costs; by default it is measured, as by tlbmiss-cost\n"
"  -h, --help         print this\n"
"\n"
"Exit status of run: that of COMMAND; 125 if superpage itself fails, 126 if COMMAND\n"
"cannot be executed, 127 if it does not exist.  Of the others: 0; 1 if they failed\n"
"for any process; 2 for wrong usage.\n"
"\n"
"Examples:\n"
"  superpage run -- make -j8           large pages for make and all that it starts\n"
"  superpage run --mode=never -- CMD   none\n"
"  superpage set --sizes=64K,256K 123  no larger ones for process 123 from now on\n"
"  superpage advise 123                would it be faster with large pages?\n";

/* --- Sizes ------------------------------------------------------------------------- */

struct size sizes[MAX_SIZES];
unsigned int nr_sizes;
unsigned long page_kb;

/* Which word has the brackets in a file like "always [madvise] never"? */
static bool word_is(const char *path, const char *word)
{
	char *text = slurp(path), *found;
	size_t len = strlen(word);
	bool is = false;

	for (found = text; !is && found && (found = strchr(found, '[')); )
		is = !strncmp(++found, word, len) && found[len] == ']';
	free(text);
	return is;
}

static enum word word_of(const char *path, enum word inherited)
{
	if (word_is(path, "inherit"))
		return inherited;
	if (word_is(path, "madvise"))
		return MADVISE;
	return word_is(path, "never") ? NEVER : ALWAYS;
}

static int compare_sizes(const void *a, const void *b)
{
	const struct size *x = a, *y = b;

	return (x->kb > y->kb) - (x->kb < y->kb);
}

/* Which sizes the kernel has. */
static void find_sizes(void)
{
	enum word global = word_of(THP "/enabled", ALWAYS);
	DIR *dir = opendir(THP);
	char path[PATH_MAX];
	struct dirent *d;
	struct size *s;

	page_kb = sysconf(_SC_PAGESIZE) / 1024;
	while (dir && nr_sizes < MAX_SIZES && (d = readdir(dir))) {
		unsigned long kb;
		int end = 0;

		if (sscanf(d->d_name, "hugepages-%lukB%n", &kb, &end) != 1 || !end ||
		    d->d_name[end] || kb < page_kb)
			continue;
		s = &sizes[nr_sizes++];
		s->kb = kb;
		name_size(s->name, sizeof(s->name), kb);
		snprintf(path, sizeof(path), THP "/%s/enabled", d->d_name);
		s->word = word_of(path, global);
	}
	if (dir)
		closedir(dir);
	qsort(sizes, nr_sizes, sizeof(*sizes), compare_sizes);
	if (!nr_sizes || access(PROC "/self/superpage", F_OK))
		die("this kernel has no superpages (no " PROC "/self/superpage)");
}

unsigned long order_bit(const struct size *s)
{
	return 1UL << __builtin_ctzl(s->kb / page_kb);
}

/* What can be said for --sizes, for a message. */
static const char *all_sizes(void)
{
	static char list[MAX_SIZES * 26];
	unsigned int i;
	size_t len = 0;

	for (i = 0; i < nr_sizes; i++)
		len += snprintf(list + len, sizeof(list) - len, "%s%s", i ? "," : "",
				sizes[i].name);
	return list;
}

/* The bitmap of a list like 64K,1M; 0 for all. */
static unsigned long parse_sizes(const char *text)
{
	const char *part = text, *end;
	unsigned long orders = 0;
	unsigned int i;

	if (!strcmp(text, "all"))
		return 0;
	do {
		const char *unit;
		unsigned long kb;

		end = strchrnul(part, ',');
		kb = parse_kb(part, &unit);
		if (!kb)
			break;
		for (i = 0; i < nr_sizes && (sizes[i].kb != kb || unit != end); i++)
			;
		if (i == nr_sizes)
			break;
		orders |= order_bit(&sizes[i]);
		part = end + 1;
	} while (*end);
	if (part <= end)
		die("\"%.*s\" is no size of superpages here; there are %s",
		    (int)(end - part), part, all_sizes());
	return orders;
}

/* --- run and set ----------------------------------------------------------------------- */

/* What the options say; NULL for nothing. */
struct options {
	const char *mode;
	const char *sizes;
	bool force;
	bool json;
	double seconds;
	double cost;
};

/* The text for /proc/PID/superpage. */
static const char *policy_text(const struct options *opt)
{
	static char text[128];
	size_t len = 0;

	if (opt->mode)
		len += snprintf(text + len, sizeof(text) - len, "mode %s\n", opt->mode);
	if (opt->sizes)
		len += snprintf(text + len, sizeof(text) - len, "orders 0x%lx\n",
				parse_sizes(opt->sizes));
	if (opt->force)
		snprintf(text + len, sizeof(text) - len, "force 1\n");
	return text;
}

/* Why it did not work, for people. */
static const char *explain(int error, const struct options *opt)
{
	if (error == EPERM && opt->force)
		return "--force needs CAP_SYS_RESOURCE";
	return strerror(error);
}

/* Sizes that were asked for and that nobody gets. */
static void warn_never(const struct options *opt)
{
	unsigned long asked = opt->sizes ? parse_sizes(opt->sizes) : 0;
	unsigned int i, all = 0, off = 0;
	char list[MAX_SIZES * 26] = "";
	size_t len = 0;

	if (opt->force || (opt->mode && !strcmp(opt->mode, "never")))
		return;
	/* Without sizes of its own it says no more than the files do. */
	if (!asked && opt->mode && strcmp(opt->mode, "always"))
		return;
	for (i = 0; i < nr_sizes; i++) {
		if (asked && !(asked & order_bit(&sizes[i])))
			continue;
		all++;
		if (sizes[i].word != NEVER)
			continue;
		len += snprintf(list + len, sizeof(list) - len, "%s%s", off++ ? "," : "",
				sizes[i].name);
	}
	if (all && off == all)
		complain("warning: superpages of %s are off (never in %s), and none is left",
			 list, THP);
	else if (asked && off)
		complain("warning: superpages of %s are off (never in %s)", list, THP);
}

static int run_command(const struct options *opt, char **command)
{
	int error;

	if (!*command)
		die("no command to run; try superpage --help");
	error = write_policy("self", policy_text(opt));
	if (error)
		die("cannot set the policy: %s", explain(error, opt));
	warn_never(opt);
	execvp(*command, command);
	error = errno;
	complain("cannot run %s: %s", *command, strerror(error));
	return error == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
}

static bool is_pid(const char *text)
{
	size_t len = strlen(text);

	return len && len < 11 && strspn(text, "0123456789") == len && *text != '0';
}

static int set_policies(const struct options *opt, char **pids)
{
	const char *text = policy_text(opt);
	int error, ret = 0;
	char **pid;

	if (!*text)
		die("nothing to set: say --mode, --sizes or --force");
	if (!*pids)
		die("no process; try superpage --help");
	for (pid = pids; *pid; pid++)
		if (!is_pid(*pid))
			die("\"%s\" is no process ID", *pid);
	for (pid = pids; *pid; pid++) {
		error = write_policy(*pid, text);
		if (error) {
			complain("%s: %s", *pid, explain(error, opt));
			ret = EXIT_FAILED;
		} else {
			printf("%s: set; superpages that it has stay\n", *pid);
		}
	}
	warn_never(opt);
	return ret;
}

/* --- show -------------------------------------------------------------------------------- */

/* One line of it; false if it is none of ours. */
bool add_line(struct usage *u, const char *line)
{
	unsigned long kb, size;
	unsigned int i;
	int n;

	if (sscanf(line, "Rss: %lu kB", &kb) == 1) {
		u->rss += kb;
	} else if (sscanf(line, "Superpages: %lu kB", &kb) == 1) {
		u->total += kb;
	} else if (sscanf(line, "Superpages%lukB: %lu kB", &size, &kb) == 2) {
		for (i = 0; i < nr_sizes; i++)
			if (sizes[i].kb == size)
				u->size[i] += kb;
	} else if (sscanf(line, "THPeligible: %d", &n) == 1) {
		u->eligible = n;
	} else {
		return false;
	}
	return true;
}

static void print_json_string(const char *text)
{
	putchar('"');
	for (; *text; text++) {
		unsigned char c = *text;

		/* What is no ASCII may be no UTF-8, so bytes are shown as if Latin-1. */
		if (c < ' ' || c >= 0x7f)
			printf("\\u%04x", c);
		else if (c == '"' || c == '\\')
			printf("\\%c", c);
		else
			putchar(c);
	}
	putchar('"');
}

/* Nothing that a terminal would obey: only what the locale can print. */
void print_plain(const char *text)
{
	mbstate_t state = {};
	size_t len;
	wchar_t c;

	for (; *text; text += len) {
		len = mbrtowc(&c, text, strlen(text), &state);
		if (len > strlen(text)) {		/* not a character */
			state = (mbstate_t){};
			len = 1;
			c = 0;
		}
		if (iswprint(c))
			fwrite(text, 1, len, stdout);
		else
			putchar('?');
	}
}

static void print_json_usage(const struct usage *u)
{
	unsigned int i;

	printf("\"rss_kB\": %lu, \"superpages_kB\": %lu, \"sizes_kB\": {", u->rss, u->total);
	for (i = 0; i < nr_sizes; i++)
		printf("%s\"%s\": %lu", i ? ", " : "", sizes[i].name, u->size[i]);
	putchar('}');
}

static void print_head(const char *first, const char *user)
{
	unsigned int i;

	printf("%s %s%10s %10s", first, user, "RSS", "SUPERPAGES");
	for (i = 0; i < nr_sizes; i++)
		printf(" %8s", sizes[i].name);
}

static void print_usage(const struct usage *u)
{
	unsigned int i;

	printf("%10lu %10lu", u->rss, u->total);
	for (i = 0; i < nr_sizes; i++)
		printf(" %8lu", u->size[i]);
}

bool read_policy(const char *pid, struct policy *p)
{
	char path[PATH_MAX], *text;
	bool ok;

	snprintf(path, sizeof(path), PROC "/%s/superpage", pid);
	text = slurp(path);
	if (!text)
		return false;
	ok = sscanf(text, "mode %15s orders %lx force %d", p->mode, &p->orders, &p->force) == 3;
	free(text);
	if (!ok)
		errno = EPROTO;
	return ok;
}

/* The mode, and what else there is, as in always,64K,1M,force. */
static void print_policy(const struct policy *p)
{
	unsigned int i;

	printf("  %s", p->mode);
	for (i = 0; i < nr_sizes; i++)
		if (p->orders & order_bit(&sizes[i]))
			printf(",%s", sizes[i].name);
	printf("%s", p->force ? ",force" : "");
}

/* What it was started with; to be freed. */
char *command_of(const char *pid)
{
	char path[PATH_MAX], *text, *p;
	int fd;
	ssize_t n;

	snprintf(path, sizeof(path), PROC "/%s/cmdline", pid);
	text = calloc(1, 256);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = text && fd >= 0 ? read(fd, text, 255) : 0;
	if (fd >= 0)
		close(fd);
	/* Words end with a NUL. */
	while (n > 0 && !text[n - 1])
		n--;
	for (p = text; n > 0 && p < text + n; p++)
		if (!*p)
			*p = ' ';
	if (n > 0)
		return text;
	free(text);
	snprintf(path, sizeof(path), PROC "/%s/comm", pid);
	text = slurp(path);
	if (text)
		text[strcspn(text, "\n")] = '\0';
	return text ?: strdup("?");
}

/* The user, by name where /etc/passwd has one. */
static void user_of(const char *pid, char *name, size_t size)
{
	FILE *f = fopen(ROOT "/etc/passwd", "re");
	char path[PATH_MAX];
	struct passwd *pw;
	struct stat st;

	snprintf(path, sizeof(path), PROC "/%s", pid);
	if (stat(path, &st)) {
		snprintf(name, size, "?");
	} else {
		snprintf(name, size, "%u", (unsigned int)st.st_uid);
		while (f && (pw = fgetpwent(f)))
			if (pw->pw_uid == st.st_uid) {
				snprintf(name, size, "%s", pw->pw_name);
				break;
			}
	}
	if (f)
		fclose(f);
}

/* Each mapping that has superpages, or could have. */
static bool show_mappings(const char *pid, bool json)
{
	char path[PATH_MAX], *text, *line, *next, *name = NULL;
	bool first = true, inside = false;
	unsigned long start = 0, end = 0;
	struct usage u = {};

	snprintf(path, sizeof(path), PROC "/%s/smaps", pid);
	text = slurp(path);
	if (!text)
		return false;
	if (json) {
		printf(", \"mappings\": [");
	} else {
		print_head("ADDRESS                          ", "");
		printf("  MAPPING\n");
	}
	for (line = text; line; line = next) {
		unsigned long from, to;
		int at = 0;

		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (inside && add_line(&u, line))
			continue;
		/* The next mapping, or the end. */
		if (sscanf(line, "%lx-%lx %*s %*x %*s %*u%n", &from, &to, &at) != 2 || !at) {
			if (next)
				continue;
			at = 0;
		}
		if (inside && (u.total || (u.eligible && u.rss))) {
			if (json) {
				printf("%s{\"start\": \"0x%lx\", \"end\": \"0x%lx\", ",
				       first ? "" : ", ", start, end);
				print_json_usage(&u);
				printf(", \"name\": ");
				print_json_string(name);
				putchar('}');
			} else {
				printf("%016lx-%016lx ", start, end);
				print_usage(&u);
				printf("  ");
				print_plain(name);
				putchar('\n');
			}
			first = false;
		}
		memset(&u, 0, sizeof(u));
		inside = at;
		if (at) {
			start = from;
			end = to;
			name = line + at + strspn(line + at, " ");
		}
	}
	if (json)
		putchar(']');
	free(text);
	return true;
}

/*
 * One process.  Return: 1 if it was shown, 0 if it has no memory, negative if it, or its
 * mappings, cannot be read.  *@shown counts those of which anything was printed.
 */
static int show_process(const char *pid, const struct options *opt, bool mappings,
			unsigned int *shown)
{
	bool first = !*shown;
	char path[PATH_MAX], user[32], *text, *line, *command;
	struct usage u = {};
	struct policy p;
	int ret = 1;

	snprintf(path, sizeof(path), PROC "/%s/smaps_rollup", pid);
	text = slurp(path);
	if (!text)
		return -errno;
	for (line = text; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		add_line(&u, line);
	}
	if (!*text || !read_policy(pid, &p)) {
		ret = *text ? -errno : 0;
		free(text);
		return ret;
	}
	free(text);
	++*shown;
	user_of(pid, user, sizeof(user));
	command = command_of(pid);
	if (opt->json) {
		printf("%s\n  {\"pid\": %s, \"user\": ", first ? "" : ",", pid);
		print_json_string(user);
		printf(", ");
		print_json_usage(&u);
		printf(", \"mode\": \"%s\", \"orders\": %lu, \"force\": %s, \"command\": ",
		       p.mode, p.orders, p.force ? "true" : "false");
		print_json_string(command ?: "?");
	} else {
		if (first || mappings) {
			print_head("    PID", "USER      ");
			printf("  MODE  COMMAND\n");
		}
		printf("%7s %-9.31s ", pid, user);
		print_usage(&u);
		print_policy(&p);
		printf("  ");
		print_plain(command ?: "?");
		putchar('\n');
	}
	if (mappings && !show_mappings(pid, opt->json))
		ret = -errno;
	if (opt->json)
		putchar('}');
	free(command);
	return ret;
}

static int by_number(const struct dirent **a, const struct dirent **b)
{
	unsigned long x = strtoul((*a)->d_name, NULL, 10), y = strtoul((*b)->d_name, NULL, 10);

	return (x > y) - (x < y);
}

static int only_pids(const struct dirent *d)
{
	return is_pid(d->d_name);
}

static int show(const struct options *opt, char **pids)
{
	unsigned int shown = 0, unreadable = 0;
	struct dirent **list = NULL;
	int i, n, error, ret = 0;
	char **pid;

	for (pid = pids; *pid; pid++)
		if (!is_pid(*pid))
			die("\"%s\" is no process ID", *pid);
	if (opt->json)
		printf("{\"processes\": [");
	for (pid = pids; *pid; pid++) {
		error = show_process(*pid, opt, true, &shown);
		if (error > 0)
			continue;
		if (error == -ENOENT)
			error = -ESRCH;
		complain("%s: %s", *pid, error ? strerror(-error) : "it has no memory");
		ret = EXIT_FAILED;
	}
	if (!*pids) {
		n = scandir(PROC, &list, only_pids, by_number);
		if (n < 0)
			die("cannot read " PROC ": %s", strerror(errno));
		for (i = 0; i < n; i++) {
			error = show_process(list[i]->d_name, opt, false, &shown);
			/* Others have ended meanwhile, or are threads of the kernel. */
			unreadable += error == -EACCES || error == -EPERM;
			free(list[i]);
		}
		free(list);
	}
	if (opt->json)
		printf("\n], \"unreadable\": %u}\n", unreadable);
	else if (unreadable)
		printf("%u more processes may not be looked at\n", unreadable);
	return ret;
}

/* --------------------------------------------------------------------------------------- */

static const struct option long_options[] = {
	{ "mode",	required_argument,	NULL, 'm' },
	{ "sizes",	required_argument,	NULL, 's' },
	{ "force",	no_argument,		NULL, 'f' },
	{ "json",	no_argument,		NULL, 'j' },
	{ "seconds",	required_argument,	NULL, 'n' },
	{ "cost",	required_argument,	NULL, 'c' },
	{ "help",	no_argument,		NULL, 'h' },
	{ }
};

static bool is_mode(const char *text)
{
	return !strcmp(text, "default") || !strcmp(text, "madvise") ||
	       !strcmp(text, "always") || !strcmp(text, "never");
}

static int advise_one(const struct options *opt, char **pids)
{
	if (!*pids || pids[1])
		die("say which one process to watch; try superpage --help");
	if (!is_pid(*pids))
		die("\"%s\" is no process ID", *pids);
	return advise(*pids, opt->seconds, opt->cost);
}

int main(int argc, char **argv)
{
	const char *command = argc > 1 ? argv[1] : "", *allowed;
	struct options opt = { .seconds = 5 };
	int c, ret;

	setlocale(LC_CTYPE, "");
	if (!strcmp(command, "--help") || !strcmp(command, "-h")) {
		fputs(usage, stdout);
		return fflush(stdout) ? EXIT_FAILED : 0;
	}
	if (!strcmp(command, "run")) {
		failure = EXIT_OWN;
		allowed = "msfh";
	} else if (!strcmp(command, "set")) {
		allowed = "msfh";
	} else if (!strcmp(command, "show")) {
		allowed = "jh";
	} else if (!strcmp(command, "advise")) {
		allowed = "nch";
	} else if (*command) {
		die("\"%s\" is neither run, set, show nor advise; try superpage --help", command);
	} else {
		die("say run, set, show or advise; try superpage --help");
	}
	argc--;
	argv++;
	opterr = 0;
	/* Options behind the command are the command's. */
	while ((c = getopt_long(argc, argv, "+m:s:fjn:c:h", long_options, NULL)) != -1) {
		if (c == '?' || !strchr(allowed, c))
			die("\"%s\" is no option of superpage %s, or lacks its value; try --help",
			    argv[optind - 1], command);
		switch (c) {
		case 'm':
			opt.mode = optarg;
			break;
		case 's':
			opt.sizes = optarg;
			break;
		case 'f':
			opt.force = true;
			break;
		case 'j':
			opt.json = true;
			break;
		case 'n':
			opt.seconds = parse_number(optarg, 0.01, 86400,
						   "a number of seconds from 0.01 to 86400");
			break;
		case 'c':
			opt.cost = parse_number(optarg, 0.1, 100000,
						"a number of cycles from 0.1 to 100000");
			break;
		case 'h':
			fputs(usage, stdout);
			return fflush(stdout) ? failure : 0;
		}
	}
	if (opt.mode && !is_mode(opt.mode))
		die("\"%s\" is no mode; there are default, madvise, always and never", opt.mode);
	find_sizes();
	if (!strcmp(command, "run")) {
		opt.mode = opt.mode ?: "always";
		return run_command(&opt, argv + optind);
	}
	if (!strcmp(command, "set"))
		ret = set_policies(&opt, argv + optind);
	else if (!strcmp(command, "advise"))
		ret = advise_one(&opt, argv + optind);
	else
		ret = show(&opt, argv + optind);
	if (fflush(stdout) || ferror(stdout))
		die("cannot write: %s", strerror(errno));
	return ret;
}
