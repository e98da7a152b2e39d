// SPDX-License-Identifier: GPL-2.0
/*
 * The legacy I/O ports (sparse in memory at PORT_BASE, SDM 2:267), ACPI's fixed
 * hardware among them, and the register that ends the run with a status.
 */
#include <stdlib.h>

#include "devices/devices.h"
#include "watch/stats.h"

/* PM1 event block: status bits are cleared by writing ones. */
enum { PM1_STATUS = 0, PM1_ENABLE = 2 };
enum { PM1_TIMER = 0, PM1_GLOBAL = 5, PM1_POWER_BUTTON = 8, PM1_SLEEP_BUTTON = 9,
       PM1_WAKE = 15 };
enum { SCI_ENABLED = 0, SLEEP_TYPE = 10, SLEEP_ENABLE = 13 };

#define PM_TIMER_HZ	3579545ULL

struct power {
	u16 enable, control;
};

/* The timer's 24 bits (FADT does not claim 32). */
static u32 pm_timer(const struct machine *m)
{
	u128 cycles = machine_cycles(m);

	return (u64)(cycles * PM_TIMER_HZ / m->cpu_hz) & 0xffffff;
}

static u64 port_read_byte(struct machine *m, unsigned int port)
{
	struct power *s = m->power;

	if (port >= PORT_COM1 && port < PORT_COM1 + 8)
		return uart_read(m, port - PORT_COM1);
	switch (port) {
	case PORT_PM_EVENT + PM1_STATUS:
	case PORT_PM_EVENT + PM1_STATUS + 1:
		/* no buttons, no wake-ups */
		return 0;
	case PORT_PM_EVENT + PM1_ENABLE:
		return s->enable & 0xff;
	case PORT_PM_EVENT + PM1_ENABLE + 1:
		return s->enable >> 8;
	case PORT_PM_CONTROL:
		/* no legacy mode: ACPI is always on */
		return (s->control & 0xff) | BIT(SCI_ENABLED);
	case PORT_PM_CONTROL + 1:
		return s->control >> 8;
	case PORT_PM_TIMER:
	case PORT_PM_TIMER + 1:
	case PORT_PM_TIMER + 2:
	case PORT_PM_TIMER + 3:
		return pm_timer(m) >> (port - PORT_PM_TIMER) * 8 & 0xff;
	case PORT_REGION:
		return stats_region_begun(m);
	default:
		return 0xff;
	}
}

static void pm_control(struct machine *m, u16 value)
{
	m->power->control = value & ~BIT(SLEEP_ENABLE);
	if (value >> SLEEP_ENABLE & 1 && FIELD(value, SLEEP_TYPE, 3) == SLEEP_TYPE_S5)
		machine_stop(m, 0);
}

static void port_write_byte(struct machine *m, unsigned int port, u8 value)
{
	struct power *s = m->power;

	if (port >= PORT_COM1 && port < PORT_COM1 + 8) {
		uart_write(m, port - PORT_COM1, value);
		return;
	}
	switch (port) {
	case PORT_PM_EVENT + PM1_ENABLE:
		s->enable = (s->enable & 0xff00) | value;
		break;
	case PORT_PM_EVENT + PM1_ENABLE + 1:
		s->enable = (s->enable & 0xff) | value << 8;
		break;
	case PORT_PM_CONTROL:
		pm_control(m, (s->control & 0xff00) | value);
		break;
	case PORT_PM_CONTROL + 1:
		pm_control(m, (s->control & 0xff) | value << 8);
		break;
	case PORT_RESET:
		if (value == RESET_VALUE)
			machine_stop(m, 0);
		break;
	case PORT_EXIT:
		machine_stop(m, value);
		break;
	case PORT_REGION:
		stats_region(m, value);
		break;
	}
}

/* Port p is at (p >> 2) << 12 | (p & 0xfff): four ports to a page. */
static unsigned int port_of(u64 offset)
{
	return (offset >> 12) << 2 | (offset & 3);
}

static u64 port_read(struct machine *m, void *state, u64 offset, unsigned int size)
{
	u64 value = 0;

	(void)state;
	for (unsigned int i = 0; i < size; i++)
		value |= port_read_byte(m, port_of(offset) + i) << i * 8;
	return value;
}

static void port_write(struct machine *m, void *state, u64 offset, unsigned int size, u64 value)
{
	unsigned int port = port_of(offset);

	(void)state;
	/* Only the low byte counts, however wide the write was. */
	if (port == PORT_EXIT || port == PORT_REGION)
		size = 1;
	/* A 16-bit register is written at once, or half of it would act alone. */
	if (port == PORT_PM_CONTROL && size >= 2) {
		pm_control(m, value);
		return;
	}
	for (unsigned int i = 0; i < size; i++)
		port_write_byte(m, port + i, value >> i * 8);
}

/* The power register: (status << 8) | 1 powers off, 2 resets. */
static u64 power_read(struct machine *m, void *state, u64 offset, unsigned int size)
{
	(void)m, (void)state, (void)offset, (void)size;
	return 0;
}

static void power_write(struct machine *m, void *state, u64 offset, unsigned int size, u64 value)
{
	(void)state;
	if (offset || size != 8)
		return;
	if (value & 1)
		machine_stop(m, value >> 8 & 0xff);
	else if (value & 2)
		machine_stop(m, 0);
}

void power_create(struct machine *m)
{
	m->power = calloc(1, sizeof(*m->power));
	if (!m->power)
		out_of_memory();
	machine_add_device(m, &(struct device){
		.name = "ports", .base = PORT_BASE, .size = 0x4000000,
		.read = port_read, .write = port_write,
	});
	machine_add_device(m, &(struct device){
		.name = "power", .base = POWER_BASE, .size = 0x1000,
		.read = power_read, .write = power_write,
	});
}
