// SPDX-License-Identifier: GPL-2.0
/*
 * Superpages: the thread khugepaged, which makes superpages in the background.
 *
 * Code that demotes a superpage, or that maps a base page where a superpage might be, notes
 * that the mm has changed.  A second later, or after scan_sleep_millisecs if it has just
 * done much work, the thread goes through the mms that have changed.  It promotes blocks
 * that have become whole, and collapses blocks that become whole if some pages are moved
 * or filled: in place if it can, otherwise in new frames.
 *
 * There is no list of mms.  The thread goes through the processes by their PIDs, and skips
 * those whose mm has not changed.
 *
 * The thread never has a reference to the users of an mm.  It may wait for memory when it
 * reads pages from swap.  A process that the OOM killer has killed must be able to free its
 * own memory meanwhile, or the OOM killer would kill others.  So the thread stops when it
 * sees an mm without users, and exit_mmap() waits until the thread has dropped mmap_lock.
 * exit_mmap() does not wait by taking that lock: a waiting writer would keep out the OOM
 * reaper, which may free the memory that the thread is waiting for.
 *
 * Before each step of a pass, the thread looks at the blocks that miss the TLB most, if
 * they are known.
 *
 * pages_to_scan limits the work of one interval of scan_sleep_millisecs.  Each PTE counts,
 * a superpage counts as one, and a page that moves counts MOVE_COST.  The thread exceeds
 * the limit by at most one block, which has 1 MiB or costs no more than pages_to_scan
 * itself.  When two passes have found no change, the thread sleeps without a timer.  When
 * no size is permitted, there is no thread.
 */

#define pr_fmt(fmt) "superpage: " fmt

#include <linux/freezer.h>
#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/oom.h>
#include <linux/pid.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/superpage.h>
#include <linux/swap.h>
#include <linux/sysfs.h>
#include <linux/wait.h>
#include <linux/wait_bit.h>

#include "internal.h"
#include "superpage.h"

/*
 * Moving a page costs as much as looking at this many PTEs: one for each cache line of
 * 128 bytes, and 32 for everything else.
 */
#define MOVE_COST	(PAGE_SIZE / 128 + 32)

/* How many PTEs of one mm the thread looks at before the next mm gets its turn. */
#define TURN		(64L * SUPERPAGE_HUGE_NR)

/* log2 of the most seconds for which khugepaged skips an mm. */
#define BACKOFF_MAX	6

/* The same for an mm in which a page could not be moved. */
#define TRIES_MAX	4

static unsigned int pages_to_scan __read_mostly = 512 * 1024;
static unsigned int scan_sleep_millisecs __read_mostly = 10000;
static unsigned int alloc_sleep_millisecs __read_mostly = 60000;
static unsigned int max_ptes_none __read_mostly = SUPERPAGE_HUGE_NR / 2;
static unsigned int max_ptes_swap __read_mostly = SUPERPAGE_HUGE_NR / 8;
static unsigned int max_ptes_shared __read_mostly = SUPERPAGE_HUGE_NR / 2;
static unsigned int khugepaged_defrag __read_mostly = 1;

static unsigned int full_scans, pages_collapsed;

static struct task_struct *khugepaged;

/* The mm whose mmap_lock the thread holds.  It has a reference to mm_count only. */
static struct mm_struct *khugepaged_mm;

static DECLARE_WAIT_QUEUE_HEAD(khugepaged_wait);

/* A knob has changed. */
static bool khugepaged_hurry;

/* Some mm has changed since the latest pass began. */
static bool khugepaged_changed;

/*
 * Incremented when more may be permitted than before, or when a knob has changed.  Then every
 * mm counts as changed.
 */
static unsigned int khugepaged_epoch;

/**
 * struct khugepaged_pass - progress of the thread
 * @pid: the process whose turn it is; 0 between two passes
 * @budget: what is left of pages_to_scan
 * @filled: when @budget was last increased, in jiffies
 * @pending: an mm has to be scanned again
 * @wait: an mm has to be scanned again, but not before @until
 * @until: in jiffies
 * @more: an mm was not scanned to its end because others had their turn
 * @drained: per-CPU lists of pages have been drained in this pass
 * @scarce: the smallest order of which there were no contiguous frames; 0 if none
 * @scarce_until: until then, in jiffies, no frames of @scarce or larger are requested
 * @epoch: khugepaged_epoch when @scarce was last cleared for it
 */
