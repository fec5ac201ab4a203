/* Commands about characters and objects. */
#include "client/c/command.h"
#include "client/c/scene.h"

enum { OBJECT_GEOM_MAX = 8 };

static char *text(const char *given) {
    return tr_request_text(given);
}

/* --- characters --- */

uint64_t tr_client_spawn_character(tr_client *client, tr_client_at at,
                                   const tr_client_spawn_def *def) {
    return TR_COMMAND(client, at, SpawnCharacter, spawn_character, .model = text(def->model),
                      .controller = text(def->controller), .pos = TR_VEC3(def->pos),
                      .heading_rad = def->heading_rad, .fragment = def->fragment,
                      .label = text(def->label));
}

uint64_t tr_client_despawn(tr_client *client, tr_client_at at, uint32_t entity) {
    return TR_COMMAND(client, at, Despawn, despawn, .entity = entity);
}

uint64_t tr_client_set_controller(tr_client *client, tr_client_at at, uint32_t entity,
                                  const char *controller) {
    return TR_COMMAND(client, at, SetController, set_controller, .entity = entity,
                      .controller = text(controller));
}

uint64_t tr_client_set_fragment(tr_client *client, tr_client_at at, uint32_t entity,
                                uint32_t fragment, bool mirrored) {
    return TR_COMMAND(client, at, SetFragment, set_fragment, .entity = entity, .fragment = fragment,
                      .mirrored = mirrored);
}

uint64_t tr_client_set_limp(tr_client *client, tr_client_at at, uint32_t entity, bool limp) {
    return TR_COMMAND(client, at, SetLimp, set_limp, .entity = entity, .limp = limp);
}

uint64_t tr_client_set_offset(tr_client *client, tr_client_at at, uint32_t entity,
                              const double *offset, size_t size) {
    return TR_COMMAND(client, at, SetOffset, set_offset, .entity = entity, .n_offset = size,
                      .offset = tr_request_array(offset));
}

static const tr_mapping steer_mapping =
    TR_MAPPING(tr_client_steer_def, Steer, steer, TR_COPY(entity), TR_COPY_AS(speed_mps, speed),
               TR_COPY(skill));

Troupe__Steer *tr_steer_message(const tr_client_steer_def *def, tr_mapping_memory *memory) {
    Troupe__Steer *steer = tr_mapping_write(&steer_mapping, def, memory);
    Troupe__Vec3 *target = tr_mapping_take(memory, 1, sizeof *target);
    if (!steer || !target)
        return NULL;
    *target = *TR_VEC3(def->target);
    if (def->aim == TR_CLIENT_AIM_HEADING) {
        steer->aim_case = TROUPE__STEER__AIM_HEADING_RAD;
        steer->heading_rad = def->heading_rad;
    } else if (def->aim == TR_CLIENT_AIM_TARGET) {
        steer->aim_case = TROUPE__STEER__AIM_TARGET;
        steer->target = target;
    } else if (def->aim == TR_CLIENT_AIM_CHARACTER) {
        steer->aim_case = TROUPE__STEER__AIM_TOWARD;
        steer->toward = def->toward;
    }
    return steer;
}

uint64_t tr_client_steer(tr_client *client, tr_client_at at, const tr_client_steer_def *def) {
    tr_mapping_memory memory = {0};
    Troupe__Steer *steer = tr_steer_message(def, &memory);
    uint64_t request = tr_command_send(client, at, (ProtobufCMessage *)steer);
    tr_mapping_free(&memory);
    return request;
}

static const tr_mapping push_mapping =
    TR_MAPPING(tr_client_push_def, Push, push, TR_COPY(entity, body, point, force, duration_s));

Troupe__Push *tr_push_message(const tr_client_push_def *def, tr_mapping_memory *memory) {
    Troupe__Push *push = tr_mapping_write(&push_mapping, def, memory);
    return memory->failed ? NULL : push;
}

uint64_t tr_client_push(tr_client *client, tr_client_at at, const tr_client_push_def *def) {
    tr_mapping_memory memory = {0};
    Troupe__Push *push = tr_push_message(def, &memory);
    uint64_t request = tr_command_send(client, at, (ProtobufCMessage *)push);
    tr_mapping_free(&memory);
    return request;
}

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
