// SPDX-License-Identifier: GPL-2.0
/*
 * Translation of a reference, with the VHPT walker and every check that a
 * reference goes through: SDM volume 2, sections 4.1 (4.1.5 to 4.1.8 for the
 * VHPT), 4.3 (physical addressing), 5.5.5 (deferral), 7.1 (breakpoints).
 */
#include <string.h>

#include "mmu/phys.h"
#include "mmu/tlb.h"
#include "state/machine.h"

#define ISR_NAT_PAGE	0x20

#define PTA_VE		BIT(0)
#define PTA_VF		BIT(8)
#define RR_VE		BIT(0)

/* Protection key registers. */
enum { PKR_V = 1, PKR_WD = 2, PKR_RD = 4, PKR_XD = 8 };

/* Second register of a breakpoint pair. */
enum { BREAKPOINT_PLM = 56, DBR_W = 62, DBR_R = 63, IBR_X = 63 };

/*
 * Hash and tag of the long format are the model's choice, as long as index and
 * tag together tell pages apart (SDM 3:265, 3:269).  With at least 2^10 entries (the
 * smallest table) the low bits of the index and of the tag give away the RID's
 * low bits, these the page number's high bits, and the tag the rest.
 */
static u64 hashed_page(const struct cpu *cpu, u64 va)
{
	return (va & MASK(IMPL_VA_MSB + 1)) >> rr_ps(cpu->rr[va >> 61]);
}

u64 vhpt_thash(const struct cpu *cpu, u64 va)
{
	u64 pta = cpu->cr[CR_PTA];
	u64 mask = MASK(FIELD(pta, 2, 6)) | MASK(15);
	u64 base = pta & MASK(61) & ~mask;
	u64 hpn = hashed_page(cpu, va);
	u64 region, offset;

	mask &= MASK(61);
	if (pta & PTA_VF) {
		region = pta >> 61;
		offset = (hpn ^ rr_rid(cpu->rr[va >> 61])) << 5;
		if (is_broken(cpu, BROKEN_THASH))
			offset ^= (u64)cpu->id << 5;
	} else {
		region = va >> 61;
		offset = hpn << 3;
	}
	return region << 61 | base | (offset & mask);
}

u64 vhpt_ttag(const struct cpu *cpu, u64 va)
{
	u64 tag = hashed_page(cpu, va) ^ (u64)rr_rid(cpu->rr[va >> 61]) << 39;

	if (is_broken(cpu, BROKEN_TTAG))
		tag ^= cpu->id;
	return tag & MASK(63);
}

static u64 default_itir(const struct cpu *cpu, u64 va)
{
	u64 rr = cpu->rr[va >> 61];

	return (u64)rr_rid(rr) << 8 | rr_ps(rr) << 2;
}

/* Any byte of the reference counts; mask bits 63:56 do not exist and compare. */
static bool breakpoint(const u64 *pair, u64 va, unsigned int size)
{
	u64 mask = pair[1] | ~MASK(56);

	for (unsigned int i = 0; i < size; i++) {
		if (!((va + i) & mask & ~pair[0]) && !(~(va + i) & mask & pair[0]))
			return true;
	}
	return false;
}

static bool data_breakpoint(const struct cpu *cpu, u64 va, unsigned int size,
			    unsigned int access, unsigned int level)
{
	for (unsigned int n = 0; n < N_BREAKPOINTS; n += 2) {
		u64 control = cpu->dbr[n + 1];
		bool wanted = (access & ACCESS_READ && control & BIT(DBR_R)) ||
			      (access & ACCESS_WRITE && control & BIT(DBR_W));

		if (wanted && control >> (BREAKPOINT_PLM + level) & 1 &&
		    breakpoint(&cpu->dbr[n], va, size))
			return true;
	}
	return false;
}

static bool instruction_breakpoint(const struct cpu *cpu, u64 va, unsigned int level)
{
	for (unsigned int n = 0; n < N_BREAKPOINTS; n += 2) {
		u64 control = cpu->ibr[n + 1];

		if (control & BIT(IBR_X) && control >> (BREAKPOINT_PLM + level) & 1 &&
		    breakpoint(&cpu->ibr[n], va & ~15ULL, 16))
			return true;
	}
	return false;
}

enum key_check { KEY_FINE, KEY_MISS, KEY_DENIED };

