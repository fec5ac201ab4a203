#include "cmocka_test.h"

#include "learn/gait/gait_measure.h"
#include "learn/gait/gait_start.h"
#include "learn/gait/gait_training.h"
#include "learn/method/work_file.h"
#include "model/mjcf.h"
#include "unit/control/puppet.h"
#include "unit/defaults.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A clip that the tests make: legs and arms swing to and fro while the root moves on. */
static tr_motion *make_walk(const tr_model *model) {
    enum { FRAMES = 100 };
    tr_motion *motion = NULL;
    assert_int_equal(tr_motion_create(model, FRAMES, 0.01, &motion), TR_OK);
    snprintf(motion->name, sizeof motion->name, "walk");
    motion->cyclic = motion->symmetric = true;
    motion->cycle_shift = (tr_vec3){1, 0, 0};
    int thigh[2] = {tr_model_find_body(model, "lthigh"), tr_model_find_body(model, "rthigh")};
    for (int i = 0; i < FRAMES; i++) {
        double swing = 0.4 * sin(2 * TR_PI * i / FRAMES);
        tr_pose *pose = &motion->poses[i];
        pose->root_pos.x = (double)i / FRAMES;
        for (int side = 0; side < 2; side++)
            pose->joint[thigh[side]] =
                tr_quat_from_axis_angle((tr_vec3){0, 1, 0}, side ? swing : -swing);
    }
    return motion;
}

typedef struct fixture {
    tr_model *model;
    tr_motion *motion;
    tr_gait_settings settings;
    tr_gait_amounts amounts;
} fixture;

static fixture begin(void) {
    fixture f = {.model = puppet_model(),
                 .settings = DEFAULTS(tr_gait_settings, tr_gait_settings_table),
                 .amounts = tr_gait_amounts_usual()};
    f.motion = make_walk(f.model);
    f.settings.base_generations = 2;
    f.settings.samples = 8;
    f.settings.base_mps = 0.5;
    f.settings.front_n = 4;
    f.settings.force_step_n = 4;
    f.settings.back_n = 0;
    f.settings.harden_generations = 2;
    f.settings.harden_samples = 4;
    f.settings.harden_best = 2;
    f.settings.harden_test_trials = 1;
    f.settings.harden_varying = f.settings.harden_stepped = f.settings.harden_sided = 0;
    f.amounts.sigma = 0.05;
    f.amounts.noise.joint_rad = 0.01;
    f.amounts.noise.target_rad = 0.002;
    f.amounts.base_trials = f.amounts.force_trials = 1;
    f.amounts.base_kick_n = f.amounts.base_side_n = f.amounts.force_kick_n = 0;
    f.amounts.force_generations = 4;
    f.amounts.force_varying = 0;
    f.amounts.trial_s = 3;
    f.amounts.test_s = f.amounts.harden_s = 4;
    f.amounts.test_trials = f.amounts.test_least = 2;
    f.amounts.walk_least_mps = 0;
    return f;
}

static void end(fixture *f) {
    tr_motion_destroy(f->motion);
    tr_model_destroy(f->model);
}

static tr_gait_training *create(const fixture *f, int threads) {
    tr_gait_training *training = NULL;
    tr_error error = {0};
    const tr_method_given walk = {.motion = f->motion};
    const tr_method_def def = {f->model, &f->settings, &walk, "", threads, NULL};
    if (tr_gait_training_create(&def, &training, &error))
        fail_msg("%s", error.message);
    training->amounts = f->amounts;
    return training;
}

static int advance(tr_gait_training *training, int generations) {
    tr_error error = {0};
    char line[256];
    int made = 0;
    while (made < generations && !tr_gait_training_is_done(training)) {
        if (tr_gait_training_advance(training, line, sizeof line, &error))
            fail_msg("%s", error.message);
        made++;
    }
    return made;
}

