// SPDX-License-Identifier: GPL-2.0
/*
 * Pages of RAM that hold code, with their decoded bundles.  While a page is code no
 * short cut of the soft TLB leads stores to it.
 */
#include <stdlib.h>
#include <string.h>

#include "mmu/code.h"

enum { MAX_CODE_PAGES = 16384, STORES_TO_CODE = 64 };

static size_t ram_pages(const struct machine *m)
{
	return (m->opt.ram + SOFT_PAGE - 1) >> SOFT_SHIFT;
}

void code_create(struct machine *m)
{
	m->code_cache = calloc(1, sizeof(*m->code_cache));
	if (m->code_cache)
		m->code_cache->page = calloc(ram_pages(m), sizeof(*m->code_cache->page));
	if (!m->code_cache || !m->code_cache->page)
		out_of_memory();
}

static void free_page(struct code_page *page)
{
	if (page)
		free(page->timing);
	free(page);
}

void code_destroy(struct machine *m)
{
	struct code_cache *cache = m->code_cache;

	for (size_t i = 0; i < ram_pages(m); i++)
		free_page(cache->page[i]);
	while (cache->free) {
		struct code_page *page = cache->free;

		cache->free = page->next;
		free_page(page);
	}
	free(cache->page);
	free(cache);
	m->code_cache = NULL;
}

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

void code_retire_all(struct machine *m)
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

struct code_page *code_new_page(struct machine *m, const u8 *ram)
{
	struct code_cache *cache = m->code_cache;
	size_t i = (ram - m->ram) >> SOFT_SHIFT;
	struct code_page *page;

	if (cache->n_used >= MAX_CODE_PAGES)
		code_retire_all(m);
	page = cache->free;
	if (page)
		cache->free = page->next;
	else
		page = calloc(1, sizeof(*page));
	if (!page)
		out_of_memory();
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

void code_written(struct machine *m, const u8 *p, u64 len)
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
