// SPDX-License-Identifier: GPL-2.0
/*
 * Memory references: the soft TLB, RAM, devices, and the cache of decoded
 * bundles.  Translation itself and its faults are vhpt.c's.
 *
 * The soft TLB holds pages of write-back RAM that translate() has granted, for
 * little-endian, aligned references without breakpoints; everything else takes
 * the slow way each time.  A page that holds decoded instructions is never
 * entered for stores, so that a store to it is seen here.
 */
#include <stdlib.h>

#include "exec.h"
#include "memory.h"
#include "rse.h"

enum { MAX_CODE_PAGES = 16384, STORES_TO_CODE = 64 };

/**
 * struct code_cache - decoded bundles of the machine
 * @page: for each page of RAM, or NULL
 * @free: pages not in use now
 */
struct code_cache {
	struct code_page **page;
	struct code_page *free;
	unsigned int n_used;
};

static size_t ram_pages(const struct machine *m)
{
	return (m->opt.ram + SOFT_PAGE - 1) >> SOFT_SHIFT;
}

void memory_create(struct machine *m)
{
	m->code_cache = calloc(1, sizeof(*m->code_cache));
	if (m->code_cache)
		m->code_cache->page = calloc(ram_pages(m), sizeof(*m->code_cache->page));
	if (!m->code_cache || !m->code_cache->page) {
		fprintf(stderr, "ia64sim: out of memory\n");
		exit(2);
	}
}

void memory_destroy(struct machine *m)
{
	struct code_cache *cache = m->code_cache;

	for (size_t i = 0; i < ram_pages(m); i++)
		free(cache->page[i]);
	while (cache->free) {
		struct code_page *page = cache->free;

		cache->free = page->next;
		free(page);
	}
	free(cache->page);
	free(cache);
	m->code_cache = NULL;
}

u64 ram_address(const struct machine *m, const u8 *p)
{
	u64 offset = p - m->ram;

	return offset < RAM_LOW_END ? offset : offset - RAM_LOW_END + RAM_HIGH;
}

void *phys_ram(struct machine *m, u64 pa, u64 len)
{
	return ram_at(m, pa & MASK(63), len);
}

/*
 * Devices, and physical addresses where nothing is.
 */
static const struct device *find_device(const struct machine *m, u64 pa)
{
	for (unsigned int i = 0; i < m->n_devices; i++) {
		const struct device *d = &m->device[i];

		if (pa - d->base < d->size)
			return d;
	}
	return NULL;
}

static u64 device_read(struct machine *m, u64 pa, unsigned int size)
{
	const struct device *d = find_device(m, pa);

	return d ? d->read(m, d->state, pa - d->base, size) : MASK(size * 8);
}

static void device_write(struct machine *m, u64 pa, unsigned int size, u64 value)
{
	const struct device *d = find_device(m, pa);

	if (d)
		d->write(m, d->state, pa - d->base, size, value);
}

u64 phys_read(struct machine *m, u64 pa, unsigned int size)
{
	const u8 *ram = phys_ram(m, pa, size);

	return ram ? read_le(ram, size) : device_read(m, pa & MASK(63), size);
}

void phys_write(struct machine *m, u64 pa, unsigned int size, u64 value)
{
	u8 *ram = phys_ram(m, pa, size);

	if (ram) {
		write_le(ram, size, value);
		phys_written(m, pa, size);
	} else {
		device_write(m, pa & MASK(63), size, value);
	}
}

/*
 * Decoded bundles.
 */
static void forget_code(struct cpu *cpu)
{
	for (int c = 0; c < SOFT_CONTEXTS; c++)
		memset(cpu->context[c].code, -1, sizeof(cpu->context[c].code));
	attend(cpu);
}

/* The page is no code any more.  Its memory stays what it is until the next
 * fetch(), so that the instruction that brought this about can finish.
 */
static void retire(struct machine *m, size_t i)
{
	struct code_cache *cache = m->code_cache;
	struct code_page *page = cache->page[i];

	for (unsigned int n = 0; n < SOFT_PAGE / 16; n++)
		page->bundle[n].run = RUN_DECODE;
	page->next = cache->free;
	cache->free = page;
	cache->page[i] = NULL;
	cache->n_used--;
	for (unsigned int n = 0; n < m->n_cpus; n++)
		forget_code(m->cpu[n]);
}

static void retire_all(struct machine *m)
{
	for (size_t i = 0; i < ram_pages(m); i++)
		if (m->code_cache->page[i])
			retire(m, i);
}

/* From now on stores to this page take the slow way. */
static void forget_writes(struct soft_context *context, const u8 *ram)
{
	for (int i = 0; i < SOFT_TLB; i++) {
		struct soft_entry *e = &context->data[i];

		if (e->write != ~0ULL && (const u8 *)(uintptr_t)(e->write + e->addend) == ram)
			e->write = ~0ULL;
	}
}

static struct code_page *new_page(struct machine *m, size_t i)
{
	struct code_cache *cache = m->code_cache;
	struct code_page *page;
	const u8 *ram = m->ram + (i << SOFT_SHIFT);

