#include "cmocka_test.h"

#include "control/torque/ball/ball_regulator.h"
#include "unit/control/puppet.h"
#include "unit/defaults.h"

#include <math.h>

static const double STEP_S = 1e-3;
static const tr_ball_load BALL = {
    .radius_m = 0.35, .ball_kg = 18, .kg = 62, .height_m = 0.8, .gravity = 9.81};

/* Both bodies, from Newton's law alone: the force on the character, and the ball about its lowest
 * point. */
typedef struct bodies {
    double c, c_mps, b, b_mps, feet, pressure, spin, tilt;
} bodies;

static void move(bodies *s, const tr_ball_load *l, double pressure_mps, double spin_mps2) {
    const double moment = l->kg * l->height_m * spin_mps2;
    const double lean = s->c - s->b - s->pressure, weight = l->kg * l->gravity;
    const double force = (weight * lean - moment) / l->height_m;
    const double inertia = 1.4 * l->ball_kg * l->radius_m * l->radius_m;
    const double roll = l->radius_m * (weight * s->pressure - 2 * l->radius_m * force) / inertia;
    s->pressure += STEP_S * pressure_mps;
    s->spin += STEP_S * spin_mps2;
    s->tilt += STEP_S * s->spin * l->kg * l->height_m /
               DEFAULTS(tr_rolling_numbers, tr_rolling_number_table).trunk_kgm2;
    s->c_mps += STEP_S * force / l->kg;
    s->b_mps += STEP_S * roll;
    s->c += STEP_S * s->c_mps;
    s->b += STEP_S * s->b_mps;
    s->feet += STEP_S * s->b_mps; /* from the middle of the ball, whose top moves twice as fast */
}

static tr_ball_state seen(const bodies *s) {
    return (tr_ball_state){
        s->c - s->b, s->c_mps - s->b_mps, s->b_mps, s->feet, s->pressure, s->spin, s->tilt};
}

TEST(it_brings_ball_and_character_to_rest) {
    for (int large = 0; large < 2; large++) {
        tr_ball_load load = BALL;
        load.radius_m = large ? 1 : load.radius_m;
        load.ball_kg = large ? 42 : load.ball_kg;
        const tr_rolling_numbers numbers = DEFAULTS(tr_rolling_numbers, tr_rolling_number_table);
        const tr_ball_regulator regulator = tr_ball_regulator_of(&load, &numbers);
        const tr_ball_state rest = {0};
        bodies s = {.c = 0.02, .c_mps = 0.1, .feet = 0.03, .spin = 0.02, .tilt = 0.05};
        for (int i = 0; i < 20 / STEP_S; i++) {
            const tr_ball_state now = seen(&s);
            const tr_ball_rates rates = tr_ball_regulator_rates(&regulator, &now, &rest, 0);
            move(&s, &load, rates.pressure_mps, rates.spin_mps2);
            assert_true(fabs(s.pressure) < 0.2);
        }
        assert_near(s.c - s.b, 0, 1e-3);
        assert_near(s.b_mps, 0, 1e-3);
        assert_near(s.feet, 0, 1e-3);
        assert_near(s.tilt, 0, 1e-3);
    }
}

/* Without it the character falls. */
TEST(a_still_pressure_does_not) {
    bodies s = {.c = 0.001};
    for (int i = 0; i < 1 / STEP_S; i++)
        move(&s, &BALL, 0, 0);
    assert_true(s.c - s.b > 0.5);
}

/* From the states of the sway, with its pressure alone, one step is an arc of it. */
TEST(a_sway_is_a_motion_of_both_bodies) {
    const double rate = 9;
    const tr_ball_sway sway = tr_ball_sway_of(&BALL, rate);
    for (double angle = 0; angle < 6; angle += 0.5) {
        bodies s = {.pressure = sin(angle), .b = sway.place * sin(angle)};
        s.c = s.b + sway.lean * sin(angle);
        bodies next = s;
        move(&next, &BALL, 0, 0);
        assert_near(next.b_mps / STEP_S, -rate * rate * sway.place * sin(angle), 1e-6);
        assert_near((next.c_mps - next.b_mps) / STEP_S, -rate * rate * sway.lean * sin(angle),
                    1e-6);
    }
}
