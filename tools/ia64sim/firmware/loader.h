/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Putting images into RAM; apart from the files that they come in, so that they
 * can be tested with any bytes.
 */
#ifndef LOADER_H
#define LOADER_H

#include "state/machine.h"

/**
 * load_image() - an ELF file, plain or gzip-compressed, into RAM
 * @m: the machine; boot.entry is set
 * @data: the file's contents, whatever they are
 * @n: their size
 * @end: where the image ends in RAM
 *
 * Return: NULL, or what is wrong
 */
const char *load_image(struct machine *m, const u8 *data, size_t n, u64 *end);

/**
 * place_initrd() - room for an initrd as high in low memory as possible
 * @kernel_end: it must be above that
 *
 * Return: false when there is not enough
 */
bool place_initrd(struct machine *m, u64 size, u64 kernel_end);

/* Kernel or bare image, and initrd, into RAM; fills m->boot.  Returns false
 * after one line on stderr.
 */
bool load_kernel(struct machine *m);

#endif
