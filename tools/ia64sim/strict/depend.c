// SPDX-License-Identifier: GPL-2.0
/*
 * Dependencies within an instruction group: SDM volume 1, section 3.4, and volume 3,
 * tables 5-2 to 5-5.  A register that has been written may in general neither be read nor
 * written again before the next stop.
 *
 * Allowed are, besides: to read the target of a check load; to branch on a predicate
 * that an integer compare has written, or by a branch register that a move has; to write a
 * predicate by compares of the same parallel type; and st8.spill and ld8.fill of different
 * bits of ar.unat.
 *
 * It is the registers of executed instructions that count: one with a false predicate
 * reads that and nothing else.
 */
#include <stdio.h>
#include <string.h>

#include "strict/ops.h"
#include "strict/strict.h"
#include "watch/findings.h"

enum rule { RULE_READ = 8, RULE_WRITE };

/* Numbers of registers in findings. */
enum { OF_GR = 0, OF_FR = 128, OF_PR = 256, OF_BR = 320, OF_AR = 328, OF_SF = 456, OF_BSP = 464 };

static void name_register(unsigned int r, char *name, size_t size)
{
	static const struct {
		unsigned int first;
		const char *letter;
	} files[] = { { OF_BR, "b" }, { OF_PR, "p" }, { OF_FR, "f" }, { OF_GR, "r" } };

	if (r == OF_BSP) {
		snprintf(name, size, "ar.bsp");
		return;
	}
	if (r >= OF_SF) {
		snprintf(name, size, "ar.fpsr.sf%u.%s", (r - OF_SF) & 3,
			 r - OF_SF < 4 ? "controls" : "flags");
		return;
	}
	if (r >= OF_AR) {
		r -= OF_AR;
		if (ar_name(r))
			snprintf(name, size, "ar.%s", ar_name(r));
		else
			snprintf(name, size, "ar%u", r);
		return;
	}
	for (unsigned int n = 0; n < sizeof(files) / sizeof(files[0]); n++) {
		if (r >= files[n].first) {
			snprintf(name, size, "%s%u", files[n].letter, r - files[n].first);
			return;
		}
	}
}

static void report(struct cpu *cpu, u64 first, unsigned int r, enum rule rule)
{
	struct finding *f = findings_add(cpu->machine, first, strict_ip(cpu), r, rule);

	if (f->count > 1)
		return;
	snprintf(f->text, sizeof(f->text), "%s in the group of its write",
		 rule == RULE_READ ? "read" : "written again");
	name_register(r, f->name, sizeof(f->name));
	findings_print(cpu->machine, cpu, f);
}

static bool has(const u64 *bits, unsigned int n)
{
	return bits[n >> 6] >> (n & 63) & 1;
}

static void add(u64 *bits, unsigned int n)
{
	bits[n >> 6] |= BIT(n & 63);
}

static void forget(struct written *w)
{
	memset(w->regs, 0, sizeof(w->regs));
	memset(w->checked, 0, sizeof(w->checked));
}

void depend_new_group(struct cpu *cpu)
{
	struct strict *s = cpu->strict;

	forget(&s->grs);
	forget(&s->frs);
	forget(&s->ars);
	s->prs = s->unat = 0;
	s->brs = s->sf_controls = s->sf_flags = 0;
	s->bsp_ip = 0;
}

/*
 * General, floating-point and application registers.
 */
static void use(struct cpu *cpu, const struct written *w, unsigned int file, unsigned int r,
		enum rule rule)
{
	if (has(w->regs, r) && !(rule == RULE_READ && has(w->checked, r)))
		report(cpu, w->ip[r], file + r, rule);
}

static void note(struct written *w, unsigned int r, bool checked, u64 ip)
{
	add(w->regs, r);
	if (checked)
		add(w->checked, r);
	w->ip[r] = ip;
}

static void use_gr(struct cpu *cpu, unsigned int r, enum rule rule)
{
	use(cpu, &cpu->strict->grs, OF_GR, r, rule);
}

