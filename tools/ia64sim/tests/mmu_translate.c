// SPDX-License-Identifier: GPL-2.0
/*
 * Rules for translation: the order of checks, what each fault reports, the
 * VHPT walker in both formats, keys, rights, breakpoints, deferral.  SDM
 * volume 2, chapter 4, sections 5.5 and 7.1, chapter 8.
 */
#include "mmu.h"

static struct translation t;
static struct fault f;

#define READ	ACCESS_READ
#define WRITE	ACCESS_WRITE
#define EXEC	ACCESS_EXEC
#define SEM	(ACCESS_READ | ACCESS_WRITE)

#define R	BIT(ISR_R)
#define W	BIT(ISR_W)
#define X	BIT(ISR_X)
#define NA	BIT(ISR_NA)
#define SP	BIT(ISR_SP)
#define RS	BIT(ISR_RS)
#define ED	BIT(ISR_ED)

static bool go(u64 va, unsigned int access)
{
	memset(&t, 0, sizeof(t));
	memset(&f, 0, sizeof(f));
	return translate(cpu, va, access, cpl(cpu), &t, &f);
}

/* Does the reference raise this? */
static bool faults(u64 va, unsigned int access, unsigned int vector, u64 isr)
{
	return !go(va, access) && !f.deferred && f.vector == vector && f.isr == isr;
}

static bool deferred(u64 va, unsigned int access)
{
	return !go(va, access) && f.deferred;
}

static void map(bool data, u64 va, u64 pa, unsigned int ps, u64 pte)
{
	tlb_insert_tc(cpu, data, pa | pte, ITIR(ps), va);
}

static void map_key(bool data, u64 va, u64 pte, u32 key)
{
	tlb_insert_tc(cpu, data, pte, ITIR(14) | ITIR_KEY(key), va);
}

/* Rules: tlb */
static void physical(void)
{
	reset();
	cpu->psr &= ~(BIT(PSR_DT) | BIT(PSR_IT) | BIT(PSR_RT));
	rule("2:73", "data translation off: the address is physical, WB",
	     go(0x12345678, READ) && t.pa == 0x12345678 && t.ma == MA_WB);
	rule("2:73", "bit 63 of a physical address: uncacheable",
	     go(BIT(63) | 0x12345678, WRITE) && t.pa == 0x12345678 && t.ma == MA_UC);
	rule("2:73", "instruction translation off: physical",
	     go(0x4000, EXEC) && t.pa == 0x4000 && t.ma == MA_WB);
	rule("2:73", "register stack translation off: physical", go(0x4008, WRITE | ACCESS_RSE) &&
	     t.pa == 0x4008);
	rule("2:73", "physical references raise no TLB fault and count no miss",
	     !cpu->stats.tlb[0].misses && !cpu->stats.tlb[1].misses);
	rule("2:73",
	     "unimplemented physical address: Unimplemented Data Address, general exception 0x30",
	     faults(BIT(50), READ, VEC_GENERAL_EXCEPTION, 0x30 | R) && f.ifa == BIT(50));
	rule("2:73", "the highest unimplemented bit is 62", faults(BIT(62), WRITE,
	     VEC_GENERAL_EXCEPTION, 0x30 | W));
	rule("2:73", "the highest implemented bit is 49", go(BIT(49), READ));
	rule("2:206", "unimplemented physical instruction address: 0x5e00, code 0x10",
	     faults(BIT(51), EXEC, VEC_LOWER_PRIVILEGE_TRANSFER, 0x10));
	reset();
	cpu->psr &= ~BIT(PSR_DT);
	rule("2:24", "PSR.dt, it and rt are independent", go(0x4000, READ) &&
	     faults(0x4000, EXEC, VEC_ALT_INST_TLB, X) &&
	     faults(0x4000, READ | ACCESS_RSE, VEC_ALT_DATA_TLB, R | RS));
	rule("model", "all 61 bits of virtual addresses are implemented",
	     !unimplemented_va(REGION(3) | BIT(60)) && !unimplemented_va(MASK(61)));
}

static void hits(void)
{
	reset();
	map(true, REGION(1) | 0x10000, 0x1230000, 16, PTE_FINE | PTE_MA(MA_UC) | PTE_PL(2));
	rule("2:47", "a hit gives the page's frame and the offset, and its attributes",
	     go(REGION(1) | 0x1abcd, READ) && t.pa == 0x123abcd && t.ma == MA_UC && t.ps == 16 &&
	     t.pl == 3 && t.ar == AR_RWX);
	rule("model", "a hit sets the used bit", tlb_find(&cpu->dtlb, RID(1),
	     REGION(1) | 0x10000)->used);
	rule("model", "a hit counts no miss", !cpu->stats.tlb[1].misses &&
	     !cpu->stats.tlb[1].walks);
	go(REGION(2), READ);
	go(REGION(2), EXEC);
	rule("model", "misses count by side", cpu->stats.tlb[1].misses == 1 &&
	     cpu->stats.tlb[0].misses == 1);
	map(false, REGION(1), 0x40000, 14, PTE_FINE | PTE_ED);
	rule("2:47", "a fetch uses the instruction TLB", go(REGION(1) | 0x10, EXEC) &&
	     t.pa == 0x40010 && t.ed);
}

/* Table 4-2 as the manual prints it: by ar and pl, levels 3, 2, 1, 0. */
static const char *const rights[8][4][4] = {
	{ { "-", "-", "-", "R" }, { "-", "-", "R", "R" }, { "-", "R", "R", "R" }, { "R", "R", "R",
	  "R" } },
	{ { "-", "-", "-", "RX" }, { "-", "-", "RX", "RX" }, { "-", "RX", "RX", "RX" },
	  { "RX", "RX", "RX", "RX" } },
	{ { "-", "-", "-", "RW" }, { "-", "-", "RW", "RW" }, { "-", "RW", "RW", "RW" },
	  { "RW", "RW", "RW", "RW" } },
	{ { "-", "-", "-", "RWX" }, { "-", "-", "RWX", "RWX" }, { "-", "RWX", "RWX", "RWX" },
	  { "RWX", "RWX", "RWX", "RWX" } },
	{ { "-", "-", "-", "RW" }, { "-", "-", "R", "RW" }, { "-", "R", "RW", "RW" },
	  { "R", "RW", "RW", "RW" } },
	{ { "-", "-", "-", "RWX" }, { "-", "-", "RX", "RWX" }, { "-", "RX", "RX", "RWX" },
	  { "RX", "RX", "RX", "RWX" } },
	{ { "-", "-", "-", "RW" }, { "-", "-", "RWX", "RW" }, { "-", "RWX", "RW", "RW" },
	  { "RWX", "RW", "RW", "RW" } },
	{ { "X", "X", "X", "RX" }, { "X", "X", "X", "RX" }, { "X", "X", "X", "RX" },
	  { "X", "X", "X", "RX" } },
};

static void access_rights(void)
{
	static const struct {
		unsigned int access;
		const char *needs;
		u64 isr;
	} kinds[] = {
		{ READ, "R", R }, { WRITE, "W", W }, { SEM, "RW", R | W }, { EXEC, "X", X },
	};

	for (unsigned int ar = 0; ar < 8; ar++) {
		bool good = true;
		char text[80];

		for (unsigned int pl = 0; pl < 4; pl++) {
			reset();
			for (int data = 0; data < 2; data++)
				map(data, 0x8000, 0x8000, 14,
				    PTE_P | PTE_A | PTE_D | PTE_PL(pl) | PTE_AR(ar));
			for (unsigned int level = 0; level < 4; level++) {
				const char *has_rights = rights[ar][pl][3 - level];

				cpu->psr = PSR_TEST | (u64)level << PSR_CPL;
				for (unsigned int k = 0; k < 4; k++) {
					bool fine = true;

					for (const char *c = kinds[k].needs; *c; c++)
						fine &= !!strchr(has_rights, *c);
					if (fine)
						good &= go(0x8000, kinds[k].access);
					else
						good &= faults(0x8000, kinds[k].access,
							       kinds[k].access & EXEC ?
							       VEC_INST_ACCESS_RIGHTS :
							       VEC_DATA_ACCESS_RIGHTS,
							       kinds[k].isr);
				}
			}
		}
		snprintf(text, sizeof(text),
			 "access rights %u at 4 page levels, 4 levels, 4 accesses", ar);
		rule("2:56 table 4-2", text, good);
	}
	reset();
	map(true, 0, 0, 14, PTE_P | PTE_A | PTE_D | PTE_PL(0) | PTE_AR(AR_RW));
	rule("2:56", "the level is the reference's, not PSR.cpl: RSC.pl for the RSE",
	     !translate(cpu, 0, READ | ACCESS_RSE, 3, &t, &f) &&
	     f.vector == VEC_DATA_ACCESS_RIGHTS &&
	     translate(cpu, 0, READ | ACCESS_RSE, 0, &t, &f));
	reset();
	map(false, 0, 0, 14, PTE_P | PTE_A | PTE_PL(1) | PTE_AR(AR_X_RX));
	cpu->psr |= 3ULL << PSR_CPL;
	rule("2:57", "a promotion page can be executed from below, and tells ar and pl for epc",
	     go(0, EXEC) && t.ar == AR_X_RX && t.pl == 1);
}

