// SPDX-License-Identifier: GPL-2.0
/*
 * Rules for taking an interruption and returning from it: SDM volume 2,
 * sections 3.3.2, 3.3.5, 5.5 and chapter 8; rfi on 3:224.
 */
#include "mmu.h"

#define IP	(REGION(1) | 0x12340)

/* Where raise_vector() and rfi come back to. */
static bool comes_back(void (*call)(const void *), const void *arg)
{
	if (setjmp(cpu->interruption))
		return true;
	call(arg);
	return false;
}

static void start(void)
{
	reset();
	cpu->ip = IP;
	cpu->slot = 1;
	cpu->iipa = IP - 0x10;
	cpu->cr[CR_IVA] = REGION(7) | 0x18000;
	cpu->cycles = 1234;
}

/* Rules: interruption */
/* Every PSR bit: what it is before does not matter, or stays, or is DCR's. */
static void psr_after(void)
{
	static const u8 kept[] = {
		PSR_UP, PSR_MFL, PSR_MFH, PSR_PK, PSR_DT, PSR_RT, PSR_MC, PSR_IT,
	};
	static const struct {
		u8 bit;
		const char *name;
	} bits[] = {
		{ PSR_BE, "be" }, { PSR_UP, "up" }, { PSR_AC, "ac" }, { PSR_MFL, "mfl" },
		{ PSR_MFH, "mfh" }, { PSR_IC, "ic" }, { PSR_I, "i" }, { PSR_PK, "pk" },
		{ PSR_DT, "dt" }, { PSR_DFL, "dfl" }, { PSR_DFH, "dfh" }, { PSR_SP, "sp" },
		{ PSR_PP, "pp" }, { PSR_DI, "di" }, { PSR_SI, "si" }, { PSR_DB, "db" },
		{ PSR_LP, "lp" }, { PSR_TB, "tb" }, { PSR_RT, "rt" }, { PSR_CPL, "cpl.0" },
		{ PSR_CPL + 1, "cpl.1" }, { PSR_IS, "is" }, { PSR_MC, "mc" }, { PSR_IT, "it" },
		{ PSR_ID, "id" }, { PSR_DA, "da" }, { PSR_DD, "dd" }, { PSR_SS, "ss" },
		{ PSR_ED, "ed" }, { PSR_BN, "bn" }, { PSR_IA, "ia" },
	};

	for (unsigned int i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
		bool stays = memchr(kept, bits[i].bit, sizeof(kept));
		bool good = true;
		char text[60];

		for (int ic = 0; ic < 2; ic++) {
			for (int set = 0; set < 2; set++) {
				start();
				cpu->psr = (ic ? BIT(PSR_IC) : 0) | (set ? BIT(bits[i].bit) : 0);
				deliver(cpu, VEC_BREAK, 0);
				good &= cpu->psr == (stays && set ? BIT(bits[i].bit) : 0);
			}
		}
		snprintf(text, sizeof(text), "PSR.%s after an interruption: %s", bits[i].name,
			 stays ? "unchanged" : "0");
		rule("2:24 table 3-2", text, good);
	}
	start();
	cpu->cr[CR_DCR] = BIT(DCR_BE);
	deliver(cpu, VEC_BREAK, 0);
	rule("2:24 table 3-2", "PSR.be becomes DCR.be",
	     cpu->psr == (BIT(PSR_BE) | (PSR_TEST & ~BIT(PSR_IC))));
	start();
	cpu->cr[CR_DCR] = BIT(DCR_PP);
	deliver(cpu, VEC_BREAK, 0);
	rule("2:24 table 3-2", "PSR.pp becomes DCR.pp",
	     cpu->psr == (BIT(PSR_PP) | (PSR_TEST & ~BIT(PSR_IC))));
}

