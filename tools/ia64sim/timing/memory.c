// SPDX-License-Identifier: GPL-2.0
/*
 * References through the L1 DTLB, the VHPT walker and the caches.
 *
 * Integer loads ask the L1 DTLB and L1D.  All others begin in L2, as what misses in the L1
 * DTLB does.  The L2 DTLB is the one that the simulated program sees: what missed there
 * the walker has looked for, and that is noted in struct cpu.
 */
#include "timing/issue.h"
#include "timing/memory.h"

/* A reference of the model of one processor, or a walk for it. */
struct access {
	struct cpu *cpu;
	struct timing *t;
	u64 pa;
	bool write;
};

static void count(const struct access *a, enum time_event event)
{
	a->cpu->stats.time.event[event]++;
}

/* One cache of another processor hears that somebody wants a line.  Return: its state there. */
static int hear(struct cache *c, u64 pa, bool write)
{
	struct line *line = cache_peek(c, pa);
	int state;

	if (!line)
		return -1;
	state = line_state(line);
	if (write)
		line->tag = 0;
	else
		line_set_state(line, LINE_SHARED);
	return state;
}

/*
 * What others do about a line that this processor does not have, or wants for itself to
 * write: they share it, or give it up.  No lock is needed: processors of the simulated
 * machine have their turns one after the other, in one thread.
 *
 * Return: the state in which somebody had it, or -1: nobody did
 */
static int snoop(const struct access *a)
{
	struct bus *bus = a->t->bus;
	int state = -1;

	for (unsigned int i = 0; i < bus->n_processors; i++) {
		struct timing *other = bus->processor[i];
		int l2, l3;

		if (other == a->t)
			continue;
		l2 = hear(&other->l2, a->pa, a->write);
		l3 = hear(&other->l3, a->pa, a->write);
		/* L1D has what is neither in L2 nor L3 any more, perhaps, and two halves. */
		if (a->write) {
			u64 line = a->pa & -(1ULL << other->l2.shift);

			l1_forget_line(&other->l1d, line);
			l1_forget_line(&other->l1d, line + (1 << L1_LINE_SHIFT));
		}
		if (l2 > state)
			state = l2;
		if (l3 > state)
			state = l3;
	}
	return state;
}

/* A line that is shared gets written.  Return: when all others have given it up. */
static u64 claim(const struct access *a, u64 now)
{
	struct line *line = cache_peek(&a->t->l3, a->pa);

	count(a, EVENT_SHARED_WRITE);
	snoop(a);
	if (line)
		line_set_state(line, LINE_EXCLUSIVE);
	return now + a->t->params.claim;
}

/* A modified line goes to memory, from cycle @now on.  Return: when it is gone. */
static u64 write_back(const struct access *a, u64 now)
{
	count(a, EVENT_WRITEBACK);
	return bus_transfer(a->t->bus, now) + bus_cycles(a->t->bus);
}

/*
 * When a line comes from memory that is wanted at cycle @now.  As many can be under way as
 * the bus can tell apart.
 */
static u64 from_memory(const struct access *a, u64 now, const struct line *victim)
{
	struct timing *t = a->t;
	u64 when;

	count(a, EVENT_L3_MISS);
	if (line_state(victim) == LINE_MODIFIED) {
		when = write_back(a, now);
		if (t->params.victim_first)
			now = when;
	}
	when = bus_transfer(t->bus, now) + t->params.l3_load + t->memory;
	if (bus_open(t->bus, a->pa))
		when -= t->open_page;
	return when;
}

/* The same from L3 on, in this state, and from L2 on. */
static u64 from_l3(const struct access *a, u64 now, enum line_state *state)
{
	struct cache *l3 = &a->t->l3;
	struct line *line = cache_find(l3, a->pa);
	u64 when = now + a->t->params.l3_load;
	int theirs;

	if (line) {
		/* modified for L3 is none of L2's business */
		*state = line_state(line) == LINE_SHARED ? LINE_SHARED : LINE_EXCLUSIVE;
		return line->ready > when ? line->ready : when;
	}
	line = cache_replace(l3, a->pa);
	when = from_memory(a, now, line);
	theirs = snoop(a);
	if (theirs == LINE_MODIFIED) {
		count(a, EVENT_FROM_OTHER);
		when += a->t->params.from_other;
	}
	*state = theirs < 0 || a->write ? LINE_EXCLUSIVE : LINE_SHARED;
	*line = (struct line){ line_tag(l3, a->pa, *state), when };
	return when;
}