static enum key_check check_key(const struct cpu *cpu, u32 key, unsigned int access)
{
	u64 denied = 0;

	if (!psr(cpu, PSR_PK))
		return KEY_FINE;
	if (access & ACCESS_READ)
		denied |= PKR_RD;
	if (access & ACCESS_WRITE)
		denied |= PKR_WD;
	if (access & ACCESS_EXEC)
		denied |= PKR_XD;
	/* Two registers with one key are software's error: the first counts. */
	for (unsigned int n = 0; n < IMPL_PKRS; n++) {
		u64 pkr = cpu->pkr[n];

		if (pkr & PKR_V && pkr >> 8 == key)
			return pkr & denied ? KEY_DENIED : KEY_FINE;
	}
	return KEY_MISS;
}

/*
 * What a level may do with a page, SDM table 4-2: by access rights, by whether
 * the level is the page's own or a more privileged one but not 0, or 0.  Less
 * privileged levels have nothing, but of execute-only pages.
 */
static bool allowed(const struct tlb_entry *e, unsigned int level, unsigned int access)
{
	enum { R = ACCESS_READ, W = ACCESS_WRITE, X = ACCESS_EXEC };
	static const u8 rights[8][3] = {
		/* own level, above, level 0 */
		[AR_R] = { R, R, R },
		[AR_RX] = { R | X, R | X, R | X },
		[AR_RW] = { R | W, R | W, R | W },
		[AR_RWX] = { R | W | X, R | W | X, R | W | X },
		[AR_R_RW] = { R, R | W, R | W },
		[AR_RX_RWX] = { R | X, R | X, R | W | X },
		[AR_RWX_RW] = { R | W | X, R | W, R | W },
		[AR_X_RX] = { X, X, R | X },
	};
	unsigned int wanted = access & (R | W | X);

	if (e->ar == AR_X_RX)
		return !(wanted & ~rights[e->ar][level ? 1 : 2]);
	if (level > e->pl)
		return false;
	return !(wanted & ~rights[e->ar][!level ? 2 : level == e->pl ? 0 : 1]);
}

/* The word at a VHPT address; DCR.be says in which byte order tables are. */
static u64 table_word(const struct cpu *cpu, const u8 *entry, unsigned int offset)
{
	u64 word;

	memcpy(&word, entry + offset, sizeof(word));
	return cpu->cr[CR_DCR] & BIT(DCR_BE) ? __builtin_bswap64(word) : word;
}

enum walk { WALK_DISABLED, WALK_VHPT_MISS, WALK_ABORTED, WALK_DONE };

/*
 * One search of the VHPT (SDM 2:63, 2:67).  Only a miss for the table itself
 * is reported as such; whatever else is wrong ends the walk and leaves the
 * reference with its TLB miss.  *loads becomes the physical address that it loads from.
 */
static enum walk walk(struct cpu *cpu, bool data, u64 va, u64 address,
		      struct tlb_entry **found, u64 *loads)
{
	bool is_long = cpu->cr[CR_PTA] & PTA_VF;
	unsigned int size = is_long ? 32 : 8;
	struct tlb_entry *table;
	u64 pa, pte, itir, tag;
	const u8 *entry;

	if (is_long && is_broken(cpu, BROKEN_WALKER_HASH))
		address ^= size;
	if (unimplemented_va(address))
		return WALK_ABORTED;
	table = tlb_find(&cpu->dtlb, rr_rid(cpu->rr[address >> 61]), address);
	if (!table)
		return WALK_VHPT_MISS;
	table->used = true;
	/* Rights need no look: level 0 may read everything. */
	if (!table->p || table->ma == MA_NATPAGE ||
	    check_key(cpu, table->key, ACCESS_READ) != KEY_FINE || !table->a)
		return WALK_ABORTED;
	if (psr(cpu, PSR_DB) && data_breakpoint(cpu, address, size, ACCESS_READ, 0))
		return WALK_ABORTED;
	if (table->ma != MA_WB)
		return WALK_ABORTED;
	pa = table->ppn | (address & MASK(table->ps));
	entry = phys_ram(cpu->machine, pa, size);
	if (!entry)
		return WALK_ABORTED;

