/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Floating-point arithmetic on 82-bit registers, apart from the processor:
 * SDM volume 1 chapter 5, volume 3 for the single instructions.  Pure
 * functions; the F unit (exec_f.c) turns their outcomes into faults and traps.
 *
 * Everything is done here, denormals and unnormals included, so that neither
 * software assistance faults nor traps are ever raised.  That is a legal
 * implementation: no processor has to ask for assistance (SDM 1:104), but for
 * frcpa and frsqrta with exponents near the ends of the 17-bit range.  There
 * the manual has the handler deliver the IEEE quotient or root and a false
 * predicate, and so these functions do.
 */
#ifndef FPARITH_H
#define FPARITH_H

#include "isa/ia64.h"
#include "isa/insn.h"

/* Exceptions, in the order of FPSR flags and traps and of the ISR. */
enum { FP_V = 1, FP_D = 2, FP_Z = 4, FP_O = 8, FP_U = 16, FP_I = 32 };

enum fp_round { ROUND_NEAREST, ROUND_DOWN, ROUND_UP, ROUND_ZERO };

/* The register format, SDM 1:86-88. */
enum {
	FP_SIGN = 1 << 17,
	FP_EXP = 0x1ffff,		/* mask, and infinities and NaNs */
	FP_EXP_NATVAL = 0x1fffe,
	FP_EXP_INTEGER = 0x1003e,	/* integers and pairs of singles */
	FP_BIAS = 0xffff,
	FP_EMIN_SINGLE = 0xff81, FP_EMAX_SINGLE = 0x1007e,
	FP_EMIN_DOUBLE = 0xfc01, FP_EMAX_DOUBLE = 0x103fe,
	FP_EMIN_EXTENDED = 0xc001, FP_EMAX_EXTENDED = 0x13ffe,
	FP_EMIN_REGISTER = 1, FP_EMAX_REGISTER = 0x1fffe,
};
#define FP_INTEGER_BIT	(1ULL << 63)
#define FP_QUIET_BIT	(1ULL << 62)

/**
 * struct fp_format - what a result is rounded to, SDM table 5-6
 * @emin: smallest exponent of a normal number, as a register has it
 * @emax: largest exponent
 * @span: @emax less @emin
 * @drop: low bits of the significand that are 0: 64 less the precision
 */
struct fp_format {
	s32 emin, emax;
	u32 span;
	u8 drop;
};

/* [PC_...][wre | pc << 1] */
extern const struct fp_format fp_formats[3][8];

/** struct fp_control - a status field and the instruction's precision, resolved */
struct fp_control {
	struct fp_format format;
	u8 round;		/* enum fp_round */
	u8 enabled;		/* FP_... that fault or trap */
	bool ftz;
};

/**
 * struct fp_outcome - what an operation has to say beside its result
 * @flags: to be set in the status field, but when it faults
 * @fault: V, D or Z when that exception is enabled: there is no result
 * @trap: ISR.code's O, U and I when a trap is due, else 0
 * @fpa: ISR.fpa: the result is larger than the true one
 */
struct fp_outcome {
	u8 flags;
	u8 fault;
	u8 trap;
	bool fpa;
};

/* Variants of the multiply-add. */
enum {
	MA_NEGATE_PRODUCT = 1,	/* fnma */
	MA_SUBTRACT = 2,	/* fms */
	MA_NO_ADDEND = 4,	/* f2 is f0: a multiplication, which IEEE's sign of 0 shows */
};

static inline struct fpreg fpreg(u64 sig, u32 se)
{
	return (struct fpreg){ .sig = sig, .se = se };
}

#define FP_NATVAL	fpreg(0, FP_EXP_NATVAL)

static inline bool fp_is_natval(struct fpreg r)
{
	return r.sig == 0 && r.se == FP_EXP_NATVAL;
}

/* The 13 bits of status field @sf begin here in the FPSR: 7 controls, 6 flags. */
static inline unsigned int fpsr_field(unsigned int sf)
{
	return 6 + 13 * sf;
}

static inline unsigned int fpsr_flags(unsigned int sf)
{
	return fpsr_field(sf) + 7;
}

/* A reserved field or encoding in a status field's controls (SDM volume 1, 5.2). */
static inline bool fpsr_controls_reserved(unsigned int sf, unsigned int controls)
{
	return (controls >> 2 & 3) == 1 || (sf == 0 && controls & 0x40);
}

/** fpsr_reserved() - would mov to ar.fpsr of this value fault? */
static inline bool fpsr_reserved(u64 fpsr)
{
	for (unsigned int sf = 0; sf < 4; sf++)
		if (fpsr_controls_reserved(sf, FIELD(fpsr, fpsr_field(sf), 7)))
			return true;
	return fpsr >> 58;
}

/**
 * fp_resolve() - status field and precision completer to what they mean
 * @fpsr: AR[FPSR]
 * @sf: status field, 0 to 3
 * @pc: PC_... of insn.h
 */
static inline struct fp_control fp_resolve(u64 fpsr, unsigned int sf, unsigned int pc)
{
	unsigned int controls = fpsr >> fpsr_field(sf) & 0x7f;

	return (struct fp_control){
		.format = fp_formats[pc][controls >> 1 & 7],
		.round = controls >> 4 & 3,
		.enabled = controls & 0x40 ? 0 : ~fpsr & 0x3f,
		.ftz = controls & 1,
	};
}

/* For the parallel instructions: single precision, whatever pc and wre say. */
static inline struct fp_control fp_resolve_parallel(u64 fpsr, unsigned int sf)
{
	struct fp_control ctl = fp_resolve(fpsr, sf, PC_S);

	ctl.format = fp_formats[PC_S][0];
	return ctl;
}

