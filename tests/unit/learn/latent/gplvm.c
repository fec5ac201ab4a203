/* controllers/learn/latent/gplvm.h and diffusion.h: every term's gradient is the difference
 * quotient of its value, and threads change no bit. */
#include "cmocka_test.h"

#include "learn/latent/diffusion.h"
#include "learn/latent/gplvm.h"
#include "math/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CLIPS = 3, FRAMES = 24, STEPS = FRAMES - CLIPS, POSE = 7, VELOCITY = 9, DIMENSION = 3 };

static const int clip_first[CLIPS + 1] = {0, 9, 13, FRAMES};
static double pose[FRAMES][POSE], velocity[STEPS][VELOCITY], points[FRAMES][DIMENSION];
SUITE_OWN(tr_pool, pool);

/* A noisy spiral, and channels that follow it. */
FIXTURE(make_data) {
    tr_random r = tr_random_seed(4);
    for (int i = 0; i < FRAMES; i++) {
        for (int d = 0; d < DIMENSION; d++)
            points[i][d] = sin(0.4 * i + 2 * d) + 0.3 * tr_random_normal(&r);
        for (int k = 0; k < POSE; k++)
            pose[i][k] = 0.2 * cos(0.4 * i + k) + 0.02 * tr_random_normal(&r);
    }
    for (int s = 0; s < STEPS; s++)
        for (int k = 0; k < VELOCITY; k++)
            velocity[s][k] = 0.05 * sin(0.5 * s + k) + 0.01 * tr_random_normal(&r);
    assert_int_equal(tr_pool_create(2, &pool), 0);
}

static tr_gplvm_settings settings_of(bool connected, bool channel_scales) {
    return (tr_gplvm_settings){.dimension = DIMENSION,
                               .velocity_weight = 0.7,
                               .connectivity = connected ? 0.5 : 0,
                               .diffusion_rate = 30,
                               .exponent = 4,
                               .dynamics = {0.005, 0.5, 1e-4},
                               .noise_min = 1e-5,
                               .noise_max = 0.1,
                               .channel_scales = channel_scales};
}

static tr_gplvm *make_model(const tr_gplvm_settings *settings) {
    const tr_gplvm_data data = {.clip_count = CLIPS,
                                .frame_count = FRAMES,
                                .step_count = STEPS,
                                .clip_first = clip_first,
                                .pose_size = POSE,
                                .velocity_size = VELOCITY,
                                .root_size = 3,
                                .pose = pose[0],
                                .velocity = velocity[0]};
    tr_gplvm *model = NULL;
    assert_int_equal(tr_gplvm_create(&data, settings, points[0], &model), TR_OK);
    return model;
}

static const double NEAR = 1e-5; /* of a gradient to its quotient */

/* Central difference, extrapolated to a step of zero from two steps. */
static double quotient(tr_gplvm *model, double *z, int i, double *scratch) {
    double at = z[i], slope[2];
    for (int k = 0; k < 2; k++) {
        double h = k == 0 ? 2e-4 : 1e-4;
        z[i] = at + h;
        double up = tr_gplvm_evaluate(model, pool, z, scratch);
        z[i] = at - h;
        double down = tr_gplvm_evaluate(model, pool, z, scratch);
        slope[k] = (up - down) / (2 * h);
    }
    z[i] = at;
    return (4 * slope[1] - slope[0]) / 3;
}

/* within: relative to gradients above 1 */
static void check_gradient(const tr_gplvm_settings *settings, double within) {
    OWN(tr_gplvm) *model = make_model(settings);
    int count = tr_gplvm_variable_count(model);
    assert_int_equal(count, FRAMES * DIMENSION + TR_GPLVM_HYPER_COUNT);
    OWN_MEMORY double *z = calloc((size_t)count, sizeof *z),
                      *gradient = calloc((size_t)count, sizeof *z),
                      *scratch = calloc((size_t)count, sizeof *z);
    assert_true(z && gradient && scratch);
    tr_gplvm_start(model, 1.3, 0.01, z);
    tr_gplvm_evaluate(model, pool, z, gradient);
    for (int i = 0; i < count; i++)
        assert_true(fabs(gradient[i] - quotient(model, z, i, scratch)) <
                    within * fmax(1, fabs(gradient[i])));
}