static struct khugepaged_pass {
	int pid;
	long budget;
	unsigned long filled;
	bool pending;
	bool wait;
	unsigned long until;
	bool more;
	bool drained;
	unsigned int scarce;
	unsigned long scarce_until;
	unsigned int epoch;
} pass;

/**
 * __superpage_note_change() - note that an mm is worth scanning
 * @mm: the mm
 *
 * Context: any in which a spinlock may be taken.  Called about once per mm and pass.
 */
void __superpage_note_change(struct mm_struct *mm)
{
	WRITE_ONCE(mm->superpage.changed, true);
	/* The thread clears khugepaged_changed before it looks for mms that have changed. */
	smp_mb();
	if (!READ_ONCE(khugepaged_changed)) {
		WRITE_ONCE(khugepaged_changed, true);
		wake_up(&khugepaged_wait);
	}
}

/**
 * superpage_max_none() - max_ptes_none, for the search for underused superpages
 * @order: order of the superpage
 *
 * The search must not split superpages that khugepaged would make again.
 *
 * Return: how many pages of the superpage may be pages of zeroes; all of them if
 * max_ptes_none has its largest value
 */
unsigned int superpage_max_none(unsigned int order)
{
	unsigned int most = READ_ONCE(max_ptes_none);

	return most == SUPERPAGE_HUGE_NR - 1 ? 1U << order :
	       mult_frac(most, 1U << order, SUPERPAGE_HUGE_NR);
}

/* --- Which blocks to collapse ------------------------------------------------------- */

/*
 * Return the orders that khugepaged collapses to.  Superpages larger than 1 MiB come from
 * promotion in place, or from MADV_COLLAPSE.  But if only larger sizes are permitted,
 * khugepaged collapses to the smallest of them.
 */
static unsigned long khugepaged_orders(struct vm_area_struct *vma)
{
	unsigned long orders = superpage_vma_may(vma) ? superpage_vma_orders(vma) : 0;
	unsigned long small = orders & GENMASK(SUPERPAGE_HUGE_ORDER, 0);

	return small ?: orders & -orders;
}

/*
 * Return how many pages of a block may be missing.  max_ptes_none is for 1 MiB.  If the
 * largest permitted size is smaller, a block of that size may lack its share of them.  In
 * blocks of other sizes no page may be missing: pages filled in for a small superpage would
 * count as present for the next larger one, and so on.  But with the largest value of
 * max_ptes_none all pages but one may be missing, in each size up to 1 MiB.
 */
static unsigned int khugepaged_may_lack(struct vm_area_struct *vma, unsigned int order)
{
	unsigned int n = 1U << order, most = READ_ONCE(max_ptes_none);

	/* mlock2(MLOCK_ONFAULT) asks to lock only what is touched. */
	if (vma->vm_flags & VM_LOCKONFAULT || order > SUPERPAGE_HUGE_ORDER)
		return 0;
	if (most == SUPERPAGE_HUGE_NR - 1)
		return n - 1;
	if (order != __fls(khugepaged_orders(vma)))
		return 0;
	return mult_frac(most, n, SUPERPAGE_HUGE_NR);
}

/*
 * Would the block cost too much?  Once the thread has begun to collapse a block, it goes on
 * to the end, whatever is left of the budget.  So a block larger than 1 MiB must not cost
 * more than pages_to_scan.
 */
static bool khugepaged_too_much(unsigned int order, const struct superpage_look *look)
{
	unsigned long moves = superpage_needs_frames(look) ? 1UL << order : look->away;

	return order > SUPERPAGE_HUGE_ORDER && moves * MOVE_COST > READ_ONCE(pages_to_scan);
}

static bool khugepaged_may(struct vm_area_struct *vma, unsigned int order,
			   const struct superpage_look *look)
{
	bool huge = order == SUPERPAGE_HUGE_ORDER;
	enum vm_event_item event;

	if (look->ksm || look->lazyfree || khugepaged_too_much(order, look))
		return false;
	/* A program that has placed single pages on nodes wants them to stay there. */
	if (look->nid_votes < (int)look->present / 2)
		return false;
	if (look->none > khugepaged_may_lack(vma, order))
		event = THP_SCAN_EXCEED_NONE_PTE;
	else if (look->swap > (huge ? READ_ONCE(max_ptes_swap) : 0))
		event = THP_SCAN_EXCEED_SWAP_PTE;
	else if (look->shared > (huge ? READ_ONCE(max_ptes_shared) : 0))
		event = THP_SCAN_EXCEED_SHARED_PTE;
	else
		return true;
	if (huge)
		count_vm_event(event);
	return false;
}

