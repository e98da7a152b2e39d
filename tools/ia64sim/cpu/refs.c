// SPDX-License-Identifier: GPL-2.0
/*
 * Memory references of the executing program, and how they enter the soft TLB.
 * Translation itself and its faults are vhpt.c's.
 *
 * The soft TLB holds pages of write-back RAM that translate() has granted, for
 * little-endian, aligned references without breakpoints; everything else takes
 * the slow way each time.  A page that holds decoded instructions is never
 * entered for stores, so that a store to it is seen here.
 */
#include "cpu/interrupt.h"
#include "cpu/refs.h"

/* May references be short-cut at all now? */
static bool soft_allowed(const struct cpu *cpu)
{
	return cpu->machine->opt.soft_tlb &&
	       !(cpu->psr & (BIT(PSR_BE) | BIT(PSR_DB) | BIT(PSR_DA) | BIT(PSR_DD)));
}

static void enter_soft(struct cpu *cpu, u64 va, const struct translation *t, const u8 *ram,
		       bool write)
{
	struct soft_entry *e = soft_entry(cpu, va);
	u64 page = soft_tag(va, 1);
	struct machine *m = cpu->machine;

	if (t->ma != MA_WB || !soft_allowed(cpu))
		return;
	ram -= va & (SOFT_PAGE - 1);
	/* The last page of an odd-sized RAM has no whole page behind it. */
	if ((u64)(ram - m->ram) + SOFT_PAGE > m->opt.ram)
		return;
	if (write && code_page_at(m, ram))
		return;
	if (e->read != page)
		e->read = ~0ULL;
	if (e->write != page)
		e->write = ~0ULL;
	if (write)
		e->write = page;
	else
		e->read = page;
	e->addend = (uintptr_t)ram - page;
	cpu->data_context->empty = false;
}

/*
 * References.
 */
u64 bytes_to_value(const struct cpu *cpu, const void *bytes, unsigned int size)
{
	u64 value = read_le(bytes, size);

	return psr(cpu, PSR_BE) ? __builtin_bswap64(value) >> (64 - 8 * size) : value;
}

void value_to_bytes(const struct cpu *cpu, void *bytes, unsigned int size, u64 value)
{
	write_le(bytes, size,
		 psr(cpu, PSR_BE) ? __builtin_bswap64(value << (64 - 8 * size)) : value);
}

static void read_physical(struct machine *m, const struct translation *t, const u8 *ram, u8 *to,
			  unsigned int size)
{
	if (ram) {
		memcpy(to, ram, size);
		return;
	}
	for (unsigned int n = 0; n < size; n += 8) {
		unsigned int part = size - n < 8 ? size - n : 8;

		write_le(to + n, part, device_read(m, t->pa + n, part));
	}
}

static void write_physical(struct cpu *cpu, const struct translation *t, u8 *ram, const u8 *from,
			   unsigned int size)
{
	struct machine *m = cpu->machine;

	if (ram) {
		memcpy(ram, from, size);
		ram_written(m, ram, size);
		return;
	}
	for (unsigned int n = 0; n < size; n += 8) {
		unsigned int part = size - n < 8 ? size - n : 8;

		device_write(m, t->pa + n, part, read_le(from + n, part));
	}
	/* Interrupts, power off */
	attend(cpu);
}

static u8 *reach(struct cpu *cpu, u64 va, unsigned int size, unsigned int access,
		 struct translation *t)
{
	struct fault f;

	if (!translate(cpu, va, access | ACCESS_SIZE(size), cpl(cpu), t, &f)) {
		if (!f.deferred)
			raise_fault(cpu, &f);
		return NULL;
	}
	return phys_ram(cpu->machine, t->pa, size);
}

bool read_bytes(struct cpu *cpu, u64 va, void *to, unsigned int size, unsigned int access,
		struct translation *t)
{
	struct fault f;
	const u8 *ram;

	if (!translate(cpu, va, (access & ~ACCESS_ADVANCED) | ACCESS_READ | ACCESS_SIZE(size),
		       cpl(cpu), t, &f)) {
		if (!f.deferred)
			raise_fault(cpu, &f);
		cpu->stats.deferred++;
		return false;
	}
	if (access & ACCESS_ADVANCED && !is_speculative(t))
		return false;
	ram = phys_ram(cpu->machine, t->pa, size);
	read_physical(cpu->machine, t, ram, to, size);
	if (ram)
		enter_soft(cpu, va, t, ram, false);
	return true;
}

