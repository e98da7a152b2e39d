/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The state of one processor, and access to its registers.
 */
#ifndef CPU_H
#define CPU_H

#include <setjmp.h>

#include "isa/ia64.h"
#include "isa/insn.h"
#include "state/counters.h"

struct machine;
struct strict;			/* strict/strict.h */
struct timing;			/* timing/timing.h */

/** struct frame - the current frame marker, unpacked */
struct frame {
	u8 sof, sol, sor;	/* sor in registers, not in eights */
	u8 rrb_gr, rrb_fr, rrb_pr;
};

enum { MAX_TC = 256, MAX_TR = 64, TLB_BUCKETS = 256 };

/** struct tlb_entry - one translation, of the cache or of a register */
struct tlb_entry {
	bool valid;
	bool used;		/* for replacement: not recently used goes first */
	bool p, a, d, ed;
	u8 ma, pl, ar, ps;	/* ps is log2 of the size in bytes */
	u32 rid, key;
	u64 vpn;		/* VA{60:0} without the bits inside the page */
	u64 ppn;		/* physical address, likewise */
};

/**
 * struct tlb - the instruction or the data side
 * @tr: translation registers
 * @tc: translation cache
 * @n_entries: entries of both kinds; what a TR takes the cache loses (Madison)
 * @n_tr: implemented TRs
 * @fifo: entries of @tc are replaced in the order in which they came, used or not
 * @n_tc: entries of @tc now, @n_entries less the valid TRs
 * @last: the newest entry of @tc, never replaced next; MAX_TC when there is none
 * @hand: where the search for the next victim begins
 * @n_valid: valid entries of @tc
 * @tr_valid: valid TRs, a bit each
 * @sizes: page sizes that @tc holds, a bit each by log2
 * @of_size: how many entries of each size
 * @bucket: index for speed, it decides nothing: first entry of each hash value,
 *	or -1
 * @next: the next entry with the same hash value, or -1
 */
struct tlb {
	struct tlb_entry tr[MAX_TR];
	struct tlb_entry tc[MAX_TC];
	unsigned int n_entries, n_tr;
	bool fifo;
	unsigned int n_tc;
	unsigned int last;
	unsigned int hand;
	unsigned int n_valid;
	u64 tr_valid;
	u64 sizes;
	u16 of_size[64];
	s16 bucket[TLB_BUCKETS];
	s16 next[MAX_TC];
};

/**
 * struct alat_entry - an advanced load; valid while @valid (SDM 1:62)
 * @reg: register: below 32 as the program numbers it; a stacked one by its
 *	place on the endless stack (struct cpu.rse_bof), plus 32, so that no
 *	other frame's register is ever taken for it; floating-point: physical
 */
struct alat_entry {
	u64 pa;
	s64 reg;
	u8 size;
	bool fp, valid;
};

enum { ALAT_ENTRIES = 32, SOFT_TLB = 256, FETCH_CACHE = 256 };
enum { SOFT_PHYSICAL = 4, SOFT_CONTEXTS };	/* behind the four levels */

/**
 * struct soft_entry - the host's short cut to a page of RAM that the model TLB
 * has translated (soft.h).  It knows nothing that the model does not know,
 * and soft_tlb_flush() drops it whenever the model might answer otherwise.
 * @read: virtual page that loads may use, or ~0
 * @write: virtual page that stores may use, or ~0
 * @addend: host address less virtual address
 * @unused: makes the size a power of two, which is quicker to index
 */
struct soft_entry {
	u64 read, write;
	uintptr_t addend;
	u64 unused;
};

/** struct interruption_record - what is kept of past interruptions, for people */
struct interruption_record {
	u64 cycles, ip, psr, isr, ifa;
	u16 vector;
	u8 slot;
};

enum { RECENT_INTERRUPTIONS = 16 };

/* Which run loop: run.c, run_timed.c, run_strict.c. */
enum run_loop { LOOP_PLAIN, LOOP_TIMED, LOOP_STRICT };

/*
 * What is noted between two looks of a cycle model; NO_TABLE is a walk without a load.  A purge
 * can remove all translations of both sides, and so can a processor that sleeps lose them to
 * others, while none comes in.
 */
