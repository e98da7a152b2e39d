// SPDX-License-Identifier: GPL-2.0
/*
 * Bundles to decoded instructions: SDM volume 3, chapter 4.  insn.def names the
 * instructions; here stand the formats, that is where the fields are.
 */
#include <assert.h>

#include "isa/insn.h"

/* The kind of a slot, as the template says; UNIT_A is no kind of slot. */
enum { KINDS = UNIT_X + 1, SLOT_BITS = 41 };

/* What a format has in its usual place, and what the decoder checks. */
enum {
	R1 = 1 << 0, R2 = 1 << 1, R3 = 1 << 2, R4 = 1 << 3,
	B1 = 1 << 4, B2 = 1 << 5,
	P1 = 1 << 6, P2 = 1 << 7,
	SF = 1 << 8,
	LDHINT = 1 << 9,	/* locality hint, bits 29:28 */
	BRHINT = 1 << 10,	/* wh, p and d of a branch */
	ALWAYS = 1 << 11,	/* runs whatever the predicate says */
	NO_QP = 1 << 20,	/* has no predicate, but 0 or other things there */
	/* checks: illegal when they fail */
	GR1 = 1 << 12 | R1,	/* r1 is a target: not r0 */
	FR1 = 1 << 13 | R1,	/* f1 is a target: not f0 or f1 */
	FR2 = 1 << 14 | R2,	/* f2 likewise (load pair) */
	BASE = 1 << 15 | R3,	/* r3 is changed: not r0 */
	GR1_BASE = GR1 | BASE | 1 << 16,	/* nor the same register as r1 */
	PP = 1 << 17 | P1 | P2,	/* p1 and p2 differ */
	SLOT2 = 1 << 18,	/* illegal but in slot 2 */
	QP0 = 1 << 19,		/* illegal with a predicate other than p0 */
};

/*
 * The formats: what they have, and, as terms X(first bit, bits, value), the
 * opcode and its extensions, given the values that insn.def has in parentheses.
 */