/* --- The lock of an mm that may have ended ----------------------------------------------- */

/* The thread has dropped mmap_lock: let exit_mmap() of this mm go on. */
static void khugepaged_leave(void)
{
	/* Order all accesses under the lock before this store. */
	smp_store_release(&khugepaged_mm, NULL);
	/* Order the store before the look at the wait queue. */
	smp_mb();
	wake_up_var(&khugepaged_mm);
}

/**
 * superpage_khugepaged_lock() - khugepaged takes an mmap_lock
 * @mm: the mm, of which khugepaged has a reference to mm_count
 * @write: take it for writing
 *
 * Does not wait: page faults come first.
 *
 * Return: true if khugepaged has the lock now; false if somebody else holds it, or if the
 * mm has no users any more
 */
bool superpage_khugepaged_lock(struct mm_struct *mm, bool write)
{
	WRITE_ONCE(khugepaged_mm, mm);
	/*
	 * superpage_khugepaged_exit() reads khugepaged_mm after mm_users has become 0.  This
	 * function reads mm_users after it has set khugepaged_mm.  So at least one of them
	 * sees the other's store.
	 */
	smp_mb();
	if (atomic_read(&mm->mm_users) && (write ? mmap_write_trylock(mm) : mmap_read_trylock(mm)))
		return true;
	khugepaged_leave();
	return false;
}

/**
 * superpage_khugepaged_unlock() - khugepaged drops an mmap_lock
 * @mm: the mm
 * @write: it was taken for writing
 */
void superpage_khugepaged_unlock(struct mm_struct *mm, bool write)
{
	if (write)
		mmap_write_unlock(mm);
	else
		mmap_read_unlock(mm);
	khugepaged_leave();
}

/**
 * superpage_khugepaged_exit() - have khugepaged leave an mm before it is unmapped
 * @mm: the mm, which has no users any more
 *
 * Waits if khugepaged holds mmap_lock.  That is not long: under the lock khugepaged looks at
 * TURN pages or at one block, moves 1 MiB, or reads one page from swap, since
 * superpage_swap_in() checks for users before each page.  Then drops what is known of the
 * mm's TLB misses.
 */
void superpage_khugepaged_exit(struct mm_struct *mm)
{
	/*
	 * Pairs with the barriers of superpage_khugepaged_lock() and of
	 * superpage_note_miss().  The decrement of mm_users need not be a full barrier:
	 * that of ia64 is a release only.
	 */
	smp_mb();
	wait_var_event(&khugepaged_mm, READ_ONCE(khugepaged_mm) != mm);
	if (READ_ONCE(mm->superpage.missed))
		superpage_forget_misses(mm);
}

/* --- One mm ---------------------------------------------------------------------------- */

/**
 * struct khugepaged_block - a block to collapse
 * @addr: address of the block
 * @order: order of the block; 0 if no block was found
 * @short_of_frames: a block was found, but contiguous frames have just run out
 */
struct khugepaged_block {
	unsigned long addr;
	unsigned int order;
	bool short_of_frames;
};

/* Promote the superpage at @addr, with its neighbours, to the largest size possible. */
static void khugepaged_climb(struct vm_area_struct *vma, unsigned long addr)
{
	unsigned long next;
	spinlock_t *ptl;
	pte_t *pte;
	pmd_t *pmd;

	pte = superpage_leaf(vma->vm_mm, addr, addr + PAGE_SIZE, &next, &pmd);
	if (!pte)
		return;
	ptl = pte_lockptr(vma->vm_mm, pmd);
	spin_lock(ptl);
	superpage_promote_page(vma, addr, pte, MAX_ORDER - 1, THP_COLLAPSE_ALLOC);
	spin_unlock(ptl);
}