enum { MAX_WALKS = 4, MAX_GONE = 2 * (MAX_TC + MAX_TR) };
#define NO_TABLE	(~0ULL)

/**
 * struct noted_walk - the VHPT walker was asked
 * @pa: where it loaded, physical, or NO_TABLE
 * @fetch: for instructions
 */
struct noted_walk {
	u64 pa;
	bool fetch;
};

/** struct gone_translation - one that left the ITLB or the DTLB */
struct gone_translation {
	u64 va;
	u32 rid;
	u8 ps;
	bool data;
};

enum { RECENT_GONE = 16 };	/* a power of two */

/* The monitors PMC/PMD4 to 7, which count 47 bits. */
enum { FIRST_COUNTER = 4, N_COUNTERS = 4, COUNTER_BITS = 47 };

/* How a TLB miss ended: umask bits of the event address registers, PMC11 and PMC10. */
enum {
	DATA_EAR_L1 = 2, DATA_EAR_WALKER = 4, DATA_EAR_FAULT = 8,
	CODE_EAR_L1 = 1, CODE_EAR_WALKER = 2, CODE_EAR_FAULT = 4,
};

/**
 * struct pmu - the performance monitors, besides their registers (pmu/pmu.c)
 * @limit: the value of struct cpu.cycles at which the run loops ask pmu_look() next
 * @base: what each counter's event had come to when it began to run
 * @event: which event each counter is for, in the order of events.def
 * @running: the counters that count now, a bit each
 * @on: some monitor counts or records at some level, depending on PSR
 * @seldom: a counter runs whose event only note_seldom() announces
 * @in_page: the run loop is where it looks at nothing between instructions
 * @interrupt: a counter has overflowed, and the run loop is to raise the interrupt
 * @data_ear: ends of a data TLB miss to record: DATA_EAR_...
 * @data_ear_latency: the same for loads from so many cycles on; 0: none
 * @code_ear: ends of an instruction TLB miss to record: CODE_EAR_...
 * @data_ear_events: recorded so far
 * @code_ear_events: likewise
 */
struct pmu {
	u64 limit;
	u64 base[N_COUNTERS];
	u8 event[N_COUNTERS];
	u8 running;
	bool on, seldom, in_page, interrupt;
	u8 data_ear, code_ear;
	unsigned int data_ear_latency;
	u64 data_ear_events, code_ear_events;
};

/* Where ip and slot came from: the run loop advances them; a taken branch; the
 * instruction itself advanced them, so that the loop looks around.
 */
enum { BRANCHED_NOT, BRANCHED, BRANCHED_ON };

struct code_page;	/* code.h */

/** struct fetch_entry - the same short cut for instructions */
struct fetch_entry {
	u64 page;		/* virtual page, or ~0 */
	struct code_page *code;
};

/**
 * struct soft_context - the short cuts of one privilege level, or of physical
 * addressing, which has none
 *
 * Each has its own, so that an interruption, which changes level, and a miss
 * handler, which turns translation off, do not cost all short cuts.
 * @empty: nothing was entered since the last flush
 */
struct soft_context {
	struct soft_entry data[SOFT_TLB];
	struct fetch_entry code[FETCH_CACHE];
	bool empty;
};

/**
 * struct cpu - one processor
 * @limit: value of @cycles at which the run loop looks around: the end of its
 *	budget, the timer, or 0 after attend()
 * @gr_limit: 31 plus the frame's size: r is a legal target when r - 1, as a
 *	u8, is less (r0 and registers above the frame are not)
 * @gr: r0-r31 of the current bank, then the N_STACKED physical registers
 * @nat: the NaT bits of @gr
 * @grmap: where register n of the program is in @gr, rotation included; points
 *	into a table that is the same for all frames at the same place unless
 *	registers rotate (rse.c keeps it)
 * @frmap: the same for @fr
 * @pr: predicates as the program numbers them; bit 0 always 1.  Rotation moves
 *	the bits (rse.c), so that a predicate is tested with a shift
 * @psr: PSR without ri, which is @slot
 * @bank: r16-r31 of the bank that is not current
 */
