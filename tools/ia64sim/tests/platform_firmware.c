// SPDX-License-Identifier: GPL-2.0
/*
 * Firmware: tables with their checksums and links, the memory map, entry points
 * as code, what PAL, SAL and EFI answer.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "board/board.h"
#include "cpu/interrupt.h"
#include "cpu/refs.h"
#include "cpu/rse.h"
#include "cpu/sapic.h"
#include "devices/devices.h"
#include "firmware/firmware.h"
#include "firmware/inflate.h"
#include "check.h"

static struct machine *m;
static struct cpu *cpu;

static void start_numa(u64 ram, unsigned int cpus, const char *append, const struct numa *numa)
{
	struct options opt = {
		.ram = ram, .cpus = cpus, .itc_entries = 128, .dtc_entries = 128, .trs = 64,
		.soft_tlb = true, .append = append, .numa = *numa,
	};

	m = machine_create(&opt);
	m->boot.entry = 0x4000000;
	m->boot.initrd = (ram < RAM_LOW_END ? ram : RAM_LOW_END) - 0x30000;
	m->boot.initrd_size = 0x21234;
	firmware_build(m);
	cpu = m->cpu[0];
}

static void start(u64 ram, unsigned int cpus, const char *append)
{
	start_numa(ram, cpus, append, &(struct numa){ 0 });
}

static void end(void)
{
	machine_destroy(m);
}

static u64 get(u64 pa, unsigned int size)
{
	return phys_read(m, pa, size);
}

static bool is_text(u64 pa, const char *text)
{
	return !memcmp(ram_at(m, pa, strlen(text)), text, strlen(text));
}

static u8 sum(u64 pa, u64 n)
{
	u8 s = 0;

	for (u64 i = 0; i < n; i++)
		s += get(pa + i, 1);
	return s;
}

/*
 * ACPI.
 */
static void acpi_table(u64 pa, const char *signature, u64 length)
{
	check(is_text(pa, signature));
	check_equal(pa % 4, 0);
	check_equal(sum(pa, get(pa + 4, 4)), 0);
	if (length)
		check_equal(get(pa + 4, 4), length);
}

static void madt(u64 pa, unsigned int cpus)
{
	u64 at = pa + 44, end_of = pa + get(pa + 4, 4);
	unsigned int found = 0, iosapics = 0;

	check_equal(get(pa + 36, 4), IPI_BASE);
	check_equal(get(pa + 40, 4), 0);
	while (at < end_of) {
		switch (get(at, 1)) {
		case 6:
			iosapics++;
			check_equal(get(at + 1, 1), 16);
			check_equal(get(at + 4, 4), 0);
			check_equal(get(at + 8, 8), IOSAPIC_BASE);
			break;
		case 7:
			check_equal(get(at + 3, 1), m->cpu[found]->cr[CR_LID] >> 24);
			check_equal(get(at + 4, 1), m->cpu[found]->cr[CR_LID] >> 16 & 0xff);
			check_equal(get(at + 8, 4), 1);
			found++;
			break;
		default:
			check(!"an entry of this type");
			break;
		}
		at += get(at + 1, 1);
	}
	check_equal(at, end_of);
	check_equal(found, cpus);
	check_equal(iosapics, 1);
}

/* AML: lengths nest, and the names that a system looks for are there. */
static void dsdt(u64 pa)
{
	u64 n = get(pa + 4, 4);
	const u8 *aml = ram_at(m, pa, n);
	static const u8 hid[] = { 0x08, '_', 'H', 'I', 'D', 0x0c, 0x41, 0xd0, 0x05, 0x01 };
	static const u8 s5[] = { 0x08, '\\', '_', 'S', '5', '_', 0x12 };
	/* \_SB ends with the table, and so does the device in it */
	u64 scope = 0;

	check(memmem(aml, n, hid, sizeof(hid)));
	check(memmem(aml, n, s5, sizeof(s5)));
	for (u64 i = 36; i + 7 < n; i++)
		if (aml[i] == 0x10 && !memcmp(aml + i + 3, "\\_SB_", 5))
			scope = i;
	check(scope);
	check_equal(scope + 1 + ((aml[scope + 1] & 0xf) | aml[scope + 2] << 4), n);
	/* the last two bytes are the end tag of the resources */
	check(aml[n - 2] == 0x79 && aml[n - 1] == 0);
}

