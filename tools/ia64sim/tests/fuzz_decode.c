// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzing of the decoder and the disassembler.
 *
 * With clang it is libFuzzer's.  With -DSTANDALONE it has a main() for AFL, which reads the files named (or the
 * standard input); with -r N as arguments it makes N random bundles itself.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/stubs.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void check(bool ok, const char *what, u64 lo, u64 hi)
{
	if (ok)
		return;
	fprintf(stderr, "%s: bundle %016" PRIx64 " %016" PRIx64 "\n", what, hi, lo);
	abort();
}

static void test_bundle(u64 lo, u64 hi)
{
	struct bundle b, again;
	char text[200], cut[16];
	unsigned int n;

	decode_bundle(stubs(), &b, lo, hi);
	decode_bundle(stubs(), &again, lo, hi);
	check(b.decoded && (b.n == 2 || b.n == 3), "not decoded", lo, hi);
	for (n = 0; n < b.n; n++) {
		const struct insn *i = &b.slot[n];

		check(i->exec && i->op < N_OPCODES && i->unit <= UNIT_X, "bad instruction", lo, hi);
		check(i->qp < 64 && i->pred < 64 && i->p1 < 64 && i->p2 < 64, "bad predicate", lo,
		      hi);
		check((i->r1 | i->r3) < 128 && i->r4 <= 128, "bad register", lo, hi);
		check(i->r2 < 128 || i->op == OP_dep_z_imm, "bad register", lo, hi);
		check(i->pos < 64 && i->len <= 64, "bad field", lo, hi);
		check(memcmp(i, &again.slot[n], sizeof(*i)) == 0, "not the same twice", lo, hi);
		disassemble(i, lo ^ hi, text, sizeof(text));
		check(strlen(text) > 0 && strlen(text) < sizeof(text) - 1 && !strchr(text, '%'),
		      "bad text", lo, hi);
		disassemble(i, lo ^ hi, cut, sizeof(cut));
		check(strncmp(text, cut, sizeof(cut) - 1) == 0 && strlen(cut) < sizeof(cut),
		      "bad cut text", lo, hi);
		check(*opcode_name(i->op) != '\0', "no name", lo, hi);
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	u64 w[2];

	for (; size >= sizeof(w); data += sizeof(w), size -= sizeof(w)) {
		memcpy(w, data, sizeof(w));
		test_bundle(w[0], w[1]);
	}
	return 0;
}

#ifdef STANDALONE
static int test_file(FILE *f)
{
	u8 data[16];
	int status;

	while (fread(data, sizeof(data), 1, f) == 1)
		LLVMFuzzerTestOneInput(data, sizeof(data));
	status = ferror(f) ? EXIT_FAILURE : EXIT_SUCCESS;
	fclose(f);
	return status;
}

int main(int argc, char **argv)
{
	u64 x = 88172645463325252ULL, w[2];
	int n, k, status = EXIT_SUCCESS;
	FILE *f;

	if (argc == 3 && strcmp(argv[1], "-r") == 0) {
		for (n = 0; n < atoi(argv[2]); n++) {
			for (k = 0; k < 2; k++) {
				x ^= x << 13;
				x ^= x >> 7;
				x ^= x << 17;
				w[k] = x;
			}
			test_bundle(w[0], w[1]);
		}
		return EXIT_SUCCESS;
	}
	if (argc == 1)
		return test_file(stdin);
	for (n = 1; n < argc; n++) {
		f = fopen(argv[n], "rb");
		if (!f || test_file(f) != EXIT_SUCCESS) {
			perror(argv[n]);
			status = EXIT_FAILURE;
		}
	}
	return status;
}
#endif
