// SPDX-License-Identifier: GPL-2.0
/*
 * The M unit's memory references: loads and stores of general registers,
 * semaphores, prefetches, and the checks of speculation.
 * SDM volume 3 chapter 2, formats M1-M5, M13-M17, M20-M28.
 */
#include "cpu/exec.h"
#include "cpu/refs.h"
#include "cpu/rse.h"

#define ISR_READ	BIT(ISR_R)
#define ISR_WRITE	BIT(ISR_W)

/*
 * Plain loads and stores.
 */
ALWAYS_INLINE void load_gr(struct cpu *cpu, const struct insn *i, unsigned int size)
{
	check_target(cpu, i->r1);
	set_gr(cpu, i->r1, load(cpu, gr_not_nat(cpu, i->r3, ISR_READ), size), false);
	cpu->stats.loads++;
}

LOADS(ld1, load_gr(cpu, i, 1))
LOADS(ld2, load_gr(cpu, i, 2))
LOADS(ld4, load_gr(cpu, i, 4))
LOADS(ld8, load_gr(cpu, i, 8))

ALWAYS_INLINE void store_gr(struct cpu *cpu, const struct insn *i, unsigned int size)
{
	u64 va = gr_not_nat(cpu, i->r3, ISR_WRITE);

	store(cpu, va, size, gr_not_nat(cpu, i->r2, ISR_WRITE));
	cpu->stats.stores++;
}

STORES(st1, store_gr(cpu, i, 1))
STORES(st2, store_gr(cpu, i, 2))
STORES(st4, store_gr(cpu, i, 4))
STORES(st8, store_gr(cpu, i, 8))

/*
 * Spill and fill: the NaT bit is in UNAT, at the bit that address bits 8:3
 * name.  Never unaligned.
 */
static void fill(struct cpu *cpu, const struct insn *i)
{
	struct translation t;
	u64 va, value;
	u8 bytes[8];

	check_target(cpu, i->r1);
	va = gr_not_nat(cpu, i->r3, ISR_READ);
	if (va & 7) {
		read_bytes(cpu, va, bytes, 8, ACCESS_STRICT, &t);
		value = bytes_to_value(cpu, bytes, 8);
	} else {
		value = load(cpu, va, 8);
	}
	set_gr(cpu, i->r1, value, cpu->ar[AR_UNAT] >> FIELD(va, 3, 6) & 1);
	cpu->stats.loads++;
}

LOADS(ld8_fill, fill(cpu, i))

ALWAYS_INLINE void spill(struct cpu *cpu, const struct insn *i)
{
	u64 va = gr_not_nat(cpu, i->r3, ISR_WRITE), value = gr(cpu, i->r2);
	unsigned int bit = FIELD(va, 3, 6);
	bool nat = gr_nat(cpu, i->r2);
	u8 bytes[8];

	if (va & 7) {
		value_to_bytes(cpu, bytes, 8, value);
		write_bytes(cpu, va, bytes, 8, ACCESS_STRICT);
	} else {
		store(cpu, va, 8, value);
	}
	cpu->ar[AR_UNAT] = (cpu->ar[AR_UNAT] & ~BIT(bit)) | (u64)nat << bit;
	cpu->stats.stores++;
}

STORES(st8_spill, spill(cpu, i))

/*
 * Control and data speculation (SDM 3:151): x = size and kind.
 */
static void load_by_kind(struct cpu *cpu, const struct insn *i)
{
	unsigned int size = 1U << (i->x & LD_SIZE), kind = i->x >> 2;
	bool check = kind == LD_C_NC || kind == LD_C_CLR;
	bool spec = !check && kind & LD_S, advanced = !check && kind & LD_A;
	struct translation t = { .ma = MA_WB };
	bool done = false;
	const u8 *soft;
	u64 va, value = 0, pa = 0;
	u8 bytes[8];

	check_target(cpu, i->r1);
	if (gr_nat(cpu, i->r3) && !spec)
		raise_nat_consumption(cpu, ISR_READ);
	if (check) {
		/* A load may follow, and the ALAT is not to be asked twice. */
		note_seldom(cpu);
		if (alat_check(cpu, false, i->r1, kind == LD_C_CLR))
			return;
	}
	va = gr(cpu, i->r3);
	if (!spec || !(gr_nat(cpu, i->r3) || psr(cpu, PSR_ED))) {
		soft = soft_read(cpu, va, size);
		/* Physical memory is not for speculative loads, so ask translate(). */
		if (soft && (!spec || psr(cpu, PSR_DT))) {
			value = read_le(soft, size);
			pa = ram_address(cpu->machine, soft);
			done = true;
		} else if (read_bytes(cpu, va, bytes, size,
				      (spec ? ACCESS_SPEC : 0) | (advanced ? ACCESS_ADVANCED : 0),
				      &t)) {
			value = bytes_to_value(cpu, bytes, size);
			pa = t.pa;
			done = true;
		}
	}
	if (kind == LD_C_CLR || advanced)
		alat_invalidate_reg(cpu, false, i->r1);
	set_gr(cpu, i->r1, value, spec && !done);
	if (done && (kind == LD_C_NC || advanced) && is_speculative(&t))
		alat_allocate(cpu, false, i->r1, pa, size);
	if (done)
		cpu->stats.loads++;
}

