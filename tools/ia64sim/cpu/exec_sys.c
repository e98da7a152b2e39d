// SPDX-License-Identifier: GPL-2.0
/*
 * The M unit's system instructions, and moves to and from application
 * registers (of the I unit, too): PSR, application, control and indirectly
 * numbered registers, translations.
 * SDM volume 3 chapter 2, formats I26-I28, M29-M36, M38-M47; registers SDM
 * volume 1 section 3.1.8 and volume 2 section 3.3.
 */
#include "cpu/exec.h"
#include "cpu/rse.h"
#include "cpu/sapic.h"
#include "fp/fparith.h"
#include "mmu/tlb.h"
#include "pmu/pmu.h"

static void NORETURN reserved_field(struct cpu *cpu)
{
	raise_general(cpu, GE_RESERVED_FIELD);
}

/*
 * Processor status register.
 */
#define PSR_UM		0x3eULL			/* user mask */
#define PSR_RESERVED	(BIT(0) | 0x1fc0ULL | BIT(16) | 0xf0000000ULL)	/* of 31:0 */

/* The last effect of an instruction; what it starts to monitor begins right behind it. */
static void write_psr(struct cpu *cpu, u64 value)
{
	u64 changed = cpu->psr ^ value;

	set_psr(cpu, value);
	if (__builtin_expect(changed & PSR_MONITORS, 0) && cpu->pmu.on)
		look_now(cpu);
}

/* The user mask; a secure performance monitor keeps up as it is (SDM 2:26). */
static void set_user_mask(struct cpu *cpu, u64 um)
{
	u64 writable = psr(cpu, PSR_SP) ? PSR_UM & ~BIT(PSR_UP) : PSR_UM;

	write_psr(cpu, (cpu->psr & ~writable) | (um & writable));
}

void exec_sum(struct cpu *cpu, const struct insn *i)
{
	if (i->imm & ~PSR_UM)
		reserved_field(cpu);
	set_user_mask(cpu, cpu->psr | i->imm);
}

void exec_rum(struct cpu *cpu, const struct insn *i)
{
	if (i->imm & ~PSR_UM)
		reserved_field(cpu);
	set_user_mask(cpu, cpu->psr & ~i->imm);
}

void exec_ssm(struct cpu *cpu, const struct insn *i)
{
	check_privileged(cpu);
	if (i->imm & PSR_RESERVED)
		reserved_field(cpu);
	write_psr(cpu, cpu->psr | i->imm);
}

void exec_rsm(struct cpu *cpu, const struct insn *i)
{
	check_privileged(cpu);
	if (i->imm & PSR_RESERVED)
		reserved_field(cpu);
	write_psr(cpu, cpu->psr & ~i->imm);
}

void exec_mov_to_psr_l(struct cpu *cpu, const struct insn *i)
{
	u64 value;

	check_privileged(cpu);
	value = gr_not_nat(cpu, i->r2, 0);
	if (value & PSR_RESERVED)
		reserved_field(cpu);
	write_psr(cpu, (cpu->psr & ~MASK(32)) | (value & MASK(32)));
}

void exec_mov_to_psr_um(struct cpu *cpu, const struct insn *i)
{
	u64 value = gr_not_nat(cpu, i->r2, 0);

	if (value & ~PSR_UM)
		reserved_field(cpu);
	set_user_mask(cpu, value);
}

void exec_mov_from_psr(struct cpu *cpu, const struct insn *i)
{
	check_target(cpu, i->r1);
	check_privileged(cpu);
	set_gr(cpu, i->r1, cpu->psr & (MASK(32) | BIT(PSR_MC) | BIT(PSR_IT)), false);
}

void exec_mov_from_psr_um(struct cpu *cpu, const struct insn *i)
{
	check_target(cpu, i->r1);
	set_gr(cpu, i->r1, cpu->psr & PSR_UM, false);
}

void exec_srlz_d(struct cpu *cpu, const struct insn *i)
{
	(void)i;
	psr_serialized(cpu);
}

void exec_srlz_i(struct cpu *cpu, const struct insn *i)
{
	(void)i;
	cpu->stats.serializations++;
	psr_serialized(cpu);
}

/*
 * Application registers.
 */
#define RSC_RESERVED	(0xffe0ULL | ~MASK(30))
#define PFS_RESERVED	((MASK(52) & ~MASK(38)) | (MASK(62) & ~MASK(58)))

