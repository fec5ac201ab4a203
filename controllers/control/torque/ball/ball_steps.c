#include "control/torque/ball/ball_steps.h"

#include "control/parts/approach.h"
#include "math/elementary.h"

#include <math.h>

static const double TOUCHED_M = 0.004; /* gap of a foot that has been set down */
static const double BEARS_M = 0.025; /* of the pressure, from where a foot touches that bears all */
static const double LATEST_LIFT = 0.7;     /* of a step, after which no foot is lifted any more */
static const double LATEST_LANDING = 0.85; /* of a step */
static const double LANDING_S = 0.04;      /* in which a foot sinks straight to the ball */
static const double LANDING_MPS = 0.1;     /* down */
static const double LATE_MPS = 0.4;        /* down, after the time for it */
static const double LANDING_RATE = 40;     /* at which a foot takes the speed of landing, 1/s */
static const double SOONEST_S = 0.04;      /* in which a place is still aimed at */
static const double LARGEST_MPS2 = 60;

/* The place in a cycle of two steps.
 *   whole:      steps of the simulation in a step
 *   share:      of the step, 0 to 1
 *   angle, rate: of the sway
 *   bearing:    side of the foot that bears
 *   half_m:     half the way between the feet
 *   pressure_m: amplitude of the pressure
 *   growth:     of the sway, 0 to 1 */
typedef struct phase {
    int whole, bearing;
    double share, angle, rate, half_m, pressure_m, growth;
    tr_ball_sway sway;
} phase;

static phase phase_of(const tr_ball_steps *steps, const tr_ball_walk *walk) {
    const tr_rolling_numbers *n = walk->numbers;
    phase p = {.half_m = n->width_m / 2};
    if (n->step_s <= 0)
        return p;
    p.whole = (int)fmax(2, round(n->step_s / walk->step_s));
    const int at = steps->step % (2 * p.whole);
    p.bearing = at >= p.whole;
    p.share = (double)(at % p.whole) / p.whole;
    p.angle = TR_PI * at / p.whole;
    p.rate = TR_PI / (p.whole * walk->step_s);
    p.sway = tr_ball_sway_of(walk->load, p.rate);
    p.growth = n->start_s > 0 ? fmin(1, steps->begun * walk->step_s / n->start_s) : 1;
    /* The feet sway too, by place * pressure, so the pressure that reaches the share of a foot
     * solves pressure = share * half + place * pressure. */
    p.pressure_m = n->sway_share * p.half_m / (1 - p.sway.place) * p.growth;
    return p;
}

/* --- the regulator --- */

/* Returns where a foot should be at an angle of the sway: it moves on the ball as the ball rolls,
 * and is in the middle of its way when it bears. */
static tr_vec3 place_of(const tr_ball_walk *walk, const phase *p, int side, double angle) {
    double own = angle - (side ? TR_PI : 0);
    while (own < -TR_PI / 2)
        own += 2 * TR_PI;
    while (own >= TR_PI * 3 / 2)
        own -= 2 * TR_PI;
    const double time_s = p->rate > 0 ? (own - TR_PI / 2) / p->rate : 0;
    return (tr_vec3){walk->speed_mps * time_s,
                     (side ? -1 : 1) * p->half_m + p->sway.place * p->pressure_m * tr_sin(angle),
                     0};
}

/* Returns how far the feet that stand are from their places, on average. */
static tr_vec3 misplaced(const tr_ball_walk *walk, const phase *p, int lifted) {
    tr_vec3 sum = {0, 0, 0};
    int count = 0;
    for (int side = 0; side < 2; side++)
        if (side != lifted) {
            const tr_vec3 place = place_of(walk, p, side, p->angle);
            sum = tr_vec3_add(sum, tr_vec3_sub(walk->scene->foot[side].middle, place));
            count++;
        }
    return tr_vec3_scale(sum, 1.0 / count);
}

/* Plans where the pressure is next, and how the body turns. */
static void regulate(const tr_ball_walk *walk, const phase *p, const tr_ball_steps *steps,
                     tr_ball_step_plan *out) {
    const tr_ball_scene *s = walk->scene;
    const tr_vec3 off = misplaced(walk, p, steps->lifted);
    const double swing = p->pressure_m * tr_sin(p->angle);
    const double swing_rate = p->pressure_m * p->rate * tr_cos(p->angle);
    const double whole = walk->load->kg * walk->load->height_m;
    const tr_ball_state ahead = {s->centroid.x,  s->centroid_vel.x,     s->roll.x,   off.x,
                                 steps->ahead_m, s->momentum.y / whole, walk->tilt.y};
    const tr_ball_state aside = {s->centroid.y,  s->centroid_vel.y,      s->roll.y,    off.y,
                                 steps->aside_m, -s->momentum.x / whole, -walk->tilt.x};
    /* Ahead the ball rolls at the asked speed; aside lean, ball and pressure sway together. */
    const tr_ball_state wanted_ahead = {.roll_mps = walk->speed_mps};
    const tr_ball_state wanted_aside = {.lean_m = p->sway.lean * swing,
                                        .lean_mps = p->sway.lean * swing_rate,
                                        .roll_mps = p->sway.place * swing_rate,
                                        .pressure_m = swing};
    const tr_ball_rates x = tr_ball_regulator_rates(walk->regulator, &ahead, &wanted_ahead, 0);
    const tr_ball_rates y =
        tr_ball_regulator_rates(walk->regulator, &aside, &wanted_aside, swing_rate);
    out->pressure_vel = (tr_vec3){x.pressure_mps, y.pressure_mps, 0};
    out->pressure = tr_vec3_add_scaled((tr_vec3){steps->ahead_m, steps->aside_m, 0}, walk->step_s,
                                       out->pressure_vel);
    out->moment = (tr_vec3){-whole * y.spin_mps2, whole * x.spin_mps2, 0};
}

