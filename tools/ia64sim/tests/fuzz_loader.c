// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzing of the loader: ELF files, plain and compressed.
 *
 * With clang it is libFuzzer's, with a mutator that knows where it matters.  With
 * -DSTANDALONE it has a main() for AFL, which reads the files named (or the standard
 * input); with -r SECONDS as arguments it makes variations of a few good files by
 * itself for so long, from a fixed seed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "board/board.h"
#include "firmware/inflate.h"
#include "firmware/loader.h"

enum { MAX_INPUT = 1 << 16 };

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static struct machine *machine(void)
{
	static struct machine *m;
	struct options opt = { .ram = 96 << 20, .cpus = 1, .soft_tlb = true };

	if (!m)
		m = machine_create(&opt);
	return m;
}

static unsigned long n_loaded;

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct machine *m = machine();
	/* of exactly this size, so that a byte too many is noticed */
	u8 *copy = malloc(size ? size : 1);
	u64 end = 0;

	if (!copy)
		abort();
	memcpy(copy, data, size);
	if (!load_image(m, copy, size, &end)) {
		n_loaded++;
		/* what was accepted must make sense */
		if (!ram_at(m, m->boot.entry, 16) || m->boot.entry % 16 || end > m->opt.ram)
			abort();
		place_initrd(m, size * 977, end);
		if (m->boot.initrd_size && !ram_at(m, m->boot.initrd, m->boot.initrd_size))
			abort();
		m->boot.initrd = m->boot.initrd_size = 0;
	}
	free(copy);
	return 0;
}

static u64 state = 0x2545f4914f6cdd1dULL;

static u64 draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static void put(u8 *p, u64 value, unsigned int size)
{
	memcpy(p, &value, size);
}

/* A good ELF file with two segments; returns its size. */
static size_t make_elf(u8 *p)
{
	static const u8 ident[] = { 0x7f, 'E', 'L', 'F', 2, 1, 1 };

	memset(p, 0, 600);
	memcpy(p, ident, sizeof(ident));
	put(p + 16, 2, 2);
	put(p + 18, 50, 2);
	put(p + 24, 0x4000010, 8);
	put(p + 32, 64, 8);
	put(p + 54, 56, 2);
	put(p + 56, 2, 2);
	for (unsigned int i = 0; i < 2; i++) {
		u8 *ph = p + 64 + i * 56;

		put(ph, 1, 4);
		put(ph + 8, 200 + i * 200, 8);
		put(ph + 16, 0xa000000100000000 + i * 0x1000, 8);
		put(ph + 24, 0x4000000 + i * 0x1000, 8);
		put(ph + 32, 200, 8);
		put(ph + 40, 300, 8);
	}
	return 600;
}

/* It in gzip: literals and matches in the fixed code. */
struct bits {
	u8 *p;
	unsigned int n;
};

static void put_bits(struct bits *b, u32 value, unsigned int n)
{
	for (; n; n--, value >>= 1, b->n++) {
		if (b->n % 8 == 0)
			b->p[b->n / 8] = 0;
		b->p[b->n / 8] |= (value & 1) << b->n % 8;
	}
}

static void put_code(struct bits *b, u32 code, unsigned int n)
{
	while (n--)
		put_bits(b, code >> n & 1, 1);
}

static size_t make_gzip(u8 *p, const u8 *elf, size_t n)
{
	static const u8 header[] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3 };
	struct bits b = { .p = p + sizeof(header) };
	size_t at;

	memcpy(p, header, sizeof(header));
	put_bits(&b, 1, 1);
	put_bits(&b, 1, 2);
	for (at = 0; at < n;) {
		/* three bytes as the three before them */
		if (at >= 3 && n - at >= 3 && !memcmp(elf + at, elf + at - 3, 3)) {
			put_code(&b, 1, 7);
			put_code(&b, 2, 5);
			at += 3;
		} else if (elf[at] < 144) {
			put_code(&b, 0x30 + elf[at++], 8);
		} else {
			put_code(&b, 0x190 + elf[at++] - 144, 9);
		}
	}
	put_code(&b, 0, 7);
	at = sizeof(header) + (b.n + 7) / 8;
	put(p + at, crc32(0, elf, n), 4);
	put(p + at + 4, n, 4);
	return at + 8;
}

static size_t vary(u8 *p, size_t n)
{
	static const u64 corners[] = {
		0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0xffffffff, 1ULL << 32,
		~0ULL >> 1, 1ULL << 63, ~0ULL, -16ULL, 0x4000000, 96 << 20,
	};

	for (u64 times = draw() % 6; times; times--) {
		/* the header and the program headers are where it matters */
		size_t at = draw() % (draw() % 4 ? (n < 180 ? n : 180) : n);

		switch (draw() % 5) {
		case 0:
			p[at] ^= 1 << draw() % 8;
			break;
		case 1:
			p[at] = draw();
			break;
		case 2:
			if (at + 8 <= n)
				put(p + (at & ~7ULL), corners[draw() % 16] + draw() % 3 - 1, 8);
			break;
		case 3:
			if (at + 4 <= n)
				put(p + (at & ~1ULL), corners[draw() % 16], draw() % 2 ? 2 : 4);
			break;
		default:
			n = at + 1;
			break;
		}
	}
	return n;
}

#ifdef STANDALONE
static int make_inputs(int seconds)
{
	time_t until = time(NULL) + seconds;
	unsigned long n_inputs = 0;
	u8 data[2048], elf[600];

	while (n_inputs % 256 || time(NULL) < until) {
		size_t n = n_inputs % 3 ? make_elf(data) : make_gzip(data, elf, make_elf(elf));

		LLVMFuzzerTestOneInput(data, n_inputs < 6 ? n : vary(data, n));
		n_inputs++;
	}
	printf("fuzz_loader: %lu inputs, %lu of them loaded\n", n_inputs, n_loaded);
	/* the first six are good */
	return n_loaded < 6;
}

int main(int argc, char **argv)
{
	static u8 data[MAX_INPUT];
	size_t n;

	if (argc == 3 && !strcmp(argv[1], "-r"))
		return make_inputs(atoi(argv[2]));
	for (int i = 1; i < argc || i == 1; i++) {
		FILE *f = argc > 1 ? fopen(argv[i], "rb") : stdin;

		if (!f)
			return 2;
		n = fread(data, 1, sizeof(data), f);
		LLVMFuzzerTestOneInput(data, n);
		if (f != stdin)
			fclose(f);
	}
	return 0;
}
#else
size_t LLVMFuzzerMutate(u8 *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(u8 *data, size_t size, size_t max, unsigned int seed);

/* What libFuzzer does by itself, and what it would hardly ever find. */
size_t LLVMFuzzerCustomMutator(u8 *data, size_t size, size_t max, unsigned int seed)
{
	u8 elf[600];

	state = seed * 0x9e3779b97f4a7c15ULL | 1;
	draw();
	if (max < 2048)
		return LLVMFuzzerMutate(data, size, max);
	switch (draw() % 8) {
	case 0:
		return vary(data, make_elf(data));
	case 1:
		return vary(data, make_gzip(data, elf, make_elf(elf)));
	case 2:
		/* a whole archive of a bad file */
		return make_gzip(data, elf, vary(elf, make_elf(elf)));
	case 3:
		return size ? vary(data, size) : make_elf(data);
	default:
		return LLVMFuzzerMutate(data, size, max);
	}
}
#endif
