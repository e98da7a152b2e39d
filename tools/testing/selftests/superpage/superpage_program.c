// SPDX-License-Identifier: GPL-2.0
/*
 * Which superpages one program and what it starts may have: /proc/PID/superpage and
 * PR_SET_THP_DISABLE.
 *
 * Every case that changes something is a process of its own.  The tests compare the
 * superpages in smaps with those that the words of sysfs, the policy and the advice should
 * give.
 */
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <linux/capability.h>

#include "superpage.h"

#ifndef PR_SET_THP_DISABLE
#define PR_SET_THP_DISABLE	41
#define PR_GET_THP_DISABLE	42
#endif
#ifndef PR_THP_DISABLE_EXCEPT_ADVISED
#define PR_THP_DISABLE_EXCEPT_ADVISED	2
#endif

#define SELF	"/proc/self/superpage"
#define THP	"/sys/kernel/mm/transparent_hugepage/"
#define UID	1234
#define OTHER	1235
#define MB	0x100000UL

static const char * const modes[] = { "default", "madvise", "always", "never" };
static const char * const words[] = { "always", "madvise", "never" };

/* Read the policy of a process, as one string. */
static const char *policy_of(pid_t pid)
{
	static char buf[128];
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/superpage", pid);
	if (!sp_slurp(path, buf, sizeof(buf)))
		snprintf(buf, sizeof(buf), "(%s)", strerror(errno));
	return buf;
}

static bool is_policy(const char *mode, unsigned long orders, int force)
{
	char want[128];

	snprintf(want, sizeof(want), "mode %s\norders 0x%lx\nforce %d\n", mode, orders, force);
	return sp_expect(!strcmp(policy_of(getpid()), want), "policy is %sexpected %s",
			 policy_of(getpid()), want);
}

static int set_mode(const char *mode)
{
	char text[32];

	snprintf(text, sizeof(text), "mode %s\n", mode);
	return sp_write(SELF, text);
}

static int disable(unsigned long on, unsigned long flags, unsigned long arg4, unsigned long arg5)
{
	return prctl(PR_SET_THP_DISABLE, on, flags, arg4, arg5) ? -errno : 0;
}

static int disabled(void)
{
	return prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0);
}

static unsigned int order_of(size_t size)
{
	return __builtin_ctzl(size / page_size);
}

static bool have_order(unsigned int order)
{
	unsigned int i;

	for (i = 0; i < sp_orders && sp_order[i] != order; i++)
		;
	return i < sp_orders;
}

/* --- text -------------------------------------------------------------------------------- */

