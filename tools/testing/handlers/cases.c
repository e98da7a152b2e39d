// SPDX-License-Identifier: GPL-2.0
/*
 * The faults, and what has to come of each: what the TLBs and the tables hold
 * afterwards, what of the registers is as before, where the handler went.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "handlers.h"

unsigned int n_passed, n_failed;

static bool quick;			/* stop at the first failure */
static unsigned int only;		/* this vector's handler, or ALL_VECTORS */
static struct registers now;

static unsigned int flushed_at = NEVER;	/* another processor flushes the TLB before this step */

enum { SHOWN = 20, MAX_KINDS = 100 };

/*
 * With -strict something happens at no more than so many moments, on average: at FEW, or at FEWER
 * where the handler fills many entries, and takes MANY_STEPS.
 */
enum { FEW = 16, FEWER = 2, MANY_STEPS = 200 };

/* The bits of an address that the tables can map: pgd_offset_k() has all of the
 * root table, and a user's region an eighth.
 */
static unsigned int mapped_bits(unsigned int region)
{
	unsigned int bits = kernel->page_shift + kernel->levels * (kernel->page_shift - 3);

	return region == REGION_KERNEL ? bits : bits - 3;
}

/* Where the tests are, aligned to the largest page: with the highest bit of the index
 * into the root table, the lowest one where that is no part of a page, and away from the
 * kernel.
 */
static u64 base_of(unsigned int region)
{
	unsigned int root = kernel->page_shift + (kernel->levels - 1) * (kernel->page_shift - 3);
	u64 base = REGION(region) | BIT(mapped_bits(region) - 1) | 0x600000000ULL;

	return root > 32 ? base | BIT(root) : base;
}

static bool stop(void)
{
	return quick && n_failed;
}

static const char *access_name(unsigned int access)
{
	switch (access) {
	case ACCESS_READ:
		return "read";
	case ACCESS_WRITE:
		return "write";
	case ACCESS_EXEC:
		return "execute";
	case REFERENCE_LD_S:
		return "ld8.s";
	default:
		return "lfetch";
	}
}

static void describe(const struct scene *s, const char *what)
{
	static const char *const entries[] = {
		"", ", another page's entry", ", old entry", ", has entry",
	};

	printf("FAILED: vhpt=%s: %s %s, %s %#llx at level %u, PTE %#llx",
	       mode_name(kernel->mode), vector_name(s->vector),
	       s->natural ? "raised" : "delivered", access_name(s->access),
	       (unsigned long long)s->va, s->level, (unsigned long long)s->pte);
	if (s->missing)
		printf(", no table at level %u", s->missing);
	printf("%s%s%s", s->mapped ? ", VHPT mapped" : "", entries[s->entry],
	       s->fill ? ", vhpt_fill=all" : "");
	if (s->present)
		printf(", had translation %#llx of 2^%u", (unsigned long long)s->present,
		       s->present_ps);
	if (flushed_at != NEVER)
		printf(", flushed before step %u", flushed_at);
	printf(": %s\n", what);
}

/* One check. */
static bool __attribute__((format(printf, 3, 4)))
check(const struct scene *s, bool good, const char *format, ...)
{
	char text[600];
	va_list args;

	if (good) {
		n_passed++;
		return true;
	}
	if (n_failed++ >= SHOWN || quick)
		return false;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	describe(s, text);
	return false;
}

static void run(const struct scene *s, const struct event *events, unsigned int n,
		struct result *r)
{
	scene_run(s, events, n, r);
	if (kernel->strict)
		check(s, !r->found, "%s", r->found);
}

/*
 * What is expected.
 */
static bool is_replica(u64 pte)
{
	return kernel->superpage && pte & PTE_REPLICA;
}

static unsigned int pte_ps(u64 va, u64 pte)
{
	return is_replica(pte) ? FIELD(pte, 57, 6) : region_ps(va);
}

static struct tlb_entry translation(u64 va, u64 pte, unsigned int ps)
{
	return (struct tlb_entry){
		.valid = true, .p = pte & PTE_P, .a = !!(pte & PTE_A), .d = !!(pte & PTE_D),
		.ed = !!(pte & PTE_ED), .ma = FIELD(pte, 2, 3), .pl = FIELD(pte, 7, 2),
		.ar = FIELD(pte, 9, 3), .ps = ps, .rid = rr_rid(before.rr[va >> 61]),
		.vpn = OFFSET(va) & ~MASK(ps), .ppn = pte & PTE_FRAME & ~MASK(ps),
	};
}

static struct tlb_entry pte_translation(u64 va, u64 pte)
{
	return translation(va, pte, pte_ps(va, pte));
}

static struct tlb_entry vhpt_translation(u64 pmd)
{
	return translation(delivered.cr[CR_IHA], (pmd & ~MASK(kernel->page_shift)) | PTE_P |
			   PTE_A | PTE_D | PTE_AR(AR_RW), kernel->page_shift);
}

/** struct timeline - a word that another processor changes, as the handler sees it */
struct timeline {
	u64 first;	/* what the first read gives */
	u64 middle;	/* at the cmpxchg */
	u64 last;	/* what the last read gives */
	u64 end;	/* when all is over */
};

static bool is_miss(enum vector v)
{
	return v <= VEC_ALT_DATA_TLB;
}

/* Does its handler walk the tables, in the short format or with the walker off? */
static bool walks(const struct scene *s)
{
	return s->vector == VEC_VHPT_TRANSLATION ||
	       (kernel->superpage && s->vector >= VEC_ALT_INST_TLB &&
		s->vector <= VEC_ALT_DATA_TLB);
}

static bool bad_address(u64 va)
{
	return OFFSET(va) >> mapped_bits(va >> 61);
}

/*
 * The same as expect() for the handlers of the long format, which walk the tables
 * themselves, and changes hash_model.
 */
static enum outcome expect_long(const struct scene *s, struct timeline *pte,
				const struct timeline *pmd, bool pud_changed,
				struct model *t)
{
	u64 new = pte->first;
	struct tlb_entry e;
	bool changed;

	if (s->missing || bad_address(s->va) || !pmd->first || !(pte->first & PTE_P))
		return OUTCOME_PAGE_FAULT;
	if (!is_miss(s->vector)) {
		if (is_replica(pte->first))
			return OUTCOME_PAGE_FAULT;
		if (pte->middle != pte->first)	/* the reference is made again */
			return OUTCOME_RFI;
		new |= PTE_A | (s->vector == VEC_DIRTY_BIT ? PTE_D : 0);
		if (pte->last == pte->first)
			pte->last = new;
		if (pte->end == pte->first)
			pte->end = new;
	}
	e = pte_translation(s->va, new);
	model_insert(t, !(s->access & ACCESS_EXEC), &e);
	changed = pte->last != new || pmd->last != pmd->first || pud_changed;
	if (changed)
		model_purge(t, s->va, kernel->page_shift);
	hash_expect(s, new & ~(is_replica(new) ? PTE_REPLICA : 0), e.ps << 2, is_replica(new),
		    !changed);
	return OUTCOME_RFI;
}

