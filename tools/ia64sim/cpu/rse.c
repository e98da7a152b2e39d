// SPDX-License-Identifier: GPL-2.0
/*
 * The register stack and its engine: SDM volume 2 chapter 6, register rotation
 * SDM volume 1 section 3.1.
 *
 * The 96 physical stacked registers are a ring of four partitions: invalid,
 * clean, dirty, and the current frame.  Three numbers describe it: where the
 * frame begins (rse_base), how many registers below it are dirty, and how many
 * below those are clean; BSPSTORE belongs to the boundary of clean and dirty,
 * and BSP follows from BSPSTORE and the dirty ones.
 *
 * The engine is lazy whatever RSC.mode asks for: it stores and loads only what
 * an instruction cannot do without, so that equal runs are equal.
 */
#include <stddef.h>
#include <string.h>

#include "cpu/interrupt.h"
#include "cpu/refs.h"
#include "cpu/rse.h"

/* Where the registers are for each place of the frame, and for each value of
 * rrb.fr, as long as no general registers rotate.
 */
static u8 gr_maps[N_STACKED][128];
static u8 fr_maps[96][128];

static void __attribute__((constructor)) make_maps(void)
{
	for (unsigned int base = 0; base < N_STACKED; base++)
		for (unsigned int r = 0; r < 128; r++)
			gr_maps[base][r] = r < 32 ? r : 32 + (base + r - 32) % N_STACKED;
	for (unsigned int rrb = 0; rrb < 96; rrb++)
		for (unsigned int f = 0; f < 128; f++)
			fr_maps[rrb][f] = f < 32 ? f : 32 + (f - 32 + rrb) % 96;
}

u64 frame_pack(const struct frame *f)
{
	return (u64)f->sof | (u64)f->sol << 7 | (u64)(f->sor / 8) << 14 |
	       (u64)f->rrb_gr << 18 | (u64)f->rrb_fr << 25 | (u64)f->rrb_pr << 32;
}

struct frame frame_unpack(u64 cfm)
{
	return (struct frame) {
		.sof = FIELD(cfm, 0, 7),
		.sol = FIELD(cfm, 7, 7),
		.sor = FIELD(cfm, 14, 4) * 8,
		.rrb_gr = FIELD(cfm, 18, 7),
		.rrb_fr = FIELD(cfm, 25, 7),
		.rrb_pr = FIELD(cfm, 32, 6),
	};
}

/* Software can put anything into PFS and IFS; what no frame can have is
 * undefined there, and treated as a frame that does not fit.
 */
static bool frame_possible(const struct frame *f)
{
	return f->sof <= N_STACKED && f->sol <= f->sof && f->sor <= f->sof &&
	       f->rrb_gr < (f->sor ? f->sor : 1) && f->rrb_fr < 96 && f->rrb_pr < 48;
}

/* The predicates that rotate, as a ring: turned left by n of 48. */
static u64 turn_predicates(u64 pr, unsigned int n)
{
	u64 ring = pr >> 16;

	n %= 48;
	if (n)
		ring = (ring << n | ring >> (48 - n)) & MASK(48);
	return ring << 16 | (pr & 0xffff);
}

u64 predicates_unrotated(const struct cpu *cpu)
{
	return turn_predicates(cpu->pr, cpu->cfm.rrb_pr);
}

void set_predicates_unrotated(struct cpu *cpu, u64 value)
{
	cpu->pr = turn_predicates(value, 48 - cpu->cfm.rrb_pr) | 1;
}

void frame_changed(struct cpu *cpu)
{
	const struct frame *f = &cpu->cfm;

	cpu->gr_limit = 31 + f->sof;
	cpu->grmap = gr_maps[cpu->rse_base];
	cpu->frmap = fr_maps[f->rrb_fr];
	if (f->rrb_gr) {
		for (unsigned int r = 0; r < 128; r++)
			cpu->rotmap[r] = cpu->grmap[r];
		for (unsigned int r = 0; r < f->sor; r++)
			cpu->rotmap[32 + r] = cpu->grmap[32 + (r + f->rrb_gr) % f->sor];
		cpu->grmap = cpu->rotmap;
	}
}

