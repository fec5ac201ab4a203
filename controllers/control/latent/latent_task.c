#include "control/latent/latent_task.h"

#include <math.h>
#include <string.h>

/* --- heading --- */

/* Below this speed the facing counts more and more, because a character that stands travels nowhere. */
static const double CALM_MPS = 0.3;

static double heading_reward(const tr_latent_task *task, double dt_s,
                             const tr_latent_outcome *outcome, const tr_goal *goal) {
    const tr_root_step *step = &outcome->root;
    double off = fabs(tr_angle_wrap(tr_atan2(step->left, step->forward) - goal->value[0]));
    const double going = fmin(1, goal->value[1] / CALM_MPS);
    off = going * off + (1 - going) * fabs(tr_angle_wrap(goal->value[0]));
    /* It grows exponentially as the direction of travel nears the wanted one (levine2012, section
     * 7.1). */
    double reward = tr_exp(-task->sharpness * off);
    if (task->speed_width_mps > 0) {
        double speed = sqrt(step->forward * step->forward + step->left * step->left) / dt_s;
        double z = (speed - goal->value[1]) / task->speed_width_mps;
        reward *= tr_exp(-0.5 * z * z);
    }
    return reward;
}

static tr_goal heading_moved(const tr_latent_task *task, const tr_root_step *step,
                             const tr_goal *goal) {
    (void)task;
    return (tr_goal){{tr_angle_wrap(goal->value[0] - step->turn_rad), goal->value[1]}};
}

/* --- target --- */

/* Returns the point of a goal in the heading frame at the root's ground point. */
static tr_vec3 point_of(const tr_latent_task *task, const tr_goal *goal) {
    double s, c;
    tr_sincos(goal->value[0], &s, &c);
    return (tr_vec3){goal->value[1] * c, goal->value[1] * s, task->height_m};
}

static tr_goal target_moved(const tr_latent_task *task, const tr_root_step *step,
                            const tr_goal *goal) {
    tr_vec3 point = point_of(task, goal);
    point = tr_vec3_sub(point, (tr_vec3){step->forward, step->left, 0});
    point = tr_vec3_to_heading(point, step->turn_rad);
    return (tr_goal){{tr_atan2(point.y, point.x), sqrt(point.x * point.x + point.y * point.y)}};
}

static double target_reward(const tr_latent_task *task, double dt_s,
                            const tr_latent_outcome *outcome, const tr_goal *goal) {
    (void)dt_s;
    tr_goal moved = target_moved(task, &outcome->root, goal);
    double miss = tr_vec3_distance(outcome->body_pos, point_of(task, &moved));
    return outcome->body_speed_mps < task->speed_mps ? 0 : tr_exp(-task->sharpness * miss);
}

/* --- kinds --- */

typedef struct kind_row {
    const char *name;
    int axis_count;
    bool watches_body;
    double (*reward)(const tr_latent_task *task, double dt_s, const tr_latent_outcome *outcome,
                     const tr_goal *goal);
    tr_goal (*moved)(const tr_latent_task *task, const tr_root_step *step, const tr_goal *goal);
} kind_row;

static const kind_row kinds[TR_LATENT_TASK_KINDS] = {
    [TR_LATENT_HEADING] = {"heading", 2, false, heading_reward, heading_moved},
    [TR_LATENT_TARGET] = {"target", 2, true, target_reward, target_moved},
};

const char *tr_latent_task_name(tr_latent_task_kind kind) {
    return kinds[kind].name;
}

bool tr_latent_task_find(const char *name, tr_latent_task_kind *out) {
    for (int k = 0; k < TR_LATENT_TASK_KINDS; k++)
        if (strcmp(name, kinds[k].name) == 0) {
            *out = (tr_latent_task_kind)k;
            return true;
        }
    return false;
}

bool tr_latent_task_fits(const tr_latent_task *task, const tr_model *model) {
    const double numbers[] = {task->sharpness, task->speed_width_mps, task->speed_mps,
                              task->height_m};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!(numbers[i] >= 0 && numbers[i] < 1e6))
            return false;
    return (int)task->kind >= 0 && task->kind < TR_LATENT_TASK_KINDS && task->body >= 0 &&
           task->body < model->body_count && tr_goal_grid_fits(&task->grid) &&
           task->grid.axis_count == kinds[task->kind].axis_count;
}

bool tr_latent_task_watches_body(const tr_latent_task *task) {
    return kinds[task->kind].watches_body;
}

double tr_latent_task_reward(const tr_latent_task *task, double dt_s,
                             const tr_latent_outcome *outcome, const tr_goal *goal) {
    return kinds[task->kind].reward(task, dt_s, outcome, goal);
}

tr_goal tr_latent_task_moved(const tr_latent_task *task, const tr_root_step *step,
                             const tr_goal *goal) {
    return kinds[task->kind].moved(task, step, goal);
}
