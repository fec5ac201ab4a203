/* controllers/control/latent/gaussian_map.h: means and variances of Gaussian processes. */
#include "cmocka_test.h"

#include "control/latent/gaussian_map.h"
#include "control/latent/latent_kernel.h"
#include "math/hash.h"
#include "math/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 61, INPUTS = 3, OUTPUTS = 5 };

static double centres[COUNT][INPUTS], targets[COUNT][OUTPUTS];
static const double bias[OUTPUTS] = {1, 2, 3, 4, 5};

/* Smooth targets at random places. */
BEFORE_ALL() {
    tr_random r = tr_random_seed(5);
    for (int i = 0; i < COUNT; i++) {
        for (int d = 0; d < INPUTS; d++)
            centres[i][d] = 2 * tr_random_uniform(&r) - 1;
        for (int o = 0; o < OUTPUTS; o++)
            targets[i][o] = bias[o] + tr_sin(centres[i][0] + o) * centres[i][1] - centres[i][2];
    }
}

static tr_gaussian_map_def definition(void) {
    return (tr_gaussian_map_def){.kernel = {.amplitude = 1.5,
                                            .head_scale = 1.2,
                                            .tail_scale = 0.7,
                                            .noise = 1e-6,
                                            .head_size = 2},
                                 .input_size = INPUTS,
                                 .output_size = OUTPUTS,
                                 .count = COUNT,
                                 .centre = centres[0],
                                 .target = targets[0],
                                 .bias = bias,
                                 .with_variance = true};
}

static double kernel_of(const tr_gaussian_kernel *k, const double *a, const double *b) {
    double head = 0, tail = 0, dot = 0;
    for (int d = 0; d < INPUTS; d++) {
        double e = (a[d] - b[d]) * (a[d] - b[d]);
        *(d < k->head_size ? &head : &tail) += e;
        dot += d < k->head_size ? 0 : a[d] * b[d];
    }
    double value = k->amplitude * exp(-0.5 * (k->head_scale * head + k->tail_scale * tail));
    return k->vanishes ? dot * value : value;
}

TEST(test_covariances_are_the_kernel) {
    tr_gaussian_map map;
    tr_gaussian_row row;
    tr_gaussian_map_def def = definition();
    const double u[INPUTS] = {0.3, -0.4, 25};
    for (int vanishes = 0; vanishes < 2; vanishes++) {
        def.kernel.vanishes = vanishes;
        def.kernel.noise = 1e-3;
        assert_int_equal(tr_gaussian_map_init(&map, &def), TR_OK);
        tr_gaussian_map_covariances(&map, u, &row);
        for (int i = 0; i < COUNT; i++)
            assert_true(fabs(row.k[i] - kernel_of(&def.kernel, u, centres[i])) < 1e-13);
        for (int i = COUNT; i < map.stride; i++)
            assert_true(row.k[i] == 0);
        double at = kernel_of(&def.kernel, u, u);
        assert_true(fabs(tr_gaussian_kernel_at(&def.kernel, INPUTS, u) - at) < 1e-12 * at);
        tr_gaussian_map_deinit(&map);
    }
}

TEST(test_mean_meets_the_targets_and_the_bias_far_away) {
    tr_gaussian_map map;
    tr_gaussian_row row;
    tr_gaussian_map_def def = definition();
    double out[OUTPUTS + 3];
    assert_int_equal(tr_gaussian_map_init(&map, &def), TR_OK);
    assert_int_equal(map.output_stride, OUTPUTS + 3);
    for (int i = 0; i < COUNT; i++) {
        tr_gaussian_map_covariances(&map, centres[i], &row);
        tr_gaussian_map_mean(&map, &row, out);
        for (int o = 0; o < OUTPUTS; o++)
            assert_true(fabs(out[o] - targets[i][o]) < 1e-3);
    }
    const double far[INPUTS] = {1000, 0, 0};
    tr_gaussian_map_covariances(&map, far, &row);
    tr_gaussian_map_mean(&map, &row, out);
    for (int o = 0; o < OUTPUTS; o++)
        assert_true(out[o] == bias[o]);
    tr_gaussian_map_deinit(&map);
}

TEST(test_variance_is_the_noise_at_centres_and_the_prior_far_away) {
    tr_gaussian_map map;
    tr_gaussian_row row;
    tr_gaussian_map_def def = definition();
    assert_int_equal(tr_gaussian_map_init(&map, &def), TR_OK);
    for (int i = 0; i < COUNT; i++) {
        tr_gaussian_map_covariances(&map, centres[i], &row);
        double variance = tr_gaussian_map_variance(&map, centres[i], &row);
        assert_true(variance >= 1e-6 && variance <= 2e-6);
    }
    const double far[INPUTS] = {1000, 0, 0};
    tr_gaussian_map_covariances(&map, far, &row);
    assert_true(fabs(tr_gaussian_map_variance(&map, far, &row) - 1.5) < 2e-6);
    tr_gaussian_map_deinit(&map);
}

