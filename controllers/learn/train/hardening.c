#include "learn/train/hardening.h"

#include "learn/rehearsal/trial.h"
#include "learn/train/ground_answer.h"

#include <math.h>
#include <stdlib.h>

int64_t tr_hardening_steps(const tr_hardening *h, double seconds) {
    return (int64_t)llround(seconds / h->controller->step_s);
}

bool tr_hardening_is_chain(const tr_hardening *h) {
    return !h->bank->cyclic;
}

uint64_t tr_hardening_trial(const tr_hardening *h, int item) {
    return (uint64_t)h->update * TR_HARDEN_TRIAL_MAX + (uint64_t)item;
}

/* Records, on steps, the way of the present controller, undisturbed, as far as it holds its
 * motion. */
static void look_at_way(tr_hardening *h) {
    tr_rehearsal *rehearsal = &h->ensemble->rehearsal[0];
    tr_trial trial;
    if (tr_trial_begin(&trial, h->controller, rehearsal, &h->controller->spawn))
        return;
    while (
        !trial.lost && h->passed_count < h->bank->fragment_count &&
        !tr_world_get_state(rehearsal->world, rehearsal->character, &h->passed[h->passed_count])) {
        h->passed_count++;
        tr_trial_finish_entry(&trial, rehearsal);
    }
}

static void see_ground(tr_hardening *h) {
    for (int k = 0; k < h->bank->fragment_count; k++) {
        tr_fragment *fragment = &h->bank->fragment[k];
        /* A policy that saw this ground before keeps what it learned. */
        int seen = tr_policy_ground_count(&fragment->policy);
        if (seen < TR_GROUND_SLOPES && tr_harden_ground_teaches(&h->def->ground, 0))
            tr_ground_answer_level(&fragment->policy, &h->origin[k]);
        if (seen < TR_GROUND_COUNT && tr_harden_ground_teaches(&h->def->ground, TR_GROUND_SLOPES))
            tr_ground_answer_lift(h->ensemble->model, &h->bank->action, fragment);
    }
}

tr_status tr_hardening_open(tr_hardening *h) {
    size_t fragments = (size_t)h->bank->fragment_count;
    h->reference = calloc(fragments, sizeof *h->reference);
    h->origin = calloc(fragments, sizeof *h->origin);
    h->passed = calloc(fragments, sizeof *h->passed);
    if (!h->reference || !h->origin || !h->passed)
        return TR_RESOURCE_EXHAUSTED;
    tr_cost_references(h->ensemble->model, h->bank, h->reference);
    for (int k = 0; k < h->bank->fragment_count; k++)
        h->origin[k] = tr_features_at(h->ensemble->model, &h->bank->fragment[k].start);
    if (h->def->on_steps)
        look_at_way(h);
    if (h->def->ground.share > 0)
        see_ground(h);
    return TR_OK;
}

/* Removes the ground of trials from the rehearsals' worlds. */
void tr_hardening_close(tr_hardening *h) {
    for (int i = 0; i < h->ensemble->worlds && h->def->ground.share > 0; i++)
        tr_trial_ground_lift(h->ensemble->rehearsal[i].world);
    free(h->passed);
    free(h->origin);
    free(h->reference);
}
