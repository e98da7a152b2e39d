/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The model TLBs and the VHPT walker: what the architecture sees.
 * SDM volume 2, chapter 4.
 */
#ifndef TLB_H
#define TLB_H

#include <stdio.h>

#include "state/cpu.h"

/* What a reference does; combined. */
enum access {
	ACCESS_READ = 1, ACCESS_WRITE = 2, ACCESS_EXEC = 4,
	ACCESS_RSE = 8,		/* by the register stack engine */
	ACCESS_SPEC = 16,	/* control-speculative load: may be deferred */
	ACCESS_NON = 32,	/* non-access: probe, tpa, tak, fc, lfetch */
	ACCESS_STRICT = 64,	/* must be aligned whatever PSR.ac is: semaphores,
				 * pairs, spills and fills, 16-byte integers
				 */
	ACCESS_FP = 128,	/* unaligned within 16 bytes is fine, not 8 */
	/* bits 11:8: which non-access, as in ISR.code{3:0} */
	ACCESS_WB_ONLY = 1 << 12, /* semaphores, ld16 and such: unsupported data
				   * reference unless the memory is WB
				   */
	ACCESS_EXPORT = 1 << 13, /* with ACCESS_WB_ONLY: fetchadd, fine on UCE */
	/* bits 23:16: ACCESS_SIZE */
};
/* Bytes of a data reference, for alignment and breakpoints; 0: neither. */
#define ACCESS_SIZE(n)		((unsigned int)(n) << 16)

/* The non-accesses, SDM table 5-1.  tpa, probe and tak translate even while
 * PSR.dt is 0, without the walker; fc and lfetch are physical then.
 * To ACCESS_PROBE and ACCESS_PROBE_FAULT comes ACCESS_READ or _WRITE or both.
 */
#define ACCESS_TPA		(ACCESS_NON | 0 << 8)
#define ACCESS_FC		(ACCESS_NON | 1 << 8 | ACCESS_READ)
#define ACCESS_PROBE		(ACCESS_NON | 2 << 8)
#define ACCESS_TAK		(ACCESS_NON | 3 << 8)
#define ACCESS_LFETCH		(ACCESS_NON | 4 << 8 | ACCESS_READ)
#define ACCESS_PROBE_FAULT	(ACCESS_NON | 5 << 8)

/** struct fault - an interruption that a reference would raise */
struct fault {
	u16 vector;
	u64 isr;		/* less the fields that raise_vector() fills in */
	u64 ifa, itir, iha;
	bool sets_ifa, sets_itir, sets_iha;
	bool deferred;		/* ACCESS_SPEC: nothing is raised, the target gets NaT */
};

/** struct translation - what a reference found */
struct translation {
	u64 pa;
	u8 ma;
	u8 ps;			/* the same translation holds for this much */
	u8 ar, pl, ed;
	u32 key;
};

/* May loads from such memory be speculative? (SDM 2:82) */
static inline bool is_speculative(const struct translation *t)
{
	return t->ma == MA_WB || t->ma == MA_WC;
}

/**
 * translate() - translate one reference, walking the VHPT when the TLB misses
 * @cpu: the processor
 * @va: virtual (or, with translation off for this kind, physical) address
 * @access: enum access, combined
 * @level: privilege level of the reference (RSC.pl for the RSE, the operand of
 *	a probe, CPL for the rest)
 * @t: the translation
 * @f: the highest-priority interruption, when there is one
 *
 * In the order of SDM 2:101 and 2:69; unaligned, debug and NaT page checks
 * included where they belong.  Inserts what the walker finds.  A speculative
 * load's faults are qualified and deferred here (SDM 2:105).
 *
 * Return: true with @t filled in, false with @f filled in.  Of ACCESS_SPEC,
 * false with @f->deferred means NaT.
 */
bool translate(struct cpu *cpu, u64 va, unsigned int access, unsigned int level,
	       struct translation *t, struct fault *f);

/**
 * tlb_probe() - the regular form of probe, SDM 3:217
 * @access: ACCESS_READ or ACCESS_WRITE
 * @level: as the instruction says (already not below CPL)
 * @allowed: the result
 *
 * Return: false where the instruction faults, with @f filled in.
 */
