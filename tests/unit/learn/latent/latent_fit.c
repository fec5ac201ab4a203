/* controllers/learn/latent/latent_fit.h, examples.h, reach.h, latent_check.h, latent_file.h: a space
 * of motions made by hand reproduces them and connects them. */
#include "cmocka_test.h"

#include "learn/latent/latent_check.h"
#include "learn/latent/latent_file.h"
#include "learn/latent/latent_fit.h"
#include "learn/latent/reach.h"
#include "learn/method/whole_file.h"
#include "learn/method/work_file.h"
#include "learn/methods.h"
#include "unit/control/latent/loops.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FRAMES = 22, MOTIONS = 2 };

static tr_model *model;
static tr_motion *motion[MOTIONS];

/* A stride that goes straight, or turns left. */
static tr_motion *make_motion(double turn_rad) {
    tr_motion *m = NULL;
    assert_int_equal(tr_motion_create(model, FRAMES, 1.0 / 30, &m), TR_OK);
    snprintf(m->source.clip, sizeof m->source.clip, "stride");
    int left = tr_model_find_body(model, "lthigh"), right = tr_model_find_body(model, "rthigh"),
        trunk = tr_model_find_body(model, "utorso");
    tr_pose_place place = {0};
    for (int f = 0; f < FRAMES; f++) {
        double swing = 0.4 * tr_sin(2 * TR_PI * f / (FRAMES - 1));
        tr_pose *p = &m->poses[f];
        p->root_pos = (tr_vec3){place.x, place.y, p->root_pos.z};
        p->root_rot = tr_quat_from_heading(place.heading_rad);
        p->joint[left] = tr_quat_exp((tr_vec3){0, swing, 0});
        p->joint[right] = tr_quat_exp((tr_vec3){0, -swing, 0});
        p->joint[trunk] = tr_quat_exp((tr_vec3){0, 0.1 * swing, 4 * turn_rad});
        place = tr_pose_place_moved(&place, &(tr_root_step){turn_rad, 0.04, 0});
    }
    return m;
}

FIXTURE(make_motions) {
    model = loops_model();
    motion[0] = make_motion(0);
    motion[1] = make_motion(0.05);
}

FIXTURE(free_motions) {
    for (int i = 0; i < MOTIONS; i++)
        tr_motion_destroy(motion[i]);
    tr_model_destroy(model);
}

static tr_latent_space_def make_examples(void) {
    int bodies[TR_SUPPORT_MAX];
    tr_support support[TR_SUPPORT_MAX];
    int count = tr_support_find(model, bodies, tr_support_bodies(model, bodies), support);
    const tr_examples_def def = {.dt_s = 1.0 / 30,
                                 .motion = (const tr_motion *const *)motion,
                                 .motion_count = MOTIONS,
                                 .mirrored = true,
                                 .support = support,
                                 .support_count = count};
    tr_latent_space_def examples;
    tr_error error = {0};
    if (tr_examples_create(model, &def, &examples, &error))
        fail_msg("%s", error.message);
    return examples;
}

/* --- examples --- */

TEST(test_examples_hold_every_clip_and_its_mirror_image) {
    OWN_BY(tr_latent_space_def_deinit) tr_latent_space_def e = make_examples();
    assert_int_equal(e.clip_count, 2 * MOTIONS);
    assert_int_equal(e.frame_count, 2 * MOTIONS * FRAMES);
    assert_true(!e.clip[2].mirrored && e.clip[3].mirrored);
    assert_int_equal(e.clip[3].first, 3 * FRAMES);
    assert_string_equal(e.clip[3].name, "stride 0-0");
    const tr_root_step *left = &e.root[2 * (FRAMES - 1)], *right = &e.root[3 * (FRAMES - 1)];
    assert_true(fabs(left->turn_rad - 0.05) < 1e-9 && fabs(right->turn_rad + 0.05) < 1e-9);
    assert_true(fabs(left->forward - 0.04) < 1e-9 && fabs(right->forward - 0.04) < 1e-9);
}

TEST(test_scales_are_metres_of_movement) {
    OWN_BY(tr_latent_space_def_deinit) tr_latent_space_def e = make_examples();
    double scale[TR_POSE_VECTOR_MAX];
    tr_examples_scales(model, &e, scale);
    double hip = scale[tr_pose_vector_channel(model, tr_model_find_body(model, "lthigh")) + 1];
    double toe = scale[tr_pose_vector_channel(model, tr_model_find_body(model, "ltoe"))];
    assert_true(fabs(scale[0] - 1) < 1e-6); /* everything rises with the root */
    assert_true(hip > 0.1 && hip < 0.6);
    assert_true(toe < 0.05 * hip);
}