TEST(test_gradient_with_one_weight_per_term) {
    tr_gplvm_settings settings = settings_of(false, false);
    check_gradient(&settings, NEAR);
}

TEST(test_gradient_with_weights_by_channel) {
    tr_gplvm_settings settings = settings_of(false, true);
    check_gradient(&settings, NEAR);
}

TEST(test_gradient_with_the_connectivity_prior) {
    tr_gplvm_settings settings = settings_of(true, false);
    check_gradient(&settings, NEAR);
}

/* Few walks cross from one group to the other. */
TEST(test_gradient_of_points_that_hardly_connect) {
    double kept[FRAMES][DIMENSION];
    memcpy(kept, points, sizeof points);
    for (int i = FRAMES / 2; i < FRAMES; i++)
        points[i][0] += 12;
    tr_gplvm_settings settings = settings_of(true, false);
    settings.diffusion_rate = 1;
    /* The quotient loses digits here: up to 1.2e-5, by rounding that differs by processor. */
    check_gradient(&settings, 5 * NEAR);
    memcpy(points, kept, sizeof points);
}

TEST(test_threads_change_no_bit) {
    tr_gplvm_settings settings = settings_of(true, false);
    OWN(tr_gplvm) *model = make_model(&settings);
    double z[FRAMES * DIMENSION + TR_GPLVM_HYPER_COUNT], one[sizeof z / sizeof *z],
        four[sizeof z / sizeof *z];
    OWN(tr_pool) *single = NULL, *several = NULL;
    assert_int_equal(tr_pool_create(1, &single), TR_OK);
    assert_int_equal(tr_pool_create(4, &several), TR_OK);
    tr_gplvm_start(model, 1, 0.01, z);
    double a = tr_gplvm_evaluate(model, single, z, one);
    double b = tr_gplvm_evaluate(model, several, z, four);
    assert_true(a == b);
    assert_memory_equal(one, four, sizeof one);
}

/* With weights in closed form, L = -n d / 2 (1 - ln w^2) - d/2 ln|K|: for one frame pattern that K
 * explains alone, compared with a value from the definition. */
TEST(test_pose_term_is_equation_1) {
    tr_gplvm_settings settings = settings_of(false, false);
    OWN(tr_gplvm) *model = make_model(&settings);
    double z[FRAMES * DIMENSION + TR_GPLVM_HYPER_COUNT], gradient[sizeof z / sizeof *z];
    for (int i = 0; i < FRAMES; i++) /* points so far apart that K is diagonal */
        for (int d = 0; d < DIMENSION; d++)
            points[i][d] += d == 0 ? 1000.0 * i : 0;
    OWN(tr_gplvm) *apart = make_model(&settings);
    tr_gplvm_start(apart, 1, 0.01, z);
    tr_gplvm_evaluate(apart, pool, z, gradient);
    double square = 0, k = 1.01;
    for (int i = 0; i < FRAMES; i++)
        for (int c = 0; c < POSE; c++)
            square += pose[i][c] * pose[i][c];
    double w2 = FRAMES * POSE * k / square;
    double value = -0.5 * w2 * square / k - 0.5 * POSE * FRAMES * log(k) +
                   0.5 * FRAMES * POSE * log(w2) - log(0.01);
    assert_true(fabs(tr_gplvm_last_terms(apart).pose - value) < 1e-8 * fabs(value));
    double weight[POSE];
    tr_gplvm_pose_weights(apart, weight);
    assert_true(fabs(weight[0] * weight[0] - w2) < 1e-9 * w2);
    for (int i = 0; i < FRAMES; i++)
        points[i][0] -= 1000.0 * i;
}

TEST(test_noises_stay_within_their_bounds) {
    tr_gplvm_settings settings = settings_of(false, false);
    OWN(tr_gplvm) *model = make_model(&settings);
    double z[FRAMES * DIMENSION + TR_GPLVM_HYPER_COUNT];
    tr_gplvm_start(model, 2, 0.03, z);
    tr_gplvm_hyper hyper = tr_gplvm_hyper_of(model, z);
    assert_true(fabs(hyper.pose_noise - 0.03) < 1e-9 && fabs(hyper.pose_scale - 2) < 1e-12);
    for (int i = 0; i < TR_GPLVM_HYPER_COUNT; i++)
        z[FRAMES * DIMENSION + i] = 100;
    hyper = tr_gplvm_hyper_of(model, z);
    assert_true(hyper.pose_noise <= 0.1 && hyper.velocity_noise <= 0.1);
    for (int i = 0; i < TR_GPLVM_HYPER_COUNT; i++)
        z[FRAMES * DIMENSION + i] = -100;
    hyper = tr_gplvm_hyper_of(model, z);
    assert_true(hyper.pose_noise >= 1e-5 && hyper.velocity_noise >= 1e-6);
}

