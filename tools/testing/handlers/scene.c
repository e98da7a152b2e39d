// SPDX-License-Identifier: GPL-2.0
/*
 * One fault at a time: a processor as the kernel sets it up, page tables, what is
 * in the TLB, random registers; the reference, and then the handler, instruction by
 * instruction, with what other processors do in between.
 */
#include <stdio.h>
#include <stdlib.h>

#include "handlers.h"
#include "watch/findings.h"

/*
 * Physical memory: a user's code; 4 GiB for the largest page; tables, one in each of
 * the next pieces of 4 GiB.
 */
#define USER_CODE	0x0d000000ULL
#define FRAMES		0x100000000ULL
#define TABLE(n)	(0x200000000ULL + ((u64)(n) << 32))
#define USER_CODE_VA	(REGION(3) | 0x140000000ULL)

/* A user's register context number, as in ia64_rid(), and a factor as
 * ia64_vhpt_rr() has it.
 */
#define CONTEXT		0x1234ULL
#define RID_FACTOR	1265ULL
/* What is in the page that is referred to. */
#define MAGIC(va)	((va) ^ 0x5cadd1e5ca1ab1e5ULL)

enum { TR_VHPT = 2 };

unsigned int huge_shift = 28;
struct slots slots;
struct registers before, delivered;
struct model tlb_before;

static struct cpu initial;		/* what every scene begins with */
static const struct kernel *initial_of;
static enum mode initial_mode;
static unsigned int n_tables;
static u64 random_state;

