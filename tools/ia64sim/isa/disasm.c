// SPDX-License-Identifier: GPL-2.0
/*
 * Decoded instructions as assembler text, in the words of gas and objdump.
 * The texts are in insn.def, with these escapes:
 *
 *	%1 %2 %3 %4	register number r1 ... r4
 *	%p %P		predicate p1, p2
 *	%i %x		imm, signed decimal or hexadecimal
 *	%t		branch target
 *	%T		the address whose branch a brp predicts
 *	%a %c		application or control register r3
 *	%o %l		position and length of a bit field
 *	%d		the value of dep.z's immediate
 *	%m		mux permutation
 *	%n		number of output registers of alloc
 *	%s		status field
 *	%A %O		fsetc's masks
 *	%h %g %f	hints of a load, a store, lfetch
 *	%b %B		hints of a branch, all and without "whether"
 *	%W %V %w	hints of a brp, of an indirect one, of a move to a branch register
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "isa/insn.h"

static const char *const texts[N_OPCODES] = {
	[OP_illegal] = "data8 %x",
#define INSN(op, function, unit, format, encoding, x, text)	[OP_##op] = text,
#include "isa/insn.def"
#undef INSN
};

static const char *const ar_names[128] = {
	"k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7",
	[AR_RSC] = "rsc", [AR_BSP] = "bsp", [AR_BSPSTORE] = "bspstore", [AR_RNAT] = "rnat",
	[AR_FCR] = "fcr", [AR_EFLAG] = "eflag", [AR_CSD] = "csd", [AR_SSD] = "ssd",
	[AR_CFLG] = "cflg", [AR_FSR] = "fsr", [AR_FIR] = "fir", [AR_FDR] = "fdr",
	[AR_CCV] = "ccv", [AR_UNAT] = "unat", [AR_FPSR] = "fpsr", [AR_ITC] = "itc",
	[AR_RUC] = "ruc", [AR_PFS] = "pfs", [AR_LC] = "lc", [AR_EC] = "ec",
};

static const char *const cr_names[128] = {
	[CR_DCR] = "dcr", [CR_ITM] = "itm", [CR_IVA] = "iva", [CR_PTA] = "pta",
	[CR_IPSR] = "ipsr", [CR_ISR] = "isr", [CR_IIP] = "iip", [CR_IFA] = "ifa",
	[CR_ITIR] = "itir", [CR_IIPA] = "iipa", [CR_IFS] = "ifs", [CR_IIM] = "iim",
	[CR_IHA] = "iha", [CR_LID] = "lid", [CR_IVR] = "ivr", [CR_TPR] = "tpr",
	[CR_EOI] = "eoi", [CR_IRR0] = "irr0", [CR_IRR0 + 1] = "irr1",
	[CR_IRR0 + 2] = "irr2", [CR_IRR3] = "irr3", [CR_ITV] = "itv", [CR_PMV] = "pmv",
	[CR_CMCV] = "cmcv", [CR_LRR0] = "lrr0", [CR_LRR1] = "lrr1",
};

const char *ar_name(unsigned int n)
{
	return ar_names[n & 127];
}

const char *cr_name(unsigned int n)
{
	return cr_names[n & 127];
}

/* When a pseudo-operation stands for an instruction: all of these hold. */
enum {
	R2_0 = 1 << 0, R3_0 = 1 << 1, R4_1 = 1 << 2, R2_R3 = 1 << 3, IMM_0 = 1 << 4,
	NO_QP = 1 << 5, NO_HINT = 1 << 6, SPTK = 1 << 7, TO_TOP = 1 << 8,
};

