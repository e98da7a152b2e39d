/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Physical memory: RAM, and the devices behind it.
 */
#ifndef PHYS_H
#define PHYS_H

#include <endian.h>
#include <string.h>

#include "state/machine.h"

static inline u64 read_le(const void *p, unsigned int size)
{
	u64 value = 0;

	memcpy(&value, p, size);
	return le64toh(value);
}

static inline void write_le(void *p, unsigned int size, u64 value)
{
	value = htole64(value);
	memcpy(p, &value, size);
}

/* Physical memory, for the walker, firmware and devices; little-endian. */
u64 phys_read(struct machine *m, u64 pa, unsigned int size);
void phys_write(struct machine *m, u64 pa, unsigned int size, u64 value);
/* Host address of RAM at pa with len bytes behind it, or NULL. */
static inline void *phys_ram(struct machine *m, u64 pa, u64 len)
{
	return ram_at(m, pa & MASK(63), len);
}

/* What answers where no RAM is; nothing reads as ones. */
u64 device_read(struct machine *m, u64 pa, unsigned int size);
void device_write(struct machine *m, u64 pa, unsigned int size, u64 value);
/* RAM was written by other means than store(): drop decoded bundles there,
 * and ALAT entries of every processor.
 */
void phys_written(struct machine *m, u64 pa, u64 len);
/* The same for RAM that the host address is known of. */
void ram_written(struct machine *m, const u8 *ram, u64 len);

#endif
