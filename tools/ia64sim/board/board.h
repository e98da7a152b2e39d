/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The machine as a whole.
 */
#ifndef BOARD_H
#define BOARD_H

#include "state/machine.h"

/* False when the program should end with *status now. */
bool parse_options(struct options *opt, int argc, char **argv, int *status);

struct machine *machine_create(const struct options *opt);
void machine_run(struct machine *m);	/* until power-off or a limit */
void machine_destroy(struct machine *m);

#endif