/* What IA64_KR(SUPERPAGE) becomes, or NO_SIZE: it stays; or may, if not @size_known. */
#define NO_SIZE		(~0ULL)
static u64 new_size;
static bool size_known;

/*
 * The same for the handler that walks the tables of the short format: vhpt_miss, and with
 * the walker off of all misses, where nobody looks for the page of PTEs.
 */
static enum outcome expect_walk(const struct scene *s, struct timeline *pte,
				const struct timeline *pmd, bool pud_changed, struct model *t)
{
	bool page = s->vector == VEC_VHPT_TRANSLATION;
	bool tables = pmd->last != pmd->first || pud_changed;
	unsigned int base = kernel->page_shift;
	struct tlb_entry e;

	if (s->missing || bad_address(s->va) || !pmd->first)
		return OUTCOME_PAGE_FAULT;
	/* Without superpages not that of a PTE that is not present. */
	if (page && (kernel->superpage || pte->first & PTE_P)) {
		e = vhpt_translation(pmd->first);
		model_insert(t, true, &e);
		if (tables)
			model_purge(t, delivered.cr[CR_IHA], base);
	}
	if (!(pte->first & PTE_P))
		return OUTCOME_PAGE_FAULT;
	e = pte_translation(s->va, pte->first);
	model_insert(t, !(s->access & ACCESS_EXEC), &e);
	if (tables || pte->last != pte->first)
		model_purge(t, s->va, base);
	return OUTCOME_RFI;
}

/*
 * What becomes of a fault whose handler sees the PTE as in @pte and the PMD as in
 * @pmd, and whether the PUD changes between the reads of it: changes @t as it has to
 * change the TLBs, and pte->end.
 */
static enum outcome expect(const struct scene *s, struct timeline *pte,
			   const struct timeline *pmd, bool pud_changed, struct model *t)
{
	bool data = !(s->access & ACCESS_EXEC);
	unsigned int base = kernel->page_shift;
	struct tlb_entry e;
	bool inserted;
	u64 new;

	new_size = NO_SIZE;
	size_known = true;
	if (kernel->mode == MODE_LONG)
		return expect_long(s, pte, pmd, pud_changed, t);
	if (walks(s))
		return expect_walk(s, pte, pmd, pud_changed, t);
	/* Then nested_dtlb_miss gives the handler a PTE that is zero. */
	if (!s->mapped && (s->missing || bad_address(s->va)))
		pte->first = pte->middle = pte->last = 0;
	if (is_miss(s->vector)) {
		if (!(pte->first & PTE_P)) {
			if (!kernel->superpage)
				model_purge(t, s->va, base);
			return OUTCOME_PAGE_FAULT;
		}
		e = pte_translation(s->va, pte->first);
		model_insert(t, data, &e);
		if (pte->last != pte->first)
			model_purge(t, s->va, base);
		/* The next one is predicted to be as large. */
		if (data && s->mapped && is_replica(pte->first))
			new_size = e.ps << 2;
		return OUTCOME_RFI;
	}
	if (is_replica(pte->first)) {
		model_purge(t, s->va, base);
		return OUTCOME_PAGE_FAULT;
	}
	new = pte->first | PTE_A | (s->vector == VEC_DIRTY_BIT ? PTE_D : 0);
	inserted = pte->first & PTE_P && pte->middle == pte->first;
	if (inserted) {
		e = pte_translation(s->va, new);
		model_insert(t, data, &e);
		/* Who changed it later has changed what the cmpxchg wrote. */
		if (pte->last == pte->first)
			pte->last = new;
		if (pte->end == pte->first)
			pte->end = new;
	}
	if (!inserted || pte->last != new)
		model_purge(t, s->va, base);
	return OUTCOME_RFI;
}

static const char *compare_registers(enum outcome outcome, u64 psr_set)
{
	static const u8 kept_crs[] = {
		CR_DCR, CR_ITM, CR_IVA, CR_PTA, CR_LID, CR_TPR, CR_ITV, CR_PMV, CR_CMCV,
	}, kept_fault_crs[] = {
		CR_IPSR, CR_ISR, CR_IIP, CR_IFA, CR_IFS, CR_IIM, CR_IIPA,
	};
	const struct registers *b = &before;
	bool rfi = outcome == OUTCOME_RFI;
	/* r16 to r31 are scratch in bank 0, where the fault handler finds them. */
	const u64 *upper = rfi ? &now.gr[16] : now.bank;
	const bool *upper_nat = rfi ? &now.nat[16] : now.bank_nat;

	if (memcmp(now.gr, b->gr, 16 * 8) || memcmp(now.nat, b->nat, 16) ||
	    memcmp(upper, &b->gr[16], 16 * 8) || memcmp(upper_nat, &b->nat[16], 16))
		return "a static general register changed";
	if (memcmp(&now.gr[32], &b->gr[32], N_STACKED * 8) ||
	    memcmp(&now.nat[32], &b->nat[32], N_STACKED) || now.rse_bof != b->rse_bof ||
	    now.rse_base != b->rse_base || now.rse_dirty != b->rse_dirty ||
	    now.rse_clean != b->rse_clean || memcmp(&now.cfm, &b->cfm, sizeof(now.cfm)))
		return "the register stack changed";
	if (memcmp(now.br, b->br, sizeof(now.br)))
		return "a branch register changed";
	for (unsigned int i = 0; i < 128; i++)
		if (i != AR_ITC && i != AR_RUC && i != KR_HANDLERS && now.ar[i] != b->ar[i])
			return i == AR_CCV ? "ar.ccv changed" : "an application register changed";
	if (now.ar[KR_HANDLERS] != (new_size == NO_SIZE ? b->ar[KR_HANDLERS] : new_size) &&
	    (size_known || now.ar[KR_HANDLERS] != b->ar[KR_HANDLERS]))
		return "the size inserted last is not that";
	if (memcmp(now.fr, b->fr, sizeof(now.fr)))
		return "a floating-point register changed";
	if (memcmp(now.rr, b->rr, sizeof(now.rr)) || memcmp(now.pkr, b->pkr, sizeof(now.pkr)))
		return "a region or key register changed";
	for (unsigned int i = 0; i < sizeof(kept_crs); i++)
		if (now.cr[kept_crs[i]] != b->cr[kept_crs[i]])
			return "a control register changed";
	if (rfi) {
		if (now.pr != b->pr)
			return "the predicates changed";
		if (now.ip != b->ip || now.slot != b->slot)
			return "does not return to the instruction";
		if (now.psr != (b->psr | psr_set))
			return "does not return with the PSR";
		return NULL;
	}
	/* What page_fault expects: see DO_SAVE_MIN. */
	if (now.gr[31] != b->pr || now.nat[31])
		return "r31 is not the predicates";
	for (unsigned int i = 0; i < sizeof(kept_fault_crs); i++)
		if (now.cr[kept_fault_crs[i]] != delivered.cr[kept_fault_crs[i]])
			return "an interruption register changed";
	if ((now.psr ^ delivered.psr) & ~BIT(PSR_DT))
		return "the PSR changed";
	return NULL;
}

