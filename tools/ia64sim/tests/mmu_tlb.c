// SPDX-License-Identifier: GPL-2.0
/*
 * Rules for TLB inserts, purges and replacement: SDM volume 2, sections 4.1.1
 * to 4.1.3, and the pages of itc, itr, ptc and ptr.
 */
#include "mmu.h"

static const u8 sizes[] = { 12, 13, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32 };
enum { N_SIZES = sizeof(sizes) };

static bool is_size(unsigned int ps)
{
	return memchr(sizes, ps, N_SIZES);
}

static bool itc(bool data, u64 va, unsigned int ps)
{
	return tlb_insert_tc(cpu, data, PTE_FINE, ITIR(ps), va);
}

static bool itr(bool data, unsigned int slot, u64 va, unsigned int ps)
{
	return tlb_insert_tr(cpu, data, slot, PTE_FINE, ITIR(ps), va);
}

enum operation { ITC, ITR, PTC_L, PTC_G, PTC_GA, PTR };

struct call {
	enum operation operation;
	bool data;
	unsigned int slot;
	u64 va;
	unsigned int ps;
};

static void perform(const void *arg)
{
	const struct call *c = arg;

	switch (c->operation) {
	case ITC:
		itc(c->data, c->va, c->ps);
		break;
	case ITR:
		itr(c->data, c->slot, c->va, c->ps);
		break;
	case PTC_L:
		tlb_purge_local(cpu, c->va, c->ps);
		break;
	case PTC_G:
	case PTC_GA:
		tlb_purge_global(cpu, c->va, c->ps, c->operation == PTC_GA);
		break;
	case PTR:
		tlb_purge_tr(cpu, c->data, c->va, c->ps);
		break;
	}
}

static bool checks(enum operation operation, bool data, unsigned int slot, u64 va,
		   unsigned int ps)
{
	struct call c = { operation, data, slot, va, ps };

	return machine_checks(perform, &c);
}

/* Rules: tlb */
static void insert_fields(void)
{
	struct tlb_entry *e;
	bool good;

	reset();
	good = tlb_insert_tc(cpu, true, BIT(63) | BIT(53) | PTE_ED | 0x0002345678abc000ULL |
			     PTE_AR(5) | PTE_PL(2) | PTE_D | PTE_A | PTE_MA(MA_WC) | PTE_P,
			     ITIR_KEY(0xabcdef) | ITIR(12),
			     REGION(3) | 0x1234567891abcdefULL >> 3);
	e = tlb_find(&cpu->dtlb, RID(3), REGION(3) | 0x1234567891abcdefULL >> 3);
	rule("2:55", "insert takes p, ma, a, d, pl, ar, ed from the register",
	     good && e && e->p && e->ma == MA_WC && e->a && e->d && e->pl == 2 && e->ar == 5 &&
	     e->ed);
	rule("2:55", "insert takes ps and key from ITIR", e && e->ps == 12 && e->key == 0xabcdef);
	rule("2:55", "insert takes the RID from the region register that the address selects",
	     e && e->rid == RID(3));
	rule("2:55", "insert ignores bits 63:53 of the register and 11:0 of the address",
	     e && e->ppn == 0x0002345678abc000ULL && !(e->vpn & 0xfff));

	reset();
	tlb_insert_tc(cpu, true, PTE_FINE | 0x3fff000, ITIR(16), 0x123fff);
	e = tlb_find(&cpu->dtlb, RID(0), 0x120000);
	rule("2:55", "bits of ppn and vpn below the page size are ignored",
	     e && e->ppn == 0x3ff0000 && e->vpn == 0x120000);

	reset();
	good = true;
	for (unsigned int ps = 0; ps < 64; ps++)
		good &= itc(true, REGION(1), ps) == is_size(ps);
	rule("2:57", "itc.d takes each insertable page size and no other", good);
	reset();
	good = true;
	for (unsigned int ps = 0; ps < 64; ps++)
		good &= itc(false, REGION(1), ps) == is_size(ps);
	rule("2:57", "itc.i takes each insertable page size and no other", good);
	reset();
	good = true;
	for (unsigned int ps = 0; ps < 64; ps++) {
		good &= itr(true, 0, REGION(1), ps) == is_size(ps);
		if (is_size(ps))
			tlb_purge_tr(cpu, true, REGION(1), ps);
	}
	rule("2:57", "itr takes each insertable page size and no other", good);

	reset();
	good = true;
	for (unsigned int bit = 0; bit < 64; bit++) {
		bool reserved = bit == 1 || bit == 50 || bit == 51;

		/* all of a bit's neighbours in legal encodings */
		if (bit >= 2 && bit <= 4)
			continue;
		good &= tlb_insert_tc(cpu, true, PTE_FINE | BIT(bit), ITIR(12), 0) == !reserved;
	}
	rule("2:55", "a present translation with bits 1, 50 or 51 is refused", good);
	good = true;
	for (unsigned int ma = 0; ma < 8; ma++)
		good &= tlb_insert_tc(cpu, true, PTE_FINE | PTE_MA(ma), ITIR(12), 0) ==
			!(ma == 1 || ma == 2 || ma == 3);
	rule("2:75", "memory attributes 1, 2, 3 are refused, 0 and 4 to 7 taken", good);
	good = true;
	for (unsigned int bit = 0; bit < 64; bit++) {
		bool reserved = bit < 2 || bit >= 32;

		if (bit >= 2 && bit < 8)
			continue;
		good &= tlb_insert_tc(cpu, true, PTE_FINE, ITIR(12) | BIT(bit), 0) == !reserved;
	}
	rule("2:55", "ITIR bits 1:0 and 63:32 are refused for a present translation", good);
	rule("2:56", "a not-present translation may have anything in bits 63:1",
	     tlb_insert_tc(cpu, true, ~1ULL, ITIR(12), 0));
	rule("2:56", "a not-present translation needs a supported page size",
	     !tlb_insert_tc(cpu, true, ~1ULL, ITIR(15), 0));
	rule("2:55", "a not-present translation is in the TLB and matches", has(cpu, true,
	     0x800));
	rule("2:55", "a refused insert leaves the TLB alone",
	     !tlb_insert_tc(cpu, true, PTE_FINE | 2, ITIR(28), 0) && has(cpu, true, 0x800) &&
	     count_valid(&cpu->dtlb) == 1);
	rule("3:149", "itr to a register that is not implemented is refused",
	     !itr(true, cpu->dtlb.n_tr, REGION(2), 14) && itr(true, cpu->dtlb.n_tr - 1, REGION(2),
	     14));
}

