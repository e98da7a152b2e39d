// SPDX-License-Identifier: GPL-2.0
/*
 * The translation caches and translation registers: inserts, purges and
 * replacement.  SDM volume 2, sections 4.1.1 to 4.1.3.
 *
 * The two sides know nothing of each other: what the manual says an insert or
 * a purge "may" do to the other side is not done here.
 */
#include <string.h>

#include "mmu/alat.h"
#include "mmu/soft.h"
#include "mmu/tlb.h"
#include "state/machine.h"
#include "watch/trace.h"

enum { DEFAULT_ENTRIES = 128, DEFAULT_TRS = 64 };

#define VA_BITS		MASK(61)	/* of the address, without the region number */

static struct tlb *side(struct cpu *cpu, bool data)
{
	return data ? &cpu->dtlb : &cpu->itlb;
}

static struct tlb_stats *side_stats(struct cpu *cpu, bool data)
{
	return &cpu->stats.tlb[data];
}

static bool overlaps(const struct tlb_entry *e, u32 rid, u64 va, unsigned int ps)
{
	unsigned int larger = e->ps > ps ? e->ps : ps;

	/* Whatever the region number, SDM 2:51. */
	return e->rid == rid && !((e->vpn ^ va) & VA_BITS & ~MASK(larger));
}

static unsigned int hash(u32 rid, u64 vpn, unsigned int ps)
{
	u64 x = vpn >> ps;

	x ^= x >> 8 ^ x >> 20 ^ rid ^ rid >> 8 ^ ps * 29;
	return x % TLB_BUCKETS;
}

static void clear(struct tlb *tlb)
{
	memset(tlb->tc, 0, sizeof(tlb->tc));
	memset(tlb->bucket, -1, sizeof(tlb->bucket));
	memset(tlb->of_size, 0, sizeof(tlb->of_size));
	tlb->sizes = 0;
	tlb->n_valid = 0;
	tlb->last = MAX_TC;
	tlb->hand = 0;
}

static void reset_side(struct tlb *tlb, unsigned int entries, const struct options *opt)
{
	unsigned int trs = opt->trs;

	memset(tlb, 0, sizeof(*tlb));
	tlb->fifo = opt->tlb_fifo;
	tlb->n_entries = entries ? entries : DEFAULT_ENTRIES;
	if (tlb->n_entries > MAX_TC)
		tlb->n_entries = MAX_TC;
	/* TRs leave two entries at least for the cache: one insert and its
	 * successor have to find room together.
	 */
	tlb->n_tr = trs ? trs : DEFAULT_TRS;
	if (tlb->n_tr > MAX_TR)
		tlb->n_tr = MAX_TR;
	if (tlb->n_entries < 3)
		tlb->n_entries = 3;
	if (tlb->n_tr > tlb->n_entries - 2)
		tlb->n_tr = tlb->n_entries - 2;
	tlb->n_tc = tlb->n_entries;
	clear(tlb);
}

void tlb_reset(struct cpu *cpu)
{
	const struct options *opt = &cpu->machine->opt;

	reset_side(&cpu->itlb, opt->itc_entries, opt);
	reset_side(&cpu->dtlb, opt->dtc_entries, opt);
	soft_tlb_flush(cpu);
}

static struct tlb_entry *find_tr(struct tlb *tlb, u32 rid, u64 va, unsigned int ps)
{
	for (u64 left = tlb->tr_valid; left; left &= left - 1) {
		struct tlb_entry *e = &tlb->tr[__builtin_ctzll(left)];

		if (overlaps(e, rid, va, ps))
			return e;
	}
	return NULL;
}

static struct tlb_entry *find_tc(struct tlb *tlb, u32 rid, u64 va, unsigned int ps)
{
	u64 vpn = va & VA_BITS & ~MASK(ps);

	for (int i = tlb->bucket[hash(rid, vpn, ps)]; i >= 0; i = tlb->next[i]) {
		struct tlb_entry *e = &tlb->tc[i];

		if (e->vpn == vpn && e->rid == rid && e->ps == ps)
			return e;
	}
	return NULL;
}

struct tlb_entry *tlb_find(struct tlb *tlb, u32 rid, u64 va)
{
	struct tlb_entry *e;

