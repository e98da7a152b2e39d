/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the devices share among themselves; the processors need none of it.
 */
#ifndef PLATFORM_H
#define PLATFORM_H

#include "machine.h"

/* Interrupt lines: pins of the IOSAPIC, and global system interrupt numbers. */
enum { GSI_COM1 = 4, GSI_SCI = 9, IOSAPIC_PINS = 24 };

/* Legacy I/O ports. */
enum {
	PORT_COM1 = 0x3f8,
	PORT_PM_EVENT = 0x400,		/* PM1 status and enable, 2 + 2 bytes */
	PORT_PM_CONTROL = 0x404,	/* PM1 control, 2 bytes */
	PORT_PM_TIMER = 0x408,		/* 4 bytes */
	PORT_RESET = 0x40c,		/* ACPI reset register, 1 byte */
	PORT_EXIT = 0x501,		/* end of the run with the value as status */
	PORT_REGION = 0x502,		/* 1 begins a region of -stats, 0 ends it */
};
enum { SLEEP_TYPE_S5 = 5, RESET_VALUE = 6 };

/* A message on the interrupt bus; dest is (id << 8) | eid of a LID. */
void sapic_message(struct machine *m, unsigned int dest, unsigned int mode,
		   unsigned int vector);

/* One line on stderr, exit status 2. */
void out_of_memory(void) __attribute__((noreturn));

/* Simulated cycles since power-on, exact while a processor runs. */
static inline u64 machine_cycles(const struct machine *m)
{
	return m->running ? m->running->cycles : m->now;
}

#endif
