// SPDX-License-Identifier: GPL-2.0
/*
 * Serialization: SDM volume 2, section 3.2, and volume 3, tables 5-2 and following.
 *
 * A write that changes a system resource is in flight until it is serialized.  What
 * depends on it before may see the old value or the new one.  Some pairs need but a stop
 * between them ("implied"), others srlz.d, and what instruction fetches depend on srlz.i.
 * rfi and interruptions serialize everything, so only what one program executes without
 * either counts.
 *
 * A write of the value that is there is not in flight (SDM 2:542).  Where the tables let a
 * whole class of instructions depend on a resource that only some of them use - one region
 * register, one translation - it is those that are looked for.
 *
 * A srlz has to be in a later group than the write; srlz.i serves later groups only, srlz.d
 * its own, too (SDM 3:249).
 */
#include <stdio.h>
#include <string.h>

#include "mmu/tlb.h"
#include "strict/ops.h"
#include "strict/strict.h"
#include "watch/findings.h"

/* Control registers have their numbers. */
enum {
	RESOURCE_RR = 128,		/* one for each region */
	RESOURCE_PSR = 136,		/* one for each of its bits 31:0 */
	RESOURCE_PKR = 168, RESOURCE_DBR, RESOURCE_IBR,
	RESOURCE_IN_SERVICE,		/* of external interrupts */
	RESOURCE_IRR,
	RESOURCE_DTLB, RESOURCE_ITLB,
	RESOURCE_PMC,			/* all of a kind count as one */
};

enum need { NEED_STOP, NEED_DATA, NEED_INSTRUCTION };

static const char *const needs[] = {
	[NEED_STOP] = "without a stop",
	[NEED_DATA] = "without srlz.d",
	[NEED_INSTRUCTION] = "without srlz.i",
};

static const char *const psr_names[32] = {
	[PSR_BE] = "be", [PSR_UP] = "up", [PSR_AC] = "ac", [PSR_MFL] = "mfl",
	[PSR_MFH] = "mfh", [PSR_IC] = "ic", [PSR_I] = "i", [PSR_PK] = "pk", [PSR_DT] = "dt",
	[PSR_DFL] = "dfl", [PSR_DFH] = "dfh", [PSR_SP] = "sp", [PSR_PP] = "pp",
	[PSR_DI] = "di", [PSR_SI] = "si", [PSR_DB] = "db", [PSR_LP] = "lp", [PSR_TB] = "tb",
	[PSR_RT] = "rt",
};

static void name_resource(unsigned int resource, char *name, size_t size)
{
	static const char *const others[] = {
		[RESOURCE_PKR - RESOURCE_PKR] = "pkr", [RESOURCE_DBR - RESOURCE_PKR] = "dbr",
		[RESOURCE_IBR - RESOURCE_PKR] = "ibr",
		[RESOURCE_IN_SERVICE - RESOURCE_PKR] = "interrupts in service",
		[RESOURCE_IRR - RESOURCE_PKR] = "cr.irr",
		[RESOURCE_DTLB - RESOURCE_PKR] = "data translation",
		[RESOURCE_ITLB - RESOURCE_PKR] = "code translation",
		[RESOURCE_PMC - RESOURCE_PKR] = "pmc",
	};

	if (resource < RESOURCE_RR)
		snprintf(name, size, "cr.%s", cr_name(resource) ? cr_name(resource) : "?");
	else if (resource < RESOURCE_PSR)
		snprintf(name, size, "rr%u", resource - RESOURCE_RR);
	else if (resource < RESOURCE_PKR)
		snprintf(name, size, "psr.%s", psr_names[resource - RESOURCE_PSR] ?
			 psr_names[resource - RESOURCE_PSR] : "?");
	else
		snprintf(name, size, "%s", others[resource - RESOURCE_PKR]);
}

static bool is_served(const struct strict *s, const struct in_flight *e, enum need need)
{
	if (need == NEED_STOP)
		return e->group != s->group;
	if (e->srlz_i && e->srlz_i != s->group)
		return true;
	return need == NEED_DATA && e->data && e->group != s->group;
}

static void report(struct cpu *cpu, struct in_flight *e, enum need need)
{
	struct finding *f;

	/* One fetch stands for those behind it. */
	if (need == NEED_INSTRUCTION && e->resource != CR_IVA) {
		if (e->fetched)
			return;
		e->fetched = true;
	}
	/* What needs no srlz.d for anybody needs the stop here. */
	if (need == NEED_DATA && e->data)
		need = NEED_STOP;
	f = findings_add(cpu->machine, e->ip, strict_ip(cpu), e->resource, need);
	if (f->count > 1)
		return;
	snprintf(f->text, sizeof(f->text), "%s", needs[need]);
	name_resource(e->resource, f->name, sizeof(f->name));
	findings_print(cpu->machine, cpu, f);
}

