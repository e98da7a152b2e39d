// SPDX-License-Identifier: GPL-2.0
/*
 * The processor interrupt block (SDM 2:127), through which processors and devices
 * send interrupts: its lower half sends, the upper holds the bytes INTA and XTP.
 */
#include "cpu/sapic.h"
#include "devices/devices.h"

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
			m->call->init(cpu);
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
	return offset == BLOCK_INTA ? SAPIC_SPURIOUS : 0;
}

static void block_write(struct machine *m, void *state, u64 offset, unsigned int size, u64 value)
{
	(void)state;
	/* XTP steers lowest-priority delivery, which this platform does not do. */
	if (offset >= 0x100000 || size != 8 || offset % 8)
		return;
	sapic_message(m, FIELD(offset, 4, 16), FIELD(value, 8, 3), value & 0xff);
}

void ipi_create(struct machine *m)
{
	machine_add_device(m, &(struct device){
		.name = "ipi", .base = IPI_BASE, .size = 0x200000,
		.read = block_read, .write = block_write,
	});
}