/* splitmix64 */
u64 random64(void)
{
	u64 z = random_state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static struct cpu *cpu0(void)
{
	return kernel->m->cpu[0];
}

u64 read_word(u64 pa)
{
	return phys_read(kernel->m, pa, 8);
}

void write_word(u64 pa, u64 value)
{
	phys_write(kernel->m, pa, 8, value);
}

unsigned int region_ps(u64 va)
{
	return rr_ps(initial.rr[va >> 61]);
}

u64 frame_of(u64 va)
{
	return FRAMES + (va & MASK(32) & ~MASK(kernel->page_shift));
}

/*
 * A user's code: one bundle for each kind of reference, r8 and r10 from and to [r9].
 */
#define NOP		(1ULL << 27)
#define SLOT_LD8	(4ULL << 37 | 0x03ULL << 30 | 9 << 20 | 8 << 6)
#define SLOT_ST8	(4ULL << 37 | 0x33ULL << 30 | 9 << 20 | 10 << 13)
#define SLOT_LD8_S	(4ULL << 37 | 0x07ULL << 30 | 9 << 20 | 8 << 6)
#define SLOT_LFETCH	(6ULL << 37 | 0x2eULL << 30 | 9 << 20)

static const struct {
	unsigned int access;
	u64 slot;
} references[] = {
	{ ACCESS_READ, SLOT_LD8 }, { ACCESS_WRITE, SLOT_ST8 }, { REFERENCE_LD_S, SLOT_LD8_S },
	{ REFERENCE_LFETCH, SLOT_LFETCH }, { 0, NOP },
};

enum { N_REFERENCES = sizeof(references) / sizeof(references[0]) };

static u64 code_address(unsigned int access)
{
	for (unsigned int i = 0; i < N_REFERENCES; i++)
		if (references[i].access == access)
			return USER_CODE_VA + 16 * i;
	abort();
}

/* A bundle of an M slot and two nops. */
static void write_code(u64 pa, u64 slot)
{
	enum { MII_STOP = 1 };

	write_word(pa, MII_STOP | slot << 5 | NOP << 46);
	write_word(pa + 8, NOP >> 18 | NOP << 23);
	phys_written(kernel->m, pa, 16);
}

static void set_region(struct cpu *cpu, unsigned int region, u64 context, unsigned int ps,
		       bool walker)
{
	u64 rid = context << 3 | region;

	if (kernel->mode == MODE_LONG && context)
		rid = rid * RID_FACTOR & MASK(24);
	if (!set_rr(cpu, region, rid << 8 | ps << 2 | walker))
		die("no page size 2^%u", ps);
}

/* ia64_vhpt_cpu_init() */
static void init_mode(struct cpu *cpu)
{
	switch (kernel->mode) {
	case MODE_LONG:
		cpu->cr[CR_PTA] = HASH_BASE | HASH_SHIFT << 2 | BIT(8) | 1;
		tlb_insert_tr(cpu, true, TR_VHPT, HASH_PA | PTE_KERNEL, HASH_SHIFT << 2, HASH_BASE);
		hash_init();
		break;
	case MODE_NONE:
		cpu->cr[CR_PTA] &= ~1ULL;
		break;
	default:
		break;
	}
}

/* The processor as ia64_mmu_init(), cpu_init() and switch_mm() leave it. */
void scene_init(void)
{
	struct cpu *cpu = cpu0();
	unsigned int vhpt_bits = IMPL_VA_MSB + 1 - kernel->page_shift + 3;

	for (unsigned int i = 0; i < 2; i++) {
		struct cpu *c = kernel->m->cpu[i];

		cpu_reset(c);
		for (unsigned int r = 0; r < REGION_KERNEL; r++)
			set_region(c, r, CONTEXT, kernel->page_shift, true);
		if (kernel->hugetlb)
			set_region(c, REGION_HUGE, CONTEXT, huge_shift, true);
		set_region(c, REGION_KERNEL, 0, kernel->page_shift, true);
		set_region(c, 6, 0, kernel->granule_shift, false);
		set_region(c, 7, 0, kernel->granule_shift, false);
	}
	cpu->cr[CR_PTA] = (MASK(61) & ~MASK(vhpt_bits)) | vhpt_bits << 2 | 1;
	cpu->cr[CR_DCR] = BIT(DCR_DP) | BIT(DCR_DK) | BIT(DCR_DX) | BIT(DCR_DR) | BIT(DCR_DA) |
			  BIT(DCR_DD) | BIT(DCR_LC);
	cpu->cr[CR_IVA] = kernel->ivt;
	cpu->ar[3] = PERCPU;		/* IA64_KR_PER_CPU_DATA */

	/* IA64_TR_KERNEL, and a user's code where it cannot miss. */
	for (int data = 0; data < 2; data++)
		tlb_insert_tr(cpu, data, 0, kernel_pa(kernel->ivt) | PTE_KERNEL, 26 << 2,
			      kernel->ivt);
	for (unsigned int i = 0; i < N_REFERENCES; i++)
		write_code(USER_CODE + 16 * i, references[i].slot);
	tlb_insert_tr(cpu, false, 2, USER_CODE | PTE_P | PTE_A | PTE_PL(3) | PTE_AR(AR_RX),
		      14 << 2, USER_CODE_VA);
	init_mode(cpu);
	initial = *cpu;
	initial_of = kernel;
	initial_mode = kernel->mode;
}

/* The bits that say where in its piece are all 0 or all 1. */
static u64 new_table(void)
{
	return TABLE(n_tables++) | (random64() & 1 ? MASK(32) & ~MASK(kernel->page_shift) : 0);
}

static void table_write(u64 pa, u64 value)
{
	if (kernel->n_written == sizeof(kernel->written) / sizeof(kernel->written[0]))
		abort();
	kernel->written[kernel->n_written++] = pa;
	write_word(pa, value);
}

/*
 * The tables down to the PTE of s->va, by what pgd_index() and its kin say in
 * arch/ia64/include/asm/pgtable.h.
 */
static void build_tables(const struct scene *s)
{
	unsigned int shift = kernel->page_shift, bits = shift - 3;
	unsigned int region = s->va >> 61, ps = region_ps(s->va), left;
	u64 address = OFFSET(s->va), table, index;

	while (kernel->n_written)
		write_word(kernel->written[--kernel->n_written], 0);
	n_tables = 0;
	slots = (struct slots){ 0 };
	table = new_table();
	cpu0()->ar[7] = table;		/* IA64_KR_PT_BASE */
	if (region > REGION_KERNEL)
		return;
	if (ps > shift)		/* htlbpage_to_page() */
		address >>= ps - shift;
	index = address >> (shift + (kernel->levels - 1) * bits);
	if (region == REGION_KERNEL) {
		table = kernel->swapper;
		index &= MASK(bits);
	} else {
		index = (u64)region << (bits - 3) | (index & MASK(bits - 3));
	}
	for (left = kernel->levels - 1; left; left--) {
		u64 next = 0;

		if (left == 1)
			slots.pmd = table + 8 * index;
		if (left == 2)
			slots.pud = table + 8 * index;
		/* Who does not see that there is no table finds a present PTE through a
		 * table at 0.
		 */
		if (s->missing != kernel->levels - left) {
			next = new_table();
			table_write(table + 8 * index, next);
		}
		table = next;
		index = address >> (shift + (left - 1) * bits) & MASK(bits);
	}
	if (s->missing) {
		table_write(table + 8 * index, s->pte);
		return;
	}
	slots.table = table;
	slots.pte = table + 8 * index;
	table_write(slots.pte, s->pte);
	table_write(OTHER_PMDS | (slots.pmd & MASK(shift)), table);
	table_write(OTHER_TABLE | (slots.pte & MASK(shift)), (s->pte | PTE_P) ^ BIT(21));
}

/* Registers that may be anything have what is likely to be taken for something. */
static u64 any_value(const struct scene *s)
{
	u64 x = random64();

	switch (x % 8) {
	case 0:
		return s->pte;
	case 1:
		return s->va;
	case 2:
		return s->pte | PTE_A | PTE_D;
	default:
		return random64();
	}
}

/* log2 of a page size */
static u64 any_size(void)
{
	u64 ps;

	do
		ps = random64() % 64;
	while (!(INSERTABLE_PAGE_SIZES >> ps & 1));
	return ps;
}

static void set_registers(struct cpu *cpu, const struct scene *s)
{
	static const u8 ars[] = { AR_CCV, AR_UNAT, AR_LC, AR_CSD, AR_SSD, 0, 1, 2, 4, 5, 6 };

	for (unsigned int r = 1; r < 32 + N_STACKED; r++) {
		cpu->gr[r] = random64();
		cpu->nat[r] = random64() % 8 == 0;
	}
	for (unsigned int r = 0; r < 16; r++) {
		cpu->bank[r] = any_value(s);
		cpu->bank_nat[r] = random64() % 8 == 0;
	}
	for (unsigned int r = 2; r < 128; r++)
		cpu->fr[r].sig = random64();
	for (unsigned int r = 0; r < 8; r++)
		cpu->br[r] = random64();
	for (unsigned int i = 0; i < sizeof(ars); i++)
		cpu->ar[ars[i]] = random64();
	cpu->ar[AR_PFS] = random64() & MASK(38);
	cpu->cr[CR_IIM] = random64();
	cpu->cr[CR_IHA] = random64();
	cpu->cr[CR_ITIR] = random64() & 0xfffffffc;
	cpu->pr = random64() | 1;
	if (kernel->mode == MODE_LONG)
		cpu->ar[KR_HANDLERS] = (HASH_PA - HASH_BASE) |
				       (s->fill ? kernel->page_shift + FILL_MAX : 0);
	else if (kernel->superpage)
		cpu->ar[KR_HANDLERS] = any_size() << 2;
	set_gr(cpu, 9, s->va, false);
	set_gr(cpu, 10, random64(), false);
	cpu->psr = BIT(PSR_IC) | BIT(PSR_I) | BIT(PSR_IT) | BIT(PSR_DT) | BIT(PSR_RT) |
		   BIT(PSR_BN) | BIT(PSR_MFL) | BIT(PSR_UP) | (u64)s->level << PSR_CPL;
	soft_tlb_select(cpu);
}

/* What has nothing to do with the fault and has to be there afterwards, besides a
 * page next to it that a large translation replaces.
 */
static void set_bystanders(struct cpu *cpu, const struct scene *s)
{
	u64 other = REGION((s->va >> 61) ^ 1) | 0x1234000ULL << 12;
	u64 far = s->va ^ BIT(33), near = s->va ^ PAGE_SIZE_OF(kernel);
	u64 pte = PTE_P | PTE_A | PTE_AR(AR_RX);

	if (s->va >> 61 > REGION_KERNEL)
		return;
	for (int data = 0; data < 2; data++) {
		tlb_insert_tc(cpu, data, pte | FRAMES, kernel->page_shift << 2, other);
		tlb_insert_tc(cpu, data, pte | FRAMES, kernel->page_shift << 2, far);
		if (!s->present)
			tlb_insert_tc(cpu, data, pte | FRAMES, kernel->page_shift << 2, near);
	}
}

static void set_tlb(struct cpu *cpu, const struct scene *s)
{
	set_bystanders(cpu, s);
	if (kernel->mode == MODE_LONG) {
		if (!s->mapped)
			tlb_purge_tr(cpu, true, HASH_BASE, HASH_SHIFT);
	} else if (s->mapped)
		tlb_insert_tc(cpu, true, slots.table | PTE_P | PTE_A | PTE_D | PTE_AR(AR_RW),
			      kernel->page_shift << 2, vhpt_thash(cpu, s->va));
	if (s->present)
		tlb_insert_tc(cpu, !(s->access & ACCESS_EXEC), s->present, s->present_ps << 2,
			      s->va);
}

void registers_save(struct registers *r, const struct cpu *cpu)
{
	*r = (struct registers){
		.ip = cpu->ip, .psr = cpu->psr, .pr = cpu->pr, .slot = cpu->slot,
		.cfm = cpu->cfm, .rse_bof = cpu->rse_bof, .rse_base = cpu->rse_base,
		.rse_dirty = cpu->rse_dirty, .rse_clean = cpu->rse_clean,
	};
	memcpy(r->gr, cpu->gr, sizeof(r->gr));
	memcpy(r->nat, cpu->nat, sizeof(r->nat));
	memcpy(r->bank, cpu->bank, sizeof(r->bank));
	memcpy(r->bank_nat, cpu->bank_nat, sizeof(r->bank_nat));
	memcpy(r->br, cpu->br, sizeof(r->br));
	memcpy(r->ar, cpu->ar, sizeof(r->ar));
	memcpy(r->cr, cpu->cr, sizeof(r->cr));
	memcpy(r->rr, cpu->rr, sizeof(r->rr));
	memcpy(r->pkr, cpu->pkr, sizeof(r->pkr));
	memcpy(r->fr, cpu->fr, sizeof(r->fr));
}

/*
 * The model of the TLBs.
 */
static bool overlap(const struct tlb_entry *e, u32 rid, u64 va, unsigned int ps)
{
	unsigned int larger = e->ps > ps ? e->ps : ps;

	return e->rid == rid && OFFSET(va) >> larger == e->vpn >> larger;
}

static void remove_overlaps(struct model *t, int data, u32 rid, u64 va, unsigned int ps)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < t->n; i++) {
		if ((data < 0 || t->entry[i].data == data) &&
		    overlap(&t->entry[i].e, rid, va, ps))
			continue;
		t->entry[n++] = t->entry[i];
	}
	t->n = n;
}