static void collection(void)
{
	u64 before;

	start();
	cpu->psr |= BIT(PSR_I) | 3ULL << PSR_CPL;
	before = cpu->psr;
	cpu->cr[CR_IFS] = BIT(63) | 0x123;
	deliver(cpu, VEC_BREAK, 0x5);
	rule("2:101", "IP is IVA plus the vector, slot 0",
	     cpu->ip == (REGION(7) | 0x18000 | 0x2c00) && !cpu->slot);
	rule("2:101", "PSR.ic was 1: IPSR is the PSR with ri",
	     cpu->cr[CR_IPSR] == (before | 1ULL << PSR_RI));
	rule("2:101", "PSR.ic was 1: IIP is the bundle", cpu->cr[CR_IIP] == IP);
	rule("2:101", "PSR.ic was 1: IIPA is the last bundle that completed",
	     cpu->cr[CR_IIPA] == IP - 0x10);
	rule("2:101", "PSR.ic was 1: IFS.v is cleared", !(cpu->cr[CR_IFS] >> 63));
	rule("2:37", "ISR: code, ei is the slot, ni 0", cpu->cr[CR_ISR] == (5 | 1ULL << ISR_EI));
	rule("model", "counted by vector", cpu->stats.interruptions[0x2c] == 1);

	cpu->ip = REGION(7) | 0x1ac20;
	cpu->slot = 2;
	deliver(cpu, VEC_GENERAL_EXCEPTION, 0x10);
	rule("2:101", "PSR.ic was 0: IPSR, IIP, IIPA, IFS stay",
	     cpu->cr[CR_IPSR] == (before | 1ULL << PSR_RI) &&
	     cpu->cr[CR_IIP] == IP && cpu->cr[CR_IIPA] == IP - 0x10);
	rule("2:37", "PSR.ic was 0: ISR is written, ni 1",
	     cpu->cr[CR_ISR] == (0x10 | BIT(ISR_NI) | 2ULL << ISR_EI));
	cpu->cr[CR_ISR] = 0x777;
	deliver(cpu, VEC_DATA_NESTED_TLB, 0);
	rule("chapter 8", "Data Nested TLB leaves ISR and everything else",
	     cpu->cr[CR_ISR] == 0x777 && cpu->cr[CR_IIP] == IP &&
	     cpu->ip == (REGION(7) | 0x18000 | 0x1400));
	start();
	cpu->cr[CR_IVA] |= 0x7fff;
	deliver(cpu, VEC_SINGLE_STEP, 0);
	rule("2:30", "IVA is 32 KiB aligned", cpu->ip == (REGION(7) | 0x18000 | 0x6000));

	start();
	cpu->cr[CR_IFS] = BIT(63) | 0x123;
	cpu->psr &= ~BIT(PSR_IC);
	deliver(cpu, VEC_BREAK, 0);
	rule("2:101", "PSR.ic was 0: IFS.v stays", cpu->cr[CR_IFS] == (BIT(63) | 0x123));

	start();
	cpu->rse_cfle = true;
	deliver(cpu, VEC_PAGE_NOT_PRESENT, BIT(ISR_RS) | BIT(ISR_R));
	rule("2:37", "an incomplete frame: ISR.ir, and its loading stops",
	     cpu->cr[CR_ISR] == (BIT(ISR_RS) | BIT(ISR_R) | BIT(ISR_IR) | 1ULL << ISR_EI) &&
	     !cpu->rse_cfle);

	start();
	set_psr(cpu, cpu->psr & ~BIT(PSR_IC));
	deliver(cpu, VEC_DATA_TLB, 0);
	rule("2:70", "PSR.ic in flight (rsm): collected, with ni",
	     cpu->cr[CR_IIP] == IP && cpu->cr[CR_ISR] >> ISR_NI & 1 && !cpu->ic_in_flight);
	start();
	set_psr(cpu, cpu->psr & ~BIT(PSR_IC));
	psr_serialized(cpu);
	deliver(cpu, VEC_DATA_ACCESS_BIT, 0);
	rule("2:70", "after srlz it is no longer in flight", !cpu->cr[CR_IIP]);
	start();
	cpu->psr &= ~BIT(PSR_IC);
	set_psr(cpu, cpu->psr | BIT(PSR_IC));
	deliver(cpu, VEC_DATA_TLB, 0);
	rule("2:70", "PSR.ic in flight (ssm): collected, with ni",
	     cpu->cr[CR_IIP] == IP && cpu->cr[CR_ISR] >> ISR_NI & 1);

	start();
	trap(cpu, VEC_TAKEN_BRANCH, TRAP_TAKEN_BRANCH | 2ULL << ISR_EI);
	rule("2:166",
	     "a trap: IIP and ri are the next instruction's, ISR.ei the one that trapped",
	     cpu->cr[CR_IIP] == IP && FIELD(cpu->cr[CR_IPSR], PSR_RI, 2) == 1 &&
	     cpu->cr[CR_ISR] == (4 | 2ULL << ISR_EI) &&
	     cpu->ip == (REGION(7) | 0x18000 | 0x5f00));
}

