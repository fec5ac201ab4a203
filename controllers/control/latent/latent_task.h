/* Tasks: what a latent controller is rewarded for (levine2012, sections 5.2 and 7.1).
 *
 * A task is a goal, given relative to the character so that it changes as the character moves, and
 * a reward of each step. Kinds of tasks are rows of one table.
 *
 *   heading   travel in a direction. Goal: direction, rad, left of the heading, and speed, m/s.
 *             Reward: exp(-sharpness |angle between travel and goal|), times what the speed earns.
 *             As the wanted speed falls from 0.3 m/s to 0, the facing takes the place of the travel.
 *             The paper rewards the direction alone: a controller can then earn by shuffling on the
 *             spot, because even the slowest movement has a direction (speed_width 0 does so).
 *   target    hit a point with a body. Goal: bearing, rad, and distance, m, of the point from the
 *             root; its height is the task's. Reward: exp(-sharpness distance of the body), if the
 *             body is as fast as `speed_mps`. */
#pragma once

#include "control/latent/goal_grid.h"
#include "control/latent/latent_space.h"

typedef enum tr_latent_task_kind {
    TR_LATENT_HEADING,
    TR_LATENT_TARGET,
    TR_LATENT_TASK_KINDS
} tr_latent_task_kind;

/*   sharpness    1/rad or 1/m
 *   speed_width  heading: the speed earns exp(-(difference / width)^2 / 2); 0: it earns nothing
 *   speed_mps    target: least speed of the body
 *   body         target: that is to hit
 *   height_m     target: of the point */
typedef struct tr_latent_task {
    tr_latent_task_kind kind;
    double sharpness, speed_width_mps, speed_mps, height_m;
    int body;
    tr_goal_grid grid;
} tr_latent_task;

/* The outcome of a step of the character, as far as the task reads it.
 *   root          the root's step
 *   body_pos      target: the body after the step, in the heading frame at the root's ground point
 *   body_speed    over the step, m/s */
typedef struct tr_latent_outcome {
    tr_root_step root;
    tr_vec3 body_pos;
    double body_speed_mps;
} tr_latent_outcome;

/* Names for files and people; NULL: no such kind. */
const char *tr_latent_task_name(tr_latent_task_kind kind);
bool tr_latent_task_find(const char *name, tr_latent_task_kind *out);

/* Is it whole for the model? */
bool tr_latent_task_fits(const tr_latent_task *task, const tr_model *model);

/* Must outcomes hold where the task's body is? */
bool tr_latent_task_watches_body(const tr_latent_task *task);

/* The reward of a step of dt_s; the goal is the one before the step. */
double tr_latent_task_reward(const tr_latent_task *task, double dt_s,
                             const tr_latent_outcome *outcome, const tr_goal *goal);

/* The goal after the root has moved. */
tr_goal tr_latent_task_moved(const tr_latent_task *task, const tr_root_step *step,
                             const tr_goal *goal);