static void use(struct cpu *cpu, unsigned int resource, enum need need)
{
	struct strict *s = cpu->strict;

	for (unsigned int n = 0; n < s->n_in_flight; n++) {
		struct in_flight *e = &s->in_flight[n];

		if (e->resource == resource && !is_served(s, e, need))
			report(cpu, e, need);
	}
}

static void use_psr(struct cpu *cpu, unsigned int bit, enum need need)
{
	use(cpu, RESOURCE_PSR + bit, need);
}

/* A translation of va, by a data reference or a fetch. */
static void use_translation(struct cpu *cpu, unsigned int resource, u64 va, enum need need)
{
	struct tlb *tlb = resource == RESOURCE_DTLB ? &cpu->dtlb : &cpu->itlb;
	struct strict *s = cpu->strict;
	u32 rid = rr_rid(cpu->rr[va >> 61]);
	const struct tlb_entry *found = tlb_find(tlb, rid, va);
	bool pinned = found >= tlb->tr && found < tlb->tr + MAX_TR;

	for (unsigned int n = 0; n < s->n_in_flight; n++) {
		struct in_flight *e = &s->in_flight[n];

		if (e->resource == resource && !((va ^ e->va) & MASK(61) & ~e->mask) &&
		    (e->rid == rid || e->mask == ~0ULL) && !(e->of_cache && pinned) &&
		    !is_served(s, e, need))
			report(cpu, e, need);
	}
}

static void drop(struct strict *s, unsigned int n)
{
	s->n_in_flight--;
	memmove(&s->in_flight[n], &s->in_flight[n + 1],
		(s->n_in_flight - n) * sizeof(s->in_flight[0]));
}

/* The writer at ip has changed a resource. */
static struct in_flight *change(struct cpu *cpu, unsigned int resource, u64 ip)
{
	struct strict *s = cpu->strict;

	/* The last writer counts; translations are different ones. */
	if (resource != RESOURCE_DTLB && resource != RESOURCE_ITLB) {
		for (unsigned int n = 0; n < s->n_in_flight; n++) {
			if (s->in_flight[n].resource == resource) {
				drop(s, n);
				break;
			}
		}
	}
	if (s->n_in_flight == MAX_IN_FLIGHT)
		drop(s, 0);
	s->in_flight[s->n_in_flight] = (struct in_flight){
		.ip = ip, .group = s->group, .resource = resource,
	};
	return &s->in_flight[s->n_in_flight++];
}

static struct in_flight *change_translation(struct cpu *cpu, unsigned int resource, u64 ip,
					    u64 va, unsigned int ps)
{
	struct in_flight *e = change(cpu, resource, ip);

	e->va = va;
	e->mask = ps >= 61 ? ~0ULL : MASK(ps);
	e->rid = rr_rid(cpu->rr[va >> 61]);
	return e;
}

void serialize_all(struct cpu *cpu)
{
	struct strict *s = cpu->strict;

	s->n_in_flight = 0;
	s->srlz_i = false;
}

/* Do fetches depend on it, so that srlz.d is not all it waits for? */
static bool is_for_fetches(unsigned int resource)
{
	return (resource >= RESOURCE_RR && resource < RESOURCE_PSR) || resource == CR_IVA ||
	       resource == RESOURCE_PKR || resource == RESOURCE_IBR ||
	       resource == RESOURCE_ITLB || resource == RESOURCE_PSR + PSR_PK ||
	       resource == RESOURCE_PSR + PSR_DB;
}

static void serialize_data(struct strict *s)
{
	for (unsigned int n = s->n_in_flight; n-- > 0;) {
		struct in_flight *e = &s->in_flight[n];

		if (e->group == s->group)
			continue;
		if (is_for_fetches(e->resource))
			e->data = true;
		else
			drop(s, n);
	}
}

static void serialize_instructions(struct strict *s)
{
	for (unsigned int n = 0; n < s->n_in_flight; n++) {
		struct in_flight *e = &s->in_flight[n];

		if (e->group != s->group && !e->srlz_i) {
			e->srlz_i = s->group;
			s->srlz_i = true;
		}
	}
}