static void acpi(void)
{
	for (unsigned int cpus = 1; cpus <= MAX_CPUS; cpus += 5) {
		u64 rsdp, xsdt, fadt;

		start(64 << 20, cpus, NULL);
		rsdp = m->firmware->rsdp;
		check(is_text(rsdp, "RSD PTR "));
		check_equal(sum(rsdp, 20), 0);
		check_equal(sum(rsdp, 36), 0);
		check_equal(get(rsdp + 15, 1), 2);
		xsdt = get(rsdp + 24, 8);
		acpi_table(xsdt, "XSDT", 36 + 2 * 8);
		fadt = get(xsdt + 36, 8);
		acpi_table(fadt, "FACP", 244);
		check_equal(get(fadt + 8, 1), 3);
		check_equal(get(fadt + 36, 4), get(fadt + 132, 8));
		check_equal(get(fadt + 40, 4), get(fadt + 140, 8));
		check_equal(get(fadt + 46, 2), GSI_SCI);
		check_equal(get(fadt + 120, 8), PORT_RESET);
		check_equal(get(fadt + 128, 1), RESET_VALUE);
		check_equal(get(fadt + 152, 8), PORT_PM_EVENT);
		check_equal(get(fadt + 176, 8), PORT_PM_CONTROL);
		check_equal(get(fadt + 212, 8), PORT_PM_TIMER);
		check(is_text(get(fadt + 36, 4), "FACS"));
		check_equal(get(fadt + 36, 4) % 64, 0);
		acpi_table(get(fadt + 40, 4), "DSDT", 0);
		dsdt(get(fadt + 40, 4));
		acpi_table(get(xsdt + 44, 8), "APIC", 0);
		madt(get(xsdt + 44, 8), cpus);
		end();
	}
}

/* Every processor, and all RAM in aligned ranges that are where the machine has it. */
static void srat(u64 pa)
{
	const struct numa *numa = &m->opt.numa;
	u64 at = pa + 48, end_of = pa + get(pa + 4, 4), last = 0, ram[MAX_NODES] = { 0 };
	unsigned int found = 0, node;

	check_equal(get(pa + 8, 1), 1);		/* revision: domains of 8 bits */
	check_equal(get(pa + 36, 4), 1);
	check_equal(get(pa + 40, 8), 0);
	while (at < end_of) {
		node = get(at + 2, 1);
		check(node < numa->nodes);
		switch (get(at, 1)) {
		case 0:
			check_equal(get(at + 1, 1), 16);
			check_equal(get(at + 4, 4), 1);
			/* domains of 24 bits more in revision 2, then a clock domain */
			check_equal(get(at + 8, 8) & ~0xffULL, 0);
			for (unsigned int i = 0; i < m->n_cpus; i++) {
				if (get(at + 3, 1) != m->cpu[i]->cr[CR_LID] >> 24 ||
				    get(at + 8, 1) != (m->cpu[i]->cr[CR_LID] >> 16 & 0xff))
					continue;
				check(numa->node[node].cpus & BIT(i));
				found++;
			}
			break;
		case 1:
			check_equal(get(at + 1, 1), 40);
			check_equal(get(at + 3, 4) & 0xffffff, 0);
			check(get(at + 8, 8) >= last);
			check_equal(get(at + 8, 8) % (64 << 20), 0);
			check_equal(get(at + 16, 8) % (64 << 20), 0);
			check(get(at + 16, 8) && ram_at(m, get(at + 8, 8), get(at + 16, 8)));
			last = get(at + 8, 8) + get(at + 16, 8);
			ram[node] += get(at + 16, 8);
			check_equal(get(at + 24, 4), 0);
			check_equal(get(at + 28, 4), 1);
			check_equal(get(at + 32, 8), 0);
			break;
		default:
			check(!"an entry of this type");
			break;
		}
		at += get(at + 1, 1);
	}
	check_equal(at, end_of);
	check_equal(found, m->n_cpus);
	for (unsigned int i = 0; i < numa->nodes; i++)
		check_equal(ram[i], numa->node[i].ram);
}

