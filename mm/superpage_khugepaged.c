// SPDX-License-Identifier: GPL-2.0
/*
 * Superpages: the thread khugepaged, which makes superpages while nobody waits.
 *
 * Whatever takes a superpage apart, or maps a base page where a superpage might be,
 * notes that its mm has changed.  After a second the thread goes through the mms that
 * have, and makes superpages of what has become whole, and of what can be made whole by
 * moving or filling some pages: first in place, then in new frames.
 *
 * There is no list of mms: the thread goes through the processes by their PIDs, and mms
 * that have not changed cost it one look.
 *
 * It is never a user of an mm.  It may wait for memory, to bring pages back from swap, and
 * a process that is killed for lack of memory has to give its own back when it ends, or
 * the OOM killer goes on with others.  Instead exit_mmap() waits until the thread has given
 * up mmap_lock, and the thread leaves alone what has no users any more.  It waits beside
 * the lock: a writer that waits for it would keep the OOM reaper out, which gives memory
 * back if that is what the thread is waiting for.
 *
 * Wherever it is in that, it first looks at what misses most in the TLB, if that is known.
 *
 * What it may do in scan_sleep_millisecs is bounded by pages_to_scan: the PTEs that it
 * looks at, where a superpage counts as one, and more for a page that moves.  It goes
 * beyond that by one block at most, which is of 1 MiB or costs no more than pages_to_scan.
 * When two passes have found no change, it sleeps without a timer.  When no size is
 * permitted, there is no thread.
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

/* What a page that moves costs, beside a PTE that is looked at: its lines, and itself. */
#define MOVE_COST	(PAGE_SIZE / 128 + 32)

/* How much of one mm is looked at before it is another's turn. */
#define TURN		(64L * SUPERPAGE_HUGE_NR)

/* The longest that an mm is left alone is this power of two of seconds. */
#define BACKOFF_MAX	6

/* The same for one in which something could not be moved. */
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

/* Whose mmap_lock it has, with a reference to the structure only. */
static struct mm_struct *khugepaged_mm;

static DECLARE_WAIT_QUEUE_HEAD(khugepaged_wait);

/* A knob has changed. */
static bool khugepaged_hurry;

/* Some mm has changed since the latest pass began. */
static bool khugepaged_changed;

/* Grows when more is permitted than before, which is a change of every mm. */
static unsigned int khugepaged_epoch;

/**
 * struct khugepaged_pass - how far the thread has come
 * @pid: the process whose turn it is; 0 between two passes
 * @budget: what is left of pages_to_scan
 * @filled: when it was last added to, in jiffies
 * @pending: an mm is to be looked at again
 * @wait: one is, but not before @until
 * @until: in jiffies
 * @more: an mm was left because others had their turn
 * @drained: what processors keep for themselves has been given back
 * @scarce: the smallest order of which there have been no contiguous frames; 0 if none
 * @scarce_until: until then none is asked for, nor of larger ones, in jiffies
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
} pass;

/**
 * __superpage_note_change() - an mm has become worth looking at
 * @mm: the mm
 *
 * Any context in which a spinlock may be taken.  Mostly called once for each pass.
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
 * superpage_max_none() - max_ptes_none, for who takes back what it lets be filled
 * @order: of a block
 *
 * Return: how many pages of the block may be of no use, all if the knob has its largest
 * value
 */
unsigned int superpage_max_none(unsigned int order)
{
	unsigned int most = READ_ONCE(max_ptes_none);

	return most == SUPERPAGE_HUGE_NR - 1 ? 1U << order :
	       mult_frac(most, 1U << order, SUPERPAGE_HUGE_NR);
}

/* --- What is worth it --------------------------------------------------------------- */

/*
 * Larger sizes are reached by promotion in place, or by who asks for them; the least of
 * them also by what is done here, where no other is permitted.
 */
static unsigned long khugepaged_orders(struct vm_area_struct *vma)
{
	unsigned long orders = superpage_vma_may(vma) ? superpage_vma_orders(vma) : 0;
	unsigned long small = orders & GENMASK(SUPERPAGE_HUGE_ORDER, 0);

	return small ?: orders & -orders;
}

/*
 * How many pages may be missing: max_ptes_none in the largest size up to 1 MiB, and as
 * many for its size if that is smaller.  None in others, or what was filled in a part
 * would be reason enough to fill the whole; but if a single page is enough, it is.
 */
