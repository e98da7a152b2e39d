// SPDX-License-Identifier: GPL-2.0
/*
 * EFI 1.10: system table, run-time services, memory map, console table (HCDP).
 * Boot services are over before the kernel starts.
 */
#include <string.h>
#include <time.h>

#include "cpu/refs.h"
#include "devices/devices.h"
#include "firmware/firmware.h"
#include "firmware/inflate.h"
#include "watch/trace.h"

#define EFI_ERROR(n)		((s64)((n) | BIT(63)))
#define EFI_INVALID_PARAMETER	EFI_ERROR(2)
#define EFI_UNSUPPORTED		EFI_ERROR(3)
#define EFI_NOT_FOUND		EFI_ERROR(14)

#define REVISION_1_10		(1 << 16 | 10)

/* Memory types and attributes. */
enum {
	MEM_RESERVED = 0, MEM_LOADER_DATA = 2, MEM_RUNTIME_CODE = 5, MEM_RUNTIME_DATA = 6,
	MEM_CONVENTIONAL = 7, MEM_ACPI_RECLAIM = 9, MEM_ACPI_NVS = 10, MEM_MMIO = 11,
	MEM_PORTS = 12, MEM_PAL = 13,
};
#define ATTR_UC		1ULL
#define ATTR_WB		8ULL
#define ATTR_RUNTIME	BIT(63)

/* The simulated clock at power-on: 2024-01-01 00:00:00 UTC. */
#define EPOCH		1704067200LL

enum { HEADER_SIZE = 24, HEADER_CRC = 16, RUNTIME_SIZE = HEADER_SIZE + 11 * 8 };

static void put_guid(struct area *a, u32 d1, u16 d2, u16 d3, u64 d4)
{
	put(a, d1, 4);
	put(a, d2, 2);
	put(a, d3, 2);
	put(a, __builtin_bswap64(d4), 8);
}

static void put_header(struct area *a, u64 signature, u32 size)
{
	put(a, signature, 8);
	put(a, REVISION_1_10, 4);
	put(a, size, 4);
	put(a, 0, 4);			/* CRC, later */
	put(a, 0, 4);
}

static void set_crc(u8 *table, u32 size)
{
	u32 crc;

	memset(table + HEADER_CRC, 0, 4);
	crc = crc32(0, table, size);
	for (int i = 0; i < 4; i++)
		table[HEADER_CRC + i] = crc >> i * 8;
}

/* The function descriptors {entry, gp} of all entry points. */
static void build_descriptors(struct machine *m, struct area *a)
{
	put_align(a, 16);
	m->firmware->descriptors = area_here(a);
	for (unsigned int n = 0; n < FW_ENTRIES; n++) {
		put(a, firmware_address(n), 8);
		put(a, FW_DATA, 8);
	}
}

static u64 descriptor(const struct machine *m, enum firmware_entry n)
{
	return m->firmware->descriptors + (u64)n * 16;
}

static void build_runtime_table(struct machine *m, struct area *a)
{
	u8 *table = a->host + a->used;

	m->firmware->runtime_table = area_here(a);
	put_header(a, 0x56524553544e5552ULL, RUNTIME_SIZE);	/* "RUNTSERV" */
	for (unsigned int n = FW_GET_TIME; n <= FW_RESET_SYSTEM; n++)
		put(a, descriptor(m, n), 8);
	set_crc(table, RUNTIME_SIZE);
}

/* Headless console description, PCDP 2.0: the UART as the primary console. */
static void build_hcdp(struct machine *m, struct area *a)
{
	u8 *table;
	size_t begin, size;

	put_align(a, 16);
	begin = a->used;
	table = a->host + begin;
	m->firmware->hcdp = area_here(a);

	put_text(a, "PCDP", 4, 0);
	put(a, 0, 4);			/* length, later */
	put(a, 3, 1);			/* revision */
	put(a, 0, 1);			/* checksum, later */
	put_text(a, "IA64SM", 6, ' ');
	put_text(a, "IA64SIM", 8, ' ');
	put(a, 1, 4);
	put_text(a, "SIM", 4, ' ');
	put(a, 1, 4);
	put(a, 1, 4);			/* UARTs */

	put(a, 0, 1);			/* a UART, for the console */
	put(a, 8, 1);			/* bits */
	put(a, 1, 1);			/* no parity */
	put(a, 1, 1);			/* one stop bit */
	put(a, 0, 4);			/* not on PCI */
	put(a, 115200, 8);
	put(a, 1, 1);			/* address: system I/O, 8 bits wide */
	put(a, 8, 1);
	put(a, 0, 1);
	put(a, 1, 1);
	put(a, PORT_COM1, 8);
	put(a, 0xffffffff, 4);		/* PCI identification: none */
	put(a, GSI_COM1, 4);
	put(a, 1843200, 4);
	put(a, 0, 1);
	put(a, 1 << 2 | 1 << 6, 1);	/* primary console, with interrupt */
	put(a, 0, 2);
	put(a, 0, 4);

	size = a->used - begin;
	table[4] = size;
	table[9] = checksum(table, size);
}

