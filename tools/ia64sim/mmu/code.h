/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pages of RAM that hold code, with their decoded bundles.
 */
#ifndef CODE_H
#define CODE_H

#include "mmu/soft.h"
#include "state/machine.h"

/*
 * struct bundle.run tells the run loop what to expect of the three slots, so that
 * it need not look: what is a nop or has no predicate, and whether the last slot
 * may branch.  Nothing outside of the B and X units branches otherwise than by
 * leave_bundle().  In front of these: bundles not decoded (any more), the place
 * behind the last of a page, and those to take slot by slot.
 */
enum slot_kind {
	KIND_NOP, KIND_ALWAYS, KIND_IF,
	KIND_BRANCH, KIND_BRANCH_IF,		/* the last slot only */
	KIND_NONE,				/* the last slot of an MLX */
};
enum { RUN_DECODE, RUN_PAGE_END, RUN_SLOTS, RUN_BY_KIND };
#define RUN_KINDS(k0, k1, k2)	(RUN_BY_KIND + (k0) + 3 * (k1) + 15 * (k2))

struct slot_timing;		/* timing/slots.h */

/** struct code_page - the decoded bundles of a page of RAM */
struct code_page {
	u64 pa;
	const u8 *ram;
	struct code_page *next;		/* while free */
	unsigned int stores;		/* that hit the page since it is code */
	struct slot_timing *timing;	/* three for each bundle, with -timing (fetch.c) */
	struct bundle bundle[SOFT_PAGE / 16 + 1];	/* the last is RUN_PAGE_END */
};

/**
 * struct code_cache - decoded bundles of the machine
 * @page: for each page of RAM, or NULL
 * @free: pages not in use now
 */
struct code_cache {
	struct code_page **page;
	struct code_page *free;
	unsigned int n_used;
};

void code_create(struct machine *m);
void code_destroy(struct machine *m);

/* The page of decoded bundles for a byte of RAM, or NULL: it is no code. */
static inline struct code_page *code_page_at(const struct machine *m, const u8 *ram)
{
	return m->code_cache->page[(ram - m->ram) >> SOFT_SHIFT];
}

/* The same for a page of RAM that is none yet. */
struct code_page *code_new_page(struct machine *m, const u8 *ram);

/* Stores to [p, p + len): decoded bundles there are out of date. */
void code_written(struct machine *m, const u8 *p, u64 len);

/* Everything is to be decoded again. */
void code_retire_all(struct machine *m);

#endif
