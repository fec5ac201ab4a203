/* Control fragments and their feedback policies (Liu 2015 guided, section 4).
 *
 * A control fragment C = {dt, m_hat, pi} tracks a short open-loop target motion m_hat for dt (about
 * 0.1 s) after its policy pi has looked once at the state: a = M s + a_hat. The action a is a set
 * of rotation vectors, one per joint of the action map, each applied in the joint frame in front of
 * every target of that joint: target'(t) = exp(a_j) target_j(t), for the whole fragment. Hinges
 * turn about their axis: exp(a_j axis).
 *
 * Functions here are pure and thread-safe; they take no memory. */
#pragma once

#include "control/fragments/features.h"
#include "model/state.h"

#include <stdbool.h>

enum { TR_ACTION_MAX = 24, TR_FRAGMENT_STEPS_MAX = 80 };

/* The joints that an action moves, in the order of its components: three per ball joint, one per
 * hinge. The paper's 11-D action: ltorso 3, lthigh 3, lshank 1, rthigh 3, rshank 1. */
typedef struct tr_action_map {
    int joint_count;
    int body[TR_ACTION_JOINT_MAX];
    int size; /* dimensions, at most TR_ACTION_MAX */
} tr_action_map;

/* The joints that the model names for actions, without its feet unless `ankles`. Of a model that names
 * none the paper's map: waist, hips, knees (11-D); with ankles, 17-D. Found by name: ltorso, lthigh,
 * lshank, ... TR_NOT_FOUND when the model lacks one; TR_INVALID_ARGUMENT: more than TR_ACTION_MAX numbers. */
tr_status tr_action_map_default(const tr_model *model, bool ankles, tr_action_map *out,
                                tr_error *error) TR_NODISCARD;

/* Does the map hold the opposite body of each of its bodies? */
bool tr_action_map_is_symmetric(const tr_model *model, const tr_action_map *map);

/* Returns where the components of a body's joint begin in an action; -1: the map does not hold the
 * body. */
int tr_action_component(const tr_model *model, const tr_action_map *map, int body);

/* The action of the mirror image: rotation vectors reflected through the sagittal plane, left and
 * right joints exchanged. For symmetric maps.
 * action, out_action: [map->size], rad; they must not overlap. */
void tr_action_mirror(const tr_model *model, const tr_action_map *map, const double *action,
                      double *out_action);

/* The rotations exp(a_j) that an action stands for, for many steps with one action.
 * action: [map->size], rad; out_turn: [map->joint_count]. */
void tr_action_turns(const tr_model *model, const tr_action_map *map, const double *action,
                     tr_quat *out_turn);

/* Turns the targets of the map's joints: target_j <- turn_j target_j.
 * turn: [map->joint_count]; target: [body_count]. */
void tr_action_turn_targets(const tr_action_map *map, const tr_quat *turn, tr_quat *target);

/* Both together: target_j <- exp(a_j) target_j. action: [map->size], rad; target: [body_count]. */
void tr_action_apply(const tr_model *model, const tr_action_map *map, const double *action,
                     tr_quat *target);

/* Linear feedback policy pi(s) = M s + a_hat (eq. 2) with exploration noise sigma: the square root
 * of the diagonal covariance (eq. 5, 16), for learning; run time ignores it. Where the ground is no level plane K g is
 * added, g the ground (features.h); that is not in liu2015-guided. K is zero until hardening on ground
 * finds another (harden.h).
 *   m:      M, rad per feature unit; rows past the map's size are zero
 *   ground: K, rad per unit of g; rows past the map's size are zero
 *   offset: a_hat, rad
 *   sigma:  rad */
typedef struct tr_policy {
    double m[TR_ACTION_MAX][TR_FEATURE_COUNT];
    double ground[TR_ACTION_MAX][TR_GROUND_COUNT];
    double offset[TR_ACTION_MAX];
    double sigma[TR_ACTION_MAX];
} tr_policy;

/* A policy is an array of numbers: those of M, K and a_hat, which learning moves, then sigma. As strchr, it
 * gives what may be written where its argument may. */
enum {
    TR_POLICY_MOVED = TR_ACTION_MAX * (TR_FEATURE_COUNT + TR_GROUND_COUNT + 1),
    TR_POLICY_NUMBERS = TR_POLICY_MOVED + TR_ACTION_MAX
};
_Static_assert(sizeof(tr_policy) == TR_POLICY_NUMBERS * sizeof(double), "nothing but numbers");
static inline double *tr_policy_numbers(const tr_policy *policy) {
    return (double *)(void *)policy;
}

/* The policy of the mirror image: its action for the mirrored state is the mirror image of what
 * `policy` does for the state. For symmetric maps; `out` and `policy` must not be the same. */
void tr_policy_mirror(const tr_model *model, const tr_action_map *map, const tr_policy *policy,
                      tr_policy *out);

/* Returns how many components of g it answers to: 0 where K is zero, TR_GROUND_SLOPES where it is
 * zero but for slopes, else all. */
int tr_policy_ground_count(const tr_policy *policy);

/* a = M s + K g + a_hat; out_action: [size], rad. */
void tr_policy_evaluate(const tr_policy *policy, int size, const tr_features *features,
                        double *out_action);

/* target: [steps][body_count], the servo targets for the end of each step; owned by the controller.
 * start:  reference start state; heading 0, x = y = 0
 * end:    reference end state, in the frame of `start` */
typedef struct tr_fragment {
    int steps; /* dt in simulation steps */
    tr_quat *target;
    tr_policy policy;
    tr_state start, end;
} tr_fragment;

/* Directions in quarter turns to the left. */
typedef enum tr_way { TR_WAY_AHEAD, TR_WAY_LEFT, TR_WAY_BACK, TR_WAY_RIGHT } tr_way;

/* Steps of the longest of `count` fragments; 1 without any. */
int tr_fragment_longest(const tr_fragment *fragment, int count);

/* The direction in which the references of `count` fragments move in all, as seen from the headings
 * in which they begin. */
tr_way tr_fragments_way(const tr_fragment *fragment, int count);

/* Targets of one step with an action applied. action: [map->size] or NULL; out_target:
 * [body_count]. */
void tr_fragment_targets(const tr_model *model, const tr_action_map *map,
                         const tr_fragment *fragment, int step, const double *action,
                         tr_quat *out_target);
