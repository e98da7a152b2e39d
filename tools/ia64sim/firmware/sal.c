// SPDX-License-Identifier: GPL-2.0
/*
 * SAL, the system abstraction layer: its system table and its procedures (SAL
 * specification 3.2).  There are no PCI buses and no error records.
 */
#include "firmware/firmware.h"
#include "watch/trace.h"

enum {
	SAL_SET_VECTORS = 0x01000000, SAL_GET_STATE_INFO = 0x01000001,
	SAL_GET_STATE_INFO_SIZE = 0x01000002, SAL_CLEAR_STATE_INFO = 0x01000003,
	SAL_MC_RENDEZ = 0x01000004, SAL_MC_SET_PARAMS = 0x01000005,
	SAL_REGISTER_PHYSICAL_ADDR = 0x01000006, SAL_CACHE_FLUSH = 0x01000008,
	SAL_CACHE_INIT = 0x01000009, SAL_PCI_CONFIG_READ = 0x01000010,
	SAL_PCI_CONFIG_WRITE = 0x01000011, SAL_FREQ_BASE = 0x01000012,
};

enum { GOOD = 0, UNIMPLEMENTED = -1, INVALID = -2, ERROR = -3, NO_INFORMATION = -5 };

enum { VECTOR_OS_MCA = 0, VECTOR_OS_INIT = 1, VECTOR_BOOT_RENDEZVOUS = 2 };

static struct result fail(s64 status)
{
	return (struct result){ .status = status };
}

static struct result set_vectors(struct machine *m, u64 type, u64 entry, u64 gp)
{
	switch (type) {
	case VECTOR_OS_MCA:
	case VECTOR_OS_INIT:
		/* A machine check ends the run, and INITs are not passed on. */
		return fail(GOOD);
	case VECTOR_BOOT_RENDEZVOUS:
		m->firmware->rendezvous = entry;
		m->firmware->rendezvous_gp = gp;
		return fail(GOOD);
	default:
		return fail(INVALID);
	}
}

static struct result freq_base(u64 clock)
{
	switch (clock) {
	case 0:		/* the bus, whose drift is not known */
		return (struct result){ .v = { BUS_HZ, -1ULL } };
	default:	/* the interval timer and clock of the platform: none */
		return fail(UNIMPLEMENTED);
	}
}

struct result sal_call(struct cpu *cpu)
{
	u64 index = stacked_argument(cpu, 0);
	struct result r;

	switch (index) {
	case SAL_SET_VECTORS:
		r = set_vectors(cpu->machine, stacked_argument(cpu, 1), stacked_argument(cpu, 2),
				stacked_argument(cpu, 3));
		break;
	case SAL_GET_STATE_INFO:
		r = fail(NO_INFORMATION);
		break;
	case SAL_GET_STATE_INFO_SIZE:
		/* room for the header of a record */
		r = (struct result){ .v = { 0x400 } };
		break;
	case SAL_CLEAR_STATE_INFO:
	case SAL_MC_RENDEZ:
	case SAL_MC_SET_PARAMS:
	case SAL_REGISTER_PHYSICAL_ADDR:
	case SAL_CACHE_FLUSH:
	case SAL_CACHE_INIT:
		r = fail(GOOD);
		break;
	case SAL_PCI_CONFIG_READ:
		r = (struct result){ .status = ERROR, .v = { ~0ULL } };
		break;
	case SAL_PCI_CONFIG_WRITE:
		r = fail(ERROR);
		break;
	case SAL_FREQ_BASE:
		r = freq_base(stacked_argument(cpu, 1));
		break;
	default:
		r = fail(UNIMPLEMENTED);
		break;
	}
	if (tracing(cpu->machine, TRACE_FIRMWARE))
		trace_line(cpu, "SAL %#llx (%#llx, %#llx, %#llx) = %lld: %#llx %#llx",
			   (unsigned long long)index,
			   (unsigned long long)stacked_argument(cpu, 1),
			   (unsigned long long)stacked_argument(cpu, 2),
			   (unsigned long long)stacked_argument(cpu, 3), (long long)r.status,
			   (unsigned long long)r.v[0], (unsigned long long)r.v[1]);
	return r;
}

/* Entries of the system table, by type. */
enum { ENTRY_POINT = 0, PLATFORM_FEATURES = 2, PTC_DOMAIN = 4, AP_WAKEUP = 5 };
enum { FEATURE_BUS_LOCK = 1 };

/* All processors are in one purge domain: their number, and a list of LIDs. */
static u64 build_domain(struct machine *m, struct area *a)
{
	u64 list, info;

	put_align(a, 8);
	list = area_here(a);
	for (unsigned int i = 0; i < m->n_cpus; i++)
		put(a, i, 8);		/* id in bits 7:0, eid in 15:8 */
	info = area_here(a);
	put(a, m->n_cpus, 8);
	put(a, list, 8);
	return info;
}

void sal_build(struct machine *m, struct area *a)
{
	u64 domain = build_domain(m, a);
	size_t begin, size;
	u8 *table;

	put_align(a, 16);
	begin = a->used;
	table = a->host + begin;
	m->firmware->sal_table = area_here(a);

	put_text(a, "SST_", 4, 0);
	put(a, 0, 4);			/* size, later */
	put(a, 0x20, 1);		/* revision 3.20 */
	put(a, 0x03, 1);
	put(a, 4, 2);			/* entries */
	put(a, 0, 1);			/* checksum, later */
	put(a, 0, 7);
	put(a, 0x0100, 2);		/* SAL_A and SAL_B version 1.0 */
	put(a, 0x0100, 2);
	put_text(a, "ia64sim", 32, 0);
	put_text(a, "Madison", 32, 0);
	put(a, 0, 8);

	put(a, ENTRY_POINT, 8);
	put(a, firmware_address(FW_PAL), 8);
	put(a, firmware_address(FW_SAL), 8);
	put(a, FW_DATA, 8);		/* gp */
	put(a, 0, 8);
	put(a, 0, 8);

	put(a, PLATFORM_FEATURES, 1);
	put(a, FEATURE_BUS_LOCK, 1);
	put(a, 0, 6);
	put(a, 0, 8);

	put(a, PTC_DOMAIN, 4);
	put(a, 1, 4);
	put(a, domain, 8);

	put(a, AP_WAKEUP, 1);
	put(a, 0, 1);			/* mechanism: external interrupt */
	put(a, 0, 6);
	put(a, AP_WAKE_VECTOR, 8);

	size = a->used - begin;
	table[4] = size;
	table[5] = size >> 8;
	table[12] = checksum(table, size);
}
