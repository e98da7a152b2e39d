/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory references of the executing program: translation, alignment, byte
 * order, devices.  The functions raise what the reference raises and return
 * only when it was done.
 */
#ifndef MEMORY_H
#define MEMORY_H

#include <endian.h>
#include <string.h>

#include "cpu.h"
#include "machine.h"

/* The soft TLB's and the bundle cache's pages, whatever the model's are. */
enum { SOFT_SHIFT = 12, SOFT_PAGE = 1 << SOFT_SHIFT };

/*
 * struct bundle.run tells the run loop what to expect of the three slots, so that
 * it need not look: what is a nop or has no predicate, and whether the last slot
 * may branch.  Nothing outside of the B and X units branches otherwise than by
 * leave_bundle().  In front of these: bundles not decoded (any more), the place
 * behind the last of a page, and those to take slot by slot.
 */
enum slot_kind {
	KIND_NOP, KIND_ALWAYS, KIND_IF,
	KIND_BRANCH, KIND_BRANCH_IF,		/* the last slot only */
	KIND_NONE,				/* the last slot of an MLX */
};
enum { RUN_DECODE, RUN_PAGE_END, RUN_SLOTS, RUN_BY_KIND };
#define RUN_KINDS(k0, k1, k2)	(RUN_BY_KIND + (k0) + 3 * (k1) + 15 * (k2))

/** struct code_page - the decoded bundles of a page of RAM */
struct code_page {
	u64 pa;
	const u8 *ram;
	struct code_page *next;		/* while free */
	unsigned int stores;		/* that hit the page since it is code */
	struct bundle bundle[SOFT_PAGE / 16 + 1];	/* the last is RUN_PAGE_END */
};

u64 load_slow(struct cpu *cpu, u64 va, unsigned int size);
void store_slow(struct cpu *cpu, u64 va, unsigned int size, u64 value);

static inline struct fetch_entry *fetch_entry(struct cpu *cpu, u64 va)
{
	return &cpu->code_context->code[va >> SOFT_SHIFT & (FETCH_CACHE - 1)];
}

static inline struct soft_entry *soft_entry(struct cpu *cpu, u64 va)
{
	return &cpu->data_context->data[va >> SOFT_SHIFT & (SOFT_TLB - 1)];
}

/* What a tag of the soft TLB equals when va is in its page and aligned. */
static inline u64 soft_tag(u64 va, unsigned int size)
{
	return va & (-(u64)SOFT_PAGE | (size - 1));
}

static inline u64 read_le(const void *p, unsigned int size)
{
	u64 value = 0;

	memcpy(&value, p, size);
	return le64toh(value);
}

static inline void write_le(void *p, unsigned int size, u64 value)
{
	value = htole64(value);
	memcpy(p, &value, size);
}

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
void fetch_decode(struct code_page *page, struct bundle *b);
/* Physical address of the bundle that is being executed. */
u64 fetch_address(struct cpu *cpu);

/* References by the register stack engine: at RSC.pl, in RSC.be's byte order. */
u64 rse_load(struct cpu *cpu, u64 va);
void rse_store(struct cpu *cpu, u64 va, u64 value);

/**
 * soft_tlb_flush() - forget every short cut of this processor
 *
 * Called when anything changes that the model TLB's answer depends on: an
 * insert, a purge, a replacement, "used" bits cleared, RR, PKR, DBR, PSR
 * (pk, db, id, ia, da, dd, be).
 */
void soft_tlb_flush(struct cpu *cpu);

/* PSR.cpl, dt or it changed: to other short cuts. */
static inline void soft_tlb_select(struct cpu *cpu)
{
	unsigned int level = cpl(cpu);

	cpu->data_context = &cpu->context[psr(cpu, PSR_DT) ? level : SOFT_PHYSICAL];
	cpu->code_context = &cpu->context[psr(cpu, PSR_IT) ? level : SOFT_PHYSICAL];
}

/* May loads from such memory be speculative? (SDM 2:82) */
static inline bool is_speculative(const struct translation *t)
{
	return t->ma == MA_WB || t->ma == MA_WC;
}

/* Physical address of a byte of RAM. */
u64 ram_address(const struct machine *m, const u8 *p);

/* Physical memory, for the walker, firmware and devices; little-endian. */
u64 phys_read(struct machine *m, u64 pa, unsigned int size);
void phys_write(struct machine *m, u64 pa, unsigned int size, u64 value);
/* Host address of RAM at pa with len bytes behind it, or NULL. */
void *phys_ram(struct machine *m, u64 pa, u64 len);
/* RAM was written by other means than store(): drop decoded bundles there,
 * and ALAT entries of every processor.
 */
void phys_written(struct machine *m, u64 pa, u64 len);
void memory_create(struct machine *m);
void memory_destroy(struct machine *m);

/* ALAT (alat.c).  r is the program's number. */
void alat_allocate(struct cpu *cpu, bool fp, unsigned int r, u64 pa, unsigned int size);
bool alat_check(struct cpu *cpu, bool fp, unsigned int r, bool clear);
void alat_invalidate_reg(struct cpu *cpu, bool fp, unsigned int r);
void alat_invalidate_all(struct cpu *cpu);
/* A store by any processor. */
void alat_store(struct machine *m, u64 pa, u64 size);
/* Registers from here on (rse_bof counting) have left the frame. */
void alat_frame_top(struct cpu *cpu, s64 top);

#endif
