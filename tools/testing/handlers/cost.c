// SPDX-License-Identifier: GPL-2.0
/*
 * What the handlers cost: bundles of their slots, and bundles and instruction
 * groups that a path executes, compared with a kernel without superpages.
 */
#include <stdio.h>

#include "handlers.h"

#define VHPT_RST	DOCUMENTATION "/vhpt.rst"
#define SUPERPAGE_RST	DOCUMENTATION "/superpage.rst"

/* What the documents have numbers of. */
static bool is_documented(const struct kernel *k)
{
	return k->superpage && k->hugetlb && k->page_shift == 14 && k->levels == 3;
}

enum { BASE, REPLICA, NOT_PRESENT, CHANGED };

/*
 * itlb_miss and dtlb_miss are made for superpages: a base page comes to them only when the
 * walker has left it to them, or between two changes of its PTE.
 */
static const struct path {
	const char *name;
	enum vector vector;
	unsigned int access;
	bool mapped;
	unsigned int pte;
	unsigned int more;	/* groups, at most, than without superpages */
} paths[] = {
	{ "data, base page", VEC_VHPT_TRANSLATION, ACCESS_READ, false, BASE, 1 },
	{ "instruction, base page", VEC_VHPT_TRANSLATION, ACCESS_EXEC, false, BASE, 1 },
	{ "data, superpage", VEC_VHPT_TRANSLATION, ACCESS_READ, false, REPLICA, 0 },
	{ "not present", VEC_VHPT_TRANSLATION, ACCESS_READ, false, NOT_PRESENT, 2 },
	{ "PTE changes", VEC_VHPT_TRANSLATION, ACCESS_READ, false, CHANGED, 1 },
	{ "base page", VEC_INST_TLB, ACCESS_EXEC, true, BASE, 2 },
	{ "base page, nested miss", VEC_INST_TLB, ACCESS_EXEC, false, BASE, 2 },
	{ "superpage", VEC_INST_TLB, ACCESS_EXEC, true, REPLICA, 0 },
	{ "not present", VEC_INST_TLB, ACCESS_EXEC, true, NOT_PRESENT, 1 },
	{ "PTE changes", VEC_INST_TLB, ACCESS_EXEC, true, CHANGED, 3 },
	{ "base page", VEC_DATA_TLB, ACCESS_READ, true, BASE, 6 },
	{ "base page, nested miss", VEC_DATA_TLB, ACCESS_READ, false, BASE, 2 },
	{ "superpage", VEC_DATA_TLB, ACCESS_READ, true, REPLICA, 0 },
	{ "not present", VEC_DATA_TLB, ACCESS_READ, true, NOT_PRESENT, 2 },
	{ "PTE changes", VEC_DATA_TLB, ACCESS_READ, true, CHANGED, 7 },
	{ "base page", VEC_DIRTY_BIT, ACCESS_WRITE, true, BASE, 1 },
	{ "superpage, to page_fault", VEC_DIRTY_BIT, ACCESS_WRITE, true, REPLICA, 0 },
	{ "PTE changes", VEC_DIRTY_BIT, ACCESS_WRITE, true, CHANGED, 1 },
	{ "base page", VEC_INST_ACCESS_BIT, ACCESS_EXEC, true, BASE, 1 },
	{ "superpage, to page_fault", VEC_INST_ACCESS_BIT, ACCESS_EXEC, true, REPLICA, 0 },
	{ "PTE changes", VEC_INST_ACCESS_BIT, ACCESS_EXEC, true, CHANGED, 1 },
	{ "base page", VEC_DATA_ACCESS_BIT, ACCESS_READ, true, BASE, 1 },
	{ "superpage, to page_fault", VEC_DATA_ACCESS_BIT, ACCESS_READ, true, REPLICA, 0 },
	{ "PTE changes", VEC_DATA_ACCESS_BIT, ACCESS_READ, true, CHANGED, 1 },
};

static struct result run(struct kernel *k, const struct path *p)
{
	struct scene s = {
		.vector = p->vector, .access = p->access, .mapped = p->mapped, .level = 3,
		.va = REGION(1) | 0x600020000ULL,
	};
	struct event e = { .what = EVENT_PTE };
	struct result r;

