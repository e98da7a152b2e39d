// SPDX-License-Identifier: GPL-2.0
/*
 * perf_events for the performance monitors of Itanium processors
 *
 * A monitor n is a pair of registers: PMCn says what is counted, and at which
 * privilege levels, PMDn counts.  PMC0 freezes all of them, and the processor does
 * so itself when a counter overflows.  What differs between models is in
 * perf_event_MODEL.h.
 *
 * All that changes the set of events of a CPU happens on this CPU with its PMU
 * frozen: perf's core calls ->add(), ->del(), ->start() and ->stop() between
 * ->pmu_disable() and ->pmu_enable(), with interrupts off.  So events can be moved from
 * one counter to another without losing anything, and a group begins and ends to count
 * at the same instruction.
 *
 * The interrupt is an ordinary one: if a counter overflows while interrupts are off, the
 * sample is of the place where they are enabled again.  Until then the PMU is frozen,
 * unless the events are changed, as by a context switch.
 *
 *  - A counter that has wrapped is recognized by its sign, not by the overflow bits in
 *    PMC0, which say nothing of an event that was moved or came later, and which
 *    ->pmu_enable() clears.
 *  - An event that wraps and leaves the CPU before the interrupt has its count right;
 *    the sample is dropped, as on other architectures without an NMI.  The interrupt
 *    finds no wrapped counter then, and does nothing.
 *  - If the PMU has been unfrozen by then, the data EAR (event address register) may have
 *    captured another reference, which is sampled instead.  It can be another task's only
 *    if it was made in the kernel with interrupts off: in user mode they are on, and the
 *    sample is taken at once.
 */

#include <linux/bitops.h>
#include <linux/init.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/processor.h>
#include <linux/sysfs.h>

#include <asm/hw_irq.h>
#include <asm/intrinsics.h>
#include <asm/irq_regs.h>
#include <asm/perf_event.h>
#include <asm/ptrace.h>

#include "irq.h"

#define FIRST_COUNTER		4
#define MAX_COUNTERS		12

/* Counters have 47 bits; the processor extends the sign when it reads one. */
#define COUNTER_BITS		47
#define COUNTER_MASK		GENMASK_ULL(COUNTER_BITS - 1, 0)
#define COUNTER_SIGN		BIT_ULL(COUNTER_BITS - 1)
#define MAX_PERIOD		((s64)COUNTER_SIGN - 1)

#define EVENT_CONFIG(es, umask)	((u64)(es) << 8 | (u64)(umask) << 16)
#define DEAR_CONFIG(mode, umask) ((u64)(mode) << 7 | (u64)(umask) << 16)
#define C(x)			PERF_COUNT_HW_CACHE_##x

/* Sets of events that exclude each other, see struct ia64_pmu_set */
#define SET_NUMBER		0x0f
#define SET_IS_L1D		0x10
#define SET_IS_L2		0x20
#define SET_ONE_UMASK		0x40	/* all events of the set have the unit mask of PMC4 */
#define SET_PMC4_ONLY		0x80	/* no other counter has this event */
#define SET_L1D(n)		(SET_IS_L1D | (n))
#define SET_L2(n)		(SET_IS_L2 | (n))

/**
 * struct ia64_pmu_set - events that share a multiplexer
 * @first_es:		the first event select, in PMC bits 15:8
 * @last_es:		the last one; 0 ends a list
 * @first_umask:	the first unit mask, in PMC bits 19:16
 * @last_umask:		the last one
 * @set:		SET_*
 *
 * The PMU can count only one set of the L1D's at a time, the one that PMC5 has an event
 * of, and only one set of the L2's, the one that PMC4 has an event of.
 */
struct ia64_pmu_set {
	u8	first_es;
	u8	last_es;
	u8	first_umask;
	u8	last_umask;
	u8	set;
};

/* A PMC and what it has while nothing is measured; PMC0 ends a list. */
struct ia64_pmu_reset {
	u8	pmc;
	u64	value;
};