static void assert_same(const tr_gait_training *a, const tr_gait_training *b) {
    const tr_gait_anchors *one = &a->anchors, *two = &b->anchors;
    assert_int_equal(one->count, two->count);
    assert_memory_equal(one->anchor, two->anchor, (size_t)one->count * sizeof *one->anchor);
    const tr_gait_samples *x = &a->samples, *y = &b->samples;
    assert_int_equal(x->count, y->count);
    if (x->count)
        assert_memory_equal(x->sample, y->sample, (size_t)x->count * sizeof *x->sample);
}

static void assert_differ(const tr_gait_training *one, const tr_gait_training *two) {
    const tr_gait_anchors *a = &one->anchors;
    const tr_gait_anchors *b = &two->anchors;
    assert_int_equal(a->count, b->count);
    assert_memory_not_equal(a->anchor, b->anchor, (size_t)a->count * sizeof *a->anchor);
}

static void check_results(const tr_gait_training *training) {
    const tr_gait_anchors *anchors = &training->anchors;
    assert_non_null(tr_gait_anchors_find(anchors, 0));
    assert_non_null(tr_gait_anchors_find(anchors, -4));
    for (int i = 0; i < anchors->count; i++)
        assert_int_equal(tr_gait_parameters_check(anchors->anchor[i].value), -1);
    assert_true(training->samples.count > 0);
}

/* A training finds anchors and samples. Trials with a box teach something else than those without,
 * and the same for any number of threads. */
TEST(hardening_with_a_box_counts) {
    OWN_BY(end) fixture f = begin();
    tr_gait_training *without = create(&f, 1);
    f.settings.harden_hauled = 1;
    f.amounts.haul_s = 2;
    tr_gait_training *one = create(&f, 1), *three = create(&f, 3);
    advance(without, 1000);
    check_results(without);
    advance(one, 1000);
    advance(three, 1000);
    assert_same(one, three);
    assert_differ(without, one);
    tr_gait_training_destroy(without);
    tr_gait_training_destroy(one);
    tr_gait_training_destroy(three);
}

static const char *scratch(void) {
    static char path[64];
    snprintf(path, sizeof path, "gait-%d.checkpoint", (int)getpid());
    return path;
}

static void list(void *training, tr_blocks *blocks) {
    tr_gait_training_list(training, blocks);
}

static const tr_method method = {.name = "gait", .list = list};
static const tr_work_bond bond = {.method = "gait"};

static tr_status save(tr_gait_training *training, tr_error *error) {
    const tr_work_file file = {&method, training, &bond, NULL, NULL};
    return tr_work_file_save(&file, scratch(), error);
}

static tr_status resume(tr_gait_training *training, tr_error *error) {
    const tr_work_file file = {&method, training, &bond, NULL, NULL};
    return tr_work_file_load(&file, scratch(), error);
}

/* Continued at the next phase by --from, a training has the bits of one in a single command. */
TEST(parts_of_a_training_give_the_bits_of_the_whole) {
    OWN_BY(end) fixture f = begin();
    tr_error error = {0};
    f.settings.front_n = 0;
    tr_gait_training *whole = create(&f, 1);
    advance(whole, 1000);
    f.settings.harden_generations = 0;
    tr_gait_training *first = create(&f, 2);
    advance(first, 1000);
    f.settings.harden_generations = 2;
    tr_gait_training *second = create(&f, 1);
    assert_int_equal(save(first, &error), TR_OK);
    if (tr_gait_start_load(second, scratch(), &error) ||
        tr_gait_training_restart_at(second, "harden", &error))
        fail_msg("%s", error.message);
    advance(second, 1000);
    assert_same(whole, second);
    remove(scratch());
    tr_gait_training_destroy(whole);
    tr_gait_training_destroy(first);
    tr_gait_training_destroy(second);
}

