// SPDX-License-Identifier: GPL-2.0
/*
 * Superpages: which mappings may have which sizes, in the words of mTHP.
 *
 * Each possible order has a word: always, inherit, madvise or never.  "inherit"
 * refers to a global word, which is always, madvise or never.
 * /sys/kernel/mm/transparent_hugepage, vm.superpage_order_bitmap and the command line
 * all show and change these words and have no state of their own.  Page faults read
 * bitmaps that are derived from the words.
 *
 * See Documentation/admin-guide/mm/superpage.rst.
 */

#define pr_fmt(fmt) "superpage: " fmt

#include <linux/bitops.h>
#include <linux/gfp.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/kobject.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/superpage.h>
#include <linux/sysfs.h>
#include <linux/workqueue.h>

#include "superpage.h"

enum superpage_word {
	SUPERPAGE_ALWAYS,
	SUPERPAGE_INHERIT,
	SUPERPAGE_MADVISE,
	SUPERPAGE_NEVER,
	NR_SUPERPAGE_WORDS
};

static const char * const superpage_word_name[] = {
	[SUPERPAGE_ALWAYS]	= "always",
	[SUPERPAGE_INHERIT]	= "inherit",
	[SUPERPAGE_MADVISE]	= "madvise",
	[SUPERPAGE_NEVER]	= "never",
};

/* The words; superpage_words_mutex serializes changes. */
struct superpage_words {
	u8 global;
	u8 before;	/* what global was before vm.superpage_order_bitmap became 0 */
	u8 order[MAX_ORDER];
};

static struct superpage_words superpage_words __read_mostly;
static unsigned long superpage_possible __ro_after_init;

/* Set once kernel threads can be started. */
static bool superpage_sysfs_ready __read_mostly;

/* Serializes changes of the words. */
static DEFINE_MUTEX(superpage_words_mutex);

/* Orders that a mapping may have by the words, with MADV_HUGEPAGE or without. */
unsigned long superpage_order_bitmap __read_mostly;

/* Orders that a mapping may have without MADV_HUGEPAGE. */
unsigned long superpage_order_always __read_mostly;

/* What superpage_orders() returns. */
unsigned long superpage_order_some __read_mostly;

/* How many mms have a policy with "force". */
static atomic_t superpage_forced = ATOMIC_INIT(0);

/* Bitmap of the orders whose word is @word after "inherit" has been resolved. */
static unsigned long superpage_effective(const struct superpage_words *w,
					 enum superpage_word word)
{
	unsigned long order, bitmap = 0;

	for_each_set_bit(order, &superpage_possible, MAX_ORDER) {
		u8 is = w->order[order];

		if (is == SUPERPAGE_INHERIT)
			is = w->global;
		if (is == word)
			bitmap |= BIT(order);
	}
	return bitmap;
}

static unsigned long superpage_permitted(const struct superpage_words *w)
{
	return superpage_effective(w, SUPERPAGE_ALWAYS) |
	       superpage_effective(w, SUPERPAGE_MADVISE);
}

/*
 * Recompute superpage_order_some, and start or stop khugepaged accordingly.  The caller holds
 * superpage_words_mutex.
 */
static void superpage_set_some(void)
{
	unsigned long orders = atomic_read(&superpage_forced) ? superpage_possible :
			       superpage_permitted(&superpage_words);

	WRITE_ONCE(superpage_order_some, orders);
	if (superpage_sysfs_ready)
		superpage_khugepaged_run(orders);
}

/*
 * Store new words and the bitmaps that follow from them.  The caller holds
 * superpage_words_mutex, but page faults read the bitmaps without a lock.  A page fault
 * that reads an old bitmap, or an old one and a new one, maps an order that was permitted
 * when it began or is permitted now, as if it had come a moment earlier.
 */
static void superpage_set_words(const struct superpage_words *w)
{
	superpage_words = *w;
	WRITE_ONCE(superpage_order_always, superpage_effective(w, SUPERPAGE_ALWAYS));
	WRITE_ONCE(superpage_order_bitmap, superpage_permitted(w));
	superpage_set_some();
}

