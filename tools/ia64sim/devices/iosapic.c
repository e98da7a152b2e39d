// SPDX-License-Identifier: GPL-2.0
/*
 * The IOSAPIC: turns levels and edges of its input pins into interrupt messages
 * to the processors.  Registers as the Intel 82093AA's, behind a select and a
 * window register, with an EOI register in place of broadcast EOIs.
 */
#include <stdlib.h>

#include "devices/devices.h"

enum { SELECT = 0x00, WINDOW = 0x10, EOI = 0x40 };
enum { REG_ID = 0, REG_VERSION = 1, REG_RTE = 0x10 };

/* Redirection table entry, low word. */
enum {
	RTE_VECTOR = 0, RTE_MODE = 8, RTE_PENDING = 12, RTE_ACTIVE_LOW = 13,
	RTE_REMOTE_IRR = 14, RTE_LEVEL = 15, RTE_MASK = 16,
};
#define RTE_WRITABLE	0x1a7ffU

struct iosapic {
	u32 select;
	u32 low[IOSAPIC_PINS], high[IOSAPIC_PINS];
	bool pin[IOSAPIC_PINS];		/* electrical level */
};

static void send(struct machine *m, unsigned int pin)
{
	struct iosapic *s = m->iosapic;

	sapic_message(m, s->high[pin] >> 16, FIELD(s->low[pin], RTE_MODE, 3),
		      s->low[pin] & 0xff);
}

static bool is_active(const struct iosapic *s, unsigned int pin)
{
	return s->pin[pin] != (bool)(s->low[pin] >> RTE_ACTIVE_LOW & 1);
}

/* A level interrupt is sent once; remote IRR holds the next until its EOI. */
static void evaluate_level(struct machine *m, unsigned int pin)
{
	struct iosapic *s = m->iosapic;
	u32 low = s->low[pin];

	if (!(low >> RTE_LEVEL & 1) || low >> RTE_MASK & 1 || low >> RTE_REMOTE_IRR & 1)
		return;
	if (!is_active(s, pin))
		return;
	s->low[pin] |= 1U << RTE_REMOTE_IRR;
	send(m, pin);
}

void iosapic_set_pin(struct machine *m, unsigned int pin, bool level)
{
	struct iosapic *s = m->iosapic;
	bool before;

	if (pin >= IOSAPIC_PINS)
		return;
	before = is_active(s, pin);
	s->pin[pin] = level;
	if (s->low[pin] >> RTE_LEVEL & 1)
		evaluate_level(m, pin);
	else if (!before && is_active(s, pin) && !(s->low[pin] >> RTE_MASK & 1))
		send(m, pin);
}

static void write_register(struct machine *m, u32 reg, u32 value)
{
	struct iosapic *s = m->iosapic;
	unsigned int pin = (reg - REG_RTE) / 2;

	if (reg < REG_RTE || pin >= IOSAPIC_PINS)
		return;
	if (reg & 1) {
		s->high[pin] = value & 0xffff0000;
		return;
	}
	/* Remote IRR means nothing for an edge and is forgotten with it. */
	if (value >> RTE_LEVEL & 1)
		value = (value & RTE_WRITABLE) | (s->low[pin] & 1U << RTE_REMOTE_IRR);
	else
		value &= RTE_WRITABLE;
	s->low[pin] = value;
	evaluate_level(m, pin);
}

static u32 read_register(const struct iosapic *s, u32 reg)
{
	unsigned int pin = (reg - REG_RTE) / 2;

	if (reg == REG_VERSION)
		return (IOSAPIC_PINS - 1) << 16 | 0x20;
	if (reg < REG_RTE || pin >= IOSAPIC_PINS)
		return 0;
	return reg & 1 ? s->high[pin] : s->low[pin];
}

static u64 iosapic_read(struct machine *m, void *state, u64 offset, unsigned int size)
{
	struct iosapic *s = state;

	(void)m, (void)size;
	switch (offset) {
	case SELECT:
		return s->select;
	case WINDOW:
		return read_register(s, s->select);
	default:
		return 0;
	}
}

static void iosapic_write(struct machine *m, void *state, u64 offset, unsigned int size, u64 value)
{
	struct iosapic *s = state;

	(void)size;
	switch (offset) {
	case SELECT:
		s->select = value & 0xff;
		break;
	case WINDOW:
		write_register(m, s->select, value);
		break;
	case EOI:
		for (unsigned int pin = 0; pin < IOSAPIC_PINS; pin++) {
			if ((s->low[pin] & 0xff) != (value & 0xff))
				continue;
			s->low[pin] &= ~(1U << RTE_REMOTE_IRR);
			evaluate_level(m, pin);
		}
		break;
	}
}

void iosapic_create(struct machine *m)
{
	struct iosapic *s = calloc(1, sizeof(*s));

	if (!s)
		out_of_memory();
	for (unsigned int pin = 0; pin < IOSAPIC_PINS; pin++)
		s->low[pin] = 1U << RTE_MASK;
	m->iosapic = s;
	s->pin[GSI_SCI] = true;		/* active low, and silent */
	machine_add_device(m, &(struct device){
		.name = "iosapic", .base = IOSAPIC_BASE, .size = 0x1000,
		.read = iosapic_read, .write = iosapic_write, .state = s,
	});
}
