/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A machine check, ptc.l over a TR: SDM 2:52 table 4-1.
 * Status: 3
 */
	.include "bare.inc"
	.include "mmu.inc"
	START
	IDENTITY
	ITR_I 1, R1 | 0x10000, FINE, 16
	PTC_L R1 | 0x14000, 14
	PASS
