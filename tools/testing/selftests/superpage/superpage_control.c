// SPDX-License-Identifier: GPL-2.0
/*
 * How superpages are controlled: the words in /sys/kernel/mm/transparent_hugepage,
 * vm.superpage_order_bitmap, which changes them, MADV_HUGEPAGE and MADV_NOHUGEPAGE.  Programs
 * that know transparent huge pages find what they look for.
 */
#include <pthread.h>
#include <sys/prctl.h>

#include "superpage.h"

#ifndef MADV_HUGEPAGE
#define MADV_HUGEPAGE	14
#define MADV_NOHUGEPAGE	15
#endif

#define THP		"/sys/kernel/mm/transparent_hugepage/"
#define GLOBAL		THP "enabled"
#define FAULT_MAX	"/proc/sys/vm/superpage_fault_max"
#define MAP_COUNT	"/proc/sys/vm/max_map_count"
#define HUGE_SIZE	(1024 * 1024UL)		/* what hpage_pmd_size should be */

enum word { ALWAYS, INHERIT, MADVISE, NEVER, NR_WORDS };

static const char * const words[] = { "always", "inherit", "madvise", "never" };
static const enum word global_words[] = { ALWAYS, MADVISE, NEVER };

/* --- files --------------------------------------------------------------------------------- */

/* Return the path of a file of the @i-th size. */
static const char *size_file(unsigned int i, const char *name)
{
	static __thread char path[128];

	snprintf(path, sizeof(path), THP "hugepages-%zukB/%s", page_size << sp_order[i] >> 10,
		 name);
	return path;
}

/* Return what a file with words should say. */
static const char *words_text(enum word is, bool global)
{
	static char text[64];
	size_t n = 0, i;

	for (i = 0; i < NR_WORDS; i++)
		if (!global || i != INHERIT)
			n += snprintf(text + n, sizeof(text) - n, i == is ? "%s[%s]" : "%s%s",
				      n ? " " : "", words[i]);
	snprintf(text + n, sizeof(text) - n, "\n");
	return text;
}

/* Return the word that is set; NR_WORDS if the file is not exactly what it should be. */
static enum word get_word(const char *path, bool global)
{
	char buf[128];
	size_t i;

	if (!sp_slurp(path, buf, sizeof(buf)))
		return NR_WORDS;
	for (i = 0; i < NR_WORDS; i++)
		if ((!global || i != INHERIT) && !strcmp(buf, words_text(i, global)))
			return i;
	return NR_WORDS;
}

static void set_word(const char *path, enum word word)
{
	int err = sp_write(path, words[word]);

	sp_expect(!err, "%s does not take %s: %s", path, words[word], strerror(-err));
}

/* Set the same word for all sizes. */
static void set_sizes(enum word word)
{
	unsigned int i;

	for (i = 0; i < sp_orders; i++)
		set_word(size_file(i, "enabled"), word);
}

/* Set a word for the @i-th size, and never for all others. */
static void set_only(unsigned int i, enum word word)
{
	set_sizes(NEVER);
	set_word(size_file(i, "enabled"), word);
}

/* The words as they were before sp_init() changed them. */
static const char *old_words;
static unsigned long old_max;		/* vm.superpage_fault_max */

static void save_words(void)
{
	static char text[SP_MAX_ORDERS + 2];
	enum word word = get_word(GLOBAL, true);
	struct dirent **dir;
	char path[512];
	int i, n;

	if (getenv("SUPERPAGE_WORDS") || word == NR_WORDS)
		return;
	text[0] = '0' + word;
	n = scandir(THP, &dir, NULL, versionsort);
	for (i = 0; i < n; i++) {
		if (strncmp(dir[i]->d_name, "hugepages-", 10))
			continue;
		snprintf(path, sizeof(path), THP "%s/enabled", dir[i]->d_name);
		text[strlen(text)] = '0' + get_word(path, false);
	}
	setenv("SUPERPAGE_WORDS", text, 1);
}

static void restore(void)
{
	unsigned int i;

	if (getpid() != sp_main_pid)
		return;
	sp_write_number(FAULT_MAX, old_max);
	if (strlen(old_words) != sp_orders + 1)
		return;
	set_word(GLOBAL, old_words[0] - '0');
	for (i = 0; i < sp_orders; i++)
		set_word(size_file(i, "enabled"), old_words[i + 1] - '0');
}

/* --- mappings ------------------------------------------------------------------------------ */

/* Read what smaps says after @field about the mapping that has @p. */
static bool vma_line(const void *p, const char *field, char *value, size_t size)
{
	unsigned long start, end, at = (uintptr_t)p;
	FILE *f = fopen("/proc/self/smaps", "r");
	bool inside = false, found = false;
	char buf[512];

	sp_need(f, "cannot read smaps");
	while (!found && fgets(buf, sizeof(buf), f)) {
		if (sscanf(buf, "%lx-%lx ", &start, &end) == 2) {
			inside = start <= at && at < end;
		} else if (inside && !strncmp(buf, field, strlen(field))) {
			snprintf(value, size, "%s", buf + strlen(field));
			found = true;
		}
	}
	fclose(f);
	return found;
}

static bool vma_flag(const void *p, const char *flag)
{
	char value[256];

	return vma_line(p, "VmFlags:", value, sizeof(value)) && strstr(value, flag);
}

static int vma_eligible(const void *p)
{
	char value[256];

	if (!vma_line(p, "THPeligible:", value, sizeof(value)))
		return -1;
	return strtol(value, NULL, 10);
}

/* Return how many mappings there are in a range. */
static unsigned int vma_count(const void *p, size_t len)
{
	unsigned long start, end, from = (uintptr_t)p;
	FILE *f = fopen("/proc/self/maps", "r");
	unsigned int n = 0;
	char buf[512];

	sp_need(f, "cannot read maps");
	while (fgets(buf, sizeof(buf), f))
		if (sscanf(buf, "%lx-%lx ", &start, &end) == 2 && end > from &&
		    start < from + len)
			n++;
	fclose(f);
	return n;
}

static size_t resident(void *p, size_t len)
{
	return sp_range_field("Rss:", p, len);
}

/* Return how many bytes of a range are in superpages of exactly this size. */
static size_t in_size(void *p, size_t len, size_t size)
{
	return sp_in_superpages(p, len, size) - sp_in_superpages(p, len, size + 1);
}

static int advise(void *p, size_t len, int advice)
{
	return madvise(p, len, advice) ? -errno : 0;
}

/* Run @f as a child without privileges. */
static void as_nobody(void (*f)(void))
{
	pid_t pid = sp_fork();

	if (!pid) {
		sp_need(!setgid(65534) && !setuid(65534), "cannot become nobody");
		/* setuid() makes /proc/self root's. */
		prctl(PR_SET_DUMPABLE, 1);
		f();
		sp_child_exit();
	}
	sp_wait(pid);
}

/* Run @f with each word of the global file, while all sizes inherit it. */
static void under_each_word(void (*f)(void))
{
	size_t i;

	set_sizes(INHERIT);
	for (i = 0; i < ARRAY_SIZE(global_words); i++) {
		set_word(GLOBAL, global_words[i]);
		as_nobody(f);
	}
}

/* --- what files there are ------------------------------------------------------------------ */

static void expect_mode(const char *path, unsigned int mode)
{
	struct stat st;

	if (sp_expect(!stat(path, &st), "there is no %s", path))
		sp_expect((st.st_mode & 07777) == mode, "%s has mode %o", path,
			  st.st_mode & 07777);
}

static void test_files(void)
{
	static const char * const stats[] = {
		"anon_fault_alloc", "anon_fault_fallback", "nr_anon", "split",
	};
	unsigned int i, k, dirs = 0;
	struct dirent *entry;
	char buf[64], path[128];
	unsigned long n;
	DIR *dir;
	int err;

	expect_mode(GLOBAL, 0644);
	expect_mode(THP "hpage_pmd_size", 0444);
	sp_expect(sp_slurp(THP "hpage_pmd_size", buf, sizeof(buf)) && !strcmp(buf, "1048576\n"),
		  "hpage_pmd_size is \"%s\"", buf);
	err = sp_write(THP "hpage_pmd_size", "2097152");
	sp_expect(err == -EACCES || err == -EIO, "writing hpage_pmd_size gives %d", err);

	dir = opendir(THP);
	sp_need(dir, "there is no " THP);
	while ((entry = readdir(dir))) {
		if (sscanf(entry->d_name, "hugepages-%lukB", &n) != 1)
			continue;
		dirs++;
		for (i = 0; i < sp_orders && page_size << sp_order[i] != n << 10; i++)
			;
		snprintf(path, sizeof(path), "hugepages-%lukB", n);
		sp_expect(i < sp_orders && !strcmp(entry->d_name, path),
			  "%s is no possible size", entry->d_name);
	}
	closedir(dir);
	sp_expect(dirs == sp_orders, "%u directories for %u sizes", dirs, sp_orders);

	for (i = 0; i < sp_orders; i++) {
		expect_mode(size_file(i, "enabled"), 0644);
		for (k = 0; k < ARRAY_SIZE(stats); k++) {
			snprintf(path, sizeof(path), "stats/%s", stats[k]);
			expect_mode(size_file(i, path), 0444);
			sp_slurp(size_file(i, path), buf, sizeof(buf));
			n = strspn(buf, "0123456789");
			sp_expect(n && !strcmp(buf + n, "\n"), "%s is \"%s\"",
				  size_file(i, path), buf);
		}
	}
	sp_result("files");
}

