/* The graph of nearest neighbours of points in a vector space, and shortest ways in it: the geodesic
 * distances of Isomap (Tenenbaum, de Silva, Langford 2000).
 *
 * Each point is joined to its k nearest by edges as long as their distance, passable in both
 * directions. If this leaves several components, the shortest edge between two of them joins these,
 * until one component is left. Deterministic: of equal distances the lower index counts. */
#ifndef TROUPE_LEARN_NEIGHBOURS_H
#define TROUPE_LEARN_NEIGHBOURS_H

#include "proto/status.h"

/* point: [count][size], borrowed. */
typedef struct tr_points {
    int count, size;
    const double *point;
} tr_points;

double tr_points_distance(const tr_points *points, int a, int b);

/* Finds the k points of a set nearest to a place [size], the nearest first; `skip` (or -1) is left
 * out. k is at most the number of points left. out_index: [k]. */
void tr_points_nearest(const tr_points *points, const double *place, int k, int skip,
                       int *out_index);

/* Edges of point i: to[first[i]] to to[first[i + 1] - 1], and their lengths. */
typedef struct tr_neighbours {
    int count;
    int components; /* before they were joined */
    int *first;     /* [count + 1], owned */
    int *to;        /* owned */
    double *length; /* owned */
} tr_neighbours;

/* TR_INVALID_ARGUMENT: k below 1 or not below the number of points; TR_RESOURCE_EXHAUSTED. */
tr_status tr_neighbours_create(const tr_points *points, int k, tr_neighbours *out) TR_NODISCARD;
void tr_neighbours_destroy(tr_neighbours *neighbours); /* of zeros is fine */

/* Measures the lengths of the shortest ways from one point to all (Dijkstra): out [count]. */
tr_status tr_neighbours_distances(const tr_neighbours *neighbours, int from,
                                  double *out) TR_NODISCARD;

#endif