static u64 start_nodes(u64 ram, unsigned int cpus, const struct numa *numa)
{
	u64 xsdt;

	start_numa(ram, cpus, NULL, numa);
	xsdt = get(m->firmware->rsdp + 24, 8);
	acpi_table(xsdt, "XSDT", 36 + 4 * 8);
	acpi_table(get(xsdt + 44, 8), "APIC", 0);
	acpi_table(get(xsdt + 52, 8), "SRAT", 0);
	acpi_table(get(xsdt + 60, 8), "SLIT", 44 + numa->nodes * numa->nodes);
	check_equal(get(get(xsdt + 60, 8) + 36, 8), numa->nodes);
	srat(get(xsdt + 52, 8));
	return xsdt;
}

static void slit(u64 xsdt, const char *entries)
{
	u64 pa = get(xsdt + 60, 8) + 44;

	check(is_text(pa, entries));
}

static void numa(void)
{
	struct numa many = { .nodes = MAX_NODES };
	u64 xsdt, at;

	xsdt = start_nodes(2ULL << 30, 4, &(struct numa){
		.nodes = 2, .node = { { 1ULL << 30, 0x3 }, { 1ULL << 30, 0xc } } });
	slit(xsdt, "\12\24\24\12");
	end();

	/* The second node has memory on both sides of the hole, the third has none, the
	 * fourth has nothing else.  Of the distances the second is given one way, the third
	 * both ways.
	 */
	xsdt = start_nodes(4ULL << 30, 3, &(struct numa){
		.nodes = 4, .node = { { 1ULL << 30, 0x2 }, { 2ULL << 30, 0x4 }, { 0, 0x1 },
				      { 1ULL << 30, 0 } },
		.distance = { [1][0] = 17, [0][2] = 30, [2][0] = 31, [3][3] = 10 } });
	slit(xsdt, "\12\21\36\24\21\12\24\24\37\24\12\24\24\24\24\12");
	at = get(xsdt + 52, 8) + 48;
	check_equal(get(at + 16 + 8, 8), 0);
	check_equal(get(at + 16 + 16, 8), 0x40000000);
	at += 16 + 40;				/* the second node */
	check_equal(get(at + 16 + 8, 8), 0x40000000);
	check_equal(get(at + 16 + 16, 8), 0x40000000);
	check_equal(get(at + 16 + 40 + 8, 8), 0x100000000);
	check_equal(get(at + 16 + 40 + 16, 8), 0x40000000);
	at += 16 + 2 * 40 + 16;			/* the fourth */
	check_equal(get(at + 8, 8), 0x140000000);
	check_equal(get(at + 16, 8), 0x40000000);
	end();

	for (unsigned int i = 0; i < MAX_NODES; i++) {
		many.node[i].ram = 192ULL << 20;
		many.node[i].cpus = BIT(MAX_CPUS - 1 - i);
	}
	start_nodes((u64)MAX_NODES * (192 << 20), MAX_CPUS, &many);
	end();
}

/*
 * EFI.
 */
static u32 crc_of(u64 pa)
{
	u8 copy[256];
	u32 size = get(pa + 12, 4);

	if (size > sizeof(copy))
		return 0;
	memcpy(copy, ram_at(m, pa, size), size);
	memset(copy + 16, 0, 4);
	return crc32(0, copy, size);
}

