// SPDX-License-Identifier: GPL-2.0
/*
 * Counters as JSON (-stats): the machine's totals, then each processor.  Only
 * simulated quantities, so that equal runs give equal files.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

#include "watch/findings.h"
#include "watch/stats.h"

/* The one place that knows JSON: members of an object, separated by commas. */
struct json {
	FILE *f;
	unsigned int depth;
	bool is_first;
};

static void begin_member(struct json *j, const char *name)
{
	fprintf(j->f, "%s\n%*s", j->is_first ? "" : ",", j->depth * 2, "");
	if (name)
		fprintf(j->f, "\"%s\": ", name);
	j->is_first = false;
}

static void number(struct json *j, const char *name, u64 value)
{
	begin_member(j, name);
	fprintf(j->f, "%" PRIu64, value);
}

static void open_object(struct json *j, const char *name, char bracket)
{
	begin_member(j, name);
	fputc(bracket, j->f);
	j->depth++;
	j->is_first = true;
}

static void close_object(struct json *j, char bracket)
{
	j->depth--;
	if (!j->is_first)
		fprintf(j->f, "\n%*s", j->depth * 2, "");
	fputc(bracket, j->f);
	j->is_first = false;
}

/* By page size, those that happened. */
static void page_sizes(struct json *j, const char *name, const u64 *count)
{
	static const char *const unit[] = { "", "K", "M", "G", "T", "P" };
	char size[16];
	u64 total = 0;

	open_object(j, name, '{');
	for (unsigned int ps = 0; ps < 64; ps++) {
		if (!count[ps])
			continue;
		snprintf(size, sizeof(size), "%u%s", 1U << ps % 10, unit[ps / 10 % 6]);
		number(j, size, count[ps]);
		total += count[ps];
	}
	number(j, "all", total);
	close_object(j, '}');
}

static void tlb_side(struct json *j, const char *name, const struct tlb_stats *s)
{
	open_object(j, name, '{');
	number(j, "misses", s->misses);
	number(j, "walks", s->walks);
	number(j, "walk_aborts", s->walk_aborts);
	number(j, "walk_vhpt_misses", s->walk_vhpt_misses);
	page_sizes(j, "walker_inserts", s->walker_inserts);
	page_sizes(j, "software_inserts", s->software_inserts);
	number(j, "register_inserts", s->register_inserts);
	number(j, "purged", s->purged);
	close_object(j, '}');
}

static void interruptions(struct json *j, const struct cpu_stats *s)
{
	char offset[16];

	open_object(j, "interruptions", '{');
	for (unsigned int i = 0; i < 128; i++) {
		const char *name = vector_name(i << 8);

		if (!s->interruptions[i])
			continue;
		snprintf(offset, sizeof(offset), "%#x", i << 8);
		number(j, name ? name : offset, s->interruptions[i]);
	}
	close_object(j, '}');
}

/* By privilege level, in an object that it opens.  Return: the sum. */
static u64 levels(struct json *j, const char *name, const u64 *count)
{
	char level[8];
	u64 all = 0;

	open_object(j, name, '{');
	for (unsigned int i = 0; i < 4; i++) {
		snprintf(level, sizeof(level), "cpl%u", i);
		number(j, level, count[i]);
		all += count[i];
	}
	return all;
}

static void time_members(struct json *j, const struct time_stats *s)
{
	static const char *const stalls[] = {
#define STALL(name, member)	[STALL_##name] = #member,
		STALLS(STALL)
#undef STALL
	};
	static const char *const events[] = {
#define EVENT(name, member)	[EVENT_##name] = #member,
		EVENTS(EVENT)
#undef EVENT
	};

	levels(j, "level_cycles", s->level);
	close_object(j, '}');
	open_object(j, "stalls", '{');
	for (unsigned int i = 0; i < N_STALLS; i++)
		number(j, stalls[i], s->stall[i]);
	close_object(j, '}');
	open_object(j, "events", '{');
	for (unsigned int i = 0; i < N_EVENTS; i++)
		number(j, events[i], s->event[i]);
	close_object(j, '}');
}