static unsigned int khugepaged_may_lack(struct vm_area_struct *vma, unsigned int order)
{
	unsigned int n = 1U << order, most = READ_ONCE(max_ptes_none);

	/* Whoever locks what he touches does not want more locked. */
	if (vma->vm_flags & VM_LOCKONFAULT || order > SUPERPAGE_HUGE_ORDER)
		return 0;
	if (most == SUPERPAGE_HUGE_NR - 1)
		return n - 1;
	if (order != __fls(khugepaged_orders(vma)))
		return 0;
	return mult_frac(most, n, SUPERPAGE_HUGE_NR);
}

/*
 * A block is collapsed to the end, whatever is left of the budget.  One that is larger than
 * 1 MiB is not to cost more than the whole of it.
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
	/* Whoever has spread his pages over nodes, page by page, wants them to stay there. */
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

/* The exit of this mm need not wait any more. */
static void khugepaged_leave(void)
{
	/* After all that was done with the lock. */
	smp_store_release(&khugepaged_mm, NULL);
	/* Before it is looked whether anybody waits. */
	smp_mb();
	wake_up_var(&khugepaged_mm);
}

/**
 * superpage_khugepaged_lock() - khugepaged takes an mmap_lock
 * @mm: the mm, of which it has a reference to the structure
 * @write: for writing
 *
 * Page faults of who has the lock come first.
 *
 * Return: false if somebody has it, or the mm has no users any more
 */
bool superpage_khugepaged_lock(struct mm_struct *mm, bool write)
{
	WRITE_ONCE(khugepaged_mm, mm);
	/*
	 * superpage_khugepaged_exit() looks there when there are no users any more, and we
	 * look for users now: one of us sees what the other did.
	 */
	smp_mb();
	if (atomic_read(&mm->mm_users) && (write ? mmap_write_trylock(mm) : mmap_read_trylock(mm)))
		return true;
	khugepaged_leave();
	return false;
}

/**
 * superpage_khugepaged_unlock() - khugepaged gives it up
 * @mm: the mm
 * @write: as it was taken
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
 * superpage_khugepaged_exit() - before all of an mm is unmapped
 * @mm: the mm, which has no users any more
 *
 * Waits for khugepaged if that has mmap_lock.  What it does with it is at most to look at
 * TURN pages, or at one block, to move a MiB, or to bring one page back from swap:
 * superpage_swap_in() looks before each page whether there are users.
 */
void superpage_khugepaged_exit(struct mm_struct *mm)
{
	/* mmput() has a barrier that pairs with that of superpage_khugepaged_lock(). */
	wait_var_event(&khugepaged_mm, READ_ONCE(khugepaged_mm) != mm);
}

/* --- One mm ---------------------------------------------------------------------------- */

/**
 * struct khugepaged_block - a block that is to be collapsed
 * @addr: its address
 * @order: its order; 0 if there is none
 * @short_of_frames: there is one, but contiguous frames have just run out
 */
struct khugepaged_block {
	unsigned long addr;
	unsigned int order;
	bool short_of_frames;
};

/* Make what is a superpage already part of the largest that it can be part of. */
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

/* Is it worth asking for contiguous frames of this order? */
static bool khugepaged_frames(unsigned int order)
{
	if (pass.scarce && time_after(jiffies, pass.scarce_until))
		pass.scarce = 0;
	return !pass.scarce || order < pass.scarce;
}

static void khugepaged_no_frames(unsigned int order)
{
	/* Larger ones need not wait for longer because smaller ones run out, too. */
	if (!pass.scarce)
		pass.scarce_until = jiffies +
				    msecs_to_jiffies(READ_ONCE(alloc_sleep_millisecs));
	pass.scarce = order;
}

/*
 * Look at what begins at @addr; returns where to go on.  Promotes in place at once, and
 * leaves what has to move to the caller, who has to give up mmap_lock for it.
 */