void write_bytes(struct cpu *cpu, u64 va, const void *from, unsigned int size,
		 unsigned int access)
{
	struct translation t;
	u8 *ram = reach(cpu, va, size, access | ACCESS_WRITE, &t);

	write_physical(cpu, &t, ram, from, size);
	if (ram)
		enter_soft(cpu, va, &t, ram, true);
}

u64 load_slow(struct cpu *cpu, u64 va, unsigned int size)
{
	struct translation t;
	u8 bytes[8];

	read_bytes(cpu, va, bytes, size, 0, &t);
	return bytes_to_value(cpu, bytes, size);
}

void store_slow(struct cpu *cpu, u64 va, unsigned int size, u64 value)
{
	u8 bytes[8];

	value_to_bytes(cpu, bytes, size, value);
	write_bytes(cpu, va, bytes, size, 0);
}

void *rmw_address(struct cpu *cpu, u64 va, unsigned int size, unsigned int access)
{
	const struct soft_entry *e = soft_entry(cpu, va);
	u64 tag = soft_tag(va, size);
	struct translation t;
	u8 *ram;

	if (e->read == tag && e->write == tag)
		return (u8 *)(uintptr_t)(va + e->addend);
	ram = reach(cpu, va, size,
		    access | ACCESS_READ | ACCESS_WRITE | ACCESS_STRICT | ACCESS_WB_ONLY, &t);
	if (!ram)
		machine_check(cpu, "semaphore at %#llx, where no RAM is", (unsigned long long)t.pa);
	enter_soft(cpu, va, &t, ram, false);
	enter_soft(cpu, va, &t, ram, true);
	return ram;
}

void rmw_write(struct cpu *cpu, void *to, const void *bytes, unsigned int size)
{
	memcpy(to, bytes, size);
	ram_written(cpu->machine, to, size);
}

/*
 * The register stack engine has a level, a byte order and a translation bit of
 * its own.  While they are the program's it shares the soft TLB with it.
 */
static bool rse_like_program(const struct cpu *cpu)
{
	return FIELD(cpu->ar[AR_RSC], 2, 2) == cpl(cpu) && psr(cpu, PSR_RT) == psr(cpu, PSR_DT) &&
	       !(cpu->ar[AR_RSC] >> 4 & 1);
}

static u8 *rse_reach(struct cpu *cpu, u64 va, unsigned int access, struct translation *t)
{
	struct fault f;
	u8 *ram;

	if (!translate(cpu, va, access | ACCESS_RSE | ACCESS_SIZE(8),
		       FIELD(cpu->ar[AR_RSC], 2, 2), t, &f))
		raise_fault(cpu, &f);
	ram = phys_ram(cpu->machine, t->pa, 8);
	if (ram && rse_like_program(cpu))
		enter_soft(cpu, va, t, ram, access == ACCESS_WRITE);
	return ram;
}

u64 rse_load(struct cpu *cpu, u64 va)
{
	const struct soft_entry *e = soft_entry(cpu, va);
	struct translation t;
	u8 bytes[8];
	u64 value;

	if (e->read == soft_tag(va, 8) && rse_like_program(cpu)) {
		value = read_le((const u8 *)(uintptr_t)(va + e->addend), 8);
	} else {
		read_physical(cpu->machine, &t, rse_reach(cpu, va, ACCESS_READ, &t), bytes, 8);
		value = read_le(bytes, 8);
		if (cpu->ar[AR_RSC] >> 4 & 1)
			value = __builtin_bswap64(value);
	}
	cpu->stats.rse_loads++;
	return value;
}

void rse_store(struct cpu *cpu, u64 va, u64 value)
{
	const struct soft_entry *e = soft_entry(cpu, va);
	struct translation t;
	u8 bytes[8];
	u8 *ram;

	if (e->write == soft_tag(va, 8) && rse_like_program(cpu) &&
	    !cpu->machine->alat_lines[ALAT_LINE(va)]) {
		write_le((u8 *)(uintptr_t)(va + e->addend), 8, value);
	} else {
		ram = rse_reach(cpu, va, ACCESS_WRITE, &t);
		write_le(bytes, 8, cpu->ar[AR_RSC] >> 4 & 1 ? __builtin_bswap64(value) : value);
		write_physical(cpu, &t, ram, bytes, 8);
	}
	cpu->stats.rse_stores++;
}
