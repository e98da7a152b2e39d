// SPDX-License-Identifier: GPL-2.0
/*
 * References through the L1 DTLB, the VHPT walker and the caches.
 *
 * Integer loads ask the L1 DTLB and L1D.  All others begin in L2, as what misses in the L1
 * DTLB does.  The L2 DTLB is the one that the simulated program sees: what missed there
 * the walker has looked for, and that is noted in struct cpu.
 */
#include "timing/memory.h"

/* When a line is there that somebody wants from L3 at cycle @now, and from L2. */
static u64 from_l3(struct timing *t, u64 pa, u64 now)
{
	const u64 *ready = cache_find(&t->l3, pa);
	u64 when = now + t->params.l3_load;

	if (ready)
		return *ready > when ? *ready : when;
	when += t->memory;
	cache_fill(&t->l3, pa, when);
	return when;
}

static u64 from_l2(struct timing *t, u64 pa, u64 now)
{
	const u64 *ready = cache_find(&t->l2, pa);
	u64 when = now + t->params.l2_load;

	if (ready)
		return *ready > when ? *ready : when;
	when = from_l3(t, pa, now);
	cache_fill(&t->l2, pa, when);
	return when;
}

/* The walker does one walk at a time.  When it is done with one that is wanted now. */
static u64 walk(struct timing *t, u64 pa, u64 now)
{
	u64 begin = now > t->walker_free ? now : t->walker_free;

	/* Without a translation for the table itself nothing is read. */
	if (pa == NO_TABLE)
		t->walker_free = begin + t->params.walk_miss;
	else
		t->walker_free = from_l2(t, pa, begin + t->params.walk);
	t->walker_wanted = now;
	return t->walker_free;
}

static u64 walks_from(struct cpu *cpu, struct timing *t, u64 now)
{
	unsigned int n = cpu->n_walks < MAX_NOTES ? cpu->n_walks : MAX_NOTES;

	for (unsigned int i = 0; i < n; i++)
		now = walk(t, cpu->walks[i], now);
	cpu->n_walks = 0;
	return now;
}

u64 memory_walks(struct cpu *cpu, struct timing *t, u64 now)
{
	return walks_from(cpu, t, now) - now;
}

/* Translations that are gone from the L2 DTLB go from the L1 DTLB too. */
static void forget(struct cpu *cpu, struct dtlb *d)
{
	if (cpu->n_gone > MAX_NOTES) {
		dtlb_forget_all(d);
	} else {
		for (unsigned int i = 0; i < cpu->n_gone; i++)
			dtlb_forget(d, cpu->gone[i].rid, cpu->gone[i].va, cpu->gone[i].ps);
	}
	cpu->n_gone = 0;
}

/* An integer load's data. */
static u64 load(struct timing *t, const struct reference *r, u64 now)
{
	u64 serial = dtlb_find(&t->dtlb, r->rid, r->va);
	u64 when;
	const u64 *ready;

	/* Without its translation in the L1 DTLB it is a load from L2, and fills no line. */
	if (!serial) {
		dtlb_fill(&t->dtlb, r->rid, r->va);
		return from_l2(t, r->pa, now + t->params.l1_dtlb);
	}
	ready = l1d_find(&t->dtlb, serial, r->va);
	if (ready) {
		when = now + t->params.load;
		return *ready > when ? *ready : when;
	}
	when = from_l2(t, r->pa, now);
	l1d_fill(&t->dtlb, serial, r->va, when);
	return when;
}

u64 memory_reference(struct cpu *cpu, struct timing *t, const struct reference *r)
{
	u64 issued = cpu->cycles, now = issued, later = t->of[r->kind] & MASK(READY_SHIFT);

	if (__builtin_expect(cpu->n_gone, 0))
		forget(cpu, &t->dtlb);
	if (__builtin_expect(cpu->n_walks, 0))
		now = walks_from(cpu, t, now);
	if (!r->known)
		return LATENCY(now + t->params.load - issued, later);
	if (!r->cached)
		return LATENCY(now + t->params.uncached - issued, later);
	switch (r->kind) {
	case RESULT_LOAD:
		now = load(t, r, now);
		break;
	case RESULT_FP_LOAD:
		now = from_l2(t, r->pa, now) + 1;
		break;
	case RESULT_SEMAPHORE:
		now = from_l2(t, r->pa, now) + t->params.semaphore - t->params.l2_load;
		break;
	default:
		from_l2(t, r->pa, now);
		break;
	}
	return LATENCY(now - issued, later);
}