/* Whether the fault was delivered as the tests of other faults assume it is. */
static const char *compare_delivery(const struct scene *s)
{
	u64 table = s->vector == VEC_VHPT_TRANSLATION ? delivered.cr[CR_IHA] : s->va;
	u64 rr = before.rr[table >> 61];
	bool exec = s->access & ACCESS_EXEC;

	if (delivered.cr[CR_IFA] != (exec ? s->va & ~15ULL : s->va) ||
	    delivered.cr[CR_ITIR] != ((u64)rr_rid(rr) << 8 | rr_ps(rr) << 2) ||
	    delivered.cr[CR_IIP] != before.ip || delivered.cr[CR_IPSR] != before.psr)
		return "IFA, ITIR, IIP or IPSR is not as expected";
	return NULL;
}

/* The hash table after a run, and what a walker could have seen meanwhile. */
static void hash_verdict(const struct scene *s, const struct result *r)
{
	const struct hash_entry *e = &hash_model[hash_index(s->va)];
	const char *wrong = hash_compare();

	check(s, !wrong, "%s", wrong);
	check(s, !r->torn, "%s", r->torn);
	check(s, !r->seen || (r->seen_pte == e->pte && r->seen_itir == e->itir),
	      "a walker could find pte %#llx itir %#llx", (unsigned long long)r->seen_pte,
	      (unsigned long long)r->seen_itir);
	check(s, !r->unordered, "a store to an entry is no release");
	check(s, !r->seen || r->last_fenced == 7,
	      "no fence between the entry and what reads the PTE again");
	check(s, !r->seen || !(e->tag & HASH_INVALID) || r->purged,
	      "no ptc.l after the last entry that is invalidated");
}

/* Verdict about a run: @t is what the TLBs should hold, @pte the word in the table. */
static bool verdict(const struct scene *s, const struct result *r, enum outcome outcome,
		    const struct model *t, u64 pte, u64 psr_set)
{
	const char *wrong;

	if (!check(s, r->outcome != OUTCOME_BAD, "%s at %#llx", r->why,
		   (unsigned long long)r->bad_ip))
		return false;
	if (!check(s, r->outcome == outcome, "ends in %s",
		   r->outcome == OUTCOME_RFI ? "rfi" : "page_fault"))
		return false;
	wrong = compare_delivery(s);
	check(s, !wrong, "%s", wrong);
	check(s, !r->stray, "a store to where the handler has nothing to write");
	registers_save(&now, kernel->m->cpu[0]);
	wrong = compare_registers(outcome, psr_set);
	check(s, !wrong, "%s", wrong);
	wrong = model_compare(t);
	check(s, !wrong, "%s", wrong);
	if (kernel->mode == MODE_LONG)
		hash_verdict(s, r);
	if (slots.pte)
		check(s, read_word(slots.pte) == pte, "the PTE is %#llx, not %#llx",
		      (unsigned long long)read_word(slots.pte), (unsigned long long)pte);
	return true;
}

/* Does it run the instructions that the caller of cases_run() is interested in? */
static bool relevant(const struct scene *s)
{
	/* These handlers go on in the middle of those. */
	if (kernel->mode == MODE_LONG && s->vector == VEC_VHPT_TRANSLATION &&
	    only == (s->access == ACCESS_EXEC ? VEC_INST_TLB : VEC_DATA_TLB))
		return true;
	if (kernel->mode == MODE_NONE && s->va >> 61 <= REGION_KERNEL && walks(s) &&
	    only == VEC_VHPT_TRANSLATION)
		return true;
	return only == ALL_VECTORS || s->vector == only ||
	       (only == VEC_DATA_NESTED_TLB && !s->mapped && !walks(s));
}

/*
 * What another processor purges that flushes this page before step @at: its translation, and
 * in the short format that of the page of the VHPT that has its PTE.
 */
static unsigned int flush_of(const struct scene *s, unsigned int at, struct event *e)
{
	const u64 va[] = { s->va, vhpt_thash(kernel->m->cpu[0], s->va) };
	unsigned int n = at == NEVER ? 0 : kernel->mode == MODE_LONG ? 1 : 2;

	for (unsigned int i = 0; i < n; i++)
		e[i] = (struct event){ .at = at, .what = EVENT_PURGE, .value = va[i] };
	return n;
}

/* Once more when all is over: what it removes need not have been there before, or may be back. */
static void flush(const struct event *e, unsigned int n, struct model *t)
{
	for (unsigned int i = 0; i < n; i++) {
		tlb_purge_global(kernel->m->cpu[1], e[i].value, kernel->page_shift, true);
		model_purge(t, e[i].value, kernel->page_shift);
		size_known = false;
	}
}

/* A scene in which no PTE changes, with a flush before step @at or NEVER. */
static bool fault(const struct scene *s, unsigned int at, struct result *r, struct model *t)
{
	struct timeline pte = { s->pte, s->pte, s->pte, s->pte }, pmd = { 0 };
	enum outcome outcome;
	struct event e[2];
	unsigned int n = flush_of(s, at, e);

	run(s, e, n, r);
	*t = tlb_before;
	pmd.first = pmd.last = slots.table;
	outcome = expect(s, &pte, &pmd, false, t);
	flush(e, n, t);
	return verdict(s, r, outcome, t, pte.end, 0);
}

/* The next moment to try: of a handler that goes round many times, some. */
static unsigned int next_moment(unsigned int at, unsigned int steps, unsigned int most)
{
	unsigned int few = steps < MANY_STEPS ? FEW : FEWER;

	if (kernel->strict && most > few)
		most = few;
	return at + 1 + (steps > most ? random64() % (2 * steps / most) : 0);
}

