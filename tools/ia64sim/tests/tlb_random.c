// SPDX-License-Identifier: GPL-2.0
/*
 * Random inserts, purges and lookups: the TLBs against a naive model, a list of
 * entries that is searched from end to end.  Usage: tlb_random [count [seed]].
 *
 * The naive model does not know which entry a replacement takes: it is told,
 * and checks that the choice was allowed.
 */
#include "mmu.h"

struct naive_entry {
	bool valid, tr, used;
	unsigned int slot;		/* of a TR */
	u32 rid;
	u64 first, last;		/* addresses without region */
	u64 pte;
	u32 key;
	unsigned int order;		/* of insertion */
};

/* For each processor and side. */
static struct naive_entry naive[2][2][512];
static unsigned int inserted[2][2];	/* inserts so far */
static unsigned int newest[2][2];
static u64 state;

static u64 draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 0x2545f4914f6cdd1dULL;
}

static const u8 sizes[] = { 12, 13, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32 };

/* Mostly small pages, close together, so that everything overlaps. */
static unsigned int draw_size(void)
{
	u64 x = draw();

	return sizes[(x & 7) ? (x >> 8) % 5 : (x >> 8) % 12];
}

static u64 draw_va(void)
{
	u64 x = draw(), va = x >> 16 & MASK(22);

	if (!(x & 15))
		va |= (x >> 4 & 7) << 30;
	return REGION(x >> 60) | va;
}

static u32 rid_of(u64 va)
{
	return rr_rid(cpus[0].rr[va >> 61]);
}

static void die(const char *what, u64 step)
{
	printf("not ok - step %llu: %s\n0 passed, 1 failed\n", (unsigned long long)step, what);
	exit(1);
}

static bool hits(const struct naive_entry *e, u32 rid, u64 first, u64 last)
{
	return e->valid && e->rid == rid && e->first <= last && first <= e->last;
}

static struct naive_entry *lookup(unsigned int c, bool data, u64 va)
{
	struct naive_entry *found = NULL;

	for (unsigned int i = 0; i < 512; i++) {
		struct naive_entry *e = &naive[c][data][i];

		if (hits(e, rid_of(va), va & MASK(61), va & MASK(61))) {
			if (found)
				die("two entries for one address", 0);
			found = e;
		}
	}
	return found;
}

static bool tr_overlaps(unsigned int c, bool data, u32 rid, u64 first, u64 last)
{
	for (unsigned int i = 0; i < 512; i++) {
		const struct naive_entry *e = &naive[c][data][i];

		if (e->tr && hits(e, rid, first, last))
			return true;
	}
	return false;
}

static void purge(unsigned int c, bool data, u32 rid, u64 first, u64 last, bool tr)
{
	for (unsigned int i = 0; i < 512; i++) {
		struct naive_entry *e = &naive[c][data][i];

		if (e->tr <= tr && hits(e, rid, first, last))
			e->valid = false;
	}
}

static void add(unsigned int c, bool data, bool tr, unsigned int slot, u64 va, unsigned int ps,
		u64 pte, u32 key)
{
	for (unsigned int i = 0; i < 512; i++) {
		struct naive_entry *e = &naive[c][data][i];

		if (e->valid)
			continue;
		*e = (struct naive_entry){
			.valid = true, .tr = tr, .slot = slot, .rid = rid_of(va),
			.first = va & MASK(61) & ~MASK(ps), .last = (va & MASK(61)) | MASK(ps),
			.pte = pte, .key = key, .order = ++inserted[c][data],
		};
		if (!tr)
			newest[c][data] = e->order;
		return;
	}
	die("the naive model is full", 0);
}

static unsigned int count(unsigned int c, bool data, bool tr)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < 512; i++)
		n += naive[c][data][i].valid && naive[c][data][i].tr == tr;
	return n;
}

static struct tlb *side(unsigned int c, bool data)
{
	return data ? &cpus[c].dtlb : &cpus[c].itlb;
}

/* Is the naive entry in the TLB? */
static bool present(unsigned int c, bool data, const struct naive_entry *e)
{
	const struct tlb_entry *t = tlb_find(side(c, data), e->rid, e->first);

	return t && t->vpn == e->first && t->vpn + MASK(t->ps) == e->last;
}

