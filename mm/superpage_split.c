// SPDX-License-Identifier: GPL-2.0
/*
 * Superpages: /sys/kernel/debug/split_huge_pages.  Tests of transparent huge pages
 * write to it to have huge pages split:
 *
 *  PID,0xSTART,0xEND[,ORDER]	superpages of a process in a range of addresses
 *  /PATH,0xSTART,0xEND[,ORDER]	those of a file in a range of pages; there are none
 *  1				superpages of all processes
 *
 * The superpages become superpages of ORDER, or of the largest possible order below it.
 * If ORDER is 0 or not given, they become base pages, and the kernel gives back those that
 * are all zeroes, as it does for an underused superpage.
 */

#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/mmap_lock.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/superpage.h>
#include <linux/swap.h>
#include <linux/uaccess.h>

#include <asm/tlbflush.h>

#include "superpage.h"

/* The same limit as in mm/huge_memory.c. */
#define INPUT_SIZE	255

/*
 * Demote the superpage around @addr if it is larger than @order.  Returns the address
 * to go on from.
 */
static unsigned long superpage_split_one(struct vm_area_struct *vma, unsigned long addr,
					 unsigned int order)
{
	unsigned long next, start, end;
	unsigned int old = 0;
	spinlock_t *ptl;
	pte_t *pte;
	pmd_t *pmd;

	pte = superpage_leaf(vma->vm_mm, addr, vma->vm_end, &next, &pmd);
	if (!pte)
		return next;
	ptl = pte_lockptr(vma->vm_mm, pmd);
	spin_lock(ptl);
	if (pte_superpage(*pte))
		old = pte_superpage_order(*pte);
	start = round_down(addr, PAGE_SIZE << old);
	end = start + (PAGE_SIZE << old);
	if (old > order) {
		superpage_demote_to(vma->vm_mm, addr, pte,
				    superpage_possible_orders() & GENMASK(order, 0));
		/* Accessed bits may be cleared now, see superpage_split_at(). */
		flush_tlb_range(vma, start, end);
	}
	spin_unlock(ptl);
	if (old > order && !order)
		superpage_give_back_zeroes(vma, start, end);
	return end;
}

static int superpage_split_mm(struct mm_struct *mm, unsigned long start, unsigned long end,
			      unsigned int order)
{
	struct vm_area_struct *vma;
	unsigned long addr;

	if (mmap_read_lock_killable(mm))
		return -EINTR;
	for (addr = start; addr < end && !fatal_signal_pending(current);) {
		vma = find_vma(mm, addr);
		if (!vma || vma->vm_start >= end)
			break;
		addr = max(addr, vma->vm_start);
		if (!vma_is_anonymous(vma)) {
			addr = vma->vm_end;
			continue;
		}
		addr = superpage_split_one(vma, addr, order);
		cond_resched();
	}
	mmap_read_unlock(mm);
	return 0;
}

static int superpage_split_pid(int pid, unsigned long start, unsigned long end,
			       unsigned int order)
{
	struct task_struct *task = find_get_task_by_vpid(pid);
	struct mm_struct *mm;
	int ret;

	if (!task)
		return -ESRCH;
	mm = get_task_mm(task);
	put_task_struct(task);
	if (!mm)
		return -EINVAL;
	ret = superpage_split_mm(mm, start & PAGE_MASK, end & PAGE_MASK, order);
	mmput(mm);
	return ret;
}

static int superpage_split_all(void)
{
	struct mm_struct *mm;
	long budget = LONG_MAX;
	int pid = 0, ret = 0;

	while (!ret && (mm = superpage_next_mm(&pid, &budget))) {
		if (mmget_not_zero(mm)) {
			ret = superpage_split_mm(mm, 0, ULONG_MAX, 0);
			mmput(mm);
		}
		mmdrop(mm);
	}
	return ret;
}

/* Files have base pages only, so nothing is done if the file exists. */
static int superpage_split_file(char *text)
{
	char *path = strsep(&text, ",");
	unsigned long start, end;
	unsigned int order;
	struct file *file;
	int fields;

	fields = sscanf(text ?: "", "0x%lx,0x%lx,%d", &start, &end, &order);
	if (fields != 2 && fields != 3)
		return -EINVAL;
	file = filp_open(path, O_RDONLY, 0);
	if (IS_ERR(file))
		return -EINVAL;
	filp_close(file, NULL);
	return 0;
}

static ssize_t split_huge_pages_write(struct file *file, const char __user *user, size_t count,
				      loff_t *ppos)
{
	char text[INPUT_SIZE] = "";
	unsigned long start, end;
	unsigned int order = 0;
	int fields, pid;
	ssize_t len;
	int ret;

	if (copy_from_user(text, user, min(count, sizeof(text) - 1)))
		return -EFAULT;
	len = strlen(text);
	/* Per-CPU LRU batches hold references to pages, which would look pinned. */
	lru_add_drain_all();
	if (*text == '/') {
		ret = superpage_split_file(text);
	} else {
		fields = sscanf(text, "%d,0x%lx,0x%lx,%d", &pid, &start, &end, &order);
		if (fields == 1 && pid == 1)
			ret = superpage_split_all();
		else if (fields == 3 || fields == 4)
			ret = superpage_split_pid(pid, start, end, order);
		else
			ret = -EINVAL;
	}
	return ret ?: len;
}

static const struct file_operations split_huge_pages_fops = {
	.owner = THIS_MODULE,
	.write = split_huge_pages_write,
	.llseek = no_llseek,
};

static int __init superpage_split_init(void)
{
	debugfs_create_file("split_huge_pages", 0200, NULL, NULL, &split_huge_pages_fops);
	return 0;
}
late_initcall(superpage_split_init);
