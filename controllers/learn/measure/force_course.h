/* Forces on the trunk over a trial: by them gaits are trained and controllers measured.
 *
 * Horizontal, in the world frame, at the trunk's centre of mass. Nothing acts before `from_s`.
 *   CONSTANT  grows to its goal at slope_nps, and stays
 *   VARYING   moves at slope_nps towards goals, of which a new one is drawn each 1 to 3 s
 *   STEP      the goal from one step to the next, and stays
 *   PUSH      the goal for push_s
 * With kick_n any course has kicks beside: each 1 to 2 s a push of 0.2 s, of up to kick_n, from any
 * direction. A course is a function of its definition alone. Plain data; deterministic. */
#pragma once

#include "math/random.h"
#include "math/vec3.h"

typedef enum tr_force_kind {
    TR_FORCE_CONSTANT,
    TR_FORCE_VARYING,
    TR_FORCE_STEP,
    TR_FORCE_PUSH
} tr_force_kind;

/* Goals are drawn evenly from low to high, along x and along y. */
typedef struct tr_force_def {
    tr_force_kind kind;
    double low_n, high_n;           /* along x */
    double side_low_n, side_high_n; /* along y */
    double slope_nps, from_s, push_s;
    double kick_n;
    uint64_t seed;
} tr_force_def;

typedef struct tr_force_course {
    tr_force_def def;
    tr_random random;
    tr_vec3 goal, now, kick;
    double next_s; /* when the next goal is drawn */
    double kick_s; /* when the kick in progress, or the next one, begins */
} tr_force_course;

tr_force_course tr_force_course_begin(const tr_force_def *def);

/* Returns the force during the step of step_s that begins at time_s; to be called for each step in
 * turn. */
tr_vec3 tr_force_course_next(tr_force_course *course, double time_s, double step_s);
