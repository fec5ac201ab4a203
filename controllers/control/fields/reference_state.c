#include "control/fields/reference_state.h"

#include "math/hash.h"

#include <math.h>

static const double UNIT_TOLERANCE = 1e-6;

tr_state tr_reference_identity(void) {
    tr_state state = {.pose.root_rot = {1, 0, 0, 0}};
    for (int b = 0; b < TR_BODY_MAX; b++)
        state.pose.joint[b] = tr_quat_identity();
    return state;
}

bool tr_reference_is_rotation(tr_quat q) {
    return fabs(tr_quat_dot(q, q) - 1.0) < UNIT_TOLERANCE;
}

bool tr_reference_is_sound(const tr_model *model, const tr_state *state) {
    bool sound = tr_vec3_is_finite(state->pose.root_pos) &&
                 tr_reference_is_rotation(state->pose.root_rot) &&
                 tr_vec3_is_finite(state->root_vel) && tr_vec3_is_finite(state->root_omega);
    /* The root has no joint: bodies count from 1. */
    for (int b = 1; sound && b < model->body_count; b++)
        sound = tr_reference_is_rotation(state->pose.joint[b]) &&
                tr_vec3_is_finite(state->joint_rate[b]);
    return sound;
}

uint64_t tr_reference_hash(uint64_t hash, const tr_state *state, int body_count) {
    const tr_pose *pose = &state->pose;
    size_t joints = (size_t)(body_count - 1);
    hash = tr_hash_add(hash, &pose->root_pos, sizeof pose->root_pos);
    hash = tr_hash_add(hash, &pose->root_rot, sizeof pose->root_rot);
    hash = tr_hash_add(hash, pose->joint + 1, joints * sizeof *pose->joint);
    hash = tr_hash_add(hash, &state->root_vel, sizeof state->root_vel);
    hash = tr_hash_add(hash, &state->root_omega, sizeof state->root_omega);
    return tr_hash_add(hash, state->joint_rate + 1, joints * sizeof *state->joint_rate);
}

void tr_reference_put(tr_section_writer *writer, const tr_state *state, int body_count) {
    size_t bodies = (size_t)body_count;
    tr_section_put_doubles(writer, &state->pose.root_pos.x, 3);
    tr_section_put_doubles(writer, &state->pose.root_rot.w, 4);
    tr_section_put_doubles(writer, &state->pose.joint[0].w, 4 * bodies);
    tr_section_put_doubles(writer, &state->root_vel.x, 3);
    tr_section_put_doubles(writer, &state->root_omega.x, 3);
    tr_section_put_doubles(writer, &state->joint_rate[0].x, 3 * bodies);
}

void tr_reference_get(tr_section_reader *reader, int body_count, tr_state *out) {
    size_t bodies = (size_t)body_count;
    *out = tr_reference_identity();
    tr_section_get_doubles(reader, &out->pose.root_pos.x, 3);
    tr_section_get_doubles(reader, &out->pose.root_rot.w, 4);
    tr_section_get_doubles(reader, &out->pose.joint[0].w, 4 * bodies);
    tr_section_get_doubles(reader, &out->root_vel.x, 3);
    tr_section_get_doubles(reader, &out->root_omega.x, 3);
    tr_section_get_doubles(reader, &out->joint_rate[0].x, 3 * bodies);
}
