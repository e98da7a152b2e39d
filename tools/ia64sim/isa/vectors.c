// SPDX-License-Identifier: GPL-2.0
/*
 * The names of the interruption vectors, SDM 2:114.
 */
#include "isa/ia64.h"

static const struct {
	u16 vector;
	const char *name;
} vector_names[] = {
	{ VEC_VHPT_TRANSLATION, "VHPT Translation" },
	{ VEC_INST_TLB, "Instruction TLB" },
	{ VEC_DATA_TLB, "Data TLB" },
	{ VEC_ALT_INST_TLB, "Alternate Instruction TLB" },
	{ VEC_ALT_DATA_TLB, "Alternate Data TLB" },
	{ VEC_DATA_NESTED_TLB, "Data Nested TLB" },
	{ VEC_INST_KEY_MISS, "Instruction Key Miss" },
	{ VEC_DATA_KEY_MISS, "Data Key Miss" },
	{ VEC_DIRTY_BIT, "Dirty-Bit" },
	{ VEC_INST_ACCESS_BIT, "Instruction Access-Bit" },
	{ VEC_DATA_ACCESS_BIT, "Data Access-Bit" },
	{ VEC_BREAK, "Break Instruction" },
	{ VEC_EXTERNAL_INTERRUPT, "External Interrupt" },
	{ VEC_PAGE_NOT_PRESENT, "Page Not Present" },
	{ VEC_KEY_PERMISSION, "Key Permission" },
	{ VEC_INST_ACCESS_RIGHTS, "Instruction Access Rights" },
	{ VEC_DATA_ACCESS_RIGHTS, "Data Access Rights" },
	{ VEC_GENERAL_EXCEPTION, "General Exception" },
	{ VEC_DISABLED_FP, "Disabled FP-Register" },
	{ VEC_NAT_CONSUMPTION, "NaT Consumption" },
	{ VEC_SPECULATION, "Speculation" },
	{ VEC_DEBUG, "Debug" },
	{ VEC_UNALIGNED, "Unaligned Reference" },
	{ VEC_UNSUPPORTED_DATA_REFERENCE, "Unsupported Data Reference" },
	{ VEC_FP_FAULT, "Floating-point Fault" },
	{ VEC_FP_TRAP, "Floating-point Trap" },
	{ VEC_LOWER_PRIVILEGE_TRANSFER, "Lower-Privilege Transfer Trap" },
	{ VEC_TAKEN_BRANCH, "Taken Branch Trap" },
	{ VEC_SINGLE_STEP, "Single Step Trap" },
};

const char *vector_name(unsigned int vector)
{
	for (size_t i = 0; i < sizeof(vector_names) / sizeof(vector_names[0]); i++) {
		if (vector_names[i].vector == vector)
			return vector_names[i].name;
	}
	return NULL;
}
