// SPDX-License-Identifier: GPL-2.0
/*
 * PAL, the processor abstraction layer: SDM volume 2 chapter 11.  Answers as a
 * 1.5 GHz Madison with 6 MB of cache does.  Procedures that are not here return
 * "unimplemented", which PAL may do for all but the required ones.
 */
#include "cpu/refs.h"
#include "firmware/firmware.h"
#include "pmu/pmu.h"
#include "watch/trace.h"

enum {
	PAL_CACHE_FLUSH = 1, PAL_CACHE_INFO = 2, PAL_CACHE_INIT = 3, PAL_CACHE_SUMMARY = 4,
	PAL_MEM_ATTRIB = 5, PAL_PTCE_INFO = 6, PAL_VM_INFO = 7, PAL_VM_SUMMARY = 8,
	PAL_BUS_GET_FEATURES = 9, PAL_BUS_SET_FEATURES = 10, PAL_DEBUG_INFO = 11,
	PAL_FIXED_ADDR = 12, PAL_FREQ_BASE = 13, PAL_FREQ_RATIOS = 14, PAL_PERF_MON_INFO = 15,
	PAL_PLATFORM_ADDR = 16, PAL_PROC_GET_FEATURES = 17, PAL_PROC_SET_FEATURES = 18,
	PAL_RSE_INFO = 19, PAL_VERSION = 20, PAL_MC_CLEAR_LOG = 21, PAL_MC_DRAIN = 22,
	PAL_MC_EXPECTED = 23, PAL_MC_REGISTER_MEM = 27, PAL_HALT_LIGHT = 29,
	PAL_CACHE_LINE_INIT = 31, PAL_PMI_ENTRYPOINT = 32, PAL_VM_PAGE_SIZE = 34,
	PAL_MEM_FOR_TEST = 37, PAL_REGISTER_INFO = 39, PAL_PREFETCH_VISIBILITY = 41,
	PAL_HALT_INFO = 257, PAL_TEST_PROC = 258, PAL_VM_TR_READ = 261,
};

enum { GOOD = 0, UNIMPLEMENTED = -1, INVALID = -2 };

/* One procedure: PAL_CACHE_INFO's two words. */
struct cache {
	u8 level, type;			/* type: 1 instructions, 2 data or unified */
	bool unified, write_back;
	u8 ways, line, stride;		/* line and stride as log2 */
	u8 store_latency, load_latency, store_hints, load_hints;
	u8 alias, tag_low, tag_high;
	u32 size;
};

/* Hints: bit 0 temporal, 1 non-temporal in level 1, 3 in all levels.  fc and
 * the flushes work on the lines of the second level, hence the stride.
 */
static const struct cache caches[] = {
	{ 0, 1, false, false, 4, 6, 7, 0, 1, 0x0, 0x1, 12, 12, 49, 16384 },
	{ 0, 2, false, false, 4, 6, 7, 3, 1, 0x1, 0xb, 12, 12, 49, 16384 },
	{ 1, 2, true, true, 8, 7, 7, 7, 5, 0x9, 0xb, 15, 15, 49, 262144 },
	{ 2, 2, true, true, 24, 7, 7, 7, 14, 0x9, 0xb, 18, 18, 49, 6291456 },
};
enum { CACHE_LEVELS = 3, UNIQUE_CACHES = 4 };

static struct result fail(s64 status)
{
	return (struct result){ .status = status };
}

static struct result good(u64 a, u64 b, u64 c)
{
	return (struct result){ .status = GOOD, .v = { a, b, c } };
}

static struct result cache_info(u64 level, u64 type)
{
	for (unsigned int i = 0; i < sizeof(caches) / sizeof(caches[0]); i++) {
		const struct cache *c = &caches[i];

		if (c->level != level || c->type != type)
			continue;
		return good(c->unified | (u64)c->write_back << 1 | (u64)c->ways << 8 |
			    (u64)c->line << 16 | (u64)c->stride << 24 |
			    (u64)c->store_latency << 32 | (u64)c->load_latency << 40 |
			    (u64)c->store_hints << 48 | (u64)c->load_hints << 56,
			    c->size | (u64)c->alias << 32 | (u64)c->tag_low << 40 |
			    (u64)c->tag_high << 48, 0);
	}
	return fail(INVALID);
}

