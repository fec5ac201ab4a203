/* Learning a policy for a task in a latent space: value iteration and refinements in turn
 * (levine2012, section 5). */
#pragma once

#include "learn/latent/value_iteration.h"
#include "learn/method/method.h"

/* Parameters of the task (latent_task.h), of learning, and of the controller: its skill. Speeds of 0
 * stand for the mean speed of the clips. */
typedef struct tr_task_parameters {
    char task[TR_NAME_MAX], body[TR_NAME_MAX], skill[TR_NAME_MAX];
    double speed_low_mps, speed_high_mps, speed_width_mps, body_speed_mps, height_m;
    int bearing_cells, speed_cells;
    double discount, ring, dynamics_weight, slip_weight;
    int ring_variance;
    int refinements, sweeps;
    uint64_t seed;
} tr_task_parameters;

extern const tr_parameter_table tr_task_parameter_table;

/* A training at work: what the method's row works on.
 *   clip    the first of the space, without its frames
 *   rounds  value iterations so far; 1 more than `refinements` of them are all */
typedef struct tr_task_training {
    const tr_model *model;
    tr_task_parameters parameters;
    tr_pool *pool;
    tr_latent_space *space;
    tr_motion clip;
    tr_latent_policy *policy;
    int rounds;
    tr_controller *made;
} tr_task_training;

/* Begins with the first policy, in model, space and pool that are set. TR_INVALID_ARGUMENT: a parameter
 * does not fit the model, as the message says; TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_task_training_start(tr_task_training *training, tr_error *error) TR_NODISCARD;