/**
 * struct ia64_pmu_model - what a processor's performance monitors are like
 * @name:		for the log
 * @family:		in CPUID[3]
 * @num_counters:	number of counters, from PMD4 up
 * @event_mask:		bits of a PMC that users choose
 * @pmc_fixed:		bits of a PMC that are always set
 * @pmc4_fixed:		more of those in PMC4
 * @dear_event:		event select of what the data EAR captures
 * @iear_event:		event select of what the instruction EAR captures
 * @dear_pmc:		which PMC configures the data EAR
 * @dear_fixed:		bits that are always set there
 * @dear_pmd:		which PMDs have what the data EAR captured
 * @hw_events:		PMC bits of perf's generic events, 0 for none
 * @cache_events:	the same of its generic cache events
 * @sets:		events that exclude each other
 * @reset:		PMCs to be set when a CPU comes up
 * @event_attrs:	named events in sysfs
 * @format_attrs:	fields of raw events in sysfs
 */
struct ia64_pmu_model {
	const char			*name;
	unsigned int			family;
	unsigned int			num_counters;
	u64				event_mask;
	u64				pmc_fixed;
	u64				pmc4_fixed;
	u8				dear_event;
	u8				iear_event;
	u8				dear_pmc;
	u64				dear_fixed;
	struct {
		u8			address;
		u8			latency;
		u8			ip;
	}				dear_pmd;
	const u64			*hw_events;
	const u64			(*cache_events)[C(OP_MAX)][C(RESULT_MAX)];
	const struct ia64_pmu_set	*sets;
	const struct ia64_pmu_reset	*reset;
	struct attribute		**event_attrs;
	struct attribute		**format_attrs;
};

/* --- sysfs ------------------------------------------------------------------- */

/*
 * The config of a raw event is the value of its PMC, without the bits that the driver sets
 * itself.  Events of the data EAR have bits of the PMC of the EAR in config1.
 */
PMU_FORMAT_ATTR(event,		"config:8-15");
PMU_FORMAT_ATTR(umask,		"config:16-19");
PMU_FORMAT_ATTR(thres,		"config:20-22");
PMU_FORMAT_ATTR(mesi,		"config:27-30");
PMU_FORMAT_ATTR(ear_mode,	"config1:7-8");
PMU_FORMAT_ATTR(ear_umask,	"config1:16-19");

static struct attribute *ia64_pmu_format_attrs[] = {
	&format_attr_event.attr,
	&format_attr_umask.attr,
	&format_attr_thres.attr,
	&format_attr_ear_mode.attr,
	&format_attr_ear_umask.attr,
	NULL
};

static struct attribute *montecito_format_attrs[] = {
	&format_attr_event.attr,
	&format_attr_umask.attr,
	&format_attr_thres.attr,
	&format_attr_mesi.attr,
	&format_attr_ear_mode.attr,
	&format_attr_ear_umask.attr,
	NULL
};

/* An attribute's id is config.  With bit 63, the rest of the upper half is config1. */
#define ID_DEAR			BIT_ULL(63)

static ssize_t named_event_show(struct device *dev, struct device_attribute *attr, char *page)
{
	u64 id = container_of(attr, struct perf_pmu_events_attr, attr)->id;
	u64 config = id & U32_MAX, ear = (id & ~ID_DEAR) >> 32;
	int n;

	n = sysfs_emit(page, "event=0x%02llx", (config & IA64_PMC_ES) >> 8);
	if (config & IA64_PMC_UMASK)
		n += sysfs_emit_at(page, n, ",umask=0x%llx", (config & IA64_PMC_UMASK) >> 16);
	if (id & ID_DEAR)
		n += sysfs_emit_at(page, n, ",ear_mode=0x%llx,ear_umask=0x%llx",
				   (ear & IA64_DEAR_MODE) >> 7, (ear & IA64_DEAR_UMASK) >> 16);
	return n + sysfs_emit_at(page, n, "\n");
}

#define EVENT_ATTR(name, es, umask)						\
	PMU_EVENT_ATTR_ID(name, named_event_show, EVENT_CONFIG(es, umask))
