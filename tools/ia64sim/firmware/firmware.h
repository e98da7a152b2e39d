/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Firmware: the parts that firmware.c puts together.  Its tables stand in the
 * first half megabyte of RAM, its procedures are functions of the simulator.
 */
#ifndef FIRMWARE_H
#define FIRMWARE_H

#include "state/machine.h"

/* Its memory, all physical.  Every area begins on a 64 KiB page. */
enum {
	FW_PAL_CODE = 0x10000,
	FW_CODE = 0x20000,		/* SAL and EFI entry points */
	FW_DATA = 0x30000,		/* EFI and SAL tables */
	FW_ACPI = 0x40000,
	FW_ACPI_NVS = 0x50000,
	FW_BOOT = 0x60000,		/* boot parameters, command line, memory map */
	FW_STACKS = 0x70000,		/* register backing store, one page a processor */
	FW_END = 0x80000,
	FW_AREA = 0x10000,
	FW_STACK = 0x1000,
};

/* Entry points: n of break.m FIRMWARE_BREAK + n. */
enum firmware_entry {
	FW_PAL,
	FW_SAL,
	FW_GET_TIME,			/* EFI run-time services in the table's order */
	FW_SET_TIME,
	FW_GET_WAKEUP_TIME,
	FW_SET_WAKEUP_TIME,
	FW_SET_VIRTUAL_ADDRESS_MAP,
	FW_CONVERT_POINTER,
	FW_GET_VARIABLE,
	FW_GET_NEXT_VARIABLE_NAME,
	FW_SET_VARIABLE,
	FW_GET_NEXT_HIGH_MONOTONIC_COUNT,
	FW_RESET_SYSTEM,
	FW_FPSWA,
	FW_RENDEZVOUS_RETURN,		/* an application processor comes back */
	FW_ENTRIES
};

enum { BUNDLE = 16, ENTRY_SIZE = 2 * BUNDLE };	/* of an entry point */

enum { AP_WAKE_VECTOR = 0xff };

struct firmware {
	u64 rendezvous, rendezvous_gp;	/* SAL_SET_VECTORS: where processors start */
	u64 system_table, sal_table, rsdp, hcdp, fpswa;	/* addresses */
	u64 runtime_table, descriptors;
	s64 time_offset;		/* SetTime, seconds */
	u32 monotonic;
	bool is_virtual;		/* after SetVirtualAddressMap */
	bool mca_expected[MAX_CPUS];	/* PAL_MC_EXPECTED */
};

/** struct area - a table being written into guest memory, little-endian */
struct area {
	u8 *host;
	u64 pa;
	size_t size, used;
};

void put(struct area *a, u64 value, unsigned int size);
void put_bytes(struct area *a, const void *bytes, size_t n);
/* A string in a field of n bytes, filled up with @pad. */
void put_text(struct area *a, const char *text, size_t n, char pad);
void put_align(struct area *a, size_t alignment);
/* Physical address of what comes next. */
static inline u64 area_here(const struct area *a)
{
	return a->pa + a->used;
}

/* The byte that makes the sum of n bytes zero. */
u8 checksum(const u8 *p, size_t n);

/* acpi.c, efi.c, sal.c: the tables; they record their addresses in m->firmware. */
void acpi_build(struct machine *m, struct area *tables, struct area *nvs);
void efi_build(struct machine *m, struct area *data);
void sal_build(struct machine *m, struct area *data);
/* The EFI memory map; returns its size. */
size_t efi_memory_map(struct machine *m, struct area *a);
enum { EFI_DESCRIPTOR_SIZE = 48 };

/** struct result - what a procedure returns: r8 to r11 */
struct result {
	s64 status;
	u64 v[3];
};

/* Argument n of a call by the C convention; 0 where the caller passed fewer. */
u64 stacked_argument(const struct cpu *cpu, unsigned int n);

struct result pal_call(struct cpu *cpu, u64 index, const u64 arg[3]);
struct result sal_call(struct cpu *cpu);
struct result efi_call(struct cpu *cpu, enum firmware_entry service);

/* Physical address of an entry point. */
u64 firmware_address(enum firmware_entry n);
/* Tables and entry points in guest memory. */
void firmware_build(struct machine *m);
void firmware_destroy(struct machine *m);

/* A call of PAL, SAL or EFI arrives at a bundle with break.m FIRMWARE_BREAK + n
 * at privilege level 0, in physical or virtual mode.  firmware_call() may raise
 * what its references to the caller's memory raise; the guest then comes back
 * and calls again.
 */
void firmware_call(struct cpu *cpu, unsigned int n);
/* The same, if the break is at that entry point; otherwise false. */
bool firmware_break(struct cpu *cpu, u64 n);
/* An external interrupt for a processor that firmware keeps. */
void firmware_wake(struct cpu *cpu, unsigned int vector);
/* An INIT interrupt. */
void firmware_init(struct cpu *cpu);
/* The boot processor's state at the kernel's entry. */
void firmware_boot(struct machine *m);

#endif
