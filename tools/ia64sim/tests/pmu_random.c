// SPDX-License-Identifier: GPL-2.0
/*
 * The performance monitors against a naive count: random programs with misses, faults,
 * changes of level and of PSR, and counters that are about to overflow.
 *
 * One machine runs the program with its monitors on, in turns of random length, another
 * one instruction at a time with its monitors off, while the test adds up what each
 * instruction did.  Registers must agree in the end: each counter counted what it should,
 * and all stopped at the same instruction.
 *
 * usage: pmu_random [programs [seed]]
 */
#include <stdlib.h>
#include <string.h>

#include "board/board.h"
#include "cpu/interrupt.h"
#include "cpu/run.h"
#include "isa/ia64.h"
#include "mmu/phys.h"
#include "mmu/tlb.h"
#include "pmu/pmu.h"
#include "check.h"

static u64 state;

/* splitmix64 */
static u64 random64(void)
{
	u64 z = state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static u64 below(u64 n)
{
	return random64() % n;
}

/*
 * Instructions and bundles, SDM volume 3 chapter 4.
 */
#define QP(p)		((u64)(p))
#define NOP_M		(1ULL << 27)
#define NOP_I		(1ULL << 27)
#define NOP_B		(2ULL << 37)
#define ADDS(r1, imm, r3) \
	(8ULL << 37 | 2ULL << 34 | (u64)(r3) << 20 | (u64)(imm) << 13 | (u64)(r1) << 6)
#define AND(r1, r2, r3) \
	(8ULL << 37 | 3ULL << 29 | (u64)(r3) << 20 | (u64)(r2) << 13 | (u64)(r1) << 6)
#define XOR(r1, r2, r3)	(AND(r1, r2, r3) | 3ULL << 27)
#define LD8(r1, r3)	(4ULL << 37 | 3ULL << 30 | (u64)(r3) << 20 | (u64)(r1) << 6)
#define LD8_S(r1, r3)	(4ULL << 37 | 7ULL << 30 | (u64)(r3) << 20 | (u64)(r1) << 6)
#define ST8(r3, r2)	(4ULL << 37 | 0x33ULL << 30 | (u64)(r3) << 20 | (u64)(r2) << 13)
#define LFETCH(r3)	(6ULL << 37 | 0x2cULL << 30 | (u64)(r3) << 20)
#define SYSTEM_MASK(x4, mask) \
	((u64)(x4) << 27 | ((mask) & MASK(21)) << 6 | ((mask) >> 21 & 3) << 31 | ((mask) >> 23) << 36)
#define SUM(mask)	SYSTEM_MASK(4, mask)
#define RUM(mask)	SYSTEM_MASK(5, mask)
#define SSM(mask)	SYSTEM_MASK(6, mask)
#define RSM(mask)	SYSTEM_MASK(7, mask)
#define MOV_FROM_PMD(r1, r3)	(1ULL << 37 | 0x15ULL << 27 | (u64)(r3) << 20 | (u64)(r1) << 6)
#define MOV_FROM_CR(r1, cr)	(1ULL << 37 | 0x24ULL << 27 | (u64)(cr) << 20 | (u64)(r1) << 6)
#define MOV_TO_CR(cr, r2)	(1ULL << 37 | 0x2cULL << 27 | (u64)(cr) << 20 | (u64)(r2) << 13)
#define SRLZ_I		(3ULL << 31 | 1ULL << 27)
#define FLUSHRS		(0xcULL << 27)
#define BREAK_M		(1ULL << 6)
#define ALLOC(r1, sof)	(1ULL << 37 | 6ULL << 33 | (u64)(sof) << 13 | (u64)(r1) << 6)
#define COVER		(2ULL << 27)
#define RFI		(8ULL << 27)
#define BR(bundles)	(4ULL << 37 | ((u64)(bundles) & MASK(20)) << 13 | \
			 ((u64)(bundles) >> 20 & 1) << 36)

enum { MII = 0, MMI = 8, MIB = 16, MMB = 24 };