/* The files in stats/ of a size agree with the columns of /proc/superpageinfo. */
static void test_stats(void)
{
	unsigned int i;

	set_sizes(NEVER);
	for (i = 0; i < sp_orders && page_size << sp_order[i] <= 4UL << 20; i++) {
		size_t size = page_size << sp_order[i];
		unsigned long alloc = sp_get(size_file(i, "stats/anon_fault_alloc"));
		unsigned long split = sp_get(size_file(i, "stats/split"));
		unsigned long mapped = sp_get(size_file(i, "stats/nr_anon"));
		struct sp_count count;
		char *p = sp_map(2 * size, size);

		set_word(size_file(i, "enabled"), MADVISE);
		advise(p, 2 * size, MADV_HUGEPAGE);
		p[0] = 1;
		p[size] = 1;
		sp_expect(sp_get(size_file(i, "stats/anon_fault_alloc")) == alloc + 2,
			  "%zu kB: anon_fault_alloc", size >> 10);
		sp_expect(sp_get(size_file(i, "stats/nr_anon")) == mapped + 2,
			  "%zu kB: nr_anon", size >> 10);
		sp_expect(!mprotect(p, page_size, PROT_READ), "mprotect");
		sp_expect(sp_get(size_file(i, "stats/split")) == split + 1,
			  "%zu kB: split", size >> 10);
		sp_expect(sp_get(size_file(i, "stats/nr_anon")) == mapped + 1,
			  "%zu kB: nr_anon after a split", size >> 10);
		count = sp_count(sp_order[i]);
		sp_expect((long)sp_get(size_file(i, "stats/anon_fault_alloc")) == count.alloc &&
			  (long)sp_get(size_file(i, "stats/anon_fault_fallback")) ==
			  count.fallback &&
			  (long)sp_get(size_file(i, "stats/split")) == count.demoted &&
			  (long)sp_get(size_file(i, "stats/nr_anon")) ==
			  count.mapped + count.others,
			  "%zu kB: %s says something else", size >> 10, SP_INFO);
		munmap(p, 2 * size);
		sp_expect(sp_get(size_file(i, "stats/nr_anon")) == mapped,
			  "%zu kB: nr_anon after munmap()", size >> 10);
		set_word(size_file(i, "enabled"), NEVER);
	}
	set_sizes(INHERIT);
	sp_result("statistics of each size");
}

/* --- words -------------------------------------------------------------------------------- */

static void refuse(const char *path, bool global, const char *text)
{
	enum word before = get_word(path, global);
	int err = sp_write(path, text);

	sp_expect(err == -EINVAL, "%s: \"%s\" gives %d (%s), not EINVAL", path, text, err,
		  strerror(-err));
	sp_expect(get_word(path, global) == before, "%s: \"%s\" has changed %s to %s", path,
		  text, words[before], words[get_word(path, global)]);
}

static void take_words(const char *path, bool global)
{
	static const char * const wrong[] = {
		"alway", "alwayss", "Always", "ALWAYS", " always", "always ", "always never",
		"[always]", "always\n\n", "\nalways", "\n", "0", "1", "-1", "y", "on", "default",
		"defer", "defer+madvise", "force", "deny", "madvise,never", "nevermore",
		"always inherit madvise never always inherit madvise never always inherit never",
	};
	char text[16], buf[64];
	size_t i, k;

	for (i = 0; i < NR_WORDS; i++) {
		if (global && i == INHERIT) {
			refuse(path, global, "inherit");
			refuse(path, global, "inherit\n");
			continue;
		}
		/* With and without a newline at the end. */
		for (k = 0; k < 2; k++) {
			sp_write(path, words[i == NEVER ? ALWAYS : NEVER]);
			snprintf(text, sizeof(text), "%s%s", words[i], k ? "\n" : "");
			sp_expect(!sp_write(path, text), "%s does not take %s", path, words[i]);
			sp_expect(sp_slurp(path, buf, sizeof(buf)) &&
				  !strcmp(buf, words_text(i, global)),
				  "%s: after %s it is \"%s\"", path, words[i], buf);
		}
		for (k = 0; k < ARRAY_SIZE(wrong); k++)
			refuse(path, global, wrong[k]);
	}
}

static void test_words(void)
{
	char buf[64];
	unsigned int i;

	set_word(GLOBAL, ALWAYS);
	/* jemalloc and glibc compare with this text. */
	sp_expect(sp_slurp(GLOBAL, buf, sizeof(buf)) && strlen(buf) == 23 &&
		  !strcmp(buf, "[always] madvise never\n"), "enabled is \"%s\"", buf);
	set_word(GLOBAL, MADVISE);
	sp_expect(sp_slurp(GLOBAL, buf, sizeof(buf)) &&
		  !strcmp(buf, "always [madvise] never\n"), "enabled is \"%s\"", buf);
	set_word(GLOBAL, NEVER);
	sp_expect(sp_slurp(GLOBAL, buf, sizeof(buf)) &&
		  !strcmp(buf, "always madvise [never]\n"), "enabled is \"%s\"", buf);
	take_words(GLOBAL, true);
	set_word(size_file(0, "enabled"), INHERIT);
	sp_expect(sp_slurp(size_file(0, "enabled"), buf, sizeof(buf)) &&
		  !strcmp(buf, "always [inherit] madvise never\n"), "a size is \"%s\"", buf);
	for (i = 0; i < sp_orders; i++)
		take_words(size_file(i, "enabled"), false);
	set_sizes(INHERIT);
	sp_result("words");
}

/* Without privileges everything can be read and nothing written. */
static void nobody_writes(void)
{
	unsigned int i, k;
	char path[128];

	for (i = 0; i <= sp_orders; i++) {
		strcpy(path, i ? size_file(i - 1, "enabled") : GLOBAL);
		for (k = 0; k < NR_WORDS; k++) {
			enum word before = get_word(path, !i);
			int err = sp_write(path, words[k]);

			sp_expect(before != NR_WORDS, "%s cannot be read", path);
			sp_expect(err == -EACCES || err == -EPERM, "%s: write gives %d", path,
				  err);
			sp_expect(get_word(path, !i) == before, "%s has changed", path);
		}
		if (i)
			sp_expect(!access(size_file(i - 1, "stats/nr_anon"), R_OK),
				  "stats cannot be read");
	}
	sp_expect(sp_get(THP "hpage_pmd_size") == HUGE_SIZE, "hpage_pmd_size cannot be read");
}

/* --- the words and vm.superpage_order_bitmap -------------------------------------------- */

/* The words that the kernel should have. */
static struct {
	enum word global, before, size[SP_MAX_ORDERS];
} model;

static bool model_permits(unsigned int i)
{
	enum word is = model.size[i] == INHERIT ? model.global : model.size[i];

	return is == ALWAYS || is == MADVISE;
}

static unsigned long model_bitmap(void)
{
	unsigned long bitmap = 0;
	unsigned int i;

	for (i = 0; i < sp_orders; i++)
		if (model_permits(i))
			bitmap |= 1UL << sp_order[i];
	return bitmap;
}

/* Do what the guide says that a write of @bitmap does. */
static void model_write(unsigned long bitmap)
{
	bool needs = false;
	unsigned int i;

	if (!bitmap) {
		if (model.global != NEVER)
			model.before = model.global;
		model.global = NEVER;
		for (i = 0; i < sp_orders; i++)
			if (model.size[i] != INHERIT)
				model.size[i] = NEVER;
		return;
	}
	for (i = 0; i < sp_orders; i++) {
		if (bitmap & 1UL << sp_order[i] && !model_permits(i)) {
			model.size[i] = INHERIT;
			needs = true;
		}
	}
	if (needs && model.global == NEVER)
		model.global = model.before;
	for (i = 0; i < sp_orders; i++)
		if (!(bitmap & 1UL << sp_order[i]) && model_permits(i))
			model.size[i] = NEVER;
}