static void cpu_members(struct json *j, const struct machine *m, const struct cpu_stats *s)
{
	number(j, "all", levels(j, "instructions", s->instructions));
	number(j, "predicated_off", s->squashed);
	number(j, "nops", s->nops);
	number(j, "branches", s->branches);
	number(j, "branches_taken", s->taken);
	number(j, "floating_point", s->fp);
	number(j, "loads", s->loads);
	number(j, "stores", s->stores);
	number(j, "semaphores", s->semaphores);
	close_object(j, '}');

	open_object(j, "rse", '{');
	number(j, "loads", s->rse_loads);
	number(j, "stores", s->rse_stores);
	close_object(j, '}');

	open_object(j, "speculation", '{');
	number(j, "deferred", s->deferred);
	number(j, "alat_hits", s->alat_hits);
	number(j, "alat_misses", s->alat_misses);
	close_object(j, '}');

	open_object(j, "tlb", '{');
	tlb_side(j, "instruction", &s->tlb[0]);
	tlb_side(j, "data", &s->tlb[1]);
	number(j, "purges_local", s->purges_local);
	number(j, "purges_global", s->purges_global);
	close_object(j, '}');

	interruptions(j, s);
	if (m->opt.timing)
		time_members(j, &s->time);
}

/* struct cpu_stats is counters only, and adds up as such. */
static void add(struct cpu_stats *sum, const struct cpu_stats *s)
{
	const u64 *from = (const u64 *)s;
	u64 *to = (u64 *)sum;

	_Static_assert(sizeof(*s) % sizeof(u64) == 0, "struct cpu_stats is an array of u64");
	for (size_t i = 0; i < sizeof(*s) / sizeof(u64); i++)
		to[i] += from[i];
}

/* Of one processor, up to date though it runs. */
static struct cpu_stats stats_of(const struct cpu *cpu)
{
	struct cpu_stats s = cpu->stats;

	if (cpu == cpu->machine->running)
		s.instructions[cpu->counted_level] += cpu_tried(cpu) - cpu->counted;
	s.time.level[cpl(cpu)] += cpu_busy(cpu) - cpu->level_since;
	return s;
}

/* Of all. */
static struct cpu_stats total(const struct machine *m)
{
	struct cpu_stats sum = { 0 };

	for (unsigned int i = 0; i < m->n_cpus; i++) {
		struct cpu_stats s = stats_of(m->cpu[i]);

		add(&sum, &s);
	}
	return sum;
}

/* The longest time without interrupts of a processor, since power-on. */
static struct masked longest_of(const struct cpu *cpu)
{
	return cpu->masked.cycles > cpu->masked_before.cycles ? cpu->masked : cpu->masked_before;
}

/* Of all processors. */
static struct masked longest(const struct machine *m, bool in_region)
{
	struct masked most = { 0 };

	for (unsigned int i = 0; i < m->n_cpus; i++) {
		struct masked one = in_region ? m->cpu[i]->masked : longest_of(m->cpu[i]);

		if (one.cycles > most.cycles)
			most = one;
	}
	return most;
}

static void print_masked(struct json *j, struct masked longest)
{
	open_object(j, "longest_masked", '{');
	number(j, "cycles", longest.cycles);
	begin_member(j, "from");
	fprintf(j->f, "\"%#" PRIx64 "\"", longest.from);
	begin_member(j, "to");
	fprintf(j->f, "\"%#" PRIx64 "\"", longest.to);
	close_object(j, '}');
}

/* Regions that have ended, and behind them the one that has begun. */
struct regions {
	u8 begun;			/* its number, or 0 */
	size_t n;
	struct region {
		u64 cycles;
		struct cpu_stats sum;
		struct masked masked;
		u8 number;
	} *region;
};