static void sides(void)
{
	reset();
	itc(true, 0x10000, 14);
	itc(false, 0x20000, 14);
	rule("2:48", "itc.d is seen by data only", has(cpu, true, 0x10000) && !has(cpu, false,
	     0x10000));
	rule("2:48", "itc.i is seen by instructions only",
	     has(cpu, false, 0x20000) && !has(cpu, true, 0x20000));
	itr(true, 0, 0x30000, 14);
	itr(false, 0, 0x40000, 14);
	rule("2:48", "itr.d is seen by data only", has(cpu, true, 0x30000) && !has(cpu, false,
	     0x30000));
	rule("2:48", "itr.i is seen by instructions only",
	     has(cpu, false, 0x40000) && !has(cpu, true, 0x40000));
	itc(true, 0x20000, 14);
	rule("2:52", "itc.d may leave an overlapping instruction TC entry, and does", has(cpu,
	     false, 0x20000));
	itc(false, 0x30000, 14);
	rule("2:52", "itc.i is no machine check over a data TR, and leaves it",
	     has(cpu, true, 0x30000) && has(cpu, false, 0x30000));
	itc(true, 0x40000, 14);
	rule("2:52", "itc.d is no machine check over an instruction TR, and leaves it",
	     has(cpu, true, 0x40000) && has(cpu, false, 0x40000));
	rule("2:47", "another RID does not match", !has(cpu, true, REGION(1) | 0x10000));
	cpu->rr[1] = cpu->rr[0];
	rule("2:51", "the same RID matches through another region number",
	     has(cpu, true, REGION(1) | 0x10000));
}

static void matching(void)
{
	bool good = true;

	for (unsigned int i = 0; i < N_SIZES; i++) {
		u64 size = BIT(sizes[i]), va = REGION(2) | 5 * size;

		reset();
		itc(true, va + 8, sizes[i]);
		good &= has(cpu, true, va) && has(cpu, true, va + size - 1) &&
			!has(cpu, true, va - 1) && !has(cpu, true, va + size);
	}
	rule("2:57", "a TC entry of each size matches its page and nothing beside it", good);
	good = true;
	for (unsigned int i = 0; i < N_SIZES; i++) {
		u64 size = BIT(sizes[i]), va = REGION(2) | 5 * size;

		reset();
		itr(true, 3, va + 8, sizes[i]);
		good &= has(cpu, true, va) && has(cpu, true, va + size - 1) &&
			!has(cpu, true, va - 1) && !has(cpu, true, va + size);
	}
	rule("2:57", "a TR of each size matches its page and nothing beside it", good);
}