static void test_text(void)
{
	static const char * const wrong[] = {
		"\n", " ", "mode", "mode\n", "mode ", "mode sometimes\n", "mode  always\n",
		"mode always ", " mode always\n", "Mode always\n", "mode alwaysx\n",
		"mode always\n\n", "\nmode always\n", "mode always\nmode always\n",
		"mode always orders 0x0\n", "always\n", "orders\n", "orders ", "orders x\n",
		"orders 0x\n", "orders -1\n", "orders 0xffffffffffffffff\n",
		"orders 0x1\n", "orders 99999999999999999999\n", "orders 0x0 0x0\n",
		"force\n", "force 2\n", "force yes\n", "force 01\n",
		"mode always\norders 0x1\n", "mode always\nforce x\n", "mode never\nnice 1\n",
		"mode always\norders 0x0\nforce 0\norders 0x0\n",
	};
	char text[256], buf[128];
	unsigned long all = sp_all_orders(), bit;
	unsigned int i;
	int fd;

	is_policy("default", 0, 0);
	sp_expect(!sp_write(SELF, "mode madvise\n"), "cannot set a mode");
	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		sp_expect(sp_write(SELF, wrong[i]) == -EINVAL, "\"%s\" is accepted", wrong[i]);
		is_policy("madvise", 0, 0);
	}
	memset(text, '\n', sizeof(text));
	memcpy(text, "mode always", 11);
	text[200] = '\0';
	sp_expect(sp_write(SELF, text) == -EINVAL, "a long text is accepted");

	fd = open(SELF, O_RDWR);
	sp_need(fd >= 0, "cannot open %s", SELF);
	sp_expect(pwrite(fd, "mode always", 11, 1) < 0 && errno == EINVAL,
		  "text behind the beginning is accepted");
	sp_expect(write(fd, "mode always\0", 12) < 0 && errno == EINVAL, "a NUL is accepted");
	sp_expect(syscall(SYS_write, fd, NULL, 12) < 0 && errno == EFAULT,
		  "no text at all is accepted");
	is_policy("madvise", 0, 0);
	/* Read it in pieces, as cat may do. */
	sp_expect(pread(fd, buf, 7, 5) == 7 && !memcmp(buf, "madvise", 7), "reads in pieces");
	close(fd);

	/* Fields that are not named stay; a newline at the end is optional; any order will do. */
	for (bit = 1; bit; bit <<= 1) {
		snprintf(text, sizeof(text), "orders %#lx", bit);
		sp_expect(sp_write(SELF, text) == (all & bit ? 0 : -EINVAL), "%s", text);
	}
	snprintf(text, sizeof(text), "orders %lu\n", all);
	sp_expect(!sp_write(SELF, text), "cannot limit it to all orders");
	is_policy("madvise", all, 0);
	sp_expect(!sp_write(SELF, "orders 0\nmode never"), "orders before the mode");
	is_policy("never", 0, 0);

	/* Writing back what was read changes nothing. */
	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		sp_expect(!set_mode(modes[i]), "mode %s", modes[i]);
		sp_expect(!sp_write(SELF, policy_of(getpid())), "cannot write what was read");
		is_policy(modes[i], 0, 0);
	}
	sp_child_exit();
}

/* --- prctl ------------------------------------------------------------------------------- */

static void test_prctl(void)
{
	static const unsigned long wrong[][4] = {
		{ 0, 1 }, { 0, 2 }, { 1, 1 }, { 1, 3 }, { 1, 4 }, { 1, -1UL }, { 1, 0, 1 },
		{ 1, 2, 1 }, { 1, 0, 0, 1 }, { 1, 2, 0, 1 }, { 0, 0, 1 }, { 0, 0, 0, 1 },
	};
	unsigned int i;

	sp_expect(disabled() == 0, "disabled is %d", disabled());
	sp_expect(!disable(1, 0, 0, 0), "cannot disable");
	is_policy("never", 0, 0);
	sp_expect(disabled() == 1, "disabled is %d", disabled());
	sp_expect(sp_field("/proc/self/status", "THP_enabled:") == 0, "THP_enabled is not 0");
	sp_expect(!disable(1, PR_THP_DISABLE_EXCEPT_ADVISED, 0, 0), "cannot except advised");
	is_policy("madvise", 0, 0);
	sp_expect(disabled() == 3, "disabled is %d", disabled());
	sp_expect(sp_field("/proc/self/status", "THP_enabled:") == 1, "THP_enabled is not 1");
	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		sp_expect(disable(wrong[i][0], wrong[i][1], wrong[i][2], wrong[i][3]) == -EINVAL,
			  "prctl(%lu, %lu, %lu, %lu)", wrong[i][0], wrong[i][1], wrong[i][2],
			  wrong[i][3]);
		is_policy("madvise", 0, 0);
	}
	for (i = 1; i <= 4; i++) {
		sp_expect(prctl(PR_GET_THP_DISABLE, i == 1, i == 2, i == 3, i == 4) < 0 &&
			  errno == EINVAL, "PR_GET_THP_DISABLE with argument %u", i);
	}
	sp_expect(!disable(0, 0, 0, 0), "cannot enable");
	is_policy("default", 0, 0);
	sp_expect(!disable(123456, 0, 0, 0), "anything but 0 disables");
	is_policy("never", 0, 0);

	/* Set the same modes by the file, and read them by prctl(). */
	sp_expect(!set_mode("default") && disabled() == 0, "disabled is %d", disabled());
	sp_expect(!set_mode("madvise") && disabled() == 3, "disabled is %d", disabled());
	sp_expect(!set_mode("never") && disabled() == 1, "disabled is %d", disabled());
	sp_expect(!set_mode("always") && disabled() == 0, "disabled is %d", disabled());
	/* "always" disables nothing, so enabling leaves it. */
	sp_expect(!disable(0, 0, 0, 0), "cannot enable");
	is_policy("always", 0, 0);
	sp_child_exit();
}

