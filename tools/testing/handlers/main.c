// SPDX-License-Identifier: GPL-2.0
/*
 * handlers VMLINUX [REFERENCE] - enter every path of every TLB miss handler of the
 * kernel VMLINUX, and compare what they cost with the kernel REFERENCE, which has
 * no superpages.
 *
 * handlers -m VMLINUX - the test of the test: one instruction of a handler after
 * the other becomes a nop, and the checks have to notice.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "handlers.h"

static void handlers(struct kernel *k)
{
	unsigned int passed = n_passed, failed = n_failed;

	kernel = k;
	cases_run(false, ALL_VECTORS);
	printf("%s: %uK pages, %u levels%s: %u checks of handlers passed, %u failed\n", k->name,
	       1U << (k->page_shift - 10), k->levels, k->superpage ? ", superpages" : "",
	       n_passed - passed, n_failed - failed);
}

/*
 * Mutants.
 */
static const u16 vectors[] = {
	VEC_VHPT_TRANSLATION, VEC_INST_TLB, VEC_DATA_TLB, VEC_ALT_INST_TLB, VEC_ALT_DATA_TLB,
	VEC_DATA_NESTED_TLB, VEC_DIRTY_BIT, VEC_INST_ACCESS_BIT, VEC_DATA_ACCESS_BIT,
};

/* The bundle with a nop in one slot; an MLX has its nop in two. */
static void without_slot(u64 *lo, u64 *hi, unsigned int slot, unsigned int unit)
{
	const u64 nop = unit == UNIT_B ? 2ULL << 37 : 1ULL << 27, all = MASK(41);

	if (slot == 0) {
		*lo = (*lo & ~(all << 5)) | nop << 5;
	} else if (slot == 2 || unit == UNIT_X) {
		*hi = (*hi & ~(all << 23)) | nop << 23;
	} else {
		*lo = (*lo & MASK(46)) | nop << 46;
		*hi = (*hi & ~MASK(23)) | nop >> 18;
	}
	if (unit == UNIT_X) {
		*lo &= MASK(46);
		*hi &= ~MASK(23);
	}
}

/* Instructions that do nothing here that one could see: serialization, which the
 * simulator does at once, and hints.
 */
static bool invisible(const struct insn *i)
{
	return i->op == OP_srlz_d || i->op == OP_srlz_i || i->op == OP_nop_m ||
	       i->op == OP_nop_i || i->op == OP_nop_b || i->op == OP_nop_f || i->op == OP_nop_x;
}

/* And some whose result is there already. */
static const struct {
	const char *function, *text;
} redundant[] = {
	/* p6 and p7 have these values: otherwise the handler is in page_fault. */
	{ "vhpt_miss", "cmp.eq p7,p6=r0,r0" },
	/* SUPERPAGE_TO_PAGE_FAULT() has done it. */
	{ "dirty_bit", "mov b0=r29" },
	{ "iaccess_bit", "mov b0=r29" },
	{ "daccess_bit", "mov b0=r29" },
};

static bool is_redundant(const char *function, const char *text)
{
	for (size_t i = 0; i < sizeof(redundant) / sizeof(redundant[0]); i++)
		if (!strcmp(redundant[i].function, function) &&
		    !strncmp(redundant[i].text, text, strlen(redundant[i].text)))
			return true;
	return false;
}

static unsigned int n_mutants, n_redundant, n_unnoticed;

/* In a process of its own: a mutant writes anywhere. */
static bool noticed(u64 va, u64 lo, u64 hi)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		die("fork: %s", strerror(errno));
	if (!pid) {
		u64 pa = kernel_pa(va);

		alarm(60);
		write_word(pa, lo);
		write_word(pa + 8, hi);
		phys_written(kernel->m, pa, 16);
		_exit(!cases_run(true, (va - kernel->ivt) & ~0x3ffULL));
	}
	if (waitpid(pid, &status, 0) != pid)
		die("waitpid: %s", strerror(errno));
	return status != 0;
}

static void mutate(u64 va, unsigned int slot, const char *function)
{
	u64 pa = kernel_pa(va), lo = read_word(pa), hi = read_word(pa + 8);
	struct bundle b;
	char text[100];

	decode_bundle(&b, lo, hi);
	if (slot >= b.n || invisible(&b.slot[slot]))
		return;
	without_slot(&lo, &hi, slot, b.slot[slot].unit);
	n_mutants++;
	if (noticed(va, lo, hi))
		return;
	disassemble(&b.slot[slot], va, text, sizeof(text));
	if (is_redundant(function, text)) {
		n_redundant++;
		return;
	}
	printf("not noticed: %s+%#llx slot %u without %s\n", function,
	       (unsigned long long)(va & 0x3ff), slot, text);
	n_unnoticed++;
}

static int mutants(struct kernel *k)
{
	kernel = k;
	/* Machine checks of mutants say so at length. */
	if (!freopen("/dev/null", "w", stderr))
		return 2;
	if (!cases_run(true, ALL_VECTORS)) {
		printf("%s: fails without a mutation\n", k->name);
		return 1;
	}
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		u64 address, size, from = k->ivt + vectors[i];
		const char *name = kernel_function(k, from, from + 16, &address, &size);

		for (u64 va = from; name && va < from + size; va += 16)
			for (unsigned int slot = 0; slot < 3; slot++)
				mutate(va, slot, name);
	}
	printf("%u mutants: %u noticed, %u the same, %u not noticed\n", n_mutants,
	       n_mutants - n_redundant - n_unnoticed, n_redundant, n_unnoticed);
	return n_unnoticed || !n_mutants;
}

static void compare(struct kernel *ours, const char *name)
{
	struct kernel *theirs = kernel_load(name);

	if (theirs->superpage || theirs->page_shift != ours->page_shift)
		die("%s is no kernel without superpages and with the same page size", name);
	/* The tests know what handlers do that nobody has changed. */
	handlers(theirs);
	cost_compare(ours, theirs);
	kernel_free(theirs);
}

int main(int argc, char **argv)
{
	bool mutant = argc > 1 && !strcmp(argv[1], "-m");
	struct kernel *ours;
	int status;

	if (argc < 2 + mutant || argc > 3 || argv[1 + mutant][0] == '-')
		die("use: handlers VMLINUX [REFERENCE], or handlers -m VMLINUX");
	ours = kernel_load(argv[1 + mutant]);
	if (mutant) {
		status = mutants(ours);
	} else {
		handlers(ours);
		slots_fit(ours);
		if (argc > 2)
			compare(ours, argv[2]);
		printf("%u passed, %u failed\n", n_passed, n_failed);
		status = n_failed != 0;
	}
	kernel_free(ours);
	return status;
}
