/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The architecture's numbers: registers, their fields, interruption vectors.
 * Names follow the Itanium Software Developer's Manual (SDM), volume 2.
 */
#ifndef IA64_H
#define IA64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef unsigned __int128 u128;
typedef __int128 s128;

#define ALWAYS_INLINE	static inline __attribute__((always_inline))

#define BIT(n)			(1ULL << (n))
#define MASK(n)			(((n) >= 64) ? ~0ULL : (1ULL << (n)) - 1)
/* Bits lo and up of x, n of them. */
#define FIELD(x, lo, n)		(((x) >> (lo)) & MASK(n))

/* Processor status register, SDM 2:23. */
enum {
	PSR_BE = 1, PSR_UP = 2, PSR_AC = 3, PSR_MFL = 4, PSR_MFH = 5,
	PSR_IC = 13, PSR_I = 14, PSR_PK = 15, PSR_DT = 17, PSR_DFL = 18,
	PSR_DFH = 19, PSR_SP = 20, PSR_PP = 21, PSR_DI = 22, PSR_SI = 23,
	PSR_DB = 24, PSR_LP = 25, PSR_TB = 26, PSR_RT = 27, PSR_CPL = 32,
	PSR_IS = 34, PSR_MC = 35, PSR_IT = 36, PSR_ID = 37, PSR_DA = 38,
	PSR_DD = 39, PSR_SS = 40, PSR_RI = 41, PSR_ED = 43, PSR_BN = 44,
	PSR_IA = 45, PSR_VM = 46,
};

/* Application registers. */
enum {
	AR_KR0 = 0, AR_KR7 = 7, AR_RSC = 16, AR_BSP = 17, AR_BSPSTORE = 18,
	AR_RNAT = 19, AR_FCR = 21, AR_EFLAG = 24, AR_CSD = 25, AR_SSD = 26,
	AR_CFLG = 27, AR_FSR = 28, AR_FIR = 29, AR_FDR = 30, AR_CCV = 32,
	AR_UNAT = 36, AR_FPSR = 40, AR_ITC = 44, AR_RUC = 45, AR_PFS = 64,
	AR_LC = 65, AR_EC = 66,
};

/* Control registers. */
enum {
	CR_DCR = 0, CR_ITM = 1, CR_IVA = 2, CR_PTA = 8, CR_IPSR = 16,
	CR_ISR = 17, CR_IIP = 19, CR_IFA = 20, CR_ITIR = 21, CR_IIPA = 22,
	CR_IFS = 23, CR_IIM = 24, CR_IHA = 25, CR_LID = 64, CR_IVR = 65,
	CR_TPR = 66, CR_EOI = 67, CR_IRR0 = 68, CR_IRR3 = 71, CR_ITV = 72,
	CR_PMV = 73, CR_CMCV = 74, CR_LRR0 = 80, CR_LRR1 = 81,
};

/* Interruption status register. */
enum {
	ISR_CODE = 0, ISR_VECTOR = 16, ISR_X = 32, ISR_W = 33, ISR_R = 34,
	ISR_NA = 35, ISR_SP = 36, ISR_RS = 37, ISR_IR = 38, ISR_NI = 39,
	ISR_SO = 40, ISR_EI = 41, ISR_ED = 43,
};

/* Default control register: deferral of faults by speculative loads. */
enum {
	DCR_PP = 0, DCR_BE = 1, DCR_LC = 2, DCR_DM = 8, DCR_DP = 9,
	DCR_DK = 10, DCR_DX = 11, DCR_DR = 12, DCR_DA = 13, DCR_DD = 14,
};