/* AR 48-63 and 112-127 read as 0 and ignore writes (SDM 1:28). */
static bool ar_ignored(unsigned int ar)
{
	return (ar >= 48 && ar < 64) || ar >= 112;
}

static bool ar_exists(unsigned int ar)
{
	static const u64 low = 0xffULL |	/* kernel registers */
		BIT(AR_RSC) | BIT(AR_BSP) | BIT(AR_BSPSTORE) | BIT(AR_RNAT) | BIT(AR_FCR) |
		BIT(AR_EFLAG) | BIT(AR_CSD) | BIT(AR_SSD) | BIT(AR_CFLG) | BIT(AR_FSR) |
		BIT(AR_FIR) | BIT(AR_FDR) | BIT(AR_CCV) | BIT(AR_UNAT) | BIT(AR_FPSR) |
		BIT(AR_ITC);

	if (ar_ignored(ar))
		return true;
	return ar < 64 ? low >> ar & 1 : ar <= AR_EC;
}

/* The I unit has PFS, LC and EC, the M unit those below 64; both what is ignored. */
static void check_ar(struct cpu *cpu, unsigned int ar, bool i_unit)
{
	if (!ar_exists(ar) || (!ar_ignored(ar) && i_unit != (ar >= 64)))
		raise_illegal(cpu);
	/* Only an RSE in enforced lazy mode holds still for these. */
	if ((ar == AR_BSPSTORE || ar == AR_RNAT) && cpu->ar[AR_RSC] & 3)
		raise_illegal(cpu);
}

static bool ar_reserved_field(unsigned int ar, u64 value)
{
	switch (ar) {
	case AR_RSC:
		return value & RSC_RESERVED;
	case AR_PFS:
		return value & PFS_RESERVED;
	case AR_FPSR:
		return fpsr_reserved(value);
	default:
		return false;
	}
}

static void write_ar(struct cpu *cpu, unsigned int ar, u64 value, bool i_unit)
{
	check_ar(cpu, ar, i_unit);
	if (ar == AR_BSP)
		raise_illegal(cpu);
	if (ar_reserved_field(ar, value))
		reserved_field(cpu);
	if ((ar <= AR_KR7 || ar == AR_ITC || ar == AR_CFLG) && cpl(cpu))
		raise_general(cpu, GE_PRIVILEGED_REGISTER);
	if (ar_ignored(ar))
		return;

	switch (ar) {
	case AR_RSC:
		/* RSC.pl is never more privileged than the program. */
		if (FIELD(value, 2, 2) < cpl(cpu))
			value = (value & ~0xcULL) | cpl(cpu) << 2;
		cpu->ar[ar] = value;
		break;
	case AR_BSPSTORE:
		rse_set_bspstore(cpu, value);
		break;
	case AR_RNAT:
		rse_set_rnat(cpu, value);
		break;
	case AR_ITC:
		cpu->itc_offset = value - cpu->cycles;
		sapic_timer_changed(cpu);
		attend(cpu);
		break;
	case AR_EC:
		cpu->ar[ar] = value & 0x3f;
		break;
	default:
		cpu->ar[ar] = value;
		break;
	}
}

static u64 read_ar(struct cpu *cpu, unsigned int ar, bool i_unit)
{
	check_ar(cpu, ar, i_unit);
	if (ar_ignored(ar))
		return 0;
	switch (ar) {
	case AR_BSP:
		return rse_bsp(cpu);
	case AR_BSPSTORE:
		return rse_bspstore(cpu);
	case AR_RNAT:
		return rse_rnat(cpu);
	case AR_ITC:
		if (psr(cpu, PSR_SI) && cpl(cpu))
			raise_general(cpu, GE_PRIVILEGED_REGISTER);
		return cpu_itc(cpu);
	default:
		return cpu->ar[ar];
	}
}

#define MOVES_AR(unit, i_unit)						\
	void exec_mov_to_ar_##unit(struct cpu *cpu, const struct insn *i) \
	{								\
		check_ar(cpu, i->r3, i_unit);				\
		write_ar(cpu, i->r3, gr_not_nat(cpu, i->r2, 0), i_unit); \
	}								\
	void exec_mov_to_ar_imm_##unit(struct cpu *cpu, const struct insn *i) \
	{								\
		write_ar(cpu, i->r3, i->imm, i_unit);			\
	}								\
	void exec_mov_from_ar_##unit(struct cpu *cpu, const struct insn *i) \
	{								\
		check_target(cpu, i->r1);				\
		set_gr(cpu, i->r1, read_ar(cpu, i->r3, i_unit), false);	\
	}

