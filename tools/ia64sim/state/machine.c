// SPDX-License-Identifier: GPL-2.0
/*
 * What every part of the machine may want: to add a device, to end the run.
 */
#include <stdarg.h>
#include <stdlib.h>

#include "state/machine.h"

void out_of_memory(void)
{
	fprintf(stderr, "ia64sim: out of memory\n");
	exit(2);
}

void seldom_happens(struct cpu *cpu)
{
	if (cpu->pmu.in_page)
		longjmp(cpu->interruption, RETRY);
	cpu->pmu.limit = 0;
	attend(cpu);
}

void machine_add_device(struct machine *m, const struct device *d)
{
	if (m->n_devices == MAX_DEVICES)
		abort();
	m->device[m->n_devices++] = *d;
}

void machine_stop(struct machine *m, int status)
{
	if (m->powered_off)
		return;
	m->powered_off = true;
	m->exit_status = status & 0xff;
	if (m->running)
		attend(m->running);
}

void machine_check(struct cpu *cpu, const char *why, ...)
{
	va_list args;

	fflush(stdout);
	fprintf(stderr, "ia64sim: cpu %u at %#llx: machine check: ", cpu->id,
		(unsigned long long)cpu->ip);
	va_start(args, why);
	vfprintf(stderr, why, args);
	va_end(args);
	fprintf(stderr, "\n");
	cpu->machine->call->print(cpu, stderr);
	machine_stop(cpu->machine, STATUS_DIED);
	attend(cpu);
	longjmp(cpu->interruption, LEFT);
}
