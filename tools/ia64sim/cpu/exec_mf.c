// SPDX-License-Identifier: GPL-2.0
/*
 * The M unit's floating-point instructions: loads, stores, moves between the
 * register files.  SDM volume 3 chapter 2, formats M6-M12, M18, M19, M21;
 * memory formats SDM volume 1 section 5.3.
 */
#include "cpu/exec.h"
#include "cpu/refs.h"
#include "fp/fparith.h"

#define ISR_READ	BIT(ISR_R)
#define ISR_WRITE	BIT(ISR_W)

/*
 * Bytes of a value in memory, in the program's order.  The whole value is
 * turned around in big-endian memory, extended and spilled registers too
 * (SDM figure 5-10); of a pair each half.
 */
static void order_bytes(const struct cpu *cpu, u8 *bytes, unsigned int size)
{
	if (!psr(cpu, PSR_BE))
		return;
	for (unsigned int n = 0; n < size / 2; n++) {
		u8 b = bytes[n];

		bytes[n] = bytes[size - 1 - n];
		bytes[size - 1 - n] = b;
	}
}

enum { BYTES_EXTENDED = 10, BYTES_SPILL = 16 };

/* By LDF_... */
static const u8 memory_size[] = {
	[LDF_E] = BYTES_EXTENDED, [LDF_8] = 8, [LDF_S] = 4, [LDF_D] = 8,
};

static inline struct fpreg from_memory(unsigned int format, const u8 *bytes)
{
	switch (format) {
	case LDF_E:
		return fp_from_extended(read_le(bytes, 8), read_le(bytes + 8, 2));
	case LDF_8:
		return fp_from_sig(read_le(bytes, 8));
	case LDF_S:
		return fp_from_single(read_le(bytes, 4));
	default:
		return fp_from_double(read_le(bytes, 8));
	}
}

static struct fpreg load_fp_slow(struct cpu *cpu, u64 va, unsigned int format)
{
	unsigned int size = memory_size[format];
	struct translation t;
	u8 bytes[16];

	read_bytes(cpu, va, bytes, size, ACCESS_FP, &t);
	order_bytes(cpu, bytes, size);
	return from_memory(format, bytes);
}

ALWAYS_INLINE void load_fp(struct cpu *cpu, const struct insn *i, unsigned int format)
{
	unsigned int size = memory_size[format];
	const u8 *soft;
	u64 va;

	check_fr(cpu, i->r1, ISR_READ);
	va = gr_not_nat(cpu, i->r3, ISR_READ);
	soft = soft_read(cpu, va, size == BYTES_EXTENDED ? 16 : size);
	set_fr(cpu, i->r1, soft ? from_memory(format, soft) : load_fp_slow(cpu, va, format));
	cpu->stats.loads++;
}

static void load_fill(struct cpu *cpu, const struct insn *i)
{
	struct translation t;
	const u8 *soft;
	u8 bytes[16];
	u64 va;

	check_fr(cpu, i->r1, ISR_READ);
	va = gr_not_nat(cpu, i->r3, ISR_READ);
	soft = soft_read(cpu, va, BYTES_SPILL);
	if (!soft) {
		read_bytes(cpu, va, bytes, BYTES_SPILL, ACCESS_FP | ACCESS_STRICT, &t);
		order_bytes(cpu, bytes, BYTES_SPILL);
		soft = bytes;
	}
	set_fr(cpu, i->r1, fp_from_spill(read_le(soft, 8), read_le(soft + 8, 8)));
	cpu->stats.loads++;
}

LOADS(ldfs, load_fp(cpu, i, LDF_S))
LOADS(ldfd, load_fp(cpu, i, LDF_D))
LOADS(ldf8, load_fp(cpu, i, LDF_8))
LOADS(ldfe, load_fp(cpu, i, LDF_E))
LOADS(ldf_fill, load_fill(cpu, i))

/*
 * Speculation, SDM 3:160 and 3:164.  A pair is one reference, and in the ALAT
 * by its first register.
 */
enum loaded { LOADED_NOT, LOADED_NAT, LOADED_ZERO, LOADED };

