#include "cmocka_test.h"

#include "control/torque/board/kick.h"
#include "unit/control/puppet.h"
#include "unit/defaults.h"

static const double STEP_S = 0.005;

/* Advances until the stage changes; the time that it took. */
static double time_of_stage(tr_kick *kick, const tr_boarding_numbers *n, const tr_ride_scene *scene,
                            double heading_rad) {
    const int stage = kick->stage;
    int steps = 0;
    for (; kick->stage == stage && steps < 2000; steps++)
        tr_kick_advance(kick, n, scene, heading_rad, STEP_S);
    return steps * STEP_S;
}

TEST(near_its_heading_it_rolls_on) {
    const tr_boarding_numbers n = DEFAULTS(tr_boarding_numbers, tr_boarding_number_table);
    const tr_ride_scene scene = {.heading_rad = 1 - 0.9 * n.near_rad};
    tr_kick kick = {0};
    assert_near(time_of_stage(&kick, &n, &scene, 1), 10, 1e-9);
    assert_int_equal(kick.stage, TR_KICK_ROLL);
    assert_near(tr_kick_plan_of(&kick, &n, &scene).place_m, n.ride_m, 1e-12);
}

/* Stage by stage; it aims no further than kick_rad to the side of its target. */
TEST(a_kick_has_its_stages) {
    const tr_boarding_numbers n = DEFAULTS(tr_boarding_numbers, tr_boarding_number_table);
    tr_ride_scene scene = {.centroid = {n.ride_m, 0, 0.8}};
    tr_kick kick = {0};
    assert_near(time_of_stage(&kick, &n, &scene, -2), n.rest_s, 0.011);
    assert_int_equal(kick.stage, TR_KICK_SHIFT);
    assert_near(kick.goal_rad, -n.kick_rad, 1e-12);
    assert_false(tr_kick_plan_of(&kick, &n, &scene).lifts);
    scene.centroid.x = 0.01;
    assert_near(time_of_stage(&kick, &n, &scene, -2), STEP_S, 1e-9);
    assert_int_equal(kick.stage, TR_KICK_TURN);
    const tr_kick_plan grounded = tr_kick_plan_of(&kick, &n, &scene);
    assert_true(grounded.lifts && grounded.nose > 0 && grounded.yaw == 0);
    scene.nose_rad = n.nose_rad;
    assert_true(tr_kick_plan_of(&kick, &n, &scene).yaw < 0);
    assert_near(time_of_stage(&kick, &n, &scene, -2), n.turn_s, 0.011);
    assert_int_equal(kick.stage, TR_KICK_LOWER);
    assert_true(tr_kick_plan_of(&kick, &n, &scene).nose < 0);
    scene.nose_rad = 0;
    assert_near(time_of_stage(&kick, &n, &scene, -2), STEP_S, 1e-9);
    assert_int_equal(kick.stage, TR_KICK_ROLL);
}

/* Over the half turn it takes the short way. */
TEST(it_turns_the_short_way) {
    const tr_boarding_numbers n = DEFAULTS(tr_boarding_numbers, tr_boarding_number_table);
    const tr_ride_scene scene = {.heading_rad = 3, .centroid = {n.ride_m, 0, 0.8}};
    tr_kick kick = {0};
    time_of_stage(&kick, &n, &scene, -3);
    assert_true(kick.goal_rad > 3);
}

TEST(a_weave_kicks_to_either_side) {
    tr_boarding_numbers n = DEFAULTS(tr_boarding_numbers, tr_boarding_number_table);
    tr_ride_scene scene = {0};
    tr_kick kick = {0};
    double goal[2];
    n.weave_rad = 0.3;
    for (int i = 0; i < 2; i++) {
        while (kick.stage != TR_KICK_SHIFT)
            time_of_stage(&kick, &n, &scene, 0);
        goal[i] = kick.goal_rad;
        while (kick.stage != TR_KICK_ROLL)
            time_of_stage(&kick, &n, &scene, 0);
    }
    assert_true(goal[0] * goal[1] < 0);
    /* Maneuvers say when to kick. */
    n.maneuvers = 1;
    kick = (tr_kick){0};
    assert_near(time_of_stage(&kick, &n, &scene, 0), 10, 1e-9);
}
