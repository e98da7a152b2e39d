// SPDX-License-Identifier: GPL-2.0
/*
 * ACPI tables: RSDP, XSDT, FADT, FACS, MADT and a DSDT that declares the UART
 * and how to power off (ACPI specification 2.0, chapters 5, 6 and 17); with -numa
 * also SRAT and SLIT.
 */
#include <string.h>

#include "devices/devices.h"
#include "firmware/firmware.h"

enum { HEADER_SIZE = 36, HEADER_LENGTH = 4, HEADER_CHECKSUM = 9 };

/** struct table - a table between its begin and its end */
struct table {
	struct area *a;
	size_t begin;
	u64 pa;
};

static struct table begin_table(struct area *a, const char *signature, u8 revision)
{
	struct table t;

	put_align(a, 64);
	t = (struct table){ .a = a, .begin = a->used, .pa = area_here(a) };
	put_text(a, signature, 4, 0);
	put(a, 0, 4);			/* length */
	put(a, revision, 1);
	put(a, 0, 1);			/* checksum */
	put_text(a, "IA64SM", 6, ' ');
	put_text(a, "IA64SIM", 8, ' ');
	put(a, 1, 4);
	put_text(a, "SIM", 4, ' ');
	put(a, 1, 4);
	return t;
}

static void end_table(const struct table *t)
{
	u8 *p = t->a->host + t->begin;
	u32 length = t->a->used - t->begin;

	for (int i = 0; i < 4; i++)
		p[HEADER_LENGTH + i] = length >> i * 8;
	p[HEADER_CHECKSUM] = checksum(p, length);
}

/* ACPI machine language: objects with a length get it when they end. */

static size_t aml_begin(struct area *a, u32 opcode, unsigned int opcode_size)
{
	put(a, opcode, opcode_size);
	put(a, 0, 2);			/* length in two bytes, later */
	return a->used - 2;
}

static void aml_end(struct area *a, size_t at)
{
	size_t length = a->used - at;	/* counts its own bytes */

	a->host[at] = 0x40 | (length & 0xf);
	a->host[at + 1] = length >> 4;
}

static size_t aml_scope(struct area *a, const char *name)
{
	size_t at = aml_begin(a, 0x10, 1);

	put_bytes(a, name, strlen(name));
	return at;
}

static size_t aml_device(struct area *a, const char *name)
{
	size_t at = aml_begin(a, 0x825b, 2);

	put_bytes(a, name, strlen(name));
	return at;
}

static void aml_name(struct area *a, const char *name)
{
	put(a, 0x08, 1);
	put_bytes(a, name, strlen(name));
}

static void aml_byte(struct area *a, u8 value)
{
	put(a, 0x0a, 1);
	put(a, value, 1);
}

/* "PNP0501" as EISA compresses it: three letters of 5 bits, four hex digits. */
static void aml_eisa_id(struct area *a, const char *id)
{
	u32 letters = (id[0] - '@') << 10 | (id[1] - '@') << 5 | (id[2] - '@');
	u32 digits = 0;

	for (int i = 3; i < 7; i++)
		digits = digits << 4 | (id[i] <= '9' ? id[i] - '0' : id[i] - 'A' + 10);
	put(a, 0x0c, 1);
	put(a, __builtin_bswap32(letters << 16 | digits), 4);
}

/* Resources of the UART: eight ports, decoded in 16 bits, and an interrupt that
 * is level triggered, active high and not shared.
 */
static void aml_uart_resources(struct area *a)
{
	enum { IO_PORTS = 0x47, EXTENDED_INTERRUPT = 0x89, END = 0x79 };
	enum { IO_SIZE = 8, INTERRUPT_SIZE = 9, END_SIZE = 2 };
	size_t at = aml_begin(a, 0x11, 1);	/* a buffer */

	aml_byte(a, IO_SIZE + INTERRUPT_SIZE + END_SIZE);
	put(a, IO_PORTS, 1);
	put(a, 1, 1);
	put(a, PORT_COM1, 2);
	put(a, PORT_COM1, 2);
	put(a, 8, 1);			/* alignment */
	put(a, 8, 1);			/* length */
	put(a, EXTENDED_INTERRUPT, 1);
	put(a, 6, 2);
	put(a, 1, 1);			/* consumer, level, high, exclusive */
	put(a, 1, 1);
	put(a, GSI_COM1, 4);
	put(a, END, 1);
	put(a, 0, 1);			/* no checksum */
	aml_end(a, at);
}

