/* Commands about characters and objects. */
#include "client/c/command.h"
#include "client/c/geometry.h"

enum { OBJECT_GEOM_MAX = 8 };

/* --- characters --- */

uint64_t tr_client_spawn_character(tr_client *client, tr_client_at at,
                                   const tr_client_spawn_def *def) {
    Troupe__Vec3 pos = tr_vec3_message(def->pos);
    Troupe__SpawnCharacter spawn = TROUPE__SPAWN_CHARACTER__INIT;
    spawn.model = tr_request_text(def->model);
    spawn.controller = tr_request_text(def->controller);
    spawn.pos = &pos;
    spawn.heading_rad = def->heading_rad;
    spawn.fragment = def->fragment;
    spawn.label = tr_request_text(def->label);
    Troupe__Command command = tr_command_begin(at, TROUPE__COMMAND__COMMAND_SPAWN_CHARACTER);
    command.spawn_character = &spawn;
    return tr_command_send(client, &command);
}

uint64_t tr_client_despawn(tr_client *client, tr_client_at at, uint32_t entity) {
    Troupe__Despawn despawn = TROUPE__DESPAWN__INIT;
    despawn.entity = entity;
    Troupe__Command command = tr_command_begin(at, TROUPE__COMMAND__COMMAND_DESPAWN);
    command.despawn = &despawn;
    return tr_command_send(client, &command);
}

uint64_t tr_client_set_controller(tr_client *client, tr_client_at at, uint32_t entity,
                                  const char *controller) {
    Troupe__SetController set = TROUPE__SET_CONTROLLER__INIT;
    set.entity = entity;
    set.controller = tr_request_text(controller);
    Troupe__Command command = tr_command_begin(at, TROUPE__COMMAND__COMMAND_SET_CONTROLLER);
    command.set_controller = &set;
    return tr_command_send(client, &command);
}

uint64_t tr_client_set_fragment(tr_client *client, tr_client_at at, uint32_t entity,
                                uint32_t fragment, bool mirrored) {
    Troupe__SetFragment set = TROUPE__SET_FRAGMENT__INIT;
    set.entity = entity;
    set.fragment = fragment;
    set.mirrored = mirrored;
    Troupe__Command command = tr_command_begin(at, TROUPE__COMMAND__COMMAND_SET_FRAGMENT);
    command.set_fragment = &set;
    return tr_command_send(client, &command);
}

uint64_t tr_client_set_limp(tr_client *client, tr_client_at at, uint32_t entity, bool limp) {
    Troupe__SetLimp set = TROUPE__SET_LIMP__INIT;
    set.entity = entity;
    set.limp = limp;
    Troupe__Command command = tr_command_begin(at, TROUPE__COMMAND__COMMAND_SET_LIMP);
    command.set_limp = &set;
    return tr_command_send(client, &command);
}

Troupe__SetOffset tr_set_offset_message(uint32_t entity, const double *offset, size_t size) {
    union {
        const double *given;
        double *wanted; /* by protobuf-c, which only reads it */
    } values = {.given = offset};
    Troupe__SetOffset set = TROUPE__SET_OFFSET__INIT;
    set.entity = entity;
    set.n_offset = size;
    set.offset = values.wanted;
    return set;
}

uint64_t tr_client_set_offset(tr_client *client, tr_client_at at, uint32_t entity,
                              const double *offset, size_t size) {
    Troupe__SetOffset set = tr_set_offset_message(entity, offset, size);
    Troupe__Command command = tr_command_begin(at, TROUPE__COMMAND__COMMAND_SET_OFFSET);
    command.set_offset = &set;
    return tr_command_send(client, &command);
}

Troupe__Steer tr_steer_message(const tr_client_steer_def *def, Troupe__Vec3 *target) {
    *target = tr_vec3_message(def->target);
    Troupe__Steer steer = TROUPE__STEER__INIT;
    steer.entity = def->entity;
    steer.speed = def->speed_mps;
    steer.skill = tr_request_text(def->skill);
    if (def->aim == TR_CLIENT_AIM_HEADING) {
        steer.aim_case = TROUPE__STEER__AIM_HEADING_RAD;
        steer.heading_rad = def->heading_rad;
    } else if (def->aim == TR_CLIENT_AIM_TARGET) {
        steer.aim_case = TROUPE__STEER__AIM_TARGET;
        steer.target = target;
    } else if (def->aim == TR_CLIENT_AIM_CHARACTER) {
        steer.aim_case = TROUPE__STEER__AIM_TOWARD;
        steer.toward = def->toward;
    }
    return steer;
}

