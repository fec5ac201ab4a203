/* spawn_object: puts a free object of up to eight shapes into the world. */
#include "server/requests/commands/apply.h"

#include "server/catalogue/name.h"

enum { SIZE_MAX_M = 1000, PLACE_MAX_M = 10000, FRICTION_MAX = 100, DEFAULT_DENSITY = 1000 };

static tr_status check_geom(const void *message, const char *path, tr_error *error) {
    const Troupe__Geom *m = message;
    if (m->kind < TROUPE__GEOM_KIND__GEOM_KIND_SPHERE || m->kind > TROUPE__GEOM_KIND__GEOM_KIND_BOX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%skind: expected sphere, capsule or box", path);
    int sizes = m->kind == TROUPE__GEOM_KIND__GEOM_KIND_SPHERE    ? 1
                : m->kind == TROUPE__GEOM_KIND__GEOM_KIND_CAPSULE ? 2
                                                                  : 3;
    tr_vec3 v = tr_vec3_of(m->size);
    const double size[3] = {v.x, v.y, v.z};
    for (int i = 0; i < sizes; i++)
        if (!(size[i] >= 1e-3))
            return tr_fail(error, TR_INVALID_ARGUMENT, "%ssize: expected at least 1 mm", path);
    return TR_OK;
}

static const tr_field geom_fields[] = {
    TR_VECTOR(Troupe__Geom, size, SIZE_MAX_M), TR_VECTOR(Troupe__Geom, pos, SIZE_MAX_M),
    TR_ROTATION(Troupe__Geom, rot), TR_NUMBER(Troupe__Geom, friction, 0, FRICTION_MAX),
    TR_FIELDS_END};

static const tr_field fields[] = {
    TR_NAME(Troupe__SpawnObject, name),
    TR_LIST(Troupe__SpawnObject, geoms, 1, TR_OBJECT_GEOM_MAX, geom_fields, check_geom),
    TR_NUMBER(Troupe__SpawnObject, density, 0, 1e6),
    TR_NUMBER(Troupe__SpawnObject, mass, 0, 1e6),
    TR_NUMBER(Troupe__SpawnObject, linear_damping, 0, 1e3),
    TR_NUMBER(Troupe__SpawnObject, angular_damping, 0, 1e3),
    TR_VECTOR(Troupe__SpawnObject, pos, PLACE_MAX_M),
    TR_ROTATION(Troupe__SpawnObject, rot),
    TR_VECTOR(Troupe__SpawnObject, vel, TR_SPEED_MAX),
    TR_VECTOR(Troupe__SpawnObject, omega, TR_SPEED_MAX),
    TR_FIELDS_END};

static tr_geom geom_of(const Troupe__Geom *m) {
    return (tr_geom){.kind =
                         (tr_geom_kind)((int)m->kind - (int)TROUPE__GEOM_KIND__GEOM_KIND_SPHERE),
                     .size = tr_vec3_of(m->size),
                     .pos = tr_vec3_of(m->pos),
                     .rot = tr_quat_of(m->rot),
                     .friction = m->friction};
}

static tr_object_def object_of(const Troupe__SpawnObject *m) {
    tr_object_def def = {.density = m->density == 0 ? DEFAULT_DENSITY : m->density,
                         .mass = m->mass,
                         .linear_damping = m->linear_damping,
                         .angular_damping = m->angular_damping};
    tr_name_set(def.name, m->name);
    for (size_t i = 0; i < m->n_geoms; i++)
        def.geom[def.geom_count++] = geom_of(m->geoms[i]);
    return def;
}

static tr_status apply(tr_world_loop *loop, tr_command *command, tr_reply *result, int64_t now_ns) {
    const Troupe__SpawnObject *m = command->message->spawn_object;
    const tr_object_def def = object_of(m);
    const tr_object_state state = {.pos = tr_vec3_of(m->pos),
                                   .rot = tr_quat_of(m->rot),
                                   .vel = tr_vec3_of(m->vel),
                                   .omega = tr_vec3_of(m->omega)};
    (void)now_ns;
    tr_status status = tr_world_add_object(tr_apply_world(loop), &def, &state, &result->entity);
    if (status)
        return tr_apply_status_of_limit(result, status, "object", TR_OBJECT_MAX);
    return tr_apply_status(result, tr_world_loop_keep_reset_point(loop), "reset point");
}

const tr_command_kind tr_command_spawn_object = {
    .name = "spawn_object",
    .number = TROUPE__COMMAND__COMMAND_SPAWN_OBJECT,
    .keeps = TR_KEEP_MESSAGE,
    .right = TR_ANY_FROM(TR_ROLE_DIRECTOR),
    .fields = fields,
    .apply = apply,
};