	kernel = k;
	scene_init();
	s.pa = frame_of(s.va);
	s.pte = s.pa | PTE_P | PTE_PL(3) | PTE_AR(AR_RWX);
	if (p->pte == REPLICA)
		s.pte |= PTE_REPLICA | PTE_PS(20);
	if (p->pte == NOT_PRESENT)
		s.pte = 0;
	scene_run(&s, NULL, 0, &r);
	if (p->pte == CHANGED) {
		e.at = r.first + 1;
		scene_run(&s, &e, 1, &r);
	}
	return r;
}

static u64 slot_bundles(const struct kernel *k, u64 vector)
{
	u64 address, size;

	if (!kernel_function(k, k->ivt + vector, k->ivt + vector + 16, &address, &size))
		return 0;
	return size / 16;
}

/* The first 20 vectors have 64 bundles each, the other 48 have 16. */
static u64 slot_size(u64 offset)
{
	if (offset < 0x5000)
		return offset % 0x400 ? 0 : 0x400;
	return offset % 0x100 ? 0 : 0x100;
}

void slots_fit(const struct kernel *k)
{
	u64 at = k->ivt, size, address;
	const char *name;

	while ((name = kernel_function(k, at, k->ivt + 0x8000, &address, &size))) {
		u64 room = slot_size(address - k->ivt);

		at = address + 1;
		if (!room)		/* borrows the end of another's slot */
			continue;
		if (!size || size > room) {
			printf("FAILED: %s: %s has %llu bytes in a slot of %llu\n", k->name, name,
			       (unsigned long long)size, (unsigned long long)room);
			n_failed++;
		} else {
			n_passed++;
		}
	}
}

/* As superpage.rst has it. */
static const char *row_name(const struct kernel *k, u64 vector)
{
	u64 from = k->ivt + vector, address, size;
	const char *name = kernel_function(k, from, from + 16, &address, &size);
	static char text[80];

	snprintf(text, sizeof(text), "``%s``", name ? name : "?");
	return text;
}

/* The first path of each vector is a base page's. */
void cost_compare(struct kernel *ours, struct kernel *theirs)
{
	static const char *const kinds[] = { "rfi", "page_fault", "?" };
	struct table *t = NULL;
	enum vector vector = -1;
	char text[64];

	if (is_documented(ours))
		t = table_read(SUPERPAGE_RST, "handler             bundles");
	printf("%-32s%-9s%-9s\n", "what a path executes", "bundles", "groups");
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		const struct path *p = &paths[i];
		struct result is = run(ours, p), was = run(theirs, p);
		bool fine = is.outcome != OUTCOME_BAD;

		if (p->vector != vector) {
			u64 before = slot_bundles(theirs, p->vector);
			u64 now = slot_bundles(ours, p->vector);

			vector = p->vector;
			printf("%s: %llu > %llu bundles of 64\n", vector_name(vector),
			       (unsigned long long)before, (unsigned long long)now);
			if (t) {
				snprintf(text, sizeof(text), "%llu, %llu",
					 (unsigned long long)before, (unsigned long long)now);
				table_compare(t, row_name(ours, vector), 1, text);
				snprintf(text, sizeof(text), "%u, %u", was.groups, is.groups);
				table_compare(t, row_name(ours, vector), 2, text);
			}
		}
		if (p->pte == REPLICA) {
			printf("    %-28s     %2u       %2u  %s\n", p->name, is.bundles, is.groups,
			       kinds[is.outcome]);
			snprintf(text, sizeof(text), "%u", is.groups);
			if (t)
				table_compare(t, row_name(ours, vector), 3, text);
		} else {
			printf("    %-28s%2u > %2u  %2u > %2u  %s\n", p->name, was.bundles,
			       is.bundles, was.groups, is.groups, kinds[is.outcome]);
			fine = fine && was.outcome == is.outcome && is.groups <= was.groups + p->more;
		}
		if (fine) {
			n_passed++;
			continue;
		}
		printf("FAILED: the path above gains more than %u groups, or ends elsewhere\n",
		       p->more);
		n_failed++;
	}
	if (t)
		table_end(t);
}

/*
 * The modes next to each other, with the names of vhpt.rst.
 */