static void keys(void)
{
	static const struct {
		unsigned int access, denied_by;
		u64 isr;
	} kinds[] = {
		{ READ, 4, R }, { WRITE, 2, W }, { SEM, 2 | 4, R | W }, { EXEC, 8, X },
		{ READ | ACCESS_RSE, 4, R | RS }, { WRITE | ACCESS_RSE, 2, W | RS },
	};

	for (unsigned int bits = 0; bits < 8; bits++) {
		bool good = true;
		char text[80];

		for (unsigned int k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
			for (unsigned int n = 0; n < IMPL_PKRS; n++) {
				reset();
				map_key(true, 0, PTE_FINE, 0xabc123);
				map_key(false, 0, PTE_FINE, 0xabc123);
				set_pkr(cpu, n, 0xabc123ULL << 8 | bits << 1 | 1);
				cpu->psr |= BIT(PSR_PK);
				if (bits << 1 & kinds[k].denied_by)
					good &= faults(0, kinds[k].access, VEC_KEY_PERMISSION,
						       kinds[k].isr);
				else
					good &= go(0, kinds[k].access);
			}
		}
		snprintf(text, sizeof(text),
			 "key with wd %u rd %u xd %u: 6 accesses, 16 registers",
			 bits & 1, bits >> 1 & 1, bits >> 2);
		rule("2:60", text, good);
	}
	reset();
	map_key(true, 0, PTE_FINE, 5);
	map_key(false, 0, PTE_FINE, 5);
	cpu->psr |= BIT(PSR_PK);
	set_pkr(cpu, 0, 6 << 8 | 1);
	rule("2:60", "no register with the key: Data Key Miss", faults(0, WRITE,
	     VEC_DATA_KEY_MISS, W));
	rule("2:60", "no register with the key: Instruction Key Miss", faults(0, EXEC,
	     VEC_INST_KEY_MISS, X));
	set_pkr(cpu, 1, 5 << 8);
	rule("2:60", "a register that is not valid does not match", faults(0, READ,
	     VEC_DATA_KEY_MISS, R));
	cpu->psr &= ~BIT(PSR_PK);
	rule("2:60", "PSR.pk off: no key checks", go(0, READ) && go(0, EXEC));
	cpu->psr |= BIT(PSR_PK);
	cpu->psr &= ~BIT(PSR_DT);
	rule("2:60", "no key checks of physical references", go(0, READ));
}

/* Rules: interruption */
/* The vector of a TLB miss: which access, walker on or off, PSR.ic. */
static void miss_vectors(void)
{
	static const struct {
		unsigned int access;
		u64 isr;
		const char *name;
	} kinds[] = {
		{ READ, R, "load" }, { WRITE, W, "store" }, { SEM, R | W, "semaphore" },
		{ READ | ACCESS_RSE, R | RS, "RSE fill" }, { WRITE | ACCESS_RSE, W | RS,
		  "RSE spill" },
		{ EXEC, X, "fetch" },
		{ ACCESS_TPA, NA | 0, "tpa" }, { ACCESS_FC, R | NA | 1, "fc" },
		{ ACCESS_PROBE | READ, R | NA | 2, "probe.r" },
		{ ACCESS_PROBE | WRITE, W | NA | 2, "probe.w" },
		{ ACCESS_TAK, NA | 3, "tak" }, { ACCESS_LFETCH, R | NA | 4, "lfetch.fault" },
		{ ACCESS_PROBE_FAULT | READ, R | NA | 5, "probe.r.fault" },
		{ ACCESS_PROBE_FAULT | WRITE, W | NA | 5, "probe.w.fault" },
		{ ACCESS_PROBE_FAULT | SEM, R | W | NA | 5, "probe.rw.fault" },
	};
	u64 va = REGION(2) | 0x123456788;
	u64 itir = (u64)RID(2) << 8 | 14 << 2;

	for (unsigned int k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		bool exec = kinds[k].access & EXEC;
		u64 ifa = exec ? va & ~15ULL : va;
		char text[120];
		bool good;

		for (int how = 0; how < 3; how++) {
			static const char *const names[] = {
				"walker off", "VHPT page not mapped", "walk fails"
			};
			unsigned int vector = exec ? VEC_INST_TLB : VEC_DATA_TLB;
			u64 iha;

			if (how == 0)
				vector = exec ? VEC_ALT_INST_TLB : VEC_ALT_DATA_TLB;
			if (how == 1)
				vector = VEC_VHPT_TRANSLATION;

			reset();
			cpu->cr[CR_PTA] = 0x1000000000000000 | 15 << 2 | 1;
			cpu->rr[2] = RR(2, 14, how != 0);
			iha = vhpt_thash(cpu, va);
			if (how == 2)
				map(true, iha, 0x100000, 15 + 1, PTE_FINE | PTE_MA(MA_UC));
			good = faults(va, kinds[k].access, vector, kinds[k].isr) && f.sets_ifa &&
			       f.ifa == ifa && f.sets_itir && f.itir == itir &&
			       f.sets_iha == (how != 0) && (!how || f.iha == iha);
			snprintf(text, sizeof(text),
				 "%s, %s, PSR.ic 1: vector, ISR, IFA, ITIR, IHA",
				 kinds[k].name, names[how]);
			rule("2:69, chapter 8", text, good);

			cpu->psr &= ~BIT(PSR_IC);
			if (exec)
				good = faults(va, EXEC, VEC_ALT_INST_TLB, X);
			else
				good = faults(va, kinds[k].access, VEC_DATA_NESTED_TLB,
					      kinds[k].isr) &&
				       !f.sets_ifa && !f.sets_itir && !f.sets_iha;
			snprintf(text, sizeof(text),
				 exec ? "%s, %s, PSR.ic 0: the walker is off" :
				 "%s, %s, PSR.ic 0: Data Nested TLB, registers untouched",
				 kinds[k].name, names[how]);
			rule("2:70 figure 4-16", text, good);
			cpu->ic_in_flight = true;
			if (!exec) {
				snprintf(text, sizeof(text),
					 "%s, %s, PSR.ic in flight: not nested",
					 kinds[k].name, names[how]);
				rule("2:70 figure 4-16", text, faults(va, kinds[k].access, vector,
				     kinds[k].isr));
			}
		}
	}
}

/* Rules: vhpt-short */
static void walker_enabling(void)
{
	static const struct {
		unsigned int access;
		u64 needs;		/* PSR bits besides the region's and PTA's */
		const char *name;
	} kinds[] = {
		{ READ, BIT(PSR_DT), "data" },
		{ EXEC, BIT(PSR_DT) | BIT(PSR_IT) | BIT(PSR_IC), "instructions" },
		{ READ | ACCESS_RSE, BIT(PSR_DT) | BIT(PSR_RT), "the RSE" },
		{ ACCESS_TPA, BIT(PSR_DT), "tpa" },
		{ ACCESS_PROBE | READ, BIT(PSR_DT), "probe" },
		{ ACCESS_TAK, BIT(PSR_DT), "tak" },
	};
	static const u8 bits[] = { PSR_IC, PSR_DT, PSR_IT, PSR_RT };

	for (unsigned int k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		bool good = true;
		char text[80];

		for (unsigned int n = 0; n < 64; n++) {
			bool ve = n & 1, pta = n >> 1 & 1, walks;
			u64 psr = 0;

			for (unsigned int i = 0; i < 4; i++)
				if (n >> (2 + i) & 1)
					psr |= BIT(bits[i]);
			reset();
			cpu->rr[2] = RR(2, 14, ve);
			cpu->cr[CR_PTA] = 0x1000000000000000 | 15 << 2 | pta;
			cpu->psr = psr;
			go(REGION(2), kinds[k].access);
			walks = ve && pta && (psr & kinds[k].needs) == kinds[k].needs;
			good &= cpu->stats.tlb[kinds[k].access != EXEC].walks == walks;
		}
		snprintf(text, sizeof(text), "walker for %s: RR.ve, PTA.ve, PSR.ic, dt, it, rt",
			 kinds[k].name);
		rule("2:67", text, good);
	}
	reset();
	cpu->psr &= ~BIT(PSR_DT);
	map(true, REGION(1), 0x40000, 14, PTE_FINE);
	rule("3:217", "PSR.dt off: tpa, probe and tak ask the DTLB nevertheless",
	     go(REGION(1) | 8, ACCESS_TPA) && t.pa == 0x40008 &&
	     go(REGION(1) | 8, ACCESS_PROBE | READ) && t.pa == 0x40008 &&
	     go(REGION(1) | 8, ACCESS_TAK) && t.pa == 0x40008);
	rule("3:217", "PSR.dt off: probe.fault, fc and lfetch are physical",
	     go(0x5000, ACCESS_PROBE_FAULT | READ) && t.pa == 0x5000 && go(0x5000, ACCESS_FC) &&
	     t.pa == 0x5000 && go(0x5000, ACCESS_LFETCH) && t.pa == 0x5000);
}