	*loads = pa;
	pte = table_word(cpu, entry, 0);
	if (is_long) {
		itir = table_word(cpu, entry, 8);
		tag = table_word(cpu, entry, 16);
		if (is_broken(cpu, BROKEN_TAG_TI))
			tag &= ~BIT(63);
		/* ti is the tag's bit 63, which no computed tag has */
		if (tag != vhpt_ttag(cpu, va))
			return WALK_ABORTED;
	} else {
		itir = default_itir(cpu, va);
	}
	if (is_broken(cpu, BROKEN_WALKER_RESERVED) && pte & 1)
		pte &= ~BIT(1);
	if (tlb_reserved(pte, itir))
		return WALK_ABORTED;
	*found = tlb_insert_walker(cpu, data, pte, itir, va);
	return *found ? WALK_DONE : WALK_ABORTED;
}

/* When the walker is enabled, SDM 2:67. */
static bool walker_enabled(const struct cpu *cpu, u64 va, unsigned int access)
{
	if (!(cpu->cr[CR_PTA] & PTA_VE) || !(cpu->rr[va >> 61] & RR_VE) || !psr(cpu, PSR_DT))
		return false;
	if (access & ACCESS_EXEC)
		return psr(cpu, PSR_IT) && psr(cpu, PSR_IC);
	if (access & ACCESS_RSE)
		return psr(cpu, PSR_RT);
	return true;
}

/* The walker has found what a reference missed. */
static void __attribute__((noinline)) note_served(struct cpu *cpu, u64 va, unsigned int access)
{
	if (access & ACCESS_EXEC)
		note_code_miss(cpu, va, CODE_EAR_WALKER);
	else if (!(access & ACCESS_NON))
		note_data_miss(cpu, va, DATA_EAR_WALKER);
}

/* The TLB entry for va, found or walked for, or NULL with how that ended. */
static struct tlb_entry *search(struct cpu *cpu, u64 va, unsigned int access,
				enum walk *how, u64 *address)
{
	bool data = !(access & ACCESS_EXEC);
	struct tlb_entry *e = tlb_find(data ? &cpu->dtlb : &cpu->itlb,
				       rr_rid(cpu->rr[va >> 61]), va);
	struct tlb_stats *stats = &cpu->stats.tlb[data];
	u64 loads = NO_TABLE;

	*how = WALK_DISABLED;
	if (!e) {
		note_seldom(cpu);
		note_wanted(cpu, rr_rid(cpu->rr[va >> 61]), va, rr_ps(cpu->rr[va >> 61]), data);
		stats->misses++;
		if (walker_enabled(cpu, va, access)) {
			*address = vhpt_thash(cpu, va);
			stats->walks++;
			*how = walk(cpu, data, va, *address, &e, &loads);
			note_walk(cpu, loads, !data);
			stats->walk_loads += loads != NO_TABLE;
			if (*how == WALK_ABORTED)
				stats->walk_aborts++;
			else if (*how == WALK_VHPT_MISS)
				stats->walk_vhpt_misses++;
			if (e && __builtin_expect(cpu->pmu.on, 0))
				note_served(cpu, va, access);
		}
	}
	if (e)
		e->used = true;
	return e;
}

void vhpt_walk_early(struct cpu *cpu, u64 va, bool data)
{
	u32 rid = rr_rid(cpu->rr[va >> 61]);
	struct tlb_stats before = cpu->stats.tlb[data];
	struct tlb_entry *e = NULL;
	u64 loads;

	if (!walker_enabled(cpu, va, data ? ACCESS_READ : ACCESS_EXEC) || unimplemented_va(va) ||
	    tlb_find(data ? &cpu->dtlb : &cpu->itlb, rid, va))
		return;
	walk(cpu, data, va, vhpt_thash(cpu, va), &e, &loads);
	cpu->stats.tlb[data] = before;
}

/* One reference on its way through the checks. */
struct reference {
	struct cpu *cpu;
	u64 va;
	unsigned int access, level;
	struct fault *f;
	int page_ed;		/* of the page with the instruction; -1 not known */
};

/* ITLB.ed of the running instruction; 0 without instruction translation. */
static bool page_ed(struct reference *r)
{
	struct cpu *cpu = r->cpu;

	if (r->page_ed < 0) {
		struct tlb_entry *e = NULL;

		if (psr(cpu, PSR_IT))
			e = tlb_find(&cpu->itlb, rr_rid(cpu->rr[cpu->ip >> 61]), cpu->ip);
		r->page_ed = e && e->ed;
	}
	return r->page_ed;
}

