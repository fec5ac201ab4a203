/* Playback: runs one control fragment of a bank on a character (Liu 2015 guided, section 4).
 *
 * At the start of a fragment its policy reads the state once and decides on an action; steering and
 * the action offset are added; then the servos follow the fragment's targets, turned by that
 * action. Kinds that run fragments hold a playback in their state and choose the next fragment.
 *
 * In a mirrored half cycle the same fragment runs on the mirror image: the features are mirrored,
 * the policy is evaluated, and its action and the targets are mirrored onto the opposite bodies.
 * That equals running the fragment on the mirrored state and mirroring the result back.
 *
 * Plain data; deterministic. */
#pragma once

#include "control/driver/bank.h"

/* The parameter that is added to every policy's action, from the start of the next fragment on. */
#define TR_ACTION_OFFSET "action_offset"

/* fragment: in progress, or next when step is 0
 * step:     of the fragment, next to be simulated
 * done:     fragments completed since it began
 * action:   of the fragment in progress, rad; for the character itself, so that left is left in a
 *           mirrored half too
 * input:    present steering input; its action is part of `action` */
typedef struct tr_playback {
    int fragment, step;
    bool mirrored;
    int64_t done;
    double action[TR_ACTION_MAX];
    tr_steering_input input;
} tr_playback;

/* Fields of a state whose member `playback` is one. */
#define TR_PLAYBACK_FIELDS(structure)                                                              \
    TR_STATE_INT_FIELD(structure, playback.fragment, 0, TR_BANK_FRAGMENT_MAX - 1),                 \
        TR_STATE_INT_FIELD(structure, playback.step, 0, TR_FRAGMENT_STEPS_MAX - 1),                \
        TR_STATE_BOOL_FIELD(structure, playback.mirrored),                                         \
        TR_STATE_INT64_FIELD(structure, playback.done, 0, TR_STATE_STEPS),                         \
        TR_STATE_DOUBLE_FIELD(structure, playback.action, -TR_STATE_ANY, TR_STATE_ANY),            \
        TR_STATE_DOUBLE_FIELD(structure, playback.input.turn, -1, 1),                              \
        TR_STATE_DOUBLE_FIELD(structure, playback.input.pace, -1, 1)

/* Is the playback at a fragment and step of the bank? */
bool tr_playback_fits(const tr_playback *playback, const tr_bank *bank);

/* The steering of the fragment that begins. `target` may be empty although the character has a
 * target, because a skill that the planner wants to leave is not steered. offset: [action.size],
 * rad; way: the direction in which the whole skill goes in the unmirrored half. */
typedef struct tr_playback_guide {
    const tr_steering *steering;
    const tr_steering_target *target;
    const double *offset;
    tr_way way;
} tr_playback_guide;

/* At a fragment's start: decides on the action. TR_DATA_LOSS: it is not finite. */
tr_status tr_playback_begin(tr_playback *playback, const tr_bank *bank, const tr_sight *sight,
                            const tr_playback_guide *guide) TR_NODISCARD;

/* Writes the coming step (targets, entry, mirrored, completes) and advances past it; step is 0 when
 * the fragment is complete. The caller sets the gains. */
void tr_playback_step(tr_playback *playback, const tr_bank *bank, const tr_sight *sight,
                      tr_drive *out);

/* Blends step `step` of a fragment into what came before: over its first `steps` steps the target
 * of each joint, feedback and steering included, moves from where the servos aim to its own place.
 * target: [body_count], of the coming step.
 *
 * Let o be the turn from the fragment's targets to the last targets before it, constant in the blend.
 * Step j is turned by the share 1 - (j + 1) / (steps + 1) of o. That is the turn of step j - 1, times
 * (steps - j) / (steps - j + 1). So the blend needs no state except the servos' targets. */
void tr_playback_blend(const tr_sight *sight, int step, int steps, tr_quat *target);

/* Fills entry, phase, mirrored, between, entries_done and feedback_rad. */
void tr_playback_look(const tr_playback *playback, const tr_bank *bank, tr_doing *out);

/* Fills entry `fragment`, except skill and rises. gain_set: in force there. */
void tr_playback_entry(const tr_bank *bank, int fragment, const char *gain_set,
                       tr_driver_entry *out);

/* The parameter TR_ACTION_OFFSET of a bank. */
tr_driver_parameter tr_playback_parameter(const tr_bank *bank);
