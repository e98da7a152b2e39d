// SPDX-License-Identifier: GPL-2.0
/*
 * Superpages of one program and of what it starts.
 *
 * Every mm has a policy: a mode, the orders that it is limited to, and whether sizes that
 * an administrator has switched off count as "madvise".  fork() and exec() hand it on.
 * /proc/PID/superpage shows and changes all of it.  PR_SET_THP_DISABLE is another way to
 * set two of the modes, and nothing else is kept for it.
 *
 * The policy is one word, so that fork() and whoever has no lock see all of the old one or
 * all of the new one.  It changes with mmap_lock held for writing: page faults that come
 * after that obey it.  What is mapped stays as it is.
 *
 * See Documentation/admin-guide/mm/superpage.rst.
 */

#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/superpage.h>

#include "superpage.h"

static const char * const superpage_mode_name[] = {
	[SUPERPAGE_MODE_DEFAULT]	= "default",
	[SUPERPAGE_MODE_MADVISE]	= "madvise",
	[SUPERPAGE_MODE_ALWAYS]		= "always",
	[SUPERPAGE_MODE_NEVER]		= "never",
};

static unsigned long superpage_with_mode(unsigned long policy, enum superpage_mode mode)
{
	return (policy & ~SUPERPAGE_POLICY_MODE) | mode;
}

/* mmap_lock of @mm is held for writing, or nobody else has it. */
static void superpage_set_policy(struct mm_struct *mm, unsigned long policy)
{
	unsigned long changed = superpage_mm_policy(mm) ^ policy;

	WRITE_ONCE(mm->superpage.policy, policy);
	if (changed & SUPERPAGE_POLICY_FORCE)
		superpage_count_forced(policy & SUPERPAGE_POLICY_FORCE ? 1 : -1);
}

/**
 * superpage_policy_init() - the policy of a new mm
 * @mm: the mm, for fork() or exec() of the current process
 */
void superpage_policy_init(struct mm_struct *mm)
{
	/* It is a copy of another one, which has been counted. */
	WRITE_ONCE(mm->superpage.policy, 0);
	/* Threads may change it just now. */
	superpage_set_policy(mm, current->mm ? superpage_mm_policy(current->mm) : 0);
}

/**
 * superpage_mm_destroy() - an mm that superpage_mm_init() was called for is freed
 * @mm: the mm
 */
void superpage_mm_destroy(struct mm_struct *mm)
{
	superpage_set_policy(mm, 0);
}

/**
 * superpage_exec_secure() - exec() has given the current process more privileges
 *
 * Who had less has no say in how much memory it takes.  To have fewer superpages does
 * no harm.
 */
void superpage_exec_secure(void)
{
	struct mm_struct *mm = current->mm;
	unsigned long policy = superpage_mm_policy(mm) & ~SUPERPAGE_POLICY_FORCE;

	if (superpage_mode(mm) == SUPERPAGE_MODE_ALWAYS)
		policy = superpage_with_mode(policy, SUPERPAGE_MODE_DEFAULT);
	/* Nobody else gets at the mm as long as exec_update_lock is held. */
	superpage_set_policy(mm, policy);
}

/* --- PR_SET_THP_DISABLE and PR_GET_THP_DISABLE ------------------------------------- */

/**
 * superpage_disabled() - does a program want no superpages at all?
 * @mm: its mm
 */
bool superpage_disabled(struct mm_struct *mm)
{
	return superpage_mode(mm) == SUPERPAGE_MODE_NEVER;
}

/**
 * superpage_get_disable() - PR_GET_THP_DISABLE
 *
 * Return: 0, 1, or 3 if the current process wants no superpages but where it advises them
 */
int superpage_get_disable(void)
{
	switch (superpage_mode(current->mm)) {
	case SUPERPAGE_MODE_NEVER:
		return 1;
	case SUPERPAGE_MODE_MADVISE:
		return 1 | PR_THP_DISABLE_EXCEPT_ADVISED;
	default:
		return 0;
	}
}

/**
 * superpage_set_disable() - PR_SET_THP_DISABLE
 * @disable: not 0 to disable them
 * @flags: 0, or PR_THP_DISABLE_EXCEPT_ADVISED
 *
 * 0 takes back what others have set.  A process of which every mapping counts as advised
 * has not disabled anything, and stays as it is.
 *
 * Return: 0, -EINVAL, or -EINTR if the process is being killed
 */