/* What srlz.i in an earlier group has served. */
static void sweep(struct strict *s)
{
	s->srlz_i = false;
	for (unsigned int n = s->n_in_flight; n-- > 0;) {
		const struct in_flight *e = &s->in_flight[n];

		if (!e->srlz_i)
			continue;
		if (e->srlz_i != s->group)
			drop(s, n);
		else
			s->srlz_i = true;
	}
}

/* The fetch of the bundle that has just begun. */
static void use_by_fetch(struct cpu *cpu)
{
	u64 va = cpu->ip;

	if (psr(cpu, PSR_DB))
		use(cpu, RESOURCE_IBR, NEED_INSTRUCTION);
	if (!psr(cpu, PSR_IT))
		return;
	use(cpu, RESOURCE_RR + (va >> 61), NEED_INSTRUCTION);
	use_translation(cpu, RESOURCE_ITLB, va, NEED_INSTRUCTION);
	use_psr(cpu, PSR_PK, NEED_INSTRUCTION);
	if (psr(cpu, PSR_PK))
		use(cpu, RESOURCE_PKR, NEED_INSTRUCTION);
}

/* A translation is looked for, of data at va. */
static void use_by_lookup(struct cpu *cpu, u64 va)
{
	use(cpu, RESOURCE_RR + (va >> 61), NEED_DATA);
	use_translation(cpu, RESOURCE_DTLB, va, NEED_DATA);
	/* Of the table only who needs the walker depends. */
	if (!tlb_find(&cpu->dtlb, rr_rid(cpu->rr[va >> 61]), va))
		use(cpu, CR_PTA, NEED_DATA);
}

static void use_by_reference(struct cpu *cpu, const struct insn *i, u16 flags)
{
	bool access = flags & (IS_LOAD | IS_STORE);
	u64 va = gr(cpu, i->r3);

	if (gr_nat(cpu, i->r3))
		return;
	use_psr(cpu, PSR_DT, NEED_DATA);
	/* Probes, tpa and tak search in any case. */
	if (psr(cpu, PSR_DT) || flags & IS_PROBE || i->op == OP_tpa || i->op == OP_tak)
		use_by_lookup(cpu, va);
	if (access || flags & (IS_LFETCH | IS_PROBE)) {
		use_psr(cpu, PSR_PK, NEED_DATA);
		if (psr(cpu, PSR_PK))
			use(cpu, RESOURCE_PKR, NEED_DATA);
		use_psr(cpu, PSR_DB, NEED_DATA);
		if (psr(cpu, PSR_DB))
			use(cpu, RESOURCE_DBR, NEED_DATA);
	}
	if (access) {
		use_psr(cpu, PSR_BE, NEED_DATA);
		use_psr(cpu, PSR_AC, NEED_DATA);
	}
	if (is_control_speculative(i))
		use(cpu, CR_DCR, NEED_DATA);
}

static void use_fr(struct cpu *cpu, unsigned int f)
{
	if (f >= 2)
		use_psr(cpu, f < 32 ? PSR_DFL : PSR_DFH, NEED_DATA);
}

static void use_frs(struct cpu *cpu, const struct insn *i, u16 operands)
{
	if (operands & OPERAND_TO_F1)
		use_fr(cpu, i->r1);
	if (operands & (OPERAND_F2 | OPERAND_TO_F2))
		use_fr(cpu, i->r2);
	if (operands & OPERAND_F3)
		use_fr(cpu, i->r3);
	if (operands & OPERAND_F4)
		use_fr(cpu, i->r4);
}

static bool is_of_interruptions(unsigned int cr)
{
	return cr >= CR_IPSR && cr <= CR_IHA;
}

static void use_by_move_from_cr(struct cpu *cpu, unsigned int cr)
{
	use(cpu, cr, cr == CR_IVA ? NEED_INSTRUCTION : NEED_DATA);
	if (is_of_interruptions(cr))
		use_psr(cpu, PSR_IC, NEED_DATA);
	if (cr == CR_IVR) {
		use(cpu, CR_TPR, NEED_DATA);
		use(cpu, RESOURCE_IN_SERVICE, NEED_DATA);
	}
	if (cr >= CR_IRR0 && cr <= CR_IRR3)
		use(cpu, RESOURCE_IRR, NEED_DATA);
}

static void use_by_insert(struct cpu *cpu)
{
	use(cpu, CR_IFA, NEED_STOP);
	use(cpu, CR_ITIR, NEED_STOP);
	use(cpu, RESOURCE_RR + (cpu->cr[CR_IFA] >> 61), NEED_DATA);
	use_psr(cpu, PSR_IC, NEED_DATA);
}

