/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The machine around the processors: RAM, devices, firmware, time.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdio.h>

#include "state/cpu.h"

struct code_cache;
struct findings;
struct firmware;
struct gdbstub;
struct iosapic;
struct power;
struct regions;
struct timing_params;
struct uart;

/* Physical addresses.  RAM begins at 0 and goes on at RAM_HIGH. */
#define RAM_LOW_END	0x80000000ULL
#define RAM_HIGH	0x100000000ULL
#define UART_BASE	0xfed00000ULL
#define IOSAPIC_BASE	0xfec00000ULL
#define POWER_BASE	0xfed01000ULL		/* power off with a status, reset */
#define IPI_BASE	0xfee00000ULL		/* processor interrupt block, 2 MiB */
#define PORT_BASE	0x3fffffc000000ULL	/* legacy I/O ports, 64 MiB sparse */

enum { MAX_CPUS = 16, MAX_NODES = 16, MAX_DEVICES = 16 };

/* Exit statuses of the simulator's own. */
enum { STATUS_USAGE = 2, STATUS_DIED = 3, STATUS_LIMIT = 4 };

/* The 16 bytes that an address is in, by bits that translation leaves alone. */
#define ALAT_LINE(address)	((address) >> 4 & 255)

/** struct device - what answers at a range of physical addresses */
struct device {
	const char *name;
	u64 base, size;
	u64 (*read)(struct machine *m, void *state, u64 offset, unsigned int size);
	void (*write)(struct machine *m, void *state, u64 offset, unsigned int size,
		      u64 value);
	void *state;
};

/* Where a node's RAM begins and ends: Linux wants granules there, of 64 MiB at most. */
#define NODE_ALIGN	(64ULL << 20)

/** struct numa - what the firmware says of nodes (-numa); the machine has no more of them */
struct numa {
	unsigned int nodes;		/* 0: says nothing */
	struct {
		u64 ram;		/* bytes, behind those of the nodes before it */
		u32 cpus;		/* a bit for each */
	} node[MAX_NODES];
	u8 distance[MAX_NODES][MAX_NODES];	/* 0: not given; see numa_distance() */
};

/** struct strict_options - what -strict looks for, and lets happen */
struct strict_options {
	bool serialize;			/* uses before a serialization */
	bool depend;			/* dependencies within an instruction group */
	bool stores;			/* stores and purges wait before others see them */
	bool turns;			/* turns of random lengths */
	bool code;			/* code that was stored and not flushed */
	bool walks;			/* walks that nobody has asked for */
	u64 seed;
	u64 report;			/* lines at most */
};

/* Is any of it about single instructions? */
static inline bool strict_insns(const struct strict_options *strict)
{
	return strict->serialize || strict->depend || strict->stores || strict->code ||
	       strict->walks;
}

/* What processors do wrong (-break), in bits. */
enum broken {
	BROKEN_WALKER_RESERVED = 1,	/* the walker inserts what has bit 1 set */
	BROKEN_PURGE_SIZE = 2,		/* ptc leaves translations larger than what it purges */
	BROKEN_ITIR = 4,		/* itc inserts no larger page than the region's */
	BROKEN_TAG_TI = 8,		/* the walker takes no notice of ti in a tag */
	BROKEN_THASH = 16,		/* long format: another hash on each processor */
	BROKEN_TTAG = 32,		/* likewise, another tag */
	BROKEN_WALKER_HASH = 64,	/* the walker looks next to where thash says */
	BROKEN_PURGE_GLOBAL = 128,	/* as PURGE_SIZE, if another processor purges */
};

/** struct options - the command line (options.c) */
struct options {
	u64 ram;
	unsigned int cpus;
	struct numa numa;
	const char *kernel, *initrd, *append;
	const char *stats, *trace, *trace_file;
	unsigned int itc_entries, dtc_entries;	/* -tlb */
	unsigned int trs;
	bool tlb_fifo;			/* uses do not keep an entry in the cache */
	unsigned int rid_bits;		/* 0: as many as there can be; see rid_bits() */
	int gdb_port;			/* 0: no stub */
	bool gdb_wait;
	bool rtc_host;
	bool soft_tlb;			/* -accel soft-tlb=off to test it */
	u64 icount_limit;		/* stop after so many instructions; 0: never */
	const char *timing;		/* parameters of the cycle model; NULL: without one */
	struct strict_options strict;
	unsigned int broken;		/* enum broken */
	u32 broken_cpus;		/* a bit for each */
	const char *bare;		/* a bare test image instead of a kernel */
	bool interactive;		/* the console owns the terminal */
};

/**
 * struct calls - what the processors and devices ask of those above them, whom they
 * do not know; machine_create() fills it in
 * @firmware: a break with the immediate FIRMWARE_BREAK + @n; false when it is not at
 *	that entry point of the firmware
 * @wake: an external interrupt for a processor that firmware keeps
 * @init: an INIT interrupt
 * @print: the processor's state, for people
 */
struct calls {
	bool (*firmware)(struct cpu *cpu, u64 n);
	void (*wake)(struct cpu *cpu, unsigned int vector);
	void (*init)(struct cpu *cpu);
	void (*print)(struct cpu *cpu, FILE *f);
};