static void banks(void)
{
	bool good = true;

	start();
	cpu->psr |= BIT(PSR_BN);
	for (unsigned int r = 0; r < 32; r++) {
		cpu->gr[r] = 100 + r;
		cpu->nat[r] = r & 1;
	}
	for (unsigned int r = 0; r < 16; r++) {
		cpu->bank[r] = 200 + r;
		cpu->bank_nat[r] = !(r & 1);
	}
	deliver(cpu, VEC_BREAK, 0);
	for (unsigned int r = 16; r < 32; r++)
		good &= cpu->gr[r] == 184 + r && cpu->nat[r] == !(r & 1);
	for (unsigned int r = 0; r < 16; r++)
		good &= cpu->gr[r] == 100 + r;
	rule("2:19", "interruptions switch r16 to r31 to bank 0, with NaT bits; r0 to r15 stay",
	     good);
	deliver(cpu, VEC_BREAK, 0);
	rule("2:19", "in bank 0 already: no switch", cpu->gr[16] == 200);
	set_psr(cpu, cpu->psr | BIT(PSR_BN));
	good = true;
	for (unsigned int r = 16; r < 32; r++)
		good &= cpu->gr[r] == 100 + r && cpu->nat[r] == (r & 1);
	rule("2:19", "bank 1 has its registers back", good);
}

struct raised {
	enum { RAISE, FAULT, GENERAL, ILLEGAL, IMMEDIATE, NAT } how;
	struct fault f;
	u64 value;
};

static void do_raise(const void *arg)
{
	const struct raised *r = arg;

	switch (r->how) {
	case RAISE:
		raise_vector(cpu, VEC_DISABLED_FP, r->value);
	case FAULT:
		raise_fault(cpu, &r->f);
	case GENERAL:
		raise_general(cpu, r->value);
	case ILLEGAL:
		raise_illegal(cpu);
	case IMMEDIATE:
		raise_immediate(cpu, VEC_BREAK, r->value);
	case NAT:
		raise_nat_consumption(cpu, r->value);
	}
}

static bool raises(struct raised r)
{
	return comes_back(do_raise, &r);
}

static void raising(void)
{
	struct fault f = {
		.vector = VEC_DATA_TLB, .isr = BIT(ISR_W), .ifa = 0x111, .itir = 0x222,
						   .iha = 0x333,
		.sets_ifa = true, .sets_itir = true, .sets_iha = true,
	};

	start();
	rule("2:101", "raise_vector() leaves the instruction for the vector",
	     raises((struct raised){ .how = RAISE, .value = 2 }) &&
	     cpu->ip == (REGION(7) | 0x18000 | 0x5500) &&
	     cpu->cr[CR_ISR] == (2 | 1ULL << ISR_EI));
	start();
	rule("chapter 8", "Data TLB: IFA, ITIR, IHA, ISR",
	     raises((struct raised){ .how = FAULT, .f = f }) && cpu->cr[CR_IFA] == 0x111 &&
	     cpu->cr[CR_ITIR] == 0x222 && cpu->cr[CR_IHA] == 0x333 &&
	     cpu->cr[CR_ISR] == (BIT(ISR_W) | 1ULL << ISR_EI));
	start();
	f.sets_iha = f.sets_itir = false;
	rule("chapter 8", "registers that a fault does not define stay",
	     raises((struct raised){ .how = FAULT, .f = f }) && cpu->cr[CR_IFA] == 0x111 &&
	     !cpu->cr[CR_ITIR] &&
	     !cpu->cr[CR_IHA]);
	start();
	cpu->psr &= ~BIT(PSR_IC);
	rule("2:101", "PSR.ic 0: IFA, ITIR, IHA stay",
	     raises((struct raised){ .how = FAULT, .f = f }) && !cpu->cr[CR_IFA] &&
	     cpu->cr[CR_ISR] == (BIT(ISR_W) | BIT(ISR_NI) | 1ULL << ISR_EI));
	start();
	rule("2:181", "general exception codes", raises((struct raised){ .how = GENERAL,
	     .value = 0x30 }) &&
	     cpu->cr[CR_ISR] == (0x30 | 1ULL << ISR_EI) &&
	     cpu->ip == (REGION(7) | 0x18000 | 0x5400));
	start();
	rule("2:181", "illegal operation is code 0", raises((struct raised){ .how = ILLEGAL }) &&
	     cpu->cr[CR_ISR] == 1ULL << ISR_EI && cpu->ip == (REGION(7) | 0x18000 | 0x5400));
	start();
	rule("chapter 8", "break: IIM is the immediate", raises((struct raised){ .how = IMMEDIATE,
	     .value = 0x12345 }) &&
	     cpu->cr[CR_IIM] == 0x12345 && cpu->ip == (REGION(7) | 0x18000 | 0x2c00));
	start();
	cpu->psr &= ~BIT(PSR_IC);
	rule("2:101", "PSR.ic 0: IIM stays", raises((struct raised){ .how = IMMEDIATE,
	     .value = 0x12345 }) &&
	     !cpu->cr[CR_IIM]);
	start();
	rule("chapter 8",
	     "register NaT consumption: code 0x10, access bits and the non-access code",
	     raises((struct raised){ .how = NAT, .value = BIT(ISR_R) | BIT(ISR_NA) | 4 }) &&
	     cpu->cr[CR_ISR] == (0x14 | BIT(ISR_R) | BIT(ISR_NA) | 1ULL << ISR_EI) &&
	     cpu->ip == (REGION(7) | 0x18000 | 0x5600));
}