static void insert_overlaps(void)
{
	bool larger = true, smaller = true, same = true, beside = true, tr_purges = true;
	bool check_tc = true, check_tr = true;

	for (unsigned int i = 0; i < N_SIZES; i++) {
		for (unsigned int j = 0; j < N_SIZES; j++) {
			/* old entry of size i, new one of size j around or in it */
			u64 va = REGION(1) | (1ULL << 40);
			u64 off = sizes[i] > sizes[j] ? BIT(sizes[i]) - BIT(sizes[j]) :
				  BIT(sizes[j]) - BIT(sizes[i]);
			u64 old = sizes[i] > sizes[j] ? va : va + off;
			u64 new = sizes[i] > sizes[j] ? va + off : va;
			bool good;

			reset();
			itc(true, old, sizes[i]);
			itc(true, new, sizes[j]);
			good = count_valid(&cpu->dtlb) == 1 && has(cpu, true, new) &&
			       (i <= j || !has(cpu, true, old));
			if (i < j)
				larger &= good;
			else if (i > j)
				smaller &= good;
			else
				same &= good;

			reset();
			itc(true, old, sizes[i]);
			itr(true, 0, new, sizes[j]);
			tr_purges &= count_valid(&cpu->dtlb) == 0 && has(cpu, true, new);

			reset();
			itr(true, 0, old, sizes[i]);
			check_tc &= checks(ITC, true, 0, new, sizes[j]);
			reset();
			itr(false, 0, old, sizes[i]);
			check_tr &= checks(ITR, false, 1, new, sizes[j]);

			reset();
			itc(true, va - BIT(sizes[i]), sizes[i]);
			itc(true, va, sizes[j]);
			beside &= count_valid(&cpu->dtlb) == 2;
		}
	}
	rule("2:51", "a larger page removes each smaller entry that it overlaps", larger);
	rule("2:51", "a smaller page removes the larger entry around it, whole", smaller);
	rule("2:51", "an entry for the same page replaces the old one", same);
	rule("2:51", "an entry beside it stays, all pairs of sizes", beside);
	rule("2:52", "itr removes overlapping TC entries of its side", tr_purges);
	rule("2:52", "itc over a TR of its side is a machine check, all pairs of sizes",
	     check_tc);
	rule("2:52", "itr over another TR of its side is a machine check, all pairs of sizes",
	     check_tr);

	reset();
	for (int i = 0; i < 4; i++)
		itc(true, REGION(1) | (u64)i << 14, 14);
	itc(true, REGION(1) | 0x8000, 16);
	rule("2:51", "one insert removes several entries",
	     count_valid(&cpu->dtlb) == 1 && has(cpu, true, REGION(1)));
	reset();
	cpu->rr[2] = cpu->rr[1];
	itc(true, REGION(1) | 0x4000, 14);
	itc(true, REGION(2) | 0x4000, 14);
	rule("2:51", "overlap is by RID, whatever the region number",
	     count_valid(&cpu->dtlb) == 1);
	reset();
	itc(true, REGION(1) | 0x4000, 14);
	itc(true, REGION(2) | 0x4000, 14);
	rule("2:51", "the same address under another RID is no overlap",
	     count_valid(&cpu->dtlb) == 2);
	reset();
	itr(true, 0, REGION(1), 14);
	rule("3:149", "itr over what its own slot holds is a machine check: ptr first",
	     checks(ITR, true, 0, REGION(1), 14));
	reset();
	itr(true, 0, REGION(1), 14);
	itr(true, 0, REGION(1) | 0x4000, 14);
	rule("3:149", "itr to a slot in use: the old translation is gone (it might stay as TC)",
	     !has(cpu, true, REGION(1)) && has(cpu, true, REGION(1) | 0x4000));
	reset();
	itr(true, 0, REGION(1), 14);
	(void)checks(ITC, true, 0, REGION(1), 14);
	rule("2:52", "the machine check stops the machine with status 3",
	     machine.powered_off && machine.exit_status == 3);
}

