// SPDX-License-Identifier: GPL-2.0
/*
 * Firmware: entry points as real code in guest memory, tables, the hand-over to
 * the kernel, and where processors wait until they are needed.
 *
 * An entry point is a bundle of break.m FIRMWARE_BREAK + n and a return.  The
 * break makes the simulator do the procedure's work; the return is the guest's
 * own instruction, so that the register stack behaves as after any call.
 */
#include <stdlib.h>
#include <string.h>

#include "cpu/refs.h"
#include "cpu/rse.h"
#include "cpu/run.h"
#include "cpu/sapic.h"
#include "firmware/firmware.h"
#include "watch/trace.h"

/* Slots of the entry points' bundles, SDM 3:356 (M37, B4, nops). */
#define SLOT_BREAK_M(imm)	((u64)((imm) >> 20 & 1) << 36 | (u64)((imm) & 0xfffff) << 6)
#define SLOT_NOP_M		0x0008000000ULL
#define SLOT_NOP_I		0x0008000000ULL
#define SLOT_BR_COND_B0		0x0100001000ULL		/* br.cond.sptk.many b0 */
#define SLOT_BR_RET_B0		0x0108001100ULL		/* br.ret.sptk.many b0 */
enum { TEMPLATE_MIB_STOP = 0x11 };

/* FPSR at reset and as compilers expect it, SDM 1:96. */
#define FPSR_DEFAULT		0x0009804c0270033fULL

static struct area area_at(struct machine *m, u64 pa)
{
	struct area a = { .host = ram_at(m, pa, FW_AREA), .pa = pa, .size = FW_AREA };

	return a;
}

static void put_bundle(struct area *a, u64 slot0, u64 slot1, u64 slot2)
{
	put(a, TEMPLATE_MIB_STOP | slot0 << 5 | slot1 << 46, 8);
	put(a, slot1 >> 18 | slot2 << 23, 8);
}

static void build_code(struct machine *m)
{
	struct area a = area_at(m, FW_PAL_CODE);

	/* PAL returns from static procedures with a plain branch, since they
	 * were not called with br.call, and with br.ret from the others.
	 */
	put_bundle(&a, SLOT_BREAK_M(FIRMWARE_BREAK + FW_PAL), SLOT_NOP_I, SLOT_BR_COND_B0);
	put_bundle(&a, SLOT_NOP_M, SLOT_NOP_I, SLOT_BR_RET_B0);

	a = area_at(m, FW_CODE);
	for (unsigned int n = 0; n < FW_ENTRIES; n++) {
		put_bundle(&a, SLOT_BREAK_M(FIRMWARE_BREAK + n), SLOT_NOP_I, SLOT_BR_RET_B0);
		put_align(&a, ENTRY_SIZE);
	}
}

/* struct ia64_boot_param of Linux: arch/ia64/include/uapi/asm/setup.h */
static void build_boot_parameters(struct machine *m)
{
	struct area a = area_at(m, FW_BOOT);
	const char *append = m->opt.append ? m->opt.append : "";
	u64 command_line = FW_BOOT + 0x100, map = FW_BOOT + 0x1000;
	struct area map_area = { .host = a.host + 0x1000, .pa = map, .size = FW_AREA - 0x1000 };
	size_t map_size = efi_memory_map(m, &map_area);

	put(&a, command_line, 8);
	put(&a, m->firmware->system_table, 8);
	put(&a, map, 8);
	put(&a, map_size, 8);
	put(&a, EFI_DESCRIPTOR_SIZE, 8);
	put(&a, 1, 4);			/* descriptor version */
	put(&a, 80, 2);			/* console columns, rows, cursor */
	put(&a, 25, 2);
	put(&a, 0, 2);
	put(&a, 24, 2);
	put_align(&a, 8);
	put(&a, m->firmware->fpswa, 8);
	put(&a, m->boot.initrd_size ? m->boot.initrd : 0, 8);
	put(&a, m->boot.initrd_size, 8);

	a.used = command_line - FW_BOOT;
	put_text(&a, append, strlen(append) + 1, 0);
}

void firmware_build(struct machine *m)
{
	struct area data, tables, nvs;

	m->firmware = calloc(1, sizeof(*m->firmware));
	if (!m->firmware)
		out_of_memory();
	build_code(m);
	data = area_at(m, FW_DATA);
	tables = area_at(m, FW_ACPI);
	nvs = area_at(m, FW_ACPI_NVS);
	acpi_build(m, &tables, &nvs);
	sal_build(m, &data);
	efi_build(m, &data);
	build_boot_parameters(m);
	firmware_boot(m);
}

