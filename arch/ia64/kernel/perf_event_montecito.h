/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The performance monitors of the dual-core Itanium 2, Montecito (CPUID family 0x20):
 * twelve counters of 47 bits in PMD4 to PMD15.  Nobody has run this yet.
 *
 * Events of the L2 and L3 count only accesses in those MESI states that PMC bits 30:27
 * ask for.  Not all events are here; a raw one needs no name.
 */

static struct attribute *montecito_event_attrs[] = {
	EVENT_ATTR(CPU_OP_CYCLES_ALL, 0x12, 0),
	EVENT_ATTR(IA64_INST_RETIRED_THIS, 0x08, 0),
	EVENT_ATTR(NOPS_RETIRED, 0x50, 0),
	EVENT_ATTR(PREDICATE_SQUASHED_RETIRED, 0x51, 0),
	EVENT_ATTR(INST_DISPERSED, 0x4d, 0),
	EVENT_ATTR(DISP_STALLED, 0x49, 0),
	EVENT_ATTR(BR_MISPRED_DETAIL_ALL_ALL_PRED, 0x5b, 0),
	EVENT_ATTR(BR_MISPRED_DETAIL_ALL_CORRECT_PRED, 0x5b, 1),
	EVENT_ATTR(BR_MISPRED_DETAIL_ALL_WRONG_PATH, 0x5b, 2),
	EVENT_ATTR(LOADS_RETIRED, 0xcd, 0),
	EVENT_ATTR(STORES_RETIRED, 0xd1, 0),
	EVENT_ATTR(DATA_REFERENCES_SET0, 0xc3, 0),
	EVENT_ATTR(DATA_REFERENCES_SET1, 0xc5, 0),
	EVENT_ATTR(L1DTLB_TRANSFER, 0xc0, 0),
	EVENT_ATTR(L2DTLB_MISSES, 0xc1, 0),
	EVENT_ATTR(DTLB_INSERTS_HPW, 0xc9, 0),
	EVENT_ATTR(DTLB_INSERTS_HPW_RETIRED, 0x2c, 0),
	EVENT_ATTR(HPW_DATA_REFERENCES, 0x2d, 0),
	EVENT_ATTR(ITLB_MISSES_FETCH_L1ITLB, 0x47, 1),
	EVENT_ATTR(ITLB_MISSES_FETCH_L2ITLB, 0x47, 2),
	EVENT_ATTR(ITLB_MISSES_FETCH_ALL, 0x47, 3),
	EVENT_ATTR(L1ITLB_INSERTS_HPW, 0x48, 0),
	EVENT_ATTR(L1I_READS, 0x40, 0),
	EVENT_ATTR(L1I_FILLS, 0x41, 0),
	EVENT_ATTR(L1I_PREFETCHES, 0x44, 0),
	EVENT_ATTR(L1D_READS_SET0, 0xc2, 0),
	EVENT_ATTR(L1D_READS_SET1, 0xc4, 0),
	EVENT_ATTR(L1D_READ_MISSES_ALL, 0xc7, 0),
	EVENT_ATTR(BACK_END_BUBBLE_ALL, 0x00, 0),
	EVENT_ATTR(BACK_END_BUBBLE_FE, 0x00, 1),
	EVENT_ATTR(BACK_END_BUBBLE_L1D_FPU_RSE, 0x00, 2),
	EVENT_ATTR(BE_FLUSH_BUBBLE_ALL, 0x04, 0),
	EVENT_ATTR(BE_FLUSH_BUBBLE_BRU, 0x04, 1),
	EVENT_ATTR(BE_FLUSH_BUBBLE_XPN, 0x04, 2),
	EVENT_ATTR(BE_EXE_BUBBLE_ALL, 0x02, 0),
	EVENT_ATTR(BE_RSE_BUBBLE_ALL, 0x01, 0),
	EVENT_ATTR(BE_L1D_FPU_BUBBLE_ALL, 0xca, 0),
	EVENT_ATTR(BE_L1D_FPU_BUBBLE_FPU, 0xca, 1),
	EVENT_ATTR(BE_L1D_FPU_BUBBLE_L1D, 0xca, 2),
	EVENT_ATTR(BE_L1D_FPU_BUBBLE_L1D_HPW, 0xca, 5),
	EVENT_ATTR(BE_L1D_FPU_BUBBLE_L1D_TLB, 0xca, 0xa),
	DEAR_ATTR(DATA_EAR_CACHE_LAT4, 0, 0x0),
	DEAR_ATTR(DATA_EAR_CACHE_LAT8, 0, 0x1),
	DEAR_ATTR(DATA_EAR_CACHE_LAT16, 0, 0x2),
	DEAR_ATTR(DATA_EAR_CACHE_LAT32, 0, 0x3),
	DEAR_ATTR(DATA_EAR_CACHE_LAT64, 0, 0x4),
	DEAR_ATTR(DATA_EAR_CACHE_LAT128, 0, 0x5),
	DEAR_ATTR(DATA_EAR_TLB_L2DTLB, 1, 0x2),
	DEAR_ATTR(DATA_EAR_TLB_VHPT, 1, 0x4),
	DEAR_ATTR(DATA_EAR_TLB_FAULT, 1, 0x8),
	DEAR_ATTR(DATA_EAR_TLB_VHPT_OR_FAULT, 1, 0xc),
	DEAR_ATTR(DATA_EAR_TLB_ALL, 1, 0xe),
	NULL
};