LOADS(ld_spec, load_by_kind(cpu, i))

void exec_chk_s(struct cpu *cpu, const struct insn *i)
{
	if (gr_nat(cpu, i->r2))
		recover(cpu, cpu->ip + i->imm);
}

void exec_chk_a(struct cpu *cpu, const struct insn *i)
{
	if (!alat_check(cpu, false, i->r1, i->x))
		recover(cpu, cpu->ip + i->imm);
}

void exec_chk_a_f(struct cpu *cpu, const struct insn *i)
{
	check_fr(cpu, i->r1, 0);
	if (!alat_check(cpu, true, i->r1, i->x))
		recover(cpu, cpu->ip + i->imm);
}

void exec_invala(struct cpu *cpu, const struct insn *i)
{
	(void)i;
	alat_invalidate_all(cpu);
}

void exec_invala_e(struct cpu *cpu, const struct insn *i)
{
	alat_invalidate_reg(cpu, false, i->r1);
}

void exec_invala_e_f(struct cpu *cpu, const struct insn *i)
{
	alat_invalidate_reg(cpu, true, i->r1);
}

/*
 * Semaphores: one processor runs at a time, so read, compare and write are one.
 */
#define ISR_READ_WRITE	(ISR_READ | ISR_WRITE)

void exec_cmpxchg(struct cpu *cpu, const struct insn *i)
{
	unsigned int size = 1U << (i->x & 3);
	u64 va, old, new;
	u8 bytes[8];
	void *p;

	check_target(cpu, i->r1);
	va = gr_not_nat(cpu, i->r3, ISR_READ_WRITE);
	new = gr_not_nat(cpu, i->r2, ISR_READ_WRITE);
	p = rmw_address(cpu, va, size, 0);
	old = bytes_to_value(cpu, p, size);
	if (old == cpu->ar[AR_CCV]) {
		value_to_bytes(cpu, bytes, size, new);
		rmw_write(cpu, p, bytes, size);
	}
	set_gr(cpu, i->r1, old, false);
	cpu->stats.semaphores++;
}

void exec_xchg(struct cpu *cpu, const struct insn *i)
{
	unsigned int size = 1U << (i->x & 3);
	u64 va, old, new;
	u8 bytes[8];
	void *p;

	check_target(cpu, i->r1);
	va = gr_not_nat(cpu, i->r3, ISR_READ_WRITE);
	new = gr_not_nat(cpu, i->r2, ISR_READ_WRITE);
	p = rmw_address(cpu, va, size, 0);
	old = bytes_to_value(cpu, p, size);
	value_to_bytes(cpu, bytes, size, new);
	rmw_write(cpu, p, bytes, size);
	set_gr(cpu, i->r1, old, false);
	cpu->stats.semaphores++;
}

void exec_fetchadd(struct cpu *cpu, const struct insn *i)
{
	unsigned int size = 1U << (i->x & 3);
	u64 va, old;
	u8 bytes[8];
	void *p;

	check_target(cpu, i->r1);
	va = gr_not_nat(cpu, i->r3, ISR_READ_WRITE);
	p = rmw_address(cpu, va, size, ACCESS_EXPORT);
	old = bytes_to_value(cpu, p, size);
	value_to_bytes(cpu, bytes, size, old + i->imm);
	rmw_write(cpu, p, bytes, size);
	set_gr(cpu, i->r1, old, false);
	cpu->stats.semaphores++;
}

/* 16-byte references, which CPUID[4].ao promises; Madison has none. */
static void check_has_16_bytes(struct cpu *cpu)
{
	if (!(cpu->cpuid[4] & BIT(2)))
		raise_illegal(cpu);
}

