// SPDX-License-Identifier: GPL-2.0
/*
 * The console: a 16550A UART as COM1, at its legacy I/O ports and once more in
 * memory at UART_BASE.  Characters leave at once; characters arrive from the
 * host's standard input whenever the run loop polls, so that a run without input
 * does not depend on the host.  They wait for a guest that listens: a driver that
 * starts empties the FIFO, and what was typed or piped before would be lost.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "devices/devices.h"

/* Registers; with LCR.dlab set the first two are the divisor latch. */
enum { RBR_THR = 0, IER = 1, IIR_FCR = 2, LCR = 3, MCR = 4, LSR = 5, MSR = 6, SCR = 7 };

enum { IER_RDA = 1, IER_THRE = 2, IER_RLS = 4, IER_MS = 8 };
enum { IIR_MS = 0x0, IIR_NONE = 0x1, IIR_THRE = 0x2, IIR_RDA = 0x4, IIR_RLS = 0x6,
       IIR_TIMEOUT = 0xc, IIR_FIFOS = 0xc0 };
enum { FCR_ENABLE = 1, FCR_CLEAR_RX = 2, FCR_CLEAR_TX = 4 };
enum { LCR_DLAB = 0x80 };
enum { MCR_DTR = 1, MCR_RTS = 2, MCR_OUT1 = 4, MCR_OUT2 = 8, MCR_LOOP = 0x10 };
enum { LSR_DR = 1, LSR_OE = 2, LSR_BI = 0x10, LSR_THRE = 0x20, LSR_TEMT = 0x40,
       LSR_ERRORS = 0x1e };
enum { MSR_CTS = 0x10, MSR_DSR = 0x20, MSR_RI = 0x40, MSR_DCD = 0x80 };

enum { FIFO_SIZE = 16, QUEUE_SIZE = 1024, ESCAPE = 1 /* Ctrl-A */ };

/* So many looks at LSR between two polls, and nothing sent, are listening too. */
enum { POLLING = 64 };

struct uart {
	u8 ier, fcr, lcr, mcr, lsr, scr, msr_delta, divisor[2];
	bool thre_pending;	/* transmitter empty and not yet told */
	bool break_pending;	/* a break is in front of the FIFO */
	u8 fifo[FIFO_SIZE];
	unsigned int count;
	u8 queue[QUEUE_SIZE];	/* from the host, not yet on the line */
	unsigned int queued;
	unsigned int looks, sent;	/* since the last poll */
	bool is_open;		/* the host's input has not ended */
	bool is_raw;
	bool escaped;		/* Ctrl-A was the last key */
};

/* The terminal is one for the whole program, and signals must find it. */
static struct termios saved_termios;
static volatile sig_atomic_t terminal_changed;

static void restore_terminal(void)
{
	if (terminal_changed)
		tcsetattr(STDIN_FILENO, TCSANOW, &saved_termios);
	terminal_changed = 0;
}

static void restore_and_die(int signal_number)
{
	restore_terminal();
	signal(signal_number, SIG_DFL);
	kill(getpid(), signal_number);
}

static bool make_raw(void)
{
	static const int deadly[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT, SIGBUS };
	struct termios t;

	if (!isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, &saved_termios))
		return false;
	t = saved_termios;
	t.c_iflag &= ~(BRKINT | ICRNL | INLCR | IGNCR | ISTRIP | IXON | PARMRK);
	t.c_lflag &= ~(ECHO | ECHONL | ICANON | IEXTEN | ISIG);
	t.c_cc[VMIN] = 1;
	t.c_cc[VTIME] = 0;
	terminal_changed = 1;
	atexit(restore_terminal);
	for (size_t i = 0; i < sizeof(deadly) / sizeof(deadly[0]); i++)
		signal(deadly[i], restore_and_die);
	return tcsetattr(STDIN_FILENO, TCSANOW, &t) == 0;
}

static unsigned int trigger_level(const struct uart *s)
{
	static const u8 level[] = { 1, 4, 8, 14 };

	return s->fcr & FCR_ENABLE ? level[s->fcr >> 6] : 1;
}

