// SPDX-License-Identifier: GPL-2.0
/*
 * The hash table of the long-format VHPT: what it holds when a handler begins, what
 * a walker could see of it while the handler writes, and what it has to hold then.
 */
#include <stdio.h>

#include "handlers.h"

struct hash_entry hash_model[HASH_ENTRIES];

static struct hash_entry *table;
static struct hash_entry pattern[HASH_ENTRIES];	/* pages of nobody */

/** struct watched - an entry that the handler may write */
static struct watched {
	struct hash_entry *entry, was;
	u64 tag;			/* of the page that it may write there */
} watched[1 << FILL_MAX];
static unsigned int n_watched;

static const struct cpu *cpu0(void)
{
	return kernel->m->cpu[0];
}

unsigned int hash_index(u64 va)
{
	return (vhpt_thash(cpu0(), va) - HASH_BASE) / sizeof(*table);
}

/* A tag that no address of a scene has, and one of which only a bit is different. */
static u64 other_tag(u64 tag)
{
	return tag ^ (random64() & 1 ? BIT(random64() % 50) : BIT(62));
}

void hash_init(void)
{
	table = phys_ram(kernel->m, HASH_PA, sizeof(pattern));
	if (!table)
		die("no memory for the hash table");
	for (unsigned int i = 0; i < HASH_ENTRIES; i++)
		pattern[i] = (struct hash_entry){
			.pte = random64(), .itir = random64(),
			/* A counter of fills may wrap. */
			.filled = random64() | (random64() & 1 ? MASK(32) : 0),
			.tag = other_tag(random64() % 4 ? BIT(61) : HASH_INVALID | BIT(61)),
		};
}

/* The block of a superpage that vhpt_fill=all enters at once. */
static u64 block_of(u64 va, unsigned int ps, unsigned int *n)
{
	unsigned int most = kernel->page_shift + FILL_MAX;

	if (ps > most)
		ps = most;
	*n = 1U << (ps - kernel->page_shift);
	return va & ~MASK(ps);
}

static void set_entry(const struct scene *s)
{
	struct hash_entry *e = &table[hash_index(s->va)];
	u64 tag = vhpt_ttag(cpu0(), s->va);
	bool replica = kernel->superpage && s->pte & PTE_REPLICA;
	unsigned int ps = region_ps(s->va);

	e->pte = frame_of(s->va) ^ BIT(25) ^ (PTE_P | PTE_A | PTE_D | PTE_AR(AR_R));
	e->itir = (random64() & 0xffffff00) | ps << 2;
	switch (s->entry) {
	case ENTRY_INVALID:
		/* Its own tag, or one that is not. */
		e->tag = HASH_INVALID | (random64() & 1 ? tag : MASK(63));
		break;
	case ENTRY_OTHER:
		e->tag = other_tag(tag);
		break;
	case ENTRY_SAME:
		e->pte = s->pte & ~(replica ? PTE_REPLICA : 0);
		if (replica)
			ps = FIELD(s->pte, 57, 6);
		e->itir = (e->itir & ~MASK(8)) | ps << 2;
		/* fall through */
	case ENTRY_OLD:
		e->tag = tag;
		break;
	}
}

void hash_begin(const struct scene *s)
{
	u64 first;

	memcpy(table, pattern, sizeof(pattern));
	set_entry(s);
	memcpy(hash_model, table, sizeof(hash_model));
	first = block_of(s->va, s->fill && region_ps(s->va) == kernel->page_shift ? 63 :
			 kernel->page_shift, &n_watched);
	for (unsigned int i = 0; i < n_watched; i++) {
		u64 va = n_watched > 1 ? first + i * PAGE_SIZE_OF(kernel) : s->va;
		struct watched *w = &watched[i];

		w->entry = &table[hash_index(va)];
		w->was = *w->entry;
		w->tag = vhpt_ttag(cpu0(), va);
	}
}

