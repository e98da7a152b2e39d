// SPDX-License-Identifier: GPL-2.0
/*
 * What superpage and tlbmiss-cost share.
 */

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "superpage.h"

int failure = EXIT_USAGE;

/** slurp() - all of a file, to be freed; NULL with errno set if it cannot be read */
char *slurp(const char *path)
{
	size_t len = 0, size = 4096;
	int fd = open(path, O_RDONLY | O_CLOEXEC), error = 0;
	char *buf, *more;
	ssize_t n;

	if (fd < 0)
		return NULL;
	buf = malloc(size);
	while (buf) {
		n = read(fd, buf + len, size - 1 - len);
		if (n < 0)
			error = errno;
		if (n <= 0)
			break;
		len += n;
		if (len < size - 1)
			continue;
		more = realloc(buf, size *= 2);
		if (!more)
			free(buf);
		buf = more;
	}
	if (!buf)
		error = ENOMEM;
	close(fd);
	if (error) {
		free(buf);
		errno = error;
		return NULL;
	}
	buf[len] = '\0';
	return buf;
}

/**
 * write_policy() - change which superpages a process may have
 * @pid:	which, a number or self
 * @text:	lines for /proc/PID/superpage
 *
 * Return: 0 or an error number.
 */
int write_policy(const char *pid, const char *text)
{
	char path[PATH_MAX];
	int fd, error = 0;

	snprintf(path, sizeof(path), PROC "/%s/superpage", pid);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? ESRCH : errno;
	/* All of it is one write. */
	if (write(fd, text, strlen(text)) < 0)
		error = errno;
	close(fd);
	return error;
}

/** name_size() - as in 64K */
void name_size(char *name, size_t len, unsigned long kb)
{
	static const char unit[] = "KMGTPE";
	unsigned int i = 0;

	while (kb && !(kb % 1024) && unit[i + 1]) {
		kb /= 1024;
		i++;
	}
	snprintf(name, len, "%lu%c", kb, unit[i]);
}

/**
 * parse_kb() - read a size, as in 64K, 1m or 65536
 * @text:	what to read
 * @end:	where the first character is that is no part of it
 *
 * Return: the size in kB, 0 if it is none.
 */
unsigned long parse_kb(const char *text, const char **end)
{
	char *unit;
	unsigned long kb;

	*end = text;
	if (!isdigit((unsigned char)*text))
		return 0;
	errno = 0;
	kb = strtoul(text, &unit, 10);
	if (errno)
		return 0;
	switch (toupper((unsigned char)*unit)) {
	case 'G':
		kb = kb > ULONG_MAX >> 20 ? 0 : kb << 20;
		unit++;
		break;
	case 'M':
		kb = kb > ULONG_MAX >> 10 ? 0 : kb << 10;
		unit++;
		break;
	case 'K':
		unit++;
		break;
	default:
		/* Bytes */
		kb = kb % 1024 ? 0 : kb / 1024;
	}
	*end = unit;
	return kb;
}

/**
 * parse_number() - read the value of an option, or end the program
 * @text:	what to read
 * @least:	the smallest number that it may be
 * @most:	the largest one
 * @what:	what it should be, for the message
 */
double parse_number(const char *text, double least, double most, const char *what)
{
	char *end;
	double number = strtod(text, &end);

	/* Written so that what is no number fails. */
	if (end == text || *end || !(number >= least && number <= most))
		die("\"%s\" is not %s", text, what);
	return number;
}