TEST(test_rates_other_than_the_motions_are_sampled) {
    const tr_motion *one[] = {motion[1]};
    const tr_examples_def def = {.dt_s = 1.0 / 60, .motion = one, .motion_count = 1};
    tr_latent_space_def e;
    tr_error error = {0};
    assert_int_equal(tr_examples_create(model, &def, &e, &error), TR_OK);
    assert_int_equal(e.frame_count, 2 * FRAMES - 1);
    assert_true(fabs(e.root[0].turn_rad - 0.025) < 1e-9);
    tr_latent_space_def_deinit(&e);
}

TEST(test_too_many_frames_are_refused) {
    const tr_motion *one[] = {motion[0]};
    const tr_examples_def def = {.dt_s = 1e-4, .motion = one, .motion_count = 1};
    tr_latent_space_def e;
    tr_error error = {0};
    assert_int_equal(tr_examples_create(model, &def, &e, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "1024"));
}

/* --- fit --- */

static tr_latent_fit_parameters small_parameters(void) {
    tr_latent_fit_parameters p = {0};
    tr_parameter_reset(&tr_latent_fit_parameter_table, &p);
    p.dimension = 3;
    p.connectivity = 0.02;
    return p;
}

static const char PATH[] = "latent_fit.checkpoint";
static const tr_work_bond bond = {.method = "latent_fit"};

static tr_status begin_fit(const tr_latent_fit_parameters *p, int threads, void **out,
                           tr_error *error) {
    const tr_method_given given[2] = {
        {.motions = (const tr_motion *const *)motion, .motion_count = MOTIONS}};
    const tr_method_def def = {model, p, given, "", threads, NULL};
    return tr_method_create(&tr_latent_fit_method, &def, out, error);
}

/* A whole fit, from the checkpoint if `resume`; it leaves one after its first round. */
static tr_latent_fit *run_fit(const tr_latent_fit_parameters *p, int threads, bool resume) {
    void *work = NULL;
    tr_error error = {0};
    tr_method_row row;
    assert_int_equal(begin_fit(p, threads, &work, &error), TR_OK);
    const tr_latent_fit *fit = work;
    const tr_work_file file = {&tr_latent_fit_method, work, &bond, NULL, NULL};
    if (resume && tr_work_file_load(&file, PATH, &error))
        fail_msg("%s", error.message);
    while (!fit->space) {
        if (tr_latent_fit_method.advance(work, &row, &error))
            fail_msg("%s", error.message);
        if (fit->progress.rounds == 1)
            assert_int_equal(tr_work_file_save(&file, PATH, &error), TR_OK);
    }
    return work;
}

TEST(test_space_reproduces_and_connects_its_clips) {
    tr_latent_fit_parameters p = small_parameters();
    tr_latent_fit *fit = run_fit(&p, 2, false);
    const tr_latent_fit_report *report = &fit->report;
    assert_true(report->error_rms_cm < 1);
    assert_true(report->reach > 0.9);
    assert_true(report->gap < 0);
    assert_true(fit->progress.rounds >= 3); /* of an attempt */
    assert_true(fit->progress.iterations >= 290);
    double alone;
    assert_int_equal(tr_latent_reach(fit->space, 0, &alone), TR_OK);
    assert_true(alone < 2.0 / (4 * FRAMES)); /* without jumps a clip never returns */
    tr_latent_fit_method.destroy(fit);
}

static void assert_same_space(const tr_latent_space *a, const tr_latent_space *b) {
    const tr_latent_space_def *x = &a->learned, *y = &b->learned;
    assert_int_equal(x->frame_count, y->frame_count);
    assert_memory_equal(x->point, y->point,
                        (size_t)x->frame_count * (size_t)x->dimension * sizeof *x->point);
    assert_memory_equal(&x->kernels, &y->kernels, sizeof x->kernels);
}

TEST(test_threads_and_checkpoints_change_no_bit) {
    tr_latent_fit_parameters p = small_parameters();
    tr_latent_fit *fit[3];
    for (int i = 0; i < 3; i++) {
        fit[i] = run_fit(&p, i ? 1 : 2, i == 2);
        assert_same_space(fit[0]->space, fit[i]->space);
    }
    for (int i = 0; i < 3; i++)
        tr_latent_fit_method.destroy(fit[i]);
    assert_int_equal(unlink(PATH), 0);
}