#define DEAR_ATTR(name, mode, umask)						\
	PMU_EVENT_ATTR_ID(name, named_event_show,					\
			  EVENT_CONFIG(0xc8, 0) | DEAR_CONFIG(mode, umask) << 32 | ID_DEAR)

#include "perf_event_itanium2.h"
#include "perf_event_montecito.h"

static struct attribute_group format_group = {
	.name	= "format",
};

static struct attribute_group events_group = {
	.name	= "events",
};

static const struct attribute_group *attr_groups[] = {
	&format_group,
	&events_group,
	NULL
};

/* --- the state of a CPU -------------------------------------------------------- */

static const struct ia64_pmu_model *model __read_mostly;

/* Only its own CPU uses this, with interrupts off. */
struct ia64_pmu_cpu {
	struct perf_event	*events[MAX_COUNTERS];	/* in the order of their arrival */
	unsigned int		num_events;
	bool			enabled;
};

static DEFINE_PER_CPU(struct ia64_pmu_cpu, ia64_pmu_cpu);

static void ia64_pmu_freeze(void)
{
	ia64_set_pmc(0, IA64_PMC0_FR);
	/* The counters stand still only after this: SDM volume 2, 7.2.2. */
	ia64_srlz_i();
}

/* Clears the overflow bits, too; a counter that has wrapped is still known by its sign. */
static void ia64_pmu_unfreeze(void)
{
	ia64_srlz_d();
	ia64_set_pmc(0, 0);
	ia64_srlz_d();
}

/* What PMC @idx has while no event uses it. */
static u64 idle_pmc(int idx)
{
	return model->pmc_fixed | (idx == FIRST_COUNTER ? model->pmc4_fixed : 0);
}

static bool is_dear_event(const struct perf_event *event)
{
	return (event->hw.config & IA64_PMC_ES) >> 8 == model->dear_event;
}

/* --- which counter counts what ------------------------------------------------- */

static unsigned int event_set(u64 config)
{
	const struct ia64_pmu_set *s;
	u8 umask = (config & IA64_PMC_UMASK) >> 16;
	u8 es = (config & IA64_PMC_ES) >> 8;

	for (s = model->sets; s->last_es; s++)
		if (es >= s->first_es && es <= s->last_es &&
		    umask >= s->first_umask && umask <= s->last_umask)
			return s->set;
	return 0;
}

/*
 * Assign counter @idx to one of the events in @choice: to the one that it counts already, if
 * that is among them.
 */
static void take_counter(struct perf_event **events, unsigned long choice, int idx, s8 *assign)
{
	unsigned int i, best = __ffs(choice);

	for_each_set_bit(i, &choice, MAX_COUNTERS)
		if (events[i]->hw.idx == idx)
			best = i;
	assign[best] = idx;
}

/**
 * ia64_pmu_assign() - find a counter for each of several events
 * @events:	the events; each one's hw.idx is its present counter, or negative
 * @n:		how many, MAX_COUNTERS at most
 * @assign:	the index of each one's PMC and PMD, on success
 *
 * As many events as possible keep their counters.  If a set of events fits, any subset of
 * it does, so an event can always be removed.
 *
 * Return: 0, or -EAGAIN if the hardware cannot count all of them at the same time.
 */
