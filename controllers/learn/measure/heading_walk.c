#include "learn/measure/heading_walk.h"

#include "control/parts/falls.h"
#include "learn/rehearsal/trial.h"
#include "math/elementary.h"
#include "math/random.h"

#include <math.h>
#include <stdlib.h>

static const double LOOK_S = 1.0 / 30, PUSH_S = 0.2;

/* What one character did. */
typedef struct trip {
    bool held;
    int falls, risen;
    double held_s, speed_mps;
} trip;

/*   look   steps of the world from one look at the character to the next
 *   off    [trials][looks] */
typedef struct session {
    const tr_controller *controller;
    const tr_heading_walk *walk;
    int look, looks, goal_looks;
    trip *trip;
    double *off;
} session;

/* One character on its way. */
typedef struct walker {
    const session *s;
    tr_rehearsal *rehearsal;
    tr_trial trial;
    tr_random random;
    tr_state state;
    int push_at;   /* look */
    double down_s; /* how long it has been down; 0: it is up */
} walker;

static tr_status set_parameters(const tr_heading_walk *walk, tr_runner *runner, tr_error *error) {
    tr_status status = TR_OK;
    for (int i = 0; i < walk->setting_count && !status; i++)
        status = tr_runner_set_parameter(runner, walk->setting[i].name, &walk->setting[i].value, 1,
                                         error);
    return status;
}

static void give_heading(walker *w, int look) {
    const double drawn = 2 * tr_random_uniform(&w->random) - 1, turn = w->s->walk->turn_rad;
    /* A fixed turn goes to either side; without one all headings are as likely. */
    const double angle = turn > 0 ? copysign(turn, drawn) : TR_PI * drawn;
    w->trial.runner.target = (tr_steering_target){
        .aim = TR_AIM_HEADING,
        .heading_rad = tr_angle_wrap(tr_quat_heading(w->state.pose.root_rot) + angle)};
    /* The push comes at any look before the next heading. */
    w->push_at = look + (int)(tr_random_uniform(&w->random) * w->s->goal_looks);
}

static void push_trunk(walker *w) {
    const session *s = w->s;
    const tr_rehearsal_push push = {s->walk->push_n, 2 * TR_PI * tr_random_uniform(&w->random),
                                    (int)lround(PUSH_S / s->controller->step_s)};
    w->trial.lost |= tr_rehearsal_shove(w->rehearsal, &push) != TR_OK;
}

/* Notes a fall, and its end. */
static void note_fall(walker *w, double look_s, trip *out) {
    tr_doing doing;
    tr_runner_look(&w->trial.runner, &doing);
    const bool was = w->down_s > 0,
               is = doing.down ||
                    tr_falls_is_down(w->rehearsal->world, w->rehearsal->character, was);
    out->falls += is && !was;
    out->risen += was && !is;
    w->down_s = is ? w->down_s + look_s : 0;
    w->trial.lost |= w->down_s > TR_HEADING_RISE_S;
}

/* Runs to the next look. The trial of a character that may get up continues when its motion is
 * lost, until the simulation breaks. */
static void go_on(walker *w, trip *out) {
    const int64_t until = w->trial.steps + w->s->look;
    tr_trial_run(&w->trial, w->rehearsal, until);
    if (!w->s->walk->rises)
        return;
    /* A trial that makes no step although it is not lost has broken. */
    for (int64_t before = -1; w->trial.lost && w->trial.steps > before;) {
        before = w->trial.steps;
        w->trial.lost = false;
        tr_trial_run(&w->trial, w->rehearsal, until);
    }
    note_fall(w, w->s->look * w->s->controller->step_s, out);
}

/* Runs to the next look, and notes how far the travel is off the heading. Returns how far the root
 * went. */
static double take_look(walker *w, trip *out, double *out_off) {
    const tr_vec3 from = w->state.pose.root_pos;
    go_on(w, out);
    w->trial.lost |=
        tr_world_get_state(w->rehearsal->world, w->rehearsal->character, &w->state) != TR_OK;
    if (w->trial.lost || w->down_s > 0)
        return 0;
    const tr_vec3 way = tr_vec3_sub(w->state.pose.root_pos, from);
    *out_off = fabs(tr_angle_wrap(tr_atan2(way.y, way.x) - w->trial.runner.target.heading_rad));
    return hypot(way.x, way.y);
}