/* Pages 20 and 21 of region 1 hold the program, half of it each; those before it data. */
enum {
	IVT = 0x40000, BUNDLES = 48,
	TABLE_PA = 0x1100000, DATA_PA = 0x1000000, STACK = 0x1800000,
	PAGE = 0x4000, DATA_PAGES = 20, PAGES = 22,
	CODE_OFFSET = (DATA_PAGES + 1) * PAGE - BUNDLES / 2 * 16,
};
#define REGION1		(1ULL << 61)
#define TABLE		(REGION1 | 0x100000000ULL)
#define PTE_FINE	0x7e1ULL	/* present, accessed, dirty, all levels, all rights */
#define PROGRAM_PSR	(BIT(PSR_IC) | BIT(PSR_DT) | BIT(PSR_RT) | BIT(PSR_IT) | BIT(PSR_BN))

struct bundle_bytes {
	u64 low, high;
};

static struct bundle_bytes bundle(unsigned int template, u64 a, u64 b, u64 c)
{
	return (struct bundle_bytes){ template | a << 5 | b << 46, b >> 18 | c << 23 };
}

static void put(struct machine *m, u64 pa, struct bundle_bytes b)
{
	phys_write(m, pa, 8, b.low);
	phys_write(m, pa + 8, 8, b.high);
}

/* Bases in r8 to r15 and predicates p1 to p5 are set at the start and stay; results go to
 * r22 to r26, which every level and frame may write.
 */
static u64 m_instruction(void)
{
	unsigned int base = 8 + below(8), qp = below(3) ? 0 : 1 + below(5);

	switch (below(20)) {
	case 0: case 1: case 2: case 3: case 4: case 5: return LD8(22, base) | qp;
	case 6: case 7: return ST8(base, 7) | qp;
	case 8: return LD8_S(23, base) | qp;
	case 9: return LFETCH(base) | qp;
	case 10: return SUM(BIT(PSR_UP)) | qp;
	case 11: return RUM(BIT(PSR_UP)) | qp;
	case 12: return below(2) ? SSM(BIT(PSR_PP)) | qp : RSM(BIT(PSR_PP)) | qp;
	case 13: return MOV_FROM_PMD(24, 1 + below(4)) | qp;
	case 14: return below(2) ? SRLZ_I : FLUSHRS;
	case 15: return below(4) ? NOP_M : BREAK_M;
	case 16: return ADDS(25, 1, 25) | qp;
	default: return NOP_M | qp;
	}
}

static u64 i_instruction(void)
{
	unsigned int qp = below(2) ? 0 : 1 + below(5);

	return below(2) ? NOP_I | qp : ADDS(26, 1, 26) | qp;
}

static struct bundle_bytes program[BUNDLES];

static void draw_program(void)
{
	for (unsigned int n = 0; n < BUNDLES - 1; n++) {
		switch (below(8)) {
		case 0: case 1:
			program[n] = bundle(MII, m_instruction(), i_instruction(),
					    i_instruction());
			break;
		case 2:
			program[n] = bundle(MIB, m_instruction(), i_instruction(),
					    below(2) ? NOP_B : BR(16) | (1 + below(5)));
			break;
		case 3:
			/* a frame over which the RSE has to store others */
			program[n] = n % 2 ? bundle(MIB, NOP_M, NOP_I, COVER) :
				     bundle(MII, ALLOC(45, 60 + below(30)), NOP_I, NOP_I);
			break;
		case 4:
			program[n] = bundle(MMB, m_instruction(), m_instruction(), NOP_B);
			break;
		default:
			program[n] = bundle(MMI, m_instruction(), m_instruction(),
					    i_instruction());
			break;
		}
	}
	program[0] = bundle(MII, ALLOC(34, 16), NOP_I, NOP_I);
	program[BUNDLES - 1] = bundle(MIB, NOP_M, NOP_I, BR(-16 * (BUNDLES - 1) / 16));
}

