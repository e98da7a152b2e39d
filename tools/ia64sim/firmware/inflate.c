// SPDX-License-Identifier: GPL-2.0
/*
 * Decompression of gzip files, RFC 1951 and 1952.  Nothing in the input is
 * trusted: every read and write is within bounds, or decoding stops.
 */
#include <stdlib.h>
#include <string.h>

#include "firmware/inflate.h"

enum { MAX_BITS = 15, LITERALS = 288, DISTANCES = 32, LENGTH_CODES = 19 };

/**
 * struct code - a canonical Huffman code
 * @count: codes of each length
 * @symbol: symbols ordered by code
 */
struct code {
	u16 count[MAX_BITS + 1];
	u16 symbol[LITERALS];
};

struct stream {
	const u8 *in;
	size_t n, at;
	u32 bits;		/* taken from the input and not used yet */
	unsigned int n_bits;
	u8 *out;
	size_t used, room, limit;
	size_t member;		/* where this member's output begins */
	const char *error;
};

u32 crc32(u32 crc, const void *data, size_t n)
{
	static u32 table[256];
	const u8 *p = data;

	if (!table[1]) {
		for (u32 i = 0; i < 256; i++) {
			u32 c = i;

			for (int k = 0; k < 8; k++)
				c = c & 1 ? c >> 1 ^ 0xedb88320 : c >> 1;
			table[i] = c;
		}
	}
	crc = ~crc;
	while (n--)
		crc = table[(crc ^ *p++) & 0xff] ^ crc >> 8;
	return ~crc;
}

static void fail(struct stream *s, const char *error)
{
	if (!s->error)
		s->error = error;
}

/* n bits, at most 16, the first of them lowest. */
static u32 get_bits(struct stream *s, unsigned int n)
{
	u32 value;

	while (s->n_bits < n) {
		if (s->at == s->n) {
			fail(s, "truncated");
			return 0;
		}
		s->bits |= (u32)s->in[s->at++] << s->n_bits;
		s->n_bits += 8;
	}
	value = s->bits & ((1U << n) - 1);
	s->bits >>= n;
	s->n_bits -= n;
	return value;
}

static void put_byte(struct stream *s, u8 byte)
{
	if (s->used == s->room) {
		size_t room = s->room ? s->room * 2 : 1 << 16;
		u8 *out;

		if (room > s->limit)
			room = s->limit;
		if (s->used == room) {
			fail(s, "too large");
			return;
		}
		out = realloc(s->out, room);
		if (!out) {
			fail(s, "out of memory");
			return;
		}
		s->out = out;
		s->room = room;
	}
	s->out[s->used++] = byte;
}

/* Make the code from its symbols' lengths (0: unused).  False when there are
 * more codes than fit; a code with room left over is accepted when it has one
 * symbol only, as the RFC allows for distances.
 */
static bool make_code(struct code *c, const u8 *length, unsigned int n)
{
	u16 offset[MAX_BITS + 1];
	unsigned int symbols = 0;
	int left = 1;

	memset(c->count, 0, sizeof(c->count));
	for (unsigned int i = 0; i < n; i++)
		c->count[length[i]]++;
	symbols = n - c->count[0];
	c->count[0] = 0;
	for (int bits = 1; bits <= MAX_BITS; bits++) {
		left = (left << 1) - c->count[bits];
		if (left < 0)
			return false;
	}
	if (left && symbols > 1)
		return false;
	offset[1] = 0;
	for (int bits = 1; bits < MAX_BITS; bits++)
		offset[bits + 1] = offset[bits] + c->count[bits];
	for (unsigned int i = 0; i < n; i++)
		if (length[i])
			c->symbol[offset[length[i]]++] = i;
	return true;
}

/* Codes of one length are consecutive numbers: count through the lengths. */
static int get_symbol(struct stream *s, const struct code *c)
{
	int code = 0, first = 0, index = 0;

	for (int bits = 1; bits <= MAX_BITS; bits++) {
		code |= get_bits(s, 1);
		if (s->error)
			return -1;
		if (code - first < c->count[bits])
			return c->symbol[index + code - first];
		index += c->count[bits];
		first = (first + c->count[bits]) << 1;
		code <<= 1;
	}
	fail(s, "invalid code");
	return -1;
}

static void stored_block(struct stream *s)
{
	u32 length, complement;

	s->bits = s->n_bits = 0;	/* up to the next byte */
	length = get_bits(s, 16);
	complement = get_bits(s, 16);
	if (length != (complement ^ 0xffff))
		fail(s, "invalid stored block");
	while (length-- && !s->error)
		put_byte(s, get_bits(s, 8));
}

static void copy(struct stream *s, unsigned int distance, unsigned int length)
{
	if (distance > s->used - s->member) {
		fail(s, "invalid distance");
		return;
	}
	/* May overlap: byte by byte is the meaning. */
	while (length-- && !s->error)
		put_byte(s, s->out[s->used - distance]);
}

