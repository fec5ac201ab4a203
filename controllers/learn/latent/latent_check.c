#include "learn/latent/latent_check.h"

#include "control/latent/latent_motion.h"
#include "control/latent/strike.h"
#include "learn/measure/evaluate.h"
#include "math/quantile.h"
#include "math/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps of a decision, as those of a character at 60 Hz. */
enum { PARTS = 2 };

/* Points to strike: within this angle to either side, at such distances from the root. What comes so
 * near within the time hits. */
static const double SECTOR_RAD = TR_PI / 3, NEAR_M = 0.6, FAR_M = 1;
static const double HIT_M = 0.1, STRIKE_S = 2;

/* --- a sequence of poses --- */

static void place_points(const tr_gait_measure *m, const tr_pose *pose, tr_vec3 *out_body,
                         tr_vec3 *out_point) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_pose_forward(m->model, pose, bodies);
    for (int i = 0; i < m->model->body_count; i++)
        out_body[i] = bodies[i].com_pos;
    for (int i = 0; i < m->support_count; i++)
        out_point[i] = tr_support_position(m->model, &m->support[i], bodies);
}

/* Returns the foot that the lowest support point belongs to. */
static int lower_foot(const tr_gait_measure *m) {
    int lowest = 0;
    for (int i = 1; i < m->support_count; i++)
        if (m->point[0][i].z < m->point[0][lowest].z)
            lowest = i;
    return m->support[lowest].foot;
}

static void add_jerk(tr_gait_measure *m) {
    const double cube = m->dt_s * m->dt_s * m->dt_s;
    for (int i = 0; i < m->model->body_count; i++) {
        /* The third difference x_0 - 3 x_1 + 3 x_2 - x_3. */
        tr_vec3 outer = tr_vec3_sub(m->body[0][i], m->body[3][i]);
        tr_vec3 inner = tr_vec3_sub(m->body[1][i], m->body[2][i]);
        m->jerk += tr_vec3_length(tr_vec3_add_scaled(outer, -3, inner)) / cube;
        m->jerk_count++;
    }
}

void tr_gait_measure_add(tr_gait_measure *m, const tr_pose *pose) {
    memmove(m->body[1], m->body[0], 3 * sizeof m->body[0]);
    memmove(m->point[1], m->point[0], sizeof m->point[0]);
    place_points(m, pose, m->body[0], m->point[0]);
    m->pose_count++;
    if (m->pose_count >= 2 && m->support_count > 0) {
        int foot = lower_foot(m);
        /* Some point of a foot that rolls rests: the slowest one tells whether it slides. */
        double slowest = (double)INFINITY;
        for (int i = 0; i < m->support_count; i++)
            if (m->support[i].foot == foot)
                slowest = fmin(slowest, tr_vec3_distance(m->point[0][i], m->point[1][i]) / m->dt_s);
        m->slip[m->slip_count++] = slowest;
    }
    if (m->pose_count >= 4)
        add_jerk(m);
}

void tr_gait_measure_break(tr_gait_measure *m) {
    m->pose_count = 0;
}

double tr_gait_measure_slip(tr_gait_measure *m) {
    return m->slip_count ? tr_quantile(m->slip, m->slip_count, 0.5) : 0;
}

double tr_gait_measure_jerk(const tr_gait_measure *m) {
    return m->jerk_count ? m->jerk / m->jerk_count : 0;
}

/* --- characters --- */

/* The measures of one character. */
typedef struct character {
    double speed, variance, slip_mps, jerk;
} character;

/*   off    [characters][steps], angle between travel and goal, rad
 *   slip   [characters][steps], room for its measure */
typedef struct session {
    const tr_latent_check *check;
    character *character; /* [characters] */
    double *off, *slip;
} session;

/* --- walking --- */

/* A measure of the character's poses. slip: room for as many as there are */
static tr_gait_measure gait_of(const tr_latent_check *check, double *slip) {
    const tr_latent_space_def *def = &check->space->learned;
    return (tr_gait_measure){.model = check->model,
                             .support = def->support,
                             .support_count = def->support_count,
                             .dt_s = def->dt_s,
                             .slip = slip};
}