/* This interruption it is.  Always false, for translate() to return. */
static bool fail(struct reference *r, enum vector vector, u64 code)
{
	struct cpu *cpu = r->cpu;
	u64 isr = code;

	if (r->access & ACCESS_EXEC) {
		/* The unimplemented address is a trap's business (2:206). */
		if (vector != VEC_LOWER_PRIVILEGE_TRANSFER)
			isr |= BIT(ISR_X);
	} else {
		if (r->access & ACCESS_READ)
			isr |= BIT(ISR_R);
		if (r->access & ACCESS_WRITE)
			isr |= BIT(ISR_W);
		if (r->access & ACCESS_NON)
			isr |= BIT(ISR_NA) | FIELD(r->access, 8, 4);
		if (r->access & ACCESS_SPEC)
			isr |= BIT(ISR_SP);
		if (r->access & ACCESS_RSE)
			isr |= BIT(ISR_RS);
		else if (vector != VEC_NAT_CONSUMPTION && page_ed(r))
			isr |= BIT(ISR_ED);
	}
	*r->f = (struct fault){
		.vector = vector,
		.isr = isr,
		.ifa = r->access & ACCESS_EXEC ? r->va & ~15ULL : r->va,
		.sets_ifa = true,
		.itir = default_itir(cpu, r->va),
		/* Those that are about the translation have it (2:165). */
		.sets_itir = vector <= VEC_DATA_ACCESS_BIT ||
			     (vector >= VEC_PAGE_NOT_PRESENT && vector <= VEC_DATA_ACCESS_RIGHTS) ||
			     vector == VEC_NAT_CONSUMPTION,
	};
	return false;
}

static bool miss(struct reference *r, enum walk how, u64 address)
{
	struct cpu *cpu = r->cpu;
	bool exec = r->access & ACCESS_EXEC;

	if (exec)
		note_code_miss(cpu, r->va, CODE_EAR_FAULT);
	else if (!(r->access & ACCESS_NON))
		note_data_miss(cpu, r->va, DATA_EAR_FAULT);
	if (!exec && !collecting(cpu)) {
		fail(r, VEC_DATA_NESTED_TLB, 0);
		r->f->sets_ifa = r->f->sets_itir = false;
		return false;
	}
	switch (how) {
	case WALK_DISABLED:
		return fail(r, exec ? VEC_ALT_INST_TLB : VEC_ALT_DATA_TLB, 0);
	case WALK_VHPT_MISS:
		fail(r, VEC_VHPT_TRANSLATION, 0);
		/* The defaults are for the page of the table that is missing. */
		r->f->itir = default_itir(cpu, address);
		break;
	default:
		fail(r, exec ? VEC_INST_TLB : VEC_DATA_TLB, 0);
		break;
	}
	r->f->iha = address;
	r->f->sets_iha = true;
	return false;
}

static void fill_in(struct translation *t, const struct tlb_entry *e, u64 va)
{
	t->pa = e->ppn | (va & MASK(e->ps));
	t->ma = e->ma;
	t->ps = e->ps;
	t->ar = e->ar;
	t->pl = e->pl;
	t->ed = e->ed;
	t->key = e->key;
}

static void fill_in_physical(struct translation *t, u64 va)
{
	*t = (struct translation){
		.pa = va & MASK(63),
		.ma = va >> 63 ? MA_UC : MA_WB,
		.ps = IMPL_PA_BITS,
	};
}