/* Is it worth requesting contiguous frames of this order? */
static bool khugepaged_frames(unsigned int order)
{
	if (pass.scarce && time_after(jiffies, pass.scarce_until))
		pass.scarce = 0;
	return !pass.scarce || order < pass.scarce;
}

static void khugepaged_no_frames(unsigned int order)
{
	/* Do not extend the wait for larger blocks when smaller ones run out, too. */
	if (!pass.scarce)
		pass.scarce_until = jiffies +
				    msecs_to_jiffies(READ_ONCE(alloc_sleep_millisecs));
	pass.scarce = order;
}

/*
 * Look at the block that begins at @addr.  Promotes it in place if possible.  If pages have
 * to move, fills in @block for the caller, who has to drop mmap_lock first.
 *
 * Returns the address at which to go on.
 */
static unsigned long khugepaged_look(struct vm_area_struct *vma, unsigned long addr,
				     unsigned long orders, struct khugepaged_block *block)
{
	unsigned long fit = orders & superpage_orders_at(addr, vma->vm_end);
	unsigned long least = PAGE_SIZE << __ffs(orders), size, next;
	struct superpage_look look;
	unsigned int order;

	/* Without its first leaf table, the block is empty or lacks too many pages. */
	if (!superpage_leaf(vma->vm_mm, addr, vma->vm_end, &next, NULL)) {
		pass.budget--;
		return next;
	}
	for (; fit; fit &= ~BIT(order)) {
		order = __fls(fit);
		size = PAGE_SIZE << order;
		superpage_look(vma, addr, order, &look);
		pass.budget -= look.whole ? 1 : 1 << order;
		if (look.whole) {
			khugepaged_climb(vma, addr);
			return addr + size;
		}
		if (look.none == 1U << order)
			return addr + size;
		if (look.strange || !khugepaged_may(vma, order, &look))
			continue;
		if (!look.away && superpage_promote_block(vma, addr, order)) {
			khugepaged_climb(vma, addr);
			return addr + size;
		}
		if (!superpage_needs_frames(&look) || khugepaged_frames(order)) {
			block->addr = addr;
			block->order = order;
			return addr + size;
		}
		block->short_of_frames = true;
	}
	return round_down(addr, least) + least;
}

/*
 * Collapse a block.  Returns -EAGAIN if the thread should try again later; -ENOMEM if this
 * was the first time that frames of this order could not be had, so that a smaller order
 * may work.
 */
static int khugepaged_collapse(struct mm_struct *mm, const struct khugepaged_block *block)
{
	struct superpage_how how = {
		.may = khugepaged_may,
	};
	long ret;

	if (khugepaged_frames(block->order))
		how.gfp = SUPERPAGE_GFP;
	if (how.gfp && READ_ONCE(khugepaged_defrag))
		how.gfp |= __GFP_DIRECT_RECLAIM | __GFP_NORETRY;
	ret = superpage_collapse(mm, block->addr, block->order, &how);
	/* Looking again, unmapping and mapping cost the same whether it succeeds or not. */
	pass.budget -= 1L << block->order;
	if (ret >= 0) {
		pass.budget -= ret * MOVE_COST;
		WRITE_ONCE(pages_collapsed, pages_collapsed + 1);
		mm->superpage.made = true;
		return 0;
	}
	if (ret == -ENOMEM && how.gfp) {
		khugepaged_no_frames(block->order);
		return -ENOMEM;
	}
	return ret == -ENOMEM || ret == -EAGAIN ? -EAGAIN : 0;
}

/*
 * At the end of an mm, plan another try if a block could not be collapsed.  A page may be
 * pinned for a moment, or for as long as a device uses it.  So the thread tries after 1 s,
 * 2 s, and so on up to 16 s.  Where only frames are missing, it waits until it may request
 * some again.  Returns false if there is nothing to try again.
 */
static bool khugepaged_try_later(struct mm_struct *mm)
{
	struct superpage_mm *sp = &mm->superpage;
	bool failed = sp->failed, scarce = sp->scarce;

	sp->failed = false;
	sp->scarce = false;
	if (!failed)
		sp->tries = 0;
	if (!failed && !scarce)
		return false;
	/*
	 * If a page could not be moved, try again after the backoff, although contiguous
	 * frames may still be missing elsewhere in the mm; the next look finds that out.
	 */
	sp->quiet_until = failed ? jiffies + (HZ << sp->tries) : pass.scarce_until;
	if (failed && sp->tries < TRIES_MAX)
		sp->tries++;
	WRITE_ONCE(sp->changed, true);
	return true;
}