#define SHORT_TABLE	0x200000	/* physical */
#define LONG_TABLE	0x400000

/* Region 2 walks a table in the short format that a TR maps, 2^size bytes. */
static u64 short_format(unsigned int size, unsigned int ps)
{
	reset();
	cpu->cr[CR_PTA] = 0x0abcdef000000000ULL | size << 2 | 1;
	cpu->rr[2] = RR(2, ps, 1);
	tlb_insert_tr(cpu, true, 0, PTE_FINE | SHORT_TABLE, ITIR(20),
		      REGION(2) | 0x0abcdef000000000ULL);
	memset(machine.ram + SHORT_TABLE, 0, 1 << 20);
	return REGION(2) | 0x0abcdef000000000ULL;
}

static void short_walks(void)
{
	static const u8 sizes[] = { 12, 13, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32 };
	u64 table, va;
	bool good = true;

	for (unsigned int i = 0; i < sizeof(sizes); i++) {
		for (int data = 0; data < 2; data++) {
			struct tlb_entry *e;

			table = short_format(20, sizes[i]);
			va = REGION(2) | 37ULL << sizes[i] | 0x123 << 3;
			poke(SHORT_TABLE + 37 * 8, PTE_FINE | 5ULL << sizes[i] | PTE_ED);
			good &= vhpt_thash(cpu, va) == table + 37 * 8;
			good &= go(va, data ? READ : EXEC) &&
				   t.pa == (5ULL << sizes[i] | 0x123 << 3);
			e = tlb_find(data ? &cpu->dtlb : &cpu->itlb, RID(2), va);
			good &= e && e->ps == sizes[i] && e->key == RID(2) && e->ed && e->used &&
				cpu->stats.tlb[data].walker_inserts[sizes[i]] == 1 &&
				cpu->stats.tlb[data].misses == 1;
			good &= go(va, data ? READ : EXEC) && cpu->stats.tlb[data].misses == 1;
		}
	}
	rule("2:63",
	     "short format: the entry is inserted with RR.ps and key RR.rid, all sizes, both sides",
	     good);

	short_format(20, 14);
	va = REGION(2) | 3 << 14;
	poke(SHORT_TABLE + 24, ~1ULL);
	rule("2:63",
	     "a not-present entry is inserted whatever its other bits say: Page Not Present",
	     faults(va, READ, VEC_PAGE_NOT_PRESENT, R) && has(cpu, true, va) &&
	     cpu->stats.tlb[1].walker_inserts[14] == 1);
	rule("2:63", "and the retry finds it in the TLB",
	     faults(va, READ, VEC_PAGE_NOT_PRESENT, R) && cpu->stats.tlb[1].walks == 1);
	short_format(20, 14);
	poke(SHORT_TABLE + 24, 0);
	rule("2:63", "the same for a fetch", faults(va, EXEC, VEC_PAGE_NOT_PRESENT, X) && has(cpu,
	     false, va));

	good = true;
	for (unsigned int bit = 0; bit < 64; bit++) {
		bool reserved = bit == 1 || bit == 50 || bit == 51;

		if (bit >= 2 && bit < 12)
			continue;
		short_format(20, 14);
		poke(SHORT_TABLE + 24, PTE_FINE | BIT(bit));
		if (reserved)
			good &= faults(va, READ, VEC_DATA_TLB, R) && !has(cpu, true, va) &&
				cpu->stats.tlb[1].walk_aborts == 1;
		else
			good &= go(va, READ);
	}
	rule("2:63", "a reserved bit ends the walk: Data TLB Miss, nothing inserted", good);
	good = true;
	for (unsigned int ma = 0; ma < 8; ma++) {
		short_format(20, 14);
		poke(SHORT_TABLE + 24, PTE_FINE | PTE_MA(ma));
		go(va, READ);
		good &= has(cpu, true, va) == !(ma >= 1 && ma <= 3);
		good &= (f.vector == VEC_DATA_TLB) == (ma >= 1 && ma <= 3);
	}
	rule("2:63", "a reserved memory attribute ends the walk, the others are inserted", good);
	short_format(20, 14);
	poke(SHORT_TABLE + 24, PTE_FINE | 2);
	rule("2:63", "a reserved bit and a fetch: Instruction TLB Miss", faults(va, EXEC,
	     VEC_INST_TLB, X));
	cpu->psr &= ~BIT(PSR_IC);
	rule("2:70", "a walk that fails with PSR.ic 0: Data Nested TLB", faults(va, READ,
	     VEC_DATA_NESTED_TLB, R));

	short_format(20, 14);
	poke(SHORT_TABLE + 24,
	     PTE_P | PTE_MA(MA_NATPAGE) | PTE_A | PTE_D | PTE_PL(3) | PTE_AR(3));
	rule("2:69", "a NaTPage is inserted: NaT Page Consumption",
	     faults(va, READ, VEC_NAT_CONSUMPTION, R | 0x20) && has(cpu, true, va));

	short_format(20, 14);
	cpu->cr[CR_DCR] = BIT(DCR_BE);
	poke(SHORT_TABLE + 24, __builtin_bswap64(PTE_FINE | 0x88000));
	rule("2:68", "DCR.be: the table is big-endian", go(va, READ) && t.pa == 0x88000);

	short_format(20, 14);
	poke(SHORT_TABLE + 24, PTE_FINE);
	cpu->psr |= 3ULL << PSR_CPL;
	tlb_purge_tr(cpu, true, REGION(2) | 0x0abcdef000000000ULL, 20);
	map(true, REGION(2) | 0x0abcdef000000000ULL, SHORT_TABLE, 20,
	    PTE_P | PTE_A | PTE_PL(0) | PTE_AR(AR_R));
	rule("2:68", "the walker reads at level 0, whatever PSR.cpl is", go(va, READ));
	rule("model", "a walk sets the used bit of the table's entry",
	     tlb_find(&cpu->dtlb, RID(2), REGION(2) | 0x0abcdef000000000ULL)->used);
}

/* What is wrong with the mapping of the table, and what comes of it. */
static void table_mapping(void)
{
	static const struct {
		u64 pte;
		const char *name;
	} bad[] = {
		{ PTE_FINE & ~PTE_P, "not present" },
		{ PTE_FINE | PTE_MA(MA_NATPAGE), "a NaTPage" },
		{ PTE_FINE & ~PTE_A, "not accessed" },
		{ PTE_FINE | PTE_MA(MA_UC), "uncacheable" },
		{ PTE_FINE | PTE_MA(MA_UCE), "uncacheable exported" },
		{ PTE_FINE | PTE_MA(MA_WC), "write coalescing" },
	};
	u64 table = REGION(2) | 0x0abcdef000000000ULL, va = REGION(2);
	char text[100];

	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		short_format(20, 14);
		tlb_purge_tr(cpu, true, table, 20);
		map(true, table, SHORT_TABLE, 20, bad[i].pte);
		poke(SHORT_TABLE, PTE_FINE);
		snprintf(text, sizeof(text),
			 "table's page %s: Data TLB Miss, not VHPT Translation", bad[i].name);
		rule("2:68", text, faults(va, READ, VEC_DATA_TLB, R) && f.sets_iha &&
		     f.iha == table);
		snprintf(text, sizeof(text), "table's page %s: Instruction TLB Miss",
			 bad[i].name);
		rule("2:68", text, faults(va, EXEC, VEC_INST_TLB, X) && f.sets_iha &&
		     f.iha == table);
	}
	short_format(20, 14);
	poke(SHORT_TABLE, PTE_FINE);
	cpu->psr |= BIT(PSR_PK);
	rule("2:68", "table's page with Key Miss: Data TLB Miss", faults(va, READ, VEC_DATA_TLB,
	     R));
	set_pkr(cpu, 0, 4 | 1);
	rule("2:68", "table's page with Key Permission: Data TLB Miss", faults(va, READ,
	     VEC_DATA_TLB, R));
	set_pkr(cpu, 0, 2 | 8 | 1);
	set_pkr(cpu, 1, RID(2) << 8 | 1);
	rule("2:68", "table's page with a key to read: walked", go(va, READ));

	short_format(20, 14);
	poke(SHORT_TABLE, PTE_FINE);
	cpu->psr |= BIT(PSR_DB);
	set_dbr(cpu, 0, table);
	set_dbr(cpu, 1, BIT(63) | 1ULL << 56 | MASK(56));
	rule("2:68", "data breakpoint on the entry, level 0: Data TLB Miss", faults(va, READ,
	     VEC_DATA_TLB, R));
	set_dbr(cpu, 1, BIT(63) | 14ULL << 56 | MASK(56));
	rule("2:68", "data breakpoint for the other levels: walked", go(va, READ));
	short_format(20, 14);
	poke(SHORT_TABLE, PTE_FINE);
	cpu->psr |= BIT(PSR_DB);
	set_dbr(cpu, 0, table);
	set_dbr(cpu, 1, BIT(62) | 15ULL << 56 | MASK(56));
	rule("2:68", "write breakpoint on the entry: walked", go(va, READ));

	short_format(20, 14);
	tlb_purge_tr(cpu, true, table, 20);
	map(true, table, 0x7000000000, 20, PTE_FINE);
	rule("model", "table not in RAM: Data TLB Miss", faults(va, READ, VEC_DATA_TLB, R));
	short_format(20, 14);
	tlb_purge_tr(cpu, true, table, 20);
	map(false, table, SHORT_TABLE, 20, PTE_FINE);
	rule("2:68", "the walker uses the data TLB only, for fetches too", faults(va, EXEC,
	     VEC_VHPT_TRANSLATION, X));
	rule("model", "no walk for the walker: one walk, counted as ended by the table's miss",
	     cpu->stats.tlb[0].walks == 1 && cpu->stats.tlb[0].walk_vhpt_misses == 1 &&
	     !cpu->stats.tlb[1].walks);

	short_format(20, 14);
	poke(SHORT_TABLE, PTE_FINE);
	tlb_insert_tr(cpu, true, 1, PTE_FINE, ITIR(12), REGION(2) | 0x3000);
	rule("2:52", "the walker inserts nothing over a TR of that side: Data TLB Miss",
	     faults(va, READ, VEC_DATA_TLB, R) && !has(cpu, true, va) && has(cpu, true,
	     va | 0x3000));
	rule("2:52", "over a TR of the other side it inserts", go(va, EXEC));
	short_format(20, 14);
	poke(SHORT_TABLE, PTE_FINE);
	map(true, REGION(2) | 0x1000, 0x1000, 12, PTE_FINE);
	rule("2:52", "a walker's insert removes overlapping TC entries",
	     go(va, READ) && count_valid(&cpu->dtlb) == 1);
}