static unsigned long khugepaged_look(struct vm_area_struct *vma, unsigned long addr,
				     unsigned long orders, struct khugepaged_block *block)
{
	unsigned long fit = orders & superpage_orders_at(addr, vma->vm_end);
	unsigned long least = PAGE_SIZE << __ffs(orders), size, next;
	struct superpage_look look;
	unsigned int order;

	/* A block without its first leaf table lacks more than it may, or is empty. */
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
 * Collapse it; -EAGAIN if it is to be tried again some time, -ENOMEM if there are no
 * frames for so large a block, of which we have not known yet: smaller ones may do.
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
	/* To look again, unmap and map costs as much whatever comes of it. */
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
 * After all of an mm: what could not be collapsed now is to be tried again.  A page may be
 * pinned for a moment, or for as long as a device uses it, so after 1 s, 2 s, and so on up
 * to 16 s.  False if there is nothing of the kind.
 */
static bool khugepaged_try_later(struct mm_struct *mm)
{
	struct superpage_mm *sp = &mm->superpage;

	if (!sp->failed) {
		sp->tries = 0;
		return false;
	}
	sp->failed = false;
	sp->quiet_until = jiffies + (HZ << sp->tries);
	if (sp->tries < TRIES_MAX)
		sp->tries++;
	WRITE_ONCE(sp->changed, true);
	return true;
}

/*
 * Give an mm its turn, from where the last one ended; true if it is done with.  The lock
 * is tried only: page faults of who has it come first.
 */
static bool khugepaged_scan_mm(struct mm_struct *mm)
{
	unsigned long addr = mm->superpage.scan_at, orders, least;
	long end = pass.budget - min(pass.budget, TURN);
	struct khugepaged_block block = {};
	struct vm_area_struct *vma;
	bool again = false, done = false;
	int ret;

	while (!kthread_should_stop() && pass.budget > end) {
		block.order = 0;
		if (!superpage_khugepaged_lock(mm, false))
			break;
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
			again = true;
		if (ret == -ENOMEM) {
			/* The next look is for a smaller one, and notes that this is short. */
			addr = block.addr;
			done = false;
		}
		if (done)
			break;
		cond_resched();
	}
	mm->superpage.scan_at = done ? 0 : addr;
	mm->superpage.failed |= again;
	if (done)
		again = khugepaged_try_later(mm);
	if (block.short_of_frames) {
		WRITE_ONCE(mm->superpage.changed, true);
		mm->superpage.quiet_until = pass.scarce_until;
		again = true;
	}
	pass.more |= pass.budget <= end && !done;
	return done && !again;
}

/*
 * An mm that takes superpages apart, and in which there is something to move for it, again
 * and again, is left alone for longer and longer: up to 64 s.  After twice as long without
 * that all is forgotten.
 */
static void khugepaged_back_off(struct mm_struct *mm)
{
	struct superpage_mm *sp = &mm->superpage;
	unsigned long now = jiffies;

	if (!sp->made)
		return;
	if (time_after(now, sp->made_at + (HZ << (BACKOFF_MAX + 1))))
		sp->backoff = 0;
	else if (sp->apart && time_before(now, sp->quiet_until + 10 * HZ) &&
		 sp->backoff < BACKOFF_MAX)
		sp->backoff++;
	sp->made = false;
	WRITE_ONCE(sp->apart, false);
	sp->made_at = now;
	sp->quiet_until = now + (HZ << sp->backoff);
}

/* Is there anything to do for an mm now? */
static bool khugepaged_due(struct mm_struct *mm)
{
	struct superpage_mm *sp = &mm->superpage;
	unsigned int epoch = READ_ONCE(khugepaged_epoch);

	/* Whoever permits it again calls __superpage_note_change(), though it has changed. */
	if (superpage_disabled(mm))
		return false;
	if (sp->scan_at)
		return true;
	if (!READ_ONCE(sp->changed) && sp->epoch == epoch && !sp->passes)
		return false;
	if (time_before(jiffies, sp->quiet_until)) {
		if (!pass.wait || time_before(sp->quiet_until, pass.until))
			pass.until = sp->quiet_until;
		pass.wait = true;
		return false;
	}
	if (READ_ONCE(sp->changed) || sp->epoch != epoch) {
		WRITE_ONCE(sp->changed, false);
		/* Before the PTEs are read: who changes them from now on is noted again. */
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
	/* Pages on their way to the LRU lists cannot move. */
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
 * superpage_next_mm() - the memory of the next process
 * @next: the first PID to look at; becomes the one behind that which was found
 * @budget: made less by one for each PID that was looked at
 *
 * May be called where memory is being reclaimed.
 *
 * Return: its mm, with a reference for mmdrop(); NULL after the last one
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
			/* Its first thread may have ended. */
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
 * Make a superpage of the block at @addr, if it may be one; -ENOMEM if smaller ones are to
 * be made of it.
 */
static int khugepaged_do_block(struct mm_struct *mm, unsigned long addr)
{
	struct khugepaged_block block = {};
	struct vm_area_struct *vma;
	unsigned long orders = 0;

	if (superpage_disabled(mm) || time_before(jiffies, mm->superpage.quiet_until) ||
	    !superpage_khugepaged_lock(mm, false))
		return 0;
	vma = find_vma(mm, addr);
	if (vma)
		orders = khugepaged_orders(vma);
	if (orders) {
		addr = ALIGN(max(addr, vma->vm_start), PAGE_SIZE << __ffs(orders));
		if (addr + (PAGE_SIZE << __ffs(orders)) <= vma->vm_end)
			khugepaged_look(vma, addr, orders, &block);
	}
	superpage_khugepaged_unlock(mm, false);
	return block.order ? khugepaged_collapse(mm, &block) : 0;
}

/*
 * What misses most comes first, for at most three quarters of the budget: the rest is for
 * the pass through all.
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
		/* Each time of a smaller order. */
		while (khugepaged_do_block(mm, addr) == -ENOMEM)
			cond_resched();
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
		/* It has begun, and will go on even if what misses most takes all of the budget. */
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
			/* An mm that is left alone for now was not looked at. */
			if (!pass.wait)
				WRITE_ONCE(full_scans, full_scans + 1);
			return;
		}
		khugepaged_turn(mm);
		mmdrop(mm);
	}
}

