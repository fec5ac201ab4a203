#include "learn/train/harden_shift.h"

#include "math/random.h"

#include <math.h>

static void draw_policy(const tr_hardening *h, tr_random *random, double scale,
                        tr_harden_shift *out) {
    double share = h->def->ground.share;
    for (int i = 0; i < h->bank->action.size; i++) {
        for (int j = 0; j < TR_GROUND_COUNT && share > 0; j++)
            if (tr_harden_ground_teaches(&h->def->ground, j))
                out->ground[i][j] = scale / tr_ground_spread[j] * tr_random_normal(random);
        /* With all trials on other ground the answer to it alone is learned. */
        if (share == 1)
            continue;
        for (int j = 0; j < TR_FEATURE_COUNT; j++)
            out->m[i][j] = scale / tr_feature_spread[j] * tr_random_normal(random);
        out->offset[i] = scale * tr_random_normal(random);
    }
}

/* Blends the shifts between own[0] and own[span], which are drawn, so that each varies as much
 * (harden_shift.h). */
static void blend(tr_harden_shift *own, int span) {
    for (int k = 1; k < span; k++) {
        double after = (double)k / span, before = 1 - after, size = hypot(before, after);
        for (int i = 0; i < TR_ACTION_MAX; i++) {
            for (int j = 0; j < TR_FEATURE_COUNT; j++)
                own[k].m[i][j] = (before * own[0].m[i][j] + after * own[span].m[i][j]) / size;
            for (int j = 0; j < TR_GROUND_COUNT; j++)
                own[k].ground[i][j] =
                    (before * own[0].ground[i][j] + after * own[span].ground[i][j]) / size;
            own[k].offset[i] = (before * own[0].offset[i] + after * own[span].offset[i]) / size;
        }
    }
}

/* Draws the individual parts of the shifts of `count` fragments. */
static void draw_own(const tr_hardening *h, tr_random *random, double scale, tr_harden_shift *own,
                     int count) {
    draw_policy(h, random, scale, &own[0]);
    for (int k = 0; k < count - 1;) {
        int span = h->def->spacing < count - 1 - k ? h->def->spacing : count - 1 - k;
        draw_policy(h, random, scale, &own[k + span]);
        blend(&own[k], span);
        k += span;
    }
}

void tr_harden_shift_draw(const tr_hardening *h, int number, tr_harden_shift *out) {
    const tr_graph_transition *transition = h->def->transition;
    int first = transition ? transition->learns : h->def->first;
    int count = transition ? transition->learns_count : h->bank->fragment_count - first;
    /* Half of the variance is common to all fragments, half is each one's own. */
    const double part = h->def->sigma_rad / sqrt(2);
    uint64_t stream = (uint64_t)h->update * TR_HARDEN_DIRECTION_MAX + (uint64_t)number;
    tr_random random = tr_random_split(h->def->seed, TR_HARDEN_FOR_SHIFT, stream);
    tr_harden_shift common = {0}, *own = &out[first];
    draw_policy(h, &random, part, &common);
    draw_own(h, &random, part, own, count);
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < TR_ACTION_MAX; i++) {
            for (int j = 0; j < TR_FEATURE_COUNT; j++)
                own[k].m[i][j] += common.m[i][j];
            for (int j = 0; j < TR_GROUND_COUNT; j++)
                own[k].ground[i][j] += common.ground[i][j];
            own[k].offset[i] += common.offset[i];
        }
    }
}

void tr_harden_shift_apply(const tr_harden_shift *shift, const tr_features *origin, double amount,
                           tr_policy *policy) {
    for (int i = 0; i < TR_ACTION_MAX; i++) {
        double at_origin = 0;
        for (int j = 0; j < TR_FEATURE_COUNT; j++) {
            policy->m[i][j] += amount * shift->m[i][j];
            at_origin += shift->m[i][j] * origin->s[j];
        }
        for (int j = 0; j < TR_GROUND_COUNT; j++)
            policy->ground[i][j] += amount * shift->ground[i][j];
        /* dM turns about s_k: M (s - s_k) leaves the action at the reference start to da. */
        policy->offset[i] += amount * (shift->offset[i] - at_origin);
    }
}
