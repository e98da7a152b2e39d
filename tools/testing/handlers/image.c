// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel: a vmlinux in the memory of a machine, as it is when it has patched
 * itself, with the symbols and the configuration that it brings along.
 */
#include <elf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "firmware/inflate.h"
#include "firmware/loader.h"
#include "handlers.h"

struct kernel *kernel;

void die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("handlers: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	exit(2);
}

static void read_file(struct kernel *k)
{
	FILE *f = fopen(k->name, "rb");
	long size;

	if (!f || fseek(f, 0, SEEK_END) || (size = ftell(f)) < (long)sizeof(Elf64_Ehdr))
		die("%s: %s", k->name, f && !errno ? "not a vmlinux" : strerror(errno));
	rewind(f);
	k->size = size;
	k->file = malloc(size);
	if (!k->file || fread(k->file, 1, size, f) != k->size)
		die("%s: cannot be read", k->name);
	fclose(f);
}

/* The file was loaded by the simulator's loader, which trusts nothing in it; what
 * that one does not look at is checked here.
 */
static const void *part(const struct kernel *k, u64 offset, u64 size)
{
	if (offset > k->size || size > k->size - offset)
		die("%s: truncated", k->name);
	return k->file + offset;
}

static const Elf64_Shdr *section(const struct kernel *k, unsigned int i)
{
	const Elf64_Ehdr *h = part(k, 0, sizeof(*h));

	if (i >= h->e_shnum)
		return NULL;
	return part(k, h->e_shoff + i * sizeof(Elf64_Shdr), sizeof(Elf64_Shdr));
}

static const Elf64_Sym *symbol(const struct kernel *k, u64 n, const char **name)
{
	static const struct kernel *cached;
	static const Elf64_Shdr *symbols, *strings;
	const Elf64_Sym *s;

	if (cached != k) {
		unsigned int i = 0;

		do {
			symbols = section(k, i++);
			if (!symbols)
				die("%s: no symbols", k->name);
		} while (symbols->sh_type != SHT_SYMTAB);
		strings = section(k, symbols->sh_link);
		if (!strings)
			die("%s: no symbols", k->name);
		part(k, strings->sh_offset, strings->sh_size);
		if (!strings->sh_size || k->file[strings->sh_offset + strings->sh_size - 1])
			die("%s: bad symbols", k->name);
		cached = k;
	}
	if (n >= symbols->sh_size / sizeof(*s))
		return NULL;
	s = part(k, symbols->sh_offset + n * sizeof(*s), sizeof(*s));
	if (s->st_name >= strings->sh_size)
		die("%s: bad symbols", k->name);
	*name = (const char *)k->file + strings->sh_offset + s->st_name;
	return s;
}

u64 kernel_symbol(const struct kernel *k, const char *name, u64 *size)
{
	const Elf64_Sym *s;
	const char *is;

	for (u64 n = 0; (s = symbol(k, n, &is)); n++) {
		if (s->st_shndx != SHN_UNDEF && !strcmp(is, name)) {
			if (size)
				*size = s->st_size;
			return s->st_value;
		}
	}
	die("%s: has no symbol '%s'", k->name, name);
}

static u64 next_symbol(const struct kernel *k, const char *name, u64 from)
{
	const Elf64_Sym *s;
	const char *is;
	u64 next = ~0ULL;

	for (u64 n = 0; (s = symbol(k, n, &is)); n++)
		if (!strcmp(is, name) && s->st_value >= from && s->st_value < next)
			next = s->st_value;
	if (next == ~0ULL)
		die("%s: has no symbol '%s' in its vector table", k->name, name);
	return next;
}

const char *kernel_function(const struct kernel *k, u64 from, u64 to, u64 *address, u64 *size)
{
	const char *is, *name = NULL;
	const Elf64_Sym *s;

	for (u64 n = 0; (s = symbol(k, n, &is)); n++) {
		if ((s->st_info & 15) == STT_FUNC && s->st_value >= from && s->st_value < to) {
			name = is;
			*address = to = s->st_value;
			*size = s->st_size;
		}
	}
	return name;
}

u64 kernel_pa(u64 va)
{
	const Elf64_Ehdr *h = part(kernel, 0, sizeof(*h));

	for (unsigned int i = 0; i < h->e_phnum; i++) {
		const Elf64_Phdr *p = part(kernel, h->e_phoff + i * sizeof(*p), sizeof(*p));

		if (p->p_type == PT_LOAD && va - p->p_vaddr < p->p_memsz)
			return va - p->p_vaddr + p->p_paddr;
	}
	die("%s: nothing is loaded at %#llx", kernel->name, (unsigned long long)va);
}

/* CONFIG_IKCONFIG has the configuration in the kernel, packed. */
static char *configuration(const struct kernel *k)
{
	u64 begin = kernel_symbol(k, "kernel_config_data", NULL);
	u64 size = kernel_symbol(k, "kernel_config_data_end", NULL) - begin;
	const u8 *packed = ram_at(k->m, kernel_pa(begin), size);
	const char *error;
	size_t n;
	u8 *bytes;
	char *text;

	error = packed ? gunzip(packed, size, 1 << 24, &bytes, &n) : "not loaded";
	if (error)
		die("%s: its configuration: %s", k->name, error);
	text = malloc(n + 1);
	if (!text)
		die("out of memory");
	memcpy(text, bytes, n);
	text[n] = 0;
	free(bytes);
	return text;
}