/* Offsets into the interruption vector table, SDM 2:114. */
enum vector {
	VEC_VHPT_TRANSLATION = 0x0000,
	VEC_INST_TLB = 0x0400,
	VEC_DATA_TLB = 0x0800,
	VEC_ALT_INST_TLB = 0x0c00,
	VEC_ALT_DATA_TLB = 0x1000,
	VEC_DATA_NESTED_TLB = 0x1400,
	VEC_INST_KEY_MISS = 0x1800,
	VEC_DATA_KEY_MISS = 0x1c00,
	VEC_DIRTY_BIT = 0x2000,
	VEC_INST_ACCESS_BIT = 0x2400,
	VEC_DATA_ACCESS_BIT = 0x2800,
	VEC_BREAK = 0x2c00,
	VEC_EXTERNAL_INTERRUPT = 0x3000,
	VEC_PAGE_NOT_PRESENT = 0x5000,
	VEC_KEY_PERMISSION = 0x5100,
	VEC_INST_ACCESS_RIGHTS = 0x5200,
	VEC_DATA_ACCESS_RIGHTS = 0x5300,
	VEC_GENERAL_EXCEPTION = 0x5400,
	VEC_DISABLED_FP = 0x5500,
	VEC_NAT_CONSUMPTION = 0x5600,
	VEC_SPECULATION = 0x5700,
	VEC_DEBUG = 0x5900,
	VEC_UNALIGNED = 0x5a00,
	VEC_UNSUPPORTED_DATA_REFERENCE = 0x5b00,
	VEC_FP_FAULT = 0x5c00,
	VEC_FP_TRAP = 0x5d00,
	VEC_LOWER_PRIVILEGE_TRANSFER = 0x5e00,
	VEC_TAKEN_BRANCH = 0x5f00,
	VEC_SINGLE_STEP = 0x6000,
};

/* "Data TLB" and so on; NULL for an offset that is no vector. */
const char *vector_name(unsigned int vector);

/* ISR.code{7:0} of the general exception vector, SDM 2:181. */
enum {
	GE_ILLEGAL_OPERATION = 0x00,
	GE_PRIVILEGED_OPERATION = 0x10,
	GE_PRIVILEGED_REGISTER = 0x20,
	GE_RESERVED_FIELD = 0x30,	/* reserved register or field */
	GE_DISABLED_ISA = 0x40,		/* disabled instruction set transition */
	GE_ILLEGAL_DEPENDENCY = 0x80,
};

/* ISR.code of traps; several may come together (SDM 2:166). */
enum {
	TRAP_FP = 1, TRAP_LOWER_PRIVILEGE = 2, TRAP_TAKEN_BRANCH = 4,
	TRAP_SINGLE_STEP = 8, TRAP_UNIMPLEMENTED_ADDRESS = 16,
};

/* Memory attributes of a translation. */
enum { MA_WB = 0, MA_UC = 4, MA_UCE = 5, MA_WC = 6, MA_NATPAGE = 7 };

/* Access rights of a translation (with a privilege level: SDM table 4-4). */
enum {
	AR_R = 0, AR_RX = 1, AR_RW = 2, AR_RWX = 3, AR_R_RW = 4, AR_RX_RWX = 5,
	AR_RWX_RW = 6, AR_X_RX = 7,
};

/* What a Madison implements. */
enum {
	IMPL_VA_MSB = 60,	/* VA{60:0} and the region number */
	IMPL_PA_BITS = 50,
	IMPL_RID_BITS = 24,
	MIN_RID_BITS = 18,	/* SDM 2:4.1.2 */
	IMPL_KEY_BITS = 24,
	IMPL_PKRS = 16,
	N_STACKED = 96,		/* physical stacked general registers */
	N_BREAKPOINTS = 8,	/* IBR, DBR: four pairs each */
	N_PMC = 16, N_PMD = 18,
};
/* Page sizes that itc and itr, and that ptc and ptr take, as bits of log2. */
#define INSERTABLE_PAGE_SIZES	0x155557000ULL
#define PURGEABLE_PAGE_SIZES	0x155557000ULL

/**
 * struct fpreg - an 82-bit floating-point register
 * @sig: 64-bit significand with explicit integer bit
 * @se: sign (bit 17) and biased exponent (bits 16:0, bias 0xffff)
 */
struct fpreg {
	u64 sig;
	u32 se;
};

#endif
