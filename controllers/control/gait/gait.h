/* A gait: a walk by a state machine whose parameters depend on the force that the character feels
 * (Shum et al., "Physically-based character control in low dimensional space").
 *
 * The force felt along the heading goes through a curve that was learned (gait_curve.h): negative
 * from the front, against the walk; positive from behind. A sideways force acts through the four
 * side parameters. A second curve shifts the parameters to walk at another speed.
 *
 * A gait is content of a driver: immutable, shared by any number of characters and threads. */
#pragma once

#include "control/gait/gait_curve.h"
#include "control/gait/gait_parameters.h"
#include "control/parts/gait_body.h"

#include "model/state.h"

#include <stdint.h>

/* force: task value N along the heading; low <= 0 <= high
 * speed: task value m/s over ground without a force; rows are added to those of `force`; no rows:
 *        it cannot change its speed
 * own_mps: speed at which nothing is added, within the curve of speeds
 * felt_lag_s: of the filter between a force and the one that is felt: short where forces change,
 *        long for steady contact, so that single blows are not answered
 * start:   states in which keyframes 0 and 1 begin when it walks undisturbed; heading 0,
 *        x = y = 0 */
typedef struct tr_gait {
    int body_count; /* of the model */
    tr_gait_body body;
    tr_gait_curve force, speed;
    double own_mps, felt_lag_s;
    tr_state start[TR_GAIT_KEYFRAMES];
} tr_gait;

/* The parts of a new gait; they are copied. speed may be NULL; start [TR_GAIT_KEYFRAMES] may be
 * NULL: standing at rest. felt_lag_s 0: TR_GAIT_FELT_LAG_S. */
static const double TR_GAIT_FELT_LAG_S = 0.02, TR_GAIT_FELT_LAG_MAX_S = 60;
typedef struct tr_gait_def {
    const tr_gait_curve *force, *speed;
    double own_mps;
    const tr_state *start;
    double felt_lag_s;
} tr_gait_def;

/* TR_FAILED_PRECONDITION: the model cannot walk like this (tr_gait_body_find); TR_INVALID_ARGUMENT:
 * tr_gait_check refuses it. */
tr_status tr_gait_create(const tr_model *model, const tr_gait_def *def, tr_gait **out,
                         tr_error *error) TR_NODISCARD;
void tr_gait_destroy(void *gait); /* NULL is fine */

/* TR_INVALID_ARGUMENT: a parameter is outside its bounds, or a curve does not hold 0 N or the own
 * speed. The message names curve, row and parameter. */
tr_status tr_gait_check(const tr_gait *gait, tr_error *error) TR_NODISCARD;

/* Covers everything that acts. */
uint64_t tr_gait_hash(const tr_gait *gait, uint64_t hash);

enum { TR_GAIT_YIELD_N = 10 };

/* Parameters under a felt force, along the heading and to the left, and at a wanted speed; 0: the
 * gait's own. The curve of speeds was learned without a force: its share falls to zero at a felt
 * force of TR_GAIT_YIELD_N, so that a pushed gait walks at its own speed. out: [TR_GAIT_SIZE],
 * within bounds. */
void tr_gait_parameters_at(const tr_gait *gait, const double force_n[2], double speed_mps,
                           double *out);