/* Rules: vhpt-long */
static void hashes(void)
{
	u64 x = 1, base, va;
	bool good = true;

	/* the formula of 2:66, written the other way round: bit by bit */
	for (int n = 0; n < 100000; n++) {
		static const u8 sizes[] = { 12, 13, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32 };
		unsigned int ps, size;
		u64 expected = 0, hash;

		x = x * 6364136223846793005ULL + 1442695040888963407ULL;
		va = x ^ x >> 29;
		ps = sizes[(x >> 33) % 12];
		size = 15 + (x >> 40) % 38;
		base = (x * 0x9e3779b97f4a7c15ULL) & ~MASK(15);
		cpu->rr[va >> 61] = RR(va >> 61, ps, 1);
		cpu->cr[CR_PTA] = base | size << 2 | 1;
		hash = vhpt_thash(cpu, va);
		for (unsigned int b = 0; b < 61; b++) {
			u64 from = 0;

			if (b >= size)
				from = base >> b & 1;
			else if (b >= 3 && b - 3 + ps <= 60)
				from = va >> (b - 3 + ps) & 1;
			expected |= from << b;
		}
		expected |= va & REGION(7);
		good &= hash == expected;
	}
	rule("2:66", "thash, short format: region of the address, base, page number * 8", good);

	reset();
	good = true;
	for (int n = 0; n < 100000; n++) {
		u64 hash;

		x = x * 6364136223846793005ULL + 1442695040888963407ULL;
		va = x ^ x >> 31;
		cpu->cr[CR_PTA] = REGION(5) | 0x0123456780000000 | BIT(8) | 20 << 2 | 1;
		hash = vhpt_thash(cpu, va);
		good &= !(hash & 31) && (hash & ~MASK(20)) == (REGION(5) | 0x0123456780000000);
		good &= !(vhpt_ttag(cpu, va) >> 63);
	}
	rule("2:66", "thash, long format: inside the table, 32-byte entries, PTA's region", good);
	rule("2:64", "ttag never has bit 63", good);
	good = true;
	/* Pairs that differ in a few bits; index and tag must never both agree. */
	for (int n = 0; n < 300000; n++) {
		u64 a, b, index, tag;
		u32 rid, other;

		x = x * 6364136223846793005ULL + 1442695040888963407ULL;
		a = x & MASK(61) & ~MASK(12);
		rid = x >> 37 & MASK(24);
		b = a ^ (BIT(12 + (x >> 5) % 49) & -(x >> 11 & 1)) ^
		    (BIT(12 + (x >> 17) % 49) & -(x >> 23 & 1));
		other = rid ^ (BIT((x >> 29) % 24) & -(x >> 35 & 1)) ^
			(BIT((x >> 41) % 24) & -(x >> 47 & 1));
		cpu->cr[CR_PTA] = BIT(8) | 15 << 2 | 1;
		cpu->rr[0] = (u64)rid << 8 | 12 << 2;
		index = vhpt_thash(cpu, a);
		tag = vhpt_ttag(cpu, a);
		cpu->rr[0] = (u64)other << 8 | 12 << 2;
		if (a != b || rid != other)
			good &= index != vhpt_thash(cpu, b) || tag != vhpt_ttag(cpu, b);
	}
	rule("3:269", "index and tag together tell pages and RIDs apart, smallest table and page",
	     good);
	cpu->rr[0] = RR(0, 14, 1);
	cpu->cr[CR_PTA] = 15 << 2;
	va = vhpt_ttag(cpu, 0x123456789000);
	cpu->cr[CR_PTA] |= BIT(8);
	rule("3:269", "ttag is the same whatever PTA says", va == vhpt_ttag(cpu, 0x123456789000));
	rule("3:265", "hash and tag do not depend on bits inside the page",
	     vhpt_ttag(cpu, 0x4000) == vhpt_ttag(cpu, 0x7fff) &&
	     vhpt_thash(cpu, 0x4000) == vhpt_thash(cpu, 0x7fff));
}

/* Region 2 walks a table in the long format in region 7. */
static u64 long_format(unsigned int ps)
{
	u64 table = REGION(7) | 0x40000000;

	reset();
	cpu->cr[CR_PTA] = table | BIT(8) | 20 << 2 | 1;
	cpu->rr[2] = RR(2, ps, 1);
	tlb_insert_tr(cpu, true, 0, PTE_FINE | LONG_TABLE, ITIR(20), table);
	memset(machine.ram + LONG_TABLE, 0, 1 << 20);
	return table;
}

/* Where the entry for va is in RAM. */
static u64 long_entry(u64 va)
{
	return LONG_TABLE + (vhpt_thash(cpu, va) & MASK(20));
}

static void long_put(u64 va, u64 pte, u64 itir, u64 tag)
{
	u64 pa = long_entry(va);

	poke(pa, pte);
	poke(pa + 8, itir);
	poke(pa + 16, tag);
	poke(pa + 24, ~0ULL);
}