/* The interrupt of highest priority. */
static u8 interrupt_id(const struct uart *s)
{
	if (s->ier & IER_RLS && s->lsr & LSR_ERRORS)
		return IIR_RLS;
	if (s->ier & IER_RDA && s->count >= trigger_level(s))
		return IIR_RDA;
	/* Fewer than that would time out after four characters' time; here the
	 * line is always silent by then.
	 */
	if (s->ier & IER_RDA && s->count)
		return IIR_TIMEOUT;
	if (s->ier & IER_THRE && s->thre_pending)
		return IIR_THRE;
	if (s->ier & IER_MS && s->msr_delta)
		return IIR_MS;
	return IIR_NONE;
}

static void update_interrupt(struct machine *m)
{
	struct uart *s = m->uart;

	/* OUT2 gates the interrupt of a COM port. */
	iosapic_set_pin(m, GSI_COM1, s->mcr & MCR_OUT2 && interrupt_id(s) != IIR_NONE);
}

static void receive(struct uart *s, u8 c)
{
	unsigned int size = s->fcr & FCR_ENABLE ? FIFO_SIZE : 1;

	if (s->count == size) {
		s->lsr |= LSR_OE;
		/* Without a FIFO the new character takes the place of the old. */
		if (size == 1)
			s->fifo[0] = c;
		return;
	}
	s->fifo[s->count++] = c;
}

static u8 take(struct uart *s)
{
	u8 c = s->fifo[0];

	if (!s->count)
		return 0;
	memmove(s->fifo, s->fifo + 1, --s->count);
	return c;
}

static u8 modem_status(const struct uart *s)
{
	u8 status = 0;

	if (!(s->mcr & MCR_LOOP))
		return MSR_CTS | MSR_DSR | MSR_DCD | s->msr_delta;
	if (s->mcr & MCR_RTS)
		status |= MSR_CTS;
	if (s->mcr & MCR_DTR)
		status |= MSR_DSR;
	if (s->mcr & MCR_OUT1)
		status |= MSR_RI;
	if (s->mcr & MCR_OUT2)
		status |= MSR_DCD;
	return status | s->msr_delta;
}

/* Which of the modem lines changed; RI counts when it falls. */
static void modem_changed(struct uart *s, u8 before)
{
	u8 changed = (before ^ modem_status(s)) >> 4;

	if (modem_status(s) & MSR_RI)
		changed &= ~4;
	s->msr_delta |= changed;
}

u64 uart_read(struct machine *m, unsigned int reg)
{
	struct uart *s = m->uart;
	u8 value = 0;

	switch (reg & 7) {
	case RBR_THR:
		value = s->lcr & LCR_DLAB ? s->divisor[0] : take(s);
		break;
	case IER:
		value = s->lcr & LCR_DLAB ? s->divisor[1] : s->ier;
		break;
	case IIR_FCR:
		value = interrupt_id(s);
		if (value == IIR_THRE)
			s->thre_pending = false;
		if (s->fcr & FCR_ENABLE)
			value |= IIR_FIFOS;
		break;
	case LCR:
		value = s->lcr;
		break;
	case MCR:
		value = s->mcr;
		break;
	case LSR:
		value = s->lsr | LSR_THRE | LSR_TEMT | (s->count ? LSR_DR : 0);
		s->lsr = 0;
		s->looks++;
		break;
	case MSR:
		value = modem_status(s);
		s->msr_delta = 0;
		break;
	case SCR:
		value = s->scr;
		break;
	}
	update_interrupt(m);
	return value;
}

static void transmit(struct uart *s, u8 c)
{
	if (s->mcr & MCR_LOOP)
		receive(s, c);
	else
		putchar(c);
	s->sent++;
	s->thre_pending = true;
}

void uart_write(struct machine *m, unsigned int reg, u8 value)
{
	struct uart *s = m->uart;
	u8 before;

	switch (reg & 7) {
	case RBR_THR:
		if (s->lcr & LCR_DLAB)
			s->divisor[0] = value;
		else
			transmit(s, value);
		break;
	case IER:
		if (s->lcr & LCR_DLAB) {
			s->divisor[1] = value;
			break;
		}
		/* The transmitter is empty: enabling its interrupt raises it. */
		if (value & IER_THRE && !(s->ier & IER_THRE))
			s->thre_pending = true;
		s->ier = value & 0x0f;
		break;
	case IIR_FCR:
		/* Switching the FIFOs on or off empties them. */
		if (value & FCR_CLEAR_RX || (value ^ s->fcr) & FCR_ENABLE)
			s->count = 0;
		/* The other bits count only together with the enabling one. */
		s->fcr = value & FCR_ENABLE ? value & 0xc9 : 0;
		break;
	case LCR:
		s->lcr = value;
		break;
	case MCR:
		before = modem_status(s);
		s->mcr = value & 0x1f;
		modem_changed(s, before);
		break;
	case SCR:
		s->scr = value;
		break;
	}
	update_interrupt(m);
}