bool tlb_probe(struct cpu *cpu, u64 va, unsigned int access, unsigned int level,
	       bool *allowed, struct fault *f);

/** tlb_tak() - the result of the tak instruction: key, or 1; never faults */
u64 tlb_tak(struct cpu *cpu, u64 va);

/* Power-on: sizes from the machine's options, all entries invalid. */
void tlb_reset(struct cpu *cpu);

/* Inserts; operands as in the instructions of the same name.  False for a
 * reserved field or encoding, or no such register: the caller raises
 * GE_RESERVED_FIELD.  An overlap with a TR of the same side is a machine check
 * (SDM table 4-1).
 */
bool tlb_insert_tc(struct cpu *cpu, bool data, u64 pte, u64 itir, u64 va);
bool tlb_insert_tr(struct cpu *cpu, bool data, unsigned int slot, u64 pte,
		   u64 itir, u64 va);
/* Purges; ps is what the instruction's register says, {7:2}.  An unsupported
 * size, and for ptc an overlap with the processor's own TRs, is a machine check.
 */
void tlb_purge_local(struct cpu *cpu, u64 va, unsigned int ps);
void tlb_purge_global(struct cpu *cpu, u64 va, unsigned int ps, bool alat);
/* What another processor does of it.  Where stores wait, strict/stores.c has it do so. */
void tlb_purge_other(struct cpu *other, u32 rid, u64 va, unsigned int ps, bool alat);
void tlb_purge_tr(struct cpu *cpu, bool data, u64 va, unsigned int ps);
void tlb_purge_all(struct cpu *cpu, u64 operand);

/**
 * vhpt_walk_early() - the walker does a walk that no instruction has asked for
 * @va: for this address
 * @data: for the DTLB
 *
 * A processor may do so whenever the walker is enabled (SDM 2:63, 2:69).  What is found stays, and
 * nothing is raised or counted.
 */
void vhpt_walk_early(struct cpu *cpu, u64 va, bool data);

u64 vhpt_thash(const struct cpu *cpu, u64 va);
u64 vhpt_ttag(const struct cpu *cpu, u64 va);

/* Writes of registers that translations depend on.  False for a reserved field:
 * nothing is written and the caller raises GE_RESERVED_FIELD.
 */
bool set_rr(struct cpu *cpu, unsigned int region, u64 value);
bool set_pkr(struct cpu *cpu, unsigned int n, u64 value);
bool set_dbr(struct cpu *cpu, unsigned int n, u64 value);
bool set_ibr(struct cpu *cpu, unsigned int n, u64 value);

/** tlb_print() - valid entries of one processor, for people */
void tlb_print(const struct cpu *cpu, FILE *f);

/* Between tlb.c and vhpt.c, and for tests. */

/* A word or an ITIR with reserved bits or encodings, SDM 2:55. */
bool tlb_reserved(u64 pte, u64 itir);
/* The entry for va under rid, or NULL; no side effect. */
struct tlb_entry *tlb_find(struct tlb *tlb, u32 rid, u64 va);
/* What the walker found.  NULL when a TR overlaps: not inserted. */
struct tlb_entry *tlb_insert_walker(struct cpu *cpu, bool data, u64 pte, u64 itir,
				    u64 va);

static inline u32 rr_rid(u64 rr)
{
	return FIELD(rr, 8, 24);
}

static inline unsigned int rr_ps(u64 rr)
{
	return FIELD(rr, 2, 6);
}

/* Bits between the implemented ones and the region number repeat the highest
 * implemented bit, SDM 2:73.  Madison leaves none out.
 */
static inline bool unimplemented_va(u64 va)
{
	s64 x = (s64)(va << 3) >> 3;

	return x >> IMPL_VA_MSB != 0 && x >> IMPL_VA_MSB != -1;
}

/* Bit 63 of a physical address is the memory attribute, SDM 2:73. */
static inline bool unimplemented_pa(u64 pa)
{
	return FIELD(pa, IMPL_PA_BITS, 63 - IMPL_PA_BITS) != 0;
}

#endif
