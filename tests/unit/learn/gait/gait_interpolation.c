#include "cmocka_test.h"

#include "learn/gait/gait_interpolation.h"
#include "math/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Gaits along a curve over the force, with noise around it. */
static void add(tr_gait_samples *samples, double task, int optimal, tr_random *random) {
    tr_gait_sample sample = {.task = task, .optimal = optimal};
    tr_gait_space space = tr_gait_space_of(false);
    tr_gait_parameters_published(sample.value);
    for (int i = 0; i < space.size; i++) {
        const tr_gait_parameter *row = tr_gait_parameter_row(space.index[i]);
        double size = 0.1 * (i % 5) * task / 100 + (i % 3 == 0 ? 0.3 * cos(task / 60) : 0);
        double noise = optimal ? 0 : 0.05 * tr_random_normal(random);
        sample.value[space.index[i]] += row->scale * (size + noise);
    }
    tr_gait_parameters_clamp(sample.value);
    assert_int_equal(tr_gait_samples_add(samples, &sample), TR_OK);
}

static tr_gait_samples make(void) {
    tr_gait_samples samples = {0};
    tr_random random = tr_random_seed(1);
    for (int force_n = -100; force_n <= 100; force_n += 10) {
        for (int i = 0; i < 12; i++)
            add(&samples, force_n, 0, &random);
        add(&samples, force_n, 1, &random);
    }
    return samples;
}

static tr_gait_atlas chart(const tr_gait_samples *samples) {
    tr_gait_atlas atlas;
    tr_error error = {0};
    if (tr_gait_atlas_create(samples, &atlas, &error))
        fail_msg("%s", error.message);
    return atlas;
}

static double distance(const double *a, const double *b) {
    tr_gait_space space = tr_gait_space_of(false);
    return tr_gait_space_distance(&space, a, b);
}

static int anchors_of(const tr_gait_atlas *atlas, double spacing, int out[TR_GAIT_STOP_MAX]) {
    const tr_gait_stops stops = {.spacing = spacing, .low = -1000, .high = 1000};
    return tr_gait_atlas_anchors(atlas, &stops, out);
}

/* Otherwise a wide spacing would be measured at smaller forces than a narrow one. */
TEST(anchors_of_every_spacing_span_the_same_forces) {
    OWN_BY(tr_gait_samples_deinit) tr_gait_samples samples = make();
    OWN_BY(tr_gait_atlas_destroy) tr_gait_atlas atlas = chart(&samples);
    int anchor[TR_GAIT_STOP_MAX];
    const tr_gait_stops stops = {.spacing = 50, .low = -75, .high = 60};
    const double wanted[] = {-70, -50, 0, 50, 60};
    assert_int_equal(tr_gait_atlas_anchors(&atlas, &stops, anchor), 5);
    for (int i = 0; i < 5; i++)
        assert_true(samples.sample[anchor[i]].task == wanted[i]);
}

TEST(anchors_are_the_optimal_ones_at_multiples_in_order) {
    OWN_BY(tr_gait_samples_deinit) tr_gait_samples samples = make();
    OWN_BY(tr_gait_atlas_destroy) tr_gait_atlas atlas = chart(&samples);
    int anchor[TR_GAIT_STOP_MAX];
    assert_int_equal(anchors_of(&atlas, 10, anchor), 21);
    assert_int_equal(anchors_of(&atlas, 50, anchor), 5);
    for (int i = 0; i < 5; i++)
        assert_true(samples.sample[anchor[i]].task == -100 + 50 * i);
}

static int way_of(const char *name) {
    for (int i = 0; tr_gait_interpolation_name(i); i++)
        if (strcmp(tr_gait_interpolation_name(i), name) == 0)
            return i;
    fail_msg("no way '%s'", name);
    return -1;
}

/* At its own force an anchor is reproduced exactly, except on the plane. */
TEST(exact_ways_go_through_the_anchors) {
    OWN_BY(tr_gait_samples_deinit) tr_gait_samples samples = make();
    OWN_BY(tr_gait_atlas_destroy) tr_gait_atlas atlas = chart(&samples);
    int anchor[TR_GAIT_STOP_MAX];
    int count = anchors_of(&atlas, 50, anchor);
    static const char *const exact[] = {"nearest", "linear", "isomap"};
    for (size_t w = 0; w < sizeof exact / sizeof exact[0]; w++) {
        const tr_gait_route route = {way_of(exact[w]), 5, anchor, count, 10, NULL, 0, 0};
        tr_gait_curve curve;
        double value[TR_GAIT_SIZE];
        assert_int_equal(tr_gait_interpolate(&atlas, &route, &curve), TR_OK);
        for (int i = 0; i < count; i++) {
            tr_gait_curve_at(&curve, samples.sample[anchor[i]].task, value);
            assert_true(distance(value, samples.sample[anchor[i]].value) < 1e-9);
        }
        tr_gait_curve_deinit(&curve);
    }
}

/* Two trainings of alike gaits, one by 0.1 of each parameter's scale apart: at either end a curve is
 * that of one training, and half way it lies half way. */