/*
 * Change the words so that exactly the orders of @bitmap are permitted.  Orders that
 * were permitted before keep their word.
 *
 * If @bitmap is 0, the global word becomes never.  The next @bitmap with an order that is
 * not permitted then restores the global word.  If all orders of @bitmap are permitted
 * already, the global word stays, and so do the orders that inherit never from it.  So
 * writing back a bitmap that was read changes nothing, unless it is 0.
 */
static void superpage_permit(struct superpage_words *w, unsigned long bitmap)
{
	unsigned long order, more = bitmap & ~superpage_permitted(w), less;

	if (!bitmap && w->global != SUPERPAGE_NEVER) {
		w->before = w->global;
		w->global = SUPERPAGE_NEVER;
	}
	if (more && w->global == SUPERPAGE_NEVER)
		w->global = w->before;
	for_each_set_bit(order, &more, MAX_ORDER)
		w->order[order] = SUPERPAGE_INHERIT;
	less = superpage_permitted(w) & ~bitmap;
	for_each_set_bit(order, &less, MAX_ORDER)
		w->order[order] = SUPERPAGE_NEVER;
}

/**
 * superpage_permit_orders() - write vm.superpage_order_bitmap
 * @bitmap: the orders that mappings may have from now on
 *
 * Orders in @bitmap that were permitted keep their word; the others inherit the
 * global word.  Orders that are no longer permitted become "never".  0 sets the
 * global word to "never" and leaves the orders that inherit it as they are; the next
 * write that needs the old global word restores it.
 *
 * Return: 0, or -EINVAL if @bitmap has orders that are not possible
 */
int superpage_permit_orders(unsigned long bitmap)
{
	struct superpage_words w;

	if (bitmap & ~superpage_possible)
		return -EINVAL;
	mutex_lock(&superpage_words_mutex);
	w = superpage_words;
	superpage_permit(&w, bitmap);
	superpage_set_words(&w);
	mutex_unlock(&superpage_words_mutex);
	return 0;
}

/**
 * superpage_possible_orders() - which orders can there be?
 *
 * Return: bitmap of the orders that the processor can insert and the page allocator
 * supply
 */
unsigned long superpage_possible_orders(void)
{
	return superpage_possible;
}

static void superpage_forced_changed(struct work_struct *work)
{
	mutex_lock(&superpage_words_mutex);
	superpage_set_some();
	mutex_unlock(&superpage_words_mutex);
}

static DECLARE_WORK(superpage_forced_work, superpage_forced_changed);

/**
 * superpage_count_forced() - count the mms whose policy has "force"
 * @n: 1 if an mm has got such a policy, -1 if one has lost it
 *
 * While there is such an mm, superpage_orders() returns all orders, so page faults look
 * at the policy of their program even if the words permit nothing.  fork() and exit()
 * call this function where they must not sleep, so a work item updates superpage_orders()
 * later, at the latest before superpage_forced_sync() returns.
 */
void superpage_count_forced(int n)
{
	bool first_or_last = atomic_add_return(n, &superpage_forced) == max(n, 0);

	/* schedule_work() is a full barrier, so the work sees the new count. */
	if (first_or_last)
		schedule_work(&superpage_forced_work);
}

/**
 * superpage_forced_sync() - wait until superpage_orders() takes account of the count
 */
void superpage_forced_sync(void)
{
	flush_work(&superpage_forced_work);
}

/**
 * superpage_word_of() - the word of an order as text
 * @order: the order
 *
 * Return: always, inherit, madvise or never
 */
const char *superpage_word_of(unsigned int order)
{
	return superpage_word_name[READ_ONCE(superpage_words.order[order])];
}

/* --- Files --------------------------------------------------------------------- */

/*
 * Print something like "[always] madvise never", with brackets around the current word @is
 * and without the word @hidden, as programs expect it.
 */