	for (u64 left = tlb->sizes; left; left &= left - 1) {
		e = find_tc(tlb, rid, va, __builtin_ctzll(left));
		if (e)
			return e;
	}
	for (u64 left = tlb->tr_valid; left; left &= left - 1) {
		e = &tlb->tr[__builtin_ctzll(left)];
		if (e->rid == rid && !((e->vpn ^ (va & VA_BITS)) >> e->ps))
			return e;
	}
	return NULL;
}

/*
 * The host's short cuts through one translation that goes: what soft_tlb_flush()
 * does for all.  A replacement comes with every miss, so it must be cheap.
 */
static void forget_page(struct soft_context *context, u64 va, bool data)
{
	struct soft_entry *soft = &context->data[va >> SOFT_SHIFT & (SOFT_TLB - 1)];
	struct fetch_entry *code = &context->code[va >> SOFT_SHIFT & (FETCH_CACHE - 1)];

	if (!data && !((code->page ^ va) >> SOFT_SHIFT))
		code->page = ~0ULL;
	if (data && !((soft->read ^ va) >> SOFT_SHIFT))
		soft->read = ~0ULL;
	if (data && !((soft->write ^ va) >> SOFT_SHIFT))
		soft->write = ~0ULL;
}

static void forget(struct cpu *cpu, const struct tlb_entry *e, bool data)
{
	u64 pages = BIT(e->ps - SOFT_SHIFT);

	note_gone(cpu, e, data);
	note_wanted(cpu, e->rid, e->vpn, e->ps, data);
	/* The run loop goes on through the page that it is in unless it is told. */
	if (!data)
		attend(cpu);
	if (pages > SOFT_TLB / 8) {
		soft_tlb_flush(cpu);
		return;
	}
	for (unsigned int region = 0; region < 8; region++) {
		u64 va = (u64)region << 61 | e->vpn;

		if (rr_rid(cpu->rr[region]) != e->rid)
			continue;
		for (unsigned int level = 0; level < SOFT_PHYSICAL; level++) {
			for (u64 n = 0; n < pages && !cpu->context[level].empty; n++)
				forget_page(&cpu->context[level], va + n * SOFT_PAGE, data);
		}
	}
}

/* Take entry i out of the cache. */
static void evict(struct cpu *cpu, struct tlb *tlb, unsigned int i)
{
	struct tlb_entry *e = &tlb->tc[i];
	s16 *link = &tlb->bucket[hash(e->rid, e->vpn, e->ps)];

	while (*link != (int)i)
		link = &tlb->next[*link];
	*link = tlb->next[i];
	if (!--tlb->of_size[e->ps])
		tlb->sizes &= ~BIT(e->ps);
	tlb->n_valid--;
	if (tlb->last == i)
		tlb->last = MAX_TC;
	e->valid = false;
	forget(cpu, e, tlb == &cpu->dtlb);
}

/*
 * Remove what overlaps from the cache, if its size is one of @sizes, bits.  Return: how
 * many.
 */
static unsigned int evict_sizes(struct cpu *cpu, struct tlb *tlb, u32 rid, u64 va,
				unsigned int ps, u64 sizes)
{
	unsigned int before = tlb->n_valid;

	/* At most one entry of the same or a larger size holds this page. */
	for (u64 left = tlb->sizes & sizes & ~MASK(ps); left; left &= left - 1) {
		struct tlb_entry *e = find_tc(tlb, rid, va, __builtin_ctzll(left));

		if (e)
			evict(cpu, tlb, e - tlb->tc);
	}
	if (tlb->sizes & MASK(ps)) {
		for (unsigned int i = 0; i < tlb->n_tc; i++) {
			if (tlb->tc[i].valid && overlaps(&tlb->tc[i], rid, va, ps) &&
			    sizes >> tlb->tc[i].ps & 1)
				evict(cpu, tlb, i);
		}
	}
	return before - tlb->n_valid;
}

static unsigned int evict_overlaps(struct cpu *cpu, struct tlb *tlb, u32 rid, u64 va,
				   unsigned int ps)
{
	return evict_sizes(cpu, tlb, rid, va, ps, ~0ULL);
}

/*
 * Not recently used: the first free entry from the hand on, or the first that
 * no reference used since the used bits were last cleared.  Or first in, first
 * out: nobody has published what an Itanium does.  The newest insert stays, or
 * the instruction that it was made for might never get both its translations
 * (SDM 2:50).
 */