static void long_walks(void)
{
	static const u8 sizes[] = { 12, 13, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32 };
	u64 va = REGION(2) | 0x123456789abcULL << 8;
	struct tlb_entry *e;
	bool good = true;

	for (unsigned int i = 0; i < sizeof(sizes); i++) {
		for (int data = 0; data < 2; data++) {
			long_format(14);
			long_put(va, PTE_FINE | 7ULL << sizes[i],
				 ITIR(sizes[i]) | ITIR_KEY(0x654321),
				 vhpt_ttag(cpu, va));
			good &= go(va, data ? WRITE : EXEC) &&
				t.pa == (7ULL << sizes[i] | (va & MASK(sizes[i])));
			e = tlb_find(data ? &cpu->dtlb : &cpu->itlb, RID(2), va);
			good &= e && e->ps == sizes[i] && e->key == 0x654321 &&
			  e->rid == RID(2) &&
				cpu->stats.tlb[data].walker_inserts[sizes[i]] == 1;
		}
	}
	rule("2:64", "long format: page size and key come from the entry, all sizes, both sides",
	     good);

	long_format(14);
	long_put(va, PTE_FINE, ITIR(14), vhpt_ttag(cpu, va) ^ 1);
	rule("2:64", "long format: another tag is no match, Data TLB Miss", faults(va, READ,
	     VEC_DATA_TLB, R));
	rule("2:66", "IHA is where the entry should be", f.sets_iha && f.iha == vhpt_thash(cpu,
	     va));
	rule("2:64", "another tag and a fetch: Instruction TLB Miss", faults(va, EXEC,
	     VEC_INST_TLB, X));
	long_put(va, PTE_FINE, ITIR(14), vhpt_ttag(cpu, va) | BIT(63));
	rule("2:64", "ti set: no match", faults(va, READ, VEC_DATA_TLB, R) && !has(cpu, true,
	     va));
	long_put(va, ~1ULL, ITIR(16), vhpt_ttag(cpu, va));
	rule("2:64", "not present: inserted with the entry's size, Page Not Present",
	     faults(va, READ, VEC_PAGE_NOT_PRESENT, R) && (e = tlb_find(&cpu->dtlb, RID(2),
	     va)) && e->ps == 16);
	good = true;
	for (unsigned int bit = 0; bit < 64; bit++) {
		if (bit >= 2 && bit < 8)
			continue;
		long_format(14);
		long_put(va, PTE_FINE, ITIR(14) | BIT(bit), vhpt_ttag(cpu, va));
		if (bit < 2 || bit >= 32)
			good &= faults(va, READ, VEC_DATA_TLB, R) && !has(cpu, true, va);
		else
			good &= go(va, READ);
	}
	rule("2:64", "reserved bits of the second word end the walk", good);
	good = true;
	for (unsigned int ps = 0; ps < 64; ps++) {
		long_format(14);
		long_put(va, PTE_FINE, ITIR(ps), vhpt_ttag(cpu, va));
		good &= go(va, READ) == (ps < 64 && INSERTABLE_PAGE_SIZES >> ps & 1);
	}
	rule("2:64", "an unsupported page size ends the walk", good);
	good = true;
	for (unsigned int bit = 0; bit < 64; bit++) {
		if (bit >= 2 && bit < 12)
			continue;
		long_format(14);
		long_put(va, PTE_FINE | BIT(bit), ITIR(14), vhpt_ttag(cpu, va));
		good &= go(va, READ) == !(bit == 1 || bit == 50 || bit == 51);
	}
	rule("2:64", "reserved bits of the first word end the walk", good);

	long_format(14);
	tlb_purge_tr(cpu, true, REGION(7) | 0x40000000, 20);
	rule("2:69",
	     "long format, table not mapped: VHPT Translation; IFA is the original address",
	     faults(va, WRITE, VEC_VHPT_TRANSLATION, W) && f.ifa == va);
	rule("2:69", "ITIR is the default of the table's region, IHA the entry's address",
	     f.itir == ((u64)RID(7) << 8 | 14 << 2) && f.iha == vhpt_thash(cpu, va));
	long_format(14);
	long_put(va, PTE_FINE, ITIR(14), vhpt_ttag(cpu, va));
	cpu->psr |= BIT(PSR_DB);
	set_dbr(cpu, 0, vhpt_thash(cpu, va) + 31);
	set_dbr(cpu, 1, BIT(63) | 1ULL << 56 | MASK(56));
	rule("2:68", "a breakpoint anywhere in the 32 bytes ends the walk", faults(va, READ,
	     VEC_DATA_TLB, R));
	set_dbr(cpu, 0, vhpt_thash(cpu, va) + 32);
	rule("2:68", "a breakpoint behind them does not", go(va, READ));
	long_format(14);
	cpu->cr[CR_DCR] = BIT(DCR_BE);
	long_put(va, __builtin_bswap64(PTE_FINE | 0x4000), __builtin_bswap64(ITIR(14)),
		 __builtin_bswap64(vhpt_ttag(cpu, va)));
	rule("2:68", "DCR.be holds for the long format too", go(va, READ) && t.pa >> 14 == 1);
	long_format(14);
	for (u64 part = 0; part < 4; part++) {
		u64 at = REGION(2) | 0x40000 | part << 14;

		long_put(at, PTE_FINE | 0x80000, ITIR(16), vhpt_ttag(cpu, at));
	}
	rule("2:573", "a large page has an entry for each piece of the preferred size",
	     go(REGION(2) | 0x4c123, READ) && t.pa == 0x8c123 && t.ps == 16 &&
	     go(REGION(2) | 0x40000, READ) &&
	     cpu->stats.tlb[1].walks == 1);
	long_format(14);
	cpu->psr &= ~BIT(PSR_IC);
	rule("2:70", "PSR.ic 0 and a walk that fails: Data Nested TLB", faults(va, READ,
	     VEC_DATA_NESTED_TLB, R));
	long_put(va, PTE_FINE, ITIR(14), vhpt_ttag(cpu, va));
	rule("2:67", "PSR.ic 0 does not keep the walker from data", go(va, READ));
}

/* Rules: interruption */
/* Repairs in the order of priority: each time the next fault shows. */
static void data_priority(void)
{
	unsigned int strict_sem = SEM | ACCESS_STRICT | ACCESS_WB_ONLY | ACCESS_SIZE(8);
	u64 va = REGION(1) | 0x4003, bad = PTE_MA(MA_NATPAGE) | PTE_AR(AR_R);
	u64 itir = (u64)RID(1) << 8 | 14 << 2;

	reset();
	cpu->psr |= BIT(PSR_PK) | BIT(PSR_DB);
	set_dbr(cpu, 0, va);
	set_dbr(cpu, 1, BIT(63) | 15ULL << 56);
	rule("2:70", "order, data: 1 TLB miss", faults(va, strict_sem, VEC_ALT_DATA_TLB, R | W));
	map_key(true, va, bad, 9);
	rule("2:70", "order, data: 2 Page Not Present", faults(va, strict_sem,
	     VEC_PAGE_NOT_PRESENT, R | W));
	rule("chapter 8", "Page Not Present: IFA and ITIR", f.ifa == va && f.sets_itir &&
	     f.itir == itir && !f.sets_iha);
	map_key(true, va, bad | PTE_P, 9);
	rule("2:70", "order, data: 3 NaT Page Consumption", faults(va, strict_sem,
	     VEC_NAT_CONSUMPTION, R | W | 0x20));
	rule("chapter 8", "NaT Page Consumption: IFA and ITIR",
	     f.sets_ifa && f.ifa == va && f.sets_itir && f.itir == itir && !f.sets_iha);
	bad = PTE_P | PTE_AR(AR_R) | PTE_MA(MA_UC);
	map_key(true, va, bad, 9);
	rule("2:70", "order, data: 4 Key Miss", faults(va, strict_sem, VEC_DATA_KEY_MISS, R | W));
	rule("chapter 8", "Key Miss: IFA and ITIR", f.ifa == va && f.itir == itir && f.sets_itir);
	set_pkr(cpu, 3, 9 << 8 | 2 | 1);
	rule("2:70", "order, data: 5 Key Permission", faults(va, strict_sem, VEC_KEY_PERMISSION,
	     R | W));
	set_pkr(cpu, 3, 9 << 8 | 1);
	rule("2:70", "order, data: 6 Access Rights", faults(va, strict_sem,
	     VEC_DATA_ACCESS_RIGHTS, R | W));
	rule("chapter 8", "Access Rights: IFA and ITIR", f.ifa == va && f.itir == itir &&
	     f.sets_itir);
	bad = PTE_P | PTE_AR(AR_RW) | PTE_MA(MA_UC);
	map_key(true, va, bad, 9);
	rule("2:70", "order, data: 7 Dirty Bit", faults(va, strict_sem, VEC_DIRTY_BIT, R | W));
	rule("chapter 8", "Dirty Bit: IFA and ITIR", f.ifa == va && f.itir == itir &&
	     f.sets_itir);
	map_key(true, va, bad | PTE_D, 9);
	rule("2:70", "order, data: 8 Access Bit", faults(va, strict_sem, VEC_DATA_ACCESS_BIT,
	     R | W));
	rule("chapter 8", "Access Bit: IFA and ITIR", f.ifa == va && f.itir == itir &&
	     f.sets_itir);
	map_key(true, va, bad | PTE_D | PTE_A, 9);
	rule("2:70", "order, data: 9 Debug", faults(va, strict_sem, VEC_DEBUG, R | W) &&
	     f.ifa == va);
	rule("chapter 8", "Debug, Unaligned, Unsupported: no ITIR", !f.sets_itir && !f.sets_iha);
	cpu->psr &= ~BIT(PSR_DB);
	rule("2:70", "order, data: 10 Unaligned", faults(va, strict_sem, VEC_UNALIGNED, R | W) &&
	     f.ifa == va);
	va &= ~7ULL;
	rule("2:70", "order, data: 11 Unsupported Data Reference",
	     faults(va, strict_sem, VEC_UNSUPPORTED_DATA_REFERENCE, R | W) && f.ifa == va);
	map_key(true, va, PTE_P | PTE_AR(AR_RW) | PTE_D | PTE_A, 9);
	rule("2:70", "order, data: 12 none", go(va, strict_sem));

	reset();
	map(true, 0, 0, 14, PTE_P | PTE_AR(AR_RW));
	rule("2:55", "dirty bit: no fault for a load", faults(0, READ, VEC_DATA_ACCESS_BIT, R));
	cpu->psr |= BIT(PSR_DA);
	rule("2:25", "PSR.da: neither dirty nor access bit faults", go(0, WRITE) && go(0, READ));
	rule("2:25", "PSR.da is nothing to fetches",
	     (map(false, 0, 0, 14, PTE_P | PTE_AR(AR_RX)), faults(0, EXEC, VEC_INST_ACCESS_BIT,
	     X)));
}