static ssize_t superpage_show_names(char *buf, const char * const *name, int nr, int is,
				    int hidden)
{
	ssize_t len = 0;
	int i;

	for (i = 0; i < nr; i++) {
		if (i == hidden)
			continue;
		len += sysfs_emit_at(buf, len, i == is ? "%s[%s]" : "%s%s", len ? " " : "",
				     name[i]);
	}
	len += sysfs_emit_at(buf, len, "\n");
	return len;
}

static ssize_t superpage_show_words(char *buf, enum superpage_word is, bool global)
{
	return superpage_show_names(buf, superpage_word_name, NR_SUPERPAGE_WORDS, is,
				    global ? SUPERPAGE_INHERIT : -1);
}

/* Parse a word, which may end with a newline; -EINVAL if there is no such word. */
static int superpage_parse_word(const char *text, bool global)
{
	int word = sysfs_match_string(superpage_word_name, text);

	return global && word == SUPERPAGE_INHERIT ? -EINVAL : word;
}

static ssize_t enabled_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return superpage_show_words(buf, READ_ONCE(superpage_words.global), true);
}

static ssize_t enabled_store(struct kobject *kobj, struct kobj_attribute *attr,
			     const char *buf, size_t count)
{
	int word = superpage_parse_word(buf, true);
	struct superpage_words w;

	if (word < 0)
		return word;
	mutex_lock(&superpage_words_mutex);
	w = superpage_words;
	w.global = word;
	superpage_set_words(&w);
	mutex_unlock(&superpage_words_mutex);
	return count;
}

static struct kobj_attribute enabled_attr = __ATTR_RW(enabled);

static ssize_t hpage_pmd_size_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%lu\n", SUPERPAGE_HUGE_SIZE);
}

static struct kobj_attribute hpage_pmd_size_attr = __ATTR_RO(hpage_pmd_size);

/* What page faults may do to get frames for a superpage of up to SUPERPAGE_HUGE_SIZE. */
enum superpage_defrag_word {
	DEFRAG_ALWAYS,
	DEFRAG_DEFER,
	DEFRAG_DEFER_MADVISE,
	DEFRAG_MADVISE,
	DEFRAG_NEVER,
};

static const char * const superpage_defrag_name[] = {
	[DEFRAG_ALWAYS]		= "always",
	[DEFRAG_DEFER]		= "defer",
	[DEFRAG_DEFER_MADVISE]	= "defer+madvise",
	[DEFRAG_MADVISE]	= "madvise",
	[DEFRAG_NEVER]		= "never",
};

static u8 superpage_defrag_is __read_mostly = DEFRAG_MADVISE;

/**
 * superpage_defrag() - what may a page fault do to get contiguous frames?
 * @vma: VMA of the fault
 *
 * Return: GFP flags.  __GFP_DIRECT_RECLAIM to reclaim and compact memory, with
 * __GFP_NORETRY if nobody has asked for superpages; __GFP_KSWAPD_RECLAIM to wake
 * kswapd and kcompactd; 0 for neither
 */
gfp_t superpage_defrag(struct vm_area_struct *vma)
{
	u8 is = READ_ONCE(superpage_defrag_is);

	if (superpage_advised(vma) && is != DEFRAG_DEFER && is != DEFRAG_NEVER)
		return __GFP_DIRECT_RECLAIM;
	switch (is) {
	case DEFRAG_ALWAYS:
		return __GFP_DIRECT_RECLAIM | __GFP_NORETRY;
	case DEFRAG_DEFER:
	case DEFRAG_DEFER_MADVISE:
		return __GFP_KSWAPD_RECLAIM;
	default:
		return 0;
	}
}

static ssize_t defrag_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return superpage_show_names(buf, superpage_defrag_name,
				    ARRAY_SIZE(superpage_defrag_name),
				    READ_ONCE(superpage_defrag_is), -1);
}

static ssize_t defrag_store(struct kobject *kobj, struct kobj_attribute *attr,
			    const char *buf, size_t count)
{
	int word = sysfs_match_string(superpage_defrag_name, buf);

	if (word < 0)
		return word;
	WRITE_ONCE(superpage_defrag_is, word);
	return count;
}