TEST(a_curve_between_two_trainings_begins_and_ends_at_them) {
    OWN_BY(tr_gait_samples_deinit) tr_gait_samples samples = make();
    const int first = samples.count;
    const tr_gait_space space = tr_gait_space_of(false);
    for (int i = 0; i < first; i++) {
        tr_gait_sample moved = samples.sample[i];
        for (int j = 0; j < space.size; j++)
            moved.value[space.index[j]] += 0.1 * tr_gait_parameter_row(space.index[j])->scale;
        assert_int_equal(tr_gait_samples_add(&samples, &moved), TR_OK);
    }
    OWN_BY(tr_gait_atlas_destroy) tr_gait_atlas atlas = chart(&samples);
    int anchor[TR_GAIT_STOP_MAX], beside[TR_GAIT_STOP_MAX];
    const tr_gait_stops here = {50, -1000, 1000, 0, first}, there = {50, -1000, 1000, first, 0};
    const int count = tr_gait_atlas_anchors(&atlas, &here, anchor);
    assert_int_equal(tr_gait_atlas_anchors(&atlas, &there, beside), count);
    static const char *const exact[] = {"linear", "isomap"};
    for (int w = 0; w < 6; w++) {
        const double share = w % 3 * 0.5;
        const tr_gait_route route = {
            way_of(exact[w / 3]), 5, anchor, count, 10, beside, count, share};
        tr_gait_curve curve;
        double value[TR_GAIT_SIZE];
        assert_int_equal(tr_gait_interpolate(&atlas, &route, &curve), TR_OK);
        tr_gait_curve_at(&curve, 50, value);
        const double off = distance(value, samples.sample[anchor[3]].value);
        assert_true(share == 0.5 && w / 3 == 1 ? off > 0.02 && off < 0.08
                                               : fabs(off - 0.1 * share) < 0.005);
        tr_gait_curve_deinit(&curve);
    }
}

/* Half way between anchors 100 N apart the samples in between pull the embedded way towards the
 * curve, which a straight line misses. */
TEST(the_embedding_follows_the_samples_between_anchors) {
    OWN_BY(tr_gait_samples_deinit) tr_gait_samples samples = make();
    OWN_BY(tr_gait_atlas_destroy) tr_gait_atlas atlas = chart(&samples);
    int anchor[TR_GAIT_STOP_MAX];
    int count = anchors_of(&atlas, 100, anchor);
    double off[2];
    static const char *const way[2] = {"linear", "isomap"};
    const tr_gait_sample *wanted = NULL;
    for (int i = 0; i < samples.count; i++)
        if (samples.sample[i].optimal && samples.sample[i].task == 50)
            wanted = &samples.sample[i];
    for (int w = 0; w < 2; w++) {
        const tr_gait_route route = {way_of(way[w]), 2, anchor, count, 10, NULL, 0, 0};
        tr_gait_curve curve;
        double value[TR_GAIT_SIZE];
        assert_int_equal(tr_gait_interpolate(&atlas, &route, &curve), TR_OK);
        tr_gait_curve_at(&curve, 50, value);
        off[w] = distance(value, wanted->value);
        tr_gait_curve_deinit(&curve);
    }
    assert_true(off[1] < 0.7 * off[0]);
}

/* One dimension holds less than ten. */
TEST(more_dimensions_make_more_of_the_samples_again) {
    OWN_BY(tr_gait_samples_deinit) tr_gait_samples samples = make();
    OWN_BY(tr_gait_atlas_destroy) tr_gait_atlas atlas = chart(&samples);
    tr_gait_atlas_row one, all;
    assert_int_equal(tr_gait_atlas_describe(&atlas, 1, &one), TR_OK);
    assert_int_equal(tr_gait_atlas_describe(&atlas, TR_GAIT_ATLAS_DIMENSION, &all), TR_OK);
    assert_true(one.plane > all.plane && all.plane > 0 && one.plane < 1);
    assert_true(one.local > 0 && one.local < 1 && one.residual < 1 && all.residual > 0);
    assert_true(one.eigenvalue > all.eigenvalue);
}

TEST(curves_keep_to_the_bounds_of_parameters) {
    OWN_BY(tr_gait_samples_deinit) tr_gait_samples samples = make();
    OWN_BY(tr_gait_atlas_destroy) tr_gait_atlas atlas = chart(&samples);
    int anchor[TR_GAIT_STOP_MAX];
    int count = anchors_of(&atlas, 20, anchor);
    for (int w = 0; tr_gait_interpolation_name(w); w++) {
        const tr_gait_route route = {w, 3, anchor, count, 1, NULL, 0, 0};
        tr_gait_curve curve;
        assert_int_equal(tr_gait_interpolate(&atlas, &route, &curve), TR_OK);
        assert_int_equal(curve.count, 201);
        for (int r = 0; r < curve.count; r++)
            assert_int_equal(tr_gait_parameters_check(curve.row[r]), -1);
        tr_gait_curve_deinit(&curve);
    }
    const tr_gait_route alone = {0, 3, anchor, 1, 1, NULL, 0, 0};
    tr_gait_curve curve;
    assert_int_equal(tr_gait_interpolate(&atlas, &alone, &curve), TR_FAILED_PRECONDITION);
}

TEST(too_few_samples_are_refused) {
    OWN_BY(tr_gait_samples_deinit) tr_gait_samples samples = {0};
    tr_random random = tr_random_seed(1);
    tr_gait_atlas atlas;
    tr_error error = {0};
    for (int i = 0; i < 10; i++)
        add(&samples, 10 * i, 1, &random);
    assert_int_equal(tr_gait_atlas_create(&samples, &atlas, &error), TR_FAILED_PRECONDITION);
    assert_non_null(strstr(error.message, "10 samples"));
}
