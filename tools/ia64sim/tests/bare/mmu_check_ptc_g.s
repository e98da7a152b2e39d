/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A machine check.
 *
 * Rule tlb (SDM 2:52): ptc.ga over a TR of its own processor: machine check (table 4-1)
 *
 * Status: 3
 */
	.include "bare.inc"
	.include "mmu.inc"
	START
	IDENTITY
	ITR_D 1, R1 | 0x10000, FINE, 16
	PURGE ptc.ga, R1 | 0x10000, 18
	PASS
