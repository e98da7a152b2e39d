/* SPDX-License-Identifier: GPL-2.0 */
/* The interruption vector table of vhpt=long. */

#define IVT_LONG
#define ia64_ivt ia64_ivt_long

#include "ivt_copy.h"
#include "ivt.S"