/* Do the files agree with the model? */
static bool model_check(const char *when)
{
	char buf[4096], *line;
	bool same = true;
	unsigned int i;

	same &= sp_expect(get_word(GLOBAL, true) == model.global, "%s: enabled is %s, not %s",
			  when, words[get_word(GLOBAL, true)], words[model.global]);
	sp_slurp(SP_INFO, buf, sizeof(buf));
	line = buf;
	for (i = 0; i < sp_orders; i++) {
		enum word is = get_word(size_file(i, "enabled"), false);
		size_t len;

		same &= sp_expect(is == model.size[i], "%s: order %u is %s, not %s", when,
				  sp_order[i], is < NR_WORDS ? words[is] : "?",
				  words[model.size[i]]);
		line = strchr(line, '\n') + 1;
		len = strcspn(line, "\n") - strlen(words[model.size[i]]);
		same &= sp_expect(line[len - 1] == ' ' &&
				  !strncmp(line + len, words[model.size[i]],
					   strlen(words[model.size[i]])),
				  "%s: %s says \"%.*s\" of order %u", when, SP_INFO,
				  (int)strcspn(line, "\n"), line, sp_order[i]);
	}
	same &= sp_expect(sp_get(SP_BITMAP) == model_bitmap(), "%s: the bitmap is %#lx, not %#lx",
			  when, sp_get(SP_BITMAP), model_bitmap());
	return same;
}

static void model_global(enum word word)
{
	model.global = word;
	set_word(GLOBAL, word);
}

static void model_size(unsigned int i, enum word word)
{
	model.size[i] = word;
	set_word(size_file(i, "enabled"), word);
}

static void model_set(unsigned long bitmap)
{
	model_write(bitmap);
	sp_permit(bitmap);
}

/* Let all sizes inherit @word.  What a bitmap of 0 has replaced is @word, too, or always. */
static void model_begin(enum word word)
{
	unsigned int i;

	for (i = 0; i < sp_orders; i++)
		model_size(i, INHERIT);
	model_global(word == NEVER ? ALWAYS : word);
	model_set(0);
	model_global(word);
}

static void test_bitmap(void)
{
	unsigned long all = sp_all_orders(), first = 1UL << sp_order[0], n, wrong;
	unsigned int i, k, last = sp_orders - 1;

	for (k = 0; k < ARRAY_SIZE(global_words); k++) {
		/* If all sizes inherit, all are permitted or none. */
		model_begin(global_words[k]);
		model_check("all inherit");
		sp_expect(sp_get(SP_BITMAP) == (global_words[k] == NEVER ? 0 : all),
			  "all inherit %s, the bitmap is %#lx", words[global_words[k]],
			  sp_get(SP_BITMAP));
		/* Off and on again. */
		n = sp_get(SP_BITMAP);
		model_set(0);
		model_check("0");
		sp_expect(get_word(GLOBAL, true) == NEVER, "enabled is not never after 0");
		model_set(n);
		model_check("0 and back");
		sp_expect(!n || get_word(GLOBAL, true) == global_words[k],
			  "0 and back has made %s %s", words[global_words[k]],
			  words[get_word(GLOBAL, true)]);
		/* Permit some of them in between. */
		model_set(first);
		model_check("the first");
		model_set(0);
		model_set(all);
		model_check("0 and all");
	}
	sp_result("order bitmap: off and on again");

	/* Writing back a bitmap that was read changes nothing, unless it is 0. */
	for (k = 0; k < ARRAY_SIZE(global_words); k++) {
		for (i = 0; i < NR_WORDS; i++) {
			model_begin(global_words[k]);
			model_size(last, i);
			model_check("one size's own word");
			sp_permit(sp_get(SP_BITMAP));
			if (sp_get(SP_BITMAP) || i == INHERIT || i == NEVER)
				model_check("written as it was read");
			/* A size keeps its own word when the bitmap permits it, but not after 0. */
			model_begin(global_words[k]);
			model_size(last, i);
			if (model_permits(last)) {
				model_set(1UL << sp_order[last]);
				model_check("that one only");
				sp_expect(get_word(size_file(last, "enabled"), false) == i,
					  "%s became %s", words[i],
					  words[get_word(size_file(last, "enabled"), false)]);
			}
			model_set(0);
			model_check("0");
			model_set(all);
			model_check("all");
		}
	}
	/* All are never except one: writing that bitmap lets the others go on inheriting. */
	model_begin(NEVER);
	model_size(last, ALWAYS);
	model_set(1UL << sp_order[last]);
	sp_expect(get_word(size_file(0, "enabled"), false) == INHERIT,
		  "what inherits never has another word");
	model_global(ALWAYS);
	model_check("always comes back");
	sp_result("order bitmap: words are kept");

	/* Wrong bitmaps change nothing. */
	for (k = 0; k < ARRAY_SIZE(global_words); k++) {
		model_begin(global_words[k]);
		model_size(0, MADVISE);
		model_size(last, ALWAYS);
		for (i = 0; i < 64; i++) {
			wrong = 1UL << i;
			if (all & wrong)
				continue;
			sp_expect(sp_write_number(SP_BITMAP, wrong) == -EINVAL,
				  "%#lx is taken", wrong);
			sp_expect(sp_write_number(SP_BITMAP, all | wrong) == -EINVAL,
				  "%#lx is taken", all | wrong);
		}
		sp_expect(sp_write(SP_BITMAP, "always") == -EINVAL, "a word is taken");
		model_check("wrong values");
	}
	sp_result("order bitmap: impossible orders");

	model_begin(ALWAYS);
	for (n = 0; n < 400; n++) {
		switch (sp_random_below(4)) {
		case 0:
			model_global(global_words[sp_random_below(3)]);
			break;
		case 1:
			model_size(sp_random_below(sp_orders), sp_random_below(NR_WORDS));
			break;
		case 2:
			model_set(0);
			break;
		default:
			model_set(all & sp_random_below(ULONG_MAX));
		}
		if (!model_check("at random"))
			break;
	}
	set_sizes(INHERIT);
	sp_result("order bitmap: words at random");
}

/* --- madvise() ------------------------------------------------------------------------------ */

/* The kernel accepts each advice, and shows it as a flag of the mapping. */
static void advise_both(void *p, size_t len, const char *what)
{
	int err;

	err = advise(p, len, MADV_HUGEPAGE);
	sp_expect(!err, "%s: MADV_HUGEPAGE gives %s", what, strerror(-err));
	sp_expect(vma_flag(p, " hg") && !vma_flag(p, " nh"), "%s: no hg", what);
	err = advise(p, len, MADV_NOHUGEPAGE);
	sp_expect(!err, "%s: MADV_NOHUGEPAGE gives %s", what, strerror(-err));
	sp_expect(vma_flag(p, " nh") && !vma_flag(p, " hg"), "%s: no nh", what);
	advise(p, len, MADV_HUGEPAGE);
	sp_expect(vma_flag(p, " hg") && !vma_flag(p, " nh"), "%s: hg does not come back", what);
}

/* Make a mapping of a device, or of a driver's memory: VM_IO or VM_PFNMAP. */
static void *map_io(size_t len)
{
	uint32_t params[30] = {};
	void *p = MAP_FAILED;
	int fd = -1;

#ifdef SYS_io_uring_setup
	fd = syscall(SYS_io_uring_setup, 8, params);
#endif
	if (fd >= 0) {
		p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		close(fd);
	}
	if (p == MAP_FAILED) {
		fd = open("/dev/mem", O_RDONLY | O_CLOEXEC);
		if (fd >= 0) {
			p = mmap(NULL, len, PROT_READ, MAP_SHARED, fd, 0);
			close(fd);
		}
	}
	return p;
}

