/* Characters of a world: adding, removing, states. */
#include "physics/collide/collider.h"
#include "physics/collide/contact.h"
#include "physics/scene/stepper.h"
#include "physics/world/entity.h"
#include "physics/world/ground.h"
#include "physics/world/intake.h"
#include "physics/world/world.h"

#include <stdlib.h>
#include <string.h>

static void take_state(tr_character *c, const tr_state *state) {
    tr_intake_state(c->model, state, &c->state);
    c->faulted = false;
    c->follows_goal = false;
    c->bodies_current = false;
}

static void destroy_character(tr_character *c) {
    for (int g = 0; g < TR_GEOM_MAX; g++)
        tr_collider_deinit(&c->collider[g]);
    free(c);
}

void tr_character_destroy(tr_world *world, tr_character *c) {
    world->stepper->detach_character(world, c);
    destroy_character(c);
}

tr_status tr_character_create(tr_world *world, const tr_model *model, const tr_state *state,
                              tr_character **out) {
    if (!tr_intake_state_usable(model, state))
        return TR_INVALID_ARGUMENT;
    tr_character *c = aligned_alloc(64, (sizeof *c + 63) & ~(size_t)63);
    if (!c)
        return TR_RESOURCE_EXHAUSTED;
    memset(c, 0, sizeof *c);
    c->model = model;
    c->state.pose.root_rot = c->state.pose.joint[0] = tr_quat_identity();
    take_state(c, state);
    for (int i = 0; i < model->body_count; i++)
        c->target[i] = i ? c->state.pose.joint[i] : tr_quat_identity();
    tr_servo_use_set(world, c, 0);
    tr_status status = TR_OK;
    for (int g = 0; g < model->geom_count && !status; g++) {
        const tr_geom *geom = &model->geom[g];
        status = tr_collider_init(&c->collider[g], geom, geom->body, model->body[geom->body].com);
    }
    tr_contact_set_partners(c);
    if (!status)
        status = world->stepper->attach_character(world, c);
    if (status) {
        destroy_character(c);
        return status;
    }
    *out = c;
    return TR_OK;
}

tr_status tr_world_add_character(tr_world *world, const tr_model *model, const tr_state *state,
                                 tr_entity_id *out_id) {
    if (world->character_count == TR_CHARACTER_MAX)
        return TR_RESOURCE_EXHAUSTED;
    tr_character *c = NULL;
    tr_status status = tr_character_create(world, model, state, &c);
    if (status)
        return status;
    tr_ground_find(world, c);
    c->id = tr_entity_take(world);
    tr_scene_add_character(world, c);
    TR_MUST(&world->invariant, c->id != 0);
    *out_id = c->id;
    return TR_OK;
}

tr_status tr_world_remove_character(tr_world *world, tr_entity_id id) {
    tr_character *c = tr_scene_character(world, id);
    if (!c)
        return TR_NOT_FOUND;
    tr_scene_forget(world, id);
    tr_scene_remove_character(world, c);
    tr_character_destroy(world, c);
    tr_entity_release(world, id);
    TR_MUST(&world->invariant, !tr_scene_character(world, id));
    return TR_OK;
}

const tr_model *tr_world_character_model(const tr_world *world, tr_entity_id id) {
    const tr_character *c = tr_scene_character(world, id);
    return c ? c->model : NULL;
}

int tr_world_characters(const tr_world *world, tr_entity_id *out_ids, int capacity) {
    for (int i = 0; i < world->character_count && i < capacity; i++)
        out_ids[i] = world->character[i]->id;
    return world->character_count;
}

tr_status tr_world_get_state(const tr_world *world, tr_entity_id id, tr_state *out) {
    const tr_character *c = tr_scene_character(world, id);
    if (!c)
        return TR_NOT_FOUND;
    *out = c->state;
    return TR_OK;
}

tr_status tr_world_set_state(tr_world *world, tr_entity_id id, const tr_state *state) {
    tr_character *c = tr_scene_character(world, id);
    if (!c)
        return TR_NOT_FOUND;
    if (!tr_intake_state_usable(c->model, state))
        return TR_INVALID_ARGUMENT;
    bool elsewhere = tr_vec3_distance(state->pose.root_pos, c->state.pose.root_pos) > 0;
    take_state(c, state);
    world->stepper->character_moved(world, c);
    if (elsewhere)
        tr_ground_find(world, c);
    return TR_OK;
}

const tr_body_state *tr_world_bodies(const tr_world *world, tr_entity_id id) {
    tr_character *c = tr_scene_character(world, id);
    if (!c)
        return NULL;
    if (!c->bodies_current) {
        tr_state_forward(c->model, &c->state, c->body);
        c->bodies_current = true;
    }
    return c->body;
}

tr_quat tr_world_body_rotation(const tr_world *world, tr_entity_id id, int body) {
    const tr_character *c = tr_scene_character(world, id);
    if (!c || body < 0 || body >= c->model->body_count)
        return tr_quat_identity();
    return tr_pose_body_rotation(c->model, &c->state.pose, body);
}
