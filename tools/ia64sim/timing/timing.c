// SPDX-License-Identifier: GPL-2.0
/*
 * The cycle model of a processor: its creation, and what happens seldom.
 */
#include <stdlib.h>
#include <string.h>

#include "timing/timing.h"

enum { BANKED = 16 };

/* L2 has 256 KiB, 8 ways; L3 as many ways of 256 KiB as it takes (KAPI). */
enum {
	LINE_SHIFT = 7, L2_SETS = 256, L2_WAYS = 8, L3_SETS = 2048, L3_WAY = L3_SETS << LINE_SHIFT,
	L2I_SET = L2_WAYS << LINE_SHIFT
};

static void set_latencies(struct timing *t)
{
	const struct timing_params *p = &t->params;
	const u64 of[N_RESULTS] = {
		[RESULT_ALU] = LATENCY(1, BIT(USE_MM)),
		[RESULT_MM] = LATENCY(p->mm, BIT(USE_PLAIN) | BIT(USE_ADDRESS)),
		[RESULT_LOAD] = LATENCY(p->load, BIT(USE_ADDRESS) | BIT(USE_MM) | MADE_BY_LOAD),
		[RESULT_FP_LOAD] = LATENCY(p->l2_load + 1, BIT(USE_STORE) | MADE_BY_FLOAT),
		[RESULT_SEMAPHORE] = LATENCY(p->semaphore, MADE_BY_LOAD),
		[RESULT_SETF] = LATENCY(p->setf, BIT(USE_STORE) | MADE_BY_FLOAT),
		[RESULT_GETF] = LATENCY(p->getf, BIT(USE_MM)),
		[RESULT_FP] = LATENCY(p->fp, BIT(USE_STORE) | MADE_BY_FLOAT),
		[RESULT_FCMP] = LATENCY(p->fcmp, 0),
		[RESULT_FRCPA] = LATENCY(p->fp, BIT(USE_STORE) | MADE_BY_FLOAT),
		[RESULT_BR_READ] = LATENCY(p->br_read, MADE_BY_CONTROL),
		[RESULT_AR] = LATENCY(p->ar_slow, MADE_BY_CONTROL),
		[RESULT_AR_FAST] = LATENCY(p->ar_fast, MADE_BY_CONTROL),
		[RESULT_ITC] = LATENCY(p->itc_read, MADE_BY_CONTROL),
		[RESULT_CR] = LATENCY(p->cr_slow, MADE_BY_CONTROL),
		[RESULT_CR_FAST] = LATENCY(p->cr_fast, MADE_BY_CONTROL),
		[RESULT_CR_SAPIC] = LATENCY(p->cr_sapic, MADE_BY_CONTROL),
		[RESULT_PSR] = LATENCY(p->psr_read, MADE_BY_CONTROL),
		[RESULT_PROBE] = LATENCY(p->probe, MADE_BY_CONTROL),
		[RESULT_THASH] = LATENCY(p->thash, MADE_BY_CONTROL),
		[RESULT_INDIRECT] = LATENCY(p->indirect, MADE_BY_CONTROL),
	};

	memcpy(t->of, of, sizeof(of));
	t->l2_load = LATENCY(p->l2_load, of[RESULT_LOAD] & MASK(READY_SHIFT));
}

void timing_destroy(struct timing *t)
{
	if (!t)
		return;
	cache_destroy(&t->l2);
	cache_destroy(&t->l2i);
	cache_destroy(&t->l3);
	if (t->is_first)
		free(t->bus);
	free(t);
}

struct timing *timing_create(const struct timing_params *params, const struct timing *first)
{
	struct timing *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->params = *params;
	t->is_first = !first;
	t->bus = first ? first->bus : bus_create(params);
	if (!t->bus ||
	    !cache_create(&t->l2, L2_SETS, L2_WAYS, LINE_SHIFT) ||
	    (params->l2i &&
	     !cache_create(&t->l2i, params->l2i / L2I_SET, L2_WAYS, LINE_SHIFT)) ||
	    !cache_create(&t->l3, L3_SETS, params->l3 / L3_WAY, LINE_SHIFT)) {
		timing_destroy(t);
		return NULL;
	}
	t->bus->processor[t->bus->n_processors++] = t;
	t->memory = (cycles_256(params, params->memory) + 128) / 256;
	t->open_page = (cycles_256(params, params->open_page) + 128) / 256;
	t->ports = PORTS_EMPTY;
	t->bank_1 = true;
	t->store_va = t->fetched = ~0ULL;
	memset(t->recent, 0xff, sizeof(t->recent));
	set_latencies(t);
	return t;
}

void timing_switch_banks(struct timing *t)
{
	u64 other[16];

	memcpy(other, t->bank, sizeof(other));
	memcpy(t->bank, t->gr + BANKED, sizeof(other));
	memcpy(t->gr + BANKED, other, sizeof(other));
	t->bank_1 = !t->bank_1;
}
