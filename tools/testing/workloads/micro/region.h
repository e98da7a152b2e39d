/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Regions of ia64sim's -stats: what happens in one is counted by itself.  They are begun by a
 * write of their number to an I/O port, which only the simulator has.
 */
#ifndef REGION_H
#define REGION_H

#include <fcntl.h>
#include <unistd.h>

#define PORT_REGION	0x502

/* Return: the number of the region that has begun, 0 if none has; -1 on an error */
static inline int region_begun(int port)
{
	unsigned char number;

	return pread(port, &number, 1, PORT_REGION) == 1 ? number : -1;
}

/* End the region that has begun, and begin another; 0 begins none.  Return: nonzero on an error */
static inline int region_begin(int port, unsigned char number)
{
	return pwrite(port, &number, 1, PORT_REGION) != 1;
}

/* Return: a file descriptor for the port; -1 if this is not the simulator, or not for root */
static inline int region_open(void)
{
	int port = -1, begun;

#ifdef __ia64__
	port = open("/dev/port", O_RDWR | O_CLOEXEC);
#endif
	if (port < 0)
		return -1;
	begun = region_begun(port);
	/* Where nothing is, all bits are 1. */
	if (begun < 0 || begun == 0xff) {
		close(port);
		return -1;
	}
	return port;
}

#endif /* REGION_H */