static void use_fr(struct cpu *cpu, unsigned int r, enum rule rule)
{
	use(cpu, &cpu->strict->frs, OF_FR, r, rule);
}

static void use_ar(struct cpu *cpu, unsigned int r, enum rule rule)
{
	use(cpu, &cpu->strict->ars, OF_AR, r, rule);
}

static void note_ar(struct strict *s, unsigned int ar, u64 ip)
{
	note(&s->ars, ar, false, ip);
}

/* r0, f0 and f1 are never written. */
static void note_gr(struct strict *s, unsigned int r, bool checked, u64 ip)
{
	if (r)
		note(&s->grs, r, checked, ip);
}

static void note_fr(struct strict *s, unsigned int r, bool checked, u64 ip)
{
	if (r >= 2)
		note(&s->frs, r, checked, ip);
}

static void check_files(struct cpu *cpu, const struct insn *i, unsigned int operands)
{
	if (operands & OPERAND_G2)
		use_gr(cpu, i->r2, RULE_READ);
	if (operands & OPERAND_G3)
		use_gr(cpu, i->r3, RULE_READ);
	if (operands & OPERAND_F2)
		use_fr(cpu, i->r2, RULE_READ);
	if (operands & OPERAND_F3)
		use_fr(cpu, i->r3, RULE_READ);
	if (operands & OPERAND_F4)
		use_fr(cpu, i->r4, RULE_READ);
	if (operands & OPERAND_TO_G1)
		use_gr(cpu, i->r1, RULE_WRITE);
	if (operands & OPERAND_TO_BASE)
		use_gr(cpu, i->r3, RULE_WRITE);
	if (operands & OPERAND_TO_F1)
		use_fr(cpu, i->r1, RULE_WRITE);
	if (operands & OPERAND_TO_F2)
		use_fr(cpu, i->r2, RULE_WRITE);
}

static void note_files(struct strict *s, const struct insn *i, unsigned int operands, u64 ip)
{
	bool checked = is_check_load(i);

	if (operands & OPERAND_TO_G1)
		note_gr(s, i->r1, checked, ip);
	if (operands & OPERAND_TO_BASE)
		note_gr(s, i->r3, false, ip);
	if (operands & OPERAND_TO_F1)
		note_fr(s, i->r1, checked, ip);
	if (operands & OPERAND_TO_F2)
		note_fr(s, i->r2, checked, ip);
}

/*
 * Predicates.
 */
static void read_pr(struct cpu *cpu, unsigned int p, bool branch)
{
	const struct strict *s = cpu->strict;

	if (s->prs >> p & 1 && !(branch && s->pr_how[p] != PR_FP))
		report(cpu, s->pr_ip[p], OF_PR + p, RULE_READ);
}

static void rewrite_pr(struct cpu *cpu, unsigned int p, enum pr_writer how)
{
	const struct strict *s = cpu->strict;

	/* Parallel compares of a type agree on what they write. */
	if (s->prs >> p & 1 && !(how == s->pr_how[p] && (how == PR_AND || how == PR_OR)))
		report(cpu, s->pr_ip[p], OF_PR + p, RULE_WRITE);
}

static void note_pr(struct strict *s, unsigned int p, enum pr_writer how, u64 ip)
{
	if (!p)
		return;
	s->prs |= BIT(p);
	s->pr_how[p] = how;
	s->pr_ip[p] = ip;
}

/* How a compare writes its first or its second predicate. */
static enum pr_writer compare_how(const struct insn *i, bool second)
{
	if (i->unit == UNIT_F)
		return PR_FP;
	switch (i->x & TYPE_MASK) {
	case TYPE_AND:
		return PR_AND;
	case TYPE_OR:
		return PR_OR;
	case TYPE_ORCM:
		return second ? PR_AND : PR_OR;
	}
	return PR_NORMAL;
}

