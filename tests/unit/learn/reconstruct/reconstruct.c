#include "cmocka_test.h"

#include "learn/method/work_file.h"
#include "learn/reconstruct/reconstruct.h"
#include "model/mjcf.h"
#include "unit/defaults.h"
#include "unit/learn/near.h"
#include "unit/learn/sway.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

SUITE_OWN(tr_model, model);
SUITE_OWN(tr_motion, motion);
static tr_reconstruct_amounts amounts; /* of all that begin() makes */
static char path[] = "/tmp/troupe-reconstruct-XXXXXX";

FIXTURE(load) {
    model = sway_model();
    motion = sway_motion(model, false);
    int file = mkstemp(path);
    assert_int_equal(file < 0 || close(file) != 0, 0);
}

FIXTURE(unload) {
    assert_int_equal(unlink(path), 0);
}

/* A small search with a window shorter than the motion, so that it slides. */
static tr_reconstruct_parameters small(void) {
    tr_reconstruct_parameters p =
        DEFAULTS(tr_reconstruct_parameters, tr_reconstruct_parameter_table);
    p.samples = 24;
    p.rounds = 2;
    amounts = (tr_reconstruct_amounts){
        .elite_share = 0.25,
        .omega_rad = 0.05,
        .window = {.size = 5, .updates_min = 1, .updates_max = 2, .patience = 1, .margin = 2},
        .stalls_max = 20,
        .cost_max = 15,
        .successes = 1};
    return p;
}

static tr_reconstruction *begin(const tr_reconstruct_parameters *p, int threads) {
    tr_reconstruct_def def = {.model = model,
                              .motion = motion,
                              .parameters = *p,
                              .threads = threads,
                              .amounts = &amounts};
    tr_reconstruction *r = NULL;
    tr_error error = {0};
    if (tr_reconstruct_create(&def, &r, &error))
        fail_msg("%s", error.message);
    return r;
}

static void advance(tr_reconstruction *r, int trials) {
    const tr_reconstruct_progress *p = &r->progress;
    for (int i = 0; i < trials && p->phase != TR_RECONSTRUCT_DONE; i++) {
        tr_error error = {0};
        if (tr_reconstruct_advance(r, &error))
            fail_msg("%s", error.message);
    }
}

static tr_reconstruct_result perform(tr_reconstruction *r) {
    tr_reconstruct_result result;
    assert_int_equal(tr_reconstruct_perform(r, &result), TR_OK);
    return result;
}

/* Hash of the result of a whole reconstruction. */
static uint64_t whole(const tr_reconstruct_parameters *p, int threads) {
    OWN(tr_reconstruction) *r = begin(p, threads);
    advance(r, 1000);
    assert_near(tr_reconstruct_share(r), 1, 0);
    assert_int_equal(tr_reconstruct_advance(r, NULL), TR_OUT_OF_RANGE);
    tr_reconstruct_result result = perform(r);
    assert_false(result.lost);
    tr_motion_destroy(result.motion);
    return result.hash;
}

TEST(threads_do_not_change_the_result) {
    tr_reconstruct_parameters p = small(), scaled = small();
    scaled.tau = 0.1;
    scaled.arms = 1;
    uint64_t hash = whole(&p, 1);
    assert_true(whole(&scaled, 2) == whole(&scaled, 1));
    p.seed = 2;
    assert_true(whole(&p, 2) != hash);
}

TEST(the_window_slides_over_the_motion) {
    tr_reconstruct_parameters p = small();
    p.rounds = 0;
    OWN(tr_reconstruction) *r = begin(&p, 2);
    const tr_reconstruct_progress *progress = &r->progress;
    int start = 0, moves = 0, count = r->track->count;
    assert_int_equal(count, 8);
    while (progress->phase != TR_RECONSTRUCT_DONE) {
        advance(r, 1);
        assert_int_equal(progress->from, start);
        assert_true(progress->reached <= start + amounts.window.size);
        moves += progress->start > start;
        start = progress->start;
    }
    assert_int_equal(start, count);
    assert_true(moves >= 2);
}

/* The path is stitched from samples of several trials and threads; performed without interruption
 * it is the same, and costs the same. */
TEST(the_control_performs_what_was_found) {
    tr_reconstruct_parameters p = small();
    p.rounds = 0;
    p.tau = 0.1;
    OWN(tr_reconstruction) *r = begin(&p, 2);
    tr_reconstruct_result result;
    assert_int_equal(tr_reconstruct_perform(r, &result), TR_FAILED_PRECONDITION);
    advance(r, 1000);
    result = perform(r);
    assert_near(result.cost, r->progress.path_cost, 1e-9);
    assert_true(result.nsr >= 0 && isfinite(result.nsr));
    char *text = NULL;
    size_t size = 0;
    int steps = 0;
    assert_int_equal(tr_reconstruct_print(r, &text, &size), TR_OK);
    assert_int_equal(strlen(text), size);
    for (const char *at = text; (at = strstr(at, "{\"steps\":")); at++)
        steps += atoi(at + strlen("{\"steps\":"));
    assert_int_equal(steps + 1, result.motion->frame_count);
    free(text);
    tr_motion_destroy(result.motion);
}

TEST(adaptation_lowers_the_cost) {
    tr_reconstruct_parameters p = small();
    p.rounds = 0;
    amounts.window = (tr_window_def){
        .size = 8, .updates_min = 12, .updates_max = 12, .patience = 12, .margin = 5};
    tr_reconstruction *r = begin(&p, 2);
    advance(r, 1);
    double first = r->progress.cost;
    advance(r, 1000);
    assert_true(r->progress.path_cost < 0.8 * first);
    tr_reconstruct_destroy(r);
}

