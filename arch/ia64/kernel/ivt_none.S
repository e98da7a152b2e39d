/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The interruption vector table of vhpt=none: with the walker off, all misses of
 * the TLB go to the Alternate handlers.
 */

#define IVT_NONE
#define ia64_ivt ia64_ivt_none

#include "ivt_copy.h"
#include "ivt.S"
