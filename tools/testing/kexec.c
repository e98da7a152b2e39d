// SPDX-License-Identifier: GPL-2.0
/*
 * kexec VMLINUX MODE... - execute VMLINUX with vhpt=MODE by kexec_load(), and from
 * that the next, until all have had their turn.
 *
 * Each kernel gets an initramfs with this program as /init and VMLINUX, whose names in
 * the archive are theirs.  It sees that /proc/vhpt has the mode and all processors are
 * there, has memory of its own changed and looked at, and goes on.  The last one prints
 * the result that tools/testing/guest looks for, and powers the machine off.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/kexec.h>
#include <linux/reboot.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#define ALIGN(x, a)	(((x) + (a) - 1) & ~((uint64_t)(a) - 1))
#define SEGMENT_ALIGN	0x10000UL	/* the largest base page */
#define MB		(1UL << 20)
#define CHAIN		"kexec.chain="
#define CPUS		"kexec.cpus="

/* What the kernel takes in r28; arch/ia64/include/uapi/asm/setup.h. */
struct boot_param {
	uint64_t command_line;
	uint64_t of_firmware[7];	/* as it was when this kernel was booted */
	uint64_t initrd_start, initrd_size;
};

/* What lies behind the code that leads to the next kernel. */
struct handoff {
	uint64_t entry;
	uint64_t plabel[2];
	struct boot_param param;
	char command_line[512];
};

/*
 * The old kernel comes here in physical mode, with r28 as it got it.  Only the
 * firmware's part of that is still true.  The firmware's runtime services are at virtual
 * addresses already, which are the same for the next kernel, so that its call of
 * SetVirtualAddressMap() has nothing to do; and with a physical address it cannot reach
 * that any more.
 */
asm(".text\n"
    ".align 32\n"
    ".global relay, relay_nothing, relay_end\n"
    "relay:\n"
    "	mov r16 = ip\n"
    "	mov r17 = 7 - 1\n"
    "	;;\n"
    "	add r16 = relay_end - relay, r16\n"
    "	mov ar.lc = r17\n"
    "	add r18 = 8, r28\n"
    "	;;\n"
    "	ld8 r19 = [r16], 8\n"		/* entry */
    "	ld8 r22 = [r18]\n"		/* EFI system table */
    "	;;\n"
    "	mov b6 = r19\n"
    "	add r23 = 88, r22\n"
    "	mov r24 = r16\n"		/* plabel */
    "	add r28 = 16, r16\n"		/* param */
    "	add r20 = 24, r16\n"
    "	;;\n"
    "	ld8 r22 = [r23]\n"		/* its runtime services */
    "	;;\n"
    "	dep r22 = 0, r22, 61, 3\n"
    "	;;\n"
    "	add r22 = 56, r22\n"		/* SetVirtualAddressMap */
    "	;;\n"
    "	st8 [r22] = r24\n"
    "1:	ld8 r21 = [r18], 8\n"
    "	;;\n"
    "	st8 [r20] = r21, 8\n"
    "	br.cloop.sptk 1b\n"
    "	;;\n"
    "	br.sptk b6\n"
    "	.align 32\n"
    "relay_nothing:\n"
    "	mov r8 = r0\n"
    "	br.ret.sptk b0\n"
    "	.align 32\n"
    "relay_end:\n");
extern const char relay[], relay_nothing[], relay_end[];

static __attribute__((noreturn, format(printf, 1, 2))) void die(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	printf("kexec: error: ");
	vprintf(format, ap);
	printf("\nsuperpage.result: error=kexec failed\n");
	va_end(ap);
	fflush(stdout);
	sync();
	if (getpid() == 1)
		syscall(SYS_reboot, LINUX_REBOOT_MAGIC1, LINUX_REBOOT_MAGIC2,
			LINUX_REBOOT_CMD_POWER_OFF, NULL);
	exit(1);
}

static void *allocate(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		die("no memory for %zu bytes", size);
	return p;
}

static void *read_file(const char *name, size_t *size)
{
	int fd = open(name, O_RDONLY);
	struct stat st;
	char *data;
	ssize_t n;
	size_t at;

	if (fd < 0 || fstat(fd, &st))
		die("%s: %s", name, strerror(errno));
	*size = st.st_size;
	data = allocate(*size + 1);
	for (at = 0; at < *size; at += n) {
		n = read(fd, data + at, *size - at);
		if (n <= 0)
			die("%s: %s", name, n ? strerror(errno) : "it ends too early");
	}
	close(fd);
	return data;
}

/* --- the next kernel ---------------------------------------------------------------- */