static void local_purges(void)
{
	bool whole = true, beside = true, range = true;

	for (unsigned int i = 0; i < N_SIZES; i++) {
		for (unsigned int j = 0; j < N_SIZES; j++) {
			u64 va = REGION(1) | (1ULL << 40);

			reset();
			itc(true, va + BIT(sizes[i]) - 1, sizes[i]);
			itc(false, va, sizes[i]);
			itc(true, va - BIT(sizes[i]), sizes[i]);
			/* the last page of that size in it, or the page around it */
			tlb_purge_local(cpu, va + BIT(sizes[i]) - 1, sizes[j]);
			if (j < i)
				whole &= !has(cpu, true, va) && !has(cpu, false, va);
			else
				range &= !has(cpu, true, va) && !has(cpu, false, va);
			beside &= has(cpu, true, va - BIT(sizes[i]));
		}
	}
	rule("3:233", "ptc.l of a part removes the whole entry, both sides", whole);
	rule("3:233", "ptc.l of a range removes each entry in it, both sides", range);
	rule("3:233", "ptc.l leaves what is beside the range", beside);

	reset();
	for (unsigned int i = 0; i < 8; i++)
		itc(true, REGION(4) | (u64)i << 14, 14);
	tlb_purge_local(cpu, REGION(4) | 0x13456, 16);
	rule("3:233", "ptc.l aligns the address to the size",
	     has(cpu, true, REGION(4) | 0xc000) && !has(cpu, true, REGION(4) | 0x10000) &&
	     count_valid(&cpu->dtlb) == 4 && cpu->stats.tlb[1].purged == 4);
	reset();
	cpu->rr[5] = cpu->rr[4];
	itc(true, REGION(4), 14);
	itc(true, REGION(6), 14);
	tlb_purge_local(cpu, REGION(5), 14);
	rule("2:51", "ptc.l goes by the RID of its address, whatever the region number",
	     !has(cpu, true, REGION(4)) && has(cpu, true, REGION(6)));
	reset();
	tlb_insert_tc(&cpus[1], true, PTE_FINE, ITIR(14), 0);
	tlb_purge_local(cpu, 0, 14);
	rule("3:233", "ptc.l does not reach other processors", has(&cpus[1], true, 0));
	for (int data = 0; data < 2; data++) {
		reset();
		itr(data, 0, REGION(1), 16);
		rule("3:233", data ? "ptc.l over a data TR is a machine check" :
		     "ptc.l over an instruction TR is a machine check",
		     checks(PTC_L, 0, 0, REGION(1) | 0x4000, 14));
	}
	for (unsigned int ps = 0, good = 1; ps < 64; ps++) {
		reset();
		good &= checks(PTC_L, 0, 0, 0, ps) == !is_size(ps);
		good &= checks(PTR, true, 0, 0, ps) == !is_size(ps);
		if (ps == 63)
			rule("2:57",
			     "purges of unsupported sizes are machine checks, of the others not",
			     good);
	}
	reset();
	itc(true, 0, 14);
	itc(false, REGION(3), 16);
	itr(true, 1, REGION(2), 14);
	itr(false, 1, REGION(2), 14);
	tlb_purge_all(cpu, 0);
	rule("3:230", "ptc.e empties both translation caches",
	     !count_valid(&cpu->dtlb) && !count_valid(&cpu->itlb) &&
	     cpu->stats.tlb[0].purged == 1 && cpu->stats.tlb[1].purged == 1);
	rule("3:230", "ptc.e leaves translation registers",
	     has(cpu, true, REGION(2)) && has(cpu, false, REGION(2)));
	itc(true, 0, 14);
	rule("3:230", "inserts work after ptc.e", has(cpu, true, 0));
}