/* An insert made room: at most one TC entry left, and one that was allowed to. */
static void follow_replacement(unsigned int c, bool data, unsigned int before, unsigned int room,
			       u64 step)
{
	unsigned int gone = 0, unused = 0;
	struct naive_entry *victim = NULL;

	for (unsigned int i = 0; i < 512; i++) {
		struct naive_entry *e = &naive[c][data][i];

		if (e->valid && !e->tr && !present(c, data, e)) {
			gone++;
			victim = e;
		}
	}
	if (before < room) {
		if (gone)
			die("an entry was replaced although there was room", step);
		return;
	}
	if (gone != 1)
		die("not one entry was replaced", step);
	if (victim->order == newest[c][data])
		die("the newest entry was replaced", step);
	for (unsigned int i = 0; i < 512; i++) {
		struct naive_entry *e = &naive[c][data][i];

		unused += e->valid && !e->tr && !e->used && e->order != newest[c][data];
	}
	if (unused && victim->used)
		die("a used entry was replaced, an unused one was there", step);
	if (!unused)
		for (unsigned int i = 0; i < 512; i++)
			naive[c][data][i].used = false;
	victim->valid = false;
}

struct operation {
	unsigned int c, ps, slot;
	bool data, ok;
	u64 va, pte, itir;
	int kind;
};

static struct operation op;

static void perform(const void *arg)
{
	struct cpu *c = &cpus[op.c];

	(void)arg;
	switch (op.kind) {
	case 0:
		op.ok = tlb_insert_tc(c, op.data, op.pte, op.itir, op.va);
		break;
	case 1:
		op.ok = tlb_insert_walker(c, op.data, op.pte, op.itir, op.va);
		break;
	case 2:
		op.ok = tlb_insert_tr(c, op.data, op.slot, op.pte, op.itir, op.va);
		break;
	case 3:
		tlb_purge_local(c, op.va, op.ps);
		break;
	case 4:
		tlb_purge_global(c, op.va, op.ps, false);
		break;
	case 5:
		tlb_purge_tr(c, op.data, op.va, op.ps);
		break;
	case 6:
		tlb_purge_all(c, 0);
		break;
	}
}

/* Perform; true where it ended in a machine check. */
static bool checks(void)
{
	static FILE *null;
	FILE *saved = stderr;
	volatile bool came_back = false;

	if (!null)
		null = fopen("/dev/null", "w");
	stderr = null;
	if (!setjmp(cpus[op.c].interruption)) {
		perform(NULL);
		came_back = true;
	}
	stderr = saved;
	machine.powered_off = false;
	return !came_back;
}

static u64 n_kinds[8], n_checks, n_hits, n_replaced;