/* A handler goes on at the next bundle; that of break changes the level, too. */
static void put_handlers(struct machine *m)
{
	for (unsigned int vector = 0; vector < 0x8000; vector += vector < 0x5000 ? 0x400 : 0x100) {
		u64 pa = IVT + vector;

		put(m, pa, bundle(MMI, MOV_FROM_CR(16, CR_IIP), MOV_FROM_CR(17, CR_IPSR), NOP_I));
		put(m, pa + 16, bundle(MMI, ADDS(16, 16, 16), AND(17, 17, 20), NOP_I));
		put(m, pa + 32, bundle(MMI, MOV_TO_CR(CR_IIP, 16),
				       vector == VEC_BREAK ? XOR(17, 17, 21) : NOP_M,
				       NOP_I));
		put(m, pa + 48, bundle(MIB, MOV_TO_CR(CR_IPSR, 17), NOP_I, RFI));
	}
}

static struct machine *new_machine(const char *timing, bool soft_tlb)
{
	struct options opt = {
		.ram = 64 << 20, .cpus = 1, .itc_entries = 2, .dtc_entries = 6, .trs = 8,
		.soft_tlb = soft_tlb, .timing = timing,
	};
	struct machine *m = machine_create(&opt);

	put_handlers(m);
	return m;
}

struct start {
	u64 base[8], predicates, dcr;
};

/* The same beginning for both. */
static void begin(struct machine *m, const struct start *s)
{
	struct cpu *cpu = m->cpu[0];

	cpu_reset(cpu);
	cpu->stopped = false;
	m->running = cpu;
	for (unsigned int n = 0; n < BUNDLES; n++)
		put(m, DATA_PA + CODE_OFFSET + 16 * n, program[n]);
	for (unsigned int n = 0; n < PAGES; n++)
		phys_write(m, TABLE_PA + 8 * n, 8,
			   (DATA_PA + n * PAGE) | PTE_FINE | (n % 5 == 4 ? 2 : 0));
	for (int data = 0; data < 2; data++)
		tlb_insert_tr(cpu, data, 0, PTE_FINE, 26 << 2, 0);
	set_rr(cpu, 1, 0x101 << 8 | 14 << 2 | 1);
	tlb_insert_tr(cpu, true, 1, TABLE_PA | PTE_FINE, 20 << 2, TABLE);
	cpu->cr[CR_PTA] = (TABLE & ~REGION1) | 20 << 2 | 1;
	cpu->cr[CR_IVA] = IVT;
	cpu->cr[CR_DCR] = s->dcr;
	for (unsigned int n = 0; n < 8; n++)
		cpu->gr[8 + n] = s->base[n];
	for (unsigned int n = 0; n < 4; n++)
		cpu->gr[1 + n] = FIRST_COUNTER + n;
	cpu->pr = s->predicates | 1;
	cpu->bank[4] = ~(3ULL << PSR_RI);		/* r20 of bank 0 */
	cpu->bank[5] = 3ULL << PSR_CPL;			/* r21 */
	cpu->ar[AR_BSPSTORE] = STACK;
	cpu->ip = REGION1 | CODE_OFFSET;
	replace_psr(cpu, PROGRAM_PSR);
}

/*
 * Events, as this test understands them: what they come to by the end of an instruction.
 */
enum kind { CYCLES, OTHER };

static const struct naive_event {
	u8 code, umask;
	int set;		/* of the L1D; -1: none */
	enum kind kind;
} naive_events[] = {
	{ 0x12, 0, -1, CYCLES }, { 0x08, 0, -1, OTHER }, { 0x08, 2, -1, OTHER },
	{ 0x4d, 0, -1, OTHER }, { 0x50, 0, -1, OTHER }, { 0x51, 0, -1, OTHER },
	{ 0x13, 0, -1, OTHER }, { 0x53, 0, -1, OTHER }, { 0x5b, 0, -1, OTHER },
	{ 0xcd, 0, 3, OTHER }, { 0xd1, 0, 4, OTHER }, { 0xc3, 0, 0, OTHER },
	{ 0xc5, 0, 1, OTHER }, { 0x20, 1, -1, OTHER }, { 0x20, 2, -1, OTHER },
	{ 0x20, 3, -1, OTHER }, { 0xc1, 0, 0, OTHER }, { 0xc9, 0, -1, OTHER },
	{ 0x2c, 0, -1, OTHER }, { 0x2d, 0, -1, OTHER }, { 0x47, 2, -1, OTHER },
	{ 0x48, 0, -1, OTHER }, { 0xff, 0, -1, OTHER }, { 0xc2, 0, 0, OTHER },
	{ 0xc4, 5, 1, OTHER }, { 0xd0, 0, 4, OTHER },
};