void firmware_destroy(struct machine *m)
{
	free(m->firmware);
	m->firmware = NULL;
}

/* SAL's hand-over state: physical mode, bank 1, nothing enabled, an empty frame. */
static void hand_over(struct cpu *cpu, u64 entry, u64 gp)
{
	struct cpu_stats stats;
	u64 cycles = cpu->cycles, idle = cpu->idle;
	u64 tried = cpu->tried, faulted = cpu->faulted;
	unsigned int id = cpu->id;

	count_level(cpu);
	stats = cpu->stats;
	alat_invalidate_all(cpu);
	cpu_reset(cpu);
	cpu->cycles = cycles;
	cpu->idle = idle;
	cpu->tried = tried;
	cpu->faulted = faulted;
	cpu->stats = stats;
	cpu->level_since = cpu_busy(cpu);
	sapic_reset(cpu);
	cpu->psr = BIT(PSR_BN);
	cpu->cfm = (struct frame){ 0 };
	frame_changed(cpu);
	rse_set_bspstore(cpu, FW_STACKS + (u64)id * FW_STACK);
	cpu->ar[AR_FPSR] = FPSR_DEFAULT;
	cpu->ar[AR_KR0] = PORT_BASE;
	cpu->ip = entry;
	cpu->slot = 0;
	set_gr(cpu, 1, gp, false);
	set_gr(cpu, 12, FW_STACKS + (u64)(id + 1) * FW_STACK - 16, false);
	cpu->br[0] = firmware_address(FW_RENDEZVOUS_RETURN);
	cpu->halted = false;
	cpu->stopped = false;
}

void firmware_boot(struct machine *m)
{
	for (unsigned int i = 0; i < m->n_cpus; i++) {
		bool is_boot = i == 0;

		hand_over(m->cpu[i], is_boot ? m->boot.entry :
			  firmware_address(FW_RENDEZVOUS_RETURN), 0);
		m->cpu[i]->stopped = !is_boot;
	}
	set_gr(m->cpu[0], 28, FW_BOOT, false);
}

void firmware_wake(struct cpu *cpu, unsigned int vector)
{
	const struct firmware *fw = cpu->machine->firmware;

	if (vector != AP_WAKE_VECTOR || !fw->rendezvous)
		return;
	if (tracing(cpu->machine, TRACE_FIRMWARE))
		trace_line(cpu, "wake-up, entry %#llx", (unsigned long long)fw->rendezvous);
	cpu_sleep(cpu, machine_cycles(cpu->machine));
	hand_over(cpu, fw->rendezvous, fw->rendezvous_gp);
}

void firmware_init(struct cpu *cpu)
{
	/* OS_INIT dumps the state of a hung machine; -trace and the gdb stub
	 * do that better, so INIT ends here.
	 */
	if (tracing(cpu->machine, TRACE_FIRMWARE))
		trace_line(cpu, "INIT ignored");
}

static void set_result(struct cpu *cpu, const struct result *r)
{
	set_gr(cpu, 8, r->status, false);
	for (unsigned int i = 0; i < 3; i++)
		set_gr(cpu, 9 + i, r->v[i], false);
}

static void call_pal(struct cpu *cpu)
{
	u64 index = gr(cpu, 28);
	bool stacked = index >= 256 && index < 512;
	struct result r;
	u64 arg[3];

	for (unsigned int i = 0; i < 3; i++)
		arg[i] = stacked ? stacked_argument(cpu, 1 + i) : gr(cpu, 29 + i);
	r = pal_call(cpu, index, arg);
	set_result(cpu, &r);
	if (stacked) {
		cpu->ip += BUNDLE;
		cpu->slot = 0;
		cpu->branched = BRANCHED_ON;
	}
}

void firmware_call(struct cpu *cpu, unsigned int n)
{
	struct result r = { 0 };

	switch (n) {
	case FW_PAL:
		call_pal(cpu);
		return;
	case FW_SAL:
		r = sal_call(cpu);
		break;
	case FW_FPSWA:
		/* The processor needs no assistance with arithmetic: whatever
		 * reaches this handler is an IEEE exception to be reported.
		 */
		r.status = 1;
		break;
	case FW_RENDEZVOUS_RETURN:
		cpu->stopped = true;
		cpu->halted = true;
		attend(cpu);
		return;
	default:
		r = efi_call(cpu, n);
		break;
	}
	set_result(cpu, &r);
}

bool firmware_break(struct cpu *cpu, u64 n)
{
	if (n >= FW_ENTRIES || fetch_address(cpu) != firmware_address(n))
		return false;
	firmware_call(cpu, n);
	return true;
}