/* QEMU's keys: Ctrl-A x ends the run, Ctrl-A b is a break, Ctrl-A h tells. */
static bool escape_key(struct machine *m, u8 c)
{
	struct uart *s = m->uart;

	if (!s->is_raw)
		return false;
	if (!s->escaped) {
		s->escaped = c == ESCAPE;
		return s->escaped;
	}
	s->escaped = false;
	switch (c) {
	case 'x':
		fputs("\r\nia64sim: terminated\r\n", stderr);
		machine_stop(m, 0);
		return true;
	case 'b':
		s->lsr |= LSR_BI;
		receive(s, 0);
		return true;
	case 'h':
	case '?':
		fputs("\r\nC-a h  this help\r\nC-a x  end\r\nC-a b  send a break\r\n"
		      "C-a C-a  send C-a\r\n", stderr);
		return true;
	case ESCAPE:
		return false;
	default:
		return true;
	}
}

static bool input_ready(int milliseconds)
{
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };

	return poll(&p, 1, milliseconds) > 0;
}

/* More from the host into the queue; a terminal's keys at any time, for the
 * escapes among them.
 */
static void read_input(struct machine *m)
{
	struct uart *s = m->uart;
	u8 buffer[FIFO_SIZE];
	ssize_t n;

	if (!s->is_open || s->queued + FIFO_SIZE > QUEUE_SIZE || !input_ready(0))
		return;
	n = read(STDIN_FILENO, buffer, sizeof(buffer));
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		s->is_open = false;
		return;
	}
	for (ssize_t i = 0; i < n; i++)
		if (!escape_key(m, buffer[i]))
			s->queue[s->queued++] = buffer[i];
}

static bool is_listening(struct uart *s)
{
	bool polls = s->looks >= POLLING && !s->sent;

	s->looks = s->sent = 0;
	/* A loop-back test must not see the keyboard. */
	return !(s->mcr & MCR_LOOP) && (s->ier & IER_RDA || polls);
}

bool uart_poll(struct machine *m)
{
	struct uart *s = m->uart;
	bool listening = is_listening(s);
	unsigned int n = (s->fcr & FCR_ENABLE ? FIFO_SIZE : 1) - s->count;

	fflush(stdout);
	if (s->is_raw || (listening && !s->queued))
		read_input(m);
	if (!listening || !s->queued || !n || n > FIFO_SIZE)
		return false;
	if (n > s->queued)
		n = s->queued;
	for (unsigned int i = 0; i < n; i++)
		receive(s, s->queue[i]);
	s->queued -= n;
	memmove(s->queue, s->queue + n, s->queued);
	update_interrupt(m);
	return true;
}

bool uart_wait(struct machine *m, unsigned int milliseconds)
{
	struct uart *s = m->uart;

	fflush(stdout);
	if (s->is_open && s->queued + FIFO_SIZE <= QUEUE_SIZE)
		input_ready(milliseconds);
	return s->is_open || s->queued;
}

static u64 mmio_read(struct machine *m, void *state, u64 offset, unsigned int size)
{
	(void)state, (void)size;
	return offset < 8 ? uart_read(m, offset) : 0;
}

static void mmio_write(struct machine *m, void *state, u64 offset, unsigned int size, u64 value)
{
	(void)state, (void)size;
	if (offset < 8)
		uart_write(m, offset, value);
}

void uart_create(struct machine *m)
{
	struct uart *s = calloc(1, sizeof(*s));

	if (!s)
		out_of_memory();
	m->uart = s;
	s->divisor[0] = 1;
	s->is_open = true;
	s->is_raw = m->opt.interactive && make_raw();
	machine_add_device(m, &(struct device){
		.name = "uart", .base = UART_BASE, .size = 0x1000,
		.read = mmio_read, .write = mmio_write,
	});
}

void uart_destroy(struct machine *m)
{
	fflush(stdout);
	restore_terminal();
	free(m->uart);
	m->uart = NULL;
}
