// SPDX-License-Identifier: GPL-2.0
/*
 * The devices and the local SAPIC, through the registers that software uses.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "board/board.h"
#include "cpu/refs.h"
#include "cpu/sapic.h"
#include "devices/devices.h"
#include "firmware/firmware.h"
#include "watch/stats.h"
#include "check.h"

static struct machine *m;
static struct cpu *cpu0, *cpu1;

/* A machine with two processors that accept every interrupt. */
static void start(void)
{
	struct options opt = {
		.ram = 64 << 20, .cpus = 2, .itc_entries = 128, .dtc_entries = 128, .trs = 64,
		.soft_tlb = true,
	};

	m = machine_create(&opt);
	m->boot.entry = 0x100000;
	firmware_build(m);
	cpu0 = m->cpu[0];
	cpu1 = m->cpu[1];
	cpu1->stopped = false;
	for (unsigned int i = 0; i < 2; i++) {
		m->cpu[i]->cr[CR_TPR] = 0;
		sapic_update(m->cpu[i]);
	}
}

static void end(void)
{
	machine_destroy(m);
}

/*
 * Local SAPIC, SDM 2:118 and following.
 */
static void priorities(void)
{
	start();
	check_equal(sapic_read_ivr(cpu0), 15);
	sapic_interrupt(cpu0, 0x31);
	sapic_interrupt(cpu0, 0xef);
	sapic_interrupt(cpu0, 0x40);
	check(cpu0->interrupt_pending);
	check(cpu0->irr[0] == BIT(0x31) && cpu0->irr[1] == BIT(0) && cpu0->irr[3] == BIT(0x2f));
	check_equal(sapic_read_ivr(cpu0), 0xef);
	/* in service: masks what is not higher */
	check(!cpu0->interrupt_pending);
	check_equal(sapic_read_ivr(cpu0), 15);
	sapic_interrupt(cpu0, 0xee);
	check_equal(sapic_read_ivr(cpu0), 15);
	sapic_interrupt(cpu0, 0xef);
	check_equal(sapic_read_ivr(cpu0), 15);
	sapic_interrupt(cpu0, 0xf0);
	check_equal(sapic_read_ivr(cpu0), 0xf0);
	/* EOI ends the highest in service */
	sapic_eoi(cpu0);
	check_equal(sapic_read_ivr(cpu0), 15);
	sapic_eoi(cpu0);
	check_equal(sapic_read_ivr(cpu0), 0xef);
	sapic_eoi(cpu0);
	check_equal(sapic_read_ivr(cpu0), 0xee);
	sapic_eoi(cpu0);
	check_equal(sapic_read_ivr(cpu0), 0x40);
	sapic_eoi(cpu0);
	check_equal(sapic_read_ivr(cpu0), 0x31);
	sapic_eoi(cpu0);
	check_equal(sapic_read_ivr(cpu0), 15);
	/* a spare EOI does nothing */
	sapic_eoi(cpu0);
	check_equal(sapic_read_ivr(cpu0), 15);
	end();
}

static void nmi_and_extint(void)
{
	start();
	sapic_interrupt(cpu0, 0xff);
	sapic_interrupt(cpu0, 0);
	sapic_interrupt(cpu0, 2);
	check_equal(sapic_read_ivr(cpu0), 2);
	sapic_interrupt(cpu0, 2);
	check_equal(sapic_read_ivr(cpu0), 15);
	sapic_eoi(cpu0);
	check_equal(sapic_read_ivr(cpu0), 2);
	sapic_eoi(cpu0);
	check_equal(sapic_read_ivr(cpu0), 0);
	sapic_eoi(cpu0);
	check_equal(sapic_read_ivr(cpu0), 0xff);
	sapic_eoi(cpu0);
	/* reserved vectors are never pending */
	for (unsigned int v = 1; v < 16; v++)
		if (v != 2)
			sapic_interrupt(cpu0, v);
	check(!cpu0->irr[0]);
	end();
}