static void fetch_priority(void)
{
	u64 va = REGION(1) | 0x4030, itir = (u64)RID(1) << 8 | 14 << 2;

	reset();
	cpu->psr |= BIT(PSR_PK) | BIT(PSR_DB);
	set_ibr(cpu, 0, va);
	set_ibr(cpu, 1, BIT(63) | 15ULL << 56 | MASK(56));
	rule("2:70", "order, fetch: 1 TLB miss", faults(va, EXEC, VEC_ALT_INST_TLB, X));
	map_key(false, va, PTE_MA(MA_NATPAGE), 9);
	rule("2:70", "order, fetch: 2 Page Not Present", faults(va, EXEC, VEC_PAGE_NOT_PRESENT,
	     X) && f.itir == itir);
	map_key(false, va, PTE_MA(MA_NATPAGE) | PTE_P, 9);
	rule("2:70", "order, fetch: 3 NaT Page Consumption", faults(va, EXEC, VEC_NAT_CONSUMPTION,
	     X | 0x20));
	map_key(false, va, PTE_P, 9);
	rule("2:70", "order, fetch: 4 Key Miss", faults(va, EXEC, VEC_INST_KEY_MISS, X) &&
	     f.itir == itir);
	set_pkr(cpu, 3, 9 << 8 | 8 | 1);
	rule("2:70", "order, fetch: 5 Key Permission", faults(va, EXEC, VEC_KEY_PERMISSION, X));
	set_pkr(cpu, 3, 9 << 8 | 1);
	rule("2:70", "order, fetch: 6 Access Rights", faults(va, EXEC, VEC_INST_ACCESS_RIGHTS,
	     X) && f.itir == itir);
	map_key(false, va, PTE_P | PTE_AR(AR_RX), 9);
	rule("2:70", "order, fetch: 7 Access Bit", faults(va, EXEC, VEC_INST_ACCESS_BIT, X) &&
	     f.itir == itir);
	cpu->psr |= BIT(PSR_IA);
	rule("2:26", "PSR.ia: no instruction access bit fault", faults(va, EXEC, VEC_DEBUG, X));
	cpu->psr &= ~BIT(PSR_IA);
	map_key(false, va, PTE_P | PTE_AR(AR_RX) | PTE_A, 9);
	rule("2:70", "order, fetch: 8 Debug", faults(va, EXEC, VEC_DEBUG, X) && f.ifa == va);
	cpu->psr |= BIT(PSR_ID);
	rule("2:25", "PSR.id: no instruction debug fault", go(va, EXEC));
	cpu->psr &= ~(BIT(PSR_ID) | BIT(PSR_DB));
	rule("2:70", "order, fetch: 9 none", go(va, EXEC));
	rule("chapter 8", "IFA of a fetch is the bundle", faults(REGION(3) | 0x1237, EXEC,
	     VEC_ALT_INST_TLB, X) &&
	     f.ifa == (REGION(3) | 0x1230));
	cpu->psr &= ~BIT(PSR_IC);
	rule("2:70", "fetch misses are never nested", faults(REGION(3), EXEC, VEC_ALT_INST_TLB,
	     X));
}

static void breakpoints(void)
{
	u64 va = 0x4010;
	bool good = true;

	reset();
	map(true, 0, 0, 16, PTE_FINE);
	map(false, 0, 0, 16, PTE_FINE);
	cpu->psr |= BIT(PSR_DB);
	for (unsigned int n = 0; n < N_BREAKPOINTS; n += 2) {
		for (unsigned int control = 0; control < 4; control++) {
			set_dbr(cpu, n, va);
			set_dbr(cpu, n + 1, (u64)control << 62 | 15ULL << 56 | MASK(56));
			good &= go(va, READ | ACCESS_SIZE(8)) == !(control & 2);
			good &= go(va, WRITE | ACCESS_SIZE(8)) == !(control & 1);
			good &= go(va, SEM | ACCESS_SIZE(8)) == !control;
		}
		set_dbr(cpu, n + 1, 0);
	}
	rule("2:151", "each data breakpoint pair: r and w select the references", good);
	good = true;
	for (unsigned int plm = 0; plm < 16; plm++) {
		for (unsigned int level = 0; level < 4; level++) {
			set_dbr(cpu, 0, va);
			set_dbr(cpu, 1, 3ULL << 62 | (u64)plm << 56 | MASK(56));
			set_ibr(cpu, 0, va);
			set_ibr(cpu, 1, BIT(63) | (u64)plm << 56 | MASK(56));
			cpu->psr = PSR_TEST | BIT(PSR_DB) | (u64)level << PSR_CPL;
			good &= go(va, READ | ACCESS_SIZE(8)) == !(plm >> level & 1);
			good &= go(va, EXEC) == !(plm >> level & 1);
		}
	}
	rule("2:151", "plm selects privilege levels, data and instructions", good);
	reset();
	map(true, 0, 0, 16, PTE_FINE);
	map(false, 0, 0, 16, PTE_FINE);
	cpu->psr |= BIT(PSR_DB);
	set_dbr(cpu, 0, va | 3);
	set_dbr(cpu, 1, 3ULL << 62 | 15ULL << 56 | MASK(56));
	good = true;
	for (unsigned int size = 1; size <= 16; size *= 2)
		for (unsigned int at = 0; at < 32; at += size)
			good &= go(0x4000 + at, READ | ACCESS_SIZE(size)) ==
				!(0x4000 + at <= (va | 3) && (va | 3) < 0x4000 + at + size);
	rule("2:151", "a data breakpoint matches where any byte of the reference does", good);
	set_dbr(cpu, 1, 3ULL << 62 | 15ULL << 56 | (MASK(56) & ~MASK(8)));
	rule("2:151", "bits that the mask leaves out do not compare",
	     !go(0x40ff, READ | ACCESS_SIZE(1)) && !go(0x4000, READ | ACCESS_SIZE(1)) &&
	     go(0x4100, READ | ACCESS_SIZE(1)) && go(0x3fff, READ | ACCESS_SIZE(1)));
	set_dbr(cpu, 0, BIT(62) | va);
	set_dbr(cpu, 1, 3ULL << 62 | 15ULL << 56);
	rule("2:151", "bits 63:56 always compare", go(va, READ | ACCESS_SIZE(8)));
	set_dbr(cpu, 0, va);
	set_dbr(cpu, 1, 3ULL << 62 | 15ULL << 56 | MASK(56));
	cpu->psr |= BIT(PSR_DD);
	rule("2:25", "PSR.dd: no data debug fault", go(va, READ | ACCESS_SIZE(8)));
	cpu->psr &= ~(BIT(PSR_DD) | BIT(PSR_DB));
	rule("2:24", "PSR.db off: no debug fault", go(va, READ | ACCESS_SIZE(8)));
	cpu->psr |= BIT(PSR_DB);
	rule("2:102", "no debug faults of fc, tpa, tak and probe", go(va, ACCESS_FC) && go(va,
	     ACCESS_TPA) &&
	     go(va, ACCESS_TAK) && go(va, ACCESS_PROBE | READ));
	rule("2:102", "debug faults of lfetch.fault and probe.fault",
	     faults(va, ACCESS_LFETCH, VEC_DEBUG, R | NA | 4) &&
	     faults(va, ACCESS_PROBE_FAULT | WRITE, VEC_DEBUG, W | NA | 5));
	rule("2:151", "the RSE's references match with its level",
	     faults(va, READ | ACCESS_RSE | ACCESS_SIZE(8), VEC_DEBUG, R | RS));
	cpu->psr &= ~BIT(PSR_DT);
	rule("2:151", "physical references match too", faults(va, READ | ACCESS_SIZE(8),
	     VEC_DEBUG, R));
	set_ibr(cpu, 2, 0x4025);
	set_ibr(cpu, 3, BIT(63) | 15ULL << 56 | MASK(56));
	rule("2:151", "instruction breakpoints match the whole bundle",
	     !go(0x4020, EXEC) && go(0x4030, EXEC) && go(0x4010, EXEC));
	set_ibr(cpu, 3, 15ULL << 56 | MASK(56));
	rule("2:151", "an instruction breakpoint needs x", go(0x4020, EXEC));
}