static int ia64_pmu_assign(struct perf_event **events, unsigned int n, s8 *assign)
{
	unsigned long l1d = 0, l2 = 0, pmc4_only = 0, used = 0;
	unsigned int i, set, l1d_set = 0, l2_set = 0, dear = 0;
	u64 umask = 0;
	int idx;

	if (n > model->num_counters)
		return -EAGAIN;
	for (i = 0; i < n; i++) {
		u64 config = events[i]->hw.config;

		assign[i] = -1;
		if (is_dear_event(events[i]) && dear++)
			return -EAGAIN;
		set = event_set(config);
		if (set & SET_PMC4_ONLY)
			pmc4_only |= BIT(i);
		set &= ~SET_PMC4_ONLY;
		if (set & SET_IS_L1D) {
			if (l1d && set != l1d_set)
				return -EAGAIN;
			l1d |= BIT(i);
			l1d_set = set;
		} else if (set & SET_IS_L2) {
			if (l2 && set != l2_set)
				return -EAGAIN;
			if (l2 && (set & SET_ONE_UMASK) && (config & IA64_PMC_UMASK) != umask)
				return -EAGAIN;
			l2 |= BIT(i);
			l2_set = set;
			umask = config & IA64_PMC_UMASK;
		}
	}
	if (hweight_long(pmc4_only) > 1)
		return -EAGAIN;

	/* All events that have to be in PMC4 are in sets of the L2. */
	if (l2)
		take_counter(events, pmc4_only ?: l2, 4, assign);
	if (l1d)
		take_counter(events, l1d, 5, assign);

	for (i = 0; i < n; i++)
		if (assign[i] >= 0)
			used |= BIT(assign[i]);
	for (i = 0; i < n; i++) {
		idx = events[i]->hw.idx;
		if (assign[i] < 0 && idx >= 0 && !(used & BIT(idx))) {
			assign[i] = idx;
			used |= BIT(idx);
		}
	}
	for (i = 0; i < n; i++) {
		if (assign[i] < 0) {
			idx = __ffs(~used & ~(BIT(FIRST_COUNTER) - 1));
			assign[i] = idx;
			used |= BIT(idx);
		}
	}
	return 0;
}

/* --- counting -------------------------------------------------------------------- */

static u64 read_counter(struct perf_event *event)
{
	return ia64_get_pmd(event->hw.idx) & COUNTER_MASK;
}

/* Add to the event what its counter has counted since the last update. */
static void ia64_pmu_update(struct perf_event *event)
{
	struct hw_perf_event *hwc = &event->hw;
	u64 prev, now, delta;

	do {
		prev = local64_read(&hwc->prev_count);
		now = read_counter(event);
	} while (local64_cmpxchg(&hwc->prev_count, prev, now) != prev);

	delta = (now - prev) & COUNTER_MASK;
	local64_add(delta, &event->count);
	local64_sub(delta, &hwc->period_left);
}

/* Set the counter so that it wraps at the end of the period.  Returns true if one has ended. */
static bool ia64_pmu_set_period(struct perf_event *event)
{
	struct hw_perf_event *hwc = &event->hw;
	s64 left = local64_read(&hwc->period_left);
	s64 period = hwc->sample_period;
	bool ended = false;

	if (left <= -period) {
		left = period;
		ended = true;
	} else if (left <= 0) {
		left += period;
		ended = true;
	}
	if (ended) {
		local64_set(&hwc->period_left, left);
		hwc->last_period = period;
	}
	left = min(left, MAX_PERIOD);

	/* From -left on bit 46 is set until the counter wraps. */
	local64_set(&hwc->prev_count, -left & COUNTER_MASK);
	ia64_set_pmd(hwc->idx, -left & COUNTER_MASK);
	perf_event_update_userpage(event);
	return ended;
}

static void ia64_pmu_start(struct perf_event *event, int flags)
{
	struct hw_perf_event *hwc = &event->hw;

	if (WARN_ON_ONCE(!(hwc->state & PERF_HES_STOPPED)))
		return;
	if (flags & PERF_EF_RELOAD) {
		WARN_ON_ONCE(!(hwc->state & PERF_HES_UPTODATE));
		ia64_pmu_set_period(event);
	}
	hwc->state = 0;
	if (is_dear_event(event)) {
		ia64_set_pmd(model->dear_pmd.ip, 0);
		ia64_set_pmd(model->dear_pmd.latency, 0);
		ia64_set_pmc(model->dear_pmc, hwc->extra_reg.config);
	}
	ia64_set_pmc(hwc->idx, idle_pmc(hwc->idx) | hwc->config | hwc->config_base);
	ia64_srlz_d();
}