void stats_region(struct machine *m, u8 nr)
{
	struct region now = { .cycles = machine_cycles(m), .sum = total(m), .number = nr };
	struct regions *r = m->regions;
	u64 *count, *to = (u64 *)&now;

	if (m->timing_late && nr) {
		m->timing_late = false;
		m->timing_begins = true;
		/* The turn ends behind this instruction. */
		if (m->running) {
			m->running->run_end = m->running->cycles;
			attend(m->running);
		}
	}
	if (!m->opt.stats)
		return;
	if (!r) {
		r = m->regions = calloc(1, sizeof(*r));
		if (!r)
			out_of_memory();
	}
	if (r->begun) {
		count = (u64 *)&r->region[r->n];
		for (size_t i = 0; i < offsetof(struct region, masked) / sizeof(u64); i++)
			count[i] = to[i] - count[i];
		r->region[r->n++].masked = longest(m, true);
	}
	if (nr) {
		r->region = realloc(r->region, (r->n + 1) * sizeof(*r->region));
		if (!r->region)
			out_of_memory();
		r->region[r->n] = now;
		for (unsigned int i = 0; i < m->n_cpus; i++) {
			m->cpu[i]->masked_before = longest_of(m->cpu[i]);
			m->cpu[i]->masked = (struct masked){ 0 };
		}
	}
	r->begun = nr;
}

u8 stats_region_begun(const struct machine *m)
{
	return m->regions ? m->regions->begun : 0;
}

void stats_destroy(struct machine *m)
{
	if (m->regions)
		free(m->regions->region);
	free(m->regions);
}

static void print_regions(struct json *j, const struct machine *m)
{
	const struct regions *r = m->regions;

	open_object(j, "regions", '[');
	for (size_t i = 0; r && i < r->n; i++) {
		open_object(j, NULL, '{');
		number(j, "cycles", r->region[i].cycles);
		number(j, "number", r->region[i].number);
		cpu_members(j, m, &r->region[i].sum);
		print_masked(j, r->region[i].masked);
		close_object(j, '}');
	}
	close_object(j, ']');
}

static void print_finding(void *to, const struct finding *f)
{
	struct json *j = to;

	open_object(j, NULL, '{');
	begin_member(j, "resource");
	fprintf(j->f, "\"%s\"", f->name);
	begin_member(j, "what");
	fprintf(j->f, "\"%s\"", f->text);
	begin_member(j, "writer");
	fprintf(j->f, "\"%#llx:%u\"", f->first & ~15ULL, (unsigned int)f->first & 3);
	begin_member(j, "user");
	fprintf(j->f, "\"%#llx:%u\"", f->second & ~15ULL, (unsigned int)f->second & 3);
	number(j, "times", f->count);
	close_object(j, '}');
}

void stats_print(const struct machine *m, FILE *f)
{
	struct json j = { .f = f, .depth = 1, .is_first = true };
	struct cpu_stats sum = total(m);

	fputc('{', f);
	number(&j, "cycles", m->now);
	if (m->opt.timing && !m->timing_late)
		number(&j, "timed_from", m->timed_from);
	number(&j, "exit_status", m->exit_status);
	number(&j, "processors", m->n_cpus);
	number(&j, "ram", m->opt.ram);
	open_object(&j, "tlb_entries", '{');
	number(&j, "instruction", m->opt.itc_entries);
	number(&j, "data", m->opt.dtc_entries);
	number(&j, "registers", m->opt.trs);
	close_object(&j, '}');
	open_object(&j, "total", '{');
	cpu_members(&j, m, &sum);
	print_masked(&j, longest(m, false));
	close_object(&j, '}');
	open_object(&j, "cpu", '[');
	for (unsigned int i = 0; i < m->n_cpus; i++) {
		struct cpu_stats s = stats_of(m->cpu[i]);

		open_object(&j, NULL, '{');
		cpu_members(&j, m, &s);
		print_masked(&j, longest_of(m->cpu[i]));
		close_object(&j, '}');
	}
	close_object(&j, ']');
	print_regions(&j, m);
	if (m->findings) {
		open_object(&j, "strict", '[');
		findings_each(m, print_finding, &j);
		close_object(&j, ']');
	}
	fputs("\n}\n", f);
}