#define OP(v)				X(37, 4, v)
#define FORMATS \
	F(A1, GR1 | R2 | R3) F(A2, GR1 | R2 | R3) F(A3, GR1 | R3) F(A4, GR1 | R3) \
	F(A5, GR1) \
	F(A6, PP | R2 | R3) F(A6U, PP | R2 | R3 | ALWAYS) F(A7, PP | R3) \
	F(A8, PP | R3) F(A8U, PP | R3 | ALWAYS) F(A9, GR1 | R2 | R3) F(A10, GR1 | R2 | R3) \
	F(I1, GR1 | R2 | R3) F(I2, GR1 | R2 | R3) F(I3, GR1 | R2) F(I4, GR1 | R2) \
	F(I5, GR1 | R2 | R3) F(I6, GR1 | R3) F(I7, GR1 | R2 | R3) F(I8, GR1 | R2) \
	F(I9, GR1 | R3) F(I10, GR1 | R2 | R3) F(I11, GR1 | R3) F(I11U, GR1 | R3) \
	F(I12, GR1 | R2) F(I13, GR1) F(I14, GR1 | R3) F(I15, GR1 | R2 | R3) \
	F(I16, PP | R3) F(I16U, PP | R3 | ALWAYS) F(I17, PP | R3) F(I17U, PP | R3 | ALWAYS) \
	F(I18, 0) F(I19, 0) F(I20, R2) F(I21, B1 | R2) F(I22, GR1 | B2) F(I23, R2) \
	F(I24, 0) F(I25, GR1) F(I26, R2 | R3) F(I27, R3) F(I28, GR1 | R3) F(I29, GR1 | R3) \
	F(I30, PP) F(I30U, PP | ALWAYS) \
	F(M1, GR1 | R3 | LDHINT) F(M2, GR1_BASE | R2 | LDHINT) F(M3, GR1_BASE | LDHINT) \
	F(M4, R2 | R3 | LDHINT) F(M5, BASE | R2 | LDHINT) \
	F(M6, FR1 | R3 | LDHINT) F(M7, FR1 | BASE | R2 | LDHINT) F(M8, FR1 | BASE | LDHINT) \
	F(M9, R2 | R3 | LDHINT) F(M10, BASE | R2 | LDHINT) \
	F(M11, FR1 | FR2 | R3 | LDHINT) F(M12, FR1 | FR2 | BASE | LDHINT) \
	F(M12S, FR1 | FR2 | BASE | LDHINT) \
	F(M13, R3 | LDHINT) F(M14, BASE | R2 | LDHINT) F(M15, BASE | LDHINT) \
	F(M16, GR1 | R2 | R3 | LDHINT) F(M16L, GR1 | R3 | LDHINT) F(M16S, R2 | R3 | LDHINT) \
	F(M17, GR1 | R3 | LDHINT) F(M18, FR1 | R2) F(M19, GR1 | R2) F(M20, R2) F(M21, R2) \
	F(M22, R1) F(M23, R1) F(M24, 0) F(M25, NO_QP) F(M26, R1) F(M27, R1) F(M28, R3) \
	F(M29, R2 | R3) F(M30, R3) F(M31, GR1 | R3) F(M32, R2 | R3) F(M33, GR1 | R3) \
	F(M34, GR1 | R2 | R3 | QP0) F(M35, R2) F(M36, GR1) F(M37, 0) F(M38, GR1 | R2 | R3) \
	F(M39, GR1 | R3) F(M40, R3) F(M41, R2) F(M42, R2 | R3) F(M43, GR1 | R3) F(M44, 0) \
	F(M45, R2 | R3) F(M46, GR1 | R3) F(M47, R3) F(M48, 0) \
	F(B1, BRHINT) F(B1W, BRHINT | ALWAYS | SLOT2) F(B2, BRHINT | NO_QP | SLOT2) \
	F(B3, B1 | BRHINT) F(B4, B2 | BRHINT) F(B4A, B2 | BRHINT | ALWAYS | QP0) \
	F(B5, B1 | B2 | BRHINT) F(B6, NO_QP) F(B7, B2 | NO_QP) F(B8, NO_QP) F(B8V, 0) F(B9, 0) \
	F(F1, FR1 | R2 | R3 | R4 | SF) F(F2, FR1 | R2 | R3 | R4) F(F3, FR1 | R2 | R3 | R4) \
	F(F4, PP | R2 | R3 | SF) F(F4U, PP | R2 | R3 | SF | ALWAYS) \
	F(F5, PP | R2) F(F5U, PP | R2 | ALWAYS) \
	F(F6, R1 | R2 | R3 | P2 | SF | ALWAYS) F(F7, R1 | R3 | P2 | SF | ALWAYS) \
	F(F8, FR1 | R2 | R3 | SF) F(F9, FR1 | R2 | R3) F(F10, FR1 | R2 | SF) F(F11, FR1 | R2) \
	F(F12, R2 | R3 | SF) F(F13, SF) F(F14, SF) F(F15, 0) F(F16, 0) \
	F(X1, 0) F(X2, GR1) F(X3, BRHINT) F(X4, B1 | BRHINT) F(X5, 0)

#define E_A1(x4, x2b)			OP(8) X(33, 3, 0) X(29, 4, x4) X(27, 2, x2b)
#define E_A2(x4)			OP(8) X(33, 3, 0) X(29, 4, x4)
#define E_A3				E_A1
#define E_A4(x2a)			OP(8) X(34, 2, x2a) X(33, 1, 0)
#define E_A5()				OP(9)
#define E_A6(op, x2, ta, tb, c) \
	OP(op) X(34, 2, x2) X(33, 1, ta) X(36, 1, tb) X(12, 1, c)
#define E_A6U				E_A6
#define E_A7				E_A6
#define E_A8(op, x2, ta, c)		OP(op) X(34, 2, x2) X(33, 1, ta) X(12, 1, c)
#define E_A8U				E_A8
#define E_A9(za, zb, x4, x2b) \
	OP(8) X(34, 2, 1) X(36, 1, za) X(33, 1, zb) X(29, 4, x4) X(27, 2, x2b)
#define E_A10(x4)			OP(8) X(34, 2, 1) X(36, 1, 0) X(33, 1, 1) X(29, 4, x4)