/* Two levels of translation caches each for instructions and for data.  The
 * model has only the second, which is what software can tell apart; the first
 * is described as it is in a Madison: 4 KiB pieces of whatever is mapped.
 */
static struct result vm_info(const struct cpu *cpu, u64 level, u64 type)
{
	const struct options *opt = &cpu->machine->opt;
	u64 entries;

	if (level > 1 || (type != 1 && type != 2))
		return fail(INVALID);
	if (level == 0)
		return good(1 | 32ULL << 8 | 32ULL << 16, BIT(12), 0);
	entries = type == 1 ? opt->itc_entries : opt->dtc_entries;
	/* one set, fully associative; translation registers take from it */
	return good(1 | (entries & 0xff) << 8 | entries << 16 | BIT(34), INSERTABLE_PAGE_SIZES, 0);
}

static struct result vm_summary(const struct cpu *cpu)
{
	u64 max_tr = cpu->machine->opt.trs - 1;

	return good(1 | (u64)IMPL_PA_BITS << 1 | (u64)IMPL_KEY_BITS << 8 |
		    (u64)(IMPL_PKRS - 1) << 16 | 2ULL << 24 | max_tr << 32 | max_tr << 40 |
		    4ULL << 48 | 2ULL << 56,
		    IMPL_VA_MSB | (u64)rid_bits(cpu->machine) << 8 | 1ULL << 16, 0);
}

/* The implemented PMCs and PMDs, and which of them count cycles and retired
 * instructions; 32 bytes each.  Then how many counters, their width, and the two events.
 */
static struct result perf_mon_info(struct cpu *cpu, u64 buffer)
{
	const u64 masks[] = {
		pmu_info.pmc, pmu_info.pmd, pmu_info.counters, pmu_info.counters,
	};

	if (buffer % 8)
		return fail(INVALID);
	for (unsigned int i = 0; i < 16; i++)
		store(cpu, buffer + i * 8, 8, i % 4 ? 0 : masks[i / 4]);
	return good(N_COUNTERS | COUNTER_BITS << 8 | pmu_info.cycles << 16 |
		    (u64)pmu_info.retired << 24, 0, 0);
}

/* Feature sets 0 (architected; nothing of it can be switched here) and 16
 * (Itanium 2).  1 means that there is nothing here but a higher set exists.
 */
static struct result proc_get_features(u64 set)
{
	if (set > 16)
		return fail(-8);
	if (set > 0 && set < 16)
		return fail(1);
	return good(0, 0, 0);
}

static u64 bits_of(const u8 *list, unsigned int n, bool upper)
{
	u64 bits = 0;

	for (unsigned int i = 0; i < n; i++)
		if (list[i] / 64 == upper)
			bits |= BIT(list[i] % 64);
	return bits;
}

static struct result register_info(u64 request)
{
	static const u8 ar[] = {
		0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 21, 24, 25, 26, 27, 28, 29, 30,
		32, 36, 40, 44, 64, 65, 66,
	};
	static const u8 cr[] = {
		0, 1, 2, 8, 16, 17, 19, 20, 21, 22, 23, 24, 25, 64, 65, 66, 67, 68, 69,
		70, 71, 72, 73, 74, 80, 81,
	};
	static const u8 cr_effects[] = { CR_IVR };

	switch (request) {
	case 0:
		return good(bits_of(ar, sizeof(ar), false), bits_of(ar, sizeof(ar), true), 0);
	case 1:		/* no application register minds being read */
		return good(0, 0, 0);
	case 2:
		return good(bits_of(cr, sizeof(cr), false), bits_of(cr, sizeof(cr), true), 0);
	case 3:
		return good(0, bits_of(cr_effects, 1, true), 0);
	default:
		return fail(INVALID);
	}
}

