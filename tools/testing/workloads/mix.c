// SPDX-License-Identifier: GPL-2.0
/*
 * mix [-g GIGA] [-m MIB] [-i GIGA] [-f MIB] [-d FOLDER] [-s SEED] [-n MIB [-a] [-w SECONDS]
 * [-p PERCENT]] - give memory management a long life: allocate, free, fork, read and write files
 *
 *	-g	how long, in 10^9 cycles of ar.itc (20); in the simulator with one processor a
 *		cycle is an instruction slot
 *	-m	map at most so many MiB (half of the free memory)
 *	-f	write files with at most so many MiB (10 % of the free memory)
 *	-d	put the files into FOLDER (/tmp)
 *	-s	draw other random numbers
 *	-i	print a line every so many 10^9 cycles (1)
 *	-n	in the end, map nearly all memory and give back seven of eight pages at random, so
 *		that hardly a MiB is free in one piece; then make a new mapping of so many MiB,
 *		and touch it page by page
 *	-a	use MADV_HUGEPAGE on the new mapping
 *	-w	print a second line about the new mapping after SECONDS
 *	-p	exit with status 1 if less than PERCENT of the new mapping are in superpages of
 *		1 MiB or more in the end
 *
 * Every page of anonymous memory and every file gets contents that say where it belongs.  mix
 * checks the contents before it frees the page or file.
 *
 * A line has the cycles, the operations, and the page faults since the last line, with their mean
 * and longest time in cycles.  Then follow the anonymous memory of the main process and its share
 * in superpages, in all and by size, the free memory of the machine, and its free blocks by order.
 * mix prints such a line once more when it has given everything back.  The exit status is 1 if
 * contents were wrong, or if less memory is free than before.  The kernel and malloc() may keep
 * 16 MiB.
 *
 * The line about the new mapping has its share in superpages of 1 MiB or more, the number of its
 * page faults, the cycles of all of them and of the longest, and the processor time that
 * khugepaged and kcompactd have used since the line before, in hundredths of a second.
 *
 * mix times a page fault by timing the first write to a page.  It leaves out the faults during
 * which it lost the processor.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB	(1UL << 20)
#define GIGA	1000000000UL

enum { MAPS = 64, OBJECTS = 4096, FILES = 32, CHILDREN = 3, MAX_ORDERS = 24, SLACK_MIB = 16, SPARE_MIB = 48 };

/** struct map - a mapping: the pages below touched have contents, or may be holes */
static struct map {
	char *p;
	unsigned long pages, touched, id;
	bool holes;
} maps[MAPS];

static struct object {
	unsigned long *p;
	unsigned long size, id;
} objects[OBJECTS];

static struct file {
	unsigned long size, id;
} files[FILES];

static pid_t children[CHILDREN];

static unsigned long page_size, mapped, map_limit, file_bytes, file_limit;
static unsigned long operations, faults, fault_cycles, longest, switches, last_id;
static const char *folder = "/tmp";