/* vhpt_purge_range() */
void hash_purge(u64 va, unsigned int ps)
{
	u64 pages = BIT(ps - region_ps(va));

	if (pages > HASH_ENTRIES) {
		for (unsigned int i = 0; i < HASH_ENTRIES; i++)
			table[i].tag = ~0ULL;
		return;
	}
	va &= ~MASK(ps);
	for (u64 i = 0; i < pages; i++, va += BIT(region_ps(va))) {
		struct hash_entry *e = &table[hash_index(va)];

		if (e->tag == vhpt_ttag(cpu0(), va))
			e->tag = ~0ULL;
	}
}

static bool same(const struct hash_entry *a, const struct hash_entry *b)
{
	return a->pte == b->pte && a->itir == b->itir && a->tag == b->tag;
}

/* What is valid now is what was there before, or else all of a new translation. */
void hash_watch(struct result *r)
{
	for (unsigned int i = 0; i < n_watched; i++) {
		const struct watched *w = &watched[i];
		const struct hash_entry *e = w->entry;

		if (e->tag & HASH_INVALID || same(e, &w->was))
			continue;
		if (e->tag != w->tag)
			r->torn = "an entry is written while it is valid";
		if (!r->seen) {
			r->seen = true;
			r->seen_pte = e->pte;
			r->seen_itir = e->itir;
		} else if (r->seen_pte != e->pte || r->seen_itir != e->itir) {
			r->torn = "an entry is valid before it is complete";
		}
	}
}

const struct hash_entry *hash_find(u64 va)
{
	const struct hash_entry *e = &table[hash_index(va)];

	return e->tag == vhpt_ttag(cpu0(), va) ? e : NULL;
}

static void expect_entry(struct hash_entry *e, u64 pte, u64 itir, u64 tag)
{
	e->pte = pte;
	e->itir = itir;
	e->tag = tag;
}

void hash_expect(const struct scene *s, u64 pte, u64 itir, bool replica, bool valid)
{
	struct hash_entry *e = &hash_model[hash_index(s->va)];
	u64 invalid = valid ? 0 : HASH_INVALID, tag = vhpt_ttag(cpu0(), s->va), first;
	unsigned int n;

	/* Two counters of 32 bits each. */
	e->filled = (e->filled & ~MASK(32)) | ((e->filled + 1) & MASK(32));
	if (!(e->tag & HASH_INVALID) && e->tag != tag)
		e->filled += BIT(32);
	expect_entry(e, pte, itir, tag | invalid);
	if (!replica || !s->fill)
		return;
	first = block_of(s->va, FIELD(itir, 2, 6), &n);
	for (unsigned int i = 0; i < n; i++) {
		u64 va = first + i * PAGE_SIZE_OF(kernel);

		expect_entry(&hash_model[hash_index(va)], pte, itir,
			     vhpt_ttag(cpu0(), va) | invalid);
	}
}

const char *hash_compare(void)
{
	static char text[300];

	if (!memcmp(table, hash_model, sizeof(hash_model)))
		return NULL;
	for (unsigned int i = 0; i < HASH_ENTRIES; i++) {
		const struct hash_entry *is = &table[i], *e = &hash_model[i];

		/* What an invalid one has besides is no matter. */
		if (is->filled == e->filled &&
		    (same(is, e) || (is->tag & e->tag & HASH_INVALID)))
			continue;
		snprintf(text, sizeof(text),
			 "entry %#x of the hash table is pte %#llx itir %#llx tag %#llx "
			 "filled %#llx, not pte %#llx itir %#llx tag %#llx filled %#llx", i,
			 (unsigned long long)is->pte, (unsigned long long)is->itir,
			 (unsigned long long)is->tag, (unsigned long long)is->filled,
			 (unsigned long long)e->pte, (unsigned long long)e->itir,
			 (unsigned long long)e->tag, (unsigned long long)e->filled);
		return text;
	}
	return NULL;
}