static tr_goal draw_goal(const tr_latent_task *task, tr_random *r) {
    const tr_goal_axis *speed = &task->grid.axis[1];
    double share = speed->cells > 1 ? tr_random_uniform(r) : 0;
    double angle = TR_PI * (2 * tr_random_uniform(r) - 1);
    return (tr_goal){{angle, speed->low + share * (speed->high - speed->low)}};
}

/* A character that moves by the policy. */
typedef struct walker {
    const tr_latent_check *check;
    tr_latent_mover mover;
    tr_latent_motion motion;
    tr_goal goal;
    double heading;
} walker;

static tr_goal seen_goal(const walker *w) {
    tr_goal seen = w->goal;
    seen.value[0] = tr_angle_wrap(w->heading - w->motion.place.heading_rad);
    return seen;
}

/* Makes one step of the clips' length, in two halves as a character at 60 Hz; returns how the root
 * moved. */
static tr_root_step step_twice(walker *w, tr_pose *out_pose) {
    const tr_pose_place from = w->motion.place;
    for (int part = 0; part < PARTS; part++) {
        const tr_goal seen = seen_goal(w);
        *out_pose = tr_latent_motion_step(&w->mover, &seen, 0, w->mover.space->learned.dt_s / PARTS,
                                          &w->motion);
    }
    return tr_root_step_between(&from, &w->motion.place);
}

/* Does the same by the policy's decision and the velocity map alone. */
static tr_root_step decide_once(walker *w, tr_pose *out_pose) {
    enum { LAST = TR_LATENT_KNOTS - 1 };
    const tr_latent_mover *mover = &w->mover;
    tr_latent_motion *motion = &w->motion;
    tr_latent_state state = {0};
    const tr_goal seen = seen_goal(w);
    double vector[TR_POSE_VECTOR_MAX];
    /* v is the difference of the last two knots. */
    for (int d = 0; d < mover->space->learned.dimension; d++) {
        state.x[d] = motion->point[LAST][d];
        state.v[d] = motion->point[LAST][d] - motion->point[LAST - 1][d];
    }
    tr_latent_decision decision =
        tr_latent_policy_decide(mover->policy, mover->space, mover->model, &state, &seen);
    /* The decision becomes the last knot. */
    memmove(motion->point[0], motion->point[1], LAST * sizeof motion->point[0]);
    memcpy(motion->point[LAST], decision.next.state.x, sizeof motion->point[0]);
    motion->place = tr_pose_place_moved(&motion->place, &decision.next.outcome.root);
    tr_latent_space_pose(mover->space, motion->point[LAST], vector);
    *out_pose =
        tr_pose_vector_to(mover->model, &mover->space->learned.reference, vector, &motion->place);
    return decision.next.outcome.root;
}

static walker begin(const tr_latent_check *check, tr_random *r) {
    walker w = {.check = check, .mover = {check->model, check->space, check->policy}};
    const int frame = (int)(tr_random_uniform(r) * check->space->learned.frame_count);
    tr_latent_motion_begin(&w.mover, frame, 0, &(tr_pose_place){0, 0, 0}, &w.motion);
    return w;
}

static double variance_of(const walker *w) {
    return tr_latent_space_variance(w->mover.space,
                                    tr_latent_motion_shown(&w->mover, &w->motion).x) /
           w->mover.space->mean_variance;
}

static void walk(void *context, int index, int worker) {
    (void)worker;
    const session *s = context;
    const tr_latent_check *check = s->check;
    const double dt_s = check->space->learned.dt_s;
    character *c = &s->character[index];
    double *off = s->off + (size_t)index * (size_t)check->steps;
    tr_gait_measure gait = gait_of(check, s->slip + (size_t)index * (size_t)check->steps);
    tr_random r = tr_random_split(check->seed, 3, (uint64_t)index);
    walker w = begin(check, &r);
    for (int i = 0; i < check->steps; i++) {
        /* A goal is relative to where the character heads when it gets it. */
        if (i % check->goal_steps == 0) {
            w.goal = draw_goal(&check->policy->task, &r);
            w.heading = w.motion.place.heading_rad + w.goal.value[0];
        }
        double from = w.motion.place.heading_rad;
        tr_pose pose;
        tr_root_step root = (check->decisions ? decide_once : step_twice)(&w, &pose);
        /* What counts is where the character travels, not where it faces. */
        off[i] = fabs(tr_angle_wrap(from + tr_atan2(root.left, root.forward) - w.heading));
        c->speed += hypot(root.forward, root.left) / dt_s / check->steps;
        c->variance += variance_of(&w) / check->steps;
        tr_gait_measure_add(&gait, &pose);
    }
    c->slip_mps = tr_gait_measure_slip(&gait);
    c->jerk = tr_gait_measure_jerk(&gait);
}