static bool option(const char *config, const char *line)
{
	const char *at = strstr(config, line);

	return at && at[strlen(line)] == '\n' && (at == config || at[-1] == '\n');
}

static void configure(struct kernel *k)
{
	static const struct {
		const char *line;
		unsigned int shift;
	} sizes[] = {
		{ "CONFIG_IA64_PAGE_SIZE_4KB=y", 12 }, { "CONFIG_IA64_PAGE_SIZE_8KB=y", 13 },
		{ "CONFIG_IA64_PAGE_SIZE_16KB=y", 14 }, { "CONFIG_IA64_PAGE_SIZE_64KB=y", 16 },
	};
	char *config = configuration(k);

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		if (option(config, sizes[i].line))
			k->page_shift = sizes[i].shift;
	k->levels = option(config, "CONFIG_PGTABLE_LEVELS=4") ? 4 : 3;
	k->granule_shift = option(config, "CONFIG_IA64_GRANULE_64MB=y") ? 26 : 24;
	k->superpage = option(config, "CONFIG_SUPERPAGE=y");
	k->hugetlb = option(config, "CONFIG_HUGETLB_PAGE=y");
	k->modes = option(config, "CONFIG_IA64_VHPT_MODES=y");
	if (!k->page_shift)
		die("%s: no page size in its configuration", k->name);
	if (!option(config, "CONFIG_SMP=y") || option(config, "CONFIG_DISABLE_VHPT=y"))
		die("%s: without CONFIG_SMP or with CONFIG_DISABLE_VHPT its handlers are others",
		    k->name);
	free(config);
}

/*
 * LOAD_PHYSICAL() is a movl that the booting kernel patches.  It does it here,
 * too: ia64_patch_vtop(__start___vtop_patchlist, __end___vtop_patchlist).
 */
static void patch(struct kernel *k)
{
	enum { STACK = 0x8000000, BACKING_STORE = 0x9000000, STEPS = 1000000 };
	const u64 back = k->ivt + 0x7f00;	/* where no code of the patcher is */
	struct cpu *cpu = k->m->cpu[0];

	scene_init();
	cpu->cr[CR_IVA] = k->ivt;
	cpu->psr = BIT(PSR_BN) | BIT(PSR_IC) | BIT(PSR_IT) | BIT(PSR_DT) | BIT(PSR_RT);
	soft_tlb_select(cpu);
	tlb_insert_tc(cpu, true, STACK | PTE_KERNEL, 24 << 2, REGION(7) | STACK);
	rse_set_bspstore(cpu, REGION(7) | BACKING_STORE);
	tlb_insert_tc(cpu, true, BACKING_STORE | PTE_KERNEL, 24 << 2,
		      REGION(7) | BACKING_STORE);
	set_gr(cpu, 1, kernel_symbol(k, "__gp", NULL), false);
	set_gr(cpu, 12, (REGION(7) | STACK) + 0x10000, false);
	set_gr(cpu, 32, kernel_symbol(k, "__start___vtop_patchlist", NULL), false);
	set_gr(cpu, 33, kernel_symbol(k, "__end___vtop_patchlist", NULL), false);
	cpu->br[0] = back;
	cpu->ip = kernel_symbol(k, "ia64_patch_vtop", NULL);
	cpu->slot = 0;
	for (unsigned int i = 0; cpu->ip != back; i++) {
		if (i == STEPS || k->m->powered_off)
			die("%s: ia64_patch_vtop() does not return", k->name);
		cpu_run(cpu, 1, 1);
	}
}

static const struct {
	const char *name, *table;
} modes[] = {
	[MODE_SHORT] = { "short", "ia64_ivt" }, [MODE_LONG] = { "long", "ia64_ivt_long" },
	[MODE_NONE] = { "none", "ia64_ivt_none" },
};

const char *mode_name(enum mode mode)
{
	return modes[mode].name;
}

bool kernel_has(const struct kernel *k, enum mode mode)
{
	return mode == MODE_SHORT || k->modes;
}

void kernel_set_mode(struct kernel *k, enum mode mode)
{
	k->mode = mode;
	k->ivt = kernel_symbol(k, modes[mode].table, NULL);
	/* It is local: each table has one, behind its last slot. */
	k->page_fault = next_symbol(k, "page_fault", k->ivt);
	if (k->page_fault - k->ivt > 0x9000)
		die("%s: no page_fault behind %s", k->name, modes[mode].table);
}

struct kernel *kernel_load(const char *name, const char *timing, bool strict)
{
	/* What is touched of the memory is what there is. */
	struct options opt = { .ram = 24ULL << 30, .cpus = 2, .kernel = name, .soft_tlb = true,
			       .timing = timing,
			       .strict = { .serialize = strict, .depend = strict } };
	struct kernel *k = calloc(1, sizeof(*k));

	if (!k)
		die("out of memory");
	k->name = name;
	k->strict = strict;
	k->m = machine_create(&opt);
	if (!load_kernel(k->m))
		exit(2);
	read_file(k);
	kernel = k;
	configure(k);
	kernel_set_mode(k, MODE_SHORT);
	k->swapper = kernel_pa(kernel_symbol(k, "swapper_pg_dir", NULL));
	k->zero = kernel_pa(kernel_symbol(k, "empty_zero_page", NULL));
	k->percpu_size = -kernel_symbol(k, "__per_cpu_start", NULL);
	patch(k);
	return k;
}

void kernel_free(struct kernel *k)
{
	machine_destroy(k->m);
	free(k->file);
	free(k);
}