static void use_by_rfi(struct cpu *cpu)
{
	use(cpu, CR_IPSR, NEED_STOP);
	use(cpu, CR_IIP, NEED_STOP);
	use(cpu, CR_IFS, NEED_STOP);
	use(cpu, CR_TPR, NEED_STOP);
}

/* Interrupts are let in: at which priority the manual wants to be settled (SDM 2:119). */
static void use_by_unmasking(struct cpu *cpu, bool unmasks)
{
	if (unmasks && !psr(cpu, PSR_I))
		use(cpu, CR_TPR, NEED_DATA);
}

static void use_by_others(struct cpu *cpu, const struct insn *i)
{
	switch (i->op) {
	case OP_mov_from_cr:
		use_by_move_from_cr(cpu, i->r3);
		break;
	case OP_mov_to_cr:
		if (is_of_interruptions(i->r3))
			use_psr(cpu, PSR_IC, NEED_DATA);
		break;
	case OP_cover:
		use_psr(cpu, PSR_IC, NEED_DATA);
		break;
	case OP_itc_d:
	case OP_itc_i:
	case OP_itr_d:
	case OP_itr_i:
		use_by_insert(cpu);
		break;
	case OP_ptc_l:
	case OP_ptc_g:
	case OP_ptc_ga:
	case OP_ptr_d:
	case OP_ptr_i:
	case OP_ttag:
		use(cpu, RESOURCE_RR + (gr(cpu, i->r3) >> 61), NEED_DATA);
		break;
	case OP_thash:
		use(cpu, RESOURCE_RR + (gr(cpu, i->r3) >> 61), NEED_DATA);
		use(cpu, CR_PTA, NEED_DATA);
		break;
	case OP_mov_from_rr:
		use(cpu, RESOURCE_RR + (gr(cpu, i->r3) >> 61), NEED_STOP);
		break;
	case OP_mov_from_pkr:
		use(cpu, RESOURCE_PKR, NEED_STOP);
		break;
	case OP_mov_from_dbr:
		use(cpu, RESOURCE_DBR, NEED_STOP);
		break;
	case OP_mov_from_ibr:
		use(cpu, RESOURCE_IBR, NEED_STOP);
		break;
	case OP_mov_from_pmc:
		use(cpu, RESOURCE_PMC, NEED_STOP);
		break;
	case OP_rfi:
		use_by_rfi(cpu);
		break;
	case OP_mov_from_psr:
		for (unsigned int bit = 0; bit < 32; bit++)
			use_psr(cpu, bit, NEED_STOP);
		break;
	case OP_mov_from_psr_um:
		for (unsigned int bit = PSR_BE; bit <= PSR_MFH; bit++)
			use_psr(cpu, bit, NEED_STOP);
		break;
	case OP_ssm:
		use_by_unmasking(cpu, i->imm & BIT(PSR_I));
		break;
	case OP_mov_to_psr_l:
		use_by_unmasking(cpu, gr(cpu, i->r2) & BIT(PSR_I));
		break;
	case OP_sum:
	case OP_rum:
	case OP_mov_to_psr_um:
	case OP_mov_from_pmd:
		use_psr(cpu, PSR_SP, NEED_DATA);
		break;
	case OP_mov_from_ar_m:
		if (i->r3 == AR_ITC)
			use_psr(cpu, PSR_SI, NEED_DATA);
		break;
	case OP_alloc:
	case OP_flushrs:
	case OP_loadrs:
		use_psr(cpu, PSR_RT, NEED_DATA);
		break;
	case OP_br_ret:
		use_psr(cpu, PSR_LP, NEED_DATA);
		break;
	}
	if (i->unit == UNIT_B)
		use_psr(cpu, PSR_TB, NEED_DATA);
}

/* What is there before the instruction, to see behind it what it has changed. */
static void remember(struct cpu *cpu, const struct insn *i)
{
	struct strict *s = cpu->strict;

	s->old_psr = cpu->psr;
	s->index = gr(cpu, i->r3);
	switch (i->op) {
	case OP_mov_to_cr:
		s->old = cpu->cr[i->r3];
		break;
	case OP_mov_to_rr:
		s->index >>= 61;
		s->old = cpu->rr[s->index];
		break;
	case OP_ptc_l:
	case OP_ptc_g:
	case OP_ptc_ga:
	case OP_ptr_d:
	case OP_ptr_i:
		s->old = FIELD(gr(cpu, i->r2), 2, 6);
		break;
	}
}