/* --- which superpages there are ---------------------------------------------------------- */

static void set_word(const char *size, const char *word)
{
	char path[128];

	snprintf(path, sizeof(path), THP "%s/enabled", size);
	sp_need(!sp_write(path, word), "cannot write %s to %s", word, path);
}

static void set_order_word(unsigned int order, const char *word)
{
	char name[64];

	snprintf(name, sizeof(name), "hugepages-%zukB", page_size << order >> 10);
	set_word(name, word);
}

static void inherit_all(void)
{
	unsigned int i;

	for (i = 0; i < sp_orders; i++)
		set_order_word(sp_order[i], "inherit");
}

static int change(const char *mode, unsigned long orders, bool force)
{
	char text[128];

	snprintf(text, sizeof(text), "mode %s\norders %#lx\nforce %d\n", mode, orders, force);
	return sp_write(SELF, text);
}

/* Map memory, at a multiple of its length, that is merged with no other mapping. */
static char *map_alone(size_t len)
{
	char *p = sp_map_prot(3 * len, len, PROT_NONE, 0) + len;

	sp_need(mmap(p, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
		     -1, 0) == p, "mmap");
	return p;
}

static void unmap_alone(char *p, size_t len)
{
	munmap(p - len, 3 * len);
}

/* Return how much of a range is in superpages of one size, or of any if @size is 0. */
static size_t in_superpages(char *p, size_t len, size_t size)
{
	char field[40] = "Superpages:";

	if (size)
		snprintf(field, sizeof(field), "Superpages%zukB:", size >> 10);
	return sp_range_field(field, p, len);
}

/* Touch each page, and return what in_superpages() returns then. */
static size_t touched(char *p, size_t len, size_t size)
{
	size_t i;

	for (i = 0; i < len; i += page_size)
		WRITE_ONCE(*(uint64_t *)(p + i), i);
	for (i = 0; i < len; i += page_size)
		sp_expect(READ_ONCE(*(uint64_t *)(p + i)) == i, "page %zu is wrong",
			  i / page_size);
	return in_superpages(p, len, size);
}

/* For one global word, one mode and force or not: mappings with and without advice. */
static void modes_child(const char *word, const char *mode, bool force)
{
	static const int advices[] = { 0, MADV_HUGEPAGE, MADV_NOHUGEPAGE };
	bool never = !strcmp(mode, "never");
	bool always = !strcmp(mode, "always");
	unsigned int i, a;
	size_t len = 4 * MB, in;
	char *p;

	sp_need(!change(mode, 0, force), "cannot set mode %s", mode);
	for (a = 0; a < ARRAY_SIZE(advices); a++) {
		bool advised = advices[a] == MADV_HUGEPAGE || always, want;

		if (never || advices[a] == MADV_NOHUGEPAGE)
			want = false;
		else if (advised)
			want = force || strcmp(word, "never");
		else
			want = !strcmp(word, "always") && strcmp(mode, "madvise");
		p = map_alone(len);
		sp_need(!advices[a] || !madvise(p, len, advices[a]), "madvise");
		in = touched(p, len, 0);
		sp_expect(want ? in == len : !in,
			  "enabled %s, mode %s, force %d, advice %d: %zu in superpages", word,
			  mode, force, advices[a], in);
		unmap_alone(p, len);

		/* The same if the policy permits one size only. */
		for (i = 0; i < sp_orders && page_size << sp_order[i] <= len; i++) {
			sp_need(!change(mode, 1UL << sp_order[i], force), "orders");
			p = map_alone(len);
			sp_need(!advices[a] || !madvise(p, len, advices[a]), "madvise");
			in = touched(p, len, page_size << sp_order[i]);
			sp_expect(in == (want ? len : 0) && in_superpages(p, len, 0) == in,
				  "enabled %s, mode %s, force %d, advice %d, order %u: %zu",
				  word, mode, force, advices[a], sp_order[i], in);
			unmap_alone(p, len);
		}
		sp_need(!change(mode, 0, force), "orders");
	}
	sp_child_exit();
}

