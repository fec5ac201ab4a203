/* Followers: one network performs the cycles of a graph (driver kind "network").
 *
 * A follower holds a control graph, which chooses the fragments, steers, and plays them. At the
 * start of a fragment of a cyclic skill that it knows, the network sees how far the state is from where
 * the cycle usually is there, and what the cycle does next, and decides in place of the policy:
 *
 *   a = a_usual + f(d, r) - f(0, r) + K g
 *
 * so that without a deviation there is no correction; K g is the policy's answer to the ground
 * (fragment.h). It acts where the policy has no feedback. Where it has, the network acts only on slopes,
 * where it falls less, and in a change: from the start of a cycle that follows another one, until the
 * character is settled at the end of a fragment (tr_planner_is_settled). So a change may begin in any
 * part of a cycle, and a character that is settled on level ground does what the policy was made for.
 * Chains, steps that catch a push (catch_step.h) and the other fragments keep their policies alone.
 *
 *   d  the features of the state less `mean` of the fragment, over `spread`, within +-10
 *   r  what the cycle does, each number less its mean over all fragments that it knows and over its
 *      spread there: the mean features at the start of the fragment and of the first, second and
 *      fourth after it, the heading that it and the next one gain, its duration, its gains
 *
 * In a mirrored half the network sees the mirror image, and its action is mirrored back. In a change its
 * first steps blend into what came before (tr_playback_blend).
 *
 * Skills, entries, parameters and the way to a skill are the graph's. */
#pragma once

#include "control/graph/control_graph.h"
#include "control/scheduler/network.h"

enum {
    TR_FOLLOWER_BLEND_MAX = 200,
    TR_FOLLOWER_AHEAD = 4, /* places of a cycle that the network sees */
    TR_FOLLOWER_REFERENCE = TR_FOLLOWER_AHEAD * TR_FEATURE_COUNT + 4,
    TR_FOLLOWER_INPUT = TR_FEATURE_COUNT + TR_FOLLOWER_REFERENCE
};

extern const tr_driver_kind tr_network_kind;

/* What the network knows of a fragment; follows from the rest of the content.
 * known: it is of a cycle, and has means; settles: and its policy has feedback
 * reference: r; still: f(0, r) */
typedef struct tr_follower_known {
    bool known, settles;
    float reference[TR_FOLLOWER_REFERENCE], still[TR_ACTION_MAX];
} tr_follower_known;

/* inner:     owned; a graph
 * reflected: the mirror image of what was learned: it sees unmirrored halves mirrored
 * blend_steps: of a change of skill, 0 to TR_FOLLOWER_BLEND_MAX
 * spread:    > 0
 * mean:      [fragment_count], owned; all 0 in those that the network does not know
 * usual:     [fragment_count], owned; the action without a deviation, rad
 * network:   TR_FOLLOWER_INPUT inputs, as many outputs as the graph's action has numbers
 * known:     [fragment_count], owned */
typedef struct tr_follower {
    tr_driver inner; /* first (driver_holder.h) */
    bool reflected;
    int blend_steps;
    double spread[TR_FEATURE_COUNT];
    double (*mean)[TR_FEATURE_COUNT], (*usual)[TR_ACTION_MAX];
    tr_network network;
    tr_follower_known *known;
} tr_follower;

/* skill: node of the graph, in progress; since: steps since a change began that blends, at most
 *        TR_FOLLOWER_BLEND_MAX
 * changes: the character is not settled yet since it changed */
typedef struct tr_follower_state {
    int skill, since;
    bool changes;
} tr_follower_state;

/* Puts a follower around the controller's graph, with means, actions and weights of zero and spreads
 * tr_feature_spread. hidden: [count] widths. TR_INVALID_ARGUMENT: not a graph, or the widths;
 * TR_RESOURCE_EXHAUSTED. */
tr_status tr_follower_add(tr_controller *controller, const int *hidden, int count,
                          tr_follower **out) TR_NODISCARD;

/* Computes `known` anew, after means or weights have changed. */
void tr_follower_learn_cycles(tr_follower *follower);

/* d of features at the start of a fragment. */
void tr_follower_deviation(const tr_follower *follower, int fragment, const tr_features *features,
                           float out[TR_FEATURE_COUNT]);

/* What the network sees at the start of a fragment, d and r, and what a network makes of it.
 * deviation: NULL: 0 */
void tr_follower_input(const tr_follower *follower, int fragment, const float *deviation,
                       float out[TR_FOLLOWER_INPUT]);
void tr_follower_evaluate(const tr_follower *follower, const tr_network *network, int fragment,
                          const float *deviation, float *out);

/* The fragment `count` after this one of a cyclic skill. *flips: it is in the other half. */
int tr_follower_ahead(const tr_control_graph *graph, int fragment, int count, bool *flips);
