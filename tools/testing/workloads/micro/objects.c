// SPDX-License-Identifier: GPL-2.0
/*
 * objects OBJECTS TRANSACTIONS - run an object store in memory, in place of the benchmark vortex
 *
 * It stores persons, parts and drawings, each in an allocation of its own.  It finds them by number
 * in a balanced tree (a treap) and by name in a hash table.  Objects have links to each other.  A
 * transaction looks objects up, follows links, changes, deletes or inserts objects.
 */
#include "micro.h"

#define USAGE	"OBJECTS TRANSACTIONS"

enum kind { PERSON, PART, DRAWING, KINDS };
enum { LINKS = 4 };

struct object {
	struct object *left, *right;		/* in the tree */
	struct object *next_of_name;
	uint64_t id;
	uint32_t weight;			/* no child in the tree has a larger one */
	uint32_t names;				/* hash of the name */
	enum kind kind;
	uint32_t size;				/* of the body */
	uint64_t links[LINKS];			/* numbers of objects, some of them deleted */
	char name[24];
	unsigned char body[];
};

static struct object *root, **by_name;
static uint64_t name_mask, next_id, alive;

static uint32_t hash(const char *name)
{
	uint64_t sum = 0xcbf29ce484222325ULL;

	while (*name)
		sum = mix(sum, (unsigned char)*name++);
	return sum >> 16;
}

/* --- the tree -------------------------------------------------------------------------------- */

static struct object *find(uint64_t id)
{
	struct object *o = root;

	while (o && o->id != id)
		o = id < o->id ? o->left : o->right;
	return o;
}

static void insert_in_tree(struct object *o)
{
	struct object **at = &root, **left = &o->left, **right = &o->right, *rest;

	while (*at && (*at)->weight >= o->weight)
		at = o->id < (*at)->id ? &(*at)->left : &(*at)->right;
	/* Divide the subtree that was there between the two sides of the new object. */
	rest = *at;
	*at = o;
	while (rest) {
		if (rest->id < o->id) {
			*left = rest;
			left = &rest->right;
			rest = rest->right;
		} else {
			*right = rest;
			right = &rest->left;
			rest = rest->left;
		}
	}
	*left = *right = NULL;
}

static void remove_from_tree(struct object *o)
{
	struct object **at = &root, *left = o->left, *right = o->right;

	while (*at != o)
		at = o->id < (*at)->id ? &(*at)->left : &(*at)->right;
	while (left && right) {
		if (left->weight >= right->weight) {
			*at = left;
			at = &left->right;
			left = left->right;
		} else {
			*at = right;
			at = &right->left;
			right = right->left;
		}
	}
	*at = left ? left : right;
}

/* --- objects ---------------------------------------------------------------------------------- */

static void create(void)
{
	static const uint32_t sizes[KINDS] = { 64, 160, 700 };
	enum kind kind = draw(10) < 5 ? PART : draw(5) < 4 ? PERSON : DRAWING;
	uint32_t size = sizes[kind] + draw(sizes[kind]);
	struct object *o = allocate(sizeof(*o) + size);

	o->id = next_id++;
	o->weight = draw(UINT32_MAX);
	o->kind = kind;
	o->size = size;
	for (int i = 0; i < LINKS; i++)
		o->links[i] = draw(next_id);
	snprintf(o->name, sizeof(o->name), "%c-%llu", "PQD"[kind],
		 (unsigned long long)draw(name_mask * 4));
	o->names = hash(o->name);
	for (uint32_t i = 0; i < size; i++)
		o->body[i] = o->id + i;
	o->next_of_name = by_name[o->names & name_mask];
	by_name[o->names & name_mask] = o;
	insert_in_tree(o);
	alive++;
}

static void destroy(struct object *o)
{
	struct object **at = &by_name[o->names & name_mask];

	while (*at != o)
		at = &(*at)->next_of_name;
	*at = o->next_of_name;
	remove_from_tree(o);
	free(o);
	alive--;
}

static uint64_t sum_of(const struct object *o)
{
	uint64_t sum = mix(o->id, o->kind);

	for (uint32_t i = 0; i < o->size; i += 8)
		sum = mix(sum, o->body[i]);
	return sum;
}

/* Follow the links from an object. */
static uint64_t traverse(struct object *o, int depth)
{
	uint64_t sum = mix(o->id, o->size);

	for (int i = 0; i < LINKS && depth; i++) {
		struct object *to = find(o->links[i]);

		if (to)
			sum = mix(sum, traverse(to, depth - 1));
	}
	return sum;
}

static uint64_t transaction(void)
{
	struct object *o = NULL, *found;
	char name[24];
	uint64_t sum = 0, kind;

	switch (draw(10)) {
	case 0:
		create();
		break;
	case 1:
		o = find(draw(next_id));
		if (o && alive > 1)
			destroy(o);
		break;
	case 2 ... 4:
		kind = draw(KINDS);
		snprintf(name, sizeof(name), "%c-%llu", "PQD"[kind],
			 (unsigned long long)draw(name_mask * 4));
		for (found = by_name[hash(name) & name_mask]; found; found = found->next_of_name)
			if (!strcmp(found->name, name))
				sum = mix(sum, sum_of(found));
		break;
	case 5:
		o = find(draw(next_id));
		if (o)
			sum = traverse(o, 2);
		break;
	default:
		o = find(draw(next_id));
		if (o) {
			o->body[draw(o->size)]++;
			o->links[draw(LINKS)] = draw(next_id);
			sum = sum_of(o);
		}
	}
	return sum;
}

int main(int argc, char **argv)
{
	uint64_t objects = number(argc == 3 ? argv[1] : NULL, 16, UINT32_MAX, USAGE);
	uint64_t transactions = number(argv[2], 1, UINT32_MAX, USAGE), i, sum = 0;

	for (name_mask = 1; name_mask < objects; name_mask *= 2)
		;
	by_name = calloc(name_mask--, sizeof(*by_name));
	if (!by_name)
		die("calloc");
	begin();
	for (i = 0; i < objects; i++)
		create();
	end("create", objects);
	begin();
	for (i = 0; i < transactions; i++)
		sum = mix(sum, transaction());
	end("transactions", transactions);
	printf("objects %llu, %llu transactions, %llu are left: %016llx\n",
	       (unsigned long long)objects, (unsigned long long)transactions,
	       (unsigned long long)alive, (unsigned long long)sum);
	while (root)
		destroy(root);
	free(by_name);
	return 0;
}
