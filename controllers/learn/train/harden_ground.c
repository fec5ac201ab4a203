#include "learn/train/harden_ground.h"

#include "control/fragments/fragment.h"

#include <math.h>

bool tr_harden_ground_is_sound(const tr_harden_ground *g) {
    return g->share >= 0 && g->share <= 1 && g->slope_deg >= 0 && g->slope_deg <= 30 &&
           g->kerb_m >= 0 && g->kerb_m <= 1 && g->uneven_m >= 0 && g->uneven_m <= 1 &&
           (g->share == 0 || g->slope_deg + g->kerb_m + g->uneven_m > 0);
}

int tr_harden_grounds(const tr_harden_ground *ground, tr_trial_ground out[TR_HARDEN_GROUND_MAX]) {
    const struct {
        tr_trial_ground_kind kind;
        double amount;
    } kinds[TR_HARDEN_GROUND_MAX] = {
        {TR_TRIAL_GROUND_UP, ground->slope_deg},     {TR_TRIAL_GROUND_DOWN, ground->slope_deg},
        {TR_TRIAL_GROUND_ACROSS, ground->slope_deg}, {TR_TRIAL_GROUND_ACROSS, -ground->slope_deg},
        {TR_TRIAL_GROUND_KERB_UP, ground->kerb_m},   {TR_TRIAL_GROUND_KERB_DOWN, ground->kerb_m},
        {TR_TRIAL_GROUND_UNEVEN, ground->uneven_m},
    };
    int count = 0;
    for (int i = 0; i < TR_HARDEN_GROUND_MAX; i++)
        if (kinds[i].amount != 0)
            out[count++] = (tr_trial_ground){.kind = kinds[i].kind, .amount = kinds[i].amount};
    return count;
}

tr_trial_ground tr_harden_ground_draw(const tr_harden_ground *ground, tr_random *random) {
    tr_trial_ground grounds[TR_HARDEN_GROUND_MAX];
    int kinds = tr_harden_grounds(ground, grounds);
    tr_trial_ground drawn = grounds[(int)(tr_random_uniform(random) * kinds)];
    drawn.amount *= 0.5 + 0.5 * tr_random_uniform(random);
    return drawn;
}

bool tr_harden_ground_takes(const tr_harden_ground *ground, int item) {
    return floor((item + 1) * ground->share) > floor(item * ground->share);
}

bool tr_harden_ground_teaches(const tr_harden_ground *ground, int component) {
    return component < TR_GROUND_SLOPES ? ground->slope_deg > 0
                                        : ground->kerb_m + ground->uneven_m > 0;
}