MOVES_AR(i, true)
MOVES_AR(m, false)

/*
 * Control registers.
 */
enum { CR_EXISTS = 1, CR_READ_ONLY = 2, CR_INTERRUPTION = 4 };

/* Bits that must be 0, and bits that are not there to be written. */
static const struct control_register {
	u64 reserved, ignored;
	u8 kind;
} control_registers[128] = {
	[CR_DCR] = { .kind = CR_EXISTS, .reserved = ~0x7f07ULL },
	[CR_ITM] = { .kind = CR_EXISTS },
	[CR_IVA] = { .kind = CR_EXISTS, .ignored = 0x7fff },
	[CR_PTA] = { .kind = CR_EXISTS, .reserved = BIT(1) | 0x7e00 },
	[CR_IPSR] = { .kind = CR_EXISTS | CR_INTERRUPTION,
		      .reserved = PSR_RESERVED | ~MASK(47) },
	[CR_ISR] = { .kind = CR_EXISTS | CR_INTERRUPTION,
		     .reserved = 0xff000000ULL | ~MASK(44) },
	[CR_IIP] = { .kind = CR_EXISTS | CR_INTERRUPTION },
	[CR_IFA] = { .kind = CR_EXISTS | CR_INTERRUPTION },
	[CR_ITIR] = { .kind = CR_EXISTS | CR_INTERRUPTION, .reserved = 3 | ~MASK(32) },
	[CR_IIPA] = { .kind = CR_EXISTS | CR_INTERRUPTION },
	[CR_IFS] = { .kind = CR_EXISTS | CR_INTERRUPTION, .reserved = MASK(63) & ~MASK(38) },
	[CR_IIM] = { .kind = CR_EXISTS | CR_INTERRUPTION },
	[CR_IHA] = { .kind = CR_EXISTS | CR_INTERRUPTION, .ignored = 3 },
	[CR_LID] = { .kind = CR_EXISTS, .reserved = 0xffff, .ignored = ~MASK(32) },
	[CR_IVR] = { .kind = CR_EXISTS | CR_READ_ONLY },
	[CR_TPR] = { .kind = CR_EXISTS, .reserved = 0xff00, .ignored = 0xf | ~MASK(17) },
	[CR_EOI] = { .kind = CR_EXISTS, .ignored = ~0ULL },
	[CR_IRR0] = { .kind = CR_EXISTS | CR_READ_ONLY },
	[CR_IRR0 + 1] = { .kind = CR_EXISTS | CR_READ_ONLY },
	[CR_IRR0 + 2] = { .kind = CR_EXISTS | CR_READ_ONLY },
	[CR_IRR3] = { .kind = CR_EXISTS | CR_READ_ONLY },
	[CR_ITV] = { .kind = CR_EXISTS, .reserved = 0xef00, .ignored = BIT(12) | ~MASK(17) },
	[CR_PMV] = { .kind = CR_EXISTS, .reserved = 0xef00, .ignored = BIT(12) | ~MASK(17) },
	[CR_CMCV] = { .kind = CR_EXISTS, .reserved = 0xef00, .ignored = BIT(12) | ~MASK(17) },
	[CR_LRR0] = { .kind = CR_EXISTS, .reserved = BIT(11), .ignored = 0x5000 | ~MASK(17) },
	[CR_LRR1] = { .kind = CR_EXISTS, .reserved = BIT(11), .ignored = 0x5000 | ~MASK(17) },
};

/* Sizes of the VHPT, SDM 2:65. */
static bool pta_size_reserved(u64 pta)
{
	unsigned int size = FIELD(pta, 2, 6);

	return size < 15 || size > 52;
}

static const struct control_register *check_cr(struct cpu *cpu, unsigned int n)
{
	const struct control_register *cr = &control_registers[n];

	/* An interruption might change these at any time while ic is 1. */
	if (!cr->kind || (cr->kind & CR_INTERRUPTION && psr(cpu, PSR_IC)))
		raise_illegal(cpu);
	return cr;
}