void model_insert(struct model *t, bool data, const struct tlb_entry *e)
{
	remove_overlaps(t, data, e->rid, e->vpn, e->ps);
	t->entry[t->n].data = data;
	t->entry[t->n++].e = *e;
}

void model_purge(struct model *t, u64 va, unsigned int ps)
{
	remove_overlaps(t, -1, rr_rid(initial.rr[va >> 61]), va, ps);
}

static void model_capture(struct model *t)
{
	t->tr_valid[0] = cpu0()->itlb.tr_valid;
	t->tr_valid[1] = cpu0()->dtlb.tr_valid;
	t->n = 0;
	for (int data = 0; data < 2; data++) {
		const struct tlb *tlb = data ? &cpu0()->dtlb : &cpu0()->itlb;

		for (unsigned int i = 0; i < tlb->n_tc; i++) {
			if (!tlb->tc[i].valid)
				continue;
			if (t->n == sizeof(t->entry) / sizeof(t->entry[0]))
				abort();
			t->entry[t->n].data = data;
			t->entry[t->n++].e = tlb->tc[i];
		}
	}
}

/* The key is the region's where cr.itir is as the processor has set it, and 0 in a size that a
 * handler has set.  Which of the two does not matter: nobody uses keys.  What was there
 * before may have any.
 */
