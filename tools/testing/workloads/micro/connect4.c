// SPDX-License-Identifier: GPL-2.0
/*
 * connect4 WIDTH BITS - solve the game of four in a row on a board of WIDTH columns and 4 rows, as
 * the benchmark Fhourstones does: by alpha-beta search, with a table of 2^BITS positions that is
 * accessed at random.  The search with 5 columns visits 280 thousand positions, with 6 columns 6
 * to 11 million.
 *
 * A column has one bit more than there are rows, so that no line continues in the next column.
 */
#include "micro.h"

enum { HEIGHT = 4, COLUMN = HEIGHT + 1, MAX_WIDTH = 8, STEP = 512 };
enum { LOST = -1, DRAWN, WON };

/* An entry is a position, and below it the two bounds of its value, 2 bits each. */
static uint64_t *table, mask, nodes, hits;
static int width;

static int is_won(uint64_t stones)
{
	static const int steps[] = { 1, COLUMN, COLUMN - 1, COLUMN + 1 };

	for (int i = 0; i < 4; i++) {
		uint64_t pairs = stones & (stones >> steps[i]);

		if (pairs & (pairs >> 2 * steps[i]))
			return 1;
	}
	return 0;
}

/* The best result for the player who moves, with the stones @mine of @all. */
static int solve(uint64_t mine, uint64_t all, int alpha, int beta)
{
	uint64_t bottom = 0, key, *entry, found;
	int best = LOST, first = alpha, middle = width / 2, moves = 0;

	nodes++;
	for (int i = 0; i < width; i++)
		bottom |= 1ULL << i * COLUMN;
	/* This is unique: @bottom adds a bit on top of the stones of each column of @all. */
	key = mine + all + bottom;
	entry = &table[key * 0x9e3779b97f4a7c15ULL >> 20 & mask];
	found = *entry;
	if (found >> 4 == key) {
		int low = (int)(found & 3) - 1, high = (int)(found >> 2 & 3) - 1;

		hits++;
		if (low == high || low >= beta)
			return low;
		if (high <= alpha)
			return high;
	}
	for (int i = 0; i < width && best < beta; i++) {
		/* Try the columns from the middle to the sides. */
		int column = middle + (i & 1 ? -(i + 1) / 2 : i / 2);
		uint64_t top = 1ULL << (column * COLUMN + HEIGHT - 1), stone;
		int value;

		if (column < 0 || column >= width || all & top)
			continue;
		moves++;
		stone = (all + (1ULL << column * COLUMN)) &
			~all & ((1ULL << COLUMN) - 1) << column * COLUMN;
		value = is_won(mine | stone) ? WON :
			-solve(all & ~mine, all | stone, -beta, -alpha);
		if (value > best)
			best = value;
		if (best > alpha)
			alpha = best;
	}
	if (!moves)
		best = DRAWN;
	*entry = key << 4 | (best > first ? best + 1 : 0) |
		 (uint64_t)(best < beta ? best + 1 : WON + 1) << 2;
	return best;
}

int main(int argc, char **argv)
{
	static const char *const words[] = { "lost", "drawn", "won" };
	int value;

	width = number(argc == 3 ? argv[1] : NULL, 4, MAX_WIDTH, "WIDTH BITS");
	mask = (1ULL << number(argv[2], 10, 34, "WIDTH BITS")) - 1;
	table = calloc(mask + 1, sizeof(*table));
	if (!table)
		die("calloc");
	/* Allocate its memory now.  The compiler drops what writes zeros only. */
	for (uint64_t i = 0; i <= mask; i += STEP)
		((volatile uint64_t *)table)[i] = 0;
	begin();
	value = solve(0, 0, LOST, WON);
	end("solve", nodes);
	printf("connect4 %d x %d: %s, %llu nodes, %llu found\n", width, HEIGHT,
	       words[value + 1], (unsigned long long)nodes, (unsigned long long)hits);
	free(table);
	return 0;
}
