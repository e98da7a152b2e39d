// SPDX-License-Identifier: GPL-2.0
/*
 * memchr() for what is linked with jemalloc.  That looks for a byte in memory that it has just
 * given back.  glibc's memchr() of ia64 reads ahead, with speculative loads; once one of them is
 * deferred, since its page is not there, it goes on word by word, until it finds the byte, but
 * does not look for the end.
 */
#include <stddef.h>

void *memchr(const void *s, int c, size_t n)
{
	/* Or the compiler would find memchr() in it. */
	const volatile unsigned char *p = s;

	for (; n; n--, p++)
		if (*p == (unsigned char)c)
			return (void *)p;
	return NULL;
}