static void task_priority(void)
{
	start();
	sapic_interrupt(cpu0, 0x4f);
	sapic_interrupt(cpu0, 0);
	cpu0->cr[CR_TPR] = 0x40;
	sapic_update(cpu0);
	/* ExtINT is above every class of mic */
	check_equal(sapic_read_ivr(cpu0), 0);
	sapic_eoi(cpu0);
	check_equal(sapic_read_ivr(cpu0), 15);
	cpu0->cr[CR_TPR] = 0x30;
	sapic_update(cpu0);
	check(cpu0->interrupt_pending);
	cpu0->cr[CR_TPR] = 1 << 16;
	sapic_update(cpu0);
	check(!cpu0->interrupt_pending);
	sapic_interrupt(cpu0, 0xff);
	sapic_interrupt(cpu0, 0);
	check_equal(sapic_read_ivr(cpu0), 15);
	sapic_interrupt(cpu0, 2);
	check_equal(sapic_read_ivr(cpu0), 2);
	end();
}

static void halting(void)
{
	start();
	cpu0->halted = true;
	cpu0->psr &= ~BIT(PSR_I);
	cpu0->cr[CR_TPR] = 0xf0;
	sapic_interrupt(cpu0, 0x80);
	check(cpu0->halted);
	cpu0->cr[CR_TPR] = 0;
	sapic_update(cpu0);
	check(!cpu0->halted);
	end();
}

static void timer(void)
{
	start();
	cpu0->cycles = 1000;
	cpu0->itc_offset = 500;
	cpu0->cr[CR_ITV] = 0xef;
	cpu0->cr[CR_ITM] = 2000;
	sapic_timer_changed(cpu0);
	check_equal(cpu0->next_timer, 1500);
	cpu0->cycles = 1501;
	sapic_timer_expired(cpu0);
	check_equal(sapic_read_ivr(cpu0), 0xef);
	sapic_eoi(cpu0);
	check_equal(cpu0->next_timer, ~0ULL);
	/* a match in the past does not come again */
	sapic_timer_changed(cpu0);
	check(cpu0->next_timer > 1ULL << 62);
	/* masked matches are discarded */
	cpu0->cr[CR_ITM] = cpu_itc(cpu0) + 10;
	cpu0->cr[CR_ITV] = 1 << 16 | 0xef;
	sapic_timer_changed(cpu0);
	cpu0->cycles += 10;
	sapic_timer_expired(cpu0);
	cpu0->cr[CR_ITV] = 0xef;
	sapic_timer_changed(cpu0);
	check_equal(sapic_read_ivr(cpu0), 15);
	end();
}

/*
 * The processor interrupt block.
 */
static void ipi(unsigned int id, unsigned int eid, u64 data)
{
	phys_write(m, IPI_BASE + (id << 12 | eid << 4), 8, data);
}

static void interrupt_block(void)
{
	start();
	check_equal(cpu1->cr[CR_LID], 1ULL << 24);
	ipi(1, 0, 0xfe);
	check_equal(sapic_read_ivr(cpu0), 15);
	check_equal(sapic_read_ivr(cpu1), 0xfe);
	sapic_eoi(cpu1);
	/* redirectable: the hint is not taken */
	phys_write(m, IPI_BASE + (1 << 12) + 8, 8, 0xfd);
	check_equal(sapic_read_ivr(cpu1), 0xfd);
	sapic_eoi(cpu1);
	ipi(0, 0, 0x400);
	check_equal(sapic_read_ivr(cpu0), 2);
	sapic_eoi(cpu0);
	ipi(0, 0, 0x700);
	check_equal(sapic_read_ivr(cpu0), 0);
	sapic_eoi(cpu0);
	/* reserved vectors, other sizes, nobody there */
	ipi(0, 0, 0x02);
	phys_write(m, IPI_BASE, 4, 0x80);
	ipi(7, 0, 0x80);
	ipi(0, 1, 0x80);
	check_equal(sapic_read_ivr(cpu0), 15);
	check_equal(sapic_read_ivr(cpu1), 15);
	/* LID says who one is */
	cpu0->cr[CR_LID] = 0x0705ULL << 16;
	ipi(7, 5, 0x81);
	check_equal(sapic_read_ivr(cpu0), 0x81);
	/* XTP can be written, INTA read */
	phys_write(m, IPI_BASE + 0x1e0008, 1, 0x10);
	check_equal(phys_read(m, IPI_BASE + 0x1e0000, 1), 15);
	end();
}