static void build_configuration(struct machine *m, struct area *a)
{
	const struct firmware *fw = m->firmware;

	put_guid(a, 0xeb9d2d32, 0x2d88, 0x11d3, 0x9a160090273fc14dULL);	/* SAL */
	put(a, fw->sal_table, 8);
	put_guid(a, 0x8868e871, 0xe4f1, 0x11d3, 0xbc220080c73c8881ULL);	/* ACPI 2.0 */
	put(a, fw->rsdp, 8);
	put_guid(a, 0xf951938d, 0x620b, 0x42ef, 0x8279a84b79617898ULL);	/* HCDP */
	put(a, fw->hcdp, 8);
}
enum { CONFIGURATION_TABLES = 3 };

void efi_build(struct machine *m, struct area *a)
{
	static const u16 vendor[] = u"ia64sim";
	u64 vendor_address, configuration;
	u8 *table;

	build_hcdp(m, a);
	build_descriptors(m, a);
	build_runtime_table(m, a);

	put_align(a, 16);
	m->firmware->fpswa = area_here(a);
	put(a, 1 << 16 | 18, 4);	/* interface revision 1.18 */
	put(a, 0, 4);
	put(a, descriptor(m, FW_FPSWA), 8);

	vendor_address = area_here(a);
	put_bytes(a, vendor, sizeof(vendor));
	put_align(a, 16);
	configuration = area_here(a);
	build_configuration(m, a);

	put_align(a, 16);
	table = a->host + a->used;
	m->firmware->system_table = area_here(a);
	put_header(a, 0x5453595320494249ULL, 120);	/* "IBI SYST" */
	put(a, vendor_address, 8);
	put(a, 0x00010000, 8);		/* firmware revision */
	for (int i = 0; i < 6; i++)
		put(a, 0, 8);		/* consoles: gone with boot services */
	put(a, m->firmware->runtime_table, 8);
	put(a, 0, 8);			/* boot services: gone */
	put(a, CONFIGURATION_TABLES, 8);
	put(a, configuration, 8);
	set_crc(table, 120);
}

static void put_region(struct area *a, u32 type, u64 begin, u64 end, u64 attribute)
{
	if (begin >= end)
		return;
	put(a, type, 8);
	put(a, begin, 8);
	put(a, 0, 8);			/* virtual address */
	put(a, (end - begin) >> 12, 8);
	put(a, attribute, 8);
	put(a, 0, 8);
}

size_t efi_memory_map(struct machine *m, struct area *a)
{
	u64 low_end = m->opt.ram < RAM_LOW_END ? m->opt.ram : RAM_LOW_END;
	u64 initrd = m->boot.initrd, initrd_end;

	initrd_end = initrd + ((m->boot.initrd_size + 0xfff) & ~0xfffULL);
	if (!m->boot.initrd_size)
		initrd = initrd_end = low_end;

	put_region(a, MEM_RESERVED, 0, FW_PAL_CODE, ATTR_WB);
	put_region(a, MEM_PAL, FW_PAL_CODE, FW_CODE, ATTR_WB | ATTR_RUNTIME);
	put_region(a, MEM_RUNTIME_CODE, FW_CODE, FW_DATA, ATTR_WB | ATTR_RUNTIME);
	put_region(a, MEM_RUNTIME_DATA, FW_DATA, FW_ACPI, ATTR_WB | ATTR_RUNTIME);
	put_region(a, MEM_ACPI_RECLAIM, FW_ACPI, FW_ACPI_NVS, ATTR_WB);
	put_region(a, MEM_ACPI_NVS, FW_ACPI_NVS, FW_BOOT, ATTR_WB);
	put_region(a, MEM_LOADER_DATA, FW_BOOT, FW_STACKS, ATTR_WB);
	put_region(a, MEM_RUNTIME_DATA, FW_STACKS, FW_END, ATTR_WB | ATTR_RUNTIME);
	put_region(a, MEM_CONVENTIONAL, FW_END, initrd, ATTR_WB);
	put_region(a, MEM_LOADER_DATA, initrd, initrd_end, ATTR_WB);
	put_region(a, MEM_CONVENTIONAL, initrd_end, low_end, ATTR_WB);
	put_region(a, MEM_MMIO, IOSAPIC_BASE, IOSAPIC_BASE + 0x1000, ATTR_UC);
	put_region(a, MEM_MMIO, UART_BASE, POWER_BASE + 0x1000, ATTR_UC);
	put_region(a, MEM_MMIO, IPI_BASE, IPI_BASE + 0x200000, ATTR_UC);
	if (m->opt.ram > low_end)
		put_region(a, MEM_CONVENTIONAL, RAM_HIGH, RAM_HIGH + m->opt.ram - low_end, ATTR_WB);
	put_region(a, MEM_PORTS, PORT_BASE, PORT_BASE + 0x4000000, ATTR_UC | ATTR_RUNTIME);
	return a->used;
}

