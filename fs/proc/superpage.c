// SPDX-License-Identifier: GPL-2.0
/*
 * /proc/PID/superpage: which superpages a program and what it starts may have.
 *
 * Anybody may read it.  A writer needs permission to open the file, and PTRACE_MODE_READ
 * access to the program, which must not have more privileges than the writer.
 *
 * See Documentation/admin-guide/mm/superpage.rst.
 */

#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/ptrace.h>
#include <linux/sched/mm.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/superpage.h>
#include <linux/uaccess.h>

#include "internal.h"

/* Longer than any valid text. */
#define SUPERPAGE_TEXT	128

static ssize_t proc_superpage_read(struct file *file, char __user *buf, size_t count,
				   loff_t *ppos)
{
	struct task_struct *task = get_proc_task(file_inode(file));
	char text[SUPERPAGE_TEXT];
	struct mm_struct *mm;
	int len;

	if (!task)
		return -ESRCH;
	mm = get_task_mm(task);
	put_task_struct(task);
	if (!mm)
		return -ESRCH;
	len = superpage_policy_print(mm, text, sizeof(text));
	mmput(mm);
	return simple_read_from_buffer(buf, count, ppos, text, len);
}

/*
 * Both the opener and the writer must be privileged.  A privileged program may have been
 * given the open file as its output, and a privileged program may have passed the open file
 * to an unprivileged one.
 */
static bool proc_superpage_may_force(struct file *file)
{
	return capable(CAP_SYS_RESOURCE) &&
	       file_ns_capable(file, &init_user_ns, CAP_SYS_RESOURCE);
}

static ssize_t proc_superpage_write(struct file *file, const char __user *buf, size_t count,
				    loff_t *ppos)
{
	unsigned long mask, value;
	struct task_struct *task;
	struct mm_struct *mm;
	char *text;
	int ret;

	/* Take only the whole text at once, or a part of it would apply for a while. */
	if (*ppos || !count || count >= SUPERPAGE_TEXT)
		return -EINVAL;
	text = memdup_user_nul(buf, count);
	if (IS_ERR(text))
		return PTR_ERR(text);
	ret = strlen(text) == count ? superpage_policy_parse(text, &mask, &value) : -EINVAL;
	kfree(text);
	if (ret)
		return ret;

	task = get_proc_task(file_inode(file));
	if (!task)
		return -ESRCH;
	mm = mm_access(task, PTRACE_MODE_READ_FSCREDS);
	put_task_struct(task);
	if (IS_ERR_OR_NULL(mm))
		return mm ? PTR_ERR(mm) : -ESRCH;
	ret = superpage_policy_change(mm, mask, value,
				      value & SUPERPAGE_POLICY_FORCE &&
				      proc_superpage_may_force(file));
	mmput(mm);
	return ret ?: count;
}

const struct file_operations proc_superpage_operations = {
	.read		= proc_superpage_read,
	.write		= proc_superpage_write,
	.llseek		= generic_file_llseek,
};
