/* Commands about characters and objects. */
#include "client/c/command.h"
#include "client/c/scene.h"

enum { OBJECT_GEOM_MAX = 8 };

/* --- characters --- */

TR_COMMAND_OF_DEF(SpawnCharacter, spawn_character, spawn_def,
                  TR_COPY(model, controller, pos, heading_rad, fragment, label))
TR_COMMAND_OF(Despawn, despawn, (uint32_t, entity))
TR_COMMAND_OF(SetFragment, set_fragment, (uint32_t, entity), (uint32_t, fragment), (bool, mirrored))
TR_COMMAND_OF(SetLimp, set_limp, (uint32_t, entity), (bool, limp))

uint64_t tr_client_set_controller(tr_client *client, tr_client_at at, uint32_t entity,
                                  const char *controller) {
    return TR_COMMAND(client, at, SetController, set_controller, .entity = entity,
                      .controller = tr_request_text(controller));
}

uint64_t tr_client_set_offset(tr_client *client, tr_client_at at, uint32_t entity,
                              const double *offset, size_t size) {
    return TR_COMMAND(client, at, SetOffset, set_offset, .entity = entity, .n_offset = size,
                      .offset = tr_request_array(offset));
}

static const uint32_t aims[] = {[TR_CLIENT_AIM_HEADING] = TROUPE__STEER__AIM_HEADING_RAD,
                                [TR_CLIENT_AIM_TARGET] = TROUPE__STEER__AIM_TARGET,
                                [TR_CLIENT_AIM_CHARACTER] = TROUPE__STEER__AIM_TOWARD};

TR_COMMAND_OF_DEF(Steer, steer, steer_def, TR_COPY(entity), TR_COPY_CHOICE_AS(aim, aim_case, aims),
                  TR_COPY_CASE(heading_rad, aim, TROUPE__STEER__AIM_HEADING_RAD),
                  TR_COPY_CASE(target, aim, TROUPE__STEER__AIM_TARGET),
                  TR_COPY_CASE(toward, aim, TROUPE__STEER__AIM_TOWARD),
                  TR_COPY_AS(speed_mps, speed), TR_COPY(skill, radius, faces, facing_rad))
TR_COMMAND_OF_DEF(Push, push, push_def, TR_COPY(entity, body, point, force, duration_s))

TR_COMMAND_OF_DEF(Hold, hold, hold_def, TR_COPY(entity, object, body, break_n, off))

/* --- objects --- */

uint64_t tr_client_spawn_object(tr_client *client, tr_client_at at,
                                const tr_client_object_def *def) {
    if (def->geom_count < 1 || def->geom_count > OBJECT_GEOM_MAX)
        return tr_exchange_refuse(client, TR_INVALID_ARGUMENT, "geom_count: expected 1 to 8");
    tr_mapping_memory memory = {0};
    Troupe__SpawnObject *spawn = tr_object_message(def, &memory);
    uint64_t request = tr_command_send(client, at, (ProtobufCMessage *)spawn);
    tr_mapping_free(&memory);
    return request;
}

uint64_t tr_client_throw(tr_client *client, tr_client_at at, const tr_client_throw_def *def) {
    return TR_COMMAND(client, at, Throw, throw, .entity = def->entity,
                      .pos = def->move ? TR_VEC3(def->pos) : NULL, .vel = TR_VEC3(def->vel),
                      .omega = TR_VEC3(def->omega));
}