static void efi_tables(void)
{
	static const char hcdp_guid[] =
		"\x8d\x93\x51\xf9\x0b\x62\xef\x42\x82\x79\xa8\x4b\x79\x61\x78\x98";
	u64 st, rt, config, hcdp;

	start(64 << 20, 1, NULL);
	st = get(FW_BOOT + 8, 8);
	check_equal(st, m->firmware->system_table);
	check(is_text(st, "IBI SYST"));
	check_equal(get(st + 16, 4), crc_of(st));
	check(is_text(get(st + 24, 8), "i\0a\0006\0004\0s\0i\0m\0\0"));
	rt = get(st + 88, 8);
	check(is_text(rt, "RUNTSERV"));
	check_equal(get(rt + 16, 4), crc_of(rt));
	check_equal(get(rt + 12, 4), 24 + 11 * 8);
	/* each service is a descriptor of its entry point */
	for (unsigned int n = 0; n < 11; n++)
		check_equal(get(get(rt + 24 + n * 8, 8), 8), firmware_address(FW_GET_TIME + n));
	check_equal(get(st + 104, 8), 3);
	config = get(st + 112, 8);
	check(is_text(config, "\x32\x2d\x9d\xeb\x88\x2d\xd3\x11\x9a\x16"));
	check_equal(get(config + 16, 8), m->firmware->sal_table);
	check(is_text(config + 24, "\x71\xe8\x68\x88\xf1\xe4\xd3\x11\xbc\x22"));
	check_equal(get(config + 40, 8), m->firmware->rsdp);
	check(!memcmp(ram_at(m, config + 48, 16), hcdp_guid, 16));
	hcdp = get(config + 64, 8);
	check(is_text(hcdp, "PCDP"));
	check_equal(sum(hcdp, get(hcdp + 4, 4)), 0);
	check_equal(get(hcdp + 36, 4), 1);
	check_equal(get(hcdp + 4, 4), 40 + 48);
	check_equal(get(hcdp + 40 + 20, 8), PORT_COM1);
	check_equal(get(hcdp + 40 + 32, 4), GSI_COM1);
	end();
}

/* Sorted, without overlaps, RAM complete, the initrd marked. */
static void memory_map(u64 ram)
{
	u64 map, size, last = 0, available = 0, pal = 0, ports = 0, initrd = 0;

	start(ram, 1, NULL);
	map = get(FW_BOOT + 16, 8);
	size = get(FW_BOOT + 24, 8);
	check_equal(get(FW_BOOT + 32, 8), EFI_DESCRIPTOR_SIZE);
	check_equal(size % EFI_DESCRIPTOR_SIZE, 0);
	for (u64 d = map; d < map + size; d += EFI_DESCRIPTOR_SIZE) {
		u64 begin = get(d + 8, 8), n = get(d + 24, 8) << 12, attribute = get(d + 32, 8);

		check(begin >= last && n);
		last = begin + n;
		if (attribute & 8) {
			check(ram_at(m, begin, n) != NULL);
			available += n;
		}
		switch (get(d, 4)) {
		case 13:
			pal++;
			check_equal(begin, FW_PAL_CODE);
			break;
		case 12:
			ports++;
			check_equal(begin, PORT_BASE);
			check_equal(attribute, 1 | BIT(63));
			break;
		case 2:
			initrd += begin == m->boot.initrd && n == 0x22000;
			break;
		}
	}
	check_equal(available, ram);
	check_equal(pal, 1);
	check_equal(ports, 1);
	check_equal(initrd, 1);
	end();
}

static void boot_parameters(void)
{
	start(64 << 20, 2, "console=ttyS0 quiet");
	check(is_text(get(FW_BOOT, 8), "console=ttyS0 quiet"));
	check_equal(get(get(FW_BOOT, 8) + 19, 1), 0);
	check_equal(get(FW_BOOT + 64, 8), m->boot.initrd);
	check_equal(get(FW_BOOT + 72, 8), 0x21234);
	check_equal(get(FW_BOOT + 44, 2), 80);
	/* hand-over */
	check_equal(cpu->ip, 0x4000000);
	check_equal(gr(cpu, 28), FW_BOOT);
	check_equal(cpu->psr, BIT(PSR_BN));
	check_equal(cpu->cfm.sof, 0);
	check_equal(rse_bspstore(cpu), FW_STACKS);
	check_equal(cpu->ar[AR_KR0], PORT_BASE);
	check(!cpu->stopped && m->cpu[1]->stopped);
	end();
}