void exec_mov_to_cr(struct cpu *cpu, const struct insn *i)
{
	const struct control_register *cr = check_cr(cpu, i->r3);
	u64 value;

	if (cr->kind & CR_READ_ONLY)
		raise_illegal(cpu);
	check_privileged(cpu);
	value = gr_not_nat(cpu, i->r2, 0);
	if (value & cr->reserved || (i->r3 == CR_PTA && pta_size_reserved(value)))
		reserved_field(cpu);
	cpu->cr[i->r3] = value & ~cr->ignored;

	switch (i->r3) {
	case CR_ITM:
		sapic_timer_changed(cpu);
		attend(cpu);
		break;
	case CR_EOI:
		sapic_eoi(cpu);
		attend(cpu);
		break;
	case CR_TPR:
		sapic_update(cpu);
		attend(cpu);
		break;
	}
}

void exec_mov_from_cr(struct cpu *cpu, const struct insn *i)
{
	u64 value;

	check_cr(cpu, i->r3);
	check_target(cpu, i->r1);
	check_privileged(cpu);
	if (i->r3 == CR_IVR)
		value = sapic_read_ivr(cpu);
	else if (i->r3 >= CR_IRR0 && i->r3 <= CR_IRR3)
		value = cpu->irr[i->r3 - CR_IRR0];
	else
		value = cpu->cr[i->r3];
	set_gr(cpu, i->r1, value, false);
}

/*
 * Registers that are numbered by a register (SDM 3:180).
 */
static u64 check_move_to(struct cpu *cpu, const struct insn *i, u64 *value)
{
	check_privileged(cpu);
	if (gr_nat(cpu, i->r3))
		raise_nat_consumption(cpu, 0);
	*value = gr_not_nat(cpu, i->r2, 0);
	return gr(cpu, i->r3);
}

void exec_mov_to_rr(struct cpu *cpu, const struct insn *i)
{
	u64 value, n = check_move_to(cpu, i, &value);

	if (!set_rr(cpu, n >> 61, value))
		reserved_field(cpu);
}

void exec_mov_to_pkr(struct cpu *cpu, const struct insn *i)
{
	u64 value, n = check_move_to(cpu, i, &value);

	if (!set_pkr(cpu, n & 0xff, value))
		reserved_field(cpu);
}

void exec_mov_to_dbr(struct cpu *cpu, const struct insn *i)
{
	u64 value, n = check_move_to(cpu, i, &value);

	if (!set_dbr(cpu, n & 0xff, value))
		reserved_field(cpu);
}

void exec_mov_to_ibr(struct cpu *cpu, const struct insn *i)
{
	u64 value, n = check_move_to(cpu, i, &value);

	if (!set_ibr(cpu, n & 0xff, value))
		reserved_field(cpu);
}

void exec_mov_to_pmc(struct cpu *cpu, const struct insn *i)
{
	u64 value, n = check_move_to(cpu, i, &value) & 0xff;

	pmu_write_pmc(cpu, n, value);
	look_now(cpu);
}

void exec_mov_to_pmd(struct cpu *cpu, const struct insn *i)
{
	u64 value, n = check_move_to(cpu, i, &value) & 0xff;

	pmu_write_pmd(cpu, n, value);
	look_now(cpu);
}

/* Returns the index; all but CPUID and PMD are for level 0 only. */
static u64 check_move_from(struct cpu *cpu, const struct insn *i, bool privileged)
{
	check_target(cpu, i->r1);
	if (privileged)
		check_privileged(cpu);
	return gr_not_nat(cpu, i->r3, 0);
}

void exec_mov_from_rr(struct cpu *cpu, const struct insn *i)
{
	u64 n = check_move_from(cpu, i, true);

	set_gr(cpu, i->r1, cpu->rr[n >> 61], false);
}

#define MOVE_FROM_FILE(name, file, count)				\
	void exec_mov_from_##name(struct cpu *cpu, const struct insn *i) \
	{								\
		u64 n = check_move_from(cpu, i, true) & 0xff;		\
									\
		if (n >= (count))					\
			reserved_field(cpu);				\
		set_gr(cpu, i->r1, cpu->file[n], false);		\
	}

MOVE_FROM_FILE(pkr, pkr, IMPL_PKRS)
MOVE_FROM_FILE(dbr, dbr, N_BREAKPOINTS)
MOVE_FROM_FILE(ibr, ibr, N_BREAKPOINTS)

