// SPDX-License-Identifier: GPL-2.0
/*
 * The loader: vmlinux (ELF64, plain or in gzip) at its physical addresses, an
 * initrd high in low memory.  What EFI, a boot loader and its shell would do.
 * Nothing in a file is trusted.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/firmware.h"
#include "firmware/inflate.h"
#include "firmware/loader.h"
#include "mmu/phys.h"

enum { EI_CLASS = 4, EI_DATA = 5, ELFCLASS64 = 2, ELFDATA2LSB = 1, ET_EXEC = 2, ET_DYN = 3,
       EM_IA_64 = 50, PT_LOAD = 1, EHDR_SIZE = 64, PHDR_SIZE = 56 };

/* Where a bare image without ELF header goes. */
#define RAW_ADDRESS	0x100000ULL

/* An ELF file can hold more than what is loaded, symbols above all. */
#define MAX_SYMBOLS	(1ULL << 30)

/* struct Elf64_Ehdr, the fields that matter */
struct elf_header {
	u64 entry, phoff;
	u16 type, machine, phentsize, phnum;
};

struct segment {
	u32 type;
	u64 offset, vaddr, paddr, filesz, memsz;
};

static u64 get(const u8 *p, unsigned int size)
{
	u64 value = 0;

	memcpy(&value, p, size);
	return value;
}

static bool is_elf(const u8 *data, size_t n)
{
	return n >= 4 && memcmp(data, "\177ELF", 4) == 0;
}

static const char *parse_header(struct elf_header *h, const u8 *data, size_t n)
{
	static char machine_text[64];

	if (!is_elf(data, n))
		return "not an ELF file";
	if (n < EHDR_SIZE)
		return "truncated";
	if (data[EI_CLASS] != ELFCLASS64 || data[EI_DATA] != ELFDATA2LSB)
		return "not a 64-bit little-endian ELF file";
	h->type = get(data + 16, 2);
	h->machine = get(data + 18, 2);
	h->entry = get(data + 24, 8);
	h->phoff = get(data + 32, 8);
	h->phentsize = get(data + 54, 2);
	h->phnum = get(data + 56, 2);
	if (h->machine != EM_IA_64) {
		snprintf(machine_text, sizeof(machine_text),
			 "ELF file of another machine (%u), not of ia64 (%u)", h->machine,
			 EM_IA_64);
		return machine_text;
	}
	if (h->type != ET_EXEC && h->type != ET_DYN)
		return "not an executable ELF file";
	if (h->phentsize != PHDR_SIZE || !h->phnum)
		return "ELF file without program headers";
	if (h->phoff > n || (u64)h->phnum * PHDR_SIZE > n - h->phoff)
		return "truncated";
	return NULL;
}

static struct segment get_segment(const struct elf_header *h, const u8 *data, unsigned int i)
{
	const u8 *p = data + h->phoff + (u64)i * PHDR_SIZE;

	return (struct segment){
		.type = get(p, 4), .offset = get(p + 8, 8), .vaddr = get(p + 16, 8),
		.paddr = get(p + 24, 8), .filesz = get(p + 32, 8), .memsz = get(p + 40, 8),
	};
}

static const char *load_segment(struct machine *m, const struct segment *s, const u8 *data,
				size_t n)
{
	u8 *to;

	if (s->offset > n || s->filesz > n - s->offset)
		return "truncated";
	if (s->filesz > s->memsz)
		return "ELF segment larger in the file than in memory";
	if (s->paddr < FW_END)
		return "ELF segment overlaps the firmware's memory";
	to = ram_at(m, s->paddr, s->memsz);
	if (!to)
		return "does not fit into RAM";
	memcpy(to, data + s->offset, s->filesz);
	memset(to + s->filesz, 0, s->memsz - s->filesz);
	phys_written(m, s->paddr, s->memsz);
	return NULL;
}

