#include "db/store/encoding.h"

#include <assert.h>
#include <string.h>

enum { VERSION = 1, INT_SIZE = 4, DOUBLE_SIZE = 8 };

/* Vectors and quaternions are doubles in their documented order and nothing else. */
static_assert(sizeof(tr_quat) == 4 * sizeof(double), "tr_quat is four doubles");
static_assert(sizeof(tr_vec3) == 3 * sizeof(double), "tr_vec3 is three doubles");

static void put_quats(tr_blob_writer *writer, const tr_quat *q, size_t count) {
    tr_blob_put_doubles(writer, &q->w, 4 * count);
}

static void put_vectors(tr_blob_writer *writer, const tr_vec3 *v, size_t count) {
    tr_blob_put_doubles(writer, &v->x, 3 * count);
}

static void get_quats(tr_blob_reader *reader, tr_quat *out, size_t count) {
    tr_blob_get_doubles(reader, &out->w, 4 * count);
}

static void get_vectors(tr_blob_reader *reader, tr_vec3 *out, size_t count) {
    tr_blob_get_doubles(reader, &out->x, 3 * count);
}

/* --- targets --- */

tr_status tr_encoding_put_targets(const tr_quat *targets, int steps, int body_count, tr_blob *out,
                                  tr_error *error) {
    size_t count = (size_t)steps * (size_t)body_count;
    tr_blob_writer writer =
        tr_blob_begin(TR_BLOB_TARGETS, VERSION, 2 * INT_SIZE + 4 * DOUBLE_SIZE * count);
    tr_blob_put_int(&writer, (uint32_t)steps);
    tr_blob_put_int(&writer, (uint32_t)body_count);
    put_quats(&writer, targets, count);
    return tr_blob_seal(&writer, out, error);
}

tr_status tr_encoding_get_targets(tr_blob_view blob, int steps, int body_count, tr_quat *out,
                                  tr_error *error) {
    tr_blob_reader reader = tr_blob_open(blob, TR_BLOB_TARGETS, VERSION, error);
    tr_blob_get_int(&reader, steps, steps);
    tr_blob_get_int(&reader, body_count, body_count);
    get_quats(&reader, out, (size_t)steps * (size_t)body_count);
    return tr_blob_close(&reader);
}

/* --- policy --- */

tr_status tr_encoding_put_policy(const tr_policy *policy, const tr_action_map *map, tr_blob *out,
                                 tr_error *error) {
    size_t joints = (size_t)map->joint_count, size = (size_t)map->size;
    size_t ground = (size_t)tr_policy_ground_count(policy);
    size_t ground_size = ground > 0 ? INT_SIZE + size * ground * DOUBLE_SIZE : 0;
    tr_blob_writer writer = tr_blob_begin(TR_BLOB_POLICY, VERSION,
                                          (3 + joints) * INT_SIZE + ground_size +
                                              size * (TR_FEATURE_COUNT + 2) * DOUBLE_SIZE);
    tr_blob_put_int(&writer, (uint32_t)joints);
    tr_blob_put_int(&writer, (uint32_t)size);
    tr_blob_put_int(&writer, TR_FEATURE_COUNT);
    for (size_t j = 0; j < joints; j++)
        tr_blob_put_int(&writer, (uint32_t)map->body[j]);
    tr_blob_put_doubles(&writer, policy->m[0], size * TR_FEATURE_COUNT);
    tr_blob_put_doubles(&writer, policy->offset, size);
    tr_blob_put_doubles(&writer, policy->sigma, size);
    if (ground > 0)
        tr_blob_put_int(&writer, (uint32_t)ground);
    for (size_t i = 0; i < size && ground > 0; i++)
        tr_blob_put_doubles(&writer, policy->ground[i], ground);
    return tr_blob_seal(&writer, out, error);
}

tr_status tr_encoding_get_policy(tr_blob_view blob, tr_policy *out, tr_action_map *out_map,
                                 tr_error *error) {
    tr_blob_reader reader = tr_blob_open(blob, TR_BLOB_POLICY, VERSION, error);
    tr_action_map map = {0};
    map.joint_count = tr_blob_get_int(&reader, 0, TR_ACTION_JOINT_MAX);
    map.size = tr_blob_get_int(&reader, 0, TR_ACTION_MAX);
    tr_blob_get_int(&reader, TR_FEATURE_COUNT, TR_FEATURE_COUNT);
    for (int j = 0; j < map.joint_count; j++)
        map.body[j] = tr_blob_get_int(&reader, 0, TR_BODY_MAX - 1);
    size_t size = (size_t)map.size;
    tr_blob_get_doubles(&reader, out->m[0], size * TR_FEATURE_COUNT);
    tr_blob_get_doubles(&reader, out->offset, size);
    tr_blob_get_doubles(&reader, out->sigma, size);
    memset(out->ground, 0, sizeof out->ground);
    if (tr_blob_left(&reader) > 0) {
        int ground = tr_blob_get_int(&reader, TR_GROUND_SLOPES, TR_GROUND_COUNT);
        for (size_t i = 0; i < size; i++)
            tr_blob_get_doubles(&reader, out->ground[i], (size_t)ground);
    }
    tr_status status = tr_blob_close(&reader);
    if (!status)
        *out_map = map;
    return status;
}

/* --- state --- */

tr_status tr_encoding_put_state(const tr_state *state, int body_count, tr_blob *out,
                                tr_error *error) {
    size_t bodies = (size_t)body_count;
    tr_blob_writer writer =
        tr_blob_begin(TR_BLOB_STATE, VERSION, INT_SIZE + (13 + 7 * bodies) * DOUBLE_SIZE);
    tr_blob_put_int(&writer, (uint32_t)body_count);
    put_vectors(&writer, &state->pose.root_pos, 1);
    put_quats(&writer, &state->pose.root_rot, 1);
    put_vectors(&writer, &state->root_vel, 1);
    put_vectors(&writer, &state->root_omega, 1);
    put_quats(&writer, state->pose.joint, bodies);
    put_vectors(&writer, state->joint_rate, bodies);
    return tr_blob_seal(&writer, out, error);
}

tr_status tr_encoding_get_state(tr_blob_view blob, int body_count, tr_state *out, tr_error *error) {
    size_t bodies = (size_t)body_count;
    tr_blob_reader reader = tr_blob_open(blob, TR_BLOB_STATE, VERSION, error);
    tr_blob_get_int(&reader, body_count, body_count);
    get_vectors(&reader, &out->pose.root_pos, 1);
    get_quats(&reader, &out->pose.root_rot, 1);
    get_vectors(&reader, &out->root_vel, 1);
    get_vectors(&reader, &out->root_omega, 1);
    get_quats(&reader, out->pose.joint, bodies);
    get_vectors(&reader, out->joint_rate, bodies);
    return tr_blob_close(&reader);
}
