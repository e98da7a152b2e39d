// SPDX-License-Identifier: GPL-2.0
/*
 * Stores and purges that wait: SDM volume 1, section 4.4.7, and volume 2, sections 4.4.7 and
 * 5.2.2.2.3.
 *
 * While a processor has its turn RAM is as that processor sees it, with all its stores, so
 * that its loads need not look for them anywhere.  When the turn ends, those that still
 * wait are taken back, and done again when the next one begins; others see RAM without
 * them.  A store that has waited enough is forgotten here, and thereby is there for all.
 *
 * Those that overlap do so in order, and a release does when nothing is left in front of
 * it; others in any order.  mf, semaphores, the firmware, and what has to do with code wait
 * for all of them: processors make each semaphore a full fence, because programs rely on it,
 * where the manual has only .acq or .rel.  Another acquire waits for none: this processor's
 * references begin in order.
 *
 * ptc.g and ptc.ga purge the processor's own TLB at once.  For the others they wait, as a
 * release does, so that loads behind them come first if there is no mf.  When a processor
 * purges a translation for another one, all of its stores are done, since it may have
 * executed them with that translation.  One purge may be in progress in the system: PAL says so
 * in PAL_VM_SUMMARY, and what more do is undefined.  Which is reported, and they all purge.
 *
 * It is stores to write-back memory that wait, where a look into the TLB tells the place.
 * All others go there at once, which a processor may do, too.
 */
#include <string.h>

#include "mmu/code.h"
#include "mmu/phys.h"
#include "mmu/soft.h"
#include "mmu/tlb.h"
#include "state/random.h"
#include "strict/ops.h"
#include "strict/strict.h"
#include "watch/findings.h"

/* Between two chances of one store to go pass so many instructions on average, by turns. */
static const unsigned int lazinesses[] = { 2, 16, 128 };

enum place strict_look_up(struct cpu *cpu, u64 va, bool virtual, unsigned int size, u8 **ram)
{
	const struct soft_entry *soft = soft_entry(cpu, va);
	const struct tlb_entry *e;
	u64 pa = va & MASK(63);

	*ram = NULL;
	if (virtual == psr(cpu, PSR_DT) && (va & (SOFT_PAGE - 1)) + size <= SOFT_PAGE &&
	    soft->write == soft_tag(va, 1)) {
		*ram = (u8 *)(uintptr_t)(va + soft->addend);
		return PLACE_RAM;
	}
	if (!virtual) {
		if (va >> 63)
			return PLACE_DEVICE;
	} else {
		e = tlb_find(&cpu->dtlb, rr_rid(cpu->rr[va >> 61]), va);
		if (!e || (va & MASK(e->ps)) + size > BIT(e->ps))
			return PLACE_UNKNOWN;
		if (e->ma != MA_WB)
			return PLACE_DEVICE;
		pa = e->ppn | (va & MASK(e->ps));
	}
	*ram = phys_ram(cpu->machine, pa, size);
	return *ram ? PLACE_RAM : PLACE_DEVICE;
}

unsigned int strict_size(const struct insn *i)
{
	static const u8 fp[] = { [LDF_E] = 10, [LDF_8] = 8, [LDF_S] = 4, [LDF_D] = 8 };

	if (!(strict_ops[i->op].operands & OPERAND_F2))
		return 1U << (i->x & LD_SIZE);
	return i->op == OP_stf_spill || i->op == OP_stf_spill_inc ? 16 : fp[i->x & LD_SIZE];
}

static bool overlaps(const struct pending_store *p, const u8 *ram, u64 size)
{
	return p->ram < ram + size && ram < p->ram + p->size;
}

/* RAM changes without a store of the program: only what is decoded of it matters. */
static void put_bytes(struct cpu *cpu, u8 *ram, const u8 *bytes, unsigned int size)
{
	memcpy(ram, bytes, size);
	if (code_page_at(cpu->machine, ram) || code_page_at(cpu->machine, ram + size - 1))
		code_written(cpu->machine, ram, size);
}

static void perform_all(struct cpu *cpu);
static void perform_overlapping(struct cpu *cpu, const u8 *ram, u64 size);

