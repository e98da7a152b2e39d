// SPDX-License-Identifier: GPL-2.0
/*
 * compute - work for the processor alone: 4 rounds of a sieve, sorting, CRC,
 * matrices and text, some 80 million instructions each.  tests/callgrind measures
 * with it what one instruction of a guest costs.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 4, SIEVE = 1 << 19, SORT = 1 << 15, CRC = 1 << 18, MATRIX = 96, WORDS = 1 << 13 };

static uint32_t random_state = 12345;

static uint32_t random_number(void)
{
	random_state = random_state * 1664525 + 1013904223;
	return random_state >> 8;
}

static unsigned int sieve(void)
{
	static uint8_t composite[SIEVE];
	unsigned int primes = 0;

	memset(composite, 0, sizeof(composite));
	for (unsigned int i = 2; i < SIEVE; i++) {
		if (composite[i])
			continue;
		primes++;
		for (unsigned int k = 2 * i; k < SIEVE; k += i)
			composite[k] = 1;
	}
	return primes;
}

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static uint32_t sort(void)
{
	static uint32_t number[SORT];
	uint32_t sum = 0;

	for (unsigned int i = 0; i < SORT; i++)
		number[i] = random_number();
	qsort(number, SORT, sizeof(number[0]), compare);
	for (unsigned int i = 0; i < SORT; i += SORT / 16)
		sum = sum * 31 + number[i];
	return sum;
}

static uint32_t crc(void)
{
	uint32_t table[256], value = ~0U;

	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320 : 0);
	}
	for (unsigned int i = 0; i < CRC; i++)
		value = value >> 8 ^ table[(value ^ random_number()) & 0xff];
	return ~value;
}

static double matrix(void)
{
	static double a[MATRIX][MATRIX], b[MATRIX][MATRIX], c[MATRIX][MATRIX];
	double trace = 0;

	for (int i = 0; i < MATRIX; i++) {
		for (int k = 0; k < MATRIX; k++) {
			a[i][k] = random_number() / 65536.0;
			b[i][k] = 1 / (1.0 + i + k);
		}
	}
	for (int i = 0; i < MATRIX; i++) {
		for (int k = 0; k < MATRIX; k++) {
			c[i][k] = 0;
			for (int n = 0; n < MATRIX; n++)
				c[i][k] += a[i][n] * b[n][k];
		}
		trace += c[i][i];
	}
	return trace;
}

/* Small allocations, strings, a list: pointers and calls. */
struct word {
	struct word *next;
	char text[24];
};

static unsigned int words(void)
{
	static struct word *bucket[1024];
	unsigned int longest = 0;

	for (unsigned int i = 0; i < WORDS; i++) {
		struct word *w = malloc(sizeof(*w)), **list;
		unsigned int h = 0;

		if (!w)
			exit(1);
		snprintf(w->text, sizeof(w->text), "w%u", random_number() % 5000);
		for (const char *p = w->text; *p; p++)
			h = h * 33 + *p;
		for (list = &bucket[h % 1024]; *list && strcmp((*list)->text, w->text) < 0;)
			list = &(*list)->next;
		w->next = *list;
		*list = w;
	}
	for (unsigned int i = 0; i < 1024; i++) {
		unsigned int n = 0;

		for (struct word *w = bucket[i], *next; w; w = next, n++) {
			next = w->next;
			free(w);
		}
		bucket[i] = NULL;
		longest = n > longest ? n : longest;
	}
	return longest;
}

int main(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		unsigned int primes = sieve();
		uint32_t sum = sort(), check = crc();
		double trace = matrix();

		printf("%u %08x %08x %.6f %u\n", primes, sum, check, trace, words());
	}
	return 0;
}
