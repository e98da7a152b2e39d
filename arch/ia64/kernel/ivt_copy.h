/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One more interruption vector table, made of the same source: what is global in
 * the first one is local in this one.
 */

#define IVT_COPY

#include <asm/asmmacro.h>

#undef GLOBAL_ENTRY
#define GLOBAL_ENTRY(name)	ENTRY(name)
