#include "cmocka_test.h"

#include "db/store/encoding.h"
#include "math/random.h"

#include <string.h>

static tr_random stream = {7};

static void fill(double *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        values[i] = tr_random_normal(&stream);
}

TEST(targets_come_back_bit_by_bit) {
    tr_quat targets[3 * 5], out[3 * 5];
    OWN_BY(tr_blob_deinit) tr_blob blob = {0};
    fill(&targets[0].w, 4 * 15);
    assert_int_equal(TR_OK, tr_encoding_put_targets(targets, 3, 5, &blob, NULL));
    assert_int_equal(TR_OK, tr_encoding_get_targets(tr_blob_look(&blob), 3, 5, out, NULL));
    assert_memory_equal(targets, out, sizeof targets);
    tr_quat wide[5 * 5];
    assert_int_equal(TR_DATA_LOSS, tr_encoding_get_targets(tr_blob_look(&blob), 5, 3, out, NULL));
    assert_int_equal(TR_DATA_LOSS, tr_encoding_get_targets(tr_blob_look(&blob), 5, 5, wide, NULL));
}

TEST(policies_come_back_with_their_map) {
    tr_action_map map = {.joint_count = 2, .body = {3, 7}, .size = 4}, map_out = {0};
    tr_policy policy = {0}, out = {0};
    tr_blob blob = {0};
    fill(policy.m[0], 4 * TR_FEATURE_COUNT);
    fill(policy.offset, 4);
    fill(policy.sigma, 4);
    assert_int_equal(TR_OK, tr_encoding_put_policy(&policy, &map, &blob, NULL));
    assert_int_equal(TR_OK, tr_encoding_get_policy(tr_blob_look(&blob), &out, &map_out, NULL));
    assert_memory_equal(&policy, &out, sizeof policy);
    assert_memory_equal(&map, &map_out, sizeof map);
    size_t without = blob.size;
    tr_blob_deinit(&blob);
    fill(policy.ground[0], 4 * TR_GROUND_COUNT);
    assert_int_equal(TR_OK, tr_encoding_put_policy(&policy, &map, &blob, NULL));
    assert_int_equal(blob.size, without + 4 + 4 * TR_GROUND_COUNT * 8);
    assert_int_equal(TR_OK, tr_encoding_get_policy(tr_blob_look(&blob), &out, &map_out, NULL));
    assert_memory_equal(&policy, &out, sizeof policy);
    tr_blob_deinit(&blob);
    for (int i = 0; i < 4; i++)
        policy.ground[i][2] = policy.ground[i][3] = 0; /* an answer to slopes alone is shorter */
    assert_int_equal(TR_OK, tr_encoding_put_policy(&policy, &map, &blob, NULL));
    assert_int_equal(blob.size, without + 4 + 4 * TR_GROUND_SLOPES * 8);
    assert_int_equal(TR_OK, tr_encoding_get_policy(tr_blob_look(&blob), &out, &map_out, NULL));
    assert_memory_equal(&policy, &out, sizeof policy);
    tr_blob_deinit(&blob);
}

TEST(states_are_read_without_missing_bodies) {
    tr_state from, out = {0};
    OWN_BY(tr_blob_deinit) tr_blob blob = {0};
    fill(&from.pose.root_pos.x, sizeof from / sizeof(double));
    assert_int_equal(TR_OK, tr_encoding_put_state(&from, 6, &blob, NULL));
    assert_int_equal(TR_OK, tr_encoding_get_state(tr_blob_look(&blob), 6, &out, NULL));
    assert_memory_equal(&from.pose.root_pos, &out.pose.root_pos, sizeof from.pose.root_pos);
    assert_memory_equal(&from.pose.root_rot, &out.pose.root_rot, sizeof from.pose.root_rot);
    assert_memory_equal(from.pose.joint, out.pose.joint, 6 * sizeof *out.pose.joint);
    assert_memory_equal(from.joint_rate, out.joint_rate, 6 * sizeof *out.joint_rate);
    assert_memory_equal(&from.root_vel, &out.root_vel, sizeof out.root_vel);
    assert_memory_equal(&from.root_omega, &out.root_omega, sizeof out.root_omega);
    assert_true(out.pose.joint[6].w == 0 && out.joint_rate[6].x == 0);
    assert_int_equal(TR_DATA_LOSS, tr_encoding_get_state(tr_blob_look(&blob), 7, &out, NULL));
}

/* A blob with false counts and a correct seal, as only an attacker makes it. */
TEST(sealed_blobs_with_false_counts_are_refused) {
    static const uint32_t lies[][4] = {
        {13, 4, TR_FEATURE_COUNT, 1}, {1, 25, TR_FEATURE_COUNT, 1},         {1, 3, 17, 1},
        {1, 3, TR_FEATURE_COUNT, 32}, {0xffffffff, 3, TR_FEATURE_COUNT, 1},
    };
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        tr_policy policy;
        tr_action_map map;
        OWN_BY(tr_blob_deinit) tr_blob blob = {0};
        tr_blob_writer writer = tr_blob_begin(TR_BLOB_POLICY, 1, 16);
        for (int k = 0; k < 4; k++)
            tr_blob_put_int(&writer, lies[i][k]);
        assert_int_equal(TR_OK, tr_blob_seal(&writer, &blob, NULL));
        assert_int_equal(TR_DATA_LOSS,
                         tr_encoding_get_policy(tr_blob_look(&blob), &policy, &map, NULL));
    }
}