/* Of 16 bytes each half has the program's byte order (SDM 3:152). */
void exec_ld16(struct cpu *cpu, const struct insn *i)
{
	struct translation t;
	u8 bytes[16];

	check_has_16_bytes(cpu);
	check_target(cpu, i->r1);
	read_bytes(cpu, gr_not_nat(cpu, i->r3, ISR_READ), bytes, 16,
		   ACCESS_STRICT | ACCESS_WB_ONLY, &t);
	set_gr(cpu, i->r1, bytes_to_value(cpu, bytes, 8), false);
	cpu->ar[AR_CSD] = bytes_to_value(cpu, bytes + 8, 8);
	cpu->stats.loads++;
}

void exec_st16(struct cpu *cpu, const struct insn *i)
{
	u8 bytes[16];
	u64 va;

	check_has_16_bytes(cpu);
	va = gr_not_nat(cpu, i->r3, ISR_WRITE);
	value_to_bytes(cpu, bytes, 8, gr_not_nat(cpu, i->r2, ISR_WRITE));
	value_to_bytes(cpu, bytes + 8, 8, cpu->ar[AR_CSD]);
	write_bytes(cpu, va, bytes, 16, ACCESS_STRICT | ACCESS_WB_ONLY);
	cpu->stats.stores++;
}

void exec_cmp8xchg16(struct cpu *cpu, const struct insn *i)
{
	u64 va, new, old;
	u8 bytes[16];
	u8 *p;

	check_has_16_bytes(cpu);
	check_target(cpu, i->r1);
	va = gr_not_nat(cpu, i->r3, ISR_READ_WRITE);
	new = gr_not_nat(cpu, i->r2, ISR_READ_WRITE);
	/* It compares the eight bytes at va, which may be either half. */
	p = rmw_address(cpu, va, 8, 0);
	old = bytes_to_value(cpu, p, 8);
	if (old == cpu->ar[AR_CCV]) {
		value_to_bytes(cpu, bytes, 8, new);
		value_to_bytes(cpu, bytes + 8, 8, cpu->ar[AR_CSD]);
		rmw_write(cpu, p - (va & 8), bytes, 16);
	}
	set_gr(cpu, i->r1, old, false);
	cpu->stats.semaphores++;
}

/*
 * Prefetch: nothing to fetch, but translations are looked up as the real ones.
 */
static void prefetch(struct cpu *cpu, const struct insn *i)
{
	u64 va = gr(cpu, i->r3);
	struct translation t;
	struct fault f;

	/* How an OS skips an lfetch.fault whose fault it does not resolve (SDM 3:165). */
	if (psr(cpu, PSR_ED))
		return;
	if (gr_nat(cpu, i->r3)) {
		if (i->x & LF_FAULT)
			raise_nat_consumption(cpu, ISR_READ | BIT(ISR_NA) | 4);
		return;
	}
	if (soft_read(cpu, va, 1))
		return;
	if (!translate(cpu, va, ACCESS_LFETCH, cpl(cpu), &t, &f) && i->x & LF_FAULT)
		raise_fault(cpu, &f);
}

LOADS(lfetch, prefetch(cpu, i))

/* Caches are coherent here, instruction caches too; what is left are faults, and -strict code. */
void exec_fc(struct cpu *cpu, const struct insn *i)
{
	u64 va = gr_not_nat(cpu, i->r3, ISR_READ | BIT(ISR_NA) | 1);
	struct translation t;
	struct fault f;

	if (!translate(cpu, va, ACCESS_FC, cpl(cpu), &t, &f))
		raise_fault(cpu, &f);
}

void exec_fence(struct cpu *cpu, const struct insn *i)
{
	(void)cpu, (void)i;
}

/*
 * The register stack.
 */
void exec_alloc(struct cpu *cpu, const struct insn *i)
{
	u64 pfs = cpu->ar[AR_PFS];

	/* A predicate is not for it; the target must be in the new frame. */
	if (i->qp || !i->r1 || (i->r1 >= 32 && i->r1 >= 32 + i->r2))
		raise_illegal(cpu);
	rse_alloc(cpu, i->r2, i->r3, i->r4);
	set_gr(cpu, i->r1, pfs, false);
}

void exec_flushrs(struct cpu *cpu, const struct insn *i)
{
	(void)i;
	rse_flush(cpu);
}

void exec_loadrs(struct cpu *cpu, const struct insn *i)
{
	(void)i;
	rse_loadrs(cpu);
}
