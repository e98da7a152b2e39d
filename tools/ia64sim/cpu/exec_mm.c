// SPDX-License-Identifier: GPL-2.0
/*
 * Multimedia: a general register as eight, four or two integers.
 * SDM volume 3 chapter 2, formats A9, A10, I1-I8, I29.
 *
 * Everywhere x{1:0} is log2 of an element's size in bytes, and element 0 is
 * the one in the lowest bits.
 */
#include "cpu/exec.h"

static unsigned int width(unsigned int log2_size)
{
	return 8U << log2_size;
}

static u64 element(u64 value, unsigned int n, unsigned int bits)
{
	return value >> n * bits & MASK(bits);
}

static s64 element_signed(u64 value, unsigned int n, unsigned int bits)
{
	return (s64)(element(value, n, bits) << (64 - bits)) >> (64 - bits);
}

static s64 saturate(s64 value, s64 low, s64 high)
{
	return value < low ? low : value > high ? high : value;
}

static s64 saturate_signed(s64 value, unsigned int bits)
{
	return saturate(value, -(1LL << (bits - 1)), (1LL << (bits - 1)) - 1);
}

static s64 saturate_unsigned(s64 value, unsigned int bits)
{
	return saturate(value, 0, (1LL << bits) - 1);
}

/* r1 = each(a, b, n) for all elements n, put side by side. */
typedef s64 each_fn(const struct insn *i, u64 a, u64 b, unsigned int n, unsigned int bits);

static inline __attribute__((always_inline)) void elementwise(struct cpu *cpu, const struct insn *i, each_fn *each)
{
	unsigned int bits = width(i->x & MM_SIZE);
	u64 a = gr(cpu, i->r2), b = gr(cpu, i->r3), result = 0;

	check_target(cpu, i->r1);
	for (unsigned int n = 0; n < 64 / bits; n++)
		result |= ((u64)each(i, a, b, n, bits) & MASK(bits)) << n * bits;
	set_gr(cpu, i->r1, result, gr_nat(cpu, i->r2) | gr_nat(cpu, i->r3));
}