struct cpu {
	u64 ip;
	u8 slot;
	u8 branched;		/* the instruction set ip and slot itself: BRANCHED_... */
	u8 gr_limit;
	u64 pr;
	u64 cycles;		/* simulated time of this processor; see cpu_retired() */
	u64 limit;
	u64 iipa;		/* last bundle that completed an instruction */
	const u8 *grmap;
	const u8 *frmap;
	u64 gr[32 + N_STACKED];
	bool nat[32 + N_STACKED];
	struct fpreg fr[128];
	u64 br[8];
	u64 psr;
	struct frame cfm;
	u64 ar[128];
	u64 cr[128];
	u64 rr[8];
	u64 pkr[IMPL_PKRS];
	u64 dbr[N_BREAKPOINTS], ibr[N_BREAKPOINTS];
	u64 pmc[N_PMC], pmd[N_PMD];
	struct pmu pmu;
	u64 cpuid[5];
	u64 bank[16];
	bool bank_nat[16];

	/* register stack engine (rse.c) */
	int rse_base;		/* physical register of r32, less 32 */
	int rse_dirty;		/* registers above bspstore not yet in memory;
				 * negative: the frame is incomplete, so many
				 * of its first registers are still in memory */
	int rse_clean;		/* registers below bspstore still valid */
	bool stepping;		/* the run loop looks at every instruction (run.c) */
	bool rse_cfle;		/* load an incomplete frame before going on */
	s64 rse_bof;		/* r32's place on the endless register stack */
	u8 rotmap[128];		/* grmap while registers rotate */

	/* memory management (tlb.c, soft.c) */
	struct tlb itlb, dtlb;
	struct soft_context *data_context, *code_context;	/* soft_tlb_select() */
	struct soft_context context[SOFT_CONTEXTS];
	struct alat_entry alat[ALAT_ENTRIES];
	u8 alat_where[256];	/* entry + 1, by a hash of the register */
	unsigned int alat_next, alat_valid;

	/* interruptions (interrupt.c), local SAPIC (sapic.c) */
	jmp_buf interruption;	/* where raise_vector() goes */
	u64 irr[4];		/* pending external interrupts */
	u64 isrv[4];		/* in service */
	bool ic_in_flight;	/* PSR.ic changed and no srlz since (interrupt.h) */
	struct interruption_record recent[RECENT_INTERRUPTIONS];
	u64 n_recent;		/* ever taken; the newest is before n_recent % ... */
	bool interrupt_pending;	/* look before the next instruction */
	bool halted;		/* PAL_HALT_LIGHT: until an interrupt */
	bool masking;		/* PSR.i has become 0, and PAL_HALT_LIGHT has not ended that: */
	u64 masked_at, masked_from; /* when, and where */
	struct masked masked;	/* the longest such time since a region of -stats began; */
	struct masked masked_before; /* and before that */
	bool stopped;		/* application processor before its wake-up */

	u64 idle;		/* of @cycles, those without anything to execute */
	u64 tried;		/* with @timing: slots that began to execute */
	u64 faulted;		/* instructions that were tried and faulted */
	u64 run_end;		/* end of the budget, in cycles */
	u64 tries_end;		/* with @timing: the same of @tried */
	u64 counted;		/* tries up to which stats.instructions is right */
	u8 counted_level;	/* and the privilege level since */
	u64 level_since;	/* cpu_busy() up to which stats.time.level is right */
	s64 itc_offset;		/* ar.itc less cycles */
	u64 next_timer;		/* cycles at which ITM matches */

	/* -timing; notes for it, which may be more than there is room for */
	struct timing *timing;	/* NULL: each slot takes a cycle */
	bool entered, returned;	/* an interruption; by rfi */
	u8 loop;		/* enum run_loop */
	union {
		struct {
			u32 n_walks, n_gone;
		};
		u64 n_notes;	/* there are some, if it is not 0 */
	};
	struct noted_walk walks[MAX_WALKS];
	struct gone_translation gone[MAX_GONE];
	unsigned int others_purges;	/* ptc.g of others, which the model has not charged yet */

	struct machine *machine;
	unsigned int id;
	struct cpu_stats stats;
	struct strict *strict;	/* -strict, with LOOP_STRICT */
	/* for -strict walks: what was purged, replaced or missed last, as a ring */
	struct gone_translation recent_gone[RECENT_GONE];
	unsigned int n_recent_gone;	/* ever */
};

