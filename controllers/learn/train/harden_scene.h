/* The scene of a trial of hardening: where the trial begins, just before the push.
 *
 * The unshifted controller starts disturbed, settles, and reaches a random phase of its cycle, or
 * the transition that is hardened. Every fourth trial is without a push; of a chain every second
 * one, watched from its start on. On other ground no trial is pushed.
 *
 * If the motion is lost on the way there, the scene is the reference start of that phase's
 * fragment, disturbed and unpushed; on steps it is the place where the undisturbed controller
 * passed. In a transition such a trial costs 1 with every candidate.
 *
 * Deterministic: a scene depends on the seed, the update, the trial and the draw. Internal to
 * hardening (harden.h). */
#pragma once

#include "learn/rehearsal/trial.h"
#include "learn/rehearsal/trial_world.h"
#include "learn/train/hardening.h"

typedef struct tr_harden_scene {
    tr_trial trial; /* of the unshifted controller; lost: it begins nowhere */
    tr_state state;
    tr_rehearsal_push push;
    bool on_ground; /* on `ground` instead of the plane */
    tr_trial_ground ground;
    tr_status failed; /* of its world; then there is no trial */
} tr_harden_scene;

/* Draws the scene of trial `item`; draw: which of its candidates, from 0. */
void tr_harden_scene_draw(const tr_hardening *h, int item, int draw, tr_rehearsal *rehearsal,
                          tr_harden_scene *out);

/* Is the trial one whose hardest candidate is kept? */
bool tr_harden_scene_is_chosen(const tr_hardening *h, const tr_harden_scene *scene, int item);

/* Lays the ground of a scene in the rehearsal's world; where other ground is trained on, all else
 * that lies there is removed. */
bool tr_harden_scene_lay(const tr_hardening *h, const tr_harden_scene *scene,
                         tr_rehearsal *rehearsal);

/* Finds the rehearsal of a trial in this update: `common`, or one in a separate world, which the
 * caller closes whatever the status. */
tr_status tr_harden_scene_enter(const tr_hardening *h, int item, tr_rehearsal *common,
                                tr_trial_place *own, tr_rehearsal **out) TR_NODISCARD;
