#include "learn/latent/reach.h"

#include <stdlib.h>

/* edge: [count][count], whether one leads to the other. The rest are lists of frames. */
typedef struct graph {
    int count;
    unsigned char *edge, *seen;
    int *order, *stack, *next, *part;
} graph;

static tr_status allocate(graph *g, int count) {
    size_t n = (size_t)count;
    *g = (graph){
        .count = count, .edge = calloc(n * n + n, 1), .order = calloc(4 * n, sizeof *g->order)};
    if (!g->edge || !g->order)
        return TR_RESOURCE_EXHAUSTED;
    g->seen = g->edge + n * n;
    g->part = g->order + 3 * n;
    g->stack = g->order + n;
    g->next = g->stack + n;
    return TR_OK;
}

static void make_edges(const tr_latent_space *space, double jump, graph *g) {
    const tr_latent_space_def *def = &space->learned;
    double limit = jump * space->step_length * jump * space->step_length;
    for (int c = 0; c < def->clip_count; c++)
        for (int i = def->clip[c].first; i + 1 < def->clip[c].first + def->clip[c].count; i++)
            for (int j = 0; j < g->count; j++) {
                const double *next = def->point + (i + 1) * def->dimension;
                double distance = tr_latent_square_distance(def->dimension, next,
                                                            def->point + j * def->dimension);
                g->edge[(size_t)i * (size_t)g->count + (size_t)j] = j == i + 1 || distance < limit;
            }
}

static bool leads(const graph *g, int from, int to, bool backward) {
    size_t row = (size_t)(backward ? to : from), column = (size_t)(backward ? from : to);
    return g->edge[row * (size_t)g->count + column];
}

/* Visits unseen frames depth-first from `root`; a frame is appended to `out` when it is left.
 * Returns their number. */
static int visit(graph *g, int root, bool backward, int *out) {
    int depth = 0, left = 0;
    g->stack[depth] = root;
    g->next[depth] = 0;
    g->seen[root] = 1;
    while (depth >= 0) {
        int at = g->stack[depth], to = g->next[depth];
        while (to < g->count && (g->seen[to] || !leads(g, at, to, backward)))
            to++;
        g->next[depth] = to;
        if (to == g->count) {
            out[left++] = at;
            depth--;
            continue;
        }
        g->seen[to] = 1;
        g->stack[++depth] = to;
        g->next[depth] = 0;
    }
    return left;
}

/* Returns the size of the largest strongly connected part, after Kosaraju: backward from the frames
 * that were left last. */
static int largest_part(graph *g) {
    int count = 0, largest = 0;
    for (int i = 0; i < g->count; i++)
        if (!g->seen[i])
            count += visit(g, i, false, g->order + count);
    for (int i = 0; i < g->count; i++)
        g->seen[i] = 0;
    for (int i = count - 1; i >= 0; i--) {
        if (g->seen[g->order[i]])
            continue;
        int size = visit(g, g->order[i], true, g->part);
        largest = size > largest ? size : largest;
    }
    return largest;
}

tr_status tr_latent_reach(const tr_latent_space *space, double jump, double *out) {
    graph g;
    tr_status status = allocate(&g, space->learned.frame_count);
    if (!status) {
        make_edges(space, jump, &g);
        *out = (double)largest_part(&g) / g.count;
    }
    free(g.edge);
    free(g.order);
    return status;
}
