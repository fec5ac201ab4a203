#include "server/world/fault_handling.h"

#include <math.h>

void tr_drivers_note(const tr_stage *stage, tr_drivers *out) {
    out->count = tr_world_characters(tr_stage_world_const(stage), out->entity, TR_CHARACTER_MAX);
    for (int i = 0; i < out->count; i++) {
        const tr_performer *performer = tr_stage_performer(stage, out->entity[i]);
        out->controller[i] = !performer        ? NULL
                             : performer->next ? performer->next
                                               : performer->runner.controller;
    }
}

static const tr_controller *driver_of(const tr_drivers *drivers, tr_entity_id entity) {
    for (int i = 0; i < drivers->count; i++)
        if (drivers->entity[i] == entity)
            return drivers->controller[i];
    return NULL;
}

/* The reset place: the ground under its root, or the origin if the root is too far away. */
static tr_vec3 place_of(tr_vec3 root) {
    bool near = fabs(root.x) <= TR_FAULT_REACH_M && fabs(root.y) <= TR_FAULT_REACH_M;
    return near ? (tr_vec3){root.x, root.y, 0} : (tr_vec3){0, 0, 0};
}

static tr_state standing(const tr_model *model, const tr_controller *controller) {
    if (controller)
        return controller->spawn;
    tr_pose rest = tr_pose_rest(model);
    return tr_state_at_rest(model, &rest);
}

static tr_status reset_character(tr_stage *stage, tr_entity_id entity,
                                 const tr_controller *controller) {
    tr_world *world = tr_stage_world(stage);
    const tr_model *model = tr_world_character_model(world, entity);
    tr_state broken;
    tr_status status = tr_world_get_state(world, entity, &broken);
    if (status)
        return status;
    tr_state stood = standing(model, controller);
    double heading_rad = tr_quat_heading(broken.pose.root_rot);
    tr_state placed = tr_state_place(&stood, heading_rad, place_of(broken.pose.root_pos));
    status = tr_world_set_state(world, entity, &placed);
    if (!status)
        status = tr_world_set_targets(world, entity, placed.pose.joint);
    if (!status)
        status = tr_stage_put_rig(stage, entity, controller);
    return !status ? tr_stage_set_controller(stage, entity, controller) : status;
}

static tr_status reset_object(tr_world *world, tr_entity_id entity) {
    tr_object_state state;
    tr_status status = tr_world_get_object(world, entity, &state);
    if (status)
        return status;
    state.vel = state.omega = (tr_vec3){0, 0, 0};
    return tr_world_set_object(world, entity, &state);
}

static tr_status reset(tr_stage *stage, const tr_drivers *drivers, tr_entity_id entity) {
    tr_world *world = tr_stage_world(stage);
    return tr_world_character_model(world, entity)
               ? reset_character(stage, entity, driver_of(drivers, entity))
               : reset_object(world, entity);
}

/* An object of a rig takes its character with it. */
static tr_status discard(tr_stage *stage, tr_entity_id entity) {
    tr_entity_id owner = tr_stage_rig_owner(stage, entity);
    if (owner != 0)
        return tr_stage_despawn(stage, owner);
    tr_status status = tr_stage_despawn(stage, entity);
    return status == TR_NOT_FOUND ? tr_world_remove_object(tr_stage_world(stage), entity) : status;
}

const char *tr_handle_fault(tr_stage *stage, tr_fault_rule rule, const tr_drivers *drivers,
                            tr_entity_id entity) {
    if (rule == TR_FAULT_RESET && !reset(stage, drivers, entity))
        return "reset";
    if (rule == TR_FAULT_REMOVE && !discard(stage, entity))
        return "removed";
    return "frozen";
}
