// SPDX-License-Identifier: GPL-2.0
/*
 * Selected events as lines of text (-trace EVENTS, -trace-file FILE).
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "watch/trace.h"

static const struct {
	const char *name;
	unsigned int events;
} names[] = {
	{ "int", TRACE_INT }, { "tlb", TRACE_TLB }, { "purge", TRACE_PURGE },
	{ "insn", TRACE_INSN }, { "mem", TRACE_MEM }, { "firmware", TRACE_FIRMWARE },
	{ "pmu", TRACE_PMU },
	{ "all", TRACE_INT | TRACE_TLB | TRACE_PURGE | TRACE_INSN | TRACE_MEM | TRACE_FIRMWARE |
		 TRACE_PMU },
};

static bool insn_selected;	/* by the command line; the gdb stub uses the event too */

static bool add_event(struct machine *m, const char *name, size_t n)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strlen(names[i].name) == n && !memcmp(names[i].name, name, n)) {
			m->trace_events |= names[i].events;
			return true;
		}
	}
	fprintf(stderr, "ia64sim: -trace %.*s: not int, tlb, purge, insn, mem, firmware, pmu or all\n",
		(int)n, name);
	return false;
}

/* Devices get another pair of functions in front of theirs. */
static struct device traced[MAX_DEVICES];

static u64 traced_read(struct machine *m, void *state, u64 offset, unsigned int size)
{
	const struct device *d = state;
	u64 value = d->read(m, d->state, offset, size);

	if (m->running)
		trace_line(m->running, "read%u %s+%#llx = %#llx", size, d->name,
			   (unsigned long long)offset, (unsigned long long)value);
	return value;
}

static void traced_write(struct machine *m, void *state, u64 offset, unsigned int size, u64 value)
{
	const struct device *d = state;

	if (m->running)
		trace_line(m->running, "write%u %s+%#llx = %#llx", size, d->name,
			   (unsigned long long)offset, (unsigned long long)value);
	d->write(m, d->state, offset, size, value);
}

static void trace_devices(struct machine *m)
{
	for (unsigned int i = 0; i < m->n_devices; i++) {
		struct device *d = &m->device[i];

		traced[i] = *d;
		d->read = traced_read;
		d->write = traced_write;
		d->state = &traced[i];
	}
}

bool trace_open(struct machine *m)
{
	const char *text = m->opt.trace;

	if (!text)
		return true;
	do {
		size_t n = strcspn(text, ",");

		if (!add_event(m, text, n))
			return false;
		text += n;
	} while (*text++ == ',');
	insn_selected = m->trace_events & TRACE_INSN;
	if (m->trace_events & TRACE_MEM)
		trace_devices(m);
	m->trace = stderr;
	if (!m->opt.trace_file)
		return true;
	m->trace = fopen(m->opt.trace_file, "w");
	if (!m->trace)
		fprintf(stderr, "ia64sim: %s: %s\n", m->opt.trace_file, strerror(errno));
	return m->trace;
}

void trace_close(struct machine *m)
{
	if (m->trace && m->trace != stderr)
		fclose(m->trace);
	m->trace = NULL;
	m->trace_events = 0;
}

static void begin_line(const struct cpu *cpu)
{
	fprintf(cpu->machine->trace, "%llu cpu%u %016llx.%u ", (unsigned long long)cpu->cycles,
		cpu->id, (unsigned long long)cpu->ip, cpu->slot);
}

void trace_line(const struct cpu *cpu, const char *format, ...)
{
	va_list args;

	begin_line(cpu);
	va_start(args, format);
	vfprintf(cpu->machine->trace, format, args);
	va_end(args);
	fputc('\n', cpu->machine->trace);
}

void trace_interruption(const struct cpu *cpu, u64 vector, u64 isr)
{
	const char *name = vector_name(vector);

	trace_line(cpu, "int %#llx %s isr %#llx ifa %#llx itir %#llx iha %#llx iim %#llx",
		   (unsigned long long)vector, name ? name : "?", (unsigned long long)isr,
		   (unsigned long long)cpu->cr[CR_IFA], (unsigned long long)cpu->cr[CR_ITIR],
		   (unsigned long long)cpu->cr[CR_IHA], (unsigned long long)cpu->cr[CR_IIM]);
}

void trace_rfi(const struct cpu *cpu)
{
	trace_line(cpu, "rfi to %#llx psr %#llx", (unsigned long long)cpu->cr[CR_IIP],
		   (unsigned long long)cpu->cr[CR_IPSR]);
}

void trace_insert(const struct cpu *cpu, const char *how, bool data, const struct tlb_entry *e)
{
	trace_line(cpu, "%s %c va %#llx pa %#llx ps %u rid %#x key %#x p%u a%u d%u ma%u pl%u ar%u",
		   how, data ? 'd' : 'i', (unsigned long long)e->vpn, (unsigned long long)e->ppn,
		   e->ps, e->rid, e->key, e->p, e->a, e->d, e->ma, e->pl, e->ar);
}

void trace_purge(const struct cpu *cpu, const char *how, u64 va, unsigned int ps)
{
	trace_line(cpu, "%s va %#llx ps %u", how, (unsigned long long)va, ps);
}

/* What the last traced instruction of each processor left behind. */
static struct {
	u64 gr[128], pr, br[8];
	bool nat[128], is_known;
} last[MAX_CPUS];

/* A line under the instruction, if it changed anything. */
static void print_change(FILE *f, bool *any, const char *name, unsigned int n, u64 value)
{
	fprintf(f, *any ? " %s" : "\t\t\t\t=> %s", name);
	if (strlen(name) == 1)
		fprintf(f, "%u", n);
	fprintf(f, "=%llx", (unsigned long long)value);
	*any = true;
}

static void print_changes(struct cpu *cpu)
{
	FILE *f = cpu->machine->trace;
	unsigned int registers = 32 + cpu->cfm.sof;
	bool any = false;

	for (unsigned int r = 1; r < registers; r++) {
		if (last[cpu->id].gr[r] == gr(cpu, r) && last[cpu->id].nat[r] == gr_nat(cpu, r))
			continue;
		print_change(f, &any, "r", r, gr(cpu, r));
		if (gr_nat(cpu, r))
			fputs("?", f);
	}
	for (unsigned int b = 0; b < 8; b++)
		if (last[cpu->id].br[b] != cpu->br[b])
			print_change(f, &any, "b", b, cpu->br[b]);
	if (last[cpu->id].pr != cpu->pr)
		print_change(f, &any, "pr", 0, cpu->pr);
	if (any)
		fputc('\n', f);
}

static void remember(struct cpu *cpu)
{
	unsigned int registers = 32 + cpu->cfm.sof;

	for (unsigned int r = 1; r < registers; r++) {
		last[cpu->id].gr[r] = gr(cpu, r);
		last[cpu->id].nat[r] = gr_nat(cpu, r);
	}
	memcpy(last[cpu->id].br, cpu->br, sizeof(cpu->br));
	last[cpu->id].pr = cpu->pr;
	last[cpu->id].is_known = true;
}

void trace_insn(struct cpu *cpu, const struct insn *i)
{
	char text[128];

	if (!insn_selected)
		return;
	if (last[cpu->id].is_known)
		print_changes(cpu);
	remember(cpu);
	disassemble(i, cpu->ip, text, sizeof(text));
	begin_line(cpu);
	fprintf(cpu->machine->trace, "%s%s\n", pr(cpu, i->qp) ? "" : "off ", text);
}
