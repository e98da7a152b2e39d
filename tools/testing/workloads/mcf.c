// SPDX-License-Identifier: GPL-2.0
/*
 * mcf NODES - find the minimum-cost flow in a random network with 11 arcs for each node, with
 * glpk's out-of-kilter algorithm.  It follows pointers through a heap of small objects, as the
 * benchmark of that name does.
 *
 * The network has a ring of expensive arcs, which makes every demand feasible, random arcs, and 10
 * pairs of nodes, one of which supplies what the other demands.  Costs are small; otherwise the
 * algorithm would need as many steps to change potentials as there are nodes.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <glpk.h>

enum { ARCS = 11, PAIRS = 10, CAPACITY = 20, COST = 10, RING_COST = 1000 };

struct node_data {
	double supply;
};

struct arc_data {
	double low, capacity, cost, flow;
};

static unsigned long long state = 88172645463325252ULL;

/* xorshift64 */
static unsigned int draw(unsigned int below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 32) % below;
}

static void add_arc(glp_graph *g, int from, int to, double capacity, double cost)
{
	struct arc_data *a = glp_add_arc(g, from, to)->data;

	a->capacity = capacity;
	a->cost = cost;
}

static void supply(glp_graph *g, int node, double units)
{
	((struct node_data *)g->v[node]->data)->supply += units;
}

int main(int argc, char **argv)
{
	int nodes = argc == 2 ? atoi(argv[1]) : 0, status;
	unsigned long long sum = 0;
	glp_graph *g;
	double cost;

	if (nodes < PAIRS) {
		fprintf(stderr, "use: mcf NODES, %d at least\n", PAIRS);
		return 2;
	}
	glp_term_out(GLP_OFF);
	g = glp_create_graph(sizeof(struct node_data), sizeof(struct arc_data));
	glp_add_vertices(g, nodes);
	for (int i = 0; i < PAIRS; i++) {
		int from = 1 + draw(nodes), to = 1 + draw(nodes), units = 1 + draw(CAPACITY);

		supply(g, from, units);
		supply(g, to, -units);
	}
	for (int i = 1; i <= nodes; i++)
		add_arc(g, i, i % nodes + 1, 1e9, RING_COST);
	for (int i = 0; i < nodes * (ARCS - 1); i++) {
		int from = 1 + draw(nodes), to = 1 + draw(nodes);

		if (from != to)
			add_arc(g, from, to, 1 + draw(CAPACITY), 1 + draw(COST));
	}

	status = glp_mincost_okalg(g, offsetof(struct node_data, supply),
				   offsetof(struct arc_data, low),
				   offsetof(struct arc_data, capacity),
				   offsetof(struct arc_data, cost), &cost,
				   offsetof(struct arc_data, flow), -1);
	if (status) {
		fprintf(stderr, "mcf: glp_mincost_okalg: %d\n", status);
		return 1;
	}
	for (int i = 1; i <= nodes; i++)
		for (glp_arc *a = g->v[i]->out; a; a = a->t_next)
			sum = sum * 31 + (unsigned long long)((struct arc_data *)a->data)->flow;
	printf("nodes %d, arcs %d, cost %.0f, flows %llx\n", g->nv, g->na, cost, sum);
	return 0;
}