static void global_purges(void)
{
	for (int alat = 0; alat < 2; alat++) {
		reset();
		for (unsigned int i = 0; i < 2; i++) {
			tlb_insert_tc(&cpus[i], true, PTE_FINE, ITIR(16), REGION(1));
			tlb_insert_tc(&cpus[i], false, PTE_FINE, ITIR(14), REGION(1) | 0x8000);
			tlb_insert_tc(&cpus[i], true, PTE_FINE, ITIR(14), REGION(1) | 0x10000);
		}
		tlb_purge_global(cpu, REGION(1), 16, alat);
		rule("3:231", alat ? "ptc.ga removes TC entries of the issuer" :
		     "ptc.g removes TC entries of the issuer",
		     !has(cpu, true, REGION(1)) && !has(cpu, false, REGION(1) | 0x8000) &&
		     has(cpu, true, REGION(1) | 0x10000));
		rule("3:231", alat ? "ptc.ga removes TC entries of other processors" :
		     "ptc.g removes TC entries of other processors",
		     !has(&cpus[1], true, REGION(1)) && !has(&cpus[1], false,
		     REGION(1) | 0x8000) &&
		     has(&cpus[1], true, REGION(1) | 0x10000));
		rule("2:571", alat ? "ptc.ga invalidates the ALATs of other processors" :
		     "ptc.g leaves all ALATs alone",
		     seen.alat_flushes[1] == (unsigned int)alat && !seen.alat_flushes[0]);
	}
	reset();
	tlb_insert_tr(&cpus[1], true, 0, PTE_FINE, ITIR(16), REGION(1));
	tlb_insert_tr(&cpus[1], false, 0, PTE_FINE, ITIR(16), REGION(1));
	rule("2:52", "ptc.ga over a TR of another processor is no machine check",
	     !checks(PTC_GA, 0, 0, REGION(1), 14));
	rule("2:52", "ptc.ga leaves TRs of other processors",
	     has(&cpus[1], true, REGION(1)) && has(&cpus[1], false, REGION(1)));
	reset();
	itr(true, 0, REGION(1), 16);
	rule("2:52", "ptc.g over the issuer's own TR is a machine check",
	     checks(PTC_G, 0, 0, REGION(1), 14));
	reset();
	cpus[1].rr[3] = cpus[0].rr[1];
	tlb_insert_tc(&cpus[1], true, PTE_FINE, ITIR(14), REGION(3));
	tlb_insert_tc(&cpus[1], true, PTE_FINE, ITIR(14), REGION(1));
	cpus[1].rr[1] = RR(2, 14, 0);
	tlb_purge_global(cpu, REGION(1), 14, false);
	rule("3:231", "the RID is the issuer's; other processors' region registers do not matter",
	     !has(&cpus[1], true, REGION(3)));
	reset();
	tlb_insert_tc(&cpus[1], true, PTE_FINE, ITIR(14), REGION(2));
	cpus[0].rr[1] = cpus[1].rr[2];
	tlb_purge_global(cpu, REGION(1), 14, false);
	rule("3:231", "a global purge counts once, at the issuer",
	     cpus[0].stats.purges_global == 1 && !cpus[1].stats.purges_global &&
	     cpus[1].stats.tlb[1].purged == 1);
}

static void register_purges(void)
{
	for (int data = 0; data < 2; data++) {
		reset();
		itr(0, 2, REGION(1), 16);
		itr(1, 2, REGION(1), 16);
		itr(data, 3, REGION(1) | 0x10000, 16);
		itr(data, 4, REGION(2), 16);
		itc(0, REGION(1) | 0x20000, 14);
		itc(1, REGION(1) | 0x20000, 14);
		tlb_purge_tr(cpu, data, REGION(1) | 0x4000, 18);
		rule("3:234", data ? "ptr.d removes each overlapping data TR" :
		     "ptr.i removes each overlapping instruction TR",
		     !has(cpu, data, REGION(1)) && !has(cpu, data, REGION(1) | 0x10000));
		rule("3:234", data ? "ptr.d leaves other TRs" : "ptr.i leaves other TRs",
		     has(cpu, data, REGION(2)));
		rule("2:52", data ? "ptr.d removes overlapping data TC entries" :
		     "ptr.i removes overlapping instruction TC entries",
		     !has(cpu, data, REGION(1) | 0x20000));
		rule("2:52",
		     data ? "ptr.d leaves instruction TRs; instruction TC entries may stay" :
		     "ptr.i leaves data TRs; data TC entries may stay",
		     has(cpu, !data, REGION(1)) && has(cpu, !data, REGION(1) | 0x20000));
	}
	reset();
	itr(true, 0, REGION(1), 14);
	tlb_purge_tr(cpu, true, REGION(2), 14);
	rule("3:234", "ptr goes by RID", has(cpu, true, REGION(1)));
	tlb_purge_tr(cpu, true, REGION(1), 14);
	rule("3:149", "after ptr the slot takes the same page again",
	     !checks(ITR, true, 0, REGION(1), 14) && has(cpu, true, REGION(1)));
}

