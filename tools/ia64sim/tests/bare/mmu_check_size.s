/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A machine check, a purge of an unsupported size: SDM 2:57, 3:233.
 * Status: 3
 */
	.include "bare.inc"
	.include "mmu.inc"
	START
	IDENTITY
	ITC_D R1, FINE, 14
	PTC_L R1, 15
	PASS
