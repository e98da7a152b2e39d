// SPDX-License-Identifier: GPL-2.0
/*
 * collapse SIZE - make superpages of base pages with MADV_COLLAPSE
 *
 * SIZE is in MiB, and a power of two.  The mapping starts at a multiple of SIZE.  It is written
 * under MADV_NOHUGEPAGE, so that it has no superpages, and each word gets a value of its own.
 * Prints what smaps says about the mapping before and after MADV_COLLAPSE.  The exit status is 1
 * if madvise() fails or if a word has changed.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MB	(1024UL * 1024)

/* The C library does not know it yet. */
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE	25
#endif

static void die(const char *what)
{
	fprintf(stderr, "collapse: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Print the lines of smaps that say how much of the mapping at @p is in superpages. */
static void show(const char *when, const char *p)
{
	char line[256], name[24];
	unsigned long start, end, kb;
	int inside = 0;
	FILE *f = fopen("/proc/self/smaps", "r");

	if (!f)
		die("/proc/self/smaps");
	printf("%s:", when);
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx ", &start, &end) == 2)
			inside = start <= (uintptr_t)p && (uintptr_t)p < end;
		else if (inside && sscanf(line, "%23[A-Za-z0-9]: %lu kB", name, &kb) == 2 && kb &&
			 (!strncmp(name, "Superpages", 10) || !strcmp(name, "Anonymous")))
			printf(" %s=%lu", name, kb);
	}
	putchar('\n');
	fclose(f);
}

int main(int argc, char **argv)
{
	size_t len = argc == 2 ? strtoul(argv[1], NULL, 10) * MB : 0, i;
	uint64_t *words;
	char *p;

	if (!len || len & (len - 1)) {
		fputs("use: collapse SIZE, in MiB, a power of two\n", stderr);
		return 2;
	}
	p = mmap(NULL, 2 * len, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		die("mmap");
	p = (char *)(((uintptr_t)p + len - 1) & -len);
	if (mprotect(p, len, PROT_READ | PROT_WRITE))
		die("mprotect");
	if (madvise(p, len, MADV_NOHUGEPAGE))
		die("MADV_NOHUGEPAGE");
	words = (uint64_t *)p;
	for (i = 0; i < len / sizeof(*words); i++)
		words[i] = i * 0x9e3779b97f4a7c15;
	show("base pages", p);
	/* The kernel refuses MADV_COLLAPSE under MADV_NOHUGEPAGE. */
	if (madvise(p, len, MADV_HUGEPAGE))
		die("MADV_HUGEPAGE");
	if (madvise(p, len, MADV_COLLAPSE))
		die("MADV_COLLAPSE");
	show("collapsed", p);
	for (i = 0; i < len / sizeof(*words); i++) {
		if (words[i] != i * 0x9e3779b97f4a7c15) {
			fprintf(stderr, "collapse: the word at %zu differs\n", 8 * i);
			return 1;
		}
	}
	return 0;
}
