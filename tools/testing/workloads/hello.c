// SPDX-License-Identifier: GPL-2.0
/*
 * A program for the workload "compile"
 */
#include <stdio.h>

int main(void)
{
	puts("hello, world");
	return 0;
}