static void advise_kinds(void)
{
	size_t len = 4 * page_size;
	int fd;
	void *p;

	p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	advise_both(p, len, "anonymous memory");
	munmap(p, len);
	p = mmap(NULL, len, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	advise_both(p, len, "PROT_NONE");
	munmap(p, len);
	p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	advise_both(p, len, "shared memory");
	munmap(p, len);
	p = mmap(NULL, len, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	advise_both(p, len, "MAP_STACK");
	munmap(p, len);
	p = mmap(NULL, len, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1, 0);
	advise_both(p, len, "MAP_GROWSDOWN");
	munmap(p, len);

	fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	if (sp_expect(p != MAP_FAILED, "cannot map a file"))
		advise_both(p, len, "a private file");
	munmap(p, len);
	close(fd);
	fd = memfd_create("superpage", MFD_CLOEXEC);
	sp_expect(fd >= 0 && !ftruncate(fd, len), "memfd_create");
	p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (sp_expect(p != MAP_FAILED, "cannot map shared"))
		advise_both(p, len, "a shared file");
	munmap(p, len);
	close(fd);
	p = map_io(page_size);
	if (p != MAP_FAILED)
		advise_both(p, page_size, "memory of a device");
	else if (!geteuid())
		ksft_print_msg("there is no memory of a device to map\n");
	munmap(p, page_size);
}

static void test_madvise(void)
{
	size_t i, len = 16 * page_size;
	unsigned long old_count;
	char *p, *hole;
	int err;

	under_each_word(advise_kinds);
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	advise_kinds();
	prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
	sp_result("madvise: all kinds of mappings");

	for (i = 0; i < 2; i++) {
		int advice = i ? MADV_NOHUGEPAGE : MADV_HUGEPAGE;
		int other = i ? MADV_HUGEPAGE : MADV_NOHUGEPAGE;
		const char *flag = i ? " nh" : " hg";

		p = sp_map(len, page_size);
		err = advise(p + 1, len / 2, advice);
		sp_expect(err == -EINVAL, "unaligned: %d", err);
		err = advise(p + 8, 0, advice);
		sp_expect(err == -EINVAL, "unaligned and empty: %d", err);
		err = advise(p, -page_size, advice);
		sp_expect(err == -EINVAL, "behind the last address: %d", err);
		err = advise(p, ULONG_MAX, advice);
		sp_expect(err == -EINVAL, "too long: %d", err);
		sp_expect(!vma_flag(p, flag), "what was wrong was done");
		err = advise(p, 0, advice);
		sp_expect(!err, "empty: %d", err);
		sp_expect(!vma_flag(p, flag) && vma_count(p, len) == 1, "empty changes something");
		/* The kernel rounds the length up. */
		err = advise(p, 1, advice);
		sp_expect(!err && vma_flag(p, flag) && !vma_flag(p + page_size, flag),
			  "one byte: %d", err);
		/* The advice goes to all that is around a hole. */
		advise(p, len, other);
		hole = p + len / 2;
		munmap(hole, page_size);
		err = advise(p, len, advice);
		sp_expect(err == -ENOMEM, "hole: %d", err);
		sp_expect(vma_flag(p, flag) && vma_flag(hole - page_size, flag) &&
			  vma_flag(hole + page_size, flag) &&
			  vma_flag(p + len - page_size, flag), "not all around the hole");
		err = advise(hole, page_size, advice);
		sp_expect(err == -ENOMEM, "nothing but a hole: %d", err);
		err = advise(hole, 2 * page_size, other);
		sp_expect(err == -ENOMEM && !vma_flag(hole + page_size, flag),
			  "beginning in a hole: %d", err);
		munmap(p, len);
		err = advise(p, len, advice);
		sp_expect(err == -ENOMEM, "not mapped: %d", err);

		/* The process can have no more mappings. */
		p = sp_map(len, page_size);
		advise(p, len, other);
		old_count = sp_get(MAP_COUNT);
		sp_write_number(MAP_COUNT, 1);
		err = advise(p + page_size, page_size, advice);
		sp_write_number(MAP_COUNT, old_count);
		sp_expect(err == -EAGAIN, "too many mappings: %d", err);
		sp_expect(!vma_flag(p + page_size, flag), "and yet it is done");
		munmap(p, len);
	}
	sp_expect(advise(NULL, 0, MADV_HUGEPAGE) == 0, "nothing at 0");
	sp_result("madvise: errors");

	/* There is one mapping for each range with the same advice. */
	p = sp_map(len, page_size);
	sp_expect(vma_count(p, len) == 1, "%u mappings at first", vma_count(p, len));
	advise(p + len / 4, len / 2, MADV_HUGEPAGE);
	sp_expect(vma_count(p, len) == 3, "%u mappings, not 3", vma_count(p, len));
	sp_expect(!vma_flag(p, " hg") && vma_flag(p + len / 2, " hg") &&
		  !vma_flag(p + len - 1, " hg"), "advice is not where it was given");
	advise(p, len, MADV_HUGEPAGE);
	sp_expect(vma_count(p, len) == 1 && vma_flag(p, " hg"), "%u mappings, not 1",
		  vma_count(p, len));
	advise(p, page_size, MADV_NOHUGEPAGE);
	advise(p + len - page_size, page_size, MADV_NOHUGEPAGE);
	sp_expect(vma_count(p, len) == 3 && vma_flag(p, " nh") && vma_flag(p + len / 2, " hg") &&
		  vma_flag(p + len - 1, " nh"), "%u mappings, not 3 with nh hg nh",
		  vma_count(p, len));
	advise(p + page_size, len - 2 * page_size, MADV_NOHUGEPAGE);
	sp_expect(vma_count(p, len) == 1 && vma_flag(p, " nh"), "%u mappings, not 1",
		  vma_count(p, len));
	munmap(p, len);
	sp_result("madvise: mappings are split and merged");
}

/* A superpage keeps its contents while advice splits and merges its mapping. */
static void test_split(void)
{
	size_t size = HUGE_SIZE, len = 4 * size, at;
	char *p;

	set_sizes(INHERIT);
	set_word(GLOBAL, ALWAYS);
	p = sp_map(len, len);
	advise(p, len, MADV_HUGEPAGE);
	sp_fill(p, len, 7);
	sp_expect(sp_in_superpages(p, len, size) == len, "%zu of %zu kB in large superpages",
		  sp_in_superpages(p, len, size) >> 10, len >> 10);

	/* Superpages stay as they are, unless the bounds of the new mappings cut them. */
	advise(p + size, 2 * size, MADV_NOHUGEPAGE);
	sp_expect(vma_count(p, len) == 3, "it is not split");
	sp_expect(sp_in_superpages(p, len, size) == len,
		  "advice has left %zu kB in large superpages",
		  sp_in_superpages(p, len, size) >> 10);
	at = size + size / 2;
	advise(p + at, size, MADV_HUGEPAGE);
	sp_expect(sp_in_superpages(p, size, size) == size &&
		  sp_in_superpages(p + 3 * size, size, size) == size, "others have suffered");
	sp_expect(sp_differs(p, len, 7) < 0, "contents differ at %#lx", sp_differs(p, len, 7));
	/* With MADV_NOHUGEPAGE, merging does not promote what was split. */
	advise(p + size, 2 * size, MADV_NOHUGEPAGE);
	sp_expect(sp_in_superpages(p + size, 2 * size, size) == 0,
		  "merging has promoted what shall have no superpages");
	sp_expect(sp_differs(p, len, 7) < 0, "contents differ at %#lx", sp_differs(p, len, 7));
	advise(p, len, MADV_HUGEPAGE);
	sp_expect(vma_count(p, len) == 1, "it is not merged");
	sp_expect(sp_differs(p, len, 7) < 0, "contents differ at %#lx", sp_differs(p, len, 7));
	munmap(p, len);
	sp_check_accounts("after advice");
	sp_result("madvise: superpages that are there");
}

/* --- what is said about it ------------------------------------------------------------------ */

static void test_eligible(void)
{
	size_t size = page_size << sp_order[sp_orders > 1], k;
	unsigned int i = sp_orders > 1;
	char *p, *q;

	/* Try all words of a size and of the global file. */
	p = sp_map(2 * size, size);
	for (k = 0; k < NR_WORDS * ARRAY_SIZE(global_words); k++) {
		enum word is = k % NR_WORDS, global = global_words[k / NR_WORDS];

		set_only(i, is);
		set_word(GLOBAL, global);
		if (is == INHERIT)
			is = global;
		advise(p, 2 * size, MADV_HUGEPAGE);
		sp_expect(vma_eligible(p) == (is != NEVER), "%s, %s: THPeligible %d with advice",
			  words[k % NR_WORDS], words[global], vma_eligible(p));
		advise(p, 2 * size, MADV_NOHUGEPAGE);
		sp_expect(vma_eligible(p) == 0, "%s, %s: THPeligible %d against advice",
			  words[k % NR_WORDS], words[global], vma_eligible(p));
		q = sp_map(2 * size, size);
		sp_expect(vma_eligible(q) == (is == ALWAYS), "%s, %s: THPeligible %d",
			  words[k % NR_WORDS], words[global], vma_eligible(q));
		munmap(q, 2 * size);
	}
	munmap(p, 2 * size);

	/* Not eligible: a mapping without room for a superpage, and one that may have none. */
	set_only(i, ALWAYS);
	p = sp_map(4 * size, 4 * size);
	mprotect(p, size, PROT_NONE);
	mprotect(p + size, page_size, PROT_READ);
	mprotect(p + 3 * size - page_size, size + page_size, PROT_NONE);
	sp_expect(vma_eligible(p) == 1, "a block: THPeligible %d", vma_eligible(p));
	sp_expect(vma_eligible(p + size) == 0, "a page: THPeligible %d", vma_eligible(p + size));
	sp_expect(vma_eligible(p + 2 * size) == 0, "no aligned block: THPeligible %d",
		  vma_eligible(p + 2 * size));
	sp_expect(vma_eligible(p + 3 * size) == 1, "a block and a page: THPeligible %d",
		  vma_eligible(p + 3 * size));
	munmap(p, 4 * size);
	p = sp_map_shared(4 * size);
	sp_expect(vma_eligible(p) == 0, "shared: THPeligible %d", vma_eligible(p));
	munmap(p, 4 * size);
	p = sp_map_prot(4 * size, size, PROT_READ | PROT_WRITE, MAP_STACK);
	sp_expect(vma_eligible(p) == 0, "MAP_STACK: THPeligible %d", vma_eligible(p));
	munmap(p, 4 * size);
	p = sp_map(4 * size, size);
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	sp_expect(vma_eligible(p) == 0, "disabled: THPeligible %d", vma_eligible(p));
	prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
	sp_expect(vma_eligible(p) == 1, "enabled again: THPeligible %d", vma_eligible(p));
	munmap(p, 4 * size);
	set_sizes(INHERIT);
	sp_result("THPeligible in smaps");

	for (k = 0; k < ARRAY_SIZE(global_words); k++) {
		set_word(GLOBAL, global_words[k]);
		sp_expect(sp_field("/proc/self/status", "THP_enabled:") == 1, "not 1 with %s",
			  words[global_words[k]]);
		prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
		sp_expect(sp_field("/proc/self/status", "THP_enabled:") == 0, "not 0 with %s",
			  words[global_words[k]]);
		prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
	}
	sp_expect(sp_field("/proc/self/status", "THP_enabled:") == 1, "it does not come back");
	sp_result("THP_enabled in status");
}

/* --- the first touch ------------------------------------------------------------------------ */

/*
 * Map 2 * @len bytes and touch one in the second half.  Expect that @want bytes become
 * resident, in superpages of @size bytes, or of any size if that is 0.
 */
static void first_touch(size_t len, int advice, size_t want, size_t size, bool read,
			const char *when)
{
	char *p = sp_map(2 * len, len);
	char *at = p + len + len / 2 + 5;
	size_t rss;

	if (advice)
		sp_need(!madvise(p, 2 * len, advice), "%s: madvise", when);
	if (read)
		sp_expect(!READ_ONCE(*at), "%s: fresh memory is not zero", when);
	else
		WRITE_ONCE(*at, 1);
	rss = resident(p, 2 * len);
	/* The zero page does not count as resident. */
	sp_expect(rss == want || (read && want == page_size && !rss),
		  "%s: %zu kB are mapped, not %zu", when, rss >> 10, want >> 10);
	if (size)
		sp_expect(in_size(p, 2 * len, size) == want,
			  "%s: %zu kB are in superpages of %zu kB", when,
			  in_size(p, 2 * len, size) >> 10, size >> 10);
	else if (want == page_size)
		sp_expect(!sp_in_superpages(p, 2 * len, 1), "%s: superpages", when);
	if (!read)
		WRITE_ONCE(*at, 0);
	sp_expect(sp_differs(p, 2 * len, 0) < 0, "%s: fresh memory is not zero", when);
	munmap(p, 2 * len);
}

static void test_first_touch(void)
{
	static const int advices[] = { 0, MADV_HUGEPAGE, MADV_NOHUGEPAGE };
	size_t k, a, size, unit = 4 * page_size, cap;
	unsigned int i, n, huge = 0;
	char when[100];

	sp_growing();
	/* One size, with each word and each advice; a page fault may clear as much as it has. */
	sp_write_number(FAULT_MAX, 16UL << 20);
	for (i = 0; i < sp_orders && page_size << sp_order[i] <= 4UL << 20; i++) {
		size = page_size << sp_order[i];
		if (size <= HUGE_SIZE)
			huge = i;
		for (k = 0; k < NR_WORDS * ARRAY_SIZE(global_words); k++) {
			enum word own = k % NR_WORDS, global = global_words[k / NR_WORDS];
			enum word is = own == INHERIT ? global : own;

			/* The global word matters only to sizes that inherit it. */
			if (own != INHERIT && global != (own == NEVER ? ALWAYS : NEVER))
				continue;
			set_only(i, own);
			set_word(GLOBAL, global);
			for (a = 0; a < ARRAY_SIZE(advices); a++) {
				bool allowed = advices[a] != MADV_NOHUGEPAGE &&
					       (is == ALWAYS ||
						(is == MADVISE && advices[a] == MADV_HUGEPAGE));

				snprintf(when, sizeof(when), "%zu kB: %s, %s, advice %d",
					 size >> 10, words[own], words[global], advices[a]);
				first_touch(size, advices[a], allowed ? size : page_size,
					    allowed ? size : 0, k & 1, when);
			}
		}
	}
	sp_result("first touch: one size");

	/* With all sizes a page fault maps the most that it may, or a unit. */
	set_sizes(INHERIT);
	set_word(GLOBAL, ALWAYS);
	for (n = 0; n < sp_orders; n++) {
		cap = page_size << sp_order[n];
		if (cap < unit || cap > 16UL << 20 || cap > sp_most_aside())
			continue;
		sp_write_number(FAULT_MAX, cap);
		snprintf(when, sizeof(when), "at most %zu kB", cap >> 10);
		first_touch(16UL << 20, 0, unit, 0, false, when);
		snprintf(when, sizeof(when), "at most %zu kB, advice", cap >> 10);
		first_touch(16UL << 20, MADV_HUGEPAGE, cap, cap, false, when);
		first_touch(16UL << 20, MADV_NOHUGEPAGE, page_size, 0, false, when);
		/* It maps no more than the mapping has. */
		if (cap / 4 >= page_size << sp_order[0])
			first_touch(cap / 4, MADV_HUGEPAGE, cap / 4, cap / 4, false,
				    "a short mapping");
	}
	/* All permitted sizes are larger than what a page fault may clear. */
	sp_write_number(FAULT_MAX, unit);
	size = page_size << sp_order[huge];
	set_sizes(NEVER);
	for (i = huge; i < sp_orders; i++)
		set_word(size_file(i, "enabled"), ALWAYS);
	first_touch(16UL << 20, 0, unit, 0, false, "all too large");
	first_touch(16UL << 20, MADV_HUGEPAGE, size, size, false, "all too large, advice");
	sp_write_number(FAULT_MAX, old_max);
	sp_result("first touch: as much as may be");

	/* Small sizes for everybody, large ones with advice only, and the other way round. */
	set_only(huge, MADVISE);
	set_word(size_file(huge - 1, "enabled"), ALWAYS);
	first_touch(4 * HUGE_SIZE, 0, size / 4, size / 4, false, "small always, large madvise");
	first_touch(4 * HUGE_SIZE, MADV_HUGEPAGE, size, size, false,
		    "small always, large madvise, advice");
	set_only(huge, ALWAYS);
	set_word(size_file(huge - 1, "enabled"), MADVISE);
	first_touch(4 * HUGE_SIZE, 0, size, size, false, "small madvise, large always");
	first_touch(4 * HUGE_SIZE, MADV_HUGEPAGE, size, size, false,
		    "small madvise, large always, advice");
	set_sizes(INHERIT);
	sp_result("first touch: words that differ");
	sp_write(SP_EAGER, "1");
}

/* --- who else has it ------------------------------------------------------------------------ */

static void test_stack(void)
{
	char *p;

	set_sizes(INHERIT);
	set_word(GLOBAL, ALWAYS);
	p = sp_map_prot(2 * HUGE_SIZE, HUGE_SIZE, PROT_READ | PROT_WRITE, MAP_STACK);
	sp_expect(vma_flag(p, " nh") && !vma_flag(p, " hg"), "MAP_STACK is not nh");
	p[0] = 1;
	sp_expect(resident(p, 2 * HUGE_SIZE) == page_size, "%zu kB of a stack",
		  resident(p, 2 * HUGE_SIZE) >> 10);
	/* CRIU restores the flags that it finds: hg, nh or neither. */
	sp_expect(!advise(p, 2 * HUGE_SIZE, MADV_HUGEPAGE) && vma_flag(p, " hg") &&
		  !vma_flag(p, " nh"), "it cannot be set back");
	p[HUGE_SIZE] = 1;
	sp_expect(sp_in_superpages(p, 2 * HUGE_SIZE, HUGE_SIZE) == HUGE_SIZE,
		  "%zu kB in large superpages after advice",
		  sp_in_superpages(p, 2 * HUGE_SIZE, HUGE_SIZE) >> 10);
	sp_expect(!advise(p, 2 * HUGE_SIZE, MADV_NOHUGEPAGE) && vma_flag(p, " nh"), "nor again");
	munmap(p, 2 * HUGE_SIZE);
	sp_result("MAP_STACK");
}

/* --flags WANT: check the flags that this program finds after exec(). */
static int main_flags(const char *want)
{
	char buf[512];
	bool hg = false;
	FILE *f = fopen("/proc/self/smaps", "r");

	while (f && fgets(buf, sizeof(buf), f))
		if (!strncmp(buf, "VmFlags:", 8) && strstr(buf, " hg"))
			hg = true;
	return hg || prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) != atoi(want);
}

static char *self;

/* Execute this program in a child, in another mode. */
static void run_self(const char *mode, const char *want)
{
	pid_t pid = sp_fork();

	if (!pid) {
		execl("/proc/self/exe", self, mode, want, NULL);
		_exit(3);
	}
	sp_expect(sp_wait(pid), "%s %s", mode, want);
}

static void test_inherit(void)
{
	size_t len = 2 * HUGE_SIZE;
	char *p, *q;
	pid_t pid;

	set_sizes(INHERIT);
	set_word(GLOBAL, MADVISE);
	p = sp_map(len, HUGE_SIZE);
	q = sp_map(len, HUGE_SIZE);
	advise(p, len, MADV_HUGEPAGE);
	advise(q, len, MADV_NOHUGEPAGE);
	p[0] = 1;
	pid = sp_fork();
	if (!pid) {
		sp_expect(vma_flag(p, " hg") && !vma_flag(p, " nh"), "the child has no hg");
		sp_expect(vma_flag(q, " nh") && !vma_flag(q, " hg"), "the child has no nh");
		p[HUGE_SIZE] = 1;
		/* The child has its parent's advice and superpages. */
		sp_expect(sp_in_superpages(p, len, HUGE_SIZE) == len,
			  "the child has %zu kB in large superpages",
			  sp_in_superpages(p, len, HUGE_SIZE) >> 10);
		/* Its own advice does not change its parent's. */
		advise(p, len, MADV_NOHUGEPAGE);
		sp_child_exit();
	}
	sp_wait(pid);
	sp_expect(vma_flag(p, " hg"), "what the child did has changed the parent");
	munmap(p, len);
	munmap(q, len);
	run_self("--flags", "0");

	sp_expect(prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) == 0, "disabled at first");
	sp_expect(!prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0), "cannot be disabled");
	sp_expect(prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) == 1, "not disabled");
	run_self("--flags", "1");
	set_word(GLOBAL, ALWAYS);
	p = sp_map(len, HUGE_SIZE);
	advise(p, len, MADV_HUGEPAGE);
	pid = sp_fork();
	if (!pid) {
		sp_expect(prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) == 1, "not so in the child");
		p[0] = 1;
		sp_expect(resident(p, len) == page_size, "superpages in spite of it");
		sp_child_exit();
	}
	sp_wait(pid);
	sp_expect(!prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0), "cannot be enabled");
	sp_expect(prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) == 0, "not enabled again");
	p[0] = 1;
	sp_expect(sp_in_superpages(p, len, HUGE_SIZE), "no superpages after that");
	munmap(p, len);
	run_self("--flags", "0");
	sp_result("what fork and exec keep");
}