uint64_t tr_client_steer(tr_client *client, tr_client_at at, const tr_client_steer_def *def) {
    Troupe__Vec3 target;
    Troupe__Steer steer = tr_steer_message(def, &target);
    Troupe__Command command = tr_command_begin(at, TROUPE__COMMAND__COMMAND_STEER);
    command.steer = &steer;
    return tr_command_send(client, &command);
}

Troupe__Push tr_push_message(const tr_client_push_def *def, Troupe__Vec3 *point,
                             Troupe__Vec3 *force) {
    *point = tr_vec3_message(def->point);
    *force = tr_vec3_message(def->force);
    Troupe__Push push = TROUPE__PUSH__INIT;
    push.entity = def->entity;
    push.body = tr_request_text(def->body);
    push.point = point;
    push.force = force;
    push.duration_s = def->duration_s;
    return push;
}

uint64_t tr_client_push(tr_client *client, tr_client_at at, const tr_client_push_def *def) {
    Troupe__Vec3 point, force;
    Troupe__Push push = tr_push_message(def, &point, &force);
    Troupe__Command command = tr_command_begin(at, TROUPE__COMMAND__COMMAND_PUSH);
    command.push = &push;
    return tr_command_send(client, &command);
}

/* --- objects --- */

/* A shape with the messages it points to. */
typedef struct geom_message {
    Troupe__Geom geom;
    Troupe__Vec3 size, pos;
    Troupe__Quat rot;
} geom_message;

static void fill_geom(const tr_client_geom *from, geom_message *out) {
    *out = (geom_message){.geom = TROUPE__GEOM__INIT,
                          .size = tr_vec3_message(from->size),
                          .pos = tr_vec3_message(from->pos),
                          .rot = tr_quat_message(from->rot)};
    out->geom.kind = (Troupe__GeomKind)from->kind;
    out->geom.friction = from->friction;
    out->geom.size = &out->size;
    out->geom.pos = &out->pos;
    out->geom.rot = &out->rot;
}

uint64_t tr_client_spawn_object(tr_client *client, tr_client_at at,
                                const tr_client_object_def *def) {
    if (def->geom_count < 1 || def->geom_count > OBJECT_GEOM_MAX)
        return tr_request_refuse(client, TR_INVALID_ARGUMENT, "geom_count: expected 1 to 8");
    geom_message shapes[OBJECT_GEOM_MAX];
    Troupe__Geom *pointers[OBJECT_GEOM_MAX];
    for (int i = 0; i < def->geom_count; ++i) {
        fill_geom(&def->geoms[i], &shapes[i]);
        pointers[i] = &shapes[i].geom;
    }
    Troupe__Vec3 pos = tr_vec3_message(def->pos), vel = tr_vec3_message(def->vel),
                 omega = tr_vec3_message(def->omega);
    Troupe__Quat rot = tr_quat_message(def->rot);
    Troupe__SpawnObject spawn = TROUPE__SPAWN_OBJECT__INIT;
    spawn.name = tr_request_text(def->name);
    spawn.n_geoms = (size_t)def->geom_count;
    spawn.geoms = pointers;
    spawn.density = def->density;
    spawn.mass = def->mass;
    spawn.pos = &pos;
    spawn.rot = &rot;
    spawn.vel = &vel;
    spawn.omega = &omega;
    spawn.linear_damping = def->linear_damping;
    spawn.angular_damping = def->angular_damping;
    Troupe__Command command = tr_command_begin(at, TROUPE__COMMAND__COMMAND_SPAWN_OBJECT);
    command.spawn_object = &spawn;
    return tr_command_send(client, &command);
}

uint64_t tr_client_throw(tr_client *client, tr_client_at at, const tr_client_throw_def *def) {
    Troupe__Vec3 pos = tr_vec3_message(def->pos), vel = tr_vec3_message(def->vel),
                 omega = tr_vec3_message(def->omega);
    Troupe__Throw throw = TROUPE__THROW__INIT;
    throw.entity = def->entity;
    throw.pos = def->move ? &pos : NULL;
    throw.vel = &vel;
    throw.omega = &omega;
    Troupe__Command command = tr_command_begin(at, TROUPE__COMMAND__COMMAND_THROW);
    command.throw_ = &throw;
    return tr_command_send(client, &command);
}