static u64 build_dsdt(struct area *a)
{
	struct table t = begin_table(a, "DSDT", 2);
	size_t scope, device, package;

	aml_name(a, "\\_S5_");
	package = aml_begin(a, 0x12, 1);
	put(a, 4, 1);
	aml_byte(a, SLEEP_TYPE_S5);	/* for PM1a */
	aml_byte(a, SLEEP_TYPE_S5);	/* for PM1b, which there is not */
	aml_byte(a, 0);
	aml_byte(a, 0);
	aml_end(a, package);

	scope = aml_scope(a, "\\_SB_");
	device = aml_device(a, "UAR0");
	aml_name(a, "_HID");
	aml_eisa_id(a, "PNP0501");
	aml_name(a, "_UID");
	aml_byte(a, 0);
	aml_name(a, "_CRS");
	aml_uart_resources(a);
	aml_end(a, device);
	aml_end(a, scope);
	end_table(&t);
	return t.pa;
}

static u64 build_facs(struct area *a)
{
	u64 pa;

	put_align(a, 64);
	pa = area_here(a);
	put_text(a, "FACS", 4, 0);
	put(a, 64, 4);
	for (int i = 0; i < 6; i++)
		put(a, 0, 4);
	put(a, 1, 1);			/* version */
	put_align(a, 64);
	return pa;
}

/* Generic address structure in I/O space. */
static void put_gas(struct area *a, u64 port, u8 bytes)
{
	put(a, 1, 1);
	put(a, bytes * 8, 1);
	put(a, 0, 2);
	put(a, port, 8);
}

static void put_no_gas(struct area *a)
{
	put(a, 0, 4);
	put(a, 0, 8);
}

static u64 build_fadt(struct area *a, u64 facs, u64 dsdt)
{
	enum { WBINVD = 0, POWER_BUTTON_METHOD = 4, SLEEP_BUTTON_METHOD = 5, RTC_NOT_FIXED = 6,
	       RESET_REGISTER = 10 };
	struct table t = begin_table(a, "FACP", 3);

	put(a, facs, 4);
	put(a, dsdt, 4);
	put(a, 1, 1);
	put(a, 4, 1);			/* profile: enterprise server */
	put(a, GSI_SCI, 2);
	put(a, 0, 4);			/* no SMI command port: always ACPI mode */
	put(a, 0, 4);
	put(a, PORT_PM_EVENT, 4);
	put(a, 0, 4);
	put(a, PORT_PM_CONTROL, 4);
	put(a, 0, 4);
	put(a, 0, 4);			/* PM2 */
	put(a, PORT_PM_TIMER, 4);
	put(a, 0, 4);			/* GPE0, GPE1 */
	put(a, 0, 4);
	put(a, 4, 1);			/* lengths: PM1 event, PM1 control, PM2, timer */
	put(a, 2, 1);
	put(a, 0, 1);
	put(a, 4, 1);
	put(a, 0, 4);			/* GPE lengths and base, no C-state control */
	put(a, 101, 2);			/* no C2, no C3 */
	put(a, 1001, 2);
	put(a, 0, 4);			/* cache flushing: WBINVD does it */
	put(a, 0, 5);			/* duty cycle, RTC alarm and century */
	put(a, 0, 2);			/* no legacy devices */
	put(a, 0, 1);
	put(a, BIT(WBINVD) | BIT(POWER_BUTTON_METHOD) | BIT(SLEEP_BUTTON_METHOD) |
	    BIT(RTC_NOT_FIXED) | BIT(RESET_REGISTER), 4);
	put_gas(a, PORT_RESET, 1);
	put(a, RESET_VALUE, 1);
	put(a, 0, 3);
	put(a, facs, 8);
	put(a, dsdt, 8);
	put_gas(a, PORT_PM_EVENT, 4);
	put_no_gas(a);
	put_gas(a, PORT_PM_CONTROL, 2);
	put_no_gas(a);
	put_no_gas(a);			/* PM2 */
	put_gas(a, PORT_PM_TIMER, 4);
	put_no_gas(a);			/* GPE0, GPE1 */
	put_no_gas(a);
	end_table(&t);
	return t.pa;
}