static void alignment(void)
{
	bool integer = true, fp = true, ac = true, strict = true;

	reset();
	map(true, 0, 0, 16, PTE_FINE);
	for (unsigned int size = 1; size <= 8; size *= 2) {
		for (u64 va = 0; va < 64; va++) {
			bool aligned = !(va % size);

			cpu->psr = PSR_TEST;
			integer &= go(va, READ | ACCESS_SIZE(size)) == (aligned ||
				      va / 8 == (va + size - 1) / 8);
			fp &= go(va, READ | ACCESS_FP | ACCESS_SIZE(size)) ==
			      (aligned || va / 16 == (va + size - 1) / 16);
			strict &= go(va, READ | ACCESS_STRICT | ACCESS_SIZE(size)) == aligned;
			cpu->psr |= BIT(PSR_AC);
			ac &= go(va, READ | ACCESS_SIZE(size)) == aligned;
			ac &= go(va, WRITE | ACCESS_FP | ACCESS_SIZE(size)) == aligned;
		}
	}
	rule("model", "PSR.ac 0: integer references may be unaligned inside 8 bytes", integer);
	rule("model", "PSR.ac 0: floating-point references may be unaligned inside 16 bytes", fp);
	rule("1:37", "PSR.ac 1: any unaligned reference faults", ac);
	rule("1:37", "semaphores, pairs, spills and fills must be aligned", strict);
	cpu->psr = PSR_TEST;
	for (u64 va = 0; va < 32; va++)
		fp &= go(va, READ | ACCESS_FP | ACCESS_SIZE(10)) == (va % 16 <= 6);
	rule("model", "10 bytes: inside 16", fp);
	cpu->psr |= BIT(PSR_AC);
	rule("1:37", "10 bytes align to 16", go(16, READ | ACCESS_FP | ACCESS_SIZE(10)) &&
	     !go(2, READ | ACCESS_FP | ACCESS_SIZE(10)));
	cpu->psr = PSR_TEST;
	map(true, 0, 0, 16, PTE_FINE | PTE_MA(MA_UC));
	rule("model", "uncacheable: floating-point inside 8 bytes only",
	     !go(6, READ | ACCESS_FP | ACCESS_SIZE(4)) && go(2,
	     READ | ACCESS_FP | ACCESS_SIZE(4)));

	for (unsigned int ma = 0; ma < 7; ma++) {
		static const char *const names[] = {
			[MA_WB] = "WB", [MA_UC] = "UC", [MA_UCE] = "UCE", [MA_WC] = "WC"
		};
		unsigned int sem = SEM | ACCESS_WB_ONLY | ACCESS_SIZE(8);
		char text[60];

		if (ma >= 1 && ma <= 3)
			continue;
		map(true, 0, 0, 16, PTE_FINE | PTE_MA(ma));
		snprintf(text, sizeof(text), "semaphores on %s memory", names[ma]);
		rule("2:81", text, go(0, sem) == (ma == MA_WB));
		snprintf(text, sizeof(text), "fetchadd on %s memory", names[ma]);
		rule("2:81", text, go(0, sem | ACCESS_EXPORT) == (ma == MA_WB || ma == MA_UCE));
	}
	cpu->psr &= ~BIT(PSR_DT);
	rule("2:81", "semaphores on uncacheable physical addresses: Unsupported Data Reference",
	     faults(BIT(63), SEM | ACCESS_WB_ONLY | ACCESS_SIZE(8),
	     VEC_UNSUPPORTED_DATA_REFERENCE, R | W));
}

/* Rules: tlb */
static void non_access(void)
{
	bool result = true;

	reset();
	cpu->psr |= BIT(PSR_PK);
	/* everything wrong that is not about presence */
	map_key(true, 0, PTE_P | PTE_AR(AR_R), 77);
	cpu->psr |= 3ULL << PSR_CPL;
	rule("2:102", "tpa cares neither for keys nor rights nor bits", go(8, ACCESS_TPA) &&
	     t.pa == 8);
	rule("3:259", "tak gives the key", tlb_tak(cpu, 8) == 77 << 8);
	rule("2:102", "fc has no key checks but needs read rights",
	     faults(0, ACCESS_FC, VEC_DATA_ACCESS_RIGHTS, R | NA | 1));
	rule("2:102", "probe raises Key Miss", !tlb_probe(cpu, 0, READ, 3, &result, &f) &&
	     f.vector == VEC_DATA_KEY_MISS && f.isr == (R | NA | 2));
	set_pkr(cpu, 0, 77 << 8 | 4 | 1);
	rule("3:217", "probe without key permission is 0, no fault",
	     tlb_probe(cpu, 0, READ, 3, &result, &f) && !result);
	set_pkr(cpu, 0, 77 << 8 | 1);
	rule("3:217", "probe without rights is 0, no fault", tlb_probe(cpu, 0, READ, 3, &result,
	     &f) && !result);
	rule("3:217", "probe at the level that it names is 1, accessed or not",
	     tlb_probe(cpu, 0, READ, 0, &result, &f) && result);
	rule("3:217", "probe.w of a page that is only readable is 0",
	     tlb_probe(cpu, 0, WRITE, 0, &result, &f) && !result);
	map_key(true, 0, PTE_P | PTE_AR(AR_RW), 77);
	rule("3:217", "probe.w does not care for the dirty bit", tlb_probe(cpu, 0, WRITE, 0,
	     &result, &f) && result);
	rule("3:217", "probe.fault raises what the access would raise: rights",
	     faults(0, ACCESS_PROBE_FAULT | WRITE, VEC_DATA_ACCESS_RIGHTS, W | NA | 5));
	cpu->psr &= ~(3ULL << PSR_CPL);
	rule("3:217", "probe.w.fault: dirty bit", faults(0, ACCESS_PROBE_FAULT | WRITE,
	     VEC_DIRTY_BIT, W | NA | 5));
	rule("3:217", "probe.r.fault: access bit",
	     faults(0, ACCESS_PROBE_FAULT | READ, VEC_DATA_ACCESS_BIT, R | NA | 5));
	rule("3:151", "lfetch.fault: access bit", faults(0, ACCESS_LFETCH, VEC_DATA_ACCESS_BIT,
	     R | NA | 4));
	rule("2:102", "fc cares for neither access bit nor dirty bit", go(0, ACCESS_FC));
	map_key(true, 0, 0, 77);
	rule("3:259", "tak of a page that is not present is 1", tlb_tak(cpu, 0) == 1);
	rule("2:102", "tpa of a page that is not present: Page Not Present",
	     faults(0, ACCESS_TPA, VEC_PAGE_NOT_PRESENT, NA));
	rule("2:102", "probe of a page that is not present: Page Not Present",
	     !tlb_probe(cpu, 0, READ, 0, &result, &f) && f.vector == VEC_PAGE_NOT_PRESENT);
	map_key(true, 0, PTE_P | PTE_MA(MA_NATPAGE), 77);
	rule("2:102", "tpa of a NaTPage: NaT Page Consumption", faults(0, ACCESS_TPA,
	     VEC_NAT_CONSUMPTION, NA | 0x20));
	rule("2:102", "probe of a NaTPage: NaT Page Consumption",
	     !tlb_probe(cpu, 0, READ, 0, &result, &f) && f.vector == VEC_NAT_CONSUMPTION &&
	     f.isr == (R | NA | 0x22));
	rule("3:260", "tak of a NaTPage gives the key", tlb_tak(cpu, 0) == 77 << 8);
	rule("3:259", "tak without a translation is 1, no fault", tlb_tak(cpu, REGION(3)) == 1);
}

/* A code page with the exception deferral bit, or without. */
static void code_page(bool ed)
{
	map(false, REGION(7), 0, 14, PTE_FINE | (ed ? PTE_ED : 0));
	cpu->ip = REGION(7) | 0x100;
}