enum { N_NAIVE = sizeof(naive_events) / sizeof(naive_events[0]) };

static u64 inserts(const struct tlb_stats *t)
{
	u64 n = 0;

	for (int ps = 0; ps < 64; ps++)
		n += t->walker_inserts[ps];
	return n;
}

static u64 so_far(const struct cpu *cpu, const struct naive_event *e)
{
	const struct cpu_stats *s = &cpu->stats;
	u64 loads = s->loads + s->semaphores + s->rse_loads;
	u64 stores = s->stores + s->rse_stores;

	switch (e->code) {
	case 0x12: return cpu->cycles;
	case 0x08: return cpu->cycles - cpu->faulted;
	case 0x4d: return cpu->cycles;
	case 0x50: return s->nops;
	case 0x51: return s->squashed;
	case 0x13: return s->level_changes;
	case 0x53: return s->serializations;
	case 0x5b: return s->branches;
	case 0xcd: return loads;
	case 0xd1: return stores;
	case 0xc3: case 0xc5: return loads + stores;
	case 0x20: return (e->umask & 1 ? s->rse_loads : 0) + (e->umask & 2 ? s->rse_stores : 0);
	case 0xc1: return s->tlb[1].misses;
	case 0xc9: case 0x2c: return inserts(&s->tlb[1]);
	/* The table is always mapped. */
	case 0x2d: return s->tlb[0].walks + s->tlb[1].walks;
	case 0x47: return s->tlb[0].misses;
	case 0x48: return inserts(&s->tlb[0]);
	default: return 0;
	}
}

static struct {
	const struct naive_event *event[N_COUNTERS];
	u64 pmc[N_COUNTERS], pmd[N_COUNTERS];
	u64 pmc0;
} naive;

static bool naive_runs(unsigned int n, u64 psr)
{
	const struct naive_event *e = naive.event[n];
	u64 pmc = naive.pmc[n];

	return !(naive.pmc0 & 1) && pmc >> (psr >> PSR_CPL & 3) & 1 &&
	       psr >> (pmc >> 6 & 1 ? PSR_PP : PSR_UP) & 1 &&
	       (e->set < 0 || naive.event[1]->set == e->set);
}

/* What happened since @before, under this PSR, of events that wait for the handler or not. */
static void naive_count(const struct cpu *cpu, const u64 *before, u64 psr, bool now, bool late)
{
	bool freeze = false;

	for (unsigned int n = 0; n < N_COUNTERS; n++) {
		bool waits = naive.event[n]->code == 0x12 || naive.event[n]->code == 0x4d;

		if (!(waits ? late : now) || !naive_runs(n, psr))
			continue;
		naive.pmd[n] += so_far(cpu, naive.event[n]) - before[n];
		if (naive.pmd[n] >> COUNTER_BITS) {
			naive.pmd[n] &= MASK(COUNTER_BITS);
			naive.pmc0 |= BIT(FIRST_COUNTER + n);
			freeze |= naive.pmc[n] >> 5 & 1;
		}
	}
	if (freeze)
		naive.pmc0 |= 1;
}

static void naive_step(struct cpu *cpu)
{
	u64 before[N_COUNTERS], psr = cpu->psr, faulted = cpu->faulted;

	for (unsigned int n = 0; n < N_COUNTERS; n++)
		before[n] = so_far(cpu, naive.event[n]);
	cpu_run(cpu, 1, 1);
	/* The cycle of a fault is the handler's, and so is its being dispersed. */
	if (cpu->faulted == faulted) {
		naive_count(cpu, before, psr, true, true);
	} else {
		naive_count(cpu, before, psr, true, false);
		naive_count(cpu, before, cpu->psr, false, true);
	}
}

