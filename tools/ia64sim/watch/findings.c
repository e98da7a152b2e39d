// SPDX-License-Identifier: GPL-2.0
/*
 * What -strict finds.  A table by hash: a pair in a loop comes up millions of times.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "watch/findings.h"

/* Of a program with more than these something else has to be mended first. */
enum { BUCKETS = 1 << 14, MAX_FINDINGS = BUCKETS / 2 };

struct findings {
	unsigned int n;
	u64 times;
	u16 bucket[BUCKETS];		/* number of the finding + 1, or 0 */
	struct finding finding[MAX_FINDINGS];
};

void findings_create(struct machine *m)
{
	m->findings = calloc(1, sizeof(*m->findings));
	if (!m->findings)
		out_of_memory();
}

void findings_destroy(struct machine *m)
{
	free(m->findings);
	m->findings = NULL;
}

struct finding *findings_add(struct machine *m, u64 first, u64 second, u32 resource, u32 rule)
{
	u64 key = (first * 0x9e3779b97f4a7c15ULL ^ second) * 0xbf58476d1ce4e5b9ULL +
		  resource * 8 + rule;
	struct findings *all = m->findings;
	u64 at = (key ^ key >> 29) % BUCKETS;
	struct finding *f;

	all->times++;
	for (; all->bucket[at]; at = (at + 1) % BUCKETS) {
		f = &all->finding[all->bucket[at] - 1];
		if (f->first == first && f->second == second && f->resource == resource &&
		    f->rule == rule) {
			f->count++;
			return f;
		}
	}
	/* There is no room: the last one stands for what else there is. */
	if (all->n == MAX_FINDINGS) {
		f = &all->finding[MAX_FINDINGS - 1];
		f->count++;
		return f;
	}
	f = &all->finding[all->n++];
	all->bucket[at] = all->n;
	*f = (struct finding){
		.first = first, .second = second, .resource = resource, .rule = rule, .count = 1,
	};
	return f;
}

void findings_print(struct machine *m, const struct cpu *cpu, const struct finding *f)
{
	unsigned int n = m->findings->n, limit = m->opt.strict.report;

	if (n > limit)
		return;
	fprintf(stderr, "ia64sim: strict: %#llx:%u: %s %s, from %#llx:%u, cpu %u\n",
		f->second & ~15ULL, (unsigned int)f->second & 3, f->name, f->text,
		f->first & ~15ULL, (unsigned int)f->first & 3, cpu->id);
	if (n == limit)
		fprintf(stderr, "ia64sim: strict: what else comes up is counted only\n");
}

void findings_report(struct machine *m, const struct cpu *cpu, u64 first, u64 second, u32 rule,
		     const char *name, const char *text)
{
	struct finding *f = findings_add(m, first, second, 0, rule);

	if (f->count > 1)
		return;
	snprintf(f->name, sizeof(f->name), "%s", name);
	snprintf(f->text, sizeof(f->text), "%s", text);
	findings_print(m, cpu, f);
}

void findings_end(const struct machine *m)
{
	const struct findings *all = m->findings;

	if (all)
		fprintf(stderr, "ia64sim: strict: %u found, %" PRIu64 " times\n", all->n,
			all->times);
}

void findings_each(const struct machine *m, void (*f)(void *to, const struct finding *f), void *to)
{
	for (unsigned int i = 0; i < m->findings->n; i++)
		f(to, &m->findings->finding[i]);
}