/* A frame without rotation where none was before: most of them. */
static inline void set_plain_frame(struct cpu *cpu, unsigned int sof, unsigned int sol)
{
	cpu->cfm.sof = sof;
	cpu->cfm.sol = sol;
	cpu->gr_limit = 31 + sof;
	cpu->grmap = gr_maps[cpu->rse_base];
}

static inline bool is_plain(const struct frame *f)
{
	u32 rotation;

	/* sor and the three rrb at once */
	memcpy(&rotation, (const u8 *)f + offsetof(struct frame, sor), sizeof(rotation));
	return !rotation;
}

/* CFM as a PFM: bits 37:14 are those of rotation. */
static inline bool is_plain_pfm(u64 pfm)
{
	return !(pfm & (MASK(38) & ~MASK(14)));
}

static void set_frame(struct cpu *cpu, struct frame f)
{
	if (f.rrb_pr != cpu->cfm.rrb_pr)
		cpu->pr = turn_predicates(cpu->pr, 48 + cpu->cfm.rrb_pr - f.rrb_pr);
	cpu->cfm = f;
	frame_changed(cpu);
}

void frame_rotate(struct cpu *cpu)
{
	struct frame *f = &cpu->cfm;

	f->rrb_fr = f->rrb_fr ? f->rrb_fr - 1 : 95;
	f->rrb_pr = f->rrb_pr ? f->rrb_pr - 1 : 47;
	cpu->pr = turn_predicates(cpu->pr, 1);
	cpu->frmap = fr_maps[f->rrb_fr];
	if (!f->sor)
		return;
	if (f->rrb_gr > 1) {
		u8 last = cpu->rotmap[31 + f->sor];

		/* Every register takes the number above its own. */
		f->rrb_gr--;
		memmove(&cpu->rotmap[33], &cpu->rotmap[32], f->sor - 1);
		cpu->rotmap[32] = last;
	} else {
		f->rrb_gr = f->rrb_gr ? 0 : f->sor - 1;
		frame_changed(cpu);
	}
}

void frame_clear_rrb(struct cpu *cpu, bool pred_only)
{
	struct frame f = cpu->cfm;

	f.rrb_pr = 0;
	if (!pred_only)
		f.rrb_gr = f.rrb_fr = 0;
	set_frame(cpu, f);
}

/* Backing store addresses: every 64th word is a NaT collection. */
static unsigned int slot_of(u64 address)
{
	return FIELD(address, 3, 6);
}

/* The address of the register n registers above (or below) the one at @address. */
static u64 skip_registers(u64 address, int n)
{
	int slots = (int)slot_of(address) + n;

	if (n < 0)
		slots -= 62;
	return address + 8 * (s64)(n + slots / 63);
}

u64 rse_bsp(const struct cpu *cpu)
{
	return skip_registers(cpu->ar[AR_BSPSTORE], cpu->rse_dirty);
}

u64 rse_bspstore(const struct cpu *cpu)
{
	return cpu->ar[AR_BSPSTORE];
}

u64 rse_rnat(const struct cpu *cpu)
{
	return cpu->ar[AR_RNAT];
}

void rse_set_rnat(struct cpu *cpu, u64 value)
{
	cpu->ar[AR_RNAT] = value & MASK(63);
}

void rse_set_bspstore(struct cpu *cpu, u64 value)
{
	/* The dirty registers stay and will go to the new place. */
	cpu->ar[AR_BSPSTORE] = value & ~7ULL;
	cpu->rse_clean = 0;
}