static void wake_up(void)
{
	start();
	cpu1->stopped = true;
	ipi(1, 0, AP_WAKE_VECTOR);
	check(cpu1->stopped);		/* nowhere to go yet */
	m->firmware->rendezvous = 0x200000;
	m->firmware->rendezvous_gp = 0x345678;
	ipi(1, 0, 0xfe);
	check(cpu1->stopped);
	ipi(1, 0, AP_WAKE_VECTOR);
	check(!cpu1->stopped);
	check_equal(cpu1->ip, 0x200000);
	check_equal(gr(cpu1, 1), 0x345678);
	check_equal(cpu1->psr, BIT(PSR_BN));
	check_equal(cpu1->cr[CR_LID], 1ULL << 24);
	check_equal(cpu1->br[0], firmware_address(FW_RENDEZVOUS_RETURN));
	cpu1->cr[CR_TPR] = 0;
	check_equal(sapic_read_ivr(cpu1), 15);
	end();
}

/*
 * IOSAPIC.
 */
static void rte(unsigned int pin, u32 low, u32 high)
{
	phys_write(m, IOSAPIC_BASE, 4, 0x11 + 2 * pin);
	phys_write(m, IOSAPIC_BASE + 0x10, 4, high);
	phys_write(m, IOSAPIC_BASE, 4, 0x10 + 2 * pin);
	phys_write(m, IOSAPIC_BASE + 0x10, 4, low);
}

static u32 rte_low(unsigned int pin)
{
	phys_write(m, IOSAPIC_BASE, 4, 0x10 + 2 * pin);
	return phys_read(m, IOSAPIC_BASE + 0x10, 4);
}

enum { LEVEL = 1 << 15, ACTIVE_LOW = 1 << 13, MASKED = 1 << 16, REMOTE_IRR = 1 << 14 };

static void iosapic_registers(void)
{
	start();
	phys_write(m, IOSAPIC_BASE, 4, 1);
	check_equal(phys_read(m, IOSAPIC_BASE + 0x10, 4) >> 16 & 0xff, IOSAPIC_PINS - 1);
	check_equal(rte_low(0), MASKED);
	check_equal(rte_low(IOSAPIC_PINS - 1), MASKED);
	rte(3, 0xffffffff, 0xffffffff);
	check_equal(rte_low(3), 0x1a7ff);
	phys_write(m, IOSAPIC_BASE, 4, 0x17);
	check_equal(phys_read(m, IOSAPIC_BASE + 0x10, 4), 0xffff0000);
	/* registers that do not exist */
	rte(IOSAPIC_PINS, 0x80, 0);
	phys_write(m, IOSAPIC_BASE, 4, 0xff);
	check_equal(phys_read(m, IOSAPIC_BASE + 0x10, 4), 0);
	end();
}

static void iosapic_edge(void)
{
	start();
	rte(5, 0x50, 1 << 24);
	iosapic_set_pin(m, 5, true);
	check_equal(sapic_read_ivr(cpu1), 0x50);
	sapic_eoi(cpu1);
	iosapic_set_pin(m, 5, true);
	iosapic_set_pin(m, 5, false);
	check_equal(sapic_read_ivr(cpu1), 15);
	iosapic_set_pin(m, 5, true);
	check_equal(sapic_read_ivr(cpu1), 0x50);
	sapic_eoi(cpu1);
	/* an edge while masked is lost */
	iosapic_set_pin(m, 5, false);
	rte(5, 0x50 | MASKED, 1 << 24);
	iosapic_set_pin(m, 5, true);
	rte(5, 0x50, 1 << 24);
	check_equal(sapic_read_ivr(cpu1), 15);
	/* active low: the falling edge */
	rte(5, 0x50 | ACTIVE_LOW, 1 << 24);
	iosapic_set_pin(m, 5, false);
	check_equal(sapic_read_ivr(cpu1), 0x50);
	end();
}

static void iosapic_level(void)
{
	start();
	rte(6, 0x60 | LEVEL, 0);
	iosapic_set_pin(m, 6, true);
	check(rte_low(6) & REMOTE_IRR);
	check_equal(sapic_read_ivr(cpu0), 0x60);
	sapic_eoi(cpu0);
	check_equal(sapic_read_ivr(cpu0), 15);
	/* still active at EOI: again */
	phys_write(m, IOSAPIC_BASE + 0x40, 4, 0x60);
	check_equal(sapic_read_ivr(cpu0), 0x60);
	sapic_eoi(cpu0);
	iosapic_set_pin(m, 6, false);
	phys_write(m, IOSAPIC_BASE + 0x40, 4, 0x60);
	check_equal(sapic_read_ivr(cpu0), 15);
	check(!(rte_low(6) & REMOTE_IRR));
	/* active while masked: comes with the unmasking */
	rte(6, 0x60 | LEVEL | MASKED, 0);
	iosapic_set_pin(m, 6, true);
	check_equal(sapic_read_ivr(cpu0), 15);
	rte(6, 0x60 | LEVEL, 0);
	check_equal(sapic_read_ivr(cpu0), 0x60);
	sapic_eoi(cpu0);
	/* an EOI of another vector is not its business */
	phys_write(m, IOSAPIC_BASE + 0x40, 4, 0x61);
	check_equal(sapic_read_ivr(cpu0), 15);
	/* active low */
	rte(7, 0x70 | LEVEL | ACTIVE_LOW, 0);
	check_equal(sapic_read_ivr(cpu0), 0x70);
	end();
}

