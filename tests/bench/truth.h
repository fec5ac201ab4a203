/* What `troupe-bench truth` measures: whether what a controller does obeys mechanics.
 *
 * A probe looks at a character before and after each step of its world, and sums up. All of it is
 * computed from what the world reports, by separate formulas. */
#pragma once

#include "physics/world/world.h"

#include <stdbool.h>

typedef struct tr_truth_joint {
    double peak, square; /* N m; sum over steps of N m squared */
    int beyond;          /* steps at or beyond a limit of its torque */
} tr_truth_joint;

typedef struct tr_truth {
    const tr_model *model;
    int steps, capacity;
    double newton;          /* largest |dp - forces h| over weight h */
    double angular;         /* largest |dL - moments h| / h, N m */
    double cone;            /* largest |tangential| over mu normal */
    double skating, normal; /* sum of normal impulse times slip; of normal impulse */
    double gain, loss;      /* energy that no force explains, J */
    double *depth;          /* [steps] deepest contact with the static world, m */
    double *load;           /* [steps] upward force of the static world over the weight */
    double *jump;           /* [steps] largest change of a joint's torque since the last, N m */
    double jumps[2];        /* sum of `jump`: over first steps of fragments, over all others */
    int firsts;             /* first steps of fragments */
    double *largest;        /* [steps] largest joint torque, N m */
    tr_truth_joint joint[TR_BODY_MAX];
    bool begins;
    tr_state before;
    tr_body_state body[TR_BODY_MAX];
    tr_vec3 torque[TR_BODY_MAX];
} tr_truth;

/* False: no memory for so many steps. */
bool tr_truth_create(const tr_model *model, int steps, tr_truth *out);
void tr_truth_destroy(tr_truth *truth);

/* Around a step of the world; begins: it is the first step of a fragment. A step that has only the
 * look before is not counted. */
void tr_truth_before(tr_truth *truth, const tr_world *world, tr_entity_id id, bool begins);
void tr_truth_after(tr_truth *truth, const tr_world *world, tr_entity_id id);

/* The value that a share of values[count] does not exceed; 0 when count is 0. */
double tr_truth_percentile(const double *values, int count, double share);

/* Largest mean of the load over `window_s`. */
double tr_truth_load_over(const tr_truth *truth, double window_s, double step_s);

/* One controller's row. */
typedef struct tr_truth_row {
    char name[TR_NAME_MAX];
    double step_s;
    tr_truth truth;
} tr_truth_row;
