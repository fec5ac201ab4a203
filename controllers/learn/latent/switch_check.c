#include "learn/latent/switch_check.h"

#include "math/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Steps of a frame, as those of a character at 60 Hz. */
enum { PARTS = 2 };

typedef struct session {
    const tr_switch_check *check;
    double *after, *before; /* [characters], rad */
} session;

static double largest_turn(const tr_model *model, const tr_pose *a, const tr_pose *b) {
    double largest = 0;
    for (int i = 1; i < model->body_count; i++)
        largest = fmax(largest, tr_quat_angle(a->joint[i], b->joint[i]));
    return largest;
}

static tr_goal draw_goal(const tr_goal_grid *grid, tr_random *r) {
    tr_goal goal = {{0}};
    for (int a = 0; a < grid->axis_count; a++)
        goal.value[a] =
            grid->axis[a].low + tr_random_uniform(r) * (grid->axis[a].high - grid->axis[a].low);
    return goal;
}

/* Moves by a frame towards a goal that turns along with the character; returns the largest turn. */
static double move(const tr_latent_mover *mover, const tr_goal *goal, tr_latent_motion *motion,
                   tr_pose poses[2]) {
    poses[0] = poses[1];
    for (int part = 0; part < PARTS; part++)
        poses[1] =
            tr_latent_motion_step(mover, goal, 0, mover->space->learned.dt_s / PARTS, motion);
    return largest_turn(mover->model, &poses[0], &poses[1]);
}

/* Joins the other space from the last frame's pose and its movement; with `jump` at the same place,
 * but in the space's own pose. */
static void join(const tr_switch_check *check, const tr_pose poses[2], tr_latent_motion *motion) {
    const double dt_s = check->to.space->learned.dt_s;
    tr_state state =
        tr_state_from_poses(check->to.model, &poses[0], &poses[1], &poses[1], dt_s / 2);
    state.pose = poses[1];
    tr_latent_motion_join(&check->to, &state, 0, motion);
    if (check->jump) {
        memset(motion->carried, 0, sizeof motion->carried);
        memset(motion->carried_rate, 0, sizeof motion->carried_rate);
    }
}

static void change(void *context, int index, int worker) {
    (void)worker;
    const session *s = context;
    const tr_switch_check *check = s->check;
    const double dt_s = check->from.space->learned.dt_s;
    tr_random r = tr_random_split(check->seed, 5, (uint64_t)index);
    tr_latent_motion motion;
    tr_pose poses[2] = {0}; /* the first move compares with nothing, and its turn is left out */
    int frame = (int)(tr_random_uniform(&r) * check->from.space->learned.frame_count);
    int after = (int)(check->after_s / dt_s), left = (int)(check->before_s / dt_s);
    left += (int)(tr_random_uniform(&r) * left);
    tr_latent_motion_begin(&check->from, frame, 0, &(tr_pose_place){0, 0, 0}, &motion);
    tr_goal goal = draw_goal(&check->from.policy->task.grid, &r);
    (void)move(&check->from, &goal, &motion, poses);
    for (; left > 0; left--) {
        double turn = move(&check->from, &goal, &motion, poses);
        if (left <= after)
            s->before[index] = fmax(s->before[index], turn);
    }
    join(check, poses, &motion);
    goal = draw_goal(&check->to.policy->task.grid, &r);
    for (int i = 0; i < after; i++)
        s->after[index] = fmax(s->after[index], move(&check->to, &goal, &motion, poses));
}

static double clips_turn(const tr_latent_mover *mover) {
    const tr_latent_space_def *def = &mover->space->learned;
    double largest = 0;
    for (int c = 0; c < def->clip_count; c++) {
        tr_pose poses[2] = {0};
        for (int i = 0; i < def->clip[c].count; i++) {
            const double *vector = def->pose + (def->clip[c].first + i) * def->pose_size;
            poses[0] = poses[1];
            poses[1] =
                tr_pose_vector_to(mover->model, &def->reference, vector, &(tr_pose_place){0, 0, 0});
            if (i > 0)
                largest = fmax(largest, largest_turn(mover->model, &poses[0], &poses[1]));
        }
    }
    return largest;
}

tr_status tr_switch_check_run(const tr_switch_check *check, tr_switch_check_result *out) {
    double rate = check->from.space->learned.dt_s / check->to.space->learned.dt_s;
    if (check->characters < 1 || fabs(rate - 1) > 1e-6)
        return TR_INVALID_ARGUMENT;
    size_t count = (size_t)check->characters;
    double *room = calloc(2 * count, sizeof *room);
    if (!room)
        return TR_RESOURCE_EXHAUSTED;
    session s = {check, room, room + count};
    tr_pool_share(
        check->pool, change, &s, check->characters,
        (const tr_ranks_result[]){{s.before, sizeof *s.before}, {s.after, sizeof *s.after}, {0}});
    out->after = tr_spread_of(s.after, check->characters);
    out->before = tr_spread_of(s.before, check->characters);
    out->clips = fmax(clips_turn(&check->from), clips_turn(&check->to));
    free(room);
    return TR_OK;
}