void serialize_before(struct cpu *cpu, const struct insn *i, bool on)
{
	struct strict *s = cpu->strict;
	const struct strict_op *o = &strict_ops[i->op];

	if (on && i->unit == UNIT_M)
		remember(cpu, i);
	if (s->srlz_i)
		sweep(s);
	if (!s->n_in_flight)
		return;
	if (!cpu->slot)
		use_by_fetch(cpu);
	if (!on)
		return;
	if (o->flags & (IS_LOAD | IS_STORE | IS_NON_ACCESS))
		use_by_reference(cpu, i, o->flags);
	if (o->operands & (OPERAND_TO_F1 | OPERAND_TO_F2 | OPERAND_F2 | OPERAND_F3 | OPERAND_F4))
		use_frs(cpu, i, o->operands);
	use_by_others(cpu, i);
}

/* Of PSR: what the user mask's own instructions write of be and ac needs but a stop. */
static void changed_psr(struct cpu *cpu, const struct insn *i, u64 ip)
{
	u64 changed = (cpu->psr ^ cpu->strict->old_psr) & MASK(32);
	bool um = i->op == OP_sum || i->op == OP_rum || i->op == OP_mov_to_psr_um;

	for (; changed; changed &= changed - 1) {
		unsigned int bit = __builtin_ctzll(changed);

		change(cpu, RESOURCE_PSR + bit, ip)->data = um;
	}
}

static void changed_cr(struct cpu *cpu, unsigned int cr, u64 ip)
{
	if (cr == CR_EOI)
		change(cpu, RESOURCE_IN_SERVICE, ip);
	else if (cpu->cr[cr] != cpu->strict->old)
		change(cpu, cr, ip);
}

static void inserted(struct cpu *cpu, unsigned int resource, u64 ip)
{
	change_translation(cpu, resource, ip, cpu->cr[CR_IFA], FIELD(cpu->cr[CR_ITIR], 2, 6));
}

/* From the cache of either TLB. */
static void purged(struct cpu *cpu, u64 ip, u64 va, unsigned int ps)
{
	change_translation(cpu, RESOURCE_DTLB, ip, va, ps)->of_cache = true;
	change_translation(cpu, RESOURCE_ITLB, ip, va, ps)->of_cache = true;
}

void serialize_after(struct cpu *cpu, const struct insn *i, u64 ip)
{
	struct strict *s = cpu->strict;

	switch (i->op) {
	case OP_srlz_d:
		serialize_data(s);
		break;
	case OP_srlz_i:
		serialize_instructions(s);
		break;
	case OP_ssm:
	case OP_rsm:
	case OP_sum:
	case OP_rum:
	case OP_mov_to_psr_l:
	case OP_mov_to_psr_um:
		changed_psr(cpu, i, ip);
		break;
	case OP_mov_to_cr:
		changed_cr(cpu, i->r3, ip);
		break;
	case OP_mov_from_cr:
		if (i->r3 == CR_IVR)
			change(cpu, RESOURCE_IRR, ip);
		break;
	case OP_mov_to_rr:
		if (cpu->rr[s->index] != s->old)
			change(cpu, RESOURCE_RR + s->index, ip);
		break;
	case OP_mov_to_pkr:
		change(cpu, RESOURCE_PKR, ip);
		break;
	case OP_mov_to_dbr:
		change(cpu, RESOURCE_DBR, ip);
		break;
	case OP_mov_to_ibr:
		change(cpu, RESOURCE_IBR, ip);
		break;
	case OP_mov_to_pmc:
		change(cpu, RESOURCE_PMC, ip);
		break;
	case OP_itc_d:
	case OP_itr_d:
		inserted(cpu, RESOURCE_DTLB, ip);
		break;
	case OP_itc_i:
	case OP_itr_i:
		inserted(cpu, RESOURCE_ITLB, ip);
		break;
	case OP_ptc_l:
	case OP_ptc_g:
	case OP_ptc_ga:
		purged(cpu, ip, s->index, s->old);
		break;
	case OP_ptr_d:
		change_translation(cpu, RESOURCE_DTLB, ip, s->index, s->old);
		break;
	case OP_ptr_i:
		change_translation(cpu, RESOURCE_ITLB, ip, s->index, s->old);
		break;
	case OP_ptc_e:
		purged(cpu, ip, 0, 64);
		break;
	}
}