#define ELEMENTWISE(name, result)						\
	static inline s64 name##_each(const struct insn *i, u64 a, u64 b,	\
				      unsigned int n, unsigned int bits)	\
	{									\
		(void)i, (void)a, (void)b, (void)n, (void)bits;			\
		return result;							\
	}									\
	void exec_##name(struct cpu *cpu, const struct insn *i)		\
	{									\
		elementwise(cpu, i, name##_each);				\
	}

#define UA	((s64)element(a, n, bits))
#define UB	((s64)element(b, n, bits))
#define SA	element_signed(a, n, bits)
#define SB	element_signed(b, n, bits)

/* sss: all signed; uuu: all unsigned; uus: only the second operand signed. */
static s64 saturating(const struct insn *i, u64 a, u64 b, unsigned int n, unsigned int bits,
		      s64 sign)
{
	switch (i->x & MM_SAT) {
	case MM_SSS:
		return saturate_signed(SA + sign * SB, bits);
	case MM_UUU:
		return saturate_unsigned(UA + sign * UB, bits);
	case MM_UUS:
		return saturate_unsigned(UA + sign * SB, bits);
	default:
		return UA + sign * UB;
	}
}

ELEMENTWISE(padd, saturating(i, a, b, n, bits, 1))
ELEMENTWISE(psub, saturating(i, a, b, n, bits, -1))

/* raz rounds away from zero; otherwise the bit shifted out is or'ed in. */
static s64 average(const struct insn *i, s64 sum)
{
	return i->x & MM_RAZ ? (sum + 1) >> 1 : sum >> 1 | (sum & 1);
}

ELEMENTWISE(pavg, average(i, UA + UB))
ELEMENTWISE(pavgsub, (UA - UB) >> 1 | ((UA - UB) & 1))
ELEMENTWISE(pcmp, (i->x & MM_GT ? SA > SB : UA == UB) ? -1 : 0)
ELEMENTWISE(pmin1_u, UA < UB ? UA : UB)
ELEMENTWISE(pmax1_u, UA > UB ? UA : UB)
ELEMENTWISE(pmin2, SA < SB ? SA : SB)
ELEMENTWISE(pmax2, SA > SB ? SA : SB)

/* Of shift and sum either may saturate; a saturated shift is the result. */
static s64 shift_left_and_add(s64 a, s64 b, unsigned int count)
{
	s64 shifted = a * (1 << count), limited = saturate_signed(shifted, 16);

	return shifted != limited ? limited : saturate_signed(shifted + b, 16);
}

/* A10: two-byte elements, whatever x is. */
static void shift_and_add(struct cpu *cpu, const struct insn *i, bool left)
{
	u64 a = gr(cpu, i->r2), b = gr(cpu, i->r3), result = 0;

	check_target(cpu, i->r1);
	for (unsigned int n = 0; n < 4; n++) {
		s64 x = element_signed(a, n, 16), y = element_signed(b, n, 16);
		s64 sum = left ? shift_left_and_add(x, y, i->imm) :
				 saturate_signed((x >> i->imm) + y, 16);

		result |= (sum & MASK(16)) << n * 16;
	}
	set_gr(cpu, i->r1, result, gr_nat(cpu, i->r2) | gr_nat(cpu, i->r3));
}

void exec_pshladd2(struct cpu *cpu, const struct insn *i)
{
	shift_and_add(cpu, i, true);
}

void exec_pshradd2(struct cpu *cpu, const struct insn *i)
{
	shift_and_add(cpu, i, false);
}

ELEMENTWISE(pmpyshr2, (i->x & MM_U ? UA * UB : SA * SB) >> i->imm)

/* Products of every second element, the left (upper) or right ones of pairs. */
void exec_pmpy2(struct cpu *cpu, const struct insn *i)
{
	u64 a = gr(cpu, i->r2), b = gr(cpu, i->r3);
	unsigned int n = i->x & MM_R ? 0 : 1;
	u32 low = element_signed(a, n, 16) * element_signed(b, n, 16);
	u32 high = element_signed(a, n + 2, 16) * element_signed(b, n + 2, 16);

	check_target(cpu, i->r1);
	set_gr(cpu, i->r1, (u64)high << 32 | low, gr_nat(cpu, i->r2) | gr_nat(cpu, i->r3));
}

/* Pairs of elements: each pair of r1 is (of r2, of r3), r2's to the left. */
ELEMENTWISE(mix, element(n & 1 ? a : b, (n & ~1U) + !(i->x & MM_R), bits))
ELEMENTWISE(unpack, element(n & 1 ? a : b, n / 2 + (i->x & MM_H ? 32 / bits : 0), bits))

/* To half the size, r2 into the lower half, r3 into the upper. */
void exec_pack(struct cpu *cpu, const struct insn *i)
{
	unsigned int from = width(i->x & MM_SIZE), to = from / 2, half = 64 / from;
	u64 result = 0;

	check_target(cpu, i->r1);
	for (unsigned int n = 0; n < 2 * half; n++) {
		s64 value = element_signed(gr(cpu, n < half ? i->r2 : i->r3), n % half, from);

		value = i->x & MM_U ? saturate_unsigned(value, to) : saturate_signed(value, to);
		result |= (value & MASK(to)) << n * to;
	}
	set_gr(cpu, i->r1, result, gr_nat(cpu, i->r2) | gr_nat(cpu, i->r3));
}

void exec_psad1(struct cpu *cpu, const struct insn *i)
{
	u64 a = gr(cpu, i->r2), b = gr(cpu, i->r3), sum = 0;

	check_target(cpu, i->r1);
	for (unsigned int n = 0; n < 8; n++) {
		s64 difference = (s64)element(a, n, 8) - (s64)element(b, n, 8);

		sum += difference < 0 ? -difference : difference;
	}
	set_gr(cpu, i->r1, sum, gr_nat(cpu, i->r2) | gr_nat(cpu, i->r3));
}

void exec_mux(struct cpu *cpu, const struct insn *i)
{
	u64 a = gr(cpu, i->r2), result = 0;

	check_target(cpu, i->r1);
	for (unsigned int n = 0; n < 8; n++)
		result |= element(a, i->imm >> 4 * n & 7, 8) << n * 8;
	set_gr(cpu, i->r1, result, gr_nat(cpu, i->r2));
}

/*
 * Shifts of the elements.  Counts are whole registers: from the element's width
 * on nothing (or nothing but the sign) is left.
 */
static u64 shift_elements(u64 value, u64 count, unsigned int bits, bool right, bool is_signed)
{
	u64 result = 0;

	if (count > bits)
		count = bits;
	for (unsigned int n = 0; n < 64 / bits; n++) {
		u64 e = element(value, n, bits);

		if (!right)
			e <<= count;
		else if (is_signed)
			e = element_signed(value, n, bits) >> count;
		else
			e >>= count;
		result |= (e & MASK(bits)) << n * bits;
	}
	return result;
}

void exec_pshr(struct cpu *cpu, const struct insn *i)
{
	check_target(cpu, i->r1);
	set_gr(cpu, i->r1,
	       shift_elements(gr(cpu, i->r3), gr(cpu, i->r2), width(i->x & MM_SIZE), true,
			      !(i->x & MM_U)),
	       gr_nat(cpu, i->r2) | gr_nat(cpu, i->r3));
}

void exec_pshr_imm(struct cpu *cpu, const struct insn *i)
{
	check_target(cpu, i->r1);
	set_gr(cpu, i->r1,
	       shift_elements(gr(cpu, i->r3), i->imm, width(i->x & MM_SIZE), true,
			      !(i->x & MM_U)),
	       gr_nat(cpu, i->r3));
}

void exec_pshl(struct cpu *cpu, const struct insn *i)
{
	check_target(cpu, i->r1);
	set_gr(cpu, i->r1,
	       shift_elements(gr(cpu, i->r2), gr(cpu, i->r3), width(i->x & MM_SIZE), false, false),
	       gr_nat(cpu, i->r2) | gr_nat(cpu, i->r3));
}

void exec_pshl_imm(struct cpu *cpu, const struct insn *i)
{
	check_target(cpu, i->r1);
	set_gr(cpu, i->r1,
	       shift_elements(gr(cpu, i->r2), i->imm, width(i->x & MM_SIZE), false, false),
	       gr_nat(cpu, i->r2));
}

/* Where the first zero element is, counted from the left or from the right. */
void exec_czx(struct cpu *cpu, const struct insn *i)
{
	unsigned int bits = width(i->x & MM_SIZE), elements = 64 / bits, n;
	u64 b = gr(cpu, i->r3);

	check_target(cpu, i->r1);
	for (n = 0; n < elements; n++)
		if (!element(b, i->x & MM_R ? n : elements - 1 - n, bits))
			break;
	set_gr(cpu, i->r1, n, gr_nat(cpu, i->r3));
}
