// SPDX-License-Identifier: GPL-2.0
/*
 * Superpages: the sysctls and the statistics in /proc.
 *
 * See Documentation/admin-guide/mm/superpage.rst.
 */

#define pr_fmt(fmt) "superpage: " fmt

#include <linux/bits.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/percpu.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/superpage.h>
#include <linux/sysctl.h>

#include "superpage.h"

DEFINE_PER_CPU(struct superpage_stat, superpage_stat);

/* Orders that the processor can insert and the page allocator can supply. */
static unsigned long superpage_orders_possible __ro_after_init;

/* vm.superpage_vm_align: the largest alignment of new mappings, in bytes. */
unsigned long superpage_vm_align __read_mostly;

/* vm.superpage_eager: page faults map the largest superpage that there is memory for. */
unsigned long superpage_eager __read_mostly;

/*
 * vm.superpage_fault_max: without superpage_eager, the most bytes that a page fault maps.
 * When the program then writes to the memory that the fault handler has cleared, this
 * should still be in the processor's last cache, which has 1.5 MiB or more.
 */
unsigned long superpage_fault_max __read_mostly = SZ_1M;

/*
 * vm.superpage_auto_min: the size in bytes of the smallest superpages that programs get
 * without asking for them.
 */
unsigned long superpage_auto_min __read_mostly = PAGE_SIZE;

static unsigned long superpage_largest(void)
{
	return superpage_orders_possible ? PAGE_SIZE << __fls(superpage_orders_possible) : 0;
}

static bool superpage_vm_align_valid(unsigned long align)
{
	return !align ||
	       (is_power_of_2(align) && align >= PAGE_SIZE && align <= superpage_largest());
}

static bool superpage_eager_valid(unsigned long eager)
{
	return eager <= 1;
}

static bool superpage_size_valid(unsigned long size)
{
	return size && superpage_vm_align_valid(size);
}

/* Read or write one unsigned long by way of a copy in *@value, which the caller checks. */
static int superpage_doulong(struct ctl_table *table, int write, void *buffer, size_t *lenp,
			     loff_t *ppos, unsigned long *value)
{
	struct ctl_table copy = *table;

	*value = READ_ONCE(*(unsigned long *)table->data);
	copy.data = value;
	return proc_doulongvec_minmax(&copy, write, buffer, lenp, ppos);
}

/*
 * superpage_doulong() for a sysctl that accepts only what @valid permits.  Stores the new
 * value in one access, so that lockless readers see the old value or the new one.
 */
static int superpage_dolong(struct ctl_table *table, int write, void *buffer, size_t *lenp,
			    loff_t *ppos, bool (*valid)(unsigned long value))
{
	unsigned long value;
	int ret = superpage_doulong(table, write, buffer, lenp, ppos, &value);

	if (ret || !write)
		return ret;
	if (!valid(value))
		return -EINVAL;
	WRITE_ONCE(*(unsigned long *)table->data, value);
	return 0;
}

static int superpage_order_bitmap_handler(struct ctl_table *table, int write, void *buffer,
					  size_t *lenp, loff_t *ppos)
{
	unsigned long bitmap;
	int ret = superpage_doulong(table, write, buffer, lenp, ppos, &bitmap);

	return ret || !write ? ret : superpage_permit_orders(bitmap);
}

static int superpage_vm_align_handler(struct ctl_table *table, int write, void *buffer,
				      size_t *lenp, loff_t *ppos)
{
	return superpage_dolong(table, write, buffer, lenp, ppos, superpage_vm_align_valid);
}

static int superpage_eager_handler(struct ctl_table *table, int write, void *buffer,
				   size_t *lenp, loff_t *ppos)
{
	return superpage_dolong(table, write, buffer, lenp, ppos, superpage_eager_valid);
}

static int superpage_size_handler(struct ctl_table *table, int write, void *buffer,
				  size_t *lenp, loff_t *ppos)
{
	return superpage_dolong(table, write, buffer, lenp, ppos, superpage_size_valid);
}

static struct ctl_table superpage_sysctls[] = {
	{
		.procname	= "superpage_auto_min",
		.data		= &superpage_auto_min,
		.maxlen		= sizeof(superpage_auto_min),
		.mode		= 0644,
		.proc_handler	= superpage_size_handler,
	},
	{
		.procname	= "superpage_eager",
		.data		= &superpage_eager,
		.maxlen		= sizeof(superpage_eager),
		.mode		= 0644,
		.proc_handler	= superpage_eager_handler,
	},
	{
		.procname	= "superpage_fault_max",
		.data		= &superpage_fault_max,
		.maxlen		= sizeof(superpage_fault_max),
		.mode		= 0644,
		.proc_handler	= superpage_size_handler,
	},
	{
		.procname	= "superpage_order_bitmap",
		.data		= &superpage_order_bitmap,
		.maxlen		= sizeof(superpage_order_bitmap),
		.mode		= 0644,
		.proc_handler	= superpage_order_bitmap_handler,
	},
	{
		.procname	= "superpage_vm_align",
		.data		= &superpage_vm_align,
		.maxlen		= sizeof(superpage_vm_align),
		.mode		= 0644,
		.proc_handler	= superpage_vm_align_handler,
	},
	{ }
};

