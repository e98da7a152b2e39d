/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For one more interruption vector table from the same source: symbols that are global in
 * the first table are local in this one.
 */

#define IVT_COPY

#include <asm/asmmacro.h>

#undef GLOBAL_ENTRY
#define GLOBAL_ENTRY(name)	ENTRY(name)
