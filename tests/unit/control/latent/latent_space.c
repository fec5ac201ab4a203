/* controllers/control/latent/latent_space.h: poses, steps and dynamics at the clips; sections that
 * are not to be trusted. */
#include "cmocka_test.h"

#include "control/latent/latent_view.h"
#include "unit/control/bits.h"
#include "unit/control/latent/loops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

SUITE_OWN(tr_model, model);
SUITE_OWN(tr_latent_space, space);

BEFORE_ALL() {
    model = loops_model();
    space = loops_make(model);
}

TEST(test_poses_are_the_clips_at_their_points) {
    const tr_latent_space_def *def = &space->learned;
    double vector[TR_POSE_VECTOR_MAX];
    for (int f = 0; f < def->frame_count; f++) {
        tr_latent_space_pose(space, def->point + f * def->dimension, vector);
        for (int k = 0; k < def->pose_size; k++)
            assert_true(fabs(vector[k] - def->pose[f * def->pose_size + k]) < 0.01);
    }
}

/* About a reference that is bent to one side: between the frames too, the image's poses are mirror
 * images. */
TEST(test_mirrored_poses_are_mirror_images) {
    const tr_pose_place origin = {0, 0, 0};
    tr_latent_space_def def = loops_definition(model);
    OWN(tr_latent_space) *bent = NULL, *image = NULL;
    tr_error error = {0};
    def.reference.joint[tr_model_find_body(model, "lthigh")] =
        tr_quat_exp((tr_vec3){0.3, 0.7, 0.1});
    if (tr_latent_space_create(model, &def, &bent, &error))
        fail_msg("%s", error.message);
    assert_int_equal(tr_latent_space_mirror(bent, model, &image), TR_OK);
    for (int f = 0; f + 1 < LOOP_FRAMES; f++) {
        double x[LOOP_DIMENSION], one[TR_POSE_VECTOR_MAX], other[TR_POSE_VECTOR_MAX];
        for (int d = 0; d < LOOP_DIMENSION; d++)
            x[d] = 0.3 + 0.5 * (def.point[f * LOOP_DIMENSION + d] +
                                def.point[(f + 1) * LOOP_DIMENSION + d]);
        tr_latent_space_pose(bent, x, one);
        tr_latent_space_pose(image, x, other);
        tr_pose pose = tr_pose_vector_to(model, &bent->learned.reference, one, &origin);
        tr_pose mirrored = tr_pose_vector_to(model, &image->learned.reference, other, &origin);
        pose = tr_pose_mirror(model, &pose);
        for (int b = 1; b < model->body_count; b++)
            assert_true(tr_quat_angle(pose.joint[b], mirrored.joint[b]) < 1e-7);
    }
    for (int i = 0; i < def.support_count; i++) {
        const tr_support *support = &image->learned.support[i];
        assert_int_equal(support->body, model->body[def.support[i].body].mirror);
        assert_true(tr_vec3_distance(support->point, tr_vec3_mirror(def.support[i].point)) == 0);
    }
}

TEST(test_variance_grows_away_from_the_clips) {
    const double away[3] = {0, 0, 3}, far[3] = {50, 0, 0};
    double at = tr_latent_space_variance(space, space->learned.point);
    assert_true(at < 10 * space->learned.kernels.pose_noise);
    assert_true(tr_latent_space_variance(space, away) > 100 * at);
    assert_true(fabs(tr_latent_space_variance(space, far) - 1) < 1e-3);
    assert_true(space->mean_variance > 1e-4 && space->mean_variance < 1e-3);
}

TEST(test_root_steps_match_the_clip_and_are_zero_without_movement) {
    for (int loop = 0; loop < LOOP_COUNT; loop++) {
        tr_latent_state s = tr_latent_space_state(space, loop * LOOP_FRAMES + 7);
        tr_root_step step = tr_latent_space_root_step(space, &s);
        assert_true(fabs(step.turn_rad - LOOP_TURN * (loop - 1)) < 0.01);
        assert_true(fabs(step.forward - LOOP_FORWARD) < 0.003);
        assert_true(fabs(step.left) < 0.003);
        memset(s.v, 0, sizeof s.v);
        step = tr_latent_space_root_step(space, &s);
        assert_true(step.turn_rad == 0 && step.forward == 0 && step.left == 0);
    }
}

TEST(test_dynamics_lead_to_the_next_frame) {
    const tr_latent_space_def *def = &space->learned;
    double next[TR_LATENT_DIMENSION_MAX], variance;
    tr_latent_state s = tr_latent_space_state(space, LOOP_FRAMES + 10);
    tr_latent_space_dynamics(space, &s, next, &variance);
    for (int d = 0; d < def->dimension; d++)
        assert_true(fabs(next[d] - def->point[(LOOP_FRAMES + 11) * def->dimension + d]) < 0.02);
    assert_true(variance > 0 && variance < 0.05);
}