/* With -strict: the same again, with a flush beside each step. */
static void flushes(const struct scene *s, unsigned int steps,
		    bool (*with)(const struct scene *s, unsigned int at, struct result *r,
				 struct model *t))
{
	struct result r;
	struct model t;

	if (!kernel->strict)
		return;
	for (flushed_at = 0; flushed_at <= steps && !stop();
	     flushed_at = next_moment(flushed_at, steps, FEW))
		with(s, flushed_at, &r, &t);
	flushed_at = NEVER;
}

/* After rfi the reference works, and what the walker finds does. */
static void works(const struct scene *s, const struct model *t)
{
	const char *wrong = scene_reference(s);

	if (!check(s, !wrong, "%s", wrong) || kernel->mode != MODE_LONG || !s->mapped)
		return;
	wrong = scene_walk(s);
	check(s, !wrong, "%s", wrong);
	wrong = model_compare(t);
	check(s, !wrong, "walked for: %s", wrong);
}

/* A scene without other processors.  @again: the reference works afterwards. */
static void plain(const struct scene *s, bool again)
{
	struct model t;
	struct result r;

	if (!relevant(s) || !fault(s, NEVER, &r, &t))
		return;
	check(s, r.nested == (kernel->mode != MODE_LONG && !walks(s) && !s->mapped),
	      "there are %u Data Nested TLB faults", r.nested);
	if (again && r.outcome == OUTCOME_RFI)
		works(s, &t);
	flushes(s, r.steps, fault);
}

/*
 * What a table can hold.
 */
struct kind {
	u64 va, pte;
	bool works;		/* for every reference: rights, accessed, dirty */
};

static struct kind kinds[MAX_KINDS];
static unsigned int n_kinds;

static const u64 all_rights = PTE_P | PTE_A | PTE_D | PTE_PL(3) | PTE_AR(AR_RWX);

static void add_kind(u64 va, u64 pte, bool works)
{
	if (n_kinds == MAX_KINDS)
		abort();
	kinds[n_kinds++] = (struct kind){ va, pte, works };
}

/* All bits that say something about the page. */
static u64 any_rights(void)
{
	static const u8 ma[] = { MA_WB, MA_UC, MA_UCE, MA_WC };
	u64 x = random64();

	return PTE_P | PTE_MA(ma[x & 3]) | (x & (PTE_A | PTE_D | PTE_ED)) | PTE_PL(x >> 8 & 3) |
	       PTE_AR(x >> 10 & 7);
}

static bool insertable(unsigned int ps)
{
	return ps > kernel->page_shift && ps < 63 && INSERTABLE_PAGE_SIZES >> ps & 1;
}

static u64 replica(u64 va, unsigned int ps, u64 rights)
{
	return frame_of(va) | rights | PTE_REPLICA | PTE_PS(ps);
}

/* An address in the middle of somewhere: bundle and word are not aligned to more. */
static u64 some_address(unsigned int region)
{
	return base_of(region) + 0xa5a5a5a0 + 8;
}

static void kinds_of(unsigned int region)
{
	u64 va = some_address(region);

	n_kinds = 0;
	add_kind(va, frame_of(va) | all_rights, true);
	add_kind(va, frame_of(va) | all_rights | PTE_ED, true);
	for (unsigned int i = 0; i < 6; i++)
		add_kind(va, frame_of(va) | any_rights(), false);
	/* Nothing; swapped out, types with and without bit 1, and with the accessed and
	 * the dirty bit; PAGE_NONE
	 */
	add_kind(va, 0, false);
	add_kind(va, 0x123456ULL << 9 | PTE_A | PTE_D, false);
	add_kind(va, 0x123456ULL << 9 | 3 << 1, false);
	add_kind(va, 0x7fffffffULL << 9 | 2 << 1, false);
	add_kind(va, frame_of(va) | PTE_PROTNONE | PTE_A, false);
	if (!kernel->superpage || region_ps(va) != kernel->page_shift)
		return;
	add_kind(va, PTE_PS(kernel->page_shift), false);
	for (unsigned int ps = 0; ps < 63; ps++) {
		u64 block = base_of(region) + (0xa5a5a5a5 & ~MASK(ps));
		u64 last = block + BIT(ps) - PAGE_SIZE_OF(kernel);
		u64 middle = block + BIT(ps) / 2 + 0x5a8;

		if (!insertable(ps))
			continue;
		add_kind(block, replica(block, ps, all_rights), true);
		add_kind(middle, replica(middle, ps, all_rights | PTE_ED), true);
		add_kind(last + 0xff8, replica(last, ps, all_rights), true);
		add_kind(middle, replica(middle, ps, any_rights()), false);
		add_kind(last, replica(last, ps, any_rights()), false);
		add_kind(middle, PTE_PS(ps), false);
		add_kind(middle, (replica(middle, ps, all_rights) & ~PTE_P) | PTE_PROTNONE,
			 false);
	}
}

static const unsigned int accesses[] = { ACCESS_READ, ACCESS_WRITE, ACCESS_EXEC };

static u64 lead(u64 va)
{
	return frame_of(va) | (va & MASK(kernel->page_shift));
}

static enum vector tlb_vector(unsigned int access)
{
	return access == ACCESS_EXEC ? VEC_INST_TLB : VEC_DATA_TLB;
}

static enum vector miss_vector(unsigned int access)
{
	if (kernel->mode == MODE_NONE)
		return access == ACCESS_EXEC ? VEC_ALT_INST_TLB : VEC_ALT_DATA_TLB;
	return tlb_vector(access);
}

/* The misses of the long format, whatever the entry was. */
static void long_misses(struct scene *s, bool works)
{
	static const unsigned int entries[] = { ENTRY_INVALID, ENTRY_OTHER, ENTRY_OLD };

	for (unsigned int i = 0; i < 2 * 3 && !stop(); i++) {
		s->entry = entries[i / 2];
		s->fill = i % 2;
		s->vector = VEC_VHPT_TRANSLATION;
		s->mapped = false;
		for (int natural = 0; natural < 2; natural++) {
			s->natural = natural;
			plain(s, works);
		}
		s->vector = miss_vector(s->access);
		s->natural = false;
		plain(s, works);
		s->mapped = true;
		plain(s, works);
		s->natural = true;
		/* The walker inserts what it finds. */
		if (s->entry != ENTRY_OLD)
			plain(s, works);
	}
}

