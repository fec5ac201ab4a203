#include "cmocka_test.h"

#include "learn/reconstruct/elites.h"
#include "model/mjcf.h"
#include "unit/learn/near.h"
#include "unit/learn/sway.h"

#include <math.h>
#include <string.h>

SUITE_OWN(tr_model, model);
SUITE_OWN(tr_motion, motion);

BEFORE_ALL() {
    model = sway_model();
    motion = sway_motion(model, false);
}

static tr_track *track_with(int cycles, bool arms, bool scales_time) {
    tr_track_def def = {"a", 0.005, 0.1, cycles, arms, scales_time};
    tr_track *track = NULL;
    assert_int_equal(tr_track_create(model, motion, &def, &track, NULL), TR_OK);
    return track;
}

TEST(a_motion_is_cut_into_fragments) {
    tr_track *track = track_with(3, false, false);
    assert_int_equal(track->count, 24);
    assert_int_equal(track->steps, 20);
    assert_int_equal(track->sample_size, 17);
    assert_false(track->flips);
    for (int n = 0; n <= 160; n++) /* the next cycle is the same again */
        for (int b = 1; b < model->body_count; b++)
            assert_true(tr_quat_angle(track->pose[n].joint[b], track->pose[n + 160].joint[b]) <
                        1e-6);
    for (int k = 0; k < track->count; k++) {
        assert_int_equal(track->stage[k].carries, 3);
        assert_true(track->stage[k].quiet); /* it sways at 0.1 m/s */
        assert_true(track->stage[k].energy > 1e-5);
    }
    tr_track_destroy(track);
}

/* A sample of zero is the look-ahead target, one that turns a knee turns that knee, and the
 * shoulders are there when asked for. */
TEST(samples_turn_targets) {
    tr_track *track = track_with(1, true, false);
    double none[TR_TRACK_SAMPLE_MAX] = {0}, some[TR_TRACK_SAMPLE_MAX] = {0};
    tr_quat plain[TR_BODY_MAX], turned[TR_BODY_MAX];
    int shoulder = tr_model_find_body(model, "ruarm");
    assert_int_equal(track->sample_size, 23);
    some[22] = 0.2; /* the last component: the right shoulder about z */
    tr_track_targets(track, 2, 5, none, plain);
    tr_track_targets(track, 2, 5, some, turned);
    for (int b = 1; b < model->body_count; b++) {
        const tr_quat *made = track->target + (2 * 20 + 5) * model->body_count;
        assert_true(tr_quat_angle(plain[b], made[b]) < 1e-7);
        assert_near(tr_quat_angle(plain[b], turned[b]), b == shoulder ? 0.2 : 0, 1e-7);
    }
    tr_track_destroy(track);
}

/* e^tau more steps through the same targets; half to twice. */
TEST(time_is_scaled) {
    tr_track *track = track_with(1, false, true);
    double sample[TR_TRACK_SAMPLE_MAX] = {0};
    tr_quat slow[TR_BODY_MAX], plain[TR_BODY_MAX];
    assert_int_equal(track->sample_size, 18);
    assert_int_equal(tr_track_steps(track, sample), 20);
    sample[17] = log(1.5);
    assert_int_equal(tr_track_steps(track, sample), 30);
    tr_track_targets(track, 3, 29, sample, slow);
    sample[17] = 0;
    tr_track_targets(track, 3, 19, sample, plain);
    for (int b = 1; b < model->body_count; b++)
        assert_true(tr_quat_angle(slow[b], plain[b]) < 1e-7);
    sample[17] = 3;
    assert_int_equal(tr_track_steps(track, sample), 40);
    sample[17] = -3;
    assert_int_equal(tr_track_steps(track, sample), 10);
    tr_track_destroy(track);
}

static double cost_of(const tr_track *track, int k, const tr_state *state,
                      const tr_track_weights *weights) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_track_view view = {0};
    double none[TR_TRACK_SAMPLE_MAX] = {0};
    tr_state_forward(model, state, bodies);
    tr_track_look(track, k, state, bodies, &view);
    return tr_track_cost(track, weights, k, &view, none);
}

/* Eq. 20 is 0 at the reference; a centroid beside the feet costs the support term, turning over
 * costs the flip terms. */
