/* Free objects: mass properties of compounds, adding, states. */
#include "model/inertia.h"
#include "physics/collide/collider.h"
#include "physics/scene/stepper.h"
#include "physics/world/entity.h"
#include "physics/world/world.h"
#include "proto/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool usable_geom(const tr_geom *g) {
    if (g->kind < TR_GEOM_SPHERE || g->kind > TR_GEOM_CYLINDER)
        return false;
    double sizes[3] = {g->size.x, g->kind == TR_GEOM_SPHERE ? 1 : g->size.y,
                       g->kind == TR_GEOM_BOX ? g->size.z : 1};
    for (int k = 0; k < 3; k++)
        if (!(sizes[k] > 1e-4 && sizes[k] < 1e4))
            return false;
    return tr_vec3_is_finite(g->pos) && tr_quat_is_finite(g->rot) &&
           fabs(tr_quat_dot(g->rot, g->rot) - 1) < 1e-6 && tr_vec3_length(g->pos) < 1e4 &&
           g->friction >= 0 && isfinite(g->friction) && g->torsional >= 0 && g->rolling >= 0 &&
           g->softness == 0 && isfinite(g->torsional) && isfinite(g->rolling);
}

static bool usable_def(const tr_object_def *def) {
    if (def->geom_count < 1 || def->geom_count > TR_OBJECT_GEOM_MAX)
        return false;
    if (!(def->linear_damping >= 0 && def->angular_damping >= 0 && isfinite(def->linear_damping) &&
          isfinite(def->angular_damping)))
        return false;
    for (int g = 0; g < def->geom_count; g++)
        if (!usable_geom(&def->geom[g]))
            return false;
    return def->mass > 0 ? def->mass > 1e-4 && def->mass < 1e6
                         : def->density > 1e-2 && def->density < 1e6;
}

static bool usable_state(const tr_object_state *s) {
    double n = tr_quat_dot(s->rot, s->rot);
    return tr_vec3_is_finite(s->pos) && tr_vec3_is_finite(s->vel) && tr_vec3_is_finite(s->omega) &&
           n > 0.01 && n < 100;
}

bool tr_object_is_usable(const tr_object_def *def, const tr_object_state *state) {
    size_t name_size = strnlen(def->name, TR_NAME_MAX - 1);
    return usable_def(def) && usable_state(state) && tr_text_bytes_are_utf8(def->name, name_size);
}

/* Mass by volume. */
static void set_mass(tr_object *o) {
    double volume = 0;
    for (int g = 0; g < o->def.geom_count; g++)
        volume += tr_geom_volume(&o->def.geom[g]);
    double density = o->def.mass > 0 ? o->def.mass / volume : o->def.density;
    tr_mass_properties sum = {0};
    for (int g = 0; g < o->def.geom_count; g++) {
        const tr_geom *geom = &o->def.geom[g];
        tr_mass_properties part = tr_geom_mass_properties(geom, density * tr_geom_volume(geom));
        sum = tr_mass_properties_join(&sum, &part);
    }
    o->mass = sum.mass;
    o->com = sum.com;
    o->inertia = sum.inertia;
}

static void take_state(tr_object *o, const tr_object_state *state) {
    o->state = *state;
    if (fabs(tr_quat_dot(state->rot, state->rot) - 1) > 1e-9)
        o->state.rot = tr_quat_normalize(state->rot);
    o->faulted = false;
    o->follows_goal = false;
    o->travel.steps = 0;
}

static void destroy_object(tr_object *o) {
    for (int g = 0; g < TR_OBJECT_GEOM_MAX; g++)
        tr_collider_deinit(&o->collider[g]);
    free(o);
}

void tr_object_destroy(tr_world *world, tr_object *o) {
    world->stepper->detach_object(world, o);
    destroy_object(o);
}

tr_status tr_object_create(tr_world *world, const tr_object_def *def, const tr_object_state *state,
                           tr_object **out) {
    if (!tr_object_is_usable(def, state))
        return TR_INVALID_ARGUMENT;
    tr_object *o = aligned_alloc(64, (sizeof *o + 63) & ~(size_t)63);
    if (!o)
        return TR_RESOURCE_EXHAUSTED;
    memset(o, 0, sizeof *o);
    o->def = *def;
    o->def.name[TR_NAME_MAX - 1] = '\0';
    set_mass(o);
    take_state(o, state);
    tr_status status = TR_OK;
    for (int g = 0; g < def->geom_count && !status; g++)
        status = tr_collider_init(&o->collider[g], &def->geom[g], 0, o->com);
    if (!status)
        status = world->stepper->attach_object(world, o);
    return TR_GIVE(status, o, destroy_object, out);
}

tr_status tr_world_add_object(tr_world *world, const tr_object_def *def,
                              const tr_object_state *state, tr_entity_id *out_id) {
    if (world->object_count == TR_OBJECT_MAX)
        return TR_RESOURCE_EXHAUSTED;
    tr_object *o = NULL;
    tr_status status = tr_object_create(world, def, state, &o);
    if (status)
        return status;
    o->id = tr_entity_take(world);
    world->object[world->object_count++] = o;
    *out_id = o->id;
    return TR_OK;
}

tr_status tr_world_remove_object(tr_world *world, tr_entity_id id) {
    for (int i = 0; i < world->object_count; i++) {
        tr_object *o = world->object[i];
        if (o->id != id)
            continue;
        tr_scene_forget(world, id);
        tr_object_destroy(world, o);
        tr_entity_release(world, id);
        world->object_count--;
        for (int k = i; k < world->object_count; k++)
            world->object[k] = world->object[k + 1];
        return TR_OK;
    }
    return TR_NOT_FOUND;
}

const tr_object_def *tr_world_object_def(const tr_world *world, tr_entity_id id) {
    const tr_object *o = tr_scene_object(world, id);
    return o ? &o->def : NULL;
}

tr_status tr_world_get_object(const tr_world *world, tr_entity_id id, tr_object_state *out) {
    const tr_object *o = tr_scene_object(world, id);
    if (!o)
        return TR_NOT_FOUND;
    *out = o->state;
    return TR_OK;
}

tr_status tr_world_set_object(tr_world *world, tr_entity_id id, const tr_object_state *state) {
    tr_object *o = tr_scene_object(world, id);
    if (!o)
        return TR_NOT_FOUND;
    if (!usable_state(state))
        return TR_INVALID_ARGUMENT;
    take_state(o, state);
    world->stepper->object_moved(world, o);
    return TR_OK;
}

int tr_world_objects(const tr_world *world, tr_entity_id *out_ids, int capacity) {
    for (int i = 0; i < world->object_count && i < capacity; i++)
        out_ids[i] = world->object[i]->id;
    return world->object_count;
}

void tr_object_must_hold(tr_world *world, const tr_object *o) {
    const tr_travel *travel = &o->travel;
    tr_vec3 off = tr_vec3_sub(tr_v4_to(o->frame.com), o->state.pos);
    double reach = 1 + tr_vec3_length(o->state.pos);
    tr_entity_must_hold(world, o->id);
    TR_MUST_BE(&world->invariant, o->mass, >, 0);
    TR_MUST_BE(&world->invariant, tr_vec3_length(off), <, 1e-9 * reach); /* the stepper's place */
    TR_MUST(&world->invariant,
            travel->steps == 0 || (travel->made >= 0 && travel->made < travel->steps));
}
