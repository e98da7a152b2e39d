// SPDX-License-Identifier: GPL-2.0
/*
 * The run loop: bundles one after the other, and between them what SDM volume
 * 2, sections 5.3 and 5.5 put there: interrupts, traps, mandatory RSE loads.
 *
 * run_page() is the fast path.  It looks at nothing but the cycle count after
 * each bundle; whatever else there is to see (attend()) sets the limit of that
 * count to 0.  While the PSR asks for something at every single instruction,
 * step() does the work.
 */
#include "cpu/interrupt.h"
#include "cpu/refs.h"
#include "cpu/rse.h"
#include "cpu/run.h"
#include "cpu/run_strict.h"
#include "cpu/run_timed.h"
#include "cpu/sapic.h"
#include "cpu/step.h"
#include "watch/trace.h"

/* The cycle before which single steps have to begin: the budget, and what is monitored. */
static u64 next_stop(const struct cpu *cpu)
{
	return cpu->run_end < cpu->pmu.limit ? cpu->run_end : cpu->pmu.limit;
}

/* Is there something to ask for at every instruction, or no room for three? */
static bool needs_step(const struct cpu *cpu)
{
	return unlikely(psr_needs_step(cpu)) || next_stop(cpu) - cpu->cycles < 3;
}

/* A slot of a cycle. */
static void execute_slot(struct cpu *cpu, struct code_page *page, struct bundle *b, unsigned int n)
{
	const struct insn *i = &b->slot[n];

	(void)page;
	if (pr(cpu, i->qp))
		i->exec(cpu, i);
	else
		cpu->stats.squashed++;
	cpu->cycles++;
}

/*
 * What run_page() does with a slot, by its kind (code.h); now is cpu->cycles,
 * which only this loop moves.
 */
#define SLOT_NOP(n)						\
	do {							\
		cpu->stats.nops++;				\
		cpu->cycles = ++now;				\
	} while (0)

#define SLOT_ALWAYS(n)						\
	do {							\
		cpu->slot = (n);				\
		b->slot[n].exec(cpu, &b->slot[n]);		\
		cpu->cycles = ++now;				\
	} while (0)

#define SLOT_IF(n)						\
	do {							\
		cpu->slot = (n);				\
		if (likely(cpu->pr >> b->slot[n].qp & 1))	\
			b->slot[n].exec(cpu, &b->slot[n]);	\
		else						\
			cpu->stats.squashed++;			\
		cpu->cycles = ++now;				\
	} while (0)

/* Slots that may branch and have none behind them. */
#define SLOT_BRANCH(n)						\
	do {							\
		SLOT_ALWAYS(n);					\
		if (cpu->branched)				\
			goto branched;				\
	} while (0)

#define SLOT_BRANCH_IF(n)					\
	do {							\
		SLOT_IF(n);					\
		if (cpu->branched)				\
			goto branched;				\
	} while (0)

#define SLOT_NONE(n)						\
	do {							\
	} while (0)

#define DISPATCH()	goto *how[b->run]

#define BUNDLE(k0, k1, k2)					\
	k0##_##k1##_##k2:					\
		SLOT_##k0(0);					\
		cpu->iipa = ip;					\
		SLOT_##k1(1);					\
		SLOT_##k2(2);					\
		ip += 16;					\
		cpu->ip = ip;					\
		b++;						\
		if (unlikely(now >= cpu->limit))		\
			goto leave;				\
		DISPATCH();