/* Index in cpu->gr of the register n above the bottom of the frame. */
static unsigned int physical(const struct cpu *cpu, int n)
{
	return 32 + (cpu->rse_base + n + 2 * N_STACKED) % N_STACKED;
}

static void move_bottom(struct cpu *cpu, int n)
{
	int base = cpu->rse_base + n;

	if (base >= N_STACKED)
		base -= N_STACKED;
	else if (base < 0)
		base += N_STACKED;
	cpu->rse_base = base;
	cpu->rse_bof += n;
	cpu->rse_dirty += n;
}

/* One mandatory store: a register, or the collection that is due first. */
static void store_word(struct cpu *cpu)
{
	u64 address = cpu->ar[AR_BSPSTORE];
	unsigned int slot = slot_of(address);

	if (slot == 63) {
		rse_store(cpu, address, cpu->ar[AR_RNAT]);
		/* Bits of registers not yet stored are undefined: zero here. */
		cpu->ar[AR_RNAT] = 0;
	} else {
		unsigned int p = physical(cpu, -cpu->rse_dirty);

		rse_store(cpu, address, cpu->gr[p]);
		cpu->ar[AR_RNAT] &= ~BIT(slot);
		cpu->ar[AR_RNAT] |= (u64)cpu->nat[p] << slot;
		cpu->rse_dirty--;
		cpu->rse_clean++;
	}
	cpu->ar[AR_BSPSTORE] += 8;
}

/* One mandatory load downwards.  A collection is read even when the registers
 * below it are clean and need not be: their bits must be in RNAT in case that
 * they are stored once more.
 */
static void load_word(struct cpu *cpu)
{
	u64 address = cpu->ar[AR_BSPSTORE] - 8;
	unsigned int slot = slot_of(address);

	if (slot == 63) {
		rse_set_rnat(cpu, rse_load(cpu, address));
	} else if (cpu->rse_clean) {
		cpu->rse_clean--;
		cpu->rse_dirty++;
	} else {
		unsigned int p = physical(cpu, -cpu->rse_dirty - 1);

		cpu->gr[p] = rse_load(cpu, address);
		cpu->nat[p] = cpu->ar[AR_RNAT] >> slot & 1;
		cpu->rse_dirty++;
	}
	cpu->ar[AR_BSPSTORE] = address;
}

/* No more clean registers than the ring has room for. */
static void limit_clean(struct cpu *cpu, int frame)
{
	int room = N_STACKED - frame - (cpu->rse_dirty > 0 ? cpu->rse_dirty : 0);

	if (cpu->rse_clean > room)
		cpu->rse_clean = room;
}

void rse_alloc(struct cpu *cpu, unsigned int sof, unsigned int sol, unsigned int sor)
{
	struct frame *f = &cpu->cfm;
	bool plain = !sor && is_plain(f);

	if (sof > N_STACKED || sor > sof || sol > sof)
		raise_illegal(cpu);
	if (!plain && sor != f->sor && (f->rrb_gr || f->rrb_fr || f->rrb_pr))
		raise_general(cpu, GE_RESERVED_FIELD);
	while (cpu->rse_dirty + (int)sof > N_STACKED)
		store_word(cpu);
	limit_clean(cpu, sof);
	if (plain) {
		set_plain_frame(cpu, sof, sol);
	} else {
		f->sof = sof;
		f->sol = sol;
		f->sor = sor;
		frame_changed(cpu);
	}
	if (cpu->alat_valid)
		alat_frame_top(cpu, cpu->rse_bof + sof);
}

void rse_call(struct cpu *cpu)
{
	const struct frame *f = &cpu->cfm;
	u64 rest = cpu->ar[AR_EC] << 52 | (u64)cpl(cpu) << 62;
	unsigned int outs = f->sof - f->sol;

	move_bottom(cpu, f->sol);
	if (is_plain(f)) {
		cpu->ar[AR_PFS] = rest | f->sof | (u64)f->sol << 7;
		set_plain_frame(cpu, outs, 0);
	} else {
		cpu->ar[AR_PFS] = rest | frame_pack(f);
		set_frame(cpu, (struct frame) { .sof = outs });
	}
}

