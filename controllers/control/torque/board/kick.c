#include "control/torque/board/kick.h"

#include "math/elementary.h"

#include <math.h>

static const double ABOVE_M = 0.02, STILL_MPS = 0.1; /* of a centroid that is above the axle */
static const double LOWER_S = 0.5;                   /* longest time of setting the nose down */
static const double DOWN_RAD = 0.01, UP_RAD = 0.03;  /* of the nose */
static const double PRESS_RAD = 0.03; /* below the ground, where a nose aims that is set down */
static const double AHEAD_M = 0.04;   /* of the centroid then */
static const double LARGEST = 40;     /* acceleration of the board, 1/s2 */

static int next_stage(const tr_kick *kick, const tr_boarding_numbers *n, const tr_ride_scene *scene,
                      double off_rad, double time_s) {
    switch (kick->stage) {
    case TR_KICK_ROLL:
        return time_s > n->rest_s && fabs(off_rad) > n->near_rad ? TR_KICK_SHIFT : TR_KICK_ROLL;
    case TR_KICK_SHIFT:
        return time_s > n->shift_s || (fabs(scene->centroid.x) < ABOVE_M &&
                                       fabs(scene->centroid_vel.x) < STILL_MPS)
                   ? TR_KICK_TURN
                   : TR_KICK_SHIFT;
    case TR_KICK_TURN:
        return time_s > n->turn_s ? TR_KICK_LOWER : TR_KICK_TURN;
    default:
        return time_s > LOWER_S || scene->nose_rad < DOWN_RAD ? TR_KICK_ROLL : TR_KICK_LOWER;
    }
}

void tr_kick_advance(tr_kick *kick, const tr_boarding_numbers *numbers, const tr_ride_scene *scene,
                     double heading_rad, double step_s) {
    /* The first weave goes to the left. */
    if (kick->stage == TR_KICK_ROLL && kick->side == 0)
        kick->side = 1;
    if (kick->steps < TR_KICK_STEPS_MAX)
        kick->steps++;
    /* A scheduler's maneuvers say when to kick, so nothing weaves between them. */
    const double weave_rad = numbers->maneuvers > 0 ? 0 : kick->side * numbers->weave_rad;
    const double off = tr_angle_wrap(heading_rad - weave_rad - scene->heading_rad);
    const int next = next_stage(kick, numbers, scene, off, kick->steps * step_s);
    if (next == kick->stage)
        return;
    kick->stage = next;
    kick->steps = 0;
    /* A kick turns by kick_rad at most; after it the weave changes its side. */
    if (next == TR_KICK_SHIFT)
        kick->goal_rad = scene->heading_rad + tr_within(off, numbers->kick_rad);
    if (next == TR_KICK_LOWER)
        kick->side = -kick->side;
}

tr_kick_plan tr_kick_plan_of(const tr_kick *kick, const tr_boarding_numbers *numbers,
                             const tr_ride_scene *scene) {
    const tr_boarding_numbers *n = numbers;
    const bool turns = kick->stage == TR_KICK_TURN, lowers = kick->stage == TR_KICK_LOWER;
    const double nose = turns ? n->nose_rad : -PRESS_RAD;
    const double left = tr_angle_wrap(kick->goal_rad - scene->heading_rad);
    tr_kick_plan plan = {.place_m = kick->stage == TR_KICK_ROLL ? n->ride_m : lowers ? AHEAD_M : 0};
    plan.lifts = turns || (lowers && scene->nose_rad > DOWN_RAD);
    if (plan.lifts)
        plan.nose = tr_within(n->nose_stiffness * (nose - scene->nose_rad) -
                                  n->nose_damping * scene->nose_rad_s,
                              LARGEST);
    /* The board turns once its nose is up, and until it is down again. */
    if (plan.lifts && (lowers || scene->nose_rad > UP_RAD))
        plan.yaw = tr_within(n->yaw_stiffness * left - n->yaw_damping * scene->yaw_rad_s, LARGEST);
    return plan;
}
