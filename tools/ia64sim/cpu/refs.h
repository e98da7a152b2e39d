/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory references of the executing program: translation, alignment, byte
 * order, devices.  The functions raise what the reference raises and return
 * only when it was done.
 */
#ifndef REFS_H
#define REFS_H

#include "mmu/alat.h"
#include "mmu/code.h"
#include "mmu/phys.h"
#include "mmu/soft.h"
#include "mmu/tlb.h"

u64 load_slow(struct cpu *cpu, u64 va, unsigned int size);
void store_slow(struct cpu *cpu, u64 va, unsigned int size, u64 value);

/* size is 1, 2, 4 or 8 bytes, constant; values are zero-extended. */
static inline u64 load(struct cpu *cpu, u64 va, unsigned int size)
{
	const struct soft_entry *e = soft_entry(cpu, va);

	if (__builtin_expect(e->read == soft_tag(va, size), 1))
		return read_le((const u8 *)(uintptr_t)(va + e->addend), size);
	return load_slow(cpu, va, size);
}

static inline void store(struct cpu *cpu, u64 va, unsigned int size, u64 value)
{
	const struct soft_entry *e = soft_entry(cpu, va);

	if (__builtin_expect(e->write == soft_tag(va, size) &&
			     !cpu->machine->alat_lines[ALAT_LINE(va)], 1))
		write_le((u8 *)(uintptr_t)(va + e->addend), size, value);
	else
		store_slow(cpu, va, size, value);
}

/* Host address of what a reference may use directly, or NULL: for sizes up to
 * @align, a power of two and 16 at most.
 */
static inline const u8 *soft_read(struct cpu *cpu, u64 va, unsigned int align)
{
	const struct soft_entry *e = soft_entry(cpu, va);

	return e->read == soft_tag(va, align) ? (const u8 *)(uintptr_t)(va + e->addend) : NULL;
}

static inline u8 *soft_write(struct cpu *cpu, u64 va, unsigned int align)
{
	const struct soft_entry *e = soft_entry(cpu, va);

	return e->write == soft_tag(va, align) && !cpu->machine->alat_lines[ALAT_LINE(va)] ?
	       (u8 *)(uintptr_t)(va + e->addend) : NULL;
}

/* For read_bytes(): an advanced load, which leaves memory that may have side
 * effects alone.
 */
#define ACCESS_ADVANCED	(1U << 31)

/**
 * read_bytes() - any load, in the order of the bytes in memory
 * @to: receives @size bytes, at most 16
 * @access: enum access besides ACCESS_READ and the size: ACCESS_SPEC, _FP, ...
 * @t: the translation that was used, for the ALAT
 *
 * Return: false where nothing was read: a speculative load's fault is deferred,
 * or an advanced load found memory that is not speculative
 */
bool read_bytes(struct cpu *cpu, u64 va, void *to, unsigned int size, unsigned int access,
		struct translation *t);
void write_bytes(struct cpu *cpu, u64 va, const void *from, unsigned int size,
		 unsigned int access);

/* Bytes from memory as a number and back, in the program's order (PSR.be). */
u64 bytes_to_value(const struct cpu *cpu, const void *bytes, unsigned int size);
void value_to_bytes(const struct cpu *cpu, void *bytes, unsigned int size, u64 value);

/**
 * rmw_address() - begin a semaphore: check read and write, find the RAM
 * @access: ACCESS_EXPORT for fetchadd, or 0
 *
 * The bytes may be written only through rmw_write(), which tells the ALATs and
 * the bundle cache.
 *
 * Return: host address of @size naturally aligned bytes; raises unsupported
 * data reference for memory that takes no semaphores
 */
void *rmw_address(struct cpu *cpu, u64 va, unsigned int size, unsigned int access);
void rmw_write(struct cpu *cpu, void *to, const void *bytes, unsigned int size);

/** fetch() - the page of the decoded bundle at cpu->ip, raising what the fetch raises */
struct code_page *fetch(struct cpu *cpu);
/* Decode a bundle of it, and say how the run loop goes through that. */
void fetch_decode(struct code_page *page, struct bundle *b);
/* Physical address of the bundle that is being executed. */
u64 fetch_address(struct cpu *cpu);

/* References by the register stack engine: at RSC.pl, in RSC.be's byte order. */
u64 rse_load(struct cpu *cpu, u64 va);
void rse_store(struct cpu *cpu, u64 va, u64 value);

#endif