/* The memory that the kernel in @image, of @size bytes, is to be loaded into. */
static struct kexec_segment load_kernel(const char *image, size_t size, uint64_t *entry)
{
	const Elf64_Ehdr *ehdr = (const void *)image;
	const Elf64_Phdr *phdr = (const void *)(image + ehdr->e_phoff);
	uint64_t start = UINT64_MAX, end = 0;
	struct kexec_segment s;
	char *flat;
	int i;

	if (size < sizeof(*ehdr) || memcmp(ehdr->e_ident, ELFMAG, SELFMAG) ||
	    ehdr->e_machine != EM_IA_64 || ehdr->e_type != ET_EXEC)
		die("the kernel is no executable of this architecture");
	for (i = 0; i < ehdr->e_phnum; i++) {
		if (phdr[i].p_type != PT_LOAD || !phdr[i].p_memsz)
			continue;
		if (phdr[i].p_paddr < start)
			start = phdr[i].p_paddr;
		if (phdr[i].p_paddr + phdr[i].p_memsz > end)
			end = phdr[i].p_paddr + phdr[i].p_memsz;
	}
	start &= -SEGMENT_ALIGN;
	end = ALIGN(end, SEGMENT_ALIGN);
	flat = allocate(end - start);
	for (i = 0; i < ehdr->e_phnum; i++)
		if (phdr[i].p_type == PT_LOAD)
			memcpy(flat + (phdr[i].p_paddr - start), image + phdr[i].p_offset,
			       phdr[i].p_filesz);
	s.buf = flat;
	s.mem = (void *)start;
	s.bufsz = end - start;
	s.memsz = end - start;
	*entry = ehdr->e_entry;
	return s;
}

/* A member of an initramfs, Documentation/driver-api/early-userspace/buffer-format.rst. */
static char *member(char *to, const char *name, mode_t mode, dev_t dev, const void *data,
		    size_t size)
{
	size_t n = sprintf(to, "070701%08X%08X%08X%08X%08X%08X%08zX%08X%08X%08X%08X%08zX%08X%s",
			   0, mode, 0, 0, 1, 0, size, 0, 0, major(dev), minor(dev),
			   strlen(name) + 1, 0, name) + 1;

	to = memset(to + n, 0, -n & 3) + (-n & 3);
	to = mempcpy(to, data, size);
	return memset(to, 0, -size & 3) + (-size & 3);
}

static char *make_initramfs(const char *vmlinux, size_t vmlinux_size, size_t *size)
{
	size_t init_size;
	char *init = read_file("/proc/self/exe", &init_size);
	char *archive = allocate(vmlinux_size + init_size + MB), *p = archive;

	p = member(p, "dev", S_IFDIR | 0755, 0, NULL, 0);
	p = member(p, "dev/console", S_IFCHR | 0600, makedev(5, 1), NULL, 0);
	p = member(p, "proc", S_IFDIR | 0755, 0, NULL, 0);
	p = member(p, "init", S_IFREG | 0755, 0, init, init_size);
	p = member(p, "vmlinux", S_IFREG | 0644, 0, vmlinux, vmlinux_size);
	p = member(p, "TRAILER!!!", 0, 0, NULL, 0);
	*size = p - archive;
	return archive;
}

/*
 * An address in the middle of the largest block of memory, and not where this kernel's
 * boot parameters are: relay reads these when @size bytes from there have been written.
 */
static uint64_t free_memory(size_t size)
{
	uint64_t start, end, best = 0, best_size = 0, param = 0;
	FILE *f = fopen("/proc/iomem", "r");
	char line[200];

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx", &start, &end) != 2)
			continue;
		if (strstr(line, ": Boot parameter"))
			param = start;
		if (line[0] == ' ' || !strstr(line, ": System RAM") || end - start < best_size)
			continue;
		best_size = end + 1 - start;
		best = ALIGN(start + best_size / 2, MB);
	}
	if (f)
		fclose(f);
	if (!param)
		die("/proc/iomem does not tell where the boot parameters are");
	if (best_size / 2 < 2 * size + MB)
		die("no block of memory for two times %zu bytes and as much before it", size);
	return param >= best && param < best + size ? ALIGN(best + size, MB) : best;
}