static struct kobj_attribute defrag_attr = __ATTR_RW(defrag);

/*
 * shmem_enabled and use_zero_page exist only because programs look for them.
 * shmem_enabled keeps what is written but has no effect, because shared memory has no
 * superpages.  There is no shared superpage of zeroes that use_zero_page could switch on.
 */
static const char * const superpage_shmem_name[] = {
	"always", "within_size", "advise", "never", "deny", "force",
};

static u8 superpage_shmem_is __read_mostly = 3;	/* never */

static ssize_t shmem_enabled_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return superpage_show_names(buf, superpage_shmem_name, ARRAY_SIZE(superpage_shmem_name),
				    READ_ONCE(superpage_shmem_is), -1);
}

static ssize_t shmem_enabled_store(struct kobject *kobj, struct kobj_attribute *attr,
				   const char *buf, size_t count)
{
	int word = sysfs_match_string(superpage_shmem_name, buf);

	if (word < 0)
		return word;
	WRITE_ONCE(superpage_shmem_is, word);
	return count;
}

static struct kobj_attribute superpage_shmem_attr = __ATTR_RW(shmem_enabled);

static ssize_t use_zero_page_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "0\n");
}

static ssize_t use_zero_page_store(struct kobject *kobj, struct kobj_attribute *attr,
				   const char *buf, size_t count)
{
	unsigned int n;

	return kstrtouint(buf, 10, &n) || n ? -EINVAL : count;
}

static struct kobj_attribute use_zero_page_attr = __ATTR_RW(use_zero_page);

/* For mm/superpage_underused.c */
static ssize_t shrink_underused_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%d\n", READ_ONCE(superpage_shrink_underused));
}

static ssize_t shrink_underused_store(struct kobject *kobj, struct kobj_attribute *attr,
				      const char *buf, size_t count)
{
	bool on;

	if (kstrtobool(buf, &on))
		return -EINVAL;
	WRITE_ONCE(superpage_shrink_underused, on);
	return count;
}

static struct kobj_attribute shrink_underused_attr = __ATTR_RW(shrink_underused);

static struct attribute *superpage_attrs[] = {
	&enabled_attr.attr,
	&defrag_attr.attr,
	&shrink_underused_attr.attr,
	&superpage_shmem_attr.attr,
	&use_zero_page_attr.attr,
	&hpage_pmd_size_attr.attr,
	NULL
};

static const struct attribute_group superpage_attr_group = {
	.attrs = superpage_attrs,
};

/* struct superpage_dir - a directory hugepages-<size>kB; it is never removed */
struct superpage_dir {
	struct kobject kobj;
	unsigned int order;
};

static unsigned int superpage_dir_order(struct kobject *kobj)
{
	return container_of(kobj, struct superpage_dir, kobj)->order;
}

static ssize_t order_enabled_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	u8 word = READ_ONCE(superpage_words.order[superpage_dir_order(kobj)]);

	return superpage_show_words(buf, word, false);
}

static ssize_t order_enabled_store(struct kobject *kobj, struct kobj_attribute *attr,
				   const char *buf, size_t count)
{
	int word = superpage_parse_word(buf, false);
	struct superpage_words w;

	if (word < 0)
		return word;
	mutex_lock(&superpage_words_mutex);
	w = superpage_words;
	w.order[superpage_dir_order(kobj)] = word;
	superpage_set_words(&w);
	mutex_unlock(&superpage_words_mutex);
	return count;
}

static struct kobj_attribute order_enabled_attr =
	__ATTR(enabled, 0644, order_enabled_show, order_enabled_store);

static struct attribute *superpage_dir_attrs[] = {
	&order_enabled_attr.attr,
	NULL
};
ATTRIBUTE_GROUPS(superpage_dir);

#define SUPERPAGE_STAT(name, event)						\
static ssize_t name##_show(struct kobject *kobj, struct kobj_attribute *attr,	\
			   char *buf)						\
{										\
	return sysfs_emit(buf, "%ld\n",						\
			  superpage_sum(superpage_dir_order(kobj), event));	\
}										\
static struct kobj_attribute name##_attr = __ATTR_RO(name)