static u64 build_madt(struct machine *m, struct area *a)
{
	enum { IO_SAPIC = 6, LOCAL_SAPIC = 7 };
	struct table t = begin_table(a, "APIC", 2);

	put(a, IPI_BASE, 4);
	put(a, 0, 4);			/* no 8259s */

	put(a, IO_SAPIC, 1);
	put(a, 16, 1);
	put(a, 0, 2);
	put(a, 0, 4);			/* first global system interrupt */
	put(a, IOSAPIC_BASE, 8);

	for (unsigned int i = 0; i < m->n_cpus; i++) {
		put(a, LOCAL_SAPIC, 1);
		put(a, 20, 1);
		put(a, i, 1);		/* ACPI processor number */
		put(a, i, 1);		/* id, eid of its LID */
		put(a, 0, 1);
		put(a, 0, 3);
		put(a, 1, 4);		/* enabled */
		put(a, i, 4);
		put(a, 0, 4);		/* _UID as a string: none */
	}
	end_table(&t);
	return t.pa;
}

enum { AFFINITY_ENABLED = 1 };

static void put_memory_affinity(struct area *a, unsigned int node, u64 pa, u64 size)
{
	enum { MEMORY_AFFINITY = 1 };

	put(a, MEMORY_AFFINITY, 1);
	put(a, 40, 1);
	put(a, node, 4);
	put(a, 0, 2);
	put(a, pa, 8);
	put(a, size, 8);
	put(a, 0, 4);
	put(a, AFFINITY_ENABLED, 4);
	put(a, 0, 8);
}

/* Which node processors and memory belong to.  In revision 1, that of ACPI 2.0, proximity
 * domains have 8 bits.  Those of revision 2 are larger, but in bytes that are zero here.
 */
static u64 build_srat(const struct machine *m, struct area *a)
{
	enum { PROCESSOR_AFFINITY = 0 };
	const struct numa *numa = &m->opt.numa;
	u64 low_end = m->opt.ram < RAM_LOW_END ? m->opt.ram : RAM_LOW_END, begin = 0;
	struct table t = begin_table(a, "SRAT", 1);

	put(a, 1, 4);			/* reserved, and 1 */
	put(a, 0, 8);
	for (unsigned int node = 0; node < numa->nodes; node++) {
		u64 end = begin + numa->node[node].ram;

		for (unsigned int i = 0; i < m->n_cpus; i++) {
			if (!(numa->node[node].cpus & BIT(i)))
				continue;
			put(a, PROCESSOR_AFFINITY, 1);
			put(a, 16, 1);
			put(a, node, 1);
			put(a, i, 1);		/* id of its LID */
			put(a, AFFINITY_ENABLED, 4);
			put(a, 0, 1);		/* eid */
			put(a, 0, 7);
		}
		/* A node can have memory on both sides of the hole below RAM_HIGH. */
		if (begin < low_end && begin < end) {
			u64 size = (end < low_end ? end : low_end) - begin;

			put_memory_affinity(a, node, begin, size);
			begin += size;
		}
		if (begin < end)
			put_memory_affinity(a, node, RAM_HIGH + begin - low_end, end - begin);
		begin = end;
	}
	end_table(&t);
	return t.pa;
}

static u64 build_slit(const struct numa *numa, struct area *a)
{
	struct table t = begin_table(a, "SLIT", 1);

	put(a, numa->nodes, 8);
	for (unsigned int from = 0; from < numa->nodes; from++)
		for (unsigned int to = 0; to < numa->nodes; to++)
			put(a, numa_distance(numa, from, to), 1);
	end_table(&t);
	return t.pa;
}

void acpi_build(struct machine *m, struct area *a, struct area *nvs)
{
	u64 facs = build_facs(nvs), dsdt = build_dsdt(a);
	u64 fadt = build_fadt(a, facs, dsdt), madt = build_madt(m, a);
	u64 srat = m->opt.numa.nodes ? build_srat(m, a) : 0;
	u64 slit = m->opt.numa.nodes ? build_slit(&m->opt.numa, a) : 0;
	struct table xsdt = begin_table(a, "XSDT", 1);
	size_t begin;
	u8 *rsdp;

	put(a, fadt, 8);
	put(a, madt, 8);
	if (m->opt.numa.nodes) {
		put(a, srat, 8);
		put(a, slit, 8);
	}
	end_table(&xsdt);

	put_align(a, 16);
	begin = a->used;
	rsdp = a->host + begin;
	m->firmware->rsdp = area_here(a);
	put_text(a, "RSD PTR ", 8, 0);
	put(a, 0, 1);			/* checksum of the first 20 bytes */
	put_text(a, "IA64SM", 6, ' ');
	put(a, 2, 1);			/* revision: ACPI 2.0 */
	put(a, 0, 4);			/* no RSDT */
	put(a, 36, 4);
	put(a, xsdt.pa, 8);
	put(a, 0, 1);			/* checksum of all */
	put(a, 0, 3);
	rsdp[8] = checksum(rsdp, 20);
	rsdp[32] = checksum(rsdp, 36);
}
