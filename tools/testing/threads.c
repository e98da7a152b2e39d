// SPDX-License-Identifier: GPL-2.0
/*
 * threads N - run a thread on each of N processors and let them count together,
 * with a lock and with an atomic operation.
 */

#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 20000
#define MAX_THREADS 64

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static unsigned long locked;
static atomic_ulong counted;

static void *count(void *arg)
{
	long cpu = (long)arg;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (pthread_setaffinity_np(pthread_self(), sizeof(set), &set)) {
		fprintf(stderr, "threads: no processor %ld\n", cpu);
		return (void *)1;
	}
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&lock);
		locked++;
		pthread_mutex_unlock(&lock);
		atomic_fetch_add(&counted, 1);
	}
	return (void *)(long)(sched_getcpu() != cpu);
}

int main(int argc, char *argv[])
{
	int n = argc == 2 ? atoi(argv[1]) : 0, failed = 0;
	pthread_t thread[MAX_THREADS];

	if (n < 1 || n > MAX_THREADS) {
		fprintf(stderr, "use: threads N, with N from 1 to %d\n", MAX_THREADS);
		return 2;
	}
	pthread_barrier_init(&barrier, NULL, n);
	for (long i = 0; i < n; i++) {
		if (pthread_create(&thread[i], NULL, count, (void *)i)) {
			perror("threads: pthread_create");
			return 1;
		}
	}
	for (int i = 0; i < n; i++) {
		void *result;

		pthread_join(thread[i], &result);
		failed |= result != NULL;
	}
	printf("threads: %lu locked, %lu counted, of %d\n", locked, (unsigned long)counted,
	       n * ROUNDS);
	return failed || locked != (unsigned long)n * ROUNDS || counted != locked;
}