/* Predicates that an instruction writes at once. */
static u64 moved_prs(const struct insn *i)
{
	switch (i->op) {
	case OP_mov_to_pr:
		return i->imm & ~1ULL;
	case OP_mov_to_pr_rot:
		return ~MASK(16);
	case OP_br_ctop:
	case OP_br_cexit:
	case OP_br_wtop:
	case OP_br_wexit:
		return BIT(63);
	}
	return 0;
}

static void check_prs(struct cpu *cpu, const struct insn *i, u16 flags, bool on)
{
	const struct strict *s = cpu->strict;
	u64 bits;

	read_pr(cpu, i->pred, flags & IS_BRANCH);
	if (!s->prs || !on)
		return;
	if (flags & IS_COMPARE)
		rewrite_pr(cpu, i->p1, compare_how(i, false));
	if (flags & (IS_COMPARE | WRITES_P2))
		rewrite_pr(cpu, i->p2, compare_how(i, true));
	for (bits = moved_prs(i) & s->prs; bits; bits &= bits - 1)
		rewrite_pr(cpu, __builtin_ctzll(bits), PR_NORMAL);
	if (i->op == OP_mov_from_pr)
		for (bits = s->prs; bits; bits &= bits - 1)
			read_pr(cpu, __builtin_ctzll(bits), false);
}

static void note_prs(struct strict *s, const struct insn *i, u16 flags, u64 ip)
{
	if (flags & IS_COMPARE)
		note_pr(s, i->p1, compare_how(i, false), ip);
	if (flags & (IS_COMPARE | WRITES_P2))
		note_pr(s, i->p2, compare_how(i, true), ip);
	for (u64 bits = moved_prs(i); bits; bits &= bits - 1)
		note_pr(s, __builtin_ctzll(bits), PR_NORMAL, ip);
}

/*
 * What application registers consist of, or go with.
 */
static void read_bsp(struct cpu *cpu)
{
	if (cpu->strict->bsp_ip)
		report(cpu, cpu->strict->bsp_ip, OF_BSP, RULE_READ);
}

/* The bits of ar.unat that a spill, a fill or a move is about. */
static void use_unat(struct cpu *cpu, u64 bits, enum rule rule)
{
	const struct strict *s = cpu->strict;

	bits &= s->unat;
	if (bits)
		report(cpu, s->unat_ip[__builtin_ctzll(bits)], OF_AR + AR_UNAT, rule);
}

static void note_unat(struct strict *s, u64 bits, u64 ip)
{
	s->unat |= bits;
	for (; bits; bits &= bits - 1)
		s->unat_ip[__builtin_ctzll(bits)] = ip;
}

static u64 unat_bit(u64 va)
{
	return BIT(FIELD(va, 3, 6));
}

/* ar.fpsr: the controls and the flags of a status field are registers of their own. */
static void use_sf(struct cpu *cpu, unsigned int sf, bool flags, enum rule rule)
{
	const struct strict *s = cpu->strict;

	if ((flags ? s->sf_flags : s->sf_controls) >> sf & 1)
		report(cpu, s->sf_ip[sf + 4 * flags], OF_SF + sf + 4 * flags, rule);
}

static void note_sf(struct strict *s, unsigned int sf, bool flags, u64 ip)
{
	if (flags)
		s->sf_flags |= BIT(sf);
	else
		s->sf_controls |= BIT(sf);
	s->sf_ip[sf + 4 * flags] = ip;
}

static void check_move_from_ar(struct cpu *cpu, unsigned int ar)
{
	use_ar(cpu, ar, RULE_READ);
	switch (ar) {
	case AR_UNAT:
		use_unat(cpu, ~0ULL, RULE_READ);
		break;
	case AR_BSP:
		read_bsp(cpu);
		break;
	case AR_BSPSTORE:
	case AR_RNAT:
		use_ar(cpu, AR_RSC, RULE_READ);
		break;
	case AR_FPSR:
		for (unsigned int sf = 0; sf < 4; sf++) {
			use_sf(cpu, sf, false, RULE_READ);
			use_sf(cpu, sf, true, RULE_READ);
		}
		break;
	}
}

