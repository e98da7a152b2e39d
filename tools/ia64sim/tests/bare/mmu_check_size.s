/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A machine check.
 *
 * Rule tlb (SDM 2:57): a purge of an unsupported size: machine check
 *
 * Status: 3
 */
	.include "bare.inc"
	.include "mmu.inc"
	START
	IDENTITY
	ITC_D R1, FINE, 14
	PTC_L R1, 15
	PASS
