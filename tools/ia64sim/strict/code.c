// SPDX-License-Identifier: GPL-2.0
/*
 * Code that was stored, and is fetched while caches of instructions may have what was there
 * before: SDM volume 3, fc and sync.i, and volume 2, section 2.5.
 *
 * Of each line of RAM that was stored this knows the bundles which are on their way to fetches:
 * stored; flushed by fc or fc.i; and behind sync.i as well, which leaves srlz.i for the processor
 * that has done all this.  On others what they fetched before is their own business: this sees
 * no more than that the line was flushed and that sync.i came.
 *
 * Only bundles that were stored count, though caches hold lines: what else is in the line has not
 * changed, and old bytes are as good as new ones.
 */
#include <stdlib.h>

#include "mmu/soft.h"
#include "strict/ops.h"
#include "strict/strict.h"
#include "watch/findings.h"

/* fc works on lines of L2, as PAL_CACHE_INFO says by its stride. */
enum { LINE_SHIFT = 7, BUNDLE_SHIFT = 4 };

/**
 * struct code_line - a line of RAM
 * @by: who has stored there last, slot in bits 1:0
 * @stored: bundles that were stored, a bit each
 * @flushed: that fc has reached since
 * @synced: and behind that sync.i
 * @cpu: who has done so
 */
struct code_line {
	u64 by;
	u8 stored, flushed, synced, cpu;
};

void code_lines_create(struct machine *m)
{
	struct code_line *lines = calloc(m->opt.ram >> LINE_SHIFT, sizeof(*lines));

	if (!lines)
		out_of_memory();
	for (unsigned int n = 0; n < m->n_cpus; n++)
		m->cpu[n]->strict->lines = lines;
}

void code_lines_destroy(struct machine *m)
{
	free(m->cpu[0]->strict->lines);
	for (unsigned int n = 0; n < m->n_cpus; n++)
		free(m->cpu[n]->strict->flushed);
}

static u64 line_of(const struct cpu *cpu, const u8 *ram)
{
	return (ram - cpu->machine->ram) >> LINE_SHIFT;
}

static u8 bundle_of(const struct cpu *cpu, const u8 *ram)
{
	return 1U << ((ram - cpu->machine->ram) >> BUNDLE_SHIFT & 7);
}

/* What was stored there by the instruction at @ip, bundle by bundle. */
static void note_store(struct cpu *cpu, u64 va, bool virtual, unsigned int size, u64 ip)
{
	u8 *ram;

	for (u64 at = va & -(1ULL << BUNDLE_SHIFT); at < va + size; at += 1 << BUNDLE_SHIFT) {
		struct code_line *line;
		u8 bundle;

		if (strict_look_up(cpu, at, virtual, 1, &ram) != PLACE_RAM)
			continue;
		line = &cpu->strict->lines[line_of(cpu, ram)];
		bundle = bundle_of(cpu, ram);
		line->by = ip;
		line->stored |= bundle;
		line->flushed &= ~bundle;
		line->synced &= ~bundle;
	}
}

void code_settle(struct cpu *cpu)
{
	struct strict *s = cpu->strict;
	u64 n = cpu->stats.rse_stores - s->code_rse_stores;
	u64 va = cpu->ar[AR_BSPSTORE] - 8 * n;

	s->code_rse_stores = cpu->stats.rse_stores;
	for (; n; n--, va += 8)
		note_store(cpu, va, psr(cpu, PSR_RT), 8, strict_ip(cpu));
}

/* To be looked at by this processor's next sync.i and srlz.i. */
static void remember(struct strict *s, u64 line)
{
	if (s->n_flushed == s->max_flushed) {
		s->max_flushed = s->max_flushed ? 2 * s->max_flushed : 64;
		s->flushed = realloc(s->flushed, s->max_flushed * sizeof(*s->flushed));
		if (!s->flushed)
			out_of_memory();
	}
	s->flushed[s->n_flushed++] = line;
}

static void flush(struct cpu *cpu, u64 va)
{
	struct code_line *line;
	u8 *ram;

	if (strict_look_up(cpu, va, psr(cpu, PSR_DT), 1, &ram) != PLACE_RAM)
		return;
	line = &cpu->strict->lines[line_of(cpu, ram)];
	if (!line->stored)
		return;
	line->flushed |= line->stored;
	line->stored = 0;
	line->cpu = cpu->id;
	remember(cpu->strict, line_of(cpu, ram));
}

static void sync(struct cpu *cpu)
{
	struct strict *s = cpu->strict;

	for (; s->n_synced < s->n_flushed; s->n_synced++) {
		struct code_line *line = &s->lines[s->flushed[s->n_synced]];

		if (line->cpu != cpu->id)
			continue;
		line->synced |= line->flushed;
		line->flushed = 0;
	}
}

void code_serialize(struct cpu *cpu)
{
	struct strict *s = cpu->strict;

	for (size_t n = 0; n < s->n_synced; n++) {
		struct code_line *line = &s->lines[s->flushed[n]];

		if (line->cpu == cpu->id)
			line->synced = 0;
	}
	for (size_t n = s->n_synced; n < s->n_flushed; n++)
		s->flushed[n - s->n_synced] = s->flushed[n];
	s->n_flushed -= s->n_synced;
	s->n_synced = 0;
}

void code_before(struct cpu *cpu, const struct insn *i)
{
	cpu->strict->va = gr(cpu, i->r3);
}

void code_after(struct cpu *cpu, const struct insn *i, u64 ip)
{
	struct strict *s = cpu->strict;
	u16 flags = strict_ops[i->op].flags;

	/* A semaphore's place is aligned, and in one bundle. */
	if (flags & IS_STORE) {
		note_store(cpu, s->va, psr(cpu, PSR_DT), flags & IS_LOAD ? 1 : strict_size(i), ip);
		return;
	}
	switch (i->op) {
	case OP_fc:
	case OP_fc_i:
		flush(cpu, s->va);
		break;
	case OP_sync_i:
		sync(cpu);
		break;
	case OP_srlz_i:
		code_serialize(cpu);
		break;
	}
}

static void report(struct cpu *cpu, const struct code_line *line, enum strict_rule rule,
		   const char *missing)
{
	findings_report(cpu->machine, cpu, line->by, cpu->ip, rule, "code", missing);
}

void code_fetched(struct cpu *cpu, const u8 *ram)
{
	const struct code_line *line = &cpu->strict->lines[line_of(cpu, ram)];
	u8 bundle = bundle_of(cpu, ram);

	if (line->stored & bundle)
		report(cpu, line, RULE_FC, "without fc.i");
	else if (line->flushed & bundle)
		report(cpu, line, RULE_SYNC, "without sync.i");
	else if (line->synced & bundle && line->cpu == cpu->id)
		report(cpu, line, RULE_SRLZ, "without srlz.i");
}
