// SPDX-License-Identifier: GPL-2.0
/*
 * server PROCESSES REQUESTS - do what a web server of many processes does
 *
 * Each process waits for requests.  It has a table of the pages that it made before.  If the page
 * is not there, it reads a file and makes the page of it.  Then it sends the page.  The client
 * always has one request waiting at each process, so that the processes take turns.  Pipes stand in
 * for a network.
 */
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "micro.h"

#define USAGE	"PROCESSES REQUESTS"

enum { FILES = 64, FILE_BYTES = 8 * KIB, CACHED = 256, MAX_PROCESSES = 512 };

struct request {
	uint32_t file, user;
};

struct answer {
	uint64_t length, sum;
};

static char folder[] = "/tmp/server.XXXXXX";

static void check(int bad, const char *what)
{
	if (bad)
		die(what);
}

static void path_of(char *path, size_t size, uint32_t number)
{
	snprintf(path, size, "%s/%u", folder, number);
}

static void make_files(void)
{
	static char text[FILE_BYTES];
	char path[64];

	check(!mkdtemp(folder), folder);
	for (uint32_t i = 0; i < FILES; i++) {
		int fd;

		for (size_t k = 0; k < sizeof(text); k++)
			text[k] = k % 64 == 63 ? '\n' : k % 97 ? 'a' + (i + k) % 26 : '$';
		path_of(path, sizeof(path), i);
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
		check(fd < 0 || write(fd, text, sizeof(text)) != sizeof(text) || close(fd), path);
	}
}

static void remove_files(void)
{
	char path[64];

	for (uint32_t i = 0; i < FILES; i++) {
		path_of(path, sizeof(path), i);
		unlink(path);
	}
	rmdir(folder);
}

/* The file with each $ replaced by the user's name.  The caller frees it. */
static char *make_page(const struct request *r, size_t *length)
{
	char path[64], *text = allocate(FILE_BYTES), *page = allocate(2 * FILE_BYTES), *to = page;
	int fd;

	path_of(path, sizeof(path), r->file);
	fd = open(path, O_RDONLY);
	check(fd < 0 || read(fd, text, FILE_BYTES) != FILE_BYTES, path);
	close(fd);
	for (size_t i = 0; i < FILE_BYTES; i++) {
		if (text[i] == '$')
			to += sprintf(to, "user-%u", r->user);
		else
			*to++ = text[i];
	}
	free(text);
	*length = to - page;
	return page;
}

static void serve(int requests, int answers)
{
	struct {
		struct request request;
		char *page;
		size_t length;
	} *cache = calloc(CACHED, sizeof(*cache)), *c;
	struct request r;

	check(!cache, "calloc");
	while (read(requests, &r, sizeof(r)) == sizeof(r)) {
		struct answer a = { 0 };

		c = &cache[(r.file * 31 + r.user) % CACHED];
		if (!c->page || c->request.file != r.file || c->request.user != r.user) {
			free(c->page);
			c->page = make_page(&r, &c->length);
			c->request = r;
		}
		a.length = c->length;
		for (size_t i = 0; i < c->length; i++)
			a.sum = a.sum * 31 + (unsigned char)c->page[i];
		check(write(answers, &a, sizeof(a)) != sizeof(a), "write");
	}
	for (int i = 0; i < CACHED; i++)
		free(cache[i].page);
	free(cache);
}

int main(int argc, char **argv)
{
	uint64_t processes = number(argc == 3 ? argv[1] : NULL, 1, MAX_PROCESSES, USAGE);
	uint64_t requests = number(argv[2], 1, UINT32_MAX, USAGE), i, sum = 0, bytes = 0;
	int to[MAX_PROCESSES], from[MAX_PROCESSES];
	pid_t pid[MAX_PROCESSES];
	struct answer a;

	make_files();
	for (i = 0; i < processes; i++) {
		int ask[2], say[2];

		check(pipe(ask) || pipe(say), "pipe");
		pid[i] = fork();
		check(pid[i] < 0, "fork");
		if (!pid[i]) {
			/* Close the pipes of the others, or they would not see their end. */
			for (uint64_t k = 0; k < i; k++) {
				close(to[k]);
				close(from[k]);
			}
			close(ask[1]);
			close(say[0]);
			serve(ask[0], say[1]);
			_exit(0);
		}
		close(ask[0]);
		close(say[1]);
		to[i] = ask[1];
		from[i] = say[0];
	}
	begin();
	for (i = 0; i < requests + processes; i++) {
		uint64_t p = i % processes;

		if (i >= processes) {
			check(read(from[p], &a, sizeof(a)) != sizeof(a), "read");
			sum = mix(sum, a.sum);
			bytes += a.length;
		}
		if (i < requests) {
			/* Request a few of the files often. */
			struct request r;

			r.file = draw(draw(FILES) + 1);
			r.user = draw(16);
			check(write(to[p], &r, sizeof(r)) != sizeof(r), "write");
		}
	}
	end("requests", requests);
	for (i = 0; i < processes; i++) {
		int status;

		close(to[i]);
		check(waitpid(pid[i], &status, 0) != pid[i], "waitpid");
		if (status) {
			fprintf(stderr, "server: process %llu: status %#x\n",
				(unsigned long long)i, status);
			return 1;
		}
	}
	remove_files();
	printf("server %llu processes, %llu requests, %llu bytes: %016llx\n",
	       (unsigned long long)processes, (unsigned long long)requests,
	       (unsigned long long)bytes, (unsigned long long)sum);
	return 0;
}
