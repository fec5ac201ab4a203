/* Learning a policy for a task in a latent space: value iteration and refinements in turn
 * (levine2012, section 5). */
#pragma once

#include "learn/latent/value_iteration.h"
#include "learn/method/blocks.h"
#include "math/parameter_table.h"

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

/* After a value iteration.
 *   refinement     how many were made before it
 *   bellman_error  of the refinement before it; NAN before the first */
typedef struct tr_task_progress {
    int refinement, samples, sweeps;
    double bellman_error;
} tr_task_progress;

typedef struct tr_task_training tr_task_training;

/* model, space, pool: must outlive the training */
typedef struct tr_task_training_def {
    const tr_model *model;
    const tr_latent_space *space;
    const tr_task_parameters *parameters;
    tr_pool *pool;
} tr_task_training_def;

/* TR_INVALID_ARGUMENT: a parameter does not fit the model, as the message says;
 * TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_task_training_create(const tr_task_training_def *def, tr_task_training **out,
                                  tr_error *error) TR_NODISCARD;
void tr_task_training_destroy(tr_task_training *training); /* NULL is fine */

/* Makes a refinement, but the first time none, and iterates the values. */
tr_status tr_task_training_advance(tr_task_training *training, tr_task_progress *out,
                                   tr_error *error) TR_NODISCARD;

/* Value iterations so far; 1 more than `refinements` of them are all. */
int tr_task_training_rounds(const tr_task_training *training);

/* The policy so far; lives until the next call. */
const tr_latent_policy *tr_task_training_policy(const tr_task_training *training);

/* Lists what a checkpoint holds (method/blocks.h). */
void tr_task_training_list(void *training, tr_blocks *blocks);
