/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The register stack and its engine, SDM volume 2 chapter 6.
 */
#ifndef RSE_H
#define RSE_H

#include "state/cpu.h"

/* alloc: raises illegal operation for impossible frames, and the RSE's own
 * faults for spills that it must do first.
 */
void rse_alloc(struct cpu *cpu, unsigned int sof, unsigned int sol, unsigned int sor);
void rse_call(struct cpu *cpu);			/* br.call: saves CFM in PFS */
void rse_return(struct cpu *cpu, u64 pfm);	/* br.ret; the run loop fills */
void rse_cover(struct cpu *cpu);
void rse_flush(struct cpu *cpu);		/* flushrs */
void rse_loadrs(struct cpu *cpu);
void rse_set_bspstore(struct cpu *cpu, u64 value);
u64 rse_bsp(const struct cpu *cpu);
u64 rse_bspstore(const struct cpu *cpu);
u64 rse_rnat(const struct cpu *cpu);
void rse_set_rnat(struct cpu *cpu, u64 value);
void rse_rfi(struct cpu *cpu, u64 ifs);		/* IFS, with or without v */

/* The mandatory loads of an incomplete frame (br.ret and rfi begin them by
 * setting rse_cfle); raises what they raise.
 */
void rse_complete_frame(struct cpu *cpu);

/* All predicates at once, as if rrb.pr were 0 (mov pr, SDM 3:186). */
u64 predicates_unrotated(const struct cpu *cpu);
void set_predicates_unrotated(struct cpu *cpu, u64 value);

/* CFM as AR.PFS and CR.IFS hold it. */
u64 frame_pack(const struct frame *f);
struct frame frame_unpack(u64 cfm);
/* The frame or its rotation changed: grmap and frmap follow. */
void frame_changed(struct cpu *cpu);
/* One rotation (br.ctop, br.wtop ...): registers, predicates. */
void frame_rotate(struct cpu *cpu);
void frame_clear_rrb(struct cpu *cpu, bool pred_only);

#endif
