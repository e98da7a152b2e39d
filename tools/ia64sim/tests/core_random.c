// SPDX-License-Identifier: GPL-2.0
/*
 * Integer and multimedia instructions with random operands against plain
 * formulas of SDM volume 3's pages: results, NaT bits, predicates, and that
 * nothing else changes.
 *
 * usage: core_random [cases per class [seed]]
 */
#include <stdlib.h>
#include <string.h>

#include "cpu/exec.h"
#include "cpu/interrupt.h"
#include "cpu/rse.h"
#include "state/cpu.h"
#include "state/machine.h"

static struct cpu cpu, before;
static u64 state;

/* splitmix64 */
static u64 random64(void)
{
	u64 z = state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

/* Numbers, small numbers, and lanes near the ends of their ranges. */
static u64 operand(void)
{
	static const u8 edge[] = { 0, 1, 2, 0x7e, 0x7f, 0x80, 0x81, 0xfe, 0xff };
	u64 value = 0;

	switch (random64() % 6) {
	case 0:
		return random64() % 130;
	case 1:
		return -(random64() % 130);
	case 2:
		return 1ULL << random64() % 64;
	case 3:
		for (int i = 0; i < 8; i++)
			value = value << 8 | edge[random64() % sizeof(edge)];
		return value;
	case 4:
		for (int i = 0; i < 4; i++)
			value = value << 16 |
				(u16)((random64() & 1 ? 0x8000 : 0) + random64() % 5 - 2);
		return value;
	default:
		return random64();
	}
}

/*
 * The formulas.  A union shows a register as lanes; x86 and these tables have
 * lane 0 in the lowest bits.
 */
union lanes {
	u64 v;
	u8 b[8];
	s8 sb[8];
	u16 h[4];
	s16 sh[4];
	u32 w[2];
	s32 sw[2];
};

static s64 clamp(s64 x, s64 low, s64 high)
{
	if (x < low)
		return low;
	if (x > high)
		return high;
	return x;
}

#define EACH(n, lane, result)	do { for (int k = 0; k < (n); k++) r.lane[k] = (result); } while (0)

/* The result of an instruction with one general target. */
static u64 formula(enum opcode op, const struct insn *i, u64 x, u64 y)
{
	union lanes a = { x }, b = { y }, r = { 0 };
	s64 imm = i->imm;

	switch (op) {
	case OP_add: return x + y;
	case OP_add_1: return x + y + 1;
	case OP_sub: return x - y;
	case OP_sub_1: return x + ~y;
	case OP_and: return x & y;
	case OP_andcm: return x & ~y;
	case OP_or: return x | y;
	case OP_xor: return x ^ y;
	case OP_shladd: return x * (1ULL << imm) + y;
	case OP_addp4: return ((x + y) & 0xffffffff) | (y >> 30 & 3) << 61;
	case OP_shladdp4: return ((x * (1ULL << imm) + y) & 0xffffffff) | (y >> 30 & 3) << 61;
	case OP_sub_imm: return imm - y;
	case OP_and_imm: return imm & y;
	case OP_andcm_imm: return imm & ~y;
	case OP_or_imm: return imm | y;
	case OP_xor_imm: return imm ^ y;
	case OP_adds: case OP_addl: return imm + y;
	case OP_addp4_imm: return ((imm + y) & 0xffffffff) | (y >> 30 & 3) << 61;
	case OP_zxt1: return b.b[0];
	case OP_zxt2: return b.h[0];
	case OP_zxt4: return b.w[0];
	case OP_sxt1: return (s64)b.sb[0];
	case OP_sxt2: return (s64)b.sh[0];
	case OP_sxt4: return (s64)b.sw[0];
	case OP_popcnt: {
		u64 n = 0;

		for (int k = 0; k < 64; k++)
			n += y >> k & 1;
		return n;
	}
	/* value in r3 (y), count in r2 (x) */
	case OP_shr: return x > 63 ? (y >> 63 ? ~0ULL : 0) : (u64)((s64)y >> x);
	case OP_shr_u: return x > 63 ? 0 : y >> x;
	case OP_shl: return y > 63 ? 0 : x << y;
	case OP_shrp: {
		u128 pair = (u128)x << 64 | y;

		return (u64)(pair >> imm);
	}
	case OP_extr: {
		u64 out = 0;

		for (int k = 0; k < 64; k++) {
			int from = i->pos + (k < imm ? k : imm - 1);

			out |= (y >> from & 1) << k;
		}
		return out;
	}
	case OP_extr_u: {
		u64 out = 0;

		for (int k = 0; k < i->len && i->pos + k < 64; k++)
			out |= (y >> (i->pos + k) & 1) << k;
		return out;
	}
	case OP_dep_z_imm: return imm;
	case OP_dep_z: case OP_dep: case OP_dep_imm: {
		u64 from = op == OP_dep_imm ? (u64)imm : x;
		u64 out = op == OP_dep || op == OP_dep_imm ? y : 0;

		for (int k = 0; k < i->len && i->pos + k < 64; k++) {
			out &= ~(1ULL << (i->pos + k));
			out |= (from >> k & 1) << (i->pos + k);
		}
		return out;
	}

	case OP_padd1: EACH(8, b, a.b[k] + b.b[k]); break;
	case OP_padd2: EACH(4, h, a.h[k] + b.h[k]); break;
	case OP_padd4: EACH(2, w, a.w[k] + b.w[k]); break;
	case OP_psub1: EACH(8, b, a.b[k] - b.b[k]); break;
	case OP_psub2: EACH(4, h, a.h[k] - b.h[k]); break;
	case OP_psub4: EACH(2, w, a.w[k] - b.w[k]); break;
	case OP_padd1_sss: EACH(8, sb, clamp(a.sb[k] + b.sb[k], -128, 127)); break;
	case OP_padd2_sss: EACH(4, sh, clamp(a.sh[k] + b.sh[k], -32768, 32767)); break;
	case OP_padd1_uuu: EACH(8, b, clamp(a.b[k] + b.b[k], 0, 255)); break;
	case OP_padd2_uuu: EACH(4, h, clamp(a.h[k] + b.h[k], 0, 65535)); break;
	case OP_padd1_uus: EACH(8, b, clamp(a.b[k] + b.sb[k], 0, 255)); break;
	case OP_padd2_uus: EACH(4, h, clamp(a.h[k] + b.sh[k], 0, 65535)); break;
	case OP_psub1_sss: EACH(8, sb, clamp(a.sb[k] - b.sb[k], -128, 127)); break;
	case OP_psub2_sss: EACH(4, sh, clamp(a.sh[k] - b.sh[k], -32768, 32767)); break;
	case OP_psub1_uuu: EACH(8, b, clamp(a.b[k] - b.b[k], 0, 255)); break;
	case OP_psub2_uuu: EACH(4, h, clamp(a.h[k] - b.h[k], 0, 65535)); break;
	case OP_psub1_uus: EACH(8, b, clamp(a.b[k] - b.sb[k], 0, 255)); break;
	case OP_psub2_uus: EACH(4, h, clamp(a.h[k] - b.sh[k], 0, 65535)); break;
	case OP_pavg1: EACH(8, b, (a.b[k] + b.b[k]) / 2 | ((a.b[k] ^ b.b[k]) & 1)); break;
	case OP_pavg2: EACH(4, h, (a.h[k] + b.h[k]) / 2 | ((a.h[k] ^ b.h[k]) & 1)); break;
	case OP_pavg1_raz: EACH(8, b, (a.b[k] + b.b[k] + 1) / 2); break;
	case OP_pavg2_raz: EACH(4, h, (a.h[k] + b.h[k] + 1) / 2); break;
	/* the borrow is the upper bit of the shifted difference */
	case OP_pavgsub1:
		EACH(8, b, ((a.b[k] - b.b[k]) & 0x1ff) >> 1 | ((a.b[k] ^ b.b[k]) & 1));
		break;
	case OP_pavgsub2:
		EACH(4, h, ((a.h[k] - b.h[k]) & 0x1ffff) >> 1 | ((a.h[k] ^ b.h[k]) & 1));
		break;
	case OP_pcmp1_eq: EACH(8, b, a.b[k] == b.b[k] ? 0xff : 0); break;
	case OP_pcmp2_eq: EACH(4, h, a.h[k] == b.h[k] ? 0xffff : 0); break;
	case OP_pcmp4_eq: EACH(2, w, a.w[k] == b.w[k] ? 0xffffffff : 0); break;
	case OP_pcmp1_gt: EACH(8, b, a.sb[k] > b.sb[k] ? 0xff : 0); break;
	case OP_pcmp2_gt: EACH(4, h, a.sh[k] > b.sh[k] ? 0xffff : 0); break;
	case OP_pcmp4_gt: EACH(2, w, a.sw[k] > b.sw[k] ? 0xffffffff : 0); break;
	case OP_pmin1_u: EACH(8, b, a.b[k] < b.b[k] ? a.b[k] : b.b[k]); break;
	case OP_pmax1_u: EACH(8, b, a.b[k] < b.b[k] ? b.b[k] : a.b[k]); break;
	case OP_pmin2: EACH(4, sh, a.sh[k] < b.sh[k] ? a.sh[k] : b.sh[k]); break;
	case OP_pmax2: EACH(4, sh, a.sh[k] < b.sh[k] ? b.sh[k] : a.sh[k]); break;
	case OP_pshladd2:
		for (int k = 0; k < 4; k++) {
			s32 s = a.sh[k] * (1 << imm);

			if (s >= -32768 && s <= 32767)
				s += b.sh[k];
			r.sh[k] = clamp(s, -32768, 32767);
		}
		break;
	case OP_pshradd2: EACH(4, sh, clamp((a.sh[k] >> imm) + b.sh[k], -32768, 32767)); break;
	case OP_pmpyshr2: EACH(4, h, (u32)(a.sh[k] * b.sh[k]) >> imm); break;
	case OP_pmpyshr2_u: EACH(4, h, (u32)a.h[k] * b.h[k] >> imm); break;
	case OP_pmpy2_r: EACH(2, sw, a.sh[2 * k] * b.sh[2 * k]); break;
	case OP_pmpy2_l: EACH(2, sw, a.sh[2 * k + 1] * b.sh[2 * k + 1]); break;
	case OP_mix1_r: EACH(8, b, k % 2 ? a.b[k - 1] : b.b[k]); break;
	case OP_mix2_r: EACH(4, h, k % 2 ? a.h[k - 1] : b.h[k]); break;
	case OP_mix4_r: EACH(2, w, k % 2 ? a.w[0] : b.w[0]); break;
	case OP_mix1_l: EACH(8, b, k % 2 ? a.b[k] : b.b[k + 1]); break;
	case OP_mix2_l: EACH(4, h, k % 2 ? a.h[k] : b.h[k + 1]); break;
	case OP_mix4_l: EACH(2, w, k % 2 ? a.w[1] : b.w[1]); break;
	case OP_pack2_uss: EACH(8, b, clamp(k < 4 ? a.sh[k] : b.sh[k - 4], 0, 255)); break;
	case OP_pack2_sss: EACH(8, sb, clamp(k < 4 ? a.sh[k] : b.sh[k - 4], -128, 127)); break;
	case OP_pack4_sss: EACH(4, sh, clamp(k < 2 ? a.sw[k] : b.sw[k - 2], -32768, 32767)); break;
	case OP_unpack1_h: EACH(8, b, k % 2 ? a.b[4 + k / 2] : b.b[4 + k / 2]); break;
	case OP_unpack2_h: EACH(4, h, k % 2 ? a.h[2 + k / 2] : b.h[2 + k / 2]); break;
	case OP_unpack4_h: EACH(2, w, k % 2 ? a.w[1] : b.w[1]); break;
	case OP_unpack1_l: EACH(8, b, k % 2 ? a.b[k / 2] : b.b[k / 2]); break;
	case OP_unpack2_l: EACH(4, h, k % 2 ? a.h[k / 2] : b.h[k / 2]); break;
	case OP_unpack4_l: EACH(2, w, k % 2 ? a.w[0] : b.w[0]); break;
	case OP_psad1:
		for (int k = 0; k < 8; k++)
			r.v += abs(a.b[k] - b.b[k]);
		break;
	case OP_mux1: case OP_mux2: EACH(8, b, a.b[imm >> 4 * k & 15]); break;
	case OP_pshr2: EACH(4, sh, b.sh[k] >> (x > 15 ? 15 : x)); break;
	case OP_pshr2_u: EACH(4, h, x > 15 ? 0 : b.h[k] >> x); break;
	case OP_pshr4: EACH(2, sw, b.sw[k] >> (x > 31 ? 31 : x)); break;
	case OP_pshr4_u: EACH(2, w, x > 31 ? 0 : b.w[k] >> x); break;
	case OP_pshr2_imm: EACH(4, sh, b.sh[k] >> (imm > 15 ? 15 : imm)); break;
	case OP_pshr2_u_imm: EACH(4, h, imm > 15 ? 0 : b.h[k] >> imm); break;
	case OP_pshr4_imm: EACH(2, sw, b.sw[k] >> imm); break;
	case OP_pshr4_u_imm: EACH(2, w, b.w[k] >> imm); break;
	case OP_pshl2: EACH(4, h, y > 15 ? 0 : a.h[k] << y); break;
	case OP_pshl4: EACH(2, w, y > 31 ? 0 : a.w[k] << y); break;
	case OP_pshl2_imm: EACH(4, h, imm > 15 ? 0 : a.h[k] << imm); break;
	case OP_pshl4_imm: EACH(2, w, a.w[k] << imm); break;
	case OP_czx1_l: for (r.v = 0; r.v < 8 && b.b[7 - r.v]; r.v++); break;
	case OP_czx1_r: for (r.v = 0; r.v < 8 && b.b[r.v]; r.v++); break;
	case OP_czx2_l: for (r.v = 0; r.v < 4 && b.h[3 - r.v]; r.v++); break;
	case OP_czx2_r: for (r.v = 0; r.v < 4 && b.h[r.v]; r.v++); break;
	default:
		fprintf(stderr, "no formula for %s\n", opcode_name(op));
		exit(2);
	}
	return r.v;
}

/* Which sources an instruction has: R2, R3, both; and what its immediate is. */
enum {
	R2 = 1, R3 = 2, BOTH = 3,
	SIGNED8 = 1 << 2, SIGNED14 = 2 << 2, SIGNED22 = 3 << 2, COUNT4 = 4 << 2, COUNT3 = 5 << 2,
	COUNT64 = 6 << 2, COUNT32 = 7 << 2, PMPYSHR = 8 << 2, NIBBLES = 9 << 2, FIELD_EXTR = 10 << 2,
	FIELD_EXTRU = 11 << 2, FIELD_DEP = 12 << 2, FIELD_DEPI = 13 << 2, FIELD_DEPZI = 14 << 2,
	FIELD_TBIT = 15 << 2, IMMEDIATE = 15 << 2,
};

struct tested {
	u16 op;
	u8 kind;
};

static const struct tested integer[] = {
	{ OP_add, BOTH }, { OP_add_1, BOTH }, { OP_sub, BOTH }, { OP_sub_1, BOTH },
	{ OP_addp4, BOTH }, { OP_and, BOTH }, { OP_andcm, BOTH }, { OP_or, BOTH },
	{ OP_xor, BOTH }, { OP_shladd, BOTH | COUNT4 }, { OP_shladdp4, BOTH | COUNT4 },
	{ OP_sub_imm, R3 | SIGNED8 }, { OP_and_imm, R3 | SIGNED8 },
	{ OP_andcm_imm, R3 | SIGNED8 }, { OP_or_imm, R3 | SIGNED8 },
	{ OP_xor_imm, R3 | SIGNED8 }, { OP_adds, R3 | SIGNED14 },
	{ OP_addp4_imm, R3 | SIGNED14 }, { OP_addl, R3 | SIGNED22 },
	{ OP_zxt1, R3 }, { OP_zxt2, R3 }, { OP_zxt4, R3 }, { OP_sxt1, R3 }, { OP_sxt2, R3 },
	{ OP_sxt4, R3 }, { OP_popcnt, R3 },
};

static const struct tested shifts[] = {
	{ OP_shl, BOTH }, { OP_shr, BOTH }, { OP_shr_u, BOTH }, { OP_shrp, BOTH | COUNT64 },
	{ OP_extr, R3 | FIELD_EXTR }, { OP_extr_u, R3 | FIELD_EXTRU },
	{ OP_dep_z, R2 | FIELD_DEP }, { OP_dep, BOTH | FIELD_DEP },
	{ OP_dep_imm, R3 | FIELD_DEPI }, { OP_dep_z_imm, FIELD_DEPZI },
};

static const struct tested parallel_add[] = {
	{ OP_padd1, BOTH }, { OP_padd2, BOTH }, { OP_padd4, BOTH }, { OP_psub1, BOTH },
	{ OP_psub2, BOTH }, { OP_psub4, BOTH }, { OP_padd1_sss, BOTH }, { OP_padd2_sss, BOTH },
	{ OP_padd1_uuu, BOTH }, { OP_padd2_uuu, BOTH }, { OP_padd1_uus, BOTH },
	{ OP_padd2_uus, BOTH }, { OP_psub1_sss, BOTH }, { OP_psub2_sss, BOTH },
	{ OP_psub1_uuu, BOTH }, { OP_psub2_uuu, BOTH }, { OP_psub1_uus, BOTH },
	{ OP_psub2_uus, BOTH }, { OP_pavg1, BOTH }, { OP_pavg2, BOTH }, { OP_pavg1_raz, BOTH },
	{ OP_pavg2_raz, BOTH }, { OP_pavgsub1, BOTH }, { OP_pavgsub2, BOTH },
	{ OP_pshladd2, BOTH | COUNT3 }, { OP_pshradd2, BOTH | COUNT3 },
};

static const struct tested parallel_other[] = {
	{ OP_pcmp1_eq, BOTH }, { OP_pcmp2_eq, BOTH }, { OP_pcmp4_eq, BOTH },
	{ OP_pcmp1_gt, BOTH }, { OP_pcmp2_gt, BOTH }, { OP_pcmp4_gt, BOTH }, { OP_pmin1_u, BOTH },
	{ OP_pmax1_u, BOTH }, { OP_pmin2, BOTH }, { OP_pmax2, BOTH },
	{ OP_pmpyshr2, BOTH | PMPYSHR }, { OP_pmpyshr2_u, BOTH | PMPYSHR }, { OP_pmpy2_r, BOTH },
	{ OP_pmpy2_l, BOTH }, { OP_mix1_r, BOTH }, { OP_mix2_r, BOTH }, { OP_mix4_r, BOTH },
	{ OP_mix1_l, BOTH }, { OP_mix2_l, BOTH }, { OP_mix4_l, BOTH }, { OP_pack2_uss, BOTH },
	{ OP_pack2_sss, BOTH }, { OP_pack4_sss, BOTH }, { OP_unpack1_h, BOTH },
	{ OP_unpack2_h, BOTH }, { OP_unpack4_h, BOTH }, { OP_unpack1_l, BOTH },
	{ OP_unpack2_l, BOTH }, { OP_unpack4_l, BOTH }, { OP_psad1, BOTH },
	{ OP_mux1, R2 | NIBBLES }, { OP_mux2, R2 | NIBBLES }, { OP_pshr2, BOTH },
	{ OP_pshr2_u, BOTH }, { OP_pshr4, BOTH }, { OP_pshr4_u, BOTH },
	{ OP_pshr2_imm, R3 | COUNT32 }, { OP_pshr2_u_imm, R3 | COUNT32 },
	{ OP_pshr4_imm, R3 | COUNT32 }, { OP_pshr4_u_imm, R3 | COUNT32 }, { OP_pshl2, BOTH },
	{ OP_pshl4, BOTH }, { OP_pshl2_imm, R2 | COUNT32 }, { OP_pshl4_imm, R2 | COUNT32 },
	{ OP_czx1_l, R3 }, { OP_czx1_r, R3 }, { OP_czx2_l, R3 }, { OP_czx2_r, R3 },
};

/* What insn.def says of each. */
static const struct definition {
	exec_fn exec;
	u8 x;
} definitions[N_OPCODES] = {
#define INSN(op, function, unit, format, encoding, x, text)	[OP_##op] = { exec_##function, x },
#include "isa/insn.def"
#undef INSN
};

static s64 sign_extend(u64 value, unsigned int bits)
{
	return (s64)(value << (64 - bits)) >> (64 - bits);
}

/* Immediates, as insn.def describes them. */
static void make_immediate(struct insn *i, unsigned int kind)
{
	static const u8 pmpyshr[] = { 0, 7, 15, 16 };
	u64 r = random64();

	i->pos = r & 63;
	i->len = (r >> 6 & 63) + 1;
	switch (kind & IMMEDIATE) {
	case SIGNED8: i->imm = sign_extend(r, 8); break;
	case SIGNED14: i->imm = sign_extend(r, 14); break;
	case SIGNED22: i->imm = sign_extend(r, 22); break;
	case COUNT4: i->imm = r % 4 + 1; break;
	case COUNT3: i->imm = r % 3 + 1; break;
	case COUNT64: i->imm = r % 64; break;
	case COUNT32: i->imm = r % 32; break;
	case PMPYSHR: i->imm = pmpyshr[r % 4]; break;
	case NIBBLES: i->imm = r & 0x77777777; break;
	case FIELD_EXTR: i->imm = i->pos + i->len > 64 ? 64 - i->pos : i->len; break;
	case FIELD_EXTRU: i->imm = i->len == 64 ? -1 : (s64)((1ULL << i->len) - 1); break;
	case FIELD_DEP:
		i->imm = (i->len == 64 ? ~0ULL : (1ULL << i->len) - 1) << i->pos;
		break;
	case FIELD_DEPI: i->imm = r >> 20 & 1 ? -1 : 0; break;
	case FIELD_DEPZI: i->imm = random64(); break;
	}
}

static void randomize(void)
{
	for (int r = 1; r < 32 + N_STACKED; r++) {
		cpu.gr[r] = operand();
		cpu.nat[r] = random64() % 16 == 0;
	}
	cpu.pr = random64() | 1;
	cpu.rse_base = random64() % N_STACKED;
	cpu.cfm = (struct frame) { .sof = random64() % 97 };
	if (cpu.cfm.sof >= 8 && random64() & 1) {
		cpu.cfm.sor = 8 * (1 + random64() % (cpu.cfm.sof / 8));
		cpu.cfm.rrb_gr = random64() % cpu.cfm.sor;
		cpu.cfm.rrb_pr = random64() % 48;
	}
	frame_changed(&cpu);
}

static unsigned int target(void)
{
	return 1 + random64() % (31 + cpu.cfm.sof);
}

/* Where a register is, from the manual's words: SDM 1:47. */
static unsigned int place(unsigned int r)
{
	unsigned int n = r - 32;

	if (r < 32)
		return r;
	if (n < cpu.cfm.sor)
		n = (n + cpu.cfm.rrb_gr) % cpu.cfm.sor;
	return 32 + (n + cpu.rse_base) % N_STACKED;
}

static unsigned long failures;

static void report(const struct insn *i, const char *what)
{
	if (failures++ < 20)
		printf("%s r%u, r%u, r%u imm %llx pos %u len %u: %s (%llx %llx)\n",
		       opcode_name(i->op), i->r1, i->r2, i->r3, (unsigned long long)i->imm, i->pos,
		       i->len, what, (unsigned long long)before.gr[place(i->r2)],
		       (unsigned long long)before.gr[place(i->r3)]);
}

static bool same_but_for(unsigned int r)
{
	for (unsigned int p = 0; p < 32 + N_STACKED; p++)
		if (p != r && (cpu.gr[p] != before.gr[p] || cpu.nat[p] != before.nat[p]))
			return false;
	return true;
}

static void run_general(const struct tested *t)
{
	struct insn i = {
		.op = t->op, .exec = definitions[t->op].exec, .x = definitions[t->op].x,
		.r1 = target(), .r2 = random64() % 128, .r3 = random64() % 128,
	};
	unsigned int p1 = place(i.r1), p2 = place(i.r2), p3 = place(i.r3);
	bool nat;
	u64 value;

	make_immediate(&i, t->kind);
	memcpy(before.gr, cpu.gr, sizeof(cpu.gr));
	memcpy(before.nat, cpu.nat, sizeof(cpu.nat));
	before.pr = cpu.pr;
	value = formula(t->op, &i, cpu.gr[p2], cpu.gr[p3]);
	nat = (t->kind & R2 && cpu.nat[p2]) || (t->kind & R3 && cpu.nat[p3]);
	i.exec(&cpu, &i);
	if (cpu.gr[p1] != value)
		report(&i, "wrong result");
	if (cpu.nat[p1] != nat)
		report(&i, "wrong NaT");
	if (!same_but_for(p1) || cpu.pr != before.pr || cpu.gr[0])
		report(&i, "changes more");
}

/* Compares and tests: every opcode from its name. */
static bool relation_of(const char *name, u64 a, u64 b, bool narrow)
{
	s64 x = narrow ? (s64)(s32)a : (s64)a, y = narrow ? (s64)(s32)b : (s64)b;
	u64 ux = narrow ? (u32)a : a, uy = narrow ? (u32)b : b;

	if (!strncmp(name, "ltu", 3))
		return ux < uy;
	if (!strncmp(name, "lt", 2))
		return x < y;
	if (!strncmp(name, "eq", 2))
		return x == y;
	if (!strncmp(name, "ne", 2))
		return x != y;
	if (!strncmp(name, "gt", 2))
		return x > y;
	if (!strncmp(name, "le", 2))
		return x <= y;
	if (!strncmp(name, "ge", 2))
		return x >= y;
	fprintf(stderr, "no relation in %s\n", name);
	exit(2);
}

static bool ends_with(const char *name, const char *end)
{
	size_t n = strlen(name), m = strlen(end);

	return n >= m && !strcmp(name + n - m, end);
}

static u64 with_bit(u64 word, unsigned int bit, bool value)
{
	word &= ~(1ULL << bit);
	word |= (u64)value << bit;
	return word | 1;
}

static void run_compare(enum opcode op)
{
	const char *name = opcode_name(op);
	bool is_tbit = !strncmp(name, "tbit", 4), is_tnat = !strncmp(name, "tnat", 4);
	bool narrow = !strncmp(name, "cmp4", 4), has_imm = strstr(name, "imm");
	struct insn i = {
		.op = op, .exec = definitions[op].exec, .x = definitions[op].x,
		.r2 = random64() % 128, .r3 = random64() % 128, .p1 = random64() % 64,
		.pred = random64() % 64, .pos = random64() % 64,
		.imm = sign_extend(random64(), 8),
	};
	bool r0 = strstr(name, "gt") || strstr(name, "le_") || strstr(name, "ge") ||
		  strstr(name, "lt_and") || strstr(name, "lt_or");
	char type[64];
	bool result, nat, pred;
	u64 expected, a, b;

	do
		i.p2 = random64() % 64;
	while (i.p2 == i.p1);
	if (r0)
		i.r2 = 0;
	snprintf(type, sizeof(type), "%s", name);
	if (ends_with(type, "_imm"))
		type[strlen(type) - 4] = 0;
	a = has_imm ? (u64)i.imm : cpu.gr[place(i.r2)];
	b = cpu.gr[place(i.r3)];
	nat = cpu.nat[place(i.r3)] || (!has_imm && !is_tbit && cpu.nat[place(i.r2)]);
	if (is_tbit) {
		result = (b >> i.pos & 1) == (strstr(name, "_nz") != NULL);
	} else if (is_tnat) {
		result = cpu.nat[place(i.r3)] == (strstr(name, "_nz") != NULL);
		nat = false;
	} else {
		result = relation_of(strchr(name, '_') + 1, a, b, narrow);
	}
	memcpy(before.gr, cpu.gr, sizeof(cpu.gr));
	memcpy(before.nat, cpu.nat, sizeof(cpu.nat));
	expected = before.pr = cpu.pr;
	pred = cpu.pr >> i.pred & 1;
	if (ends_with(type, "_and")) {
		if (nat || !result)
			expected = with_bit(with_bit(expected, i.p1, 0), i.p2, 0);
	} else if (ends_with(type, "_orcm")) {
		if (!nat && result)
			expected = with_bit(with_bit(expected, i.p1, 1), i.p2, 0);
	} else if (ends_with(type, "_or")) {
		if (!nat && result)
			expected = with_bit(with_bit(expected, i.p1, 1), i.p2, 1);
	} else if (ends_with(type, "_unc") && !pred) {
		expected = with_bit(with_bit(expected, i.p1, 0), i.p2, 0);
	} else {
		expected = with_bit(with_bit(expected, i.p1, !nat && result), i.p2,
				    !nat && !result);
	}
	i.exec(&cpu, &i);
	if (cpu.pr != expected)
		report(&i, "wrong predicates");
	if (!same_but_for(~0U))
		report(&i, "changes more");
}

static void run_class(const char *name, const struct tested *t, size_t n, unsigned long cases)
{
	unsigned long before_class = failures;

	for (unsigned long c = 0; c < cases; c++) {
		if (c % 64 == 0)
			randomize();
		run_general(&t[c % n]);
	}
	printf("%s: %lu cases, %lu mismatches\n", name, cases, failures - before_class);
}

static void run_compares(unsigned long cases)
{
	enum opcode ops[256];
	unsigned int n = 0;

	for (unsigned int op = 0; op < N_OPCODES; op++) {
		const char *name = opcode_name(op);

		if (!strncmp(name, "cmp_", 4) || !strncmp(name, "cmp4_", 5) ||
		    !strncmp(name, "tbit_", 5) || !strncmp(name, "tnat_", 5))
			ops[n++] = op;
	}
	for (unsigned long c = 0; c < cases; c++) {
		if (c % 16 == 0)
			randomize();
		run_compare(ops[c % n]);
	}
	printf("compare and test: %u instructions, %lu cases, %lu mismatches\n", n, cases,
	       failures);
}

#define CLASS(name, t)	run_class(name, t, sizeof(t) / sizeof(t[0]), cases)

int main(int argc, char **argv)
{
	unsigned long cases = argc > 1 ? strtoul(argv[1], NULL, 0) : 1000000;

	state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	if (setjmp(cpu.interruption)) {
		printf("an instruction faulted\n");
		return 1;
	}
	run_compares(cases);
	CLASS("integer", integer);
	CLASS("shift and bit field", shifts);
	CLASS("parallel add", parallel_add);
	CLASS("parallel multiply, compare, shuffle and shift", parallel_other);
	printf("%lu passed, %lu failed\n", 5 * cases - failures, failures);
	return failures != 0;
}