/*
 * Give an mm its turn, from where its last turn ended.  Does not wait for mmap_lock: page
 * faults come first.  Returns true if the thread is done with the mm.
 */
static bool khugepaged_scan_mm(struct mm_struct *mm)
{
	unsigned long addr = mm->superpage.scan_at, orders, least;
	long end = pass.budget - min(pass.budget, TURN);
	struct khugepaged_block block = {};
	struct vm_area_struct *vma;
	bool failed = false, done = false, again = false;
	int ret;

	while (!kthread_should_stop() && pass.budget > end) {
		block.order = 0;
		if (!superpage_khugepaged_lock(mm, false)) {
			/* The scan of this mm has not begun.  Have the next pass do it. */
			if (!addr)
				WRITE_ONCE(mm->superpage.changed, true);
			break;
		}
		vma = find_vma(mm, addr);
		while (vma && !block.order && pass.budget > end && !need_resched()) {
			orders = khugepaged_orders(vma);
			if (!orders) {
				pass.budget--;
				addr = vma->vm_end;
			} else {
				least = PAGE_SIZE << __ffs(orders);
				addr = ALIGN(max(addr, vma->vm_start), least);
				if (addr + least <= vma->vm_end)
					addr = khugepaged_look(vma, addr, orders, &block);
				else
					addr = vma->vm_end;
			}
			if (addr >= vma->vm_end)
				vma = find_vma(mm, addr);
		}
		superpage_khugepaged_unlock(mm, false);
		done = !vma;
		ret = block.order ? khugepaged_collapse(mm, &block) : 0;
		if (ret == -EAGAIN)
			failed = true;
		if (ret == -ENOMEM) {
			/* The next look finds a smaller block and notes the shortage. */
			addr = block.addr;
			done = false;
		}
		if (done)
			break;
		cond_resched();
	}
	mm->superpage.scan_at = done ? 0 : addr;
	mm->superpage.failed |= failed;
	mm->superpage.scarce |= block.short_of_frames;
	if (done)
		again = khugepaged_try_later(mm);
	pass.more |= pass.budget <= end && !done;
	return done && !again;
}

/*
 * A program may demote superpages again and again, so that the thread moves pages each
 * time.  The thread skips such an mm for longer and longer, up to 64 s.  Each time it finds
 * that the program has demoted none, it skips the mm for half as long.  If it has moved
 * nothing for 128 s, it starts anew.
 */
static void khugepaged_back_off(struct mm_struct *mm)
{
	struct superpage_mm *sp = &mm->superpage;
	unsigned long now = jiffies, sleep;

	if (!sp->made)
		return;
	/* Passes may be this far apart.  The minimum avoids an overflow. */
	sleep = msecs_to_jiffies(min(READ_ONCE(scan_sleep_millisecs), 3600U * MSEC_PER_SEC));
	if (time_after(now, sp->made_at + (HZ << (BACKOFF_MAX + 1))))
		sp->backoff = 0;
	else if (!sp->apart)
		sp->backoff -= !!sp->backoff;
	else if (time_before(now, sp->quiet_until + 10 * HZ + 2 * sleep) &&
		 sp->backoff < BACKOFF_MAX)
		sp->backoff++;
	sp->made = false;
	WRITE_ONCE(sp->apart, false);
	sp->made_at = now;
	if (time_after(now + (HZ << sp->backoff), sp->quiet_until))
		sp->quiet_until = now + (HZ << sp->backoff);
}

/* Does an mm have to be scanned now? */
static bool khugepaged_due(struct mm_struct *mm)
{
	struct superpage_mm *sp = &mm->superpage;
	unsigned int epoch = READ_ONCE(khugepaged_epoch);

	/* When superpages are permitted again, __superpage_note_change() is called anyway. */
	if (superpage_disabled(mm))
		return false;
	if (sp->scan_at)
		return true;
	if (!READ_ONCE(sp->changed) && sp->epoch == epoch && !sp->passes)
		return false;
	/* khugepaged_turn() does so after the last pass.  An mm that keeps changing has none. */
	if (READ_ONCE(sp->changed))
		khugepaged_back_off(mm);
	/* After a change of the settings, do not wait for as long as the old ones said. */
	if (sp->epoch != epoch)
		sp->quiet_until = jiffies;
	if (time_before(jiffies, sp->quiet_until)) {
		if (!pass.wait || time_before(sp->quiet_until, pass.until))
			pass.until = sp->quiet_until;
		pass.wait = true;
		return false;
	}
	if (READ_ONCE(sp->changed) || sp->epoch != epoch) {
		WRITE_ONCE(sp->changed, false);
		/* Clear this before reading PTEs: a later change must be noted again. */
		smp_mb();
		sp->epoch = epoch;
		sp->passes = 2;
	}
	sp->passes--;
	return true;
}