static void test_modes(const char *word)
{
	unsigned int i, force;
	pid_t pid;

	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		for (force = 0; force < 2; force++) {
			pid = sp_fork();
			if (!pid)
				modes_child(word, modes[i], force);
			sp_wait(pid);
		}
	}
}

/* Give sizes words of their own. */
static void test_sizes(void)
{
	size_t len = 4 * MB;
	char *p;
	size_t in;

	set_word("", "madvise");
	set_order_word(order_of(4 * MB), "never");
	set_order_word(order_of(MB), "madvise");
	set_order_word(order_of(MB / 4), "always");
	p = map_alone(len);
	in = touched(p, len, MB / 4);
	sp_expect(in == len, "default: %zu in superpages of 256K", in);
	unmap_alone(p, len);

	sp_expect(!set_mode("madvise"), "madvise");
	p = map_alone(len);
	in = touched(p, len, 0);
	sp_expect(!in, "madvise: %zu in superpages", in);
	unmap_alone(p, len);

	sp_expect(!set_mode("always"), "always");
	p = map_alone(len);
	in = touched(p, len, MB);
	sp_expect(in == len, "always: %zu in superpages of 1M", in);
	unmap_alone(p, len);

	sp_expect(!sp_write(SELF, "force 1\n"), "force");
	p = map_alone(len);
	in = touched(p, len, 4 * MB);
	sp_expect(in == len, "force: %zu in superpages of 4M", in);
	unmap_alone(p, len);
	sp_child_exit();
}

/* With "never" superpages stay, but the kernel makes none whole again that it has demoted. */
static void test_existing(void)
{
	/* The kernel promotes at once to at most 64 times what has changed. */
	size_t part = page_size > MB / 64 ? page_size : MB / 64, in;
	char *p = map_alone(MB), *page = p + MB / 2;

	in = touched(p, MB, MB);

	sp_expect(in == MB, "%zu in a superpage of 1M", in);
	sp_expect(!set_mode("never"), "never");
	sp_expect(in_superpages(p, MB, MB) == MB, "never takes superpages away");
	sp_need(!mprotect(page, part, PROT_READ) &&
		!mprotect(page, part, PROT_READ | PROT_WRITE), "mprotect");
	sp_expect(!in_superpages(p, MB, MB), "a superpage became whole though it is never");
	sp_expect(in_superpages(p, MB, 0) >= MB / 2, "a page more took all superpages");
	sp_expect(!set_mode("default"), "default");
	sp_need(!mprotect(page, part, PROT_READ) &&
		!mprotect(page, part, PROT_READ | PROT_WRITE), "mprotect");
	sp_expect(in_superpages(p, MB, MB) == MB, "a superpage is not made whole again");
	sp_expect(!madvise(p, MB, MADV_DONTNEED), "MADV_DONTNEED");
	sp_child_exit();
}

/* --- inheritance ------------------------------------------------------------------------- */

/* After exec(): is the policy the expected one? */
static int expect_main(char **argv)
{
	bool same = !strcmp(policy_of(getpid()), argv[2]);

	if (!same)
		printf("# policy after exec is %sexpected %s", policy_of(getpid()), argv[2]);
	return !same;
}

static void exec_expecting(const char *program, const char *policy)
{
	execl(program, "superpage_program", "--expect", policy, NULL);
	sp_expect(false, "cannot execute %s: %s", program, strerror(errno));
	sp_child_exit();
}

/*
 * Orders that only "force" permits are permitted as long as some process has it.  As long as
 * any order is permitted, khugepaged runs.
 */
