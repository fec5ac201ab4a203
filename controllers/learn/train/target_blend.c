#include "learn/train/target_blend.h"

#include "control/fragments/features.h"

/* Finds the fragment before fragment k. false: there is none. */
static bool find_before(const tr_bank *bank, int k, int *out_before, bool *out_mirrored) {
    *out_before = k > 0 ? k - 1 : bank->fragment_count - 1;
    *out_mirrored = k == 0 && bank->mirrored;
    return k > 0 || bank->cyclic;
}

/* Writes the turns of a fragment's action at its reference start, by body. */
static void turns_at_start(const tr_model *model, const tr_bank *bank, int k, tr_quat *out) {
    const tr_fragment *fragment = &bank->fragment[k];
    double action[TR_ACTION_MAX];
    tr_features features = tr_features_at(model, &fragment->start);
    tr_policy_evaluate(&fragment->policy, bank->action.size, &features, action);
    for (int b = 0; b < model->body_count; b++)
        out[b] = tr_quat_identity();
    tr_action_apply(model, &bank->action, action, out);
}

static void target_with_action(const tr_model *model, const tr_bank *bank, int k, int step,
                               tr_quat *out) {
    const tr_quat *target = bank->fragment[k].target + (size_t)step * (size_t)model->body_count;
    tr_quat turn[TR_BODY_MAX];
    turns_at_start(model, bank, k, turn);
    for (int b = 0; b < model->body_count; b++)
        out[b] = tr_quat_mul(turn[b], target[b]);
}

/* Writes the turns from the first target of fragment k to the last of the one before, as rotation
 * vectors by body. false: no fragment comes before. */
static bool find_turn(const tr_model *model, const tr_bank *bank, int k, tr_vec3 *out) {
    tr_quat last[TR_BODY_MAX], first[TR_BODY_MAX];
    int before;
    bool mirrored;
    if (!find_before(bank, k, &before, &mirrored))
        return false;
    target_with_action(model, bank, before, bank->fragment[before].steps - 1, last);
    target_with_action(model, bank, k, 0, first);
    for (int b = 0; b < model->body_count; b++) {
        const tr_body *body = &model->body[b];
        tr_quat end = mirrored ? tr_body_mirror_joint(body, last[body->mirror]) : last[b];
        out[b] = tr_quat_log(tr_quat_mul(end, tr_quat_conj(first[b])));
    }
    return true;
}

/* Turns the first targets of fragment k towards those of the one before. The action turns the
 * targets that are turned here: target' = a^-1 o^w a target. */
static void blend_in(const tr_model *model, tr_bank *bank, int k, const tr_vec3 *turn, int steps) {
    tr_quat act[TR_BODY_MAX];
    turns_at_start(model, bank, k, act);
    for (int j = 0; j < steps && bank->fragment[k].steps > steps; j++) {
        tr_quat *target = bank->fragment[k].target + (size_t)j * (size_t)model->body_count;
        double weight = 1 - (j + 1.0) / (steps + 1.0);
        for (int b = 1; b < model->body_count; b++) {
            tr_quat part = tr_quat_exp(tr_vec3_scale(turn[b], weight));
            tr_quat now = tr_quat_mul(part, tr_quat_mul(act[b], target[b]));
            target[b] = tr_quat_normalize(tr_quat_mul(tr_quat_conj(act[b]), now));
        }
    }
}

/* Blends every fragment. One that is blended keeps its last targets, so that their order does not
 * matter. */
void tr_target_blend(const tr_model *model, tr_bank *bank, int steps) {
    tr_vec3 turn[TR_BODY_MAX];
    for (int k = 0; k < bank->fragment_count; k++)
        if (find_turn(model, bank, k, turn))
            blend_in(model, bank, k, turn, steps);
}