/* The first that fits is taken. */
static const struct pseudo {
	u16 op, when;
	const char *text;
} pseudos[] = {
	{ OP_adds, IMM_0, "mov r%1=r%3" },
	{ OP_addl, R3_0, "mov r%1=%i" },
	{ OP_extr, TO_TOP, "shr r%1=r%3,%o" },
	{ OP_extr_u, TO_TOP, "shr.u r%1=r%3,%o" },
	{ OP_dep_z, TO_TOP, "shl r%1=r%2,%o" },
	{ OP_mov_to_br, NO_HINT, "mov b%1=r%2" },
	{ OP_br_cond, NO_QP | SPTK, "br%B %t" },
	{ OP_br_cond_ind, NO_QP | SPTK, "br%B b%2" },
	{ OP_brl_cond, NO_QP | SPTK, "brl%B %t" },
	{ OP_fma, R2_0 | R4_1, "fnorm.%s f%1=f%3" },
	{ OP_fma_s, R2_0 | R4_1, "fnorm.s.%s f%1=f%3" },
	{ OP_fma_d, R2_0 | R4_1, "fnorm.d.%s f%1=f%3" },
	{ OP_fma, R4_1, "fadd.%s f%1=f%3,f%2" },
	{ OP_fma_s, R4_1, "fadd.s.%s f%1=f%3,f%2" },
	{ OP_fma_d, R4_1, "fadd.d.%s f%1=f%3,f%2" },
	{ OP_fma, R2_0, "fmpy.%s f%1=f%3,f%4" },
	{ OP_fma_s, R2_0, "fmpy.s.%s f%1=f%3,f%4" },
	{ OP_fma_d, R2_0, "fmpy.d.%s f%1=f%3,f%4" },
	{ OP_fpma, R2_0, "fpmpy.%s f%1=f%3,f%4" },
	{ OP_fms, R4_1, "fsub.%s f%1=f%3,f%2" },
	{ OP_fms_s, R4_1, "fsub.s.%s f%1=f%3,f%2" },
	{ OP_fms_d, R4_1, "fsub.d.%s f%1=f%3,f%2" },
	{ OP_fnma, R2_0, "fnmpy.%s f%1=f%3,f%4" },
	{ OP_fnma_s, R2_0, "fnmpy.s.%s f%1=f%3,f%4" },
	{ OP_fnma_d, R2_0, "fnmpy.d.%s f%1=f%3,f%4" },
	{ OP_fpnma, R2_0, "fpnmpy.%s f%1=f%3,f%4" },
	{ OP_xma_l, R2_0, "xmpy.l f%1=f%3,f%4" },
	{ OP_xma_h, R2_0, "xmpy.h f%1=f%3,f%4" },
	{ OP_xma_hu, R2_0, "xmpy.hu f%1=f%3,f%4" },
	{ OP_fmerge_s, R2_R3, "mov f%1=f%2" },
	{ OP_fmerge_s, R2_0, "fabs f%1=f%3" },
	{ OP_fmerge_ns, R2_R3, "fneg f%1=f%3" },
	{ OP_fmerge_ns, R2_0, "fnegabs f%1=f%3" },
	{ OP_fpmerge_s, R2_0, "fpabs f%1=f%3" },
	{ OP_fpmerge_ns, R2_R3, "fpneg f%1=f%3" },
	{ OP_fpmerge_ns, R2_0, "fpnegabs f%1=f%3" },
};

struct out {
	char *at, *end;
};

static void __attribute__((format(printf, 2, 3))) put(struct out *o, const char *format, ...)
{
	size_t room = o->end - o->at;
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(o->at, room, format, ap);
	va_end(ap);
	o->at += (size_t)n < room ? (size_t)n : room - 1;
}

static bool holds(const struct insn *i, unsigned int when)
{
	return !((when & R2_0 && i->r2 != 0) || (when & R3_0 && i->r3 != 0) ||
		 (when & R4_1 && i->r4 != 1) || (when & R2_R3 && i->r2 != i->r3) ||
		 (when & IMM_0 && i->imm != 0) || (when & NO_QP && i->pred != 0) ||
		 (when & NO_HINT && (i->hint & 9) != 1) ||
		 (when & SPTK && (i->hint & 3) != 0) ||
		 (when & TO_TOP && i->pos + i->len != 64));
}

static const char *choose_text(const struct insn *i)
{
	size_t n;

	for (n = 0; n < sizeof(pseudos) / sizeof(*pseudos); n++)
		if (pseudos[n].op == i->op && holds(i, pseudos[n].when))
			return pseudos[n].text;
	return i->op < N_OPCODES ? texts[i->op] : texts[OP_illegal];
}

static void put_named(struct out *o, const char *const *names, const char *prefix, unsigned int n)
{
	if (names[n & 127])
		put(o, "%s.%s", prefix, names[n & 127]);
	else
		put(o, "%s%u", prefix, n);
}

static void put_branch_hint(struct out *o, const struct insn *i)
{
	put(o, "%s%s", i->hint & 4 ? ".many" : ".few", i->hint & 8 ? ".clr" : "");
}

