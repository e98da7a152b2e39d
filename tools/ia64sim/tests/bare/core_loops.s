/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counted and while loops, in each of their cases.
 *
 * Rule other (SDM 1:75): br.cloop counts LC down and is taken unless it was 0
 * Rule other (SDM 1:76): br.ctop and cexit: LC, EC, rotation, p63, and whether they are taken
 * Rule other (SDM 1:77): br.wtop and wexit: their predicate, EC, rotation, p63, and whether
 *   they are taken
 */
	.include "bare.inc"
	START

	/* Run one, then check: taken, LC, EC, and p16; rotated says whether p17
	 * is what p16 was (1).  p8 is the qualifying predicate of the while loops.
	 */
	.macro LOOP branch:req, lc:req, ec:req, taken:req, lc1:req, ec1:req, p16:req, rotated:req
	clrrrb
	;;
	mov pr.rot = 1 << 16			/* p16 = 1 */
	mov r8 = \lc
	mov r9 = \ec
	mov r10 = 1
	;;
	mov.i ar.lc = r8
	;;
	mov.i ar.ec = r9
	;;
	\branch 8881f
	;;
	mov r10 = 0
	;;
8881:
	CHECK_VALUE r10, \taken
	mov.i r8 = ar.lc
	;;
	CHECK_VALUE r8, \lc1
	mov.i r8 = ar.ec
	;;
	CHECK_VALUE r8, \ec1
	mov r8 = 0
	;;
(p16)	mov r8 = 1
	;;
	CHECK_VALUE r8, \p16
	mov r8 = 0
	;;
(p17)	mov r8 = 1
	;;
	CHECK_VALUE r8, \rotated
	.endm

	/* p16 of an unrotated row is the 1 that was there */
	.macro P63 value
	mov r8 = 0
	;;
(p63)	mov r8 = 1
	;;
	CHECK_VALUE r8, \value
	.endm

	LOOP br.ctop.sptk.few, 3, 2, 1, 2, 2, 1, 1
	LOOP br.ctop.sptk.few, 1, 0, 1, 0, 0, 1, 1
	LOOP br.ctop.sptk.few, 0, 2, 1, 0, 1, 0, 1
	LOOP br.ctop.sptk.few, 0, 1, 0, 0, 0, 0, 1
	LOOP br.ctop.sptk.few, 0, 0, 0, 0, 0, 1, 0
	P63 0
	LOOP br.cexit.sptk.few, 3, 2, 0, 2, 2, 1, 1
	LOOP br.cexit.sptk.few, 0, 2, 0, 0, 1, 0, 1
	LOOP br.cexit.sptk.few, 0, 1, 1, 0, 0, 0, 1
	LOOP br.cexit.sptk.few, 0, 0, 1, 0, 0, 1, 0

	cmp.eq p8, p9 = r0, r0
	;;
	LOOP "(p8) br.wtop.sptk.few", 5, 2, 1, 5, 2, 0, 1
	LOOP "(p8) br.wtop.sptk.few", 5, 0, 1, 5, 0, 0, 1
	LOOP "(p9) br.wtop.sptk.few", 5, 2, 1, 5, 1, 0, 1
	LOOP "(p9) br.wtop.sptk.few", 5, 1, 0, 5, 0, 0, 1
	LOOP "(p9) br.wtop.sptk.few", 5, 0, 0, 5, 0, 1, 0
	P63 0
	LOOP "(p8) br.wexit.sptk.few", 5, 2, 0, 5, 2, 0, 1
	LOOP "(p9) br.wexit.sptk.few", 5, 2, 0, 5, 1, 0, 1
	LOOP "(p9) br.wexit.sptk.few", 5, 1, 1, 5, 0, 0, 1
	LOOP "(p9) br.wexit.sptk.few", 5, 0, 1, 5, 0, 1, 0

	/* cloop: neither EC nor rotation */
	LOOP br.cloop.sptk.few, 2, 3, 1, 1, 3, 1, 0
	LOOP br.cloop.sptk.few, 0, 3, 0, 0, 3, 1, 0
	PASS