/* --- words change while programs run ------------------------------------------------------- */

#define RACERS		4
#define RACE_PAGES	192

static bool race_stop;
static unsigned long race_rounds;

static uint64_t race_seed(const uint32_t *version, size_t page, uint64_t salt)
{
	return version[page] ? salt + version[page] * 1000003UL + page : 0;
}

static void race_verify(char *p, const uint32_t *version, uint64_t salt, const char *who)
{
	size_t page;
	long at;

	for (page = 0; page < RACE_PAGES; page++) {
		at = sp_differs(p + page * page_size, page_size, race_seed(version, page, salt));
		if (!sp_expect(at < 0, "%s: page %zu differs at %#lx", who, page, at))
			return;
	}
}

static void *racer(void *arg)
{
	uint64_t salt = (uint64_t)(uintptr_t)arg << 40;
	size_t len = RACE_PAGES * page_size, from, n, i;
	static uint32_t versions[RACERS + 1][RACE_PAGES];
	uint32_t *version = versions[(uintptr_t)arg], next = 1;
	unsigned long round;
	int status;
	pid_t pid;
	char *p;

	sp_rng = 77 + (uintptr_t)arg;
	for (round = 0; !READ_ONCE(race_stop) && round < race_rounds; round++) {
		p = sp_map(len, 16 * page_size << (2 * sp_random_below(2)));
		memset(version, 0, RACE_PAGES * sizeof(*version));
		for (i = 0; i < 24; i++) {
			from = sp_random_below(RACE_PAGES);
			n = 1 + sp_random_below(RACE_PAGES - from);
			switch (sp_random_below(8)) {
			case 0:
				advise(p + from * page_size, n * page_size, MADV_HUGEPAGE);
				break;
			case 1:
				advise(p + from * page_size, n * page_size, MADV_NOHUGEPAGE);
				break;
			case 2:
				madvise(p + from * page_size, n * page_size, MADV_DONTNEED);
				memset(version + from, 0, n * sizeof(*version));
				break;
			case 3:
				mprotect(p + from * page_size, n * page_size, PROT_READ);
				mprotect(p + from * page_size, n * page_size,
					 PROT_READ | PROT_WRITE);
				break;
			case 4:
				pid = fork();
				if (!pid) {
					/* After fork() with threads, take no lock. */
					sp_failures = 0;
					for (; n--; from++)
						sp_fill(p + from * page_size, page_size, 0);
					_exit(sp_differs(p + from * page_size - page_size,
							 page_size, 0) >= 0);
				}
				/* These writes copy pages while the child is there. */
				for (; n--; from++) {
					version[from] = next++;
					sp_fill(p + from * page_size, page_size,
						race_seed(version, from, salt));
				}
				while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
					;
				sp_expect(pid > 0 && WIFEXITED(status) && !WEXITSTATUS(status),
					  "a child ended with %#x", status);
				break;
			default:
				for (n = (n + 7) / 8; n--; from++) {
					version[from] = next++;
					sp_fill(p + from * page_size, page_size,
						race_seed(version, from, salt));
				}
			}
		}
		race_verify(p, version, salt, "race");
		munmap(p, len);
	}
	return NULL;
}

