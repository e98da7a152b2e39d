// SPDX-License-Identifier: GPL-2.0
/*
 * ia64sim: the program.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "board/board.h"
#include "debug/debug.h"
#include "firmware/firmware.h"
#include "firmware/loader.h"
#include "watch/findings.h"
#include "watch/stats.h"
#include "watch/trace.h"

static FILE *open_stats(const char *name)
{
	FILE *f = fopen(name, "w");

	if (!f)
		fprintf(stderr, "ia64sim: %s: %s\n", name, strerror(errno));
	return f;
}

int main(int argc, char **argv)
{
	struct options opt;
	struct machine *m;
	FILE *stats = NULL;
	int status;

	if (!parse_options(&opt, argc, argv, &status))
		return status;
	if (opt.stats) {
		stats = open_stats(opt.stats);
		if (!stats)
			return STATUS_USAGE;
	}
	m = machine_create(&opt);
	if (!trace_open(m) || !load_kernel(m) || !gdb_open(m)) {
		machine_destroy(m);
		return STATUS_USAGE;
	}
	firmware_build(m);
	gdb_wait(m);
	machine_run(m);
	gdb_close(m);
	findings_end(m);
	status = m->exit_status;
	if (stats) {
		stats_print(m, stats);
		if (fclose(stats)) {
			fprintf(stderr, "ia64sim: %s: %s\n", opt.stats, strerror(errno));
			status = STATUS_USAGE;
		}
	}
	machine_destroy(m);
	return status;
}