static void replacement(void)
{
	unsigned int n;
	bool good = true;

	reset();
	rule("2:49", "Madison: 128 entries, TRs out of the same",
	     cpu->dtlb.n_tc == 128 && cpu->itlb.n_tc == 128 && cpu->dtlb.n_tr == 64);
	itr(true, 5, REGION(7), 26);
	rule("2:49", "a TR takes an entry from the cache, ptr gives it back",
	     cpu->dtlb.n_tc == 127 && (tlb_purge_tr(cpu, true, REGION(7), 26),
	     cpu->dtlb.n_tc == 128));

	reset();
	n = cpu->dtlb.n_tc;
	for (u64 i = 0; i < n; i++)
		itc(true, i << 14, 14);
	good = count_valid(&cpu->dtlb) == n;
	for (u64 i = 0; i < n; i++)
		good &= has(cpu, true, i << 14);
	rule("2:50", "free entries fill before any is replaced", good);
	for (u64 i = 0; i < n; i++)
		tlb_find(&cpu->dtlb, RID(0), i << 14)->used = i != 77 && i != 90;
	itc(true, (u64)n << 14, 14);
	rule("2:50", "the entry that was not used goes first",
	     !has(cpu, true, 77 << 14) && has(cpu, true, 90 << 14) &&
	     count_valid(&cpu->dtlb) == n);
	itc(true, (u64)(n + 1) << 14, 14);
	rule("2:50", "the search goes on behind the last victim", !has(cpu, true, 90 << 14));

	good = true;
	reset();
	for (u64 i = 0; i < 2000; i++) {
		itc(true, i << 14, 14);
		/* everybody else was used just now: the newest must stay */
		good &= has(cpu, true, i << 14) && (!i || has(cpu, true, (i - 1) << 14));
		for (unsigned int k = 0; k < n; k++)
			if (cpu->dtlb.tc[k].valid && k != cpu->dtlb.last)
				cpu->dtlb.tc[k].used = true;
	}
	rule("2:50", "the newest entry is never the next victim", good);

	reset();
	cpu->dtlb.fifo = true;
	for (u64 i = 0; i < n; i++)
		itc(true, i << 14, 14);
	for (u64 i = 0; i < n; i++)
		tlb_find(&cpu->dtlb, RID(0), i << 14)->used = i != 77;
	for (u64 i = 0; i < 3; i++)
		itc(true, (n + i) << 14, 14);
	rule("model", "with replace=fifo the oldest entry goes, used or not",
	     !has(cpu, true, 0) && !has(cpu, true, 2 << 14) && has(cpu, true, 3 << 14) &&
	     has(cpu, true, 77 << 14) && count_valid(&cpu->dtlb) == n);

	reset();
	for (u64 i = 0; i < n; i++) {
		itc(true, i << 14, 14);
		cpu->dtlb.tc[cpu->dtlb.last].used = true;
	}
	seen.soft_flushes[0] = 0;
	itc(true, (u64)n << 14, 14);
	good = seen.soft_flushes[0] == 1;
	for (unsigned int k = 0; k < n; k++)
		good &= !cpu->dtlb.tc[k].used;
	rule("model", "all used: all used bits are cleared, and the soft TLB with them", good);

	reset();
	for (u64 i = 0; i < 64; i++)
		itr(true, i, REGION(7) | i << 26, 26);
	for (u64 i = 0; i < 1000; i++)
		itc(true, i << 14, 14);
	rule("2:49", "with all TRs in use the cache still works",
	     cpu->dtlb.n_tc == 64 && count_valid(&cpu->dtlb) == 64 && has(cpu, true, 999 << 14));

	machine.opt.dtc_entries = 16;
	machine.opt.itc_entries = 4;
	machine.opt.trs = 8;
	tlb_reset(cpu);
	rule("model", "options change the sizes", cpu->dtlb.n_tc == 16 && cpu->itlb.n_tc == 4 &&
	     cpu->dtlb.n_tr == 8 && cpu->itlb.n_tr == 2);
	good = true;
	for (u64 i = 0; i < 100; i++) {
		itc(true, i << 14, 14);
		good &= count_valid(&cpu->dtlb) == (i < 16 ? i + 1 : 16);
	}
	rule("model", "a TLB of 16 holds 16", good);
}

/* The same calls give the same entries in the same places. */
static void determinism(void)
{
	static struct tlb first;
	bool same = true;

	for (int run = 0; run < 2; run++) {
		u64 x = 88172645463325252ULL;

		reset();
		for (int i = 0; i < 20000; i++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			itc(true, REGION(x >> 40 & 3) | (x & 0xff) << 14, sizes[x >> 50 & 3]);
			if ((x >> 30 & 63) == 0)
				tlb_purge_local(cpu, (x & 0xff) << 14, 16);
			struct tlb_entry *e = tlb_find(&cpu->dtlb, RID(0), (x >> 8 & 0xff) << 14);

			if (e)
				e->used = true;
		}
		if (run)
			same = !memcmp(&first, &cpu->dtlb, sizeof(first));
		else
			first = cpu->dtlb;
	}
	rule("model", "equal calls leave equal TLBs", same);
}

