/* The driver kind "policy": how it decides, and its row. */
#include "control/policy/agent.h"

#include "control/parts/above_ground.h"
#include "control/policy/agent_content.h"
#include "math/elementary.h"

#include <math.h>
#include <string.h>

/* The fastest that a steering target may ask for. */
#define SPEED_MAX_MPS 20.0

static const tr_state_field fields[] = {
    TR_STATE_INT_FIELD(tr_agent_state, entry, 0, TR_DRIVER_ENTRY_MAX - 1),
    TR_STATE_INT_FIELD(tr_agent_state, step, 0, TR_AGENT_PERIOD_MAX - 1),
    TR_STATE_INT64_FIELD(tr_agent_state, done, 0, TR_STATE_STEPS),
};

/* --- what it can do --- */

static void outline(const void *content, double step_s, tr_driver_outline *out) {
    const tr_agent *agent = content;
    double duration_s = agent->entry_count * agent->period_steps * step_s;
    *out = (tr_driver_outline){.entry_count = agent->entry_count,
                               .first_count = agent->entry_count,
                               .cyclic = true,
                               .duration_s = duration_s,
                               .cycle_s = duration_s,
                               .gain_set = agent->gain_set};
}

static void entry(const void *content, int index, tr_driver_entry *out) {
    const tr_agent *agent = content;
    *out = (tr_driver_entry){
        .gain_set = agent->gain_set, .start = &agent->start[index], .steps = agent->period_steps};
}

static int parameters(const void *content, tr_driver_parameter *out) {
    const tr_agent *agent = content;
    out[0] = (tr_driver_parameter){.name = "action",
                                   .unit = "",
                                   .meaning = "added to what the network decides",
                                   .low = -agent->action_limit,
                                   .high = agent->action_limit,
                                   .initial = 0,
                                   .count = agent->action_size};
    return 1;
}

/* A policy that sees the target takes any heading and speed: how it goes there is its training's. */
static void reach(const void *content, tr_driver_reach *out) {
    const tr_agent *agent = content;
    if (tr_observation_has(&agent->observation, TR_SEES_TARGET))
        *out = (tr_driver_reach){.heading = true, .fastest_mps = SPEED_MAX_MPS};
}

/* --- state --- */

static bool fits(const void *content, const void *state) {
    const tr_agent *agent = content;
    const tr_agent_state *s = state;
    return s->entry < agent->entry_count && s->step < agent->period_steps;
}

static void enter(const void *content, void *state, int entry_index, bool mirrored) {
    (void)content, (void)mirrored;
    *(tr_agent_state *)state = (tr_agent_state){.entry = entry_index};
}

static void nearest(const void *content, const tr_model *model, const tr_state *state,
                    int *out_entry, bool *out_mirrored) {
    const tr_agent *agent = content;
    double best = INFINITY;
    *out_entry = 0;
    *out_mirrored = false;
    for (int e = 0; e < agent->entry_count; e++) {
        double distance = 0;
        /* Distance is the sum of the angles between joints: the network holds the root by
         * itself. */
        for (int b = 1; b < model->body_count; b++)
            distance += tr_quat_angle(agent->start[e].pose.joint[b], state->pose.joint[b]);
        if (distance < best) {
            best = distance;
            *out_entry = e;
        }
    }
}

static void look(const void *content, const void *state, tr_doing *out) {
    const tr_agent *agent = content;
    const tr_agent_state *s = state;
    *out = (tr_doing){.entry = s->entry,
                      .phase = (double)s->step / agent->period_steps,
                      .between = s->step == 0,
                      .entries_done = s->done,
                      .text = ""};
}

/* --- deciding --- */

/* Which bodies touch something else than the character; of a reflected policy, by their mirror images. */
static void find_contacts(const tr_agent *agent, const tr_sight *sight, bool *out_touching) {
    for (int i = 0; i < sight->contact_count; i++) {
        const tr_contact *contact = &sight->contact[i];
        for (int side = 0; side < 2; side++) {
            if (contact->entity[side] != sight->character ||
                contact->entity[1 - side] == sight->character)
                continue;
            const int body = contact->body[side];
            out_touching[agent->reflected ? sight->model->body[body].mirror : body] = true;
        }
    }
}

/* The ground ahead; of a reflected policy with right and left exchanged. */
static void find_ground(const tr_agent *agent, const tr_sight *sight, double out[TR_GROUND_AHEAD]) {
    tr_world_ground_ahead(sight->world, sight->character, out);
    for (int row = 0; agent->reflected && row < TR_GROUND_AHEAD; row += 3) {
        const double right = out[row];
        out[row] = out[row + 2];
        out[row + 2] = right;
    }
}

