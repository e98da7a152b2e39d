// SPDX-License-Identifier: GPL-2.0
/*
 * The soft TLB, see soft.h and refs.c.
 */
#include <string.h>

#include "mmu/soft.h"

void soft_tlb_flush(struct cpu *cpu)
{
	for (int c = 0; c < SOFT_CONTEXTS; c++) {
		struct soft_context *context = &cpu->context[c];

		if (!context->empty) {
			memset(context->data, -1, sizeof(context->data));
			memset(context->code, -1, sizeof(context->code));
			context->empty = true;
		}
	}
	attend(cpu);
}
