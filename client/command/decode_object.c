#include "client/command/decode_object.h"

#include "model/name.h"
#include "proto/limits.h"

#include <math.h>

enum { SIZE_MAX_M = 1000, PLACE_MAX_M = 10000, FRICTION_MAX = 100, DEFAULT_DENSITY = 1000 };

/* --- checks --- */

static tr_status check_geom(const void *message, const char *path, tr_error *error) {
    const Troupe__Geom *m = message;
    if (m->kind < TROUPE__GEOM_KIND__GEOM_KIND_SPHERE ||
        m->kind > TROUPE__GEOM_KIND__GEOM_KIND_CYLINDER)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "%skind: expected sphere, capsule, box or cylinder", path);
    int sizes = m->kind == TROUPE__GEOM_KIND__GEOM_KIND_SPHERE ? 1
                : m->kind == TROUPE__GEOM_KIND__GEOM_KIND_BOX  ? 3
                                                               : 2;
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

const tr_field tr_travel_fields[] = {
    TR_VECTOR(Troupe__Travel, pos, PLACE_MAX_M),
    TR_NUMBER(Troupe__Travel, duration_s, 1e-3, TR_TRAVEL_SECONDS_MAX), TR_FIELDS_END};

const tr_field tr_object_fields[] = {
    TR_NAME(Troupe__SpawnObject, name),
    TR_LIST(Troupe__SpawnObject, geoms, 1, TR_OBJECT_GEOM_MAX, geom_fields, check_geom),
    TR_NUMBER_IF_GIVEN(Troupe__SpawnObject, density, 1e-6, 1e6),
    TR_NUMBER_IF_GIVEN(Troupe__SpawnObject, mass, 1e-6, 1e6),
    TR_NUMBER(Troupe__SpawnObject, linear_damping, 0, 1e3),
    TR_NUMBER(Troupe__SpawnObject, angular_damping, 0, 1e3),
    TR_VECTOR(Troupe__SpawnObject, pos, PLACE_MAX_M),
    TR_ROTATION(Troupe__SpawnObject, rot),
    TR_VECTOR(Troupe__SpawnObject, vel, TR_SPEED_MAX),
    TR_VECTOR(Troupe__SpawnObject, omega, TR_SPEED_MAX),
    TR_MESSAGE(Troupe__SpawnObject, travel, tr_travel_fields),
    TR_FIELDS_END};

tr_status tr_object_check(const void *message, const char *path, tr_error *error) {
    const Troupe__SpawnObject *m = message;
    if (m->travel && !m->kinematic)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%stravel: expected of kinematic objects alone",
                       path);
    return TR_OK;
}

/* --- reading --- */

static tr_geom geom_of(const Troupe__Geom *m) {
    return (tr_geom){.kind =
                         (tr_geom_kind)((int)m->kind - (int)TROUPE__GEOM_KIND__GEOM_KIND_SPHERE),
                     .size = tr_vec3_of(m->size),
                     .pos = tr_vec3_of(m->pos),
                     .rot = tr_quat_of(m->rot),
                     .friction = m->friction};
}

tr_object_start tr_object_decode(const Troupe__SpawnObject *m) {
    tr_object_start start = {.def = {.density = m->has_density_case ? m->density : DEFAULT_DENSITY,
                                     .mass = m->mass,
                                     .linear_damping = m->linear_damping,
                                     .angular_damping = m->angular_damping},
                             .state = {.pos = tr_vec3_of(m->pos),
                                       .rot = tr_quat_of(m->rot),
                                       .vel = tr_vec3_of(m->vel),
                                       .omega = tr_vec3_of(m->omega)},
                             .kinematic = m->kinematic};
    tr_name_set(start.def.name, m->name);
    for (size_t i = 0; i < m->n_geoms; i++)
        start.def.geom[start.def.geom_count++] = geom_of(m->geoms[i]);
    if (m->travel) {
        start.travel_s = m->travel->duration_s;
        start.travel_to = tr_vec3_of(m->travel->pos);
        start.shuttle = m->travel->shuttle;
    }
    return start;
}

/* --- in a world --- */

/* Half the least extent of the thickest shape: the radius of a ball. */
static double half_thickness_of(const tr_object_def *def) {
    double thickest = 0;
    for (int i = 0; i < def->geom_count; i++) {
        const tr_geom *g = &def->geom[i];
        double least = g->size.x;
        if (g->kind == TR_GEOM_BOX)
            least = fmin(fmin(g->size.x, g->size.y), g->size.z);
        else if (g->kind == TR_GEOM_CYLINDER)
            least = fmin(g->size.x, g->size.y);
        thickest = fmax(thickest, least);
    }
    return thickest;
}

static tr_status check_speed(const tr_world *world, const tr_object_def *def, tr_vec3 vel,
                             tr_error *error) {
    double step_s = tr_world_definition(world)->step_s, half_m = half_thickness_of(def);
    double most = half_m / step_s, speed = tr_vec3_length(vel);
    if (speed <= most)
        return TR_OK;
    return tr_fail(
        error, TR_OUT_OF_RANGE,
        "vel: %g m/s: expected at most %g, as it would pass through thin things; make the "
        "object thicker than %g m or the world's step shorter than %g ms",
        speed, most, 2 * half_m, 1000 * step_s);
}