static const struct {
	const char *name;
	unsigned int access;
	unsigned int pte;
	u64 without;		/* about these bits, of the base page in the TLB */
	bool fill;
} references[] = {
	{ "data, base page", ACCESS_READ, BASE, 0, false },
	{ "data, superpage", ACCESS_READ, REPLICA, 0, false },
	{ "the same with ``vhpt_fill=all``", ACCESS_READ, REPLICA, 0, true },
	{ "data, not present", ACCESS_READ, NOT_PRESENT, 0, false },
	{ "data, PTE changes", ACCESS_READ, CHANGED, 0, false },
	{ "instruction, base page", ACCESS_EXEC, BASE, 0, false },
	{ "instruction, superpage", ACCESS_EXEC, REPLICA, 0, false },
	{ "instruction, not present", ACCESS_EXEC, NOT_PRESENT, 0, false },
	{ "dirty bit, base page", ACCESS_WRITE, BASE, PTE_D, false },
	{ "dirty bit, superpage", ACCESS_WRITE, REPLICA, PTE_D, false },
	{ "data access bit, base page", ACCESS_READ, BASE, PTE_A, false },
	{ "instruction access bit", ACCESS_EXEC, BASE, PTE_A, false },
};

/* In the short format it matters whether the TLB has the page of the page table; the
 * hash table is mapped always, and without a walker nobody enters that page.
 */
static const struct {
	enum mode mode;
	bool mapped;
	const char *name;
} columns[] = {
	{ MODE_SHORT, true, "short" }, { MODE_SHORT, false, "short, VHPT miss" },
	{ MODE_LONG, true, "long" }, { MODE_NONE, false, "none" },
};

enum { N_COLUMNS = sizeof(columns) / sizeof(columns[0]) };

/* By the way that the processor takes.  Return: false if that is none of the
 * handlers; @text says which.
 */
static bool run_reference(unsigned int row, unsigned int column, struct result *r, char *text,
			  size_t size)
{
	struct scene s = {
		.vector = VEC_DATA_TLB, .access = references[row].access, .level = 3,
		.va = REGION(1) | 0x600020000ULL, .natural = true,
		.mapped = columns[column].mapped, .fill = references[row].fill,
	};
	const struct cpu *cpu = kernel->m->cpu[0];
	struct event e = { .what = EVENT_PTE };

	s.pa = frame_of(s.va);
	s.pte = s.pa | PTE_P | PTE_A | PTE_D | PTE_PL(3) | PTE_AR(AR_RWX);
	s.pte &= ~references[row].without;
	if (references[row].without) {
		s.present = s.pte;
		s.present_ps = kernel->page_shift;
	}
	if (references[row].pte == REPLICA)
		s.pte |= PTE_REPLICA | PTE_PS(20);
	if (references[row].pte == NOT_PRESENT)
		s.pte = 0;
	scene_run(&s, NULL, 0, r);
	if (cpu->slot == 1 && r->outcome == OUTCOME_BAD) {
		snprintf(text, size, "the walker");
		return false;
	}
	if (r->outcome == OUTCOME_BAD && !r->steps) {
		s.vector = (r->bad_ip - kernel->ivt) & ~0xffULL;
		if (s.vector > VEC_DATA_ACCESS_BIT) {
			/* The walker inserts what is not present: another fault. */
			snprintf(text, size, "%s", s.vector == VEC_PAGE_NOT_PRESENT ?
				 "not present" : vector_name(s.vector));
			return false;
		}
		scene_run(&s, NULL, 0, r);
	}
	if (references[row].pte == CHANGED) {
		e.at = r->first + 1;
		scene_run(&s, &e, 1, r);
	}
	return true;
}

/* @t: NULL, or the table that has to say the same. */
static void cost_reference(unsigned int row, struct table *t)
{
	char text[N_COLUMNS][40] = { "" };

	printf("%-34s", references[row].name);
	for (unsigned int i = 0; i < N_COLUMNS; i++) {
		struct result r;

		kernel_set_mode(kernel, columns[i].mode);
		if ((!references[row].fill || kernel->mode == MODE_LONG) &&
		    run_reference(row, i, &r, text[i], sizeof(text[i]))) {
			snprintf(text[i], sizeof(text[i]), "%u, %u", r.bundles, r.groups);
			n_passed += r.outcome != OUTCOME_BAD;
			n_failed += r.outcome == OUTCOME_BAD;
			if (r.outcome == OUTCOME_BAD)
				snprintf(text[i], sizeof(text[i]), "FAILED");
		}
		printf(" %16s", text[i]);
	}
	putchar('\n');
	for (unsigned int i = 0; t && i < N_COLUMNS; i++)
		table_compare(t, references[row].name, i + 1, text[i]);
}

