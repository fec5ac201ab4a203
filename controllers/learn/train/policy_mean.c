#include "learn/train/policy_mean.h"

#include <string.h>

void tr_policy_mean_join(tr_policy *mean, const tr_policy *policy, int number) {
    for (int i = 0; i < TR_ACTION_MAX; i++) {
        for (int j = 0; j < TR_FEATURE_COUNT; j++)
            mean->m[i][j] += (policy->m[i][j] - mean->m[i][j]) / number;
        for (int j = 0; j < TR_GROUND_COUNT; j++)
            mean->ground[i][j] += (policy->ground[i][j] - mean->ground[i][j]) / number;
        mean->offset[i] += (policy->offset[i] - mean->offset[i]) / number;
    }
}

tr_policy tr_policy_mean_of(const tr_policy *mean, const tr_policy *policy) {
    tr_policy out = *policy;
    memcpy(out.m, mean->m, sizeof out.m);
    memcpy(out.ground, mean->ground, sizeof out.ground);
    memcpy(out.offset, mean->offset, sizeof out.offset);
    return out;
}
