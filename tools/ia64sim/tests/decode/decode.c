// SPDX-License-Identifier: GPL-2.0
/*
 * The decoder and the disassembler alone.
 *
 *	decode			tests; the last line says how many passed and failed
 *	decode list		every line of insn.def: name, unit, mask, match, x,
 *				function, text
 *	decode disassemble ADDRESS
 *				bundles from the standard input, one line for each
 *				slot, for compare.py
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stubs.h"

static unsigned int passed, failed;

static void check(bool ok, const char *what)
{
	if (ok) {
		passed++;
		return;
	}
	failed++;
	printf("not ok: %s\n", what);
}

/* A template with a slot of this kind, and which one. */
static const struct {
	u8 template, slot;
} place[] = {
	[UNIT_I] = { 0x00, 2 }, [UNIT_M] = { 0x00, 0 }, [UNIT_F] = { 0x0c, 1 },
	[UNIT_B] = { 0x10, 2 }, [UNIT_X] = { 0x04, 1 },
};

static void bundle(struct bundle *b, unsigned int template, const u64 w[3])
{
	decode_bundle(stubs(), b, template | w[0] << 5 | w[1] << 46, w[1] >> 18 | w[2] << 23);
}

static struct insn decode(enum unit kind, u64 w, u64 l)
{
	u64 words[3] = { 0, 0, 0 };
	struct bundle b;

	if (kind == UNIT_X) {
		words[1] = l;
		words[2] = w;
	} else {
		words[place[kind].slot] = w;
	}
	bundle(&b, place[kind].template, words);
	return b.slot[place[kind].slot];
}

static bool same(const struct insn *a, const struct insn *b)
{
	return a->exec == b->exec && a->imm == b->imm && a->qp == b->qp && a->r1 == b->r1 &&
	       a->r2 == b->r2 && a->r3 == b->r3 && a->r4 == b->r4 && a->p1 == b->p1 &&
	       a->p2 == b->p2 && a->x == b->x && a->op == b->op && a->pred == b->pred &&
	       a->hint == b->hint && a->pos == b->pos && a->len == b->len;
}

/* The bits of a slot that mean anything: those that change what is decoded. */
static u64 significant(enum unit kind, u64 w, u64 l)
{
	struct insn i = decode(kind, w, l);
	u64 bits = 0;
	unsigned int n;

	for (n = 0; n < 41; n++) {
		struct insn j = decode(kind, w ^ BIT(n), l);

		if (!same(&i, &j))
			bits |= BIT(n);
	}
	return bits;
}

static const struct {
	u8 x;
	const char *function, *text;
} lines[N_OPCODES] = {
#define INSN(op, function, unit, format, encoding, x, text)	[OP_##op] = { x, #function, text },
#include "isa/insn.def"
#undef INSN
};

static void list(void)
{
	enum unit unit;
	u64 mask, match;
	unsigned int op;

	for (op = 0; op < N_OPCODES; op++)
		if (opcode_encoding(op, &unit, &mask, &match))
			printf("%s\t%c\t%" PRIx64 "\t%" PRIx64 "\t%u\t%s\t%s\n", opcode_name(op),
			       "AIMFBX"[unit], mask, match, lines[op].x, lines[op].function,
			       lines[op].text);
}

static const char *fate(const struct insn *i)
{
	if (i->exec == stub_illegal)
		return i->qp == 0 && i->pred != 0 ? "always" : "illegal";
	if (i->op == OP_illegal)
		return "ignored";
	return "ok";
}