TEST(each_further_term_measures_its_quantity) {
    tr_track *track = track_with(1, false, false);
    tr_track_weights weights = tr_track_weights_default(), only = {.support = 1};
    tr_state end = tr_motion_state(model, motion, 0.1);
    tr_state other = end;
    double balanced = cost_of(track, 0, &end, &only);
    assert_true(cost_of(track, 0, &end, &weights) < 0.1);
    other.pose.root_rot = tr_quat_mul(tr_quat_exp((tr_vec3){0, 0.2, 0}), end.pose.root_rot);
    tr_body_state bodies[TR_BODY_MAX];
    tr_state_forward(model, &other, bodies);
    tr_vec3 centroid = tr_body_momentum(model, bodies).com_pos;
    tr_vec3 feet =
        tr_vec3_lerp(bodies[model->foot[0]].com_pos, bodies[model->foot[1]].com_pos, 0.5);
    double off = hypot(centroid.x - feet.x, centroid.y - feet.y);
    assert_true(off > 0.1);
    assert_near(cost_of(track, 0, &other, &only), off / model->height, 1e-12);
    assert_true(balanced < 0.06);
    tr_track_weights flip = {.trunk = 1};
    assert_near(cost_of(track, 0, &other, &flip), 0, 1e-12); /* this motion does not turn over */
    track->flips = true;
    assert_near(cost_of(track, 0, &other, &flip), 0.2, 1e-3);
    tr_track_destroy(track);
}

/* Two bodies' worth of arithmetic: all at 2 m/s, none turning. */
TEST(kinetic_energy_is_per_mass) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_pose pose = tr_pose_rest(model);
    tr_state s = tr_state_at_rest(model, &pose);
    s.root_vel = (tr_vec3){0, 2, 0};
    tr_state_forward(model, &s, bodies);
    assert_near(tr_track_energy(model, bodies), 2, 1e-9);
}

TEST(another_models_motion_is_refused) {
    OWN(tr_motion) *other = sway_motion(model, false);
    tr_track_def def = {"a", 0.005, 0.1, 1, false, false};
    tr_track *track = NULL;
    tr_error error = {0};
    other->model[0] = 'x';
    assert_int_equal(tr_track_create(model, other, &def, &track, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "made for model"));
    def.gain_set = "none";
    assert_int_equal(tr_track_create(model, motion, &def, &track, &error), TR_NOT_FOUND);
    def.gain_set = "a";
    def.cycles = 1000;
    assert_int_equal(tr_track_create(model, motion, &def, &track, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "8000 fragments of 20 steps; expected 1 to"));
    assert_null(track);
}

TEST(a_body_without_joints_for_actions_is_refused_by_what_it_lacks) {
    tr_model other = *model;
    tr_track_def def = {"a", 0.005, 0.1, 1, true, false};
    tr_track *track = NULL;
    tr_error error = {0};
    other.body[tr_model_find_body(&other, "luarm")].name[0] = 'x';
    assert_int_equal(tr_track_create(&other, motion, &def, &track, &error), TR_NOT_FOUND);
    assert_non_null(strstr(error.message, "expected a ball joint 'luarm' for arms"));
    other.body[tr_model_find_body(&other, "rshank")].name[0] = 'x';
    assert_int_equal(tr_track_create(&other, motion, &def, &track, &error), TR_NOT_FOUND);
    assert_non_null(strstr(error.message, "no body 'rshank'; expected bodies named ltorso"));
    assert_null(track);
}

/* --- the tree of elites --- */

/* Level 0: a b; level 1: a's two children, b's one; level 2: a child of b's only. */
TEST(offspring_ranks_elites) {
    tr_elite zero[2] = {{.parent = -1, .cost = 1}, {.parent = -1, .cost = 5}};
    tr_elite one[3] = {
        {.parent = 0, .cost = 1}, {.parent = 0, .cost = 2}, {.parent = 1, .cost = 4}};
    tr_elite two[1] = {{.parent = 2, .cost = 3}};
    tr_elite_level levels[3] = {{2, zero}, {3, one}, {1, two}};
    tr_elites_judge(levels, 0, 3);
    assert_int_equal(zero[0].height, 2);
    assert_int_equal(zero[1].height, 3);
    assert_near(zero[0].best, 2, 0);
    assert_near(zero[1].best, 12, 0);
    assert_int_equal(tr_elites_best(&levels[0]), 1); /* dearer, but it lived on */
    tr_elites_judge(levels, 0, 2);
    assert_int_equal(tr_elites_best(&levels[0]), 0); /* both as high: the cheaper path */
}

/* Eq. 4 by hand: heights 6 and 5 count, 4 does not. */
TEST(the_mean_is_weighted_by_height) {
    tr_elite elites[3] = {{.height = 6, .sample = {1, 0}},
                          {.height = 5, .sample = {0, 2}},
                          {.height = 4, .sample = {100, 100}}};
    tr_elite_level level = {3, elites};
    double mean[2] = {7, 7};
    assert_int_equal(tr_elites_mean(&level, 6, 2, mean), 0);
    assert_near(mean[0], 7, 0);
    assert_int_equal(tr_elites_mean(&level, 4, 2, mean), 2);
    assert_near(mean[0], 6.0 / 11, 1e-15);
    assert_near(mean[1], 10.0 / 11, 1e-15);
    /* Early in a long motion the one that all descend from does not count alone. */
    elites[0].height = 240;
    assert_int_equal(tr_elites_mean(&level, 4, 2, mean), 2);
    assert_near(mean[0], 10.0 / 15, 1e-15);
}
