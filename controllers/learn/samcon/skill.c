#include "learn/samcon/skill.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* How a motion's period is divided. */
typedef struct division {
    int fragments; /* of a whole cycle */
    int steps;     /* of one fragment */
    int kept;      /* fragments of the controller: half when mirrored */
} division;

static division divide(const tr_motion *motion, const tr_skill_def *def) {
    double period_s = tr_motion_duration(motion);
    division d = {0};
    d.kept = (int)lround(period_s / TR_SKILL_FRAGMENT_S / (motion->symmetric ? 2 : 1));
    if (d.kept < 1)
        d.kept = 1;
    d.fragments = motion->symmetric ? 2 * d.kept : d.kept;
    /* The period is then stretched to fragments * steps whole steps. */
    d.steps = (int)lround(period_s / d.fragments / def->step_s);
    return d;
}

tr_status tr_skill_check(const tr_model *model, const tr_motion *motion, const char *gain_set,
                         tr_error *error) {
    if (motion->body_count != model->body_count || strcmp(motion->model, model->name) != 0)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%s: made for model '%s', not for '%s'",
                       motion->name, motion->model, model->name);
    if (tr_model_find_gain_set(model, gain_set) < 0)
        return tr_fail(error, TR_NOT_FOUND, "%s: no gain set '%s'", model->name, gain_set);
    return TR_OK;
}

static tr_status check(const tr_model *model, const tr_motion *motion, const tr_skill_def *def,
                       tr_error *error) {
    tr_status status = tr_skill_check(model, motion, def->gain_set, error);
    if (status)
        return status;
    division d = divide(motion, def);
    if (d.steps < 2 || d.steps > TR_FRAGMENT_STEPS_MAX || d.kept > TR_BANK_FRAGMENT_MAX)
        return tr_fail(
            error, TR_INVALID_ARGUMENT,
            "%s: %d fragments of %d steps; expected 2 to %d steps in at most %d fragments",
            motion->name, d.kept, d.steps, TR_FRAGMENT_STEPS_MAX, TR_BANK_FRAGMENT_MAX);
    return TR_OK;
}

static tr_state state_at(const tr_model *model, const tr_motion *motion, double time_s) {
    double h = motion->dt_s;
    tr_pose before = tr_motion_pose(motion, time_s - h), at = tr_motion_pose(motion, time_s);
    tr_pose after = tr_motion_pose(motion, time_s + h);
    return tr_state_from_poses(model, &before, &at, &after, h);
}

void tr_skill_look_ahead(const tr_model *model, const tr_gain_set *gains, const tr_state *state,
                         tr_quat *out_target) {
    out_target[0] = tr_quat_identity();
    for (int i = 1; i < model->body_count; i++) {
        double lead_s = gains->kp[i] > 0 ? gains->kd[i] / gains->kp[i] : 0;
        tr_quat ahead = tr_quat_exp(tr_vec3_scale(state->joint_rate[i], lead_s));
        out_target[i] = tr_quat_mul(ahead, state->pose.joint[i]);
    }
}

static void fill_fragment(const tr_model *model, const tr_motion *motion, int first_step,
                          const tr_gain_set *gains, tr_fragment *fragment) {
    double h = motion->dt_s;
    tr_state start = state_at(model, motion, first_step * h);
    tr_state end = state_at(model, motion, (first_step + fragment->steps) * h);
    fragment->start = tr_skill_relative(&start, &start);
    fragment->end = tr_skill_relative(&end, &start);
    for (int s = 0; s < fragment->steps; s++) {
        tr_state state = state_at(model, motion, (first_step + s + 1) * h);
        tr_skill_look_ahead(model, gains, &state, fragment->target + s * model->body_count);
    }
}