static void test_race(void)
{
	pthread_t thread[RACERS];
	unsigned long all = sp_all_orders(), n = 0;
	uintptr_t i;

	sp_growing();
	race_rounds = getenv("SUPERPAGE_ROUNDS") ? atoi(getenv("SUPERPAGE_ROUNDS")) : 6;
	for (i = 0; i < RACERS; i++)
		sp_need(!pthread_create(&thread[i], NULL, racer, (void *)(i + 1)), "no thread");
	for (i = 0; i < RACERS; ) {
		switch (sp_random_below(4)) {
		case 0:
			set_word(GLOBAL, global_words[sp_random_below(3)]);
			break;
		case 1:
		case 2:
			set_word(size_file(sp_random_below(sp_orders), "enabled"),
				 sp_random_below(NR_WORDS));
			break;
		default:
			sp_permit(sp_random_below(3) ? all & sp_random_below(ULONG_MAX) : 0);
		}
		if (!(n & 15))
			sp_write(SP_EAGER, n & 16 ? "1" : "0");
		n++;
		sched_yield();
		if (!pthread_tryjoin_np(thread[i], NULL))
			i++;
	}
	ksft_print_msg("words changed %lu times\n", n);
	sp_write(SP_EAGER, "1");
	set_sizes(INHERIT);
	set_word(GLOBAL, NEVER);
	sp_check_accounts("after the race");
	sp_result("words change while memory is in use");
}

/* --- programs ------------------------------------------------------------------------------- */

static enum word is_global(void)
{
	return get_word(GLOBAL, true);
}

/* Expect superpages of HUGE_SIZE or more where the words give them, with or without advice. */
static void expect_huge(void *p, size_t len, bool advised, const char *who)
{
	bool want = is_global() == ALWAYS || (is_global() == MADVISE && advised);
	size_t in = sp_in_superpages(p, len, HUGE_SIZE);

	sp_expect(want == !!in, "%s, %s: %zu kB in large superpages", who, words[is_global()],
		  in >> 10);
}