/*
 * SAL's table.
 */
static void sal_table(void)
{
	static const u8 sizes[] = { 48, 32, 16, 32, 16, 16 };
	u64 table, at;
	unsigned int types = 0;

	start(64 << 20, 3, NULL);
	table = m->firmware->sal_table;
	check(is_text(table, "SST_"));
	check_equal(sum(table, get(table + 4, 4)), 0);
	at = table + 96;
	for (unsigned int n = get(table + 10, 2); n; n--) {
		u8 type = get(at, 1);

		check(type < 6);
		types |= 1 << type;
		if (type == 0) {
			check_equal(get(at + 8, 8), firmware_address(FW_PAL));
			check_equal(get(at + 16, 8), firmware_address(FW_SAL));
		} else if (type == 4) {
			check_equal(get(get(at + 8, 8), 8), 3);
		} else if (type == 5) {
			check_equal(get(at + 1, 1), 0);
			check_equal(get(at + 8, 8), AP_WAKE_VECTOR);
		}
		at += sizes[type % 6];
	}
	check_equal(at, table + get(table + 4, 4));
	check_equal(types, 1 << 0 | 1 << 2 | 1 << 4 | 1 << 5);
	end();
}

/* Entry points are what an assembler makes of them. */
static void code(void)
{
	/* { .mib break.m 0x180001; nop.i 0; br.ret.sptk.many b0;; } */
	static const u8 sal[16] = {
		0x11, 0x08, 0x00, 0x40, 0x00, 0x02, 0x00, 0x00, 0x00, 0x02, 0x00, 0x80, 0x08,
		0x00, 0x84, 0x00,
	};
	/* { .mib break.m 0x180000; nop.i 0; br.cond.sptk.many b0;; } */
	static const u8 pal[16] = {
		0x11, 0x00, 0x00, 0x40, 0x00, 0x02, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x08,
		0x00, 0x80, 0x00,
	};
	/* { .mib nop.m 0; nop.i 0; br.ret.sptk.many b0;; } */
	static const u8 back[16] = {
		0x11, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x80, 0x08,
		0x00, 0x84, 0x00,
	};

	start(64 << 20, 1, NULL);
	check(!memcmp(ram_at(m, firmware_address(FW_SAL), 16), sal, 16));
	check(!memcmp(ram_at(m, firmware_address(FW_PAL), 16), pal, 16));
	check(!memcmp(ram_at(m, firmware_address(FW_PAL) + 16, 16), back, 16));
	for (unsigned int n = FW_SAL; n < FW_ENTRIES; n++) {
		u64 lo = get(firmware_address(n), 8);

		check_equal(lo >> 11 & 0xfffff, (FIRMWARE_BREAK + n) & 0xfffff);
	}
	end();
}

/*
 * Calls.
 */
static struct result pal(u64 index, u64 a, u64 b, u64 c)
{
	const u64 arg[] = { a, b, c };

	return pal_call(cpu, index, arg);
}