static void check_move_to_ar(struct cpu *cpu, unsigned int ar)
{
	switch (ar) {
	case AR_UNAT:
		use_unat(cpu, ~0ULL, RULE_WRITE);
		return;
	case AR_FPSR:
		for (unsigned int sf = 0; sf < 4; sf++) {
			use_sf(cpu, sf, false, RULE_WRITE);
			use_sf(cpu, sf, true, RULE_WRITE);
		}
		return;
	case AR_BSPSTORE:
		use_ar(cpu, AR_RNAT, RULE_WRITE);
		/* fall through */
	case AR_RNAT:
		use_ar(cpu, AR_RSC, RULE_READ);
		break;
	}
	use_ar(cpu, ar, RULE_WRITE);
}

static void note_move_to_ar(struct strict *s, unsigned int ar, u64 ip)
{
	switch (ar) {
	case AR_UNAT:
		note_unat(s, ~0ULL, ip);
		return;
	case AR_FPSR:
		for (unsigned int sf = 0; sf < 4; sf++) {
			note_sf(s, sf, false, ip);
			note_sf(s, sf, true, ip);
		}
		return;
	case AR_BSPSTORE:
		s->bsp_ip = ip;
		note_ar(s, AR_RNAT, ip);
		break;
	}
	note_ar(s, ar, ip);
}

/* alloc, flushrs and loadrs. */
static void check_rse(struct cpu *cpu, bool bsp)
{
	use_ar(cpu, AR_RSC, RULE_READ);
	use_ar(cpu, AR_BSPSTORE, RULE_READ);
	use_ar(cpu, AR_RNAT, RULE_READ);
	if (bsp)
		read_bsp(cpu);
}

static void check_ars(struct cpu *cpu, const struct insn *i)
{
	switch (i->op) {
	case OP_mov_from_ar_i:
	case OP_mov_from_ar_m:
		check_move_from_ar(cpu, i->r3);
		break;
	case OP_mov_to_ar_i:
	case OP_mov_to_ar_m:
	case OP_mov_to_ar_imm_i:
	case OP_mov_to_ar_imm_m:
		check_move_to_ar(cpu, i->r3);
		break;
	case OP_cmpxchg1_acq:
	case OP_cmpxchg2_acq:
	case OP_cmpxchg4_acq:
	case OP_cmpxchg8_acq:
	case OP_cmpxchg1_rel:
	case OP_cmpxchg2_rel:
	case OP_cmpxchg4_rel:
	case OP_cmpxchg8_rel:
		use_ar(cpu, AR_CCV, RULE_READ);
		break;
	case OP_ld8_fill:
	case OP_ld8_fill_inc:
	case OP_ld8_fill_inc_reg:
		use_unat(cpu, unat_bit(gr(cpu, i->r3)), RULE_READ);
		break;
	case OP_st8_spill:
	case OP_st8_spill_inc:
		use_unat(cpu, unat_bit(gr(cpu, i->r3)), RULE_WRITE);
		break;
	case OP_br_cloop:
		use_ar(cpu, AR_LC, RULE_READ);
		break;
	case OP_br_ctop:
	case OP_br_cexit:
		use_ar(cpu, AR_LC, RULE_READ);
		/* fall through */
	case OP_br_wtop:
	case OP_br_wexit:
		use_ar(cpu, AR_EC, RULE_READ);
		break;
	case OP_br_call:
	case OP_br_call_ind:
	case OP_brl_call:
		use_ar(cpu, AR_EC, RULE_READ);
		read_bsp(cpu);
		break;
	case OP_br_ret:
		use_ar(cpu, AR_EC, RULE_WRITE);
		read_bsp(cpu);
		break;
	case OP_alloc:
		use_ar(cpu, AR_PFS, RULE_READ);
		check_rse(cpu, false);
		break;
	case OP_flushrs:
	case OP_loadrs:
		check_rse(cpu, true);
		break;
	case OP_cover:
	case OP_rfi:
		read_bsp(cpu);
		break;
	case OP_epc:
		use_ar(cpu, AR_PFS, RULE_READ);
		break;
	case OP_fsetc:
		use_sf(cpu, 0, false, RULE_READ);
		use_sf(cpu, i->sf, false, RULE_WRITE);
		break;
	case OP_fclrf:
		use_sf(cpu, i->sf, true, RULE_WRITE);
		break;
	case OP_fchkf:
		use_sf(cpu, 0, true, RULE_READ);
		use_sf(cpu, i->sf, true, RULE_READ);
		break;
	}
	if (strict_ops[i->op].flags & USES_SF)
		use_sf(cpu, i->sf, false, RULE_READ);
}

