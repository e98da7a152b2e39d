// SPDX-License-Identifier: GPL-2.0
/*
 * GDB's remote serial protocol on a TCP port of localhost: registers, memory,
 * breakpoints, single steps, interruption of the run.  Processors are threads.
 *
 * Registers are numbered as gdb's ia64 target numbers them.  It looks for r32
 * and above in the backing store, below a BSP that is the frame's end, as a
 * kernel shows a traced process; so memory reads find there what is still in
 * the physical registers.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cpu/interrupt.h"
#include "cpu/rse.h"
#include "cpu/run.h"
#include "debug/debug.h"
#include "mmu/phys.h"
#include "watch/trace.h"

enum { MAX_PACKET = 16384, MAX_BREAKPOINTS = 64 };

/* gdb's numbers */
enum {
	REG_GR = 0, REG_FR = 128, REG_PR = 256, REG_BR = 320, REG_VFP = 328, REG_VRAP = 329,
	REG_PREDICATES = 330, REG_IP = 331, REG_PSR = 332, REG_CFM = 333, REG_AR = 334,
	N_REGISTERS = 462,
};

struct gdbstub {
	int listener, client;		/* -1: none */
	bool no_ack;
	bool is_stopped;
	struct cpu *current;		/* of Hg */
	struct cpu *stepping;		/* one instruction, then stop */
	u64 breakpoint[MAX_BREAKPOINTS];
	unsigned int n_breakpoints;
	u64 resumed_at;			/* breakpoint not to stop at again at once */
	bool resumed;
	char in[MAX_PACKET + 1];
	char out[MAX_PACKET + 1];
	size_t n_out;
};

/*
 * Bytes and packets.
 */
static void drop_client(struct gdbstub *g)
{
	if (g->client >= 0)
		close(g->client);
	g->client = -1;
	g->is_stopped = false;
	g->n_breakpoints = 0;
	g->stepping = NULL;
}

static int get_byte(struct gdbstub *g)
{
	unsigned char c;

	if (g->client < 0)
		return -1;
	for (;;) {
		ssize_t n = read(g->client, &c, 1);

		if (n == 1)
			return c;
		if (n < 0 && errno == EINTR)
			continue;
		drop_client(g);
		return -1;
	}
}

static void send_bytes(struct gdbstub *g, const char *bytes, size_t n)
{
	while (n && g->client >= 0) {
		ssize_t sent = send(g->client, bytes, n, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0) {
			drop_client(g);
			return;
		}
		bytes += sent;
		n -= sent;
	}
}