static const char * const superpage_event_name[NR_SUPERPAGE_EVENTS] = {
	[SUPERPAGE_MARKED]		= "marked",
	[SUPERPAGE_ANON_FAULT_ALLOC]	= "anon_fault_alloc",
	[SUPERPAGE_ANON_FAULT_FALLBACK]	= "anon_fault_fallback",
	[SUPERPAGE_DEMOTED]		= "demoted",
	[SUPERPAGE_PROMOTED]		= "promoted",
	[SUPERPAGE_NR_ANON]		= "nr_anon",
	[SUPERPAGE_RESERVED]		= "reserved",
	[SUPERPAGE_BROKEN]		= "broken",
	[SUPERPAGE_COLLAPSED]		= "collapsed",
	[SUPERPAGE_ANON_FAULT_FALLBACK_CHARGE] = "anon_fault_fallback_charge",
};

/**
 * superpage_sum() - sum up a counter over all CPUs
 * @order: order of the superpages
 * @event: the counter
 *
 * CPUs may go on counting meanwhile, as for /proc/vmstat.  Offline CPUs are included:
 * a gauge may have gone up on one CPU and down on another.
 *
 * Return: the sum
 */
long superpage_sum(unsigned int order, enum superpage_event event)
{
	long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += per_cpu(superpage_stat, cpu).count[order][event];
	return sum;
}

static int superpageinfo_show(struct seq_file *m, void *v)
{
	unsigned long order;
	int i;

	seq_puts(m, "order size_kB");
	for (i = 0; i < NR_SUPERPAGE_EVENTS; i++)
		seq_printf(m, " %s", superpage_event_name[i]);
	seq_puts(m, " enabled\n");

	for_each_set_bit(order, &superpage_orders_possible, MAX_ORDER) {
		seq_printf(m, "%5lu %7lu", order, PAGE_SIZE << order >> 10);
		for (i = 0; i < NR_SUPERPAGE_EVENTS; i++)
			seq_printf(m, " %*ld", (int)strlen(superpage_event_name[i]),
				   superpage_sum(order, i));
		seq_printf(m, " %s\n", superpage_word_of(order));
	}
	if (!superpage_orders_possible)
		seq_puts(m, "none: see the kernel's log\n");
	return 0;
}

/**
 * superpage_show_smap() - show the lines of /proc/PID/smaps about superpages
 * @m: the file
 * @smap: the bytes that superpage_add_smap() has counted
 */
void superpage_show_smap(struct seq_file *m, const struct superpage_smap *smap)
{
	unsigned long order, total = 0;
	char name[24];

	for_each_set_bit(order, &superpage_orders_possible, MAX_ORDER)
		total += smap->bytes[order];
	seq_printf(m, "Superpages:     %8lu kB\n", total >> 10);
	for_each_set_bit(order, &superpage_orders_possible, MAX_ORDER) {
		snprintf(name, sizeof(name), "Superpages%lukB:", PAGE_SIZE << order >> 10);
		seq_printf(m, "%-20s %7lu kB\n", name, smap->bytes[order] >> 10);
	}
}

static int __init superpage_init(void)
{
	u64 sizes = arch_superpage_sizes();

	superpage_orders_possible = sizes >> PAGE_SHIFT &
				    GENMASK(SUPERPAGE_MAX_SHIFT - PAGE_SHIFT, 1);
	/* If the architecture names no size at all, it has said why. */
	if (sizes && !superpage_orders_possible)
		pr_err("the processor has no suitable page size; superpages are not used\n");
	superpage_words_init(superpage_orders_possible);
	superpage_vm_align = superpage_largest();
	if (superpage_orders_possible) {
		superpage_fault_max = min(superpage_fault_max, superpage_largest());
		superpage_auto_min = max(arch_superpage_auto_min(),
					 PAGE_SIZE << __ffs(superpage_orders_possible));
	}

	if (!register_sysctl("vm", superpage_sysctls) ||
	    !proc_create_single("superpageinfo", 0444, NULL, superpageinfo_show))
		pr_err("no memory for /proc/sys/vm/superpage_* and /proc/superpageinfo\n");
	pr_info("enabled orders %#lx, possible orders %#lx\n", superpage_order_bitmap,
		superpage_orders_possible);
	return 0;
}
subsys_initcall(superpage_init);
