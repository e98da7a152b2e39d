// SPDX-License-Identifier: GPL-2.0
/*
 * The state of a processor, printed when its guest dies.
 */
#include "cpu/rse.h"
#include "debug/debug.h"
#include "mmu/tlb.h"

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