static void pal_answers(void)
{
	struct result r;

	start(64 << 20, 1, NULL);
	r = pal(8, 0, 0, 0);			/* VM_SUMMARY */
	check_equal(r.status, 0);
	check_equal(r.v[0] & 1, 1);
	check_equal(FIELD(r.v[0], 1, 7), 50);
	check_equal(FIELD(r.v[0], 8, 8), 24);
	check_equal(FIELD(r.v[0], 16, 8), 15);
	check_equal(FIELD(r.v[0], 32, 8), 63);
	check_equal(FIELD(r.v[0], 40, 8), 63);
	check_equal(FIELD(r.v[1], 0, 8), 60);
	check_equal(FIELD(r.v[1], 8, 8), 24);
	r = pal(34, 0, 0, 0);			/* VM_PAGE_SIZE */
	check_equal(r.v[0], 0x155557000);
	check_equal(r.v[1], 0x155557000);
	r = pal(4, 0, 0, 0);			/* CACHE_SUMMARY */
	check_equal(r.v[0], 3);
	for (u64 level = 0, unique = 0; level <= 3; level++) {
		for (u64 type = 1; type <= 2; type++) {
			r = pal(2, level, type, 0);
			unique += r.status == 0;
			check(r.status == 0 || r.status == -2);
			/* the stride is that of the flushes */
			if (r.status == 0)
				check_equal(FIELD(r.v[0], 24, 8), 7);
		}
		if (level == 3)
			check_equal(unique, 4);
	}
	check_equal(pal(2, 2, 2, 0).v[1] & 0xffffffff, 6 << 20);
	check_equal(pal(2, 0, 3, 0).status, -2);
	r = pal(14, 0, 0, 0);			/* FREQ_RATIOS */
	check_equal(BUS_HZ * (r.v[0] >> 32) / (u32)r.v[0], m->cpu_hz);
	check_equal(BUS_HZ * (r.v[2] >> 32) / (u32)r.v[2], m->cpu_hz);
	check_equal(pal(19, 0, 0, 0).v[0], 96);	/* RSE_INFO */
	check_equal(pal(6, 0, 0, 0).v[1], 1ULL << 32 | 1);
	check_equal(pal(5, 0, 0, 0).v[0], 0xf1);
	check_equal(pal(13, 0, 0, 0).status, -1);
	check_equal(pal(42, -1ULL, 0, 0).status, -1);
	check_equal(pal(274, 0, 0, 0).status, -1);
	check_equal(pal(1000, 0, 0, 0).status, -1);
	check_equal(pal(0, 0, 0, 0).status, -1);
	check_equal(pal(17, 0, 0, 0).status, 0);
	check_equal(pal(17, 0, 5, 0).status, 1);
	check_equal(pal(17, 0, 17, 0).status, -8);
	check_equal(pal(23, 1, 0, 0).v[0], 0);
	check_equal(pal(23, 0, 0, 0).v[0], 1);
	check_equal(pal(16, 0, IPI_BASE, 0).status, 0);
	check_equal(pal(16, 0, 0x12340000, 0).status, -2);
	r = pal(39, 2, 0, 0);			/* REGISTER_INFO, control registers */
	check_equal(r.v[0], BIT(0) | BIT(1) | BIT(2) | BIT(8) | BIT(16) | BIT(17) | 0x3f80000);
	check_equal(r.v[1], 0x307ff);
	/* PERF_MON_INFO: four counters of 47 bits, all of cycles and retired instructions */
	for (u64 at = 0x100000; at < 0x100080; at += 8)
		store(cpu, at, 8, ~0ULL);
	r = pal(15, 0x100000, 0, 0);
	check_equal(r.status, 0);
	check_equal(r.v[0], 4 | 47 << 8 | 0x12 << 16 | 0x08 << 24);
	for (u64 at = 0x100000; at < 0x100080; at += 8)
		check_equal(get(at, 8), at == 0x100000 ? 0xffff : at == 0x100020 ? 0x3ffff :
			    at == 0x100040 || at == 0x100060 ? 0xf0 : 0);
	/* halts, unless an interrupt is there */
	cpu->cr[CR_TPR] = 0;
	check_equal(pal(29, 0, 0, 0).status, 0);
	check(cpu->halted);
	sapic_interrupt(cpu, 0x50);
	check(!cpu->halted);
	pal(29, 0, 0, 0);
	check(!cpu->halted);
	end();
}

/* A call as the guest makes it: arguments in the output registers. */
static void call(enum firmware_entry n, unsigned int args, const u64 *arg)
{
	cpu->cfm = (struct frame){ .sof = args };
	frame_changed(cpu);
	for (unsigned int i = 0; i < args; i++)
		set_gr(cpu, 32 + i, arg[i], false);
	firmware_call(cpu, n);
}