/* A modified line leaves L2. */
static void to_l3(const struct access *a, u64 pa, u64 now)
{
	struct cache *l3 = &a->t->l3;
	struct line *line = cache_find(l3, pa);

	if (line) {
		line_set_state(line, LINE_MODIFIED);
		return;
	}
	line = cache_replace(l3, pa);
	if (line_state(line) == LINE_MODIFIED)
		write_back(a, now);
	*line = (struct line){ line_tag(l3, pa, LINE_MODIFIED), now };
}

/*
 * L2 has so many misses under way, and another one waits for the oldest.  A reference to a
 * line that is on its way is a miss, too: Linux's copy_page() for McKinley, which is made for
 * 16 misses, touches each line once to avoid such.
 */
static u64 *place_of_miss(struct timing *t, u64 *now)
{
	u64 *place = &t->outstanding[t->n_outstanding++ % t->params.outstanding];

	if (*place > *now)
		*now = *place;
	return place;
}

static u64 from_l2(const struct access *a, u64 now)
{
	struct cache *l2 = &a->t->l2;
	struct line *line = cache_find(l2, a->pa);
	u64 when = now + a->t->params.l2_load, *place;
	enum line_state state;

	if (!line) {
		count(a, EVENT_L2_MISS);
		place = place_of_miss(a->t, &now);
		when = *place = from_l3(a, now, &state);
		line = cache_replace(l2, a->pa);
		if (line_state(line) == LINE_MODIFIED)
			to_l3(a, line_address(l2, line), now);
		*line = (struct line){ line_tag(l2, a->pa, state), when };
	} else if (line->ready > when) {
		place = place_of_miss(a->t, &now);
		when = *place = line->ready > now ? line->ready : now;
	}
	if (a->write) {
		if (line_state(line) == LINE_SHARED)
			when = claim(a, when);
		line_set_state(line, LINE_MODIFIED);
	}
	return when;
}

u64 memory_walk(struct cpu *cpu, struct timing *t, u64 pa, u64 now)
{
	struct access a = { .cpu = cpu, .t = t, .pa = pa };
	u64 begin = now > t->walker_free ? now : t->walker_free;
	u64 *event = cpu->stats.time.event, l2 = event[EVENT_L2_MISS], l3 = event[EVENT_L3_MISS];

	/* Without a translation for the table itself nothing is read. */
	if (pa == NO_TABLE) {
		t->walker_free = begin + t->params.walk_miss;
	} else {
		t->walker_free = from_l2(&a, begin + t->params.walk);
		if (event[EVENT_L3_MISS] != l3)
			count(&a, EVENT_WALK_MEMORY);
		else if (event[EVENT_L2_MISS] != l2)
			count(&a, EVENT_WALK_L3);
	}
	t->walker_wanted = now;
	if (t->params.walk_stops && t->walker_free > t->busy_until)
		t->busy_until = t->walker_free;
	return t->walker_free;
}

static u64 walks_from(struct cpu *cpu, struct timing *t, u64 now)
{
	for (unsigned int i = 0; i < noted_walks(cpu); i++)
		now = memory_walk(cpu, t, cpu->walks[i].pa, now);
	cpu->n_walks = 0;
	return now;
}

void memory_forget(struct cpu *cpu, struct timing *t)
{
	t->store_va = ~0ULL;
	t->fetched = ~0ULL;
	/* More than there is room for, or ptc.e. */
	if (cpu->n_gone > MAX_GONE) {
		l1_forget_all(&t->l1d);
		l1_forget_all(&t->l1i);
	}
	for (unsigned int i = 0; i < cpu->n_gone && cpu->n_gone <= MAX_GONE; i++) {
		const struct gone_translation *gone = &cpu->gone[i];

		l1_forget(gone->data ? &t->l1d : &t->l1i, gone->rid, gone->va, gone->ps);
	}
	cpu->n_gone = 0;
}