static struct result halt_light(struct cpu *cpu)
{
	/* Returns at the next unmasked external interrupt; one may be there. */
	cpu->halted = !cpu->interrupt_pending;
	/* An interrupt ends it whatever PSR.i is: none waits meanwhile. */
	cpu->masking = false;
	attend(cpu);
	return good(0, 0, 0);
}

/* LIGHT_HALT is the only one: 8 states of 8 bytes. */
static struct result halt_info(struct cpu *cpu, u64 buffer)
{
	if (buffer % 8)
		return fail(INVALID);
	/* latencies 1 and 1, 2 W, coherent, implemented */
	store(cpu, buffer, 8, 1 | 1 << 16 | 2000ULL << 32 | BIT(60) | BIT(61));
	for (unsigned int i = 1; i < 8; i++)
		store(cpu, buffer + i * 8, 8, 0);
	return good(0, 0, 0);
}

/* A translation register in the format of its insertion: GR, ITIR, IFA with bit
 * 0 for valid, RR.
 */
static struct result vm_tr_read(struct cpu *cpu, u64 slot, u64 type, u64 buffer)
{
	const struct tlb_entry *e;

	if (type > 1 || slot >= cpu->machine->opt.trs || buffer % 8)
		return fail(INVALID);
	e = type ? &cpu->dtlb.tr[slot] : &cpu->itlb.tr[slot];
	store(cpu, buffer, 8, e->p | (u64)e->ma << 2 | (u64)e->a << 5 | (u64)e->d << 6 |
	      (u64)e->pl << 7 | (u64)e->ar << 9 | (e->ppn & 0x3fffffffff000ULL) |
	      (u64)e->ed << 52);
	store(cpu, buffer + 8, 8, (u64)e->ps << 2 | (u64)e->key << 8);
	store(cpu, buffer + 16, 8, (e->vpn & ~0xfffULL) | e->valid);
	store(cpu, buffer + 24, 8, (u64)e->rid << 8);
	/* access rights, privilege level, dirty bit and attribute are valid */
	return good(0xf, 0, 0);
}

/* Revision numbers in BCD: PAL_B 5.37, vendor 1, PAL_A 7.31. */
enum { PAL_B_REVISION = 0x0537, PAL_VENDOR = 1, PAL_A_REVISION = 0x0731 };

static struct result pal_version(void)
{
	u64 version = PAL_B_REVISION | (u64)PAL_VENDOR << 24 | (u64)PAL_A_REVISION << 32;

	return good(version, version, 0);
}

static struct result platform_addr(u64 type, u64 address)
{
	/* The addresses are wired; agreeing with them is all one can do. */
	if (type == 0 && (address & MASK(63)) == IPI_BASE)
		return good(0, 0, 0);
	if (type == 1 && (address & MASK(63)) == PORT_BASE)
		return good(0, 0, 0);
	return fail(INVALID);
}

static struct result mc_expected(struct cpu *cpu, u64 expected)
{
	bool *flag = &cpu->machine->firmware->mca_expected[cpu->id];
	bool before = *flag;

	*flag = expected & 1;
	return good(before, 0, 0);
}

/* Ratio as PAL_FREQ_RATIOS gives it. */
static u64 ratio(u64 numerator, u64 denominator)
{
	return numerator << 32 | denominator;
}

/* Of the processor's clock, and of ar.itc's, to the bus. */
static u64 clock_ratio(const struct machine *m)
{
	u64 a = m->cpu_hz, b = BUS_HZ;

	while (b) {
		u64 rest = a % b;

		a = b;
		b = rest;
	}
	return ratio(m->cpu_hz / a, BUS_HZ / a);
}

struct result pal_call(struct cpu *cpu, u64 index, const u64 arg[3])
{
	struct result r;

