#include "cmocka_test.h"

#include "control/scheduler/network_kernel.h"
#include "math/hash.h"
#include "math/random.h"

#include <string.h>

static const tr_network shape = {.layers = 3, .width = {7, 19, 23, 5}};

static tr_network drawn(uint64_t seed) {
    tr_network network = {0};
    tr_random random = tr_random_seed(seed);
    assert_int_equal(tr_network_init(&network, &shape), TR_OK);
    size_t count = tr_network_weight_count(&network);
    for (size_t i = 0; i < count; i++)
        network.weight[i] = (float)tr_random_uniform(&random) - 0.5f;
    return network;
}

static void draw_input(uint64_t seed, float *out, int count) {
    tr_random random = tr_random_seed(seed);
    for (int i = 0; i < count; i++)
        out[i] = (float)tr_random_uniform(&random) - 0.5f;
}

/* One sum after the other, one number at a time. */
static void forward_slowly(const tr_network *network, const float *input, float *out) {
    float value[2][TR_NETWORK_WIDTH_MAX];
    memcpy(value[0], input, (size_t)network->width[0] * sizeof *input);
    for (int l = 0; l < network->layers; l++) {
        const float *weight = network->weight + tr_network_layer_offset(network, l);
        const int from = network->width[l], to = network->width[l + 1];
        for (int o = 0; o < to; o++) {
            volatile float sum = weight[from * to + o];
            for (int i = 0; i < from; i++) {
                volatile float product = value[l % 2][i] * weight[i * to + o];
                sum = sum + product;
            }
            value[(l + 1) % 2][o] = l + 1 < network->layers && sum < 0 ? 0 : sum;
        }
    }
    memcpy(out, value[network->layers % 2], (size_t)network->width[network->layers] * sizeof *out);
}

TEST(vector_loops_give_the_bits_of_scalar_ones) {
    OWN_BY(tr_network_deinit) tr_network network = drawn(1);
    float input[7], fast[5], slow[5];
    for (uint64_t seed = 10; seed < 30; seed++) {
        draw_input(seed, input, 7);
        tr_network_forward(&network, input, fast);
        forward_slowly(&network, input, slow);
        assert_memory_equal(fast, slow, sizeof fast);
    }
}

TEST(all_kernels_give_the_same_bits) {
    enum { ROWS = 3, INNER = 11, COLUMNS = 37 };
    float a[ROWS * INNER], b[INNER * COLUMNS], expected[ROWS * COLUMNS], out[ROWS * COLUMNS];
    draw_input(1, a, ROWS * INNER);
    draw_input(2, b, INNER * COLUMNS);
    for (int i = 0; i < ROWS * INNER; i += 3)
        a[i] = 0;
    memset(expected, 0, sizeof expected);
    memset(out, 0, sizeof out);
    tr_network_multiply_sse2(&(tr_network_product){ROWS, INNER, COLUMNS, a, b, expected});
    tr_network_multiply(
        &(tr_network_product){ROWS, INNER, COLUMNS, a, b, out}); /* the chosen one */
    assert_memory_equal(out, expected, sizeof out);
}

/* The bits are part of what recordings are replayed by. */
TEST(the_output_has_known_bits) {
    OWN_BY(tr_network_deinit) tr_network network = drawn(2);
    float input[7], out[5];
    draw_input(3, input, 7);
    tr_network_forward(&network, input, out);
    assert_int_equal(tr_hash_add(TR_HASH_START, out, sizeof out), 0xa22e8be5553df8a5ULL);
}

TEST(rows_are_independent) {
    OWN_BY(tr_network_deinit) tr_network network = drawn(4);
    float in[3 * 7], many[3 * 19], one[19];
    draw_input(5, in, 3 * 7);
    tr_network_layer(&network, 0, 3, in, many);
    for (int row = 0; row < 3; row++) {
        tr_network_layer(&network, 0, 1, in + row * 7, one);
        assert_memory_equal(many + row * 19, one, sizeof one);
    }
}

TEST(hidden_values_are_never_negative_and_outputs_may_be) {
    OWN_BY(tr_network_deinit) tr_network network = drawn(6);
    float input[7], hidden[19], out[5];
    bool negative = false;
    for (uint64_t seed = 0; seed < 20; seed++) {
        draw_input(seed, input, 7);
        tr_network_layer(&network, 0, 1, input, hidden);
        for (int i = 0; i < 19; i++)
            assert_true(hidden[i] >= 0);
        tr_network_forward(&network, input, out);
        for (int i = 0; i < 5; i++)
            negative |= out[i] < 0;
    }
    assert_true(negative);
}

TEST(shapes_out_of_bounds_are_refused) {
    tr_network bad[] = {{.layers = 0, .width = {1}},
                        {.layers = TR_NETWORK_LAYER_MAX + 1, .width = {1, 1, 1, 1, 1}},
                        {.layers = 2, .width = {3, 0, 2}},
                        {.layers = 1, .width = {3, TR_NETWORK_WIDTH_MAX + 1}}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tr_network network = {0};
        assert_int_equal(tr_network_init(&network, &bad[i]), TR_INVALID_ARGUMENT);
        assert_null(network.weight);
    }
}

TEST(the_first_of_equal_values_is_the_largest) {
    const float value[] = {-2, 3, 1, 3};
    assert_int_equal(tr_network_largest(value, 4), 1);
    assert_int_equal(tr_network_largest(value, 1), 0);
}