void exec_mov_from_cpuid(struct cpu *cpu, const struct insn *i)
{
	u64 n = check_move_from(cpu, i, false) & 0xff;

	if (n >= sizeof(cpu->cpuid) / sizeof(cpu->cpuid[0]))
		reserved_field(cpu);
	set_gr(cpu, i->r1, cpu->cpuid[n], false);
}

void exec_mov_from_pmc(struct cpu *cpu, const struct insn *i)
{
	u64 n = check_move_from(cpu, i, true) & 0xff;

	set_gr(cpu, i->r1, pmu_read_pmc(cpu, n), false);
}

void exec_mov_from_pmd(struct cpu *cpu, const struct insn *i)
{
	u64 n = check_move_from(cpu, i, false) & 0xff;

	set_gr(cpu, i->r1, pmu_read_pmd(cpu, n), false);
}

/*
 * Translations.
 */
static void NORETURN unimplemented_address(struct cpu *cpu, u64 va, u64 isr)
{
	if (collecting(cpu))
		cpu->cr[CR_IFA] = va;
	raise_vector(cpu, VEC_GENERAL_EXCEPTION, isr | GE_RESERVED_FIELD);
}

void exec_probe(struct cpu *cpu, const struct insn *i)
{
	unsigned int access = i->x ? ACCESS_WRITE : ACCESS_READ, level;
	u64 isr = BIT(ISR_NA) | 2 | (i->x ? BIT(ISR_W) : BIT(ISR_R)), va;
	struct fault f;
	bool allowed;

	check_target(cpu, i->r1);
	va = gr_not_nat(cpu, i->r3, isr);
	level = gr_not_nat(cpu, i->r2, isr) & 3;
	if (level < cpl(cpu))
		level = cpl(cpu);
	if (!tlb_probe(cpu, va, access, level, &allowed, &f))
		raise_fault(cpu, &f);
	set_gr(cpu, i->r1, allowed, false);
}

void exec_probe_imm(struct cpu *cpu, const struct insn *i)
{
	unsigned int access = i->x ? ACCESS_WRITE : ACCESS_READ, level = i->imm & 3;
	u64 isr = BIT(ISR_NA) | 2 | (i->x ? BIT(ISR_W) : BIT(ISR_R)), va;
	struct fault f;
	bool allowed;

	check_target(cpu, i->r1);
	va = gr_not_nat(cpu, i->r3, isr);
	if (level < cpl(cpu))
		level = cpl(cpu);
	if (!tlb_probe(cpu, va, access, level, &allowed, &f))
		raise_fault(cpu, &f);
	set_gr(cpu, i->r1, allowed, false);
}

void exec_probe_fault(struct cpu *cpu, const struct insn *i)
{
	static const struct {
		unsigned int access;
		u64 isr;
	} kinds[] = {
		{ ACCESS_READ, BIT(ISR_R) },
		{ ACCESS_WRITE, BIT(ISR_W) },
		{ ACCESS_READ | ACCESS_WRITE, BIT(ISR_R) | BIT(ISR_W) },
	};
	u64 va = gr_not_nat(cpu, i->r3, kinds[i->x].isr | BIT(ISR_NA) | 5);
	unsigned int level = i->imm & 3;
	struct translation t;
	struct fault f;

	if (level < cpl(cpu))
		level = cpl(cpu);
	if (!translate(cpu, va, ACCESS_PROBE_FAULT | kinds[i->x].access, level, &t, &f))
		raise_fault(cpu, &f);
}

static void insert_tc(struct cpu *cpu, const struct insn *i, bool data)
{
	u64 va = cpu->cr[CR_IFA], pte;

	if (psr(cpu, PSR_IC))
		raise_illegal(cpu);
	check_privileged(cpu);
	pte = gr_not_nat(cpu, i->r2, 0);
	if (tlb_reserved(pte, cpu->cr[CR_ITIR]))
		reserved_field(cpu);
	if (unimplemented_va(va))
		unimplemented_address(cpu, va, 0);
	tlb_insert_tc(cpu, data, pte, cpu->cr[CR_ITIR], va);
}

void exec_itc_d(struct cpu *cpu, const struct insn *i)
{
	insert_tc(cpu, i, true);
}

void exec_itc_i(struct cpu *cpu, const struct insn *i)
{
	insert_tc(cpu, i, false);
}