/* Interrupted within each phase, and continued on another number of threads. */
TEST(a_resumed_training_gives_the_same_bits) {
    OWN_BY(end) fixture f = begin();
    tr_error error = {0};
    tr_gait_training *straight = create(&f, 1), *broken = create(&f, 1);
    advance(straight, 1000);
    while (advance(broken, 1) == 1) {
        assert_int_equal(save(broken, &error), TR_OK);
        tr_gait_training_destroy(broken);
        broken = create(&f, 2);
        for (int times = 0; times < 2; times++) /* as with --from and --resume */
            if (resume(broken, &error))
                fail_msg("%s", error.message);
    }
    assert_same(straight, broken);
    assert_int_equal(broken->samples.count, straight->samples.count);
    remove(scratch());
    tr_gait_training_destroy(straight);
    tr_gait_training_destroy(broken);
}

TEST(a_base_that_does_not_walk_is_reported) {
    OWN_BY(end) fixture f = begin();
    tr_error error = {0};
    char line[256];
    f.amounts.noise.joint_rad = 0.5;
    f.settings.base_generations = 1;
    tr_gait_training *training = create(&f, 1);
    assert_int_equal(tr_gait_training_advance(training, line, sizeof line, &error),
                     TR_FAILED_PRECONDITION);
    assert_non_null(strstr(error.message, "base walk"));
    tr_gait_training_destroy(training);
}

/* --- measuring --- */

/* The published walk, in worlds of its own. */
typedef struct walk {
    tr_model *model;
    tr_gait_curve curve;
    tr_gait *gait;
    tr_ensemble *worlds;
} walk;

static walk begin_walk(void) {
    walk w = {.model = puppet_model()};
    tr_error error = {0};
    const tr_ensemble_def worlds = {w.model, w.model->gain_set[0].name, 0.005, 2, NULL, 0};
    const tr_gait_def def = {.force = &w.curve, .own_mps = 0.5};
    assert_int_equal(tr_ensemble_create(&worlds, &w.worlds), TR_OK);
    assert_int_equal(tr_gait_curve_init(&w.curve, 0, 0, 1), TR_OK);
    tr_gait_parameters_published(w.curve.row[0]);
    assert_int_equal(tr_gait_create(w.model, &def, &w.gait, &error), TR_OK);
    return w;
}

static void end_walk(walk *w) {
    tr_gait_destroy(w->gait);
    tr_gait_curve_deinit(&w->curve);
    tr_ensemble_destroy(w->worlds);
    tr_model_destroy(w->model);
}

static tr_gait_survival measure(const walk *w, const tr_gait_test *test) {
    tr_gait_survival survival;
    assert_int_equal(tr_gait_measure(w->gait, test, w->worlds, &survival), TR_OK);
    return survival;
}

TEST(stronger_pushes_are_survived_less_often) {
    OWN_BY(end_walk) walk w = begin_walk();
    tr_gait_test test = {.kind = TR_FORCE_PUSH, .slope_nps = 100, .trials = 24, .seed = 3};
    test.high_n = 10;
    tr_gait_survival weak = measure(&w, &test);
    test.high_n = 300;
    tr_gait_survival strong = measure(&w, &test);
    assert_int_equal(weak.trials, 24);
    assert_true(weak.survived >= 18);
    assert_true(strong.survived <= 4);
}

/* A force that fells at once does so later where it begins later: at 2 s, or at 4 to 4.66 s. */
TEST(a_force_begins_in_all_phases) {
    OWN_BY(end_walk) walk w = begin_walk();
    tr_gait_test test = {.kind = TR_FORCE_STEP,
                         .low_n = -1000,
                         .high_n = -1000,
                         .slope_nps = 100,
                         .duration_s = 8,
                         .trials = 12,
                         .seed = 3};
    tr_gait_survival one = measure(&w, &test);
    test.all_phases = true;
    tr_gait_survival all = measure(&w, &test);
    assert_int_equal(one.survived, 0);
    assert_int_equal(all.survived, 0);
    assert_true(all.mean_s - one.mean_s > 2 && all.mean_s - one.mean_s < 2.7);
}

BEFORE_ALL() {
    tr_physics_init();
}