static bool same_key(const struct tlb_entry *a, const struct tlb_entry *b)
{
	return a->key == b->key || ((!a->key || a->key == a->rid) && (!b->key || b->key == b->rid));
}

static bool same_entry(const struct tlb_entry *a, const struct tlb_entry *b)
{
	return a->p == b->p && a->a == b->a && a->d == b->d && a->ed == b->ed && a->ma == b->ma &&
	       a->pl == b->pl && a->ar == b->ar && a->ps == b->ps && a->rid == b->rid &&
	       a->vpn == b->vpn && a->ppn == b->ppn && same_key(a, b);
}

const char *model_compare(const struct model *t)
{
	static char text[400];
	struct model is;
	bool found;

	model_capture(&is);
	if (memcmp(is.tr_valid, t->tr_valid, sizeof(is.tr_valid)))
		return "translation registers changed";
	for (unsigned int pass = 0; pass < 2; pass++) {
		const struct model *a = pass ? &is : t, *b = pass ? t : &is;

		for (unsigned int i = 0; i < a->n; i++) {
			const struct tlb_entry *e = &a->entry[i].e;

			found = false;
			for (unsigned int j = 0; j < b->n && !found; j++)
				found = a->entry[i].data == b->entry[j].data &&
					same_entry(e, &b->entry[j].e);
			if (found)
				continue;
			snprintf(text, sizeof(text),
				 "%s in the %cTLB: va %#llx pa %#llx size 2^%u rid %#x key %#x "
				 "p %u a %u d %u ed %u pl %u ar %u ma %u",
				 pass ? "should not be" : "missing", "ID"[a->entry[i].data],
				 (unsigned long long)e->vpn, (unsigned long long)e->ppn, e->ps,
				 e->rid, e->key, e->p, e->a, e->d, e->ed, e->pl, e->ar, e->ma);
			return text;
		}
	}
	return NULL;
}