static void do_rfi(const void *arg)
{
	(void)arg;
	return_from_interruption(cpu);
}

static void returning(void)
{
	u64 after = PSR_TEST | BIT(PSR_I) | BIT(PSR_BN) | 3ULL << PSR_CPL | BIT(PSR_DA) |
		    BIT(PSR_ID);
	bool good = true;

	start();
	cpu->psr = BIT(PSR_IT) | BIT(PSR_DT) | BIT(PSR_RT);
	cpu->gr[20] = 1;
	cpu->bank[4] = 2;
	cpu->cr[CR_IPSR] = after | 2ULL << PSR_RI;
	cpu->cr[CR_IIP] = REGION(2) | 0x5678;
	cpu->cr[CR_IFS] = BIT(63) | 0xabc;
	cpu->ic_in_flight = true;
	cpu->cr[CR_IIPA] = 0x7770;
	rule("3:224", "rfi: PSR from IPSR", comes_back(do_rfi, NULL) && cpu->psr == after);
	rule("3:224", "rfi: IP from IIP, aligned, slot from ri",
	     cpu->ip == (REGION(2) | 0x5670) && cpu->slot == 2);
	rule("3:224", "rfi: the frame from IFS when valid", seen.rfi_frame && FIELD(seen.rfi_ifm,
	     0, 38) == 0xabc);
	rule("model", "rfi tells the run loop that it went elsewhere", cpu->branched == BRANCHED);
	rule("3:224", "rfi: register bank by IPSR.bn", cpu->gr[20] == 2 && cpu->bank[4] == 1);
	rule("3:224", "rfi serializes PSR.ic", !cpu->ic_in_flight);
	rule("2:40", "rfi with PSR.ic 0 is nothing to IIPA", cpu->iipa == 0x7770);
	rule("model", "rfi looks for interrupts when it enables them", seen.sapic_updates == 1);

	start();
	cpu->cr[CR_IPSR] = PSR_TEST;
	rule("2:40", "rfi with PSR.ic 1 is the last bundle that completed",
	     comes_back(do_rfi, NULL) && cpu->iipa == IP);
	start();
	cpu->psr = 0;
	cpu->cr[CR_IPSR] = PSR_TEST;
	cpu->cr[CR_IFS] = 0xabc;
	rule("3:224", "rfi: IFS not valid, the frame stays", comes_back(do_rfi, NULL) &&
	     !seen.rfi_frame && !cpu->rse_cfle);
	start();
	cpu->psr = 0;
	cpu->cr[CR_IPSR] = PSR_TEST;
	cpu->rse_dirty = -3;
	rule("3:224", "rfi: IFS not valid, but the frame incomplete: its loading goes on",
	     comes_back(do_rfi, NULL) && !seen.rfi_frame && cpu->rse_cfle);
	start();
	cpu->psr |= 1ULL << PSR_CPL;
	cpu->cr[CR_IPSR] = 0;
	rule("3:224", "rfi below level 0: Privileged Operation",
	     comes_back(do_rfi, NULL) && cpu->ip == (REGION(7) | 0x18000 | 0x5400) &&
	     cpu->cr[CR_ISR] == (0x10 | 1ULL << ISR_EI) && cpu->cr[CR_IIP] == IP);
	start();
	cpu->psr = 0;
	cpu->cr[CR_IPSR] = BIT(PSR_IS);
	rule("3:224", "rfi to IA-32 code: Disabled Instruction Set Transition",
	     comes_back(do_rfi, NULL) && cpu->ip == (REGION(7) | 0x18000 | 0x5400) &&
	     FIELD(cpu->cr[CR_ISR], 0, 16) == 0x40);
	for (unsigned int bit = 0; bit < 64; bit++) {
		bool reserved = bit == 0 || (bit >= 6 && bit < 13) || bit == 16 ||
				(bit >= 28 && bit < 32) || bit >= 46 || bit == 41 || bit == 42;

		if (bit == PSR_IS)
			continue;
		start();
		cpu->psr = 0;
		cpu->cr[CR_IPSR] = BIT(bit);
		good &= comes_back(do_rfi, NULL) && cpu->psr == (reserved ? 0 : BIT(bit));
	}
	rule("2:23", "rfi: reserved bits of IPSR do not reach the PSR", good);

	/* there and back */
	start();
	cpu->psr = after;
	deliver(cpu, VEC_EXTERNAL_INTERRUPT, 0);
	rule("2:101", "an interruption and its rfi change nothing",
	     comes_back(do_rfi, NULL) && cpu->psr == after && cpu->ip == IP && cpu->slot == 1);
}

