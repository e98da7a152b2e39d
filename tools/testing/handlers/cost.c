// SPDX-License-Identifier: GPL-2.0
/*
 * What the handlers cost: bundles of their slots, and bundles and instruction
 * groups that a path executes, compared with a kernel without superpages.
 */
#include <stdio.h>

#include "handlers.h"

enum { BASE, REPLICA, NOT_PRESENT, CHANGED };

static const struct path {
	const char *name;
	enum vector vector;
	unsigned int access;
	bool mapped;
	unsigned int pte;
} paths[] = {
	{ "data, base page", VEC_VHPT_TRANSLATION, ACCESS_READ, false, BASE },
	{ "instruction, base page", VEC_VHPT_TRANSLATION, ACCESS_EXEC, false, BASE },
	{ "data, superpage", VEC_VHPT_TRANSLATION, ACCESS_READ, false, REPLICA },
	{ "not present", VEC_VHPT_TRANSLATION, ACCESS_READ, false, NOT_PRESENT },
	{ "PTE changes", VEC_VHPT_TRANSLATION, ACCESS_READ, false, CHANGED },
	{ "base page", VEC_INST_TLB, ACCESS_EXEC, true, BASE },
	{ "base page, nested miss", VEC_INST_TLB, ACCESS_EXEC, false, BASE },
	{ "superpage", VEC_INST_TLB, ACCESS_EXEC, true, REPLICA },
	{ "not present", VEC_INST_TLB, ACCESS_EXEC, true, NOT_PRESENT },
	{ "PTE changes", VEC_INST_TLB, ACCESS_EXEC, true, CHANGED },
	{ "base page", VEC_DATA_TLB, ACCESS_READ, true, BASE },
	{ "base page, nested miss", VEC_DATA_TLB, ACCESS_READ, false, BASE },
	{ "superpage", VEC_DATA_TLB, ACCESS_READ, true, REPLICA },
	{ "not present", VEC_DATA_TLB, ACCESS_READ, true, NOT_PRESENT },
	{ "PTE changes", VEC_DATA_TLB, ACCESS_READ, true, CHANGED },
	{ "base page", VEC_DIRTY_BIT, ACCESS_WRITE, true, BASE },
	{ "superpage, to page_fault", VEC_DIRTY_BIT, ACCESS_WRITE, true, REPLICA },
	{ "PTE changes", VEC_DIRTY_BIT, ACCESS_WRITE, true, CHANGED },
	{ "base page", VEC_INST_ACCESS_BIT, ACCESS_EXEC, true, BASE },
	{ "superpage, to page_fault", VEC_INST_ACCESS_BIT, ACCESS_EXEC, true, REPLICA },
	{ "PTE changes", VEC_INST_ACCESS_BIT, ACCESS_EXEC, true, CHANGED },
	{ "base page", VEC_DATA_ACCESS_BIT, ACCESS_READ, true, BASE },
	{ "superpage, to page_fault", VEC_DATA_ACCESS_BIT, ACCESS_READ, true, REPLICA },
	{ "PTE changes", VEC_DATA_ACCESS_BIT, ACCESS_READ, true, CHANGED },
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

void cost_compare(struct kernel *ours, struct kernel *theirs)
{
	static const char *const kinds[] = { "rfi", "page_fault", "?" };
	enum vector vector = -1;

	printf("%-32s%-9s%-9s\n", "what a path executes", "bundles", "groups");
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		const struct path *p = &paths[i];
		struct result is = run(ours, p), was = run(theirs, p);
		bool fine = is.outcome != OUTCOME_BAD;

		if (p->vector != vector) {
			vector = p->vector;
			printf("%s: %llu > %llu bundles of 64\n", vector_name(vector),
			       (unsigned long long)slot_bundles(theirs, vector),
			       (unsigned long long)slot_bundles(ours, vector));
		}
		if (p->pte == REPLICA) {
			printf("    %-28s     %2u       %2u  %s\n", p->name, is.bundles, is.groups,
			       kinds[is.outcome]);
		} else {
			printf("    %-28s%2u > %2u  %2u > %2u  %s\n", p->name, was.bundles,
			       is.bundles, was.groups, is.groups, kinds[is.outcome]);
			fine = fine && was.outcome == is.outcome && is.groups <= was.groups + 1;
		}
		if (fine) {
			n_passed++;
			continue;
		}
		printf("FAILED: the path above gains more than one group, or ends elsewhere\n");
		n_failed++;
	}
}