static void statistics(void)
{
	const struct tlb_stats *d = &cpu->stats.tlb[1], *i = &cpu->stats.tlb[0];

	reset();
	itc(true, 0, 14);
	itc(true, 0x4000, 14);
	itc(true, 0x10000, 16);
	itc(false, 0, 28);
	itr(true, 0, REGION(1), 14);
	rule("model", "inserts count by side, kind and size",
	     d->software_inserts[14] == 2 && d->software_inserts[16] == 1 &&
	     i->software_inserts[28] == 1 && d->register_inserts == 1 && !i->register_inserts);
	tlb_purge_local(cpu, 0, 16);
	rule("model", "purges count what they remove", d->purged == 2 && i->purged == 1 &&
	     cpu->stats.purges_local == 1);
}

/* The short cuts of the host: dropped when the model loses what they stand on. */
static void short_cuts(void)
{
	u64 va = REGION(1) | 0x14000, other = REGION(1) | 0x25000;
	bool gone = true;

	reset();
	itc(true, va, 14);
	itc(true, va + 0x4000, 14);
	cpu->rr[3] = cpu->rr[1];
	for (u64 page = va; page < va + 0x8000; page += SOFT_PAGE)
		soft_entry(cpu, page)->read = soft_entry(cpu, page)->write = page;
	seen.soft_flushes[0] = 0;
	cpu->limit = 1;
	tlb_purge_local(cpu, va, 14);
	rule("model", "an entry that goes takes its short cuts, no others",
	     soft_entry(cpu, va)->read == ~0ULL && soft_entry(cpu, va + 0x3000)->write == ~0ULL &&
	     soft_entry(cpu, va + 0x4000)->read == va + 0x4000 && !seen.soft_flushes[0]);
	rule("model", "one of data that goes does not stop the run loop", cpu->limit == 1);
	reset();
	cpu->rr[3] = cpu->rr[1];
	itc(true, va, 14);
	soft_entry(cpu, va)->read = REGION(3) | 0x14000;
	tlb_purge_local(cpu, va, 14);
	rule("model", "also those through other region numbers with the same RID",
	     soft_entry(cpu, va)->read == ~0ULL);
	reset();
	itc(true, REGION(1), 28);
	soft_entry(cpu, va)->read = va;
	tlb_purge_local(cpu, va, 14);
	rule("model", "a large entry takes all short cuts", soft_entry(cpu, va)->read == ~0ULL);
	reset();
	itc(false, va, 16);
	fetch_entry(cpu, va + 0x1000)->page = va + 0x1000;
	fetch_entry(cpu, other)->page = other;
	cpu->limit = 1;
	tlb_purge_local(cpu, va, 14);
	rule("model", "an instruction entry takes the short cuts of fetches",
	     fetch_entry(cpu, va + 0x1000)->page == ~0ULL && fetch_entry(cpu, other)->page == other);
	rule("model", "and stops the run loop, which may be in its page", !cpu->limit);
	reset();
	itc(true, va, 14);
	for (unsigned int level = 0; level < 4; level++) {
		set_psr(cpu, (cpu->psr & ~(3ULL << PSR_CPL)) | (u64)level << PSR_CPL);
		soft_entry(cpu, va)->read = va;
	}
	tlb_purge_local(cpu, va, 14);
	for (unsigned int level = 0; level < 4; level++) {
		set_psr(cpu, (cpu->psr & ~(3ULL << PSR_CPL)) | (u64)level << PSR_CPL);
		gone &= soft_entry(cpu, va)->read == ~0ULL;
	}
	rule("model", "an entry takes the short cuts of all levels", gone);
	reset();
	tlb_insert_tc(&cpus[1], true, PTE_FINE, ITIR(14), va);
	soft_entry(&cpus[1], va)->read = va;
	tlb_purge_global(cpu, va, 14, false);
	rule("model", "global purges take the short cuts of the processors they reach",
	     soft_entry(&cpus[1], va)->read == ~0ULL);
	reset();
	itr(true, 0, va, 14);
	soft_entry(cpu, va)->read = va;
	tlb_purge_tr(cpu, true, va, 14);
	rule("model", "ptr takes the short cuts of the register", soft_entry(cpu,
	     va)->read == ~0ULL);
}