/* --- summing up --- */

/* Returns the spread over the characters of the field at `offset`. */
static tr_spread spread_field(const session *s, size_t offset, double *work) {
    for (int i = 0; i < s->check->characters; i++)
        memcpy(&work[i], (const char *)&s->character[i] + offset, sizeof *work);
    return tr_spread_of(work, s->check->characters);
}

static tr_status measure_clips(const tr_latent_check *check, tr_latent_check_result *out) {
    const tr_latent_space_def *def = &check->space->learned;
    tr_gait_measure gait = gait_of(check, calloc((size_t)def->frame_count, sizeof *gait.slip));
    if (!gait.slip)
        return TR_RESOURCE_EXHAUSTED;
    const tr_root_step *step = def->root;
    /* Clips are measured as characters are, for comparison. */
    for (int c = 0; c < def->clip_count; c++) {
        tr_pose_place place = {0};
        for (int i = 0; i < def->clip[c].count; i++) {
            if (i > 0)
                place = tr_pose_place_moved(&place, step++);
            tr_pose pose =
                tr_pose_vector_to(check->model, &def->reference,
                                  def->pose + (def->clip[c].first + i) * def->pose_size, &place);
            tr_gait_measure_add(&gait, &pose);
        }
        tr_gait_measure_break(&gait);
    }
    out->clip_slip_mps = tr_gait_measure_slip(&gait);
    out->clip_jerk = tr_gait_measure_jerk(&gait);
    free(gait.slip);
    return TR_OK;
}

static tr_status sum_up(const session *s, tr_latent_check_result *out) {
    const tr_latent_check *check = s->check;
    const tr_heading_record record = {.characters = check->characters,
                                      .steps = check->steps,
                                      .goal_steps = check->goal_steps,
                                      .dt_s = check->space->learned.dt_s,
                                      .off = s->off,
                                      .near_rad = tr_heading_near_rad};
    double *work = calloc((size_t)check->characters, sizeof *work);
    if (!work)
        return TR_RESOURCE_EXHAUSTED;
    out->speed_mps = spread_field(s, offsetof(character, speed), work);
    out->variance = spread_field(s, offsetof(character, variance), work);
    out->slip_mps = spread_field(s, offsetof(character, slip_mps), work);
    out->jerk = spread_field(s, offsetof(character, jerk), work);
    free(work);
    tr_status status = tr_heading_summarise(&record, &out->heading);
    return status ? status : measure_clips(check, out);
}

tr_status tr_latent_check_run(const tr_latent_check *check, tr_latent_check_result *out) {
    if (check->policy->task.kind != TR_LATENT_HEADING || check->characters < 1 ||
        check->steps < check->goal_steps || check->goal_steps < 2)
        return TR_INVALID_ARGUMENT;
    size_t steps = (size_t)check->steps, characters = (size_t)check->characters;
    session s = {check, calloc(characters, sizeof *s.character), NULL, NULL};
    double *room = calloc(2 * steps * characters, sizeof *room);
    tr_status status = s.character && room ? TR_OK : TR_RESOURCE_EXHAUSTED;
    if (!status) {
        s.off = room;
        s.slip = room + characters * steps;
        tr_pool_share(check->pool, walk, &s, check->characters,
                      (const tr_ranks_result[]){
                          {s.character, sizeof *s.character}, {s.off, steps * sizeof *s.off}, {0}});
        status = sum_up(&s, out);
    }
    free(s.character);
    free(room);
    return status;
}

/* --- striking --- */

