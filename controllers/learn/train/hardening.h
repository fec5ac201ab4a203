/* A hardening in progress: what its scenes, courses and shifts share. It is the same for all trials
 * of an update.
 *
 * Internal to hardening (harden.h). */
#pragma once

#include "learn/train/harden.h"

#include <stddef.h>

typedef struct tr_hardening {
    const tr_harden_def *def;
    tr_ensemble *ensemble;
    tr_controller *controller;
    tr_bank *bank;           /* the controller's */
    tr_cost_view *reference; /* [fragment_count] */
    tr_features *origin;     /* [fragment_count], s_k */
    tr_state *passed;        /* [fragment_count], on steps: where each fragment begins */
    int passed_count;        /* of them known */
    int update;              /* in progress, from 0 */
} tr_hardening;

/* Purposes of random streams. */
enum { TR_HARDEN_FOR_TRIAL = 1, TR_HARDEN_FOR_SHIFT, TR_HARDEN_FOR_GROUND, TR_HARDEN_FOR_WORLD };

/* Opens what is shared, from def, ensemble, controller and bank, which are set: looks at the
 * fragments, and lets the policies see the ground that is trained on. Close it whatever the
 * status. */
tr_status tr_hardening_open(tr_hardening *h) TR_NODISCARD;
void tr_hardening_close(tr_hardening *h);

int64_t tr_hardening_steps(const tr_hardening *h, double seconds);

/* Is it a chain, whose bank is not cyclic? */
bool tr_hardening_is_chain(const tr_hardening *h);

/* Returns the number of a trial among those of all updates. */
uint64_t tr_hardening_trial(const tr_hardening *h, int item);
