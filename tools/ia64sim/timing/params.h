/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parameters of -timing madison: madison.def as a structure.
 */
#ifndef TIMING_PARAMS_H
#define TIMING_PARAMS_H

#include "isa/ia64.h"

/** struct timing_params - a field for each line of madison.def */
struct timing_params {
#define PARAMETER(name, ...)	u64 name;
#include "timing/madison.def"
#undef PARAMETER
};

/**
 * timing_parse() - parameters from the command line
 * @p: all of them, with the values of madison.def where @text has none
 * @text: MODEL, and behind commas NAME=VALUE, or file=PATH of a file with such lines
 * @error: what is wrong, without a full stop, when something is
 * @size: room in @error
 *
 * Return: false when @text is wrong
 */
bool timing_parse(struct timing_params *p, const char *text, char *error, size_t size);

#endif