/* Rules: nat */
static void deferral(void)
{
	static const struct {
		int dcr;		/* -1: always deferred, -2: by ed alone */
		unsigned int vector;
		const char *name;
	} kinds[] = {
		{ DCR_DM, VEC_ALT_DATA_TLB, "Alternate Data TLB" },
		{ DCR_DM, VEC_VHPT_TRANSLATION, "VHPT Translation" },
		{ DCR_DM, VEC_DATA_TLB, "Data TLB" },
		{ DCR_DP, VEC_PAGE_NOT_PRESENT, "Page Not Present" },
		{ -1, 0, "NaT Page Consumption" },
		{ DCR_DK, VEC_DATA_KEY_MISS, "Key Miss" },
		{ DCR_DX, VEC_KEY_PERMISSION, "Key Permission" },
		{ DCR_DR, VEC_DATA_ACCESS_RIGHTS, "Access Rights" },
		{ DCR_DA, VEC_DATA_ACCESS_BIT, "Access Bit" },
		{ DCR_DD, VEC_DEBUG, "Debug" },
		{ -2, VEC_UNALIGNED, "Unaligned" },
		{ -1, 0, "Unimplemented Data Address" },
		{ -1, 0, "uncacheable" },
		{ -1, 0, "uncacheable exported" },
	};
	unsigned int spec = READ | ACCESS_SPEC | ACCESS_SIZE(8);

	for (unsigned int k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		bool good = true;
		char text[90];

		for (unsigned int n = 0; n < 32; n++) {
			bool ic = n & 1, it = n >> 1 & 1, ed = n >> 2 & 1, bit = n >> 3 & 1,
			  others = n >> 4;
			u64 va = REGION(2) | 0x10, table = REGION(2) | 0x0abcdef000000000ULL;
			u64 pte = PTE_FINE, dcr = others ? 0x7f00 : 0;
			bool expected;

			if (k == 1 || k == 2) {
				short_format(20, 14);
				tlb_purge_tr(cpu, true, table, 20);
				if (k == 2)
					map(true, table, SHORT_TABLE, 20,
					    PTE_FINE | PTE_MA(MA_UC));
			} else {
				reset();
			}
			code_page(ed);
			cpu->psr = PSR_TEST;
			if (k == 3)
				pte &= ~PTE_P;
			if (k == 4)
				pte |= PTE_MA(MA_NATPAGE);
			if (k == 5 || k == 6)
				cpu->psr |= BIT(PSR_PK);
			if (k == 6)
				set_pkr(cpu, 0, 9 << 8 | 4 | 1);
			if (k == 7) {
				pte = PTE_P | PTE_A | PTE_AR(AR_R);
				cpu->psr |= 3ULL << PSR_CPL;
			}
			if (k == 8)
				pte &= ~PTE_A;
			if (k == 9) {
				cpu->psr |= BIT(PSR_DB);
				set_dbr(cpu, 0, va);
				set_dbr(cpu, 1, BIT(63) | 15ULL << 56 | MASK(56));
			}
			if (k == 10)
				va |= 1;
			if (k == 11) {
				cpu->psr &= ~BIT(PSR_DT);
				va = BIT(55);
			}
			if (k == 12)
				pte |= PTE_MA(MA_UC);
			if (k == 13)
				pte |= PTE_MA(MA_UCE);
			if (k > 2)
				map_key(true, REGION(2), pte, 9);
			if (!ic)
				cpu->psr &= ~BIT(PSR_IC);
			if (!it)
				cpu->psr &= ~BIT(PSR_IT);
			if (kinds[k].dcr >= 0) {
				dcr &= ~BIT(kinds[k].dcr);
				dcr |= (u64)bit << kinds[k].dcr;
			}
			cpu->cr[CR_DCR] = dcr;
			expected = kinds[k].dcr == -1 || !ic ||
				   (it && ed && (kinds[k].dcr == -2 || bit));
			if (expected)
				good &= deferred(va, spec);
			else
				good &= faults(va, spec, kinds[k].vector, R | SP | (it &&
					       ed ? ED : 0));
		}
		snprintf(text, sizeof(text),
			 "ld.s, %s: deferral by PSR.ic, PSR.it, ITLB.ed, its DCR bit",
			 kinds[k].name);
		rule("2:107 table 5-4", text, good);
	}

	reset();
	code_page(true);
	cpu->cr[CR_DCR] = BIT(DCR_DM);
	cpu->psr |= BIT(PSR_DB);
	set_dbr(cpu, 0, 0x1230);
	set_dbr(cpu, 1, BIT(63) | 15ULL << 56 | MASK(56));
	rule("2:106", "a deferred TLB miss does not hide a debug fault",
	     faults(0x1230, spec, VEC_DEBUG, R | SP | ED));
	cpu->cr[CR_DCR] |= BIT(DCR_DD);
	rule("2:106", "both deferred: NaT", deferred(0x1230, spec));
	reset();
	code_page(true);
	cpu->cr[CR_DCR] = BIT(DCR_DR);
	cpu->psr |= 3ULL << PSR_CPL;
	map(true, 0, 0, 14, PTE_P | PTE_AR(AR_R));
	rule("2:106", "a deferred Access Rights does not hide Access Bit",
	     faults(0, spec, VEC_DATA_ACCESS_BIT, R | SP | ED));
	reset();
	code_page(true);
	cpu->cr[CR_DCR] = BIT(DCR_DP);
	map(true, 0, 0, 14, 0);
	rule("2:106", "a deferred Page Not Present hides what the page cannot say", deferred(0,
	     spec));
	reset();
	code_page(false);
	map(true, 0, 0, 14, PTE_FINE);
	rule("2:106", "a speculative load without any fault is just a load", go(8, spec) &&
	     t.pa == 8);
	map(true, 0, 0, 14, PTE_FINE | PTE_MA(MA_WC));
	rule("section 4.4.6", "write-coalescing memory may be read speculatively", go(8, spec));
	cpu->psr &= ~BIT(PSR_DT);
	rule("section 4.4.6", "physical addresses are not read speculatively", deferred(8, spec));
	reset();
	code_page(true);
	cpu->cr[CR_DCR] = 0x7f00;
	rule("2:105", "other loads defer nothing", faults(REGION(2), READ, VEC_ALT_DATA_TLB,
	     R | ED));
	short_format(20, 14);
	poke(SHORT_TABLE, PTE_FINE | 0x8000);
	rule("section 4.1.7", "a speculative load walks the VHPT", go(REGION(2) | 8, spec) &&
	     t.pa == 0x8008);
}

/* Rules: interruption */
static void isr_ed(void)
{
	reset();
	code_page(true);
	rule("2:37", "ISR.ed is that of the page with the instruction", faults(0, READ,
	     VEC_ALT_DATA_TLB, R | ED));
	rule("model", "asking for it is no use of the entry and no miss",
	     !cpu->stats.tlb[0].misses &&
	     !tlb_find(&cpu->itlb, RID(7), REGION(7))->used);
	rule("2:37", "ISR.ed is 0 for the RSE", faults(0, READ | ACCESS_RSE, VEC_ALT_DATA_TLB,
	     R | RS));
	rule("2:37", "ISR.ed is 0 for fetches", faults(0, EXEC, VEC_ALT_INST_TLB, X));
	cpu->ip = REGION(6);
	rule("2:37", "ISR.ed is 0 without a translation for the instruction", faults(0, READ,
	     VEC_ALT_DATA_TLB, R));
	code_page(true);
	cpu->psr &= ~BIT(PSR_IT);
	rule("2:37", "ISR.ed is 0 without instruction translation", faults(0, READ,
	     VEC_ALT_DATA_TLB, R));
}

/* What -break has the walker and the hash do wrong, and nothing else. */
static void broken_walks(void)
{
	u64 va = REGION(2) | 3 << 14, hash, tag;

	short_format(20, 14);
	break_cpu(cpu, BROKEN_WALKER_RESERVED);
	poke(SHORT_TABLE + 24, PTE_FINE | 2);
	rule("model", "-break walker-reserved: an entry with bit 1 set is inserted",
	     go(va, READ) && has(cpu, true, va));
	short_format(20, 14);
	break_cpu(cpu, BROKEN_WALKER_RESERVED);
	poke(SHORT_TABLE + 24, PTE_FINE | BIT(50));
	rule("model", "-break walker-reserved: none with another reserved bit",
	     faults(va, READ, VEC_DATA_TLB, R));
	short_format(20, 14);
	break_cpu(&cpus[1], BROKEN_WALKER_RESERVED);
	poke(SHORT_TABLE + 24, PTE_FINE | 2);
	rule("model", "-break cpu=1: not on processor 0", faults(va, READ, VEC_DATA_TLB, R));

	long_format(14);
	break_cpu(cpu, BROKEN_TAG_TI);
	long_put(va, PTE_FINE, ITIR(14), vhpt_ttag(cpu, va) | BIT(63));
	rule("model", "-break tag-ti: an entry with ti set is inserted", go(va, READ));
	long_format(14);
	break_cpu(cpu, BROKEN_TAG_TI);
	long_put(va, PTE_FINE, ITIR(14), (vhpt_ttag(cpu, va) ^ 1) | BIT(63));
	rule("model", "-break tag-ti: none with another tag", faults(va, READ, VEC_DATA_TLB, R));

	long_format(14);
	cpus[1].cr[CR_PTA] = cpu->cr[CR_PTA];
	cpus[1].rr[2] = cpu->rr[2];
	hash = vhpt_thash(cpu, va);
	rule("model", "thash is the same on all processors", vhpt_thash(&cpus[1], va) == hash);
	machine.opt.broken = BROKEN_THASH;
	machine.opt.broken_cpus = 3;
	rule("model", "-break thash: on processor 0 as it was, on the others not",
	     vhpt_thash(cpu, va) == hash && vhpt_thash(&cpus[1], va) != hash);
	long_put(va, PTE_FINE, ITIR(14), vhpt_ttag(cpu, va));
	rule("model", "-break thash: the walker looks where thash says", go(va, READ));

	long_format(14);
	cpus[1].rr[2] = cpu->rr[2];
	tag = vhpt_ttag(cpu, va);
	rule("model", "ttag is the same on all processors", vhpt_ttag(&cpus[1], va) == tag);
	machine.opt.broken = BROKEN_TTAG;
	machine.opt.broken_cpus = 3;
	rule("model", "-break ttag: on processor 0 as it was, on the others not",
	     vhpt_ttag(cpu, va) == tag && vhpt_ttag(&cpus[1], va) != tag);

	long_format(14);
	break_cpu(cpu, BROKEN_WALKER_HASH);
	long_put(va, PTE_FINE, ITIR(14), vhpt_ttag(cpu, va));
	rule("model", "-break walker-hash: the walker does not look where thash says",
	     faults(va, READ, VEC_DATA_TLB, R));
}

int main(void)
{
	physical();
	hits();
	access_rights();
	keys();
	miss_vectors();
	walker_enabling();
	short_walks();
	table_mapping();
	hashes();
	long_walks();
	data_priority();
	fetch_priority();
	breakpoints();
	alignment();
	non_access();
	deferral();
	isr_ed();
	broken_walks();
	return finish();
}
