// SPDX-License-Identifier: GPL-2.0
/*
 * Interruptions: entering the vector table and leaving it again, the PSR, and
 * the end of a guest that cannot go on.  SDM volume 2, sections 3.3.2, 3.3.5,
 * 5.5 and chapter 8.
 */
#include <stdarg.h>
#include <string.h>

#include "interrupt.h"
#include "machine.h"
#include "memory.h"
#include "rse.h"
#include "trace.h"

/* What an interruption leaves alone; be and pp come from the DCR, all else
 * becomes 0 (SDM table 3-2).
 */
#define PSR_KEPT	(BIT(PSR_UP) | BIT(PSR_MFL) | BIT(PSR_MFH) | BIT(PSR_PK) |	\
			 BIT(PSR_DT) | BIT(PSR_RT) | BIT(PSR_MC) | BIT(PSR_IT))

#define BITS(lo, hi)	(MASK((hi) + 1) & ~MASK(lo))

/* What rfi takes from IPSR; the rest is reserved (ri is cpu->slot). */
#define PSR_IMPLEMENTED	(BITS(PSR_BE, PSR_MFH) | BITS(PSR_IC, PSR_PK) |	\
			 BITS(PSR_DT, PSR_RT) | 3ULL << PSR_CPL |		\
			 BITS(PSR_MC, PSR_SS) | BITS(PSR_ED, PSR_IA))

/* Short cuts to memory depend on these, or exist once for each value of them. */
#define PSR_MEMORY	(BIT(PSR_BE) | BIT(PSR_PK) | BIT(PSR_DB) | BIT(PSR_ID) |	\
			 BIT(PSR_DA) | BIT(PSR_DD) | BIT(PSR_IA))
#define PSR_CONTEXT	(BIT(PSR_DT) | 3ULL << PSR_CPL | BIT(PSR_IT))

enum { BANKED = 16 };

static void switch_banks(struct cpu *cpu)
{
	for (int i = 0; i < 16; i++) {
		u64 value = cpu->gr[BANKED + i];
		u8 nat = cpu->nat[BANKED + i];

		cpu->gr[BANKED + i] = cpu->bank[i];
		cpu->nat[BANKED + i] = cpu->bank_nat[i];
		cpu->bank[i] = value;
		cpu->bank_nat[i] = nat;
	}
}

static void replace_psr(struct cpu *cpu, u64 value)
{
	u64 changed = cpu->psr ^ value;

	cpu->psr = value;
	if (changed & BIT(PSR_BN))
		switch_banks(cpu);
	if (changed & PSR_CONTEXT)
		soft_tlb_select(cpu);
	if (changed & PSR_MEMORY)
		soft_tlb_flush(cpu);
	if (changed & value & BIT(PSR_I))
		sapic_update(cpu);
	if (changed)
		attend(cpu);
}

void set_psr(struct cpu *cpu, u64 value)
{
	value &= ~(3ULL << PSR_RI);
	if ((cpu->psr ^ value) & BIT(PSR_IC))
		cpu->ic_in_flight = true;
	replace_psr(cpu, value);
}