static void khugepaged_drain(void)
{
	if (pass.drained)
		return;
	/* Pages in per-CPU LRU batches cannot move, and homes may be on per-CPU free lists. */
	lru_add_drain_all();
	drain_all_pages(NULL);
	pass.drained = true;
}

static void khugepaged_turn(struct mm_struct *mm)
{
	if (!khugepaged_due(mm))
		return;
	khugepaged_drain();
	if (!khugepaged_scan_mm(mm) || mm->superpage.passes)
		pass.pending = true;
	else
		khugepaged_back_off(mm);
}

/**
 * superpage_next_mm() - find the mm of the next process
 * @next: the first PID to look at; becomes the PID after the one that was found
 * @budget: decremented for each PID that this looks at
 *
 * May sleep.
 *
 * Return: the mm, with a reference for mmdrop(); NULL after the last process
 */
struct mm_struct *superpage_next_mm(int *next, long *budget)
{
	struct task_struct *task;
	struct mm_struct *mm = NULL;
	struct pid *pid;

	while (!mm) {
		task = NULL;
		rcu_read_lock();
		pid = find_ge_pid(*next, &init_pid_ns);
		if (pid) {
			*next = pid_nr(pid) + 1;
			task = pid_task(pid, PIDTYPE_TGID);
			/* The thread group leader may have ended. */
			if (task && !(task->flags & PF_KTHREAD))
				task = find_lock_task_mm(task);
			else
				task = NULL;
		}
		if (task) {
			mm = task->mm;
			mmgrab(mm);
			task_unlock(task);
		}
		rcu_read_unlock();
		if (!pid)
			return NULL;
		--*budget;
		cond_resched();
	}
	return mm;
}

/* --- The thread ------------------------------------------------------------------------ */

static void khugepaged_add_budget(void)
{
	unsigned long now = jiffies, passed = now - pass.filled;
	unsigned long sleep = msecs_to_jiffies(READ_ONCE(scan_sleep_millisecs));
	long most = READ_ONCE(pages_to_scan);

	pass.filled = now;
	if (passed >= sleep)
		pass.budget = most;
	else
		pass.budget = min(most, pass.budget + (long)mult_frac((unsigned long)most, passed,
								      sleep));
}

/*
 * Make superpages of the block of 1 MiB at @addr, or of the larger one around it if all
 * permitted sizes are larger.  Stops when the budget is down to @least.
 */
static void khugepaged_do_block(struct mm_struct *mm, unsigned long addr, long least)
{
	unsigned long at = 0, start, end, size, step, orders;
	struct khugepaged_block block;
	struct vm_area_struct *vma;

	do {
		block = (struct khugepaged_block) {};
		if (superpage_disabled(mm) || time_before(jiffies, mm->superpage.quiet_until) ||
		    !superpage_khugepaged_lock(mm, false))
			return;
		vma = find_vma(mm, max(at, addr));
		orders = vma ? khugepaged_orders(vma) : 0;
		if (orders) {
			step = PAGE_SIZE << __ffs(orders);
			size = max(step, SUPERPAGE_HUGE_SIZE);
			start = round_down(addr, size);
			end = min(start + size, vma->vm_end);
			at = ALIGN(max3(at, start, vma->vm_start), step);
			while (at + step <= end && !block.order)
				at = khugepaged_look(vma, at, orders, &block);
		}
		superpage_khugepaged_unlock(mm, false);
		if (!block.order)
			return;
		/* The next look finds a smaller block. */
		if (khugepaged_collapse(mm, &block) == -ENOMEM)
			at = block.addr;
		cond_resched();
	} while (pass.budget > least && !kthread_should_stop());
}

