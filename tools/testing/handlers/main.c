// SPDX-License-Identifier: GPL-2.0
/*
 * handlers VMLINUX [REFERENCE] - enter every path of every TLB miss handler of the
 * kernel VMLINUX, in each mode of the VHPT that it has, and compare what they cost
 * with each other, and with the kernel REFERENCE, which has no superpages.
 *
 * handlers -m VMLINUX - the test of the test: one instruction of a handler after
 * the other becomes a nop, and the checks have to notice.
 *
 * handlers -s VMLINUX - all paths in a machine that looks for missing serializations and
 * stops, as "ia64sim -strict serialize,depend" does, and again with a flush of the TLB by
 * another processor beside each step.  With -m, serializations become nops instead.
 *
 * With -v MODE, one mode only: short, long or none.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "handlers.h"

static void handlers(struct kernel *k)
{
	unsigned int passed = n_passed, failed = n_failed;

	kernel = k;
	cases_run(false, ALL_VECTORS);
	printf("%s: %uK pages, %u levels%s, vhpt=%s%s: %u checks of handlers passed, %u failed\n",
	       k->name, 1U << (k->page_shift - 10), k->levels, k->superpage ? ", superpages" : "",
	       mode_name(k->mode), k->strict ? ", strict" : "", n_passed - passed,
	       n_failed - failed);
	fflush(stdout);
}

/*
 * Mutants.
 */