TEST(test_standing_is_that_of_the_frames_nearby) {
    double standing[TR_SUPPORT_MAX + 1], pose[TR_POSE_VECTOR_MAX], same[TR_POSE_VECTOR_MAX];
    const double *x = space->learned.point + 6 * LOOP_DIMENSION;
    int last = space->learned.support_count - 1;
    standing[last + 1] = 7;
    tr_latent_space_show(space, x, pose, standing);
    assert_true(standing[last + 1] == 7);
    tr_latent_space_pose(space, x, same);
    assert_memory_equal(pose, same, (size_t)space->learned.pose_size * sizeof *pose);
    assert_true(standing[0] > 0.9 && standing[last] == 0);
    tr_latent_space_show(space, space->learned.point + 18 * LOOP_DIMENSION, pose, standing);
    assert_true(standing[0] < 0.1);
}

/* Of a mixture of two frames, poses and root steps are the means, and of one its own. */
TEST(test_mixtures_are_means) {
    tr_latent_mixture m = {.count = 2,
                           .pose_share = {0.25, 0.75},
                           .step_share = {0.5, 0.5},
                           .state = {tr_latent_space_state(space, 5),
                                     tr_latent_space_state(space, 2 * LOOP_FRAMES + 9)}};
    double pose[3][TR_POSE_VECTOR_MAX], standing[TR_SUPPORT_MAX];
    tr_latent_space_show_mixture(space, &m, pose[2], standing);
    for (int i = 0; i < 2; i++)
        tr_latent_space_pose(space, m.state[i].x, pose[i]);
    for (int k = 0; k < space->learned.pose_size; k++)
        assert_true(fabs(pose[2][k] - 0.25 * pose[0][k] - 0.75 * pose[1][k]) < 1e-9);
    const tr_root_step first = tr_latent_space_root_step(space, &m.state[0]),
                       second = tr_latent_space_root_step(space, &m.state[1]),
                       both = tr_latent_space_mixed_step(space, &m);
    assert_true(fabs(both.turn_rad - 0.5 * (first.turn_rad + second.turn_rad)) < 1e-9);
    assert_true(fabs(both.forward - 0.5 * (first.forward + second.forward)) < 1e-9);
    assert_true(standing[0] > 0.9);
    m = (tr_latent_mixture){.count = 1, .pose_share = {1}, .state = {m.state[0]}};
    tr_latent_space_show_mixture(space, &m, pose[2], standing);
    assert_memory_equal(pose[2], pose[0], (size_t)space->learned.pose_size * sizeof(double));
}

TEST(test_sparse_spaces_are_refused) {
    OWN_BY(tr_sections_deinit) tr_sections sections = {0};
    tr_error error = {0};
    tr_latent_space *loaded = NULL;
    tr_section_writer w = tr_section_begin(&sections, "space");
    tr_section_put_int(&w, 2);
    assert_int_equal(tr_section_end(&w, &error), TR_OK);
    assert_int_equal(tr_latent_space_load(&sections, model, &loaded, &error), TR_DATA_LOSS);
    assert_non_null(strstr(error.message, "sparse"));
    assert_non_null(strstr(error.message, "fit at most 1024 frames"));
}

TEST(test_first_frames_have_the_step_that_follows) {
    tr_latent_state first = tr_latent_space_state(space, LOOP_FRAMES),
                    second = tr_latent_space_state(space, LOOP_FRAMES + 1);
    assert_memory_equal(first.v, second.v, sizeof first.v);
}

TEST(test_space_returns_from_its_section) {
    OWN_BY(tr_sections_deinit) tr_sections sections = {0};
    OWN(tr_latent_space) *again = NULL;
    tr_error error = {0};
    assert_int_equal(tr_latent_space_save(space, &sections, &error), TR_OK);
    assert_int_equal(tr_latent_space_load(&sections, model, &again, &error), TR_OK);
    const tr_latent_space_def *a = &space->learned, *b = &again->learned;
    size_t frames = (size_t)a->frame_count;
    assert_memory_equal(a->point, b->point, frames * LOOP_DIMENSION * sizeof *a->point);
    assert_memory_equal(a->pose, b->pose, frames * (size_t)a->pose_size * sizeof *a->pose);
    assert_memory_equal(a->root, b->root, (frames - LOOP_COUNT) * sizeof *a->root);
    assert_memory_equal(a->standing, b->standing, frames);
    assert_memory_equal(&a->kernels, &b->kernels, sizeof a->kernels);
    assert_memory_equal(&a->reference, &b->reference, sizeof a->reference);
    assert_int_equal(a->support_count, b->support_count);
    assert_memory_equal(a->support, b->support, sizeof a->support);
    assert_true(b->clip[2].mirrored && strcmp(b->clip[1].name, "loop") == 0);
    assert_memory_equal(space->pose.weight, again->pose.weight,
                        (size_t)space->pose.count * sizeof(double));
    assert_true(space->step_length == again->step_length);
}

