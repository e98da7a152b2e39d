/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the command superpage share.
 */
#ifndef SUPERPAGE_H
#define SUPERPAGE_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* Tests have it look at files of their own. */
#ifndef ROOT
#define ROOT	""
#endif

#define PROC	ROOT "/proc"
#define SYS	ROOT "/sys"
#define THP	SYS "/kernel/mm/transparent_hugepage"

enum {
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
	/* As env(1), nice(1) and timeout(1) have them. */
	EXIT_OWN = 125,
	EXIT_NOT_EXECUTABLE = 126,
	EXIT_NOT_FOUND = 127,
};

extern int failure;			/* what to exit with if nothing can be done */

#define complain(fmt, ...) do {							\
	fflush(stdout);								\
	fprintf(stderr, "%s: " fmt "\n", program_invocation_short_name,		\
		##__VA_ARGS__);							\
} while (0)

#define die(...) do {			\
	complain(__VA_ARGS__);		\
	exit(failure);			\
} while (0)

char *slurp(const char *path);
int write_policy(const char *pid, const char *text);
void name_size(char *name, size_t len, unsigned long kb);
unsigned long parse_kb(const char *text, const char **end);
double parse_number(const char *text, double least, double most, const char *what);

#define MAX_SIZES	64

enum word { ALWAYS, MADVISE, NEVER };

/**
 * struct size - a size that superpages can have
 * @kb:		the size
 * @name:	the same, as in 64K
 * @word:	who gets it; where the file says inherit it is what is inherited
 */
struct size {
	unsigned long kb;
	char name[24];
	enum word word;
};

extern struct size sizes[MAX_SIZES];	/* the smallest first */
extern unsigned int nr_sizes;
extern unsigned long page_kb;

/**
 * struct usage - what smaps or smaps_rollup says about one mapping, or all
 * @rss:	kB that are there
 * @total:	kB of them in superpages
 * @size:	kB in superpages of each size
 * @eligible:	whether page faults may make superpages there
 */
struct usage {
	unsigned long rss, total, size[MAX_SIZES];
	bool eligible;
};

/** struct policy - what /proc/PID/superpage says */
struct policy {
	char mode[16];
	unsigned long orders;
	int force;
};

unsigned long order_bit(const struct size *s);
bool add_line(struct usage *u, const char *line);
bool read_policy(const char *pid, struct policy *p);
char *command_of(const char *pid);
void print_plain(const char *text);

int advise(const char *pid, double seconds, double cost);

#endif /* SUPERPAGE_H */
