// SPDX-License-Identifier: GPL-2.0
/*
 * Physical memory, for the walker, references, firmware and devices.
 */
#include "mmu/alat.h"
#include "mmu/code.h"
#include "mmu/phys.h"

/*
 * Devices, and physical addresses where nothing is.
 */
static const struct device *find_device(const struct machine *m, u64 pa)
{
	for (unsigned int i = 0; i < m->n_devices; i++) {
		const struct device *d = &m->device[i];

		if (pa - d->base < d->size)
			return d;
	}
	return NULL;
}

u64 device_read(struct machine *m, u64 pa, unsigned int size)
{
	const struct device *d = find_device(m, pa);

	return d ? d->read(m, d->state, pa - d->base, size) : MASK(size * 8);
}

void device_write(struct machine *m, u64 pa, unsigned int size, u64 value)
{
	const struct device *d = find_device(m, pa);

	if (d)
		d->write(m, d->state, pa - d->base, size, value);
}

u64 phys_read(struct machine *m, u64 pa, unsigned int size)
{
	const u8 *ram = phys_ram(m, pa, size);

	return ram ? read_le(ram, size) : device_read(m, pa & MASK(63), size);
}

void phys_write(struct machine *m, u64 pa, unsigned int size, u64 value)
{
	u8 *ram = phys_ram(m, pa, size);

	if (ram) {
		write_le(ram, size, value);
		phys_written(m, pa, size);
	} else {
		device_write(m, pa & MASK(63), size, value);
	}
}

void ram_written(struct machine *m, const u8 *ram, u64 len)
{
	code_written(m, ram, len);
	alat_store(m, ram_address(m, ram), len);
}

void phys_written(struct machine *m, u64 pa, u64 len)
{
	const u8 *ram = phys_ram(m, pa, len);

	if (ram && len)
		ram_written(m, ram, len);
}