static void test_force_ends(void)
{
	pid_t pid, other;
	int status;

	set_word("", "never");
	sp_expect(sp_khugepaged_is(false), "khugepaged runs, though nothing is permitted");
	sp_expect(!change("always", 0, true), "force");
	sp_expect(sp_khugepaged_is(true), "khugepaged does not run");
	pid = sp_fork();
	if (!pid) {
		is_policy("always", 0, 1);
		pause();
		_exit(0);
	}
	other = sp_fork();
	if (!other) {
		/* Take force away from this process, and give it back. */
		sp_expect(!change("always", 0, false) && !change("always", 0, true), "force");
		sp_child_exit();
	}
	sp_wait(other);
	sp_expect(!change("always", 0, true), "force again");
	sp_expect(!change("always", 0, false), "no more force");
	sleep(1);
	sp_expect(sp_khugepaged_is(true), "khugepaged has ended, though a child has force");
	sp_expect(!kill(pid, SIGKILL) && waitpid(pid, &status, 0) == pid, "the child");
	sp_expect(sp_khugepaged_is(false), "khugepaged goes on after the last one has ended");

	/* exec() makes a new mm with force, and the old one goes; then that process ends. */
	pid = sp_fork();
	if (!pid) {
		sp_expect(!change("always", 0, true), "force");
		exec_expecting("/proc/self/exe", policy_of(getpid()));
	}
	sp_wait(pid);
	sp_expect(sp_khugepaged_is(false), "khugepaged goes on after exec() and exit");
	sp_child_exit();
}

static void *thread_sets(void *mode)
{
	sp_expect(!set_mode(mode), "a thread cannot set the mode");
	return NULL;
}

static void test_inherit(unsigned long orders)
{
	char policy[128];
	pthread_t thread;
	unsigned int i;
	pid_t pid;

	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		sp_expect(!change(modes[i], orders, false), "cannot set the policy");
		snprintf(policy, sizeof(policy), "%s", policy_of(getpid()));

		pid = sp_fork();
		if (!pid) {
			is_policy(modes[i], orders, 0);
			/* The grandchild inherits it; the child's change stays its own. */
			pid = sp_fork();
			if (!pid)
				exec_expecting("/proc/self/exe", policy);
			sp_wait(pid);
			set_mode("default");
			sp_child_exit();
		}
		sp_wait(pid);
		is_policy(modes[i], orders, 0);

		/* A child of vfork() shares the mm, and so the policy, of its parent. */
		pid = vfork();
		if (!pid) {
			prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
			_exit(0);
		}
		sp_wait(pid);
		is_policy("never", orders, 0);

		sp_need(!pthread_create(&thread, NULL, thread_sets, (void *)modes[i]),
			"cannot start a thread");
		pthread_join(thread, NULL);
		is_policy(modes[i], orders, 0);
	}
	sp_child_exit();
}

/* --- permissions ------------------------------------------------------------------------- */

static void change_user(uid_t uid, bool dumpable)
{
	sp_need(!setresgid(uid, uid, uid) && !setresuid(uid, uid, uid), "cannot become %d", uid);
	/* After setuid(), the new user may not look at the process unless it is dumpable. */
	prctl(PR_SET_DUMPABLE, dumpable);
}

/* Make a process of some user that waits until it is killed. */
static pid_t waiter(uid_t uid, bool dumpable, bool keep_caps)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];
	int ready[2];
	pid_t pid;
	char c;

	sp_need(!pipe(ready), "pipe");
	pid = sp_fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_KEEPCAPS, keep_caps);
		change_user(uid, dumpable);
		if (keep_caps) {
			sp_need(!syscall(SYS_capget, &header, data) && data[0].permitted,
				"capabilities are gone");
		}
		sp_need(write(ready[1], "", 1) == 1, "pipe");
		for (;;)
			pause();
	}
	close(ready[1]);
	sp_need(read(ready[0], &c, 1) == 1, "no process of %d", uid);
	close(ready[0]);
	return pid;
}

/* Write to the file of @pid as some user, and return the error. */
static int write_as(uid_t uid, pid_t pid, const char *text)
{
	char path[64];
	int status;
	pid_t child;

	snprintf(path, sizeof(path), "/proc/%d/superpage", pid);
	child = fork();
	sp_need(child >= 0, "fork");
	if (!child) {
		if (uid)
			change_user(uid, true);
		_exit(-sp_write(path, text));
	}
	sp_need(waitpid(child, &status, 0) == child && WIFEXITED(status), "child");
	return -WEXITSTATUS(status);
}

