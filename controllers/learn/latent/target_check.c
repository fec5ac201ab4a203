#include "learn/latent/target_check.h"

#include "control/latent/latent_motion.h"
#include "control/latent/strike.h"
#include "learn/latent/gait_measure.h"
#include "learn/measure/evaluate.h"
#include "math/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps of a decision, as those of a character at 60 Hz. */
enum { PARTS = 2 };

/* What the characters did.
 *   miss, hit  [characters][targets], m and s; a hit of -1: missed
 *   slip_mps   [characters]
 *   slip       [characters][targets][parts], room for its measure */
typedef struct session {
    const tr_target_check *check;
    double *miss, *hit, *slip_mps, *slip;
    int parts; /* steps of each target */
} session;

tr_target_check tr_target_check_default(void) {
    return (tr_target_check){.characters = 32,
                             .targets = 20,
                             .sector_rad = TR_PI / 3,
                             .near_m = 0.6,
                             .far_m = 1,
                             .hit_m = 0.1,
                             .seconds = 2,
                             .seed = 1};
}

static tr_vec3 draw_point(const tr_target_check *check, const tr_pose_place *place, tr_random *r) {
    double bearing = check->sector_rad * (2 * tr_random_uniform(r) - 1);
    double distance = check->near_m + (check->far_m - check->near_m) * tr_random_uniform(r);
    tr_vec3 off = tr_vec3_from_heading((tr_vec3){distance, 0, 0}, bearing + place->heading_rad);
    return (tr_vec3){place->x + off.x, place->y + off.y, check->policy->task.height_m};
}

static double distance_of(const tr_target_check *check, tr_vec3 point, const tr_pose *pose) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_pose_forward(check->model, pose, bodies);
    return tr_vec3_distance(bodies[check->policy->task.body].com_pos, point);
}

/* Strikes at one target, from a motion and a strike that continue. */
static void strike_at(const session *s, tr_vec3 point, tr_latent_motion *motion, tr_strike *strike,
                      tr_gait_measure *gait, double *out_miss, double *out_hit) {
    const tr_target_check *check = s->check;
    const tr_latent_mover mover = {check->model, check->space, check->policy};
    const double dt_s = check->space->learned.dt_s / PARTS;
    *out_miss = (double)INFINITY;
    *out_hit = -1;
    for (int i = 0; i < s->parts; i++) {
        tr_goal goal = tr_strike_goal(point, &motion->place);
        tr_pose pose = tr_latent_motion_step(&mover, &goal, 0, dt_s, motion);
        if (!check->policy_alone)
            tr_strike_step(strike, check->model, check->policy->task.body, &point, dt_s, &pose);
        double miss = distance_of(check, point, &pose);
        *out_miss = fmin(*out_miss, miss);
        if (*out_hit < 0 && miss < check->hit_m)
            *out_hit = (i + 1) * dt_s;
        /* The measure takes poses at the clips' rate. */
        if (i % PARTS == 0)
            tr_gait_measure_add(gait, &pose);
    }
}

static void fight(void *context, int index, int worker) {
    (void)worker;
    const session *s = context;
    const tr_target_check *check = s->check;
    const tr_latent_space_def *def = &check->space->learned;
    const tr_latent_mover mover = {check->model, check->space, check->policy};
    size_t row = (size_t)index * (size_t)check->targets;
    tr_gait_measure gait = {.model = check->model,
                            .support = def->support,
                            .support_count = def->support_count,
                            .dt_s = def->dt_s,
                            .slip = s->slip + row * (size_t)s->parts};
    tr_random r = tr_random_split(check->seed, 4, (uint64_t)index);
    tr_latent_motion motion;
    tr_strike strike = {0};
    tr_latent_motion_begin(&mover, (int)(tr_random_uniform(&r) * def->frame_count), 0,
                           &(tr_pose_place){0, 0, 0}, &motion);
    /* Each target is drawn around the place where the last strike ended. */
    for (int i = 0; i < check->targets; i++) {
        tr_vec3 point = draw_point(check, &motion.place, &r);
        strike_at(s, point, &motion, &strike, &gait, &s->miss[row + (size_t)i],
                  &s->hit[row + (size_t)i]);
    }
    s->slip_mps[index] = tr_gait_measure_slip(&gait);
}

/* --- summing up --- */

static void sum_up(const session *s, double *work, tr_target_check_result *out) {
    const tr_target_check *check = s->check;
    const int trials = check->characters * check->targets;
    *out = (tr_target_check_result){.trials = trials};
    for (int i = 0; i < trials; i++)
        if (s->hit[i] >= 0)
            work[out->hits++] = s->hit[i];
    out->hit_s = tr_spread_of(work, out->hits);
    /* Sorting must not change the record: it works on a copy. */
    memcpy(work, s->miss, (size_t)trials * sizeof *work);
    out->miss_m = tr_spread_of(work, trials);
    memcpy(work, s->slip_mps, (size_t)check->characters * sizeof *work);
    out->slip_mps = tr_spread_of(work, check->characters);
    tr_evaluate_wilson(out->hits, trials, &out->low, &out->high);
}

tr_status tr_target_check_run(const tr_target_check *check, tr_target_check_result *out) {
    if (check->policy->task.kind != TR_LATENT_TARGET || check->characters < 1 || check->targets < 1)
        return TR_INVALID_ARGUMENT;
    size_t targets = (size_t)check->targets, characters = (size_t)check->characters;
    size_t trials = characters * targets;
    session s = {.check = check,
                 .parts = (int)(check->seconds / check->space->learned.dt_s * PARTS + 0.5)};
    double *room = calloc(trials * (3 + (size_t)s.parts) + characters, sizeof *room);
    if (!room)
        return TR_RESOURCE_EXHAUSTED;
    s.miss = room;
    s.hit = s.miss + trials;
    s.slip_mps = s.hit + trials;
    s.slip = s.slip_mps + characters;
    const tr_ranks_result results[] = {{s.miss, targets * sizeof *s.miss},
                                       {s.hit, targets * sizeof *s.hit},
                                       {s.slip_mps, sizeof *s.slip_mps},
                                       {0}};
    tr_pool_share(check->pool, fight, &s, check->characters, results);
    sum_up(&s, s.slip + trials * (size_t)s.parts, out);
    free(room);
    return TR_OK;
}