/* jemalloc: it takes THP for absent unless it reads one of three texts at its start. */
static void client_jemalloc(void)
{
	static const char * const modes[] = {
		"[always] madvise never\n", "always [madvise] never\n", "always madvise [never]\n",
	};
	char buf[24] = "", *p, *q;
	size_t len = 8 * HUGE_SIZE, i;
	ssize_t n;
	int fd = open(GLOBAL, O_RDONLY | O_CLOEXEC);

	n = read(fd, buf, sizeof(buf));
	close(fd);
	sp_expect(n == 23, "jemalloc reads %zd bytes", n);
	for (i = 0; i < ARRAY_SIZE(modes) && strncmp(buf, modes[i], n); i++)
		;
	sp_expect(i < ARRAY_SIZE(modes) && global_words[i] == is_global(),
		  "jemalloc does not know \"%.*s\"", (int)n, buf);

	p = sp_map_prot(len, HUGE_SIZE, PROT_READ | PROT_WRITE, MAP_NORESERVE);
	/* opt.thp=always when the system says madvise, never when it says always. */
	if (is_global() == MADVISE)
		sp_expect(!madvise(p, len, MADV_HUGEPAGE), "jemalloc: MADV_HUGEPAGE");
	if (is_global() == ALWAYS)
		sp_expect(!madvise(p, len, MADV_NOHUGEPAGE), "jemalloc: MADV_NOHUGEPAGE");
	sp_fill(p, len, 3);
	sp_expect(!!sp_in_superpages(p, len, HUGE_SIZE) == (is_global() == MADVISE),
		  "jemalloc, %s: %zu kB in large superpages", words[is_global()],
		  sp_in_superpages(p, len, HUGE_SIZE) >> 10);
	sp_expect(sp_differs(p, len, 3) < 0, "jemalloc: contents differ");
	munmap(p, len);
	/* It finds out whether it can purge lazily. */
	q = mmap(NULL, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sp_expect(!madvise(q, page_size, MADV_FREE), "jemalloc: MADV_FREE");
	munmap(q, page_size);
}

/*
 * glibc.malloc.hugetlb=1, in a program that was executed with it.  Where the system says
 * madvise, malloc() gets memory by the size that hpage_pmd_size says, and asks for
 * superpages; else it asks for nothing.
 */
static int main_malloc(const char *want)
{
	size_t i, at, len, large = 0, size = 60000;
	bool asks = !strcmp(want, "madvise");
	char *chunk[300], field[40], *start;

	for (i = 0; i < ARRAY_SIZE(chunk); i++) {
		chunk[i] = malloc(size);
		if (!chunk[i])
			return 2;
		memset(chunk[i], i, size);
	}
	start = chunk[0];
	len = chunk[ARRAY_SIZE(chunk) - 1] - start;
	/* All of the memory must be from brk(). */
	if (chunk[ARRAY_SIZE(chunk) - 1] < start)
		return 3;
	if (vma_flag(start, " hg") != asks || vma_flag(start + len - 1, " hg") != asks)
		return 4;
	/*
	 * The pieces that malloc() advises become one mapping.  But it aligns the end of the
	 * first piece with a small one that it does not advise.
	 */
	if (vma_count(start, len) > (asks ? 3 : 1))
		return 5;
	/* Most of it must be in superpages of 1 MiB or more. */
	for (i = 0; i < 7; i++) {
		snprintf(field, sizeof(field), "Superpages%lukB:", 1024UL << 2 * i);
		large += sp_range_field(field, start, len);
	}
	if (!strcmp(want, "never") ? large : large < len - 4 * HUGE_SIZE)
		return 6;
	for (i = 0; i < ARRAY_SIZE(chunk); i++)
		for (at = 0; at < size; at++)
			if (chunk[i][at] != (char)i)
				return 7;
	for (i = 0; i < ARRAY_SIZE(chunk); i++)
		free(chunk[i]);
	return 0;
}

static void client_glibc(void)
{
	const char *word = words[is_global()];
	pid_t pid = fork();
	int status = -1;

	if (!pid) {
		setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1", 1);
		execl("/proc/self/exe", self, "--malloc", word, NULL);
		_exit(99);
	}
	waitpid(pid, &status, 0);
	sp_expect(WIFEXITED(status) && !WEXITSTATUS(status), "glibc, %s: status %#x", word,
		  status);
}

/* OpenJDK with -XX:+UseTransparentHugePages: it reserves, trims and commits a heap. */
static void client_jdk(void)
{
	size_t heap = 16 * HUGE_SIZE, large = 0;
	char buf[128], *p, *start, *q;
	FILE *f;

	sp_expect(sp_meminfo_kb("Hugepagesize:") > 0, "JDK: no Hugepagesize");
	sp_expect(!access("/sys/kernel/mm/hugepages", R_OK), "JDK: no hugepages");
	sp_slurp(GLOBAL, buf, sizeof(buf));
	sp_expect(!!strstr(buf, "[always]") + !!strstr(buf, "[madvise]") +
		  !!strstr(buf, "[never]") == 1, "JDK reads \"%s\"", buf);
	f = fopen(THP "hpage_pmd_size", "r");
	sp_expect(f && fscanf(f, "%zu", &large) == 1 && large == HUGE_SIZE,
		  "JDK reads a size of %zu", large);
	if (f)
		fclose(f);
	if (strstr(buf, "[never]"))
		return;		/* OpenJDK refuses. */

	/* Reserve, trim, commit. */
	p = mmap(NULL, heap + large, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		 -1, 0);
	sp_need(p != MAP_FAILED, "JDK: mmap");
	start = (char *)(((uintptr_t)p + large - 1) & -large);
	if (start > p)
		munmap(p, start - p);
	munmap(start + heap, p + large - start);
	q = mmap(start, heap / 2, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	sp_expect(q == start && !madvise(q, heap / 2, MADV_HUGEPAGE), "JDK: commit");
	q = mmap(start + heap / 2, heap / 2, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	sp_expect(q == start + heap / 2 && !madvise(q, heap / 2, MADV_HUGEPAGE), "JDK: commit");
	sp_fill(start, heap, 5);
	sp_expect(sp_in_superpages(start, heap, large) == heap,
		  "JDK, %s: %zu kB of its heap in large superpages", words[is_global()],
		  sp_in_superpages(start, heap, large) >> 10);
	/* It gives a part back, and commits it again. */
	q = mmap(start + 3 * large, 5 * large, PROT_NONE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
	sp_expect(q == start + 3 * large && !resident(q, 5 * large), "JDK: uncommit");
	q = mmap(q, 5 * large, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
		 -1, 0);
	sp_expect(!madvise(q, 5 * large, MADV_HUGEPAGE), "JDK: commit again");
	sp_expect(sp_differs(start, 3 * large, 5) < 0, "JDK: its heap differs");
	sp_expect(sp_differs(q, 5 * large, 0) < 0, "JDK: what is committed again is not zero");
	sp_expect(sp_in_superpages(start, heap, large) == heap, "JDK: %zu kB after that",
		  sp_in_superpages(start, heap, large) >> 10);
	munmap(start, heap);
}

/* tcmalloc: it reserves address space, then commits pieces; cold ones are to stay small. */
static void client_tcmalloc(void)
{
	size_t span = 64 * HUGE_SIZE, len = 8 * HUGE_SIZE, page, rss;
	char *hint = (char *)(0x30UL << 32), *p;

#ifdef __ia64__
	/* With base pages of 4 KiB, a region has 64 GiB: stay within it. */
	hint = (char *)(0x2UL << 61 | 0x8UL << 32);
#endif
	p = mmap(hint, span, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	sp_need(p != MAP_FAILED, "tcmalloc: mmap");
	sp_expect(p == hint, "tcmalloc: %p, not %p", p, hint);
	p = (char *)(((uintptr_t)p + len - 1) & -len);
	for (page = 0; page < len; page += HUGE_SIZE)
		sp_expect(!mprotect(p + page, HUGE_SIZE, PROT_READ | PROT_WRITE),
			  "tcmalloc: mprotect");
	sp_fill(p, len, 9);
	expect_huge(p, len, false, "tcmalloc");
	/* Half of it is cold, and there are free spans everywhere. */
	sp_expect(!madvise(p + len / 2, len / 2, MADV_NOHUGEPAGE), "tcmalloc: MADV_NOHUGEPAGE");
	for (page = 0; page < len; page += 8 * page_size)
		madvise(p + page, 4 * page_size, MADV_DONTNEED);
	rss = resident(p, len);
	sp_expect(rss == len / 2, "tcmalloc: %zu kB, not %zu, after MADV_DONTNEED", rss >> 10,
		  len >> 11);
	for (page = 4 * page_size; page < len; page += 8 * page_size)
		sp_fill(p + page, 4 * page_size, 0);
	sp_expect(resident(p, len) == rss, "tcmalloc: what was given back has come back");
	usleep(200000);
	sp_expect(resident(p, len) == rss, "tcmalloc: what was given back has come back");
	munmap(hint, span);
}

/* Go: it reads the size into a buffer of 20 bytes, and advises chunks of 4 MiB. */
static void client_go(void)
{
	size_t len = 16 * HUGE_SIZE, chunk = 4 * HUGE_SIZE, n = 0, at;
	char buf[20], *p, *end;
	int fd = open(THP "hpage_pmd_size", O_RDONLY | O_CLOEXEC);
	ssize_t got = read(fd, buf, sizeof(buf));

	close(fd);
	sp_expect(got > 1 && buf[got - 1] == '\n', "Go reads %zd bytes", got);
	if (got > 1) {
		buf[got - 1] = '\0';
		n = strtoul(buf, &end, 10);
		sp_expect(!*end, "Go reads \"%s\"", buf);
	}
	sp_expect(n && !(n & (n - 1)) && n <= 4 << 20, "Go switches off for %zu", n);

	p = sp_map_prot(len, chunk, PROT_NONE, MAP_NORESERVE);
	sp_expect(mmap(p, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
		       -1, 0) == p, "Go: mmap");
	for (at = 0; at < len; at += chunk)
		sp_expect(!madvise(p + at, chunk, at / chunk % 2 ? MADV_NOHUGEPAGE :
				   MADV_HUGEPAGE), "Go: madvise");
	sp_fill(p, len, 11);
	for (at = 0; at < len; at += chunk) {
		bool want = is_global() != NEVER && !(at / chunk % 2);

		sp_expect(sp_in_superpages(p + at, chunk, HUGE_SIZE) == (want ? chunk : 0),
			  "Go, %s: %zu kB of a chunk", words[is_global()],
			  sp_in_superpages(p + at, chunk, HUGE_SIZE) >> 10);
	}
	/* It advises MADV_HUGEPAGE for all, its default, and scavenges. */
	sp_expect(!madvise(p, len, MADV_HUGEPAGE), "Go: madvise");
	sp_expect(!madvise(p + chunk / 2, chunk, MADV_DONTNEED), "Go: scavenge");
	sp_expect(sp_differs(p, chunk / 2, 11) < 0, "Go: its memory differs");
	sp_expect(sp_differs(p + chunk / 2, chunk, 0) < 0, "Go: what is scavenged is not zero");
	munmap(p, len);
}

/* QEMU: it advises a guest's memory, which is not aligned; virtio-mem unplugs blocks of it. */
static void client_qemu(void)
{
	size_t len = 9 * HUGE_SIZE - 3 * page_size, at, block = sp_get(THP "hpage_pmd_size");
	char *p = sp_map(len, HUGE_SIZE);
	pid_t pid;

	madvise(p + 100, len, MADV_HUGEPAGE);
	sp_expect(!vma_flag(p, " hg"), "QEMU: unaligned advice is taken");
	sp_expect(!madvise(p, len, MADV_HUGEPAGE), "QEMU: MADV_HUGEPAGE");
	sp_expect(!madvise(p, len, MADV_DONTFORK), "QEMU: MADV_DONTFORK");
	sp_fill(p, len, 13);
	expect_huge(p, len, true, "QEMU");
	pid = sp_fork();
	if (!pid) {
		sp_expect(!vma_count(p, len), "QEMU: the child has its memory");
		sp_child_exit();
	}
	sp_wait(pid);
	sp_expect(block == HUGE_SIZE, "QEMU: blocks of %zu", block);
	for (at = 0; at + block <= len; at += 2 * block) {
		size_t rss = resident(p, len);

		sp_expect(!madvise(p + at, block, MADV_DONTNEED), "QEMU: unplug");
		sp_expect(resident(p, len) == rss - block, "QEMU: %zu kB of a block are left",
			  (resident(p, len) + block - rss) >> 10);
	}
	for (at = 0; at + block <= len; at += block) {
		bool gone = at / block % 2 == 0;

		if (gone)
			sp_expect(sp_differs(p + at, block, 0) < 0, "QEMU: block %zu is not zero",
				  at / block);
		else
			sp_expect(sp_differs(p + at, block, 13 + at / 8 * SP_PATTERN) < 0,
				  "QEMU: block %zu differs", at / block);
	}
	munmap(p, len);
}

/* TokuDB does not start where one touch of fresh memory maps more than a page. */
static void client_tokudb(void)
{
	size_t len = 8 * HUGE_SIZE, i, n = 0;
	unsigned char *vec = malloc(len / page_size);
	char *p = sp_map(len, 2 * HUGE_SIZE);

	p[0] = 1;
	sp_expect(!mincore(p, len, vec), "TokuDB: mincore");
	for (i = 0; i < len / page_size; i++)
		n += vec[i] & 1;
	sp_expect((n == 1) == (is_global() != ALWAYS), "TokuDB, %s: %zu pages",
		  words[is_global()], n);
	munmap(p, len);
	free(vec);
}

/* mimalloc with allow_thp=0: it disables THP by prctl(). */
static void client_prctl(void)
{
	char *p;

	sp_expect(prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) == 0, "mimalloc: disabled before");
	sp_expect(prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) == 0, "mimalloc: cannot disable");
	sp_expect(prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) == 1, "mimalloc: not disabled");
	p = sp_map(4 * HUGE_SIZE, HUGE_SIZE);
	madvise(p, 4 * HUGE_SIZE, MADV_HUGEPAGE);
	sp_fill(p, 4 * HUGE_SIZE, 1);
	sp_expect(!sp_in_superpages(p, 4 * HUGE_SIZE, 1), "mimalloc, %s: superpages",
		  words[is_global()]);
	run_self("--flags", "1");
	munmap(p, 4 * HUGE_SIZE);
}

/*
 * Redis: it warns where enabled says always, and asks for no superpages at its start.  A
 * child writes its memory to a file, while it goes on and counts AnonHugePages.
 */
static void client_redis(void)
{
	size_t len = 4 * HUGE_SIZE, i;
	char buf[64], *p;
	pid_t pid;

	sp_expect(sp_slurp(GLOBAL, buf, sizeof(buf)) &&
		  !!strstr(buf, "[always]") == (is_global() == ALWAYS), "Redis reads \"%s\"", buf);
	sp_expect(!prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0), "Redis: cannot disable");
	p = sp_map(len, HUGE_SIZE);
	sp_fill(p, len, 17);
	pid = sp_fork();
	if (!pid) {
		usleep(20000);
		sp_expect(sp_differs(p, len, 17) < 0, "Redis: its child sees what it writes");
		sp_expect(!sp_in_superpages(p, len, 1), "Redis: its child has superpages");
		sp_child_exit();
	}
	for (i = 0; i < len; i += 3 * page_size)
		WRITE_ONCE(p[i], 1);
	sp_expect(sp_wait(pid), "Redis: the child failed");
	sp_expect(!sp_in_superpages(p, len, 1) && !sp_range_field("AnonHugePages:", p, len),
		  "Redis, %s: superpages", words[is_global()]);
	munmap(p, len);
}

/* MongoDB: it reads a word and PR_GET_THP_DISABLE, and its tcmalloc wants a file to be 0. */
static void client_mongodb(void)
{
	static const char file[] = THP "khugepaged/max_ptes_none";
	char buf[64] = "", *word, *end;
	unsigned long was;
	enum word w;

	sp_expect(sp_slurp(GLOBAL, buf, sizeof(buf)), "MongoDB: cannot read enabled");
	word = strchr(buf, '[');
	end = word ? strchr(word, ']') : NULL;
	sp_need(end, "MongoDB reads \"%s\"", buf);
	*end = '\0';
	for (w = 0; w < ARRAY_SIZE(words) && strcmp(word + 1, words[w]); w++)
		;
	sp_expect(w == is_global() && w != INHERIT, "MongoDB reads \"%s\"", word + 1);
	sp_expect(prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) == 0, "MongoDB: disabled");
	was = sp_get(file);
	sp_expect(!sp_write(file, "0") && !sp_get(file), "MongoDB: max_ptes_none");
	sp_write_number(file, was);
}