static void insert_tr(struct cpu *cpu, const struct insn *i, bool data)
{
	u64 va = cpu->cr[CR_IFA], pte, slot;

	if (psr(cpu, PSR_IC))
		raise_illegal(cpu);
	check_privileged(cpu);
	slot = gr_not_nat(cpu, i->r3, 0) & 0xff;
	pte = gr_not_nat(cpu, i->r2, 0);
	if (tlb_reserved(pte, cpu->cr[CR_ITIR]))
		reserved_field(cpu);
	if (unimplemented_va(va))
		unimplemented_address(cpu, va, 0);
	if (!tlb_insert_tr(cpu, data, slot, pte, cpu->cr[CR_ITIR], va))
		reserved_field(cpu);
}

void exec_itr_d(struct cpu *cpu, const struct insn *i)
{
	insert_tr(cpu, i, true);
}

void exec_itr_i(struct cpu *cpu, const struct insn *i)
{
	insert_tr(cpu, i, false);
}

/* Address and size of a purge. */
static u64 purge_operands(struct cpu *cpu, const struct insn *i, unsigned int *ps)
{
	u64 va;

	check_privileged(cpu);
	va = gr_not_nat(cpu, i->r3, 0);
	*ps = FIELD(gr_not_nat(cpu, i->r2, 0), 2, 6);
	if (unimplemented_va(va))
		unimplemented_address(cpu, va, 0);
	return va;
}

void exec_ptc_l(struct cpu *cpu, const struct insn *i)
{
	unsigned int ps;
	u64 va = purge_operands(cpu, i, &ps);

	tlb_purge_local(cpu, va, ps);
}

void exec_ptc_g(struct cpu *cpu, const struct insn *i)
{
	unsigned int ps;
	u64 va = purge_operands(cpu, i, &ps);

	tlb_purge_global(cpu, va, ps, false);
}

void exec_ptc_ga(struct cpu *cpu, const struct insn *i)
{
	unsigned int ps;
	u64 va = purge_operands(cpu, i, &ps);

	tlb_purge_global(cpu, va, ps, true);
}

void exec_ptr_d(struct cpu *cpu, const struct insn *i)
{
	unsigned int ps;
	u64 va = purge_operands(cpu, i, &ps);

	tlb_purge_tr(cpu, true, va, ps);
}

void exec_ptr_i(struct cpu *cpu, const struct insn *i)
{
	unsigned int ps;
	u64 va = purge_operands(cpu, i, &ps);

	tlb_purge_tr(cpu, false, va, ps);
}

void exec_ptc_e(struct cpu *cpu, const struct insn *i)
{
	check_privileged(cpu);
	tlb_purge_all(cpu, gr_not_nat(cpu, i->r3, 0));
}

/* Addresses that cannot be hashed give NaT, no fault (SDM 3:270). */
void exec_thash(struct cpu *cpu, const struct insn *i)
{
	u64 va = gr(cpu, i->r3);
	bool nat = gr_nat(cpu, i->r3) || unimplemented_va(va);

	check_target(cpu, i->r1);
	set_gr(cpu, i->r1, nat ? 0 : vhpt_thash(cpu, va), nat);
}

void exec_ttag(struct cpu *cpu, const struct insn *i)
{
	u64 va = gr(cpu, i->r3);
	bool nat = gr_nat(cpu, i->r3) || unimplemented_va(va);

	check_target(cpu, i->r1);
	set_gr(cpu, i->r1, nat ? 0 : vhpt_ttag(cpu, va), nat);
}

void exec_tpa(struct cpu *cpu, const struct insn *i)
{
	struct translation t;
	struct fault f;
	u64 va;

	check_target(cpu, i->r1);
	check_privileged(cpu);
	va = gr_not_nat(cpu, i->r3, BIT(ISR_NA));
	if (!translate(cpu, va, ACCESS_TPA, cpl(cpu), &t, &f))
		raise_fault(cpu, &f);
	set_gr(cpu, i->r1, t.pa, false);
}

void exec_tak(struct cpu *cpu, const struct insn *i)
{
	u64 va;

	check_target(cpu, i->r1);
	check_privileged(cpu);
	va = gr_not_nat(cpu, i->r3, BIT(ISR_NA) | 3);
	set_gr(cpu, i->r1, tlb_tak(cpu, va), false);
}