/* The other processors purge. */
static void perform_purge(struct cpu *cpu, const struct pending_store *p)
{
	struct machine *m = cpu->machine;

	for (unsigned int n = 0; n < m->n_cpus; n++) {
		struct cpu *other = m->cpu[n];

		if (other == cpu)
			continue;
		perform_all(other);
		tlb_purge_other(other, p->purge.rid, p->purge.va, p->purge.ps, p->purge.alat);
	}
}

/*
 * Where a store of another one goes, the processor whose turn it is takes back what it has.  If
 * a purge comes before that, all of the others' stores are performed with it.
 */
static void make_way(struct machine *m, const u8 *ram, u64 size)
{
	for (unsigned int n = 0; n < m->n_cpus; n++)
		if (m->cpu[n]->strict->applied)
			perform_overlapping(m->cpu[n], ram, size);
}

/* Others see it from now on; in the processor's own turn RAM has it already. */
static void perform(struct cpu *cpu, unsigned int n)
{
	struct strict *s = cpu->strict;
	struct pending_store p = s->pending[n];
	struct machine *m = cpu->machine;
	unsigned int left = s->n_pending;

	if (p.size && !s->applied) {
		make_way(m, p.ram, p.size);
		if (s->n_pending != left)
			return;
	}
	s->n_pending--;
	memmove(&s->pending[n], &s->pending[n + 1], (s->n_pending - n) * sizeof(p));
	if (!p.size) {
		perform_purge(cpu, &p);
		return;
	}
	if (!s->applied)
		put_bytes(cpu, p.ram, p.new, p.size);
	/* They may have loaded from there, and rely on it, since it was executed. */
	ram_written(m, p.ram, p.size);
}

/* All in front of number @n, or fewer if a purge has had some of them performed. */
static void perform_first(struct cpu *cpu, unsigned int n)
{
	while (n-- && cpu->strict->n_pending)
		perform(cpu, 0);
}

static bool may_perform(const struct strict *s, unsigned int n)
{
	const struct pending_store *p = &s->pending[n];

	if (p->release)
		return n == 0;
	while (n--)
		if (overlaps(&s->pending[n], p->ram, p->size))
			return false;
	return true;
}

/* Something else than a store of this kind writes there: what is in front of it, first. */
static void perform_overlapping(struct cpu *cpu, const u8 *ram, u64 size)
{
	struct strict *s = cpu->strict;

	for (unsigned int n = s->n_pending; n-- > 0;) {
		if (overlaps(&s->pending[n], ram, size)) {
			perform_first(cpu, n + 1);
			return;
		}
	}
}

static void perform_all(struct cpu *cpu)
{
	perform_first(cpu, cpu->strict->n_pending);
}

void stores_apply(struct cpu *cpu)
{
	struct strict *s = cpu->strict;

	s->laziness = lazinesses[random_below(&s->random, 3)];
	for (unsigned int n = 0; n < s->n_pending; n++) {
		struct pending_store *p = &s->pending[n];

		if (!p->size)
			continue;
		/* Another processor may have stored there. */
		memcpy(p->old, p->ram, p->size);
		put_bytes(cpu, p->ram, p->new, p->size);
	}
	s->applied = true;
}

void stores_undo(struct cpu *cpu)
{
	struct strict *s = cpu->strict;

	/* Who sleeps or is gone drains nothing any more. */
	if (cpu->halted || cpu->stopped || cpu->machine->powered_off)
		perform_all(cpu);
	for (unsigned int n = s->n_pending; n-- > 0;) {
		struct pending_store *p = &s->pending[n];

		if (p->size)
			put_bytes(cpu, p->ram, p->old, p->size);
	}
	s->applied = false;
}

/* The register stack engine's stores do not wait, and come behind those of the program. */
void stores_settle(struct cpu *cpu)
{
	struct strict *s = cpu->strict;
	u64 n = cpu->stats.rse_stores - s->rse_stores;
	u64 va = cpu->ar[AR_BSPSTORE] - 8 * n;

	s->rse_stores = cpu->stats.rse_stores;
	for (; n && s->n_pending; n--, va += 8) {
		u8 *ram;

		switch (strict_look_up(cpu, va, psr(cpu, PSR_RT), 8, &ram)) {
		case PLACE_RAM:
			perform_overlapping(cpu, ram, 8);
			break;
		case PLACE_UNKNOWN:
			perform_all(cpu);
			break;
		case PLACE_DEVICE:
			break;
		}
	}
}

