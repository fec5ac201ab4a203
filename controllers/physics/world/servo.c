/* The servos of a character as its callers see them: targets, gains, feed-forward torques. */
#include "physics/world/entity.h"
#include "physics/world/intake.h"
#include "physics/world/world.h"

#include <string.h>

static const double GAIN_MAX = 1e6, TORQUE_MAX = 1e6;

tr_status tr_world_set_targets(tr_world *world, tr_entity_id id, const tr_quat *target) {
    tr_character *c = tr_scene_character(world, id);
    if (!c)
        return TR_NOT_FOUND;
    return tr_intake_targets(c->model, target, c->target) ? TR_OK : TR_INVALID_ARGUMENT;
}

const tr_quat *tr_world_targets(const tr_world *world, tr_entity_id id) {
    const tr_character *c = tr_scene_character(world, id);
    return c ? c->target : NULL;
}

void tr_servo_use_set(const tr_world *world, tr_character *c, int gain_set) {
    const tr_gain_set *set = gain_set >= 0 ? &c->model->gain_set[gain_set] : NULL;
    c->servo = gain_set;
    for (int i = 1; i < c->model->body_count; i++) {
        c->kp[i] = set ? set->kp[i] : 0;
        c->kd[i] = set ? set->kd[i] : world->def.ragdoll_damping;
    }
}

tr_status tr_world_set_servo(tr_world *world, tr_entity_id id, int gain_set) {
    tr_character *c = tr_scene_character(world, id);
    if (!c)
        return TR_NOT_FOUND;
    if (gain_set < TR_SERVO_RAGDOLL || gain_set >= c->model->gain_set_count)
        return TR_INVALID_ARGUMENT;
    tr_servo_use_set(world, c, gain_set);
    return TR_OK;
}

static bool usable_gain(double gain) {
    return gain >= 0 && gain <= GAIN_MAX;
}

tr_status tr_world_set_gains(tr_world *world, tr_entity_id id, const double *kp, const double *kd) {
    tr_character *c = tr_scene_character(world, id);
    if (!c)
        return TR_NOT_FOUND;
    for (int i = 1; i < c->model->body_count; i++)
        if (!usable_gain(kp[i]) || !usable_gain(kd[i]))
            return TR_INVALID_ARGUMENT;
    size_t joints = (size_t)c->model->body_count - 1;
    memcpy(c->kp + 1, kp + 1, joints * sizeof *kp);
    memcpy(c->kd + 1, kd + 1, joints * sizeof *kd);
    c->servo = TR_SERVO_VALUES;
    return TR_OK;
}

tr_status tr_world_set_feedforward(tr_world *world, tr_entity_id id, const tr_vec3 *torque,
                                   int steps) {
    tr_character *c = tr_scene_character(world, id);
    if (!c)
        return TR_NOT_FOUND;
    if (steps < 0)
        return TR_INVALID_ARGUMENT;
    for (int i = 1; steps > 0 && i < c->model->body_count; i++)
        if (!(tr_vec3_length(torque[i]) <= TORQUE_MAX))
            return TR_INVALID_ARGUMENT;
    for (int i = 1; steps > 0 && i < c->model->body_count; i++)
        c->feedforward[i] = tr_intake_joint_vector(&c->model->body[i], torque[i]);
    c->feedforward_steps = steps;
    return TR_OK;
}

const tr_vec3 *tr_world_servo_torques(const tr_world *world, tr_entity_id id) {
    const tr_character *c = tr_scene_character(world, id);
    return c ? c->torque : NULL;
}
