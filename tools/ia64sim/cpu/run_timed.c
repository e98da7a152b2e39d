// SPDX-License-Identifier: GPL-2.0
/*
 * The run loop of -timing madison: the instructions of run.c, executed by the same
 * functions, while the model of timing/ looks on and says what time it is.
 *
 * Before an instruction executes the model finds it a port and waits for its operands;
 * struct cpu.cycles is then the cycle in which it issues, so that it may read the time.
 * After it the model notes when its results can be used.
 */
#include "cpu/interrupt.h"
#include "cpu/refs.h"
#include "cpu/rse.h"
#include "cpu/run_timed.h"
#include "cpu/sapic.h"
#include "cpu/step.h"
#include "timing/branch.h"
#include "timing/fetch.h"
#include "timing/issue.h"
#include "timing/memory.h"
#include "timing/system.h"
#include "watch/trace.h"

/* Where a reference went that has just been done, by a look that changes nothing. */
static void look_up(struct cpu *cpu, struct reference *r)
{
	const struct tlb_entry *e;

	r->cached = r->known = true;
	if (r->rid == RID_PHYSICAL) {
		r->pa = r->va & MASK(63);
		r->cached = !(r->va >> 63);
		return;
	}
	e = tlb_find(&cpu->dtlb, r->rid, r->va);
	r->known = e;
	if (e) {
		r->pa = e->ppn | (r->va & MASK(e->ps));
		r->cached = e->ma == MA_WB;
	}
}

/* The same by the host's short cut, if there is one. */
static void find_reference(struct cpu *cpu, struct reference *r)
{
	const struct soft_entry *soft = soft_entry(cpu, r->va);

	if (unlikely(soft->read != soft_tag(r->va, 1) && soft->write != soft_tag(r->va, 1))) {
		look_up(cpu, r);
		return;
	}
	r->cached = r->known = true;
	r->pa = ram_address(cpu->machine, (const u8 *)(uintptr_t)(r->va + soft->addend));
}

/* The register stack engine has moved @n registers at @va and above, two a cycle. */
static void settle_rse_traffic(struct cpu *cpu, u64 va, u64 n, enum result_kind kind,
			       enum stall cause)
{
	struct timing *t = cpu->timing;
	u64 begun = cpu->cycles, end = begun + (n + 1) / 2;
	u32 rid = psr(cpu, PSR_RT) ? rr_rid(cpu->rr[va >> 61]) : RID_PHYSICAL;

	/* by lines of L1D */
	for (u64 line = va & -64ULL; line < va + 8 * n; line += 64) {
		struct reference r = { .va = line, .rid = rid, .kind = kind };
		u64 latency;

		look_up(cpu, &r);
		latency = memory_reference(cpu, t, &r) >> READY_SHIFT;
		if (kind == RESULT_LOAD && begun + latency > end)
			end = begun + latency;
	}
	issue_not_before(cpu, t, end, cause);
}

static void settle_rse(struct cpu *cpu)
{
	struct timing *t = cpu->timing;
	u64 stores = cpu->stats.rse_stores - t->rse_stores;
	u64 loads = cpu->stats.rse_loads - t->rse_loads;

	if (likely(!stores && !loads))
		return;
	t->rse_stores += stores;
	t->rse_loads += loads;
	if (stores)
		settle_rse_traffic(cpu, cpu->ar[AR_BSPSTORE] - 8 * stores, stores,
				   RESULT_STORE, STALL_RSE_SPILL);
	if (loads)
		settle_rse_traffic(cpu, cpu->ar[AR_BSPSTORE], loads, RESULT_LOAD,
				   STALL_RSE_FILL);
}

