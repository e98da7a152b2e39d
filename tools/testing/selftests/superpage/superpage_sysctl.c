// SPDX-License-Identifier: GPL-2.0
/*
 * vm.superpage_order_bitmap and vm.superpage_vm_align accept right values, refuse wrong
 * ones and then change nothing, and refuse processes that may not write.
 */
#include <pthread.h>

#include "superpage.h"

static size_t largest(void)
{
	return page_size << sp_order[sp_orders - 1];
}

static void refuse(const char *path, const char *text)
{
	unsigned long before = sp_get(path);
	int err = sp_write(path, text);

	sp_expect(err == -EINVAL, "\"%s\" gives %d (%s), not EINVAL", text, err, strerror(-err));
	sp_expect(sp_get(path) == before, "\"%s\" has changed %lu to %lu", text, before,
		  sp_get(path));
}

static void refuse_number(const char *path, unsigned long n)
{
	char text[32];

	snprintf(text, sizeof(text), "%lu", n);
	refuse(path, text);
	snprintf(text, sizeof(text), "%#lx\n", n);
	refuse(path, text);
}

static void take(const char *path, unsigned long n)
{
	char text[32];
	int err;

	err = sp_write_number(path, n);
	sp_expect(!err, "%lu gives %s", n, strerror(-err));
	sp_expect(sp_get(path) == n, "%lu became %lu", n, sp_get(path));
	sp_write_number(path, 0);
	snprintf(text, sizeof(text), "%#lx", n);
	err = sp_write(path, text);
	sp_expect(!err, "%s gives %s", text, strerror(-err));
	sp_expect(sp_get(path) == n, "%s became %lu", text, sp_get(path));
}

static void test_garbage(const char *path, const char *name)
{
	static const char * const garbage[] = {
		"-1", "-4", "x", "0x", "four", "4 kB", "4k", "1.5", "\n", " ", "--4", "0x4g",
		"18446744073709551616", "99999999999999999999999999", "0x10000000000000000",
		"-9223372036854775808",
	};
	unsigned long good[] = { 0, !strcmp(path, SP_ALIGN) ? page_size : 1UL << sp_order[0] };
	size_t i, k;

	for (k = 0; k < ARRAY_SIZE(good); k++) {
		sp_write_number(path, good[k]);
		for (i = 0; i < ARRAY_SIZE(garbage); i++) {
			/* Of a number and another word, sysctls take the number. */
			if (!strcmp(garbage[i], "4 kB"))
				continue;
			refuse(path, garbage[i]);
		}
	}
	sp_result("%s: garbage", name);
}

static void test_bitmap(void)
{
	unsigned long all = sp_all_orders();
	unsigned int i;

	sp_write_number(SP_BITMAP, all);
	for (i = 0; i < 64; i++) {
		if (all & 1UL << i)
			continue;
		refuse_number(SP_BITMAP, 1UL << i);
		refuse_number(SP_BITMAP, all | 1UL << i);
	}
	refuse_number(SP_BITMAP, ULONG_MAX);
	sp_result("order bitmap: impossible orders");

	for (i = 0; i < sp_orders; i++) {
		take(SP_BITMAP, 1UL << sp_order[i]);
		take(SP_BITMAP, all & ~(1UL << sp_order[i]));
		take(SP_BITMAP, all & ((2UL << sp_order[i]) - 1));
	}
	take(SP_BITMAP, 0);
	take(SP_BITMAP, all);
	sp_write_number(SP_BITMAP, 0);
	sp_result("order bitmap: all that is possible");
}

static void test_align(void)
{
	unsigned long n;

	sp_write_number(SP_ALIGN, largest());
	for (n = 1; n < page_size; n *= 2)
		refuse_number(SP_ALIGN, n);
	for (n = page_size; n <= largest(); n *= 2) {
		refuse_number(SP_ALIGN, n + 1);
		refuse_number(SP_ALIGN, n - 1);
		refuse_number(SP_ALIGN, n * 3);
	}
	for (n = largest() * 2; n; n *= 2)
		refuse_number(SP_ALIGN, n);
	refuse_number(SP_ALIGN, ULONG_MAX);
	sp_result("alignment: wrong ones");

	for (n = page_size; n <= largest(); n *= 2)
		take(SP_ALIGN, n);
	take(SP_ALIGN, 0);
	sp_result("alignment: right ones");
}