/* Register access.  r is the program's number; writes to r0 are the caller's
 * to refuse (illegal operation), as is a register outside the frame.
 */
static inline u64 gr(const struct cpu *cpu, unsigned int r)
{
	return cpu->gr[cpu->grmap[r]];
}

static inline bool gr_nat(const struct cpu *cpu, unsigned int r)
{
	return cpu->nat[cpu->grmap[r]];
}

static inline void set_gr(struct cpu *cpu, unsigned int r, u64 value, bool nat)
{
	unsigned int p = cpu->grmap[r];

	cpu->gr[p] = value;
	cpu->nat[p] = nat;
}

/* May r be written? Otherwise an illegal operation fault is due (SDM 1:48). */
static inline bool gr_writable(const struct cpu *cpu, unsigned int r)
{
	return (u8)(r - 1) < cpu->gr_limit;
}

static inline struct fpreg *fr(struct cpu *cpu, unsigned int f)
{
	return &cpu->fr[cpu->frmap[f]];
}

static inline bool pr(const struct cpu *cpu, unsigned int p)
{
	return cpu->pr >> p & 1;
}

static inline bool psr(const struct cpu *cpu, unsigned int bit)
{
	return cpu->psr >> bit & 1;
}

static inline unsigned int cpl(const struct cpu *cpu)
{
	return FIELD(cpu->psr, PSR_CPL, 2);
}

/* Between a change of PSR.ic and the next srlz.d, srlz.i, rfi or interruption
 * the old and the new value may both be in effect.  Here an interruption then
 * collects, is not nested, and has ISR.ni set (SDM 2:70, 2:166).
 */
static inline bool collecting(const struct cpu *cpu)
{
	return psr(cpu, PSR_IC) || cpu->ic_in_flight;
}

/*
 * Time, tries and retirement.  Without -timing each slot takes a cycle, and so does a try
 * that ends in a fault, of which nothing retires: TRY_CYCLES is what an interruption costs
 * that a fault raised.  Without it a handler that faults at once would stop time.  Traps
 * and interrupts come between slots, and cost nothing.  With -timing the model decides.
 */
enum { TRY_CYCLES = 1 };

/** cpu_busy() - cycles since power-on in which the processor had something to execute */
static inline u64 cpu_busy(const struct cpu *cpu)
{
	return cpu->cycles - cpu->idle;
}

/**
 * cpu_tried() - slots that began to execute since power-on
 *
 * Those that faulted are among them, and those whose predicate was false.
 */
static inline u64 cpu_tried(const struct cpu *cpu)
{
	return cpu->timing ? cpu->tried : cpu_busy(cpu);
}

/** cpu_retired() - slots that were completed since power-on, predicated off included */
static inline u64 cpu_retired(const struct cpu *cpu)
{
	return cpu_tried(cpu) - cpu->faulted;
}

/* The privilege level is about to change. */
static inline void count_level(struct cpu *cpu)
{
	u64 busy = cpu_busy(cpu);

	cpu->stats.time.level[cpl(cpu)] += busy - cpu->level_since;
	cpu->level_since = busy;
}

/* Something changed that the run loop has to look at before the next bundle:
 * a pending interrupt, PSR, the soft TLB, power-off.
 */
static inline void attend(struct cpu *cpu)
{
	cpu->limit = 0;
}

/* With what the run loops are left by longjmp(): an instruction is done, or an interruption
 * has been delivered; or the instruction is to be executed again, alone.
 */
enum { LEFT = 1, RETRY };

void seldom_happens(struct cpu *cpu);	/* note_seldom() while it matters */

/**
 * note_seldom() - something is about to be counted that the PMU cannot foresee
 *
 * Called before the first effect of it.  A counter may wrap around, and the instruction that
 * makes it do so is to be the last that is counted: it has to be executed where the run loop
 * looks behind each.  That the instruction begins anew is what a TLB miss asks of every
 * instruction anyway, for it might be a fault.
 */
static inline void note_seldom(struct cpu *cpu)
{
	if (__builtin_expect(cpu->pmu.seldom, 0))
		seldom_happens(cpu);
}