/* Seconds since 1970 and days, proleptic Gregorian, without the host's zone. */
static s64 days_before(s64 year, int month, int day)
{
	s64 era;
	int of_era, of_year;

	year -= month <= 2;
	era = year / 400;
	of_era = year - era * 400;
	of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

#define NSEC_PER_SEC	1000000000ULL

static s64 seconds_now(const struct cpu *cpu)
{
	const struct machine *m = cpu->machine;
	s64 base = m->opt.rtc_host ? (s64)time(NULL) : EPOCH + (s64)(cpu->cycles / m->cpu_hz);

	return base + m->firmware->time_offset;
}

static u32 nanoseconds_now(const struct cpu *cpu)
{
	u64 hz = cpu->machine->cpu_hz;

	return cpu->machine->opt.rtc_host ? 0 : cpu->cycles % hz * NSEC_PER_SEC / hz;
}

/* EFI_TIME: year, month, day, hour, minute, second, nanosecond, zone. */
static struct result get_time(struct cpu *cpu, u64 to, u64 capabilities)
{
	s64 now = seconds_now(cpu), day = now / 86400, second = now % 86400;
	int year, month, of_month;

	if (!to)
		return (struct result){ .status = EFI_INVALID_PARAMETER };
	for (year = 1970; days_before(year + 1, 1, 1) <= day; year++)
		;
	for (month = 1; month < 12 && days_before(year, month + 1, 1) <= day; month++)
		;
	of_month = day - days_before(year, month, 1) + 1;

	store(cpu, to, 8, (u64)year | (u64)month << 16 | (u64)of_month << 24 |
	      (u64)(second / 3600) << 32 | (u64)(second / 60 % 60) << 40 |
	      (u64)(second % 60) << 48);
	store(cpu, to + 8, 4, nanoseconds_now(cpu));
	store(cpu, to + 12, 4, 0x7ff);	/* no time zone, no daylight saving */
	if (capabilities) {
		store(cpu, capabilities, 4, 1);		/* resolution: 1 Hz */
		store(cpu, capabilities + 4, 4, 50000000);	/* 50 ppm */
		store(cpu, capabilities + 8, 1, 0);
	}
	return (struct result){ 0 };
}

static struct result set_time(struct cpu *cpu, u64 from)
{
	u64 t = load(cpu, from, 8);
	unsigned int month = FIELD(t, 16, 8), day = FIELD(t, 24, 8), hour = FIELD(t, 32, 8);
	unsigned int minute = FIELD(t, 40, 8), second = FIELD(t, 48, 8);
	s64 wanted;

	if (FIELD(t, 0, 16) < 1970 || month < 1 || month > 12 || day < 1 || day > 31 ||
	    hour > 23 || minute > 59 || second > 59)
		return (struct result){ .status = EFI_INVALID_PARAMETER };
	wanted = days_before(FIELD(t, 0, 16), month, day) * 86400 + hour * 3600 + minute * 60 +
		 second;
	cpu->machine->firmware->time_offset += wanted - seconds_now(cpu);
	return (struct result){ 0 };
}

/* Where a physical address of firmware goes in the map that the system gave. */
static bool convert(const struct machine *m, u64 map, u64 size, u64 descriptor_size, u64 *address)
{
	for (u64 at = 0; at + 40 <= size; at += descriptor_size) {
		const u8 *d = ram_at(m, map + at, 40);
		u64 field[5];

		if (!d)
			return false;
		memcpy(field, d, sizeof(field));
		if (field[4] & ATTR_RUNTIME && *address >= field[1] &&
		    *address - field[1] < field[3] << 12) {
			*address += field[2] - field[1];
			return true;
		}
	}
	return false;
}

static bool convert_field(struct machine *m, u64 map, u64 size, u64 descriptor_size, u64 pa)
{
	u64 value = phys_read(m, pa, 8);

	if (!convert(m, map, size, descriptor_size, &value))
		return false;
	phys_write(m, pa, 8, value);
	return true;
}

static struct result set_virtual_address_map(struct cpu *cpu)
{
	struct machine *m = cpu->machine;
	struct firmware *fw = m->firmware;
	u64 size = stacked_argument(cpu, 0), descriptor_size = stacked_argument(cpu, 1);
	u64 map = stacked_argument(cpu, 3) & MASK(63);

	if (fw->is_virtual)
		return (struct result){ .status = EFI_UNSUPPORTED };
	if (descriptor_size < 40 || size > 0x100000)
		return (struct result){ .status = EFI_INVALID_PARAMETER };
	for (unsigned int n = 0; n < FW_ENTRIES; n++) {
		u64 d = descriptor(m, n);

		/* PAL and the return from the rendezvous stay physical. */
		if (n == FW_PAL || n == FW_SAL || n == FW_RENDEZVOUS_RETURN)
			continue;
		if (!convert_field(m, map, size, descriptor_size, d) ||
		    !convert_field(m, map, size, descriptor_size, d + 8))
			return (struct result){ .status = EFI_NOT_FOUND };
	}
	for (unsigned int n = FW_GET_TIME; n <= FW_RESET_SYSTEM; n++)
		convert_field(m, map, size, descriptor_size,
			      fw->runtime_table + HEADER_SIZE + (n - FW_GET_TIME) * 8);
	/* The FPSWA interface holds a pointer to a descriptor as well. */
	convert_field(m, map, size, descriptor_size, fw->fpswa + 8);
	set_crc(ram_at(m, fw->runtime_table, RUNTIME_SIZE), RUNTIME_SIZE);
	phys_written(m, fw->runtime_table, RUNTIME_SIZE);
	fw->is_virtual = true;
	return (struct result){ 0 };
}

enum { RESET_COLD = 0, RESET_WARM = 1, RESET_SHUTDOWN = 2 };

static struct result reset_system(struct cpu *cpu)
{
	u64 type = stacked_argument(cpu, 0), status = stacked_argument(cpu, 1);

	machine_stop(cpu->machine, type == RESET_SHUTDOWN ? status & 0xff : 0);
	return (struct result){ 0 };
}

static const char *const service_names[] = {
	[FW_GET_TIME] = "GetTime", [FW_SET_TIME] = "SetTime",
	[FW_GET_WAKEUP_TIME] = "GetWakeupTime", [FW_SET_WAKEUP_TIME] = "SetWakeupTime",
	[FW_SET_VIRTUAL_ADDRESS_MAP] = "SetVirtualAddressMap",
	[FW_CONVERT_POINTER] = "ConvertPointer", [FW_GET_VARIABLE] = "GetVariable",
	[FW_GET_NEXT_VARIABLE_NAME] = "GetNextVariableName", [FW_SET_VARIABLE] = "SetVariable",
	[FW_GET_NEXT_HIGH_MONOTONIC_COUNT] = "GetNextHighMonotonicCount",
	[FW_RESET_SYSTEM] = "ResetSystem",
};

struct result efi_call(struct cpu *cpu, enum firmware_entry service)
{
	struct result r = { 0 };

	switch (service) {
	case FW_GET_TIME:
		r = get_time(cpu, stacked_argument(cpu, 0), stacked_argument(cpu, 1));
		break;
	case FW_SET_TIME:
		r = set_time(cpu, stacked_argument(cpu, 0));
		break;
	case FW_SET_VIRTUAL_ADDRESS_MAP:
		r = set_virtual_address_map(cpu);
		break;
	case FW_GET_VARIABLE:
	case FW_GET_NEXT_VARIABLE_NAME:
		r.status = EFI_NOT_FOUND;	/* there are no variables */
		break;
	case FW_GET_NEXT_HIGH_MONOTONIC_COUNT:
		store(cpu, stacked_argument(cpu, 0), 4, ++cpu->machine->firmware->monotonic);
		break;
	case FW_RESET_SYSTEM:
		r = reset_system(cpu);
		break;
	default:
		r.status = EFI_UNSUPPORTED;
		break;
	}
	if (tracing(cpu->machine, TRACE_FIRMWARE))
		trace_line(cpu, "EFI %s (%#llx, %#llx) = %#llx",
			   service <= FW_RESET_SYSTEM ? service_names[service] : "?",
			   (unsigned long long)stacked_argument(cpu, 0),
			   (unsigned long long)stacked_argument(cpu, 1),
			   (unsigned long long)r.status);
	return r;
}