/*
 * The same in cycles of a Madison's model, with caches that have what the handlers read.
 */
static const struct {
	const char *name;
	unsigned int column, row;
	unsigned int most;	/* cycles; 0: any */
} timed[] = {
	{ "short, superpage", 0, 1, 82 },
	{ "short, VHPT miss, base page", 1, 0, 0 },
	{ "short, VHPT miss, superpage", 1, 1, 0 },
	{ "long, base page", 2, 0, 105 },
	{ "long, superpage", 2, 1, 105 },
	{ "none, base page", 3, 0, 0 },
	{ "none, superpage", 3, 1, 0 },
};

/* So often, until the caches have what all of them touch. */
enum { WARM = 20 };

void cost_cycles(const char *name)
{
	struct kernel *before = kernel, *k = kernel_load(name, "madison", false);
	struct table *t = NULL;
	char text[40];

	kernel = k;
	if (is_documented(k))
		t = table_read(VHPT_RST, "fault                             cycles");
	printf("cycles from a miss to rfi\n");
	for (size_t i = 0; i < sizeof(timed) / sizeof(timed[0]); i++) {
		struct result r;

		if (!k->superpage && references[timed[i].row].pte == REPLICA)
			continue;
		kernel_set_mode(k, columns[timed[i].column].mode);
		scene_init();
		for (unsigned int n = 0; n < WARM; n++)
			run_reference(timed[i].row, timed[i].column, &r, text, sizeof(text));
		snprintf(text, sizeof(text), "%llu", (unsigned long long)r.cycles);
		printf("%-34s %16s\n", timed[i].name, text);
		if (!t)
			continue;
		table_compare(t, timed[i].name, 1, text);
		if (timed[i].most && r.cycles > timed[i].most) {
			printf("FAILED: more than %u\n", timed[i].most);
			n_failed++;
		} else {
			n_passed++;
		}
	}
	if (t)
		table_end(t);
	kernel_free(k);
	kernel = before;
}

void cost_modes(struct kernel *k)
{
	static const u16 vectors[] = {
		VEC_VHPT_TRANSLATION, VEC_INST_TLB, VEC_DATA_TLB, VEC_ALT_INST_TLB,
		VEC_ALT_DATA_TLB, VEC_DATA_NESTED_TLB, VEC_DIRTY_BIT, VEC_INST_ACCESS_BIT,
		VEC_DATA_ACCESS_BIT,
	};

	struct table *t = is_documented(k) ? table_read(VHPT_RST, "fault  ") : NULL;
	u64 largest = 0;
	char text[64];

	kernel = k;
	printf("%-34s", "bundles, groups that are executed");
	for (unsigned int i = 0; i < N_COLUMNS; i++)
		printf(" %16s", columns[i].name);
	putchar('\n');
	for (size_t i = 0; i < sizeof(references) / sizeof(references[0]); i++)
		if (k->superpage || references[i].pte != REPLICA)
			cost_reference(i, t);
	if (t)
		table_end(t);
	printf("%-34s %16s %16s %16s\n", "bundles of 64", mode_name(MODE_SHORT),
	       mode_name(MODE_LONG), mode_name(MODE_NONE));
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		printf("%-34s", vector_name(vectors[i]));
		for (enum mode mode = 0; mode < N_MODES; mode++) {
			u64 bundles;

			kernel_set_mode(k, mode);
			bundles = slot_bundles(k, vectors[i]);
			printf(" %16llu", (unsigned long long)bundles);
			if (mode == MODE_LONG && bundles > largest)
				largest = bundles;
		}
		putchar('\n');
	}
	if (is_documented(k)) {
		snprintf(text, sizeof(text), "%llu of 64 bundles", (unsigned long long)largest);
		document_compare(VHPT_RST, "The largest handler of the long format has ", text);
	}
}