static void ia64_pmu_stop(struct perf_event *event, int flags)
{
	struct hw_perf_event *hwc = &event->hw;

	if (!(hwc->state & PERF_HES_STOPPED)) {
		/* Other events may need the set that this PMC selects, so it keeps its event. */
		ia64_set_pmc(hwc->idx, idle_pmc(hwc->idx) | hwc->config);
		if (is_dear_event(event))
			ia64_set_pmc(model->dear_pmc, model->dear_fixed);
		ia64_srlz_d();
		hwc->state |= PERF_HES_STOPPED;
	}
	if ((flags & PERF_EF_UPDATE) && !(hwc->state & PERF_HES_UPTODATE)) {
		ia64_pmu_update(event);
		hwc->state |= PERF_HES_UPTODATE;
	}
}

/*
 * Move events, together with their counts, to the counters that are assigned to them.  The
 * PMU must be frozen.
 */
static void ia64_pmu_move(struct ia64_pmu_cpu *cpu, const s8 *assign)
{
	unsigned long moved = 0, running = 0;
	struct perf_event *event;
	unsigned int i;

	for (i = 0; i < cpu->num_events; i++) {
		event = cpu->events[i];
		if (event->hw.idx == assign[i])
			continue;
		moved |= BIT(i);
		if (!(event->hw.state & PERF_HES_STOPPED))
			running |= BIT(i);
		ia64_pmu_stop(event, PERF_EF_UPDATE);
		ia64_set_pmc(event->hw.idx, idle_pmc(event->hw.idx));
	}
	/* Only now, since an event may take the counter that another has left. */
	for_each_set_bit(i, &moved, MAX_COUNTERS) {
		event = cpu->events[i];
		event->hw.idx = assign[i];
		ia64_set_pmd(event->hw.idx, local64_read(&event->hw.prev_count));
		if (running & BIT(i))
			ia64_pmu_start(event, 0);
		else	/* throttled, for example; others may need the set that it selects */
			ia64_set_pmc(event->hw.idx, idle_pmc(event->hw.idx) | event->hw.config);
		perf_event_update_userpage(event);
	}
	ia64_srlz_d();
}

static int ia64_pmu_add(struct perf_event *event, int flags)
{
	struct ia64_pmu_cpu *cpu = this_cpu_ptr(&ia64_pmu_cpu);
	unsigned int n = cpu->num_events;
	s8 assign[MAX_COUNTERS];
	int ret = -EAGAIN;

	perf_pmu_disable(event->pmu);
	event->hw.idx = -1;
	if (n == MAX_COUNTERS)
		goto out;
	cpu->events[n] = event;
	ret = ia64_pmu_assign(cpu->events, n + 1, assign);
	if (ret) {
		cpu->events[n] = NULL;
		goto out;
	}
	ia64_pmu_move(cpu, assign);
	cpu->num_events = n + 1;
	event->hw.idx = assign[n];
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (flags & PERF_EF_START)
		ia64_pmu_start(event, PERF_EF_RELOAD);
	else
		ia64_set_pmc(event->hw.idx, idle_pmc(event->hw.idx) | event->hw.config);
	perf_event_update_userpage(event);
out:
	perf_pmu_enable(event->pmu);
	return ret;
}

static void ia64_pmu_del(struct perf_event *event, int flags)
{
	struct ia64_pmu_cpu *cpu = this_cpu_ptr(&ia64_pmu_cpu);
	s8 assign[MAX_COUNTERS];
	unsigned int i;

	perf_pmu_disable(event->pmu);
	ia64_pmu_stop(event, PERF_EF_UPDATE);
	ia64_set_pmc(event->hw.idx, idle_pmc(event->hw.idx));
	event->hw.idx = -1;
	perf_event_update_userpage(event);

	for (i = 0; cpu->events[i] != event; i++)
		;
	cpu->num_events--;
	for (; i < cpu->num_events; i++)
		cpu->events[i] = cpu->events[i + 1];
	cpu->events[i] = NULL;
	/* The event may have been the one that selects a set for others. */
	if (!WARN_ON_ONCE(ia64_pmu_assign(cpu->events, cpu->num_events, assign)))
		ia64_pmu_move(cpu, assign);
	perf_pmu_enable(event->pmu);
}