/* tuned: it writes two files, and restores the words that were in brackets. */
static void client_tuned(void)
{
	static const char * const file[] = { GLOBAL, THP "defrag" };
	char was[64], buf[64], *word;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(file); i++) {
		sp_need(sp_slurp(file[i], was, sizeof(was)) && strchr(was, '['), "tuned: %s",
			file[i]);
		sp_expect(!sp_write(file[i], "always"), "tuned: always in %s", file[i]);
		sp_expect(!sp_write(file[i], "never\n"), "tuned: never in %s", file[i]);
		strcpy(buf, was);
		word = strchr(buf, '[') + 1;
		word[strcspn(word, "]")] = '\0';
		sp_expect(!sp_write(file[i], word), "tuned: %s in %s", word, file[i]);
		sp_expect(sp_slurp(file[i], buf, sizeof(buf)) && !strcmp(buf, was),
			  "tuned has left \"%s\" of \"%s\"", buf, was);
	}
}

static void test_clients(void)
{
	size_t i;

	sp_growing();
	set_sizes(INHERIT);
	under_each_word(client_jemalloc);
	sp_result("jemalloc");
	under_each_word(client_glibc);
	sp_result("glibc.malloc.hugetlb=1");
	under_each_word(client_jdk);
	sp_result("OpenJDK");
	under_each_word(client_prctl);
	sp_result("mimalloc");
	under_each_word(client_tcmalloc);
	sp_result("tcmalloc");
	under_each_word(client_go);
	sp_result("Go");
	under_each_word(client_qemu);
	sp_result("QEMU");
	under_each_word(client_tokudb);
	sp_result("TokuDB");
	under_each_word(client_redis);
	sp_result("Redis");
	/* These programs run as root. */
	for (i = 0; i < ARRAY_SIZE(global_words); i++) {
		set_word(GLOBAL, global_words[i]);
		client_mongodb();
	}
	sp_result("MongoDB");
	for (i = 0; i < ARRAY_SIZE(global_words); i++) {
		set_word(GLOBAL, global_words[i]);
		client_tuned();
	}
	sp_result("tuned");
	sp_write(SP_EAGER, "1");
}

int main(int argc, char **argv)
{
	self = argv[0];
	if (argc == 3 && !strcmp(argv[1], "--flags"))
		return main_flags(argv[2]);
	if (argc == 3 && !strcmp(argv[1], "--malloc"))
		return main_malloc(argv[2]);
	save_words();
	sp_init(argv);
	if (!sp_kernel)
		ksft_exit_skip("no superpages in this kernel\n");
	if (!sp_tunable)
		ksft_exit_skip("only root can do this\n");
	sp_need(sp_orders && sp_orders < SP_MAX_ORDERS, "%s has no orders", SP_INFO);
	old_words = getenv("SUPERPAGE_WORDS") ?: "";
	old_max = sp_get(FAULT_MAX);
	atexit(restore);

	ksft_set_plan(31);
	test_files();
	test_words();
	set_word(GLOBAL, MADVISE);
	as_nobody(nobody_writes);
	sp_result("users who may not");
	test_stats();
	test_bitmap();
	test_madvise();
	test_split();
	test_eligible();
	test_first_touch();
	test_stack();
	test_inherit();
	test_race();
	test_clients();
	ksft_finished();
}