static const char *load_elf(struct machine *m, const u8 *data, size_t n, u64 *end)
{
	struct elf_header h = { 0 };
	const char *error = parse_header(&h, data, n);
	bool has_entry = false;

	*end = 0;
	m->boot.entry = h.entry;
	for (unsigned int i = 0; !error && i < h.phnum; i++) {
		struct segment s = get_segment(&h, data, i);

		if (s.type != PT_LOAD || !s.memsz)
			continue;
		error = load_segment(m, &s, data, n);
		if (error)
			break;
		if (s.paddr + s.memsz > *end)
			*end = s.paddr + s.memsz;
		/* vmlinux says its entry physically; others may say it virtually. */
		if (h.entry - s.paddr < s.memsz) {
			has_entry = true;
		} else if (!has_entry && h.entry - s.vaddr < s.memsz) {
			m->boot.entry = s.paddr + (h.entry - s.vaddr);
			has_entry = true;
		}
	}
	if (error)
		return error;
	if (!*end)
		return "ELF file without anything to load";
	if (!has_entry || m->boot.entry % 16)
		return "ELF entry point is not in the image";
	return NULL;
}

const char *load_image(struct machine *m, const u8 *data, size_t n, u64 *end)
{
	const char *error;
	size_t size;
	u8 *image;

	if (!is_gzip(data, n))
		return load_elf(m, data, n, end);
	error = gunzip(data, n, m->opt.ram + MAX_SYMBOLS, &image, &size);
	if (error)
		return error;
	error = load_elf(m, image, size, end);
	free(image);
	return error;
}

bool place_initrd(struct machine *m, u64 size, u64 kernel_end)
{
	u64 low_end = m->opt.ram < RAM_LOW_END ? m->opt.ram : RAM_LOW_END;
	u64 base;

	if (size > low_end)
		return false;
	base = (low_end - size) & ~0xffffULL;
	/* A kernel above 4 GiB leaves all of low memory. */
	if (kernel_end >= RAM_HIGH)
		kernel_end = 0;
	if (kernel_end < FW_END)
		kernel_end = FW_END;
	if (base < kernel_end)
		return false;
	m->boot.initrd = base;
	m->boot.initrd_size = size;
	return true;
}

static bool complain(const char *file, const char *what)
{
	fprintf(stderr, "ia64sim: %s: %s\n", file, what);
	return false;
}

/* The whole of a file, which may be a pipe, and of a device that has no end as much
 * as shows that there is no place for it.
 */
static u8 *read_file(const char *name, size_t *size, size_t limit)
{
	FILE *f = fopen(name, "rb");
	size_t room = 1 << 20, n = 0;
	const char *error = NULL;
	u8 *data = NULL;

	if (!f) {
		complain(name, strerror(errno));
		return NULL;
	}
	while (!error) {
		u8 *more = realloc(data, room);

		if (!more) {
			error = strerror(ENOMEM);
			break;
		}
		data = more;
		errno = 0;
		n += fread(data + n, 1, room - n, f);
		if (ferror(f))
			error = strerror(errno);
		if (n < room)
			break;
		if (n > limit)
			error = "too large";
		room *= 2;
	}
	fclose(f);
	if (error) {
		complain(name, error);
		free(data);
		return NULL;
	}
	*size = n;
	return data;
}

static bool load_initrd(struct machine *m, const char *name, u64 kernel_end)
{
	size_t size;
	u8 *data = read_file(name, &size, m->opt.ram);
	char text[96];

	if (!data)
		return false;
	if (!place_initrd(m, size, kernel_end)) {
		snprintf(text, sizeof(text),
			 "initrd of %zu bytes does not fit into %llu MiB of RAM", size,
			 (unsigned long long)(m->opt.ram >> 20));
		free(data);
		return complain(name, text);
	}
	memcpy(ram_at(m, m->boot.initrd, size), data, size);
	free(data);
	return true;
}

static const char *load_raw(struct machine *m, const u8 *data, size_t n, u64 *end)
{
	u8 *to = ram_at(m, RAW_ADDRESS, n);

	if (!n)
		return "empty";
	if (!to)
		return "does not fit into RAM";
	memcpy(to, data, n);
	*end = RAW_ADDRESS + n;
	m->boot.entry = RAW_ADDRESS;
	return NULL;
}

bool load_kernel(struct machine *m)
{
	const char *name = m->opt.bare ? m->opt.bare : m->opt.kernel;
	const char *error;
	size_t size;
	u64 end = 0;
	u8 *data;

	data = read_file(name, &size, m->opt.ram + MAX_SYMBOLS);
	if (!data)
		return false;
	if (m->opt.bare && !is_elf(data, size) && !is_gzip(data, size))
		error = load_raw(m, data, size, &end);
	else
		error = load_image(m, data, size, &end);
	free(data);
	if (error)
		return complain(name, error);
	return !m->opt.initrd || load_initrd(m, m->opt.initrd, end);
}
