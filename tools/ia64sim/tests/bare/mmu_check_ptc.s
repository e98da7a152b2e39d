/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A machine check.
 *
 * Rule tlb (SDM 2:52): ptc.l over a TR: machine check (table 4-1)
 *
 * Status: 3
 */
	.include "bare.inc"
	.include "mmu.inc"
	START
	IDENTITY
	ITR_I 1, R1 | 0x10000, FINE, 16
	PTC_L R1 | 0x14000, 14
	PASS