/*
 * UART.
 */
enum { THR, IER, IIR, LCR, MCR, LSR, MSR, SCR };

static u8 in(unsigned int reg)
{
	return phys_read(m, UART_BASE + reg, 1);
}

static void out(unsigned int reg, u8 value)
{
	phys_write(m, UART_BASE + reg, 1, value);
}

/* Legacy port n in sparse memory. */
static u64 port(unsigned int n)
{
	return PORT_BASE + ((u64)(n >> 2) << 12 | (n & 0xfff));
}

static void uart_registers(void)
{
	start();
	out(SCR, 0x5a);
	check_equal(in(SCR), 0x5a);
	check_equal(phys_read(m, port(0x3ff), 1), 0x5a);
	out(IER, 0xff);
	check_equal(in(IER), 0x0f);
	out(IER, 0);
	check_equal(in(IIR), 0x01);
	out(IIR, 0x01);
	check_equal(in(IIR), 0xc1);
	check_equal(in(LSR), 0x60);
	check_equal(in(MSR), 0xb0);
	out(LCR, 0x83);
	out(THR, 0x34);
	out(IER, 0x12);
	check_equal(in(THR), 0x34);
	check_equal(in(IER), 0x12);
	out(LCR, 0x03);
	check_equal(in(IER), 0);
	check_equal(in(THR), 0);
	out(MCR, 0xff);
	check_equal(in(MCR), 0x1f);
	end();
}

static void uart_loop_back(void)
{
	start();
	out(IIR, 0x81);			/* FIFOs, trigger at 8 */
	out(MCR, 0x10);
	check_equal(in(MSR) & 0xf0, 0);
	in(MSR);
	out(MCR, 0x1a);			/* RTS and OUT2 come back as CTS and DCD */
	check_equal(in(MSR), 0x99);
	check_equal(in(MSR), 0x90);
	for (unsigned int i = 0; i < 20; i++)
		out(THR, 'a' + i);
	check_equal(in(LSR), 0x63);	/* data, and an overrun */
	check_equal(in(LSR), 0x61);
	for (unsigned int i = 0; i < 16; i++)
		check_equal(in(THR), 'a' + i);
	check_equal(in(LSR), 0x60);
	end();
}

static bool uart_interrupt(void)
{
	return m->cpu[0]->interrupt_pending;
}

static void uart_interrupts(void)
{
	start();
	rte(GSI_COM1, 0x44 | LEVEL, 0);
	out(IIR, 0x41);			/* trigger at 4 */
	out(IER, 0x02);
	check(!uart_interrupt());	/* OUT2 is off */
	out(MCR, 0x08);
	check(uart_interrupt());
	check_equal(in(IIR), 0xc2);
	check_equal(in(IIR), 0xc1);	/* reading took it */
	check_equal(sapic_read_ivr(cpu0), 0x44);
	sapic_eoi(cpu0);
	phys_write(m, IOSAPIC_BASE + 0x40, 4, 0x44);
	check(!uart_interrupt());

	out(IER, 0x05);
	out(MCR, 0x18);			/* loop back */
	out(THR, 1);
	check(uart_interrupt());
	check_equal(in(IIR), 0xcc);	/* fewer than the trigger: timed out */
	for (unsigned int i = 0; i < 3; i++)
		out(THR, 1);
	check_equal(in(IIR), 0xc4);
	for (unsigned int i = 0; i < 20; i++)
		out(THR, 1);
	check_equal(in(IIR), 0xc6);	/* overrun is above that */
	in(LSR);
	check_equal(in(IIR), 0xc4);
	out(IIR, 0x03);			/* empty the receiver */
	check_equal(in(IIR), 0xc1);
	end();
}

