/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Frames that are set aside, as the kernel shows them: how many there are and, with
 * CONFIG_SUPERPAGE_DEBUG, whether the kernel's accounts of them are right.
 */
#ifndef SUPERPAGE_RESERVE_H
#define SUPERPAGE_RESERVE_H

#include "superpage.h"

static bool have_debug;			/* the kernel lets tests take frames away */

static inline const char *debug_file(const char *name)
{
	static __thread char path[80];

	snprintf(path, sizeof(path), SP_DEBUG "%s", name);
	return path;
}

/* Expect that the kernel's accounts are right.  They are "busy" while a page fault claims. */
static inline void check_books(const char *when)
{
	char buf[4096] = "";
	int patience;

	if (!have_debug)
		return;
	for (patience = 100; patience; patience--) {
		sp_need(sp_slurp(debug_file("check"), buf, sizeof(buf)), "cannot read check");
		if (!strcmp(buf, "ok\n"))
			return;
		usleep(10000);
	}
	sp_expect(false, "%s: %s", when, buf);
}

static inline long reserved_kb(void)
{
	sp_write("/proc/sys/vm/stat_refresh", "1");
	return sp_meminfo_kb(SP_RESERVED);
}

static inline long event_count(const char *field)
{
	static char buf[1 << 16];
	char name[64], *at;

	sp_write("/proc/sys/vm/stat_refresh", "1");
	sp_slurp("/proc/vmstat", buf, sizeof(buf));
	snprintf(name, sizeof(name), "\n%s ", field);
	at = strstr(buf, name);
	return at ? strtol(at + strlen(name), NULL, 10) : 0;
}

/* Expect that this test has given all frames back, so that no more than @kb are set aside. */
static inline void expect_reserved(long kb, const char *when)
{
	int patience;

	for (patience = 50; patience && reserved_kb() > kb; patience--)
		usleep(10000);
	sp_expect(reserved_kb() <= kb, "%s: %ld kB are set aside, there were %ld kB", when,
		  reserved_kb(), kb);
	check_books(when);
}

static inline void find_debug(void)
{
	mount("none", "/sys/kernel/debug", "debugfs", 0, NULL);
	have_debug = !access(debug_file("break"), W_OK);
}

static inline char *map_at(void *at, size_t len)
{
	return mmap(at, len, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0), -1, 0);
}

/*
 * Map memory that is merged with no other mapping.  In a child, a mapping that is merged with
 * an inherited one gets smaller reservations.
 */
static inline char *map_apart(size_t len)
{
	char *p = sp_map_prot(3 * len, len, PROT_NONE, MAP_NORESERVE) + len;

	sp_need(map_at(p, len) == p, "mmap");
	return p;
}

static inline void unmap_apart(char *p, size_t len)
{
	munmap(p - len, 3 * len);
}

#endif /* SUPERPAGE_RESERVE_H */
