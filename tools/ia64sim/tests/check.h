/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counting and reporting for tests: every check is one sentence that is true.
 */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>

static unsigned int checks_passed, checks_failed;

#define check(condition)							\
	do {									\
		if (condition) {						\
			checks_passed++;					\
		} else {							\
			checks_failed++;					\
			printf("%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
		}								\
	} while (0)

/* Equality, with both values shown when it fails. */
#define check_equal(is, should)							\
	do {									\
		unsigned long long is_ = (is), should_ = (should);		\
										\
		if (is_ == should_) {						\
			checks_passed++;					\
		} else {							\
			checks_failed++;					\
			printf("%s:%d: %s is %#llx, should be %#llx\n", __FILE__,	\
			       __LINE__, #is, is_, should_);			\
		}								\
	} while (0)

/* The last line, and main()'s result. */
static inline int check_result(void)
{
	printf("%u passed, %u failed\n", checks_passed, checks_failed);
	return checks_failed != 0;
}

#endif