static int hex_digit(int c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* The next packet into g->in; false when the debugger is gone. */
static bool get_packet(struct gdbstub *g)
{
	for (;;) {
		unsigned char sum = 0;
		size_t n = 0;
		int c, high, low;

		do {
			c = get_byte(g);
			if (c < 0)
				return false;
		} while (c != '$');
		while ((c = get_byte(g)) >= 0 && c != '#') {
			sum += c;
			if (n < MAX_PACKET)
				g->in[n++] = c;
		}
		high = hex_digit(get_byte(g));
		low = hex_digit(get_byte(g));
		if (g->client < 0)
			return false;
		g->in[n] = 0;
		if (g->no_ack)
			return true;
		if (high << 4 == (sum & 0xf0) && low == (sum & 0xf)) {
			send_bytes(g, "+", 1);
			return true;
		}
		send_bytes(g, "-", 1);
	}
}

static void add(struct gdbstub *g, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add(struct gdbstub *g, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(g->out + g->n_out, MAX_PACKET + 1 - g->n_out, format, args);
	va_end(args);
	g->n_out += n;
	if (g->n_out > MAX_PACKET)
		g->n_out = MAX_PACKET;
}

static void send_packet(struct gdbstub *g)
{
	unsigned char sum = 0;
	char tail[4];

	for (size_t i = 0; i < g->n_out; i++)
		sum += g->out[i];
	send_bytes(g, "$", 1);
	send_bytes(g, g->out, g->n_out);
	snprintf(tail, sizeof(tail), "#%02x", sum);
	send_bytes(g, tail, 3);
	g->n_out = 0;
	/* '+' is skipped by get_packet(); without a line to lose bytes nothing
	 * has ever to be sent again.
	 */
}

static void reply(struct gdbstub *g, const char *text)
{
	g->n_out = 0;
	add(g, "%s", text);
	send_packet(g);
}

static u64 parse_hex(const char **p)
{
	u64 value = 0;

	while (hex_digit(**p) >= 0)
		value = value << 4 | hex_digit(*(*p)++);
	return value;
}

/* Little-endian bytes as hex, which is how registers travel. */
static void add_value(struct gdbstub *g, u64 value, unsigned int size)
{
	for (unsigned int i = 0; i < size; i++)
		add(g, "%02x", (unsigned int)(value >> i * 8 & 0xff));
}

static u64 parse_value(const char **p, unsigned int size)
{
	u64 value = 0;

	for (unsigned int i = 0; i < size; i++) {
		if (hex_digit((*p)[0]) < 0 || hex_digit((*p)[1]) < 0)
			break;
		value |= (u64)(hex_digit((*p)[0]) << 4 | hex_digit((*p)[1])) << i * 8;
		*p += 2;
	}
	return value;
}

/*
 * The register stack.
 */
static bool is_collection(u64 address)
{
	return FIELD(address, 3, 6) == 63;
}

/* The backing store address n registers above the one at @address. */
static u64 skip(u64 address, unsigned int n)
{
	while (n--) {
		address += 8;
		if (is_collection(address))
			address += 8;
	}
	return address;
}

static u64 frame_end(const struct cpu *cpu)
{
	return skip(rse_bsp(cpu), cpu->cfm.sof);
}

/* Which physical register a backing store address belongs to, if its value is
 * not in memory yet; -1 otherwise.
 */
static int register_at(const struct cpu *cpu, u64 address)
{
	u64 bsp = rse_bsp(cpu), begin = rse_bspstore(cpu);
	int n = 0;

	if (address % 8 || is_collection(address) || address < begin || address >= frame_end(cpu))
		return -1;
	for (u64 a = bsp; a < address; a += 8)
		n += !is_collection(a);
	for (u64 a = address; a < bsp; a += 8)
		n -= !is_collection(a);
	n = (cpu->rse_base + n) % N_STACKED;
	return 32 + (n < 0 ? n + N_STACKED : n);
}

/* A NaT collection that the engine has not stored yet. */
static bool collection_at(const struct cpu *cpu, u64 address, u64 *value)
{
	u64 first = address & ~0x1ffULL;

	if (!is_collection(address) || address < rse_bspstore(cpu) || address >= frame_end(cpu))
		return false;
	*value = first < rse_bspstore(cpu) ? rse_rnat(cpu) : 0;
	for (u64 a = first; a < address; a += 8) {
		int r = register_at(cpu, a);

		if (r >= 0)
			*value = (*value & ~BIT(FIELD(a, 3, 6))) |
				 (u64)cpu->nat[r] << FIELD(a, 3, 6);
	}
	return true;
}

/*
 * Memory, without any effect on what the guest or its statistics see.
 */
static bool look_up(struct cpu *cpu, u64 va, u64 *pa)
{
	u32 rid = FIELD(cpu->rr[va >> 61], 8, 24);
	const struct tlb_entry *e = tlb_find(&cpu->dtlb, rid, va);

	if (!e)
		e = tlb_find(&cpu->itlb, rid, va);
	if (!e || !e->p)
		return false;
	*pa = e->ppn | (va & MASK(e->ps));
	return true;
}

static bool to_physical(struct cpu *cpu, u64 va, u64 *pa)
{
	u64 entry_pa, entry;

	if (!psr(cpu, PSR_DT) && !(va >> 61 & 3)) {
		*pa = va & MASK(63);
		return true;
	}
	if (look_up(cpu, va, pa))
		return true;
	/* The page table, where the walker would look and its page is mapped. */
	if (cpu->rr[va >> 61] & 1 && !(cpu->cr[CR_PTA] >> 8 & 1) &&
	    look_up(cpu, vhpt_thash(cpu, va), &entry_pa) && ram_at(cpu->machine, entry_pa, 8)) {
		entry = phys_read(cpu->machine, entry_pa, 8);
		if (entry & 1) {
			*pa = (entry & 0x3fffffffff000ULL) |
			      (va & MASK(FIELD(cpu->rr[va >> 61], 2, 6)));
			return true;
		}
	}
	/* Regions 6 and 7 are all of memory in every system's hands. */
	if (va >> 62 == 3 && (va & MASK(61)) < BIT(IMPL_PA_BITS)) {
		*pa = va & MASK(61);
		return true;
	}
	return false;
}

/* Host address of a byte of guest memory; devices are not for looking at. */
static u8 *byte_at(struct cpu *cpu, u64 va)
{
	u64 pa;

	return to_physical(cpu, va, &pa) ? ram_at(cpu->machine, pa, 1) : NULL;
}

static bool read_byte(struct cpu *cpu, u64 va, u8 *value)
{
	int r = register_at(cpu, va & ~7ULL);
	u64 collection;
	u8 *p;

	if (r >= 0) {
		*value = cpu->gr[r] >> va % 8 * 8;
		return true;
	}
	if (collection_at(cpu, va & ~7ULL, &collection)) {
		*value = collection >> va % 8 * 8;
		return true;
	}
	p = byte_at(cpu, va);
	if (p)
		*value = *p;
	return p;
}

static bool write_byte(struct cpu *cpu, u64 va, u8 value)
{
	int r = register_at(cpu, va & ~7ULL);
	u64 pa;

	if (r >= 0) {
		cpu->gr[r] &= ~(0xffULL << va % 8 * 8);
		cpu->gr[r] |= (u64)value << va % 8 * 8;
		return true;
	}
	if (!to_physical(cpu, va, &pa) || !ram_at(cpu->machine, pa, 1))
		return false;
	phys_write(cpu->machine, pa, 1, value);
	return true;
}

static void read_memory(struct gdbstub *g, const char *p)
{
	u64 va = parse_hex(&p), n;

	if (*p++ != ',') {
		reply(g, "E22");
		return;
	}
	n = parse_hex(&p);
	if (n > MAX_PACKET / 2)
		n = MAX_PACKET / 2;
	g->n_out = 0;
	for (u64 i = 0; i < n; i++) {
		u8 value;

		if (!read_byte(g->current, va + i, &value))
			break;
		add(g, "%02x", value);
	}
	if (n && !g->n_out)
		add(g, "E14");
	send_packet(g);
}

static void write_memory(struct gdbstub *g, const char *p)
{
	u64 va = parse_hex(&p), n;

	n = *p == ',' ? (p++, parse_hex(&p)) : 0;
	/* All of the bytes, or what is missing would be taken for zeros. */
	if (*p++ != ':' || n > MAX_PACKET / 2 || strlen(p) != 2 * n) {
		reply(g, "E22");
		return;
	}
	for (u64 i = 0; i < n; i++) {
		if (!write_byte(g->current, va + i, parse_value(&p, 1))) {
			reply(g, "E14");
			return;
		}
	}
	reply(g, "OK");
}

/*
 * Registers.
 */
static u64 read_ar(const struct cpu *cpu, unsigned int n)
{
	switch (n) {
	case AR_BSP:
		return frame_end(cpu);
	case AR_BSPSTORE:
		return rse_bspstore(cpu);
	case AR_RNAT:
		return rse_rnat(cpu);
	case AR_ITC:
		return cpu_itc(cpu);
	default:
		return cpu->ar[n];
	}
}

static void add_register(struct gdbstub *g, unsigned int n)
{
	struct cpu *cpu = g->current;

	if (n < REG_FR) {
		/* those of the frame are read from the backing store */
		add_value(g, n < 32 ? gr(cpu, n) : 0, 8);
	} else if (n < REG_PR) {
		add_value(g, fr(cpu, n - REG_FR)->sig, 8);
		add_value(g, fr(cpu, n - REG_FR)->se, 8);
	} else if (n < REG_BR) {
		add_value(g, predicates_unrotated(cpu) >> (n - REG_PR) & 1, 8);
	} else if (n < REG_VFP) {
		add_value(g, cpu->br[n - REG_BR], 8);
	} else if (n == REG_PREDICATES) {
		add_value(g, predicates_unrotated(cpu), 8);
	} else if (n == REG_IP) {
		add_value(g, cpu->ip, 8);
	} else if (n == REG_PSR) {
		add_value(g, cpu->psr | (u64)cpu->slot << PSR_RI, 8);
	} else if (n == REG_CFM) {
		add_value(g, frame_pack(&cpu->cfm), 8);
	} else if (n >= REG_AR && n < N_REGISTERS) {
		add_value(g, read_ar(cpu, n - REG_AR), 8);
	} else {
		add_value(g, 0, 8);
	}
}

static bool write_register(struct cpu *cpu, unsigned int n, const char **p)
{
	u64 value = parse_value(p, 8);

	if (n > 0 && n < 32) {
		set_gr(cpu, n, value, false);
	} else if (n >= REG_FR + 2 && n < REG_PR) {
		fr(cpu, n - REG_FR)->sig = value;
		fr(cpu, n - REG_FR)->se = parse_value(p, 8) & MASK(18);
	} else if (n >= REG_BR && n < REG_VFP) {
		cpu->br[n - REG_BR] = value;
	} else if (n == REG_PREDICATES) {
		set_predicates_unrotated(cpu, value);
	} else if (n == REG_IP) {
		cpu->ip = value & ~0xfULL;
	} else if (n == REG_PSR) {
		cpu->slot = FIELD(value, PSR_RI, 2) % 3;
		set_psr(cpu, value & ~(3ULL << PSR_RI));
	} else if (n >= REG_AR && n < N_REGISTERS && n - REG_AR != AR_BSP &&
		   n - REG_AR != AR_BSPSTORE && n - REG_AR != AR_RNAT && n - REG_AR != AR_ITC) {
		cpu->ar[n - REG_AR] = value;
	} else {
		return false;
	}
	return true;
}

static void read_registers(struct gdbstub *g)
{
	g->n_out = 0;
	for (unsigned int n = 0; n < N_REGISTERS; n++)
		add_register(g, n);
	send_packet(g);
}

static void write_registers(struct gdbstub *g, const char *p)
{
	unsigned int n;

	for (n = 0; n < N_REGISTERS && *p; n++)
		write_register(g->current, n, &p);
	reply(g, n == N_REGISTERS ? "OK" : "E22");
}

/*
 * Breakpoints: addresses with the slot in the low bits, as gdb writes them.
 */
static u64 here(const struct cpu *cpu)
{
	return cpu->ip | cpu->slot;
}

static bool is_breakpoint(const struct gdbstub *g, u64 address)
{
	for (unsigned int i = 0; i < g->n_breakpoints; i++)
		if (g->breakpoint[i] == address)
			return true;
	return false;
}

static void change_breakpoint(struct gdbstub *g, const char *p, bool insert)
{
	char kind = *p++;
	u64 address;

	if ((kind != '0' && kind != '1') || *p++ != ',') {
		reply(g, "");
		return;
	}
	if (hex_digit(*p) < 0) {
		reply(g, "E22");
		return;
	}
	address = parse_hex(&p);
	for (unsigned int i = 0; i < g->n_breakpoints; i++) {
		if (g->breakpoint[i] == address) {
			g->breakpoint[i] = g->breakpoint[--g->n_breakpoints];
			break;
		}
	}
	if (insert && g->n_breakpoints == MAX_BREAKPOINTS) {
		reply(g, "E28");
		return;
	}
	if (insert)
		g->breakpoint[g->n_breakpoints++] = address;
	reply(g, "OK");
}

/*
 * Commands.
 */
static struct cpu *thread(struct machine *m, const char *p)
{
	u64 n;

	if (*p == '-' || *p == '0')
		return NULL;
	n = parse_hex(&p);
	return n >= 1 && n <= m->n_cpus ? m->cpu[n - 1] : NULL;
}

static void query(struct machine *m, struct gdbstub *g, const char *p)
{
	if (!strncmp(p, "Supported", 9)) {
		g->n_out = 0;
		add(g, "PacketSize=%x;QStartNoAckMode+;vContSupported+", MAX_PACKET);
		send_packet(g);
	} else if (!strcmp(p, "C")) {
		g->n_out = 0;
		add(g, "QC%x", g->current->id + 1);
		send_packet(g);
	} else if (!strcmp(p, "fThreadInfo")) {
		g->n_out = 0;
		for (unsigned int i = 0; i < m->n_cpus; i++)
			add(g, "%c%x", i ? ',' : 'm', i + 1);
		send_packet(g);
	} else if (!strcmp(p, "sThreadInfo")) {
		reply(g, "l");
	} else if (!strncmp(p, "Attached", 8)) {
		reply(g, "1");
	} else if (!strncmp(p, "ThreadExtraInfo,", 16)) {
		const struct cpu *cpu = thread(m, p + 16);
		char text[32];

		snprintf(text, sizeof(text), "cpu %u%s", cpu ? cpu->id : 0,
			 !cpu ? "" : cpu->stopped ? " (stopped)" : cpu->halted ? " (halted)" : "");
		g->n_out = 0;
		for (const char *c = text; *c; c++)
			add(g, "%02x", *c);
		send_packet(g);
	} else {
		reply(g, "");
	}
}

static void stop_reply(struct gdbstub *g, unsigned int signal)
{
	g->n_out = 0;
	add(g, "T%02xthread:%x;", signal, g->current->id + 1);
	send_packet(g);
}

static void resume(struct gdbstub *g, struct cpu *step)
{
	g->stepping = step;
	g->resumed = true;
	g->resumed_at = here(g->current);
	g->is_stopped = false;
}

/* vCont;s:2;c and the like: at most one processor is stepped. */
static void resume_threads(struct machine *m, struct gdbstub *g, const char *p)
{
	struct cpu *step = NULL;

	while (*p++ == ';') {
		char action = *p++;

		/* with a signal, which means nothing here */
		if (action == 'S' || action == 'C')
			parse_hex(&p);
		if ((action == 's' || action == 'S') && !step) {
			step = *p == ':' ? thread(m, p + 1) : NULL;
			if (!step)
				step = g->current;
		}
		p += strcspn(p, ";");
	}
	if (step)
		g->current = step;
	resume(g, step);
}

/* Serve a stopped debugger until it lets the machine go on. */
static void serve(struct machine *m)
{
	struct gdbstub *g = m->gdb;

	fflush(stdout);
	while (g->is_stopped && get_packet(g)) {
		const char *p = g->in + 1;
		struct cpu *cpu;

		switch (g->in[0]) {
		case '?':
			stop_reply(g, 5);
			break;
		case 'g':
			read_registers(g);
			break;
		case 'G':
			write_registers(g, p);
			break;
		case 'p': {
			u64 n = parse_hex(&p);

			g->n_out = 0;
			if (n < N_REGISTERS)
				add_register(g, n);
			else
				add(g, "E22");
			send_packet(g);
			break;
		}
		case 'P': {
			unsigned int n = parse_hex(&p);

			reply(g, *p++ == '=' && write_register(g->current, n, &p) ? "OK" : "E22");
			break;
		}
		case 'm':
			read_memory(g, p);
			break;
		case 'M':
			write_memory(g, p);
			break;
		case 'Z':
		case 'z':
			change_breakpoint(g, p, g->in[0] == 'Z');
			break;
		case 'H':
			cpu = *p ? thread(m, p + 1) : NULL;
			if (cpu && *p == 'g')
				g->current = cpu;
			/* 0 and -1 are any and all threads. */
			reply(g, cpu || (*p && (p[1] == '0' || p[1] == '-')) ? "OK" : "E22");
			break;
		case 'T':
			reply(g, thread(m, p) ? "OK" : "E22");
			break;
		case 'c':
		case 'C':
			resume(g, NULL);
			break;
		case 's':
		case 'S':
			resume(g, g->current);
			break;
		case 'v':
			if (!strncmp(p, "Cont?", 5))
				reply(g, "vCont;c;C;s;S");
			else if (!strncmp(p, "Cont", 4))
				resume_threads(m, g, p + 4);
			else
				reply(g, "");
			break;
		case 'q':
			query(m, g, p);
			break;
		case 'Q':
			if (!strcmp(p, "StartNoAckMode")) {
				reply(g, "OK");
				g->no_ack = true;
			} else {
				reply(g, "");
			}
			break;
		case 'D':
			reply(g, "OK");
			drop_client(g);
			break;
		case 'k':
			drop_client(g);
			machine_stop(m, 0);
			break;
		default:
			reply(g, "");
			break;
		}
	}
}

static void stop(struct cpu *cpu, unsigned int signal)
{
	struct gdbstub *g = cpu->machine->gdb;

	g->current = cpu;
	g->stepping = NULL;
	g->is_stopped = true;
	stop_reply(g, signal);
	serve(cpu->machine);
}

static bool accept_client(struct machine *m, int milliseconds)
{
	struct gdbstub *g = m->gdb;
	struct pollfd p = { .fd = g->listener, .events = POLLIN };

	if (poll(&p, 1, milliseconds) <= 0)
		return false;
	g->client = accept(g->listener, NULL, NULL);
	if (g->client < 0)
		return false;
	g->no_ack = false;
	g->current = m->cpu[0];
	g->is_stopped = true;
	return true;
}

/* Ctrl-C of the debugger is a byte outside packets. */
static bool is_interrupted(struct gdbstub *g)
{
	struct pollfd p = { .fd = g->client, .events = POLLIN };

	while (g->client >= 0 && poll(&p, 1, 0) > 0)
		if (get_byte(g) == 3)
			return true;
	return false;
}

void gdb_poll(struct machine *m)
{
	struct gdbstub *g = m->gdb;

	if (g->client < 0) {
		if (accept_client(m, 0))
			serve(m);
	} else if (is_interrupted(g)) {
		stop(g->current, 2);
	}
}

/* Cycles for one instruction with -timing, where an interrupt that comes before takes some. */
enum { ENTRY_BUDGET = 1000 };

/* Exactly one instruction: trace.h's events make the run loop do single ones. */
static void one_instruction(struct cpu *cpu)
{
	struct machine *m = cpu->machine;
	unsigned int events = m->trace_events;

	m->trace_events |= TRACE_INSN;
	cpu_run(cpu, ENTRY_BUDGET, 1);
	m->trace_events = events;
}

void gdb_run(struct cpu *cpu, u64 budget, u64 tries)
{
	struct machine *m = cpu->machine;
	struct gdbstub *g = m->gdb;
	u64 end = cpu->cycles + budget, before = cpu_tried(cpu);

	while (cpu->cycles < end && cpu_tried(cpu) - before < tries && !cpu->halted &&
	       !m->powered_off && !m->timing_begins) {
		u64 at = here(cpu);

		if (!g->n_breakpoints && g->stepping != cpu) {
			cpu_run(cpu, end - cpu->cycles, tries - (cpu_tried(cpu) - before));
			return;
		}
		if (is_breakpoint(g, at) && !(g->resumed && g->resumed_at == at)) {
			stop(cpu, 5);
			continue;
		}
		if (cpu == g->current)
			g->resumed = false;
		one_instruction(cpu);
		if (g->stepping == cpu)
			stop(cpu, 5);
	}
}

bool gdb_open(struct machine *m)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET, .sin_port = htons(m->opt.gdb_port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	struct gdbstub *g;
	int one = 1;

	if (!m->opt.gdb_port)
		return true;
	g = calloc(1, sizeof(*g));
	if (!g)
		out_of_memory();
	m->gdb = g;
	g->client = -1;
	g->current = m->cpu[0];
	g->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (g->listener >= 0) {
		setsockopt(g->listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
		if (bind(g->listener, (struct sockaddr *)&address, sizeof(address)) == 0 &&
		    listen(g->listener, 1) == 0)
			return true;
	}
	fprintf(stderr, "ia64sim: -gdb %d: %s\n", m->opt.gdb_port, strerror(errno));
	gdb_close(m);
	return false;
}

void gdb_close(struct machine *m)
{
	struct gdbstub *g = m->gdb;

	if (!g)
		return;
	if (g->client >= 0) {
		g->n_out = 0;
		add(g, "W%02x", m->exit_status);
		send_packet(g);
	}
	drop_client(g);
	if (g->listener >= 0)
		close(g->listener);
	free(g);
	m->gdb = NULL;
}

void gdb_wait(struct machine *m)
{
	if (!m->gdb || !m->opt.gdb_wait)
		return;
	fprintf(stderr, "ia64sim: waiting for GDB on port %d\n", m->opt.gdb_port);
	while (!accept_client(m, -1))
		;
	serve(m);
}