static void note_ars(struct cpu *cpu, const struct insn *i, u64 ip)
{
	struct strict *s = cpu->strict;

	switch (i->op) {
	case OP_mov_to_ar_i:
	case OP_mov_to_ar_m:
	case OP_mov_to_ar_imm_i:
	case OP_mov_to_ar_imm_m:
		note_move_to_ar(s, i->r3, ip);
		break;
	case OP_st8_spill:
		note_unat(s, unat_bit(gr(cpu, i->r3)), ip);
		break;
	case OP_st8_spill_inc:
		note_unat(s, unat_bit(gr(cpu, i->r3) - i->imm), ip);
		break;
	case OP_br_ctop:
	case OP_br_cexit:
		note_ar(s, AR_LC, ip);
		/* fall through */
	case OP_br_wtop:
	case OP_br_wexit:
		note_ar(s, AR_EC, ip);
		break;
	case OP_br_cloop:
		note_ar(s, AR_LC, ip);
		break;
	case OP_alloc:
	case OP_flushrs:
	case OP_loadrs:
		note_ar(s, AR_BSPSTORE, ip);
		note_ar(s, AR_RNAT, ip);
		break;
	case OP_fsetc:
		note_sf(s, i->sf, false, ip);
		break;
	case OP_fclrf:
		note_sf(s, i->sf, true, ip);
		break;
	}
	if (strict_ops[i->op].flags & USES_SF)
		note_sf(s, i->sf, true, ip);
}

/*
 * Branch registers.
 */
static void check_brs(struct cpu *cpu, const struct insn *i)
{
	const struct strict *s = cpu->strict;

	/* A branch may go where a move of its own group says. */
	if (i->op == OP_mov_from_br || i->op == OP_brp_ind || i->op == OP_brp_ret) {
		if (s->brs >> i->r2 & 1)
			report(cpu, s->br_ip[i->r2], OF_BR + i->r2, RULE_READ);
	} else if (i->op == OP_mov_to_br || i->op == OP_mov_ret_to_br) {
		if (s->brs >> i->r1 & 1)
			report(cpu, s->br_ip[i->r1], OF_BR + i->r1, RULE_WRITE);
	}
}

static void note_brs(struct strict *s, const struct insn *i, u64 ip)
{
	if (i->op != OP_mov_to_br && i->op != OP_mov_ret_to_br)
		return;
	s->brs |= 1U << i->r1;
	s->br_ip[i->r1] = ip;
}

void depend_before(struct cpu *cpu, const struct insn *i, bool on)
{
	const struct strict_op *o = &strict_ops[i->op];
	struct strict *s = cpu->strict;

	/* What runs with a false predicate, too, writes predicates then and nothing else. */
	s->enabled = on && !(o->flags & RUNS_OFF && !pr(cpu, i->pred));
	check_prs(cpu, i, o->flags, on);
	if (!s->enabled)
		return;
	check_files(cpu, i, o->operands);
	check_brs(cpu, i);
	check_ars(cpu, i);
}

void depend_after(struct cpu *cpu, const struct insn *i, bool on, u64 ip)
{
	const struct strict_op *o = &strict_ops[i->op];
	struct strict *s = cpu->strict;

	if (on)
		note_prs(s, i, o->flags, ip);
	if (!s->enabled)
		return;
	note_files(s, i, o->operands, ip);
	note_brs(s, i, ip);
	note_ars(cpu, i, ip);
}