int superpage_set_disable(unsigned long disable, unsigned long flags)
{
	struct mm_struct *mm = current->mm;
	enum superpage_mode mode;

	if (flags & ~PR_THP_DISABLE_EXCEPT_ADVISED || (flags && !disable))
		return -EINVAL;
	if (mmap_write_lock_killable(mm))
		return -EINTR;
	mode = superpage_mode(mm);
	if (disable)
		mode = flags ? SUPERPAGE_MODE_MADVISE : SUPERPAGE_MODE_NEVER;
	else if (mode != SUPERPAGE_MODE_ALWAYS)
		mode = SUPERPAGE_MODE_DEFAULT;
	superpage_set_policy(mm, superpage_with_mode(superpage_mm_policy(mm), mode));
	/* Khugepaged passes over who wants none, and forgets no change of his. */
	__superpage_note_change(mm);
	mmap_write_unlock(mm);
	return 0;
}

/* --- The text of /proc/PID/superpage ------------------------------------------------ */

/**
 * superpage_policy_print() - the policy of a program, as superpage_policy_parse() takes it
 * @mm: its mm
 * @buf: where to write
 * @size: bytes there
 *
 * Return: how long it is
 */
int superpage_policy_print(struct mm_struct *mm, char *buf, size_t size)
{
	unsigned long policy = superpage_mm_policy(mm);

	return scnprintf(buf, size, "mode %s\norders 0x%lx\nforce %d\n",
			 superpage_mode_name[policy & SUPERPAGE_POLICY_MODE],
			 policy >> SUPERPAGE_POLICY_SHIFT, !!(policy & SUPERPAGE_POLICY_FORCE));
}

/* What one line says is added to *@mask and *@value, which know what others have said. */
static int superpage_parse_line(char *line, unsigned long *mask, unsigned long *value)
{
	char *key = strsep(&line, " ");
	unsigned long field, n;
	int ret;

	if (!line)
		return -EINVAL;
	if (!strcmp(key, "mode")) {
		field = SUPERPAGE_POLICY_MODE;
		ret = match_string(superpage_mode_name, ARRAY_SIZE(superpage_mode_name), line);
		if (ret < 0)
			return ret;
		n = ret;
	} else if (!strcmp(key, "orders")) {
		field = ~0UL << SUPERPAGE_POLICY_SHIFT;
		ret = kstrtoul(line, 0, &n);
		if (ret || n & ~superpage_possible_orders())
			return -EINVAL;
		n <<= SUPERPAGE_POLICY_SHIFT;
	} else if (!strcmp(key, "force")) {
		field = SUPERPAGE_POLICY_FORCE;
		if (strcmp(line, "0") && strcmp(line, "1"))
			return -EINVAL;
		n = *line == '1' ? SUPERPAGE_POLICY_FORCE : 0;
	} else {
		return -EINVAL;
	}
	if (*mask & field)
		return -EINVAL;
	*mask |= field;
	*value |= n;
	return 0;
}

/**
 * superpage_policy_parse() - what a text would change of a policy
 * @text: the text; it is taken apart
 * @mask: set to the bits that it says something about
 * @value: set to their values
 *
 * One line for each thing that is to be set, in any order: "mode always", "orders 0x54",
 * "force 0".
 *
 * Return: 0, or -EINVAL if any of it is wrong
 */
int superpage_policy_parse(char *text, unsigned long *mask, unsigned long *value)
{
	char *line;
	int ret;

	*mask = 0;
	*value = 0;
	do {
		line = strsep(&text, "\n");
		ret = superpage_parse_line(line, mask, value);
		if (ret)
			return ret;
	} while (text && *text);
	return 0;
}

/**
 * superpage_policy_change() - change the policy of a program
 * @mm: its mm
 * @mask: what changes, see superpage_policy_parse()
 * @value: to what
 * @may_force: may the caller make sizes available that an administrator has switched off?
 *
 * To say again what is so already, as who writes back what he has read does, needs no
 * privilege.
 *
 * Return: 0, -EPERM, or -EINTR if the caller is being killed
 */
int superpage_policy_change(struct mm_struct *mm, unsigned long mask, unsigned long value,
			    bool may_force)
{
	unsigned long policy;
	int ret = 0;

	if (mmap_write_lock_killable(mm))
		return -EINTR;
	policy = superpage_mm_policy(mm);
	if (value & ~policy & SUPERPAGE_POLICY_FORCE && !may_force)
		ret = -EPERM;
	else
		superpage_set_policy(mm, (policy & ~mask) | value);
	/* As in superpage_set_disable(). */
	__superpage_note_change(mm);
	mmap_write_unlock(mm);
	/* What the program does next finds it. */
	if (!ret && mask & SUPERPAGE_POLICY_FORCE)
		superpage_forced_sync();
	return ret;
}