#define E_I(za, zb, x2a)		OP(7) X(36, 1, za) X(33, 1, zb) X(32, 1, 0) X(34, 2, x2a)
#define E_I1(x2b)			E_I(0, 1, 0) X(28, 2, x2b)
#define E_I2(za, zb, x2a, x2c, x2b)	E_I(za, zb, x2a) X(30, 2, x2c) X(28, 2, x2b)
#define E_I3(x2c, x2b)			E_I2(0, 0, 3, x2c, x2b)
#define E_I4(x2c, x2b)			E_I2(0, 1, 3, x2c, x2b)
#define E_I5(za, zb, x2c, x2b)		E_I2(za, zb, 0, x2c, x2b)
#define E_I6(za, zb, x2c, x2b)		E_I2(za, zb, 1, x2c, x2b)
#define E_I7				E_I5
#define E_I8(za, zb, x2c, x2b)		E_I2(za, zb, 3, x2c, x2b)
#define E_I9(za, zb, x2c, x2b)		E_I2(za, zb, 1, x2c, x2b)
#define E_I10()				OP(5) X(34, 2, 3) X(33, 1, 0)
#define E_I11(y)			OP(5) X(34, 2, 1) X(33, 1, 0) X(13, 1, y)
#define E_I11U				E_I11
#define E_I12()				OP(5) X(34, 2, 1) X(33, 1, 1) X(26, 1, 0)
#define E_I13()				OP(5) X(34, 2, 1) X(33, 1, 1) X(26, 1, 1)
#define E_I14()				OP(5) X(34, 2, 3) X(33, 1, 1)
#define E_I15()				OP(4)
#define E_TEST(ta, tb, c) \
	OP(5) X(34, 2, 0) X(33, 1, ta) X(36, 1, tb) X(12, 1, c)
#define E_I16(ta, tb, c)		E_TEST(ta, tb, c) X(13, 1, 0)
#define E_I16U				E_I16
#define E_I17(ta, tb, c)		E_TEST(ta, tb, c) X(13, 1, 1) X(19, 1, 0)
#define E_I17U				E_I17
#define E_I30(ta, tb, c)		E_TEST(ta, tb, c) X(13, 1, 1) X(19, 1, 1)
#define E_I30U				E_I30
#define E_I18(y)			OP(0) X(33, 3, 0) X(27, 6, 1) X(26, 1, y)
#define E_I19()				OP(0) X(33, 3, 0) X(27, 6, 0)
#define E_I20()				OP(0) X(33, 3, 1)
#define E_I21(x)			OP(0) X(33, 3, 7) X(22, 1, x)
#define E_I22()				OP(0) X(33, 3, 0) X(27, 6, 0x31)
#define E_I23()				OP(0) X(33, 3, 3)
#define E_I24()				OP(0) X(33, 3, 2)
#define E_I25(x6)			OP(0) X(33, 3, 0) X(27, 6, x6)
#define E_I26()				E_I25(0x2a)
#define E_I27()				E_I25(0x0a)
#define E_I28()				E_I25(0x32)
#define E_I29				E_I25

#define E_LD(op, m, x, x6)		OP(op) X(36, 1, m) X(27, 1, x) X(30, 6, x6)
#define E_LDI(op, x6)			OP(op) X(30, 6, x6)
#define E_M1(x6)			E_LD(4, 0, 0, x6)
#define E_M2(x6)			E_LD(4, 1, 0, x6)
#define E_M3(x6)			E_LDI(5, x6)
#define E_M4				E_M1
#define E_M5				E_M3
#define E_M6(x6)			E_LD(6, 0, 0, x6)
#define E_M7(x6)			E_LD(6, 1, 0, x6)
#define E_M8(x6)			E_LDI(7, x6)
#define E_M9				E_M6
#define E_M10				E_M8
#define E_M11(x6)			E_LD(6, 0, 1, x6)
#define E_M12(x6)			E_LD(6, 1, 1, x6)
#define E_M12S				E_M12
#define E_M13				E_M6
#define E_M14				E_M7
#define E_M15				E_M8
#define E_M16(x6)			E_LD(4, 0, 1, x6)
#define E_M16L				E_M16
#define E_M16S				E_M16
#define E_M17				E_M16
#define E_M18				E_M11
#define E_M19				E_M16
#define E_M20(x3)			OP(1) X(33, 3, x3)
#define E_M21				E_M20
#define E_M22(x3)			OP(0) X(33, 3, x3)
#define E_M23				E_M22
#define E_M24(x4, x2)			OP(0) X(33, 3, 0) X(27, 4, x4) X(31, 2, x2)
#define E_M25				E_M24
#define E_M26()				E_M24(2, 1)
#define E_M27()				E_M24(3, 1)
#define E_M28(x6, x)			E_M42(x6) X(36, 1, x)
#define E_M29()				E_M42(0x2a)
#define E_M30()				E_M24(8, 2)
#define E_M31()				E_M42(0x22)
#define E_M32()				E_M42(0x2c)
#define E_M33()				E_M42(0x24)
#define E_M34()				OP(1) X(33, 3, 6)
#define E_M35				E_M42
#define E_M36				E_M42
#define E_M37()				E_M24(0, 0)
#define E_M38				E_M42
#define E_M39				E_M42
#define E_M40				E_M42
#define E_M41				E_M42
#define E_M42(x6)			OP(1) X(33, 3, 0) X(27, 6, x6)
#define E_M43				E_M42
#define E_M44(x4)			OP(0) X(33, 3, 0) X(27, 4, x4)
#define E_M45				E_M42
#define E_M46				E_M42
#define E_M47				E_M42
#define E_M48(y)			E_M24(1, 0) X(26, 1, y)