static void die(const char *what)
{
	fprintf(stderr, "mix: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void lost(const char *what, unsigned long id)
{
	fprintf(stderr, "mix: wrong contents: %s %lu\n", what, id);
	exit(1);
}

static unsigned long cycles(void)
{
	unsigned long now;

	__asm__ volatile ("mov %0 = ar.itc" : "=r"(now) : : "memory");
	return now;
}

static unsigned long state;

/* xorshift64 */
static unsigned long draw(unsigned long below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 24) % below;
}

/* Small sizes are as frequent as large ones. */
static unsigned long draw_size(unsigned long least, unsigned int doublings)
{
	unsigned long size = least << draw(doublings);

	return size + draw(size);
}

static unsigned long process_switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

static unsigned long *page_at(const struct map *m, unsigned long page)
{
	return (unsigned long *)(m->p + page * page_size);
}

static unsigned long contents(unsigned long id, unsigned long page)
{
	return id << 32 | page;
}

/* Write to a page for the first time.  A fault on another page may have mapped it already. */
static void touch(struct map *m)
{
	unsigned long *p = page_at(m, m->touched), before, took;

	before = cycles();
	*(volatile unsigned long *)p = contents(m->id, m->touched++);
	took = cycles() - before;
	if (took < 200)		/* no page fault, but perhaps a TLB miss */
		return;
	if (took > longest) {
		unsigned long n = process_switches();

		if (n != switches) {
			switches = n;
			return;
		}
		longest = took;
	}
	faults++;
	fault_cycles += took;
}

static void check_map(const struct map *m)
{
	for (unsigned long i = 0; i < m->touched; i++)
		if (*page_at(m, i) != contents(m->id, i) && !(m->holes && !*page_at(m, i)))
			lost("mapping", m->id);
}

static void free_map(struct map *m)
{
	check_map(m);
	if (munmap(m->p, m->pages * page_size))
		die("munmap");
	mapped -= m->pages;
	*m = (struct map){ 0 };
}

static void make_room(unsigned long pages)
{
	while (mapped && mapped + pages > map_limit) {
		struct map *m = &maps[draw(MAPS)];

		if (m->p)
			free_map(m);
	}
}

/* Make a mapping of 16 KiB to 64 MiB, and touch some of it or all. */
static void new_map(struct map *m)
{
	unsigned long n;

	m->pages = draw_size(16384, 12) / page_size + 1;
	make_room(m->pages);
	m->id = ++last_id;
	m->p = mmap(NULL, m->pages * page_size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (m->p == MAP_FAILED)
		die("mmap");
	mapped += m->pages;
	switches = process_switches();
	n = draw(4) ? m->pages : 1 + draw(m->pages);
	while (m->touched < n)
		touch(m);
}

/* Touch more of a mapping, shorten it, give pages back, change its rights and back, or move it. */
static void change_map(struct map *m)
{
	unsigned long keep = 1 + draw(m->pages), n;

	switch (draw(6)) {
	case 0:
	case 1:
		switches = process_switches();
		n = 1 + draw(m->pages);
		while (m->touched < m->pages && n--)
			touch(m);
		break;
	case 2:		/* unmap the end */
		if (keep < m->touched) {
			check_map(m);
			m->touched = keep;
		}
		if (keep < m->pages && munmap(m->p + keep * page_size,
					      (m->pages - keep) * page_size))
			die("munmap");
		mapped -= m->pages - keep;
		m->pages = keep;
		break;
	case 3:
		if (keep < m->touched) {
			check_map(m);
			m->touched = keep;
			if (madvise(m->p + keep * page_size, (m->pages - keep) * page_size,
				    MADV_DONTNEED))
				die("madvise");
		}
		break;
	case 4:
		if (mprotect(m->p, keep * page_size, PROT_READ))
			die("mprotect");
		check_map(m);
		if (mprotect(m->p, keep * page_size, PROT_READ | PROT_WRITE))
			die("mprotect");
		break;
	case 5:
		n = m->pages + draw(64);
		m->p = mremap(m->p, m->pages * page_size, n * page_size, MREMAP_MAYMOVE);
		if (m->p == MAP_FAILED)
			die("mremap");
		mapped += n - m->pages;
		m->pages = n;
		check_map(m);
		break;
	}
}

static void on_map(void)
{
	struct map *m = &maps[draw(MAPS)];

	if (!m->p)
		new_map(m);
	else if (draw(3))
		change_map(m);
	else
		free_map(m);
}

/* Allocate and free on the heap: many small objects, and a few of up to 64 KiB. */
static void on_objects(void)
{
	for (unsigned int i = 0; i < 64; i++) {
		struct object *o = &objects[draw(OBJECTS)];
		unsigned long last = o->size / sizeof(*o->p) - 1;

		if (o->p) {
			if (o->p[0] != o->id || o->p[last] != ~o->id)
				lost("object", o->id);
			free(o->p);
			o->p = NULL;
			continue;
		}
		o->size = draw(64) ? draw_size(32, 6) : draw_size(2048, 6);
		o->size &= -sizeof(*o->p);
		last = o->size / sizeof(*o->p) - 1;
		o->id = ++last_id;
		o->p = malloc(o->size);
		if (!o->p)
			die("malloc");
		memset(o->p, 0x5a, o->size);
		o->p[0] = o->id;
		o->p[last] = ~o->id;
	}
}

static const char *file_name(const struct file *f)
{
	static char name[256];

	snprintf(name, sizeof(name), "%s/mix-%u", folder, (unsigned int)(f - files));
	return name;
}

static void remove_file(struct file *f)
{
	if (unlink(file_name(f)))
		die(file_name(f));
	file_bytes -= f->size;
	f->size = 0;
}

static void write_file(struct file *f)
{
	static unsigned long buffer[8192];
	unsigned long size = draw_size(4096, 11);
	int fd;

	if (file_bytes + size > file_limit)
		return;
	fd = open(file_name(f), O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (fd < 0)
		die(file_name(f));
	f->id = ++last_id;
	for (f->size = 0; f->size < size; f->size += sizeof(buffer)) {
		for (unsigned int i = 0; i < sizeof(buffer) / sizeof(buffer[0]); i++)
			buffer[i] = f->id + f->size + i;
		if (write(fd, buffer, sizeof(buffer)) != sizeof(buffer))
			die(file_name(f));
	}
	close(fd);
	file_bytes += f->size;
}

static void read_file(const struct file *f)
{
	static unsigned long buffer[8192];
	int fd = open(file_name(f), O_RDONLY);

	if (fd < 0)
		die(file_name(f));
	for (unsigned long at = 0; at < f->size; at += sizeof(buffer)) {
		if (read(fd, buffer, sizeof(buffer)) != sizeof(buffer))
			die(file_name(f));
		for (unsigned int i = 0; i < sizeof(buffer) / sizeof(buffer[0]); i++)
			if (buffer[i] != f->id + at + i)
				lost("file", f->id);
	}
	close(fd);
}

static void on_file(void)
{
	struct file *f = &files[draw(FILES)];

	if (!f->size)
		write_file(f);
	else if (draw(3))
		read_file(f);
	else
		remove_file(f);
}

static void reap(unsigned int i, int flags)
{
	int status;

	if (!children[i] || !waitpid(children[i], &status, flags))
		return;
	children[i] = 0;
	if (!WIFEXITED(status) || WEXITSTATUS(status)) {
		fprintf(stderr, "mix: a child's status: %#x\n", status);
		exit(1);
	}
}

/* Fork a child that changes some of the memory that it has inherited, may sleep a while, and checks
 * the rest.
 */
static void on_child(void)
{
	unsigned int c = draw(CHILDREN), i = draw(MAPS), yields = draw(20);
	unsigned long budget = map_limit / (4 * CHILDREN);
	struct map *m = &maps[i];

	reap(c, 0);
	fflush(stdout);
	children[c] = fork();
	if (children[c] < 0)
		die("fork");
	if (children[c])
		return;
	for (unsigned long page = 0; page < m->touched && page < budget; page += 1 + draw(8))
		*page_at(m, page) = contents(0, page);
	while (yields--)
		usleep(1000);
	for (unsigned int other = 0; other < MAPS; other++)
		if (other != i && draw(4) == 0)
			check_map(&maps[other]);
	_exit(0);
}

/* The sum of the numbers behind @name in a file of /proc. */
static unsigned long field(const char *path, const char *name)
{
	FILE *f = fopen(path, "r");
	unsigned long sum = 0;
	char line[256], *text;

	if (!f)
		die(path);
	while (fgets(line, sizeof(line), f)) {
		text = line + strspn(line, " ");
		if (!strncmp(text, name, strlen(name)))
			sum += strtoul(text + strlen(name), NULL, 10);
	}
	fclose(f);
	return sum;
}

/* Free memory in MiB, including the pages in the lists of processors. */
static unsigned long free_mib(void)
{
	return (field("/proc/meminfo", "MemFree:") +
		field("/proc/zoneinfo", "count:") * (page_size >> 10)) >> 10;
}

/* Print the anonymous memory of this process, and its share in superpages by size. */
static void print_anon(void)
{
	unsigned long anon = 0, all = 0, value, kb[MAX_ORDERS] = { 0 };
	FILE *f = fopen("/proc/self/smaps", "r");
	char line[256];

	while (f && fgets(line, sizeof(line), f)) {
		unsigned long size;

		if (sscanf(line, "Anonymous: %lu", &value) == 1) {
			anon += value;
		} else if (sscanf(line, "Superpages%lukB: %lu", &size, &value) == 2) {
			kb[__builtin_ctzl(size / (page_size >> 10))] += value;
			all += value;
		}
	}
	if (f)
		fclose(f);
	printf(" anon %lu MiB superpages %lu%%", anon >> 10, anon ? 100 * all / anon : 0);
	for (unsigned int i = 0; i < MAX_ORDERS; i++)
		if (kb[i])
			printf(" %luK:%lu%%", (page_size << i) >> 10, 100 * kb[i] / anon);
}

/* Print the free blocks of all zones by order. */
static void print_free(void)
{
	FILE *f = fopen("/proc/buddyinfo", "r");
	unsigned long blocks[MAX_ORDERS] = { 0 };
	char line[512], *rest;
	unsigned int n = 0;

	while (f && fgets(line, sizeof(line), f)) {
		rest = strstr(line, "zone");
		rest = rest ? rest + strcspn(rest, " ") : NULL;
		rest = rest ? rest + strspn(rest, " ") : NULL;
		rest = rest ? rest + strcspn(rest, " ") : NULL;	/* behind the zone's name */
		for (unsigned int i = 0; rest && i < MAX_ORDERS; i++) {
			char *end;
			unsigned long value = strtoul(rest, &end, 10);

			if (end == rest)
				break;
			blocks[i] += value;
			rest = end;
			if (i >= n)
				n = i + 1;
		}
	}
	if (f)
		fclose(f);
	printf(" free %lu MiB:", free_mib());
	for (unsigned int i = 0; i < n; i++)
		printf(" %lu", blocks[i]);
	putchar('\n');
}

static void print_line(unsigned long begin)
{
	printf("%5.1fG ops %lu faults %lu mean %lu longest %lu",
	       (double)(cycles() - begin) / GIGA, operations, faults,
	       faults ? fault_cycles / faults : 0, longest);
	print_anon();
	print_free();
	fflush(stdout);
	faults = 0;
	fault_cycles = 0;
	longest = 0;
}

static void give_back(void)
{
	for (unsigned int i = 0; i < CHILDREN; i++)
		reap(i, 0);
	for (unsigned int i = 0; i < MAPS; i++)
		if (maps[i].p)
			free_map(&maps[i]);
	for (unsigned int i = 0; i < OBJECTS; i++)
		free(objects[i].p);
	for (unsigned int i = 0; i < FILES; i++)
		if (files[i].size)
			remove_file(&files[i]);
}

/* Processor time of the kernel threads whose names begin with @name, in hundredths of a second. */
static unsigned long thread_time(const char *name)
{
	unsigned long sum = 0, time;
	struct dirent *entry;
	char path[300], text[1024], *rest;
	DIR *dir = opendir("/proc");
	FILE *f;

	while (dir && (entry = readdir(dir))) {
		snprintf(path, sizeof(path), "/proc/%s/stat", entry->d_name);
		f = *entry->d_name >= '1' && *entry->d_name <= '9' ? fopen(path, "r") : NULL;
		rest = f && fgets(text, sizeof(text), f) ? strchr(text, '(') : NULL;
		if (f)
			fclose(f);
		if (!rest || strncmp(rest + 1, name, strlen(name)))
			continue;
		rest = strchr(rest, ')');
		if (rest && sscanf(rest, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %lu",
				   &time) == 1)
			sum += time;
	}
	if (dir)
		closedir(dir);
	return sum;
}

/* Print a line about the new mapping.  Return: how many % are in superpages of 1 MiB or more. */
static unsigned long print_new(const char *when, const struct map *m, unsigned long *thread,
			       unsigned long *compact)
{
	unsigned long size, kb, huge = 0, start = 0, now;
	FILE *f = fopen("/proc/self/smaps", "r");
	char line[256];

	while (f && fgets(line, sizeof(line), f)) {
		if (strchr(line, '-') && sscanf(line, "%lx-", &now) == 1)
			start = now;
		if (start == (unsigned long)m->p &&
		    sscanf(line, "Superpages%lukB: %lu", &size, &kb) == 2 && size >= 1024)
			huge += kb;
	}
	if (f)
		fclose(f);
	huge = 100 * (huge << 10) / (m->pages * page_size);
	printf("new mapping %s: %lu%% in superpages of 1 MiB and more", when, huge);
	printf(", faults %lu cycles %lu longest %lu", faults, fault_cycles, longest);
	now = thread_time("khugepaged");
	printf(", khugepaged %lu", now - *thread);
	*thread = now;
	now = thread_time("kcompactd");
	printf(" kcompactd %lu,", now - *compact);
	*compact = now;
	print_free();
	fflush(stdout);
	return huge;
}

static char *map_pages(unsigned long pages)
{
	char *p = mmap(NULL, pages * page_size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		die("mmap");
	return p;
}

static void punch(struct map *m)
{
	m->holes = true;
	for (unsigned long i = 0; i < m->touched; i++)
		if (draw(8) && madvise(page_at(m, i), page_size, MADV_DONTNEED))
			die("madvise");
}

/* Fragment memory, and see what a new program gets then. */
static unsigned long try_new(unsigned long mib, bool advice, unsigned long seconds)
{
	unsigned long thread, compact, huge;
	struct map m = { .pages = mib * MIB / page_size, .id = ++last_id };
	struct map rest = { .pages = (free_mib() - SPARE_MIB) * MIB / page_size, .id = ++last_id };


	rest.p = map_pages(rest.pages);
	while (rest.touched < rest.pages)
		touch(&rest);
	punch(&rest);
	for (unsigned int i = 0; i < MAPS; i++)
		punch(&maps[i]);
	/* MADV_DONTDUMP keeps the kernel from merging the mapping with another one. */
	m.p = map_pages(m.pages);
	if (madvise(m.p, mib * MIB, MADV_DONTDUMP) ||
	    (advice && madvise(m.p, mib * MIB, MADV_HUGEPAGE)))
		die("madvise");
	printf("before the new mapping:");
	print_free();
	faults = 0;
	fault_cycles = 0;
	longest = 0;
	thread = thread_time("khugepaged");
	compact = thread_time("kcompactd");
	while (m.touched < m.pages)
		touch(&m);
	huge = print_new("at once", &m, &thread, &compact);
	if (seconds) {
		sleep(seconds);
		huge = print_new("later", &m, &thread, &compact);
	}
	check_map(&m);
	check_map(&rest);
	munmap(m.p, m.pages * page_size);
	munmap(rest.p, rest.pages * page_size);
	return huge;
}

static unsigned long number(const char *text)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (*text < '0' || *text > '9' || *end) {
		fprintf(stderr, "mix: %s: not a number\n", text);
		exit(2);
	}
	return value;
}

int main(int argc, char **argv)
{
	unsigned long length = 20, interval = 1, new_mib = 0, seconds = 0, huge = 0, percent = 0;
	unsigned long begin, next, before, after;
	bool advice = false;
	int option;

	page_size = sysconf(_SC_PAGESIZE);
	before = free_mib();
	map_limit = before / 2 * MIB / page_size;
	file_limit = before / 10 * MIB;
	state = 88172645463325252UL;
	while ((option = getopt(argc, argv, "g:m:f:i:d:s:n:aw:p:")) != -1) {
		switch (option) {
		case 'g':
			length = number(optarg);
			break;
		case 'm':
			map_limit = number(optarg) * MIB / page_size;
			break;
		case 'f':
			file_limit = number(optarg) * MIB;
			break;
		case 'i':
			interval = number(optarg);
			break;
		case 'd':
			folder = optarg;
			break;
		case 's':
			state += number(optarg);
			break;
		case 'n':
			new_mib = number(optarg);
			break;
		case 'a':
			advice = true;
			break;
		case 'w':
			seconds = number(optarg);
			break;
		case 'p':
			percent = number(optarg);
			break;
		default:
			fputs("use: mix [OPTIONS]; the head of mix.c lists them\n", stderr);
			return 2;
		}
	}

	begin = cycles();
	next = begin + interval * GIGA;
	print_line(begin);
	while (cycles() - begin < length * GIGA) {
		switch (draw(16)) {
		case 0:
			on_child();
			break;
		case 1 ... 3:
			on_file();
			break;
		case 4 ... 8:
			on_objects();
			break;
		default:
			on_map();
			break;
		}
		for (unsigned int i = 0; i < CHILDREN; i++)
			reap(i, WNOHANG);
		operations++;
		if (cycles() >= next) {
			print_line(begin);
			next += interval * GIGA;
		}
	}
	if (new_mib)
		huge = try_new(new_mib, advice, seconds);
	give_back();
	print_line(begin);
	after = free_mib();
	printf("mix: free at the start %lu MiB, at the end %lu MiB\n", before, after);
	if (huge < percent)
		printf("mix: %lu%% of the new mapping in superpages, not %lu%%\n", huge, percent);
	return after + SLACK_MIB < before || huge < percent;
}