TEST(test_prior_is_higher_and_the_gap_wider_when_groups_meet) {
    tr_diffusion *diffusion;
    double x[FRAMES];
    const tr_diffusion_settings settings = {.rate = 100, .exponent = 4, .weight = 1};
    assert_int_equal(tr_diffusion_create(FRAMES, &diffusion), TR_OK);
    double value[3], gap[3];
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < FRAMES; i++)
            x[i] = i + (i < FRAMES / 2 ? 0 : 4 - 2 * k);
        value[k] = tr_diffusion_value(diffusion, &settings, 1, x, NULL);
        gap[k] = tr_diffusion_gap(diffusion);
    }
    assert_true(value[0] < value[1] && value[1] < value[2]);
    assert_true(0 > gap[0] && gap[0] > gap[1] && gap[1] > gap[2]);
    tr_diffusion_destroy(diffusion);
}

/* The pull of the prior on the second of two groups of points. */
static double pull_of(double rate) {
    tr_diffusion *diffusion;
    double x[FRAMES], slope[FRAMES] = {0}, pull = 0;
    const tr_diffusion_settings settings = {.rate = rate, .exponent = 4, .weight = 1};
    assert_int_equal(tr_diffusion_create(FRAMES, &diffusion), TR_OK);
    for (int i = 0; i < FRAMES; i++)
        x[i] = i + (i < FRAMES / 2 ? 0 : 4);
    (void)tr_diffusion_value(diffusion, &settings, 1, x, slope);
    for (int i = FRAMES / 2; i < FRAMES; i++)
        pull -= slope[i];
    tr_diffusion_destroy(diffusion);
    return pull;
}

TEST(test_walks_that_reach_everything_pull_no_groups_together) {
    const double near = pull_of(20), far = pull_of(1e5);
    assert_true(near > 10);
    assert_true(fabs(far) < 0.01 * near);
}

/* One pair: H = [[-1, 1], [1, -1]], so that K_11 = (1 + e^-2b) / 2 and K_12 = (1 - e^-2b) / 2. */
TEST(test_prior_of_a_pair_is_the_formula) {
    tr_diffusion *diffusion;
    const double x[2] = {0, 3};
    const tr_diffusion_settings settings = {.rate = 0.3, .exponent = 4, .weight = 2};
    assert_int_equal(tr_diffusion_create(2, &diffusion), TR_OK);
    double value = tr_diffusion_value(diffusion, &settings, 1, x, NULL);
    double e = exp(-0.6), expected = 4 * (log((1 + e) / 2) + log((1 - e) / 2));
    assert_true(fabs(value - expected) < 1e-12);
    assert_true(fabs(tr_diffusion_gap(diffusion) + 2) < 1e-12);
    tr_diffusion_destroy(diffusion);
}

TEST(test_bad_sizes_are_refused) {
    static const int short_clip[3] = {0, 2, FRAMES};
    tr_gplvm_settings settings = settings_of(false, false);
    tr_gplvm *model = NULL;
    tr_gplvm_data data = {.clip_count = 2,
                          .frame_count = FRAMES,
                          .step_count = FRAMES - 2,
                          .clip_first = short_clip,
                          .pose_size = POSE,
                          .velocity_size = VELOCITY,
                          .root_size = 3,
                          .pose = pose[0],
                          .velocity = velocity[0]};
    assert_int_equal(tr_gplvm_create(&data, &settings, points[0], &model), TR_INVALID_ARGUMENT);
    static const int two_clips[3] = {0, 5, FRAMES};
    data.clip_first = two_clips;
    settings.dimension = TR_GPLVM_DIMENSION_MAX + 1;
    assert_int_equal(tr_gplvm_create(&data, &settings, points[0], &model), TR_INVALID_ARGUMENT);
    assert_null(model);
}

SUITE_FIXTURE(make_data, NULL);