/*
 * Ports.
 */
static void ports(void)
{
	u64 before;

	start();
	check_equal(phys_read(m, port(0x80), 1), 0xff);
	check_equal(phys_read(m, port(0x80), 4), 0xffffffff);
	check_equal(phys_read(m, port(PORT_PM_EVENT), 2), 0);
	phys_write(m, port(PORT_PM_EVENT + 2), 2, 0x0120);
	check_equal(phys_read(m, port(PORT_PM_EVENT + 2), 2), 0x0120);
	check_equal(phys_read(m, port(PORT_PM_CONTROL), 2), 1);
	before = phys_read(m, port(PORT_PM_TIMER), 4);
	m->now += m->cpu_hz;
	check_equal(phys_read(m, port(PORT_PM_TIMER), 4) - before, 3579545);
	m->now += 5 * m->cpu_hz;
	check(phys_read(m, port(PORT_PM_TIMER), 4) < 1 << 24);
	end();
}

/* Each way to end, with its status. */
static void power(void)
{
	static const struct {
		u64 address, value;
		unsigned int size;
		int status;		/* -1: goes on */
	} cases[] = {
		{ POWER_BASE, 7 << 8 | 1, 8, 7 },
		{ POWER_BASE, 1, 8, 0 },
		{ POWER_BASE, 2, 8, 0 },
		{ POWER_BASE, 0x1201, 8, 0x12 },
		{ POWER_BASE, 1, 4, -1 },
		{ POWER_BASE, 0xff00, 8, -1 },
		{ POWER_BASE + 8, 1, 8, -1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		start();
		phys_write(m, cases[i].address, cases[i].size, cases[i].value);
		check_equal(m->powered_off, cases[i].status >= 0);
		if (cases[i].status >= 0)
			check_equal(m->exit_status, cases[i].status);
		end();
	}
	start();
	phys_write(m, port(PORT_EXIT), 1, 33);
	check(m->powered_off && m->exit_status == 33);
	end();
	start();
	phys_write(m, port(PORT_EXIT), 4, 34);
	check(m->powered_off && m->exit_status == 34);
	phys_write(m, port(PORT_EXIT), 1, 35);
	check_equal(m->exit_status, 34);	/* the first one counts */
	end();
	start();
	phys_write(m, port(PORT_RESET), 1, 5);
	check(!m->powered_off);
	phys_write(m, port(PORT_RESET), 1, RESET_VALUE);
	check(m->powered_off && m->exit_status == 0);
	end();
	start();
	phys_write(m, port(PORT_PM_CONTROL), 2, 3 << 10 | 1 << 13);
	check(!m->powered_off);
	phys_write(m, port(PORT_PM_CONTROL), 2, SLEEP_TYPE_S5 << 10);
	check(!m->powered_off);
	phys_write(m, port(PORT_PM_CONTROL), 2, SLEEP_TYPE_S5 << 10 | 1 << 13);
	check(m->powered_off && m->exit_status == 0);
	end();
}

/* Member @name of region @n in what stats_print() prints; ~0 if there is none. */
static u64 region(unsigned int n, const char *name)
{
	char *text, *at;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	u64 value = ~0ULL;

	stats_print(m, f);
	fclose(f);
	at = strstr(text, "\"regions\": [");
	/* Each has it twice: its own, and those of the longest time without interrupts. */
	for (unsigned int i = 0; at && i <= 2 * n; i++)
		at = strstr(at + 1, "\"cycles\"");
	if (at)
		at = strstr(at, name);
	if (at)
		value = strtoull(strchr(at, ':') + 1, NULL, 10);
	free(text);
	return value;
}

static void regions(void)
{
	start();
	m->opt.stats = "-";
	phys_write(m, port(PORT_REGION), 1, 0);		/* none has begun */
	check_equal(region(0, "cycles"), ~0ULL);
	cpu0->stats.loads = 1000;
	m->now = 50;
	phys_write(m, port(PORT_REGION), 1, 1);
	m->now = 80;
	check_equal(phys_read(m, port(PORT_REGION), 1), 1);
	check_equal(region(0, "cycles"), ~0ULL);
	phys_write(m, port(PORT_REGION), 1, 255);	/* ends the first, too */
	check_equal(phys_read(m, port(PORT_REGION), 1), 255);
	m->now = 100;
	cpu0->stats.loads += 3;
	cpu1->stats.loads += 4;
	phys_write(m, port(PORT_REGION), 4, 0xff00);
	check_equal(phys_read(m, port(PORT_REGION), 1), 0);
	cpu0->stats.loads = 5000;
	m->now = 200;
	check_equal(region(0, "cycles"), 30);
	check_equal(region(0, "number"), 1);
	check_equal(region(0, "loads"), 0);
	check_equal(region(1, "cycles"), 20);
	check_equal(region(1, "number"), 255);
	check_equal(region(1, "loads"), 7);
	/* in the middle of a turn */
	m->running = cpu1;
	cpu1->counted = cpu1->cycles = 200;
	cpu1->counted_level = 0;
	phys_write(m, port(PORT_REGION), 1, 1);
	cpu1->cycles = 211;
	phys_write(m, port(PORT_REGION), 1, 0);
	check_equal(region(2, "cycles"), 11);
	check_equal(region(2, "cpl0"), 11);
	check_equal(region(2, "loads"), 0);
	check_equal(region(1, "cycles"), 20);
	check_equal(region(3, "cycles"), ~0ULL);
	m->running = NULL;
	end();
	start();
	phys_write(m, port(PORT_REGION), 1, 1);		/* without -stats */
	check_equal(phys_read(m, port(PORT_REGION), 1), 0);
	phys_write(m, port(PORT_REGION), 1, 0);
	check_equal(region(0, "cycles"), ~0ULL);
	end();
}

/*
 * Time that passes, what is tried in it, what retires.
 */
static void idle_time(void)
{
	u64 tried, retired;

	start();
	tried = cpu_tried(cpu1);
	retired = cpu_retired(cpu1);
	cpu_sleep(cpu1, cpu1->cycles + 100);
	check_equal(cpu_tried(cpu1), tried);
	check_equal(cpu_retired(cpu1), retired);
	cpu1->cycles += 7;
	cpu1->faulted += 2;
	check_equal(cpu_tried(cpu1), tried + 7);
	check_equal(cpu_retired(cpu1), retired + 5);
	/* a processor that is woken has slept until now */
	cpu1->stopped = true;
	m->firmware->rendezvous = 0x200000;
	m->now = cpu1->cycles + 50;
	sapic_interrupt(cpu1, AP_WAKE_VECTOR);
	check(!cpu1->stopped);
	check_equal(cpu1->cycles, m->now);
	check_equal(cpu_tried(cpu1), tried + 7);
	check_equal(cpu_retired(cpu1), retired + 5);
	end();
}

/*
 * RAM around its holes.
 */
static void ram_layout(void)
{
	static struct machine big = { .opt.ram = 5ULL << 30 };
	u8 *base = mmap(NULL, big.opt.ram, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
			-1, 0);

	check(base != MAP_FAILED);
	big.ram = base;
	check(ram_at(&big, 0, 1) == base);
	check(ram_at(&big, RAM_LOW_END - 8, 8) == base + RAM_LOW_END - 8);
	check(!ram_at(&big, RAM_LOW_END - 8, 9));
	check(!ram_at(&big, RAM_LOW_END, 1));
	check(!ram_at(&big, RAM_HIGH - 1, 1));
	check(ram_at(&big, RAM_HIGH, 1) == base + RAM_LOW_END);
	check(ram_at(&big, RAM_HIGH + (3ULL << 30) - 1, 1) == base + (5ULL << 30) - 1);
	check(!ram_at(&big, RAM_HIGH + (3ULL << 30) - 1, 2));
	check(!ram_at(&big, ~0ULL, 1));
	big.opt.ram = 64 << 20;
	check(!ram_at(&big, 64 << 20, 1));
	check(!ram_at(&big, RAM_HIGH, 1));
	check(!ram_at(&big, 0, ~0ULL));
	munmap(base, 5ULL << 30);
}

int main(void)
{
	/* The UART reads no input here, and what it sends is not a result. */
	close(STDIN_FILENO);
	priorities();
	nmi_and_extint();
	task_priority();
	halting();
	timer();
	interrupt_block();
	wake_up();
	iosapic_registers();
	iosapic_edge();
	iosapic_level();
	uart_registers();
	uart_loop_back();
	uart_interrupts();
	ports();
	power();
	regions();
	idle_time();
	ram_layout();
	return check_result();
}
