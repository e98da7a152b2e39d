/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A machine check.
 *
 * Rule tlb (SDM 2:52): itr over another TR: machine check (table 4-1)
 *
 * Status: 3
 */
	.include "bare.inc"
	.include "mmu.inc"
	START
	IDENTITY
	ITR_D 1, R1 | 0x10000, FINE, 16
	ITR_D 2, R1 | 0x1c000, FINE, 14
	PASS