static unsigned int victim(struct cpu *cpu, struct tlb *tlb)
{
	bool full = tlb->n_valid == tlb->n_tc;
	unsigned int i = tlb->hand;

	for (unsigned int n = 0; n < tlb->n_tc; n++, i++) {
		if (i >= tlb->n_tc)
			i = 0;
		if (!tlb->tc[i].valid ||
		    (full && (!tlb->tc[i].used || tlb->fifo) && i != tlb->last))
			return i;
	}
	for (i = 0; i < tlb->n_tc; i++)
		tlb->tc[i].used = false;
	soft_tlb_flush(cpu);
	i = tlb->hand % tlb->n_tc;
	return i == tlb->last ? (i + 1) % tlb->n_tc : i;
}

static struct tlb_entry *place(struct cpu *cpu, struct tlb *tlb, const struct tlb_entry *new)
{
	unsigned int i = victim(cpu, tlb);
	unsigned int h = hash(new->rid, new->vpn, new->ps);

	if (tlb->tc[i].valid)
		evict(cpu, tlb, i);
	tlb->tc[i] = *new;
	tlb->next[i] = tlb->bucket[h];
	tlb->bucket[h] = i;
	tlb->of_size[new->ps]++;
	tlb->sizes |= BIT(new->ps);
	tlb->n_valid++;
	tlb->last = i;
	tlb->hand = (i + 1) % tlb->n_tc;
	return &tlb->tc[i];
}

bool tlb_reserved(u64 pte, u64 itir)
{
	unsigned int ma = FIELD(pte, 2, 3);

	if (!(INSERTABLE_PAGE_SIZES >> FIELD(itir, 2, 6) & 1) || itir & 3)
		return true;
	/* All else belongs to software when the page is not present (2:56). */
	if (!(pte & 1))
		return false;
	return pte & (BIT(1) | BIT(50) | BIT(51)) || (ma >= 1 && ma <= 3) || itir >> 32;
}

static struct tlb_entry make_entry(const struct cpu *cpu, u64 pte, u64 itir, u64 va)
{
	unsigned int ps = FIELD(itir, 2, 6);

	return (struct tlb_entry){
		.valid = true,
		.p = pte & 1,
		.ma = FIELD(pte, 2, 3),
		.a = FIELD(pte, 5, 1),
		.d = FIELD(pte, 6, 1),
		.pl = FIELD(pte, 7, 2),
		.ar = FIELD(pte, 9, 3),
		.ppn = pte & MASK(IMPL_PA_BITS) & ~MASK(ps),
		.ed = FIELD(pte, 52, 1),
		.ps = ps,
		.key = FIELD(itir, 8, IMPL_KEY_BITS),
		.rid = rr_rid(cpu->rr[va >> 61]),
		.vpn = va & VA_BITS & ~MASK(ps),
	};
}

bool tlb_insert_tc(struct cpu *cpu, bool data, u64 pte, u64 itir, u64 va)
{
	struct tlb *tlb = side(cpu, data);
	struct tlb_entry e;

	if (tlb_reserved(pte, itir))
		return false;
	if (is_broken(cpu, BROKEN_ITIR) && FIELD(itir, 2, 6) > rr_ps(cpu->rr[va >> 61]))
		itir = (itir & ~MASK(8)) | rr_ps(cpu->rr[va >> 61]) << 2;
	e = make_entry(cpu, pte, itir, va);
	if (find_tr(tlb, e.rid, va, e.ps))
		machine_check(cpu, "itc.%c of %#llx, 2^%u bytes, overlaps a translation register",
			      "id"[data], (unsigned long long)va, e.ps);
	evict_overlaps(cpu, tlb, e.rid, va, e.ps);
	place(cpu, tlb, &e);
	side_stats(cpu, data)->software_inserts[e.ps]++;
	if (tracing(cpu->machine, TRACE_TLB))
		trace_insert(cpu, "itc", data, &e);
	return true;
}

struct tlb_entry *tlb_insert_walker(struct cpu *cpu, bool data, u64 pte, u64 itir, u64 va)
{
	struct tlb *tlb = side(cpu, data);
	struct tlb_entry e = make_entry(cpu, pte, itir, va);

