// SPDX-License-Identifier: GPL-2.0
/*
 * The parameters of -timing madison, and how the command line changes them.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing/params.h"

enum unit { CYCLES, NS, HZ, BYTES, ENTRIES, SWITCH };

static const struct parameter {
	const char *name;
	enum unit unit;
	size_t offset;
	u64 value, least, most;
} table[] = {
#define PARAMETER(name, value, unit, least, most, source, sure, what) \
	{ #name, unit, offsetof(struct timing_params, name), value, least, most },
#include "timing/madison.def"
#undef PARAMETER
};

enum { N_PARAMETERS = sizeof(table) / sizeof(table[0]) };

static u64 *field(struct timing_params *p, const struct parameter *parameter)
{
	return (u64 *)((char *)p + parameter->offset);
}

/* What k, M and G stand for: powers of 1000, of sizes powers of 1024. */
static u64 scale_of(char letter, enum unit unit)
{
	u64 step = unit == BYTES ? 1024 : 1000;

	if (unit != BYTES && unit != HZ)
		return 0;
	switch (letter) {
	case 'k':
	case 'K':
		return step;
	case 'm':
	case 'M':
		return step * step;
	case 'g':
	case 'G':
		return step * step * step;
	}
	return 0;
}

/* A number as 1500, 3M or 1.3G, and nothing else. */
static bool parse_value(const char *text, enum unit unit, u64 *value)
{
	u64 part = 0, parts = 1, scale = 1;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*value = strtoull(text, &end, 10);
	if (*end == '.') {
		for (end++; *end >= '0' && *end <= '9' && parts < 1000000000; end++) {
			part = part * 10 + (*end - '0');
			parts *= 10;
		}
	}
	if (*end) {
		scale = scale_of(*end++, unit);
		if (!scale || *end)
			return false;
	}
	if (errno || *value > ~0ULL / scale - 1 || part * scale % parts)
		return false;
	*value = *value * scale + part * scale / parts;
	return true;
}

static bool is_allowed(const struct parameter *p, u64 value)
{
	if (p->unit == BYTES && !value)
		return !p->value;		/* of what there need not be one */
	return value >= p->least && value <= p->most &&
	       !(p->unit == BYTES && value % p->least);
}

static bool parse_item(struct timing_params *p, const char *item, char *error, size_t size)
{
	const char *equals = strchr(item, '=');

	for (unsigned int i = 0; equals && i < N_PARAMETERS; i++) {
		const struct parameter *parameter = &table[i];
		size_t n = strlen(parameter->name);
		u64 value;

		if (n != (size_t)(equals - item) || strncmp(item, parameter->name, n))
			continue;
		if (!parse_value(equals + 1, parameter->unit, &value) ||
		    !is_allowed(parameter, value)) {
			snprintf(error, size, parameter->unit == BYTES ?
				 "%s: not a multiple of %llu up to %llu" :
				 "%s: not a value from %llu to %llu", item,
				 (unsigned long long)parameter->least,
				 (unsigned long long)parameter->most);
			return false;
		}
		*field(p, parameter) = value;
		return true;
	}
	snprintf(error, size, "%s: not NAME=VALUE with the name of a parameter", item);
	return false;
}

/* A line without blanks and comment. */
static void squeeze(char *line)
{
	char *to = line;

	for (const char *from = line; *from && *from != '#'; from++)
		if (!strchr(" \t\r\n", *from))
			*to++ = *from;
	*to = '\0';
}

static bool parse_file(struct timing_params *p, const char *path, char *error, size_t size)
{
	char line[256], why[128];
	unsigned int n = 0;
	bool fine = true;
	FILE *f = fopen(path, "r");

	if (!f) {
		snprintf(error, size, "%s: %s", path, strerror(errno));
		return false;
	}
	while (fine && fgets(line, sizeof(line), f)) {
		n++;
		squeeze(line);
		fine = !*line || parse_item(p, line, why, sizeof(why));
		if (!fine)
			snprintf(error, size, "%s:%u: %s", path, n, why);
	}
	if (fine && ferror(f)) {
		snprintf(error, size, "%s: %s", path, strerror(errno));
		fine = false;
	}
	fclose(f);
	return fine;
}

static bool parse_items(struct timing_params *p, const char *text, char *error, size_t size)
{
	while (*text) {
		size_t n = strcspn(text, ",");
		char item[PATH_MAX];

		if (n >= sizeof(item)) {
			snprintf(error, size, "%.20s...: too long", text);
			return false;
		}
		memcpy(item, text, n);
		item[n] = '\0';
		if (strncmp(item, "file=", 5) == 0) {
			if (!parse_file(p, item + 5, error, size))
				return false;
		} else if (!parse_item(p, item, error, size)) {
			return false;
		}
		text += n;
		if (*text == ',' && !*++text) {
			snprintf(error, size, "a parameter is missing behind the comma");
			return false;
		}
	}
	return true;
}

/* What others of the family have else than the table says; ia64sim.rst tells the sources. */
static const struct {
	const char *name, *text;
} models[] = {
	{ "madison", "" },
	{ "mckinley", "freq=1G,l3=3M,l3_load=13,memory=171" },
	{ "montecito", "freq=1.6G,l3=12M,l2i=1M" },
};

bool timing_parse(struct timing_params *p, const char *text, char *error, size_t size)
{
	size_t n = strcspn(text, ",");

	for (unsigned int i = 0; i < N_PARAMETERS; i++)
		*field(p, &table[i]) = table[i].value;
	for (unsigned int i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
		int length;

		if (strlen(models[i].name) != n || strncmp(models[i].name, text, n))
			continue;
		if (!parse_items(p, models[i].text, error, size))
			abort();
		if (!text[n])
			return true;
		length = snprintf(error, size, "%s: ", models[i].name);
		if (text[n + 1])
			return parse_items(p, text + n + 1, error + length, size - length);
		snprintf(error + length, size - length, "a parameter is missing behind the comma");
		return false;
	}
	snprintf(error, size, "%.*s: not none, madison, mckinley or montecito", (int)n, text);
	return false;
}
