// SPDX-License-Identifier: GPL-2.0
/*
 * Instruction fetch: the page of decoded bundles at ip, and their decoding.
 */
#include <stdlib.h>

#include "cpu/exec.h"
#include "cpu/refs.h"
#include "timing/slots.h"

static enum slot_kind slot_kind(const struct insn *i)
{
	if (i->exec == exec_nop && !i->qp)
		return KIND_NOP;
	if (i->unit == UNIT_B || i->unit == UNIT_X)
		return i->qp ? KIND_BRANCH_IF : KIND_BRANCH;
	return i->qp ? KIND_IF : KIND_ALWAYS;
}

void fetch_decode(struct code_page *page, struct bundle *b)
{
	const u8 *bytes = page->ram + (b - page->bundle) * 16;
	enum slot_kind kind[3];

	decode_bundle(exec_functions, b, read_le(bytes, 8), read_le(bytes + 8, 8));
	for (unsigned int n = 0; n < 3; n++)
		kind[n] = n < b->n ? slot_kind(&b->slot[n]) : KIND_NONE;
	if (page->timing)
		timing_decode(b, &page->timing[(b - page->bundle) * 3]);
	if (kind[0] >= KIND_BRANCH || (kind[1] >= KIND_BRANCH && kind[2] != KIND_NONE))
		b->run = RUN_SLOTS;
	else
		b->run = RUN_KINDS(kind[0], kind[1], kind[2]);
}

static struct slot_timing *new_timing(void)
{
	struct slot_timing *slots = calloc(SOFT_PAGE / 16 * 3, sizeof(*slots));

	if (!slots)
		out_of_memory();
	return slots;
}

struct code_page *fetch(struct cpu *cpu)
{
	u64 va = cpu->ip;
	struct fetch_entry *e = fetch_entry(cpu, va);
	struct machine *m = cpu->machine;
	struct translation t;
	struct fault f;
	struct code_page *page;
	u8 *ram;

	if (e->page == soft_tag(va, 1))
		return e->code;
	if (!translate(cpu, va, ACCESS_EXEC, cpl(cpu), &t, &f))
		raise_fault(cpu, &f);
	ram = phys_ram(m, t.pa & -(u64)SOFT_PAGE, 16);
	if (!ram)
		machine_check(cpu, "instruction fetch from %#llx, where no RAM is",
			      (unsigned long long)t.pa);
	page = code_page_at(m, ram);
	if (!page)
		page = code_new_page(m, ram);
	if (cpu->timing && !page->timing)
		page->timing = new_timing();
	/* Breakpoints are looked for by translate(), at every bundle. */
	if (!m->opt.soft_tlb || psr(cpu, PSR_DB)) {
		e->page = ~0ULL;
		return page;
	}
	e->code = page;
	e->page = soft_tag(va, 1);
	cpu->code_context->empty = false;
	return e->code;
}

u64 fetch_address(struct cpu *cpu)
{
	return fetch(cpu)->pa + (cpu->ip & (SOFT_PAGE - 1));
}