/* Drawn together so strongly, the points come to lie where noise explains the poses. */
TEST(test_noise_that_explains_the_poses_is_an_error) {
    tr_latent_fit_parameters p = small_parameters();
    p.iterations = 160;
    p.connectivity = 0.1;
    void *fit = NULL;
    tr_error error = {0};
    tr_method_row row;
    tr_status status = begin_fit(&p, 2, &fit, &error);
    while (!status && !tr_latent_fit_method.is_done(fit))
        status = tr_latent_fit_method.advance(fit, &row, &error);
    assert_int_equal(status, TR_FAILED_PRECONDITION);
    assert_non_null(strstr(error.message, "3 attempts"));
    assert_false(tr_latent_fit_method.is_done(fit));
    tr_latent_fit_method.destroy(fit);
}

/* --- measures --- */

TEST(test_standing_still_neither_slides_nor_jerks) {
    tr_latent_space_def def = loops_definition(model);
    double slip[8];
    tr_gait_measure gait = {.model = model,
                            .support = def.support,
                            .support_count = def.support_count,
                            .dt_s = 0.1,
                            .slip = slip};
    tr_pose pose = tr_pose_rest(model);
    for (int i = 0; i < 8; i++)
        tr_gait_measure_add(&gait, &pose);
    assert_true(tr_gait_measure_slip(&gait) == 0 && tr_gait_measure_jerk(&gait) == 0);
}

/* All points slide by 0.02 m in 0.1 s; x = i^3 / 100 has the third difference 6 / 100. */
TEST(test_sliding_and_jerk_are_measured) {
    tr_latent_space_def def = loops_definition(model);
    double slip[8];
    tr_gait_measure gait = {.model = model,
                            .support = def.support,
                            .support_count = def.support_count,
                            .dt_s = 0.1,
                            .slip = slip};
    tr_pose pose = tr_pose_rest(model);
    for (int i = 0; i < 8; i++) {
        pose.root_pos.y = 0.02 * i;
        tr_gait_measure_add(&gait, &pose);
    }
    assert_true(fabs(tr_gait_measure_slip(&gait) - 0.2) < 1e-9);
    assert_true(tr_gait_measure_jerk(&gait) < 1e-9);
    gait.slip_count = 0;
    tr_gait_measure_break(&gait);
    for (int i = 0; i < 8; i++) {
        pose.root_pos.x = 0.01 * i * i * i;
        tr_gait_measure_add(&gait, &pose);
    }
    assert_int_equal(gait.slip_count, 7);
    assert_true(fabs(tr_gait_measure_jerk(&gait) - 0.5 * 60) < 1e-6);
}

/* --- files --- */

static tr_status read_sections(const char *path, tr_sections *out, tr_error *error) {
    char *content = NULL;
    size_t size = 0;
    tr_status status = tr_whole_file_read(path, 0, 1 << 28, &content, &size, error);
    if (!status)
        status = tr_latent_file_parse(content, size, path, out, error);
    free(content);
    return status;
}

TEST(test_files_keep_sections_and_refuse_damage) {
    char path[] = "/tmp/troupe-latent-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    tr_latent_space *space = loops_make(model), *again = NULL;
    tr_sections sections = {0}, read = {0};
    tr_error error = {0};
    assert_int_equal(tr_latent_space_save(space, &sections, &error), TR_OK);
    assert_int_equal(tr_latent_file_write(path, &sections, &error), TR_OK);
    assert_int_equal(read_sections(path, &read, &error), TR_OK);
    assert_int_equal(tr_latent_space_load(&read, model, &again, &error), TR_OK);
    assert_same_space(space, again);
    tr_sections_deinit(&read);
    FILE *f = fopen(path, "r+b");
    assert_non_null(f);
    fseek(f, 5000, SEEK_SET);
    fputc(0x55, f);
    fclose(f);
    assert_int_equal(read_sections(path, &read, &error), TR_DATA_LOSS);
    assert_non_null(strstr(error.message, path));
    assert_int_equal(truncate(path, 40), 0);
    assert_int_equal(read_sections(path, &read, &error), TR_DATA_LOSS);
    unlink(path);
    assert_int_equal(read_sections(path, &read, &error), TR_NOT_FOUND);
    tr_latent_space_destroy(space);
    tr_latent_space_destroy(again);
    tr_sections_deinit(&sections);
}

/* What could not be made is destroyed like all else. */
TEST(test_no_fit_is_destroyed_too) {
    tr_latent_fit_method.destroy(NULL);
}

SUITE_FIXTURE(make_motions, free_motions);