TEST(test_bad_definitions_are_refused) {
    tr_latent_space *again = NULL;
    tr_error error = {0};
    for (int k = 0; k < 9; k++) {
        tr_latent_space_def def = loops_definition(model);
        switch (k) {
        case 0:
            def.dimension = 9;
            break;
        case 1:
            def.frame_count++;
            break;
        case 2:
            def.clip[1].first++;
            break;
        case 3:
            def.pose_size--;
            break;
        case 4:
            def.support[0].body = TR_BODY_MAX;
            break;
        case 5:
            def.kernels.pose_noise = 0;
            break;
        case 6:
            def.kernels.step_scale = NAN;
            break;
        case 7:
            def.reference.joint[3].w = 2;
            break;
        default:
            def.point[5] = NAN;
            break;
        }
        assert_int_equal(tr_latent_space_create(model, &def, &again, &error), TR_INVALID_ARGUMENT);
        assert_null(again);
        assert_true(strstr(error.message, "expected") != NULL);
    }
    loops_definition(model).point[5] = 0;
}

/* Two axes of the loops are as wide as each other, and wider than the third. */
TEST(test_view_has_the_widest_axes_first) {
    tr_latent_view view = tr_latent_view_of(space);
    const tr_latent_space_def *def = &space->learned;
    double spread[LOOP_DIMENSION] = {0};
    for (int a = 0; a < LOOP_DIMENSION; a++)
        for (int b = 0; b < LOOP_DIMENSION; b++) {
            double dot = 0;
            for (int d = 0; d < LOOP_DIMENSION; d++)
                dot += view.axis[a][d] * view.axis[b][d];
            assert_true(fabs(dot - (a == b)) < 1e-12);
        }
    for (int i = 0; i < def->frame_count; i++) {
        const double *x = def->point + i * LOOP_DIMENSION;
        double flat[LOOP_DIMENSION], far = 0, seen = 0;
        tr_latent_view_flatten(&view, x, LOOP_DIMENSION, flat);
        for (int d = 0; d < LOOP_DIMENSION; d++) {
            far += (x[d] - view.mean[d]) * (x[d] - view.mean[d]);
            seen += flat[d] * flat[d];
            spread[d] += flat[d] * flat[d];
        }
        assert_true(fabs(far - seen) < 1e-9);
    }
    assert_true(spread[0] >= spread[1] && spread[1] > 2 * spread[2]);
    assert_true(fabs(fabs(view.axis[2][2]) - 1) < 1e-3);
}

static bool space_is_made(const void *context) {
    tr_latent_space *made = NULL;
    if (tr_latent_space_create(model, context, &made, NULL))
        return false;
    tr_latent_space_destroy(made);
    return true;
}

TEST(bounds_of_a_space_are_golden) {
    tr_latent_space_def def = loops_definition(model);
    tr_latent_kernels *k = &def.kernels;
    const bits_number numbers[] = {BITS_REAL(def.dt_s),
                                   BITS_REAL(k->pose_scale),
                                   BITS_REAL(k->velocity_amplitude),
                                   BITS_REAL(k->dynamics[2]),
                                   BITS_REAL(k->pose_spread_m),
                                   BITS_REAL(def.reference.joint[1].w),
                                   BITS_REAL(def.reference.joint[TR_POSE_BODY_MAX - 1].x),
                                   BITS_REAL(def.support[0].point.x),
                                   BITS_INT(def.pose_size, 0, 90),
                                   BITS_INT(def.support_count, -1, TR_SUPPORT_MAX + 1),
                                   BITS_INT(def.support[0].body, -2, 20),
                                   BITS_INT(def.support[0].foot, -2, 10),
                                   BITS_INT(def.clip_count, -1, 4),
                                   BITS_INT(def.clip[0].count, 0, LOOP_FRAMES + 1),
                                   BITS_INT(def.clip[1].first, 23, 27),
                                   BITS_INT(def.clip[2].count, 0, LOOP_FRAMES + 1)};
    bits_check_bounds(numbers, sizeof numbers / sizeof *numbers, space_is_made, &def,
                      0x3df126111ea36d05ULL);
}
