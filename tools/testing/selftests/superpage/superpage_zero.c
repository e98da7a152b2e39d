// SPDX-License-Identifier: GPL-2.0
/*
 * Every byte of fresh memory is zero, whoever had the memory before and however a
 * program touches it first.
 */
#include "superpage.h"

/* Fill about as much memory as is free with garbage that nobody must see, and free it. */
static void spread_garbage(size_t bytes)
{
	pid_t pid = sp_fork();
	uint64_t *p;

	if (!pid) {
		p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		sp_need(p != MAP_FAILED, "no memory for garbage");
		sp_fill(p, bytes, 0xbadbadbadbadbadUL);
		sp_child_exit();
	}
	sp_wait(pid);
}

enum { READS, WRITES, TAIL, TOUCHES };

static const char * const touch_name[TOUCHES] = {
	"read first", "written to first", "written to at its end",
};

static void check_fresh(unsigned int order, int touch, char *p, size_t len)
{
	size_t size = page_size << order, i;
	long at;

	/* Write one word of each superpage, which need not be zero then. */
	for (i = 0; i < len; i += size) {
		uint64_t *w = (uint64_t *)(p + i + (touch == TAIL ? size - 8 : size / 2));

		if (touch == READS)
			continue;
		sp_expect(!*w, "order %u: a word is %#lx before it was written to", order,
			  (unsigned long)*w);
		*w = 0x123456789abcdef;
		sp_expect(*w == 0x123456789abcdef, "order %u: a word is not what was written",
			  order);
		*w = 0;
	}
	at = sp_differs(p, len, 0);
	sp_expect(at < 0, "order %u, %s: byte %ld is not zero: %#lx", order, touch_name[touch], at,
		  at < 0 ? 0 : *(unsigned long *)(p + at));
}

static void test_order(unsigned int order)
{
	size_t size = page_size << order;
	size_t len = size > 16 << 20 ? size : size > 2 << 20 ? size * 2 : 4 << 20;
	struct sp_count before = sp_count(order), after;
	size_t spare = (size_t)sp_meminfo_kb("MemAvailable:") << 10;
	int touch, i;
	char *p;

	if (spare < 2 * len) {
		ksft_test_result_skip("order %u: not enough memory\n", order);
		return;
	}
	if (size > 16 << 20)
		sp_write("/proc/sys/vm/compact_memory", "1");
	spread_garbage(len + len / 4);
	for (touch = 0; touch < TOUCHES; touch++) {
		p = sp_map(len, size);
		sp_permit(1UL << order);
		check_fresh(order, touch, p, len);
		sp_fill(p, len, touch + 1);

		/* Get some of it anew, but keep the mapping. */
		for (i = 0; i < (len > size ? 2 : 1); i++) {
			size_t part = i ? size : size / 2;

			madvise(p + size / 2, part, MADV_DONTNEED);
			check_fresh(0, touch, p + size / 2, part);
			sp_expect(sp_differs(p, size / 2, touch + 1) < 0,
				  "order %u: what was not freed has changed", order);
			sp_fill(p + size / 2, part, (touch + 1) + size / 16 * SP_PATTERN);
		}
		sp_permit(0);
		munmap(p, len);
	}
	after = sp_count(order);
	if (sp_tunable && after.alloc == before.alloc && size > 16 << 20) {
		ksft_test_result_skip("order %u: no contiguous memory\n", order);
		return;
	}
	if (sp_tunable)
		sp_expect(after.alloc > before.alloc, "no superpage was used");
	sp_result("order %u: %zu kB is zero", order, size >> 10);
}

/* Map lengths that no single order fits. */
static void test_odd(void)
{
	size_t n, len = 0;
	char *p;

	spread_garbage(16 << 20);
	sp_permit(sp_all_orders());
	for (n = 1; n < 600; n = n * 3 / 2 + 1) {
		len = n * page_size;
		p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		sp_need(p != MAP_FAILED, "mmap");
		sp_expect(sp_differs(p, len, 0) < 0, "%zu pages are not zero", n);
		sp_fill(p, len, n);
		p = mremap(p, len, len * 2, MREMAP_MAYMOVE);
		sp_need(p != MAP_FAILED, "mremap");
		sp_expect(sp_differs(p, len, n) < 0, "%zu pages are not what they were", n);
		sp_expect(sp_differs(p + len, len, 0) < 0, "%zu new pages are not zero", n);
		munmap(p, len * 2);
	}
	sp_permit(0);
	sp_result("lengths that no order fits");
}

/* Let the heap grow by brk(), a little at a time. */
static void test_brk(void)
{
	char *start, *end;
	unsigned int i;

	/* Begin with a new page, since the rest of the last one need not be zero. */
	sbrk(-(uintptr_t)sbrk(0) & (page_size - 1));
	start = sbrk(0);
	end = start;
	spread_garbage(16 << 20);
	sp_permit(sp_all_orders());
	for (i = 1; i < 200; i++) {
		char *p = sbrk(i * 3001 / 8 * 8);

		sp_need(p == end, "sbrk");
		end = p + i * 3001 / 8 * 8;
		sp_expect(sp_differs(p, end - p, 0) < 0, "the heap has grown by what is not zero");
		memset(p, 0x55, end - p);
		if (i % 40 == 0) {
			sbrk(start - end);
			end = start;
			i++;
		}
	}
	sbrk(start - end);
	sp_permit(0);
	sp_result("the heap");
}

int main(int argc, char **argv)
{
	unsigned int i;

	(void)argc;
	sp_init(argv);
	sp_default_orders();
	ksft_set_plan(sp_orders + 2);
	for (i = 0; i < sp_orders; i++)
		test_order(sp_order[i]);
	test_odd();
	test_brk();
	ksft_finished();
}
