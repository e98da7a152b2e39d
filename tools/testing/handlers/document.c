// SPDX-License-Identifier: GPL-2.0
/*
 * Tables of the kernel's documentation: what they say has to be what is counted.
 * A simple table of reStructuredText: lines of "=" above and below its head and below
 * its last row, whose gaps tell the columns apart.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "handlers.h"

enum { MAX_COLUMNS = 8, MAX_ROWS = 32, MAX_LINE = 256 };

struct table {
	const char *path;
	unsigned int n_rows, n_columns, from[MAX_COLUMNS];
	char cell[MAX_ROWS][MAX_COLUMNS][MAX_LINE];
	bool compared[MAX_ROWS];
};

static bool is_ruler(const char *line)
{
	return !strncmp(line, "===", 3) && !line[strspn(line, "= \n")];
}

static void read_ruler(struct table *t, const char *line)
{
	t->n_columns = 0;
	for (unsigned int i = 0; line[i]; i++) {
		if (line[i] != '=' || (i && line[i - 1] == '='))
			continue;
		if (t->n_columns == MAX_COLUMNS)
			die("%s: a table of too many columns", t->path);
		t->from[t->n_columns++] = i;
	}
}

static void read_row(struct table *t, const char *line)
{
	unsigned int length = strcspn(line, "\n");

	if (t->n_rows == MAX_ROWS)
		die("%s: a table of too many rows", t->path);
	for (unsigned int i = 0; i < t->n_columns; i++) {
		unsigned int from = t->from[i], to = i + 1 < t->n_columns ? t->from[i + 1] : length;

		if (to > length)
			to = length;
		while (from < to && line[from] == ' ')
			from++;
		while (from < to && line[to - 1] == ' ')
			to--;
		snprintf(t->cell[t->n_rows][i], MAX_LINE, "%.*s", from < to ? to - from : 0,
			 line + from);
	}
	t->n_rows++;
}

static FILE *open_document(const char *path)
{
	FILE *f = fopen(path, "r");

	if (!f)
		die("%s: %s", path, strerror(errno));
	return f;
}

struct table *table_read(const char *path, const char *head)
{
	struct table *t = calloc(1, sizeof(*t));
	enum { ELSEWHERE, BEGINS, HEAD, ROWS } state = ELSEWHERE;
	FILE *f = open_document(path);
	char line[MAX_LINE];

	if (!t)
		die("out of memory");
	t->path = path;
	while (fgets(line, sizeof(line), f)) {
		if (is_ruler(line)) {
			if (state == ROWS)
				break;
			read_ruler(t, line);
			state = state == HEAD ? ROWS : BEGINS;
		} else if (state == ROWS) {
			read_row(t, line);
		} else if (state == BEGINS) {
			state = strncmp(line, head, strlen(head)) ? ELSEWHERE : HEAD;
		}
	}
	fclose(f);
	if (!t->n_rows)
		die("%s: no table that begins with '%s'", path, head);
	return t;
}

static bool published(const char *path, const char *what, const char *says, const char *is)
{
	if (!strcmp(says, is)) {
		n_passed++;
		return true;
	}
	printf("FAILED: %s: %s: has '%s', should have '%s'\n", path, what, says, is);
	n_failed++;
	return false;
}

void table_compare(struct table *t, const char *row, unsigned int column, const char *is)
{
	for (unsigned int i = 0; i < t->n_rows; i++) {
		if (strcmp(t->cell[i][0], row))
			continue;
		t->compared[i] = true;
		if (column < t->n_columns)
			published(t->path, row, t->cell[i][column], is);
	}
}

void table_end(struct table *t)
{
	for (unsigned int i = 0; i < t->n_rows; i++) {
		if (t->compared[i])
			continue;
		printf("FAILED: %s: '%s' is nothing that is counted\n", t->path, t->cell[i][0]);
		n_failed++;
	}
	free(t);
}

void document_compare(const char *path, const char *before, const char *is)
{
	FILE *f = open_document(path);
	char line[MAX_LINE], says[MAX_LINE] = "nothing";

	while (fgets(line, sizeof(line), f)) {
		const char *p = strstr(line, before);

		if (p)
			snprintf(says, sizeof(says), "%.*s", (int)strlen(is), p + strlen(before));
	}
	fclose(f);
	published(path, before, says, is);
}