SUPERPAGE_STAT(anon_fault_alloc, SUPERPAGE_ANON_FAULT_ALLOC);
SUPERPAGE_STAT(anon_fault_fallback, SUPERPAGE_ANON_FAULT_FALLBACK);
SUPERPAGE_STAT(anon_fault_fallback_charge, SUPERPAGE_ANON_FAULT_FALLBACK_CHARGE);
SUPERPAGE_STAT(nr_anon, SUPERPAGE_NR_ANON);
SUPERPAGE_STAT(split, SUPERPAGE_DEMOTED);

static struct attribute *superpage_stats_attrs[] = {
	&anon_fault_alloc_attr.attr,
	&anon_fault_fallback_attr.attr,
	&anon_fault_fallback_charge_attr.attr,
	&nr_anon_attr.attr,
	&split_attr.attr,
	NULL
};

static const struct attribute_group superpage_stats_group = {
	.name = "stats",
	.attrs = superpage_stats_attrs,
};

static void superpage_dir_release(struct kobject *kobj)
{
	kfree(container_of(kobj, struct superpage_dir, kobj));
}

static struct kobj_type superpage_dir_type = {
	.release = superpage_dir_release,
	.sysfs_ops = &kobj_sysfs_ops,
	.default_groups = superpage_dir_groups,
};

static int __init superpage_add_dir(struct kobject *parent, unsigned int order)
{
	struct superpage_dir *dir = kzalloc(sizeof(*dir), GFP_KERNEL);
	int ret;

	if (!dir)
		return -ENOMEM;
	dir->order = order;
	ret = kobject_init_and_add(&dir->kobj, &superpage_dir_type, parent, "hugepages-%lukB",
				   PAGE_SIZE << order >> 10);
	if (!ret)
		ret = sysfs_create_group(&dir->kobj, &superpage_stats_group);
	if (ret)
		kobject_put(&dir->kobj);
	return ret;
}

/* This runs after sysfs has been set up, and before drivers. */
static int __init superpage_sysfs_init(void)
{
	struct kobject *kobj = kobject_create_and_add("transparent_hugepage", mm_kobj);
	unsigned long order;
	int ret = -ENOMEM;

	if (kobj)
		ret = sysfs_create_group(kobj, &superpage_attr_group);
	if (!ret)
		ret = sysfs_create_group(kobj, &superpage_khugepaged_group);
	for_each_set_bit(order, &superpage_possible, MAX_ORDER) {
		if (!ret)
			ret = superpage_add_dir(kobj, order);
	}
	if (ret)
		pr_err("cannot create all files of /sys/kernel/mm/transparent_hugepage (error %d)\n",
		       ret);
	mutex_lock(&superpage_words_mutex);
	superpage_sysfs_ready = true;
	superpage_khugepaged_run(superpage_order_some);
	mutex_unlock(&superpage_words_mutex);
	return 0;
}
subsys_initcall_sync(superpage_sysfs_init);

/* --- Command line ------------------------------------------------------------------ */

/* Values of the command line, parsed once the possible orders are known. */
static char superpage_boot_global[16] __initdata;
static char superpage_boot_sizes[256] __initdata;
static char superpage_boot_orders[32] __initdata;

/* Keep @arg for later.  Reject a value that is too long: its beginning could mean another. */
static int __init superpage_boot_keep(const char *name, const char *arg, char *buffer,
				      size_t size)
{
	if (strscpy(buffer, arg ?: "", size) < 0) {
		pr_err("%s%s: ignored; longer than %zu characters\n", name, arg, size - 1);
		*buffer = '\0';
	}
	return 1;
}

static int __init superpage_boot_global_setup(char *arg)
{
	return superpage_boot_keep("transparent_hugepage=", arg, superpage_boot_global,
				   sizeof(superpage_boot_global));
}
__setup("transparent_hugepage=", superpage_boot_global_setup);

