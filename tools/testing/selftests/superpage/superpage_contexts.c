// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel gives each address space a context number.  There are not many, so in the end
 * it uses them again.  By then TLBs and hash tables must have no translation of the last
 * owner.
 *
 * Each child reads some pages as its parent has left them, on a processor that may have
 * translations of the same addresses for an earlier owner of the child's number.  Then it
 * writes to the pages, which gives it frames of its own.  When it has ended, others get
 * these frames.
 *
 * The kernel empties TLBs and tables before it uses numbers again, but cannot reach a
 * processor that is offline then.
 *
 * With -w, the parent also writes to its child's pages, one by one, and the child looks
 * at each.  The write replaces a page that parent and child share by a copy for the child,
 * whose address space is not the active one.  A kernel for one processor takes the child's
 * number away then.  If it forgot to free that number, none would be left in the end, and
 * all processes would have the same.  Every other child has superpages, one for each write,
 * since the kernel copies and flushes a superpage as a whole.
 */
#include <getopt.h>
#include <sys/uio.h>

#include "superpage.h"

#define PAGES	8		/* two superpages of order 2 */

static size_t step = 1;		/* so many pages of memory for each of PAGES */

static uint64_t *word_of(char *base, size_t page, uint64_t round)
{
	return (uint64_t *)(base + page * step * page_size) + round % 64 * 8;
}

/* Write @value to the memory of @pid, and wait until @pid has seen it. */
static void write_to(pid_t pid, uint64_t *word, uint64_t value, const int *there, const int *back)
{
	struct iovec from = { &value, sizeof(value) }, to = { word, sizeof(value) };
	char c = 0;

	sp_expect(process_vm_writev(pid, &from, 1, &to, 1, 0) == sizeof(value),
		  "process_vm_writev: %s", strerror(errno));
	sp_need(write(there[1], &c, 1) == 1 && read(back[0], &c, 1) == 1, "no child");
}

/* The child's part of write_to(): look at each page when the parent says so. */
static void see_writes(char *base, uint64_t round, const int *there, const int *back)
{
	uint64_t value;
	size_t i;
	char c;

	for (i = 0; i < PAGES; i++) {
		sp_need(read(there[0], &c, 1) == 1, "no parent");
		value = READ_ONCE(*word_of(base, i, round));
		sp_expect(value == (round << 8 | i | 0x80), "round %lu: page %zu shows %#lx",
			  (unsigned long)round, i, (unsigned long)value);
		WRITE_ONCE(*word_of(base, i, round), round << 8 | i);
		sp_need(write(back[1], &c, 1) == 1, "no parent");
	}
}

static void child(char *base, uint64_t round)
{
	uint64_t value;
	size_t i;

	sp_run_on(round);
	for (i = 0; i < PAGES; i++) {
		value = READ_ONCE(*word_of(base, i, round));
		sp_expect(value == (round << 8 | i), "round %lu: page %zu shows %#lx",
			  (unsigned long)round, i, (unsigned long)value);
	}
	for (i = 0; i < PAGES; i++)
		WRITE_ONCE(*word_of(base, i, round), ~round);
	sp_child_exit();
}

int main(int argc, char **argv)
{
	bool offline = false, writes = false;
	int there[2], back[2];
	unsigned long rounds = 0, round;
	char *base, *plain, *large;
	size_t i;
	long rid;
	int opt;

	while ((opt = getopt(argc, argv, "n:w")) != -1) {
		switch (opt) {
		case 'n':
			rounds = sp_number(optarg, 1, LONG_MAX);
			break;
		case 'w':
			writes = true;
			break;
		default:
			fprintf(stderr, "superpage_contexts [-w] [-n PROCESSES]\n");
			return 2;
		}
	}
	sp_init(argv);
	if (!rounds) {
		rid = sp_rid_bits();
		/* 3 bits are for the region. */
		if (rid < 18 || rid > 20)
			ksft_exit_skip("region IDs have %ld bits: too many\n", rid);
		/* Each fork() takes two numbers, one of them for the parent. */
		rounds = (1UL << (rid - 3)) * 5 / 8;
		/*
		 * A kernel that forgets numbers loses one for each write: that to a base
		 * page, or that to a superpage.
		 */
		if (writes)
			rounds = (1UL << (rid - 3)) / PAGES * 2 * 9 / 8;
	}
	ksft_set_plan(1);
	sp_need(!pipe(there) && !pipe(back), "cannot make a pipe");
	base = sp_map(PAGES * page_size, PAGES * page_size);
	plain = sp_map_plain(PAGES * page_size);
	large = sp_map(4 * PAGES * page_size, 4 * PAGES * page_size);
	sp_permit(1UL << 2);
	for (round = 1; round <= rounds && !sp_failures; round++) {
		pid_t pid;

		/* Numbers are used again after 4 of 5 rounds: be offline around that time. */
		if (round == rounds / 4 * 3 && sp_can_go_offline(1)) {
			sp_set_online(1, false);
			offline = true;
		}
		if (round == rounds / 8 * 7 && offline) {
			sp_set_online(1, true);
			offline = false;
		}
		if (writes) {
			step = round % 2 ? 1 : 4;
			base = round % 2 ? plain : large;
		}
		for (i = 0; i < PAGES; i++)
			WRITE_ONCE(*word_of(base, i, round), round << 8 | i);
		pid = sp_fork();
		if (!pid) {
			if (writes)
				see_writes(base, round, there, back);
			child(base, round);
		}
		for (i = 0; writes && i < PAGES; i++)
			write_to(pid, word_of(base, i, round), round << 8 | i | 0x80, there, back);
		sp_wait(pid);
	}
	if (offline)
		sp_set_online(1, true);
	sp_permit(0);
	sp_result("%lu processes one after the other", rounds);
	ksft_finished();
}