static void one(u64 step)
{
	u64 x = draw();
	u32 rid, key = x >> 30 & MASK(24);
	u64 first, last;
	bool wrong;

	op.c = x & 1;
	op.data = x >> 1 & 1;
	op.va = draw_va();
	op.ps = draw_size();
	op.slot = x >> 2 & 7;
	op.pte = (x >> 8 & MASK(37) & ~0x1eULL) << 12 | PTE_FINE;
	op.pte &= ~(BIT(50) | BIT(51));
	op.itir = ITIR(op.ps) | ITIR_KEY(key);
	op.kind = x >> 58;
	/* of 64: 28 itc, 12 walker, 4 itr, 4 ptc.l, 2 ptc.g, 4 ptr, the rest lookups */
	op.kind = op.kind < 28 ? 0 : op.kind < 40 ? 1 : op.kind < 44 ? 2 : op.kind < 48 ? 3 :
		  op.kind < 50 ? 4 : op.kind < 54 ? 5 : 7;
	if (!(draw() & 0xfff))
		op.kind = 6;
	n_kinds[op.kind]++;
	rid = rid_of(op.va);
	first = op.va & MASK(61) & ~MASK(op.ps);
	last = first | MASK(op.ps);

	if (op.kind == 7) {
		struct naive_entry *e = lookup(op.c, op.data, op.va);
		struct translation t;
		struct fault f;
		bool found = translate(&cpus[op.c], op.va, op.data ? ACCESS_READ : ACCESS_EXEC, 0,
				       &t, &f);

		if (found != !!e)
			die(e ? "an entry is missing" : "an entry should not be there", step);
		if (e) {
			u64 inside = e->last - e->first;

			if (t.pa != ((e->pte & MASK(50) & ~inside) | (op.va & inside)) ||
			    t.key != e->key)
				die("another translation", step);
			e->used = true;
			n_hits++;
		}
		return;
	}
	/* wrong size, now and then */
	if (!(x >> 40 & 0xff) && op.kind < 3 && op.kind != 1) {
		op.itir = ITIR(15);
		if (checks() || op.ok)
			die("a reserved page size was taken", step);
		return;
	}
	switch (op.kind) {
	case 0:
	case 2:
		wrong = tr_overlaps(op.c, op.data, rid, first, last);
		break;
	case 3:
	case 4:
		wrong = tr_overlaps(op.c, 0, rid, first, last) || tr_overlaps(op.c, 1, rid, first,
				    last);
		break;
	default:
		wrong = false;
		break;
	}
	if (checks() != wrong)
		die(wrong ? "no machine check" : "machine check", step);
	n_checks += wrong;
	if (wrong)
		return;
	switch (op.kind) {
	case 1:
		if (op.ok == tr_overlaps(op.c, op.data, rid, first, last))
			die("walker's insert and a TR", step);
		if (!op.ok)
			return;
		/* fall through */
	case 0: {
		unsigned int before, room = side(op.c, op.data)->n_tc;

		if (!op.ok)
			die("insert refused", step);
		purge(op.c, op.data, rid, first, last, false);
		before = count(op.c, op.data, false);
		follow_replacement(op.c, op.data, before, room, step);
		n_replaced += before == room;
		add(op.c, op.data, false, 0, op.va, op.ps, op.pte, key);
		break;
	}
	case 2:
		purge(op.c, op.data, rid, first, last, false);
		for (unsigned int i = 0; i < 512; i++) {
			struct naive_entry *e = &naive[op.c][op.data][i];

			if (e->tr && e->valid && e->slot == op.slot)
				e->valid = false;
		}
		add(op.c, op.data, true, op.slot, op.va, op.ps, op.pte, key);
		/* a TR may push out one TC entry */
		for (unsigned int i = 0, gone = 0; i < 512; i++) {
			struct naive_entry *e = &naive[op.c][op.data][i];

			if (e->valid && !e->tr && !present(op.c, op.data, e)) {
				e->valid = false;
				if (gone++)
					die("a TR pushed out two entries", step);
			}
		}
		break;
	case 4:
		for (unsigned int data = 0; data < 2; data++)
			purge(!op.c, data, rid, first, last, false);
		/* fall through */
	case 3:
		for (unsigned int data = 0; data < 2; data++)
			purge(op.c, data, rid, first, last, false);
		break;
	case 5:
		purge(op.c, op.data, rid, first, last, true);
		break;
	case 6:
		for (unsigned int data = 0; data < 2; data++)
			for (unsigned int i = 0; i < 512; i++)
				if (!naive[op.c][data][i].tr)
					naive[op.c][data][i].valid = false;
		break;
	}
	for (unsigned int c = 0; c < 2; c++) {
		for (unsigned int data = 0; data < 2; data++) {
			const struct tlb *tlb = side(c, data);
			unsigned int trs = count(c, data, true);

			if (count_valid(tlb) != tlb->n_valid || count(c, data,
			    false) != tlb->n_valid ||
			    tlb->n_tc != tlb->n_entries - trs ||
			    (unsigned int)__builtin_popcountll(tlb->tr_valid) != trs)
				die("numbers of entries", step);
		}
	}
}

int main(int argc, char **argv)
{
	u64 n = argc > 1 ? strtoull(argv[1], NULL, 0) : 1000000;

	state = argc > 2 ? strtoull(argv[2], NULL, 0) : 0x9e3779b97f4a7c15ULL;
	reset();
	machine.opt.itc_entries = 32;
	machine.opt.dtc_entries = 128;
	machine.opt.trs = 8;
	for (unsigned int c = 0; c < 2; c++) {
		tlb_reset(&cpus[c]);
		/* regions 6 and 7 share RIDs with 0 and 1 */
		cpus[c].rr[6] = cpus[c].rr[0];
		cpus[c].rr[7] = cpus[c].rr[1];
	}
	for (u64 step = 0; step < n; step++)
		one(step);
	printf("# itc %llu walker %llu itr %llu ptc.l %llu ptc.g %llu ptr %llu ptc.e %llu "
	       "lookups %llu\n",
	       (unsigned long long)n_kinds[0], (unsigned long long)n_kinds[1],
	       (unsigned long long)n_kinds[2], (unsigned long long)n_kinds[3],
	       (unsigned long long)n_kinds[4], (unsigned long long)n_kinds[5],
	       (unsigned long long)n_kinds[6], (unsigned long long)n_kinds[7]);
	printf("# hits %llu replacements %llu machine checks %llu\n", (unsigned long long)n_hits,
	       (unsigned long long)n_replaced, (unsigned long long)n_checks);
	if (!n_hits || !n_replaced || !n_checks || !n_kinds[6])
		die("the random operations leave something out", n);
	printf("ok - %llu random operations\n1 passed, 0 failed\n", (unsigned long long)n);
	return 0;
}