static const u64 montecito_hw_events[PERF_COUNT_HW_MAX] = {
	[PERF_COUNT_HW_CPU_CYCLES]		= EVENT_CONFIG(0x12, 0),
	[PERF_COUNT_HW_INSTRUCTIONS]		= EVENT_CONFIG(0x08, 0),
	[PERF_COUNT_HW_CACHE_REFERENCES]	= EVENT_CONFIG(0xdb, 0) | IA64_PMC_MESI,
	[PERF_COUNT_HW_CACHE_MISSES]		= EVENT_CONFIG(0xdc, 0) | IA64_PMC_MESI,
	[PERF_COUNT_HW_BRANCH_INSTRUCTIONS]	= EVENT_CONFIG(0x5b, 0),
	[PERF_COUNT_HW_BRANCH_MISSES]		= EVENT_CONFIG(0x5b, 2),
};

static const u64 montecito_cache_events[C(MAX)][C(OP_MAX)][C(RESULT_MAX)] = {
	[C(L1D)][C(OP_READ)] = {
		[C(RESULT_ACCESS)]	= EVENT_CONFIG(0xc4, 0),
		[C(RESULT_MISS)]	= EVENT_CONFIG(0xc7, 0),
	},
	[C(L1I)][C(OP_READ)] = {
		[C(RESULT_ACCESS)]	= EVENT_CONFIG(0x40, 0),
		[C(RESULT_MISS)]	= EVENT_CONFIG(0x41, 0),
	},
	[C(L1I)][C(OP_PREFETCH)] = {
		[C(RESULT_ACCESS)]	= EVENT_CONFIG(0x44, 0),
	},
	[C(LL)][C(OP_READ)] = {
		[C(RESULT_ACCESS)]	= EVENT_CONFIG(0xdb, 0) | IA64_PMC_MESI,
		[C(RESULT_MISS)]	= EVENT_CONFIG(0xdc, 0) | IA64_PMC_MESI,
	},
	[C(DTLB)][C(OP_READ)] = {
		[C(RESULT_ACCESS)]	= EVENT_CONFIG(0xc3, 0),
		[C(RESULT_MISS)]	= EVENT_CONFIG(0xc1, 0),
	},
	[C(ITLB)][C(OP_READ)] = {
		[C(RESULT_ACCESS)]	= EVENT_CONFIG(0x40, 0),
		[C(RESULT_MISS)]	= EVENT_CONFIG(0x47, 3),
	},
	[C(BPU)][C(OP_READ)] = {
		[C(RESULT_ACCESS)]	= EVENT_CONFIG(0x5b, 0),
		[C(RESULT_MISS)]	= EVENT_CONFIG(0x5b, 2),
	},
};

/* The sets of the L1D are those of Itanium 2; those of the L2D are not known here. */
static const struct ia64_pmu_set montecito_sets[] = {
	{ 0xc0, 0xc3, 0x0, 0xf, SET_L1D(0) },
	{ 0xc4, 0xc5, 0x0, 0xf, SET_L1D(1) },
	{ 0xc7, 0xc7, 0x0, 0xf, SET_L1D(1) },
	{ 0xca, 0xca, 0x0, 0xf, SET_L1D(2) },
	{ 0xcd, 0xcf, 0x0, 0xf, SET_L1D(3) },
	{ 0xd0, 0xd2, 0x0, 0xf, SET_L1D(4) },
	{ }
};

static const struct ia64_pmu_reset montecito_reset[] = {
	{ 37, 0 }, { 40, IA64_PMC_ISM_IA64 },
	{ }
};

static const struct ia64_pmu_model montecito = {
	.name		= "Montecito",
	.family		= 0x20,
	.num_counters	= 12,
	.event_mask	= IA64_PMC_ES | IA64_PMC_UMASK | IA64_PMC_THRES | IA64_PMC_MESI,
	.pmc_fixed	= IA64_PMC_ISM_IA64,
	.dear_event	= 0xc8,
	.iear_event	= 0x43,
	.dear_pmc	= 40,
	.dear_fixed	= IA64_PMC_ISM_IA64,
	.dear_pmd	= { .address = 32, .latency = 33, .ip = 36 },
	.hw_events	= montecito_hw_events,
	.cache_events	= montecito_cache_events,
	.sets		= montecito_sets,
	.reset		= montecito_reset,
	.event_attrs	= montecito_event_attrs,
	.format_attrs	= montecito_format_attrs,
};