/* Rounds only ever lower the noise, since the least noisy control is kept. */
TEST(averaging_lowers_the_noise) {
    for (int plain = 0; plain < 2; plain++) {
        tr_reconstruct_parameters p = small();
        amounts.omega_rad = 0.1;
        p.rounds = 6;
        p.plain = plain;
        amounts.successes = 3;
        tr_reconstruction *r = begin(&p, 2);
        const tr_reconstruct_progress *progress = &r->progress;
        while (progress->phase == TR_RECONSTRUCT_SEARCH)
            advance(r, 1);
        tr_reconstruct_result before = perform(r);
        assert_near(progress->nsr, before.nsr, 0);
        assert_int_equal(progress->kept, 0);
        for (double least = before.nsr; progress->phase != TR_RECONSTRUCT_DONE;
             least = progress->nsr) {
            advance(r, 1);
            assert_true(progress->nsr <= least);
            assert_int_equal(progress->nsr < least, progress->kept == progress->rounds);
        }
        tr_reconstruct_result after = perform(r);
        assert_true(after.nsr < before.nsr);
        assert_near(progress->nsr, after.nsr, 0);
        tr_motion_destroy(before.motion);
        tr_motion_destroy(after.motion);
        tr_reconstruct_destroy(r);
    }
}

static const tr_method method = {.list = tr_reconstruct_list};
static const tr_work_bond bond = {.method = "reconstruct"};

static tr_status save(tr_reconstruction *r, const char *file) {
    return tr_work_file_save(&(tr_work_file){&method, r, &bond, NULL, NULL}, file, NULL);
}

static tr_status resume(tr_reconstruction *r, const char *file) {
    return tr_work_file_load(&(tr_work_file){&method, r, &bond, NULL, NULL}, file, NULL);
}

TEST(an_interrupted_reconstruction_ends_the_same) {
    for (int plain = 0; plain < 2; plain++) {
        tr_reconstruct_parameters p = small();
        p.plain = plain;
        amounts.successes = 3;
        uint64_t straight = whole(&p, 2);
        for (int stop = 1; stop <= 5; stop += 2) {
            tr_reconstruction *first = begin(&p, 1), *second = begin(&p, 2);
            advance(first, stop);
            assert_int_equal(save(first, path), TR_OK);
            tr_reconstruct_destroy(first);
            assert_int_equal(resume(second, path), TR_OK);
            advance(second, 1000);
            tr_reconstruct_result result = perform(second);
            assert_true(result.hash == straight);
            tr_motion_destroy(result.motion);
            tr_reconstruct_destroy(second);
        }
    }
}

/* Hinged in front of its hand, the ball goes where the hand goes. */
TEST(a_ball_is_carried_in_the_hand) {
    tr_reconstruct_parameters p = small();
    p.rounds = 0;
    uint64_t hash = whole(&p, 1);
    p.carried_kg = 3;
    assert_true(whole(&p, 1) != hash);
    assert_true(whole(&p, 2) == whole(&p, 1));
    OWN(tr_reconstruction) *r = begin(&p, 1);
    advance(r, 1000);
    tr_reconstruct_result result = perform(r);
    const tr_rehearsal *rehearsal = &r->ensemble->rehearsal[0];
    tr_object_state ball;
    assert_int_equal(tr_rig_look(&rehearsal->pieces, rehearsal->world, &ball), TR_OK);
    const int hand = model->hand[1];
    const tr_body_state *bodies = tr_world_bodies(rehearsal->world, rehearsal->character);
    assert_near(tr_vec3_distance(ball.pos, bodies[hand].com_pos), 0.2, 0.02);
    tr_motion_destroy(result.motion);
}

/* A motion that no servo can follow: the character hovers a metre above the ground. */
TEST(the_impossible_is_given_up) {
    tr_motion *real = motion, *hovering = sway_motion(model, false);
    for (int i = 0; i < hovering->frame_count; i++)
        hovering->poses[i].root_pos.z += 1;
    tr_reconstruct_parameters p = small();
    p.trials_max = 8;
    amounts.stalls_max = 2;
    motion = hovering;
    tr_reconstruction *r = begin(&p, 2);
    motion = real;
    tr_error error = {0};
    tr_status status = TR_OK;
    for (int i = 0; i < 8; i++)
        assert_int_equal(tr_reconstruct_advance(r, &error), TR_OK);
    status = tr_reconstruct_advance(r, &error);
    assert_int_equal(status, TR_ABORTED);
    assert_non_null(strstr(error.message, "given up after 8 trials"));
    const tr_reconstruct_progress *progress = &r->progress;
    assert_true(progress->setbacks >= 2);
    assert_true(progress->furthest < r->track->count);
    tr_reconstruct_destroy(r);
    tr_motion_destroy(hovering);
}

TEST(too_many_elites_are_refused) {
    tr_reconstruct_parameters p = small();
    p.samples = 10000;
    amounts.elite_share = 1;
    p.cycles = 2;
    tr_reconstruct_def def = {
        .model = model, .motion = motion, .parameters = p, .threads = 1, .amounts = &amounts};
    tr_reconstruction *r = NULL;
    assert_int_equal(tr_reconstruct_create(&def, &r, NULL), TR_INVALID_ARGUMENT);
    assert_null(r);
}

SUITE_FIXTURE(load, unload);
