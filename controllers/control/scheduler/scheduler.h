/* Schedulers: a driver in which a learned network chooses each next entry (Liu and Hodgins 2017;
 * driver kind "scheduler").
 *
 * A scheduler holds a driver, say a control graph, and a list of its entries. Whenever an entry is
 * done, the network looks at the state and estimates for each listed entry what can still be earned
 * if it comes next; the entry of the largest estimate begins. The inner driver runs it as always,
 * and its choice of a next entry is ignored.
 *
 * Actions. Action i < entry_count continues with entry[i] in the half in progress, left or right;
 * where the inner driver is mirrored, action entry_count + i with entry[i] in the other half. In a
 * mirrored half the network sees the mirror image of the state, so that one half is learned.
 *
 * Input, in this order:
 *   18 features of the state (features.h), each less its mean, over its spread, within +-20
 *   6, if `sees_object`: velocity of the first object of the rig, and its place from the centre of
 *      mass, in the heading frame, scaled alike
 *   2, if `steers`: sine and cosine of the angle from the direction of motion to the aim of the
 *      steering target, to the left; 0 and 1 without an aim
 *   entry_count: 1 for the entry just done, 0 for the others
 *   request_count: 1 for the requested skill, 0 for the others
 *
 * Requests. The skill of the steering target is the task parameter u of section 4.1. If it is not
 * listed in `request`, or the target names no skill, request[0] is asked for.
 *
 * In sequence is an action that the inner driver's skills and edges allow (driver_sheet.h): the
 * next entry of the skill, the first after the last of a cyclic one, or along an edge. An entry
 * that was asked for by a cue always runs first. After an entry that is not listed the next one of
 * its skill follows without a decision, so that a rising skill ends (recovery/recovery.h). Entries,
 * skills and parameters are the inner driver's. */
#pragma once

#include "control/driver/runner.h"
#include "control/fragments/features.h"
#include "control/scheduler/network.h"

enum {
    TR_SCHEDULER_ENTRY_MAX = 256,
    TR_SCHEDULER_ACTION_MAX = 2 * TR_SCHEDULER_ENTRY_MAX,
    TR_SCHEDULER_REQUEST_MAX = TR_DRIVER_SKILL_MAX,
    TR_SCHEDULER_OBJECT_COUNT = 6,
    TR_SCHEDULER_AIM_COUNT = 2,
    TR_SCHEDULER_SCALED_MAX = TR_FEATURE_COUNT + TR_SCHEDULER_OBJECT_COUNT,
    TR_SCHEDULER_NUMBER_MAX = TR_SCHEDULER_SCALED_MAX + TR_SCHEDULER_AIM_COUNT,
    TR_SCHEDULER_INPUT_MAX =
        TR_SCHEDULER_NUMBER_MAX + TR_SCHEDULER_ENTRY_MAX + TR_SCHEDULER_REQUEST_MAX,
    TR_SCHEDULER_SHOWN = TR_DRIVER_CHOICE_MAX /* values that the state keeps, for people */
};

extern const tr_driver_kind tr_scheduler_kind;

/* inner:     owned; a chain, a graph, or a balance with postures, no wrapper
 * sheet:     of the inner driver; its strings and states are the inner driver's
 * entry:     [entry_count] entries of the inner driver, ascending
 * request:   [request_count] skills of the sheet that may be asked for, no skill twice
 * sees_object, steers: the network sees the first object of the rig, and the aim
 * reflected: the mirror image of what was learned: it sees unmirrored halves mirrored
 * mean, spread: of the features and of the numbers of the object, in the states that were met in
 *            learning; spread > 0
 * network:   tr_scheduler_input_count inputs, tr_scheduler_action_count outputs */
typedef struct tr_scheduler {
    tr_driver inner; /* first (driver_holder.h) */
    tr_driver_sheet sheet;
    int entry_count;
    int entry[TR_SCHEDULER_ENTRY_MAX];
    int request_count;
    int request[TR_SCHEDULER_REQUEST_MAX];
    bool sees_object, steers, reflected;
    double mean[TR_SCHEDULER_SCALED_MAX], spread[TR_SCHEDULER_SCALED_MAX];
    tr_network network;
} tr_scheduler;