static int __init superpage_boot_sizes_setup(char *arg)
{
	return superpage_boot_keep("thp_anon=", arg, superpage_boot_sizes,
				   sizeof(superpage_boot_sizes));
}
__setup("thp_anon=", superpage_boot_sizes_setup);

static int __init superpage_boot_orders_setup(char *arg)
{
	return superpage_boot_keep("superpage_orders=", arg, superpage_boot_orders,
				   sizeof(superpage_boot_orders));
}
__setup("superpage_orders=", superpage_boot_orders_setup);

/* Return the order of a size like 64K, or -EINVAL if it is not possible. */
static int __init superpage_parse_size(const char *text)
{
	unsigned int order;
	char *end;
	u64 size = memparse(text, &end);

	if (end == text || *end || !is_power_of_2(size) || size < PAGE_SIZE)
		return -EINVAL;
	order = ilog2(size) - PAGE_SHIFT;
	return order < MAX_ORDER && superpage_possible & BIT(order) ? order : -EINVAL;
}

/*
 * Parse <size>[-<size>][,<size>[-<size>]...]:<word>[;...], as thp_anon= in Linux 6.12.
 * Sizes that are not named become "never".  Changes nothing if any part is wrong.
 */
static int __init superpage_parse_sizes(struct superpage_words *result, char *text)
{
	struct superpage_words w = *result;
	char *part, *range, *last;
	int word, from, to;

	memset(w.order, SUPERPAGE_NEVER, sizeof(w.order));
	while ((part = strsep(&text, ";"))) {
		range = strsep(&part, ":");
		word = part ? superpage_parse_word(part, false) : -EINVAL;
		if (word < 0)
			return -EINVAL;
		while ((last = strsep(&range, ","))) {
			from = superpage_parse_size(strsep(&last, "-"));
			to = last ? superpage_parse_size(last) : from;
			if (from < 0 || to < from)
				return -EINVAL;
			memset(&w.order[from], word, to - from + 1);
		}
	}
	*result = w;
	return 0;
}

/**
 * superpage_words_init() - set the words from Kconfig and the command line
 * @possible: bitmap of the orders that there can be
 *
 * superpage_orders= acts like a write to vm.superpage_order_bitmap after all other
 * options, wherever it is on the command line.
 */
void __init superpage_words_init(unsigned long possible)
{
	bool on = IS_ENABLED(CONFIG_SUPERPAGE_DEFAULT_ON);
	struct superpage_words w = {
		.global = on ? SUPERPAGE_ALWAYS : SUPERPAGE_NEVER,
		.before = SUPERPAGE_ALWAYS,
	};
	char sizes[sizeof(superpage_boot_sizes)];
	unsigned long orders;
	int word;

	superpage_possible = possible;
	memset(w.order, SUPERPAGE_INHERIT, sizeof(w.order));

	if (*superpage_boot_global) {
		word = superpage_parse_word(superpage_boot_global, true);
		if (word < 0)
			pr_err("transparent_hugepage=%s: ignored; expected always, madvise or never\n",
			       superpage_boot_global);
		else
			w.global = word;
	}
	strscpy(sizes, superpage_boot_sizes, sizeof(sizes));
	if (*sizes && superpage_parse_sizes(&w, sizes))
		pr_err("thp_anon=%s: ignored; expected something like 64K,256K:always;1M-16M:madvise, with sizes that /proc/superpageinfo lists\n",
		       superpage_boot_sizes);
	if (*superpage_boot_orders) {
		if (kstrtoul(superpage_boot_orders, 0, &orders)) {
			pr_err("superpage_orders=%s: ignored; expected a bitmap of orders like 0x54, or 0 for none\n",
			       superpage_boot_orders);
		} else {
			if (orders & ~possible)
				pr_err("superpage_orders=%#lx: only orders in %#lx are possible; others are ignored\n",
				       orders, possible);
			superpage_permit(&w, orders & possible);
		}
	}
	superpage_set_words(&w);
}