static const struct {
	u16 vector;
	unsigned int modes;		/* that enter it, a bit each */
} vectors[] = {
	{ VEC_VHPT_TRANSLATION, 7 },
	{ VEC_INST_TLB, BIT(MODE_SHORT) | BIT(MODE_LONG) },
	{ VEC_DATA_TLB, BIT(MODE_SHORT) | BIT(MODE_LONG) },
	{ VEC_ALT_INST_TLB, 7 }, { VEC_ALT_DATA_TLB, 7 },
	{ VEC_DATA_NESTED_TLB, BIT(MODE_SHORT) | BIT(MODE_NONE) },
	{ VEC_DIRTY_BIT, 7 }, { VEC_INST_ACCESS_BIT, 7 }, { VEC_DATA_ACCESS_BIT, 7 },
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

/* Nops do nothing that one could see.  Nor do serializations, as the simulator does all at once,
 * unless it is strict: then they are the mutants.
 */
static bool invisible(const struct insn *i)
{
	if (i->op == OP_srlz_d || i->op == OP_srlz_i)
		return !kernel->strict;
	return kernel->strict || i->op == OP_nop_m || i->op == OP_nop_i || i->op == OP_nop_b ||
	       i->op == OP_nop_f || i->op == OP_nop_x;
}

/* And some whose result is there already. */
static const struct redundant {
	const char *function, *text;
} redundant[] = {
	/* p6 and p7 have these values: otherwise the handler is in page_fault. */
	{ "vhpt_miss", "cmp.eq p7,p6=r0,r0" },
	/* SUPERPAGE_TO_PAGE_FAULT() has done it. */
	{ "dirty_bit", "mov b0=r29" },
	{ "iaccess_bit", "mov b0=r29" },
	{ "daccess_bit", "mov b0=r29" },
	/* A hint: nobody looks at what it reads. */
	{ "itlb_miss", "ld8.s r26=[r17]" },
	{ "dtlb_miss", "ld8.s r26=[r17]" },
	/* vhpt_fill=first, the short way: the loop does the same for one entry. */
	{ "long_fill_all_i", "(p8) br.cond.dptk.few" },
	{ "long_fill_all_d", "(p8) br.cond.dptk.few" },
	{ "long_purge_all", "(p8) br.cond.dptk.few" },
	/* Handlers of the Dirty and Access bits have one entry, and p13 is for more of them. */
	{ "dirty_bit", "and r29=31,r22" },
	{ "dirty_bit", "cmp.eq p0,p13=r29,r0" },
	{ "iaccess_bit", "and r29=31,r22" },
	{ "iaccess_bit", "cmp.eq p0,p13=r29,r0" },
	{ "daccess_bit", "and r29=31,r22" },
	{ "daccess_bit", "cmp.eq p0,p13=r29,r0" },
	/* A fault leaves the region's page size there, which it is. */
	{ "dirty_bit", "mov cr.itir=r19" },
	{ "iaccess_bit", "mov cr.itir=r19" },
	{ "daccess_bit", "mov cr.itir=r19" },
	/* With vhpt_fill=all, p8 is 0 after the loop that has filled. */
	{ "long_purge_all", "cmp.eq p8,p0=" },
	/* With ti set it does not matter what the tag is. */
	{ "long_fill_all_i", "ttag r23=r30" },
	{ "long_fill_all_d", "ttag r23=r30" },
	{ "long_purge_all", "ttag r23=r30" },
	/* It invalidates more than has been filled. */
	{ "long_purge_all", "cmp.ltu p9,p0=r30,r19" },
}, redundant_none[] = {
	/* The Alternate handlers, which branch here, have read it. */
	{ "vhpt_miss", "mov r16=cr.ifa" },
	/* The first read of the PTE misses, and no other does: ar.ccv has not changed yet. */
	{ "nested_dtlb_miss", "mov.m ar.ccv=r28" },
	/* p9 is for the page of the PTEs, which this mode does without. */
	{ "vhpt_miss", "cmp.eq p0,p9=r0,r0" },
};

static bool is_one_of(const struct redundant *list, size_t n, const char *function,
		      const char *text)
{
	for (; n; n--, list++)
		if (!strcmp(list->function, function) &&
		    !strncmp(list->text, text, strlen(list->text)))
			return true;
	return false;
}

#define IS_ONE_OF(list, function, text) \
	is_one_of(list, sizeof(list) / sizeof((list)[0]), function, text)

static bool is_redundant(const char *function, const char *text)
{
	return IS_ONE_OF(redundant, function, text) ||
	       (kernel->mode == MODE_NONE && IS_ONE_OF(redundant_none, function, text));
}

/* What became of a mutant.  Only a check that fails shows that the checks are good: a
 * program that crashes or does not end says nothing of what it would have seen.
 */
enum fate { UNNOTICED, NOTICED, CRASHED, ENDLESS, REDUNDANT, N_FATES };

static const char *const fates[] = {
	[UNNOTICED] = "not noticed", [NOTICED] = "noticed by a check",
	[CRASHED] = "crashed the test", [ENDLESS] = "did not end", [REDUNDANT] = "the same",
};

static unsigned int n_fates[N_FATES];

enum { CPU_SECONDS = 300 };

/* In a process of its own: a mutant writes anywhere. */
static enum fate run_mutant(u64 va, u64 lo, u64 hi, unsigned int vector)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		die("fork: %s", strerror(errno));
	if (!pid) {
		u64 pa = kernel_pa(va);

		/* Not of the clock: one that nothing notices takes all the time that
		 * the cases take, on a busy machine.  At the hard limit it would be
		 * SIGKILL, which others send, too.
		 */
		setrlimit(RLIMIT_CPU, &(struct rlimit){ CPU_SECONDS, CPU_SECONDS + 10 });
		write_word(pa, lo);
		write_word(pa + 8, hi);
		phys_written(kernel->m, pa, 16);
		_exit(cases_run(true, vector) ? UNNOTICED : NOTICED);
	}
	if (waitpid(pid, &status, 0) != pid)
		die("waitpid: %s", strerror(errno));
	if (WIFSIGNALED(status))
		return WTERMSIG(status) == SIGXCPU ? ENDLESS : CRASHED;
	/* Others are those of die() and of the simulator. */
	return WEXITSTATUS(status) == UNNOTICED || WEXITSTATUS(status) == NOTICED ?
	       WEXITSTATUS(status) : CRASHED;
}

static void mutate(u64 va, unsigned int slot, const char *function, u64 address,
		   unsigned int vector)
{
	u64 pa = kernel_pa(va), lo = read_word(pa), hi = read_word(pa + 8);
	struct bundle b;
	enum fate fate;
	char text[100];

	decode_bundle(exec_functions, &b, lo, hi);
	if (slot >= b.n || invisible(&b.slot[slot]))
		return;
	without_slot(&lo, &hi, slot, b.slot[slot].unit);
	fate = run_mutant(va, lo, hi, vector);
	disassemble(&b.slot[slot], va, text, sizeof(text));
	if (fate == UNNOTICED && is_redundant(function, text))
		fate = REDUNDANT;
	n_fates[fate]++;
	if (fate != NOTICED && fate != REDUNDANT)
		printf("%s: vhpt=%s: %s+%#llx slot %u without %s\n", fates[fate],
		       mode_name(kernel->mode), function, (unsigned long long)(va - address), slot,
		       text);
}

