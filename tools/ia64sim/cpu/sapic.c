// SPDX-License-Identifier: GPL-2.0
/*
 * The local SAPIC of each processor (SDM volume 2, section 5.8): pending and
 * in-service external interrupts, the task priority and the interval timer.
 */
#include "cpu/sapic.h"
#include "watch/trace.h"

/* Where a vector stands: NMI (2) before ExtINT (0) before 255 down to 16; the
 * rest is reserved and never pending (2:118).
 */
static unsigned int priority(unsigned int vector)
{
	if (vector == 2)
		return 257;
	if (vector == 0)
		return 256;
	return vector;
}

static bool is_legal(unsigned int vector)
{
	return vector >= 16 || vector == 0 || vector == 2;
}

/* The set bit of highest priority, or -1. */
static int highest(const u64 bits[4])
{
	if (bits[0] & BIT(2))
		return 2;
	if (bits[0] & BIT(0))
		return 0;
	for (int i = 3; i >= 0; i--)
		if (bits[i])
			return i * 64 + 63 - __builtin_clzll(bits[i]);
	return -1;
}

/* What TPR masks (2:124): mmi everything but NMI, mic the classes up to it. */
static bool is_masked(const struct cpu *cpu, unsigned int vector)
{
	u64 tpr = cpu->cr[CR_TPR];

	if (vector == 2)
		return false;
	if (tpr >> 16 & 1)
		return true;
	/* ExtINT has a class of its own above the fifteen others. */
	return vector != 0 && vector >> 4 <= FIELD(tpr, 4, 4);
}

int sapic_deliverable(const struct cpu *cpu)
{
	int vector = highest(cpu->irr);
	int served;

	if (vector < 0 || is_masked(cpu, vector))
		return -1;
	served = highest(cpu->isrv);
	if (served >= 0 && priority(vector) <= priority(served))
		return -1;
	return vector;
}

void sapic_update(struct cpu *cpu)
{
	cpu->interrupt_pending = sapic_deliverable(cpu) >= 0;
	/* PAL_HALT_LIGHT ends at an unmasked interrupt, whatever PSR.i is. */
	if (cpu->interrupt_pending)
		cpu->halted = false;
	attend(cpu);
}

void sapic_interrupt(struct cpu *cpu, unsigned int vector)
{
	if (!is_legal(vector))
		return;
	/* A processor that firmware keeps takes the wake-up and nothing else. */
	if (cpu->stopped) {
		cpu->machine->call->wake(cpu, vector);
		return;
	}
	if (tracing(cpu->machine, TRACE_INT))
		trace_line(cpu, "pending vector %#x", vector);
	cpu->irr[vector >> 6] |= BIT(vector & 63);
	sapic_update(cpu);
}

u64 sapic_read_ivr(struct cpu *cpu)
{
	int vector = sapic_deliverable(cpu);

	if (vector < 0)
		return SAPIC_SPURIOUS;
	cpu->irr[vector >> 6] &= ~BIT(vector & 63);
	cpu->isrv[vector >> 6] |= BIT(vector & 63);
	sapic_update(cpu);
	return vector;
}

void sapic_eoi(struct cpu *cpu)
{
	int served = highest(cpu->isrv);

	if (served >= 0)
		cpu->isrv[served >> 6] &= ~BIT(served & 63);
	sapic_update(cpu);
}

void sapic_reset(struct cpu *cpu)
{
	for (int i = 0; i < 4; i++)
		cpu->irr[i] = cpu->isrv[i] = 0;
	cpu->cr[CR_LID] = (u64)cpu->id << 24;
	cpu->cr[CR_TPR] = BIT(16);
	cpu->cr[CR_ITV] = cpu->cr[CR_PMV] = cpu->cr[CR_CMCV] = BIT(16);
	cpu->cr[CR_LRR0] = cpu->cr[CR_LRR1] = BIT(16);
	cpu->next_timer = ~0ULL;
	sapic_update(cpu);
}

/* The interval timer (2:33): an interrupt when ITC comes to equal ITM, once. */

void sapic_timer_changed(struct cpu *cpu)
{
	u64 itc = cpu->cycles + (u64)cpu->itc_offset;
	u64 left = cpu->cr[CR_ITM] - itc;

	/* An ITM in the past matches after ITC has wrapped around. */
	if (__builtin_add_overflow(cpu->cycles, left, &cpu->next_timer))
		cpu->next_timer = ~0ULL;
}

void sapic_timer_expired(struct cpu *cpu)
{
	u64 itv = cpu->cr[CR_ITV];

	cpu->next_timer = ~0ULL;
	/* While ITV.m is 1 matches are discarded, not pended (2:125). */
	if (!(itv >> 16 & 1))
		sapic_interrupt(cpu, itv & 0xff);
}

void sapic_monitor(struct cpu *cpu)
{
	u64 pmv = cpu->cr[CR_PMV];

	/* The same holds for PMV.m (2:126). */
	if (!(pmv >> 16 & 1))
		sapic_interrupt(cpu, pmv & 0xff);
}