/* The misses, with each kind of PTE, by every way in. */
static void misses(unsigned int region, unsigned int access)
{
	struct scene s = { .access = access, .level = region == REGION_KERNEL ? 0 : 3 };

	for (unsigned int i = 0; i < n_kinds && !stop(); i++) {
		const struct kind *k = &kinds[i];

		s.va = k->va;
		s.pa = lead(k->va);
		s.pte = k->pte;
		if (kernel->mode == MODE_LONG) {
			long_misses(&s, k->works);
			continue;
		}
		s.vector = VEC_VHPT_TRANSLATION;
		s.mapped = false;
		for (int natural = 0; natural < 2 && kernel->mode == MODE_SHORT; natural++) {
			s.natural = natural;
			plain(&s, k->works);
		}
		s.vector = miss_vector(access);
		for (int mapped = 0; mapped < 2; mapped++) {
			s.mapped = mapped;
			s.natural = false;
			plain(&s, k->works);
		}
		s.natural = true;
		for (int mapped = 0; mapped < 2 && kernel->mode == MODE_NONE; mapped++) {
			s.mapped = mapped;
			plain(&s, k->works);
		}
		/* What the walker does not insert, and the replicas alone. */
		if (kernel->mode != MODE_SHORT)
			continue;
		if (is_replica(k->pte) && k->pte & PTE_P)
			plain(&s, k->works);
	}
}

/* Dirty, instruction access and data access bit. */
static void bits(unsigned int region, unsigned int access)
{
	u64 clear = access == ACCESS_WRITE ? PTE_D : PTE_A;
	struct scene s = {
		.access = access, .level = region == REGION_KERNEL ? 0 : 3,
		.vector = access == ACCESS_WRITE ? VEC_DIRTY_BIT :
			  access == ACCESS_EXEC ? VEC_INST_ACCESS_BIT : VEC_DATA_ACCESS_BIT,
	};

	for (unsigned int i = 0; i < n_kinds && !stop(); i++) {
		const struct kind *k = &kinds[i];

		s.va = k->va;
		s.pa = lead(k->va);
		s.pte = k->pte & ~(k->pte & PTE_P ? clear : 0);
		/* The translation that the fault is about: of the same base page, of one
		 * that was a part of a large page, and one that has gone meanwhile.
		 */
		for (unsigned int ps = 0; ps < 63; ps++) {
			if (ps && ps != region_ps(s.va) && (!kernel->superpage || !insertable(ps) ||
							     region_ps(s.va) != kernel->page_shift))
				continue;
			s.present = ps ? frame_of(s.va) | (all_rights & ~clear) : 0;
			s.present_ps = ps;
			s.natural = ps;
			for (int mapped = 0; mapped < 2; mapped++) {
				s.mapped = mapped;
				s.entry = random64() % 3;
				s.fill = random64() & 1;
				plain(&s, k->works);
			}
		}
		/* The walker finds it, and the processor sees at once that it is clear. */
		if (!(s.pte & PTE_P) || !k->works || kernel->mode == MODE_NONE)
			continue;
		if (kernel->mode == MODE_SHORT && is_replica(s.pte))
			continue;
		s.present = 0;
		s.entry = ENTRY_SAME;
		s.mapped = s.natural = true;
		plain(&s, true);
	}
}

/* No table at some level, and addresses for which there cannot be any. */
static void no_tables(unsigned int region, unsigned int access)
{
	static const enum vector with_nested[] = {
		VEC_DIRTY_BIT, VEC_INST_ACCESS_BIT, VEC_DATA_ACCESS_BIT,
	};
	const u64 beyond[] = { BIT(mapped_bits(region)), BIT(59), BIT(60), 7ULL << 58 };
	struct scene s = { .access = access, .level = region == REGION_KERNEL ? 0 : 3 };
	unsigned int pmd_shift = 2 * kernel->page_shift - 3;
	u64 va = some_address(region);

	for (unsigned int i = 0; i < kernel->levels - 1 + 4 && !stop(); i++) {
		s.missing = i < kernel->levels - 1 ? i + 1 : 0;
		s.va = va | (s.missing ? 0 : beyond[i - (kernel->levels - 1)]);
		s.pa = lead(va);
		s.pte = frame_of(va) | all_rights;
		/* vhpt_miss has the PMD's index where the PTE would be. */
		for (u64 n = 0; n < 4; n++) {
			s.va = (s.va & ~(3ULL << pmd_shift)) | n << pmd_shift;
			s.entry = random64() & 1 ? ENTRY_INVALID : ENTRY_OTHER;
			s.vector = VEC_VHPT_TRANSLATION;
			s.natural = true;
			if (kernel->mode != MODE_NONE)
				plain(&s, false);
			s.natural = false;
			if (kernel->mode != MODE_NONE)
				plain(&s, false);
			s.vector = miss_vector(access);
			plain(&s, false);
			if (kernel->mode != MODE_SHORT) {
				s.natural = s.mapped = true;
				s.mapped = kernel->mode == MODE_LONG;
				plain(&s, false);
				s.natural = s.mapped = false;
			}
			for (unsigned int v = 0; v < 3; v++) {
				if ((with_nested[v] == VEC_INST_ACCESS_BIT) !=
				    (access == ACCESS_EXEC))
					continue;
				s.vector = with_nested[v];
				plain(&s, false);
			}
		}
	}
}

/*
 * Regression: regions 6 and 7 and the per-cpu area, where there are no tables.
 */
static bool is_speculative_reference(unsigned int access)
{
	return access == REFERENCE_LD_S || access == REFERENCE_LFETCH;
}

static bool alternate_fault(const struct scene *s, unsigned int at, struct result *r,
			    struct model *t)
{
	bool percpu = s->va >= -kernel->percpu_size;
	bool speculative = is_speculative_reference(s->access);
	unsigned int percpu_ps = __builtin_ctzll(kernel->percpu_size);
	unsigned int ps = percpu ? percpu_ps : region_ps(s->va);
	u64 pte = (s->pa & PTE_FRAME) | PTE_KERNEL | PTE_MA(s->va >> 61 == 6 ? MA_UC : MA_WB);
	struct event e[2];
	unsigned int n = flush_of(s, at, e);

	run(s, e, n, r);
	*t = tlb_before;
	new_size = NO_SIZE;
	size_known = true;
	if (!s->level && !speculative) {
		struct tlb_entry insert = translation(s->va, pte, ps);

		model_insert(t, !(s->access & ACCESS_EXEC), &insert);
	}
	flush(e, n, t);
	return verdict(s, r, s->level ? OUTCOME_PAGE_FAULT : OUTCOME_RFI, t, 0,
		       speculative ? BIT(PSR_ED) : 0);
}