/*
 * The run.
 */
static void happen(const struct scene *s, const struct event *e)
{
	struct cpu *other = kernel->m->cpu[1];

	switch (e->what) {
	case EVENT_PTE:
		write_word(slots.pte, e->value);
		break;
	case EVENT_PMD:
		write_word(slots.pmd, e->value);
		break;
	case EVENT_PUD:
		write_word(slots.pud, e->value);
		break;
	case EVENT_PURGE:
		tlb_purge_global(other, e->value, kernel->page_shift, true);
		break;
	case EVENT_INVALIDATE:
		hash_purge(e->value, e->ps);
		break;
	case EVENT_UNMAP:
		tlb_purge_global(other, vhpt_thash(cpu0(), s->va), kernel->page_shift, true);
		break;
	}
}

static void happen_at(const struct scene *s, const struct event *events, unsigned int n,
		      unsigned int at, bool later)
{
	for (unsigned int i = 0; i < n; i++)
		if (later ? events[i].at >= at : events[i].at == at)
			happen(s, &events[i]);
}

/* As the processor delivers it: SDM volume 2, section 5.5 and chapter 8. */
static void deliver_directly(struct cpu *cpu, const struct scene *s)
{
	bool exec = s->access & ACCESS_EXEC;
	u64 isr = 0, rr = cpu->rr[s->va >> 61];

	if (exec)
		isr = BIT(ISR_X);
	else
		isr = (s->access & ACCESS_READ ? BIT(ISR_R) : 0) |
		      (s->access & ACCESS_WRITE ? BIT(ISR_W) : 0);
	cpu->cr[CR_IFA] = exec ? s->va & ~15ULL : s->va;
	if (s->vector < VEC_ALT_INST_TLB)
		cpu->cr[CR_IHA] = vhpt_thash(cpu, s->va);
	if (s->vector == VEC_VHPT_TRANSLATION)
		rr = cpu->rr[cpu->cr[CR_IHA] >> 61];
	cpu->cr[CR_ITIR] = (u64)rr_rid(rr) << 8 | rr_ps(rr) << 2;
	deliver(cpu, s->vector, isr);
}

/* Where a load of the handler goes. */
static u64 data_address(const struct cpu *cpu, u64 va)
{
	const struct tlb_entry *e;

	if (!psr(cpu, PSR_DT))
		return va;
	e = tlb_find((struct tlb *)&cpu->dtlb, rr_rid(cpu->rr[va >> 61]), va);
	return e ? e->ppn | (va & MASK(e->ps)) : ~0ULL;
}

/* The word of one level at @pa is read, which should be @word, or that of @other. */
static void note_read(struct result *r, u64 pa, u64 word, u64 other, unsigned int level,
		      unsigned int *first, unsigned int *last)
{
	if (pa == word) {
		*last = r->steps;
		if (*first == NEVER)
			*first = r->steps;
	} else if (!other || pa != (other | (word & MASK(kernel->page_shift)))) {
		return;
	}
	r->last_fenced = (r->last_fenced & ~BIT(level)) | r->fenced << level;
}

