#include "server/world/decode_world.h"

#include "client/command/decode_object.h"
#include "client/command/decode_scenery.h"
#include "proto/mapping.h"

#include <string.h>

enum { FRICTION_MAX = 100 };

static const tr_field ground_fields[] = {TR_NUMBER(Troupe__Ground, friction, 0, FRICTION_MAX),
                                         TR_FIELDS_END};

static const tr_field scene_fields[] = {
    TR_VECTOR(Troupe__Scene, gravity, 1000), TR_MESSAGE(Troupe__Scene, ground, ground_fields),
    TR_LIST(Troupe__Scene, scenery, 0, TR_SCENERY_MAX, tr_scenery_fields, tr_scenery_check),
    TR_LIST(Troupe__Scene, objects, 0, TR_SCENE_OBJECTS_MAX, tr_object_fields, tr_object_check),
    TR_FIELDS_END};

static const tr_field world_fields[] = {
    TR_NAME_NEEDED(Troupe__CreateWorld, name),
    TR_NUMBER_IF_GIVEN(Troupe__CreateWorld, step_s, 0.0005, 0.02),
    TR_CHOICE(Troupe__CreateWorld, mode, TROUPE__WORLD_MODE__WORLD_MODE_FAST,
              "real time, stepped or fast"),
    TR_NUMBER_IF_GIVEN(Troupe__CreateWorld, rate, 0.01, 100),
    TR_NUMBER(Troupe__CreateWorld, steppers, 0, TR_STEPPERS_MAX),
    TR_CHOICE(Troupe__CreateWorld, fault_rule, TROUPE__FAULT_RULE__FAULT_RULE_FREEZE,
              "reset, remove or freeze"),
    TR_MESSAGE(Troupe__CreateWorld, scene, scene_fields),
    TR_CHOICE(Troupe__CreateWorld, owner_leaves, TROUPE__OWNER_LEAVES__OWNER_LEAVES_DESTROY,
              "keep or destroy"),
    TR_NUMBER(Troupe__CreateWorld, lease_s, 0, TR_LEASE_SECONDS_MAX),
    TR_NUMBER_OR_ZERO(Troupe__CreateWorld, step_timeout_s, 0.01, TR_STEP_TIMEOUT_SECONDS_MAX),
    TR_NAME(Troupe__CreateWorld, moved_from),
    TR_FIELDS_END};

static const tr_field claim_fields[] = {
    TR_CHOICE(Troupe__ClaimWorld, owner_leaves, TROUPE__OWNER_LEAVES__OWNER_LEAVES_DESTROY,
              "keep or destroy"),
    TR_NUMBER(Troupe__ClaimWorld, lease_s, 0, TR_LEASE_SECONDS_MAX), TR_FIELDS_END};

static tr_status set_scene(const Troupe__Scene *m, tr_world_loop_def *out, tr_error *error) {
    if (!m)
        return TR_OK;
    if (m->gravity)
        out->world.gravity = tr_vec3_of(m->gravity);
    if (m->ground)
        out->world.ground_friction = m->ground->friction;
    out->world.ground = !m->no_ground;
    out->world.self_collision = !m->no_self_collision;
    return tr_layout_create(m, &out->layout, error);
}

static const uint32_t modes[] = {[TROUPE__WORLD_MODE__WORLD_MODE_UNSPECIFIED] = TR_MODE_REAL_TIME,
                                 [TROUPE__WORLD_MODE__WORLD_MODE_REAL_TIME] = TR_MODE_REAL_TIME,
                                 [TROUPE__WORLD_MODE__WORLD_MODE_STEPPED] = TR_MODE_STEPPED,
                                 [TROUPE__WORLD_MODE__WORLD_MODE_FAST] = TR_MODE_FAST};
static const uint32_t fault_rules[] = {[TROUPE__FAULT_RULE__FAULT_RULE_UNSPECIFIED] =
                                           TR_FAULT_RESET,
                                       [TROUPE__FAULT_RULE__FAULT_RULE_RESET] = TR_FAULT_RESET,
                                       [TROUPE__FAULT_RULE__FAULT_RULE_REMOVE] = TR_FAULT_REMOVE,
                                       [TROUPE__FAULT_RULE__FAULT_RULE_FREEZE] = TR_FAULT_FREEZE};

static const tr_mapping world_mapping =
    TR_MAPPING(tr_world_loop_def, CreateWorld, create_world,
               TR_COPY(name, seed, rate, steppers, step_timeout_s, paused, moved_from, look_ahead),
               TR_COPY_CHOICE(mode, modes), TR_COPY_CHOICE(fault_rule, fault_rules));

tr_status tr_decode_world(const Troupe__CreateWorld *message, tr_world_loop_def *out,
                          tr_error *error) {
    tr_mapping_memory none = {0}; /* nothing in the mapping needs memory */
    tr_status status = tr_fields_check(message, world_fields, error);
    if (status)
        return status;
    memset(out, 0, sizeof *out);
    tr_mapping_read(&world_mapping, message, out, &none);
    if (!message->has_rate_case)
        out->rate = 1;
    if (out->steppers == 0)
        out->steppers = 1;
    out->world = tr_world_def_default();
    if (message->has_step_s_case)
        out->world.step_s = message->step_s;
    return set_scene(message->scene, out, error);
}

static tr_ownership ownership_of(Troupe__OwnerLeaves owner_leaves, double lease_s) {
    return (tr_ownership){.destroy = owner_leaves == TROUPE__OWNER_LEAVES__OWNER_LEAVES_DESTROY,
                          .lease_s = lease_s};
}

tr_ownership tr_decode_ownership(const Troupe__CreateWorld *message) {
    return ownership_of(message->owner_leaves, message->lease_s);
}

tr_status tr_decode_claim(const Troupe__ClaimWorld *message, tr_ownership *out, tr_error *error) {
    tr_status status = tr_fields_check(message, claim_fields, error);
    if (!status)
        *out = ownership_of(message->owner_leaves, message->lease_s);
    return status;
}