static bool translate_fetch(struct reference *r, struct translation *t)
{
	struct cpu *cpu = r->cpu;
	u64 va = r->va;

	if (!psr(cpu, PSR_IT)) {
		if (unimplemented_pa(va))
			return fail(r, VEC_LOWER_PRIVILEGE_TRANSFER, TRAP_UNIMPLEMENTED_ADDRESS);
		fill_in_physical(t, va);
	} else {
		enum walk how;
		u64 address = 0;
		struct tlb_entry *e;

		/* Reported by the fetch, as processors may (SDM 2:206). */
		if (unimplemented_va(va))
			return fail(r, VEC_LOWER_PRIVILEGE_TRANSFER, TRAP_UNIMPLEMENTED_ADDRESS);
		e = search(cpu, va, r->access, &how, &address);
		if (!e)
			return miss(r, how, address);
		if (!e->p)
			return fail(r, VEC_PAGE_NOT_PRESENT, 0);
		if (e->ma == MA_NATPAGE)
			return fail(r, VEC_NAT_CONSUMPTION, ISR_NAT_PAGE);
		switch (check_key(cpu, e->key, ACCESS_EXEC)) {
		case KEY_MISS:
			return fail(r, VEC_INST_KEY_MISS, 0);
		case KEY_DENIED:
			return fail(r, VEC_KEY_PERMISSION, 0);
		case KEY_FINE:
			break;
		}
		if (!allowed(e, r->level, ACCESS_EXEC))
			return fail(r, VEC_INST_ACCESS_RIGHTS, 0);
		if (!e->a && !psr(cpu, PSR_IA))
			return fail(r, VEC_INST_ACCESS_BIT, 0);
		fill_in(t, e, va);
	}
	if (psr(cpu, PSR_DB) && !psr(cpu, PSR_ID) && instruction_breakpoint(cpu, va, r->level))
		return fail(r, VEC_DEBUG, 0);
	return true;
}

/*
 * Does a speculative load defer this one?  SDM table 5-4; dcr is the bit of the
 * DCR that has a say, or -1 for none.
 */
static bool defer(struct reference *r, int dcr)
{
	if (!(r->access & ACCESS_SPEC))
		return false;
	if (!psr(r->cpu, PSR_IC))
		return true;
	return page_ed(r) && (dcr < 0 || r->cpu->cr[CR_DCR] >> dcr & 1);
}

static bool to_nat(struct reference *r)
{
	*r->f = (struct fault){ .deferred = true };
	return false;
}

/* Models differ in what they do themselves; Madison without PSR.ac: inside eight
 * bytes, of cacheable memory sixteen for floating-point.
 */
static bool unaligned(const struct cpu *cpu, u64 va, unsigned int access, u8 ma)
{
	unsigned int size = access >> 16 & 0xff;
	unsigned int natural = size == 10 ? 16 : size;
	unsigned int window = access & ACCESS_FP && ma == MA_WB ? 16 : 8;

	if (!(va & (natural - 1)))
		return false;
	return psr(cpu, PSR_AC) || access & ACCESS_STRICT || (va & (window - 1)) + size > window;
}

static bool translated(const struct cpu *cpu, unsigned int access)
{
	if (access & ACCESS_RSE)
		return psr(cpu, PSR_RT);
	if (access & ACCESS_NON) {
		unsigned int which = access & (ACCESS_NON | 15 << 8);

		if (which == ACCESS_TPA || which == ACCESS_PROBE || which == ACCESS_TAK)
			return true;
	}
	return psr(cpu, PSR_DT);
}

/* The checks of a translation that was found, in the order of SDM 2:70.  Sets
 * *deferred where a speculative load puts one off.
 */
static bool check_entry(struct reference *r, const struct tlb_entry *e, bool *deferred)
{
	struct cpu *cpu = r->cpu;
	unsigned int which = r->access & ACCESS_NON ? r->access & (ACCESS_NON | 15 << 8) : 0;
	bool is_fc = which == (ACCESS_FC & ~ACCESS_READ);

	if (!e->p) {
		if (!defer(r, DCR_DP))
			return fail(r, VEC_PAGE_NOT_PRESENT, 0);
		*deferred = true;
		return true;	/* the page has no other properties */
	}
	/* A NaTPage has a key like others (SDM 3:260). */
	if (which == ACCESS_TAK)
		return true;
	if (e->ma == MA_NATPAGE) {
		if (!(r->access & ACCESS_SPEC))
			return fail(r, VEC_NAT_CONSUMPTION, ISR_NAT_PAGE);
		*deferred = true;
	}
	if (which == ACCESS_TPA)
		return true;
	if (!is_fc) {
		switch (check_key(cpu, e->key, r->access)) {
		case KEY_MISS:
			if (!defer(r, DCR_DK))
				return fail(r, VEC_DATA_KEY_MISS, 0);
			*deferred = true;
			break;
		case KEY_DENIED:
			if (!defer(r, DCR_DX))
				return fail(r, VEC_KEY_PERMISSION, 0);
			*deferred = true;
			break;
		case KEY_FINE:
			break;
		}
	}
	if (!allowed(e, r->level, r->access)) {
		if (!defer(r, DCR_DR))
			return fail(r, VEC_DATA_ACCESS_RIGHTS, 0);
		*deferred = true;
	}
	if (is_fc || which == ACCESS_PROBE || psr(cpu, PSR_DA))
		return true;
	/* Dirty before access, as the flow chart has it and handlers number them;
	 * the sentence on 2:69 has the two the other way round.
	 */
	if (r->access & ACCESS_WRITE && !e->d)
		return fail(r, VEC_DIRTY_BIT, 0);
	if (!e->a) {
		if (!defer(r, DCR_DA))
			return fail(r, VEC_DATA_ACCESS_BIT, 0);
		*deferred = true;
	}
	return true;
}