/* Remember what this instruction did to the tables. */
static void note(struct result *r, const struct insn *i, u64 pa)
{
	if (i->op == OP_cmpxchg8_acq && pa == slots.pte)
		r->cmpxchg = r->steps;
	/* nested_dtlb_miss may have given it for the PTE. */
	r->stray |= i->op == OP_cmpxchg8_acq && pa == kernel->zero;
	if (i->op != OP_ld8 && i->op != OP_ld8_s)
		return;
	note_read(r, pa, slots.pte, OTHER_TABLE, 0, &r->first, &r->last);
	note_read(r, pa, slots.pmd, OTHER_PMDS, 1, &r->pmd_first, &r->pmd_last);
	note_read(r, pa, slots.pud, 0, 2, &r->pud_first, &r->pud_last);
}

static bool is_store(const struct insn *i)
{
	return i->op == OP_st8 || i->op == OP_st8_inc || i->op == OP_st8_rel ||
	       i->op == OP_st8_rel_inc || i->op == OP_st4 || i->op == OP_st4_inc;
}

/* Fences, and stores to the hash table: all but the first one of an entry, which invalidates it,
 * and the count, have to stay behind those before them.
 */
static void note_store(struct result *r, const struct insn *i, u64 pa, u64 value)
{
	bool release = i->op == OP_st8_rel || i->op == OP_st8_rel_inc;

	r->fenced |= i->op == OP_mf;
	r->purged |= i->op == OP_ptc_l;
	if (!is_store(i))
		return;
	if (kernel->mode != MODE_LONG || pa - HASH_PA >= BIT(HASH_SHIFT)) {
		r->stray = true;
		return;
	}
	r->fenced = false;
	r->purged = false;
	switch (pa % sizeof(struct hash_entry)) {
	case offsetof(struct hash_entry, tag):
		r->unordered |= !release && !(value & HASH_INVALID);
		break;
	case offsetof(struct hash_entry, filled):
	case offsetof(struct hash_entry, filled) + 4:
		break;
	default:
		r->unordered |= !release;
	}
}

static bool bad(struct result *r, const struct cpu *cpu, const char *why)
{
	r->outcome = OUTCOME_BAD;
	r->why = why;
	r->bad_ip = cpu->ip;
	return false;
}

/* One instruction of the handler; false at its end. */
static bool handler_step(struct cpu *cpu, struct result *r, bool *new_group)
{
	u64 ip = cpu->ip, n_recent = cpu->n_recent, pa = ~0ULL, value = 0;
	unsigned int slot = cpu->slot;
	bool executes;
	struct bundle b;
	const struct insn *i;

	if (ip == kernel->page_fault) {
		r->outcome = OUTCOME_PAGE_FAULT;
		return false;
	}
	if (ip - kernel->ivt >= kernel->page_fault - kernel->ivt)
		return bad(r, cpu, "left the vector table");
	if (r->steps == MAX_STEPS)
		return bad(r, cpu, "does not end");
	decode_bundle(exec_functions, &b, read_word(kernel_pa(ip)), read_word(kernel_pa(ip) + 8));
	i = &b.slot[slot];
	executes = pr(cpu, i->qp);
	if (executes && (i->op == OP_ld8 || i->op == OP_ld8_s || i->op == OP_cmpxchg8_acq || is_store(i))) {
		pa = data_address(cpu, gr(cpu, i->r3));
		value = gr(cpu, i->r2);
	}
	r->bundles += slot == 0;
	r->groups += *new_group;
	*new_group = i->stop;

	cpu_run(cpu, 1, 1);
	if (kernel->m->powered_off)
		return bad(r, cpu, "machine check");
	if (cpu->n_recent != n_recent) {
		const struct interruption_record *last =
			&cpu->recent[(cpu->n_recent - 1) % RECENT_INTERRUPTIONS];

		if (last->vector != VEC_DATA_NESTED_TLB)
			return bad(r, cpu, "unexpected interruption");
		r->nested++;
		*new_group = true;
	} else {
		note(r, i, pa);
		if (executes)
			note_store(r, i, pa, value);
		if (i->op == OP_rfi) {
			r->outcome = OUTCOME_RFI;
			r->steps++;
			return false;
		}
	}
	r->steps++;
	if (cpu->ip != ip && cpu->ip != ip + 16)
		*new_group = true;
	return true;
}