/* Common to br.ret and rfi: the frame that ends @outs registers above the
 * present bottom and begins @below registers under it becomes current.
 */
static void restore_frame(struct cpu *cpu, u64 pfm, int below, int outs)
{
	int dirty = cpu->rse_dirty > 0 ? cpu->rse_dirty : 0;
	unsigned int sof = FIELD(pfm, 0, 7), sol = FIELD(pfm, 7, 7);

	if (is_plain_pfm(pfm) && is_plain(&cpu->cfm) && sof <= N_STACKED && sol <= sof &&
	    outs <= N_STACKED - dirty) {
		limit_clean(cpu, outs);
		move_bottom(cpu, -below);
		set_plain_frame(cpu, sof, sol);
	} else {
		struct frame f = frame_unpack(pfm);

		if (frame_possible(&f) && outs <= N_STACKED - dirty) {
			limit_clean(cpu, outs);
		} else {
			/* SDM 2:143: the frame would run into the dirty registers */
			f = (struct frame) { 0 };
			sof = 0;
		}
		move_bottom(cpu, -below);
		set_frame(cpu, f);
	}
	if (cpu->alat_valid)
		alat_frame_top(cpu, cpu->rse_bof + sof);
	if (cpu->rse_dirty < 0) {
		cpu->rse_cfle = true;
		attend(cpu);
	}
}

void rse_return(struct cpu *cpu, u64 pfm)
{
	int sof = FIELD(pfm, 0, 7), sol = FIELD(pfm, 7, 7);

	restore_frame(cpu, pfm, sol <= N_STACKED ? sol : N_STACKED, sof - sol);
}

void rse_rfi(struct cpu *cpu, u64 ifs)
{
	int sof = FIELD(ifs, 0, 7);

	if (ifs >> 63) {
		restore_frame(cpu, ifs, sof <= N_STACKED ? sof : N_STACKED, 0);
	} else if (cpu->rse_dirty < 0) {
		/* Back to a frame whose loads were interrupted: go on with them. */
		cpu->rse_cfle = true;
		attend(cpu);
	}
}

void rse_complete_frame(struct cpu *cpu)
{
	while (cpu->rse_dirty < 0)
		load_word(cpu);
	cpu->rse_cfle = false;
}

void rse_cover(struct cpu *cpu)
{
	u64 cfm = frame_pack(&cpu->cfm);

	move_bottom(cpu, cpu->cfm.sof);
	set_frame(cpu, (struct frame) { 0 });
	if (!psr(cpu, PSR_IC))
		cpu->cr[CR_IFS] = BIT(63) | cfm;
}

void rse_flush(struct cpu *cpu)
{
	while (cpu->rse_dirty > 0 || slot_of(cpu->ar[AR_BSPSTORE]) == 63)
		store_word(cpu);
}

void rse_loadrs(struct cpu *cpu)
{
	u64 bytes = FIELD(cpu->ar[AR_RSC], 16, 14) & ~7ULL;
	u64 bsp = rse_bsp(cpu);
	u64 tear = bsp - bytes;
	/* Collections at the words from tear up to bsp. */
	u64 collections = (bsp >> 9) - (tear >> 9);
	u64 registers = bytes / 8 - collections;

	if (FIELD(cpu->ar[AR_RSC], 0, 2))
		raise_illegal(cpu);
	if (cpu->cfm.sof && bytes)
		raise_illegal(cpu);
	if (registers > N_STACKED)
		raise_illegal(cpu);
	while (cpu->ar[AR_BSPSTORE] > tear)
		load_word(cpu);
	cpu->ar[AR_BSPSTORE] = tear;
	cpu->rse_dirty = registers;
	cpu->rse_clean = 0;
}
