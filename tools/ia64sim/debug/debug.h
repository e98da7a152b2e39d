/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The guest under a debugger: GDB's remote serial protocol over TCP (-gdb), and the
 * state of a processor for people.
 */
#ifndef DEBUG_H
#define DEBUG_H

#include "state/machine.h"

/* Listen on localhost; false after one line on stderr. */
bool gdb_open(struct machine *m);
void gdb_close(struct machine *m);
/* Wait for a debugger, and for its leave to run (-S). */
void gdb_wait(struct machine *m);
/* Between turns: a debugger that attaches, or interrupts. */
void gdb_poll(struct machine *m);
/* cpu_run() with breakpoints and single steps. */
void gdb_run(struct cpu *cpu, u64 budget, u64 tries);

/* Registers, last interruptions and TLBs, for people. */
void cpu_print(struct cpu *cpu, FILE *f);

#endif
