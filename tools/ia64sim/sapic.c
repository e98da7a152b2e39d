// SPDX-License-Identifier: GPL-2.0
/*
 * The local SAPIC of each processor (SDM volume 2, section 5.8): pending and
 * in-service external interrupts, the task priority, the interval timer, and
 * the processor interrupt block through which processors and devices send.
 */
#include "machine.h"
#include "firmware.h"
#include "platform.h"
#include "trace.h"

enum { SPURIOUS = 15 };

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
		firmware_wake(cpu, vector);
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
		return SPURIOUS;
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

/* The processor interrupt block (2:127): its lower half sends interrupts, the
 * upper holds the bytes INTA and XTP.
 */
enum { BLOCK_INTA = 0x1e0000, BLOCK_XTP = 0x1e0008 };

enum delivery { DM_INT = 0, DM_REDIRECT = 1, DM_PMI = 2, DM_NMI = 4, DM_INIT = 5, DM_EXTINT = 7 };

void sapic_message(struct machine *m, unsigned int dest, unsigned int mode, unsigned int vector)
{
	/* The redirection hint is only a hint: the named processor gets it. */
	for (unsigned int i = 0; i < m->n_cpus; i++) {
		struct cpu *cpu = m->cpu[i];

		if (FIELD(cpu->cr[CR_LID], 16, 16) != dest)
			continue;
		switch (mode) {
		case DM_INT:
		case DM_REDIRECT:
			/* Only 16 to 255 travel as plain interrupts. */
			if (vector >= 16)
				sapic_interrupt(cpu, vector);
			break;
		case DM_NMI:
			sapic_interrupt(cpu, 2);
			break;
		case DM_EXTINT:
			sapic_interrupt(cpu, 0);
			break;
		case DM_INIT:
			firmware_init(cpu);
			break;
		default:
			/* PMI: no platform management code to run */
			break;
		}
		return;
	}
}

static u64 block_read(struct machine *m, void *state, u64 offset, unsigned int size)
{
	(void)m, (void)state, (void)size;
	/* No 8259 answers the acknowledge cycle. */
	return offset == BLOCK_INTA ? SPURIOUS : 0;
}

static void block_write(struct machine *m, void *state, u64 offset, unsigned int size, u64 value)
{
	(void)state;
	/* XTP steers lowest-priority delivery, which this platform does not do. */
	if (offset >= 0x100000 || size != 8 || offset % 8)
		return;
	sapic_message(m, FIELD(offset, 4, 16), FIELD(value, 8, 3), value & 0xff);
}

void sapic_create(struct machine *m)
{
	machine_add_device(m, &(struct device){
		.name = "ipi", .base = IPI_BASE, .size = 0x200000,
		.read = block_read, .write = block_write,
	});
}