static void alternate(const struct scene *s)
{
	struct model t;
	struct result r;

	if (!relevant(s) || !alternate_fault(s, NEVER, &r, &t))
		return;
	if (!s->level && !is_speculative_reference(s->access)) {
		const char *wrong = scene_reference(s);

		check(s, !wrong, "%s", wrong);
	}
	flushes(s, r.steps, alternate_fault);
}

static void alternates(void)
{
	static const unsigned int made[] = {
		ACCESS_READ, ACCESS_WRITE, ACCESS_EXEC, REFERENCE_LD_S, REFERENCE_LFETCH,
	};
	/* At the beginning of a granule, so that what goes wrong goes to another. */
	static const u64 where[] = { REGION(6) | 0x200005a8, REGION(7) | 0x200005a8 };
	struct scene s = { .natural = true };

	for (unsigned int i = 0; i < sizeof(made) / sizeof(made[0]) && !stop(); i++) {
		s.access = made[i];
		s.vector = made[i] == ACCESS_EXEC ? VEC_ALT_INST_TLB : VEC_ALT_DATA_TLB;
		for (s.level = 0; s.level < 4 && !stop(); s.level += 3) {
			for (unsigned int n = 0; n < 2; n++) {
				s.va = where[n];
				s.pa = OFFSET(s.va);
				alternate(&s);
			}
			s.va = -kernel->percpu_size + 0x1238;
			s.pa = PERCPU - kernel->percpu_size + 0x1238;
			if (made[i] != ACCESS_EXEC)
				alternate(&s);
		}
	}
}

/*
 * Other processors change the tables meanwhile, at every moment that there is.
 */
static bool run_poked(const struct scene *s, const struct result *alone, unsigned int at,
		      u64 value, unsigned int what)
{
	struct event e = { .at = at, .what = what, .value = value };
	bool pud_changed = false;
	struct timeline pte, table;
	enum outcome outcome;
	struct model t;
	struct result r;

	run(s, &e, 1, &r);
	t = tlb_before;
	pte.first = pte.middle = pte.last = s->pte;
	table.first = table.last = slots.table;
	if (what == EVENT_PUD) {
		/* To another table, which leads to the same one, or to none. */
		if (at <= alone->pud_first && !value)
			table.first = table.last = 0;
		pud_changed = at > alone->pud_first && at <= alone->pud_last;
		pte.end = s->pte;
		outcome = expect(s, &pte, &table, pud_changed, &t);
		verdict(s, &r, outcome, &t, pte.end, 0);
		return at < r.steps;
	}
	if (what == EVENT_PMD) {
		/* To another table, which has the PTE of another page, or to none. */
		if (at <= alone->pmd_first) {
			table.first = value;
			pte.first = pte.middle = pte.last = value ? read_word(value | (slots.pte &
							MASK(kernel->page_shift))) : 0;
		}
		if (at <= alone->pmd_last)
			table.last = value;
		pte.end = s->pte;
		outcome = expect(s, &pte, &table, false, &t);
		verdict(s, &r, outcome, &t, pte.end, 0);
		return at < r.steps;
	}
	if (at <= alone->first)
		pte.first = value;
	if (at <= alone->first || (alone->cmpxchg != NEVER && at <= alone->cmpxchg))
		pte.middle = value;
	if (at <= alone->last)
		pte.last = value;
	pte.end = value;
	outcome = expect(s, &pte, &table, false, &t);
	verdict(s, &r, outcome, &t, pte.end, 0);
	return at < r.steps;
}

/* The page of the VHPT goes from the TLB; the handler has to end as if it had not. */
static bool run_unmapped(const struct scene *s, const struct result *alone, unsigned int at)
{
	struct event e = { .at = at, .what = EVENT_UNMAP };
	struct timeline pte = { s->pte, s->pte, s->pte, s->pte }, pmd = { 0 };
	enum outcome outcome;
	struct model t;
	struct result r;

	run(s, &e, 1, &r);
	t = tlb_before;
	pmd.first = pmd.last = slots.table;
	/* A PTE that cannot be read again counts as one that has changed. */
	if (kernel->superpage && is_miss(s->vector) && !walks(s) && at > alone->first &&
	    at <= alone->last)
		pte.last = ~pte.first;
	outcome = expect(s, &pte, &pmd, false, &t);
	model_purge(&t, vhpt_thash(kernel->m->cpu[0], s->va), kernel->page_shift);
	size_known = false;
	verdict(s, &r, outcome, &t, pte.end, 0);
	return at < r.steps;
}

static void unmap(const struct scene *s)
{
	struct result alone;

	run(s, NULL, 0, &alone);
	for (unsigned int at = 0; run_unmapped(s, &alone, at) && !stop(); at++)
		;
}

/* All handlers of PTEs, each with a scene. */
static const struct {
	enum vector vector;
	unsigned int access;
	bool mapped;
} users[] = {
	{ VEC_VHPT_TRANSLATION, ACCESS_READ, false }, { VEC_VHPT_TRANSLATION, ACCESS_EXEC, false },
	{ VEC_INST_TLB, ACCESS_EXEC, true }, { VEC_INST_TLB, ACCESS_EXEC, false },
	{ VEC_DATA_TLB, ACCESS_READ, true }, { VEC_DATA_TLB, ACCESS_READ, false },
	{ VEC_DIRTY_BIT, ACCESS_WRITE, true }, { VEC_DIRTY_BIT, ACCESS_WRITE, false },
	{ VEC_INST_ACCESS_BIT, ACCESS_EXEC, true }, { VEC_INST_ACCESS_BIT, ACCESS_EXEC, false },
	{ VEC_DATA_ACCESS_BIT, ACCESS_READ, true }, { VEC_DATA_ACCESS_BIT, ACCESS_READ, false },
};

enum { N_USERS = sizeof(users) / sizeof(users[0]) };

static struct scene user_scene(unsigned int user, u64 va, u64 pte)
{
	return (struct scene){
		.vector = users[user].vector <= VEC_DATA_TLB && users[user].vector ?
			  miss_vector(users[user].access) : users[user].vector,
		.access = users[user].access, .level = 3, .mapped = users[user].mapped,
		.va = va, .pa = lead(va), .pte = pte,
	};
}

/* Is it one in this mode?  The long format has the table mapped or vhpt_miss. */
static bool is_user(unsigned int user)
{
	bool vhpt = users[user].vector == VEC_VHPT_TRANSLATION;

	return kernel->mode == MODE_SHORT ||
	       (kernel->mode == MODE_LONG ? users[user].mapped || vhpt : !vhpt);
}

/* One change, at all moments. */
static void poke(struct scene *s, u64 value, unsigned int what)
{
	struct result alone;

	if (kernel->mode == MODE_LONG) {
		s->entry = random64() % 3;
		s->fill = random64() % 8 == 0;
	}
	run(s, NULL, 0, &alone);
	for (unsigned int at = 0; run_poked(s, &alone, at, value, what) && !stop();
	     at = next_moment(at, alone.steps, 160))
		;
}

