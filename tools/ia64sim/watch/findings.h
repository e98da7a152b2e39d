/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What -strict finds: each pair of instructions once, and how often.
 */
#ifndef FINDINGS_H
#define FINDINGS_H

#include "state/machine.h"

/** struct finding - a pair of instructions that break a rule together */
struct finding {
	u64 first, second;	/* where they stand, with the slot in bits 1:0 */
	u32 resource;		/* what both use, by a number of the finder's */
	u32 rule;		/* which rule, likewise */
	char text[56];		/* what to say between them and behind */
	char name[24];		/* the resource's */
	u64 count;
};

/**
 * findings_add() - such a pair has been executed
 * @first: the earlier of the two, with its slot in bits 1:0
 * @second: the later
 *
 * Return: the finding; when its count is 1 it is new, and the caller fills in text
 * and name, and calls findings_print()
 */
struct finding *findings_add(struct machine *m, u64 first, u64 second, u32 resource, u32 rule);

/** findings_print() - say it, unless report=N others were said */
void findings_print(struct machine *m, const struct cpu *cpu, const struct finding *f);

/** findings_report() - add such a pair and say it, where @name and @text are the same for all */
void findings_report(struct machine *m, const struct cpu *cpu, u64 first, u64 second, u32 rule,
		     const char *name, const char *text);

/** findings_end() - the run is over: how many there were */
void findings_end(const struct machine *m);

/** findings_each() - call @f with all of them, in the order in which they came up */
void findings_each(const struct machine *m, void (*f)(void *to, const struct finding *f), void *to);

void findings_create(struct machine *m);
void findings_destroy(struct machine *m);

#endif
