// SPDX-License-Identifier: GPL-2.0
/*
 * Decompression against the gzip program, and of files that are broken.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "firmware/inflate.h"
#include "check.h"

enum { MAX_DATA = 1 << 20 };

static u8 data[MAX_DATA], packed[2 * MAX_DATA];
static u64 state = 88172645463325252ULL;

static u64 draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* What compresses well, badly, not at all, and by long and far matches. */
static void make_data(unsigned int kind, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		switch (kind) {
		case 0:
			data[i] = 0;
			break;
		case 1:
			data[i] = draw();
			break;
		case 2:
			data[i] = "etaoin shrdlu\n"[draw() % 14];
			break;
		case 3:
			data[i] = i >= 32768 && draw() % 64 ? data[i - 32768] : draw() % 7;
			break;
		default:
			data[i] = i % 251 ^ (draw() % 100 == 0);
			break;
		}
	}
}

static size_t compress(size_t n, int level)
{
	char name[] = "/tmp/inflate.XXXXXX", command[64];
	int fd = mkstemp(name);
	size_t size = 0;
	FILE *f;

	if (fd < 0 || write(fd, data, n) != (ssize_t)n)
		abort();
	close(fd);
	snprintf(command, sizeof(command), "gzip -%d < %s", level, name);
	f = popen(command, "r");
	if (f) {
		size = fread(packed, 1, sizeof(packed), f);
		pclose(f);
	}
	unlink(name);
	return size;
}

static void like_gzip(void)
{
	static const size_t sizes[] = { 0, 1, 2, 257, 258, 259, 32767, 32768, 65536, MAX_DATA };
	static const int levels[] = { 1, 6, 9 };

	for (unsigned int kind = 0; kind < 5; kind++) {
		for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
			for (unsigned int l = 0; l < 3; l++) {
				const char *error;
				size_t n, size;
				u8 *out;

				make_data(kind, sizes[i]);
				n = compress(sizes[i], levels[l]);
				error = gunzip(packed, n, MAX_DATA, &out, &size);
				/* nothing at all is an error: there is nothing to load */
				if (!sizes[i]) {
					check(error && !strcmp(error, "empty"));
					continue;
				}
				check(!error && size == sizes[i] && !memcmp(out, data, size));
				if (!error)
					free(out);
			}
		}
	}
}

static const char *expand(size_t n, size_t limit)
{
	size_t size;
	u8 *out;
	const char *error = gunzip(packed, n, limit, &out, &size);

	if (!error)
		free(out);
	return error;
}

static void broken(void)
{
	size_t n;

	make_data(2, 3000);
	n = compress(3000, 9);
	check(!expand(n, 3000));
	check(!strcmp(expand(n, 2999), "too large"));
	for (size_t i = 0; i < n; i++)
		check(expand(i, MAX_DATA) != NULL);

	/* One bit wrong anywhere is noticed, but for FTEXT, time, hints and
	 * system in the header, and the bits between the last code and the
	 * checksum.
	 */
	for (size_t i = 0; i < n; i++) {
		for (unsigned int bit = 0; bit < 8; bit++) {
			bool is_free = (i == 3 && bit == 0) || (i >= 4 && i < 10);

			packed[i] ^= 1 << bit;
			if (i != n - 9)
				check(!expand(n, MAX_DATA) == is_free);
			packed[i] ^= 1 << bit;
		}
	}
}

/* Members one after the other are one file; zeros behind it are padding. */
static void members(void)
{
	size_t n, size;
	u8 *out;

	make_data(4, 1000);
	n = compress(1000, 6);
	memcpy(packed + n, packed, n);
	memset(packed + 2 * n, 0, 512);
	check(!gunzip(packed, 2 * n + 512, MAX_DATA, &out, &size));
	check(size == 2000 && !memcmp(out, data, 1000) && !memcmp(out + 1000, data, 1000));
	free(out);
}

static void crc(void)
{
	check_equal(crc32(0, "", 0), 0);
	check_equal(crc32(0, "123456789", 9), 0xcbf43926);
	check_equal(crc32(crc32(0, "1234", 4), "56789", 5), 0xcbf43926);
}

int main(void)
{
	like_gzip();
	broken();
	members();
	crc();
	return check_result();
}