/* A pass is to go on, or to begin. */
static bool khugepaged_has_work(void)
{
	return pass.pid || pass.pending || READ_ONCE(khugepaged_changed) ||
	       (pass.wait && time_after_eq(jiffies, pass.until));
}

/* Until there is work, then as long as the knobs say. */
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
	/* What has just changed may go on changing; and what was spent has to come back. */
	if (pass.budget > READ_ONCE(pages_to_scan) / 2)
		sleep = min(sleep, 1000U);
	wait_event_freezable_timeout(khugepaged_wait,
				     kthread_should_stop() || READ_ONCE(khugepaged_hurry),
				     max(msecs_to_jiffies(sleep), 1UL));
}

static int khugepaged_main(void *unused)
{
	struct mm_struct *mm;
	unsigned long addr;

	set_freezable();
	set_user_nice(current, MAX_NICE);
	while (!kthread_should_stop()) {
		khugepaged_sleep();
		khugepaged_add_budget();
		if (!kthread_should_stop())
			khugepaged_do_pass();
	}
	/* References to mms are not for keeping. */
	while ((mm = superpage_most_missed(&addr)))
		mmdrop(mm);
	return 0;
}

/**
 * superpage_khugepaged_run() - after the words have changed
 * @run: is any order permitted?
 *
 * Starts the thread, or ends it.  Called with the mutex of the words, and once at boot.
 */
void superpage_khugepaged_run(bool run)
{
	struct task_struct *task;

	/* Superpages may now be made in places where there were none to be made. */
	WRITE_ONCE(khugepaged_epoch, khugepaged_epoch + 1);
	WRITE_ONCE(khugepaged_changed, true);
	if (run && !khugepaged) {
		memset(&pass, 0, sizeof(pass));
		pass.filled = jiffies;
		pass.budget = pages_to_scan;
		task = kthread_run(khugepaged_main, NULL, "khugepaged");
		if (IS_ERR(task))
			pr_err("%ld: no thread khugepaged\n", PTR_ERR(task));
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
 * superpage_khugepaged_mm_init() - a new mm
 * @mm: the mm; a copy of its parent's after fork()
 */
void superpage_khugepaged_mm_init(struct mm_struct *mm)
{
	struct superpage_mm *sp = &mm->superpage;

	sp->scan_at = 0;
	sp->made_at = jiffies - (HZ << (BACKOFF_MAX + 2));
	sp->quiet_until = sp->made_at;
	sp->epoch = READ_ONCE(khugepaged_epoch);
	sp->changed = false;
	sp->made = false;
	sp->apart = false;
	sp->failed = false;
	sp->passes = 0;
	sp->backoff = 0;
	sp->tries = 0;
}

/* --- Files ------------------------------------------------------------------------------ */

/**
 * struct khugepaged_knob - a file
 * @attr: what sysfs knows of it
 * @value: what is in it
 * @min: the least that may be written
 * @max: the most
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

/* Beside enabled in /sys/kernel/mm/transparent_hugepage. */
const struct attribute_group superpage_khugepaged_group = {
	.name = "khugepaged",
	.attrs = khugepaged_attrs,
};