	/* The walker must not disturb a TR; here the walk fails then. */
	if (find_tr(tlb, e.rid, va, e.ps))
		return NULL;
	evict_overlaps(cpu, tlb, e.rid, va, e.ps);
	side_stats(cpu, data)->walker_inserts[e.ps]++;
	if (tracing(cpu->machine, TRACE_TLB))
		trace_insert(cpu, "walker", data, &e);
	return place(cpu, tlb, &e);
}

static void drop_tr(struct cpu *cpu, struct tlb *tlb, unsigned int slot)
{
	tlb->tr[slot].valid = false;
	tlb->tr_valid &= ~BIT(slot);
	tlb->n_tc++;
	forget(cpu, &tlb->tr[slot], tlb == &cpu->dtlb);
}

bool tlb_insert_tr(struct cpu *cpu, bool data, unsigned int slot, u64 pte, u64 itir,
		   u64 va)
{
	struct tlb *tlb = side(cpu, data);
	struct tlb_entry e;

	if (slot >= tlb->n_tr || tlb_reserved(pte, itir))
		return false;
	e = make_entry(cpu, pte, itir, va);
	/* Also with what the slot held until now: that is what ptr is for. */
	if (find_tr(tlb, e.rid, va, e.ps))
		machine_check(cpu, "itr.%c of %#llx, 2^%u bytes, overlaps a translation register",
			      "id"[data], (unsigned long long)va, e.ps);
	evict_overlaps(cpu, tlb, e.rid, va, e.ps);
	/* The old translation might live on in the cache (SDM 3:149); here it is gone. */
	if (tlb->tr[slot].valid)
		drop_tr(cpu, tlb, slot);
	tlb->tr[slot] = e;
	tlb->tr_valid |= BIT(slot);
	tlb->n_tc--;
	if (tlb->tc[tlb->n_tc].valid)
		evict(cpu, tlb, tlb->n_tc);
	side_stats(cpu, data)->register_inserts++;
	if (tracing(cpu->machine, TRACE_TLB))
		trace_insert(cpu, "itr", data, &e);
	return true;
}

static void check_purge(struct cpu *cpu, const char *name, u64 va, unsigned int ps)
{
	if (tracing(cpu->machine, TRACE_PURGE))
		trace_purge(cpu, name, va, ps);
	if (ps > 63 || !(PURGEABLE_PAGE_SIZES >> ps & 1))
		machine_check(cpu, "%s of %#llx with unsupported size 2^%u", name,
			      (unsigned long long)va, ps);
}

/* @broken: what of enum broken leaves larger translations */
static void purge_tc(struct cpu *cpu, u32 rid, u64 va, unsigned int ps, unsigned int broken)
{
	u64 sizes = is_broken(cpu, broken) ? MASK(ps + 1) : ~0ULL;

	for (int data = 0; data < 2; data++) {
		side_stats(cpu, data)->purged +=
			evict_sizes(cpu, side(cpu, data), rid, va, ps, sizes);
		note_wanted(cpu, rid, va, ps, data);
	}
}

static void purge_own_tc(struct cpu *cpu, const char *name, u64 va, unsigned int ps)
{
	u32 rid = rr_rid(cpu->rr[va >> 61]);

	check_purge(cpu, name, va, ps);
	if (find_tr(&cpu->itlb, rid, va, ps) || find_tr(&cpu->dtlb, rid, va, ps))
		machine_check(cpu, "%s of %#llx, 2^%u bytes, overlaps a translation register",
			      name, (unsigned long long)va, ps);
	purge_tc(cpu, rid, va, ps, BROKEN_PURGE_SIZE);
}

void tlb_purge_local(struct cpu *cpu, u64 va, unsigned int ps)
{
	cpu->stats.purges_local++;
	purge_own_tc(cpu, "ptc.l", va, ps);
}

void tlb_purge_other(struct cpu *other, u32 rid, u64 va, unsigned int ps, bool alat)
{
	purge_tc(other, rid, va, ps, BROKEN_PURGE_SIZE | BROKEN_PURGE_GLOBAL);
	note_others_purge(other);
	/* The ALAT has physical addresses only, and may lose any entry. */
	if (alat)
		alat_invalidate_all(other);
}

