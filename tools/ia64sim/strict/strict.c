// SPDX-License-Identifier: GPL-2.0
/*
 * The checks of -strict around each instruction.
 */
#include <stdlib.h>

#include "state/random.h"
#include "strict/ops.h"
#include "strict/strict.h"
#include "watch/findings.h"

void strict_create(struct machine *m)
{
	m->random = m->opt.strict.seed;
	if (!strict_insns(&m->opt.strict))
		return;
	strict_ops_create();
	findings_create(m);
	for (unsigned int n = 0; n < m->n_cpus; n++) {
		struct strict *s = calloc(1, sizeof(*s));

		if (!s)
			out_of_memory();
		s->random = m->opt.strict.seed + (n + 1) * BIT(32);
		s->walks_random = ~s->random;
		m->cpu[n]->strict = s;
		m->cpu[n]->loop = LOOP_STRICT;
	}
	if (m->opt.strict.code)
		code_lines_create(m);
}

void strict_destroy(struct machine *m)
{
	if (m->opt.strict.code)
		code_lines_destroy(m);
	for (unsigned int n = 0; n < m->n_cpus; n++)
		free(m->cpu[n]->strict);
	findings_destroy(m);
}

static void new_group(struct cpu *cpu)
{
	cpu->strict->group++;
	if (cpu->machine->opt.strict.depend)
		depend_new_group(cpu);
}

void strict_turn_begins(struct cpu *cpu)
{
	/* What the firmware had stored in between has been stored. */
	cpu->strict->code_rse_stores = cpu->stats.rse_stores;
	if (!stores_wait(cpu->machine))
		return;
	cpu->strict->rse_stores = cpu->stats.rse_stores;
	stores_apply(cpu);
}

void strict_turn_ends(struct cpu *cpu)
{
	if (!stores_wait(cpu->machine))
		return;
	stores_settle(cpu);
	stores_undo(cpu);
}

void strict_before(struct cpu *cpu, const struct insn *i, bool on)
{
	const struct strict_options *o = &cpu->machine->opt.strict;

	if (o->serialize)
		serialize_before(cpu, i, on);
	if (o->depend)
		depend_before(cpu, i, on);
	if (on && o->code)
		code_before(cpu, i);
	if (on && stores_wait(cpu->machine))
		stores_before(cpu, i);
}

void strict_after(struct cpu *cpu, const struct insn *i, bool on, u64 ip)
{
	const struct strict_options *o = &cpu->machine->opt.strict;

	if (on && o->serialize)
		serialize_after(cpu, i, ip);
	if (o->depend)
		depend_after(cpu, i, on, ip);
	if (on && o->code)
		code_after(cpu, i, ip);
	if (o->code)
		code_settle(cpu);
	if (stores_wait(cpu->machine))
		stores_after(cpu, i, on, ip);
	if (o->walks)
		walks_after(cpu);
	if (i->stop || cpu->branched)
		new_group(cpu);
}

void strict_left(struct cpu *cpu)
{
	if (cpu->entered || cpu->returned) {
		serialize_all(cpu);
		if (cpu->machine->opt.strict.code)
			code_serialize(cpu);
		new_group(cpu);
		cpu->entered = cpu->returned = false;
	}
	if (cpu->machine->opt.strict.code)
		code_settle(cpu);
	if (stores_wait(cpu->machine))
		stores_settle(cpu);
}
