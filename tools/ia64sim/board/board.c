// SPDX-License-Identifier: GPL-2.0
/*
 * The machine: puts the parts together, and gives the processors their turns.
 *
 * Simulated time advances in turns of struct machine.quantum cycles, in which every
 * processor runs, in the order of their numbers; that order and those lengths depend on
 * nothing but the simulation, so equal inputs give equal runs.  With -strict turns their
 * lengths are random, as a seed has it.  When no
 * processor has anything to do time jumps to the next timer.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "board/board.h"
#include "cpu/run.h"
#include "cpu/sapic.h"
#include "debug/debug.h"
#include "devices/devices.h"
#include "firmware/firmware.h"
#include "mmu/code.h"
#include "pmu/pmu.h"
#include "state/random.h"
#include "strict/strict.h"
#include "timing/timing.h"
#include "watch/stats.h"
#include "watch/trace.h"

/* How often the console looks for input: every 2/3 ms of simulated time. */
enum { POLL_CYCLES = 1000000 };

static const struct calls calls = {
	.firmware = firmware_break, .wake = firmware_wake, .init = firmware_init,
	.print = cpu_print,
};

static void parse_timing(struct machine *m)
{
	char error[512];

	m->timing_params = malloc(sizeof(*m->timing_params));
	if (!m->timing_params)
		out_of_memory();
	/* parse_options() has seen it; but a file may have changed since */
	if (!timing_parse(m->timing_params, m->opt.timing, error, sizeof(error))) {
		fprintf(stderr, "ia64sim: -timing %s\n", error);
		exit(1);
	}
	m->cpu_hz = m->timing_params->freq;
	m->timing_late = m->timing_params->late;
}

static void create_timing(struct machine *m)
{
	for (unsigned int i = 0; i < m->n_cpus; i++) {
		struct cpu *cpu = m->cpu[i];

		cpu->tried = cpu_tried(cpu);
		cpu->timing = timing_create(m->timing_params, i ? m->cpu[0]->timing : NULL);
		if (!cpu->timing)
			out_of_memory();
		cpu->timing->rse_loads = cpu->stats.rse_loads;
		cpu->timing->rse_stores = cpu->stats.rse_stores;
		cpu->entered = cpu->returned = false;
		cpu->loop = LOOP_TIMED;
	}
}

/* With -timing MODEL,late=1: the caches are cold.  No processor is in the midst of its turn. */
static void begin_timing(struct machine *m)
{
	m->timing_begins = false;
	m->timed_from = machine_cycles(m);
	for (unsigned int i = 0; i < m->n_cpus; i++)
		pmu_end_interval(m->cpu[i], PMU_BETWEEN);
	create_timing(m);
	code_retire_all(m);
	for (unsigned int i = 0; i < m->n_cpus; i++)
		pmu_begin_interval(m->cpu[i], PMU_BETWEEN);
}

struct machine *machine_create(const struct options *opt)
{
	struct machine *m = calloc(1, sizeof(*m));

	if (!m)
		out_of_memory();
	m->opt = *opt;
	m->call = &calls;
	m->n_cpus = opt->cpus;
	m->cpu_hz = MADISON_HZ;
	m->quantum = QUANTUM;
	m->ram = mmap(NULL, opt->ram, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (m->ram == MAP_FAILED)
		out_of_memory();
	code_create(m);
	for (unsigned int i = 0; i < m->n_cpus; i++) {
		struct cpu *cpu = aligned_alloc(64, (sizeof(*cpu) + 63) & ~63UL);

		if (!cpu)
			out_of_memory();
		memset(cpu, 0, sizeof(*cpu));
		cpu->machine = m;
		cpu->id = i;
		m->cpu[i] = cpu;
	}
	if (opt->timing) {
		parse_timing(m);
		if (!m->timing_late)
			create_timing(m);
	}
	strict_create(m);
	for (unsigned int i = 0; i < m->n_cpus; i++) {
		cpu_reset(m->cpu[i]);
		m->cpu[i]->stopped = i != 0;
	}
	ipi_create(m);
	iosapic_create(m);
	uart_create(m);
	power_create(m);
	return m;
}

void machine_destroy(struct machine *m)
{
	uart_destroy(m);
	trace_close(m);
	strict_destroy(m);
	firmware_destroy(m);
	code_destroy(m);
	for (unsigned int i = m->n_cpus; i-- > 0;) {
		timing_destroy(m->cpu[i]->timing);
		free(m->cpu[i]);
	}
	munmap(m->ram, m->opt.ram);
	free(m->timing_params);
	free(m->iosapic);
	free(m->power);
	stats_destroy(m);
	free(m);
}

/* Is anyone running? Halted processors wait for an interrupt. */
static bool is_idle(const struct machine *m)
{
	for (unsigned int i = 0; i < m->n_cpus; i++)
		if (!m->cpu[i]->halted && !m->cpu[i]->stopped)
			return false;
	return true;
}

static unsigned int started(const struct machine *m)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < m->n_cpus; i++)
		n += !m->cpu[i]->stopped;
	return n;
}

