#include "learn/gait/neighbours.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* --- points --- */

static double distance(const double *a, const double *b, int size) {
    double sum = 0;
    for (int i = 0; i < size; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

static const double *at(const tr_points *points, int i) {
    return points->point + (ptrdiff_t)i * points->size;
}

double tr_points_distance(const tr_points *points, int a, int b) {
    return distance(at(points, a), at(points, b), points->size);
}

/* Inserts each point into a list of k that is kept in order: k is small. */
void tr_points_nearest(const tr_points *points, const double *place, int k, int skip,
                       int *out_index) {
    int found = 0;
    for (int i = 0; i < points->count; i++) {
        if (i == skip)
            continue;
        double length = distance(at(points, i), place, points->size);
        /* The list is full of points that are nearer. */
        if (found == k && !(length < distance(at(points, out_index[k - 1]), place, points->size)))
            continue;
        int place_in_list = found < k ? found++ : k - 1;
        while (place_in_list > 0 &&
               length < distance(at(points, out_index[place_in_list - 1]), place, points->size)) {
            out_index[place_in_list] = out_index[place_in_list - 1];
            place_in_list--;
        }
        out_index[place_in_list] = i;
    }
}

/* --- edges --- */

typedef struct edge {
    int from, to;
    double length;
} edge;

typedef struct edge_list {
    int count, capacity;
    edge *edge;
} edge_list;

/* Adds an edge in both directions. */
static tr_status add_edge(edge_list *list, int a, int b, double length) {
    if (list->count + 2 > list->capacity) {
        int capacity = list->capacity ? 2 * list->capacity : 1024;
        edge *grown = realloc(list->edge, (size_t)capacity * sizeof *grown);
        if (!grown)
            return TR_RESOURCE_EXHAUSTED;
        list->edge = grown;
        list->capacity = capacity;
    }
    list->edge[list->count++] = (edge){a, b, length};
    list->edge[list->count++] = (edge){b, a, length};
    return TR_OK;
}

static tr_status join_nearest(const tr_points *points, int k, edge_list *list) {
    int *nearest = calloc((size_t)k, sizeof *nearest);
    tr_status status = nearest ? TR_OK : TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < points->count && !status; i++) {
        tr_points_nearest(points, at(points, i), k, i, nearest);
        for (int j = 0; j < k && !status; j++)
            status = add_edge(list, i, nearest[j], tr_points_distance(points, i, nearest[j]));
    }
    free(nearest);
    return status;
}

/* --- components: a forest of parents --- */

static int root_of(int *parent, int i) {
    /* Each step halves the way to the root for later calls. */
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

static int find_components(const edge_list *list, int *parent, int count) {
    int components = count;
    for (int i = 0; i < count; i++)
        parent[i] = i;
    for (int e = 0; e < list->count; e++) {
        int a = root_of(parent, list->edge[e].from), b = root_of(parent, list->edge[e].to);
        if (a == b)
            continue;
        /* The lowest point of a component is its root. */
        parent[b > a ? b : a] = b > a ? a : b;
        components--;
    }
    return components;
}

/* Adds the shortest edge that leaves the component of point 0 until there is one component. */
static tr_status join_components(const tr_points *points, edge_list *list, int *parent) {
    while (find_components(list, parent, points->count) > 1) {
        /* Try all pairs of a point inside and one outside. */
        int from = 0, to = 0, inside = root_of(parent, 0);
        double shortest = (double)INFINITY;
        for (int i = 0; i < points->count; i++)
            for (int j = 0; root_of(parent, i) == inside && j < points->count; j++) {
                if (root_of(parent, j) == inside)
                    continue;
                double length = tr_points_distance(points, i, j);
                if (length < shortest) {
                    shortest = length;
                    from = i;
                    to = j;
                }
            }
        tr_status status = add_edge(list, from, to, shortest);
        if (status)
            return status;
    }
    return TR_OK;
}

/* --- the graph --- */

static int by_ends(const void *a, const void *b) {
    const edge *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

/* Stores the edges sorted, each once. */
static tr_status store(edge_list *list, int count, tr_neighbours *out) {
    if (!list->edge)
        return TR_INVALID_ARGUMENT;
    qsort(list->edge, (size_t)list->count, sizeof *list->edge, by_ends);
    /* Two points may have listed each other. */
    int kept = 0;
    for (int e = 0; e < list->count; e++)
        if (e == 0 || by_ends(&list->edge[e - 1], &list->edge[e]) != 0)
            list->edge[kept++] = list->edge[e];
    out->count = count;
    out->first = calloc((size_t)count + 1, sizeof *out->first);
    out->to = calloc((size_t)kept, sizeof *out->to);
    out->length = calloc((size_t)kept, sizeof *out->length);
    if (!out->first || !out->to || !out->length)
        return TR_RESOURCE_EXHAUSTED;
    /* first[i + 1] is behind the last edge of point i. */
    for (int e = 0; e < kept; e++) {
        out->first[list->edge[e].from + 1] = e + 1;
        out->to[e] = list->edge[e].to;
        out->length[e] = list->edge[e].length;
    }
    return TR_OK;
}

tr_status tr_neighbours_create(const tr_points *points, int k, tr_neighbours *out) {
    if (k < 1 || k >= points->count)
        return TR_INVALID_ARGUMENT;
    edge_list list = {0};
    tr_neighbours made = {0};
    int *parent = calloc((size_t)points->count, sizeof *parent);
    tr_status status = parent ? join_nearest(points, k, &list) : TR_RESOURCE_EXHAUSTED;
    if (!status) {
        made.components = find_components(&list, parent, points->count);
        status = join_components(points, &list, parent);
    }
    if (!status)
        status = store(&list, points->count, &made);
    free(list.edge);
    free(parent);
    if (status) {
        tr_neighbours_destroy(&made);
        return status;
    }
    *out = made;
    return TR_OK;
}

void tr_neighbours_destroy(tr_neighbours *neighbours) {
    free(neighbours->first);
    free(neighbours->to);
    free(neighbours->length);
    *neighbours = (tr_neighbours){0};
}

/* --- shortest ways: Dijkstra with a binary heap, out-of-date entries skipped --- */

typedef struct entry {
    double length;
    int point;
} entry;

typedef struct heap {
    int count;
    entry *entry;
} heap;

static bool is_before(entry a, entry b) {
    return a.length < b.length || (a.length == b.length && a.point < b.point);
}

static void push(heap *h, entry e) {
    int i = h->count++;
    while (i > 0 && is_before(e, h->entry[(i - 1) / 2])) {
        h->entry[i] = h->entry[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    h->entry[i] = e;
}

static entry pop(heap *h) {
    entry top = h->entry[0], last = h->entry[--h->count];
    int i = 0;
    for (int child; (child = 2 * i + 1) < h->count; i = child) {
        if (child + 1 < h->count && is_before(h->entry[child + 1], h->entry[child]))
            child++;
        if (!is_before(h->entry[child], last))
            break;
        h->entry[i] = h->entry[child];
    }
    h->entry[i] = last;
    return top;
}

tr_status tr_neighbours_distances(const tr_neighbours *neighbours, int from, double *out) {
    int edges = neighbours->first[neighbours->count];
    heap h = {.entry = malloc(((size_t)edges + 1) * sizeof *h.entry)};
    if (!h.entry)
        return TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < neighbours->count; i++)
        out[i] = (double)INFINITY;
    out[from] = 0;
    push(&h, (entry){0, from});
    while (h.count > 0) {
        entry next = pop(&h);
        /* A shorter way was found since this entry was pushed. */
        if (next.length > out[next.point])
            continue;
        for (int e = neighbours->first[next.point]; e < neighbours->first[next.point + 1]; e++) {
            double length = next.length + neighbours->length[e];
            int to = neighbours->to[e];
            if (length < out[to]) {
                out[to] = length;
                push(&h, (entry){length, to});
            }
        }
    }
    free(h.entry);
    return TR_OK;
}