/** struct boot - what the loader found, for the firmware to hand over */
struct boot {
	u64 entry;			/* physical */
	u64 initrd, initrd_size;
};

struct machine {
	struct options opt;
	const struct calls *call;
	struct boot boot;
	struct cpu *cpu[MAX_CPUS];
	unsigned int n_cpus;
	u8 *ram;			/* opt.ram bytes, appear on touch */
	struct device device[MAX_DEVICES];
	unsigned int n_devices;
	u64 cpu_hz;			/* cycles in a second of simulated time */
	u64 quantum;			/* cycles of a processor's turn */
	u64 random;			/* what decides them with -strict turns */
	u64 now;			/* simulated cycles since power-on */
	u64 executed;			/* tries of instructions, of all processors */
	struct cpu *running;		/* whose turn it is */
	bool powered_off;
	int exit_status;
	struct code_cache *code_cache;	/* code.c */
	u16 alat_lines[256];		/* valid ALAT entries by ALAT_LINE() */
	unsigned int trace_events;	/* trace.h */
	FILE *trace;			/* trace.c */
	struct firmware *firmware;	/* firmware.c */
	struct iosapic *iosapic;	/* iosapic.c */
	struct uart *uart;		/* uart.c */
	struct power *power;		/* power.c */
	struct regions *regions;	/* stats.c */
	struct timing_params *timing_params;	/* NULL: there is no cycle model */
	bool timing_late;		/* nor is there until the guest begins a region */
	bool timing_begins;		/* before anything else is executed */
	u64 timed_from;			/* the cycle in which it has begun */
	struct findings *findings;	/* findings.c; NULL: nothing is looked for */
	struct gdbstub *gdb;		/* gdbstub.c */
};

/* Time: one cycle per instruction slot, at the clock of a 1.5 GHz Madison on a
 * 200 MHz bus.  Processors take turns of struct machine.quantum cycles in the order
 * of their numbers.
 */
#define MADISON_HZ	1500000000ULL
#define BUS_HZ		200000000ULL
enum { QUANTUM = 200 };

/**
 * ram_at() - host address of RAM
 * @pa: physical address, without the uncacheable bit 63
 * @len: so many bytes must follow
 *
 * Return: NULL where some of it is not RAM
 */
static inline u8 *ram_at(const struct machine *m, u64 pa, u64 len)
{
	u64 low = m->opt.ram < RAM_LOW_END ? m->opt.ram : RAM_LOW_END;

	if (pa < low)
		return len <= low - pa ? m->ram + pa : NULL;
	pa -= RAM_HIGH;
	if (pa < m->opt.ram - low && len <= m->opt.ram - low - pa)
		return m->ram + low + pa;
	return NULL;
}

/* The other way: physical address of a byte of RAM. */
static inline u64 ram_address(const struct machine *m, const u8 *p)
{
	u64 offset = p - m->ram;

	return offset < RAM_LOW_END ? offset : offset - RAM_LOW_END + RAM_HIGH;
}

/* Distances of nodes as in QEMU: of a node to itself, and to another unless -numa says more. */
enum { LOCAL_DISTANCE = 10, REMOTE_DISTANCE = 20, MAX_DISTANCE = 254 };

/** numa_distance() - from one node to another; what is given one way holds both ways */
static inline u8 numa_distance(const struct numa *numa, unsigned int from, unsigned int to)
{
	if (from == to)
		return LOCAL_DISTANCE;
	if (numa->distance[from][to])
		return numa->distance[from][to];
	return numa->distance[to][from] ? numa->distance[to][from] : REMOTE_DISTANCE;
}

/* Do stores and purges wait?  Alone, nobody sees the difference. */
static inline bool stores_wait(const struct machine *m)
{
	return m->opt.strict.stores && m->n_cpus > 1;
}

/** is_broken() - does this processor do that wrong? */
static inline bool is_broken(const struct cpu *cpu, enum broken what)
{
	const struct options *opt = &cpu->machine->opt;

	return __builtin_expect(opt->broken & what, 0) && opt->broken_cpus >> cpu->id & 1;
}

/** rid_bits() - how many bits of a region ID there are */
static inline unsigned int rid_bits(const struct machine *m)
{
	return m->opt.rid_bits ? m->opt.rid_bits : IMPL_RID_BITS;
}


/* A break.m with FIRMWARE_BREAK + n is entry point n of the firmware. */
#define FIRMWARE_BREAK	0x180000

/* Simulated cycles since power-on, exact while a processor runs. */
static inline u64 machine_cycles(const struct machine *m)
{
	return m->running ? m->running->cycles : m->now;
}

void machine_add_device(struct machine *m, const struct device *d);

/* The run ends with this status. */
void machine_stop(struct machine *m, int status);

/* A machine check or anything else after which the guest cannot go on: state
 * is printed, exit status 3.
 */
void machine_check(struct cpu *cpu, const char *why, ...)
	__attribute__((noreturn, format(printf, 2, 3)));

/* One line on stderr, exit status 2. */
void out_of_memory(void) __attribute__((noreturn));

#endif