	switch (index) {
	case PAL_CACHE_FLUSH:
		/* Memory is always coherent; decoded code follows every store. */
		r = arg[0] >= 1 && arg[0] <= 4 ? good(0, 0, 0) : fail(INVALID);
		break;
	case PAL_CACHE_INFO:
		r = cache_info(arg[0], arg[1]);
		break;
	case PAL_CACHE_INIT:
	case PAL_CACHE_LINE_INIT:
	case PAL_BUS_SET_FEATURES:
	case PAL_PROC_SET_FEATURES:
	case PAL_MC_CLEAR_LOG:
	case PAL_MC_DRAIN:
	case PAL_MC_REGISTER_MEM:
	case PAL_PMI_ENTRYPOINT:
	case PAL_MEM_FOR_TEST:
	case PAL_TEST_PROC:
		r = good(0, 0, 0);
		break;
	case PAL_CACHE_SUMMARY:
		r = good(CACHE_LEVELS, UNIQUE_CACHES, 0);
		break;
	case PAL_MEM_ATTRIB:
		r = good(BIT(MA_WB) | BIT(MA_UC) | BIT(MA_UCE) | BIT(MA_WC) | BIT(MA_NATPAGE),
			 0, 0);
		break;
	case PAL_PTCE_INFO:
		/* one ptc.e, of operand 0, empties both sides */
		r = good(0, 1ULL << 32 | 1, 0);
		break;
	case PAL_VM_INFO:
		r = vm_info(cpu, arg[0], arg[1]);
		break;
	case PAL_VM_SUMMARY:
		r = vm_summary(cpu);
		break;
	case PAL_BUS_GET_FEATURES:
		r = good(0, 0, 0);
		break;
	case PAL_DEBUG_INFO:
		r = good(N_BREAKPOINTS / 2, N_BREAKPOINTS / 2, 0);
		break;
	case PAL_FIXED_ADDR:
		r = good(cpu->id, 0, 0);
		break;
	case PAL_FREQ_RATIOS:
		/* processor, bus and ITC against the 200 MHz of the bus */
		r = good(clock_ratio(cpu->machine), ratio(1, 1), clock_ratio(cpu->machine));
		break;
	case PAL_PERF_MON_INFO:
		r = perf_mon_info(cpu, arg[0]);
		break;
	case PAL_PLATFORM_ADDR:
		r = platform_addr(arg[0], arg[1]);
		break;
	case PAL_PROC_GET_FEATURES:
		r = proc_get_features(arg[1]);
		break;
	case PAL_RSE_INFO:
		r = good(N_STACKED, 0, 0);
		break;
	case PAL_VERSION:
		r = pal_version();
		break;
	case PAL_MC_EXPECTED:
		r = mc_expected(cpu, arg[0]);
		break;
	case PAL_HALT_LIGHT:
		r = halt_light(cpu);
		break;
	case PAL_VM_PAGE_SIZE:
		r = good(INSERTABLE_PAGE_SIZES, PURGEABLE_PAGE_SIZES, 0);
		break;
	case PAL_REGISTER_INFO:
		r = register_info(arg[0]);
		break;
	case PAL_PREFETCH_VISIBILITY:
		/* 1: nothing to do on the other processors */
		r = fail(1);
		break;
	case PAL_HALT_INFO:
		r = halt_info(cpu, arg[0]);
		break;
	case PAL_VM_TR_READ:
		r = vm_tr_read(cpu, arg[0], arg[1], arg[2]);
		break;
	default:
		r = fail(UNIMPLEMENTED);
		break;
	}
	if (tracing(cpu->machine, TRACE_FIRMWARE) && index != PAL_HALT_LIGHT)
		trace_line(cpu, "PAL %llu (%#llx, %#llx, %#llx) = %lld: %#llx %#llx %#llx",
			   (unsigned long long)index, (unsigned long long)arg[0],
			   (unsigned long long)arg[1], (unsigned long long)arg[2],
			   (long long)r.status, (unsigned long long)r.v[0],
			   (unsigned long long)r.v[1], (unsigned long long)r.v[2]);
	return r;
}