/* Everything of an interruption but where ISR.ei comes from. */
static void enter(struct cpu *cpu, enum vector vector, u64 isr)
{
	struct interruption_record *r = &cpu->recent[cpu->n_recent++ % RECENT_INTERRUPTIONS];
	u64 new = cpu->psr & PSR_KEPT;

	if (!psr(cpu, PSR_IC) || cpu->ic_in_flight)
		isr |= BIT(ISR_NI);
	if (cpu->rse_cfle)
		isr |= BIT(ISR_IR);
	if (collecting(cpu)) {
		cpu->cr[CR_IPSR] = cpu->psr | (u64)cpu->slot << PSR_RI;
		cpu->cr[CR_IIP] = cpu->ip;
		cpu->cr[CR_IIPA] = cpu->iipa;
		cpu->cr[CR_IFS] &= ~BIT(63);
	}
	/* The nested fault leaves everything to the handler that it hit. */
	if (vector != VEC_DATA_NESTED_TLB)
		cpu->cr[CR_ISR] = isr;

	r->cycles = cpu->cycles;
	r->ip = cpu->ip;
	r->slot = cpu->slot;
	r->psr = cpu->psr;
	r->vector = vector;
	r->isr = isr;
	r->ifa = cpu->cr[CR_IFA];
	cpu->stats.interruptions[vector >> 8]++;
	if (tracing(cpu->machine, TRACE_INT))
		trace_interruption(cpu, vector, isr);

	if (cpu->cr[CR_DCR] & BIT(DCR_BE))
		new |= BIT(PSR_BE);
	if (cpu->cr[CR_DCR] & BIT(DCR_PP))
		new |= BIT(PSR_PP);
	replace_psr(cpu, new);
	cpu->ic_in_flight = false;
	cpu->rse_cfle = false;
	cpu->ip = (cpu->cr[CR_IVA] & ~MASK(15)) + vector;
	cpu->slot = 0;
}

void deliver(struct cpu *cpu, enum vector vector, u64 isr)
{
	enter(cpu, vector, isr | (u64)cpu->slot << ISR_EI);
}

void trap(struct cpu *cpu, enum vector vector, u64 isr)
{
	enter(cpu, vector, isr);
}

void raise_vector(struct cpu *cpu, enum vector vector, u64 isr)
{
	deliver(cpu, vector, isr);
	/* The try takes a cycle without being an instruction, or a handler that
	 * faults at once would stop time.
	 */
	cpu->cycles++;
	cpu->counted++;
	longjmp(cpu->interruption, 1);
}

void raise_fault(struct cpu *cpu, const struct fault *f)
{
	if (collecting(cpu)) {
		if (f->sets_ifa)
			cpu->cr[CR_IFA] = f->ifa;
		if (f->sets_itir)
			cpu->cr[CR_ITIR] = f->itir;
		if (f->sets_iha)
			cpu->cr[CR_IHA] = f->iha;
	}
	raise_vector(cpu, f->vector, f->isr);
}

void raise_general(struct cpu *cpu, unsigned int code)
{
	raise_vector(cpu, VEC_GENERAL_EXCEPTION, code);
}

void raise_illegal(struct cpu *cpu)
{
	raise_general(cpu, GE_ILLEGAL_OPERATION);
}

void raise_immediate(struct cpu *cpu, enum vector vector, u64 immediate)
{
	if (collecting(cpu))
		cpu->cr[CR_IIM] = immediate;
	raise_vector(cpu, vector, 0);
}

void raise_nat_consumption(struct cpu *cpu, u64 isr)
{
	raise_vector(cpu, VEC_NAT_CONSUMPTION, isr | 0x10);
}

void return_from_interruption(struct cpu *cpu)
{
	u64 ipsr = cpu->cr[CR_IPSR];
	unsigned int ri = FIELD(ipsr, PSR_RI, 2);

	if (cpl(cpu))
		raise_general(cpu, GE_PRIVILEGED_OPERATION);
	/* There is no IA-32 instruction set to return to. */
	if (ipsr & BIT(PSR_IS))
		raise_general(cpu, GE_DISABLED_ISA);

	if (tracing(cpu->machine, TRACE_INT))
		trace_rfi(cpu);
	/* Instructions count for IIPA that ran with PSR.ic 1 (2:40): usually what was
	 * before the interruption, not the handler.
	 */
	cpu->iipa = psr(cpu, PSR_IC) ? cpu->ip : cpu->cr[CR_IIPA];
	/* From here on the rfi is done: what the RSE's loads for the restored
	 * frame raise belongs to the instruction that is returned to.
	 */
	cpu->ip = cpu->cr[CR_IIP] & ~15ULL;
	cpu->slot = ri == 3 ? 0 : ri;		/* 3 is undefined */
	cpu->branched = BRANCHED;
	replace_psr(cpu, ipsr & PSR_IMPLEMENTED);
	cpu->ic_in_flight = false;
	if (cpu->cr[CR_IFS] & BIT(63)) {
		rse_rfi(cpu, cpu->cr[CR_IFS]);
	} else if (cpu->rse_dirty < 0) {
		/* The handler did not cover(): the loads it interrupted go on. */
		cpu->rse_cfle = true;
		attend(cpu);
	}
	leave_instruction(cpu);
}