/* The function at or behind @from.  Return: its end, or @to if there is none. */
static u64 mutate_function(struct kernel *k, u64 from, u64 to, unsigned int vector)
{
	u64 address, size;
	const char *name = kernel_function(k, from, to, &address, &size);

	if (!name)
		return to;
	for (u64 va = address; va < address + size; va += 16)
		for (unsigned int slot = 0; slot < 3; slot++)
			mutate(va, slot, name, address, vector);
	return address + size;
}

static int mutants(struct kernel *k)
{
	kernel = k;
	memset(n_fates, 0, sizeof(n_fates));
	/* Machine checks of mutants say so at length. */
	if (!freopen("/dev/null", "w", stderr))
		return 2;
	if (!cases_run(true, ALL_VECTORS)) {
		printf("%s: vhpt=%s fails without a mutation\n", k->name, mode_name(k->mode));
		return 1;
	}
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		u64 from = k->ivt + vectors[i].vector;

		if (vectors[i].modes & BIT(k->mode))
			mutate_function(k, from, from + 16, vectors[i].vector);
	}
	/* What does not fit into slots is behind the last one. */
	for (u64 va = k->ivt + 0x7f10; va < k->page_fault && k->mode == MODE_LONG; )
		va = mutate_function(k, va, k->page_fault, ALL_VECTORS);
	printf("vhpt=%s:", mode_name(k->mode));
	for (enum fate fate = 0; fate < N_FATES; fate++)
		printf("%s %u %s", fate ? "," : "", n_fates[fate], fates[fate]);
	putchar('\n');
	return n_fates[UNNOTICED] || n_fates[CRASHED] || n_fates[ENDLESS] || !n_fates[NOTICED];
}

static void compare(struct kernel *ours, const char *name)
{
	struct kernel *theirs = kernel_load(name, NULL, false);

	if (theirs->superpage || theirs->page_shift != ours->page_shift)
		die("%s is no kernel without superpages and with the same page size", name);
	/* The tests know what handlers do that nobody has changed. */
	kernel_set_mode(ours, MODE_SHORT);
	handlers(theirs);
	cost_compare(ours, theirs);
	kernel_free(theirs);
}

static enum mode mode_of(const char *name)
{
	for (enum mode mode = 0; mode < N_MODES; mode++)
		if (!strcmp(name, mode_name(mode)))
			return mode;
	die("vhpt=%s: not one of short, long and none", name);
}

static bool mutant, strict;
static enum mode first_mode, last_mode = N_MODES - 1;

static void usage(void)
{
	die("use: handlers [-v MODE] VMLINUX [REFERENCE], or handlers -m|-s|-ms [-v MODE] VMLINUX");
}

/* Return: the first argument that is no option. */
static int options(int argc, char **argv)
{
	int c;

	opterr = 0;
	while ((c = getopt(argc, argv, "msv:")) != -1) {
		if (c == 'm')
			mutant = true;
		else if (c == 's')
			strict = true;
		else if (c == 'v')
			first_mode = last_mode = mode_of(optarg);
		else
			usage();
	}
	if (argc - optind < 1 || argc - optind > (mutant || strict ? 1 : 2))
		usage();
	return optind;
}

int main(int argc, char **argv)
{
	int i = options(argc, argv), status = 0;
	struct kernel *ours = kernel_load(argv[i], NULL, strict);

	if (!kernel_has(ours, first_mode))
		die("%s: has no vhpt=%s", ours->name, mode_name(first_mode));
	for (enum mode mode = first_mode; mode <= last_mode; mode++) {
		if (!kernel_has(ours, mode))
			continue;
		kernel_set_mode(ours, mode);
		if (mutant) {
			status |= mutants(ours);
			continue;
		}
		handlers(ours);
		if (!strict)
			slots_fit(ours);
	}
	if (!mutant && !strict && ours->modes && first_mode != last_mode) {
		cost_modes(ours);
		cost_cycles(ours->name);
	}
	if (!mutant) {
		if (argc - i > 1)
			compare(ours, argv[i + 1]);
		printf("%u passed, %u failed\n", n_passed, n_failed);
		status = n_failed != 0;
	}
	kernel_free(ours);
	return status;
}
