/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Direct test of the TLB miss handlers of a built kernel: shared definitions.
 *
 *	image.c	the kernel: symbols, configuration, into a machine's memory
 *	scene.c	one fault: page tables, TLB, registers; the handler, step by step
 *	hash.c	the hash table of the long-format VHPT
 *	cases.c	which faults there are, and what has to come of each
 *	cost.c	bundles and instruction groups of the modes, and of another kernel
 *	document.c what Documentation/ia64 says of them
 *	main.c	options, mutants
 */
#ifndef HANDLERS_H
#define HANDLERS_H

#include "board/board.h"
#include "cpu/exec.h"
#include "cpu/interrupt.h"
#include "cpu/refs.h"
#include "cpu/rse.h"
#include "cpu/run.h"

/* What arch/ia64/include/asm/pgtable.h and superpage.h have. */
#define PTE_P		1ULL
#define PTE_REPLICA	2ULL		/* the bit that keeps the walker off */
#define PTE_MA(ma)	((u64)(ma) << 2)
#define PTE_A		(1ULL << 5)
#define PTE_D		(1ULL << 6)
#define PTE_PL(pl)	((u64)(pl) << 7)
#define PTE_AR(ar)	((u64)(ar) << 9)
#define PTE_ED		(1ULL << 52)
#define PTE_PS(ps)	((u64)(ps) << 57)
#define PTE_PROTNONE	(1ULL << 63)
#define PTE_FRAME	(MASK(IMPL_PA_BITS) & ~0xfffULL)
/* PAGE_KERNEL */
#define PTE_KERNEL	(PTE_P | PTE_A | PTE_D | PTE_AR(AR_RWX) | PTE_ED)

#define REGION(n)	((u64)(n) << 61)
#define OFFSET(va)	((va) & MASK(61))

#define PAGE_SIZE_OF(k)	(1ULL << (k)->page_shift)

enum { REGION_HUGE = 4, REGION_KERNEL = 5 };

extern unsigned int huge_shift;	/* log2 of the pages of REGION_HUGE, for scene_init() */

/* The VHPT: each mode has an interruption vector table of its own. */
enum mode { MODE_SHORT, MODE_LONG, MODE_NONE, N_MODES };

/** struct kernel - a vmlinux in a machine of its own */
struct kernel {
	struct machine *m;
	const char *name;
	unsigned int page_shift, levels, granule_shift;
	bool superpage, hugetlb;
	bool modes;			/* has all of them, or MODE_SHORT only */
	bool strict;			/* the machine looks for missing serializations and stops */
	enum mode mode;			/* the one under test */
	u64 ivt, page_fault;		/* virtual; of this mode */
	u64 swapper;			/* physical: swapper_pg_dir */
	u64 zero;			/* physical: empty_zero_page */
	u64 percpu_size;
	u64 written[8];			/* words of the tables that are not 0 */
	unsigned int n_written;
	u8 *file;
	size_t size;			/* of @file */
};

extern struct kernel *kernel;		/* the one under test */

/* image.c */
/* @timing: parameters of the model of time, or NULL; @strict: as with -strict serialize,depend. */
struct kernel *kernel_load(const char *name, const char *timing, bool strict);
void kernel_free(struct kernel *k);
bool kernel_has(const struct kernel *k, enum mode mode);
/* From now on it is this mode's vector table. */
void kernel_set_mode(struct kernel *k, enum mode mode);
const char *mode_name(enum mode mode);
/* The value of a symbol, and its size unless @size is NULL.  Ends the program if
 * there is none.
 */
u64 kernel_symbol(const struct kernel *k, const char *name, u64 *size);
/* The next function that begins in [@from, @to): its name, or NULL. */
const char *kernel_function(const struct kernel *k, u64 from, u64 to, u64 *address, u64 *size);
u64 kernel_pa(u64 va);
void die(const char *format, ...) NORETURN __attribute__((format(printf, 1, 2)));

/** struct scene - a reference, and what it finds */
struct scene {
	enum vector vector;
	bool natural;		/* the reference raises it; or else it is delivered as such */
	u64 va;
	unsigned int access;	/* ACCESS_READ, ACCESS_WRITE, ACCESS_EXEC; or as below */
	unsigned int level;	/* privilege */
	u64 pte;
	u64 pa;			/* where it leads */
	unsigned int missing;	/* the level of tables that has no entry, from 1; 0: none */
	bool mapped;		/* the page of the VHPT, or the hash table, is in the TLB */
	enum {
		ENTRY_INVALID,	/* what the hash table has where @va belongs; */
		ENTRY_OTHER,	/* of another page; */
		ENTRY_OLD,	/* of @va, but another translation; */
		ENTRY_SAME,	/* what @pte says */
	} entry;
	unsigned int fill;	/* vhpt_fill=all */
	u64 present;		/* a translation of @va that is in the TLB already, or 0; */
	unsigned int present_ps; /* and its size */
};

/* Other references that code of a user can make: ld8.s, lfetch.fault */
#define REFERENCE_LD_S		(ACCESS_READ | ACCESS_SPEC)
#define REFERENCE_LFETCH	(ACCESS_READ | ACCESS_NON)

/** struct event - what another processor does before step @at of the handler, or
 * when the handler has ended before that
 */
struct event {
	unsigned int at;
	enum {
		EVENT_PTE,	/* the PTE becomes @value */
		EVENT_PMD, EVENT_PUD,	/* with three levels the PUD is the root's entry */
		EVENT_PURGE,	/* ptc.ga of the base page at @value */
		EVENT_INVALIDATE, /* what __ia64_vhpt_purge() does, of the page at @value */
		EVENT_UNMAP,	/* ptc.ga of the VHPT's page */
	} what;
	u64 value;
	unsigned int ps;	/* of EVENT_INVALIDATE: log2 of how much */
};