static void test_permissions(void)
{
	pid_t mine = waiter(UID, true, false), hidden = waiter(UID, false, false);
	pid_t strong = waiter(UID, true, true), dead, pid;
	char path[64], buf[128];
	siginfo_t info;
	int fd, ret;

	ret = write_as(UID, mine, "mode always\n");
	sp_expect(!ret, "the same user: %s", strerror(-ret));
	sp_expect(!strncmp(policy_of(mine), "mode always\n", 12), "policy is %s", policy_of(mine));
	ret = write_as(OTHER, mine, "mode never\n");
	sp_expect(ret == -EACCES, "another user: %s", strerror(-ret));
	ret = write_as(UID, hidden, "mode never\n");
	sp_expect(ret == -EACCES, "not dumpable: %s", strerror(-ret));
	ret = write_as(UID, strong, "mode never\n");
	sp_expect(ret == -EACCES || ret == -EPERM, "with more capabilities: %s", strerror(-ret));
	sp_expect(!strncmp(policy_of(strong), "mode default\n", 13), "policy is %s",
		  policy_of(strong));
	ret = write_as(0, hidden, "mode madvise\n");
	sp_expect(!ret, "root: %s", strerror(-ret));
	sp_expect(!strncmp(policy_of(hidden), "mode madvise\n", 13), "policy is %s",
		  policy_of(hidden));

	/* Every user may read the file. */
	pid = sp_fork();
	if (!pid) {
		change_user(OTHER, true);
		sp_expect(!strncmp(policy_of(hidden), "mode ", 5), "cannot read: %s",
			  policy_of(hidden));
		sp_child_exit();
	}
	sp_wait(pid);

	/* Who may set force, and by which open file? */
	ret = write_as(UID, mine, "mode never\nforce 1\n");
	sp_expect(ret == -EPERM, "force: %s", strerror(-ret));
	sp_expect(!strncmp(policy_of(mine), "mode always\n", 12), "EPERM changes it");
	ret = write_as(0, mine, "force 1\n");
	sp_expect(!ret, "force by root: %s", strerror(-ret));
	ret = write_as(UID, mine, "mode default\norders 0x0\nforce 1\n");
	sp_expect(!ret, "force that is set: %s", strerror(-ret));
	ret = write_as(UID, mine, "force 0\n");
	sp_expect(!ret, "no more force: %s", strerror(-ret));
	pid = sp_fork();
	if (!pid) {
		snprintf(path, sizeof(path), "/proc/%d/superpage", mine);
		fd = open(path, O_RDWR);
		sp_need(fd >= 0, "open");
		change_user(UID, true);
		sp_expect(write(fd, "force 1\n", 8) < 0 && errno == EPERM,
			  "who has lost his capabilities forces");
		sp_child_exit();
	}
	sp_wait(pid);
	snprintf(path, sizeof(path), "/proc/%d/superpage", mine);
	pid = sp_fork();
	if (!pid) {
		sp_need(!setresuid(-1, UID, 0), "seteuid");
		fd = open(path, O_RDWR);
		sp_need(fd >= 0, "open");
		sp_need(!setresuid(-1, 0, 0), "seteuid");
		sp_expect(write(fd, "force 1\n", 8) < 0 && errno == EPERM,
			  "a file that was opened without the capability forces");
		sp_child_exit();
	}
	sp_wait(pid);

	/* A dead process and a kernel thread have no mm. */
	dead = fork();
	if (!dead)
		_exit(0);
	sp_need(!waitid(P_PID, dead, &info, WEXITED | WNOWAIT), "waitid");
	snprintf(path, sizeof(path), "/proc/%d/superpage", dead);
	sp_expect(sp_write(path, "mode never\n") == -ESRCH, "a zombie's can be written");
	fd = open(path, O_RDONLY);
	sp_expect(fd >= 0 && read(fd, buf, sizeof(buf)) < 0 && errno == ESRCH,
		  "a zombie's can be read");
	waitpid(dead, NULL, 0);
	sp_expect(read(fd, buf, sizeof(buf)) < 0 && errno == ESRCH, "that of nobody can be read");
	close(fd);
	if (sp_slurp("/proc/2/comm", buf, sizeof(buf)) && !strcmp(buf, "kthreadd\n"))
		sp_expect(sp_write("/proc/2/superpage", "mode never\n") == -ESRCH,
			  "a kernel thread's can be written");

	kill(mine, SIGKILL);
	kill(hidden, SIGKILL);
	kill(strong, SIGKILL);
	waitpid(mine, NULL, 0);
	waitpid(hidden, NULL, 0);
	waitpid(strong, NULL, 0);
	sp_child_exit();
}