static const struct {
	u16 vector;
	const char *name;
} vector_names[] = {
	{ VEC_VHPT_TRANSLATION, "VHPT Translation" },
	{ VEC_INST_TLB, "Instruction TLB" },
	{ VEC_DATA_TLB, "Data TLB" },
	{ VEC_ALT_INST_TLB, "Alternate Instruction TLB" },
	{ VEC_ALT_DATA_TLB, "Alternate Data TLB" },
	{ VEC_DATA_NESTED_TLB, "Data Nested TLB" },
	{ VEC_INST_KEY_MISS, "Instruction Key Miss" },
	{ VEC_DATA_KEY_MISS, "Data Key Miss" },
	{ VEC_DIRTY_BIT, "Dirty-Bit" },
	{ VEC_INST_ACCESS_BIT, "Instruction Access-Bit" },
	{ VEC_DATA_ACCESS_BIT, "Data Access-Bit" },
	{ VEC_BREAK, "Break Instruction" },
	{ VEC_EXTERNAL_INTERRUPT, "External Interrupt" },
	{ VEC_PAGE_NOT_PRESENT, "Page Not Present" },
	{ VEC_KEY_PERMISSION, "Key Permission" },
	{ VEC_INST_ACCESS_RIGHTS, "Instruction Access Rights" },
	{ VEC_DATA_ACCESS_RIGHTS, "Data Access Rights" },
	{ VEC_GENERAL_EXCEPTION, "General Exception" },
	{ VEC_DISABLED_FP, "Disabled FP-Register" },
	{ VEC_NAT_CONSUMPTION, "NaT Consumption" },
	{ VEC_SPECULATION, "Speculation" },
	{ VEC_DEBUG, "Debug" },
	{ VEC_UNALIGNED, "Unaligned Reference" },
	{ VEC_UNSUPPORTED_DATA_REFERENCE, "Unsupported Data Reference" },
	{ VEC_FP_FAULT, "Floating-point Fault" },
	{ VEC_FP_TRAP, "Floating-point Trap" },
	{ VEC_LOWER_PRIVILEGE_TRANSFER, "Lower-Privilege Transfer Trap" },
	{ VEC_TAKEN_BRANCH, "Taken Branch Trap" },
	{ VEC_SINGLE_STEP, "Single Step Trap" },
};

const char *vector_name(unsigned int vector)
{
	for (size_t i = 0; i < sizeof(vector_names) / sizeof(vector_names[0]); i++) {
		if (vector_names[i].vector == vector)
			return vector_names[i].name;
	}
	return NULL;
}

static void print_recent(const struct cpu *cpu, FILE *f)
{
	u64 n = cpu->n_recent < RECENT_INTERRUPTIONS ? cpu->n_recent : RECENT_INTERRUPTIONS;

	fprintf(f, "last interruptions, newest first:\n");
	for (u64 i = 1; i <= n; i++) {
		const struct interruption_record *r =
			&cpu->recent[(cpu->n_recent - i) % RECENT_INTERRUPTIONS];
		const char *name = vector_name(r->vector);

		fprintf(f, "  cycle %llu vector %04x %s\n", (unsigned long long)r->cycles,
			r->vector, name ? name : "");
		fprintf(f, "    ip %016llx.%u psr %016llx isr %016llx ifa %016llx\n",
			(unsigned long long)r->ip, r->slot, (unsigned long long)r->psr,
			(unsigned long long)r->isr, (unsigned long long)r->ifa);
	}
}