static void sal_answers(void)
{
	start(64 << 20, 1, NULL);
	call(FW_SAL, 8, (u64[8]){ 0x01000012, 0 });
	check_equal(gr(cpu, 8), 0);
	check_equal(gr(cpu, 9), BUS_HZ);
	call(FW_SAL, 8, (u64[8]){ 0x01000012, 7 });
	check_equal(gr(cpu, 8), -1ULL);
	call(FW_SAL, 8, (u64[8]){ 0x01000000, 2, 0x4444440, 0x5555550 });
	check_equal(gr(cpu, 8), 0);
	check_equal(m->firmware->rendezvous, 0x4444440);
	check_equal(m->firmware->rendezvous_gp, 0x5555550);
	call(FW_SAL, 8, (u64[8]){ 0x01000000, 9 });
	check_equal(gr(cpu, 8), -2ULL);
	call(FW_SAL, 8, (u64[8]){ 0x01000001, 0 });
	check_equal(gr(cpu, 8), -5ULL);
	call(FW_SAL, 8, (u64[8]){ 0x01777777 });
	check_equal(gr(cpu, 8), -1ULL);
	end();
}

/* PAL's two ways back: static by the branch behind, stacked by the next bundle. */
static void pal_conventions(void)
{
	start(64 << 20, 1, NULL);
	cpu->ip = FW_PAL_CODE;
	set_gr(cpu, 28, 19, false);
	call(FW_PAL, 0, NULL);
	check_equal(gr(cpu, 9), 96);
	check_equal(cpu->ip, FW_PAL_CODE);
	check(!cpu->branched);
	set_gr(cpu, 28, 257, false);
	call(FW_PAL, 4, (u64[4]){ 257, 0x200000 });
	check_equal(gr(cpu, 8), 0);
	check_equal(cpu->ip, FW_PAL_CODE + 16);
	check(cpu->branched);
	check_equal(get(0x200000, 8) >> 60, 3);
	check_equal(get(0x200008, 8), 0);
	end();
}

static u64 time_at(u64 pa)
{
	return get(pa, 2) * 10000000000ULL + get(pa + 2, 1) * 100000000ULL +
	       get(pa + 3, 1) * 1000000 + get(pa + 4, 1) * 10000 + get(pa + 5, 1) * 100 +
	       get(pa + 6, 1);
}

static void put_time(u64 pa, unsigned int year, unsigned int month, unsigned int day)
{
	memset(ram_at(m, pa, 16), 0, 16);
	phys_write(m, pa, 2, year);
	phys_write(m, pa + 2, 1, month);
	phys_write(m, pa + 3, 1, day);
}

static void efi_time(void)
{
	static const struct {
		unsigned int year, month, day;
		u64 tomorrow;
	} days[] = {
		{ 2024, 2, 28, 20240229000000 }, { 2024, 2, 29, 20240301000000 },
		{ 2023, 2, 28, 20230301000000 }, { 2100, 2, 28, 21000301000000 },
		{ 2000, 2, 28, 20000229000000 }, { 1999, 12, 31, 20000101000000 },
		{ 1970, 1, 1, 19700102000000 }, { 2023, 4, 30, 20230501000000 },
	};

	start(64 << 20, 1, NULL);
	call(FW_GET_TIME, 2, (u64[2]){ 0x200000, 0x200100 });
	check_equal(gr(cpu, 8), 0);
	check_equal(time_at(0x200000), 20240101000000);
	check_equal(get(0x200100, 4), 1);
	cpu->cycles += 3600 * m->cpu_hz + m->cpu_hz / 2;
	call(FW_GET_TIME, 2, (u64[2]){ 0x200000, 0 });
	check_equal(time_at(0x200000), 20240101010000);
	check_equal(get(0x200008, 4), 500000000);
	for (unsigned int i = 0; i < sizeof(days) / sizeof(days[0]); i++) {
		put_time(0x200000, days[i].year, days[i].month, days[i].day);
		call(FW_SET_TIME, 1, (u64[1]){ 0x200000 });
		check_equal(gr(cpu, 8), 0);
		cpu->cycles += 86400 * m->cpu_hz;
		call(FW_GET_TIME, 2, (u64[2]){ 0x200000, 0 });
		check_equal(time_at(0x200000), days[i].tomorrow);
	}
	put_time(0x200000, 2024, 13, 1);
	call(FW_SET_TIME, 1, (u64[1]){ 0x200000 });
	check_equal(gr(cpu, 8), BIT(63) | 2);
	call(FW_GET_VARIABLE, 5, (u64[5]){ 0 });
	check_equal(gr(cpu, 8), BIT(63) | 14);
	call(FW_SET_WAKEUP_TIME, 2, (u64[2]){ 0 });
	check_equal(gr(cpu, 8), BIT(63) | 3);
	end();
}