/* --- exec() that gives privileges -------------------------------------------------------- */

static void test_setuid(const char *program, unsigned long orders)
{
	static const char * const after[] = { "default", "madvise", "default", "never" };
	unsigned int i, force;
	char policy[128];
	pid_t pid;

	for (i = 0; i < 2 * ARRAY_SIZE(modes); i++) {
		force = i % 2;
		pid = sp_fork();
		if (!pid) {
			sp_need(!change(modes[i / 2], orders, force), "policy");
			change_user(UID, true);
			snprintf(policy, sizeof(policy), "mode %s\norders 0x0\nforce 0\n",
				 after[i / 2]);
			exec_expecting(program, policy);
		}
		sp_expect(sp_wait(pid), "mode %s, force %d, setuid", modes[i / 2], force);

		/* An ordinary program keeps the whole policy. */
		pid = sp_fork();
		if (!pid) {
			sp_need(!change(modes[i / 2], orders, force), "policy");
			change_user(UID, true);
			snprintf(policy, sizeof(policy), "mode %s\norders 0x%lx\nforce %d\n",
				 modes[i / 2], orders, force);
			exec_expecting("/proc/self/exe", policy);
		}
		sp_expect(sp_wait(pid), "mode %s, force %d", modes[i / 2], force);
	}
	sp_child_exit();
}

/* Make a setuid copy of this program that belongs to root; false if there is no place for it. */
static bool make_setuid(char *path)
{
	int from = open("/proc/self/exe", O_RDONLY), to;
	char buf[4096];
	ssize_t n;

	strcpy(path, "/tmp/superpage_program.XXXXXX");
	to = mkstemp(path);
	if (to < 0) {
		strcpy(path, "/superpage_program.XXXXXX");
		to = mkstemp(path);
	}
	if (from < 0 || to < 0)
		return false;
	while ((n = read(from, buf, sizeof(buf))) > 0)
		if (write(to, buf, n) != n)
			break;
	sp_need(!n && !fchmod(to, 04755), "cannot copy this program");
	close(from);
	close(to);
	return true;
}

/* --- at the same time -------------------------------------------------------------------- */

#define THREADS	4

static bool stop;

/* Touch memory, read it back, and give it back, in a loop. */
static void *faulter(void *unused)
{
	size_t len = 2 * MB, i, round;
	char *p = sp_map(len, MB);

	(void)unused;
	for (round = 1; !sp_acquire(&stop); round++) {
		for (i = 0; i < len; i += page_size)
			WRITE_ONCE(*(uint64_t *)(p + i), round + i);
		if (round % 4 == 1)
			mprotect(p + MB / 2, page_size, PROT_READ);
		for (i = 0; i < len; i += page_size)
			sp_expect(READ_ONCE(*(uint64_t *)(p + i)) == round + i,
				  "page %zu is wrong in round %zu", i / page_size, round);
		if (round % 4 == 1)
			mprotect(p + MB / 2, page_size, PROT_READ | PROT_WRITE);
		madvise(p, len, round % 2 ? MADV_DONTNEED : MADV_NORMAL);
		if (round % 8 == 3)
			madvise(p, len, MADV_HUGEPAGE);
	}
	munmap(p, len);
	return NULL;
}