static void put_mux(struct out *o, const struct insn *i)
{
	unsigned int n;
	u64 type = 0;

	if (i->op == OP_mux2) {
		for (n = 0; n < 4; n++)
			type |= FIELD(i->imm, 8 * n + 1, 2) << 2 * n;
		put(o, "0x%" PRIx64, type);
		return;
	}
	switch (i->imm) {
	case 0x00000000:
		put(o, "@brcst");
		break;
	case 0x73516240:
		put(o, "@mix");
		break;
	case 0x73625140:
		put(o, "@shuf");
		break;
	case 0x75316420:
		put(o, "@alt");
		break;
	case 0x01234567:
		put(o, "@rev");
		break;
	default:
		put(o, "?");
	}
}

static void put_operand(struct out *o, const struct insn *i, char what, u64 ip)
{
	/* Values that are no hint yet, like .nt2 of a load, are none. */
	static const char *const locality[] = { "", ".nt1", "", ".nta" };
	static const char *const whether[] = { ".sptk", ".spnt", ".dptk", ".dpnt" };
	static const char *const mov_whether[] = { ".sptk", "", ".dptk", "" };
	static const char *const brp_whether[] = { ".sptk", ".loop", ".dptk", ".exit" };
	u64 tag;

	switch (what) {
	case '1':
		put(o, "%u", i->r1);
		break;
	case '2':
		put(o, "%u", i->r2);
		break;
	case '3':
		put(o, "%u", i->r3);
		break;
	case '4':
		put(o, "%u", i->r4);
		break;
	case 'p':
		put(o, "%u", i->p1);
		break;
	case 'P':
		put(o, "%u", i->p2);
		break;
	case 'i':
		put(o, "%" PRId64, i->imm);
		break;
	case 'x':
		put(o, "0x%" PRIx64, (u64)i->imm);
		break;
	case 't':
		put(o, "0x%" PRIx64, ip + i->imm);
		break;
	case 'T':
		tag = i->r4 << 7 | i->r1;
		put(o, "0x%" PRIx64, ip + ((tag ^ 0x100) - 0x100) * 16);
		break;
	case 'a':
		put_named(o, ar_names, "ar", i->r3);
		break;
	case 'c':
		put_named(o, cr_names, "cr", i->r3);
		break;
	case 'o':
		put(o, "%u", i->pos);
		break;
	case 'l':
		put(o, "%u", i->len);
		break;
	case 'd':
		put(o, "%d", (s8)i->r2);
		break;
	case 'm':
		put_mux(o, i);
		break;
	case 'n':
		put(o, "%d", i->r2 - i->r3);
		break;
	case 's':
		put(o, "s%u", i->sf);
		break;
	case 'A':
		put(o, "0x%x", i->r2);
		break;
	case 'O':
		put(o, "0x%x", i->r3);
		break;
	case 'h':
		put(o, "%s", locality[i->hint & 3]);
		break;
	case 'g':
		put(o, "%s", i->hint == 3 ? ".nta" : "");
		break;
	case 'f':
		put(o, "%s", i->hint == 2 ? ".nt2" : locality[i->hint & 3]);
		break;
	case 'b':
		put(o, "%s", whether[i->hint & 3]);
		/* fall through */
	case 'B':
		put_branch_hint(o, i);
		break;
	case 'W':
		put(o, "%s%s", brp_whether[i->hint & 3], i->hint & 8 ? ".imp" : "");
		break;
	case 'V':
		put(o, "%s%s", brp_whether[i->hint & 2], i->hint & 8 ? ".imp" : "");
		break;
	case 'w':
		put(o, "%s%s", mov_whether[i->hint & 3], i->hint & 8 ? ".imp" : "");
		break;
	default:
		put(o, "%%%c", what);
	}
}

void disassemble(const struct insn *i, u64 ip, char *buf, size_t size)
{
	struct out o = { buf, buf + size };
	const char *t;

	if (size == 0)
		return;
	*buf = '\0';
	if (i->pred)
		put(&o, "(p%u) ", i->pred);
	for (t = choose_text(i); *t; t++) {
		if (*t != '%')
			put(&o, "%c", *t);
		else
			put_operand(&o, i, *++t, ip);
	}
	if (i->stop)
		put(&o, ";;");
}