static void changes(unsigned int user)
{
	const u64 va = some_address(1), frame = frame_of(va);
	const u64 clear = is_miss(users[user].vector) ? 0 : PTE_D | PTE_A;
	const u64 rights = all_rights & ~clear;
	u64 words[32];
	unsigned int n = 0, few;

	words[n++] = 0;
	words[n++] = frame | rights;
	words[n++] = frame | rights | PTE_ED;
	words[n++] = frame | rights | PTE_A;
	words[n++] = frame | rights | PTE_A | PTE_D;
	words[n++] = (frame ^ BIT(20)) | rights;
	words[n++] = frame | (rights & ~PTE_AR(7)) | PTE_AR(AR_R);
	words[n++] = frame | PTE_PROTNONE | PTE_A;
	few = n;
	for (unsigned int ps = 0; kernel->superpage && ps < 63; ps++) {
		if (!insertable(ps))
			continue;
		words[n++] = replica(va, ps, rights);
		if (ps < kernel->page_shift + 5)
			words[n++] = (replica(va, ps, rights) & ~PTE_P) | PTE_PROTNONE;
	}
	for (unsigned int from = 0; from < n; from++) {
		struct scene s = user_scene(user, va, words[from]);

		if (!relevant(&s))
			return;
		for (unsigned int to = 0; to < n && !stop(); to++) {
			if (to == from)
				continue;
			/* The handlers of the long format look at the PTE only as a whole. */
			if (kernel->mode == MODE_LONG && from >= few && random64() % 8)
				continue;
			poke(&s, words[to], EVENT_PTE);
		}
		if (s.mapped && kernel->mode != MODE_LONG && !stop())
			unmap(&s);
		if ((kernel->mode != MODE_LONG && !walks(&s)) || stop())
			continue;
		poke(&s, 0, EVENT_PMD);
		poke(&s, OTHER_TABLE, EVENT_PMD);
		if (kernel->levels < 4 && !kernel->superpage)
			continue;
		poke(&s, 0, EVENT_PUD);
		poke(&s, OTHER_PMDS, EVENT_PUD);
	}
}

/* Of the hash table, that is for all base pages of what was a superpage. */
static void check_stale_entries(const struct scene *s, const struct event *e, u64 page,
				u64 page_pte)
{
	unsigned int ps = pte_ps(s->va, s->pte);
	u64 first = s->va & ~MASK(ps), to = e[0].value;

	if (kernel->mode != MODE_LONG)
		return;
	for (u64 va = first; va < first + BIT(ps); va += PAGE_SIZE_OF(kernel)) {
		const struct hash_entry *is = hash_find(va);
		struct tlb_entry should;
		u64 pte = 0;

		if (!((va ^ page) >> kernel->page_shift))
			pte = page_pte;
		else if (!((va ^ s->va) >> kernel->page_shift) || is_replica(to))
			pte = to;
		should = translation(va, pte, pte_ps(va, pte));
		check(s, !is || (pte & PTE_P && FIELD(is->itir, 2, 6) == should.ps &&
				 (is->pte & PTE_FRAME & ~MASK(should.ps)) == should.ppn &&
				 FIELD(is->pte, 9, 3) == should.ar &&
				 FIELD(is->pte, 7, 2) == should.pl),
		      "stale entry of %#llx; changed before step %u, invalidated before %u, "
		      "purged before %u", (unsigned long long)va, e[0].at, e[2].at, e[1].at);
	}
}

/*
 * Safety: once another processor has changed the PTE of a page and purged that
 * page, no translation of it is left that is not what the PTE says; at whatever
 * moments of the handler the two happen.
 */
static void check_stale(const struct scene *s, const struct event *e, u64 va, u64 pte)
{
	struct tlb_entry should = pte_translation(va, pte);
	struct cpu *cpu = kernel->m->cpu[0];
	struct result r;

	run(s, e, kernel->mode == MODE_LONG ? 3 : 2, &r);
	if (!check(s, r.outcome != OUTCOME_BAD, "%s at %#llx", r.why,
		   (unsigned long long)r.bad_ip))
		return;
	for (int data = 0; data < 2; data++) {
		const struct tlb_entry *is = tlb_find(data ? &cpu->dtlb : &cpu->itlb,
						      rr_rid(cpu->rr[va >> 61]), va);

		check(s, !is || (pte & PTE_P && is->ps == should.ps && is->ppn == should.ppn &&
				 is->ar == should.ar && is->pl == should.pl && is->p),
		      "stale translation of %#llx; changed before step %u, purged before %u",
		      (unsigned long long)va, e[0].at, e[1].at);
	}
	check_stale_entries(s, e, va, pte);
}

/* Changed before step @i, purged before @j: in the long format the hash table is
 * between the two.
 */
static void stale_at(const struct scene *s, struct event *e, unsigned int i, unsigned int j,
		     u64 page, u64 page_pte)
{
	e[0].at = i;
	e[1].at = j;
	e[2].at = j;
	check_stale(s, e, page, page_pte);
	if (kernel->mode != MODE_LONG || i == j)
		return;
	e[2].at = i + random64() % (j - i);
	check_stale(s, e, page, page_pte);
}

static void stale(unsigned int user, u64 va, u64 from, u64 to, u64 page, u64 page_pte,
		  bool large)
{
	struct scene s = user_scene(user, va, from);
	struct event e[3] = {
		{ .what = EVENT_PTE, .value = to }, { .what = EVENT_PURGE, .value = page },
		{ .what = EVENT_INVALIDATE, .value = va, .ps = pte_ps(va, from) },
	};
	struct result r;

	if (large) {
		s.present = frame_of(va) | all_rights;
		s.present_ps = 20;
	}
	if (!relevant(&s))
		return;
	for (s.fill = 0; s.fill <= (kernel->mode == MODE_LONG && is_replica(from)); s.fill++) {
		unsigned int most = s.fill ? 30 : 1000;

		s.entry = kernel->mode == MODE_LONG ? random64() % 3 : ENTRY_INVALID;
		run(&s, NULL, 0, &r);
		for (unsigned int i = 0; i <= r.steps + 1; i = next_moment(i, r.steps, most))
			for (unsigned int j = i; j <= r.steps + 2 && !stop();
			     j = next_moment(j, r.steps, most))
				stale_at(&s, e, i, j, page, page_pte);
	}
}