void tlb_purge_global(struct cpu *cpu, u64 va, unsigned int ps, bool alat)
{
	struct machine *m = cpu->machine;

	cpu->stats.purges_global++;
	purge_own_tc(cpu, alat ? "ptc.ga" : "ptc.g", va, ps);
	if (stores_wait(m))
		return;
	for (unsigned int i = 0; i < m->n_cpus; i++)
		/* The region number means the issuer's regions. */
		if (m->cpu[i] != cpu)
			tlb_purge_other(m->cpu[i], rr_rid(cpu->rr[va >> 61]), va, ps, alat);
}

void tlb_purge_tr(struct cpu *cpu, bool data, u64 va, unsigned int ps)
{
	struct tlb *tlb = side(cpu, data);
	u32 rid = rr_rid(cpu->rr[va >> 61]);
	struct tlb_entry *e;

	check_purge(cpu, data ? "ptr.d" : "ptr.i", va, ps);
	while ((e = find_tr(tlb, rid, va, ps))) {
		drop_tr(cpu, tlb, e - tlb->tr);
		side_stats(cpu, data)->purged++;
	}
	side_stats(cpu, data)->purged += evict_overlaps(cpu, tlb, rid, va, ps);
}

void tlb_purge_all(struct cpu *cpu, u64 operand)
{
	/* PAL_PTCE_INFO tells of a loop of one iteration: any operand does all. */
	if (tracing(cpu->machine, TRACE_PURGE))
		trace_purge(cpu, "ptc.e", operand, 0);
	cpu->stats.purges_local++;
	for (int data = 0; data < 2; data++) {
		side_stats(cpu, data)->purged += side(cpu, data)->n_valid;
		clear(side(cpu, data));
	}
	note_all_gone(cpu);
	soft_tlb_flush(cpu);
}

bool set_rr(struct cpu *cpu, unsigned int region, u64 value)
{
	if (value & BIT(1) || value >> (8 + rid_bits(cpu->machine)) ||
	    !(INSERTABLE_PAGE_SIZES >> rr_ps(value) & 1))
		return false;
	if (cpu->rr[region & 7] != value) {
		cpu->rr[region & 7] = value;
		soft_tlb_flush(cpu);
	}
	return true;
}

bool set_pkr(struct cpu *cpu, unsigned int n, u64 value)
{
	if (n >= IMPL_PKRS || FIELD(value, 4, 4) || value >> (8 + IMPL_KEY_BITS))
		return false;
	cpu->pkr[n] = value;
	soft_tlb_flush(cpu);
	return true;
}

bool set_dbr(struct cpu *cpu, unsigned int n, u64 value)
{
	if (n >= N_BREAKPOINTS)
		return false;
	cpu->dbr[n] = value;
	soft_tlb_flush(cpu);
	return true;
}

bool set_ibr(struct cpu *cpu, unsigned int n, u64 value)
{
	if (n >= N_BREAKPOINTS)
		return false;
	cpu->ibr[n] = value;
	soft_tlb_flush(cpu);
	return true;
}

static void print_entry(FILE *f, const char *kind, unsigned int i, const struct tlb_entry *e)
{
	static const char *const ma[] = {
		"WB", "?1", "?2", "?3", "UC", "UCE", "WC", "NaTPage"
	};

	fprintf(f,
		"%s%-3u rid %06x va %016llx pa %013llx ps %u key %06x ar %u pl %u %s%s%s%s%s %s\n",
		kind, i, e->rid, (unsigned long long)e->vpn, (unsigned long long)e->ppn,
		e->ps, e->key, e->ar, e->pl, e->p ? "p" : "-", e->a ? "a" : "-",
		e->d ? "d" : "-", e->ed ? "e" : "-", e->used ? "u" : "-", ma[e->ma]);
}

void tlb_print(const struct cpu *cpu, FILE *f)
{
	static const char *const tr_name[] = { "itr", "dtr" }, *const tc_name[] = { "itc",
	  "dtc" };

	for (int data = 0; data < 2; data++) {
		const struct tlb *tlb = data ? &cpu->dtlb : &cpu->itlb;

		for (unsigned int i = 0; i < tlb->n_tr; i++) {
			if (tlb->tr[i].valid)
				print_entry(f, tr_name[data], i, &tlb->tr[i]);
		}
		for (unsigned int i = 0; i < tlb->n_tc; i++) {
			if (tlb->tc[i].valid)
				print_entry(f, tc_name[data], i, &tlb->tc[i]);
		}
	}
}