static void make_trip(void *context, int item, tr_rehearsal *rehearsal) {
    const session *s = context;
    double *off = s->off + (size_t)item * (size_t)s->looks, way = 0;
    trip *out = &s->trip[item];
    walker w = {.s = s,
                .rehearsal = rehearsal,
                .random = tr_random_split(s->walk->seed, 5, (uint64_t)item),
                .state = tr_trial_disturbed_start(s->controller, s->walk->seed, item)};
    *out = (trip){0};
    /* Looks that are never taken count as travel opposite to the heading. */
    for (int i = 0; i < s->looks; i++)
        off[i] = TR_PI;
    if (tr_trial_begin(&w.trial, s->controller, rehearsal, &w.state) ||
        set_parameters(s->walk, &w.trial.runner, NULL))
        return;
    for (int i = 0; i < s->looks && !w.trial.lost; i++) {
        if (i % s->goal_looks == 0)
            give_heading(&w, i);
        if (s->walk->push_n > 0 && i == w.push_at)
            push_trunk(&w);
        way += take_look(&w, out, &off[i]);
    }
    /* A character that got up again has not held its motion. */
    out->held = !w.trial.lost && out->falls == 0;
    out->held_s = (double)w.trial.steps * s->controller->step_s;
    out->speed_mps = out->held_s > 0 ? way / out->held_s : 0;
}

static tr_status sum_up(const session *s, tr_heading_walk_result *out) {
    const int trials = s->walk->trials;
    const tr_heading_record record = {
        trials,        s->looks,
        s->goal_looks, s->look * s->controller->step_s,
        s->off,        s->walk->near_rad > 0 ? s->walk->near_rad : tr_heading_near_rad};
    double *speed = calloc((size_t)trials, sizeof *speed);
    if (!speed)
        return TR_RESOURCE_EXHAUSTED;
    *out = (tr_heading_walk_result){.trials = trials, .shortest_s = s->walk->seconds};
    for (int i = 0; i < trials; i++) {
        out->held += s->trip[i].held;
        out->falls += s->trip[i].falls;
        out->risen += s->trip[i].risen;
        out->mean_s += s->trip[i].held_s / trials;
        out->shortest_s = fmin(out->shortest_s, s->trip[i].held_s);
        speed[i] = s->trip[i].speed_mps;
    }
    out->speed_mps = tr_spread_of(speed, trials);
    free(speed);
    return tr_heading_summarise(&record, &out->heading);
}

static tr_status check(const tr_controller *controller, const tr_heading_walk *walk,
                       tr_error *error) {
    const tr_steering_target ahead = {.aim = TR_AIM_HEADING};
    tr_runner runner;
    if (walk->trials < 1 || walk->trials > TR_HEADING_WALK_MAX || !(walk->goal_s >= 2 * LOOK_S) ||
        !(walk->seconds >= walk->goal_s && walk->seconds <= 36000) || !(walk->push_n >= 0) ||
        !(walk->turn_rad >= 0 && walk->turn_rad <= TR_PI) ||
        !(walk->near_rad >= 0 && walk->near_rad <= TR_PI))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "trials, seconds, push, turn or near: out of range, or less time than for "
                       "one heading");
    if (!tr_driver_follows(controller->driver, &ahead))
        return tr_fail(error, TR_FAILED_PRECONDITION, "'%s' does not follow headings",
                       controller->name);
    tr_runner_start(&runner, controller, 0, false);
    return set_parameters(walk, &runner, error);
}

tr_status tr_heading_walk_run(tr_ensemble *ensemble, const tr_controller *controller,
                              const tr_heading_walk *walk, tr_heading_walk_result *out,
                              tr_error *error) {
    tr_status status = check(controller, walk, error);
    if (status)
        return status;
    session s = {.controller = controller, .walk = walk};
    /* A look takes whole steps, a heading whole looks. */
    s.look = (int)fmax(1, round(LOOK_S / controller->step_s));
    const double look_s = s.look * controller->step_s;
    s.looks = (int)ceil(walk->seconds / look_s);
    s.goal_looks = (int)lround(walk->goal_s / look_s);
    const size_t trials = (size_t)walk->trials, looks = (size_t)s.looks;
    s.trip = calloc(trials, sizeof *s.trip);
    s.off = calloc(trials * looks, sizeof *s.off);
    status = s.trip && s.off ? TR_OK : TR_RESOURCE_EXHAUSTED;
    if (!status) {
        tr_ensemble_share(ensemble, make_trip, &s, walk->trials,
                          (const tr_ranks_result[]){
                              {s.trip, sizeof *s.trip}, {s.off, looks * sizeof *s.off}, {0}});
        status = sum_up(&s, out);
    }
    free(s.trip);
    free(s.off);
    return status;
}