static void test_switching(unsigned int rounds)
{
	static const char * const others[] = { "default", "madvise", "always" };
	pthread_t thread[THREADS];
	unsigned int i, n;
	size_t in;
	pid_t pid;
	char *p;

	for (i = 0; i < THREADS; i++)
		sp_need(!pthread_create(&thread[i], NULL, faulter, NULL), "thread");
	for (n = 0; n < rounds && !sp_failures; n++) {
		sp_expect(n % 2 ? !set_mode("never") : !disable(1, 0, 0, 0), "never");
		/* The change is in force at once, not only from some later page fault on. */
		p = map_alone(MB);
		in = touched(p, MB, 0);
		sp_expect(!in, "round %u: %zu in superpages though it is never", n, in);
		unmap_alone(p, MB);
		sp_expect(!change(others[n % 3], n % 5 ? 0 : 1UL << sp_order[0], false), "mode");
		p = map_alone(MB);
		in = touched(p, MB, 0);
		if (n % 3 == 1)
			sp_expect(!in, "round %u: %zu in superpages without advice", n, in);
		if (n % 3 != 1)
			sp_expect(in == MB, "round %u: %zu in superpages", n, in);
		unmap_alone(p, MB);
		if (n % 8)
			continue;
		pid = sp_fork();
		if (!pid) {
			is_policy(others[n % 3], n % 5 ? 0 : 1UL << sp_order[0], 0);
			sp_child_exit();
		}
		sp_wait(pid);
	}
	sp_release(&stop, true);
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	sp_child_exit();
}

/* ----------------------------------------------------------------------------------------- */

#define CHILD(call) do {						\
	pid_t child = sp_fork();					\
									\
	if (!child)							\
		call;							\
	sp_wait(child);							\
} while (0)

int main(int argc, char **argv)
{
	unsigned long rounds = 24, orders;
	char program[64] = "";
	unsigned int i;
	int opt;

	if (argc == 3 && !strcmp(argv[1], "--expect"))
		return expect_main(argv);
	while ((opt = getopt(argc, argv, "n:")) != -1) {
		switch (opt) {
		case 'n':
			rounds = sp_number(optarg, 1, 1000000);
			break;
		default:
			fprintf(stderr, "superpage_program [-n ROUNDS]\n");
			return 2;
		}
	}
	sp_init(argv);
	if (access(SELF, F_OK))
		ksft_exit_skip("no %s\n", SELF);
	/* Drop the policy that this process has inherited. */
	sp_need(!change("default", 0, false), "cannot write to %s", SELF);
	ksft_set_plan(12);
	orders = sp_orders ? 1UL << sp_order[0] : 0;

	CHILD(test_text());
	sp_result("text that is read and written");
	CHILD(test_prctl());
	sp_result("PR_SET_THP_DISABLE and the file agree");
	CHILD(test_inherit(orders));
	sp_result("fork, exec, vfork and threads");

	if (geteuid()) {
		ksft_test_result_skip("permissions of others: not root\n");
		ksft_test_result_skip("setuid: not root\n");
	} else {
		CHILD(test_permissions());
		sp_result("who may write");
		if (make_setuid(program)) {
			CHILD(test_setuid(program, orders));
			unlink(program);
			sp_result("exec that gives privileges");
		} else {
			ksft_test_result_skip("setuid: no place for a program\n");
		}
	}

	if (!sp_tunable || !have_order(order_of(MB)) || !have_order(order_of(4 * MB)) ||
	    !have_order(order_of(MB / 4))) {
		for (i = 0; i < 7; i++)
			ksft_test_result_skip("sizes: cannot be chosen\n");
		ksft_finished();
	}
	inherit_all();
	for (i = 0; i < ARRAY_SIZE(words); i++) {
		set_word("", words[i]);
		test_modes(words[i]);
		sp_result("all modes while enabled is %s", words[i]);
	}
	CHILD(test_sizes());
	inherit_all();
	sp_result("sizes with words of their own");
	CHILD(test_force_ends());
	sp_result("force, as long as somebody has it");
	set_word("", "always");
	CHILD(test_existing());
	sp_result("what is mapped already");
	CHILD(test_switching(rounds));
	sp_result("%lu switches while threads fault", rounds);
	/* sp_restore() restores the words that there were at the beginning. */
	set_word("", "never");
	ksft_finished();
}