	if (cache->n_used >= MAX_CODE_PAGES)
		retire_all(m);
	page = cache->free;
	if (page)
		cache->free = page->next;
	else
		page = calloc(1, sizeof(*page));
	if (!page) {
		fprintf(stderr, "ia64sim: out of memory\n");
		exit(2);
	}
	page->ram = ram;
	page->pa = ram_address(m, ram);
	page->stores = 0;
	page->bundle[SOFT_PAGE / 16].run = RUN_PAGE_END;
	cache->page[i] = page;
	cache->n_used++;
	for (unsigned int n = 0; n < m->n_cpus; n++) {
		for (int c = 0; c < SOFT_CONTEXTS; c++)
			forget_writes(&m->cpu[n]->context[c], ram);
	}
	return page;
}

/* Stores to [p, p + len): decoded bundles there are out of date. */
static void code_written(struct machine *m, const u8 *p, u64 len)
{
	size_t first = (p - m->ram) >> SOFT_SHIFT, last = (p + len - 1 - m->ram) >> SOFT_SHIFT;

	for (size_t i = first; i <= last; i++) {
		struct code_page *page = m->code_cache->page[i];
		size_t from, to;

		if (!page)
			continue;
		from = i == first ? ((p - m->ram) & (SOFT_PAGE - 1)) / 16 : 0;
		to = i == last ? ((p + len - 1 - m->ram) & (SOFT_PAGE - 1)) / 16 : SOFT_PAGE / 16 - 1;
		for (; from <= to; from++)
			page->bundle[from].run = RUN_DECODE;
		/* A page that became data, or data beside code: see how it goes on. */
		if (++page->stores >= STORES_TO_CODE)
			retire(m, i);
	}
}

void phys_written(struct machine *m, u64 pa, u64 len)
{
	const u8 *ram = phys_ram(m, pa, len);

	if (!ram || !len)
		return;
	code_written(m, ram, len);
	alat_store(m, pa & MASK(63), len);
}

static enum slot_kind slot_kind(const struct insn *i)
{
	if (i->exec == exec_nop && !i->qp)
		return KIND_NOP;
	if (i->unit == UNIT_B || i->unit == UNIT_X)
		return i->qp ? KIND_BRANCH_IF : KIND_BRANCH;
	return i->qp ? KIND_IF : KIND_ALWAYS;
}

void fetch_decode(struct code_page *page, struct bundle *b)
{
	const u8 *bytes = page->ram + (b - page->bundle) * 16;
	enum slot_kind kind[3];

	decode_bundle(exec_functions, b, read_le(bytes, 8), read_le(bytes + 8, 8));
	for (unsigned int n = 0; n < 3; n++)
		kind[n] = n < b->n ? slot_kind(&b->slot[n]) : KIND_NONE;
	if (kind[0] >= KIND_BRANCH || (kind[1] >= KIND_BRANCH && kind[2] != KIND_NONE))
		b->run = RUN_SLOTS;
	else
		b->run = RUN_KINDS(kind[0], kind[1], kind[2]);
}

struct code_page *fetch(struct cpu *cpu)
{
	u64 va = cpu->ip;
	struct fetch_entry *e = fetch_entry(cpu, va);
	struct machine *m = cpu->machine;
	struct translation t;
	struct fault f;
	u8 *ram;
	size_t i;

	if (e->page == soft_tag(va, 1))
		return e->code;
	if (!translate(cpu, va, ACCESS_EXEC, cpl(cpu), &t, &f))
		raise_fault(cpu, &f);
	ram = phys_ram(m, t.pa & -(u64)SOFT_PAGE, 16);
	if (!ram)
		machine_check(cpu, "instruction fetch from %#llx, where no RAM is",
			      (unsigned long long)t.pa);
	i = (ram - m->ram) >> SOFT_SHIFT;
	/* Breakpoints are looked for by translate(), at every bundle. */
	if (!m->opt.soft_tlb || psr(cpu, PSR_DB)) {
		e->page = ~0ULL;
		return m->code_cache->page[i] ? m->code_cache->page[i] : new_page(m, i);
	}
	e->code = m->code_cache->page[i] ? m->code_cache->page[i] : new_page(m, i);
	e->page = soft_tag(va, 1);
	cpu->code_context->empty = false;
	return e->code;
}

u64 fetch_address(struct cpu *cpu)
{
	return fetch(cpu)->pa + (cpu->ip & (SOFT_PAGE - 1));
}

/*
 * The soft TLB.
 */
void soft_tlb_flush(struct cpu *cpu)
{
	for (int c = 0; c < SOFT_CONTEXTS; c++) {
		struct soft_context *context = &cpu->context[c];

		if (!context->empty) {
			memset(context->data, -1, sizeof(context->data));
			memset(context->code, -1, sizeof(context->code));
			context->empty = true;
		}
	}
	attend(cpu);
}

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
	if (write && m->code_cache->page[(ram - m->ram) >> SOFT_SHIFT])
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

static void wrote_ram(struct machine *m, const u8 *ram, unsigned int size)
{
	code_written(m, ram, size);
	alat_store(m, ram_address(m, ram), size);
}

static void write_physical(struct cpu *cpu, const struct translation *t, u8 *ram, const u8 *from,
			   unsigned int size)
{
	struct machine *m = cpu->machine;

	if (ram) {
		memcpy(ram, from, size);
		wrote_ram(m, ram, size);
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
	wrote_ram(cpu->machine, to, size);
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
