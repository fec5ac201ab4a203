/* Policies trained elsewhere: a multilayer perceptron that reads the state and sets the targets of
 * the joints' servos (driver kind "policy").
 *
 * Every `period_steps` steps it decides:
 *
 *   x = clip((o - mean) / spread, input_limit)    o: the observation (observation.h)
 *   a = clip(network(x) + action, action_limit)   action: the parameter, 0 unless a user sets it
 *   target_j = exp(scale_j a_j) pose_j            for the joints of `joint`; the others keep pose_j
 *
 * A policy with a memory m, of zeros at first, is a gated recurrent unit (Cho et al. 2014), whose network may
 * have more layers than one: it reads (x, m), and returns (a, u, c), with which
 *
 *   m = m + logistic(u) (tanh(c) - m)
 *
 * and holds the targets until it decides again. a_j is a rotation vector in the joint frame (three
 * numbers), or an angle about a hinge's axis (one).
 *
 * Entries are the decisions of a cycle; each has a state, whose pose is what its actions are about:
 * the frames of a reference motion, or one pose (one entry, a policy without a clock).
 *
 * The parameter `action` lets a program act in the network's place: a policy whose weights are zero
 * is the environment in which policies are trained, and one that is served acts by the same code.
 *
 * guide/policies.md describes the files that policies are imported from. */
#pragma once

#include "control/driver/controller.h"
#include "control/policy/observation.h"
#include "control/policy/perceptron.h"

enum {
    TR_AGENT_ACTION_MAX = TR_DRIVER_VALUE_MAX,
    TR_AGENT_PERIOD_MAX = 200,
    TR_AGENT_MEMORY_MAX = 64
};
#define TR_AGENT_LIMIT_MAX 1e6 /* of inputs, actions and scales */

extern const tr_driver_kind tr_agent_kind;

/* gain_set:     of the model
 * period_steps: steps of the world from one decision to the next, 1 to TR_AGENT_PERIOD_MAX
 * reflected:    the mirror image of what was learned: it sees and acts mirrored
 * joint:        [joint_count] bodies, ascending, whose joints it moves
 * body_count:   of the model
 * action_size:  numbers of an action, tr_agent_count_actions
 * scale:        [action_size] rad for an action of 1
 * input_limit, action_limit: above 0, at most TR_AGENT_LIMIT_MAX
 * mean, spread: [tr_observation_size], spread > 0
 * memory:       numbers that it remembers from decision to decision, 0 to TR_AGENT_MEMORY_MAX
 * network:      as many inputs as the observation is long, and `memory` more; action_size outputs, and twice
 *               `memory` more
 * start:        [entry_count] heading 0 and x = y = 0 at the first, owned */
typedef struct tr_agent {
    char gain_set[TR_NAME_MAX];
    int period_steps;
    bool reflected;
    tr_observation observation;
    int joint_count, joint[TR_BODY_MAX];
    int body_count, action_size;
    double scale[TR_AGENT_ACTION_MAX];
    double input_limit, action_limit;
    double mean[TR_OBSERVATION_MAX], spread[TR_OBSERVATION_MAX];
    int memory;
    tr_perceptron network;
    int entry_count;
    tr_state *start;
} tr_agent;

/* entry: in progress, or next where `step` is 0; step: steps that it has made; done: decisions
 * whose steps are all made; memory: zeros where the policy has none */
typedef struct tr_agent_state {
    int entry, step;
    int64_t done;
    double memory[TR_AGENT_MEMORY_MAX];
} tr_agent_state;

/* An agent that does nothing yet: it sees all of body_state, moves no joint, and holds the rest
 * pose with the model's first gains at `entry_count` entries; no network. TR_RESOURCE_EXHAUSTED. */
tr_status tr_agent_create(const tr_model *model, int entry_count, tr_agent **out) TR_NODISCARD;
void tr_agent_destroy(void *agent); /* NULL is fine */

/* Numbers that the joints take together. */
int tr_agent_count_actions(const tr_model *model, const int *joint, int joint_count);

/* A controller of an agent, unnamed and unchecked (tr_controller_check), which owns the agent from
 * then on; on failure the agent stays the caller's. Characters are spawned in the first entry's
 * state. TR_RESOURCE_EXHAUSTED. */
tr_status tr_agent_controller_create(const tr_model *model, double step_s, tr_agent *take_agent,
                                     tr_controller **out) TR_NODISCARD;