static void ia64_pmu_read(struct perf_event *event)
{
	if (!(event->hw.state & PERF_HES_STOPPED))
		ia64_pmu_update(event);
}

/* Without events the PMU stays frozen. */
static void ia64_pmu_enable(struct pmu *pmu)
{
	struct ia64_pmu_cpu *cpu = this_cpu_ptr(&ia64_pmu_cpu);

	cpu->enabled = cpu->num_events;
	if (cpu->enabled)
		ia64_pmu_unfreeze();
}

static void ia64_pmu_disable(struct pmu *pmu)
{
	ia64_pmu_freeze();
	this_cpu_ptr(&ia64_pmu_cpu)->enabled = false;
}

/* --- samples ---------------------------------------------------------------------- */

/*
 * Take address, latency and instruction of a sample from the data EAR.  @regs is a copy of
 * the interrupt's.  Without a valid capture, @data and @regs stay as they are.
 */
static void dear_sample(struct perf_event *event, struct perf_sample_data *data,
			struct pt_regs *regs)
{
	u64 address = ia64_get_pmd(model->dear_pmd.address);
	u64 latency = ia64_get_pmd(model->dear_pmd.latency);
	u64 ip = ia64_get_pmd(model->dear_pmd.ip);
	union perf_mem_data_src src = {
		.mem_op		= PERF_MEM_OP_LOAD,
		.mem_lvl	= PERF_MEM_LVL_NA,
		.mem_snoop	= PERF_MEM_SNOOP_NA,
		.mem_lock	= PERF_MEM_LOCK_NA,
		.mem_dtlb	= PERF_MEM_TLB_NA,
	};

	if (!(ip & IA64_DEAR_IP_VALID))
		return;

	data->addr = address;
	data->weight.full = latency & IA64_DEAR_LATENCY;
	if ((event->hw.extra_reg.config & IA64_DEAR_MODE) == IA64_DEAR_MODE_TLB) {
		switch (latency >> IA64_DEAR_STAT_SHIFT & 3) {
		case 1:
			src.mem_dtlb = PERF_MEM_TLB_HIT | PERF_MEM_TLB_L2;
			break;
		case 2:
			src.mem_dtlb = PERF_MEM_TLB_HIT | PERF_MEM_TLB_WK;
			break;
		case 3:
			src.mem_dtlb = PERF_MEM_TLB_MISS | PERF_MEM_TLB_OS;
			break;
		}
	}
	data->data_src = src;
	data->sample_flags |= PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT_TYPE | PERF_SAMPLE_DATA_SRC;

	regs->cr_iip = (ip & ~0xfUL) + (ip & IA64_DEAR_IP_BUNDLE ? 16 : 0);
	ia64_psr(regs)->ri = ip & IA64_DEAR_IP_SLOT;
	/* In user space there is only user code; the gate page is in the kernel's space. */
	ia64_psr(regs)->cpl = regs->cr_iip < TASK_SIZE ? 3 : 0;
}

static void ia64_pmu_overflow(struct perf_event *event, struct pt_regs *regs)
{
	struct perf_sample_data data;
	struct pt_regs ear_regs;

	ia64_pmu_update(event);
	if (!ia64_pmu_set_period(event))
		return;
	/* A CPU that goes offline polls for pending interrupts, without registers. */
	if (!regs)
		return;

	perf_sample_data_init(&data, 0, event->hw.last_period);
	if (is_dear_event(event)) {
		ear_regs = *regs;
		regs = &ear_regs;
		dear_sample(event, &data, regs);
	}
	if (perf_event_overflow(event, &data, regs))
		ia64_pmu_stop(event, 0);
}