u64 memory_fetch(struct cpu *cpu, struct timing *t, u64 pa, u64 now)
{
	struct access a = { .cpu = cpu, .t = t, .pa = pa };
	u64 when = now + t->params.l2i_load, *place;
	enum line_state state;
	struct line *line;

	if (!t->l2i.sets)
		return from_l2(&a, now);
	line = cache_find(&t->l2i, pa);
	if (line)
		return line->ready > when ? line->ready : when;
	count(&a, EVENT_L2_MISS);
	place = place_of_miss(t, &now);
	when = *place = from_l3(&a, now, &state);
	*cache_replace(&t->l2i, pa) = (struct line){ line_tag(&t->l2i, pa, state), when };
	return when;
}

void memory_stall(struct cpu *cpu, struct timing *t)
{
	/* A walk that was wanted in this cycle stops nobody else of this cycle. */
	if (t->params.walk_stops && t->walker_wanted != cpu->cycles)
		issue_not_before(cpu, t, t->walker_free, STALL_WALK);
	issue_not_before(cpu, t, t->queue[t->queue_next], STALL_QUEUE);
}

bool memory_search_stores(const struct timing *t, u64 va, u64 now)
{
	for (unsigned int n = 0; n < RECENT_STORES; n++)
		if (t->store[n] == va >> 3 && now - t->stored[n] <= t->params.forward)
			return true;
	return false;
}

/* L2's part of a reference, which takes an entry of its queue. */
static u64 queued(const struct access *a, u64 now)
{
	u64 when = from_l2(a, now);

	memory_queue(a->t, when);
	return when;
}

/* An integer load's data. */
static u64 load(const struct access *a, const struct reference *r, u64 now)
{
	struct timing *t = a->t;
	u64 serial = l1_find(&t->l1d, r->rid, r->va);
	u64 when;
	const u64 *ready;

	/* Without its translation in the L1 DTLB it is a load from L2, and fills no line. */
	if (!serial) {
		count(a, EVENT_L1D_MISS);
		count(a, EVENT_DTLB_TRANSFER);
		l1_fill(&t->l1d, r->rid, r->va);
		t->transfer_until = now + t->params.l1_dtlb;
		return queued(a, t->transfer_until);
	}
	ready = l1_line(&t->l1d, serial, r->va);
	if (ready && !memory_was_stored(t, r->va, now)) {
		when = now + t->params.load;
		return *ready > when ? *ready : when;
	}
	count(a, EVENT_L1D_MISS);
	when = queued(a, now);
	if (!ready)
		l1_fill_line(&t->l1d, serial, r->va, r->pa, when);
	return when;
}

u64 memory_reference(struct cpu *cpu, struct timing *t, const struct reference *r)
{
	struct access a = { .cpu = cpu, .t = t, .pa = r->pa };
	u64 issued = cpu->cycles, now = issued, later = t->of[r->kind] & MASK(READY_SHIFT);

	if (__builtin_expect(cpu->n_gone, 0))
		memory_forget(cpu, t);
	if (__builtin_expect(cpu->n_walks, 0))
		now = walks_from(cpu, t, now);
	if (!r->known)
		return LATENCY(now + t->params.load - issued, later);
	if (!r->cached)
		return LATENCY(now + t->params.uncached - issued, later);
	switch (r->kind) {
	case RESULT_LOAD:
		now = load(&a, r, now);
		break;
	case RESULT_FP_LOAD:
		now = queued(&a, now) + 1;
		break;
	case RESULT_SEMAPHORE:
		a.write = true;
		now = queued(&a, now) + t->params.semaphore - t->params.l2_load;
		break;
	case RESULT_STORE:
		a.write = true;
		queued(&a, now);
		memory_note_store(t, r->va, issued);
		break;
	default:
		queued(&a, now);
		break;
	}
	return LATENCY(now - issued, later);
}