#define E_B1(btype)			OP(4) X(6, 3, btype)
#define E_B1W				E_B1
#define E_B2				E_B1
#define E_B3()				OP(5)
#define E_B4(x6, btype)			OP(0) X(27, 6, x6) X(6, 3, btype)
#define E_B4A				E_B4
#define E_B5()				OP(1)
#define E_B6()				OP(7)
#define E_B7(x6)			OP(2) X(27, 6, x6)
#define E_B8(x6)			OP(0) X(27, 6, x6)
#define E_B8V				E_B8
#define E_B9(op, x6)			OP(op) X(27, 6, x6)

#define E_F1(op, x)			OP(op) X(36, 1, x)
#define E_F2(x2)			OP(14) X(36, 1, 1) X(34, 2, x2)
#define E_F3()				OP(14) X(36, 1, 0)
#define E_F4(ra, rb, ta)		OP(4) X(36, 1, ra) X(33, 1, rb) X(12, 1, ta)
#define E_F4U				E_F4
#define E_F5(ta)			OP(5) X(12, 1, ta)
#define E_F5U				E_F5
#define E_F6(op)			OP(op) X(33, 1, 1) X(36, 1, 0)
#define E_F7(op)			OP(op) X(33, 1, 1) X(36, 1, 1)
#define E_F8(op, x6)			OP(op) X(33, 1, 0) X(27, 6, x6)
#define E_F9				E_F8
#define E_F10				E_F8
#define E_F11(x6)			E_F8(0, x6)
#define E_F12				E_F11
#define E_F13				E_F11
#define E_F14				E_F11
#define E_F15()				E_F11(0)
#define E_F16(y)			E_F11(1) X(26, 1, y)

#define E_X1()				E_I19()
#define E_X2()				OP(6) X(20, 1, 0)
#define E_X3(btype)			OP(12) X(6, 3, btype)
#define E_X4()				OP(13)
#define E_X5				E_I18

enum format {
#define F(name, has)	FMT_##name,
	FORMATS
#undef F
};

static const u32 format_has[] = {
#define F(name, has)	has,
	FORMATS
#undef F
};