/* The same as memory_reference(), and the data event address register looks on. */
static u64 __attribute__((noinline)) refer_watched(struct cpu *cpu, const struct reference *r)
{
	u64 transfers = cpu->stats.time.event[EVENT_DTLB_TRANSFER], latency, cycles;
	struct pmu *pmu = &cpu->pmu;
	bool walked = cpu->n_walks;

	latency = memory_reference(cpu, cpu->timing, r);
	if (r->kind != RESULT_LOAD && r->kind != RESULT_FP_LOAD)
		return latency;
	if (cpu->stats.time.event[EVENT_DTLB_TRANSFER] != transfers && !walked)
		note_data_miss(cpu, r->va, DATA_EAR_L1);
	cycles = latency >> READY_SHIFT;
	if (pmu->data_ear_latency && cycles >= pmu->data_ear_latency)
		record_data_ear(cpu, r->va, cycles, 1);
	return latency;
}

/* One that needs more than L1 or the line of the last store.  Return: its latency. */
static u64 __attribute__((noinline))
refer(struct cpu *cpu, const struct slot_timing *s, u32 rid, u64 va)
{
	struct timing *t = cpu->timing;
	struct reference r = { .va = va, .rid = rid, .kind = s->result };

	find_reference(cpu, &r);
	if (s->result == RESULT_STORE && memory_store_hit(cpu, t, &r))
		return 0;
	if (unlikely(cpu->pmu.data_ear | cpu->pmu.data_ear_latency))
		return refer_watched(cpu, &r);
	return memory_reference(cpu, t, &r);
}

/* With its entry in the ALAT ld.c leaves memory and its target alone.  Return: it has none. */
static bool __attribute__((noinline)) execute_check(struct cpu *cpu, const struct insn *i)
{
	u64 misses = cpu->stats.alat_misses;

	i->exec(cpu, i);
	return cpu->stats.alat_misses != misses;
}

static void execute_reference(struct cpu *cpu, const struct insn *i, const struct slot_timing *s)
{
	struct timing *t = cpu->timing;
	u64 va = gr(cpu, i->r3), latency = t->of[RESULT_LOAD];
	u32 rid;

	memory_wait(cpu, t);
	if (likely(!(s->flags & SLOT_CHECK)))
		i->exec(cpu, i);
	else if (!execute_check(cpu, i))
		return;
	if (s->operands & OPERAND_TO_BASE)
		issue_base(cpu, t, i);
	rid = psr(cpu, PSR_DT) ? rr_rid(cpu->rr[va >> 61]) : RID_PHYSICAL;
	if (s->result == RESULT_LOAD) {
		if (!memory_l1_hit(cpu, t, rid, va))
			latency = refer(cpu, s, rid, va);
		issue_loaded(cpu, t, i, latency);
		return;
	}
	if (s->result == RESULT_STORE && memory_same_line(cpu, t, rid, va))
		return;
	latency = refer(cpu, s, rid, va);
	if (s->flags & SLOT_RESULT)
		issue_long_results(cpu, t, i, s, latency,
				   latency < t->l2_load ? latency : t->l2_load);
}

/* An instruction whose predicate is true. */
ALWAYS_INLINE void execute(struct cpu *cpu, const struct insn *i, const struct slot_timing *s)
{
	struct timing *t = cpu->timing;

	issue_wait(cpu, t, i, s);
	if (s->flags & SLOT_MEMORY) {
		execute_reference(cpu, i, s);
		return;
	}
	if (unlikely(s->system)) {
		system_wait(cpu, t, s);
		i->exec(cpu, i);
		settle_rse(cpu);
		issue_results(cpu, t, i, s, t->of[s->result]);
		system_done(cpu, t, i, s);
		return;
	}
	i->exec(cpu, i);
	issue_results(cpu, t, i, s, t->of[s->result]);
}

/* One that only takes its port. */
ALWAYS_INLINE void execute_nop(struct cpu *cpu, const struct slot_timing *s)
{
	issue_slot(cpu, cpu->timing, s);
	cpu->stats.nops++;
	cpu->tried++;
	if (s->flags & SLOT_END)
		issue_end_cycle(cpu, cpu->timing, !(s->flags & SLOT_LAST));
}

