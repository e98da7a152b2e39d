/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Decompression of gzip files: RFC 1951 and 1952.
 */
#ifndef INFLATE_H
#define INFLATE_H

#include "isa/ia64.h"

/** crc32() - CRC of gzip and EFI; begin with crc 0 */
u32 crc32(u32 crc, const void *data, size_t n);

bool is_gzip(const u8 *data, size_t n);

/**
 * gunzip() - decompress a gzip file of one or more members
 * @data: the file
 * @n: its size
 * @limit: the result may not be larger
 * @out: the result, to be freed
 * @out_size: its size
 *
 * Return: NULL, or what is wrong with the file
 */
const char *gunzip(const u8 *data, size_t n, size_t limit, u8 **out, size_t *out_size);

#endif