static void changes(void)
{
	static const u8 memory[] = {
		PSR_BE, PSR_PK, PSR_DB, PSR_ID, PSR_DA, PSR_DD, PSR_IA,
	}, level[] = { PSR_CPL, PSR_CPL + 1 };
	const struct soft_context *data, *code;
	bool good = true;

	for (unsigned int i = 0; i < sizeof(memory); i++) {
		start();
		set_psr(cpu, cpu->psr ^ BIT(memory[i]));
		good &= seen.soft_flushes[0] == 1;
	}
	rule("model", "PSR bits that translations depend on drop the short cuts", good);
	good = true;
	for (unsigned int i = 0; i < sizeof(level); i++) {
		start();
		data = cpu->data_context;
		code = cpu->code_context;
		set_psr(cpu, cpu->psr ^ BIT(level[i]));
		good &= cpu->data_context != data && cpu->code_context != code;
		set_psr(cpu, cpu->psr ^ BIT(level[i]));
		good &= cpu->data_context == data && cpu->code_context == code;
	}
	rule("model", "each privilege level has its own short cuts", good && !seen.soft_flushes[0]);
	start();
	data = cpu->data_context;
	code = cpu->code_context;
	set_psr(cpu, cpu->psr ^ BIT(PSR_DT));
	good = cpu->data_context != data && cpu->code_context == code;
	set_psr(cpu, cpu->psr ^ BIT(PSR_DT) ^ BIT(PSR_IT));
	good &= cpu->data_context == data && cpu->code_context != code;
	rule("model", "so has physical addressing", good && !seen.soft_flushes[0]);
	start();
	set_psr(cpu, cpu->psr | BIT(PSR_UP) | BIT(PSR_MFH) | BIT(PSR_BN));
	rule("model", "others do not", !seen.soft_flushes[0]);
	start();
	set_psr(cpu, cpu->psr | BIT(PSR_I));
	rule("model", "PSR.i set: pending interrupts are looked for", seen.sapic_updates == 1);
	cpu->limit = 77;
	set_psr(cpu, cpu->psr);
	rule("model", "no change, no work", seen.sapic_updates == 1 && cpu->limit == 77 &&
	     !seen.soft_flushes[0]);
	set_psr(cpu, cpu->psr & ~BIT(PSR_I));
	rule("model", "the run loop hears of changes", !cpu->limit);
}

static void do_machine_check(const void *arg)
{
	machine_check(cpu, "%s", (const char *)arg);
}

static void dying(void)
{
	char *text = NULL;
	size_t size = 0;
	FILE *saved = stderr;
	bool back;

	start();
	for (unsigned int i = 0; i < 20; i++)
		deliver(cpu, i & 1 ? VEC_BREAK : VEC_DATA_TLB, i);
	tlb_insert_tc(cpu, true, PTE_FINE, ITIR(14), 0x8000);
	tlb_insert_tr(cpu, false, 3, PTE_FINE, ITIR(26), REGION(5));
	cpu->gr[12] = 0xfeedface;
	stderr = open_memstream(&text, &size);
	back = comes_back(do_machine_check, "because");
	fclose(stderr);
	stderr = saved;
	rule("model", "a machine check ends the machine with status 3",
	     back && machine.powered_off && machine.exit_status == 3 && !cpu->limit);
	rule("model", "it says why", strstr(text, "machine check: because\n"));
	rule("model", "it prints registers", strstr(text, "r12 00000000feedface"));
	rule("model", "it prints the last interruptions",
	     strstr(text, "Break Instruction") && strstr(text, "vector 0800 Data TLB"));
	rule("model", "it prints the TLBs", strstr(text, "dtc") && strstr(text, "itr3"));
	free(text);
	rule("model", "each vector has a name, nothing else has",
	     vector_name(VEC_SINGLE_STEP) && vector_name(0) && !vector_name(0x3400));
}

int main(void)
{
	psr_after();
	collection();
	banks();
	raising();
	returning();
	changes();
	dying();
	return finish();
}
