// SPDX-License-Identifier: GPL-2.0
/*
 * tlbcover FROM TO ROUNDS - transform random records of a table of FROM MiB, then of one twice as
 * large, and so on up to TO MiB, as the thesis does in section 6.2.2.  A record has 64 bytes.  Each
 * round transforms 4,096 pairs of records.
 */
#include "micro.h"

enum { WORDS = 8, PAIRS = 4096 };

struct record {
	uint64_t word[WORDS];
};

static void transform(struct record *a, struct record *b, unsigned int how)
{
	int i;

	switch (how) {
	case 0:		/* exchange */
		for (i = 0; i < WORDS; i++) {
			uint64_t word = a->word[i];

			a->word[i] = b->word[WORDS - 1 - i];
			b->word[WORDS - 1 - i] = word;
		}
		break;
	case 1:		/* add the one to the other */
		for (i = 0; i < WORDS; i++)
			a->word[i] += b->word[i] ^ i;
		break;
	case 2:		/* rotate both */
		for (i = 0; i < WORDS; i++) {
			a->word[i] = a->word[i] << 7 | a->word[i] >> 57;
			b->word[i] = b->word[i] >> 9 | b->word[i] << 55;
		}
		break;
	default:	/* a key in one says which word of the other to change */
		b->word[a->word[0] % WORDS] ^= a->word[1];
	}
}

static void cover(uint64_t mib, uint64_t rounds)
{
	uint64_t n = mib * MIB / sizeof(struct record), i, sum = 0;
	struct record *table = allocate(mib * MIB);
	char name[40];

	/* One word of each record will do.  All of them would take longer than what is timed. */
	for (i = 0; i < n; i++)
		table[i].word[i % WORDS] = ~i;
	begin_region();
	for (i = 0; i < rounds * PAIRS; i++) {
		struct record *a = &table[draw(n)], *b = &table[draw(n)];

		transform(a, b, i % 4);
	}
	snprintf(name, sizeof(name), "transform.%llu", (unsigned long long)mib);
	end(name, rounds * PAIRS);
	for (i = 0; i < n; i++)
		sum = mix(sum, table[i].word[i % WORDS]);
	printf("tlbcover %llu MiB, %llu rounds: %016llx\n", (unsigned long long)mib,
	       (unsigned long long)rounds, (unsigned long long)sum);
	free(table);
}

int main(int argc, char **argv)
{
	uint64_t from = number(argc == 4 ? argv[1] : NULL, 1, 65536, "FROM TO ROUNDS");
	uint64_t to = number(argv[2], from, 65536, "FROM TO ROUNDS");
	uint64_t rounds = number(argv[3], 1, 1000000, "FROM TO ROUNDS");

	for (uint64_t mib = from; mib <= to; mib *= 2)
		cover(mib, rounds);
	return 0;
}
