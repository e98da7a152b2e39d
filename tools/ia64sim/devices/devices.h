/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The devices; the processors know none of them.
 */
#ifndef DEVICES_H
#define DEVICES_H

#include "state/machine.h"

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
	PORT_REGION = 0x502,		/* N begins region N of -stats, 0 ends it */
};
enum { SLEEP_TYPE_S5 = 5, RESET_VALUE = 6 };

/* A message on the interrupt bus; dest is (id << 8) | eid of a LID. */
void sapic_message(struct machine *m, unsigned int dest, unsigned int mode,
		   unsigned int vector);

/* The processor interrupt block at IPI_BASE. */
void ipi_create(struct machine *m);

/* Input pin changes */
void iosapic_create(struct machine *m);
void iosapic_set_pin(struct machine *m, unsigned int pin, bool level);

/* The console; uart_poll() takes input from the host and says whether
 * there was any, uart_wait() sleeps until there is some or the time is over, and
 * is false when there will never be any.
 */
void uart_create(struct machine *m);
void uart_destroy(struct machine *m);
bool uart_poll(struct machine *m);
bool uart_wait(struct machine *m, unsigned int milliseconds);
u64 uart_read(struct machine *m, unsigned int reg);
void uart_write(struct machine *m, unsigned int reg, u8 value);

/* Legacy I/O ports, ACPI fixed hardware, power off with a status */
void power_create(struct machine *m);

#endif
