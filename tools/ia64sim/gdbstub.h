/* SPDX-License-Identifier: GPL-2.0 */
/*
 * GDB's remote serial protocol over TCP (-gdb).
 */
#ifndef GDBSTUB_H
#define GDBSTUB_H

#include "machine.h"

/* Listen on localhost; false after one line on stderr. */
bool gdb_open(struct machine *m);
void gdb_close(struct machine *m);
/* Wait for a debugger, and for its leave to run (-S). */
void gdb_wait(struct machine *m);
/* Between turns: a debugger that attaches, or interrupts. */
void gdb_poll(struct machine *m);
/* cpu_run() with breakpoints and single steps. */
void gdb_run(struct cpu *cpu, u64 budget);

#endif