/* A data reference for the event address registers: PMD2, 3 and 17. */
static inline void record_data_ear(struct cpu *cpu, u64 va, u64 latency, unsigned int status)
{
	if (latency > MASK(13))
		latency = MASK(13) | BIT(13);
	cpu->pmd[2] = va;
	cpu->pmd[3] = latency | (u64)status << 14;
	/* the window of two bundles, valid, which of them, and the slot */
	cpu->pmd[17] = (cpu->ip & ~31ULL) | BIT(3) | (cpu->ip >> 4 & 1) << 2 | cpu->slot;
	cpu->pmu.data_ear_events++;
	if (cpu->pmu.seldom)
		cpu->pmu.limit = 0;
}

/* A miss of the data TLB ended in this way (DATA_EAR_...). */
static inline void note_data_miss(struct cpu *cpu, u64 va, unsigned int end)
{
	if (__builtin_expect(cpu->pmu.data_ear & end, 0))
		record_data_ear(cpu, va, 0, end == DATA_EAR_L1 ? 1 : end == DATA_EAR_WALKER ? 2 : 3);
}

/* The same of an instruction fetch (CODE_EAR_...): PMD0 and 1. */
static inline void note_code_miss(struct cpu *cpu, u64 va, unsigned int end)
{
	if (__builtin_expect(!(cpu->pmu.code_ear & end), 1))
		return;
	cpu->pmd[0] = (va & ~31ULL) | (end == CODE_EAR_L1 ? 1 : end == CODE_EAR_WALKER ? 2 : 3);
	cpu->pmd[1] = 0;
	cpu->pmu.code_ear_events++;
}

/* The VHPT walker loads from @pa, or does not get so far: NO_TABLE. */
static inline void note_walk(struct cpu *cpu, u64 pa, bool fetch)
{
	if (cpu->timing && cpu->n_walks++ < MAX_WALKS)
		cpu->walks[cpu->n_walks - 1] = (struct noted_walk){ .pa = pa, .fetch = fetch };
}

/* How many of them are known. */
static inline unsigned int noted_walks(const struct cpu *cpu)
{
	return cpu->n_walks < MAX_WALKS ? cpu->n_walks : MAX_WALKS;
}

/* A translation leaves a TLB. */
static inline void note_gone(struct cpu *cpu, const struct tlb_entry *e, bool data)
{
	if (cpu->timing && cpu->n_gone++ < MAX_GONE)
		cpu->gone[cpu->n_gone - 1] = (struct gone_translation){
			.va = e->vpn, .rid = e->rid, .ps = e->ps, .data = data
		};
}

/* For -strict walks: somebody might want this translation, which is not there (any more). */
static inline void note_wanted(struct cpu *cpu, u32 rid, u64 va, unsigned int ps, bool data)
{
	if (!__builtin_expect(cpu->strict != NULL, 0))
		return;
	cpu->recent_gone[cpu->n_recent_gone++ % RECENT_GONE] = (struct gone_translation){
		.va = va & MASK(61) & ~MASK(ps), .rid = rid, .ps = ps, .data = data
	};
}

/* All do. */
static inline void note_all_gone(struct cpu *cpu)
{
	cpu->n_gone = MAX_GONE + 1;
}

/* Another processor purges with ptc.g or ptc.ga, and this one has to take part. */
static inline void note_others_purge(struct cpu *cpu)
{
	if (cpu->timing && !cpu->halted && !cpu->stopped)
		cpu->others_purges++;
}

/* This slot is done; what time that takes the run loop of -timing knows by itself. */
static inline void cpu_slot_done(struct cpu *cpu)
{
	if (cpu->timing)
		cpu->tried++;
	else
		cpu->cycles++;
}

/** cpu_sleep() - nothing to do until @cycle: time passes, and nothing else */
static inline void cpu_sleep(struct cpu *cpu, u64 cycle)
{
	cpu->idle += cycle - cpu->cycles;
	cpu->cycles = cycle;
}

/* ar.itc as the program sees it now, for this slot. */
static inline u64 cpu_itc(const struct cpu *cpu)
{
	return cpu->cycles + cpu->itc_offset;
}


#endif