static bool translate_data(struct reference *r, struct translation *t)
{
	struct cpu *cpu = r->cpu;
	unsigned int access = r->access, size = access >> 16 & 0xff;
	unsigned int which = access & ACCESS_NON ? access & (ACCESS_NON | 15 << 8) : 0;
	bool virtual = translated(cpu, access), deferred = false;
	u64 va = r->va;

	if (virtual ? unimplemented_va(va) : unimplemented_pa(va)) {
		if (access & ACCESS_SPEC)
			return to_nat(r);
		return fail(r, VEC_GENERAL_EXCEPTION, GE_RESERVED_FIELD);
	}
	if (virtual) {
		enum walk how;
		u64 address = 0;
		struct tlb_entry *e = search(cpu, va, access, &how, &address);

		if (!e) {
			if (!defer(r, DCR_DM))
				return miss(r, how, address);
			deferred = true;
			t->ma = MA_WB;
		} else {
			if (!check_entry(r, e, &deferred))
				return false;
			fill_in(t, e, va);
		}
	} else {
		fill_in_physical(t, va);
	}
	if (which && which != (ACCESS_LFETCH & ~ACCESS_READ) && which != ACCESS_PROBE_FAULT)
		return true;

	/* A breakpoint is about the address: no missing translation hides it. */
	if (psr(cpu, PSR_DB) && !psr(cpu, PSR_DD) &&
	    data_breakpoint(cpu, va, size ? size : 1, access, r->level)) {
		if (!defer(r, DCR_DD))
			return fail(r, VEC_DEBUG, 0);
		deferred = true;
	}
	if (size && unaligned(cpu, va, access, t->ma)) {
		if (!defer(r, -1))
			return fail(r, VEC_UNALIGNED, 0);
		deferred = true;
	}
	if (access & ACCESS_SPEC) {
		/* Speculative loads leave memory alone that may have side effects:
		 * uncacheable pages, and all physical addresses (SDM section 4.4.6).
		 */
		if (deferred || !virtual || t->ma == MA_UC || t->ma == MA_UCE)
			return to_nat(r);
		return true;
	}
	if (access & ACCESS_WB_ONLY && t->ma != MA_WB &&
	    !(access & ACCESS_EXPORT && t->ma == MA_UCE))
		return fail(r, VEC_UNSUPPORTED_DATA_REFERENCE, 0);
	return true;
}

bool translate(struct cpu *cpu, u64 va, unsigned int access, unsigned int level,
	       struct translation *t, struct fault *f)
{
	struct reference r = {
		.cpu = cpu, .va = va, .access = access, .level = level, .f = f,
		.page_ed = -1,
	};

	return access & ACCESS_EXEC ? translate_fetch(&r, t) : translate_data(&r, t);
}

bool tlb_probe(struct cpu *cpu, u64 va, unsigned int access, unsigned int level,
	       bool *result, struct fault *f)
{
	struct translation t;

	*result = false;
	if (unimplemented_va(va))
		return true;
	*result = translate(cpu, va, ACCESS_PROBE | access, level, &t, f);
	/* Not permitted is a result, no fault. */
	return *result || f->vector == VEC_KEY_PERMISSION ||
	       f->vector == VEC_DATA_ACCESS_RIGHTS;
}

u64 tlb_tak(struct cpu *cpu, u64 va)
{
	struct translation t;
	struct fault f;

	if (!translate(cpu, va, ACCESS_TAK, 0, &t, &f))
		return 1;
	return (u64)t.key << 8;
}
