#include "control/parts/playback.h"

#include "control/parts/above_ground.h"
#include "math/elementary.h"

#include <math.h>
#include <string.h>

/* Largest component of an action offset, rad. */
static const double OFFSET_MAX_RAD = 10;

bool tr_playback_fits(const tr_playback *playback, const tr_bank *bank) {
    return playback->fragment < bank->fragment_count &&
           playback->step < bank->fragment[playback->fragment].steps &&
           (bank->mirrored || !playback->mirrored);
}

/* Evaluates the policy, a = M s + a_hat (Liu 2015 guided, eq. 2); in a mirrored half on the mirror
 * image. */
static void decide(const tr_playback *playback, const tr_bank *bank, const tr_sight *sight,
                   double *out_action) {
    const tr_policy *policy = &bank->fragment[playback->fragment].policy;
    const tr_action_map *map = &bank->action;
    tr_features features = tr_features_above_ground(sight);
    if (playback->mirrored) {
        double mirrored[TR_ACTION_MAX];
        features = tr_features_mirror(&features);
        tr_policy_evaluate(policy, map->size, &features, mirrored);
        tr_action_mirror(sight->model, map, mirrored, out_action);
    } else {
        tr_policy_evaluate(policy, map->size, &features, out_action);
    }
}

tr_status tr_playback_begin(tr_playback *playback, const tr_bank *bank, const tr_sight *sight,
                            const tr_playback_guide *guide) {
    const tr_action_map *map = &bank->action;
    double action[TR_ACTION_MAX];
    decide(playback, bank, sight, action);
    for (int i = 0; i < map->size; i++)
        action[i] += guide->offset[i];
    double span_s = bank->fragment[playback->fragment].steps * sight->step_s;
    /* In the mirrored half a skill that goes to the left goes to the right. */
    tr_way way = playback->mirrored ? (4 - guide->way) % 4 : guide->way;
    tr_bearing bearing =
        tr_bearing_for(way, tr_steering_bearing(guide->target, sight->world, sight->state));
    tr_steering_follow(&playback->input, guide->steering, guide->target, bearing, span_s);
    tr_steering_add(sight->model, map, guide->steering, playback->input, playback->mirrored,
                    action);
    if (!tr_all_finite(action, map->size))
        return TR_DATA_LOSS;
    memcpy(playback->action, action, (size_t)map->size * sizeof *action);
    return TR_OK;
}

void tr_playback_step(tr_playback *playback, const tr_bank *bank, const tr_sight *sight,
                      tr_drive *out) {
    const tr_model *model = sight->model;
    const tr_fragment *fragment = &bank->fragment[playback->fragment];
    const tr_quat *source = fragment->target + (size_t)playback->step * (size_t)model->body_count;
    for (int b = 0; b < model->body_count; b++) {
        if (playback->mirrored)
            out->target[model->body[b].mirror] = tr_body_mirror_joint(&model->body[b], source[b]);
        else
            out->target[b] = source[b];
    }
    tr_action_apply(model, &bank->action, playback->action, out->target);
    out->mode = TR_DRIVE_TARGETS;
    out->entry = playback->fragment;
    out->mirrored = playback->mirrored;
    out->completes = ++playback->step == fragment->steps;
    if (!out->completes)
        return;
    playback->step = 0;
    playback->done++;
}

void tr_playback_blend(const tr_sight *sight, int step, int steps, tr_quat *target) {
    const tr_quat *last = tr_world_targets(sight->world, sight->character);
    if (step >= steps || !last)
        return;
    double share = (double)(steps - step) / (steps - step + 1);
    for (int b = 1; b < sight->model->body_count; b++)
        target[b] = tr_quat_slerp(target[b], last[b], share);
}

void tr_playback_look(const tr_playback *playback, const tr_bank *bank, tr_doing *out) {
    double square = 0;
    for (int i = 0; i < bank->action.size; i++)
        square += playback->action[i] * playback->action[i];
    *out = (tr_doing){.entry = playback->fragment,
                      .phase = (double)playback->step / bank->fragment[playback->fragment].steps,
                      .mirrored = playback->mirrored,
                      .between = playback->step == 0,
                      .entries_done = playback->done,
                      .feedback_rad = sqrt(square),
                      .text = ""};
}

void tr_playback_entry(const tr_bank *bank, int fragment, const char *gain_set,
                       tr_driver_entry *out) {
    const tr_fragment *from = &bank->fragment[fragment];
    *out = (tr_driver_entry){
        .gain_set = gain_set, .start = &from->start, .end = &from->end, .steps = from->steps};
}

tr_driver_parameter tr_playback_parameter(const tr_bank *bank) {
    return (tr_driver_parameter){.name = TR_ACTION_OFFSET,
                                 .unit = "rad",
                                 .meaning = "added to every action of the feedback policies",
                                 .low = -OFFSET_MAX_RAD,
                                 .high = OFFSET_MAX_RAD,
                                 .count = bank->action.size};
}
