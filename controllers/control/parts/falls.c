#include "control/parts/falls.h"

static bool is_core(const tr_model *model, int body) {
    return body == 0 || body == model->trunk || body == model->head;
}

bool tr_falls_is_ground(const tr_world *world, tr_entity_id id) {
    return id == 0 || (tr_world_object_def(world, id) && tr_world_is_kinematic(world, id));
}

static bool core_touches_ground(const tr_world *world, const tr_model *model, tr_entity_id id) {
    int count = 0;
    const tr_contact *contact = tr_world_contacts(world, &count);
    for (int i = 0; i < count; i++)
        for (int side = 0; side < 2; side++)
            if (contact[i].entity[side] == id && is_core(model, contact[i].body[side]) &&
                tr_falls_is_ground(world, contact[i].entity[1 - side]))
                return true;
    return false;
}

double tr_falls_uprightness(const tr_world *world, tr_entity_id id) {
    const tr_model *model = tr_world_character_model(world, id);
    int trunk = model->trunk < 0 ? 0 : model->trunk;
    tr_quat rest = tr_quat_identity();
    for (int b = trunk; b >= 0; b = model->body[b].parent)
        rest = tr_quat_mul(model->body[b].rot, rest);
    tr_vec3 up = tr_quat_rotate_inverse(rest, (tr_vec3){0, 0, 1});
    return tr_quat_rotate(tr_world_body_rotation(world, id, trunk), up).z;
}

/* Returns the height of the root above the local ground, as a share of that at rest. */
static double root_height_ratio(const tr_world *world, tr_entity_id id, const tr_model *model) {
    const tr_body_state *bodies = tr_world_bodies(world, id);
    double height =
        tr_body_origin(model, 0, &bodies[0]).z - tr_world_local_ground(world, id).height;
    return height / tr_pose_rest(model).root_pos.z;
}

bool tr_falls_is_down(const tr_world *world, tr_entity_id id, bool was_down) {
    const tr_model *model = tr_world_character_model(world, id);
    if (!model)
        return false;
    if (core_touches_ground(world, model, id))
        return true;
    /* To count as up again takes more than to stay up, so that the answer does not flicker. */
    if (was_down)
        return !(tr_falls_uprightness(world, id) > 0.7 &&
                 root_height_ratio(world, id, model) > 0.7);
    /* The lean first: for an upright character neither bodies nor rest height need be computed. */
    return tr_falls_uprightness(world, id) < 0.5 && root_height_ratio(world, id, model) < 0.45;
}
