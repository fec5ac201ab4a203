#include "server/recording/trace.h"

#include <string.h>

/* Every step multiplies by an odd number and shifts the high bits down, so that each bit of `value`
 * affects the whole result. */
static uint64_t mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
    return hash ^ hash >> 32;
}

static uint64_t mix_numbers(uint64_t hash, const double *values, int count) {
    for (int i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        hash = mix(hash, bits);
    }
    return hash;
}

static uint64_t mix_vec3(uint64_t hash, tr_vec3 v) {
    const double values[3] = {v.x, v.y, v.z};
    return mix_numbers(hash, values, 3);
}

static uint64_t mix_quat(uint64_t hash, tr_quat q) {
    const double values[4] = {q.w, q.x, q.y, q.z};
    return mix_numbers(hash, values, 4);
}

static uint8_t fold(uint64_t hash) {
    return (uint8_t)(hash * 0x9e3779b97f4a7c15ULL >> 56);
}

static uint64_t body_hash(const tr_state *state, int body) {
    uint64_t hash = (uint64_t)body + 1;
    if (body == 0) {
        hash = mix_quat(mix_vec3(hash, state->pose.root_pos), state->pose.root_rot);
        return mix_vec3(mix_vec3(hash, state->root_vel), state->root_omega);
    }
    return mix_vec3(mix_quat(hash, state->pose.joint[body]), state->joint_rate[body]);
}

static uint64_t object_hash(const tr_world *world, tr_entity_id id) {
    tr_object_state state = {0};
    (void)!tr_world_get_object(world, id, &state);
    uint64_t hash = mix_quat(mix_vec3(id, state.pos), state.rot);
    return mix_vec3(mix_vec3(hash, state.vel), state.omega);
}

int tr_trace_step(const tr_stage *stage, uint8_t out[TR_TRACE_WIDTH_MAX]) {
    const tr_world *world = tr_stage_world_const(stage);
    tr_entity_id id[TR_OBJECT_MAX];
    tr_state state;
    int characters = tr_world_characters(world, id, TR_CHARACTER_MAX);
    for (int i = 0; i < characters; i++) {
        const tr_model *model = tr_world_character_model(world, id[i]);
        uint64_t hash = id[i];
        (void)!tr_world_get_state(world, id[i], &state);
        for (int b = 0; b < model->body_count; b++)
            hash = mix(hash, body_hash(&state, b));
        out[i] = fold(hash);
    }
    int objects = tr_world_objects(world, id, TR_OBJECT_MAX);
    uint64_t hash = 0;
    for (int i = 0; i < objects; i++)
        hash = mix(hash, object_hash(world, id[i]));
    if (objects > 0)
        out[characters] = fold(hash);
    return objects > 0 ? characters + 1 : characters;
}

int tr_trace_bodies(const tr_stage *stage, uint8_t out[TR_TRACE_BODIES_MAX]) {
    const tr_world *world = tr_stage_world_const(stage);
    tr_entity_id id[TR_OBJECT_MAX];
    tr_state state;
    int count = 0, characters = tr_world_characters(world, id, TR_CHARACTER_MAX);
    for (int i = 0; i < characters; i++) {
        const tr_model *model = tr_world_character_model(world, id[i]);
        (void)!tr_world_get_state(world, id[i], &state);
        for (int b = 0; b < model->body_count; b++)
            out[count++] = fold(body_hash(&state, b));
    }
    int objects = tr_world_objects(world, id, TR_OBJECT_MAX);
    for (int i = 0; i < objects; i++)
        out[count++] = fold(object_hash(world, id[i]));
    return count;
}

void tr_trace_find_body(const tr_stage *stage, int index, tr_entity_id *out_entity, int *out_body) {
    const tr_world *world = tr_stage_world_const(stage);
    tr_entity_id id[TR_OBJECT_MAX];
    int characters = tr_world_characters(world, id, TR_CHARACTER_MAX);
    *out_entity = 0;
    *out_body = 0;
    for (int i = 0; i < characters; i++) {
        int bodies = tr_world_character_model(world, id[i])->body_count;
        if (index < bodies) {
            *out_entity = id[i];
            *out_body = index;
            return;
        }
        index -= bodies;
    }
    if (index < tr_world_objects(world, id, TR_OBJECT_MAX))
        *out_entity = id[index];
}

tr_entity_id tr_trace_find_mover(const tr_stage *stage, int index) {
    const tr_world *world = tr_stage_world_const(stage);
    tr_entity_id id[TR_OBJECT_MAX];
    int characters = tr_world_characters(world, id, TR_CHARACTER_MAX);
    if (index < characters)
        return id[index];
    return index == characters && tr_world_objects(world, id, TR_OBJECT_MAX) > 0 ? id[0] : 0;
}