/*
 * Collapse the blocks that miss the TLB most.  This takes about three quarters of the budget
 * at most, and leaves the rest to the pass through all processes.
 */
static void khugepaged_do_most_missed(void)
{
	long end = pass.budget / 4;
	struct mm_struct *mm;
	unsigned long addr;

	arch_superpage_note_misses();
	while (pass.budget > end && !kthread_should_stop()) {
		mm = superpage_most_missed(&addr);
		if (!mm)
			break;
		khugepaged_drain();
		khugepaged_do_block(mm, addr, end);
		mmdrop(mm);
		pass.budget--;
		cond_resched();
	}
	superpage_fade_misses();
}

/* Go on with the pass through all processes, as far as the budget reaches. */
static void khugepaged_do_pass(void)
{
	struct mm_struct *mm;

	if (!pass.pid) {
		/* The pass has begun, and goes on later if the budget is used up now. */
		pass.pid = 1;
		pass.pending = false;
		pass.wait = false;
		pass.drained = false;
		WRITE_ONCE(khugepaged_changed, false);
		/* See __superpage_note_change(). */
		smp_mb();
	}
	khugepaged_do_most_missed();
	while (pass.budget > 0 && !kthread_should_stop()) {
		mm = superpage_next_mm(&pass.pid, &pass.budget);
		if (!mm) {
			if (pass.more) {
				pass.pid = 1;
				pass.more = false;
				continue;
			}
			pass.pid = 0;
			/* An mm that is skipped for now was not scanned. */
			if (!pass.wait)
				WRITE_ONCE(full_scans, full_scans + 1);
			return;
		}
		khugepaged_turn(mm);
		mmdrop(mm);
	}
}

/* Is it time for a pass to begin or to go on? */
static bool khugepaged_has_work(void)
{
	return pass.pid || pass.pending || READ_ONCE(khugepaged_changed) ||
	       (pass.wait && time_after_eq(jiffies, pass.until));
}

/* Sleep until there is work, then for as long as the files in sysfs say. */
static void khugepaged_sleep(void)
{
	unsigned int sleep = READ_ONCE(scan_sleep_millisecs);

	if (pass.wait)
		wait_event_freezable_timeout(khugepaged_wait,
					     kthread_should_stop() || khugepaged_has_work(),
					     max_t(long, pass.until - jiffies, 1));
	else
		wait_event_freezable(khugepaged_wait,
				     kthread_should_stop() || khugepaged_has_work());
	WRITE_ONCE(khugepaged_hurry, false);
	if (pass.epoch != READ_ONCE(khugepaged_epoch)) {
		pass.epoch = READ_ONCE(khugepaged_epoch);
		pass.scarce = 0;
	}
	/* An mm that has just changed may go on changing, and the budget must refill. */
	if (pass.budget > READ_ONCE(pages_to_scan) / 2)
		sleep = min(sleep, 1000U);
	wait_event_freezable_timeout(khugepaged_wait,
				     kthread_should_stop() || READ_ONCE(khugepaged_hurry),
				     max(msecs_to_jiffies(sleep), 1UL));
}

static int khugepaged_main(void *unused)
{
	set_freezable();
	set_user_nice(current, MAX_NICE);
	while (!kthread_should_stop()) {
		khugepaged_sleep();
		khugepaged_add_budget();
		if (!kthread_should_stop())
			khugepaged_do_pass();
	}
	return 0;
}

/**
 * superpage_khugepaged_run() - start or stop the thread
 * @run: some order is permitted
 *
 * Called with the mutex of the words of sysfs held: when the words have changed, when the
 * first mm gets a policy with "force" or the last one loses it, and once at boot.
 */
void superpage_khugepaged_run(bool run)
{
	struct task_struct *task;

	/* Superpages may now be permitted in places where they were not. */
	WRITE_ONCE(khugepaged_epoch, khugepaged_epoch + 1);
	WRITE_ONCE(khugepaged_changed, true);
	if (run && !khugepaged) {
		memset(&pass, 0, sizeof(pass));
		pass.filled = jiffies;
		pass.budget = pages_to_scan;
		task = kthread_run(khugepaged_main, NULL, "khugepaged");
		if (IS_ERR(task))
			pr_err("cannot start khugepaged (error %ld); no superpages are made in the background\n",
			       PTR_ERR(task));
		else
			khugepaged = task;
	} else if (!run && khugepaged) {
		kthread_stop(khugepaged);
		khugepaged = NULL;
	} else if (run) {
		wake_up(&khugepaged_wait);
	}
}

