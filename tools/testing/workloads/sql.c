// SPDX-License-Identifier: GPL-2.0
/*
 * sql ROWS - make a table of ROWS rows with two indices in SQLite's memory, and join it by random
 * keys.
 */
#include <stdio.h>
#include <stdlib.h>

#include <sqlite3.h>

static sqlite3 *db;

static void die(void)
{
	fprintf(stderr, "sql: %s\n", sqlite3_errmsg(db));
	exit(1);
}

static void run(const char *text)
{
	if (sqlite3_exec(db, text, NULL, NULL, NULL) != SQLITE_OK)
		die();
}

static sqlite3_stmt *prepare(const char *text)
{
	sqlite3_stmt *stmt;

	if (sqlite3_prepare_v2(db, text, -1, &stmt, NULL) != SQLITE_OK)
		die();
	return stmt;
}

static unsigned long long state = 88172645463325252ULL;

/* xorshift64 */
static int draw(int below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 32) % below;
}

static void fill(int rows)
{
	sqlite3_stmt *insert = prepare("insert into parts values (?, ?, ?, ?)");
	char name[32];

	run("begin");
	for (int i = 0; i < rows; i++) {
		int length = snprintf(name, sizeof(name), "part %08x", draw(1 << 30));

		sqlite3_bind_int(insert, 1, i);
		sqlite3_bind_int(insert, 2, draw(rows));
		sqlite3_bind_int(insert, 3, draw(1000));
		sqlite3_bind_text(insert, 4, name, length, SQLITE_TRANSIENT);
		if (sqlite3_step(insert) != SQLITE_DONE)
			die();
		sqlite3_reset(insert);
	}
	run("commit");
	sqlite3_finalize(insert);
}

/* Join @keys random keys with the rows that the index has for them. */
static void join(int rows, int keys)
{
	sqlite3_stmt *insert = prepare("insert into wanted values (?)");
	sqlite3_stmt *sum;

	run("delete from wanted");
	run("begin");
	for (int i = 0; i < keys; i++) {
		sqlite3_bind_int(insert, 1, draw(rows));
		if (sqlite3_step(insert) != SQLITE_DONE)
			die();
		sqlite3_reset(insert);
	}
	run("commit");
	sqlite3_finalize(insert);

	sum = prepare("select count(*), sum(b.price), max(b.name) from wanted "
		      "join parts a on a.id = wanted.id join parts b on b.other = a.other");
	if (sqlite3_step(sum) != SQLITE_ROW)
		die();
	printf("%lld rows, %lld, %s\n", sqlite3_column_int64(sum, 0),
	       sqlite3_column_int64(sum, 1), sqlite3_column_text(sum, 2));
	sqlite3_finalize(sum);
}

int main(int argc, char **argv)
{
	int rows = argc == 2 ? atoi(argv[1]) : 0;

	if (rows < 4) {
		fputs("use: sql ROWS, 4 at least\n", stderr);
		return 2;
	}
	if (sqlite3_open(":memory:", &db) != SQLITE_OK)
		die();
	run("create table parts (id integer primary key, other int, price int, name text)");
	run("create table wanted (id int)");
	fill(rows);
	run("create index by_other on parts (other)");
	run("create index by_name on parts (name)");
	for (int i = 0; i < 3; i++)
		join(rows, rows / 4);
	sqlite3_close(db);
	return 0;
}