static void draw_counters(bool timed)
{
	for (unsigned int n = 0; n < N_COUNTERS; n++) {
		do {
			naive.event[n] = &naive_events[below(N_NAIVE)];
		} while (timed && naive.event[n]->kind == CYCLES);
		naive.pmc[n] = (below(4) ? 15 : below(16)) | below(2) << 6 |
			       (below(3) ? 0 : BIT(5)) | (u64)naive.event[n]->code << 8 |
			       (u64)naive.event[n]->umask << 16 | (n ? 0 : BIT(23));
		naive.pmd[n] = -(1 + below(below(2) ? 8 : 300)) & MASK(COUNTER_BITS);
		if (!below(4))
			naive.pmd[n] = below(1000);
	}
	naive.pmc0 = 0;
}

/* One program; every third in the run loop of -timing madison. */
static void one(struct machine *m, struct machine *reference, bool timed)
{
	struct cpu *cpu = m->cpu[0], *other = reference->cpu[0];
	u64 steps = 200 + below(600), done = 0;
	struct start s = { .predicates = random64() & 0x3e, .dcr = below(2) << DCR_PP };

	draw_program();
	for (unsigned int n = 0; n < 8; n++)
		s.base[n] = REGION1 | below(DATA_PAGES) * PAGE | below(0x800) * 8;
	begin(m, &s);
	begin(reference, &s);
	draw_counters(timed);
	for (unsigned int n = 0; n < N_COUNTERS; n++) {
		pmu_write_pmc(cpu, FIRST_COUNTER + n, naive.pmc[n]);
		pmu_write_pmd(cpu, FIRST_COUNTER + n, naive.pmd[n]);
	}
	/* pmu_write_pmc() is inside an instruction, and this is not. */
	pmu_end_interval(cpu, PMU_BETWEEN);
	pmu_begin_interval(cpu, PMU_BETWEEN);
	while (done < steps) {
		u64 turn = below(4) ? below(40) : steps, from = cpu_tried(cpu);

		if (turn > steps - done)
			turn = steps - done;
		if (timed)
			cpu_run(cpu, 1000000, turn);
		else
			cpu_run(cpu, turn, turn);
		done += cpu_tried(cpu) - from;
	}
	for (u64 n = 0; n < steps; n++)
		naive_step(other);
	check_equal(cpu->ip, other->ip);
	check_equal(cpu->stats.tlb[1].misses, other->stats.tlb[1].misses);
	check_equal(cpu->stats.loads, other->stats.loads);
	check_equal(cpu->stats.alat_misses, other->stats.alat_misses);
	for (unsigned int n = 0; n < N_COUNTERS; n++) {
		cpu->psr &= ~(3ULL << PSR_CPL);
		check_equal(pmu_read_pmd(cpu, FIRST_COUNTER + n) & MASK(COUNTER_BITS),
			    naive.pmd[n]);
	}
	check_equal(pmu_read_pmc(cpu, 0), naive.pmc0);
}

int main(int argc, char **argv)
{
	unsigned long programs = argc > 1 ? strtoul(argv[1], NULL, 0) : 3000;
	struct machine *plain, *slow, *timed, *reference;
	unsigned int frozen = 0, overflowed = 0;

	state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	plain = new_machine(NULL, true);
	slow = new_machine(NULL, false);
	timed = new_machine("madison", true);
	reference = new_machine(NULL, true);
	for (unsigned long n = 0; n < programs; n++) {
		unsigned int before = checks_failed;
		u64 from = state;

		one(n % 3 == 0 ? plain : n % 3 == 1 ? slow : timed, reference, n % 3 == 2);
		if (checks_failed != before) {
			printf("program %lu, from state %#llx\n", n, (unsigned long long)from);
			if (checks_failed > 20)
				break;
		}
		frozen += naive.pmc0 & 1;
		overflowed += naive.pmc0 > 1;
	}
	/* or it tests nothing */
	check(frozen > programs / 20 && overflowed > programs / 4);
	machine_destroy(plain);
	machine_destroy(slow);
	machine_destroy(timed);
	machine_destroy(reference);
	return check_result();
}