/*
 * Memory formats, SDM volume 1, 5.1 and 5.3.  What comes from memory is exact; what goes there
 * takes the bits that the format has room for, as the manual shows them.
 */
static inline struct fpreg fp_from_single(u32 m)
{
	u32 sign = m >> 31 << 17, exp = m >> 23 & 0xff;
	u64 sig = (u64)m << 41 >> 1;

	if (exp == 0)
		return fpreg(sig, sign | (sig ? FP_EMIN_SINGLE : 0));
	return fpreg(sig | FP_INTEGER_BIT, sign | (exp == 0xff ? FP_EXP : exp + FP_BIAS - 0x7f));
}

static inline u32 fp_to_single(struct fpreg r)
{
	u32 m = (r.se & FP_SIGN) << 14 | (r.sig << 1 >> 41);

	return r.sig & FP_INTEGER_BIT ? m | (r.se & 0x10000) << 14 | (r.se & 0x7f) << 23 : m;
}

static inline struct fpreg fp_from_double(u64 m)
{
	u32 sign = m >> 63 << 17, exp = m >> 52 & 0x7ff;
	u64 sig = m << 12 >> 1;

	if (exp == 0)
		return fpreg(sig, sign | (sig ? FP_EMIN_DOUBLE : 0));
	return fpreg(sig | FP_INTEGER_BIT, sign | (exp == 0x7ff ? FP_EXP : exp + FP_BIAS - 0x3ff));
}

static inline u64 fp_to_double(struct fpreg r)
{
	u64 m = (u64)(r.se & FP_SIGN) << 46 | (r.sig << 1 >> 12);

	return r.sig & FP_INTEGER_BIT ?
	       m | (u64)(r.se & 0x10000) << 46 | (u64)(r.se & 0x3ff) << 52 : m;
}

/* Double-extended: 8 bytes of significand, 2 of sign and exponent. */
static inline struct fpreg fp_from_extended(u64 sig, u16 se)
{
	u32 exp = se & 0x7fff;

	if (exp == 0x7fff)
		exp = FP_EXP;
	else if (exp)
		exp += FP_BIAS - 0x3fff;
	return fpreg(sig, (u32)(se >> 15) << 17 | exp);
}

static inline u16 fp_to_extended(struct fpreg r)
{
	return (r.se & FP_SIGN) >> 2 | (r.se & 0x10000) >> 2 | (r.se & 0x3fff);
}

/* setf.sig, ldf8, and every integer or parallel result. */
static inline struct fpreg fp_from_sig(u64 sig)
{
	return fpreg(sig, FP_EXP_INTEGER);
}

/* setf.exp, getf.exp; also the second 8 bytes of a spill. */
static inline struct fpreg fp_from_exp(u64 value)
{
	return fpreg(FP_INTEGER_BIT, value & (FP_SIGN | FP_EXP));
}

static inline u64 fp_to_exp(struct fpreg r)
{
	return r.se;
}

/* ldf.fill; the rest of the 16 bytes is ignored. */
static inline struct fpreg fp_from_spill(u64 low, u64 high)
{
	return fpreg(low, high & (FP_SIGN | FP_EXP));
}

/**
 * fp_ma() - multiply-add, rounded once
 * @a: f3
 * @b: f4
 * @c: f2
 * @op: MA_..., combined
 */
struct fpreg fp_ma(struct fpreg a, struct fpreg b, struct fpreg c, unsigned int op,
		   const struct fp_control *ctl, struct fp_outcome *out);

/**
 * fp_rcpa() - frcpa: approximation of 1/@den, or @num/@den where that is special
 * @pred: the result is an approximation
 */
struct fpreg fp_rcpa(struct fpreg num, struct fpreg den, const struct fp_control *ctl,
		     bool *pred, struct fp_outcome *out);

/** fp_rsqrta() - frsqrta: approximation of 1/sqrt(@a), or sqrt(@a) where that is special */
struct fpreg fp_rsqrta(struct fpreg a, const struct fp_control *ctl, bool *pred,
		       struct fp_outcome *out);

/**
 * fp_compare() - fcmp
 * @rel: FREL_... of insn.h
 */
bool fp_compare(struct fpreg a, struct fpreg b, unsigned int rel, u8 enabled,
		struct fp_outcome *out);

/**
 * fp_minmax() - fmin, fmax, famin, famax: one of the operands as it is
 * @x: MINMAX_... of insn.h
 */
struct fpreg fp_minmax(struct fpreg a, struct fpreg b, unsigned int x, u8 enabled,
		       struct fp_outcome *out);

/** fp_class() - fclass: is @a in one of the classes of @mask? */
bool fp_class(struct fpreg a, unsigned int mask);

/**
 * fp_to_integer() - fcvt.fx and its kin
 * @x: FCVT_... of insn.h
 * @width: 64, or 32 for fpcvt
 */
u64 fp_to_integer(struct fpreg a, unsigned int x, unsigned int width,
		  const struct fp_control *ctl, struct fp_outcome *out);

/** fp_from_integer() - fcvt.xf: always exact */
struct fpreg fp_from_integer(s64 value);

/* The same for one half of a pair of singles. */
u32 fp_ma_single(u32 a, u32 b, u32 c, unsigned int op, const struct fp_control *ctl,
		 struct fp_outcome *out);
u32 fp_rcpa_single(u32 num, u32 den, const struct fp_control *ctl, bool *pred,
		   struct fp_outcome *out);
u32 fp_rsqrta_single(u32 a, const struct fp_control *ctl, bool *pred, struct fp_outcome *out);

#endif