tr_status tr_object_check_start(const tr_world *world, const tr_object_start *start,
                                tr_error *error) {
    return start->kinematic ? TR_OK : check_speed(world, &start->def, start->state.vel, error);
}

static tr_status carry(tr_world *world, tr_entity_id id, tr_vec3 to, double duration_s,
                       bool shuttle) {
    double steps = ceil(duration_s / tr_world_definition(world)->step_s - 0.5);
    return tr_world_carry_object(world, id, to, steps > 1 ? (int64_t)steps : 1, shuttle);
}

tr_status tr_object_carry(tr_world *world, tr_entity_id id, const Troupe__Travel *travel) {
    return carry(world, id, tr_vec3_of(travel->pos), travel->duration_s, travel->shuttle);
}

tr_status tr_object_begin(const tr_object_start *start, tr_world *world, tr_entity_id *out) {
    tr_status status = tr_world_add_object(world, &start->def, &start->state, out);
    if (!status && start->kinematic)
        status = tr_world_set_kinematic(world, *out, true);
    if (!status && start->travel_s > 0)
        status = carry(world, *out, start->travel_to, start->travel_s, start->shuttle);
    return status;
}

tr_status tr_object_throw(tr_world *world, const Troupe__Throw *m, tr_error *error) {
    tr_object_state state;
    if (tr_world_get_object(world, m->entity, &state))
        return tr_fail(error, TR_NOT_FOUND, "entity %u: no such object in this world", m->entity);
    tr_status status =
        check_speed(world, tr_world_object_def(world, m->entity), tr_vec3_of(m->vel), error);
    if (status)
        return status;
    if (m->pos)
        state.pos = tr_vec3_of(m->pos);
    state.vel = tr_vec3_of(m->vel);
    state.omega = tr_vec3_of(m->omega);
    return tr_world_set_object(world, m->entity, &state);
}

/* --- holding --- */

static const double GRIP_M = 0.15; /* how far from an object the middle of a hand may take it */
static const double FITS_M = 0.12; /* the half length of what a hand closes around */

const tr_field tr_hold_fields[] = {TR_ENTITY(Troupe__Hold, entity), TR_ENTITY(Troupe__Hold, object),
                                   TR_NAME(Troupe__Hold, body),
                                   TR_NUMBER(Troupe__Hold, break_n, 0, 1e6), TR_FIELDS_END};

/* From a point of the object's frame to the nearest of its shapes, each taken as the ball around it. */
static double gap_to(const tr_object_def *def, tr_vec3 point) {
    double gap = INFINITY;
    for (int i = 0; i < def->geom_count; i++)
        gap = fmin(gap,
                   tr_vec3_distance(point, def->geom[i].pos) - tr_vec3_length(def->geom[i].size));
    return gap;
}

/* What fits the hand keeps its place in it; what is larger turns about the middle of the hand. A
 * grip that did not let it turn would bend the wrist beyond its range. */
static tr_status take(tr_world *world, const Troupe__Hold *m, int body, tr_error *error) {
    const tr_model *model = tr_world_character_model(world, m->entity);
    const tr_object_def *def = tr_world_object_def(world, m->object);
    const tr_body_state *hand = &tr_world_bodies(world, m->entity)[body];
    tr_object_state state;
    if (tr_world_get_object(world, m->object, &state))
        return tr_fail(error, TR_NOT_FOUND, "object: %u: no such object in this world", m->object);
    const tr_vec3 point =
        tr_quat_rotate(tr_quat_conj(state.rot), tr_vec3_sub(hand->com_pos, state.pos));
    const double gap = gap_to(def, point);
    if (gap > GRIP_M)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "object: %.2f m from '%s': expected at most %g m; bring them together first",
                       gap, model->body[body].name, GRIP_M);
    tr_pin_def pin = {.entity = {m->entity, m->object},
                      .body = {body, 0},
                      .point = {model->body[body].com, point},
                      .break_n = m->break_n};
    if (def->geom_count == 1 && tr_vec3_length(def->geom[0].size) <= FITS_M) {
        pin.point[0] = tr_vec3_add(
            model->body[body].com,
            tr_quat_rotate(tr_quat_conj(hand->rot), tr_vec3_sub(state.pos, hand->com_pos)));
        pin.point[1] = (tr_vec3){0};
    }
    tr_entity_id id;
    return tr_world_add_pin(world, &pin, &id);
}

tr_status tr_object_hold(tr_world *world, const Troupe__Hold *m, tr_error *error) {
    const tr_model *model = tr_world_character_model(world, m->entity);
    if (!model)
        return tr_fail(error, TR_NOT_FOUND, "entity %u: no such character in this world",
                       m->entity);
    const bool named = m->body[0] != '\0';
    const int body = named ? tr_model_find_body(model, m->body) : m->off ? -1 : model->hand[1];
    if (body < 0 && (named || !m->off))
        return tr_fail(error, TR_NOT_FOUND, "body '%s': the model '%s' has no such body",
                       named ? m->body : "right hand", model->name);
    if (!m->off)
        return take(world, m, body, error);
    return tr_world_let_go(world, m->entity, body, m->object) > 0
               ? TR_OK
               : tr_fail(error, TR_NOT_FOUND, "object: %u: entity %u does not hold it", m->object,
                         m->entity);
}
