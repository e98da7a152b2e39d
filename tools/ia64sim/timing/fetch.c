// SPDX-License-Identifier: GPL-2.0
/*
 * Instruction fetch.  L1I asks its own TLB of pages of 4 KiB, and L2.  Behind a taken branch
 * with the hint .many some lines ahead are fetched too.
 *
 * Fetch is ahead of issue, by as much as the buffer between them holds.
 */
#include <string.h>

#include "timing/fetch.h"
#include "timing/issue.h"
#include "timing/memory.h"

enum { LINE = 1 << L1_LINE_SHIFT, L1_PAGE = 1 << L1_PAGE_SHIFT };

/*
 * Fetch goes on while issue waits, until the buffer is full.  Issue takes two bundles a cycle
 * at most, as many as fetch brings, so that between bubbles fetch can only gain, and it will do
 * to ask here how far it is ahead.
 */
static u64 fetched_at(const struct timing *t, u64 ip, u64 cycle)
{
	u64 fetched = t->run_fetched + (ip >> FETCH_SHIFT) - (t->run >> FETCH_SHIFT);
	u64 full = t->params.buffer / 2;

	/* What could issue has been fetched, also where a debugger has set ip. */
	if (fetched > cycle)
		return cycle;
	return fetched + full < cycle ? cycle - full : fetched;
}

u64 fetch_bubble(struct timing *t, u64 ip, u64 cycle, u64 lost)
{
	t->run_fetched = fetched_at(t, ip, cycle) + lost;
	t->run = ip;
	return t->run_fetched > cycle ? t->run_fetched - cycle : 0;
}

/* For the bundle at @ip, which could issue now; its fetch has begun before. */
static void fetch_walk(struct cpu *cpu, struct timing *t, u64 ip, u64 pa)
{
	u64 begin = fetched_at(t, ip, cpu->cycles);
	u64 lost = fetch_bubble(t, ip, cpu->cycles, memory_walk(cpu, t, pa, begin) - begin);
	u64 arrives = cpu->cycles + lost;

	if (lost)
		issue_flush(cpu, t);
	issue_not_before(cpu, t, arrives, STALL_ITLB);
}

void fetch_walks(struct cpu *cpu, struct timing *t, u64 ip)
{
	for (unsigned int i = 0; i < noted_walks(cpu); i++) {
		const struct noted_walk *walk = &cpu->walks[i];

		if (walk->fetch) {
			fetch_walk(cpu, t, ip, walk->pa);
			continue;
		}
		issue_flush(cpu, t);
		issue_not_before(cpu, t, memory_walk(cpu, t, walk->pa, cpu->cycles), STALL_WALK);
	}
	cpu->n_walks = 0;
}

static u64 from_l2(struct cpu *cpu, struct timing *t, u64 serial, u64 ip, u64 pa)
{
	u64 ready = memory_fetch(cpu, t, pa, cpu->cycles) + t->params.l1i_miss - t->params.l2_load;

	l1_fill_line(&t->l1i, serial, ip, pa, ready);
	return ready;
}

/* Up to so many lines ahead, in the page. */
static void stream(struct cpu *cpu, struct timing *t, u64 serial, u64 ip, u64 pa)
{
	u64 line = ip >> L1_LINE_SHIFT, end = line + t->params.stream;
	u64 last = ip >> L1_PAGE_SHIFT << (L1_PAGE_SHIFT - L1_LINE_SHIFT) | (L1_PAGE / LINE - 1);
	u64 next = t->streamed > line && t->streamed <= end ? t->streamed : line;

	if (end > last)
		end = last;
	while (next < end) {
		next++;
		if (!l1_line(&t->l1i, serial, next << L1_LINE_SHIFT))
			from_l2(cpu, t, serial, next << L1_LINE_SHIFT,
				pa + ((next - line) << L1_LINE_SHIFT));
	}
	t->streamed = next;
}

/* A line that has just been fetched, and has not arrived long ago. */
static bool is_new(const struct cpu *cpu, u64 arrives)
{
	return arrives + 64 > cpu->cycles;
}

/* fetch_line() of one that was not fetched lately. */
static void __attribute__((noinline))
fetch_l1(struct cpu *cpu, struct timing *t, u32 rid, u64 ip, u64 pa)
{
	unsigned int n = (ip >> L1_LINE_SHIFT) % FETCH_RECENT;
	u64 serial = l1_find(&t->l1i, rid, ip), arrives, lost;
	const u64 *ready;

	if (!serial) {
		cpu->stats.time.event[EVENT_ITLB_MISS]++;
		issue_flush(cpu, t);
		lost = fetch_bubble(t, ip, cpu->cycles, t->params.l1_itlb);
		issue_not_before(cpu, t, cpu->cycles + lost, STALL_ITLB);
		serial = l1_fill(&t->l1i, rid, ip);
	}
	ready = l1_line(&t->l1i, serial, ip);
	if (!ready)
		cpu->stats.time.event[EVENT_FETCH_MISS]++;
	arrives = ready ? *ready : from_l2(cpu, t, serial, ip, pa);
	if (t->streams && is_new(cpu, arrives))
		stream(cpu, t, serial, ip, pa);
	if (arrives > cpu->cycles) {
		lost = fetch_bubble(t, ip, cpu->cycles, arrives - cpu->cycles);
		arrives = cpu->cycles + lost;
		if (lost)
			issue_flush(cpu, t);
		issue_not_before(cpu, t, arrives, STALL_FETCH);
	}
	if (t->recent_changes != t->l1i.changes) {
		memset(t->recent, 0xff, sizeof(t->recent));
		t->recent_changes = t->l1i.changes;
	}
	if (!is_new(cpu, arrives)) {
		t->recent[n].line = ip >> L1_LINE_SHIFT;
		t->recent[n].rid = rid;
	}
}

void fetch_line(struct cpu *cpu, struct timing *t, u64 ip, u64 pa)
{
	u32 rid = psr(cpu, PSR_IT) ? (u32)FIELD(cpu->rr[ip >> 61], 8, 24) : RID_PHYSICAL;
	unsigned int n = (ip >> L1_LINE_SHIFT) % FETCH_RECENT;

	if (cpu->n_gone)
		memory_forget(cpu, t);
	t->fetched = ip;
	if (t->recent[n].line == ip >> L1_LINE_SHIFT && t->recent[n].rid == rid &&
	    t->recent_changes == t->l1i.changes)
		return;
	if (t->params.fetch)
		fetch_l1(cpu, t, rid, ip, pa);
}
