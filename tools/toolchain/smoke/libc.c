// SPDX-License-Identifier: GPL-2.0
/*
 * What a static C program may ask of the toolchain, each in a function that
 * says whether it worked: libm, threads and thread-local storage, C11 atomics,
 * 128-bit integers, 80-bit long double, and the unwinder.
 */
#include <execinfo.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

enum { THREADS = 4, ROUNDS = 10000 };

static atomic_long total;
static _Thread_local long mine;

static void *count(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		atomic_fetch_add(&total, 1);
		mine++;
	}
	*(long *)arg = mine;
	return NULL;
}

static int test_threads(void)
{
	pthread_t thread[THREADS];
	long seen[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, count, &seen[i]))
			return 0;
	for (int i = 0; i < THREADS; i++) {
		pthread_join(thread[i], NULL);
		if (seen[i] != ROUNDS)
			return 0;
	}
	return atomic_load(&total) == (long)THREADS * ROUNDS && mine == 0;
}

static int test_int128(void)
{
	volatile unsigned __int128 a = (unsigned __int128)1 << 100;
	volatile unsigned __int128 b = 1000003;

	return (a / b) * b + a % b == a;
}

static int test_libm(void)
{
	volatile double x = 2;
	volatile float f = 0.5f;

	return sqrt(x) * sqrt(x) - 2 < 1e-15 && fabs(sin(x) - 0.9092974268256817) < 1e-15 &&
	       powf(f, 2) == 0.25f && fma(x, x, -4) == 0;
}

static int test_long_double(void)
{
	volatile long double one = 1, eps = 0x1p-63L;
	char text[64];

	snprintf(text, sizeof(text), "%La", one + eps);
	return one + eps > one && strtold(text, NULL) == one + eps &&
	       fabsl(expl(logl(2.5L)) - 2.5L) < 1e-17L;
}

static _Unwind_Reason_Code frame(struct _Unwind_Context *context, void *arg)
{
	if (_Unwind_GetIP(context))
		(*(int *)arg)++;
	return _URC_NO_REASON;
}

static int __attribute__((noinline)) depth(int n)
{
	int frames = 0;

	if (n)
		return depth(n - 1) + 1 - 1;
	_Unwind_Backtrace(frame, &frames);
	return frames;
}

static int test_unwind(void)
{
	void *address[64];

	return depth(5) - depth(0) == 5 && backtrace(address, 64) >= 2;
}

static void unlock(void *arg)
{
	*(int *)arg = 1;
}

static void *wait_for_cancel(void *arg)
{
	pthread_cleanup_push(unlock, arg);
	for (;;)
		pthread_testcancel();
	pthread_cleanup_pop(0);
	return NULL;
}

/* Cancellation unwinds the thread's stack by force. */
static int test_cancel(void)
{
	pthread_t thread;
	int cleaned = 0;
	void *result;

	if (pthread_create(&thread, NULL, wait_for_cancel, &cleaned))
		return 0;
	pthread_cancel(thread);
	pthread_join(thread, &result);
	return cleaned && result == PTHREAD_CANCELED;
}

int main(void)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} test[] = {
		{ "threads, TLS and C11 atomics", test_threads },
		{ "__int128", test_int128 },
		{ "libm", test_libm },
		{ "long double", test_long_double },
		{ "unwinder and backtrace()", test_unwind },
		{ "thread cancellation", test_cancel },
	};
	const int n = sizeof(test) / sizeof(test[0]);
	int failed = 0;

	printf("TAP version 13\n1..%d\n", n);
	for (int i = 0; i < n; i++) {
		int ok = test[i].run();

		printf("%s %d - %s\n", ok ? "ok" : "not ok", i + 1, test[i].name);
		failed += !ok;
	}
	return failed != 0;
}