#define HOW(k0, k1, k2)						\
	[RUN_KINDS(KIND_##k0, KIND_##k1, KIND_##k2)] = &&k0##_##k1##_##k2,

#define KINDS_0(X, k1, k2)	X(NOP, k1, k2) X(ALWAYS, k1, k2) X(IF, k1, k2)
#define KINDS_1(X, k2)		KINDS_0(X, NOP, k2) KINDS_0(X, ALWAYS, k2) KINDS_0(X, IF, k2)
#define BUNDLES(X)							\
	KINDS_1(X, NOP) KINDS_1(X, ALWAYS) KINDS_1(X, IF)		\
	KINDS_1(X, BRANCH) KINDS_1(X, BRANCH_IF)			\
	/* MLX */							\
	KINDS_0(X, NOP, NONE) KINDS_0(X, BRANCH, NONE) KINDS_0(X, BRANCH_IF, NONE)

/* From ip and slot on, until there is something to look at. */
static void __attribute__((noinline)) run_page(struct cpu *cpu, struct code_page *page)
{
	u64 ip = cpu->ip;
	u64 va = ip & -(u64)SOFT_PAGE;
	struct bundle *b = &page->bundle[(ip & (SOFT_PAGE - 1)) / 16];
	static const void *const how[] = {
		[RUN_DECODE] = &&decode, [RUN_PAGE_END] = &&page_end, [RUN_SLOTS] = &&by_slot,
		BUNDLES(HOW)
	};
	const struct fetch_entry *e;
	unsigned int n = cpu->slot;
	u64 now = cpu->cycles;

	if (b->run == RUN_DECODE)
		fetch_decode(page, b);
	if (unlikely(n)) {
		if (n >= b->n)
			raise_illegal(cpu);
		goto slots;
	}

	DISPATCH();

	BUNDLES(BUNDLE)
by_slot:
	n = 0;
slots:
	do {
		SLOT_IF(n);
		cpu->iipa = ip;
		if (unlikely(cpu->branched))
			goto branched;
	} while (++n < b->n);
	ip += 16;
	cpu->ip = ip;
	b++;
	if (likely(now < cpu->limit))
		DISPATCH();
leave:
	cpu->slot = 0;
	return;

decode:
	fetch_decode(page, b);
	DISPATCH();

branched:
	cpu->branched = BRANCHED_NOT;
	if (unlikely(now >= cpu->limit))
		return;
	ip = cpu->ip;
	b = &page->bundle[(ip & (SOFT_PAGE - 1)) / 16];
	if (likely(ip - va < SOFT_PAGE))
		DISPATCH();
page_end:
	cpu->slot = 0;
	e = fetch_entry(cpu, ip);
	va = ip & -(u64)SOFT_PAGE;
	if (unlikely(e->page != va))
		return;
	page = e->code;
	b = &page->bundle[(ip & (SOFT_PAGE - 1)) / 16];
	DISPATCH();
}

/* Until the budget is spent, or raise_vector() and its kin end it by longjmp(). */
static void __attribute__((noinline)) run_on(struct cpu *cpu)
{
	for (;;) {
		count_instructions(cpu);
		ask_monitors(cpu);
		if (unlikely(cpu->cycles >= cpu->next_timer))
			sapic_timer_expired(cpu);
		if (cpu->cycles >= cpu->run_end || cpu->halted || cpu->machine->powered_off)
			break;
		if (unlikely(cpu->rse_cfle)) {
			rse_complete_frame(cpu);
			ask_monitors(cpu);
		}
		if (unlikely(cpu->interrupt_pending) && psr(cpu, PSR_I)) {
			deliver(cpu, VEC_EXTERNAL_INTERRUPT, 0);
			continue;
		}
		if (unlikely(needs_step(cpu))) {
			step(cpu, execute_slot);
		} else if (unlikely(tracing(cpu->machine, TRACE_INSN))) {
			/* As run_page() does, so that tracing changes nothing. */
			while (step(cpu, execute_slot) && !monitors_wait(cpu))
				;
		} else {
			struct code_page *page = fetch(cpu);
			u64 stop = next_stop(cpu);

			/* The fetch belongs to the instruction. */
			if (monitors_wait(cpu)) {
				step(cpu, execute_slot);
				continue;
			}
			/* The last two cycles take single steps. */
			cpu->limit = stop - 2 < cpu->next_timer ? stop - 2 : cpu->next_timer;
			cpu->pmu.in_page = true;
			run_page(cpu, page);
			cpu->pmu.in_page = false;
		}
	}
}

static void run(struct cpu *cpu, u64 budget)
{
	cpu->run_end = cpu->cycles + budget;
	cpu->counted = cpu_tried(cpu);
	cpu->counted_level = cpl(cpu);

	/* raise_vector() and its kin come back here, with ip where to go on.  What is kept over
	 * setjmp() stays in no host register, so the loop is a function of its own.
	 */
	if (setjmp(cpu->interruption) == RETRY)
		cpu->pmu.limit = cpu->cycles + 1;	/* alone, and look then */
	cpu->pmu.in_page = false;
	cpu->branched = BRANCHED_NOT;
	cpu->stepping = false;
	run_on(cpu);
}

void cpu_run(struct cpu *cpu, u64 budget, u64 tries)
{
	if (likely(cpu->loop == LOOP_PLAIN))
		run(cpu, budget < tries ? budget : tries);
	else if (cpu->loop == LOOP_TIMED)
		run_timed(cpu, budget, tries);
	else
		run_strict(cpu, budget < tries ? budget : tries);
}
