// SPDX-License-Identifier: GPL-2.0
/*
 * memchr() for programs with jemalloc.  jemalloc looks for a byte in memory that it has just given
 * back.  glibc's memchr() for ia64 reads ahead with speculative loads.  If one of them is deferred
 * because its page is not present, memchr() goes on word by word until it finds the byte, and
 * misses the end of the memory.
 */
#include <stddef.h>

void *memchr(const void *s, int c, size_t n)
{
	/* Without volatile the compiler would replace the loop by a call of memchr(). */
	const volatile unsigned char *p = s;

	for (; n; n--, p++)
		if (*p == (unsigned char)c)
			return (void *)p;
	return NULL;
}
