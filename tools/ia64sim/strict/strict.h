/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The checks of -strict: what a program does that this simulator gets right by executing
 * one instruction after the other, and a processor need not.
 */
#ifndef STRICT_H
#define STRICT_H

#include "isa/insn.h"
#include "state/machine.h"

enum { MAX_IN_FLIGHT = 64, MAX_WAITING = 16 };

/**
 * struct in_flight - a write that needs a serialization before others depend on it
 * @ip: the writer, slot in bits 1:0
 * @group: its instruction group
 * @resource: RESOURCE_... (serialize.c)
 * @data: data dependencies are served by srlz.d, or need but a stop
 * @srlz_i: srlz.i came in this group, and holds behind it; 0: none came
 * @of_cache: a purge of translations in the cache, which leaves registers alone
 * @fetched: a fetch that depends on it has been reported; the next ones are no news
 * @va: for translations: first address, ...
 * @mask: ... and the bits of an address that do not matter; all ones: everything
 * @rid: ... in which region
 */
struct in_flight {
	u64 ip;
	u64 group;
	u64 srlz_i;
	u64 va, mask;
	u32 rid;
	u16 resource;
	bool data;
	bool of_cache;
	bool fetched;
};

/** struct pending_store - a store, or a purge, that others do not see yet */
struct pending_store {
	u8 *ram;		/* where it goes */
	u8 size;		/* of a purge: 0 */
	bool release;		/* not before those that are in front of it */
	u8 old[16];		/* what is there for others, while it is this processor's turn */
	u8 new[16];
	struct {		/* ptc.g and ptc.ga, as tlb_purge_other() wants it */
		u64 ip;		/* where it stands, slot in bits 1:0 */
		u64 va;
		u32 rid;
		u8 ps;
		bool alat;
	} purge;
};

/* Rules of findings behind those of serialize.c and depend.c, which number theirs. */
enum strict_rule { RULE_PURGE = 16, RULE_FC, RULE_SYNC, RULE_SRLZ };

struct code_line;		/* code.c */

/* How a predicate register was written in this group. */
enum pr_writer { PR_NORMAL, PR_AND, PR_OR, PR_FP };

/**
 * struct written - registers of a file that the group has written
 * @regs: a bit for each
 * @checked: those by a check load; they may be read
 * @ip: by whom
 */
struct written {
	u64 regs[2], checked[2];
	u64 ip[128];
};

/**
 * struct strict - the checks of a processor
 * @group: number of the instruction group
 * @index, @old, @old_psr: before the instruction, for strict_after()
 * @in_flight: oldest first
 */
struct strict {
	u64 group;

	/* serialize.c */
	unsigned int n_in_flight;
	bool srlz_i;		/* some have @srlz_i */
	u64 index, old, old_psr;
	struct in_flight in_flight[MAX_IN_FLIGHT];

	/* depend.c: what the group has written, and who */
	bool enabled;		/* the predicate as written is true */
	struct written grs, frs, ars;
	u64 prs;
	u64 unat, sf_controls, sf_flags;
	u8 brs;
	u8 pr_how[64];
	u64 pr_ip[64], br_ip[8], unat_ip[64], sf_ip[8];
	u64 bsp_ip;

	/* stores.c */
	u64 random;
	bool applied;		/* the stores of @pending are in RAM */
	unsigned int n_pending;
	unsigned int laziness;	/* of so many chances a store takes one */
	u8 *ram;		/* where the store goes that is being executed, or NULL */
	u8 before[16];
	u64 rse_stores;
	struct pending_store pending[MAX_WAITING];

	u64 walks_random;	/* walks.c */

	/* code.c */
	struct code_line *lines; /* of RAM; all processors have the same */
	u64 va;			/* where the instruction goes that is being executed */
	u64 code_rse_stores;
	u64 *flushed;		/* numbers of lines that wait for sync.i or srlz.i: */
	size_t n_flushed, max_flushed;
	size_t n_synced;	/* so many of the first for srlz.i only */
};

/** strict_create() - before the processors are reset; they get LOOP_STRICT if they need it */
void strict_create(struct machine *m);
void strict_destroy(struct machine *m);

/** strict_turn_begins() - the processor is about to execute, its own stores in sight */
void strict_turn_begins(struct cpu *cpu);
void code_fetched(struct cpu *cpu, const u8 *ram);

/** strict_fetched() - the bundle at ip, in RAM at @ram, is about to be executed */
static inline void strict_fetched(struct cpu *cpu, const u8 *ram)
{
	if (cpu->strict->lines)
		code_fetched(cpu, ram);
}

/** strict_turn_ends() - others are, and see of them what has been done */
void strict_turn_ends(struct cpu *cpu);

/**
 * strict_before() - an instruction is about to be executed
 * @on: whether i->exec will be called
 */
void strict_before(struct cpu *cpu, const struct insn *i, bool on);
/**
 * strict_after() - it was completed, without leaving the run loop
 * @ip: where it stands, with its slot in bits 1:0; a branch has moved on
 */
void strict_after(struct cpu *cpu, const struct insn *i, bool on, u64 ip);
/**
 * strict_left() - one left the run loop: cpu->entered or cpu->returned tells how, and
 * is cleared
 */
void strict_left(struct cpu *cpu);

/* Where the instruction stands that is being executed. */
static inline u64 strict_ip(const struct cpu *cpu)
{
	return cpu->ip | cpu->slot;
}

enum place { PLACE_RAM, PLACE_DEVICE, PLACE_UNKNOWN };

/* Where a reference goes, by a look that changes nothing. */
enum place strict_look_up(struct cpu *cpu, u64 va, bool virtual, unsigned int size, u8 **ram);
/* Bytes of a store, which is no semaphore. */
unsigned int strict_size(const struct insn *i);

/* serialize.c */
void serialize_before(struct cpu *cpu, const struct insn *i, bool on);
void serialize_after(struct cpu *cpu, const struct insn *i, u64 ip);
/* An interruption or an rfi, which serialize everything. */
void serialize_all(struct cpu *cpu);

/* depend.c */
void depend_before(struct cpu *cpu, const struct insn *i, bool on);
void depend_after(struct cpu *cpu, const struct insn *i, bool on, u64 ip);
void depend_new_group(struct cpu *cpu);

/* code.c, which has nothing to say without -strict code */
void code_lines_create(struct machine *m);
void code_lines_destroy(struct machine *m);
void code_before(struct cpu *cpu, const struct insn *i);
void code_after(struct cpu *cpu, const struct insn *i, u64 ip);
/* What the register stack engine has stored. */
void code_settle(struct cpu *cpu);
/* srlz.i, or an interruption or an rfi. */
void code_serialize(struct cpu *cpu);

/* walks.c: an instruction has been executed. */
void walks_after(struct cpu *cpu);

/* stores.c */
void stores_before(struct cpu *cpu, const struct insn *i);
void stores_after(struct cpu *cpu, const struct insn *i, bool on, u64 ip);
/* What the register stack engine has stored. */
void stores_settle(struct cpu *cpu);
void stores_apply(struct cpu *cpu);
void stores_undo(struct cpu *cpu);

#endif
