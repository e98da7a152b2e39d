// SPDX-License-Identifier: GPL-2.0
/*
 * What the builders of the firmware's tables and its procedures have in common.
 */
#include <stdlib.h>
#include <string.h>

#include "firmware/firmware.h"

void put(struct area *a, u64 value, unsigned int size)
{
	if (a->size - a->used < size)
		abort();	/* the areas are larger than any table */
	for (unsigned int i = 0; i < size; i++)
		a->host[a->used++] = value >> i * 8;
}

void put_bytes(struct area *a, const void *bytes, size_t n)
{
	if (a->size - a->used < n)
		abort();
	memcpy(a->host + a->used, bytes, n);
	a->used += n;
}

void put_text(struct area *a, const char *text, size_t n, char pad)
{
	for (size_t i = 0; i < n; i++)
		put(a, (u8)(*text ? *text++ : pad), 1);
}

void put_align(struct area *a, size_t alignment)
{
	while (a->used % alignment)
		put(a, 0, 1);
}

u8 checksum(const u8 *p, size_t n)
{
	u8 sum = 0;

	while (n--)
		sum += *p++;
	return -sum;
}

u64 firmware_address(enum firmware_entry n)
{
	return n == FW_PAL ? FW_PAL_CODE : FW_CODE + (u64)n * ENTRY_SIZE;
}

u64 stacked_argument(const struct cpu *cpu, unsigned int n)
{
	return n < cpu->cfm.sof ? gr(cpu, 32 + n) : 0;
}