static tr_status describe(const tr_model *model, const tr_motion *motion, const tr_skill_def *def,
                          tr_controller *out, tr_error *error) {
    tr_bank *bank = tr_controller_bank(out);
    snprintf(out->name, sizeof out->name, "%s", def->name);
    snprintf(out->skill, sizeof out->skill, "%.*s", (int)sizeof out->skill - 1, motion->name);
    snprintf(out->model_name, sizeof out->model_name, "%s", model->name);
    snprintf(bank->gain_set, sizeof bank->gain_set, "%s", def->gain_set);
    out->model_hash = model->hash;
    out->step_s = def->step_s;
    bank->cyclic = motion->cyclic;
    bank->mirrored = motion->symmetric;
    return tr_action_map_default(model, def->ankles, &bank->action, error);
}

tr_status tr_skill_create(const tr_model *model, const tr_motion *motion, const tr_skill_def *def,
                          tr_controller **out, tr_error *error) {
    tr_status status = check(model, motion, def, error);
    if (status)
        return status;
    division d = divide(motion, def);
    tr_motion *stretched = NULL;
    tr_controller *controller = NULL;
    /* A cycle ends where it began; a chain has one more frame at its end. */
    int frames = d.fragments * d.steps + !motion->cyclic;
    status = tr_motion_resample(motion, def->step_s, frames, &stretched);
    if (!status)
        status = tr_chain_create(d.kept, d.steps, model->body_count, &controller);
    if (!status)
        status = describe(model, motion, def, controller, error);
    if (status) {
        tr_motion_destroy(stretched);
        tr_controller_destroy(controller);
        return tr_fail_if(error, status, "%s", motion->name);
    }
    const tr_gain_set *gains = &model->gain_set[tr_model_find_gain_set(model, def->gain_set)];
    tr_bank *bank = tr_controller_bank(controller);
    for (int k = 0; k < d.kept; k++)
        fill_fragment(model, stretched, k * d.steps, gains, &bank->fragment[k]);
    controller->spawn = bank->fragment[0].start;
    tr_motion_destroy(stretched);
    *out = controller;
    return TR_OK;
}

tr_state tr_skill_relative(const tr_state *state, const tr_state *origin) {
    double heading = tr_quat_heading(origin->pose.root_rot);
    tr_vec3 shift = tr_vec3_to_heading(origin->pose.root_pos, heading);
    return tr_state_place(state, -heading, (tr_vec3){-shift.x, -shift.y, 0});
}

/* Adds q to a sum of rotations. q and -q are the same rotation: the one nearer to the sum is
 * added. */
static void accumulate(tr_quat *sum, tr_quat q) {
    double sign = tr_quat_dot(*sum, q) < 0 ? -1 : 1;
    sum->w += sign * q.w;
    sum->x += sign * q.x;
    sum->y += sign * q.y;
    sum->z += sign * q.z;
}

tr_state tr_skill_average(const tr_model *model, const tr_state *states, int count) {
    tr_state mean = states[0];
    for (int k = 1; k < count; k++) {
        const tr_state *s = &states[k];
        mean.pose.root_pos = tr_vec3_add(mean.pose.root_pos, s->pose.root_pos);
        mean.root_vel = tr_vec3_add(mean.root_vel, s->root_vel);
        mean.root_omega = tr_vec3_add(mean.root_omega, s->root_omega);
        accumulate(&mean.pose.root_rot, s->pose.root_rot);
        for (int i = 1; i < model->body_count; i++) {
            accumulate(&mean.pose.joint[i], s->pose.joint[i]);
            mean.joint_rate[i] = tr_vec3_add(mean.joint_rate[i], s->joint_rate[i]);
        }
    }
    /* A sum of near rotations on one side of the sphere points to their mean. */
    mean.pose.root_pos = tr_vec3_scale(mean.pose.root_pos, 1.0 / count);
    mean.root_vel = tr_vec3_scale(mean.root_vel, 1.0 / count);
    mean.root_omega = tr_vec3_scale(mean.root_omega, 1.0 / count);
    mean.pose.root_rot = tr_quat_normalize(mean.pose.root_rot);
    for (int i = 1; i < model->body_count; i++) {
        mean.pose.joint[i] = tr_quat_normalize(mean.pose.joint[i]);
        mean.joint_rate[i] = tr_vec3_scale(mean.joint_rate[i], 1.0 / count);
    }
    return mean;
}