/* Every pointer that a system uses afterwards is where it said. */
static void efi_virtual(void)
{
	u64 map, size, rt, fpswa, before;

	start(64 << 20, 1, NULL);
	map = get(FW_BOOT + 16, 8);
	size = get(FW_BOOT + 24, 8);
	rt = get(get(FW_BOOT + 8, 8) + 88, 8);
	fpswa = get(FW_BOOT + 56, 8);
	before = get(rt + 24, 8);
	check_equal(get(get(fpswa + 8, 8), 8), firmware_address(FW_FPSWA));
	for (u64 d = map; d < map + size; d += EFI_DESCRIPTOR_SIZE)
		phys_write(m, d + 16, 8, get(d + 8, 8) | 7ULL << 61);
	call(FW_SET_VIRTUAL_ADDRESS_MAP, 4, (u64[4]){ size, EFI_DESCRIPTOR_SIZE, 1, map });
	check_equal(gr(cpu, 8), 0);
	check_equal(get(rt + 16, 4), crc_of(rt));
	for (unsigned int n = 0; n < 11; n++) {
		u64 descriptor = get(rt + 24 + n * 8, 8);

		check_equal(descriptor, before + n * 16 + (7ULL << 61));
		check_equal(get(descriptor & MASK(61), 8),
			    firmware_address(FW_GET_TIME + n) | 7ULL << 61);
		check_equal(get((descriptor & MASK(61)) + 8, 8) >> 61, 7);
	}
	check_equal(get(fpswa + 8, 8) >> 61, 7);
	check_equal(get(get(fpswa + 8, 8) & MASK(61), 8), firmware_address(FW_FPSWA) | 7ULL << 61);
	/* only once */
	call(FW_SET_VIRTUAL_ADDRESS_MAP, 4, (u64[4]){ size, EFI_DESCRIPTOR_SIZE, 1, map });
	check_equal(gr(cpu, 8), BIT(63) | 3);
	end();
}

static void efi_reset(void)
{
	static const struct {
		u64 type, status;
		int exit_status;
	} cases[] = {
		{ 0, 5, 0 }, { 1, 5, 0 }, { 2, 0, 0 }, { 2, 5, 5 }, { 2, 0x8000000000000007, 7 },
	};

	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		start(64 << 20, 1, NULL);
		call(FW_RESET_SYSTEM, 4, (u64[4]){ cases[i].type, cases[i].status });
		check(m->powered_off);
		check_equal(m->exit_status, cases[i].exit_status);
		end();
	}
}

int main(void)
{
	close(STDIN_FILENO);
	acpi();
	numa();
	efi_tables();
	memory_map(64ULL << 20);
	memory_map(2ULL << 30);
	memory_map(3ULL << 30);
	memory_map(64ULL << 30);
	boot_parameters();
	sal_table();
	code();
	pal_answers();
	pal_conventions();
	sal_answers();
	efi_time();
	efi_virtual();
	efi_reset();
	return check_result();
}
