#include "control/torque/skate/stroke.h"

#include "control/parts/approach.h"
#include "math/elementary.h"

#include <math.h>

static const double LANDED_M = 0.008;       /* gap of a sole that has landed */
static const double LATE_S = 0.15;          /* without the ground it gives the stroke up */
static const double LANDING_S = 0.04;       /* at the end of reaching */
static const double LANDING_RATE = 30;      /* at which its speed over the ground ends, 1/s */
static const double SINKING_RATE = 60;      /* at which it takes the speed of landing, 1/s */
static const double LANDING_MPS = 0.1;      /* down */
static const double GROUND_STIFFNESS = 100; /* of a sole on the ground, 1/s2 */
static const double DEEPEST_M = 0.02;       /* gap that is made good at once, at most */
static const double RISING_SHARE = 0.35;    /* of the time of returning, before it goes forwards */
static const double RISING_OF_LIFT = 0.8;   /* of the height, by then */
static const double RAMP_SHARE = 0.25;      /* of a push, in which its force grows, and fades */
static const double FADING_M = 0.08;        /* it also fades so far before the foot must leave */
static const double SOONEST_S = 0.04;       /* in which a place is still aimed at */
static const double LARGEST_MPS2 = 60;

static double time_of(const tr_stroke *stroke, double step_s) {
    return stroke->steps * step_s;
}

/* --- stages --- */

static int next_stage(const tr_stroke *stroke, const tr_skating_numbers *n,
                      const tr_board_scene *scene, double wanted_mps, double time_s) {
    const bool landed = scene->gap_m < LANDED_M;
    switch (stroke->stage) {
    case TR_STROKE_ROLL:
        return time_s > n->rest_s && scene->board_mps < wanted_mps ? TR_STROKE_REACH
                                                                   : TR_STROKE_ROLL;
    case TR_STROKE_REACH:
        if (time_s > n->reach_s && landed)
            return TR_STROKE_PUSH;
        return time_s > n->reach_s + LATE_S ? TR_STROKE_RETURN : TR_STROKE_REACH;
    case TR_STROKE_PUSH:
        return time_s > n->push_s || scene->pushing.x < n->leave_m ? TR_STROKE_RETURN
                                                                   : TR_STROKE_PUSH;
    default:
        return time_s > n->return_s ? TR_STROKE_ROLL : TR_STROKE_RETURN;
    }
}

void tr_stroke_advance(tr_stroke *stroke, const tr_skating_numbers *numbers,
                       const tr_board_scene *scene, double wanted_mps, double step_s) {
    if (stroke->steps < TR_STROKE_STEPS_MAX)
        stroke->steps++;
    const int next = next_stage(stroke, numbers, scene, wanted_mps, time_of(stroke, step_s));
    if (next != stroke->stage)
        *stroke = (tr_stroke){.stage = next};
}

/* --- the foot --- */

static tr_vec3 side_place(const tr_skating_numbers *n, const tr_board_scene *s, double along,
                          double height) {
    const double side = s->pushing.y < 0 ? -1 : 1;
    return tr_vec3_sub((tr_vec3){along, side * n->beside_m, height},
                       (tr_vec3){s->pushing.x, s->pushing.y, s->gap_m});
}

/* The foot lands with the speed that the ground has against the board. */
static tr_vec3 reach_ground(const tr_skating_numbers *n, const tr_board_scene *s, double left_s) {
    const tr_vec3 way = side_place(n, s, n->land_m, 0), vel = s->pushing_vel;
    return (tr_vec3){tr_approach(way.x, vel.x, -s->standing_vel.x, left_s),
                     tr_approach(way.y, vel.y, 0, left_s),
                     tr_approach(way.z, vel.z, -LANDING_MPS, left_s)};
}

static tr_vec3 land(const tr_board_scene *s) {
    const tr_vec3 vel = tr_vec3_add(s->pushing_vel, s->standing_vel);
    return (tr_vec3){-LANDING_RATE * vel.x, -LANDING_RATE * vel.y,
                     SINKING_RATE * (-LANDING_MPS - vel.z)};
}

static tr_vec3 return_beside(const tr_skating_numbers *n, const tr_board_scene *s, double time_s) {
    const double left_s = fmax(n->return_s - time_s, SOONEST_S);
    const double rising_s = RISING_SHARE * n->return_s - time_s;
    const tr_vec3 way = side_place(n, s, 0, n->lift_m), vel = s->pushing_vel;
    tr_vec3 accel = {tr_approach(way.x, vel.x, 0, left_s), tr_approach(way.y, vel.y, 0, left_s),
                     tr_approach(way.z, vel.z, 0, left_s)};
    /* Most of the height is gained early, clear of the ground. */
    if (rising_s > 0)
        accel.z =
            tr_approach(RISING_OF_LIFT * n->lift_m - s->gap_m, vel.z, 0, fmax(rising_s, SOONEST_S));
    return accel;
}

static tr_vec3 stand_on_ground(const tr_skating_numbers *n, const tr_board_scene *s) {
    const tr_vec3 vel = tr_vec3_add(s->pushing_vel, s->standing_vel);
    tr_vec3 accel = tr_vec3_scale(vel, -n->foot_damping);
    accel.z -= GROUND_STIFFNESS * fmin(s->gap_m, DEEPEST_M);
    return accel;
}

static tr_vec3 lifted_accel(const tr_stroke *stroke, const tr_skating_numbers *n,
                            const tr_board_scene *scene, double time_s) {
    tr_vec3 accel;
    if (stroke->stage == TR_STROKE_ROLL) {
        const tr_vec3 way = side_place(n, scene, 0, n->lift_m);
        return tr_vec3_add_scaled(tr_vec3_scale(way, n->foot_stiffness),
                                  -2 * sqrt(n->foot_stiffness), scene->pushing_vel);
    }
    if (stroke->stage == TR_STROKE_RETURN)
        accel = return_beside(n, scene, time_s);
    else if (time_s > n->reach_s - LANDING_S)
        accel = land(scene);
    else
        accel = reach_ground(n, scene, fmax(n->reach_s - time_s, SOONEST_S));
    return (tr_vec3){tr_within(accel.x, LARGEST_MPS2), tr_within(accel.y, LARGEST_MPS2),
                     tr_within(accel.z, LARGEST_MPS2)};
}

/* --- together --- */

/* Returns the share of the force of a push, 0 to 1: it grows and fades with time, and fades before
 * the foot must leave the ground. */
static double strength_of(const tr_skating_numbers *n, const tr_board_scene *scene, double time_s) {
    const double share = time_s / n->push_s;
    const double by_time = fmin(share, 1 - share) / RAMP_SHARE;
    const double by_place = (scene->pushing.x - n->leave_m) / FADING_M;
    return fmax(0, fmin(1, fmin(by_time, by_place)));
}

tr_stroke_plan tr_stroke_plan_of(const tr_stroke *stroke, const tr_skating_numbers *numbers,
                                 const tr_board_scene *scene, double step_s) {
    const tr_skating_numbers *n = numbers;
    const double time_s = time_of(stroke, step_s);
    const bool on_ground = stroke->stage == TR_STROKE_PUSH;
    tr_stroke_plan plan = {.lifted = !on_ground};
    if (on_ground) {
        plan.force_n = n->push_n * strength_of(n, scene, time_s);
        plan.load_n = plan.force_n / n->grip;
        plan.accel = stand_on_ground(n, scene);
    } else
        plan.accel = lifted_accel(stroke, n, scene, time_s);
    if (on_ground || stroke->stage == TR_STROKE_REACH)
        plan.lean_m = n->lean_m;
    return plan;
}
