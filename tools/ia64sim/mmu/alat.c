// SPDX-License-Identifier: GPL-2.0
/*
 * The advanced load address table: SDM volume 1 section 4.4.5, volume 2
 * section 6.9.  32 entries, replaced in turn.  They are found by a hash of the
 * register; where two registers have the same one the older entry is dropped,
 * which a table may do with any entry at any time.
 */
#include "mmu/alat.h"

/* The register's name in the table, see struct alat_entry. */
static s64 register_name(const struct cpu *cpu, bool fp, unsigned int r)
{
	unsigned int p;

	if (fp)
		return cpu->frmap[r];
	/* Banked registers of bank 0 are not those of bank 1. */
	if (r < 32)
		return r >= 16 && !psr(cpu, PSR_BN) ? (s64)r - 64 : r;
	p = cpu->grmap[r] - 32;
	return 32 + cpu->rse_bof + (p + N_STACKED - cpu->rse_base) % N_STACKED;
}

/* The machine counts the valid entries by the lines they touch, so that a
 * store knows cheaply that it concerns none.
 */
static void count_lines(struct machine *m, const struct alat_entry *e, int n)
{
	m->alat_lines[ALAT_LINE(e->pa)] += n;
	if (ALAT_LINE(e->pa + e->size - 1) != ALAT_LINE(e->pa))
		m->alat_lines[ALAT_LINE(e->pa + e->size - 1)] += n;
}

static u8 *where(struct cpu *cpu, bool fp, s64 name)
{
	return &cpu->alat_where[(u64)(name * 2 + fp) % sizeof(cpu->alat_where)];
}

static void drop(struct cpu *cpu, struct alat_entry *e)
{
	count_lines(cpu->machine, e, -1);
	*where(cpu, e->fp, e->reg) = 0;
	e->valid = false;
	cpu->alat_valid--;
}

static struct alat_entry *find(struct cpu *cpu, bool fp, unsigned int r)
{
	s64 name = register_name(cpu, fp, r);
	unsigned int n = *where(cpu, fp, name);
	struct alat_entry *e;

	if (!n)
		return NULL;
	e = &cpu->alat[n - 1];
	return e->fp == fp && e->reg == name ? e : NULL;
}

void alat_allocate(struct cpu *cpu, bool fp, unsigned int r, u64 pa, unsigned int size)
{
	s64 name = register_name(cpu, fp, r);
	u8 *n = where(cpu, fp, name);
	struct alat_entry *e;

	if (*n)
		drop(cpu, &cpu->alat[*n - 1]);
	e = &cpu->alat[cpu->alat_next++ % ALAT_ENTRIES];
	if (e->valid)
		drop(cpu, e);
	*e = (struct alat_entry) {
		.pa = pa, .reg = name, .size = size, .fp = fp, .valid = true,
	};
	*n = e - cpu->alat + 1;
	count_lines(cpu->machine, e, 1);
	cpu->alat_valid++;
}

bool alat_check(struct cpu *cpu, bool fp, unsigned int r, bool clear)
{
	struct alat_entry *e = find(cpu, fp, r);

	if (e && clear)
		drop(cpu, e);
	if (e)
		cpu->stats.alat_hits++;
	else
		cpu->stats.alat_misses++;
	return e;
}

void alat_invalidate_reg(struct cpu *cpu, bool fp, unsigned int r)
{
	struct alat_entry *e = find(cpu, fp, r);

	if (e)
		drop(cpu, e);
}

void alat_invalidate_all(struct cpu *cpu)
{
	for (int i = 0; i < ALAT_ENTRIES && cpu->alat_valid; i++)
		if (cpu->alat[i].valid)
			drop(cpu, &cpu->alat[i]);
}

void alat_store(struct machine *m, u64 pa, u64 size)
{
	for (unsigned int n = 0; n < m->n_cpus; n++) {
		struct cpu *cpu = m->cpu[n];

		for (int i = 0; i < ALAT_ENTRIES && cpu->alat_valid; i++) {
			struct alat_entry *e = &cpu->alat[i];

			if (e->valid && e->pa < pa + size && pa < e->pa + e->size)
				drop(cpu, e);
		}
	}
}

void alat_frame_top(struct cpu *cpu, s64 top)
{
	for (int i = 0; i < ALAT_ENTRIES && cpu->alat_valid; i++) {
		struct alat_entry *e = &cpu->alat[i];

		if (e->valid && !e->fp && e->reg >= 32 + top)
			drop(cpu, e);
	}
}