/* One slot of the bundle at ip; whether it branched is for the caller to see. */
ALWAYS_INLINE void execute_slot(struct cpu *cpu, const struct insn *i,
				const struct slot_timing *s, u64 ip)
{
	struct timing *t = cpu->timing;

	issue_slot(cpu, t, s);
	if (likely(pr(cpu, i->qp)))
		execute(cpu, i, s);
	else
		cpu->stats.squashed++;
	cpu->tried++;
	if (s->flags & (SLOT_END | SLOT_BRANCH)) {
		if (s->flags & SLOT_BRANCH)
			branch_done(cpu, t, i, ip, cpu->branched == BRANCHED);
		if (s->flags & SLOT_END)
			issue_end_cycle(cpu, t, !(s->flags & SLOT_LAST));
	}
}

/* It has branched. */
ALWAYS_INLINE void branch(struct cpu *cpu, const struct slot_timing *s)
{
	if (unlikely(!(s->flags & SLOT_BRANCH)))
		branch_recover(cpu, cpu->timing);
	issue_branch(cpu, cpu->timing);
}

ALWAYS_INLINE void begin_bundle(struct cpu *cpu, const struct code_page *page,
				const struct bundle *b, u64 ip)
{
	if (unlikely(cpu->n_walks))	/* for the fetch, or a probe */
		fetch_walks(cpu, cpu->timing, ip);
	fetch_bundle(cpu, cpu->timing, ip, page->pa + (ip & (SOFT_PAGE - 1)));
	issue_bundle(cpu, cpu->timing, b->template, ip);
}

/* The same for step(). */
static void execute_one(struct cpu *cpu, struct code_page *page, struct bundle *b, unsigned int n)
{
	const struct slot_timing *s = &page->timing[(b - page->bundle) * 3 + n];

	if (!cpu->timing->bundles || !n)
		begin_bundle(cpu, page, b, cpu->ip);
	else if (cpu->n_walks)
		fetch_walks(cpu, cpu->timing, cpu->ip);
	if (s->flags & SLOT_NOP)
		execute_nop(cpu, s);
	else
		execute_slot(cpu, &b->slot[n], s, cpu->ip);
	if (cpu->branched == BRANCHED)
		branch(cpu, s);
}

#define SLOT(n)								\
	do {								\
		if (s[n].flags & SLOT_NOP) {				\
			execute_nop(cpu, &s[n]);			\
			cpu->iipa = ip;					\
			if (!monitors_wait(cpu))			\
				break;					\
			cpu->slot = (n);				\
			goto look;					\
		}							\
		cpu->slot = (n);					\
		execute_slot(cpu, &b->slot[n], &s[n], ip);		\
		cpu->iipa = ip;						\
		if (unlikely(cpu->branched)) {				\
			last = &s[n];					\
			goto branched;					\
		}							\
		if (monitors_wait(cpu))					\
			goto look;					\
	} while (0)