static irqreturn_t ia64_pmu_interrupt(int irq, void *dev)
{
	struct ia64_pmu_cpu *cpu = this_cpu_ptr(&ia64_pmu_cpu);
	struct pt_regs *regs = get_irq_regs();
	struct perf_event *event;
	bool dear = false, any = false;
	unsigned int i;

	/* The processor has frozen the PMU, but ->pmu_enable() may have unfrozen it since. */
	ia64_pmu_freeze();

	for (i = 0; i < cpu->num_events; i++) {
		event = cpu->events[i];
		if ((event->hw.state & PERF_HES_STOPPED) || (read_counter(event) & COUNTER_SIGN))
			continue;
		any = true;
		dear |= is_dear_event(event);
		ia64_pmu_overflow(event, regs);
	}
	if (dear) {
		/* Clear what the data EAR has captured, now that the sample has it. */
		ia64_set_pmd(model->dear_pmd.ip, 0);
		ia64_set_pmd(model->dear_pmd.latency, 0);
	}
	if (cpu->enabled)
		ia64_pmu_unfreeze();

	/* ia64 has no interrupt for irq_work, so run here what the samples have queued. */
	irq_work_run();
	return any ? IRQ_HANDLED : IRQ_NONE;
}

/* --- events ------------------------------------------------------------------------- */

static int cache_event(u64 config, u64 *event)
{
	unsigned int type = config & 0xff, op = config >> 8 & 0xff, result = config >> 16 & 0xff;

	if (config >> 24 || type >= C(MAX) || op >= C(OP_MAX) || result >= C(RESULT_MAX))
		return -EINVAL;
	*event = model->cache_events[type][op][result];
	return *event ? 0 : -ENOENT;
}

/* Could the group that @event belongs to be counted on an idle PMU? */
static int check_group(struct perf_event *event)
{
	struct perf_event *sibling, *leader = event->group_leader;
	struct perf_event *events[MAX_COUNTERS + 1];
	s8 assign[MAX_COUNTERS];
	unsigned int n = 0;

	if (leader != event && leader->pmu == event->pmu)
		events[n++] = leader;
	for_each_sibling_event(sibling, leader) {
		if (sibling->pmu != event->pmu || sibling == event)
			continue;
		if (n == MAX_COUNTERS)
			return -EINVAL;
		events[n++] = sibling;
	}
	if (n == MAX_COUNTERS)
		return -EINVAL;
	events[n++] = event;
	return ia64_pmu_assign(events, n, assign) ? -EINVAL : 0;
}

static int ia64_pmu_event_init(struct perf_event *event)
{
	const u64 dtlb_misses = C(DTLB) | C(OP_READ) << 8 | C(RESULT_MISS) << 16;
	struct perf_event_attr *attr = &event->attr;
	struct hw_perf_event *hwc = &event->hw;
	u64 config, ear = 0, plm = 0;
	int ret;

	switch (attr->type) {
	case PERF_TYPE_HARDWARE:
		if (attr->config >= PERF_COUNT_HW_MAX)
			return -EINVAL;
		config = model->hw_events[attr->config];
		if (!config)
			return -ENOENT;
		break;
	case PERF_TYPE_HW_CACHE:
		ret = cache_event(attr->config, &config);
		if (ret)
			return ret;
		/*
		 * When a counter of L2DTLB_MISSES wraps, the EAR may have the address of
		 * another miss.  So whoever wants addresses gets the event that counts what
		 * the EAR captures: only those misses that are loads.
		 */
		if (attr->config == dtlb_misses && is_sampling_event(event) &&
		    (attr->sample_type & PERF_SAMPLE_ADDR)) {
			config = EVENT_CONFIG(model->dear_event, 0);
			ear = IA64_DEAR_MODE_TLB | IA64_DEAR_UMASK_VHPT | IA64_DEAR_UMASK_FAULT;
		}
		break;
	case PERF_TYPE_RAW:
		config = attr->config;
		ear = attr->config1;
		if ((config & ~model->event_mask) || (ear & ~(IA64_DEAR_MODE | IA64_DEAR_UMASK)) ||
		    attr->config2)
			return -EINVAL;
		break;
	default:
		return -ENOENT;
	}

	hwc->config = config;
	if (ear && !is_dear_event(event))
		return -EINVAL;
	/* The driver does not support the instruction EAR. */
	if ((config & IA64_PMC_ES) >> 8 == model->iear_event)
		return -EOPNOTSUPP;
	/* Only the EAR knows which instruction it was. */
	if (attr->precise_ip > (is_dear_event(event) ? 2 : 0))
		return -EOPNOTSUPP;
	if (attr->exclude_idle || attr->exclude_host || has_branch_stack(event))
		return -EOPNOTSUPP;

	if (!attr->exclude_kernel)
		plm |= IA64_PMC_PLM_KERNEL;
	if (!attr->exclude_user)
		plm |= IA64_PMC_PLM_USER;
	hwc->config_base = plm | IA64_PMC_PM | IA64_PMC_OI;
	hwc->extra_reg.config = model->dear_fixed | ear | plm | IA64_DEAR_PM;
	hwc->idx = -1;

	if (!is_sampling_event(event)) {
		/* Not a real period: it has the counter read before it can wrap unnoticed. */
		hwc->sample_period = MAX_PERIOD;
		hwc->last_period = MAX_PERIOD;
		local64_set(&hwc->period_left, MAX_PERIOD);
	}
	return check_group(event);
}

