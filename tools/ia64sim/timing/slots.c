// SPDX-License-Identifier: GPL-2.0
/*
 * Slots for the issue logic: ports, operands and kinds of results, by the format of the
 * instruction (formats.def) and, where that does not tell, by the instruction.
 */
#include "timing/slots.h"

enum {
	G2 = OPERAND_G2, G3 = OPERAND_G3, F2 = OPERAND_F2, F3 = OPERAND_F3, F4 = OPERAND_F4,
	TO_G1 = OPERAND_TO_G1, TO_BASE = OPERAND_TO_BASE, TO_F1 = OPERAND_TO_F1,
	TO_F2 = OPERAND_TO_F2,
};

#define used_as(operands, use)						\
	((operands) | ((operands) & G2 ? (use) << USE_OF_G2 : 0) |	\
	 ((operands) & G3 ? (use) << USE_OF_G3 : 0))
#define as_address(operands)	used_as(operands, USE_ADDRESS)
#define to_mm(operands)		used_as(operands, USE_MM)
#define to_store(operands)	((operands) | OPERAND_TO_STORE)

enum format {
#define FORMAT(name, ...)	FMT_##name,
#include "timing/formats.def"
#undef FORMAT
	N_FORMATS
};

static const struct {
	u8 port, result;
	u16 operands;
} formats[N_FORMATS] = {
#define FORMAT(name, port, result, operands) \
	{ PORT_##port, RESULT_##result, operands },
#include "timing/formats.def"
#undef FORMAT
};

static const u8 format_of[N_OPCODES] = {
	[OP_illegal] = FMT_B9,
#define INSN(op, function, unit, format, ...)	[OP_##op] = FMT_##format,
#include "isa/insn.def"
#undef INSN
};

enum system {
	SYSTEM_NONE,
#define SYSTEM(op, ...)	SYSTEM_##op,
#include "timing/system.def"
#undef SYSTEM
};

static const u8 system_of[N_OPCODES] = {
#define SYSTEM(op, ...)	[OP_##op] = SYSTEM_##op,
#include "timing/system.def"
#undef SYSTEM
};

static const u32 ports[] = {
	[PORT_A] = PORTS(1, 0, 0, 0, 0, 0, 0, 0),
	[PORT_M] = PORTS(1, 0, 0, 0, 0, 0, 0, 0),
	[PORT_LOAD] = PORTS(1, 1, 0, 0, 0, 0, 0, 0),
	[PORT_STORE] = PORTS(1, 0, 1, 0, 0, 0, 0, 0),
	[PORT_M0] = PORTS(1, 1, 0, 1, 0, 0, 0, 0),
	[PORT_M2] = PORTS(1, 0, 1, 0, 1, 0, 0, 0),
	[PORT_I] = PORTS(0, 0, 0, 0, 0, 1, 0, 1),
	[PORT_I0] = PORTS(0, 0, 0, 0, 0, 1, 0, 1),
	[PORT_F] = PORTS(0, 0, 0, 0, 0, 0, 1, 0),
	[PORT_F_BOTH] = PORTS(0, 0, 0, 0, 0, 0, 2, 0),
	[PORT_B] = 0,
	[PORT_B_NOP] = 0,
};

/*
 * Templates, by bits 4:1.  The M port and so on are counted by slot; what is left are
 * rules about bundles (gcc/config/ia64/itanium2.md has them from the manual): nothing
 * issues behind MBB and BBB; BBB only behind bundles without a branch slot; MLX not
 * behind MII.
 */
enum { MII, MI_I, MLX, MMI = 4, M_MI, MFI, MMF, MIB, MBB, BBB = 11, MMB, MFB = 14 };

#define BEHIND(t)	(1 << (t))
#define ALL_BUT_BRANCHES							\
	(BEHIND(MII) | BEHIND(MI_I) | BEHIND(MLX) | BEHIND(MMI) | BEHIND(M_MI) |	\
	 BEHIND(MFI) | BEHIND(MMF))
#define ALL		(ALL_BUT_BRANCHES | BEHIND(MIB) | BEHIND(MMB) | BEHIND(MFB))

const u16 timing_may_follow[16] = {
	[MII] = ALL, [MI_I] = ALL, [MMI] = ALL, [M_MI] = ALL, [MFI] = ALL, [MMF] = ALL,
	[MIB] = ALL, [MBB] = ALL, [MMB] = ALL, [MFB] = ALL,
	[MLX] = ALL & ~(BEHIND(MII) | BEHIND(MI_I)),
	[BBB] = ALL_BUT_BRANCHES,
};

/* mov from AR and CR: not all are equally far away. */
static enum result_kind ar_result(unsigned int ar)
{
	if (ar == AR_ITC)
		return RESULT_ITC;
	return ar == AR_RNAT || ar == AR_UNAT || ar == AR_CCV ? RESULT_AR_FAST : RESULT_AR;
}

static enum result_kind cr_result(unsigned int cr)
{
	switch (cr) {
	case CR_IIP:
	case CR_IIM:
	case CR_ISR:
	case CR_IVA:
	case CR_IIPA:
		return RESULT_CR_FAST;
	case CR_ITM:
		return RESULT_CR_SAPIC;
	}
	return cr >= CR_LID ? RESULT_CR_SAPIC : RESULT_CR;
}

static bool is_between(unsigned int op, enum opcode first, enum opcode last)
{
	return op >= first && op <= last;
}

/* A base that is updated is there in the next cycle, unlike these. */
#define LONG_TARGETS	(OPERAND_TARGETS & ~OPERAND_TO_BASE)

/* A format's instructions that go elsewhere than the others. */
static enum issue_port port_of(const struct insn *i, enum issue_port port)
{
	switch (i->op) {
	case OP_shr:
	case OP_shr_u:
	case OP_shl:
	case OP_pmpy2_r:
	case OP_pmpy2_l:
		return PORT_I0;
	case OP_invala:
		return PORT_LOAD;
	case OP_nop_b:
	case OP_hint_b:
		return PORT_B_NOP;
	}
	/* ldf.a and ldf.c use the ALAT, which is beside the load ports */
	if (is_between(i->op, OP_ldfe, OP_ldfd_c_nc_inc) && i->x >> 2 & (LD_A | LD_C_NC))
		return PORT_LOAD;
	/* Two single-precision operations at a time take both units. */
	if (is_between(i->op, OP_fpma, OP_fpnma) || is_between(i->op, OP_fpmin, OP_fpcmp_ord) ||
	    is_between(i->op, OP_fpmerge_s, OP_fpmerge_se) ||
	    is_between(i->op, OP_fpcvt_fx, OP_fpcvt_fxu_trunc) || i->op == OP_fprcpa ||
	    i->op == OP_fprsqrta)
		return PORT_F_BOTH;
	return port;
}

static enum result_kind result_of(const struct insn *i, enum result_kind result)
{
	switch (i->op) {
	case OP_shr:
	case OP_shr_u:
	case OP_shl:
		return RESULT_ALU;
	case OP_czx1_l:
	case OP_czx2_l:
	case OP_czx1_r:
	case OP_czx2_r:
		return RESULT_MM;
	}
	if (result == RESULT_AR)
		return ar_result(i->r3);
	if (result == RESULT_CR)
		return cr_result(i->r3);
	return result;
}

/* The instruction ends the cycle, whatever its template says. */
static bool splits(const struct insn *i, enum issue_port port, unsigned int template,
		   unsigned int n)
{
	switch (i->op) {
	case OP_mf_a:
	case OP_invala:
	case OP_invala_e:
	case OP_invala_e_f:
	case OP_srlz_d:
	case OP_epc:
		return true;
	}
	if (formats[format_of[i->op]].result == RESULT_SEMAPHORE)
		return true;
	if (template == MBB || template == BBB)
		return n == 2;
	return port == PORT_B;
}

static bool is_check_load(const struct insn *i, enum result_kind result)
{
	return (result == RESULT_LOAD || result == RESULT_FP_LOAD) && i->x >> 2 & LD_C_NC;
}

static bool is_nop(const struct insn *i)
{
	return !i->qp && (i->op == OP_nop_m || i->op == OP_nop_i || i->op == OP_nop_f ||
			  i->op == OP_nop_b || i->op == OP_nop_x);
}

static struct slot_timing decode(const struct insn *i, unsigned int template, unsigned int n)
{
	unsigned int format = format_of[i->op];
	enum issue_port port = port_of(i, formats[format].port);
	enum result_kind result = result_of(i, formats[format].result);
	struct slot_timing s = {
		.ports = ports[port], .operands = formats[format].operands, .result = result,
		.system = system_of[i->op],
	};

	if (i->op == OP_illegal)
		return (struct slot_timing){ .flags = SLOT_END | SLOT_LAST };
	if (result == RESULT_ALU && s.operands >> USE_OF_G2)
		s.operands &= (1 << USE_OF_G2) - 1;
	if (result == RESULT_MM && i->unit == UNIT_I)
		s.operands = to_mm(s.operands & ((1 << USE_OF_G2) - 1));
	if (port == PORT_A && i->unit == UNIT_I) {
		s.ports = ports[PORT_I];
		s.flags |= SLOT_A_IN_I;
	}
	s.check = s.ports + (port == PORT_I0 ? CHECK_I0 : 0);
	if (port == PORT_B)
		s.flags |= SLOT_BRANCH;
	if (is_nop(i))
		s.flags |= SLOT_NOP;
	if (result == RESULT_FCMP || result == RESULT_BRANCH ||
	    (result != RESULT_ALU && s.operands & LONG_TARGETS))
		s.flags |= SLOT_RESULT;
	if (n == 2 || i->unit == UNIT_X)
		s.flags |= SLOT_LAST;
	if (i->stop || splits(i, port, template, n))
		s.flags |= SLOT_END;
	if (is_check_load(i, result))
		s.flags |= SLOT_CHECK;
	if (result >= RESULT_LOAD && result <= RESULT_SEMAPHORE)
		s.flags |= SLOT_MEMORY;
	return s;
}

void timing_decode(const struct bundle *b, struct slot_timing *slots)
{
	for (unsigned int n = 0; n < 3; n++)
		slots[n] = n < b->n ? decode(&b->slot[n], b->template >> 1, n) :
			   (struct slot_timing){ 0 };
}
