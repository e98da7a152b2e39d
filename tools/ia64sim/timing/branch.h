/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prediction of branches.
 */
#ifndef TIMING_BRANCH_H
#define TIMING_BRANCH_H

#include "timing/timing.h"

/**
 * branch_done() - an instruction of a B slot has executed, or its predicate was false
 * @ip: of its bundle
 * @taken: it was a branch, and taken
 *
 * The cycle gets longer if that was not predicted, or what is predicted comes late.
 */
void branch_done(struct cpu *cpu, struct timing *t, const struct insn *i, u64 ip, bool taken);

/** branch_recover() - a check has failed, and branches to where the program mends that */
void branch_recover(struct cpu *cpu, struct timing *t);

#endif
