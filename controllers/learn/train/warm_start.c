#include "learn/train/warm_start.h"

#include "model/model_build.h"

#include <math.h>
#include <string.h>

static bool same_joint(const tr_body *a, const tr_body *b) {
    return strcmp(a->name, b->name) == 0 && a->parent == b->parent && a->joint == b->joint &&
           a->mirror == b->mirror && tr_vec3_distance(a->axis, b->axis) < 1e-9;
}

static bool same_marks(const tr_model *a, const tr_model *b) {
    bool same = a->head == b->head && a->trunk == b->trunk &&
                a->end_effector_count == b->end_effector_count;
    for (int side = 0; side < 2; side++)
        same = same && a->foot[side] == b->foot[side] && a->toe[side] == b->toe[side] &&
               a->hand[side] == b->hand[side];
    for (int e = 0; same && e < a->end_effector_count; e++)
        same = a->end_effector[e] == b->end_effector[e];
    return same;
}

bool tr_warm_start_fits(const tr_model *from, const tr_model *to) {
    bool same = from->body_count == to->body_count && same_marks(from, to);
    for (int i = 0; same && i < to->body_count; i++)
        same = same_joint(&from->body[i], &to->body[i]);
    return same;
}

static uint64_t hash_of_limbs(const tr_model *model) {
    tr_model copy = *model;
    /* The hash of the limbs leaves out what does not change which controllers fit. */
    for (int i = 0; i < copy.body_count; i++) {
        copy.body[i].torque_limit = (double)INFINITY;
        copy.body[i].torque_by_axis = false;
    }
    for (int i = 0; i < copy.geom_count; i++)
        copy.geom[i].softness = 0;
    tr_model_finish(&copy);
    return copy.hash;
}

bool tr_warm_start_same_limbs(const tr_model *a, const tr_model *b) {
    return hash_of_limbs(a) == hash_of_limbs(b);
}

tr_status tr_warm_start(const tr_model *from_model, const tr_bank *from, const tr_model *model,
                        tr_bank *bank) {
    if (!tr_warm_start_fits(from_model, model))
        return TR_INVALID_ARGUMENT;
    for (int k = 0; k < bank->fragment_count; k++) {
        const tr_fragment *old = &from->fragment[k];
        tr_fragment *fragment = &bank->fragment[k];
        size_t targets = (size_t)fragment->steps * (size_t)model->body_count;
        memcpy(fragment->target, old->target, targets * sizeof *fragment->target);
        tr_features before = tr_features_at(from_model, &old->start);
        tr_features now = tr_features_at(model, &fragment->start);
        fragment->policy = old->policy;
        /* pi'(s) = M s + a_hat + M (s_k - s'_k) (warm_start.h). */
        for (int i = 0; i < bank->action.size; i++)
            for (int j = 0; j < TR_FEATURE_COUNT; j++)
                fragment->policy.offset[i] += old->policy.m[i][j] * (before.s[j] - now.s[j]);
    }
    return TR_OK;
}