static void registers(void)
{
	bool good = true;

	reset();
	for (unsigned int bit = 0; bit < 64; bit++) {
		if (bit >= 2 && bit < 8)
			continue;
		good &= set_rr(cpu, 1, ITIR(14) | BIT(bit)) == !(bit == 1 || bit >= 32);
	}
	rule("2:59", "region registers: bits 1 and 63:32 are reserved", good);
	good = true;
	for (unsigned int ps = 0; ps < 64; ps++)
		good &= set_rr(cpu, 2, 0x12300 | ps << 2) == is_size(ps);
	rule("2:59", "region registers: ps is an insertable page size", good);
	rule("2:59", "a refused write leaves the region register",
	     cpu->rr[2] == (0x12300 | 32 << 2) && !set_rr(cpu, 2, 2) &&
	     cpu->rr[2] == (0x12300 | 32 << 2));
	seen.soft_flushes[0] = 0;
	set_rr(cpu, 3, ITIR(16) | 0x7700);
	rule("model", "a region register write drops the short cuts", seen.soft_flushes[0] == 1);
	good = true;
	for (unsigned int bit = 0; bit < 64; bit++)
		good &= set_pkr(cpu, 1, BIT(bit)) == !((bit >= 4 && bit < 8) || bit >= 32);
	rule("2:59", "protection key registers: bits 7:4 and 63:32 are reserved", good);
	rule("2:59", "there are 16 protection key registers",
	     set_pkr(cpu, 15, 0x101) && !set_pkr(cpu, 16, 0x101) && cpu->pkr[15] == 0x101);
	seen.soft_flushes[0] = 0;
	good = set_pkr(cpu, 3, 1) && set_dbr(cpu, 0, ~1ULL) && set_ibr(cpu, 7, ~2ULL);
	rule("model", "writes of keys and breakpoints drop the short cuts",
	     seen.soft_flushes[0] == 3);
	rule("2:151", "breakpoint registers have no reserved fields",
	     good && cpu->dbr[0] == ~1ULL && cpu->ibr[7] == ~2ULL);
	rule("2:151", "there are four pairs of breakpoint registers",
	     !set_dbr(cpu, N_BREAKPOINTS, 0) && !set_ibr(cpu, N_BREAKPOINTS, 0) &&
	     N_BREAKPOINTS == 8);
}

/* What -break has inserts and purges do wrong, and nothing else. */
static void broken_sizes(void)
{
	reset();
	break_cpu(cpu, BROKEN_ITIR);
	itc(true, REGION(1), 20);
	rule("model", "-break itir: itc inserts the region's page size",
	     has(cpu, true, REGION(1)) && !has(cpu, true, REGION(1) | 0x4000));
	itc(true, REGION(3), 12);
	rule("model", "-break itir: or a smaller one",
	     has(cpu, true, REGION(3)) && !has(cpu, true, REGION(3) | 0x1000));
	itr(true, 0, REGION(2), 20);
	rule("model", "-break itir: itr takes that of cr.itir", has(cpu, true, REGION(2) | 0x4000));

	reset();
	break_cpu(cpu, BROKEN_PURGE_SIZE);
	itc(true, REGION(1), 20);
	itc(true, REGION(2), 14);
	itc(true, REGION(3), 12);
	for (unsigned int r = 1; r < 4; r++)
		tlb_purge_local(cpu, REGION(r), 14);
	rule("model", "-break purge-size: ptc.l leaves larger translations",
	     has(cpu, true, REGION(1)) && !has(cpu, true, REGION(2)) && !has(cpu, true, REGION(3)));
	tlb_purge_global(cpu, REGION(1), 14, true);
	rule("model", "-break purge-size: so does ptc.ga", has(cpu, true, REGION(1)));
	tlb_purge_local(cpu, REGION(1), 20);
	rule("model", "-break purge-size: a purge of their size removes them",
	     !has(cpu, true, REGION(1)));
	itc(true, REGION(1), 20);
	itc(true, REGION(1), 14);
	rule("model", "-break purge-size: so does an insert", count_valid(&cpu->dtlb) == 1);

	reset();
	cpus[1].rr[1] = cpu->rr[1];
	itc(true, REGION(1), 20);
	break_cpu(cpu, BROKEN_PURGE_GLOBAL);
	tlb_purge_global(&cpus[1], REGION(1), 14, true);
	rule("model", "-break purge-global: ptc.ga of another leaves larger translations",
	     has(cpu, true, REGION(1)));
	tlb_purge_global(cpu, REGION(1), 14, true);
	rule("model", "-break purge-global: the processor's own removes them",
	     !has(cpu, true, REGION(1)));
	itc(true, REGION(1), 14);
	tlb_purge_global(&cpus[1], REGION(1), 14, true);
	rule("model", "-break purge-global: another's removes what is not larger",
	     !has(cpu, true, REGION(1)));
}

int main(void)
{
	insert_fields();
	sides();
	matching();
	insert_overlaps();
	local_purges();
	global_purges();
	register_purges();
	replacement();
	determinism();
	statistics();
	short_cuts();
	registers();
	broken_sizes();
	return finish();
}