static unsigned int n_found;		/* findings of -strict that were told */
static char found[200];

static void tell(void *to, const struct finding *f)
{
	unsigned int *n = to;

	if ((*n)++ == n_found)
		snprintf(found, sizeof(found), "%#llx:%u: %s %s, from %#llx:%u",
			 (unsigned long long)f->second & ~15ULL, (unsigned int)f->second & 3,
			 f->name, f->text, (unsigned long long)f->first & ~15ULL,
			 (unsigned int)f->first & 3);
}

/* Each pair of instructions is found once, and told once: others when this is called again. */
static const char *newly_found(void)
{
	unsigned int n = 0;

	findings_each(kernel->m, tell, &n);
	if (n == n_found)
		return NULL;
	n_found++;
	return found;
}

void scene_run(const struct scene *s, const struct event *events, unsigned int n,
	       struct result *r)
{
	struct cpu *cpu = cpu0();
	bool exec = s->access & ACCESS_EXEC, new_group = true;
	u64 now = cpu->cycles, begun;

	if (initial_of != kernel || initial_mode != kernel->mode)
		scene_init();
	kernel->m->powered_off = false;
	*cpu = initial;
	/* Time goes on for the model, whose results of the run before are there by then. */
	if (cpu->timing)
		cpu->cycles = now + 1000;
	/* What a handler that ended in page_fault has left in flight goes, as by an interruption. */
	cpu->entered = kernel->strict;
	build_tables(s);
	set_registers(cpu, s);
	set_tlb(cpu, s);
	if (exec)
		write_code(s->pa & ~15ULL, NOP);
	else
		write_word(s->pa, MAGIC(s->va));
	cpu->ip = exec ? s->va & ~15ULL : code_address(s->access);
	cpu->slot = 0;
	if (kernel->mode == MODE_LONG)
		hash_begin(s);
	registers_save(&before, cpu);

	*r = (struct result){
		.first = NEVER, .last = NEVER, .cmpxchg = NEVER, .pmd_first = NEVER,
		.pmd_last = NEVER, .pud_first = NEVER, .pud_last = NEVER,
	};
	begun = cpu->cycles;
	if (s->natural)
		cpu_run(cpu, 1, 1);
	else
		deliver_directly(cpu, s);
	model_capture(&tlb_before);
	registers_save(&delivered, cpu);
	if (cpu->ip != kernel->ivt + s->vector) {
		bad(r, cpu, "the reference does not raise this interruption");
		return;
	}
	do {
		happen_at(s, events, n, r->steps, false);
		if (kernel->mode == MODE_LONG)
			hash_watch(r);
	} while (handler_step(cpu, r, &new_group));
	r->cycles = cpu->cycles - begun;
	/* The step that page_fault would have been had its turn above. */
	happen_at(s, events, n, r->steps + (r->outcome != OUTCOME_RFI), true);
	if (kernel->strict)
		r->found = newly_found();
}

const char *scene_reference(const struct scene *s)
{
	struct cpu *cpu = cpu0();
	u64 ip = cpu->ip, n_recent = cpu->n_recent;

	cpu_run(cpu, 1, 1);
	if (cpu->n_recent != n_recent || kernel->m->powered_off)
		return "the reference faults again";
	if (cpu->ip != ip || cpu->slot != 1)
		return "the reference was not made";
	if (s->access == ACCESS_READ && gr(cpu, 8) != MAGIC(s->va))
		return "the load went elsewhere";
	if (s->access == ACCESS_WRITE && read_word(s->pa) != gr(cpu, 10))
		return "the store went elsewhere";
	return NULL;
}

const char *scene_walk(const struct scene *s)
{
	struct cpu *cpu = cpu0();
	const char *wrong;

	tlb_purge_local(cpu, s->va, kernel->page_shift);
	cpu->slot = 0;
	cpu->entered = kernel->strict;	/* the same instruction in a group of its own */
	wrong = scene_reference(s);
	return wrong ? "by the walker's translation" : NULL;
}