static struct pmu ia64_pmu = {
	.attr_groups	= attr_groups,
	.pmu_enable	= ia64_pmu_enable,
	.pmu_disable	= ia64_pmu_disable,
	.event_init	= ia64_pmu_event_init,
	.add		= ia64_pmu_add,
	.del		= ia64_pmu_del,
	.start		= ia64_pmu_start,
	.stop		= ia64_pmu_stop,
	.read		= ia64_pmu_read,
};

/* --- initialization ------------------------------------------------------------------- */

static const struct ia64_pmu_model *find_model(void)
{
	static const struct ia64_pmu_model * const models[] = { &itanium2, &montecito };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(models); i++)
		if (models[i]->family == local_cpu_data->family)
			return models[i];
	return NULL;
}

/**
 * ia64_pmu_init_cpu() - bring the performance monitors of this CPU into a known state
 *
 * Called by cpu_init(), with interrupts off, before perf_events is used.  Stops whatever
 * measurement firmware or an earlier kernel has left running, and sets psr.pp and dcr.pp
 * for good.  No interrupt can come before the driver sets up a monitor.
 */
void ia64_pmu_init_cpu(void)
{
	const struct ia64_pmu_model *m = find_model();
	const struct ia64_pmu_reset *r;
	unsigned int i;

	if (!m)
		return;
	model = m;
	ia64_pmu_freeze();
	for (i = 0; i < m->num_counters; i++) {
		ia64_set_pmc(FIRST_COUNTER + i, idle_pmc(FIRST_COUNTER + i));
		ia64_set_pmd(FIRST_COUNTER + i, 0);
	}
	for (r = m->reset; r->pmc; r++)
		ia64_set_pmc(r->pmc, r->value);
	ia64_setreg(_IA64_REG_CR_PMV, IA64_PERFMON_VECTOR);
	ia64_setreg(_IA64_REG_CR_DCR, ia64_getreg(_IA64_REG_CR_DCR) | IA64_DCR_PP);
	ia64_ssm(IA64_PSR_PP);
	ia64_srlz_i();
}

static int __init ia64_pmu_init(void)
{
	if (!model) {
		pr_info("perf_events: performance monitors of CPU family %#x are not known\n",
			local_cpu_data->family);
		return 0;
	}
	register_percpu_irq(IA64_PERFMON_VECTOR, ia64_pmu_interrupt,
			    IRQF_PERCPU | IRQF_NO_THREAD, "perfmon");
	format_group.attrs = model->format_attrs;
	events_group.attrs = model->event_attrs;
	pr_info("perf_events: %s, %u counters of %u bits\n", model->name, model->num_counters,
		COUNTER_BITS);
	return perf_pmu_register(&ia64_pmu, "cpu", PERF_TYPE_RAW);
}
arch_initcall(ia64_pmu_init);