static void print_row(FILE *f, const char *name, unsigned int n, u64 value, bool nat,
		      unsigned int column)
{
	char label[8];

	snprintf(label, sizeof(label), "%s%u", name, n);
	fprintf(f, "%5s %016llx%c%s", label, (unsigned long long)value, nat ? '*' : ' ',
		column % 4 == 3 ? "\n" : "");
}

void cpu_print(struct cpu *cpu, FILE *f)
{
	static const struct {
		const char *name;
		u8 n;
	} crs[] = {
		{ "dcr", CR_DCR }, { "itm", CR_ITM }, { "iva", CR_IVA }, { "pta", CR_PTA },
		{ "ipsr", CR_IPSR }, { "isr", CR_ISR }, { "iip", CR_IIP }, { "ifa", CR_IFA },
		{ "itir", CR_ITIR }, { "iipa", CR_IIPA }, { "ifs", CR_IFS }, { "iim", CR_IIM },
		{ "iha", CR_IHA }, { "lid", CR_LID }, { "tpr", CR_TPR }, { "itv", CR_ITV },
	}, ars[] = {
		{ "rsc", AR_RSC }, { "unat", AR_UNAT }, { "fpsr", AR_FPSR }, { "pfs", AR_PFS },
		{ "lc", AR_LC }, { "ec", AR_EC }, { "ccv", AR_CCV }, { "k6", 6 },
	};
	unsigned int registers = 32 + cpu->cfm.sof;

	fprintf(f, "cpu %u ip %016llx.%u psr %016llx cycle %llu\n", cpu->id,
		(unsigned long long)cpu->ip, cpu->slot, (unsigned long long)cpu->psr,
		(unsigned long long)cpu->cycles);
	fprintf(f, "cfm sof %u sol %u sor %u rrb.gr %u rrb.fr %u rrb.pr %u\n", cpu->cfm.sof,
		cpu->cfm.sol, cpu->cfm.sor, cpu->cfm.rrb_gr, cpu->cfm.rrb_fr, cpu->cfm.rrb_pr);
	fprintf(f, "   pr %016llx bsp %016llx bspstore %016llx rnat %016llx\n",
		(unsigned long long)cpu->pr, (unsigned long long)rse_bsp(cpu),
		(unsigned long long)rse_bspstore(cpu), (unsigned long long)rse_rnat(cpu));
	for (unsigned int r = 0; r < registers; r++)
		print_row(f, "r", r, gr(cpu, r), gr_nat(cpu, r), r);
	fprintf(f, "%s", registers % 4 ? "\n" : "");
	for (unsigned int b = 0; b < 8; b++)
		print_row(f, "b", b, cpu->br[b], false, b);
	for (unsigned int r = 0; r < 8; r++)
		print_row(f, "rr", r, cpu->rr[r], false, r);
	for (size_t i = 0; i < sizeof(ars) / sizeof(ars[0]); i++)
		fprintf(f, "%5s %016llx%s", ars[i].name, (unsigned long long)cpu->ar[ars[i].n],
			i % 4 == 3 ? "\n" : " ");
	for (size_t i = 0; i < sizeof(crs) / sizeof(crs[0]); i++)
		fprintf(f, "%5s %016llx%s", crs[i].name, (unsigned long long)cpu->cr[crs[i].n],
			i % 4 == 3 ? "\n" : " ");
	print_recent(cpu, f);
	tlb_print(cpu, f);
}

void machine_check(struct cpu *cpu, const char *why, ...)
{
	va_list args;

	fflush(stdout);
	fprintf(stderr, "ia64sim: cpu %u at %#llx: machine check: ", cpu->id,
		(unsigned long long)cpu->ip);
	va_start(args, why);
	vfprintf(stderr, why, args);
	va_end(args);
	fprintf(stderr, "\n");
	cpu_print(cpu, stderr);
	machine_stop(cpu->machine, 3);
	attend(cpu);
	longjmp(cpu->interruption, 1);
}