static void observe(const tr_agent *agent, int entry_index, const tr_sight *sight, float *out) {
    tr_state seen = tr_state_above_ground(sight->state, &sight->ground);
    tr_steering_target target = *sight->target;
    bool touching[TR_BODY_MAX] = {false};
    double ground[TR_GROUND_AHEAD];
    const tr_observed from = {.state = &seen,
                              .touching = touching,
                              .target = &target,
                              .ground = ground,
                              .phase = (double)entry_index / agent->entry_count,
                              .body_count = agent->body_count};
    /* A reflected policy sees the mirror image, and its targets are mirrored back. */
    if (agent->reflected) {
        seen = tr_state_mirror(sight->model, &seen);
        target.heading_rad = -target.heading_rad;
    }
    find_contacts(agent, sight, touching);
    if (tr_observation_has(&agent->observation, TR_SEES_GROUND))
        find_ground(agent, sight, ground);
    tr_observe(&agent->observation, &from, out);
}

static tr_status decide(const tr_agent *agent, int entry_index, const tr_sight *sight,
                        double *out_action) {
    float observed[TR_OBSERVATION_MAX];
    double input[TR_OBSERVATION_MAX];
    observe(agent, entry_index, sight, observed);
    /* The network reads numbers less their mean, in units of their spread, as in its training. */
    for (int i = 0; i < agent->network.width[0]; i++)
        input[i] = tr_within(((double)observed[i] - agent->mean[i]) / agent->spread[i],
                             agent->input_limit);
    tr_perceptron_forward(&agent->network, input, out_action);
    /* An action that is not finite is a fault of the network; others are bounded. */
    for (int i = 0; i < agent->action_size; i++) {
        if (!isfinite(out_action[i]))
            return TR_DATA_LOSS;
        out_action[i] = tr_within(out_action[i] + sight->parameter[i], agent->action_limit);
    }
    return TR_OK;
}

/* Turns the joints of a pose by an action. */
static void apply(const tr_agent *agent, const tr_model *model, const double *action,
                  tr_pose *pose) {
    for (int j = 0, i = 0; j < agent->joint_count; j++) {
        const tr_body *body = &model->body[agent->joint[j]];
        tr_quat *joint = &pose->joint[agent->joint[j]], turn;
        /* A joint of one axis takes one number of the action, a ball joint three. */
        if (tr_body_has_axis(body)) {
            turn = tr_quat_from_axis_angle(body->axis, agent->scale[i] * action[i]);
            i++;
        } else {
            turn = tr_quat_exp((tr_vec3){agent->scale[i] * action[i],
                                         agent->scale[i + 1] * action[i + 1],
                                         agent->scale[i + 2] * action[i + 2]});
            i += 3;
        }
        *joint = tr_quat_mul(turn, *joint);
    }
}

static tr_status set_targets(const tr_agent *agent, int entry_index, const tr_sight *sight,
                             tr_drive *out) {
    double action[TR_AGENT_ACTION_MAX];
    tr_status status = decide(agent, entry_index, sight, action);
    if (status)
        return status;
    /* Actions turn joints out of the pose in which the entry begins. */
    tr_pose pose = agent->start[entry_index].pose;
    if (agent->reflected)
        pose = tr_pose_mirror(sight->model, &pose);
    apply(agent, sight->model, action, &pose);
    if (agent->reflected)
        pose = tr_pose_mirror(sight->model, &pose);
    out->mode = TR_DRIVE_TARGETS;
    out->gain_set = tr_model_find_gain_set(sight->model, agent->gain_set);
    memcpy(out->target, pose.joint, sizeof out->target);
    return TR_OK;
}

static tr_status drive(const void *content, void *state, const tr_sight *sight, tr_drive *out) {
    const tr_agent *agent = content;
    tr_agent_state *s = state;
    tr_status status = s->step == 0 ? set_targets(agent, s->entry, sight, out) : TR_OK;
    if (status)
        return status;
    /* A period is over: the next entry of the cycle decides. */
    out->entry = s->entry;
    out->completes = ++s->step == agent->period_steps;
    if (out->completes) {
        s->step = 0;
        s->entry = (s->entry + 1) % agent->entry_count;
        s->done++;
    }
    return TR_OK;
}

const tr_driver_kind tr_agent_kind = {.name = "policy",
                                      .check = tr_agent_check,
                                      .hash = tr_agent_hash,
                                      .mirror = tr_agent_mirror,
                                      .destroy = tr_agent_destroy,
                                      .save = tr_agent_save,
                                      .load = tr_agent_load,
                                      .outline = outline,
                                      .entry = entry,
                                      .parameters = parameters,
                                      .state_size = sizeof(tr_agent_state),
                                      .field = fields,
                                      .field_count = sizeof fields / sizeof *fields,
                                      .fits = fits,
                                      .enter = enter,
                                      .nearest = nearest,
                                      .look = look,
                                      .reach = reach,
                                      .drive = drive};
