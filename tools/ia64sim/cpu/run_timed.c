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
#include "timing/issue.h"
#include "watch/trace.h"

/* An instruction whose predicate is true. */
ALWAYS_INLINE void execute(struct cpu *cpu, const struct insn *i, const struct slot_timing *s)
{
	struct timing *t = cpu->timing;

	issue_wait(cpu, t, i, s);
	if (unlikely(s->flags & SLOT_CHECK)) {
		u64 misses = cpu->stats.alat_misses;

		i->exec(cpu, i);
		/* With its entry in the ALAT ld.c leaves its target alone. */
		if (cpu->stats.alat_misses == misses)
			return;
	} else {
		i->exec(cpu, i);
	}
	issue_results(cpu, t, i, s, t->of[s->result]);
}

/* One slot, a branch included. */
ALWAYS_INLINE void execute_slot(struct cpu *cpu, const struct insn *i,
				const struct slot_timing *s)
{
	struct timing *t = cpu->timing;

	issue_slot(cpu, t, s);
	if (s->flags & SLOT_NOP)
		cpu->stats.nops++;
	else if (likely(pr(cpu, i->qp)))
		execute(cpu, i, s);
	else
		cpu->stats.squashed++;
	cpu->tried++;
	if (i->stop || s->flags & SLOT_SPLIT)
		issue_end_cycle(cpu, t);
}

/* The same for step(). */
static void execute_one(struct cpu *cpu, struct code_page *page, struct bundle *b, unsigned int n)
{
	if (!cpu->timing->bundles || !n)
		issue_bundle(cpu, cpu->timing, b->template, cpu->ip);
	execute_slot(cpu, &b->slot[n], &page->timing[(b - page->bundle) * 3 + n]);
	if (cpu->branched == BRANCHED)
		issue_branch(cpu, cpu->timing);
}

/* From ip and slot on, until there is something to look at. */
static void __attribute__((noinline)) run_page(struct cpu *cpu, struct code_page *page)
{
	const struct fetch_entry *e;
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
		if (unlikely(n >= b->n))
			raise_illegal(cpu);
		if (likely(!n) || !cpu->timing->bundles)
			issue_bundle(cpu, cpu->timing, b->template, ip);
		do {
			cpu->slot = n;
			execute_slot(cpu, &b->slot[n], &s[n]);
			cpu->iipa = ip;
			if (unlikely(cpu->branched))
				goto branched;
		} while (++n < b->n);
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
			issue_branch(cpu, cpu->timing);
		cpu->branched = BRANCHED_NOT;
		ip = cpu->ip;
		if (unlikely(cpu->slot))
			break;
		goto next;
	}
	cpu->stepping = false;
}

/* What happened behind the back of the model: it takes its time, and its registers. */
static void settle(struct cpu *cpu)
{
	struct timing *t = cpu->timing;

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
		issue_branch(cpu, cpu->timing);
	cpu->branched = BRANCHED_NOT;
	cpu->stepping = false;
	for (;;) {
		count_instructions(cpu);
		if (unlikely(cpu->cycles >= cpu->next_timer))
			sapic_timer_expired(cpu);
		if (cpu->cycles >= cpu->run_end || cpu->tried >= cpu->tries_end || cpu->halted ||
		    cpu->machine->powered_off)
			break;
		settle(cpu);
		if (unlikely(cpu->rse_cfle))
			rse_complete_frame(cpu);
		if (unlikely(cpu->interrupt_pending) && psr(cpu, PSR_I)) {
			deliver(cpu, VEC_EXTERNAL_INTERRUPT, 0);
			issue_branch(cpu, cpu->timing);
			continue;
		}
		if (unlikely(psr_needs_step(cpu) || cpu->tries_end - cpu->tried < 3)) {
			step(cpu, execute_one);
		} else if (unlikely(tracing(cpu->machine, TRACE_INSN))) {
			/* As run_page() does, so that tracing changes nothing. */
			while (step(cpu, execute_one))
				;
		} else {
			cpu->limit = cpu->run_end < cpu->next_timer ? cpu->run_end :
				     cpu->next_timer;
			run_page(cpu, fetch(cpu));
		}
	}
}