/* The kernel aligns a mapping by vm.superpage_vm_align if it is long enough. */
static void test_placement(void)
{
	size_t align, len;
	unsigned int i;
	char *p[4];
	size_t k;

	for (i = 0; i < sp_orders && sp_order[i] <= 10; i++) {
		align = page_size << sp_order[i];
		sp_write_number(SP_ALIGN, align);
		sp_permit(1UL << sp_order[i]);
		for (len = align; len <= align * 4; len *= 2) {
			for (k = 0; k < ARRAY_SIZE(p); k++) {
				p[k] = mmap(NULL, len, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
					    -1, 0);
				sp_expect(!((uintptr_t)p[k] & (align - 1)),
					  "%zu bytes are at %p, no multiple of %zu", len,
					  p[k], align);
			}
			for (k = 0; k < ARRAY_SIZE(p); k++)
				munmap(p[k], len);
		}
		/* A smaller mapping must not waste addresses. */
		p[0] = mmap(NULL, page_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		p[1] = mmap(NULL, page_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		sp_expect(labs(p[0] - p[1]) < (long)align, "two pages are at %p and %p", p[0],
			  p[1]);
		munmap(p[0], page_size);
		munmap(p[1], page_size);
	}
	sp_permit(0);
	sp_write_number(SP_ALIGN, largest());
	sp_result("alignment: where mappings are");
}

/* Page faults use exactly the orders that the bitmap permits. */
static void test_use(void)
{
	unsigned int i, k;
	char *p;

	for (i = 0; i < sp_orders && sp_order[i] <= 8; i++) {
		size_t size = page_size << sp_order[i];
		struct sp_count before[SP_MAX_ORDERS], now;
		long want, more;

		p = sp_map(2 * size, 2 * size);
		sp_counts(before);
		sp_permit(1UL << sp_order[i]);
		p[0] = 1;
		p[size] = 1;
		sp_permit(0);
		for (k = 0; k < sp_orders; k++) {
			now = sp_count(sp_order[k]);
			want = k == i ? 2 : 0;
			more = now.mapped - before[k].mapped;
			sp_expect(more == want && now.alloc - before[k].alloc >= want,
				  "%ld superpages of order %u where only %u is permitted", more,
				  sp_order[k], sp_order[i]);
		}
		/* When superpages are off, a touch maps base pages. */
		madvise(p, size, MADV_DONTNEED);
		before[i] = sp_count(sp_order[i]);
		memset(p, 1, size);
		now = sp_count(sp_order[i]);
		sp_expect(now.mapped == before[i].mapped, "superpages though none is permitted");
		munmap(p, 2 * size);
	}
	sp_result("order bitmap: the orders that are used");
}

static void test_unprivileged(void)
{
	static const char * const path[] = { SP_BITMAP, SP_ALIGN };
	pid_t pid;
	size_t i;

	pid = sp_fork();
	if (!pid) {
		sp_need(!setgid(65534) && !setuid(65534), "cannot become nobody");
		for (i = 0; i < ARRAY_SIZE(path); i++) {
			unsigned long before = sp_get(path[i]);
			int err = sp_write_number(path[i], 0);

			sp_expect(err == -EACCES || err == -EPERM, "%s: write gives %d", path[i],
				  err);
			sp_expect(sp_get(path[i]) == before, "%s has changed", path[i]);
		}
		sp_expect(!access(SP_INFO, R_OK), "%s cannot be read", SP_INFO);
		sp_expect(access(SP_INFO, W_OK), "%s can be written to", SP_INFO);
		sp_child_exit();
	}
	sp_wait(pid);
	sp_result("users who may not");
}

static bool stop;

static void *tuner(void *arg)
{
	unsigned long bitmap = sp_all_orders();
	unsigned int i;

	for (i = 0; !READ_ONCE(stop); i++) {
		sp_write_number(SP_BITMAP, i % 3 ? bitmap & i * 0x9e3779b9UL : 0);
		sp_write_number(SP_ALIGN, i % 2 ? largest() : 0);
	}
	return arg;
}

static void test_concurrent(void)
{
	size_t len = 4 << 20, page, i;
	pthread_t thread;
	char *p;

	sp_need(!pthread_create(&thread, NULL, tuner, NULL), "no thread");
	for (i = 0; i < 30; i++) {
		p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		sp_need(p != MAP_FAILED, "mmap");
		for (page = 0; page < len; page += page_size) {
			sp_expect(!*(uint64_t *)(p + page), "page %zu is not zero", page);
			*(uint64_t *)(p + page) = page + i + 1;
		}
		for (page = 0; page < len; page += page_size)
			sp_expect(*(uint64_t *)(p + page) == page + i + 1, "page %zu differs",
				  page);
		munmap(p, len);
	}
	WRITE_ONCE(stop, true);
	pthread_join(thread, NULL);
	sp_permit(0);
	sp_result("changes during page faults");
}

static const char events[] =
	"marked anon_fault_alloc anon_fault_fallback demoted promoted nr_anon reserved broken";

/* The sysctls that say how page faults choose sizes. */
static void test_growth(void)
{
	static const char * const path[] = {
		"/proc/sys/vm/superpage_fault_max", "/proc/sys/vm/superpage_auto_min",
	};
	unsigned long old, n;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(path); i++) {
		old = sp_get(path[i]);
		sp_expect(old >= page_size && old <= largest() && !(old & (old - 1)),
			  "%s is %lu", path[i], old);
		refuse_number(path[i], 0);
		refuse_number(path[i], ULONG_MAX);
		refuse(path[i], "-16384");
		refuse(path[i], "16 MiB");
		refuse(path[i], "x");
		for (n = 1; n; n *= 2) {
			if (n < page_size || n > largest()) {
				refuse_number(path[i], n);
				continue;
			}
			refuse_number(path[i], n + 1);
			sp_expect(!sp_write_number(path[i], n) && sp_get(path[i]) == n,
				  "%s does not take %lu", path[i], n);
		}
		sp_write_number(path[i], old);
	}
	refuse_number(SP_EAGER, 2);
	refuse_number(SP_EAGER, ULONG_MAX);
	refuse(SP_EAGER, "-1");
	refuse(SP_EAGER, "y");
	take(SP_EAGER, 0);
	take(SP_EAGER, 1);
	sp_result("how page faults choose sizes");
}

/* A line of /proc/superpageinfo has counts, to which later kernels may add, and a word. */
static void test_info(void)
{
	char buf[8192], head[128], *line, *end, *word;
	unsigned int n = 0, columns = 1, i;

	sp_slurp(SP_INFO, buf, sizeof(buf));
	line = strchr(buf, '\n');
	sp_need(line, "%s has no lines", SP_INFO);
	*line++ = '\0';
	snprintf(head, sizeof(head), "order size_kB %s ", events);
	sp_expect(!strncmp(buf, head, strlen(head)) && strlen(buf) > 8 &&
		  !strcmp(buf + strlen(buf) - 8, " enabled"), "the first line is \"%s\"", buf);
	for (i = 0; buf[i]; i++)
		columns += buf[i] == ' ';

	for (; *line; line = end + 1) {
		long order, kb, count;

		end = strchr(line, '\n');
		if (!sp_expect(end, "line %u has no end", n + 1))
			break;
		*end = '\0';
		order = strtol(line, &word, 10);
		kb = strtol(word, &word, 10);
		sp_expect((unsigned long)kb == page_size << order >> 10,
			  "order %ld has %ld kB", order, kb);
		sp_expect(!n || order > (long)sp_order[n - 1], "order %ld is out of order", order);
		for (i = 3; i < columns; i++) {
			count = strtol(word, &word, 10);
			sp_expect(*word == ' ' && count >= 0, "order %ld: column %u is %ld", order,
				  i, count);
		}
		sp_expect(!strcmp(word, " always") || !strcmp(word, " inherit") ||
			  !strcmp(word, " madvise") || !strcmp(word, " never"),
			  "order %ld has the word \"%s\"", order, word);
		n++;
	}
	sp_expect(n == sp_orders, "there are %u orders", n);
	sp_result("%s", SP_INFO);
}

int main(int argc, char **argv)
{
	(void)argc;
	sp_init(argv);
	if (!sp_kernel)
		ksft_exit_skip("no superpages in this kernel\n");
	if (!sp_tunable)
		ksft_exit_skip("only root can do this\n");
	if (!sp_orders)
		ksft_exit_fail_msg("%s has no orders\n", SP_INFO);

	ksft_set_plan(12);
	test_info();
	test_growth();
	test_garbage(SP_BITMAP, "order bitmap");
	test_garbage(SP_ALIGN, "alignment");
	test_bitmap();
	test_align();
	test_placement();
	test_use();
	test_unprivileged();
	test_concurrent();
	ksft_finished();
}