static enum loaded read_by_kind(struct cpu *cpu, const struct insn *i, u8 *bytes,
				unsigned int size, unsigned int access)
{
	unsigned int kind = i->x >> 2;
	bool check = kind == LD_C_NC || kind == LD_C_CLR;
	bool spec = !check && kind & LD_S, advanced = !check && kind & LD_A;
	struct translation t = { .ma = MA_WB };
	enum loaded result = spec ? LOADED_NAT : LOADED_ZERO;
	const u8 *soft;
	u64 va, pa = 0;

	if (gr_nat(cpu, i->r3) && !spec)
		raise_nat_consumption(cpu, ISR_READ);
	if (check) {
		note_seldom(cpu);	/* as in load_by_kind() */
		if (alat_check(cpu, true, i->r1, kind == LD_C_CLR))
			return LOADED_NOT;
	}
	va = gr(cpu, i->r3);
	if (!spec || !(gr_nat(cpu, i->r3) || psr(cpu, PSR_ED))) {
		/* Physical memory is not for speculative loads, so ask translate(). */
		soft = soft_read(cpu, va, size == BYTES_EXTENDED ? 16 : size);
		if (soft && (!spec || psr(cpu, PSR_DT))) {
			memcpy(bytes, soft, size);
			pa = ram_address(cpu->machine, soft);
			result = LOADED;
		} else if (read_bytes(cpu, va, bytes, size,
				      access | (spec ? ACCESS_SPEC : 0) |
				      (advanced ? ACCESS_ADVANCED : 0), &t)) {
			pa = t.pa;
			result = LOADED;
		}
	}
	if (kind == LD_C_CLR || advanced)
		alat_invalidate_reg(cpu, true, i->r1);
	if (result == LOADED) {
		if ((kind == LD_C_NC || advanced) && is_speculative(&t))
			alat_allocate(cpu, true, i->r1, pa, size);
		cpu->stats.loads++;
	}
	return result;
}

static struct fpreg loaded_value(enum loaded loaded, unsigned int format, const u8 *bytes)
{
	if (loaded == LOADED)
		return from_memory(format, bytes);
	if (loaded == LOADED_NAT)
		return FP_NATVAL;
	return format == LDF_8 ? fp_from_sig(0) : fpreg(0, 0);
}

static void load_fp_by_kind(struct cpu *cpu, const struct insn *i)
{
	unsigned int format = i->x & LD_SIZE, size = memory_size[format];
	enum loaded loaded;
	u8 bytes[16];

	check_fr(cpu, i->r1, ISR_READ | ((i->x >> 2 & ~LD_A) == LD_S ? BIT(ISR_SP) : 0));
	loaded = read_by_kind(cpu, i, bytes, size, ACCESS_FP);
	if (loaded == LOADED)
		order_bytes(cpu, bytes, size);
	if (loaded != LOADED_NOT)
		set_fr(cpu, i->r1, loaded_value(loaded, format, bytes));
}

LOADS(ldf_spec, load_fp_by_kind(cpu, i))

static void load_pair(struct cpu *cpu, const struct insn *i)
{
	unsigned int format = i->x & LD_SIZE, size = memory_size[format];
	unsigned int code = fr_disabled(cpu, i->r1) | fr_disabled(cpu, i->r2);
	enum loaded loaded;
	u8 bytes[16];

	/* One to each bank of the register file, after renaming. */
	if (!((cpu->frmap[i->r1] ^ cpu->frmap[i->r2]) & 1))
		raise_illegal(cpu);
	if (code)
		raise_vector(cpu, VEC_DISABLED_FP, ISR_READ | code |
			     ((i->x >> 2 & ~LD_A) == LD_S ? BIT(ISR_SP) : 0));
	loaded = read_by_kind(cpu, i, bytes, 2 * size, ACCESS_FP | ACCESS_STRICT);
	if (loaded == LOADED) {
		order_bytes(cpu, bytes, size);
		order_bytes(cpu, bytes + size, size);
	}
	if (loaded != LOADED_NOT) {
		set_fr(cpu, i->r1, loaded_value(loaded, format, bytes));
		set_fr(cpu, i->r2, loaded_value(loaded, format, bytes + size));
	}
}

REFERENCE_ALONE(ldfp, load_pair(cpu, i))
REFERENCE_INC(ldfp, load_pair(cpu, i))

/*
 * Stores.  Only a spill takes a NaTVal.
 */