/**
 * superpage_khugepaged_mm_init() - initialize what khugepaged keeps in an mm
 * @mm: the new mm, whose struct superpage_mm is zeros
 */
void superpage_khugepaged_mm_init(struct mm_struct *mm)
{
	struct superpage_mm *sp = &mm->superpage;

	sp->made_at = jiffies - (HZ << (BACKOFF_MAX + 2));
	sp->quiet_until = sp->made_at;
	sp->epoch = READ_ONCE(khugepaged_epoch);
}

/* --- Files ------------------------------------------------------------------------------ */

/**
 * struct khugepaged_knob - a file in sysfs
 * @attr: its attribute
 * @value: the variable behind it
 * @min: the smallest value that may be written
 * @max: the largest one
 */
struct khugepaged_knob {
	struct kobj_attribute attr;
	unsigned int *value, min, max;
};

static ssize_t khugepaged_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	struct khugepaged_knob *knob = container_of(attr, struct khugepaged_knob, attr);

	return sysfs_emit(buf, "%u\n", READ_ONCE(*knob->value));
}

static ssize_t khugepaged_store(struct kobject *kobj, struct kobj_attribute *attr,
				const char *buf, size_t count)
{
	struct khugepaged_knob *knob = container_of(attr, struct khugepaged_knob, attr);
	unsigned int n;

	if (kstrtouint(buf, 10, &n) || n < knob->min || n > knob->max)
		return -EINVAL;
	WRITE_ONCE(*knob->value, n);
	/* Look again at all mms.  Two increments at once may count as one. */
	WRITE_ONCE(khugepaged_epoch, khugepaged_epoch + 1);
	WRITE_ONCE(khugepaged_changed, true);
	WRITE_ONCE(khugepaged_hurry, true);
	wake_up(&khugepaged_wait);
	return count;
}

#define KHUGEPAGED_FILE(name, mode, what, least, most)				\
static struct khugepaged_knob name##_knob = {					\
	.attr = __ATTR(name, mode, khugepaged_show, khugepaged_store),		\
	.value = what,								\
	.min = least,								\
	.max = most,								\
}

KHUGEPAGED_FILE(pages_to_scan, 0644, &pages_to_scan, 1, INT_MAX);
KHUGEPAGED_FILE(scan_sleep_millisecs, 0644, &scan_sleep_millisecs, 0, UINT_MAX);
KHUGEPAGED_FILE(alloc_sleep_millisecs, 0644, &alloc_sleep_millisecs, 0, UINT_MAX);
KHUGEPAGED_FILE(max_ptes_none, 0644, &max_ptes_none, 0, SUPERPAGE_HUGE_NR - 1);
KHUGEPAGED_FILE(max_ptes_swap, 0644, &max_ptes_swap, 0, SUPERPAGE_HUGE_NR - 1);
KHUGEPAGED_FILE(max_ptes_shared, 0644, &max_ptes_shared, 0, SUPERPAGE_HUGE_NR - 1);
KHUGEPAGED_FILE(defrag, 0644, &khugepaged_defrag, 0, 1);
KHUGEPAGED_FILE(full_scans, 0444, &full_scans, 0, 0);
KHUGEPAGED_FILE(pages_collapsed, 0444, &pages_collapsed, 0, 0);

static struct attribute *khugepaged_attrs[] = {
	&defrag_knob.attr.attr,
	&pages_to_scan_knob.attr.attr,
	&scan_sleep_millisecs_knob.attr.attr,
	&alloc_sleep_millisecs_knob.attr.attr,
	&max_ptes_none_knob.attr.attr,
	&max_ptes_swap_knob.attr.attr,
	&max_ptes_shared_knob.attr.attr,
	&full_scans_knob.attr.attr,
	&pages_collapsed_knob.attr.attr,
	NULL
};

/* The directory khugepaged/ in /sys/kernel/mm/transparent_hugepage. */
const struct attribute_group superpage_khugepaged_group = {
	.name = "khugepaged",
	.attrs = khugepaged_attrs,
};