static void compressed_block(struct stream *s, const struct code *literals,
			     const struct code *distances)
{
	static const u16 length_base[29] = {
		3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67,
		83, 99, 115, 131, 163, 195, 227, 258,
	};
	static const u8 length_extra[29] = {
		0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5,
		5, 5, 0,
	};
	static const u16 distance_base[30] = {
		1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769,
		1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577,
	};
	static const u8 distance_extra[30] = {
		0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11,
		11, 12, 12, 13, 13,
	};

	while (!s->error) {
		int symbol = get_symbol(s, literals);
		unsigned int length;

		if (symbol < 0 || symbol == 256)
			return;
		if (symbol < 256) {
			put_byte(s, symbol);
			continue;
		}
		if (symbol > 285) {
			fail(s, "invalid length");
			return;
		}
		length = length_base[symbol - 257] + get_bits(s, length_extra[symbol - 257]);
		symbol = get_symbol(s, distances);
		if (symbol < 0)
			return;
		if (symbol > 29) {
			fail(s, "invalid distance");
			return;
		}
		copy(s, distance_base[symbol] + get_bits(s, distance_extra[symbol]), length);
	}
}

static void fixed_block(struct stream *s)
{
	struct code literals, distances;
	u8 length[LITERALS];

	memset(length, 8, 144);
	memset(length + 144, 9, 112);
	memset(length + 256, 7, 24);
	memset(length + 280, 8, 8);
	make_code(&literals, length, LITERALS);
	memset(length, 5, DISTANCES);
	make_code(&distances, length, DISTANCES);
	compressed_block(s, &literals, &distances);
}

static void dynamic_block(struct stream *s)
{
	static const u8 order[LENGTH_CODES] = {
		16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
	};
	unsigned int n_literals = get_bits(s, 5) + 257, n_distances = get_bits(s, 5) + 1;
	unsigned int n_lengths = get_bits(s, 4) + 4, n = 0;
	struct code lengths, literals, distances;
	u8 length[LITERALS + DISTANCES] = { 0 };

	for (unsigned int i = 0; i < n_lengths; i++)
		length[order[i]] = get_bits(s, 3);
	if (s->error || n_literals > 286 || n_distances > 30 ||
	    !make_code(&lengths, length, LENGTH_CODES)) {
		fail(s, "invalid code");
		return;
	}
	memset(length, 0, sizeof(length));
	while (n < n_literals + n_distances) {
		int symbol = get_symbol(s, &lengths);
		unsigned int repeat = 1;
		u8 value = 0;

		if (symbol < 0)
			return;
		if (symbol < 16) {
			value = symbol;
		} else if (symbol == 16) {
			if (!n) {
				fail(s, "invalid code");
				return;
			}
			value = length[n - 1];
			repeat = 3 + get_bits(s, 2);
		} else {
			repeat = symbol == 17 ? 3 + get_bits(s, 3) : 11 + get_bits(s, 7);
		}
		if (repeat > n_literals + n_distances - n) {
			fail(s, "invalid code");
			return;
		}
		while (repeat--)
			length[n++] = value;
	}
	/* Without an end of block the block would never end. */
	if (!length[256] || !make_code(&literals, length, n_literals) ||
	    !make_code(&distances, length + n_literals, n_distances)) {
		fail(s, "invalid code");
		return;
	}
	compressed_block(s, &literals, &distances);
}

static void inflate(struct stream *s)
{
	bool is_last;

	do {
		is_last = get_bits(s, 1);
		switch (get_bits(s, 2)) {
		case 0:
			stored_block(s);
			break;
		case 1:
			fixed_block(s);
			break;
		case 2:
			dynamic_block(s);
			break;
		default:
			fail(s, "invalid block");
			break;
		}
	} while (!is_last && !s->error);
}

static void skip_string(struct stream *s)
{
	while (!s->error && get_bits(s, 8))
		;
}

static void gzip_header(struct stream *s)
{
	enum { HCRC = 2, EXTRA = 4, NAME = 8, COMMENT = 16, RESERVED = 0xe0 };
	u32 flags, extra;

	if (get_bits(s, 16) != 0x8b1f || get_bits(s, 8) != 8)
		fail(s, "not gzip");
	flags = get_bits(s, 8);
	if (flags & RESERVED)
		fail(s, "unknown gzip flags");
	for (int i = 0; i < 6; i++)
		get_bits(s, 8);		/* time, hints, system */
	if (flags & EXTRA)
		for (extra = get_bits(s, 16); extra && !s->error; extra--)
			get_bits(s, 8);
	if (flags & NAME)
		skip_string(s);
	if (flags & COMMENT)
		skip_string(s);
	if (flags & HCRC)
		get_bits(s, 16);
}

static void gzip_trailer(struct stream *s)
{
	size_t length = s->used - s->member;
	u32 crc, size;

	s->bits = s->n_bits = 0;
	crc = get_bits(s, 16);
	crc |= get_bits(s, 16) << 16;
	size = get_bits(s, 16);
	size |= get_bits(s, 16) << 16;
	/* Of an empty member there may be no memory at all. */
	if (size != (u32)length || crc != (length ? crc32(0, s->out + s->member, length) : 0))
		fail(s, "checksum does not match");
}

bool is_gzip(const u8 *data, size_t n)
{
	return n >= 2 && data[0] == 0x1f && data[1] == 0x8b;
}

const char *gunzip(const u8 *data, size_t n, size_t limit, u8 **out, size_t *out_size)
{
	struct stream s = { .in = data, .n = n, .limit = limit };

	do {
		s.member = s.used;
		gzip_header(&s);
		if (!s.error)
			inflate(&s);
		if (!s.error)
			gzip_trailer(&s);
		/* What follows and is not another member is padding. */
	} while (!s.error && is_gzip(data + s.at, n - s.at));

	if (!s.error && !s.out)
		fail(&s, "empty");
	if (s.error) {
		free(s.out);
		return s.error;
	}
	*out = s.out;
	*out_size = s.used;
	return NULL;
}