static inline u64 store_address(struct cpu *cpu, const struct insn *i, bool natval_too)
{
	u64 va;

	check_fr(cpu, i->r2, ISR_WRITE);
	va = gr_not_nat(cpu, i->r3, ISR_WRITE);
	if (!natval_too && fp_is_natval(*fr(cpu, i->r2)))
		raise_nat_consumption(cpu, ISR_WRITE);
	return va;
}

static void store_bytes(struct cpu *cpu, u64 va, u8 *bytes, unsigned int size,
			unsigned int access)
{
	order_bytes(cpu, bytes, size);
	write_bytes(cpu, va, bytes, size, ACCESS_FP | access);
}

static inline void to_memory(unsigned int format, struct fpreg r, u8 *bytes)
{
	switch (format) {
	case LDF_S:
		write_le(bytes, 4, fp_to_single(r));
		break;
	case LDF_D:
		write_le(bytes, 8, fp_to_double(r));
		break;
	case LDF_8:
		write_le(bytes, 8, r.sig);
		break;
	default:
		write_le(bytes, 8, r.sig);
		write_le(bytes + 8, 2, fp_to_extended(r));
		break;
	}
}

static inline void store_fp(struct cpu *cpu, const struct insn *i, unsigned int format)
{
	u64 va = store_address(cpu, i, false);
	unsigned int size = memory_size[format];
	u8 *soft = soft_write(cpu, va, size == BYTES_EXTENDED ? 16 : size);
	u8 bytes[16];

	if (soft) {
		to_memory(format, *fr(cpu, i->r2), soft);
	} else {
		to_memory(format, *fr(cpu, i->r2), bytes);
		store_bytes(cpu, va, bytes, size, 0);
	}
	cpu->stats.stores++;
}

static inline void spill_to_memory(struct fpreg r, u8 *bytes)
{
	write_le(bytes, 8, r.sig);
	write_le(bytes + 8, 8, fp_to_exp(r));
}

static void store_spill(struct cpu *cpu, const struct insn *i)
{
	u64 va = store_address(cpu, i, true);
	u8 *soft = soft_write(cpu, va, BYTES_SPILL);
	u8 bytes[16];

	if (soft) {
		spill_to_memory(*fr(cpu, i->r2), soft);
	} else {
		spill_to_memory(*fr(cpu, i->r2), bytes);
		store_bytes(cpu, va, bytes, BYTES_SPILL, ACCESS_STRICT);
	}
	cpu->stats.stores++;
}

STORES(stfs, store_fp(cpu, i, LDF_S))
STORES(stfd, store_fp(cpu, i, LDF_D))
STORES(stf8, store_fp(cpu, i, LDF_8))
STORES(stfe, store_fp(cpu, i, LDF_E))
STORES(stf_spill, store_spill(cpu, i))

/*
 * Moves between the register files; NaT becomes NaTVal and back.
 */
#define SETF(name, value)						\
	void exec_##name(struct cpu *cpu, const struct insn *i)	\
	{								\
		u64 a = gr(cpu, i->r2);					\
									\
		check_fr(cpu, i->r1, 0);				\
		set_fr(cpu, i->r1, gr_nat(cpu, i->r2) ? FP_NATVAL : value); \
	}

SETF(setf_sig, fp_from_sig(a))
SETF(setf_exp, fp_from_exp(a))
SETF(setf_s, fp_from_single(a))
SETF(setf_d, fp_from_double(a))

#define GETF(name, value)						\
	void exec_##name(struct cpu *cpu, const struct insn *i)	\
	{								\
		struct fpreg r = *fr(cpu, i->r2);			\
									\
		check_target(cpu, i->r1);				\
		check_fr(cpu, i->r2, 0);				\
		set_gr(cpu, i->r1, value, fp_is_natval(r));		\
	}

GETF(getf_sig, r.sig)
GETF(getf_exp, fp_to_exp(r))
GETF(getf_s, fp_to_single(r))
GETF(getf_d, fp_to_double(r))

void exec_chk_s_f(struct cpu *cpu, const struct insn *i)
{
	check_fr(cpu, i->r2, 0);
	if (fp_is_natval(*fr(cpu, i->r2)))
		recover(cpu, cpu->ip + i->imm);
}