/* From ip and slot on, until there is something to look at. */
static void __attribute__((noinline)) run_page(struct cpu *cpu, struct code_page *page)
{
	const struct fetch_entry *e;
	const struct slot_timing *last;		/* that branched */
	u64 ip = cpu->ip, va = ip & -(u64)SOFT_PAGE;
	unsigned int n = cpu->slot;

	/* No slot has its turn alone, and checks leave the bundle by themselves (step.c). */
	cpu->stepping = true;
	for (;;) {
		unsigned int index = (ip & (SOFT_PAGE - 1)) / 16;
		struct bundle *b = &page->bundle[index];
		const struct slot_timing *s = &page->timing[3 * index];

		if (unlikely(b->run == RUN_DECODE))
			fetch_decode(page, b);
		/* Almost always all three, from the first. */
		if (likely(!n)) {
			begin_bundle(cpu, page, b, ip);
			SLOT(0);
			SLOT(1);
			if (likely(b->n == 3))
				SLOT(2);
		} else {
			if (n >= b->n)
				raise_illegal(cpu);
			if (!cpu->timing->bundles)
				begin_bundle(cpu, page, b, ip);
			else if (cpu->n_walks)
				fetch_walks(cpu, cpu->timing, ip);
			while (n < b->n) {
				SLOT(n);
				n++;
			}
		}
		ip += 16;
		cpu->ip = ip;
		cpu->slot = 0;
next:
		n = 0;
		if (unlikely(cpu->cycles >= cpu->limit || cpu->tried + 2 >= cpu->tries_end))
			break;
		if (likely(ip - va < SOFT_PAGE))
			continue;
		e = fetch_entry(cpu, ip);
		va = ip & -(u64)SOFT_PAGE;
		if (unlikely(e->page != va))
			break;
		page = e->code;
		continue;
branched:
		if (cpu->branched == BRANCHED)
			branch(cpu, last);
		cpu->branched = BRANCHED_NOT;
		ip = cpu->ip;
		if (unlikely(cpu->slot))
			break;
		goto next;
look:
		next_instruction(cpu);
		if (cpu->slot == b->n) {
			cpu->slot = 0;
			cpu->ip = ip + 16;
		}
		break;
	}
	cpu->stepping = false;
}

/* What happened behind the back of the model: it takes its time, and its registers. */
static void settle(struct cpu *cpu)
{
	struct timing *t = cpu->timing;

	/* a trap, an interrupt */
	if (unlikely(cpu->entered))
		system_jump(cpu, t);
	if (unlikely(cpu->others_purges))
		system_others_purges(cpu, t);
	if (psr(cpu, PSR_BN) != t->bank_1)
		timing_switch_banks(t);
}

void run_timed(struct cpu *cpu, u64 budget, u64 tries)
{
	cpu->run_end = cpu->cycles + budget;
	cpu->tries_end = tries > ~0ULL - cpu->tried ? ~0ULL : cpu->tried + tries;
	cpu->counted = cpu_tried(cpu);
	cpu->counted_level = cpl(cpu);

	/* raise_vector() and its kin come back here, with ip where to go on. */
	if (setjmp(cpu->interruption))
		system_jump(cpu, cpu->timing);
	cpu->branched = BRANCHED_NOT;
	cpu->stepping = false;
	for (;;) {
		count_instructions(cpu);
		ask_monitors(cpu);
		if (unlikely(cpu->cycles >= cpu->next_timer))
			sapic_timer_expired(cpu);
		if (cpu->cycles >= cpu->run_end || cpu->tried >= cpu->tries_end || cpu->halted ||
		    cpu->machine->powered_off)
			break;
		settle(cpu);
		if (unlikely(cpu->rse_cfle))
			rse_complete_frame(cpu);
		settle_rse(cpu);
		ask_monitors(cpu);
		if (unlikely(cpu->interrupt_pending) && psr(cpu, PSR_I)) {
			deliver(cpu, VEC_EXTERNAL_INTERRUPT, 0);
			continue;
		}
		if (unlikely(psr_needs_step(cpu) || cpu->tries_end - cpu->tried < 3)) {
			step(cpu, execute_one);
		} else if (unlikely(tracing(cpu->machine, TRACE_INSN))) {
			/* As run_page() does, so that tracing changes nothing. */
			while (step(cpu, execute_one) && !monitors_wait(cpu))
				;
		} else {
			struct code_page *page = fetch(cpu);

			/* The fetch belongs to the instruction. */
			if (monitors_wait(cpu)) {
				step(cpu, execute_one);
				continue;
			}
			cpu->limit = cpu->run_end < cpu->next_timer ? cpu->run_end :
				     cpu->next_timer;
			if (cpu->pmu.limit < cpu->limit)
				cpu->limit = cpu->pmu.limit;
			run_page(cpu, page);
		}
	}
}