/* What the characters did.
 *   miss, hit  [characters][targets], m and s; a hit of -1: missed
 *   slip_mps   [characters]
 *   slip       [characters][targets][parts], room for its measure */
typedef struct fights {
    const tr_latent_check *check;
    double *miss, *hit, *slip_mps, *slip;
    int parts; /* steps of each target */
} fights;

static tr_vec3 draw_point(const tr_latent_check *check, const tr_pose_place *place, tr_random *r) {
    double bearing = SECTOR_RAD * (2 * tr_random_uniform(r) - 1);
    double distance = NEAR_M + (FAR_M - NEAR_M) * tr_random_uniform(r);
    tr_vec3 off = tr_vec3_from_heading((tr_vec3){distance, 0, 0}, bearing + place->heading_rad);
    return (tr_vec3){place->x + off.x, place->y + off.y, check->policy->task.height_m};
}

static double distance_of(const tr_latent_check *check, tr_vec3 point, const tr_pose *pose) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_pose_forward(check->model, pose, bodies);
    return tr_vec3_distance(bodies[check->policy->task.body].com_pos, point);
}

/* Strikes at one target, from a motion and a strike that continue. */
static void strike_at(const fights *s, tr_vec3 point, tr_latent_motion *motion, tr_strike *strike,
                      tr_gait_measure *gait, double *out_miss, double *out_hit) {
    const tr_latent_check *check = s->check;
    const tr_latent_mover mover = {check->model, check->space, check->policy};
    const double dt_s = check->space->learned.dt_s / PARTS;
    *out_miss = (double)INFINITY;
    *out_hit = -1;
    for (int i = 0; i < s->parts; i++) {
        tr_goal goal = tr_strike_goal(point, &motion->place);
        tr_pose pose = tr_latent_motion_step(&mover, &goal, 0, dt_s, motion);
        if (!check->decisions)
            tr_strike_step(strike, check->model, check->policy->task.body, &point, dt_s, &pose);
        double miss = distance_of(check, point, &pose);
        *out_miss = fmin(*out_miss, miss);
        if (*out_hit < 0 && miss < HIT_M)
            *out_hit = (i + 1) * dt_s;
        /* The measure takes poses at the clips' rate. */
        if (i % PARTS == 0)
            tr_gait_measure_add(gait, &pose);
    }
}

static void fight(void *context, int index, int worker) {
    (void)worker;
    const fights *s = context;
    const tr_latent_check *check = s->check;
    const tr_latent_mover mover = {check->model, check->space, check->policy};
    size_t row = (size_t)index * (size_t)check->targets;
    tr_gait_measure gait = gait_of(check, s->slip + row * (size_t)s->parts);
    tr_random r = tr_random_split(check->seed, 4, (uint64_t)index);
    tr_latent_motion motion;
    tr_strike strike = {0};
    tr_latent_motion_begin(&mover, (int)(tr_random_uniform(&r) * check->space->learned.frame_count),
                           0, &(tr_pose_place){0, 0, 0}, &motion);
    /* Each target is drawn around the place where the last strike ended. */
    for (int i = 0; i < check->targets; i++) {
        tr_vec3 point = draw_point(check, &motion.place, &r);
        strike_at(s, point, &motion, &strike, &gait, &s->miss[row + (size_t)i],
                  &s->hit[row + (size_t)i]);
    }
    s->slip_mps[index] = tr_gait_measure_slip(&gait);
}

static void count_hits(const fights *s, double *work, tr_target_check_result *out) {
    const tr_latent_check *check = s->check;
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

tr_status tr_latent_check_targets(const tr_latent_check *check, tr_target_check_result *out) {
    if (check->policy->task.kind != TR_LATENT_TARGET || check->characters < 1 || check->targets < 1)
        return TR_INVALID_ARGUMENT;
    size_t targets = (size_t)check->targets, characters = (size_t)check->characters;
    size_t trials = characters * targets;
    fights s = {.check = check,
                .parts = (int)(STRIKE_S / check->space->learned.dt_s * PARTS + 0.5)};
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
    count_hits(&s, s.slip + trials * (size_t)s.parts, out);
    free(room);
    return TR_OK;
}