/* --- lifting and setting down --- */

/* Can this foot bear all, and does it nearly so? */
static bool bears(const tr_ball_foot *foot, tr_vec3 pressure, double margin) {
    const tr_vec3 off = tr_vec3_sub(pressure, foot->touch);
    return sqrt(off.x * off.x + off.y * off.y) < BEARS_M &&
           tr_ball_foot_reaches(foot, pressure, margin);
}

/* Returns what is left of the time of a swing. */
static double swing_left(const tr_ball_steps *steps, const tr_ball_walk *walk) {
    return walk->numbers->swing_s - steps->swing * walk->step_s;
}

/* Returns the share of the step at which a foot that is lifted in time comes down, and from which
 * on the sway waits for it. */
static double land_at(const tr_ball_walk *walk) {
    return fmin(LATEST_LANDING, 0.5 + walk->numbers->swing_s / walk->numbers->step_s / 2);
}

static int lifted_now(const tr_ball_steps *steps, const tr_ball_walk *walk, const phase *p,
                      tr_vec3 pressure) {
    if (steps->lifted != TR_BALL_NONE) {
        const bool down = walk->scene->foot[steps->lifted].gap_m < TOUCHED_M;
        return down && swing_left(steps, walk) < walk->numbers->swing_s / 2 ? TR_BALL_NONE
                                                                            : steps->lifted;
    }
    /* In the middle of its step a foot is lifted, once the other one can bear all. */
    const bool due = p->growth >= 1 && p->share > 1 - land_at(walk) && p->share < LATEST_LIFT;
    return due && bears(&walk->scene->foot[p->bearing], pressure, walk->numbers->margin_m)
               ? 1 - p->bearing
               : TR_BALL_NONE;
}

/* The sway waits for a foot that is not down in time. */
static void advance(tr_ball_steps *steps, const tr_ball_walk *walk, const phase *p) {
    if (steps->begun < TR_BALL_STEPS_MAX)
        steps->begun++;
    if (p->whole == 0 || (steps->lifted != TR_BALL_NONE && p->share >= land_at(walk)))
        return;
    steps->step = (steps->step + 1) % (2 * p->whole);
}

/* --- the lifted foot --- */

static tr_vec3 land(const tr_ball_scene *s, const tr_ball_foot *foot, double down_mps) {
    const tr_vec3 vel = tr_vec3_sub(foot->middle_vel, s->roll);
    return (tr_vec3){-LANDING_RATE * vel.x, -LANDING_RATE * vel.y,
                     LANDING_RATE * (-down_mps - vel.z)};
}

/* The foot rises in the first half of the time, and sinks in the second one. */
static tr_vec3 swing_accel(const tr_ball_walk *walk, double left_s, const tr_ball_foot *foot,
                           tr_vec3 place) {
    const tr_ball_scene *s = walk->scene;
    const double rising_s = left_s - walk->numbers->swing_s / 2;
    const tr_vec3 way = tr_vec3_sub(place, foot->middle), vel = foot->middle_vel;
    if (left_s < LANDING_S)
        return land(s, foot, left_s < 0 ? LATE_MPS : LANDING_MPS);
    const double up = rising_s > 0 ? tr_approach(way.z + walk->numbers->lift_m, vel.z, 0,
                                                 fmax(rising_s, SOONEST_S))
                                   : tr_approach(way.z, vel.z, -LANDING_MPS, left_s);
    return (tr_vec3){tr_within(tr_approach(way.x, vel.x, s->roll.x, left_s), LARGEST_MPS2),
                     tr_within(tr_approach(way.y, vel.y, s->roll.y, left_s), LARGEST_MPS2),
                     tr_within(up, LARGEST_MPS2)};
}

/* Returns the angle of the sway when the foot comes down. */
static double angle_at_landing(const tr_ball_walk *walk, const phase *p, double left_s) {
    const double share =
        fmin(fmax(p->share, land_at(walk)), p->share + fmax(0, left_s) / walk->numbers->step_s);
    return TR_PI * (p->bearing + share);
}

tr_ball_step_plan tr_ball_steps_plan(tr_ball_steps *steps, const tr_ball_walk *walk) {
    const phase p = phase_of(steps, walk);
    tr_ball_step_plan plan = {.bearing = p.whole > 0 ? p.bearing : TR_BALL_NONE};
    regulate(walk, &p, steps, &plan);
    steps->lifted = lifted_now(steps, walk, &p, plan.pressure);
    plan.lifted = steps->lifted;
    if (plan.lifted != TR_BALL_NONE) {
        const double left_s = swing_left(steps, walk);
        plan.place =
            tr_ball_surface(walk->scene->radius_m,
                            place_of(walk, &p, plan.lifted, angle_at_landing(walk, &p, left_s)));
        plan.accel = swing_accel(walk, left_s, &walk->scene->foot[plan.lifted], plan.place);
    }
    steps->swing =
        plan.lifted != TR_BALL_NONE && steps->swing < TR_BALL_STEPS_MAX ? steps->swing + 1 : 0;
    advance(steps, walk, &p);
    return plan;
}