/* The last decision.
 *   action: the actions of the largest values, the chosen one first; -1: fewer actions
 *   made:   there was one since the driver was entered */
typedef struct tr_scheduler_decision {
    bool made, out_of_sequence;
    int action[TR_SCHEDULER_SHOWN];
    double value[TR_SCHEDULER_SHOWN];
} tr_scheduler_decision;

/* entry, mirrored: in progress; just done where it `decides` */
typedef struct tr_scheduler_state {
    int entry;
    bool mirrored, decides;
    tr_scheduler_decision decision;
} tr_scheduler_state;

/* --- making one --- */

/* entry: [entry_count], ascending; hidden: [hidden_count] widths; request: [request_count]
 *        skills */
typedef struct tr_scheduler_def {
    int entry_count, hidden_count;
    const int *entry, *hidden;
    double step_s;
    int request_count;
    const int *request;
    bool sees_object, steers;
} tr_scheduler_def;

/* Puts a scheduler around the controller's driver, with weights of zero: it always begins action 0.
 * Means are 0 and spreads tr_feature_spread. TR_INVALID_ARGUMENT: the message names the field. */
tr_status tr_scheduler_add(tr_controller *controller, const tr_scheduler_def *def,
                           tr_scheduler **out, tr_error *error) TR_NODISCARD;

/* NULL: the controller is not scheduled. */
tr_scheduler *tr_scheduler_of(const tr_controller *controller);

/* The state of a runner's scheduler; NULL: no scheduler, or it is held by another driver. */
tr_scheduler_state *tr_scheduler_state_of(tr_runner *runner);

int tr_scheduler_input_count(const tr_scheduler *scheduler);
int tr_scheduler_action_count(const tr_scheduler *scheduler);

/* Inputs that are scaled, and all before those of the entry just done. */
int tr_scheduler_scaled_count(const tr_scheduler *scheduler);
int tr_scheduler_number_count(const tr_scheduler *scheduler);

/* Spreads that are typical of the numbers of an object: m/s and m. */
extern const double tr_scheduler_object_spread[TR_SCHEDULER_OBJECT_COUNT];

/* --- deciding, for learning --- */

/* A decision is made from its view.
 *   object:  velocity and place of the first object; zeros if the network does not see it
 *   aim_rad: from the direction of motion to the aim, to the left; 0 likewise
 *   request: that is asked for, or -1 */
typedef struct tr_scheduler_view {
    tr_features features;
    double object[TR_SCHEDULER_OBJECT_COUNT];
    double aim_rad;
    int request;
} tr_scheduler_view;

/* The view of a character with these features; the request is that of the target. */
tr_scheduler_view tr_scheduler_view_of(const tr_scheduler *scheduler, const tr_sight *sight,
                                       const tr_features *features);

/* Puts what the network sees after `state->entry`. out: [tr_scheduler_input_count]. */
void tr_scheduler_observe(const tr_scheduler *scheduler, const tr_scheduler_state *state,
                          const tr_scheduler_view *view, float *out);

/* The entry and half that an action begins. */
typedef struct tr_scheduler_place {
    int entry;
    bool mirrored;
} tr_scheduler_place;
tr_scheduler_place tr_scheduler_place_of(const tr_scheduler *scheduler,
                                         const tr_scheduler_state *state, int action);

/* The actions in sequence after `state->entry`, in ascending order without the skill's own
 * successor, which comes first if it is an action. out: [tr_scheduler_action_count]; returns their
 * number. */
int tr_scheduler_sequence(const tr_scheduler *scheduler, const tr_scheduler_state *state, int *out);

/* After an entry that leads nowhere any action is. */
bool tr_scheduler_is_in_sequence(const tr_scheduler *scheduler, const tr_scheduler_state *state,
                                 int action);