/** struct encoding - what a line of insn.def says to the decoder */
static const struct encoding {
	u8 unit, format, x;
} encodings[N_OPCODES] = {
	[OP_illegal] = { UNIT_A, 0, 0 },
#define INSN(op, function, unit, format, encoding, x, text) \
	[OP_##op] = { UNIT_##unit, FMT_##format, x },
#include "isa/insn.def"
#undef INSN
};

/* The bits that tell an instruction from the others ... */
#define X(lo, n, v)	| MASK(n) << (lo)
static const u64 masks[N_OPCODES] = {
#define INSN(op, function, unit, format, encoding, x, text)	[OP_##op] = 0 E_##format encoding,
#include "isa/insn.def"
#undef INSN
};
#undef X

/* ... and their values. */
#define X(lo, n, v)	| (u64)(v) << (lo)
static const u64 matches[N_OPCODES] = {
#define INSN(op, function, unit, format, encoding, x, text)	[OP_##op] = 0 E_##format encoding,
#include "isa/insn.def"
#undef INSN
};
#undef X

static const char *const names[N_OPCODES] = {
	[OP_illegal] = "illegal",
#define INSN(op, ...)	[OP_##op] = #op,
#include "isa/insn.def"
#undef INSN
};

bool opcode_seen[N_OPCODES];

const char *opcode_name(enum opcode op)
{
	return op < N_OPCODES ? names[op] : "?";
}

bool opcode_encoding(enum opcode op, enum unit *unit, u64 *mask, u64 *match)
{
	if (op <= OP_illegal || op >= N_OPCODES)
		return false;
	*unit = encodings[op].unit;
	*mask = masks[op];
	*match = matches[op];
	return true;
}

/*
 * First level of the look-up: the kind of slot and bits 40:33, the major opcode
 * and what for most units is the next in rank.  candidates[] of first[kind][n]
 * and before first[kind][n + 1] may match.
 */
enum { KEY_LO = 33, KEYS = 1 << (SLOT_BITS - KEY_LO) };

static u16 first[KINDS][KEYS + 1];
static u16 candidates[20000];

static bool fits(unsigned int kind, enum opcode op, u64 key)
{
	unsigned int unit = encodings[op].unit;

	if (unit != kind && !(unit == UNIT_A && (kind == UNIT_M || kind == UNIT_I)))
		return false;
	return ((key << KEY_LO ^ matches[op]) & masks[op]) >> KEY_LO == 0;
}

static void build_tables(void)
{
	unsigned int kind, key, op, n = 0;

	for (kind = 0; kind < KINDS; kind++)
		for (key = 0; key < KEYS; key++) {
			first[kind][key] = n;
			for (op = OP_illegal + 1; op < N_OPCODES; op++)
				if (fits(kind, op, key)) {
					assert(n < sizeof(candidates) / sizeof(*candidates));
					candidates[n++] = op;
				}
			first[kind][key + 1] = n;
		}
}

static enum opcode find(unsigned int kind, u64 w)
{
	unsigned int n, key = w >> KEY_LO;

	for (n = first[kind][key]; n < first[kind][key + 1]; n++)
		if (((w ^ matches[candidates[n]]) & masks[candidates[n]]) == 0)
			return candidates[n];
	return OP_illegal;
}

static s64 sign_extend(u64 value, unsigned int bits)
{
	return (s64)(value << (64 - bits)) >> (64 - bits);
}

/* s:imm20 in units of bundles. */
static s64 displacement(u64 w, u64 imm20)
{
	return sign_extend(FIELD(w, 36, 1) << 20 | imm20, 21) * 16;
}

static void bit_field(struct insn *i, u64 pos, u64 len)
{
	i->pos = pos;
	i->len = len;
}

/* mux1: which byte of the source each byte of the target takes; ~0 for reserved. */
static u64 mux1_bytes(unsigned int type)
{
	switch (type) {
	case 0x0: return 0x00000000;	/* @brcst */
	case 0x8: return 0x73516240;	/* @mix */
	case 0x9: return 0x73625140;	/* @shuf */
	case 0xa: return 0x75316420;	/* @alt */
	case 0xb: return 0x01234567;	/* @rev */
	}
	return ~0ULL;
}

static u64 mux2_bytes(unsigned int type)
{
	u64 bytes = 0;
	unsigned int n;

	for (n = 0; n < 4; n++)
		bytes |= (FIELD(type, 2 * n, 2) * 0x22 + 0x10) << 8 * n;
	return bytes;
}

/*
 * Application registers that exist, and of them those that the I unit reaches;
 * the M unit reaches the others.  48-63 and 112-127 do nothing, in either.
 */
static bool ar_exists(unsigned int ar, unsigned int kind, bool write)
{
	static const u64 in_m = 0xffULL | MASK(4) << AR_RSC | BIT(AR_FCR) |
				MASK(7) << AR_EFLAG | BIT(AR_CCV) | BIT(AR_UNAT) |
				BIT(AR_FPSR) | BIT(AR_ITC);

	if ((ar >= 48 && ar < 64) || ar >= 112)
		return true;
	if (kind == UNIT_I)
		return ar == AR_PFS || ar == AR_LC || ar == AR_EC;
	return ar < 48 && in_m >> ar & 1 && !(write && ar == AR_BSP);
}

/* Control registers that exist, and can be written. */
static bool cr_exists(unsigned int cr, bool write)
{
	static const u64 low = 7ULL | BIT(CR_PTA) | MASK(2) << CR_IPSR | MASK(7) << CR_IIP;
	static const u64 high = MASK(11) << (CR_LID - 64) | MASK(2) << (CR_LRR0 - 64);

	if (cr < 64)
		return low >> cr & 1;
	return high >> (cr - 64) & 1 &&
	       !(write && (cr == CR_IVR || (cr >= CR_IRR0 && cr <= CR_IRR3)));
}

/* The fields that are not in a usual place.  Return: false if they are reserved. */
static bool decode_special(struct insn *i, enum format format, u64 w, u64 l)
{
	static const u8 pmpyshr_count[] = { 0, 7, 15, 16 };
	static const u8 fetchadd_inc[] = { 16, 8, 4, 1 };
	u64 s = FIELD(w, 36, 1), imm7a = FIELD(w, 6, 7), imm7b = FIELD(w, 13, 7);
	u64 imm21 = s << 20 | FIELD(w, 6, 20);

	switch ((unsigned int)format) {
	case FMT_A2:
		i->imm = FIELD(w, 27, 2) + 1;
		break;
	case FMT_A3:
	case FMT_A8:
	case FMT_A8U:
		i->imm = sign_extend(s << 7 | imm7b, 8);
		break;
	case FMT_A4:
		i->imm = sign_extend(s << 13 | FIELD(w, 27, 6) << 7 | imm7b, 14);
		break;
	case FMT_A5:
		i->r3 = FIELD(w, 20, 2);
		i->imm = sign_extend(s << 21 | FIELD(w, 22, 5) << 16 |
				     FIELD(w, 27, 9) << 7 | imm7b, 22);
		break;
	case FMT_A10:
		i->imm = FIELD(w, 27, 2) + 1;
		return i->imm <= 3;
	case FMT_I1:
		i->imm = pmpyshr_count[FIELD(w, 30, 2)];
		break;
	case FMT_I3:
		i->imm = mux1_bytes(FIELD(w, 20, 4));
		return i->imm != -1;
	case FMT_I4:
		i->imm = mux2_bytes(FIELD(w, 20, 8));
		break;
	case FMT_I6:
		i->imm = FIELD(w, 14, 5);
		break;
	case FMT_I8:
		i->imm = 31 - FIELD(w, 20, 5);
		break;
	case FMT_I10:
		i->imm = FIELD(w, 27, 6);
		break;
	case FMT_I11:
		bit_field(i, FIELD(w, 14, 6), FIELD(w, 27, 6) + 1);
		i->imm = i->len < 64 - i->pos ? i->len : 64 - i->pos;
		break;
	case FMT_I11U:
		bit_field(i, FIELD(w, 14, 6), FIELD(w, 27, 6) + 1);
		i->imm = MASK(i->len);
		break;
	case FMT_I12:
		bit_field(i, 63 - FIELD(w, 20, 6), FIELD(w, 27, 6) + 1);
		i->imm = MASK(i->len) << i->pos;
		break;
	case FMT_I13:
		bit_field(i, 63 - FIELD(w, 20, 6), FIELD(w, 27, 6) + 1);
		i->imm = (MASK(i->len) & sign_extend(s << 7 | imm7b, 8)) << i->pos;
		i->r2 = s << 7 | imm7b;
		break;
	case FMT_I14:
		bit_field(i, 63 - FIELD(w, 14, 6), FIELD(w, 27, 6) + 1);
		i->imm = -(s64)s;
		break;
	case FMT_I15:
		bit_field(i, 63 - FIELD(w, 31, 6), FIELD(w, 27, 4) + 1);
		i->imm = MASK(i->len) << i->pos;
		break;
	case FMT_I16:
	case FMT_I16U:
		i->pos = FIELD(w, 14, 6);
		break;
	case FMT_I30:
	case FMT_I30U:
		i->imm = 32 + FIELD(w, 14, 5);
		break;
	case FMT_I18:
	case FMT_I19:
	case FMT_M37:
	case FMT_M48:
	case FMT_B9:
	case FMT_F15:
	case FMT_F16:
		i->imm = imm21;
		break;
	case FMT_I20:
	case FMT_M20:
	case FMT_M21:
		i->imm = displacement(w, FIELD(w, 20, 13) << 7 | imm7a);
		break;
	case FMT_I21:
		i->imm = sign_extend(FIELD(w, 24, 9), 9) * 16;
		i->hint = FIELD(w, 20, 2) | FIELD(w, 23, 1) << 3;
		break;
	case FMT_I23:
		i->imm = sign_extend(s << 16 | FIELD(w, 24, 8) << 8 | imm7a << 1, 17);
		break;
	case FMT_I24:
		i->imm = sign_extend(s << 27 | FIELD(w, 6, 27), 28) * 65536;
		break;
	case FMT_M3:
	case FMT_M8:
	case FMT_M15:
		i->imm = sign_extend(s << 8 | FIELD(w, 27, 1) << 7 | imm7b, 9);
		break;
	case FMT_M5:
	case FMT_M10:
		i->imm = sign_extend(s << 8 | FIELD(w, 27, 1) << 7 | imm7a, 9);
		break;
	case FMT_M12:
		i->imm = 16;
		break;
	case FMT_M12S:
		i->imm = 8;
		break;
	case FMT_M17:
		i->imm = fetchadd_inc[FIELD(w, 13, 2)];
		if (FIELD(w, 15, 1))
			i->imm = -i->imm;
		break;
	case FMT_M22:
	case FMT_M23:
	case FMT_B1:
	case FMT_B1W:
	case FMT_B2:
	case FMT_B3:
		i->imm = displacement(w, FIELD(w, 13, 20));
		break;
	case FMT_I27:
	case FMT_M30:
		i->imm = sign_extend(s << 7 | imm7b, 8);
		/* fall through */
	case FMT_I26:
	case FMT_M29:
		return ar_exists(i->r3, i->unit, true);
	case FMT_I28:
	case FMT_M31:
		return ar_exists(i->r3, i->unit, false);
	case FMT_M32:
		return cr_exists(i->r3, true);
	case FMT_M33:
		return cr_exists(i->r3, false);
	case FMT_M34:
		i->r4 = FIELD(w, 27, 4) * 8;
		return i->r2 <= 96 && i->r3 <= i->r2 && i->r4 <= i->r2;
	case FMT_M39:
	case FMT_M40:
		i->imm = FIELD(w, 13, 2);
		break;
	case FMT_M44:
		i->imm = s << 23 | FIELD(w, 31, 2) << 21 | FIELD(w, 6, 21);
		break;
	case FMT_B5:
		i->hint = FIELD(w, 33, 2) | FIELD(w, 12, 1) << 2 | FIELD(w, 35, 1) << 3 |
			  FIELD(w, 32, 1) << 4;
		break;
	case FMT_B6:
		i->imm = displacement(w, FIELD(w, 13, 20));
		/* fall through */
	case FMT_B7:
		i->r1 = imm7a;
		i->r4 = FIELD(w, 33, 2);
		i->hint = FIELD(w, 3, 2) | FIELD(w, 35, 1) << 3;
		break;
	case FMT_F5:
	case FMT_F5U:
		i->imm = FIELD(w, 20, 7) << 2 | FIELD(w, 33, 2);
		break;
	case FMT_F14:
		i->imm = displacement(w, FIELD(w, 6, 20));
		break;
	case FMT_X1:
	case FMT_X5:
		i->imm = l << 21 | imm21;
		break;
	case FMT_X2:
		i->imm = s << 63 | l << 22 | FIELD(w, 21, 1) << 21 | FIELD(w, 22, 5) << 16 |
			 FIELD(w, 27, 9) << 7 | imm7b;
		break;
	case FMT_X3:
	case FMT_X4:
		i->imm = (s << 59 | FIELD(l, 2, 39) << 20 | FIELD(w, 13, 20)) << 4;
		break;
	}
	return true;
}

/*
 * Reserved opcodes of the M, I, F and X units fault only when their predicate
 * is true.  Those of the B unit do so, or always, or do nothing at all: SDM
 * tables 4-3, 4-47 to 4-50.
 */
static void decode_reserved(const exec_fn exec[], struct insn *i, unsigned int kind, u64 w)
{
	unsigned int op = w >> 37, x6 = FIELD(w, 27, 6);

	i->imm = w;
	if (kind != UNIT_B)
		return;
	if (op == 2 || op == 3 || op == 6 || (op == 0 && x6 == 0x01))
		i->exec = exec[OP_nop_b];
	else if (op != 0 || x6 >= 0x20)
		i->qp = 0;
}

static void decode_slot(const exec_fn exec[], struct insn *i, unsigned int kind,
			unsigned int slot, u64 w, u64 l)
{
	const struct encoding *e;
	bool ok;
	u32 has;

	i->op = find(kind, w);
	opcode_seen[i->op] = true;
	e = &encodings[i->op];
	i->exec = exec[i->op];
	i->unit = kind;
	i->x = e->x;
	i->qp = i->pred = FIELD(w, 0, 6);
	if (i->op == OP_illegal) {
		decode_reserved(exec, i, kind, w);
		return;
	}

	has = format_has[e->format];
	if (has & R1)
		i->r1 = FIELD(w, 6, 7);
	if (has & R2)
		i->r2 = FIELD(w, 13, 7);
	if (has & R3)
		i->r3 = FIELD(w, 20, 7);
	if (has & R4)
		i->r4 = FIELD(w, 27, 7);
	if (has & B1)
		i->r1 = FIELD(w, 6, 3);
	if (has & B2)
		i->r2 = FIELD(w, 13, 3);
	if (has & P1)
		i->p1 = FIELD(w, 6, 6);
	if (has & P2)
		i->p2 = FIELD(w, 27, 6);
	if (has & SF)
		i->sf = FIELD(w, 34, 2);
	if (has & LDHINT)
		i->hint = FIELD(w, 28, 2);
	if (has & BRHINT)
		i->hint = FIELD(w, 33, 2) | FIELD(w, 12, 1) << 2 | FIELD(w, 35, 1) << 3;

	ok = decode_special(i, e->format, w, l) &&
	     !((has & GR1 & ~R1 && i->r1 == 0) ||
	       (has & FR1 & ~R1 && i->r1 < 2) ||
	       (has & FR2 & ~R2 && i->r2 < 2) ||
	       (has & BASE & ~R3 && i->r3 == 0) ||
	       (has & GR1_BASE & ~(GR1 | BASE) && i->r1 == i->r3) ||
	       (has & PP & ~(P1 | P2) && i->p1 == i->p2));
	/* These do not wait for the predicate. */
	if ((has & SLOT2 && slot != 2) || (has & QP0 && i->qp != 0)) {
		ok = false;
		i->qp = 0;
	}
	if (has & (ALWAYS | NO_QP))
		i->qp = 0;
	if (has & NO_QP)
		i->pred = 0;
	if (!ok)
		i->exec = exec[OP_illegal];
}

/* Slot kinds by template; a stop behind a slot is its bit. */
static const struct {
	bool defined;
	u8 kind[3];
	u8 stops;
} templates[32] = {
#define T(n, a, b, c, stops) \
	[n] = { true, { UNIT_##a, UNIT_##b, UNIT_##c }, stops }, \
	[n + 1] = { true, { UNIT_##a, UNIT_##b, UNIT_##c }, (stops) | 4 }
	T(0x00, M, I, I, 0), T(0x02, M, I, I, 2), T(0x04, M, X, X, 0), T(0x08, M, M, I, 0),
	T(0x0a, M, M, I, 1), T(0x0c, M, F, I, 0), T(0x0e, M, M, F, 0), T(0x10, M, I, B, 0),
	T(0x12, M, B, B, 0), T(0x16, B, B, B, 0), T(0x18, M, M, B, 0), T(0x1c, M, F, B, 0),
#undef T
};

/* Faults whatever its predicate. */
static struct insn reserved_slot(const exec_fn exec[], u64 w)
{
	return (struct insn){
		.exec = exec[OP_illegal], .op = OP_illegal, .imm = w, .pred = FIELD(w, 0, 6),
	};
}

void decode_bundle(const exec_fn exec[N_OPCODES], struct bundle *b, u64 lo, u64 hi)
{
	u64 w[3] = {
		FIELD(lo, 5, SLOT_BITS),
		lo >> 46 | FIELD(hi, 0, 23) << 18,
		hi >> 23,
	};
	unsigned int n, template = lo & 31;

	if (!first[KINDS - 1][KEYS])
		build_tables();
	*b = (struct bundle){ .template = template, .n = 3, .decoded = true };
	if (!templates[template].defined) {
		for (n = 0; n < 3; n++)
			b->slot[n] = reserved_slot(exec, w[n]);
		return;
	}
	for (n = 0; n < b->n; n++) {
		unsigned int kind = templates[template].kind[n];

		if (kind == UNIT_X) {
			decode_slot(exec, &b->slot[n], kind, n, w[2], w[1]);
			b->slot[n].stop = templates[template].stops >> 2 & 1;
			b->slot[2] = reserved_slot(exec, w[2]);
			b->n = 2;
		} else {
			decode_slot(exec, &b->slot[n], kind, n, w[n], 0);
			b->slot[n].stop = templates[template].stops >> n & 1;
		}
	}
}