static void safety(unsigned int user)
{
	const u64 va = some_address(1), frame = frame_of(va);
	const u64 rights = is_miss(users[user].vector) ? all_rights : all_rights & ~(PTE_D | PTE_A);
	const u64 base = frame | rights, read_only = frame | (rights & ~PTE_AR(7));
	const u64 large = replica(va, 20, rights), neighbour = va ^ BIT(17);

	stale(user, va, base, 0, va, 0, false);
	stale(user, va, base, read_only, va, read_only, false);
	if (!kernel->superpage)
		return;
	stale(user, va, base, large, va, large, false);
	stale(user, va, large, 0, va, 0, false);
	stale(user, va, large, read_only, va, read_only, false);
	stale(user, va, large, replica(va, 22, rights & ~PTE_AR(7)), va,
	      replica(va, 22, rights & ~PTE_AR(7)), false);
	/* This page is demoted only; another one of the superpage goes. */
	stale(user, va, large, base, neighbour, 0, false);
	stale(user, va, large, base, neighbour, 0, true);
}

/*
 * Another processor changes the PTE, and purges its page and the page of the VHPT that has
 * it, as flush_tlb_range() does.  So the handler misses in the middle, begins once more, and
 * finds what has come meanwhile.  @e: the purge of the VHPT's page, and what comes; the
 * change and the purge before, if the frame is another one; and what comes even later.
 */
static void again_at(const struct scene *s, const struct event *e, unsigned int n)
{
	struct cpu *cpu = kernel->m->cpu[0];
	const struct tlb_entry *is;
	struct tlb_entry should;
	const char *wrong;
	struct result r;
	u64 pte;

	run(s, e, n, &r);
	if (!check(s, r.outcome != OUTCOME_BAD, "%s at %#llx", r.why,
		   (unsigned long long)r.bad_ip))
		return;
	registers_save(&now, cpu);
	new_size = NO_SIZE;
	size_known = false;
	wrong = compare_registers(r.outcome, 0);
	check(s, !wrong, "%s; unmapped before step %u, then %#llx before %u", wrong, e[0].at,
	      (unsigned long long)e[1].value, e[1].at);
	check(s, !r.stray, "a store to where the handler has nothing to write");
	pte = e[1].what == EVENT_PTE ? read_word(slots.pte) : 0;
	should = pte_translation(s->va, pte);
	for (int data = 0; n > 2 && data < 2; data++) {
		is = tlb_find(data ? &cpu->dtlb : &cpu->itlb, rr_rid(cpu->rr[s->va >> 61]), s->va);
		check(s, !is || (pte & PTE_P && is->ps == should.ps && is->ppn == should.ppn),
		      "stale translation; changed before step %u, purged before %u, then %#llx "
		      "before %u, %#llx in the end", e[2].at, e[0].at,
		      (unsigned long long)e[1].value, e[1].at, (unsigned long long)pte);
	}
}

static void again(unsigned int user)
{
	const u64 va = some_address(1), rights = all_rights & ~(PTE_D | PTE_A);
	const u64 frame = frame_of(va), other = frame ^ BIT(20);
	const u64 set = PTE_A | (users[user].vector == VEC_DIRTY_BIT ? PTE_D : 0);
	const struct {
		unsigned int what;
		u64 value;
		bool same, later;
	} comes[] = {
		{ .what = EVENT_PTE, .value = 0 },
		{ .what = EVENT_PTE, .value = 0x123456ULL << 9 },
		{ .what = EVENT_PTE, .value = 0x123456ULL << 9 | 1 << 1 },
		{ .what = EVENT_PTE, .value = 0x123456ULL << 9 | 29 << 1 },
		{ .what = EVENT_PMD },
		/* Another processor sets the bits of what has come. */
		{ .what = EVENT_PTE, .value = other | rights, .later = true },
		/* The same frame needs no purge, as the rights are the same. */
		{ .what = EVENT_PTE, .value = replica(va, 20, rights), .same = true },
	};
	struct scene s = user_scene(user, va, frame | (is_miss(users[user].vector) ? all_rights :
						       rights));
	struct event e[5] = {
		{ .what = EVENT_UNMAP }, { .what = EVENT_PTE },
		{ .what = EVENT_PTE, .value = 0 }, { .what = EVENT_PURGE, .value = va },
		{ .what = EVENT_PTE, .value = other | rights | set },
	};
	struct result r;

	if (!s.mapped || (!relevant(&s) && only != VEC_DATA_NESTED_TLB))
		return;
	run(&s, NULL, 0, &r);
	for (unsigned int c = 0; c < sizeof(comes) / sizeof(comes[0]); c++) {
		unsigned int n = comes[c].same ? 2 : comes[c].later ? 5 : 4;
		unsigned int latest = comes[c].later ? 10 : 1;

		if (comes[c].same && !kernel->superpage)
			continue;
		e[1].what = comes[c].what;
		e[1].value = comes[c].value;
		for (unsigned int j = 0; j <= r.steps; j++) {
			unsigned int i = comes[c].same ? j : random64() % (j + 1);

			e[0].at = e[3].at = j;
			e[2].at = i;
			for (unsigned int k = j; k <= r.steps + 50 && !stop(); k++) {
				e[1].at = k;
				for (unsigned int l = k + 1; l <= k + latest; l++) {
					e[4].at = l;
					again_at(&s, e, n);
				}
			}
		}
	}
}

static void region_cases(unsigned int region)
{
	kinds_of(region);
	for (unsigned int i = 0; i < 3 && !stop(); i++) {
		misses(region, accesses[i]);
		bits(region, accesses[i]);
		no_tables(region, accesses[i]);
	}
}

bool cases_run(bool stop_early, unsigned int vector)
{
	unsigned int failed = n_failed;

	quick = stop_early;
	only = vector;
	scene_init();
	/* Other predicates each time. */
	for (unsigned int round = 0; round < 10; round++)
		alternates();
	for (unsigned int region = 0; region <= REGION_KERNEL; region++)
		region_cases(region);
	/* With huge pages as small as these an index into the root table is not always 0. */
	if (kernel->hugetlb) {
		unsigned int was = huge_shift;

		huge_shift = kernel->page_shift + 2;
		scene_init();
		region_cases(REGION_HUGE);
		huge_shift = was;
		scene_init();
	}
	for (unsigned int i = 0; i < N_USERS && !stop(); i++)
		if (is_user(i))
			changes(i);
	for (unsigned int i = 0; i < N_USERS && !stop(); i++)
		if (is_user(i))
			safety(i);
	for (unsigned int i = 0; i < N_USERS && !stop() && kernel->mode == MODE_SHORT; i++)
		again(i);
	return n_failed == failed;
}
