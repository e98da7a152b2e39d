/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two processors with RAM and nothing else, for tests that call tlb.c, vhpt.c,
 * interrupt.c and rfi.c directly.  One C file per test program includes this.
 */
#ifndef TESTS_MMU_H
#define TESTS_MMU_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/interrupt.h"
#include "cpu/refs.h"
#include "cpu/rse.h"
#include "cpu/sapic.h"
#include "debug/debug.h"
#include "watch/trace.h"

enum { TEST_RAM = 64 << 20 };

static struct machine machine;
static struct cpu cpus[2];
static struct cpu *const cpu = &cpus[0];
static u8 identity[128];

/* What the mocks saw. */
static struct {
	unsigned int soft_flushes[2], alat_flushes[2], sapic_updates;
	bool rfi_frame;
	u64 rfi_ifm;
} seen;

static unsigned int n_passed, n_failed, n_rules;

/* One rule of the manual: where it stands, what it says, whether it holds. */
static inline bool rule(const char *where, const char *what, bool holds)
{
	n_rules++;
	printf("%s %u - %s (SDM %s)\n", holds ? "ok" : "not ok", n_rules, what, where);
	if (holds)
		n_passed++;
	else
		n_failed++;
	return holds;
}

static inline int finish(void)
{
	printf("%u passed, %u failed\n", n_passed, n_failed);
	return n_failed != 0;
}

/* The parts of the simulator that are not here. */
void soft_tlb_flush(struct cpu *c)
{
	seen.soft_flushes[c->id]++;
	memset(c->context, -1, sizeof(c->context));
	for (unsigned int i = 0; i < SOFT_CONTEXTS; i++)
		c->context[i].empty = false;
	soft_tlb_select(c);
}

void alat_invalidate_all(struct cpu *c)
{
	seen.alat_flushes[c->id]++;
}

void sapic_update(struct cpu *c)
{
	(void)c;
	seen.sapic_updates++;
}

void rse_rfi(struct cpu *c, u64 ifm)
{
	(void)c;
	seen.rfi_frame = true;
	seen.rfi_ifm = ifm;
}

u64 rse_bsp(const struct cpu *c)
{
	return c->ar[AR_BSP];
}

u64 rse_bspstore(const struct cpu *c)
{
	return c->ar[AR_BSPSTORE];
}

u64 rse_rnat(const struct cpu *c)
{
	return c->ar[AR_RNAT];
}

void trace_interruption(const struct cpu *c, u64 vector, u64 isr)
{
	(void)c, (void)vector, (void)isr;
}

void trace_rfi(const struct cpu *c)
{
	(void)c;
}

void trace_insert(const struct cpu *c, const char *how, bool data, const struct tlb_entry *e)
{
	(void)c, (void)how, (void)data, (void)e;
}

void trace_purge(const struct cpu *c, const char *how, u64 va, unsigned int ps)
{
	(void)c, (void)how, (void)va, (void)ps;
}

void trace_line(const struct cpu *c, const char *format, ...)
{
	(void)c, (void)format;
}

/* Entries of the tests' tables. */
#define PTE_P		1ULL
#define PTE_A		(1ULL << 5)
#define PTE_D		(1ULL << 6)
#define PTE_MA(n)	((u64)(n) << 2)
#define PTE_PL(n)	((u64)(n) << 7)
#define PTE_AR(n)	((u64)(n) << 9)
#define PTE_ED		(1ULL << 52)
/* present, accessed, dirty, read-write-execute at all levels */
#define PTE_FINE	(PTE_P | PTE_A | PTE_D | PTE_PL(3) | PTE_AR(AR_RWX))

#define ITIR(ps)	((u64)(ps) << 2)
#define ITIR_KEY(k)	((u64)(k) << 8)
#define REGION(n)	((u64)(n) << 61)

#define RID(region)	(0x100u + (region))
#define RR(region, ps, ve)	((u64)RID(region) << 8 | (ps) << 2 | (ve))

/* Translation on for everything, collection on, level 0. */
#define PSR_TEST	(BIT(PSR_IC) | BIT(PSR_DT) | BIT(PSR_IT) | BIT(PSR_RT))

static const struct calls calls = { .print = cpu_print };

static inline void reset(void)
{
	u8 *ram = machine.ram;

	if (!ram)
		ram = calloc(1, TEST_RAM);
	memset(&machine, 0, sizeof(machine));
	memset(&seen, 0, sizeof(seen));
	machine.ram = ram;
	machine.opt.ram = TEST_RAM;
	machine.n_cpus = 2;
	machine.call = &calls;
	for (unsigned int r = 0; r < 128; r++)
		identity[r] = r;
	for (unsigned int i = 0; i < 2; i++) {
		struct cpu *c = &cpus[i];

		memset(c, 0, sizeof(*c));
		machine.cpu[i] = c;
		c->machine = &machine;
		c->id = i;
		c->grmap = c->frmap = identity;
		c->psr = PSR_TEST;
		for (unsigned int r = 0; r < 8; r++)
			c->rr[r] = RR(r, 14, 0);
		c->cr[CR_IVA] = REGION(7) | 0x8000;
		tlb_reset(c);
	}
	memset(&seen, 0, sizeof(seen));
}

/* As -break: what this processor does wrong from now on. */
static inline void break_cpu(struct cpu *c, enum broken what)
{
	machine.opt.broken = what;
	machine.opt.broken_cpus = BIT(c->id);
}

/* Put an 8-byte word into RAM. */
static inline void poke(u64 pa, u64 value)
{
	memcpy(machine.ram + pa, &value, 8);
}

static inline unsigned int count_valid(const struct tlb *tlb)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < tlb->n_tc; i++)
		n += tlb->tc[i].valid;
	return n;
}

static inline bool has(struct cpu *c, bool data, u64 va)
{
	return tlb_find(data ? &c->dtlb : &c->itlb, rr_rid(c->rr[va >> 61]), va);
}

/* Does the call end in machine_check()? Its report is swallowed. */
static inline bool machine_checks(void (*call)(const void *), const void *arg)
{
	FILE *saved = stderr, *null = fopen("/dev/null", "w");
	volatile bool came_back = false;

	stderr = null;
	if (!setjmp(cpu->interruption)) {
		call(arg);
		came_back = true;
	}
	stderr = saved;
	fclose(null);
	return !came_back && machine.exit_status == STATUS_DIED;
}

#endif