enum outcome { OUTCOME_RFI, OUTCOME_PAGE_FAULT, OUTCOME_BAD };

enum { MAX_STEPS = 3000, NEVER = 0x7fffffff };

/** struct result - what a handler did */
struct result {
	enum outcome outcome;
	const char *why;	/* of OUTCOME_BAD */
	u64 bad_ip;
	unsigned int steps, bundles, groups;
	u64 cycles;		/* from the reference to the handler's end */
	/* The steps that read the PTE for the first and the last time, that had the
	 * cmpxchg, that read the PMD and the PUD for the first and the last time; or NEVER.
	 */
	unsigned int first, last, cmpxchg, pmd_first, pmd_last, pud_first, pud_last;
	unsigned int nested;	/* Data Nested TLB faults */
	/* The hash table. */
	const char *torn;	/* what a walker could have seen, neither old nor new */
	bool seen;		/* it could have seen an entry that the handler wrote: */
	u64 seen_pte, seen_itir;
	bool unordered;		/* a store to an entry could pass one before it */
	bool fenced;		/* mf after all stores to it; */
	unsigned int last_fenced; /* so before the last read of PTE, PMD, PUD, a bit each */
	bool purged;		/* ptc.l, which makes them visible to the own walker */
	bool stray;		/* a store to something else */
	const char *found;	/* by -strict, which no run before has shown */
};

/** struct slots - where in memory a scene's entries are */
struct slots {
	u64 pud, pmd, pte;	/* physical; 0 if there is none */
	u64 table;		/* the page with the PTE */
};

extern struct slots slots;

/* IA64_KR(SUPERPAGE) and IA64_KR(VHPT), which are one register */
enum { KR_HANDLERS = 2 };

/** struct registers - what handlers have to leave alone, and the rest of it */
struct registers {
	u64 ip, psr, pr;
	u8 slot;
	u64 gr[32 + N_STACKED], bank[16];
	bool nat[32 + N_STACKED], bank_nat[16];
	u64 br[8], ar[128], cr[128], rr[8], pkr[IMPL_PKRS];
	struct fpreg fr[128];
	struct frame cfm;
	s64 rse_bof;
	int rse_base, rse_dirty, rse_clean;
};

extern struct registers before;		/* the reference is about to be made */
extern struct registers delivered;	/* the handler is about to begin */

void registers_save(struct registers *r, const struct cpu *cpu);

/** struct model - what should be in the TLBs */
struct model {
	u64 tr_valid[2];		/* translation registers */
	unsigned int n;
	struct {
		bool data;
		struct tlb_entry e;
	} entry[64];
};

extern struct model tlb_before;		/* when the handler begins */

/** struct hash_entry - of the long-format VHPT */
struct hash_entry {
	u64 pte, itir, tag, filled;
};

/* hash.c */
#define HASH_BASE	0xa000000080000000ULL	/* VHPT_BASE */
#define HASH_PA		0x1c000000ULL		/* and where it is */
#define HASH_INVALID	BIT(63)			/* in a tag: ti */
enum { HASH_SHIFT = 16, HASH_ENTRIES = 1 << (HASH_SHIFT - 5), FILL_MAX = 6 };

/* What it should hold: as it is when the handler begins, and then as it is told. */
extern struct hash_entry hash_model[HASH_ENTRIES];

void hash_init(void);
void hash_begin(const struct scene *s);
void hash_purge(u64 va, unsigned int ps);
/* Before each step: what could a walker see? */
void hash_watch(struct result *r);
/* The entry for @va if the walker would take it, or NULL. */
const struct hash_entry *hash_find(u64 va);
unsigned int hash_index(u64 va);
/* The handler has written it, or written it and taken it back. */
void hash_expect(const struct scene *s, u64 pte, u64 itir, bool replica, bool valid);
const char *hash_compare(void);

void model_insert(struct model *t, bool data, const struct tlb_entry *e);
void model_purge(struct model *t, u64 va, unsigned int ps);
/* NULL, or what is different. */
const char *model_compare(const struct model *t);

void scene_init(void);
/** scene_run() - the scene from its beginning to the handler's end */
void scene_run(const struct scene *s, const struct event *events, unsigned int n,
	       struct result *r);
/* The reference again, which can be made now: NULL, or what is wrong. */
const char *scene_reference(const struct scene *s);
/* The same, with the translation from the hash table. */
const char *scene_walk(const struct scene *s);

u64 read_word(u64 pa);
void write_word(u64 pa, u64 value);
/* The region's page size. */
unsigned int region_ps(u64 va);
/* Frame of a page; the same for all sizes. */
u64 frame_of(u64 va);
u64 random64(void);

/* IA64_KR_PER_CPU_DATA; a second table of PTEs, which is nobody's; and one of PMDs. */
#define PERCPU		0x0c040000ULL
#define OTHER_TABLE	0x18000000ULL
#define OTHER_PMDS	0x18100000ULL

/* cases.c: those of one handler or of all; false if one fails, at once when
 * @stop_early.
 */
enum { ALL_VECTORS = 1 };
bool cases_run(bool stop_early, unsigned int vector);
extern unsigned int n_passed, n_failed;

/* document.c: the first table of @path whose head begins with @head; what a cell of
 * it should have; whether each row has been compared; and a number in a sentence.
 */
struct table *table_read(const char *path, const char *head);
void table_compare(struct table *t, const char *row, unsigned int column, const char *is);
void table_end(struct table *t);
void document_compare(const char *path, const char *before, const char *is);

/* cost.c */
void slots_fit(const struct kernel *k);
void cost_modes(struct kernel *k);
void cost_cycles(const char *name);
void cost_compare(struct kernel *ours, struct kernel *theirs);

#endif
