/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Threads that write to memory and know what must be there, while their process takes its
 * superpages apart and the kernel makes them whole again.
 */
#ifndef SUPERPAGE_WRITERS_H
#define SUPERPAGE_WRITERS_H

#include <pthread.h>
#include <sys/wait.h>

#include "superpage.h"

#define SP_WRITERS	3

static char *sp_shared;
static size_t sp_shared_len;
static bool sp_writers_end;
static pthread_t sp_writer_thread[SP_WRITERS];

/* Each thread writes to its own word of each page, and knows what is there. */
static void *sp_writer(void *arg)
{
	size_t pages = sp_shared_len / page_size, i;
	unsigned int me = (uintptr_t)arg;
	uint64_t *was, n = 0;
	uint64_t *w;

	was = mmap(NULL, pages * 8, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	sp_need(was != MAP_FAILED, "no memory");
	sp_rng = me + 1;
	while (!sp_acquire(&sp_writers_end)) {
		i = sp_random_below(pages);
		w = (uint64_t *)(sp_shared + i * page_size) + 8 * me;
		sp_expect(READ_ONCE(*w) == was[i], "thread %u, page %zu: %lx, not %lx", me, i,
			  (unsigned long)READ_ONCE(*w), (unsigned long)was[i]);
		was[i] = ++n << 8 | me;
		WRITE_ONCE(*w, was[i]);
		/* Pause: several writes while the kernel copies 1 MiB are enough. */
		if (!(n % 1024))
			usleep(50);
	}
	for (i = 0; i < pages; i++) {
		w = (uint64_t *)(sp_shared + i * page_size) + 8 * me;
		sp_expect(READ_ONCE(*w) == was[i], "thread %u, page %zu at the end: %lx, not %lx",
			  me, i, (unsigned long)READ_ONCE(*w), (unsigned long)was[i]);
	}
	munmap(was, pages * 8);
	return NULL;
}

/* Map @len bytes, a multiple of @align, for the threads, and let them write. */
static void sp_writers_start(size_t len, size_t align)
{
	unsigned int i;

	sp_shared_len = len;
	sp_shared = sp_map(len, align);
	memset(sp_shared, 0, len);
	sp_writers_end = false;
	for (i = 0; i < SP_WRITERS; i++)
		sp_need(!pthread_create(&sp_writer_thread[i], NULL, sp_writer,
					(void *)(uintptr_t)i), "no thread");
}

/* Have each thread check all that it has written, and end. */
static void sp_writers_stop(void)
{
	unsigned int i;

	sp_release(&sp_writers_end, true);
	for (i = 0; i < SP_WRITERS; i++)
		pthread_join(sp_writer_thread[i], NULL);
	munmap(sp_shared, sp_shared_len);
}

/* Choose some of the pages that the threads write to. */
static char *sp_disturb_range(size_t *len)
{
	size_t at = sp_random_below(sp_shared_len / page_size) * page_size;

	*len = page_size << sp_random_below(6);
	if (*len > sp_shared_len - at)
		*len = sp_shared_len - at;
	return sp_shared + at;
}

#define SP_DISTURB_WAYS	5

/* Take superpages apart, in one of the ways that leave the bytes alone. */
static void sp_disturb(unsigned int way)
{
	size_t len;
	char *p = sp_disturb_range(&len);
	pid_t pid;

	switch (way) {
	case 0:
		pid = sp_fork();
		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
		break;
	case 1:
		madvise(p, len, MADV_PAGEOUT);
		break;
	case 2:
		madvise(p, len, MADV_COLD);
		break;
	case 3:
		/* The first call splits the VMA, the second merges it. */
		madvise(p, len, MADV_DONTDUMP);
		madvise(p, len, MADV_DODUMP);
		break;
	case 4:
		mlock(p, len);
		munlock(p, len);
		break;
	}
}

#endif