static int disassemble_input(u64 address)
{
	u64 w[2];
	struct bundle b;
	unsigned int n;
	char text[200];

	for (; fread(w, sizeof(w), 1, stdin) == 1; address += 16) {
		u64 slots[3] = { FIELD(w[0], 5, 41), w[0] >> 46 | FIELD(w[1], 0, 23) << 18,
				 w[1] >> 23 };

		decode_bundle(stubs(), &b, w[0], w[1]);
		for (n = 0; n < b.n; n++) {
			struct insn *i = &b.slot[n];
			u64 word = i->unit == UNIT_X ? slots[2] : slots[n];

			disassemble(i, address, text, sizeof(text));
			printf("%" PRIx64 "\t%u\t%s\t%s\t%" PRIx64 "\t%" PRIx64 "\t%s\n", address, n,
			       opcode_name(i->op), fate(i), word,
			       i->unit == UNIT_A ? 0 : significant(i->unit, word, slots[1]), text);
		}
	}
	return ferror(stdin) || fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* No word may be two instructions, and each must be found by its own encoding. */
static void test_overlap(void)
{
	enum unit unit[2];
	u64 mask[2], match[2];
	unsigned int a, b;
	char what[200];

	for (a = 1; a < N_OPCODES; a++) {
		opcode_encoding(a, &unit[0], &mask[0], &match[0]);
		snprintf(what, sizeof(what), "%s: match within mask, mask within 41 bits",
			 opcode_name(a));
		check((match[0] & ~mask[0]) == 0 && mask[0] >> 41 == 0 && mask[0] >> 37 == 15, what);
		for (b = a + 1; b < N_OPCODES; b++) {
			bool meet;

			opcode_encoding(b, &unit[1], &mask[1], &match[1]);
			meet = unit[0] == unit[1] ||
			       (unit[0] == UNIT_A && (unit[1] == UNIT_I || unit[1] == UNIT_M)) ||
			       (unit[1] == UNIT_A && (unit[0] == UNIT_I || unit[0] == UNIT_M));
			snprintf(what, sizeof(what), "%s and %s overlap", opcode_name(a),
				 opcode_name(b));
			check(!meet || ((match[0] ^ match[1]) & mask[0] & mask[1]) != 0, what);
		}
	}
}

static u64 random64(void)
{
	static u64 x = 0x9e3779b97f4a7c15;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x;
}

/* The first-level table must find what a search of all encodings finds. */
static void test_lookup(void)
{
	static const enum unit kinds[] = { UNIT_I, UNIT_M, UNIT_F, UNIT_B, UNIT_X };
	unsigned int n, k, op, found, wrong = 0;
	enum unit unit;
	u64 mask, match, w;

	for (n = 0; n < 50000; n++)
		for (k = 0; k < 5; k++) {
			w = random64() >> 23;
			for (found = 0, op = 1; op < N_OPCODES; op++) {
				opcode_encoding(op, &unit, &mask, &match);
				if (unit == UNIT_A && (kinds[k] == UNIT_I || kinds[k] == UNIT_M))
					unit = kinds[k];
				if (unit == kinds[k] && (w & mask) == match)
					found = op;
			}
			wrong += decode(kinds[k], w, 0).op != found;
		}
	check(wrong == 0, "look-up against a search of all encodings");
}

static const char *text(const struct insn *i, u64 ip)
{
	static char buf[200];

	disassemble(i, ip, buf, sizeof(buf));
	return buf;
}

static void test_templates(void)
{
	/* Units and stops of SDM table 4-2, written independently of decode.c. */
	static const char *const names[32] = {
		"MII", "MII;", "MI;I", "MI;I;", "MX", "MX;", NULL, NULL,
		"MMI", "MMI;", "M;MI", "M;MI;", "MFI", "MFI;", "MMF", "MMF;",
		"MIB", "MIB;", "MBB", "MBB;", NULL, NULL, "BBB", "BBB;",
		"MMB", "MMB;", NULL, NULL, "MFB", "MFB;", NULL, NULL,
	};
	u64 zero[3] = { 0, 0, 0 };
	unsigned int t, n;

	for (t = 0; t < 32; t++) {
		char got[16] = "", what[40];
		size_t len = 0;
		bool bad = true;
		struct bundle b;

		bundle(&b, t, zero);
		for (n = 0; n < b.n; n++) {
			got[len++] = "AIMFBX"[b.slot[n].unit];
			if (b.slot[n].stop)
				got[len++] = ';';
			bad &= b.slot[n].exec == stub_illegal && b.slot[n].qp == 0;
		}
		snprintf(what, sizeof(what), "template %02x: %s", t, got);
		check(b.template == t && b.decoded, what);
		check(names[t] ? strcmp(names[t], got) == 0 && !bad : bad && b.n == 3, what);
		check(b.n == 3 || (b.slot[2].exec == stub_illegal && b.slot[2].qp == 0), what);
	}
}

/* Each byte of mux1's result, as the manual's page of mux says. */
static void test_mux1(void)
{
	static const struct {
		unsigned int type;
		const char *name, *bytes;	/* of the source, highest first */
	} permutations[] = {
		{ 0x0, "@brcst", "00000000" }, { 0x8, "@mix", "73516240" },
		{ 0x9, "@shuf", "73625140" }, { 0xa, "@alt", "75316420" },
		{ 0xb, "@rev", "01234567" },
	};
	unsigned int type, n;

	for (type = 0; type < 16; type++) {
		struct insn i = decode(UNIT_I, 7ULL << 37 | 3ULL << 34 | 2ULL << 30 | 2ULL << 28 |
				       (u64)type << 20 | 5 << 13 | 4 << 6, 0);
		const char *name = NULL;
		u64 bytes = 0;
		char what[40];

		for (n = 0; n < 5; n++)
			if (permutations[n].type == type) {
				name = permutations[n].name;
				bytes = strtoull(permutations[n].bytes, NULL, 16);
			}
		snprintf(what, sizeof(what), "mux1 r4=r5,%s", name ? name : "?");
		check(i.op == OP_mux1 && (i.exec == stub_illegal) == !name &&
		      (!name || (u64)i.imm == bytes) && strcmp(text(&i, 0), what) == 0, what);
	}
}

/* Which ARs and CRs there are: all 128, read and written, in both units. */
static void test_registers(void)
{
	static const u8 ar_m[] = {
		0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 21, 24, 25, 26, 27, 28, 29, 30, 32, 36, 40,
		44, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63,
	};
	static const u8 cr[] = {
		0, 1, 2, 8, 16, 17, 19, 20, 21, 22, 23, 24, 25, 64, 65, 66, 67, 68, 69, 70, 71, 72,
		73, 74, 80, 81,
	};
	static const struct {
		enum unit unit;
		u64 word;
		bool write;
	} moves[] = {
		{ UNIT_M, 1ULL << 37 | 0x2aULL << 27 | 5 << 13, true },
		{ UNIT_M, 2ULL << 31 | 8ULL << 27 | 5 << 13, true },
		{ UNIT_M, 1ULL << 37 | 0x22ULL << 27 | 4 << 6, false },
		{ UNIT_I, 0x2aULL << 27 | 5 << 13, true },
		{ UNIT_I, 0x0aULL << 27 | 5 << 13, true },
		{ UNIT_I, 0x32ULL << 27 | 4 << 6, false },
		{ UNIT_M, 1ULL << 37 | 0x2cULL << 27 | 5 << 13, true },
		{ UNIT_M, 1ULL << 37 | 0x24ULL << 27 | 4 << 6, false },
	};
	unsigned int m, r;

	for (m = 0; m < 8; m++)
		for (r = 0; r < 128; r++) {
			struct insn i = decode(moves[m].unit, moves[m].word | r << 20, 0);
			bool there;
			char what[60];

			if (m >= 6)
				there = memchr(cr, r, sizeof(cr)) &&
					!(moves[m].write && (r == 65 || (r >= 68 && r <= 71)));
			else if (moves[m].unit == UNIT_M)
				there = (memchr(ar_m, r, sizeof(ar_m)) || r >= 112) &&
					!(moves[m].write && r == 17);
			else
				there = (r >= 48 && r <= 66) || r >= 112;
			snprintf(what, sizeof(what), "%s, register %u", opcode_name(i.op), r);
			check(i.op != OP_illegal && i.r3 == r && (i.exec != stub_illegal) == there,
			      what);
		}
}

/* What the assembler does not tell: final values in the fields. */
static void test_fields(void)
{
	struct insn i;
	u64 words[3] = { 0, 0, 0 };
	struct bundle b;

	/* shladd r4=r5,3,r6 */
	i = decode(UNIT_M, 8ULL << 37 | 4ULL << 29 | 2ULL << 27 | 6 << 20 | 5 << 13 | 4 << 6, 0);
	check(i.op == OP_shladd && i.imm == 3 && i.r1 == 4 && i.r2 == 5 && i.r3 == 6, "shladd");
	/* add r0=r5,r6 has a target that cannot be */
	i = decode(UNIT_M, 8ULL << 37 | 6 << 20 | 5 << 13 | 7, 0);
	check(i.op == OP_add && i.exec == stub_illegal && i.qp == 7, "target r0");
	/* addl with both ends of its range */
	i = decode(UNIT_I, 9ULL << 37 | 1ULL << 36 | 3 << 20 | 9 << 6, 0);
	check(i.op == OP_addl && i.imm == -(1 << 21) && i.r3 == 3, "addl, lowest");
	i = decode(UNIT_I, 9ULL << 37 | 0x1ffULL << 27 | 31 << 22 | 127 << 13 | 9 << 6, 0);
	check(i.imm == (1 << 21) - 1, "addl, highest");
	/* cmp.eq.unc p3,p3: illegal whatever the predicate; cmp.eq only when true */
	i = decode(UNIT_I, 14ULL << 37 | 3ULL << 27 | 1 << 12 | 3 << 6 | 9, 0);
	check(i.op == OP_cmp_eq_unc && i.exec == stub_illegal && i.qp == 0, "unc, p1 = p2");
	i = decode(UNIT_I, 14ULL << 37 | 3ULL << 27 | 3 << 6 | 9, 0);
	check(i.op == OP_cmp_eq && i.exec == stub_illegal && i.qp == 9, "cmp, p1 = p2");
	i = decode(UNIT_I, 14ULL << 37 | 4ULL << 27 | 1 << 12 | 3 << 6 | 9, 0);
	check(i.exec != stub_illegal && i.qp == 0 && i.pred == 9 && i.x == REL_EQ, "unc");
	/* extr r4=r5,60,32 cut to 4 bits; extr.u's mask; dep's at bit 63 */
	i = decode(UNIT_I, 5ULL << 37 | 1ULL << 34 | 31ULL << 27 | 5 << 20 | 60 << 14 |
		   1 << 13 | 4 << 6, 0);
	check(i.op == OP_extr && i.pos == 60 && i.len == 32 && i.imm == 4, "extr cut");
	i = decode(UNIT_I, 5ULL << 37 | 1ULL << 34 | 63ULL << 27 | 5 << 20 | 4 << 6, 0);
	check(i.op == OP_extr_u && i.pos == 0 && i.len == 64 && i.imm == -1, "extr.u of 64 bits");
	i = decode(UNIT_I, 4ULL << 37 | 15ULL << 27 | 5 << 20 | 6 << 13 | 4 << 6, 0);
	check(i.op == OP_dep && i.pos == 63 && i.len == 16 && (u64)i.imm == BIT(63), "dep cut");
	/* dep.z r4=-1,8,4 */
	i = decode(UNIT_I, 5ULL << 37 | 1ULL << 36 | 1ULL << 34 | 1ULL << 33 | 3ULL << 27 |
		   1 << 26 | 55 << 20 | 127 << 13 | 4 << 6, 0);
	check(i.op == OP_dep_z_imm && i.imm == 0xf00, "dep.z of an immediate");
	/* mux2 with the identity, and with the reverse */
	i = decode(UNIT_I, 7ULL << 37 | 3ULL << 34 | 1ULL << 33 | 2ULL << 30 | 2ULL << 28 |
		   0xe4 << 20 | 4 << 6, 0);
	check(i.op == OP_mux2 && i.imm == 0x76543210, "mux2 0xe4");
	i = decode(UNIT_I, 7ULL << 37 | 3ULL << 34 | 1ULL << 33 | 2ULL << 30 | 2ULL << 28 |
		   0x1b << 20 | 4 << 6, 0);
	check(i.imm == 0x10325476, "mux2 0x1b");
	/* pshladd2 by 4 does not exist */
	i = decode(UNIT_M, 8ULL << 37 | 1ULL << 34 | 1ULL << 33 | 4ULL << 29 | 3ULL << 27 |
		   4 << 6 | 5, 0);
	check(i.op == OP_pshladd2 && i.exec == stub_illegal && i.qp == 5, "pshladd2, count 4");
	/* ld8 r4=[r4],8: the target is the base */
	i = decode(UNIT_M, 5ULL << 37 | 3ULL << 30 | 4 << 20 | 8 << 13 | 4 << 6, 0);
	check(i.op == OP_ld8_inc && i.exec == stub_illegal, "ld8 r4=[r4],8");
	i = decode(UNIT_M, 4ULL << 37 | 3ULL << 30 | 4 << 20 | 4 << 6, 0);
	check(i.op == OP_ld8 && i.exec != stub_illegal, "ld8 r4=[r4]");
	i = decode(UNIT_M, 5ULL << 37 | 1ULL << 36 | 3ULL << 30 | 5 << 20 | 0 << 13 | 4 << 6, 0);
	check(i.imm == -256, "ld8 r4=[r5],-256");
	/* st8 [r0]=r4,8 */
	i = decode(UNIT_M, 5ULL << 37 | 0x33ULL << 30 | 4 << 13 | 8 << 6, 0);
	check(i.op == OP_st8_inc && i.exec == stub_illegal, "st8 [r0]=r4,8");
	/* ldfps: f0 and f1 are no targets */
	i = decode(UNIT_M, 6ULL << 37 | 1ULL << 36 | 2ULL << 30 | 1ULL << 27 | 5 << 20 | 2 << 13 |
		   3 << 6, 0);
	check(i.op == OP_ldfps_inc && i.imm == 8 && i.exec != stub_illegal, "ldfps f3,f2=[r5],8");
	i = decode(UNIT_M, 6ULL << 37 | 2ULL << 30 | 1ULL << 27 | 5 << 20 | 1 << 13 | 2 << 6, 0);
	check(i.op == OP_ldfps && i.exec == stub_illegal, "ldfps f2,f1");
	/* fetchadd */
	i = decode(UNIT_M, 4ULL << 37 | 0x12ULL << 30 | 1ULL << 27 | 5 << 20 | 4 << 13 | 4 << 6, 0);
	check(i.op == OP_fetchadd4_acq && i.imm == -16 && i.x == 2, "fetchadd4 by -16");
	/* alloc r4=ar.pfs: sof 96, sol 96, sor 96; sof 97; sol more than sof; p1 */
	i = decode(UNIT_M, 1ULL << 37 | 6ULL << 33 | 12ULL << 27 | 96 << 20 | 96 << 13 | 4 << 6, 0);
	check(i.exec != stub_illegal && i.r2 == 96 && i.r3 == 96 && i.r4 == 96, "largest alloc");
	i = decode(UNIT_M, 1ULL << 37 | 6ULL << 33 | 97 << 13 | 4 << 6, 0);
	check(i.op == OP_alloc && i.exec == stub_illegal, "alloc of 97");
	i = decode(UNIT_M, 1ULL << 37 | 6ULL << 33 | 9 << 20 | 8 << 13 | 4 << 6, 0);
	check(i.exec == stub_illegal, "alloc, sol > sof");
	i = decode(UNIT_M, 1ULL << 37 | 6ULL << 33 | 2ULL << 27 | 8 << 13 | 4 << 6, 0);
	check(i.exec == stub_illegal, "alloc, sor > sof");
	i = decode(UNIT_M, 1ULL << 37 | 6ULL << 33 | 8 << 13 | 4 << 6 | 1, 0);
	check(i.exec == stub_illegal && i.qp == 0, "alloc with a predicate");
	/* branches */
	i = decode(UNIT_B, 4ULL << 37 | 1ULL << 36, 0);
	check(i.op == OP_br_cond && i.imm == -(1 << 24), "br, farthest back");
	i = decode(UNIT_B, 4ULL << 37 | 0xfffffULL << 13, 0);
	check(i.imm == (1 << 24) - 16, "br, farthest forward");
	i = decode(UNIT_B, 4ULL << 37 | 2 << 6 | 9, 0);
	check(i.op == OP_br_wexit && i.exec != stub_illegal && i.qp == 0 && i.pred == 9,
	      "br.wexit in slot 2");
	words[1] = 4ULL << 37 | 5 << 6;
	bundle(&b, 0x12, words);
	check(b.slot[1].op == OP_br_cloop && b.slot[1].exec == stub_illegal, "br.cloop in slot 1");
	words[1] = 4ULL << 37 | 2 << 6 | 9;
	bundle(&b, 0x12, words);
	check(b.slot[1].exec == stub_illegal && b.slot[1].qp == 0, "br.wexit in slot 1");
	i = decode(UNIT_B, 0x20ULL << 27 | 1 << 6, 0);
	check(i.op == OP_br_ia && i.exec != stub_illegal, "br.ia");
	i = decode(UNIT_B, 0x20ULL << 27 | 1 << 6 | 1, 0);
	check(i.op == OP_br_ia && i.exec == stub_illegal && i.qp == 0, "br.ia with a predicate");
	/* long ones */
	i = decode(UNIT_X, 6ULL << 37 | 1ULL << 36 | 0x1ffULL << 27 | 31 << 22 | 1 << 21 |
		   127 << 13 | 4 << 6, MASK(41));
	check(i.op == OP_movl && i.imm == -1, "movl of -1");
	i = decode(UNIT_X, 6ULL << 37 | 4 << 6, BIT(40));
	check(i.imm == (s64)BIT(62), "movl of 1 << 62");
	i = decode(UNIT_X, 13ULL << 37 | 1ULL << 36, 0);
	check(i.op == OP_brl_call && (u64)i.imm == BIT(63), "brl.call, sign");
	i = decode(UNIT_X, 12ULL << 37 | 1 << 13, BIT(40) | 3);
	check(i.op == OP_brl_cond && i.imm == (s64)(BIT(62) | 16), "brl, bits 1:0 of L ignored");
	i = decode(UNIT_X, BIT(36) | 5 << 6, MASK(41));
	check(i.op == OP_break_x && (u64)i.imm == (MASK(41) << 21 | BIT(20) | 5), "break.x");
	/* tf runs as tnat of r0 */
	i = decode(UNIT_I, 5ULL << 37 | 2ULL << 27 | 0x7f << 20 | 1 << 19 | 3 << 14 | 1 << 13 |
		   1 << 6, 0);
	check(i.op == OP_tf_z && i.r3 == 0 && i.imm == 35, "tf.z");
	/* reserved: M, I, F, X when the predicate is true; B in three ways */
	i = decode(UNIT_M, 2ULL << 37 | 3, 0);
	check(i.op == OP_illegal && i.exec == stub_illegal && i.qp == 3, "reserved M");
	i = decode(UNIT_B, 3ULL << 27 | 3, 0);
	check(i.op == OP_illegal && i.exec == stub_illegal && i.qp == 3, "reserved B, predicated");
	i = decode(UNIT_B, 8ULL << 37 | 3, 0);
	check(i.op == OP_illegal && i.exec == stub_illegal && i.qp == 0, "reserved B, always");
	i = decode(UNIT_B, 4ULL << 37 | 1 << 6 | 3, 0);
	check(i.op == OP_illegal && i.exec == stub_illegal && i.qp == 0, "reserved btype");
	i = decode(UNIT_B, 2ULL << 37 | 2ULL << 27, 0);
	check(i.op == OP_illegal && i.exec == stub_nop, "ignored B");
	i = decode(UNIT_B, 0x18ULL << 27, 0);
	check(i.op == OP_vmsw_0 && i.exec == stub_illegal, "vmsw.0");
	/* text is cut, and always terminated */
	i = decode(UNIT_B, 4ULL << 37, 0);
	check(strcmp(text(&i, 0x1000), "br.few 0x1000") == 0, "text");
	{
		char buf[8] = "xxxxxxx";

		disassemble(&i, 0x1000, buf, 5);
		check(strcmp(buf, "br.f") == 0 && buf[5] == 'x', "text cut");
	}
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "list") == 0) {
		list();
		return EXIT_SUCCESS;
	}
	if (argc == 3 && strcmp(argv[1], "disassemble") == 0)
		return disassemble_input(strtoull(argv[2], NULL, 0));
	if (argc != 1) {
		fprintf(stderr, "usage: %s [list | disassemble ADDRESS]\n", argv[0]);
		return 2;
	}
	test_overlap();
	test_lookup();
	test_templates();
	test_mux1();
	test_registers();
	test_fields();
	printf("decode: %u passed, %u failed\n", passed, failed);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