static u64 next_timer(const struct machine *m)
{
	u64 first = ~0ULL;

	for (unsigned int i = 0; i < m->n_cpus; i++)
		if (!m->cpu[i]->stopped && m->cpu[i]->next_timer < first)
			first = m->cpu[i]->next_timer;
	return first;
}

/* One processor up to cycle @end; asleep it costs nothing. */
static void take_turn(struct machine *m, struct cpu *cpu, u64 end)
{
	m->running = cpu;
	while (cpu->cycles < end && !m->powered_off) {
		u64 before = cpu_tried(cpu), budget = end - cpu->cycles, tries = ~0ULL;

		if (m->timing_begins)
			begin_timing(m);
		if (cpu->stopped) {
			cpu_sleep(cpu, end);
		} else if (cpu->halted && cpu->next_timer > end) {
			cpu_sleep(cpu, end);
		} else if (cpu->halted) {
			if (cpu->next_timer > cpu->cycles)
				cpu_sleep(cpu, cpu->next_timer);
			sapic_timer_expired(cpu);
		} else {
			if (m->opt.icount_limit)
				tries = m->opt.icount_limit - m->executed;
			if (m->gdb)
				gdb_run(cpu, budget, tries);
			else
				cpu_run(cpu, budget, tries);
			m->executed += cpu_tried(cpu) - before;
			if (m->opt.icount_limit && m->executed >= m->opt.icount_limit) {
				fprintf(stderr, "ia64sim: stopped after %llu instructions\n",
					(unsigned long long)m->executed);
				machine_stop(m, STATUS_LIMIT);
			}
		}
	}
	m->running = NULL;
}

/* Everyone sleeps: time goes on to the next timer.  With somebody at the
 * terminal it does so at its natural pace, or the guest's clock would race.
 */
static u64 skip_to(struct machine *m, u64 poll)
{
	u64 end = next_timer(m);

	if (end == ~0ULL) {
		/* Only the console can wake anyone, or a debugger. */
		if (!uart_wait(m, 100) && !m->gdb) {
			fputs("ia64sim: all processors wait for an interrupt, and none can come\n",
			      stderr);
			machine_stop(m, STATUS_DIED);
		}
		return poll;
	}
	if (m->opt.interactive && end > m->now) {
		if (end - m->now > m->cpu_hz / 100)
			end = m->now + m->cpu_hz / 100;
		uart_wait(m, (end - m->now) / (m->cpu_hz / 1000));
	}
	return end > m->now ? end : m->now + 1;
}

/*
 * The length of turns with -strict turns: lockstep nearly, as usual, or far apart.  Now and then
 * one is late for all of what another does: unmaps memory, frees and uses it again.
 */
static u64 random_turn(struct machine *m)
{
	static const unsigned int most[] = { 8, QUANTUM, 16 * QUANTUM };

	if (!random_below(&m->random, 32))
		return 1 + random_below(&m->random, 256 * QUANTUM);
	return 1 + random_below(&m->random, most[random_below(&m->random, 3)]);
}

ALWAYS_INLINE void take_turns(struct machine *m, bool random)
{
	u64 poll = m->now;

	while (!m->powered_off) {
		u64 end;

		if (m->now >= poll) {
			uart_poll(m);
			if (m->gdb)
				gdb_poll(m);
			poll = m->now + POLL_CYCLES;
		}
		if (is_idle(m))
			end = skip_to(m, poll);
		else if (started(m) == 1)
			end = poll;
		else
			end = m->now + (random ? random_turn(m) : m->quantum);
		for (unsigned int i = 0; i < m->n_cpus; i++)
			take_turn(m, m->cpu[i], end);
		m->now = end;
	}
}

void machine_run(struct machine *m)
{
	if (m->opt.strict.turns)
		take_turns(m, true);
	else
		take_turns(m, false);
}