/* For one more, before it is executed: what others store to the same place then comes first. */
static void make_room(struct cpu *cpu)
{
	while (cpu->strict->n_pending >= MAX_WAITING)
		perform(cpu, 0);
}

static void begin_store(struct cpu *cpu, const struct insn *i)
{
	bool release = strict_ops[i->op].flags & IS_RELEASE;
	struct strict *s = cpu->strict;
	unsigned int size = strict_size(i);
	enum place place;

	make_room(cpu);
	place = strict_look_up(cpu, gr(cpu, i->r3), psr(cpu, PSR_DT), size, &s->ram);
	if (place == PLACE_RAM)
		memcpy(s->before, s->ram, size);
	else if (place == PLACE_UNKNOWN || release)
		perform_all(cpu);
}

void stores_before(struct cpu *cpu, const struct insn *i)
{
	u16 flags = strict_ops[i->op].flags;

	cpu->strict->ram = NULL;
	if (flags & IS_STORE) {
		if (gr_nat(cpu, i->r3))
			return;
		if (flags & IS_LOAD)
			perform_all(cpu);
		else
			begin_store(cpu, i);
		return;
	}
	switch (i->op) {
	case OP_ptc_g:
	case OP_ptc_ga:
		make_room(cpu);
		break;
	case OP_mf:
	case OP_mf_a:
	case OP_fc:
	case OP_fc_i:
	case OP_sync_i:
	case OP_break_m:
	case OP_break_i:
	case OP_break_f:
	case OP_break_b:
	case OP_break_x:
		perform_all(cpu);
		break;
	}
}

/* The next of those that wait. */
static struct pending_store *append(struct cpu *cpu)
{
	struct strict *s = cpu->strict;
	struct pending_store *p = &s->pending[s->n_pending++];

	memset(p, 0, sizeof(*p));
	return p;
}

/* A purge of this processor begins at @ip. */
static void check_purges(struct cpu *cpu, u64 ip)
{
	struct machine *m = cpu->machine;

	for (unsigned int n = 0; n < m->n_cpus; n++) {
		const struct strict *other = m->cpu[n]->strict;

		if (m->cpu[n] == cpu)
			continue;
		for (unsigned int i = 0; i < other->n_pending; i++) {
			if (!other->pending[i].size) {
				findings_report(m, cpu, other->pending[i].purge.ip, ip, RULE_PURGE,
						"global purge",
						"while another processor's is in progress");
				break;
			}
		}
	}
}

void stores_after(struct cpu *cpu, const struct insn *i, bool on, u64 ip)
{
	struct strict *s = cpu->strict;
	struct pending_store *p;
	unsigned int n;

	if (cpu->stats.rse_stores != s->rse_stores)
		stores_settle(cpu);
	/* If it is off, s->ram is of one before, which has faulted. */
	if (on && s->ram) {
		p = append(cpu);
		p->ram = s->ram;
		p->size = strict_size(i);
		p->release = strict_ops[i->op].flags & IS_RELEASE;
		memcpy(p->old, s->before, p->size);
		memcpy(p->new, p->ram, p->size);
		s->ram = NULL;
	}
	if (on && (i->op == OP_ptc_g || i->op == OP_ptc_ga)) {
		check_purges(cpu, ip);
		p = append(cpu);
		p->release = true;
		p->purge.ip = ip;
		p->purge.va = gr(cpu, i->r3);
		p->purge.rid = rr_rid(cpu->rr[p->purge.va >> 61]);
		p->purge.ps = FIELD(gr(cpu, i->r2), 2, 6);
		p->purge.alat = i->op == OP_ptc_ga;
	}
	if (s->n_pending && !random_below(&s->random, s->laziness)) {
		n = random_below(&s->random, s->n_pending);
		if (may_perform(s, n))
			perform(cpu, n);
	}
}
