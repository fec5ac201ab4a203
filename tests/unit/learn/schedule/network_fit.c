#include "cmocka_test.h"

#include "learn/schedule/network_fit.h"

#include <math.h>

enum { ROWS = 5, IN = 4, OUT = 3 };

static tr_network drawn(void) {
    const tr_network shape = {.layers = 3, .width = {IN, 7, 6, OUT}};
    tr_network network = {0};
    tr_random random = tr_random_seed(1);
    assert_int_equal(tr_network_init(&network, &shape), TR_OK);
    tr_network_draw(&network, &random, 0.5f);
    return network;
}

static void draw(uint64_t seed, float *out, int count) {
    tr_random random = tr_random_seed(seed);
    for (int i = 0; i < count; i++)
        out[i] = (float)tr_random_normal(&random);
}

/* sum of factor * output, in double. */
static double objective(const tr_network *network, const float *input, const float *factor) {
    double sum = 0;
    float out[OUT];
    for (int r = 0; r < ROWS; r++) {
        tr_network_forward(network, input + r * IN, out);
        for (int o = 0; o < OUT; o++)
            sum += (double)(factor[r * OUT + o] * out[o]);
    }
    return sum;
}

TEST(the_gradient_is_that_of_finite_differences) {
    OWN_BY(tr_network_deinit) tr_network network = drawn();
    tr_network_fit fit;
    float input[ROWS * IN], factor[ROWS * OUT];
    draw(2, input, ROWS * IN);
    draw(3, factor, ROWS * OUT);
    assert_int_equal(tr_network_fit_init(&fit, &network, ROWS), TR_OK);
    (void)tr_network_fit_forward(&fit, input);
    tr_network_fit_backward(&fit, factor);
    size_t count = tr_network_weight_count(&network), near = 0;
    const float h = 1e-2f;
    for (size_t i = 0; i < count; i++) {
        float weight = network.weight[i];
        network.weight[i] = weight + h;
        double above = objective(&network, input, factor);
        network.weight[i] = weight - h;
        double below = objective(&network, input, factor);
        network.weight[i] = weight;
        double slope = (above - below) / (2 * (double)h);
        near += fabs(slope - (double)fit.gradient[i]) < 2e-3 * (1 + fabs(slope));
    }
    /* A unit that switches within the difference spoils the few weights that lead to it. */
    assert_true(near >= count * 95 / 100);
    tr_network_fit_deinit(&fit);
}

TEST(outputs_equal_those_of_the_network) {
    OWN_BY(tr_network_deinit) tr_network network = drawn();
    tr_network_fit fit;
    float input[ROWS * IN], one[OUT];
    draw(2, input, ROWS * IN);
    assert_int_equal(tr_network_fit_init(&fit, &network, ROWS), TR_OK);
    const float *all = tr_network_fit_forward(&fit, input);
    for (int r = 0; r < ROWS; r++) {
        tr_network_forward(&network, input + r * IN, one);
        assert_memory_equal(all + r * OUT, one, sizeof one);
    }
    tr_network_fit_deinit(&fit);
}

/* Mean square of the error after so many steps towards outputs of 1, 2, 3. */
static double fitted(double rate, int steps) {
    OWN_BY(tr_network_deinit) tr_network network = drawn();
    tr_network_fit fit;
    float input[ROWS * IN], error[ROWS * OUT];
    double square = 0;
    draw(2, input, ROWS * IN);
    assert_int_equal(tr_network_fit_init(&fit, &network, ROWS), TR_OK);
    for (int s = 0; s < steps; s++) {
        const float *value = tr_network_fit_forward(&fit, input);
        square = 0;
        for (int i = 0; i < ROWS * OUT; i++) {
            float off = value[i] - (float)(1 + i % OUT);
            error[i] = 2 * off / ROWS;
            square += (double)(off * off) / (ROWS * OUT);
        }
        tr_network_fit_backward(&fit, error);
        tr_network_fit_step(&fit, rate);
    }
    tr_network_fit_deinit(&fit);
    return square;
}

TEST(steps_fit) {
    assert_true(fitted(1e-2, 500) < 1e-3 * fitted(1e-2, 1));
}