/* The definition, with one centre: k(u,u) + s - k^2 / (a + s). */
TEST(test_variance_of_one_centre_is_the_formula) {
    tr_gaussian_map map;
    tr_gaussian_row row;
    tr_gaussian_map_def def = definition();
    def.count = 1;
    def.kernel.noise = 0.1;
    assert_int_equal(tr_gaussian_map_init(&map, &def), TR_OK);
    const double u[INPUTS] = {0.2, 0.1, 0.4};
    double k = kernel_of(&def.kernel, u, centres[0]);
    tr_gaussian_map_covariances(&map, u, &row);
    assert_true(fabs(tr_gaussian_map_variance(&map, u, &row) - (1.6 - k * k / 1.6)) < 1e-14);
    tr_gaussian_map_deinit(&map);
}

TEST(test_batches_agree_with_single_variances) {
    tr_gaussian_map map;
    tr_gaussian_row row;
    tr_gaussian_map_def def = definition();
    tr_random r = tr_random_seed(8);
    double u[TR_GAUSSIAN_BATCH][INPUTS], all[TR_GAUSSIAN_BATCH], some[TR_GAUSSIAN_BATCH];
    for (int i = 0; i < TR_GAUSSIAN_BATCH; i++)
        for (int d = 0; d < INPUTS; d++)
            u[i][d] = tr_random_normal(&r);
    assert_int_equal(tr_gaussian_map_init(&map, &def), TR_OK);
    tr_gaussian_map_variances(&map, TR_GAUSSIAN_BATCH, u[0], all);
    tr_gaussian_map_variances(&map, 7, u[0], some);
    assert_memory_equal(all, some, 7 * sizeof *all);
    for (int i = 0; i < TR_GAUSSIAN_BATCH; i++) {
        tr_gaussian_map_covariances(&map, u[i], &row);
        assert_true(fabs(all[i] - tr_gaussian_map_variance(&map, u[i], &row)) < 1e-9);
    }
    tr_gaussian_map_deinit(&map);
}

static uint64_t hash_of_map(const char *kernel) {
    tr_gaussian_map map;
    tr_gaussian_row row;
    tr_gaussian_map_def def = definition();
    double mean[OUTPUTS + 3], variance[2], distance[64];
    const double u[2][INPUTS] = {{0.3, -0.4, 0.5}, {-1, 0.1, 0.2}};
    setenv("TROUPE_KERNEL", kernel, 1);
    def.kernel.noise = 1e-3;
    assert_int_equal(tr_gaussian_map_init(&map, &def), TR_OK);
    unsetenv("TROUPE_KERNEL");
    assert_string_equal(map.loops->name, kernel);
    tr_gaussian_map_covariances(&map, u[0], &row);
    tr_gaussian_map_mean(&map, &row, mean);
    double single = tr_gaussian_map_variance(&map, u[0], &row);
    tr_gaussian_map_variances(&map, 2, u[0], variance);
    map.loops->distances(INPUTS, map.stride, map.centre, u[0], distance);
    uint64_t hash = tr_hash_add(TR_HASH_START, mean, sizeof mean);
    hash = tr_hash_add(hash, &single, sizeof single);
    hash = tr_hash_add(hash, variance, sizeof variance);
    hash = tr_hash_add(hash, distance, (size_t)map.stride * sizeof *distance);
    tr_gaussian_map_deinit(&map);
    return hash;
}

TEST(test_every_instruction_set_gives_the_same_bits) {
    unsetenv("TROUPE_KERNEL");
    if (strcmp(tr_latent_kernel_choose()->name, "avx2") != 0)
        skip();
    assert_true(hash_of_map("avx2") == hash_of_map("sse2"));
}

TEST(test_bits_are_fixed) {
    assert_true(hash_of_map("sse2") == 0xb03c62a650e6ff7c);
}

TEST(test_bad_definitions_are_refused) {
    tr_gaussian_map map;
    tr_gaussian_map_def def = definition();
    def.count = TR_GAUSSIAN_CENTRE_MAX + 1;
    assert_int_equal(tr_gaussian_map_init(&map, &def), TR_INVALID_ARGUMENT);
    def = definition();
    def.kernel.noise = -1;
    assert_int_equal(tr_gaussian_map_init(&map, &def), TR_FAILED_PRECONDITION);
    def.kernel.head_size = INPUTS + 1;
    assert_int_equal(tr_gaussian_map_init(&map, &def), TR_INVALID_ARGUMENT);
}

TEST(test_kernels_are_found_by_the_environment) {
    const char *wanted = getenv("TROUPE_KERNEL");
    char before[32] = "";
    if (wanted)
        snprintf(before, sizeof before, "%s", wanted);
    unsetenv("TROUPE_KERNEL");
    const tr_latent_kernel *widest = tr_latent_kernel_choose();
    assert_true(widest == &tr_latent_kernel_sse2 || strcmp(widest->name, "avx2") == 0);
    setenv("TROUPE_KERNEL", "neon", 1);
    assert_ptr_equal(tr_latent_kernel_choose(), widest);
    setenv("TROUPE_KERNEL", "sse2", 1);
    assert_ptr_equal(tr_latent_kernel_choose(), &tr_latent_kernel_sse2);
    if (wanted)
        setenv("TROUPE_KERNEL", before, 1);
    else
        unsetenv("TROUPE_KERNEL");
}