/* Execute @vmlinux with the first word of @chain; the others are for the kernels after. */
static void execute(const char *vmlinux, const char *chain, long cpus)
{
	size_t size, initramfs_size, head = relay_end - relay;
	char *image = read_file(vmlinux, &size);
	char *initramfs = make_initramfs(image, size, &initramfs_size);
	size_t total = ALIGN(SEGMENT_ALIGN + initramfs_size, SEGMENT_ALIGN);
	uint64_t at = free_memory(total);
	struct kexec_segment segments[2];
	char *data = allocate(total);
	struct handoff *h = (void *)(data + head);

	segments[0] = load_kernel(image, size, &h->entry);
	memcpy(data, relay, head);
	memcpy(data + SEGMENT_ALIGN, initramfs, initramfs_size);
	snprintf(h->command_line, sizeof(h->command_line),
		 "console=ttyS0 panic=-1 vhpt=%.*s " CPUS "%ld " CHAIN "%s",
		 (int)strcspn(chain, ","), chain, cpus, chain);
	h->plabel[0] = at + (relay_nothing - relay);
	h->param.command_line = at + head + offsetof(struct handoff, command_line);
	h->param.initrd_start = at + SEGMENT_ALIGN;
	h->param.initrd_size = initramfs_size;
	segments[1].buf = data;
	segments[1].bufsz = total;
	segments[1].mem = (void *)at;
	segments[1].memsz = total;
	if ((uint64_t)segments[0].mem + segments[0].memsz > at)
		die("the kernel would lie over its initramfs");
	if (syscall(SYS_kexec_load, at, 2, segments, KEXEC_ARCH_IA_64))
		die("kexec_load: %s", strerror(errno));
	printf("kexec: to %s\n", chain);
	fflush(stdout);
	syscall(SYS_reboot, LINUX_REBOOT_MAGIC1, LINUX_REBOOT_MAGIC2, LINUX_REBOOT_CMD_KEXEC,
		NULL);
	die("reboot: %s", strerror(errno));
}

/* --- in it -------------------------------------------------------------------------- */

/* What follows @name in @text, up to the next blank. */
static char *value_of(const char *text, const char *name)
{
	const char *p = strstr(text, name);

	if (!p)
		die("'%s' is not in '%s'", name, text);
	p += strlen(name);
	return strndup(p, strcspn(p, " \n"));
}

static void read_proc(const char *name, char *text, size_t size)
{
	int fd = open(name, O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);

	if (n < 0)
		die("%s: %s", name, strerror(errno));
	text[n] = '\0';
	close(fd);
}

static void use_memory(void)
{
	size_t size = 32 * MB, step = 4096, i;
	unsigned char *p = allocate(size);
	int child, status;

	for (i = 0; i < size; i += step)
		p[i] = i / step;
	for (child = 0; child < 4; child++) {
		if (fork())
			continue;
		for (i = 0; i < size; i += step)
			if (p[i]++ != (unsigned char)(i / step))
				_exit(1);
		_exit(0);
	}
	while (wait(&status) > 0)
		if (status)
			die("a process sees other memory than it should");
	munmap(p, size);
}

static void init(void)
{
	char cmdline[1024], vhpt[1024], want[32], *chain, *rest;
	long cpus;

	if (mount("proc", "/proc", "proc", 0, NULL))
		die("/proc: %s", strerror(errno));
	read_proc("/proc/cmdline", cmdline, sizeof(cmdline));
	read_proc("/proc/vhpt", vhpt, sizeof(vhpt));
	chain = value_of(cmdline, CHAIN);
	cpus = atol(value_of(cmdline, CPUS));
	rest = chain + strcspn(chain, ",");
	snprintf(want, sizeof(want), "%.*s\n", (int)(rest - chain), chain);
	printf("kexec: in %s", vhpt);
	if (strncmp(vhpt, "mode:", 5) ||
	    strncmp(vhpt + 5 + strspn(vhpt + 5, " \t"), want, strlen(want)))
		die("it is not %s", want);
	if (sysconf(_SC_NPROCESSORS_ONLN) != cpus)
		die("%ld processors, not %ld", sysconf(_SC_NPROCESSORS_ONLN), cpus);
	use_memory();
	if (*rest)
		execute("/vmlinux", rest + 1, cpus);
	printf("superpage.result: exit=0\n");
	fflush(stdout);
	syscall(SYS_reboot, LINUX_REBOOT_MAGIC1, LINUX_REBOOT_MAGIC2,
		LINUX_REBOOT_CMD_POWER_OFF, NULL);
	die("power off: %s", strerror(errno));
}

int main(int argc, char **argv)
{
	char chain[256] = "";
	int i;

	if (getpid() == 1)
		init();
	if (argc < 3) {
		fprintf(stderr, "use: kexec VMLINUX MODE...\n");
		return 2;
	}
	for (i = 2; i < argc; i++) {
		if (strlen(chain) + strlen(argv[i]) + 2 > sizeof(chain)) {
			fprintf(stderr, "kexec: too many modes\n");
			return 2;
		}
		strcat(strcat(chain, i > 2 ? "," : ""), argv[i]);
	}
	execute(argv[1], chain, sysconf(_SC_NPROCESSORS_ONLN));
}
