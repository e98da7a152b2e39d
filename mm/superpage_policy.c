// SPDX-License-Identifier: GPL-2.0
/*
 * Superpages: the policy of one program and of the programs that it starts.
 *
 * Every mm has a policy: a mode, the orders that it is limited to, and whether orders
 * that the administrator has disabled count as "madvise".  fork() and exec() pass it
 * on.  /proc/PID/superpage shows and changes all of it.  PR_SET_THP_DISABLE is
 * another way to set two of the modes and has no state of its own.
 *
 * The policy is a single word, so that fork() and lockless readers see either the old
 * policy or the new one.  Writers hold mmap_lock for writing, and later page faults obey
 * the new policy.  Pages that are mapped stay as they are.
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

/**
 * superpage_set_policy() - set the policy of an mm
 * @mm: the mm; the caller holds its mmap_lock for writing, or nobody else can reach it
 * @policy: the policy
 */
void superpage_set_policy(struct mm_struct *mm, unsigned long policy)
{
	unsigned long changed = superpage_mm_policy(mm) ^ policy;

	WRITE_ONCE(mm->superpage.policy, policy);
	if (changed & SUPERPAGE_POLICY_FORCE)
		superpage_count_forced(policy & SUPERPAGE_POLICY_FORCE ? 1 : -1);
}

/**
 * __superpage_mm_destroy() - undo superpage_mm_init() when the mm is freed
 * @mm: the mm
 */
void __superpage_mm_destroy(struct mm_struct *mm)
{
	superpage_set_policy(mm, 0);
}

/**
 * superpage_exec_secure() - reset the policy for a program with more privileges
 *
 * Called by exec() for the current process if the new program gains privileges.  The
 * caller of exec() must not be able to make such a program use more memory.  This also
 * resets the orders: if the policy permits only large ones, the first touch maps the
 * smallest of these.  Modes other than "always" can only cause fewer superpages, and stay.
 */
void superpage_exec_secure(void)
{
	struct mm_struct *mm = current->mm;
	unsigned int mode = superpage_mode(mm);

	if (mode == SUPERPAGE_MODE_ALWAYS)
		mode = SUPERPAGE_MODE_DEFAULT;
	/* exec_update_lock keeps everybody else from the mm. */
	superpage_set_policy(mm, superpage_with_mode(0, mode));
}

/* --- PR_SET_THP_DISABLE and PR_GET_THP_DISABLE ------------------------------------- */

/**
 * superpage_disabled() - does a program want no superpages at all?
 * @mm: its mm
 *
 * Return: true if its mode is "never"
 */
bool superpage_disabled(struct mm_struct *mm)
{
	return superpage_mode(mm) == SUPERPAGE_MODE_NEVER;
}

/**
 * superpage_get_disable() - PR_GET_THP_DISABLE
 *
 * Return: 0; 1 if the current process wants no superpages; 3 if it wants them only
 * where it advises them
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
 * @disable: not 0 to disable superpages
 * @flags: 0, or PR_THP_DISABLE_EXCEPT_ADVISED
 *
 * With @disable 0, also ends a mode "never" or "madvise" that somebody has set by
 * /proc/PID/superpage.  Leaves the mode "always" as it is, which disables nothing.
 *
 * Return: 0; -EINVAL for wrong arguments; -EINTR if the process is being killed
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
	/* While superpages are disabled, khugepaged skips the mm but keeps this note. */
	__superpage_note_change(mm);
	mmap_write_unlock(mm);
	return 0;
}

/* --- The text of /proc/PID/superpage ------------------------------------------------ */

/**
 * superpage_policy_print() - print a policy in the format of superpage_policy_parse()
 * @mm: the mm
 * @buf: where to print
 * @size: size of @buf in bytes
 *
 * Return: the length of the text
 */
int superpage_policy_print(struct mm_struct *mm, char *buf, size_t size)
{
	unsigned long policy = superpage_mm_policy(mm);

	return scnprintf(buf, size, "mode %s\norders 0x%lx\nforce %d\n",
			 superpage_mode_name[policy & SUPERPAGE_POLICY_MODE],
			 policy >> SUPERPAGE_POLICY_SHIFT, !!(policy & SUPERPAGE_POLICY_FORCE));
}

/* Add what one line sets to *@mask and *@value.  -EINVAL if *@mask has the field already. */
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
 * superpage_policy_parse() - parse a change of a policy
 * @text: the text; it is modified
 * @mask: returns the bits that the text sets
 * @value: returns their values
 *
 * The text has one line for each field to be set, in any order: "mode always",
 * "orders 0x54", "force 0".
 *
 * Return: 0, or -EINVAL if any line is wrong
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
 * @mask: the bits to set, see superpage_policy_parse()
 * @value: their values
 * @may_force: may the caller enable orders that the administrator has disabled?
 *
 * Setting "force 1" where it is set already needs no privilege, so that a program may
 * write back what it has read.
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
	/* Wait until all page faults of the program obey the change. */
	if (!ret && mask & SUPERPAGE_POLICY_FORCE)
		superpage_forced_sync();
	return ret;
}
